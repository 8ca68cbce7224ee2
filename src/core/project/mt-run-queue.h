/* The engine that runs jobs, for the window and the command line.
 *
 * Jobs wait in the order of their ranks. The caller of mt_run_queue_work() runs them until none waits: one after the other,
 * each on all threads (the window, where one is watched), or as many at a time as there are threads, each on one (a sweep of
 * the command line, which is faster). What is found is the same, to the byte.
 *
 * Jobs that learn from the same rows with the same encoder share the encoded rows. Where a device trains many networks in the
 * time of one, the networks of jobs that share their rows are trained together, and then each job finds its rules. A job
 * that is cancelled ends; the others go on. */
#pragma once

#include "mt-run-job.h"

G_BEGIN_DECLS

typedef struct _MtRunQueue MtRunQueue;   /* refcounted */

MtRunQueue *mt_run_queue_new    (guint       n_threads,        /* 0: all */
                                 gboolean    one_at_a_time);
MtRunQueue *mt_run_queue_ref    (MtRunQueue *queue);
void        mt_run_queue_unref  (MtRunQueue *queue);
/* Jobs of lower rank go first, of equal rank those that came first. TRUE: no thread works, so one should be started. */
gboolean    mt_run_queue_push   (MtRunQueue *queue,
                                 MtRunJob   *job,
                                 guint       rank);
/* On the calling thread and a pool, until no job waits. Returns at once when somebody works already. */
void        mt_run_queue_work   (MtRunQueue *queue);
/* Runs one job at once, on the calling thread alone, with the rows that jobs share. Several threads may do so. */
void        mt_run_queue_run    (MtRunQueue *queue,
                                 MtRunJob   *job);
/* All that wait and work. */
void        mt_run_queue_cancel (MtRunQueue *queue);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRunQueue, mt_run_queue_unref)

G_END_DECLS
