/* The reference version of every kernel: what the SIMD versions are compared with.
 *
 * Each kernel is the formula written down: no vectors, no unrolling, no reordering. Where the other
 * versions take another order of sums, tests/network/test-kernels.c says how far they may be off.
 * It is also what runs on processors without AVX2, and what MINTERM_KERNELS=scalar asks for.
 *
 * The numbers at the end, costs, are measured times in µs (MtSumCosts). They decide only which of
 * two ways is taken, never the result beyond rounding. */
#include "config.h"
#include "mt-kernels-private.h"

#include <math.h>
#include <string.h>

/* π of 16 lanes and its two sums. x is clamped to ±87 because e^88 is no longer a float; beyond that π is 0 or 1
 * to the last bit anyway. The sums are kept in double: they are compared with k at a relative 4e-7, which a float
 * sum over 1,000 literals would not reach. */
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
  for (guint l = 0; l < MT_LANES; l++)
    sums[l] = slopes[l] = 0.0;
  for (gsize i = 0; i < n; i++)
    for (guint l = 0; l < MT_LANES; l++)
      {
        float x = (s[i * MT_LANES + l] - hi[l]) * inv_tau;
        float p = 1.0f / (1.0f + f[l] * expf (-CLAMP (x, -87.0f, 87.0f)));

        pi[i * MT_LANES + l] = p;
        sums[l] += p;
        slopes[l] += p - p * p;
      }
}

/* The k largest scores of each lane by insertion into a sorted list, which stays short (k ≤ 17): O(n k) at worst,
 * but about O(n) in practice, because most scores fail the first comparison. Strictly greater (x > …) lets the
 * lower index win among equal scores, as all versions must. */
static void
top_block (const float *s,
           gsize        n,
           guint        k,
           guint32     *index)
{
  for (guint l = 0; l < MT_LANES; l++)
    {
      guint n_kept = 0;

      for (gsize i = 0; i < n; i++)
        {
          float x = s[i * MT_LANES + l];
          guint at = n_kept;

          while (at > 0 && x > s[index[(at - 1) * MT_LANES + l] * MT_LANES + l])
            at--;
          if (at == k)
            continue;
          n_kept = MIN (n_kept + 1, k);
          for (guint r = n_kept - 1; r > at; r--)
            index[r * MT_LANES + l] = index[(r - 1) * MT_LANES + l];
          index[at * MT_LANES + l] = (guint32) i;
        }
    }
}

/* Collects the codes of up to 512 rows of a shuffled batch. In memory a row's codes are neighbors, so each row
 * costs one or two cache lines; afterwards the codes of a group are neighbors, which is what every later kernel
 * reads. Rows past n_rows get code 0. */
static void
gather_codes (const guint8  *codes,
              gsize          stride,
              const guint32 *rows,
              guint          n_rows,
              guint          n_groups,
              guint8        *out)
{
  for (guint g = 0; g < n_groups; g++)
    {
      for (guint r = 0; r < n_rows; r++)
        out[g * MT_CHUNK + r] = codes[rows[r] * stride + g];
      memset (out + g * MT_CHUNK + n_rows, 0, MT_CHUNK - n_rows);
    }
}

/* From codes to bits: a literal of a thermometer is true for a range of codes (all codes from its threshold up,
 * but not the code of missing), one of a one-hot group for a single code. Both are first ≤ code ≤ last. Each
 * literal's answer for a chunk is 8 words of 64 rows. */
static void
planes (const MtGroup *groups,
        guint          n_groups,
        const guint8  *codes,
        guint64       *bits)
{
  for (guint g = 0; g < n_groups; g++)
    for (guint i = 0; i < groups[g].n_literals; i++)
      {
        guint64 *out = bits + (groups[g].first_literal + i) * MT_CHUNK_WORDS;
        guint first, last;

        mt_literal_code_range (&groups[g], i, &first, &last);
        for (guint word = 0; word < MT_CHUNK_WORDS; word++)
          {
            const guint8 *code = codes + g * MT_CHUNK + word * 64;

            out[word] = 0;
            for (guint r = 0; r < 64; r++)
              out[word] |= (guint64) (code[r] >= first && code[r] <= last) << r;
          }
      }
}

/* 64 rows at a time: the table's entries as all-zero or all-one words, then one input after
 * another chooses between neighbors.
 *
 * It halves the list k times: 2^k entries become one. For 64 rows and k = 5 these are 31
 * choices, about 100 operations, where adding weights would take 5 × 64. */
static void
node_table (const guint64 *bits,
            const guint32 *inputs,
            guint          k,
            const guint64 *table,
            guint64       *out)
{
  for (guint word = 0; word < MT_CHUNK_WORDS; word++)
    {
      guint64 t[1 << MT_TABLE_MAX_INPUTS];

      for (guint v = 0; v < 1u << k; v++)
        t[v] = -(table[v / 64] >> (v % 64) & 1);
      for (guint i = 0; i < k; i++)
        {
          guint64 x = bits[inputs[i] * MT_CHUNK_WORDS + word];

          for (guint v = 0; v < 1u << (k - 1 - i); v++)
            t[v] = (x & t[2 * v + 1]) | (~x & t[2 * v]);
        }
      out[word] = t[0];
    }
}

/* For nodes too wide for a table of 2^k entries. The sum is made in double and in the order of the inputs, exactly
 * as mt_net_node_sums() makes it for one assignment; otherwise a row exactly on the border could get another
 * answer here than in the truth table that is made of the node later. */
static void
node_sum (const guint64 *bits,
          const guint32 *inputs,
          const float   *weights,
          float          bias,
          guint          k,
          guint64       *out)
{
  memset (out, 0, MT_CHUNK / 8);
  for (guint r = 0; r < MT_CHUNK; r++)
    {
      double z = bias;

      for (guint i = 0; i < k; i++)
        if (mt_plane_get (bits + inputs[i] * MT_CHUNK_WORDS, r))
          z += weights[i];
      out[r / 64] |= (guint64) (z > 0.0) << (r % 64);
    }
}

/* η += w for each row whose bit is set: walks the set bits of a word, lowest first. It is how a node's answers (0
 * or 1) enter the head. */
static void
add_bits (float         *eta,
          const guint64 *bits,
          guint          n_vectors,
          const float   *w)
{
  for (guint v = 0; v < n_vectors; v++)
    for (guint word = 0; word < MT_CHUNK_WORDS; word++)
      for (guint64 left = bits[v * MT_CHUNK_WORDS + word]; left != 0; left &= left - 1)
        eta[word * 64 + (guint) __builtin_ctzll (left)] += w[v];
}

/* The head's literals, one group at a time. Which of a group's literals are true follows from the code, so their
 * weights are summed once per code beforehand (prepare_head()) and a row takes one lookup instead of one addition
 * for each literal. */
static void
add_codes (float        *eta,
           const guint8 *codes,
           const float  *table,
           guint         n_codes)
{
  for (guint r = 0; r < MT_CHUNK; r++)
    eta[r] += table[codes[r]];
}

/* The head's numeric columns: a dot product a row. @stride is padded with zeros, so there is no rest to handle. */
static void
add_numeric (float         *eta,
             const float   *x,
             gsize          stride,
             const guint32 *rows,
             guint          n_rows,
             const float   *w)
{
  for (guint r = 0; r < n_rows; r++)
    {
      float sum = 0.0f;

      for (gsize u = 0; u < stride; u++)
        sum += w[u] * x[rows[r] * stride + u];
      eta[r] += sum;
    }
}

/* Logistic loss of one output: L = log (1 + e^η) − y η, written as max (η, 0) − y η + log1p (e^−|η|), which
 * neither overflows nor loses digits. Its gradient is p − y with p = σ(η). Both are multiplied by the weight of
 * the row's class. */
static double
loss_binary (const float *eta,
             const float *y,
             const float *weight,
             guint        n_rows,
             float       *g)
{
  double loss = 0.0;

  memset (g, 0, MT_CHUNK * sizeof (float));
  for (guint r = 0; r < n_rows; r++)
    {
      float w = weight != NULL ? weight[r] : 1.0f;
      float p = 1.0f / (1.0f + expf (-CLAMP (eta[r], -87.0f, 87.0f)));

      g[r] = w * (p - y[r]);
      loss += (double) (w * (MAX (eta[r], 0.0f) - y[r] * eta[r] + log1pf (expf (-fabsf (eta[r])))));
    }
  return loss;
}

/* Softmax loss of C outputs: L = log Σ e^η_c − η_truth, gradient p_c − [c = truth]. The largest η is subtracted
 * before e^ is taken, so the largest term is 1 and nothing overflows; terms below e^−87 are cut there. */
static double
loss_softmax (const float *eta,
              const float *y,
              const float *weight,
              guint        n_rows,
              guint        n_outputs,
              float       *g)
{
  double loss = 0.0;

  memset (g, 0, n_outputs * MT_CHUNK * sizeof (float));
  for (guint r = 0; r < n_rows; r++)
    {
      float w = weight != NULL ? weight[r] : 1.0f;
      float largest = eta[r], sum = 0.0f;
      guint truth = (guint) y[r];

      for (guint c = 1; c < n_outputs; c++)
        largest = MAX (largest, eta[c * MT_CHUNK + r]);
      for (guint c = 0; c < n_outputs; c++)
        sum += expf (MAX (eta[c * MT_CHUNK + r] - largest, -87.0f));
      for (guint c = 0; c < n_outputs; c++)
        g[c * MT_CHUNK + r] =
          w * (expf (MAX (eta[c * MT_CHUNK + r] - largest, -87.0f)) / sum - (c == truth ? 1.0f : 0.0f));
      loss += (double) (w * (logf (sum) + largest - eta[truth * MT_CHUNK + r]));
    }
  return loss;
}

/* Half the squared error on the standardized target, so that the gradient is the error itself. y has mean 0
 * and deviation 1 on the training rows; mt_net_set_target_scale() knows the way back. */
static double
loss_squares (const float *eta,
              const float *y,
              const float *weight,
              guint        n_rows,
              float       *g)
{
  double loss = 0.0;

  memset (g, 0, MT_CHUNK * sizeof (float));
  for (guint r = 0; r < n_rows; r++)
    {
      float w = weight != NULL ? weight[r] : 1.0f;
      float e = eta[r] - y[r];

      g[r] = w * e;
      loss += (double) (0.5f * w * e * e);
    }
  return loss;
}

/* Xᵀg for literals or nodes given as bits: out[v] is the sum of g over the rows whose bit is set. This is the
 * gradient of the head's weight, and the first factor of the gradient of every node's inputs. */
static void
bit_sums (const guint64 *bits,
          guint          n_vectors,
          const float   *g,
          float         *out)
{
  for (guint v = 0; v < n_vectors; v++)
    {
      float sum = 0.0f;

      for (guint word = 0; word < MT_CHUNK_WORDS; word++)
        for (guint64 left = bits[v * MT_CHUNK_WORDS + word]; left != 0; left &= left - 1)
          sum += g[word * 64 + (guint) __builtin_ctzll (left)];
      out[v] += sum;
    }
}

/* The same sums by code instead of by literal: one addition a row and group, after which a literal's sum is a sum
 * over its codes (sum_by_code()). Pays when a group has many literals; MtSumCosts says when. */
static void
code_sums (const guint8 *codes,
           guint         n_codes,
           const float  *g,
           guint         width,
           float        *out)
{
  for (guint r = 0; r < MT_CHUNK; r++)
    for (guint c = 0; c < width; c++)
      out[codes[r] * width + c] += g[r * width + c];
}

/* The gradient of the head's numeric weights: g times the value, summed over the rows. */
static void
numeric_sums (const float   *x,
              gsize          stride,
              const guint32 *rows,
              guint          n_rows,
              const float   *g,
              float         *out)
{
  for (guint r = 0; r < n_rows; r++)
    for (gsize u = 0; u < stride; u++)
      out[u] += g[r] * x[rows[r] * stride + u];
}

/* The gradients of one block of 16 nodes. The node's step function passes the gradient through as if it were the
 * identity, so ∂L/∂z_j for a row is Σ_c g_c w_cj, and summed over the rows where literal i is true
 *
 *   G_ij = Σ_c (Σ_{r : x_ri = 1} g_rc) w_cj = Σ_c q_ci w_cj.
 *
 * z = Σ_i π_i W_i x_i + b, so the gradient is π∘G for the weights inside the node (W_ltt) and G∘W_ltt for π. The
 * sums q are the same for all nodes, which is why they were made once. */
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
  for (gsize i = 0; i < n; i++)
    for (guint l = 0; l < MT_LANES; l++)
      {
        gsize at = i * MT_LANES + l;
        float grad = 0.0f;

        for (guint c = 0; c < n_outputs; c++)
          grad += q[c * q_stride + i] * w[c * w_stride + l];
        grad_ltt[at] = pi[at] * grad;
        grad_pi[at] = grad * w_ltt[at] + (extra != NULL ? extra[at] : 0.0f);
      }
}

/* See soft_backward() in mt-topk.c for the formula. Two loops, because the mean is needed before the first result;
 * @down may be the same array as @up, since each element is read before it is written.
 *
 * A lane with Σ d = 0 (all π are 0 or 1 to the last bit) has no gradient: the choice is
 * hard there. */
static void
sigmoid_backward (const float *pi,
                  gsize        n,
                  float        inv_tau,
                  const float *up,
                  float       *down,
                  float       *mean)
{
  for (guint l = 0; l < MT_LANES; l++)
    {
      float sum_d = 0.0f, sum_du = 0.0f;

      for (gsize at = l; at < n * MT_LANES; at += MT_LANES)
        {
          float d = pi[at] - pi[at] * pi[at];

          sum_d += d;
          sum_du += d * up[at];
        }
      mean[l] = sum_d > 0.0f ? sum_du / sum_d : 0.0f;
      for (gsize at = l; at < n * MT_LANES; at += MT_LANES)
        down[at] = (pi[at] - pi[at] * pi[at]) * (up[at] - mean[l]) * inv_tau;
    }
}

/* In double, from the first to the last: the norm that clipping compares with. */
static double
sum_squares (const float *x,
             gsize        n)
{
  double sum = 0.0;

  for (gsize i = 0; i < n; i++)
    sum += (double) x[i] * x[i];
  return sum;
}

/* AdamW: m and v are running means of the gradient and of its square, corrected for their start at zero (correct1
 * = 1 / (1 − β1ᵗ), correct2 = 1 / (1 − β2ᵗ)), and
 *
 *   p ← p − rate · (decay · p + m̂ / (√v̂ + ε)).
 *
 * The decay acts on the parameter itself, not through the gradient; otherwise parameters with large gradients
 * would decay less. scale is the factor that clips the gradient's global norm, 1 if it was small enough. */
static void
adam (float        *p,
      float        *m,
      float        *v,
      const float  *grad,
      gsize         n,
      const MtAdam *how)
{
  for (gsize i = 0; i < n; i++)
    {
      float g = grad[i] * how->scale;

      m[i] = how->beta1 * m[i] + (1.0f - how->beta1) * g;
      v[i] = how->beta2 * v[i] + (1.0f - how->beta2) * (g * g);
      p[i] -= how->learning_rate * (how->weight_decay * p[i] +
                                    m[i] * how->correct1 / (sqrtf (v[i] * how->correct2) + how->epsilon));
    }
}

/* y += a x. Adds the slots of the chunks in their order, which is what makes the sum independent of the number of
 * threads. */
static void
axpy (float       *y,
      const float *x,
      float        a,
      gsize        n)
{
  for (gsize i = 0; i < n; i++)
    y[i] += a * x[i];
}

const MtKernels mt_kernels_c = {
  .name = "scalar",
  .costs = { 0.135f, 0.42f, 0.0f, 2.4f },
  .sigmoid_block = sigmoid_block,
  .top_block = top_block,
  .gather_codes = gather_codes,
  .planes = planes,
  .node_table = node_table,
  .node_sum = node_sum,
  .add_bits = add_bits,
  .add_codes = add_codes,
  .add_numeric = add_numeric,
  .loss_binary = loss_binary,
  .loss_softmax = loss_softmax,
  .loss_squares = loss_squares,
  .bit_sums = bit_sums,
  .code_sums = code_sums,
  .numeric_sums = numeric_sums,
  .node_gradients = node_gradients,
  .sigmoid_backward = sigmoid_backward,
  .sum_squares = sum_squares,
  .adam = adam,
  .axpy = axpy,
};
