/* Sums over many planes at once, where a register has a mask for each of its lanes. See mt-planes.h.
 *
 * A word of a plane is eight masks of eight rows. What several planes have in common, the numbers of their rows or the
 * sums of 64 rows, stays in registers while the planes go by. Lanes and order are those of mt_plane_sum() and
 * mt_plane_add(), so these give the same bits. */
#include "config.h"
#include "mt-planes-private.h"

#if defined (__x86_64__)

#ifndef __clang__
/* gcc 12's own header leaves values of intrinsics unset on purpose and warns about it. */
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#define TARGET __attribute__ ((target ("avx512f")))
#define UNROLL _Pragma ("GCC unroll 8")

/* Even masks add to one vector and odd ones to the other: together the sixteen lanes of a sum. */
typedef struct {
  __m512d even, odd;
} Lanes;

TARGET static double
lanes_end (const Lanes   *lanes,
           const guint64 *plane,
           const double  *x,
           gsize          whole,
           gsize          n_rows)
{
  __m256d all = _mm256_add_pd (_mm256_add_pd (_mm512_castpd512_pd256 (lanes->even), _mm512_extractf64x4_pd (lanes->even, 1)),
                               _mm256_add_pd (_mm512_castpd512_pd256 (lanes->odd), _mm512_extractf64x4_pd (lanes->odd, 1)));
  double four[4], sum = 0;

  _mm256_storeu_pd (four, all);
  for (guint i = 0; i < 4; i++)
    sum += four[i];
  for (guint64 left = whole < n_rows ? plane[whole / 64] : 0; left != 0; left &= left - 1)
    sum += x[whole + (gsize) __builtin_ctzll (left)];
  return sum;
}

#define ADD_WORD(lanes, word) \
  G_STMT_START { \
    lanes.odd = _mm512_mask_add_pd (lanes.odd, (__mmask8) ((word) >> 56), lanes.odd, x7); \
    lanes.even = _mm512_mask_add_pd (lanes.even, (__mmask8) ((word) >> 48), lanes.even, x6); \
    lanes.odd = _mm512_mask_add_pd (lanes.odd, (__mmask8) ((word) >> 40), lanes.odd, x5); \
    lanes.even = _mm512_mask_add_pd (lanes.even, (__mmask8) ((word) >> 32), lanes.even, x4); \
    lanes.odd = _mm512_mask_add_pd (lanes.odd, (__mmask8) ((word) >> 24), lanes.odd, x3); \
    lanes.even = _mm512_mask_add_pd (lanes.even, (__mmask8) ((word) >> 16), lanes.even, x2); \
    lanes.odd = _mm512_mask_add_pd (lanes.odd, (__mmask8) ((word) >> 8), lanes.odd, x1); \
    lanes.even = _mm512_mask_add_pd (lanes.even, (__mmask8) (word), lanes.even, x0); \
  } G_STMT_END

#define LOAD_WORD(x, r) \
  const __m512d x0 = _mm512_loadu_pd ((x) + (r)), x1 = _mm512_loadu_pd ((x) + (r) + 8), \
                x2 = _mm512_loadu_pd ((x) + (r) + 16), x3 = _mm512_loadu_pd ((x) + (r) + 24), \
                x4 = _mm512_loadu_pd ((x) + (r) + 32), x5 = _mm512_loadu_pd ((x) + (r) + 40), \
                x6 = _mm512_loadu_pd ((x) + (r) + 48), x7 = _mm512_loadu_pd ((x) + (r) + 56)

TARGET static void
sum_four (const guint64 *const *planes,
          const double         *x,
          gsize                 n_rows,
          double               *sums)
{
  const guint64 *p0 = planes[0], *p1 = planes[1], *p2 = planes[2], *p3 = planes[3];
  const __m512d zero = _mm512_setzero_pd ();
  Lanes l0 = { zero, zero }, l1 = l0, l2 = l0, l3 = l0;
  gsize n_words = n_rows / 64;

  for (gsize w = 0; w < n_words; w++)
    {
      LOAD_WORD (x, 64 * w);
      guint64 w0 = p0[w], w1 = p1[w], w2 = p2[w], w3 = p3[w];

      ADD_WORD (l0, w0);
      ADD_WORD (l1, w1);
      ADD_WORD (l2, w2);
      ADD_WORD (l3, w3);
    }
  sums[0] = lanes_end (&l0, p0, x, n_words * 64, n_rows);
  sums[1] = lanes_end (&l1, p1, x, n_words * 64, n_rows);
  sums[2] = lanes_end (&l2, p2, x, n_words * 64, n_rows);
  sums[3] = lanes_end (&l3, p3, x, n_words * 64, n_rows);
}

TARGET static double
sum_one (const guint64 *plane,
         const double  *x,
         gsize          n_rows)
{
  const __m512d zero = _mm512_setzero_pd ();
  Lanes lanes = { zero, zero };
  gsize n_words = n_rows / 64;

  for (gsize w = 0; w < n_words; w++)
    if (plane[w] != 0)
      {
        LOAD_WORD (x, 64 * w);

        ADD_WORD (lanes, plane[w]);
      }
  return lanes_end (&lanes, plane, x, n_words * 64, n_rows);
}

gboolean
mt_planes_have_masks (void)
{
  return __builtin_cpu_supports ("avx512f") != 0;
}

void
mt_planes_sum_masked (const guint64 *const *planes,
                      guint                 n_planes,
                      const double         *x,
                      gsize                 n_rows,
                      double               *sums)
{
  guint p = 0;

  for (; p + 4 <= n_planes; p += 4)
    sum_four (planes + p, x, n_rows, sums + p);
  for (; p < n_planes; p++)
    sums[p] = sum_one (planes[p], x, n_rows);
}

/* One word of rows, or what there is of the last one: @rows has a bit for each. */
TARGET static inline void
combine_word (const guint64 *const *planes,
              const double *const  *values,
              const double         *weights,
              guint                 n,
              double                start,
              gsize                 w,
              guint64               rows,
              double               *out)
{
  __m512d sums[8];

  UNROLL
  for (guint k = 0; k < 8; k++)
    sums[k] = _mm512_set1_pd (start);
  for (guint j = 0; j < n; j++)
    {
      const __m512d weight = _mm512_set1_pd (weights[j]);

      if (weights[j] == 0)
        continue;
      if (planes[j] != NULL)
        {
          guint64 word = planes[j][w];

          UNROLL
          for (guint k = 0; k < 8; k++)
            sums[k] = _mm512_mask_add_pd (sums[k], (__mmask8) (word >> 8 * k), sums[k], weight);
        }
      else
        UNROLL
        for (guint k = 0; k < 8; k++)
          {
            __m512d x = _mm512_maskz_loadu_pd ((__mmask8) (rows >> 8 * k), values[j] + 64 * w + 8 * k);

            sums[k] = _mm512_add_pd (sums[k], _mm512_mul_pd (weight, x));
          }
    }
  UNROLL
  for (guint k = 0; k < 8; k++)
    _mm512_mask_storeu_pd (out + 64 * w + 8 * k, (__mmask8) (rows >> 8 * k), sums[k]);
}

TARGET void
mt_columns_combine_masked (const guint64 *const *planes,
                           const double *const  *values,
                           const double         *weights,
                           guint                 n,
                           double                start,
                           gsize                 n_rows,
                           double               *out)
{
  for (gsize w = 0; w < n_rows / 64; w++)
    combine_word (planes, values, weights, n, start, w, G_MAXUINT64, out);
  if (n_rows % 64 != 0)
    combine_word (planes, values, weights, n, start, n_rows / 64, ((guint64) 1 << (n_rows % 64)) - 1, out);
}

#else

gboolean
mt_planes_have_masks (void)
{
  return FALSE;
}

void
mt_planes_sum_masked (const guint64 *const *planes,
                      guint                 n_planes,
                      const double         *x,
                      gsize                 n_rows,
                      double               *sums)
{
  g_assert_not_reached ();
}

void
mt_columns_combine_masked (const guint64 *const *planes,
                           const double *const  *values,
                           const double         *weights,
                           guint                 n,
                           double                start,
                           gsize                 n_rows,
                           double               *out)
{
  g_assert_not_reached ();
}

#endif
