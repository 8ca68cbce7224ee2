/* How good the selected model is on some of its rows, found off the main thread. */
#pragma once

#include "mt-selected-model.h"

G_BEGIN_DECLS

/* The folds of a run that had none are dealt as edits are judged. */
void           mt_performance_async         (gpointer              source,      /* a GObject; handed to @done */
                                             MtSelectedModel      *fitted,
                                             MtPerformanceRows     rows,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   done);
MtPerformance *mt_performance_finish        (GAsyncResult         *result,
                                             GError              **error);
/* Then, as it takes longer: the intervals of its metrics, MT_N_METRICS of MtInterval, to be freed. */
void           mt_performance_measure_async (gpointer              source,
                                             MtPerformance        *performance,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   done);
MtInterval    *mt_performance_measure_finish (GAsyncResult        *result,
                                             GError              **error);

/* How good it is for each value of columns: of MtSubgrouping, one a name that the table has. */
typedef struct {
  char   *column;
  GArray *groups;      /* of MtSubgroup; NULL: why not is said in: */
  char   *failure;
} MtSubgrouping;

void           mt_subgroups_async           (gpointer              source,
                                             MtPerformance        *performance,
                                             MtTable              *table,
                                             const char * const   *columns,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   done);
GPtrArray     *mt_subgroups_finish          (GAsyncResult         *result,
                                             GError              **error);

/* How good it is over time. @column: of the table (mt_over_time_find_column()). */
void           mt_performance_time_async    (gpointer              source,
                                             MtPerformance        *performance,
                                             MtTable              *table,
                                             const MtColumn       *column,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   done);
MtOverTime    *mt_performance_time_finish   (GAsyncResult         *result,
                                             GError              **error);

G_END_DECLS
