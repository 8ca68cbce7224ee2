/* What the system has to do with a GPU: whether it sleeps, and where the driver keeps kernels that it has translated. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TRUE: at least one NVIDIA GPU is there, and all of them sleep, as those of laptops do while they are not used: asking the
 * driver for devices would wake one, which takes a second and power. FALSE where the system does not tell. @folder: NULL
 * for /sys/bus/pci/devices. */
gboolean mt_gpu_sleeps        (const char *folder);
/* At the start of a program, before there are threads. In a sandbox the driver's usual folder cannot be written, and
 * kernels would be translated again at every start: it is set to use the folder for caches. @mark: a file that is there
 * in a sandbox only; NULL for that of Flatpak. */
void     mt_gpu_prepare_cache (const char *mark);

G_END_DECLS
