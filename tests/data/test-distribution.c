#include "config.h"

#include <math.h>

#include "draw/mt-draw-distribution.h"

static MtColumn *
numbers (const double *values,
         gsize         n)
{
  return mt_column_new_numbers ("x", MT_TYPE_NUMBER, g_memdup2 (values, n * sizeof (double)), n);
}

static MtDistribution *
distribution_of (const double *values,
                 gsize         n,
                 guint         max_bins)
{
  g_autoptr (MtColumn) column = numbers (values, n);
  g_autoptr (GError) error = NULL;
  MtDistribution *distribution = mt_distribution_new (column, max_bins, 4, NULL, &error);

  g_assert_no_error (error);
  return distribution;
}

/* Every value lies between the edges of its bin, and the counts add up. */
static void
assert_sound (const MtDistribution *d,
              const double         *values,
              gsize                 n,
              guint                 max_bins)
{
  gsize total = 0, finite = 0;

  g_assert_cmpint (d->kind, ==, MT_DISTRIBUTION_HISTOGRAM);
  g_assert_cmpuint (d->n_counts, <=, max_bins);
  for (guint i = 0; i < d->n_counts; i++)
    {
      total += d->counts[i];
      g_assert_cmpfloat (mt_distribution_get_edge (d, i), <, mt_distribution_get_edge (d, i + 1));
    }
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      {
        int bin = mt_distribution_find_bin (d, values[i]);

        finite++;
        g_assert_cmpint (bin, >=, 0);
        g_assert_cmpfloat (mt_distribution_get_edge (d, (guint) bin), <=, values[i]);
        if (bin + 1 < (int) d->n_counts || d->unit_bins)
          g_assert_cmpfloat (values[i], <, mt_distribution_get_edge (d, (guint) bin + 1));
        else
          g_assert_cmpfloat (values[i], <=, mt_distribution_get_edge (d, (guint) bin + 1));
      }
  g_assert_cmpuint (total, ==, finite);
}

static void
test_round_edges (void)
{
  const double tenths[] = { 0, 0.05, 0.1, 0.2, 0.3, 0.3, 0.7, 1.0 };
  const double ages[] = { 28, 31, 40, 54, 54, 77 };
  const double flags[] = { 0, 1, 1, 3 };
  g_autoptr (MtDistribution) d = distribution_of (tenths, G_N_ELEMENTS (tenths), 10);
  g_autoptr (MtDistribution) a = distribution_of (ages, G_N_ELEMENTS (ages), 12);
  g_autoptr (MtDistribution) f = distribution_of (flags, G_N_ELEMENTS (flags), 12);

  assert_sound (d, tenths, G_N_ELEMENTS (tenths), 10);
  g_assert_cmpuint (d->n_counts, ==, 10);
  g_assert_cmpfloat (mt_distribution_get_edge (d, 3), ==, 0.3);   /* the very double */
  g_assert_cmpuint (d->counts[3], ==, 2);
  g_assert_cmpuint (d->counts[9], ==, 1);

  assert_sound (a, ages, G_N_ELEMENTS (ages), 12);
  g_assert_cmpfloat (mt_distribution_get_edge (a, 0), ==, 25);
  g_assert_cmpfloat (mt_distribution_get_edge (a, 1), ==, 30);

  assert_sound (f, flags, G_N_ELEMENTS (flags), 12);
  g_assert_true (f->unit_bins);
  g_assert_cmpuint (f->n_counts, ==, 4);
  g_assert_cmpuint (f->counts[1], ==, 2);
  g_assert_cmpuint (f->counts[2], ==, 0);
}

static void
test_awkward_numbers (void)
{
  const double huge[] = { -1.7e308, 1.7e308, 0 };
  const double tiny[] = { 5e-324, 1e-310, 0 };
  const double far[] = { 1e17, 1e17 + 32, 1e17 + 64 };
  const double same[] = { 4.25, 4.25 };
  const double zero[] = { 0, 0 };
  const double mixed[] = { NAN, INFINITY, -INFINITY, 2, 3 };
  const double nothing[] = { NAN, INFINITY };
  g_autoptr (MtDistribution) d = NULL;

  d = distribution_of (huge, 3, 12);
  assert_sound (d, huge, 3, 12);
  g_clear_pointer (&d, mt_distribution_unref);
  d = distribution_of (tiny, 3, 12);
  assert_sound (d, tiny, 3, 12);
  g_clear_pointer (&d, mt_distribution_unref);
  d = distribution_of (far, 3, 12);
  g_assert_cmpuint (d->n_counts, <=, 12);
  g_clear_pointer (&d, mt_distribution_unref);
  d = distribution_of (same, 2, 12);
  assert_sound (d, same, 2, 12);
  g_assert_cmpuint (d->n_counts, ==, 1);
  g_clear_pointer (&d, mt_distribution_unref);
  d = distribution_of (zero, 2, 12);
  assert_sound (d, zero, 2, 12);
  g_clear_pointer (&d, mt_distribution_unref);
  d = distribution_of (mixed, 5, 12);
  assert_sound (d, mixed, 5, 12);
  g_assert_cmpuint (d->n_infinite, ==, 2);
  g_assert_cmpuint (d->n_missing, ==, 1);
  g_clear_pointer (&d, mt_distribution_unref);
  d = distribution_of (nothing, 2, 12);
  g_assert_cmpint (d->kind, ==, MT_DISTRIBUTION_NONE);
}

/* Many seeded ranges: the edges stay round and hold what they say. */
static void
test_many_ranges (void)
{
  for (guint round = 0; round < 400; round++)
    {
      double values[50];
      double scale = pow (10, g_test_rand_int_range (-12, 12));
      double shift = g_test_rand_double_range (-5, 5) * scale;
      guint max_bins = (guint) g_test_rand_int_range (1, 30);
      g_autoptr (MtDistribution) d = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        {
          values[i] = shift + scale * g_test_rand_double_range (-1, 1);
          if (round % 3 == 0)
            values[i] = rint (values[i]);
        }
      d = distribution_of (values, G_N_ELEMENTS (values), MAX (max_bins, 2));
      assert_sound (d, values, G_N_ELEMENTS (values), MAX (max_bins, 2));
    }
}

static MtDistribution *
levels_of (guint max_levels)
{
  const char *names[] = { "rare", "never", "often", "also often", "some", NULL };
  const guint32 codes[] = { 2, 2, 2, 3, 3, 3, 4, 4, 0, MT_CODE_MISSING };
  g_autoptr (MtColumn) column = mt_column_new_codes ("c", MT_TYPE_CATEGORY, g_strdupv ((char **) names), codes,
                                                     G_N_ELEMENTS (codes));

  return mt_distribution_new (column, 12, max_levels, NULL, NULL);
}

static void
test_levels (void)
{
  g_autoptr (MtDistribution) d = levels_of (2);

  g_assert_cmpint (d->kind, ==, MT_DISTRIBUTION_LEVELS);
  g_assert_cmpuint (d->n_levels, ==, 4);     /* "never" does not occur */
  g_assert_cmpuint (d->n_counts, ==, 2);
  g_assert_cmpstr (d->names[0], ==, "often");
  g_assert_cmpstr (d->names[1], ==, "also often");
  g_assert_cmpuint (d->counts[0], ==, 3);
  g_assert_cmpuint (d->n_other, ==, 3);
  g_assert_cmpuint (d->n_missing, ==, 1);
  g_assert_cmpint (mt_distribution_find_bin (d, 1), ==, -1);
}

static void
test_cancel (void)
{
  const double values[] = { 1, 2 };
  g_autoptr (MtColumn) column = numbers (values, 2);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (mt_distribution_new (column, 12, 4, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_layout_histogram (void)
{
  const double values[] = { 0, 0, 0, 0, 1, 2, 9 };
  g_autoptr (MtDistribution) d = distribution_of (values, G_N_ELEMENTS (values), 12);
  g_autoptr (MtDistributionLayout) layout = mt_distribution_layout_new (d, 100, 40, 0, 9);

  g_assert_cmpuint (layout->n_bars, ==, 10);
  g_assert_cmpfloat (layout->bars[0].height, ==, 40);
  g_assert_cmpfloat (layout->bars[0].y, ==, 0);
  g_assert_cmpfloat (layout->bars[3].height, ==, 0);       /* empty stays empty */
  g_assert_cmpfloat (layout->bars[9].height, ==, 10);
  g_assert_true (layout->bars[9].marked && !layout->bars[0].marked);
  for (guint i = 0; i < layout->n_bars; i++)
    {
      g_assert_cmpfloat (layout->bars[i].x + layout->bars[i].width, <=, 100);
      g_assert_cmpfloat (layout->bars[i].y + layout->bars[i].height, ==, 40);
      g_assert_cmpint (mt_distribution_layout_hit (layout, layout->bars[i].x + 1, 5), ==, (int) i);
    }
  g_assert_cmpint (mt_distribution_layout_hit (layout, -1, 5), ==, -1);
  g_assert_cmpint (mt_distribution_layout_hit (layout, 5, 40), ==, -1);
}

static void
test_layout_levels (void)
{
  g_autoptr (MtDistribution) d = levels_of (4);
  g_autoptr (MtDistributionLayout) roomy = mt_distribution_layout_new (d, 120, 48, 50, NAN);
  g_autoptr (MtDistributionLayout) tight = mt_distribution_layout_new (d, 30, 48, 50, NAN);

  g_assert_cmpuint (roomy->n_bars, ==, 4);
  g_assert_cmpfloat (roomy->label_x, ==, 70);
  g_assert_cmpfloat (roomy->bars[0].width, ==, 62);
  g_assert_cmpfloat (roomy->bars[0].width, ==, roomy->bars[1].width);
  g_assert_cmpfloat (roomy->bars[3].y + roomy->bars[3].height, <=, 48);
  g_assert_cmpint (mt_distribution_layout_hit (roomy, 100, 47), ==, 3);
  g_assert_cmpfloat (tight->label_width, ==, 0);           /* no room for names */
  g_assert_cmpfloat (tight->bars[0].width, ==, 30);
}

/* The painter puts each bar where the layout says, in the colour it says. */
static void
test_draw (void)
{
  const double values[] = { 0, 0, 1 };
  g_autoptr (MtDistribution) d = distribution_of (values, G_N_ELEMENTS (values), 12);
  g_autoptr (MtDistributionLayout) layout = mt_distribution_layout_new (d, 20, 20, 0, 0);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 20, 20);
  cairo_t *cr = cairo_create (surface);
  MtPalette palette;
  const guint32 *pixels;

  mt_palette_init (&palette, FALSE, FALSE);
  mt_draw_distribution (cr, d, layout, NULL, NULL, &palette, &palette.bar, &palette.rest);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = (const guint32 *) (const void *) cairo_image_surface_get_data (surface);
  g_assert_cmphex (pixels[1 * 20 + 4], ==, 0xffe5a50a);    /* marked: the warning colour */
  g_assert_cmphex (pixels[1 * 20 + 14], ==, 0);            /* above the lower bar */
  g_assert_cmphex (pixels[19 * 20 + 14], ==, 0xffc8c6ca);  /* rest */
  cairo_surface_destroy (surface);
}

static void
test_draw_names (void)
{
  g_autoptr (MtDistribution) d = levels_of (4);
  g_autoptr (PangoFontMap) fonts = pango_cairo_font_map_new ();
  PangoContext *context = pango_font_map_create_context (fonts);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans 8");
  double wanted = mt_draw_distribution_measure (d, context, font);
  g_autoptr (MtDistributionLayout) layout = mt_distribution_layout_new (d, 160, 48, wanted, NAN);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 160, 48);
  cairo_t *cr = cairo_create (surface);
  MtPalette palette;
  guint inked = 0;

  g_assert_cmpfloat (wanted, >, 10);
  mt_palette_init (&palette, TRUE, TRUE);
  mt_draw_distribution (cr, d, layout, context, font, &palette, &palette.bar, &palette.bar);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 0; y < 48; y++)
    for (int x = (int) layout->label_x; x < 160; x++)
      inked += cairo_image_surface_get_data (surface)[y * 160 * 4 + x * 4 + 3] > 0;
  g_assert_cmpuint (inked, >, 50);
  g_object_unref (context);
  cairo_surface_destroy (surface);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/distribution/round-edges", test_round_edges);
  g_test_add_func ("/distribution/awkward-numbers", test_awkward_numbers);
  g_test_add_func ("/distribution/many-ranges", test_many_ranges);
  g_test_add_func ("/distribution/levels", test_levels);
  g_test_add_func ("/distribution/cancel", test_cancel);
  g_test_add_func ("/distribution/layout-histogram", test_layout_histogram);
  g_test_add_func ("/distribution/layout-levels", test_layout_levels);
  g_test_add_func ("/distribution/draw", test_draw);
  g_test_add_func ("/distribution/draw-names", test_draw_names);
  return g_test_run ();
}
