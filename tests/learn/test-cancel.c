/* Cancelling the whole way from a table to a frontier, at random moments: it answers soon, gives back
 * all memory (the sanitizers look), and what it does give is whole.
 *
 * Quick: some moments, and what comes back is right. Slow: many, on large data too, and the time from
 * asking to having the answer is measured and must not exceed half a second. What counts is the
 * processor time of all threads together: on a machine that has nothing else to do the answer comes
 * sooner than that, and on one that has, no program can help it. */
#include "config.h"

#include <math.h>
#include <sys/resource.h>

#include "base/mt-random.h"
#include "sample-data.h"
#include "testutils.h"

#define MAX_LATENCY (500 * 1000)     /* µs */

/* Large: as many rows and columns as covertype has. */
enum { N_LARGE = 169000, N_NUMBERS = 10, N_FLAGS = 44 };

typedef struct {
  GCancellable *cancellable;
  gulong        after;         /* µs to wait, or … */
  double        at;            /* … the share done to wait for; below 0: not used */
  gint64        asked;         /* when it was cancelled … */
  gint64        spent;         /* … and the processor time spent until then */
  MtLearnPhase  phase;         /* at that time */
  MtLearnPhase  newest;
  GThread      *thread;        /* that asks */
  GMutex        lock;
} Moment;

static gint64
processor_time (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

static void
ask (Moment *moment)
{
  g_mutex_lock (&moment->lock);
  if (moment->asked == 0)
    {
      moment->phase = moment->newest;
      moment->asked = g_get_monotonic_time ();
      moment->spent = processor_time ();
    }
  g_mutex_unlock (&moment->lock);
  g_cancellable_cancel (moment->cancellable);
}

static gpointer
ask_later (gpointer data)
{
  Moment *moment = data;

  g_usleep (moment->after);
  ask (moment);
  return NULL;
}

static void
note (const MtLearnProgress *progress,
      gpointer               data)
{
  Moment *moment = data;

  g_mutex_lock (&moment->lock);
  moment->newest = progress->phase;
  g_mutex_unlock (&moment->lock);
}

/* Asks from another thread, some milliseconds later: in the midst of what comes next. */
static void
ask_when_there (const MtLearnProgress *progress,
                gpointer               data)
{
  Moment *moment = data;

  note (progress, data);
  if (progress->done < moment->at || moment->at < 0)
    return;
  moment->at = -1;
  moment->thread = g_thread_new ("ask", ask_later, moment);
}

static void
learn_options_init (MtLearnOptions *options)
{
  mt_learn_options_init (options);
  options->frontier.n_folds = 3;
  options->frontier.n_repeats = 1;
  options->frontier.n_restarts = 1;
  options->frontier.train.n_nodes = 10;
  options->frontier.keep_partial = TRUE;
  if (!g_test_slow ())
    {
      options->encoder.bits = 3;
      options->frontier.n_folds = 2;
      options->frontier.refine.rounds = 1;
      options->frontier.refine.per_round = 4;
      options->frontier.refine.n_back = 0;
    }
}

/* Whatever comes back is one of three: nothing and the reason, a frontier that says it was stopped,
 * or the whole one. A stopped one may have other sizes than the whole one: where both have the
 * scores of the folds, they choose between two paths. */
static void
assert_whole (const MtLearned *learned,
              const GError    *error,
              guint            n_points)
{
  if (learned == NULL)
    {
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      return;
    }
  g_assert_no_error (error);
  if (!mt_frontier_is_stopped (learned->frontier))
    g_assert_cmpuint (mt_frontier_get_n_points (learned->frontier), ==, n_points);
  g_assert_cmpuint (mt_frontier_get_n_points (learned->frontier), >, 0);
  for (guint i = 0; i < mt_frontier_get_n_points (learned->frontier); i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (learned->frontier, i);

      g_assert_cmpuint (mt_rule_set_get_complexity (point->rules), ==, point->complexity);
      if (i > 0)
        g_assert_cmpuint (point->complexity, >, mt_frontier_get_point (learned->frontier, i - 1)->complexity);
      g_assert_true (isfinite (point->train));
      g_assert_true (mt_frontier_is_stopped (learned->frontier) || isfinite (point->cv_mean));
    }
}

typedef struct {
  gint64 worst[MT_LEARN_DONE + 1];      /* µs of processor time, by phase … */
  gint64 wall[MT_LEARN_DONE + 1];       /* … and by the clock */
  guint  n[MT_LEARN_DONE + 1];
  guint  n_stopped, n_whole;
} Tally;

static void
tally (Tally           *self,
       const Moment    *moment,
       gint64           answered,
       gint64           spent,
       const MtLearned *learned)
{
  if (learned != NULL && mt_frontier_is_stopped (learned->frontier))
    self->n_stopped++;
  else if (learned != NULL)
    self->n_whole++;
  if (learned != NULL && !mt_frontier_is_stopped (learned->frontier))
    return;
  self->n[moment->phase]++;
  self->worst[moment->phase] = MAX (self->worst[moment->phase], spent - moment->spent);
  self->wall[moment->phase] = MAX (self->wall[moment->phase], answered - moment->asked);
}

static void
tell (const Tally *self,
      const char  *what)
{
  for (guint p = 0; p <= MT_LEARN_DONE; p++)
    if (self->n[p] > 0)
      g_test_message ("%s, %s: %u cancels, the slowest took %.0f ms of processor time, %.0f ms by the clock", what,
                      mt_learn_phase_to_string ((MtLearnPhase) p), self->n[p], self->worst[p] / 1e3,
                      self->wall[p] / 1e3);
  g_test_message ("%s: %u stopped frontiers, %u were done before", what, self->n_stopped, self->n_whole);
  for (guint p = 0; p <= MT_LEARN_DONE && g_test_slow (); p++)
    g_assert_cmpint (self->worst[p], <=, MAX_LATENCY);
}

static void
test_learn (gconstpointer data)
{
  const char *file = data;
  const char *target = g_str_has_prefix (file, "loan") ? "approved" : g_str_has_prefix (file, "triage") ? "urgency" :
    "energy_kwh";
  guint n_moments = g_test_slow () ? 70 : 7;
  g_auto (MtTestSample) sample = { 0 };
  g_autoptr (MtPool) pool = mt_pool_new (2);
  g_autoptr (MtLearned) whole = NULL;
  g_autoptr (GError) failure = NULL;
  Tally counted = { 0 };
  MtLearnOptions options;
  MtRandom random;
  gint64 start, total;
  guint n_points;

  mt_test_sample_init (&sample, file, target);
  learn_options_init (&options);
  start = g_get_monotonic_time ();
  whole = mt_learn_run (mt_import_get_table (sample.import), NULL, 0, &options, pool, NULL, NULL, NULL, &failure);
  g_assert_no_error (failure);
  total = g_get_monotonic_time () - start;
  n_points = mt_frontier_get_n_points (whole->frontier);
  mt_random_init (&random, 3);
  for (guint i = 0; i < n_moments; i++)
    {
      Moment moment = { .cancellable = g_cancellable_new (), .at = -1 };
      g_autoptr (MtLearned) learned = NULL;
      g_autoptr (GError) error = NULL;
      GThread *thread;

      g_mutex_init (&moment.lock);
      moment.after = (gulong) mt_random_below (&random, (guint64) total + 1);
      thread = g_thread_new ("ask", ask_later, &moment);
      learned = mt_learn_run (mt_import_get_table (sample.import), NULL, 0, &options, pool, note, &moment,
                              moment.cancellable, &error);
      {
        gint64 answered = g_get_monotonic_time (), spent = processor_time ();

        g_thread_join (thread);
        assert_whole (learned, error, n_points);
        tally (&counted, &moment, answered, spent, learned);
      }
      g_mutex_clear (&moment.lock);
      g_object_unref (moment.cancellable);
    }
  tell (&counted, target);
}

/* A table of covertype's size whose target depends on a few conditions. */
static MtTable *
make_large (void)
{
  MtColumn *columns[N_NUMBERS + N_FLAGS + 1];
  g_autofree double *values = g_new (double, N_LARGE);
  g_autofree double *score = g_new0 (double, N_LARGE);
  MtRandom random;

  mt_random_init (&random, 11);
  for (guint c = 0; c < N_NUMBERS + N_FLAGS; c++)
    {
      g_autofree char *name = g_strdup_printf ("%s%u", c < N_NUMBERS ? "x" : "f", c);

      for (gsize r = 0; r < N_LARGE; r++)
        {
          values[r] = c < N_NUMBERS ? floor (1000 * mt_random_normal (&random)) : mt_random_below (&random, 4) == 0;
          score[r] += c < N_NUMBERS ? .3 * (values[r] > 200) * (c % 3) : .5 * values[r] * (c % 5 == 0);
        }
      columns[c] = mt_test_numbers (name, values, N_LARGE);
    }
  for (gsize r = 0; r < N_LARGE; r++)
    values[r] = score[r] + mt_random_normal (&random) > 2.2;
  columns[N_NUMBERS + N_FLAGS] = mt_test_numbers ("y", values, N_LARGE);
  return mt_test_table (columns, N_NUMBERS + N_FLAGS + 1, N_NUMBERS + N_FLAGS);
}

/* In every phase of a run over a large table; the folds' work is that of all rows. */
static void
test_large (void)
{
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtPool) pool = NULL;
  Tally counted = { 0 };
  MtLearnOptions options;
  MtRandom random;

  if (!g_test_slow ())
    {
      g_test_skip ("takes minutes; meson test --suite slow");
      return;
    }
  table = make_large ();
  pool = mt_pool_new (2);
  learn_options_init (&options);
  options.frontier.n_folds = 2;
  options.frontier.train.max_epochs = 10;
  mt_random_init (&random, 5);
  for (guint i = 0; i < 24; i++)
    {
      Moment moment = { .cancellable = g_cancellable_new () };
      g_autoptr (MtLearned) learned = NULL;
      g_autoptr (GError) error = NULL;
      gint64 answered, spent;

      g_mutex_init (&moment.lock);
      /* Reading and encoding, the network, the scan, the fit, and some of the elimination. */
      moment.at = i % 12 < 10 ? (i % 12) * .03 : .45;
      moment.after = (gulong) mt_random_below (&random, 400 * 1000);
      learned = mt_learn_run (table, NULL, 0, &options, pool, ask_when_there, &moment, moment.cancellable, &error);
      answered = g_get_monotonic_time ();
      spent = processor_time ();
      if (learned == NULL)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      if (moment.thread != NULL)
        g_thread_join (moment.thread);
      tally (&counted, &moment, answered, spent, learned);
      g_mutex_clear (&moment.lock);
      g_object_unref (moment.cancellable);
    }
  tell (&counted, "large");
}

/* The steps from the table to bits know the current cancellable, too. */
static void
test_steps (void)
{
  g_auto (MtTestSample) sample = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MtEncoderOptions options;
  MtTable *table;

  mt_test_sample_init (&sample, "loan-approval.csv", "approved");
  table = mt_import_get_table (sample.import);
  mt_encoder_options_init (&options);
  g_cancellable_cancel (cancellable);
  g_cancellable_push_current (cancellable);
  g_assert_null (mt_target_new (table, NULL, 0, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (mt_target_read (sample.target, table, NULL, 0, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (mt_encoder_fit (table, NULL, 0, &options, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (mt_encoder_apply (sample.encoder, table, NULL, 0, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (mt_encoded_new_take (mt_encoded_get_groups (sample.encoded), 1,
                                      g_memdup2 (mt_encoded_get_codes (sample.encoded, 0),
                                                 mt_encoded_get_n_rows (sample.encoded)),
                                      NULL, 0, mt_encoded_get_n_rows (sample.encoded), cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_cancellable_pop_current (cancellable);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cancel/steps", test_steps);
  g_test_add_data_func ("/cancel/learn/approved", "loan-approval.csv", test_learn);
  g_test_add_data_func ("/cancel/learn/urgency", "triage.csv", test_learn);
  g_test_add_data_func ("/cancel/learn/energy_kwh", "energy-use.csv", test_learn);
  g_test_add_func ("/cancel/large", test_large);
  return g_test_run ();
}
