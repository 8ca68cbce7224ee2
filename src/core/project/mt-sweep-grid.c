#include "config.h"
#include "mt-sweep.h"

#include <math.h>

#include "base/mt-error.h"
#include "base/mt-i18n-private.h"

static gboolean
check_counts (const char   *name,
              const guint  *values,
              guint         n,
              guint         low,
              guint         high,
              GError      **error)
{
  for (guint i = 0; i < n; i++)
    {
      if (values[i] < low || values[i] > high)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("%s must be between %u and %u, not %u"), name, low, high,
                       values[i]);
          return FALSE;
        }
      for (guint j = 0; j < i; j++)
        if (values[j] == values[i])
          {
            g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("%s has %u twice"), name, values[i]);
            return FALSE;
          }
    }
  if (n == 0)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("%s has no value"), name);
  return n > 0;
}

static gboolean
check_temperatures (const double  *values,
                    guint          n,
                    GError       **error)
{
  for (guint i = 0; i < n; i++)
    {
      if (!(values[i] >= 1e-6 && values[i] <= 100))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("the temperature must be between 0.000001 and 100"));
          return FALSE;
        }
      for (guint j = 0; j < i; j++)
        if (values[j] == values[i])
          {
            g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the temperature has a value twice"));
            return FALSE;
          }
    }
  if (n == 0)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the temperature has no value"));
  return n > 0;
}

gboolean
mt_sweep_grid_check (const MtSweepGrid  *grid,
                     GError            **error)
{
  double n_runs;

  g_return_val_if_fail (grid != NULL, FALSE);

  if (!check_counts ("bits", grid->bits, grid->n_bits, 1, MT_ENCODER_MAX_BITS, error) ||
      !check_counts ("nodes", grid->nodes, grid->n_nodes, 1, 10000, error) ||
      !check_counts ("fan-in", grid->fan_ins, grid->n_fan_ins, 1, MT_REFINE_MAX_INPUTS, error) ||
      !check_temperatures (grid->temperatures, grid->n_temperatures, error))
    return FALSE;
  n_runs = (double) grid->n_bits * grid->n_nodes * grid->n_fan_ins * grid->n_temperatures * grid->n_seeds;
  if (grid->n_seeds >= 1 && n_runs <= MT_SWEEP_MAX_RUNS)
    return TRUE;
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
               _("a sweep has 1 to %u runs, not %.0f; give fewer values or seeds"),
               MT_SWEEP_MAX_RUNS, n_runs);
  return FALSE;
}

guint
mt_sweep_grid_count (const MtSweepGrid *grid)
{
  g_return_val_if_fail (grid != NULL, 0);

  return grid->n_bits * grid->n_nodes * grid->n_fan_ins * grid->n_temperatures * grid->n_seeds;
}

void
mt_sweep_grid_get (const MtSweepGrid *grid,
                   guint              index,
                   MtSweepSetting    *setting,
                   guint64           *seed)
{
  g_return_if_fail (grid != NULL && index < mt_sweep_grid_count (grid));

  *seed = grid->seed + index % grid->n_seeds;
  index /= grid->n_seeds;
  setting->temperature = grid->temperatures[index % grid->n_temperatures];
  index /= grid->n_temperatures;
  setting->fan_in = grid->fan_ins[index % grid->n_fan_ins];
  index /= grid->n_fan_ins;
  setting->nodes = grid->nodes[index % grid->n_nodes];
  setting->bits = grid->bits[index / grid->n_nodes];
}
