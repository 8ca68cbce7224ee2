/* minterm-cli devices, from outside. */
#include "config.h"

#include <string.h>

#include "testutils.h"

static void
test_list (void)
{
  g_autofree char *out = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "devices", NULL), ==, 0);
  g_assert_true (g_str_has_prefix (out, "cpu "));
  g_assert_nonnull (strstr (out, "\ncuda "));
}

/* A module that is not there is told as the reason. */
static void
test_json (void)
{
  g_autofree char *out = NULL;
  g_autoptr (MtJson) root = NULL;
  g_autoptr (GError) error = NULL;
  const MtJson *devices;
  const MtJson *device;

  g_setenv ("MINTERM_CUDA_MODULE", "/nonexistent/minterm-cuda.so", TRUE);
  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "devices", "--json", NULL), ==, 0);
  g_unsetenv ("MINTERM_CUDA_MODULE");
  root = mt_json_parse (out, -1, &error);
  g_assert_no_error (error);
  devices = mt_test_json_array (root, "devices");
  g_assert_cmpuint (mt_json_get_n_children (devices), ==, 2);
  device = mt_json_get_child (devices, 0);
  g_assert_cmpstr (mt_test_json_string (device, "id"), ==, "cpu");
  g_assert_true (mt_test_json_boolean (device, "usable"));
  g_assert_cmpint (mt_test_json_integer (device, "processors"), >=, 1);
  g_assert_cmpint (mt_test_json_integer (device, "memory"), >, 1 << 20);
  g_assert_cmpint (mt_test_json_integer (device, "free_memory"), >, 0);
  device = mt_json_get_child (devices, 1);
  g_assert_cmpstr (mt_test_json_string (device, "id"), ==, "cuda");
  g_assert_false (mt_test_json_boolean (device, "usable"));
  g_assert_nonnull (strstr (mt_test_json_string (device, "reason"), "not include GPU support"));
}

static void
test_usage (void)
{
  g_autofree char *err = NULL;

  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "devices", "all", NULL), ==, 2);
  g_assert_nonnull (strstr (err, "takes no argument"));
}

/* What was asked for and cannot be had is an error, not a training elsewhere. */
static void
test_not_usable (void)
{
  const char * const commands[] = { "train", "sweep" };

  g_setenv ("MINTERM_CUDA_MODULE", "/nonexistent/minterm-cuda.so", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *err = NULL;

      g_assert_cmpint (mt_test_cli (NULL, NULL, &err, commands[i], "/nonexistent.csv", "--target", "y", "-o",
                                    "/nonexistent/x", "--device", "cuda", NULL), ==, 1);
      g_assert_nonnull (strstr (err, "not include GPU support"));
    }
  g_unsetenv ("MINTERM_CUDA_MODULE");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-devices/list", test_list);
  g_test_add_func ("/cli-devices/json", test_json);
  g_test_add_func ("/cli-devices/not-usable", test_not_usable);
  g_test_add_func ("/cli-devices/usage", test_usage);
  return g_test_run ();
}
