/* Where training runs. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @device: "auto", "cpu" or "cuda". The backend's own name, "cpu (avx512)" say; or NULL with
 * MT_ERROR_DEVICE when the device cannot be used here, MT_ERROR_PARAMS for another word. */
char *mt_backend_dup_name (const char *device,
                           GError    **error);

/* The same for people: which GPU it is, and how large. */
char *mt_backend_dup_about (const char *device,
                            GError    **error);

typedef struct {
  char    *id;               /* "cpu", "cuda", "cuda:1" */
  char    *name;
  char    *reason;           /* why it cannot be used; NULL: it can */
  guint    n_processors;     /* threads of the CPU, multiprocessors of a GPU */
  char    *capability;       /* of a GPU, "8.6"; else NULL */
  guint64  memory, free_memory;   /* bytes; 0: not known */
} MtBackendDevice;

/* The CPU, then what CUDA has or why it has nothing: at least two. Training takes the GPU that has no reason
 * against it. @opens: the one that it takes is opened, too (some tenths of a second, and hundreds of megabytes of it
 * until the process ends), which tells whether kernels load there and how much memory is free. */
GPtrArray *mt_backend_list_devices (gboolean opens);

G_END_DECLS
