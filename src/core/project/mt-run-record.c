/* What a project keeps of a run: all of its settings, the columns it saw and the data it learned from. See
 * mt-run-record.h. */
#include "config.h"
#include "mt-run-record.h"

#include <math.h>

#include "base/mt-decimal.h"
#include "base/mt-number.h"
#include "learn/mt-setting.h"
#include "model/mt-learn-model.h"

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
      if (mt_column_get_formula (mt_table_get_column (table, c)) != NULL)
        mt_schema_set_derived (schema, name, mt_formula_get_text (mt_column_get_formula (mt_table_get_column (table, c))));
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
 * the option; empty is the default. It learned from all rows, and dealt the folds once. */
static void
read_sweep (MtRunSettings *settings,
            const char    *sweep)
{
  g_autoptr (MtJson) json = sweep != NULL ? mt_json_parse (sweep, -1, NULL) : NULL;
  g_autofree char *numeric = dup_member (json, "numeric-terms");   /* before linear terms had shapes */

  settings->test_fraction = 0;
  settings->repeats = 1;
  for (guint i = 0; json != NULL && i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);
      g_autofree char *text = setting->option != NULL && !setting->is_axis ? dup_member (json, setting->option) : NULL;

      if (text != NULL && *text != '\0')
        mt_setting_parse (setting, settings, g_str_equal (text, "no") ? "false" : text, NULL);
    }
  if (numeric != NULL && g_str_equal (numeric, "no"))
    settings->linear_terms = MT_LINEAR_TERMS_NONE;
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

MtTable *
mt_run_record_dup_table (MtTable    *table,
                         const char *columns)
{
  g_autoptr (MtSchema) schema = columns != NULL ? mt_schema_from_json (columns, -1, NULL) : NULL;
  guint n = mt_table_get_n_columns (table);
  g_autofree MtColumnRole *roles = g_new (MtColumnRole, MAX (n, 1));
  g_autofree const char **reasons = g_new0 (const char *, MAX (n, 1));
  gboolean same = TRUE;

  for (guint i = 0; schema != NULL && i < n; i++)
    {
      if (!mt_schema_get_role (schema, mt_column_get_name (mt_table_get_column (table, i)), &roles[i]))
        roles[i] = MT_ROLE_IGNORED;
      reasons[i] = mt_table_get_reason (table, i);
      same = same && roles[i] == mt_table_get_role (table, i);
    }
  return schema == NULL || same ? mt_table_ref (table) : mt_table_with_roles (table, roles, reasons);
}

/* --- what it found --- */

static void
add_number (GString *text,
            double   value)
{
  char buffer[MT_DECIMAL_SIZE];

  g_string_append_c (text, ' ');
  g_string_append (text, mt_decimal_write_c (value, buffer));
}

char *
mt_run_record_dup_curves (GArray           *epochs,
                          GArray           *visits,
                          const MtFrontier *frontier)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < epochs->len; i++)
    {
      const MtRunEpoch *epoch = &g_array_index (epochs, MtRunEpoch, i);

      g_string_append (text, "epoch");
      add_number (text, epoch->train_loss);
      add_number (text, epoch->valid_loss);
      add_number (text, epoch->metric);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < visits->len; i++)
    {
      g_string_append (text, "visit");
      add_number (text, g_array_index (visits, MtRunVisit, i).complexity);
      add_number (text, g_array_index (visits, MtRunVisit, i).loss);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < mt_frontier_get_n_points (frontier); i++)
    {
      const double *scores = mt_frontier_get_fold_scores (frontier, i);

      g_string_append (text, "point");
      for (guint j = 0; scores != NULL && j < mt_frontier_get_n_fold_scores (frontier); j++)
        add_number (text, scores[j]);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static gboolean
read_test (const MtLearned  *learned,
           MtTable          *table,
           GArray           *test,
           MtTargetRows    **truth,
           MtEncoded       **encoded,
           GError          **error)
{
  *truth = NULL;
  *encoded = NULL;
  if (test == NULL)
    return TRUE;
  *truth = mt_target_read (learned->target, table, &g_array_index (test, guint32, 0), test->len, error);
  if (*truth == NULL)
    return FALSE;
  *encoded = mt_encoder_apply (learned->encoder, table, (*truth)->rows, (*truth)->n_rows, NULL, error);
  return *encoded != NULL;
}

gboolean
mt_run_record_make_points (const MtLearned      *learned,
                           const MtRunSettings  *settings,
                           MtTable              *table,
                           GArray               *test,
                           MtImport             *import,
                           GArray               *points,
                           GPtrArray            *models,
                           GError              **error)
{
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (settings);
  g_autoptr (MtTargetRows) truth = NULL;
  g_autoptr (MtEncoded) encoded = NULL;
  MtLearnOptions options;

  if (!read_test (learned, table, test, &truth, &encoded, error))
    return FALSE;
  mt_run_settings_to_learn (settings, &options);
  options.constraints = constraints;
  for (guint i = 0; i < mt_frontier_get_n_points (learned->frontier); i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (learned->frontier, i);
      const MtProjectPoint kept = { 0, 0, point->complexity, mt_rule_set_get_n_rules (point->rules), point->cv_mean,
                                    point->cv_se, MT_MARK_NONE };
      g_autoptr (MtModel) model = mt_learned_make_model (learned, point, &options, import,
                                                         truth != NULL ? truth->n_rows : 0, NAN, encoded, error);
      char *json;
      gsize length;

      if (model == NULL)
        return FALSE;
      json = mt_model_to_json (model, &length);
      g_ptr_array_add (models, g_bytes_new_take (json, length));
      g_array_append_val (points, kept);
    }
  return TRUE;
}

gboolean
mt_run_record_set_points (MtProject   *project,
                          gint64       run,
                          GArray      *points,
                          GPtrArray   *models,
                          const char  *curves,
                          GError     **error)
{
  g_autoptr (GArray) before = mt_project_list_points (project, run, error);
  g_autofree char *key = g_strdup_printf (MT_PROJECT_KEY_CURVES "%" G_GINT64_FORMAT, run);

  for (guint i = 0; before != NULL && i < before->len; i++)
    if (!mt_project_remove_point (project, g_array_index (before, MtProjectPoint, i).id, error))
      return FALSE;
  return before != NULL &&
         mt_project_add_points (project, run, (MtProjectPoint *) (gpointer) points->data,
                                (GBytes * const *) models->pdata, points->len, error) &&
         (curves == NULL || mt_project_set_text (project, MT_PROJECT_STATE, key, curves, error));
}
