/* From a table with a target to a frontier: the whole way, for the window and the command line. target →
 * encoder → folds → refine → frontier; the test rows play no part in it. See mt-learn.h.
 *
 * The steps of a run, and where each result is kept:
 *
 *   read_rows()            which rows have a target, and what it is        learned->target, rows
 *   screen()               with very many columns: which to search         plan->screen
 *   encode()               thresholds and levels, then bits                learned->encoder, encoded
 *   make_folds()           which fold each row is in                       plan->fold_of
 *   resolve_directions()   constraints, literal by literal                 plan->directions
 *   run_frontier()         search, folds, choice                           learned->frontier
 *
 * A plan is everything but the last step. It is a value of its own because a sweep makes
 * many plans over the same rows, shares their bits, and trains all their networks in one
 * batch before it runs them.
 *
 * Target and thresholds are read from the training rows only; the test rows are not passed
 * to anything here. */
#include "config.h"
#include "mt-learn.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-network-batch.h"
#include "mt-screen.h"
#include "data/mt-split-time.h"

/* From the seed of one deal of folds to the next: far from the seeds that people count up. */
#define REPEAT_SEED 1000003
/* Rows × literals × outputs of all repeats together, and how many those are at most. */
#define REPEATED_CELLS 1000000
#define MAX_REPEATS 4
/* From FINE_ROWS rows on, refinement may move a threshold to more places than the candidates have: as many times more
 * as there are thousands of rows, rounded down to a power of two and at most FINEST. Fewer rows cannot tell places so
 * near to each other apart: docs/method.md. */
#define FINE_ROWS       5000
#define ROWS_FOR_FINER  1000
#define LEAST_FINER     4
#define FINEST          16
/* Memory that their bits may take before there are fewer: bytes. */
#define FINE_BYTES      128e6

void
mt_learn_options_init (MtLearnOptions *options)
{
  memset (options, 0, sizeof *options);
  mt_encoder_options_init (&options->encoder);
  mt_frontier_options_init (&options->frontier);
  mt_learn_options_set_learner (options, MT_LEARNER_TTSPARSE);
  options->linear_terms = MT_LINEAR_TERMS_SHAPED;
}

/*   ttsparse   search, tuning, network step      thresholds auto      start by scan
 *   search     search and elimination alone      thresholds auto      start by scan
 *   paper      pruning by magnitude              thresholds by rows   random start, one network at least */
void
mt_learn_options_set_learner (MtLearnOptions *options,
                              MtLearner       learner)
{
  gboolean is_paper = learner == MT_LEARNER_PAPER;

  options->frontier.learner = learner;
  options->frontier.refine.tune = learner == MT_LEARNER_TTSPARSE;
  options->frontier.method = is_paper ? MT_METHOD_MAGNITUDE : MT_METHOD_EXACT;
  options->frontier.train.start = is_paper ? MT_START_RANDOM : MT_START_SCAN;
  options->thresholds = is_paper ? MT_THRESHOLDS_ROWS : MT_THRESHOLDS_AUTO;
  options->frontier.n_restarts = is_paper ? 1 : 0;
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

/* Stratified by class; a class of a single row is never held out. Each repeat has a seed of its
 * own, far from the next one that a person would choose: seed 0 repeated must not be seed
 * 1. */
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

/* How many times as many thresholds there are to slide among as there are candidates.
 *
 * 20,000 rows, 9 bits and few columns: 16 times, 159 thresholds instead of 9. 6,000 rows: 4
 * times. From 4 times on it stops before the bits of the fine thresholds take more than
 * FINE_BYTES. */
static guint
n_times_finer (const MtLearnOptions *options,
               gsize                 n_rows,
               guint                 n_columns)
{
  double bytes = n_rows / 8. * n_columns * (options->encoder.bits + 1);
  guint times = 1;

  while (times < FINEST && 2 * times * ROWS_FOR_FINER <= n_rows && (times < LEAST_FINER || 2 * times * bytes <= FINE_BYTES) &&
         2 * times * (options->encoder.bits + 1) - 1 <= MT_ENCODER_MAX_BITS)
    times *= 2;
  return times;
}

/* @columns NULL: all. */
static guint
count_numbers (const MtTable *table,
               const guint   *columns,
               guint          n_columns)
{
  guint n = 0;

  if (columns == NULL)
    n_columns = mt_table_get_n_columns (table);
  for (guint i = 0; i < n_columns; i++)
    {
      guint c = columns != NULL ? columns[i] : i;

      n += mt_table_get_role (table, c) == MT_ROLE_FEATURE &&
           mt_column_get_store (mt_table_get_column (table, c)) == MT_STORE_NUMBERS;
    }
  return n;
}

/* Networks see all literals there are: for them these stay few. */
gboolean
mt_learn_has_fine_thresholds (const MtLearnOptions *options,
                              gsize                 n_rows)
{
  return options->thresholds == MT_THRESHOLDS_AUTO && n_rows >= FINE_ROWS && options->frontier.n_restarts == 0 &&
         options->frontier.method == MT_METHOD_EXACT && n_times_finer (options, n_rows, 0) > 1;
}

/* Per literal: all but @bits thresholds of each column, evenly spaced.
 *
 * With n thresholds of which @bits stay, threshold l stays where ⌊(l + 1) (bits + 1) / (n +
 * 1)⌋ goes up: 159 and 9 keep every sixteenth, which are just the thresholds that 9 bits
 * alone would have given, near enough. */
static gboolean *
mark_fine (const MtEncoded *encoded,
           guint            bits)
{
  gboolean *fine = g_new0 (gboolean, MAX (mt_encoded_get_n_literals (encoded), 1));

  for (guint g = 0; g < mt_encoded_get_n_groups (encoded); g++)
    {
      const MtGroup *group = &mt_encoded_get_groups (encoded)[g];
      guint n = group->n_literals - (group->has_missing ? 1 : 0);

      for (guint l = 0; l < n && group->kind == MT_GROUP_THERMOMETER && n > bits; l++)
        fine[group->first_literal + l] = (l + 1) * (bits + 1) / (n + 1) == l * (bits + 1) / (n + 1);
    }
  return fine;
}

/* Few rows: dealing the folds out again costs little and halves the luck in the choice.
 *
 * 700 rows, 200 literals, one output: 140,000 cells, and so four repeats. From a million
 * cells on there is one. */
static guint
n_repeats_for (gsize n_rows,
               guint n_candidates,
               guint n_outputs)
{
  double cells = (double) n_rows * n_candidates * n_outputs;

  return (guint) CLAMP (REPEATED_CELLS / MAX (cells, 1), 1, MAX_REPEATS);
}

struct _MtLearnPlan {
  /* What is known before the frontier runs. frontier is a copy of the options' with what
   * was found here filled in: repeats, fine literals, directions, checkpoints, networks.
   * Its pointers lead into this struct, which therefore lives as long as the run. */
  const MtLearnOptions *options;
  MtLearned            *learned;              /* without its frontier */
  MtFrontierOptions     frontier;
  guint8               *fold_of;
  gboolean             *fine;
  gint8                *directions, *numeric_directions;
  MtTrainCheckpoints          *keep;                 /* for the CPU to go on from, should a device fail */
  MtNetworkBatch           *networks;
  MtTable              *table;                /* with this, for folds to be encoded with columns of their own: */
  MtScreen             *screen;               /* NULL: all columns are searched */
};

struct _MtLearnBits {
  gatomicrefcount  ref_count;
  MtLearnOptions   options;        /* that made them */
  MtConstraints   *constraints;    /* which those borrow */
  MtEncoder       *encoder;
  MtEncoded       *encoded;
  gboolean         is_screened;    /* then they belong to the folds of that plan */
};

MtLearnBits *
mt_learn_bits_ref (MtLearnBits *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_learn_bits_unref (MtLearnBits *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  mt_constraints_unref (self->constraints);
  mt_encoder_unref (self->encoder);
  mt_encoded_unref (self->encoded);
  g_free (self);
}

/* The options are kept to compare with; what they borrow is referenced here or not looked
 * at. */
MtLearnBits *
mt_learn_plan_ref_bits (const MtLearnPlan *plan)
{
  MtLearnBits *self = g_new0 (MtLearnBits, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->options = *plan->options;
  if (self->options.constraints != NULL)
    self->constraints = mt_constraints_ref ((MtConstraints *) self->options.constraints);
  self->encoder = mt_encoder_ref (plan->learned->encoder);
  self->encoded = mt_encoded_ref (plan->learned->encoded);
  self->is_screened = plan->screen != NULL;
  return self;
}

MtTask
mt_learn_plan_get_task (const MtLearnPlan *plan)
{
  return mt_target_get_task (plan->learned->target);
}

/* The bits of a plan may be used by another one if nothing that encoding depends on
 * differs. A bit-for-bit comparison of the encoder's options: a FALSE too many costs time,
 * never a result. */
static gboolean
has_same_bits (const MtLearnOptions *a,
               const MtLearnOptions *b,
               gsize                 n_rows)
{
  return a->task == b->task && a->constraints == b->constraints && a->thresholds == b->thresholds &&
         mt_learn_has_fine_thresholds (a, n_rows) == mt_learn_has_fine_thresholds (b, n_rows) &&
         memcmp (&a->encoder, &b->encoder, sizeof a->encoder) == 0;
}

/* Target and rows.
 *
 * Rows without a target are left out here, once, and everything that follows speaks of rows
 * with one. */
static gboolean
read_rows (MtLearned             *self,
           const MtTable         *table,
           const guint32         *rows,
           gsize                  n_rows,
           const MtLearnOptions  *options,
           GError               **error)
{
  self->target = mt_target_new (table, rows, n_rows, options->task, error);
  if (self->target == NULL)
    return FALSE;
  if (options->frontier.refine.balance_classes && mt_target_get_task (self->target) == MT_TASK_REGRESSION)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("classes cannot be balanced because the target “%s” is a number: turn off balancing, or choose another target"),
                   mt_target_get_name (self->target));
      return FALSE;
    }
  if (!mt_constraints_check_table (options->constraints, table, mt_target_get_task (self->target), error))
    return FALSE;
  self->rows = mt_target_read (self->target, table, rows, n_rows, error);
  return self->rows != NULL;
}

/* As settings and constraints have it, but without fine thresholds. */
static void
init_encoder_options (MtEncoderOptions     *encoder,
                      const MtLearnOptions *options,
                      gsize                 n_rows,
                      const char * const   *banned)
{
  *encoder = options->encoder;
  encoder->banned = banned;
  encoder->shapes = options->linear_terms == MT_LINEAR_TERMS_SHAPED && options->frontier.method == MT_METHOD_EXACT;
  encoder->quantiles = options->thresholds == MT_THRESHOLDS_ROWS ? MT_QUANTILES_ROWS : MT_QUANTILES_UNIQUE;
  if (mt_learn_has_fine_thresholds (options, n_rows))
    encoder->quantiles = MT_QUANTILES_BOTH;
}

/* Encoder and encoded rows. @columns NULL: all. @reporter NULL: of a fold.
 *
 * Fits the encoder on the rows to learn from and makes their bits. A fold's encoding is
 * made on one thread, since the folds run side by side. */
static gboolean
encode (const MtTable         *table,
        const MtTargetRows    *rows,
        const MtLearnOptions  *options,
        const guint           *columns,
        guint                  n_columns,
        const Reporter        *reporter,
        MtEncoder            **encoder,
        MtEncoded            **encoded,
        GError               **error)
{
  g_auto (GStrv) banned = mt_constraints_dup_banned (options->constraints);
  MtEncoderOptions encoding;

  init_encoder_options (&encoding, options, rows->n_rows, (const char * const *) banned);
  encoding.columns = columns;
  encoding.n_columns = n_columns;
  if (reporter == NULL)
    encoding.n_threads = 1;   /* the folds have the threads */
  if (mt_learn_has_fine_thresholds (options, rows->n_rows))
    encoding.bits = n_times_finer (options, rows->n_rows, count_numbers (table, columns, n_columns)) * (encoding.bits + 1) - 1;
  *encoder = mt_encoder_fit (table, rows->rows, rows->n_rows, &encoding, error);
  if (*encoder == NULL)
    return FALSE;
  if (reporter != NULL)
    report (reporter, MT_LEARN_ENCODING, ENCODING_SHARE / 2);
  *encoded = mt_encoder_apply (*encoder, table, rows->rows, rows->n_rows, NULL, error);
  return *encoded != NULL;
}

/* NULL for both if no column has a direction: the search is then spared all questions about
 * signs. */
static void
resolve_directions (const MtConstraints  *constraints,
                    const MtEncoder      *encoder,
                    gint8               **directions,
                    gint8               **numeric_directions)
{
  if (!has_directions (constraints))
    return;
  *directions = g_new0 (gint8, MAX (mt_encoder_get_n_literals (encoder), 1));
  *numeric_directions = g_new0 (gint8, MAX (mt_encoder_get_n_numeric (encoder), 1));
  mt_constraints_resolve (constraints, encoder, *directions, *numeric_directions);
}

/* --- screening --- */

static void
report_screening (double   done,
                  gpointer user_data)
{
  report (user_data, MT_LEARN_ENCODING, done * ENCODING_SHARE / 2);
}

static void
init_screen_input (MtScreenInput          *input,
                   const MtLearnPlan      *self,
                   const MtTable          *table,
                   const MtEncoderOptions *encoder)
{
  const MtLearned *learned = self->learned;

  *input = (MtScreenInput) {
    table, learned->rows, mt_target_get_task (learned->target), mt_target_get_n_outputs (learned->target),
    self->options->frontier.refine.balance_classes, self->options->linear_terms != MT_LINEAR_TERMS_NONE, encoder,
  };
}

/* The columns that a fold kept, in the way of all rows. */
static gboolean
encode_fold (guint            part,
             MtFrontierFold  *fold,
             gpointer         user_data,
             GError         **error)
{
  const MtLearnPlan *self = user_data;
  g_autoptr (MtEncoder) encoder = NULL;

  if (!encode (self->table, self->learned->rows, self->options, self->screen->kept[part + 1], self->screen->n_kept[part + 1],
               NULL, &encoder, &fold->encoded, error))
    return FALSE;
  if (self->fine != NULL)
    fold->fine = mark_fine (fold->encoded, self->options->encoder.bits);
  resolve_directions (self->options->constraints, encoder, &fold->directions, &fold->numeric_directions);
  return TRUE;
}

/* Repeats are decided here if the settings leave it open, because they depend on how much
 * there is to search. With a split by time the folds follow each other, and there is only
 * one way to deal them. */
static gboolean
make_folds (MtLearnPlan    *self,
            const MtTable  *table,
            guint           n_candidates,
            GError        **error)
{
  MtLearnOptions with_folds = *self->options;

  if (mt_split_find_time (table) != NULL)
    self->frontier.n_repeats = 1;     /* there is one way to chain folds */
  if (self->frontier.n_repeats == 0)
    self->frontier.n_repeats = n_repeats_for (self->learned->rows->n_rows, n_candidates,
                                              mt_target_get_n_outputs (self->learned->target));
  if (self->frontier.n_folds < 2)
    return TRUE;
  with_folds.frontier = self->frontier;
  self->fold_of = mt_learn_make_folds (table, self->learned->rows, &with_folds, error);
  return self->fold_of != NULL;
}

/* If there are very many columns: which to search, for all rows and for each fold.
 *
 * Folds are dealt before the screening, since each fold is screened by itself. The frontier
 * then gets a function that encodes a fold (encode_fold()) instead of one encoding for all. */
static gboolean
screen (MtLearnPlan     *self,
        const MtTable   *table,
        const Reporter  *reporter,
        GError         **error)
{
  g_auto (GStrv) banned = mt_constraints_dup_banned (self->options->constraints);
  MtFrontierOptions *frontier = &self->frontier;
  gsize n_rows = self->learned->rows->n_rows;
  MtEncoderOptions encoder;
  MtScreenInput input;
  gboolean is_needed;

  init_encoder_options (&encoder, self->options, n_rows, (const char * const *) banned);
  init_screen_input (&input, self, table, &encoder);
  if (n_rows < 2)
    return TRUE;
  if (!mt_screen_is_needed (&input, &is_needed, error))
    return FALSE;
  if (!is_needed)
    return TRUE;
  if (!make_folds (self, table, mt_screen_get_n_places (n_rows) * encoder.bits, error))
    return FALSE;
  self->screen = mt_screen_new (&input, self->fold_of, self->fold_of != NULL ? frontier->n_folds : 0, MAX (frontier->n_repeats, 1),
                                report_screening, (gpointer) reporter, error);
  if (self->screen == NULL)
    return FALSE;
  self->table = mt_table_ref ((MtTable *) table);
  self->learned->n_offered = self->screen->n_offered;
  self->learned->n_kept = self->screen->n_kept[0];
  frontier->encode_fold = encode_fold;
  frontier->encode_fold_data = self;
  return TRUE;
}

/* From the table to bits.
 *
 * With the bits of another plan that is nearly free; otherwise it is screening and
 * encoding. */
static gboolean
make_bits (MtLearnPlan        *self,
           const MtTable      *table,
           const guint32      *rows,
           gsize               n_rows,
           const MtLearnBits  *like,
           const Reporter     *reporter,
           GError            **error)
{
  MtLearned *learned = self->learned;

  report (reporter, MT_LEARN_READING, 0);
  if (!read_rows (learned, table, rows, n_rows, self->options, error))
    return FALSE;
  report (reporter, MT_LEARN_ENCODING, 0);
  if (like != NULL && !like->is_screened && has_same_bits (&like->options, self->options, learned->rows->n_rows))
    {
      learned->encoder = mt_encoder_ref (like->encoder);
      learned->encoded = mt_encoded_ref (like->encoded);
      return TRUE;
    }
  return screen (self, table, reporter, error) &&
         encode (table, learned->rows, self->options, self->screen != NULL ? self->screen->kept[0] : NULL,
                 self->screen != NULL ? self->screen->n_kept[0] : 0, reporter, &learned->encoder, &learned->encoded, error);
}

void
mt_learn_plan_free (MtLearnPlan *self)
{
  if (self == NULL)
    return;
  mt_network_batch_free (self->networks);
  mt_train_checkpoints_unref (self->keep);
  mt_learned_free (self->learned);
  g_free (self->fold_of);
  g_free (self->fine);
  g_free (self->directions);
  g_free (self->numeric_directions);
  g_clear_pointer (&self->table, mt_table_unref);
  mt_screen_free (self->screen);
  g_free (self);
}

/* From the table to everything that the frontier needs. @progress hears of reading and
 * encoding, the first 5 % of the whole. */
MtLearnPlan *
mt_learn_plan_new (const MtTable         *table,
                   const guint32         *rows,
                   gsize                  n_rows,
                   const MtLearnOptions  *options,
                   const MtLearnBits     *like,
                   MtLearnProgressFunc    progress,
                   gpointer               progress_data,
                   GCancellable          *cancellable,
                   GError               **error)
{
  g_autoptr (MtLearnPlan) self = g_new0 (MtLearnPlan, 1);
  MtFrontierOptions *frontier = &self->frontier;
  Reporter reporter = { progress, progress_data };
  gint64 start = g_get_monotonic_time ();
  gboolean has_encoded;

  self->options = options;
  self->learned = g_new0 (MtLearned, 1);
  /* The steps from the table to bits have no use for a cancellable elsewhere. */
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  *frontier = options->frontier;
  has_encoded = make_bits (self, table, rows, n_rows, like, &reporter, error);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  if (!has_encoded)
    return NULL;
  frontier->refine.numeric_terms = options->linear_terms != MT_LINEAR_TERMS_NONE;
  if (options->fall_back != NULL && frontier->train.keep == NULL && mt_train_wants_many (frontier->train.device))
    frontier->train.keep = self->keep = mt_train_checkpoints_new ();
  if (mt_learn_has_fine_thresholds (options, self->learned->rows->n_rows))
    frontier->refine.fine = self->fine = mark_fine (self->learned->encoded, options->encoder.bits);
  if (self->screen == NULL &&
      !make_folds (self, table, mt_refine_count_candidates (&frontier->refine, self->learned->encoded), error))
    return NULL;
  resolve_directions (options->constraints, self->learned->encoder, &self->directions, &self->numeric_directions);
  frontier->refine.directions = self->directions;
  frontier->refine.numeric_directions = self->numeric_directions;
  frontier->refine.no_negation = mt_constraints_get_no_negation (options->constraints);
  frontier->seed = options->seed;
  self->learned->encode_seconds = (g_get_monotonic_time () - start) / 1e6;
  return g_steal_pointer (&self);
}

/* With screening each fold has columns of its own, and no two parts share encoded rows; an
 * empty batch is given, and the tasks train by themselves. */
MtNetworkBatch *
mt_learn_plan_make_networks (MtLearnPlan *self)
{
  const MtLearned *learned = self->learned;
  MtFrontierOptions none = self->frontier;

  if (self->screen != NULL)   /* each fold has columns of its own, and trains by itself */
    {
      none.n_restarts = 0;
      self->networks = mt_network_batch_new (learned->encoded, learned->rows->values, mt_target_get_task (learned->target),
                                             mt_target_get_n_outputs (learned->target), self->fold_of, &none);
      return self->networks;
    }
  self->networks = mt_network_batch_new (learned->encoded, learned->rows->values, mt_target_get_task (learned->target),
                                         mt_target_get_n_outputs (learned->target), self->fold_of, &self->frontier);
  self->frontier.networks = self->networks;
  return self->networks;
}

static MtFrontier *
run_frontier (MtLearnPlan         *self,
              MtPool              *pool,
              Reporter            *reporter,
              GCancellable        *cancellable,
              GError             **error)
{
  const MtLearned *learned = self->learned;

  return mt_frontier_run (learned->encoded, learned->rows->values, mt_target_get_task (learned->target),
                          mt_target_get_n_outputs (learned->target), self->fold_of, &self->frontier, pool,
                          report_frontier, reporter, cancellable, error);
}

/* Frees the plan in any case. If a device fails and the caller wants to go on (fall_back),
 * the frontier is run once more on the CPU, where each network continues from its kept
 * state; the rest is done again. */
MtLearned *
mt_learn_plan_run (MtLearnPlan          *plan,
                   MtPool               *pool,
                   MtLearnProgressFunc   progress,
                   gpointer              progress_data,
                   GCancellable         *cancellable,
                   GError              **error)
{
  g_autoptr (MtLearnPlan) self = plan;
  g_autoptr (GError) local = NULL;
  Reporter reporter = { progress, progress_data };
  gint64 start = g_get_monotonic_time ();
  MtFrontier *frontier;

  frontier = run_frontier (self, pool, &reporter, cancellable, &local);
  if (frontier == NULL && self->options->fall_back != NULL && g_error_matches (local, MT_ERROR, MT_ERROR_DEVICE))
    {
      self->options->fall_back (local, self->options->fall_back_data);
      g_clear_error (&local);
      self->frontier.networks = NULL;
      self->frontier.train.device = "cpu";
      frontier = run_frontier (self, pool, &reporter, cancellable, &local);
    }
  if (frontier == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  self->learned->frontier = frontier;
  self->learned->refine_seconds = (g_get_monotonic_time () - start) / 1e6;
  return g_steal_pointer (&self->learned);
}

/* Plan and frontier in one call: what a single run needs. */
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
  MtLearnPlan *plan = mt_learn_plan_new (table, rows, n_rows, options, NULL, progress, progress_data, cancellable,
                                         error);

  return plan != NULL ? mt_learn_plan_run (plan, pool, progress, progress_data, cancellable, error) : NULL;
}
