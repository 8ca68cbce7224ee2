/* The fit as it would be without one of its columns, for asking what another would bring in its place.
 *
 * With H = AᵀDA + Λ and the weights at their optimum, taking column j away moves the others by
 *
 *   δ = (w_j / [H⁻¹]_jj) H⁻¹ e_j           costs ½ w_j² / [H⁻¹]_jj           leaves r' = r + D A δ
 *
 * and another column a then gains ½ (aᵀr')² / pivot, with all weights refitted:
 *
 *   pivot = aᵀDa + λ_a - vᵀ H⁻¹ v + (H⁻¹ e_j · v)² / [H⁻¹]_jj,      v = AᵀDa
 *
 * where aᵀr' = aᵀr + (w_j / [H⁻¹]_jj) (H⁻¹ e_j · v), so r' itself is never made. Both are exact for least squares and to
 * second order for classes (a block per class, as in mt-linear-fit.h). The head itself does not change, so any number of
 * columns can be asked about at the cost of the sums v.
 *
 * Sizes: as the head; memory is one array of rows. */
#pragma once

#include "mt-linear-fit.h"

G_BEGIN_DECLS

typedef struct _MtLinearFitWithout MtLinearFitWithout;

#define MT_LINEAR_FIT_NO_COLUMN G_MAXUINT

/* @index: MT_LINEAR_FIT_NO_COLUMN: the fit as it is. The head must stay as it is while this lives. NULL when there is
 * no inverse to be had: a number is not finite. */
MtLinearFitWithout *mt_linear_fit_without_new           (MtLinearFit              *head,
                                              guint                index);
void           mt_linear_fit_without_free          (MtLinearFitWithout       *self);
/* What the loss rises by without the column; 0 without one. */
double         mt_linear_fit_without_get_cost      (const MtLinearFitWithout *self);
/* What another column in its place gains. @gradient: per output, of its weight at zero; may be NULL. */
double         mt_linear_fit_without_get_gain      (const MtLinearFitWithout *self,
                                              MtLinearFitColumn         column,
                                              double              *gradient);

/* The columns made orthogonal, so that what a new column shares with all of them is a sum of squares: with
 * H⁻¹ = L Lᵀ and q = Lᵀ v = Σ over the new column's rows of h Lᵀ A_row,
 *
 *   pivot = aᵀDa + λ_a - q·q + (l_j · q)² / [H⁻¹]_jj,      l_j the row of L of the column taken away
 *
 * A row's h Lᵀ A_row is n numbers one after the other, in float: for scores, not for fits. The row's residual -∂loss/∂η
 * and its curvature h = ∂²loss/∂η², as H⁻¹ has it, follow, so that one sum gives all that a score is made of. */
typedef struct {
  guint  n;           /* columns and the bias */
  gsize  stride;      /* floats from row to row: n + 2 up to a multiple of 16 */
  guint  residual_at, curvature_at;    /* where a row has them: the last two; zero between */
  gsize  step;        /* of the rows: row i is row i · step of the head */
  gsize  n_rows;
  float *rows;        /* n_rows × stride */
  double *factor;     /* L: n × n */
} MtLinearFitBasis;

/* Of one output, every @step-th row. NULL when there is no inverse to be had. */
MtLinearFitBasis   *mt_linear_fit_basis_new             (MtLinearFit              *head,
                                              guint                output,
                                              gsize                step);
void           mt_linear_fit_basis_free            (MtLinearFitBasis         *self);
/* l = l_j / √[H⁻¹]_jj, stride numbers; all 0 for MT_LINEAR_FIT_NO_COLUMN. Returns w_j / √[H⁻¹]_jj: without the column,
 * the residuals over any rows sum to that times q·l more. @head, @output: as for mt_linear_fit_basis_new(). */
double         mt_linear_fit_basis_fill_without    (const MtLinearFitBasis   *self,
                                                    const MtLinearFit        *head,
                                                    guint                     output,
                                                    guint                     index,
                                                    float                    *row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLinearFitWithout, mt_linear_fit_without_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLinearFitBasis, mt_linear_fit_basis_free)

G_END_DECLS
