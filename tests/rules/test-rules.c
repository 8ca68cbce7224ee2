#include "config.h"

#include <math.h>

#include "base/mt-error.h"
#include "rules/mt-rule-insensitive.h"
#include "base/mt-random.h"
#include "rules/mt-rules.h"

static const MtGroup groups[] = {
  { MT_GROUP_THERMOMETER, 0, 0, 4, FALSE },
  { MT_GROUP_THERMOMETER, 1, 4, 3, TRUE },
  { MT_GROUP_ONE_HOT, 2, 7, 3, TRUE },
  { MT_GROUP_ONE_HOT, 3, 10, 1, FALSE },
};

static MtEncoded *
make (gsize n_rows)
{
  g_autofree guint8 *codes = g_malloc (G_N_ELEMENTS (groups) * n_rows + 1);
  g_autofree double *numeric = g_new (double, n_rows + 1);
  MtRandom random;

  mt_random_init (&random, n_rows);
  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    for (gsize r = 0; r < n_rows; r++)
      codes[g * n_rows + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
  for (gsize r = 0; r < n_rows; r++)
    numeric[r] = (float) mt_random_normal (&random);
  return mt_encoded_new (groups, G_N_ELEMENTS (groups), codes, numeric, 1, n_rows);
}

/* (l1 ∧ ¬l5 ∧ l8) ∨ (¬l1 ∧ l10): five literals over four inputs. */
static const guint inputs[] = { 1, 5, 8, 10 };
static const MtCube cubes[] = { { 7, 5 }, { 9, 8 } };

static MtRule *
make_rule (void)
{
  g_autoptr (GError) error = NULL;
  MtRule *rule = mt_rule_new (inputs, 4, cubes, 2, NULL, TRUE, &error);

  g_assert_no_error (error);
  return rule;
}

static gboolean
by_hand (const MtEncoded *encoded,
         gsize            r)
{
  gboolean l1 = mt_plane_get (mt_encoded_get_plane (encoded, 1), r);
  gboolean l5 = mt_plane_get (mt_encoded_get_plane (encoded, 5), r);
  gboolean l8 = mt_plane_get (mt_encoded_get_plane (encoded, 8), r);
  gboolean l10 = mt_plane_get (mt_encoded_get_plane (encoded, 10), r);

  return (l1 && !l5 && l8) || (!l1 && l10);
}

static void
test_evaluate (void)
{
  const gsize sizes[] = { 1, 63, 64, 65, 511, 513, 2000 };
  g_autoptr (MtRule) rule = make_rule ();
  g_autoptr (MtRule) no = mt_rule_new_literal (2, TRUE);

  g_assert_cmpuint (mt_rule_get_n_literals (rule), ==, 5);
  for (guint v = 0; v < 16; v++)
    {
      gboolean expected = ((v & 1) && !(v & 2) && (v & 4)) || (!(v & 1) && (v & 8));

      g_assert_cmpint (mt_rule_get_table (rule)[0] >> v & 1, ==, expected);
    }
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autoptr (MtEncoded) encoded = make (sizes[s]);
      gsize n_words = mt_encoded_get_n_words (encoded);
      g_autofree guint64 *all = g_new (guint64, n_words);
      g_autofree guint64 *part = g_new (guint64, n_words);
      g_autofree guint64 *negated = g_new (guint64, n_words);

      mt_rule_evaluate (rule, encoded, 0, n_words, all);
      mt_rule_evaluate (rule, encoded, 1, n_words - 1, part);
      mt_rule_evaluate (no, encoded, 0, n_words, negated);
      for (gsize r = 0; r < n_words * 64; r++)
        {
          g_assert_cmpint (mt_plane_get (all, r), ==, r < sizes[s] && by_hand (encoded, r));
          g_assert_cmpint (mt_plane_get (negated, r), ==,
                           r < sizes[s] && !mt_plane_get (mt_encoded_get_plane (encoded, 2), r));
        }
      g_assert_cmpmem (all + 1, (n_words - 1) * 8, part, (n_words - 1) * 8);
    }
}

static void
test_score (void)
{
  g_autoptr (MtEncoded) encoded = make (3000);
  g_autoptr (MtRule) rule = make_rule ();
  g_autoptr (MtRule) literal = mt_rule_new_literal (7, FALSE);
  double w0[] = { .5, 0, -2 }, w1[] = { 0, 1.25, 3 }, w2[] = { -1, 2, 0 };
  const double bias[] = { .1, -.2, .3 };
  MtTerm terms[] = { { FALSE, 0, rule, w0 }, { TRUE, 0, NULL, w1 }, { FALSE, 0, literal, w2 } };
  g_autofree double *scores = g_new (double, 3 * 3000);
  g_autofree double *some = g_new (double, 3 * 3);
  const guint32 rows[] = { 2999, 5, 1024 };
  g_autoptr (MtEncoded) few = mt_encoded_take_rows (encoded, rows, 3);
  g_autoptr (MtRuleSet) set = mt_rule_set_new (MT_TASK_MULTICLASS, 3, bias, terms, 3, NULL);

  g_assert_cmpuint (mt_rule_set_get_complexity (set), ==, 5 + 1 + 1 + 1);
  g_assert_cmpuint (mt_rule_set_get_n_rules (set), ==, 2);
  mt_rule_set_score (set, encoded, scores);
  mt_rule_set_score (set, few, some);
  for (guint c = 0; c < 3; c++)
    {
      for (gsize r = 0; r < 3000; r++)
        {
          double expected = bias[c] + (by_hand (encoded, r) ? w0[c] : 0) +
                            w1[c] * mt_encoded_get_numeric (encoded, 0)[r] +
                            (mt_plane_get (mt_encoded_get_plane (encoded, 7), r) ? w2[c] : 0);

          g_assert_cmpfloat (fabs (scores[c * 3000 + r] - expected), <, 1e-12);
        }
      for (guint i = 0; i < 3; i++)
        g_assert_cmpfloat (some[c * 3 + i], ==, scores[c * 3000 + rows[i]]);
    }
  mt_task_link (MT_TASK_MULTICLASS, 3, 3, some);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (fabs (some[i] + some[3 + i] + some[6 + i] - 1), <, 1e-12);
}

static void
assert_refused (const guint    *ids,
                guint           n_ids,
                const MtCube   *cover,
                guint           n_cover,
                const guint64  *dont_cares[MT_N_DONT_CARES],
                const char     *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtRule) rule = mt_rule_new (ids, n_ids, cover, n_cover, dont_cares, TRUE, &error);

  g_assert_null (rule);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_bad_rules (void)
{
  const guint twice[] = { 3, 3 };
  const MtCube outside[] = { { 4, 4 } }, unmasked[] = { { 1, 3 } }, both[] = { { 1, 1 }, { 1, 0 } };
  const MtCube one[] = { { 1, 1 } };
  const guint64 set = 1, longer = 4;
  const guint64 *overlap[MT_N_DONT_CARES] = { &set, &set, NULL };
  const guint64 *too_long[MT_N_DONT_CARES] = { NULL, NULL, &longer };

  assert_refused (inputs, 0, one, 1, NULL, "a rule has 1 to 16 inputs, not 0");
  assert_refused (twice, 2, one, 1, NULL, "a rule's inputs must ascend: literal 3 follows 3");
  assert_refused (inputs, 1, one, 0, NULL, "a rule has 1 to 65536 conjunctions, not 0");
  assert_refused (inputs, 2, outside, 1, NULL, "conjunction 0 of a rule speaks of inputs that it does not have");
  assert_refused (inputs, 2, unmasked, 1, NULL, "conjunction 0 of a rule speaks of inputs that it does not have");
  assert_refused (inputs, 2, one, 1, NULL, "a rule does not use its input 1");
  assert_refused (inputs, 1, both, 2, NULL, "a rule is true of every row");
  assert_refused (inputs, 1, one, 1, overlap, "an assignment of a rule is in two don't-care sets");
  assert_refused (inputs, 1, one, 1, too_long, "a rule's don't-care set is longer than its table");
}

static void
test_bad_sets (void)
{
  g_autoptr (MtRule) rule = make_rule ();
  double w[] = { 1 }, infinite[] = { INFINITY };
  const double bias[] = { 0, 0 };
  MtTerm terms[] = { { FALSE, 0, rule, w }, { TRUE, 3, NULL, w }, { TRUE, 3, NULL, w } };
  MtTerm bad = { TRUE, 0, NULL, infinite };
  g_autoptr (MtRuleSet) set = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (mt_rule_set_new (MT_TASK_BINARY, 2, bias, terms, 1, &error));
  g_assert_cmpstr (error->message, ==, "a binary model cannot have 2 outputs");
  g_clear_error (&error);
  g_assert_null (mt_rule_set_new (MT_TASK_BINARY, 1, bias, &bad, 1, &error));
  g_assert_cmpstr (error->message, ==, "a weight of the model is not a finite number");
  g_clear_error (&error);
  g_assert_null (mt_rule_set_new (MT_TASK_REGRESSION, 1, bias, terms, 3, &error));
  g_assert_cmpstr (error->message, ==, "terms 1 and 2 of the model are identical");
  g_clear_error (&error);

  set = mt_rule_set_new (MT_TASK_REGRESSION, 1, bias, terms, 2, &error);
  g_assert_no_error (error);
  g_assert_true (mt_rule_set_validate (set, 11, 4, &error));
  g_assert_false (mt_rule_set_validate (set, 10, 4, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_assert_cmpstr (error->message, ==, "term 0 of the model uses condition 10, but there are only 10");
  g_clear_error (&error);
  g_assert_false (mt_rule_set_validate (set, 11, 3, &error));
  g_assert_cmpstr (error->message, ==, "term 1 of the model uses numeric column 3, but there are only 3");
}

/* --- neutral assignments --- */

/* The rule with another truth table, one conjunction an assignment; NULL: it would be constant. */
static MtRule *
rule_of_table (guint64 table)
{
  MtCube all[16];
  guint n = 0;

  for (guint v = 0; v < 16; v++)
    if (table >> v & 1)
      all[n++] = (MtCube) { 15, v };
  return n == 0 || n == 16 ? NULL : mt_rule_new (inputs, 4, all, n, NULL, FALSE, NULL);
}

/* Loss of all rows: nats, or half squares in units of the target's variance. */
static double
loss_with (MtTask           task,
           MtRule          *rule,
           double          *weights,
           const MtEncoded *encoded,
           const double    *target)
{
  const double bias[3] = { .1, -.2, .3 };
  guint n_outputs = task == MT_TASK_MULTICLASS ? 3 : 1;
  gsize n = mt_encoded_get_n_rows (encoded);
  const MtTerm term = { FALSE, 0, rule, weights };
  g_autoptr (MtRuleSet) rules = mt_rule_set_new (task, n_outputs, bias, &term, 1, NULL);
  g_autofree double *p = g_new (double, n_outputs * n);
  double sum = 0, mean = 0, square = 0;

  mt_rule_set_score (rules, encoded, p);
  mt_task_link (task, n_outputs, n, p);
  for (gsize r = 0; r < n; r++)
    {
      mean += target[r] / n;
      square += target[r] * target[r] / n;
      if (task == MT_TASK_REGRESSION)
        sum += .5 * (target[r] - p[r]) * (target[r] - p[r]);
      else
        sum -= log (task == MT_TASK_BINARY ? (target[r] == 1 ? p[r] : 1 - p[r]) : p[(gsize) target[r] * n + r]);
    }
  return task == MT_TASK_REGRESSION ? sum / (square - mean * mean) : sum;
}

/* Every entry is turned and the loss computed anew. */
static void
test_neutral (void)
{
  const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };
  enum { N = 2000 };
  g_autoptr (MtEncoded) encoded = make (N);
  g_autoptr (MtRule) rule = make_rule ();
  guint64 unseen = 1 << 3;
  const guint64 *sets[MT_N_DONT_CARES] = { NULL, &unseen, NULL };
  g_autoptr (MtRule) marked_before = mt_rule_new (inputs, 4, cubes, 2, sets, TRUE, NULL);

  for (guint t = 0; t < G_N_ELEMENTS (tasks); t++)
    {
      double weights[3] = { .05, -.03, .02 }, target[N];
      const double bias[3] = { .1, -.2, .3 };
      const MtTerm term = { FALSE, 0, marked_before, weights };
      g_autoptr (MtRuleSet) rules = NULL;
      g_autoptr (MtRuleSet) marked = NULL;
      const guint64 *neutral;
      MtRandom random;
      double now;
      guint n_neutral = 0;

      mt_random_init (&random, 5 + t);
      for (gsize r = 0; r < N; r++)
        target[r] = tasks[t] == MT_TASK_REGRESSION ? 3 * mt_random_normal (&random)
                                                   : mt_random_below (&random, tasks[t] == MT_TASK_BINARY ? 2 : 3);
      rules = mt_rule_set_new (tasks[t], tasks[t] == MT_TASK_MULTICLASS ? 3 : 1, bias, &term, 1, NULL);
      marked = mt_rule_set_mark_neutral (rules, encoded, target);
      neutral = mt_rule_get_dont_care (mt_rule_set_get_term (marked, 0)->rule, MT_DONT_CARE_NEUTRAL);
      now = loss_with (tasks[t], rule, weights, encoded, target);
      for (guint v = 0; v < 16; v++)
        {
          g_autoptr (MtRule) turned = rule_of_table (*mt_rule_get_table (rule) ^ (guint64) 1 << v);
          double change = loss_with (tasks[t], turned, weights, encoded, target) - now;
          gboolean is_neutral = neutral != NULL && (*neutral >> v & 1);

          if (v == 3)
            g_assert_false (is_neutral);          /* it is unseen, as far as the rule knows */
          else if (fabs (fabs (change) - MT_NEUTRAL_SHARE * N) > 1e-9)
            g_assert_true (is_neutral == (fabs (change) < MT_NEUTRAL_SHARE * N));
          n_neutral += is_neutral;
        }
      g_assert_cmpuint (n_neutral, >, 2);
      g_assert_cmpuint (n_neutral, <, 15);
      g_assert_cmphex (*mt_rule_get_dont_care (mt_rule_set_get_term (marked, 0)->rule, MT_DONT_CARE_UNSEEN), ==, unseen);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rules/evaluate", test_evaluate);
  g_test_add_func ("/rules/score", test_score);
  g_test_add_func ("/rules/neutral", test_neutral);
  g_test_add_func ("/rules/bad-rules", test_bad_rules);
  g_test_add_func ("/rules/bad-sets", test_bad_sets);
  return g_test_run ();
}
