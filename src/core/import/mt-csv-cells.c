/* The records of a file as they are written, before typing. See mt_csv_each_record() in mt-import.h. */
#include "config.h"
#include "mt-import.h"

#include <string.h>

#include "mt-import-private.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"

typedef struct {
  MtCsvCellsFunc  func;
  gpointer        data;
  gboolean        stopped;
  guint           n_columns;
  GByteArray     *bytes;      /* the fields of a record, each with a NUL */
  GArray         *offsets;    /* of gsize */
  GArray         *lengths;    /* of gsize */
  GPtrArray      *fields;
} Walk;

static void
walk_field (void   *text,
            size_t  length,
            void   *data)
{
  Walk *walk = data;
  gsize offset = walk->bytes->len, n = length;

  g_byte_array_append (walk->bytes, text, (guint) length);
  g_byte_array_append (walk->bytes, (const guint8 *) "", 1);
  g_array_append_val (walk->offsets, offset);
  g_array_append_val (walk->lengths, n);
}

static void
walk_record (int   c,
             void *data)
{
  Walk *walk = data;
  guint n = walk->offsets->len;
  gboolean blank = n == 1 && walk->n_columns > 1 && walk->bytes->len > 1 &&
                   mt_csv_is_blank ((const char *) walk->bytes->data, walk->bytes->len - 1);

  g_ptr_array_set_size (walk->fields, 0);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (walk->fields, walk->bytes->data + g_array_index (walk->offsets, gsize, i));
  if (!blank && !walk->stopped)
    walk->stopped = !walk->func (n, (const char * const *) walk->fields->pdata,
                                 (const gsize *) (gpointer) walk->lengths->data, walk->data);
  g_byte_array_set_size (walk->bytes, 0);
  g_array_set_size (walk->offsets, 0);
  g_array_set_size (walk->lengths, 0);
}

gboolean
mt_csv_each_record (GFile               *file,
                    const MtCsvDialect  *dialect,
                    MtCsvCellsFunc       func,
                    gpointer             user_data,
                    GCancellable        *cancellable,
                    GError             **error)
{
  g_autoptr (MtCsvSource) source = mt_csv_source_new_file (file);

  return mt_csv_each_record_of (source, dialect, func, user_data, cancellable, error);
}

gboolean
mt_csv_each_record_of (MtCsvSource         *source,
                       const MtCsvDialect  *dialect,
                       MtCsvCellsFunc       func,
                       gpointer             user_data,
                       GCancellable        *cancellable,
                       GError             **error)
{
  g_autoptr (MtCsvLayout) layout = NULL;
  g_autoptr (MtCsvReader) reader = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_auto (MtCsvTokenizer) tokenizer = { 0 };
  g_auto (MtCsvBlock) block = { 0 };
  Walk walk = { func, user_data, FALSE, 0, bytes, offsets, lengths, fields };
  MtCsvProblem problem;
  guint8 byte;
  guint64 line;
  gsize skip, offset;
  char quote;
  g_autoptr (MtCsvDialect) wanted = mt_csv_source_settle (source, dialect, cancellable, error);

  if (wanted == NULL)
    return FALSE;
  dialect = wanted;
  layout = mt_csv_layout_detect (source, dialect, NULL, dialect->encoding, &problem, &byte, &line, cancellable, error);
  if (layout == NULL)
    {
      if (problem != MT_CSV_NO_PROBLEM)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("Line %" PRIu64 " is not text in %s"), line,
                       dialect->encoding != NULL ? dialect->encoding : "UTF-8");
          mt_error_set_line (error, line);
        }
      return FALSE;
    }
  quote = layout->dialect->quote == MT_CSV_NO_QUOTE ? 0 : layout->dialect->quote;
  walk.n_columns = layout->n_columns;
  mt_csv_tokenizer_init (&tokenizer, layout->dialect->delimiter, quote);
  reader = mt_csv_reader_new (source, dialect->encoding, quote, 256 * 1024, cancellable, error);
  if (reader == NULL)
    return FALSE;
  skip = layout->data_offset;
  do
    {
      gsize n;

      if (!mt_csv_reader_next (reader, &block, cancellable, error))
        return FALSE;
      mt_csv_block_check (&block);
      n = MIN (skip, block.length);
      skip -= n;
      if (mt_csv_tokenizer_run (&tokenizer, block.text + n, block.length - n, block.last, walk_field,
                                walk_record, &walk, &offset) != MT_CSV_TOKENS_OK || block.problem != MT_CSV_NO_PROBLEM)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                       _("The file cannot be split into records; import it to see why"));
          return FALSE;
        }
    }
  while (!block.last && !walk.stopped);
  return TRUE;
}
