/* Sums over rows that a linear fit of two classes has another place make: a GPU, or the CPU with the same whole numbers
 * (network/mt-sums.h). This room knows neither, so it is given functions.
 *
 * The place keeps planes under numbers, and the scores, residuals and curvatures of the rows as of the last score(). None
 * of the functions fails: what a device cannot do, the CPU does with the same result. */
#pragma once

#include "mt-linear-fit.h"

G_BEGIN_DECLS

/* η = bias + Σ weights[i] · plane numbers[i] + offset, and what follows from it. */
typedef struct {
  guint          n_planes;
  const guint   *numbers;
  const double  *weights;
  double         bias;
  const double  *offset;      /* n_rows; NULL: 0 */
  double         loss;        /* over all rows … */
  double         residual;
  double        *residuals;   /* … and over the rows of each plane */
} MtLinearFitScore;

typedef struct {
  /* The plane must stay until its number is dropped. */
  guint  (*put)       (gpointer place, const guint64 *plane);
  void   (*drop)      (gpointer place, guint number);
  void   (*score)     (gpointer place, MtLinearFitScore *score);
  /* -∂loss/∂η and ∂²loss/∂η² of each row. */
  void   (*read_rows) (gpointer place, double *residual, double *curvature);
  /* Σ of the curvature where both planes are true: n × n, of which the upper triangle is written. */
  void   (*gram)      (gpointer place, const guint *numbers, guint n, double *sums);
} MtLinearFitSums;

/* Before the first column, for two classes. @sums and @place must outlive the fit. */
void mt_linear_fit_set_sums (MtLinearFit           *self,
                             const MtLinearFitSums *sums,
                             gpointer               place);

G_END_DECLS
