/* Training on a GPU, through a module that is loaded when it is first asked for. */
#pragma once

#include "mt-backend-private.h"
#include "mt-gpu-api.h"

G_BEGIN_DECLS

extern const MtBackendOps mt_backend_cuda;
extern const MtManyOps    mt_backend_cuda_many;

/* The module's table, loading it at need; MT_ERROR_DEVICE when there is none or it is another
 * version's. MINTERM_CUDA_MODULE names another file than the installed one. */
const MtGpuApi *mt_backend_cuda_get_api (GError        **error);
/* Adds what there is, or one entry that says why there is nothing; element-type MtBackendDevice. */
void            mt_backend_cuda_list    (GPtrArray      *devices,
                                         gboolean        opens);
/* Which device training takes, as far as is known without opening it. */
gboolean        mt_backend_cuda_choose  (guint32        *index,
                                         MtGpuDevice    *chosen,
                                         GError        **error);
char           *mt_backend_cuda_dup_about (GError      **error);
/* For tests, while nothing trains: this table instead of a module's; NULL: back to that. */
void            mt_backend_cuda_use     (const MtGpuApi *api);

/* How much of a training a lost device may take with it; 0: not more than an epoch. */
void            mt_backend_cuda_set_state_seconds (double seconds);

/* FALSE with MT_ERROR_DEVICE unless all went well. */
gboolean        mt_backend_cuda_check   (MtGpuStatus         status,
                                         const MtGpuFailure *failure,
                                         GError            **error);
/* Sums of @r and @h, a row each, over the rows where two literals are both true: literals × literals, the
 * upper triangle and the diagonal. @memory: bytes to use at most; 0: what is free. */
gboolean        mt_backend_cuda_sum_pairs (const MtEncoded *encoded,
                                           const double    *r,
                                           const double    *h,
                                           guint64          memory,
                                           float           *sum_r,
                                           float           *sum_h,
                                           GError         **error);
/* The gradient of a net's last step, not clipped: for tests. */
gboolean        mt_backend_cuda_read_gradient (gpointer context,
                                               guint    index,
                                               float   *gradient,
                                               GError **error);

G_END_DECLS
