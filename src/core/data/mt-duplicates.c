/* Equal rows, found by hashing.
 *
 * Every row gets a 64-bit hash, column after column, so that the cells are read in the
 * order in which they lie in memory; rows are then entered in an open-addressed table of
 * at least twice their number. Equal hashes are only a hint: the cells decide.
 *
 * Linear in cells. Memory: 8 bytes a row for the hashes, 8 to 16 for the table, 4 for the
 * answer. A million rows of 50 columns take a good second. */
#include "config.h"
#include "mt-duplicates.h"

#define CHUNK 4096           /* rows read at a time; the buffers stay in cache */
#define EMPTY G_MAXUINT32

static guint64
hash_bytes (const char *bytes,
            gsize       length)
{
  guint64 hash = length, word;

  for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word)
    {
      memcpy (&word, bytes, sizeof word);
      hash = mt_duplicates_mix (hash, word);
    }
  word = 0;
  memcpy (&word, bytes, length);
  return mt_duplicates_mix (hash, word);
}

void
mt_duplicates_mix_hashes (const MtColumn *column,
                          gsize           first,
                          gsize           n,
                          guint64        *hashes)
{
  union {
    double  numbers[CHUNK];
    guint32 codes[CHUNK];
  } buffer;

  for (gsize done = 0; done < n; done += CHUNK)
    {
      gsize m = MIN (n - done, CHUNK);
      guint64 *out = hashes + done;

      switch (mt_column_get_store (column))
        {
        case MT_STORE_NUMBERS:
          mt_column_read_numbers (column, first + done, m, buffer.numbers);
          for (gsize i = 0; i < m; i++)
            out[i] = mt_duplicates_mix (out[i], mt_duplicates_number_bits (buffer.numbers[i]));
          break;
        case MT_STORE_CODES:
          mt_column_read_codes (column, first + done, m, buffer.codes);
          for (gsize i = 0; i < m; i++)
            out[i] = mt_duplicates_mix (out[i], buffer.codes[i]);
          break;
        case MT_STORE_TEXT:
        default:
          for (gsize i = 0; i < m; i++)
            {
              gsize length;
              const char *text = mt_column_peek_text (column, first + done + i, &length);

              out[i] = mt_duplicates_mix (out[i], text == NULL ? G_MAXUINT64 : hash_bytes (text, length));
            }
          break;
        }
    }
}

gboolean
mt_duplicates_same_cell (const MtColumn *column,
                         gsize           row_a,
                         gsize           row_b)
{
  switch (mt_column_get_store (column))
    {
    case MT_STORE_NUMBERS:
      return mt_duplicates_number_bits (mt_column_get_number (column, row_a)) ==
             mt_duplicates_number_bits (mt_column_get_number (column, row_b));
    case MT_STORE_CODES:
      return mt_column_get_code (column, row_a) == mt_column_get_code (column, row_b);
    case MT_STORE_TEXT:
    default:
      {
        gsize length_a, length_b;
        const char *a = mt_column_peek_text (column, row_a, &length_a);
        const char *b = mt_column_peek_text (column, row_b, &length_b);

        return a == NULL || b == NULL ? a == b : length_a == length_b && memcmp (a, b, length_a) == 0;
      }
    }
}

static gboolean
same_row (const MtTable *table,
          const guint   *columns,
          guint          n_columns,
          gsize          row_a,
          gsize          row_b)
{
  for (guint c = 0; c < n_columns; c++)
    if (!mt_duplicates_same_cell (mt_table_get_column (table, columns[c]), row_a, row_b))
      return FALSE;
  return TRUE;
}

guint32 *
mt_duplicates_find (const MtTable  *table,
                    const guint    *columns,
                    guint           n_columns,
                    const guint32  *rows,
                    gsize           n_rows,
                    GCancellable   *cancellable,
                    GError        **error)
{
  gsize n_table_rows = mt_table_get_n_rows (table), size = 16;
  g_autofree guint64 *hashes = NULL;
  g_autofree guint32 *slots = NULL;
  g_autofree guint32 *same_as = g_new (guint32, MAX (n_rows, 1));

  g_return_val_if_fail (n_rows < EMPTY, NULL);

  if (n_columns == 0)
    {
      for (gsize i = 0; i < n_rows; i++)
        same_as[i] = (guint32) i;
      return g_steal_pointer (&same_as);
    }

  hashes = g_new0 (guint64, MAX (n_table_rows, 1));
  for (guint c = 0; c < n_columns; c++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      mt_duplicates_mix_hashes (mt_table_get_column (table, columns[c]), 0, n_table_rows, hashes);
    }

  while (size < 2 * n_rows)
    size *= 2;
  slots = g_new (guint32, size);
  memset (slots, 0xff, size * sizeof *slots);   /* EMPTY everywhere */
  for (gsize i = 0; i < n_rows; i++)
    {
      gsize row = rows != NULL ? rows[i] : i;
      gsize at = (hashes[row] * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 17) & (size - 1);

      if (i % 16384 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      for (;; at = (at + 1) & (size - 1))
        {
          guint32 j = slots[at];
          gsize other;

          if (j == EMPTY)
            {
              slots[at] = (guint32) i;
              same_as[i] = (guint32) i;
              break;
            }
          other = rows != NULL ? rows[j] : j;
          if (hashes[other] == hashes[row] && same_row (table, columns, n_columns, other, row))
            {
              same_as[i] = j;
              break;
            }
        }
    }
  return g_steal_pointer (&same_as);
}

gsize
mt_duplicates_count_distinct (const MtColumn  *column,
                              GCancellable    *cancellable,
                              GError         **error)
{
  static const guint the_column = 0;
  MtColumn *only[] = { mt_column_ref ((MtColumn *) column) };
  g_autoptr (MtTable) table = mt_table_new (only, 1);
  g_autofree guint32 *same_as = NULL;
  gsize n_distinct = 0;

  if (mt_column_get_store (column) == MT_STORE_CODES)
    {
      for (guint code = 0; code < mt_column_get_n_levels (column); code++)
        n_distinct += mt_column_get_level_count (column, code) > 0;
      return n_distinct;
    }
  same_as = mt_duplicates_find (table, &the_column, 1, NULL, mt_column_get_n_rows (column), cancellable,
                                error);
  for (gsize i = 0; same_as != NULL && i < mt_column_get_n_rows (column); i++)
    n_distinct += same_as[i] == i && !mt_column_is_missing (column, i);
  return n_distinct;
}
