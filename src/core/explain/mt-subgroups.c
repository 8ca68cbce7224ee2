/* How good a model's answers are for some of the rows: a test part, or each value of a column. See mt-
 * subgroups.h. */
#include "config.h"
#include "mt-subgroups.h"

#include <math.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "rules/mt-ranking.h"

#define N_QUARTERS     4
#define Z              1.959963984540054     /* 95 % */
#define MAX_UNDIVIDED  12     /* values of a number that are groups of their own */

void
mt_scored_part_init (MtScoredPart   *part,
                     const MtScored *whole,
                     guint           n_outputs,
                     const guint32  *which,
                     gsize           n_which)
{
  *part = (MtScoredPart) { .scored = *whole };
  if (which == NULL)
    return;
  part->classes = whole->classes != NULL ? g_new (guint32, n_which + 1) : NULL;
  part->values = whole->values != NULL ? g_new (double, n_which + 1) : NULL;
  part->predictions = g_new (double, n_outputs * n_which + 1);
  for (gsize i = 0; i < n_which; i++)
    {
      if (part->classes != NULL)
        part->classes[i] = whole->classes[which[i]];
      if (part->values != NULL)
        part->values[i] = whole->values[which[i]];
      for (guint c = 0; c < n_outputs; c++)
        part->predictions[c * n_which + i] = whole->predictions[c * whole->n_rows + which[i]];
    }
  part->scored.n_rows = n_which;
  part->scored.classes = part->classes;
  part->scored.values = part->values;
  part->scored.predictions = part->predictions;
}

void
mt_scored_part_clear (MtScoredPart *part)
{
  g_free (part->classes);
  g_free (part->values);
  g_free (part->predictions);
}

void
mt_measuring_init (MtMeasuring *measuring,
                   MtTask       task,
                   guint        n_resamples,
                   guint64      seed)
{
  *measuring = (MtMeasuring) { .n_resamples = n_resamples, .level = 0.95, .seed = seed };
  for (guint m = 0; m < MT_N_METRICS; m++)
    if (mt_metric_is_defined ((MtMetric) m, task))
      measuring->metrics[measuring->n_metrics++] = (MtMetric) m;
}

/* --- groups --- */

static void
group_clear (gpointer data)
{
  MtSubgroup *group = data;

  g_free (group->name);
  g_array_unref (group->which);
}

/* Numbers by value, then words; missing last. */
static int
compare_groups (gconstpointer a,
                gconstpointer b)
{
  const MtSubgroup *x = a, *y = b;
  gboolean is_number;
  double p, q;

  if (x->name == NULL || y->name == NULL)
    return x->name == NULL ? 1 : -1;
  is_number = mt_decimal_parse (x->name, &p);
  if (is_number != mt_decimal_parse (y->name, &q))
    return is_number ? -1 : 1;
  if (is_number && p != q)
    return p < q ? -1 : 1;
  return strcmp (x->name, y->name);
}

static MtSubgroup *
add_group (GArray     *groups,
           const char *name)
{
  MtSubgroup made = { .name = g_strdup (name), .which = g_array_new (FALSE, FALSE, sizeof (guint32)) };

  g_array_append_val (groups, made);
  return &g_array_index (groups, MtSubgroup, groups->len - 1);
}

/* The group called @name (NULL: missing), made when it is not there yet. */
static MtSubgroup *
find_group (GArray     *groups,
            const char *name)
{
  for (guint i = 0; i < groups->len; i++)
    if (g_strcmp0 (g_array_index (groups, MtSubgroup, i).name, name) == 0)
      return &g_array_index (groups, MtSubgroup, i);
  return add_group (groups, name);
}

static gboolean
group_by_value (GArray          *groups,
                const MtColumn  *column,
                const guint32   *rows,
                gsize            n_rows,
                GError         **error)
{
  for (guint32 i = 0; i < n_rows; i++)
    {
      g_autofree char *name = mt_column_is_missing (column, rows[i]) ? NULL : mt_column_dup_text (column, rows[i]);

      g_array_append_val (find_group (groups, name)->which, i);
      if (groups->len > MT_SUBGROUP_MAX)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "column “%s” has more than %u values; group by a column with fewer",
                       mt_column_get_name (column), MT_SUBGROUP_MAX);
          return FALSE;
        }
    }
  g_array_sort (groups, compare_groups);
  return TRUE;
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The known values, ascending. */
static GArray *
sort_values (const MtColumn *column,
             const guint32  *rows,
             gsize           n_rows,
             gsize          *n_distinct)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));

  for (gsize i = 0; i < n_rows; i++)
    if (!mt_column_is_missing (column, rows[i]))
      {
        double value = mt_column_get_number (column, rows[i]);

        g_array_append_val (values, value);
      }
  g_array_sort (values, compare_doubles);
  *n_distinct = values->len > 0;
  for (guint i = 1; i < values->len; i++)
    *n_distinct += g_array_index (values, double, i) != g_array_index (values, double, i - 1);
  return values;
}

/* A number, or a date. */
static char *
dup_value (const MtColumn *column,
           double          value)
{
  char *date = mt_column_get_type (column) == MT_TYPE_DATE ? mt_date_dup_iso (value) : NULL;

  return date != NULL ? date : mt_decimal_dup (value);
}

/* Where a part begins: at a value, so that equal cells stay together. */
static void
group_by_quarter (GArray         *groups,
                  const MtColumn *column,
                  const guint32  *rows,
                  gsize           n_rows,
                  GArray         *sorted)
{
  double from[N_QUARTERS];
  guint32 missing = G_MAXUINT32;

  for (guint q = 0; q < N_QUARTERS; q++)
    {
      g_autofree char *low = NULL, *high = NULL, *name = NULL;
      guint end;

      from[q] = g_array_index (sorted, double, q * sorted->len / N_QUARTERS);
      end = (q + 1) * sorted->len / N_QUARTERS;
      low = dup_value (column, from[q]);
      high = dup_value (column, g_array_index (sorted, double, end < sorted->len ? end : sorted->len - 1));
      name = g_strdup_printf (q + 1 < N_QUARTERS ? "%s ≤ x < %s" : "%s ≤ x ≤ %s", low, high);
      add_group (groups, name);
    }
  for (guint32 i = 0; i < n_rows; i++)
    {
      guint q = 0;

      if (mt_column_is_missing (column, rows[i]))
        {
          if (missing == G_MAXUINT32)
            missing = groups->len, add_group (groups, NULL);
          g_array_append_val (g_array_index (groups, MtSubgroup, missing).which, i);
          continue;
        }
      while (q + 1 < N_QUARTERS && mt_column_get_number (column, rows[i]) >= from[q + 1])
        q++;
      g_array_append_val (g_array_index (groups, MtSubgroup, q).which, i);
    }
  for (guint i = groups->len; i-- > 0;)
    if (g_array_index (groups, MtSubgroup, i).which->len == 0)
      g_array_remove_index (groups, i);
}

void
mt_scored_compare_row (const MtScored *scored,
                       gsize           row,
                       double         *predicted,
                       double         *truth)
{
  if (scored->task == MT_TASK_MULTICLASS)
    {
      guint decided = mt_task_decide (scored->task, mt_scored_get_cutoff (scored), scored->n_classes, scored->n_rows,
                                      scored->predictions, row);

      *predicted = scored->predictions[decided * scored->n_rows + row];
      *truth = scored->classes[row] == decided;
      return;
    }
  *predicted = scored->predictions[row];
  *truth = scored->classes != NULL ? scored->classes[row] == 1 : scored->values[row];
}

static void
measure_gap (MtSubgroup     *group,
             const MtScored *scored)
{
  double n = (double) group->which->len, mean = 0, squares = 0, half = NAN;

  for (guint i = 0; i < group->which->len; i++)
    {
      double predicted, truth;

      mt_scored_compare_row (scored, g_array_index (group->which, guint32, i), &predicted, &truth);
      mean += (predicted - truth) / n;
    }
  for (guint i = 0; i < group->which->len; i++)
    {
      double predicted, truth;

      mt_scored_compare_row (scored, g_array_index (group->which, guint32, i), &predicted, &truth);
      squares += (predicted - truth - mean) * (predicted - truth - mean);
    }
  if (group->which->len > 1)
    half = Z * sqrt (squares / (n - 1) / n);
  group->gap = (MtInterval) { mean, mean - half, mean + half, 0 };
}

GArray *
mt_subgroups_measure (const MtColumn     *column,
                      const guint32      *rows,
                      const MtScored     *scored,
                      guint               n_outputs,
                      gboolean            quarters,
                      const MtMeasuring  *measuring,
                      GCancellable       *cancellable,
                      GError            **error)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, TRUE, sizeof (MtSubgroup));
  g_autoptr (GArray) sorted = NULL;
  gsize n_distinct = 0;

  g_array_set_clear_func (groups, group_clear);
  if (quarters && mt_column_get_store (column) == MT_STORE_NUMBERS)
    sorted = sort_values (column, rows, scored->n_rows, &n_distinct);
  if (n_distinct > MAX_UNDIVIDED)
    group_by_quarter (groups, column, rows, scored->n_rows, sorted);
  else if (!group_by_value (groups, column, rows, scored->n_rows, error))
    return NULL;
  for (guint i = 0; i < groups->len; i++)
    {
      MtSubgroup *group = &g_array_index (groups, MtSubgroup, i);
      g_auto (MtScoredPart) part = { .classes = NULL };

      measure_gap (group, scored);
      mt_scored_part_init (&part, scored, n_outputs, (const guint32 *) (gpointer) group->which->data, group->which->len);
      if (!mt_metric_bootstrap (measuring->metrics, measuring->n_metrics, &part.scored, measuring->n_resamples,
                                measuring->level, measuring->seed, measuring->pool, group->intervals, cancellable, error))
        return NULL;
    }
  return g_steal_pointer (&groups);
}

/* --- rates --- */

int
mt_subgroups_find_reference (const GArray *groups)
{
  int found = -1;
  guint most = 0;

  for (guint i = 0; i < groups->len; i++)
    {
      const MtSubgroup *group = &g_array_index (groups, MtSubgroup, i);

      if (group->name == NULL || group->which->len <= most)
        continue;
      most = group->which->len;
      found = (int) i;
    }
  return found;
}

static void
count_group (const MtSubgroup *group,
             const MtScored   *scored,
             double            cutoff,
             MtOutcomes       *out)
{
  *out = (MtOutcomes) { 0 };
  for (guint i = 0; i < group->which->len; i++)
    {
      guint32 row = g_array_index (group->which, guint32, i);
      gboolean is_second = scored->classes[row] == 1, is_decided = scored->predictions[row] > cutoff;

      out->true_positive += is_second && is_decided;
      out->false_positive += !is_second && is_decided;
      out->false_negative += is_second && !is_decided;
      out->true_negative += !is_second && !is_decided;
    }
}

static MtInterval
share_of (gsize n_hits,
          gsize n)
{
  MtInterval share = { n > 0 ? (double) n_hits / (double) n : NAN, NAN, NAN, 0 };

  if (n > 0)
    mt_share_interval (n_hits, n, &share.low, &share.high);
  return share;
}

static MtInterval
ratio_of (gsize n_hits,
          gsize n,
          gsize n_other_hits,
          gsize n_other)
{
  MtInterval ratio = { NAN, NAN, NAN, 0 };

  ratio.value = mt_ratio_interval (n_hits, n, n_other_hits, n_other, &ratio.low, &ratio.high);
  return ratio;
}

static MtInterval
difference_of (gsize n_hits,
               gsize n,
               gsize n_other_hits,
               gsize n_other)
{
  MtInterval difference = { NAN, NAN, NAN, 0 };

  difference.value = mt_difference_interval (n_hits, n, n_other_hits, n_other, &difference.low, &difference.high);
  return difference;
}

void
mt_subgroups_rate (const GArray    *groups,
                   const MtScored  *scored,
                   double           cutoff,
                   int              reference,
                   MtSubgroupRates *rates)
{
  MtOutcomes other = { 0 };

  g_return_if_fail (scored->n_classes == 2);

  if (reference >= 0)
    count_group (&g_array_index (groups, MtSubgroup, reference), scored, cutoff, &other);
  for (guint i = 0; i < groups->len; i++)
    {
      MtInterval *out = rates[i].rates;
      gsize n = g_array_index (groups, MtSubgroup, i).which->len, n_other;
      MtOutcomes at;
      gsize seconds, firsts, decided, other_seconds, other_firsts, other_decided;

      count_group (&g_array_index (groups, MtSubgroup, i), scored, cutoff, &at);
      seconds = at.true_positive + at.false_negative;
      firsts = at.true_negative + at.false_positive;
      decided = at.true_positive + at.false_positive;
      out[MT_RATE_TRUE] = share_of (seconds, n);
      out[MT_RATE_DECIDED] = share_of (decided, n);
      out[MT_RATE_RECALL] = share_of (at.true_positive, seconds);
      out[MT_RATE_RECALL_FIRST] = share_of (at.true_negative, firsts);
      out[MT_RATE_PRECISION] = share_of (at.true_positive, decided);
      for (guint r = MT_RATE_COMPARED; r < MT_N_RATES; r++)
        out[r] = (MtInterval) { NAN, NAN, NAN, 0 };
      if (reference < 0 || (int) i == reference)
        continue;
      other_seconds = other.true_positive + other.false_negative;
      other_firsts = other.true_negative + other.false_positive;
      other_decided = other.true_positive + other.false_positive;
      n_other = other_seconds + other_firsts;
      out[MT_RATE_IMPACT] = ratio_of (decided, n, other_decided, n_other);
      out[MT_RATE_IMPACT_FIRST] = ratio_of (n - decided, n, n_other - other_decided, n_other);
      out[MT_RATE_OPPORTUNITY] = difference_of (at.true_positive, seconds, other.true_positive, other_seconds);
      out[MT_RATE_OPPORTUNITY_FIRST] = difference_of (at.true_negative, firsts, other.true_negative, other_firsts);
    }
}

const char *
mt_rate_to_string (MtRate rate)
{
  static const char * const words[MT_N_RATES] = {
    "true", "decided", "recall", "recall_first", "precision", "adverse_impact_ratio", "adverse_impact_ratio_first",
    "equal_opportunity_difference", "equal_opportunity_difference_first",
  };

  g_return_val_if_fail ((guint) rate < MT_N_RATES, NULL);
  return words[rate];
}

char *
mt_rate_dup_name (MtRate              rate,
                  const char * const *classes)
{
  /* Translators: each of these heads a column of a table; %s is a class, such as "yes" */
  switch (rate)
    {
    case MT_RATE_TRUE:
      return g_strdup_printf (_("True “%s”"), classes[1]);
    case MT_RATE_DECIDED:
      return g_strdup_printf (_("Decided “%s”"), classes[1]);
    case MT_RATE_RECALL:
      return g_strdup_printf (_("Recall of “%s”"), classes[1]);
    case MT_RATE_RECALL_FIRST:
      return g_strdup_printf (_("Recall of “%s”"), classes[0]);
    case MT_RATE_PRECISION:
      return g_strdup_printf (_("Precision of “%s”"), classes[1]);
    case MT_RATE_IMPACT:
      return g_strdup_printf (_("Adverse-impact ratio, “%s”"), classes[1]);
    case MT_RATE_IMPACT_FIRST:
      return g_strdup_printf (_("Adverse-impact ratio, “%s”"), classes[0]);
    case MT_RATE_OPPORTUNITY:
      return g_strdup_printf (_("Equal-opportunity difference, “%s”"), classes[1]);
    case MT_RATE_OPPORTUNITY_FIRST:
      return g_strdup_printf (_("Equal-opportunity difference, “%s”"), classes[0]);
    case MT_N_RATES:
    default:
      g_return_val_if_reached (NULL);
    }
}
