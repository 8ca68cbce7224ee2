/* Which language core speaks. See mt-i18n.h. */
#include "config.h"
#include "mt-gettext.h"

/* Written once at start, before there are threads. */
static int speaks_catalogue;
static const char *decimal_mark = ".";   /* interned; atomic */
static GPrivate english_depth = G_PRIVATE_INIT (NULL);

void
mt_i18n_set_translated (gboolean translated)
{
  g_atomic_int_set (&speaks_catalogue, translated);
}

void
mt_i18n_set_mark (const char *mark)
{
  g_atomic_pointer_set (&decimal_mark, g_intern_string (mark));
}

const char *
mt_i18n_get_mark (void)
{
  return mt_i18n_is_english () ? "." : g_atomic_pointer_get (&decimal_mark);
}

void
mt_i18n_begin_english (void)
{
  g_private_set (&english_depth, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_private_get (&english_depth)) + 1));
}

void
mt_i18n_end_english (void)
{
  guint depth = GPOINTER_TO_UINT (g_private_get (&english_depth));

  g_return_if_fail (depth > 0);
  g_private_set (&english_depth, GUINT_TO_POINTER (depth - 1));
}

gboolean
mt_i18n_is_english (void)
{
  return !g_atomic_int_get (&speaks_catalogue) || g_private_get (&english_depth) != NULL;
}

const char *
mt_i18n_get (const char *english)
{
  return mt_i18n_is_english () ? english : g_dgettext (GETTEXT_PACKAGE, english);
}

const char *
mt_i18n_get_plural (const char *one,
                    const char *many,
                    gulong      n)
{
  if (mt_i18n_is_english ())
    return n == 1 ? one : many;
  return g_dngettext (GETTEXT_PACKAGE, one, many, n);
}

const char *
mt_i18n_get_in (const char *context,
                const char *english)
{
  return mt_i18n_is_english () ? english : g_dpgettext2 (GETTEXT_PACKAGE, context, english);
}

const char *
mt_said_get (const MtSaid *said)
{
  return said->shown == NULL || mt_i18n_is_english () ? said->english : said->shown;
}

void
mt_said_clear (MtSaid *said)
{
  g_clear_pointer (&said->english, g_free);
  g_clear_pointer (&said->shown, g_free);
}
