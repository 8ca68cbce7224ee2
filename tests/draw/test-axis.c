#include "config.h"

#include <math.h>
#include <string.h>

#include "draw/mt-axis.h"
#include "draw/mt-draw-chart-private.h"
#include "base/mt-random.h"

/* Every character is 7 wide. */
static double
room (const char *label,
      gpointer    data)
{
  return 7.0 * (double) g_utf8_strlen (label, -1);
}

static void
assert_ticks (const MtAxis *axis,
              double        length,
              double        gap)
{
  double end = -INFINITY;

  g_assert_cmpuint (axis->n_ticks, >, 0);
  for (guint i = 0; i < axis->n_ticks; i++)
    {
      const MtTick *tick = &axis->ticks[i];
      double half = room (tick->label, NULL) / 2;

      g_assert_cmpfloat (tick->position, >=, 0);
      g_assert_cmpfloat (tick->position, <=, 1);
      g_assert_cmpfloat_with_epsilon (mt_axis_position (axis, tick->value), tick->position, 1e-6);
      if (i > 0)
        g_assert_cmpfloat (tick->value, >, axis->ticks[i - 1].value);
      if (!tick->major)
        continue;
      g_assert_cmpfloat (tick->position * length - half, >=, end + gap - 1e-9);
      end = tick->position * length + half;
    }
}

static char *
labels_of (double    low,
           double    high,
           gboolean  log,
           double    length,
           double    least_step,
           char      decimal)
{
  g_autoptr (GString) all = g_string_new (NULL);
  MtAxis axis;

  mt_axis_init (&axis, low, high, log, decimal);
  mt_axis_place_ticks (&axis, length, 12, least_step, room, NULL);
  assert_ticks (&axis, length, 12);
  for (guint i = 0; i < axis.n_ticks; i++)
    if (axis.ticks[i].major)
      g_string_append_printf (all, "%s%s", all->len > 0 ? " " : "", axis.ticks[i].label);
  mt_axis_clear (&axis);
  return g_string_free (g_steal_pointer (&all), FALSE);
}

static void
test_round_numbers (void)
{
  static const struct {
    double low, high; gboolean log; double length, least_step; char decimal; const char *labels;
  } cases[] = {
    { 0.787, 0.955, FALSE, 240, 0, '.', "0.80 0.85 0.90 0.95" },
    { 0.787, 0.955, FALSE, 480, 0, '.', "0.80 0.82 0.84 0.86 0.88 0.90 0.92 0.94" },
    { 0.787, 0.955, FALSE, 240, 0, ',', "0,80 0,85 0,90 0,95" },
    { 0, 120, FALSE, 300, 1, '.', "0 20 40 60 80 100 120" },
    { 0, 3, FALSE, 2000, 1, '.', "0 1 2 3" },
    { -1, 1, FALSE, 200, 0, '.', "−1.0 −0.5 0.0 0.5 1.0" },
    { 1.7, 68, TRUE, 700, 1, '.', "2 5 10 20 50" },
    { 0.5, 20000, TRUE, 300, 1, '.', "1 10 100 1000 10000" },
    { 30, 60, TRUE, 200, 1, '.', "30 40 50 60" },
    { 1e7, 3e7, FALSE, 200, 0, '.', "1e+07 2e+07 3e+07" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *labels = labels_of (cases[i].low, cases[i].high, cases[i].log, cases[i].length,
                                           cases[i].least_step, cases[i].decimal);

      g_assert_cmpstr (labels, ==, cases[i].labels);
    }
}

static void
test_random_ranges (void)
{
  MtRandom random;

  mt_random_init (&random, 1);
  for (guint i = 0; i < 3000; i++)
    {
      double low = (mt_random_double (&random) - 0.5) * pow (10, (double) mt_random_below (&random, 10) - 4);
      double high = low + mt_random_double (&random) * pow (10, (double) mt_random_below (&random, 10) - 4);
      gboolean log = i % 2 == 0;
      double length = 60 + mt_random_double (&random) * 1000;
      MtAxis axis;

      if (log)
        {
          low = fabs (low);
          high = low + fabs (high);
        }
      mt_axis_init (&axis, low, high, log, '.');
      g_assert_cmpfloat (axis.low, <, axis.high);
      mt_axis_place_ticks (&axis, length, 10, 0, room, NULL);
      if (axis.n_ticks > 0)
        assert_ticks (&axis, length, 10);
      for (double p = 0; p <= 1; p += 0.25)
        g_assert_cmpfloat_with_epsilon (mt_axis_position (&axis, mt_axis_value (&axis, p)), p, 1e-6);
      mt_axis_clear (&axis);
    }
}

static void
test_degenerate (void)
{
  static const double ranges[][2] = {
    { 0, 0 }, { 0.9, 0.9 }, { -3, -3 }, { NAN, NAN }, { INFINITY, -INFINITY }, { 1e300, 1e300 }, { 5, 2 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (guint log = 0; log < 2; log++)
      {
        MtAxis axis;

        mt_axis_init (&axis, ranges[i][0], ranges[i][1], log, '.');
        g_assert_true (isfinite (axis.low) && isfinite (axis.high));
        g_assert_cmpfloat (axis.low, <, axis.high);
        if (i != 6)
          g_assert_true (axis.degenerate);
        mt_axis_place_ticks (&axis, 300, 12, 0, room, NULL);
        mt_axis_clear (&axis);
      }
}

static void
test_extended (void)
{
  MtAxis axis;

  mt_axis_init (&axis, 0.287, 0.547, FALSE, '.');
  mt_axis_extend_to_ticks (&axis, 200, 22, 0, room, NULL);
  g_assert_cmpfloat_with_epsilon (axis.low, 0.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (axis.high, 0.6, 1e-12);
  g_assert_cmpfloat (axis.ticks[0].position, ==, 0);
  g_assert_cmpfloat_with_epsilon (axis.ticks[axis.n_ticks - 1].position, 1, 1e-9);
  mt_axis_clear (&axis);
  mt_axis_init (&axis, 2, 70, TRUE, '.');
  mt_axis_extend_to_ticks (&axis, 200, 12, 1, room, NULL);
  g_assert_cmpuint (axis.n_ticks, >, 0);
  mt_axis_clear (&axis);
}

static void
assert_periods (double      low,
                double      high,
                guint       per_year,
                double      length,
                const char *expected)
{
  g_autoptr (GString) labels = g_string_new (NULL);
  MtAxis axis;

  mt_axis_init (&axis, low, high, FALSE, '.');
  _mt_chart_place_period_ticks (&axis, per_year, length, 10, room, NULL);
  if (axis.n_ticks > 1)
    assert_ticks (&axis, length, 10);
  for (guint i = 0; i < axis.n_ticks; i++)
    if (axis.ticks[i].major)
      g_string_append_printf (labels, "%s%s", i > 0 ? " " : "", axis.ticks[i].label);
  g_assert_cmpstr (labels->str, ==, expected);
  mt_axis_clear (&axis);
}

/* Periods have their names below their middles, never a part of a year such as 2022.4. */
static void
test_periods (void)
{
  assert_periods (2022 + 0.5 / 12, 2023 + 3.5 / 12, 12, 900,
                  "2022-01 2022-02 2022-03 2022-04 2022-05 2022-06 2022-07 2022-08 2022-09 2022-10 2022-11 2022-12 2023-01 "
                  "2023-02 2023-03");   /* that of the last would be cut */
  assert_periods (2022 + 0.5 / 12, 2023 + 3.5 / 12, 12, 320, "2022-01 2022-04 2022-07 2022-10 2023-01");
  assert_periods (2022 + 2.5 / 12, 2023 + 10.5 / 12, 12, 60, "2023-01");
  assert_periods (2021.125, 2022.875, 4, 600, "2021 Q1 2021 Q2 2021 Q3 2021 Q4 2022 Q1 2022 Q2 2022 Q3");
  assert_periods (2010.5, 2020.5, 1, 200, "2010 2012 2014 2016 2018 2020");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/axis/round-numbers", test_round_numbers);
  g_test_add_func ("/axis/random-ranges", test_random_ranges);
  g_test_add_func ("/axis/degenerate", test_degenerate);
  g_test_add_func ("/axis/extended", test_extended);
  g_test_add_func ("/axis/periods", test_periods);
  return g_test_run ();
}
