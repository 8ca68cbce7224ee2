/* Learns and judges each method on one part.
 *
 * Each function takes a part, fits on its `rest` (or the drawn sample of it) and writes
 * scores on its `held` rows and on those it learned from. None reads another part, so parts
 * can run in any order. */
#include "config.h"
#include "mt-baselines-private.h"

#include <math.h>
#include <string.h>

#include "rules/mt-linear-fit.h"

#define LINEAR_RIDGE   1.0
#define MAX_LEAVES     33      /* 50 literals are about 12 leaves; beyond that a tree is not readable */
#define TREE_MIN_ROWS  5

double
_mt_baseline_metric (const MtBaselineRun *run,
                     gsize                n_rows,
                     const double        *predictions,
                     const double        *target)
{
  return mt_frontier_metric (run->task, run->n_outputs, n_rows, predictions, target);
}

/* NaN where nothing is held: without a test, the part of all rows. */
static double
held_metric (const MtBaselineRun  *run,
             const MtBaselinePart *part,
             const double         *predictions)
{
  return part->held != NULL ? _mt_baseline_metric (run, mt_encoded_get_n_rows (part->held), predictions, part->held_target)
                            : NAN;
}

/* --- intercept --- */

/* No fit: the mean for numbers, and for classes anything that is the same for every row,
 * because AUC looks at the order only. 0.5 by definition. */
static void
judge_intercept (const MtBaselineRun *run,
                 MtBaselinePart      *part)
{
  gsize n_rows = mt_encoded_get_n_rows (part->rest), n_held = part->held != NULL ? mt_encoded_get_n_rows (part->held) : 0;
  gsize most = MAX (n_rows, n_held);
  g_autofree double *predictions = g_new0 (double, MAX (run->n_outputs * most, 1));

  /* What is the same for every row ranks nothing; only R² looks at its size. */
  if (run->task == MT_TASK_REGRESSION)
    {
      double mean = 0;

      for (gsize r = 0; r < n_rows; r++)
        mean += part->target[r];
      mean /= (double) MAX (n_rows, 1);
      for (gsize r = 0; r < most; r++)
        predictions[r] = mean;
    }
  part->intercept_train = _mt_baseline_metric (run, n_rows, predictions, part->target);
  part->intercept = held_metric (run, part, predictions);
}

/* --- linear --- */

/* What the paper calls unary terms, less the numbers: levels, and "is missing". */
static gboolean
is_unary (const MtEncoded *encoded,
          guint            literal)
{
  const MtGroup *group = &mt_encoded_get_groups (encoded)[mt_encoded_get_group_of (encoded, literal)];

  return group->kind == MT_GROUP_ONE_HOT ||
         (group->has_missing && literal + 1 == group->first_literal + group->n_literals);
}

guint
_mt_baseline_count_unary (const MtEncoded *encoded)
{
  guint n = 0;

  for (guint i = 0; i < mt_encoded_get_n_numeric (encoded); i++)
    n += mt_encoded_is_plain (encoded, i);
  for (guint i = 0; i < mt_encoded_get_n_literals (encoded); i++)
    n += is_unary (encoded, i);
  return n;
}

/* The held rows' scores, term by term in the order in which judge_linear() added them. */
static void
add_held (const MtBaselineRun *run,
          MtLinearFit              *head,
          MtBaselinePart      *part,
          double              *scores)
{
  gsize n_rows = mt_encoded_get_n_rows (part->held);
  guint n_numeric = mt_encoded_get_n_numeric (part->held);

  for (guint k = 0; k < run->n_outputs; k++)
    {
      double *out = scores + k * n_rows;
      guint column = 0;

      for (gsize r = 0; r < n_rows; r++)
        out[r] = mt_linear_fit_get_bias (head, k);
      for (guint i = 0; i < n_numeric; i++)
        {
          const double *values = mt_encoded_get_numeric (part->held, i);
          double weight;

          if (!mt_encoded_is_plain (part->held, i))
            continue;
          weight = mt_linear_fit_get_weight (head, column++, k);
          for (gsize r = 0; r < n_rows; r++)
            out[r] += weight * values[r];
        }
      for (guint i = 0; i < mt_encoded_get_n_literals (part->held); i++)
        if (is_unary (part->held, i))
          {
            const guint64 *plane = mt_encoded_get_plane (part->held, i);
            double weight = mt_linear_fit_get_weight (head, column++, k);

            for (gsize r = 0; r < n_rows; r++)
              out[r] += mt_plane_get (plane, r) ? weight : 0;
          }
    }
}

/* A ridge of 1, all unary terms, one shape for each number: what a person gets from a
 * standard regression on the same columns. */
static gboolean
judge_linear (const MtBaselineRun  *run,
              MtBaselinePart       *part,
              GError              **error)
{
  gsize n_rows = mt_encoded_get_n_rows (part->rest);
  g_autoptr (MtLinearFit) head = NULL;
  g_autofree double *scores = NULL;

  part->linear = part->linear_train = NAN;
  if (_mt_baseline_count_unary (part->rest) > MT_BASELINE_MAX_TERMS)
    return TRUE;
  scores = g_new (double, MAX (run->n_outputs * n_rows, 1));
  head = mt_linear_fit_new (run->task, run->n_outputs, part->target, n_rows, (MtRidge) { LINEAR_RIDGE, 0 });
  for (guint i = 0; i < mt_encoded_get_n_numeric (part->rest); i++)
    if (mt_encoded_is_plain (part->rest, i))
      mt_linear_fit_add (head, (MtLinearFitColumn) { NULL, mt_encoded_get_numeric (part->rest, i) });
  for (guint i = 0; i < mt_encoded_get_n_literals (part->rest); i++)
    if (is_unary (part->rest, i))
      mt_linear_fit_add (head, (MtLinearFitColumn) { mt_encoded_get_plane (part->rest, i), NULL });
  if (!mt_linear_fit_fit (head, 100, 1e-6, run->cancellable, error))
    return FALSE;
  for (guint k = 0; k < run->n_outputs; k++)
    memcpy (scores + k * n_rows, mt_linear_fit_get_scores (head, k), sizeof (double) * n_rows);
  if (run->task == MT_TASK_MULTICLASS)
    mt_task_link (run->task, run->n_outputs, n_rows, scores);
  part->linear_train = _mt_baseline_metric (run, n_rows, scores, part->target);
  if (part->held != NULL)
    {
      gsize n_held = mt_encoded_get_n_rows (part->held);
      g_autofree double *held = g_new (double, MAX (run->n_outputs * n_held, 1));

      add_held (run, head, part, held);
      if (run->task == MT_TASK_MULTICLASS)
        mt_task_link (run->task, run->n_outputs, n_held, held);
      part->linear = held_metric (run, part, held);
    }
  return TRUE;
}

/* --- tree --- */

/* CART's targets: the number, or for each class whether it is that. Binary: the second class. */
static double *
tree_targets (const MtBaselineRun *run,
              const double        *target,
              gsize                n_rows)
{
  double *targets = g_new (double, MAX (run->n_outputs * n_rows, 1));

  for (guint k = 0; k < run->n_outputs; k++)
    for (gsize r = 0; r < n_rows; r++)
      targets[k * n_rows + r] = run->task == MT_TASK_MULTICLASS ? target[r] == k : target[r];
  return targets;
}

/* A tree's value in a leaf is the mean of its targets, so its scores are the predictions
 * themselves. */
static double
tree_metric (const MtBaselineRun *run,
             const MtTree        *tree,
             guint                n_leaves,
             const MtEncoded     *encoded,
             const double        *target)
{
  g_autofree double *predictions = NULL;
  gsize n_rows;

  if (encoded == NULL)
    return NAN;
  n_rows = mt_encoded_get_n_rows (encoded);
  predictions = g_new0 (double, MAX (run->n_outputs * n_rows, 1));
  mt_tree_add_scores (tree, encoded, n_leaves, 1, predictions);
  return _mt_baseline_metric (run, n_rows, predictions, target);
}

/* One growth gives all sizes: the tree of n leaves is scored for each n up to MAX_LEAVES. */
static gboolean
judge_tree (const MtBaselineRun  *run,
            MtBaselinePart       *part,
            GError              **error)
{
  const MtTreeOptions options = { .max_leaves = MAX_LEAVES, .min_rows = TREE_MIN_ROWS, .ridge = 0 };
  g_autofree double *targets = tree_targets (run, part->sample_target, part->n_sample);
  g_autoptr (MtTree) tree = mt_tree_grow (part->sample, targets, NULL, run->n_outputs, &options, run->cancellable,
                                          error);

  if (tree == NULL)
    return FALSE;
  for (guint n = 1; n <= mt_tree_get_n_leaves (tree); n++)
    {
      MtTreeSize size = { mt_tree_count_literals (tree, part->sample, n), n, NAN, NAN };

      if (g_cancellable_set_error_if_cancelled (run->cancellable, error))
        return FALSE;
      size.score = tree_metric (run, tree, n, part->held, part->held_target);
      size.train = tree_metric (run, tree, n, part->sample, part->sample_target);
      g_array_append_val (part->trees, size);
    }
  return TRUE;
}

void
_mt_baseline_judge_simple (guint    number,
                           guint    worker,
                           gpointer data)
{
  MtBaselineRun *run = data;
  MtBaselinePart *part = &run->parts[number];

  judge_intercept (run, part);
  if (judge_linear (run, part, &part->error))
    judge_tree (run, part, &part->error);
}

/* --- boosted trees --- */

/* run->n_rounds rounds more, then one check of the held rows: mean loss, which decides when
 * to stop, and the metric, which is reported. */
void
_mt_baseline_boost (guint    number,
                    guint    worker,
                    gpointer data)
{
  MtBaselineRun *run = data;
  MtBaselinePart *part = &run->parts[number];
  gsize n_held = part->fine_held != NULL ? mt_encoded_get_n_rows (part->fine_held) : 0;

  for (guint i = 0; i < run->n_rounds; i++)
    if (!mt_booster_step (part->booster, run->cancellable, &part->error))
      return;
  if (part->fine_held != NULL)
    {
      const double *scores = mt_booster_get_watched (part->booster);
      g_autofree double *linked = g_memdup2 (scores, sizeof (double) * run->n_outputs * n_held);
      double loss = mt_booster_loss (run->task, run->n_outputs, n_held, scores, part->held_target), score;

      if (run->task == MT_TASK_MULTICLASS)
        mt_task_link (run->task, run->n_outputs, n_held, linked);
      score = held_metric (run, part, linked);
      g_array_append_val (part->losses, loss);
      g_array_append_val (part->scores, score);
    }
}
