#include "config.h"
#include "mt-head.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "mt-blas.h"
#include "mt-error.h"
#include "mt-planes.h"

/* Rows spread out to doubles at a time for the Gram matrix. */
#define GRAM_ROWS 512
/* The bias is free, but the matrix must stay positive definite. */
#define BIAS_RIDGE 1e-6
/* Below this much work (rows × columns²) a fresh Hessian is cheaper than thinking about it. */
#define CHEAP_GRAM 2e7
/* Inverses of all classes together, in bytes, before they share one block. */
#define MAX_BLOCK_BYTES (256u << 20)
#define MIN_CURVATURE 1e-6

struct _MtHead {
  MtTask        task;
  guint         n_outputs;
  gsize         n_rows;
  const double *target;
  const double *class_weights; /* NULL: 1 */
  double        ridge;

  guint         n_columns;
  gsize         stride;       /* of weights and inverses: room for the bias and the columns */
  MtHeadColumn *columns;
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
  guint         n_mended;
};

MtHead *
mt_head_new (MtTask        task,
             guint         n_outputs,
             const double *target,
             gsize         n_rows,
             double        ridge)
{
  MtHead *self = g_new0 (MtHead, 1);
  gsize n = (gsize) n_outputs * MAX (n_rows, 1);

  mt_blas_use_one_thread ();
  self->task = task;
  self->n_outputs = n_outputs;
  self->n_rows = n_rows;
  self->target = target;
  self->ridge = ridge;
  self->stride = 16;
  self->columns = g_new0 (MtHeadColumn, self->stride);
  self->weights = g_new0 (double, n_outputs * self->stride);
  self->scores = g_new0 (double, n);
  self->residual = g_new0 (double, n);
  self->curvature = g_new0 (double, n);
  if (task != MT_TASK_REGRESSION)
    {
      self->probability = g_new0 (double, n);
      self->base = g_new0 (double, n);
    }
  self->scores_known = TRUE;
  return self;
}

void
mt_head_free (MtHead *self)
{
  if (self == NULL)
    return;
  g_free (self->columns);
  g_free (self->weights);
  g_free (self->scores);
  g_free (self->residual);
  g_free (self->curvature);
  g_free (self->probability);
  g_free (self->base);
  g_free (self->inverse);
  g_free (self);
}

void
mt_head_set_class_weights (MtHead       *self,
                           const double *weights)
{
  g_return_if_fail (weights == NULL || self->task != MT_TASK_REGRESSION);
  self->class_weights = weights;
  self->rows_known = FALSE;
  self->inverse_known = FALSE;
}

guint
mt_head_get_n_columns (const MtHead *self)
{
  return self->n_columns;
}

/* --- columns and rows --- */

static double
column_dot (const MtHead *self,
            guint         index,
            const double *x)
{
  const MtHeadColumn *column = &self->columns[index];
  double lanes[8] = { 0 };
  gsize r = 0;

  if (column->plane != NULL)
    return mt_plane_sum (column->plane, x, self->n_rows);
  for (; r + 8 <= self->n_rows; r += 8)
    for (guint i = 0; i < 8; i++)
      lanes[i] += column->values[r + i] * x[r + i];
  for (; r < self->n_rows; r++)
    lanes[r % 8] += column->values[r] * x[r];
  for (guint i = 1; i < 8; i++)
    lanes[0] += lanes[i];
  return lanes[0];
}

static void
column_add (const MtHead *self,
            guint         index,
            double        weight,
            double       *x)
{
  const MtHeadColumn *column = &self->columns[index];

  if (weight == 0)
    return;
  if (column->plane != NULL)
    mt_plane_add (column->plane, weight, x, self->n_rows);
  else
    for (gsize r = 0; r < self->n_rows; r++)
      x[r] += weight * column->values[r];
}

/* x = A v for one output's v = (bias, columns). */
static void
multiply (const MtHead *self,
          const double *v,
          double       *x)
{
  for (gsize r = 0; r < self->n_rows; r++)
    x[r] = v[0];
  for (guint j = 0; j < self->n_columns; j++)
    column_add (self, j, v[j + 1], x);
}

static double
sum_rows (const double *x,
          gsize         n_rows)
{
  double lanes[8] = { 0 };

  for (gsize r = 0; r < n_rows; r++)
    lanes[r % 8] += x[r];
  for (guint i = 1; i < 8; i++)
    lanes[0] += lanes[i];
  return lanes[0];
}

static void
know_scores (MtHead *self)
{
  if (self->scores_known)
    return;
  for (guint c = 0; c < self->n_outputs; c++)
    multiply (self, self->weights + c * self->stride, self->scores + c * self->n_rows);
  self->scores_known = TRUE;
  self->rows_known = FALSE;
}

static double
know_binary_rows (MtHead *self)
{
  double loss = mt_sigmoid (self->scores, self->n_rows, self->probability);

  for (gsize r = 0; r < self->n_rows; r++)
    {
      double eta = self->scores[r], y = self->target[r], p = self->probability[r];

      loss += (eta >= 0 ? eta : 0) - y * eta;
      self->residual[r] = y - p;
      self->curvature[r] = MAX (p * (1 - p), MIN_CURVATURE);
    }
  return loss;
}

/* Rows were just counted once; counts them by their class. Returns the loss. */
static double
weigh_rows (MtHead *self)
{
  gsize n = self->n_rows;
  double loss = 0;

  for (gsize r = 0; r < n; r++)
    {
      double weight = self->class_weights[(guint) self->target[r]], eta = self->scores[r];

      loss += weight * (self->task == MT_TASK_BINARY
                          ? log1p (exp (-fabs (eta))) + MAX (eta, 0) - self->target[r] * eta
                          : -log (MAX (self->probability[(gsize) self->target[r] * n + r], 1e-300)));
      for (guint c = 0; c < self->n_outputs; c++)
        {
          self->residual[c * n + r] *= weight;
          self->curvature[c * n + r] *= weight;
        }
    }
  return loss;
}

static double
know_multiclass_rows (MtHead *self)
{
  gsize n = self->n_rows;
  double loss = 0;

  memcpy (self->probability, self->scores, self->n_outputs * n * sizeof (double));
  mt_task_link (self->task, self->n_outputs, n, self->probability);
  for (gsize r = 0; r < n; r++)
    loss -= log (MAX (self->probability[(gsize) self->target[r] * n + r], 1e-300));
  for (guint c = 0; c < self->n_outputs; c++)
    for (gsize r = 0; r < n; r++)
      {
        double p = self->probability[c * n + r];

        self->residual[c * n + r] = (self->target[r] == c) - p;
        self->curvature[c * n + r] = MAX (p * (1 - p), MIN_CURVATURE);
      }
  return loss;
}

static void
know_rows (MtHead *self)
{
  know_scores (self);
  if (self->rows_known)
    return;
  if (self->task == MT_TASK_BINARY)
    self->loss = know_binary_rows (self);
  else if (self->task == MT_TASK_MULTICLASS)
    self->loss = know_multiclass_rows (self);
  else
    {
      self->loss = 0;
      for (gsize r = 0; r < self->n_rows; r++)
        {
          self->residual[r] = self->target[r] - self->scores[r];
          self->curvature[r] = 1;
          self->loss += .5 * self->residual[r] * self->residual[r];
        }
    }
  if (self->class_weights != NULL)
    self->loss = weigh_rows (self);
  self->rows_known = TRUE;
}

static double
ridge_of (const MtHead *self,
          guint         j)
{
  return j == 0 ? BIAS_RIDGE : self->ridge;
}

static double
penalty (const MtHead *self)
{
  double sum = 0;

  for (guint c = 0; c < self->n_outputs; c++)
    for (guint j = 0; j <= self->n_columns; j++)
      sum += .5 * ridge_of (self, j) * self->weights[c * self->stride + j] * self->weights[c * self->stride + j];
  return sum;
}

/* --- the inverse of the Hessian --- */

static double *
block_inverse (const MtHead *self,
               guint         output)
{
  return self->inverse + (self->n_blocks == 1 ? 0 : output) * self->stride * self->stride;
}

/* Curvature that block @block was made with; NULL means 1 everywhere. */
static const double *
block_base (const MtHead *self,
            guint         block)
{
  return self->base != NULL ? self->base + block * self->n_rows : NULL;
}

/* out[j * GRAM_ROWS + i] = x[first + i] · column j of that row; row 0 is x itself. */
static void
spread_rows (const MtHead *self,
             const double *x,
             gsize         first,
             gsize         n,
             double       *out)
{
  memcpy (out, x + first, n * sizeof *out);
  for (guint j = 0; j < self->n_columns; j++)
    {
      double *row = out + (gsize) (j + 1) * GRAM_ROWS;

      if (self->columns[j].plane != NULL)
        mt_plane_spread (self->columns[j].plane, x, first, n, row);
      else
        for (gsize i = 0; i < n; i++)
          row[i] = x[first + i] * self->columns[j].values[first + i];
    }
}

/* h = AᵀDA + ridge, lower triangle by rows. FALSE when cancelled. */
static gboolean
gram (const MtHead *self,
      const double *curvature,
      double       *h,
      GCancellable *cancellable)
{
  guint n = self->n_columns + 1;
  g_autofree double *root = g_new (double, MAX (self->n_rows, 1));
  g_autofree double *buffer = g_new (double, (gsize) n * GRAM_ROWS);

  for (gsize r = 0; r < self->n_rows; r++)
    root[r] = curvature != NULL ? sqrt (curvature[r]) : 1;
  for (guint i = 0; i < n; i++)
    memset (h + i * self->stride, 0, n * sizeof *h);
  for (gsize first = 0; first < self->n_rows; first += GRAM_ROWS)
    {
      gsize k = MIN (GRAM_ROWS, self->n_rows - first);

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      spread_rows (self, root, first, k, buffer);
      /* The kernel reads whole vectors. */
      for (guint j = 0; j < n; j++)
        for (gsize i = k; i % 8 != 0; i++)
          buffer[(gsize) j * GRAM_ROWS + i] = 0;
      mt_gram_add (buffer, GRAM_ROWS, n, (k + 7) / 8 * 8, h, self->stride);
    }
  for (guint i = 0; i < n; i++)
    h[i * self->stride + i] += ridge_of (self, i);
  return TRUE;
}

static void
set_not_finite (GError **error)
{
  g_set_error (error, MT_ERROR, MT_ERROR_NUMERIC, "a weight stopped being finite while fitting");
}

static gboolean
make_inverse (MtHead        *self,
              GCancellable  *cancellable,
              GError       **error)
{
  int n = (int) self->n_columns + 1;

  know_rows (self);
  self->inverse_known = FALSE;
  self->n_blocks = self->n_outputs * self->stride * self->stride * sizeof (double) <= MAX_BLOCK_BYTES ? self->n_outputs : 1;
  if (self->inverse == NULL)
    self->inverse = g_new (double, self->n_blocks * self->stride * self->stride);
  if (self->base != NULL)
    memcpy (self->base, self->curvature, self->n_outputs * self->n_rows * sizeof (double));
  if (self->n_blocks < self->n_outputs)
    for (gsize r = 0; r < self->n_rows; r++)
      {
        double sum = 0;

        for (guint c = 0; c < self->n_outputs; c++)
          sum += self->curvature[c * self->n_rows + r];
        self->base[r] = sum / self->n_outputs;
      }
  for (guint b = 0; b < self->n_blocks; b++)
    {
      double *h = block_inverse (self, b);

      if (!gram (self, block_base (self, b), h, cancellable))
        {
          g_cancellable_set_error_if_cancelled (cancellable, error);
          return FALSE;
        }
      /* The lower triangle by rows is the upper triangle by columns. */
      if (LAPACKE_dpotrf_work (LAPACK_COL_MAJOR, 'U', n, h, (int) self->stride) != 0 ||
          LAPACKE_dpotri_work (LAPACK_COL_MAJOR, 'U', n, h, (int) self->stride) != 0)
        {
          set_not_finite (error);
          return FALSE;
        }
      for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
          h[j * self->stride + i] = h[i * self->stride + j];
    }
  self->inverse_known = TRUE;
  self->n_mended = 0;
  return TRUE;
}

/* What is left of the inverse when row and column @m of the matrix go; they become zero. */
static void
inverse_without (const MtHead *self,
                 double       *h,
                 guint         m)
{
  guint n = self->n_columns + 1;
  g_autofree double *column = g_new (double, n);
  double pivot = h[m * self->stride + m];

  for (guint i = 0; i < n; i++)
    column[i] = h[i * self->stride + m];
  for (guint i = 0; i < n; i++)
    {
      double factor = column[i] / pivot;
      double *row = h + i * self->stride;

      for (guint j = 0; j < n; j++)
        row[j] -= factor * column[j];
    }
  for (guint i = 0; i < n; i++)
    h[i * self->stride + m] = h[m * self->stride + i] = 0;
}

/* Lays column m - 1 of A beside the block's matrix: u = H⁻¹ Aᵀ D a, with u[m] = -1; returns the
 * pivot aᵀDa + ridge - (AᵀDa)ᵀ u, what of the column the others do not add up to. */
static double
border (const MtHead *self,
        guint         block,
        guint         m,
        double       *u)
{
  guint n = self->n_columns + 1;
  const double *h = block_inverse (self, block);
  const double *base = block_base (self, block);
  g_autofree double *x = g_new0 (double, MAX (self->n_rows, 1));
  g_autofree double *g = g_new (double, n);
  double pivot;

  column_add (self, m - 1, 1, x);
  if (base != NULL)
    for (gsize r = 0; r < self->n_rows; r++)
      x[r] *= base[r];
  g[0] = sum_rows (x, self->n_rows);
  for (guint j = 1; j < n; j++)
    g[j] = column_dot (self, j - 1, x);
  pivot = g[m] + self->ridge;
  g[m] = 0;
  for (guint i = 0; i < n; i++)
    {
      u[i] = 0;
      for (guint j = 0; j < n; j++)
        u[i] += h[i * self->stride + j] * g[j];
    }
  for (guint i = 0; i < n; i++)
    pivot -= g[i] * u[i];
  u[m] = -1;
  /* Rounding may eat the whole pivot of a column that others nearly add up to. */
  return MAX (pivot, .5 * self->ridge);
}

/* The inverse with column m - 1 of A put back in at the empty place @m. */
static void
inverse_with (const MtHead *self,
              guint         block,
              guint         m)
{
  guint n = self->n_columns + 1;
  double *h = block_inverse (self, block);
  g_autofree double *u = g_new (double, n);
  double pivot = border (self, block, m, u);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      h[i * self->stride + j] += u[i] * u[j] / pivot;
}

/* Makes row and column @m of every block's inverse zero: an empty place. */
static void
clear_place (MtHead *self,
             guint   m)
{
  for (guint b = 0; b < self->n_blocks; b++)
    for (guint i = 0; i <= m; i++)
      {
        double *h = block_inverse (self, b);

        h[i * self->stride + m] = h[m * self->stride + i] = 0;
      }
}

static void
make_room (MtHead *self)
{
  gsize old = self->stride, new = old * 2;
  double *weights;

  if (self->n_columns + 2 <= old)
    return;
  self->columns = g_renew (MtHeadColumn, self->columns, new);
  weights = g_new0 (double, self->n_outputs * new);
  for (guint c = 0; c < self->n_outputs; c++)
    memcpy (weights + c * new, self->weights + c * old, old * sizeof (double));
  g_free (self->weights);
  self->weights = weights;
  g_clear_pointer (&self->inverse, g_free);
  self->inverse_known = FALSE;
  self->stride = new;
}

void
mt_head_add (MtHead       *self,
             MtHeadColumn  column)
{
  guint m;

  g_return_if_fail ((column.plane == NULL) != (column.values == NULL));
  make_room (self);
  self->columns[self->n_columns++] = column;
  m = self->n_columns;
  for (guint c = 0; c < self->n_outputs; c++)
    self->weights[c * self->stride + m] = 0;
  if (!self->inverse_known)
    return;
  clear_place (self, m);
  for (guint b = 0; b < self->n_blocks; b++)
    inverse_with (self, b, m);
  self->n_mended++;
}

void
mt_head_remove (MtHead *self,
                guint   index)
{
  guint m = index + 1, last;

  g_return_if_fail (index < self->n_columns);
  for (guint c = 0; c < self->n_outputs && self->inverse_known; c++)
    {
      double *w = self->weights + c * self->stride;
      const double *h = block_inverse (self, c);
      double factor = w[m] / h[m * self->stride + m];

      for (guint j = 0; j <= self->n_columns; j++)
        w[j] -= factor * h[j * self->stride + m];
    }
  for (guint b = 0; b < self->n_blocks && self->inverse_known; b++)
    inverse_without (self, block_inverse (self, b), m);

  last = self->n_columns;
  self->columns[index] = self->columns[last - 1];
  for (guint c = 0; c < self->n_outputs; c++)
    self->weights[c * self->stride + m] = self->weights[c * self->stride + last];
  for (guint b = 0; b < self->n_blocks && self->inverse_known && m != last; b++)
    {
      double *h = block_inverse (self, b);

      for (guint i = 0; i <= last; i++)
        h[m * self->stride + i] = h[last * self->stride + i];
      for (guint i = 0; i < last; i++)
        h[i * self->stride + m] = h[i * self->stride + last];
      h[m * self->stride + m] = h[last * self->stride + last];
    }
  self->n_columns--;
  self->n_mended++;
  self->scores_known = FALSE;
  self->rows_known = FALSE;
}

void
mt_head_replace (MtHead       *self,
                 guint         index,
                 MtHeadColumn  column)
{
  guint m = index + 1;

  g_return_if_fail (index < self->n_columns);
  for (guint c = 0; c < self->n_outputs && self->scores_known; c++)
    column_add (self, index, -self->weights[c * self->stride + m], self->scores + c * self->n_rows);
  self->columns[index] = column;
  for (guint c = 0; c < self->n_outputs && self->scores_known; c++)
    column_add (self, index, self->weights[c * self->stride + m], self->scores + c * self->n_rows);
  for (guint b = 0; b < self->n_blocks && self->inverse_known; b++)
    {
      inverse_without (self, block_inverse (self, b), m);
      inverse_with (self, b, m);
    }
  self->n_mended++;
  self->rows_known = FALSE;
}

/* --- fitting --- */

/* dᵀHd, exactly, for a direction whose rows are x: what the step length is divided by. */
static double
curvature_along (const MtHead *self,
                 const double *direction,
                 const double *x)
{
  gsize n = self->n_rows;
  double sum = 0;

  for (guint c = 0; c < self->n_outputs; c++)
    for (guint j = 0; j <= self->n_columns; j++)
      sum += ridge_of (self, j) * direction[c * self->stride + j] * direction[c * self->stride + j];
  for (gsize r = 0; r < n; r++)
    if (self->task != MT_TASK_MULTICLASS)
      sum += self->curvature[r] * x[r] * x[r];
    else
      {
        double mean = 0, square = 0;

        for (guint c = 0; c < self->n_outputs; c++)
          {
            double p = self->probability[c * n + r], v = x[c * n + r];

            mean += p * v;
            square += p * v * v;
          }
        sum += MAX (square - mean * mean, 0) *
               (self->class_weights != NULL ? self->class_weights[(guint) self->target[r]] : 1);
      }
  return sum;
}

static void
gradient (const MtHead *self,
          double       *g)
{
  for (guint c = 0; c < self->n_outputs; c++)
    {
      const double *residual = self->residual + c * self->n_rows;
      const double *w = self->weights + c * self->stride;
      double *out = g + c * self->stride;

      out[0] = sum_rows (residual, self->n_rows) - BIAS_RIDGE * w[0];
      for (guint j = 0; j < self->n_columns; j++)
        out[j + 1] = column_dot (self, j, residual) - self->ridge * w[j + 1];
    }
}

/* z = H⁻¹ g block by block; returns g·z. */
static double
precondition (const MtHead *self,
              const double *g,
              double       *z)
{
  int n = (int) self->n_columns + 1;
  double sum = 0;

  for (guint c = 0; c < self->n_outputs; c++)
    {
      cblas_dsymv (CblasRowMajor, CblasLower, n, 1, block_inverse (self, c), (int) self->stride,
                   g + c * self->stride, 1, 0, z + c * self->stride, 1);
      for (int j = 0; j < n; j++)
        sum += g[c * self->stride + j] * z[c * self->stride + j];
    }
  return sum;
}

/* Moves along @direction by the Newton length, shortened until the objective does not rise.
 * FALSE: no progress is possible in double precision. */
static gboolean
move (MtHead       *self,
      const double *direction,
      const double *g,
      double       *x)
{
  gsize n = self->n_rows;
  double before = self->loss + penalty (self), slope = 0, length;

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
          for (gsize r = 0; r < n; r++)
            self->scores[c * n + r] += by * x[c * n + r];
        }
      self->rows_known = FALSE;
      know_rows (self);
      /* The last bits of a sum over many rows may say otherwise at the minimum. */
      if (self->loss + penalty (self) <= before + 1e-12 * fabs (before))
        return TRUE;
      length *= .5;
    }
  return FALSE;
}

gboolean
mt_head_fit (MtHead        *self,
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
  double work = (double) self->n_rows * (self->n_columns + 1) * (self->n_columns + 1) * self->n_outputs;
  gboolean stale = self->n_mended > (work < CHEAP_GRAM ? 0 : MAX (4, self->n_columns / 6));
  /* A fresh Hessian costs about columns / 16 passes over the rows. */
  guint patience = 1 + self->n_columns / 32, since_fresh = 0;
  double last_gz = 0;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  know_rows (self);
  if (!self->inverse_known || (stale && (self->task != MT_TASK_REGRESSION || self->n_mended > 200)))
    if (!make_inverse (self, cancellable, error))
      return FALSE;
  for (guint step = 0; step < max_steps; step++)
    {
      double gz, beta = 0;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      memcpy (old_g, g, size * sizeof *g);
      gradient (self, g);
      gz = precondition (self, g, z);
      if (!isfinite (gz))
        {
          set_not_finite (error);
          return FALSE;
        }
      if (.5 * gz < tolerance)
        break;
      if (since_fresh >= patience && gz > .1 * last_gz && self->task != MT_TASK_REGRESSION)
        {
          if (!make_inverse (self, cancellable, error))
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
      if (beta == 0 && .5 * gz < (self->task == MT_TASK_REGRESSION ? G_MAXDOUBLE : 30 * tolerance))
        break;
    }
  return TRUE;
}

/* --- reading --- */

double
mt_head_get_loss (MtHead *self)
{
  know_rows (self);
  return self->loss;
}

double
mt_head_get_objective (MtHead *self)
{
  know_rows (self);
  return self->loss + penalty (self);
}

double
mt_head_get_bias (const MtHead *self,
                  guint         output)
{
  return self->weights[output * self->stride];
}

double
mt_head_get_weight (const MtHead *self,
                    guint         index,
                    guint         output)
{
  return self->weights[output * self->stride + index + 1];
}

const double *
mt_head_get_scores (MtHead *self,
                    guint   output)
{
  know_scores (self);
  return self->scores + output * self->n_rows;
}

const double *
mt_head_get_residual (MtHead *self,
                      guint   output)
{
  know_rows (self);
  return self->residual + output * self->n_rows;
}

const double *
mt_head_get_curvature (MtHead *self,
                       guint   output)
{
  know_rows (self);
  return self->curvature + output * self->n_rows;
}

const double *
mt_head_get_probability (MtHead *self,
                         guint   output)
{
  know_rows (self);
  return self->probability + output * self->n_rows;
}

double
mt_head_get_drop_cost (MtHead *self,
                       guint   index)
{
  guint m = index + 1;
  double cost = 0;

  if (!self->inverse_known && !make_inverse (self, NULL, NULL))
    return G_MAXDOUBLE;
  for (guint c = 0; c < self->n_outputs; c++)
    {
      double w = self->weights[c * self->stride + m];

      cost += .5 * w * w / block_inverse (self, c)[m * self->stride + m];
    }
  return cost;
}

double
mt_head_get_zero_cost (MtHead *self,
                       guint   index,
                       guint   output)
{
  const MtHeadColumn *column = &self->columns[index];
  const double *curvature = mt_head_get_curvature (self, output);
  double w = mt_head_get_weight (self, index, output), h = self->ridge;

  if (column->plane != NULL)
    h += mt_plane_sum (column->plane, curvature, self->n_rows);
  else
    for (gsize r = 0; r < self->n_rows; r++)
      h += curvature[r] * column->values[r] * column->values[r];
  return .5 * w * w * h;
}

double
mt_head_get_add_gain (MtHead       *self,
                      MtHeadColumn  column)
{
  guint m;
  double gain = 0, pivot = 1;
  g_autofree double *u = NULL;

  if (!self->inverse_known && !make_inverse (self, NULL, NULL))
    return 0;
  know_rows (self);
  make_room (self);
  if (!self->inverse_known && !make_inverse (self, NULL, NULL))
    return 0;
  /* The column is laid beside the others for the time of asking. */
  self->columns[self->n_columns++] = column;
  m = self->n_columns;
  clear_place (self, m);
  u = g_new (double, m + 1);
  for (guint c = 0; c < self->n_outputs; c++)
    {
      double g = column_dot (self, m - 1, self->residual + c * self->n_rows);

      if (c < self->n_blocks)
        pivot = border (self, c, m, u);
      gain += .5 * g * g / pivot;
    }
  self->n_columns--;
  return gain;
}
