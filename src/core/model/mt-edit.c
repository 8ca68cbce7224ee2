/* A model changed by hand: one small change at a time, each with a reason. See mt-edit.h. */
#include "config.h"
#include "mt-edit-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "rules/mt-rule-text.h"

static const char * const kind_words[MT_N_EDITS] = {
  [MT_EDIT_DROP_RULE] = "drop-rule",
  [MT_EDIT_DROP_TERM] = "drop-term",
  [MT_EDIT_DROP_INPUT] = "drop-input",
  [MT_EDIT_MERGE_THRESHOLDS] = "merge-thresholds",
  [MT_EDIT_ROUND_WEIGHTS] = "round-weights",
  [MT_EDIT_FORBID_COLUMN] = "forbid-column",
  [MT_EDIT_REFIT] = "refit",
  [MT_EDIT_SET_CUTOFF] = "set-cutoff",
  [MT_EDIT_SET_WEIGHT] = "set-weight",
  [MT_EDIT_SET_THRESHOLD] = "set-threshold",
  [MT_EDIT_ADD_RULE] = "add-rule",
};

const char *
mt_edit_kind_to_string (MtEditKind kind)
{
  g_return_val_if_fail ((guint) kind < MT_N_EDITS, NULL);
  return kind_words[kind];
}

gboolean
mt_edit_kind_from_string (const char *text,
                          MtEditKind *kind)
{
  for (guint i = 0; i < MT_N_EDITS; i++)
    if (strcmp (text, kind_words[i]) == 0)
      {
        *kind = (MtEditKind) i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
kind_needs_rows (MtEditKind kind)
{
  return kind == MT_EDIT_REFIT;
}

char *
mt_edit_record_dup_text (const MtEditRecord *record)
{
  const MtEdit *edit = &record->edit;
  char from[MT_DECIMAL_SIZE], to[MT_DECIMAL_SIZE];

  switch (edit->kind)
    {
    case MT_EDIT_DROP_RULE:
      return g_strdup_printf ("dropped: %s", record->rule);
    case MT_EDIT_DROP_TERM:
      return g_strdup_printf ("removed alternative: %s; of the rule: %s", record->part, record->rule);
    case MT_EDIT_DROP_INPUT:
      return g_strdup_printf ("removed condition: %s; of the rule: %s", record->part, record->rule);
    case MT_EDIT_MERGE_THRESHOLDS:
      return g_strdup_printf ("merged thresholds of %s: %s into %s", edit->column, mt_decimal_write (edit->from, from),
                              mt_decimal_write (edit->to, to));
    case MT_EDIT_ROUND_WEIGHTS:
      return edit->points > 0 ? g_strdup_printf ("rounded weights to points, the strongest to %u", edit->points)
                              : g_strdup_printf ("rounded weights to %u decimals", edit->decimals);
    case MT_EDIT_FORBID_COLUMN:
      return g_strdup_printf ("forbade the column %s", edit->column);
    case MT_EDIT_REFIT:
      return g_strdup ("refitted the weights");
    case MT_EDIT_SET_CUTOFF:
      return g_strdup_printf ("changed the cutoff from %s to %s", mt_decimal_write (edit->from, from),
                              mt_decimal_write (edit->to, to));
    case MT_EDIT_SET_WEIGHT:
      return g_strdup_printf ("changed weight from %s to %s: %s", mt_decimal_write (edit->from, from),
                              mt_decimal_write (edit->to, to), record->rule);
    case MT_EDIT_SET_THRESHOLD:
      return g_strdup_printf ("changed threshold to %s: %s; of the rule: %s", mt_decimal_write (edit->to, to), record->part,
                              record->rule);
    case MT_EDIT_ADD_RULE:
      return g_strdup_printf ("added with weight %s: %s", mt_decimal_write (edit->to, to), record->rule);
    case MT_N_EDITS:
    default:
      g_return_val_if_reached (NULL);
    }
}

/* --- history --- */

struct _MtEditHistory {
  gatomicrefcount  ref_count;
  MtRuleSet       *base;
  GStringChunk    *strings;
  MtEditRecord    *records;
  guint            n_records;
};

static const char *
keep (MtEditHistory *self,
      const char    *text)
{
  return text != NULL ? g_string_chunk_insert (self->strings, text) : NULL;
}

static void
keep_record (MtEditHistory      *self,
             const MtEditRecord *record)
{
  MtEditRecord *kept = &self->records[self->n_records++];

  *kept = *record;
  kept->edit.column = keep (self, record->edit.column);
  kept->rule = keep (self, record->rule);
  kept->part = keep (self, record->part);
  kept->reason = keep (self, record->reason);
  kept->by = keep (self, record->by);
}

static MtEditHistory *
history_new (MtRuleSet *base,
             guint      n_records)
{
  MtEditHistory *self = g_new0 (MtEditHistory, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->base = base != NULL ? mt_rule_set_ref (base) : NULL;
  self->strings = g_string_chunk_new (256);
  self->records = g_new0 (MtEditRecord, MAX (n_records, 1));
  return self;
}

MtEditHistory *
mt_edit_history_new (MtRuleSet          *base,
                     const MtEditRecord *records,
                     guint               n_records)
{
  MtEditHistory *self = history_new (base, n_records);

  for (guint i = 0; i < n_records; i++)
    keep_record (self, &records[i]);
  return self;
}

/* The same and one more. */
static MtEditHistory *
history_append (const MtEditHistory *history,
                const MtEditRecord  *record)
{
  MtEditHistory *self = history_new (history->base, history->n_records + 1);

  for (guint i = 0; i < history->n_records; i++)
    keep_record (self, &history->records[i]);
  keep_record (self, record);
  return self;
}

static gboolean
check_reason (const MtEditHistory  *history,
              const char           *reason,
              GError              **error)
{
  g_autofree char *stripped = reason != NULL && g_utf8_validate (reason, -1, NULL) ? g_strstrip (g_strdup (reason)) : NULL;

  if (stripped == NULL || *stripped == '\0')
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "an edit needs a reason");
      return FALSE;
    }
  if (strlen (stripped) > MT_EDIT_MAX_REASON)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the reason is longer than %u bytes; shorten it",
                   MT_EDIT_MAX_REASON);
      return FALSE;
    }
  if (history != NULL && mt_edit_history_get_n (history) >= MT_EDIT_MAX_EDITS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the model has the maximum of %u edits; train again",
                   MT_EDIT_MAX_EDITS);
      return FALSE;
    }
  return TRUE;
}

MtEditHistory *
mt_edit_history_sign (const MtEditHistory  *history,
                      const char           *reason,
                      const char           *by,
                      gint64                made,
                      GError              **error)
{
  g_autofree char *stripped = NULL;
  MtEditHistory *self;
  MtEditRecord *last;

  g_return_val_if_fail (history->n_records > 0, NULL);

  if (!check_reason (NULL, reason, error))
    return NULL;
  stripped = g_strstrip (g_strdup (reason));
  self = mt_edit_history_new (history->base, history->records, history->n_records);
  last = &self->records[self->n_records - 1];
  last->reason = keep (self, stripped);
  last->by = keep (self, by);
  last->made = made;
  return self;
}

double
mt_edit_history_get_shift (const MtEditHistory *self,
                           guint                from)
{
  double shift = 0;

  for (guint i = from; i < self->n_records; i++)
    if (self->records[i].is_judged)
      shift += self->records[i].after - self->records[i].before;
  return shift;
}

MtEditHistory *
mt_edit_history_ref (MtEditHistory *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_edit_history_unref (MtEditHistory *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  mt_rule_set_unref (self->base);
  g_string_chunk_free (self->strings);
  g_free (self->records);
  g_free (self);
}

MtRuleSet *
mt_edit_history_get_base (const MtEditHistory *self)
{
  return self->base;
}

guint
mt_edit_history_get_n (const MtEditHistory *self)
{
  return self->n_records;
}

const MtEditRecord *
mt_edit_history_get (const MtEditHistory *self,
                     guint                index)
{
  g_return_val_if_fail (index < MAX (self->n_records, 1), NULL);
  return &self->records[index];
}

/* --- doing it --- */

static gboolean
check_parameters (const MtEditContext  *context,
                  const MtEdit         *edit,
                  GError              **error)
{
  if (kind_needs_rows (edit->kind) && context->encoded == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   "refitting needs the training rows; open the model together with its data");
      return FALSE;
    }
  if (edit->kind == MT_EDIT_ROUND_WEIGHTS &&
      (edit->decimals > MT_EDIT_MAX_DECIMALS || edit->points > MT_EDIT_MAX_POINTS))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "weights can be rounded to 0 to %u decimals, or to 1 to "
                                                     "%u points",
                   MT_EDIT_MAX_DECIMALS, MT_EDIT_MAX_POINTS);
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_idle (const MtTerm *term,
         guint         n_outputs)
{
  for (guint c = 0; c < n_outputs; c++)
    if (term->weights[c] != 0)
      return FALSE;
  return TRUE;
}

/* Terms whose weights were all rounded away are terms no longer. */
static void
leave_out_idle (MtEditChange    *change,
                const MtRuleSet *rounded,
                guint            n_old)
{
  g_autofree int *to = g_new (int, change->n_terms + 1);
  guint n = 0;

  for (guint t = 0; t < change->n_terms; t++)
    {
      if (is_idle (mt_rule_set_get_term (rounded, t), mt_rule_set_get_n_outputs (rounded)))
        {
          to[t] = MT_EDIT_GONE;
          g_clear_pointer (&change->terms[t].rule, mt_rule_unref);
          continue;
        }
      to[t] = (int) n;
      change->terms[n++] = change->terms[t];
    }
  for (guint t = 0; t < n_old; t++)
    if (change->place[t] >= 0)
      change->place[t] = to[change->place[t]];
  change->n_terms = n;
}

static gboolean
has_same_weights (const MtRuleSet *a,
                  const MtRuleSet *b)
{
  guint n_outputs = mt_rule_set_get_n_outputs (a);
  gsize n_bytes = n_outputs * sizeof (double);

  if (mt_rule_set_get_n_terms (a) != mt_rule_set_get_n_terms (b) ||
      memcmp (mt_rule_set_get_bias (a), mt_rule_set_get_bias (b), n_bytes) != 0)
    return FALSE;
  for (guint t = 0; t < mt_rule_set_get_n_terms (a); t++)
    if (memcmp (mt_rule_set_get_term (a, t)->weights, mt_rule_set_get_term (b, t)->weights, n_bytes) != 0)
      return FALSE;
  return TRUE;
}

MtRuleSet *
mt_edit_step (const MtEditContext  *context,
              const MtRuleSet      *rules,
              const MtEdit         *edit,
              MtEditChange         *change,
              GCancellable         *cancellable,
              GError              **error)
{
  g_autoptr (MtRuleSet) edited = NULL;
  g_autoptr (GError) broken = NULL;

  if (!check_parameters (context, edit, error) || !mt_edit_change (context, rules, edit, change, cancellable, error))
    return NULL;
  if (edit->kind == MT_EDIT_SET_CUTOFF && edit->to == mt_rule_set_get_cutoff (rules))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "nothing would change: the cutoff is already this");
      return NULL;
    }
  edited = mt_edit_reweigh (context, rules, edit, change, cancellable, error);
  if (edited != NULL && (edit->kind == MT_EDIT_ROUND_WEIGHTS || edit->kind == MT_EDIT_SET_WEIGHT))
    {
      if (has_same_weights (rules, edited))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, edit->kind == MT_EDIT_SET_WEIGHT
                       ? "nothing would change: the weight is already this"
                       : "nothing would change: the weights are already rounded");
          return NULL;
        }
      leave_out_idle (change, edited, mt_rule_set_get_n_terms (rules));
      mt_rule_set_unref (edited);
      edited = mt_edit_reweigh (context, rules, edit, change, cancellable, error);
    }
  if (edited != NULL && !mt_constraints_check_rules (context->constraints, context->encoder, edited, &broken))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   "the edit would violate a constraint of the model: %s. Make another edit, or train "
                   "without the constraint", broken->message);
      return NULL;
    }
  return g_steal_pointer (&edited);
}

MtRuleSet *
mt_edit_apply (const MtEditContext  *context,
               const MtRuleSet      *rules,
               const MtEdit         *edit,
               GCancellable         *cancellable,
               GError              **error)
{
  g_auto (MtEditChange) change = { NULL };

  g_return_val_if_fail (context != NULL && rules != NULL && edit != NULL, NULL);
  return mt_edit_step (context, rules, edit, &change, cancellable, error);
}

/* The texts that the record has of the rules as they were, and of the rule that was added, and its number. */
static void
describe (const MtEditContext *context,
          const MtRuleSet     *rules,
          const MtRuleSet     *edited,
          const MtEdit        *edit,
          MtEditRecord        *record,
          char               **rule,
          char               **part)
{
  const MtTerm *term;

  if (!mt_edit_kind_is_of_term (edit->kind) && edit->kind != MT_EDIT_ADD_RULE)
    return;
  term = edit->kind == MT_EDIT_ADD_RULE ? mt_rule_set_get_term (edited, mt_rule_set_get_n_terms (edited) - 1)
                                        : mt_rule_set_get_term (rules, edit->term);
  *rule = mt_term_dup_text (term, context->encoder);
  record->number = term->number;
  if (edit->kind == MT_EDIT_SET_WEIGHT)
    record->edit.from = mt_edit_get_weight (rules, context->encoder, edit->term, edit->part);
  else if (edit->kind == MT_EDIT_SET_THRESHOLD)
    record->edit.from = mt_encoder_get_literal (context->encoder, mt_rule_get_inputs (term->rule)[edit->part])->threshold;
  if (edit->kind == MT_EDIT_DROP_TERM)
    *part = mt_rule_dup_cube_text (term->rule, context->encoder, edit->part);
  else if (edit->kind == MT_EDIT_DROP_INPUT || edit->kind == MT_EDIT_SET_THRESHOLD)
    *part = mt_encoder_dup_literal_text (context->encoder, mt_rule_get_inputs (term->rule)[edit->part], FALSE);
}

double
mt_edit_get_weight (const MtRuleSet *rules,
                    const MtEncoder *encoder,
                    guint            term,
                    guint            output)
{
  const MtTerm *about = mt_rule_set_get_term (rules, term);

  return about->weights[output] / (about->is_numeric ? mt_term_get_unary (about, encoder)->sd : 1);
}

/* The last rule, which was added, gets a number that none of the model had before, removed ones included. */
static void
give_new_number (MtRuleSet           **rules,
                 const MtEditHistory  *history)
{
  guint n_terms = mt_rule_set_get_n_terms (*rules), last = mt_rule_set_get_last_number (*rules) - 1;
  g_autofree MtTerm *terms = NULL;
  MtRuleSet *numbered;

  if (history == NULL)
    return;
  if (history->base != NULL)
    last = MAX (last, mt_rule_set_get_last_number (history->base));
  for (guint i = 0; i < history->n_records; i++)
    last = MAX (last, history->records[i].number);
  if (last + 1 == mt_rule_set_get_last_number (*rules))
    return;
  terms = g_new (MtTerm, n_terms);
  for (guint t = 0; t < n_terms; t++)
    terms[t] = *mt_rule_set_get_term (*rules, t);
  terms[n_terms - 1].number = last + 1;
  numbered = mt_rule_set_new (mt_rule_set_get_task (*rules), mt_rule_set_get_n_outputs (*rules),
                              mt_rule_set_get_bias (*rules), terms, n_terms, NULL);
  numbered = mt_edit_keep_cutoff (numbered, mt_rule_set_get_cutoff (*rules), NULL);
  g_return_if_fail (numbered != NULL);
  mt_rule_set_unref (*rules);
  *rules = numbered;
}

/* Since the rules that are known to have been before the first of them. */
static gboolean
judge (const MtEditContext  *context,
       const MtRuleSet      *rules,
       const MtEditHistory  *history,
       const MtEdit         *edit,
       MtEditRecord         *record,
       GCancellable         *cancellable,
       GError              **error)
{
  MtRuleSet *base = history != NULL ? mt_edit_history_get_base (history) : NULL;
  guint n = base != NULL ? mt_edit_history_get_n (history) : 0;
  g_autofree const MtEdit **edits = g_new (const MtEdit *, n + 1);

  if (context->encoded == NULL || context->fold_of == NULL || context->n_folds < 2)
    return TRUE;
  for (guint i = 0; i < n; i++)
    edits[i] = &mt_edit_history_get (history, i)->edit;
  edits[n] = edit;
  return mt_edit_judge (context, base != NULL ? base : rules, edits, n + 1, record, cancellable, error);
}

MtRuleSet *
mt_edit_make (const MtEditContext  *context,
              const MtRuleSet      *rules,
              const MtEditHistory  *history,
              const MtEdit         *edit,
              const char           *reason,
              MtEditHistory       **new_history,
              GCancellable         *cancellable,
              GError              **error)
{
  g_autoptr (MtRuleSet) edited = NULL;
  g_autofree char *rule = NULL;
  g_autofree char *part = NULL;
  g_autofree char *stripped = NULL;
  MtEditRecord record = { *edit };
  MtEdit fitted = *edit;

  if (edit->kind == MT_EDIT_SET_CUTOFF)
    record.edit.from = mt_rule_set_get_cutoff (rules);
  if (!check_reason (history, reason, error))
    return NULL;
  if (edit->kind == MT_EDIT_ADD_RULE && isnan (edit->to))
    {
      if (!mt_edit_fit_weight (context, rules, &fitted, cancellable, error))
        return NULL;
      edit = &fitted;
      record.edit = fitted;
    }
  edited = mt_edit_apply (context, rules, edit, cancellable, error);
  if (edited == NULL || !judge (context, rules, history, edit, &record, cancellable, error))
    return NULL;
  if (edit->kind == MT_EDIT_ADD_RULE)
    give_new_number (&edited, history);
  describe (context, rules, edited, edit, &record, &rule, &part);
  stripped = g_strstrip (g_strdup (reason));
  record.rule = rule;
  record.part = part;
  record.reason = stripped;
  record.literals_before = mt_rule_set_get_complexity (rules);
  record.literals_after = mt_rule_set_get_complexity (edited);
  *new_history = history != NULL ? history_append (history, &record)
                                 : mt_edit_history_new ((MtRuleSet *) rules, &record, 1);
  return g_steal_pointer (&edited);
}
