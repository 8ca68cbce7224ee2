/* Paints a decision diagram from its layout: the same for screen, PDF and SVG. True edges are plain arrows,
 * false ones begin with a hollow circle; leaves are 0 and the rule's weight. See mt-draw-diagram.h. */
#include "config.h"
#include "mt-draw-diagram.h"

#include <string.h>

#include "mt-draw-private.h"

#define PADDING      14.0
#define LEAST_WIDTH  46.0
#define RADIUS       6.0
#define LINE         1.25
#define LEAF_LINE    2.0
#define SHOWN_LINE   2.75
#define SHOWN_FILL   0.14
#define CIRCLE       4.25
#define HEAD_LENGTH  8.0
#define HEAD_WIDTH   7.0
#define FSI          "\xe2\x81\xa8"
#define PDI          "\xe2\x81\xa9"

static PangoLayout *
make_text (const MtDiagramLabel       *label,
           PangoContext               *context,
           const PangoFontDescription *font,
           const MtColor              *name_color)
{
  const char *given = label->name != NULL ? label->name : "";
  /* Isolated, a name from the right does not turn round the sign and the number behind it. */
  g_autofree char *name = g_str_is_ascii (given) ? g_strdup (given) : g_strconcat (FSI, given, PDI, NULL);
  const char *rest = label->rest != NULL ? label->rest : "";
  g_autofree char *text = g_strconcat (name, rest, NULL);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  PangoLayout *layout = pango_layout_new (context);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_layout_set_font_description (layout, font);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_auto_dir (layout, FALSE);
  pango_layout_set_text (layout, valid, -1);
  if (*name != '\0')
    {
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
      PangoAttribute *color = pango_attr_foreground_new ((guint16) (name_color->red * 65535),
                                                         (guint16) (name_color->green * 65535),
                                                         (guint16) (name_color->blue * 65535));

      bold->end_index = color->end_index = (guint) strlen (name);
      pango_attr_list_insert (attributes, bold);
      pango_attr_list_insert (attributes, color);
    }
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

void
mt_draw_diagram_measure (const MtDiagramLabel       *labels,
                         guint                       n_labels,
                         PangoContext               *context,
                         const PangoFontDescription *font,
                         double                     *widths)
{
  const MtColor any = { 0, 0, 0, 1 };

  g_return_if_fail (labels != NULL && context != NULL && font != NULL && widths != NULL);

  for (guint i = 0; i < n_labels; i++)
    {
      g_autoptr (PangoLayout) text = make_text (&labels[i], context, font, &any);
      int width;

      pango_layout_get_pixel_size (text, &width, NULL);
      widths[i] = MAX (LEAST_WIDTH, width + 2 * PADDING);
    }
}

static guint
line_number (const MtDiagramLine *line)
{
  return 2 * (line->from - MT_DIAGRAM_FIRST_INNER) + (line->high ? 1 : 0);
}

static gboolean
line_is_lit (const MtDiagramLine  *line,
             const MtDiagramMarks *marks)
{
  return marks != NULL && marks->lines != NULL && marks->lines[line_number (line)];
}

/* A line that no row takes stays visible; one that all take is as wide as a lit one is wide. */
static double
line_width (const MtDiagramLine  *line,
            const MtDiagramMarks *marks,
            gboolean              lit)
{
  if (marks != NULL && marks->shares != NULL)
    return 0.75 + 6.25 * CLAMP (marks->shares[line_number (line)], 0, 1) + (lit ? 0.75 : 0);
  return lit ? SHOWN_LINE : LINE;
}

/* Lines arrive from above, so the head points down. */
static void
draw_line (cairo_t             *cr,
           const MtDiagramLine *line,
           double               width,
           gboolean             shown,
           const MtPalette     *palette)
{
  const MtDiagramPoint *start = &line->points[0], *end = &line->points[line->n_points - 1];

  mt_draw_set_color (cr, shown ? &palette->accent : &palette->text, shown ? 1 : 0.8);
  cairo_set_line_width (cr, width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_move_to (cr, start->x, start->y + (line->high ? 0 : 2 * CIRCLE));
  for (guint i = 1; i + 1 < line->n_points; i++)
    cairo_line_to (cr, line->points[i].x, line->points[i].y);
  cairo_line_to (cr, end->x, end->y - HEAD_LENGTH);
  cairo_stroke (cr);
  cairo_move_to (cr, end->x, end->y);
  cairo_line_to (cr, end->x - HEAD_WIDTH / 2, end->y - HEAD_LENGTH);
  cairo_line_to (cr, end->x + HEAD_WIDTH / 2, end->y - HEAD_LENGTH);
  cairo_close_path (cr);
  cairo_fill (cr);
  if (!line->high)
    {
      cairo_set_line_width (cr, MIN (width, SHOWN_LINE));
      cairo_new_sub_path (cr);
      cairo_arc (cr, start->x, start->y + CIRCLE, CIRCLE, 0, 2 * G_PI);
      cairo_stroke (cr);
    }
}

static void
draw_box (cairo_t                    *cr,
          const MtDiagramBox         *box,
          const MtDiagramLabel       *label,
          double                      weight,
          gboolean                    shown,
          PangoContext               *context,
          const PangoFontDescription *font,
          const MtPalette            *palette)
{
  g_autoptr (PangoLayout) text = make_text (label, context, font, &palette->name);
  const MtColor *color = &palette->text;
  double radius = RADIUS, line = LINE;
  gboolean tinted = shown;
  int width, height;

  if (box->node == MT_DIAGRAM_FALSE)
    color = &palette->dim;
  else if (box->node == MT_DIAGRAM_TRUE)
    {
      /* The shape shows the sign as well: a pill adds, a square takes away. */
      line = LEAF_LINE;
      tinted |= weight != 0;
      if (weight > 0)
        radius = box->height / 2;
      else if (weight < 0)
        radius = 2;
      if (weight != 0)
        color = weight > 0 ? &palette->positive : &palette->negative;
    }
  if (shown && box->node >= MT_DIAGRAM_FIRST_INNER)
    color = &palette->accent;

  mt_draw_rounded (cr, box->x, box->y, box->width, box->height, radius);
  if (tinted)
    {
      mt_draw_set_color (cr, color, SHOWN_FILL);
      cairo_fill_preserve (cr);
    }
  mt_draw_set_color (cr, color, 1);
  cairo_set_line_width (cr, shown ? SHOWN_LINE : line);
  cairo_stroke (cr);

  if (box->node >= MT_DIAGRAM_FIRST_INNER)
    mt_draw_set_color (cr, &palette->text, 1);
  pango_layout_get_pixel_size (text, &width, &height);
  cairo_move_to (cr, box->x + (box->width - width) / 2, box->y + (box->height - height) / 2);
  pango_cairo_show_layout (cr, text);
}

void
mt_draw_diagram_marked (cairo_t                    *cr,
                        const MtDiagramLayout      *layout,
                        const MtDiagramLabel       *labels,
                        double                      weight,
                        const MtDiagramMarks       *marks,
                        PangoContext               *context,
                        const PangoFontDescription *font,
                        const MtPalette            *palette)
{
  g_return_if_fail (cr != NULL && layout != NULL && labels != NULL && palette != NULL);
  g_return_if_fail (context != NULL && font != NULL);

  cairo_save (cr);
  /* What is lit is painted last, over what shares its rail. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < layout->n_lines; i++)
      {
        gboolean lit = line_is_lit (&layout->lines[i], marks);

        if (lit == (pass == 1))
          draw_line (cr, &layout->lines[i], line_width (&layout->lines[i], marks, lit), lit, palette);
      }
  for (guint i = 0; i < layout->n_boxes; i++)
    draw_box (cr, &layout->boxes[i], &labels[layout->boxes[i].node], weight,
              marks != NULL && marks->nodes != NULL && marks->nodes[layout->boxes[i].node], context, font, palette);
  cairo_restore (cr);
}

void
mt_draw_diagram (cairo_t                    *cr,
                 const MtDiagramLayout      *layout,
                 const MtDiagramLabel       *labels,
                 double                      weight,
                 const guint                *trace,
                 guint                       n_trace,
                 PangoContext               *context,
                 const PangoFontDescription *font,
                 const MtPalette            *palette)
{
  g_autofree gboolean *nodes = NULL;
  g_autofree gboolean *lines = NULL;
  MtDiagramMarks marks = { NULL };
  guint n_nodes = MT_DIAGRAM_FIRST_INNER;

  g_return_if_fail (layout != NULL);

  for (guint i = 0; i < layout->n_boxes; i++)
    n_nodes = MAX (n_nodes, layout->boxes[i].node + 1);
  marks.nodes = nodes = g_new0 (gboolean, n_nodes);
  marks.lines = lines = g_new0 (gboolean, 2 * n_nodes);
  for (guint i = 0; i < n_trace; i++)
    nodes[trace[i]] = TRUE;
  for (guint i = 0; i < layout->n_lines; i++)
    for (guint t = 0; t + 1 < n_trace; t++)
      if (trace[t] == layout->lines[i].from && trace[t + 1] == layout->lines[i].to)
        lines[line_number (&layout->lines[i])] = TRUE;
  mt_draw_diagram_marked (cr, layout, labels, weight, &marks, context, font, palette);
}
