/* The inverse of the head's curvature, kept from fit to fit.
 *
 * H = AᵀDA + ridge, a block an output (or one for all when they are many): made again from the rows when it is
 * stale, and updated by rank-one steps when a column comes, goes or changes. It preconditions the fit,
 * and it says at once what dropping a column costs and what a new one would gain. */
#include "config.h"
#include "mt-linear-fit-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-cholesky.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-planes.h"
#include "base/mt-gram.h"

/* Rows spread out to doubles at a time for the Gram matrix. */
#define GRAM_ROWS 512
/* Inverses of all classes together, in bytes, before they share one block. */
#define MAX_BLOCK_BYTES (256u << 20)

/* Curvature that block @block was made with; NULL means 1 everywhere. */
static const double *
block_base (const MtLinearFit *self,
            guint         block)
{
  return self->base != NULL ? self->base + block * self->n_rows : NULL;
}

/* out[j * GRAM_ROWS + i] = x[first + i] · column j of that row; row 0 is x itself. */
static void
spread_rows (const MtLinearFit *self,
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
gram (const MtLinearFit *self,
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
    h[i * self->stride + i] += mt_linear_fit_ridge_of (self, i);
  return TRUE;
}

void
mt_linear_fit_set_not_finite (GError **error)
{
  g_set_error (error, MT_ERROR, MT_ERROR_NUMERIC, "a weight stopped being finite while fitting");
}

gboolean
mt_linear_fit_make_inverse (MtLinearFit        *self,
                            GCancellable  *cancellable,
                            GError       **error)
{
  guint n = self->n_columns + 1;
  g_autofree double *scratch = g_try_new (double, mt_cholesky_scratch_size (n));

  mt_linear_fit_ensure_rows (self);
  self->inverse_known = FALSE;
  self->n_blocks = self->n_outputs * self->stride * self->stride * sizeof (double) <= MAX_BLOCK_BYTES ? self->n_outputs : 1;
  if (self->inverse == NULL)
    self->inverse = g_try_new (double, self->n_blocks * self->stride * self->stride);
  if (self->inverse == NULL || scratch == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                   _("Not enough memory: fitting %u terms together needs %zu MB. Close other programs, or ignore columns"),
                   self->n_columns,
                   (self->n_blocks * self->stride * self->stride + mt_cholesky_scratch_size (n)) * sizeof (double) / 1000000 + 1);
      return FALSE;
    }
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
      double *h = mt_linear_fit_block_inverse (self, b);

      if (!gram (self, block_base (self, b), h, cancellable))
        {
          g_cancellable_set_error_if_cancelled (cancellable, error);
          return FALSE;
        }
      if (!mt_cholesky_invert (h, n, self->stride, scratch))
        {
          mt_linear_fit_set_not_finite (error);
          return FALSE;
        }
    }
  self->inverse_known = TRUE;
  self->n_mended = 0;
  return TRUE;
}

/* What is left of the inverse when row and column @m of the matrix go; they become zero. */
void
mt_linear_fit_inverse_without (const MtLinearFit *self,
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
double
mt_linear_fit_border (const MtLinearFit *self,
                      guint         block,
                      guint         m,
                      double       *u)
{
  guint n = self->n_columns + 1;
  const double *h = mt_linear_fit_block_inverse (self, block);
  const double *base = block_base (self, block);
  g_autofree double *x = g_new (double, MAX (self->n_rows, 1));
  g_autofree double *g = g_new (double, n);
  double pivot;

  mt_linear_fit_column_products (self, &self->columns[m - 1], base, x, g);
  pivot = g[m] + self->ridges[m - 1];
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
  return MAX (pivot, .5 * self->ridges[m - 1]);
}

/* The inverse with column m - 1 of A put back in at the empty place @m. */
void
mt_linear_fit_inverse_with (const MtLinearFit *self,
                            guint         block,
                            guint         m)
{
  guint n = self->n_columns + 1;
  double *h = mt_linear_fit_block_inverse (self, block);
  g_autofree double *u = g_new (double, n);
  double pivot = mt_linear_fit_border (self, block, m, u);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      h[i * self->stride + j] += u[i] * u[j] / pivot;
}

/* Makes row and column @m of every block's inverse zero: an empty place. */
void
mt_linear_fit_clear_place (MtLinearFit *self,
                           guint   m)
{
  for (guint b = 0; b < self->n_blocks; b++)
    for (guint i = 0; i <= m; i++)
      {
        double *h = mt_linear_fit_block_inverse (self, b);

        h[i * self->stride + m] = h[m * self->stride + i] = 0;
      }
}
