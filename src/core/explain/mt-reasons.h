/* Why a row got its answer: the terms that moved it most, in words.
 *
 * A term's amount is what it adds to the score of the second class, to the number predicted, or,
 * with several classes, to the decided class's score over the mean of all classes. In words it is
 * the reason that the model has for it (mt_model_get_reason), or else the term itself. */
#pragma once

#include "model/mt-model.h"

G_BEGIN_DECLS

typedef struct {
  guint  term;
  double amount;      /* never 0 */
} MtReason;

/* The terms of row @row that moved its answer, the largest amount first; of equals the first term.
 * @contributions: from mt_model_contributions() for @n_rows rows, of which this is number @index;
 * @decided: the class decided (0 without several classes). @reasons has room for all terms. */
guint  mt_reasons_rank     (const MtModel *model, const double *contributions, gsize n_rows, gsize index,
                            guint decided, MtReason *reasons);
/* Puts those that speak for the answer before those that speak against it, each in their order, and returns how many
 * speak for it: with two classes what moves the score towards the one decided, with several what is above 0. Every
 * reason speaks for a number. */
guint  mt_reasons_sort_for (const MtModel *model, guint decided, MtReason *reasons, guint n_reasons);
/* In words, for a row of @table: `Your debt is high`, or the rule, or `Age = 37`. */
char  *mt_reason_dup_text  (const MtModel *model, guint term, const MtTable *table, gsize row);

G_END_DECLS
