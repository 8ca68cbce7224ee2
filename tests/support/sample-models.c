#include "config.h"
#include "sample-models.h"

#include <math.h>

#include "logic/mt-qmc.h"
#include "base/mt-random.h"
#include "testutils.h"

static const char * const yes_no[] = { "no", "yes", NULL };
static const char * const three[] = { "low", "mid", "=high", NULL };

static const char * const *
classes_of (MtTask task)
{
  return task == MT_TASK_BINARY ? yes_no : task == MT_TASK_MULTICLASS ? three : NULL;
}

MtTable *
mt_test_sample_table (MtTask  task,
                      gsize   n_rows,
                      guint64 seed)
{
  static const char * const words[] = { "red", "green", "say \"hi\"", "two words", "", "rare" };
  g_autofree double *a = g_new (double, n_rows);
  g_autofree double *b = g_new (double, n_rows);
  double *when = g_new (double, n_rows);
  g_autofree double *target = g_new (double, n_rows);
  g_autofree const char **d = g_new (const char *, n_rows);
  g_autofree const char **e = g_new (const char *, n_rows);
  g_autofree const char **f = g_new (const char *, n_rows);
  g_autofree const char **y = g_new (const char *, n_rows);
  MtColumnRole roles[7] = { 0 };
  g_autoptr (MtTable) plain = NULL;
  MtColumn *columns[7];
  MtRandom random;

  mt_random_init (&random, seed);
  for (gsize i = 0; i < n_rows; i++)
    {
      double p = mt_random_double (&random);
      gboolean is_missing;

      a[i] = floor (mt_random_normal (&random) * 100) / 10;
      b[i] = mt_random_double (&random) < 0.1 ? NAN : exp (mt_random_normal (&random) * 3);
      when[i] = 16000 + (double) mt_random_below (&random, 700);
      d[i] = p < 0.004 ? "rare" : words[mt_random_below (&random, 5)];
      is_missing = mt_random_double (&random) < 0.2;
      e[i] = is_missing ? NULL : p < 0.002 ? "rare" : words[mt_random_below (&random, 3)];
      f[i] = mt_random_double (&random) < 0.3 ? NULL : yes_no[mt_random_below (&random, 2)];
      target[i] = a[i] * 2 + (isnan (b[i]) ? 5 : 0) + mt_random_normal (&random);
      y[i] = task == MT_TASK_BINARY ? yes_no[target[i] > 0] : three[target[i] < -5 ? 0 : target[i] < 5 ? 1 : 2];
    }
  columns[0] = mt_test_numbers ("a", a, n_rows);
  columns[1] = mt_test_numbers ("b (log)", b, n_rows);
  columns[2] = mt_column_new_numbers ("when", MT_TYPE_DATE, when, n_rows);
  columns[3] = mt_test_levels ("d", MT_TYPE_CATEGORY, d, n_rows);
  columns[4] = mt_test_levels ("e is odd", MT_TYPE_CATEGORY, e, n_rows);
  columns[5] = mt_test_levels ("f", MT_TYPE_BOOLEAN, f, n_rows);
  columns[6] = task == MT_TASK_REGRESSION ? mt_test_numbers ("y", target, n_rows)
                                          : mt_test_levels ("y", MT_TYPE_CATEGORY, y, n_rows);
  plain = mt_table_new (columns, G_N_ELEMENTS (columns));
  roles[6] = MT_ROLE_TARGET;
  return mt_table_with_roles (plain, roles, NULL);
}

void
mt_test_sample_gaps (MtTable *table)
{
  static const struct { const char *name, *texts[4]; } gaps[] = {
    { "a", { "0", "-1.5" } }, { "b (log)", { "1e3" } }, { "when", { "2014-06-01" } }, { "d", { "two words", "0", "" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (gaps); i++)
    mt_column_set_missing_values ((MtColumn *) mt_table_find_column (table, gaps[i].name, NULL), gaps[i].texts);
}

/* Assignments of @inputs that no row of @encoded has and that are not impossible. */
static void
find_unseen (const MtEncoded *encoded,
             const guint     *inputs,
             guint            n_inputs,
             const guint64   *impossible,
             guint64         *unseen)
{
  mt_truth_table_not (n_inputs, impossible, unseen);
  for (gsize r = 0; r < mt_encoded_get_n_rows (encoded); r++)
    {
      guint32 v = 0;

      for (guint i = 0; i < n_inputs; i++)
        v |= (guint32) mt_plane_get (mt_encoded_get_plane (encoded, inputs[i]), r) << i;
      mt_truth_table_set (unseen, v, FALSE);
    }
}

/* NULL when the table drawn gives a constant, or a rule that leaves an input out. */
static MtRule *
random_rule (const MtEncoder *encoder,
             const MtEncoded *encoded,
             MtRandom        *random)
{
  guint n_inputs = 1 + (guint) mt_random_below (random, 4);
  guint inputs[4];
  guint64 on, impossible, unseen, free_to_choose;
  const guint64 *dont_cares[MT_N_DONT_CARES] = { &impossible, &unseen, NULL };
  g_auto (MtCover) cover = { NULL };

  inputs[0] = (guint) mt_random_below (random, 9);
  for (guint i = 1; i < n_inputs; i++)
    inputs[i] = inputs[i - 1] + 1 + (guint) mt_random_below (random, 9);
  if (inputs[n_inputs - 1] >= mt_encoder_get_n_literals (encoder))
    return NULL;
  on = mt_random_next (random) & mt_truth_table_last_mask (n_inputs);
  mt_encoder_impossible (encoder, inputs, n_inputs, &impossible);
  find_unseen (encoded, inputs, n_inputs, &impossible, &unseen);
  free_to_choose = impossible | unseen;
  mt_qmc_minimize (n_inputs, &on, &free_to_choose, NULL, &cover);
  return mt_rule_new (inputs, n_inputs, cover.cubes, cover.n_cubes, dont_cares, cover.proven, NULL);
}

static MtModel *
make_model (MtTask         task,
            const MtTable *table,
            guint          n_rules,
            guint64        seed,
            gboolean       shapes)
{
  static const MtModelMetric metrics[] = {
    { "cv", MT_METRIC_AUC, 0.8125, TRUE, 0.79, 0.83 }, { "test", MT_METRIC_AUC, 1.0 / 3, FALSE },
  };
  static const MtModelMetric number_metrics[] = { { "test", MT_METRIC_R2, -0.25, FALSE } };
  static const MtModelSetting settings[] = {
    { "bits", MT_SETTING_NUMBER, 5 }, { "temperature", MT_SETTING_NUMBER, 0.01 },
    { "refine", MT_SETTING_TEXT, 0, "exact" }, { "xor", MT_SETTING_BOOLEAN, 0, NULL, FALSE },
  };
  guint n_outputs = task == MT_TASK_MULTICLASS ? 3 : 1;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtEncoded) encoded = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autofree MtTerm *terms = g_new0 (MtTerm, n_rules + 2);
  g_autofree double *weights = g_new (double, (n_rules + 2) * n_outputs);
  g_autoptr (GError) error = NULL;
  double bias[3] = { -0.5, 0.25, 0.125 };
  MtEncoderOptions options;
  MtModelInfo info;
  MtModel *model;
  MtRandom random;
  guint n_terms = 0;

  mt_encoder_options_init (&options);
  options.bits = 5;
  options.shapes = shapes;
  encoder = mt_encoder_fit (table, NULL, 0, &options, &error);
  g_assert_no_error (error);
  encoded = mt_encoder_apply (encoder, table, NULL, 0, NULL, &error);
  g_assert_no_error (error);

  mt_random_init (&random, seed);
  for (guint i = 0; i < (n_rules + 2) * n_outputs; i++)
    weights[i] = mt_random_normal (&random);
  for (guint i = 0; i < 2; i++)
    {
      guint numeric = i * 2;

      /* The last shape of the first column, and that of the second. */
      for (guint u = 0; shapes && u < mt_encoder_get_n_numeric (encoder); u++)
        if (mt_encoder_get_numeric (encoder, u)->column == i)
          numeric = u;
      terms[n_terms++] = (MtTerm) { .is_numeric = TRUE, .numeric = numeric, .weights = weights + i * n_outputs };
    }
  while (n_terms < n_rules + 2)
    {
      gboolean is_new = TRUE;

      terms[n_terms] = (MtTerm) { .rule = random_rule (encoder, encoded, &random),
                                  .weights = weights + n_terms * n_outputs };
      for (guint i = 2; i < n_terms && terms[n_terms].rule != NULL; i++)
        is_new = is_new &&
                 !(mt_rule_get_n_inputs (terms[i].rule) == mt_rule_get_n_inputs (terms[n_terms].rule) &&
                             mt_rule_equal (terms[i].rule, terms[n_terms].rule));
      if (terms[n_terms].rule != NULL && is_new)
        n_terms++;
      else
        g_clear_pointer (&terms[n_terms].rule, mt_rule_unref);
    }
  rules = mt_rule_set_new (task, n_outputs, bias, terms, n_terms, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n_terms; i++)
    mt_rule_unref (terms[i].rule);

  mt_model_info_init (&info);
  info.target = "y";
  info.classes = classes_of (task);
  info.dont_care = "unseen";
  info.version = "0.1.0";
  info.n_rows = mt_table_get_n_rows (table);
  info.n_train = info.n_rows;
  info.train_differ = 1;
  info.seed = seed;
  info.data_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  info.metrics = task == MT_TASK_REGRESSION ? number_metrics : metrics;
  info.n_metrics = task == MT_TASK_REGRESSION ? 1 : 2;
  info.settings = settings;
  info.n_settings = G_N_ELEMENTS (settings);
  model = mt_model_new (encoder, rules, &info, &error);
  g_assert_no_error (error);
  return model;
}

MtModel *
mt_test_sample_model (MtTask         task,
                      const MtTable *table,
                      guint          n_rules,
                      guint64        seed)
{
  return make_model (task, table, n_rules, seed, FALSE);
}

MtModel *
mt_test_shaped_model (MtTask         task,
                      const MtTable *table,
                      guint          n_rules,
                      guint64        seed)
{
  return make_model (task, table, n_rules, seed, TRUE);
}
