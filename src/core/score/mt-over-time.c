/* Quality of a model's answers and drift of its scores over time. See mt-over-time.h. */
#include "config.h"
#include "mt-over-time.h"

#include <math.h>
#include <stdlib.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "data/mt-split-time.h"
#include "mt-drift.h"

#define N_TENTHS     10u
#define DAYS_OF_YEAR 365.2425

const MtColumn *
mt_over_time_find_column (const MtTable *table)
{
  const MtColumn *time = mt_split_find_time (table);

  for (guint i = 0; i < mt_table_get_n_columns (table) && time == NULL; i++)
    if (mt_column_get_type (mt_table_get_column (table, i)) == MT_TYPE_DATE &&
        mt_table_get_role (table, i) != MT_ROLE_TARGET)
      time = mt_table_get_column (table, i);
  return time;
}

/* --- periods --- */

/* A whole number that is the same for all moments of a period and rises with time. */
static int
number_of (MtPeriod period,
           double   days)
{
  int year, month, day;

  mt_date_from_days ((gint64) floor (days), &year, &month, &day);
  return period == MT_PERIOD_MONTH ? year * 12 + month - 1 : period == MT_PERIOD_QUARTER ? year * 4 + (month - 1) / 3 : year;
}

static char *
dup_period_name (MtPeriod period,
                 int      number)
{
  return period == MT_PERIOD_MONTH ? g_strdup_printf ("%04d-%02d", number / 12, number % 12 + 1)
         : period == MT_PERIOD_QUARTER ? g_strdup_printf ("%04d Q%d", number / 4, number % 4 + 1)
                                       : g_strdup_printf ("%04d", number);
}

/* In years. */
static double
place_of (MtPeriod period,
          int      number)
{
  double per_year = period == MT_PERIOD_MONTH ? 12 : period == MT_PERIOD_QUARTER ? 4 : 1;

  return (number + 0.5) / per_year;
}

typedef struct {
  double  value;
  guint32 at;      /* among the scored rows */
} Moment;

static int
compare_moments (gconstpointer a,
                 gconstpointer b)
{
  const Moment *x = a, *y = b;

  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static guint
count_periods (const GArray *moments,
               MtPeriod      period)
{
  guint n = 0;

  for (guint i = 0; i < moments->len; i++)
    n += i == 0 || number_of (period, g_array_index (moments, Moment, i).value) !=
                   number_of (period, g_array_index (moments, Moment, i - 1).value);
  return n;
}

static MtPeriod
choose_period (const GArray *moments,
               gboolean      is_date)
{
  if (!is_date)
    return MT_PERIOD_PART;
  if (count_periods (moments, MT_PERIOD_MONTH) <= MT_OVER_TIME_MAX)
    return MT_PERIOD_MONTH;
  return count_periods (moments, MT_PERIOD_QUARTER) <= MT_OVER_TIME_MAX ? MT_PERIOD_QUARTER : MT_PERIOD_YEAR;
}

/* Where the part that begins at @from ends. Equal numbers stay together. */
static guint
find_end (const GArray *moments,
          MtPeriod      period,
          guint         from)
{
  double first = g_array_index (moments, Moment, from).value;
  guint end = from + 1;

  if (period != MT_PERIOD_PART)
    {
      while (end < moments->len && number_of (period, g_array_index (moments, Moment, end).value) == number_of (period, first))
        end++;
      return end;
    }
  for (guint tenth = 1; tenth <= N_TENTHS && end <= from + 1; tenth++)
    end = MAX (end, (guint) ((guint64) moments->len * tenth / N_TENTHS));
  while (end < moments->len && g_array_index (moments, Moment, end).value == g_array_index (moments, Moment, end - 1).value)
    end++;
  return end;
}

/* --- drift --- */

/* Tenths of each score over all rows. */
typedef struct {
  guint   n_scores;
  double *cuts;        /* N_TENTHS - 1 of each score */
} Bins;

static int
compare_numbers (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
bins_init (Bins           *bins,
           const MtScored *scored,
           guint           n_outputs,
           const GArray   *moments)
{
  g_autofree double *sorted = g_new (double, moments->len);

  bins->n_scores = n_outputs;
  bins->cuts = g_new (double, n_outputs * (N_TENTHS - 1));
  for (guint c = 0; c < n_outputs; c++)
    {
      for (guint i = 0; i < moments->len; i++)
        sorted[i] = scored->predictions[c * scored->n_rows + g_array_index (moments, Moment, i).at];
      qsort (sorted, moments->len, sizeof *sorted, compare_numbers);
      for (guint k = 1; k < N_TENTHS; k++)
        bins->cuts[c * (N_TENTHS - 1) + k - 1] = sorted[(guint64) moments->len * k / N_TENTHS];
    }
}

static void
count_bins (const Bins     *bins,
            const MtScored *scored,
            guint           score,
            const GArray   *moments,
            guint           from,
            guint           to,
            guint64        *counts)
{
  for (guint b = 0; b < N_TENTHS; b++)
    counts[b] = 0;
  for (guint i = from; i < to; i++)
    {
      double value = scored->predictions[score * scored->n_rows + g_array_index (moments, Moment, i).at];
      guint b = 0;

      while (b + 1 < N_TENTHS && value >= bins->cuts[score * (N_TENTHS - 1) + b])
        b++;
      counts[b]++;
    }
}

/* Bins that no row of any period is in are not counted. Of several classes that of the class that moved most. */
static double
find_drift (const Bins     *bins,
            const MtScored *scored,
            const GArray   *moments,
            guint           from,
            guint           to)
{
  guint64 all[N_TENTHS], now[N_TENTHS];
  double most = NAN;

  for (guint c = 0; c < bins->n_scores; c++)
    {
      guint n = 0;
      double psi;

      count_bins (bins, scored, c, moments, 0, moments->len, all);
      count_bins (bins, scored, c, moments, from, to, now);
      for (guint b = 0; b < N_TENTHS; b++)
        if (all[b] > 0)
          {
            all[n] = all[b];
            now[n++] = now[b];
          }
      psi = mt_drift_compute_psi (all, now, n);
      if (isnan (most) || psi > most)
        most = psi;
    }
  return most;
}

/* --- parts --- */

static void
part_clear (gpointer data)
{
  g_free (((MtTimePart *) data)->name);
}

static void
name_part (MtTimePart   *part,
           MtPeriod      period,
           const GArray *moments,
           guint         from,
           guint         to)
{
  double low = g_array_index (moments, Moment, from).value, high = g_array_index (moments, Moment, to - 1).value;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;

  if (period != MT_PERIOD_PART)
    {
      part->name = dup_period_name (period, number_of (period, low));
      part->place = place_of (period, number_of (period, low));
      return;
    }
  first = mt_decimal_dup (low);
  last = mt_decimal_dup (high);
  part->name = low == high ? g_strdup (first) : g_strdup_printf ("%s … %s", first, last);
  part->place = (low + high) / 2;
}

static gboolean
measure (MtOverTime         *self,
         const GArray       *moments,
         guint               from,
         guint               to,
         const MtScored     *scored,
         guint               n_outputs,
         const MtMeasuring  *measuring,
         MtInterval         *quality,
         GCancellable       *cancellable,
         GError            **error)
{
  g_autofree guint32 *which = g_new (guint32, to - from);
  g_auto (MtScoredPart) rows = { .classes = NULL };

  for (guint i = from; i < to; i++)
    which[i - from] = g_array_index (moments, Moment, i).at;
  mt_scored_part_init (&rows, scored, n_outputs, which, to - from);
  return mt_metric_bootstrap (&self->metric, 1, &rows.scored, measuring->n_resamples, measuring->level, measuring->seed,
                              measuring->pool, quality, cancellable, error);
}

static gboolean
add_part (MtOverTime         *self,
          const GArray       *moments,
          const Bins         *bins,
          guint               from,
          guint               to,
          const MtScored     *scored,
          guint               n_outputs,
          const MtMeasuring  *measuring,
          GCancellable       *cancellable,
          GError            **error)
{
  MtTimePart part = { .n_rows = to - from };

  name_part (&part, self->period, moments, from, to);
  for (guint i = from; i < to; i++)
    {
      double predicted, truth;

      mt_scored_compare_row (scored, g_array_index (moments, Moment, i).at, &predicted, &truth);
      part.predicted += predicted / (to - from);
      part.observed += truth / (to - from);
    }
  part.drift = find_drift (bins, scored, moments, from, to);
  if (!measure (self, moments, from, to, scored, n_outputs, measuring, &part.quality, cancellable, error))
    {
      part_clear (&part);
      return FALSE;
    }
  g_array_append_val (self->parts, part);
  return TRUE;
}

static GArray *
sort_rows (const MtColumn *column,
           const guint32  *rows,
           gsize           n_rows)
{
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (Moment));

  for (guint32 i = 0; i < n_rows; i++)
    {
      Moment moment = { NAN, i };

      if (!mt_column_is_missing (column, rows[i]))
        moment.value = mt_column_get_number (column, rows[i]);
      if (isfinite (moment.value))
        g_array_append_val (moments, moment);
    }
  g_array_sort (moments, compare_moments);
  return moments;
}

MtOverTime *
mt_over_time_measure (const MtColumn     *column,
                      const guint32      *rows,
                      const MtScored     *scored,
                      guint               n_outputs,
                      const MtMeasuring  *measuring,
                      GCancellable       *cancellable,
                      GError            **error)
{
  g_autoptr (MtOverTime) self = g_new0 (MtOverTime, 1);
  g_autoptr (GArray) moments = NULL;
  Bins bins = { 0 };
  gboolean ok = TRUE;

  g_return_val_if_fail (mt_column_get_store (column) == MT_STORE_NUMBERS, NULL);

  moments = sort_rows (column, rows, scored->n_rows);
  self->is_date = mt_column_get_type (column) == MT_TYPE_DATE;
  self->period = choose_period (moments, self->is_date);
  self->metric = scored->task == MT_TASK_REGRESSION ? MT_METRIC_RMSE : MT_METRIC_AUC;
  self->n_left_out = scored->n_rows - moments->len;
  self->parts = g_array_new (FALSE, TRUE, sizeof (MtTimePart));
  g_array_set_clear_func (self->parts, part_clear);
  self->whole = (MtInterval) { NAN, NAN, NAN, 0 };
  if (moments->len == 0)
    return g_steal_pointer (&self);
  bins_init (&bins, scored, n_outputs, moments);
  for (guint from = 0, to; from < moments->len && ok; from = to)
    {
      to = find_end (moments, self->period, from);
      ok = add_part (self, moments, &bins, from, to, scored, n_outputs, measuring, cancellable, error);
    }
  g_free (bins.cuts);
  ok = ok && measure (self, moments, 0, moments->len, scored, n_outputs, measuring, &self->whole, cancellable, error);
  return ok ? g_steal_pointer (&self) : NULL;
}

void
mt_over_time_free (MtOverTime *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->parts, g_array_unref);
  g_free (self);
}
