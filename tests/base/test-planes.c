/* The inner loops of fitting, against sums written out. The machine's widest clone and tile run; lanes and order are
 * those of the headers, so even the last bits must agree. */
#include "config.h"

#include <math.h>

#include "base/mt-dense.h"
#include "base/mt-planes.h"
#include "base/mt-gram.h"
#include "base/mt-random.h"

enum { MAX_ROWS = 640, N_WORDS = MAX_ROWS / 64, MAX_COLUMNS = 11, STRIDE = 16 };

static void
fill (MtRandom *random,
      double   *x,
      gsize     n)
{
  for (gsize i = 0; i < n; i++)
    x[i] = mt_random_normal (random) * pow (2, mt_random_below (random, 20));
}

/* Bits of the first @n_rows rows: none, all, few or half. */
static void
fill_plane (MtRandom *random,
            guint     kind,
            gsize     n_rows,
            guint64  *plane)
{
  memset (plane, 0, N_WORDS * sizeof *plane);
  for (gsize r = 0; r < n_rows; r++)
    if (kind == 1 || (kind == 2 && mt_random_below (random, 90) == 0) || (kind == 3 && mt_random_below (random, 2)))
      plane[r / 64] |= (guint64) 1 << (r % 64);
}

static gboolean
is_set (const guint64 *plane,
        gsize          r)
{
  return plane[r / 64] >> (r % 64) & 1;
}

static double
sum_reference (const guint64 *plane,
               const double  *x,
               gsize          n_rows)
{
  double lanes[16] = { 0 }, sum = 0;
  gsize whole = n_rows / 64 * 64;

  /* A word is walked from its end. */
  for (gsize r = 0; r < whole; r += 64)
    for (gint i = 63; i >= 0; i--)
      lanes[i % 16] += is_set (plane, r + i) ? x[r + i] : 0;
  for (guint i = 0; i < 4; i++)
    sum += (lanes[i] + lanes[4 + i]) + (lanes[8 + i] + lanes[12 + i]);
  for (gsize r = whole; r < n_rows; r++)
    if (is_set (plane, r))
      sum += x[r];
  return sum;
}

static void
test_planes (void)
{
  double x[MAX_ROWS], y[MAX_ROWS], out[MAX_ROWS];
  guint64 plane[N_WORDS];
  MtRandom random;

  mt_random_init (&random, 3);
  for (guint turn = 0; turn < 400; turn++)
    {
      gsize n_rows = turn < 200 ? turn : mt_random_below (&random, MAX_ROWS), first;
      double weight = mt_random_normal (&random);

      fill (&random, x, MAX_ROWS);
      fill_plane (&random, turn % 4, n_rows, plane);
      g_assert_true (mt_plane_sum (plane, x, n_rows) == sum_reference (plane, x, n_rows));

      memcpy (y, x, sizeof y);
      mt_plane_add (plane, weight, y, n_rows);
      for (gsize r = 0; r < MAX_ROWS; r++)
        g_assert_true (y[r] == (r < n_rows && is_set (plane, r) ? x[r] + weight : x[r]));

      first = n_rows / 128 * 64;
      mt_plane_spread (plane, x, first, n_rows - first, out);
      for (gsize r = first; r < n_rows; r++)
        g_assert_true (out[r - first] == (is_set (plane, r) ? x[r] : 0));
    }
}

/* Several planes together: the same bits as one after the other. */
static void
test_many (void)
{
  enum { MANY = 9 };
  static guint64 bits[MANY][N_WORDS];
  static double numbers[MANY][MAX_ROWS];
  double x[MAX_ROWS], out[MAX_ROWS], sums[MANY], weights[MANY];
  float singles[MAX_ROWS], spread[MAX_ROWS];
  guint16 patterns[MAX_ROWS];
  const guint64 *planes[MANY];
  const double *values[MANY];
  MtRandom random;

  mt_random_init (&random, 7);
  for (guint turn = 0; turn < 400; turn++)
    {
      gsize n_rows = turn < 200 ? turn : mt_random_below (&random, MAX_ROWS);
      guint n = turn % (MANY + 1);

      fill (&random, x, MAX_ROWS);
      for (guint p = 0; p < MANY; p++)
        {
          fill_plane (&random, mt_random_below (&random, 4), n_rows, bits[p]);
          fill (&random, numbers[p], MAX_ROWS);
          weights[p] = mt_random_below (&random, 5) == 0 ? 0 : mt_random_normal (&random);
          planes[p] = bits[p];
        }
      mt_planes_sum (planes, n, x, n_rows, sums);
      for (guint p = 0; p < n; p++)
        g_assert_true (sums[p] == sum_reference (bits[p], x, n_rows));

      mt_planes_to_patterns (planes, MIN (n, 8), n_rows, patterns);
      for (gsize r = 0; r < n_rows; r++)
        for (guint p = 0; p < 16; p++)
          g_assert_cmpuint (patterns[r] >> p & 1, ==, p < MIN (n, 8) && is_set (bits[p], r));

      for (gsize r = 0; r < MAX_ROWS; r++)
        singles[r] = (float) x[r];
      mt_plane_spread_floats (bits[0], singles, n_rows, spread);
      for (gsize r = 0; r < n_rows; r++)
        g_assert_true (spread[r] == (is_set (bits[0], r) ? singles[r] : 0));

      for (guint p = 0; p < MANY; p++)
        {
          gboolean is_plane = mt_random_below (&random, 2);

          planes[p] = is_plane ? bits[p] : NULL;
          values[p] = is_plane ? NULL : numbers[p];
        }
      mt_columns_combine (planes, values, weights, n, .1, n_rows, out);
      for (gsize r = 0; r < n_rows; r++)
        {
          double sum = .1;

          for (guint p = 0; p < n; p++)
            if (planes[p] == NULL)
              sum += weights[p] * numbers[p][r];
            else if (is_set (bits[p], r))
              sum += weights[p];
          g_assert_true (out[r] == sum);
        }
    }
}

static void
test_dense (void)
{
  double x[MAX_ROWS], y[MAX_ROWS], z[MAX_ROWS];
  MtRandom random;

  mt_random_init (&random, 8);
  for (gsize n = 0; n < 100; n++)
    {
      double lanes[2][8] = { { 0 } }, sums[2] = { 0 };

      fill (&random, x, MAX_ROWS);
      fill (&random, y, MAX_ROWS);
      for (gsize r = 0; r < n; r++)
        {
          lanes[0][r % 8] += x[r];
          lanes[1][r % 8] += x[r] * y[r];
        }
      for (guint i = 0; i < 8; i++)
        {
          sums[0] += lanes[0][i];
          sums[1] += lanes[1][i];
        }
      g_assert_true (mt_dense_sum (x, n) == sums[0]);
      g_assert_true (mt_dense_dot (x, y, n) == sums[1]);
      memcpy (z, y, sizeof z);
      mt_dense_add (.3, x, z, n);
      for (gsize r = 0; r < MAX_ROWS; r++)
        g_assert_true (z[r] == (r < n ? y[r] + .3 * x[r] : y[r]));
      memcpy (z, y, sizeof z);
      mt_dense_add_ratio (.3, .7, x, z, n);
      for (gsize r = 0; r < MAX_ROWS; r++)
        g_assert_true (z[r] == (r < n ? y[r] + .3 * x[r] / .7 : y[r]));
    }
}

static void
test_gram (void)
{
  double x[MAX_COLUMNS * MAX_ROWS], h[MAX_COLUMNS * STRIDE], before[MAX_COLUMNS * STRIDE];
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint n = 1; n <= MAX_COLUMNS; n++)
    for (gsize n_rows = 8; n_rows <= 72; n_rows += 16)
      {
        fill (&random, x, n * MAX_ROWS);
        fill (&random, h, G_N_ELEMENTS (h));
        memcpy (before, h, sizeof h);
        mt_gram_add (x, MAX_ROWS, n, n_rows, h, STRIDE);
        for (guint i = 0; i < MAX_COLUMNS; i++)
          for (guint j = 0; j < STRIDE; j++)
            {
              double lanes[8] = { 0 }, sum = 0;

              if (i < n && j <= i)
                {
                  for (gsize r = 0; r < n_rows; r++)
                    lanes[r % 8] += x[i * MAX_ROWS + r] * x[j * MAX_ROWS + r];
                  for (guint m = 0; m < 8; m++)
                    sum += lanes[m];
                  g_assert_true (h[i * STRIDE + j] == before[i * STRIDE + j] + sum);
                }
              else
                g_assert_true (h[i * STRIDE + j] == before[i * STRIDE + j]);
            }
      }
}

/* Between the first rows and all of them: what the whole Gram matrix has there. */
static void
test_gram_between (void)
{
  double x[MAX_COLUMNS * MAX_ROWS], whole[MAX_COLUMNS * STRIDE], part[MAX_COLUMNS * STRIDE];
  MtRandom random;

  mt_random_init (&random, 9);
  for (guint n = 1; n <= MAX_COLUMNS; n++)
    for (guint n_first = 0; n_first <= n; n_first++)
      {
        fill (&random, x, n * MAX_ROWS);
        memset (whole, 0, sizeof whole);
        memset (part, 0, sizeof part);
        mt_gram_add (x, MAX_ROWS, n, 72, whole, STRIDE);
        mt_gram_add_between (x, n_first, x, n, MAX_ROWS, 72, part, STRIDE);
        for (guint i = 0; i < MAX_COLUMNS; i++)
          for (guint j = 0; j < STRIDE; j++)
            g_assert_true (part[i * STRIDE + j] ==
                           (i < n_first && j < n ? whole[MAX (i, j) * STRIDE + MIN (i, j)] : 0));
      }
}

static void
test_products (void)
{
  static float x[MAX_COLUMNS * MAX_ROWS], y[MAX_COLUMNS * MAX_ROWS];
  float g[MAX_COLUMNS * STRIDE];
  MtRandom random;

  mt_random_init (&random, 5);
  for (guint n = 1; n <= MAX_COLUMNS; n++)
    for (gsize n_rows = 16; n_rows <= 80; n_rows += 32)
      {
        for (gsize i = 0; i < n * MAX_ROWS; i++)
          {
            x[i] = (float) mt_random_normal (&random);
            y[i] = (float) mt_random_normal (&random);
          }
        for (guint i = 0; i < G_N_ELEMENTS (g); i++)
          g[i] = i;
        mt_product_add (x, y, MAX_ROWS, n, n_rows, g, STRIDE);
        for (guint i = 0; i < MAX_COLUMNS; i++)
          for (guint j = 0; j < STRIDE; j++)
            {
              float lanes[16] = { 0 }, sum = 0;

              for (gsize r = 0; r < n_rows && i < n && i <= j && j < n; r++)
                lanes[r % 16] += x[i * MAX_ROWS + r] * y[j * MAX_ROWS + r];
              for (guint m = 0; m < 16; m++)
                sum += lanes[m];
              g_assert_true (g[i * STRIDE + j] == (float) (i * STRIDE + j) + sum);
            }
      }
}

static void
test_sigmoid (void)
{
  double eta[MAX_ROWS], p[MAX_ROWS], loss, expected = 0;
  MtRandom random;

  mt_random_init (&random, 6);
  for (gsize r = 0; r < MAX_ROWS; r++)
    eta[r] = r == 0 ? 0 : r == 1 ? 800 : r == 2 ? -800 : mt_random_normal (&random) * (r % 7 + 1) * 4;
  loss = mt_sigmoid (eta, MAX_ROWS, p);
  for (gsize r = 0; r < MAX_ROWS; r++)
    {
      double e = exp (-fabs (eta[r])), sigma = (eta[r] >= 0 ? 1 : e) / (1 + e);

      expected += log1p (e);
      g_assert_cmpfloat_with_epsilon (p[r], sigma, 4e-16);
    }
  g_assert_cmpfloat_with_epsilon (loss, expected, 1e-12 * expected);
}

/* With scores that leave the range of exp() on both sides, and rows that do not fill the last lanes. */
static void
test_softmax (void)
{
  enum { OUTPUTS = 7 };
  g_autofree double *eta = g_new (double, OUTPUTS * MAX_ROWS), *p = g_new (double, OUTPUTS * MAX_ROWS);
  MtRandom random;

  mt_random_init (&random, 7);
  for (gsize n_rows = MAX_ROWS - 9; n_rows <= MAX_ROWS; n_rows += 3)
    for (guint n = 2; n <= OUTPUTS; n++)
      {
        double loss, expected = 0;

        for (gsize i = 0; i < n * n_rows; i++)
          eta[i] = i % 41 == 0 ? 900 : i % 31 == 0 ? -900 : mt_random_normal (&random) * (i % 7 + 1) * 4;
        loss = mt_softmax (eta, n, n_rows, p);
        for (gsize r = 0; r < n_rows; r++)
          {
            double top = eta[r], sum = 0;

            for (guint c = 1; c < n; c++)
              top = MAX (top, eta[c * n_rows + r]);
            for (guint c = 0; c < n; c++)
              sum += exp (eta[c * n_rows + r] - top);
            expected += top + log (sum);
            for (guint c = 0; c < n; c++)
              g_assert_cmpfloat_with_epsilon (p[c * n_rows + r], exp (eta[c * n_rows + r] - top) / sum, 1e-15);
          }
        g_assert_cmpfloat_with_epsilon (loss, expected, 1e-12 * expected);
      }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planes/sum-add-spread", test_planes);
  g_test_add_func ("/planes/many", test_many);
  g_test_add_func ("/planes/dense", test_dense);
  g_test_add_func ("/planes/gram", test_gram);
  g_test_add_func ("/planes/gram-between", test_gram_between);
  g_test_add_func ("/planes/products", test_products);
  g_test_add_func ("/planes/sigmoid", test_sigmoid);
  g_test_add_func ("/planes/softmax", test_softmax);
  return g_test_run ();
}
