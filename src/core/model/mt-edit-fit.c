/* Weights after an edit, and how good they are on rows that they have not seen. */
#include "config.h"
#include "mt-edit-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "data/mt-split.h"
#include "learn/mt-frontier.h"
#include "rules/mt-linear-fit.h"
#include "learn/mt-refine-fit.h"
#include "rules/mt-rule-text.h"
#include "rules/mt-interaction-scan.h"

/* --- rounding --- */

static double
round_to (double value,
          guint  decimals)
{
  char format[8], text[G_ASCII_DTOSTR_BUF_SIZE + 320];

  g_snprintf (format, sizeof format, "%%.%uf", decimals);
  g_ascii_formatd (text, sizeof text, format, value);
  return g_ascii_strtod (text, NULL) + 0.0;   /* no negative zero */
}

/* Decimals of a raw unit's effect that are worth @decimals of a deviation's. */
static guint
decimals_of_unit (double sd,
                  guint  decimals)
{
  double extra = ceil (log10 (sd));

  return (guint) CLAMP (decimals + extra, 0, 15);
}

static double
strongest (const MtEditChange *change,
           guint               n_outputs)
{
  double most = 0;

  for (guint t = 0; t < change->n_terms; t++)
    for (guint c = 0; c < n_outputs; c++)
      most = fmax (most, fabs (change->terms[t].weights[c]));
  return most;
}

static void
round_weights (const MtEditContext *context,
               const MtEdit        *edit,
               MtEditChange        *change,
               double              *bias,
               guint                n_outputs)
{
  double unit = edit->points > 0 ? strongest (change, n_outputs) / edit->points : 0;

  for (guint c = 0; c < n_outputs; c++)
    bias[c] = edit->points == 0 ? round_to (bias[c], edit->decimals) : unit > 0 ? round (bias[c] / unit) * unit
                                                                                : bias[c];
  for (guint t = 0; t < change->n_terms; t++)
    for (guint c = 0; c < n_outputs; c++)
      {
        MtTerm *term = &change->terms[t];
        double weight = term->weights[c];

        if (edit->points > 0)
          term->weights[c] = unit > 0 ? round (weight / unit) * unit : weight;
        else if (term->is_numeric)
          {
            double sd = mt_term_get_unary (term, context->encoder)->sd;

            term->weights[c] = round_to (weight / sd, decimals_of_unit (sd, edit->decimals)) * sd;
          }
        else
          term->weights[c] = round_to (weight, edit->decimals);
      }
}

/* --- the convex fit --- */

typedef struct {
  MtLinearFit   *head;
  guint64 **planes;       /* per term; NULL: a numeric one */
  guint     n_terms;
} Fit;

static void
fit_clear (Fit *fit)
{
  for (guint t = 0; t < fit->n_terms; t++)
    g_free (fit->planes[t]);
  g_free (fit->planes);
  g_clear_pointer (&fit->head, mt_linear_fit_free);
}

static void
add_columns (Fit             *fit,
             const MtRuleSet *rules,
             const MtEncoded *encoded)
{
  gsize n_words = mt_encoded_get_n_words (encoded);

  fit->n_terms = mt_rule_set_get_n_terms (rules);
  fit->planes = g_new0 (guint64 *, MAX (fit->n_terms, 1));
  for (guint t = 0; t < fit->n_terms; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      MtLinearFitColumn column = { NULL, NULL };

      if (term->is_numeric)
        column.values = mt_encoded_get_numeric (encoded, term->numeric);
      else
        {
          fit->planes[t] = g_new (guint64, MAX (n_words, 1));
          mt_rule_evaluate (term->rule, encoded, 0, n_words, fit->planes[t]);
          column.plane = fit->planes[t];
        }
      mt_linear_fit_add (fit->head, column);
    }
}

MtRuleSet *
mt_edit_keep_cutoff (MtRuleSet  *rules,
                     double      cutoff,
                     GError    **error)
{
  g_autoptr (MtRuleSet) own = rules;

  if (rules == NULL || mt_rule_set_get_cutoff (rules) == cutoff)
    return g_steal_pointer (&own);
  return mt_rule_set_with_cutoff (rules, cutoff, error);
}

/* @centre, @scale: of the target, back to its own units. */
static MtRuleSet *
rules_of_fit (const Fit        *fit,
              const MtRuleSet  *rules,
              gsize             n_rows,
              double            centre,
              double            scale,
              GError          **error)
{
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  g_autofree MtTerm *terms = g_new0 (MtTerm, MAX (fit->n_terms, 1));
  g_autofree double *weights = g_new (double, MAX (fit->n_terms * n_outputs, 1));
  g_autofree double *bias = g_new (double, n_outputs);

  for (guint c = 0; c < n_outputs; c++)
    bias[c] = mt_linear_fit_get_bias (fit->head, c) * scale + centre;
  for (guint t = 0; t < fit->n_terms; t++)
    {
      terms[t] = *mt_rule_set_get_term (rules, t);
      terms[t].weights = weights + (gsize) t * n_outputs;
      for (guint c = 0; c < n_outputs; c++)
        terms[t].weights[c] = mt_refine_weight_is_idle (fit->head, mt_rule_set_get_task (rules), n_rows, t, c)
                              ? 0 : mt_linear_fit_get_weight (fit->head, t, c) * scale;
    }
  return mt_edit_keep_cutoff (mt_rule_set_new (mt_rule_set_get_task (rules), n_outputs, bias, terms, fit->n_terms, error),
                      mt_rule_set_get_cutoff (rules), error);
}

MtRuleSet *
mt_edit_refit (const MtRuleSet  *rules,
               const MtEncoded  *encoded,
               const double     *target,
               gboolean          balance_classes,
               GCancellable     *cancellable,
               GError          **error)
{
  MtTask task = mt_rule_set_get_task (rules);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  g_autofree double *standardised = NULL;
  g_autofree double *class_weights = NULL;
  double centre = 0, scale = 1;
  MtRuleSet *fitted = NULL;
  Fit fit = { NULL };

  g_return_val_if_fail (n_rows > 0, NULL);

  if (task == MT_TASK_REGRESSION)
    standardised = mt_refine_standardise (target, n_rows, &centre, &scale);
  if (balance_classes && task != MT_TASK_REGRESSION)
    class_weights = mt_refine_balance (target, n_rows, task == MT_TASK_BINARY ? 2 : n_outputs);
  fit.head = mt_linear_fit_new (task, n_outputs, standardised != NULL ? standardised : target, n_rows,
                                mt_interaction_scan_get_ridge (task, encoded));
  mt_linear_fit_set_class_weights (fit.head, class_weights);
  add_columns (&fit, rules, encoded);
  if (mt_linear_fit_fit (fit.head, 50, mt_refine_tolerance (fit.head), cancellable, error))
    fitted = rules_of_fit (&fit, rules, n_rows, centre, scale, error);
  fit_clear (&fit);
  return fitted;
}

/* --- weights of changed terms --- */

/* What a stored weight is of the one that is shown. */
static double
unit_of (const MtEditContext *context,
         const MtRuleSet     *rules,
         guint                term)
{
  const MtTerm *about = mt_rule_set_get_term (rules, term);

  return about->is_numeric ? mt_term_get_unary (about, context->encoder)->sd : 1;
}

MtRuleSet *
mt_edit_reweigh (const MtEditContext  *context,
                 const MtRuleSet      *rules,
                 const MtEdit         *edit,
                 MtEditChange         *change,
                 GCancellable         *cancellable,
                 GError              **error)
{
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  g_autofree double *bias = g_memdup2 (mt_rule_set_get_bias (rules), n_outputs * sizeof *bias);
  g_autofree double *weights = g_new0 (double, MAX (change->n_terms * n_outputs, 1));
  g_autoptr (MtRuleSet) changed = NULL;

  for (guint t = 0; t < change->n_terms; t++)
    change->terms[t].weights = weights + (gsize) t * n_outputs;
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    for (guint c = 0; c < n_outputs; c++)
      {
        double weight = mt_rule_set_get_term (rules, t)->weights[c];

        if (edit->kind == MT_EDIT_SET_WEIGHT && t == edit->term && c == edit->part)
          weight = edit->to * unit_of (context, rules, t);
        if (change->place[t] >= 0)
          weights[(guint) change->place[t] * n_outputs + c] += weight;
        else if (change->place[t] == MT_EDIT_TO_BIAS)
          bias[c] += weight;
      }
  if (edit->kind == MT_EDIT_ADD_RULE)
    weights[(gsize) (change->n_terms - 1) * n_outputs + edit->part] = edit->to;
  if (edit->kind == MT_EDIT_ROUND_WEIGHTS)
    round_weights (context, edit, change, bias, n_outputs);
  changed = mt_edit_keep_cutoff (mt_rule_set_new (mt_rule_set_get_task (rules), n_outputs, bias, change->terms, change->n_terms,
                                          error),
                         edit->kind == MT_EDIT_SET_CUTOFF ? edit->to : mt_rule_set_get_cutoff (rules), error);
  if (changed == NULL || edit->kind != MT_EDIT_REFIT)
    return g_steal_pointer (&changed);
  return mt_edit_refit (changed, context->encoded, context->target, context->balance_classes, cancellable, error);
}

gboolean
mt_edit_fit_weight (const MtEditContext  *context,
                    const MtRuleSet      *rules,
                    MtEdit               *edit,
                    GCancellable         *cancellable,
                    GError              **error)
{
  g_autoptr (MtRuleSet) added = NULL;
  g_autoptr (MtRuleSet) fitted = NULL;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (context->encoded == NULL)
    return mt_refuse (error, MT_ERROR_PARAMS, "without the training rows, a rule that is added needs a weight");
  edit->to = 1;
  added = mt_edit_apply (context, rules, edit, cancellable, error);
  if (added == NULL)
    return FALSE;
  fitted = mt_edit_refit (added, context->encoded, context->target, context->balance_classes, cancellable, error);
  if (fitted == NULL)
    return FALSE;
  edit->to = mt_rule_set_get_term (fitted, mt_rule_set_get_n_terms (fitted) - 1)->weights[edit->part];
  edit->to = g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.4g", edit->to), NULL);
  return edit->to != 0 || mt_refuse (error, MT_ERROR_PARAMS, "the training rows give the rule no weight; enter one, or change the "
                                                             "conditions");
}

/* --- judging --- */

/* One fold: rows to fit on and rows to be scored on. */
typedef struct {
  MtEncoded *fit;
  double    *fit_target;
  MtEncoded *held;
  double    *held_target;
  guint32   *held_rows;
} Fold;

static void
fold_clear (Fold *fold)
{
  g_clear_pointer (&fold->fit, mt_encoded_unref);
  g_clear_pointer (&fold->held, mt_encoded_unref);
  g_clear_pointer (&fold->fit_target, g_free);
  g_clear_pointer (&fold->held_target, g_free);
  g_clear_pointer (&fold->held_rows, g_free);
}

/* FALSE: one of the two has no rows. */
static gboolean
fold_init (Fold                *fold,
           const MtEditContext *context,
           guint                index)
{
  gsize n_rows = mt_encoded_get_n_rows (context->encoded), n_held = 0, n_fit = 0;
  g_autofree guint32 *held = g_new (guint32, n_rows);
  g_autofree guint32 *fit = g_new (guint32, n_rows);

  for (gsize r = 0; r < n_rows; r++)
    if (mt_split_is_held_out (context->fold_of[r], index, context->n_folds))
      held[n_held++] = (guint32) r;
    else if (mt_split_is_learned (context->fold_of[r], index, context->n_folds))
      fit[n_fit++] = (guint32) r;
  if (n_held == 0 || n_fit == 0)
    return FALSE;
  fold->fit = mt_encoded_take_rows (context->encoded, fit, n_fit);
  fold->held = mt_encoded_take_rows (context->encoded, held, n_held);
  fold->fit_target = g_new (double, n_fit);
  fold->held_target = g_new (double, n_held);
  for (gsize r = 0; r < n_fit; r++)
    fold->fit_target[r] = context->target[fit[r]];
  for (gsize r = 0; r < n_held; r++)
    fold->held_target[r] = context->target[held[r]];
  fold->held_rows = g_steal_pointer (&held);
  return TRUE;
}

/* All edits on the fold's own weights; the terms are those of @changes. @before: of the last edit; may be NULL. */
static MtRuleSet *
edit_fold (const MtEditContext  *context,
           const Fold           *fold,
           const MtRuleSet      *base,
           const MtEdit * const *edits,
           MtEditChange         *changes,
           guint                 n_edits,
           double               *before,
           GCancellable         *cancellable,
           GError              **error)
{
  MtEditContext own = *context;
  g_autoptr (MtRuleSet) rules = NULL;

  own.encoded = fold->fit;
  own.target = fold->fit_target;
  rules = mt_edit_refit (base, own.encoded, own.target, own.balance_classes, cancellable, error);
  if (rules == NULL)
    return NULL;
  for (guint i = 0; i < n_edits; i++)
    {
      MtRuleSet *next;

      if (i == n_edits - 1 && before != NULL)
        *before = mt_rule_set_metric (rules, fold->held, fold->held_target);
      next = mt_edit_reweigh (&own, rules, edits[i], &changes[i], cancellable, error);
      if (next == NULL)
        return NULL;
      mt_rule_set_unref (rules);
      rules = next;
    }
  return g_steal_pointer (&rules);
}

static gboolean
judge_fold (const MtEditContext  *context,
            const Fold           *fold,
            const MtRuleSet      *base,
            const MtEdit * const *edits,
            MtEditChange         *changes,
            guint                 n_edits,
            double               *before,
            double               *after,
            GCancellable         *cancellable,
            GError              **error)
{
  g_autoptr (MtRuleSet) rules = edit_fold (context, fold, base, edits, changes, n_edits, before, cancellable, error);

  if (rules == NULL)
    return FALSE;
  *after = mt_rule_set_metric (rules, fold->held, fold->held_target);
  return TRUE;
}

static gboolean
judge_folds (const MtEditContext  *context,
             const MtRuleSet      *base,
             const MtEdit * const *edits,
             MtEditChange         *changes,
             guint                 n_edits,
             MtEditRecord         *record,
             GCancellable         *cancellable,
             GError              **error)
{
  g_autofree double *before = g_new (double, context->n_folds);
  g_autofree double *after = g_new (double, context->n_folds);
  double difference;
  guint n = 0;

  for (guint f = 0; f < context->n_folds; f++)
    {
      Fold fold = { NULL };
      gboolean ok = TRUE;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (fold_init (&fold, context, f))
        {
          ok = judge_fold (context, &fold, base, edits, changes, n_edits, &before[n], &after[n], cancellable, error);
          n += ok && isfinite (before[n]) && isfinite (after[n]);
        }
      fold_clear (&fold);
      if (!ok)
        return FALSE;
    }
  record->is_judged = n > 0;
  if (n == 0)
    return TRUE;
  record->metric = mt_rule_set_get_task (base) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  mt_frontier_mean_and_error (before, NULL, n, n, &record->before, &record->after_se);
  mt_frontier_mean_and_error (after, NULL, n, n, &record->after, &record->after_se);
  mt_frontier_mean_and_error (after, before, n, n, &difference, &record->difference_se);
  return TRUE;
}

/* What each edit does to the terms, one after the other. */
static gboolean
make_changes (const MtEditContext  *context,
              const MtRuleSet      *base,
              const MtEdit * const *edits,
              MtEditChange         *changes,
              guint                 n_edits,
              GCancellable         *cancellable,
              GError              **error)
{
  g_autoptr (MtRuleSet) rules = mt_rule_set_ref ((MtRuleSet *) base);

  for (guint i = 0; i < n_edits; i++)
    {
      MtRuleSet *next = mt_edit_step (context, rules, edits[i], &changes[i], cancellable, error);

      if (next == NULL)
        return FALSE;
      mt_rule_set_unref (rules);
      rules = next;
    }
  return TRUE;
}

gboolean
mt_edit_judge (const MtEditContext  *context,
               const MtRuleSet      *base,
               const MtEdit * const *edits,
               guint                 n_edits,
               MtEditRecord         *record,
               GCancellable         *cancellable,
               GError              **error)
{
  g_autofree MtEditChange *changes = g_new0 (MtEditChange, MAX (n_edits, 1));
  gboolean ok;

  g_return_val_if_fail (n_edits > 0 && context->encoded != NULL && context->fold_of != NULL, FALSE);

  record->is_judged = FALSE;
  ok = make_changes (context, base, edits, changes, n_edits, cancellable, error) &&
       judge_folds (context, base, edits, changes, n_edits, record, cancellable, error);
  for (guint i = 0; i < n_edits; i++)
    mt_edit_change_clear (&changes[i]);
  return ok;
}

/* --- predicting --- */

static gboolean
predict_fold (const MtEditContext  *context,
              const Fold           *fold,
              const MtRuleSet      *base,
              const MtEdit * const *edits,
              MtEditChange         *changes,
              guint                 n_edits,
              double               *predictions,
              GCancellable         *cancellable,
              GError              **error)
{
  g_autoptr (MtRuleSet) rules = edit_fold (context, fold, base, edits, changes, n_edits, NULL, cancellable, error);
  gsize n_rows = mt_encoded_get_n_rows (context->encoded), n_held = mt_encoded_get_n_rows (fold->held);
  guint n_outputs = mt_rule_set_get_n_outputs (base);
  g_autofree double *held = g_new (double, MAX (n_outputs * n_held, 1));

  if (rules == NULL)
    return FALSE;
  mt_rule_set_score (rules, fold->held, held);
  mt_task_link (mt_rule_set_get_task (base), n_outputs, n_held, held);
  for (guint c = 0; c < n_outputs; c++)
    for (gsize r = 0; r < n_held; r++)
      predictions[c * n_rows + fold->held_rows[r]] = held[c * n_held + r];
  return TRUE;
}

gboolean
mt_edit_predict_folds (const MtEditContext  *context,
                       const MtRuleSet      *base,
                       const MtEdit * const *edits,
                       guint                 n_edits,
                       double               *predictions,
                       GCancellable         *cancellable,
                       GError              **error)
{
  gsize n_rows = mt_encoded_get_n_rows (context->encoded);
  g_autofree MtEditChange *changes = g_new0 (MtEditChange, MAX (n_edits, 1));
  gboolean ok;

  g_return_val_if_fail (context->encoded != NULL && context->fold_of != NULL, FALSE);

  for (gsize i = 0; i < mt_rule_set_get_n_outputs (base) * n_rows; i++)
    predictions[i] = NAN;
  ok = make_changes (context, base, edits, changes, n_edits, cancellable, error);
  for (guint f = 0; f < context->n_folds && ok; f++)
    {
      Fold fold = { NULL };

      ok = !g_cancellable_set_error_if_cancelled (cancellable, error) &&
           (!fold_init (&fold, context, f) ||
            predict_fold (context, &fold, base, edits, changes, n_edits, predictions, cancellable, error));
      fold_clear (&fold);
    }
  for (guint i = 0; i < n_edits; i++)
    mt_edit_change_clear (&changes[i]);
  return ok;
}
