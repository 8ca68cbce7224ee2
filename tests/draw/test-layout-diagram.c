/* Geometry of drawn diagrams, for random functions; and that the painter leaves ink. */
#include "config.h"

#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#include "draw/mt-draw-diagram.h"
#include "base/mt-random.h"

#define MOST_BENDS 2700
#define MOST_KINKS 60

static gboolean
boxes_overlap (const MtDiagramBox *a,
               const MtDiagramBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Whether the piece from @p to @q runs through the inside of the box. */
static gboolean
runs_through (const MtDiagramBox   *box,
              const MtDiagramPoint *p,
              const MtDiagramPoint *q)
{
  return MIN (p->x, q->x) < box->x + box->width - 0.5 && MAX (p->x, q->x) > box->x + 0.5 &&
         MIN (p->y, q->y) < box->y + box->height - 0.5 && MAX (p->y, q->y) > box->y + 0.5;
}

/* The first thing that is wrong with a layout, or NULL. */
static const char *
find_fault (const MtDiagramLayout *layout,
            const MtDiagram       *diagram)
{
  const MtDiagramNode *nodes = mt_diagram_get_nodes (diagram);

  for (guint i = 0; i < layout->n_boxes; i++)
    {
      const MtDiagramBox *box = &layout->boxes[i];

      if (box->x < 0 || box->y < 0 || box->x + box->width > layout->width ||
          box->y + box->height > layout->height)
        return "a box out of bounds";
      for (guint j = 0; j < i; j++)
        if (boxes_overlap (box, &layout->boxes[j]))
          return "boxes overlap";
    }
  for (guint i = 0; i < layout->n_lines; i++)
    {
      const MtDiagramLine *line = &layout->lines[i];
      const MtDiagramBox *from = mt_diagram_layout_get_box (layout, line->from);
      const MtDiagramBox *to = mt_diagram_layout_get_box (layout, line->to);
      const MtDiagramPoint *first = &line->points[0], *last = &line->points[line->n_points - 1];

      if (line->to != (line->high ? nodes[line->from].high : nodes[line->from].low))
        return "a line to the wrong node";
      if (from == NULL || to == NULL || first->y != from->y + from->height || first->x <= from->x ||
          first->x >= from->x + from->width || last->y != to->y || last->x <= to->x ||
          last->x >= to->x + to->width)
        return "a line that does not join its boxes";
      for (guint p = 0; p + 1 < line->n_points; p++)
        {
          const MtDiagramPoint *a = &line->points[p], *b = &line->points[p + 1];

          if (a->x != b->x && a->y != b->y)
            return "a slanted piece";
          if (MIN (a->x, b->x) < 0 || MAX (a->x, b->x) > layout->width || b->y > layout->height)
            return "a line out of bounds";
          for (guint k = 0; k < layout->n_boxes; k++)
            if (runs_through (&layout->boxes[k], a, b))
              return "a line through a box";
        }
    }
  return NULL;
}

static MtDiagram *
random_diagram (MtRandom *random,
                guint     fan_in,
                gboolean  threshold)
{
  guint64 table[MT_TRUTH_TABLE_MAX_WORDS];
  double weights[MT_TRUTH_TABLE_MAX_FAN_IN];

  for (guint i = 0; i < fan_in; i++)
    weights[i] = mt_random_normal (random);
  mt_truth_table_from_weights (fan_in, weights, mt_random_normal (random), table);
  for (gsize w = 0; w < mt_truth_table_n_words (fan_in) && !threshold; w++)
    table[w] = mt_random_next (random) & mt_truth_table_last_mask (fan_in);
  return mt_diagram_new (fan_in, table);
}

static double *
random_widths (MtRandom        *random,
               const MtDiagram *diagram)
{
  guint n = mt_diagram_get_n_nodes (diagram);
  double *widths = g_new (double, n);

  for (guint i = 0; i < n; i++)
    widths[i] = i < MT_DIAGRAM_FIRST_INNER ? 46 : 60 + 120 * mt_random_double (random);
  return widths;
}

static void
test_geometry (void)
{
  MtRandom random;

  mt_random_init (&random, 1);
  for (guint round = 0; round < 500; round++)
    {
      guint k = 1 + round % 8;
      g_autoptr (MtDiagram) diagram = random_diagram (&random, k, round % 3 != 0);
      g_autofree double *widths = random_widths (&random, diagram);
      g_autoptr (MtDiagramLayout) layout = mt_diagram_layout_new (diagram, widths);
      g_autoptr (MtDiagramLayout) again = mt_diagram_layout_new (diagram, widths);
      guint n_inner = mt_diagram_get_n_nodes (diagram) - MT_DIAGRAM_FIRST_INNER;

      g_assert_cmpstr (find_fault (layout, diagram), ==, NULL);
      g_assert_cmpuint (layout->n_lines, ==, 2 * n_inner);
      g_assert_cmpuint (layout->n_boxes, ==, n_inner == 0 ? 1 : n_inner + 2);
      g_assert_cmpuint (again->n_boxes, ==, layout->n_boxes);
      for (guint i = 0; i < layout->n_boxes; i++)
        {
          const MtDiagramBox *box = &layout->boxes[i];

          g_assert_cmpint (mt_diagram_layout_hit (layout, box->x + 3, box->y + 3), ==, (int) box->node);
          g_assert_cmpfloat (fabs (box->width - widths[box->node]), <, 1e-9);
          g_assert_cmpuint (again->boxes[i].node, ==, box->node);
          g_assert_cmpfloat (again->boxes[i].x, ==, box->x);
          g_assert_cmpfloat (again->boxes[i].y, ==, box->y);
        }
      g_assert_cmpint (mt_diagram_layout_hit (layout, -1, -1), ==, -1);
    }
}

/* A line is straight, or turns aside and down again: bends are what makes it hard to follow. Of 500 functions
 * as rules have them. Without straightening there are twice as many. */
static void
test_bends (void)
{
  guint n_bends = 0, n_lines = 0, n_kinks = 0;
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (MtDiagram) diagram = random_diagram (&random, 1 + round % 6, TRUE);
      g_autofree double *widths = random_widths (&random, diagram);
      g_autoptr (MtDiagramLayout) layout = mt_diagram_layout_new (diagram, widths);

      for (guint i = 0; i < layout->n_lines; i++)
        {
          const MtDiagramLine *line = &layout->lines[i];

          n_lines++;
          n_bends += line->n_points - 2;
          for (guint p = 0; p + 1 < line->n_points; p++)
            n_kinks += line->points[p].y == line->points[p + 1].y && fabs (line->points[p].x - line->points[p + 1].x) < 6;
        }
    }
  g_test_message ("%u lines with %u bends, %u of them mere kinks", n_lines, n_bends, n_kinks);
  g_assert_cmpuint (n_bends, <, MOST_BENDS);
  g_assert_cmpuint (n_kinks, <, MOST_KINKS);
}

/* A rule of one condition is a box over two leaves, and both lines are straight whatever the words in them. */
static void
test_single_condition (void)
{
  guint64 table = 2;
  g_autoptr (MtDiagram) diagram = mt_diagram_new (1, &table);

  for (double inner = 50; inner < 300; inner += 1)
    for (double leaf = 50; leaf < 120; leaf += 3)
      {
        double widths[3] = { 46, leaf, inner };
        g_autoptr (MtDiagramLayout) layout = mt_diagram_layout_new (diagram, widths);

        g_assert_cmpstr (find_fault (layout, diagram), ==, NULL);
        for (guint i = 0; i < 2; i++)
          if (46 / 2 + leaf / 2 + 24 < 2 * (inner / 2 - 12) + 46 / 2 - 8 + leaf / 2 - 8 - 4)   /* they can */
            g_assert_cmpuint (layout->lines[i].n_points, ==, 2);
      }
}

static void
test_planted_faults (void)
{
  MtRandom random;
  g_autoptr (MtDiagram) diagram = NULL;
  g_autofree double *widths = NULL;
  g_autoptr (MtDiagramLayout) layout = NULL;
  MtDiagramBox box;
  MtDiagramPoint point;

  mt_random_init (&random, 2);
  diagram = random_diagram (&random, 6, FALSE);
  widths = random_widths (&random, diagram);
  layout = mt_diagram_layout_new (diagram, widths);
  g_assert_cmpstr (find_fault (layout, diagram), ==, NULL);

  box = layout->boxes[1];
  layout->boxes[1].x = layout->boxes[2].x;
  layout->boxes[1].y = layout->boxes[2].y;
  g_assert_cmpstr (find_fault (layout, diagram), ==, "boxes overlap");
  layout->boxes[1] = box;
  layout->boxes[1].x = -1;
  g_assert_cmpstr (find_fault (layout, diagram), ==, "a box out of bounds");
  layout->boxes[1] = box;
  point = layout->points[0];
  layout->points[0].x -= 1;
  g_assert_nonnull (find_fault (layout, diagram));
  layout->points[0] = point;
  layout->lines[0].high = !layout->lines[0].high;
  g_assert_cmpstr (find_fault (layout, diagram), ==, "a line to the wrong node");
  layout->lines[0].high = !layout->lines[0].high;
  /* A box in the way of a long line. */
  box = layout->boxes[0];
  layout->boxes[0].y = layout->boxes[0].y + 1;
  g_assert_nonnull (find_fault (layout, diagram));
  layout->boxes[0] = box;
  g_assert_cmpstr (find_fault (layout, diagram), ==, NULL);
}

static cairo_status_t
count_bytes (void                *closure,
             const unsigned char *data,
             unsigned int         length)
{
  g_string_append_len (closure, (const char *) data, (gssize) length);
  return CAIRO_STATUS_SUCCESS;
}

/* The rule of the paper's figure, light and dark, as PNG and SVG. MINTERM_PICTURES keeps the files. */
static void
test_paint (void)
{
  const char *names[] = { "Chest pain", "Chest pain", "Oldpeak", "Cholesterol" };
  const char *rests[] = { " is TA", " is ATA", " ≥ 3", " < 168" };
  const char *keep = g_getenv ("MINTERM_PICTURES");
  guint64 table = 0;
  g_autoptr (MtDiagram) diagram = NULL;
  g_autofree MtDiagramLabel *labels = NULL;
  g_autofree double *widths = NULL;
  g_autoptr (MtDiagramLayout) layout = NULL;
  PangoContext *context;
  PangoFontDescription *font = pango_font_description_from_string ("Sans 9");
  const MtDiagramNode *nodes;
  guint trace[17];

  for (guint v = 0; v < 16; v++)
    {
      gboolean ta = v & 1, ata = v >> 1 & 1, oldpeak = v >> 2 & 1, low = v >> 3 & 1;

      table |= (guint64) ((low && oldpeak) || (!ta && oldpeak) || (!ta && !ata && low)) << v;
    }
  diagram = mt_diagram_new (4, &table);
  nodes = mt_diagram_get_nodes (diagram);
  labels = g_new0 (MtDiagramLabel, mt_diagram_get_n_nodes (diagram));
  widths = g_new (double, mt_diagram_get_n_nodes (diagram));
  labels[MT_DIAGRAM_FALSE].rest = "0";
  labels[MT_DIAGRAM_TRUE].rest = "+1.40";
  for (guint i = MT_DIAGRAM_FIRST_INNER; i < mt_diagram_get_n_nodes (diagram); i++)
    labels[i] = (MtDiagramLabel) { names[nodes[i].input], rests[nodes[i].input] };
  context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  mt_draw_diagram_measure (labels, mt_diagram_get_n_nodes (diagram), context, font, widths);
  layout = mt_diagram_layout_new (diagram, widths);
  g_assert_cmpstr (find_fault (layout, diagram), ==, NULL);

  for (guint variant = 0; variant < 4; variant++)
    {
      gboolean dark = variant & 1;
      g_autofree char *name = g_strdup_printf ("diagram-%u.%s", variant, variant < 2 ? "png" : "svg");
      g_autofree char *path = g_build_filename (keep != NULL ? keep : g_get_tmp_dir (), name, NULL);
      g_autoptr (GString) bytes = g_string_new (NULL);
      cairo_surface_t *surface = variant < 2
        ? cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) layout->width, (int) layout->height)
        : cairo_svg_surface_create_for_stream (count_bytes, bytes, layout->width, layout->height);
      cairo_t *cr = cairo_create (surface);
      MtPalette palette;

      mt_palette_init (&palette, dark, FALSE);
      if (dark)
        cairo_set_source_rgb (cr, 0.17, 0.17, 0.17);
      else
        cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_paint (cr);
      mt_draw_diagram (cr, layout, labels, dark ? -1.4 : 1.4, trace,
                       variant == 1 ? mt_diagram_trace (diagram, 12, trace) : 0, context, font, &palette);
      g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
      cairo_destroy (cr);
      cairo_surface_flush (surface);
      if (variant >= 2)
        {
          cairo_surface_finish (surface);
          g_assert_cmpuint (bytes->len, >, 2000);
          g_assert_nonnull (strstr (bytes->str, "</svg>"));
        }
      else if (keep != NULL)
        g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
      else
        {
          const guint32 *pixels = (const guint32 *) (gpointer) cairo_image_surface_get_data (surface);
          guint n_inked = 0;

          for (int i = 0; i < cairo_image_surface_get_stride (surface) / 4 * (int) layout->height; i++)
            n_inked += pixels[i] != pixels[0];
          g_assert_cmpuint (n_inked, >, 1000);
        }
      cairo_surface_destroy (surface);
    }
  g_object_unref (context);
  pango_font_description_free (font);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout-diagram/geometry", test_geometry);
  g_test_add_func ("/layout-diagram/bends", test_bends);
  g_test_add_func ("/layout-diagram/single-condition", test_single_condition);
  g_test_add_func ("/layout-diagram/planted-faults", test_planted_faults);
  g_test_add_func ("/layout-diagram/paint", test_paint);
  return g_test_run ();
}
