#include "config.h"

#include <math.h>

#include "draw/mt-layout-curves.h"
#include "plot-checks.h"

static void
test_places (void)
{
  g_autofree double *validation = mt_check_make_curve (74, 0.55, 0.297);
  g_autofree double *training = mt_check_make_curve (74, 0.54, 0.292);
  const MtCurve curves[] = {
    { validation, 74, "Validation 0.297", 0, FALSE },
    { training, 74, "Training 0.292", 1, TRUE },
  };
  MtCurvesSpec spec;
  g_autoptr (MtCurvesLayout) layout = NULL;

  training[10] = NAN;
  mt_curves_spec_init (&spec);
  spec.curves = curves;
  spec.n_curves = 2;
  spec.x_high = 120;
  spec.best_curve = 0;
  spec.best_index = 17;
  spec.best_label = "Best 0.285";
  spec.x_title = "Epoch";
  layout = mt_curves_layout_new (&spec, 780, 220, mt_check_measure, NULL);
  mt_check_no_overlaps (layout->texts);
  g_assert_true (mt_check_has_text (layout->texts, "Validation 0.297"));
  g_assert_true (mt_check_has_text (layout->texts, "Training 0.292"));
  g_assert_true (mt_check_has_text (layout->texts, "Best 0.285"));
  g_assert_cmpuint (layout->lines[0].points->len, ==, 74);
  g_assert_true (isnan (g_array_index (layout->lines[1].points, MtXY, 10).x));
  g_assert_cmpfloat (layout->best.x, ==, g_array_index (layout->lines[0].points, MtXY, 17).x);
  g_assert_cmpuint (mt_curves_layout_step (layout, layout->best.x, layout->best.y), ==, 18);
  g_assert_cmpuint (mt_curves_layout_step (layout, 0, 0), ==, 0);
  g_assert_cmpuint (mt_curves_layout_step (layout, layout->area.x, layout->area.y + 1), ==, 1);
}

/* Sampled finely along all lines: none of them comes into the box. */
static void
assert_on_no_line (const MtCurvesLayout *layout,
                   const MtBox          *box)
{
  for (guint c = 0; c < layout->n_lines; c++)
    for (guint i = 1; i < layout->lines[c].points->len; i++)
      for (guint part = 0; part <= 50; part++)
        {
          const MtXY *a = &g_array_index (layout->lines[c].points, MtXY, i - 1), *b = a + 1;
          double x = a->x + (b->x - a->x) * part / 50, y = a->y + (b->y - a->y) * part / 50;

          g_assert_false (x > box->x && x < box->x + box->width && y > box->y && y < box->y + box->height);
        }
}

/* At a peak the name of the best lies beside it, not on the line that leads up to it; where the line hardly falls
 * after it, farther below. */
static void
test_peak (void)
{
  static const double sharp[] = { .753, .762, .771, .779, .788, .799, .79, .788, .786, .79, .788, .786, .79 };
  static const double gentle[] = { .753, .777, .784, .788, .7905, .799, .7975, .794, .7905, .791, .7915, .7867, .79 };
  const MtCurve curves[] = { { sharp, 13, "Validation 0.790", 0, FALSE }, { gentle, 13, "Validation 0.790", 0, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    for (double width = 300; width <= 900; width += 20)
      {
        g_autoptr (MtCurvesLayout) layout = NULL;
        MtCurvesSpec spec;

        mt_curves_spec_init (&spec);
        spec.curves = &curves[i];
        spec.n_curves = 1;
        spec.x_high = 33;
        spec.best_curve = 0;
        spec.best_index = 5;
        spec.best_label = "Best 0.799";
        layout = mt_curves_layout_new (&spec, width, 220, mt_check_measure, NULL);
        g_assert_true (mt_check_has_text (layout->texts, "Best 0.799"));
        assert_on_no_line (layout, mt_check_box_of (layout->texts, "Best 0.799"));
      }
}

/* Charts below one another whose labels are not equally wide begin and end at the same place all the same. */
static void
test_aligned (void)
{
  const double low[] = { .1, .2, .3 }, high[] = { 1000.125, 1000.25, 1000.5 };
  const MtCurve curves[] = { { low, 3, NULL, 0, FALSE, NULL }, { high, 3, NULL, 0, FALSE, NULL } };
  double margins[2] = { 0, 0 };

  for (guint aligned = 0; aligned < 2; aligned++)
    for (guint i = 0; i < 2; i++)
      {
        g_autoptr (MtCurvesLayout) layout = NULL;
        MtCurvesSpec spec;

        mt_curves_spec_init (&spec);
        spec.curves = &curves[i];
        spec.n_curves = 1;
        if (aligned)
          spec.margin = MAX (margins[0], margins[1]);
        else
          margins[i] = mt_curves_layout_margin (&spec, 220, mt_check_measure, NULL);
        layout = mt_curves_layout_new (&spec, 780, 220, mt_check_measure, NULL);
        g_assert_cmpfloat (layout->area.x, ==, aligned ? MAX (margins[0], margins[1]) : margins[i]);
        g_assert_cmpfloat (layout->area.x + layout->area.width, ==, 768);
      }
  g_assert_cmpfloat (margins[0], <, margins[1]);
}

/* Where it is narrow the names go left of the lines' ends, and lie over none of the lines. */
static void
test_narrow (void)
{
  double flat[26], falling[26];
  const MtCurve curves[] = { { flat, 26, "Validation 0.569", 0, FALSE }, { falling, 26, "Training 0.364", 1, TRUE } };
  g_autoptr (MtCurvesLayout) layout = NULL;
  MtCurvesSpec spec;
  guint n_names = 0;

  for (guint i = 0; i < 26; i++)
    {
      flat[i] = 0.56 + 0.01 * (i % 3);
      falling[i] = 0.36 + 0.3 / (1 + i);
    }
  mt_curves_spec_init (&spec);
  spec.curves = curves;
  spec.n_curves = 2;
  spec.x_high = 32;
  layout = mt_curves_layout_new (&spec, 320, 220, mt_check_measure, NULL);
  for (guint t = 0; t < layout->texts->len; t++)
    {
      const MtPlotText *text = &g_array_index (layout->texts, MtPlotText, t);

      if (text->ink != MT_PLOT_INK_SERIES)
        continue;
      n_names++;
      assert_on_no_line (layout, &text->box);
    }
  g_assert_cmpuint (n_names, ==, 2);
}

/* A spike among a hundred thousand steps is still there, in a few thousand points. */
static void
test_thinned (void)
{
  const guint n = 100000;
  g_autofree double *y = mt_check_make_curve (n, 1, 0.5);
  const MtCurve curve = { y, n, "end", 0, FALSE };
  MtCurvesSpec spec;
  g_autoptr (MtCurvesLayout) layout = NULL;
  double top = INFINITY;

  y[54321] = 9;
  mt_curves_spec_init (&spec);
  spec.curves = &curve;
  spec.n_curves = 1;
  layout = mt_curves_layout_new (&spec, 500, 200, mt_check_measure, NULL);
  g_assert_cmpuint (layout->lines[0].points->len, <, 4000);
  for (guint i = 0; i < layout->lines[0].points->len; i++)
    top = MIN (top, g_array_index (layout->lines[0].points, MtXY, i).y);
  g_assert_cmpfloat (top, <, layout->area.y + layout->area.height * 0.2);
}

static void
test_degenerate (void)
{
  static const double nothing[] = { NAN, INFINITY };
  static const double one[] = { 0.7 };
  const MtCurve curves[] = { { nothing, 2, "none", 0, FALSE }, { one, 1, "one", 1, FALSE }, { NULL, 0, NULL, 2, TRUE } };

  for (guint n = 0; n <= G_N_ELEMENTS (curves); n++)
    for (double width = 30; width < 800; width += 150)
      {
        MtCurvesSpec spec;
        g_autoptr (MtCurvesLayout) layout = NULL;

        mt_curves_spec_init (&spec);
        spec.curves = curves;
        spec.n_curves = n;
        spec.best_curve = (int) n - 1;
        spec.best_index = 0;
        layout = mt_curves_layout_new (&spec, width, width / 3, mt_check_measure, NULL);
        mt_check_no_overlaps (layout->texts);
        g_assert_cmpint (isnan (layout->best.x), ==, n != 2);
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout-curves/places", test_places);
  g_test_add_func ("/layout-curves/peak", test_peak);
  g_test_add_func ("/layout-curves/aligned", test_aligned);
  g_test_add_func ("/layout-curves/narrow", test_narrow);
  g_test_add_func ("/layout-curves/thinned", test_thinned);
  g_test_add_func ("/layout-curves/degenerate", test_degenerate);
  return g_test_run ();
}
