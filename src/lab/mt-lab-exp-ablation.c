/* A1, A2, A3: one setting at a time, by the method of the paper, on a data set of each task. The pruned model is the one that
 * the validation rows prefer; there is no second learning. */
#include "config.h"
#include "mt-lab-protocol.h"

#include <math.h>

#include "mt-lab-heatmap.h"

static const char * const sets[] = { "heart", "yeast", "abalone" };
static const guint all_bits[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12 };
static const guint all_fan_ins[] = { 2, 3, 4, 5, 6 }, all_nodes[] = { 5, 10, 20, 30, 40 };
static const double all_temperatures[] = { .001, .005, .01, .05, .1, .5, 1, 5 };

static gboolean
try (const MtLabJob     *job,
     const MtTable      *table,
     const MtLabSplit   *split,
     const MtLabSetting *setting,
     const char         *name,
     MtLabCells         *cells,
     GCancellable       *cancellable,
     GError            **error)
{
  MtLabScore score;

  if (!mt_lab_try_setting (job->dataset, table, split, setting, job->seed, &score, cancellable, error))
    return FALSE;
  mt_lab_cells_put (cells, score.quality, "quality", "%s, %s", job->dataset->name, name);
  mt_lab_cells_put (cells, score.literals, "literals", "%s, %s", job->dataset->name, name);
  return TRUE;
}

static char *
dup_name (const char *experiment,
          guint       a,
          guint       b)
{
  char number[MT_DECIMAL_SIZE];

  if (g_str_equal (experiment, "A1"))
    return g_strdup_printf ("%u thresholds", all_bits[a]);
  if (g_str_equal (experiment, "A3"))
    return g_strdup_printf ("temperature %s", mt_decimal_write (all_temperatures[a], number));
  return g_strdup_printf ("fan-in %u, %u nodes", all_fan_ins[a], all_nodes[b]);
}

static guint
count_first (const char *experiment)
{
  return g_str_equal (experiment, "A1") ? G_N_ELEMENTS (all_bits)
         : g_str_equal (experiment, "A2") ? G_N_ELEMENTS (all_fan_ins) : G_N_ELEMENTS (all_temperatures);
}

static guint
count_second (const char *experiment)
{
  return g_str_equal (experiment, "A2") ? G_N_ELEMENTS (all_nodes) : 1;
}

static gboolean
run (MtLabContext    *context,
     const MtLabJob  *job,
     MtLabCells      *cells,
     GCancellable    *cancellable,
     GError         **error)
{
  const char *experiment = job->experiment->name;
  g_autoptr (MtTable) table = mt_lab_dataset_ref_table (job->dataset, error);
  g_auto (MtLabSplit) split = { NULL };

  if (table == NULL || !mt_lab_split (table, job->seed, &split, error))
    return FALSE;
  for (guint a = 0; a < count_first (experiment); a++)
    for (guint b = 0; b < count_second (experiment); b++)
      {
        g_autofree char *name = dup_name (experiment, a, b);
        MtLabSetting setting = mt_lab_usual_setting;

        if (g_str_equal (experiment, "A1"))
          setting.bits = all_bits[a];
        else if (g_str_equal (experiment, "A3"))
          setting.temperature = all_temperatures[a];
        else
          {
            setting.fan_in = all_fan_ins[a];
            setting.nodes = all_nodes[b];
          }
        if (!try (job, table, &split, &setting, name, cells, cancellable, error))
          return FALSE;
      }
  return TRUE;
}

static void
list (MtLabContext          *context,
      const MtLabExperiment *experiment)
{
  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      MtLabDataset *dataset = mt_lab_datasets_find (context->datasets, sets[s]);

      for (guint seed = 0; dataset != NULL && seed < mt_lab_count_seeds (context, dataset); seed++)
        mt_lab_add_job (context, experiment, run, dataset, NULL, seed,
                        count_first (experiment->name) * count_second (experiment->name) * mt_lab_estimate (dataset),
                        "%s-%u", sets[s], seed);
    }
}

void
mt_lab_list_bits (MtLabContext          *context,
                  const MtLabExperiment *experiment)
{
  list (context, experiment);
}

void
mt_lab_list_fan_in (MtLabContext          *context,
                    const MtLabExperiment *experiment)
{
  list (context, experiment);
}

void
mt_lab_list_temperature (MtLabContext          *context,
                         const MtLabExperiment *experiment)
{
  list (context, experiment);
}

/* --- pictures --- */

static double
quality_of (GPtrArray  *means,
            const char *experiment,
            const char *set,
            guint       a,
            guint       b)
{
  g_autofree char *name = dup_name (experiment, a, b), *row = g_strdup_printf ("%s, %s", set, name);
  const MtLabMean *mean = mt_lab_means_find (means, row, "quality");

  return mean != NULL ? mean->mean : NAN;
}

static gboolean
draw_lines (MtLabContext           *context,
            const MtLabExperiment  *experiment,
            GPtrArray              *means,
            GError                **error)
{
  gboolean is_bits = g_str_equal (experiment->name, "A1");
  g_autoptr (MtChart) chart = mt_chart_new (is_bits ? "Thresholds per column" : "log10 of the temperature", NAN, NAN,
                                            "AUC or R²", NAN, NAN);
  double x[G_N_ELEMENTS (all_bits)], y[G_N_ELEMENTS (all_bits)];
  guint n = count_first (experiment->name);

  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      for (guint a = 0; a < n; a++)
        {
          x[a] = is_bits ? all_bits[a] : log10 (all_temperatures[a]);
          y[a] = quality_of (means, experiment->name, sets[s], a, 0);
        }
      if (!isnan (y[0]))
        mt_chart_add (chart, MT_CHART_DOTTED_LINE, sets[s], x, y, n);
    }
  return mt_lab_write_chart (context, is_bits ? "A1-thresholds" : "A3-temperature", chart, 420, 240, error);
}

static gboolean
draw_heatmap (MtLabContext           *context,
              const MtLabExperiment  *experiment,
              GPtrArray              *means,
              const char             *set,
              GError                **error)
{
  double values[G_N_ELEMENTS (all_fan_ins) * G_N_ELEMENTS (all_nodes)];
  char rows[G_N_ELEMENTS (all_fan_ins)][12], columns[G_N_ELEMENTS (all_nodes)][12];
  const char *row_names[G_N_ELEMENTS (all_fan_ins)], *column_names[G_N_ELEMENTS (all_nodes)];
  g_autofree char *name = g_strdup_printf ("A2-%s", set), *title = g_strdup_printf ("%s: AUC or R²", set);
  MtLabHeatmap map = { title, "Fan-in", "Nodes", row_names, column_names, G_N_ELEMENTS (all_fan_ins),
                       G_N_ELEMENTS (all_nodes), values };

  for (guint a = 0; a < map.n_rows; a++)
    {
      g_snprintf (rows[a], sizeof rows[a], "%u", all_fan_ins[a]);
      row_names[a] = rows[a];
      for (guint b = 0; b < map.n_columns; b++)
        values[a * map.n_columns + b] = quality_of (means, experiment->name, set, a, b);
    }
  for (guint b = 0; b < map.n_columns; b++)
    {
      g_snprintf (columns[b], sizeof columns[b], "%u", all_nodes[b]);
      column_names[b] = columns[b];
    }
  return isnan (values[0]) || mt_lab_write_heatmap (context, name, &map, error);
}

gboolean
mt_lab_finish_ablation (MtLabContext           *context,
                        const MtLabExperiment  *experiment,
                        MtLabCells             *cells,
                        GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);

  if (means->len == 0)
    return TRUE;
  if (!g_str_equal (experiment->name, "A2"))
    return draw_lines (context, experiment, means, error);
  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    if (!draw_heatmap (context, experiment, means, sets[s], error))
      return FALSE;
  return TRUE;
}
