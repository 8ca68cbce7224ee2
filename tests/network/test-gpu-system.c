/* A GPU that sleeps is known by what the system tells of it; a sandbox gets a cache of its own (network/mt-gpu-system.h). */
#include "config.h"

#include <glib/gstdio.h>

#include "network/mt-gpu-system.h"

static void
add_device (const char *folder,
            const char *name,
            const char *vendor,
            const char *class,
            const char *status)
{
  const char *names[] = { "vendor", "class", "power/runtime_status" }, *texts[] = { vendor, class, status };
  g_autofree char *power = g_build_filename (folder, name, "power", NULL);

  g_assert_cmpint (g_mkdir_with_parents (power, 0700), ==, 0);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *path = g_build_filename (folder, name, names[i], NULL);

      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
    }
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      remove_tree (inner);
    }
  g_remove (path);
}

static void
test_sleeps (void)
{
  g_autofree char *folder = g_dir_make_tmp ("minterm-pci-XXXXXX", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "nowhere", NULL);

  g_assert_false (mt_gpu_sleeps (nowhere));
  g_assert_false (mt_gpu_sleeps (folder));
  add_device (folder, "0000:00:02.0", "0x8086\n", "0x030000\n", "suspended\n");       /* another vendor's */
  add_device (folder, "0000:01:00.1", "0x10de\n", "0x040300\n", "suspended\n");       /* its sound */
  g_assert_false (mt_gpu_sleeps (folder));
  add_device (folder, "0000:01:00.0", "0x10de\n", "0x030200\n", "suspended\n");
  g_assert_true (mt_gpu_sleeps (folder));
  add_device (folder, "0000:02:00.0", "0x10de\n", "0x030000\n", "active\n");          /* one that is awake */
  g_assert_false (mt_gpu_sleeps (folder));
  remove_tree (folder);
}

static void
test_cache (void)
{
  g_autofree char *mark = NULL;
  int file = g_file_open_tmp ("minterm-mark-XXXXXX", &mark, NULL);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_unsetenv ("CUDA_CACHE_PATH");
  mt_gpu_prepare_cache ("/no/such/file");
  g_assert_null (g_getenv ("CUDA_CACHE_PATH"));
  mt_gpu_prepare_cache (mark);
  g_assert_true (g_str_has_prefix (g_getenv ("CUDA_CACHE_PATH"), g_get_user_cache_dir ()));
  /* What the person has chosen stays. */
  g_setenv ("CUDA_CACHE_PATH", "/elsewhere", TRUE);
  mt_gpu_prepare_cache (mark);
  g_assert_cmpstr (g_getenv ("CUDA_CACHE_PATH"), ==, "/elsewhere");
  g_remove (mark);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu-system/sleeps", test_sleeps);
  g_test_add_func ("/gpu-system/cache", test_cache);
  return g_test_run ();
}
