/* What fitting and encoding share. */
#pragma once

#include "mt-encoder.h"

G_BEGIN_DECLS

/* Cells of rows[first] … rows[first + n - 1] (@rows NULL: of first … first + n - 1). */
void mt_encoder_read_numbers (const MtColumn *column, const guint32 *rows, gsize first, gsize n, double *out);
void mt_encoder_read_codes   (const MtColumn *column, const guint32 *rows, gsize first, gsize n,
                              guint32 *out);

/* Makes NaN of the numbers that the column counts as missing. */
void mt_encoder_drop_missing (const MtEncoderColumn *column, double *values, gsize n);

G_END_DECLS
