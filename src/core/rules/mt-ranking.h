/* Rows by falling probability of one class: what ROC, precision-recall and gain curves are made of, and where a
 * cutoff is chosen.
 *
 * Rows of equal probability are one step, for no order among them is made up. Step i has all rows of probability
 * p[i] or more: taken[i] of them, of which hits[i] are of the class. The steps fall strictly in p, so the decision
 * `p > cutoff` takes the rows of some step, or none.
 *
 * Immutable. Sizes: 10²–10⁶ rows, as many steps at most. */
#pragma once

#include "mt-metrics.h"

G_BEGIN_DECLS

typedef struct {
  gsize   n_rows;
  gsize   n_hits;
  gsize   n_steps;
  double *p;
  gsize  *taken;
  gsize  *hits;
} MtRanking;

typedef enum {
  MT_TRACE_ROC,                /* share of the others taken → share of the class taken */
  MT_TRACE_PRECISION_RECALL,   /* share of the class taken → share of the class among those taken */
  MT_TRACE_GAIN,               /* share of all rows taken → share of the class taken */
} MtTrace;

/* Predictions that are not finite come last. */
MtRanking *mt_ranking_new         (const MtScored  *scored,
                                   guint            class_);
void       mt_ranking_free        (MtRanking       *ranking);

/* Points of a curve; @x and @y have room for n_steps + 1. Of more than @most, every so manieth and the last. */
gsize      mt_ranking_trace       (const MtRanking *ranking,
                                   MtTrace          trace,
                                   gsize            most,
                                   double          *x,
                                   double          *y);
/* Hits among the first @n_taken. Rows of one probability of which only some are taken count for their share. */
double     mt_ranking_count_hits  (const MtRanking *ranking,
                                   gsize            n_taken);

/* --- choosing a cutoff --- */

/* Rows by truth and decision, for the class of the ranking. */
typedef struct {
  gsize true_positive, false_positive, true_negative, false_negative;
} MtOutcomes;

/* What each outcome of one row is worth: costs are negative. */
typedef struct {
  double true_positive, false_positive, true_negative, false_negative;
} MtOutcomeValues;

void       mt_ranking_count       (const MtRanking       *ranking,
                                   double                 cutoff,
                                   MtOutcomes            *outcomes);
double     mt_outcomes_value      (const MtOutcomes      *outcomes,
                                   const MtOutcomeValues *values);
/* The cutoff with fewest digits, above 0 and below 1, that takes the first @n_taken_steps steps; NaN: there is none,
 * as probabilities of 0 or 1 cannot be told from the others by it. */
double     mt_ranking_cut         (const MtRanking       *ranking,
                                   gsize                  n_taken_steps);
/* The cutoff of the highest value of all rows together; of equals the one nearest to @near_. */
double     mt_ranking_cut_value   (const MtRanking       *ranking,
                                   const MtOutcomeValues *values,
                                   double                 near_);
/* The cutoff whose share of rows taken is nearest to @rate, 0 … 1; of equals the lower share. */
double     mt_ranking_cut_rate    (const MtRanking       *ranking,
                                   double                 rate);
/* The cutoff that takes the largest share of rows of at most @rate. */
double     mt_ranking_cut_capacity (const MtRanking      *ranking,
                                   double                 rate);

/* Wilson's interval for @n_hits of @n at 95 %; 0 … 1 without rows. */
void       mt_share_interval      (gsize                  n_hits,
                                   gsize                  n,
                                   double                *low,
                                   double                *high);

/* The ratio of two shares, @n_hits of @n to @n_other_hits of @n_other, by Katz's interval on the logarithm; without hits
 * half a hit counts. NaN where the other share is 0 or one has no rows. */
double     mt_ratio_interval      (gsize                  n_hits,
                                   gsize                  n,
                                   gsize                  n_other_hits,
                                   gsize                  n_other,
                                   double                *low,
                                   double                *high);
/* The difference of the two shares, by Newcombe's interval, which is made of Wilson's two. NaN where one has no rows. */
double     mt_difference_interval (gsize                  n_hits,
                                   gsize                  n,
                                   gsize                  n_other_hits,
                                   gsize                  n_other,
                                   double                *low,
                                   double                *high);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRanking, mt_ranking_free)

G_END_DECLS
