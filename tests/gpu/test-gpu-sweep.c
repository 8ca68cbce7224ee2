/* A sweep whose networks are trained together on the GPU, on the CPU: every network tells how far it is, and one run
 * can be stopped without the others. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "host/mt-gpu-host-control.h"
#include "network/mt-backend-cuda.h"
#include "base/mt-random.h"
#include "project/mt-sweep.h"
#include "testutils.h"

#define N_RUNS     4
#define N_NETWORKS 3      /* a run: all rows, two folds */

const MtGpuApi *mt_gpu_module_get (uint32_t version);

typedef struct {
  char       *folder;
  MtImport   *import;
  GHashTable *epochs;          /* "run/part/network" → the last epoch it told */
  guint       n_metrics, n_bad_orders, n_together;
  double      done;
  gint64      stop_run;        /* which is stopped … */
  guint       stop_epoch;      /* … after this epoch of its first network; 0: none is */
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  g_autoptr (GString) text = g_string_new ("a,b,c,y\n");
  g_autoptr (MtSchema) schema = mt_schema_new ();
  const MtImportOptions options = { .schema = schema };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint i = 0; i < 120; i++)
    {
      guint a = (guint) mt_random_below (&random, 50), b = (guint) mt_random_below (&random, 50);

      g_string_append_printf (text, "%u,%u,%u,%s\n", a, b, (guint) mt_random_below (&random, 50),
                              (a >= 25 && b < 20) != (mt_random_below (&random, 10) == 0) ? "yes" : "no");
    }
  bytes = g_bytes_new (text->str, text->len);
  mt_schema_set_role (schema, "y", MT_ROLE_TARGET);
  self->import = mt_import_bytes (bytes, &options, NULL, &error);
  g_assert_no_error (error);
  self->folder = mt_test_make_folder ();
  self->epochs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  mt_host_reset (3);
  mt_host_pretend (13000, 1);
  mt_gpu_host_threads = 32;
  mt_backend_cuda_use (mt_gpu_module_get (MT_GPU_API_VERSION));
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  g_assert_null (mt_host_get_fault ());
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
  mt_import_unref (self->import);
  g_hash_table_unref (self->epochs);
  mt_test_remove_folder (self->folder);
  g_free (self->folder);
}

static void
on_progress (const MtSweepProgress *progress,
             gpointer               data)
{
  Fixture *self = data;
  const MtSweepNetwork *network = progress->network;
  char *key;

  g_assert_cmpuint (progress->n_runs, ==, N_RUNS);
  g_assert_cmpfloat (progress->done, <=, 1.0);
  self->n_bad_orders += progress->done < self->done;
  self->done = progress->done;
  if (network == NULL)
    return;
  self->n_together = MAX (self->n_together, progress->n_networks);
  key = g_strdup_printf ("%" G_GINT64_FORMAT "/%u/%u", network->run, network->part, network->network);
  g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (self->epochs, key)), <=, network->train->epoch);
  g_hash_table_insert (self->epochs, key, GUINT_TO_POINTER (network->train->epoch));
  self->n_metrics += network->train->phase == MT_TRAIN_RUNNING && isfinite (network->train->metric);
  if (network->run == self->stop_run && network->train->epoch == self->stop_epoch && self->stop_epoch > 0)
    g_cancellable_cancel (network->cancellable);
}

static MtProject *
sweep (Fixture        *self,
       MtProject      *project,
       const char     *name,
       MtSweepSummary *summary)
{
  const MtSweepGrid grid = { { 3 }, 1, { 3, 5 }, 2, { 2 }, 1, { 0.01 }, 1, 2 };
  const MtRunMeans means = { .n_threads = 1 };
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  MtRunSettings settings;

  mt_sweep_settings_init (&settings);
  settings.folds = 2;
  settings.device = MT_DEVICE_CUDA;
  if (project == NULL)
    project = mt_project_create (path, &error);
  g_assert_no_error (error);
  mt_sweep_run (project, self->import, "data.csv", &grid, &settings, &means, on_progress, self, NULL, summary, &error);
  g_assert_no_error (error);
  return project;
}

/* Each run's points as text. */
static char *
tell_points (MtProject *project,
             gint64     run)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) points = mt_project_list_points (project, run, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < points->len; i++)
    {
      const MtProjectPoint *point = &g_array_index (points, MtProjectPoint, i);

      g_string_append_printf (text, "%u %.17g %.17g\n", point->literals, point->cv_mean, point->cv_se);
    }
  return g_string_free (text, FALSE);
}

static void
test_each_network (Fixture       *self,
                   gconstpointer  data)
{
  MtSweepSummary summary;
  g_autoptr (MtProject) project = sweep (self, NULL, "all.minterm", &summary);
  GHashTableIter iter;
  gpointer epoch;

  g_assert_cmpuint (summary.n_done, ==, N_RUNS);
  g_assert_cmpuint (g_hash_table_size (self->epochs), ==, N_RUNS * N_NETWORKS);
  g_hash_table_iter_init (&iter, self->epochs);
  while (g_hash_table_iter_next (&iter, NULL, &epoch))
    g_assert_cmpuint (GPOINTER_TO_UINT (epoch), >=, 2);
  g_assert_cmpuint (self->n_together, ==, N_RUNS * N_NETWORKS);
  g_assert_cmpuint (self->n_metrics, >=, 2 * N_RUNS * N_NETWORKS);
  g_assert_cmpuint (self->n_bad_orders, ==, 0);
  g_assert_cmpfloat (self->done, ==, 1.0);
}

/* The second run is stopped after its second epoch: the others come to what they come to without that; swept again,
 * it alone is run. */
static void
test_stop_one (Fixture       *self,
               gconstpointer  data)
{
  MtSweepSummary summary;
  g_autoptr (MtProject) whole = sweep (self, NULL, "whole.minterm", &summary);
  g_autoptr (GPtrArray) runs = mt_project_list_runs (whole, NULL);
  g_autoptr (MtProject) stopped = NULL;
  g_autoptr (GPtrArray) after = NULL, again = NULL;

  self->stop_run = ((MtProjectRun *) runs->pdata[1])->id;
  self->stop_epoch = 2;
  self->done = 0.0;
  g_hash_table_remove_all (self->epochs);
  stopped = sweep (self, NULL, "stopped.minterm", &summary);
  g_assert_cmpuint (summary.n_done, ==, N_RUNS - 1);
  g_assert_cmpuint (summary.n_failed, ==, 0);
  after = mt_project_list_runs (stopped, NULL);
  for (guint i = 0; i < N_RUNS; i++)
    {
      const MtProjectRun *run = after->pdata[i];
      g_autofree char *points = tell_points (stopped, run->id);
      g_autofree char *expected = tell_points (whole, ((MtProjectRun *) runs->pdata[i])->id);

      g_assert_cmpint (run->state, ==, i == 1 ? MT_RUN_STOPPED : MT_RUN_DONE);
      g_assert_cmpstr (points, ==, i == 1 ? "" : expected);
    }
  self->stop_epoch = 0;
  self->done = 0.0;
  g_hash_table_remove_all (self->epochs);
  sweep (self, stopped, NULL, &summary);
  g_assert_cmpuint (summary.n_skipped, ==, N_RUNS - 1);
  g_assert_cmpuint (summary.n_done, ==, 1);
  g_assert_cmpuint (g_hash_table_size (self->epochs), ==, N_NETWORKS);
  again = mt_project_list_runs (stopped, NULL);
  for (guint i = 0; i < N_RUNS; i++)
    {
      g_autofree char *points = tell_points (stopped, ((MtProjectRun *) again->pdata[i])->id);
      g_autofree char *expected = tell_points (whole, ((MtProjectRun *) runs->pdata[i])->id);

      g_assert_cmpstr (points, ==, expected);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/gpu-sweep/each-network-tells", Fixture, NULL, set_up, test_each_network, tear_down);
  g_test_add ("/gpu-sweep/one-run-is-stopped", Fixture, NULL, set_up, test_stop_one, tear_down);
  return g_test_run ();
}
