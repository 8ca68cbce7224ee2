/* Exact sums (network/mt-sums.h): of the CPU and of the kernels run on the CPU, in several orders and cut in several ways,
 * to the last bit; against plain doubles; refused memory and a lost device. */
#include "config.h"

#include <math.h>

#include "base/mt-error.h"
#include "base/mt-random.h"
#include "gpu-steps.h"
#include "network/mt-fixed.h"
#include "network/mt-sums.h"

enum { N_PLANES = 75, N_RULES = 5 };

typedef struct {
  gsize      n_rows, n_words;
  guint64   *planes;
  guint8    *y;
  gint64    *offset;
  double     weights[2];
  MtGpuRule  rules[N_RULES];
  guint      n_sums;
} Case;

static void
case_init (Case  *it,
           gsize  n_rows)
{
  MtRandom random;

  mt_random_init (&random, n_rows + 600);
  *it = (Case) { .n_rows = n_rows, .n_words = (n_rows + 63) / 64, .weights = { 1.0, 0.4 } };
  it->planes = g_new0 (guint64, N_PLANES * it->n_words + 1);
  it->y = g_new (guint8, n_rows + 1);
  it->offset = g_new (gint64, n_rows + 1);
  for (gsize r = 0; r < n_rows; r++)
    {
      it->y[r] = (guint8) mt_random_below (&random, 2);
      it->offset[r] = mt_fixed_of (3 * mt_random_normal (&random), MT_FIXED_SCORE);
      for (guint p = 0; p < N_PLANES; p++)
        it->planes[p * it->n_words + r / 64] |= (guint64) (mt_random_below (&random, 2 + p % 5) == 0) << (r % 64);
    }
  for (guint i = 0; i < N_RULES; i++)
    {
      MtGpuRule *rule = &it->rules[i];

      *rule = (MtGpuRule) { .n_inputs = i == 4 ? 8 : 1 + i, .weight = mt_random_normal (&random), .first = it->n_sums };
      rule->more[0] = expm1 (rule->weight);
      rule->more[1] = expm1 (-rule->weight);
      it->n_sums += 1u << rule->n_inputs;
      for (guint k = 0; k < rule->n_inputs; k++)
        rule->inputs[k] = (7 * i + 11 * k) % N_PLANES;
      for (guint w = 0; w < 8; w++)
        rule->table[w] = (guint32) mt_random_next (&random);
    }
}

static void
case_clear (Case *it)
{
  g_free (it->planes);
  g_free (it->y);
  g_free (it->offset);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

enum { N_A = 70, N_B = 66, N_MASKS = 3, N_COLUMNS = 20 };

/* All that a session says, one after the other. */
typedef struct {
  gint64 loss, residual;
  gint64 residuals[N_COLUMNS];
  gint64 grams[2][N_MASKS * N_A * N_B];
  gint64 square[N_A * N_A];
  gint64 gains[2 + 4 + 8 + 16 + 256];
} Answers;

static gboolean
ask (const char  *device,
     const Case  *it,
     Answers     *to,
     GError     **error)
{
  static const guint32 masks[N_MASKS] = { 3, 74, 40 };
  MtGpuSumsData data = { N_PLANES, it->n_rows, it->y, { it->weights[0], it->weights[1] } };
  g_autoptr (MtSums) sums = mt_sums_new (device, &data, 0, error);
  g_autofree gint32 *numbers = g_new (gint32, it->n_rows + 1);
  guint32 a[N_A], b[N_B], columns[N_COLUMNS];
  gint64 weights[N_COLUMNS];
  MtGpuScores scores = { N_COLUMNS, columns, weights, mt_fixed_of (-.5, MT_FIXED_SCORE), it->offset, 0, 0, to->residuals };

  memset (to, 0, sizeof *to);
  for (guint p = 0; p < N_PLANES; p++)
    if (sums == NULL || !mt_sums_put (sums, p, it->planes + p * it->n_words, error))
      return FALSE;
  for (guint i = 0; i < N_A; i++)
    a[i] = (i * 3) % N_PLANES;
  for (guint i = 0; i < N_B; i++)
    b[i] = (i * 2 + 1) % N_PLANES;
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      columns[i] = i * 3 + 5;
      weights[i] = mt_fixed_of (.3 * ((double) i - 9.5), MT_FIXED_SCORE);
    }
  if (!mt_sums_score (sums, &scores, error))
    return FALSE;
  to->loss = scores.loss;
  to->residual = scores.residual;
  for (guint by = 0; by < 2; by++)
    {
      MtGpuGram gram = { by, N_A, N_B, N_MASKS, a, b, masks, FALSE, to->grams[by] };

      if (!mt_sums_gram (sums, &gram, error))
        return FALSE;
    }
  if (!mt_sums_gram (sums, &(MtGpuGram) { MT_GPU_BY_CURVATURE, N_A, N_A, 1, a, a, NULL, TRUE, to->square }, error))
    return FALSE;
  for (guint i = 0; i < N_A; i++)      /* what is not asked for */
    memset (to->square + i * N_A, 0, i * sizeof *to->square);
  if (!mt_sums_gains (sums, it->rules, N_RULES, it->n_sums, to->gains, error) ||
      !mt_sums_get_rows (sums, MT_GPU_BY_RESIDUAL, numbers, error))
    return FALSE;
  /* Rows that the caller makes: the largest and the smallest numbers. */
  for (gsize r = 0; r < it->n_rows; r++)
    numbers[r] = r % 3 == 0 ? (1 << MT_FIXED_RESIDUAL) - 1 : r % 3 == 1 ? -(1 << MT_FIXED_RESIDUAL) : numbers[r];
  return mt_sums_set_rows (sums, MT_GPU_BY_RESIDUAL, numbers, error) &&
         mt_sums_gram (sums, &(MtGpuGram) { MT_GPU_BY_RESIDUAL, 4, 4, 1, a, b, NULL, FALSE, to->square + N_A }, error);
}

static void
test_same_bits (gconstpointer data)
{
  gsize n_rows = GPOINTER_TO_SIZE (data);
  g_auto (Case) it = { 0 };
  g_autofree Answers *cpu = g_new (Answers, 1), *gpu = g_new (Answers, 1);
  g_autoptr (GError) error = NULL;

  case_init (&it, n_rows);
  g_assert_true (ask ("cpu", &it, cpu, &error));
  g_assert_no_error (error);
  for (guint round = 0; round < 3; round++)
    {
      gpu_use_host (round * 5, round == 2 ? 128 : 32);
      mt_gpu_host_session_blocks = round == 1 ? 64 : 1;
      g_assert_true (ask ("cuda", &it, gpu, &error));
      g_assert_no_error (error);
      g_assert_null (mt_host_get_fault ());
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
      g_assert_cmpmem (gpu, sizeof *gpu, cpu, sizeof *cpu);
    }
  mt_gpu_host_session_blocks = 1;
  /* The comparator can fail: another row. */
  it.planes[0] ^= 1;
  g_assert_true (ask ("cpu", &it, gpu, NULL));
  g_assert_cmpint (memcmp (gpu, cpu, sizeof *gpu), !=, 0);
}

/* Against doubles and the library's functions: as near as the whole numbers are fine. */
static void
test_right (void)
{
  g_auto (Case) it = { 0 };
  g_autofree Answers *cpu = g_new (Answers, 1);
  double loss = 0, residual = 0, gains[256] = { 0 };
  const MtGpuRule *rule = &it.rules[4];

  case_init (&it, 1000);
  g_assert_true (ask ("cpu", &it, cpu, NULL));
  for (gsize r = 0; r < it.n_rows; r++)
    {
      double eta = -.5 + mt_fixed_double (it.offset[r], MT_FIXED_SCORE), p, weight = it.weights[it.y[r]], by;
      guint pattern = 0;

      for (guint j = 0; j < N_COLUMNS; j++)
        if (it.planes[(j * 3 + 5) * it.n_words + r / 64] >> (r % 64) & 1)
          eta += .3 * ((double) j - 9.5);
      p = 1 / (1 + exp (-eta));
      loss += weight * (log1p (exp (-fabs (eta))) + MAX (eta, 0) - it.y[r] * eta);
      residual += weight * (it.y[r] - p);
      for (guint k = 0; k < rule->n_inputs; k++)
        pattern |= (guint) (it.planes[rule->inputs[k] * it.n_words + r / 64] >> (r % 64) & 1) << k;
      by = rule->table[pattern / 32] >> (pattern % 32) & 1 ? -rule->weight : rule->weight;
      gains[pattern] += weight * (log1p (p * expm1 (by)) - it.y[r] * by);
    }
  g_assert_cmpfloat (fabs (mt_fixed_double (cpu->loss, MT_FIXED_SUM) - loss), <, 1e-6);
  g_assert_cmpfloat (fabs (mt_fixed_double (cpu->residual, MT_FIXED_RESIDUAL) - residual), <, 1e-4);
  for (guint v = 0; v < 256; v++)
    g_assert_cmpfloat (fabs (mt_fixed_double (cpu->gains[rule->first + v], MT_FIXED_SUM) - gains[v]), <, 1e-7);
}

/* The functions of a row, over their range. */
static void
test_functions (void)
{
  for (double x = 0; x > -700; x = x * 1.01 - .001)
    g_assert_cmpfloat (fabs (mt_fixed_exp (x) / exp (x) - 1), <, 4e-15);
  for (double x = 1e-300; x < 1e300; x *= 1.37)
    g_assert_cmpfloat (fabs (mt_fixed_log (x) - log (x)), <=, 4e-15 * MAX (1, fabs (log (x))));
  for (double x = .7; x < 1.5; x += .001)
    g_assert_cmpfloat (fabs (mt_fixed_log (x) - log (x)), <, 1e-15);
  for (int side = -1; side <= 1; side += 2)
    {
      MtFixedRow far = mt_fixed_binary_row (mt_fixed_of (side * 1e6, MT_FIXED_SCORE), side < 0, 1.0);

      g_assert_cmpint (ABS (far.residual), >=, (1 << MT_FIXED_RESIDUAL) - 1);
      g_assert_cmpint (far.curvature, ==, MT_FIXED_LEAST_CURVATURE);
      g_assert_cmpfloat (fabs (mt_fixed_double (far.loss, MT_FIXED_SUM) - 1e6), <, 1e-3);
    }
}

/* Each call of the runtime fails once: an error with what to do, and nothing is left behind. */
static void
test_failing (gconstpointer data)
{
  int code = GPOINTER_TO_INT (data);
  g_auto (Case) it = { 0 };
  g_autofree Answers *answers = g_new (Answers, 1), *cpu = g_new (Answers, 1);
  guint n_failed = 0;

  case_init (&it, 130);
  g_assert_true (ask ("cpu", &it, cpu, NULL));
  for (guint n = 1; n < 400; n += n < 40 ? 1 : 17)
    {
      g_autoptr (GError) error = NULL;

      gpu_use_host (0, 32);
      mt_host_fail_at (n, code);
      if (ask ("cuda", &it, answers, &error))
        {
          g_assert_cmpmem (answers, sizeof *answers, cpu, sizeof *cpu);
          if (mt_host_get_calls_left () > 0)
            break;
          continue;
        }
      n_failed++;
      g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "the CPU"));
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
    }
  g_assert_cmpuint (n_failed, >, 20);
  gpu_use_host (0, 32);
  g_assert_true (ask ("cuda", &it, answers, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu-sums/functions", test_functions);
  g_test_add_func ("/gpu-sums/right", test_right);
  g_test_add_data_func ("/gpu-sums/same-bits/1000", GSIZE_TO_POINTER (1000), test_same_bits);
  g_test_add_data_func ("/gpu-sums/same-bits/257", GSIZE_TO_POINTER (257), test_same_bits);
  g_test_add_data_func ("/gpu-sums/same-bits/1", GSIZE_TO_POINTER (1), test_same_bits);
  g_test_add_data_func ("/gpu-sums/failing/memory", GINT_TO_POINTER (OUT_OF_MEMORY), test_failing);
  g_test_add_data_func ("/gpu-sums/failing/lost", GINT_TO_POINTER (LAUNCH_FAILED), test_failing);
  return g_test_run ();
}
