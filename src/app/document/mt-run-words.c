/* Settings of a run in words, and how long such a run may take. See mt-run-words.h. */
#include "config.h"
#include "mt-run-words.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"

enum {
  TELL_BITS        = 1 << 0,
  TELL_NODES       = 1 << 1,
  TELL_FAN_IN      = 1 << 2,
  TELL_TEMPERATURE = 1 << 3,
  TELL_SEED        = 1 << 4,
  TELL_NETWORKS    = 1 << 5,
  TELL_FOLDS       = 1 << 6,
};

static void
next_part (GString *text)
{
  if (text->len > 0)
    g_string_append (text, " · ");
}

static char *
tell (const MtRunSettings *settings,
      guint                what,
      const char          *temperature_format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *temperature = mt_format_number (settings->temperature);

  if (what & TELL_BITS)
    g_string_append_printf (text, ngettext ("%u bit", "%u bits", settings->bits), settings->bits);
  if ((what & TELL_NODES) && settings->restarts > 0)
    {
      next_part (text);
      g_string_append_printf (text, ngettext ("%u node", "%u nodes", settings->nodes), settings->nodes);
    }
  if (what & TELL_FAN_IN)
    {
      next_part (text);
      g_string_append_printf (text, _("fan-in %u"), settings->fan_in);
    }
  if ((what & TELL_TEMPERATURE) && settings->restarts > 0)
    {
      g_autoptr (GString) part = g_string_new (temperature_format);

      g_string_replace (part, "%s", temperature, 1);
      next_part (text);
      g_string_append (text, part->str);
    }
  if (what & TELL_NETWORKS)
    {
      next_part (text);
      if (settings->restarts == 0)
        /* Translators: rules are found by the search, without networks that propose some */
        g_string_append (text, _("search only"));
      else
        g_string_append_printf (text, ngettext ("%u network", "%u networks", settings->restarts), settings->restarts);
    }
  if (what & TELL_FOLDS)
    {
      next_part (text);
      g_string_append_printf (text, ngettext ("%u fold", "%u folds", settings->folds), settings->folds);
    }
  if (what & TELL_SEED)
    {
      g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, settings->seed);

      next_part (text);
      g_string_append_printf (text, _("seed %s"), seed);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
mt_run_settings_describe (const MtRunSettings *settings)
{
  return tell (settings, TELL_BITS | TELL_NODES | TELL_FAN_IN | TELL_TEMPERATURE | TELL_SEED, _("temperature %s"));
}

char *
mt_run_settings_tell_apart (const MtRunSettings         *settings,
                            const MtRunSettings * const *others,
                            guint                        n_others,
                            guint                        n_seeds)
{
  guint what = n_seeds > 1 ? TELL_BITS : TELL_BITS | TELL_SEED;
  g_autofree char *text = NULL;

  for (guint i = 0; i < n_others; i++)
    {
      what |= settings->nodes != others[i]->nodes ? TELL_NODES : 0;
      what |= settings->fan_in != others[i]->fan_in ? TELL_FAN_IN : 0;
      what |= settings->temperature != others[i]->temperature ? TELL_TEMPERATURE : 0;
      what |= settings->restarts != others[i]->restarts ? TELL_NETWORKS : 0;
      what |= settings->folds != others[i]->folds ? TELL_FOLDS : 0;
    }
  text = tell (settings, what, "τ %s");
  /* Translators: of runs that differ only in their seed: what is set, "9 bits", and how many seeds there are */
  return n_seeds > 1 ? g_strdup_printf (ngettext ("%s · %u seed", "%s · %u seeds", n_seeds), text, n_seeds)
                     : g_steal_pointer (&text);
}

/* A path over the rows takes a while however few they are; a network goes over them again and again.
 * Measured on sets of 700 to 16,000 rows; what a study has already run corrects it. */
double
mt_run_settings_guess (const MtRunSettings *settings,
                       gsize                n_rows,
                       guint                n_threads)
{
  double network = 0.1 + 1.5e-4 * (double) n_rows * (settings->node == MT_NODE_DEEP ? 4 : 1) * settings->nodes / 30.0;
  double path = 0.25 + 3.5e-5 * (double) n_rows * (0.5 + settings->bits / 18.0) + settings->restarts * network;
  guint n_paths = settings->folds + 1;
  double beside = settings->restarts == 0 && settings->beside ? network : 0;   /* on all rows only */

  return path * (double) ((n_paths + n_threads - 1) / MAX (n_threads, 1)) + beside / MAX (n_threads, 1);
}
