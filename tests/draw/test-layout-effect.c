/* Geometry of what numeric columns add, for random columns: lines within bounds and where the numbers say,
 * bars as high as their rows are many. */
#include "config.h"

#include <math.h>

#include "mt-core.h"

static double
seven_a_letter (const char *label,
                gpointer    data)
{
  return 7.0 * (double) g_utf8_strlen (label, -1);
}

static gboolean
is_near (double a,
         double b)
{
  return fabs (a - b) < 1e-6;
}

/* The first thing that is wrong with a layout, or NULL. */
static const char *
find_fault (const MtEffectLayout *layout,
            const MtEffectSpec   *spec)
{
  double right = layout->plot_x + layout->plot_width, bottom = layout->plot_y + layout->plot_height;
  gsize most = 0;
  double highest = 0;

  if (right > layout->width + 1e-9 || layout->axis_y > layout->height)
    return "out of bounds";
  for (guint i = 0; i < layout->x.n_ticks; i++)
    if (layout->x.ticks[i].major && layout->plot_x + layout->x.ticks[i].position * layout->plot_width +
                                    seven_a_letter (layout->x.ticks[i].label, NULL) / 2 > layout->width + 1e-6)
      return "a label out of bounds";
  if (layout->n_lines != spec->n_outputs)
    return "a line too few";
  for (guint o = 0; o < spec->n_outputs; o++)
    for (guint i = 0; i <= 10; i++)
      {
        /* On the line, at a tenth of the range: what the height says is what the column adds there. */
        double value = spec->low + (spec->high - spec->low) * i / 10;
        double y = layout->points[2 * o] + (layout->points[2 * o + 1] - layout->points[2 * o]) * i / 10;
        double told = mt_axis_value (&layout->y, 1 - (y - layout->plot_y) / layout->plot_height);
        double x = mt_effect_layout_place (layout, value);

        if (y < layout->plot_y - 1e-6 || y > bottom + 1e-6)
          return "a line out of bounds";
        if (!layout->x.degenerate && fabs (told - spec->slopes[o] * (value - spec->mean)) >
            1e-6 * (layout->y.high - layout->y.low))
          return "a line that tells another number";
        if (!layout->x.degenerate && !is_near (mt_effect_layout_value (layout, x) / MAX (1, fabs (value)),
                                               value / MAX (1, fabs (value))))
          return "a place that stands for another value";
      }
  if (spec->low <= spec->mean && spec->mean <= spec->high &&
      (layout->mean_x < layout->plot_x - 1e-6 || layout->mean_x > right + 1e-6))
    return "the mean out of bounds";
  if (layout->n_bars != (spec->counts != NULL ? spec->n_bars : 0))
    return "a bar too few";
  for (guint i = 0; i < layout->n_bars; i++)
    {
      most = MAX (most, spec->counts[i]);
      highest = MAX (highest, layout->bars[i].height);
      if (layout->bars[i].y < bottom - 1e-6 || !is_near (layout->bars[i].y + layout->bars[i].height, layout->axis_y))
        return "a bar out of bounds";
    }
  for (guint i = 0; i < layout->n_bars; i++)
    if (fabs (layout->bars[i].height * (double) most - highest * (double) spec->counts[i]) > 1e-6 * (double) most)
      return "a bar of another height";
  return NULL;
}

static void
test_geometry (void)
{
  MtRandom random;

  mt_random_init (&random, 5);
  for (guint round = 0; round < 500; round++)
    {
      double slopes[9];
      gsize counts[40];
      double size = pow (10, 8 * mt_random_double (&random) - 4);
      double low = size * mt_random_normal (&random), high = low + (round % 50 == 0 ? 0 : size * mt_random_double (&random));
      MtEffectSpec spec = { slopes, 1 + round % 9, low + (high - low) * mt_random_double (&random), low, high,
                            round % 3 == 0 ? NULL : counts, 40 };
      g_autoptr (MtEffectLayout) layout = NULL;

      for (guint o = 0; o < 9; o++)
        slopes[o] = round % 7 == 0 && o % 2 == 0 ? 0 : mt_random_normal (&random) / size;
      for (guint i = 0; i < 40; i++)
        counts[i] = mt_random_below (&random, 100);
      layout = mt_effect_layout_new (&spec, 220 + 900 * mt_random_double (&random), 180 + 200 * mt_random_double (&random),
                                     17, '.', seven_a_letter, NULL);
      g_assert_cmpstr (find_fault (layout, &spec), ==, NULL);
    }
}

static double
square_root (double   value,
             gpointer data)
{
  return sqrt (value);
}

/* A curve is drawn where its values are, and is 0 where the term adds nothing. */
static void
test_curve (void)
{
  const double slopes[] = { 0.5 };
  MtEffectSpec spec = { slopes, 1, 2, 0, 25, NULL, 0, square_root, NULL, 4 };
  g_autoptr (MtEffectLayout) layout = mt_effect_layout_new (&spec, 400, 260, 17, '.', seven_a_letter, NULL);

  g_assert_cmpuint (layout->n_points, >, 50);
  g_assert_true (is_near (layout->mean_x, mt_effect_layout_place (layout, 4)));
  for (guint i = 0; i < layout->n_points; i++)
    {
      double x = layout->plot_x + layout->plot_width * i / (layout->n_points - 1);
      double at = slopes[0] * (sqrt (mt_effect_layout_value (layout, x)) - 2);

      g_assert_true (is_near (layout->points[i], layout->plot_y + layout->plot_height * (1 - mt_axis_position (&layout->y, at))));
    }
}

static void
test_planted_faults (void)
{
  const double slopes[] = { 0.5, -0.25 };
  const gsize counts[] = { 1, 5, 3 };
  MtEffectSpec spec = { slopes, 2, 4, 0, 10, counts, 3 };
  g_autoptr (MtEffectLayout) layout = mt_effect_layout_new (&spec, 400, 260, 17, '.', seven_a_letter, NULL);

  g_assert_cmpstr (find_fault (layout, &spec), ==, NULL);
  layout->points[1] += 3;
  g_assert_cmpstr (find_fault (layout, &spec), ==, "a line that tells another number");
  layout->points[0] = -30;
  g_assert_cmpstr (find_fault (layout, &spec), ==, "a line out of bounds");
  mt_effect_layout_free (g_steal_pointer (&layout));
  layout = mt_effect_layout_new (&spec, 400, 260, 17, '.', seven_a_letter, NULL);
  layout->bars[0].height += 1;
  layout->bars[0].y -= 1;
  g_assert_cmpstr (find_fault (layout, &spec), ==, "a bar of another height");
}

/* Both lines leave ink of their own colour. */
static void
test_paint (void)
{
  const double slopes[] = { 0.5, -0.25 };
  const MtColor colors[] = { { 1, 0, 0, 1 }, { 0, 0, 1, 1 } };
  const gsize counts[] = { 1, 5, 3 };
  MtEffectSpec spec = { slopes, 2, 4, 0, 10, counts, 3 };
  g_autoptr (MtEffectLayout) layout = mt_effect_layout_new (&spec, 400, 260, 17, '.', seven_a_letter, NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 400, 260);
  cairo_t *cr = cairo_create (surface);
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string ("Sans 9");
  MtPalette palette;
  const guint32 *pixels;
  guint n_red = 0, n_blue = 0;

  mt_palette_init (&palette, FALSE, FALSE);
  mt_draw_effect (cr, layout, colors, NULL, context, font, &palette);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = (const guint32 *) (gpointer) cairo_image_surface_get_data (surface);
  for (guint i = 0; i < 400 * 260; i++)
    {
      n_red += pixels[i] == 0xffff0000;
      n_blue += pixels[i] == 0xff0000ff;
    }
  g_assert_cmpuint (n_red, >, 200);
  g_assert_cmpuint (n_blue, >, 200);
  cairo_surface_destroy (surface);
  pango_font_description_free (font);
  g_object_unref (context);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout-effect/geometry", test_geometry);
  g_test_add_func ("/layout-effect/curve", test_curve);
  g_test_add_func ("/layout-effect/planted-faults", test_planted_faults);
  g_test_add_func ("/layout-effect/paint", test_paint);
  return g_test_run ();
}
