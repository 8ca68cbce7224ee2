/* The vector version of every kernel, written once; mt-kernels-avx2.c and
 * mt-kernels-avx512.c define the few words it is written in and include it:
 *
 *   VF, VLANES            a vector of floats, and how many: 8 or 16
 *   VI, VBITS             a vector of bits, and how many: 256 or 512
 *   v_load … v_max        arithmetic; v_fma (a, b, c) is a · b + c in one rounding
 *   v_exp2_scale (p, n)   p · 2ⁿ for whole n
 *   v_recip, v_sqrt_div  1/x; a / (√x + ε)
 *   v_positive (a, x, y)  x where a ≥ 0, y elsewhere
 *   v_equal (a, b, x)     x where a = b, 0 elsewhere
 *   i_mux (s, a, b)       bit by bit: s ? a : b
 * and the kernels that are bound to masks: planes, node_sum, add_bits, add_codes, bit_sums.
 *
 * Sums are taken in a fixed order, so a version repeats itself exactly. */

#include <math.h>
#include <string.h>

#define NV     (MT_LANES / VLANES)    /* vectors a row of a block */

/* eˣ for -87 ≤ x ≤ 87: x = n ln 2 + r, |r| ≤ ½ ln 2, Taylor to r⁷ (error 5e-9 relative).
 *
 * The steps: n is the nearest whole number to x / ln 2, so that eˣ = 2ⁿ eʳ with |r| at most 0.35. r
 * is made in two steps, because n ln 2 is not exact in floats: the first part of ln 2 has so few
 * bits that n times it is exact, the second brings the rest. Then a polynomial for eʳ, and 2ⁿ is
 * added to the exponent. No table and no branch: all lanes go the same way. */
static inline VF
v_exp (VF x)
{
  VF n = v_round (v_mul (x, v_set1 (1.44269504f)));
  VF r = v_fnma (n, v_set1 (0.693145752f), x);        /* ln 2 in two parts, the first exact times n */
  VF p = v_set1 (1.0f / 5040.0f);

  r = v_fnma (n, v_set1 (1.42860677e-6f), r);
  p = v_fma (p, r, v_set1 (1.0f / 720.0f));
  p = v_fma (p, r, v_set1 (1.0f / 120.0f));
  p = v_fma (p, r, v_set1 (1.0f / 24.0f));
  p = v_fma (p, r, v_set1 (1.0f / 6.0f));
  p = v_fma (p, r, v_set1 (0.5f));
  p = v_fma (p, r, v_set1 (1.0f));
  p = v_fma (p, r, v_set1 (1.0f));
  return v_exp2_scale (p, n);
}

/* log (1 + e) for 0 ≤ e ≤ 1: 2 artanh (e / (2 + e)), the argument at most 1/3.
 *
 * With t = e / (2 + e), log (1 + e) = 2 (t + t³/3 + t⁵/5 + …). t is at most 1/3, so each term is
 * nine times smaller than the one before, and eight terms are enough for a float. */
static inline VF
v_log1p_unit (VF e)
{
  VF t = v_mul (e, v_recip (v_add (e, v_set1 (2.0f))));
  VF q = v_mul (t, t);
  VF s = v_set1 (2.0f / 15.0f);

  for (int i = 13; i >= 1; i -= 2)
    s = v_fma (s, q, v_set1 (2.0f / (float) i));
  return v_mul (s, t);
}

/* In the order of the lanes: not the fastest way, but the same on both vector widths only up to rounding; tests
 * compare within bounds. */
static inline double
sum_lanes (VF v)
{
  float lanes[VLANES] __attribute__ ((aligned (64)));
  double sum = 0.0;

  v_store (lanes, v);
  for (guint l = 0; l < VLANES; l++)
    sum += lanes[l];
  return sum;
}

/* --- soft and hard top-k over 16 lanes --- */

/* As in mt-kernels-c.c, VLANES lanes at a time. Sums are kept in floats, so what each addition rounds away is
 * collected in a second sum (Kahan's method) and added at the end.
 *
 * In numbers: a float sum of 10,000 terms of about 5e-4 may lose several of its seven
 * digits, and λ could not be found to TOLERANCE. The second sum brings them back at the
 * cost of three additions. */
static void
sigmoid_block (const float *s,
               gsize        n,
               const float *hi,
               const float *f,
               float        inv_tau,
               float       *pi,
               double      *sums,
               double      *slopes)
{
  for (guint part = 0; part < NV; part++)
    {
      guint first = part * VLANES;
      VF vhi = v_load (hi + first), vf = v_load (f + first);
      VF scale = v_set1 (-inv_tau), one = v_set1 (1.0f);
      VF low = v_set1 (-87.0f), high = v_set1 (87.0f);

      VF sum = v_set1 (0.0f), lost = v_set1 (0.0f), slope = v_set1 (0.0f);
      float lanes[3 * VLANES] __attribute__ ((aligned (64)));

      for (gsize i = 0; i < n; i++)
        {
          VF x = v_mul (v_sub (v_load (s + i * MT_LANES + first), vhi), scale);
          VF p = v_recip (v_fma (vf, v_exp (v_min (v_max (x, low), high)), one));
          VF next = v_add (sum, p);

          v_store (pi + i * MT_LANES + first, p);
          /* What rounding took from the sum is kept in a second sum: 10⁵ terms lose nothing. */
          lost = v_add (lost, v_sub (p, v_sub (next, sum)));
          sum = next;
          slope = v_add (slope, v_fnma (p, p, p));
        }
      v_store (lanes, sum);
      v_store (lanes + VLANES, lost);
      v_store (lanes + 2 * VLANES, slope);
      for (guint l = 0; l < VLANES; l++)
        {
          sums[first + l] = (double) lanes[l] + (double) lanes[VLANES + l];
          slopes[first + l] = lanes[2 * VLANES + l];
        }
    }
}

/* --- rows in, bits out --- */

/* Sixteen rows of sixteen bytes, turned: interleaving row i with row i + 8 is a rotation of
 * the eight index bits by one, so four rounds swap row and column.
 *
 * Interleaving the first half of the rows with the second half is what shuffles cards perfectly;
 * four perfect shuffles of 256 bytes turn columns into rows. 64 instructions for 256 bytes. */
static inline void
transpose_16x16 (__m128i *r)
{
  __m128i t[16];

  for (int round = 0; round < 2; round++)
    {
      for (int i = 0; i < 8; i++)
        {
          t[2 * i] = _mm_unpacklo_epi8 (r[i], r[i + 8]);
          t[2 * i + 1] = _mm_unpackhi_epi8 (r[i], r[i + 8]);
        }
      for (int i = 0; i < 8; i++)
        {
          r[2 * i] = _mm_unpacklo_epi8 (t[i], t[i + 8]);
          r[2 * i + 1] = _mm_unpackhi_epi8 (t[i], t[i + 8]);
        }
    }
}

/* 16 rows × 16 groups at a time: 16 loads of 16 bytes, a transposition in registers, 16 stores. Row by row, each
 * byte would go to another cache line.
 *
 * A prefetch asks for the rows two groups of sixteen ahead; without it nearly every row of
 * a shuffled batch would be waited for. */
static void
gather_codes (const guint8  *codes,
              gsize          stride,
              const guint32 *rows,
              guint          n_rows,
              guint          n_groups,
              guint8        *out)
{
  for (guint r = 0; r < MT_CHUNK; r += 16)
    {
      guint n = r < n_rows ? MIN (16, n_rows - r) : 0;

      /* The rows of a shuffled batch are nowhere near each other: ask for them early. */
      for (guint i = r + 32; i < MIN (r + 48, n_rows); i++)
        __builtin_prefetch (codes + rows[i] * stride);
      for (guint g = 0; g < n_groups; g += 16)
        {
          __m128i block[16];

          if (n == 16)
            for (guint i = 0; i < 16; i++)
              block[i] = _mm_loadu_si128 ((const __m128i *) (codes + rows[r + i] * stride + g));
          else
            for (guint i = 0; i < 16; i++)
              block[i] = i < n ? _mm_loadu_si128 ((const __m128i *) (codes + rows[r + i] * stride + g))
                               : _mm_setzero_si128 ();
          transpose_16x16 (block);
          for (guint i = 0; i < 16; i++)
            _mm_store_si128 ((__m128i *) (out + (g + i) * MT_CHUNK + r), block[i]);
        }
    }
}

/* The sixteen functions of the first two inputs are made once; a nibble of the table
 * chooses among them, the other inputs choose among the nibbles.
 *
 * A node with k inputs needs 2^(k−2) − 1 choices between words: one for 3 inputs, 15 for 6. The row
 * of the tree above: T3 (0) chooses by x₂ between nibble 0 (x₂ false) and nibble 1. An example, k =
 * 3 and the table 1110 1000 in bits (at least two of three): nibble 0 is 1000, f[8] = x₀ ∧ x₁;
 * nibble 1 is 1110, f[14] = x₀ ∨ x₁; and the node is x₂ ? x₀ ∨ x₁ : x₀ ∧ x₁.
 *
 * The table is the same for all rows, so which f is taken is known outside of the vectors, and
 * nothing depends on the data but the words themselves. */
#define T2(o) f[(table[(o) / 16] >> ((o) % 16 * 4)) & 15]
#define T3(o) i_mux (x[2], T2 (2 * (o) + 1), T2 (2 * (o)))
#define T4(o) i_mux (x[3], T3 (2 * (o) + 1), T3 (2 * (o)))
#define T5(o) i_mux (x[4], T4 (2 * (o) + 1), T4 (2 * (o)))
#define T6(o) i_mux (x[5], T5 (2 * (o) + 1), T5 (2 * (o)))
#define T7(o) i_mux (x[6], T6 (2 * (o) + 1), T6 (2 * (o)))
#define T8(o) i_mux (x[7], T7 (2 * (o) + 1), T7 (2 * (o)))

static void
node_table (const guint64 *bits,
            const guint32 *inputs,
            guint          k,
            const guint64 *given,
            guint64       *out)
{
  guint64 table[4];

  /* With one input, or none, the table repeats itself in the nibble. */
  table[0] = k == 0 ? (given[0] & 1) * 15 : k == 1 ? (given[0] & 3) * 5 : given[0];
  for (guint w = 1; w < 4; w++)
    table[w] = k >= 8 || (k == 7 && w == 1) ? given[w] : 0;

  for (guint at = 0; at < MT_CHUNK_WORDS; at += VBITS / 64)
    {
      VI x[8], f[16], not0, not1, y;

      for (guint i = 0; i < 8; i++)
        x[i] = i < k ? i_load (bits + inputs[i] * MT_CHUNK_WORDS + at) : i_zero ();
      not0 = i_not (x[0]);
      not1 = i_not (x[1]);
      /* Bit v of the index is the answer to x0 + 2 x1 = v. */
      f[0] = i_zero ();
      f[1] = i_and (not0, not1);
      f[2] = i_and (x[0], not1);
      f[3] = not1;
      f[4] = i_and (not0, x[1]);
      f[5] = not0;
      f[6] = i_xor (x[0], x[1]);
      f[7] = i_not (i_and (x[0], x[1]));
      for (guint i = 0; i < 8; i++)
        f[15 - i] = i_not (f[i]);
      switch (k)
        {
        case 0: case 1: case 2: y = T2 (0); break;
        case 3: y = T3 (0); break;
        case 4: y = T4 (0); break;
        case 5: y = T5 (0); break;
        case 6: y = T6 (0); break;
        case 7: y = T7 (0); break;
        default: y = T8 (0); break;
        }
      i_store (out + at, y);
    }
}

/* --- numbers: rows of up to a few dozen floats, eight at a time in both versions --- */

/* The sum of each of eight vectors. */
static inline __m256
sums_of_8 (const __m256 *r)
{
  __m256 a = _mm256_hadd_ps (_mm256_hadd_ps (r[0], r[1]), _mm256_hadd_ps (r[2], r[3]));
  __m256 b = _mm256_hadd_ps (_mm256_hadd_ps (r[4], r[5]), _mm256_hadd_ps (r[6], r[7]));

  return _mm256_add_ps (_mm256_permute2f128_ps (a, b, 0x20), _mm256_permute2f128_ps (a, b, 0x31));
}

/* Eight rows at a time: eight dot products in eight registers, whose lanes are then summed crosswise, so that one
 * store writes eight scores. */
static void
add_numeric (float         *eta,
             const float   *x,
             gsize          stride,
             const guint32 *rows,
             guint          n_rows,
             const float   *w)
{
  for (guint r = 0; r < n_rows; r += 8)
    {
      __m256 sums[8];

      for (guint i = 0; i < 8; i++)
        {
          /* Past the end any row will do: that score is not read. */
          const float *row = x + rows[MIN (r + i, n_rows - 1)] * stride;

          sums[i] = _mm256_setzero_ps ();
          for (gsize u = 0; u < stride; u += 8)
            sums[i] = _mm256_fmadd_ps (_mm256_load_ps (w + u), _mm256_loadu_ps (row + u), sums[i]);
        }
      _mm256_store_ps (eta + r, _mm256_add_ps (_mm256_load_ps (eta + r), sums_of_8 (sums)));
    }
}

/* Up to 32 columns at a time stay in registers over all rows. Even and odd rows have their own accumulators, so
 * that an addition need not wait for the one before it. */
static void
numeric_sums (const float   *x,
              gsize          stride,
              const guint32 *rows,
              guint          n_rows,
              const float   *g,
              float         *out)
{
  for (gsize u = 0; u < stride; u += 32)
    {
      guint n = (guint) MIN (4, (stride - u) / 8);
      __m256 even[4], odd[4];

      for (guint i = 0; i < 4; i++)
        even[i] = odd[i] = _mm256_setzero_ps ();
      for (guint r = 0; r + 1 < n_rows; r += 2)
        {
          __m256 g0 = _mm256_set1_ps (g[r]), g1 = _mm256_set1_ps (g[r + 1]);

          for (guint i = 0; i < 4; i++)
            if (i < n)
              {
                even[i] = _mm256_fmadd_ps (g0, _mm256_loadu_ps (x + rows[r] * stride + u + 8 * i), even[i]);
                odd[i] = _mm256_fmadd_ps (g1, _mm256_loadu_ps (x + rows[r + 1] * stride + u + 8 * i), odd[i]);
              }
        }
      if (n_rows % 2 == 1)
        for (guint i = 0; i < n; i++)
          even[i] = _mm256_fmadd_ps (_mm256_set1_ps (g[n_rows - 1]),
                                     _mm256_loadu_ps (x + rows[n_rows - 1] * stride + u + 8 * i), even[i]);
      for (guint i = 0; i < n; i++)
        _mm256_storeu_ps (out + u + 8 * i, _mm256_add_ps (_mm256_loadu_ps (out + u + 8 * i),
                                                          _mm256_add_ps (even[i], odd[i])));
    }
}

/* One output: a histogram with floats. Several: the row's gradients are one vector or more, added to the code's
 * place. */
static void
code_sums (const guint8 *codes,
           guint         n_codes,
           const float  *g,
           guint         width,
           float        *out)
{
  if (width == 1)
    {
      /* Four histograms, so that neighbors with one code do not wait for each other. */
      float h[4][256];

      for (guint i = 0; i < 4; i++)
        memset (h[i], 0, n_codes * sizeof (float));
      for (guint r = 0; r < MT_CHUNK; r += 4)
        for (guint i = 0; i < 4; i++)
          h[i][codes[r + i]] += g[r + i];
      for (guint c = 0; c < n_codes; c++)
        out[c] += (h[0][c] + h[1][c]) + (h[2][c] + h[3][c]);
      return;
    }
  for (guint r = 0; r < MT_CHUNK; r++)
    {
      float *to = out + codes[r] * width;

      for (guint c = 0; c < width; c += 8)
        _mm256_storeu_ps (to + c, _mm256_add_ps (_mm256_loadu_ps (to + c),
                                                 _mm256_loadu_ps (g + r * width + c)));
    }
}

/* --- losses --- */

/* Clears what lies past the last row, so that later sums need not know the number of rows. */
static inline void
clear_tail (float *g,
            guint  n_rows)
{
  memset (g + n_rows, 0, (MT_CHUNK - n_rows) * sizeof (float));
}

/* e = e^−|η| is taken once and gives both p and the loss: p is 1 / (1 + e) or e / (1 + e), depending on the sign
 * of η, and log (1 + e) is within 0 … log 2, where a short series is exact enough. The losses are stored and
 * summed afterwards, so that rows past the end count as 0. */
static double
loss_binary (const float *eta,
             const float *y,
             const float *weight,
             guint        n_rows,
             float       *g)
{
  float losses[MT_CHUNK] __attribute__ ((aligned (64)));
  VF one = v_set1 (1.0f), sum = v_set1 (0.0f);

  for (guint r = 0; r < n_rows; r += VLANES)
    {
      VF x = v_load (eta + r), t = v_load (y + r);
      VF w = weight != NULL ? v_load (weight + r) : one;
      VF size = v_min (v_max (x, v_neg (x)), v_set1 (87.0f));
      VF e = v_exp (v_neg (size));
      VF inverse = v_recip (v_add (one, e));
      VF p = v_positive (x, inverse, v_mul (e, inverse));

      v_store (g + r, v_mul (w, v_sub (p, t)));
      v_store (losses + r, v_mul (w, v_add (v_sub (v_max (x, v_set1 (0.0f)), v_mul (t, x)),
                                            v_log1p_unit (e))));
    }
  clear_tail (g, n_rows);
  clear_tail (losses, n_rows);
  for (guint r = 0; r < n_rows; r += VLANES)
    sum = v_add (sum, v_load (losses + r));
  return sum_lanes (sum);
}

/* The exponentials are left in g between the two loops over the outputs and are not computed twice. The logarithm
 * is taken a row at a time: there is one for each row, not one for each output.
 *
 * Memory: the exponentials take the place of the gradient, so no scratch is needed for any
 * number of outputs. */
static double
loss_softmax (const float *eta,
              const float *y,
              const float *weight,
              guint        n_rows,
              guint        n_outputs,
              float       *g)
{
  double loss = 0.0;

  for (guint r = 0; r < n_rows; r += VLANES)
    {
      VF truth = v_load (y + r), largest = v_load (eta + r), sum = v_set1 (0.0f), at_truth = v_set1 (0.0f);
      VF w = weight != NULL ? v_load (weight + r) : v_set1 (1.0f);
      VF scale;
      float sums[VLANES] __attribute__ ((aligned (64))), rest[VLANES] __attribute__ ((aligned (64)));

      for (guint c = 1; c < n_outputs; c++)
        largest = v_max (largest, v_load (eta + c * MT_CHUNK + r));
      for (guint c = 0; c < n_outputs; c++)
        {
          VF x = v_sub (v_load (eta + c * MT_CHUNK + r), largest);
          VF e = v_exp (v_max (x, v_set1 (-87.0f)));

          v_store (g + c * MT_CHUNK + r, e);
          sum = v_add (sum, e);
          at_truth = v_add (at_truth, v_equal (truth, v_set1 ((float) c), x));
        }
      scale = v_mul (w, v_recip (sum));
      for (guint c = 0; c < n_outputs; c++)
        v_store (g + c * MT_CHUNK + r, v_sub (v_mul (v_load (g + c * MT_CHUNK + r), scale),
                                              v_equal (truth, v_set1 ((float) c), w)));
      v_store (sums, sum);
      v_store (rest, at_truth);
      for (guint l = 0; l < MIN (VLANES, n_rows - r); l++)
        loss += (double) ((logf (sums[l]) - rest[l]) * (weight != NULL ? weight[r + l] : 1.0f));
    }
  for (guint c = 0; c < n_outputs; c++)
    clear_tail (g + c * MT_CHUNK, n_rows);
  return loss;
}

/* Errors first, then the tail is cleared, then weights and the sum: the sum may run over whole vectors. */
static double
loss_squares (const float *eta,
              const float *y,
              const float *weight,
              guint        n_rows,
              float       *g)
{
  VF sum = v_set1 (0.0f);

  for (guint r = 0; r < n_rows; r += VLANES)
    v_store (g + r, v_sub (v_load (eta + r), v_load (y + r)));
  clear_tail (g, n_rows);
  for (guint r = 0; r < n_rows; r += VLANES)
    {
      VF e = v_load (g + r);
      VF weighted = weight != NULL ? v_mul (e, v_load (weight + r)) : e;

      v_store (g + r, weighted);
      sum = v_fma (weighted, e, sum);
    }
  clear_tail (g, n_rows);
  return 0.5 * sum_lanes (sum);
}

/* --- parameters --- */

/* The weights of the first output stay in a register over all literals; with one output, the usual case, the inner
 * loop over outputs does not run.
 *
 * Cost: literals × (outputs + 3) vector operations for each 16 nodes; it is limited by
 * reading π and W_ltt and writing both gradients. */
static void
node_gradients (gsize        n,
                guint        n_outputs,
                const float *q,
                gsize        q_stride,
                const float *w,
                gsize        w_stride,
                const float *pi,
                const float *w_ltt,
                const float *extra,
                float       *grad_ltt,
                float       *grad_pi)
{
  for (guint first = 0; first < MT_LANES; first += VLANES)
    {
      VF w0 = v_load (w + first);

      for (gsize i = 0; i < n; i++)
        {
          gsize at = i * MT_LANES + first;
          VF grad = v_mul (v_set1 (q[i]), w0), u;

          for (guint c = 1; c < n_outputs; c++)
            grad = v_fma (v_set1 (q[c * q_stride + i]), v_load (w + c * w_stride + first), grad);
          u = v_mul (grad, v_load (w_ltt + at));
          if (extra != NULL)
            u = v_add (u, v_load (extra + at));
          v_store (grad_ltt + at, v_mul (v_load (pi + at), grad));
          v_store (grad_pi + at, u);
        }
    }
}

/* As in mt-kernels-c.c. d = p − p² is computed twice rather than stored: reading and writing memory is what this
 * loop waits for. */
static void
sigmoid_backward (const float *pi,
                  gsize        n,
                  float        inv_tau,
                  const float *up,
                  float       *down,
                  float       *mean)
{
  for (guint first = 0; first < MT_LANES; first += VLANES)
    {
      VF sum_d = v_set1 (0.0f), sum_du = v_set1 (0.0f), scale = v_set1 (inv_tau), middle;
      float lanes[2 * VLANES] __attribute__ ((aligned (64)));

      for (gsize i = 0; i < n; i++)
        {
          VF p = v_load (pi + i * MT_LANES + first), d = v_fnma (p, p, p);

          sum_d = v_add (sum_d, d);
          sum_du = v_fma (d, v_load (up + i * MT_LANES + first), sum_du);
        }
      v_store (lanes, sum_d);
      v_store (lanes + VLANES, sum_du);
      for (guint l = 0; l < VLANES; l++)
        mean[first + l] = lanes[l] = lanes[l] > 0.0f ? lanes[VLANES + l] / lanes[l] : 0.0f;
      middle = v_load (lanes);
      for (gsize i = 0; i < n; i++)
        {
          gsize at = i * MT_LANES + first;
          VF p = v_load (pi + at), d = v_fnma (p, p, p);

          v_store (down + at, v_mul (v_mul (d, scale), v_sub (v_load (up + at), middle)));
        }
    }
}

/* In parts of 1,024 floats, each summed in floats and added to a double, so that a million parameters lose no more
 * digits than a thousand. */
static double
sum_squares (const float *x,
             gsize        n)
{
  double sum = 0.0;

  for (gsize from = 0; from < n; from += 1024)
    {
      gsize to = MIN (from + 1024, n);
      VF part = v_set1 (0.0f);

      for (gsize i = from; i < to; i += VLANES)
        part = v_fma (v_load (x + i), v_load (x + i), part);
      sum += sum_lanes (part);
    }
  return sum;
}

/* As in mt-kernels-c.c, with the multiplications in another order. */
static void
adam (float        *p,
      float        *m,
      float        *v,
      const float  *grad,
      gsize         n,
      const MtAdam *how)
{
  VF scale = v_set1 (how->scale), beta1 = v_set1 (how->beta1), beta2 = v_set1 (how->beta2);
  VF rest1 = v_set1 (1.0f - how->beta1), rest2 = v_set1 (1.0f - how->beta2);
  VF rate = v_set1 (how->learning_rate), decay = v_set1 (how->weight_decay);
  VF correct1 = v_set1 (how->correct1), correct2 = v_set1 (how->correct2), epsilon = v_set1 (how->epsilon);

  for (gsize i = 0; i < n; i += VLANES)
    {
      VF g = v_mul (v_load (grad + i), scale);
      VF mean = v_fma (beta1, v_load (m + i), v_mul (rest1, g));
      VF square = v_fma (beta2, v_load (v + i), v_mul (rest2, v_mul (g, g)));
      VF x = v_load (p + i);
      VF step = v_sqrt_div (v_mul (mean, correct1), v_mul (square, correct2), epsilon);

      v_store (m + i, mean);
      v_store (v + i, square);
      v_store (p + i, v_fnma (rate, v_fma (decay, x, step), x));
    }
}

/* In vectors of eight for both versions: the arrays are short, and memory is the limit. */
static void
axpy (float       *y,
      const float *x,
      float        a,
      gsize        n)
{
  __m256 scale = _mm256_set1_ps (a);

  for (gsize i = 0; i < n; i += 8)
    _mm256_storeu_ps (y + i, _mm256_fmadd_ps (scale, _mm256_loadu_ps (x + i), _mm256_loadu_ps (y + i)));
}

#define MT_SIMD_KERNELS(the_name, cost_of_plane) \
  {                                   \
    .name = the_name,                 \
    .costs = { cost_of_plane, 0.2f, 0.27f, 0.195f }, \
    .sigmoid_block = sigmoid_block,   \
    .top_block = top_block,           \
    .gather_codes = gather_codes,     \
    .planes = planes,                 \
    .node_table = node_table,         \
    .node_sum = node_sum,             \
    .add_bits = add_bits,             \
    .add_codes = add_codes,           \
    .add_numeric = add_numeric,       \
    .loss_binary = loss_binary,       \
    .loss_softmax = loss_softmax,     \
    .loss_squares = loss_squares,     \
    .bit_sums = bit_sums,             \
    .code_sums = code_sums,           \
    .numeric_sums = numeric_sums,     \
    .node_gradients = node_gradients, \
    .sigmoid_backward = sigmoid_backward, \
    .sum_squares = sum_squares,       \
    .adam = adam,                     \
    .axpy = axpy,                     \
  }
