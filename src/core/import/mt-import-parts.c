/* A CSV of any size, part by part. See mt_import_parts() in mt-import.h.
 *
 * The reader cuts the decoded text into blocks of whole records. A file of one block is imported as a whole; of a
 * longer one each block gets the names as its first line, and is imported by itself with the dialect that the start of
 * the file showed. Memory: some five times the size of a part. */
#include "config.h"
#include "mt-import.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-import-private.h"

#define FALLBACK "WINDOWS-1252"

struct _MtImportPart {
  MtImport           *import;
  MtCsvSource        *source;      /* of the text of the part … */
  const MtCsvDialect *dialect;     /* … and how it is written */
  guint64             first_row;
  gboolean            is_whole;
};

typedef struct {
  MtCsvSource           *source;
  const MtImportOptions *options;
  const MtCsvDialect    *wanted;
  gsize                  part_size;
  MtImportPartFunc       func;
  gpointer               data;
  GCancellable          *cancellable;

  const char            *encoding;     /* NULL: UTF-8 */
  MtCsvLayout           *layout;
  MtCsvDialect          *dialect;      /* of the parts */
  GString               *header;
  GArray                *readings;     /* of MtColumnReading: of the parts so far */
  guint64                row, line;    /* of the next part's first record */
  gint64                 started;
} Parts;

const MtImport *
mt_import_part_get_import (const MtImportPart *part)
{
  return part->import;
}

guint64
mt_import_part_get_first_row (const MtImportPart *part)
{
  return part->first_row;
}

gboolean
mt_import_part_is_whole (const MtImportPart *part)
{
  return part->is_whole;
}

gboolean
mt_import_part_each_record (const MtImportPart  *part,
                            MtCsvCellsFunc       func,
                            gpointer             user_data,
                            GCancellable        *cancellable,
                            GError             **error)
{
  return mt_csv_each_record_of (part->source, part->dialect, func, user_data, cancellable, error);
}

/* The end of the walk is no failure, unless the caller says so. */
static gboolean
hand_out (Parts               *parts,
          const MtImportPart  *part,
          gboolean            *go_on,
          GError             **error)
{
  g_autoptr (GError) problem = NULL;

  *go_on = parts->func (part, parts->data, &problem);
  if (problem == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/* --- a file of one part --- */

static gboolean
import_whole (Parts   *parts,
              GError **error)
{
  g_autoptr (MtImport) import = mt_import_source (parts->source, parts->options, NULL, parts->cancellable, error);
  MtImportPart part = { import, parts->source, import != NULL ? mt_import_get_dialect (import) : NULL, 0, TRUE };
  gboolean go_on;

  return import != NULL && hand_out (parts, &part, &go_on, error);
}

/* --- a file of many --- */

static char
quote_of (const MtCsvDialect *dialect)
{
  return dialect->quote == MT_CSV_NO_QUOTE ? 0 : dialect->quote;
}

static void
write_header (Parts *parts)
{
  const MtCsvDialect *dialect = parts->layout->dialect;
  char quote = quote_of (dialect);

  g_string_truncate (parts->header, 0);
  for (guint c = 0; parts->layout->names != NULL && c < parts->layout->n_columns; c++)
    {
      if (c > 0)
        g_string_append_c (parts->header, dialect->delimiter);
      if (quote != 0)
        g_string_append_c (parts->header, quote);
      for (const char *p = parts->layout->names[c]; *p != '\0'; p++)
        {
          if (*p == quote && quote != 0)
            g_string_append_c (parts->header, quote);
          g_string_append_c (parts->header, *p);
        }
      if (quote != 0)
        g_string_append_c (parts->header, quote);
    }
  if (parts->layout->names != NULL)
    g_string_append_c (parts->header, '\n');
}

/* How the file is written, by its start. FALSE without an error: only a whole import can say. */
static gboolean
settle_layout (Parts   *parts,
               GError **error)
{
  MtCsvProblem problem;
  guint8 byte;
  guint64 line;

  g_clear_pointer (&parts->layout, mt_csv_layout_free);
  g_clear_pointer (&parts->dialect, mt_csv_dialect_free);
  parts->layout = mt_csv_layout_detect (parts->source, parts->wanted, parts->options->schema, parts->encoding, &problem, &byte, &line,
                                        parts->cancellable, error);
  if (parts->layout == NULL)
    return FALSE;
  write_header (parts);
  parts->dialect = mt_csv_dialect_copy (parts->layout->dialect);
  g_free (parts->dialect->encoding);
  parts->dialect->encoding = g_strdup ("UTF-8");
  /* The text of a part holds nothing to choose from. */
  g_clear_pointer (&parts->dialect->sheet, g_free);
  g_clear_pointer (&parts->dialect->table, g_free);
  g_clear_pointer (&parts->dialect->query, g_free);
  parts->dialect->header = parts->layout->names != NULL;
  g_array_set_size (parts->readings, 0);
  parts->row = 0;
  parts->line = parts->layout->data_line;
  return TRUE;
}

static gboolean
fail_text (Parts             *parts,
           const MtCsvBlock  *block,
           GError           **error)
{
  guint64 line = parts->line + mt_csv_count_lines (block->text, block->length);

  switch (block->problem)
    {
    case MT_CSV_PROBLEM_NUL:
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("Line %" PRIu64 " contains a NUL byte, which is not text. Remove it, or "
                     "choose the encoding of the file if it is not %s"), line,
                   parts->encoding != NULL ? parts->encoding : "UTF-8");
      break;
    case MT_CSV_PROBLEM_FIELD_SIZE:
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                   _("Line %" PRIu64 ": a field is longer than %u MiB. A closing quote may be "
                     "missing"), line, MT_CSV_MAX_FIELD / 1024 / 1024);
      break;
    case MT_CSV_PROBLEM_UTF8:
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("Line %" PRIu64 ": the byte 0x%02X is not UTF-8. Choose the encoding of "
                     "the file"), line, block->problem_byte);
      break;
    case MT_CSV_PROBLEM_ENCODING:
    case MT_CSV_NO_PROBLEM:
    default:
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("Line %" PRIu64 ": the byte 0x%02X is not text in %s. Choose the "
                     "encoding of the file"), line, block->problem_byte,
                   parts->encoding != NULL ? parts->encoding : "UTF-8");
      break;
    }
  mt_error_set_line (error, line);
  return FALSE;
}

/* A way to read numbers or dates that one part showed holds for those after it; another would give other numbers. */
static gboolean
settle_readings (Parts           *parts,
                 const MtImport  *import,
                 GError         **error)
{
  const MtOddCell *odd = &import->odd;
  g_autofree char *text = NULL;

  if (odd->line == 0)
    {
      g_clear_pointer (&parts->readings, g_array_unref);
      parts->readings = g_array_ref (import->readings);
      return TRUE;
    }
  text = g_utf8_make_valid (odd->text, -1);
  if (odd->type == MT_TYPE_DATE)
    g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                 _("Line %" PRIu64 ": “%s” in “%s” is not a date in the order that the lines before it have. Write all "
                   "dates of the column in one order, such as 2026-01-31"), odd->line, text, odd->column);
  else
    g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                 _("Line %" PRIu64 ": “%s” in “%s” is not a number in the format that the lines before it have. Write all "
                   "numbers of the column with the same decimal mark"), odd->line, text, odd->column);
  mt_error_set_line (error, odd->line);
  return FALSE;
}

static gboolean
import_block (Parts             *parts,
              const MtCsvBlock  *block,
              gsize              skip,
              gboolean          *go_on,
              GError           **error)
{
  MtImportOptions options = *parts->options;
  gsize length = parts->header->len + block->length - skip;
  char *text = g_try_malloc (length + 1);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (MtCsvSource) source = NULL;
  g_autoptr (MtImport) import = NULL;
  MtImportPart part;

  *go_on = TRUE;
  if (text == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                   _("Not enough memory: the table needs %zu MB more. Remove columns or rows, or close other "
                     "programs"), length / 1000000 + 1);
      return FALSE;
    }
  memcpy (text, parts->header->str, parts->header->len);
  memcpy (text + parts->header->len, block->text + skip, block->length - skip);
  bytes = g_bytes_new_take (text, length);
  source = mt_csv_source_new_bytes (bytes);
  options.dialect = parts->dialect;
  options.data_line = parts->line;
  options.progress = NULL;
  import = mt_import_source (source, &options, parts->readings, parts->cancellable, error);
  if (import == NULL || !settle_readings (parts, import, error))
    return FALSE;
  part = (MtImportPart) { import, source, parts->dialect, parts->row, FALSE };
  if (!hand_out (parts, &part, go_on, error))
    return FALSE;
  parts->row += mt_table_get_n_rows (mt_import_get_table (import));
  return TRUE;
}

static void
report_progress (Parts   *parts,
                 guint64  n_bytes)
{
  gint64 now = g_get_monotonic_time ();
  MtImportProgress progress = { n_bytes, mt_csv_source_get_size (parts->source), parts->row, 0 };

  if (parts->options->progress == NULL)
    return;
  if (now > parts->started)
    progress.bytes_per_second = (double) n_bytes * G_USEC_PER_SEC / (double) (now - parts->started);
  parts->options->progress (&progress, parts->options->progress_data);
}

typedef enum {
  WALK_DONE,
  WALK_FAILED,        /* error is set */
  WALK_WHOLE,         /* a single part: nothing was handed out */
  WALK_FALLBACK,      /* not UTF-8, and nothing was handed out */
} Walked;

static Walked
walk (Parts   *parts,
      GError **error)
{
  g_autoptr (MtCsvReader) reader = NULL;
  g_auto (MtCsvBlock) block = { 0 };
  gsize skip = parts->layout->data_offset;
  gboolean first = TRUE, go_on = TRUE;

  reader = mt_csv_reader_new (parts->source, parts->encoding, quote_of (parts->layout->dialect), parts->part_size,
                              parts->cancellable, error);
  if (reader == NULL)
    return WALK_FAILED;
  do
    {
      gsize n;
      gboolean last;

      if (!mt_csv_reader_next (reader, &block, parts->cancellable, error))
        return WALK_FAILED;
      last = block.last;
      if (first && last)
        return WALK_WHOLE;
      mt_csv_block_check (&block);
      if (block.problem == MT_CSV_PROBLEM_UTF8 && first && parts->encoding == NULL && parts->wanted->encoding == NULL)
        return WALK_FALLBACK;
      if (first)
        mt_csv_source_let_pass (parts->source);    /* from here on, nothing begins once more */
      if (block.problem != MT_CSV_NO_PROBLEM)
        {
          fail_text (parts, &block, error);
          return WALK_FAILED;
        }
      n = MIN (skip, block.length);
      skip -= n;
      if (n < block.length && !mt_csv_is_blank (block.text + n, block.length - n) &&
          !import_block (parts, &block, n, &go_on, error))
        return WALK_FAILED;
      parts->line += mt_csv_count_lines (block.text + n, block.length - n);
      report_progress (parts, mt_csv_reader_get_n_bytes (reader));
      first = FALSE;
      if (last)
        return WALK_DONE;
    }
  while (go_on);
  return WALK_DONE;
}

/* Not UTF-8: Windows-1252, unless it looks like what must be named. */
static gboolean
fall_back (Parts   *parts,
           GError **error)
{
  g_autoptr (MtCsvReader) reader = mt_csv_reader_new (parts->source, NULL, '"', 64 * 1024, parts->cancellable, error);
  const char *head;
  gsize length;

  if (reader == NULL)
    return FALSE;
  head = mt_csv_reader_peek_head (reader, &length);
  parts->encoding = mt_csv_detect_multibyte (head, length) == NULL ? FALLBACK : NULL;
  return parts->encoding != NULL;
}

static gboolean
settle_encoding (Parts   *parts,
                 GError **error)
{
  g_autoptr (MtCsvReader) reader = NULL;
  const char *head;
  gsize length;

  if (parts->wanted->encoding != NULL)
    {
      parts->encoding = parts->wanted->encoding;
      return TRUE;
    }
  reader = mt_csv_reader_new (parts->source, NULL, '"', 64 * 1024, parts->cancellable, error);
  if (reader == NULL)
    return FALSE;
  head = mt_csv_reader_peek_head (reader, &length);
  return mt_csv_detect_encoding (head, length, &parts->encoding, error);
}

gboolean
mt_import_parts (GFile                  *file,
                 GInputStream           *stream,
                 const MtImportOptions  *options,
                 gsize                   part_size,
                 MtImportPartFunc        func,
                 gpointer                user_data,
                 GCancellable           *cancellable,
                 GError                **error)
{
  static const MtImportOptions no_options = { 0 };
  g_autoptr (MtCsvDialect) automatic = mt_csv_dialect_new ();
  g_autoptr (MtCsvDialect) wanted = NULL;
  g_autoptr (MtCsvSource) source = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GString) header = g_string_new (NULL);
  Parts parts = { 0 };
  Walked walked = WALK_WHOLE;
  gboolean done;

  g_return_val_if_fail ((file != NULL) != (stream != NULL), FALSE);

  source = file != NULL ? mt_csv_source_new_file (file) : mt_csv_source_new_stream (stream);
  parts.source = source;
  parts.options = options != NULL ? options : &no_options;
  wanted = mt_csv_source_settle (source, parts.options->dialect != NULL ? parts.options->dialect : automatic, cancellable, error);
  if (wanted == NULL)
    return FALSE;
  parts.wanted = wanted;
  parts.part_size = part_size > 0 ? part_size : MT_IMPORT_PART;
  parts.func = func;
  parts.data = user_data;
  parts.cancellable = cancellable;
  parts.header = header;
  parts.readings = g_array_new (FALSE, FALSE, sizeof (MtColumnReading));
  parts.started = g_get_monotonic_time ();

  /* What goes wrong before the first part is said by the whole import, in its words. */
  if (settle_encoding (&parts, NULL) &&
      (settle_layout (&parts, NULL) ||
       (parts.encoding == NULL && fall_back (&parts, NULL) && settle_layout (&parts, NULL))))
    {
      walked = walk (&parts, &problem);
      if (walked == WALK_FALLBACK)
        walked = fall_back (&parts, NULL) && settle_layout (&parts, NULL) ? walk (&parts, &problem) : WALK_WHOLE;
    }
  done = walked == WALK_DONE;
  if (walked == WALK_WHOLE)
    done = !g_cancellable_set_error_if_cancelled (cancellable, error) && import_whole (&parts, error);
  else if (walked == WALK_FAILED)
    g_propagate_error (error, g_steal_pointer (&problem));
  g_clear_pointer (&parts.layout, mt_csv_layout_free);
  g_clear_pointer (&parts.dialect, mt_csv_dialect_free);
  g_clear_pointer (&parts.readings, g_array_unref);
  return done;
}
