/* Equal rows, found by hashing.
 *
 * Every row gets a 64-bit hash, a chunk of rows at a time, column after column. Rows are then dealt out by the first
 * bits of their hashes to parts of about PART_ROWS rows, in order, and each part is looked at by itself with a small
 * open-addressed table: it stays in the cache, where one table of all rows would miss it with every row. Equal hashes
 * are only a hint: the cells decide, except for a single column of numbers or codes, of which different values have
 * different hashes.
 *
 * Slices of rows and parts are done side by side; the answer does not depend on how many threads there are. Linear in
 * cells. Memory: 16 bytes a row, and 4 for the answer. */
#include "config.h"
#include "mt-duplicates.h"

#define CHUNK      4096      /* rows read at a time; the buffers stay in cache */
#define SLICE      32768     /* rows that a task hashes and deals out */
#define PART_ROWS  2048
#define MAX_PARTS  4096
#define EMPTY      G_MAXUINT32

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

/* --- a search for equal rows --- */

typedef struct {
  guint64 hash;
  guint32 index;     /* into the rows looked at */
} Entry;

typedef struct {
  const MtTable *table;
  const guint   *columns;
  guint          n_columns;
  const guint32 *rows;         /* NULL: all */
  gsize          n_rows;
  GCancellable  *cancellable;
  gboolean       hash_decides; /* equal hashes are equal cells */

  guint64       *hashes;
  guint          shift;        /* what is left of a hash says the part */
  guint          n_slices, n_parts;
  guint32       *ends;         /* by slice and part: how many rows; then, where the next one goes */
  Entry         *entries;      /* by part, in order within each */
  gsize         *part_ends;    /* n_parts + 1 */

  guint32       *same_as;      /* NULL: only counted */
  gsize         *n_sets;       /* by part */
} Hunt;

static guint
part_of (const Hunt *hunt,
         guint64     hash)
{
  return hunt->n_parts == 1 ? 0 : (guint) (hash * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> hunt->shift);
}

static void
hash_rows (Hunt  *hunt,
           gsize  first,
           gsize  n)
{
  guint64 *hashes = hunt->hashes + first;

  memset (hashes, 0, n * sizeof *hashes);
  for (gsize done = 0; done < n; done += CHUNK)
    for (guint c = 0; c < hunt->n_columns; c++)
      {
        const MtColumn *column = mt_table_get_column (hunt->table, hunt->columns[c]);
        gsize m = MIN (n - done, CHUNK);

        if (hunt->rows == NULL)
          mt_duplicates_mix_hashes (column, first + done, m, hashes + done);
        else
          for (gsize i = done, run; i < done + m; i += run)
            {
              const guint32 *rows = hunt->rows + first + i;

              for (run = 1; i + run < done + m && rows[run] == rows[0] + run; run++)
                ;
              mt_duplicates_mix_hashes (column, rows[0], run, hashes + i);
            }
      }
}

static void
hash_slice (guint    slice,
            guint    worker,
            gpointer data)
{
  Hunt *hunt = data;
  gsize first = (gsize) slice * SLICE, n = MIN (hunt->n_rows - first, SLICE);
  guint32 *counts = hunt->ends + (gsize) slice * hunt->n_parts;

  if (g_cancellable_is_cancelled (hunt->cancellable))
    return;
  hash_rows (hunt, first, n);
  for (gsize i = first; i < first + n; i++)
    counts[part_of (hunt, hunt->hashes[i])]++;
}

/* From how many rows of a slice go to a part to where they go. */
static void
place_slices (Hunt *hunt)
{
  gsize at = 0;

  for (guint p = 0; p < hunt->n_parts; p++)
    {
      hunt->part_ends[p] = at;
      for (guint s = 0; s < hunt->n_slices; s++)
        {
          guint32 *count = &hunt->ends[(gsize) s * hunt->n_parts + p];
          guint32 n = *count;

          *count = (guint32) at;
          at += n;
        }
    }
  hunt->part_ends[hunt->n_parts] = at;
}

static void
deal_slice (guint    slice,
            guint    worker,
            gpointer data)
{
  Hunt *hunt = data;
  gsize first = (gsize) slice * SLICE, n = MIN (hunt->n_rows - first, SLICE);
  guint32 *ends = hunt->ends + (gsize) slice * hunt->n_parts;

  if (g_cancellable_is_cancelled (hunt->cancellable))
    return;
  for (gsize i = first; i < first + n; i++)
    hunt->entries[ends[part_of (hunt, hunt->hashes[i])]++] = (Entry) { hunt->hashes[i], (guint32) i };
}

static gboolean
is_equal (const Hunt  *hunt,
          const Entry *a,
          const Entry *b)
{
  if (a->hash != b->hash)
    return FALSE;
  return hunt->hash_decides ||
         same_row (hunt->table, hunt->columns, hunt->n_columns, hunt->rows != NULL ? hunt->rows[a->index] : a->index,
                   hunt->rows != NULL ? hunt->rows[b->index] : b->index);
}

static void
search_part (guint    part,
             guint    worker,
             gpointer data)
{
  Hunt *hunt = data;
  const Entry *entries = hunt->entries + hunt->part_ends[part];
  gsize n = hunt->part_ends[part + 1] - hunt->part_ends[part], size = 16, n_sets = 0;
  g_autofree guint32 *slots = NULL;

  while (size < 2 * n)
    size *= 2;
  slots = g_new (guint32, size);
  memset (slots, 0xff, size * sizeof *slots);   /* EMPTY everywhere */
  for (gsize i = 0; i < n; i++)
    {
      gsize at = (gsize) (entries[i].hash ^ entries[i].hash >> 29) & (size - 1);

      if (i % 16384 == 0 && g_cancellable_is_cancelled (hunt->cancellable))
        return;
      while (slots[at] != EMPTY && !is_equal (hunt, &entries[slots[at]], &entries[i]))
        at = (at + 1) & (size - 1);
      if (slots[at] == EMPTY)
        {
          slots[at] = (guint32) i;
          n_sets++;
        }
      if (hunt->same_as != NULL)
        hunt->same_as[entries[i].index] = entries[slots[at]].index;
    }
  hunt->n_sets[part] = n_sets;
}

/* How many different rows there are; 0 when cancelled. */
static gsize
hunt_run (Hunt    *hunt,
          MtPool  *pool,
          GError **error)
{
  g_autofree guint64 *hashes = g_new (guint64, MAX (hunt->n_rows, 1));
  g_autofree Entry *entries = g_new (Entry, MAX (hunt->n_rows, 1));
  g_autofree guint32 *ends = NULL;
  g_autofree gsize *part_ends = NULL;
  g_autofree gsize *counts = NULL;
  gsize n_sets = 0;

  hunt->hashes = hashes;
  hunt->entries = entries;
  hunt->n_slices = (guint) ((hunt->n_rows + SLICE - 1) / SLICE);
  hunt->shift = 64;
  for (hunt->n_parts = 1; hunt->n_parts < MAX_PARTS && hunt->n_rows / hunt->n_parts > PART_ROWS; hunt->n_parts *= 2)
    hunt->shift--;
  hunt->ends = ends = g_new0 (guint32, (gsize) hunt->n_parts * hunt->n_slices + 1);
  hunt->part_ends = part_ends = g_new (gsize, hunt->n_parts + 1);
  hunt->n_sets = counts = g_new0 (gsize, hunt->n_parts);
  hunt->hash_decides = hunt->n_columns == 1 &&
                       mt_column_get_store (mt_table_get_column (hunt->table, hunt->columns[0])) != MT_STORE_TEXT;

  mt_pool_run (pool, hunt->n_slices, hash_slice, hunt);
  if (g_cancellable_set_error_if_cancelled (hunt->cancellable, error))
    return 0;
  place_slices (hunt);
  mt_pool_run (pool, hunt->n_slices, deal_slice, hunt);
  mt_pool_run (pool, hunt->n_parts, search_part, hunt);
  if (g_cancellable_set_error_if_cancelled (hunt->cancellable, error))
    return 0;
  for (guint p = 0; p < hunt->n_parts; p++)
    n_sets += counts[p];
  return n_sets;
}

guint32 *
mt_duplicates_find (const MtTable  *table,
                    const guint    *columns,
                    guint           n_columns,
                    const guint32  *rows,
                    gsize           n_rows,
                    MtPool         *pool,
                    GCancellable   *cancellable,
                    GError        **error)
{
  g_autofree guint32 *same_as = g_new (guint32, MAX (n_rows, 1));
  Hunt hunt = { table, columns, n_columns, rows, n_rows, cancellable, .same_as = same_as };

  g_return_val_if_fail (n_rows < EMPTY, NULL);

  if (n_columns == 0)
    {
      for (gsize i = 0; i < n_rows; i++)
        same_as[i] = (guint32) i;
      return g_steal_pointer (&same_as);
    }
  if (hunt_run (&hunt, pool, error) == 0 && g_cancellable_is_cancelled (cancellable))
    return NULL;
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
  Hunt hunt = { table, &the_column, 1, NULL, mt_column_get_n_rows (column), cancellable };
  gsize n_distinct = 0;

  if (mt_column_get_store (column) == MT_STORE_CODES)
    {
      for (guint code = 0; code < mt_column_get_n_levels (column); code++)
        n_distinct += mt_column_get_level_count (column, code) > 0;
      return n_distinct;
    }
  n_distinct = hunt_run (&hunt, NULL, error);
  /* Missing equals missing: it is one of them. */
  return n_distinct > 0 && mt_column_get_n_missing (column) > 0 ? n_distinct - 1 : n_distinct;
}
