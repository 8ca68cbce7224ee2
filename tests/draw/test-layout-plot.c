#include "config.h"

#include <math.h>
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "draw/mt-draw-plot.h"
#include "base/mt-error.h"
#include "base/mt-random.h"
#include "plot-checks.h"

/* --- the plot --- */

static const MtPlotBenchmark benchmarks[] = {
  { 0.927, "Logistic regression, all columns 0.927" },
  { 0.923, "Boosted trees 0.923" },
  { 0.887, "Decision tree, 8 leaves 0.887" },
  { 0.5, "Intercept only 0.500" },
};

static MtPlotPoint *
make_points (guint n)
{
  MtPlotPoint *points = g_new0 (MtPlotPoint, MAX (n, 1));
  MtRandom random;

  mt_random_init (&random, 42);
  for (guint i = 0; i < n; i++)
    {
      double literals = 2 + floor (pow (mt_random_double (&random), 2) * 60);
      double quality = 0.93 - 0.25 / literals - 0.03 * mt_random_double (&random);

      points[i] = (MtPlotPoint) { literals, quality, 0.006 + 0.01 * mt_random_double (&random), i % 5 };
    }
  return points;
}

static MtPlotSpec
make_spec (const MtPlotPoint *points,
           guint              n)
{
  MtPlotSpec spec;

  mt_plot_spec_init (&spec);
  spec.points = points;
  spec.n_points = n;
  spec.benchmarks = benchmarks;
  spec.n_benchmarks = G_N_ELEMENTS (benchmarks);
  spec.zone_label = "50 literals or fewer";
  spec.x_title = "Model size in literals (log scale)";
  spec.callout_title = "Recommended: 15 literals";
  spec.callout_text = "AUC 0.923 ± 0.010, 5 folds";
  return spec;
}

static void
test_sizes (void)
{
  static const guint counts[] = { 0, 1, 2, 13, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint log = 0; log < 2; log++)
      for (double width = 40; width <= 1640; width += 200)
        {
          guint n = counts[i];
          g_autofree MtPlotPoint *points = make_points (n);
          MtPlotSpec spec = make_spec (points, n);
          g_autoptr (MtPlotLayout) layout = NULL;

          spec.log = log;
          spec.recommended = n > 0 ? (int) n / 2 : -1;
          spec.pinned_a = n > 1 ? 0 : -1;
          spec.pinned_b = n > 1 ? 1 : -1;
          layout = mt_plot_layout_new (&spec, width, width * 0.6, mt_check_measure, NULL);
          g_assert_cmpuint (layout->n_marks, ==, n);
          mt_check_no_overlaps (layout->texts);
          for (guint j = 0; j < n; j++)
            {
              const MtPlotMark *mark = &layout->marks[j];

              g_assert_true (mark->visible);
              g_assert_true (isfinite (mark->x) && isfinite (mark->y));
              g_assert_cmpfloat (mark->x, >=, layout->area.x);
              g_assert_cmpfloat (mark->x, <=, layout->area.x + layout->area.width);
              g_assert_true (mark->dominated == isnan (mark->low));
            }
        }
}

/* The wording of the frontier in the drawing: no point has both fewer literals and more quality. */
static void
test_staircase (void)
{
  enum { N = 300 };
  g_autofree MtPlotPoint *points = make_points (N);
  gboolean dominated[N];
  MtPlotSpec spec;
  g_autoptr (MtPlotLayout) layout = NULL;
  guint n_best = 0;

  points[7].quality = NAN;
  points[8].literals = INFINITY;
  mt_plot_find_dominated (points, N, dominated);
  g_assert_true (dominated[7] && dominated[8]);
  for (guint i = 0; i < N; i++)
    {
      gboolean beaten = i == 7 || i == 8;

      for (guint j = 0; j < N; j++)
        if (j != 7 && j != 8 && i != j && points[j].literals <= points[i].literals &&
            points[j].quality >= points[i].quality &&
            (points[j].literals < points[i].literals || points[j].quality > points[i].quality || j < i))
          beaten = TRUE;
      g_assert_cmpint (dominated[i], ==, beaten);
      n_best += beaten ? 0 : 1;
    }
  spec = make_spec (points, N);
  layout = mt_plot_layout_new (&spec, 800, 500, mt_check_measure, NULL);
  g_assert_false (layout->marks[7].visible);
  g_assert_cmpuint (layout->stairs->len, ==, 2 * n_best);
  for (guint i = 1; i < layout->stairs->len; i++)
    {
      const MtXY *a = &g_array_index (layout->stairs, MtXY, i - 1);
      const MtXY *b = &g_array_index (layout->stairs, MtXY, i);

      g_assert_true (a->x == b->x || a->y == b->y);
      g_assert_cmpfloat (b->x, >=, a->x);
      g_assert_cmpfloat (b->y, <=, a->y);
    }
}

/* Ten points far apart, then twenty side by side, of which one is recommended. */
static void
test_crowded (void)
{
  enum { APART = 10, N = 30, CHOSEN = 20 };
  MtPlotPoint points[N];
  MtPlotSpec spec;
  g_autoptr (MtPlotLayout) layout = NULL, wide = NULL;

  for (guint i = 0; i < N; i++)
    points[i] = (MtPlotPoint) { i < APART ? 10 * (i + 1) : 110 + i, 0.5 + 0.01 * i, 0.01, 0 };
  spec = make_spec (points, N);
  spec.log = FALSE;
  spec.recommended = CHOSEN;
  layout = mt_plot_layout_new (&spec, 500, 400, mt_check_measure, NULL);
  for (guint i = 0; i < N; i++)
    {
      const MtPlotMark *mark = &layout->marks[i];

      g_assert_cmpint (mark->crowded, ==, i >= APART && i != CHOSEN);
      g_assert_cmpfloat (mark->radius, ==, layout->marks[mark->crowded ? N - 1 : 0].radius);
      g_assert_false (isnan (mark->low));   /* none is left out */
    }
  g_assert_cmpfloat (layout->marks[N - 1].radius, <, layout->marks[0].radius);
  wide = mt_plot_layout_new (&spec, 5000, 400, mt_check_measure, NULL);
  for (guint i = 0; i < N; i++)
    g_assert_false (wide->marks[i].crowded);
}

static void
test_labels (void)
{
  g_autofree MtPlotPoint *points = make_points (13);
  MtPlotSpec spec = make_spec (points, 13);
  g_autoptr (MtPlotLayout) layout = NULL;
  g_autoptr (MtPlotLayout) tiny = NULL;
  int best = 0;

  for (int i = 1; i < 13; i++)
    if (points[i].quality > points[best].quality)
      best = i;
  spec.recommended = best;
  spec.selected = best;
  spec.pinned_a = best;
  layout = mt_plot_layout_new (&spec, 900, 520, mt_check_measure, NULL);
  g_assert_cmpint (layout->recommended, ==, best);
  g_assert_cmpint (layout->selected, ==, best);
  g_assert_cmpfloat (layout->callout.width, >, 0);
  g_assert_cmpfloat (layout->badges[0].width, >, 0);
  g_assert_cmpfloat (layout->badges[1].width, ==, 0);
  /* The badge hangs on its mark. */
  g_assert_cmpfloat_with_epsilon (hypot (layout->stalks[0][0].x - layout->marks[best].x,
                                         layout->stalks[0][0].y - layout->marks[best].y), layout->marks[best].radius, 1e-9);
  g_assert_cmpfloat_with_epsilon (layout->stalks[0][1].x, layout->badges[0].x + layout->badges[0].width / 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (layout->stalks[0][1].y, layout->badges[0].y + layout->badges[0].height / 2, 1e-9);
  g_assert_true (mt_check_has_text (layout->texts, "A"));
  g_assert_true (mt_check_has_text (layout->texts, spec.callout_title));
  g_assert_true (mt_check_has_text (layout->texts, spec.callout_text));
  g_assert_true (mt_check_has_text (layout->texts, spec.zone_label));
  g_assert_true (mt_check_has_text (layout->texts, spec.x_title));
  g_assert_true (mt_check_has_text (layout->texts, benchmarks[0].label));
  /* Too far below to be shown. */
  g_assert_false (mt_check_has_text (layout->texts, benchmarks[3].label));
  g_assert_cmpuint (layout->benchmarks->len, ==, 3);
  g_assert_true (layout->zone_edge);
  for (guint i = 0; i < layout->texts->len; i++)
    {
      const MtPlotText *text = &g_array_index (layout->texts, MtPlotText, i);

      g_assert_cmpfloat (text->box.x, >=, 0);
      g_assert_cmpfloat (text->box.x + text->box.width, <=, layout->width);
      g_assert_cmpfloat (text->box.y + text->box.height, <=, layout->height + 0.5);
    }
  /* No room: labels are dropped, never drawn over each other. */
  tiny = mt_plot_layout_new (&spec, 120, 90, mt_check_measure, NULL);
  mt_check_no_overlaps (tiny->texts);
  g_assert_false (mt_check_has_text (tiny->texts, spec.callout_title));
}

/* In a narrow plot less is said of the recommended point, but something, wherever it is, and over no other text. */
static void
test_narrow_callout (void)
{
  g_autofree MtPlotPoint *points = make_points (13);
  MtPlotSpec spec = make_spec (points, 13);
  guint n_full = 0, n_short = 0;

  spec.callout_short = "Recommended";
  for (double width = 240; width < 420; width += 20)
    for (int i = 0; i < 13; i++)
      {
        g_autoptr (MtPlotLayout) layout = NULL;
        guint said;

        spec.recommended = i;
        spec.pinned_a = (i + 1) % 13;
        layout = mt_plot_layout_new (&spec, width, 300, mt_check_measure, NULL);
        mt_check_no_overlaps (layout->texts);
        said = mt_check_has_text (layout->texts, spec.callout_title) + mt_check_has_text (layout->texts, spec.callout_short);
        g_assert_cmpuint (said, ==, 1);
        n_full += mt_check_has_text (layout->texts, spec.callout_text);
        n_short += mt_check_has_text (layout->texts, spec.callout_short);
        g_assert_cmpfloat (layout->callout.x, >=, layout->area.x);
        g_assert_cmpfloat (layout->callout.x + layout->callout.width, <=, layout->area.x + layout->area.width + 1e-9);
        /* The leader is level or upright, from the point to the callout's edge. */
        g_assert_cmpfloat (layout->leader[0].x, ==, layout->marks[i].x);
        g_assert_cmpfloat (layout->leader[1].x, ==, layout->marks[i].x);
        g_assert_cmpfloat (layout->leader[1].y, ==, layout->leader[2].y);
        g_assert_cmpfloat (layout->leader[2].x, >=, layout->callout.x);
        g_assert_cmpfloat (layout->leader[2].x, <=, layout->callout.x + layout->callout.width);
      }
  g_assert_cmpuint (n_full, >, 0);
  g_assert_cmpuint (n_short, >, 0);
}

/* A picture by itself says what is measured, and of what; the plot begins below that. */
static void
test_heading (void)
{
  g_autofree MtPlotPoint *points = make_points (13);
  MtPlotSpec spec = make_spec (points, 13);
  g_autoptr (MtPlotLayout) bare = mt_plot_layout_new (&spec, 900, 520, mt_check_measure, NULL);
  g_autoptr (MtPlotLayout) layout = NULL;
  g_autoptr (MtPlotLayout) narrow = NULL;

  spec.title = "Cross-validated AUC";
  spec.subtitle = "Predicts approved = yes";
  layout = mt_plot_layout_new (&spec, 900, 520, mt_check_measure, NULL);
  mt_check_no_overlaps (layout->texts);
  g_assert_true (mt_check_has_text (layout->texts, spec.title));
  g_assert_true (mt_check_has_text (layout->texts, spec.subtitle));
  g_assert_cmpfloat (layout->area.y, >, bare->area.y);
  g_assert_cmpfloat (layout->area.y + layout->area.height, ==, bare->area.y + bare->area.height);
  narrow = mt_plot_layout_new (&spec, 180, 300, mt_check_measure, NULL);
  g_assert_false (mt_check_has_text (narrow->texts, spec.subtitle));
  g_assert_true (g_str_has_prefix (g_array_index (narrow->texts, MtPlotText, 1).text, "Predicts a"));
  g_assert_true (g_str_has_suffix (g_array_index (narrow->texts, MtPlotText, 1).text, "…"));
  g_assert_cmpfloat (g_array_index (narrow->texts, MtPlotText, 1).box.x +
                     g_array_index (narrow->texts, MtPlotText, 1).box.width, <=, 180);
}

/* What colours and shapes stand for is said above the plot, on as many lines as it takes. */
static void
test_legend (void)
{
  const MtPlotLegendEntry legend[] = {
    { 0, "TT-Sparse with search" }, { 1, "TT-Sparse as in the paper" }, { 2, "Search only" },
    { MT_PLOT_SERIES_EDITED, "Edited model" }, { MT_PLOT_SERIES_NONE, "and 12 more" },
  };
  g_autofree MtPlotPoint *points = make_points (13);
  MtPlotSpec spec = make_spec (points, 13);
  double before = 0;

  spec.title = "Cross-validated AUC";
  for (guint width = 1000; width >= 300; width -= 50)
    {
      g_autoptr (MtPlotLayout) layout = NULL;

      spec.legend = legend;
      spec.n_legend = G_N_ELEMENTS (legend);
      layout = mt_plot_layout_new (&spec, width, 520, mt_check_measure, NULL);
      mt_check_no_overlaps (layout->texts);
      g_assert_cmpuint (layout->legend->len, ==, G_N_ELEMENTS (legend));
      for (guint i = 0; i < G_N_ELEMENTS (legend); i++)
        {
          const MtPlotLegendMark *mark = &g_array_index (layout->legend, MtPlotLegendMark, i);
          const MtBox *box = mt_check_box_of (layout->texts, legend[i].label);

          g_assert_nonnull (box);
          g_assert_cmpuint (mark->series, ==, legend[i].series);
          g_assert_cmpfloat (mark->x, <, box->x);
          g_assert_cmpfloat (box->x + box->width, <=, width);
          g_assert_cmpfloat (box->y + box->height, <=, layout->area.y);
        }
      g_assert_cmpfloat (layout->area.y, >=, before);
      before = layout->area.y;
    }
}

static guint32
pixel_at (cairo_surface_t *surface,
          double           x,
          double           y)
{
  cairo_surface_flush (surface);
  return ((const guint32 *) (gconstpointer) cairo_image_surface_get_data (surface))
           [(int) y * cairo_image_surface_get_width (surface) + (int) x];
}

/* A model edited a little lies where the recommended one does, and is seen there. */
static void
test_edited_over_ring (void)
{
  const MtPlotPoint points[] = { { 2, 0.7, 0.01, 0 }, { 20, 0.8, 0.01, 0 }, { 20, 0.802, 0.01, MT_PLOT_SERIES_EDITED } };
  MtPlotSpec spec = make_spec (points, G_N_ELEMENTS (points));
  MtPlotFonts *fonts = mt_plot_fonts_new (g_object_ref_sink (pango_font_map_create_context (pango_cairo_font_map_get_default ())),
                                          NULL);
  cairo_surface_t *whole = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 600, 400);
  cairo_surface_t *alone = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 600, 400);
  cairo_t *cr = cairo_create (whole);
  g_autoptr (MtPlotLayout) layout = NULL;
  MtPlotPalette palette;

  spec.recommended = 1;
  mt_plot_palette_init (&palette, FALSE, FALSE);
  layout = mt_plot_layout_new (&spec, 600, 400, mt_plot_measure, fonts);
  mt_draw_plot (cr, layout, fonts, &palette);
  cairo_destroy (cr);
  cr = cairo_create (alone);
  mt_draw_plot_mark (cr, &palette, MT_PLOT_SERIES_EDITED, layout->marks[2].x, layout->marks[2].y, layout->marks[2].radius);
  cairo_destroy (cr);
  g_assert_cmpfloat (hypot (layout->marks[2].x - layout->marks[1].x, layout->marks[2].y - layout->marks[1].y), <, 12);
  g_assert_cmphex (pixel_at (whole, layout->marks[2].x, layout->marks[2].y), ==,
                   pixel_at (alone, layout->marks[2].x, layout->marks[2].y));
  cairo_surface_destroy (whole);
  cairo_surface_destroy (alone);
  mt_plot_fonts_free (fonts);
}

/* The line of the intercept lies low, where the name of the zone likes to be. */
static void
test_zone_and_lines (void)
{
  const MtPlotPoint points[] = { { 1, 0.5, 0, 0 }, { 2, 0.6, 0.01, 0 }, { 3, 0.67, 0.01, 0 }, { 8, 0.74, 0.01, 0 },
                                 { 21, 0.783, 0.01, 0 }, { 109, 0.79, 0.01, 0 } };
  MtPlotSpec spec = make_spec (points, G_N_ELEMENTS (points));

  for (guint height = 260; height <= 700; height += 20)
    {
      g_autoptr (MtPlotLayout) layout = mt_plot_layout_new (&spec, 820, height, mt_check_measure, NULL);
      const MtBox *zone = mt_check_box_of (layout->texts, spec.zone_label);

      g_assert_nonnull (zone);
      for (guint i = 0; i < layout->benchmarks->len; i++)
        {
          double y = g_array_index (layout->benchmarks, MtPlotLine, i).y;

          g_assert_true (y < zone->y || y > zone->y + zone->height);
        }
    }
}

static gboolean
is_crossed (const MtBox *box,
            MtXY         a,
            MtXY         b)
{
  MtBox line = { MIN (a.x, b.x) - 0.5, MIN (a.y, b.y) - 0.5, fabs (a.x - b.x) + 1, fabs (a.y - b.y) + 1 };

  return mt_box_overlaps (box, &line);
}

/* No line runs through a name, in a narrow plot either: rather the name is left out. */
static void
test_names_and_lines (void)
{
  const MtPlotPoint points[] = { { 1, 0.5, 0, 0 }, { 2, 0.6, 0.01, 0 }, { 3, 0.67, 0.01, 0 }, { 4, 0.711, 0.013, 0 },
                                 { 5, 0.718, 0.01, 0 }, { 8, 0.74, 0.01, 0 }, { 12, 0.766, 0.012, 0 },
                                 { 17, 0.778, 0.013, 0 }, { 60, 0.785, 0.01, 0 }, { 120, 0.787, 0.01, 0 } };
  static const MtPlotBenchmark names[] = {
    { 0.768, "Boosted trees, 30 trees 0.768", TRUE }, { 0.725, "Logistic regression, 23 terms 0.725" },
    { 0.699, "Decision tree, 6 leaves 0.699" }, { 0.5, "Intercept only 0.500" },
  };
  MtPlotSpec spec = make_spec (points, G_N_ELEMENTS (points));
  guint n_left_out = 0;

  spec.benchmarks = names;
  spec.recommended = 7;
  spec.callout_short = "Recommended";
  for (double width = 240; width <= 900; width += 30)
    for (double height = 240; height <= 540; height += 60)
      {
        g_autoptr (MtPlotLayout) layout = mt_plot_layout_new (&spec, width, height, mt_check_measure, NULL);

        for (guint i = 0; i <= G_N_ELEMENTS (names); i++)
          {
            const char *name = i < G_N_ELEMENTS (names) ? names[i].label : spec.zone_label;
            const MtBox *box = mt_check_box_of (layout->texts, name);

            n_left_out += box == NULL;
            if (width >= 840 && height >= 300)
              g_assert_nonnull (box);   /* there is room for all */
            for (guint k = 1; box != NULL && k < layout->stairs->len; k++)
              if (is_crossed (box, g_array_index (layout->stairs, MtXY, k - 1), g_array_index (layout->stairs, MtXY, k)))
                g_error ("%g × %g: the staircase crosses “%s”", width, height, name);
            for (guint k = 0; box != NULL && k < layout->benchmarks->len; k++)
              {
                double y = g_array_index (layout->benchmarks, MtPlotLine, k).y;

                g_assert_false (is_crossed (box, (MtXY) { layout->area.x, y }, (MtXY) { width, y }));
              }
            if (box != NULL && layout->zone_edge)
              g_assert_false (is_crossed (box, (MtXY) { layout->zone_right, 0 }, (MtXY) { layout->zone_right, height }));
          }
      }
  g_assert_cmpuint (n_left_out, >, 0);
}

static void
test_zoomed (void)
{
  g_autofree MtPlotPoint *points = make_points (200);
  MtPlotSpec spec = make_spec (points, 200);
  g_autoptr (MtPlotLayout) layout = NULL;
  guint n_visible = 0;

  spec.x_low = 10;
  spec.x_high = 30;
  spec.y_low = 0.90;
  spec.y_high = 0.93;
  spec.zone = 5;
  spec.recommended = 500;
  layout = mt_plot_layout_new (&spec, 800, 500, mt_check_measure, NULL);
  g_assert_true (isnan (layout->zone_right));
  g_assert_cmpint (layout->recommended, ==, -1);
  for (guint i = 0; i < 200; i++)
    {
      gboolean in_view = points[i].literals >= 10 && points[i].literals <= 30 && points[i].quality >= 0.90 &&
                         points[i].quality <= 0.93;

      n_visible += layout->marks[i].visible ? 1 : 0;
      if (in_view)
        g_assert_true (layout->marks[i].visible);
    }
  g_assert_cmpuint (n_visible, >, 0);
  g_assert_cmpuint (n_visible, <, 200);
}

/* Zooming keeps what is under the pointer there; nothing leaves the whole. */
static void
test_view (void)
{
  MtRandom random;

  mt_random_init (&random, 21);
  for (guint i = 0; i < 400; i++)
    {
      gboolean log = i % 2;
      double at = mt_random_double (&random), factor = 0.3 + mt_random_double (&random), low, high;
      MtAxis full, part, again;

      mt_axis_init (&full, log ? 2 : -1, 90, log, '.');
      mt_axis_init (&part, log ? 5 : 3, 40, log, '.');
      mt_axis_view (&part, &full, at - at * factor, at + (1 - at) * factor, &low, &high);
      g_assert_cmpfloat (low, >=, full.low - 1e-9);
      g_assert_cmpfloat (high, <=, full.high + 1e-9);
      g_assert_cmpfloat (low, <, high);
      mt_axis_init (&again, low, high, log, '.');
      if (low > full.low + 1e-6 && high < full.high - 1e-6)
        g_assert_cmpfloat_with_epsilon (mt_axis_position (&again, mt_axis_value (&part, at)), at, 1e-9);
      /* Far out shows all, far in stops at a fiftieth, far aside stays at the end with its width. */
      mt_axis_view (&part, &full, -20, 20, &low, &high);
      g_assert_cmpfloat_with_epsilon (low, full.low, 1e-9);
      g_assert_cmpfloat_with_epsilon (high, full.high, 1e-9);
      mt_axis_view (&part, &full, 0.5, 0.5, &low, &high);
      g_assert_cmpfloat_with_epsilon (mt_axis_position (&full, high) - mt_axis_position (&full, low), 0.02, 1e-9);
      mt_axis_view (&part, &full, 9, 10, &low, &high);
      g_assert_cmpfloat_with_epsilon (high, full.high, 1e-9);
      g_assert_cmpfloat_with_epsilon (mt_axis_position (&full, high) - mt_axis_position (&full, low),
                                      mt_axis_position (&full, part.high) - mt_axis_position (&full, part.low), 1e-9);
    }
}

static void
test_note (void)
{
  g_autofree MtPlotPoint *points = make_points (80);
  MtPlotSpec spec = make_spec (points, 80);
  g_autoptr (MtPlotLayout) layout = mt_plot_layout_new (&spec, 700, 420, mt_check_measure, NULL);

  for (int i = 0; i < 80; i++)
    {
      const MtPlotMark *mark = &layout->marks[i];
      MtBox around = { mark->x - mark->radius, mark->y - mark->radius, 2 * mark->radius, 2 * mark->radius };
      MtBox box;

      mt_plot_layout_place_note (layout, i, 130, 40, &box);
      g_assert_false (mt_box_overlaps (&around, &box));
      g_assert_true (box.x >= 0 && box.y >= 0 && box.x + box.width <= 700 && box.y + box.height <= 420);
    }
}

static void
test_hit (void)
{
  const MtPlotPoint points[] = { { 5, 0.90, NAN, 0 }, { 5.2, 0.8995, NAN, 1 }, { 40, 0.92, 0.01, 2 } };
  MtPlotSpec spec = make_spec (points, 3);
  g_autoptr (MtPlotLayout) layout = mt_plot_layout_new (&spec, 800, 500, mt_check_measure, NULL);
  const MtPlotMark *marks = layout->marks;

  g_assert_true (marks[1].dominated);
  g_assert_cmpint (mt_plot_layout_hit (layout, marks[0].x, marks[0].y), ==, 0);
  g_assert_cmpint (mt_plot_layout_hit (layout, marks[2].x + 10, marks[2].y), ==, 2);
  g_assert_cmpint (mt_plot_layout_hit (layout, marks[2].x + 30, marks[2].y), ==, -1);
  /* Between the two, the one on the staircase. */
  g_assert_cmpint (mt_plot_layout_hit (layout, (marks[0].x + marks[1].x) / 2, marks[0].y), ==, 0);
}

static void
test_keyboard (void)
{
  const MtPlotPoint points[] = {
    { 20, 0.92, NAN, 0 }, { 5, 0.85, NAN, 0 }, { 10, 0.90, NAN, 0 }, { 10, 0.88, NAN, 1 }, { 10, 0.86, NAN, 1 },
    { NAN, 0.9, NAN, 0 },
  };
  MtPlotSpec spec = make_spec (points, 6);
  g_autoptr (MtPlotLayout) layout = mt_plot_layout_new (&spec, 800, 500, mt_check_measure, NULL);
  MtPlotSpec empty_spec = make_spec (points, 0);
  g_autoptr (MtPlotLayout) empty = mt_plot_layout_new (&empty_spec, 800, 500, mt_check_measure, NULL);

  g_assert_cmpint (mt_plot_layout_neighbour (layout, -1, MT_PLOT_RIGHT), ==, 1);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, -1, MT_PLOT_LEFT), ==, 0);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 5, MT_PLOT_RIGHT), ==, 1);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 99, MT_PLOT_RIGHT), ==, 1);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 1, MT_PLOT_RIGHT), ==, 2);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 2, MT_PLOT_RIGHT), ==, 0);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 0, MT_PLOT_RIGHT), ==, 0);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 0, MT_PLOT_LEFT), ==, 2);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 1, MT_PLOT_LEFT), ==, 1);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 2, MT_PLOT_DOWN), ==, 3);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 3, MT_PLOT_DOWN), ==, 4);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 4, MT_PLOT_UP), ==, 3);
  g_assert_cmpint (mt_plot_layout_neighbour (layout, 3, MT_PLOT_RIGHT), ==, 0);
  g_assert_cmpint (mt_plot_layout_neighbour (empty, -1, MT_PLOT_RIGHT), ==, -1);
}

/* --- painting --- */

static char *
make_folder (void)
{
  const char *chosen = g_getenv ("MINTERM_PICTURES");
  g_autoptr (GError) error = NULL;
  char *folder = chosen != NULL ? g_strdup (chosen) : g_dir_make_tmp ("minterm-plot-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

/* Exported pictures are real ones and equal runs give equal bytes. With MINTERM_PICTURES they
 * stay there to be looked at. */
static void
test_export (void)
{
  static const struct { const char *name; const char *magic; } files[] = {
    { "frontier.png", "\x89PNG" }, { "frontier.svg", "<?xml" }, { "frontier.pdf", "%PDF" },
  };
  g_autofree char *folder = make_folder ();
  g_autofree MtPlotPoint *points = make_points (90);
  MtPlotSpec spec = make_spec (points, 90);
  g_autofree char *impossible = g_build_filename (folder, "none", "x.png", NULL);
  g_autoptr (GError) error = NULL;
  MtPictureFormat format;
  MtPlotPalette palette;
  gboolean dominated[90];

  mt_plot_find_dominated (points, 90, dominated);
  for (int i = 0; i < 90; i++)
    if (!dominated[i] && points[i].literals > 10 && (spec.recommended < 0 || points[i].literals < 20))
      spec.recommended = i;
    else if (!dominated[i])
      {
        spec.pinned_b = spec.pinned_a;
        spec.pinned_a = i;
      }
  g_setenv ("SOURCE_DATE_EPOCH", "1700000000", TRUE);
  mt_plot_palette_init (&palette, FALSE, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);
      g_autofree char *first = NULL;
      g_autofree char *second = NULL;
      gsize n_first, n_second;

      g_assert_true (mt_picture_format_from_name (path, &format));
      g_assert_true (mt_plot_export (&spec, 780, 520, &palette, format, 2, path, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &first, &n_first, NULL));
      g_assert_cmpmem (first, strlen (files[i].magic), files[i].magic, strlen (files[i].magic));
      g_assert_true (mt_plot_export (&spec, 780, 520, &palette, format, 2, path, &error));
      g_assert_true (g_file_get_contents (path, &second, &n_second, NULL));
      g_assert_cmpmem (first, n_first, second, n_second);
      if (g_getenv ("MINTERM_PICTURES") == NULL)
        g_remove (path);
    }
  g_assert_false (mt_picture_format_from_name ("plot.bmp", &format));
  g_assert_false (mt_plot_export (&spec, 5, 520, &palette, format, 2, impossible, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_clear_error (&error);
  g_assert_false (mt_plot_export (&spec, 780, 520, &palette, format, 2, impossible, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  if (g_getenv ("MINTERM_PICTURES") == NULL)
    g_rmdir (folder);
}

static void
save_or_drop (cairo_surface_t *surface,
              const char      *name)
{
  const char *folder = g_getenv ("MINTERM_PICTURES");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;

  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  if (path != NULL)
    cairo_surface_write_to_png (surface, path);
  cairo_surface_destroy (surface);
}

static guint
count_colors (cairo_surface_t *surface)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  const guint32 *pixels;

  cairo_surface_flush (surface);
  pixels = (const guint32 *) (gconstpointer) cairo_image_surface_get_data (surface);
  for (int i = 0; i < cairo_image_surface_get_width (surface) * cairo_image_surface_get_height (surface); i++)
    g_hash_table_add (seen, GUINT_TO_POINTER (pixels[i]));
  return g_hash_table_size (seen);
}

static void
test_paint (void)
{
  g_autofree double *validation = mt_check_make_curve (74, 0.55, 0.297);
  g_autofree double *training = mt_check_make_curve (74, 0.54, 0.285);
  const MtCurve curves[] = {
    { validation, 74, "Validation 0.297", 0, FALSE },
    { training, 74, "Training 0.286", 1, TRUE },
  };
  g_autofree MtPlotPoint *points = make_points (60);
  MtCurvesSpec curves_spec;

  training[30] = NAN;
  mt_curves_spec_init (&curves_spec);
  curves_spec.curves = curves;
  curves_spec.n_curves = 2;
  curves_spec.x_high = 120;
  curves_spec.best_curve = 0;
  curves_spec.best_index = 17;
  curves_spec.best_label = "Best 0.285";
  curves_spec.x_title = "Epoch";
  for (guint look = 0; look < 4; look++)
    {
      gboolean dark = look & 1;
      MtPlotSpec spec = make_spec (points, 60);
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 800, 800);
      cairo_t *cr = cairo_create (surface);
      PangoContext *context = pango_cairo_create_context (cr);
      g_autoptr (PangoFontDescription) base = pango_font_description_from_string ("Sans 13");
      g_autoptr (MtPlotFonts) fonts = mt_plot_fonts_new (context, look < 2 ? NULL : base);
      g_autoptr (MtPlotLayout) layout = NULL;
      g_autoptr (MtCurvesLayout) chart = NULL;
      g_autofree char *name = g_strdup_printf ("look-%u.png", look);
      MtPlotPalette palette;

      spec.log = look != 2;
      spec.recommended = 5;
      spec.selected = 9;
      layout = mt_plot_layout_new (&spec, 780, 500, mt_plot_measure, fonts);
      chart = mt_curves_layout_new (&curves_spec, 780, 250, mt_plot_measure, fonts);
      mt_check_no_overlaps (layout->texts);
      mt_check_no_overlaps (chart->texts);
      mt_plot_palette_init (&palette, dark, look >= 2);
      cairo_set_source_rgb (cr, palette.background.red, palette.background.green, palette.background.blue);
      cairo_paint (cr);
      g_assert_cmpuint (count_colors (surface), ==, 1);
      cairo_translate (cr, 10, 10);
      mt_draw_plot (cr, layout, fonts, &palette);
      mt_draw_plot_highlight (cr, layout, fonts, &palette, 3, "12 literals", look == 1 ? NULL : "AUC 0.91");
      mt_draw_plot_highlight (cr, layout, fonts, &palette, -1, "none", NULL);
      cairo_translate (cr, 0, 520);
      mt_draw_curves (cr, chart, fonts, &palette);
      g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
      g_assert_cmpuint (count_colors (surface), >, 50);
      g_object_unref (context);
      cairo_destroy (cr);
      save_or_drop (surface, name);
    }
}

/* How long the longest piece of a level line at @y is, in pixels of a picture that is blank around it in the area. */
static guint
find_longest (cairo_surface_t *surface,
              const MtBox     *area,
              double           y)
{
  int width = cairo_image_surface_get_width (surface);
  const guint32 *pixels;
  guint longest = 0;

  cairo_surface_flush (surface);
  pixels = (const guint32 *) (gconstpointer) cairo_image_surface_get_data (surface);
  for (int row = (int) y - 1; row <= (int) y + 1; row++)
    for (int x = (int) area->x + 1, run = 0; x < (int) (area->x + area->width); x++)
      {
        run = pixels[row * width + x] != pixels[0] ? run + 1 : 0;
        longest = MAX (longest, (guint) run);
      }
  return longest;
}

/* A line keeps its style when others leave the view. */
static void
test_benchmark_style (void)
{
  static const MtPlotBenchmark lines[] = {
    { 0.8731, NULL, TRUE }, { 0.8137, NULL, FALSE }, { 0.7529, NULL, FALSE },
  };
  static const double parts[][2] = { { 0.72, 0.92 }, { 0.72, 0.84 }, { 0.79, 0.84 }, { 0.84, 0.92 } };
  const MtPlotPoint point = { 5, 0.6, NAN, 0 };
  MtPlotSpec spec;

  mt_plot_spec_init (&spec);
  spec.points = &point;
  spec.n_points = 1;
  spec.benchmarks = lines;
  spec.n_benchmarks = G_N_ELEMENTS (lines);
  spec.zone = 0;
  spec.x_low = 1;
  spec.x_high = 100;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 500, 400);
      cairo_t *cr = cairo_create (surface);
      PangoContext *context = pango_cairo_create_context (cr);
      g_autoptr (MtPlotFonts) fonts = mt_plot_fonts_new (context, NULL);
      g_autoptr (MtPlotLayout) layout = NULL;
      MtPlotPalette palette;
      guint n = 0;

      spec.y_low = parts[i][0];
      spec.y_high = parts[i][1];
      layout = mt_plot_layout_new (&spec, 500, 400, mt_plot_measure, fonts);
      mt_plot_palette_init (&palette, FALSE, FALSE);
      cairo_set_source_rgb (cr, palette.background.red, palette.background.green, palette.background.blue);
      cairo_paint (cr);
      mt_draw_plot (cr, layout, fonts, &palette);
      for (guint k = 0; k < G_N_ELEMENTS (lines); k++)
        if (lines[k].quality > spec.y_low && lines[k].quality < spec.y_high)
          {
            const MtPlotLine *line = &g_array_index (layout->benchmarks, MtPlotLine, n++);

            g_assert_cmpint (line->dashed, ==, lines[k].dashed);
            if (lines[k].dashed)
              g_assert_cmpuint (find_longest (surface, &layout->area, line->y), >=, 5);
            else
              g_assert_cmpuint (find_longest (surface, &layout->area, line->y), <, 5);
          }
      g_assert_cmpuint (layout->benchmarks->len, ==, n);
      g_object_unref (context);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout-plot/sizes", test_sizes);
  g_test_add_func ("/layout-plot/staircase", test_staircase);
  g_test_add_func ("/layout-plot/crowded", test_crowded);
  g_test_add_func ("/layout-plot/labels", test_labels);
  g_test_add_func ("/layout-plot/narrow-callout", test_narrow_callout);
  g_test_add_func ("/layout-plot/heading", test_heading);
  g_test_add_func ("/layout-plot/legend", test_legend);
  g_test_add_func ("/layout-plot/edited-over-ring", test_edited_over_ring);
  g_test_add_func ("/layout-plot/zoomed", test_zoomed);
  g_test_add_func ("/layout-plot/view", test_view);
  g_test_add_func ("/layout-plot/note", test_note);
  g_test_add_func ("/layout-plot/hit", test_hit);
  g_test_add_func ("/layout-plot/keyboard", test_keyboard);
  g_test_add_func ("/layout-plot/zone-and-lines", test_zone_and_lines);
  g_test_add_func ("/layout-plot/names-and-lines", test_names_and_lines);
  g_test_add_func ("/layout-plot/benchmark-style", test_benchmark_style);
  g_test_add_func ("/layout-plot/export", test_export);
  g_test_add_func ("/layout-plot/paint", test_paint);
  return g_test_run ();
}
