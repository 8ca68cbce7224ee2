/* minterm-cli export: a model in another language, the rows to test it with, and its audit report. */
#include "config.h"
#include "mt-cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mt-cli-model.h"

typedef struct {
  char           *output;
  char           *format_word;
  char           *dialect_word;
  char           *golden;
  char          **texts;          /* of the report: NAME=TEXT */
  char           *paper_word;
  char          **by;             /* of the report: columns of subgroups */
  char           *project;        /* of the report: what was tried and decided */
  gboolean        is_report;      /* html or pdf, which are no MtExportFormat */
  gboolean        is_pdf;
  MtPaper         paper;
  MtExportFormat  format;
  MtSqlDialect    dialect;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->output);
  g_free (options->format_word);
  g_free (options->dialect_word);
  g_free (options->golden);
  g_free (options->paper_word);
  g_strfreev (options->texts);
  g_strfreev (options->by);
  g_free (options->project);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* @texts points into the options. */
static gboolean
read_texts (const Options  *options,
            const char    **texts)
{
  for (guint i = 0; options->texts != NULL && options->texts[i] != NULL; i++)
    {
      const char *equals = strchr (options->texts[i], '=');
      g_autofree char *word = equals != NULL ? g_strndup (options->texts[i], (gsize) (equals - options->texts[i])) : NULL;
      MtReportText text;

      if (!mt_report_text_from_string (word, &text) || !g_utf8_validate (equals + 1, -1, NULL))
        return FALSE;
      texts[text] = equals + 1;
    }
  return TRUE;
}

static gboolean
check_options (Options *options,
               int     *exit_code)
{
  const char *texts[MT_N_REPORT_TEXTS];

  options->is_pdf = g_strcmp0 (options->format_word, "pdf") == 0;
  options->is_report = options->is_pdf || g_strcmp0 (options->format_word, "html") == 0;
  options->paper = g_strcmp0 (options->paper_word, "letter") == 0 ? MT_PAPER_LETTER : MT_PAPER_A4;
  *exit_code = MT_EXIT_USAGE;
  if (options->format_word == NULL && options->golden == NULL)
    mt_cli_fail (MT_EXIT_USAGE, "export needs --format; see minterm-cli export --help");
  else if (options->format_word != NULL && !options->is_report &&
           !mt_export_format_from_string (options->format_word, &options->format))
    mt_cli_fail (MT_EXIT_USAGE, "unknown format “%s”; see minterm-cli export --help", options->format_word);
  else if (options->dialect_word != NULL && !mt_sql_dialect_from_string (options->dialect_word, &options->dialect))
    mt_cli_fail (MT_EXIT_USAGE, "--dialect must be sqlite, postgresql, mariadb, ansi, duckdb, spark, or warehouse");
  else if (options->dialect_word != NULL &&
           (options->format_word == NULL || options->is_report || options->format != MT_EXPORT_SQL))
    mt_cli_fail (MT_EXIT_USAGE, "--dialect needs --format sql");
  else if (options->texts != NULL && !options->is_report)
    mt_cli_fail (MT_EXIT_USAGE, "--text needs --format html or pdf");
  else if (options->by != NULL && !options->is_report)
    mt_cli_fail (MT_EXIT_USAGE, "--by needs --format html or pdf");
  else if (options->project != NULL && !options->is_report)
    mt_cli_fail (MT_EXIT_USAGE, "--project needs --format html or pdf");
  else if (options->paper_word != NULL && !options->is_pdf)
    mt_cli_fail (MT_EXIT_USAGE, "--paper needs --format pdf");
  else if (options->paper_word != NULL && options->paper == MT_PAPER_A4 && strcmp (options->paper_word, "a4") != 0)
    mt_cli_fail (MT_EXIT_USAGE, "--paper must be a4 or letter");
  else if (!read_texts (options, texts))
    mt_cli_fail (MT_EXIT_USAGE, "--text needs NAME=TEXT, where NAME is author, purpose, out-of-scope, choice, limits, oversight, "
                 "monitoring, or changes");
  else if (options->format_word != NULL && options->output == NULL)
    mt_cli_fail (MT_EXIT_USAGE, "export needs --output: a file, or - for standard output");
  else
    *exit_code = MT_EXIT_OK;
  return *exit_code == MT_EXIT_OK;
}

/* @path "-": standard output. */
static int
write_bytes (GBytes     *bytes,
             const char *path)
{
  g_autoptr (GError) error = NULL;
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (strcmp (path, "-") == 0)
    {
      if (fwrite (data, 1, length, stdout) != length || fflush (stdout) != 0)
        return mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output: %s", g_strerror (errno));
      return MT_EXIT_OK;
    }
  return mt_file_write (path, data, length, MT_FILE_REPLACE, &error) ? MT_EXIT_OK : mt_cli_fail_error (error);
}

static void
add_file (MtJsonWriter *json,
          const char   *name,
          const char   *format,
          const char   *path,
          GBytes       *bytes)
{
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *hash = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);

  mt_json_writer_key (json, name);
  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "format", format);
  mt_cli_json_text (json, "path", shown);
  mt_cli_json_count (json, "bytes", g_bytes_get_size (bytes));
  mt_cli_json_text (json, "sha256", hash);
  mt_json_writer_end_object (json);
}

/* What goes into a report in addition to model and rows; owns it. */
typedef struct {
  MtSearchRecord       *record;
  MtVerifyReport *checks;
  MtProject      *project;
  char           *texts[MT_N_REPORT_TEXTS];   /* of the project */
  guint           n_tested;                   /* models of the project whose test figures were shown, this one included */
} Beside;

static void
beside_clear (Beside *beside)
{
  g_clear_pointer (&beside->record, mt_search_record_free);
  g_clear_pointer (&beside->checks, mt_verify_report_free);
  g_clear_pointer (&beside->project, mt_project_free);
  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    g_free (beside->texts[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Beside, beside_clear)

/* Files that verify and train leave next to a model. One that is not there is no error; one of another model
 * is left out, and said to be. */
static gboolean
read_beside (const char     *path,
             const MtModel  *model,
             Beside         *beside,
             GError        **error)
{
  g_autofree char *record = mt_search_record_dup_path (path);
  g_autofree char *checks = mt_verify_dup_path (path);
  g_autoptr (GError) failed = NULL;

  if (beside->record == NULL)
    mt_search_record_settle (record, model);
  if (beside->record == NULL && g_file_test (record, G_FILE_TEST_EXISTS))
    {
      beside->record = mt_search_record_load (record, model, &failed);
      if (g_error_matches (failed, MT_ERROR, MT_ERROR_CHANGED))
        {
          g_printerr ("minterm-cli: warning: %s\n", failed->message);
          g_clear_error (&failed);
        }
    }
  if (failed == NULL && g_file_test (checks, G_FILE_TEST_EXISTS))
    beside->checks = mt_verify_report_load (checks, &failed);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

/* What train --evaluate-frontier showed when it made the model, as the record next to it says. */
static void
add_shown (MtTestSetLedger *ledger,
           const char      *path,
           const MtModel   *model)
{
  g_autofree char *beside = mt_search_record_dup_path (path);
  g_autoptr (MtSearchRecord) record = mt_search_record_load (beside, model, NULL);

  if (record != NULL)
    mt_test_set_ledger_add_all (ledger, (const char * const *) record->tested);
}

/* The ledger of the project, with this model in it: its report shows the test figures. @is_new: something in it was not
 * there before. */
static MtTestSetLedger *
read_ledger (MtProject      *project,
             const char     *path,
             const MtModel  *model,
             gboolean       *is_new,
             GError        **error)
{
  MtTestSetLedger *ledger = mt_test_set_ledger_new ();
  g_autofree char *key = mt_test_set_ledger_dup_key (mt_model_get_rules (model), mt_model_get_encoder (model));
  g_autoptr (GError) local = NULL;
  g_autofree char *text = mt_project_dup_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_TESTED, &local);
  guint n;

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      mt_test_set_ledger_free (ledger);
      return NULL;
    }
  mt_test_set_ledger_set_text (ledger, text);
  n = mt_test_set_ledger_get_n (ledger);
  mt_test_set_ledger_add (ledger, key);
  add_shown (ledger, path, model);
  *is_new = mt_test_set_ledger_get_n (ledger) > n;
  return ledger;
}

static gboolean
count_test (Beside         *beside,
            const char     *path,
            const MtModel  *model,
            GError        **error)
{
  g_autoptr (MtTestSetLedger) ledger = NULL;
  gboolean is_new;

  if (mt_model_get_info (model)->n_test == 0)
    return TRUE;
  ledger = read_ledger (beside->project, path, model, &is_new, error);
  if (ledger == NULL)
    return FALSE;
  beside->n_tested = mt_test_set_ledger_get_n (ledger);
  return TRUE;
}

/* Before the report is written: its readers see the test figures. A project that cannot be changed now is no reason
 * to write no report, but it is said. */
static void
keep_test (const char    *project_path,
           const char    *path,
           const MtModel *model)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = NULL;
  g_autoptr (MtTestSetLedger) ledger = NULL;
  g_autofree char *all = NULL;
  gboolean is_new = FALSE;

  if (mt_model_get_info (model)->n_test == 0)
    return;
  project = mt_project_open (project_path, MT_PROJECT_DEFAULT, NULL, &error);
  if (project != NULL)
    ledger = read_ledger (project, path, model, &is_new, &error);
  all = ledger != NULL ? mt_test_set_ledger_dup_text (ledger) : NULL;
  if (ledger == NULL ||
      (is_new && !mt_project_set_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_TESTED, all, &error)))
    g_printerr ("minterm-cli: warning: the project could not record that this report shows test results: %s\n",
                error->message);
}

static gboolean
read_project (const char     *path,
              const char     *model_path,
              const MtModel  *model,
              Beside         *beside,
              GError        **error)
{
  beside->project = mt_project_open (path, MT_PROJECT_READ_ONLY, NULL, error);
  if (beside->project == NULL)
    return FALSE;
  beside->record = mt_search_record_new_project (beside->project, model, error);
  if (beside->record == NULL)
    return FALSE;
  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    beside->texts[i] = mt_project_dup_text (beside->project, MT_PROJECT_NOTE, mt_report_text_to_string (i), NULL);
  return count_test (beside, model_path, model, error);
}

static GBytes *
make_report (MtModel        *model,
             const char     *path,
             MtImport       *import,
             const char     *data,
             guint64         seed,
             const Options  *options,
             GError        **error)
{
  g_autofree char *name = data != NULL ? g_filename_display_basename (data) : NULL;
  g_auto (Beside) beside = { NULL };
  MtReportParts parts = { .model = model, .data = import, .data_name = name, .date = mt_report_get_date (), .seed = seed,
                          .by = (const char * const *) options->by };
  g_autoptr (MtReport) report = NULL;

  if ((options->project != NULL && !read_project (options->project, path, model, &beside, error)) ||
      !read_beside (path, model, &beside, error))
    return NULL;
  parts.record = beside.record;
  parts.checks = beside.checks;
  parts.n_tested = beside.n_tested;
  parts.n_shown = beside.record != NULL && beside.record->tested != NULL ? g_strv_length (beside.record->tested) : 0;
  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    parts.texts[i] = beside.texts[i];
  read_texts (options, parts.texts);
  report = mt_report_new (&parts, NULL, error);
  if (report == NULL)
    return NULL;
  return options->is_pdf ? mt_report_to_pdf (report, options->paper, error) : mt_report_to_html (report, error);
}

static int
write_export (MtModel       *model,
              const char    *path,
              MtImport      *import,
              const char    *data,
              guint64        seed,
              const Options *options,
              MtJsonWriter  *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = options->is_report ? make_report (model, path, import, data, seed, options, &error)
                                                : mt_export (model, options->format, options->dialect, &error);
  int exit_code;

  if (bytes == NULL)
    return mt_cli_fail_error (error);
  if (options->is_report && options->project != NULL)
    keep_test (options->project, path, model);
  exit_code = write_bytes (bytes, options->output);
  if (exit_code == MT_EXIT_OK)
    add_file (json, "export", options->format_word, options->output, bytes);
  return exit_code;
}

/* Rows of @import (NULL: none) and those that try every corner of the model. */
static int
write_golden (const MtModel *model,
              MtImport      *import,
              const Options *options,
              MtJsonWriter  *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (MtTable) table = mt_export_test_rows_make_table (model, import != NULL ? mt_import_get_table (import) : NULL, &error);
  int exit_code;

  if (table == NULL)
    return mt_cli_fail_error (error);
  bytes = mt_export_test_rows_write (model, table, MT_EXPORT_TEST_ROWS_ANSWERS, &error);
  if (bytes == NULL)
    return mt_cli_fail_error (error);
  exit_code = write_bytes (bytes, options->golden);
  if (exit_code == MT_EXIT_OK)
    add_file (json, "golden", "csv", options->golden, bytes);
  return exit_code;
}

/* What verify and train left next to the model goes into a report, and is read, too. */
static gboolean
check_outputs (const Options *options,
               const char    *model,
               const char    *data)
{
  g_autofree char *record = mt_search_record_dup_path (model);
  g_autofree char *checks = mt_verify_dup_path (model);
  const char * const inputs[] = {
    model, data, options->project, options->is_report ? record : NULL, options->is_report ? checks : NULL,
  };

  if (options->format_word != NULL && options->golden != NULL && mt_file_is_same (options->output, options->golden))
    {
      mt_cli_fail (MT_EXIT_USAGE, "--output and --golden name the same file; choose another name for one of them");
      return FALSE;
    }
  return (options->format_word == NULL || mt_cli_check_output (options->output, inputs, G_N_ELEMENTS (inputs))) &&
         (options->golden == NULL || mt_cli_check_output (options->golden, inputs, G_N_ELEMENTS (inputs)));
}

int
mt_cli_export (int    argc,
               char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (MtCliImport) how = { NULL };
  g_auto (Options) options = { NULL };
  g_autofree char *data = NULL;
  const GOptionEntry own[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &options.format_word,
      "Format: json, sql, python, r, javascript, c, pmml, dmn, ods, or latex; html or pdf for the audit report",
      "FORMAT" },
    { "paper", 0, 0, G_OPTION_ARG_STRING, &options.paper_word, "Paper size of a PDF report: a4 or letter [default: a4]", "PAPER" },
    { "dialect", 0, 0, G_OPTION_ARG_STRING, &options.dialect_word,
      "Dialect of SQL: sqlite, postgresql, mariadb, ansi, duckdb, spark, or warehouse (BigQuery and Snowflake; "
      "not tested in either) [default: sqlite]", "D" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Write to this file; - is standard output", "OUT" },
    { "golden", 0, 0, G_OPTION_ARG_FILENAME, &options.golden,
      "Also write test rows that exercise every part of the model, with its predictions", "OUT.csv" },
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &data, "Rows to report on, or to add to --golden", "DATA.csv" },
    { "text", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.texts,
      "Fill in a field of the report: author, purpose, out-of-scope, choice, limits, oversight, monitoring, or "
      "changes; may be repeated",
      "NAME=TEXT" },
    { "by", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.by, "Report results for each value of this column; may be repeated",
      "COLUMN" },
    { "project", 0, 0, G_OPTION_ARG_FILENAME, &options.project,
      "Add runs, fields, dismissed findings, and edits from this project to the report, and record in it that the test "
      "results of this model were shown", "PROJECT.minterm" },
    { NULL }
  };
  g_autofree GOptionEntry *entries = mt_cli_import_new_model_entries (&how, NULL, TRUE, own);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtJsonWriter) json = mt_json_writer_new ();
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 2)
    return mt_cli_fail (MT_EXIT_USAGE, "export needs one model; see minterm-cli export --help");
  if (!check_options (&options, &exit_code))
    return exit_code;
  if (common.json && (g_strcmp0 (options.output, "-") == 0 || g_strcmp0 (options.golden, "-") == 0))
    return mt_cli_fail (MT_EXIT_USAGE, "--json prints on standard output, so the export needs a file");
  if (!check_outputs (&options, argv[1], data))
    return MT_EXIT_USAGE;
  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL)
    return exit_code;
  if (data != NULL && (import = mt_cli_model_read (model, &how, &common, data, &exit_code)) == NULL)
    return exit_code;
  if (import != NULL && !mt_cli_import_check_names (mt_import_get_table (import), options.by, data, &exit_code))
    return exit_code;
  mt_json_writer_begin_object (json);
  if (options.format_word != NULL &&
      (exit_code = write_export (model, argv[1], import, data, (guint64) common.seed, &options, json)) != MT_EXIT_OK)
    return exit_code;
  if (options.golden != NULL && (exit_code = write_golden (model, import, &options, json)) != MT_EXIT_OK)
    return exit_code;
  mt_json_writer_end_object (json);
  return common.json ? mt_cli_json_print (g_steal_pointer (&json)) : MT_EXIT_OK;
}
