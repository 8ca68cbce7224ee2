/* A rule set: bias, unary terms, rules, a weight for each output; and its compiled evaluator. */
#include "config.h"
#include "mt-rules.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-math.h"
#include "base/mt-planes.h"

/* Rows scored together: planes and sums of a block stay in the first-level cache. */
#define BLOCK_WORDS 16
#define BLOCK_ROWS  (BLOCK_WORDS * 64)

/* The terms in the order in which sums are made; scores depend on it in the last bits, so it is
 * never changed. weights[] is one array for all terms, and each term points to its own part of it. */
struct _MtRuleSet {
  gatomicrefcount  ref_count;
  MtTask           task;
  guint            n_outputs;
  guint            n_terms;
  guint            n_rules;
  guint            complexity;
  double           cutoff;
  double          *bias;
  double          *weights;    /* n_terms × n_outputs; the terms point into it */
  MtTerm          *terms;
};

static gboolean
check_finite (const double  *values,
              guint          n_values,
              GError       **error)
{
  for (guint i = 0; i < n_values; i++)
    if (!isfinite (values[i]))
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("a weight of the model is not a finite number"));
        return FALSE;
      }
  return TRUE;
}

/* The same number, or rules that are written in the same way: the same cubes over the same
 * inputs. */
static gboolean
same_term (const MtTerm *a,
           const MtTerm *b)
{
  if (a->is_numeric || b->is_numeric)
    return a->is_numeric && b->is_numeric && a->numeric == b->numeric;
  return mt_rule_get_n_inputs (a->rule) == mt_rule_get_n_inputs (b->rule) &&
         mt_rule_equal (a->rule, b->rule);
}

static gboolean
check_numbers (const MtTerm  *terms,
               guint          n_terms,
               GError       **error)
{
  for (guint t = 0; t < n_terms; t++)
    for (guint u = 0; u < t && !terms[t].is_numeric && terms[t].number > 0; u++)
      if (!terms[u].is_numeric && terms[u].number == terms[t].number)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("terms %u and %u of the model have the same number, %u"), u, t,
                       terms[t].number);
          return FALSE;
        }
  return TRUE;
}

static void
give_numbers (MtRuleSet *self)
{
  guint next = mt_rule_set_get_last_number (self) + 1;

  for (guint t = 0; t < self->n_terms; t++)
    if (!self->terms[t].is_numeric && self->terms[t].number == 0)
      self->terms[t].number = next++;
}

/* All numbers must be finite and all terms different, because a sum with the same term twice would
 * have two names for one weight. Comparing each pair is n² / 2 comparisons; models have some dozens
 * of terms. */
MtRuleSet *
mt_rule_set_new (MtTask         task,
                 guint          n_outputs,
                 const double  *bias,
                 const MtTerm  *terms,
                 guint          n_terms,
                 GError       **error)
{
  g_autoptr (MtRuleSet) self = NULL;
  gboolean fits = task == MT_TASK_MULTICLASS ? n_outputs >= 2 && n_outputs <= MT_MAX_OUTPUTS : n_outputs == 1;

  if (!fits)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("a %s model cannot have %u outputs"),
                   mt_task_to_string (task), n_outputs);
      return NULL;
    }
  if (!check_finite (bias, n_outputs, error))
    return NULL;
  for (guint t = 0; t < n_terms; t++)
    {
      if (!check_finite (terms[t].weights, n_outputs, error))
        return NULL;
      for (guint u = 0; u < t; u++)
        if (same_term (&terms[u], &terms[t]))
          {
            g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                         _("terms %u and %u of the model are identical"), u, t);
            return NULL;
          }
    }

  if (!check_numbers (terms, n_terms, error))
    return NULL;

  self = g_new0 (MtRuleSet, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->task = task;
  self->n_outputs = n_outputs;
  self->bias = g_memdup2 (bias, n_outputs * sizeof *bias);
  self->n_terms = n_terms;
  self->terms = g_new0 (MtTerm, MAX (n_terms, 1));
  self->weights = g_new (double, MAX (n_terms * n_outputs, 1));
  self->complexity = 1;
  self->cutoff = MT_CUTOFF;
  for (guint t = 0; t < n_terms; t++)
    {
      MtTerm *term = &self->terms[t];

      *term = terms[t];
      term->weights = self->weights + (gsize) t * n_outputs;
      memcpy (term->weights, terms[t].weights, n_outputs * sizeof (double));
      if (term->is_numeric)
        {
          term->rule = NULL;
          term->number = 0;
          self->complexity++;
        }
      else
        {
          mt_rule_ref (term->rule);
          self->n_rules++;
          self->complexity += mt_rule_get_n_literals (term->rule);
        }
    }
  give_numbers (self);
  return g_steal_pointer (&self);
}

guint
mt_rule_set_get_last_number (const MtRuleSet *self)
{
  guint last = 0;

  for (guint t = 0; t < self->n_terms; t++)
    last = MAX (last, self->terms[t].number);
  return last;
}

/* A new rule set that shares the rules; the cutoff changes no score. */
MtRuleSet *
mt_rule_set_with_cutoff (const MtRuleSet  *set,
                         double            cutoff,
                         GError          **error)
{
  MtRuleSet *self;

  if (!(cutoff > 0 && cutoff < 1))
    {
      char text[MT_DECIMAL_SIZE];

      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the cutoff must be above 0 and below 1, not %s"),
                   isfinite (cutoff) ? mt_decimal_write (cutoff, text) : "NaN");
      return NULL;
    }
  if (set->task != MT_TASK_BINARY)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("only a model of two classes has a cutoff"));
      return NULL;
    }
  self = mt_rule_set_new (set->task, set->n_outputs, set->bias, set->terms, set->n_terms, error);
  if (self != NULL)
    self->cutoff = cutoff;
  return self;
}

double
mt_rule_set_get_cutoff (const MtRuleSet *self)
{
  return self->cutoff;
}

MtRuleSet *
mt_rule_set_ref (MtRuleSet *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_rule_set_unref (MtRuleSet *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint t = 0; t < self->n_terms; t++)
    mt_rule_unref (self->terms[t].rule);
  g_free (self->terms);
  g_free (self->weights);
  g_free (self->bias);
  g_free (self);
}

MtTask
mt_rule_set_get_task (const MtRuleSet *self)
{
  return self->task;
}

guint
mt_rule_set_get_n_outputs (const MtRuleSet *self)
{
  return self->n_outputs;
}

const double *
mt_rule_set_get_bias (const MtRuleSet *self)
{
  return self->bias;
}

guint
mt_rule_set_get_n_terms (const MtRuleSet *self)
{
  return self->n_terms;
}

const MtTerm *
mt_rule_set_get_term (const MtRuleSet *self,
                      guint            index)
{
  g_return_val_if_fail (index < self->n_terms, NULL);
  return &self->terms[index];
}

guint
mt_rule_set_get_complexity (const MtRuleSet *self)
{
  return self->complexity;
}

guint
mt_rule_set_get_n_rules (const MtRuleSet *self)
{
  return self->n_rules;
}

/* Inputs ascend, so the last one decides. Those of the node that a rule comes from count, too: the
 * report shows them. */
gboolean
mt_rule_set_validate (const MtRuleSet  *self,
                      guint             n_literals,
                      guint             n_numeric,
                      GError          **error)
{
  for (guint t = 0; t < self->n_terms; t++)
    {
      const MtTerm *term = &self->terms[t];

      if (term->is_numeric && term->numeric >= n_numeric)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                       _("term %u of the model uses numeric column %u, but there are only %u"),
                       t, term->numeric, n_numeric);
          return FALSE;
        }
      if (!term->is_numeric)
        {
          const MtOrigin *origin = mt_rule_get_origin (term->rule);
          guint n_inputs = origin != NULL ? mt_origin_get_n_inputs (origin) : 0;
          guint last = mt_rule_get_inputs (term->rule)[mt_rule_get_n_inputs (term->rule) - 1];

          if (n_inputs > 0)
            last = MAX (last, mt_origin_get_inputs (origin)[n_inputs - 1]);
          if (last >= n_literals)
            {
              g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                           _("term %u of the model uses condition %u, but there are only %u"),
                           t, last, n_literals);
              return FALSE;
            }
        }
    }
  return TRUE;
}

/* Blocks of BLOCK_ROWS rows: for each term a plane of 128 bytes is made and added to the sums of
 * the block, before the next block begins. A weight of 0 is skipped, which changes no sum. Each
 * row's sum runs over the terms in their order, whatever block it is in.
 *
 * Cost: rows × (literals / 64 + terms with a weight, for each output). */
void
mt_rule_set_score (const MtRuleSet *self,
                   const MtEncoded *encoded,
                   double          *scores)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  gsize n_words = mt_encoded_get_n_words (encoded);
  guint64 plane[BLOCK_WORDS];

  for (gsize first = 0; first < n_rows; first += BLOCK_ROWS)
    {
      gsize n = MIN (BLOCK_ROWS, n_rows - first);

      for (guint c = 0; c < self->n_outputs; c++)
        for (gsize r = 0; r < n; r++)
          scores[c * n_rows + first + r] = self->bias[c];
      for (guint t = 0; t < self->n_terms; t++)
        {
          const MtTerm *term = &self->terms[t];
          const double *values = term->is_numeric ? mt_encoded_get_numeric (encoded, term->numeric) + first : NULL;

          if (!term->is_numeric)
            mt_rule_evaluate (term->rule, encoded, first / 64, MIN (BLOCK_WORDS, n_words - first / 64), plane);
          for (guint c = 0; c < self->n_outputs; c++)
            {
              double *sums = scores + c * n_rows + first;
              double weight = term->weights[c];

              if (weight == 0)
                continue;
              if (values == NULL)
                mt_plane_add (plane, weight, sums, n);
              else
                for (gsize r = 0; r < n; r++)
                  sums[r] += weight * values[r];
            }
        }
    }
}

/* 1 / (1 + e^−s) for two classes. For more, e^(s_c − top) over their sum: with the largest exponent
 * at 0 nothing overflows, and at least one summand is 1. */
void
mt_task_link (MtTask  task,
              guint   n_outputs,
              gsize   n_rows,
              double *scores)
{
  if (task == MT_TASK_BINARY)
    for (gsize r = 0; r < n_rows; r++)
      scores[r] = 1 / (1 + mt_exp (-scores[r]));
  if (task != MT_TASK_MULTICLASS)
    return;
  for (gsize r = 0; r < n_rows; r++)
    {
      double top = scores[r], sum = 0;

      for (guint c = 1; c < n_outputs; c++)
        top = MAX (top, scores[c * n_rows + r]);
      for (guint c = 0; c < n_outputs; c++)
        sum += scores[c * n_rows + r] = mt_exp (scores[c * n_rows + r] - top);
      for (guint c = 0; c < n_outputs; c++)
        scores[c * n_rows + r] /= sum;
    }
}
