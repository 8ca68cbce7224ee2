/* An import in order: encoding and layout from the start of the file; a plan for each column
 * from the first records; one pass over the file, in batches of blocks that are cut and
 * typed side by side and then taken apart by columns; a second pass for the columns whose
 * plan turned out too narrow. If the bytes are not UTF-8 after all, all of it once more
 * with Windows-1252. */
#include "config.h"
#include "mt-import-private.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-parallel.h"

#define CHUNK_SIZE       (128u * 1024)      /* with its cells, what a core keeps close */
#define CHUNK_A_COLUMN   512u               /* bytes: some 64 rows, or a column is taken up for too few cells */
#define MAX_CHUNK_SIZE   (4u * 1024 * 1024)
#define SMALL_FILE       (512u * 1024)       /* not worth a second thread */
#define BLOCKS_A_THREAD  8
#define WIDE_COLUMNS     4096u
#define WIDE_FIRST_ROWS  24
#define MAX_SHORT_SHARE  20                  /* one in so many records may be short */
#define FALLBACK         "WINDOWS-1252"

/* --- an import under way --- */

typedef struct {
  MtCsvSource           *source;
  const MtImportOptions *options;
  const MtCsvDialect    *wanted;
  const GArray          *readings;        /* of the parts before; NULL: it is a whole file */
  GCancellable          *cancellable;
  MtPool                *pool;
  guint                  n_threads;
  gint64                 started;
  gint64                 last_progress;

  const char            *encoding;        /* NULL: UTF-8 */
  gboolean               assumed;         /* the fallback, after a byte that is not UTF-8 … */
  guint64                bad_line;        /* … here */
  guint8                 bad_byte;
  gboolean               guessed;         /* UTF-16 without a BOM */

  MtCsvLayout           *layout;
  char                 **names;
  GPtrArray             *findings;
  char                 ***tokens;         /* by column: NULL, or the file's and the column's own */
  MtCsvDialect          *dialects;        /* by column: the layout's, with the decimal mark of the parts before */
  MtColumnPlan          *plans;
  MtColumnBuilder       *builders;
  MtColumnResult        *results;
  GArray               **events;

  GArray                *line_runs;       /* of MtLineRun */
  GArray                *ragged;          /* of MtRagged: the first that are short or long, rows in the table */
  GArray                *padded;          /* … and the first with empty fields too many */
  gsize                  n_ragged[3];
  guint64                n_rows;
  guint64                line;            /* of the next block's first byte */
  char                  *sha256;
  guint64                n_bytes;

  /* For the tasks of a batch. */
  MtCellReader          *readers;
  MtCellBlock           *blocks;
  guint                  n_blocks;
} Job;

typedef enum {
  PASS_OK,
  PASS_FAILED,        /* error is set */
  PASS_OTHER_ENCODING,
} PassResult;

static char
quote_of (const MtCsvDialect *dialect)
{
  return dialect->quote == MT_CSV_NO_QUOTE ? 0 : dialect->quote;
}

static void
job_reset (Job *job)
{
  guint n = job->layout != NULL ? job->layout->n_columns : 0;

  for (guint c = 0; c < n; c++)
    {
      if (job->builders != NULL)
        mt_column_builder_clear (&job->builders[c]);
      if (job->results != NULL)
        mt_column_unref (job->results[c].column);
      if (job->events != NULL)
        g_clear_pointer (&job->events[c], g_array_unref);
      if (job->tokens != NULL)
        g_strfreev (job->tokens[c]);
    }
  g_clear_pointer (&job->builders, g_free);
  g_clear_pointer (&job->results, g_free);
  g_clear_pointer (&job->events, g_free);
  g_clear_pointer (&job->tokens, g_free);
  g_clear_pointer (&job->dialects, g_free);
  g_clear_pointer (&job->plans, g_free);
  g_clear_pointer (&job->names, g_strfreev);
  g_clear_pointer (&job->layout, mt_csv_layout_free);
  g_clear_pointer (&job->sha256, g_free);
  g_ptr_array_set_size (job->findings, 0);
  g_array_set_size (job->line_runs, 0);
  g_array_set_size (job->ragged, 0);
  g_array_set_size (job->padded, 0);
  memset (job->n_ragged, 0, sizeof job->n_ragged);
}

static void
report_progress (Job     *job,
                 guint64  bytes,
                 gboolean force)
{
  gint64 now = g_get_monotonic_time ();
  MtImportProgress progress = { bytes, mt_csv_source_get_size (job->source), job->n_rows, 0 };

  if (job->options->progress == NULL || (!force && now - job->last_progress < 50 * 1000))
    return;
  if (now > job->started)
    progress.bytes_per_second = (double) bytes * G_USEC_PER_SEC / (double) (now - job->started);
  job->last_progress = now;
  job->options->progress (&progress, job->options->progress_data);
}

/* --- what can be wrong with the text --- */

/* Puts records that were ragged further up in front: the first line that is wrong leads. */
static gboolean
fail_at_line (Job      *job,
              guint64   line,      /* that the problem names; 0: none */
              GError  **error,
              GError   *problem)   /* (transfer full) */
{
  mt_error_set_line (&problem, line);
  if (job->ragged->len > 0)
    {
      g_autofree char *ragged = mt_import_describe_ragged (job->ragged, job->line_runs, job->layout->n_columns);

      g_prefix_error (&problem, "%s. ", ragged);
      mt_error_set_line (&problem, mt_line_map_get (job->line_runs, g_array_index (job->ragged, MtRagged, 0).row));
    }
  g_propagate_error (error, problem);
  return FALSE;
}

static PassResult
handle_problem (Job           *job,
                MtCsvProblem   problem,
                guint8         byte,
                guint64        line,
                GError       **error)
{
  switch (problem)
    {
    case MT_CSV_PROBLEM_NUL:
      fail_at_line (job, line, error,
                    g_error_new (MT_ERROR, MT_ERROR_PARSE,
                                 _("Line %" PRIu64 " contains a NUL byte, which is not text. Remove it, or "
                                   "choose the encoding of the file if it is not %s"), line, job->layout != NULL
                                 ? job->layout->dialect->encoding : "UTF-8"));
      return PASS_FAILED;
    case MT_CSV_PROBLEM_UTF8:
      if (job->wanted->encoding == NULL && job->encoding == NULL)
        {
          job->bad_line = line;
          job->bad_byte = byte;
          return PASS_OTHER_ENCODING;
        }
      fail_at_line (job, line, error,
                    g_error_new (MT_ERROR, MT_ERROR_PARSE,
                                 _("Line %" PRIu64 ": the byte 0x%02X is not UTF-8. Choose the encoding of "
                                   "the file"), line, byte));
      return PASS_FAILED;
    case MT_CSV_PROBLEM_ENCODING:
      if (job->assumed)
        fail_at_line (job, job->bad_line, error,
                      g_error_new (MT_ERROR, MT_ERROR_PARSE,
                                   _("Line %" PRIu64 " (byte 0x%02X) is not UTF-8, and line %" PRIu64 " "
                                     "(byte 0x%02X) is not %s either. Choose the encoding of the file"), job->bad_line, job->bad_byte, line, byte, FALLBACK));
      else
        fail_at_line (job, line, error,
                      g_error_new (MT_ERROR, MT_ERROR_PARSE,
                                   _("Line %" PRIu64 ": the byte 0x%02X is not text in %s. Choose the "
                                     "encoding of the file"), line, byte,
                                   job->encoding));
      return PASS_FAILED;
    case MT_CSV_PROBLEM_FIELD_SIZE:
      fail_at_line (job, line, error,
                    g_error_new (MT_ERROR, MT_ERROR_BUDGET,
                                 _("Line %" PRIu64 ": a field is longer than %u MiB. A closing quote may be "
                                   "missing"),
                                 line, MT_CSV_MAX_FIELD / 1024 / 1024));
      return PASS_FAILED;
    case MT_CSV_NO_PROBLEM:
    default:
      return PASS_OK;
    }
}

static gboolean
fail_memory (GError **error,
             gsize    n_bytes)
{
  g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
               _("Not enough memory: the table needs %zu MB more. Remove columns or rows, or close other "
                 "programs"), n_bytes / 1000000 + 1);
  return FALSE;
}

typedef struct {
  GArray  *runs;
  guint64  row;
  guint64  line;
} LineWalk;

static void
note_line (gsize    offset,
           guint64  line,
           gpointer data)
{
  LineWalk *walk = data;
  MtLineRun run = { walk->row, walk->line + line };

  if (walk->runs->len == 0 || mt_line_map_get (walk->runs, walk->row) != run.line)
    g_array_append_val (walk->runs, run);
  walk->row++;
}

static void
map_lines (Job               *job,
           const MtCellBlock *block)
{
  const char *text = block->block.text + block->skip;
  gsize length = block->block.length - block->skip;
  LineWalk walk = { job->line_runs, job->n_rows, job->line };

  /* One line a record: nothing between the lines, nothing inside the records. */
  if (block->n_rows == block->n_lines && length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
    note_line (0, 0, &walk);
  else
    mt_csv_walk_records (text, length, quote_of (job->layout->dialect),
                         job->layout->n_columns > 1 ? job->layout->dialect->delimiter : 0, note_line, &walk);
}

/* Looks at one block in order, after it was cut and before its cells are taken. */
static PassResult
check_block (Job          *job,
             MtCellBlock  *block,
             GError      **error)
{
  const char *text = block->block.text + block->skip;
  gsize length = block->block.length - block->skip;
  char quote = quote_of (job->layout->dialect);
  MtCsvPlace place;
  PassResult result = PASS_OK;

  if (block->wanted_bytes > 0)
    {
      fail_memory (error, block->wanted_bytes);
      return PASS_FAILED;
    }
  map_lines (job, block);
  for (guint i = 0; i < block->ragged->len; i++)
    {
      MtRagged ragged = g_array_index (block->ragged, MtRagged, i);
      GArray *list;

      ragged.row += job->n_rows;
      list = ragged.kind == MT_SEARCH_RECORD_PADDED ? job->padded : job->ragged;
      if (list->len < MT_MAX_EVENTS)
        g_array_append_val (list, ragged);
      if (ragged.kind != MT_SEARCH_RECORD_LONG)
        continue;
      fail_at_line (job, mt_line_map_get (job->line_runs, ragged.row), error,
                    g_error_new (MT_ERROR, MT_ERROR_PARSE,
                                 _("Fix line %" PRIu64 ", or choose another delimiter or quote character. (A "
                                   "delimiter inside a field must be in quotes; a backslash does not escape "
                                   "it)"),
                                 mt_line_map_get (job->line_runs, ragged.row)));
      return PASS_FAILED;
    }
  for (guint k = 0; k < G_N_ELEMENTS (job->n_ragged); k++)
    job->n_ragged[k] += block->n_ragged[k];
  if (block->too_long)
    return handle_problem (job, MT_CSV_PROBLEM_FIELD_SIZE, 0,
                           mt_line_map_get (job->line_runs, job->n_rows + block->too_long_row), error);
  if (block->tokens != MT_CSV_TOKENS_OK)
    {
      g_autoptr (GError) problem = NULL;
      guint64 line;

      mt_csv_locate (text, length, quote, block->error_offset, &place);
      mt_csv_set_tokens_error (&problem, block->tokens,
                               job->line + (block->tokens == MT_CSV_TOKENS_OPEN_QUOTE ? place.quote_line : place.line),
                               text + place.offset, length - place.offset);
      line = mt_error_get_line (problem);
      fail_at_line (job, line, error, g_steal_pointer (&problem));
      return PASS_FAILED;
    }
  if (block->block.problem != MT_CSV_NO_PROBLEM)
    {
      guint64 line = job->line + block->n_lines;

      if (block->block.problem == MT_CSV_PROBLEM_FIELD_SIZE)
        {
          mt_csv_locate (text, length, quote, length, &place);
          line = job->line + place.line;
        }
      result = handle_problem (job, block->block.problem, block->block.problem_byte, line, error);
    }
  job->line += block->n_lines;
  return result;
}

/* --- a pass over the file --- */

static void
run_block (guint    task,
           guint    worker,
           gpointer data)
{
  Job *job = data;

  mt_cell_reader_run (&job->readers[worker], &job->blocks[task]);
}

static void
take_column (guint    column,
             guint    worker,
             gpointer data)
{
  Job *job = data;

  for (guint b = 0; b < job->n_blocks; b++)
    if (!mt_column_builder_append (&job->builders[column], &job->blocks[b], job->readers, column,
                                   job->plans[column].tokens))
      return;
  mt_column_builder_review (&job->builders[column]);
}

/* After a batch: readers follow what builders decided. */
static gboolean
follow_builders (Job     *job,
                 GError **error)
{
  for (guint c = 0; c < job->layout->n_columns; c++)
    {
      MtColumnBuilder *builder = &job->builders[c];

      if (builder->wanted_bytes > 0)
        return fail_memory (error, builder->wanted_bytes);
      if (builder->mode == job->plans[c].mode)
        continue;
      job->plans[c].mode = builder->mode;
      job->plans[c].format = builder->format;
    }
  return TRUE;
}

/* From the first batch: how many rows there will be. Room that is not used costs nothing. */
static void
expect_rows (Job     *job,
             guint64  n_read)
{
  guint64 size = mt_csv_source_get_size (job->source);
  double n_rows;

  if (size <= n_read)
    return;
  n_rows = (double) job->n_rows * 1.02 * (double) size / (double) n_read;
  for (guint c = 0; c < job->layout->n_columns; c++)
    mt_column_builder_expect (&job->builders[c], (gsize) n_rows);
}

/* Fills the batch; *last when the file ended. */
static gboolean
read_batch (Job          *job,
            MtCsvReader  *reader,
            gsize        *to_skip,
            guint         n_max,
            gboolean     *last,
            GError      **error)
{
  job->n_blocks = 0;
  *last = FALSE;
  while (job->n_blocks < n_max && !*last)
    {
      MtCellBlock *block = &job->blocks[job->n_blocks];

      if (!mt_csv_reader_next (reader, &block->block, job->cancellable, error))
        return FALSE;
      block->skip = MIN (*to_skip, block->block.length);
      *to_skip -= block->skip;
      *last = block->block.last;
      if (block->skip < block->block.length || *last)
        job->n_blocks++;
      if (g_cancellable_set_error_if_cancelled (job->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static PassResult
read_blocks (Job          *job,
             MtCsvReader  *reader,
             guint         n_max,
             GError      **error)
{
  gsize to_skip = job->layout->data_offset;
  /* Few rows of many columns tell which are numbers, before all of them are collected as texts. */
  gboolean is_wide = job->layout->n_columns > WIDE_COLUMNS;
  gboolean last = FALSE;

  for (guint n_batches = 0; !last; n_batches++)
    {
      if (!read_batch (job, reader, &to_skip, is_wide && job->n_rows < WIDE_FIRST_ROWS ? 1 : n_max, &last, error))
        return PASS_FAILED;
      mt_pool_run (job->pool, job->n_blocks, run_block, job);
      for (guint b = 0; b < job->n_blocks; b++)
        {
          PassResult result = check_block (job, &job->blocks[b], error);

          if (result != PASS_OK)
            return result;
          job->n_rows += job->blocks[b].n_rows;
        }
      mt_pool_run (job->pool, job->layout->n_columns, take_column, job);
      if (!follow_builders (job, error))
        return PASS_FAILED;
      if (n_batches == 0)
        expect_rows (job, mt_csv_reader_get_n_bytes (reader));
      report_progress (job, mt_csv_reader_get_n_bytes (reader), last);
      if (g_cancellable_set_error_if_cancelled (job->cancellable, error))
        return PASS_FAILED;
    }
  return PASS_OK;
}

static PassResult
read_pass (Job     *job,
           GError **error)
{
  g_autoptr (MtCsvReader) reader = NULL;
  gsize chunk_size = job->options->chunk_size > 0
                     ? job->options->chunk_size
                     : CLAMP ((gsize) job->layout->n_columns * CHUNK_A_COLUMN, CHUNK_SIZE, MAX_CHUNK_SIZE);
  guint n_max = job->n_threads == 1 ? 1 : job->n_threads * BLOCKS_A_THREAD;
  guint n_columns = job->layout->n_columns;
  PassResult result;

  reader = mt_csv_reader_new (job->source, job->encoding, quote_of (job->layout->dialect), chunk_size,
                              job->cancellable, error);
  if (reader == NULL)
    return PASS_FAILED;
  job->n_rows = 0;
  job->line = job->options->data_line > 0 ? job->options->data_line : job->layout->data_line;
  g_array_set_size (job->line_runs, 0);
  g_array_set_size (job->ragged, 0);
  g_array_set_size (job->padded, 0);
  memset (job->n_ragged, 0, sizeof job->n_ragged);
  job->readers = g_new0 (MtCellReader, job->n_threads);
  for (guint r = 0; r < job->n_threads; r++)
    mt_cell_reader_init (&job->readers[r], r, n_columns, job->plans, job->layout->dialect);
  job->blocks = g_new0 (MtCellBlock, n_max);

  result = read_blocks (job, reader, n_max, error);
  for (guint c = 0; c < n_columns && result == PASS_OK; c++)
    for (guint r = 0; r < job->n_threads; r++)
      {
        const MtNumberCounts *counts = &job->readers[r].counts[c];
        MtNumberCounts *sums = &job->builders[c].counts;

        sums->n_missing += counts->n_missing;
        sums->n_bad += counts->n_bad;
        sums->n_infinite += counts->n_infinite;
        sums->n_leading_zero += counts->n_leading_zero;
        sums->n_other_format += counts->n_other_format;
        sums->n_nothings += counts->n_nothings;
        sums->any_point |= counts->any_point;
      }

  for (guint r = 0; r < job->n_threads; r++)
    mt_cell_reader_clear (&job->readers[r]);
  for (guint b = 0; b < n_max; b++)
    mt_cell_block_clear (&job->blocks[b]);
  g_clear_pointer (&job->readers, g_free);
  g_clear_pointer (&job->blocks, g_free);
  if (result == PASS_OK)
    {
      g_clear_pointer (&job->sha256, g_free);
      job->n_bytes = mt_csv_reader_get_n_bytes (reader);
      if (!mt_csv_reader_finish (reader, &job->sha256, error))
        return PASS_FAILED;
    }
  return result;
}

/* --- plans --- */

static void
tally_sample (const MtCsvSample  *sample,
              guint               column,
              const char * const *tokens,
              MtTypeTally        *tally)
{
  MtDict seen = { 0 };
  char padded[64];

  memset (tally, 0, sizeof *tally);
  for (guint r = 0; r < mt_csv_sample_get_n_records (sample); r++)
    {
      gsize length;
      const char *text = mt_csv_sample_get_cell (sample, r, column, &length);

      if (mt_missing_is_token (text, length, tokens))
        continue;
      mt_type_tally_add (tally, text, length, 1);
      /* Only to see whether there are few: long texts count by their start. */
      length = MIN (length, sizeof padded - 16);
      memcpy (padded, text, length);
      mt_dict_add (&seen, padded, length);
    }
  tally->n_distinct = seen.n_entries;
  mt_dict_clear (&seen);
}

/* A wide table has few rows in the sample, too few to call a column text; but where all of them
 * differ, a dictionary would only grow. What it is in the end is decided by all cells. */
static gboolean
looks_distinct (const MtTypeTally *tally)
{
  return tally->n_values >= 4 && tally->n_distinct == tally->n_values;
}

static MtColumnReading
get_reading (const Job *job,
             guint      c)
{
  const MtColumnReading open = { 0, -1 };

  return job->readings != NULL && c < job->readings->len ? g_array_index (job->readings, MtColumnReading, c) : open;
}

static void
plan_column (Job   *job,
             guint  c)
{
  MtColumnReading reading = get_reading (job, c);
  MtCsvDialect *dialect = &job->dialects[c];
  const char * const *own = mt_schema_get_missing (job->options->schema, job->names[c]);
  MtColumnPlan *plan = &job->plans[c];
  MtColumnBuilder *builder = &job->builders[c];
  MtColumnType type;
  MtTypeTally tally;
  MtTypeGuess guess;
  gboolean forced;

  *dialect = *job->layout->dialect;
  if (dialect->decimal == 0)
    dialect->decimal = reading.decimal;
  plan->tokens = (const char * const *) dialect->missing_tokens;
  plan->note_points = job->readings != NULL;
  if (own != NULL)
    {
      guint n = g_strv_length (dialect->missing_tokens);
      guint n_own = g_strv_length ((char **) own);

      job->tokens[c] = g_new0 (char *, n + n_own + 1);
      for (guint i = 0; i < n + n_own; i++)
        job->tokens[c][i] = g_strdup (i < n ? dialect->missing_tokens[i] : own[i - n]);
      plan->tokens = (const char * const *) job->tokens[c];
    }
  plan->number_tokens = mt_missing_has_number_token (plan->tokens);
  forced = mt_schema_get_type (job->options->schema, job->names[c], &type);
  tally_sample (&job->layout->sample, c, plan->tokens, &tally);
  mt_type_decide (&tally, dialect, reading.order, &guess);
  if (forced && type == MT_TYPE_NUMBER)
    mt_type_force_number (&tally, dialect, mt_schema_get_unit (job->options->schema, job->names[c]), &guess);

  if (forced && type == MT_TYPE_TEXT)
    plan->mode = MT_READ_TEXT;
  else if (forced && type != MT_TYPE_NUMBER)
    plan->mode = MT_READ_CODES;
  else if (guess.type == MT_TYPE_NUMBER && !guess.ambiguous && !guess.units && tally.n_distinct > 2)
    plan->mode = MT_READ_NUMBERS;
  else
    plan->mode = guess.type == MT_TYPE_TEXT || looks_distinct (&tally) ? MT_READ_TEXT : MT_READ_CODES;
  plan->format = guess.format;
  mt_column_builder_init (builder, plan->mode, plan->format, job->n_threads, job->layout->n_columns, dialect);
  builder->unit = mt_schema_get_unit (job->options->schema, job->names[c]);
  builder->order = reading.order;
  builder->keep_text = forced && type != MT_TYPE_NUMBER;
  builder->keep_codes = forced && (type == MT_TYPE_CATEGORY || type == MT_TYPE_BOOLEAN);
}

static void
finish_column (guint    column,
               guint    worker,
               gpointer data)
{
  Job *job = data;
  MtColumnBuilder *builder = &job->builders[column];
  MtColumnType type;
  gboolean forced;

  if (builder->mode == MT_READ_SKIP)
    return;
  forced = mt_schema_get_type (job->options->schema, job->names[column], &type);
  mt_column_builder_finish (builder, job->names[column], forced ? &type : NULL, &job->results[column]);
  g_clear_pointer (&job->events[column], g_array_unref);
  job->events[column] = g_steal_pointer (&builder->events);
}

/* Finishes what was read; plans the columns that have to be read again. */
static gboolean
finish_columns (Job      *job,
                gboolean *again,
                GError  **error)
{
  guint n = job->layout->n_columns;

  mt_pool_run (job->pool, n, finish_column, job);
  *again = FALSE;
  for (guint c = 0; c < n; c++)
    {
      MtColumnBuilder *builder = &job->builders[c];
      gboolean read_again = job->results[c].read_again;

      if (builder->mode != MT_READ_SKIP && job->results[c].column == NULL && !read_again)
        return fail_memory (error, builder->wanted_bytes);
      *again |= read_again;
      mt_column_builder_clear (builder);
      mt_column_builder_init (builder, read_again ? MT_READ_CODES : MT_READ_SKIP, 0, job->n_threads, n, &job->dialects[c]);
      builder->order = get_reading (job, c).order;
      builder->unit = mt_schema_get_unit (job->options->schema, job->names[c]);
      builder->keep_text = TRUE;
      job->plans[c].mode = builder->mode;
    }
  return TRUE;
}

/* --- the whole --- */

/* What the numbers of the file say about its decimal separator, for the dialect shown. */
static void
settle_numbers (Job *job)
{
  MtCsvDialect *dialect = job->layout->dialect;
  gboolean comma = FALSE, point = FALSE;
  char thousands = 0;

  for (guint c = 0; c < job->layout->n_columns; c++)
    {
      const MtColumnResult *result = &job->results[c];
      const MtNumberFormat *format = &mt_number_formats[result->guess.format];

      if (result->guess.type != MT_TYPE_NUMBER || result->n_values == 0)
        continue;
      if (result->guess.format != 0)
        {
          comma |= format->decimal == ',';
          thousands = format->thousands;
        }
      point |= format->decimal == '.' && !result->whole;
    }
  if (dialect->decimal == 0)
    dialect->decimal = comma && !point ? ',' : '.';
  if (dialect->thousands == 0)
    dialect->thousands = thousands != 0 ? thousands : MT_CSV_NO_THOUSANDS;
}

static gboolean
check_shape (Job     *job,
             GError **error)
{
  if (job->n_rows == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("Line %" PRIu64 ": there are no data rows after the header. Add rows, or turn off the "
                     "header in the import settings"), MAX (job->layout->header_line, 1));
      mt_error_set_line (error, MAX (job->layout->header_line, 1));
      return FALSE;
    }
  if (job->n_ragged[MT_SEARCH_RECORD_SHORT] * MAX_SHORT_SHARE > job->n_rows)
    return fail_at_line (job, 0, error,
                         g_error_new (MT_ERROR, MT_ERROR_PARSE,
                                      _("%zu of %" PRIu64 " records are too short: the file may contain a "
                                        "second table, or the delimiter may be wrong. Fix the file, or "
                                        "choose the delimiter"), job->n_ragged[MT_SEARCH_RECORD_SHORT], job->n_rows));
  return TRUE;
}

/* What the parts after this one are to be read like; what is not like the parts before it. */
static void
note_readings (Job      *job,
               MtImport *import)
{
  import->readings = g_array_new (FALSE, FALSE, sizeof (MtColumnReading));
  for (guint c = 0; c < job->layout->n_columns; c++)
    {
      const MtColumnResult *result = &job->results[c];
      MtColumnReading reading = get_reading (job, c);
      gboolean number = result->guess.type == MT_TYPE_NUMBER, date = result->guess.type == MT_TYPE_DATE;
      const GArray *events = job->events[c];

      for (guint i = 0; events != NULL && i < events->len && import->odd.line == 0; i++)
        {
          const MtCellEvent *event = &g_array_index (events, MtCellEvent, i);
          gsize length = strlen (event->text);

          if (event->kind != MT_CELL_BAD ||
              !((number && reading.decimal != 0 && mt_type_is_quantity (event->text, length, job->layout->dialect)) ||
                (date && reading.order >= 0 && mt_type_is_date (event->text, length))))
            continue;
          import->odd = (MtOddCell) { mt_line_map_get (job->line_runs, event->row), g_strdup (job->names[c]),
                                      g_strdup (event->text), result->guess.type };
        }
      if (number && result->n_values > result->n_bad && (result->guess.format != 0 || result->any_point))
        reading.decimal = mt_number_formats[result->guess.format].decimal;
      if (date && result->n_values > result->n_bad)
        reading.order = (int) result->guess.order;
      g_array_append_val (import->readings, reading);
    }
}

static MtImport *
make_import (Job *job)
{
  MtImport *import = g_new0 (MtImport, 1);
  MtImportFacts facts = {
    .layout = job->layout,
    .wanted = job->wanted,
    .schema = job->options->schema,
    .names = job->names,
    .results = job->results,
    .events = job->events,
    .line_runs = job->line_runs,
    .n_rows = job->n_rows,
    .ragged = job->ragged,
    .padded = job->padded,
    .n_short = job->n_ragged[MT_SEARCH_RECORD_SHORT],
    .n_padded = job->n_ragged[MT_SEARCH_RECORD_PADDED],
    .encoding_assumed = job->assumed,
    .encoding_line = job->bad_line,
    .encoding_byte = job->bad_byte,
    .encoding_guessed = job->guessed,
  };

  if (job->readings != NULL)
    note_readings (job, import);
  settle_numbers (job);
  g_atomic_ref_count_init (&import->ref_count);
  import->findings = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  for (guint i = 0; i < job->findings->len; i++)
    g_ptr_array_add (import->findings, mt_finding_ref (job->findings->pdata[i]));
  mt_import_add_findings (&facts, import->findings);
  import->table = mt_import_make_table (&facts, import->findings);
  import->dialect = g_steal_pointer (&job->layout->dialect);
  mt_csv_source_note_chosen (job->source, import->dialect);
  import->sha256 = g_steal_pointer (&job->sha256);
  import->n_bytes = job->n_bytes;
  return import;
}

/* With the encoding settled; PASS_OTHER_ENCODING when it was not. */
static PassResult
attempt (Job       *job,
         MtImport **import,
         GError   **error)
{
  MtCsvProblem problem;
  guint8 byte = 0;
  guint64 line = 0;
  gboolean again = TRUE;

  job_reset (job);
  job->layout = mt_csv_layout_detect (job->source, job->wanted, job->options->schema, job->encoding, &problem, &byte, &line,
                                      job->cancellable, error);
  if (job->layout == NULL)
    return problem != MT_CSV_NO_PROBLEM ? handle_problem (job, problem, byte, line, error) : PASS_FAILED;
  job->names = mt_import_make_names (job->layout, job->findings);
  job->plans = g_new0 (MtColumnPlan, job->layout->n_columns);
  job->tokens = g_new0 (char **, job->layout->n_columns);
  job->dialects = g_new0 (MtCsvDialect, job->layout->n_columns);
  job->builders = g_new0 (MtColumnBuilder, job->layout->n_columns);
  job->results = g_new0 (MtColumnResult, job->layout->n_columns);
  job->events = g_new0 (GArray *, job->layout->n_columns);
  for (guint c = 0; c < job->layout->n_columns; c++)
    plan_column (job, c);

  while (again)
    {
      PassResult result = read_pass (job, error);

      if (result != PASS_OK)
        return result;
      if (!check_shape (job, error) || !finish_columns (job, &again, error))
        return PASS_FAILED;
    }
  *import = make_import (job);
  return mt_import_derive (import, job->options->schema, error) ? PASS_OK : PASS_FAILED;
}

static gboolean
settle_encoding (Job     *job,
                 GError **error)
{
  g_autoptr (MtCsvReader) reader = NULL;
  const char *head;
  gsize length;

  if (job->wanted->encoding != NULL)
    {
      job->encoding = job->wanted->encoding;
      return TRUE;
    }
  reader = mt_csv_reader_new (job->source, NULL, '"', CHUNK_SIZE, job->cancellable, error);
  if (reader == NULL)
    return FALSE;
  head = mt_csv_reader_peek_head (reader, &length);
  if (!mt_csv_detect_encoding (head, length, &job->encoding, error))
    return FALSE;
  job->guessed = job->encoding != NULL && strcmp (job->encoding, "UTF-32") != 0 && (guchar) head[0] < 0xfe;
  return TRUE;
}

/* Not UTF-8: is it an encoding that Windows-1252 would turn into nonsense? */
static gboolean
settle_fallback (Job     *job,
                 GError **error)
{
  g_autoptr (MtCsvReader) reader = mt_csv_reader_new (job->source, NULL, '"', CHUNK_SIZE, job->cancellable, error);
  const char *head, *likely;
  gsize length;

  if (reader == NULL)
    return FALSE;
  head = mt_csv_reader_peek_head (reader, &length);
  likely = mt_csv_detect_multibyte (head, length);
  if (likely != NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("Line %" PRIu64 ": the byte 0x%02X is not UTF-8; the text looks like %s. Choose the "
                     "encoding of the file"), job->bad_line, job->bad_byte, likely);
      mt_error_set_line (error, job->bad_line);
      return FALSE;
    }
  job->encoding = FALLBACK;
  job->assumed = TRUE;
  return TRUE;
}

MtImport *
mt_import_source (MtCsvSource            *source,
               const MtImportOptions  *options,
               const GArray           *readings,
               GCancellable           *cancellable,
               GError                **error)
{
  static const MtImportOptions no_options = { 0 };
  g_autoptr (MtCsvDialect) automatic = mt_csv_dialect_new ();
  g_autoptr (MtCsvDialect) wanted = NULL;
  Job job = { 0 };
  MtImport *import = NULL;
  PassResult result = PASS_FAILED;
  guint64 size;

  job.source = source;
  job.options = options != NULL ? options : &no_options;
  wanted = mt_csv_source_settle (source, job.options->dialect != NULL ? job.options->dialect : automatic, cancellable, error);
  if (wanted == NULL)
    return NULL;
  job.wanted = wanted;
  job.readings = readings;
  job.cancellable = cancellable;
  job.started = g_get_monotonic_time ();
  job.findings = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  job.line_runs = g_array_new (FALSE, FALSE, sizeof (MtLineRun));
  job.ragged = g_array_new (FALSE, FALSE, sizeof (MtRagged));
  job.padded = g_array_new (FALSE, FALSE, sizeof (MtRagged));

  if (settle_encoding (&job, error))
    {
      size = mt_csv_source_get_size (source);
      job.n_threads = job.options->n_threads > 0 ? job.options->n_threads : g_get_num_processors ();
      if (job.options->n_threads == 0 && size > 0 && size < SMALL_FILE)
        job.n_threads = 1;
      job.pool = job.n_threads > 1 ? mt_pool_new (job.n_threads) : NULL;
      result = attempt (&job, &import, error);
      if (result == PASS_OTHER_ENCODING && settle_fallback (&job, error))
        result = attempt (&job, &import, error);
    }

  job_reset (&job);
  mt_pool_free (job.pool);
  g_ptr_array_unref (job.findings);
  g_array_unref (job.line_runs);
  g_array_unref (job.ragged);
  g_array_unref (job.padded);
  return result == PASS_OK ? import : NULL;
}
