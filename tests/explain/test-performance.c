/* Rankings, cutoffs and out-of-fold predictions, against their definitions. */
#include "config.h"

#include <math.h>

#include "base/mt-random.h"
#include "edit-sample.h"
#include "mt-core.h"

#define N_ROWS 400

typedef struct {
  double  p[N_ROWS];
  guint32 y[N_ROWS];
} Rows;

/* Many ties: probabilities in steps of 1/40. */
static void
rows_init (Rows    *rows,
           guint64  seed)
{
  MtRandom random;

  mt_random_init (&random, seed);
  for (guint r = 0; r < N_ROWS; r++)
    {
      rows->p[r] = (1 + floor (mt_random_double (&random) * 38)) / 40;
      rows->y[r] = mt_random_double (&random) < rows->p[r];
    }
}

static MtScored
scored_of (const Rows *rows)
{
  return (MtScored) { MT_TASK_BINARY, 2, N_ROWS, rows->y, NULL, rows->p };
}

static void
count_by_hand (const Rows *rows,
               double      cutoff,
               MtOutcomes *out)
{
  *out = (MtOutcomes) { 0 };
  for (guint r = 0; r < N_ROWS; r++)
    {
      if (rows->p[r] > cutoff)
        {
          out->true_positive += rows->y[r];
          out->false_positive += !rows->y[r];
        }
      else
        {
          out->false_negative += rows->y[r];
          out->true_negative += !rows->y[r];
        }
    }
}

static void
test_counts (void)
{
  Rows rows;
  MtScored scored;
  g_autoptr (MtRanking) ranking = NULL;

  rows_init (&rows, 1);
  scored = scored_of (&rows);
  ranking = mt_ranking_new (&scored, 1);
  for (double cutoff = 0; cutoff <= 1; cutoff += 1. / 80)     /* on the steps and between them */
    {
      MtOutcomes a, b;

      mt_ranking_count (ranking, cutoff, &a);
      count_by_hand (&rows, cutoff, &b);
      g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
    }
}

static void
test_roc_area (void)
{
  Rows rows;
  MtScored scored;
  double x[N_ROWS + 1], y[N_ROWS + 1], area = 0;
  gsize n;

  rows_init (&rows, 2);
  scored = scored_of (&rows);
  for (guint class_ = 0; class_ < 2; class_++)
    {
      g_autoptr (MtRanking) ranking = mt_ranking_new (&scored, class_);

      n = mt_ranking_trace (ranking, MT_TRACE_ROC, G_MAXSIZE, x, y);
      area = 0;
      for (gsize i = 1; i < n; i++)
        area += (x[i] - x[i - 1]) * (y[i] + y[i - 1]) / 2;
      g_assert_cmpfloat_with_epsilon (area, mt_metric_auc (rows.p, rows.y, 1, N_ROWS), 1e-12);
      g_assert_cmpfloat (x[n - 1], ==, 1);
      g_assert_cmpfloat (y[n - 1], ==, 1);
      n = mt_ranking_trace (ranking, MT_TRACE_PRECISION_RECALL, G_MAXSIZE, x, y);
      g_assert_cmpfloat_with_epsilon (y[n - 1], (double) ranking->n_hits / N_ROWS, 1e-12);
      n = mt_ranking_trace (ranking, MT_TRACE_GAIN, 10, x, y);
      g_assert_cmpuint (n, <=, 12);
      g_assert_cmpfloat (x[n - 1], ==, 1);
      g_assert_cmpfloat (y[n - 1], ==, 1);
    }
}

/* No cutoff in fine steps is worth more, nearer to the rate, or takes more within the capacity. */
static void
test_choices (void)
{
  for (guint64 seed = 3; seed < 23; seed++)
    {
      Rows rows;
      MtScored scored;
      MtRandom random;
      MtOutcomeValues values;
      g_autoptr (MtRanking) ranking = NULL;
      MtOutcomes at;
      double rate, best, near_, within;

      rows_init (&rows, seed);
      mt_random_init (&random, seed + 1000);
      values = (MtOutcomeValues) { 10 * mt_random_double (&random), -10 * mt_random_double (&random),
                                   mt_random_double (&random), -5 * mt_random_double (&random) };
      rate = mt_random_double (&random);
      scored = scored_of (&rows);
      ranking = mt_ranking_new (&scored, 1);
      mt_ranking_count (ranking, mt_ranking_cut_value (ranking, &values, .5), &at);
      best = mt_outcomes_value (&at, &values);
      mt_ranking_count (ranking, mt_ranking_cut_rate (ranking, rate), &at);
      near_ = fabs ((double) (at.true_positive + at.false_positive) / N_ROWS - rate);
      mt_ranking_count (ranking, mt_ranking_cut_capacity (ranking, rate), &at);
      within = (double) (at.true_positive + at.false_positive) / N_ROWS;
      g_assert_cmpfloat (within, <=, rate);
      for (double cutoff = 1. / 160; cutoff < 1; cutoff += 1. / 80)
        {
          double share;

          count_by_hand (&rows, cutoff, &at);
          share = (double) (at.true_positive + at.false_positive) / N_ROWS;
          g_assert_cmpfloat (mt_outcomes_value (&at, &values), <=, best + 1e-9);
          g_assert_cmpfloat (fabs (share - rate), >=, near_ - 1e-12);
          g_assert_true (share > rate || share <= within + 1e-12);
        }
    }
}

/* What is chosen has few digits and lies on no probability. */
static void
test_readable (void)
{
  const double p[] = { .9, .61234567, .61234001, .3, 0 };
  const guint32 y[] = { 1, 1, 0, 0, 0 };
  const MtScored scored = { MT_TASK_BINARY, 2, 5, y, NULL, p };
  g_autoptr (MtRanking) ranking = mt_ranking_new (&scored, 1);

  g_assert_cmpfloat (mt_ranking_cut (ranking, 0), ==, .95);
  g_assert_cmpfloat (mt_ranking_cut (ranking, 1), ==, .8);
  g_assert_cmpfloat_with_epsilon (mt_ranking_cut (ranking, 2), .612345, 1e-6);
  g_assert_cmpfloat (mt_ranking_cut (ranking, 3), ==, .5);
  g_assert_cmpfloat (mt_ranking_cut (ranking, 4), ==, .2);
  g_assert_true (isnan (mt_ranking_cut (ranking, 5)));     /* a probability of 0 is above no cutoff */
}

static void
test_shares (void)
{
  double low, high;

  mt_share_interval (0, 0, &low, &high);
  g_assert_cmpfloat (low, ==, 0);
  g_assert_cmpfloat (high, ==, 1);
  /* A published example: 9 of 10 is 0.5958 … 0.9821. */
  mt_share_interval (9, 10, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, .5958, 1e-4);
  g_assert_cmpfloat_with_epsilon (high, .9821, 1e-4);
}

/* Each fold by the fit without it, and nothing of its rows in that. */
static void
test_folds (void)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      MtEditSample sample;
      g_autoptr (GError) error = NULL;
      g_autoptr (MtPerformance) folds = NULL;
      g_autoptr (MtPerformance) training = NULL;
      const MtRuleSet *rules;
      MtInterval intervals[MT_N_METRICS];
      guint n_classes, n_outputs;
      gsize n_rows;

      mt_edit_sample_init (&sample, tasks[i], 6, 40 + i);
      rules = mt_edit_sample_rules (&sample);
      n_classes = mt_model_get_n_classes (sample.model);
      n_outputs = mt_rule_set_get_n_outputs (rules);
      n_rows = mt_encoded_get_n_rows (sample.encoded);
      folds = mt_performance_new_folds (&sample.context, rules, NULL, n_classes, NULL, 20, 1, NULL, &error);
      g_assert_no_error (error);
      training = mt_performance_new_rules (MT_PERFORMANCE_TRAINING, rules, n_classes, sample.encoded, sample.target,
                                           NULL, 20, 1);
      g_assert_cmpuint (folds->scored.n_rows + folds->n_left_out, ==, n_rows);
      g_assert_cmpuint (training->scored.n_rows, ==, n_rows);
      for (guint f = 0; f < sample.context.n_folds; f++)
        {
          g_autofree guint32 *held = g_new (guint32, n_rows);
          g_autofree guint32 *rest = g_new (guint32, n_rows);
          g_autofree double *target = g_new (double, n_rows);
          g_autofree double *scores = g_new (double, n_rows * n_outputs);
          g_autoptr (MtEncoded) fit_rows = NULL;
          g_autoptr (MtEncoded) held_rows = NULL;
          g_autoptr (MtRuleSet) fitted = NULL;
          gsize n_held = 0, n_rest = 0;

          for (gsize r = 0; r < n_rows; r++)
            if (sample.context.fold_of[r] == f)
              held[n_held++] = (guint32) r;
            else
              {
                target[n_rest] = sample.target[r];
                rest[n_rest++] = (guint32) r;
              }
          if (n_held == 0)
            continue;
          fit_rows = mt_encoded_take_rows (sample.encoded, rest, n_rest);
          held_rows = mt_encoded_take_rows (sample.encoded, held, n_held);
          fitted = mt_edit_refit (rules, fit_rows, target, FALSE, NULL, &error);
          g_assert_no_error (error);
          mt_rule_set_score (fitted, held_rows, scores);
          mt_task_link (tasks[i], n_outputs, n_held, scores);
          for (gsize k = 0; k < n_held && folds->n_left_out == 0; k++)
            for (guint c = 0; c < n_outputs; c++)
              g_assert_cmpfloat (folds->predictions[c * n_rows + held[k]], ==, scores[c * n_held + k]);
        }
      g_assert_true (mt_performance_measure (folds, intervals, NULL, &error));
      for (guint m = 0; m < folds->how.n_metrics; m++)
        g_assert_true (intervals[m].value == folds->metrics[m] || (isnan (intervals[m].value) && isnan (folds->metrics[m])));
      mt_edit_sample_clear (&sample);
    }
}

/* Every edit of a history is made again in each fold. */
static void
test_folds_of_edited (void)
{
  const MtEdit edit = { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 0 };
  MtEditSample sample;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (MtRuleSet) edited = NULL;
  g_autoptr (MtPerformance) folds = NULL;
  const MtEditRecord *record;

  mt_edit_sample_init (&sample, MT_TASK_BINARY, 6, 50);
  edited = mt_edit_make (&sample.context, mt_edit_sample_rules (&sample), NULL, &edit, "points", &history, NULL, &error);
  g_assert_no_error (error);
  folds = mt_performance_new_folds (&sample.context, edited, history, 2, NULL, 20, 1, NULL, &error);
  g_assert_no_error (error);
  record = mt_edit_history_get (history, 0);
  g_assert_true (record->is_judged);
  /* One number over all rows, and the mean of one a fold: near, and not those of unrounded weights. */
  g_assert_cmpfloat_with_epsilon (folds->metrics[0], record->after, .1);
  mt_edit_sample_clear (&sample);
}

static void
test_cancelled (void)
{
  MtEditSample sample;
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  mt_edit_sample_init (&sample, MT_TASK_BINARY, 6, 51);
  g_assert_null (mt_performance_new_folds (&sample.context, mt_edit_sample_rules (&sample), NULL, 2, NULL, 20, 1,
                                           cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  mt_edit_sample_clear (&sample);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/performance/counts", test_counts);
  g_test_add_func ("/performance/roc-area", test_roc_area);
  g_test_add_func ("/performance/choices", test_choices);
  g_test_add_func ("/performance/readable", test_readable);
  g_test_add_func ("/performance/shares", test_shares);
  g_test_add_func ("/performance/folds", test_folds);
  g_test_add_func ("/performance/folds-of-edited", test_folds_of_edited);
  g_test_add_func ("/performance/cancelled", test_cancelled);
  return g_test_run ();
}
