/* The model one looks at as a file of its own, made off the main thread. */
#pragma once

#include <gio/gio.h>

#include "document/mt-decisions.h"
#include "mt-selected-model.h"

G_BEGIN_DECLS

/* At once, for a thread. @reading: mt_decisions_dup_arguments(); may be NULL. Without @import less is said. */
MtModel *mt_selected_model_make_model        (MtSelectedModel             *fitted,
                                              MtImport             *import,
                                              const char           *reading,
                                              GError              **error);
/* @import and @decisions: how the table was read. */
void     mt_selected_model_make_model_async  (MtSelectedModel             *fitted,
                                              MtImport             *import,
                                              MtDecisions          *decisions,
                                              GAsyncReadyCallback   callback,
                                              gpointer              data);
MtModel *mt_selected_model_make_model_finish (GAsyncResult         *result,
                                              GError              **error);

G_END_DECLS
