/* The engines that are one call of a program. */
#include "config.h"
#include "mt-verify-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-csv-write.h"
#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "mt-export-ods.h"
#include "mt-export-resources.h"

#define INSERT_ROWS 200

/* --- our own reader --- */

gboolean
mt_verify_json (MtVerifyJob      *job,
                MtVerifyAnswers  *answers,
                GError          **error)
{
  g_autoptr (GBytes) json = mt_export (job->model, MT_EXPORT_JSON, MT_SQL_SQLITE, error);
  g_autoptr (MtModel) again = NULL;
  g_autofree double *predictions = NULL;
  GString *out;
  gsize length;
  const char *text = g_bytes_get_data (json, &length);

  again = mt_model_from_json (text, length, error);
  if (again == NULL)
    return FALSE;
  predictions = g_new (double, mt_model_get_n_predictions (again) * job->n_rows + 1);
  if (!mt_model_predict (again, job->known, NULL, 0, predictions, NULL, error))
    return FALSE;
  out = g_string_new (NULL);
  mt_model_append_header (again, out);
  mt_csv_end_line (out);
  for (gsize r = 0; r < job->n_rows; r++)
    {
      mt_model_append_answer (again, predictions, job->n_rows, r, out);
      mt_csv_end_line (out);
    }
  answers->csv = g_string_free_to_bytes (out);
  return TRUE;
}

/* --- programs --- */

static gboolean
run_script (MtVerifyJob      *job,
            MtExportFormat    format,
            const char       *name,
            const char       *engine,
            const char       *program,
            const char       *option,
            MtVerifyAnswers  *answers,
            GError          **error)
{
  g_autofree char *script = mt_verify_write_export (job, format, MT_SQL_SQLITE, name, error);
  g_autofree char *path = mt_verify_find_program (mt_verify_find_engine (engine), program);
  const char *plain[] = { path, script, NULL };
  const char *with_option[] = { path, option, script, NULL };

  if (script == NULL)
    return FALSE;
  answers->csv = mt_verify_call (job, option != NULL ? with_option : plain, MT_RUN_DEFAULT, job->csv, error);
  return answers->csv != NULL;
}

gboolean
mt_verify_python (MtVerifyJob      *job,
                  MtVerifyAnswers  *answers,
                  GError          **error)
{
  return run_script (job, MT_EXPORT_PYTHON, "model.py", "python3", "python3", "-I", answers, error);
}

gboolean
mt_verify_node (MtVerifyJob      *job,
                MtVerifyAnswers  *answers,
                GError          **error)
{
  return run_script (job, MT_EXPORT_JAVASCRIPT, "model.js", "node", "node", NULL, answers, error);
}

gboolean
mt_verify_r (MtVerifyJob      *job,
             MtVerifyAnswers  *answers,
             GError          **error)
{
  return run_script (job, MT_EXPORT_R, "model.R", "R", "Rscript", "--vanilla", answers, error);
}

gboolean
mt_verify_gcc (MtVerifyJob      *job,
               MtVerifyAnswers  *answers,
               GError          **error)
{
  g_autofree char *source = mt_verify_write_export (job, MT_EXPORT_C, MT_SQL_SQLITE, "model.c", error);
  g_autofree char *program = g_build_filename (job->folder, "model", NULL);
  g_autofree char *gcc = mt_verify_find_program (mt_verify_find_engine ("gcc"), "gcc");
  const char *compile[] = { gcc, "-std=c99", "-O1", "-DMINTERM_MAIN", "-o", program, source, "-lm", NULL };
  const char *run[] = { program, NULL };
  g_autoptr (GBytes) ignored = NULL;

  if (source == NULL || (ignored = mt_verify_call (job, compile, MT_RUN_DEFAULT, NULL, error)) == NULL)
    return FALSE;
  answers->csv = mt_verify_call (job, run, MT_RUN_DEFAULT, job->csv, error);
  return answers->csv != NULL;
}

/* --- SQL --- */

static const char *
type_in_sql (const MtPlanColumn *column,
             MtSqlDialect        dialect)
{
  static const char * const numbers[] = { "REAL", "double precision", "DOUBLE", "DOUBLE PRECISION", "DOUBLE" };
  static const char * const dates[] = { "TEXT", "timestamp", "DATETIME", "TIMESTAMP", "TIMESTAMP" };
  static const char * const texts[] = { "TEXT", "text", "TEXT CHARACTER SET utf8mb4", "VARCHAR(4000)", "VARCHAR" };

  return !column->is_number ? texts[dialect] : column->type == MT_TYPE_DATE ? dates[dialect] : numbers[dialect];
}

static void
append_value (GString        *sql,
              MtSqlDialect    dialect,
              const MtColumn *column,
              gsize           row)
{
  if (mt_column_is_missing (column, row))
    g_string_append (sql, "NULL");
  else if (mt_column_get_store (column) == MT_STORE_NUMBERS && mt_column_get_type (column) == MT_TYPE_NUMBER)
    mt_quote_append_sql_number (sql, dialect, mt_column_get_number (column, row));
  else
    {
      g_autofree char *text = mt_column_dup_text (column, row);

      mt_quote_append_sql (sql, dialect, text);
    }
}

void
mt_verify_append_table (const MtVerifyJob *job,
                        MtSqlDialect       dialect,
                        GString           *sql)
{
  const MtExportIr *plan = job->plan;
  g_autofree const MtColumn **columns = g_new (const MtColumn *, plan->n_columns + 1);
  const char *table = dialect == MT_SQL_POSTGRESQL ? "minterm_rows" : "data";

  g_string_append_printf (sql, "CREATE TABLE %s (minterm_row INTEGER", table);
  for (guint c = 0; c < plan->n_columns; c++)
    {
      columns[c] = mt_table_find_column (job->table, plan->columns[c].name, NULL);
      g_string_append (sql, ", ");
      mt_quote_append_sql_name (sql, dialect, plan->columns[c].name);
      g_string_append_printf (sql, " %s", type_in_sql (&plan->columns[c], dialect));
    }
  g_string_append (sql, ");\n\n");
  for (gsize r = 0; r < job->n_rows; r++)
    {
      if (r % INSERT_ROWS == 0)
        g_string_append_printf (sql, "INSERT INTO %s VALUES ", table);
      else
        g_string_append (sql, ", ");
      g_string_append_printf (sql, "(%" G_GSIZE_FORMAT, r);
      for (guint c = 0; c < plan->n_columns; c++)
        {
          g_string_append (sql, ", ");
          append_value (sql, dialect, columns[c], r);
        }
      g_string_append (sql, (r + 1) % INSERT_ROWS == 0 || r + 1 == job->n_rows ? ");\n\n" : ")");
    }
  /* PostgreSQL puts a short row where there is room, so its tables do not keep the order. */
  if (dialect == MT_SQL_POSTGRESQL)
    g_string_append_printf (sql, "CREATE VIEW data AS SELECT * FROM %s ORDER BY minterm_row;\n\n", table);
}

gboolean
mt_verify_sqlite (MtVerifyJob      *job,
                  MtVerifyAnswers  *answers,
                  GError          **error)
{
  g_autofree char *sqlite = mt_verify_find_program (mt_verify_find_engine ("sqlite3"), "sqlite3");
  g_autoptr (GBytes) export = mt_export (job->model, MT_EXPORT_SQL, MT_SQL_SQLITE, error);
  g_autoptr (GString) script = g_string_new (".bail on\n.mode csv\n.headers on\n");
  g_autoptr (GBytes) input = NULL;
  const char *argv[] = { sqlite, "-batch", "-init", "/dev/null", ":memory:", NULL };

  if (export == NULL)
    return FALSE;
  mt_verify_append_table (job, MT_SQL_SQLITE, script);
  g_string_append_len (script, g_bytes_get_data (export, NULL), (gssize) g_bytes_get_size (export));
  input = g_string_free_to_bytes (g_steal_pointer (&script));
  answers->csv = mt_verify_call (job, argv, MT_RUN_DEFAULT, input, error);
  return answers->csv != NULL;
}

/* --- LibreOffice --- */

/* A sheet takes numbers for equal that differ in the fifteenth digit, so rows with longer ones, the
 * neighbours of thresholds, cannot be judged. */
static gboolean
is_short (double value)
{
  char buffer[MT_DECIMAL_SIZE];
  guint n_digits = 0;
  gboolean leads = TRUE;

  for (const char *p = mt_decimal_write (value, buffer); *p != '\0' && *p != 'e'; p++)
    if (g_ascii_isdigit (*p) && !(leads && *p == '0'))
      {
        leads = FALSE;
        n_digits++;
      }
  return n_digits <= 14;
}

static void
keep_short_rows (MtVerifyJob *job)
{
  job->rows = g_new (guint32, job->n_rows + 1);
  job->n_kept = 0;
  for (gsize r = 0; r < job->n_rows; r++)
    {
      gboolean keep = TRUE;

      for (guint c = 0; keep && c < job->plan->n_columns; c++)
        {
          const MtColumn *column = mt_table_find_column (job->table, job->plan->columns[c].name, NULL);

          keep = job->plan->columns[c].type != MT_TYPE_NUMBER || mt_column_is_missing (column, r) ||
                 is_short (mt_column_get_number (column, r));
        }
      if (keep)
        job->rows[job->n_kept++] = (guint32) r;
    }
}

gboolean
mt_verify_libreoffice (MtVerifyJob      *job,
                       MtVerifyAnswers  *answers,
                       GError          **error)
{
  /* Comma, quotes, UTF-8, cells as they are stored, the first sheet. */
  static const char filter[] = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,1";
  g_autofree char *soffice = mt_verify_find_program (mt_verify_find_engine ("libreoffice"), "soffice");
  g_autofree char *profile = g_strdup_printf ("-env:UserInstallation=file://%s/profile", job->folder);
  g_autofree char *result = g_build_filename (job->folder, "model-Calculator.csv", NULL);
  g_autofree char *path = NULL;
  g_autofree char *csv = NULL;
  g_autoptr (GString) ods = g_string_new (NULL);
  g_autoptr (GBytes) ignored = NULL;
  gsize length;
  const char *argv[] = { soffice, profile, "--headless", "--norestore", "--convert-to", filter, "--outdir", job->folder,
                         NULL, NULL };

  keep_short_rows (job);
  if (!mt_export_ods (job->plan, job->table, job->rows, job->n_kept, ods, error) ||
      (path = mt_verify_write (job, "model.ods", ods->str, ods->len, error)) == NULL)
    return FALSE;
  argv[8] = path;
  ignored = mt_verify_call (job, argv, MT_RUN_DEFAULT, NULL, error);
  if (ignored == NULL)
    return FALSE;
  if (!g_file_get_contents (result, &csv, &length, NULL))
    {
      g_free (result);
      result = g_build_filename (job->folder, "model.csv", NULL);
      if (!g_file_get_contents (result, &csv, &length, error))
        return FALSE;
    }
  answers->csv = g_bytes_new_take (g_steal_pointer (&csv), length);
  return TRUE;
}

/* --- weka --- */

static void
append_arff (GString    *out,
             const char *text)
{
  g_string_append_c (out, '\'');
  for (const char *p = text; *p != '\0'; p++)
    if (*p == '\'' || *p == '\\' || *p == '"' || *p == '%')
      g_string_append_printf (out, "\\%c", *p);
    else if (*p == '\n')
      g_string_append (out, "\\n");
    else if (*p == '\t')
      g_string_append (out, "\\t");
    else
      g_string_append_c (out, *p);
  g_string_append_c (out, '\'');
}

static gboolean
is_known_level (const MtPlanColumn *column,
                const char         *level)
{
  return g_strv_contains ((const char * const *) column->about->levels, level) ||
         g_strv_contains ((const char * const *) column->about->rest, level) ||
         g_strv_contains ((const char * const *) column->stand_ins, level);
}

/* weka takes a level that the file does not name for a missing one. */
static void
keep_known_rows (MtVerifyJob *job)
{
  job->rows = g_new (guint32, job->n_rows + 1);
  job->n_kept = 0;
  for (gsize r = 0; r < job->n_rows; r++)
    {
      gboolean keep = TRUE;

      for (guint c = 0; keep && c < job->plan->n_columns; c++)
        {
          const MtPlanColumn *about = &job->plan->columns[c];
          const MtColumn *column = mt_table_find_column (job->table, about->name, NULL);
          g_autofree char *text = NULL;

          if (about->is_number || mt_column_is_missing (column, r))
            continue;
          text = mt_column_dup_text (column, r);
          keep = is_known_level (about, text);
        }
      if (keep)
        job->rows[job->n_kept++] = (guint32) r;
    }
}

static void
append_nominal (GString     *out,
                char       **levels,
                char       **more,
                char       **stand_ins)
{
  g_string_append (out, " {");
  for (guint k = 0; k < 3; k++)
    for (char **level = k == 0 ? levels : k == 1 ? more : stand_ins; level != NULL && *level != NULL; level++)
      {
        g_string_append (out, out->str[out->len - 1] == '{' ? "" : ",");
        append_arff (out, *level);
      }
  g_string_append (out, "}\n");
}

static void
append_rows (const MtVerifyJob *job,
             GString           *out)
{
  for (gsize i = 0; i < job->n_kept; i++)
    {
      for (guint c = 0; c < job->plan->n_columns; c++)
        {
          const MtColumn *column = mt_table_find_column (job->table, job->plan->columns[c].name, NULL);
          char buffer[MT_DECIMAL_SIZE];

          if (mt_column_is_missing (column, job->rows[i]))
            g_string_append_c (out, '?');
          else if (job->plan->columns[c].is_number)
            g_string_append (out, mt_decimal_write (mt_column_get_number (column, job->rows[i]), buffer));
          else
            {
              g_autofree char *text = mt_column_dup_text (column, job->rows[i]);

              append_arff (out, text);
            }
          g_string_append_c (out, ',');
        }
      g_string_append (out, "?\n");
    }
}

gboolean
mt_verify_weka (MtVerifyJob      *job,
                MtVerifyAnswers  *answers,
                GError          **error)
{
  const MtExportIr *plan = job->plan;
  g_autoptr (GBytes) driver = g_resource_lookup_data (mt_export_resources_get_resource (),
                                                      "/io/github/minterm/export/Weka.java",
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *java = mt_verify_find_program (mt_verify_find_engine ("weka"), "java");
  g_autofree char *pmml = mt_verify_write_export (job, MT_EXPORT_PMML, MT_SQL_SQLITE, "model.pmml", error);
  g_autofree char *source = NULL;
  g_autofree char *rows = NULL;
  g_autofree char *n_classes = g_strdup_printf ("%u", plan->n_classes);
  g_autoptr (GString) arff = g_string_new ("@relation data\n");

  if (pmml == NULL)
    return FALSE;
  keep_known_rows (job);
  for (guint c = 0; c < plan->n_columns; c++)
    {
      g_string_append (arff, "@attribute ");
      append_arff (arff, plan->columns[c].name);
      if (plan->columns[c].is_number)
        g_string_append (arff, " numeric\n");
      else
        append_nominal (arff, plan->columns[c].about->levels, plan->columns[c].about->rest, plan->columns[c].stand_ins);
    }
  g_string_append (arff, "@attribute ");
  append_arff (arff, mt_model_get_info (job->model)->target);
  if (plan->n_classes > 0)
    append_nominal (arff, (char **) plan->classes, NULL, NULL);
  else
    g_string_append (arff, " numeric\n");
  g_string_append (arff, "@data\n");
  append_rows (job, arff);
  source = mt_verify_write (job, "Weka.java", g_bytes_get_data (driver, NULL), g_bytes_get_size (driver), error);
  rows = source != NULL ? mt_verify_write (job, "rows.arff", arff->str, arff->len, error) : NULL;
  if (rows == NULL)
    return FALSE;
  answers->delimiter = '\t';
  answers->is_quoted = FALSE;
  answers->csv = mt_verify_call (job, (const char *[]) { java, "-Dfile.encoding=UTF-8", "-cp", MT_VERIFY_WEKA_JAR, source, pmml, rows,
                                                         n_classes, NULL },
                                 MT_RUN_DEFAULT, NULL, error);
  return answers->csv != NULL;
}
