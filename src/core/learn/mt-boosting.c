/* Gradient-boosted trees: what a black box makes of the same columns. See mt-boosting.h.
 *
 * A round costs one tree for each output, a tree of 31 leaves about five passes over rows ×
 * groups. The scores of the watched rows are kept up to date along the way, so a check
 * after some rounds costs nothing but the metric. */
#include "config.h"
#include "mt-boosting.h"
#include "base/mt-math.h"

#include <math.h>
#include <string.h>

/* Curvature below this would let a few sure rows make a tree of noise. */
#define LEAST_CURVATURE 1e-16

struct _MtBooster {
  const MtEncoded  *encoded;
  const MtEncoded  *watched;
  const double     *target;
  MtTask            task;
  guint             n_outputs;
  MtBoosterOptions  options;
  gsize             n_rows;
  double           *scores;
  double           *watched_scores;
  double           *linked;      /* n_outputs × n_rows: probabilities; classes only */
  double           *residual;    /* n_rows */
  double           *curvature;   /* n_rows */
};

void
mt_booster_options_init (MtBoosterOptions *options)
{
  *options = (MtBoosterOptions) { .tree = { .max_leaves = 31, .min_rows = 20, .ridge = 1 }, .rate = 0.1 };
}

/* The constant of least loss; half a row is added to each class, so that none is impossible.
 *
 * Two classes: the log of the odds. Several: the log of each share. With 30 of 100 rows
 * true, log (30.5 / 70.5) = −0.84. */
static double
best_constant (const MtBooster *self,
               guint            output)
{
  double sum = 0;

  for (gsize r = 0; r < self->n_rows; r++)
    sum += self->task == MT_TASK_REGRESSION ? self->target[r] :
           self->target[r] == (self->task == MT_TASK_BINARY ? 1 : output);
  if (self->task == MT_TASK_REGRESSION)
    return self->n_rows > 0 ? sum / (double) self->n_rows : 0;
  if (self->task == MT_TASK_BINARY)
    return mt_log ((sum + 0.5) / ((double) self->n_rows - sum + 0.5));
  return mt_log ((sum + 0.5) / ((double) self->n_rows + 0.5 * self->n_outputs));
}

static void
fill (double *scores,
      gsize   n_rows,
      guint   output,
      double  value)
{
  for (gsize r = 0; r < n_rows; r++)
    scores[output * n_rows + r] = value;
}

/* Memory: scores and probabilities of all rows and outputs, two arrays of rows for the
 * gradient, and the scores of the watched rows. */
MtBooster *
mt_booster_new (const MtEncoded        *encoded,
                const double           *target,
                MtTask                  task,
                guint                   n_outputs,
                const MtEncoded        *watched,
                const MtBoosterOptions *options)
{
  MtBooster *self;
  gsize n_watched = watched != NULL ? mt_encoded_get_n_rows (watched) : 0;

  g_return_val_if_fail (encoded != NULL && target != NULL && options != NULL && n_outputs > 0, NULL);

  self = g_new0 (MtBooster, 1);
  self->encoded = encoded;
  self->watched = watched;
  self->target = target;
  self->task = task;
  self->n_outputs = n_outputs;
  self->options = *options;
  self->n_rows = mt_encoded_get_n_rows (encoded);
  self->scores = g_new (double, MAX (n_outputs * self->n_rows, 1));
  self->linked = g_new (double, MAX (n_outputs * self->n_rows, 1));
  self->residual = g_new (double, MAX (self->n_rows, 1));
  self->curvature = g_new (double, MAX (self->n_rows, 1));
  if (watched != NULL)
    self->watched_scores = g_new (double, MAX (n_outputs * n_watched, 1));
  for (guint k = 0; k < n_outputs; k++)
    {
      double constant = best_constant (self, k);

      fill (self->scores, self->n_rows, k, constant);
      if (watched != NULL)
        fill (self->watched_scores, n_watched, k, constant);
    }
  return self;
}

void
mt_booster_free (MtBooster *self)
{
  if (self == NULL)
    return;
  g_free (self->scores);
  g_free (self->watched_scores);
  g_free (self->linked);
  g_free (self->residual);
  g_free (self->curvature);
  g_free (self);
}

/* All outputs of a round start from the same probabilities. */
static void
find_gradient (MtBooster *self,
               guint      output)
{
  const double *p = self->linked + output * self->n_rows;

  for (gsize r = 0; r < self->n_rows; r++)
    if (self->task == MT_TASK_REGRESSION)
      {
        self->residual[r] = self->target[r] - self->scores[r];
        self->curvature[r] = 1;
      }
    else
      {
        double is = self->target[r] == (self->task == MT_TASK_BINARY ? 1 : output);

        self->residual[r] = is - p[r];
        self->curvature[r] = MAX (p[r] * (1 - p[r]), LEAST_CURVATURE);
      }
}

/* One round: the probabilities once, then for each output gradient, tree, and step. The
 * trees are thrown away; only the scores are kept, of the rows learned from and of the rows
 * watched. */
gboolean
mt_booster_step (MtBooster     *self,
                 GCancellable  *cancellable,
                 GError       **error)
{
  if (self->task != MT_TASK_REGRESSION)
    {
      memcpy (self->linked, self->scores, sizeof (double) * self->n_outputs * self->n_rows);
      mt_task_link (self->task, self->n_outputs, self->n_rows, self->linked);
    }
  for (guint k = 0; k < self->n_outputs; k++)
    {
      g_autoptr (MtTree) tree = NULL;

      find_gradient (self, k);
      tree = mt_tree_grow (self->encoded, self->residual, self->curvature, 1, &self->options.tree, cancellable,
                           error);
      if (tree == NULL)
        return FALSE;
      mt_tree_add_scores (tree, self->encoded, mt_tree_get_n_leaves (tree), self->options.rate,
                          self->scores + k * self->n_rows);
      if (self->watched != NULL)
        mt_tree_add_scores (tree, self->watched, mt_tree_get_n_leaves (tree), self->options.rate,
                            self->watched_scores + k * mt_encoded_get_n_rows (self->watched));
    }
  return TRUE;
}

const double *
mt_booster_get_scores (const MtBooster *self)
{
  return self->scores;
}

const double *
mt_booster_get_watched (const MtBooster *self)
{
  return self->watched_scores;
}

/* Written so that no exponent is above 0 (two classes) or above the largest score
 * (several). */
double
mt_booster_loss (MtTask        task,
                 guint         n_outputs,
                 gsize         n_rows,
                 const double *scores,
                 const double *target)
{
  double sum = 0;

  for (gsize r = 0; r < n_rows; r++)
    if (task == MT_TASK_REGRESSION)
      sum += 0.5 * (scores[r] - target[r]) * (scores[r] - target[r]);
    else if (task == MT_TASK_BINARY)
      {
        double z = target[r] == 1 ? scores[r] : -scores[r];

        sum += z > 0 ? mt_log1p (mt_exp (-z)) : -z + mt_log1p (mt_exp (z));
      }
    else
      {
        double top = scores[r], total = 0;

        for (guint c = 1; c < n_outputs; c++)
          top = MAX (top, scores[c * n_rows + r]);
        for (guint c = 0; c < n_outputs; c++)
          total += mt_exp (scores[c * n_rows + r] - top);
        sum += top + mt_log (total) - scores[(guint) target[r] * n_rows + r];
      }
  return n_rows > 0 ? sum / (double) n_rows : 0;
}
