/* From stored bytes to blocks of whole records: sources that can be read again, any size of chunks, other encodings, and
 * looking over a text, held to definitions that are slow and plain. */
#include "config.h"

#include <string.h>

#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "import/mt-csv.h"
#include "base/mt-error.h"
#include "base/mt-random.h"
#include "testutils.h"

/* --- looking over a text --- */

/* A text of what matters to a CSV, and a little else. */
static char *
random_text (MtRandom *random,
             gsize     length)
{
  static const char letters[] = "ab,\"\"\n\r \t;";
  char *text = g_malloc (length + 1);

  for (gsize i = 0; i < length; i++)
    text[i] = letters[mt_random_below (random, sizeof letters - 1)];
  text[length] = '\0';
  return text;
}

/* Where lines end (behind LF, CRLF or CR), and how many quotes stand before each byte. */
typedef struct {
  GArray *ends;       /* of gsize: first byte of the next line */
  GArray *breaks;     /* of gsize: first byte of the line end */
  guint  *n_quotes;   /* length + 1 */
} Plain;

static void
plain_init (Plain      *plain,
            const char *text,
            gsize       length)
{
  plain->ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  plain->breaks = g_array_new (FALSE, FALSE, sizeof (gsize));
  plain->n_quotes = g_new0 (guint, length + 1);
  for (gsize i = 0; i < length; i++)
    {
      gsize end = i + 1;

      plain->n_quotes[i + 1] = plain->n_quotes[i] + (text[i] == '"');
      if (text[i] == '\n' && i > 0 && text[i - 1] == '\r')
        continue;   /* counted with the CR */
      if (text[i] == '\r' && end < length && text[end] == '\n')
        end++;
      if (text[i] == '\n' || text[i] == '\r')
        {
          g_array_append_val (plain->breaks, i);
          g_array_append_val (plain->ends, end);
        }
    }
}

static void
plain_clear (Plain *plain)
{
  g_array_unref (plain->ends);
  g_array_unref (plain->breaks);
  g_free (plain->n_quotes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plain, plain_clear)

typedef struct {
  gsize   offset;
  guint64 line;
} Start;

static void
note_record (gsize    offset,
             guint64  line,
             gpointer data)
{
  g_array_append_vals (data, &(Start) { offset, line }, 1);
}

/* The records by definition: between line ends that an even number of quotes stands before. */
static GArray *
list_records (const Plain *plain,
              const char  *text,
              gsize        length,
              gboolean     keep_blank)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (Start));
  Start start = { 0, 0 };

  for (guint i = 0; i <= plain->ends->len; i++)
    {
      gboolean is_end = i == plain->ends->len;
      gsize stop = is_end ? length : g_array_index (plain->breaks, gsize, i);
      gsize n_blank = strspn (text + start.offset, " \t");

      if (!is_end && plain->n_quotes[stop] % 2 == 1)
        continue;
      if (stop > start.offset && (keep_blank || start.offset + n_blank < stop))
        g_array_append_val (starts, start);
      if (!is_end)
        start = (Start) { g_array_index (plain->ends, gsize, i), i + 1 };
    }
  return starts;
}

static void
test_walk (void)
{
  MtRandom random;
  guint n_records = 0;

  mt_random_init (&random, 3);
  for (guint round = 0; round < 3000; round++)
    {
      gsize length = (gsize) mt_random_below (&random, 60);
      g_autofree char *text = random_text (&random, length);
      g_auto (Plain) plain;

      plain_init (&plain, text, length);
      g_assert_cmpuint (mt_csv_count_lines (text, length), ==, plain.ends->len);
      for (guint keep_blank = 0; keep_blank < 2; keep_blank++)
        {
          g_autoptr (GArray) expected = list_records (&plain, text, length, keep_blank);
          g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Start));

          mt_csv_walk_records (text, length, '"', keep_blank ? '\0' : ',', note_record, found);
          g_assert_cmpuint (found->len, ==, expected->len);
          for (guint i = 0; i < found->len; i++)
            {
              g_assert_cmpuint (g_array_index (found, Start, i).offset, ==, g_array_index (expected, Start, i).offset);
              g_assert_cmpuint (g_array_index (found, Start, i).line, ==, g_array_index (expected, Start, i).line);
            }
          n_records += found->len;
        }
    }
  g_assert_cmpuint (n_records, >, 10000);
}

static void
test_locate (void)
{
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint round = 0; round < 1000; round++)
    {
      gsize length = 1 + (gsize) mt_random_below (&random, 50), offset = (gsize) mt_random_below (&random, length);
      g_autofree char *text = random_text (&random, length);
      g_auto (Plain) plain;
      gsize start = 0, line = 0, quote_line = 0;
      MtCsvPlace place;

      plain_init (&plain, text, length);
      for (guint i = 0; i < plain.ends->len; i++)
        if (g_array_index (plain.breaks, gsize, i) < offset && plain.n_quotes[g_array_index (plain.breaks, gsize, i)] % 2 == 0)
          {
            start = g_array_index (plain.ends, gsize, i);
            line = i + 1;
          }
      for (gsize i = 0; i < offset; i++)
        if (text[i] == '"' && plain.n_quotes[i] % 2 == 0)
          {
            quote_line = 0;
            for (guint j = 0; j < plain.ends->len; j++)
              quote_line += g_array_index (plain.breaks, gsize, j) < i;
          }
      mt_csv_locate (text, length, '"', offset, &place);
      g_assert_cmpuint (place.offset, ==, start);
      g_assert_cmpuint (place.line, ==, line);
      g_assert_cmpuint (place.quote_line, ==, quote_line);
    }
}

/* At any place and of any length, so that no end of a vector is special. */
static void
test_scan (void)
{
  enum { LONGEST = 9000 };
  g_autofree char *text = g_malloc (LONGEST);
  MtRandom random;

  mt_random_init (&random, 5);
  for (guint round = 0; round < 400; round++)
    {
      gsize length = (gsize) mt_random_below (&random, round % 10 == 0 ? LONGEST - 16 : 80);
      gsize from = (gsize) mt_random_below (&random, 16), n_lines = 0, n_commas = 0;
      gboolean has_cr = mt_random_below (&random, 3) == 0, is_odd = FALSE;
      MtCsvScan scan;

      for (gsize i = 0; i < length; i++)
        {
          guint64 kind = mt_random_below (&random, 12);

          text[from + i] = kind < 4 ? '\n' : kind == 4 && has_cr ? '\r' : kind < 8 ? ',' : 'x';
        }
      if (length > 0 && mt_random_below (&random, 2) == 0)
        {
          text[from + mt_random_below (&random, length)] = mt_random_below (&random, 2) == 0 ? '\0' : '\xc3';
          is_odd = TRUE;
        }
      for (gsize i = from; i < from + length; i++)
        {
          n_lines += text[i] == '\n' || (text[i] == '\r' && !(i + 1 < from + length && text[i + 1] == '\n'));
          n_commas += text[i] == ',';
        }
      mt_csv_scan (text + from, length, &scan);
      g_assert_cmpuint (scan.n_lines, ==, n_lines);
      g_assert_cmpint (scan.not_ascii, ==, is_odd);
      g_assert_cmpuint (mt_csv_count_bytes (text + from, length, ','), ==, n_commas);
    }
}

/* A block ends where GLib, too, says that text ends. */
static void
test_check (void)
{
  MtRandom random;
  guint n_bad = 0;

  mt_random_init (&random, 6);
  for (guint round = 0; round < 4000; round++)
    {
      static const char * const pieces[] = {
        "a", "b,", "\n", "é", "日", "𝄞", "\xc2", "\xe2\x82", "\xed\xa0\x80", "\xf0\x82\x82\xac", "\xff", "\xc0\xaf", "\xf4\x90\x80\x80",
      };
      g_autoptr (GString) text = g_string_new (NULL);
      guint n = (guint) mt_random_below (&random, 40), worst = mt_random_below (&random, 3) > 0 ? 6 : G_N_ELEMENTS (pieces);
      MtCsvBlock block = { 0 };
      const char *end;
      gboolean is_fine;

      for (guint i = 0; i < n; i++)
        g_string_append (text, pieces[mt_random_below (&random, worst)]);
      if (text->len > 0 && mt_random_below (&random, 10) == 0)
        text->str[mt_random_below (&random, text->len)] = '\0';
      is_fine = g_utf8_validate_len (text->str, text->len, &end);
      block.text = text->str;
      block.length = text->len;
      mt_csv_block_check (&block);
      g_assert_cmpuint (block.length, ==, (gsize) (end - text->str));
      g_assert_cmpint (block.problem, ==, is_fine ? MT_CSV_NO_PROBLEM
                                                  : *end == '\0' ? MT_CSV_PROBLEM_NUL : MT_CSV_PROBLEM_UTF8);
      g_assert_true (is_fine || (block.last && block.problem_byte == (guint8) *end));
      n_bad += !is_fine;
    }
  g_assert_cmpuint (n_bad, >, 500);
  g_assert_cmpuint (n_bad, <, 3500);
}

/* --- where bytes come from --- */

static char *
read_pass (MtCsvSource *source,
           gsize        step,
           gsize       *length,
           char       **sha256,
           GError     **error)
{
  g_autoptr (MtCsvPass) pass = mt_csv_pass_new (source, NULL, error);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *buffer = g_malloc (step);
  gssize n;

  if (pass == NULL)
    return NULL;
  while ((n = mt_csv_pass_read (pass, buffer, step, NULL, error)) > 0)
    g_string_append_len (out, buffer, n);
  if (n < 0 || !mt_csv_pass_finish (pass, sha256, error))
    return NULL;
  *length = out->len;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static GBytes *
pack (GBytes *bytes)
{
  g_autoptr (GConverter) packer = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6));
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, packer);

  g_assert_true (g_output_stream_write_all (stream, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

static void
assert_reads (MtCsvSource *source,
              GBytes      *text,
              GBytes      *stored)
{
  static const gsize steps[] = { 1000, 7, 65536 };
  g_autofree char *expected = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, stored);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *sha256 = NULL;
      gsize length = 0;
      g_autofree char *read = read_pass (source, steps[i], &length, &sha256, &error);

      g_assert_no_error (error);
      g_assert_cmpmem (read, length, g_bytes_get_data (text, NULL), g_bytes_get_size (text));
      g_assert_cmpstr (sha256, ==, expected);
    }
}

/* Memory, files and streams, as they are and packed, are read as often as one likes. The hash is of what is stored. */
static void
test_sources (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "data.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  MtRandom random;

  mt_random_init (&random, 8);
  for (guint round = 0; round < 4; round++)
    {
      gsize length = round < 2 ? 3000 : 200000;   /* the larger ones fill a buffer more than once */
      g_autoptr (GBytes) text = g_bytes_new_take (random_text (&random, length), length);
      g_autoptr (GBytes) stored = round % 2 == 0 ? g_bytes_ref (text) : pack (text);
      g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (stored);
      g_autoptr (MtCsvSource) of_bytes = mt_csv_source_new_bytes (stored);
      g_autoptr (MtCsvSource) of_stream = mt_csv_source_new_stream (stream);
      g_autoptr (MtCsvSource) of_file = NULL;

      g_assert_true (g_file_set_contents (path, g_bytes_get_data (stored, NULL), (gssize) g_bytes_get_size (stored), NULL));
      of_file = mt_csv_source_new_file (file);
      assert_reads (of_bytes, text, stored);
      assert_reads (of_stream, text, stored);
      assert_reads (of_file, text, stored);
    }
  mt_test_remove_folder (folder);
}

/* Other bytes than at first are no second reading of the same file. */
static void
test_source_changes (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "data.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (MtCsvSource) source = mt_csv_source_new_file (file);
  g_autoptr (GError) error = NULL;
  g_autofree char *sha256 = NULL;
  g_autofree char *none = NULL;
  gsize length;

  g_assert_null (read_pass (source, 100, &length, &none, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "a,b\n1,2\n", -1, NULL));
  g_free (read_pass (source, 100, &length, &sha256, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (path, "a,b\n1,3\n", -1, NULL));
  g_assert_null (read_pass (source, 100, &length, &none, &error));
  g_assert_nonnull (error);
  mt_test_remove_folder (folder);
}

/* --- blocks --- */

/* All blocks put together; each but the last must end with a record. */
static char *
read_blocks (GBytes       *stored,
             const char   *encoding,
             gsize         chunk_size,
             gsize        *length,
             guint        *n_blocks,
             MtCsvProblem *problem)
{
  g_autoptr (MtCsvSource) source = mt_csv_source_new_bytes (stored);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtCsvReader) reader = mt_csv_reader_new (source, encoding, '"', chunk_size, NULL, &error);
  GString *all = g_string_new (NULL);
  gboolean last = FALSE;
  gsize n_quotes = 0;

  g_assert_no_error (error);
  *n_blocks = 0;
  while (!last)
    {
      g_auto (MtCsvBlock) block = { 0 };

      g_assert_true (mt_csv_reader_next (reader, &block, NULL, &error));
      g_assert_no_error (error);
      mt_csv_block_check (&block);
      g_assert_cmpuint (block.capacity, >=, block.length + MT_CSV_PADDING);
      g_string_append_len (all, block.text, (gssize) block.length);
      n_quotes += mt_csv_count_bytes (block.text, block.length, '"');
      last = block.last;
      *problem = block.problem;
      if (!last)
        {
          g_assert_cmpuint (block.length, >, 0);
          g_assert_true (block.text[block.length - 1] == '\n' || block.text[block.length - 1] == '\r');
          g_assert_cmpuint (n_quotes % 2, ==, 0);
        }
      *n_blocks += 1;
    }
  *length = all->len;
  return g_string_free (all, FALSE);
}

/* Whatever the encoding and however small the chunks, which cut letters, line ends and quoted cells in two. */
static void
test_blocks (void)
{
  static const char * const encodings[] = { NULL, "UTF-8", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "WINDOWS-1252" };
  static const char * const marks[] = { "\xef\xbb\xbf", "", "\xff\xfe", "\xfe\xff", "", "" };
  g_autoptr (GString) text = g_string_new ("name,größe,\"a \"\"quoted\"\"\r\nhead\"\r\n");

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "\"Zeile\n%u\",%u.5,ÄÖÜ é ß%s", i, i * 7, i % 3 == 0 ? "\r\n" : "\n");
  g_string_append (text, "end,0,ohne Zeilenende");
  for (guint e = 0; e < G_N_ELEMENTS (encodings); e++)
    {
      gsize n_raw;
      g_autofree char *raw = g_convert (text->str, (gssize) text->len, encodings[e] != NULL ? encodings[e] : "UTF-8", "UTF-8",
                                        NULL, &n_raw, NULL);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autoptr (GBytes) stored = NULL;
      guint most_blocks = 0;

      g_byte_array_append (bytes, (const guint8 *) marks[e], (guint) strlen (marks[e]));
      g_byte_array_append (bytes, (const guint8 *) raw, (guint) n_raw);
      stored = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
      for (gsize chunk = 1; chunk < 300; chunk += chunk < 20 ? 1 : 37)
        {
          MtCsvProblem problem;
          gsize length;
          guint n_blocks;
          g_autofree char *read = read_blocks (stored, encodings[e], chunk, &length, &n_blocks, &problem);

          g_assert_cmpint (problem, ==, MT_CSV_NO_PROBLEM);
          g_assert_cmpmem (read, length, text->str, text->len);
          most_blocks = MAX (most_blocks, n_blocks);
        }
      g_assert_cmpuint (most_blocks, >, 10);
    }
}

/* What is no text ends it, with all that came before. */
static void
test_problems (void)
{
  static const struct {
    const char   *encoding, *bytes;
    gsize         length;
    const char   *before;
    MtCsvProblem  problem;
  } cases[] = {
    { NULL, "a,b\n1,\xff\n", 8, "a,b\n1,", MT_CSV_PROBLEM_UTF8 },
    { NULL, "a,b\n1,\0002\n", 9, "a,b\n1,", MT_CSV_PROBLEM_NUL },
    { NULL, "a,b\n1,\xe2\x82", 8, "a,b\n1,", MT_CSV_PROBLEM_UTF8 },
    { "UTF-16LE", "a\0\n\0\0\xdc\n\0", 8, "a\n", MT_CSV_PROBLEM_ENCODING },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize chunk = 1; chunk < 12; chunk++)
      {
        g_autoptr (GBytes) stored = g_bytes_new_static (cases[i].bytes, cases[i].length);
        MtCsvProblem problem;
        gsize length;
        guint n_blocks;
        g_autofree char *read = read_blocks (stored, cases[i].encoding, chunk, &length, &n_blocks, &problem);

        g_assert_cmpint (problem, ==, cases[i].problem);
        g_assert_cmpmem (read, length, cases[i].before, strlen (cases[i].before));
      }
}

static void
test_no_such_encoding (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("a\n", 2);
  g_autoptr (MtCsvSource) source = mt_csv_source_new_bytes (bytes);
  g_autoptr (GError) error = NULL;

  g_assert_null (mt_csv_reader_new (source, "UTF-5", '"', 100, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "Unknown encoding “UTF-5”"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv-reader/walk", test_walk);
  g_test_add_func ("/csv-reader/locate", test_locate);
  g_test_add_func ("/csv-reader/scan", test_scan);
  g_test_add_func ("/csv-reader/check", test_check);
  g_test_add_func ("/csv-reader/sources", test_sources);
  g_test_add_func ("/csv-reader/source-changes", test_source_changes);
  g_test_add_func ("/csv-reader/blocks", test_blocks);
  g_test_add_func ("/csv-reader/problems", test_problems);
  g_test_add_func ("/csv-reader/no-such-encoding", test_no_such_encoding);
  return g_test_run ();
}
