/* The GPU behind core's backend interface: the module, its devices, statuses to errors.
 *
 * The module is a file of its own and needs nothing from this program, so a machine without it,
 * without a driver or without a device runs everything else unchanged.
 *
 * The module is opened at the first need, from the place that MINTERM_CUDA_MODULE names, next to a
 * program that was only built, or from the installed folder. From then on it stays. Opening it does
 * not touch a device; finding devices asks the driver; only a training, a scan, or a list that asks
 * for it opens one. */
#include "config.h"
#include "mt-backend-cuda.h"

#include <gmodule.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define MODULE_NAME "minterm-cuda.so"

/* --- the module --- */

static GMutex module_lock;
static const MtGpuApi *module_api;
static const MtGpuApi *test_api;

/* A program that was built and not installed finds the module that was built with it: their folders stand side by side. */
static char *
dup_built_path (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "..", "gpu", MODULE_NAME, NULL) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

/* What MINTERM_CUDA_MODULE says; else the module that was built with this program; else the installed one. */
static char *
dup_module_path (void)
{
  const char *asked = g_getenv ("MINTERM_CUDA_MODULE");
  char *path = asked != NULL ? g_strdup (asked) : dup_built_path ();

  return path != NULL ? path : g_build_filename (MT_PKGLIBDIR, MODULE_NAME, NULL);
}

/* The module gives its functions only for the version of the interface that it was built with, so a module of
 * another version of this program is an error and not a crash. */
static const MtGpuApi *
load_module (GError **error)
{
  g_autofree char *path = dup_module_path ();
  GModule *module;
  gpointer get = NULL;
  const MtGpuApi *api;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   _("this version of Minterm does not include GPU support; use the CPU"));
      return NULL;
    }
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (module == NULL || !g_module_symbol (module, "mt_gpu_module_get", &get) || get == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, _("the CUDA module cannot be loaded: %s; use the CPU"),
                   g_module_error ());
      if (module != NULL)
        g_module_close (module);
      return NULL;
    }
  api = ((MtGpuModuleGet) get) (MT_GPU_API_VERSION);
  if (api == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   _("the CUDA module %s belongs to another version of this program; use the CPU"), path);
      g_module_close (module);
      return NULL;
    }
  /* A CUDA runtime that was begun is not to be unloaded. */
  g_module_make_resident (module);
  return api;
}

/* Loads the module at most once. A failure is not remembered: it is looked for again, so a test may put it there. */
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

/* No lock is held while a table is used, hence "while nothing trains". */
void
mt_backend_cuda_use (const MtGpuApi *api)
{
  g_mutex_lock (&module_lock);
  test_api = api;
  g_mutex_unlock (&module_lock);
}

/* --- statuses --- */

/* The module knows no GError: statuses become errors here, each with what the user can do. */
gboolean
mt_backend_cuda_check (MtGpuStatus         status,
                       const MtGpuFailure *failure,
                       GError            **error)
{
  switch (status)
    {
    case MT_GPU_OK:
      return TRUE;
    case MT_GPU_NO_DRIVER:
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, _("no NVIDIA driver is installed; use the CPU"));
      return FALSE;
    case MT_GPU_OLD_DRIVER:
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   _("the NVIDIA driver supports CUDA %d.%d, but the CUDA module requires %d.%d: install a "
                     "newer driver, or use the CPU"), failure->driver / 1000, failure->driver % 1000 / 10,
                   /* any of a major version will do, but for translating kernels */
                   failure->runtime / 1000,
                   failure->driver / 1000 < failure->runtime / 1000 ? 0 : failure->runtime % 1000 / 10);
      return FALSE;
    case MT_GPU_NO_DEVICE:
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, _("the NVIDIA driver found no device (%s); use the CPU"),
                   failure->message);
      return FALSE;
    case MT_GPU_OUT_OF_MEMORY:
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   _("the GPU does not have enough free memory for this training (%s); use the CPU"),
                   failure->message);
      return FALSE;
    case MT_GPU_LOST:
    default:
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   _("the GPU failed (%s); continue on the CPU"), failure->message);
      return FALSE;
    }
}

/* All devices that the driver knows. @found has room for MT_GPU_MAX_DEVICES; *n_devices may be
 * larger, then the others are not described. */
static gboolean
find_devices (MtGpuDevice *found,
              int         *n_devices,
              GError     **error)
{
  const MtGpuApi *api = mt_backend_cuda_get_api (error);
  MtGpuFailure failure;

  return api != NULL && mt_backend_cuda_check (api->probe (found, n_devices, &failure), &failure, error);
}

/* Why the device cannot be used, as far as is known without opening it; NULL: it is. */
static char *
dup_reason (const MtGpuDevice *device)
{
  if (device->reason[0] != '\0')
    return g_strndup (device->reason, sizeof device->reason);
  if (device->too_old)
    return g_strdup_printf (_("its compute capability is %d.%d, but the CUDA module requires %d.%d"), device->major,
                            device->minor, device->least / 10, device->least % 10);
  return NULL;
}

/* The fastest of those that can be used; but one that others have filled, so that another has more than twice as much
 * free memory, is left to them. A value that the driver does not give counts as empty. G_MAXUINT: none can be used. */
static guint
find_best (const MtGpuDevice *found,
           guint              n_devices)
{
  guint64 most = 0;
  guint best = G_MAXUINT;

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n_devices; i++)
      {
        g_autofree char *reason = dup_reason (&found[i]);
        guint64 memory = found[i].free > 0 ? found[i].free : found[i].memory;

        if (reason != NULL)
          continue;
        if (pass == 0)
          most = MAX (most, memory);
        else if (memory >= most / 2 && (best == G_MAXUINT || found[i].speed > found[best].speed))
          best = i;
      }
  return best;
}

/* If none can be used, the reason of the first one is the error. */
gboolean
mt_backend_cuda_choose (guint32      *index,
                        MtGpuDevice  *chosen,
                        GError      **error)
{
  MtGpuDevice found[MT_GPU_MAX_DEVICES];
  g_autofree char *reason = NULL;
  int n_devices;
  guint best;

  if (!find_devices (found, &n_devices, error))
    return FALSE;
  best = find_best (found, (guint) MIN (n_devices, MT_GPU_MAX_DEVICES));
  if (best != G_MAXUINT)
    {
      *index = best;
      if (chosen != NULL)
        *chosen = found[best];
      return TRUE;
    }
  reason = dup_reason (&found[0]);
  g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, _("%s cannot be used: %s; use the CPU"),
               found[0].name[0] != '\0' ? found[0].name : "CUDA", reason);
  return FALSE;
}

char *
mt_backend_cuda_dup_about (GError **error)
{
  MtGpuDevice chosen;
  g_autofree char *memory = NULL;
  guint32 index;

  if (!mt_backend_cuda_choose (&index, &chosen, error))
    return NULL;
  memory = g_format_size (chosen.memory);
  /* Translators: a graphics card: its name, its "compute capability" (a version), its memory */
  return g_strdup_printf (_("%s, compute capability %d.%d, %s"), chosen.name, chosen.major, chosen.minor, memory);
}

static gboolean
cuda_probe (GError **error)
{
  guint32 index;

  return mt_backend_cuda_choose (&index, NULL, error);
}

/* Opens it: NULL, or why it is of no use after all. */
static char *
examine (guint32      index,
         MtGpuDevice *found)
{
  const MtGpuApi *api = mt_backend_cuda_get_api (NULL);
  g_autoptr (GError) error = NULL;
  MtGpuFailure failure;

  if (mt_backend_cuda_check (api->examine (index, found, &failure), &failure, &error))
    return NULL;
  return g_strdup (error->message);
}

/* One entry for each device, or one that says why there is none, so that a list is never just "cpu"
 * without a reason. Only the device that training takes is opened, because opening takes memory on it. */
void
mt_backend_cuda_list (GPtrArray *devices,
                      gboolean   opens)
{
  MtGpuDevice found[MT_GPU_MAX_DEVICES];
  g_autoptr (GError) error = NULL;
  guint best;
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
  best = find_best (found, (guint) MIN (n_devices, MT_GPU_MAX_DEVICES));
  for (int i = 0; i < MIN (n_devices, MT_GPU_MAX_DEVICES); i++)
    {
      MtBackendDevice *device = g_new0 (MtBackendDevice, 1);

      device->reason = dup_reason (&found[i]);
      if (device->reason == NULL && (guint) i != best)
        device->reason = g_strdup (_("training uses a device that is faster or has more free memory"));
      else if (device->reason == NULL && opens)
        device->reason = examine ((guint32) i, &found[i]);
      device->id = i == 0 ? g_strdup ("cuda") : g_strdup_printf ("cuda:%d", i);
      device->name = found[i].name[0] != '\0' ? g_strndup (found[i].name, sizeof found[i].name) : g_strdup ("CUDA");
      device->n_processors = (guint) found[i].n_processors;
      device->capability = g_strdup_printf ("%d.%d", found[i].major, found[i].minor);
      device->memory = found[i].memory;
      device->free_memory = found[i].free;
      g_ptr_array_add (devices, device);
    }
}

/* The GPU has kernels for the soft choice only; other operators of MtTopkOps run on the CPU. */
static gboolean
cuda_supports (const MtBackendJob *job,
               GError            **error)
{
  if (job->topk != &mt_topk_soft)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the GPU supports only the soft choice of inputs, not “%s”"),
                   job->topk->name);
      return FALSE;
    }
  if (mt_encoded_get_n_groups (job->encoded) == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the GPU needs at least one condition"));
      return FALSE;
    }
  return TRUE;
}

const MtBackendOps mt_backend_cuda = {
  .name = "cuda",
  .probe = cuda_probe,
  .supports = cuda_supports,
  .many = &mt_backend_cuda_many,
};
