/* The linear fit whose sums over rows another place makes (mt-linear-fit-sums.h).
 *
 * What stays the same: the objective, the inverse as the preconditioner, conjugate gradients, when to stop. What differs:
 *
 *   scores     are not kept here; one call makes them from the weights and says the loss and the gradient
 *   the Gram   of planes is one call; columns of numbers, which are few, are multiplied here
 *   a step     its length is not slope / dᵀHd, which needs a pass over the rows with the direction, but where the slope
 *              would be 0 if it fell evenly from here to the end of the full step (a secant). Both ends have a call of
 *              their own, and a full step that leaves little slope is taken as it is
 *
 * Rows are read back when somebody asks for them: 8 bytes a row. */
#include "config.h"
#include "mt-linear-fit-sums.h"

#include <math.h>
#include <string.h>

#include "mt-linear-fit-private.h"

/* A full step that leaves this share of the slope is near enough. */
#define SLOPE_LEFT .1
/* A secant does not lead further than this many full steps. */
#define MOST_STEPS 4.0

void
mt_linear_fit_set_sums (MtLinearFit           *self,
                        const MtLinearFitSums *sums,
                        gpointer               place)
{
  g_return_if_fail (self->task == MT_TASK_BINARY && self->n_columns == 0);
  self->sums = sums;
  self->place = place;
  self->numbers = g_new (guint, self->stride);
  self->dots = g_new0 (double, self->stride);
  /* All rows: the bias's column in the Gram. */
  self->all_rows = g_new (guint64, (self->n_rows + 63) / 64);
  memset (self->all_rows, 0xff, (self->n_rows + 63) / 64 * sizeof (guint64));
  if (self->n_rows % 64 != 0)
    self->all_rows[self->n_rows / 64] = (G_GUINT64_CONSTANT (1) << (self->n_rows % 64)) - 1;
  self->all_number = sums->put (place, self->all_rows);
  self->scores_known = self->rows_known = FALSE;
}

void
mt_linear_fit_sums_clear (MtLinearFit *self)
{
  if (self->sums == NULL)
    return;
  for (guint j = 0; j < self->n_columns; j++)
    mt_linear_fit_sums_drop (self, j);
  self->sums->drop (self->place, self->all_number);
  g_free (self->numbers);
  g_free (self->dots);
  g_free (self->all_rows);
}

void
mt_linear_fit_sums_put (MtLinearFit *self,
                        guint        index)
{
  if (self->sums == NULL)
    return;
  self->numbers[index] = self->columns[index].plane != NULL ? self->sums->put (self->place, self->columns[index].plane)
                                                            : G_MAXUINT;
  self->rows_known = FALSE;
}

void
mt_linear_fit_sums_drop (MtLinearFit *self,
                         guint        index)
{
  if (self->sums != NULL && self->numbers[index] != G_MAXUINT)
    self->sums->drop (self->place, self->numbers[index]);
}

/* The columns of numbers in the scores; NULL: there are none. */
static double *
add_numbers (const MtLinearFit *self)
{
  double *offset = NULL;

  for (guint j = 0; j < self->n_columns; j++)
    if (self->columns[j].plane == NULL)
      {
        if (offset == NULL)
          offset = g_new0 (double, self->n_rows);
        mt_linear_fit_column_add (self, j, self->weights[j + 1], offset);
      }
  return offset;
}

/* Loss and Σ of the residual over each column. */
void
mt_linear_fit_ensure_loss (MtLinearFit *self)
{
  g_autofree guint *numbers = NULL;
  g_autofree double *weights = NULL, *offset = NULL, *sums = NULL;
  MtLinearFitScore score = { 0 };

  if (self->sums == NULL)
    {
      mt_linear_fit_ensure_rows (self);
      return;
    }
  if (self->rows_known)
    return;
  numbers = g_new (guint, MAX (self->n_columns, 1));
  weights = g_new (double, MAX (self->n_columns, 1));
  sums = g_new (double, MAX (self->n_columns, 1));
  for (guint j = 0; j < self->n_columns; j++)
    if (self->columns[j].plane != NULL)
      {
        numbers[score.n_planes] = self->numbers[j];
        weights[score.n_planes++] = self->weights[j + 1];
      }
  offset = add_numbers (self);
  score.numbers = numbers;
  score.weights = weights;
  score.bias = self->weights[0];
  score.offset = offset;
  score.residuals = sums;
  self->sums->score (self->place, &score);
  self->loss = score.loss;
  self->dots[0] = score.residual;
  self->rows_known = TRUE;
  self->rows_read = FALSE;
  if (offset != NULL)
    mt_linear_fit_sums_read (self);
  for (guint j = 0, p = 0; j < self->n_columns; j++)
    self->dots[j + 1] = self->columns[j].plane != NULL ? sums[p++] : mt_linear_fit_column_dot (self, j, self->residual);
}

/* Residuals, curvatures and probabilities of the rows. */
void
mt_linear_fit_sums_read (MtLinearFit *self)
{
  mt_linear_fit_ensure_loss (self);
  if (self->rows_read)
    return;
  self->sums->read_rows (self->place, self->residual, self->curvature);
  for (gsize r = 0; r < self->n_rows; r++)
    {
      double weight = self->class_weights != NULL ? self->class_weights[(guint) self->target[r]] : 1;

      self->probability[r] = CLAMP (self->target[r] - self->residual[r] / weight, 0, 1);
    }
  self->rows_read = TRUE;
}

/* h = AᵀDA, lower triangle by rows. @base: D. */
void
mt_linear_fit_sums_gram (const MtLinearFit *self,
                         const double      *base,
                         double            *h)
{
  guint n = 1;
  g_autofree guint *numbers = g_new (guint, self->n_columns + 1), *places = g_new (guint, self->n_columns + 1);
  g_autofree double *sums = NULL, *x = NULL, *products = NULL;

  numbers[0] = self->all_number;
  places[0] = 0;
  for (guint j = 0; j < self->n_columns; j++)
    if (self->columns[j].plane != NULL)
      {
        numbers[n] = self->numbers[j];
        places[n++] = j + 1;
      }
  sums = g_new (double, (gsize) n * n);
  self->sums->gram (self->place, numbers, n, sums);
  for (guint k = 0; k < n; k++)
    for (guint l = k; l < n; l++)
      h[places[l] * self->stride + places[k]] = sums[(gsize) k * n + l];
  for (guint j = 0; j < self->n_columns; j++)
    if (self->columns[j].plane == NULL)
      {
        if (x == NULL)
          {
            x = g_new (double, MAX (self->n_rows, 1));
            products = g_new (double, self->n_columns + 1);
          }
        mt_linear_fit_column_products (self, &self->columns[j], base, x, products);
        for (guint i = 0; i <= self->n_columns; i++)
          h[MAX (i, j + 1) * self->stride + MIN (i, j + 1)] = products[i];
      }
}

static double
along (const MtLinearFit *self,
       const double      *g,
       const double      *direction)
{
  double sum = 0;

  for (guint j = 0; j <= self->n_columns; j++)
    sum += g[j] * direction[j];
  return sum;
}

static void
go_to (MtLinearFit  *self,
       const double *start,
       double        length,
       const double *direction)
{
  for (guint j = 0; j <= self->n_columns; j++)
    self->weights[j] = start[j] + length * direction[j];
  self->rows_known = self->scores_known = FALSE;
  mt_linear_fit_ensure_loss (self);
}

/* A step along @direction; @g: minus the gradient here. FALSE: the objective does not fall that way. */
gboolean
mt_linear_fit_sums_move (MtLinearFit  *self,
                         const double *direction,
                         const double *g)
{
  double before = mt_linear_fit_get_objective (self), slope = along (self, g, direction), end, length = 1;
  double most = before + 1e-12 * fabs (before);
  g_autofree double *start = g_memdup2 (self->weights, (self->n_columns + 1) * sizeof (double));
  g_autofree double *there = g_new (double, self->n_columns + 1);

  if (!(slope > 0))
    return FALSE;
  go_to (self, start, 1, direction);
  mt_linear_fit_gradient (self, there);
  end = along (self, there, direction);
  if (!(fabs (end) <= SLOPE_LEFT * slope && mt_linear_fit_get_objective (self) <= most))
    {
      length = end < slope ? MIN (slope / (slope - end), MOST_STEPS) : MOST_STEPS;
      go_to (self, start, length, direction);
    }
  for (guint halving = 0; halving < 30; halving++)
    {
      if (mt_linear_fit_get_objective (self) <= most)
        return TRUE;
      length *= .5;
      go_to (self, start, length, direction);
    }
  go_to (self, start, 0, direction);
  return FALSE;
}
