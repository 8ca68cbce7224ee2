/* Options of the commands that learn: one for each row of the table of settings (learn/mt-setting.h), whose words and
 * ranges come from there, and those that are no setting of the learner. */
#include "config.h"
#include "mt-cli-learn.h"

#include <math.h>
#include <string.h>

static void
init_empty (MtCliLearn *self)
{
  *self = (MtCliLearn) { 0 };
  self->given = g_new0 (char *, mt_setting_get_n ());
  self->flags = g_new0 (gboolean, mt_setting_get_n ());
  self->texts = g_ptr_array_new_with_free_func (g_free);
}

void
mt_cli_learn_init (MtCliLearn *self)
{
  init_empty (self);
  mt_run_settings_init (&self->settings, MT_PRESET_BALANCED);
}

void
mt_cli_learn_init_sweep (MtCliLearn *self)
{
  init_empty (self);
  self->is_sweep = TRUE;
  self->grid.n_seeds = 1;
  mt_sweep_settings_init (&self->settings);
}

void
mt_cli_learn_clear (MtCliLearn *self)
{
  for (guint i = 0; self->given != NULL && i < mt_setting_get_n (); i++)
    g_free (self->given[i]);
  g_clear_pointer (&self->given, g_free);
  g_clear_pointer (&self->flags, g_free);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
  g_clear_pointer (&self->banned, g_strfreev);
  g_clear_pointer (&self->monotone, g_strfreev);
  g_clear_pointer (&self->constraints, mt_constraints_unref);
}

static const char *
keep (MtCliLearn *self,
      char       *text)
{
  g_ptr_array_add (self->texts, text);
  return text;
}

/* An option for a setting: its help ends with the default. */
static GOptionEntry
make_entry (MtCliLearn      *self,
            guint            index)
{
  const MtSetting *setting = mt_setting_get (index);
  g_autofree char *usual = mt_setting_dup_text (setting, &self->settings);
  char *flag = mt_setting_dup_flag (setting);
  GOptionEntry entry = { setting->option, 0, 0, G_OPTION_ARG_STRING, &self->given[index] };

  if (flag != NULL)
    {
      entry.long_name = keep (self, flag);
      entry.arg = G_OPTION_ARG_NONE;
      entry.arg_data = &self->flags[index];
      entry.description = setting->help;
      return entry;
    }
  entry.description = keep (self, g_strdup_printf ("%s [default: %s]", setting->help, usual));
  entry.arg_description = setting->argument;
  if (self->is_sweep && setting->is_axis)
    entry.arg_description = keep (self, g_strdup_printf ("%s,%s…", setting->argument, setting->argument));
  return entry;
}

GOptionEntry *
mt_cli_learn_new_entries (MtCliLearn         *self,
                          MtCliImport        *import,
                          const GOptionEntry *own)
{
  const GOptionEntry others[] = {
    { "device-memory", 0, 0, G_OPTION_ARG_INT, &self->device_memory,
      "Maximum GPU memory to use; 0 uses what is free [default: 0]", "MB" },
    { "ban", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->banned, "Exclude a column from all models; may be repeated",
      "COLUMN" },
    { "monotone", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->monotone,
      "A higher value of the column never lowers (+) or never raises (-) the score; may be repeated", "COLUMN=+|-" },
    { "no-negation", 0, 0, G_OPTION_ARG_NONE, &self->no_negation, "Rules contain no “not” conditions", NULL },
  };
  g_autoptr (GArray) all = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (; own != NULL && own->long_name != NULL; own++)
    g_array_append_vals (all, own, 1);
  for (guint i = 0; i < mt_setting_get_n (); i++)
    if (mt_setting_get (i)->option != NULL && !mt_setting_get (i)->is_common)
      {
        GOptionEntry entry = make_entry (self, i);

        g_array_append_val (all, entry);
      }
  g_array_append_vals (all, others, G_N_ELEMENTS (others));
  return mt_cli_import_new_entries (import, (const GOptionEntry *) (gpointer) all->data);
}

gboolean
mt_cli_learn_is_given (const MtCliLearn *self,
                       const char       *option)
{
  for (guint i = 0; i < mt_setting_get_n (); i++)
    if (g_strcmp0 (mt_setting_get (i)->option, option) == 0)
      return self->given[i] != NULL || self->flags[i];
  return FALSE;
}

gboolean
mt_cli_check_range (const char *name,
                    double      value,
                    double      low,
                    double      high)
{
  if (value >= low && value <= high)
    return TRUE;
  mt_cli_fail (MT_EXIT_USAGE, "%s must be between %.10g and %.10g", name, low, high);
  return FALSE;
}

/* "4,5,6" as values of an axis. */
static gboolean
read_axis (MtCliLearn      *self,
           const MtSetting *setting,
           const char      *text)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  double values[MT_SWEEP_MAX_VALUES];
  gboolean whole = setting->type != MT_SETTING_TYPE_NUMBER;
  guint n = g_strv_length (words);

  for (guint i = 0; i < MIN (n, MT_SWEEP_MAX_VALUES); i++)
    if (mt_number_parse (words[i], strlen (words[i]), &mt_number_plain, &values[i]) != MT_NUMBER_FINITE ||
        (whole && (values[i] != floor (values[i]) || values[i] < 0 || values[i] > G_MAXINT32)))
      {
        mt_cli_fail (MT_EXIT_USAGE, "--%s needs %snumbers separated by commas, not “%s”", setting->option,
                     whole ? "whole " : "", text);
        return FALSE;
      }
  if (n > MT_SWEEP_MAX_VALUES)
    {
      mt_cli_fail (MT_EXIT_USAGE, "--%s takes at most %u values, not %u", setting->option, MT_SWEEP_MAX_VALUES, n);
      return FALSE;
    }
  mt_sweep_grid_set_axis (&self->grid, setting, values, n);
  mt_setting_set_value (setting, &self->settings, values[0]);
  return TRUE;
}

static gboolean
read_setting (MtCliLearn      *self,
              const MtSetting *setting,
              const char      *text)
{
  g_autoptr (GError) error = NULL;

  if (self->is_sweep && setting->is_axis)
    return read_axis (self, setting, text);
  if (mt_setting_parse (setting, &self->settings, text, &error))
    return TRUE;
  mt_cli_fail (MT_EXIT_USAGE, "--%s %s", setting->option, error->message);
  return FALSE;
}

/* Whether the columns are there is the table's to say; here it is how they are written. */
static gboolean
read_constraints (MtCliLearn *self)
{
  self->constraints = mt_constraints_new ();
  mt_constraints_set_no_negation (self->constraints, self->no_negation);
  for (guint i = 0; self->banned != NULL && self->banned[i] != NULL; i++)
    mt_constraints_set_banned (self->constraints, self->banned[i], TRUE);
  for (guint i = 0; self->monotone != NULL && self->monotone[i] != NULL; i++)
    {
      const char *text = self->monotone[i], *sign = strrchr (text, '=');
      g_autofree char *column = sign != NULL ? g_strndup (text, (gsize) (sign - text)) : NULL;
      MtDirection direction = sign != NULL && strcmp (sign, "=+") == 0 ? MT_DIRECTION_RISING : MT_DIRECTION_FALLING;

      if (column == NULL || *column == '\0' || (strcmp (sign, "=+") != 0 && strcmp (sign, "=-") != 0))
        {
          mt_cli_fail (MT_EXIT_USAGE, "--monotone takes COLUMN=+ or COLUMN=-, not “%s”", text);
          return FALSE;
        }
      if (mt_constraints_get_direction (self->constraints, column) == -direction)
        {
          mt_cli_fail (MT_EXIT_USAGE, "--monotone gives “%s” both directions; use --ban if it must have no effect",
                       column);
          return FALSE;
        }
      mt_constraints_set_direction (self->constraints, column, direction);
    }
  return TRUE;
}

gboolean
mt_cli_learn_read (MtCliLearn        *self,
                   const MtCliCommon *common)
{
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);

      if (self->flags[i])
        mt_setting_set_value (setting, &self->settings, mt_setting_get_value (setting, &self->settings) != 0 ? 0 : 1);
      if (self->given[i] != NULL && !read_setting (self, setting, self->given[i]))
        return FALSE;
    }
  self->settings.seed = (guint64) common->seed;
  if (common->device != NULL && !read_setting (self, mt_setting_find ("device"), common->device))
    return FALSE;
  if (!mt_cli_check_range ("--device-memory", self->device_memory, 0, 10000000) || !read_constraints (self))
    return FALSE;
  mt_run_settings_set_constraints (&self->settings, self->constraints);
  /* What prunes a network needs one. */
  if (self->settings.method == MT_METHOD_MAGNITUDE && !mt_cli_learn_is_given (self, "restarts"))
    self->settings.restarts = 1;
  if (self->settings.method == MT_METHOD_MAGNITUDE && self->settings.restarts == 0)
    mt_cli_fail (MT_EXIT_USAGE, "--refine magnitude needs at least one network to prune; see --restarts");
  return self->settings.method != MT_METHOD_MAGNITUDE || self->settings.restarts > 0;
}

void
mt_cli_learn_get (const MtCliLearn *self,
                  MtLearnOptions   *learn)
{
  mt_run_settings_to_learn (&self->settings, learn);
  learn->constraints = self->constraints;
}

gboolean
mt_cli_learn_check_columns (const MtCliLearn *self,
                            const MtTable    *table,
                            const char       *path,
                            int              *exit_code)
{
  g_auto (GStrv) rising = mt_constraints_dup_directed (self->constraints, MT_DIRECTION_RISING);
  g_auto (GStrv) falling = mt_constraints_dup_directed (self->constraints, MT_DIRECTION_FALLING);

  return mt_cli_import_check_names (table, self->banned, path, exit_code) &&
         mt_cli_import_check_names (table, rising, path, exit_code) &&
         mt_cli_import_check_names (table, falling, path, exit_code);
}

static void
tell_fall_back (const GError *error,
                gpointer      user_data)
{
  g_printerr ("minterm-cli: %s\nminterm-cli: continuing on the CPU\n", error->message);
}

gboolean
mt_cli_learn_use_device (const MtCliLearn  *self,
                         const MtCliCommon *common,
                         MtRunMeans        *means)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = mt_backend_dup_name (common->device, &error);

  *means = (MtRunMeans) {
    .n_threads = (guint) common->threads,
    .device_memory = (guint64) self->device_memory * 1000000,
    .fall_back = tell_fall_back,
  };
  if (name == NULL)
    mt_cli_fail_error (error);
  return name != NULL;
}
