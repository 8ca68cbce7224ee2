#include "config.h"

#include <math.h>
#include <string.h>

#include "mt-core.h"
#include "mt-head.h"
#include "mt-scan.h"
#include "sample-models.h"
#include "testutils.h"

/* A random model and the rows it is about. */
typedef struct {
  MtTable       *table;
  MtModel       *model;
  MtEncoded     *encoded;
  MtTruth       *truth;
  double        *target;
  guint8        *fold_of;
  MtEditContext  context;
} Sample;

static void
sample_init (Sample  *self,
             MtTask   task,
             guint    n_rules,
             guint64  seed)
{
  g_autoptr (GError) error = NULL;
  gsize n_rows = 400;

  self->table = mt_test_sample_table (task, n_rows, seed);
  self->model = mt_test_sample_model (task, self->table, n_rules, seed + 1);
  self->encoded = mt_encoder_apply (mt_model_get_encoder (self->model), self->table, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  self->truth = mt_model_read_truth (self->model, self->table, "y", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (self->truth->n_rows, ==, n_rows);
  self->target = g_new (double, n_rows);
  self->fold_of = g_new (guint8, n_rows);
  for (gsize r = 0; r < n_rows; r++)
    {
      self->target[r] = task == MT_TASK_REGRESSION ? self->truth->values[r] : self->truth->classes[r];
      self->fold_of[r] = (guint8) (r % 5);
    }
  mt_model_init_edit (self->model, &self->context);
  g_assert_cmpint (self->context.dont_care, ==, MT_DONT_CARE_MODE_UNSEEN);
  self->context.encoded = self->encoded;
  self->context.target = self->target;
  self->context.fold_of = self->fold_of;
  self->context.n_folds = 5;
}

static void
sample_clear (Sample *self)
{
  mt_table_unref (self->table);
  mt_model_unref (self->model);
  mt_encoded_unref (self->encoded);
  mt_truth_free (self->truth);
  g_free (self->target);
  g_free (self->fold_of);
}

static const MtRuleSet *
get_rules (const Sample *self)
{
  return mt_model_get_rules (self->model);
}

static MtRuleSet *
apply (const Sample *self,
       const MtEdit *edit)
{
  g_autoptr (GError) error = NULL;
  MtRuleSet *rules = mt_edit_apply (&self->context, get_rules (self), edit, NULL, &error);

  g_assert_no_error (error);
  return rules;
}

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
some_says (const Sample *self,
           const MtRule *rule,
           guint32       v,
           guint32       dropped)
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
inputs_of_column (const Sample *self,
                  const MtRule *rule,
                  const char   *column)
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
is_of_column (const Sample *self,
              const MtTerm *term,
              const char   *column)
{
  const MtEncoder *encoder = mt_model_get_encoder (self->model);

  return term->is_numeric &&
         strcmp (mt_encoder_get_column_name (encoder, mt_term_get_unary (term, encoder)->column), column) == 0;
}

/* The rule with the answer to `x ≥ from` that `x ≥ to` has. */
static gboolean
merged_says (const Sample *self,
             const MtRule *rule,
             const MtEdit *edit,
             gsize         row)
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

/* What a term of the unedited model adds to a row's score once the edit is made. */
static double
share_of_term (const Sample *self,
               guint         t,
               const MtEdit *edit,
               guint         output,
               gsize         row)
{
  const MtTerm *term = mt_rule_set_get_term (get_rules (self), t);
  double weight = term->weights[output];
  guint32 v;

  if (edit->kind == MT_EDIT_DROP_RULE && t == edit->term)
    return 0;
  if (term->is_numeric)
    return edit->kind == MT_EDIT_FORBID_COLUMN && is_of_column (self, term, edit->column)
           ? 0 : weight * mt_encoded_get_numeric (self->encoded, term->numeric)[row];
  v = assignment_of (term->rule, self->encoded, row);
  if (edit->kind == MT_EDIT_FORBID_COLUMN)
    return weight * some_says (self, term->rule, v, inputs_of_column (self, term->rule, edit->column));
  if (edit->kind == MT_EDIT_MERGE_THRESHOLDS)
    return weight * merged_says (self, term->rule, edit, row);
  if (edit->kind == MT_EDIT_DROP_TERM && t == edit->term)
    return weight * cover_says (term->rule, v, edit->part);
  if (edit->kind == MT_EDIT_DROP_INPUT && t == edit->term)
    return weight * some_says (self, term->rule, v, 1u << edit->part);
  return weight * cover_says (term->rule, v, G_MAXUINT);
}

/* The largest difference of a score between the edited rules and what they should be. */
static double
compare_by_hand (const Sample    *self,
                 const MtEdit    *edit,
                 const MtRuleSet *edited)
{
  guint n_outputs = mt_rule_set_get_n_outputs (edited);
  gsize n_rows = mt_encoded_get_n_rows (self->encoded);
  g_autofree double *scores = g_new (double, n_outputs * n_rows);
  double most = 0;

  mt_rule_set_score (edited, self->encoded, scores);
  for (guint c = 0; c < n_outputs; c++)
    for (gsize r = 0; r < n_rows; r++)
      {
        double sum = mt_rule_set_get_bias (get_rules (self))[c];

        for (guint t = 0; t < mt_rule_set_get_n_terms (get_rules (self)); t++)
          sum += share_of_term (self, t, edit, c, r);
        most = fmax (most, fabs (sum - scores[c * n_rows + r]));
      }
  return most;
}

/* Another table than the rules were made with: rows that have what they call unseen. */
static void
look_at_other_rows (Sample *self,
                    guint64 seed)
{
  MtTask task = mt_model_get_task (self->model);
  g_autoptr (MtTable) other = mt_test_sample_table (task, 3000, seed);
  g_autoptr (GError) error = NULL;

  mt_encoded_unref (self->encoded);
  self->encoded = mt_encoder_apply (mt_model_get_encoder (self->model), other, NULL, 0, NULL, &error);
  g_assert_no_error (error);
}

static void
draw_edit (const Sample *self,
           MtEditKind    kind,
           MtRandom     *random,
           MtEdit       *edit)
{
  const MtEncoder *encoder = mt_model_get_encoder (self->model);
  guint n_terms = mt_rule_set_get_n_terms (get_rules (self));
  const MtRule *rule;

  *edit = (MtEdit) { .kind = kind };
  edit->term = kind == MT_EDIT_DROP_RULE ? (guint) mt_random_below (random, n_terms)
                                         : 2 + (guint) mt_random_below (random, n_terms - 2);
  rule = mt_rule_set_get_term (get_rules (self), edit->term)->rule;
  if (kind == MT_EDIT_DROP_TERM)
    edit->part = (guint) mt_random_below (random, mt_rule_get_n_cubes (rule));
  else if (kind == MT_EDIT_DROP_INPUT)
    edit->part = (guint) mt_random_below (random, mt_rule_get_n_inputs (rule));
  else if (kind == MT_EDIT_FORBID_COLUMN || kind == MT_EDIT_MERGE_THRESHOLDS)
    {
      const MtEncoderColumn *column =
        mt_encoder_get_column (encoder, (guint) mt_random_below (random, kind == MT_EDIT_FORBID_COLUMN ? 6 : 3));

      edit->column = column->name;
      if (kind == MT_EDIT_MERGE_THRESHOLDS)
        {
          edit->from = column->thresholds[mt_random_below (random, column->n_thresholds)];
          do
            edit->to = column->thresholds[mt_random_below (random, column->n_thresholds)];
          while (edit->to == edit->from);
        }
    }
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
      Sample sample;
      MtRandom random;

      sample_init (&sample, tasks[s % 3], 12, 100 + s);
      look_at_other_rows (&sample, 900 + s);
      mt_random_init (&random, s);
      for (guint kind = 0; kind < MT_N_EDITS; kind++)
        for (guint i = 0; i < 3 && kind != MT_EDIT_REFIT && kind != MT_EDIT_ROUND_WEIGHTS; i++)
          {
            g_autoptr (MtRuleSet) edited = NULL;
            g_autoptr (GError) error = NULL;
            MtEdit edit, other;

            draw_edit (&sample, (MtEditKind) kind, &random, &edit);
            edited = mt_edit_apply (&sample.context, get_rules (&sample), &edit, NULL, &error);
            if (g_error_matches (error, MT_ERROR, MT_ERROR_PARAMS))
              {
                g_assert_nonnull (strstr (error->message, "nothing would change"));
                continue;
              }
            g_assert_no_error (error);
            n_made[kind]++;
            g_assert_cmpfloat (compare_by_hand (&sample, &edit, edited), <, 1e-9);
            g_assert_cmpuint (mt_rule_set_get_complexity (edited), <=,
                              mt_rule_set_get_complexity (get_rules (&sample)));
            /* The comparison sees another edit's rules as wrong. */
            other = edit;
            other.kind = MT_EDIT_DROP_RULE;
            if (kind != MT_EDIT_DROP_RULE)
              planted = fmax (planted, compare_by_hand (&sample, &other, edited));
          }
      sample_clear (&sample);
    }
  for (guint kind = 0; kind < MT_N_EDITS; kind++)
    if (kind != MT_EDIT_REFIT && kind != MT_EDIT_ROUND_WEIGHTS)
      g_assert_cmpuint (n_made[kind], >=, 30);
  g_assert_cmpfloat (planted, >, .01);
}

static void
test_forbidden_column_is_gone (void)
{
  for (guint64 seed = 0; seed < 6; seed++)
    {
      Sample sample;

      sample_init (&sample, MT_TASK_MULTICLASS, 20, seed);
      for (guint c = 0; c < 6; c++)
        {
          const char *name = mt_encoder_get_column_name (mt_model_get_encoder (sample.model), c);
          const MtEdit edit = { .kind = MT_EDIT_FORBID_COLUMN, .column = name };
          g_autoptr (GError) error = NULL;
          g_autoptr (MtRuleSet) edited = mt_edit_apply (&sample.context, get_rules (&sample), &edit, NULL, &error);

          for (guint t = 0; edited != NULL && t < mt_rule_set_get_n_terms (edited); t++)
            {
              const MtTerm *term = mt_rule_set_get_term (edited, t);

              g_assert_false (is_of_column (&sample, term, name));
              g_assert_true (term->is_numeric || inputs_of_column (&sample, term->rule, name) == 0);
            }
        }
      sample_clear (&sample);
    }
}

/* Rules that an edit leaves alone keep what the network said of them; the one it changes says that it did. */
static void
test_origins (void)
{
  static const double weights[MT_RULE_MAX_INPUTS] = { 1, -2, 3 };
  guint n_rules = 0, n_edits = 0, n_kept = 0, n_changed = 0;
  const MtRuleSet *rules;
  Sample sample;

  sample_init (&sample, MT_TASK_BINARY, 12, 7);
  rules = get_rules (&sample);
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
  sample_clear (&sample);
}

/* --- weights --- */

static void
test_rounding (void)
{
  Sample sample;
  const MtEdit decimals = { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 1 };
  const MtEdit points = { .kind = MT_EDIT_ROUND_WEIGHTS, .points = 10 };
  g_autoptr (MtRuleSet) rounded = NULL;
  g_autoptr (MtRuleSet) pointed = NULL;
  g_autoptr (MtRuleSet) again = NULL;
  g_autoptr (GError) error = NULL;
  double most = 0;

  sample_init (&sample, MT_TASK_MULTICLASS, 20, 5);
  rounded = apply (&sample, &decimals);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rounded); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rounded, t);
      gboolean any = FALSE;

      for (guint c = 0; c < 3; c++)
        {
          any = any || term->weights[c] != 0;
          if (!term->is_numeric)
            {
              g_autofree char *text = mt_number_dup (term->weights[c]);
              const char *point = strchr (text, '.');

              g_assert_true (point == NULL || strlen (point) == 2);
            }
        }
      g_assert_true (any);
    }
  again = mt_edit_apply (&sample.context, rounded, &decimals, NULL, &error);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "that round already"));

  pointed = apply (&sample, &points);
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
  sample_clear (&sample);
}

/* Against mt-head itself, given the same columns. */
static void
test_refit_is_the_head (void)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

  for (guint i = 0; i < 3; i++)
    {
      const MtEdit edit = { .kind = MT_EDIT_REFIT };
      Sample sample;
      g_autoptr (MtRuleSet) refitted = NULL;
      g_autoptr (MtHead) head = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) planes = g_ptr_array_new_with_free_func (g_free);
      g_autofree double *target = NULL;
      gsize n_rows, n_words;
      double centre = 0, scale = 1;
      guint n_outputs = tasks[i] == MT_TASK_MULTICLASS ? 3 : 1;

      sample_init (&sample, tasks[i], 6, 40 + i);
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
      head = mt_head_new (tasks[i], n_outputs, target, n_rows, mt_scan_get_ridge (tasks[i], sample.encoded));
      for (guint t = 0; t < mt_rule_set_get_n_terms (get_rules (&sample)); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (get_rules (&sample), t);
          MtHeadColumn column = { NULL, term->is_numeric ? mt_encoded_get_numeric (sample.encoded, term->numeric) : NULL };

          if (!term->is_numeric)
            {
              guint64 *plane = g_new (guint64, n_words);

              mt_rule_evaluate (term->rule, sample.encoded, 0, n_words, plane);
              g_ptr_array_add (planes, plane);
              column.plane = plane;
            }
          mt_head_add (head, column);
        }
      mt_head_fit (head, 200, 1e-9, NULL, &error);
      g_assert_no_error (error);
      refitted = apply (&sample, &edit);
      g_assert_cmpuint (mt_rule_set_get_n_terms (refitted), ==, mt_rule_set_get_n_terms (get_rules (&sample)));
      for (guint c = 0; c < n_outputs; c++)
        {
          g_assert_cmpfloat (fabs (mt_rule_set_get_bias (refitted)[c] - mt_head_get_bias (head, c) * scale - centre), <,
                             .02 * scale);
          for (guint t = 0; t < mt_rule_set_get_n_terms (refitted); t++)
            g_assert_cmpfloat (fabs (mt_rule_set_get_term (refitted, t)->weights[c] -
                                     mt_head_get_weight (head, t, c) * scale), <, .02 * scale);
        }
      sample_clear (&sample);
    }
}

/* --- what is kept --- */

static MtModel *
edit_model (const Sample  *sample,
            const MtModel *model,
            const MtEdit  *edit,
            const char    *reason)
{
  const MtModelInfo *info = mt_model_get_info (model);
  g_autoptr (MtEditHistory) before = mt_edit_history_new (NULL, info->edits, info->n_edits);
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (GError) error = NULL;
  MtModel *edited;

  rules = mt_edit_make (&sample->context, mt_model_get_rules (model), before, edit, reason, &history, NULL, &error);
  g_assert_no_error (error);
  edited = mt_model_with_edits (model, rules, history, .5, &error);
  g_assert_no_error (error);
  return edited;
}

/* A model with one of each, on top of each other. */
static MtModel *
edit_all (const Sample *sample)
{
  const double *thresholds = mt_encoder_get_column (mt_model_get_encoder (sample->model), 0)->thresholds;
  const MtEdit edits[] = {
    { .kind = MT_EDIT_DROP_RULE, .term = 1 },
    { .kind = MT_EDIT_DROP_TERM, .term = 3, .part = 0 },
    { .kind = MT_EDIT_DROP_INPUT, .term = 4, .part = 0 },
    { .kind = MT_EDIT_MERGE_THRESHOLDS, .column = "a", .from = thresholds[0], .to = thresholds[1] },
    { .kind = MT_EDIT_FORBID_COLUMN, .column = "d" },
    { .kind = MT_EDIT_REFIT },
    { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 2 },
    { .kind = MT_EDIT_ROUND_WEIGHTS, .points = 20 },
  };
  MtModel *model = mt_model_ref (sample->model);

  for (gsize i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autofree char *reason = g_strdup_printf (" because of %" G_GSIZE_FORMAT "\n\"quoted\" ä ", i);
      MtModel *edited = edit_model (sample, model, &edits[i], reason);

      mt_model_unref (model);
      model = edited;
    }
  return model;
}

static void
test_round_trip (void)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

  for (guint i = 0; i < 3; i++)
    {
      Sample sample;
      g_autoptr (MtModel) model = NULL;
      g_autoptr (MtModel) again = NULL;
      g_autoptr (MtModel) replayed = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *json = NULL;
      g_autofree char *json_again = NULL;
      g_autofree char *json_replayed = NULL;
      const MtModelInfo *info;
      gsize n, n_again, n_replayed;

      sample_init (&sample, tasks[i], 16, 70 + i);
      model = edit_all (&sample);
      json = mt_model_to_json (model, &n);
      again = mt_model_from_json (json, n, &error);
      g_assert_no_error (error);
      json_again = mt_model_to_json (again, &n_again);
      g_assert_cmpmem (json, n, json_again, n_again);
      info = mt_model_get_info (again);
      g_assert_cmpuint (info->n_edits, ==, 8);
      g_assert_cmpstr (info->edits[1].reason, ==, "because of 1\n\"quoted\" ä");
      g_assert_cmpuint (info->edits[7].literals_after, ==, mt_rule_set_get_complexity (mt_model_get_rules (again)));
      g_assert_true (info->edits[5].is_judged);
      g_assert_cmpuint (info->train_differ, ==, MT_MODEL_NOT_COUNTED);
      for (guint k = 0; k < info->n_edits; k++)
        {
          g_autofree char *text = mt_edit_record_dup_text (&info->edits[k]);

          g_assert_cmpuint (strlen (text), >, 10);
        }
      /* The history alone leads from the model to the edited one, to the byte. */
      replayed = mt_model_ref (sample.model);
      for (guint k = 0; k < info->n_edits; k++)
        {
          MtModel *next = edit_model (&sample, replayed, &info->edits[k].edit, info->edits[k].reason);

          mt_model_unref (replayed);
          replayed = next;
        }
      json_replayed = mt_model_to_json (replayed, &n_replayed);
      g_assert_cmpmem (json, n, json_replayed, n_replayed);
      sample_clear (&sample);
    }
}

/* Without folds and rows the rules are the same to the last bit. */
static void
test_without_rows (void)
{
  Sample sample;
  MtRandom random;

  sample_init (&sample, MT_TASK_BINARY, 12, 3);
  mt_random_init (&random, 3);
  for (guint kind = 0; kind < MT_EDIT_REFIT; kind++)
    {
      MtEditContext bare = sample.context;
      g_autoptr (MtRuleSet) a = NULL;
      g_autoptr (MtRuleSet) b = NULL;
      g_autoptr (GError) error = NULL;
      MtEdit edit;

      bare.encoded = NULL;
      bare.fold_of = NULL;
      draw_edit (&sample, (MtEditKind) kind, &random, &edit);
      a = mt_edit_apply (&sample.context, get_rules (&sample), &edit, NULL, NULL);
      b = mt_edit_apply (&bare, get_rules (&sample), &edit, NULL, &error);
      g_assert_true ((a == NULL) == (b == NULL));
      for (guint t = 0; a != NULL && t < mt_rule_set_get_n_terms (a); t++)
        {
          const MtTerm *p = mt_rule_set_get_term (a, t), *q = mt_rule_set_get_term (b, t);

          g_assert_cmpfloat (p->weights[0], ==, q->weights[0]);
          g_assert_true (p->is_numeric ? p->numeric == q->numeric : mt_rule_equal (p->rule, q->rule));
        }
    }
  sample_clear (&sample);
}

/* --- judging --- */

static void
test_judging (void)
{
  Sample sample;
  const MtEdit edits[] = { { .kind = MT_EDIT_FORBID_COLUMN, .column = "a" }, { .kind = MT_EDIT_REFIT },
                           { .kind = MT_EDIT_REFIT } };
  const MtEdit *list[] = { &edits[0], &edits[1], &edits[2] };
  MtEditRecord record = { .edit = edits[0] }, next = { .edit = edits[1] }, last = { .edit = edits[2] };
  g_autoptr (GError) error = NULL;

  /* The target is made of column a: without it little is left. */
  sample_init (&sample, MT_TASK_REGRESSION, 10, 8);
  g_assert_true (mt_edit_judge (&sample.context, get_rules (&sample), list, 1, &record, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (record.is_judged);
  g_assert_cmpint (record.metric, ==, MT_METRIC_R2);
  g_assert_cmpfloat (record.before, >, .8);
  g_assert_cmpfloat (record.after, <, .3);
  g_assert_cmpfloat (record.difference_se, >, 0);
  /* The next edit begins where this one ended, and refitting what is fitted changes nothing. */
  g_assert_true (mt_edit_judge (&sample.context, get_rules (&sample), list, 2, &next, NULL, &error));
  g_assert_cmpfloat (next.before, ==, record.after);
  g_assert_true (mt_edit_judge (&sample.context, get_rules (&sample), list, 3, &last, NULL, &error));
  g_assert_cmpfloat (last.before, ==, next.after);
  g_assert_cmpfloat (last.after, ==, last.before);
  sample_clear (&sample);
}

static void
test_cancelling (void)
{
  Sample sample;
  const MtEdit edit = { .kind = MT_EDIT_REFIT };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (GError) error = NULL;

  sample_init (&sample, MT_TASK_BINARY, 5, 9);
  g_cancellable_cancel (cancellable);
  g_assert_null (mt_edit_make (&sample.context, get_rules (&sample), NULL, &edit, "why", &history, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (history);
  sample_clear (&sample);
}

/* --- what is refused --- */

static void
assert_refused (const Sample *sample,
                const MtEdit *edit,
                const char   *reason,
                const char   *says)
{
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (mt_edit_make (&sample->context, get_rules (sample), NULL, edit, reason, &history, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  if (strstr (error->message, says) == NULL)
    g_error ("“%s” does not say “%s”", error->message, says);
}

static void
test_refusals (void)
{
  Sample sample;
  g_autofree char *longwinded = g_strnfill (MT_EDIT_MAX_REASON + 1, 'x');

  sample_init (&sample, MT_TASK_BINARY, 5, 11);
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_RULE }, " \n ", "needs a reason");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_RULE }, NULL, "needs a reason");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_RULE }, longwinded, "longer than 4000");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_RULE, .term = 7 }, "x", "7 terms: there is no number 8");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_TERM, .term = 0 }, "x", "is a number");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_TERM, .term = 2, .part = 99 }, "x", "no number 100");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_INPUT, .term = 2, .part = 99 }, "x", "no number 100");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_FORBID_COLUMN, .column = "zzz" }, "x", "no column “zzz”");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_MERGE_THRESHOLDS, .column = "a", .from = .123456 }, "x",
                  "“a” has no threshold 0.123456");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 10 }, "x", "0 to 9 decimals");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 0, .points = 1001 }, "x", "points");
  assert_refused (&sample, &(MtEdit) { .kind = MT_N_EDITS }, "x", "no such edit");
  sample.context.encoded = NULL;
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_REFIT }, "x", "needs the rows");
  sample_clear (&sample);
}

/* A model whose constraint an edit would break keeps to it. */
static void
test_constraints_hold (void)
{
  Sample sample;
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();

  sample_init (&sample, MT_TASK_REGRESSION, 2, 14);
  mt_constraints_set_direction (constraints, "a", MT_DIRECTION_FALLING);
  sample.context.constraints = constraints;
  /* The target rises with a, so the fit does. */
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_REFIT }, "x", "would break a constraint");
  sample_clear (&sample);
}

/* --- files that lie --- */

static char *
replace_once (const char *text,
              const char *from,
              const char *to)
{
  const char *at = strstr (text, from);
  GString *out;

  g_assert_nonnull (at);
  out = g_string_new_len (text, at - text);
  g_string_append (out, to);
  g_string_append (out, at + strlen (from));
  return g_string_free (out, FALSE);
}

/* Sealed anew, so that the lie itself is what is found. */
static char *
reseal (const char *text)
{
  const char *seal = g_strrstr (text, ",\n  \"checksum\"");
  g_autofree char *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, (gsize) (seal - text));

  return g_strdup_printf ("%.*s,\n  \"checksum\": \"sha256:%s\"\n}\n", (int) (seal - text), text, hash);
}

static void
assert_named (const char *json,
              const char *from,
              const char *to,
              const char *says)
{
  g_autofree char *changed = replace_once (json, from, to);
  g_autofree char *sealed = reseal (changed);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) model = mt_model_from_json (sealed, strlen (sealed), &error);

  g_assert_null (model);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  if (strstr (error->message, says) == NULL)
    g_error ("“%s” does not say “%s”", error->message, says);
}

static void
test_lies_are_named (void)
{
  Sample sample;
  g_autoptr (MtModel) model = NULL;
  g_autofree char *json = NULL;
  gsize n;

  sample_init (&sample, MT_TASK_BINARY, 16, 70);
  model = edit_all (&sample);
  json = mt_model_to_json (model, &n);
  assert_named (json, "\"kind\": \"drop-term\"", "\"kind\": \"drop-all\"", "edits[1].kind");
  assert_named (json, "\"kind\": \"refit\",", "\"kind\": \"refit\", \"term\": 1,", "edits[5]");
  assert_named (json, "\"reason\": \"because of 0\\n\\\"quoted\\\" ä\"", "\"reason\": \"\"", "edits[0].reason");
  assert_named (json, "\"decimals\": 2", "\"decimals\": 10", "edits[6].decimals");
  assert_named (json, "\"points\": 20", "\"points\": 0", "edits[7].points");
  assert_named (json, "\"kind\": \"forbid-column\",\n      \"column\": \"d\"",
                "\"kind\": \"forbid-column\",\n      \"column\": \"a\"", "edits[4].column was forbidden");
  assert_named (json, "\"kind\": \"forbid-column\",\n      \"column\": \"d\"",
                "\"kind\": \"forbid-column\",\n      \"column\": \"dd\"", "edits[4].column is not among");
  assert_named (json, "\"kind\": \"merge-thresholds\",\n      \"column\": \"a\"",
                "\"kind\": \"merge-thresholds\",\n      \"column\": \"d\"", "edits[3].from is not a threshold");
  assert_named (json, "\"validation\": {\"metric\": \"auc\"", "\"validation\": {\"metric\": \"r2\"",
                "edits[0].validation.metric");
  assert_named (json, "\"validation\": {\"metric\": \"auc\"", "\"validation\": {\"metric\": \"auk\"",
                "edits[0].validation.metric");
  assert_named (json, "\"after_se\": ", "\"after_se\": -", "edits[0].validation.after_se");
  assert_named (json, "\"difference_se\": ", "\"difference_se\": -", "edits[0].validation.difference_se");
  assert_named (json, "\"literals_after\": ", "\"literals_after\": 1", "edits[1].literals_before");
  sample_clear (&sample);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit/by-hand", test_by_hand);
  g_test_add_func ("/edit/forbidden-column-is-gone", test_forbidden_column_is_gone);
  g_test_add_func ("/edit/origins", test_origins);
  g_test_add_func ("/edit/rounding", test_rounding);
  g_test_add_func ("/edit/refit-is-the-head", test_refit_is_the_head);
  g_test_add_func ("/edit/round-trip", test_round_trip);
  g_test_add_func ("/edit/without-rows", test_without_rows);
  g_test_add_func ("/edit/judging", test_judging);
  g_test_add_func ("/edit/cancelling", test_cancelling);
  g_test_add_func ("/edit/refusals", test_refusals);
  g_test_add_func ("/edit/constraints-hold", test_constraints_hold);
  g_test_add_func ("/edit/lies-are-named", test_lies_are_named);
  return g_test_run ();
}
