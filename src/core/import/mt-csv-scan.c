/* Looking over a text without cutting it: counting, checking, finding where records start. */
#include "config.h"
#include "mt-csv.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef __SSE2__
#define LOAD(p) _mm_loadu_si128 ((const __m128i *) (const void *) (p))
#endif

#ifdef __SSE2__
/* The sum of the sixteen bytes of @v, each taken as unsigned. */
static gsize
sum_bytes (__m128i v)
{
  __m128i sums = _mm_sad_epu8 (v, _mm_setzero_si128 ());

  return (gsize) _mm_cvtsi128_si32 (sums) + (gsize) _mm_cvtsi128_si32 (_mm_srli_si128 (sums, 8));
}
#endif

gsize
mt_csv_count_bytes (const char *text,
             gsize       length,
             char        c)
{
  gsize n = 0, i = 0;

#ifdef __SSE2__
  const __m128i wanted = _mm_set1_epi8 (c);

  while (i + 16 <= length)
    {
      gsize end = MIN (length - 15, i + 255 * 16);   /* a byte counts to 255 */
      __m128i counts = _mm_setzero_si128 ();

      for (; i < end; i += 16)
        counts = _mm_sub_epi8 (counts, _mm_cmpeq_epi8 (LOAD (text + i), wanted));
      n += sum_bytes (counts);
    }
#endif
  for (; i < length; i++)
    n += text[i] == c ? 1 : 0;
  return n;
}

void
mt_csv_scan (const char *text,
             gsize       length,
             MtCsvScan  *scan)
{
  gsize i = 0;
  gboolean any_cr = FALSE;

  memset (scan, 0, sizeof *scan);
#ifdef __SSE2__
  const __m128i lf = _mm_set1_epi8 ('\n'), cr = _mm_set1_epi8 ('\r'), zero = _mm_setzero_si128 ();
  __m128i odd = zero, crs = zero;

  while (i + 16 <= length)
    {
      gsize end = MIN (length - 15, i + 255 * 16);
      __m128i lines = zero;

      for (; i < end; i += 16)
        {
          __m128i v = LOAD (text + i);

          odd = _mm_or_si128 (odd, _mm_or_si128 (v, _mm_cmpeq_epi8 (v, zero)));
          lines = _mm_sub_epi8 (lines, _mm_cmpeq_epi8 (v, lf));
          crs = _mm_or_si128 (crs, _mm_cmpeq_epi8 (v, cr));
        }
      scan->n_lines += sum_bytes (lines);
    }
  scan->not_ascii = _mm_movemask_epi8 (odd) != 0;
  any_cr = _mm_movemask_epi8 (crs) != 0;
#endif
  for (; i < length; i++)
    {
      scan->not_ascii |= text[i] == '\0' || (guchar) text[i] >= 0x80;
      scan->n_lines += text[i] == '\n';
      any_cr |= text[i] == '\r';
    }
  if (any_cr)
    scan->n_lines = mt_csv_count_lines (text, length);
}

guint64
mt_csv_count_lines (const char *text,
                    gsize       length)
{
  guint64 n = mt_csv_count_bytes (text, length, '\n');
  const char *p = text;
  const char *end = text + length;

  while ((p = memchr (p, '\r', (gsize) (end - p))) != NULL)
    {
      p++;
      if (p == end || *p != '\n')
        n++;
      if (p == end)
        break;
    }
  return n;
}

gboolean
mt_csv_is_blank (const char *text,
                 gsize       length)
{
  for (gsize i = 0; i < length; i++)
    if (text[i] != ' ' && text[i] != '\t')
      return FALSE;
  return TRUE;
}

/* Length of the valid UTF-8 sequence at @p, 0 when there is none. */
static gsize
utf8_sequence (const guchar *p,
               gsize         length)
{
  guchar c = p[0];

#define TAIL(i) ((p[i] & 0xc0) == 0x80)
  if (c < 0x80)
    return c != 0;
  if (c >= 0xc2 && c <= 0xdf)
    return length >= 2 && TAIL (1) ? 2 : 0;
  if (c >= 0xe0 && c <= 0xef)
    {
      if (length < 3 || !TAIL (1) || !TAIL (2) || (c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f))
        return 0;
      return 3;
    }
  if (c >= 0xf0 && c <= 0xf4)
    {
      if (length < 4 || !TAIL (1) || !TAIL (2) || !TAIL (3) || (c == 0xf0 && p[1] < 0x90) ||
          (c == 0xf4 && p[1] > 0x8f))
        return 0;
      return 4;
    }
#undef TAIL
  return 0;
}

void
mt_csv_block_check (MtCsvBlock *block)
{
  const guchar *text = (const guchar *) block->text;
  gsize i = 0;

  while (i < block->length)
    {
      gsize n;

#ifdef __SSE2__
      while (i + 16 <= block->length)
        {
          __m128i v = LOAD (text + i);

          if (_mm_movemask_epi8 (_mm_or_si128 (v, _mm_cmpeq_epi8 (v, _mm_setzero_si128 ()))) != 0)
            break;
          i += 16;
        }
      if (i == block->length)
        return;
#endif
      n = utf8_sequence (text + i, block->length - i);
      if (n == 0)
        {
          block->problem = text[i] == 0 ? MT_CSV_PROBLEM_NUL : MT_CSV_PROBLEM_UTF8;
          block->problem_byte = text[i];
          block->length = i;
          block->last = TRUE;
          return;
        }
      i += n;
    }
}

void
mt_csv_walk_records (const char      *text,
                     gsize            length,
                     char             quote,
                     char             delimiter,
                     MtCsvRecordFunc  func,
                     gpointer         data)
{
  guint64 line = 0, record_line = 0;
  gsize record = 0;
  gboolean open = FALSE;

  for (gsize i = 0; i <= length; i++)
    {
      char c = i < length ? text[i] : '\n';

      if (c == quote && quote != 0)
        open = !open;
      if (c != '\n' && c != '\r')
        continue;
      if (!open || i == length)
        {
          if (i > record && !(delimiter != 0 && mt_csv_is_blank (text + record, i - record) &&
                              memchr (text + record, delimiter, i - record) == NULL))
            func (record, record_line, data);
          if (i < length && c == '\r' && i + 1 < length && text[i + 1] == '\n')
            i++;
          line++;
          record = i + 1;
          record_line = line;
        }
      else
        {
          if (c == '\r' && i + 1 < length && text[i + 1] == '\n')
            i++;
          line++;
        }
    }
}

void
mt_csv_locate (const char *text,
               gsize       length,
               char        quote,
               gsize       offset,
               MtCsvPlace *place)
{
  guint64 line = 0;
  gboolean open = FALSE;

  memset (place, 0, sizeof *place);
  for (gsize i = 0; i < MIN (offset, length); i++)
    {
      if (text[i] == quote && quote != 0)
        {
          open = !open;
          if (open)
            place->quote_line = line;
        }
      else if (text[i] == '\n' || text[i] == '\r')
        {
          if (text[i] == '\r' && i + 1 < length && text[i + 1] == '\n')
            i++;
          line++;
          if (!open)
            {
              place->offset = i + 1;
              place->line = line;
            }
        }
    }
}
