/* Splits by time: a column with the role time puts the rows in order.
 *
 * The test part is the last rows. Folds chain forward: the rows in order are cut into n_folds + 1 blocks of about as
 * many rows; the first block is in no fold, and fold k holds out block k + 1 and learns from all blocks before it.
 * Rows of the same time stay together; rows without a time come first, as nothing is known that was later. */
#pragma once

#include "mt-split.h"

G_BEGIN_DECLS

/* The column that orders the rows; NULL: none. */
const MtColumn *mt_split_find_time    (const MtTable         *table);
/* The same promises as mt_split_test() and mt_split_folds(), but for classes: MT_ERROR_PARAMS when a class is not among
 * the rows before the ones that are held out. */
gboolean        mt_split_time_test    (const MtTable         *table,
                                       const MtColumn        *time,
                                       double                 fraction,
                                       GArray               **train,
                                       GArray               **test,
                                       GError               **error);
gboolean        mt_split_time_folds   (const MtTable         *table,
                                       const MtColumn        *time,
                                       const guint32         *rows,
                                       gsize                  n_rows,
                                       guint                  n_folds,
                                       guint8                *fold_of,
                                       GError               **error);

G_END_DECLS
