/* minterm-cli predict: a model's answer for each row of a CSV, in the file's order. */
#include "config.h"
#include "mt-cli.h"

#include <string.h>

#include "mt-cli-model.h"
#include "mt-cli-terminal.h"

#define BLOCK_ROWS  1024
#define MAX_REASONS 20

typedef struct {
  const MtModel *model;
  const MtTable *table;
  const double  *predictions;
  gsize          n_rows;
  guint          n_reasons;
} Prediction;

/* --- reasons --- */

static void
append_reasons (const Prediction *p,
                GString          *out,
                const double     *contributions,
                gsize             n,
                gsize             first,
                gsize             i)
{
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (p->model));
  g_autofree MtReason *reasons = g_new (MtReason, n_terms + 1);
  guint decided = mt_model_get_n_classes (p->model) > 0
                  ? mt_model_decide (p->model, p->predictions, p->n_rows, first + i) : 0;
  guint n_reasons = mt_reasons_rank (p->model, contributions, n, i, decided, reasons);

  n_reasons = mt_reasons_sort_for (p->model, decided, reasons, n_reasons);   /* the others are no reasons for it */
  for (guint k = 0; k < p->n_reasons; k++)
    {
      g_autofree char *text = NULL;
      g_autofree char *cell = NULL;
      char amount[G_ASCII_DTOSTR_BUF_SIZE];

      if (k < n_reasons)
        {
          text = mt_reason_dup_text (p->model, reasons[k].term, p->table, first + i);
          g_ascii_formatd (amount, sizeof amount, "%+.3g", reasons[k].amount);
          cell = g_strdup_printf ("%s (%s)", text, amount);
        }
      mt_csv_append_text (out, cell != NULL ? cell : "");
    }
}

/* --- the file --- */

static void
append_header (const Prediction *p,
               GString          *out)
{
  mt_model_append_header (p->model, out);
  for (guint k = 1; k <= p->n_reasons; k++)
    {
      g_autofree char *name = g_strdup_printf ("reason_%u", k);

      mt_csv_append_text (out, name);
    }
  mt_csv_end_line (out);
}

/* Sends what was gathered to the file, or with none to standard output. */
static gboolean
flush (MtFileWriter  *writer,
       GString       *out,
       int           *exit_code)
{
  g_autoptr (GError) error = NULL;
  gboolean ok;

  if (writer == NULL)
    {
      *exit_code = mt_cli_print (out->str);
      ok = *exit_code == MT_EXIT_OK;
    }
  else
    {
      ok = mt_file_writer_write (writer, out->str, out->len, &error);
      if (!ok)
        *exit_code = mt_cli_fail_error (error);
    }
  g_string_truncate (out, 0);
  return ok;
}

static gboolean
write_rows (const Prediction *p,
            MtFileWriter     *writer,
            int              *exit_code)
{
  gsize n_parts = (gsize) mt_rule_set_get_n_terms (mt_model_get_rules (p->model)) * mt_model_get_n_predictions (p->model);
  g_autofree double *contributions = g_new (double, n_parts * BLOCK_ROWS + 1);
  g_autoptr (GString) out = g_string_new (NULL);
  guint32 rows[BLOCK_ROWS];

  append_header (p, out);
  for (gsize first = 0; first < p->n_rows; first += BLOCK_ROWS)
    {
      gsize n = MIN (BLOCK_ROWS, p->n_rows - first);
      g_autoptr (GError) error = NULL;

      for (gsize i = 0; i < n; i++)
        rows[i] = (guint32) (first + i);
      if (p->n_reasons > 0 && !mt_model_contributions (p->model, p->table, rows, n, contributions, &error))
        {
          *exit_code = mt_cli_fail_error (error);
          return FALSE;
        }
      for (gsize i = 0; i < n; i++)
        {
          mt_model_append_answer (p->model, p->predictions, p->n_rows, first + i, out);
          if (p->n_reasons > 0)
            append_reasons (p, out, contributions, n, first, i);
          mt_csv_end_line (out);
        }
      if (!flush (writer, out, exit_code))
        return FALSE;
    }
  return flush (writer, out, exit_code);
}

static int
write_predictions (const Prediction *p,
                   const char       *path)
{
  g_autoptr (MtFileWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  int exit_code = MT_EXIT_OK;

  if (path != NULL)
    {
      writer = mt_file_writer_new (path, MT_FILE_REPLACE, 0, &error);
      if (writer == NULL)
        return mt_cli_fail_error (error);
    }
  if (!write_rows (p, writer, &exit_code))
    return exit_code;
  if (writer != NULL && !mt_file_writer_commit (writer, &error))
    return mt_cli_fail_error (error);
  return MT_EXIT_OK;
}

/* --- the command --- */

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
  int n_reasons = -1;
  const GOptionEntry own[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      "Write the predictions to OUT.csv [default: standard output]",
      "OUT.csv" },
    { "reasons", 0, 0, G_OPTION_ARG_INT, &n_reasons, "Also give the N strongest reasons for each prediction (1 to 20)",
      "N" },
    { NULL }
  };
  g_autofree GOptionEntry *entries = mt_cli_import_new_entries (&options, own);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autofree double *predictions = NULL;
  g_autoptr (GError) error = NULL;
  MtPredictReport report;
  Prediction p;
  int exit_code = MT_EXIT_OK;

  mt_cli_import_describe_target (entries, NULL);
  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 3)
    return mt_cli_fail (MT_EXIT_USAGE, "predict needs a model and a CSV file; see minterm-cli predict --help");
  if (n_reasons != -1 && (n_reasons < 1 || n_reasons > MAX_REASONS))
    return mt_cli_fail (MT_EXIT_USAGE, "--reasons must be between 1 and %d", MAX_REASONS);
  if (g_strcmp0 (output, "-") == 0)
    g_clear_pointer (&output, g_free);
  if (common.json && output == NULL)
    return mt_cli_fail (MT_EXIT_USAGE,
                        "--json prints counts on standard output, so the predictions need --output");
  if (!mt_cli_check_output (output, (const char * const[]) { argv[1], argv[2] }, 2))
    return MT_EXIT_USAGE;

  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL)
    return exit_code;
  import = mt_cli_model_read (model, &options, &common, argv[2], &exit_code);
  if (import == NULL)
    return exit_code;
  p = (Prediction) { model, mt_import_get_table (import), NULL,
                     mt_table_get_n_rows (mt_import_get_table (import)),
                     (guint) MAX (n_reasons, 0) };
  predictions = g_new (double, mt_model_get_n_predictions (model) * p.n_rows + 1);
  if (!mt_model_predict (model, p.table, NULL, 0, predictions, &report, &error))
    return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", argv[2], error->message);
  p.predictions = predictions;
  exit_code = write_predictions (&p, output);
  if (exit_code != MT_EXIT_OK)
    return exit_code;
  if (common.json)
    return print_json (&report);
  mt_cli_model_note_report (&report);
  return MT_EXIT_OK;
}
