/* F1 and P: every model seen on the way, quality on the test rows against literals: the grid of the paper's method, the default,
 * a tree and a linear model, the paper's figures; and a second picture with the results of other methods that were run elsewhere
 * (mt-results.h). F1 is the paper's first figure, P its grids of all data sets. */
#include "config.h"
#include "mt-lab-protocol.h"

#include <math.h>
#include <string.h>

#define ZONE        50
#define SMALL_ROWS  5000     /* P: larger sets only with --full */
#define MOST        3000.0   /* literals that are shown … */
#define DEPTH       .3       /* … and how far below the best */
#define FIRST_OTHER 4        /* the marks before are of our own series */
#define OWN_NAME    "Minterm" /* what bench/peers calls us */

/* Their order is that of the colors and shapes. */
enum { SERIES_PAPER, SERIES_DEFAULT, SERIES_TREE, SERIES_OTHERS };

static gboolean
is_of_first_figure (const char *set)
{
  return g_str_equal (set, "diabetes") || g_str_equal (set, "heart");
}

static void
put_point (MtLabCells *cells,
           const char *set,
           guint       which,
           double      literals,
           double      quality)
{
  g_autofree char *size = g_strdup_printf (".%u literals", which), *value = g_strdup_printf (".%u quality", which);
  guint n = mt_lab_cells_count (cells);

  mt_lab_cells_put (cells, literals, size, "%s %u", set, n);
  mt_lab_cells_put (cells, quality, value, "%s %u", set, n);
}

static gboolean
put_frontier (MtLabCells       *cells,
              const char       *set,
              guint             which,
              const MtLearned  *learned,
              const MtTable    *table,
              const MtLabSplit *split,
              guint            *n,
              GError          **error)
{
  for (guint i = 0; i < mt_frontier_get_n_points (learned->frontier); i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (learned->frontier, i);
      g_autoptr (GError) local = NULL;
      double quality = mt_lab_score (learned, table, split->test, point->rules, &local);

      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (point->complexity > 1 && !isnan (quality))
        put_point (cells, set, which, point->complexity, quality);
      (*n)++;
    }
  return TRUE;
}

static gboolean
put_baselines (MtLabCells       *cells,
               MtLabDataset     *dataset,
               const MtTable    *table,
               const MtLabSplit *split,
               guint             seed,
               GCancellable     *cancellable,
               GError          **error)
{
  const MtBaselineTest test = { table, (const guint32 *) (gpointer) split->test->data, split->test->len };
  static const guint sizes[] = { 5, 10, 20, 30, 50, 80, 120 };
  g_autoptr (MtBaselines) baselines = NULL;
  MtLearnOptions options;
  MtBaseline baseline;

  mt_learn_options_init (&options);
  options.task = &dataset->task;
  options.seed = seed;
  options.encoder.n_threads = 1;
  options.frontier.n_folds = 0;
  baselines = mt_baselines_run (table, (const guint32 *) (gpointer) split->dev->data, split->dev->len, &options, &test, NULL,
                                NULL, NULL, cancellable, error);
  if (baselines == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      mt_baselines_get (baselines, MT_BASELINE_TREE, sizes[i], &baseline);
      if (baseline.literals > 1)
        put_point (cells, dataset->name, SERIES_TREE, baseline.literals, baseline.test);
    }
  for (MtBaselineKind kind = 0; kind < MT_N_BASELINES; kind++)
    {
      static const char * const names[] = { "intercept", "linear", "tree", "boosted trees" };

      mt_baselines_get (baselines, kind, ZONE, &baseline);
      mt_lab_cells_put (cells, baseline.test, names[kind], "%s, test", dataset->name);
      if (kind == MT_BASELINE_LINEAR && baseline.literals > 1)
        put_point (cells, dataset->name, SERIES_OTHERS, baseline.literals, baseline.test);
    }
  return TRUE;
}

static gboolean
run_scatter (MtLabContext    *context,
             const MtLabJob  *job,
             MtLabCells      *cells,
             GCancellable    *cancellable,
             GError         **error)
{
  g_autoptr (MtTable) table = mt_lab_dataset_ref_table (job->dataset, error);
  g_autoptr (GArray) grid = mt_lab_make_grid (context->options->is_full);
  g_auto (MtLabSplit) split = { NULL };
  guint n[2] = { 0, 0 };

  if (table == NULL || !mt_lab_split (table, job->seed, &split, error))
    return FALSE;
  for (guint s = 0; s <= grid->len; s++)
    {
      const MtLabSetting *setting = s < grid->len ? &g_array_index (grid, MtLabSetting, s) : NULL;
      g_autoptr (MtLearned) learned = mt_lab_learn (job->dataset, table, split.dev, setting, job->seed, cancellable, error);
      guint which = setting != NULL ? SERIES_PAPER : SERIES_DEFAULT;

      if (learned == NULL || !put_frontier (cells, job->dataset->name, which, learned, table, &split, &n[which], error))
        return FALSE;
    }
  mt_lab_cells_put (cells, n[SERIES_PAPER], "models, as in the paper", "%s", job->dataset->name);
  mt_lab_cells_put (cells, n[SERIES_DEFAULT], "models, default", "%s", job->dataset->name);
  return put_baselines (cells, job->dataset, table, &split, job->seed, cancellable, error);
}

void
mt_lab_list_scatter (MtLabContext          *context,
                     const MtLabExperiment *experiment)
{
  gboolean is_first = g_str_equal (experiment->name, "F1");

  for (guint d = 0; d < context->datasets->len; d++)
    {
      MtLabDataset *dataset = context->datasets->pdata[d];

      if (is_of_first_figure (dataset->name) == is_first &&
          (is_first || context->options->is_full || dataset->n_rows < SMALL_ROWS))
        mt_lab_add_job (context, experiment, run_scatter, dataset, NULL, 0,
                        (context->options->is_full ? 60 : 20) * mt_lab_estimate (dataset), "%s-%s", dataset->name,
                        context->options->is_full ? "whole-grid" : "small-grid");
    }
}

/* --- the picture --- */

typedef struct {
  GArray    *points;        /* of MtPlotPoint */
  GArray    *legend;        /* of MtPlotLegendEntry */
  GArray    *benchmarks;    /* of MtPlotBenchmark */
} Scatter;

static void
scatter_clear (Scatter *self)
{
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->legend, g_array_unref);
  g_clear_pointer (&self->benchmarks, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scatter, scatter_clear)

static void
add_legend (Scatter    *self,
            guint       series,
            const char *label)
{
  const MtPlotLegendEntry entry = { series, label };

  for (guint i = 0; i < self->legend->len; i++)
    if (g_array_index (self->legend, MtPlotLegendEntry, i).series == series)
      return;
  g_array_append_val (self->legend, entry);
}

/* Ours, from the cells. */
static void
add_own (Scatter    *self,
         GPtrArray  *means,
         const char *set)
{
  static const char * const labels[] = { "as in the paper", "default", "tree", "linear model" };
  g_autofree char *prefix = g_strconcat (set, " ", NULL);

  for (guint i = 0; i < means->len; i++)
    {
      const MtLabMean *mean = means->pdata[i], *quality;
      MtPlotPoint point = { 0, 0, NAN, 0 };
      g_autofree char *column = NULL;

      if (!g_str_has_prefix (mean->row, prefix) || mean->column[0] != '.' || !g_str_has_suffix (mean->column, " literals"))
        continue;
      point.series = (guint) (mean->column[1] - '0');
      column = g_strdup_printf (".%u quality", point.series);
      quality = mt_lab_means_find (means, mean->row, column);
      if (point.series >= G_N_ELEMENTS (labels) || quality == NULL)
        continue;        /* of a file that was changed */
      point.literals = mean->mean;
      point.quality = quality->mean;
      g_array_append_val (self->points, point);
      add_legend (self, point.series, labels[point.series]);
    }
}

/* The paper's columns as hollow marks; its black box as a line. */
static void
add_paper (Scatter    *self,
           const char *set)
{
  MtPlotBenchmark box = { NAN, "TabM, the paper's figure", TRUE };
  MtLabPaperRow row;

  if (!mt_lab_paper_find_row (set, &row))
    return;
  for (guint m = 0; m < mt_lab_paper_count_ranked (&row); m++)
    {
      guint series = MT_PLOT_SERIES_APART | (m == 0 ? SERIES_PAPER : SERIES_OTHERS);
      const MtPlotPoint point = { row.results[m].literals.value, row.results[m].quality.value, row.results[m].quality.se, series };

      if (isnan (point.literals) || isnan (point.quality))
        continue;
      g_array_append_val (self->points, point);
      add_legend (self, series, m == 0 ? "TT-Sparse, the paper's figure" : "other methods, the paper's figures");
    }
  box.quality = row.results[row.n_methods - 1].quality.value;
  g_array_append_val (self->benchmarks, box);
}

/* Methods that were run elsewhere: hollow marks, and the best of those without literals as a line. */
static void
add_others (Scatter   *self,
            GPtrArray *results)
{
  g_autoptr (GPtrArray) methods = g_ptr_array_new ();
  const MtResult *best = NULL;

  for (guint i = 0; i < results->len; i++)
    {
      const MtResult *result = results->pdata[i];
      MtPlotPoint point = { result->literals, result->score, result->error, SERIES_DEFAULT };
      guint which;

      if (isnan (result->literals))
        {
          best = best == NULL || result->score > best->score ? result : best;
          continue;
        }
      if (!g_str_equal (result->method, OWN_NAME))
        {
          if (!g_ptr_array_find_with_equal_func (methods, result->method, g_str_equal, &which))
            {
              which = methods->len;
              g_ptr_array_add (methods, result->method);
            }
          point.series = MT_PLOT_SERIES_OTHER | (FIRST_OTHER + which);
          point.error = NAN;
        }
      g_array_append_val (self->points, point);
      add_legend (self, point.series, result->method);
    }
  if (best != NULL)
    g_array_append_vals (self->benchmarks, &(MtPlotBenchmark) { best->score, best->method, FALSE }, 1);
}

/* The best, and not so far below it that all others would be pressed together. */
static void
set_range (MtPlotSpec *spec)
{
  double low = INFINITY, high = -INFINITY, right = ZONE;

  for (guint i = 0; i < spec->n_points; i++)
    {
      low = fmin (low, spec->points[i].quality);
      high = fmax (high, spec->points[i].quality);
      right = fmax (right, spec->points[i].literals);
    }
  for (guint i = 0; i < spec->n_benchmarks; i++)
    high = fmax (high, spec->benchmarks[i].quality);
  low = fmax (low, high - DEPTH);
  spec->y_low = low - .04 * (high - low) - 1e-3;
  spec->y_high = fmin (high + .06 * (high - low) + 1e-3, 1);
  spec->x_low = 1;
  spec->x_high = fmin (1.3 * right, MOST);
}

static gboolean
draw (MtLabContext        *context,
      const char          *name,
      const Scatter       *scatter,
      const MtLabDataset  *dataset,
      GError             **error)
{
  g_autofree char *file = g_strconcat (name, ".svg", NULL);
  g_autofree char *path = g_build_filename (context->options->out, file, NULL);
  MtPlotPalette palette;
  MtPlotSpec spec;

  mt_plot_spec_init (&spec);
  mt_plot_palette_init (&palette, FALSE, FALSE);
  spec.points = (const MtPlotPoint *) (gpointer) scatter->points->data;
  spec.n_points = scatter->points->len;
  spec.benchmarks = (const MtPlotBenchmark *) (gpointer) scatter->benchmarks->data;
  spec.n_benchmarks = scatter->benchmarks->len;
  spec.log = TRUE;
  spec.zone = ZONE;
  spec.zone_label = "up to 50 literals";
  spec.x_title = "Literals";
  spec.title = dataset->task == MT_TASK_REGRESSION ? "R² on test rows" : "AUC on test rows";
  spec.subtitle = dataset->name;
  spec.legend = (const MtPlotLegendEntry *) (gpointer) scatter->legend->data;
  spec.n_legend = scatter->legend->len;
  set_range (&spec);
  return mt_plot_export (&spec, 640, 420, &palette, MT_PICTURE_SVG, 1, path, error);
}

static void
scatter_init (Scatter *self)
{
  self->points = g_array_new (FALSE, FALSE, sizeof (MtPlotPoint));
  self->legend = g_array_new (FALSE, FALSE, sizeof (MtPlotLegendEntry));
  self->benchmarks = g_array_new (FALSE, FALSE, sizeof (MtPlotBenchmark));
}

static gboolean
draw_own (MtLabContext        *context,
          const char          *experiment,
          GPtrArray           *means,
          const MtLabDataset  *dataset,
          GError             **error)
{
  g_auto (Scatter) scatter = { NULL };
  g_autofree char *name = g_strdup_printf ("%s-%s", experiment, dataset->name);
  g_autofree char *row = g_strdup_printf ("%s, test", dataset->name);
  const MtLabMean *boosted = mt_lab_means_find (means, row, "boosted trees");

  scatter_init (&scatter);
  add_own (&scatter, means, dataset->name);
  if (scatter.points->len == 0)
    return TRUE;
  add_paper (&scatter, dataset->name);
  if (boosted != NULL)
    g_array_append_vals (scatter.benchmarks, &(MtPlotBenchmark) { boosted->mean, "boosted trees", FALSE }, 1);
  return draw (context, name, &scatter, dataset, error);
}

/* A picture of its own: they are on other rows, and heart's AUC alone differs by .05 from one split to the next. */
static gboolean
draw_others (MtLabContext        *context,
             const char          *experiment,
             const MtLabDataset  *dataset,
             GError             **error)
{
  g_auto (Scatter) scatter = { NULL };
  g_autofree char *name = g_strdup_printf ("%s-%s-peers", experiment, dataset->name);
  g_autofree char *csv = g_strconcat (dataset->name, ".csv", NULL);
  g_autofree char *place = g_build_filename (context->options->peers, csv, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (place);
  g_autoptr (GPtrArray) results = NULL;

  if (!g_file_query_exists (file, NULL))
    return TRUE;
  results = mt_results_read (file, NULL, error);
  if (results == NULL)
    {
      g_prefix_error (error, "%s: ", place);
      return FALSE;
    }
  scatter_init (&scatter);
  add_others (&scatter, results);
  return scatter.points->len == 0 || draw (context, name, &scatter, dataset, error);
}

gboolean
mt_lab_finish_scatter (MtLabContext           *context,
                       const MtLabExperiment  *experiment,
                       MtLabCells             *cells,
                       GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);
  gboolean is_first = g_str_equal (experiment->name, "F1");

  for (guint d = 0; d < context->datasets->len; d++)
    {
      const MtLabDataset *dataset = context->datasets->pdata[d];

      if (is_of_first_figure (dataset->name) != is_first)
        continue;
      if (!draw_own (context, experiment->name, means, dataset, error))
        return FALSE;
      if (context->options->peers != NULL && !draw_others (context, experiment->name, dataset, error))
        return FALSE;
    }
  return TRUE;
}
