/* Models whose names, levels and classes are made to break out of whatever they are written into. */
#pragma once

#include "model/mt-model.h"

G_BEGIN_DECLS

/* Which dialects cannot have such names at all is left to the tests; @gentle leaves out what
 * MariaDB (characters beyond U+FFFF) and PostgreSQL (63 bytes) do not allow. */
MtModel *mt_test_hostile_model (MtTask task, gboolean gentle);

G_END_DECLS
