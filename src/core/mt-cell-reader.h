/* From a block of text to typed cells: what each thread of an import does. Private to core.
 *
 * The cells of a block lie row by row, eight bytes each: a number, a code of the reader's own
 * dictionary, or a piece of the block's text. mt-column-builder takes them apart by columns. */
#pragma once

#include "mt-csv.h"
#include "mt-dict.h"
#include "mt-import.h"

G_BEGIN_DECLS

/* How a column is read. Only numbers lose the text they were written as. */
typedef enum {
  MT_READ_NUMBERS,
  MT_READ_CODES,
  MT_READ_TEXT,
  MT_READ_SKIP,
} MtReadMode;

typedef struct {
  MtReadMode          mode;
  guint               format;    /* numbers: index into mt_number_formats */
  const char * const *tokens;    /* missing, by column */
  gboolean            number_tokens; /* one of them is a number */
} MtColumnPlan;

typedef struct {
  guint32 offset;
  guint32 length;    /* MT_CODE_MISSING: missing */
} MtTextCell;

typedef union {
  double     number;   /* NaN: missing */
  guint64    code;     /* MT_CODE_MISSING: missing */
  MtTextCell text;
} MtCell;

typedef enum {
  MT_CELL_BAD,         /* no number */
  MT_CELL_INFINITE,
} MtCellEventKind;

typedef struct {
  guint64          row;      /* in the block; in the table once merged */
  guint            column;
  MtCellEventKind  kind;
  char            *text;
} MtCellEvent;

typedef enum {
  MT_RECORD_SHORT,     /* fewer fields than columns */
  MT_RECORD_PADDED,    /* more, but the further ones are empty */
  MT_RECORD_LONG,      /* more */
} MtRaggedKind;

typedef struct {
  guint64      row;
  guint        n_fields;
  MtRaggedKind kind;
} MtRagged;

/* Counts by column of what numbers could not hold; the sums do not depend on the threads. */
typedef struct {
  gsize n_missing;
  gsize n_bad;           /* neither number nor missing */
  gsize n_infinite;
  gsize n_leading_zero;
  gsize n_other_format;  /* of the bad: numbers in another format */
  guint n_events;
} MtNumberCounts;

/* The first so many events of a column are kept; all are counted. */
#define MT_MAX_EVENTS 64

typedef struct {
  MtCsvBlock    block;
  gsize         skip;        /* bytes in front that were dealt with before */
  MtCell       *cells;       /* n_rows × n_columns */
  gsize         n_rows;
  gsize         n_allocated; /* cells */
  char         *text;        /* what text cells point into */
  gsize         n_text, text_allocated;
  GArray       *events;      /* of MtCellEvent */
  GArray       *ragged;      /* of MtRagged: all that are long, the first of the others */
  gsize         n_ragged[3]; /* by kind */
  guint64       n_lines;
  MtCsvTokens   tokens;
  gsize         error_offset;
  gboolean      too_long;    /* a field beyond MT_CSV_MAX_FIELD … */
  gsize         too_long_row;/* … here */
  gboolean      no_memory;
  guint         reader;      /* who read it: whose dictionary its codes are of */
} MtCellBlock;

typedef struct {
  guint               index;
  guint               n_columns;
  const MtColumnPlan *plans;
  const MtCsvDialect *dialect;
  MtCsvTokenizer      tokenizer;
  MtDict             *dicts;     /* by column */
  MtNumberCounts     *counts;    /* by column */

  /* While a block is read. */
  MtCellBlock        *block;
  MtCell             *row;
  guint               column;
  gboolean            first_blank;
  gboolean            extra_text;
} MtCellReader;

void mt_cell_reader_init  (MtCellReader *reader, guint index, guint n_columns, const MtColumnPlan *plans,
                           const MtCsvDialect *dialect);
void mt_cell_reader_clear (MtCellReader *reader);
/* Checks the block's text, cuts it and types its cells; what is wrong is left in the block. */
void mt_cell_reader_run   (MtCellReader *reader, MtCellBlock *block);

void mt_cell_block_clear  (MtCellBlock *block);

G_END_DECLS
