/* The node that learns functions: its gradient against differences, what standard nodes cannot learn and deep ones can. */
#include "config.h"

#include "lab/mt-lab-deep.h"

static void
test_gradient (gconstpointer data)
{
  MtLabFunctionNode node;
  g_autofree double *gradient = NULL;

  mt_lab_function_node_init (&node, 3, GPOINTER_TO_INT (data), 4);
  gradient = g_new (double, node.n_params);
  mt_lab_function_node_loss (&node, 0x6a, gradient);
  for (guint i = 0; i < node.n_params; i++)
    {
      double value = node.params[i], above, below;

      node.params[i] = value + 1e-6;
      above = mt_lab_function_node_loss (&node, 0x6a, NULL);
      node.params[i] = value - 1e-6;
      below = mt_lab_function_node_loss (&node, 0x6a, NULL);
      node.params[i] = value;
      g_assert_cmpfloat_with_epsilon (gradient[i], (above - below) / 2e-6, 1e-7);
    }
  mt_lab_function_node_clear (&node);
}

/* Majority is a threshold function, parity is none. */
static void
test_functions (void)
{
  g_assert_true (mt_lab_fit_function (3, 0xe8, FALSE, 1));
  g_assert_false (mt_lab_fit_function (3, 0x96, FALSE, 1));
  g_assert_true (mt_lab_fit_function (3, 0x96, TRUE, 1));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/lab-deep/gradient/standard", GINT_TO_POINTER (FALSE), test_gradient);
  g_test_add_data_func ("/lab-deep/gradient/deep", GINT_TO_POINTER (TRUE), test_gradient);
  g_test_add_func ("/lab-deep/functions", test_functions);
  return g_test_run ();
}
