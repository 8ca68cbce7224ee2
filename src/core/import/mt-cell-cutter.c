/* A record without a quote has nothing in it that could be judged: it is split at its
 * delimiters, sixty-four bytes at a time. A record with a quote goes to libcsv, which alone
 * knows what quotes mean and which of them are wrong. Both give the same cells wherever both
 * could be asked; tests and the fuzzer compare them (by_libcsv). */
#include "config.h"
#include "mt-cell-reader.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define MAX_RAGGED 64

/* Bit i: text[i] is a delimiter, a quote or a line end. Reads 64 bytes. */
static inline guint64
find_structure (const char *text,
                char        delimiter,
                char        quote)
{
  guint64 mask = 0;

#ifdef __SSE2__
  const __m128i d = _mm_set1_epi8 (delimiter), q = _mm_set1_epi8 (quote);
  const __m128i lf = _mm_set1_epi8 ('\n'), cr = _mm_set1_epi8 ('\r');

  for (int i = 0; i < 4; i++)
    {
      __m128i v = _mm_loadu_si128 ((const __m128i *) (const void *) (text + 16 * i));
      __m128i any = _mm_or_si128 (_mm_or_si128 (_mm_cmpeq_epi8 (v, d), _mm_cmpeq_epi8 (v, q)),
                                  _mm_or_si128 (_mm_cmpeq_epi8 (v, lf), _mm_cmpeq_epi8 (v, cr)));

      mask |= (guint64) (guint) _mm_movemask_epi8 (any) << (16 * i);
    }
#else
  for (int i = 0; i < 64; i++)
    mask |= (guint64) (text[i] == delimiter || text[i] == quote || text[i] == '\n' || text[i] == '\r') << i;
#endif
  return mask;
}

/* Keeps a text that lies nowhere in the block as it is meant. */
static gsize
keep_unescaped (MtCellBlock *block,
                const char  *text,
                gsize        length)
{
  gsize offset = block->n_unescaped;

  if (offset + length + MT_CSV_PADDING > block->unescaped_allocated)
    {
      gsize n = offset + length + MT_CSV_PADDING + block->unescaped_allocated / 2;
      char *more = g_try_realloc (block->unescaped, n);

      if (more == NULL)
        {
          block->wanted_bytes = n;
          return 0;
        }
      block->unescaped = more;
      block->unescaped_allocated = n;
    }
  memcpy (block->unescaped + offset, text, length);
  block->n_unescaped += length;
  return offset;
}

/* Moves over a quoted field. One that holds doubled quotes is in libcsv's copy only. */
static MtTextCell
pass_quoted (MtCellReader *reader,
             const char   *copy,
             gsize         length)
{
  MtCellBlock *block = reader->block;
  const char *start = reader->at + 1;
  const char *end = start + length;
  const char *p = start;

  /* Each doubled quote is one byte more than what libcsv counted. */
  while ((p = memchr (p, reader->tokenizer.quote, (gsize) (end - p))) != NULL)
    {
      p += 2;
      end++;
    }
  reader->at = end + 2;
  if (end == start + length || length > MT_CSV_MAX_FIELD)
    return (MtTextCell) { (guint32) (start - block->block.text), (guint32) length };
  return (MtTextCell) { (guint32) keep_unescaped (block, copy, length), (guint32) length | MT_TEXT_UNESCAPED };
}

static inline void
put_cell (MtCellReader *reader,
          MtTextCell    cell,
          const char   *text,
          gsize         length)
{
  MtCellBlock *block = reader->block;

  if (G_UNLIKELY (length > MT_CSV_MAX_FIELD) && !block->too_long)
    {
      block->too_long = TRUE;
      block->too_long_row = reader->row;
    }
  if (G_UNLIKELY (reader->column++ >= reader->n_columns))
    {
      reader->extra_text |= !mt_csv_is_blank (text, length);
      return;
    }
  *reader->cell = cell;
  reader->cell += block->row_capacity;
}

/* Room for @n rows; what is there moves along, from the last column to the first. */
static gboolean
reserve_rows (MtCellReader *reader,
              gsize         n)
{
  MtCellBlock *block = reader->block;
  gsize before = block->row_capacity, n_bytes;

  if (!g_size_checked_mul (&n_bytes, n, (gsize) reader->n_columns * MT_CELL_SIZE))
    n_bytes = G_MAXSIZE;
  if (n_bytes > block->n_allocated)
    {
      char *more = g_try_realloc (block->cells, n_bytes);

      if (more == NULL)
        {
          block->wanted_bytes = n_bytes;
          return FALSE;
        }
      block->cells = more;
      block->n_allocated = n_bytes;
    }
  for (guint c = reader->n_columns; c > 1 && reader->row > 0; c--)
    memmove (block->cells + (c - 1) * n * MT_CELL_SIZE, block->cells + (c - 1) * before * MT_CELL_SIZE,
             reader->row * MT_CELL_SIZE);
  block->row_capacity = n;
  return TRUE;
}

/* Is the record of one field that ends here a line of blanks? One in quotes is not. */
static gboolean
is_blank_record (MtCellReader *reader)
{
  const MtTextCell *cell = (const MtTextCell *) (gpointer) reader->block->cells + reader->row;
  const char *base = reader->block->block.text;

  if (cell->length == 0 || (cell->length & MT_TEXT_UNESCAPED) != 0 ||
      (cell->offset > 0 && base[cell->offset - 1] == reader->tokenizer.quote))
    return FALSE;
  return mt_csv_is_blank (base + cell->offset, cell->length);
}

/* Pads a short record, and takes note of it. FALSE: it was no record at all. */
static gboolean
judge_ragged (MtCellReader *reader,
              guint         n_fields)
{
  MtCellBlock *block = reader->block;
  MtRagged ragged = { reader->row, n_fields, MT_SEARCH_RECORD_SHORT };

  for (guint column = n_fields; column < reader->n_columns; column++, reader->cell += block->row_capacity)
    *reader->cell = (MtTextCell) { 0, MT_CODE_MISSING };
  if (n_fields > reader->n_columns)
    ragged.kind = reader->extra_text ? MT_SEARCH_RECORD_LONG : MT_SEARCH_RECORD_PADDED;
  reader->extra_text = FALSE;
  if (n_fields == 1 && is_blank_record (reader))
    return FALSE;
  if (block->n_ragged[ragged.kind]++ < MAX_RAGGED)
    g_array_append_val (block->ragged, ragged);
  return TRUE;
}

static void
start_record (MtCellReader *reader)
{
  reader->cell = (MtTextCell *) (gpointer) reader->block->cells + reader->row;
  reader->column = 0;
}

static inline void
end_record (MtCellReader *reader)
{
  guint n_fields = reader->column;

  if (G_LIKELY (n_fields == reader->n_columns) || judge_ragged (reader, n_fields))
    reader->row++;
  /* Only short records can make more rows than expected. Without memory for them the last
   * row is written over: the block is thrown away as a whole. */
  if (G_UNLIKELY (reader->row == reader->block->row_capacity) && !reserve_rows (reader, reader->row * 2))
    reader->row--;
  start_record (reader);
}

/* --- by libcsv --- */

static void
on_field (void   *data,
          size_t  length,
          void   *user_data)
{
  MtCellReader *reader = user_data;
  const char *text = reader->at;
  MtTextCell cell = { (guint32) (text - reader->block->block.text), (guint32) length };

  reader->at = text + length + 1;
  if (*text == reader->tokenizer.quote && reader->tokenizer.quote != 0)
    {
      reader->at = text;
      cell = pass_quoted (reader, data, length);
    }
  put_cell (reader, cell, data, length);
}

static void
on_record (int   c,
           void *user_data)
{
  MtCellReader *reader = user_data;

  while (*reader->at == '\n' || *reader->at == '\r')   /* the rest of a CRLF, and blank lines */
    reader->at++;
  end_record (reader);
}

static gboolean
cut_by_libcsv (MtCellReader *reader,
               const char   *text,
               gsize         length,
               gboolean      complete)
{
  MtCellBlock *block = reader->block;

  for (reader->at = text; *reader->at == '\n' || *reader->at == '\r';)
    reader->at++;
  start_record (reader);
  block->tokens = mt_csv_tokenizer_run (&reader->tokenizer, text, length, complete, on_field, on_record, reader,
                                        &block->error_offset);
  return block->tokens == MT_CSV_TOKENS_OK;
}

/* --- by eye --- */

/* Behind the end of the record in which a quote stands at @i. */
static gsize
record_end (const char *text,
            gsize       length,
            gsize       i,
            char        quote)
{
  const char *p = text + i;
  const char *end = text + length;

  while (p < end)
    {
      /* From a quote to the one that closes it, then to the next quote or the line's end. */
      p = memchr (p + 1, quote, (gsize) (end - p - 1));
      if (p == NULL)
        return length;
      for (p++; p < end && *p != quote; p++)
        if (*p == '\n' || *p == '\r')
          return (gsize) (p + 1 - text);
    }
  return length;
}

static void
cut_by_eye (MtCellReader *reader,
            const char   *text,
            gsize         length,
            gboolean      complete)
{
  MtCellBlock *block = reader->block;
  const gsize origin = (gsize) (text - block->block.text);
  const char delimiter = reader->tokenizer.delimiter;
  const char quote = reader->tokenizer.quote != 0 ? reader->tokenizer.quote : delimiter;
  gsize record = 0, field = 0;

  for (gsize base = 0; base < length; base += 64)
    {
      guint64 mask = find_structure (text + base, delimiter, quote);

      if (base + 64 > length)
        mask &= (G_GUINT64_CONSTANT (1) << (length - base)) - 1;
      for (; mask != 0; mask &= mask - 1)
        {
          gsize i = base + (gsize) __builtin_ctzll (mask);
          char c = text[i];

          if (i < record)
            continue;   /* libcsv has been here */
          if (c == quote && quote != delimiter)
            {
              gsize end = record_end (text, length, i, quote);

              if (!cut_by_libcsv (reader, text + record, end - record, complete || end < length))
                {
                  block->error_offset += record;
                  return;
                }
              record = field = end;
              continue;
            }
          if (c != delimiter && i == record)
            {
              record = field = i + 1;   /* the rest of a CRLF, or a blank line */
              continue;
            }
          put_cell (reader, (MtTextCell) { (guint32) (origin + field), (guint32) (i - field) }, text + field, i - field);
          field = i + 1;
          if (c != delimiter)
            {
              end_record (reader);
              record = field;
            }
        }
    }
  if (record < length && complete)
    {
      put_cell (reader, (MtTextCell) { (guint32) (origin + field), (guint32) (length - field) }, text + field,
                length - field);
      end_record (reader);
    }
}

void
mt_cell_reader_cut (MtCellReader *reader,
                    const char   *text,
                    gsize         length,
                    gboolean      complete)
{
  MtCellBlock *block = reader->block;

  block->tokens = MT_CSV_TOKENS_OK;
  block->block.text[block->block.length] = '\0';   /* where looking for the next field ends */
  reader->row = 0;
  reader->extra_text = FALSE;
  if (!reserve_rows (reader, length / reader->n_columns + 2))
    return;
  start_record (reader);
  if (reader->by_libcsv)
    cut_by_libcsv (reader, text, length, complete);
  else
    cut_by_eye (reader, text, length, complete);
}
