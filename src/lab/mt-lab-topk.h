/* The two other ways to choose k of n softly that the paper compares with: for the comparison only. Plain loops in double.
 *
 * Sinkhorn: scores are moved to the places 0 and 1 at cost (s - y)², n - k of n parts of mass to 0 and k to 1, with an
 * entropy of weight ε. The duals f (n) and g (2) take turns:
 *   f_i = ε log (1 / n) - ε log Σ_j exp ((g_j - C_ij) / ε)     g_j = ε log b_j - ε log Σ_i exp ((f_i - C_ij) / ε)
 * and π_i is n times what goes to 1. Every turn is kept, for the gradient goes back through all of them. As
 * C_i0 - C_i1 = 2 s_i - 1, it converges to the soft top-k of temperature ε / 2.
 *
 * Perturbed: π is the mean of hard choices from s + σ z over samples z of N(0, 1);
 *   ∂(g·π)/∂s ≈ mean of (sum of g over the chosen) z / σ. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

/* Doubles that a tape has. */
gsize mt_lab_sinkhorn_tape_size (gsize         n,
                                 guint         n_turns);
void  mt_lab_sinkhorn_forward   (const double *scores,
                                 gsize         n,
                                 double        k,
                                 double        epsilon,
                                 guint         n_turns,
                                 double       *tape,
                                 double       *pi);
/* @scratch: n. */
void  mt_lab_sinkhorn_backward  (const double *scores,
                                 gsize         n,
                                 double        k,
                                 double        epsilon,
                                 guint         n_turns,
                                 const double *tape,
                                 const double *grad_pi,
                                 double       *grad_scores,
                                 double       *scratch);

/* @noise: n_samples × n, filled; @chosen: n_samples × k, filled. @scratch: n. */
void  mt_lab_perturbed_forward  (const double *scores,
                                 gsize         n,
                                 guint         k,
                                 double        sigma,
                                 guint         n_samples,
                                 MtRandom     *random,
                                 float        *noise,
                                 guint32      *chosen,
                                 double       *pi,
                                 double       *scratch);
void  mt_lab_perturbed_backward (gsize          n,
                                 guint          k,
                                 double         sigma,
                                 guint          n_samples,
                                 const float   *noise,
                                 const guint32 *chosen,
                                 const double  *grad_pi,
                                 double        *grad_scores);

G_END_DECLS
