/* The convex fit on top of given columns: logistic, multinomial or least squares with a ridge. See
 * mt-linear-fit.h.
 *
 * What is known is kept and made again only when it is asked for:
 *
 *   scores       A w + bias of each row and output        valid while scores_known
 *   rows         residual, curvature, probability, loss   valid while rows_known; they follow from the scores
 *   inverse      of the Hessian, or close to it           valid while inverse_known; n_updates counts its age
 *
 * Arrays of rows are output after output (n_outputs × n_rows). Arrays of weights and the inverses
 * have `stride` numbers a row: place 0 is the bias, place j + 1 is column j, the rest is room to
 * grow.
 *
 * Sums over rows run in fixed lanes (base/mt-dense.h, base/mt-planes.h), so the same input gives
 * the same bits on every machine and with any number of threads. */
#include "config.h"
#include "mt-linear-fit-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-cholesky.h"
#include "base/mt-dense.h"
#include "base/mt-large.h"
#include "base/mt-math.h"
#include "base/mt-planes.h"
#include "base/mt-target-clones.h"

#define MIN_CURVATURE 1e-6
/* Sums over rows run in so many lanes, row r in lane r mod LANES: none waits for its own last addition. */
#define LANES 8

static inline double
add_lanes (const double *lanes)
{
  double sum = lanes[0];

  for (guint i = 1; i < LANES; i++)
    sum += lanes[i];
  return sum;
}

MtLinearFit *
mt_linear_fit_new (MtTask        task,
                   guint         n_outputs,
                   const double *target,
                   gsize         n_rows,
                   MtRidge       ridge)
{
  MtLinearFit *self = g_new0 (MtLinearFit, 1);
  gsize n = (gsize) n_outputs * MAX (n_rows, 1);

  self->task = task;
  self->n_outputs = n_outputs;
  self->n_rows = n_rows;
  self->target = target;
  self->ridge = ridge;
  self->stride = 16;
  self->columns = g_new0 (MtLinearFitColumn, self->stride);
  self->ridges = g_new0 (double, self->stride);
  self->weights = g_new0 (double, n_outputs * self->stride);
  self->scores = mt_large_need0 (n * sizeof (double));
  self->residual = mt_large_need0 (n * sizeof (double));
  self->curvature = mt_large_need0 (n * sizeof (double));
  /* A squared error has the same curvature everywhere, whatever the weights. */
  for (gsize r = 0; r < n_rows && task == MT_TASK_REGRESSION; r++)
    self->curvature[r] = 1;
  if (task != MT_TASK_REGRESSION)
    {
      self->probability = mt_large_need0 (n * sizeof (double));
      self->base = mt_large_need0 (n * sizeof (double));
    }
  self->scores_known = TRUE;
  return self;
}

void
mt_linear_fit_free (MtLinearFit *self)
{
  if (self == NULL)
    return;
  mt_linear_fit_sums_clear (self);
  g_free (self->columns);
  g_free (self->ridges);
  g_free (self->weights);
  mt_large_free (self->scores);
  mt_large_free (self->residual);
  mt_large_free (self->curvature);
  mt_large_free (self->probability);
  mt_large_free (self->base);
  g_free (self->inverse);
  g_free (self);
}

void
mt_linear_fit_set_class_weights (MtLinearFit       *self,
                                 const double *weights)
{
  g_return_if_fail (weights == NULL || self->task != MT_TASK_REGRESSION);
  self->class_weights = weights;
  self->rows_known = FALSE;
  self->inverse_known = FALSE;
}

guint
mt_linear_fit_get_n_columns (const MtLinearFit *self)
{
  return self->n_columns;
}

/* --- columns and rows --- */

double
mt_ridge_at (MtRidge ridge,
             double  p)
{
  return ridge.each + ridge.spread * 4 * p * (1 - p);
}

/* A plane that is true of the share p of the rows has the variance p (1 − p); 4 p (1 − p) is 1 for
 * a plane that is true of half of them and near 0 for a rare one. Numbers are standardized: they
 * count like p = ½. */
double
mt_linear_fit_get_ridge (const MtLinearFit *self,
                         MtLinearFitColumn  column)
{
  double p = .5;

  if (column.plane != NULL && self->ridge.spread > 0)
    p = (double) mt_plane_count (column.plane, (self->n_rows + 63) / 64) / self->n_rows;
  return mt_ridge_at (self->ridge, p);
}

double
mt_linear_fit_column_dot (const MtLinearFit *self,
                          guint         index,
                          const double *x)
{
  const MtLinearFitColumn *column = &self->columns[index];

  return column->plane != NULL ? mt_plane_sum (column->plane, x, self->n_rows)
                               : mt_dense_dot (column->values, x, self->n_rows);
}

/* dots[j] = Σ over rows of column j · x, for all columns.
 *
 * All planes are summed in one call of mt_planes_sum(); columns of numbers follow one by one. This
 * is half of the work of a step (the gradient); the other half is multiply(). */
static void
dot_columns (const MtLinearFit *self,
             const double      *x,
             double            *dots)
{
  g_autofree const guint64 **planes = g_new (const guint64 *, MAX (self->n_columns, 1));
  g_autofree double *sums = g_new (double, MAX (self->n_columns, 1));
  guint n_planes = 0;

  for (guint j = 0; j < self->n_columns; j++)
    if (self->columns[j].plane != NULL)
      planes[n_planes++] = self->columns[j].plane;
  mt_planes_sum (planes, n_planes, x, self->n_rows, sums);
  for (guint j = 0, p = 0; j < self->n_columns; j++)
    dots[j] = self->columns[j].plane != NULL ? sums[p++] : mt_dense_dot (self->columns[j].values, x, self->n_rows);
}

/* Where D is 1 (least squares) and the column is a plane, products with other planes are counts of
 * common bits, 64 rows at a time: exact, and many times faster than sums. Otherwise x = D a is made
 * first, and each product is a sum of x over the other column. */
void
mt_linear_fit_column_products (const MtLinearFit       *self,
                               const MtLinearFitColumn *column,
                               const double            *base,
                               double                  *x,
                               double                  *products)
{
  gsize n_words = (self->n_rows + 63) / 64;
  gboolean is_count = base == NULL && column->plane != NULL;

  if (is_count)
    products[0] = (double) mt_plane_count (column->plane, n_words);
  else
    {
      if (column->plane != NULL)
        mt_plane_spread (column->plane, base, 0, self->n_rows, x);
      else
        for (gsize r = 0; r < self->n_rows; r++)
          x[r] = column->values[r] * (base != NULL ? base[r] : 1);
      products[0] = mt_linear_fit_sum_rows (x, self->n_rows);
    }
  if (!is_count)
    dot_columns (self, x, products + 1);
  for (guint j = 0; j < self->n_columns && is_count; j++)
    {
      const MtLinearFitColumn *other = &self->columns[j];

      if (other->plane != NULL)
        products[j + 1] = (double) mt_plane_count_and (column->plane, other->plane, n_words);
      else
        products[j + 1] = mt_plane_sum (column->plane, other->values, self->n_rows);
    }
}

void
mt_linear_fit_column_add (const MtLinearFit *self,
                          guint         index,
                          double        weight,
                          double       *x)
{
  const MtLinearFitColumn *column = &self->columns[index];

  if (weight == 0)
    return;
  if (column->plane != NULL)
    mt_plane_add (column->plane, weight, x, self->n_rows);
  else
    mt_dense_add (weight, column->values, x, self->n_rows);
}

/* x = A v for one output's v = (bias, columns). */
static void
multiply (const MtLinearFit *self,
          const double *v,
          double       *x)
{
  g_autofree const guint64 **planes = g_new (const guint64 *, MAX (self->n_columns, 1));
  g_autofree const double **values = g_new (const double *, MAX (self->n_columns, 1));

  for (guint j = 0; j < self->n_columns; j++)
    {
      planes[j] = self->columns[j].plane;
      values[j] = self->columns[j].values;
    }
  mt_columns_combine (planes, values, v + 1, self->n_columns, v[0], self->n_rows, x);
}

double
mt_linear_fit_sum_rows (const double *x,
                        gsize         n_rows)
{
  return mt_dense_sum (x, n_rows);
}

/* The scores from the weights, in one pass over all columns. */
static void
ensure_scores (MtLinearFit *self)
{
  if (self->scores_known)
    return;
  for (guint c = 0; c < self->n_outputs; c++)
    multiply (self, self->weights + c * self->stride, self->scores + c * self->n_rows);
  self->scores_known = TRUE;
  self->rows_known = FALSE;
}

/* The residual y − p and the curvature p (1 − p), which is kept above MIN_CURVATURE: a row that is
 * decided beyond doubt would otherwise vanish from the Hessian, and the matrix could become
 * singular. */
MT_CLONES static void
differ_from_target (const double *target,
                    const double *probability,
                    gsize         n_rows,
                    double       *residual,
                    double       *curvature)
{
  for (gsize r = 0; r < n_rows; r++)
    {
      double p = probability[r], c = p * (1 - p);

      residual[r] = target[r] - p;
      curvature[r] = c > MIN_CURVATURE ? c : MIN_CURVATURE;
    }
}

/* Σ max (η, 0) − y η. */
MT_CLONES static double
sum_linear_loss (const double *scores,
                 const double *target,
                 gsize         n_rows)
{
  double lanes[LANES] = { 0 };
  gsize r = 0;

  for (; r + LANES <= n_rows; r += LANES)
    for (guint i = 0; i < LANES; i++)
      lanes[i] += (scores[r + i] >= 0 ? scores[r + i] : 0) - target[r + i] * scores[r + i];
  for (guint i = 0; r + i < n_rows; i++)
    lanes[i] += (scores[r + i] >= 0 ? scores[r + i] : 0) - target[r + i] * scores[r + i];
  return add_lanes (lanes);
}

/* The loss of a row with score η and y = 0 or 1 is log (1 + e^η) − y η. mt_sigmoid() gives the
 * probabilities and returns Σ log (1 + e^−|η|), which never overflows; max (η, 0) − y η is what is
 * missing from it. */
static double
compute_binary_rows (MtLinearFit *self)
{
  double loss = mt_sigmoid (self->scores, self->n_rows, self->probability);

  differ_from_target (self->target, self->probability, self->n_rows, self->residual, self->curvature);
  return loss + sum_linear_loss (self->scores, self->target, self->n_rows);
}

/* Rows were just counted once; counts them by their class. Returns the loss. */
static double
weigh_rows (MtLinearFit *self)
{
  gsize n = self->n_rows;
  double loss = 0;

  for (gsize r = 0; r < n; r++)
    {
      double weight = self->class_weights[(guint) self->target[r]], eta = self->scores[r];

      loss += weight * (self->task == MT_TASK_BINARY
                          ? mt_log1p (mt_exp (-fabs (eta))) + MAX (eta, 0) - self->target[r] * eta
                          : -mt_log (MAX (self->probability[(gsize) self->target[r] * n + r], 1e-300)));
      for (guint c = 0; c < self->n_outputs; c++)
        {
          self->residual[c * n + r] *= weight;
          self->curvature[c * n + r] *= weight;
        }
    }
  return loss;
}

/* y = 1 for the rows of class @output: as differ_from_target(). */
MT_CLONES static void
differ_from_class (const double *target,
                   double        output,
                   const double *probability,
                   gsize         n_rows,
                   double       *residual,
                   double       *curvature)
{
  for (gsize r = 0; r < n_rows; r++)
    {
      double p = probability[r], c = p * (1 - p);

      residual[r] = (target[r] == output ? 1. : 0.) - p;
      curvature[r] = c > MIN_CURVATURE ? c : MIN_CURVATURE;
    }
}

/* Softmax of the scores; the loss is log Σ e^η less the true class's η. The curvature is the
 * diagonal of the Hessian of one row, p (1 − p) for each class. The off-diagonal −p_a p_b is left
 * out of the inverse, but not out of the step length: see curvature_along(). */
static double
compute_multiclass_rows (MtLinearFit *self)
{
  gsize n = self->n_rows;
  double loss = mt_softmax (self->scores, self->n_outputs, n, self->probability), own = 0;

  for (gsize r = 0; r < n; r++)
    own += self->scores[(gsize) self->target[r] * n + r];
  for (guint c = 0; c < self->n_outputs; c++)
    differ_from_class (self->target, c, self->probability + c * n, n, self->residual + c * n, self->curvature + c * n);
  return loss - own;
}

/* The residual y − η; returns ½ Σ of its squares. */
MT_CLONES static double
compute_numbers (const double *target,
                 const double *scores,
                 gsize         n_rows,
                 double       *residual)
{
  double lanes[LANES] = { 0 };
  gsize r = 0;

  for (; r + LANES <= n_rows; r += LANES)
    for (guint i = 0; i < LANES; i++)
      {
        double d = target[r + i] - scores[r + i];

        residual[r + i] = d;
        lanes[i] += d * d;
      }
  for (guint i = 0; r + i < n_rows; i++)
    {
      residual[r + i] = target[r + i] - scores[r + i];
      lanes[i] += residual[r + i] * residual[r + i];
    }
  return .5 * add_lanes (lanes);
}

/* Residual, curvature, probability and loss for the present scores. For numbers the loss is ½ r²
 * and the curvature is 1. Does nothing if they are up to date. */
void
mt_linear_fit_ensure_rows (MtLinearFit *self)
{
  if (self->sums != NULL)
    {
      mt_linear_fit_sums_read (self);
      return;
    }
  ensure_scores (self);
  if (self->rows_known)
    return;
  if (self->task == MT_TASK_BINARY)
    self->loss = compute_binary_rows (self);
  else if (self->task == MT_TASK_MULTICLASS)
    self->loss = compute_multiclass_rows (self);
  else
    self->loss = compute_numbers (self->target, self->scores, self->n_rows, self->residual);
  if (self->class_weights != NULL)
    self->loss = weigh_rows (self);
  self->rows_known = TRUE;
}

/* ½ Σ λ w², over all outputs and columns. The bias has a ridge so small that it only keeps the
 * matrix regular. */
static double
penalty (const MtLinearFit *self)
{
  double sum = 0;

  for (guint c = 0; c < self->n_outputs; c++)
    for (guint j = 0; j <= self->n_columns; j++)
      sum += .5 * mt_linear_fit_ridge_of (self, j) * self->weights[c * self->stride + j] * self->weights[c * self->stride + j];
  return sum;
}

/* --- columns that come and go --- */

/* Makes room for one column more, doubling the stride. Weights are moved to the new stride. The
 * inverse is dropped: it would have to be moved, too, and after this many new columns a fresh one
 * is due. */
static void
make_room (MtLinearFit *self)
{
  gsize old = self->stride, new = old * 2;
  double *weights;

  if (self->n_columns + 2 <= old)
    return;
  self->columns = g_renew (MtLinearFitColumn, self->columns, new);
  self->ridges = g_renew (double, self->ridges, new);
  if (self->sums != NULL)
    {
      self->numbers = g_renew (guint, self->numbers, new);
      self->dots = g_renew (double, self->dots, new);
    }
  weights = g_new0 (double, self->n_outputs * new);
  for (guint c = 0; c < self->n_outputs; c++)
    memcpy (weights + c * new, self->weights + c * old, old * sizeof (double));
  g_free (self->weights);
  self->weights = weights;
  g_clear_pointer (&self->inverse, g_free);
  self->inverse_known = FALSE;
  self->stride = new;
}

/* With a weight of 0 the scores and the rows stay as they are. The inverse gets a row and a column
 * more, in columns² steps and one pass over rows × columns. */
void
mt_linear_fit_add (MtLinearFit       *self,
                   MtLinearFitColumn  column)
{
  guint m;

  g_return_if_fail ((column.plane == NULL) != (column.values == NULL));
  make_room (self);
  self->ridges[self->n_columns] = mt_linear_fit_get_ridge (self, column);
  self->columns[self->n_columns++] = column;
  m = self->n_columns;
  mt_linear_fit_sums_put (self, m - 1);
  for (guint c = 0; c < self->n_outputs; c++)
    self->weights[c * self->stride + m] = 0;
  if (!self->inverse_known)
    return;
  mt_linear_fit_clear_place (self, m);
  for (guint b = 0; b < self->n_blocks; b++)
    mt_linear_fit_inverse_with (self, b, m);
  self->n_updates++;
}

/* In the quadratic model around the present weights, the optimum without column m is w − (w_m /
 * [H⁻¹]_mm) H⁻¹ e_m: the others take over what they can, and place m becomes 0. This is where the
 * weights go, so the fit that follows starts close to its end.
 *
 * Then the inverse loses row and column m, and the last column moves to the free place, in the
 * columns, the weights and the inverse. Only that column changes its index. */
void
mt_linear_fit_remove (MtLinearFit *self,
                      guint   index)
{
  guint m = index + 1, last;

  g_return_if_fail (index < self->n_columns);
  for (guint c = 0; c < self->n_outputs && self->inverse_known; c++)
    {
      double *w = self->weights + c * self->stride;
      const double *h = mt_linear_fit_block_inverse (self, c);
      double factor = w[m] / h[m * self->stride + m];

      for (guint j = 0; j <= self->n_columns; j++)
        w[j] -= factor * h[j * self->stride + m];
    }
  for (guint b = 0; b < self->n_blocks && self->inverse_known; b++)
    mt_linear_fit_inverse_without (self, mt_linear_fit_block_inverse (self, b), m);

  last = self->n_columns;
  mt_linear_fit_sums_drop (self, index);
  if (self->sums != NULL)
    self->numbers[index] = self->numbers[last - 1];
  self->columns[index] = self->columns[last - 1];
  self->ridges[index] = self->ridges[last - 1];
  for (guint c = 0; c < self->n_outputs; c++)
    self->weights[c * self->stride + m] = self->weights[c * self->stride + last];
  for (guint b = 0; b < self->n_blocks && self->inverse_known && m != last; b++)
    {
      double *h = mt_linear_fit_block_inverse (self, b);

      for (guint i = 0; i <= last; i++)
        h[m * self->stride + i] = h[last * self->stride + i];
      for (guint i = 0; i < last; i++)
        h[i * self->stride + m] = h[i * self->stride + last];
      h[m * self->stride + m] = h[last * self->stride + last];
    }
  self->n_columns--;
  self->n_updates++;
  self->scores_known = FALSE;
  self->rows_known = FALSE;
  mt_linear_fit_shrink_room (self);
}

/* The scores are corrected by what the two columns differ in, with the same weights. The inverse
 * first loses the old column and then gets the new one. Nothing is refitted here. */
void
mt_linear_fit_replace (MtLinearFit       *self,
                       guint         index,
                       MtLinearFitColumn  column)
{
  guint m = index + 1;

  g_return_if_fail (index < self->n_columns);
  for (guint c = 0; c < self->n_outputs && self->scores_known; c++)
    mt_linear_fit_column_add (self, index, -self->weights[c * self->stride + m], self->scores + c * self->n_rows);
  mt_linear_fit_sums_drop (self, index);
  self->columns[index] = column;
  mt_linear_fit_sums_put (self, index);
  self->ridges[index] = mt_linear_fit_get_ridge (self, column);
  for (guint c = 0; c < self->n_outputs && self->scores_known; c++)
    mt_linear_fit_column_add (self, index, self->weights[c * self->stride + m], self->scores + c * self->n_rows);
  for (guint b = 0; b < self->n_blocks && self->inverse_known; b++)
    {
      mt_linear_fit_inverse_without (self, mt_linear_fit_block_inverse (self, b), m);
      mt_linear_fit_inverse_with (self, b, m);
    }
  self->n_updates++;
  self->rows_known = FALSE;
}

/* --- fitting --- */

/* Σ h x². */
MT_CLONES static double
sum_squares (const double *h,
             const double *x,
             gsize         n_rows)
{
  double lanes[LANES] = { 0 };
  gsize r = 0;

  for (; r + LANES <= n_rows; r += LANES)
    for (guint i = 0; i < LANES; i++)
      lanes[i] += h[r + i] * x[r + i] * x[r + i];
  for (guint i = 0; r + i < n_rows; i++)
    lanes[i] += h[r + i] * x[r + i] * x[r + i];
  return add_lanes (lanes);
}

/* Σ p x and Σ p x² of up to @n rows, one more output added. */
MT_CLONES static void
add_moments (const double *p,
             const double *x,
             gsize         n,
             double       *mean,
             double       *square)
{
  for (gsize i = 0; i < n; i++)
    {
      double v = p[i] * x[i];

      mean[i] += v;
      square[i] += v * x[i];
    }
}

/* For each row, the variance of the x of the classes under their probabilities. */
static double
sum_variances (const MtLinearFit *self,
               const double      *x)
{
  enum { CHUNK = 256 };
  double sum = 0;

  for (gsize first = 0; first < self->n_rows; first += CHUNK)
    {
      gsize n = MIN (CHUNK, self->n_rows - first);
      double mean[CHUNK] = { 0 }, square[CHUNK] = { 0 }, lanes[LANES] = { 0 };

      for (guint c = 0; c < self->n_outputs; c++)
        add_moments (self->probability + c * self->n_rows + first, x + c * self->n_rows + first, n, mean, square);
      for (gsize i = 0; i < n; i++)
        lanes[i % LANES] += MAX (square[i] - mean[i] * mean[i], 0) *
                            (self->class_weights != NULL ? self->class_weights[(guint) self->target[first + i]] : 1);
      sum += add_lanes (lanes);
    }
  return sum;
}

/* dᵀHd, exactly, for a direction whose rows are x: what the step length is divided by.
 *
 * For two classes and numbers it is Σ h x². For several classes it is, for each row, the variance
 * of the x of the classes under their probabilities: Σ p v² − (Σ p v)², the full Hessian with the
 * parts between classes. So the step length is right although the inverse leaves these parts out. */
static double
curvature_along (const MtLinearFit *self,
                 const double *direction,
                 const double *x)
{
  double sum = 0;

  for (guint c = 0; c < self->n_outputs; c++)
    for (guint j = 0; j <= self->n_columns; j++)
      sum += mt_linear_fit_ridge_of (self, j) * direction[c * self->stride + j] * direction[c * self->stride + j];
  return sum + (self->task != MT_TASK_MULTICLASS ? sum_squares (self->curvature, x, self->n_rows) : sum_variances (self, x));
}

/* Minus the gradient of the objective: Aᵀ (residual) − λ w, one output after the other; the
 * direction of descent. */
void
mt_linear_fit_gradient (const MtLinearFit *self,
                        double            *g)
{
  for (guint j = 0; j <= self->n_columns && self->sums != NULL; j++)
    g[j] = self->dots[j] - mt_linear_fit_ridge_of (self, j) * self->weights[j];
  if (self->sums != NULL)
    return;
  for (guint c = 0; c < self->n_outputs; c++)
    {
      const double *residual = self->residual + c * self->n_rows;
      const double *w = self->weights + c * self->stride;
      double *out = g + c * self->stride;

      out[0] = mt_linear_fit_sum_rows (residual, self->n_rows) - MT_LINEAR_FIT_BIAS_RIDGE * w[0];
      dot_columns (self, residual, out + 1);
      for (guint j = 0; j < self->n_columns; j++)
        out[j + 1] -= self->ridges[j] * w[j + 1];
    }
}

/* z = H⁻¹ g block by block; returns g·z. */
static double
precondition (const MtLinearFit *self,
              const double *g,
              double       *z)
{
  guint n = self->n_columns + 1;
  double sum = 0;

  for (guint c = 0; c < self->n_outputs; c++)
    {
      mt_matrix_times (mt_linear_fit_block_inverse (self, c), n, self->stride, g + c * self->stride, z + c * self->stride);
      for (guint j = 0; j < n; j++)
        sum += g[c * self->stride + j] * z[c * self->stride + j];
    }
  return sum;
}

/* Moves along @direction by the Newton length, shortened until the objective does not rise.
 * FALSE: no progress is possible in double precision.
 *
 * The objective is convex, so a step that is too long is halved: weights and scores first go the
 * full length, then back by a half, a quarter and so on, at most 30 times. @x is scratch for the
 * direction in rows, A d. */
static gboolean
move (MtLinearFit       *self,
      const double *direction,
      const double *g,
      double       *x)
{
  gsize n = self->n_rows;
  double before = self->loss + penalty (self), slope = 0, length;

  if (self->sums != NULL)
    return mt_linear_fit_sums_move (self, direction, g);
  for (guint c = 0; c < self->n_outputs; c++)
    {
      multiply (self, direction + c * self->stride, x + c * n);
      for (guint j = 0; j <= self->n_columns; j++)
        slope += g[c * self->stride + j] * direction[c * self->stride + j];
    }
  length = slope / MAX (curvature_along (self, direction, x), 1e-300);
  if (!(length > 0) || !isfinite (length))
    return FALSE;
  for (guint halving = 0; halving < 30; halving++)
    {
      double by = halving == 0 ? length : -length;

      for (guint c = 0; c < self->n_outputs; c++)
        {
          for (guint j = 0; j <= self->n_columns; j++)
            self->weights[c * self->stride + j] += by * direction[c * self->stride + j];
          mt_dense_add (by, x + c * n, self->scores + c * n, n);
        }
      self->rows_known = FALSE;
      mt_linear_fit_ensure_rows (self);
      /* The last bits of a sum over many rows may say otherwise at the minimum. */
      if (self->loss + penalty (self) <= before + 1e-12 * fabs (before))
        return TRUE;
      length *= .5;
    }
  return FALSE;
}

/* Conjugate gradients, preconditioned by the inverse Hessian that is at hand. A step: the gradient
 * g; z = H⁻¹ g; the direction z + β d with β = z·(g − g_old) / (z_old·g_old), between 0 and 1
 * (Polak and Ribière); a step along it. With a fresh Hessian and β = 0 that is Newton's method. ½
 * g·z is what the quadratic model still promises, and the measure of when to stop.
 *
 * When the inverse is made again:
 *
 *   at the start    if there is none, or if it was updated more often than for a third of the columns;
 *                   for numbers, whose Hessian does not depend on the weights, only after 200 updates
 *   on the way      after `patience` steps, if a step leaves more than a tenth of the promise;
 *                   never for numbers
 *
 * The fit ends when the promise is below @tolerance; when no step makes progress in double
 * precision; after a step without β that started close enough (a Newton step squares the error; for
 * numbers one such step is the end in any case); or after @max_steps, which is no error: the caller
 * gets the weights as they are.
 *
 * Cost of a step: two passes over rows × columns, and columns² for z. */
gboolean
mt_linear_fit_fit (MtLinearFit        *self,
                   guint          max_steps,
                   double         tolerance,
                   GCancellable  *cancellable,
                   GError       **error)
{
  gsize size = self->n_outputs * self->stride;
  g_autofree double *g = g_new0 (double, size);
  g_autofree double *old_g = g_new0 (double, size);
  g_autofree double *z = g_new0 (double, size);
  g_autofree double *direction = g_new0 (double, size);
  g_autofree double *x = g_new (double, self->n_outputs * MAX (self->n_rows, 1));
  /* Columns that came and went since the Hessian was made: it is still good enough for as many. */
  gboolean stale = self->n_updates > self->n_columns / 3;
  /* A fresh Hessian costs about columns / 16 passes over the rows. */
  guint patience = 1 + self->n_columns / 32, since_fresh = 0;
  double last_gz = 0;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  mt_linear_fit_ensure_loss (self);
  if (!self->inverse_known || (stale && (self->task != MT_TASK_REGRESSION || self->n_updates > 200)))
    if (!mt_linear_fit_make_inverse (self, cancellable, error))
      return FALSE;
  for (guint step = 0; step < max_steps; step++)
    {
      double gz, beta = 0;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      memcpy (old_g, g, size * sizeof *g);
      mt_linear_fit_gradient (self, g);
      gz = precondition (self, g, z);
      if (!isfinite (gz))
        {
          mt_linear_fit_set_not_finite (error);
          return FALSE;
        }
      if (.5 * gz < tolerance)
        break;
      if (since_fresh >= patience && gz > .1 * last_gz && self->task != MT_TASK_REGRESSION)
        {
          if (!mt_linear_fit_make_inverse (self, cancellable, error))
            return FALSE;
          gz = precondition (self, g, z);
          since_fresh = 0;
          last_gz = 0;
        }
      if (since_fresh > 0 && last_gz > 0)
        {
          for (gsize i = 0; i < size; i++)
            beta += z[i] * (g[i] - old_g[i]);
          beta = CLAMP (beta / last_gz, 0, 1);
        }
      for (gsize i = 0; i < size; i++)
        direction[i] = z[i] + beta * direction[i];
      if (!move (self, direction, g, x))
        {
          if (beta == 0)
            break;
          if (!move (self, z, g, x))
            break;
          memcpy (direction, z, size * sizeof *z);
        }
      last_gz = gz;
      since_fresh++;
      /* A Newton step squares the error: after a small one there is nothing left to look for. */
      if (beta == 0 && .5 * gz < (self->task == MT_TASK_REGRESSION ? G_MAXDOUBLE : self->n_updates == 0 ? 30 * tolerance : 0))
        break;
    }
  return TRUE;
}

/* --- reading --- */

double
mt_linear_fit_get_loss (MtLinearFit *self)
{
  mt_linear_fit_ensure_loss (self);
  return self->loss;
}

double
mt_linear_fit_get_objective (MtLinearFit *self)
{
  mt_linear_fit_ensure_loss (self);
  return self->loss + penalty (self);
}

double
mt_linear_fit_get_bias (const MtLinearFit *self,
                        guint         output)
{
  return self->weights[output * self->stride];
}

double
mt_linear_fit_get_weight (const MtLinearFit *self,
                          guint         index,
                          guint         output)
{
  return self->weights[output * self->stride + index + 1];
}

const double *
mt_linear_fit_get_scores (MtLinearFit *self,
                          guint   output)
{
  ensure_scores (self);
  return self->scores + output * self->n_rows;
}

const double *
mt_linear_fit_get_residual (MtLinearFit *self,
                            guint   output)
{
  mt_linear_fit_ensure_rows (self);
  return self->residual + output * self->n_rows;
}

const double *
mt_linear_fit_get_curvature (MtLinearFit *self,
                             guint   output)
{
  mt_linear_fit_ensure_rows (self);
  return self->curvature + output * self->n_rows;
}

const double *
mt_linear_fit_get_probability (MtLinearFit *self,
                               guint   output)
{
  mt_linear_fit_ensure_rows (self);
  return self->probability + output * self->n_rows;
}

/* The rise of the objective at its minimum when the weight is held at 0 and all others are
 * refitted, to second order. No pass over the rows: it reads one number of the inverse for each
 * output. G_MAXDOUBLE if there is no inverse, so that nobody drops the column. */
double
mt_linear_fit_get_drop_cost (MtLinearFit *self,
                             guint   index)
{
  guint m = index + 1;
  double cost = 0;

  if (!self->inverse_known && !mt_linear_fit_make_inverse (self, NULL, NULL))
    return G_MAXDOUBLE;
  for (guint c = 0; c < self->n_outputs; c++)
    {
      double w = self->weights[c * self->stride + m];

      cost += .5 * w * w / mt_linear_fit_block_inverse (self, c)[m * self->stride + m];
    }
  return cost;
}

/* H_jj is the sum of the curvature over the column's rows, plus its ridge. All other weights stay,
 * so this is more than mt_linear_fit_get_drop_cost() says for one output. */
double
mt_linear_fit_get_zero_cost (MtLinearFit *self,
                             guint   index,
                             guint   output)
{
  const MtLinearFitColumn *column = &self->columns[index];
  const double *curvature = mt_linear_fit_get_curvature (self, output);
  double w = mt_linear_fit_get_weight (self, index, output), h = self->ridges[index];

  if (column->plane != NULL)
    h += mt_plane_sum (column->plane, curvature, self->n_rows);
  else
    for (gsize r = 0; r < self->n_rows; r++)
      h += curvature[r] * column->values[r] * column->values[r];
  return .5 * w * w * h;
}

/* With g the sum of the residual over the column, and the pivot the part of its own curvature that
 * the other columns do not explain, the refitted gain is ½ g² / pivot for each output. The column
 * is appended for the time of the question and taken away again; the fit is as before.
 *
 * With the column, its weight is g / pivot and the others' are w − (g / pivot) u, u = H⁻¹ AᵀDa, and
 * [H⁻¹]_jj is larger by u_j² / pivot. So what each of the others then costs is known, too.
 *
 * Cost: one pass over rows × columns for the products, and columns² for H⁻¹ times them. */
double
mt_linear_fit_get_add_gain_and_costs (MtLinearFit       *self,
                                      MtLinearFitColumn  column,
                                      double            *costs)
{
  guint m;
  double gain = 0, pivot = 1;
  g_autofree double *u = NULL;

  if (!self->inverse_known && !mt_linear_fit_make_inverse (self, NULL, NULL))
    return 0;
  mt_linear_fit_ensure_rows (self);
  make_room (self);
  if (!self->inverse_known && !mt_linear_fit_make_inverse (self, NULL, NULL))
    return 0;
  /* Append the column temporarily. */
  self->ridges[self->n_columns] = mt_linear_fit_get_ridge (self, column);
  self->columns[self->n_columns++] = column;
  m = self->n_columns;
  mt_linear_fit_clear_place (self, m);
  u = g_new (double, m + 1);
  for (guint j = 0; j + 1 < m && costs != NULL; j++)
    costs[j] = 0;
  for (guint c = 0; c < self->n_outputs; c++)
    {
      double g = mt_linear_fit_column_dot (self, m - 1, self->residual + c * self->n_rows);
      const double *w = self->weights + c * self->stride, *h = mt_linear_fit_block_inverse (self, c);

      if (c < self->n_blocks)
        pivot = mt_linear_fit_border (self, c, m, u);
      gain += .5 * g * g / pivot;
      for (guint j = 1; j < m && costs != NULL; j++)
        {
          double weight = w[j] - g / pivot * u[j];

          costs[j - 1] += .5 * weight * weight / (h[j * self->stride + j] + u[j] * u[j] / pivot);
        }
    }
  self->n_columns--;
  return gain;
}

double
mt_linear_fit_get_add_gain (MtLinearFit       *self,
                            MtLinearFitColumn  column)
{
  return mt_linear_fit_get_add_gain_and_costs (self, column, NULL);
}
