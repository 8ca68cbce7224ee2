/* What simpler and more complex methods give on the same rows and folds, to hold the frontier against. See
 * mt-baselines.h.
 *
 * The order of work: encode once with the usual thresholds and once with FINE_BITS; make a
 * part for each fold and one for all rows; on each part intercept, linear model and tree;
 * then boosting on all folds together, a few rounds at a time, until their mean loss has
 * not fallen for PATIENCE rounds; then as many rounds on all rows.
 *
 * The test rows, if any, are judged only by the part of all rows, after all choices are
 * made. */
#include "config.h"
#include "mt-baselines-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-random.h"
#include "data/mt-split.h"

#define FINE_BITS      63
#define MAX_ROUNDS     300
#define ROUNDS_A_CHECK 5
#define PATIENCE       40      /* rounds without a lower mean loss */
#define DEFAULT_ROUNDS 100     /* without folds to choose by */

struct _MtBaselines {
  gatomicrefcount  ref_count;
  guint            n_folds;
  gsize            n_rows_used;
  MtBaseline       fixed[MT_N_BASELINES];         /* the tree's is unused */
  double          *fold_scores[MT_N_BASELINES];   /* n_folds each; the tree's is n_trees × n_folds */
  GArray          *trees;                         /* of MtBaseline, ascending */
};

const char *
mt_baseline_kind_to_string (MtBaselineKind kind)
{
  static const char * const words[MT_N_BASELINES] = { "intercept", "linear", "tree", "boosted" };

  g_return_val_if_fail (kind < MT_N_BASELINES, NULL);
  return words[kind];
}

static GError *
take_error (MtBaselineRun *run)
{
  for (guint i = 0; i < run->n_parts; i++)
    if (run->parts[i].error != NULL)
      return g_steal_pointer (&run->parts[i].error);
  return NULL;
}

/* All folds go on together, so that their mean loss can say when to stop. The number of checks
 * after which it was least, or 0 when cancelled. */
static guint
boost_folds (MtBaselineRun   *run,
             guint            n_folds,
             MtPool          *pool,
             MtProgressFunc   progress,
             gpointer         progress_data,
             GError         **error)
{
  double least = INFINITY;
  guint best = 0;

  run->n_rounds = ROUNDS_A_CHECK;
  for (guint check = 1; check * ROUNDS_A_CHECK <= MAX_ROUNDS; check++)
    {
      GError *first;
      double sum = 0;

      mt_pool_run (pool, n_folds, _mt_baseline_boost, run);
      first = take_error (run);
      if (first != NULL)
        {
          g_propagate_error (error, first);
          return 0;
        }
      for (guint f = 0; f < n_folds; f++)
        sum += g_array_index (run->parts[f].losses, double, check - 1);
      if (sum < least)
        {
          least = sum;
          best = check;
        }
      if ((check - best) * ROUNDS_A_CHECK >= PATIENCE)
        break;
      if (progress != NULL)
        progress (0.2 + 0.7 * check * ROUNDS_A_CHECK / MAX_ROUNDS, progress_data);
    }
  return MAX (best, 1);
}

/* --- parts --- */

static void
part_clear (MtBaselinePart *part)
{
  g_clear_pointer (&part->booster, mt_booster_free);
  g_clear_pointer (&part->rest, mt_encoded_unref);
  g_clear_pointer (&part->held, mt_encoded_unref);
  g_clear_pointer (&part->sample, mt_encoded_unref);
  g_clear_pointer (&part->fine_sample, mt_encoded_unref);
  g_clear_pointer (&part->fine_held, mt_encoded_unref);
  g_free (part->target);
  g_free (part->held_target);
  g_free (part->sample_target);
  g_clear_pointer (&part->trees, g_array_unref);
  g_clear_pointer (&part->losses, g_array_unref);
  g_clear_pointer (&part->scores, g_array_unref);
  g_clear_error (&part->error);
}

/* The values of the given rows, in their order. */
static double *
take_values (const double  *values,
             const guint32 *rows,
             gsize          n_rows)
{
  double *taken = g_new (double, MAX (n_rows, 1));

  for (gsize i = 0; i < n_rows; i++)
    taken[i] = values[rows[i]];
  return taken;
}

static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

/* @rest: what the part learns from, of the n_rows of @encoded. Draws from it when it is too much.
 *
 * Rows that are drawn are sorted again, so that memory is read in order and the result does
 * not depend on the shuffle's order of them. */
static void
part_learn_from (MtBaselinePart  *part,
                 const MtEncoded *encoded,
                 const MtEncoded *fine,
                 const double    *target,
                 guint32         *rest,
                 gsize            n_rest,
                 guint64          seed,
                 guint            number)
{
  MtRandom random;

  part->rest = mt_encoded_take_rows (encoded, rest, n_rest);
  part->target = take_values (target, rest, n_rest);
  part->n_sample = MIN (n_rest, MT_BASELINE_MAX_ROWS);
  if (part->n_sample < n_rest)
    {
      mt_random_init_stream (&random, seed, 0x7265 + number);
      mt_random_shuffle (&random, rest, n_rest);
      qsort (rest, part->n_sample, sizeof *rest, compare_rows);
    }
  part->sample = mt_encoded_take_rows (encoded, rest, part->n_sample);
  part->fine_sample = mt_encoded_take_rows (fine, rest, part->n_sample);
  part->sample_target = take_values (target, rest, part->n_sample);
  part->trees = g_array_new (FALSE, FALSE, sizeof (MtTreeSize));
  part->losses = g_array_new (FALSE, FALSE, sizeof (double));
  part->scores = g_array_new (FALSE, FALSE, sizeof (double));
}

/* Everything a run needs to be given, made once. */
typedef struct {
  MtTarget     *target;
  MtTargetRows *rows;
  MtEncoder    *encoder, *fine_encoder;
  MtEncoded    *encoded, *fine;
  guint8       *fold_of;
  double        mean, sd;      /* of the numbers to predict */
} Data;

static void
data_clear (Data *data)
{
  g_clear_pointer (&data->target, mt_target_unref);
  g_clear_pointer (&data->rows, mt_target_rows_free);
  g_clear_pointer (&data->encoder, mt_encoder_unref);
  g_clear_pointer (&data->fine_encoder, mt_encoder_unref);
  g_clear_pointer (&data->encoded, mt_encoded_unref);
  g_clear_pointer (&data->fine, mt_encoded_unref);
  g_clear_pointer (&data->fold_of, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Data, data_clear)

/* Target, rows, both encodings and the folds. The encodings are fitted on all rows to learn
 * from, as mt_learn_run() does; the folds are the same as there, for the same seed. */
static gboolean
data_init (Data                  *data,
           const MtTable         *table,
           const guint32         *rows,
           gsize                  n_rows,
           const MtLearnOptions  *options,
           GError               **error)
{
  MtEncoderOptions fine = options->encoder;
  const MtTargetRows *known;

  data->target = mt_target_new (table, rows, n_rows, options->task, error);
  if (data->target == NULL)
    return FALSE;
  data->rows = mt_target_read (data->target, table, rows, n_rows, error);
  if (data->rows == NULL)
    return FALSE;
  known = data->rows;
  fine.bits = MAX (fine.bits, FINE_BITS);
  data->encoder = mt_encoder_fit (table, known->rows, known->n_rows, &options->encoder, error);
  if (data->encoder == NULL)
    return FALSE;
  data->fine_encoder = mt_encoder_fit (table, known->rows, known->n_rows, &fine, error);
  if (data->fine_encoder == NULL)
    return FALSE;
  data->encoded = mt_encoder_apply (data->encoder, table, known->rows, known->n_rows, NULL, error);
  if (data->encoded == NULL)
    return FALSE;
  data->fine = mt_encoder_apply (data->fine_encoder, table, known->rows, known->n_rows, NULL, error);
  if (data->fine == NULL)
    return FALSE;
  if (options->frontier.n_folds > 0)
    {
      data->fold_of = mt_learn_make_folds (table, known, options, error);
      if (data->fold_of == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Numbers to predict get mean 0 and deviation 1: tolerances then mean the same for all data, and R²
 * does not change. */
static void
standardize (Data *data)
{
  double *values = data->rows->values;
  gsize n = data->rows->n_rows;
  double sum = 0, square = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i];
  data->mean = sum / (double) MAX (n, 1);
  for (gsize i = 0; i < n; i++)
    square += (values[i] - data->mean) * (values[i] - data->mean);
  data->sd = sqrt (square / (double) MAX (n, 1));
  if (!(data->sd > 0))
    data->sd = 1;
  for (gsize i = 0; i < n; i++)
    values[i] = (values[i] - data->mean) / data->sd;
}

/* Parts 0 … n_folds − 1 learn outside of a fold; the last one learns from all rows and is
 * judged by the test rows. */
static gboolean
make_parts (MtBaselineRun         *run,
            const Data            *data,
            guint                  n_folds,
            const MtLearnOptions  *options,
            const MtBaselineTest  *test,
            GError               **error)
{
  gsize n_rows = data->rows->n_rows;
  g_autofree guint32 *rest = g_new (guint32, MAX (n_rows, 1));
  g_autofree guint32 *held = g_new (guint32, MAX (n_rows, 1));

  for (guint f = 0; f <= n_folds; f++)
    {
      MtBaselinePart *part = &run->parts[f];
      gsize n_rest = 0, n_held = 0;

      for (gsize r = 0; r < n_rows; r++)
        if (f < n_folds && mt_split_is_held_out (data->fold_of[r], f, n_folds))
          held[n_held++] = (guint32) r;
        else if (f == n_folds || mt_split_is_learned (data->fold_of[r], f, n_folds))
          rest[n_rest++] = (guint32) r;
      if (n_rest == 0 || (f < n_folds && n_held == 0))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("fold %u has no rows for validation; use fewer folds"), f + 1);
          return FALSE;
        }
      if (f < n_folds)
        {
          part->held = mt_encoded_take_rows (data->encoded, held, n_held);
          part->fine_held = mt_encoded_take_rows (data->fine, held, n_held);
          part->held_target = take_values (data->rows->values, held, n_held);
        }
      part_learn_from (part, data->encoded, data->fine, data->rows->values, rest, n_rest, options->seed, f);
    }
  if (test != NULL)
    {
      MtBaselinePart *all = &run->parts[n_folds];
      g_autoptr (MtTargetRows) known = mt_target_read (data->target, test->table, test->rows, test->n_rows, error);

      if (known == NULL)
        return FALSE;
      all->held = mt_encoder_apply (data->encoder, test->table, known->rows, known->n_rows, NULL, error);
      if (all->held == NULL)
        return FALSE;
      all->fine_held = mt_encoder_apply (data->fine_encoder, test->table, known->rows, known->n_rows, NULL, error);
      if (all->fine_held == NULL)
        return FALSE;
      all->held_target = g_steal_pointer (&known->values);
      for (gsize r = 0; r < known->n_rows && run->task == MT_TASK_REGRESSION; r++)
        all->held_target[r] = (all->held_target[r] - data->mean) / data->sd;
    }
  return TRUE;
}

/* --- results --- */

/* One of the methods that have one size only; its fold scores are there already. */
static void
set_baseline (MtBaselines    *self,
              MtBaselineKind  kind,
              guint           literals,
              guint           size,
              double          train,
              double          test)
{
  MtBaseline *baseline = &self->fixed[kind];

  *baseline = (MtBaseline) { kind, literals, size, NAN, NAN, train, test };
  if (self->n_folds > 0)
    mt_frontier_mean_and_error (self->fold_scores[kind], NULL, self->n_folds, self->n_folds, &baseline->cv_mean, &baseline->cv_se);
}

/* The fold's largest tree of at most so many literals; NaN if even its smallest has more. */
static double
tree_score (const MtBaselinePart *part,
            guint                 literals)
{
  double score = NAN;

  for (guint i = 0; i < part->trees->len && g_array_index (part->trees, MtTreeSize, i).literals <= literals; i++)
    score = g_array_index (part->trees, MtTreeSize, i).score;
  return score;
}

/* As the frontier does: a size's score in a fold is that of the fold's tree of at most that size. */
static void
collect_trees (MtBaselines         *self,
               const MtBaselineRun *run)
{
  const MtBaselinePart *all = &run->parts[self->n_folds];
  double *scores = g_new (double, MAX (all->trees->len * self->n_folds, 1));

  self->fold_scores[MT_BASELINE_TREE] = scores;
  for (guint i = 0; i < all->trees->len; i++, scores += self->n_folds)
    {
      const MtTreeSize *size = &g_array_index (all->trees, MtTreeSize, i);
      MtBaseline tree = { MT_BASELINE_TREE, size->literals, size->leaves, NAN, NAN, size->train, size->score };

      for (guint f = 0; f < self->n_folds; f++)
        scores[f] = tree_score (&run->parts[f], size->literals);
      if (self->n_folds > 0)
        mt_frontier_mean_and_error (scores, NULL, self->n_folds, self->n_folds, &tree.cv_mean, &tree.cv_se);
      g_array_append_val (self->trees, tree);
    }
}

/* From the parts to the finished value. A method's fold score is that of the fold's part;
 * its training and test scores are those of the part of all rows. For boosting the number
 * of rounds is the one chosen over all folds, so the folds are read at that check. */
static MtBaselines *
collect (const MtBaselineRun *run,
         guint                n_folds,
         guint                n_checks,
         guint                n_rounds)
{
  MtBaselines *self = g_new0 (MtBaselines, 1);
  MtBaselinePart *all = &run->parts[n_folds];
  guint n_terms = _mt_baseline_count_unary (all->rest);
  g_autofree double *linked = NULL;

  g_atomic_ref_count_init (&self->ref_count);
  self->n_folds = n_folds;
  self->n_rows_used = all->n_sample;
  self->trees = g_array_new (FALSE, FALSE, sizeof (MtBaseline));
  for (guint kind = 0; kind < MT_N_BASELINES; kind++)
    if (kind != MT_BASELINE_TREE)
      self->fold_scores[kind] = g_new (double, MAX (n_folds, 1));
  for (guint f = 0; f < n_folds; f++)
    {
      self->fold_scores[MT_BASELINE_INTERCEPT][f] = run->parts[f].intercept;
      self->fold_scores[MT_BASELINE_LINEAR][f] = run->parts[f].linear;
      self->fold_scores[MT_BASELINE_BOOSTED][f] = g_array_index (run->parts[f].scores, double, n_checks - 1);
    }
  set_baseline (self, MT_BASELINE_INTERCEPT, 1, 0, all->intercept_train, all->intercept);
  set_baseline (self, MT_BASELINE_LINEAR, n_terms + 1, n_terms, all->linear_train, all->linear);
  linked = g_memdup2 (mt_booster_get_scores (all->booster), sizeof (double) * run->n_outputs * all->n_sample);
  if (run->task == MT_TASK_MULTICLASS)
    mt_task_link (run->task, run->n_outputs, all->n_sample, linked);
  set_baseline (self, MT_BASELINE_BOOSTED, 0, n_rounds,
                _mt_baseline_metric (run, all->n_sample, linked, all->sample_target),
                all->scores->len > 0 ? g_array_index (all->scores, double, 0) : NAN);
  collect_trees (self, run);
  return self;
}

/* Progress: a fifth for the simple methods, then boosting by its checks. The part of all
 * rows is boosted on the calling thread, since there is only one. */
static MtBaselines *
run_parts (MtBaselineRun   *run,
           guint            n_folds,
           MtPool          *pool,
           MtProgressFunc   progress,
           gpointer         progress_data,
           GError         **error)
{
  MtBoosterOptions boosted;
  guint n_checks = 0, n_rounds = DEFAULT_ROUNDS;
  GError *first;

  mt_booster_options_init (&boosted);
  mt_pool_run (pool, run->n_parts, _mt_baseline_judge_simple, run);
  first = take_error (run);
  if (first != NULL)
    {
      g_propagate_error (error, first);
      return NULL;
    }
  if (progress != NULL)
    progress (0.2, progress_data);
  for (guint i = 0; i < run->n_parts; i++)
    run->parts[i].booster = mt_booster_new (run->parts[i].fine_sample, run->parts[i].sample_target, run->task,
                                            run->n_outputs, run->parts[i].fine_held, &boosted);
  if (n_folds > 0)
    {
      n_checks = boost_folds (run, n_folds, pool, progress, progress_data, error);
      if (n_checks == 0)
        return NULL;
      n_rounds = n_checks * ROUNDS_A_CHECK;
    }
  run->n_rounds = n_rounds;
  _mt_baseline_boost (n_folds, 0, run);
  first = take_error (run);
  if (first != NULL)
    {
      g_propagate_error (error, first);
      return NULL;
    }
  if (progress != NULL)
    progress (1, progress_data);
  return collect (run, n_folds, n_checks, n_rounds);
}

/* Without folds the scores of cross-validation are NaN and boosting takes DEFAULT_ROUNDS. A
 * regression target is standardized first, so that all errors are in the same unit. */
MtBaselines *
mt_baselines_run (const MtTable         *table,
                  const guint32         *rows,
                  gsize                  n_rows,
                  const MtLearnOptions  *options,
                  const MtBaselineTest  *test,
                  MtPool                *pool,
                  MtProgressFunc         progress,
                  gpointer               progress_data,
                  GCancellable          *cancellable,
                  GError               **error)
{
  guint n_folds = options->frontier.n_folds;
  g_auto (Data) data = { NULL };
  MtBaselineRun run = { .cancellable = cancellable, .n_parts = n_folds + 1 };
  MtBaselines *self = NULL;

  if (n_folds == 1 || n_folds > 50)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the number of folds must be 0 or between 2 and 50, not %u"),
                   n_folds);
      return NULL;
    }
  if (!data_init (&data, table, rows, n_rows, options, error))
    return NULL;
  run.task = mt_target_get_task (data.target);
  run.n_outputs = mt_target_get_n_outputs (data.target);
  if (run.task == MT_TASK_REGRESSION)
    standardize (&data);
  run.parts = g_new0 (MtBaselinePart, run.n_parts);
  if (make_parts (&run, &data, n_folds, options, test, error))
    self = run_parts (&run, n_folds, pool, progress, progress_data, error);
  for (guint i = 0; i < run.n_parts; i++)
    part_clear (&run.parts[i]);
  g_free (run.parts);
  return self;
}

MtBaselines *
mt_baselines_ref (MtBaselines *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_baselines_unref (MtBaselines *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint kind = 0; kind < MT_N_BASELINES; kind++)
    g_free (self->fold_scores[kind]);
  g_array_unref (self->trees);
  g_free (self);
}

/* Of at most so many literals; 0: the best. */
static guint
find_tree (const MtBaselines *self,
           guint              literals)
{
  guint found = 0;

  for (guint i = 1; i < self->trees->len; i++)
    {
      const MtBaseline *tree = &g_array_index (self->trees, MtBaseline, i);

      if (literals > 0 ? tree->literals <= literals :
          tree->cv_mean > g_array_index (self->trees, MtBaseline, found).cv_mean)
        found = i;
    }
  return found;
}

void
mt_baselines_get (const MtBaselines *self,
                  MtBaselineKind     kind,
                  guint              literals,
                  MtBaseline        *baseline)
{
  g_return_if_fail (self != NULL && kind < MT_N_BASELINES && baseline != NULL);

  *baseline = kind == MT_BASELINE_TREE ? g_array_index (self->trees, MtBaseline, find_tree (self, literals))
                                       : self->fixed[kind];
}

const double *
mt_baselines_get_fold_scores (const MtBaselines *self,
                              MtBaselineKind     kind,
                              guint              literals,
                              guint             *n_folds)
{
  g_return_val_if_fail (self != NULL && kind < MT_N_BASELINES && n_folds != NULL, NULL);

  *n_folds = self->n_folds;
  return self->fold_scores[kind] + (kind == MT_BASELINE_TREE ? (gsize) find_tree (self, literals) * self->n_folds : 0);
}
