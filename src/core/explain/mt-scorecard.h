/* A model as a scorecard: its terms grouped by the one column that they are about.
 *
 *   score = intercept + Σ over columns (points of the column) + Σ over interactions (weight where the rule applies)
 *
 * The rules that are about one column alone say, together, how many points each of its values gets: overlapping
 * thresholds are summed into one step function. `Age ≥ 40` with +1 and `Age ≥ 60` with +2 are the points 0, +1 and +3 of
 * three ranges. A linear term of the column comes on top of its steps. A rule about several columns is an interaction.
 *
 * A column's values are its codes (encode/mt-encoded.h), so the ranges are exact: values of one range are told apart by
 * no rule of the column. Points are the weights of the model, summed in the order of its terms.
 *
 * Immutable. Size: up to some 100 columns of up to 255 ranges. */
#pragma once

#include "mt-rule-book.h"

G_BEGIN_DECLS

typedef struct {
  char     *text;         /* “below 40”, “40 to below 55”, “55 or more”; “red, blue”; “missing” */
  gboolean  is_missing;   /* only missing values, which add nothing to a linear term */
  double    low, high;    /* number, date: from low, which may be -INFINITY, to below high; NaN otherwise */
  double   *points;       /* per output: what the column's rules add, together */
  double   *at_low;       /* per output: the same with the linear terms, at the lowest … */
  double   *at_high;      /* … and the highest value of the range that is within the training range */
  gsize     n_rows;       /* training rows with such a value; 0 without rows */
} MtScorecardRange;

typedef struct {
  guint             column;       /* of the encoder */
  guint            *terms;        /* of the model, about this column alone */
  guint             n_terms;
  gboolean          has_linear;   /* some of them are linear */
  MtScorecardRange *ranges;       /* ascending; missing last */
  guint             n_ranges;
  double            spread;       /* most points minus fewest; of several outputs, the largest */
} MtScorecardColumn;

typedef struct _MtScorecard MtScorecard;

/* The columns with the largest spread come first. */
MtScorecard             *mt_scorecard_new                (MtRuleBook        *book);
void                     mt_scorecard_free               (MtScorecard       *card);
MtRuleBook              *mt_scorecard_get_book           (const MtScorecard *card);
guint                    mt_scorecard_get_n_columns      (const MtScorecard *card);
const MtScorecardColumn *mt_scorecard_get_column         (const MtScorecard *card,
                                                          guint              index);
guint                    mt_scorecard_get_n_interactions (const MtScorecard *card);
/* A term of the model. */
guint                    mt_scorecard_get_interaction    (const MtScorecard *card,
                                                          guint              index);
/* What the column's linear terms add at a value of it; NaN: missing. */
double                   mt_scorecard_get_linear         (const MtScorecard *card,
                                                          guint              index,
                                                          guint              output,
                                                          double             value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtScorecard, mt_scorecard_free)

G_END_DECLS
