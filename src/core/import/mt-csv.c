/* From bytes to cells. See mt-csv.h. */
#include "config.h"
#include "mt-csv.h"

#include <errno.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-csv-dialect.h"

#define HEAD_SIZE (64u * 1024)
/* A record may be longer than a field, but not without end. */
#define MAX_RECORD (256u * 1024 * 1024)

struct _MtCsvReader {
  MtCsvPass *pass;
  char       quote;
  gsize      chunk_size;
  GIConv     converter;        /* (GIConv) -1: the bytes are UTF-8 already */

  char      *head;             /* read ahead for detection, then handed out first */
  gsize      head_length, head_start;

  char      *input;            /* what iconv has not taken yet */
  gsize      n_input;

  char      *tail;             /* behind the last record end of the block before */
  gsize      n_tail, tail_capacity;
  gboolean   tail_open;        /* ends inside quotes */

  gboolean   at_end;
  MtCsvProblem problem;
  guint8     problem_byte;
};

/* The end of the last record in text[from … n), or 0. A CR at the very end decides nothing
 * yet: an LF may follow. */
static gsize
last_record_end (const char *text,
                 gsize       from,
                 gsize       n,
                 char        quote,
                 gboolean    open_at_end)
{
  gboolean open = open_at_end;

  for (gsize i = n; i > from; i--)
    {
      char c = text[i - 1];

      if (c == quote && quote != 0)
        open = !open;
      else if (!open && (c == '\n' || (c == '\r' && i < n)))
        return i;
    }
  return 0;
}

/* --- reading --- */

static gboolean
is_utf8 (const char *encoding)
{
  return encoding == NULL || g_ascii_strcasecmp (encoding, "UTF-8") == 0 ||
         g_ascii_strcasecmp (encoding, "UTF8") == 0;
}

MtCsvReader *
mt_csv_reader_new (MtCsvSource   *source,
                   const char    *encoding,
                   char           quote,
                   gsize          chunk_size,
                   GCancellable  *cancellable,
                   GError       **error)
{
  g_autoptr (MtCsvReader) reader = g_new0 (MtCsvReader, 1);
  const char *skip = NULL;

  reader->converter = (GIConv) -1;
  reader->quote = quote;
  reader->chunk_size = chunk_size;
  if (mt_csv_source_get_size (source) > 0 && mt_csv_source_get_size (source) < chunk_size)
    reader->chunk_size = (gsize) mt_csv_source_get_size (source) + 1;   /* the end shows at once */
  if (!is_utf8 (encoding))
    {
      reader->converter = g_iconv_open ("UTF-8", encoding);
      if (reader->converter == (GIConv) -1)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("Unknown encoding “%s”; try UTF-8, UTF-16LE, ISO-8859-1, or WINDOWS-1252"), encoding);
          return NULL;
        }
    }
  reader->pass = mt_csv_pass_new (source, cancellable, error);
  if (reader->pass == NULL)
    return NULL;

  reader->head = g_malloc (HEAD_SIZE);
  while (reader->head_length < HEAD_SIZE)
    {
      gsize want = HEAD_SIZE - reader->head_length;
      gssize n = mt_csv_pass_read (reader->pass, reader->head + reader->head_length,
                                   MIN (want, reader->chunk_size), cancellable, error);

      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      reader->head_length += (gsize) n;
    }
  if (is_utf8 (encoding))
    skip = "\xef\xbb\xbf";
  else if (g_ascii_strcasecmp (encoding, "UTF-16LE") == 0)
    skip = "\xff\xfe";
  else if (g_ascii_strcasecmp (encoding, "UTF-16BE") == 0)
    skip = "\xfe\xff";
  /* More than one where files with a BOM each were put together. */
  while (skip != NULL && reader->head_length - reader->head_start >= strlen (skip) &&
         memcmp (reader->head + reader->head_start, skip, strlen (skip)) == 0)
    reader->head_start += strlen (skip);
  return g_steal_pointer (&reader);
}

void
mt_csv_reader_free (MtCsvReader *reader)
{
  if (reader == NULL)
    return;
  mt_csv_pass_free (reader->pass);
  if (reader->converter != (GIConv) -1)
    g_iconv_close (reader->converter);
  g_free (reader->head);
  g_free (reader->input);
  g_free (reader->tail);
  g_free (reader);
}

const char *
mt_csv_reader_peek_head (const MtCsvReader *reader,
                         gsize             *length)
{
  *length = reader->head_length;
  return reader->head;
}

guint64
mt_csv_reader_get_n_bytes (const MtCsvReader *reader)
{
  return mt_csv_pass_get_n_bytes (reader->pass);
}

void
mt_csv_block_clear (MtCsvBlock *block)
{
  g_clear_pointer (&block->text, g_free);
  memset (block, 0, sizeof *block);
}

static gboolean
reserve (MtCsvBlock  *block,
         gsize        length,
         GError     **error)
{
  gsize capacity;
  char *text;

  if (length + MT_CSV_PADDING <= block->capacity)
    return TRUE;
  capacity = MAX (length + length / 2, 4096) + MT_CSV_PADDING;
  text = g_try_realloc (block->text, capacity);
  if (text == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("Not enough memory: %zu MB more are needed to read "
                                                       "the file"), capacity / 1000000 + 1);
      return FALSE;
    }
  block->text = text;
  block->capacity = capacity;
  return TRUE;
}

static gssize
read_bytes (MtCsvReader   *reader,
            char          *buffer,
            gsize          size,
            GCancellable  *cancellable,
            GError       **error)
{
  if (reader->head_start < reader->head_length)
    {
      gsize n = MIN (size, reader->head_length - reader->head_start);

      memcpy (buffer, reader->head + reader->head_start, n);
      reader->head_start += n;
      return (gssize) n;
    }
  return mt_csv_pass_read (reader->pass, buffer, size, cancellable, error);
}

/* Appends what iconv makes of the next bytes. */
static gboolean
append_converted (MtCsvReader   *reader,
                  MtCsvBlock    *block,
                  GCancellable  *cancellable,
                  GError       **error)
{
  gsize size = MAX (reader->chunk_size, 16);
  gssize n;
  char *in, *out;
  gsize in_left, out_left;

  if (reader->input == NULL)
    reader->input = g_malloc (size + 16);
  n = read_bytes (reader, reader->input + reader->n_input, reader->chunk_size, cancellable, error);
  if (n < 0)
    return FALSE;
  reader->at_end = n == 0;
  reader->n_input += (gsize) n;
  /* No encoding needs more than four bytes of UTF-8 for one of its own. */
  if (!reserve (block, block->length + reader->n_input * 4 + 16, error))
    return FALSE;
  in = reader->input;
  in_left = reader->n_input;
  out = block->text + block->length;
  out_left = block->capacity - MT_CSV_PADDING - block->length;
  if (in_left > 0 && g_iconv (reader->converter, &in, &in_left, &out, &out_left) == (gsize) -1 &&
      (errno != EINVAL || reader->at_end))
    {
      reader->problem = MT_CSV_PROBLEM_ENCODING;
      reader->problem_byte = (guint8) *in;
      reader->at_end = TRUE;
    }
  if (reader->at_end)
    g_iconv (reader->converter, NULL, NULL, &out, &out_left);
  block->length = (gsize) (out - block->text);
  memmove (reader->input, in, in_left);
  reader->n_input = in_left;
  return TRUE;
}

static gboolean
append_text (MtCsvReader   *reader,
             MtCsvBlock    *block,
             GCancellable  *cancellable,
             GError       **error)
{
  gssize n;

  if (reader->converter != (GIConv) -1)
    return append_converted (reader, block, cancellable, error);
  if (!reserve (block, block->length + reader->chunk_size, error))
    return FALSE;
  n = read_bytes (reader, block->text + block->length, reader->chunk_size, cancellable, error);
  if (n < 0)
    return FALSE;
  reader->at_end = n == 0;
  block->length += (gsize) n;
  return TRUE;
}

/* Inside a record that goes on and on: has a quoted field, or an unquoted line, passed its limit? */
static gboolean
too_long (const MtCsvBlock *block,
          char              quote,
          gboolean          open)
{
  gsize run = 0;

  if (block->length > MAX_RECORD)
    return TRUE;
  if (!open)
    return FALSE;
  /* The field began where the parity turned odd for good; doubled quotes count once. */
  for (gsize i = block->length; i > 0; i--)
    {
      if (block->text[i - 1] == quote)
        {
          if (i < 2 || block->text[i - 2] != quote)
            break;
          i--;
        }
      run++;
    }
  return run > MT_CSV_MAX_FIELD;
}

gboolean
mt_csv_reader_next (MtCsvReader   *reader,
                    MtCsvBlock    *block,
                    GCancellable  *cancellable,
                    GError       **error)
{
  gsize end = 0;
  gsize limit = MT_CSV_MAX_FIELD;
  gboolean open = reader->tail_open;

  block->length = 0;
  block->last = FALSE;
  block->problem = MT_CSV_NO_PROBLEM;
  if (!reserve (block, reader->n_tail, error))
    return FALSE;
  if (reader->n_tail > 0)
    memcpy (block->text, reader->tail, reader->n_tail);
  block->length = reader->n_tail;
  reader->n_tail = 0;

  while (!reader->at_end && (end == 0 || block->length < reader->chunk_size))
    {
      gsize before = block->length;
      gsize found;

      if (!append_text (reader, block, cancellable, error))
        return FALSE;
      if (reader->quote != 0 &&
          mt_csv_count_bytes (block->text + before, block->length - before, reader->quote) % 2 == 1)
        open = !open;
      found = last_record_end (block->text, before > 0 ? before - 1 : 0, block->length, reader->quote, open);
      end = found > 0 ? found : end;
      if (end == 0 && block->length > limit)
        {
          if (too_long (block, reader->quote, open))
            {
              block->problem = MT_CSV_PROBLEM_FIELD_SIZE;
              block->last = TRUE;
              reader->at_end = TRUE;
              return TRUE;
            }
          limit = block->length * 2;
        }
    }
  if (reader->at_end)
    {
      block->last = TRUE;
      block->problem = reader->problem;
      block->problem_byte = reader->problem_byte;
      return TRUE;
    }

  reader->n_tail = block->length - end;
  reader->tail_open = open;
  if (reader->n_tail > reader->tail_capacity)
    {
      reader->tail_capacity = reader->n_tail * 2;
      reader->tail = g_realloc (reader->tail, reader->tail_capacity);
    }
  if (reader->n_tail > 0)
    memcpy (reader->tail, block->text + end, reader->n_tail);
  block->length = end;
  return TRUE;
}

gboolean
mt_csv_reader_finish (MtCsvReader  *reader,
                      char        **sha256,
                      GError      **error)
{
  return mt_csv_pass_finish (reader->pass, sha256, error);
}

/* --- tokenising --- */

#define FIELD_STEP 128

static size_t
padded_size (size_t size)
{
  size_t n = 256;

  while (n < size + MT_CSV_PADDING)
    n *= 2;
  return n;
}

/* libcsv lets its field buffer grow by FIELD_STEP at a time, which for a long field is a copy
 * every time in the worst case: it gets the next power of two, with padding, and as long as
 * that holds, the same memory. */
static void *
padded_realloc (void   *memory,
                size_t  size)
{
  size_t n = padded_size (size);

  if (memory != NULL && size > FIELD_STEP && padded_size (size - FIELD_STEP) == n)
    return memory;
  return g_try_realloc (memory, n);
}

static int
never_a_space (unsigned char c)
{
  return 0;
}

void
mt_csv_tokenizer_init (MtCsvTokenizer *tokenizer,
                       char            delimiter,
                       char            quote)
{
  tokenizer->delimiter = delimiter;
  tokenizer->quote = quote;
  csv_init (&tokenizer->parser, CSV_STRICT | CSV_STRICT_FINI);
  csv_set_blk_size (&tokenizer->parser, FIELD_STEP);
  csv_set_realloc_func (&tokenizer->parser, padded_realloc);
  csv_set_delim (&tokenizer->parser, (unsigned char) delimiter);
  csv_set_quote (&tokenizer->parser, (unsigned char) quote);
}

void
mt_csv_tokenizer_clear (MtCsvTokenizer *tokenizer)
{
  csv_free (&tokenizer->parser);
}

/* Is there a blank @c outside quotes that touches a delimiter, a quote, a line end or an end
 * of the text? */
static gboolean
blank_at_edge (const char *text,
               gsize       length,
               char        c,
               char        delimiter,
               char        quote)
{
  const char *end = text + length;
  const char *done = text;
  gboolean open = FALSE;

  if (c == delimiter)
    return FALSE;
  for (const char *p = text; p < end && (p = memchr (p, c, (gsize) (end - p))) != NULL; p++)
    {
      char before = p > text ? p[-1] : '\n';
      char after = p + 1 < end ? p[1] : '\n';

      if (before != delimiter && before != '\n' && before != '\r' && before != quote &&
          after != delimiter && after != '\n' && after != '\r' && after != quote)
        continue;
      if (quote != 0 && mt_csv_count_bytes (done, (gsize) (p - done), quote) % 2 == 1)
        open = !open;
      done = p;
      if (!open)
        return TRUE;
    }
  return FALSE;
}

MtCsvTokens
mt_csv_tokenizer_run (MtCsvTokenizer *tokenizer,
                      const char     *text,
                      gsize           length,
                      gboolean        complete,
                      void          (*field) (void *text, size_t length, void *data),
                      void          (*record) (int c, void *data),
                      void           *data,
                      gsize          *error_offset)
{
  struct csv_parser *parser = &tokenizer->parser;
  gboolean keep_blanks;
  gsize n;

  /* libcsv drops blanks at both ends of an unquoted field unless it is told what a blank is,
   * which costs a call a byte: so it is told only where there are such blanks. */
  keep_blanks = blank_at_edge (text, length, ' ', tokenizer->delimiter, tokenizer->quote) ||
                blank_at_edge (text, length, '\t', tokenizer->delimiter, tokenizer->quote);
  csv_set_space_func (parser, keep_blanks ? never_a_space : NULL);
  n = csv_parse (parser, text, length, field, record, data);
  if (n != length)
    {
      *error_offset = n;
      return csv_error (parser) == CSV_EPARSE ? MT_CSV_TOKENS_STRAY_QUOTE : MT_CSV_TOKENS_NO_MEMORY;
    }
  if (complete && csv_fini (parser, field, record, data) != 0)
    {
      *error_offset = length;
      return MT_CSV_TOKENS_OPEN_QUOTE;
    }
  return MT_CSV_TOKENS_OK;
}
