/* What if a row were different? One row of raw values under a model: what it scores, what each term
 * adds, and the smallest change of one or two columns that makes the answer another.
 *
 * Scores and decisions are those of mt_model_predict(), bit for bit: the cells are encoded by the
 * encoder's own code and the terms added in the same order, so that
 *
 *   bias + contribution of term 0 + contribution of term 1 + …     (summed in that order)
 *
 * is the score, exactly.
 *
 * A change flips when the class decided is another or, of a number, when the prediction comes to lie on
 * the other side of a cutoff (`≥ cutoff` against `< cutoff`). How far a change goes:
 *
 *   number to number    |new - old| / standard deviation of the training rows
 *   anything else       1: another level, to missing, or from missing
 *   two columns         the sum of both
 *
 * Only what the training rows know is proposed: levels that they had, missing where it occurred, and
 * numbers in their range, stretched to the row's own value.
 *
 * The search is exact. The thresholds that the model uses cut a number into intervals, its literals a
 * category into levels and the rest; in one such cell no rule changes its mind. Without a numeric term a
 * cell is as good as its nearest point. With one the score is linear inside the cell, so the points that
 * do not flip are convex and the nearest that does lies on an edge of the box of both columns' cells:
 * where its two ends answer differently there is one crossing, found by halving down to neighboring
 * doubles. Sizes: 1–30 columns used, 2–20 cells each: up to some 10⁵ scores, a few ms. */
#pragma once

#include <gio/gio.h>

#include "encode/mt-encoder.h"
#include "rules/mt-rules.h"

G_BEGIN_DECLS

/* A cell as it stands in a file, before encoding. */
typedef struct {
  gboolean  is_missing;
  double    number;        /* NUMBER, DATE; NaN counts as missing */
  char     *level;         /* CATEGORY, BOOLEAN; NULL counts as missing */
} MtRawValue;

/* Arrays of MtRawValue, one for each of the encoder's columns; they own their levels. */
GArray   *mt_raw_values_new_from_row (const MtEncoder *encoder, const MtTable *table, gsize row, GError **error);
/* The middle one: the (lower) median, and the most frequent level, of the cells that are there.
 * @rows NULL: all rows. @table NULL: the mean and the first level, all that a model knows by itself. */
GArray   *mt_raw_values_new_typical  (const MtEncoder *encoder, const MtTable *table,
                                      const guint32 *rows, gsize n_rows, GError **error);
/* Of the rows the one that is most like that: least Σ |x − median| / deviation over the numbers, and 1 for each other cell
 * that differs or is missing; of equals the first. A place in @rows, or in the table; G_MAXSIZE: no rows, or @error is set. */
gsize     mt_raw_values_find_typical (const MtEncoder *encoder, const MtTable *table,
                                      const guint32 *rows, gsize n_rows, GError **error);
/* What the derived columns are by the values of their columns: of all of them that read @column. A column that the encoder does
 * not have keeps its value in @row of @table; without a table a derived column that needs one stays as it is. */
void      mt_raw_values_derive       (GArray *values, const MtEncoder *encoder, guint column, const MtTable *table, gsize row);
GArray   *mt_raw_values_copy         (const GArray *values);
void      mt_raw_values_set          (GArray *values, guint column, const MtRawValue *value);   /* copied */

typedef struct {
  guint     n_outputs;
  guint     n_terms;
  double   *scores;          /* n_outputs */
  double   *predictions;     /* n_outputs: as mt_model_predict() gives them */
  guint     decided;         /* the class, as mt_model_decide(); 0 for a number */
  double   *contributions;   /* n_terms × n_outputs, term after term */
  gboolean *applies;         /* n_terms: a rule that is true; a numeric term whose value is there */
} MtWhatIf;

/* MT_ERROR_PARAMS when there are not as many values as columns, MT_ERROR_SCHEMA when the rules do not
 * belong to the encoder, MT_ERROR_NUMERIC when a score is not finite. */
MtWhatIf *mt_what_if_new             (const MtEncoder *encoder, const MtRuleSet *rules, const GArray *values,
                                      GError **error);
void      mt_what_if_free            (MtWhatIf *what_if);

typedef struct {
  guint      column;
  MtRawValue value;          /* the level borrowed from the encoder */
} MtStep;

typedef struct {
  guint      n_steps;        /* 1 or 2, by column ascending */
  MtStep     steps[2];
  double     distance;
} MtChange;

/* Of MtChange: for each column that can flip the answer alone, its smallest change; and the smallest of
 * two columns if it is smaller than all of these. Nearest first, of equals the earlier column. Empty:
 * no change of one or two columns flips. @cutoff: of a number; otherwise ignored. */
GArray   *mt_what_if_find_changes    (const MtEncoder *encoder, const MtRuleSet *rules, const GArray *values,
                                      double cutoff, GCancellable *cancellable, GError **error);

/* The same without the columns that are TRUE in @locked (NULL: none), which keep their values.
 *
 * A column that a derived column of the model is made of keeps its value in any case, as the derived one would change with it; the derived
 * column itself is varied if the model does not look at all of its columns. */
GArray   *mt_what_if_find_changes_but (const MtEncoder *encoder, const MtRuleSet *rules, const GArray *values,
                                       double cutoff, const gboolean *locked, GCancellable *cancellable, GError **error);

/* For each of the encoder's columns how many digits its numbers have behind the point in @table; of very
 * long ones some thousand rows are looked at. @table NULL: as many as are shown. */
guint    *mt_what_if_count_decimals  (const MtEncoder *encoder, const MtTable *table);
/* Rounds the numbers of @changes, which mt_what_if_find_changes() found, to that many digits and at most
 * six significant ones: away from the row's value, so that the answer still flips. Where it would not, or
 * the number would leave the training range, it stays as it is. Distances and order are those of the rounded
 * changes; two columns that are no longer nearer than one are left out. */
void      mt_what_if_round_changes   (const MtEncoder *encoder, const MtRuleSet *rules, const GArray *values,
                                      double cutoff, const guint *decimals, GArray *changes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtWhatIf, mt_what_if_free)

G_END_DECLS
