#include "config.h"
#include "mt-run-record.h"

#include "learn/mt-setting.h"

char *
mt_run_record_dup_columns (const MtTable *table)
{
  g_autoptr (MtSchema) schema = mt_schema_new ();

  g_return_val_if_fail (table != NULL, NULL);

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, c));

      mt_schema_set_type (schema, name, mt_column_get_type (mt_table_get_column (table, c)));
      mt_schema_set_role (schema, name, mt_table_get_role (table, c));
    }
  return mt_schema_to_json (schema);
}

static char *
dup_settings (const MtRunSettings *settings,
              const char          *hash,
              const char          *data)
{
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_run_settings_write (settings, json);
  mt_json_writer_key (json, "columns");
  mt_json_writer_string (json, hash);
  if (data != NULL)
    {
      mt_json_writer_key (json, "data");
      mt_json_writer_string (json, data);
    }
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, NULL);
}

gint64
mt_run_record_add (MtProject            *project,
                   const char           *name,
                   const MtRunSettings  *settings,
                   const char           *columns,
                   const char           *data,
                   GError              **error)
{
  g_autofree char *hash = NULL;
  g_autofree char *key = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (project != NULL && name != NULL && settings != NULL && columns != NULL, 0);

  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, columns, -1);
  key = g_strconcat (MT_PROJECT_KEY_COLUMNS, hash, NULL);
  text = dup_settings (settings, hash, data);
  if (!mt_project_set_text (project, MT_PROJECT_SETTING, key, columns, error))
    return 0;
  return mt_project_add_run (project, name, text, settings->seed, error);
}

/* --- reading --- */

static char *
dup_member (const MtJson *json,
            const char   *name)
{
  const MtJson *member = json != NULL && mt_json_get_kind (json) == MT_JSON_OBJECT ? mt_json_find (json, name) : NULL;

  return member != NULL && mt_json_get_kind (member) == MT_JSON_STRING ? g_strdup (mt_json_get_string (member)) : NULL;
}

/* A sweep of the command line kept four settings with a run, and the others for all runs together, as text by the name of
 * the option; empty is the default. It learnt from all rows, and dealt the folds once. */
static void
read_sweep (MtRunSettings *settings,
            const char    *sweep)
{
  g_autoptr (MtJson) json = sweep != NULL ? mt_json_parse (sweep, -1, NULL) : NULL;

  settings->test_fraction = 0;
  settings->repeats = 1;
  for (guint i = 0; json != NULL && i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);
      g_autofree char *text = setting->option != NULL && !setting->is_axis ? dup_member (json, setting->option) : NULL;

      if (text != NULL && *text != '\0')
        mt_setting_parse (setting, settings, g_str_equal (text, "no") ? "false" : text, NULL);
    }
}

void
mt_run_record_read (const MtProjectRun  *run,
                    const char          *sweep,
                    MtRunSettings       *settings,
                    char               **columns,
                    char               **data)
{
  g_autoptr (MtJson) json = NULL;

  g_return_if_fail (run != NULL && settings != NULL && columns != NULL && data != NULL);

  json = mt_json_parse (run->settings, -1, NULL);
  *columns = dup_member (json, "columns");
  *data = *columns != NULL ? dup_member (json, "data") : NULL;
  mt_run_settings_init (settings, MT_PRESET_BALANCED);
  settings->beside = FALSE;   /* before this was named, there was none */
  if (*columns == NULL)
    read_sweep (settings, sweep);
  if (json != NULL)
    mt_run_settings_read (settings, json, NULL);
  settings->seed = run->seed;
}
