/* Pictures of a rule and of a model against golden ones: as structure, not pixels. A picture is told by
 * the drawing operations in its SVG, in order, and the places they go to, rounded; text comes out as
 * glyphs of whatever font there is and is left out; where words matter they are read of a cairo script.
 * `--generate` in the arguments writes them anew. */
#include "config.h"

#include <cairo-script.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#include "mt-core.h"

static gboolean generate;

/* The rule of the paper's figure, drawn from its formula. */
static guint64
figure_table (void)
{
  guint64 table = 0;

  for (guint v = 0; v < 16; v++)
    {
      gboolean ta = v & 1, ata = v >> 1 & 1, oldpeak = v >> 2 & 1, low = v >> 3 & 1;

      table |= (guint64) ((low && oldpeak) || (!ta && oldpeak) || (!ta && !ata && low)) << v;
    }
  return table;
}

static MtDiagramLayout *
lay_out (const MtDiagram *diagram)
{
  guint n = mt_diagram_get_n_nodes (diagram);
  g_autofree double *widths = g_new (double, n);

  for (guint i = 0; i < n; i++)
    widths[i] = i < MT_DIAGRAM_FIRST_INNER ? 50 : 130;
  return mt_diagram_layout_new (diagram, widths);
}

static void
describe_diagram (GString               *out,
                  const MtDiagramLayout *layout)
{
  for (guint i = 0; i < layout->n_boxes; i++)
    g_string_append_printf (out, "box %u at %.0f %.0f, %.0f by %.0f\n", layout->boxes[i].node, layout->boxes[i].x,
                            layout->boxes[i].y, layout->boxes[i].width, layout->boxes[i].height);
  for (guint i = 0; i < layout->n_lines; i++)
    {
      const MtDiagramLine *line = &layout->lines[i];

      g_string_append_printf (out, "%s line %u to %u:", line->high ? "true" : "false", line->from, line->to);
      for (guint p = 0; p < line->n_points; p++)
        g_string_append_printf (out, " %.0f,%.0f", line->points[p].x, line->points[p].y);
      g_string_append_c (out, '\n');
    }
}

static cairo_status_t
collect (void                *closure,
         const unsigned char *data,
         unsigned int         length)
{
  g_string_append_len (closure, (const char *) data, (gssize) length);
  return CAIRO_STATUS_SUCCESS;
}

/* The paths of an SVG that are not glyphs: how each is filled or stroked, and where it goes. */
static void
describe_svg (GString    *out,
              const char *svg)
{
  const char *body = strstr (svg, "</defs>");
  g_auto (GStrv) lines = g_strsplit (body != NULL ? body : svg, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *d = strstr (lines[i], " d=\"");
      const char *width = strstr (lines[i], "stroke-width=\"");
      gboolean filled = strstr (lines[i], "fill=\"none\"") == NULL && strstr (lines[i], "fill:none") == NULL;
      char *end;
      double x, y;

      if (strstr (lines[i], "<path") == NULL || d == NULL)
        continue;
      d += strlen (" d=\"");
      while (*d != '\0' && !g_ascii_isdigit (*d) && *d != '-')
        d++;
      x = g_ascii_strtod (d, &end);
      y = g_ascii_strtod (end, NULL);
      g_string_append_printf (out, "%s from %.0f,%.0f", filled ? "fill" : "stroke", x, y);
      if (width != NULL)
        g_string_append_printf (out, " width %.3g", g_ascii_strtod (width + strlen ("stroke-width=\""), NULL));
      g_string_append_c (out, '\n');
    }
}

static void
compare (const char *name,
         const char *text)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "draw", name, NULL);
  g_autofree char *golden = NULL;
  g_autoptr (GError) error = NULL;

  if (generate)
    {
      g_file_set_contents (path, text, -1, &error);
      g_assert_no_error (error);
      return;
    }
  g_file_get_contents (path, &golden, NULL, &error);
  g_assert_no_error (error);
  if (!g_str_equal (golden, text))
    {
      g_auto (GStrv) was = g_strsplit (golden, "\n", -1);
      g_auto (GStrv) is = g_strsplit (text, "\n", -1);

      for (guint i = 0; was[i] != NULL && is[i] != NULL; i++)
        if (!g_str_equal (was[i], is[i]))
          {
            g_test_message ("%s, line %u: was \"%s\", is \"%s\"", name, i + 1, was[i], is[i]);
            break;
          }
      g_test_fail ();
    }
}

static void
test_diagram (void)
{
  guint64 table = figure_table ();
  g_autoptr (MtDiagram) diagram = mt_diagram_new (4, &table);
  g_autoptr (MtDiagramLayout) layout = lay_out (diagram);
  g_autofree MtDiagramLabel *labels = g_new0 (MtDiagramLabel, mt_diagram_get_n_nodes (diagram));
  g_autofree gboolean *nodes = g_new0 (gboolean, mt_diagram_get_n_nodes (diagram));
  g_autofree gboolean *lines = g_new0 (gboolean, 2 * mt_diagram_get_n_nodes (diagram));
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string ("Sans 9");
  g_autoptr (GString) text = g_string_new (NULL);

  describe_diagram (text, layout);
  lines[1] = nodes[MT_DIAGRAM_FIRST_INNER] = TRUE;
  for (guint lit = 0; lit < 2; lit++)
    {
      g_autoptr (GString) svg = g_string_new (NULL);
      cairo_surface_t *surface = cairo_svg_surface_create_for_stream (collect, svg, layout->width, layout->height);
      cairo_t *cr = cairo_create (surface);
      MtDiagramMarks marks = { nodes, lines, NULL };
      MtPalette palette;

      mt_palette_init (&palette, FALSE, FALSE);
      mt_draw_diagram_marked (cr, layout, labels, 1.4, lit ? &marks : NULL, context, font, &palette);
      cairo_destroy (cr);
      cairo_surface_finish (surface);
      cairo_surface_destroy (surface);
      g_string_append_printf (text, "%s:\n", lit ? "lit" : "plain");
      describe_svg (text, svg->str);
    }
  compare ("diagram.txt", text->str);
  pango_font_description_free (font);
  g_object_unref (context);
}

typedef struct {
  GString         *svg;
  cairo_surface_t *surface;
  cairo_t         *cr;
} Sheet;

static void
sheet_begin (Sheet  *sheet,
             double  width,
             double  height)
{
  sheet->svg = g_string_new (NULL);
  sheet->surface = cairo_svg_surface_create_for_stream (collect, sheet->svg, width, height);
  sheet->cr = cairo_create (sheet->surface);
}

/* Adds what was painted to @text. */
static void
sheet_end (Sheet   *sheet,
           GString *text)
{
  cairo_destroy (sheet->cr);
  cairo_surface_finish (sheet->surface);
  cairo_surface_destroy (sheet->surface);
  describe_svg (text, sheet->svg->str);
  g_string_free (sheet->svg, TRUE);
}

/* A model as the painter is given it: rules of one input and the rule of the figure, one of them selected. */
static void
test_canvas_picture (void)
{
  guint64 tables[3] = { 2, 2, figure_table () };
  static const guint n_inputs[3] = { 1, 1, 4 };
  MtDiagram *diagrams[3];
  MtDiagramLayout *layouts[3];
  MtDiagramLabel *labels[3];
  MtCanvasTerm terms[3] = { 0 };
  MtCanvasSpec spec = { terms, 3, 3, 0, "", "", FALSE, NULL };
  double sizes[6];
  g_autoptr (MtCanvasLayout) layout = NULL;
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string ("Sans 9");
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 3; i++)
    {
      diagrams[i] = mt_diagram_new (n_inputs[i], &tables[i]);
      layouts[i] = lay_out (diagrams[i]);
      labels[i] = g_new0 (MtDiagramLabel, mt_diagram_get_n_nodes (diagrams[i]));
      terms[i] = (MtCanvasTerm) { .title = "1", .caption = "", .weight = i == 1 ? -0.8 : 1.4, .weight_text = "",
                                  .diagram = layouts[i], .labels = labels[i] };
      sizes[2 * i] = layouts[i]->width;
      sizes[2 * i + 1] = layouts[i]->height;
    }
  layout = mt_canvas_layout_new (sizes, 3, 900, 0, mt_draw_canvas_formula_height (&spec, context, font, 900));
  for (int selected = -1; selected < 2; selected += 2)
    {
      MtPalette palette;
      Sheet sheet;

      mt_palette_init (&palette, FALSE, FALSE);
      g_string_append_printf (text, "selected %d:\n", selected);
      sheet_begin (&sheet, layout->width, layout->height);
      mt_draw_canvas (sheet.cr, layout, &spec, -1, selected, context, font, &palette);
      sheet_end (&sheet, text);
    }
  compare ("canvas-picture.txt", text->str);
  for (guint i = 0; i < 3; i++)
    {
      g_free (labels[i]);
      mt_diagram_layout_free (layouts[i]);
      mt_diagram_unref (diagrams[i]);
    }
  pango_font_description_free (font);
  g_object_unref (context);
}

/* The words that were painted, in order: a script, unlike an SVG, keeps them. Where a font ends or a line breaks is
 * left out, and so are spaces. */
static void
describe_words (GString    *out,
                const char *script)
{
  for (const char *p = script; (p = strstr (p, " show-text-glyphs")) != NULL; p++)
    {
      const char *c = p;

      while (c > script && c[-1] != '\n')
        c--;
      g_assert_true (*c == '(');
      for (c++; *c != ')'; c++)
        if (c[0] == '\\' && g_ascii_isdigit (c[1]))
          {
            g_string_append_c (out, (char) g_ascii_strtoull ((char[]) { c[1], c[2], c[3], '\0' }, NULL, 8));
            c += 3;
          }
        else if (*c == '\\')
          g_string_append_c (out, *++c);
        else if (*c != ' ')
          g_string_append_c (out, *c);
    }
  g_string_append_c (out, '\n');
}

/* Of several classes: a leaf with the one that it moves most, below the drawing the weights of all, and below the
 * formula where each class begins. A rule, and a numeric column. */
static void
test_canvas_classes (void)
{
  guint64 table = 2;
  g_autoptr (MtDiagram) diagram = mt_diagram_new (1, &table);
  g_autoptr (MtDiagramLayout) drawn = lay_out (diagram);
  MtDiagramLabel labels[3] = { { NULL, "0" }, { NULL, "setosa −0.8" }, { "petal", " ≥ 2" } };
  MtCanvasTerm terms[2] = {
    { .title = "1", .caption = "41 rows · 90.2% with setosa", .weight = -0.8, .weight_text = "setosa −0.8",
      .diagram = drawn, .labels = labels, .weights = "setosa\u00a0−0.8   virginica\u00a0+0.5" },
    { .caption = "linear term", .weight = 1.4, .weight_text = "virginica +1.4",
      .column = { "width", " − 1.2" }, .weights = "versicolor\u00a0−0.1   virginica\u00a0+1.4" },
  };
  MtCanvasSpec spec = { terms, 2, 1, 1, "before", "after", TRUE, "Intercept:   setosa\u00a0+0.3   virginica\u00a0−0.3" };
  double sizes[4] = { 220, 180, 220, 90 };
  g_autoptr (MtCanvasLayout) layout = NULL;
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string ("Sans 9");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) script = g_string_new (NULL);
  cairo_device_t *device = cairo_script_create_for_stream (collect, script);
  cairo_surface_t *surface;
  cairo_t *cr;
  MtPalette palette;

  layout = mt_canvas_layout_new (sizes, 2, 900, 0, 140);
  mt_palette_init (&palette, FALSE, FALSE);
  surface = cairo_script_surface_create (device, CAIRO_CONTENT_COLOR_ALPHA, layout->width, layout->height);
  cr = cairo_create (surface);
  mt_draw_canvas (cr, layout, &spec, -1, 0, context, font, &palette);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  cairo_device_finish (device);
  cairo_device_destroy (device);
  describe_words (text, script->str);
  compare ("canvas-classes.txt", text->str);
  pango_font_description_free (font);
  g_object_unref (context);
}

static double
seven_a_letter (const char *label,
                gpointer    data)
{
  return 7.0 * (double) g_utf8_strlen (label, -1);
}

/* The waterfall of a score in log-odds and of a number with a cutoff. */
static void
test_waterfall_picture (void)
{
  static const MtWaterfallStep steps[] = { { -1.04, TRUE }, { -0.83, TRUE }, { 0, FALSE }, { 1.13, TRUE }, { 1.4, TRUE } };
  static const char * const words[] = { "", "", "", "", "", "" };
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string ("Sans 9");
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint odds = 0; odds < 2; odds++)
    {
      g_autoptr (MtWaterfallLayout) layout = mt_waterfall_layout_new (steps, G_N_ELEMENTS (steps), odds ? 0 : 0.5,
                                                                      odds == 1, 700, 27, 120, 60, '.', seven_a_letter,
                                                                      NULL);
      MtPalette palette;
      Sheet sheet;

      mt_palette_init (&palette, FALSE, FALSE);
      g_string_append_printf (text, "%s:\n", odds ? "log-odds" : "a number");
      for (guint i = 0; i < layout->n_odds; i++)
        g_string_append_printf (text, "%s at %.0f\n", layout->odds[i].label, layout->odds[i].x);
      sheet_begin (&sheet, layout->width, layout->height);
      mt_draw_waterfall (sheet.cr, layout, words, words, "", 120, context, font, &palette);
      sheet_end (&sheet, text);
    }
  compare ("waterfall.txt", text->str);
  pango_font_description_free (font);
  g_object_unref (context);
}

static void
test_canvas (void)
{
  static const double sizes[] = { 140, 110, 140, 110, 140, 110, 330, 420, 300, 390, 210, 40 };
  static const double widths[] = { 1230, 400 };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint w = 0; w < 2; w++)
    for (guint paged = 0; paged < 2; paged++)
      {
        g_autoptr (MtCanvasLayout) layout = mt_canvas_layout_new (sizes, 6, widths[w], paged ? 700 : 0, 110);

        g_string_append_printf (text, "%.0f wide, %u pages, formula at %.0f\n", layout->width, layout->n_pages,
                                layout->formula_y);
        for (guint c = 0; c < layout->n_cards; c++)
          g_string_append_printf (text, "card %u at %.0f %.0f, %.0f by %.0f, scale %.3g\n", c, layout->cards[c].x,
                                  layout->cards[c].y, layout->cards[c].width, layout->cards[c].height,
                                  layout->cards[c].scale);
      }
  compare ("canvas.txt", text->str);
}

/* The comparison notices a line that moved by a point. */
static void
test_planted_fault (void)
{
  guint64 table = figure_table ();
  g_autoptr (MtDiagram) diagram = mt_diagram_new (4, &table);
  g_autoptr (MtDiagramLayout) layout = lay_out (diagram);
  g_autoptr (GString) before = g_string_new (NULL);
  g_autoptr (GString) after = g_string_new (NULL);

  describe_diagram (before, layout);
  layout->points[0].x += 1;
  describe_diagram (after, layout);
  g_assert_cmpstr (before->str, !=, after->str);
}

int
main (int    argc,
      char **argv)
{
  for (int i = 1; i < argc; i++)
    generate |= g_str_equal (argv[i], "--generate");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw-rules/diagram", test_diagram);
  g_test_add_func ("/draw-rules/canvas", test_canvas);
  g_test_add_func ("/draw-rules/canvas-picture", test_canvas_picture);
  g_test_add_func ("/draw-rules/canvas-classes", test_canvas_classes);
  g_test_add_func ("/draw-rules/waterfall-picture", test_waterfall_picture);
  g_test_add_func ("/draw-rules/planted-fault", test_planted_fault);
  return g_test_run ();
}
