/* Reads what Linux tells of PCI devices without touching them: vendor, class, and whether they are suspended. Sets the
 * variable of the environment by which the driver finds its cache. */
#include "config.h"
#include "mt-gpu-system.h"

#include <string.h>

#define NVIDIA  "0x10de"
#define DISPLAY "0x03"      /* the first digits of the class: VGA, 3D, and other display controllers */

/* The first line of the file, or "". */
static char *
dup_line (const char *folder,
          const char *device,
          const char *name)
{
  g_autofree char *path = g_build_filename (folder, device, name, NULL);
  char *line = NULL;

  if (!g_file_get_contents (path, &line, NULL, NULL))
    return g_strdup ("");
  return g_strchomp (line);
}

gboolean
mt_gpu_sleeps (const char *folder)
{
  g_autoptr (GDir) dir = NULL;
  guint n_asleep = 0, n_awake = 0;
  const char *device;

  folder = folder != NULL ? folder : "/sys/bus/pci/devices";
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (device = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *vendor = dup_line (folder, device, "vendor");
      g_autofree char *class = dup_line (folder, device, "class");
      g_autofree char *status = dup_line (folder, device, "power/runtime_status");

      if (!g_str_equal (vendor, NVIDIA) || !g_str_has_prefix (class, DISPLAY))
        continue;
      if (g_str_equal (status, "suspended"))
        n_asleep++;
      else
        n_awake++;
    }
  return n_asleep > 0 && n_awake == 0;
}

void
mt_gpu_prepare_cache (const char *mark)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "minterm", "cuda", NULL);

  if (g_file_test (mark != NULL ? mark : "/.flatpak-info", G_FILE_TEST_EXISTS))
    g_setenv ("CUDA_CACHE_PATH", folder, FALSE);
}
