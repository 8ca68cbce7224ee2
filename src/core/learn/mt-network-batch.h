/* The networks of one or many frontiers, trained together where a device wants them so.
 *
 * A frontier trains n_restarts networks on all rows and as many outside each fold. On the CPU its tasks
 * train their own, side by side. A GPU is given all of them in one batch, those of other frontiers over
 * the same encoded rows, too; the frontiers then find their networks here. */
#pragma once

#include "mt-frontier.h"

G_BEGIN_DECLS

typedef struct _MtNetworkBatch MtNetworkBatch;

/* How far one network is. @part: 0 all rows, then folds; @network from 0. On any thread. */
typedef void (*MtNetworkBatchFunc) (guint                  part,
                                    guint                  network,
                                    const MtTrainProgress *progress,
                                    gpointer               user_data);

/* As for mt_frontier_run(), to which the result is given as options->networks; everything is borrowed. */
MtNetworkBatch    *mt_network_batch_new    (const MtEncoded          *encoded,
                                            const double             *target,
                                            MtTask                    task,
                                            guint                     n_outputs,
                                            const guint8             *fold_of,
                                            const MtFrontierOptions  *options);
void           mt_network_batch_free   (MtNetworkBatch               *networks);
guint          mt_network_batch_get_n  (const MtNetworkBatch         *networks);
/* Borrowed; used by frontiers that train by themselves, too. */
void           mt_network_batch_watch  (MtNetworkBatch               *networks,
                                        MtNetworkBatchFunc            func,
                                        gpointer                  user_data);
/* Borrowed; stops these alone, wherever they are trained. */
void           mt_network_batch_set_cancellable (MtNetworkBatch      *networks,
                                   GCancellable             *cancellable);
/* Those of all of @networks in one go. mt_network_batch_take() reports what fails. */
void           mt_network_batch_train  (MtNetworkBatch              **networks,
                                        guint                     n_networks,
                                        GCancellable             *cancellable);
/* NULL: the network's own error. */
MtTrainResult *mt_network_batch_take   (MtNetworkBatch               *networks,
                                        guint                     part,
                                        guint                     network,
                                        GError                  **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtNetworkBatch, mt_network_batch_free)

G_END_DECLS
