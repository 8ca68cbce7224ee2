/* minterm-cli bench minimize: how long a table takes, by fan-in.
 *
 * The cases, a quarter each: random threshold functions (weights and bias normal), the same
 * with 30 % don't-cares, random functions with 30 % don't-cares, and with 60 %; what is cared
 * for in a random function is true with probability one half. */
#include "config.h"
#include "mt-cli.h"

#include <stdlib.h>
#include <time.h>

#define N_KINDS 4

static const struct {
  const char *name;
  gboolean    threshold;
  double      dont_care;
} kinds[N_KINDS] = {
  { "threshold", TRUE, 0 },
  { "threshold, 30% don't-care", TRUE, 0.3 },
  { "random, 30% don't-care", FALSE, 0.3 },
  { "random, 60% don't-care", FALSE, 0.6 },
};

static void
make_case (guint     kind,
           guint     fan_in,
           MtRandom *random,
           guint64  *on,
           guint64  *dc)
{
  double weights[MT_TRUTH_TABLE_MAX_FAN_IN];

  for (guint i = 0; i < fan_in; i++)
    weights[i] = mt_random_normal (random);
  mt_truth_table_from_weights (fan_in, weights, mt_random_normal (random), on);
  mt_truth_table_fill (fan_in, FALSE, dc);
  for (guint32 v = 0; v < 1u << fan_in; v++)
    {
      if (!kinds[kind].threshold)
        mt_truth_table_set (on, v, (mt_random_next (random) >> 63) != 0);
      if (mt_random_double (random) < kinds[kind].dont_care)
        mt_truth_table_set (dc, v, TRUE);
    }
}

/* Of this thread: other programs on the machine do not count. */
static double
now_in_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1e3;
}

typedef struct {
  double *us;
  guint   n;
  guint   n_proven;
  guint64 literals;
} Figures;

static int
compare_doubles (const void *a,
                 const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
mean_of (const Figures *figures)
{
  double sum = 0;

  for (guint i = 0; i < figures->n; i++)
    sum += figures->us[i];
  return sum / figures->n;
}

/* Sorts the times. */
static void
add_figures (MtJsonWriter *json,
             Figures      *figures)
{
  qsort (figures->us, figures->n, sizeof (double), compare_doubles);
  mt_cli_json_count (json, "cases", figures->n);
  mt_cli_json_number (json, "us_mean", mean_of (figures));
  mt_cli_json_number (json, "us_median", figures->us[figures->n / 2]);
  mt_cli_json_number (json, "us_worst", figures->us[figures->n - 1]);
  mt_cli_json_count (json, "proven", figures->n_proven);
  mt_cli_json_count (json, "literals", figures->literals);
}

static void
measure (guint    kind,
         guint    fan_in,
         guint    n_cases,
         gint64   seed,
         Figures *figures)
{
  g_autofree guint64 *on = g_new (guint64, MT_TRUTH_TABLE_MAX_WORDS);
  g_autofree guint64 *dc = g_new (guint64, MT_TRUTH_TABLE_MAX_WORDS);
  MtRandom random;

  mt_random_init_stream (&random, (guint64) seed, fan_in * N_KINDS + kind);
  for (guint i = 0; i < n_cases; i++)
    {
      g_auto (MtCover) cover = { 0 };
      double start;

      make_case (kind, fan_in, &random, on, dc);
      start = now_in_us ();
      mt_qmc_minimize (fan_in, on, dc, NULL, &cover);
      figures->us[figures->n++] = now_in_us () - start;
      figures->n_proven += cover.proven;
      figures->literals += cover.n_literals;
    }
}

static void
measure_fan_in (MtJsonWriter *json,
                guint         fan_in,
                guint         n_cases,
                gint64        seed,
                gboolean      as_json)
{
  g_autofree double *us = g_new (double, (gsize) N_KINDS * n_cases);
  g_autofree double *us_all = g_new (double, (gsize) N_KINDS * n_cases);
  Figures all = { us_all, 0, 0, 0 };

  mt_json_writer_begin_object (json);
  mt_cli_json_count (json, "fan_in", fan_in);
  mt_json_writer_key (json, "kinds");
  mt_json_writer_begin_array (json);
  for (guint kind = 0; kind < N_KINDS; kind++)
    {
      Figures figures = { us, 0, 0, 0 };

      measure (kind, fan_in, n_cases, seed, &figures);
      for (guint i = 0; i < figures.n; i++)
        all.us[all.n++] = figures.us[i];
      all.n_proven += figures.n_proven;
      all.literals += figures.literals;
      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "kind", kinds[kind].name);
      add_figures (json, &figures);
      mt_json_writer_end_object (json);
      if (!as_json)
        g_print ("fan-in %2u  %-28s mean %10.2f µs  median %10.2f  worst %10.2f  proven %u of %u\n", fan_in,
                 kinds[kind].name, mean_of (&figures), figures.us[figures.n / 2], figures.us[figures.n - 1],
                 figures.n_proven, figures.n);
    }
  mt_json_writer_end_array (json);
  add_figures (json, &all);
  mt_json_writer_end_object (json);
  if (!as_json)
    g_print ("fan-in %2u  %-28s mean %10.2f µs  median %10.2f  worst %10.2f  proven %u of %u\n", fan_in, "all",
             mean_of (&all), all.us[all.n / 2], all.us[all.n - 1], all.n_proven, all.n);
}

int
mt_cli_bench_minimize (int    argc,
                       char **argv)
{
  int fan_in = 0, cases = 0;
  const GOptionEntry entries[] = {
    { "fan-in", 0, 0, G_OPTION_ARG_INT, &fan_in, "Number of inputs [default: 6, 8, and 10]", "K" },
    { "cases", 0, 0, G_OPTION_ARG_INT, &cases, "Tables of each kind [default: 2000 down to 1]", "N" },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  g_autoptr (MtJsonWriter) json = NULL;
  int exit_code;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (fan_in < 0 || fan_in > MT_TRUTH_TABLE_MAX_FAN_IN)
    return mt_cli_fail (MT_EXIT_USAGE, "--fan-in must be between 1 and %d", MT_TRUTH_TABLE_MAX_FAN_IN);
  if (cases < 0 || cases > 1000000)
    return mt_cli_fail (MT_EXIT_USAGE, "--cases must be between 1 and 1000000");

  json = mt_json_writer_new ();
  mt_json_writer_begin_object (json);
  mt_json_writer_key (json, "fan_ins");
  mt_json_writer_begin_array (json);
  for (guint k = 1; k <= MT_TRUTH_TABLE_MAX_FAN_IN; k++)
    {
      /* About a second each. */
      guint n_cases = cases > 0 ? (guint) cases : k <= 7 ? 2000 : k == 8 ? 1000 : k <= 10 ? 50 : 4;

      if (fan_in > 0 ? k == (guint) fan_in : k == 6 || k == 8 || k == 10)
        measure_fan_in (json, k, n_cases, common.seed, common.json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
  return common.json ? mt_cli_json_print (g_steal_pointer (&json)) : MT_EXIT_OK;
}
