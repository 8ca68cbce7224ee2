/* The measurements of the learner, from outside: their JSON and their refusals. Times are
 * not judged here. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <sys/wait.h>

#include "testutils.h"

static int
run (char      **output,
     char      **errors,
     const char *first,
     ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  va_list args;
  int status;

  g_clear_pointer (output, g_free);   /* of an earlier run */
  g_clear_pointer (errors, g_free);
  g_ptr_array_add (argv, (char *) g_getenv ("MINTERM_CLI"));
  g_ptr_array_add (argv, (char *) "bench");
  va_start (args, first);
  for (const char *arg = first; arg != NULL; arg = va_arg (args, const char *))
    g_ptr_array_add (argv, (char *) arg);
  va_end (args);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, output, errors, &status,
                &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static double
number (const MtJson *object,
        const char *name)
{
  if (mt_json_find (object, name) == NULL)
    g_error ("there is no %s", name);
  return mt_test_json_number (object, name);
}

static MtJson *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  MtJson *root = mt_json_parse (text, -1, &error);

  g_assert_no_error (error);
  return root;
}

static void
test_step (void)
{
  g_autoptr (MtJson) root = NULL;
  g_autofree char *output = NULL, *errors = NULL, *text = NULL;
  const MtJson *growth;

  g_assert_cmpint (run (&output, &errors, "step", "--rows", "300", "--columns", "5", "--bits", "4", "--nodes",
                        "7",
                        "--fan-in", "3", "--threads", "1", "--steps", "40", "--json", NULL), ==, 0);
  g_assert_cmpstr (errors, ==, "");
  root = parse (output);
  g_assert_cmpfloat (number (root, "literals"), ==, 20.0);
  g_assert_cmpfloat (number (root, "steps"), ==, 40.0);
  g_assert_cmpfloat (number (root, "threads"), ==, 1.0);
  g_assert_cmpfloat (number (root, "ms_per_step_min"), >, 0.0);
  g_assert_cmpfloat (number (root, "ms_per_step_median"), >=, number (root, "ms_per_step_min"));
  if (mt_json_find (root, "blas_core") != NULL)
    g_assert_cmpfloat (fabs (number (root, "ratio") * number (root, "blas_product_ms") -
                             number (root, "ms_per_step_min")), <, 1e-9);
  /* It is a training step: the loss falls. */
  g_assert_cmpfloat (number (root, "loss_last"), <, number (root, "loss_first"));
  growth = mt_test_json_object (root, "growth");
  g_assert_cmpfloat (number (growth, "rows"), >, 0.0);
  g_assert_cmpfloat (number (growth, "columns"), >, 0.0);
  g_assert_cmpfloat (number (growth, "nodes"), >, 0.0);

  g_clear_pointer (&output, g_free);
  g_clear_pointer (&errors, g_free);
  g_assert_cmpint (run (&text, &errors, "step", "--rows", "64", "--outputs", "4", "--steps", "5",
                        "--no-growth", NULL),
                   ==, 0);
  g_assert_nonnull (strstr (text, "64 rows × 198 literals, 50 nodes of fan-in 6, 4 output(s)"));
}

static void
test_topk (void)
{
  g_autoptr (MtJson) root = NULL;
  g_autofree char *output = NULL, *errors = NULL;
  const MtJson *sizes, *flow, *halving;

  g_assert_cmpint (run (&output, &errors, "topk", "--json", NULL), ==, 0);
  root = parse (output);
  sizes = mt_test_json_array (root, "sizes");
  g_assert_cmpuint (mt_json_get_n_children (sizes), ==, 12);
  for (guint i = 0; i < mt_json_get_n_children (sizes); i++)
    {
      const MtJson *it = mt_json_get_child (sizes, i);

      g_assert_cmpfloat (number (it, "worst_error"), <=, 1e-6);
      g_assert_cmpfloat (number (it, "passes_cold"), <=, 16.0);
      g_assert_cmpfloat (number (it, "forward_warm_ms"), >, 0.0);
      g_assert_cmpfloat (number (it, "backward_ms"), >, 0.0);
    }
  flow = mt_test_json_array (root, "mass_flow");
  for (guint i = 0; i < mt_json_get_n_children (flow); i++)
    {
      const MtJson *mass = mt_test_json_array (mt_json_get_child (flow, i), "mass");
      double sum = 0.0;

      for (guint j = 0; j < mt_json_get_n_children (mass); j++)
        sum += mt_json_get_number (mt_json_get_child (mass, j));
      g_assert_cmpfloat (fabs (sum - 3.0), <, 3e-6);
    }
  halving = mt_test_json_array (root, "halving_errors");
  g_assert_cmpfloat (mt_json_get_number (mt_json_get_child (halving, 31)), <, 1e-6);
}

static void
test_train (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  g_autoptr (MtJson) root = NULL;
  g_autofree char *output = NULL, *errors = NULL, *text = NULL;

  g_assert_cmpint (run (&output, &errors, "train", path, "--target", "approved", "--nodes", "8", "--fan-in",
                        "3",
                        "--epochs", "30", "--json", NULL), ==, 0);
  root = parse (output);
  g_assert_cmpfloat (number (root, "metric_mean"), >, 0.6);
  g_assert_cmpfloat (number (root, "validation_mean"), >, 0.6);
  g_assert_cmpfloat (number (root, "data_mb"), >, 0.0);
  g_assert_cmpfloat (number (root, "train_mb"), >, 0.0);
  g_assert_cmpfloat (number (root, "literals"), >, 3.0);
  g_assert_cmpint (run (&text, &errors, "train", path, "--target", "approved", "--head", "levels", "--node",
                        "deep",
                        "--nodes", "2", "--fan-in", "2", "--epochs", "2", "--no-tau", NULL), ==, 0);
  g_assert_nonnull (strstr (text, "mean "));
}

static void
refused (int                 code,
         const char         *says,
         const char * const *arguments)
{
  g_autofree char *output = NULL, *errors = NULL;

  g_assert_cmpint (run (&output, &errors, arguments[0], arguments[1], arguments[2], arguments[3],
                        arguments[4],
                        arguments[5], NULL), ==, code);
  g_assert_cmpstr (output, ==, "");
  if (strstr (errors, says) == NULL)
    g_error ("'%s' does not say '%s'", errors, says);
}

#define REFUSED(code, says, ...) refused (code, says, (const char * const[6]) { __VA_ARGS__ })

/* The compiled evaluator says what a plain one says; the rate is not judged. */
static void
test_predict (void)
{
  const char *outputs[] = { "1", "3" };

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    {
      g_autoptr (MtJson) root = NULL;
      g_autofree char *output = NULL, *errors = NULL;

      g_assert_cmpint (run (&output, &errors, "predict", "--rows", "5003", "--rules", "30", "--fan-in", "7", "--outputs",
                            outputs[i], "--repeat", "1", "--json", NULL), ==, 0);
      g_assert_cmpstr (errors, ==, "");
      root = parse (output);
      g_assert_cmpint (mt_test_json_integer (root, "checked_rows"), ==, 5000);
      g_assert_cmpint (mt_test_json_integer (root, "scores_differ"), ==, 0);
      g_assert_cmpint (mt_test_json_integer (root, "literals"), >, 200);
      g_assert_cmpfloat (mt_test_json_number (root, "rules_rows_per_second"), >, 0);
    }
}

static void
test_refine (void)
{
  g_autoptr (MtJson) root = NULL;
  g_autofree char *output = NULL, *errors = NULL;

  g_assert_cmpint (run (&output, &errors, "refine", "--rows", "600", "--columns", "9", "--bits", "4", "--outputs", "3",
                        "--json", NULL), ==, 0);
  g_assert_cmpstr (errors, ==, "");
  root = parse (output);
  g_assert_cmpint (mt_test_json_integer (root, "candidates"), ==, 36);
  g_assert_cmpint (mt_test_json_integer (root, "visited"), >, 10);
  g_assert_cmpfloat (mt_test_json_number (root, "train_at_30"), >, .7);
  g_clear_pointer (&output, g_free);
  g_assert_cmpint (run (&output, &errors, "refine", "--rows", "300", "--columns", "9", "--bits", "3", NULL), ==, 0);
  g_assert_nonnull (strstr (output, "300 rows, 9 columns × 3 bits"));
}

/* Cancelled wherever it is, it ends as cancelled, which the command itself checks; how fast is not judged. */
static void
test_report (void)
{
  g_autoptr (MtJson) root = NULL;
  g_autofree char *output = NULL, *errors = NULL;

  g_assert_cmpint (run (&output, &errors, "report", "--rows", "60", "--columns", "3", "--rules", "4", "--cancels", "7", "--json",
                        NULL), ==, 0);
  g_assert_cmpstr (errors, ==, "");
  root = parse (output);
  g_assert_cmpint (mt_test_json_integer (root, "progress_words"), >, 100);
  g_assert_cmpint (mt_test_json_integer (root, "bytes_pdf"), >, 10000);
  g_assert_cmpint (mt_test_json_integer (root, "bytes_html"), >, 10000);
  g_clear_pointer (&output, g_free);
  g_assert_cmpint (run (&output, &errors, "report", "--rows", "60", "--columns", "3", "--rules", "2", "--cancels", "0", NULL),
                   ==, 0);
  g_assert_nonnull (strstr (output, "2 rules, 60 rows: "));
}

static void
test_refused (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);

  REFUSED (2, "--rows must be between 1 and 1048576", "step", "--rows", "0");
  REFUSED (2, "--fan-in must be between 2 and 8", "report", "--fan-in", "9");
  REFUSED (2, "--fan-in must be between 1 and 16", "step", "--fan-in", "17");
  REFUSED (2, "--fan-in must be between 1 and 4", "step", "--columns", "2", "--bits", "2");
  REFUSED (2, "--steps must be between 0 and 1000000", "step", "--steps", "-1");
  REFUSED (2, "--fan-in must be between 1 and 16", "topk", "--fan-in", "0");
  REFUSED (2, "--temperature must be between 0.0001 and 10", "topk", "--temperature", "0");
  REFUSED (2, "--rules must be between 1 and 10000", "predict", "--rules", "0");
  REFUSED (2, "--fan-in must be between 2 and 8", "predict", "--fan-in", "9");
  REFUSED (2, "--rows must be between 100 and 10000000", "refine", "--rows", "10");
  REFUSED (2, "--outputs must be 1 (two classes) or at least 3", "refine", "--outputs", "2");
  REFUSED (2, "bench train takes one file", "train");
  REFUSED (2, "--head must be numeric, levels, or literals", "train", path, "--target", "approved", "--head",
           "heavy");
  REFUSED (2, "--node must be standard or deep", "train", path, "--target", "approved", "--node", "odd");
  REFUSED (2, "--start must be scan or random", "train", path, "--target", "approved", "--start", "odd");
  REFUSED (2, "--target must name the column to predict", "train", path);
  REFUSED (2, "seeds and bits at least 1", "train", path, "--target", "approved", "--seeds", "0");
  REFUSED (1, "nodes must be between 1 and 10000, not 0", "train", path, "--target", "approved", "--nodes",
           "0");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-bench/step", test_step);
  g_test_add_func ("/cli-bench/topk", test_topk);
  g_test_add_func ("/cli-bench/train", test_train);
  g_test_add_func ("/cli-bench/predict", test_predict);
  g_test_add_func ("/cli-bench/refine", test_refine);
  g_test_add_func ("/cli-bench/report", test_report);
  g_test_add_func ("/cli-bench/refused", test_refused);
  return g_test_run ();
}
