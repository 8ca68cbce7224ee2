/* Sums and steps over rows of doubles. See mt-dense.h. */
#include "config.h"
#include "mt-dense.h"

#include <string.h>

#include "mt-target-clones.h"

#define LANES 8
/* Rows of a matrix whose sums go on together, so that none waits for its own last addition. */
#define ROWS_TOGETHER 8

typedef double Double8 __attribute__ ((vector_size (64)));

/* Macros, because a function that returns a vector has another ABI on each machine. */
#define load(from) \
  (G_GNUC_EXTENSION ({ Double8 loaded_; memcpy (&loaded_, (from), sizeof loaded_); loaded_; }))
#define store(to, v) \
  G_STMT_START { Double8 stored_ = (v); memcpy ((to), &stored_, sizeof stored_); } G_STMT_END

static inline double
add_lanes (double *lanes)
{
  for (guint i = 1; i < LANES; i++)
    lanes[0] += lanes[i];
  return lanes[0];
}

MT_CLONES double
mt_dense_sum (const double *x,
              gsize         n)
{
  Double8 sums = { 0 };
  double lanes[LANES];
  gsize r = 0;

  for (; r + LANES <= n; r += LANES)
    sums += load (x + r);
  memcpy (lanes, &sums, sizeof lanes);
  for (guint i = 0; r + i < n; i++)
    lanes[i] += x[r + i];
  return add_lanes (lanes);
}

MT_CLONES double
mt_dense_dot (const double *x,
              const double *y,
              gsize         n)
{
  Double8 sums = { 0 };
  double lanes[LANES];
  gsize r = 0;

  for (; r + LANES <= n; r += LANES)
    sums += load (x + r) * load (y + r);
  memcpy (lanes, &sums, sizeof lanes);
  for (guint i = 0; r + i < n; i++)
    lanes[i] += x[r + i] * y[r + i];
  return add_lanes (lanes);
}

MT_CLONES void
mt_dense_add (double        factor,
              const double *x,
              double       *y,
              gsize         n)
{
  gsize r = 0;

  for (; r + LANES <= n; r += LANES)
    store (y + r, load (y + r) + factor * load (x + r));
  for (; r < n; r++)
    y[r] += factor * x[r];
}

MT_CLONES void
mt_dense_add_ratio (double        factor,
                    double        divisor,
                    const double *x,
                    double       *y,
                    gsize         n)
{
  gsize r = 0;

  for (; r + LANES <= n; r += LANES)
    store (y + r, load (y + r) + factor * load (x + r) / divisor);
  for (; r < n; r++)
    y[r] += factor * x[r] / divisor;
}

void
mt_dense_multiply (const double *h,
                   gsize         stride,
                   gsize         n,
                   const double *x,
                   double       *out)
{
  gsize i = 0;

  for (; i + ROWS_TOGETHER <= n; i += ROWS_TOGETHER)
    {
      const double *row = h + i * stride;
      double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;

      for (gsize j = 0; j < n; j++)
        {
          s0 += row[j] * x[j];
          s1 += row[j + stride] * x[j];
          s2 += row[j + 2 * stride] * x[j];
          s3 += row[j + 3 * stride] * x[j];
          s4 += row[j + 4 * stride] * x[j];
          s5 += row[j + 5 * stride] * x[j];
          s6 += row[j + 6 * stride] * x[j];
          s7 += row[j + 7 * stride] * x[j];
        }
      out[i] = s0;
      out[i + 1] = s1;
      out[i + 2] = s2;
      out[i + 3] = s3;
      out[i + 4] = s4;
      out[i + 5] = s5;
      out[i + 6] = s6;
      out[i + 7] = s7;
    }
  for (; i < n; i++)
    {
      double sum = 0;

      for (gsize j = 0; j < n; j++)
        sum += h[i * stride + j] * x[j];
      out[i] = sum;
    }
}
