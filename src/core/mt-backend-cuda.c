/* The GPU behind core's backend interface: jobs to plain types, statuses to errors.
 *
 * The module is a file of its own and needs nothing from this program, so a machine without it,
 * without a driver or without a device runs everything else unchanged. Steps are handed over a few
 * at a time, so that a cancelled training ends soon: the device is waited for every WAIT_ROWS rows. */
#include "config.h"
#include "mt-backend-cuda.h"

#include <gmodule.h>
#include <math.h>

#include "mt-backend-rows.h"
#include "mt-error.h"

#define MODULE_NAME "minterm-cuda.so"
#define WAIT_ROWS   (1 << 20)

typedef struct {
  const MtGpuApi *api;
  MtGpu          *gpu;
  gsize           n_valid;
  guint           batch;
} MtCuda;

/* --- the module --- */

static GMutex module_lock;
static const MtGpuApi *module_api;
static const MtGpuApi *test_api;

static const MtGpuApi *
load_module (GError **error)
{
  const char *asked = g_getenv ("MINTERM_CUDA_MODULE");
  g_autofree char *path = asked != NULL ? g_strdup (asked) : g_build_filename (MT_PKGLIBDIR, MODULE_NAME, NULL);
  GModule *module;
  gpointer get = NULL;
  const MtGpuApi *api;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   "this program was built or installed without its CUDA module; use the CPU");
      return NULL;
    }
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (module == NULL || !g_module_symbol (module, "mt_gpu_module_get", &get) || get == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, "the CUDA module cannot be loaded: %s; use the CPU",
                   g_module_error ());
      if (module != NULL)
        g_module_close (module);
      return NULL;
    }
  api = ((MtGpuModuleGet) get) (MT_GPU_API_VERSION);
  if (api == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   "the CUDA module %s belongs to another version of this program; use the CPU", path);
      g_module_close (module);
      return NULL;
    }
  /* A CUDA runtime that was begun is not to be unloaded. */
  g_module_make_resident (module);
  return api;
}

const MtGpuApi *
mt_backend_cuda_get_api (GError **error)
{
  const MtGpuApi *api;

  g_mutex_lock (&module_lock);
  if (test_api == NULL && module_api == NULL)
    module_api = load_module (error);
  api = test_api != NULL ? test_api : module_api;
  g_mutex_unlock (&module_lock);
  return api;
}

void
mt_backend_cuda_use (const MtGpuApi *api)
{
  g_mutex_lock (&module_lock);
  test_api = api;
  g_mutex_unlock (&module_lock);
}

/* --- statuses --- */

static gboolean
check (MtGpuStatus         status,
       const MtGpuFailure *failure,
       GError            **error)
{
  switch (status)
    {
    case MT_GPU_OK:
      return TRUE;
    case MT_GPU_NUMERIC:
      g_set_error (error, MT_ERROR, MT_ERROR_NUMERIC,
                   "the loss stopped being a finite number at step %s"
                   "; a smaller learning rate or a look at very large values may help", failure->message);
      return FALSE;
    case MT_GPU_NO_DRIVER:
    case MT_GPU_OLD_DRIVER:
    case MT_GPU_NO_DEVICE:
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, "%s; use the CPU", failure->message);
      return FALSE;
    case MT_GPU_OUT_OF_MEMORY:
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   "the GPU has too little free memory for this training (%s); the CPU can do it",
                   failure->message);
      return FALSE;
    case MT_GPU_LOST:
    default:
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   "the GPU failed (%s); the CPU can go on from the last complete epoch", failure->message);
      return FALSE;
    }
}

/* found: MT_GPU_MAX_DEVICES. */
static gboolean
find_devices (MtGpuDevice *found,
              int         *n_devices,
              GError     **error)
{
  const MtGpuApi *api = mt_backend_cuda_get_api (error);
  MtGpuFailure failure;

  return api != NULL && check (api->probe (found, n_devices, &failure), &failure, error);
}

static gboolean
cuda_probe (GError **error)
{
  MtGpuDevice found[MT_GPU_MAX_DEVICES];
  int n_devices;

  return find_devices (found, &n_devices, error);
}

void
mt_backend_cuda_list (GPtrArray *devices)
{
  MtGpuDevice found[MT_GPU_MAX_DEVICES];
  g_autoptr (GError) error = NULL;
  int n_devices = 0;

  if (!find_devices (found, &n_devices, &error))
    {
      MtBackendDevice *none = g_new0 (MtBackendDevice, 1);

      none->id = g_strdup ("cuda");
      none->name = g_strdup ("CUDA");
      none->reason = g_strdup (error->message);
      g_ptr_array_add (devices, none);
      return;
    }
  for (int i = 0; i < MIN (n_devices, MT_GPU_MAX_DEVICES); i++)
    {
      MtBackendDevice *device = g_new0 (MtBackendDevice, 1);

      device->id = i == 0 ? g_strdup ("cuda") : g_strdup_printf ("cuda:%d", i);
      device->name = g_strndup (found[i].name, sizeof found[i].name);
      device->reason = i == 0 ? NULL : g_strdup ("training takes the first device");
      device->n_processors = (guint) found[i].n_processors;
      device->capability = g_strdup_printf ("%d.%d", found[i].major, found[i].minor);
      device->memory = found[i].memory;
      device->free_memory = found[i].free;
      g_ptr_array_add (devices, device);
    }
}

static gboolean
cuda_supports (const MtBackendJob *job,
               GError            **error)
{
  if (job->topk != &mt_topk_soft)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the GPU has only the soft choice of inputs, not '%s'",
                   job->topk->name);
      return FALSE;
    }
  if (mt_encoded_get_n_groups (job->encoded) == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the GPU needs at least one column of literals");
      return FALSE;
    }
  return TRUE;
}

/* --- opening --- */

static MtGpuShape
make_shape (const MtBackendJob *job)
{
  const MtNetLayout *layout = &job->net->layout;
  const MtNetShape *shape = &job->net->shape;

  return (MtGpuShape) {
    .task = shape->task == MT_TASK_BINARY ? MT_GPU_BINARY
            : shape->task == MT_TASK_MULTICLASS ? MT_GPU_MULTICLASS : MT_GPU_REGRESSION,
    .n_literals = shape->n_literals, .n_numeric = shape->n_numeric, .n_outputs = shape->n_outputs,
    .n_nodes = shape->n_nodes, .fan_in = shape->fan_in,
    .n_groups = mt_encoded_get_n_groups (job->encoded),
    .code_stride = (guint32) mt_pad16 (mt_encoded_get_n_groups (job->encoded)),
    .numeric_stride = (guint32) layout->n_numeric8,
    .n_blocks = layout->n_blocks, .n_nodes16 = (guint32) layout->n_nodes16,
    .n_literals16 = (guint32) layout->n_literals16, .n_numeric16 = (guint32) layout->n_numeric16,
    .n_hidden = (guint32) layout->n_hidden, .batch = job->batch,
    .map = layout->map, .ltt = layout->ltt, .bias = layout->bias, .rule = layout->rule,
    .literal = layout->literal, .numeric = layout->numeric, .head_bias = layout->head_bias,
    .hidden = layout->hidden, .hidden_bias = layout->hidden_bias, .hidden_out = layout->hidden_out,
    .n_params = layout->n_params, .block_size = layout->block_size,
    .tau = job->net->temperature,
    .inv_tau = job->divide_by_tau ? (float) (1.0 / job->net->temperature) : 1.0f,
    .weight_decay = job->weight_decay, .clip = job->clip,
  };
}

/* The groups with the place of their head weights by code. */
static MtGpuGroup *
make_groups (const MtBackendJob *job,
             guint32            *n_code_entries)
{
  guint n_groups = mt_encoded_get_n_groups (job->encoded);
  const MtGroup *from = mt_encoded_get_groups (job->encoded);
  MtGpuGroup *groups = g_new (MtGpuGroup, n_groups);

  *n_code_entries = 0;
  for (guint g = 0; g < n_groups; g++)
    {
      gboolean in_head = FALSE;

      for (guint i = 0; i < from[g].n_literals; i++)
        in_head = in_head || job->net->in_head[from[g].first_literal + i];
      groups[g] = (MtGpuGroup) { from[g].first_literal, from[g].n_literals, mt_group_get_n_thresholds (&from[g]),
                                 in_head ? *n_code_entries : MT_GPU_NONE };
      if (in_head)
        *n_code_entries += mt_group_get_n_codes (&from[g]);
    }
  return groups;
}

static gpointer
cuda_open (const MtBackendJob *job,
           GError            **error)
{
  const MtGpuApi *api = mt_backend_cuda_get_api (error);
  MtBackendRows train, valid;
  g_autofree MtGpuGroup *groups = NULL;
  MtGpuJob to = { .shape = make_shape (job) };
  MtGpuFailure failure;
  MtGpu *gpu = NULL;
  gboolean ok;
  MtCuda *self;

  if (api == NULL)
    return NULL;
  mt_backend_rows_init (&train, job, job->train_rows, job->n_train, to.shape.code_stride);
  mt_backend_rows_init (&valid, job, job->valid_rows, job->n_valid, to.shape.code_stride);
  groups = make_groups (job, &to.shape.n_code_entries);
  to.groups = groups;
  to.in_head = job->net->in_head;
  to.class_weights = job->class_weights;
  to.n_classes = to.shape.task == MT_GPU_MULTICLASS ? to.shape.n_outputs : 2;
  to.train = (MtGpuRows) { train.n_rows, train.codes, train.numeric, train.y };
  to.valid = (MtGpuRows) { valid.n_rows, valid.codes, valid.numeric, valid.y };
  to.params = job->net->params;
  ok = check (api->open (&to, &gpu, &failure), &failure, error);
  mt_backend_rows_clear (&train);
  mt_backend_rows_clear (&valid);
  if (!ok)
    return NULL;
  self = g_new0 (MtCuda, 1);
  *self = (MtCuda) { api, gpu, job->n_valid, job->batch };
  return self;
}

static void
cuda_close (gpointer context)
{
  MtCuda *self = context;

  self->api->close (self->gpu);
  g_free (self);
}

/* --- running --- */

static gboolean
cuda_run_epoch (gpointer       context,
                const guint32 *order,
                gsize          n_rows,
                double         learning_rate,
                GCancellable  *cancellable,
                MtEpochStats  *stats,
                GError       **error)
{
  MtCuda *self = context;
  gsize n_steps = (n_rows + self->batch - 1) / self->batch;
  guint at_once = MAX (WAIT_ROWS / self->batch, 1);
  MtGpuEpoch epoch = { 0 };
  MtGpuFailure failure;

  *stats = (MtEpochStats) { 0 };
  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      !check (self->api->begin_epoch (self->gpu, order, n_rows, learning_rate, &failure), &failure, error))
    return FALSE;
  for (gsize first = 0; first < n_steps; first += at_once)
    if (!check (self->api->run_steps (self->gpu, (guint32) MIN (at_once, n_steps - first), &failure), &failure,
                error) ||
        !check (self->api->wait (self->gpu, &failure), &failure, error) ||
        g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;
  if (!check (self->api->end_epoch (self->gpu, &epoch, &failure), &failure, error))
    return FALSE;
  stats->n_rows = epoch.n_rows;
  stats->n_steps = (guint) epoch.n_steps;
  stats->loss = epoch.n_rows > 0 ? epoch.loss / (double) epoch.n_rows : 0.0;
  return TRUE;
}

static gboolean
cuda_evaluate (gpointer      context,
               GCancellable *cancellable,
               double       *loss,
               float        *scores,
               GError      **error)
{
  MtCuda *self = context;
  MtGpuFailure failure;

  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      !check (self->api->evaluate (self->gpu, loss, scores, &failure), &failure, error))
    return FALSE;
  *loss = self->n_valid > 0 ? *loss / (double) self->n_valid : 0.0;
  return TRUE;
}

static gboolean
cuda_read (gpointer    context,
           MtNetState *state,
           GError    **error)
{
  MtCuda *self = context;
  MtGpuFailure failure;
  uint64_t n_steps = 0;
  gboolean ok = check (self->api->read (self->gpu, state->params, state->mean, state->square, &n_steps, &failure),
                       &failure, error);

  state->n_steps = n_steps;
  return ok;
}

static gboolean
cuda_write (gpointer          context,
            const MtNetState *state,
            GError          **error)
{
  MtCuda *self = context;
  MtGpuFailure failure;

  return check (self->api->write (self->gpu, state->params, state->mean, state->square, state->n_steps, &failure),
                &failure, error);
}

gboolean
mt_backend_cuda_read_gradient (gpointer context,
                               float   *gradient,
                               GError **error)
{
  MtCuda *self = context;
  MtGpuFailure failure;

  return check (self->api->read_gradient (self->gpu, gradient, &failure), &failure, error);
}

const MtBackendOps mt_backend_cuda = {
  .name = "cuda",
  .probe = cuda_probe,
  .supports = cuda_supports,
  .open = cuda_open,
  .run_epoch = cuda_run_epoch,
  .evaluate = cuda_evaluate,
  .read = cuda_read,
  .write = cuda_write,
  .close = cuda_close,
};
