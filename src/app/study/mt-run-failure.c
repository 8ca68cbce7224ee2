/* Why a run failed, as a project keeps it together with the message: the kind by name and the language that the
 * message is in, "numeric de". In another language the kind is described again and the message quoted. See
 * mt-run-failure.h. */
#include "config.h"
#include "mt-run-failure.h"

#include <glib/gi18n.h>
#include <string.h>

#include "mt-core.h"

typedef struct {
  int         code;
  const char *name;
  const char *words;
} Kind;

static const Kind kinds[] = {
  { MT_ERROR_PARAMS, "params", N_("The settings or the data are not valid.") },
  { MT_ERROR_PARSE, "parse", N_("The input could not be read.") },
  { MT_ERROR_SCHEMA, "schema", N_("The columns do not match.") },
  { MT_ERROR_BUDGET, "budget", N_("A memory or time limit was reached.") },
  { MT_ERROR_DEVICE, "device", N_("The device failed.") },
  { MT_ERROR_NUMERIC, "numeric", N_("Training became unstable.") },
};

/* "de" of "de_AT.UTF-8"; English is what there is without a language. */
static char *
dup_language (void)
{
  const char *name = g_get_language_names ()[0];
  gsize length = strcspn (name, "_.@");

  if (length == 1 && name[0] == 'C')
    return g_strdup ("en");
  return g_strndup (name, length);
}

char *
mt_run_failure_to_text (const GError *error)
{
  g_autofree char *language = dup_language ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_error_matches (error, MT_ERROR, kinds[i].code))
      return g_strconcat (kinds[i].name, " ", language, NULL);
  return g_strconcat (kinds[0].name, " ", language, NULL);
}

GError *
mt_run_failure_from_text (const char *text,
                          const char *message)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", " ", 2);
  g_autofree char *language = dup_language ();

  for (guint i = 0; g_strv_length (parts) == 2 && i < G_N_ELEMENTS (kinds); i++)
    {
      if (!g_str_equal (parts[0], kinds[i].name))
        continue;
      if (g_str_equal (parts[1], language))
        return g_error_new_literal (MT_ERROR, kinds[i].code, message);
      return g_error_new (MT_ERROR, kinds[i].code, "%s (“%s”)", _(kinds[i].words), message);
    }
  return g_error_new_literal (MT_ERROR, MT_ERROR_PARAMS, message);
}
