/* Bins have round edges (multiples of 1, 2 or 5 × 10^e), so that a caption such as
 * "20 to 25" is true to the digit. Edges are computed as integer × mantissa ÷ 10^-e for
 * small steps: 3 × 0.1 would not be the double nearest to 0.3.
 * One pass finds the range and one fills the bins, each in blocks, so that a million
 * rows cost milliseconds and cancelling answers at once. */
#include "config.h"
#include "mt-distribution.h"

#include <math.h>

#define BLOCK 65536

/* Those that are exact need no pow(). */
static double
power_of_ten (int exponent)
{
  static const double exact[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

  return exponent >= 0 && exponent < (int) G_N_ELEMENTS (exact) ? exact[exponent] : pow (10.0, exponent);
}

static double
edge_at (const MtDistribution *self,
         double                index)
{
  double units = index * self->mantissa;

  return self->exponent < 0 ? units / power_of_ten (-self->exponent) : units * power_of_ten (self->exponent);
}

/* The index of the bin edge at or below @value; dividing may land one off, so look again. */
static double
index_below (const MtDistribution *self,
             double                value)
{
  double index = floor (value / edge_at (self, 1));

  if (edge_at (self, index + 1) <= value)
    index += 1;
  else if (edge_at (self, index) > value)
    index -= 1;
  return index;
}

typedef struct {
  double   min, max;
  gsize    n_finite;
  gsize    n_infinite;
  gboolean whole;
} Range;

static gboolean
find_range (const MtColumn  *column,
            double          *block,
            Range           *range,
            GCancellable    *cancellable,
            GError         **error)
{
  gsize n_rows = mt_column_get_n_rows (column);

  *range = (Range) { INFINITY, -INFINITY, 0, 0, TRUE };
  for (gsize first = 0; first < n_rows; first += BLOCK)
    {
      gsize n = MIN (BLOCK, n_rows - first);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      mt_column_read_numbers (column, first, n, block);
      for (gsize i = 0; i < n; i++)
        {
          double v = block[i];

          if (isnan (v))
            continue;
          if (isinf (v))
            {
              range->n_infinite++;
              continue;
            }
          range->n_finite++;
          range->min = MIN (range->min, v);
          range->max = MAX (range->max, v);
          range->whole = range->whole && v == rint (v);
        }
    }
  return TRUE;
}

static guint
count_bins (const MtDistribution *self,
            double               *first)
{
  double low = index_below (self, self->min);
  double high = index_below (self, self->max);

  *first = low;
  if (!self->unit_bins && high > low && edge_at (self, high) == self->max)
    high -= 1;   /* the last bin is closed */
  return (guint) MIN (high - low + 1, G_MAXUINT / 2);
}

/* The smallest round step that needs at most @max_bins bins. */
static void
choose_step (MtDistribution *self,
             gboolean        whole,
             guint           max_bins)
{
  static const double mantissas[] = { 1, 2, 5 };
  double width = self->max / max_bins - self->min / max_bins;   /* the range itself may overflow */
  int exponent;

  if (width > 0)
    exponent = (int) floor (log10 (width));
  else
    exponent = self->max != 0 ? (int) floor (log10 (fabs (self->max))) : 0;
  if (whole)
    exponent = MAX (exponent, 0);
  exponent = MAX (exponent, -300);

  for (;; exponent++)
    for (guint i = 0; i < G_N_ELEMENTS (mantissas); i++)
      {
        self->exponent = exponent;
        self->mantissa = mantissas[i];
        self->unit_bins = whole && exponent == 0 && i == 0;
        if (edge_at (self, 1) < width)
          continue;
        self->n_counts = count_bins (self, &self->first);
        if (self->n_counts <= max_bins)
          return;
      }
}

/* mt_distribution_find_bin() of a value within the range, for many: a guess, and the edges decide. */
static guint
bin_between (const double *edges,
             guint         n_bins,
             double        per_bin,
             double        value)
{
  double guess = (value - edges[0]) * per_bin;
  guint bin = guess > 0 ? (guint) MIN (guess, n_bins - 1) : 0;    /* not a number, of an endless range: 0 */

  while (bin > 0 && value < edges[bin])
    bin--;
  while (bin + 1 < n_bins && value >= edges[bin + 1])
    bin++;
  return bin;
}

static gboolean
fill_histogram (MtDistribution  *self,
                const MtColumn  *column,
                guint            max_bins,
                GCancellable    *cancellable,
                GError         **error)
{
  g_autofree double *block = g_new (double, BLOCK);
  g_autofree double *edges = NULL;
  double per_bin;
  Range range;

  if (!find_range (column, block, &range, cancellable, error))
    return FALSE;
  self->n_infinite = range.n_infinite;
  if (range.n_finite == 0)
    return TRUE;

  self->kind = MT_DISTRIBUTION_HISTOGRAM;
  self->min = range.min;
  self->max = range.max;
  choose_step (self, range.whole, max_bins);
  self->counts = g_new0 (gsize, self->n_counts);
  edges = g_new (double, self->n_counts + 1);
  for (guint i = 0; i <= self->n_counts; i++)
    edges[i] = edge_at (self, self->first + i);
  per_bin = self->n_counts / (edges[self->n_counts] - edges[0]);
  for (gsize first = 0; first < self->n_rows; first += BLOCK)
    {
      gsize n = MIN (BLOCK, self->n_rows - first);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      mt_column_read_numbers (column, first, n, block);
      for (gsize i = 0; i < n; i++)
        if (isfinite (block[i]))
          self->counts[bin_between (edges, self->n_counts, per_bin, block[i])]++;
    }
  return TRUE;
}

static int
more_frequent (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const guint *x = a, *y = b;
  gsize count_x = mt_column_get_level_count (data, *x);
  gsize count_y = mt_column_get_level_count (data, *y);

  if (count_x != count_y)
    return count_x > count_y ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

static void
fill_levels (MtDistribution *self,
             const MtColumn *column,
             guint           max_levels)
{
  guint n_levels = mt_column_get_n_levels (column);
  g_autofree guint *order = g_new (guint, MAX (n_levels, 1));

  for (guint i = 0; i < n_levels; i++)
    if (mt_column_get_level_count (column, i) > 0)
      order[self->n_levels++] = i;
  if (self->n_levels == 0)
    return;

  g_qsort_with_data (order, (int) self->n_levels, sizeof (guint), more_frequent, (gpointer) column);
  self->kind = MT_DISTRIBUTION_LEVELS;
  self->n_counts = MIN (self->n_levels, max_levels);
  self->counts = g_new (gsize, self->n_counts);
  self->names = g_new0 (char *, self->n_counts + 1);
  for (guint i = 0; i < self->n_levels; i++)
    {
      gsize count = mt_column_get_level_count (column, order[i]);

      if (i < self->n_counts)
        {
          self->counts[i] = count;
          self->names[i] = g_strdup (mt_column_get_level (column, order[i]));
        }
      else
        self->n_other += count;
    }
}

MtDistribution *
mt_distribution_new (const MtColumn  *column,
                     guint            max_bins,
                     guint            max_levels,
                     GCancellable    *cancellable,
                     GError         **error)
{
  g_autoptr (MtDistribution) self = NULL;

  g_return_val_if_fail (column != NULL, NULL);
  g_return_val_if_fail (max_bins > 0 && max_levels > 0, NULL);

  self = g_new0 (MtDistribution, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->kind = MT_DISTRIBUTION_NONE;
  self->n_rows = mt_column_get_n_rows (column);
  self->n_missing = mt_column_get_n_missing (column);

  switch (mt_column_get_store (column))
    {
    case MT_STORE_NUMBERS:
      if (!fill_histogram (self, column, max_bins, cancellable, error))
        return NULL;
      break;
    case MT_STORE_CODES:
      fill_levels (self, column, max_levels);
      break;
    case MT_STORE_TEXT:
    default:
      break;
    }

  self->highest = 1;
  for (guint i = 0; i < self->n_counts; i++)
    self->highest = MAX (self->highest, self->counts[i]);
  return g_steal_pointer (&self);
}

MtDistribution *
mt_distribution_ref (MtDistribution *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_distribution_unref (MtDistribution *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->counts);
  g_strfreev (self->names);
  g_free (self);
}

double
mt_distribution_get_edge (const MtDistribution *self,
                          guint                 index)
{
  g_return_val_if_fail (self->kind == MT_DISTRIBUTION_HISTOGRAM && index <= self->n_counts, NAN);
  return edge_at (self, self->first + index);
}

int
mt_distribution_find_bin (const MtDistribution *self,
                          double                value)
{
  double index;

  if (self->kind != MT_DISTRIBUTION_HISTOGRAM || !(value >= self->min && value <= self->max))
    return -1;
  index = index_below (self, value) - self->first;
  return (int) CLAMP (index, 0, (double) self->n_counts - 1);
}
