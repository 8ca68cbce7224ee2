/* From a block of text to typed cells: what each thread of an import does. See mt-cell-reader.h. */
#include "config.h"
#include "mt-cell-reader.h"

#include <math.h>

#include "base/mt-number.h"
#include "mt-typing.h"

void
mt_cell_reader_init (MtCellReader       *reader,
                     guint               index,
                     guint               n_columns,
                     const MtColumnPlan *plans,
                     const MtCsvDialect *dialect)
{
  memset (reader, 0, sizeof *reader);
  reader->index = index;
  reader->n_columns = n_columns;
  reader->plans = plans;
  reader->dialect = dialect;
  reader->followed = g_memdup2 (plans, n_columns * sizeof *plans);
  reader->dicts = g_new0 (MtDict, n_columns);
  reader->counts = g_new0 (MtNumberCounts, n_columns);
  mt_csv_tokenizer_init (&reader->tokenizer, dialect->delimiter,
                         dialect->quote == MT_CSV_NO_QUOTE ? 0 : dialect->quote);
}

void
mt_cell_reader_clear (MtCellReader *reader)
{
  for (guint c = 0; c < reader->n_columns; c++)
    mt_dict_clear (&reader->dicts[c]);
  g_free (reader->dicts);
  g_free (reader->followed);
  g_free (reader->counts);
  mt_csv_tokenizer_clear (&reader->tokenizer);
}

static void
clear_event (gpointer data)
{
  g_free (((MtCellEvent *) data)->text);
}

void
mt_cell_block_clear (MtCellBlock *block)
{
  mt_csv_block_clear (&block->block);
  g_free (block->cells);
  g_free (block->unescaped);
  g_clear_pointer (&block->events, g_array_unref);
  g_clear_pointer (&block->ragged, g_array_unref);
  memset (block, 0, sizeof *block);
}

static void
add_event (MtCellReader    *reader,
           gsize            row,
           guint            column,
           MtCellEventKind  kind,
           const char      *text,
           gsize            length)
{
  MtCellEvent event = { row, column, kind, NULL };

  if (reader->counts[column].n_events++ >= MT_MAX_EVENTS)
    return;
  event.text = g_strndup (text, MIN (length, 200));
  g_array_append_val (reader->block->events, event);
}

/* A cell of a number column that is not short and simple. */
static double
read_number (MtCellReader *reader,
             gsize         row,
             guint         column,
             const char   *text,
             gsize         length)
{
  const MtColumnPlan *plan = &reader->followed[column];
  MtNumberCounts *counts = &reader->counts[column];
  double value;

  if (text == NULL || length == 0 || (plan->number_tokens && mt_missing_is_token (text, length, plan->tokens)))
    {
      counts->n_missing++;
      return NAN;
    }
  switch (mt_number_parse (text, length, &mt_number_formats[plan->format], &value))
    {
    case MT_NUMBER_FINITE:
      return value;
    case MT_NUMBER_LEADING_ZERO:
      counts->n_leading_zero++;
      return value;
    case MT_NUMBER_INFINITE:
      counts->n_infinite++;
      add_event (reader, row, column, MT_CELL_INFINITE, text, length);
      return NAN;
    case MT_NUMBER_NONE:
    default:
      break;
    }
  if (mt_missing_is_token (text, length, plan->tokens))
    {
      counts->n_missing++;
      return NAN;
    }
  counts->n_bad++;
  if (mt_type_is_nothing (text, length))
    counts->n_nothings++;
  else if (mt_type_is_quantity (text, length, reader->dialect))
    counts->n_other_format++;
  add_event (reader, row, column, MT_CELL_BAD, text, length);
  return NAN;
}

/* Numbers lose their text: “1.000” is no longer known to have had a point. */
static void
note_points (MtCellReader     *reader,
             guint             column,
             const MtTextCell *cells,
             gsize             n_rows)
{
  MtNumberCounts *counts = &reader->counts[column];

  for (gsize row = 0; row < n_rows && !counts->any_point; row++)
    {
      gsize length;
      const char *text = mt_cell_block_get_text (reader->block, &cells[row], &length);

      counts->any_point = text != NULL && mt_type_has_point (text, length);
    }
}

static void
type_numbers (MtCellReader *reader,
              guint         column,
              MtTextCell   *cells,
              gsize         n_rows)
{
  const char *base = reader->block->block.text;
  const MtColumnPlan *plan = &reader->followed[column];
  gboolean plain = plan->format == 0 && !plan->number_tokens;

  if (plan->note_points)
    note_points (reader, column, cells, n_rows);
  for (gsize row = 0; row < n_rows; row++)
    {
      MtTextCell cell = cells[row];
      double value;

      if (G_UNLIKELY (!plain || !mt_number_parse_short (base + cell.offset, cell.length, &value)))
        {
          gsize length;
          const char *text = mt_cell_block_get_text (reader->block, &cell, &length);

          value = read_number (reader, row, column, text, length);
        }
      memcpy (&cells[row], &value, sizeof value);
    }
}

static void
type_codes (MtCellReader *reader,
            guint         column,
            MtTextCell   *cells,
            gsize         n_rows)
{
  guint32 *codes = (guint32 *) cells;
  MtDict *dict = &reader->dicts[column];

  for (gsize row = 0; row < n_rows; row++)
    {
      gsize length;
      const char *text = mt_cell_block_get_text (reader->block, &cells[row], &length);

      codes[row] = text != NULL ? mt_dict_add (dict, text, length) : MT_CODE_MISSING;
    }
}

static inline gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static void
type_text (MtCellReader *reader,
           guint         column,
           MtTextCell   *cells,
           gsize         n_rows)
{
  const char * const *tokens = reader->followed[column].tokens;
  gsize longest = reader->followed[column].number_tokens ? G_MAXSIZE : 0;

  for (const char * const *token = tokens; *token != NULL; token++)
    longest = MAX (longest, strlen (*token));
  for (gsize row = 0; row < n_rows; row++)
    {
      gsize length;
      const char *text = mt_cell_block_get_text (reader->block, &cells[row], &length);

      if (text != NULL &&
          (length == 0 || ((length <= longest || is_blank (text[0]) || is_blank (text[length - 1])) &&
                           mt_missing_is_token (text, length, tokens))))
        cells[row].length = MT_CODE_MISSING;
    }
}

static void
type_column (MtCellReader *reader,
             guint         column)
{
  const MtColumnPlan *plan = &reader->plans[column];
  MtColumnPlan *followed = &reader->followed[column];
  MtTextCell *cells = (MtTextCell *) mt_cell_block_get_column (reader->block, column);

  if (plan->mode != followed->mode)
    mt_dict_clear (&reader->dicts[column]);   /* nothing asks for it any more */
  *followed = *plan;
  switch (plan->mode)
    {
    case MT_READ_NUMBERS:
      type_numbers (reader, column, cells, reader->row);
      break;
    case MT_READ_CODES:
      type_codes (reader, column, cells, reader->row);
      break;
    case MT_READ_TEXT:
      type_text (reader, column, cells, reader->row);
      break;
    case MT_READ_SKIP:
    default:
      break;
    }
}

void
mt_cell_reader_run (MtCellReader *reader,
                    MtCellBlock  *block)
{
  const char *text;
  gsize length;
  MtCsvScan scan;

  block->reader = reader->index;
  block->n_rows = 0;
  block->n_unescaped = 0;
  block->too_long = FALSE;
  block->wanted_bytes = 0;
  block->tokens = MT_CSV_TOKENS_OK;
  memset (block->n_ragged, 0, sizeof block->n_ragged);
  if (block->events == NULL)
    {
      block->events = g_array_new (FALSE, FALSE, sizeof (MtCellEvent));
      g_array_set_clear_func (block->events, clear_event);
      block->ragged = g_array_new (FALSE, FALSE, sizeof (MtRagged));
    }
  g_array_set_size (block->events, 0);
  g_array_set_size (block->ragged, 0);

  text = block->block.text + block->skip;
  length = block->block.length - block->skip;
  mt_csv_scan (text, length, &scan);
  if (scan.not_ascii)
    {
      mt_csv_block_check (&block->block);
      block->skip = MIN (block->skip, block->block.length);
      text = block->block.text + block->skip;
      if (length != block->block.length - block->skip)
        {
          length = block->block.length - block->skip;
          mt_csv_scan (text, length, &scan);
        }
    }
  block->n_lines = scan.n_lines;

  reader->block = block;
  mt_cell_reader_cut (reader, text, length, block->block.problem == MT_CSV_NO_PROBLEM);
  block->n_rows = reader->row;
  if (block->too_long || block->wanted_bytes > 0)
    return;   /* the cells are not used */
  for (guint c = 0; c < reader->n_columns; c++)
    type_column (reader, c);
}
