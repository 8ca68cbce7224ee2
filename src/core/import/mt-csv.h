/* From bytes to cells. A reader decodes the bytes to UTF-8 and hands them out in blocks of
 * whole records, a tokeniser (libcsv in strict mode) cuts a block into fields. Blocks can be
 * tokenised side by side: a line end outside quotes ends a record, and "outside quotes" is
 * the parity of the quotes seen so far as long as libcsv finds nothing wrong, so the first
 * error in block order is the one that a single sequential reading would find.
 * Private to core. */
#pragma once

#include <csv.h>
#include <gio/gio.h>

#include "mt-csv-source.h"

G_BEGIN_DECLS

/* What stops the text right behind a block's last byte. */
typedef enum {
  MT_CSV_NO_PROBLEM,
  MT_CSV_PROBLEM_NUL,          /* a NUL byte */
  MT_CSV_PROBLEM_UTF8,         /* not UTF-8 */
  MT_CSV_PROBLEM_ENCODING,     /* not text in the encoding given */
  MT_CSV_PROBLEM_FIELD_SIZE,   /* a field that does not end within the limit */
} MtCsvProblem;

typedef struct {
  char         *text;
  gsize         length;
  gsize         capacity;       /* at least MT_CSV_PADDING more than length */
  gboolean      last;
  MtCsvProblem  problem;
  guint8        problem_byte;
} MtCsvBlock;

#define MT_CSV_PADDING 64

typedef struct _MtCsvReader MtCsvReader;

/* @encoding NULL: UTF-8, of which a BOM is dropped. @quote 0: none. */
MtCsvReader *mt_csv_reader_new       (MtCsvSource *source, const char *encoding, char quote, gsize chunk_size,
                                      GCancellable *cancellable, GError **error);
void         mt_csv_reader_free      (MtCsvReader *reader);
/* The first bytes, undecoded, up to 64 KiB. */
const char  *mt_csv_reader_peek_head (const MtCsvReader *reader, gsize *length);
guint64      mt_csv_reader_get_n_bytes (const MtCsvReader *reader);
/* The next whole records; fails only on I/O. After @last, or a problem, there is no more. */
gboolean     mt_csv_reader_next      (MtCsvReader *reader, MtCsvBlock *block,
                                      GCancellable *cancellable, GError **error);
gboolean     mt_csv_reader_finish    (MtCsvReader *reader, char **sha256, GError **error);

void         mt_csv_block_clear      (MtCsvBlock *block);
/* Cuts the block at its first NUL or byte that is not UTF-8, and says so in its problem. */
void         mt_csv_block_check      (MtCsvBlock *block);

/* What one look at a text tells. */
typedef struct {
  guint64  n_lines;       /* physical lines that end in it: LF, CRLF and CR each end one */
  gboolean not_ascii;     /* or a NUL: to be checked */
} MtCsvScan;

void         mt_csv_scan             (const char *text, gsize length, MtCsvScan *scan);

gsize        mt_csv_count_bytes      (const char *text, gsize length, char c);
/* Physical lines that end in @text: LF, CRLF and CR each end one. */
guint64      mt_csv_count_lines      (const char *text, gsize length);
gboolean     mt_csv_is_blank         (const char *text, gsize length);

typedef struct {
  guint64 record;    /* of records that are not blank, 0-based */
  guint64 line;      /* where it starts, 0-based within the text */
  gsize   offset;
  guint64 quote_line;/* line of the last quote that opened before the point asked for */
} MtCsvPlace;

/* Where the record that holds byte @offset starts; slow, for messages. */
void         mt_csv_locate           (const char *text, gsize length, char quote, gsize offset,
                                      MtCsvPlace *place);
/* Calls @func for each record that is not empty, with its first byte's offset and line. Lines
 * of blanks alone are left out, where @delimiter (0: none) is no blank. */
typedef void (*MtCsvRecordFunc) (gsize offset, guint64 line, gpointer data);
void         mt_csv_walk_records     (const char *text, gsize length, char quote, char delimiter,
                                      MtCsvRecordFunc func, gpointer data);

typedef struct {
  struct csv_parser parser;
  char              delimiter;
  char              quote;
} MtCsvTokenizer;

typedef enum {
  MT_CSV_TOKENS_OK,
  MT_CSV_TOKENS_STRAY_QUOTE,   /* a quote inside an unquoted field, or text behind a closing quote */
  MT_CSV_TOKENS_OPEN_QUOTE,    /* the text ends inside quotes */
  MT_CSV_TOKENS_NO_MEMORY,     /* for a field */
} MtCsvTokens;

/* Fields come with MT_CSV_PADDING readable bytes behind them. */
void         mt_csv_tokenizer_init   (MtCsvTokenizer *tokenizer, char delimiter, char quote);
void         mt_csv_tokenizer_clear  (MtCsvTokenizer *tokenizer);
/* Cuts whole records; @complete FALSE when the text stops short of a record's end. */
MtCsvTokens  mt_csv_tokenizer_run    (MtCsvTokenizer *tokenizer, const char *text, gsize length,
                                      gboolean complete,
                                      void (*field) (void *text, size_t length, void *data),
                                      void (*record) (int c, void *data),
                                      void *data, gsize *error_offset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCsvReader, mt_csv_reader_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtCsvBlock, mt_csv_block_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtCsvTokenizer, mt_csv_tokenizer_clear)

G_END_DECLS
