/* T6: four ways to few inputs a node, over λ. A4: soft top-k against slots. A5: with and without the skip connection. All in
 * the reference network. */
#include "config.h"
#include "mt-lab-private.h"

#include <math.h>
#include <string.h>

#include "mt-lab-net.h"

#define BITS        5
#define MOST_ROUNDS 40
#define PAIR_ROWS  1500     /* A4 and A5: larger sets only with --full */

typedef struct {
  const char   *name;
  MtLabRoute    route;
  MtLabSparsify how;
  gboolean      is_pruned;     /* in rounds after the training, the best one by the validation rows */
} Way;

static const Way ways[] = {
  { "TT-Sparse", MT_LAB_ROUTE_SOFT, MT_LAB_SPARSIFY_AS_IS },
  { "FC + L0", MT_LAB_ROUTE_L0, MT_LAB_SPARSIFY_AS_IS },
  { "FC + L1 + prune", MT_LAB_ROUTE_FULL, MT_LAB_SPARSIFY_PRUNE },
  { "magnitude TopK", MT_LAB_ROUTE_FULL, MT_LAB_SPARSIFY_LARGEST },
  { "TT-Sparse with its pruning", MT_LAB_ROUTE_SOFT, MT_LAB_SPARSIFY_AS_IS, TRUE },
};

static const char * const sets[] = { "heart", "diabetes", "yeast", "abalone" };
static const double all_lambdas[] = { 0, .003, .01, .03, .1, .3, 1, 3, 10 }, some_lambdas[] = { 0, .03, .3, 3, 10 };

/* Rounds of pruning until nothing is left; @best: without any, and then the best. */
static gboolean
prune (MtLabNet         *net,
       const MtLabBits  *bits,
       const MtLabInput *train,
       const MtLabInput *valid,
       gboolean          with_skip,
       MtLabExtract     *best,
       GCancellable     *cancellable,
       GError          **error)
{
  MtLabExtract now = *best;

  for (guint r = 0; r < MOST_ROUNDS && now.literals > 1; r++)
    {
      if (!mt_lab_net_prune (net, train, valid, cancellable, error) ||
          !mt_lab_net_extract (net, bits, with_skip, &now, cancellable, error))
        return FALSE;
      if (now.is_extractable && (isnan (best->valid) || now.valid >= best->valid))
        *best = now;
    }
  return TRUE;
}

/* Trains one network and makes rules of it. */
static gboolean
learn (const MtLabBits       *bits,
       const MtLabNetOptions *options,
       MtLabSparsify          how,
       gboolean               is_pruned,
       gboolean               with_skip,
       MtLabExtract          *extract,
       GCancellable          *cancellable,
       GError               **error)
{
  g_auto (MtLabInput) train = { 0 }, valid = { 0 };
  g_autoptr (MtLabNet) net = NULL, fixed = NULL;
  double centre = 0, scale = 1, square = 0;

  mt_lab_input_init (&train, &bits->train, with_skip);
  mt_lab_input_init (&valid, &bits->valid, with_skip);
  if (bits->task == MT_TASK_REGRESSION)
    {
      for (gsize r = 0; r < train.n_rows; r++)
        centre += train.target[r] / train.n_rows;
      for (gsize r = 0; r < train.n_rows; r++)
        square += pow (train.target[r] - centre, 2) / train.n_rows;
      scale = sqrt (square);
    }
  net = mt_lab_net_new (options, bits->task, bits->n_outputs, train.n_literals, train.n_unary, centre, scale);
  if (!mt_lab_net_train (net, &train, &valid, cancellable, error))
    return FALSE;
  fixed = mt_lab_net_sparsify (net, how, &train, &valid, cancellable, error);
  if (fixed == NULL || !mt_lab_net_extract (fixed, bits, with_skip, extract, cancellable, error))
    return FALSE;
  return !is_pruned || prune (fixed, bits, &train, &valid, with_skip, extract, cancellable, error);
}

/* --- T6 --- */

static char *
dup_row (const char *set,
         double      lambda)
{
  char number[MT_DECIMAL_SIZE];

  return g_strdup_printf ("%s, λ = %s", set, mt_decimal_write (lambda, number));
}

static gboolean
run_way (MtLabContext    *context,
         const MtLabJob  *job,
         MtLabCells      *cells,
         GCancellable    *cancellable,
         GError         **error)
{
  const Way *way = &ways[(guint) job->number % 10];
  const double lambda = all_lambdas[(guint) job->number / 10];
  g_autofree char *row = dup_row (job->dataset->name, lambda);
  g_autofree char *literals = g_strconcat (way->name, ", literals", NULL);
  g_autofree char *valid = g_strconcat (".valid ", way->name, NULL);
  g_auto (MtLabBits) bits = { 0 };
  MtLabNetOptions options;
  MtLabExtract extract;

  mt_lab_net_options_init (&options);
  options.route = way->route;
  options.lambda = lambda;
  options.seed = job->seed;
  if (!mt_lab_bits_read (job->dataset, job->seed, BITS, &bits, error) ||
      !learn (&bits, &options, way->how, way->is_pruned, TRUE, &extract, cancellable, error))
    return FALSE;
  mt_lab_cells_put (cells, extract.is_extractable ? extract.test : NAN, way->name, "%s", row);
  mt_lab_cells_put (cells, extract.is_extractable ? extract.literals : NAN, literals, "%s", row);
  mt_lab_cells_put (cells, extract.is_extractable ? extract.valid : NAN, valid, "%s", row);
  return TRUE;
}

void
mt_lab_list_need (MtLabContext          *context,
                  const MtLabExperiment *experiment)
{
  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      MtLabDataset *dataset = mt_lab_datasets_find (context->datasets, sets[s]);

      for (guint w = 0; dataset != NULL && w < G_N_ELEMENTS (ways); w++)
        for (guint l = 0; l < G_N_ELEMENTS (all_lambdas); l++)
          for (guint seed = 0; seed < mt_lab_count_seeds (context, dataset); seed++)
            {
              gboolean is_some = context->options->is_full;

              for (guint i = 0; i < G_N_ELEMENTS (some_lambdas); i++)
                is_some |= some_lambdas[i] == all_lambdas[l];
              if (is_some)
                mt_lab_add_job (context, experiment, run_way, dataset, ways[w].name, seed, (ways[w].is_pruned ? 2 : 1) * (.5 + 1e-3 * dataset->n_rows),
                                "%s-%s-l%u-%u", sets[s], ways[w].name, l, seed)->number = 10 * l + w;
            }
    }
}

static double
mean_of (GPtrArray  *means,
         const char *row,
         const char *column)
{
  const MtLabMean *mean = mt_lab_means_find (means, row, column);

  return mean != NULL ? mean->mean : NAN;
}

/* A way's values at the λ that the validation rows prefer. */
static void
put_best (MtLabCells *cells,
          GPtrArray  *means,
          const char *set,
          const Way  *way)
{
  g_autofree char *literals = g_strconcat (way->name, ", literals", NULL), *valid = g_strconcat (".valid ", way->name, NULL);
  g_autofree char *best = NULL;
  double best_valid = NAN;
  const char * const columns[] = { way->name, literals };

  for (guint l = 0; l < G_N_ELEMENTS (all_lambdas); l++)
    {
      g_autofree char *row = dup_row (set, all_lambdas[l]);
      double now = mean_of (means, row, valid);

      if (isnan (now) || (!isnan (best_valid) && now <= best_valid))
        continue;
      best_valid = now;
      g_free (best);
      best = g_steal_pointer (&row);
    }
  for (guint c = 0; best != NULL && c < G_N_ELEMENTS (columns); c++)
    {
      const MtLabMean *mean = mt_lab_means_find (means, best, columns[c]);

      for (guint v = 0; v < mean->values->len; v++)
        mt_lab_cells_put (cells, g_array_index (mean->values, double, v), columns[c], "%s", set);
    }
}

/* Every λ as a point: what the paper calls Pareto grids. */
static gboolean
draw_grid (MtLabContext  *context,
           GPtrArray     *means,
           const char    *set,
           GError       **error)
{
  g_autofree char *name = g_strdup_printf ("T6-%s.svg", set);
  g_autofree char *path = g_build_filename (context->options->out, name, NULL);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtPlotPoint));
  MtPlotLegendEntry legend[G_N_ELEMENTS (ways)];
  double low = INFINITY, high = -INFINITY;
  MtPlotPalette palette;
  MtPlotSpec spec;

  for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
    {
      g_autofree char *literals = g_strconcat (ways[w].name, ", literals", NULL);

      legend[w] = (MtPlotLegendEntry) { w, ways[w].name };
      for (guint l = 0; l < G_N_ELEMENTS (all_lambdas); l++)
        {
          g_autofree char *row = dup_row (set, all_lambdas[l]);
          const MtPlotPoint point = { mean_of (means, row, literals), mean_of (means, row, ways[w].name), NAN, w };

          if (isnan (point.literals) || isnan (point.quality))
            continue;
          g_array_append_val (points, point);
          low = MIN (low, point.quality);
          high = MAX (high, point.quality);
        }
    }
  if (points->len == 0)
    return TRUE;
  mt_plot_spec_init (&spec);
  mt_plot_palette_init (&palette, FALSE, FALSE);
  spec.points = (const MtPlotPoint *) (gpointer) points->data;
  spec.n_points = points->len;
  spec.log = TRUE;
  spec.zone_label = "up to 50 literals";
  spec.x_title = "Literals";
  spec.title = "AUC or R² on test rows, a point for each λ";
  spec.subtitle = set;
  spec.legend = legend;
  spec.n_legend = G_N_ELEMENTS (legend);
  spec.y_low = low - .05 * (high - low) - 1e-3;
  spec.y_high = high + .05 * (high - low) + 1e-3;
  return mt_plot_export (&spec, 560, 340, &palette, MT_PICTURE_SVG, 1, path, error);
}

gboolean
mt_lab_finish_need (MtLabContext           *context,
                    const MtLabExperiment  *experiment,
                    MtLabCells             *cells,
                    GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);

  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
        put_best (cells, means, sets[s], &ways[w]);
      if (!draw_grid (context, means, sets[s], error))
        return FALSE;
    }
  return TRUE;
}

/* --- A4 and A5 --- */

typedef struct {
  const char *name;
  MtLabRoute  route;
  gboolean    with_skip;
} Variant;

static const Variant slot_variants[] = {
  { "soft top-k", MT_LAB_ROUTE_SOFT, TRUE }, { "slots", MT_LAB_ROUTE_SLOTS, TRUE },
};
static const Variant skip_variants[] = {
  { "with skip", MT_LAB_ROUTE_SOFT, TRUE }, { "without skip", MT_LAB_ROUTE_SOFT, FALSE },
};

static const Variant *
variants_of (const MtLabExperiment *experiment)
{
  return g_str_equal (experiment->name, "A4") ? slot_variants : skip_variants;
}

static gboolean
run_pair (MtLabContext    *context,
          const MtLabJob  *job,
          MtLabCells      *cells,
          GCancellable    *cancellable,
          GError         **error)
{
  g_auto (MtLabBits) bits = { 0 };

  if (!mt_lab_bits_read (job->dataset, job->seed, BITS, &bits, error))
    return FALSE;
  for (guint v = 0; v < 2; v++)
    {
      const Variant *variant = &variants_of (job->experiment)[v];
      g_autofree char *literals = g_strconcat (variant->name, ", literals", NULL);
      MtLabNetOptions options;
      MtLabExtract extract;

      mt_lab_net_options_init (&options);
      options.route = variant->route;
      options.seed = job->seed;
      if (!learn (&bits, &options, MT_LAB_SPARSIFY_AS_IS, FALSE, variant->with_skip, &extract, cancellable, error))
        return FALSE;
      mt_lab_cells_put (cells, extract.is_extractable ? extract.test : NAN, variant->name, "%s", job->dataset->name);
      mt_lab_cells_put (cells, extract.is_extractable ? extract.literals : NAN, literals, "%s", job->dataset->name);
    }
  return TRUE;
}

static void
list_pairs (MtLabContext          *context,
            const MtLabExperiment *experiment)
{
  for (guint d = 0; d < context->datasets->len; d++)
    {
      MtLabDataset *dataset = context->datasets->pdata[d];

      if (!context->options->is_full && dataset->n_rows >= PAIR_ROWS)
        continue;
      for (guint seed = 0; seed < mt_lab_count_seeds (context, dataset); seed++)
        mt_lab_add_job (context, experiment, run_pair, dataset, NULL, seed, 1 + 2e-3 * dataset->n_rows, "%s-%u", dataset->name,
                        seed);
    }
}

void
mt_lab_list_slots (MtLabContext          *context,
                   const MtLabExperiment *experiment)
{
  list_pairs (context, experiment);
}

void
mt_lab_list_skip (MtLabContext          *context,
                  const MtLabExperiment *experiment)
{
  list_pairs (context, experiment);
}

/* A point a data set: below the diagonal the first variant is better. */
gboolean
mt_lab_finish_pairs (MtLabContext           *context,
                     const MtLabExperiment  *experiment,
                     MtLabCells             *cells,
                     GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);
  const Variant *variants = variants_of (experiment);
  g_autofree double *x = g_new (double, MAX (context->datasets->len, 1)), *y = g_new (double, MAX (context->datasets->len, 1));
  g_autofree char *x_title = g_strdup_printf ("AUC or R², %s", variants[0].name);
  g_autofree char *y_title = g_strdup_printf ("AUC or R², %s", variants[1].name);
  g_autofree char *name = g_strdup_printf ("%s-scatter", experiment->name);
  g_autoptr (MtChart) chart = NULL;
  double ends[2] = { INFINITY, -INFINITY };
  guint n = 0, n_first = 0;

  for (guint d = 0; d < context->datasets->len; d++)
    {
      const MtLabDataset *dataset = context->datasets->pdata[d];

      x[n] = mean_of (means, dataset->name, variants[0].name);
      y[n] = mean_of (means, dataset->name, variants[1].name);
      if (isnan (x[n]) || isnan (y[n]))
        continue;
      ends[0] = MIN (ends[0], MIN (x[n], y[n]));
      ends[1] = MAX (ends[1], MAX (x[n], y[n]));
      n_first += x[n] > y[n];
      n++;
    }
  if (n == 0)
    return TRUE;
  mt_lab_cells_put (cells, n_first, "the first is better", "of %u data sets", n);
  chart = mt_chart_new (x_title, NAN, NAN, y_title, NAN, NAN);
  mt_chart_add (chart, MT_CHART_DASHED, "Equal", ends, ends, 2);
  mt_chart_add (chart, MT_CHART_DOTS, "Data sets", x, y, n);
  return mt_lab_write_chart (context, name, chart, 300, 300, error);
}
