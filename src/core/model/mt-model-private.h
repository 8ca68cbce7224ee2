/* What writing and reading a model's file share. */
#pragma once

#include "base/mt-json.h"
#include "base/mt-json-cursor.h"
#include "mt-model.h"

G_BEGIN_DECLS

#define MT_MODEL_HASH_NAME "sha256:"

/* Members of a rule, by MtDontCare. */
extern const char * const mt_model_dont_care_names[MT_N_DONT_CARES];

/* The member "origin" of a rule. Reading: it is there, and what is wrong with it is named. */
void     mt_model_write_origin (MtJsonWriter *writer, const MtOrigin *origin);
gboolean mt_model_read_origin  (const MtJsonCursor *rule, const MtEncoder *encoder, MtOrigin **origin, GError **error);

G_END_DECLS
