/* What accuracy costs in complexity, honestly: K folds judge every complexity, the rules come from all
 * rows. See mt-frontier.h.
 *
 * The parts: mt-frontier-run.c starts one task for all rows and one for each fold of each
 * repeat, mt-frontier-part.c does what is in a task, mt-frontier-choice.c makes points of
 * what they found and recommends one, mt-frontier-progress.c adds up how far they are. This
 * file is the finished frontier as others read it, and the metric. */
#include "config.h"
#include "mt-frontier-private.h"

#include <math.h>
#include <string.h>

#include "rules/mt-metrics.h"

void
mt_frontier_fold_clear (MtFrontierFold *fold)
{
  g_clear_pointer (&fold->encoded, mt_encoded_unref);
  g_clear_pointer (&fold->fine, g_free);
  g_clear_pointer (&fold->directions, g_free);
  g_clear_pointer (&fold->numeric_directions, g_free);
}

void
mt_frontier_options_init (MtFrontierOptions *options)
{
  memset (options, 0, sizeof *options);
  mt_refine_options_init (&options->refine);
  mt_train_options_init (&options->train);
  options->train.head = MT_LINEAR_FIT_LITERALS;
  options->n_folds = 5;
  options->max_literals = 50;
}

/* --- metric --- */

/* Predictions need not be probabilities for AUC, only in the right order: scores of two
 * classes are used as they are. With several classes softmax matters, because it mixes the
 * scores of a row. */
double
mt_frontier_metric (MtTask        task,
                    guint         n_outputs,
                    gsize         n_rows,
                    const double *predictions,
                    const double *target)
{
  g_autofree guint32 *classes = NULL;
  double sum = 0;
  guint n = 0;

  if (task == MT_TASK_REGRESSION)
    {
      const MtScored scored = { task, 0, n_rows, NULL, target, predictions };

      return mt_metric_compute (MT_METRIC_R2, &scored);
    }
  classes = g_new (guint32, MAX (n_rows, 1));
  for (gsize r = 0; r < n_rows; r++)
    classes[r] = (guint32) target[r];
  if (task == MT_TASK_BINARY)
    return mt_metric_auc (predictions, classes, 1, n_rows);
  /* A class that a small fold lacks says nothing; the others still do. */
  for (guint c = 0; c < n_outputs; c++)
    {
      double auc = mt_metric_auc (predictions + c * n_rows, classes, c, n_rows);

      if (!isnan (auc))
        {
          sum += auc;
          n++;
        }
    }
  return n > 0 ? sum / n : NAN;
}

/* Cost: one evaluation of the model, and a sort for each output. */
double
mt_rule_set_metric (const MtRuleSet *rules,
                    const MtEncoded *encoded,
                    const double    *target)
{
  MtTask task = mt_rule_set_get_task (rules);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  g_autofree double *scores = g_new (double, MAX (n_outputs * n_rows, 1));

  mt_rule_set_score (rules, encoded, scores);
  if (task == MT_TASK_MULTICLASS)
    mt_task_link (task, n_outputs, n_rows, scores);
  return mt_frontier_metric (task, n_outputs, n_rows, scores, target);
}

MtFrontier *
mt_frontier_ref (MtFrontier *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_frontier_unref (MtFrontier *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->points);
  g_ptr_array_unref (self->visited);
  g_clear_pointer (&self->net, mt_net_unref);
  g_free (self->engine);
  g_free (self->fold_scores);
  g_free (self);
}

guint
mt_frontier_get_n_points (const MtFrontier *self)
{
  return self->points->len;
}

const MtFrontierPoint *
mt_frontier_get_point (const MtFrontier *self,
                       guint             index)
{
  g_return_val_if_fail (index < self->points->len, NULL);
  return &g_array_index (self->points, MtFrontierPoint, index);
}

const double *
mt_frontier_get_fold_scores (const MtFrontier *self,
                             guint             index)
{
  g_return_val_if_fail (index < self->points->len, NULL);
  return self->fold_scores + (gsize) index * self->n_scores;
}

guint
mt_frontier_get_n_fold_scores (const MtFrontier *self)
{
  return self->n_scores;
}

guint
mt_frontier_get_selected (const MtFrontier *self)
{
  return self->selected;
}

gboolean
mt_frontier_is_stopped (const MtFrontier *self)
{
  return self->is_stopped;
}

MtNet *
mt_frontier_get_net (const MtFrontier *self)
{
  return self->net;
}

const char *
mt_frontier_get_engine (const MtFrontier *self)
{
  return self->engine;
}

guint64
mt_frontier_get_n_steps (const MtFrontier *self)
{
  return self->n_steps;
}

double
mt_frontier_get_train_seconds (const MtFrontier *self)
{
  return self->train_seconds;
}

GPtrArray *
mt_frontier_get_visited (const MtFrontier *self)
{
  return self->visited;
}
