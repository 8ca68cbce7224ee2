/* Two fitted models compared off the main thread, with what is needed to show it. */
#pragma once

#include "mt-selected-model.h"
#include "mt-frontier-item.h"

G_BEGIN_DECLS

/* Immutable and counted. */
typedef struct {
  MtSelectedModel     *models[2];
  MtRuleBook   *books[2];
  MtComparison *comparison;    /* on the training rows of the first */
} MtCompareOperation;

MtCompareOperation *mt_compare_operation_ref      (MtCompareOperation          *comparing);
void         mt_compare_operation_unref    (MtCompareOperation          *comparing);
/* The rows of a run that came with a project are encoded first, if that was not done yet. */
void         mt_compare_async      (gpointer              source,      /* a GObject; handed to @done */
                                    MtFrontierItem       *a,
                                    MtFrontierItem       *b,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   done);
MtCompareOperation *mt_compare_finish     (GAsyncResult         *result,
                                           GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCompareOperation, mt_compare_operation_unref)

G_END_DECLS
