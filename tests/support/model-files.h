/* Models of the sample tables, plain and with everything that a file may hold. */
#pragma once

#include "model/mt-model.h"
#include "model-seal.h"

G_BEGIN_DECLS

MtModel *model_make (MtTask task);
/* The same with everything that a file need not have: constraints, tokens, reasons, and assignments of all three kinds. */
MtModel *model_make_full (MtTask task);

G_END_DECLS
