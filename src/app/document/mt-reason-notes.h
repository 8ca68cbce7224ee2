/* The reason that a customer reads when a term decided, as it is kept among the notes of a document: one text,
 * a JSON object from the term to its reason. Terms are named by their text, so that reasons survive
 * other models that have the same term; "" means that the model's own reason is not wanted. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_NOTE_REASONS "reasons"

/* @notes: what the document has; NULL: none. */
char    *mt_reason_notes_set   (const char  *notes,
                                const char  *term,
                                const char  *reason);
/* The reason of a term, or NULL: neither the notes nor the model have one. */
char    *mt_reason_notes_dup   (const char  *notes,
                                MtModel     *model,
                                guint        term);
/* Terms that have no reason. @model: whose own reasons count as well; NULL: none. */
guint    mt_reason_notes_count_missing (const char      *notes,
                                        MtModel         *model,
                                        const MtRuleSet *rules,
                                        const MtEncoder *encoder);
/* The model with these reasons. */
MtModel *mt_reason_notes_apply (const char  *notes,
                                MtModel     *model,
                                GError     **error);

G_END_DECLS
