/* Fits an encoder to training rows: which thresholds, which levels.
 *
 * Numbers: the n finite training values are sorted (radix, eight passes at most; values that
 * were integers or floats need three or four), the m distinct ones u0 < u1 < … found, and for
 * j = 1 … bits the cut at quantile j / (bits + 1) is placed in the gap below the first value
 * that reaches the quantile:
 *
 *   unique   gap ceil ((m - 1) · j / (bits + 1)) among the distinct values
 *   rows     the gap below the distinct value of sorted row ceil ((n - 1) · j / (bits + 1))
 *   both     the first gap i for which rows below it / (n - 1) + i / (m - 1) reach 2 j / (bits + 1)
 *
 * which is where a linearly interpolated quantile would fall, in whole numbers, so no rounding
 * decides. Gap i is (u(i-1), u(i)]; the threshold is the shortest decimal in it. Mean and
 * deviation are sums in row order over numbers scaled by the largest, so nothing overflows.
 *
 * Columns are independent and each writes its own slot: the result is the same for any number
 * of threads. Sizes: 10³–10⁶ rows, 10–10⁴ columns; 8 bytes a row and thread of scratch, three times. */
#include "config.h"
#include "mt-encoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "mt-encoder-private.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-parallel.h"

/* Of a unary term; the greatest is its inverse. */
#define LEAST_SD 1e-150
/* A shape is offered only if it correlates less than this with the plain number: otherwise it is the same again. */
#define MOST_ALIKE 0.99
/* Share of the rows at each end that the clipped shape counts as its limit. */
#define CLIPPED_SHARE 0.025

typedef struct {
  const MtTable          *table;
  const guint32          *rows;       /* NULL: all */
  gsize                   n_rows;
  const MtEncoderOptions *options;
  const guint            *features;   /* table columns that may be used */
  MtEncoderColumn        *columns;    /* a slot a feature; name NULL: of no use */
  gpointer               *scratch;    /* per worker: 3 × n_rows × 8 bytes, made when first needed */
  GCancellable           *cancellable;
} Fit;

void
mt_encoder_options_init (MtEncoderOptions *options)
{
  *options = (MtEncoderOptions) {
    .bits = 9,
    .quantiles = MT_QUANTILES_UNIQUE,
    .level_floor = 0.005,
    .max_levels = 100,
  };
}

/* What the callers' settings must be; the messages name the option as the command line does. */
static gboolean
check_options (const MtEncoderOptions *options,
               GError                **error)
{
  if (options->bits < 1 || options->bits > MT_ENCODER_MAX_BITS)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("bits must be between 1 and %d, not %u"),
                 MT_ENCODER_MAX_BITS,
                 options->bits);
  else if (options->quantiles > MT_QUANTILES_BOTH)
    g_set_error_literal (error, MT_ERROR, MT_ERROR_PARAMS,
                         _("thresholds must be placed at quantiles of unique values or of rows"));
  else if (!(options->level_floor >= 0 && options->level_floor <= 0.5))
    g_set_error_literal (error, MT_ERROR, MT_ERROR_PARAMS, _("the smallest share of rows for a level must be "
                                                             "between 0 and 0.5"));
  else if (options->max_levels < 2 || options->max_levels > MT_ENCODER_MAX_LEVELS)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the number of levels must be between 2 and %d, not %u"),
                 MT_ENCODER_MAX_LEVELS, options->max_levels);
  else
    return TRUE;
  return FALSE;
}

/* --- numbers --- */

/* Doubles in the order of their keys: the sign bit turned round, negatives inverted. Read as whole
 * numbers, the bits of positive doubles are already in order (exponent first, then fraction); those
 * of negative ones are in the opposite order and, because of the sign bit, above all positive ones.
 * Inverting the negatives and setting the sign bit of the others puts both right, so a radix sort
 * can be used. NaN has no place in it. */
static inline guint64
to_key (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | (G_GUINT64_CONSTANT (1) << 63);
}

/* The way back from to_key(). */
static inline double
from_key (guint64 key)
{
  guint64 bits = key >> 63 ? key & ~(G_GUINT64_CONSTANT (1) << 63) : ~key;
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* Sorts @n keys by radix; @spare is as long, and the result is in whichever of the two arrays is returned.
 *
 * One pass over the keys counts, for each of their 8 bytes, how often each value occurs. Then, from the lowest
 * byte up, the counts become places and the keys move to the other array. A byte that is the same in all keys
 * needs no pass: values that came from small integers or from floats have many zero bytes, and three or four
 * passes do. Each pass keeps the order of equal bytes, so after the highest one the keys are sorted. O(n) for each
 * pass, where a comparison sort takes n log n. Stops early when cancelled, with the keys in no particular order. */
static guint64 *
sort_keys (guint64      *keys,
           guint64      *spare,
           gsize         n,
           GCancellable *cancellable)
{
  gsize counts[8][256] = { { 0 } };

  for (gsize i = 0; i < n; i++)
    for (guint byte = 0; byte < 8; byte++)
      counts[byte][(keys[i] >> (8 * byte)) & 0xff]++;
  for (guint byte = 0; byte < 8 && !g_cancellable_is_cancelled (cancellable); byte++)
    {
      gsize *count = counts[byte];
      gsize at = 0;
      guint64 *swap;

      if (n == 0 || count[(keys[0] >> (8 * byte)) & 0xff] == n)
        continue;
      for (guint d = 0; d < 256; d++)
        {
          gsize here = count[d];

          count[d] = at;
          at += here;
        }
      for (gsize i = 0; i < n; i++)
        spare[count[(keys[i] >> (8 * byte)) & 0xff]++] = keys[i];
      swap = keys;
      keys = spare;
      spare = swap;
    }
  return keys;
}

/* Where the shares of rows and of distinct values together reach 2 j / (bits + 1), for all j. Gap i has starts[i]
 * rows and i distinct values below it; multiplied out,
 *
 *   (bits + 1) (starts[i] (m − 1) + i (n − 1)) ≥ 2 j (n − 1) (m − 1).
 *
 * Both sides are whole numbers held in doubles, exact below 2^53, so no rounding decides. Both shares grow with i,
 * so one walk over the gaps serves all j. */
static guint
choose_gaps_of_both (guint        bits,
                     const gsize *starts,
                     gsize        n_unique,
                     gsize        n,
                     gsize       *gaps)
{
  double rows = (double) (n - 1), values = (double) (n_unique - 1);
  guint n_gaps = 0;
  gsize gap = 1;

  for (guint j = 1; j <= bits; j++)
    {
      while (gap < n_unique - 1 && (bits + 1.) * (starts[gap] * values + gap * rows) < 2. * j * rows * values)
        gap++;
      if (n_gaps == 0 || gaps[n_gaps - 1] != gap)
        gaps[n_gaps++] = gap;
    }
  return n_gaps;
}

/* Which gaps get a threshold: ascending gap numbers 1 … n_unique-1 into @gaps, each once.
 * @starts[i] is the number of sorted rows below distinct value i; MT_QUANTILES_UNIQUE does not need it.
 *
 * With no more gaps than bits, every gap gets one and nothing is lost. Otherwise, for 21 distinct
 * values u0 … u20 and 9 bits, quantiles of the distinct values give the gaps ⌈20 j / 10⌉ = 2, 4, …,
 * 18; the first threshold lies in (u1, u2].
 *
 * Quantiles of the rows may fall on the same value several times (half of the rows are 0, say).
 * Such a gap is taken once, so there are then fewer thresholds than bits. */
static guint
choose_gaps (const MtEncoderOptions *options,
             const gsize            *starts,
             gsize                   n_unique,
             gsize                   n,
             gsize                  *gaps)
{
  guint bits = options->bits;
  guint n_gaps = 0;

  if (n_unique - 1 <= bits)
    {
      for (gsize gap = 1; gap < n_unique; gap++)
        gaps[n_gaps++] = gap;
      return n_gaps;
    }
  if (options->quantiles == MT_QUANTILES_BOTH)
    return choose_gaps_of_both (bits, starts, n_unique, n, gaps);
  for (guint j = 1; j <= bits; j++)
    {
      gsize n_values = options->quantiles == MT_QUANTILES_UNIQUE ? n_unique : n;
      gsize gap = ((n_values - 1) * j + bits) / (bits + 1);

      if (options->quantiles == MT_QUANTILES_ROWS)
        {
          gsize low = 0, high = n_unique;   /* the distinct value of sorted row `gap` */

          while (high - low > 1)
            {
              gsize middle = low + (high - low) / 2;

              if (starts[middle] <= gap)
                low = middle;
              else
                high = middle;
            }
          gap = MAX (low, 1);
        }
      if (n_gaps == 0 || gaps[n_gaps - 1] != gap)
        gaps[n_gaps++] = gap;
    }
  return n_gaps;
}

/* Mean and deviation of the finite values. They are divided by the largest magnitude first: the sum of squares of
 * values near 1e200 would otherwise overflow, that of values near 1e−200 vanish. Two passes (mean, then squared
 * distances), because the one-pass formula loses all digits when the mean is large and the deviation small. The
 * sums are made in row order: one order, one result. */
static void
fit_moments (MtEncoderColumn *column,
             const double    *values,
             gsize            n_rows,
             gsize            n)
{
  double scale = MAX (fabs (column->min), fabs (column->max));
  double sum = 0, squares = 0, mean;

  for (gsize i = 0; i < n_rows; i++)
    if (isfinite (values[i]))
      sum += values[i] / scale;
  mean = sum / (double) n;
  for (gsize i = 0; i < n_rows; i++)
    if (isfinite (values[i]))
      squares += (values[i] / scale - mean) * (values[i] / scale - mean);
  column->mean = mean * scale;
  column->sd = sqrt (squares / (double) n) * scale;
  /* Beyond these ends a weight for each raw unit, weight / sd, may be more than a number holds (the target of
   * a regression may reach 1e150), and a column from one end of the doubles to the other cannot be centered:
   * it has thresholds but no unary term. */
  if (!(column->sd >= LEAST_SD && column->sd <= 1 / LEAST_SD) || !isfinite (column->max - column->min))
    column->sd = 0;
}

/* Mean and standard deviation of one shape of a number (its logarithm, or the number cut off at both ends), and
 * whether it is worth offering. products / n is the covariance of the shape with the standardized plain number, so
 * products / n / sd is their correlation; from MOST_ALIKE up the shape does the same as the plain number, and gets
 * an sd of 0, which means "not offered". */
static void
fit_shape (const MtEncoderColumn *column,
           MtShape                shape,
           const double          *values,
           gsize                  n_rows,
           gsize                  n,
           double                *out_mean,
           double                *out_sd)
{
  double sum = 0, squares = 0, products = 0, mean;

  for (gsize i = 0; i < n_rows; i++)
    if (isfinite (values[i]))
      sum += mt_encoder_column_shape (column, shape, values[i]);
  mean = sum / (double) n;
  for (gsize i = 0; i < n_rows; i++)
    if (isfinite (values[i]))
      {
        double distance = mt_encoder_column_shape (column, shape, values[i]) - mean;

        squares += distance * distance;
        products += distance * ((values[i] - column->mean) / column->sd);
      }
  *out_mean = mean;
  *out_sd = sqrt (squares / (double) n);
  if (!(*out_sd >= LEAST_SD && *out_sd <= 1 / LEAST_SD && products / (double) n < MOST_ALIKE * *out_sd))
    *out_mean = *out_sd = 0;
}

/* The two other shapes of a column of numbers, after the moments of the plain one. @sorted: the
 * finite values, ascending, as keys.
 *
 * The logarithm is taken around 0, or around the median if there are negative numbers. The clipped
 * shape ends at the values below and above which 2.5 % of the rows lie; with less than 40 rows that
 * is the least and the greatest value, so it equals the plain number and is not offered. */
static void
fit_shapes (MtEncoderColumn *column,
            const double    *values,
            gsize            n_rows,
            const guint64   *sorted,
            gsize            n)
{
  gsize tail = (gsize) (CLIPPED_SHARE * (double) n);

  if (column->type != MT_TYPE_NUMBER || !(column->sd > 0))
    return;
  column->log.center = column->min < 0 ? from_key (sorted[n / 2]) : 0;
  fit_shape (column, MT_SHAPE_LOG, values, n_rows, n, &column->log.mean, &column->log.sd);
  if (!(column->log.sd > 0))
    column->log.center = 0;
  column->clipped.low = from_key (sorted[tail]);
  column->clipped.high = from_key (sorted[n - 1 - tail]);
  fit_shape (column, MT_SHAPE_CLIPPED, values, n_rows, n, &column->clipped.mean, &column->clipped.sd);
  if (!(column->clipped.sd > 0))
    column->clipped.low = column->clipped.high = 0;
}

/* Everything about one numeric column: thresholds, whether missing is a condition, moments and shapes.
 *
 * The worker's scratch holds three arrays of n_rows × 8 bytes: the keys of the finite values, the spare array of
 * the sort, and the values in row order. Once sorted, the array that the sort left over holds the distinct values.
 * A column with one value and no missing cells has no literal and is dropped (its name stays NULL). -0 counts as
 * 0, since they compare equal. */
static void
fit_number (Fit             *fit,
            const MtColumn  *source,
            guint            worker,
            MtEncoderColumn *column)
{
  gsize n_rows = fit->n_rows;
  double *values;
  guint64 *keys, *sorted;
  gsize n = 0, n_missing = 0, n_unique = 0;

  if (fit->scratch[worker] == NULL)
    fit->scratch[worker] = g_new (guint64, 3 * n_rows);
  keys = fit->scratch[worker];
  values = (double *) (keys + 2 * n_rows);

  column->type = mt_column_get_type (source);
  column->missing_values = g_strdupv ((char **) mt_column_get_missing_values (source));
  column->formula = mt_formula_ref (mt_column_get_formula (source));
  column->unit = column->type == MT_TYPE_NUMBER ? g_strdup (mt_column_get_unit (source)) : NULL;
  mt_encoder_read_numbers (source, fit->rows, 0, n_rows, values);
  mt_encoder_drop_missing (column, values, n_rows);
  for (gsize i = 0; i < n_rows; i++)
    if (isnan (values[i]))
      n_missing++;
    else if (isfinite (values[i]))
      keys[n++] = to_key (values[i] == 0 ? 0.0 : values[i]);   /* -0 is 0 */
  sorted = sort_keys (keys, keys + n_rows, n, fit->cancellable);
  if (g_cancellable_is_cancelled (fit->cancellable))
    {
      mt_encoder_column_clear (column);
      return;
    }

  column->has_missing = n_missing > 0 && n_missing < n_rows;
  if (n > 0)
    {
      /* The distinct values and where they start, over what is no longer needed. */
      guint64 *unique = sorted == keys ? keys + n_rows : keys;
      g_autofree gsize *starts = NULL;
      gsize gaps[MT_ENCODER_MAX_BITS];

      column->min = from_key (sorted[0]);
      column->max = from_key (sorted[n - 1]);
      if (fit->options->quantiles != MT_QUANTILES_UNIQUE)
        starts = g_new (gsize, n);
      for (gsize i = 0; i < n; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
          {
            if (starts != NULL)
              starts[n_unique] = i;
            unique[n_unique++] = sorted[i];
          }
      if (n_unique > 1)
        {
          column->n_thresholds = choose_gaps (fit->options, starts, n_unique, n, gaps);
          column->thresholds = g_new (double, column->n_thresholds);
          for (guint i = 0; i < column->n_thresholds; i++)
            {
              double a = from_key (unique[gaps[i] - 1]);
              double b = from_key (unique[gaps[i]]);

              column->thresholds[i] = column->type == MT_TYPE_DATE ? mt_date_round_between (a, b)
                                                                   : mt_shortest_decimal_between (a, b);
            }
          fit_moments (column, values, n_rows, n);
          if (fit->options->shapes)
            fit_shapes (column, values, n_rows, sorted, n);
        }
      else
        column->mean = column->min;
    }
  if (column->n_thresholds > 0 || column->has_missing)
    column->name = g_strdup (mt_column_get_name (source));
  else
    mt_encoder_column_clear (column);
}

/* --- levels --- */

typedef struct {
  const char *level;
  gsize       count;
  double      number;
  gboolean    is_number;
} Level;

/* Most frequent first; equal counts by text, so the order of the file does not matter. */
static int
compare_counts (gconstpointer a,
                gconstpointer b)
{
  const Level *x = a, *y = b;

  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return strcmp (x->level, y->level);
}

/* Numbers by value and before words; then by text. */
static int
compare_levels (gconstpointer a,
                gconstpointer b)
{
  const Level *x = a, *y = b;

  if (x->is_number != y->is_number)
    return x->is_number ? -1 : 1;
  if (x->is_number && x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return strcmp (x->level, y->level);
}

static gboolean
is_word (const char         *level,
         const char * const *words)
{
  g_autofree char *folded = g_utf8_casefold (level, -1);

  return g_strv_contains (words, folded);
}

/* Which of two levels the one literal names: the affirmative one, or else the second. */
static guint
choose_literal (const Level *first,
                const Level *second)
{
  static const char * const yes[] = { "yes", "y", "true", "t", "1", "on", "present", "positive", NULL };
  static const char * const no[] = { "no", "n", "false", "f", "0", "off", "absent", "negative", NULL };

  return is_word (first->level, yes) && is_word (second->level, no) ? 0 : 1;
}

/* The texts of @n levels from @first on, as a NULL-terminated array. */
static char **
dup_names (GArray *levels,
           guint   first,
           guint   n)
{
  char **names = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = g_strdup (g_array_index (levels, Level, first + i).level);
  return names;
}

/* Which levels of a category become conditions. Levels are counted on the training rows and taken
 * by frequency, as long as they have at least level_floor of the rows, and at most max_levels of
 * them; the others are the rest, which together are one condition ("other") if there is a choice at
 * all. Three cases need less:
 *
 *   two levels             one literal, of the affirmative or second level; the other level is its negation
 *   one level, or only     nothing to tell apart but missing or not
 *   rare ones
 *   one kept level         one literal; the rest is its negation
 *
 * With a floor of 2 %, the counts red 60, blue 39, green 1 give the literals "= blue", "= red" and
 * "is other". The counts red 98, blue 1, green 1 give the one literal "= red".
 *
 * Kept levels and the rest are then sorted by value or text, so that the numbers of the literals do
 * not depend on small changes of the counts. */
static void
fit_levels (Fit             *fit,
            const MtColumn  *source,
            MtEncoderColumn *column)
{
  guint n_levels = mt_column_get_n_levels (source);
  g_autofree gsize *counts = g_new0 (gsize, n_levels + 1);
  g_autofree guint32 *codes = g_new (guint32, fit->n_rows);
  g_autoptr (GArray) levels = g_array_new (FALSE, FALSE, sizeof (Level));
  gsize n_missing = 0;
  guint n_kept = 0;

  column->type = mt_column_get_type (source);
  column->missing_values = g_strdupv ((char **) mt_column_get_missing_values (source));
  column->formula = mt_formula_ref (mt_column_get_formula (source));
  mt_encoder_read_codes (source, fit->rows, 0, fit->n_rows, codes);
  for (gsize i = 0; i < fit->n_rows; i++)
    if (codes[i] == MT_CODE_MISSING)
      n_missing++;
    else
      counts[codes[i]]++;
  for (guint c = 0; c < n_levels; c++)
    if (counts[c] > 0 && mt_encoder_column_lacks_level (column, mt_column_get_level (source, c)))
      n_missing += counts[c];
    else if (counts[c] > 0)
      {
        Level level = { mt_column_get_level (source, c), counts[c] };

        level.is_number = mt_decimal_parse (level.level, &level.number);
        g_array_append_val (levels, level);
      }
  g_array_sort (levels, compare_counts);
  while (n_kept < levels->len && n_kept < fit->options->max_levels &&
         (double) g_array_index (levels, Level, n_kept).count >=
           fit->options->level_floor * (double) fit->n_rows)
    n_kept++;
  if (levels->len == 2)
    n_kept = 2;
  if (levels->len > 0)
    {
      qsort (levels->data, n_kept, sizeof (Level), compare_levels);
      qsort (levels->data + n_kept * sizeof (Level), levels->len - n_kept, sizeof (Level), compare_levels);
    }

  column->has_missing = n_missing > 0 && n_missing < fit->n_rows;
  if (levels->len == 2)
    {
      /* One literal tells them apart, however rare one is. */
      guint named = choose_literal (&g_array_index (levels, Level, 0), &g_array_index (levels, Level, 1));

      column->levels = dup_names (levels, named, 1);
      column->rest = dup_names (levels, 1 - named, 1);
    }
  else if (n_kept == 0 || levels->len == 1)
    {
      /* One level, or rare ones only: nothing to tell apart but missing or not. */
      column->rest = dup_names (levels, 0, levels->len);
    }
  else
    {
      column->levels = dup_names (levels, 0, n_kept);
      column->rest = dup_names (levels, n_kept, levels->len - n_kept);
      /* One kept level against the rest is a two-level column. */
      column->has_other = n_kept > 1 && levels->len > n_kept;
    }
  if (column->levels != NULL || column->has_missing)
    column->name = g_strdup (mt_column_get_name (source));
  else
    mt_encoder_column_clear (column);
}

/* --- the table --- */

/* One task of the pool. It writes to its own slot of fit->columns only; the slots are compacted afterwards, in the
 * order of the table. */
static void
fit_column (guint    task,
            guint    worker,
            gpointer data)
{
  Fit *fit = data;
  const MtColumn *source = mt_table_get_column (fit->table, fit->features[task]);

  if (g_cancellable_is_cancelled (fit->cancellable))
    return;
  if (mt_column_get_store (source) == MT_STORE_NUMBERS)
    fit_number (fit, source, worker, &fit->columns[task]);
  else
    fit_levels (fit, source, &fit->columns[task]);
}

/* Features that can carry a literal; identifier-like text cannot. */
GArray *
mt_encoder_list_features (const MtTable          *table,
                          const MtEncoderOptions *options)
{
  GArray *features = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = options->columns != NULL ? options->n_columns : mt_table_get_n_columns (table);

  for (guint i = 0; i < n; i++)
    {
      guint c = options->columns != NULL ? options->columns[i] : i;

      if (mt_table_get_role (table, c) == MT_ROLE_FEATURE &&
          mt_column_get_type (mt_table_get_column (table, c)) != MT_TYPE_TEXT &&
          (options->banned == NULL ||
           !g_strv_contains (options->banned, mt_column_get_name (mt_table_get_column (table, c)))))
        g_array_append_val (features, c);
    }
  return features;
}

/* Small tables are fitted on the calling thread: starting threads would take longer than the work. The scratch
 * arrays belong to the workers and are made when a worker meets its first numeric column. */
MtEncoder *
mt_encoder_fit (const MtTable          *table,
                const guint32          *rows,
                gsize                   n_rows,
                const MtEncoderOptions *options,
                GError                **error)
{
  g_autoptr (GArray) features = NULL;
  g_autofree MtEncoderColumn *columns = NULL;
  g_autofree gpointer *scratch = NULL;
  GCancellable *cancellable = g_cancellable_get_current ();
  MtEncoder *encoder = NULL;
  guint n_threads, n_used = 0;

  g_return_val_if_fail (table != NULL && options != NULL, NULL);

  if (!check_options (options, error))
    return NULL;
  if (rows == NULL)
    n_rows = mt_table_get_n_rows (table);
  if (n_rows == 0)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_SCHEMA,
                           _("there are no training rows; check the file and the split"));
      return NULL;
    }

  features = mt_encoder_list_features (table, options);
  columns = g_new0 (MtEncoderColumn, MAX (features->len, 1));
  n_threads = options->n_threads > 0 ? options->n_threads : g_get_num_processors ();
  n_threads = MAX (1, MIN (n_threads, features->len));
  scratch = g_new0 (gpointer, n_threads);
  {
    Fit fit = { table, rows, n_rows, options, (const guint *) (gpointer) features->data, columns, scratch,
                cancellable };
    /* A thread costs more than a small table. */
    gboolean is_worth_it = n_rows * features->len > 100000 && n_threads > 1;
    g_autoptr (MtPool) pool = is_worth_it ? mt_pool_new (n_threads) : NULL;

    mt_pool_run (pool, features->len, fit_column, &fit);
  }
  for (guint i = 0; i < n_threads; i++)
    g_free (scratch[i]);

  for (guint i = 0; i < features->len; i++)
    if (columns[i].name != NULL)
      columns[n_used++] = columns[i];
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    ;
  else if (n_used == 0)
    g_set_error_literal (error, MT_ERROR, MT_ERROR_SCHEMA,
                         _("no column can be used: each is the target, ignored, excluded, constant, or free "
                           "text; give another column the role feature"));
  else
    encoder = mt_encoder_new (columns, n_used, error);
  for (guint i = 0; i < n_used; i++)
    mt_encoder_column_clear (&columns[i]);
  return encoder;
}
