/* A fit put aside and taken up again: a copy of all that is known of it, or only its weights.
 *
 * A search tries a change and takes it back. Fitting the columns that were there once more would find the weights
 * that were there, in several steps and with a Hessian for each output; a copy costs a few numbers a row (five for each
 * output, at 5,000 rows and 6 outputs 1.2 MB) and the inverse. */
#include "config.h"
#include "mt-linear-fit-private.h"

#include <string.h>

static double *
copy_numbers (const double *numbers,
              gsize         n)
{
  return numbers != NULL ? g_memdup2 (numbers, n * sizeof *numbers) : NULL;
}

/* Target, class weights and columns are borrowed, as they are by @self. */
MtLinearFit *
mt_linear_fit_copy (const MtLinearFit *self)
{
  MtLinearFit *copy = g_memdup2 (self, sizeof *self);
  gsize n = (gsize) self->n_outputs * MAX (self->n_rows, 1);

  copy->columns = g_memdup2 (self->columns, self->stride * sizeof *self->columns);
  copy->ridges = copy_numbers (self->ridges, self->stride);
  copy->weights = copy_numbers (self->weights, self->n_outputs * self->stride);
  copy->scores = copy_numbers (self->scores, n);
  copy->residual = copy_numbers (self->residual, n);
  copy->curvature = copy_numbers (self->curvature, n);
  copy->probability = copy_numbers (self->probability, n);
  copy->base = copy_numbers (self->base, n);
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
