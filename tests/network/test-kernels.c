/* Every kernel of every SIMD version against plain C: booleans and indices exactly, floats
 * within the bound given at each comparison (relative to the largest value compared). */
#include "config.h"

#include <math.h>
#include <string.h>

#include "network/mt-kernels-private.h"
#include "base/mt-random.h"

static const MtGroup groups[] = {
  { MT_GROUP_THERMOMETER, 0, 0, 9, FALSE },
  { MT_GROUP_THERMOMETER, 1, 9, 5, TRUE },
  { MT_GROUP_ONE_HOT, 2, 14, 40, FALSE },
  { MT_GROUP_ONE_HOT, 3, 54, 3, TRUE },
  { MT_GROUP_ONE_HOT, 4, 57, 1, FALSE },
  { MT_GROUP_THERMOMETER, 5, 58, 1, TRUE },
  { MT_GROUP_THERMOMETER, 6, 59, 1, FALSE },
  { MT_GROUP_THERMOMETER, 7, 60, 20, TRUE },
  { MT_GROUP_THERMOMETER, 8, 80, 254, FALSE },
};

enum {
  N_GROUPS = G_N_ELEMENTS (groups),
  N_LITERALS = 334,
  N_ROWS = 900,
  CODE_STRIDE = 16,
  STRIDE = 40,        /* floats a row of numbers */
};

typedef struct {
  guint8  *codes;               /* row-major */
  float   *numeric;
  guint32  rows[MT_CHUNK];
  guint8  *chunk_codes;
  guint64 *bits;
  float   *a, *b, *c;           /* 8 × 512 random floats each */
} Data;

static Data data;
static MtRandom rng;

static float *
random_floats (gsize  n,
               double spread)
{
  float *x = mt_aligned_new0 (n * sizeof (float));

  for (gsize i = 0; i < n; i++)
    x[i] = (float) (spread * mt_random_normal (&rng));
  return x;
}

static void
data_init (void)
{
  mt_random_init (&rng, 42);
  data.codes = mt_aligned_new0 (N_ROWS * CODE_STRIDE);
  for (guint r = 0; r < N_ROWS; r++)
    for (guint g = 0; g < N_GROUPS; g++)
      data.codes[r * CODE_STRIDE + g] = (guint8) mt_random_below (&rng, mt_group_get_n_codes (&groups[g]));
  data.numeric = random_floats (N_ROWS * STRIDE, 1.0);
  for (guint r = 0; r < MT_CHUNK; r++)
    data.rows[r] = (guint32) mt_random_below (&rng, N_ROWS);
  data.chunk_codes = mt_aligned_new0 (16 * MT_CHUNK);
  data.bits = mt_aligned_new0 (N_LITERALS * MT_CHUNK / 8);
  mt_kernels_c.gather_codes (data.codes, CODE_STRIDE, data.rows, MT_CHUNK, N_GROUPS, data.chunk_codes);
  mt_kernels_c.planes (groups, N_GROUPS, data.chunk_codes, data.bits);
  data.a = random_floats (8 * MT_CHUNK, 1.0);
  data.b = random_floats (8 * MT_CHUNK, 1.0);
  data.c = random_floats (8 * MT_CHUNK, 1.0);
}

static void
data_clear (void)
{
  mt_aligned_free (data.codes);
  mt_aligned_free (data.numeric);
  mt_aligned_free (data.chunk_codes);
  mt_aligned_free (data.bits);
  mt_aligned_free (data.a);
  mt_aligned_free (data.b);
  mt_aligned_free (data.c);
}

/* The largest difference, as a share of the largest size. */
static double
distance (const float *x,
          const float *y,
          gsize        n)
{
  double worst = 0.0, size = 1e-6;

  for (gsize i = 0; i < n; i++)
    {
      if (!isfinite (x[i]) || !isfinite (y[i]))
        return INFINITY;
      worst = MAX (worst, fabs ((double) x[i] - (double) y[i]));
      size = MAX (size, fabs ((double) y[i]));
    }
  return worst / size;
}

static void
assert_floats (float       *x,
               const float *y,
               gsize        n,
               double       bound,
               const char  *what)
{
  double found = distance (x, y, n);
  gsize at = 0;
  float keep;

  if (!(found <= bound))
    g_error ("%s: %g is over the bound %g", what, found, bound);
  /* The comparator can fail: a fault planted in one value is seen. */
  for (gsize i = 0; i < n; i++)
    if (fabsf (y[i]) > fabsf (y[at]))
      at = i;
  keep = x[at];
  x[at] += 4.0f * (float) bound * MAX (fabsf (y[at]), 1e-6f);
  g_assert_cmpfloat (distance (x, y, n), >, bound);
  x[at] = keep;
}

static const MtKernels *
version (gconstpointer name)
{
  const MtKernels *kernels = mt_kernels_by_name (name);

  if (kernels == NULL)
    g_test_skip ("this machine does not run it");
  return kernels;
}

static void
test_sigmoid (gconstpointer name)
{
  const MtKernels *kernels = version (name);
  const gsize sizes[] = { 1, 7, 64, 203 };

  for (guint s = 0; kernels != NULL && s < G_N_ELEMENTS (sizes); s++)
    {
      gsize n = sizes[s];
      float *hi = data.a, *f = mt_aligned_new0 (64);
      float *p = mt_aligned_new0 (n * 64), *q = mt_aligned_new0 (n * 64);
      double sum[16], slope[16], sum_c[16], slope_c[16];

      for (guint l = 0; l < 16; l++)
        f[l] = 1.0f + 0.001f * (float) l;
      mt_kernels_c.sigmoid_block (data.b, n, hi, f, 7.0f, p, sum_c, slope_c);
      kernels->sigmoid_block (data.b, n, hi, f, 7.0f, q, sum, slope);
      assert_floats (q, p, n * 16, 1e-6, "sigmoid");
      for (guint l = 0; l < 16; l++)
        {
          g_assert_cmpfloat (fabs (sum[l] - sum_c[l]), <=, 1e-6 * sum_c[l]);
          g_assert_cmpfloat (fabs (slope[l] - slope_c[l]), <=, 1e-5 * slope_c[l] + 1e-6);
        }
      mt_aligned_free (f);
      mt_aligned_free (p);
      mt_aligned_free (q);
    }
}

static void
test_rows (gconstpointer name)
{
  const MtKernels *kernels = version (name);
  const guint counts[] = { 1, 15, 16, 17, 100, 511, 512 };
  guint8 *x = mt_aligned_new0 (16 * MT_CHUNK), *y = mt_aligned_new0 (16 * MT_CHUNK);
  guint64 *p = mt_aligned_new0 (N_LITERALS * MT_CHUNK / 8), *q = mt_aligned_new0 (N_LITERALS * MT_CHUNK / 8);

  for (guint i = 0; kernels != NULL && i < G_N_ELEMENTS (counts); i++)
    {
      mt_kernels_c.gather_codes (data.codes, CODE_STRIDE, data.rows, counts[i], N_GROUPS, x);
      kernels->gather_codes (data.codes, CODE_STRIDE, data.rows, counts[i], N_GROUPS, y);
      g_assert_cmpmem (x, N_GROUPS * MT_CHUNK, y, N_GROUPS * MT_CHUNK);
      mt_kernels_c.planes (groups, N_GROUPS, x, p);
      kernels->planes (groups, N_GROUPS, x, q);
      g_assert_cmpmem (p, N_LITERALS * MT_CHUNK / 8, q, N_LITERALS * MT_CHUNK / 8);
      /* Against the header's own definition of a literal. */
      for (guint g = 0; g < N_GROUPS; g++)
        for (guint l = 0; l < groups[g].n_literals; l++)
          for (guint r = 0; r < MT_CHUNK; r++)
            g_assert_cmpint (mt_plane_get (p + (groups[g].first_literal + l) * MT_CHUNK_WORDS, r), ==,
                             mt_group_literal_is_true (&groups[g], l, x[g * MT_CHUNK + r]));
    }
  mt_aligned_free (x);
  mt_aligned_free (y);
  mt_aligned_free (p);
  mt_aligned_free (q);
}

static void
test_nodes (gconstpointer name)
{
  const MtKernels *kernels = version (name);
  guint64 *x = mt_aligned_new0 (64), *y = mt_aligned_new0 (64);

  for (guint round = 0; kernels != NULL && round < 200; round++)
    {
      guint32 inputs[16];
      guint64 table[4];
      guint k = round % 9, wide = 1 + round % 16;

      for (guint i = 0; i < 16; i++)
        inputs[i] = (guint32) mt_random_below (&rng, N_LITERALS);
      for (guint i = 0; i < 4; i++)
        table[i] = mt_random_next (&rng);
      mt_kernels_c.node_table (data.bits, inputs, k, table, x);
      for (guint r = 0; r < MT_CHUNK; r++)
        {
          guint v = 0;

          for (guint i = 0; i < k; i++)
            v |= (guint) mt_plane_get (data.bits + inputs[i] * MT_CHUNK_WORDS, r) << i;
          g_assert_cmpint (mt_plane_get (x, r), ==, table[v / 64] >> (v % 64) & 1);
        }
      kernels->node_table (data.bits, inputs, k, table, y);
      g_assert_cmpmem (x, 64, y, 64);
      /* Weights in halves, so that sums of exactly zero occur. */
      for (guint i = 0; i < 16; i++)
        data.a[i] = (float) mt_random_below (&rng, 9) * 0.5f - 2.0f;
      mt_kernels_c.node_sum (data.bits, inputs, data.a, -1.0f, wide, x);
      kernels->node_sum (data.bits, inputs, data.a, -1.0f, wide, y);
      g_assert_cmpmem (x, 64, y, 64);
    }
  mt_aligned_free (x);
  mt_aligned_free (y);
}

static void
test_scores (gconstpointer name)
{
  const MtKernels *kernels = version (name);
  float *x = mt_aligned_new0 (MT_CHUNK * 4), *y = mt_aligned_new0 (MT_CHUNK * 4);

  if (kernels != NULL)
    {
      mt_kernels_c.add_bits (x, data.bits, 73, data.a);
      kernels->add_bits (y, data.bits, 73, data.a);
      assert_floats (y, x, MT_CHUNK, 2e-6, "add_bits");
      for (guint g = 0; g < N_GROUPS; g++)
        {
          guint n_codes = mt_group_get_n_codes (&groups[g]);

          mt_kernels_c.add_codes (x, data.chunk_codes + g * MT_CHUNK, data.b, n_codes);
          kernels->add_codes (y, data.chunk_codes + g * MT_CHUNK, data.b, n_codes);
        }
      assert_floats (y, x, MT_CHUNK, 2e-6, "add_codes");
      mt_kernels_c.add_numeric (x, data.numeric, STRIDE, data.rows, 509, data.c);
      kernels->add_numeric (y, data.numeric, STRIDE, data.rows, 509, data.c);
      assert_floats (y, x, 509, 2e-6, "add_numeric");
    }
  mt_aligned_free (x);
  mt_aligned_free (y);
}

static void
test_losses (gconstpointer name)
{
  const MtKernels *kernels = version (name);
  const guint counts[] = { 1, 9, 16, 500, 512 };
  float *x = mt_aligned_new0 (8 * MT_CHUNK * 4), *y = mt_aligned_new0 (8 * MT_CHUNK * 4);
  float *eta = random_floats (8 * MT_CHUNK, 8.0), *classes = mt_aligned_new0 (MT_CHUNK * 4);
  float *weight = mt_aligned_new0 (MT_CHUNK * 4);

  eta[0] = 200.0f;         /* certain, rightly or wrongly */
  eta[3] = -200.0f;
  for (guint r = 0; r < MT_CHUNK; r++)
    weight[r] = 0.5f + (float) (r % 3);
  for (guint i = 0; kernels != NULL && i < G_N_ELEMENTS (counts) * 2; i++)
    {
      guint n = counts[i / 2];
      const float *w = i % 2 == 0 ? NULL : weight;
      double a, b;

      for (guint r = 0; r < MT_CHUNK; r++)
        classes[r] = (float) (r % 2);
      a = mt_kernels_c.loss_binary (eta, classes, w, n, x);
      b = kernels->loss_binary (eta, classes, w, n, y);
      g_assert_cmpfloat (fabs (a - b), <=, 2e-6 * a + 1e-7);
      assert_floats (y, x, MT_CHUNK, 1e-6, "binary");
      a = mt_kernels_c.loss_squares (eta, data.c, w, n, x);
      b = kernels->loss_squares (eta, data.c, w, n, y);
      g_assert_cmpfloat (fabs (a - b), <=, 2e-6 * a);
      assert_floats (y, x, MT_CHUNK, 1e-6, "squares");
      for (guint r = 0; r < MT_CHUNK; r++)
        classes[r] = (float) (r % 5);
      a = mt_kernels_c.loss_softmax (eta, classes, w, n, 5, x);
      b = kernels->loss_softmax (eta, classes, w, n, 5, y);
      g_assert_cmpfloat (fabs (a - b), <=, 2e-6 * a + 1e-7);
      assert_floats (y, x, 5 * MT_CHUNK, 1e-6, "softmax");
      for (guint r = n; r < MT_CHUNK; r++)
        g_assert_cmpfloat (y[r], ==, 0.0f);
    }
  mt_aligned_free (x);
  mt_aligned_free (y);
  mt_aligned_free (eta);
  mt_aligned_free (classes);
  mt_aligned_free (weight);
}

static void
test_sums (gconstpointer name)
{
  const MtKernels *kernels = version (name);
  const guint widths[] = { 1, 8, 24 };
  float *x = mt_aligned_new0 (256 * 24 * 4), *y = mt_aligned_new0 (256 * 24 * 4);
  float *wide = random_floats (MT_CHUNK * 24, 1.0);

  if (kernels != NULL)
    {
      mt_kernels_c.bit_sums (data.bits, N_LITERALS, data.a, x);
      kernels->bit_sums (data.bits, N_LITERALS, data.a, y);
      assert_floats (y, x, N_LITERALS, 5e-6, "bit_sums");
      for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
        for (guint g = 0; g < N_GROUPS; g++)
          {
            guint n_codes = mt_group_get_n_codes (&groups[g]);

            memset (x, 0, n_codes * widths[i] * sizeof (float));
            memset (y, 0, n_codes * widths[i] * sizeof (float));
            mt_kernels_c.code_sums (data.chunk_codes + g * MT_CHUNK, n_codes, wide, widths[i], x);
            kernels->code_sums (data.chunk_codes + g * MT_CHUNK, n_codes, wide, widths[i], y);
            assert_floats (y, x, n_codes * widths[i], 5e-6, "code_sums");
          }
      for (guint n = 1; n <= MT_CHUNK; n += 73)
        {
          memset (x, 0, STRIDE * sizeof (float));
          memset (y, 0, STRIDE * sizeof (float));
          mt_kernels_c.numeric_sums (data.numeric, STRIDE, data.rows, n, data.b, x);
          kernels->numeric_sums (data.numeric, STRIDE, data.rows, n, data.b, y);
          assert_floats (y, x, STRIDE, 5e-6, "numeric_sums");
        }
    }
  mt_aligned_free (x);
  mt_aligned_free (y);
  mt_aligned_free (wide);
}

static void
test_parameters (gconstpointer name)
{
  const MtKernels *kernels = version (name);
  enum { N = 57, SIZE = N * MT_LANES };
  float *pi = mt_aligned_new0 (SIZE * 4), *ltt = random_floats (SIZE, 1.0),
        *extra = random_floats (SIZE, 1.0);
  float *gl = mt_aligned_new0 (SIZE * 4), *gm = mt_aligned_new0 (SIZE * 4);
  float *hl = mt_aligned_new0 (SIZE * 4), *hm = mt_aligned_new0 (SIZE * 4);

  for (guint i = 0; i < SIZE; i++)
    pi[i] = i % MT_LANES == 3 ? 1.0f : (float) mt_random_double (&rng);     /* lane 3: all chosen, d = 0 */
  for (guint round = 0; kernels != NULL && round < 4; round++)
    {
      guint n_outputs = round < 2 ? 1 : 5;
      const float *more = round % 2 == 0 ? NULL : extra;
      float mean[16], mean_c[16];

      mt_kernels_c.node_gradients (N, n_outputs, data.a, 64, data.b, 16, pi, ltt, more, gl, gm);
      kernels->node_gradients (N, n_outputs, data.a, 64, data.b, 16, pi, ltt, more, hl, hm);
      assert_floats (hl, gl, SIZE, 2e-6, "grad_ltt");
      assert_floats (hm, gm, SIZE, 2e-6, "grad_pi");
      mt_kernels_c.sigmoid_backward (pi, N, 20.0f, gm, gm, mean_c);
      kernels->sigmoid_backward (pi, N, 20.0f, hm, hm, mean);
      assert_floats (hm, gm, SIZE, 5e-6, "grad_map");
      assert_floats (mean, mean_c, 16, 5e-6, "mean");
      g_assert_cmpfloat (fabs (mt_kernels_c.sum_squares (gl, SIZE) / kernels->sum_squares (gl, SIZE) - 1.0),
                         <, 1e-6);
    }
  if (kernels != NULL)
    {
      MtAdam how = { 0.01f, 3e-4f, 0.9f, 0.999f, 1e-8f, 2.0f, 30.0f, 0.5f };
      float *m[2], *v[2], *w[2];

      for (guint i = 0; i < 2; i++)
        {
          w[i] = mt_aligned_new0 (SIZE * 4);
          m[i] = mt_aligned_new0 (SIZE * 4);
          v[i] = mt_aligned_new0 (SIZE * 4);
          memcpy (w[i], ltt, SIZE * 4);
          hl[5] = 0.0f;                       /* a parameter that never has a gradient */
          for (guint step = 0; step < 3; step++)
            (i == 0 ? &mt_kernels_c : kernels)->adam (w[i], m[i], v[i], step % 2 == 0 ? hl : hm, SIZE, &how);
        }
      assert_floats (w[1], w[0], SIZE, 2e-6, "adam");
      assert_floats (m[1], m[0], SIZE, 2e-6, "adam mean");
      assert_floats (v[1], v[0], SIZE, 2e-6, "adam square");
      mt_kernels_c.axpy (w[0], ltt, -0.3f, SIZE);
      kernels->axpy (w[1], ltt, -0.3f, SIZE);
      assert_floats (w[1], w[0], SIZE, 4e-6, "axpy");
      for (guint i = 0; i < 2; i++)
        {
          mt_aligned_free (w[i]);
          mt_aligned_free (m[i]);
          mt_aligned_free (v[i]);
        }
    }
  mt_aligned_free (pi);
  mt_aligned_free (ltt);
  mt_aligned_free (extra);
  mt_aligned_free (gl);
  mt_aligned_free (gm);
  mt_aligned_free (hl);
  mt_aligned_free (hm);
}

static void
test_choice (void)
{
  g_assert_nonnull (mt_kernels_get ());
  g_assert_true (mt_kernels_by_name ("scalar") == &mt_kernels_c);
  g_assert_null (mt_kernels_by_name ("mmx"));
  g_test_message ("in use: %s", mt_kernels_get ()->name);
}

int
main (int    argc,
      char **argv)
{
  const struct {
    const char *path;
    GTestDataFunc func;
  } tests[] = {
    { "sigmoid", test_sigmoid }, { "rows", test_rows }, { "nodes", test_nodes }, { "scores", test_scores },
    { "losses", test_losses }, { "sums", test_sums }, { "parameters", test_parameters },
  };
  const char *versions[] = { "avx2", "avx512" };
  int status;

  g_test_init (&argc, &argv, NULL);
  data_init ();
  g_test_add_func ("/kernels/choice", test_choice);
  for (guint v = 0; v < G_N_ELEMENTS (versions); v++)
    for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
      {
        g_autofree char *path = g_strdup_printf ("/kernels/%s/%s", versions[v], tests[i].path);

        g_test_add_data_func (path, versions[v], tests[i].func);
      }
  status = g_test_run ();
  data_clear ();
  return status;
}
