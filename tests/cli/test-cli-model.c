/* predict, rules and evaluate from outside: the same answers as the library gives, and plain
 * errors for what cannot be answered. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "sample-models.h"
#include "testutils.h"

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

typedef struct {
  char    *directory;
  char    *model_path;
  char    *data_path;
  char    *out_path;
  MtTable *table;
  MtModel *model;
} Fixture;

/* The table as a file; missing cells are empty, which the sample's level "" would be too. */
static void
write_table (const MtTable *table,
             const char    *path)
{
  g_autoptr (GString) csv = g_string_new (NULL);

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    mt_csv_append_text (csv, mt_column_get_name (mt_table_get_column (table, c)));
  mt_csv_end_line (csv);
  for (gsize r = 0; r < mt_table_get_n_rows (table); r++)
    {
      for (guint c = 0; c < mt_table_get_n_columns (table); c++)
        {
          const MtColumn *column = mt_table_get_column (table, c);
          g_autofree char *cell = mt_column_dup_text (column, r);

          if (mt_column_get_store (column) == MT_STORE_NUMBERS &&
              mt_column_get_type (column) == MT_TYPE_NUMBER)
            mt_csv_append_number (csv, mt_column_get_number (column, r));
          else
            mt_csv_append_text (csv, cell);
        }
      mt_csv_end_line (csv);
    }
  g_assert_true (g_file_set_contents (path, csv->str, -1, NULL));
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  MtTask task = *(const MtTask *) data;
  g_autoptr (GFile) file = NULL;
  g_autoptr (MtTable) train = mt_test_sample_table (task, 1000, 1);
  g_autoptr (MtTable) other = mt_test_sample_table (task, 300, 5);
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GError) error = NULL;
  MtImportOptions options = { NULL };

  fixture->directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  fixture->model_path = g_build_filename (fixture->directory, "model.json", NULL);
  fixture->data_path = g_build_filename (fixture->directory, "data.csv", NULL);
  fixture->out_path = g_build_filename (fixture->directory, "out.csv", NULL);
  fixture->model = mt_test_sample_model (task, train, 6, 2);
  g_assert_true (mt_model_save (fixture->model, fixture->model_path, &error));
  write_table (other, fixture->data_path);
  /* Read back as the command reads it, since a CSV cannot tell "" from missing. */
  file = g_file_new_for_path (fixture->data_path);
  schema = mt_model_dup_schema (fixture->model);
  options.schema = schema;
  import = mt_import_file (file, &options, NULL, &error);
  g_assert_no_error (error);
  fixture->table = mt_table_ref (mt_import_get_table (import));
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_unlink (fixture->model_path);
  g_unlink (fixture->data_path);
  g_unlink (fixture->out_path);
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);   /* nothing else was left there */
  g_free (fixture->directory);
  g_free (fixture->model_path);
  g_free (fixture->data_path);
  g_free (fixture->out_path);
  mt_table_unref (fixture->table);
  mt_model_unref (fixture->model);
}

/* --- predict --- */

static void
test_predict (Fixture       *fixture,
              gconstpointer  data)
{
  MtTask task = *(const MtTask *) data;
  guint n_outputs = mt_model_get_n_predictions (fixture->model);
  guint n_classes = mt_model_get_n_classes (fixture->model);
  gsize n_rows = mt_table_get_n_rows (fixture->table);
  g_autofree double *expected = g_new (double, n_outputs * n_rows);
  g_autofree char *out = NULL;
  g_autofree char *json = NULL;
  g_autofree char *file = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (MtJson) counts = NULL;
  MtPredictReport report;
  guint64 value;

  g_assert_true (mt_model_predict (fixture->model, fixture->table, NULL, 0, expected, &report, NULL));
  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "predict", fixture->model_path, fixture->data_path, NULL),
                   ==, 0);
  lines = g_strsplit (out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, n_rows + 2);
  g_assert_cmpstr (lines[0], ==, task == MT_TASK_BINARY ? "prediction,p_no,p_yes"
                                 : task == MT_TASK_MULTICLASS ? "prediction,p_low,p_mid,p_=high" : "prediction");
  for (gsize r = 0; r < n_rows; r++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[r + 1], ",", -1);

      g_assert_cmpuint (g_strv_length (cells), ==, 1 + n_classes);
      if (task == MT_TASK_REGRESSION)
        {
          g_assert_cmpfloat (g_ascii_strtod (cells[0], NULL), ==, expected[r]);
          continue;
        }
      {
        const char *name = mt_model_get_info (fixture->model)->classes[mt_model_decide (fixture->model,
                                                                                        expected, n_rows, r)];

        g_assert_cmpstr (cells[0] + (*cells[0] == '\''), ==, name);
        g_assert_true ((*cells[0] == '\'') == (*name == '='));   /* no formula reaches a spreadsheet */
      }
      for (guint c = 0; c < n_classes; c++)
        {
          double p = task == MT_TASK_MULTICLASS ? expected[c * n_rows + r]
                     : c == 1 ? expected[r] : 1 - expected[r];

          g_assert_cmpfloat (g_ascii_strtod (cells[1 + c], NULL), ==, p);
        }
    }

  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "predict", fixture->model_path, fixture->data_path, "-o",
                                fixture->out_path, "--json", "--threads", "1", NULL), ==, 0);
  g_assert_true (g_file_get_contents (fixture->out_path, &file, NULL, NULL));
  g_assert_cmpstr (file, ==, out);
  counts = mt_json_parse (json, -1, NULL);
  g_assert_nonnull (counts);
  g_assert_true (mt_json_get_integer (mt_json_find (counts, "rows"), G_MAXUINT64, &value) && value == n_rows);
  g_assert_true (mt_json_get_integer (mt_json_find (counts, "missing"), G_MAXUINT64, &value) &&
                 value == report.encode.n_missing);
  g_assert_true (mt_json_get_integer (mt_json_find (counts, "unknown_levels"), G_MAXUINT64, &value) &&
                 value == report.encode.n_unknown_levels);
  g_assert_true (mt_json_get_integer (mt_json_find (counts, "unseen_patterns"), G_MAXUINT64, &value) &&
                 value == report.n_unseen_patterns);
}

/* What-if and the command agree to the last digit. */
static void
test_what_if (Fixture       *fixture,
              gconstpointer  data)
{
  MtTask task = *(const MtTask *) data;
  const MtRuleSet *rules = mt_model_get_rules (fixture->model);
  g_autofree char *out = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "predict", fixture->model_path, fixture->data_path, NULL), ==, 0);
  lines = g_strsplit (out, "\n", -1);
  for (gsize r = 0; r < mt_table_get_n_rows (fixture->table); r++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[r + 1], ",", -1);
      g_autoptr (GArray) values = mt_raw_values_new_from_row (mt_model_get_encoder (fixture->model), fixture->table, r,
                                                              NULL);
      g_autoptr (MtWhatIf) result = mt_what_if_new (mt_model_get_encoder (fixture->model), rules, values, NULL);

      if (task == MT_TASK_REGRESSION)
        g_assert_cmpfloat (g_ascii_strtod (cells[0], NULL), ==, result->predictions[0]);
      else
        {
          const char *name = mt_model_get_info (fixture->model)->classes[result->decided];

          g_assert_cmpstr (cells[0] + (*cells[0] == '\''), ==, name);
          if (task == MT_TASK_BINARY)
            g_assert_cmpfloat (g_ascii_strtod (cells[2], NULL), ==, result->predictions[0]);
          for (guint c = 0; task == MT_TASK_MULTICLASS && c < result->n_outputs; c++)
            g_assert_cmpfloat (g_ascii_strtod (cells[1 + c], NULL), ==, result->predictions[c]);
        }
    }
}

static void
test_reasons (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *out = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "predict", fixture->model_path, fixture->data_path, "-o",
                                "-",
                                "--reasons", "3", NULL), ==, 0);
  bytes = g_bytes_new (out, strlen (out));
  import = mt_import_bytes (bytes, NULL, NULL, NULL);
  g_assert_nonnull (import);
  lines = g_strsplit (out, "\n", -1);
  g_assert_true (g_str_has_suffix (lines[0], ",reason_1,reason_2,reason_3"));
  /* In the order of their size. */
  for (gsize r = 0; r < 50; r++)
    {
      double before = INFINITY;

      for (guint k = 1; k <= 3; k++)
        {
          g_autofree char *name = g_strdup_printf ("reason_%u", k);
          const MtColumn *column = mt_table_find_column (mt_import_get_table (import), name, NULL);
          g_autofree char *cell = mt_column_dup_text (column, r);
          const char *bracket = strrchr (cell, '(');
          double amount = bracket != NULL ? fabs (g_ascii_strtod (bracket + 1, NULL)) : 0;

          g_assert_cmpfloat (amount, <=, before);
          before = amount;
        }
    }
}

/* --- rules --- */

static void
test_rules (Fixture       *fixture,
            gconstpointer  data)
{
  const MtRuleSet *rules = mt_model_get_rules (fixture->model);
  const MtEncoder *encoder = mt_model_get_encoder (fixture->model);
  g_autofree char *dnf = NULL;
  g_autofree char *cnf = NULL;
  g_autofree char *table = NULL;
  g_autofree char *tree = NULL;
  g_autofree char *json = NULL;
  g_autoptr (MtJson) document = NULL;
  const MtJson *terms;

  g_assert_cmpint (mt_test_cli (NULL, &dnf, NULL, "rules", fixture->model_path, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &cnf, NULL, "rules", fixture->model_path, "--form", "cnf", NULL), ==,
                   0);
  g_assert_cmpint (mt_test_cli (NULL, &table, NULL, "rules", fixture->model_path, "--form=table", NULL), ==,
                   0);
  g_assert_cmpint (mt_test_cli (NULL, &tree, NULL, "rules", fixture->model_path, "--form=tree", NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "rules", fixture->model_path, "--json", NULL), ==, 0);
  document = mt_json_parse (json, -1, NULL);
  g_assert_nonnull (document);
  terms = mt_json_find (document, "terms");
  g_assert_cmpuint (mt_json_get_n_children (terms), ==, mt_rule_set_get_n_terms (rules));
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      const MtJson *shown = mt_json_get_child (terms, t);
      g_autofree char *in_dnf = NULL;
      g_autofree char *in_cnf = NULL;

      g_assert_cmpfloat (mt_json_get_number (mt_json_get_child (mt_json_find (shown, "weights"), 0)), ==,
                         term->weights[0]);
      if (term->is_numeric)
        continue;
      in_dnf = mt_rule_dup_text (term->rule, encoder, MT_RULE_FORM_DNF);
      in_cnf = mt_rule_dup_text (term->rule, encoder, MT_RULE_FORM_CNF);
      g_assert_nonnull (strstr (dnf, in_dnf));
      g_assert_nonnull (strstr (cnf, in_cnf));
      g_assert_cmpstr (mt_json_get_string (mt_json_find (shown, "dnf")), ==, in_dnf);
      g_assert_cmpstr (mt_json_get_string (mt_json_find (shown, "cnf")), ==, in_cnf);
      for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
        {
          g_autofree char *literal = mt_encoder_dup_literal_text (encoder, mt_rule_get_inputs (term->rule)[i],
                                                                  FALSE);
          g_autofree char *question = g_strconcat (literal, "?", NULL);
          g_autofree char *row = g_strdup_printf ("    %c  %s\n", 'A' + i, literal);

          g_assert_nonnull (strstr (table, row));
          if (mt_truth_table_support (mt_rule_get_n_inputs (term->rule),
                                      mt_rule_get_table (term->rule)) & (1u << i))
            g_assert_nonnull (strstr (tree, question));
        }
    }
  g_assert_nonnull (strstr (table, "   impossible\n"));
}

/* Where each rule holds is told by what it adds to each row's score; the rest is counted here again. */
/* Columns and interactions of the card are those of core, in text and in full digits. */
static void
test_scorecard (Fixture       *fixture,
                gconstpointer  data)
{
  const MtModelInfo *info = mt_model_get_info (fixture->model);
  const MtRuleBookParts parts = { .encoder = (MtEncoder *) mt_model_get_encoder (fixture->model),
                                  .rules = (MtRuleSet *) mt_model_get_rules (fixture->model), .target = info->target,
                                  .classes = info->classes };
  g_autoptr (MtRuleBook) book = mt_rule_book_new (&parts, NULL, NULL);
  g_autoptr (MtScorecard) card = mt_scorecard_new (book);
  g_autofree char *text = NULL;
  g_autofree char *json = NULL;
  g_autoptr (MtJson) document = NULL;
  const MtJson *columns;

  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "rules", fixture->model_path, "--scorecard", NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "rules", fixture->model_path, "--scorecard", "--json", NULL), ==, 0);
  document = mt_json_parse (json, -1, NULL);
  g_assert_nonnull (document);
  columns = mt_json_find (document, "columns");
  g_assert_cmpuint (mt_json_get_n_children (columns), ==, mt_scorecard_get_n_columns (card));
  g_assert_cmpuint (mt_json_get_n_children (mt_json_find (document, "interactions")), ==, mt_scorecard_get_n_interactions (card));
  for (guint i = 0; i < mt_scorecard_get_n_columns (card); i++)
    {
      const MtScorecardColumn *column = mt_scorecard_get_column (card, i);
      const MtJson *ranges = mt_json_find (mt_json_get_child (columns, i), "ranges");

      g_assert_cmpuint (mt_json_get_n_children (ranges), ==, column->n_ranges);
      for (guint k = 0; k < column->n_ranges; k++)
        {
          const MtJson *points = mt_json_find (mt_json_get_child (ranges, k), "points");

          g_assert_cmpfloat (mt_json_get_number (mt_json_get_child (points, 0)), ==, column->ranges[k].points[0]);
        }
    }
  g_assert_nonnull (strstr (text, "intercept"));
  g_assert_true ((strstr (text, "interactions\n") != NULL) == (mt_scorecard_get_n_interactions (card) > 0));
}

static void
test_rules_on_rows (Fixture       *fixture,
                    gconstpointer  data)
{
  const MtRuleSet *rules = mt_model_get_rules (fixture->model);
  guint n_terms = mt_rule_set_get_n_terms (rules), n_outputs = mt_rule_set_get_n_outputs (rules);
  guint n_classes = mt_model_get_n_classes (fixture->model);
  g_autoptr (MtTruth) truth = mt_model_read_truth (fixture->model, fixture->table, NULL, NULL);
  gsize n = truth->n_rows;
  g_autofree double *parts = g_new (double, n_terms * n_outputs * n);
  g_autofree char *text = NULL;
  g_autofree char *json = NULL;
  g_autoptr (MtJson) document = NULL;
  guint64 value;

  g_assert_true (mt_model_contributions (fixture->model, fixture->table, truth->rows, n, parts, NULL));
  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "rules", fixture->model_path, "--data", fixture->data_path, NULL),
                   ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "rules", fixture->model_path, "--data", fixture->data_path,
                                "--json", NULL), ==, 0);
  document = mt_json_parse (json, -1, NULL);
  g_assert_nonnull (document);
  g_assert_true (mt_json_get_integer (mt_json_find (document, "rows"), G_MAXUINT64, &value));
  g_assert_cmpuint (value, ==, n);
  for (guint t = 0; t < n_terms; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      const MtJson *shown = mt_json_get_child (mt_json_find (document, "terms"), t);
      double inside[3] = { 0 }, all[3] = { 0 }, support = 0, sum = 0;
      g_autofree char *line = NULL;
      guint output = 0;

      if (term->is_numeric)
        {
          g_assert_null (mt_json_find (shown, "support"));
          continue;
        }
      while (term->weights[output] == 0)
        output++;
      for (gsize i = 0; i < n; i++)
        {
          gboolean holds = parts[(t * n_outputs + output) * n + i] != 0;

          support += holds;
          if (n_classes == 0)
            sum += holds ? truth->values[i] : 0;
          else
            {
              all[truth->classes[i]]++;
              inside[truth->classes[i]] += holds;
            }
        }
      g_assert_cmpfloat (mt_json_get_number (mt_json_find (shown, "support")), ==, support);
      line = g_strdup_printf ("applies to %g of %zu rows; ", support, n);
      g_assert_nonnull (strstr (text, line));
      if (n_classes == 0)
        g_assert_cmpfloat_with_epsilon (mt_json_get_number (mt_json_find (shown, "mean_inside")),
                                        support > 0 ? sum / support : 0, 1e-9);
      for (guint c = 0; c < n_classes; c++)
        {
          double rate = support > 0 ? inside[c] / support : 0, misses = support - inside[c], others = all[c] - inside[c];
          double odds = (inside[c] + .5) * ((double) n - support - others + .5) / ((misses + .5) * (others + .5));

          g_assert_cmpfloat_with_epsilon (mt_json_get_number (mt_json_get_child (mt_json_find (shown, "hit_rate"), c)),
                                          rate, 1e-12);
          g_assert_cmpfloat_with_epsilon (mt_json_get_number (mt_json_get_child (mt_json_find (shown, "lift"), c)),
                                          all[c] > 0 ? rate / (all[c] / (double) n) : 0, 1e-9);
          g_assert_cmpfloat_with_epsilon (mt_json_get_number (mt_json_get_child (mt_json_find (shown, "odds_ratio"), c)),
                                          odds, 1e-9);
        }
    }
}

/* --- evaluate --- */

static void
test_evaluate (Fixture       *fixture,
               gconstpointer  data)
{
  MtTask task = *(const MtTask *) data;
  MtMetric metric = task == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  g_autoptr (MtTruth) truth = mt_model_read_truth (fixture->model, fixture->table, NULL, NULL);
  g_autofree double *predictions = g_new (double, mt_model_get_n_predictions (fixture->model) * 300);
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  g_autoptr (MtJson) document = NULL;
  const MtJson *measured, *groups;
  MtScored scored;
  guint64 n_rows, sum = 0;

  g_assert_true (mt_model_predict (fixture->model, fixture->table, truth->rows, truth->n_rows, predictions,
                                   NULL, NULL));
  scored = (MtScored) { task, mt_model_get_n_classes (fixture->model), truth->n_rows, truth->classes,
                       truth->values, predictions };
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "evaluate", fixture->model_path, fixture->data_path,
                                "--target", "y",
                                "--by", "f", "--json", "--resamples", "50", "--threads", "1", NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &again, NULL, "evaluate", fixture->model_path, fixture->data_path,
                                "--by", "f",
                                "--json", "--resamples", "50", "--threads", "3", NULL), ==, 0);
  g_assert_cmpstr (json, ==, again);
  document = mt_json_parse (json, -1, NULL);
  g_assert_nonnull (document);
  measured = mt_json_find (mt_json_find (document, "metrics"), mt_metric_to_string (metric));
  g_assert_cmpfloat (mt_json_get_number (mt_json_find (measured, "value")), ==,
                     mt_metric_compute (metric, &scored));
  g_assert_cmpfloat (mt_json_get_number (mt_json_find (measured, "low")), <=,
                     mt_json_get_number (mt_json_find (measured, "high")));
  groups = mt_json_find (document, "groups");
  g_assert_cmpuint (mt_json_get_n_children (groups), ==, 3);   /* no, yes, missing */
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (mt_json_get_integer (mt_json_find (mt_json_get_child (groups, i), "rows"), G_MAXUINT64,
                                          &n_rows));
      sum += n_rows;
    }
  g_assert_cmpuint (sum, ==, truth->n_rows);
  g_assert_cmpint (mt_json_get_kind (mt_json_find (mt_json_get_child (groups, 2), "value")), ==,
                   MT_JSON_NULL);
  g_assert_nonnull (mt_json_find (mt_json_get_child (groups, 0), "calibration_gap"));
  g_assert_true ((mt_json_find (mt_json_get_child (groups, 0), "rates") != NULL) == (task == MT_TASK_BINARY));
  if (task == MT_TASK_BINARY)
    {
      const MtJson *first = mt_json_get_child (groups, 0), *second = mt_json_get_child (groups, 1);
      gboolean compares_first = g_strcmp0 (mt_json_get_string (mt_json_find (document, "reference")), "no") == 0;
      const MtJson *other = mt_json_find (compares_first ? first : second, "rates");
      const MtJson *compared = mt_json_find (compares_first ? second : first, "rates");

      g_assert_cmpfloat_with_epsilon (
        mt_json_get_number (mt_json_find (mt_json_find (compared, "adverse_impact_ratio"), "value")),
        mt_json_get_number (mt_json_find (mt_json_find (compared, "decided"), "value")) /
        mt_json_get_number (mt_json_find (mt_json_find (other, "decided"), "value")), 1e-12);
      g_assert_cmpint (mt_json_get_kind (mt_json_find (mt_json_find (other, "adverse_impact_ratio"), "value")), ==, MT_JSON_NULL);
    }
  g_assert_true ((mt_json_find (document, "calibration") != NULL) == (task != MT_TASK_REGRESSION));

  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "evaluate", fixture->model_path, fixture->data_path,
                                "--by", "f",
                                "--resamples", "50", NULL), ==, 0);
  g_assert_nonnull (strstr (text, mt_metric_to_string (metric)));
  g_assert_nonnull (strstr (text, "f = (missing): "));

  /* Levels that training did not show are counted, as by predict: nothing is guessed in silence. */
  {
    g_autofree char *odd = g_build_filename (fixture->directory, "odd.csv", NULL);
    g_autofree char *err = NULL;
    g_autofree char *counted = NULL;
    g_autofree char *contents = NULL;
    g_autoptr (GString) csv = NULL;
    g_autoptr (MtJson) report = NULL;
    guint64 n_unknown, n_before;

    g_assert_true (g_file_get_contents (fixture->data_path, &contents, NULL, NULL));
    csv = g_string_new (contents);
    g_assert_cmpuint (g_string_replace (csv, ",two words,", ",three words,", 7), ==, 7);
    g_assert_true (g_file_set_contents (odd, csv->str, -1, NULL));
    g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "evaluate", fixture->model_path, odd, "--resamples", "50", NULL), ==, 0);
    g_assert_nonnull (strstr (err, " cells contain a value that is not in the training data\n"));
    g_assert_cmpint (mt_test_cli (NULL, &counted, NULL, "evaluate", fixture->model_path, odd, "--resamples", "50",
                                  "--json", NULL), ==, 0);
    report = mt_json_parse (counted, -1, NULL);
    g_assert_true (mt_json_get_integer (mt_json_find (report, "unknown_levels"), G_MAXUINT64, &n_unknown));
    g_assert_true (mt_json_get_integer (mt_json_find (document, "unknown_levels"), G_MAXUINT64, &n_before));
    /* Two of the rows are of a class that a CSV protects from spreadsheets: not known, and left out. */
    g_assert_cmpuint (n_unknown, ==, n_before + (task == MT_TASK_MULTICLASS ? 5 : 7));
    g_unlink (odd);
  }
}

/* --- what cannot be answered --- */

/* The data with a column of 120 words. */
static char *
write_many_words (Fixture *fixture)
{
  char *path = g_build_filename (fixture->directory, "many.csv", NULL);
  g_autofree char *contents = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) csv = g_string_new (NULL);

  g_assert_true (g_file_get_contents (fixture->data_path, &contents, NULL, NULL));
  lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      const char *line = g_strchomp (lines[i]);

      if (i == 0)
        g_string_append_printf (csv, "%s,word\n", line);
      else
        g_string_append_printf (csv, "%s,w%u\n", line, i % 120);
    }
  g_assert_true (g_file_set_contents (path, csv->str, -1, NULL));
  return path;
}

static void
test_failures (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *lacking = g_build_filename (fixture->directory, "lacking.csv", NULL);
  g_autofree char *wrong = g_build_filename (fixture->directory, "wrong.csv", NULL);
  g_autofree char *many = write_many_words (fixture);
  g_autofree char *nowhere = g_build_filename (fixture->directory, "none", "out.csv", NULL);
  const char *model = fixture->model_path, *csv = fixture->data_path;

  g_assert_true (g_file_set_contents (lacking, "a,y\n1,no\n2,yes\n3,no\n", -1, NULL));
  g_assert_true (g_file_set_contents (wrong, "a,b (log),when,d,e is odd,f,y\nx,1,2015-01-01,red,red,yes,no\n"
                                      "z,2,2015-01-01,red,red,yes,perhaps\n", -1, NULL));
  mt_test_cli_fails (2, "predict needs a model and a CSV", "predict", model, NULL);
  mt_test_cli_fails (2, "--reasons must be between 1 and 20", "predict", model, csv, "--reasons", "21", NULL);
  mt_test_cli_fails (2, "there is no column “nobody”; the columns are", "predict", model, csv, "--key", "nobody", NULL);
  mt_test_cli_fails (2, "--reasons must be between 1 and 20", "predict", model, csv, "--reasons", "0", NULL);
  mt_test_cli_fails (2, "--seed must be a whole number from 0 to 18446744073709551615, not “-5”", "evaluate",
                     model, csv, "--seed", "-5", NULL);
  mt_test_cli_fails (2, "the predictions need --output", "predict", model, csv, "--json", NULL);
  mt_test_cli_fails (2, "unknown option --wrong", "predict", model, csv, "--wrong", NULL);
  mt_test_cli_fails (1, "minterm-cli: nowhere.json: no such file", "predict", "nowhere.json", csv, NULL);
  mt_test_cli_fails (1, "line 1: expected a value", "predict", csv, csv, NULL);
  mt_test_cli_fails (1, "minterm-cli: nowhere.csv: no such file", "predict", model, "nowhere.csv", NULL);
  mt_test_cli_fails (1, "the data has no column “b (log)”, which the model requires (number)", "predict", model,
                     lacking, NULL);
  mt_test_cli_fails (1, "The model does not guess: correct these cells, or name these texts as missing values", "predict",
                     model, wrong, NULL);
  mt_test_cli_fails (1, "The model does not guess", "evaluate", model, wrong, NULL);
  mt_test_cli_fails (1, "column “a” is a number in the model but a category here", "predict", model, wrong,
                     "--type", "a=category", NULL);
  mt_test_cli_fails (1, "none", "predict", model, csv, "-o", nowhere, NULL);
  mt_test_cli_fails (2, "rules needs one model", "rules", NULL);
  mt_test_cli_fails (2, "--scorecard and --form cannot be combined", "rules", model, "--scorecard", "--form", "cnf", NULL);
  mt_test_cli_fails (2, "--form must be dnf, cnf, table, or tree", "rules", model, "--form", "poem", NULL);
  mt_test_cli_fails (1, "nowhere.json", "rules", "nowhere.json", NULL);
  mt_test_cli_fails (1, "nowhere.csv", "rules", model, "--data", "nowhere.csv", NULL);
  mt_test_cli_fails (2, "evaluate needs a model and a CSV", "evaluate", model, NULL);
  mt_test_cli_fails (2, "--resamples must be between", "evaluate", model, csv, "--resamples", "1", NULL);
  mt_test_cli_fails (2, "no column “absent”", "evaluate", model, csv, "--target", "absent", NULL);
  mt_test_cli_fails (2, "there is no column “absent”; the columns are", "evaluate", model, csv, "--by", "absent", NULL);
  mt_test_cli_fails (1, "has more than 100 values", "evaluate", model, many, "--by", "word", NULL);
  mt_test_cli_fails (1, "contains a class that the model predicts", "evaluate", model, csv, "--target", "d", NULL);
  mt_test_cli_fails (1, "nowhere.json", "evaluate", "nowhere.json", csv, NULL);
  mt_test_cli_fails (1, "nowhere.csv", "evaluate", model, "nowhere.csv", NULL);
  mt_test_cli_fails (1, "the data has no column", "evaluate", model, lacking, NULL);
  g_unlink (lacking);
  g_unlink (many);
  g_unlink (wrong);
}

/* What can be read two ways is asked back, not guessed; said plainly, it is read. */
static void
test_guesses (Fixture       *fixture,
              gconstpointer  data)
{
  static const struct { const char *csv, *decimal, *says; } cases[] = {
    { "a,b (log),when,d,e is odd,f\n\"1,234\",1,2015-01-01,red,red,yes\n", NULL,
      "a comma or point could separate decimals or thousands" },
    { "a,b (log),when,d,e is odd,f\n\"1,234\",1,2015-01-01,red,red,yes\n", "comma", NULL },
    { "a,b (log),when,d,e is odd,f\n1,1,03/04/2015,red,red,yes\n", NULL,
      "Column “when”: day and month cannot be told apart; the day was read first. If that is wrong, "
      "write dates as 2024-12-31. Set the format explicitly before applying the model" },
    { "a,b (log),when,d,e is odd,f\n1,1,03/04/2015,red,red,yes\n1,1,03/14/2015,red,red,yes\n", NULL, NULL },
    { "a,b (log),when,d,e is odd,f,a\n1,1,2015-01-01,red,red,yes,2\n", NULL,
      "the name “a” is already used; renamed to “a (2)”. The model must know which one to use" },
    { "a,b (log),when,d,e is odd,f,a (2)\n1,1,2015-01-01,red,red,yes,2\n", NULL, NULL },
    { "a,b (log),when,d,e is odd,f,g,g\n1,1,2015-01-01,red,red,yes,2,3\n", NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *err = NULL;
      int status = mt_test_cli (cases[i].csv, NULL, &err, "predict", fixture->model_path, "-",
                                cases[i].decimal != NULL ? "--decimal" : NULL, cases[i].decimal, NULL);

      g_assert_cmpint (status, ==, cases[i].says != NULL ? 1 : 0);
      if (cases[i].says != NULL)
        g_assert_nonnull (strstr (err, cases[i].says));
    }
}

/* Notes about the rows go to stderr, one line each, and change nothing else. */
static void
test_notes (Fixture       *fixture,
            gconstpointer  data)
{
  static const char csv[] = "a,b (log),when,d,e is odd,f\n1,,2015-01-01,violet,,yes\n,3,2031-01-01,red,red,no\n";
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;

  g_assert_cmpint (mt_test_cli (csv, &out, &err, "predict", fixture->model_path, "-", NULL), ==, 0);
  g_assert_nonnull (strstr (err, "1 cell contains a value that is not in the training data\n"));
  g_assert_nonnull (strstr (err, "1 cell is missing in a column without missing cells in training\n"));
  g_assert_nonnull (strstr (err, "1 number is outside the range of the training data\n"));
}

/* --- the CSV writer --- */

static void
test_csv_cells (void)
{
  g_autoptr (GString) csv = g_string_new (NULL);
  static const char * const cells[] = { "", "plain", "a,b", "say \"hi\"", "two\nlines", " x", "=1+1", "-5",
                                       "-x", "@a", "+1", "\tx", "=a,b" };

  for (gsize i = 0; i < G_N_ELEMENTS (cells); i++)
    mt_csv_append_text (csv, cells[i]);
  mt_csv_append_number (csv, -0.5);
  mt_csv_append_number (csv, NAN);
  mt_csv_end_line (csv);
  g_assert_cmpstr (csv->str, ==,
                   "\"\",plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\" x\",'=1+1,-5,'-x,'@a,'+1,'\tx,"
                                 "\"'=a,b\",-0.5,\"\"\n");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      const struct { const char *name; void (*run) (Fixture *, gconstpointer); } tests[] = {
        { "predict", test_predict }, { "what-if", test_what_if }, { "reasons", test_reasons },
        { "rules", test_rules }, { "scorecard", test_scorecard }, { "rules-on-rows", test_rules_on_rows }, { "evaluate", test_evaluate },
      };

      for (gsize k = 0; k < G_N_ELEMENTS (tests); k++)
        {
          g_autofree char *path = g_strdup_printf ("/cli-model/%s/%s", tests[k].name,
                                                   mt_task_to_string (tasks[i]));

          g_test_add (path, Fixture, &tasks[i], set_up, tests[k].run, tear_down);
        }
    }
  g_test_add ("/cli-model/failures", Fixture, &tasks[0], set_up, test_failures, tear_down);
  g_test_add ("/cli-model/guesses", Fixture, &tasks[0], set_up, test_guesses, tear_down);
  g_test_add ("/cli-model/notes", Fixture, &tasks[0], set_up, test_notes, tear_down);
  g_test_add_func ("/cli-model/csv-cells", test_csv_cells);
  return g_test_run ();
}
