/* Sums and steps over rows of doubles. See mt-dense.h. */
#include "config.h"
#include "mt-dense.h"

#include <string.h>

#include "mt-target-clones.h"

#define LANES 8

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
