/* train of several files: the model of their rows in one file, byte for byte, or a sentence that says why they are no table. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

#define N_ROWS 300

typedef struct {
  char *folder, *all, *first, *second, *third, *out, *other;
} Files;

static void
append_rows (GString *text,
             guint    from,
             guint    to)
{
  for (guint r = from; r < to; r++)
    g_string_append_printf (text, "%u,%u,\"%s\",%s\n", r, r * 7 % 11, r % 3 == 0 ? "one\nof two lines" : "a",
                            r * 7 % 11 > 4 || r % 43 == 5 ? "yes" : "no");
}

static void
write_gzip (const char *path,
            const char *text)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GOutputStream) raw = G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL));
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autoptr (GOutputStream) packed = g_converter_output_stream_new (raw, G_CONVERTER (compressor));

  g_assert_true (g_output_stream_write_all (packed, text, strlen (text), NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (packed, NULL, NULL));
}

#define NAMES "x,z,\"two\nlines\",y\n"

/* The second part has a byte order mark and no line end at its end; the third is packed. */
static void
set_up (Files         *files,
        gconstpointer  unused)
{
  g_autoptr (GString) all = g_string_new (NAMES);
  g_autoptr (GString) part = g_string_new (NAMES);

  files->folder = mt_test_make_folder ();
  files->all = g_build_filename (files->folder, "all.csv", NULL);
  files->first = g_build_filename (files->folder, "part-1.csv", NULL);
  files->second = g_build_filename (files->folder, "part-2.csv", NULL);
  files->third = g_build_filename (files->folder, "part-3.csv.gz", NULL);
  files->out = g_build_filename (files->folder, "model.json", NULL);
  files->other = g_build_filename (files->folder, "other.json", NULL);
  append_rows (all, 0, N_ROWS);
  g_assert_true (g_file_set_contents (files->all, all->str, -1, NULL));
  append_rows (part, 0, 100);
  g_assert_true (g_file_set_contents (files->first, part->str, -1, NULL));
  g_string_assign (part, "\xef\xbb\xbf" NAMES);
  append_rows (part, 100, 150);
  g_string_truncate (part, part->len - 1);
  g_assert_true (g_file_set_contents (files->second, part->str, -1, NULL));
  g_string_assign (part, NAMES);
  append_rows (part, 150, N_ROWS);
  write_gzip (files->third, part->str);
}

static void
tear_down (Files         *files,
           gconstpointer  unused)
{
  mt_test_remove_folder (files->folder);
  g_free (files->folder);
  g_free (files->all);
  g_free (files->first);
  g_free (files->second);
  g_free (files->third);
  g_free (files->out);
  g_free (files->other);
}

static void
test_same_model (Files         *files,
                 gconstpointer  unused)
{
  g_autofree char *one = NULL, *several = NULL;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", files->all, "--target", "y", "--method", "search", "-o", files->out,
                                NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", files->first, files->second, files->third, "--target", "y", "--method",
                                "search", "-o", files->other, NULL), ==, 0);
  g_assert_true (g_file_get_contents (files->out, &one, NULL, NULL));
  g_assert_true (g_file_get_contents (files->other, &several, NULL, NULL));
  g_assert_nonnull (strstr (one, "data_sha256"));
  g_assert_cmpstr (one, ==, several);
}

static void
test_without_names (Files         *files,
                    gconstpointer  unused)
{
  g_autofree char *out = NULL;

  g_assert_true (g_file_set_contents (files->first, "1,2,yes\n2,3,no\n3,3,yes\n4,4,no\n5,1,yes\n", -1, NULL));
  g_assert_true (g_file_set_contents (files->second, "6,2,yes\n7,3,no\n8,3,yes\n9,4,no\n10,1,yes", -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "train", files->first, files->second, "--no-header", "--target", "column 3",
                                "--test-fraction", "0", "--folds", "0", NULL), ==, 0);
  g_assert_nonnull (strstr (out, "10 training rows"));
}

static void
test_refused (Files         *files,
              gconstpointer  unused)
{
  mt_test_cli_fails (1, "part-4.csv: no such file", "train", files->first, "part-4.csv", "--target", "y", NULL);
  mt_test_cli_fails (1, "several files are read from disk, not from standard input or a pipe", "train", files->first, "-",
                     "--target", "y", NULL);
  mt_test_cli_fails (2, "part-2.csv", "train", files->first, files->second, "--target", "y", "-o", files->second, NULL);
  g_assert_true (g_file_set_contents (files->second, "x,y\n1,2\n", -1, NULL));
  mt_test_cli_fails (1, "The first line of “part-2.csv” is not that of “part-1.csv”: files that are read as one table need the same "
                     "line of names", "train", files->first, files->second, "--target", "y", NULL);
  g_assert_true (g_file_set_contents (files->second, "", -1, NULL));
  mt_test_cli_fails (1, "The first line of “part-2.csv” is not that of", "train", files->first, files->second, "--target", "y",
                     NULL);
  g_assert_true (g_file_set_contents (files->second, "x\0,\0y\0\n\0", 8, NULL));
  mt_test_cli_fails (1, "“part-2.csv” cannot be joined to other files", "train", files->first, files->second, "--target", "y",
                     NULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli-parts/same-model", Files, NULL, set_up, test_same_model, tear_down);
  g_test_add ("/cli-parts/without-names", Files, NULL, set_up, test_without_names, tear_down);
  g_test_add ("/cli-parts/refused", Files, NULL, set_up, test_refused, tear_down);
  return g_test_run ();
}
