/* Edits of a model: what is kept of them in files, how they are judged, and what is refused. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "edit-sample.h"
#include "testutils.h"

/* --- what is kept --- */

static MtModel *
edit_model (const MtEditSample *sample,
            const MtModel      *model,
            const MtEdit       *edit,
            const char         *reason)
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
edit_all (const MtEditSample *sample)
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
      MtEditSample sample;
      g_autoptr (MtModel) model = NULL;
      g_autoptr (MtModel) again = NULL;
      g_autoptr (MtModel) replayed = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *json = NULL;
      g_autofree char *json_again = NULL;
      g_autofree char *json_replayed = NULL;
      const MtModelInfo *info;
      gsize n, n_again, n_replayed;

      mt_edit_sample_init (&sample, tasks[i], 16, 70 + i);
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
      mt_edit_sample_clear (&sample);
    }
}

/* Without folds and rows the rules are the same to the last bit. */
static void
test_without_rows (void)
{
  MtEditSample sample;
  MtRandom random;

  mt_edit_sample_init (&sample, MT_TASK_BINARY, 12, 3);
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
      mt_edit_sample_draw (&sample, (MtEditKind) kind, &random, &edit);
      a = mt_edit_apply (&sample.context, mt_edit_sample_rules (&sample), &edit, NULL, NULL);
      b = mt_edit_apply (&bare, mt_edit_sample_rules (&sample), &edit, NULL, &error);
      g_assert_true ((a == NULL) == (b == NULL));
      for (guint t = 0; a != NULL && t < mt_rule_set_get_n_terms (a); t++)
        {
          const MtTerm *p = mt_rule_set_get_term (a, t), *q = mt_rule_set_get_term (b, t);

          g_assert_cmpfloat (p->weights[0], ==, q->weights[0]);
          g_assert_true (p->is_numeric ? p->numeric == q->numeric : mt_rule_equal (p->rule, q->rule));
        }
    }
  mt_edit_sample_clear (&sample);
}

/* --- judging --- */

static void
test_judging (void)
{
  MtEditSample sample;
  const MtEdit edits[] = { { .kind = MT_EDIT_FORBID_COLUMN, .column = "a" }, { .kind = MT_EDIT_REFIT },
                           { .kind = MT_EDIT_REFIT } };
  const MtEdit *list[] = { &edits[0], &edits[1], &edits[2] };
  MtEditRecord record = { .edit = edits[0] }, next = { .edit = edits[1] }, last = { .edit = edits[2] };
  g_autoptr (GError) error = NULL;

  /* The target is made of column a: without it little is left. */
  mt_edit_sample_init (&sample, MT_TASK_REGRESSION, 10, 8);
  g_assert_true (mt_edit_judge (&sample.context, mt_edit_sample_rules (&sample), list, 1, &record, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (record.is_judged);
  g_assert_cmpint (record.metric, ==, MT_METRIC_R2);
  g_assert_cmpfloat (record.before, >, .8);
  g_assert_cmpfloat (record.after, <, .3);
  g_assert_cmpfloat (record.difference_se, >, 0);
  /* The next edit begins where this one ended, and refitting what is fitted changes nothing. */
  g_assert_true (mt_edit_judge (&sample.context, mt_edit_sample_rules (&sample), list, 2, &next, NULL, &error));
  g_assert_cmpfloat (next.before, ==, record.after);
  g_assert_true (mt_edit_judge (&sample.context, mt_edit_sample_rules (&sample), list, 3, &last, NULL, &error));
  g_assert_cmpfloat (last.before, ==, next.after);
  g_assert_cmpfloat (last.after, ==, last.before);
  mt_edit_sample_clear (&sample);
}

static void
test_cancelling (void)
{
  MtEditSample sample;
  const MtEdit edit = { .kind = MT_EDIT_REFIT };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (GError) error = NULL;

  mt_edit_sample_init (&sample, MT_TASK_BINARY, 5, 9);
  g_cancellable_cancel (cancellable);
  g_assert_null (mt_edit_make (&sample.context, mt_edit_sample_rules (&sample), NULL, &edit, "why", &history, cancellable,
                               &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (history);
  mt_edit_sample_clear (&sample);
}

/* --- what is refused --- */

static void
assert_refused (const MtEditSample *sample,
                const MtEdit       *edit,
                const char         *reason,
                const char         *says)
{
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (mt_edit_make (&sample->context, mt_edit_sample_rules (sample), NULL, edit, reason, &history, NULL,
                               &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  if (strstr (error->message, says) == NULL)
    g_error ("“%s” does not say “%s”", error->message, says);
}

static void
test_refusals (void)
{
  MtEditSample sample;
  g_autofree char *longwinded = g_strnfill (MT_EDIT_MAX_REASON + 1, 'x');

  mt_edit_sample_init (&sample, MT_TASK_BINARY, 5, 11);
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_RULE }, " \n ", "needs a reason");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_RULE }, NULL, "needs a reason");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_RULE }, longwinded, "longer than 4000");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_RULE, .term = 7 }, "x", "7 terms; there is no term 8");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_TERM, .term = 0 }, "x", "is a linear term");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_TERM, .term = 2, .part = 99 }, "x", "there is no");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_DROP_INPUT, .term = 2, .part = 99 }, "x", "there is no");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_FORBID_COLUMN, .column = "zzz" }, "x", "no column “zzz”");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_MERGE_THRESHOLDS, .column = "a", .from = .123456 }, "x",
                  "“a” has no threshold 0.123456");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 10 }, "x", "0 to 9 decimals");
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 0, .points = 1001 }, "x", "points");
  assert_refused (&sample, &(MtEdit) { .kind = MT_N_EDITS }, "x", "no such edit");
  sample.context.encoded = NULL;
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_REFIT }, "x", "needs the training rows");
  mt_edit_sample_clear (&sample);
}

/* A model whose constraint an edit would break keeps to it. */
static void
test_constraints_hold (void)
{
  MtEditSample sample;
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();

  mt_edit_sample_init (&sample, MT_TASK_REGRESSION, 2, 14);
  mt_constraints_set_direction (constraints, "a", MT_DIRECTION_FALLING);
  sample.context.constraints = constraints;
  /* The target rises with a, so the fit does. */
  assert_refused (&sample, &(MtEdit) { .kind = MT_EDIT_REFIT }, "x", "would violate a constraint");
  mt_edit_sample_clear (&sample);
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
  MtEditSample sample;
  g_autoptr (MtModel) model = NULL;
  g_autofree char *json = NULL;
  gsize n;

  mt_edit_sample_init (&sample, MT_TASK_BINARY, 16, 70);
  model = edit_all (&sample);
  json = mt_model_to_json (model, &n);
  assert_named (json, "\"kind\": \"drop-term\"", "\"kind\": \"drop-all\"", "edits[1].kind");
  assert_named (json, "\"kind\": \"refit\",", "\"kind\": \"refit\", \"term\": 1,", "edits[5]");
  assert_named (json, "\"reason\": \"because of 0\\n\\\"quoted\\\" ä\"", "\"reason\": \"\"", "edits[0].reason");
  assert_named (json, "\"decimals\": 2", "\"decimals\": 10", "edits[6].decimals");
  assert_named (json, "\"points\": 20", "\"points\": 0", "edits[7].points");
  assert_named (json, "\"kind\": \"forbid-column\",\n      \"column\": \"d\"",
                "\"kind\": \"forbid-column\",\n      \"column\": \"a\"", "edits[4].column was excluded");
  assert_named (json, "\"kind\": \"forbid-column\",\n      \"column\": \"d\"",
                "\"kind\": \"forbid-column\",\n      \"column\": \"dd\"", "edits[4].column is not an encoded column");
  assert_named (json, "\"kind\": \"merge-thresholds\",\n      \"column\": \"a\"",
                "\"kind\": \"merge-thresholds\",\n      \"column\": \"d\"", "edits[3].from is not a threshold");
  assert_named (json, "\"validation\": {\"metric\": \"auc\"", "\"validation\": {\"metric\": \"r2\"",
                "edits[0].validation.metric");
  assert_named (json, "\"validation\": {\"metric\": \"auc\"", "\"validation\": {\"metric\": \"auk\"",
                "edits[0].validation.metric");
  assert_named (json, "\"after_se\": ", "\"after_se\": -", "edits[0].validation.after_se");
  assert_named (json, "\"difference_se\": ", "\"difference_se\": -", "edits[0].validation.difference_se");
  assert_named (json, "\"literals_after\": ", "\"literals_after\": 1", "edits[1].literals_before");
  mt_edit_sample_clear (&sample);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit-kept/round-trip", test_round_trip);
  g_test_add_func ("/edit-kept/without-rows", test_without_rows);
  g_test_add_func ("/edit-kept/judging", test_judging);
  g_test_add_func ("/edit-kept/cancelling", test_cancelling);
  g_test_add_func ("/edit-kept/refusals", test_refusals);
  g_test_add_func ("/edit-kept/constraints-hold", test_constraints_hold);
  g_test_add_func ("/edit-kept/lies-are-named", test_lies_are_named);
  return g_test_run ();
}
