/* Which answers of a finished model the training rows hardly care about. See mt-rule-insensitive.h. */
#include "config.h"
#include "mt-rule-insensitive.h"
#include "base/mt-math.h"

#include <math.h>
#include <string.h>

#include "logic/mt-truth-table.h"

typedef struct {
  const MtRuleSet *rules;
  const MtEncoded *encoded;
  const double    *target;
  MtTask           task;
  guint            n_outputs;
  gsize            n_rows;
  double          *scores;     /* n_outputs × n_rows */
  double           scale;      /* regression: squares are divided by this */
} Neutral;

/* log Σ exp (score + turn · weight).
 *
 * The largest exponent is taken out first, so nothing overflows. */
static double
log_sum (const Neutral *self,
         const double  *weights,
         int            turn,
         gsize          row)
{
  double top = -INFINITY, sum = 0;

  for (guint c = 0; c < self->n_outputs; c++)
    top = MAX (top, self->scores[c * self->n_rows + row] + turn * weights[c]);
  for (guint c = 0; c < self->n_outputs; c++)
    sum += mt_exp (self->scores[c * self->n_rows + row] + turn * weights[c] - top);
  return top + mt_log (sum);
}

/* log (1 + eˣ), with the exponent never above 0. */
static double
softplus (double x)
{
  return x > 0 ? x + mt_log1p (mt_exp (-x)) : mt_log1p (mt_exp (x));
}

/* By how much the row's loss rises when the score moves by turn · weights; @turn is +1 if the rule
 * would become true of the row, −1 if false.
 *
 *   two classes       log (1 + e^(η + d)) − log (1 + e^η) − y d
 *   more classes      log Σ e^(η_c + d_c) − log Σ e^(η_c) − d_y
 *   numbers           ½ (η + d − y)² − ½ (η − y)² = d (η − y + ½ d), over the variance of the target */
static double
loss_change (const Neutral *self,
             const double  *weights,
             int            turn,
             gsize          row)
{
  double score = self->scores[row], y = self->target[row];

  switch (self->task)
    {
    case MT_TASK_BINARY:
      return softplus (score + turn * weights[0]) - softplus (score) - y * turn * weights[0];
    case MT_TASK_MULTICLASS:
      return log_sum (self, weights, turn, row) - log_sum (self, weights, 0, row) - turn * weights[(guint) y];
    case MT_TASK_REGRESSION:
    default:
      return turn * weights[0] * (score - y + .5 * turn * weights[0]) / self->scale;
    }
}

/* For each assignment of the rule's inputs: by how much would the loss over the training rows change if the rule
 * answered the other way there, the weights staying as they are? The changes of all rows with an assignment are
 * summed in one pass. If the sum is at most MT_NEUTRAL_SHARE times the number of rows, in either direction, the
 * data hardly cares, and the assignment is marked as neutral. Assignments that no row has are not: nothing is
 * known about them. */
static MtRule *
mark_rule (const Neutral *self,
           const MtRule  *rule,
           const double  *weights)
{
  guint n_inputs = mt_rule_get_n_inputs (rule);
  const guint *inputs = mt_rule_get_inputs (rule);
  const guint64 *sets[MT_N_DONT_CARES];
  MtRule *marked;
  g_autofree double *changes = g_new0 (double, (gsize) 1 << n_inputs);
  g_autofree gboolean *seen = g_new0 (gboolean, (gsize) 1 << n_inputs);
  g_autofree guint64 *neutral = g_new0 (guint64, mt_truth_table_n_words (n_inputs));

  for (gsize r = 0; r < self->n_rows; r++)
    {
      guint32 v = 0;

      for (guint i = 0; i < n_inputs; i++)
        v |= (guint32) mt_plane_get (mt_encoded_get_plane (self->encoded, inputs[i]), r) << i;
      seen[v] = TRUE;
      changes[v] += loss_change (self, weights, mt_truth_table_get (mt_rule_get_table (rule), v) ? -1 : 1, r);
    }
  for (guint32 v = 0; v < 1u << n_inputs; v++)
    if (seen[v] && fabs (changes[v]) <= MT_NEUTRAL_SHARE * self->n_rows)
      mt_truth_table_set (neutral, v, TRUE);
  /* Other rows than the rule was made with may have what it calls unseen. */
  sets[MT_DONT_CARE_IMPOSSIBLE] = mt_rule_get_dont_care (rule, MT_DONT_CARE_IMPOSSIBLE);
  sets[MT_DONT_CARE_UNSEEN] = mt_rule_get_dont_care (rule, MT_DONT_CARE_UNSEEN);
  for (guint d = 0; d < MT_DONT_CARE_NEUTRAL; d++)
    if (sets[d] != NULL)
      mt_truth_table_and_not (n_inputs, neutral, sets[d], neutral);
  sets[MT_DONT_CARE_NEUTRAL] = neutral;
  marked = mt_rule_new (inputs, n_inputs, mt_rule_get_cubes (rule), mt_rule_get_n_cubes (rule), sets,
                        mt_rule_get_proven (rule), NULL);
  mt_rule_set_origin (marked, mt_rule_get_origin (rule));
  return marked;
}

static double
variance (const double *x,
          gsize         n)
{
  double mean = 0, sum = 0;

  for (gsize i = 0; i < n; i++)
    mean += x[i] / n;
  for (gsize i = 0; i < n; i++)
    sum += (x[i] - mean) * (x[i] - mean) / n;
  return sum > 0 ? sum : 1;
}

/* Rule after rule, each as if all others stayed. So two answers that are both neutral need not be
 * neutral together. Cost: one pass over the rows for each rule. Weights, order, cutoff and origins
 * stay as they are. */
MtRuleSet *
mt_rule_set_mark_neutral (const MtRuleSet *rules,
                          const MtEncoded *encoded,
                          const double    *target)
{
  guint n_terms = mt_rule_set_get_n_terms (rules), n_outputs = mt_rule_set_get_n_outputs (rules);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  g_autofree double *scores = g_new (double, MAX (n_outputs * n_rows, 1));
  g_autofree MtTerm *terms = g_new (MtTerm, MAX (n_terms, 1));
  Neutral self = { rules, encoded, target, mt_rule_set_get_task (rules), n_outputs, n_rows, scores, 1 };
  MtRuleSet *marked;

  mt_rule_set_score (rules, encoded, scores);
  if (self.task == MT_TASK_REGRESSION)
    self.scale = variance (target, n_rows);
  for (guint t = 0; t < n_terms; t++)
    {
      terms[t] = *mt_rule_set_get_term (rules, t);
      if (terms[t].rule != NULL)
        terms[t].rule = mark_rule (&self, terms[t].rule, terms[t].weights);
    }
  marked = mt_rule_set_new (self.task, n_outputs, mt_rule_set_get_bias (rules), terms, n_terms, NULL);
  for (guint t = 0; t < n_terms; t++)
    mt_rule_unref (terms[t].rule);
  if (marked != NULL && mt_rule_set_get_cutoff (rules) != MT_CUTOFF)
    {
      MtRuleSet *cut = mt_rule_set_with_cutoff (marked, mt_rule_set_get_cutoff (rules), NULL);

      mt_rule_set_unref (marked);
      marked = cut;
    }
  return marked;
}
