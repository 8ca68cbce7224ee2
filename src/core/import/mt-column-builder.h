/* A column while it is being read: takes its cells out of blocks, in order, and becomes an
 * MtColumn when all are there. What it becomes depends on all its cells and on nothing
 * else: not on blocks, threads or the first guess. Where the first guess lost something
 * that the decision needs (numbers lose their text), the builder asks to be read again as
 * text. Private to core. */
#pragma once

#include "mt-cell-reader.h"
#include "data/mt-table.h"
#include "mt-typing.h"

G_BEGIN_DECLS

typedef struct {
  const MtCsvDialect *dialect;
  const char         *unit;      /* mt_schema_get_unit(); NULL: any */
  int             order;         /* of dates, settled before; −1: open */
  MtReadMode      mode;
  guint           format;
  guint           review_levels; /* a dictionary larger than this is reviewed */
  gsize           n_rows, n_allocated;
  double         *numbers;
  guint32        *codes;
  MtDict          dict;
  char           *bytes;
  gsize           n_bytes, bytes_allocated;
  guint64        *offsets;       /* n_rows + 1 */
  guint8         *missing;       /* a bit a row */
  gsize           n_missing;     /* text cells */
  guint32       **maps;          /* by reader: its codes to ours */
  guint          *n_mapped;
  guint           n_readers;
  GArray         *events;        /* of MtCellEvent, by row */
  MtNumberCounts  counts;        /* of cells that became numbers while reading */
  gboolean        keep_text;     /* the user's choice needs the text: never switch to numbers */
  gboolean        keep_codes;    /* … or the levels, however many */
  gsize           wanted_bytes;  /* > 0: this allocation failed */
} MtColumnBuilder;

typedef struct {
  MtColumn        *column;
  MtTypeGuess      guess;
  gboolean         forced;         /* the type is the user's */
  gsize            n_values;
  gsize            n_bad;          /* cells that became missing because they did not fit */
  gsize            n_infinite;
  guint            n_few;          /* distinct numbers when there are at most 12, else 0 */
  gboolean         whole;          /* all numbers are whole */
  gboolean         any_point;      /* of numbers: a text has a point at a digit, if that is wanted to be known */
  gsize            n_inexact;      /* whole numbers beyond 2^53 */
  gboolean         read_again;     /* as text: column is NULL */
} MtColumnResult;

/* @n_columns: of the table that is being read. */
void     mt_column_builder_init   (MtColumnBuilder *builder, MtReadMode mode, guint format, guint n_readers,
                                   guint n_columns, const MtCsvDialect *dialect);
void     mt_column_builder_clear  (MtColumnBuilder *builder);
/* @tokens: what is missing in this column. FALSE when memory ran out. */
gboolean mt_column_builder_append (MtColumnBuilder *builder, const MtCellBlock *block, const MtCellReader *readers,
                                   guint column, const char * const *tokens);
/* So many rows will come, probably: room for them in one go. */
void     mt_column_builder_expect (MtColumnBuilder *builder, gsize n_rows);
/* Between batches: a dictionary that grows too large becomes numbers or text. */
void     mt_column_builder_review (MtColumnBuilder *builder);
/* @type: the user's, or NULL. Consumes what the builder holds. */
void     mt_column_builder_finish (MtColumnBuilder *builder, const char *name, const MtColumnType *type,
                                   MtColumnResult *result);

G_END_DECLS
