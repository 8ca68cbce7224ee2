/* What is being predicted: one of two classes, one of several, or a number. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  MT_TASK_BINARY,
  MT_TASK_MULTICLASS,
  MT_TASK_REGRESSION,
} MtTask;

#define MT_CUTOFF 0.5     /* of two classes */

const char *mt_task_to_string   (MtTask      task);    /* "binary", "multiclass", "regression" */
gboolean    mt_task_from_string (const char *word,
                                 MtTask     *task);
/* Weights of classes by which each that occurs counts the same and a row counts 1 on average. */
double     *mt_task_balance     (const gsize *counts,
                                 guint        n_classes);
/* The class decided in a row, given what mt_task_link() makes of scores (n_outputs × n_rows): binary the
 * second iff p > @cutoff, which is MT_CUTOFF unless one was chosen; multiclass the most probable, of equals the first; 0 for a number. */
guint       mt_task_decide      (MtTask        task,
                                 double        cutoff,
                                 guint         n_outputs,
                                 gsize         n_rows,
                                 const double *predictions,
                                 gsize         row);

G_END_DECLS
