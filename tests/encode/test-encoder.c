/* Which questions an encoder asks of a column, against its definition: thresholds, levels, and the columns left out. */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "encoder-tables.h"
#include "base/mt-decimal.h"
#include "encode/mt-encoder.h"
#include "base/mt-error.h"
#include "base/mt-random.h"
#include "testutils.h"

/* --- thresholds --- */

static void
test_few_values (void)
{
  const double values[] = { 3, 1, 2, 2, 1, 7.5, -0.0, 0.0 };
  g_autoptr (MtTable) table = enc_one_column (enc_numbers ("x", MT_TYPE_NUMBER, values, G_N_ELEMENTS (values)));
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (MtEncoded) encoded = enc_apply (encoder, table, NULL);

  /* Five distinct values: every gap gets a threshold, nothing more. */
  enc_assert_texts (encoder, "x ≥ 1 | x ≥ 2 | x ≥ 3 | x ≥ 5");
  g_assert_cmpuint (mt_encoder_get_n_unary (encoder), ==, 1);
}

/* Where numpy.quantile of the distinct values (or of the rows) falls, in floating point. */
static void
test_quantiles (void)
{
  MtRandom random;

  mt_random_init (&random, 3);
  for (guint trial = 0; trial < 60; trial++)
    {
      gsize n = 20 + mt_random_below (&random, 300);
      guint bits = 1 + (guint) mt_random_below (&random, 12);
      gboolean by_rows = trial % 2;
      g_autofree double *values = g_new (double, n);
      g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GArray) unique = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (MtTable) table = NULL;
      g_autoptr (MtEncoder) encoder = NULL;
      MtEncoderOptions options;
      guint at = 0;

      for (gsize i = 0; i < n; i++)
        values[i] = floor (exp (mt_random_normal (&random) * 2) * 10) * (i % 2 ? 1 : -0.37);
      for (gsize i = 0; i < n; i++)   /* insertion sort: slow and plain */
        {
          guint k = sorted->len;

          g_array_append_val (sorted, values[i]);
          for (; k > 0 && g_array_index (sorted, double, k - 1) > values[i]; k--)
            g_array_index (sorted, double, k) = g_array_index (sorted, double, k - 1);
          g_array_index (sorted, double, k) = values[i];
        }
      for (gsize i = 0; i < n; i++)
        if (i == 0 || g_array_index (sorted, double, i) != g_array_index (sorted, double, i - 1))
          g_array_append_val (unique, g_array_index (sorted, double, i));
      if (unique->len <= bits + 1)
        continue;

      table = enc_one_column (enc_numbers ("x", MT_TYPE_NUMBER, values, n));
      mt_encoder_options_init (&options);
      options.bits = bits;
      options.quantiles = by_rows ? MT_QUANTILES_ROWS : MT_QUANTILES_UNIQUE;
      encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);

      for (guint j = 1; j <= bits; j++)
        {
          GArray *of = by_rows ? sorted : unique;
          gsize top = of->len - 1;
          gsize whole = top * j / (bits + 1), part = top * j % (bits + 1);
          double low = g_array_index (of, double, whole);
          double quantile = part == 0 ? low
            : low + (g_array_index (of, double, whole + 1) - low) * (double) part / (bits + 1);
          guint gap = 0;
          double t;

          while (gap < unique->len - 1 && g_array_index (unique, double, gap) < quantile)
            gap++;
          gap = MAX (gap, 1);
          if (j > 1 && at > 0 &&
              mt_encoder_get_literal (encoder, at - 1)->threshold > g_array_index (unique, double, gap - 1))
            continue;   /* the same gap as the quantile before */
          t = mt_encoder_get_literal (encoder, at++)->threshold;
          g_assert_cmpfloat (t, >, g_array_index (unique, double, gap - 1));
          g_assert_cmpfloat (t, <=, g_array_index (unique, double, gap));
          g_assert_cmpfloat (t, ==, mt_shortest_decimal_between (g_array_index (unique, double, gap - 1),
                                                                 g_array_index (unique, double, gap)));
        }
      g_assert_cmpuint (at, ==, mt_encoder_get_n_literals (encoder));
      g_clear_pointer (&encoder, mt_encoder_unref);
    }
}

/* Half of a value's weight is by its rows, half by its being there: ninety zeros and 1 … 10. */
static void
test_quantiles_of_both (void)
{
  double values[100];
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  MtEncoderOptions options;
  guint at = 0;

  for (guint i = 0; i < 100; i++)
    values[i] = i < 90 ? 0 : i - 89;
  table = enc_one_column (enc_numbers ("x", MT_TYPE_NUMBER, values, 100));
  mt_encoder_options_init (&options);
  options.bits = 3;
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  enc_assert_texts (encoder, "x ≥ 3 | x ≥ 5 | x ≥ 8");
  g_clear_pointer (&encoder, mt_encoder_unref);
  options.quantiles = MT_QUANTILES_ROWS;
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  enc_assert_texts (encoder, "x ≥ 1");
  g_clear_pointer (&encoder, mt_encoder_unref);

  /* Below value v lie 89 + v of 99 rows and v of 10 values. */
  options.quantiles = MT_QUANTILES_BOTH;
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  for (guint j = 1; j <= 3; j++)
    {
      guint v = 1;

      while (((89. + v) / 99 + v / 10.) / 2 < j / 4.)
        v++;
      if (at == 0 || mt_encoder_get_literal (encoder, at - 1)->threshold != v)
        g_assert_cmpfloat (mt_encoder_get_literal (encoder, at++)->threshold, ==, v);
    }
  g_assert_cmpuint (at, ==, mt_encoder_get_n_literals (encoder));
  g_assert_cmpuint (at, ==, 2);
}

static void
test_infinite (void)
{
  const double values[] = { -INFINITY, 1, 2, 3, INFINITY, NAN };
  const double others[] = { INFINITY, -INFINITY, 1e308, -1e308, 2, NAN };
  g_autoptr (MtTable) table = enc_one_column (enc_numbers ("x", MT_TYPE_NUMBER, values, G_N_ELEMENTS (values)));
  g_autoptr (MtTable) unseen = enc_one_column (enc_numbers ("x", MT_TYPE_NUMBER, others, G_N_ELEMENTS (others)));
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (MtEncoded) encoded = enc_apply (encoder, unseen, NULL);
  const double *unary;

  enc_assert_texts (encoder, "x ≥ 2 | x ≥ 3 | x is missing");
  g_assert_cmpuint (mt_encoded_get_codes (encoded, 0)[0], ==, 2);
  g_assert_cmpuint (mt_encoded_get_codes (encoded, 0)[1], ==, 0);
  g_assert_cmpuint (mt_encoded_get_codes (encoded, 0)[5], ==, 3);
  unary = mt_encoded_get_numeric (encoded, 0);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_true (isfinite (unary[i]));
  g_assert_cmpfloat (unary[0], ==, (3 - 2) / sqrt (2.0 / 3));
  g_assert_cmpfloat (unary[1], ==, -unary[0]);
  g_assert_cmpfloat (unary[5], ==, 0);
}

static void
test_extreme_scale (void)
{
  const double huge[] = { -DBL_MAX, DBL_MAX, 0, 1 };
  const double tiny[] = { 0, 5e-324, 1e-323, 0 };
  const double small[] = { -1e-140, 0, 1e-140, 0 };
  MtColumn *columns[] = { enc_numbers ("huge", MT_TYPE_NUMBER, huge, 4), enc_numbers ("tiny", MT_TYPE_NUMBER, tiny, 4),
                          enc_numbers ("small", MT_TYPE_NUMBER, small, 4) };
  g_autoptr (MtTable) table = mt_table_new (columns, 3);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (MtEncoded) encoded = enc_apply (encoder, table, NULL);

  enc_assert_texts (encoder, "huge ≥ 0 | huge ≥ 1 | huge ≥ 1e308 | tiny ≥ 5e-324 | tiny ≥ 1e-323 | small ≥ 0 | small ≥ 1e-140");
  /* What the others weigh for each raw unit could be more than a number holds. */
  g_assert_cmpuint (mt_encoder_get_n_numeric (encoder), ==, 1);
  g_assert_cmpuint (mt_encoder_get_unary (encoder, 0)->column, ==, 2);
  for (guint i = 0; i < 4; i++)
    g_assert_true (isfinite (mt_encoded_get_numeric (encoded, 0)[i]));
}

static void
test_dates (void)
{
  const double days[] = { 16000, 16495, 16500, 16510, 16510.5, NAN };
  g_autoptr (MtTable) table = enc_one_column (enc_numbers ("when", MT_TYPE_DATE, days, G_N_ELEMENTS (days)));
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (MtEncoded) encoded = enc_apply (encoder, table, NULL);

  enc_assert_texts (encoder, "when ≥ 2015-01-01 | when ≥ 2015-03-06 | when ≥ 2015-03-16 | "
                             "when ≥ 2015-03-16T12:00:00 | when is missing");
}

/* --- levels --- */

static void
test_two_levels (void)
{
  const struct { const char *a, *b, *named; } cases[] = {
    { "yes", "no", "yes" },     { "no", "yes", "yes" },   { "True", "False", "True" }, { "0", "1", "1" },
    { "1", "0", "1" },          { "female", "male", "male" }, { "male", "female", "male" },
    { "2", "10", "10" },
    { "N", "Y", "Y" },          { "", "a", "a" },         { "a", "7", "a" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *cells[] = { cases[i].a, cases[i].b, cases[i].a, NULL };
      g_autoptr (MtTable) table = enc_one_column (mt_test_levels ("x", MT_TYPE_BOOLEAN, cells, 3));
      g_autoptr (MtTable) with_missing = enc_one_column (mt_test_levels ("x", MT_TYPE_BOOLEAN, cells, 4));
      g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
      g_autoptr (MtEncoder) encoder_missing = enc_fit (with_missing, 9);
      g_autoptr (MtEncoded) encoded = enc_apply (encoder_missing, with_missing, NULL);
      g_autofree char *text = g_strdup_printf ("x = \"%s\"", cases[i].named);
      g_autofree char *text_missing = g_strdup_printf ("x = \"%s\" | x is missing", cases[i].named);

      enc_assert_texts (encoder, text);
      enc_assert_texts (encoder_missing, text_missing);
    }
}

static void
test_levels_and_other (void)
{
  const char *cells[400];
  const char *unseen[] = { "red", "violet", "rare1", NULL, "2" };
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtTable) later = enc_one_column (mt_test_levels ("Colour", MT_TYPE_CATEGORY, unseen, 5));
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtEncoded) encoded = NULL;
  MtEncodeReport report;

  for (guint i = 0; i < 400; i++)
    cells[i] = (const char *[]) { "red", "blue", "10", "2" }[i % 4];
  cells[7] = "rare1";
  cells[8] = "rare2";
  table = enc_one_column (mt_test_levels ("Colour", MT_TYPE_CATEGORY, cells, 400));
  encoder = enc_fit (table, 9);
  enc_assert_texts (encoder,
                    "Colour = \"2\" | Colour = \"10\" | Colour = \"blue\" | Colour = \"red\" | Colour is other");
  encoded = enc_apply (encoder, table, &report);
  g_assert_cmpuint (report.n_rows, ==, 400);
  g_assert_cmpuint (report.n_unknown_levels, ==, 0);
  g_clear_pointer (&encoded, mt_encoded_unref);

  encoded = enc_apply (encoder, later, &report);
  g_assert_cmpuint (report.n_rows, ==, 5);
  g_assert_cmpuint (report.n_unknown_levels, ==, 1);
  g_assert_cmpuint (report.n_missing, ==, 1);
  g_assert_cmpuint (report.n_unexpected_missing, ==, 1);
  g_assert_cmpuint (mt_encoded_get_codes (encoded, 0)[1], ==, 5);
  g_assert_cmpuint (mt_encoded_get_codes (encoded, 0)[2], ==, 5);
  g_assert_cmpuint (mt_encoded_get_codes (encoded, 0)[3], ==, 0);
}

static void
test_level_limits (void)
{
  const char *few[] = { "a", "a", "a", "b", "b", "c", "d" };
  const char *one[] = { "a", "a", NULL };
  const char *uneven[] = { "0", "0", "0", "0", "0", "0", "1" };
  g_autoptr (MtTable) table = enc_one_column (mt_test_levels ("x", MT_TYPE_CATEGORY, few, 7));
  g_autoptr (MtTable) single = enc_one_column (mt_test_levels ("x", MT_TYPE_CATEGORY, one, 3));
  g_autoptr (MtTable) one_sided = enc_one_column (mt_test_levels ("x", MT_TYPE_BOOLEAN, uneven, 7));
  g_autoptr (MtEncoder) two = NULL;
  g_autoptr (MtEncoder) pair = NULL;
  g_autoptr (MtEncoder) floor_one = NULL;
  g_autoptr (MtEncoder) present = enc_fit (single, 9);
  g_autoptr (MtEncoded) encoded = enc_apply (present, single, NULL);
  g_autoptr (GError) error = NULL;
  MtEncoderOptions options;

  mt_encoder_options_init (&options);
  options.max_levels = 2;
  two = mt_encoder_fit (table, NULL, 0, &options, NULL);
  enc_assert_texts (two, "x = \"a\" | x = \"b\" | x is other");

  /* One level above the floor: one literal tells it from all others. */
  options.level_floor = 0.4;
  floor_one = mt_encoder_fit (table, NULL, 0, &options, NULL);
  enc_assert_texts (floor_one, "x = \"a\"");
  g_assert_cmpuint (g_strv_length (mt_encoder_get_column (floor_one, 0)->rest), ==, 3);

  /* One level and missing cells: missing or not is all there is. */
  enc_assert_texts (present, "x is missing");

  /* Of two levels one literal tells, and the floor does not matter. */
  pair = mt_encoder_fit (one_sided, NULL, 0, &options, NULL);
  enc_assert_texts (pair, "x = \"1\"");

  /* None above the floor. */
  options.level_floor = 0.5;
  g_assert_null (mt_encoder_fit (table, NULL, 0, &options, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
}

/* The order of rows and of the table's own levels does not matter. */
static void
test_level_order (void)
{
  const char *forward[] = { "a", "b", "c", "b", "c", "c" };
  const char *backward[] = { "c", "c", "b", "c", "b", "a" };
  g_autoptr (MtTable) x = enc_one_column (mt_test_levels ("x", MT_TYPE_CATEGORY, forward, 6));
  g_autoptr (MtTable) y = enc_one_column (mt_test_levels ("x", MT_TYPE_CATEGORY, backward, 6));
  g_autoptr (MtEncoder) a = enc_fit (x, 9);
  g_autoptr (MtEncoder) b = enc_fit (y, 9);

  g_assert_true (mt_encoder_equal (a, b));
}

/* --- which columns --- */

static void
test_left_out (void)
{
  const double varied[] = { 1, 2, 3, NAN }, constant[] = { 5, 5, 5, 5 }, nothing[] = { NAN, NAN, NAN, NAN };
  const double half[] = { 5, NAN, 5, NAN };
  const char *ids[] = { "a", "b", "c", "d" }, *same[] = { "s", "s", "s", "s" },
                      *none[] = { NULL, NULL, NULL, NULL };
  MtColumn *columns[] = {
    enc_numbers ("target", MT_TYPE_NUMBER, varied, 4),   enc_numbers ("ignored", MT_TYPE_NUMBER, varied, 4),
    enc_numbers ("group", MT_TYPE_NUMBER, varied, 4),    enc_numbers ("constant", MT_TYPE_NUMBER, constant, 4),
    enc_numbers ("nothing", MT_TYPE_NUMBER, nothing, 4), mt_test_text ("id", ids, 4),
    mt_test_levels ("same", MT_TYPE_CATEGORY, same, 4),  mt_test_levels ("none", MT_TYPE_CATEGORY, none, 4),
    enc_numbers ("half", MT_TYPE_NUMBER, half, 4),       enc_numbers ("used", MT_TYPE_NUMBER, varied, 4),
  };
  const MtColumnRole roles[] = {
    MT_ROLE_TARGET, MT_ROLE_IGNORED, MT_ROLE_GROUP, MT_ROLE_FEATURE, MT_ROLE_FEATURE, MT_ROLE_FEATURE,
    MT_ROLE_FEATURE, MT_ROLE_FEATURE, MT_ROLE_FEATURE, MT_ROLE_FEATURE,
  };
  const MtColumnRole no_roles[] = {
    MT_ROLE_TARGET, MT_ROLE_IGNORED, MT_ROLE_GROUP, MT_ROLE_FEATURE, MT_ROLE_FEATURE, MT_ROLE_FEATURE,
    MT_ROLE_FEATURE, MT_ROLE_FEATURE, MT_ROLE_IGNORED, MT_ROLE_IGNORED,
  };
  g_autoptr (MtTable) plain = mt_table_new (columns, G_N_ELEMENTS (columns));
  g_autoptr (MtTable) table = mt_table_with_roles (plain, roles, NULL);
  g_autoptr (MtTable) useless = mt_table_with_roles (plain, no_roles, NULL);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (GError) error = NULL;
  MtEncoderOptions options;

  enc_assert_texts (encoder, "half is missing | used ≥ 2 | used ≥ 3 | used is missing");
  g_assert_cmpuint (mt_encoder_get_n_columns (encoder), ==, 2);
  g_assert_cmpstr (mt_encoder_get_column_name (encoder, 1), ==, "used");
  g_assert_cmpint (mt_encoder_get_column_type (encoder, 1), ==, MT_TYPE_NUMBER);
  g_assert_cmpuint (mt_encoder_get_n_unary (encoder), ==, 1);   /* half has one value: no unary term */
  g_assert_cmpuint (mt_encoder_get_unary (encoder, 0)->column, ==, 1);

  mt_encoder_options_init (&options);
  g_assert_null (mt_encoder_fit (useless, NULL, 0, &options, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_assert_nonnull (strstr (error->message, "no column can be used"));
}

static void
test_bad_options (void)
{
  const double values[] = { 1, 2, 3 };
  g_autoptr (MtTable) table = enc_one_column (enc_numbers ("x", MT_TYPE_NUMBER, values, 3));
  const MtEncoderOptions bad[] = {
    { 0, MT_QUANTILES_UNIQUE, 0.005, 100, 1 },   { 251, MT_QUANTILES_UNIQUE, 0.005, 100, 1 },
    { 9, (MtQuantiles) 7, 0.005, 100, 1 },       { 9, MT_QUANTILES_UNIQUE, -0.1, 100, 1 },
    { 9, MT_QUANTILES_UNIQUE, 0.6, 100, 1 },     { 9, MT_QUANTILES_UNIQUE, NAN, 100, 1 },
    { 9, MT_QUANTILES_UNIQUE, 0.005, 1, 1 },     { 9, MT_QUANTILES_UNIQUE, 0.005, 251, 1 },
  };
  const char *names[] = { "bits", "bits", "thresholds", "the smallest share", "the smallest share", "the smallest share",
                         "the number of levels", "the number of levels" };
  const guint32 rows[] = { 0 };
  MtEncoderOptions options;
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (mt_encoder_fit (table, NULL, 0, &bad[i], &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
      g_assert_true (g_str_has_prefix (error->message, names[i]));
      g_clear_error (&error);
    }
  mt_encoder_options_init (&options);
  g_assert_null (mt_encoder_fit (table, rows, 0, &options, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_assert_nonnull (strstr (error->message, "no training rows"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/encoder/few-values", test_few_values);
  g_test_add_func ("/encoder/quantiles", test_quantiles);
  g_test_add_func ("/encoder/quantiles-of-both", test_quantiles_of_both);
  g_test_add_func ("/encoder/infinite", test_infinite);
  g_test_add_func ("/encoder/extreme-scale", test_extreme_scale);
  g_test_add_func ("/encoder/dates", test_dates);
  g_test_add_func ("/encoder/two-levels", test_two_levels);
  g_test_add_func ("/encoder/levels-and-other", test_levels_and_other);
  g_test_add_func ("/encoder/level-limits", test_level_limits);
  g_test_add_func ("/encoder/level-order", test_level_order);
  g_test_add_func ("/encoder/left-out", test_left_out);
  g_test_add_func ("/encoder/bad-options", test_bad_options);
  return g_test_run ();
}
