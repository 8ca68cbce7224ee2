/* How good a model's answers are over time, and how its scores drift: scored rows by period of a date, or by tenths of a
 * number that orders them.
 *
 *   quality    AUC of classes; of a number RMSE, as R² also depends on how much the target varies within the period
 *   predicted  mean prediction, and
 *   observed   mean truth, of what the calibration gap of a group compares (explain/mt-subgroups.h)
 *   drift      PSI (mt-drift.h) of the scores of the period against those of all rows that are measured, by their tenths
 *
 * Periods are months if there are at most 24 of them, otherwise quarters if there are at most 24, otherwise years. A
 * period without rows is left out; rows without a date are in none. */
#pragma once

#include "explain/mt-subgroups.h"

G_BEGIN_DECLS

#define MT_OVER_TIME_MAX 24u      /* months, quarters */

typedef enum {
  MT_PERIOD_MONTH,
  MT_PERIOD_QUARTER,
  MT_PERIOD_YEAR,
  MT_PERIOD_PART,        /* a tenth of the rows */
  MT_N_PERIODS,
} MtPeriod;

typedef struct {
  char       *name;        /* 2024-03, 2024 Q1, 2024; 12 … 40 */
  double      place;       /* its middle: of a date in years, of a number the mean of its ends */
  gsize       n_rows;
  MtInterval  quality;     /* value NaN: not defined */
  double      predicted, observed;
  double      drift;       /* NaN: all scores are the same */
} MtTimePart;

typedef struct {
  MtPeriod   period;
  gboolean   is_date;
  MtMetric   metric;       /* the quality */
  MtInterval whole;        /* the same of all rows in some part */
  GArray    *parts;        /* of MtTimePart, in order */
  gsize      n_left_out;   /* rows without a date or number */
} MtOverTime;

/* The column that puts rows in order: the one with the role time, otherwise the first date; NULL: none. */
const MtColumn *mt_over_time_find_column (const MtTable        *table);
/* @rows: of the table, one a scored row. Has one part only where all rows are of one period. */
MtOverTime     *mt_over_time_measure     (const MtColumn       *column,
                                          const guint32        *rows,
                                          const MtScored       *scored,
                                          guint                 n_outputs,
                                          const MtMeasuring    *measuring,
                                          GCancellable         *cancellable,
                                          GError              **error);
void            mt_over_time_free        (MtOverTime           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtOverTime, mt_over_time_free)

G_END_DECLS
