/* minterm-cli train, from outside, on the samples whose truth is known. */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "mt-core.h"
#include "testutils.h"

static char *
sample (const char *name)
{
  return g_build_filename (g_getenv ("MINTERM_SAMPLES"), name, NULL);
}

static const MtJson *
get_object (const MtJson *root)
{
  g_assert_nonnull (root);
  return root;
}

typedef struct {
  const char *file;
  const char *target;
  const char *task;
  const char *metric;
  double      at_least;      /* of the chosen model on the test part */
  guint       at_most;       /* its literals */
  const char *found[5];      /* pairs of columns that some rule joins */
} Sample;

static const Sample samples[] = {
  { "loan-approval.csv", "approved", "binary", "auc", .72, 40,
    { "late_payments_2y|guarantor", "purpose|term_months" } },
  { "triage.csv", "urgency", "multiclass", "auc", .72, 60,
    { "oxygen_saturation_pct|respiratory_rate", "consciousness|systolic_mmhg" } },
  { "energy-use.csv", "energy_kwh", "regression", "r2", .85, 60,
    { "heating|outdoor_temp_c", "day|occupancy_pct", "building|outdoor_temp_c", "solar_panels|sunshine_hours" } },
};

/* Does some rule of the model ask about both columns? */
static gboolean
joins (const MtModel *model,
       const char    *pair)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_auto (GStrv) names = g_strsplit (pair, "|", 2);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      gboolean has[2] = { FALSE, FALSE };

      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        {
          guint column = mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[i])->column;

          for (guint k = 0; k < 2; k++)
            has[k] |= g_str_equal (mt_encoder_get_column_name (encoder, column), names[k]);
        }
      if (has[0] && has[1])
        return TRUE;
    }
  return FALSE;
}

static void
test_sample (gconstpointer data)
{
  const Sample *expected = data;
  g_autofree char *path = sample (expected->file);
  g_autofree char *directory = g_dir_make_tmp ("mt-train-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);
  g_autofree char *again = g_build_filename (directory, "again.json", NULL);
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autoptr (MtJson) root = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  const MtJson *answer, *selected, *frontier;

  g_assert_cmpint (mt_test_cli (NULL, &out, &err, "train", path, "--target", expected->target, "--test-fraction", "0.25",
                                "--json", "--threads", "2", "-o", file, NULL), ==, 0);
  g_assert_cmpstr (err, ==, "");
  root = mt_json_parse (out, -1, &error);
  g_assert_no_error (error);
  answer = get_object (root);
  g_assert_cmpstr (mt_test_json_string (answer, "task"), ==, expected->task);
  g_assert_cmpstr (mt_test_json_string (answer, "metric"), ==, expected->metric);
  selected = mt_test_json_object (answer, "selected");
  g_assert_cmpfloat (mt_test_json_number (selected, "test"), >, expected->at_least);
  g_assert_cmpint (mt_test_json_integer (selected, "literals"), <=, expected->at_most);
  frontier = mt_test_json_array (answer, "frontier");
  g_assert_cmpuint (mt_json_get_n_children (frontier), >, 5);
  g_assert_false (mt_json_find (mt_json_get_child (frontier, 0), "test") != NULL);
  g_assert_cmpint (mt_test_json_integer (mt_json_get_child (frontier, 0), "literals"), ==, 1);

  model = mt_model_load (file, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_rule_set_get_complexity (mt_model_get_rules (model)), ==,
                    mt_test_json_integer (selected, "literals"));
  for (guint i = 0; expected->found[i] != NULL; i++)
    g_assert_true (joins (model, expected->found[i]));

  /* Another number of threads gives the same bytes. */
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", path, "--target", expected->target, "--test-fraction", "0.25",
                                "--threads", "1", "-o", again, NULL), ==, 0);
  g_assert_true (g_file_get_contents (file, &first, NULL, NULL));
  g_assert_true (g_file_get_contents (again, &second, NULL, NULL));
  g_assert_cmpstr (first, ==, second);
  g_remove (file);
  g_remove (again);
  g_rmdir (directory);
}

/* What holds of early rows is the opposite of what holds of the last tenth: only a split by time sees that. The model's
 * file repeats the split. */
static void
test_split_by (void)
{
  g_autofree char *directory = g_dir_make_tmp ("mt-train-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "drift.csv", NULL);
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GString) csv = g_string_new ("when,x,y\n");
  double tested[2];

  for (guint i = 0; i < 400; i++)
    {
      guint x = i * 37 % 100;

      g_string_append_printf (csv, "%04u-%02u-01,%u,%s\n", 1990 + i / 12, 1 + i % 12, x, (x >= 50) == (i < 360) ? "yes" : "no");
    }
  g_assert_true (g_file_set_contents (path, csv->str, -1, NULL));
  for (guint by_time = 0; by_time < 2; by_time++)
    {
      g_autofree char *out = NULL;
      g_autoptr (MtJson) root = NULL;

      g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", path, "--target", "y", "--test-fraction", "0.1", "--json", "-o", file,
                                    by_time ? "--split-by" : NULL, "when", NULL), ==, 0);
      root = mt_json_parse (out, -1, NULL);
      tested[by_time] = mt_test_json_number (mt_test_json_object (get_object (root), "selected"), "test");
    }
  g_assert_cmpfloat (tested[0], >, 0.7);
  g_assert_cmpfloat (tested[1], <, 0.1);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"reading\": \"--role=when=time\""));
  mt_test_cli_fails (2, "there is no column “absent”", "train", path, "--target", "y", "--split-by", "absent", NULL);
  g_remove (path);
  g_remove (file);
  g_rmdir (directory);
}

/* Only the ratio of two columns and the month of a date tell: the model uses them, keeps how they are computed, predicts from the columns
 * of the file, and its command makes it again. */
static void
test_derive (void)
{
  g_autofree char *directory = g_dir_make_tmp ("mt-train-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "orders.csv", NULL);
  g_autofree char *lacking = g_build_filename (directory, "lacking.csv", NULL);
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);
  g_autofree char *text = NULL;
  g_autofree char *rules = NULL;
  g_autofree char *answers = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) csv = g_string_new ("when,income,loan amount,good\n");
  guint n_right = 0;

  for (guint i = 0; i < 400; i++)
    {
      guint loan = i * 37 % 20 * 50, income = 100 + i * 53 % 2000, month = 1 + i * 5 % 12;

      g_string_append_printf (csv, "2024-%02u-%02u,%u,%u,%s\n", month, 1 + i % 28, income, loan,
                              (loan > 0 && income >= 2 * loan) || month >= 10 ? "yes" : "no");
    }
  g_assert_true (g_file_set_contents (path, csv->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", path, "--target", "good", "--derive", "ratio= income/\"loan amount\"",
                                "--derive", "month(when)", "-o", file, NULL), ==, 0);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"format_version\": 4"));
  g_assert_nonnull (strstr (text, "\"formula\": \"income / \\\"loan amount\\\"\""));
  g_assert_nonnull (strstr (text, "'--derive=ratio = income / \\\"loan amount\\\"' '--derive=month of when = month(when)'"));
  g_assert_cmpint (mt_test_cli (NULL, &rules, NULL, "rules", file, NULL), ==, 0);
  g_assert_nonnull (strstr (rules, "derived: month of when = month(when)\n"));
  g_assert_nonnull (strstr (rules, "ratio ≥ "));
  g_assert_nonnull (strstr (rules, "month of when ≥ 10"));

  g_assert_cmpint (mt_test_cli (NULL, &answers, NULL, "predict", file, path, NULL), ==, 0);
  lines = g_strsplit (answers, "\n", -1);
  for (guint i = 0; i < 400; i++)
    {
      guint loan = i * 37 % 20 * 50, income = 100 + i * 53 % 2000, month = 1 + i * 5 % 12;

      n_right += g_str_has_prefix (lines[i + 1], (loan > 0 && income >= 2 * loan) || month >= 10 ? "yes," : "no,");
    }
  g_assert_cmpuint (n_right, >, 380);

  g_assert_true (g_file_set_contents (lacking, "when,income\n2024-01-01,3\n2024-02-01,4\n", -1, NULL));
  mt_test_cli_fails (1, "Derived column “ratio” needs column “loan amount”", "predict", file, lacking, NULL);
  mt_test_cli_fails (2, "--derive: Formula “income +”, character", "train", path, "--target", "good", "--derive", "income +", NULL);
  g_remove (path);
  g_remove (lacking);
  g_remove (file);
  g_rmdir (directory);
}

/* A test file by itself, and a budget. */
static void
test_test_file (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *out = NULL;
  g_autoptr (MtJson) root = NULL;
  const MtJson *selected;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", path, "--target", "approved", "--test", path, "--json",
                                "--evaluate-frontier", "--max-literals", "6", "--folds", "3", NULL), ==, 0);
  root = mt_json_parse (out, -1, NULL);
  selected = mt_test_json_object (get_object (root), "selected");
  g_assert_cmpint (mt_test_json_integer (selected, "literals"), <=, 6);
  g_assert_cmpfloat (ABS (mt_test_json_number (selected, "test") -
                          mt_test_json_number (selected, "train")), <, 1e-9);
  g_assert_true (mt_json_find (mt_json_get_child (
                   mt_test_json_array (get_object (root), "frontier"), 0), "test") != NULL);
}

/* Four other methods by the same folds, and the tree no larger than the model. */
static void
test_baselines (void)
{
  static const char * const kinds[] = { "intercept", "linear", "tree", "boosted" };
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *out = NULL;
  g_autofree char *text = NULL;
  g_autofree char *asked = NULL;
  g_autoptr (MtJson) root = NULL;
  g_autoptr (MtJson) evaluated = NULL;
  const MtJson *baselines;
  gint64 literals;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", path, "--target", "approved", "--json", "--baselines",
                                "--folds", "3", NULL), ==, 0);
  root = mt_json_parse (out, -1, NULL);
  literals = mt_test_json_integer (mt_test_json_object (get_object (root), "selected"), "literals");
  baselines = mt_test_json_array (get_object (root), "baselines");
  g_assert_cmpuint (mt_json_get_n_children (baselines), ==, G_N_ELEMENTS (kinds));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const MtJson *baseline = mt_json_get_child (baselines, i);

      g_assert_cmpstr (mt_test_json_string (baseline, "kind"), ==, kinds[i]);
      /* Test rows are for the model that was chosen. */
      g_assert_true (mt_test_json_is_null (baseline, "test"));
      g_assert_cmpfloat (mt_test_json_number (baseline, "cv_mean"), >, i == 0 ? .49 : .6);
    }
  g_assert_cmpint (mt_test_json_integer (mt_json_get_child (baselines, 2), "literals"), <=, literals);
  g_assert_true (mt_test_json_is_null (mt_json_get_child (baselines, 3), "literals"));
  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "train", path, "--target", "approved", "--baselines", "--folds",
                                "2", NULL), ==, 0);
  g_assert_nonnull (g_strstr_len (text, -1, "boosted trees"));
  g_assert_cmpint (mt_test_cli (NULL, &asked, NULL, "train", path, "--target", "approved", "--json", "--baselines",
                                "--evaluate-frontier", "--folds", "2", NULL), ==, 0);
  evaluated = mt_json_parse (asked, -1, NULL);
  baselines = mt_test_json_array (get_object (evaluated), "baselines");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_assert_cmpfloat (mt_test_json_number (mt_json_get_child (baselines, i), "test"), >,
                       i == 0 ? .49 : .6);
}

static gboolean
is_counted (const MtJson *answer,
            const char *name)
{
  return !mt_test_json_is_null (mt_test_json_object (answer, "fidelity"), name);
}

/* By default a network is trained beside the rules, and rows are counted on which these leave it: of classes, and of
 * numbers. */
static void
test_fidelity (void)
{
  static const char * const restarts[] = { "auto", "0" };
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *file = g_build_filename (folder, "model.json", NULL);
  const char *numbers = "x,y\n1,1.5\n2,2.5\n3,9.5\n4,4.5\n5,5.5\n6,6.5\n7,2.5\n8,8.5\n9,9.5\n10,1\n11,2\n12,3\n";
  g_autofree char *out = NULL;
  g_autoptr (MtJson) of_numbers = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (restarts); i++)
    {
      g_autofree char *answer = NULL;
      g_autofree char *model = NULL;
      g_autoptr (MtJson) root = NULL;

      g_assert_cmpint (mt_test_cli (NULL, &answer, NULL, "train", path, "--target", "approved", "--json", "--folds", "0",
                                    "--nodes", "4", "--restarts", restarts[i], "-o", file, NULL), ==, 0);
      g_assert_true (g_file_get_contents (file, &model, NULL, NULL));
      g_assert_nonnull (strstr (model, i == 0 ? "\"restarts\": \"auto\"" : "\"restarts\": 0"));
      root = mt_json_parse (answer, -1, NULL);
      g_assert_true (is_counted (get_object (root), "train_differ") == (i == 0));
      g_assert_true (is_counted (get_object (root), "test_differ") == (i == 0));
      g_assert_true (mt_test_json_is_null (mt_test_json_object (get_object (root), "network"), "test") ==
                     (i == 1));
      g_assert_true ((mt_test_json_integer (get_object (root), "steps") > 0) == (i == 0));
    }
  g_assert_cmpint (mt_test_cli (numbers, &out, NULL, "train", "-", "--target", "y", "--json", "--folds", "0",
                                "--task", "regression", NULL), ==, 0);
  of_numbers = mt_json_parse (out, -1, NULL);
  g_assert_true (is_counted (get_object (of_numbers), "train_differ"));
  mt_test_remove_folder (folder);
}

/* With a network beside: its nodes are candidates, and the answers are compared. */
static void
test_network (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *directory = mt_test_make_folder ();
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);
  g_autofree char *out = NULL;
  g_autofree char *text = NULL;
  g_autofree char *said = NULL;
  g_autoptr (MtJson) root = NULL;
  g_autoptr (MtModel) model = NULL;
  const MtJson *answer, *fidelity;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", path, "--target", "approved", "--test-fraction", "0.25",
                                "--json", "--restarts", "1", "--nodes", "8", "--folds", "0", "-o", file, NULL), ==, 0);
  root = mt_json_parse (out, -1, NULL);
  answer = get_object (root);
  g_assert_cmpint (mt_test_json_integer (answer, "steps"), >, 0);
  g_assert_cmpfloat (mt_test_json_number (mt_test_json_object (answer, "network"), "test"), >, .6);
  fidelity = mt_test_json_object (answer, "fidelity");
  g_assert_cmpint (mt_test_json_integer (fidelity, "train_differ"), <, 450);
  /* The file and the words say the same. */
  model = mt_model_load (file, NULL);
  g_assert_cmpuint (mt_model_get_info (model)->train_differ, ==, mt_test_json_integer (fidelity, "train_differ"));
  g_assert_cmpuint (mt_model_get_info (model)->test_differ, ==, mt_test_json_integer (fidelity, "test_differ"));
  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "train", path, "--target", "approved", "--test-fraction", "0.25",
                                "--restarts", "1", "--nodes", "8", "--folds", "0", NULL), ==, 0);
  said = g_strdup_printf ("predicts a different class for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " training rows and %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " test rows.\n",
                          mt_model_get_info (model)->train_differ, mt_model_get_info (model)->n_train,
                          mt_model_get_info (model)->test_differ, mt_model_get_info (model)->n_test);
  g_assert_nonnull (strstr (text, said));
  mt_test_remove_folder (directory);
}

/* Classes may count the same, however many rows they have; the model file says so. */
static void
test_class_weights (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *err = NULL;
  const char *words[] = { "none", "balanced" };
  double bias[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *file = g_build_filename (folder, words[i], NULL);
      g_autofree char *text = NULL;
      g_autofree char *setting = g_strdup_printf ("\"class-weights\": \"%s\"", words[i]);
      g_autoptr (MtModel) model = NULL;

      g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", path, "--target", "approved", "--folds", "0",
                                    "--restarts", "1", "--nodes", "4", "--start", "random", "--max-literals", "1",
                                    "--class-weights", words[i], "-o", file, NULL), ==, 0);
      g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
      g_assert_nonnull (strstr (text, setting));
      g_assert_nonnull (strstr (text, "\"start\": \"random\""));
      model = mt_model_load (file, NULL);
      bias[i] = mt_rule_set_get_bias (mt_model_get_rules (model))[0];
    }
  /* The model of one literal is the bare bias: 532 rows in 1,200 are approved. */
  g_assert_cmpfloat (fabs (bias[0] - log (532. / 668)), <, .02);
  g_assert_cmpfloat (fabs (bias[1]), <, 1e-3);
  mt_test_remove_folder (folder);

  g_assert_cmpint (mt_test_cli ("x,y\n1,1.5\n2,2.5\n3,3.5\n4,4.5\n5,5.5\n6,6.5\n7,7.5\n8,8.5\n9,9.5\n", NULL, &err,
                                "train", "-", "--target", "y", "--class-weights", "balanced", NULL), ==, 1);
  g_assert_cmpstr (err, ==, "minterm-cli: classes cannot be balanced because the target “y” is a number: "
                            "turn off balancing, or choose another target\n");
}

/* The paper's pruning, on a sample whose truth is known. */
static void
test_magnitude (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  guint n_found = 0;
  g_autofree char *directory = mt_test_make_folder ();
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);
  g_autofree char *out = NULL;
  g_autoptr (MtJson) root = NULL;
  g_autoptr (MtModel) model = NULL;
  const MtJson *selected;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", path, "--target", "approved", "--json", "--refine",
                                "magnitude", "--nodes", "8", "--folds", "2", "-o", file, NULL), ==, 0);
  root = mt_json_parse (out, -1, NULL);
  selected = mt_test_json_object (get_object (root), "selected");
  g_assert_cmpint (mt_test_json_integer (get_object (root), "steps"), >, 0);
  g_assert_cmpfloat (mt_test_json_number (selected, "test"), >, .6);
  g_assert_cmpint (mt_test_json_integer (selected, "literals"), <=, 50);
  model = mt_model_load (file, NULL);
  g_assert_nonnull (model);
  for (guint i = 0; i < mt_model_get_info (model)->n_settings; i++)
    if (g_str_equal (mt_model_get_info (model)->settings[i].name, "refine"))
      g_assert_cmpstr (mt_model_get_info (model)->settings[i].text, ==, "magnitude");

  /* Linear terms that are switched off are neither in the file's settings nor in its rules. */
  g_clear_pointer (&model, mt_model_unref);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", path, "--target", "approved", "--refine", "magnitude", "--nodes", "6",
                                "--epochs", "10", "--folds", "0", "--linear-terms", "none", "-o", file, NULL), ==, 0);
  model = mt_model_load (file, NULL);
  g_assert_nonnull (model);
  g_assert_cmpuint (mt_rule_set_get_n_terms (mt_model_get_rules (model)), >, 0);
  for (guint t = 0; t < mt_rule_set_get_n_terms (mt_model_get_rules (model)); t++)
    g_assert_false (mt_rule_set_get_term (mt_model_get_rules (model), t)->is_numeric);
  for (guint i = 0; i < mt_model_get_info (model)->n_settings; i++)
    if (g_str_equal (mt_model_get_info (model)->settings[i].name, "linear-terms"))
      {
        g_assert_cmpstr (mt_model_get_info (model)->settings[i].text, ==, "none");
        n_found++;
      }
  g_assert_cmpuint (n_found, ==, 1);
  mt_test_remove_folder (directory);
}

/* A signal stops the work; models that are there by then are kept. When it comes is not up to us, so
 * several come, ever later. */
static void
test_interrupted (void)
{
  g_autofree char *path = sample ("triage.csv");
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *file = g_build_filename (folder, "model.json", NULL);

  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSubprocess) train =
        g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error,
                          g_getenv ("MINTERM_CLI"), "train", path, "--target", "urgency", "--json", "--fan-in", "2",
                          "--bits", "4", "--repeats", "1", "--threads", "1", "-o", file, NULL);
      g_autofree char *out = NULL;
      g_autofree char *err = NULL;

      g_assert_no_error (error);
      g_usleep (200 * 1000 << i);
      g_subprocess_send_signal (train, SIGINT);
      g_assert_true (g_subprocess_communicate_utf8 (train, NULL, NULL, &out, &err, &error));
      g_assert_true (g_subprocess_get_if_exited (train) || g_subprocess_get_term_sig (train) == SIGINT);
      if (!g_subprocess_get_if_exited (train))
        continue;     /* it had not read the file yet */
      g_test_message ("%u: %s%s", i, err, g_subprocess_get_exit_status (train) == 0 ? "(models)" : "");
      if (g_subprocess_get_exit_status (train) == 0)
        {
          g_autoptr (MtJson) root = mt_json_parse (out, -1, NULL);
          g_autoptr (MtModel) model = mt_model_load (file, &error);

          g_assert_no_error (error);
          if (mt_test_json_boolean (get_object (root), "stopped"))
            g_assert_cmpstr (err, ==, "minterm-cli: stopped: models are validated on the finished folds only\n");
          else
            g_assert_cmpstr (err, ==, "");
          g_assert_cmpuint (mt_test_empty_folder (folder), ==, 2);   /* and its record */
        }
      else
        {
          g_assert_cmpint (g_subprocess_get_exit_status (train), ==, 1);
          g_assert_cmpstr (out, ==, "");
          g_assert_cmpstr (err, ==, "minterm-cli: stopped before a model was found\n");
          g_assert_cmpuint (mt_test_empty_folder (folder), ==, 0);
        }
    }
  mt_test_remove_folder (folder);
}

static void
assert_refused (int         exit_code,
                const char *message,
                const char *input,
                const char *option,
                const char *value)
{
  g_autofree char *err = NULL;
  g_autofree char *expected = g_strdup_printf ("minterm-cli: %s\n", message);

  g_assert_cmpint (mt_test_cli (input, NULL, &err, "train", "-", option, value, NULL), ==, exit_code);
  g_assert_cmpstr (err, ==, expected);
}

static void
test_bad_usage (void)
{
  g_autofree char *err = NULL;

  assert_refused (2, "--bits must be between 1 and 250", "", "--bits", "0");
  assert_refused (2, "--fan-in must be between 1 and 8", "", "--fan-in", "9");
  assert_refused (2, "--folds must be between 2 and 50, or 0 for none", "", "--folds", "1");
  assert_refused (2, "--repeats must be between 0 and 100", "", "--repeats", "101");
  assert_refused (2, "--nodes must be between 1 and 10000", "", "--nodes", "0");
  assert_refused (2, "--temperature must be between 1e-06 and 100", "", "--temperature", "0");
  assert_refused (2, "--node must be one of standard, deep, not “x”", "", "--node", "x");
  assert_refused (2, "--start must be one of scan, random, not “x”", "", "--start", "x");
  assert_refused (2, "--rounds must be auto or a number between 0 and 1000, not “1001”", "", "--rounds", "1001");
  assert_refused (2, "--rounds must be auto or a number between 0 and 1000, not “few”", "", "--rounds", "few");
  assert_refused (2, "--learning-rate must be between 1e-09 and 1", "", "--learning-rate", "0");
  assert_refused (2, "--learning-rate must be between 1e-09 and 1", "", "--learning-rate", "1.5");
  assert_refused (2, "--learning-rate must be between 1e-09 and 1", "", "--learning-rate", "nan");
  assert_refused (2, "--batch must be auto or a number between 1 and 1048576, not “0”", "", "--batch", "0");
  assert_refused (2, "--batch must be auto or a number between 1 and 1048576, not “1048577”", "", "--batch", "1048577");
  assert_refused (2, "--epochs must be between 1 and 1000000", "", "--epochs", "0");
  assert_refused (2, "--epochs must be between 1 and 1000000", "", "--epochs", "1000001");
  assert_refused (2, "--class-weights must be one of none, balanced, not “x”", "", "--class-weights", "x");
  assert_refused (2, "--restarts must be auto or a number between 0 and 100, not “x”", "", "--restarts", "x");
  assert_refused (2, "--max-literals must be between 0 and 1000000", "", "--max-literals", "-1");
  assert_refused (2, "--test-fraction must be between 0.01 and 0.9, or 0 for no test rows", "", "--test-fraction", "1");
  assert_refused (2, "--task must be one of auto, binary, multiclass, regression, not “x”", "", "--task", "x");
  assert_refused (2, "--refine must be one of exact, magnitude, not “x”", "", "--refine", "x");
  assert_refused (2, "--dont-care must be one of off, impossible, unseen, not “x”", "", "--dont-care", "x");
  assert_refused (2, "train needs --target COLUMN, the column to predict", "", "--bits", "9");
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "train", NULL), ==, 2);
  g_assert_cmpstr (err, ==, "minterm-cli: train needs a file; see minterm-cli train --help\n");
}

/* A class of one row trains no network. What the one that was wanted had been told may be why, so it is kept; what is
 * usual is not. */
static void
test_no_network (void)
{
  static const char data[] = "a,y\n1,0\n2,1\n3,0\n";
  g_autofree char *directory = mt_test_make_folder ();
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *json = NULL;

      g_assert_cmpint (mt_test_cli (data, NULL, NULL, "train", "-", "--target", "y", "--folds", "0", "--test-fraction", "0",
                                    "-o", file, i == 0 ? NULL : "--nodes=7", "--learning-rate=0.5", NULL), ==, 0);
      g_assert_true (g_file_get_contents (file, &json, NULL, NULL));
      g_assert_nonnull (strstr (json, "\"train_differ\": null"));
      g_assert_true ((strstr (json, "\"nodes\": 7") != NULL) == (i == 1));
      g_assert_true ((strstr (json, "\"learning-rate\": 0.5") != NULL) == (i == 1));
      g_assert_null (strstr (json, "\"temperature\""));
    }
  mt_test_remove_folder (directory);
}

/* Constraints reach the model, its file and its rules in words; the refusals are the table's and core's. */
static void
test_constraints (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *directory = mt_test_make_folder ();
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);
  g_autofree char *words = NULL;
  g_autofree char *json = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  const MtConstraints *constraints;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", path, "--target", "approved", "--folds", "0", "--ban",
                                "purpose", "--ban", "guarantor", "--monotone", "late_payments_2y=-", "--monotone",
                                "term_months=+", "--no-negation", "-o", file, NULL), ==, 0);
  model = mt_model_load (file, &error);
  g_assert_no_error (error);
  constraints = mt_model_get_info (model)->constraints;
  g_assert_true (mt_constraints_is_banned (constraints, "purpose"));
  g_assert_true (mt_constraints_is_banned (constraints, "guarantor"));
  g_assert_cmpint (mt_constraints_get_direction (constraints, "late_payments_2y"), ==, MT_DIRECTION_FALLING);
  g_assert_cmpint (mt_constraints_get_direction (constraints, "term_months"), ==, MT_DIRECTION_RISING);
  g_assert_true (mt_constraints_get_no_negation (constraints));
  g_assert_cmpint (mt_test_cli (NULL, &words, NULL, "rules", file, NULL), ==, 0);
  g_assert_nonnull (strstr (words, "constraints: without “guarantor”, falling in "
                                   "“late_payments_2y”, without “purpose”, rising in “term_months”, "
                                   "no negated literals\n"));
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "rules", file, "--json", NULL), ==, 0);
  g_assert_nonnull (strstr (json, "\"falling\": [\"late_payments_2y\"]"));
  mt_test_remove_folder (directory);

  assert_refused (2, "--monotone takes COLUMN=+ or COLUMN=-, not “a”", "", "--monotone", "a");
  assert_refused (2, "--monotone takes COLUMN=+ or COLUMN=-, not “a=up”", "", "--monotone", "a=up");
  assert_refused (2, "--monotone takes COLUMN=+ or COLUMN=-, not “=+”", "", "--monotone", "=+");
  assert_refused (2, "--monotone gives “a” both directions; use --ban if it must have no effect", "", "--monotone=a=+",
                  "--monotone=a=-");
  assert_refused (2, "standard input: there is no column “c”; the columns are “a”, “b”", "a,b\n1,7\n3,8\n5,7\n2,8\n", "--target=b", "--ban=c");
  assert_refused (2, "standard input: there is no column “c=d”; the columns are “a”, “b”", "a,b\n1,7\n3,8\n5,7\n2,8\n", "--target=b",
                  "--monotone=c=d=+");
}

/* The threshold of the model with one term (NaN: the number itself), and how many its column has. */
static double
train_threshold (const char *rows,
                 const char *thresholds,
                 guint      *n_thresholds,
                 char      **setting)
{
  g_autofree char *directory = g_dir_make_tmp ("mt-train-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);
  g_autofree char *option = g_strconcat ("--thresholds=", thresholds, NULL);
  g_autofree char *text = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  const MtTerm *term;

  g_assert_cmpint (mt_test_cli (rows, NULL, NULL, "train", "-", "--target=y", "--test-fraction=0", "--folds=2",
                                "--repeats=1", "--literals=2", option, "-o", file, NULL), ==, 0);
  model = mt_model_load (file, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  *setting = g_strdup (strstr (text, "\"thresholds\": \"auto\"") != NULL ? "auto" :
                       strstr (text, "\"thresholds\": \"unique\"") != NULL ? "unique" : NULL);
  *n_thresholds = mt_encoder_get_column (mt_model_get_encoder (model), 0)->n_thresholds;
  g_assert_cmpuint (mt_rule_set_get_n_terms (mt_model_get_rules (model)), ==, 1);
  term = mt_rule_set_get_term (mt_model_get_rules (model), 0);
  mt_test_remove_folder (directory);
  if (term->is_numeric)
    return NAN;
  return mt_encoder_get_literal (mt_model_get_encoder (model), mt_rule_get_inputs (term->rule)[0])->threshold;
}

/* @n_rows rows of the numbers below @n_values, of which those from 13/20 of them on say yes, but for one in eleven. */
static char *
rows_with_threshold (guint n_rows,
                     guint n_values)
{
  GString *rows = g_string_new ("x,y\n");

  for (guint i = 0; i < n_rows; i++)
    {
      guint x = (guint) ((guint64) i * 7919 % n_values);

      g_string_append_printf (rows, "%u,%s\n", x, (x >= n_values / 20 * 13) != (i % 11 == 0) ? "yes" : "no");
    }
  return g_string_free (rows, FALSE);
}

/* Candidates are nine a column; with many rows the threshold then slides to where it belongs, among the more of them
 * the more rows there are. */
static void
test_thresholds (void)
{
  g_autofree char *many = rows_with_threshold (6000, 6000);
  g_autofree char *more = rows_with_threshold (9000, 9000);
  g_autofree char *most = rows_with_threshold (17000, 17000);
  g_autofree char *few = rows_with_threshold (400, 6000);
  g_autofree char *settings[5] = { NULL };
  guint n;

  g_assert_cmpfloat (train_threshold (more, "auto", &n, &settings[3]), ==, 5850);
  g_assert_cmpuint (n, ==, 79);
  g_assert_cmpfloat (train_threshold (most, "auto", &n, &settings[4]), ==, 11050);
  g_assert_cmpuint (n, ==, 159);
  g_assert_cmpfloat (train_threshold (many, "auto", &n, &settings[0]), ==, 3900);
  g_assert_cmpuint (n, ==, 39);
  g_assert_cmpstr (settings[0], ==, "auto");
  g_assert_cmpfloat (train_threshold (many, "unique", &n, &settings[1]), !=, 3900);
  g_assert_cmpuint (n, ==, 9);
  g_assert_cmpstr (settings[1], ==, "unique");
  train_threshold (few, "auto", &n, &settings[2]);
  g_assert_cmpuint (n, ==, 9);
  g_assert_null (settings[2]);

  assert_refused (2, "--thresholds must be one of auto, unique, rows, not “fine”", "a,b\n1,7\n3,8\n", "--target=b", "--thresholds=fine");
}

/* A class of one row is learned from, with a warning. */
static void
test_lone_class (void)
{
  g_autoptr (GString) rows = g_string_new ("x,y\n");
  g_autofree char *err = NULL;

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (rows, "%u,%s\n", i * 7 % 40, i == 11 ? "once" : i * 7 % 40 < 20 ? "low" : "high");
  g_assert_cmpint (mt_test_cli (rows->str, NULL, &err, "train", "-", "--target", "y", "--repeats", "1", NULL), ==, 0);
  g_assert_nonnull (strstr (err, "warning: class “once” has only one training row: no fold tests it"));
}

static void
test_bad_target (void)
{
  assert_refused (1, "the target “b” is “7” in all training rows, so there is nothing to predict: choose another target",
                  "a,b\n1,7\n3,7\n5,7\n", "--target", "b");
  assert_refused (1, "the target “b” has 3 classes, but a binary task needs two",
                  "a,b\n1,x\n3,y\n5,z\n1,x\n3,y\n5,z\n", "--task=binary", "--target=b");
  assert_refused (1, "the target “b” contains categories, not numbers: regression cannot predict it",
                  "a,b\n1,x\n3,y\n5,z\n1,x\n3,y\n5,z\n", "--task=regression", "--target=b");
  assert_refused (1, "the target “b” is 2e+200 in row 2: regression needs numbers up to 1e+150; divide the column by a "
                  "power of ten", "a,b\n1,1\n3,2e200\n5,3\n1,4\n3,2e200\n5,6\n", "--task=regression", "--target=b");
  assert_refused (1, "the target “b” is at most 6e-200: regression needs numbers of 1e-150 or more; multiply the column "
                  "by a power of ten", "a,b\n1,1e-200\n3,2e-200\n5,3e-200\n1,4e-200\n3,5e-200\n5,6e-200\n",
                  "--task=regression", "--target=b");
}

/* Rows of columns that reach from one end of the doubles to the other; the target goes by the first.
 * @is_number: it is a number, or else yes or no. */
static char *
make_huge_rows (gboolean is_number)
{
  static const char * const ends[] = { "1e308", "-1e308", "1.7e308", "-1.7e308", "0", "5e307", "inf", "-inf", "" };
  g_autoptr (GString) rows = g_string_new ("a,b,y\n");

  for (guint i = 0; i < 180; i++)
    {
      const char *end = ends[i % G_N_ELEMENTS (ends)];
      gboolean high = end[0] != '-' && end[0] != '\0' && i % 11 != 0;

      g_string_append_printf (rows, "%s,%u,", end, i * 37 % 101);
      if (is_number)
        g_string_append_printf (rows, "%u.%u\n", high ? 3 : 1, i % 7);
      else
        g_string_append_printf (rows, "%s\n", high ? "yes" : "no");
    }
  return g_string_free (g_steal_pointer (&rows), FALSE);
}

static void
assert_finite (const char *text)
{
  g_assert_false (g_regex_match_simple ("\\b(nan|inf|infinity)\\b", text, G_REGEX_CASELESS, 0));
}

/* Numbers at the ends of the range, in training and after: finite answers or a refusal, nothing else. */
static void
test_huge_numbers (gconstpointer data)
{
  gboolean is_number = GPOINTER_TO_INT (data);
  g_autofree char *rows = make_huge_rows (is_number);
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  g_autofree char *model = g_build_filename (directory, "model.json", NULL);
  g_autofree char *trained = NULL;
  g_autofree char *document = NULL;
  g_autofree char *predicted = NULL;
  g_autofree char *measured = NULL;
  g_autofree char *err = NULL;

  g_assert_cmpint (mt_test_cli (rows, &trained, NULL, "train", "-", "--target", "y", "--repeats", "1", "--task",
                                is_number ? "regression" : "binary", "--test-fraction", "0", "--json", "-o", model, NULL),
                   ==, 0);
  assert_finite (trained);
  g_assert_true (g_file_get_contents (model, &document, NULL, NULL));
  assert_finite (document);
  g_assert_cmpint (mt_test_cli (rows, &predicted, NULL, "predict", model, "-", NULL), ==, 0);
  assert_finite (predicted);
  g_assert_cmpint (mt_test_cli (rows, &measured, NULL, "evaluate", model, "-", "--json", NULL), ==, 0);
  assert_finite (measured);
  if (is_number)
    {
      g_assert_cmpint (mt_test_cli ("a,b,y\n1,2,3\n1,2,-1e308\n", NULL, &err, "evaluate", model, "-", NULL), ==, 1);
      g_assert_nonnull (strstr (err, "the target “y” is -1e+308 in row 2: regression needs numbers up to 1e+150"));
    }
  g_remove (model);
  g_rmdir (directory);
}

/* A column with a weight of its own, and a value that makes the score too large for a number. */
static void
test_score_too_large (void)
{
  g_autoptr (GString) rows = g_string_new ("a,y\n");
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  g_autofree char *model = g_build_filename (directory, "model.json", NULL);
  g_autofree char *err = NULL;

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (rows, "0.%02u,%u\n", i, 1000 * i + i % 3);
  g_assert_cmpint (mt_test_cli (rows->str, NULL, NULL, "train", "-", "--target", "y", "--repeats", "1", "--task",
                                "regression", "--test-fraction", "0", "-o", model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli ("a\n0.5\n1e308\n", NULL, &err, "predict", model, "-", NULL), ==, 1);
  g_assert_nonnull (strstr (err, "the score of row 2 is too large for a number; check its values"));
  g_remove (model);
  g_rmdir (directory);
}

/* A column of tiny numbers that explains a target of large ones: what it would weigh for each unit is more than
 * a number holds, so it has thresholds only. */
static void
test_weight_too_large (void)
{
  static const char * const formats[] = { "sql", "python", "pmml", "html" };
  g_autoptr (GString) rows = g_string_new ("a,y\n");
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  g_autofree char *model = g_build_filename (directory, "model.json", NULL);
  g_autofree char *exported = g_build_filename (directory, "exported", NULL);
  g_autofree char *text = NULL;
  g_autofree char *json = NULL;

  for (guint i = 0; i < 80; i++)
    g_string_append_printf (rows, "%ue-200,%ue138\n", i, i + i % 3);
  g_assert_cmpint (mt_test_cli (rows->str, NULL, NULL, "train", "-", "--target", "y", "--repeats", "1", "--task",
                                "regression", "--test-fraction", "0", "-o", model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "rules", model, NULL), ==, 0);
  assert_finite (text);
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "rules", model, "--json", NULL), ==, 0);
  assert_finite (json);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *err = NULL;

      g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", model, "--format", formats[i], "-o", exported, NULL), ==, 0);
      g_assert_cmpstr (err, ==, "");
    }
  g_remove (exported);
  g_remove (model);
  g_rmdir (directory);
}

/* Numbers in the fewest digits that give them back, and no blank before a colon, as in every other document of ours. */
static void
test_json_text (void)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *out = NULL;
  guint n_fractions = 0;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", path, "--target", "approved", "--json", "--fan-in", "2", "--bits", "2",
                                "--folds", "2", "--repeats", "1", NULL), ==, 0);
  g_assert_null (strstr (out, "\" :"));
  for (const char *p = strstr (out, "\": "); p != NULL; p = strstr (p + 1, "\": "))
    {
      g_autofree char *token = g_strndup (p + 3, strcspn (p + 3, ",\n}"));
      g_autofree char *shortest = mt_decimal_dup (g_ascii_strtod (token, NULL));

      if (!g_ascii_isdigit (*token) || strchr (token, '.') == NULL)
        continue;
      n_fractions++;
      g_assert_cmpstr (token, ==, shortest);
    }
  g_assert_cmpuint (n_fractions, >, 5);
}

/* The model of the sample that is recommended with this option. @option: NULL: with none. */
static MtModel *
train_model (const char *method,
             const char *option,
             const char *value)
{
  g_autofree char *path = sample ("loan-approval.csv");
  g_autofree char *directory = g_dir_make_tmp ("mt-train-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "model.json", NULL);
  g_autoptr (GError) error = NULL;
  MtModel *model;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", path, "--target", "approved", "--method", method, "-o", file, option,
                                value, NULL), ==, 0);
  model = mt_model_load (file, &error);
  g_assert_no_error (error);
  mt_test_remove_folder (directory);
  return model;
}

/* Rules and linear terms without their weights: a model that was only fitted again has the same. */
static char *
describe_terms (const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  GString *text = g_string_new (NULL);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric)
        g_string_append_printf (text, "number %u\n", term->numeric);
      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        g_string_append_printf (text, "%u ", mt_rule_get_inputs (term->rule)[i]);
      for (guint w = 0; !term->is_numeric && w < mt_rule_table_words (mt_rule_get_n_inputs (term->rule)); w++)
        g_string_append_printf (text, "%" G_GINT64_MODIFIER "x\n", mt_rule_get_table (term->rule)[w]);
    }
  return g_string_free (text, FALSE);
}

/* Each of these changes the rules that are recommended, as in the paper and by default. */
static void
test_network_settings (void)
{
  static const char * const methods[] = { "ttsparse", "paper" };
  static const char * const changes[][2] = {
    { "--bits", "5" }, { "--fan-in", "2" }, { "--nodes", "50" }, { "--temperature", "0.05" },
  };

  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    {
      g_autoptr (MtModel) usual = train_model (methods[m], NULL, NULL);
      g_autofree char *terms = describe_terms (usual);

      for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
        {
          g_autoptr (MtModel) model = train_model (methods[m], changes[i][0], changes[i][1]);
          g_autofree char *changed = describe_terms (model);

          g_test_message ("%s %s", methods[m], changes[i][0]);
          g_assert_cmpstr (changed, !=, terms);
        }
    }
}

/* What the folds thought of the other paths is in the file, and how often the rules were trained. */
static void
test_choice (void)
{
  g_autoptr (MtModel) model = train_model ("ttsparse", "--nodes", "50");
  MtFrontierPoint point = { 0 };
  g_autofree char *choice = NULL;
  guint n_known = 0;

  g_assert_true (mt_model_read_choice (model, &point));
  for (guint p = 0; p < MT_N_PATHS; p++)
    n_known += isfinite (point.over_mean[p]) && point.over_se[p] >= 0;
  g_assert_true (isnan (point.over_mean[point.path]));
  g_assert_cmpuint (n_known, >, 0);
  choice = mt_frontier_point_dup_choice (&point);
  g_assert_nonnull (choice);
  g_assert_cmpint (point.path, ==, MT_PATH_TUNED);
  g_assert_cmpuint (point.n_trainings, >, 0);
  g_assert_cmpuint (point.n_kept, <=, point.n_trainings);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-train/derive", test_derive);
  g_test_add_data_func ("/cli-train/huge/classes", GINT_TO_POINTER (FALSE), test_huge_numbers);
  g_test_add_data_func ("/cli-train/huge/numbers", GINT_TO_POINTER (TRUE), test_huge_numbers);
  g_test_add_func ("/cli-train/huge/score", test_score_too_large);
  g_test_add_func ("/cli-train/huge/weight", test_weight_too_large);
  g_test_add_data_func ("/cli-train/sample/loan", &samples[0], test_sample);
  g_test_add_data_func ("/cli-train/sample/triage", &samples[1], test_sample);
  g_test_add_data_func ("/cli-train/sample/energy", &samples[2], test_sample);
  g_test_add_func ("/cli-train/test-file", test_test_file);
  g_test_add_func ("/cli-train/split-by", test_split_by);
  g_test_add_func ("/cli-train/baselines", test_baselines);
  g_test_add_func ("/cli-train/network", test_network);
  g_test_add_func ("/cli-train/fidelity", test_fidelity);
  g_test_add_func ("/cli-train/class-weights", test_class_weights);
  g_test_add_func ("/cli-train/no-network", test_no_network);
  g_test_add_func ("/cli-train/magnitude", test_magnitude);
  g_test_add_func ("/cli-train/interrupted", test_interrupted);
  g_test_add_func ("/cli-train/bad-usage", test_bad_usage);
  g_test_add_func ("/cli-train/constraints", test_constraints);
  g_test_add_func ("/cli-train/thresholds", test_thresholds);
  g_test_add_func ("/cli-train/lone-class", test_lone_class);
  g_test_add_func ("/cli-train/bad-target", test_bad_target);
  g_test_add_func ("/cli-train/json-text", test_json_text);
  g_test_add_func ("/cli-train/network-settings", test_network_settings);
  g_test_add_func ("/cli-train/choice", test_choice);
  return g_test_run ();
}
