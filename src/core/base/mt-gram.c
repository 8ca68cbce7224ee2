/* A block of products is made in tiles whose sums live in registers, so a tile is as large as the machine's
 * registers allow: 4 × 4 sums of 64 bytes where there are 32 registers of that width, else 3 × 3 of 32 bytes, half
 * of the lanes after the other. A lane of a sum adds the same products in the same order either way, so both
 * give the same bits. */
#include "config.h"
#include "mt-gram.h"

#include <string.h>

#include "mt-target-clones.h"

#define DOUBLE_LANES 8
#define FLOAT_LANES 16
#define WIDE_TILE 4
#define NARROW_TILE 3

typedef double Double8 __attribute__ ((vector_size (64)));
typedef double Double4 __attribute__ ((vector_size (32)));
typedef float Float16 __attribute__ ((vector_size (64)));
typedef float Float8 __attribute__ ((vector_size (32)));

/* The sums of a tile live in registers only when its loops are gone. */
#define UNROLL _Pragma ("GCC unroll 4")

/* sums[k][l][first lane …] = Σ a_k · b_l, by lanes, for the lanes that one VECTOR holds. */
#define DEFINE_TILE(name, SCALAR, VECTOR, TILE, LANES) \
  static inline __attribute__ ((always_inline)) void \
  name (const SCALAR *const a[], \
        const SCALAR *const b[], \
        gsize               n_rows, \
        guint               first_lane, \
        SCALAR              sums[][LANES]) \
  { \
    VECTOR in_registers[TILE][TILE] = { { { 0 } } }; \
\
    for (gsize r = first_lane; r < n_rows; r += LANES) \
      { \
        VECTOR v[TILE]; \
\
        UNROLL \
        for (guint l = 0; l < TILE; l++) \
          memcpy (&v[l], b[l] + r, sizeof v[l]); \
        UNROLL \
        for (guint k = 0; k < TILE; k++) \
          { \
            VECTOR u; \
\
            memcpy (&u, a[k] + r, sizeof u); \
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

DEFINE_TILE (wide_doubles, double, Double8, WIDE_TILE, DOUBLE_LANES)
DEFINE_TILE (narrow_doubles, double, Double4, NARROW_TILE, DOUBLE_LANES)
DEFINE_TILE (wide_floats, float, Float16, WIDE_TILE, FLOAT_LANES)
DEFINE_TILE (narrow_floats, float, Float8, NARROW_TILE, FLOAT_LANES)

static gboolean
has_wide_registers (void)
{
#if defined (__x86_64__)
  return __builtin_cpu_supports ("avx512f") != 0;
#else
  return FALSE;
#endif
}

/* @tile rows from @first on; past the last one it is repeated, and what that gives is not stored. */
#define POINT_AT_ROWS(rows, x, first, tile, n) \
  for (guint k = 0; k < tile; k++) \
    rows[k] = x + MIN (first + k, n - 1) * step

static inline __attribute__ ((always_inline)) void
gram_add (const double *x,
          gsize         step,
          guint         n,
          gsize         n_rows,
          double       *h,
          gsize         stride,
          guint         tile)
{
  const double *a[WIDE_TILE], *b[WIDE_TILE];
  double sums[WIDE_TILE * WIDE_TILE][DOUBLE_LANES];

  for (guint i = 0; i < n; i += tile)
    for (guint j = 0; j <= i; j += tile)
      {
        POINT_AT_ROWS (a, x, i, tile, n);
        POINT_AT_ROWS (b, x, j, tile, n);
        if (tile == WIDE_TILE)
          wide_doubles (a, b, n_rows, 0, sums);
        else
          for (guint lane = 0; lane < DOUBLE_LANES; lane += 4)
            narrow_doubles (a, b, n_rows, lane, sums);
        for (guint k = 0; k < tile && i + k < n; k++)
          for (guint l = 0; l < tile && j + l <= i + k; l++)
            {
              double sum = 0;

              for (guint m = 0; m < DOUBLE_LANES; m++)
                sum += sums[k * tile + l][m];
              h[(i + k) * stride + j + l] += sum;
            }
      }
}

static inline __attribute__ ((always_inline)) void
gram_add_between (const double *x,
                  guint         n_x,
                  const double *y,
                  guint         n_y,
                  gsize         step,
                  gsize         n_rows,
                  double       *h,
                  gsize         stride,
                  guint         tile)
{
  const double *a[WIDE_TILE], *b[WIDE_TILE];
  double sums[WIDE_TILE * WIDE_TILE][DOUBLE_LANES];

  for (guint i = 0; i < n_x; i += tile)
    for (guint j = 0; j < n_y; j += tile)
      {
        POINT_AT_ROWS (a, x, i, tile, n_x);
        POINT_AT_ROWS (b, y, j, tile, n_y);
        if (tile == WIDE_TILE)
          wide_doubles (a, b, n_rows, 0, sums);
        else
          for (guint lane = 0; lane < DOUBLE_LANES; lane += 4)
            narrow_doubles (a, b, n_rows, lane, sums);
        for (guint k = 0; k < tile && i + k < n_x; k++)
          for (guint l = 0; l < tile && j + l < n_y; l++)
            {
              double sum = 0;

              for (guint m = 0; m < DOUBLE_LANES; m++)
                sum += sums[k * tile + l][m];
              h[(i + k) * stride + j + l] += sum;
            }
      }
}

static inline __attribute__ ((always_inline)) void
product_add (const float *x,
             const float *y,
             gsize        step,
             guint        n,
             gsize        n_rows,
             float       *g,
             gsize        stride,
             guint        tile)
{
  const float *a[WIDE_TILE], *b[WIDE_TILE];
  float sums[WIDE_TILE * WIDE_TILE][FLOAT_LANES];

  for (guint i = 0; i < n; i += tile)
    for (guint j = i; j < n; j += tile)
      {
        POINT_AT_ROWS (a, x, i, tile, n);
        POINT_AT_ROWS (b, y, j, tile, n);
        if (tile == WIDE_TILE)
          wide_floats (a, b, n_rows, 0, sums);
        else
          for (guint lane = 0; lane < FLOAT_LANES; lane += 8)
            narrow_floats (a, b, n_rows, lane, sums);
        for (guint k = 0; k < tile && i + k < n; k++)
          for (guint l = j == i ? k : 0; l < tile && j + l < n; l++)
            {
              float sum = 0;

              for (guint m = 0; m < FLOAT_LANES; m++)
                sum += sums[k * tile + l][m];
              g[(i + k) * stride + j + l] += sum;
            }
      }
}

MT_CLONES static void
gram_add_wide (const double *x,
               gsize         step,
               guint         n,
               gsize         n_rows,
               double       *h,
               gsize         stride)
{
  gram_add (x, step, n, n_rows, h, stride, WIDE_TILE);
}

MT_CLONES static void
gram_add_narrow (const double *x,
                 gsize         step,
                 guint         n,
                 gsize         n_rows,
                 double       *h,
                 gsize         stride)
{
  gram_add (x, step, n, n_rows, h, stride, NARROW_TILE);
}

void
mt_gram_add (const double *x,
             gsize         step,
             guint         n,
             gsize         n_rows,
             double       *h,
             gsize         stride)
{
  if (has_wide_registers ())
    gram_add_wide (x, step, n, n_rows, h, stride);
  else
    gram_add_narrow (x, step, n, n_rows, h, stride);
}

MT_CLONES static void
gram_add_between_wide (const double *x,
                         guint         n_x,
                         const double *y,
                         guint         n_y,
                         gsize         step,
                         gsize         n_rows,
                         double       *h,
                         gsize         stride)
{
  gram_add_between (x, n_x, y, n_y, step, n_rows, h, stride, WIDE_TILE);
}

MT_CLONES static void
gram_add_between_narrow (const double *x,
                           guint         n_x,
                           const double *y,
                           guint         n_y,
                           gsize         step,
                           gsize         n_rows,
                           double       *h,
                           gsize         stride)
{
  gram_add_between (x, n_x, y, n_y, step, n_rows, h, stride, NARROW_TILE);
}

void
mt_gram_add_between (const double *x,
                     guint         n_x,
                     const double *y,
                     guint         n_y,
                     gsize         step,
                     gsize         n_rows,
                     double       *h,
                     gsize         stride)
{
  if (has_wide_registers ())
    gram_add_between_wide (x, n_x, y, n_y, step, n_rows, h, stride);
  else
    gram_add_between_narrow (x, n_x, y, n_y, step, n_rows, h, stride);
}

MT_CLONES static void
product_add_wide (const float *x,
                  const float *y,
                  gsize        step,
                  guint        n,
                  gsize        n_rows,
                  float       *g,
                  gsize        stride)
{
  product_add (x, y, step, n, n_rows, g, stride, WIDE_TILE);
}

MT_CLONES static void
product_add_narrow (const float *x,
                    const float *y,
                    gsize        step,
                    guint        n,
                    gsize        n_rows,
                    float       *g,
                    gsize        stride)
{
  product_add (x, y, step, n, n_rows, g, stride, NARROW_TILE);
}

void
mt_product_add (const float *x,
                const float *y,
                gsize        step,
                guint        n,
                gsize        n_rows,
                float       *g,
                gsize        stride)
{
  if (has_wide_registers ())
    product_add_wide (x, y, step, n, n_rows, g, stride);
  else
    product_add_narrow (x, y, step, n, n_rows, g, stride);
}
