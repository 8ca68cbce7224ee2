/* Choosing k of n inputs for each node, so that a gradient can flow through the choice.
 *
 * Soft: π = σ((s - λ) / τ), with λ such that Σπ = k. It is the maximum of π·s + τ H(π) over
 * 0 ≤ π ≤ 1, Σπ = k, H the binary entropy; small τ comes close to the hard choice.
 *   ∂π_i/∂s_j = d_i (δ_ij - d_j / Σd) / τ,   ∂π_i/∂k = d_i / Σd,   d = π (1 - π)
 * λ is found by Newton's steps in double, held inside a bracket: it lies between min s - τx
 * and max s - τx with x = log (k / (n - k)), because equal scores would all have π = k / n;
 * mt-topk.c has a narrower one for small k. A step that leaves the bracket, or after which
 * the residual is not at most half, is replaced by halving the bracket.
 * |Σπ - k| ≤ 1e-6 k holds for n ≤ 100,000 and 1e-4 ≤ τ ≤ 10.
 *
 * Hard: the k largest scores; equal scores by the lower index.
 *
 * Scores lie in blocks of MT_TOPK_LANES nodes, each block n × MT_TOPK_LANES floats, 64-byte
 * aligned; sizes: n 50–10,000, up to 200 nodes. One block is one unit of work for a thread.
 *
 * The learner reaches the operator only through MtTopkOps, so another relaxation can take
 * its place. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_TOPK_LANES   16
#define MT_TOPK_MAX_K   16     /* of the hard choice */

typedef struct {
  const char *name;
  /* π of one block. state: MT_TOPK_LANES doubles kept from call to call (here the last λ, as
   * the first guess of the next), NaN before the first. Returns the passes over the block. */
  guint (*forward)  (const float *scores, gsize n, double k, double tau, double *state, float *pi);
  /* grad_s = (∂π/∂s)ᵀ grad_pi; may be done in place. grad_k: MT_TOPK_LANES values, or NULL. */
  void  (*backward) (const float *pi, gsize n, double tau, const float *grad_pi, float *grad_s,
                     double *grad_k);
} MtTopkOps;

extern const MtTopkOps mt_topk_soft;

/* index: k × MT_TOPK_LANES, largest first. 1 ≤ k ≤ MIN (n, MT_TOPK_MAX_K). */
void mt_topk_hard (const float *scores,
                   gsize        n,
                   guint        k,
                   guint32     *index);

/* |Σπ - k| after each of @n_passes of plain halving, as the paper draws it; scores: n. */
void mt_topk_bisection_errors (const float *scores,
                               gsize        n,
                               double       k,
                               double       tau,
                               guint        n_passes,
                               double      *errors);

G_END_DECLS
