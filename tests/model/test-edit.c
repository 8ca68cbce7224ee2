/* Edits of a model: what they do to its rules, row by row, and to its weights. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "edit-sample.h"
#include "rules/mt-linear-fit.h"
#include "rules/mt-interaction-scan.h"
#include "sample-models.h"
#include "testutils.h"

/* --- by hand, one row at a time --- */

static guint32
assignment_of (const MtRule    *rule,
               const MtEncoded *encoded,
               gsize            row)
{
  guint32 v = 0;

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    v |= (guint32) mt_plane_get (mt_encoded_get_plane (encoded, mt_rule_get_inputs (rule)[i]), row) << i;
  return v;
}

static gboolean
cover_says (const MtRule *rule,
            guint32       v,
            guint         except)
{
  for (guint c = 0; c < mt_rule_get_n_cubes (rule); c++)
    if (c != except && mt_cube_covers (&mt_rule_get_cubes (rule)[c], v))
      return TRUE;
  return FALSE;
}

/* True for some answers to the questions in @dropped that a row can give. */
static gboolean
some_says (const MtEditSample *self,
           const MtRule       *rule,
           guint32             v,
           guint32             dropped)
{
  guint n = mt_rule_get_n_inputs (rule);
  g_autofree guint64 *impossible = g_new0 (guint64, mt_truth_table_n_words (n));

  mt_encoder_impossible (mt_model_get_encoder (self->model), mt_rule_get_inputs (rule), n, impossible);
  for (guint32 u = 0; u < 1u << n; u++)
    if ((u & ~dropped) == (v & ~dropped) && !mt_truth_table_get (impossible, u) && cover_says (rule, u, G_MAXUINT))
      return TRUE;
  return FALSE;
}

static guint32
inputs_of_column (const MtEditSample *self,
                  const MtRule       *rule,
                  const char         *column)
{
  const MtEncoder *encoder = mt_model_get_encoder (self->model);
  guint32 set = 0;

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    {
      const MtLiteral *literal = mt_encoder_get_literal (encoder, mt_rule_get_inputs (rule)[i]);

      if (strcmp (mt_encoder_get_column_name (encoder, literal->column), column) == 0)
        set |= 1u << i;
    }
  return set;
}

static gboolean
is_of_column (const MtEditSample *self,
              const MtTerm       *term,
              const char         *column)
{
  const MtEncoder *encoder = mt_model_get_encoder (self->model);

  return term->is_numeric &&
         strcmp (mt_encoder_get_column_name (encoder, mt_term_get_unary (term, encoder)->column), column) == 0;
}

/* The rule with the answer to `x ≥ from` that `x ≥ to` has. */
static gboolean
merged_says (const MtEditSample *self,
             const MtRule       *rule,
             const MtEdit       *edit,
             gsize               row)
{
  const MtEncoder *encoder = mt_model_get_encoder (self->model);
  guint32 v = 0;

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    {
      guint asked = mt_rule_get_inputs (rule)[i];
      const MtLiteral *literal = mt_encoder_get_literal (encoder, asked);

      if (literal->kind == MT_LITERAL_AT_LEAST && literal->threshold == edit->from &&
          strcmp (mt_encoder_get_column_name (encoder, literal->column), edit->column) == 0)
        while (mt_encoder_get_literal (encoder, asked)->threshold != edit->to)
          asked += edit->to > edit->from ? 1 : -1;
      v |= (guint32) mt_plane_get (mt_encoded_get_plane (self->encoded, asked), row) << i;
    }
  return cover_says (rule, v, G_MAXUINT);
}

/* One rule with the answer to another threshold in the place of one input's. */
static gboolean
moved_says (const MtEditSample *self,
            const MtRule       *rule,
            const MtEdit       *edit,
            gsize               row)
{
  const MtEncoder *encoder = mt_model_get_encoder (self->model);
  guint32 v = 0;

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    {
      guint asked = mt_rule_get_inputs (rule)[i];

      if (i == edit->part)
        {
          int step = edit->to > mt_encoder_get_literal (encoder, asked)->threshold ? 1 : -1;

          while (mt_encoder_get_literal (encoder, asked)->threshold != edit->to)
            asked += step;
        }
      v |= (guint32) mt_plane_get (mt_encoded_get_plane (self->encoded, asked), row) << i;
    }
  return cover_says (rule, v, G_MAXUINT);
}

/* What a rule that was added gives the row. */
static double
share_of_added (const MtEditSample *self,
                const MtEdit       *edit,
                guint               output,
                gsize               row)
{
  if (edit->kind != MT_EDIT_ADD_RULE || output != edit->part)
    return 0;
  for (guint i = 0; i < edit->n_literals; i++)
    if ((guint) mt_plane_get (mt_encoded_get_plane (self->encoded, edit->literals[i]), row) == (edit->negated >> i & 1))
      return 0;
  return edit->to;
}

/* What a term of the unedited model adds to a row's score once the edit is made. */
static double
share_of_term (const MtEditSample *self,
               guint               t,
               const MtEdit       *edit,
               guint               output,
               gsize               row)
{
  const MtTerm *term = mt_rule_set_get_term (mt_edit_sample_rules (self), t);
  double weight = term->weights[output];
  guint32 v;

  if (edit->kind == MT_EDIT_DROP_RULE && t == edit->term)
    return 0;
  if (edit->kind == MT_EDIT_SET_WEIGHT && t == edit->term && output == edit->part)
    weight = edit->to * (term->is_numeric ? mt_term_get_unary (term, mt_model_get_encoder (self->model))->sd : 1);
  if (term->is_numeric)
    return edit->kind == MT_EDIT_FORBID_COLUMN && is_of_column (self, term, edit->column)
           ? 0 : weight * mt_encoded_get_numeric (self->encoded, term->numeric)[row];
  v = assignment_of (term->rule, self->encoded, row);
  if (edit->kind == MT_EDIT_FORBID_COLUMN)
    return weight * some_says (self, term->rule, v, inputs_of_column (self, term->rule, edit->column));
  if (edit->kind == MT_EDIT_MERGE_THRESHOLDS)
    return weight * merged_says (self, term->rule, edit, row);
  if (edit->kind == MT_EDIT_SET_THRESHOLD && t == edit->term)
    return weight * moved_says (self, term->rule, edit, row);
  if (edit->kind == MT_EDIT_DROP_TERM && t == edit->term)
    return weight * cover_says (term->rule, v, edit->part);
  if (edit->kind == MT_EDIT_DROP_INPUT && t == edit->term)
    return weight * some_says (self, term->rule, v, 1u << edit->part);
  return weight * cover_says (term->rule, v, G_MAXUINT);
}

/* The largest difference of a score between the edited rules and what they should be. */
static double
compare_by_hand (const MtEditSample *self,
                 const MtEdit       *edit,
                 const MtRuleSet    *edited)
{
  guint n_outputs = mt_rule_set_get_n_outputs (edited);
  gsize n_rows = mt_encoded_get_n_rows (self->encoded);
  g_autofree double *scores = g_new (double, n_outputs * n_rows);
  double most = 0;

  mt_rule_set_score (edited, self->encoded, scores);
  for (guint c = 0; c < n_outputs; c++)
    for (gsize r = 0; r < n_rows; r++)
      {
        double sum = mt_rule_set_get_bias (mt_edit_sample_rules (self))[c];

        for (guint t = 0; t < mt_rule_set_get_n_terms (mt_edit_sample_rules (self)); t++)
          sum += share_of_term (self, t, edit, c, r);
        sum += share_of_added (self, edit, c, r);
        most = fmax (most, fabs (sum - scores[c * n_rows + r]));
      }
  return most;
}

/* Another table than the rules were made with: rows that have what they call unseen. */
static void
look_at_other_rows (MtEditSample *self,
                    guint64       seed)
{
  MtTask task = mt_model_get_task (self->model);
  g_autoptr (MtTable) other = mt_test_sample_table (task, 3000, seed);
  g_autoptr (GError) error = NULL;

  mt_encoded_unref (self->encoded);
  self->encoded = mt_encoder_apply (mt_model_get_encoder (self->model), other, NULL, 0, NULL, &error);
  g_assert_no_error (error);
}

/* Every edit against brute force, on rows that the rules never saw. */
static void
test_by_hand (void)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };
  guint n_made[MT_N_EDITS] = { 0 };
  double planted = 0;

  for (guint s = 0; s < 24; s++)
    {
      MtEditSample sample;
      MtRandom random;

      mt_edit_sample_init (&sample, tasks[s % 3], 12, 100 + s);
      look_at_other_rows (&sample, 900 + s);
      mt_random_init (&random, s);
      for (guint kind = 0; kind < MT_N_EDITS; kind++)
        for (guint i = 0; i < 3 && kind != MT_EDIT_REFIT && kind != MT_EDIT_ROUND_WEIGHTS && kind != MT_EDIT_SET_CUTOFF; i++)
          {
            g_autoptr (MtRuleSet) edited = NULL;
            g_autoptr (GError) error = NULL;
            MtEdit edit, other;

            mt_edit_sample_draw (&sample, (MtEditKind) kind, &random, &edit);
            edited = mt_edit_apply (&sample.context, mt_edit_sample_rules (&sample), &edit, NULL, &error);
            if (g_error_matches (error, MT_ERROR, MT_ERROR_PARAMS))
              {
                g_assert_true (strstr (error->message, "nothing would change") != NULL ||
                               strstr (error->message, "appears twice") != NULL ||
                               strstr (error->message, "no row can match") != NULL ||
                               strstr (error->message, "already, as rule") != NULL ||
                               strstr (error->message, "has no threshold") != NULL);
                continue;
              }
            g_assert_no_error (error);
            n_made[kind]++;
            g_assert_cmpfloat (compare_by_hand (&sample, &edit, edited), <, 1e-9);
            if (kind != MT_EDIT_ADD_RULE && kind != MT_EDIT_SET_THRESHOLD)
              g_assert_cmpuint (mt_rule_set_get_complexity (edited), <=,
                                mt_rule_set_get_complexity (mt_edit_sample_rules (&sample)));
            /* The comparison sees another edit's rules as wrong. */
            other = edit;
            other.kind = MT_EDIT_DROP_RULE;
            if (kind != MT_EDIT_DROP_RULE)
              planted = fmax (planted, compare_by_hand (&sample, &other, edited));
          }
      mt_edit_sample_clear (&sample);
    }
  for (guint kind = 0; kind < MT_N_EDITS; kind++)
    if (kind != MT_EDIT_REFIT && kind != MT_EDIT_ROUND_WEIGHTS && kind != MT_EDIT_SET_CUTOFF)
      g_assert_cmpuint (n_made[kind], >=, 30);
  g_assert_cmpfloat (planted, >, .01);
}

/* The cutoff changes no score, is kept by every other edit, and is written only if it is not the usual one. */
static void
test_cutoff (void)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      const MtEdit set = { .kind = MT_EDIT_SET_CUTOFF, .to = 0.3 }, back = { .kind = MT_EDIT_SET_CUTOFF, .to = MT_CUTOFF };
      const MtEdit outside = { .kind = MT_EDIT_SET_CUTOFF, .to = 1 };
      const MtEdit others[] = { { .kind = MT_EDIT_DROP_RULE, .term = 1 }, { .kind = MT_EDIT_REFIT },
                                { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 1 } };
      g_autoptr (GError) error = NULL;
      g_autoptr (MtRuleSet) cut = NULL;
      g_autoptr (MtRuleSet) again = NULL;
      g_autoptr (MtEditHistory) history = NULL;
      g_autoptr (MtModel) model = NULL;
      g_autoptr (MtModel) read = NULL;
      g_autofree char *json = NULL;
      MtEditSample sample;

      mt_edit_sample_init (&sample, tasks[i], 12, 300 + i);
      cut = mt_edit_make (&sample.context, mt_edit_sample_rules (&sample), NULL, &set, "rate", &history, NULL, &error);
      if (tasks[i] != MT_TASK_BINARY)
        {
          g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
          g_assert_nonnull (strstr (error->message, "two classes"));
          mt_edit_sample_clear (&sample);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpfloat (mt_rule_set_get_cutoff (cut), ==, 0.3);
      g_assert_cmpfloat (mt_edit_history_get (history, 0)->edit.from, ==, MT_CUTOFF);
      g_assert_cmpfloat (mt_edit_history_get (history, 0)->before, ==, mt_edit_history_get (history, 0)->after);
      for (guint k = 0; k < G_N_ELEMENTS (others); k++)
        {
          g_autoptr (MtRuleSet) edited = mt_edit_apply (&sample.context, cut, &others[k], NULL, &error);

          g_assert_no_error (error);
          g_assert_cmpfloat (mt_rule_set_get_cutoff (edited), ==, 0.3);
        }
      g_assert_null (mt_edit_apply (&sample.context, cut, &set, NULL, &error));
      g_assert_nonnull (strstr (error->message, "nothing would change"));
      g_clear_error (&error);
      g_assert_null (mt_edit_apply (&sample.context, cut, &outside, NULL, &error));
      g_assert_nonnull (strstr (error->message, "above 0 and below 1"));
      g_clear_error (&error);
      again = mt_edit_apply (&sample.context, cut, &back, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (mt_rule_set_get_cutoff (again), ==, MT_CUTOFF);
      model = mt_model_with_edits (sample.model, cut, history, NAN, &error);
      g_assert_no_error (error);
      json = mt_model_to_json (model, NULL);
      g_assert_nonnull (strstr (json, "\"cutoff\": 0.3"));
      g_assert_nonnull (strstr (json, "\"format_version\": 3"));
      read = mt_model_from_json (json, strlen (json), &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (mt_model_get_cutoff (read), ==, 0.3);
      g_clear_pointer (&json, g_free);
      json = mt_model_to_json (sample.model, NULL);
      g_assert_null (strstr (json, "cutoff"));
      mt_edit_sample_clear (&sample);
    }
}

/* Rules keep their numbers through edits, in memory and in the file; an added rule gets a number that no other had, not
 * even one that was removed. */
static void
test_numbers (void)
{
  const MtEdit drop = { .kind = MT_EDIT_DROP_RULE, .term = 3 }, refit = { .kind = MT_EDIT_REFIT };
  MtEdit add = { .kind = MT_EDIT_ADD_RULE, .literals = { 0 }, .n_literals = 1, .to = 0.75 }, last = drop;
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtModel) read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  g_autofree char *again = NULL;
  MtEditSample sample;
  guint n_rules, number, n_terms;

  mt_edit_sample_init (&sample, MT_TASK_BINARY, 12, 41);
  rules = mt_rule_set_ref ((MtRuleSet *) mt_edit_sample_rules (&sample));
  n_rules = mt_rule_set_get_n_rules (rules);
  n_terms = mt_rule_set_get_n_terms (rules);
  g_assert_cmpuint (mt_rule_set_get_last_number (rules), ==, n_rules);
  g_assert_cmpuint (mt_rule_set_get_term (rules, 3)->number, ==, 2);      /* terms 0 and 1 are linear */
  json = mt_model_to_json (sample.model, NULL);
  g_assert_null (strstr (json, "\"number\":"));      /* as files always were */
  g_clear_pointer (&json, g_free);
  for (guint step = 0; step < 4; step++)
    {
      MtEditHistory *next = NULL;
      MtRuleSet *edited;

      last.term = mt_rule_set_get_n_terms (rules) - 1;
      edited = mt_edit_make (&sample.context, rules, history, step == 0 ? &drop : step == 1 ? &refit : step == 2 ? &last : &add,
                             "why", &next, NULL, &error);
      g_assert_no_error (error);
      mt_rule_set_unref (rules);
      rules = edited;
      g_clear_pointer (&history, mt_edit_history_unref);
      history = next;
    }
  g_assert_cmpuint (mt_rule_set_get_n_terms (rules), ==, n_terms - 1);
  number = 0;
  for (guint t = 2; t < mt_rule_set_get_n_terms (rules); t++)
    {
      number += number == 1 ? 2 : 1;      /* 2 is gone */
      g_assert_cmpuint (mt_rule_set_get_term (rules, t)->number, ==,
                        t + 1 < mt_rule_set_get_n_terms (rules) ? number : n_rules + 1);
    }
  g_assert_cmpuint (mt_edit_history_get (history, 0)->number, ==, 2);
  g_assert_cmpuint (mt_edit_history_get (history, 2)->number, ==, n_rules);
  g_assert_cmpuint (mt_edit_history_get (history, 3)->number, ==, n_rules + 1);
  model = mt_model_with_edits (sample.model, rules, history, NAN, &error);
  g_assert_no_error (error);
  json = mt_model_to_json (model, NULL);
  g_assert_nonnull (strstr (json, "\"format_version\": 5"));
  read = mt_model_from_json (json, strlen (json), &error);
  g_assert_no_error (error);
  again = mt_model_to_json (read, NULL);
  g_assert_cmpstr (json, ==, again);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    g_assert_cmpuint (mt_rule_set_get_term (mt_model_get_rules (read), t)->number, ==, mt_rule_set_get_term (rules, t)->number);
  mt_edit_sample_clear (&sample);
}

/* What the new edits say of themselves, refuse, and leave in a file. */
static void
test_weight_threshold_rule (void)
{
  MtEdit add = { .kind = MT_EDIT_ADD_RULE, .literals = { 1, 0 }, .n_literals = 2, .negated = 1, .to = -0.5 };
  MtEdit weight = { .kind = MT_EDIT_SET_WEIGHT, .term = 0, .to = 0.125 };
  g_autoptr (MtRuleSet) added = NULL;
  g_autoptr (MtRuleSet) set = NULL;
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (MtEditHistory) both = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtModel) read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  g_autofree char *again = NULL;
  g_autofree char *text = NULL;
  const MtEditRecord *record;
  MtEditSample sample;

  mt_edit_sample_init (&sample, MT_TASK_BINARY, 12, 43);
  added = mt_edit_make (&sample.context, mt_edit_sample_rules (&sample), NULL, &add, "known to matter", &history, NULL, &error);
  g_assert_no_error (error);
  record = mt_edit_history_get (history, 0);
  g_assert_true (record->is_judged);
  g_assert_cmpuint (record->literals_after, ==, record->literals_before + 2);
  text = mt_edit_record_dup_text (record);
  g_assert_nonnull (strstr (text, "added with weight -0.5"));
  set = mt_edit_make (&sample.context, added, history, &weight, "as agreed", &both, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (mt_edit_get_weight (set, sample.context.encoder, 0, 0), 0.125, 1e-12);
  g_assert_cmpfloat (mt_edit_history_get (both, 1)->edit.from, ==,
                     mt_edit_get_weight (added, sample.context.encoder, 0, 0));
  model = mt_model_with_edits (sample.model, set, both, NAN, &error);
  g_assert_no_error (error);
  json = mt_model_to_json (model, NULL);
  read = mt_model_from_json (json, strlen (json), &error);
  g_assert_no_error (error);
  again = mt_model_to_json (read, NULL);
  g_assert_cmpstr (json, ==, again);
  g_assert_cmpuint (mt_model_get_info (read)->edits[0].edit.n_literals, ==, 2);

  g_assert_null (mt_edit_apply (&sample.context, added, &add, NULL, &error));
  g_assert_nonnull (strstr (error->message, "has this rule already, as rule 13"));
  g_clear_error (&error);
  add.literals[0] = 0;
  g_assert_null (mt_edit_apply (&sample.context, added, &add, NULL, &error));
  g_assert_nonnull (strstr (error->message, "appears twice"));
  g_clear_error (&error);
  add = (MtEdit) { .kind = MT_EDIT_ADD_RULE, .literals = { 0, 1 }, .n_literals = 2, .negated = 1, .to = 1 };
  g_assert_null (mt_edit_apply (&sample.context, added, &add, NULL, &error));      /* a < 1 and a ≥ 2, say */
  g_assert_nonnull (strstr (error->message, "no row can match"));
  g_clear_error (&error);
  /* Without a weight it gets that of a refit, in four digits, and no other weight changes. */
  add = (MtEdit) { .kind = MT_EDIT_ADD_RULE, .literals = { 1 }, .n_literals = 1, .to = NAN };
  {
    g_autoptr (MtEditHistory) next = NULL;
    g_autoptr (MtRuleSet) fitted = mt_edit_make (&sample.context, added, history, &add, "let the rows decide", &next, NULL, &error);
    g_autoptr (MtRuleSet) refit = NULL;
    guint last = mt_rule_set_get_n_terms (added);

    g_assert_no_error (error);
    refit = mt_edit_refit (fitted, sample.encoded, sample.target, FALSE, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (mt_edit_history_get (next, 1)->edit.to, ==, mt_rule_set_get_term (fitted, last)->weights[0]);
    g_assert_cmpfloat (fabs (mt_rule_set_get_term (refit, last)->weights[0] - mt_rule_set_get_term (fitted, last)->weights[0]), <,
                       0.01 * fabs (mt_rule_set_get_term (refit, last)->weights[0]));
    for (guint t = 0; t < last; t++)
      g_assert_cmpfloat (mt_rule_set_get_term (fitted, t)->weights[0], ==, mt_rule_set_get_term (added, t)->weights[0]);
  }
  add.to = NAN;
  g_assert_null (mt_edit_apply (&sample.context, added, &add, NULL, &error));
  g_assert_nonnull (strstr (error->message, "finite"));
  g_clear_error (&error);
  weight = (MtEdit) { .kind = MT_EDIT_SET_WEIGHT, .term = 999, .to = 1 };
  g_assert_null (mt_edit_apply (&sample.context, added, &weight, NULL, &error));
  g_assert_nonnull (strstr (error->message, "there is no term 1000"));
  mt_edit_sample_clear (&sample);
}

static void
test_forbidden_column_is_gone (void)
{
  for (guint64 seed = 0; seed < 6; seed++)
    {
      MtEditSample sample;

      mt_edit_sample_init (&sample, MT_TASK_MULTICLASS, 20, seed);
      for (guint c = 0; c < 6; c++)
        {
          const char *name = mt_encoder_get_column_name (mt_model_get_encoder (sample.model), c);
          const MtEdit edit = { .kind = MT_EDIT_FORBID_COLUMN, .column = name };
          g_autoptr (GError) error = NULL;
          g_autoptr (MtRuleSet) edited = mt_edit_apply (&sample.context, mt_edit_sample_rules (&sample), &edit, NULL,
                                                        &error);

          for (guint t = 0; edited != NULL && t < mt_rule_set_get_n_terms (edited); t++)
            {
              const MtTerm *term = mt_rule_set_get_term (edited, t);

              g_assert_false (is_of_column (&sample, term, name));
              g_assert_true (term->is_numeric || inputs_of_column (&sample, term->rule, name) == 0);
            }
        }
      mt_edit_sample_clear (&sample);
    }
}

/* Rules that an edit leaves alone keep what the network said of them; the one it changes says that it did. */
static void
test_origins (void)
{
  static const double weights[MT_RULE_MAX_INPUTS] = { 1, -2, 3 };
  guint n_rules = 0, n_edits = 0, n_kept = 0, n_changed = 0;
  const MtRuleSet *rules;
  MtEditSample sample;

  mt_edit_sample_init (&sample, MT_TASK_BINARY, 12, 7);
  rules = mt_edit_sample_rules (&sample);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      g_autoptr (MtOrigin) node = NULL;

      if (term->is_numeric)
        continue;
      n_rules++;
      node = mt_origin_new_node (mt_rule_get_inputs (term->rule), mt_rule_get_n_inputs (term->rule), weights, t, NULL);
      g_assert_nonnull (node);
      mt_rule_set_origin (term->rule, node);
    }
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtEdit edit = { .kind = MT_EDIT_DROP_INPUT, .term = t };
      g_autoptr (MtRuleSet) edited = NULL;

      if (mt_rule_set_get_term (rules, t)->is_numeric)
        continue;
      edited = mt_edit_apply (&sample.context, rules, &edit, NULL, NULL);
      g_assert_nonnull (edited);
      n_edits++;
      for (guint i = 0; i < mt_rule_set_get_n_terms (edited); i++)
        {
          const MtRule *rule = mt_rule_set_get_term (edited, i)->rule;
          const MtOrigin *origin = rule != NULL ? mt_rule_get_origin (rule) : NULL;
          guint from;

          if (rule == NULL)
            continue;
          g_assert_nonnull (origin);
          if (mt_origin_get_kind (origin) == MT_ORIGIN_EDIT)
            {
              n_changed++;
              continue;
            }
          n_kept++;
          from = (guint) mt_origin_get_threshold (origin);   /* each was given its own number */
          g_assert_cmpuint (from, !=, t);
          g_assert_true (origin == mt_rule_get_origin (mt_rule_set_get_term (rules, from)->rule));
        }
    }
  g_assert_cmpuint (n_kept, ==, n_edits * (n_rules - 1));
  g_assert_cmpuint (n_changed, >, 0);
  g_assert_cmpuint (n_changed, <=, n_edits);
  mt_edit_sample_clear (&sample);
}

/* --- weights --- */

static void
test_rounding (void)
{
  MtEditSample sample;
  const MtEdit decimals = { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 1 };
  const MtEdit points = { .kind = MT_EDIT_ROUND_WEIGHTS, .points = 10 };
  g_autoptr (MtRuleSet) rounded = NULL;
  g_autoptr (MtRuleSet) pointed = NULL;
  g_autoptr (MtRuleSet) again = NULL;
  g_autoptr (GError) error = NULL;
  double most = 0;

  mt_edit_sample_init (&sample, MT_TASK_MULTICLASS, 20, 5);
  rounded = mt_edit_sample_apply (&sample, &decimals);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rounded); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rounded, t);
      gboolean any = FALSE;

      for (guint c = 0; c < 3; c++)
        {
          any = any || term->weights[c] != 0;
          if (!term->is_numeric)
            {
              g_autofree char *text = mt_decimal_dup_c (term->weights[c]);
              const char *point = strchr (text, '.');

              g_assert_true (point == NULL || strlen (point) == 2);
            }
        }
      g_assert_true (any);
    }
  again = mt_edit_apply (&sample.context, rounded, &decimals, NULL, &error);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "already rounded"));

  pointed = mt_edit_sample_apply (&sample, &points);
  for (guint t = 0; t < mt_rule_set_get_n_terms (pointed); t++)
    for (guint c = 0; c < 3; c++)
      most = fmax (most, fabs (mt_rule_set_get_term (pointed, t)->weights[c]));
  for (guint t = 0; t < mt_rule_set_get_n_terms (pointed); t++)
    for (guint c = 0; c < 3; c++)
      {
        double n = mt_rule_set_get_term (pointed, t)->weights[c] / (most / 10);

        g_assert_cmpfloat (fabs (n - round (n)), <, 1e-9);
        g_assert_cmpfloat (fabs (n), <=, 10 + 1e-9);
      }
  mt_edit_sample_clear (&sample);
}

/* Against mt-head itself, given the same columns. */
static void
test_refit_is_the_head (void)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

  for (guint i = 0; i < 3; i++)
    {
      const MtEdit edit = { .kind = MT_EDIT_REFIT };
      MtEditSample sample;
      g_autoptr (MtRuleSet) refitted = NULL;
      g_autoptr (MtLinearFit) head = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) planes = g_ptr_array_new_with_free_func (g_free);
      g_autofree double *target = NULL;
      gsize n_rows, n_words;
      double centre = 0, scale = 1;
      guint n_outputs = tasks[i] == MT_TASK_MULTICLASS ? 3 : 1;

      mt_edit_sample_init (&sample, tasks[i], 6, 40 + i);
      n_rows = mt_encoded_get_n_rows (sample.encoded);
      n_words = mt_encoded_get_n_words (sample.encoded);
      target = g_memdup2 (sample.target, n_rows * sizeof *target);
      if (tasks[i] == MT_TASK_REGRESSION)
        {
          double square = 0;

          for (gsize r = 0; r < n_rows; r++)
            centre += target[r] / n_rows;
          for (gsize r = 0; r < n_rows; r++)
            square += (target[r] - centre) * (target[r] - centre) / n_rows;
          scale = sqrt (square);
          for (gsize r = 0; r < n_rows; r++)
            target[r] = (target[r] - centre) / scale;
        }
      head = mt_linear_fit_new (tasks[i], n_outputs, target, n_rows, mt_interaction_scan_get_ridge (tasks[i], sample.encoded));
      for (guint t = 0; t < mt_rule_set_get_n_terms (mt_edit_sample_rules (&sample)); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (mt_edit_sample_rules (&sample), t);
          MtLinearFitColumn column = { NULL, term->is_numeric ? mt_encoded_get_numeric (sample.encoded, term->numeric) : NULL };

          if (!term->is_numeric)
            {
              guint64 *plane = g_new (guint64, n_words);

              mt_rule_evaluate (term->rule, sample.encoded, 0, n_words, plane);
              g_ptr_array_add (planes, plane);
              column.plane = plane;
            }
          mt_linear_fit_add (head, column);
        }
      mt_linear_fit_fit (head, 200, 1e-9, NULL, &error);
      g_assert_no_error (error);
      refitted = mt_edit_sample_apply (&sample, &edit);
      g_assert_cmpuint (mt_rule_set_get_n_terms (refitted), ==,
                        mt_rule_set_get_n_terms (mt_edit_sample_rules (&sample)));
      for (guint c = 0; c < n_outputs; c++)
        {
          g_assert_cmpfloat (fabs (mt_rule_set_get_bias (refitted)[c] - mt_linear_fit_get_bias (head, c) * scale - centre), <,
                             .02 * scale);
          for (guint t = 0; t < mt_rule_set_get_n_terms (refitted); t++)
            g_assert_cmpfloat (fabs (mt_rule_set_get_term (refitted, t)->weights[c] -
                                     mt_linear_fit_get_weight (head, t, c) * scale), <, .02 * scale);
        }
      mt_edit_sample_clear (&sample);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit/by-hand", test_by_hand);
  g_test_add_func ("/edit/forbidden-column-is-gone", test_forbidden_column_is_gone);
  g_test_add_func ("/edit/cutoff", test_cutoff);
  g_test_add_func ("/edit/numbers", test_numbers);
  g_test_add_func ("/edit/weight-threshold-rule", test_weight_threshold_rule);
  g_test_add_func ("/edit/origins", test_origins);
  g_test_add_func ("/edit/rounding", test_rounding);
  g_test_add_func ("/edit/refit-is-the-head", test_refit_is_the_head);
  return g_test_run ();
}
