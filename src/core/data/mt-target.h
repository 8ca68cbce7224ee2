/* What is predicted, read out of a table: classes by number, or numbers.
 *
 * The classes are those of the training rows, sorted (as numbers where all of them are), so
 * that the second of two is the one whose probability a binary model gives: yes after no, 1
 * after 0. Without a task given, a column of two values is binary, any other number is
 * regression, and everything else is multiclass. Immutable and counted. */
#pragma once

#include <glib.h>

#include "mt-table.h"
#include "base/mt-task.h"

G_BEGIN_DECLS

#define MT_TARGET_MAX_CLASSES 200

typedef struct _MtTarget MtTarget;

/* @task NULL: decided from the column. The table must have a column in the target role.
 * MT_ERROR_SCHEMA: none has it; MT_ERROR_PARAMS: the column does not suit the task. This and
 * mt_target_read() obey the thread's current GCancellable, as the encoder does. */
MtTarget    *mt_target_new           (const MtTable   *table,
                                      const guint32   *rows,       /* NULL: all */
                                      gsize            n_rows,
                                      const MtTask    *task,
                                      GError         **error);
void         mt_target_unref         (MtTarget        *target);
MtTask       mt_target_get_task      (const MtTarget  *target);
const char  *mt_target_get_name      (const MtTarget  *target);    /* the column's */
guint        mt_target_get_n_classes (const MtTarget  *target);    /* 0 for regression */
guint        mt_target_get_n_outputs (const MtTarget  *target);    /* of a model: classes, or 1 */
/* NULL-terminated; NULL for regression. */
const char * const *mt_target_get_classes (const MtTarget *target);

/* The rows whose value is known, and the values. */
typedef struct {
  guint32 *rows;         /* of the table, in the order given */
  double  *values;       /* class numbers, or numbers */
  gsize    n_rows;
  gsize    n_missing;    /* left out: the cell is empty, or infinite */
  gsize    n_unknown;    /* left out: a class that the training rows did not have */
} MtTargetRows;

/* Whether regression can square it: MT_ERROR_PARAMS with the row, from 0, when it cannot. */
gboolean      mt_target_check_number (const char      *name,
                                      gsize            row,
                                      double           value,
                                      GError         **error);
/* The column is found by name. MT_ERROR_SCHEMA when it is absent or of another kind. */
MtTargetRows *mt_target_read         (const MtTarget  *target,
                                      const MtTable   *table,
                                      const guint32   *rows,
                                      gsize            n_rows,
                                      GError         **error);
void          mt_target_rows_free    (MtTargetRows    *rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTarget, mt_target_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTargetRows, mt_target_rows_free)

G_END_DECLS
