/* How good a model's answers are for some of the rows: a test part, or each value of a column. */
#pragma once

#include "rules/mt-metrics.h"
#include "data/mt-table.h"

G_BEGIN_DECLS

#define MT_SUBGROUP_MAX   100u
#define MT_SUBGROUP_SMALL 30u     /* fewer rows: to be flagged */

/* Some of the rows as rows of their own. */
typedef struct {
  MtScored  scored;
  guint32  *classes;
  double   *values;
  double   *predictions;
} MtScoredPart;

/* @n_outputs: predictions a row. @which: positions among @whole's rows; NULL: all. */
void    mt_scored_part_init    (MtScoredPart *part, const MtScored *whole, guint n_outputs, const guint32 *which,
                                gsize n_which);
void    mt_scored_part_clear   (MtScoredPart *part);

/* What to measure, and how. */
typedef struct {
  MtMetric  metrics[MT_N_METRICS];
  guint     n_metrics;
  guint     n_resamples;
  double    level;
  guint64   seed;
  MtPool   *pool;              /* may be NULL */
} MtMeasuring;

/* All metrics of the task, 95 %. */
void    mt_measuring_init      (MtMeasuring *measuring, MtTask task, guint n_resamples, guint64 seed);

typedef struct {
  char       *name;                       /* NULL: missing cells */
  GArray     *which;                      /* of guint32: positions among the scored rows */
  MtInterval  intervals[MT_N_METRICS];    /* as measuring->metrics */
} MtSubgroup;

/* (element-type MtSubgroup): numbers by value, then words; missing last. @rows: of the table, one a scored row.
 * @quarters: a number of more than 12 values is cut into four parts of about as many rows.
 * MT_ERROR_PARAMS: more than MT_SUBGROUP_MAX values. */
GArray *mt_subgroups_measure   (const MtColumn *column, const guint32 *rows, const MtScored *scored, guint n_outputs,
                                gboolean quarters, const MtMeasuring *measuring, GCancellable *cancellable,
                                GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtScoredPart, mt_scored_part_clear)

G_END_DECLS
