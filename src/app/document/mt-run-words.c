/* Settings of a run in words, and how long such a run may take. See mt-run-words.h. */
#include "config.h"
#include "mt-run-words.h"

#include <glib/gi18n.h>
#include <string.h>

#include "util/mt-format.h"

enum {
  TELL_BITS        = 1 << 0,
  TELL_NODES       = 1 << 1,
  TELL_FAN_IN      = 1 << 2,
  TELL_TEMPERATURE = 1 << 3,
  TELL_SEED        = 1 << 4,
  TELL_NETWORKS    = 1 << 5,
  TELL_FOLDS       = 1 << 6,
  TELL_METHOD      = 1 << 7,
};

static void
next_part (GString *text)
{
  if (text->len > 0)
    g_string_append (text, " · ");
}

/* Networks that propose rules; as in the paper there is one at least. */
static guint
count_networks (const MtRunSettings *settings)
{
  return settings->learner == MT_LEARNER_PAPER ? MAX (settings->restarts, 1) : settings->restarts;
}

static gboolean
is_of_use (const MtRunSettings *settings,
           const char          *name)
{
  return mt_setting_is_of_use (mt_setting_find (name), settings);
}

const char *
mt_run_settings_get_method (const MtRunSettings *settings)
{
  return _(mt_setting_find ("learner")->titles[settings->learner]);
}

static char *
tell (const MtRunSettings *settings,
      guint                what,
      const char          *temperature_format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *temperature = mt_format_number (settings->temperature);

  if (what & TELL_METHOD)
    g_string_append (text, mt_run_settings_get_method (settings));
  if (what & TELL_BITS)
    {
      next_part (text);
      g_string_append_printf (text, ngettext ("%u bit", "%u bits", settings->bits), settings->bits);
    }
  if ((what & TELL_NODES) && is_of_use (settings, "nodes"))
    {
      next_part (text);
      g_string_append_printf (text, ngettext ("%u node", "%u nodes", settings->nodes), settings->nodes);
    }
  if (what & TELL_FAN_IN)
    {
      next_part (text);
      g_string_append_printf (text, _("fan-in %u"), settings->fan_in);
    }
  if ((what & TELL_TEMPERATURE) && is_of_use (settings, "temperature"))
    {
      g_autoptr (GString) part = g_string_new (temperature_format);

      g_string_replace (part, "%s", temperature, 1);
      next_part (text);
      g_string_append (text, part->str);
    }
  if ((what & TELL_NETWORKS) && count_networks (settings) == 0)
    {
      next_part (text);
      /* Translators: no network proposes rules in addition to those that the search finds */
      g_string_append (text, _("no networks"));
    }
  else if (what & TELL_NETWORKS)
    {
      next_part (text);
      g_string_append_printf (text, ngettext ("%u network", "%u networks", count_networks (settings)),
                              count_networks (settings));
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
  return tell (settings, TELL_METHOD | TELL_BITS | TELL_NODES | TELL_FAN_IN | TELL_TEMPERATURE | TELL_SEED,
               _("temperature %s"));
}

/* A setting that a name says only where it differs: its title as the Model page has it, and its value. */
static void
tell_setting (GString             *text,
              const MtSetting     *setting,
              const MtRunSettings *settings)
{
  g_autoptr (GString) title = g_string_new (_(setting->title));
  double value = mt_setting_get_value (setting, settings);
  g_autofree char *number = mt_setting_is_auto (setting, settings) ? g_strdup (_("Auto"))
                            : setting->is_share ? mt_format_share (value) : mt_format_number (value);

  g_string_replace (title, "_", "", 0);
  next_part (text);
  if (setting->type == MT_SETTING_TYPE_CHOICE)
    /* Translators: title of a setting and the choice made: "Linear terms: None" */
    g_string_append_printf (text, _("%s: %s"), title->str, _(setting->titles[(guint) value]));
  else if (setting->type == MT_SETTING_TYPE_SWITCH)
    g_string_append_printf (text, _("%s: %s"), title->str, value != 0 ? C_("setting", "on") : C_("setting", "off"));
  else
    g_string_append_printf (text, _("%s: %s"), title->str, number);
}

/* Written by tell(), or without effect on what is learned. */
static gboolean
is_told (const MtSetting *setting)
{
  static const char * const told[] = { "bits", "nodes", "fan_in", "temperature", "seed", "restarts", "folds", "learner",
                                       "device", "task", NULL };

  return g_strv_contains (told, setting->name) || setting->group >= MT_N_SETTING_GROUPS;
}

static gboolean
differs (const MtSetting     *setting,
         const MtRunSettings *a,
         const MtRunSettings *b)
{
  return mt_setting_is_of_use (setting, a) && (mt_setting_get_value (setting, a) != mt_setting_get_value (setting, b) ||
                                               mt_setting_is_auto (setting, a) != mt_setting_is_auto (setting, b));
}

/* Whether two differ in more than what tell() says; quick, for the many runs of a sweep. */
static gboolean
differ_otherwise (const MtRunSettings *a,
                  const MtRunSettings *b)
{
  MtRunSettings like = *b;

  like.bits = a->bits;
  like.nodes = a->nodes;
  like.fan_in = a->fan_in;
  like.temperature = a->temperature;
  like.seed = a->seed;
  like.restarts = a->restarts;
  like.folds = a->folds;
  like.learner = a->learner;
  like.device = a->device;
  like.task = a->task;
  return memcmp (a, &like, sizeof like) != 0;
}

static void
tell_others (GString                     *text,
             const MtRunSettings         *settings,
             const MtRunSettings * const *all,
             guint                        n_all)
{
  g_autofree const MtRunSettings **others = g_new (const MtRunSettings *, MAX (n_all, 1));
  gboolean constraints = FALSE;
  guint n_others = 0;

  for (guint i = 0; i < n_all; i++)
    if (differ_otherwise (settings, all[i]))
      others[n_others++] = all[i];
  for (guint k = 0; k < mt_setting_get_n (); k++)
    {
      const MtSetting *setting = mt_setting_get (k);
      gboolean tells = FALSE;

      for (guint i = 0; i < n_others && !tells && !is_told (setting); i++)
        tells = differs (setting, settings, others[i]);
      if (tells)
        tell_setting (text, setting, settings);
    }
  for (guint i = 0; i < n_others; i++)
    constraints |= g_strcmp0 (settings->constraints, others[i]->constraints) != 0;
  if (!constraints)
    return;
  next_part (text);
  g_string_append (text, settings->constraints != NULL && *settings->constraints != '\0' ? _("constrained")
                                                                                         : _("unconstrained"));
}

char *
mt_run_settings_tell_apart (const MtRunSettings         *settings,
                            const MtRunSettings * const *others,
                            guint                        n_others,
                            guint                        n_seeds)
{
  guint what = n_seeds > 1 ? TELL_BITS : TELL_BITS | TELL_SEED;
  g_autofree char *plain = NULL;
  g_autofree char *text = NULL;
  GString *all;

  for (guint i = 0; i < n_others; i++)
    {
      what |= settings->nodes != others[i]->nodes ? TELL_NODES : 0;
      what |= settings->fan_in != others[i]->fan_in ? TELL_FAN_IN : 0;
      what |= settings->temperature != others[i]->temperature ? TELL_TEMPERATURE : 0;
      what |= settings->learner != others[i]->learner ? TELL_METHOD : 0;
      what |= settings->learner == others[i]->learner && count_networks (settings) != count_networks (others[i])
              ? TELL_NETWORKS : 0;
      what |= settings->folds != others[i]->folds ? TELL_FOLDS : 0;
    }
  plain = tell (settings, what, "τ %s");
  all = g_string_new (plain);
  tell_others (all, settings, others, n_others);
  text = g_string_free (all, FALSE);
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
