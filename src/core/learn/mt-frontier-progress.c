/* How far a frontier is: what its parts say of themselves, put together.
 *
 * A frontier's progress is the mean of its parts', and a part's is put together from its
 * networks, its full path and its plain path by fixed shares of the time. They are rough:
 * what matters is that the bar never goes back (each part keeps its maximum) and that the
 * time left is not shown before KNOWN_FROM of the work is done. */
#include "config.h"
#include "mt-frontier-private.h"

#include <math.h>

/* Share of a part's time that its networks take, about, if it has any. */
#define NETWORKS_SHARE .3
/* Share of the rest that the full path takes, if the plain one is gone as well. */
#define FULL_SHARE .65
/* Share done below which the time left is anybody's guess. */
#define KNOWN_FROM .03

gboolean
mt_frontier_has_beside (const MtFrontierRun *run)
{
  return run->options->compare_network && run->options->n_restarts == 0 && !run->with_tuned &&
         run->options->learner != MT_LEARNER_SEARCH;
}

/* Passes on what a part says of itself, with its place among the parts; @done is the part's own.
 *
 * The lock is held during the callback: listeners hear one report at a time. */
void
mt_frontier_report (MtFrontierTask  *task,
                    MtLearnProgress *progress,
                    double           done)
{
  MtFrontierRun *run = task->run;
  double sum = 0, elapsed = (g_get_monotonic_time () - run->started) / 1e6;
  guint n = run->n_parts + 1;

  g_mutex_lock (&run->lock);
  run->done[task->task] = MAX (run->done[task->task], done);
  for (guint i = 0; i < n; i++)
    sum += run->done[i];
  progress->part = task->task;
  progress->n_parts = n;
  progress->part_done = run->done[task->task];
  progress->n_networks = mt_frontier_has_beside (run) ? 1 : run->options->n_restarts;
  progress->done = sum / n;
  progress->seconds_left = progress->done < KNOWN_FROM ? NAN : elapsed * (1 - progress->done) / progress->done;
  if (run->progress != NULL)
    run->progress (progress, run->progress_data);
  g_mutex_unlock (&run->lock);
}

/* A network that takes no part in the rules is trained on all rows only. */
static double
networks_share (const MtFrontierTask *task)
{
  return task->run->options->n_restarts > 0 || (mt_frontier_has_beside (task->run) && task->task == 0)
         ? NETWORKS_SHARE : 0;
}

void
mt_frontier_report_refine (const MtLearnProgress *refine,
                           gpointer               user_data)
{
  MtFrontierTask *task = user_data;
  MtLearnProgress progress = *refine;
  double share = networks_share (task), done = refine->done;

  if (task->is_plain)
    {
      if (refine->phase != MT_LEARN_ELIMINATING)
        return;                 /* to a listener, a part goes through its phases once */
      done = FULL_SHARE + (1 - FULL_SHARE) * done;
    }
  else if (task->run->with_plain)
    done *= FULL_SHARE;
  mt_frontier_report (task, &progress, share + (1 - share) * done);
}

/* A training may end any epoch; how long it would wait for a better one tells how far it is.
 *
 * With 20 epochs behind it and 20 more allowed without a better one, a training counts as
 * half done. */
static void
report_train (const MtTrainProgress *train,
              gpointer               user_data)
{
  MtFrontierTask *task = user_data;
  MtLearnProgress progress = { .phase = MT_LEARN_TRAINING, .network = task->network, .train = *train };
  double part = train->phase == MT_TRAIN_DONE ? 1 : (double) train->epoch / (train->epoch + train->epochs_left + 1);

  mt_frontier_report (task, &progress,
          networks_share (task) * (task->network - 1 + part) / MAX (task->run->options->n_restarts, 1));
}

/* Of a task's own network. */
void
mt_frontier_report_network (guint                  part,
                            guint                  network,
                            const MtTrainProgress *progress,
                            gpointer               user_data)
{
  MtFrontierTask task = *(MtFrontierTask *) user_data;

  task.network = network + 1;
  report_train (progress, &task);
}

/* Of one of all networks, before there are tasks. */
void
mt_frontier_report_any_network (guint                  part,
                                guint                  network,
                                const MtTrainProgress *progress,
                                gpointer               user_data)
{
  MtFrontierTask task = { user_data, part, network + 1 };

  report_train (progress, &task);
}
