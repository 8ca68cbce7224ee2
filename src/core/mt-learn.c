#include "config.h"
#include "mt-learn.h"

#include <math.h>
#include <string.h>

#include "mt-error.h"
#include "mt-split.h"

/* From the seed of one deal of folds to the next: far from the seeds that people count up. */
#define REPEAT_SEED 1000003
/* Rows × literals × outputs of all repeats together, and how many those are at most. */
#define REPEATED_CELLS 1000000
#define MAX_REPEATS 4

void
mt_learn_options_init (MtLearnOptions *options)
{
  memset (options, 0, sizeof *options);
  mt_encoder_options_init (&options->encoder);
  mt_frontier_options_init (&options->frontier);
}

void
mt_learned_free (MtLearned *self)
{
  if (self == NULL)
    return;
  mt_target_unref (self->target);
  mt_encoder_unref (self->encoder);
  mt_encoded_unref (self->encoded);
  mt_target_rows_free (self->rows);
  mt_frontier_unref (self->frontier);
  g_free (self);
}

/* Share of the whole that reading and encoding take, about. */
#define ENCODING_SHARE .05

typedef struct {
  MtLearnProgressFunc progress;
  gpointer            progress_data;
} Reporter;

static void
report (const Reporter *reporter,
        MtLearnPhase    phase,
        double          done)
{
  const MtLearnProgress progress = { .phase = phase, .n_parts = 1, .done = done, .seconds_left = NAN };

  if (reporter->progress != NULL)
    reporter->progress (&progress, reporter->progress_data);
}

static void
report_frontier (const MtLearnProgress *frontier,
                 gpointer               user_data)
{
  const Reporter *reporter = user_data;
  MtLearnProgress progress = *frontier;

  progress.done = ENCODING_SHARE + (1 - ENCODING_SHARE) * frontier->done;
  if (reporter->progress != NULL)
    reporter->progress (&progress, reporter->progress_data);
}

guint8 *
mt_learn_make_folds (const MtTable         *table,
                     const MtTargetRows    *rows,
                     const MtLearnOptions  *options,
                     GError               **error)
{
  MtSplitOptions split = {
    .seed = options->seed,
    .n_folds = options->frontier.n_folds,
    .stratify = TRUE,
    .spare_lone = TRUE,
  };
  guint n_repeats = MAX (options->frontier.n_repeats, 1);
  g_autofree guint8 *fold_of = g_malloc0 (MAX (n_repeats * rows->n_rows, 1));

  for (guint i = 0; i < n_repeats; i++, split.seed += REPEAT_SEED)
    if (!mt_split_folds (table, rows->rows, rows->n_rows, &split, fold_of + i * rows->n_rows, error))
      return NULL;
  return g_steal_pointer (&fold_of);
}

static gboolean
has_directions (const MtConstraints *constraints)
{
  g_auto (GStrv) rising = mt_constraints_dup_directed (constraints, MT_DIRECTION_RISING);
  g_auto (GStrv) falling = mt_constraints_dup_directed (constraints, MT_DIRECTION_FALLING);

  return rising[0] != NULL || falling[0] != NULL;
}

/* Few rows: dealing the folds out again costs little and halves the luck in the choice. */
static guint
n_repeats_for (const MtEncoded *encoded,
               guint            n_outputs)
{
  double cells = (double) mt_encoded_get_n_rows (encoded) * mt_encoded_get_n_literals (encoded) * n_outputs;

  return (guint) CLAMP (REPEATED_CELLS / MAX (cells, 1), 1, MAX_REPEATS);
}

/* Target, encoder and encoded rows. */
static gboolean
encode (MtLearned             *self,
        const MtTable         *table,
        const guint32         *rows,
        gsize                  n_rows,
        const MtLearnOptions  *options,
        const Reporter        *reporter,
        GError               **error)
{
  g_auto (GStrv) banned = mt_constraints_dup_banned (options->constraints);
  MtEncoderOptions encoder = options->encoder;

  report (reporter, MT_LEARN_READING, 0);
  self->target = mt_target_new (table, rows, n_rows, options->task, error);
  if (self->target == NULL)
    return FALSE;
  if (options->frontier.refine.balance_classes && mt_target_get_task (self->target) == MT_TASK_REGRESSION)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   "class weights need classes, but the target '%s' is a number: leave them at none",
                   mt_target_get_name (self->target));
      return FALSE;
    }
  if (!mt_constraints_check_table (options->constraints, table, mt_target_get_task (self->target), error))
    return FALSE;
  self->rows = mt_target_read (self->target, table, rows, n_rows, error);
  if (self->rows == NULL)
    return FALSE;
  report (reporter, MT_LEARN_ENCODING, 0);
  encoder.banned = (const char * const *) banned;
  self->encoder = mt_encoder_fit (table, self->rows->rows, self->rows->n_rows, &encoder, error);
  if (self->encoder == NULL)
    return FALSE;
  report (reporter, MT_LEARN_ENCODING, ENCODING_SHARE / 2);
  self->encoded = mt_encoder_apply (self->encoder, table, self->rows->rows, self->rows->n_rows, NULL, error);
  return self->encoded != NULL;
}

MtLearned *
mt_learn_run (const MtTable         *table,
              const guint32         *rows,
              gsize                  n_rows,
              const MtLearnOptions  *options,
              MtPool                *pool,
              MtLearnProgressFunc    progress,
              gpointer               progress_data,
              GCancellable          *cancellable,
              GError               **error)
{
  g_autoptr (MtLearned) self = g_new0 (MtLearned, 1);
  g_autofree guint8 *fold_of = NULL;
  Reporter reporter = { progress, progress_data };
  g_autofree gint8 *directions = NULL;
  g_autofree gint8 *numeric_directions = NULL;
  MtLearnOptions with_folds = *options;
  MtFrontierOptions *frontier = &with_folds.frontier;
  gint64 start = g_get_monotonic_time (), encoded;
  gboolean has_encoded;

  /* The steps from the table to bits have no use for a cancellable elsewhere. */
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  has_encoded = encode (self, table, rows, n_rows, options, &reporter, error);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  if (!has_encoded)
    return NULL;
  if (frontier->n_repeats == 0)
    frontier->n_repeats = n_repeats_for (self->encoded, mt_target_get_n_outputs (self->target));
  if (frontier->n_folds > 1)
    {
      fold_of = mt_learn_make_folds (table, self->rows, &with_folds, error);
      if (fold_of == NULL)
        return NULL;
    }
  if (has_directions (options->constraints))
    {
      directions = g_new0 (gint8, MAX (mt_encoder_get_n_literals (self->encoder), 1));
      numeric_directions = g_new0 (gint8, MAX (mt_encoder_get_n_numeric (self->encoder), 1));
      mt_constraints_resolve (options->constraints, self->encoder, directions, numeric_directions);
    }
  frontier->refine.directions = directions;
  frontier->refine.numeric_directions = numeric_directions;
  frontier->refine.no_negation = mt_constraints_get_no_negation (options->constraints);
  frontier->seed = options->seed;
  encoded = g_get_monotonic_time ();
  self->encode_seconds = (encoded - start) / 1e6;
  self->frontier = mt_frontier_run (self->encoded, self->rows->values, mt_target_get_task (self->target),
                                    mt_target_get_n_outputs (self->target), fold_of, frontier,
                                    pool, report_frontier, &reporter, cancellable, error);
  if (self->frontier == NULL)
    return NULL;
  self->refine_seconds = (g_get_monotonic_time () - encoded) / 1e6;
  return g_steal_pointer (&self);
}
