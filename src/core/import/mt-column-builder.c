/* A column while it is being read: takes its cells out of blocks, in order, and becomes an MtColumn when
 * all are there. See mt-column-builder.h. */
#include "config.h"
#include "mt-column-builder.h"

#include <math.h>
#include <stdlib.h>

#include "base/mt-large.h"

/* A dictionary larger than this is looked at: are these numbers? Of very many columns, all together may hold so many
 * texts before that: a text costs more than 100 bytes there, a number 8. */
#define REVIEW_LEVELS 256u
#define REVIEW_LEAST_LEVELS 8u
#define REVIEW_ALL_LEVELS (1u << 20)
#define MAX_FEW       12

void
mt_column_builder_init (MtColumnBuilder *builder,
                        MtReadMode       mode,
                        guint            format,
                        guint            n_readers,
                        guint            n_columns,
                        const MtCsvDialect *dialect)
{
  memset (builder, 0, sizeof *builder);
  builder->dialect = dialect;
  builder->review_levels = CLAMP (REVIEW_ALL_LEVELS / MAX (n_columns, 1), REVIEW_LEAST_LEVELS, REVIEW_LEVELS);
  builder->mode = mode;
  builder->format = format;
  builder->order = -1;
  builder->n_readers = n_readers;
  builder->maps = g_new0 (guint32 *, n_readers);
  builder->n_mapped = g_new0 (guint, n_readers);
}

static void
clear_event (gpointer data)
{
  g_free (((MtCellEvent *) data)->text);
}

static void
drop_codes (MtColumnBuilder *builder)
{
  g_clear_pointer (&builder->codes, mt_large_free);
  mt_dict_clear (&builder->dict);
  for (guint r = 0; r < builder->n_readers; r++)
    {
      g_clear_pointer (&builder->maps[r], g_free);
      builder->n_mapped[r] = 0;
    }
}

static void
drop_text (MtColumnBuilder *builder)
{
  g_clear_pointer (&builder->bytes, mt_large_free);
  g_clear_pointer (&builder->offsets, mt_large_free);
  g_clear_pointer (&builder->missing, mt_large_free);
}

void
mt_column_builder_clear (MtColumnBuilder *builder)
{
  drop_codes (builder);
  drop_text (builder);
  g_clear_pointer (&builder->numbers, mt_large_free);
  g_clear_pointer (&builder->events, g_array_unref);
  g_free (builder->maps);
  g_free (builder->n_mapped);
  memset (builder, 0, sizeof *builder);
}

static void
add_event (MtColumnBuilder *builder,
           guint64          row,
           MtCellEventKind  kind,
           char            *text)
{
  MtCellEvent event = { row, 0, kind, text };

  if (builder->events == NULL)
    {
      builder->events = g_array_new (FALSE, FALSE, sizeof (MtCellEvent));
      g_array_set_clear_func (builder->events, clear_event);
    }
  g_array_append_val (builder->events, event);
}

/* --- taking cells --- */

static gboolean
resize (MtColumnBuilder *builder,
        gpointer        *memory,
        gsize            n,
        gsize            size)
{
  gsize n_bytes;
  gpointer more = g_size_checked_mul (&n_bytes, n, size) ? mt_large_resize (*memory, n_bytes) : NULL;

  if (more == NULL)
    {
      builder->wanted_bytes = n * size;
      return FALSE;
    }
  *memory = more;
  return TRUE;
}

static gboolean
reserve_rows (MtColumnBuilder *builder,
              gsize            n_rows)
{
  gsize n;

  if (n_rows < builder->n_allocated)
    return TRUE;
  n = MAX (n_rows + n_rows / 2, 64);
  switch (builder->mode)
    {
    case MT_READ_NUMBERS:
      if (!resize (builder, (gpointer *) &builder->numbers, n, sizeof (double)))
        return FALSE;
      break;
    case MT_READ_CODES:
      if (!resize (builder, (gpointer *) &builder->codes, n, sizeof (guint32)))
        return FALSE;
      break;
    case MT_READ_TEXT:
      if (!resize (builder, (gpointer *) &builder->offsets, n + 1, sizeof (guint64)) ||
          !resize (builder, (gpointer *) &builder->missing, n / 8 + 1, 1))
        return FALSE;
      if (builder->n_allocated == 0)
        builder->offsets[0] = 0;
      break;
    case MT_READ_SKIP:
    default:
      break;
    }
  builder->n_allocated = n;
  return TRUE;
}

static gboolean
reserve_bytes (MtColumnBuilder *builder,
               gsize            n_bytes)
{
  gsize n = n_bytes + n_bytes / 2 + 64;

  if (n_bytes + 16 <= builder->bytes_allocated)
    return TRUE;
  if (!resize (builder, (gpointer *) &builder->bytes, n, 1))
    return FALSE;
  builder->bytes_allocated = n;
  return TRUE;
}

void
mt_column_builder_expect (MtColumnBuilder *builder,
                          gsize            n_rows)
{
  gsize wanted_before = builder->wanted_bytes;

  if (builder->n_rows == 0 || n_rows <= builder->n_rows)
    return;
  if (builder->mode == MT_READ_TEXT)
    reserve_bytes (builder, (gsize) ((double) builder->n_bytes * (double) n_rows / (double) builder->n_rows));
  reserve_rows (builder, n_rows);
  builder->wanted_bytes = wanted_before;   /* it was a guess: growing may still do */
}

/* Where there is room for it; NULL: missing. */
static inline void
put_text (MtColumnBuilder *builder,
          const char      *text,
          gsize            length)
{
  gsize row = builder->n_rows++;

  if (row % 8 == 0)
    builder->missing[row / 8] = 0;
  if (text == NULL)
    {
      builder->missing[row / 8] |= (guint8) (1u << (row % 8));
      builder->n_missing++;
    }
  else
    {
      memcpy (builder->bytes + builder->n_bytes, text, length);
      builder->n_bytes += length;
    }
  builder->offsets[row + 1] = builder->n_bytes;
}

/* Extends the map of a reader's entries to ours by what is new in its dictionary. */
static void
map_codes (MtColumnBuilder    *builder,
           guint               reader,
           const MtDict       *dict,
           const char * const *tokens)
{
  if (builder->n_mapped[reader] == dict->n_entries)
    return;
  builder->maps[reader] = g_renew (guint32, builder->maps[reader], dict->n_entries);
  for (guint e = builder->n_mapped[reader]; e < dict->n_entries; e++)
    {
      gsize length;
      const char *text = mt_dict_get (dict, e, &length);

      builder->maps[reader][e] = mt_missing_is_token (text, length, tokens)
                                 ? MT_CODE_MISSING : mt_dict_add (&builder->dict, text, length);
    }
  builder->n_mapped[reader] = dict->n_entries;
}

static gboolean
append_texts (MtColumnBuilder   *builder,
              const MtCellBlock *block,
              const MtTextCell  *cells)
{
  gsize n_bytes = builder->n_bytes;
  gsize length;

  for (gsize row = 0; row < block->n_rows; row++)
    {
      mt_cell_block_get_text (block, &cells[row], &length);
      n_bytes += length;
    }
  if (!reserve_rows (builder, builder->n_rows + block->n_rows) || !reserve_bytes (builder, n_bytes))
    return FALSE;
  for (gsize row = 0; row < block->n_rows; row++)
    {
      const char *text = mt_cell_block_get_text (block, &cells[row], &length);

      put_text (builder, text, length);
    }
  return TRUE;
}

gboolean
mt_column_builder_append (MtColumnBuilder     *builder,
                          const MtCellBlock   *block,
                          const MtCellReader  *readers,
                          guint                column,
                          const char * const  *tokens)
{
  gconstpointer cells = mt_cell_block_get_column (block, column);
  const guint32 *codes = cells;
  const guint32 *map;
  guint32 *out;

  for (guint i = 0; i < block->events->len; i++)
    {
      MtCellEvent *event = &g_array_index (block->events, MtCellEvent, i);

      if (event->column == column)
        add_event (builder, builder->n_rows + event->row, event->kind, g_steal_pointer (&event->text));
    }
  switch (builder->mode)
    {
    case MT_READ_NUMBERS:
      if (!reserve_rows (builder, builder->n_rows + block->n_rows))
        return FALSE;
      memcpy (builder->numbers + builder->n_rows, cells, block->n_rows * sizeof (double));
      builder->n_rows += block->n_rows;
      return TRUE;
    case MT_READ_CODES:
      if (!reserve_rows (builder, builder->n_rows + block->n_rows))
        return FALSE;
      map_codes (builder, block->reader, &readers[block->reader].dicts[column], tokens);
      map = builder->maps[block->reader];
      out = builder->codes + builder->n_rows;
      for (gsize row = 0; row < block->n_rows; row++)
        out[row] = codes[row] == MT_CODE_MISSING ? MT_CODE_MISSING : map[codes[row]];
      builder->n_rows += block->n_rows;
      return TRUE;
    case MT_READ_TEXT:
      return append_texts (builder, block, cells);
    case MT_READ_SKIP:
    default:
      return TRUE;
    }
}

/* --- from one form to another --- */

/* The rows of each code; NULL terminates nothing, dict.n_entries of them. */
static gsize *
count_codes (const MtColumnBuilder *builder)
{
  gsize *counts = g_new0 (gsize, builder->dict.n_entries + 1);

  for (gsize row = 0; row < builder->n_rows; row++)
    if (builder->codes[row] != MT_CODE_MISSING)
      counts[builder->codes[row]]++;
  return counts;
}

static void
tally_codes (const MtColumnBuilder *builder,
             MtTypeTally           *tally)
{
  g_autofree gsize *counts = count_codes (builder);

  memset (tally, 0, sizeof *tally);
  for (guint e = 0; e < builder->dict.n_entries; e++)
    {
      gsize length;
      const char *text = mt_dict_get (&builder->dict, e, &length);

      mt_type_tally_add (tally, text, length, counts[e]);
    }
  tally->n_distinct = builder->dict.n_entries;
}

static gboolean
text_is_missing (const MtColumnBuilder *builder,
                 gsize                  row)
{
  return (builder->missing[row / 8] >> (row % 8)) & 1;
}

static const char *
get_text (const MtColumnBuilder *builder,
          gsize                  row,
          gsize                 *length)
{
  *length = (gsize) (builder->offsets[row + 1] - builder->offsets[row]);
  return builder->bytes + builder->offsets[row];
}

static void
tally_text (const MtColumnBuilder *builder,
            MtTypeTally           *tally)
{
  MtDict seen = { 0 };

  memset (tally, 0, sizeof *tally);
  for (gsize row = 0; row < builder->n_rows; row++)
    {
      gsize length;
      const char *text = get_text (builder, row, &length);

      if (text_is_missing (builder, row))
        continue;
      mt_type_tally_add (tally, text, length, 1);
      if (seen.n_entries <= MT_MAX_CATEGORY_LEVELS)
        mt_dict_add (&seen, text, length);
    }
  tally->n_distinct = seen.n_entries;
  mt_dict_clear (&seen);
}

/* One text as number or date; counts what does not fit. */
static double
value_of (MtColumnBuilder *builder,
          const char      *text,
          gsize            length,
          gsize            row,
          const MtTypeGuess *guess)
{
  double value;
  MtCellEventKind what = MT_CELL_BAD;

  if (guess->type == MT_TYPE_DATE)
    {
      if (mt_date_parse (text, length, guess->order, &value))
        return value;
    }
  else
    switch (guess->units ? mt_quantity_parse (text, length, &mt_number_formats[guess->format], guess->unit, &value)
                         : mt_number_parse (text, length, &mt_number_formats[guess->format], &value))
      {
      case MT_NUMBER_FINITE:
        return value;
      case MT_NUMBER_LEADING_ZERO:
        builder->counts.n_leading_zero++;
        return value;
      case MT_NUMBER_INFINITE:
        what = MT_CELL_INFINITE;
        break;
      case MT_NUMBER_NONE:
      default:
        break;
      }
  if (what == MT_CELL_INFINITE)
    builder->counts.n_infinite++;
  else
    {
      builder->counts.n_bad++;
      builder->counts.n_other_format += guess->type == MT_TYPE_NUMBER &&
                                        mt_type_is_quantity (text, length, builder->dialect);
    }
  if (builder->counts.n_events++ < MT_MAX_EVENTS)
    add_event (builder, row, what, g_strndup (text, MIN (length, 200)));
  return NAN;
}

static gboolean
codes_to_numbers (MtColumnBuilder   *builder,
                  const MtTypeGuess *guess)
{
  g_autofree double *values = g_new (double, builder->dict.n_entries + 1);
  g_autofree guint8 *odd = g_new0 (guint8, builder->dict.n_entries + 1);
  MtNumberCounts before = builder->counts;
  gsize n_rows = builder->n_rows;

  if (!resize (builder, (gpointer *) &builder->numbers, MAX (n_rows, 1), sizeof (double)))
    return FALSE;
  /* Once by level; a level that is odd is looked at again in each of its rows, to count it. */
  for (guint e = 0; e < builder->dict.n_entries; e++)
    {
      gsize length;
      const char *text = mt_dict_get (&builder->dict, e, &length);
      gsize n_odd = builder->counts.n_bad + builder->counts.n_infinite + builder->counts.n_leading_zero;

      builder->counts.n_events = MT_MAX_EVENTS;
      values[e] = value_of (builder, text, length, 0, guess);
      odd[e] = builder->counts.n_bad + builder->counts.n_infinite + builder->counts.n_leading_zero != n_odd;
    }
  builder->counts = before;
  for (gsize row = 0; row < n_rows; row++)
    {
      guint32 code = builder->codes[row];

      if (code == MT_CODE_MISSING)
        {
          builder->numbers[row] = NAN;
          builder->counts.n_missing++;
        }
      else if (odd[code])
        {
          gsize length;
          const char *text = mt_dict_get (&builder->dict, code, &length);

          builder->numbers[row] = value_of (builder, text, length, row, guess);
        }
      else
        builder->numbers[row] = values[code];
    }
  drop_codes (builder);
  builder->mode = MT_READ_NUMBERS;
  builder->format = guess->format;
  builder->n_allocated = n_rows;
  return TRUE;
}

static gboolean
text_to_numbers (MtColumnBuilder   *builder,
                 const MtTypeGuess *guess)
{
  gsize n_rows = builder->n_rows;

  if (!resize (builder, (gpointer *) &builder->numbers, MAX (n_rows, 1), sizeof (double)))
    return FALSE;
  for (gsize row = 0; row < n_rows; row++)
    {
      gsize length;
      const char *text = get_text (builder, row, &length);

      if (text_is_missing (builder, row))
        {
          builder->numbers[row] = NAN;
          builder->counts.n_missing++;
        }
      else
        builder->numbers[row] = value_of (builder, text, length, row, guess);
    }
  drop_text (builder);
  builder->mode = MT_READ_NUMBERS;
  builder->format = guess->format;
  return TRUE;
}

static gboolean
codes_to_text (MtColumnBuilder *builder)
{
  gsize n_rows = builder->n_rows;

  builder->mode = MT_READ_TEXT;
  builder->n_rows = 0;
  builder->n_allocated = 0;
  for (gsize row = 0; row < n_rows; row++)
    {
      gsize length = 0;
      const char *text = NULL;

      if (builder->codes[row] != MT_CODE_MISSING)
        text = mt_dict_get (&builder->dict, builder->codes[row], &length);
      if (!reserve_rows (builder, row + 1) || !reserve_bytes (builder, builder->n_bytes + length))
        return FALSE;
      put_text (builder, text, length);
    }
  drop_codes (builder);
  return TRUE;
}

static gboolean
text_to_codes (MtColumnBuilder *builder)
{
  if (!resize (builder, (gpointer *) &builder->codes, MAX (builder->n_rows, 1), sizeof (guint32)))
    return FALSE;
  for (gsize row = 0; row < builder->n_rows; row++)
    {
      gsize length;
      const char *text = get_text (builder, row, &length);

      builder->codes[row] = text_is_missing (builder, row)
                            ? MT_CODE_MISSING : mt_dict_add (&builder->dict, text, length);
    }
  drop_text (builder);
  builder->mode = MT_READ_CODES;
  return TRUE;
}

void
mt_column_builder_review (MtColumnBuilder *builder)
{
  MtTypeTally tally;
  MtTypeGuess guess;

  if (builder->mode != MT_READ_CODES || builder->keep_codes || builder->dict.n_entries <= builder->review_levels)
    return;
  if (!builder->keep_text)
    {
      tally_codes (builder, &tally);
      mt_type_decide (&tally, builder->dialect, builder->order, &guess);
      builder->counts.any_point |= tally.any_point;
      if (guess.type == MT_TYPE_NUMBER && codes_to_numbers (builder, &guess))
        return;
    }
  builder->keep_text = TRUE;   /* not numbers: do not look again */
  if (builder->dict.n_entries > MT_MAX_CATEGORY_LEVELS)
    codes_to_text (builder);
}

/* --- the end --- */

typedef struct {
  char     *text;
  guint32   code;
  double    value;
  gboolean  is_number;
} Level;

/* Numbers by value, then texts byte by byte: the same order in every locale. */
static int
compare_levels (const void *a,
                const void *b)
{
  const Level *x = a;
  const Level *y = b;

  if (x->is_number != y->is_number)
    return x->is_number ? -1 : 1;
  if (x->is_number && x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return strcmp (x->text, y->text);
}

static MtColumn *
make_codes (MtColumnBuilder *builder,
            const char      *name,
            MtColumnType     type)
{
  guint n = builder->dict.n_entries;
  g_autofree Level *levels = g_new0 (Level, n + 1);
  g_autofree guint32 *order = g_new (guint32, n + 1);
  char **texts = g_new0 (char *, n + 1);
  MtColumn *column;

  for (guint e = 0; e < n; e++)
    {
      gsize length;
      const char *text = mt_dict_get (&builder->dict, e, &length);

      levels[e].text = g_strndup (text, length);
      levels[e].code = e;
      levels[e].is_number = mt_number_parse (text, length, &mt_number_plain, &levels[e].value) != MT_NUMBER_NONE;
    }
  qsort (levels, n, sizeof *levels, compare_levels);
  for (guint e = 0; e < n; e++)
    {
      texts[e] = levels[e].text;
      order[levels[e].code] = e;
    }
  for (gsize row = 0; row < builder->n_rows; row++)
    if (builder->codes[row] != MT_CODE_MISSING)
      builder->codes[row] = order[builder->codes[row]];
  column = mt_column_new_codes (name, type, texts, builder->codes, builder->n_rows);
  drop_codes (builder);
  return column;
}

static MtColumn *
make_text (MtColumnBuilder *builder,
           const char      *name)
{
  MtColumn *column;

  if (builder->n_missing == 0)
    g_clear_pointer (&builder->missing, mt_large_free);
  if (builder->offsets == NULL)
    builder->offsets = g_new0 (guint64, 1);
  /* Give back what growing ahead took too much. */
  if (!resize (builder, (gpointer *) &builder->bytes, MAX (builder->n_bytes, 1), 1) ||
      !resize (builder, (gpointer *) &builder->offsets, builder->n_rows + 1, sizeof (guint64)))
    return NULL;
  column = mt_column_new_text (name, g_steal_pointer (&builder->bytes), g_steal_pointer (&builder->offsets),
                               g_steal_pointer (&builder->missing), builder->n_rows);
  return column;
}

/* Few distinct values, whole numbers, numbers that a double cannot hold exactly. */
static void
describe_numbers (const double   *numbers,
                  gsize           n,
                  MtColumnResult *result)
{
  double few[MAX_FEW];
  guint n_few = 0;
  gboolean many = FALSE;

  result->whole = TRUE;
  for (gsize i = 0; i < n && (result->whole || !many); i++)
    {
      double v = numbers[i];
      guint k;

      if (isnan (v))
        continue;
      if (v != floor (v))
        result->whole = FALSE;
      else if (fabs (v) >= 9007199254740992.0 && fabs (v) < 1e22)
        result->n_inexact++;
      if (many)
        continue;
      for (k = 0; k < n_few && few[k] != v; k++)
        ;
      if (k == n_few && n_few == MAX_FEW)
        many = TRUE;
      else if (k == n_few)
        few[n_few++] = v;
    }
  if (!result->whole)
    result->n_inexact = 0;   /* measurements, not codes */
  result->n_few = many ? 0 : n_few;
}

static MtColumn *
make_numbers (MtColumnBuilder *builder,
              const char      *name,
              MtColumnType     type,
              MtColumnResult  *result)
{
  result->n_bad = builder->counts.n_bad;
  result->n_infinite = builder->counts.n_infinite;
  result->n_values = builder->n_rows - builder->counts.n_missing;
  if (!resize (builder, (gpointer *) &builder->numbers, MAX (builder->n_rows, 1), sizeof (double)))   /* give back what is spare */
    return NULL;
  describe_numbers (builder->numbers, builder->n_rows, result);
  return mt_column_new_numbers (name, type, g_steal_pointer (&builder->numbers), builder->n_rows);
}

static gboolean
any_fraction (const MtColumnBuilder *builder)
{
  for (gsize row = 0; row < builder->n_rows; row++)
    if (builder->numbers[row] != floor (builder->numbers[row]))
      if (!isnan (builder->numbers[row]))
        return TRUE;
  return FALSE;
}

static void
finish_numbers (MtColumnBuilder    *builder,
                const char         *name,
                const MtColumnType *type,
                MtColumnResult     *result)
{
  const MtNumberCounts *counts = &builder->counts;
  gsize n_values = builder->n_rows - counts->n_missing;
  gsize n_numbers = n_values - counts->n_bad;

  if (counts->n_other_format > 0 || (type != NULL && *type != MT_TYPE_NUMBER) ||
      (type == NULL && ((!mt_type_tolerable (n_numbers, n_values) &&
                         !mt_type_only_nothings (n_numbers, counts->n_nothings, n_values)) ||
                        (counts->n_leading_zero > 0 && !any_fraction (builder)))))
    {
      result->read_again = TRUE;
      return;
    }
  result->guess.type = MT_TYPE_NUMBER;
  result->guess.format = builder->format;
  result->any_point = counts->any_point;
  result->column = make_numbers (builder, name, MT_TYPE_NUMBER, result);
}

void
mt_column_builder_finish (MtColumnBuilder    *builder,
                          const char         *name,
                          const MtColumnType *type,
                          MtColumnResult     *result)
{
  MtTypeTally tally;
  MtColumnType final;
  gboolean ok = TRUE;

  memset (result, 0, sizeof *result);
  result->forced = type != NULL;
  if (builder->mode == MT_READ_NUMBERS)
    {
      finish_numbers (builder, name, type, result);
      return;
    }

  if (builder->mode == MT_READ_CODES)
    tally_codes (builder, &tally);
  else
    tally_text (builder, &tally);
  mt_type_decide (&tally, builder->dialect, builder->order, &result->guess);
  result->any_point = tally.any_point;
  result->n_values = tally.n_values;
  final = result->guess.type;
  if (type != NULL)
    {
      final = *type == MT_TYPE_BOOLEAN && tally.n_distinct > 2 ? MT_TYPE_CATEGORY : *type;
      result->guess.type = final;
      if (final == MT_TYPE_DATE)
        result->guess.order = mt_type_best_order (&tally, builder->order, &result->guess.ambiguous);
      if (final == MT_TYPE_NUMBER)
        mt_type_force_number (&tally, builder->dialect, builder->unit, &result->guess);
    }
  switch (final)
    {
    case MT_TYPE_NUMBER:
    case MT_TYPE_DATE:
      ok = builder->mode == MT_READ_CODES ? codes_to_numbers (builder, &result->guess)
                                          : text_to_numbers (builder, &result->guess);
      if (ok)
        result->column = make_numbers (builder, name, final, result);
      break;
    case MT_TYPE_CATEGORY:
    case MT_TYPE_BOOLEAN:
      ok = builder->mode == MT_READ_CODES || text_to_codes (builder);
      if (ok)
        result->column = make_codes (builder, name, final);
      break;
    case MT_TYPE_TEXT:
    default:
      ok = builder->mode == MT_READ_TEXT || codes_to_text (builder);
      if (ok)
        result->column = make_text (builder, name);
      break;
    }
}
