/* From a table to literals (design: docs/method.md): which yes/no questions are asked of
 * each column, fitted on training rows only, applied to any table with those columns.
 *
 * A column gives one group of literals (mt-encoded.h), in this order:
 *
 *   number, date       x ≥ t for each threshold, ascending; then `x is missing`
 *   category, boolean  x = level for each level; then `x is other`; then `x is missing`
 *
 * `other` and `missing` are there only if the training rows called for them. What a cell
 * means that the training rows had not shown:
 *
 *   an unseen level    `other` if there is such a literal, else no level: all are false
 *   a missing cell     `missing` if there is such a literal, else all are false
 *   a value that the column counts as missing (0 for “unknown”), wherever the cell comes from: a missing cell
 *   ±infinity          every x ≥ t true, or none; as a unary term the training range's end
 *
 * A number is also a unary term, a value times a weight, in up to three shapes: as it is, as a logarithm, and clipped
 * at the ends. Each shape is a rising function of the number, so what holds of directions holds of all of them.
 *
 * A literal is a number; its text is only for people, and never decides anything. */
#pragma once

#include <gio/gio.h>

#include "mt-encoded.h"
#include "data/mt-formula.h"
#include "data/mt-table.h"

G_BEGIN_DECLS

typedef enum {
  MT_QUANTILES_UNIQUE,   /* thresholds at quantiles of the distinct values (default) */
  MT_QUANTILES_ROWS,     /* thresholds at quantiles of the rows */
  MT_QUANTILES_BOTH,     /* half way: a distinct value counts its share of the rows and its share of the values */
} MtQuantiles;

/* What a unary term makes of a number x before it is standardized:
 *
 *   plain     x
 *   log       sign (x − c) · log2 (1 + |x − c|), where c is 0, or the median if there are negative numbers; so
 *             that one unit is one doubling of 1 + |x − c|
 *   clipped   x, but at least the 2.5 % quantile of the training rows and at most the 97.5 % quantile */
typedef enum {
  MT_SHAPE_PLAIN,
  MT_SHAPE_LOG,
  MT_SHAPE_CLIPPED,
  MT_N_SHAPES,
} MtShape;

#define MT_ENCODER_MAX_BITS   250
#define MT_ENCODER_MAX_LEVELS 250
#define MT_ENCODER_MAX_MISSING 1000   /* texts a column that mean missing in it */

typedef struct {
  guint       bits;            /* thresholds a numeric column, at most; 1 … 250 */
  MtQuantiles quantiles;
  double      level_floor;     /* share of rows below which a level joins `other`; 0 … 0.5 */
  guint       max_levels;      /* most frequent levels kept a column; 2 … 250 */
  gboolean    shapes;          /* offer numbers as logarithm and clipped, too, where that makes a difference */
  guint       n_threads;       /* 0: as many as there are; the result is the same for any */
  const char * const *banned;  /* columns that are not to be encoded, NULL-terminated; NULL: none */
  const guint *columns;        /* of the table, ascending: only these; NULL: all features */
  guint        n_columns;
} MtEncoderOptions;

/* All there is to know of a column; also what a model file stores. */
typedef struct {
  char         *name;
  MtColumnType  type;           /* NUMBER, DATE, CATEGORY or BOOLEAN */
  gboolean      has_missing;    /* there is a literal `x is missing` */

  /* NUMBER, DATE */
  double       *thresholds;     /* ascending, finite */
  guint         n_thresholds;
  double        mean, sd;       /* of the training rows; sd 0: no unary term */
  double        min, max;       /* finite training range */

  /* CATEGORY, BOOLEAN */
  char        **levels;         /* NULL-terminated, one literal each */
  char        **rest;           /* NULL-terminated: levels seen in training without a literal of
                                 * their own: the rare ones, or the base of a two-level column */
  gboolean      has_other;      /* the rest, and every unseen level, is the literal `x is other` */

  /* NULL-terminated: texts that mean missing in this column, besides those of its files; NULL: none. One that
   * is a number means that number, however it is written or stored; in a column of dates, that moment. */
  char        **missing_values;
  /* NUMBER: what may stand around a number, as when the training rows were read (mt_column_get_unit()); NULL: nothing. */
  char         *unit;
  /* Of a derived column what it is computed by, bound to the columns of the file; NULL: it is one of the file. */
  MtFormula    *formula;
  /* NUMBER: the other shapes, with mean and sd of the shaped values; sd 0: not offered */
  struct { double mean, sd, center; }    log;
  struct { double mean, sd, low, high; } clipped;
} MtEncoderColumn;

typedef enum {
  MT_LITERAL_AT_LEAST,   /* x ≥ threshold */
  MT_LITERAL_LEVEL,      /* x = level */
  MT_LITERAL_OTHER,      /* x is one of the merged rare levels or was never seen */
  MT_LITERAL_MISSING,    /* x is missing */
} MtLiteralKind;

typedef struct {
  MtLiteralKind  kind;
  guint          group;       /* the same number as the column's */
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
  MtShape  shape;         /* is_numeric */
  double   mean, sd;      /* is_numeric: standardized value = (shaped x - mean) / sd; missing counts as the mean */
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

/* bits 9, unique, floor 0.005, 100 levels */
void             mt_encoder_options_init   (MtEncoderOptions *options);
/* Of the columns that the options allow, those that could carry a literal (element-type guint): features, no text. */
GArray          *mt_encoder_list_features  (const MtTable *table, const MtEncoderOptions *options);
/* Features only; constant columns and free text are left out. @rows NULL: all rows. This and
 * mt_encoder_apply() obey the thread's current GCancellable (g_cancellable_push_current()). */
MtEncoder       *mt_encoder_fit            (const MtTable *table, const guint32 *rows, gsize n_rows,
                                            const MtEncoderOptions *options, GError **error);
/* From its parts, which are copied and trusted in nothing: MT_ERROR_PARSE names the field
 * that is wrong, as in `encoder.columns[2].thresholds[1]`. */
MtEncoder       *mt_encoder_new            (const MtEncoderColumn *columns, guint n_columns, GError **error);
MtEncoder       *mt_encoder_ref            (MtEncoder *encoder);
void             mt_encoder_unref          (MtEncoder *encoder);
gboolean         mt_encoder_equal          (const MtEncoder *a, const MtEncoder *b);
/* Frees what a column holds, not the struct. */
void             mt_encoder_column_clear   (MtEncoderColumn *column);

/* @rows NULL: all rows. Columns are found by name, in any order, among any others. Fails with
 * MT_ERROR_SCHEMA when a column is absent or of another type. @report may be NULL. */
MtEncoded       *mt_encoder_apply          (const MtEncoder *encoder, const MtTable *table,
                                            const guint32 *rows, gsize n_rows,
                                            MtEncodeReport *report, GError **error);
/* The same, for a reader of some columns only: others that are absent count as missing everywhere, and are not counted in
 * the report. @used: by column. */
MtEncoded       *mt_encoder_apply_used     (const MtEncoder *encoder, const MtTable *table, const gboolean *used,
                                            const guint32 *rows, gsize n_rows,
                                            MtEncodeReport *report, GError **error);

/* The code of one cell within its column's group, as mt_encoder_apply() gives it. @value NaN: missing.
 * @standardised: the values of the column's unary terms, in their order; NULL when not wanted. */
guint8           mt_encoder_encode_number  (const MtEncoderColumn *column, double value, double *standardised);
/* The unary terms of a column of numbers, plain first: how many, and which shapes. */
guint            mt_encoder_column_get_shapes (const MtEncoderColumn *column, MtShape shapes[MT_N_SHAPES]);
/* @value in that shape; finite, if the value is not missing. */
double           mt_encoder_column_shape   (const MtEncoderColumn *column, MtShape shape, double value);
const char      *mt_shape_to_string        (MtShape shape);    /* as in model files: plain, log, clipped */
gboolean         mt_shape_from_string      (const char *text, MtShape *shape);
guint8           mt_encoder_encode_level   (const MtEncoderColumn *column, const char *level);   /* NULL: missing */

guint            mt_encoder_get_n_columns  (const MtEncoder *encoder);
const MtEncoderColumn *
                 mt_encoder_get_column     (const MtEncoder *encoder, guint column);
const char      *mt_encoder_get_column_name (const MtEncoder *encoder, guint column);
MtColumnType     mt_encoder_get_column_type (const MtEncoder *encoder, guint column);
guint            mt_encoder_get_n_literals (const MtEncoder *encoder);
const MtLiteral *mt_encoder_get_literal    (const MtEncoder *encoder, guint literal);
const MtGroup   *mt_encoder_get_groups     (const MtEncoder *encoder);
guint            mt_encoder_get_n_unary    (const MtEncoder *encoder);
const MtUnary   *mt_encoder_get_unary      (const MtEncoder *encoder, guint index);
guint            mt_encoder_get_n_numeric  (const MtEncoder *encoder);    /* numeric unary terms */
/* The value of its column at which a numeric term adds nothing: the mean, of a log the value whose log is the mean. */
double           mt_encoder_get_zero       (const MtEncoder *encoder, const MtUnary *unary);
/* By the index of a numeric unary term. Terms of one column stand together, the plain one first. */
const MtUnary   *mt_encoder_get_numeric    (const MtEncoder *encoder, guint numeric);

/* Does the column count the value, the level, as missing? NaN and NULL are. */
gboolean         mt_encoder_column_lacks_number (const MtEncoderColumn *column, double value);
gboolean         mt_encoder_column_lacks_level  (const MtEncoderColumn *column, const char *level);

/* For people: `Age ≥ 55`, negated `Age < 55` (`Age < 55 or missing` where missing occurs),
 * `Color = "red"`, `Color ≠ "red"`, `Color is other`, `Color is not other`, `x is missing`,
 * `x is present`. A name that could be mistaken for anything else stands in quotes. */
char            *mt_encoder_dup_literal_text (const MtEncoder *encoder, guint literal, gboolean negated);
/* A numeric term as a formula: `Age`, `log2(1 + Income)`, `±log2(1 + |Balance − 40|)` if there are
 * negative numbers, `clip(Age, 22, 67)`. */
char            *mt_encoder_dup_numeric_text (const MtEncoder *encoder, const MtUnary *unary);
/* A column's name as it stands in a literal's text, and a numeric value as it stands there. */
char            *mt_encoder_dup_column_text (const MtEncoder *encoder, guint column);
char            *mt_encoder_dup_value_text (const MtEncoder *encoder, guint column, double value);

/* Can a row have @code in @group? All codes but one can occur: with both `other` and `missing`
 * every cell makes some literal of the group true. */
gboolean         mt_encoder_code_is_possible (const MtEncoder *encoder, guint group, guint code);

#define MT_ENCODER_MAX_INPUTS 16

/* Bit v of @words is set iff no conceivable row gives the inputs the values v, where bit i of v
 * is literals[i]. @n_literals ≤ MT_ENCODER_MAX_INPUTS; @words has max (1, 2^n_literals / 64)
 * words; bits past 2^n_literals are zero. */
void             mt_encoder_impossible     (const MtEncoder *encoder, const guint *literals, guint n_literals,
                                            guint64 *words);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtEncoder, mt_encoder_unref)

G_END_DECLS
