#include "config.h"
#include "mt-cell-reader.h"

#include <math.h>

#include "mt-number.h"
#include "mt-typing.h"

#define MAX_RAGGED 64

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
  g_free (block->text);
  g_clear_pointer (&block->events, g_array_unref);
  g_clear_pointer (&block->ragged, g_array_unref);
  memset (block, 0, sizeof *block);
}

static void
add_event (MtCellReader    *reader,
           guint            column,
           MtCellEventKind  kind,
           const char      *text,
           gsize            length)
{
  MtCellEvent event = { reader->block->n_rows, column, kind, NULL };

  if (reader->counts[column].n_events++ >= MT_MAX_EVENTS)
    return;
  event.text = g_strndup (text, MIN (length, 200));
  g_array_append_val (reader->block->events, event);
}

/* A cell of a number column that is not simply a number. */
static void
read_odd_number (MtCellReader *reader,
                 guint         column,
                 const char   *text,
                 gsize         length,
                 MtNumberKind  kind,
                 MtCell       *cell)
{
  const MtColumnPlan *plan = &reader->plans[column];
  MtNumberCounts *counts = &reader->counts[column];

  if (kind == MT_NUMBER_LEADING_ZERO)
    {
      counts->n_leading_zero++;
      return;   /* the value stands */
    }
  cell->number = NAN;
  if (kind == MT_NUMBER_INFINITE)
    {
      counts->n_infinite++;
      add_event (reader, column, MT_CELL_INFINITE, text, length);
      return;
    }
  if (length == 0 || mt_is_missing_token (text, length, plan->tokens))
    {
      counts->n_missing++;
      return;
    }
  counts->n_bad++;
  if (mt_type_is_number (text, length, reader->dialect))
    counts->n_other_format++;
  add_event (reader, column, MT_CELL_BAD, text, length);
}

static void
read_text (MtCellReader *reader,
           const char   *text,
           gsize         length,
           MtCell       *cell)
{
  MtCellBlock *block = reader->block;

  if (block->n_text + length > block->text_allocated)
    {
      gsize n = MAX (block->text_allocated * 2, block->n_text + length + 4096);
      char *more = g_try_realloc (block->text, n);

      if (more == NULL)
        {
          block->no_memory = TRUE;
          cell->text.length = MT_CODE_MISSING;
          return;
        }
      block->text = more;
      block->text_allocated = n;
    }
  memcpy (block->text + block->n_text, text, length);
  cell->text.offset = (guint32) block->n_text;
  cell->text.length = (guint32) length;
  block->n_text += length;
}

static void
on_field (void   *data,
          size_t  length,
          void   *user_data)
{
  MtCellReader *reader = user_data;
  const char *text = data;
  guint column = reader->column++;
  const MtColumnPlan *plan;
  MtCell *cell;

  if (G_UNLIKELY (column == 0))
    reader->first_blank = mt_csv_is_blank (text, length);
  if (G_UNLIKELY (column >= reader->n_columns))
    {
      reader->extra_text |= !mt_csv_is_blank (text, length);
      return;
    }
  if (G_UNLIKELY (length > MT_CSV_MAX_FIELD) && !reader->block->too_long)
    {
      reader->block->too_long = TRUE;
      reader->block->too_long_row = reader->block->n_rows;
    }
  plan = &reader->plans[column];
  cell = &reader->row[column];
  switch (plan->mode)
    {
    case MT_READ_NUMBERS:
      {
        MtNumberKind kind = mt_number_parse (text, length, &mt_number_formats[plan->format], &cell->number);

        if (G_UNLIKELY (plan->number_tokens) && mt_is_missing_token (text, length, plan->tokens))
          kind = MT_NUMBER_NONE;
        if (G_UNLIKELY (kind != MT_NUMBER_FINITE))
          read_odd_number (reader, column, text, length, kind, cell);
        break;
      }
    case MT_READ_CODES:
      cell->code = mt_dict_add (&reader->dicts[column], text, length, plan->tokens);
      break;
    case MT_READ_TEXT:
      if (length == 0 || (length < 32 && mt_is_missing_token (text, length, plan->tokens)))
        cell->text.length = MT_CODE_MISSING;
      else
        read_text (reader, text, length, cell);
      break;
    case MT_READ_SKIP:
    default:
      break;
    }
}

static void
make_missing (MtCellReader *reader,
              guint         column)
{
  switch (reader->plans[column].mode)
    {
    case MT_READ_NUMBERS:
      reader->row[column].number = NAN;
      reader->counts[column].n_missing++;
      break;
    case MT_READ_CODES:
      reader->row[column].code = MT_CODE_MISSING;
      break;
    case MT_READ_TEXT:
      reader->row[column].text.length = MT_CODE_MISSING;
      break;
    case MT_READ_SKIP:
    default:
      break;
    }
}

static gboolean
reserve_row (MtCellReader *reader)
{
  MtCellBlock *block = reader->block;
  gsize used = block->n_rows * reader->n_columns;

  if (used + reader->n_columns > block->n_allocated)
    {
      gsize n = MAX (block->n_allocated + block->n_allocated / 2, used + reader->n_columns * 64);
      MtCell *more = g_try_realloc_n (block->cells, n, sizeof (MtCell));

      if (more == NULL)
        {
          block->no_memory = TRUE;
          return FALSE;
        }
      block->cells = more;
      block->n_allocated = n;
    }
  reader->row = block->cells + used;
  return TRUE;
}

static void
on_record (int   c,
           void *user_data)
{
  MtCellReader *reader = user_data;
  MtCellBlock *block = reader->block;
  guint n_fields = reader->column;

  reader->column = 0;
  if (G_UNLIKELY (n_fields != reader->n_columns))
    {
      MtRagged ragged = { block->n_rows, n_fields, MT_RECORD_SHORT };

      if (n_fields == 1 && reader->first_blank)
        return;   /* a line of blanks is no record */
      if (n_fields > reader->n_columns)
        ragged.kind = reader->extra_text ? MT_RECORD_LONG : MT_RECORD_PADDED;
      else
        for (guint column = n_fields; column < reader->n_columns; column++)
          make_missing (reader, column);
      reader->extra_text = FALSE;
      if (block->n_ragged[ragged.kind]++ < MAX_RAGGED)
        g_array_append_val (block->ragged, ragged);
    }
  block->n_rows++;
  /* Without memory the block is thrown away as a whole: its last row is written over. */
  if (!reserve_row (reader))
    block->n_rows--;
}

void
mt_cell_reader_run (MtCellReader *reader,
                    MtCellBlock  *block)
{
  const char *text;
  gsize length;
  gboolean cut;

  block->reader = reader->index;
  block->n_rows = 0;
  block->n_text = 0;
  block->too_long = FALSE;
  block->no_memory = FALSE;
  memset (block->n_ragged, 0, sizeof block->n_ragged);
  if (block->events == NULL)
    {
      block->events = g_array_new (FALSE, FALSE, sizeof (MtCellEvent));
      g_array_set_clear_func (block->events, clear_event);
      block->ragged = g_array_new (FALSE, FALSE, sizeof (MtRagged));
    }
  g_array_set_size (block->events, 0);
  g_array_set_size (block->ragged, 0);

  mt_csv_block_check (&block->block);
  block->skip = MIN (block->skip, block->block.length);
  text = block->block.text + block->skip;
  length = block->block.length - block->skip;
  cut = block->block.problem != MT_CSV_NO_PROBLEM;
  block->n_lines = mt_csv_count_lines (text, length);
  block->tokens = MT_CSV_TOKENS_OK;
  reader->block = block;
  reader->column = 0;
  reader->extra_text = FALSE;
  if (reserve_row (reader))
    block->tokens = mt_csv_tokenizer_run (&reader->tokenizer, text, length, !cut, on_field, on_record, reader,
                                          &block->error_offset);
}
