/* The inverse of the head's curvature, kept from fit to fit.
 *
 * H = AᵀDA + ridge, a block an output (or one for all when they are many): made again from the rows when it is
 * stale, and updated by rank-one steps when a column comes, goes or changes. It preconditions the fit,
 * and it says at once what dropping a column costs and what a new one would gain.
 *
 * A is rows × (columns + 1): a column of ones for the bias, then the columns. D is the curvature of
 * each row. Each block takes columns² doubles: 2,000 columns are 32 MB, and 50 classes would be 1.6
 * GB. Above MAX_BLOCK_BYTES all outputs share one block, made with the mean of their curvatures;
 * the fit then takes more steps, but ends at the same weights.
 *
 *   make        rows × columns² / 2 products, then columns³ to invert: seldom
 *   come, go    rows × columns for AᵀDa, and columns² to update: for every term that is tried
 *
 * An updated inverse belongs to the curvature it was made with (`base`), not to the present one. */
#include "config.h"
#include "mt-linear-fit-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-cholesky.h"
#include "base/mt-dense.h"
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

/* The rows of the inverse for columns of planes in @planes, for others in @others, the bias among them. */
typedef struct {
  guint *planes, *others;
  guint  n_planes, n_others;
} Places;

/* out[k * GRAM_ROWS + i] = the number in place k's column of that row; place 0 is the bias.
 *
 * Blocks of GRAM_ROWS rows, so the scratch does not grow with the rows: 4 kB for each column. */
static void
copy_rows (const MtLinearFit *self,
           const guint       *places,
           guint              n_places,
           gsize              first,
           gsize              n,
           double            *out)
{
  static const double one[GRAM_ROWS] = { [0 ... GRAM_ROWS - 1] = 1 };

  for (guint k = 0; k < n_places; k++)
    {
      double *row = out + (gsize) k * GRAM_ROWS;
      const MtLinearFitColumn *column = places[k] > 0 ? &self->columns[places[k] - 1] : NULL;

      if (column == NULL)
        memcpy (row, one, n * sizeof *row);
      else if (column->plane != NULL)
        mt_plane_spread (column->plane + first / 64, one, 0, n, row);
      else
        memcpy (row, column->values + first, n * sizeof *row);
      /* The kernel reads whole vectors. */
      for (gsize i = n; i % 8 != 0; i++)
        row[i] = 0;
    }
}

/* AᵀA where every row counts once: what planes have in common is counted, and only what has numbers in it is summed.
 *
 * The places are sorted into planes and others first, so that the kernel for numbers runs over
 * others × others and others × planes only, and planes × planes is a count of common bits, 64 rows
 * at a time. `sums` is others × (others + planes); only the lower triangle of h is written. */
static gboolean
count_gram (const MtLinearFit *self,
            const Places      *places,
            double            *h,
            GCancellable      *cancellable)
{
  guint n_planes = places->n_planes, n_others = places->n_others;
  gsize n_words = (self->n_rows + 63) / 64, width = n_planes + n_others;
  g_autofree double *others = g_new (double, (gsize) n_others * GRAM_ROWS);
  g_autofree double *planes = g_new (double, (gsize) MAX (n_planes, 1) * GRAM_ROWS);
  g_autofree double *sums = g_new0 (double, n_others * width);

  for (gsize first = 0; first < self->n_rows; first += GRAM_ROWS)
    {
      gsize k = MIN (GRAM_ROWS, self->n_rows - first), whole = (k + 7) / 8 * 8;

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      copy_rows (self, places->others, n_others, first, k, others);
      copy_rows (self, places->planes, n_planes, first, k, planes);
      mt_gram_add (others, GRAM_ROWS, n_others, whole, sums, width);
      mt_gram_add_between (others, n_others, planes, n_planes, GRAM_ROWS, whole, sums + n_others, width);
    }
  for (guint k = 0; k < n_others; k++)
    for (guint l = 0; l < width; l++)
      {
        guint i = places->others[k], j = l < n_others ? places->others[l] : places->planes[l - n_others];

        if (l <= k || l >= n_others)
          h[MAX (i, j) * self->stride + MIN (i, j)] = sums[k * width + l];
      }
  for (guint k = 0; k < n_planes; k++)
    for (guint l = 0; l <= k; l++)
      h[places->planes[k] * self->stride + places->planes[l]] =
        (double) mt_plane_count_and (self->columns[places->planes[k] - 1].plane,
                                     self->columns[places->planes[l] - 1].plane, n_words);
  return TRUE;
}

/* Sorts the places of A into planes and others: the bias is a column of ones and counts as one of
 * the others. */
static gboolean
gram_of_counts (const MtLinearFit *self,
                double            *h,
                GCancellable      *cancellable)
{
  guint n = self->n_columns + 1;
  g_autofree guint *room = g_new (guint, 2 * n);
  Places places = { room, room + n, 0, 0 };

  for (guint i = 0; i < n; i++)
    if (i > 0 && self->columns[i - 1].plane != NULL)
      places.planes[places.n_planes++] = i;
    else
      places.others[places.n_others++] = i;
  return count_gram (self, &places, h, cancellable);
}

/* h = AᵀDA, lower triangle by rows. FALSE when cancelled.
 *
 * D is split evenly: with √D A as the matrix, AᵀDA is a matrix times its own transpose, and one
 * kernel does it. The rows come in blocks of GRAM_ROWS, filled up with zeros to a multiple of 8. */
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
    root[r] = sqrt (curvature[r]);
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
  return TRUE;
}

/* h = AᵀDA + ridge, lower triangle by rows; @curvature NULL: D = 1. FALSE when cancelled. */
static gboolean
make_gram (const MtLinearFit *self,
           const double      *curvature,
           double            *h,
           GCancellable      *cancellable)
{
  if (self->sums != NULL)
    mt_linear_fit_sums_gram (self, curvature, h);
  else if (!(curvature != NULL ? gram (self, curvature, h, cancellable) : gram_of_counts (self, h, cancellable)))
    return FALSE;
  for (guint i = 0; i <= self->n_columns; i++)
    h[i * self->stride + i] += mt_linear_fit_ridge_of (self, i);
  return TRUE;
}

void
mt_linear_fit_set_not_finite (GError **error)
{
  g_set_error (error, MT_ERROR, MT_ERROR_NUMERIC, "a weight stopped being finite while fitting");
}

/* After a walk from many columns to few the rows of an inverse would lie far apart, and all in the same lines of a cache:
 * everything that has `stride` numbers a row moves together. */
void
mt_linear_fit_shrink_room (MtLinearFit *self)
{
  gsize old = self->stride, new = old, n = self->n_columns + 1;

  while (new > 16 && 4 * (n + 1) <= new)
    new /= 2;
  if (new == old)
    return;
  for (guint c = 1; c < self->n_outputs; c++)
    memmove (self->weights + c * new, self->weights + c * old, n * sizeof *self->weights);
  for (guint b = 0; b < self->n_blocks && self->inverse_known; b++)
    for (gsize i = 0; i < n; i++)
      memmove (self->inverse + (b * new + i) * new, self->inverse + (b * old + i) * old, n * sizeof *self->inverse);
  /* Where outputs share a block there may now be room for one each. */
  if (self->n_blocks < self->n_outputs)
    {
      g_clear_pointer (&self->inverse, g_free);
      self->inverse_known = FALSE;
    }
  if (self->inverse != NULL)
    self->inverse = g_renew (double, self->inverse, self->n_blocks * new * new);
  self->weights = g_renew (double, self->weights, self->n_outputs * new);
  self->columns = g_renew (MtLinearFitColumn, self->columns, new);
  self->ridges = g_renew (double, self->ridges, new);
  self->stride = new;
}

/* Makes all blocks from the curvature of the present rows and sets the age of the inverse to 0.
 * Until it is complete, inverse_known is FALSE, so a call that was cancelled or found too little
 * memory leaves the fit usable: the next call begins again. */
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

      if (!make_gram (self, block_base (self, b), h, cancellable))
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
  self->n_updates = 0;
  return TRUE;
}

/* What is left of the inverse when row and column @m of the matrix go; they become zero.
 *
 * By the formula for a matrix without one row and column: h_ij − h_im h_mj / h_mm. For [[2, 1], [1,
 * 2]], whose inverse is [[⅔, −⅓], [−⅓, ⅔]], leaving out the second place gives ⅔ − ⅓ · ⅓ / ⅔ = ½,
 * the inverse of [2]. */
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
    mt_dense_add (-(column[i] / pivot), column, h + i * self->stride, n);
  for (guint i = 0; i < n; i++)
    h[i * self->stride + m] = h[m * self->stride + i] = 0;
}

/* Borders the block's matrix with column m − 1 of A, called a: u = H⁻¹ AᵀDa, with u[m] = −1.
 * Returns the pivot aᵀDa + ridge − (AᵀDa)ᵀ u: the part of the column that the others do not
 * explain. It is 0 plus the ridge for a copy of another column, and near aᵀDa + ridge for one that
 * has nothing to do with them. */
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
  mt_matrix_times (h, n, self->stride, g, u);
  for (guint i = 0; i < n; i++)
    pivot -= g[i] * u[i];
  u[m] = -1;
  /* Rounding may eat the whole pivot of a column that others nearly add up to. */
  return MAX (pivot, .5 * self->ridges[m - 1]);
}

/* The inverse with column m − 1 of A put back in at the empty place @m: H⁻¹ + u uᵀ / pivot, where
 * u[m] = −1 fills the new row and column. It undoes mt_linear_fit_inverse_without(). */
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
    mt_dense_add_ratio (u[i], pivot, u, h + i * self->stride, n);
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
