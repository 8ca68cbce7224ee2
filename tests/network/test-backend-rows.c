/* Rows as backends keep them: every code and number where it belongs, in the order asked for, and nothing but zeros
 * between them. */
#include "config.h"

#include <string.h>

#include "backend-cases.h"
#include "network/mt-backend-rows.h"

/* Ragged on purpose: not a multiple of the 256 rows that are gathered at a time. */
#define N_ROWS 601

static void
check_rows (const MtTestCase    *it,
            const MtBackendRows *rows,
            const guint32       *which,
            gsize                n,
            gsize                code_stride)
{
  guint n_groups = mt_encoded_get_n_groups (it->encoded);
  gsize stride = it->net->layout.n_numeric8;

  g_assert_cmpuint (rows->n_rows, ==, n);
  for (gsize r = 0; r < n; r++)
    {
      gsize row = which != NULL ? which[r] : r;

      for (gsize g = 0; g < code_stride; g++)
        g_assert_cmpuint (rows->codes[r * code_stride + g], ==,
                          g < n_groups ? mt_encoded_get_codes (it->encoded, (guint) g)[row] : 0);
      for (gsize u = 0; u < stride; u++)
        g_assert_cmpfloat (rows->numeric[r * stride + u], ==,
                           u < it->net->shape.n_numeric ? (float) mt_encoded_get_numeric (it->encoded, (guint) u)[row]
                                                        : 0.0f);
      if (which != NULL)
        g_assert_cmpfloat (rows->y[r], ==, it->y[row]);
    }
}

static void
test_all (void)
{
  g_auto (MtTestCase) it = { 0 };
  MtBackendRows rows;
  MtBackendJob job;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 7, 5, 3, 2, 1, N_ROWS);
  job = mt_test_case_job (&it, 64, 1);
  mt_backend_rows_init (&rows, &job, NULL, N_ROWS, 16);
  check_rows (&it, &rows, NULL, N_ROWS, 16);
  g_assert_null (rows.y);
  mt_backend_rows_clear (&rows);
  g_assert_null (rows.codes);
  mt_backend_rows_clear (&rows);      /* twice is once */
}

/* Some rows, one of them twice, in an order of their own; and none. */
static void
test_some (void)
{
  g_auto (MtTestCase) it = { 0 };
  MtBackendRows rows;
  MtBackendJob job;

  mt_test_case_init (&it, MT_TASK_REGRESSION, MT_NODE_STANDARD, 5, 3, 3, 2, 1, N_ROWS);
  job = mt_test_case_job (&it, 64, 1);
  it.order[300] = it.order[7];
  for (gsize n = 0; n <= 513; n = n == 0 ? 1 : n * 8 + 1)
    {
      mt_backend_rows_init (&rows, &job, it.order, n, 32);
      check_rows (&it, &rows, it.order, n, 32);
      mt_backend_rows_clear (&rows);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backend-rows/all", test_all);
  g_test_add_func ("/backend-rows/some", test_some);
  return g_test_run ();
}
