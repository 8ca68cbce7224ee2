/* What mt-document.c and mt-document-decide.c share. */
#pragma once

#include "mt-document.h"

G_BEGIN_DECLS

/* Makes @decisions hold, as a step that can be undone; reads the file again where that is needed. */
void _mt_document_apply (MtDocument  *self,
                         MtDecisions *decisions,
                         const char  *label);

/* The same, as part of the step before if that has the same label and was a moment ago. */
void _mt_document_continue (MtDocument  *self,
                            MtDecisions *decisions,
                            const char  *label);

G_END_DECLS
