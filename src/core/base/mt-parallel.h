/* A pool of threads for fixed pieces of work.
 *
 * mt_pool_run() calls @func once for each task number 0 … n_tasks-1, on the
 * caller and on the pool's threads, and returns when all are done. Which thread
 * takes which task is not fixed, so a task writes only to its own slot and the
 * caller reduces the slots in order: then the result does not depend on the
 * number of threads. A task never starts another run on the same pool. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _MtPool MtPool;

typedef void (*MtPoolFunc) (guint    task,
                            guint    worker,   /* 0 … n_threads-1: index of scratch memory */
                            gpointer data);

MtPool *mt_pool_new           (guint       n_threads);  /* 0: as many as the machine has; counts the caller */
void    mt_pool_free          (MtPool     *pool);
guint   mt_pool_get_n_threads (MtPool     *pool);
void    mt_pool_run           (MtPool     *pool,        /* NULL: run on the caller alone */
                               guint       n_tasks,
                               MtPoolFunc  func,
                               gpointer    data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtPool, mt_pool_free)

G_END_DECLS
