/* The search for rules with exact sums on a GPU: the same models as with the same sums on the CPU, bit for bit, whatever the
 * order of threads and streams, and even if the device is lost on the way. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-random.h"
#include "gpu-steps.h"
#include "learn/mt-refine-sums.h"
#include "learn/mt-refine.h"
#include "netdata.h"

enum { N_GROUPS = 12, N_BITS = 4, N_NUMERIC = 2 };

typedef struct {
  MtEncoded *encoded;
  double    *target;
} Rows;

static void
rows_clear (Rows *self)
{
  mt_encoded_unref (self->encoded);
  g_free (self->target);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

/* Two conjunctions, a number, and noise. */
static void
rows_init (Rows  *self,
           gsize  n_rows)
{
  MtRandom random;

  self->encoded = mt_test_encoded (N_GROUPS, N_BITS, N_NUMERIC, n_rows, 17);
  self->target = g_new (double, n_rows);
  mt_random_init (&random, 4);
  for (gsize r = 0; r < n_rows; r++)
    {
      guint bits[4];
      const guint literals[] = { 1, 6, 9, 14 };
      double score;

      for (guint i = 0; i < 4; i++)
        bits[i] = mt_encoded_get_plane (self->encoded, literals[i])[r / 64] >> (r % 64) & 1;
      score = 2.5 * (bits[0] & bits[1]) - 2 * (bits[2] & !bits[3]) + .7 * mt_encoded_get_numeric (self->encoded, 0)[r] - .2;
      self->target[r] = mt_random_double (&random) < 1 / (1 + exp (-score));
    }
}

static GPtrArray *
search (const Rows *rows,
        const char *sums,
        gboolean    balance,
        gboolean    tune)
{
  g_autoptr (GError) error = NULL;
  MtRefineOptions options;
  GPtrArray *visited;

  mt_refine_options_init (&options);
  options.sums_device = sums;
  options.balance_classes = balance;
  options.tune = tune;
  options.per_round = 4;
  visited = mt_refine_run (rows->encoded, rows->target, MT_TASK_BINARY, 1, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return visited;
}

/* To the last bit. */
static gboolean
is_same_model (const MtPathModel *a,
               const MtPathModel *b)
{
  if (a->complexity != b->complexity || a->loss != b->loss || a->is_tuned != b->is_tuned ||
      mt_rule_set_get_n_terms (a->rules) != mt_rule_set_get_n_terms (b->rules) ||
      mt_rule_set_get_bias (a->rules)[0] != mt_rule_set_get_bias (b->rules)[0])
    return FALSE;
  for (guint t = 0; t < mt_rule_set_get_n_terms (a->rules); t++)
    {
      const MtTerm *x = mt_rule_set_get_term (a->rules, t), *y = mt_rule_set_get_term (b->rules, t);

      if (x->is_numeric != y->is_numeric || x->weights[0] != y->weights[0] ||
          (x->is_numeric ? x->numeric != y->numeric : !mt_rule_equal (x->rule, y->rule)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_same_path (GPtrArray *a,
              GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!is_same_model (a->pdata[i], b->pdata[i]))
      return FALSE;
  return TRUE;
}

static void
test_same_models (gconstpointer data)
{
  gboolean balance = GPOINTER_TO_INT (data) & 1, tune = GPOINTER_TO_INT (data) & 2;
  g_auto (Rows) rows = { 0 };
  g_autoptr (GPtrArray) cpu = NULL, doubles = NULL;
  double far = 0;

  rows_init (&rows, 331);
  cpu = search (&rows, "cpu", balance, tune);
  for (uint64_t seed = 0; seed < 2; seed++)
    {
      g_autoptr (GPtrArray) cuda = NULL;
      uint64_t n_kernels, n_graphs;

      gpu_use_host (seed, 32);
      mt_gpu_host_session_blocks = seed == 0 ? 1 : 5;
      cuda = search (&rows, "cuda", balance, tune);
      mt_gpu_host_session_blocks = 1;
      g_assert_null (mt_host_get_fault ());
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
      mt_host_get_launches (&n_kernels, &n_graphs);
      g_assert_cmpuint (n_kernels, >, 600);          /* it was the device */
      g_assert_true (is_same_path (cuda, cpu));
      g_test_message ("%u models, %" G_GUINT64_FORMAT " launches", cuda->len, n_kernels);
    }
  /* Doubles begin at the same model, as far as a fit goes: the objective is the same and has one minimum. */
  doubles = search (&rows, NULL, balance, tune);
  far = fabs (((MtPathModel *) doubles->pdata[0])->loss - ((MtPathModel *) cpu->pdata[0])->loss);
  g_test_message ("the first loss differs by %g", far);
  g_assert_cmpuint (((MtPathModel *) doubles->pdata[0])->complexity, ==, ((MtPathModel *) cpu->pdata[0])->complexity);
  g_assert_cmpfloat (far, <, 2e-2);           /* of some 200 nats: twice what a fit may leave */
  /* The comparison can fail. */
  g_assert_false (is_same_path (doubles, cpu));
}

/* The device is lost at one call after the other: the CPU goes on to the same models. */
static void
test_lost (void)
{
  g_auto (Rows) rows = { 0 };
  g_autoptr (GPtrArray) cpu = NULL;
  guint n_lost = 0;

  rows_init (&rows, 130);
  cpu = search (&rows, "cpu", FALSE, FALSE);
  for (guint n = 1; n < 100000; n = n * 5 / 2 + 1)
    {
      g_autoptr (GPtrArray) cuda = NULL;

      gpu_use_host (0, 32);
      mt_host_fail_at (n, n % 2 ? LAUNCH_FAILED : OUT_OF_MEMORY);
      cuda = search (&rows, "cuda", FALSE, FALSE);
      g_assert_true (is_same_path (cuda, cpu));
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
      if (mt_host_get_calls_left () > 0)
        break;
      n_lost++;
    }
  g_assert_cmpuint (n_lost, >, 5);
  mt_host_reset (0);
}

/* More planes than a session begins with, columns that come and go, and a device that is not there. */
static void
test_place (void)
{
  g_auto (Rows) rows = { 0 };
  g_autoptr (MtRefineSums) cpu = NULL, cuda = NULL;
  MtRefineSums *places[2];
  double residuals[2][700], grams[2][4];
  double loss[2];
  MtRefineSumsWork before, after;

  rows_init (&rows, 200);
  mt_refine_sums_get_work (&before);
  gpu_use_host (3, 32);
  places[0] = cpu = mt_refine_sums_new ("cpu", 0, rows.encoded, rows.target, NULL);
  places[1] = cuda = mt_refine_sums_new ("cuda", 0, rows.encoded, rows.target, NULL);
  for (guint p = 0; p < 2; p++)
    {
      guint numbers[700];
      double weights[700];
      MtLinearFitScore score = { G_N_ELEMENTS (numbers), numbers, weights, .3, NULL, 0, 0, residuals[p] };

      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        {
          numbers[i] = mt_refine_sums_functions.put (places[p], mt_encoded_get_plane (rows.encoded, i % 20));
          weights[i] = sin (i) / 50;
          /* One in three goes, and its number comes back. */
          if (i % 3 == 0)
            {
              mt_refine_sums_functions.drop (places[p], numbers[i]);
              g_assert_cmpuint (mt_refine_sums_functions.put (places[p], mt_encoded_get_plane (rows.encoded, i % 20)), ==,
                                numbers[i]);
            }
        }
      mt_refine_sums_functions.score (places[p], &score);
      mt_refine_sums_functions.gram (places[p], numbers + 690, 2, grams[p]);
      loss[p] = score.loss;
    }
  g_assert_cmpfloat (loss[0], ==, loss[1]);
  g_assert_cmpmem (residuals[0], sizeof residuals[0], residuals[1], sizeof residuals[1]);
  g_assert_cmpfloat (grams[0][0], ==, grams[1][0]);
  g_assert_cmpfloat (grams[0][1], ==, grams[1][1]);
  g_assert_cmpfloat (grams[0][3], ==, grams[1][3]);
  g_assert_cmpfloat (grams[0][0], >, 0);
  g_clear_pointer (&cuda, mt_refine_sums_free);
  mt_refine_sums_get_work (&after);
  g_assert_cmpuint (after.n_lost, ==, before.n_lost);
  mt_host_pretend (0, 0);
  cuda = mt_refine_sums_new ("cuda", 0, rows.encoded, rows.target, NULL);
  mt_refine_sums_get_work (&after);
  g_assert_cmpuint (after.n_lost, ==, before.n_lost + 1);
  mt_host_pretend (13000, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu-refine/place", test_place);
  g_test_add_data_func ("/gpu-refine/same-models/plain", GINT_TO_POINTER (0), test_same_models);
  g_test_add_data_func ("/gpu-refine/same-models/balanced", GINT_TO_POINTER (1), test_same_models);
  g_test_add_data_func ("/gpu-refine/same-models/tuned", GINT_TO_POINTER (2), test_same_models);
  g_test_add_func ("/gpu-refine/lost", test_lost);
  return g_test_run ();
}
