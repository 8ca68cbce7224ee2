/* The parts of a frontier in parallel, and what comes out of them.
 *
 * With 5 folds and 2 repeats there are 11 tasks, each the whole learning on its rows, and
 * the pool runs as many at a time as it has threads. Tasks write only to their own slots
 * (errors, steps, fold_points); only progress takes a lock. So the frontier is the same for
 * any number of threads.
 *
 * An error ends the frontier; the error of the lowest task is reported, whichever came
 * first. After a cancellation, what is there may be used if all rows are done and
 * keep_partial is set: the folds that were not finished have no scores, and the points are
 * judged by the others. */
#include "config.h"
#include "mt-frontier-private.h"

#include "base/mt-error.h"
#include "base/mt-gettext.h"

/* Rows × literals × outputs up to which both paths are gone. Beyond, there are rows enough to tell what
 * interactions are worth, and the time counts. */
#define PLAIN_CELLS 2500000

/* Task 0 is all rows, task 1 + n is fold n. */
static void
run_task (guint    number,
          guint    worker,
          gpointer data)
{
  MtFrontierRun *run = data;
  MtFrontierTask task = { run, number, .refine = &run->options->refine };
  MtLearnProgress end = { .phase = MT_LEARN_DONE };

  if (g_cancellable_set_error_if_cancelled (run->cancellable, &run->errors[number]))
    return;
  if (number > 0 ? mt_frontier_run_fold (run, number - 1, &task, &run->errors[number])
                 : mt_frontier_run_all_rows (run, &task, &run->errors[number]))
    mt_frontier_report (&task, &end, 1);
}

/* What the settings themselves may allow, but this method or this table does not. */
static gboolean
check_options (const MtFrontierOptions  *options,
               const guint8             *fold_of,
               gsize                     n_rows,
               GError                  **error)
{
  if (options->n_folds == 1 || options->n_folds > 50)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the number of folds must be 0 or between 2 and 50, not %u"),
                   options->n_folds);
      return FALSE;
    }
  if (options->n_repeats > 100)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the number of cross-validation repeats must be at most 100, not %u"),
                   options->n_repeats);
      return FALSE;
    }
  if (options->method == MT_METHOD_MAGNITUDE &&
      (options->n_restarts == 0 || options->train.node != MT_NODE_STANDARD))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "%s",
                   options->n_restarts == 0 ? _("pruning by magnitude needs at least one network")
                                            : _("pruning by magnitude needs standard nodes"));
      return FALSE;
    }
  if (options->method == MT_METHOD_MAGNITUDE && (options->refine.directions != NULL || options->refine.no_negation))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("pruning by magnitude supports only excluded columns as constraints, not increasing or "
                     "decreasing columns or rules without “not”"));
      return FALSE;
    }
  if (n_rows < 2)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("too few rows to train on: %zu"), n_rows);
      return FALSE;
    }
  g_return_val_if_fail (options->n_folds == 0 || fold_of != NULL, FALSE);
  return TRUE;
}

/* Are single literals by themselves worth a path of their own?
 *
 * 1,000 rows and 200 literals are 200,000 cells: yes. 100,000 rows and 200 literals: no. */
static gboolean
wants_plain (const MtFrontierRun *run)
{
  const MtFrontierOptions *options = run->options;

  return options->n_folds > 0 && options->method == MT_METHOD_EXACT && options->refine.fan_in > 1 &&
         (double) mt_encoded_get_n_rows (run->encoded) *
         mt_refine_count_candidates (&options->refine, run->encoded) * run->n_outputs <= PLAIN_CELLS;
}

static void
init_path (MtFrontierPath *path,
           guint           n_parts)
{
  path->train = g_array_new (FALSE, FALSE, sizeof (MtFoldPoint));
  path->fold_points = g_new0 (GArray *, MAX (n_parts, 1));
  for (guint f = 0; f < n_parts; f++)
    path->fold_points[f] = g_array_new (FALSE, FALSE, sizeof (MtFoldPoint));
}

static void
clear_path (MtFrontierPath *path,
            guint           n_parts)
{
  g_clear_pointer (&path->best, g_ptr_array_unref);
  g_array_unref (path->train);
  for (guint f = 0; f < n_parts; f++)
    g_array_unref (path->fold_points[f]);
  g_free (path->fold_points);
}

/* Every slot that a task writes to is there before the first task starts: no task allocates
 * for another. */
static void
init_run (MtFrontierRun *run)
{
  guint n_tasks = run->n_parts + 1;

  for (guint p = 0; p < MT_N_PATHS; p++)
    init_path (&run->paths[p], run->n_parts);
  run->with_plain = wants_plain (run);
  run->with_tuned = run->options->refine.tune && run->options->method == MT_METHOD_EXACT;
  run->errors = g_new0 (GError *, n_tasks);
  run->done = g_new0 (double, n_tasks);
  run->n_steps = g_new0 (guint64, n_tasks);
  run->train_seconds = g_new0 (double, n_tasks);
  run->started = g_get_monotonic_time ();
  g_mutex_init (&run->lock);
}

static void
clear_run (MtFrontierRun *run)
{
  for (guint p = 0; p < MT_N_PATHS; p++)
    clear_path (&run->paths[p], run->n_parts);
  for (guint i = 0; i <= run->n_parts; i++)
    g_clear_error (&run->errors[i]);
  g_clear_pointer (&run->visited, g_ptr_array_unref);
  g_clear_pointer (&run->net, mt_net_unref);
  g_free (run->engine);
  g_free (run->n_steps);
  g_free (run->train_seconds);
  g_free (run->errors);
  g_free (run->done);
  g_mutex_clear (&run->lock);
}

/* Of the first part that has one; NULL: none has. */
static GError *
take_first_error (MtFrontierRun *run)
{
  for (guint i = 0; i <= run->n_parts; i++)
    if (run->errors[i] != NULL)
      return g_steal_pointer (&run->errors[i]);
  return NULL;
}

/* Takes what the run found.
 *
 * Takes models, network and engine from the run, adds up steps and seconds over the tasks,
 * makes the points and the recommendation. */
static MtFrontier *
make_frontier (MtFrontierRun *run,
               gboolean       is_stopped)
{
  MtFrontier *self = g_new0 (MtFrontier, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->is_stopped = is_stopped;
  self->visited = g_steal_pointer (&run->visited);
  self->points = g_array_new (FALSE, FALSE, sizeof (MtFrontierPoint));
  self->n_scores = run->n_parts;
  self->n_folds = run->options->n_folds;
  self->n_rows = mt_encoded_get_n_rows (run->encoded);
  self->net = g_steal_pointer (&run->net);
  self->engine = g_steal_pointer (&run->engine);
  for (guint i = 0; i <= run->n_parts; i++)
    {
      self->n_steps += run->n_steps[i];
      self->train_seconds += run->train_seconds[i];
    }
  mt_frontier_make_points (self, run->paths);
  self->selected = mt_frontier_select (self, run->options->max_literals);
  return self;
}

/* On a device that trains many networks at once, the networks of all parts are trained
 * first, in one batch; the tasks then find theirs. Otherwise each task trains its own. */
MtFrontier *
mt_frontier_run (const MtEncoded          *encoded,
                 const double             *target,
                 MtTask                    task,
                 guint                     n_outputs,
                 const guint8             *fold_of,
                 const MtFrontierOptions  *options,
                 MtPool                   *pool,
                 MtLearnProgressFunc       progress,
                 gpointer                  progress_data,
                 GCancellable             *cancellable,
                 GError                  **error)
{
  MtFrontierRun run = {
    encoded, target, task, n_outputs, fold_of, options, options->n_folds * MAX (options->n_repeats, 1), cancellable,
    .networks = options->networks, .progress = progress, .progress_data = progress_data,
  };
  g_autoptr (MtNetworkBatch) own = NULL;
  MtFrontier *self = NULL;
  GError *first_error;
  gboolean stopped;

  if (!check_options (options, fold_of, mt_encoded_get_n_rows (encoded), error))
    return NULL;
  init_run (&run);
  if (run.networks == NULL && options->encode_fold == NULL && options->n_restarts > 0 && mt_train_wants_many (options->train.device))
    {
      run.networks = own = mt_network_batch_new (encoded, target, task, n_outputs, fold_of, options);
      mt_network_batch_watch (own, mt_frontier_report_any_network, &run);
      mt_network_batch_train (&own, 1, cancellable);
    }
  mt_pool_run (pool, run.n_parts + 1, run_task, &run);

  first_error = take_first_error (&run);
  stopped = g_error_matches (first_error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (first_error == NULL || (stopped && options->keep_partial && run.visited != NULL))
    {
      g_clear_error (&first_error);
      self = make_frontier (&run, stopped);
    }
  else
    g_propagate_error (error, first_error);
  clear_run (&run);
  return self;
}
