/* From a table to literals (design: docs/method.md): which yes/no questions are asked of
 * each column, fitted on training rows only, applied to any table with those columns. */
#pragma once

#include <gio/gio.h>

#include "mt-encoded.h"
#include "mt-table.h"

G_BEGIN_DECLS

typedef enum {
  MT_QUANTILES_UNIQUE,   /* thresholds at quantiles of the distinct values (default) */
  MT_QUANTILES_ROWS,     /* thresholds at quantiles of the rows */
} MtQuantiles;

typedef struct {
  guint       bits;            /* thresholds a numeric column, at most; 1 … 250 */
  MtQuantiles quantiles;
  double      level_floor;     /* share of rows below which a level joins `other`; 0 … 0.5 */
  guint       max_levels;      /* most frequent levels kept a column; 2 … 250 */
} MtEncoderOptions;

typedef enum {
  MT_LITERAL_AT_LEAST,   /* x ≥ threshold */
  MT_LITERAL_LEVEL,      /* x = level */
  MT_LITERAL_OTHER,      /* x is one of the merged rare levels or was never seen */
  MT_LITERAL_MISSING,    /* x is missing */
} MtLiteralKind;

typedef struct {
  MtLiteralKind  kind;
  guint          group;
  guint          column;      /* index among the encoder's columns */
  double         threshold;   /* AT_LEAST */
  const char    *level;       /* LEVEL; borrowed */
} MtLiteral;

/* A unary term: a number in raw units, or a literal. */
typedef struct {
  guint    column;        /* index among the encoder's columns */
  gboolean is_numeric;
  guint    numeric;       /* is_numeric: index into MtEncoded's numeric columns */
  guint    literal;       /* otherwise: literal id */
  double   mean, sd;      /* is_numeric: standardised value = (x - mean) / sd; missing counts as the mean */
} MtUnary;

/* What happened to values the training rows had not shown. */
typedef struct {
  gsize n_rows;
  gsize n_unknown_levels;    /* cells whose level was never seen */
  gsize n_missing;           /* missing cells among the encoder's columns */
  gsize n_unexpected_missing;/* of these, in columns without a missing literal */
  gsize n_out_of_range;      /* numbers below the training minimum or above its maximum */
} MtEncodeReport;

typedef struct _MtEncoder MtEncoder;   /* immutable, refcounted */

void             mt_encoder_options_init   (MtEncoderOptions *options);   /* bits 9, unique, floor 0.005, 100 levels */
MtEncoder       *mt_encoder_fit            (const MtTable *table, const guint32 *rows, gsize n_rows,
                                            const MtEncoderOptions *options, GError **error);
MtEncoder       *mt_encoder_ref            (MtEncoder *encoder);
void             mt_encoder_unref          (MtEncoder *encoder);
/* @rows NULL: all rows. Fails with MT_ERROR_SCHEMA when a column is absent or of another type. */
MtEncoded       *mt_encoder_apply          (const MtEncoder *encoder, const MtTable *table,
                                            const guint32 *rows, gsize n_rows,
                                            MtEncodeReport *report, GError **error);

guint            mt_encoder_get_n_columns  (const MtEncoder *encoder);
const char      *mt_encoder_get_column_name (const MtEncoder *encoder, guint column);
MtColumnType     mt_encoder_get_column_type (const MtEncoder *encoder, guint column);
guint            mt_encoder_get_n_literals (const MtEncoder *encoder);
const MtLiteral *mt_encoder_get_literal    (const MtEncoder *encoder, guint literal);
guint            mt_encoder_get_n_groups   (const MtEncoder *encoder);
const MtGroup   *mt_encoder_get_groups     (const MtEncoder *encoder);
guint            mt_encoder_get_n_unary    (const MtEncoder *encoder);
const MtUnary   *mt_encoder_get_unary      (const MtEncoder *encoder, guint index);

/* For people: `Age ≥ 55`, negated `Age < 55` (`Age < 55 or missing` where missing occurs). */
char            *mt_encoder_dup_literal_text (const MtEncoder *encoder, guint literal, gboolean negated);
/* The way back, for files and tests: FALSE when the text is no literal of this encoder. */
gboolean         mt_encoder_parse_literal  (const MtEncoder *encoder, const char *text,
                                            guint *literal, gboolean *negated);

/* Can @a (with polarity @a_true) and @b (with polarity @b_true) hold in one conceivable row? */
gboolean         mt_encoder_compatible     (const MtEncoder *encoder, guint a, gboolean a_true,
                                            guint b, gboolean b_true);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtEncoder, mt_encoder_unref)

G_END_DECLS
