/* Settings of a run: defaults and presets, to and from the learner's options, to and from a project. All but the special
 * cases goes over the table of mt-setting.c. */
#include "config.h"
#include "mt-run-settings.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-json-cursor.h"
#include "data/mt-split.h"
#include "mt-setting.h"

/* Balanced is what `minterm-cli train` does by itself, to the byte; the others are what it does with a few options. No
 * preset lets networks join the candidates: with many rows that costs the fine thresholds, and so more than it brings
 * (R² .756 instead of .767 on california, AUC .892 instead of .899 on electricity, at 50 literals). The rules found
 * become a network themselves, which is trained. */
void
mt_run_settings_init (MtRunSettings *settings,
                      MtPreset       preset)
{
  MtLearnOptions defaults;

  mt_learn_options_init (&defaults);
  defaults.frontier.compare_network = TRUE;
  mt_run_settings_from_learn (settings, &defaults);
  settings->test_fraction = 0.2;
  if (preset == MT_PRESET_SIMPLE)
    {
      settings->bits = 5;
      settings->fan_in = 2;
      settings->max_literals = 20;
    }
  if (preset == MT_PRESET_ACCURATE)
    {
      settings->bits = 15;
      settings->folds = 10;
    }
}

/* --- comparing, writing and reading go over the table --- */

/* Constraints are interned text, so equal ones are the same pointer. */
static gboolean
equal_but (const MtRunSettings *a,
           const MtRunSettings *b,
           const char          *but)
{
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);

      if (g_strcmp0 (setting->name, but) != 0 && !mt_setting_is_equal (setting, a, b))
        return FALSE;
    }
  return a->constraints == b->constraints;   /* interned */
}

gboolean
mt_run_settings_equal (const MtRunSettings *a,
                       const MtRunSettings *b)
{
  return equal_but (a, b, NULL);
}

gboolean
mt_run_settings_alike (const MtRunSettings *a,
                       const MtRunSettings *b)
{
  return equal_but (a, b, "seed");
}

void
mt_run_settings_write (const MtRunSettings *settings,
                       MtJsonWriter        *json)
{
  for (guint i = 0; i < mt_setting_get_n (); i++)
    mt_setting_write (mt_setting_get (i), settings, json);
  if (settings->constraints != NULL)
    {
      mt_json_writer_key (json, "constraints");
      mt_json_writer_string (json, settings->constraints);
    }
}

MtConstraints *
mt_run_settings_dup_constraints (const MtRunSettings *settings)
{
  g_autoptr (MtJson) json = settings->constraints != NULL ? mt_json_parse (settings->constraints, -1, NULL) : NULL;
  MtJsonCursor place = json != NULL ? mt_json_cursor_root (json) : (MtJsonCursor) { 0 };

  return json != NULL ? mt_constraints_read (&place, NULL) : NULL;
}

/* As interned JSON text, so that settings stay a plain value that can be copied and
 * compared. */
void
mt_run_settings_set_constraints (MtRunSettings       *settings,
                                 const MtConstraints *constraints)
{
  MtJsonWriter *json;
  g_autofree char *text = NULL;

  settings->constraints = NULL;
  if (mt_constraints_is_empty (constraints))
    return;
  json = mt_json_writer_new ();
  mt_constraints_write (constraints, json);
  text = mt_json_writer_finish (json, NULL);
  settings->constraints = g_intern_string (text);
}

/* Only what can be read again is believed. */
static gboolean
read_constraints (MtRunSettings  *settings,
                  const MtJson   *json,
                  GError        **error)
{
  g_autoptr (MtConstraints) constraints = NULL;

  if (mt_json_get_kind (json) != MT_JSON_STRING)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, _("The constraints of a run are not text"));
      return FALSE;
    }
  settings->constraints = mt_json_get_string (json);
  constraints = mt_run_settings_dup_constraints (settings);
  mt_run_settings_set_constraints (settings, constraints);
  if (constraints != NULL)
    return TRUE;
  g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, _("Cannot read the constraints of a run"));
  return FALSE;
}

/* Before linear terms had shapes, there was a switch. */
static gboolean
read_numeric_terms (MtRunSettings  *settings,
                    const MtJson   *json,
                    GError        **error)
{
  const MtJson *member = mt_json_find (json, "numeric_terms");

  if (member == NULL || mt_json_find (json, "linear_terms") != NULL)
    return TRUE;
  if (mt_json_get_kind (member) != MT_JSON_BOOLEAN)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("The settings of a run have no valid “%s”"), "numeric_terms");
      return FALSE;
    }
  settings->linear_terms = mt_json_get_boolean (member) ? MT_LINEAR_TERMS_PLAIN : MT_LINEAR_TERMS_NONE;
  return TRUE;
}

/* A member that is not there keeps its value, so files of older versions can be read;
 * members that are not known are passed over. */
gboolean
mt_run_settings_read (MtRunSettings  *settings,
                      const MtJson   *json,
                      GError        **error)
{
  if (mt_json_get_kind (json) != MT_JSON_OBJECT)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, _("The settings of a run are not an object"));
      return FALSE;
    }
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);
      const MtJson *member = mt_json_find (json, setting->name);

      if (member != NULL && !mt_setting_read (setting, settings, member))
        {
          /* Translators: %s is the name of a setting in a file */
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("The settings of a run have no valid “%s”"), setting->name);
          return FALSE;
        }
    }
  if (!read_numeric_terms (settings, json, error))
    return FALSE;
  if (mt_json_find (json, "constraints") != NULL)
    return read_constraints (settings, mt_json_find (json, "constraints"), error);
  return TRUE;
}

/* --- the learner --- */

const char *
mt_run_settings_get_device (const MtRunSettings *settings)
{
  return mt_setting_find ("device")->words[settings->device];
}

gboolean
mt_run_settings_has_network (const MtRunSettings *settings)
{
  return settings->restarts > 0 || settings->learner == MT_LEARNER_PAPER ||
         (settings->beside && settings->learner == MT_LEARNER_TTSPARSE);
}

/* Copies a member of one struct to that of another. */
static void
copy_member (const MtSetting *setting,
             gpointer         to,
             gconstpointer    from)
{
  gsize size = setting->type == MT_SETTING_TYPE_NUMBER || setting->type == MT_SETTING_TYPE_SEED ? 8 : 4;

  memcpy (to, from, size);
}

G_STATIC_ASSERT (sizeof (double) == 8 && sizeof (guint) == 4);

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

/* Rows of the table with a `learn` offset are copied; the rest is here: what needs more
 * than a copy (task, device), and what depends on several settings (a run without networks
 * has nothing to prune by magnitude, the paper's method has at least one network). */
void
mt_run_settings_to_learn (const MtRunSettings *settings,
                          MtLearnOptions      *options)
{
  mt_learn_options_init (options);
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);

      if (setting->learn != 0)
        copy_member (setting, (char *) options + setting->learn, (const char *) settings + setting->offset);
    }
  if (settings->task != MT_TASK_CHOICE_AUTO)
    options->task = &tasks[settings->task - 1];
  options->frontier.compare_network = settings->restarts == 0 && settings->beside;
  if (settings->restarts == 0)
    options->frontier.method = MT_METHOD_EXACT;   /* there is nothing else to prune */
  options->frontier.refine.tune = settings->learner == MT_LEARNER_TTSPARSE;
  if (settings->learner == MT_LEARNER_PAPER)
    {
      mt_learn_options_set_learner (options, MT_LEARNER_PAPER);
      options->frontier.n_restarts = MAX (settings->restarts, 1);
    }
  options->frontier.train.fan_in = settings->fan_in;
  options->frontier.train.balance_classes = settings->balance_classes;
  options->frontier.train.device = mt_run_settings_get_device (settings);
}

/* The way back. mt_run_settings_to_learn() of the result gives the same options again, as
 * far as settings say them. */
void
mt_run_settings_from_learn (MtRunSettings        *settings,
                            const MtLearnOptions *options)
{
  const MtSetting *device = mt_setting_find ("device");

  memset (settings, 0, sizeof *settings);
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);

      if (setting->learn != 0)
        copy_member (setting, (char *) settings + setting->offset, (const char *) options + setting->learn);
    }
  for (guint i = 0; options->task != NULL && i < G_N_ELEMENTS (tasks); i++)
    if (*options->task == tasks[i])
      settings->task = (MtTaskChoice) (i + 1);
  settings->beside = options->frontier.n_restarts == 0 && options->frontier.compare_network;
  for (guint i = 0; options->frontier.train.device != NULL && device->words[i] != NULL; i++)
    if (g_str_equal (options->frontier.train.device, device->words[i]))
      settings->device = (MtDevice) i;
  mt_run_settings_set_constraints (settings, options->constraints);
}

/* The same split for the window and the command line. Without test rows both arrays stay
 * NULL. */
gboolean
mt_run_settings_split (const MtRunSettings  *settings,
                       const MtTable        *table,
                       GArray              **train,
                       GArray              **test,
                       GError              **error)
{
  const MtSplitOptions options = {
    .seed = settings->split_seed,
    .test_fraction = settings->test_fraction,
    .stratify = TRUE,
    .spare_lone = TRUE,
  };

  *train = *test = NULL;
  return settings->test_fraction == 0 || mt_split_test (table, &options, train, test, error);
}
