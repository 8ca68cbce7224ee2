/* Which jobs there are, and running them within the budget. See mt-lab.h.
 *
 * Jobs on small data sets are begun first; then by seed, then in the order of the experiments, then by what they cost:
 * whatever the budget ends, one value of most cells is there before the second of any. Each thread takes the next job and runs it alone, so a job's cells
 * do not depend on the number of threads. */
#include "config.h"
#include "mt-lab-private.h"

#include <errno.h>
#include <string.h>

#define SMALL_ROWS  5000     /* data sets below this have every seed without --full */
#define N_SEEDS     5
/* Jobs are expected to take as long as these do before anything was measured. */
#define FIRST_SPEED 1.0

static const MtLabExperiment experiments[] = {
  { "T1", "Soft top-k against Sinkhorn and perturbed top-k",
    "Soft top-k, optimal transport by Sinkhorn's iterations (200, differentiated through each of them), and perturbed top-k "
    "(32 or 256 samples) choose k of n for 64 score vectors. Ours is on one CPU thread and the paper's on a GPU, so only "
    "ratios and what does not depend on the machine are compared; times are CPU seconds. The paper does not say how it scaled "
    "scores and noise, on which the variances of perturbed top-k depend.",
    mt_lab_list_topk, mt_lab_finish_topk },
  { "T2", "Complexity of a node after minimization",
    "Networks as in the paper (30 nodes, 5 thresholds a column) are trained with every fan-in; each node that is not constant "
    "is minimized by our exact minimizer, with and without don't-cares (combinations that no training row has), with and "
    "without parities. A cell is the mean over data sets and seeds of the mean over the nodes of one network.",
    mt_lab_list_nodes, mt_lab_finish_nodes },
  { "T3", "Two classes: AUC and literals",
    "The paper's protocol: a fifth of the rows is the test; of the rest a fifth validates the grid; the best setting is "
    "trained again on all the rest. Each seed has its own split. “as in the paper” is Minterm's --method paper, “default” is "
    "what Minterm does by itself; the paper's TT-Sparse stands next to both.",
    mt_lab_list_results, mt_lab_finish_results },
  { "T4", "Several classes: AUC and literals", "As T3. A class each against the rest.",
    mt_lab_list_results, mt_lab_finish_results },
  { "T5", "Regression: R² and literals", "As T3.", mt_lab_list_results, mt_lab_finish_results },
  { "T6", "Is a limit on the fan-in needed?",
    "Four ways to few inputs a node, in one reference network on the CPU: soft top-k, fully connected with L0 gates, fully "
    "connected with L1 and pruning, and the largest weights after L1. All share encoding, head, L1 on the head, 20 epochs of tuning with the inputs fixed, "
    "and minimization; there is no pruning beyond what λ does, but in the fifth column: the paper's TT-Sparse is "
    "pruned in rounds after its training, and the round is chosen by the validation rows. Each is trained with every λ; the λ with the best mean "
    "validation score is shown. Where no λ leaves nodes of at most 8 inputs, nothing can be extracted and the cell is empty.",
    mt_lab_list_need, mt_lab_finish_need },
  { "A1", "Thresholds per column", "Method paper, 30 nodes; the pruned model is chosen by the validation rows.",
    mt_lab_list_bits, mt_lab_finish_ablation },
  { "A2", "Fan-in and nodes", "As A1, with 5 thresholds.", mt_lab_list_fan_in, mt_lab_finish_ablation },
  { "A3", "Temperature", "As A1, with 5 thresholds.", mt_lab_list_temperature, mt_lab_finish_ablation },
  { "A4", "Soft top-k against a softmax for each slot",
    "The reference network with λ = 0, both ways. The paper shows a picture without figures.",
    mt_lab_list_slots, mt_lab_finish_pairs },
  { "A5", "With and without the skip connection",
    "The reference network with λ = 0, with and without single columns in its head. The paper shows a picture without "
    "figures.",
    mt_lab_list_skip, mt_lab_finish_pairs },
  { "D", "Deep against standard nodes",
    "One node learns each of the 256 functions of three inputs. Then networks of both kinds, not pruned, on data sets: 20 "
    "nodes, fan-in 4, 5 thresholds. The paper searched over settings; this does not.",
    mt_lab_list_deep, mt_lab_finish_deep },
  { "F1", "Quality against complexity",
    "Every model seen on the way on two data sets and how it does on the test rows; a tree and a linear model; the paper's "
    "figures as hollow marks. With --peers, a second picture has other methods and Minterm, run elsewhere on the same rows.",
    mt_lab_list_scatter, mt_lab_finish_scatter },
  { "F2", "A model of heart disease", "The largest model of at most 15 literals that the default method offers.",
    mt_lab_list_heart, NULL },
  { "F4", "From a node to its formula", "The paper's example: its weights give a table, the table a formula.",
    mt_lab_list_formula, NULL },
  { "P", "Quality against complexity on the other data sets", "As F1, without --full on those below 5,000 rows.",
    mt_lab_list_scatter, mt_lab_finish_scatter },
  { NULL }
};

const MtLabExperiment *
mt_lab_experiments (void)
{
  return experiments;
}

const char * const *
mt_lab_get_experiments (void)
{
  static const char *names[2 * G_N_ELEMENTS (experiments)];

  for (guint i = 0; experiments[i].name != NULL; i++)
    {
      names[2 * i] = experiments[i].name;
      names[2 * i + 1] = experiments[i].title;
    }
  return names;
}

guint
mt_lab_count_seeds (const MtLabContext *context,
                    const MtLabDataset *dataset)
{
  return context->options->is_full || dataset->n_rows < SMALL_ROWS ? N_SEEDS : 1;
}

static void
job_free (gpointer data)
{
  MtLabJob *job = data;

  g_free (job->name);
  g_free (job->failure);
  g_clear_pointer (&job->cells, mt_lab_cells_free);
  g_free (job);
}

MtLabJob *
mt_lab_add_job (MtLabContext          *context,
                const MtLabExperiment *experiment,
                MtLabJobFunc           run,
                MtLabDataset          *dataset,
                const char            *method,
                guint                  seed,
                double                 cost,
                const char            *format,
                ...)
{
  MtLabJob *job = g_new0 (MtLabJob, 1);
  g_autofree char *name = NULL;
  va_list args;

  va_start (args, format);
  name = g_strdup_vprintf (format, args);
  va_end (args);
  job->experiment = experiment;
  job->run = run;
  job->dataset = dataset;
  job->method = method;
  job->seed = seed;
  job->cost = cost;
  job->name = g_strdup_printf ("%s-%s", experiment->name, name);
  g_strcanon (job->name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-._", '_');
  g_ptr_array_add (context->jobs, job);
  return job;
}

static gboolean
is_large (const MtLabJob *job)
{
  return job->dataset != NULL && job->dataset->n_rows >= SMALL_ROWS;
}

static int
compare_jobs (gconstpointer a,
              gconstpointer b)
{
  const MtLabJob *p = *(MtLabJob *const *) a, *q = *(MtLabJob *const *) b;

  if (is_large (p) != is_large (q))
    return is_large (p) ? 1 : -1;
  if (p->seed != q->seed)
    return p->seed < q->seed ? -1 : 1;
  if (p->experiment != q->experiment)
    return p->experiment < q->experiment ? -1 : 1;
  return p->cost < q->cost ? -1 : p->cost > q->cost;
}

/* --- running --- */

typedef struct {
  MtLabContext   *context;
  GPtrArray      *queue;           /* of MtLabJob, those without cells */
  GCancellable   *cancellable;     /* of the caller … */
  GCancellable   *work;            /* … and of the jobs: the budget cancels it as well */
  gint64          began, deadline; /* monotonic; deadline 0: none */
  GMutex          lock;            /* of all below */
  GCond           ended;
  gboolean        is_over;
  double          cost_done, cost_all, seconds_done;
  guint           n_done, n_failed, n_begun;
  guint           n_threads;
  char           *job;
} Work;

static char *
cells_path (const MtLabContext *context,
            const MtLabJob     *job)
{
  g_autofree char *name = g_strconcat (job->name, ".tsv", NULL);

  return g_build_filename (context->options->out, "cells", name, NULL);
}

/* With the lock. */
static void
report (Work *work)
{
  double left = work->cost_all - work->cost_done;
  double speed = work->cost_done > 0 ? work->seconds_done / work->cost_done : FIRST_SPEED;
  MtLabProgress progress = {
    .done = work->cost_all > 0 ? work->cost_done / work->cost_all : 1,
    .seconds_left = left * speed / work->n_threads,
    .n_done = work->n_done, .n_jobs = work->queue->len, .job = work->job,
  };

  if (work->deadline > 0)
    progress.seconds_left = MIN (progress.seconds_left, MAX (work->deadline - g_get_monotonic_time (), 0) / 1e6);
  if (work->context->options->progress != NULL)
    work->context->options->progress (&progress, work->context->options->progress_data);
}

static void
run_job (guint    task,
         guint    worker,
         gpointer data)
{
  Work *work = data;
  MtLabJob *job = work->queue->pdata[task];
  g_autoptr (MtLabCells) cells = mt_lab_cells_new ();
  g_autofree char *path = cells_path (work->context, job);
  g_autoptr (GError) error = NULL;
  gint64 began = g_get_monotonic_time ();
  gboolean ok;

  if (g_cancellable_is_cancelled (work->work))
    return;
  g_mutex_lock (&work->lock);
  g_free (work->job);
  work->job = g_strdup (job->name);
  report (work);
  g_mutex_unlock (&work->lock);

  g_cancellable_push_current (work->work);
  ok = job->run (work->context, job, cells, work->work, &error) && mt_lab_cells_write (cells, path, &error);
  g_cancellable_pop_current (work->work);

  g_mutex_lock (&work->lock);
  if (ok)
    {
      job->cells = g_steal_pointer (&cells);
      work->n_done++;
      work->seconds_done += (g_get_monotonic_time () - began) / 1e6;
      work->cost_done += job->cost;
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && !g_cancellable_is_cancelled (work->work))
    {
      job->failure = g_strdup (error != NULL ? error->message : "no reason given");
      work->n_failed++;
      work->cost_all -= job->cost;
    }
  report (work);
  g_mutex_unlock (&work->lock);
}

/* Cancels the jobs when the budget is used up or the caller cancels. */
static gpointer
watch (gpointer data)
{
  Work *work = data;

  g_mutex_lock (&work->lock);
  while (!work->is_over)
    {
      gint64 now = g_get_monotonic_time (), until = now + G_TIME_SPAN_SECOND / 10;

      if (g_cancellable_is_cancelled (work->cancellable) || (work->deadline > 0 && now >= work->deadline))
        {
          g_cancellable_cancel (work->work);
          break;
        }
      g_cond_wait_until (&work->ended, &work->lock, until);
    }
  g_mutex_unlock (&work->lock);
  return NULL;
}

static void
run_jobs (MtLabContext *context,
          GCancellable *cancellable,
          MtLabSummary *summary)
{
  g_autoptr (MtPool) pool = mt_pool_new (context->options->n_threads);
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();
  g_autoptr (GCancellable) work_cancellable = g_cancellable_new ();
  Work work = { .context = context, .queue = queue, .cancellable = cancellable, .work = work_cancellable,
                .began = g_get_monotonic_time (), .n_threads = mt_pool_get_n_threads (pool) };
  GThread *watcher;

  for (guint i = 0; i < context->jobs->len; i++)
    {
      MtLabJob *job = context->jobs->pdata[i];
      g_autofree char *path = cells_path (context, job);

      job->cells = mt_lab_cells_read (path, NULL);
      summary->n_before += job->cells != NULL;
      if (job->cells != NULL)
        continue;
      g_ptr_array_add (queue, job);
      work.cost_all += job->cost;
    }
  if (context->options->budget > 0)
    work.deadline = work.began + (gint64) (context->options->budget * 1e6);
  g_mutex_init (&work.lock);
  g_cond_init (&work.ended);
  watcher = g_thread_new ("budget", watch, &work);
  mt_pool_run (pool, queue->len, run_job, &work);
  g_mutex_lock (&work.lock);
  work.is_over = TRUE;
  g_cond_signal (&work.ended);
  g_mutex_unlock (&work.lock);
  g_thread_join (watcher);
  summary->n_done = work.n_done;
  summary->n_failed = work.n_failed;
  summary->seconds = (g_get_monotonic_time () - work.began) / 1e6;
  g_free (work.job);
  g_mutex_clear (&work.lock);
  g_cond_clear (&work.ended);
}

static gboolean
check_only (const MtLabOptions  *options,
            GError             **error)
{
  for (guint i = 0; options->only != NULL && options->only[i] != NULL; i++)
    {
      gboolean found = FALSE;

      for (guint e = 0; experiments[e].name != NULL; e++)
        found |= g_str_equal (experiments[e].name, options->only[i]);
      if (!found)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "there is no experiment “%s”", options->only[i]);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
mt_lab_run (const MtLabOptions  *options,
            GCancellable        *cancellable,
            MtLabSummary        *summary,
            GError             **error)
{
  g_autofree char *folder = g_build_filename (options->out, "cells", NULL);
  g_autoptr (GPtrArray) datasets = NULL;
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (job_free);
  MtLabContext context = { options, NULL, jobs };

  memset (summary, 0, sizeof *summary);
  if (!check_only (options, error))
    return FALSE;
  datasets = mt_lab_datasets_read (options->data, error);
  if (datasets == NULL)
    return FALSE;
  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      mt_file_set_error (error, errno, folder, 0);
      return FALSE;
    }
  context.datasets = datasets;
  for (guint e = 0; experiments[e].name != NULL; e++)
    if (options->only == NULL || g_strv_contains (options->only, experiments[e].name))
      experiments[e].list (&context, &experiments[e]);
  g_ptr_array_sort (jobs, compare_jobs);
  summary->n_jobs = jobs->len;
  run_jobs (&context, cancellable, summary);
  return mt_lab_write_pages (&context, summary, error);
}
