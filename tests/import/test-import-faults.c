/* Imports when the system says no: memory that is not there, a temporary file that cannot be
 * made, written or read back, a file that goes away. Each ends with an error that says so, or
 * with the same table as without the fault. */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "faulty-calls.h"
#include "mt-core.h"
#include "testutils.h"

/* --- memory --- */

static guint memory_countdown;
static gboolean memory_failed;
static gboolean memory_gone;      /* after the first failure all fail */

static gboolean
no_memory_now (void)
{
  if (memory_gone && memory_failed)
    return TRUE;
  if (memory_countdown == 0 || --memory_countdown > 0)
    return FALSE;
  memory_failed = TRUE;
  return TRUE;
}

/* These stand before GLib's: core asks for its big buffers through them. */
gpointer
g_try_realloc (gpointer memory,
               gsize    n_bytes)
{
  return no_memory_now () ? NULL : realloc (memory, MAX (n_bytes, 1));
}

gpointer
g_try_realloc_n (gpointer memory,
                 gsize    n,
                 gsize    size)
{
  return g_try_realloc (memory, n * size);
}

gpointer
g_try_malloc (gsize n_bytes)
{
  return g_try_realloc (NULL, n_bytes);
}

gpointer
g_try_malloc_n (gsize n,
                gsize size)
{
  return g_try_realloc (NULL, n * size);
}

void *
aligned_alloc (size_t alignment,
               size_t n_bytes)
{
  void *memory = NULL;

  return !no_memory_now () && posix_memalign (&memory, alignment, n_bytes) == 0 ? memory : NULL;
}

static char *
describe (MtImport *import)
{
  MtTable *table = mt_import_get_table (import);
  GString *text = g_string_new (NULL);

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const MtColumn *column = mt_table_get_column (table, c);

      g_string_append_printf (text, "%s %s %" G_GSIZE_FORMAT "; ", mt_column_get_name (column),
                              mt_table_get_reason (table, c), mt_column_get_n_missing (column));
    }
  return g_string_free (text, FALSE);
}

/* Numbers, levels and texts that grow in every way: short records, doubled quotes, columns that
 * turn out otherwise than the sample says, and one that is read again. */
static GBytes *
make_table (void)
{
  GString *text = g_string_new ("number,level,text,late,odd,day,moment,settles,spreads\n");

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "%u.5,l%u,\"a \"\"word\"\" %u\",%s%u,%u,2020-01-%02u,2020-01-01T%02u:%02u:%02u,w%u,v%u\n", i,
                            i % 400, i * 7, i > 4600 ? "0" : "", i % 9, i, i % 28 + 1, i / 3600, i / 60 % 60, i % 60,
                            i < 2900 ? i : i % 10, i < 3000 ? i % 10 : i);
  for (guint i = 0; i < 60; i++)
    g_string_append (text, "1\n");
  return g_string_free_to_bytes (text);
}

/* In large pieces at every allocation, in small ones at some. libcsv asks again for less when it
 * is refused: it gives up only where nothing is left. */
static void
test_no_memory (void)
{
  static const struct { gsize chunk_size; guint step; gboolean gone; } runs[] = {
    { 0, 1, FALSE }, { 20000, 11, FALSE }, { 0, 1, TRUE },
  };
  g_autoptr (GBytes) bytes = make_table ();
  g_autofree char *whole = NULL;
  guint n_refused = 0, n_reading = 0, n_fields = 0;

  for (guint r = 0; r < G_N_ELEMENTS (runs); r++)
    for (guint n = 0; n <= runs[r].step || memory_failed; n += runs[r].step)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (MtSchema) schema = mt_schema_new ();
        MtImportOptions options = { .n_threads = 1, .chunk_size = runs[r].chunk_size, .schema = schema };
        g_autoptr (MtImport) import = NULL;

        mt_schema_set_type (schema, "odd", MT_TYPE_CATEGORY);
        memory_failed = FALSE;
        memory_gone = runs[r].gone;
        memory_countdown = n;
        import = mt_import_bytes (bytes, &options, NULL, &error);
        memory_countdown = 0;
        memory_gone = FALSE;
        if (import == NULL)
          {
            g_assert_true (memory_failed);
            g_assert_error (error, MT_ERROR, MT_ERROR_BUDGET);
            g_assert_true (g_str_has_prefix (error->message, "Not enough memory: "));
            n_refused++;
            n_reading += strstr (error->message, "1 MB more are needed to read") != NULL;
            n_fields += strstr (error->message, "is too large") != NULL;
          }
        else
          {
            g_autofree char *text = describe (import);

            whole = whole != NULL ? whole : g_strdup (text);
            g_assert_cmpstr (text, ==, whole);
          }
      }
  g_test_message ("%u imports refused, %u of them while reading", n_refused, n_reading);
  g_assert_cmpuint (n_refused, >, 40);
  g_assert_cmpuint (n_reading, >, 0);
  g_assert_cmpuint (n_fields, >, 0);
}

static void
test_encoder (void)
{
  const double values[] = { 1, 2, 3, 4, 5, 6 };
  MtColumn *columns[] = { mt_test_numbers ("x", values, 6) };
  g_autoptr (MtTable) table = mt_test_table (columns, 1, -1);
  g_autoptr (MtEncoder) encoder = NULL;
  MtEncoderOptions options;

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  for (guint n = 1; n <= 3; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MtEncoded) encoded = NULL;

      memory_countdown = n;
      encoded = mt_encoder_apply (encoder, table, NULL, 0, NULL, &error);
      memory_countdown = 0;
      g_assert_null (encoded);
      g_assert_error (error, MT_ERROR, MT_ERROR_BUDGET);
      g_assert_cmpstr (error->message, ==,
                       n < 3 ? "Not enough memory: encoding the data needs 1 MB. Close other programs, or ignore "
                               "columns"
                             : "Not enough memory: the conditions of the data need 1 MB. Close other programs, use "
                               "fewer bits, or ignore columns");
    }
}

/* --- a stream that is kept in a file --- */

/* Gives bytes, and arms a fault the first time they are at an end. */
typedef struct {
  GInputStream parent;
  GBytes      *bytes;
  gsize        offset;
  guint        countdown;
  int          code;
} ArmedStream;

typedef GInputStreamClass ArmedStreamClass;

GType armed_stream_get_type (void);
G_DEFINE_TYPE (ArmedStream, armed_stream, G_TYPE_INPUT_STREAM)

static gssize
armed_stream_read (GInputStream  *stream,
                   void          *buffer,
                   gsize          size,
                   GCancellable  *cancellable,
                   GError       **error)
{
  ArmedStream *self = (ArmedStream *) stream;
  gsize length;
  const char *data = g_bytes_get_data (self->bytes, &length);
  gsize n = MIN (size, length - self->offset);

  memcpy (buffer, data + self->offset, n);
  self->offset += n;
  if (n == 0 && self->countdown > 0)
    {
      faulty_calls_arm (self->countdown, self->code);
      self->countdown = 0;
    }
  return (gssize) n;
}

static void
armed_stream_class_init (ArmedStreamClass *class)
{
  class->read_fn = armed_stream_read;
}

static void
armed_stream_init (ArmedStream *self)
{
}

static void
test_spool (void)
{
  static const struct { guint at_start, at_end; int code; gboolean works; const char *words; } cases[] = {
    { 0, 0, 0, TRUE },
    { 1, 0, EACCES, FALSE, "Failed to create file" },
    { 2, 0, ENOSPC, FALSE, "Cannot store a copy of the input in " },
    { 3, 0, ENOSPC, FALSE, "No space left on device" },
    { 3, 0, EINTR, TRUE },
    { 0, 1, EIO, FALSE, "Cannot store a copy of the input in " },
    { 0, 1, EINTR, TRUE },
  };
  g_autoptr (GString) text = g_string_new ("n,t\n");
  g_autoptr (GBytes) bytes = NULL;

  /* More than is kept in memory, and not UTF-8 at its end: so it is read twice. */
  for (guint i = 0; i < 67500; i++)
    g_string_append_printf (text, "%u,%01000u\n", i % 100, i % 40);
  g_string_append (text, "1,caf\xe9\n");
  bytes = g_bytes_new_static (text->str, text->len);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GInputStream) stream = g_object_new (armed_stream_get_type (), NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = NULL;

      ((ArmedStream *) stream)->bytes = bytes;
      ((ArmedStream *) stream)->countdown = cases[i].at_end;
      ((ArmedStream *) stream)->code = cases[i].code;
      if (cases[i].at_start > 0)
        faulty_calls_arm (cases[i].at_start, cases[i].code);
      import = mt_import_stream (stream, NULL, NULL, &error);
      if (faulty_calls_disarm () != (cases[i].code != 0))
        g_error ("case %u: the fault %s", i, cases[i].code != 0 ? "never came" : "came from nowhere");
      if (cases[i].works)
        {
          g_assert_no_error (error);
          g_assert_cmpuint (mt_table_get_n_rows (mt_import_get_table (import)), ==, 67501);
        }
      else
        {
          g_assert_null (import);
          if (error == NULL || strstr (error->message, cases[i].words) == NULL)
            g_error ("case %u: “%s” does not say “%s”", i, error != NULL ? error->message : "", cases[i].words);
        }
    }
}

/* --- files that go away --- */

static void
remove_file (const MtImportProgress *progress,
             gpointer                path)
{
  g_unlink (path);
}

static gboolean
cancel_at_once (guint               n_fields,
                const char * const *fields,
                const gsize        *lengths,
                gpointer            cancellable)
{
  g_cancellable_cancel (cancellable);
  return TRUE;
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("minterm-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "data.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GString) text = g_string_new ("a,b\n");
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GCancellable) other = g_cancellable_new ();
  g_autoptr (GFile) parent = g_file_get_parent (file);
  MtImportOptions options = { .progress = remove_file, .progress_data = path };
  GError *error = NULL;
  MtImport *import;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "%u,x\n", i);

  /* Removed while it is being read: nobody can tell whether it was whole. */
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  import = mt_import_file (file, &options, NULL, &error);
  g_assert_null (import);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  /* A folder is no file. */
  import = mt_import_file (parent, NULL, NULL, &error);
  g_assert_null (import);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);

  /* Walking over the records: cancelled between two pieces, and before the first. */
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  g_assert_false (mt_csv_each_record (file, dialect, cancel_at_once, cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (mt_csv_each_record (file, dialect, cancel_at_once, cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* A byte that is no text, far behind the sample. */
  g_string_append_len (text, "1,\0\n", 4);
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  g_assert_false (mt_csv_each_record (file, dialect, cancel_at_once, other, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, "cannot be split into records"));
  g_clear_error (&error);
  dialect->encoding = g_strdup ("nonsense");
  g_assert_false (mt_csv_each_record (file, dialect, cancel_at_once, NULL, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);

  g_unlink (path);
  g_rmdir (folder);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import-faults/no-memory", test_no_memory);
  g_test_add_func ("/import-faults/encoder", test_encoder);
  g_test_add_func ("/import-faults/spool", test_spool);
  g_test_add_func ("/import-faults/files", test_files);
  return g_test_run ();
}
