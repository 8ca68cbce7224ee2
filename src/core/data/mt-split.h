/* Train / test parts and folds: seeded, stratified by class when asked, reproducible on
 * every machine; rows that belong together (duplicates, a group column) stay together. */
#pragma once

#include <glib.h>

#include "mt-table.h"

G_BEGIN_DECLS

typedef struct {
  guint64  seed;
  double   test_fraction;      /* for mt_split_test: 0 < f < 1 */
  guint    n_folds;            /* for mt_split_folds: ≥ 2 */
  gboolean stratify;           /* by the target's class; numbers are stratified by decile */
  gboolean keep_duplicates;    /* rows equal in every feature stay on one side */
  gboolean spare_lone;         /* a class of a single row is not refused: it is never held out */
} MtSplitOptions;

/* The fold of a row that is in none: trained on every time. */
#define MT_SPLIT_NO_FOLD G_MAXUINT8
/* Folds that chain forward in time (mt-split-time.h) are n_folds … 2 n_folds - 1 instead of 0 … n_folds - 1. */
#define MT_SPLIT_MOST_CHAINED 127u

/* Whether fold @fold of @n_folds holds a row out, or learns from it. In chained folds later rows are in neither. */
static inline gboolean
mt_split_is_held_out (guint8 fold_of,
                      guint  fold,
                      guint  n_folds)
{
  return fold_of != MT_SPLIT_NO_FOLD && (fold_of == fold || fold_of == n_folds + fold);
}

static inline gboolean
mt_split_is_learned (guint8 fold_of,
                     guint  fold,
                     guint  n_folds)
{
  if (fold_of == MT_SPLIT_NO_FOLD)
    return TRUE;
  return fold_of < n_folds ? fold_of != fold : fold_of - n_folds < fold;
}

/* Rows whose target is missing are in neither part. A group column, if the table has one,
 * is always respected; a row without a group stands alone. With a column of the role time the rows are split by it instead
 * (mt-split-time.h): the seed then changes nothing. Single rows are dealt out so that
 * no class is more than one row off its due; whole groups come as near as they can. Stratified,
 * every class keeps a row to train on. Row numbers ascend within each part.
 * Fails with MT_ERROR_PARAMS, saying how much is needed, when rows, groups or a class do not
 * suffice, and with MT_ERROR_SCHEMA when there is no target to stratify by. */
gboolean mt_split_test  (const MtTable         *table,
                         const MtSplitOptions  *options,
                         GArray               **train,   /* (out) of guint32 */
                         GArray               **test,    /* (out) of guint32 */
                         GError               **error);
/* fold_of[i] in 0 … n_folds-1 for rows[i] (by time n_folds … 2 n_folds-1), or MT_SPLIT_NO_FOLD for a spared one and its group; the
 * same promises, with each fold held out in turn. */
gboolean mt_split_folds (const MtTable         *table,
                         const guint32         *rows,
                         gsize                  n_rows,
                         const MtSplitOptions  *options,
                         guint8                *fold_of,
                         GError               **error);

G_END_DECLS
