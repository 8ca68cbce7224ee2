/* A fit put aside and taken up again: a copy of all that is known of it, or only its weights.
 *
 * A search tries a change and takes it back. Fitting the columns that were there once more would find the weights
 * that were there, in several steps and with a Hessian for each output; a copy costs a few numbers a row (five for each
 * output, at 5,000 rows and 6 outputs 1.2 MB) and the inverse. */
#include "config.h"
#include "mt-linear-fit-private.h"

#include <string.h>

#include "base/mt-large.h"

static double *
copy_numbers (const double *numbers,
              gsize         n)
{
  return numbers != NULL ? g_memdup2 (numbers, n * sizeof *numbers) : NULL;
}

/* What has a number for each row may not fit in memory (base/mt-large.h). */
static double *
copy_rows (const double *numbers,
           gsize         n)
{
  return numbers != NULL ? memcpy (mt_large_need0 (n * sizeof *numbers), numbers, n * sizeof *numbers) : NULL;
}

/* Target, class weights and columns are borrowed, as they are by @self. */
MtLinearFit *
mt_linear_fit_copy (const MtLinearFit *self)
{
  MtLinearFit *copy = NULL;
  gsize n = (gsize) self->n_outputs * MAX (self->n_rows, 1);

  g_return_val_if_fail (self->sums == NULL, NULL);     /* exact sums keep state of their own */
  copy = g_memdup2 (self, sizeof *self);
  copy->columns = g_memdup2 (self->columns, self->stride * sizeof *self->columns);
  copy->ridges = copy_numbers (self->ridges, self->stride);
  copy->weights = copy_numbers (self->weights, self->n_outputs * self->stride);
  copy->scores = copy_rows (self->scores, n);
  copy->residual = copy_rows (self->residual, n);
  copy->curvature = copy_rows (self->curvature, n);
  copy->probability = copy_rows (self->probability, n);
  copy->base = copy_rows (self->base, n);
  copy->inverse = copy_numbers (self->inverse, self->n_blocks * self->stride * self->stride);
  return copy;
}

void
mt_linear_fit_become (MtLinearFit *self,
                      MtLinearFit *from)
{
  MtLinearFit old = *self;

  *self = *from;
  *from = old;
  mt_linear_fit_free (from);
}

void
mt_linear_fit_forget_inverse (MtLinearFit *self)
{
  self->inverse_known = FALSE;
}

void
mt_linear_fit_set_start (MtLinearFit *self,
                         guint        output,
                         double       bias,
                         const double *weights)
{
  double *w = self->weights + output * self->stride;

  w[0] = bias;
  memcpy (w + 1, weights, self->n_columns * sizeof *w);
  self->scores_known = FALSE;
  self->rows_known = FALSE;
}
