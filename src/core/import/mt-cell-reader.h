/* From a block of text to typed cells: what each thread of an import does. Private to core.
 *
 * First the whole block is cut, which gives an offset and a length a field, column by column;
 * then each column is typed in one go, in place: numbers, entries of the reader's own
 * dictionary, or still pieces of the text. mt-column-builder takes them. */
#pragma once

#include "mt-csv.h"
#include "mt-dict.h"
#include "mt-csv-dialect.h"

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
  gboolean            number_tokens; /* one of them may be a number */
  gboolean            note_points;   /* any_point of the counts is wanted */
} MtColumnPlan;

typedef struct {
  guint32 offset;    /* in the block as read, or in what was unescaped of it */
  guint32 length;    /* MT_CODE_MISSING: missing; MT_TEXT_UNESCAPED may be set */
} MtTextCell;

#define MT_TEXT_UNESCAPED (1u << 30)   /* no field is so long */

/* A column of a block, by the mode it was read in: double (NaN: missing), guint32 (an entry
 * of the dictionary, MT_CODE_MISSING: missing) or MtTextCell. */
#define MT_CELL_SIZE 8

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
  MT_SEARCH_RECORD_SHORT,     /* fewer fields than columns */
  MT_SEARCH_RECORD_PADDED,    /* more, but the further ones are empty */
  MT_SEARCH_RECORD_LONG,      /* more */
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
  gsize n_other_format;  /* of the bad: numbers in another format, or with a unit */
  gsize n_nothings;      /* of the bad: words for nothing */
  guint n_events;
  gboolean any_point;    /* mt_type_has_point() of any cell, if the plan asks for it */
} MtNumberCounts;

/* The first so many events of a column are kept; all are counted. */
#define MT_MAX_EVENTS 64

typedef struct {
  MtCsvBlock    block;
  gsize         skip;        /* bytes in front that were dealt with before */
  char         *cells;       /* n_columns × row_capacity × MT_CELL_SIZE */
  gsize         n_rows;
  gsize         row_capacity;
  gsize         n_allocated; /* bytes of cells */
  char         *unescaped;   /* text cells that had doubled quotes in them */
  gsize         n_unescaped, unescaped_allocated;
  GArray       *events;      /* of MtCellEvent */
  GArray       *ragged;      /* of MtRagged: all that are long, the first of the others */
  gsize         n_ragged[3]; /* by kind */
  guint64       n_lines;
  MtCsvTokens   tokens;
  gsize         error_offset;
  gboolean      too_long;    /* a field beyond MT_CSV_MAX_FIELD … */
  gsize         too_long_row;/* … here */
  gsize         wanted_bytes;/* > 0: this allocation failed */
  guint         reader;      /* who read it: whose dictionary its codes are of */
} MtCellBlock;

typedef struct {
  guint               index;
  guint               n_columns;
  const MtColumnPlan *plans;     /* may change between blocks */
  const MtCsvDialect *dialect;
  MtCsvTokenizer      tokenizer;
  gboolean            by_libcsv; /* all records, for tests */
  MtColumnPlan       *followed;  /* the plans as they were for the block before */
  MtDict             *dicts;     /* by column */
  MtNumberCounts     *counts;    /* by column */

  /* While a block is cut. libcsv says how long fields are; they are read where they lie and
   * not from libcsv's copy, which was written byte by byte just now: a processor stalls when
   * it loads a word over stores that are still under way. */
  MtCellBlock        *block;
  const char         *at;        /* the next field in the block */
  MtTextCell         *cell;      /* where it goes */
  gsize               row;
  guint               column;
  gboolean            extra_text;
} MtCellReader;

void mt_cell_reader_init  (MtCellReader *reader, guint index, guint n_columns, const MtColumnPlan *plans,
                           const MtCsvDialect *dialect);
void mt_cell_reader_clear (MtCellReader *reader);
/* Checks the block's text, cuts it and types its cells; what is wrong is left in the block. */
void mt_cell_reader_run   (MtCellReader *reader, MtCellBlock *block);

void mt_cell_block_clear  (MtCellBlock *block);
/* The first half of mt_cell_reader_run: every cell is an MtTextCell. In mt-cell-cutter.c. */
void mt_cell_reader_cut   (MtCellReader *reader, const char *text, gsize length, gboolean complete);

static inline gpointer
mt_cell_block_get_column (const MtCellBlock *block,
                          guint              column)
{
  return block->cells + column * block->row_capacity * MT_CELL_SIZE;
}

/* NULL: missing. */
static inline const char *
mt_cell_block_get_text (const MtCellBlock *block,
                        const MtTextCell  *cell,
                        gsize             *length)
{
  *length = 0;
  if (cell->length == MT_CODE_MISSING)
    return NULL;
  *length = cell->length & ~MT_TEXT_UNESCAPED;
  return (cell->length & MT_TEXT_UNESCAPED ? block->unescaped : block->block.text) + cell->offset;
}

G_END_DECLS
