/* How good a model's answers are on some rows. See mt-performance.h. */
#include "config.h"
#include "mt-performance.h"

#include <math.h>
#include <stdlib.h>

static gboolean
is_known (const double *predictions,
          guint         n_outputs,
          gsize         n_rows,
          gsize         row)
{
  for (guint c = 0; c < n_outputs; c++)
    if (!isfinite (predictions[c * n_rows + row]))
      return FALSE;
  return TRUE;
}

/* The rows that have predictions. */
static void
take_rows (MtPerformance *self,
           const double  *predictions,
           const double  *target,
           const guint32 *table_rows,
           gsize          n_rows)
{
  gsize n = 0, k = 0;

  for (gsize r = 0; r < n_rows; r++)
    n += is_known (predictions, self->n_outputs, n_rows, r);
  self->n_left_out = n_rows - n;
  self->predictions = g_new (double, self->n_outputs * n + 1);
  self->table_rows = g_new (guint32, n + 1);
  if (self->scored.n_classes > 0)
    self->classes = g_new (guint32, n + 1);
  else
    self->values = g_new (double, n + 1);
  for (gsize r = 0; r < n_rows; r++)
    {
      if (!is_known (predictions, self->n_outputs, n_rows, r))
        continue;
      for (guint c = 0; c < self->n_outputs; c++)
        self->predictions[c * n + k] = predictions[c * n_rows + r];
      if (self->classes != NULL)
        self->classes[k] = (guint32) target[r];
      else
        self->values[k] = target[r];
      self->table_rows[k++] = table_rows != NULL ? table_rows[r] : (guint32) r;
    }
  self->scored.n_rows = n;
  self->scored.classes = self->classes;
  self->scored.values = self->values;
  self->scored.predictions = self->predictions;
}

static void
rank_classes (MtPerformance *self)
{
  guint n_classes = self->scored.n_classes;

  self->n_by_class = g_new0 (guint, n_classes);
  for (gsize r = 0; r < self->scored.n_rows; r++)
    self->n_by_class[self->classes[r]]++;
  self->rankings = g_new0 (MtRanking *, n_classes);
  for (guint c = n_classes == 2 ? 1 : 0; c < n_classes; c++)
    self->rankings[c] = mt_ranking_new (&self->scored, c);
}

/* @predictions (taken): n_outputs × n_rows; rows where one is not finite are left out. @target: classes as numbers, or
 * values. @table_rows: may be NULL. */
static MtPerformance *
performance_new (MtPerformanceRows  rows,
                 MtTask             task,
                 guint              n_classes,
                 double             cutoff,
                 double            *predictions,
                 const double      *target,
                 const guint32     *table_rows,
                 gsize              n_rows,
                 guint              n_resamples,
                 guint64            seed)
{
  MtPerformance *self = g_atomic_rc_box_new0 (MtPerformance);

  self->rows = rows;
  self->n_outputs = task == MT_TASK_MULTICLASS ? n_classes : 1;
  self->scored.task = task;
  self->scored.n_classes = task == MT_TASK_REGRESSION ? 0 : n_classes;
  self->scored.cutoff = cutoff;
  take_rows (self, predictions, target, table_rows, n_rows);
  g_free (predictions);
  mt_measuring_init (&self->how, task, n_resamples, seed);
  for (guint i = 0; i < self->how.n_metrics; i++)
    self->metrics[i] = self->scored.n_rows > 0 ? mt_metric_compute (self->how.metrics[i], &self->scored) : NAN;
  if (self->scored.n_classes > 0)
    rank_classes (self);
  return self;
}

MtPerformance *
mt_performance_new_rules (MtPerformanceRows  rows,
                          const MtRuleSet   *rules,
                          guint              n_classes,
                          const MtEncoded   *encoded,
                          const double      *target,
                          const guint32     *table_rows,
                          guint              n_resamples,
                          guint64            seed)
{
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  double *predictions = g_new (double, MAX (n_outputs * n_rows, 1));

  mt_rule_set_score (rules, encoded, predictions);
  mt_task_link (mt_rule_set_get_task (rules), n_outputs, n_rows, predictions);
  return performance_new (rows, mt_rule_set_get_task (rules), n_classes, mt_rule_set_get_cutoff (rules), predictions, target,
                             table_rows, n_rows, n_resamples, seed);
}

MtPerformance *
mt_performance_new_folds (const MtEditContext  *context,
                          const MtRuleSet      *rules,
                          const MtEditHistory  *history,
                          guint                 n_classes,
                          const guint32        *table_rows,
                          guint                 n_resamples,
                          guint64               seed,
                          GCancellable         *cancellable,
                          GError              **error)
{
  const MtRuleSet *base = history != NULL ? mt_edit_history_get_base (history) : NULL;
  guint n_edits = base != NULL ? mt_edit_history_get_n (history) : 0;
  gsize n_rows = mt_encoded_get_n_rows (context->encoded);
  g_autofree const MtEdit **edits = g_new (const MtEdit *, n_edits + 1);
  g_autofree double *predictions = g_new (double, MAX (mt_rule_set_get_n_outputs (rules) * n_rows, 1));

  for (guint i = 0; i < n_edits; i++)
    edits[i] = &mt_edit_history_get (history, i)->edit;
  /* What the first edit began with may not be known: then the edited terms get weights of their own. */
  if (!mt_edit_predict_folds (context, base != NULL ? base : rules, edits, n_edits, predictions, cancellable, error))
    return NULL;
  return performance_new (MT_PERFORMANCE_FOLDS, mt_rule_set_get_task (rules), n_classes, mt_rule_set_get_cutoff (rules),
                             g_steal_pointer (&predictions), context->target, table_rows, n_rows, n_resamples, seed);
}

MtPerformance *
mt_performance_ref (MtPerformance *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
performance_clear (gpointer data)
{
  MtPerformance *self = data;

  for (guint c = 0; c < self->scored.n_classes; c++)
    mt_ranking_free (self->rankings[c]);
  g_free (self->rankings);
  g_free (self->n_by_class);
  g_free (self->classes);
  g_free (self->values);
  g_free (self->predictions);
  g_free (self->table_rows);
}

void
mt_performance_unref (MtPerformance *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, performance_clear);
}

gboolean
mt_performance_measure (const MtPerformance  *self,
                        MtInterval           *intervals,
                        GCancellable         *cancellable,
                        GError              **error)
{
  return mt_metric_bootstrap (self->how.metrics, self->how.n_metrics, &self->scored, self->how.n_resamples,
                              self->how.level, self->how.seed, self->how.pool, intervals, cancellable, error);
}

void
mt_scored_count_decisions (const MtScored *scored,
                           gsize          *counts)
{
  guint n = scored->n_classes;

  for (guint i = 0; i < n * n; i++)
    counts[i] = 0;
  for (gsize r = 0; r < scored->n_rows; r++)
    counts[scored->classes[r] * n + mt_task_decide (scored->task, mt_scored_get_cutoff (scored), n, scored->n_rows, scored->predictions, r)]++;
}

static int
compare_pairs (gconstpointer a,
               gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

void
mt_scored_make_tenths (const MtScored *scored,
                       MtTenth        *tenths)
{
  gsize n = scored->n_rows;
  g_autofree double *pairs = g_new (double, 2 * n + 2);

  for (gsize r = 0; r < n; r++)
    {
      pairs[2 * r] = scored->predictions[r];
      pairs[2 * r + 1] = scored->values[r];
    }
  qsort (pairs, n, 2 * sizeof *pairs, compare_pairs);
  for (guint t = 0; t < MT_N_TENTHS; t++)
    {
      gsize from = n * t / MT_N_TENTHS, to = n * (t + 1) / MT_N_TENTHS;
      double predicted = 0, observed = 0, squares = 0;

      tenths[t] = (MtTenth) { to - from, NAN, NAN, NAN };
      for (gsize i = from; i < to; i++)
        {
          predicted += pairs[2 * i];
          observed += pairs[2 * i + 1];
          squares += (pairs[2 * i + 1] - pairs[2 * i]) * (pairs[2 * i + 1] - pairs[2 * i]);
        }
      if (to > from)
        tenths[t] = (MtTenth) { to - from, predicted / (double) (to - from), observed / (double) (to - from),
                                sqrt (squares / (double) (to - from)) };
    }
}
