/* What an edit does to the rules themselves. A rule that changes goes by way of its truth table: up to
 * 16 inputs, usually 1–5. */
#include "config.h"
#include "mt-edit-private.h"

#include <string.h>

#include "base/mt-error.h"
#include "logic/mt-qmc.h"
#include "rules/mt-rule-text.h"
#include "logic/mt-truth-table.h"

typedef struct {
  const MtEditContext *context;
  const MtRuleSet     *rules;
  MtEditChange        *change;
  GCancellable        *cancellable;
} Changing;

/* A rule as it is to be, before it is minimized. */
typedef struct {
  guint    inputs[MT_RULE_MAX_INPUTS];
  guint    n_inputs;
  guint64 *on;
  guint64 *unseen;      /* NULL: not known */
} Draft;

static void
draft_init (Draft       *draft,
            const guint *inputs,
            guint        n_inputs)
{
  memcpy (draft->inputs, inputs, n_inputs * sizeof *inputs);
  draft->n_inputs = n_inputs;
  draft->on = g_new0 (guint64, mt_truth_table_n_words (n_inputs));
  draft->unseen = g_new0 (guint64, mt_truth_table_n_words (n_inputs));
}

static void
draft_clear (Draft *draft)
{
  g_free (draft->on);
  g_free (draft->unseen);
}

/* Without bit @i. */
static guint32
without_bit (guint32 v,
             guint   i)
{
  return (v >> (i + 1) << i) | (v & ((1u << i) - 1));
}

static gboolean
is_in (const guint64 *set,
       guint32        v)
{
  return set != NULL && mt_truth_table_get (set, v);
}

/* No training row has assignment @v. */
static gboolean
is_never_seen (const MtRule  *rule,
               const guint64 *impossible,
               guint32        v)
{
  return is_in (mt_rule_get_dont_care (rule, MT_DONT_CARE_UNSEEN), v) || is_in (impossible, v);
}

static guint64 *
find_impossible (const Changing *self,
                 const guint    *inputs,
                 guint           n_inputs)
{
  guint64 *words = g_new0 (guint64, mt_truth_table_n_words (n_inputs));

  mt_encoder_impossible (self->context->encoder, inputs, n_inputs, words);
  return words;
}

/* --- minimizing --- */

/* Takes the inputs out that the cover does not ask; an assignment of the rest is unseen if all of its
 * were. */
static void
leave_out_unused (Draft   *draft,
                  MtCover *cover)
{
  guint32 used = 0;

  for (guint c = 0; c < cover->n_cubes; c++)
    used |= cover->cubes[c].mask;
  for (guint i = draft->n_inputs; i-- > 0;)
    {
      if (used >> i & 1)
        continue;
      for (guint c = 0; c < cover->n_cubes; c++)
        {
          cover->cubes[c].mask = without_bit (cover->cubes[c].mask, i);
          cover->cubes[c].value = without_bit (cover->cubes[c].value, i);
        }
      if (draft->unseen != NULL)
        {
          g_autofree guint64 *both = g_new0 (guint64, mt_truth_table_n_words (draft->n_inputs));

          mt_truth_table_flip (draft->n_inputs, draft->unseen, i, both);
          mt_truth_table_and (draft->n_inputs, draft->unseen, both, both);
          mt_truth_table_remove (draft->n_inputs, both, i, FALSE, draft->unseen);
        }
      memmove (&draft->inputs[i], &draft->inputs[i + 1], (draft->n_inputs - i - 1) * sizeof draft->inputs[0]);
      draft->n_inputs--;
    }
}

/* What the truth table tells of @draft's inputs that no row has is said of them apart. */
static MtRule *
rule_from_cover (const Changing *self,
                 Draft          *draft,
                 const MtCover  *cover)
{
  g_autofree guint64 *impossible = find_impossible (self, draft->inputs, draft->n_inputs);
  const guint64 *sets[MT_N_DONT_CARES] = { NULL };

  if (self->context->dont_care != MT_DONT_CARE_MODE_OFF)
    sets[MT_DONT_CARE_IMPOSSIBLE] = impossible;
  if (self->context->dont_care == MT_DONT_CARE_MODE_UNSEEN && draft->unseen != NULL)
    {
      mt_truth_table_and_not (draft->n_inputs, draft->unseen, impossible, draft->unseen);
      sets[MT_DONT_CARE_UNSEEN] = draft->unseen;
    }
  return mt_rule_new (draft->inputs, draft->n_inputs, cover->cubes, cover->n_cubes, sets, cover->proven, NULL);
}

/* @rule: what the draft says, minimized; NULL when that is the same for all rows: @always says which. */
static gboolean
finish_rule (const Changing  *self,
             Draft           *draft,
             MtRule         **rule,
             gboolean        *always,
             GError         **error)
{
  const MtQmcOptions options = { 0, self->cancellable };
  gboolean is_free = self->context->dont_care != MT_DONT_CARE_MODE_OFF;
  g_autofree guint64 *impossible = find_impossible (self, draft->inputs, draft->n_inputs);
  g_autoptr (MtOrigin) by_hand = mt_origin_new_edit ();
  g_auto (MtCover) cover = { NULL };

  *rule = NULL;
  *always = FALSE;
  if (draft->n_inputs == 0)
    {
      *always = draft->on[0] & 1;
      return TRUE;
    }
  if (!mt_qmc_minimize (draft->n_inputs, draft->on, is_free ? impossible : NULL, &options, &cover))
    return g_cancellable_set_error_if_cancelled (self->cancellable, error), FALSE;
  if (cover.n_cubes == 0)
    return TRUE;
  if (cover.cubes[0].mask == 0)
    {
      *always = TRUE;
      return TRUE;
    }
  leave_out_unused (draft, &cover);
  *rule = rule_from_cover (self, draft, &cover);
  g_assert (*rule != NULL);
  mt_rule_set_origin (*rule, by_hand);
  return TRUE;
}

/* --- the ways a rule changes --- */

static void
draft_without_cube (const Changing *self,
                    const MtRule   *rule,
                    guint           dropped,
                    Draft          *draft)
{
  guint n = mt_rule_get_n_inputs (rule);
  g_autofree guint64 *impossible = find_impossible (self, mt_rule_get_inputs (rule), n);

  draft_init (draft, mt_rule_get_inputs (rule), n);
  for (guint32 v = 0; v < 1u << n; v++)
    {
      for (guint c = 0; c < mt_rule_get_n_cubes (rule); c++)
        if (c != dropped && mt_cube_covers (&mt_rule_get_cubes (rule)[c], v))
          mt_truth_table_set (draft->on, v, TRUE);
      mt_truth_table_set (draft->unseen, v, is_never_seen (rule, impossible, v));
    }
}

/* Without the inputs in @dropped, a set of bits. */
static void
draft_without_inputs (const Changing *self,
                      const MtRule   *rule,
                      guint32         dropped,
                      Draft          *draft)
{
  guint n = mt_rule_get_n_inputs (rule), n_left = 0;
  g_autofree guint64 *impossible = find_impossible (self, mt_rule_get_inputs (rule), n);
  guint left[MT_RULE_MAX_INPUTS];

  for (guint i = 0; i < n; i++)
    if (!(dropped >> i & 1))
      left[n_left++] = mt_rule_get_inputs (rule)[i];
  draft_init (draft, left, n_left);
  mt_truth_table_fill (n_left, TRUE, draft->unseen);
  for (guint32 u = 0; u < 1u << n; u++)
    {
      guint32 v = u;

      if (is_in (impossible, u))
        continue;
      for (guint i = n; i-- > 0;)
        if (dropped >> i & 1)
          v = without_bit (v, i);
      if (mt_truth_table_get (mt_rule_get_table (rule), u))
        mt_truth_table_set (draft->on, v, TRUE);
      if (!is_never_seen (rule, impossible, u))
        mt_truth_table_set (draft->unseen, v, FALSE);
    }
}

/* Input @index asks @literal instead, which may be among the inputs already. */
static void
draft_with_literal (const Changing *self,
                    const MtRule   *rule,
                    guint           index,
                    guint           literal,
                    Draft          *draft)
{
  const guint *old = mt_rule_get_inputs (rule);
  guint n = mt_rule_get_n_inputs (rule), n_new = 0, place[MT_RULE_MAX_INPUTS];
  guint inputs[MT_RULE_MAX_INPUTS];
  gboolean is_there = FALSE, is_put = FALSE;

  for (guint i = 0; i < n; i++)
    is_there = is_there || old[i] == literal;
  if (is_there)
    {
      draft_without_inputs (self, rule, 1u << index, draft);
      mt_truth_table_fill (draft->n_inputs, FALSE, draft->on);
    }
  for (guint i = 0; i < n; i++)
    {
      if (!is_there && !is_put && old[i] > literal)
        {
          inputs[n_new++] = literal;
          is_put = TRUE;
        }
      if (i != index)
        inputs[n_new++] = old[i];
    }
  if (!is_there && !is_put)
    inputs[n_new++] = literal;
  if (!is_there)
    {
      draft_init (draft, inputs, n_new);
      g_clear_pointer (&draft->unseen, g_free);   /* which rows have it takes rows to tell */
    }
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n_new; j++)
      if (inputs[j] == (i == index ? literal : old[i]))
        place[i] = j;
  for (guint32 v = 0; v < 1u << n_new; v++)
    {
      guint32 u = 0;

      for (guint i = 0; i < n; i++)
        u |= (v >> place[i] & 1) << i;
      mt_truth_table_set (draft->on, v, mt_truth_table_get (mt_rule_get_table (rule), u));
    }
}

/* --- terms --- */

static gboolean
same_rule (const Changing *self,
           const MtRule   *a,
           const MtRule   *b)
{
  guint n = mt_rule_get_n_inputs (a);
  g_autofree guint64 *impossible = NULL;
  g_autofree guint64 *differ = NULL;

  if (n != mt_rule_get_n_inputs (b) ||
      memcmp (mt_rule_get_inputs (a), mt_rule_get_inputs (b), n * sizeof (guint)) != 0)
    return FALSE;
  impossible = find_impossible (self, mt_rule_get_inputs (a), n);
  differ = g_new (guint64, mt_truth_table_n_words (n));
  mt_truth_table_xor (n, mt_rule_get_table (a), mt_rule_get_table (b), differ);
  mt_truth_table_and_not (n, differ, impossible, differ);
  return mt_truth_table_is_false (n, differ);
}

/* Takes @rule, which is the changed one. */
static void
put_rule (Changing *self,
          guint     term,
          MtRule   *rule)
{
  MtEditChange *change = self->change;

  for (guint t = 0; t < change->n_terms; t++)
    if (change->terms[t].rule != NULL && same_rule (self, change->terms[t].rule, rule))
      {
        change->place[term] = (int) t;
        mt_rule_unref (rule);
        return;
      }
  change->place[term] = (int) change->n_terms;
  change->terms[change->n_terms++] = (MtTerm) { .rule = rule, .number = mt_rule_set_get_term (self->rules, term)->number };
}

/* What is neutral depends on the weights, of which some change. */
static MtRule *
without_neutral (const MtRule *rule)
{
  const guint64 *sets[MT_N_DONT_CARES] = {
    mt_rule_get_dont_care (rule, MT_DONT_CARE_IMPOSSIBLE), mt_rule_get_dont_care (rule, MT_DONT_CARE_UNSEEN), NULL,
  };
  MtRule *copy = mt_rule_new (mt_rule_get_inputs (rule), mt_rule_get_n_inputs (rule), mt_rule_get_cubes (rule),
                              mt_rule_get_n_cubes (rule), sets, mt_rule_get_proven (rule), NULL);

  mt_rule_set_origin (copy, mt_rule_get_origin (rule));
  return copy;
}

static void
put_as_it_is (Changing *self,
              guint     term)
{
  const MtTerm *old = mt_rule_set_get_term (self->rules, term);

  if (!old->is_numeric)
    {
      put_rule (self, term, without_neutral (old->rule));
      return;
    }
  self->change->place[term] = (int) self->change->n_terms;
  self->change->terms[self->change->n_terms++] = (MtTerm) { .is_numeric = TRUE, .numeric = old->numeric };
}

static gboolean
put_draft (Changing  *self,
           guint      term,
           Draft     *draft,
           GError   **error)
{
  MtRule *rule;
  gboolean always;

  if (!finish_rule (self, draft, &rule, &always, error))
    return FALSE;
  if (rule != NULL)
    put_rule (self, term, rule);
  else
    self->change->place[term] = always ? MT_EDIT_TO_BIAS : MT_EDIT_GONE;
  return TRUE;
}

/* --- the edits --- */

static gboolean
find_column (const MtEncoder *encoder,
             const char      *name,
             guint           *column,
             GError         **error)
{
  for (guint i = 0; name != NULL && i < mt_encoder_get_n_columns (encoder); i++)
    if (strcmp (mt_encoder_get_column_name (encoder, i), name) == 0)
      {
        *column = i;
        return TRUE;
      }
  return mt_refuse (error, MT_ERROR_PARAMS, "the model has no column “%s”", name != NULL ? name : "");
}

static gboolean
find_threshold (const MtEncoder *encoder,
                guint            column,
                double           threshold,
                guint           *literal,
                GError         **error)
{
  g_autofree char *text = NULL;

  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    {
      const MtLiteral *about = mt_encoder_get_literal (encoder, l);

      if (about->column == column && about->kind == MT_LITERAL_AT_LEAST && about->threshold == threshold)
        {
          *literal = l;
          return TRUE;
        }
    }
  text = mt_encoder_dup_value_text (encoder, column, threshold);
  return mt_refuse (error, MT_ERROR_PARAMS, "“%s” has no threshold %s",
                    mt_encoder_get_column_name (encoder, column), text);
}

static gboolean
find_rule (Changing      *self,
           const MtEdit  *edit,
           const MtRule **rule,
           GError       **error)
{
  if (edit->term >= mt_rule_set_get_n_terms (self->rules))
    return mt_refuse (error, MT_ERROR_PARAMS, "the model has %u terms; there is no term %u",
                      mt_rule_set_get_n_terms (self->rules),
                      edit->term + 1);
  *rule = mt_rule_set_get_term (self->rules, edit->term)->rule;
  if (*rule == NULL && edit->kind != MT_EDIT_DROP_RULE)
    return mt_refuse (error, MT_ERROR_PARAMS, "term %u is a linear term: it has no parts to remove",
                      edit->term + 1);
  return TRUE;
}

static gboolean
drop_part (Changing      *self,
           const MtEdit  *edit,
           GError       **error)
{
  const MtRule *rule;
  gboolean ok = TRUE;

  if (!find_rule (self, edit, &rule, error))
    return FALSE;
  if (edit->kind == MT_EDIT_DROP_TERM && edit->part >= mt_rule_get_n_cubes (rule))
    return mt_refuse (error, MT_ERROR_PARAMS, "the rule has %u alternatives; there is no alternative %u",
                      mt_rule_get_n_cubes (rule), edit->part + 1);
  if (edit->kind == MT_EDIT_DROP_INPUT && edit->part >= mt_rule_get_n_inputs (rule))
    return mt_refuse (error, MT_ERROR_PARAMS, "the rule has %u conditions; there is no condition %u",
                      mt_rule_get_n_inputs (rule),
                      edit->part + 1);
  for (guint t = 0; t < mt_rule_set_get_n_terms (self->rules) && ok; t++)
    {
      Draft draft;

      if (t != edit->term)
        {
          put_as_it_is (self, t);
          continue;
        }
      if (edit->kind == MT_EDIT_DROP_RULE)
        continue;
      if (edit->kind == MT_EDIT_DROP_TERM)
        draft_without_cube (self, rule, edit->part, &draft);
      else
        draft_without_inputs (self, rule, 1u << edit->part, &draft);
      ok = put_draft (self, t, &draft, error);
      draft_clear (&draft);
    }
  return ok;
}

static gboolean
merge_thresholds (Changing      *self,
                  const MtEdit  *edit,
                  GError       **error)
{
  const MtEncoder *encoder = self->context->encoder;
  gboolean any = FALSE, ok = TRUE;
  guint column, from, to;

  if (!find_column (encoder, edit->column, &column, error) ||
      !find_threshold (encoder, column, edit->from, &from, error) ||
      !find_threshold (encoder, column, edit->to, &to, error))
    return FALSE;
  for (guint t = 0; t < mt_rule_set_get_n_terms (self->rules) && ok; t++)
    {
      const MtRule *rule = mt_rule_set_get_term (self->rules, t)->rule;
      guint index = 0, n = rule != NULL ? mt_rule_get_n_inputs (rule) : 0;
      Draft draft;

      while (index < n && mt_rule_get_inputs (rule)[index] != from)
        index++;
      if (index == n || from == to)
        {
          put_as_it_is (self, t);
          continue;
        }
      any = TRUE;
      draft_with_literal (self, rule, index, to, &draft);
      ok = put_draft (self, t, &draft, error);
      draft_clear (&draft);
    }
  if (ok && !any)
    {
      g_autofree char *text = mt_encoder_dup_value_text (encoder, column, edit->from);

      return mt_refuse (error, MT_ERROR_PARAMS, "nothing would change: no rule tests whether “%s” is at "
                                                "least %s%s",
                        edit->column, text,
                        from == to ? ", other than it would" : "");
    }
  return ok;
}

/* Of one rule only. */
static gboolean
set_threshold (Changing      *self,
               const MtEdit  *edit,
               GError       **error)
{
  const MtEncoder *encoder = self->context->encoder;
  const MtLiteral *asked;
  const MtRule *rule;
  gboolean ok = TRUE, has_some = FALSE;
  guint to;

  if (!find_rule (self, edit, &rule, error))
    return FALSE;
  if (edit->part >= mt_rule_get_n_inputs (rule))
    return mt_refuse (error, MT_ERROR_PARAMS, "the rule has %u conditions; there is no condition %u",
                      mt_rule_get_n_inputs (rule), edit->part + 1);
  asked = mt_encoder_get_literal (encoder, mt_rule_get_inputs (rule)[edit->part]);
  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    has_some = has_some || mt_encoder_get_literal (encoder, mt_rule_get_inputs (rule)[i])->kind == MT_LITERAL_AT_LEAST;
  if (!has_some)
    return mt_refuse (error, MT_ERROR_PARAMS, "the rule has no threshold; choose a rule about a number or a date");
  if (asked->kind != MT_LITERAL_AT_LEAST)
    return mt_refuse (error, MT_ERROR_PARAMS, "condition %u of the rule has no threshold", edit->part + 1);
  if (!find_threshold (encoder, asked->column, edit->to, &to, error))
    return FALSE;
  if (asked->threshold == edit->to)
    return mt_refuse (error, MT_ERROR_PARAMS, "nothing would change: the threshold is already this");
  for (guint t = 0; t < mt_rule_set_get_n_terms (self->rules) && ok; t++)
    {
      Draft draft;

      if (t != edit->term)
        {
          put_as_it_is (self, t);
          continue;
        }
      draft_with_literal (self, rule, edit->part, to, &draft);
      ok = put_draft (self, t, &draft, error);
      draft_clear (&draft);
    }
  return ok;
}

/* @draft: true where every condition is as the edit asks. Its inputs ascend. */
static gboolean
draft_conditions (const Changing  *self,
                  const MtEdit    *edit,
                  Draft           *draft,
                  GError         **error)
{
  guint n_known = mt_encoder_get_n_literals (self->context->encoder), inputs[MT_EDIT_MAX_CONDITIONS], n = 0;
  guint32 wanted = 0;

  if (edit->n_literals == 0 || edit->n_literals > MT_EDIT_MAX_CONDITIONS)
    return mt_refuse (error, MT_ERROR_PARAMS, "a rule that is added has 1 to %u conditions", MT_EDIT_MAX_CONDITIONS);
  for (guint i = 0; i < edit->n_literals; i++)
    {
      if (edit->literals[i] >= n_known)
        return mt_refuse (error, MT_ERROR_PARAMS, "the model has %u conditions; there is no condition %u", n_known,
                          edit->literals[i] + 1);
      for (guint k = 0; k < i; k++)
        if (edit->literals[k] == edit->literals[i])
          return mt_refuse (error, MT_ERROR_PARAMS, "a condition appears twice");
    }
  while (n < edit->n_literals)      /* the next one in order */
    {
      guint least = G_MAXUINT, at = 0;

      for (guint i = 0; i < edit->n_literals; i++)
        if (edit->literals[i] < least && (n == 0 || edit->literals[i] > inputs[n - 1]))
          {
            least = edit->literals[i];
            at = i;
          }
      wanted |= (edit->negated >> at & 1 ? 0u : 1u) << n;
      inputs[n++] = least;
    }
  draft_init (draft, inputs, n);
  g_clear_pointer (&draft->unseen, g_free);     /* which rows have it takes rows to tell */
  mt_truth_table_set (draft->on, wanted, TRUE);
  return TRUE;
}

static gboolean
add_rule (Changing      *self,
          const MtEdit  *edit,
          GError       **error)
{
  MtEditChange *change = self->change;
  gboolean always, ok;
  MtRule *rule;
  Draft draft;

  if (edit->part >= mt_rule_set_get_n_outputs (self->rules))
    return mt_refuse (error, MT_ERROR_PARAMS, "the model has %u scores; there is no score %u",
                      mt_rule_set_get_n_outputs (self->rules), edit->part + 1);
  if (edit->to == 0)
    return mt_refuse (error, MT_ERROR_PARAMS, "a rule that is added needs a weight other than 0");
  if (!draft_conditions (self, edit, &draft, error))
    return FALSE;
  for (guint t = 0; t < mt_rule_set_get_n_terms (self->rules); t++)
    put_as_it_is (self, t);
  ok = finish_rule (self, &draft, &rule, &always, error);
  draft_clear (&draft);
  if (!ok)
    return FALSE;
  if (rule == NULL)
    return mt_refuse (error, MT_ERROR_PARAMS, always ? "the rule would apply to every row; change the conditions"
                                                     : "no row can match all of the conditions; change them");
  for (guint t = 0; t < change->n_terms; t++)
    if (change->terms[t].rule != NULL && same_rule (self, change->terms[t].rule, rule))
      {
        mt_rule_unref (rule);
        return mt_refuse (error, MT_ERROR_PARAMS, "the model has this rule already, as rule %u; change its weight instead",
                          change->terms[t].number);
      }
  change->terms[change->n_terms++] = (MtTerm) { .rule = rule };
  return TRUE;
}

/* The terms stay; whether there is such a weight. */
static gboolean
check_weight (Changing      *self,
              const MtEdit  *edit,
              GError       **error)
{
  if (edit->term >= mt_rule_set_get_n_terms (self->rules))
    return mt_refuse (error, MT_ERROR_PARAMS, "the model has %u terms; there is no term %u",
                      mt_rule_set_get_n_terms (self->rules), edit->term + 1);
  if (edit->part >= mt_rule_set_get_n_outputs (self->rules))
    return mt_refuse (error, MT_ERROR_PARAMS, "the model has %u scores; there is no score %u",
                      mt_rule_set_get_n_outputs (self->rules), edit->part + 1);
  return TRUE;
}

static gboolean
forbid_column (Changing      *self,
               const MtEdit  *edit,
               GError       **error)
{
  const MtEncoder *encoder = self->context->encoder;
  gboolean any = FALSE, ok = TRUE;
  guint column;

  if (!find_column (encoder, edit->column, &column, error))
    return FALSE;
  for (guint t = 0; t < mt_rule_set_get_n_terms (self->rules) && ok; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (self->rules, t);
      guint32 dropped = 0;
      Draft draft;

      if (term->is_numeric && mt_term_get_unary (term, encoder)->column == column)
        {
          any = TRUE;
          continue;
        }
      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        if (mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[i])->column == column)
          dropped |= 1u << i;
      if (dropped == 0)
        {
          put_as_it_is (self, t);
          continue;
        }
      any = TRUE;
      draft_without_inputs (self, term->rule, dropped, &draft);
      ok = put_draft (self, t, &draft, error);
      draft_clear (&draft);
    }
  return any || !ok ? ok : mt_refuse (error, MT_ERROR_PARAMS, "nothing would change: no term uses “%s”",
                                      edit->column);
}

gboolean
mt_edit_change (const MtEditContext  *context,
                const MtRuleSet      *rules,
                const MtEdit         *edit,
                MtEditChange         *change,
                GCancellable         *cancellable,
                GError              **error)
{
  guint n = mt_rule_set_get_n_terms (rules);
  Changing self = { context, rules, change, cancellable };

  change->terms = g_new0 (MtTerm, n + 1);
  change->n_terms = 0;
  change->place = g_new (int, n + 1);
  for (guint t = 0; t < n; t++)
    change->place[t] = MT_EDIT_GONE;
  switch (edit->kind)
    {
    case MT_EDIT_DROP_RULE:
    case MT_EDIT_DROP_TERM:
    case MT_EDIT_DROP_INPUT:
      return drop_part (&self, edit, error);
    case MT_EDIT_MERGE_THRESHOLDS:
      return merge_thresholds (&self, edit, error);
    case MT_EDIT_FORBID_COLUMN:
      return forbid_column (&self, edit, error);
    case MT_EDIT_SET_THRESHOLD:
      return set_threshold (&self, edit, error);
    case MT_EDIT_ADD_RULE:
      return add_rule (&self, edit, error);
    case MT_EDIT_SET_WEIGHT:
      if (!check_weight (&self, edit, error))
        return FALSE;
      G_GNUC_FALLTHROUGH;
    case MT_EDIT_ROUND_WEIGHTS:
    case MT_EDIT_REFIT:
    case MT_EDIT_SET_CUTOFF:
      for (guint t = 0; t < n; t++)
        put_as_it_is (&self, t);
      return TRUE;
    case MT_N_EDITS:
    default:
      return mt_refuse (error, MT_ERROR_PARAMS, "there is no such edit");
    }
}

void
mt_edit_change_clear (MtEditChange *change)
{
  for (guint t = 0; t < change->n_terms; t++)
    mt_rule_unref (change->terms[t].rule);
  g_clear_pointer (&change->terms, g_free);
  g_clear_pointer (&change->place, g_free);
  change->n_terms = 0;
}
