/* Models of the sample tables, plain and with everything that a file may hold, and files of them with another text under a
 * seal that fits. */
#pragma once

#include "model/mt-model.h"

G_BEGIN_DECLS

MtModel *model_make (MtTask task);
/* @text with the right checksum for what it says: the validator behind the seal is the one
 * under test. */
char *model_reseal (const char *text, gsize length, gsize *n_out);
/* The same with everything that a file need not have: constraints, tokens, reasons, and assignments of all three kinds. */
MtModel *model_make_full (MtTask task);

G_END_DECLS
