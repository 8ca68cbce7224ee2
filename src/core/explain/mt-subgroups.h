/* How good a model's answers are for some of the rows: a test part, or each value of a column.
 *
 * Calibration of a group is one number with an interval: the mean of what was predicted minus the mean of what is true.
 * Predicted and true are the probability of the second class and whether the row is of it; of many classes the
 * probability of the class that is decided and whether that is right; and of a number the numbers. The interval is 1.96
 * standard errors of that mean on either side.
 *
 * Of two classes the groups are compared with one of them, the reference, by two measures that have names:
 *   adverse-impact ratio          share decided as a class, divided by that share in the reference
 *   equal-opportunity difference  of the rows that are of a class, the share decided as it, minus that share in the
 *                                 reference
 * Both are given for both classes, as the program cannot know which decision is the favorable one. */
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

/* What is predicted and what is true of a row, as the calibration gap compares them. */
void    mt_scored_compare_row  (const MtScored *scored, gsize row, double *predicted, double *truth);

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
  MtInterval  gap;                        /* mean predicted minus mean true */
} MtSubgroup;

/* Figures of a group at a cutoff, of two classes. */
typedef enum {
  MT_RATE_TRUE,                 /* rows of the second class */
  MT_RATE_DECIDED,              /* rows decided as it */
  MT_RATE_RECALL,               /* of the rows of the second class, those decided as it */
  MT_RATE_RECALL_FIRST,         /* the same of the first class */
  MT_RATE_PRECISION,            /* of the rows decided as the second class, those that are of it */
  MT_RATE_IMPACT,               /* adverse-impact ratio, if the second class is the favorable decision */
  MT_RATE_IMPACT_FIRST,         /* … if the first class is */
  MT_RATE_OPPORTUNITY,          /* equal-opportunity difference, likewise */
  MT_RATE_OPPORTUNITY_FIRST,
  MT_N_RATES,
} MtRate;

#define MT_RATE_COMPARED MT_RATE_IMPACT     /* this one and the later ones compare with the reference */

typedef struct {
  MtInterval rates[MT_N_RATES];     /* NaN: not defined; of the reference also the comparisons */
} MtSubgroupRates;

/* (element-type MtSubgroup): numbers by value, then words; missing last. @rows: of the table, one a scored row.
 * @quarters: a number or date of more than 12 values is cut into four parts of about as many rows.
 * MT_ERROR_PARAMS: more than MT_SUBGROUP_MAX values. */
GArray *mt_subgroups_measure   (const MtColumn *column, const guint32 *rows, const MtScored *scored, guint n_outputs,
                                gboolean quarters, const MtMeasuring *measuring, GCancellable *cancellable,
                                GError **error);

/* The group with most rows whose value is known: with which the others are compared; -1: none. */
int     mt_subgroups_find_reference (const GArray *groups);
/* @rates: one a group. @scored: as measured, of two classes. @reference: -1: nothing is compared. */
void    mt_subgroups_rate      (const GArray *groups, const MtScored *scored, double cutoff, int reference,
                                MtSubgroupRates *rates);
/* In files: "decided", "adverse_impact_ratio", … */
const char *mt_rate_to_string  (MtRate rate);
/* For people: "Decided “yes”", "Adverse-impact ratio, “yes”", … */
char   *mt_rate_dup_name       (MtRate rate, const char * const *classes);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtScoredPart, mt_scored_part_clear)

G_END_DECLS
