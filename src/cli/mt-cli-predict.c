/* minterm-cli predict: a model's answer for each row of a CSV, in the file's order. */
#include "config.h"
#include "mt-cli.h"

#include <string.h>

#include "mt-cli-model.h"
#include "mt-cli-parquet.h"
#include "mt-cli-terminal.h"

typedef struct {
  MtFileWriter  *writer;      /* NULL: standard output */
  gboolean       is_parquet;
  MtCliParquet  *parquet;     /* from the first line on */
  guint          first_number, end_number;   /* of its columns */
  MtCliProgress  progress;
  const char    *path;        /* of the CSV */
  char         **names;       /* of columns that must be there */
  int            exit_code;   /* if something was said already */
} Output;

/* A progress line and the predictions may share the terminal. */
static gboolean
write_lines (const char  *text,
             gsize        length,
             gpointer     data,
             GError     **error)
{
  Output *output = data;

  if (output->is_parquet)
    {
      if (output->parquet == NULL)
        output->parquet = mt_cli_parquet_new (text, length, output->first_number, output->end_number, output->writer, error);
      return output->parquet != NULL && mt_cli_parquet_write (output->parquet, text, length, error);
    }
  if (output->writer != NULL)
    return mt_file_writer_write (output->writer, text, length, error);
  mt_cli_progress_clear (&output->progress);
  output->exit_code = mt_cli_print (text);
  if (output->exit_code == MT_EXIT_OK)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "");
  return FALSE;
}

static gboolean
inspect (const MtImport  *import,
         gpointer         data,
         GError         **error)
{
  Output *output = data;

  mt_cli_progress_clear (&output->progress);
  if (mt_cli_import_check_names (mt_import_get_table (import), output->names, output->path, &output->exit_code))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "");
  return FALSE;
}

/* --- the command --- */

/* Reads the file once, and writes while it reads. */
static MtScoring *
score (const MtModel     *model,
       const MtCliImport *given,
       const MtCliCommon *common,
       char             **keys,
       guint              n_reasons,
       Output            *output)
{
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char * const *tokens = mt_model_get_info (model)->missing_tokens;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GFile) file = NULL;
  MtScoring *scoring;
  MtCliImport how = *given;
  MtScoringOptions options = {
    .keys = (const char * const *) keys,
    .n_reasons = n_reasons,
    .inspect = inspect,
    .write = write_lines,
    .data = output,
  };

  /* What meant missing when the model was made, unless told otherwise. */
  if (tokens != NULL && given->missing == NULL && !given->no_usual_missing)
    {
      how.no_usual_missing = TRUE;
      how.missing = (char **) tokens;
    }
  if (!mt_cli_import_prepare (&how, dialect, schema, names, &output->exit_code))
    return NULL;
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    g_ptr_array_add (names, g_strdup (keys[i]));
  g_ptr_array_add (names, NULL);
  output->names = (char **) names->pdata;
  options.import = (MtImportOptions) { .dialect = dialect, .schema = schema, .n_threads = (guint) common->threads,
                                       .progress = mt_cli_import_show_progress,
                                       .progress_data = &output->progress };
  stream = mt_cli_import_open_stream (output->path, &error);
  if (stream == NULL && error == NULL)
    file = g_file_new_for_commandline_arg (output->path);
  scoring = error == NULL ? mt_scoring_run (model, file, stream, &options, NULL, &error) : NULL;
  mt_cli_progress_clear (&output->progress);
  if (scoring == NULL && output->exit_code == MT_EXIT_OK)
    output->exit_code = g_error_matches (error, MT_ERROR, MT_ERROR_PARAMS)
                        ? mt_cli_fail (MT_EXIT_USAGE, "%s: %s", output->path, error->message)
                        : mt_cli_import_fail (output->path, error);
  return scoring;
}

/* All columns but the keys, the class, and the reasons are numbers. */
static void
note_numbers (Output         *output,
              const MtModel  *model,
              char          **keys)
{
  guint n_keys = keys != NULL ? g_strv_length (keys) : 0, n_classes = mt_model_get_n_classes (model);

  output->first_number = n_keys + (n_classes > 0);
  output->end_number = n_keys + 1 + n_classes;
}

static int
print_json (const MtPredictReport *report)
{
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_cli_json_count (json, "rows", report->encode.n_rows);
  mt_cli_model_json_report (json, report);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (json);
}

int
mt_cli_predict (int    argc,
                char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (MtCliImport) options = { NULL };
  g_autofree char *output = NULL;
  g_auto (GStrv) keys = NULL;
  int n_reasons = -1;
  const GOptionEntry own[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      "Write the predictions to OUT.csv, or to OUT.parquet by the program duckdb [default: standard output]",
      "OUT.csv" },
    { "key", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &keys,
      "Copy this column of the file, unchanged, in front of the predictions; may be repeated", "COLUMN" },
    { "reasons", 0, 0, G_OPTION_ARG_INT, &n_reasons, "Also give the N strongest reasons for each prediction (1 to 20)",
      "N" },
    { NULL }
  };
  g_autofree GOptionEntry *entries = mt_cli_import_new_model_entries (&options, NULL, FALSE, own);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtScoring) scoring = NULL;
  g_autoptr (MtFileWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtCliParquet) parquet = NULL;
  Output to = { .exit_code = MT_EXIT_OK };
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 3)
    return mt_cli_fail (MT_EXIT_USAGE, "predict needs a model and a CSV file; see minterm-cli predict --help");
  if (n_reasons != -1 && (n_reasons < 1 || n_reasons > MT_SCORING_MAX_REASONS))
    return mt_cli_fail (MT_EXIT_USAGE, "--reasons must be between 1 and %d", MT_SCORING_MAX_REASONS);
  if (g_strcmp0 (output, "-") == 0)
    g_clear_pointer (&output, g_free);
  if (common.json && output == NULL)
    return mt_cli_fail (MT_EXIT_USAGE,
                        "--json prints counts on standard output, so the predictions need --output");
  if (!mt_cli_check_output (output, (const char * const[]) { argv[1], argv[2] }, 2))
    return MT_EXIT_USAGE;
  to.is_parquet = mt_cli_parquet_is_wanted (output);
  if (to.is_parquet && !mt_cli_parquet_check (&error))
    return mt_cli_fail_error (error);

  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL)
    return exit_code;
  if (output != NULL)
    {
      writer = mt_file_writer_new (output, MT_FILE_REPLACE, 0, &error);
      if (writer == NULL)
        return mt_cli_fail_error (error);
    }
  to.writer = writer;
  to.path = argv[2];
  note_numbers (&to, model, keys);
  scoring = score (model, &options, &common, keys, (guint) MAX (n_reasons, 0), &to);
  parquet = to.parquet;
  if (scoring == NULL)
    return to.exit_code;
  if (parquet != NULL && !mt_cli_parquet_finish (parquet, &error))
    return mt_cli_fail_error (error);
  if (writer != NULL && !mt_file_writer_commit (writer, &error))
    return mt_cli_fail_error (error);
  if (common.json)
    return print_json (&scoring->report);
  mt_cli_model_note_report (&scoring->report);
  return MT_EXIT_OK;
}
