/* Where training runs. See mt-backend.h. */
#include "config.h"
#include "mt-backend-private.h"

#include <unistd.h>

#include "mt-backend-cuda.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"

static GMutex registry_lock;
static const MtBackendOps *registered;     /* at most one in addition to the CPU */

/* A backend in addition to the CPU and CUDA, for tests and modules: the last one that was registered
 * counts. */
void
mt_backend_register (const MtBackendOps *ops)
{
  g_mutex_lock (&registry_lock);
  registered = ops;
  g_mutex_unlock (&registry_lock);
}

/* From the word of the setting to a backend. "auto" prefers a registered backend that can be used
 * here, and otherwise takes the CPU, never CUDA. A device that was asked for by name and cannot be
 * used is an error, not a silent change to the CPU. */
const MtBackendOps *
mt_backend_find (const char *device,
                 GError    **error)
{
  const MtBackendOps *other;

  g_mutex_lock (&registry_lock);
  other = registered;
  g_mutex_unlock (&registry_lock);

  if (device == NULL || g_str_equal (device, "auto"))
    return other != NULL && other->probe (NULL) ? other : &mt_backend_cpu;
  if (g_str_equal (device, "cpu"))
    return &mt_backend_cpu;
  if (other != NULL && g_str_equal (device, other->name))
    return other->probe (error) ? other : NULL;
  /* Only on request, never by "auto": a single small net is faster on the CPU, and no device was at
   * hand to measure where that ends. */
  if (g_str_equal (device, "cuda"))
    return mt_backend_cuda.probe (error) ? &mt_backend_cuda : NULL;
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("device must be auto, cpu, or cuda, not “%s”"), device);
  return NULL;
}

char *
mt_backend_dup_name (const char *device,
                     GError    **error)
{
  const MtBackendOps *ops = mt_backend_find (device, error);

  if (ops == NULL)
    return NULL;
  return ops == &mt_backend_cpu ? g_strdup_printf ("cpu (%s)", mt_kernels_get ()->name)
                                : g_strdup (ops->name);
}

char *
mt_backend_dup_about (const char *device,
                      GError    **error)
{
  const MtBackendOps *ops = mt_backend_find (device, error);

  if (ops == NULL)
    return NULL;
  return ops == &mt_backend_cuda ? mt_backend_cuda_dup_about (error) : mt_backend_dup_name (device, error);
}

static void
device_free (MtBackendDevice *device)
{
  if (device == NULL)
    return;
  g_free (device->id);
  g_free (device->name);
  g_free (device->reason);
  g_free (device->capability);
  g_free (device);
}

/* Of so many pages; 0 where the system does not say. */
static guint64
count_bytes (int name)
{
  long n_pages = sysconf (name), size = sysconf (_SC_PAGESIZE);

  return n_pages > 0 && size > 0 ? (guint64) n_pages * (guint64) size : 0;
}

/* Free memory is asked of the system at this moment; it is not kept. */
GPtrArray *
mt_backend_list_devices (gboolean opens)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func ((GDestroyNotify) device_free);
  MtBackendDevice *cpu = g_new0 (MtBackendDevice, 1);

  cpu->id = g_strdup ("cpu");
  cpu->name = mt_backend_dup_name ("cpu", NULL);
  cpu->n_processors = g_get_num_processors ();
  cpu->memory = count_bytes (_SC_PHYS_PAGES);
  cpu->free_memory = MIN (count_bytes (_SC_AVPHYS_PAGES), cpu->memory);
  g_ptr_array_add (devices, cpu);
  mt_backend_cuda_list (devices, opens);
  return devices;
}
