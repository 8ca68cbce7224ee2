/* One part of a frontier: the paths on all rows, or on those outside a fold and what the fold says of them.
 *
 * What a part does, for its own rows: train the networks that propose rules, if there are
 * to be any; search and refine with conjunctions (and tune); the same with single literals
 * only, where that is wanted; pick the models of each path that no simpler one beats; and
 * score them: on all rows for the training metric, on the fold's own rows for the judgment.
 *
 * A fold learns everything again, from its candidates on. Only the places of thresholds are
 * those of all rows to learn from; no target was looked at for them. Nothing else that was
 * found on all rows reaches a fold, or it would judge what it has helped to choose. */
#include "config.h"
#include "mt-frontier-private.h"

#include <math.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "data/mt-split.h"
#include "mt-magnitude-pruning.h"
#include "mt-refine-private.h"
#include "network/mt-coarse-rows.h"

/* By complexity, and among equals the better fit first. */
static int
compare_visited (gconstpointer a,
                 gconstpointer b)
{
  const MtPathModel *p = *(MtPathModel *const *) a, *q = *(MtPathModel *const *) b;

  if (p->complexity != q->complexity)
    return p->complexity < q->complexity ? -1 : 1;
  return p->loss < q->loss ? -1 : p->loss > q->loss;
}

/* The models of a path that no simpler one beats, ascending; elements are borrowed. @with_tuned: those that elimination
 * alone did not lead to, as well.
 *
 * Sorted by complexity, then by loss; a model stays if its loss is below that of the last
 * one kept. */
static GPtrArray *
best_of_path (GPtrArray *path,
              gboolean   with_tuned)
{
  GPtrArray *sorted = g_ptr_array_new ();
  GPtrArray *best = g_ptr_array_new ();

  for (guint i = 0; i < path->len; i++)
    if (with_tuned || !((MtPathModel *) path->pdata[i])->is_tuned)
      g_ptr_array_add (sorted, path->pdata[i]);
  g_ptr_array_sort (sorted, compare_visited);
  for (guint i = 0; i < sorted->len; i++)
    {
      const MtPathModel *visited = sorted->pdata[i];
      const MtPathModel *last = best->len > 0 ? best->pdata[best->len - 1] : NULL;

      if (last == NULL || (visited->complexity > last->complexity && visited->loss < last->loss))
        g_ptr_array_add (best, sorted->pdata[i]);
    }
  g_ptr_array_unref (sorted);
  return best;
}

/* Appends the nodes of @net that have few enough inputs to be refined.
 *
 * A node becomes a candidate with its truth table, and, if it is linear, the weights and
 * the threshold that the report shows as the rule's origin. */
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

/* Counts the network's steps and seconds for the part, and keeps the first one on all rows:
 * its curves and its fidelity to the rules are shown. Takes @result. */
static void
add_network (MtFrontierRun  *run,
             MtFrontierTask *task,
             guint           number,
             MtTrainResult  *result,
             GPtrArray      *results)
{
  run->n_steps[task->task] += result->n_steps;
  run->train_seconds[task->task] += result->seconds;
  if (task->task == 0 && number == 0 && run->net == NULL)
    {
      run->net = mt_net_ref (result->net);
      run->engine = g_strdup (result->engine);
    }
  g_ptr_array_add (results, result);
}

/* Networks for one path, on its rows only, as MtTrainResult. The first one on all rows is kept.
 *
 * If the networks were trained in one batch beforehand, they are only taken from there. */
static gboolean
train_networks (MtFrontierRun    *run,
                MtFrontierTask   *task,
                const MtEncoded  *encoded,
                const double     *target,
                GPtrArray        *results,
                GError          **error)
{
  MtFrontierOptions options = *run->options;
  g_autoptr (MtNetworkBatch) own = NULL;

  if (options.n_restarts == 0)
    return TRUE;
  if (run->networks == NULL)
    {
      options.n_folds = 0;
      options.refine = *task->refine;
      own = mt_network_batch_new (encoded, target, run->task, run->n_outputs, NULL, &options);
      mt_network_batch_watch (own, mt_frontier_report_network, task);
      mt_network_batch_train (&own, 1, run->cancellable);
    }
  for (guint i = 0; i < options.n_restarts; i++)
    {
      MtTrainResult *result = run->networks != NULL ? mt_network_batch_take (run->networks, task->task, i, error)
                                                    : mt_network_batch_take (own, 0, i, error);

      if (result == NULL)
        return FALSE;
      add_network (run, task, i, result, results);
    }
  return !g_cancellable_set_error_if_cancelled (run->cancellable, error);
}

/* Trains a network on all rows that takes no part in the rules; it only tells how far they
 * are from what a network makes of the same rows. It chooses among the thresholds that
 * candidates are made of: the coarse rows, if there are finer ones, and is widened
 * afterwards. If it cannot be trained there is none; only a device that fails is an error,
 * because the run is then repeated on the CPU. */
static gboolean
train_beside (MtFrontierRun   *run,
              MtFrontierTask  *task,
              GError         **error)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_train_result_free);
  g_autoptr (MtNetworkBatch) networks = NULL;
  g_autoptr (GError) local = NULL;
  g_autoptr (MtCoarseRows) thin = NULL;
  g_autofree gint8 *directions = NULL;
  MtFrontierOptions options = *run->options;
  MtTrainResult *result;

  options.n_restarts = 1;
  options.n_folds = 0;
  if (options.refine.fine != NULL)
    {
      thin = mt_coarse_rows_new (run->encoded, options.refine.fine, run->cancellable, &local);
      if (thin == NULL)
        return !g_cancellable_set_error_if_cancelled (run->cancellable, error);
      options.refine.directions = directions = mt_coarse_rows_pick (thin, options.refine.directions);
    }
  networks = mt_network_batch_new (thin != NULL ? thin->encoded : run->encoded, run->target, run->task, run->n_outputs, NULL,
                                   &options);
  mt_network_batch_watch (networks, mt_frontier_report_network, task);
  mt_network_batch_train (&networks, 1, run->cancellable);
  if (g_cancellable_set_error_if_cancelled (run->cancellable, error))
    return FALSE;
  result = mt_network_batch_take (networks, 0, 0, &local);
  if (result != NULL && thin != NULL)
    {
      MtNet *wide = mt_coarse_rows_widen (thin, result->net, mt_encoded_get_n_literals (run->encoded));

      mt_net_unref (result->net);
      result->net = wide;
    }
  if (result != NULL)
    add_network (run, task, 0, result, results);
  else if (g_error_matches (local, MT_ERROR, MT_ERROR_DEVICE))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return TRUE;
}

/* The paper's way: each network pruned and tuned by itself, all models together. */
static GPtrArray *
prune_networks (MtFrontierRun    *run,
                MtFrontierTask   *task,
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
      const MtMagnitudePruningOptions options = {
        train->learning_rate, train->weight_decay, train->clip, result->batch, run->options->seed + i,
      };

      if (!mt_magnitude_pruning_run (result->net, encoded, target, task->refine, &options, visited, mt_frontier_report_refine,
                                     task, run->cancellable, error))
        return NULL;
    }
  return g_steal_pointer (&visited);
}

/* The networks of tuning start at a fitted model and only have to leave it: ten epochs gained no more than three, and
 * three took less time (docs/method-experiments.md). */
#define TUNING_EPOCHS 3

static void
report_tuning (const MtTrainProgress *progress,
               gpointer               user_data)
{
  mt_frontier_report_network (0, 0, progress, user_data);
}

/* One path: networks, if there are to be any, then refine.
 *
 * The candidates that the caller gave come after those of the networks. The networks of
 * tuning have seeds that count on from that of the run. */
static GPtrArray *
run_path (MtFrontierRun    *run,
          MtFrontierTask   *task,
          const MtEncoded  *encoded,
          const double     *target,
          GError          **error)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (MtCandidate));
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_train_result_free);
  MtRefineOptions options = *task->refine;
  MtRefineTrain train = { .options = run->options->train, .progress = report_tuning, .progress_data = task };
  GPtrArray *visited;

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
  train.options.seed = run->options->seed;
  train.options.max_epochs = MIN (train.options.max_epochs, TUNING_EPOCHS);
  if (run->with_tuned && run->options->compare_network)
    options.train = &train;
  visited = mt_refine_run (encoded, target, run->task, run->n_outputs, &options, mt_frontier_report_refine, task,
                           run->cancellable, error);
  if (train.result != NULL && visited != NULL)
    {
      train.result->n_steps = train.n_steps;
      train.result->seconds = train.seconds;
      add_network (run, task, results->len, g_steal_pointer (&train.result), results);
    }
  mt_train_result_free (train.result);
  return visited;
}

/* The metric of each model on the given rows. Large data take their time here, too.
 *
 * Either all models have a score or none: half a list would be read as a path that ends
 * there. */
static gboolean
score_models (const MtFrontierRun  *run,
              GPtrArray            *best,
              const MtEncoded      *encoded,
              const double         *target,
              GArray               *points,
              GError              **error)
{
  for (guint i = 0; i < best->len; i++)
    {
      const MtPathModel *visited = best->pdata[i];
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
  const MtRuleSet *rules = ((MtPathModel *) path->pdata[0])->rules;

  for (guint i = 0; i < mt_rule_set_get_n_terms (rules); i++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, i);

      if (term->rule != NULL && mt_rule_get_n_inputs (term->rule) > 1)
        return TRUE;
    }
  return FALSE;
}

/* What there is to choose from: walks with and without conjunctions. Where the first has none, it is the second as well,
 * which then stays NULL. */
typedef struct {
  GPtrArray *full;
  GPtrArray *plain;
} Walks;

static void
walks_clear (Walks *self)
{
  g_clear_pointer (&self->full, g_ptr_array_unref);
  g_clear_pointer (&self->plain, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walks, walks_clear)

/* The walk with conjunctions, and, if it found any, one with single literals only: rules of several inputs fit
 * more of the noise, and cross-validation compares the two. */
static gboolean
run_walks (MtFrontierRun    *run,
           MtFrontierTask   *task,
           const MtEncoded  *encoded,
           const double     *target,
           Walks            *walks,
           GError          **error)
{
  MtRefineOptions options = *task->refine;

  walks->full = run_path (run, task, encoded, target, error);
  if (walks->full == NULL)
    return FALSE;
  if (!run->with_plain || !has_conjunctions (walks->full))
    return TRUE;
  options.fan_in = 1;
  options.n_candidates = 0;
  task->is_plain = TRUE;
  walks->plain = mt_refine_run (encoded, target, run->task, run->n_outputs, &options, mt_frontier_report_refine, task,
                                run->cancellable, error);
  return walks->plain != NULL;
}

/* The models of one path; NULL: it was not gone. */
static GPtrArray *
models_of (const MtFrontierRun *run,
           const Walks         *walks,
           MtPathKind           path)
{
  if (path == MT_PATH_PLAIN)
    return walks->plain != NULL ? best_of_path (walks->plain, TRUE) : NULL;
  if (path == MT_PATH_TUNED)
    return run->with_tuned ? best_of_path (walks->full, TRUE) : NULL;
  return best_of_path (walks->full, FALSE);
}

/* The models of the all-rows paths are what a person can choose from, so all models visited
 * are kept, not only the best of each path. */
gboolean
mt_frontier_run_all_rows (MtFrontierRun   *run,
                          MtFrontierTask  *task,
                          GError         **error)
{
  g_auto (Walks) walks = { NULL, NULL };

  /* First: its curves are what there is to see while the rules are searched for. */
  if ((mt_frontier_has_beside (run) && !train_beside (run, task, error)) ||
      !run_walks (run, task, run->encoded, run->target, &walks, error))
    return FALSE;
  for (guint p = 0; p < MT_N_PATHS; p++)
    {
      run->paths[p].best = models_of (run, &walks, p);
      if (run->paths[p].best != NULL &&
          !score_models (run, run->paths[p].best, run->encoded, run->target, run->paths[p].train, error))
        return FALSE;
    }
  /* A walk without conjunctions is the plain path, and the folds that have both compare with that. */
  if (run->with_plain && run->paths[MT_PATH_PLAIN].best == NULL)
    {
      MtFrontierPath *search = &run->paths[MT_PATH_SEARCH], *plain = &run->paths[MT_PATH_PLAIN];

      plain->best = g_steal_pointer (&search->best);
      g_array_append_vals (plain->train, search->train->data, search->train->len);
    }
  run->visited = mt_refine_visited_new ();
  g_ptr_array_extend_and_steal (run->visited, g_steal_pointer (&walks.full));
  if (walks.plain != NULL)
    g_ptr_array_extend_and_steal (run->visited, g_steal_pointer (&walks.plain));
  return TRUE;
}

/* What the held rows say of the paths found on the others. All or nothing: a fold that is cancelled says nothing. */
static gboolean
judge_fold (MtFrontierRun    *run,
            guint             part,
            const Walks      *walks,
            const MtEncoded  *held,
            const double     *target,
            GError          **error)
{
  gboolean success = TRUE;

  for (guint p = 0; p < MT_N_PATHS && success; p++)
    {
      g_autoptr (GPtrArray) best = models_of (run, walks, p);

      if (best != NULL)
        success = score_models (run, best, held, target, run->paths[p].fold_points[part], error);
    }
  if (success && walks->plain == NULL)
    {
      const GArray *search = run->paths[MT_PATH_SEARCH].fold_points[part];

      g_array_append_vals (run->paths[MT_PATH_PLAIN].fold_points[part], search->data, search->len);
    }
  for (guint p = 0; p < MT_N_PATHS && !success; p++)
    g_array_set_size (run->paths[p].fold_points[part], 0);
  return success;
}

/* Splits the rows into those held out and those learned from; with a split by time, later
 * rows are in neither (mt_split_is_learned()). With very many columns the fold also has
 * columns of its own, chosen without its held rows (mt-screen.h); it is then encoded here.
 *
 * Memory: the fold's rows are copied, so that many folds at a time need as many copies. */
gboolean
mt_frontier_run_fold (MtFrontierRun   *run,
                      guint            part,
                      MtFrontierTask  *task,
                      GError         **error)
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
  g_auto (Walks) walks = { NULL, NULL };
  g_auto (MtFrontierFold) own = { NULL };
  MtRefineOptions refine = *task->refine;
  const MtEncoded *encoded = run->encoded;

  for (gsize r = 0; r < n_rows; r++)
    if (mt_split_is_held_out (fold_of[r], fold, run->options->n_folds))
      {
        held_target[n[0]] = run->target[r];
        inside[n[0]++] = (guint32) r;
      }
    else if (mt_split_is_learned (fold_of[r], fold, run->options->n_folds))
      {
        target[n[1]] = run->target[r];
        outside[n[1]++] = (guint32) r;
      }
  if (n[0] == 0 || n[1] == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("fold %u has no rows for validation; use fewer folds"), fold + 1);
      return FALSE;
    }
  if (run->options->encode_fold != NULL)
    {
      gboolean has_encoded;

      if (run->cancellable != NULL)
        g_cancellable_push_current (run->cancellable);
      has_encoded = run->options->encode_fold (part, &own, run->options->encode_fold_data, error);
      if (run->cancellable != NULL)
        g_cancellable_pop_current (run->cancellable);
      if (!has_encoded)
        return FALSE;
      encoded = own.encoded;
      refine.fine = own.fine;
      refine.directions = own.directions;
      refine.numeric_directions = own.numeric_directions;
    }
  refine.few_stops = TRUE;
  task->refine = &refine;
  held = mt_encoded_take_rows (encoded, inside, n[0]);
  rest = mt_encoded_take_rows (encoded, outside, n[1]);
  return run_walks (run, task, rest, target, &walks, error) &&
         judge_fold (run, part, &walks, held, held_target, error);
}
