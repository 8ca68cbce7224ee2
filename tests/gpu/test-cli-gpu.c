/* minterm-cli with a GPU, from outside: the CUDA module's own sources, built for the CPU, are loaded as the
 * real module would be. Sweeps in one batch or in several, a device that dies, the self-test. */
#include "config.h"

#include <string.h>

#include "base/mt-random.h"
#include "testutils.h"

typedef struct {
  char *folder;
  char *csv;
  guint n_projects;
} Fixture;

static void
write_csv (const char *path)
{
  g_autoptr (GString) text = g_string_new ("a,b,c,y\n");
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint i = 0; i < 120; i++)
    {
      guint a = (guint) mt_random_below (&random, 50), b = (guint) mt_random_below (&random, 50);

      g_string_append_printf (text, "%u,%u,%u,%s\n", a, b, (guint) mt_random_below (&random, 50),
                              (a >= 25 && b < 20) != (mt_random_below (&random, 10) == 0) ? "yes" : "no");
    }
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = mt_test_make_folder ();
  fixture->csv = g_build_filename (fixture->folder, "data.csv", NULL);
  write_csv (fixture->csv);
  g_setenv ("MINTERM_CUDA_MODULE", g_getenv ("MINTERM_CUDA_ON_HOST"), TRUE);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_unsetenv ("MINTERM_CUDA_MODULE");
  g_unsetenv ("MINTERM_GPU_HOST_FAIL_AT");
  g_unsetenv ("MINTERM_GPU_HOST_FAIL_AT_GRAPH");
  g_unsetenv ("MINTERM_GPU_HOST_MEMORY");
  mt_test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->csv);
}

/* The frontier of a small sweep, as text: bits in, bits out. */
static char *
sweep (Fixture    *fixture,
       const char *device,
       char      **err)
{
  g_autofree char *name = g_strdup_printf ("%u.minterm", fixture->n_projects++);
  g_autofree char *project = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *out = NULL;
  g_autoptr (MtJson) root = NULL;
  g_autoptr (GError) error = NULL;
  const MtJson *object;
  int code = mt_test_cli (NULL, &out, err, "sweep", fixture->csv, "--target", "y", "--bits", "3", "--nodes", "3,5",
                          "--fan-in", "2", "--temperature", "0.01", "--seeds", "2", "--folds", "2", "--restarts", "1",
                          "--device", device, "--json", "-o", project, NULL);

  if (code != 0)
    g_error ("sweep: %d, %s", code, *err);
  root = mt_json_parse (out, -1, &error);
  g_assert_no_error (error);
  object = root;
  g_assert_cmpint (mt_test_json_integer (object, "runs"), ==, 4);
  g_assert_cmpint (mt_json_get_n_children (mt_test_json_array (object, "frontier")), >, 1);
  return mt_test_json_dup_text (mt_json_find (object, "frontier"));
}

/* Twelve networks at once, or as few at a time as fit: the same frontier. */
static void
test_sweep (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *err = NULL, *together = NULL, *err_few = NULL, *few = NULL;

  together = sweep (fixture, "cuda", &err);
  g_assert_null (strstr (err, "continuing on the CPU"));
  g_setenv ("MINTERM_GPU_HOST_MEMORY", "150000", TRUE);
  few = sweep (fixture, "cuda", &err_few);
  g_assert_null (strstr (err_few, "continuing on the CPU"));
  g_assert_cmpstr (together, ==, few);
}

/* The device dies in the middle, or has no room at all: told once and in full, and the sweep ends well. */
static void
test_fall_back (Fixture       *fixture,
                gconstpointer  data)
{
  g_autofree char *err = NULL, *lost = NULL, *err_full = NULL, *full = NULL, *err_cpu = NULL, *cpu = NULL;

  g_setenv ("MINTERM_GPU_HOST_FAIL_AT_GRAPH", "10", TRUE);
  lost = sweep (fixture, "cuda", &err);
  g_assert_nonnull (strstr (err, "the GPU failed"));
  g_assert_nonnull (strstr (err, "continuing on the CPU"));
  g_unsetenv ("MINTERM_GPU_HOST_FAIL_AT_GRAPH");
  g_setenv ("MINTERM_GPU_HOST_MEMORY", "3000", TRUE);
  full = sweep (fixture, "cuda", &err_full);
  g_assert_nonnull (strstr (err_full, "enough free memory"));
  g_assert_nonnull (strstr (err_full, "continuing on the CPU"));
  cpu = sweep (fixture, "cpu", &err_cpu);
  /* Nothing was learnt on the device, so all is the CPU's. */
  g_assert_cmpstr (full, ==, cpu);
}

/* Constraints that shape a training are kept to on the device, too; a model that did not would not be made. */
static void
test_constraints (Fixture       *fixture,
                  gconstpointer  data)
{
  static const char * const limits[] = { "--monotone=b=+", "--no-negation", "--ban=c" };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autofree char *out = NULL, *err = NULL;

      g_assert_cmpint (mt_test_cli (NULL, &out, &err, "train", fixture->csv, "--target", "y", "--bits", "3", "--nodes",
                                    "4", "--fan-in", "2", "--folds", "2", "--restarts", "1", "--device", "cuda",
                                    limits[i], "--json", NULL), ==, 0);
      g_assert_null (strstr (err, "CPU"));
      g_assert_nonnull (strstr (out, "\"engine\":\"cuda") != NULL ? out : strstr (out, "\"engine\": \"cuda"));
    }
}

static void
test_train (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *err = NULL, *out = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &out, &err, "train", fixture->csv, "--target", "y", "--restarts", "2", "--nodes",
                                "4", "--bits", "3", "--folds", "2", "--repeats", "1", "--device", "cuda",
                                "--device-memory", "1", "--json", NULL), ==, 0);
  g_assert_nonnull (strstr (out, "\"engine\""));
  g_assert_nonnull (strstr (out, "cuda"));
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "train", fixture->csv, "--target", "y", "--device-memory", "-1", NULL),
                   ==, 2);
  g_assert_nonnull (strstr (err, "--device-memory must be between"));
}

static void
test_devices (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *out = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "devices", NULL), ==, 0);
  g_assert_nonnull (strstr (out, "CUDA on the CPU, compute capability 7.5"));
}

/* Whatever is missing: the list says why, and a training that asks for it ends with the same words, before it has begun,
 * and says what to do instead. */
static void
test_reasons (Fixture       *fixture,
              gconstpointer  data)
{
  static const struct {
    const char *name, *value;
    const char *reason;
  } cases[] = {
    { "MINTERM_CUDA_MODULE", "/nonexistent/minterm-cuda.so", "does not include GPU support; use the CPU" },
    { "MINTERM_CUDA_MODULE", "/dev/null", "the CUDA module cannot be loaded" },
    { "MINTERM_GPU_HOST_DRIVER", "0", "no NVIDIA driver is installed; use the CPU" },
    { "MINTERM_GPU_HOST_DRIVER", "12040", "the NVIDIA driver supports CUDA 12.4, but the CUDA module requires 13.0" },
    { "MINTERM_GPU_HOST_DEVICES", "", "the NVIDIA driver found no device" },
    { "MINTERM_GPU_HOST_DEVICES", "61", "its compute capability is 6.1, but the CUDA module requires 7.5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *out = NULL, *err = NULL, *model = g_build_filename (fixture->folder, "none.json", NULL);
      g_autofree char *before = g_strdup (g_getenv (cases[i].name));

      g_setenv (cases[i].name, cases[i].value, TRUE);
      g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "devices", NULL), ==, 0);
      g_assert_nonnull (strstr (out, "not usable"));
      g_assert_nonnull (strstr (out, cases[i].reason));
      g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "train", fixture->csv, "--target", "y", "--device", "cuda",
                                    "--restarts", "1", "-o", model, NULL), ==, 1);
      g_assert_nonnull (strstr (err, cases[i].reason));
      g_assert_nonnull (strstr (err, "use the CPU"));
      g_assert_false (g_file_test (model, G_FILE_TEST_EXISTS));
      if (before != NULL)
        g_setenv (cases[i].name, before, TRUE);
      else
        g_unsetenv (cases[i].name);
    }
}

/* What shows only when the device is opened: kernels that do not load there, and no memory. One after the other the list
 * tells the first, and a training both, which then goes on with the CPU. */
static void
test_opened (Fixture       *fixture,
             gconstpointer  data)
{
  static const struct {
    const char *name, *value;
    const char *told;
    gboolean    is_listed;
  } cases[] = {
    { "MINTERM_GPU_HOST_KERNELS", "209", "no kernel image is available", TRUE },
    { "MINTERM_GPU_HOST_MEMORY", "20000", "enough free memory", FALSE },
    { "MINTERM_GPU_HOST_FAIL_AT_GRAPH", "3", "from the end of epoch", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *out = NULL, *err = NULL, *model = g_build_filename (fixture->folder, "model.json", NULL);

      g_setenv (cases[i].name, cases[i].value, TRUE);
      g_assert_cmpint (mt_test_cli (NULL, &out, NULL, "devices", NULL), ==, 0);
      g_assert_true ((strstr (out, cases[i].told) != NULL) == cases[i].is_listed);
      g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "train", fixture->csv, "--target", "y", "--bits", "3", "--nodes",
                                    "3", "--fan-in", "2", "--folds", "2", "--restarts", "1", "--device", "cuda", "-o",
                                    model, NULL), ==, 0);
      g_assert_nonnull (strstr (err, cases[i].told));
      g_assert_nonnull (strstr (err, "continuing on the CPU"));
      g_assert_true (g_file_test (model, G_FILE_TEST_EXISTS));
      g_unsetenv (cases[i].name);
    }
}

/* --- the self-test --- */

static MtJson *
selftest (int    expected,
          char **err)
{
  g_autofree char *out = NULL;
  g_autoptr (GError) error = NULL;
  MtJson *root;

  g_assert_cmpint (mt_test_cli (NULL, &out, err, "gpu-selftest", "--quick", "--json", NULL), ==, expected);
  root = mt_json_parse (out, -1, &error);
  g_assert_no_error (error);
  return root;
}

static guint
count_state (const MtJson   *root,
             const char *state)
{
  const MtJson *checks = mt_test_json_array (root, "checks");
  guint n = 0;

  for (guint i = 0; i < mt_json_get_n_children (checks); i++)
    n += g_str_equal (mt_test_json_string (mt_json_get_child (checks, i), "state"), state);
  return n;
}

static void
test_selftest (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *err = NULL;
  g_autoptr (MtJson) root = selftest (0, &err);

  g_assert_true (mt_test_json_boolean (root, "passed"));
  g_assert_cmpuint (count_state (root, "passed"), >=, 17);
  g_assert_cmpuint (count_state (root, "failed"), ==, 0);
}

/* A search with exact sums comes to the same models on the device, on the CPU, and on a device that is lost. */
static void
test_exact_sums (Fixture       *fixture,
                 gconstpointer  data)
{
  static const char * const devices[] = { "cpu", "cuda", "cuda", NULL };
  g_autofree char *models[4] = { NULL };

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *out = NULL, *err = NULL;
      g_autoptr (MtJson) root = NULL;
      g_autoptr (GError) error = NULL;

      if (i == 2)
        g_setenv ("MINTERM_GPU_HOST_FAIL_AT", "300", TRUE);
      g_assert_cmpint (mt_test_cli (NULL, &out, &err, "bench", "refine", "--rows", "300", "--columns", "4", "--json",
                                    devices[i] != NULL ? "--sums" : NULL, devices[i], NULL), ==, 0);
      g_unsetenv ("MINTERM_GPU_HOST_FAIL_AT");
      root = mt_json_parse (out, -1, &error);
      g_assert_no_error (error);
      models[i] = g_strdup (mt_test_json_string (root, "models"));
      if (devices[i] != NULL)
        g_assert_cmpfloat (mt_test_json_number (root, "lost"), ==, i == 2);
    }
  g_assert_cmpstr (models[0], ==, models[1]);
  g_assert_cmpstr (models[0], ==, models[2]);
  /* Doubles differ in their last digits: the comparison can fail. */
  g_assert_cmpstr (models[0], !=, models[3]);
}

/* The file to send holds what --json prints, of a device that is there and of one that is not. */
static void
test_selftest_report (Fixture       *fixture,
                      gconstpointer  data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "report.json", NULL);
  g_autofree char *bad = g_build_filename (fixture->folder, "no", "such", "folder.json", NULL);

  for (guint there = 0; there < 2; there++)
    {
      g_autofree char *out = NULL, *err = NULL, *text = NULL;
      g_autoptr (MtJson) root = NULL;
      g_autoptr (GError) error = NULL;

      if (!there)
        g_setenv ("MINTERM_CUDA_MODULE", "/nonexistent/minterm-cuda.so", TRUE);
      else
        g_setenv ("MINTERM_CUDA_MODULE", g_getenv ("MINTERM_CUDA_ON_HOST"), TRUE);
      g_assert_cmpint (mt_test_cli (NULL, &out, &err, "gpu-selftest", "--quick", "--report", path, NULL), ==, !there);
      g_assert_true (g_file_get_contents (path, &text, NULL, &error));
      root = mt_json_parse (text, -1, &error);
      g_assert_no_error (error);
      g_assert_cmpint (mt_test_json_boolean (root, "passed"), ==, there);
      g_assert_true (g_str_has_prefix (mt_test_json_string (root, "system"), "Linux "));
      g_assert_cmpuint (count_state (root, there ? "passed" : "skipped"), >=, 18);
      g_assert_nonnull (strstr (out, there ? "All checks passed." : "There is no GPU to test."));
    }
  {
    g_autofree char *err = NULL;

    g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "gpu-selftest", "--quick", "--report", bad, NULL), !=, 0);
    g_assert_nonnull (strstr (err, "folder.json"));
  }
}

/* A device that fails once fails the test, and says how; it is opened again for the checks that follow. */
static void
test_selftest_fails (Fixture       *fixture,
                     gconstpointer  data)
{
  g_autofree char *err = NULL;
  g_autoptr (MtJson) root = NULL;

  g_setenv ("MINTERM_GPU_HOST_FAIL_AT", "60", TRUE);
  root = selftest (1, &err);
  g_assert_false (mt_test_json_boolean (root, "passed"));
  g_assert_cmpuint (count_state (root, "failed"), >=, 1);
  g_assert_cmpuint (count_state (root, "passed"), >=, 10);
}

static void
test_selftest_none (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *err = NULL, *text = NULL, *err_text = NULL, *usage = NULL;
  g_autoptr (MtJson) root = NULL;

  g_setenv ("MINTERM_CUDA_MODULE", "/nonexistent/minterm-cuda.so", TRUE);
  root = selftest (1, &err);
  g_assert_nonnull (strstr (err, "not include GPU support"));
  g_assert_cmpuint (count_state (root, "skipped"), >=, 17);
  g_assert_cmpuint (count_state (root, "passed"), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &text, &err_text, "gpu-selftest", NULL), ==, 1);
  g_assert_nonnull (strstr (text, "There is no GPU to test."));
  g_assert_cmpint (mt_test_cli (NULL, NULL, &usage, "gpu-selftest", "now", NULL), ==, 2);
  g_assert_nonnull (strstr (usage, "takes no argument"));
}

static void
copy_into (const char *folder,
           const char *name,
           const char *source)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) from = g_file_new_for_path (source);
  g_autoptr (GFile) to = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_copy (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* A program that was not installed finds the module that was built with it, wherever both are. */
static void
test_not_installed (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *programs = g_build_filename (fixture->folder, "cli", NULL);
  g_autofree char *modules = g_build_filename (fixture->folder, "gpu", NULL);
  g_autofree char *program = g_build_filename (programs, "minterm-cli", NULL);
  g_autofree char *before = g_strdup (g_getenv ("MINTERM_CLI"));
  g_autofree char *without = NULL, *with = NULL;

  copy_into (programs, "minterm-cli", before);
  g_unsetenv ("MINTERM_CUDA_MODULE");
  g_setenv ("MINTERM_CLI", program, TRUE);
  g_assert_cmpint (mt_test_cli (NULL, &without, NULL, "devices", NULL), ==, 0);
  g_assert_null (strstr (without, "CUDA on the CPU"));
  copy_into (modules, "minterm-cuda.so", g_getenv ("MINTERM_CUDA_ON_HOST"));
  g_assert_cmpint (mt_test_cli (NULL, &with, NULL, "devices", NULL), ==, 0);
  g_assert_nonnull (strstr (with, "CUDA on the CPU"));
  g_setenv ("MINTERM_CLI", before, TRUE);
  mt_test_remove_folder (programs);
  mt_test_remove_folder (modules);
}

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/cli-gpu/devices", test_devices);
  ADD ("/cli-gpu/not-installed", test_not_installed);
  ADD ("/cli-gpu/reasons", test_reasons);
  ADD ("/cli-gpu/opened", test_opened);
  ADD ("/cli-gpu/train", test_train);
  ADD ("/cli-gpu/sweep", test_sweep);
  ADD ("/cli-gpu/fall-back", test_fall_back);
  ADD ("/cli-gpu/constraints", test_constraints);
  ADD ("/cli-gpu/selftest", test_selftest);
  ADD ("/cli-gpu/selftest-report", test_selftest_report);
  ADD ("/cli-gpu/exact-sums", test_exact_sums);
  ADD ("/cli-gpu/selftest-fails", test_selftest_fails);
  ADD ("/cli-gpu/selftest-without-a-device", test_selftest_none);
  return g_test_run ();
}
