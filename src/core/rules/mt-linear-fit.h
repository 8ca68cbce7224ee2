/* The convex fit on top of given columns: logistic, multinomial or least squares with a ridge.
 *
 *   minimize  Σ_r loss(η_r, y_r) + ½ Σ_j,c λ_j w²_jc      η = bias + A w, the bias unpenalised
 *
 * λ_j has a part that is the same for every column and one that grows with how much the column spreads (MtRidge).
 *
 * A column is a bit plane or an array of numbers; the head only points at them. Columns come and go
 * one at a time while terms are eliminated, so the inverse of the Hessian is kept and updated
 * (a rank-one update for each removal or replacement) and made again only when it has grown
 * stale: a refit after a removal then costs passes over the rows, not rows × columns² work.
 * The updated inverse preconditions conjugate gradients whose step length comes from the true
 * curvature along the direction, so a stale inverse costs steps, never the right answer.
 *
 * Multinomial: one block of the Hessian a class, weights p(1 - p); what the blocks leave out
 * is again taken care of by the step length and the conjugate directions. Weights of the
 * classes always sum to zero, as the symmetric ridge has it, until mt-refine sets some to
 * exactly zero.
 *
 * Sizes: 10²–10⁶ rows, up to 2,000 columns, 1–50 outputs. */
#pragma once

#include <gio/gio.h>

#include "mt-rules.h"

G_BEGIN_DECLS

typedef struct {
  const guint64 *plane;    /* a bit a row, or … */
  const double  *values;   /* … a number a row */
} MtLinearFitColumn;

/* λ = each + spread · 4p(1 - p) for a column that is true of the share p of the rows; a column of numbers counts
 * like one that is true of half of them. What shrinks many columns together so leaves a rare level its weight:
 * a ridge of 200 would take nearly all of what 35 rows say. */
typedef struct {
  double each;
  double spread;
} MtRidge;

typedef struct _MtLinearFit MtLinearFit;

/* @target: n_rows class numbers (binary 0 or 1), or numbers to predict; borrowed. */
MtLinearFit        *mt_linear_fit_new          (MtTask             task,
                                                guint              n_outputs,
                                                const double      *target,
                                                gsize              n_rows,
                                                MtRidge            ridge);
void           mt_linear_fit_free         (MtLinearFit            *head);

/* Rows of class c count weights[c] times; borrowed, NULL: once. Before anything else is asked. */
void           mt_linear_fit_set_class_weights (MtLinearFit       *head,
                                     const double      *weights);

guint          mt_linear_fit_get_n_columns (const MtLinearFit     *head);
/* λ of a column, whether it is in the head or not. */
double         mt_linear_fit_get_ridge    (const MtLinearFit      *head,
                                           MtLinearFitColumn       column);
/* λ of a column of which no more is known than that it is true of the share @p of the rows. */
double         mt_ridge_at          (MtRidge            ridge,
                                     double             p);
/* Appends with weights 0. */
void           mt_linear_fit_add          (MtLinearFit            *head,
                                           MtLinearFitColumn       column);
/* The last column takes the place of @index. The others' weights move to the minimum of the
 * quadratic model without it, so the next fit starts close. */
void           mt_linear_fit_remove       (MtLinearFit            *head,
                                           guint              index);
/* Another column under the same weights. */
void           mt_linear_fit_replace      (MtLinearFit            *head,
                                           guint              index,
                                           MtLinearFitColumn       column);
/* All that is known of the fit, put aside; target, class weights and columns stay borrowed. */
MtLinearFit   *mt_linear_fit_copy         (const MtLinearFit      *head);
/* @head is from now on what @from is; frees @from. */
void           mt_linear_fit_become       (MtLinearFit            *head,
                                           MtLinearFit            *from);
/* Columns may come and go without updates; the next fit makes the inverse again. */
void           mt_linear_fit_forget_inverse (MtLinearFit          *head);
/* Where the next fit starts: @weights of the columns, for one output. */
void           mt_linear_fit_set_start    (MtLinearFit            *head,
                                           guint                   output,
                                           double                  bias,
                                           const double           *weights);
/* To a predicted improvement below @tolerance (in nats, or in half squares), or @max_steps.
 * FALSE only when cancelled or when a number stopped being finite (MT_ERROR_NUMERIC). */
gboolean       mt_linear_fit_fit          (MtLinearFit            *head,
                                           guint              max_steps,
                                           double             tolerance,
                                           GCancellable      *cancellable,
                                           GError           **error);

/* Loss without and with the ridge, at the weights as they are. */
double         mt_linear_fit_get_loss     (MtLinearFit            *head);
double         mt_linear_fit_get_objective (MtLinearFit           *head);
double         mt_linear_fit_get_bias     (const MtLinearFit      *head,
                                           guint              output);
double         mt_linear_fit_get_weight   (const MtLinearFit      *head,
                                           guint              index,
                                           guint              output);
/* n_rows: what the columns add up to. */
const double  *mt_linear_fit_get_scores   (MtLinearFit            *head,
                                           guint              output);
/* n_rows: -∂loss/∂η (the residual) and ∂²loss/∂η². */
const double  *mt_linear_fit_get_residual (MtLinearFit            *head,
                                           guint              output);
const double  *mt_linear_fit_get_curvature (MtLinearFit           *head,
                                     guint              output);
/* n_rows: probability of the output; classes only. */
const double  *mt_linear_fit_get_probability (MtLinearFit         *head,
                                     guint              output);
/* What losing the column would cost, others refitted: Σ_c ½ w²/[H⁻¹]_jj. */
double         mt_linear_fit_get_drop_cost (MtLinearFit           *head,
                                     guint              index);

/* What one output's weight at zero would cost, all others as they are: ½ w² H_jj. */
double         mt_linear_fit_get_zero_cost (MtLinearFit           *head,
                                     guint              index,
                                     guint              output);
/* What another column would gain, others refitted: Σ_c ½ g²/pivot. */
double         mt_linear_fit_get_add_gain (MtLinearFit            *head,
                                           MtLinearFitColumn       column);
/* … and what losing each of the columns there are would then cost, one number a column. */
double         mt_linear_fit_get_add_gain_and_costs (MtLinearFit       *head,
                                                     MtLinearFitColumn  column,
                                                     double            *costs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLinearFit, mt_linear_fit_free)

G_END_DECLS
