/* DuckDB, by its command, and Spark SQL, by spark-submit with a script that makes the rows a view of one partition. The
 * dialect of warehouses is run in Spark: that shows its grammar and its figures, not that a warehouse takes it. */
#include "config.h"
#include "mt-verify-private.h"

#include "base/mt-error.h"
#include "base/mt-json.h"
#include "mt-export-resources.h"

/* --- DuckDB --- */

gboolean
mt_verify_duckdb (MtVerifyJob      *job,
                  MtVerifyAnswers  *answers,
                  GError          **error)
{
  g_autofree char *duckdb = mt_verify_find_program (mt_verify_find_engine ("duckdb"), "duckdb");
  g_autoptr (GBytes) export = mt_export (job->model, MT_EXPORT_SQL, MT_SQL_DUCKDB, error);
  g_autoptr (GString) script = g_string_new (NULL);
  g_autoptr (GBytes) input = NULL;
  const char *argv[] = { duckdb, "-batch", "-bail", "-csv", "-init", "/dev/null", ":memory:", NULL };

  if (export == NULL)
    return FALSE;
  mt_verify_append_table (job, MT_SQL_DUCKDB, script);
  g_string_append_len (script, g_bytes_get_data (export, NULL), (gssize) g_bytes_get_size (export));
  input = g_string_free_to_bytes (g_steal_pointer (&script));
  answers->csv = mt_verify_call (job, argv, MT_RUN_DEFAULT, input, error);
  return answers->csv != NULL;
}

/* --- Spark --- */

static void
append_row (MtJsonWriter           *json,
            const MtExportIr       *plan,
            const MtColumn * const *columns,
            gsize                   row)
{
  mt_json_writer_begin_array (json);
  for (guint c = 0; c < plan->n_columns; c++)
    if (mt_column_is_missing (columns[c], row))
      mt_json_writer_string (json, NULL);
    else if (plan->columns[c].is_number && plan->columns[c].type == MT_TYPE_NUMBER)
      mt_json_writer_number (json, mt_column_get_number (columns[c], row));
    else
      {
        g_autofree char *text = mt_column_dup_text (columns[c], row);

        mt_json_writer_string (json, text);
      }
  mt_json_writer_end_array (json);
}

static char *
dup_rows (const MtVerifyJob *job,
          gsize             *length)
{
  const MtExportIr *plan = job->plan;
  g_autofree const MtColumn **columns = g_new (const MtColumn *, plan->n_columns + 1);
  MtJsonWriter *json = mt_json_writer_new_compact ();

  mt_json_writer_begin_object (json);
  mt_json_writer_key (json, "columns");
  mt_json_writer_begin_array (json);
  for (guint c = 0; c < plan->n_columns; c++)
    {
      columns[c] = mt_table_find_column (job->table, plan->columns[c].name, NULL);
      mt_json_writer_begin_array (json);
      mt_json_writer_string (json, plan->columns[c].name);
      mt_json_writer_string (json, !plan->columns[c].is_number ? "text" : plan->columns[c].type == MT_TYPE_DATE ? "date" : "number");
      mt_json_writer_end_array (json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_key (json, "rows");
  mt_json_writer_begin_array (json);
  for (gsize r = 0; r < job->n_rows; r++)
    append_row (json, plan, columns, r);
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, length);
}

static gboolean
run_spark (MtVerifyJob      *job,
           MtSqlDialect      dialect,
           MtVerifyAnswers  *answers,
           GError          **error)
{
  g_autoptr (GBytes) driver = g_resource_lookup_data (mt_export_resources_get_resource (), "/io/github/minterm/export/spark.py",
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *submit = mt_verify_find_program (mt_verify_find_engine ("spark"), "spark-submit");
  g_autofree char *select = mt_verify_write_export (job, MT_EXPORT_SQL, dialect, "select.sql", error);
  g_autofree char *result = g_build_filename (job->folder, "answers.csv", NULL);
  g_autofree char *script = NULL;
  g_autofree char *rows = NULL;
  g_autofree char *path = NULL;
  g_autofree char *csv = NULL;
  g_autoptr (GBytes) said = NULL;
  gsize length;

  if (select == NULL)
    return FALSE;
  rows = dup_rows (job, &length);
  path = mt_verify_write (job, "rows.json", rows, length, error);
  if (path == NULL ||
      (script = mt_verify_write (job, "spark.py", g_bytes_get_data (driver, NULL), g_bytes_get_size (driver), error)) == NULL)
    return FALSE;
  said = mt_verify_call (job, (const char *[]) { submit, "--master", "local[1]", "--conf", "spark.ui.enabled=false", "--conf",
                                                 "spark.driver.bindAddress=127.0.0.1", "--conf", "spark.driver.host=127.0.0.1",
                                                 "--conf", "spark.sql.catalogImplementation=in-memory", script, select, path,
                                                 result, NULL }, MT_RUN_DEFAULT, NULL, error);
  if (said == NULL || !g_file_get_contents (result, &csv, &length, error))
    return FALSE;
  answers->csv = g_bytes_new_take (g_steal_pointer (&csv), length);
  if (g_bytes_get_size (said) > 0)
    answers->version = g_strstrip (g_strndup (g_bytes_get_data (said, NULL), g_bytes_get_size (said)));
  return TRUE;
}

gboolean
mt_verify_spark (MtVerifyJob      *job,
                 MtVerifyAnswers  *answers,
                 GError          **error)
{
  return run_spark (job, MT_SQL_SPARK, answers, error);
}

gboolean
mt_verify_spark_warehouse (MtVerifyJob      *job,
                           MtVerifyAnswers  *answers,
                           GError          **error)
{
  return run_spark (job, MT_SQL_WAREHOUSE, answers, error);
}
