/* What writing and reading a model's file share. */
#pragma once

#include "mt-model.h"

G_BEGIN_DECLS

#define MT_MODEL_HASH_NAME "sha256:"

/* Members of a rule, by MtDontCare. */
extern const char * const mt_model_dont_care_names[MT_N_DONT_CARES];

G_END_DECLS
