/* The learner's inner loops, in three versions that are chosen once: plain C (the
 * reference), AVX2 and AVX-512. Kernels take pointers and counts, allocate nothing and
 * cannot fail.
 *
 * Two shapes are fixed, so that every version is a loop over whole vectors:
 *   lanes  16 nodes side by side. A matrix literals × nodes is kept as blocks of 16 nodes,
 *          each block n × 16 floats; unused lanes of the last block hold zeros.
 *   chunk  512 rows: a literal's bits of a chunk are 64 bytes, one AVX-512 register.
 *          Rows past the end of a short chunk have code 0, gradient 0.
 * All pointers to floats and bits are 64-byte aligned, except where "any" is said.
 *
 * What must agree between the versions: every boolean and index exactly; floats within the
 * bounds that tests/network/test-kernels.c states. */
#pragma once

#include <glib.h>

#include "encode/mt-encoded.h"

G_BEGIN_DECLS

#define MT_LANES        16
#define MT_CHUNK        512
#define MT_CHUNK_WORDS  (MT_CHUNK / 64)

/* Most that top_block finds a lane: the widest node's inputs and the first left out. */
#define MT_TOP_MAX      17

/* Nodes up to this fan-in go by truth table; wider ones add their weights row by row. */
#define MT_TABLE_MAX_INPUTS 8

typedef struct {
  float learning_rate;
  float weight_decay;
  float beta1, beta2, epsilon;
  float correct1, correct2;    /* 1 / (1 - βᵗ) */
  float scale;                 /* of the gradient: the global clip */
} MtAdam;

/* What sums over a chunk of one group cost, in µs on one core, to choose between two ways:
 * bit_sums takes @plane a literal and output; code_sums takes @code for one output, for more
 * @codes and @codes8 for each eight of them. */
typedef struct {
  float plane, code, codes, codes8;
} MtSumCosts;

typedef struct {
  const char *name;
  MtSumCosts  costs;

  /* π = 1 / (1 + f e^(-(s - hi) / τ)) = σ((s - λ) / τ) for 16 lanes. λ is hi + lo: hi as a
   * float, so that s - hi is exact where it matters, and f = e^(lo / τ) for the rest.
   * sums = Σπ with an error of rounding only, slopes = Σπ(1 - π). s, pi: n × 16. */
  void   (*sigmoid_block)   (const float *s, gsize n, const float *hi, const float *f, float inv_tau,
                             float *pi, double *sums, double *slopes);
  /* The k largest of each lane, larger first, equal ones by index. index: k × 16, k ≤ 17. */
  void   (*top_block)       (const float *s, gsize n, guint k, guint32 *index);

  /* Codes of @n_rows given rows, row-major with @stride (a multiple of 16) bytes a row, to
   * group-major chunk codes: n_groups (rounded up to 16) × 512. */
  void   (*gather_codes)    (const guint8 *codes, gsize stride, const guint32 *rows, guint n_rows,
                             guint n_groups, guint8 *out);
  /* bits: n_literals × 64 bytes from chunk codes. */
  void   (*planes)          (const MtGroup *groups, guint n_groups, const guint8 *codes, guint64 *bits);
  /* A node's answer from its table: bit v of @table for assignment v of inputs[0 … k-1]
   * (input i is bit i of v), k ≤ 8; a table of fewer than 64 entries is in the low bits. */
  void   (*node_table)      (const guint64 *bits, const guint32 *inputs, guint k, const guint64 *table,
                             guint64 *out);
  /* The same by adding: bias + w₀x₀ + … in double and in that order, then > 0. */
  void   (*node_sum)        (const guint64 *bits, const guint32 *inputs, const float *weights, float bias,
                             guint k, guint64 *out);

  /* eta[r] += Σ_v w[v] · bit r of vector v; bits: n_vectors × 64 bytes. w: any */
  void   (*add_bits)        (float *eta, const guint64 *bits, guint n_vectors, const float *w);
  /* eta[r] += table[codes[r]]; table has n_codes ≤ 256 entries and room for 16 more. */
  void   (*add_codes)       (float *eta, const guint8 *codes, const float *table, guint n_codes);
  /* eta[r] += Σ_u w[u] · x[rows[r]][u]; x: row-major with @stride (a multiple of 8) floats. */
  void   (*add_numeric)     (float *eta, const float *x, gsize stride, const guint32 *rows, guint n_rows,
                             const float *w);

  /* Gradients in η and Σ of the row losses; y and weight of rows past n_rows are ignored
   * and their gradient is 0. eta and g: n_outputs × 512. weight: NULL for all ones. */
  double (*loss_binary)     (const float *eta, const float *y, const float *weight, guint n_rows, float *g);
  double (*loss_softmax)    (const float *eta, const float *y, const float *weight, guint n_rows,
                             guint n_outputs, float *g);
  double (*loss_squares)    (const float *eta, const float *y, const float *weight, guint n_rows, float *g);

  /* out[v] += Σ_r g[r] · bit r of vector v. out: any */
  void   (*bit_sums)        (const guint64 *bits, guint n_vectors, const float *g, float *out);
  /* The same sums by code: out[code × width + c] += g[r × width + c]; width 1, or a multiple
   * of 8 (g row-major). out has n_codes × width floats. */
  void   (*code_sums)       (const guint8 *codes, guint n_codes, const float *g, guint width, float *out);
  /* out[u] += Σ_r g[r] · x[rows[r]][u], u < stride. */
  void   (*numeric_sums)    (const float *x, gsize stride, const guint32 *rows, guint n_rows, const float *g,
                             float *out);

  /* One block of 16 nodes. G = Σ_c q[c][i] · w[c]: the gradient in z summed over the rows
   * where literal i is true. grad_ltt = π∘G, grad_pi = G∘W_ltt (+ extra).
   * q: n_outputs × q_stride; w: n_outputs × w_stride (first lane of the block); the other
   * matrices n × 16; extra may be NULL. */
  void   (*node_gradients)  (gsize n, guint n_outputs, const float *q, gsize q_stride, const float *w,
                             gsize w_stride, const float *pi, const float *w_ltt, const float *extra,
                             float *grad_ltt, float *grad_pi);
  /* With d = π(1 - π): mean = (d·u) / Σd, down = d∘(u - mean) · inv_tau. down may be up. */
  void   (*sigmoid_backward) (const float *pi, gsize n, float inv_tau, const float *up, float *down,
                              float *mean);
  double (*sum_squares)     (const float *x, gsize n);              /* n: a multiple of 16 */
  /* AdamW on n (a multiple of 16) parameters. */
  void   (*adam)            (float *p, float *m, float *v, const float *grad, gsize n, const MtAdam *how);
  /* y[i] += a · x[i], n a multiple of 8. */
  void   (*axpy)            (float *y, const float *x, float a, gsize n);
} MtKernels;

extern const MtKernels mt_kernels_c;
#if defined (__x86_64__)
extern const MtKernels mt_kernels_avx2;
extern const MtKernels mt_kernels_avx512;
#endif

/* The best version that this machine runs; MINTERM_KERNELS=scalar|avx2|avx512 asks for less. */
const MtKernels *mt_kernels_get     (void);
/* NULL when the machine cannot run it, or there is no such version. */
const MtKernels *mt_kernels_by_name (const char *name);

/* For tests, while nothing else runs: what mt_kernels_get() gives from now on. */
void             mt_kernels_use     (const MtKernels *kernels);

/* Zeroed, 64-byte aligned; free with mt_aligned_free(). Sizes are rounded up to 64 bytes. */
gpointer         mt_aligned_new0    (gsize n_bytes);
void             mt_aligned_free    (gpointer memory);

/* Gradients of far-off literals fade below 1e-38, where the processor becomes a hundred
 * times slower; between these two calls such numbers count as zero on this thread. */
static inline guint
mt_flush_tiny (void)
{
#if defined (__x86_64__)
  guint before = __builtin_ia32_stmxcsr ();

  __builtin_ia32_ldmxcsr (before | 0x8040);     /* results to zero, operands as zero */
  return before;
#else
  return 0;
#endif
}

static inline void
mt_flush_restore (guint before)
{
#if defined (__x86_64__)
  __builtin_ia32_ldmxcsr (before);
#endif
}

#define mt_pad16(n) (((gsize) (n) + 15) & ~(gsize) 15)
#define mt_pad8(n)  (((gsize) (n) + 7) & ~(gsize) 7)

/* The literals whose sums are suffix sums over codes; the others have a code of their own. */
static inline guint
mt_group_get_n_thresholds (const MtGroup *group)
{
  return group->kind == MT_GROUP_THERMOMETER ? group->n_literals - (group->has_missing ? 1 : 0) : 0;
}

/* Which assignments of a code group a literal is true for, as the range first ≤ code ≤ last. */
static inline void
mt_literal_code_range (const MtGroup *group,
                       guint          literal,
                       guint         *first,
                       guint         *last)
{
  guint n_thresholds = mt_group_get_n_thresholds (group);

  *first = literal + 1;
  *last = literal < n_thresholds ? n_thresholds : literal + 1;
}

G_END_DECLS
