/* Some rows of a table in some order: those that pass every test, sorted by a column. What a person looks at, not what
 * a model learns from. Immutable; a row list of a million rows takes 4 MB. */
#pragma once

#include <gio/gio.h>

#include "mt-table.h"

G_BEGIN_DECLS

typedef enum {
  MT_ROW_TEST_IS,
  MT_ROW_TEST_IS_NOT,
  MT_ROW_TEST_CONTAINS,     /* upper and lower case are the same; columns of numbers: none */
  MT_ROW_TEST_AT_LEAST,     /* numbers and dates only, like the next */
  MT_ROW_TEST_AT_MOST,
  MT_ROW_TEST_MISSING,
  MT_ROW_TEST_PRESENT,
  MT_N_ROW_TESTS,
} MtRowTestKind;

typedef struct {
  guint         column;
  MtRowTestKind kind;
  char         *value;      /* as mt_column_dup_text() writes it; NULL for missing and present */
} MtRowTest;

typedef struct {
  const MtRowTest *tests;
  guint            n_tests;
  const guint32   *only;          /* ascending; NULL: all rows. Others are left out whatever the tests say */
  gsize            n_only;
  int              sort_column;   /* -1: as in the table */
  gboolean         descending;
} MtRowOrder;

typedef struct _MtRowList MtRowList;

/* Whether a test means something for a column: its kind for the type, its value read as one of the column's. */
gboolean       mt_row_test_check    (const MtColumn   *column,
                                     MtRowTestKind     kind,
                                     const char       *value,
                                     GError          **error);

/* Missing cells fail every test of a value but "is not", and stand last in either direction. Rows that are equal in the
 * sorted column stay in the order of the table. NULL only with an error: a test that means nothing, or cancelled. */
MtRowList     *mt_row_list_new      (const MtTable    *table,
                                     const MtRowOrder *order,
                                     GCancellable     *cancellable,
                                     GError          **error);
MtRowList     *mt_row_list_ref      (MtRowList        *self);
void           mt_row_list_unref    (MtRowList        *self);
const guint32 *mt_row_list_get_rows (const MtRowList  *self,
                                     gsize            *n);
/* Where a row of the table stands; FALSE: it is left out. */
gboolean       mt_row_list_find     (const MtRowList  *self,
                                     gsize             row,
                                     gsize            *position);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRowList, mt_row_list_unref)

G_END_DECLS
