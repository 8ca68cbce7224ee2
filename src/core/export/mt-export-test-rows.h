/* Rows that exercise every branch of a model, to test an exported copy: if an engine answers them
 * as the model does, it computes the same function of the cells.
 *
 *   the rows of a table given, at most MT_EXPORT_TEST_ROWS_MAX_DATA
 *   for each rule and each assignment of its inputs that a row can have, a row that has it
 *   for each threshold in use the value t, the double below and the double above; of a date the
 *   second before and the second after
 *   for each column in use a missing cell, each value that counts as missing in it and the doubles next to
 *   it, and for each category a level that is not in the training data
 *
 * The other cells of such a row are drawn from values that training has seen, always the same ones
 * for the same model. Sizes: 100–5,000 rows. */
#pragma once

#include "model/mt-model.h"

G_BEGIN_DECLS

#define MT_EXPORT_TEST_ROWS_MAX_DATA     20000
#define MT_EXPORT_TEST_ROWS_MAX_CORNERS  1024     /* a rule; of more every so many-th */

/* All columns of the model's encoder and no others. @data may be NULL; MT_ERROR_SCHEMA when it lacks
 * one of them. */
MtTable *mt_export_test_rows_make_table (const MtModel *model, const MtTable *data, GError **error);

typedef enum {
  MT_EXPORT_TEST_ROWS_CELLS,       /* the cells only: what an engine reads */
  MT_EXPORT_TEST_ROWS_ANSWERS,     /* and behind them what predict says of each row */
} MtExportTestRowsColumns;

/* As a CSV that reads back as the same cells. Missing ones are written in all the ways that the
 * model takes for missing, in turn; in a column with a value of its own for it, every second one as that. The
 * columns of the data given have a say in this as well: what was missing there must be so for the model. */
GBytes  *mt_export_test_rows_write      (const MtModel *model, const MtTable *table, MtExportTestRowsColumns columns, GError **error);

G_END_DECLS
