/* Everything here is made of products of two rows, since rows are contiguous: of L for the factor, of L and
 * U = L⁻ᵀ for the inverse of the factor, of U for h⁻¹ = U Uᵀ. They are taken in tiles of three by three whose sums live in
 * registers; a sum has eight lanes, in one register where the machine has wide ones, in two otherwise. Eight columns are finished at a
 * time: the tiles bring in all columns before them, plain loops the few within. See mt-cholesky.h. */
#include "config.h"
#include "mt-cholesky.h"

#include <math.h>
#include <string.h>

#include "mt-target-clones.h"

#define LANES 8
#define TILE 3

typedef double Double8 __attribute__ ((vector_size (64)));
typedef double Double4 __attribute__ ((vector_size (32)));

#define UNROLL _Pragma ("GCC unroll 4")

/* sums[k][l][first lane …] = Σ a_k · b_l over the columns from @from to @to, by lanes. */
#define DEFINE_TILE(name, VECTOR) \
  static inline __attribute__ ((always_inline)) void \
  name (const double *const a[], \
        const double *const b[], \
        gsize               from, \
        gsize               to, \
        guint               first_lane, \
        double              sums[][LANES]) \
  { \
    VECTOR in_registers[TILE][TILE] = { { { 0 } } }; \
\
    for (gsize at = from + first_lane; at < to; at += LANES) \
      { \
        VECTOR v[TILE]; \
\
        UNROLL \
        for (guint l = 0; l < TILE; l++) \
          memcpy (&v[l], b[l] + at, sizeof v[l]); \
        UNROLL \
        for (guint k = 0; k < TILE; k++) \
          { \
            VECTOR u; \
\
            memcpy (&u, a[k] + at, sizeof u); \
            UNROLL \
            for (guint l = 0; l < TILE; l++) \
              in_registers[k][l] += u * v[l]; \
          } \
      } \
    UNROLL \
    for (guint k = 0; k < TILE; k++) \
      UNROLL \
      for (guint l = 0; l < TILE; l++) \
        memcpy (&sums[k * TILE + l][first_lane], &in_registers[k][l], sizeof in_registers[k][l]); \
  }

DEFINE_TILE (wide_tile, Double8)
DEFINE_TILE (narrow_tile, Double4)

static inline double
sum_of_lanes (const double *lanes)
{
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/* out[(i - i_first) * LANES + (j - j_first)] = row i of @a · row j of @b, over the columns from @from to @to, for
 * i_first ≤ i < i_end and the at most eight rows j_first ≤ j < j_end. */
static inline __attribute__ ((always_inline)) void
products (const double *a,
          const double *b,
          gsize         step,
          guint         i_first,
          guint         i_end,
          guint         j_first,
          guint         j_end,
          gsize         from,
          gsize         to,
          double       *out,
          gboolean      wide)
{
  const double *rows[TILE], *others[TILE];
  double sums[TILE * TILE][LANES];

  for (guint i = i_first; i < i_end; i += TILE)
    for (guint j = j_first; j < j_end; j += TILE)
      {
        /* Past the last row it is repeated, and what that gives is not stored. */
        for (guint k = 0; k < TILE; k++)
          {
            rows[k] = a + MIN (i + k, i_end - 1) * step;
            others[k] = b + MIN (j + k, j_end - 1) * step;
          }
        if (wide)
          wide_tile (rows, others, from, to, 0, sums);
        else
          for (guint lane = 0; lane < LANES; lane += 4)
            narrow_tile (rows, others, from, to, lane, sums);
        for (guint k = 0; k < TILE && i + k < i_end; k++)
          for (guint l = 0; l < TILE && j + l < j_end; l++)
            out[(i + k - i_first) * LANES + j + l - j_first] = sum_of_lanes (sums[k * TILE + l]);
      }
}

/* @l: the lower triangle, becomes L; @tile_out: LANES a row. */
static inline __attribute__ ((always_inline)) gboolean
factor (double  *l,
        guint    n,
        gsize    step,
        double  *tile_out,
        gboolean wide)
{
  for (guint first = 0; first < n; first += LANES)
    {
      guint end = MIN (first + LANES, n);

      if (first > 0)
        products (l, l, step, first, n, first, end, 0, first, tile_out, wide);
      for (guint i = first; i < n; i++)
        {
          double *row = l + i * step;

          for (guint j = first; j < end && j <= i; j++)
            {
              const double *other = l + j * step;
              double sum = row[j];

              if (first > 0)
                sum -= tile_out[(i - first) * LANES + j - first];
              for (guint k = first; k < j; k++)
                sum -= row[k] * other[k];
              if (j < i)
                row[j] = sum / other[j];
              else if (sum > 0 && isfinite (sum))
                row[j] = sqrt (sum);
              else
                return FALSE;
            }
        }
    }
  return TRUE;
}

/* @u: zeros, becomes U = L⁻ᵀ: u_ji = -Σ_{j ≤ k < i} l_ik u_jk / l_ii. */
static inline __attribute__ ((always_inline)) void
invert_factor (const double *l,
               double       *u,
               guint         n,
               gsize         step,
               double       *tile_out,
               gboolean      wide)
{
  for (guint first = 0; first < n; first += LANES)
    {
      guint end = MIN (first + LANES, n);

      /* Row j of U begins at column j: eight rows at a time, from where the first of them begins. */
      for (guint j_first = 0; j_first < first; j_first += LANES)
        products (u, l, step, j_first, j_first + LANES, first, end, j_first, first, tile_out + j_first * LANES, wide);
      for (guint j = 0; j < end; j++)
        {
          double *row = u + j * step;

          for (guint i = MAX (first, j); i < end; i++)
            {
              const double *other = l + i * step;
              double sum = j < first ? tile_out[j * LANES + i - first] : 0;

              for (guint k = MAX (first, j); k < i; k++)
                sum += other[k] * row[k];
              row[i] = (i == j ? 1 : -sum) / other[i];
            }
        }
    }
}

/* The lower triangle of h = U Uᵀ. */
static inline __attribute__ ((always_inline)) void
square_factor (const double *u,
               guint         n,
               gsize         step,
               double       *h,
               gsize         stride,
               double       *tile_out,
               gboolean      wide)
{
  for (guint first = 0; first < n; first += LANES)
    {
      guint end = MIN (first + LANES, n);

      products (u, u, step, 0, end, first, end, first, step, tile_out, wide);
      for (guint j = 0; j < end; j++)
        for (guint i = MAX (first, j); i < end; i++)
          h[i * stride + j] = tile_out[j * LANES + i - first];
    }
}

MT_CLONES static gboolean
factor_wide (double *l,
             guint   n,
             gsize   step,
             double *tile_out)
{
  return factor (l, n, step, tile_out, TRUE);
}

MT_CLONES static gboolean
factor_narrow (double *l,
               guint   n,
               gsize   step,
               double *tile_out)
{
  return factor (l, n, step, tile_out, FALSE);
}

MT_CLONES static void
invert_wide (const double *l,
             double       *u,
             guint         n,
             gsize         step,
             double       *h,
             gsize         stride,
             double       *tile_out)
{
  invert_factor (l, u, n, step, tile_out, TRUE);
  square_factor (u, n, step, h, stride, tile_out, TRUE);
}

MT_CLONES static void
invert_narrow (const double *l,
               double       *u,
               guint         n,
               gsize         step,
               double       *h,
               gsize         stride,
               double       *tile_out)
{
  invert_factor (l, u, n, step, tile_out, FALSE);
  square_factor (u, n, step, h, stride, tile_out, FALSE);
}

static gboolean
has_wide_registers (void)
{
#if defined (__x86_64__)
  return __builtin_cpu_supports ("avx512f") != 0;
#else
  return FALSE;
#endif
}

static gsize
padded (guint n)
{
  return ((gsize) n + LANES - 1) / LANES * LANES;
}

gsize
mt_cholesky_scratch_size (guint n)
{
  return padded (n) * (2 * padded (n) + LANES);
}

/* Copies the lower triangle of @h to rows of whole vectors, and makes it L. */
static gboolean
factor_copy (const double *h,
             guint         n,
             gsize         stride,
             double       *l,
             double       *tile_out)
{
  gsize step = padded (n);

  memset (l, 0, step * step * sizeof *l);
  for (guint i = 0; i < n; i++)
    memcpy (l + i * step, h + i * stride, (i + 1) * sizeof *l);
  return has_wide_registers () ? factor_wide (l, n, step, tile_out) : factor_narrow (l, n, step, tile_out);
}

gboolean
mt_cholesky_factor (double *h,
                    guint   n,
                    gsize   stride,
                    double *scratch)
{
  gsize step = padded (n);

  if (!factor_copy (h, n, stride, scratch, scratch + 2 * step * step))
    return FALSE;
  for (guint i = 0; i < n; i++)
    memcpy (h + i * stride, scratch + i * step, n * sizeof *h);
  return TRUE;
}

gboolean
mt_cholesky_invert (double *h,
                    guint   n,
                    gsize   stride,
                    double *scratch)
{
  gsize step = padded (n);
  double *l = scratch, *u = l + step * step, *tile_out = u + step * step;

  if (!factor_copy (h, n, stride, l, tile_out))
    return FALSE;
  memset (u, 0, step * step * sizeof *u);
  if (has_wide_registers ())
    invert_wide (l, u, n, step, h, stride, tile_out);
  else
    invert_narrow (l, u, n, step, h, stride, tile_out);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      h[j * stride + i] = h[i * stride + j];
  return TRUE;
}

/* Four rows at a time, so that their sums do not wait for each other. */
#define ROWS 4

MT_CLONES void
mt_matrix_times (const double *h,
                 guint         n,
                 gsize         stride,
                 const double *x,
                 double       *out)
{
  guint whole = n / LANES * LANES, rest = n - whole;

  for (guint i = 0; i < n; i += ROWS)
    {
      Double8 sums[ROWS] = { { 0 } };
      const double *rows[ROWS];

      for (guint k = 0; k < ROWS; k++)
        rows[k] = h + MIN (i + k, n - 1) * stride;
      for (guint at = 0; at < whole; at += LANES)
        {
          Double8 v;

          memcpy (&v, x + at, sizeof v);
          UNROLL
          for (guint k = 0; k < ROWS; k++)
            {
              Double8 u;

              memcpy (&u, rows[k] + at, sizeof u);
              sums[k] += u * v;
            }
        }
      for (guint k = 0; k < ROWS && i + k < n; k++)
        {
          double lanes[LANES];

          memcpy (lanes, &sums[k], sizeof lanes);
          for (guint l = 0; l < rest; l++)
            lanes[l] += rows[k][whole + l] * x[whole + l];
          out[i + k] = sum_of_lanes (lanes);
        }
    }
}
