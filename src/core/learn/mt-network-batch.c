/* The networks of one or many frontiers, trained together where a device wants them so. See mt-network-
 * batch.h.
 *
 * A batch is a matrix of trainings, parts × restarts. Part 0 learns from all rows; part 1 +
 * n from the rows outside of fold n. They share the encoded rows: a part is only a list of
 * row numbers. Seeds are those of the options plus the number of the restart, the same in
 * every part, so a network of a batch is what it would be alone. */
#include "config.h"
#include "mt-network-batch.h"

#include "base/mt-error.h"
#include "data/mt-split.h"

/* One network. */
typedef struct {
  MtNetworkBatch     *owner;
  guint           part, network;
  MtTrainOptions  options;
} Member;

struct _MtNetworkBatch {
  guint           n_parts, n_restarts;     /* parts: all rows, and folds */
  guint32        *classes;                 /* NULL: regression */
  MtTrainData    *data;                    /* a part */
  guint32       **rows;                    /* a part */
  Member         *members;                 /* parts × restarts */
  MtTrainJob     *jobs;
  MtNetworkBatchFunc  func;
  gpointer        func_data;
};

/* A training does not know about parts and restarts; the member adds them. */
static void
report (const MtTrainProgress *progress,
        gpointer               user_data)
{
  const Member *member = user_data;

  if (member->owner->func != NULL)
    member->owner->func (member->part, member->network, progress, member->owner->func_data);
}

/* The rows that a part learns from. */
static void
take_part (MtNetworkBatch              *self,
           guint                    part,
           const MtTrainData       *all,
           const guint8            *fold_of,
           const MtFrontierOptions *options)
{
  gsize n_rows = mt_encoded_get_n_rows (all->encoded);
  MtTrainData *data = &self->data[part];

  *data = *all;
  if (part == 0)
    return;
  fold_of += (gsize) ((part - 1) / options->n_folds) * n_rows;
  data->rows = self->rows[part] = g_new (guint32, MAX (n_rows, 1));
  for (gsize r = 0; r < n_rows; r++)
    if (mt_split_is_learned (fold_of[r], (part - 1) % options->n_folds, options->n_folds))
      self->rows[part][data->n_rows++] = (guint32) r;
}

MtNetworkBatch *
mt_network_batch_new (const MtEncoded         *encoded,
                      const double            *target,
                      MtTask                   task,
                      guint                    n_outputs,
                      const guint8            *fold_of,
                      const MtFrontierOptions *options)
{
  MtNetworkBatch *self = g_new0 (MtNetworkBatch, 1);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  MtTrainData all = { encoded, task, 0, NULL, target };

  self->n_parts = options->n_folds * MAX (options->n_repeats, 1) + 1;
  self->n_restarts = options->n_restarts;
  self->data = g_new0 (MtTrainData, self->n_parts);
  self->rows = g_new0 (guint32 *, self->n_parts);
  self->members = g_new0 (Member, (gsize) self->n_parts * self->n_restarts);
  self->jobs = g_new0 (MtTrainJob, (gsize) self->n_parts * self->n_restarts);
  if (task != MT_TASK_REGRESSION)
    {
      self->classes = g_new (guint32, MAX (n_rows, 1));
      for (gsize r = 0; r < n_rows; r++)
        self->classes[r] = (guint32) target[r];
      all.n_classes = task == MT_TASK_BINARY ? 2 : n_outputs;
      all.classes = self->classes;
      all.values = NULL;
    }
  for (guint part = 0; part < self->n_parts; part++)
    {
      take_part (self, part, &all, fold_of, options);
      for (guint i = 0; i < self->n_restarts; i++)
        {
          guint at = part * self->n_restarts + i;
          Member *member = &self->members[at];

          *member = (Member) { self, part, i, options->train };
          if (options->method == MT_METHOD_MAGNITUDE)
            member->options.head = MT_LINEAR_FIT_LEVELS;      /* the paper's unary terms */
          member->options.n_threads = 1;
          member->options.directions = options->refine.directions;
          member->options.numeric_directions = options->refine.numeric_directions;
          member->options.no_negation = options->refine.no_negation;
          member->options.fan_in = MIN (options->refine.fan_in, mt_encoded_get_n_literals (encoded));
          member->options.seed = options->seed + i;
          self->jobs[at] = (MtTrainJob) { .data = &self->data[part], .options = &member->options,
                                          .progress = report, .progress_data = member };
        }
    }
  return self;
}

void
mt_network_batch_free (MtNetworkBatch *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < mt_network_batch_get_n (self); i++)
    {
      mt_train_result_free (self->jobs[i].result);
      g_clear_error (&self->jobs[i].error);
    }
  for (guint part = 0; part < self->n_parts; part++)
    g_free (self->rows[part]);
  g_free (self->rows);
  g_free (self->data);
  g_free (self->members);
  g_free (self->jobs);
  g_free (self->classes);
  g_free (self);
}

guint
mt_network_batch_get_n (const MtNetworkBatch *self)
{
  return self->n_parts * self->n_restarts;
}

void
mt_network_batch_watch (MtNetworkBatch     *self,
                        MtNetworkBatchFunc  func,
                        gpointer        user_data)
{
  self->func = func;
  self->func_data = user_data;
}

void
mt_network_batch_set_cancellable (MtNetworkBatch   *self,
                                  GCancellable *cancellable)
{
  for (guint i = 0; i < mt_network_batch_get_n (self); i++)
    self->jobs[i].cancellable = cancellable;
}

/* Joins the jobs of all batches in one array, so that a device can take as many as fit, and
 * gives each batch its results back. */
void
mt_network_batch_train (MtNetworkBatch  **networks,
                        guint         n_networks,
                        GCancellable *cancellable)
{
  g_autoptr (GArray) jobs = g_array_new (FALSE, FALSE, sizeof (MtTrainJob));
  guint at = 0;

  for (guint i = 0; i < n_networks; i++)
    g_array_append_vals (jobs, networks[i]->jobs, mt_network_batch_get_n (networks[i]));
  /* The classes of frontiers over the same rows are the same, and the device need hold them but once. */
  for (guint i = 1; i < n_networks; i++)
    if (networks[i]->data[0].encoded == networks[0]->data[0].encoded && networks[i]->classes != NULL)
      for (guint part = 0; part < networks[i]->n_parts; part++)
        networks[i]->data[part].classes = networks[0]->classes;
  mt_train_run_many ((MtTrainJob *) (gpointer) jobs->data, jobs->len, cancellable);
  for (guint i = 0; i < n_networks; i++)
    for (guint j = 0; j < mt_network_batch_get_n (networks[i]); j++)
      networks[i]->jobs[j] = g_array_index (jobs, MtTrainJob, at++);
}

/* The result goes to the caller, once. No result and no error means that the training was
 * cancelled before it began. */
MtTrainResult *
mt_network_batch_take (MtNetworkBatch  *self,
                       guint        part,
                       guint        network,
                       GError     **error)
{
  MtTrainJob *job = &self->jobs[part * self->n_restarts + network];

  if (job->error != NULL)
    {
      g_propagate_error (error, g_error_copy (job->error));
      return NULL;
    }
  if (job->result == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
      return NULL;
    }
  return g_steal_pointer (&job->result);
}
