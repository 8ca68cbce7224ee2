/* What the queue does with a job. */
#pragma once

#include "mt-run-job.h"

G_BEGIN_DECLS

/* Rows learned from and the encoded bits of a plan, for jobs that have the same. */
typedef struct {
  MtTable     *table;
  double       test_fraction;
  guint64      split_seed;
  MtLearnBits *bits;
} MtRunShared;

/* Are the rows of the job those of @shared? */
gboolean               mt_run_job_has_rows_of    (MtRunJob            *self,
                                                  const MtRunShared   *shared);
/* Splits, encodes and deals the folds. @constraints: one object for all jobs that have the same. What went wrong is the
 * job's error. @shared (may be empty) is used where it fits, and filled otherwise. */
void                   mt_run_job_plan           (MtRunJob            *self,
                                                  const MtConstraints *constraints,
                                                  MtRunShared         *shared,
                                                  GMutex              *lock);   /* of @shared */
/* The networks of its plan, to be trained with others; NULL: it has none. */
struct _MtNetworkBatch *mt_run_job_make_networks (MtRunJob            *self);
/* Trains networks that still lack, and finds the rules. */
void                   mt_run_job_run            (MtRunJob            *self,
                                                  MtPool              *pool);
void                   mt_run_job_start          (MtRunJob            *self);
void                   mt_run_job_end            (MtRunJob            *self);
gboolean               mt_run_job_has_plan       (MtRunJob            *self);
gboolean               mt_run_job_wants_many     (MtRunJob            *self);
const char            *mt_run_job_get_constraints (MtRunJob           *self);   /* interned JSON; NULL: none */

G_END_DECLS
