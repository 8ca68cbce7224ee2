#include "config.h"
#include "many-nets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "network/mt-backend-cuda.h"
#include "base/mt-error.h"

const MtGpuApi *mt_gpu_module_get (uint32_t version);

void
mt_many_use_host (uint64_t seed)
{
  mt_host_reset (seed);
  mt_host_pretend (13000, 1);
  mt_host_pretend_memory ((gsize) 1 << 30);
  mt_host_refuse_graphs (FALSE);
  mt_backend_cuda_set_state_seconds (0.0);       /* what is lost does not depend on the clock */
  /* Fibers are slow: as few as can be, unless asked for what a device has. */
  mt_gpu_host_threads = g_getenv ("MINTERM_GPU_HOST_THREADS") != NULL ? (guint) atoi (g_getenv ("MINTERM_GPU_HOST_THREADS"))
                                                                      : 32;
  mt_backend_cuda_use (mt_gpu_module_get (MT_GPU_API_VERSION));
}

void
mt_many_init (MtMany *self,
              MtTask  task,
              gsize   n_rows)
{
  guint n_outputs = task == MT_TASK_MULTICLASS ? 3 : 1;

  memset (self, 0, sizeof *self);
  mt_test_case_init (&self->it, task, MT_NODE_STANDARD, 5, 4, 8, 3, n_outputs, n_rows);
  self->classes = g_new (guint32, n_rows);
  self->values = g_new (double, n_rows);
  self->some_rows = g_new (guint32, n_rows);
  self->data = (MtTrainData) { self->it.encoded, task };
  for (gsize r = 0; r < n_rows; r++)
    {
      self->classes[r] = (guint32) self->it.y[r];
      self->values[r] = self->it.y[r];
    }
  if (task == MT_TASK_REGRESSION)
    self->data.values = self->values;
  else
    {
      self->data.n_classes = task == MT_TASK_BINARY ? 2 : 3;
      self->data.classes = self->classes;
    }
  self->part = self->data;
  self->part.rows = self->some_rows;
  for (gsize r = 0; r < n_rows; r++)
    if (r % 5 != 2)
      self->some_rows[self->part.n_rows++] = (guint32) r;
  self->directions = g_new (gint8, mt_encoded_get_n_literals (self->it.encoded));
  self->numeric_directions = g_new (gint8, MAX (mt_encoded_get_n_numeric (self->it.encoded), 1));
  for (guint l = 0; l < mt_encoded_get_n_literals (self->it.encoded); l++)
    self->directions[l] = (gint8) ((int) (l % 3) - 1);
  for (guint u = 0; u < mt_encoded_get_n_numeric (self->it.encoded); u++)
    self->numeric_directions[u] = u % 2 ? 1 : -1;
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      MtTrainOptions *o = &self->options[i];

      mt_train_options_init (o);
      o->n_nodes = 3 + 7 * i;
      o->fan_in = 2 + i % 4;
      o->temperature = i % 2 ? 0.05 : 0.01;
      o->learning_rate = 0.01 * (1 + i);
      o->seed = 100 + i;
      o->start = i == 4 ? MT_START_SCAN : MT_START_RANDOM;
      o->head = i == 1 ? MT_LINEAR_FIT_LEVELS : MT_LINEAR_FIT_LITERALS;
      o->node = i == 3 ? MT_NODE_DEEP : MT_NODE_STANDARD;
      o->batch = 48 + 16 * (int) i;
      o->validation = i == 5 ? 0.0 : 0.2;
      o->max_epochs = 4 + i % 3;
      o->patience = i == 2 ? 2 : 20;
      o->plateau = 1;
      o->balance_classes = i == 0 && task != MT_TASK_REGRESSION;
      /* Nets with constraints beside those without. */
      o->no_negation = i == 2 || i == 3;
      if (task != MT_TASK_MULTICLASS && i % 4 == 0)
        {
          o->directions = self->directions;
          o->numeric_directions = self->numeric_directions;
        }
      o->n_threads = 1;
      o->device = "cuda";
      self->jobs[i] = (MtTrainJob) { .data = i % 2 ? &self->part : &self->data, .options = o };
    }
}

void
mt_many_forget (MtMany *self)
{
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      g_clear_pointer (&self->jobs[i].result, mt_train_result_free);
      g_clear_error (&self->jobs[i].error);
    }
}

void
mt_many_clear (MtMany *self)
{
  mt_many_forget (self);
  for (guint i = 0; i < MT_MANY_NETS; i++)
    g_clear_pointer (&self->alone[i], mt_train_result_free);
  mt_test_case_clear (&self->it);
  g_free (self->classes);
  g_free (self->values);
  g_free (self->some_rows);
  g_free (self->directions);
  g_free (self->numeric_directions);
}

void
mt_many_train_alone (MtMany *self)
{
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      g_autoptr (GError) error = NULL;

      mt_train_run (self->jobs[i].data, self->jobs[i].options, NULL, 0, NULL, NULL, NULL, NULL, &self->alone[i],
                    &error);
      g_assert_no_error (error);
    }
}

void
mt_many_train_together (MtMany *self)
{
  mt_many_forget (self);
  mt_train_run_many (self->jobs, MT_MANY_NETS, NULL);
  g_assert_null (mt_host_get_fault ());
  g_assert_cmpuint (mt_host_get_used (), ==, 0);
}

void
mt_many_assert_same (const MtTrainResult *a,
                     const MtTrainResult *b)
{
  g_assert_nonnull (a);
  g_assert_nonnull (b);
  g_assert_true (g_bytes_equal (a->state, b->state));
  g_assert_cmpuint (a->n_epochs, ==, b->n_epochs);
  g_assert_cmpuint (a->n_steps, ==, b->n_steps);
  g_assert_cmpmem (a->net->params, a->net->layout.n_params * sizeof (float), b->net->params,
                   b->net->layout.n_params * sizeof (float));
  g_assert_true (a->metric == b->metric || (isnan (a->metric) && isnan (b->metric)));
}

void
mt_many_assert_all_same (MtMany *self)
{
  for (guint i = 0; i < MT_MANY_NETS; i++)
    {
      g_assert_no_error (self->jobs[i].error);
      g_assert_false (self->jobs[i].result->stopped);
      mt_many_assert_same (self->jobs[i].result, self->alone[i]);
    }
  /* The comparator can fail: other nets have other bits. */
  g_assert_false (g_bytes_equal (self->alone[0]->state, self->alone[2]->state));
}

char *
mt_many_read_state (const MtTrainResult *result,
                    MtTrainState        *state)
{
  g_autoptr (GVariant) all = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE ("(sstuuddduuauauauau)"),
                                                                           result->state, FALSE));
  char *fingerprint;

  g_variant_get_child (all, 1, "s", &fingerprint);
  mt_train_state_init (state, result->net->layout.n_params);
  g_assert_true (mt_train_state_from_bytes (state, result->state, fingerprint, NULL));
  return fingerprint;
}
