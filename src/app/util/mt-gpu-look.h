/* Which GPUs there are, for people, without keeping the window waiting: the driver may take seconds to start. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  GPtrArray *devices;     /* as of mt_backend_list_devices() */
  char      *gpu;         /* the one that training takes, in words; NULL: none */
  char      *reason;      /* why there is none; NULL: there is */
} MtGpuLook;

/* A GPU that sleeps is not woken: nothing else is reported about it then. */
void       mt_gpu_look_async  (GCancellable         *cancellable,
                               GAsyncReadyCallback   callback,
                               gpointer              user_data);
/* NULL: cancelled. */
MtGpuLook *mt_gpu_look_finish (GAsyncResult         *result);
void       mt_gpu_look_free   (MtGpuLook            *look);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtGpuLook, mt_gpu_look_free)

G_END_DECLS
