#include "config.h"
#include "mt-frontier-private.h"

#include <math.h>
#include <string.h>

#include "mt-error.h"
#include "mt-i18n-private.h"
#include "mt-magnitude.h"
#include "mt-metrics.h"
#include "mt-networks.h"
#include "mt-refine-private.h"

/* Share of a part's time that its networks take, about, if it has any. */
#define NETWORKS_SHARE .3
/* Share of the rest that the full path takes, if the plain one is gone as well. */
#define FULL_SHARE .65
/* Rows × literals × outputs up to which both paths are gone. Beyond, there are rows enough to tell what
 * interactions are worth, and the time counts. */
#define PLAIN_CELLS 2500000
/* Share done below which the time left is anybody's guess. */
#define KNOWN_FROM .03

typedef struct {
  const MtEncoded         *encoded;
  const double            *target;
  MtTask                   task;
  guint                    n_outputs;
  const guint8            *fold_of;
  const MtFrontierOptions *options;
  guint                    n_parts;      /* folds × repeats */
  GCancellable            *cancellable;

  GPtrArray               *visited;      /* task 0 */
  MtFrontierPath           paths[MT_N_PATHS];
  gboolean                 with_plain;   /* the plain path is gone, too, where it differs */
  MtNet                   *net;          /* task 0 */
  char                    *engine;       /* of it */
  MtNetworks              *networks;     /* trained beforehand; NULL: every task trains its own */
  guint64                 *n_steps;      /* per task */
  double                  *train_seconds;
  GError                 **errors;       /* per task */

  MtLearnProgressFunc      progress;
  gpointer                 progress_data;
  gint64                   started;
  GMutex                   lock;
  double                  *done;         /* per task */
} Run;

typedef struct {
  Run  *run;
  guint task;
  guint network;      /* being trained, from 1 */
  gboolean is_plain;  /* on the second path */
} RunTask;

void
mt_frontier_options_init (MtFrontierOptions *options)
{
  memset (options, 0, sizeof *options);
  mt_refine_options_init (&options->refine);
  mt_train_options_init (&options->train);
  options->train.head = MT_HEAD_LITERALS;
  options->n_folds = 5;
  options->max_literals = 50;
}

/* --- metric --- */

double
mt_frontier_metric (MtTask        task,
                    guint         n_outputs,
                    gsize         n_rows,
                    const double *predictions,
                    const double *target)
{
  g_autofree guint32 *classes = NULL;
  double sum = 0;
  guint n = 0;

  if (task == MT_TASK_REGRESSION)
    {
      const MtScored scored = { task, 0, n_rows, NULL, target, predictions };

      return mt_metric_compute (MT_METRIC_R2, &scored);
    }
  classes = g_new (guint32, MAX (n_rows, 1));
  for (gsize r = 0; r < n_rows; r++)
    classes[r] = (guint32) target[r];
  if (task == MT_TASK_BINARY)
    return mt_metric_auc (predictions, classes, 1, n_rows);
  /* A class that a small fold lacks says nothing; the others still do. */
  for (guint c = 0; c < n_outputs; c++)
    {
      double auc = mt_metric_auc (predictions + c * n_rows, classes, c, n_rows);

      if (!isnan (auc))
        {
          sum += auc;
          n++;
        }
    }
  return n > 0 ? sum / n : NAN;
}

double
mt_rule_set_metric (const MtRuleSet *rules,
                    const MtEncoded *encoded,
                    const double    *target)
{
  MtTask task = mt_rule_set_get_task (rules);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  g_autofree double *scores = g_new (double, MAX (n_outputs * n_rows, 1));

  mt_rule_set_score (rules, encoded, scores);
  if (task == MT_TASK_MULTICLASS)
    mt_task_link (task, n_outputs, n_rows, scores);
  return mt_frontier_metric (task, n_outputs, n_rows, scores, target);
}

/* --- paths --- */

/* Passes on what a part says of itself, with its place among the parts; @done is the part's own. */
static void
report (RunTask         *task,
        MtLearnProgress *progress,
        double           done)
{
  Run *run = task->run;
  double sum = 0, elapsed = (g_get_monotonic_time () - run->started) / 1e6;
  guint n = run->n_parts + 1;

  g_mutex_lock (&run->lock);
  run->done[task->task] = MAX (run->done[task->task], done);
  for (guint i = 0; i < n; i++)
    sum += run->done[i];
  progress->part = task->task;
  progress->n_parts = n;
  progress->part_done = run->done[task->task];
  progress->n_networks = run->options->n_restarts;
  progress->done = sum / n;
  progress->seconds_left = progress->done < KNOWN_FROM ? NAN : elapsed * (1 - progress->done) / progress->done;
  if (run->progress != NULL)
    run->progress (progress, run->progress_data);
  g_mutex_unlock (&run->lock);
}

static double
networks_share (const Run *run)
{
  return run->options->n_restarts > 0 ? NETWORKS_SHARE : 0;
}

static void
report_refine (const MtLearnProgress *refine,
               gpointer               user_data)
{
  RunTask *task = user_data;
  MtLearnProgress progress = *refine;
  double share = networks_share (task->run), done = refine->done;

  if (task->is_plain)
    {
      if (refine->phase != MT_LEARN_ELIMINATING)
        return;                 /* to a listener, a part goes through its phases once */
      done = FULL_SHARE + (1 - FULL_SHARE) * done;
    }
  else if (task->run->with_plain)
    done *= FULL_SHARE;
  report (task, &progress, share + (1 - share) * done);
}

/* A training may end any epoch; how long it would wait for a better one tells how far it is. */
static void
report_train (const MtTrainProgress *train,
              gpointer               user_data)
{
  RunTask *task = user_data;
  MtLearnProgress progress = { .phase = MT_LEARN_TRAINING, .network = task->network, .train = *train };
  double part = train->phase == MT_TRAIN_DONE ? 1 : (double) train->epoch / (train->epoch + train->epochs_left + 1);

  report (task, &progress,
          networks_share (task->run) * (task->network - 1 + part) / task->run->options->n_restarts);
}

/* Of a task's own network. */
static void
report_network (guint                  part,
                guint                  network,
                const MtTrainProgress *progress,
                gpointer               user_data)
{
  RunTask task = *(RunTask *) user_data;

  task.network = network + 1;
  report_train (progress, &task);
}

/* Of one of all networks, before there are tasks. */
static void
report_any_network (guint                  part,
                    guint                  network,
                    const MtTrainProgress *progress,
                    gpointer               user_data)
{
  RunTask task = { user_data, part, network + 1 };

  report_train (progress, &task);
}

static int
compare_visited (gconstpointer a,
                 gconstpointer b)
{
  const MtVisited *p = *(MtVisited *const *) a, *q = *(MtVisited *const *) b;

  if (p->complexity != q->complexity)
    return p->complexity < q->complexity ? -1 : 1;
  return p->loss < q->loss ? -1 : p->loss > q->loss;
}

/* The models of a path that no simpler one beats, ascending; elements are borrowed. */
static GPtrArray *
best_of_path (GPtrArray *path)
{
  GPtrArray *sorted = g_ptr_array_new ();
  GPtrArray *best = g_ptr_array_new ();

  for (guint i = 0; i < path->len; i++)
    g_ptr_array_add (sorted, path->pdata[i]);
  g_ptr_array_sort (sorted, compare_visited);
  for (guint i = 0; i < sorted->len; i++)
    {
      const MtVisited *visited = sorted->pdata[i];
      const MtVisited *last = best->len > 0 ? best->pdata[best->len - 1] : NULL;

      if (last == NULL || (visited->complexity > last->complexity && visited->loss < last->loss))
        g_ptr_array_add (best, sorted->pdata[i]);
    }
  g_ptr_array_unref (sorted);
  return best;
}

/* Appends the nodes of @net that have few enough inputs to be refined. */
static void
add_nodes (GArray      *candidates,
           const MtNet *net)
{
  for (guint node = 0; node < mt_net_get_shape (net)->n_nodes; node++)
    {
      MtCandidate candidate = { 0 };
      MtNetNode from;

      mt_net_read_node (net, node, &from);
      if (from.n_inputs == 0 || from.n_inputs > MT_REFINE_MAX_INPUTS)
        continue;
      candidate.n_inputs = from.n_inputs;
      for (guint i = 0; i < from.n_inputs; i++)
        candidate.inputs[i] = from.inputs[i];
      mt_net_fill_table (net, node, candidate.table);
      candidate.is_linear = mt_net_get_shape (net)->kind == MT_NODE_STANDARD;
      for (guint i = 0; i < from.n_inputs; i++)
        candidate.weights[i] = from.weights[i];
      candidate.threshold = -from.bias;
      g_array_append_val (candidates, candidate);
    }
}

static void
add_network (Run           *run,
             RunTask       *task,
             guint          number,
             MtTrainResult *result,
             GPtrArray     *results)
{
  run->n_steps[task->task] += result->n_steps;
  run->train_seconds[task->task] += result->seconds;
  if (task->task == 0 && number == 0)
    {
      run->net = mt_net_ref (result->net);
      run->engine = g_strdup (result->engine);
    }
  g_ptr_array_add (results, result);
}

/* Networks for one path, on its rows only, as MtTrainResult. The first one on all rows is kept. */
static gboolean
train_networks (Run              *run,
                RunTask          *task,
                const MtEncoded  *encoded,
                const double     *target,
                GPtrArray        *results,
                GError          **error)
{
  MtFrontierOptions options = *run->options;
  g_autoptr (MtNetworks) own = NULL;

  if (options.n_restarts == 0)
    return TRUE;
  if (run->networks == NULL)
    {
      options.n_folds = 0;
      own = mt_networks_new (encoded, target, run->task, run->n_outputs, NULL, &options);
      mt_networks_watch (own, report_network, task);
      mt_networks_train (&own, 1, run->cancellable);
    }
  for (guint i = 0; i < options.n_restarts; i++)
    {
      MtTrainResult *result = run->networks != NULL ? mt_networks_take (run->networks, task->task, i, error)
                                                    : mt_networks_take (own, 0, i, error);

      if (result == NULL)
        return FALSE;
      add_network (run, task, i, result, results);
    }
  return !g_cancellable_set_error_if_cancelled (run->cancellable, error);
}

/* The paper's way: each network pruned and tuned by itself, all models together. */
static GPtrArray *
prune_networks (Run              *run,
                RunTask          *task,
                const MtEncoded  *encoded,
                const double     *target,
                const GPtrArray  *results,
                GError          **error)
{
  const MtTrainOptions *train = &run->options->train;
  g_autoptr (GPtrArray) visited = mt_refine_visited_new ();

  for (guint i = 0; i < results->len; i++)
    {
      const MtTrainResult *result = results->pdata[i];
      const MtMagnitudeOptions options = {
        train->learning_rate, train->weight_decay, train->clip, result->batch, run->options->seed + i,
      };

      if (!mt_magnitude_run (result->net, encoded, target, &run->options->refine, &options, visited, report_refine,
                             task, run->cancellable, error))
        return NULL;
    }
  return g_steal_pointer (&visited);
}

/* One path: networks, if there are to be any, then refine. */
static GPtrArray *
run_path (Run              *run,
          RunTask          *task,
          const MtEncoded  *encoded,
          const double     *target,
          GError          **error)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (MtCandidate));
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_train_result_free);
  MtRefineOptions options = run->options->refine;

  if (!train_networks (run, task, encoded, target, results, error))
    return NULL;
  if (run->options->method == MT_METHOD_MAGNITUDE)
    return prune_networks (run, task, encoded, target, results, error);
  for (guint i = 0; i < results->len; i++)
    add_nodes (candidates, ((MtTrainResult *) results->pdata[i])->net);
  if (candidates->len > 0)
    {
      g_array_append_vals (candidates, options.candidates, options.n_candidates);
      options.candidates = &g_array_index (candidates, MtCandidate, 0);
      options.n_candidates = candidates->len;
    }
  return mt_refine_run (encoded, target, run->task, run->n_outputs, &options, report_refine, task,
                        run->cancellable, error);
}

/* The metric of each model on the given rows. Large data take their time here, too. */
static gboolean
score_models (const Run        *run,
              GPtrArray        *best,
              const MtEncoded  *encoded,
              const double     *target,
              GArray           *points,
              GError          **error)
{
  for (guint i = 0; i < best->len; i++)
    {
      const MtVisited *visited = best->pdata[i];
      MtFoldPoint point = { visited->complexity, NAN };

      if (g_cancellable_set_error_if_cancelled (run->cancellable, error))
        {
          g_array_set_size (points, 0);
          return FALSE;
        }
      point.score = mt_rule_set_metric (visited->rules, encoded, target);
      g_array_append_val (points, point);
    }
  return TRUE;
}

/* The most complex model has all candidates that were worth a weight. */
static gboolean
has_conjunctions (GPtrArray *path)
{
  const MtRuleSet *rules = ((MtVisited *) path->pdata[0])->rules;

  for (guint i = 0; i < mt_rule_set_get_n_terms (rules); i++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, i);

      if (term->rule != NULL && mt_rule_get_n_inputs (term->rule) > 1)
        return TRUE;
    }
  return FALSE;
}

/* Both paths on these rows. Where the full one has no conjunction, it is the plain one as well: then
 * that stays NULL. */
static gboolean
run_paths (Run              *run,
           RunTask          *task,
           const MtEncoded  *encoded,
           const double     *target,
           GPtrArray       **paths,
           GError          **error)
{
  MtRefineOptions options = run->options->refine;

  paths[MT_PATH_FULL] = run_path (run, task, encoded, target, error);
  if (paths[MT_PATH_FULL] == NULL)
    return FALSE;
  if (!run->with_plain || !has_conjunctions (paths[MT_PATH_FULL]))
    return TRUE;
  options.fan_in = 1;
  options.n_candidates = 0;
  task->is_plain = TRUE;
  paths[MT_PATH_PLAIN] = mt_refine_run (encoded, target, run->task, run->n_outputs, &options, report_refine, task,
                                        run->cancellable, error);
  return paths[MT_PATH_PLAIN] != NULL;
}

static gboolean
run_all_rows (Run      *run,
              RunTask  *task,
              GError  **error)
{
  GPtrArray *paths[MT_N_PATHS] = { NULL, NULL };
  gboolean success = run_paths (run, task, run->encoded, run->target, paths, error);

  if (success && run->with_plain && paths[MT_PATH_PLAIN] == NULL)
    paths[MT_PATH_PLAIN] = g_steal_pointer (&paths[MT_PATH_FULL]);
  for (guint p = 0; p < MT_N_PATHS && success; p++)
    if (paths[p] != NULL)
      {
        run->paths[p].best = best_of_path (paths[p]);
        success = score_models (run, run->paths[p].best, run->encoded, run->target, run->paths[p].train, error);
      }
  if (success)
    {
      run->visited = mt_refine_visited_new ();
      for (guint p = 0; p < MT_N_PATHS; p++)
        if (paths[p] != NULL)
          g_ptr_array_extend_and_steal (run->visited, g_steal_pointer (&paths[p]));
    }
  for (guint p = 0; p < MT_N_PATHS; p++)
    g_clear_pointer (&paths[p], g_ptr_array_unref);
  return success;
}

/* What the held rows say of the paths found on the others. */
static gboolean
judge_fold (Run              *run,
            guint             part,
            GPtrArray       **paths,
            const MtEncoded  *held,
            const double     *target,
            GError          **error)
{
  GArray *full = run->paths[MT_PATH_FULL].fold_points[part], *plain = run->paths[MT_PATH_PLAIN].fold_points[part];
  g_autoptr (GPtrArray) full_best = best_of_path (paths[MT_PATH_FULL]);
  g_autoptr (GPtrArray) plain_best = NULL;

  if (!score_models (run, full_best, held, target, full, error))
    return FALSE;
  if (paths[MT_PATH_PLAIN] == NULL)
    {
      g_array_append_vals (plain, full->data, full->len);
      return TRUE;
    }
  plain_best = best_of_path (paths[MT_PATH_PLAIN]);
  if (score_models (run, plain_best, held, target, plain, error))
    return TRUE;
  g_array_set_size (full, 0);
  return FALSE;
}

static gboolean
run_fold (Run      *run,
          guint     part,
          RunTask  *task,
          GError  **error)
{
  gsize n_rows = mt_encoded_get_n_rows (run->encoded), n[2] = { 0, 0 };
  guint fold = part % run->options->n_folds;
  const guint8 *fold_of = run->fold_of + part / run->options->n_folds * n_rows;
  g_autofree guint32 *inside = g_new (guint32, n_rows);
  g_autofree guint32 *outside = g_new (guint32, n_rows);
  g_autofree double *held_target = g_new (double, n_rows);
  g_autofree double *target = g_new (double, n_rows);
  g_autoptr (MtEncoded) held = NULL;
  g_autoptr (MtEncoded) rest = NULL;
  GPtrArray *paths[MT_N_PATHS] = { NULL, NULL };
  gboolean success;

  for (gsize r = 0; r < n_rows; r++)
    if (fold_of[r] == fold)
      {
        held_target[n[0]] = run->target[r];
        inside[n[0]++] = (guint32) r;
      }
    else
      {
        target[n[1]] = run->target[r];
        outside[n[1]++] = (guint32) r;
      }
  if (n[0] == 0 || n[1] == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("fold %u has no rows to judge by; ask for fewer folds"), fold + 1);
      return FALSE;
    }
  held = mt_encoded_take_rows (run->encoded, inside, n[0]);
  rest = mt_encoded_take_rows (run->encoded, outside, n[1]);
  success = run_paths (run, task, rest, target, paths, error) &&
            judge_fold (run, part, paths, held, held_target, error);
  for (guint p = 0; p < MT_N_PATHS; p++)
    g_clear_pointer (&paths[p], g_ptr_array_unref);
  return success;
}

static void
run_task (guint    number,
          guint    worker,
          gpointer data)
{
  Run *run = data;
  RunTask task = { run, number, 0 };
  MtLearnProgress end = { .phase = MT_LEARN_DONE };

  if (g_cancellable_set_error_if_cancelled (run->cancellable, &run->errors[number]))
    return;
  if (number > 0 ? run_fold (run, number - 1, &task, &run->errors[number])
                 : run_all_rows (run, &task, &run->errors[number]))
    report (&task, &end, 1);
}

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
                   _("the folds can be dealt out at most 100 times, not %u"),
                   options->n_repeats);
      return FALSE;
    }
  if (options->method == MT_METHOD_MAGNITUDE &&
      (options->n_restarts == 0 || options->train.node != MT_NODE_STANDARD))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "%s",
                   options->n_restarts == 0 ? _("pruning by magnitude needs at least one network to prune")
                                            : _("pruning by magnitude needs nodes of the standard kind"));
      return FALSE;
    }
  if (options->method == MT_METHOD_MAGNITUDE && (options->refine.directions != NULL || options->refine.no_negation))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("pruning by magnitude can keep to banned columns only, not to directions or to no negation"));
      return FALSE;
    }
  if (n_rows < 2)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("there are too few rows to train on: %zu"), n_rows);
      return FALSE;
    }
  g_return_val_if_fail (options->n_folds == 0 || fold_of != NULL, FALSE);
  return TRUE;
}

/* Are single literals by themselves worth a path of their own? */
static gboolean
wants_plain (const Run *run)
{
  const MtFrontierOptions *options = run->options;

  return options->n_folds > 0 && options->method == MT_METHOD_EXACT && options->refine.fan_in > 1 &&
         (double) mt_encoded_get_n_rows (run->encoded) * mt_encoded_get_n_literals (run->encoded) * run->n_outputs <=
         PLAIN_CELLS;
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
  guint n_parts = options->n_folds * MAX (options->n_repeats, 1), n_tasks = n_parts + 1;
  Run run = { encoded, target, task, n_outputs, fold_of, options, n_parts, cancellable };
  g_autoptr (MtNetworks) own = NULL;
  MtFrontier *self = NULL;
  GError *first_error = NULL;
  gboolean stopped;

  if (!check_options (options, fold_of, mt_encoded_get_n_rows (encoded), error))
    return NULL;
  for (guint p = 0; p < MT_N_PATHS; p++)
    init_path (&run.paths[p], n_parts);
  run.with_plain = wants_plain (&run);
  run.errors = g_new0 (GError *, n_tasks);
  run.done = g_new0 (double, n_tasks);
  run.n_steps = g_new0 (guint64, n_tasks);
  run.train_seconds = g_new0 (double, n_tasks);
  run.progress = progress;
  run.progress_data = progress_data;
  run.started = g_get_monotonic_time ();
  g_mutex_init (&run.lock);

  run.networks = options->networks;
  if (run.networks == NULL && options->n_restarts > 0 && mt_train_wants_many (options->train.device))
    {
      run.networks = own = mt_networks_new (encoded, target, task, n_outputs, fold_of, options);
      mt_networks_watch (own, report_any_network, &run);
      mt_networks_train (&own, 1, cancellable);
    }
  mt_pool_run (pool, n_tasks, run_task, &run);

  for (guint i = 0; i < n_tasks; i++)
    {
      if (first_error == NULL)
        first_error = g_steal_pointer (&run.errors[i]);
      g_clear_error (&run.errors[i]);
    }
  stopped = g_error_matches (first_error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (first_error == NULL || (stopped && options->keep_partial && run.visited != NULL))
    {
      g_clear_error (&first_error);
      self = g_new0 (MtFrontier, 1);
      g_atomic_ref_count_init (&self->ref_count);
      self->is_stopped = stopped;
      self->visited = g_steal_pointer (&run.visited);
      self->points = g_array_new (FALSE, FALSE, sizeof (MtFrontierPoint));
      self->n_scores = n_parts;
      self->n_folds = options->n_folds;
      self->n_rows = mt_encoded_get_n_rows (encoded);
      self->net = g_steal_pointer (&run.net);
      self->engine = g_steal_pointer (&run.engine);
      for (guint i = 0; i < n_tasks; i++)
        {
          self->n_steps += run.n_steps[i];
          self->train_seconds += run.train_seconds[i];
        }
      mt_frontier_make_points (self, run.paths);
      self->selected = mt_frontier_select (self, options->max_literals);
    }
  else
    g_propagate_error (error, first_error);

  for (guint p = 0; p < MT_N_PATHS; p++)
    clear_path (&run.paths[p], n_parts);
  g_clear_pointer (&run.visited, g_ptr_array_unref);
  g_clear_pointer (&run.net, mt_net_unref);
  g_free (run.engine);
  g_free (run.n_steps);
  g_free (run.train_seconds);
  g_free (run.errors);
  g_free (run.done);
  g_mutex_clear (&run.lock);
  return self;
}

MtFrontier *
mt_frontier_ref (MtFrontier *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_frontier_unref (MtFrontier *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->points);
  g_ptr_array_unref (self->visited);
  g_clear_pointer (&self->net, mt_net_unref);
  g_free (self->engine);
  g_free (self->fold_scores);
  g_free (self);
}

guint
mt_frontier_get_n_points (const MtFrontier *self)
{
  return self->points->len;
}

const MtFrontierPoint *
mt_frontier_get_point (const MtFrontier *self,
                       guint             index)
{
  g_return_val_if_fail (index < self->points->len, NULL);
  return &g_array_index (self->points, MtFrontierPoint, index);
}

const double *
mt_frontier_get_fold_scores (const MtFrontier *self,
                             guint             index)
{
  g_return_val_if_fail (index < self->points->len, NULL);
  return self->fold_scores + (gsize) index * self->n_scores;
}

guint
mt_frontier_get_n_fold_scores (const MtFrontier *self)
{
  return self->n_scores;
}

guint
mt_frontier_get_selected (const MtFrontier *self)
{
  return self->selected;
}

gboolean
mt_frontier_is_stopped (const MtFrontier *self)
{
  return self->is_stopped;
}

MtNet *
mt_frontier_get_net (const MtFrontier *self)
{
  return self->net;
}

const char *
mt_frontier_get_engine (const MtFrontier *self)
{
  return self->engine;
}

guint64
mt_frontier_get_n_steps (const MtFrontier *self)
{
  return self->n_steps;
}

double
mt_frontier_get_train_seconds (const MtFrontier *self)
{
  return self->train_seconds;
}

GPtrArray *
mt_frontier_get_visited (const MtFrontier *self)
{
  return self->visited;
}
