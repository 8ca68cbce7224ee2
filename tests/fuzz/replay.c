/* Runs a fuzz target over the inputs kept in a directory, as an ordinary test. */
#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
replay (gconstpointer data)
{
  const char *directory = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (directory, 0, &error);
  const char *name;
  guint n = 0;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      g_autofree char *contents = NULL;
      gsize length;

      if (!g_file_get_contents (path, &contents, &length, NULL))
        continue;
      LLVMFuzzerTestOneInput ((const guint8 *) contents, length);
      n++;
    }
  g_test_message ("%u inputs", n);
  g_assert_cmpuint (n, >, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  g_test_add_data_func ("/fuzz/replay", argv[1], replay);
  return g_test_run ();
}
