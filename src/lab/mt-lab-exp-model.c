/* F2: a model of heart disease, drawn. */
#include "config.h"
#include "mt-lab-protocol.h"

#define F2_LITERALS 15
#define F2_WIDTH    900.0

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
