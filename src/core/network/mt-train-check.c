/* What a training must be given: every setting is judged before a thread starts. */
#include "config.h"
#include "mt-train-private.h"

#include <math.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define MAX_NODES        10000
#define MAX_DEEP_WEIGHTS (1 << 25)     /* of all hidden layers together: 128 MB, three times over */

/* The defaults; docs/method.md says how they were chosen. */
void
mt_train_options_init (MtTrainOptions *options)
{
  *options = (MtTrainOptions) {
    .n_nodes = 30,
    .fan_in = 5,
    .node = MT_NODE_STANDARD,
    .head = MT_LINEAR_FIT_LITERALS,
    .start = MT_START_SCAN,
    .temperature = 0.01,
    .divide_by_tau = TRUE,
    .batch = MT_BATCH_AUTO,
    .learning_rate = 0.01,
    .weight_decay = 3e-4,
    .clip = 1.0,
    .max_epochs = 200,
    .patience = 20,
    .plateau = 5,
    .validation = 0.2,
  };
}

/* Setting by setting; each message names the setting and its range. Comparisons are written so that
 * NaN fails them (!(x > 0)). */
static gboolean
check_settings (const MtTrainOptions *options,
                guint                 n_literals,
                GError              **error)
{
  guint most = options->node == MT_NODE_DEEP ? MT_NET_MAX_FAN_IN_DEEP : MT_NET_MAX_FAN_IN;

  if (options->n_nodes < 1 || options->n_nodes > MAX_NODES)
    return mt_refuse (error, MT_ERROR_PARAMS, _("nodes must be between 1 and %d, not %u"),
                      MAX_NODES, options->n_nodes);
  if (n_literals == 0)
    return mt_refuse (error, MT_ERROR_PARAMS, _("there is nothing to learn from: no column can be turned into "
                                                "conditions"));
  if (options->fan_in < 1 || options->fan_in > MIN (most, n_literals))
    return mt_refuse (error, MT_ERROR_PARAMS, n_literals < most
                             ? _("fan-in must be between 1 and %u (the number of conditions), not %u")
                             : _("fan-in must be between 1 and %u, not %u"), MIN (most, n_literals), options->fan_in);
  if (options->node == MT_NODE_DEEP &&
      (double) options->n_nodes * n_literals * (1 << options->fan_in) > MAX_DEEP_WEIGHTS)
    return mt_refuse (error, MT_ERROR_PARAMS,
                      _("deep nodes × conditions × 2^fan-in must not exceed %d; use fewer nodes, a smaller "
                        "fan-in, or fewer bits"), MAX_DEEP_WEIGHTS);
  if (!(options->temperature > 0.0 && options->temperature <= 100.0))
    return mt_refuse (error, MT_ERROR_PARAMS, _("temperature must be above 0 and at most 100, not %g"),
                      options->temperature);
  if (options->batch != MT_BATCH_AUTO && (options->batch < 1 || options->batch > 1 << 20))
    return mt_refuse (error, MT_ERROR_PARAMS, _("batch must be between 1 and 1048576, not %d"), options->batch);
  if (!(options->learning_rate > 0.0 && options->learning_rate <= 1.0))
    return mt_refuse (error, MT_ERROR_PARAMS, _("learning rate must be above 0 and at most 1, not %g"),
                      options->learning_rate);
  if (!(options->weight_decay >= 0.0 && options->weight_decay <= 1.0))
    return mt_refuse (error, MT_ERROR_PARAMS, _("weight decay must be between 0 and 1, not %g"),
                      options->weight_decay);
  if (!(options->clip >= 0.0 && isfinite (options->clip)))
    return mt_refuse (error, MT_ERROR_PARAMS, _("gradient clip must be 0 (none) or above, not %g"), options->clip);
  if (options->max_epochs < 1 || options->max_epochs > 1000000)
    return mt_refuse (error, MT_ERROR_PARAMS, _("epochs must be between 1 and 1000000, not %u"), options->max_epochs);
  if (options->patience < 1)
    return mt_refuse (error, MT_ERROR_PARAMS, _("patience must be at least 1 epoch"));
  if (options->plateau < 1)
    return mt_refuse (error, MT_ERROR_PARAMS, _("plateau must be at least 1 epoch"));
  if (!(options->validation >= 0.0 && options->validation <= 0.5))
    return mt_refuse (error, MT_ERROR_PARAMS, _("validation share must be between 0 and 0.5, not %g"),
                      options->validation);
  if (options->n_threads > 1024)
    return mt_refuse (error, MT_ERROR_PARAMS, _("threads must be between 1 and 1024, or 0 for all, not %u"),
                      options->n_threads);
  return TRUE;
}

/* A class with a single row could be in the training rows or in the validation rows, never in both:
 * such a target is refused. Also each class number is checked here, since arrays are indexed by it
 * later. */
static gboolean
check_classes (const MtTrainData *data,
               gsize              n_rows,
               GError           **error)
{
  g_autofree gsize *counts = NULL;
  guint n_present = 0;

  if (data->task == MT_TASK_BINARY ? data->n_classes != 2 : data->n_classes < 2 || data->n_classes > 1000)
    return mt_refuse (error, MT_ERROR_PARAMS, data->task == MT_TASK_BINARY ? _("classes must be 2, not %u")
                                                          : _("classes must be between 2 and 1000, not %u"),
                      data->n_classes);
  counts = g_new0 (gsize, data->n_classes);
  for (gsize i = 0; i < n_rows; i++)
    {
      gsize r = data->rows != NULL ? data->rows[i] : i;

      if (data->classes[r] >= data->n_classes)
        return mt_refuse (error, MT_ERROR_PARAMS, _("row %zu: class %u is not below the number of classes, %u"), r,
                          data->classes[r], data->n_classes);
      counts[data->classes[r]]++;
    }
  for (guint c = 0; c < data->n_classes; c++)
    n_present += counts[c] > 0;
  if (n_present < 2)
    return mt_refuse (error, MT_ERROR_PARAMS, _("the target has only one class; at least 2 are required"));
  for (guint c = 0; c < data->n_classes; c++)
    if (counts[c] == 1)
      return mt_refuse (error, MT_ERROR_PARAMS, _("class %u of the target has 1 row; a class needs at least 2"), c);
  return TRUE;
}

static gboolean
check_values (const MtTrainData *data,
              gsize              n_rows,
              GError           **error)
{
  const double *values = data->values;
  gsize first = data->rows != NULL ? data->rows[0] : 0;
  gboolean varies = FALSE;

  for (gsize i = 0; i < n_rows; i++)
    {
      gsize r = data->rows != NULL ? data->rows[i] : i;

      if (!isfinite (values[r]))
        return mt_refuse (error, MT_ERROR_PARAMS, _("row %zu: the target is not a finite number"), r);
      varies = varies || values[r] != values[first];
    }
  if (!varies)
    return mt_refuse (error, MT_ERROR_PARAMS, _("the target has only one value; at least 2 are required"));
  return TRUE;
}

/* Everything that could go wrong later with a worse message. One pass over the target and over all
 * numbers: numbers must also be finite as floats, in which training calculates. */
gboolean
mt_train_check (const MtTrainData    *data,
                const MtTrainOptions *options,
                GError              **error)
{
  gsize n_rows = mt_train_data_get_n_rows (data);
  const MtBackendOps *ops;

  if (!check_settings (options, mt_encoded_get_n_literals (data->encoded), error))
    return FALSE;
  if (n_rows < 2 || n_rows > G_MAXINT32)
    return mt_refuse (error, MT_ERROR_PARAMS, _("rows must be between 2 and %d, not %zu"), G_MAXINT32, n_rows);
  if (data->task == MT_TASK_REGRESSION ? !check_values (data, n_rows, error)
                                       : !check_classes (data, n_rows, error))
    return FALSE;
  for (guint u = 0; u < mt_encoded_get_n_numeric (data->encoded); u++)
    for (gsize r = 0; r < mt_encoded_get_n_rows (data->encoded); r++)
      if (!isfinite ((float) mt_encoded_get_numeric (data->encoded, u)[r]))
        return mt_refuse (error, MT_ERROR_PARAMS, _("numeric column %u, row %zu: not a finite number"), u, r);
  ops = mt_backend_find (options->device, error);
  return ops != NULL;
}
