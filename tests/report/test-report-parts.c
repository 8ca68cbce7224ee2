/* What a report adds when there are rows, a record and checks; how it is rendered while somebody waits. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "mt-core.h"
#include "sample-models.h"
#include "testutils.h"

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

/* The sample table as a file would give it. */
static MtImport *
import_table (const MtTable *table,
              MtModel       *model)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  g_autoptr (GError) error = NULL;
  MtImportOptions options = { .schema = schema };
  MtImport *import;

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    mt_csv_append_as_is (out, mt_column_get_name (mt_table_get_column (table, c)));
  mt_csv_end_line (out);
  for (gsize r = 0; r < mt_table_get_n_rows (table); r++)
    {
      for (guint c = 0; c < mt_table_get_n_columns (table); c++)
        {
          const MtColumn *column = mt_table_get_column (table, c);
          g_autofree char *cell = mt_column_is_missing (column, r) ? NULL : mt_column_dup_text (column, r);

          mt_csv_append_as_is (out, cell != NULL ? cell : "");
        }
      mt_csv_end_line (out);
    }
  bytes = g_bytes_new (out->str, out->len);
  import = mt_import_bytes (bytes, &options, NULL, &error);
  g_assert_no_error (error);
  return import;
}

static MtReport *
make_report (MtReportParts *parts)
{
  g_autoptr (GError) error = NULL;
  MtReport *report = mt_report_new (parts, NULL, &error);

  g_assert_no_error (error);
  return report;
}

/* The first block of the kind whose text begins so, or whose first cell is that. */
static const MtReportBlock *
find_block (const MtReport *report,
            MtBlockKind     kind,
            const char     *start)
{
  for (guint i = 0; i < mt_report_get_n_blocks (report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (report, i);
      const char *text = kind == MT_BLOCK_TABLE && block->kind == kind ? g_ptr_array_index (block->cells, 0) : block->text;

      if (block->kind == kind && (kind == MT_BLOCK_TABLE ? g_str_equal (text, start) : g_str_has_prefix (text, start)))
        return block;
    }
  return NULL;
}

static const char *
get_cell (const MtReportBlock *table,
          guint                row,
          guint                column)
{
  return g_ptr_array_index (table->cells, row * table->n_columns + column);
}

/* The first table after the heading. */
static const MtReportBlock *
find_table_below (const MtReport *report,
                  const char     *heading)
{
  gboolean is_below = FALSE;

  for (guint i = 0; i < mt_report_get_n_blocks (report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (report, i);

      is_below = is_below || (block->kind == MT_BLOCK_HEADING && g_str_has_prefix (block->text, heading));
      if (is_below && block->kind == MT_BLOCK_TABLE)
        return block;
    }
  return NULL;
}

/* Each task has its plots, and what they show is what the metrics say. */
static void
test_plots (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (tasks); k++)
    {
      g_autoptr (MtTable) table = mt_test_sample_table (tasks[k], 300, 7);
      g_autoptr (MtModel) model = mt_test_sample_model (tasks[k], table, 6, 11);
      g_autoptr (MtImport) data = import_table (table, model);
      const char * const by[] = { "d", "a", NULL };
      MtReportParts parts = { .model = model, .data = data, .by = by, .seed = 3 };
      g_autoptr (MtReport) report = make_report (&parts);
      gboolean is_number = tasks[k] == MT_TASK_REGRESSION;
      const MtReportBlock *groups;

      g_assert_true ((find_block (report, MT_BLOCK_FIGURE, "ROC curve") != NULL) == !is_number);
      g_assert_true ((find_block (report, MT_BLOCK_FIGURE, "Gain curve") != NULL) == !is_number);
      g_assert_true ((find_block (report, MT_BLOCK_FIGURE, "Calibration plot") != NULL) == !is_number);
      g_assert_true ((find_block (report, MT_BLOCK_FIGURE, "Residual plot") != NULL) == is_number);
      g_assert_nonnull (find_block (report, MT_BLOCK_TABLE, is_number ? "Tenth" : "True class"));
      /* Groups: each level of d, and a in quarters. */
      g_assert_nonnull (find_block (report, MT_BLOCK_HEADING, "By d"));
      groups = find_table_below (report, "By a");
      g_assert_nonnull (groups);
      g_assert_cmpstr (get_cell (groups, 0, 0), ==, "a");
      g_assert_cmpuint (groups->cells->len / groups->n_columns, ==, 5);
      /* What the model asks about matters, and only that is listed. */
      g_assert_nonnull (find_block (report, MT_BLOCK_PARAGRAPH, "How predictions change if one column"));
      g_assert_nonnull (find_block (report, MT_BLOCK_PARAGRAPH, "Shares of the 300 rows"));
      /* The sample's file says too little for a command, and there is no record. */
      g_assert_nonnull (find_block (report, MT_BLOCK_PARAGRAPH, "Not available: the model file does not record"));
      g_assert_nonnull (find_block (report, MT_BLOCK_PARAGRAPH, "Not available: what else was tried"));
    }
}

static void
test_groups (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 7);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 6, 11);
  g_autoptr (MtImport) data = import_table (table, model);
  const char * const by[] = { "d", NULL }, *wrong[] = { "no such", NULL };
  MtReportParts parts = { .model = model, .data = data, .by = by };
  g_autoptr (MtReport) report = make_report (&parts);
  const MtReportBlock *groups = find_block (report, MT_BLOCK_TABLE, "d");
  g_autoptr (GError) error = NULL;
  guint n_rows = 0, n_small = 0;

  for (guint r = 1; r < groups->cells->len / groups->n_columns; r++)
    {
      guint n = (guint) g_ascii_strtoull (get_cell (groups, r, 1), NULL, 10);
      gboolean is_small = strcmp (get_cell (groups, r, groups->n_columns - 1), "–") != 0;

      n_rows += n;
      n_small += is_small;
      g_assert_true (is_small == (n < MT_SUBGROUP_SMALL));
      g_assert_nonnull (strstr (get_cell (groups, r, 4), "…"));     /* accuracy has its interval */
    }
  g_assert_cmpuint (n_rows, ==, 300);
  g_assert_cmpuint (n_small, >=, 1);
  g_assert_nonnull (find_block (report, MT_BLOCK_PARAGRAPH, "Compared with"));
  g_assert_cmpstr (get_cell (groups, 0, groups->n_columns - 2), ==, "Calibration gap");
  parts.by = wrong;
  g_assert_null (mt_report_new (&parts, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_assert_nonnull (strstr (error->message, "there is no column “no such”"));
}

/* Names that are written from the right do not turn round what stands beside them. */
static void
test_isolated (void)
{
  MtTable *plain;
  double values[200];
  const char *answers[200];
  MtColumn *columns[2];
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) html = NULL;
  g_autoptr (MtReport) report = NULL;
  g_autofree char *text = NULL;
  double bias[] = { 0.5 }, weights[] = { 1.5 };
  const MtTerm term = { .is_numeric = TRUE, .weights = weights };
  const char * const classes[] = { "לא", "כן", NULL };
  MtEncoderOptions options;
  MtModelInfo info;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      values[i] = i;
      answers[i] = classes[i % 2];
    }
  columns[0] = mt_test_numbers ("שלום עולם 🙂", values, G_N_ELEMENTS (values));
  columns[1] = mt_test_levels ("العمر", MT_TYPE_CATEGORY, answers, G_N_ELEMENTS (values));
  plain = mt_test_table (columns, 2, 1);
  table = plain;
  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, &error);
  g_assert_no_error (error);
  rules = mt_rule_set_new (MT_TASK_BINARY, 1, bias, &term, 1, &error);
  g_assert_no_error (error);
  mt_model_info_init (&info);
  info.target = "العمر";
  info.classes = classes;
  info.dont_care = "off";
  model = mt_model_new (encoder, rules, &info, &error);
  g_assert_no_error (error);
  report = make_report (&(MtReportParts) { .model = model });
  html = mt_report_to_html (report, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (html, NULL), g_bytes_get_size (html));
  g_assert_nonnull (strstr (text, "weight × (<bdi>שלום עולם</bdi> 🙂 − 99."));
  g_assert_nonnull (strstr (text, "<td><bdi>כן</bdi></td>"));
  g_assert_nonnull (strstr (text, "<title>Audit report: prediction of العمر</title>"));
  g_bytes_unref (html);
  html = mt_report_to_pdf (report, MT_PAPER_A4, &error);
  g_assert_no_error (error);
}

typedef struct {
  GBytes *bytes;
  GError *error;
  double  last;
  guint   n_told;
} Waiter;

static void
tell (double   done,
      gpointer data)
{
  Waiter *waiter = data;

  g_assert_cmpfloat (done, >=, waiter->last);
  g_assert_cmpfloat (done, <=, 1);
  waiter->last = done;
  waiter->n_told++;
}

static void
test_waiting (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 7);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 6, 11);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Waiter making = { NULL };
  MtReportParts parts = { .model = model, .progress = tell, .progress_data = &making };
  g_autoptr (MtReport) report = make_report (&parts);

  g_assert_cmpuint (making.n_told, ==, MT_REPORT_N_SECTIONS);
  for (MtReportFormat format = MT_REPORT_HTML; format <= MT_REPORT_PDF; format++)
    {
      g_autoptr (GBytes) at_once = mt_report_render (report, format, MT_PAPER_A4, NULL, NULL);
      Waiter waiter = { NULL };
      MtReportWait wait = { .progress = tell, .progress_data = &waiter };

      waiter.bytes = mt_report_render (report, format, MT_PAPER_A4, &wait, &waiter.error);
      g_assert_no_error (waiter.error);
      g_assert_true (g_bytes_equal (waiter.bytes, at_once));
      g_assert_cmpfloat (waiter.last, ==, 1);
      g_assert_cmpuint (waiter.n_told, >=, mt_report_get_n_blocks (report));
      g_clear_pointer (&waiter.bytes, g_bytes_unref);
      wait.cancellable = cancellable;
      g_cancellable_cancel (cancellable);
      waiter.last = 0;
      waiter.n_told = 0;
      waiter.bytes = mt_report_render (report, format, MT_PAPER_A4, &wait, &waiter.error);
      g_assert_error (waiter.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_null (waiter.bytes);
      g_assert_cmpuint (waiter.n_told, ==, 0);
      g_clear_error (&waiter.error);
    }
}

/* The report as a preview, without the test rows; and as one of several whose test figures were shown. */
static void
check_spared (const char *path,
              const char *csv)
{
  g_autoptr (MtModel) model = mt_model_load (path, NULL);
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  g_autoptr (GFile) file = g_file_new_for_path (csv);
  MtImportOptions options = { .schema = schema };
  g_autoptr (MtImport) data = mt_import_file (file, &options, NULL, NULL);
  MtReportParts parts = { .model = model, .data = data, .n_tested = 3 };
  g_autoptr (MtReport) shown = make_report (&parts);
  g_autoptr (MtReport) spared = NULL;
  g_autoptr (GBytes) html = NULL;
  g_autofree char *text = NULL;
  g_autofree char *figure = NULL;
  double test;

  g_assert_nonnull (find_block (shown, MT_BLOCK_PARAGRAPH, "Minterm did not use the test rows to choose models, but their figures were "
                                "shown for 3 models"));
  g_assert_nonnull (find_block (shown, MT_BLOCK_PARAGRAPH, "The following figures are for the rows “test”."));
  parts.spare_test = TRUE;
  spared = make_report (&parts);
  g_assert_nonnull (find_block (spared, MT_BLOCK_PARAGRAPH, "This is a preview. It does not use the test rows"));
  g_assert_nonnull (find_block (spared, MT_BLOCK_PARAGRAPH, "The following figures are for the rows “training”."));
  g_assert_null (find_block (spared, MT_BLOCK_PARAGRAPH, "The test rows were used once"));
  g_assert_true (mt_model_get_metric (model, "test", MT_METRIC_AUC, &test));
  figure = g_strdup_printf ("%.4f", test);
  html = mt_report_to_html (spared, NULL);
  text = g_strndup (g_bytes_get_data (html, NULL), g_bytes_get_size (html));
  g_assert_null (strstr (text, "AUC, test"));
  g_assert_null (strstr (text, figure));
}

static char *
run_program (const char * const *argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  char *out = NULL;

  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return out;
}

/* The words that a shell makes of it. */
static char *
split_by_shell (const char *command)
{
  g_autofree char *script = g_strdup_printf ("minterm-cli() { printf '%%s\\n' \"$@\"; }\n%s", command);

  return run_program ((const char * const[]) { "bash", "-c", script, NULL });
}

/* The command that makes the model again, copied from the page into a shell. */
static void
check_pasted (const char *folder,
              const char *path,
              const char *data)
{
  g_autofree char *program = g_find_program_in_path ("pdftotext");
  g_autofree char *pdf = g_build_filename (folder, "m.pdf", NULL);
  g_autoptr (MtModel) model = mt_model_load (path, NULL);
  g_autofree char *command = mt_model_dup_command (model, "DATA.csv", "MODEL.json", NULL);
  g_autofree char *text = NULL;
  g_autofree char *pasted = NULL;
  g_autofree char *words = split_by_shell (command);
  g_autofree char *pasted_words = NULL;
  const char *begin, *end;

  if (program == NULL)
    return;
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", path, "--format", "pdf", "--data", data, "-o", pdf, NULL), ==, 0);
  text = run_program ((const char * const[]) { "pdftotext", "-raw", pdf, "-", NULL });
  begin = strstr (text, "minterm-cli train");
  g_assert_nonnull (begin);
  end = strstr (begin, "-- DATA.csv");
  g_assert_nonnull (end);
  pasted = g_strndup (begin, (gsize) (end - begin) + strlen ("-- DATA.csv"));
  pasted_words = split_by_shell (pasted);
  g_assert_cmpstr (pasted_words, ==, words);
  g_assert_cmpint (g_remove (pdf), ==, 0);
}

/* Trained, verified, explained, reported on, by the command line: every part of it is in the report. */
static void
test_whole_way (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *data = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  g_autofree char *model = g_build_filename (folder, "m.json", NULL);
  g_autofree char *checks = g_build_filename (folder, "m.verify.json", NULL);
  g_autofree char *record = g_build_filename (folder, "m.record.json", NULL);
  g_autofree char *html = NULL;
  g_autofree char *again = NULL;
  g_autofree char *err = NULL;

  g_setenv ("SOURCE_DATE_EPOCH", "86400", TRUE);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", data, "--target", "approved", "--fan-in", "2", "--bits", "4",
                                "--repeats", "1", "--folds", "3", "--baselines", "-o", model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "verify", model, "--engines", "json,sqlite3", NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &html, NULL, "export", model, "--format", "html", "--data", data, "--by", "approved", "-o",
                                "-", NULL), ==, 0);
  g_assert_nonnull (strstr (html, "Its split was repeated and reproduces the test result in the model"));
  g_assert_nonnull (strstr (html, "Frontier: AUC, cross-validated, against"));
  g_assert_nonnull (strstr (html, "The model of this report is the recommended one."));
  g_assert_nonnull (strstr (html, "boosted trees"));
  g_assert_nonnull (strstr (html, "Fold by fold: "));
  g_assert_nonnull (strstr (html, "each time without a tenth"));
  g_assert_nonnull (strstr (html, "<td>agrees</td>"));
  g_assert_nonnull (strstr (html, "minterm-cli train --target=approved --task=binary"));
  g_assert_nonnull (strstr (html, "<td>AUC, cross-validation</td>"));
  g_assert_nonnull (strstr (html, "<td>Brier score</td><td>mean squared"));
  g_assert_null (strstr (html, "log_loss"));
  g_assert_null (strstr (html, "<td>Author</td>"));     /* it is owed, which is said once */
  g_assert_nonnull (strstr (html, "EU AI Act, Annex IV"));
  g_assert_nonnull (strstr (html, "Not legal advice."));
  g_assert_nonnull (strstr (html, "according to its file, the model is unchanged since training"));

  check_spared (model, data);
  check_pasted (folder, model, data);

  /* Reasons change the model's file: the checks are not of this one any more, the record still is. */
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "reasons", model, "--set", "1=Your data", "-o", model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &again, NULL, "export", model, "--format", "html", "-o", "-", NULL), ==, 0);
  g_assert_nonnull (strstr (again, "the saved result is for another model"));
  g_assert_nonnull (strstr (again, "Frontier: AUC, cross-validated, against"));

  /* What is beside a model is no more to be trusted than the model. */
  g_assert_true (g_file_set_contents (checks, "{}", -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", model, "--format", "html", "-o", "-", NULL), ==, 1);
  g_assert_nonnull (strstr (err, "m.verify.json"));
  g_assert_cmpint (g_remove (checks), ==, 0);
  g_clear_pointer (&err, g_free);
  g_assert_true (g_file_set_contents (record, "{}", -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", model, "--format", "html", "-o", "-", NULL), ==, 1);
  g_assert_nonnull (strstr (err, "m.record.json"));
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", model, "--format", "c", "--by", "x", "-o", "-", NULL), ==, 2);
  g_assert_nonnull (strstr (err, "--by needs --format html or pdf"));
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", model, "--format", "c", "--project", "x", "-o", "-", NULL), ==, 2);
  g_assert_nonnull (strstr (err, "--project needs --format html or pdf"));
  mt_test_remove_folder (folder);
}

/* A sweep's project: other seeds say which rules recur. */
static void
test_project (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *data = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  g_autofree char *path = g_build_filename (folder, "p.minterm", NULL);
  g_autofree char *model = g_build_filename (folder, "m.json", NULL);
  g_autofree char *html = NULL;
  const MtProjectEdit edit = { 0, (char *) "dropped a rule", (char *) "too long", 9, 7, 0.9, 0.9, (char *) "Bea Example", 1700000100 };
  g_autoptr (MtProjectDismissal) dismissal = NULL;
  g_autoptr (MtProjectDismissal) old = NULL;
  g_autoptr (MtProjectDismissal) raised = NULL;
  g_autoptr (MtProject) project = NULL;
  g_autoptr (GArray) points = NULL;
  g_autoptr (GBytes) json = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "sweep", data, "--target", "approved", "--bits", "3,4", "--nodes", "4",
                                "--temperature", "0.01", "--seeds", "2", "--folds", "3", "-o", path, NULL), ==, 0);
  project = mt_project_open (path, 0, NULL, &error);
  g_assert_no_error (error);
  points = mt_project_list_points (project, 0, NULL);
  json = mt_project_dup_model (project, g_array_index (points, MtProjectPoint, points->len / 2).id, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (model, g_bytes_get_data (json, NULL), (gssize) g_bytes_get_size (json), NULL));
  dismissal = mt_project_dismissal_new ("few-rows", NULL, "it is only <b>a test</b>", "Ann <i>Example</i>", 1700000000);
  old = mt_project_dismissal_new ("leak", "id", "of an older project", NULL, 0);
  g_assert_true (mt_project_set_dismissal (project, dismissal, &error));
  g_assert_true (mt_project_set_dismissal (project, old, &error));
  raised = mt_project_dismissal_new ("identifier", "application_id", "it is ignored anyway", "Ann", 1700000000);
  g_assert_true (mt_project_set_dismissal (project, raised, &error));
  g_assert_cmpint (mt_project_add_edit (project, &edit, &error), !=, 0);
  g_assert_true (mt_project_set_text (project, MT_PROJECT_NOTE, "purpose", "To be read", &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_STATE, MT_PROJECT_KEY_DEVICE "1",
                                      "{\"asked\": \"auto\", \"used\": \"cpu\", \"threads\": 2}", &error));
  g_assert_true (mt_project_set_text (project, MT_PROJECT_STATE, MT_PROJECT_KEY_DEVICE "2",
                                      "{\"asked\": \"cuda\", \"used\": \"cpu\", \"threads\": 2, "
                                      "\"error\": \"too little <i>memory</i>\"}", &error));
  g_clear_pointer (&project, mt_project_free);
  g_assert_cmpint (mt_test_cli (NULL, &html, NULL, "export", model, "--format", "html", "--data", data, "--project", path, "-o",
                                "-", NULL), ==, 0);
  g_assert_nonnull (strstr (html, "other runs whose model of the nearest size"));
  g_assert_nonnull (strstr (html, "<td>it is only "));
  g_assert_nonnull (strstr (html, "it is ignored.</td><td>dismissed</td>"));
  g_assert_nonnull (strstr (html, "<td>it is ignored anyway</td>"));
  g_assert_null (strstr (html, "<b>a test"));
  g_assert_nonnull (strstr (html, "Ann &#60;i&#62;Example&#60;/i&#62;</td><td>2023-11-14 22:13 UTC</td>"));
  g_assert_nonnull (strstr (html, "<td>of an older project</td><td>not recorded</td><td>not recorded</td>"));
  g_assert_nonnull (strstr (html, "<td>too long</td><td>Bea Example</td><td>2023-11-14 22:15 UTC</td>"));
  g_assert_nonnull (strstr (html, "Purpose: To be read"));
  g_assert_null (strstr (html, "Run 1: networks were to use"));
  g_assert_nonnull (strstr (html, "Run 2: networks were to use the device “cuda” but were trained on “cpu”: "
                                  "too little &#60;i&#62;memory"));
  g_assert_nonnull (strstr (html, "loan-approval.csv"));
  mt_test_remove_folder (folder);
}

/* One row in which a pressure is 0: nothing is amiss with the file, and the report says what there is in it. */
static void
test_findings (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *data = g_build_filename (folder, "rows.csv", NULL);
  g_autofree char *model = g_build_filename (folder, "m.json", NULL);
  g_autofree char *html = NULL;
  g_autofree char *none = NULL;
  g_autoptr (GString) text = g_string_new ("pressure,kind,ill\n");

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, "%u,k%u,%s\n", i == 17 ? 0 : 120 + i * 37 % 40, i % 3, i * 37 % 40 > 22 ? "yes" : "no");
  g_assert_true (g_file_set_contents (data, text->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", data, "--target", "ill", "--bits", "3", "--folds", "3", "-o", model,
                                NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &html, NULL, "export", model, "--format", "html", "--data", data, "-o", "-", NULL),
                   ==, 0);
  g_assert_nonnull (strstr (html, "<td>note</td><td>disguised-missing</td><td>“pressure” is 0 in 1 row"));
  g_assert_null (strstr (html, "There are no findings in the data"));
  g_string_replace (text, "\n0,", "\n131,", 1);
  g_assert_true (g_file_set_contents (data, text->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, &none, NULL, "export", model, "--format", "html", "--data", data, "-o", "-", NULL),
                   ==, 0);
  g_assert_null (strstr (none, "disguised-missing"));
  mt_test_remove_folder (folder);
}

/* Every format that export writes. */
static const char * const formats[] = { "html", "pdf", "json", "sql", "python", "r", "javascript", "c", "pmml", "dmn", "ods",
                                        "latex" };

/* A limit on the size of files stands for a full disk: what was there stays, and nothing is beside it. */
static void
test_no_room (void)
{
  static const char script[] =
    "trap '' XFSZ; ulimit -f 1; \"$MINTERM_CLI\" export \"$1\" --format $2 -o \"$3\"";
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *place = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "m.json", NULL);
  g_autofree char *out = g_build_filename (place, "report", NULL);
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 7);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 6, 11);

  g_assert_true (mt_model_save (model, path, NULL));
  for (guint i = 0; i < 2 * G_N_ELEMENTS (formats); i++)
    {
      gboolean is_new = i % 2 == 0;
      g_autoptr (GError) error = NULL;
      g_autoptr (GSubprocess) process = NULL;
      g_autofree char *err = NULL;
      g_autofree char *kept = NULL;

      if (!is_new)
        g_assert_true (g_file_set_contents (out, "as it was", -1, NULL));
      process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_PIPE, &error, "sh", "-c", script, "sh", path, formats[i / 2], out,
                                  NULL);
      g_assert_no_error (error);
      g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &err, &error));
      g_assert_true (g_subprocess_get_if_exited (process));
      g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 1);
      g_assert_true (g_str_has_prefix (err, "minterm-cli: "));
      g_assert_nonnull (strstr (err, "report"));
      if (!is_new)
        {
          g_assert_true (g_file_get_contents (out, &kept, NULL, NULL));
          g_assert_cmpstr (kept, ==, "as it was");
        }
      g_assert_cmpuint (mt_test_empty_folder (place), ==, is_new ? 0 : 1);
    }
  mt_test_remove_folder (place);
  mt_test_remove_folder (folder);
}

/* No folder, a file in its place, a folder of that name, a place where nobody may write. */
static void
test_no_place (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "m.json", NULL);
  g_autofree char *below = g_build_filename (path, "report", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "none", "report", NULL);
  const char * const places[] = { nowhere, below, folder, "/proc/report" };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 7);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 6, 11);

  g_assert_true (mt_model_save (model, path, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    for (guint k = 0; k < G_N_ELEMENTS (places); k++)
      {
        g_autofree char *err = NULL;

        g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", path, "--format", formats[i], "-o", places[k], NULL), ==, 1);
        g_assert_true (g_str_has_prefix (err, "minterm-cli: "));
        g_assert_nonnull (strstr (err, places[k]));
      }
  g_assert_cmpuint (mt_test_remove_folder (folder), ==, 1);
}

/* What was changed by hand stands in the report: what, why, and the figures before and after. */
static void
test_edits (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 7);
  g_autoptr (MtModel) plain = mt_test_sample_model (MT_TASK_BINARY, table, 6, 11);
  MtModelInfo info = *mt_model_get_info (plain);
  MtEditRecord edits[] = {
    { .edit = { .kind = MT_EDIT_DROP_RULE }, .rule = "x <a> y", .reason = "the law & the board forbid it",
      .literals_before = 99, .is_judged = TRUE, .metric = MT_METRIC_AUC, .before = 0.875,
      .after = 0.8625, .by = "Ann <u>Example</u>", .made = 1700000000 },
  };
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtReport) report = NULL;
  g_autoptr (GBytes) html = NULL;
  g_autofree char *text = NULL;

  edits[0].literals_after = mt_rule_set_get_complexity (mt_model_get_rules (plain));
  info.edits = edits;
  info.n_edits = G_N_ELEMENTS (edits);
  model = mt_model_new ((MtEncoder *) mt_model_get_encoder (plain), (MtRuleSet *) mt_model_get_rules (plain), &info, &error);
  g_assert_no_error (error);
  report = make_report (&(MtReportParts) { .model = model });
  html = mt_report_to_html (report, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (html, NULL), g_bytes_get_size (html));
  g_assert_nonnull (strstr (text, "the law &#38; the board forbid it"));
  g_assert_nonnull (strstr (text, "x &#60;a&#62; y"));
  g_assert_nonnull (strstr (text, "<td>Ann &#60;u&#62;Example&#60;/u&#62;</td><td>2023-11-14 22:13 UTC</td>"));
  g_assert_nonnull (strstr (text, "0.8750"));
  g_assert_nonnull (strstr (text, "0.8625"));
  g_assert_null (strstr (text, "the model is unchanged since training"));
}

/* A cancel at any word of progress ends the rendering there. */
typedef struct {
  GCancellable *cancellable;
  guint         n_told;
  guint         at;
} Canceller;

static void
tell_canceller (double   done,
                gpointer data)
{
  Canceller *canceller = data;

  if (++canceller->n_told == canceller->at)
    g_cancellable_cancel (canceller->cancellable);
}

static void
test_cancel_inside (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 7);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 6, 11);
  g_autoptr (MtReport) report = make_report (&(MtReportParts) { .model = model });

  for (MtReportFormat format = MT_REPORT_HTML; format <= MT_REPORT_PDF; format++)
    {
      Canceller all = { NULL };
      MtReportWait wait = { .progress = tell_canceller, .progress_data = &all };
      g_autoptr (GBytes) whole = mt_report_render (report, format, MT_PAPER_A4, &wait, NULL);

      g_assert_nonnull (whole);
      for (guint i = 0; i < 12; i++)
        {
          g_autoptr (GCancellable) cancellable = g_cancellable_new ();
          g_autoptr (GError) error = NULL;
          Canceller one = { cancellable, 0, 1 + i * (all.n_told - 1) / 12 };
          MtReportWait stopped = { tell_canceller, &one, cancellable };

          g_assert_null (mt_report_render (report, format, MT_PAPER_A4, &stopped, &error));
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
          g_assert_cmpuint (one.n_told, <=, one.at + 1);     /* the block that it was in */
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report-parts/plots", test_plots);
  g_test_add_func ("/report-parts/groups", test_groups);
  g_test_add_func ("/report-parts/isolated", test_isolated);
  g_test_add_func ("/report-parts/waiting", test_waiting);
  g_test_add_func ("/report-parts/whole-way", test_whole_way);
  g_test_add_func ("/report-parts/project", test_project);
  g_test_add_func ("/report-parts/findings", test_findings);
  g_test_add_func ("/report-parts/cancel-inside", test_cancel_inside);
  g_test_add_func ("/report-parts/edits", test_edits);
  g_test_add_func ("/report-parts/no-room", test_no_room);
  g_test_add_func ("/report-parts/no-place", test_no_place);
  return g_test_run ();
}
