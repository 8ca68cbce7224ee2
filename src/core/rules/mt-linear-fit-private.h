/* What the parts of mt-head share: the rows and columns, and the inverse of the curvature that is kept. */
#pragma once

#include "mt-linear-fit-sums.h"

G_BEGIN_DECLS

/* The bias is free, but the matrix must stay positive definite. */
#define MT_LINEAR_FIT_BIAS_RIDGE 1e-6

struct _MtLinearFit {
  MtTask        task;
  guint         n_outputs;
  gsize         n_rows;
  const double *target;
  const double *class_weights; /* NULL: 1 */
  MtRidge       ridge;

  guint         n_columns;
  gsize         stride;       /* of weights and inverses: room for the bias and the columns */
  MtLinearFitColumn *columns;
  double       *ridges;       /* λ of each; room for stride */
  double       *weights;      /* n_outputs × stride; [0] is the bias, [j + 1] column j */

  double       *scores;       /* n_outputs × n_rows, like the four below */
  double       *residual;
  double       *curvature;
  double       *probability;  /* NULL for regression */
  double       *base;         /* curvature that the inverse was made with; NULL for regression */
  double        loss;
  gboolean      scores_known;
  gboolean      rows_known;   /* residual, curvature, probability, loss belong to the scores */

  guint         n_blocks;     /* n_outputs, or 1 shared by all */
  double       *inverse;      /* n_blocks × stride × stride */
  gboolean      inverse_known;
  guint         n_updates;

  /* Where sums over rows are made; NULL: here. */
  const MtLinearFitSums *sums;
  gpointer      place;
  guint        *numbers;      /* of the columns' planes there; room for stride */
  double       *dots;         /* Σ of the residual over all rows and over each column; room for stride */
  gboolean      rows_read;    /* residual, curvature, probability are those of the place */
  guint64      *all_rows;     /* a plane that is true everywhere */
  guint         all_number;
};

static inline double
mt_linear_fit_ridge_of (const MtLinearFit *self,
                        guint         j)
{
  return j == 0 ? MT_LINEAR_FIT_BIAS_RIDGE : self->ridges[j - 1];
}

static inline double *
mt_linear_fit_block_inverse (const MtLinearFit *self,
                             guint         output)
{
  return self->inverse + (self->n_blocks == 1 ? 0 : output) * self->stride * self->stride;
}

/* --- rows and columns (mt-linear-fit.c) --- */

/* Σ over rows of column @index · x. */
double   mt_linear_fit_column_dot      (const MtLinearFit  *self,
                                        guint          index,
                                        const double  *x);
/* x += weight · column @index. */
void     mt_linear_fit_column_add      (const MtLinearFit  *self,
                                        guint          index,
                                        double         weight,
                                        double        *x);
/* @products: AᵀDa of another column, the bias first. @base: D, NULL: 1; @x: room for n_rows, scratch. Counts of rows
 * where D is 1 and both are planes. */
void     mt_linear_fit_column_products (const MtLinearFit        *self,
                                        const MtLinearFitColumn  *column,
                                        const double             *base,
                                        double                   *x,
                                        double                   *products);
double   mt_linear_fit_sum_rows        (const double  *x,
                                        gsize          n_rows);
/* Residuals, curvatures and the loss as of the weights. */
void     mt_linear_fit_ensure_rows       (MtLinearFit        *self);

/* The loss, and with sums from elsewhere the dots. */
void     mt_linear_fit_ensure_loss       (MtLinearFit        *self);
/* Minus the gradient of the objective. */
void     mt_linear_fit_gradient          (const MtLinearFit  *self,
                                          double             *g);

/* --- sums that another place makes (mt-linear-fit-sums.c); without one the first three do nothing --- */

void     mt_linear_fit_sums_clear      (MtLinearFit        *self);
void     mt_linear_fit_sums_put        (MtLinearFit        *self,
                                        guint               index);
void     mt_linear_fit_sums_drop       (MtLinearFit        *self,
                                        guint               index);
void     mt_linear_fit_sums_read       (MtLinearFit        *self);
void     mt_linear_fit_sums_gram       (const MtLinearFit  *self,
                                        const double       *base,
                                        double             *h);
gboolean mt_linear_fit_sums_move       (MtLinearFit        *self,
                                        const double       *direction,
                                        const double       *g);

/* --- the inverse of the Hessian (mt-linear-fit-inverse.c) --- */

/* From the curvature now. FALSE when cancelled, or when a number stops being finite. */
gboolean mt_linear_fit_make_inverse    (MtLinearFit        *self,
                                        GCancellable  *cancellable,
                                        GError       **error);
/* What is left of it when row and column @m of the matrix go; they become zero. */
void     mt_linear_fit_inverse_without (const MtLinearFit  *self,
                                        double        *h,
                                        guint          m);
/* The inverse with column m - 1 of A put back in at the empty place @m. */
void     mt_linear_fit_inverse_with    (const MtLinearFit  *self,
                                        guint          block,
                                        guint          m);
/* Borders the block's matrix with column m − 1 of A, called a: u = H⁻¹ AᵀDa, with u[m] = −1;
 * returns the pivot aᵀDa + ridge − (AᵀDa)ᵀ u, the part of the column that the others do not
 * explain. */
double   mt_linear_fit_border          (const MtLinearFit  *self,
                                        guint          block,
                                        guint          m,
                                        double        *u);
/* Moves what has `stride` numbers a row together where far more columns went than are left. */
void     mt_linear_fit_shrink_room     (MtLinearFit        *self);
/* Makes row and column @m of every block's inverse zero: an empty place. */
void     mt_linear_fit_clear_place     (MtLinearFit        *self,
                                        guint          m);
void     mt_linear_fit_set_not_finite  (GError       **error);

G_END_DECLS
