/* The combinations of a sweep: counting them, the settings of each, and the grid in a project. */
#include "config.h"
#include "mt-sweep.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-json-cursor.h"

void
mt_sweep_grid_init_paper (MtSweepGrid *grid)
{
  *grid = (MtSweepGrid) {
    .bits = { 4, 5, 6 }, .n_bits = 3,
    .nodes = { 1, 20, 30, 40, 50 }, .n_nodes = 5,
    .temperature = { .001, .01, .05 }, .n_temperature = 3,
    .n_seeds = 5,
  };
}

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
            g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("%s contains %u twice"), name, values[i]);
            return FALSE;
          }
    }
  return TRUE;
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
                       _("temperature must be between 0.000001 and 100"));
          return FALSE;
        }
      for (guint j = 0; j < i; j++)
        if (values[j] == values[i])
          {
            g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("temperature contains a value twice"));
            return FALSE;
          }
    }
  return TRUE;
}

gboolean
mt_sweep_grid_check (const MtSweepGrid  *grid,
                     GError            **error)
{
  double n_runs;

  g_return_val_if_fail (grid != NULL, FALSE);

  if (!check_counts ("bits", grid->bits, grid->n_bits, 1, MT_ENCODER_MAX_BITS, error) ||
      !check_counts ("nodes", grid->nodes, grid->n_nodes, 1, 10000, error) ||
      !check_counts ("fan-in", grid->fan_in, grid->n_fan_in, 1, MT_REFINE_MAX_INPUTS, error) ||
      !check_temperatures (grid->temperature, grid->n_temperature, error))
    return FALSE;
  n_runs = (double) MAX (grid->n_bits, 1) * MAX (grid->n_nodes, 1) * MAX (grid->n_fan_in, 1) *
           MAX (grid->n_temperature, 1) * MAX (grid->n_seeds, 1);
  if (n_runs <= MT_SWEEP_MAX_RUNS)
    return TRUE;
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
               _("a sweep can have 1 to %u runs, not %.0f; use fewer values or seeds"),
               MT_SWEEP_MAX_RUNS, n_runs);
  return FALSE;
}

gboolean
mt_sweep_grid_equal (const MtSweepGrid *a,
                   const MtSweepGrid *b)
{
  return a->n_bits == b->n_bits && memcmp (a->bits, b->bits, a->n_bits * sizeof *a->bits) == 0 &&
         a->n_nodes == b->n_nodes && memcmp (a->nodes, b->nodes, a->n_nodes * sizeof *a->nodes) == 0 &&
         a->n_fan_in == b->n_fan_in && memcmp (a->fan_in, b->fan_in, a->n_fan_in * sizeof *a->fan_in) == 0 &&
         a->n_temperature == b->n_temperature &&
         memcmp (a->temperature, b->temperature, a->n_temperature * sizeof *a->temperature) == 0 &&
         MAX (a->n_seeds, 1) == MAX (b->n_seeds, 1);
}

guint
mt_sweep_grid_count (const MtSweepGrid *grid)
{
  return MAX (grid->n_bits, 1) * MAX (grid->n_nodes, 1) * MAX (grid->n_fan_in, 1) * MAX (grid->n_temperature, 1) *
         MAX (grid->n_seeds, 1);
}

/* The digit of @index in base @n, at least 1, which is taken off. */
static guint
take_digit (guint *index,
            guint  n)
{
  guint digit = *index % MAX (n, 1);

  *index /= MAX (n, 1);
  return digit;
}

void
mt_sweep_grid_get (const MtSweepGrid     *grid,
                 const MtRunSettings *base,
                 guint                index,
                 MtRunSettings       *settings)
{
  guint seed = take_digit (&index, grid->n_seeds), temperature = take_digit (&index, grid->n_temperature);
  guint fan_in = take_digit (&index, grid->n_fan_in), nodes = take_digit (&index, grid->n_nodes);
  guint bits = take_digit (&index, grid->n_bits);

  *settings = *base;
  settings->seed += seed;
  if (grid->n_temperature > 0)
    settings->temperature = grid->temperature[temperature];
  if (grid->n_fan_in > 0)
    settings->fan_in = grid->fan_in[fan_in];
  if (grid->n_nodes > 0)
    settings->nodes = grid->nodes[nodes];
  if (grid->n_bits > 0)
    settings->bits = grid->bits[bits];
}

void
mt_sweep_grid_settle (MtSweepGrid   *grid,
                      MtRunSettings *base)
{
  if (grid->n_bits == 1)
    base->bits = grid->bits[0];
  if (grid->n_nodes == 1)
    base->nodes = grid->nodes[0];
  if (grid->n_fan_in == 1)
    base->fan_in = grid->fan_in[0];
  if (grid->n_temperature == 1)
    base->temperature = grid->temperature[0];
  grid->n_bits = grid->n_bits == 1 ? 0 : grid->n_bits;
  grid->n_nodes = grid->n_nodes == 1 ? 0 : grid->n_nodes;
  grid->n_fan_in = grid->n_fan_in == 1 ? 0 : grid->n_fan_in;
  grid->n_temperature = grid->n_temperature == 1 ? 0 : grid->n_temperature;
}

void
mt_sweep_grid_adjust_base (const MtSweepGrid *grid,
                           MtRunSettings     *base)
{
  if (grid->n_nodes > 1 || grid->n_temperature > 1)
    base->restarts = MAX (base->restarts, 1);
}

static const guint *
find_counts (const MtSweepGrid *grid,
             const MtSetting   *setting,
             const guint      **n)
{
  if (g_str_equal (setting->name, "bits"))
    return *n = &grid->n_bits, grid->bits;
  if (g_str_equal (setting->name, "nodes"))
    return *n = &grid->n_nodes, grid->nodes;
  if (g_str_equal (setting->name, "fan_in"))
    return *n = &grid->n_fan_in, grid->fan_in;
  *n = &grid->n_temperature;
  return NULL;
}

guint
mt_sweep_grid_get_axis (const MtSweepGrid   *grid,
                        const MtSetting     *setting,
                        const MtRunSettings *base,
                        double              *values)
{
  const guint *n;
  const guint *counts = find_counts (grid, setting, &n);

  g_return_val_if_fail (setting->is_axis, 0);

  for (guint i = 0; i < *n; i++)
    values[i] = counts != NULL ? counts[i] : grid->temperature[i];
  if (*n == 0)
    values[0] = mt_setting_get_value (setting, base);
  return MAX (*n, 1);
}

void
mt_sweep_grid_set_axis (MtSweepGrid     *grid,
                        const MtSetting *setting,
                        const double    *values,
                        guint            n)
{
  const guint *n_now;
  guint *counts = (guint *) find_counts (grid, setting, &n_now);

  g_return_if_fail (setting->is_axis && n <= MT_SWEEP_MAX_VALUES);

  *(guint *) n_now = n;
  for (guint i = 0; i < n; i++)
    if (counts != NULL)
      counts[i] = (guint) values[i];
    else
      grid->temperature[i] = values[i];
}

static void
write_counts (MtJsonWriter *json,
              const char   *name,
              const guint  *values,
              guint         n)
{
  mt_json_writer_key (json, name);
  mt_json_writer_begin_row (json);
  for (guint i = 0; i < n; i++)
    mt_json_writer_integer (json, values[i]);
  mt_json_writer_end_array (json);
}

static void
write_grid (const MtSweepGrid *grid,
          MtJsonWriter    *json)
{
  mt_json_writer_begin_object (json);
  write_counts (json, "bits", grid->bits, grid->n_bits);
  write_counts (json, "nodes", grid->nodes, grid->n_nodes);
  write_counts (json, "fan_in", grid->fan_in, grid->n_fan_in);
  mt_json_writer_key (json, "temperature");
  mt_json_writer_begin_row (json);
  for (guint i = 0; i < grid->n_temperature; i++)
    mt_json_writer_number (json, grid->temperature[i]);
  mt_json_writer_end_array (json);
  mt_json_writer_key (json, "seeds");
  mt_json_writer_integer (json, MAX (grid->n_seeds, 1));
  mt_json_writer_end_object (json);
}

gboolean
mt_sweep_grid_keep (MtProject            *project,
                    const MtRunSettings  *base,
                    const MtSweepGrid    *grid,
                    GError              **error)
{
  g_autofree char *settings = NULL;
  g_autofree char *values = NULL;
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_run_settings_write (base, json);
  mt_json_writer_end_object (json);
  settings = mt_json_writer_finish (json, NULL);
  json = mt_json_writer_new ();
  write_grid (grid, json);
  values = mt_json_writer_finish (json, NULL);
  return mt_project_set_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_MODEL, settings, error) &&
         mt_project_set_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_GRID, values, error);
}

static gboolean
read_counts (const MtJsonCursor *place,
             const char        *name,
             guint              limit,
             guint             *values,
             guint             *n)
{
  g_autofree guint *read = NULL;

  if (!mt_json_read_integers (place, name, MT_SWEEP_MAX_VALUES, limit, &read, n, NULL))
    return FALSE;
  for (guint i = 0; i < *n; i++)
    values[i] = MAX (read[i], 1);
  return TRUE;
}

gboolean
mt_sweep_grid_read (MtSweepGrid    *grid,
                  const MtJson *json)
{
  MtJsonCursor place = mt_json_cursor_root (json);
  MtSweepGrid read = { .n_seeds = 1 };
  g_autofree double *temperatures = NULL;
  guint64 seeds;

  if (mt_json_get_kind (json) != MT_JSON_OBJECT || !read_counts (&place, "bits", 250, read.bits, &read.n_bits) ||
      !read_counts (&place, "nodes", 10000, read.nodes, &read.n_nodes) ||
      !read_counts (&place, "fan_in", MT_REFINE_MAX_INPUTS, read.fan_in, &read.n_fan_in) ||
      !mt_json_read_numbers (&place, "temperature", MT_SWEEP_MAX_VALUES, &temperatures, &read.n_temperature, NULL) ||
      !mt_json_read_integer (&place, "seeds", 1000, &seeds, NULL))
    return FALSE;
  for (guint i = 0; i < read.n_temperature; i++)
    read.temperature[i] = CLAMP (temperatures[i], 1e-6, 100);
  read.n_seeds = (guint) MAX (seeds, 1);
  *grid = read;
  return TRUE;
}
