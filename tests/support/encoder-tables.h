/* Small tables, encoders fitted to them, and what both must agree on. */
#pragma once

#include "encode/mt-encoder.h"
#include "data/mt-table.h"

G_BEGIN_DECLS

MtColumn *enc_numbers (const char *name, MtColumnType type, const double *values, gsize n);
MtTable *enc_one_column (MtColumn *column);
MtEncoder *enc_fit (const MtTable *table, guint bits);
void enc_assert_texts (const MtEncoder *encoder, const char *expected);
/* Rows on which a plane and the definition differ. */
gsize enc_count_wrong_bits (const MtEncoder *encoder, const MtEncoded *encoded, const MtTable *table, const guint32 *rows);
MtEncoded *enc_apply (const MtEncoder *encoder, const MtTable *table, MtEncodeReport *report);

G_END_DECLS
