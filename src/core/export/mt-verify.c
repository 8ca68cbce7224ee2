/* Runs a model's exports in real engines and holds their answers against the model's own. See mt-verify.h.
 * */
#include "config.h"
#include "mt-verify-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-file.h"
#include "mt-export-test-rows.h"
#include "base/mt-gettext.h"
#include "import/mt-import.h"
#include "base/mt-json.h"

#define DEFAULT_SECONDS 300

const MtVerifyEngine mt_verify_engines[] = {
  { "json", MT_EXPORT_JSON, NULL, { NULL }, NULL, { NULL }, mt_verify_json },
  { "sqlite3", MT_EXPORT_SQL, "sqlite3", { "sqlite3" }, NULL, { "sqlite3", "--version" }, mt_verify_sqlite },
  { "python3", MT_EXPORT_PYTHON, "python3", { "python3" }, NULL, { "python3", "--version" }, mt_verify_python },
  { "gcc", MT_EXPORT_C, "gcc", { "gcc" }, NULL, { "gcc", "--version" }, mt_verify_gcc },
  { "node", MT_EXPORT_JAVASCRIPT, "nodejs", { "node" }, NULL, { "node", "--version" }, mt_verify_node },
  { "R", MT_EXPORT_R, "r-base-core", { "Rscript" }, NULL, { "Rscript", "--version" }, mt_verify_r },
  { "postgresql", MT_EXPORT_SQL, "postgresql", { "postgres", "initdb" }, "/usr/lib/postgresql/*/bin",
    { "postgres", "--version" }, mt_verify_postgresql },
  { "postgresql-ansi", MT_EXPORT_SQL, "postgresql", { "postgres", "initdb" }, "/usr/lib/postgresql/*/bin",
    { "postgres", "--version" }, mt_verify_ansi },
  { "mariadb", MT_EXPORT_SQL, "mariadb-server", { "mariadbd", "mariadb-install-db", "mariadb" }, "/usr/sbin",
    { "mariadbd", "--version" }, mt_verify_mariadb },
  { "duckdb", MT_EXPORT_SQL, "duckdb-cli", { "duckdb" }, NULL, { "duckdb", "--version" }, mt_verify_duckdb },
  { "spark", MT_EXPORT_SQL, "pyspark", { "spark-submit", "java" }, NULL, { NULL }, mt_verify_spark },
  { "spark-warehouse", MT_EXPORT_SQL, "pyspark", { "spark-submit", "java" }, NULL, { NULL }, mt_verify_spark_warehouse },
  { "weka", MT_EXPORT_PMML, "weka default-jdk-headless", { "java", "javac", "weka" }, NULL,
    { "java", "-cp", MT_VERIFY_WEKA_JAR, "weka.core.Version" }, mt_verify_weka },
  { "libreoffice", MT_EXPORT_ODS, "libreoffice-calc", { "soffice" }, NULL, { "soffice", "--version" },
    mt_verify_libreoffice },
};

const guint mt_verify_n_engines = G_N_ELEMENTS (mt_verify_engines);

/* --- words --- */

const char *
mt_verify_status_to_string (MtVerifyStatus status)
{
  static const char * const words[] = { "agrees", "differs", "failed", "not-found" };

  g_return_val_if_fail ((guint) status < G_N_ELEMENTS (words), NULL);
  return words[status];
}

/* All engines by name, and for each the format it runs; NULL-terminated. */
static const char * const *
get_engines (void)
{
  static const char *names[G_N_ELEMENTS (mt_verify_engines) + 1];

  for (guint i = 0; i < mt_verify_n_engines; i++)
    names[i] = mt_verify_engines[i].name;
  return names;
}

/* Is the engine meant by @word: its name, its format, or a dialect of SQL? */
static gboolean
is_meant (const MtVerifyEngine *engine,
          const char           *word)
{
  return g_ascii_strcasecmp (engine->name, word) == 0 ||
         g_ascii_strcasecmp (mt_export_format_to_string (engine->format), word) == 0 ||
         (strcmp (word, "sqlite") == 0 && strcmp (engine->name, "sqlite3") == 0);
}

static gboolean
is_wanted (const MtVerifyEngine *engine,
           const char * const   *engines)
{
  if (engines == NULL)
    return TRUE;
  for (; *engines != NULL; engines++)
    if (is_meant (engine, *engines))
      return TRUE;
  return FALSE;
}

gboolean
mt_verify_check_engines (const char * const  *engines,
                         GError             **error)
{
  for (guint k = 0; engines != NULL && engines[k] != NULL; k++)
    {
      gboolean is_known = FALSE;

      for (guint i = 0; i < mt_verify_n_engines; i++)
        is_known |= is_meant (&mt_verify_engines[i], engines[k]);
      if (!is_known)
        {
          g_autofree char *all = g_strjoinv (", ", (char **) get_engines ());

          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("unknown engine “%s”; available: %s"), engines[k], all);
          return FALSE;
        }
    }
  return TRUE;
}

const MtVerifyEngine *
mt_verify_find_engine (const char *name)
{
  for (guint i = 0; i < mt_verify_n_engines; i++)
    if (strcmp (mt_verify_engines[i].name, name) == 0)
      return &mt_verify_engines[i];
  return NULL;
}

/* --- the rows --- */

/* Of what the model takes for missing only what everybody does: a 0 that means “unknown” is a 0. */
static char **
dup_usual_tokens (const MtModel *model)
{
  const char * const *tokens = mt_model_get_missing_tokens (model);
  g_autoptr (GStrvBuilder) usual = g_strv_builder_new ();

  for (guint i = 0; tokens[i] != NULL; i++)
    if (g_strv_contains (mt_missing_get_default_tokens (), tokens[i]))
      g_strv_builder_add (usual, tokens[i]);
  return g_strv_builder_end (usual);
}

static MtSchema *
dup_types (const MtModel *model)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  MtSchema *schema = mt_schema_new ();

  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, i);

      if (column->formula == NULL)
        mt_schema_set_type (schema, column->name, column->type);
      for (guint k = 0; column->formula != NULL && k < mt_formula_get_n_sources (column->formula); k++)
        mt_schema_set_type (schema, mt_formula_get_source (column->formula, k)->name,
                            mt_formula_get_source (column->formula, k)->type);
    }
  return schema;
}

static MtImport *
read_rows (const MtModel  *model,
           GBytes         *csv,
           gboolean        is_raw,
           GError        **error)
{
  g_autoptr (MtSchema) schema = is_raw ? dup_types (model) : mt_model_dup_schema (model);
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtImportOptions options = { .dialect = dialect, .schema = schema };

  dialect->encoding = g_strdup ("UTF-8");
  dialect->delimiter = ',';
  dialect->quote = '"';
  dialect->decimal = '.';
  dialect->thousands = MT_CSV_NO_THOUSANDS;
  dialect->header = 1;
  dialect->missing_tokens = is_raw ? dup_usual_tokens (model) : g_strdupv ((char **) mt_model_get_missing_tokens (model));
  return mt_import_bytes (csv, &options, NULL, error);
}

/* --- comparing --- */

static MtImport *
read_answers (const MtVerifyAnswers  *answers,
              GError                **error)
{
  static const char * const none[] = { "", NULL };
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtImportOptions options = { .dialect = dialect };

  dialect->encoding = g_strdup ("UTF-8");
  dialect->delimiter = answers->delimiter;
  dialect->quote = answers->is_quoted ? '"' : MT_CSV_NO_QUOTE;
  dialect->decimal = '.';
  dialect->thousands = MT_CSV_NO_THOUSANDS;
  dialect->header = 1;
  dialect->missing_tokens = g_strdupv ((char **) none);
  return mt_import_bytes (answers->csv, &options, NULL, error);
}

/* The cell as a number, whatever the import took its column for. */
static double
number_at (const MtColumn *column,
           gsize           row)
{
  g_autofree char *text = NULL;

  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    return mt_column_get_number (column, row);
  text = mt_column_dup_text (column, row);
  return *text != '\0' ? g_ascii_strtod (text, NULL) : NAN;
}

static void
compare_number (MtVerifyCheck *check,
                double         expected,
                double         got)
{
  double diff = fabs (got - expected) / MAX (fabs (expected), 1);

  /* Not a number is as wrong as can be. */
  check->max_diff = isnan (diff) ? INFINITY : MAX (check->max_diff, diff);
}

static gboolean
compare (const MtVerifyJob  *job,
         MtVerifyAnswers    *answers,
         const double       *expected,
         MtVerifyCheck      *check,
         GError            **error)
{
  g_autoptr (MtImport) import = read_answers (answers, error);
  guint n_classes = mt_model_get_n_classes (job->model);
  gsize n_rows = job->rows != NULL ? job->n_kept : job->n_rows;
  const MtTable *table;
  guint first;

  if (import == NULL)
    {
      g_prefix_error (error, _("cannot read its results: "));
      return FALSE;
    }
  table = mt_import_get_table (import);
  if (mt_table_get_n_rows (table) != n_rows || mt_table_get_n_columns (table) < n_classes + 1)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   _("it returned %zu rows of %u columns instead of %zu rows of %u"),
                   mt_table_get_n_rows (table), mt_table_get_n_columns (table), n_rows, n_classes + 1);
      return FALSE;
    }
  first = mt_table_get_n_columns (table) - n_classes - 1;
  check->n_rows = n_rows;
  check->n_left_out = job->n_rows - n_rows;
  for (gsize i = 0; i < n_rows; i++)
    {
      gsize row = job->rows != NULL ? job->rows[i] : i;
      const MtColumn *prediction = mt_table_get_column (table, first);
      g_autofree char *text = mt_column_dup_text (prediction, i);
      const char *class_name;

      if (n_classes == 0)
        {
          compare_number (check, expected[row], number_at (prediction, i));
          continue;
        }
      /* Formulas may have been neutralised on the way. */
      class_name = mt_model_get_info (job->model)->classes[mt_model_decide (job->model, expected, job->n_rows, row)];
      check->n_decisions_differ += strcmp (text + (*text == '\'' && *class_name != '\''), class_name) != 0;
      for (guint c = 0; c < n_classes; c++)
        compare_number (check, mt_model_get_n_predictions (job->model) > 1 ? expected[c * job->n_rows + row]
                               : c == 1 ? expected[row] : 1 - expected[row],
                        number_at (mt_table_get_column (table, first + 1 + c), i));
    }
  check->status = check->max_diff <= MT_VERIFY_TOLERANCE && check->n_decisions_differ == 0 ? MT_VERIFY_AGREES
                                                                                            : MT_VERIFY_DIFFERS;
  return TRUE;
}

/* --- an engine --- */

static void
remove_folder (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inside = g_build_filename (path, name, NULL);

      if (g_file_test (inside, G_FILE_TEST_IS_DIR) && !g_file_test (inside, G_FILE_TEST_IS_SYMLINK))
        remove_folder (inside);
      else
        g_unlink (inside);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (path);
}

static char *
dup_version (MtVerifyJob          *job,
             const MtVerifyEngine *engine)
{
  g_autofree char *program = engine->version[0] != NULL ? mt_verify_find_program (engine, engine->version[0]) : NULL;
  const char *argv[] = { program, engine->version[1], engine->version[1] != NULL ? engine->version[2] : NULL,
                         engine->version[1] != NULL && engine->version[2] != NULL ? engine->version[3] : NULL, NULL };
  g_autoptr (GBytes) out = program != NULL ? mt_verify_call (job, argv, MT_RUN_DEFAULT, NULL, NULL) : NULL;
  const char *text;
  gsize length, n = 0;
  g_autofree char *line = NULL;

  if (out == NULL)
    return NULL;
  text = g_bytes_get_data (out, &length);
  if (length == 0)
    return NULL;
  while (n < length && text[n] != '\n')
    n++;
  line = g_strndup (text, n);
  return g_utf8_make_valid (g_strstrip (line), -1);
}

static void
run_engine (MtVerifyJob          *job,
            const MtVerifyEngine *engine,
            const double         *expected,
            guint                 seconds,
            MtVerifyCheck        *check)
{
  g_autofree char *folder = g_dir_make_tmp ("minterm-verify-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  MtVerifyAnswers answers = { NULL, ',', TRUE };

  check->status = MT_VERIFY_NOT_FOUND;
  if (engine->format == MT_EXPORT_PMML && (job->plan->cutoff != MT_CUTOFF || job->plan->n_derived > 0))
    {
      check->message = g_strdup (job->plan->n_derived > 0 ? "PMML exports cannot compute derived columns"
                                                          : "PMML exports support only a cutoff of 0.5");
      if (folder != NULL)
        g_rmdir (folder);
      return;
    }
  if (engine->run == mt_verify_spark_warehouse)
    {
      g_autoptr (GBytes) export = mt_export (job->model, MT_EXPORT_SQL, MT_SQL_WAREHOUSE, &error);

      if (export == NULL)
        {
          check->message = g_strdup (error->message);
          if (folder != NULL)
            g_rmdir (folder);
          return;
        }
    }
  for (guint i = 0; engine->programs[i] != NULL; i++)
    {
      g_autofree char *path = mt_verify_find_program (engine, engine->programs[i]);

      if (path == NULL)
        {
          check->message = g_strdup_printf ("%s is not installed", engine->programs[i]);
          if (folder != NULL)
            g_rmdir (folder);
          return;
        }
    }
  check->status = MT_VERIFY_FAILED;
  if (folder == NULL)
    {
      check->message = g_strdup_printf ("cannot create temporary files in %s", g_get_tmp_dir ());
      return;
    }
  job->folder = folder;
  job->deadline = g_get_monotonic_time () + (gint64) seconds * G_TIME_SPAN_SECOND;
  check->version = dup_version (job, engine);
  if (!engine->run (job, &answers, &error) || !compare (job, &answers, expected, check, &error))
    check->message = g_strdup (error->message);
  if (check->version == NULL)
    check->version = g_steal_pointer (&answers.version);
  g_clear_pointer (&answers.version, g_free);
  g_clear_pointer (&answers.csv, g_bytes_unref);
  g_clear_pointer (&job->rows, g_free);
  remove_folder (folder);
  job->folder = NULL;
}

MtVerifyReport *
mt_verify (MtModel                *model,
           const MtTable          *data,
           const MtVerifyOptions  *options,
           GCancellable           *cancellable,
           GError                **error)
{
  static const MtVerifyOptions defaults = { NULL };
  g_autoptr (MtExportIr) plan = mt_export_ir_new (model);
  g_autoptr (MtTable) golden = mt_export_test_rows_make_table (model, data, error);
  g_autoptr (GBytes) csv = golden != NULL ? mt_export_test_rows_write (model, golden, MT_EXPORT_TEST_ROWS_CELLS, error) : NULL;
  g_autoptr (MtImport) import = csv != NULL ? read_rows (model, csv, FALSE, error) : NULL;
  g_autoptr (MtImport) raw = import != NULL ? read_rows (model, csv, TRUE, error) : NULL;
  g_autoptr (MtVerifyReport) report = NULL;
  g_autofree double *expected = NULL;
  MtVerifyJob job = { .model = model, .plan = plan, .csv = csv, .cancellable = cancellable };
  guint n_wanted = 0;

  options = options != NULL ? options : &defaults;
  if (raw == NULL || !mt_verify_check_engines (options->engines, error))
    return NULL;
  job.table = mt_import_get_table (raw);
  job.known = mt_import_get_table (import);
  job.n_rows = mt_table_get_n_rows (golden);
  expected = g_new (double, mt_model_get_n_predictions (model) * job.n_rows + 1);
  /* Of the rows as they are, not as they were written and read again: what gets lost on that way is a difference. */
  if (!mt_model_predict (model, golden, NULL, 0, expected, NULL, error))
    return NULL;

  report = g_new0 (MtVerifyReport, 1);
  report->model_sha256 = g_strdup (plan->sha256);
  report->rows_sha256 = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, csv);
  report->n_rows = job.n_rows;
  report->checks = g_new0 (MtVerifyCheck, mt_verify_n_engines);
  for (guint i = 0; i < mt_verify_n_engines; i++)
    n_wanted += is_wanted (&mt_verify_engines[i], options->engines);
  for (guint i = 0; i < mt_verify_n_engines; i++)
    {
      const MtVerifyEngine *engine = &mt_verify_engines[i];
      MtVerifyCheck *check = &report->checks[report->n_checks];

      if (!is_wanted (engine, options->engines))
        continue;
      if (options->progress != NULL)
        options->progress (engine->name, report->n_checks, n_wanted, options->progress_data);
      check->engine = engine->name;
      check->format = mt_export_format_to_string (engine->format);
      check->package = engine->package;
      report->n_checks++;
      run_engine (&job, engine, expected, options->seconds > 0 ? options->seconds : DEFAULT_SECONDS, check);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
    }
  return g_steal_pointer (&report);
}

void
mt_verify_report_free (MtVerifyReport *report)
{
  if (report == NULL)
    return;
  for (guint i = 0; i < report->n_checks; i++)
    {
      g_free (report->checks[i].version);
      g_free (report->checks[i].message);
    }
  g_free (report->checks);
  g_free (report->model_sha256);
  g_free (report->rows_sha256);
  g_free (report);
}

static void
copy_check (MtVerifyCheck       *to,
            const MtVerifyCheck *from)
{
  g_free (to->version);
  g_free (to->message);
  *to = *from;
  to->version = g_strdup (from->version);
  to->message = g_strdup (from->message);
}

gboolean
mt_verify_report_add (MtVerifyReport       *report,
                      const MtVerifyReport *newer)
{
  g_return_val_if_fail (report != NULL && newer != NULL && report != newer, FALSE);

  if (g_strcmp0 (report->model_sha256, newer->model_sha256) != 0 ||
      g_strcmp0 (report->rows_sha256, newer->rows_sha256) != 0)
    return FALSE;
  report->checks = g_renew (MtVerifyCheck, report->checks, report->n_checks + newer->n_checks);
  for (guint i = 0; i < newer->n_checks; i++)
    {
      guint at = 0;

      while (at < report->n_checks && strcmp (report->checks[at].engine, newer->checks[i].engine) != 0)
        at++;
      if (at == report->n_checks)
        report->checks[report->n_checks++] = (MtVerifyCheck) { 0 };
      copy_check (&report->checks[at], &newer->checks[i]);
    }
  return TRUE;
}

/* What tells one engine from another: the package it is of. NULL: Minterm itself, which reads its own file again. */
static const char *
get_package (const MtVerifyCheck *check)
{
  const MtVerifyEngine *engine = mt_verify_find_engine (check->engine);

  return engine != NULL ? engine->package : check->engine;
}

guint
mt_verify_report_count_engines (const MtVerifyReport *report,
                                guint                *n_agree)
{
  g_autoptr (GHashTable) engines = g_hash_table_new (g_str_hash, g_str_equal);   /* package → whether all agree */
  guint n = 0;
  GHashTableIter iter;
  gpointer agrees;

  g_return_val_if_fail (report != NULL, 0);

  for (guint i = 0; i < report->n_checks; i++)
    {
      const char *package = get_package (&report->checks[i]);
      gboolean is_known = package != NULL && g_hash_table_contains (engines, package);
      gboolean agrees_so_far = !is_known || g_hash_table_lookup (engines, package) != NULL;

      if (package != NULL && report->checks[i].status != MT_VERIFY_NOT_FOUND)
        g_hash_table_insert (engines, (gpointer) package,
                             GINT_TO_POINTER (agrees_so_far && report->checks[i].status == MT_VERIFY_AGREES));
    }
  g_hash_table_iter_init (&iter, engines);
  while (g_hash_table_iter_next (&iter, NULL, &agrees))
    n += agrees != NULL;
  if (n_agree != NULL)
    *n_agree = n;
  return g_hash_table_size (engines);
}

gboolean
mt_verify_report_agrees (const MtVerifyReport *report)
{
  for (guint i = 0; i < report->n_checks; i++)
    if (report->checks[i].status == MT_VERIFY_DIFFERS || report->checks[i].status == MT_VERIFY_FAILED)
      return FALSE;
  return TRUE;
}

/* --- asynchronously --- */

typedef struct {
  MtModel          *model;
  MtTable          *data;
  char            **engines;
  MtVerifyOptions   options;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  mt_model_unref (request->model);
  g_clear_pointer (&request->data, mt_table_unref);
  g_strfreev (request->engines);
  g_free (request);
}

static void
verify_in_thread (GTask        *task,
                  gpointer      source,
                  gpointer      data,
                  GCancellable *cancellable)
{
  const Request *request = data;
  g_autoptr (GError) error = NULL;
  MtVerifyReport *report = mt_verify (request->model, request->data, &request->options, cancellable, &error);

  if (report != NULL)
    g_task_return_pointer (task, report, (GDestroyNotify) mt_verify_report_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
mt_verify_async (MtModel                *model,
                 MtTable                *data,
                 const MtVerifyOptions  *options,
                 GCancellable           *cancellable,
                 GAsyncReadyCallback     callback,
                 gpointer                user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);

  g_return_if_fail (model != NULL);

  request->model = mt_model_ref (model);
  request->data = data != NULL ? mt_table_ref (data) : NULL;
  if (options != NULL)
    {
      request->engines = g_strdupv ((char **) options->engines);
      request->options = *options;
      request->options.engines = (const char * const *) request->engines;
    }
  g_task_set_source_tag (task, mt_verify_async);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, verify_in_thread);
}

MtVerifyReport *
mt_verify_finish (GAsyncResult  *result,
                  GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- the sidecar --- */

char *
mt_verify_dup_path (const char *model_path)
{
  gsize n = strlen (model_path);

  if (g_str_has_suffix (model_path, ".json"))
    n -= strlen (".json");
  return g_strdup_printf ("%.*s.verify.json", (int) n, model_path);
}

static void
write_check (MtJsonWriter        *json,
             const MtVerifyCheck *check)
{
  gboolean was_compared = check->status == MT_VERIFY_AGREES || check->status == MT_VERIFY_DIFFERS;

  mt_json_writer_begin_object (json);
  mt_json_writer_member_string (json, "engine", check->engine);
  mt_json_writer_member_string (json, "format", check->format);
  mt_json_writer_member_string (json, "status", mt_verify_status_to_string (check->status));
  mt_json_writer_member_string (json, "version", check->version);
  mt_json_writer_member_string (json, "message", check->message);
  mt_json_writer_member_integer (json, "rows", check->n_rows);
  mt_json_writer_member_integer (json, "left_out", check->n_left_out);
  mt_json_writer_key (json, "max_diff");
  if (was_compared && isfinite (check->max_diff))
    mt_json_writer_number (json, check->max_diff);
  else
    mt_json_writer_string (json, NULL);
  mt_json_writer_member_integer (json, "decisions_differ", check->n_decisions_differ);
  mt_json_writer_end_object (json);
}

char *
mt_verify_report_to_json (const MtVerifyReport *report,
                          gsize                *length)
{
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_json_writer_member_string (json, "format", "minterm-verify");
  mt_json_writer_member_integer (json, "format_version", 1);
  mt_json_writer_member_string (json, "model_sha256", report->model_sha256);
  mt_json_writer_member_string (json, "rows_sha256", report->rows_sha256);
  mt_json_writer_member_integer (json, "rows", report->n_rows);
  mt_json_writer_key (json, "verified");
  mt_json_writer_boolean (json, mt_verify_report_agrees (report));
  mt_json_writer_key (json, "checks");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < report->n_checks; i++)
    write_check (json, &report->checks[i]);
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, length);
}

gboolean
mt_verify_report_save (const MtVerifyReport  *report,
                       const char            *path,
                       GError               **error)
{
  gsize length;
  g_autofree char *json = mt_verify_report_to_json (report, &length);

  return mt_file_write (path, json, length, MT_FILE_REPLACE, error);
}
