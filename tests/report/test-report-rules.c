/* What a report says of the rows that a model learnt from, added up again from its own tables: truth tables, the list of
 * terms, confusion, gain and worked cases. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "mt-core.h"
#include "testutils.h"

typedef struct {
  MtModel  *model;
  MtImport *data;
  MtReport *report;
} Sample;

static void
sample_init (Sample *sample)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *csv = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  g_autofree char *path = g_build_filename (folder, "m.json", NULL);
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (csv);
  g_autoptr (GBytes) bytes = g_file_load_bytes (file, NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  MtImportOptions options = { NULL };
  MtReportParts parts = { NULL };

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", csv, "--target", "approved", "--fan-in", "3", "--bits", "4",
                                "--repeats", "1", "--folds", "3", "-o", path, NULL), ==, 0);
  sample->model = mt_model_load (path, &error);
  g_assert_no_error (error);
  schema = mt_model_dup_schema (sample->model);
  options.schema = schema;
  sample->data = mt_import_bytes (bytes, &options, NULL, &error);
  g_assert_no_error (error);
  parts.model = sample->model;
  parts.data = sample->data;
  sample->report = mt_report_new (&parts, NULL, &error);
  g_assert_no_error (error);
  mt_test_remove_folder (folder);
}

static void
sample_clear (Sample *sample)
{
  mt_report_unref (sample->report);
  mt_import_unref (sample->data);
  mt_model_unref (sample->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sample, sample_clear)

static const char *
get_cell (const MtReportBlock *table,
          guint                row,
          guint                column)
{
  return g_ptr_array_index (table->cells, row * table->n_columns + column);
}

static guint
get_n_rows (const MtReportBlock *table)
{
  return table->cells->len / table->n_columns;
}

static guint
find_head (const MtReportBlock *table,
           const char          *head)
{
  for (guint c = 0; c < table->n_columns; c++)
    if (g_str_equal (get_cell (table, 0, c), head))
      return c;
  g_error ("there is no column %s", head);
}

/* The table that stands first behind a block whose text begins so. */
static const MtReportBlock *
find_table (const MtReport *report,
            MtBlockKind     kind,
            const char     *start)
{
  for (guint i = 0, found = 0; i < mt_report_get_n_blocks (report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (report, i);

      found |= block->kind == kind && g_str_has_prefix (block->text, start);
      if (found && block->kind == MT_BLOCK_TABLE)
        return block;
    }
  g_error ("there is no table behind %s", start);
}

/* The truth table of a rule: the first table below its heading that says where the rule is true. */
static const MtReportBlock *
find_truth_table (const MtReport *report,
                  const char     *heading)
{
  for (guint i = 0, found = 0; i < mt_report_get_n_blocks (report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (report, i);

      found |= block->kind == MT_BLOCK_HEADING && g_str_equal (block->text, heading);
      for (guint c = 0; found && block->kind == MT_BLOCK_TABLE && c < block->n_columns; c++)
        if (g_str_equal (get_cell (block, 0, c), "Rule"))
          return block;
    }
  g_error ("there is no truth table below %s", heading);
}

static guint
count (const MtReportBlock *table,
       guint                row,
       guint                column)
{
  return (guint) g_ascii_strtoull (get_cell (table, row, column), NULL, 10);
}

static double
measure (const MtReportBlock *table,
         guint                row,
         guint                column)
{
  return g_ascii_strtod (get_cell (table, row, column), NULL);
}

/* Every training row is on one line of each truth table, and on as many where the rule is true as the list says. */
static void
test_counts (void)
{
  g_auto (Sample) sample = { NULL };
  const MtReportBlock *all;
  guint n_train, n_checked = 0;

  sample_init (&sample);
  n_train = (guint) mt_model_get_info (sample.model)->n_train;
  all = find_table (sample.report, MT_BLOCK_HEADING, "All terms");
  g_assert_cmpuint (count (all, 1, find_head (all, "Rows")), ==, n_train);
  for (guint r = 2; r < get_n_rows (all); r++)
    {
      const MtReportBlock *table;
      guint rule, rows, n = 0, n_true = 0;

      if (g_str_equal (get_cell (all, r, 0), "Number"))
        continue;
      table = find_truth_table (sample.report, get_cell (all, r, 0));
      rule = find_head (table, "Rule");
      rows = find_head (table, "Rows");
      g_assert_cmpuint (get_n_rows (table), ==, (1u << rule) + 1);
      for (guint line = 1; line < get_n_rows (table); line++)
        {
          n += count (table, line, rows);
          n_true += g_str_equal (get_cell (table, line, rule), "1") ? count (table, line, rows) : 0;
        }
      g_assert_cmpuint (n, ==, n_train);
      g_assert_cmpuint (n_true, ==, count (all, r, find_head (all, "Rows")));
      n_checked++;
    }
  g_assert_cmpuint (n_checked, ==, mt_rule_set_get_n_rules (mt_model_get_rules (sample.model)));
}

/* The list of terms and the scorecard are for reading: no number of sixteen digits. Each column of the card has its ranges, and
 * the points are those that minterm-cli rules --scorecard gives. */
static void
test_scorecard (void)
{
  g_auto (Sample) sample = { NULL };
  const MtModelInfo *info;
  MtRuleBookParts parts = { NULL };
  g_autoptr (MtRuleBook) book = NULL;
  g_autoptr (MtScorecard) card = NULL;
  const MtReportBlock *all;

  sample_init (&sample);
  info = mt_model_get_info (sample.model);
  all = find_table (sample.report, MT_BLOCK_HEADING, "All terms");
  for (guint r = 1; r < get_n_rows (all); r++)
    g_assert_cmpuint (strlen (get_cell (all, r, find_head (all, "Weight"))), <, 12);
  parts = (MtRuleBookParts) { .encoder = (MtEncoder *) mt_model_get_encoder (sample.model),
                              .rules = (MtRuleSet *) mt_model_get_rules (sample.model), .target = info->target,
                              .classes = info->classes };
  book = mt_rule_book_new (&parts, NULL, NULL);
  card = mt_scorecard_new (book);
  g_assert_cmpuint (mt_scorecard_get_n_columns (card), >, 0);
  for (guint i = 0; i < mt_scorecard_get_n_columns (card); i++)
    {
      const MtScorecardColumn *column = mt_scorecard_get_column (card, i);
      const char *name = mt_encoder_get_column_name (mt_model_get_encoder (sample.model), column->column);
      const MtReportBlock *table = NULL;

      for (guint b = 0; b < mt_report_get_n_blocks (sample.report) && table == NULL; b++)
        {
          const MtReportBlock *block = mt_report_get_block (sample.report, b);

          if (block->kind == MT_BLOCK_TABLE && block->n_columns == 3 && g_str_equal (get_cell (block, 0, 0), name) &&
              g_str_equal (get_cell (block, 0, 1), "Points"))
            table = block;
        }
      g_assert_nonnull (table);
      g_assert_cmpuint (get_n_rows (table), ==, column->n_ranges + 1);
      for (guint k = 0; k < column->n_ranges; k++)
        {
          g_assert_cmpstr (get_cell (table, k + 1, 0), ==, column->ranges[k].text);
          g_assert_cmpfloat (fabs (measure (table, k + 1, 1) - column->ranges[k].at_low[0]), <=,
                             1e-3 * fabs (column->ranges[k].at_low[0]));
        }
    }
}

/* Every setting of a model's file is explained where it stands. */
static void
test_settings (void)
{
  g_auto (Sample) sample = { NULL };
  const MtReportBlock *settings;

  sample_init (&sample);
  settings = find_table (sample.report, MT_BLOCK_PARAGRAPH, "Each rule is a truth table");
  g_assert_cmpuint (get_n_rows (settings), >=, mt_model_get_info (sample.model)->n_settings + 1);
  for (guint r = 1; r < get_n_rows (settings); r++)
    if (g_str_equal (get_cell (settings, r, 2), "–"))
      g_error ("nobody explains the setting %s", get_cell (settings, r, 0));
}

/* What rows are decided for adds up to the test rows, and to the accuracy of the table of metrics. */
static void
test_confusion (void)
{
  g_auto (Sample) sample = { NULL };
  const MtReportBlock *confusion, *metrics;
  guint n = 0, right = 0;
  double accuracy = NAN;

  sample_init (&sample);
  confusion = find_table (sample.report, MT_BLOCK_HEADING, "Confusion");
  metrics = find_table (sample.report, MT_BLOCK_PARAGRAPH, "On the data for this report");
  g_assert_cmpuint (get_n_rows (confusion), ==, 4);
  for (guint t = 1; t <= 2; t++)
    for (guint c = 1; c <= 2; c++)
      {
        n += count (confusion, t, c);
        right += t == c ? count (confusion, t, c) : 0;
      }
  g_assert_cmpuint (n, ==, mt_model_get_info (sample.model)->n_test);
  g_assert_cmpuint (count (confusion, 3, 3), ==, n);
  for (guint r = 1; r < get_n_rows (metrics); r++)
    if (g_str_equal (get_cell (metrics, r, 0), "accuracy"))
      accuracy = measure (metrics, r, 1);
  g_assert_cmpfloat_with_epsilon (accuracy, right / (double) n, 6e-5);
}

/* Whoever adds the amounts of a case up gets its score, and from that its probability. */
static void
test_cases (void)
{
  g_auto (Sample) sample = { NULL };
  const MtReportBlock *cases;
  double sum = 0, predicted[3];
  const guint32 which[] = { 0, 1, 2 };
  guint n_cases = 0;

  sample_init (&sample);
  g_assert_true (mt_model_predict (sample.model, mt_import_get_table (sample.data), which, 3, predicted, NULL, NULL));
  cases = find_table (sample.report, MT_BLOCK_PARAGRAPH, "The first 3 rows");
  for (guint r = 1; r < get_n_rows (cases); r++)
    {
      const char *because = get_cell (cases, r, 2);

      if (g_str_equal (because, "sum: the score"))
        g_assert_cmpfloat_with_epsilon (measure (cases, r, 3), sum, 1e-12);
      else if (g_str_has_prefix (because, "probability of"))
        {
          g_assert_cmpfloat_with_epsilon (measure (cases, r, 3), 1 / (1 + exp (-sum)), 1e-12);
          g_assert_cmpfloat_with_epsilon (measure (cases, r, 3), predicted[n_cases++], 1e-12);
          sum = 0;
        }
      else
        sum += measure (cases, r, 3);
    }
  g_assert_cmpuint (n_cases, ==, 3);
}

/* Taken tenth by tenth, the class is found ever more, and never more than all of it. */
static void
test_gain (void)
{
  g_auto (Sample) sample = { NULL };
  const MtReportBlock *gain;
  double before = 0;

  sample_init (&sample);
  gain = find_table (sample.report, MT_BLOCK_FIGURE, "Gain curve");
  g_assert_cmpuint (get_n_rows (gain), ==, 6);
  for (guint r = 1; r < get_n_rows (gain); r++)
    {
      double share = measure (gain, r, 2), n = (double) mt_model_get_info (sample.model)->n_test;

      g_assert_cmpfloat (share, >=, before);
      g_assert_cmpfloat (share, <=, 1);
      g_assert_cmpfloat_with_epsilon (measure (gain, r, 3), share * n / count (gain, r, 1), 2e-3);
      before = share;
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report-rules/counts", test_counts);
  g_test_add_func ("/report-rules/scorecard", test_scorecard);
  g_test_add_func ("/report-rules/settings", test_settings);
  g_test_add_func ("/report-rules/confusion", test_confusion);
  g_test_add_func ("/report-rules/cases", test_cases);
  g_test_add_func ("/report-rules/gain", test_gain);
  return g_test_run ();
}
