/* The fit as it would be without one of its columns. The formulas are in mt-linear-fit-without.h.
 *
 * Two ways to the same numbers. MtLinearFitWithout asks about one column at a time, in doubles:
 * rows × columns for the sums v and columns² for H⁻¹ v. MtLinearFitBasis prepares every row once,
 * in floats; then what a candidate column shares with all others is a sum of prepared rows. The
 * floats are for choosing candidates, not for fits. */
#include "config.h"
#include "mt-linear-fit-without.h"

#include <math.h>
#include <string.h>

#include "mt-linear-fit-private.h"
#include "base/mt-cholesky.h"
#include "base/mt-planes.h"
#include "base/mt-target-clones.h"

struct _MtLinearFitWithout {
  MtLinearFit *head;
  guint   m;          /* place of the column among bias and columns; 0: none */
  double  cost;
  double *x;          /* n_rows: D a */
  double *v;          /* AᵀDa, bias first */
  double *sums;       /* H⁻¹ v */
};

/* w_j / [H⁻¹]_jj of one output: δ is that times H⁻¹ e_j. */
static double
change_of (const MtLinearFitWithout *self,
           guint                     output)
{
  const MtLinearFit *head = self->head;

  return head->weights[output * head->stride + self->m] /
         mt_linear_fit_block_inverse (head, output)[self->m * head->stride + self->m];
}

/* Costs only its memory, two small arrays and one of rows, unless the inverse has to be made first.
 * The cost of losing the column, ½ Σ w² / [H⁻¹]_jj, is known at once. */
MtLinearFitWithout *
mt_linear_fit_without_new (MtLinearFit *head,
                     guint   index)
{
  MtLinearFitWithout *self;

  g_return_val_if_fail (index == MT_LINEAR_FIT_NO_COLUMN || index < head->n_columns, NULL);
  if (!head->inverse_known && !mt_linear_fit_make_inverse (head, NULL, NULL))
    return NULL;
  mt_linear_fit_ensure_rows (head);
  self = g_new0 (MtLinearFitWithout, 1);
  self->head = head;
  self->m = index == MT_LINEAR_FIT_NO_COLUMN ? 0 : index + 1;
  self->x = g_new (double, MAX (head->n_rows, 1));
  self->v = g_new (double, head->n_columns + 1);
  self->sums = g_new (double, head->n_columns + 1);
  for (guint c = 0; c < head->n_outputs && self->m > 0; c++)
    self->cost += .5 * head->weights[c * head->stride + self->m] * change_of (self, c);
  return self;
}

void
mt_linear_fit_without_free (MtLinearFitWithout *self)
{
  if (self == NULL)
    return;
  g_free (self->x);
  g_free (self->v);
  g_free (self->sums);
  g_free (self);
}

double
mt_linear_fit_without_get_cost (const MtLinearFitWithout *self)
{
  return self->cost;
}

/* Σ of x over the rows of a plane, or weighted by the numbers of a column. */
static double
dot (const MtLinearFit       *head,
     const MtLinearFitColumn *column,
     const double       *x)
{
  double sum = 0;

  if (column->plane != NULL)
    return mt_plane_sum (column->plane, x, head->n_rows);
  for (gsize r = 0; r < head->n_rows; r++)
    sum += column->values[r] * x[r];
  return sum;
}

/* The part of the column that the others, less column j, do not explain, in one block. The others
 * together explain vᵀ H⁻¹ v of it; what only column j explained, (H⁻¹ e_j · v)² / [H⁻¹]_jj, is
 * added back. @along: H⁻¹ e_j · v. With least squares and a plane, aᵀDa is a count, and it is the
 * product with the bias. */
static double
pivot_of (const MtLinearFitWithout *self,
          guint                block,
          const MtLinearFitColumn  *column,
          double               ridge,
          double              *along)
{
  const MtLinearFit *head = self->head;
  const double *h = mt_linear_fit_block_inverse (head, block);
  const double *base = head->base != NULL ? head->base + block * head->n_rows : NULL;
  guint n = head->n_columns + 1;
  double *x = self->x, *v = self->v, *sums = self->sums, pivot;

  mt_linear_fit_column_products (head, column, base, x, v);
  pivot = (base == NULL && column->plane != NULL ? v[0] : dot (head, column, x)) + ridge;
  mt_matrix_times (h, n, head->stride, v, sums);
  for (guint i = 0; i < n; i++)
    pivot -= v[i] * sums[i];
  *along = sums[self->m];
  if (self->m > 0)
    pivot += *along * *along / h[self->m * head->stride + self->m];
  /* Rounding may eat the whole pivot of a column that others nearly add up to. */
  return MAX (pivot, .5 * ridge);
}

/* Σ over the outputs of ½ g² / pivot, where g is the residual's sum over the column, corrected for
 * what column j no longer contributes. When all outputs share a block, the pivot is made once. */
double
mt_linear_fit_without_get_gain (const MtLinearFitWithout *self,
                          MtLinearFitColumn         column,
                          double              *gradient)
{
  const MtLinearFit *head = self->head;
  double ridge = mt_linear_fit_get_ridge (head, column), gain = 0, pivot = 1, along = 0;

  for (guint c = 0; c < head->n_outputs; c++)
    {
      double g;

      if (c < head->n_blocks)
        pivot = pivot_of (self, c, &column, ridge, &along);
      g = dot (head, &column, head->residual + c * head->n_rows) + (self->m > 0 ? change_of (self, c) * along : 0);
      gain += .5 * g * g / pivot;
      if (gradient != NULL)
        gradient[c] = g;
    }
  return gain;
}

/* --- orthogonal columns --- */

/* Rows of A at a time. */
#define BASIS_ROWS 256

/* Rows of a basis come in whole vectors. */
typedef float Vector __attribute__ ((vector_size (64)));

#define LANES ((gsize) (sizeof (Vector) / sizeof (float)))

/* q = h Lᵀ a of @n rows; @columns: A of these rows, column after column; @factor: L, row after row, each of @stride. */
MT_CLONES static void
multiply_rows (const float  *columns,
               const float  *factor,
               guint         n_columns,
               gsize         stride,
               gsize         n,
               const double *curvature,
               gsize         step,
               float        *rows)
{
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < stride; k += LANES)
      {
        Vector sum = { 0 };

        for (guint j = 0; j < n_columns; j++)
          {
            Vector l;

            memcpy (&l, factor + j * stride + k, sizeof l);
            sum += columns[j * BASIS_ROWS + i] * l;
          }
        sum *= (float) curvature[i * step];
        memcpy (rows + i * stride + k, &sum, sizeof sum);
      }
}

/* Rows first … first + n − 1 of the basis: A is gathered column after column into @columns
 * (BASIS_ROWS a column), multiplied by L, and residual and curvature are written at the two last
 * places. The curvature must be the one of the inverse; the residual is the present one. */
static void
add_basis_rows (const MtLinearFit *head,
                MtLinearFitBasis  *self,
                guint              output,
                const float       *factor,
                gsize              first,
                gsize              n,
                float             *columns)
{
  const double *residual = head->residual + output * head->n_rows;
  /* The curvature that the inverse was made with, as in pivot_of(): the two belong together. */
  const double *curvature = head->base == NULL ? head->curvature : head->base + (head->n_blocks == 1 ? 0 : output) * head->n_rows;

  for (gsize i = 0; i < n; i++)
    columns[i] = 1;
  for (guint j = 1; j < self->n; j++)
    {
      const MtLinearFitColumn *column = &head->columns[j - 1];
      float *x = columns + j * BASIS_ROWS;

      for (gsize i = 0; i < n; i++)
        {
          gsize row = (first + i) * self->step;

          x[i] = column->plane != NULL ? (float) (column->plane[row / 64] >> (row % 64) & 1) : (float) column->values[row];
        }
    }
  multiply_rows (columns, factor, self->n, self->stride, n, curvature + first * self->step, self->step,
                 self->rows + first * self->stride);
  for (gsize i = first; i < first + n; i++)
    {
      self->rows[i * self->stride + self->residual_at] = (float) residual[i * self->step];
      self->rows[i * self->stride + self->curvature_at] = (float) curvature[i * self->step];
    }
}

/* Memory: (n + 2) floats a row, rounded up to 16, so 10,000 rows and 60 columns are 2.6 MB. On many
 * rows @step leaves rows out.
 *
 * The Cholesky factor of the inverse, H⁻¹ = L Lᵀ, costs n³ / 3 once; each row then costs n × stride
 * products, in whole vectors. The zero half of L is multiplied like the rest. */
MtLinearFitBasis *
mt_linear_fit_basis_new (MtLinearFit *head,
                   guint   output,
                   gsize   step)
{
  MtLinearFitBasis *self;
  const double *h;
  g_autofree float *columns = NULL;
  g_autofree float *factor = NULL;
  g_autofree double *scratch = NULL;

  /* Of classes the curvature moves with every fit: once for all outputs it is taken again. */
  if ((!head->inverse_known || (output == 0 && head->base != NULL)) && !mt_linear_fit_make_inverse (head, NULL, NULL))
    return NULL;
  mt_linear_fit_ensure_rows (head);
  self = g_new0 (MtLinearFitBasis, 1);
  self->n = head->n_columns + 1;
  self->stride = (self->n + 2 + 15) / 16 * 16;
  self->residual_at = (guint) self->stride - 2;
  self->curvature_at = (guint) self->stride - 1;
  self->step = step;
  self->n_rows = (head->n_rows + step - 1) / step;
  self->factor = g_new (double, self->n * self->n);
  h = mt_linear_fit_block_inverse (head, output);
  for (guint i = 0; i < self->n; i++)
    memcpy (self->factor + i * self->n, h + i * head->stride, self->n * sizeof (double));
  scratch = g_new (double, mt_cholesky_scratch_size (self->n));
  if (!mt_cholesky_factor (self->factor, self->n, self->n, scratch))
    {
      mt_linear_fit_basis_free (self);
      return NULL;
    }
  self->rows = g_new0 (float, MAX (self->n_rows * self->stride, 1));
  columns = g_new (float, self->n * BASIS_ROWS);
  factor = g_new0 (float, self->n * self->stride);
  for (guint i = 0; i < self->n; i++)
    for (guint j = 0; j <= i; j++)
      factor[i * self->stride + j] = (float) self->factor[i * self->n + j];
  for (gsize first = 0; first < self->n_rows; first += BASIS_ROWS)
    add_basis_rows (head, self, output, factor, first, MIN (BASIS_ROWS, self->n_rows - first), columns);
  return self;
}

void
mt_linear_fit_basis_free (MtLinearFitBasis *self)
{
  if (self == NULL)
    return;
  g_free (self->rows);
  g_free (self->factor);
  g_free (self);
}

/* Row j of L, of length √[H⁻¹]_jj, made a unit vector. The part of q along it is what column j
 * alone explained. */
double
mt_linear_fit_basis_fill_without (const MtLinearFitBasis *self,
                                  const MtLinearFit      *head,
                                  guint                   output,
                                  guint                   index,
                                  float                  *row)
{
  const double *l = self->factor + (index == MT_LINEAR_FIT_NO_COLUMN ? 0 : (index + 1) * self->n);
  double square = 0;

  memset (row, 0, self->stride * sizeof *row);
  if (index == MT_LINEAR_FIT_NO_COLUMN)
    return 0;
  for (guint k = 0; k < self->n; k++)
    square += l[k] * l[k];
  for (guint k = 0; k < self->n && square > 0; k++)
    row[k] = (float) (l[k] / sqrt (square));
  return square > 0 ? head->weights[output * head->stride + index + 1] / sqrt (square) : 0;
}
