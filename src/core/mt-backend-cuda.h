/* Training on a GPU, through a module that is loaded when it is first asked for. */
#pragma once

#include "mt-backend-private.h"
#include "mt-gpu-api.h"

G_BEGIN_DECLS

extern const MtBackendOps mt_backend_cuda;

/* The module's table, loading it at need; MT_ERROR_DEVICE when there is none or it is another
 * version's. MINTERM_CUDA_MODULE names another file than the installed one. */
const MtGpuApi *mt_backend_cuda_get_api (GError        **error);
/* Adds what there is, or one entry that says why there is nothing; element-type MtBackendDevice. */
void            mt_backend_cuda_list    (GPtrArray      *devices);
/* For tests, while nothing trains: this table instead of a module's; NULL: back to that. */
void            mt_backend_cuda_use     (const MtGpuApi *api);

/* One step on the given rows and its gradient, as mt_backend_cpu_step() and _peek_gradient(). */
gboolean        mt_backend_cuda_read_gradient (gpointer context,
                                               float   *gradient,
                                               GError **error);

G_END_DECLS
