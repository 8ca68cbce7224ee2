/* Where a text comes from: streams that break, pipes, packed files, files that change meanwhile, and who gives up. */
#include "config.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>

#include "import-checks.h"
#include "mt-core.h"

/* A stream that gives its bytes and then an error. */
typedef struct {
  GInputStream parent;
  const char  *text;
  gsize        length;
} BrokenStream;

typedef GInputStreamClass BrokenStreamClass;

static GType broken_stream_get_type (void);
G_DEFINE_TYPE (BrokenStream, broken_stream, G_TYPE_INPUT_STREAM)

static gssize
broken_stream_read (GInputStream  *stream,
                    void          *buffer,
                    gsize          count,
                    GCancellable  *cancellable,
                    GError       **error)
{
  BrokenStream *self = (BrokenStream *) stream;
  gsize n = MIN (count, self->length);

  if (n == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "broken on purpose");
      return -1;
    }
  memcpy (buffer, self->text, n);
  self->text += n;
  self->length -= n;
  return (gssize) n;
}

static void
broken_stream_init (BrokenStream *self)
{
}

static void
broken_stream_class_init (BrokenStreamClass *class)
{
  class->read_fn = broken_stream_read;
}

/* Wherever reading fails, that is the error, and nothing else is. */
static void
test_read_errors (void)
{
  g_autofree char *text = import_lines ("n,t\n", 100000, ",x", 0, "");
  g_autofree char *latin = import_lines ("n,t\n", 100000, ",caf\xe9", 0, "");
  g_autoptr (GConverter) packer = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 0));
  g_autofree char *packed = g_malloc (2000000);
  gsize n_read, n_packed;
  static const gsize lengths[] = { 0, 1, 2, 70000, 200000, 400000 };

  g_assert_cmpint (g_converter_convert (packer, text, strlen (text), packed, 2000000, G_CONVERTER_INPUT_AT_END, &n_read,
                                        &n_packed, NULL), ==, G_CONVERTER_FINISHED);
  for (guint i = 0; i < G_N_ELEMENTS (lengths) * 3; i++)
    {
      g_autoptr (GInputStream) stream = g_object_new (broken_stream_get_type (), NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = NULL;

      ((BrokenStream *) stream)->text = i % 3 == 0 ? text : i % 3 == 1 ? latin : packed;
      ((BrokenStream *) stream)->length = lengths[i / 3];
      import = mt_import_stream (stream, NULL, NULL, &error);
      g_assert_null (import);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
    }
}

/* A table that does not fit is refused with what it needs; the program goes on. */
static void
test_no_memory (void)
{
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
  g_test_skip ("a sanitizer needs all the address space");
#else
  if (g_test_subprocess ())
    {
      g_autoptr (GString) text = g_string_new ("n\n");
      g_autoptr (GBytes) bytes = NULL;
      MtImportOptions options = { .n_threads = 1 };
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = NULL;
      g_autofree char *status = NULL;
      struct rlimit limit;

      for (guint i = 0; i < 6000000; i++)
        g_string_append_printf (text, "%u\n", i % 10000);
      bytes = g_bytes_new_static (text->str, text->len);
      g_assert_true (g_file_get_contents ("/proc/self/statm", &status, NULL, NULL));
      limit.rlim_cur = limit.rlim_max = (rlim_t) g_ascii_strtoull (status, NULL, 10) * (rlim_t) sysconf (_SC_PAGESIZE) +
                                        32 * 1024 * 1024;
      g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
      import = mt_import_bytes (bytes, &options, NULL, &error);
      g_assert_null (import);
      g_assert_error (error, MT_ERROR, MT_ERROR_BUDGET);
      g_assert_nonnull (strstr (error->message, "Not enough memory: the table needs "));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
#endif
}

static void
write_file (const char *path,
            const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
test_gzip (void)
{
  g_autoptr (GConverter) packer = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6));
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autofree char *text = import_lines ("n,t\n", 200000, ",x", 0, "");
  g_autoptr (GBytes) once = NULL;
  g_autoptr (GByteArray) twice = g_byte_array_new ();
  g_autoptr (GBytes) both = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtImport) members = NULL;
  g_autofree char *data = NULL;

  {
    g_autoptr (GOutputStream) packed = g_converter_output_stream_new (memory, packer);

    g_output_stream_write_all (packed, text, strlen (text), NULL, NULL, &error);
    g_assert_no_error (error);
    g_output_stream_close (packed, NULL, NULL);
  }
  once = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
  import = mt_import_bytes (once, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_table_get_n_rows (mt_import_get_table (import)), ==, 200000);
  g_assert_cmpuint (mt_import_get_n_bytes (import), ==, g_bytes_get_size (once));

  /* Two members, one behind the other: a second header is a row with words in it. */
  for (guint i = 0; i < 2; i++)
    g_byte_array_append (twice, g_bytes_get_data (once, NULL), (guint) g_bytes_get_size (once));
  both = g_byte_array_free_to_bytes (g_steal_pointer (&twice));
  members = mt_import_bytes (both, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_table_get_n_rows (mt_import_get_table (members)), ==, 400001);
}

typedef struct {
  int         fd;
  const char *text;
  gsize       length;
} Pipe;

static gpointer
fill_pipe (gpointer data)
{
  Pipe *end = data;

  while (end->length > 0)
    {
      gssize n = write (end->fd, end->text, end->length);

      g_assert_cmpint (n, >, 0);
      end->text += n;
      end->length -= (gsize) n;
    }
  close (end->fd);
  return NULL;
}

/* More than is kept in memory, and a column that has to be read again. */
static void
test_pipe (void)
{
  g_autoptr (GString) text = g_string_new ("n,t\n");
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GError) error = NULL;
  GThread *thread;
  Pipe end;
  int fds[2];

  for (guint i = 0; i < 70000; i++)
    g_string_append_printf (text, "%04u,%01000u\n", i < 60000 ? 1000 + i % 5000 : 7, i % 40);
  g_assert_cmpint (pipe (fds), ==, 0);
  end = (Pipe) { fds[1], text->str, text->len };
  thread = g_thread_new ("pipe", fill_pipe, &end);
  stream = g_unix_input_stream_new (fds[0], TRUE);
  import = mt_import_stream (stream, NULL, NULL, &error);
  g_thread_join (thread);
  g_assert_no_error (error);
  import_expect_type (import, 0, MT_TYPE_CATEGORY);
  g_assert_cmpuint (mt_table_get_n_rows (mt_import_get_table (import)), ==, 70000);
  g_assert_cmpuint (mt_import_get_n_bytes (import), ==, text->len);
}

typedef struct {
  const char   *path;
  const char   *text;
  GCancellable *cancellable;
  guint         n_calls;
  guint64       rows;
} Watcher;

static void
change_file (const MtImportProgress *progress,
             gpointer                data)
{
  Watcher *watcher = data;

  if (watcher->n_calls++ == 0)
    write_file (watcher->path, watcher->text);
  watcher->rows = progress->rows;
}

static void
cancel_import (const MtImportProgress *progress,
               gpointer                data)
{
  Watcher *watcher = data;

  watcher->n_calls++;
  watcher->rows = progress->rows;
  if (watcher->cancellable != NULL)
    g_cancellable_cancel (watcher->cancellable);
}

static void
test_changed_file (void)
{
  g_autofree char *directory = g_dir_make_tmp ("minterm-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "data.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *text = import_lines ("n,t\n", 300000, ",x", 0, "");
  Watcher watcher = { path, "a\n1\n2\n3\n", NULL, 0, 0 };
  MtImportOptions options = { .n_threads = 1, .chunk_size = 4096, .progress = change_file, .progress_data = &watcher };
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GError) error = NULL;

  write_file (path, text);
  import = mt_import_file (file, &options, NULL, &error);
  g_assert_null (import);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "changed while it was being read"));
  g_unlink (path);
  g_rmdir (directory);
}

static void
test_cancel (void)
{
  g_autofree char *text = import_lines ("n,t\n", 300000, ",x", 0, "");
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watcher watcher = { NULL, NULL, cancellable, 0, 0 };
  MtImportOptions options = { .n_threads = 2, .chunk_size = 4096, .progress = cancel_import, .progress_data = &watcher };
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GError) error = NULL;

  import = mt_import_bytes (bytes, &options, cancellable, &error);
  g_assert_null (import);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (watcher.n_calls, ==, 1);
  g_assert_cmpuint (watcher.rows, <, 300000);
  g_clear_error (&error);

  watcher.cancellable = NULL;
  import = mt_import_bytes (bytes, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (watcher.rows, ==, 300000);
}

static void
keep_result (GObject      *object,
             GAsyncResult *result,
             gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
test_async (void)
{
  g_autofree char *directory = g_dir_make_tmp ("minterm-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "data.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtImportOptions options = { .schema = schema, .dialect = dialect };
  GAsyncResult *result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtImport) failed = NULL;

  write_file (path, "a,b\n1,x\n2,y\n3,x\n");
  mt_schema_set_type (schema, "a", MT_TYPE_CATEGORY);
  mt_import_file_async (file, &options, NULL, keep_result, &result);
  mt_schema_set_type (schema, "a", MT_TYPE_TEXT);   /* what was asked for was copied */
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  import = mt_import_finish (result, &error);
  g_assert_no_error (error);
  import_expect_type (import, 0, MT_TYPE_CATEGORY);
  g_clear_object (&result);

  g_unlink (path);
  g_rmdir (directory);
  mt_import_file_async (file, NULL, NULL, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  failed = mt_import_finish (result, &error);
  g_assert_null (failed);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_object (&result);
}

static gboolean
stop_at_two (guint               n_fields,
             const char * const *fields,
             const gsize        *lengths,
             gpointer            data)
{
  return ++*(guint *) data < 2;
}

static void
test_each_record (void)
{
  g_autofree char *directory = g_dir_make_tmp ("minterm-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "data.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  GError *error = NULL;
  guint n = 0;

  write_file (path, "a,b\n1,2\n  \n3,4\n5,6\n");
  g_assert_true (mt_csv_each_record (file, dialect, stop_at_two, &n, NULL, &error));
  g_assert_cmpuint (n, ==, 2);
  n = 0;
  write_file (path, "a\n1\n \n");   /* in a table of one column blanks are a value … */
  g_assert_true (mt_csv_each_record (file, dialect, stop_at_two, &n, NULL, &error));
  g_assert_cmpuint (n, ==, 2);
  n = 0;
  write_file (path, "a,b\n\"\"\n1,2\n");   /* … and so is an empty field in quotes */
  dialect->quote = '"';
  g_assert_true (mt_csv_each_record (file, dialect, stop_at_two, &n, NULL, &error));
  g_assert_cmpuint (n, ==, 2);
  dialect->quote = MT_CSV_NO_QUOTE;
  n = 0;
  write_file (path, "a,b\n1,\"\n3,4\n");
  g_assert_true (mt_csv_each_record (file, dialect, stop_at_two, &n, NULL, &error));
  g_assert_cmpuint (n, ==, 2);
  dialect->quote = 0;
  dialect->encoding = g_strdup ("UTF-16LE");
  write_file (path, "a,b\n1,2");
  g_assert_false (mt_csv_each_record (file, dialect, stop_at_two, &n, NULL, &error) && n == 2);
  g_clear_error (&error);
  g_clear_pointer (&dialect->encoding, g_free);
  write_file (path, "a,b\n1,\xff\n");
  g_assert_false (mt_csv_each_record (file, dialect, stop_at_two, &n, NULL, &error));
  g_assert_nonnull (strstr (error->message, "Line 2 is not text in UTF-8"));
  g_clear_error (&error);
  write_file (path, "a,b\n1,2\n3,x\"y\n");
  g_assert_false (mt_csv_each_record (file, dialect, stop_at_two, &n, NULL, &error));
  g_assert_nonnull (strstr (error->message, "cannot be split into records"));
  g_clear_error (&error);
  g_unlink (path);
  g_assert_false (mt_csv_each_record (file, dialect, stop_at_two, &n, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_rmdir (directory);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import/read-errors", test_read_errors);
  g_test_add_func ("/import/no-memory", test_no_memory);
  g_test_add_func ("/import/gzip", test_gzip);
  g_test_add_func ("/import/pipe", test_pipe);
  g_test_add_func ("/import/changed-file", test_changed_file);
  g_test_add_func ("/import/cancel", test_cancel);
  g_test_add_func ("/import/async", test_async);
  g_test_add_func ("/import/each-record", test_each_record);
  return g_test_run ();
}
