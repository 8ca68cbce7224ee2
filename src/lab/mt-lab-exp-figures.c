/* F1: every model seen on the way on two data sets, and the paper's figures, quality against literals. F2: a model of heart
 * disease, drawn. */
#include "config.h"
#include "mt-lab-protocol.h"

#include <math.h>
#include <string.h>

#define ZONE        50
#define F2_LITERALS 15
#define F2_WIDTH    900.0

/* Their order is that of the colors and shapes. */
static const char * const sets[] = { "diabetes", "heart" };

enum { SERIES_PAPER, SERIES_DEFAULT, SERIES_TREE, SERIES_OTHERS };

/* --- F1 --- */

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
  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      MtLabDataset *dataset = mt_lab_datasets_find (context->datasets, sets[s]);

      if (dataset != NULL)
        mt_lab_add_job (context, experiment, run_scatter, dataset, NULL, 0,
                        (context->options->is_full ? 60 : 20) * mt_lab_estimate (dataset), "%s-%s", sets[s],
                        context->options->is_full ? "whole-grid" : "small-grid");
    }
}

/* The points of one data set, and the paper's columns as hollow marks. */
static GArray *
collect (GPtrArray  *means,
         const char *set)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (MtPlotPoint));
  g_autofree char *prefix = g_strconcat (set, " ", NULL);
  MtLabPaperRow row;

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
      point.literals = mean->mean;
      point.quality = quality->mean;
      g_array_append_val (points, point);
    }
  for (guint m = 0; points->len > 0 && mt_lab_paper_find_row (set, &row) && m < row.n_methods; m++)
    {
      MtPlotPoint point = { row.results[m].literals.value, row.results[m].quality.value, row.results[m].quality.se,
                            MT_PLOT_SERIES_APART | (m == 0 ? SERIES_PAPER : SERIES_OTHERS) };

      if (!isnan (point.literals) && !isnan (point.quality))
        g_array_append_val (points, point);
    }
  return points;
}

static gboolean
draw (MtLabContext  *context,
      GPtrArray     *means,
      const char    *set,
      GError       **error)
{
  static const MtPlotLegendEntry legend[] = {
    { SERIES_PAPER, "as in the paper" }, { SERIES_DEFAULT, "default" }, { SERIES_TREE, "tree" },
    { SERIES_OTHERS, "linear model" },
    { MT_PLOT_SERIES_APART | SERIES_PAPER, "TT-Sparse, the paper's figure" },
    { MT_PLOT_SERIES_APART | SERIES_OTHERS, "other methods, the paper's figures" },
  };
  g_autoptr (GArray) points = collect (means, set);
  g_autofree char *name = g_strdup_printf ("F1-%s.svg", set);
  g_autofree char *path = g_build_filename (context->options->out, name, NULL);
  MtPlotBenchmark benchmarks[2] = { { NAN, "boosted trees", FALSE }, { NAN, "TabM, the paper's figure", TRUE } };
  g_autofree char *row = g_strdup_printf ("%s, test", set);
  const MtLabMean *boosted = mt_lab_means_find (means, row, "boosted trees");
  MtLabPaperRow paper;
  MtPlotPalette palette;
  MtPlotSpec spec;

  if (points->len == 0)
    return TRUE;
  mt_plot_spec_init (&spec);
  mt_plot_palette_init (&palette, FALSE, FALSE);
  spec.points = (const MtPlotPoint *) (gpointer) points->data;
  spec.n_points = points->len;
  spec.benchmarks = benchmarks;
  spec.n_benchmarks = G_N_ELEMENTS (benchmarks);
  if (boosted != NULL)
    benchmarks[0].quality = boosted->mean;
  if (mt_lab_paper_find_row (set, &paper))
    benchmarks[1].quality = paper.results[paper.n_methods - 1].quality.value;
  spec.log = TRUE;
  spec.zone = ZONE;
  spec.zone_label = "up to 50 literals";
  spec.x_title = "Literals";
  spec.title = "AUC on test rows";
  spec.subtitle = set;
  spec.legend = legend;
  spec.n_legend = G_N_ELEMENTS (legend);
  spec.y_low = .6;
  spec.y_high = 1;
  spec.x_low = 1;
  spec.x_high = 1000;
  return mt_plot_export (&spec, 640, 420, &palette, MT_PICTURE_SVG, 1, path, error);
}

gboolean
mt_lab_finish_scatter (MtLabContext           *context,
                       const MtLabExperiment  *experiment,
                       MtLabCells             *cells,
                       GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);

  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    if (!draw (context, means, sets[s], error))
      return FALSE;
  return TRUE;
}

/* --- F2 --- */

/* One card: a rule as a diagram, or a numeric column. */
typedef struct {
  MtDiagram       *diagram;
  MtDiagramLayout *layout;
  MtDiagramLabel  *labels;
  GPtrArray       *texts;
} Card;

static void
card_clear (gpointer data)
{
  Card *card = data;

  g_clear_pointer (&card->layout, mt_diagram_layout_free);
  g_clear_pointer (&card->diagram, mt_diagram_unref);
  g_clear_pointer (&card->texts, g_ptr_array_unref);
  g_free (card->labels);
}

static const char *
keep (Card *card,
      char *text)
{
  g_ptr_array_add (card->texts, text);
  return text;
}

static char *
dup_weight (double weight)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%+.2f", weight));
}

static void
make_rule_card (Card                       *card,
                const MtRule               *rule,
                const MtEncoder            *encoder,
                const char                 *weight,
                PangoContext               *context,
                const PangoFontDescription *font)
{
  g_autofree double *widths = NULL;
  guint n;

  card->diagram = mt_diagram_new (mt_rule_get_n_inputs (rule), mt_rule_get_table (rule));
  n = mt_diagram_get_n_nodes (card->diagram);
  card->labels = g_new0 (MtDiagramLabel, n);
  card->labels[MT_DIAGRAM_FALSE].rest = "0";
  card->labels[MT_DIAGRAM_TRUE].rest = weight;
  for (guint i = MT_DIAGRAM_FIRST_INNER; i < n; i++)
    {
      guint literal = mt_rule_get_inputs (rule)[mt_diagram_get_nodes (card->diagram)[i].input];

      card->labels[i].rest = keep (card, mt_encoder_dup_literal_text (encoder, literal, FALSE));
    }
  widths = g_new (double, n);
  mt_draw_diagram_measure (card->labels, n, context, font, widths);
  card->layout = mt_diagram_layout_new (card->diagram, widths);
}

typedef struct {
  MtCanvasSpec          spec;
  MtCanvasLayout       *layout;
  PangoFontDescription *font;
} Drawing;

static void
paint (cairo_t         *cr,
       PangoContext    *context,
       const MtPalette *palette,
       gpointer         data)
{
  const Drawing *drawing = data;

  mt_draw_canvas (cr, drawing->layout, &drawing->spec, -1, -1, context, drawing->font, palette);
}

static gboolean
draw_model (const MtLearned        *learned,
            const MtFrontierPoint  *point,
            const char             *path,
            GError                **error)
{
  guint n = mt_rule_set_get_n_terms (point->rules);
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  g_autoptr (GArray) cards = g_array_sized_new (FALSE, TRUE, sizeof (Card), n);
  g_autofree MtCanvasTerm *terms = g_new0 (MtCanvasTerm, MAX (n, 1));
  g_autofree double *sizes = g_new (double, 2 * MAX (n, 1));
  g_autofree char *bias = dup_weight (mt_rule_set_get_bias (point->rules)[0]);
  g_autofree char *before = g_strdup_printf ("<i>P</i>(y = 1) = σ( %s", bias);
  Drawing drawing = { { terms, n, 0, 0, before, ")", FALSE, NULL }, NULL, pango_font_description_from_string ("Sans 9") };
  gboolean ok;

  g_array_set_clear_func (cards, card_clear);
  g_array_set_size (cards, n);
  for (guint t = 0; t < n; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (point->rules, t);
      Card *card = &g_array_index (cards, Card, t);

      card->texts = g_ptr_array_new_with_free_func (g_free);
      terms[t].title = keep (card, g_strdup_printf ("%u", t + 1));
      terms[t].weight = term->weights[0];
      terms[t].weight_text = keep (card, dup_weight (term->weights[0]));
      terms[t].caption = "";
      if (term->is_numeric)
        {
          const MtUnary *unary = mt_encoder_get_numeric (learned->encoder, term->numeric);
          char mean[G_ASCII_DTOSTR_BUF_SIZE], sd[G_ASCII_DTOSTR_BUF_SIZE];

          terms[t].column.name = keep (card, mt_encoder_dup_numeric_text (learned->encoder, unary));
          g_ascii_formatd (mean, sizeof mean, "%.4g", unary->mean);
          g_ascii_formatd (sd, sizeof sd, "%.4g", unary->sd);
          terms[t].column.rest = keep (card, g_strdup_printf (" − %s) ÷ %s", mean, sd));
          drawing.spec.n_numeric++;
          continue;
        }
      make_rule_card (card, term->rule, learned->encoder, terms[t].weight_text, context, drawing.font);
      terms[t].diagram = card->layout;
      terms[t].labels = card->labels;
      drawing.spec.n_rules++;
    }
  mt_draw_canvas_measure (&drawing.spec, context, drawing.font, sizes);
  drawing.layout = mt_canvas_layout_new (sizes, n, F2_WIDTH, 0,
                                         mt_draw_canvas_formula_height (&drawing.spec, context, drawing.font, F2_WIDTH));
  ok = mt_picture_write (path, drawing.layout->width, drawing.layout->height, 1, paint, &drawing, error);
  mt_canvas_layout_free (drawing.layout);
  pango_font_description_free (drawing.font);
  g_object_unref (context);
  return ok;
}

static gboolean
run_heart (MtLabContext    *context,
           const MtLabJob  *job,
           MtLabCells      *cells,
           GCancellable    *cancellable,
           GError         **error)
{
  g_autoptr (MtTable) table = mt_lab_dataset_ref_table (job->dataset, error);
  g_autofree char *path = g_build_filename (context->options->out, "F2-heart.svg", NULL);
  g_auto (MtLabSplit) split = { NULL };
  g_autoptr (MtLearned) learned = NULL;
  const MtFrontierPoint *point = NULL;
  g_autoptr (GError) local = NULL;
  double quality;

  if (table == NULL || !mt_lab_split (table, 0, &split, error))
    return FALSE;
  learned = mt_lab_learn (job->dataset, table, split.dev, NULL, 0, cancellable, error);
  if (learned == NULL)
    return FALSE;
  for (guint i = 0; i < mt_frontier_get_n_points (learned->frontier); i++)
    if (mt_frontier_get_point (learned->frontier, i)->complexity <= F2_LITERALS)
      point = mt_frontier_get_point (learned->frontier, i);
  quality = mt_lab_score (learned, table, split.test, point->rules, &local);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  mt_lab_cells_put (cells, quality, "AUC", "%s", job->dataset->name);
  mt_lab_cells_put (cells, point->complexity, "literals", "%s", job->dataset->name);
  mt_lab_cells_put (cells, mt_rule_set_get_n_terms (point->rules), "terms", "%s", job->dataset->name);
  return draw_model (learned, point, path, error);
}

void
mt_lab_list_heart (MtLabContext          *context,
                   const MtLabExperiment *experiment)
{
  MtLabDataset *dataset = mt_lab_datasets_find (context->datasets, "heart");

  if (dataset != NULL)
    mt_lab_add_job (context, experiment, run_heart, dataset, NULL, 0, 12 * mt_lab_estimate (dataset), "heart");
}
