/* The CUDA backend where it cannot work: no device, another module, too little memory, numbers that are none. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "backend-cases.h"
#include "gpu-steps.h"
#include "host/mt-gpu-host-control.h"
#include "network/mt-backend-cuda.h"
#include "base/mt-error.h"
#include "network/mt-selftest.h"
#include "network/mt-train-private.h"

static float *
read_params (gpointer context,
             gsize    n)
{
  MtTrainState state;
  float *params = g_new (float, n);
  g_autoptr (GError) error = NULL;

  mt_train_state_init (&state, n);
  g_assert_true (mt_backend_cuda_many.read (context, 0, &state, &error));
  g_assert_no_error (error);
  memcpy (params, state.last.params, n * sizeof (float));
  mt_train_state_clear (&state);
  return params;
}

static void
refuse (const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = mt_backend_dup_name ("cuda", &error);

  g_assert_null (name);
  g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
  if (strstr (error->message, message) == NULL)
    g_error ("'%s' was to be told, not '%s'", message, error->message);
}

static void
test_probe (void)
{
  g_autofree char *name = NULL, *about = NULL;

  gpu_use_host (0, 32);
  name = mt_backend_dup_name ("cuda", NULL);
  g_assert_cmpstr (name, ==, "cuda");
  about = mt_backend_dup_about ("cuda", NULL);
  g_assert_cmpstr (about, ==, "CUDA on the CPU, compute capability 7.5, 1.1\302\240GB");
  mt_host_pretend (0, 0);
  refuse ("no NVIDIA driver");
  mt_host_pretend (12040, 1);
  refuse ("supports CUDA 12.4, but the CUDA module requires 13.0");
  mt_host_pretend (13000, 0);
  refuse ("no device");
  mt_host_pretend (13000, 1);
  mt_host_pretend_capability (0, 6, 1);
  refuse ("its compute capability is 6.1, but the CUDA module requires 7.5; use the CPU");
  mt_host_pretend (13000, 1);
  g_assert_null (mt_gpu_module_get (MT_GPU_API_VERSION + 1));
}

static void
test_list (void)
{
  g_autoptr (GPtrArray) two = NULL, none = NULL;
  const MtBackendDevice *device;

  gpu_use_host (0, 32);
  mt_host_pretend (13000, 2);
  two = mt_backend_list_devices (TRUE);
  g_assert_cmpuint (two->len, ==, 3);
  device = g_ptr_array_index (two, 0);
  g_assert_cmpstr (device->id, ==, "cpu");
  g_assert_null (device->reason);
  device = g_ptr_array_index (two, 1);
  g_assert_cmpstr (device->id, ==, "cuda");
  g_assert_cmpstr (device->name, ==, "CUDA on the CPU");
  g_assert_cmpstr (device->capability, ==, "7.5");
  g_assert_cmpuint (device->memory, ==, 1 << 30);
  g_assert_null (device->reason);
  device = g_ptr_array_index (two, 2);
  g_assert_cmpstr (device->id, ==, "cuda:1");
  g_assert_nonnull (strstr (device->reason, "a device that is faster"));
  mt_host_pretend (0, 0);
  none = mt_backend_list_devices (TRUE);
  g_assert_cmpuint (none->len, ==, 2);
  device = g_ptr_array_index (none, 1);
  g_assert_nonnull (strstr (device->reason, "no NVIDIA driver"));
  mt_host_pretend (13000, 1);
}

/* The first device is too old, as a Pascal under a driver of CUDA 13: it says so, and training takes the second. */
static void
test_second_device (void)
{
  g_autoptr (GPtrArray) devices = NULL;
  g_auto (MtTestCase) it = { 0 };
  g_autofree float *gradient = NULL;
  const MtBackendDevice *device;
  double loss;

  gpu_use_host (0, 32);
  mt_host_pretend (13000, 3);
  mt_host_pretend_capability (0, 6, 1);
  mt_host_pretend_capability (1, 9, 0);
  devices = mt_backend_list_devices (TRUE);
  g_assert_cmpuint (devices->len, ==, 4);
  device = g_ptr_array_index (devices, 1);
  g_assert_nonnull (strstr (device->reason, "compute capability is 6.1"));
  device = g_ptr_array_index (devices, 2);
  g_assert_cmpstr (device->id, ==, "cuda:1");
  g_assert_null (device->reason);
  g_assert_cmpuint (device->free_memory, ==, 1 << 30);
  device = g_ptr_array_index (devices, 3);
  g_assert_nonnull (strstr (device->reason, "a device that is faster"));
  g_assert_cmpuint (device->free_memory, ==, 0);
  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  gradient = gpu_run_step (&it, NULL, 1.0f, 0.0f, &loss, NULL);
  g_assert_cmpint (mt_host_get_device (), ==, 1);
  mt_host_pretend (13000, 1);
}

static guint64
free_of (const char *list,
         guint       index)
{
  g_auto (GStrv) each = g_strsplit (list, ",", -1);

  return g_ascii_strtoull (each[index], NULL, 10);
}

/* Of several devices the fastest, unless others have filled it. */
static void
test_best_device (void)
{
  static const struct {
    const char *free;            /* MB of the three, as the driver's library tells; NULL: there is none */
    guint32     best;
  } cases[] = {
    { NULL, 1 }, { "9000,9000,9000", 1 }, { "9000,5000,9000", 1 }, { "9000,400,9000", 2 }, { "9000,400,300", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      MtGpuDevice chosen;
      guint32 index;

      gpu_use_host (0, 32);
      mt_host_pretend (13000, 3);
      mt_host_pretend_capability (1, 8, 6);
      mt_host_pretend_capability (2, 8, 6);
      mt_host_pretend_speed (0, 60, 1200000);
      mt_host_pretend_speed (1, 82, 1695000);
      mt_host_pretend_speed (2, 30, 1800000);
      mt_gpu_host_nvml = g_getenv ("MINTERM_FAKE_NVML_AT");
      if (cases[i].free != NULL)
        g_setenv ("MINTERM_FAKE_NVML", cases[i].free, TRUE);
      else
        g_unsetenv ("MINTERM_FAKE_NVML");
      g_assert_true (mt_backend_cuda_choose (&index, &chosen, NULL));
      g_assert_cmpuint (index, ==, cases[i].best);
      g_assert_cmpfloat (fabs (chosen.speed - (index == 0 ? 4608.0 : index == 1 ? 17790.72 : 6912.0)), <, 1e-6);
      g_assert_cmpuint (chosen.free, ==, cases[i].free == NULL ? 0 : free_of (cases[i].free, index) * 1000000);
    }
  /* A library that is not there is no reason to fail. */
  mt_gpu_host_nvml = "/no/such/library.so";
  g_assert_true (mt_backend_cuda_choose (&(guint32) { 0 }, NULL, NULL));
  mt_gpu_host_nvml = NULL;
  mt_host_pretend (13000, 1);
}

/* The self-test looks at the device that training takes, and tells the versions. */
static void
test_selftest_device (void)
{
  g_autoptr (MtSelftest) test = NULL, none = NULL;

  gpu_use_host (0, 32);
  mt_host_pretend (13010, 2);
  mt_host_pretend_capability (0, 6, 1);
  mt_host_fail_call ("cudaMalloc", 1, LAUNCH_FAILED);      /* this is not about results */
  test = mt_selftest_run (FALSE);
  g_assert_cmpstr (test->device, ==, "CUDA on the CPU, compute capability 7.5, 1 multiprocessors, 1.1 GB");
  g_assert_cmpstr (test->module, ==, "cuda-on-host, built with CUDA 13.0; the driver supports 13.1");
  g_assert_null (test->reason);
  g_assert_false (test->passed);
  mt_host_reset (0);
  mt_host_pretend (0, 0);
  none = mt_selftest_run (FALSE);
  g_assert_nonnull (strstr (none->reason, "no NVIDIA driver"));
  g_assert_cmpstr (none->module, ==, "cuda-on-host, built with CUDA 13.0");
  gpu_use_host (0, 32);
}

/* Asked on the main thread of a window: nothing may be opened, for that takes tenths of a second. */
static void
test_probe_opens_nothing (void)
{
  static const char * const calls[] = { "cudaSetDevice", "cudaMemGetInfo", "cudaFuncGetAttributes" };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *name = NULL;

      gpu_use_host (0, 32);
      mt_host_fail_call (calls[i], 1, LAUNCH_FAILED);
      name = mt_backend_dup_name ("cuda", NULL);
      g_assert_nonnull (name);
      g_assert_cmpuint (mt_host_get_calls_left (), ==, 1);
    }
  mt_host_reset (0);
}

/* Kernels that do not load on the device: told by the list, and by a training before it has begun. */
static void
test_kernels_do_not_load (void)
{
  const struct {
    int         error;
    const char *message;
  } reasons[] = {
    { 209, "no kernel image" },
    { 222, "install a newer driver" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autoptr (GPtrArray) devices = NULL;
      g_auto (MtTestCase) it = { 0 };
      g_autoptr (GError) error = NULL;
      const MtBackendDevice *device;
      MtBackendJob job;

      gpu_use_host (0, 32);
      mt_host_pretend_kernels (reasons[i].error);
      devices = mt_backend_list_devices (TRUE);
      device = g_ptr_array_index (devices, 1);
      g_assert_nonnull (device->reason);
      g_assert_nonnull (strstr (device->reason, reasons[i].message));
      mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
      job = mt_test_case_job (&it, 50, 1);
      g_assert_null (gpu_open_one (&job, 0, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, reasons[i].message));
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
    }
  gpu_use_host (0, 32);
}

static void
test_module (void)
{
  g_autofree char *text = g_build_filename (g_get_tmp_dir (), "minterm-no-module.so", NULL);

  mt_backend_cuda_use (NULL);
  g_setenv ("MINTERM_CUDA_MODULE", "/nonexistent/minterm-cuda.so", TRUE);
  refuse ("not include GPU support");
  g_assert_true (g_file_set_contents (text, "not a module", -1, NULL));
  g_setenv ("MINTERM_CUDA_MODULE", text, TRUE);
  refuse ("cannot be loaded");
  g_remove (text);
  if (g_getenv ("MINTERM_CUDA_OTHER") != NULL)
    {
      g_setenv ("MINTERM_CUDA_MODULE", g_getenv ("MINTERM_CUDA_OTHER"), TRUE);
      refuse ("belongs to another version of this program; use the CPU");
    }
  g_unsetenv ("MINTERM_CUDA_MODULE");
}

/* Each call of the opening fails once: an error that says which, and nothing left behind. */
static void
test_open_fails (void)
{
  g_auto (MtTestCase) it = { 0 };
  MtBackendJob job;
  guint n_failed = 0;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_DEEP, 3, 3, 4, 2, 1, 100);
  job = mt_test_case_job (&it, 50, 1);
  job.valid_rows = it.rows;
  job.n_valid = it.n_rows;
  for (guint n = 1; n < 200; n++)
    {
      g_autoptr (GError) error = NULL;
      gpointer context;
      guint32 index;

      gpu_use_host (0, 32);
      g_assert_true (mt_backend_cuda_choose (&index, NULL, NULL));     /* after a failure this renews the context */
      mt_host_fail_at (n, n % 2 ? OUT_OF_MEMORY : LAUNCH_FAILED);
      context = gpu_open_one (&job, 0, &error);
      if (context != NULL)
        {
          mt_backend_cuda_many.close (context);
          g_assert_cmpuint (mt_host_get_used (), ==, 0);
          /* Rows in stages need less: want of memory for all of them is no failure. */
          if (mt_host_get_calls_left () == 0)
            continue;
          break;
        }
      n_failed++;
      g_assert_error (error, MT_ERROR, MT_ERROR_DEVICE);
      /* The first two calls look for a device. */
      g_assert_nonnull (strstr (error->message, n == 1 ? "found no device" : n == 2 ? "cannot be used"
                                                : n % 2 ? "enough free memory" : "the GPU failed"));
      g_assert_cmpuint (mt_host_get_used (), ==, 0);
    }
  g_assert_cmpuint (n_failed, >=, 15);
  mt_host_reset (0);
}

static void
test_not_finite (void)
{
  g_auto (MtTestCase) it = { 0 };
  g_autofree float *params = NULL;
  g_autoptr (GError) error = NULL;
  MtBackendJob job;
  MtManyStanding standing;
  gpointer context;

  mt_test_case_init (&it, MT_TASK_REGRESSION, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  it.y[it.order[60]] = INFINITY;
  gpu_use_host (2, 32);
  job = mt_test_case_job (&it, 50, 1);
  context = gpu_open_one (&job, 0, &error);
  g_assert_true (mt_backend_cuda_many.run_epoch (context, NULL, &standing, &error));
  g_assert_no_error (error);
  g_assert_true (standing.ended);
  g_assert_cmpuint (standing.epoch, ==, 0);
  g_assert_error (standing.error, MT_ERROR, MT_ERROR_NUMERIC);
  g_assert_nonnull (strstr (standing.error->message, "at step 2;"));
  /* The state is the one before the epoch that failed. */
  params = read_params (context, it.net->layout.n_params);
  g_assert_cmpmem (params, it.net->layout.n_params * sizeof (float), it.net->params,
                   it.net->layout.n_params * sizeof (float));
  mt_backend_cuda_many.close (context);
}

/* Scores of the choice that are no numbers are the lowest: k inputs all the same, none of a place that does not
 * exist. */
static void
test_no_scores (void)
{
  for (guint n_bad = 1; n_bad < 9; n_bad += 7)
    {
      g_auto (MtTestCase) it = { 0 };
      g_autoptr (GError) error = NULL;
      MtBackendJob job;
      MtManyStanding standing;
      gpointer context;

      mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 3, 1, 100);
      for (guint i = 0; i < n_bad; i++)
        it.net->params[mt_net_at (&it.net->layout, it.net->layout.map, i, 1)] = NAN;
      gpu_use_host (2, 32);
      job = mt_test_case_job (&it, 50, 1);
      context = gpu_open_one (&job, 0, &error);
      g_assert_true (mt_backend_cuda_many.run_epoch (context, NULL, &standing, &error));
      g_assert_no_error (error);
      g_assert_null (mt_host_get_fault ());
      g_assert_true (isfinite (standing.train_loss));
      mt_backend_cuda_many.close (context);
    }
}

static void
test_cancelled (void)
{
  g_auto (MtTestCase) it = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MtBackendJob job;
  MtManyStanding standing;
  gpointer context;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  gpu_use_host (0, 32);
  job = mt_test_case_job (&it, 10, 1);
  context = gpu_open_one (&job, 0, &error);
  g_cancellable_cancel (cancellable);
  g_assert_false (mt_backend_cuda_many.run_epoch (context, cancellable, &standing, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  mt_backend_cuda_many.close (context);
}

static void
test_unsupported (void)
{
  g_auto (MtTestCase) it = { 0 };
  const MtTopkOps other = { .name = "sinkhorn" };
  g_autoptr (GError) error = NULL;
  MtBackendJob job;

  mt_test_case_init (&it, MT_TASK_BINARY, MT_NODE_STANDARD, 3, 3, 4, 2, 1, 100);
  job = mt_test_case_job (&it, 10, 1);
  g_assert_true (mt_backend_cuda.supports (&job, &error));
  job.topk = &other;
  g_assert_false (mt_backend_cuda.supports (&job, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_nonnull (strstr (error->message, "sinkhorn"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu-backend/probe", test_probe);
  g_test_add_func ("/gpu-backend/list", test_list);
  g_test_add_func ("/gpu-backend/second-device", test_second_device);
  g_test_add_func ("/gpu-backend/best-device", test_best_device);
  g_test_add_func ("/gpu-backend/selftest-device", test_selftest_device);
  g_test_add_func ("/gpu-backend/probe-opens-nothing", test_probe_opens_nothing);
  g_test_add_func ("/gpu-backend/kernels-do-not-load", test_kernels_do_not_load);
  g_test_add_func ("/gpu-backend/module", test_module);
  g_test_add_func ("/gpu-backend/open-fails", test_open_fails);
  g_test_add_func ("/gpu-backend/not-finite", test_not_finite);
  g_test_add_func ("/gpu-backend/no-scores", test_no_scores);
  g_test_add_func ("/gpu-backend/cancelled", test_cancelled);
  g_test_add_func ("/gpu-backend/unsupported", test_unsupported);
  return g_test_run ();
}
