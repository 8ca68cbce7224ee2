/* What a run was to compute on, what it computed on, and why that was not the same. A project keeps it as JSON in a
 * text of its own next to the run, which programs that do not know it pass over. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_PROJECT_KEY_DEVICE "device:"   /* MT_PROJECT_STATE, and the run's id */

typedef struct {
  char  *asked;       /* as the settings say it: "auto", "cpu" or "cuda" */
  char  *used;        /* by networks: "cpu" or "cuda" */
  guint  n_threads;   /* of the CPU; 0: not known */
  char  *error;       /* why the one asked for was not used, in the words of then; NULL: it was */
} MtRunDevice;

MtRunDevice *mt_run_device_new       (const char        *asked,
                                      const char        *used,
                                      guint              n_threads,
                                      const char        *error);
MtRunDevice *mt_run_device_copy      (const MtRunDevice *device);   /* NULL: NULL */
void         mt_run_device_free      (MtRunDevice       *device);
char        *mt_run_device_to_json   (const MtRunDevice *device);
/* NULL: it is no such text, or @json is NULL. */
MtRunDevice *mt_run_device_from_json (const char        *json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRunDevice, mt_run_device_free)

G_END_DECLS
