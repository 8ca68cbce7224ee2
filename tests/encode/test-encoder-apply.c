/* What an encoder makes of tables: bits against raw cells, literals in words and back, what cannot occur, and encoders
 * made of parts. */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "encoder-tables.h"
#include "literal-reader.h"
#include "encode/mt-encoder.h"
#include "encode/mt-encoder-private.h"
#include "base/mt-error.h"
#include "base/mt-random.h"
#include "testutils.h"

/* --- applying --- */

static void
test_by_name (void)
{
  const double a[] = { 1, 2, 3, 4 }, extra[] = { 9, 9, 9, 9 };
  const char *b[] = { "u", "v", "w", "u" };
  const char *mostly_distinct[] = { "u", "p", NULL, "w" };
  MtColumn *train[] = { enc_numbers ("a", MT_TYPE_NUMBER, a, 4), mt_test_levels ("b", MT_TYPE_CATEGORY, b, 4) };
  MtColumn *later[] = {
    enc_numbers ("extra", MT_TYPE_NUMBER, extra, 4), mt_test_text ("b", mostly_distinct, 4),
    enc_numbers ("a", MT_TYPE_NUMBER, a, 4),
  };
  g_autoptr (MtTable) table = mt_table_new (train, 2);
  g_autoptr (MtTable) other = mt_table_new (later, 3);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (MtEncoded) x = enc_apply (encoder, table, NULL);
  g_autoptr (MtEncoded) y = NULL;
  MtEncodeReport report;

  y = enc_apply (encoder, other, &report);
  g_assert_cmpuint (report.n_unknown_levels, ==, 1);
  g_assert_cmpuint (report.n_missing, ==, 1);
  g_assert_cmpmem (mt_encoded_get_codes (x, 0), 4, mt_encoded_get_codes (y, 0), 4);
  g_assert_cmpuint (mt_encoded_get_codes (y, 1)[0], ==, 1);
  g_assert_cmpuint (mt_encoded_get_codes (y, 1)[1], ==, 0);
  g_assert_cmpuint (mt_encoded_get_codes (y, 1)[3], ==, 3);
}

static void
test_schema_errors (void)
{
  const double values[] = { 1, 2, 3 };
  const char *words[] = { "a", "b", "c" }, *digits[] = { "1", "2", "3" };
  MtColumn *train[] = {
    enc_numbers ("n", MT_TYPE_NUMBER, values, 3), mt_test_levels ("c", MT_TYPE_CATEGORY, words, 3),
    enc_numbers ("d", MT_TYPE_DATE, values, 3),
  };
  g_autoptr (MtTable) table = mt_table_new (train, 3);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  const struct { MtColumn *columns[3]; guint n; const char *says; } cases[] = {
    { { mt_test_levels ("c", MT_TYPE_CATEGORY, words, 3), enc_numbers ("d", MT_TYPE_DATE, values, 3) }, 2,
      "the data has no column “n”, which the model requires (number)" },
    { { mt_test_levels ("n", MT_TYPE_CATEGORY, digits, 3), mt_test_levels ("c", MT_TYPE_CATEGORY, words, 3),
        enc_numbers ("d", MT_TYPE_DATE, values, 3) }, 3,
      "column “n” is a number in the model but was read as category here, although all its values are numbers; "
      "set its type to number" },
    { { mt_test_levels ("n", MT_TYPE_CATEGORY, words, 3), mt_test_levels ("c", MT_TYPE_CATEGORY, words, 3),
        enc_numbers ("d", MT_TYPE_DATE, values, 3) }, 3,
      "column “n” is a number in the model but a category here; set its type to number, or correct" },
    { { mt_test_text ("n", words, 3), mt_test_levels ("c", MT_TYPE_CATEGORY, words, 3),
        enc_numbers ("d", MT_TYPE_DATE, values, 3) }, 3,
      "column “n” is a number in the model but a text here" },
    { { enc_numbers ("n", MT_TYPE_NUMBER, values, 3), enc_numbers ("c", MT_TYPE_NUMBER, values, 3),
        enc_numbers ("d", MT_TYPE_DATE, values, 3) }, 3,
      "column “c” is a category in the model but was read as a number here; set its type to category" },
    { { enc_numbers ("n", MT_TYPE_DATE, values, 3), mt_test_levels ("c", MT_TYPE_CATEGORY, words, 3),
        enc_numbers ("d", MT_TYPE_DATE, values, 3) }, 3,
      "column “n” is a number in the model but a date here" },
    { { enc_numbers ("n", MT_TYPE_NUMBER, values, 3), mt_test_levels ("c", MT_TYPE_CATEGORY, words, 3),
        mt_test_levels ("d", MT_TYPE_CATEGORY, digits, 3) }, 3,
      "column “d” is a date in the model but a category here" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MtTable) other = mt_table_new ((MtColumn **) cases[i].columns, cases[i].n);
      g_autoptr (GError) error = NULL;

      g_assert_null (mt_encoder_apply (encoder, other, NULL, 0, NULL, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
      if (!g_str_has_prefix (error->message, cases[i].says))
        g_error ("expected '%s…', got '%s'", cases[i].says, error->message);
    }
}

/* A file whose column is empty may give it any type. */
static void
test_empty_column (void)
{
  const double values[] = { 1, 2, 3 }, nothing[] = { NAN, NAN, NAN };
  const char *words[] = { "a", "b", "c" }, *none[] = { NULL, NULL, NULL };
  MtColumn *train[] = { enc_numbers ("n", MT_TYPE_NUMBER, values, 3),
                       mt_test_levels ("c", MT_TYPE_CATEGORY, words, 3) };
  MtColumn *later[] = { mt_test_levels ("n", MT_TYPE_CATEGORY, none, 3),
                       enc_numbers ("c", MT_TYPE_NUMBER, nothing, 3) };
  g_autoptr (MtTable) table = mt_table_new (train, 2);
  g_autoptr (MtTable) other = mt_table_new (later, 2);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (MtEncoded) encoded = NULL;
  MtEncodeReport report;

  encoded = enc_apply (encoder, other, &report);
  g_assert_cmpuint (report.n_missing, ==, 6);
  g_assert_cmpuint (report.n_unexpected_missing, ==, 6);
  g_assert_cmpfloat (mt_encoded_get_numeric (encoded, 0)[0], ==, 0);
}

static void
test_out_of_range (void)
{
  const double values[] = { 1, 2, 3 }, later[] = { 0.5, 1, 3, 3.5, NAN };
  g_autoptr (MtTable) table = enc_one_column (enc_numbers ("n", MT_TYPE_NUMBER, values, 3));
  g_autoptr (MtTable) other = enc_one_column (enc_numbers ("n", MT_TYPE_NUMBER, later, 5));
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (MtEncoded) encoded = NULL;
  MtEncodeReport report;

  encoded = enc_apply (encoder, other, &report);
  g_assert_cmpuint (report.n_out_of_range, ==, 2);
  g_assert_cmpuint (report.n_unexpected_missing, ==, 1);
}

/* --- a larger random table, shared by several tests --- */

static MtTable *
random_table (gsize   n,
              guint64 seed)
{
  MtRandom random;
  g_autofree double *a = g_new (double, n);
  g_autofree double *b = g_new (double, n);
  g_autofree double *c = g_new (double, n);
  g_autofree const char **d = g_new (const char *, n);
  g_autofree const char **e = g_new (const char *, n);
  g_autofree const char **f = g_new (const char *, n);
  static const char * const words[] = { "red", "green", "blue", "\"q\" uo", "", "rare" };
  MtColumn *columns[6];

  mt_random_init (&random, seed);
  for (gsize i = 0; i < n; i++)
    {
      double p = mt_random_double (&random);

      a[i] = floor (mt_random_normal (&random) * 100) / 10;
      b[i] = mt_random_double (&random) < 0.1 ? NAN : exp (mt_random_normal (&random) * 5);
      c[i] = (double) mt_random_below (&random, 3);
      d[i] = p < 0.004 ? "rare" : words[mt_random_below (&random, 5)];
      e[i] = mt_random_double (&random) < 0.2 ? NULL : p < 0.002 ? "rare" : words[mt_random_below (&random,
                                                                                                   3)];
      f[i] = mt_random_double (&random) < 0.3 ? NULL : words[mt_random_below (&random, 2)];
    }
  columns[0] = enc_numbers ("a", MT_TYPE_NUMBER, a, n);
  columns[1] = enc_numbers ("b (log)", MT_TYPE_NUMBER, b, n);
  columns[2] = enc_numbers ("c", MT_TYPE_NUMBER, c, n);
  columns[3] = mt_test_levels ("d", MT_TYPE_CATEGORY, d, n);
  columns[4] = mt_test_levels ("e is odd", MT_TYPE_CATEGORY, e, n);
  columns[5] = mt_test_levels ("f", MT_TYPE_BOOLEAN, f, n);
  return mt_table_new (columns, 6);
}

static void
test_rows (void)
{
  g_autoptr (MtTable) table = random_table (3000, 5);
  const guint32 rows[] = { 2999, 0, 17, 17, 1024 };
  g_autofree guint32 *half = g_new (guint32, 1500);
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtEncoded) some = NULL;
  MtEncoderOptions options;

  for (guint i = 0; i < 1500; i++)
    half[i] = i * 2;
  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, half, 1500, &options, NULL);
  some = mt_encoder_apply (encoder, table, rows, 5, NULL, NULL);
  g_assert_cmpuint (enc_count_wrong_bits (encoder, some, table, rows), ==, 0);
}

static void
test_partition_and_bits (void)
{
  g_autoptr (MtTable) table = random_table (5000, 6);
  const guint all_bits[] = { 1, 9, 24, 25, 250 };

  for (gsize i = 0; i < G_N_ELEMENTS (all_bits); i++)
    {
      g_autoptr (MtEncoder) encoder = enc_fit (table, all_bits[i]);
      g_autoptr (MtEncoded) encoded = enc_apply (encoder, table, NULL);
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, 0);
      g_autofree double *values = g_new (double, 5000);
      double sum = 0, squares = 0;

      mt_column_read_numbers (mt_table_get_column (table, 0), 0, 5000, values);
      g_assert_cmpuint (column->n_thresholds, ==, all_bits[i]);
      for (gsize r = 0; r < 5000; r++)
        {
          double z = mt_encoded_get_numeric (encoded, 0)[r];

          g_assert_cmpfloat (fabs (z - (values[r] - column->mean) / column->sd), <, 1e-12);
          sum += z;
          squares += z * z;
        }
      g_assert_cmpfloat (fabs (sum / 5000), <, 1e-6);
      g_assert_cmpfloat (fabs (squares / 5000 - 1), <, 1e-5);
    }
}

static void
test_threads (void)
{
  g_autoptr (MtTable) table = random_table (30000, 7);
  g_autoptr (MtEncoder) first = NULL;
  MtEncoderOptions options;

  mt_encoder_options_init (&options);
  for (options.n_threads = 0; options.n_threads < 9; options.n_threads += 1)
    {
      g_autoptr (MtEncoder) encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);

      if (first == NULL)
        first = mt_encoder_ref (encoder);
      g_assert_true (mt_encoder_equal (first, encoder));
    }
}

/* The comparison of bits can fail. */
static void
test_wrong_bits_are_seen (void)
{
  g_autoptr (MtTable) table = random_table (500, 8);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autoptr (MtEncoder) other = enc_fit (table, 8);
  g_autoptr (MtEncoded) encoded = mt_encoder_apply (other, table, NULL, 0, NULL, NULL);

  g_assert_cmpuint (mt_encoded_get_n_literals (encoded), <, mt_encoder_get_n_literals (encoder));
  g_assert_false (mt_encoder_equal (encoder, other));
  g_assert_cmpuint (mt_plane_get (mt_encoded_get_plane (encoded, 0), 0), ==,
                    mt_test_literal_is_true (other, 0, table, 0));
  {
    g_autofree guint32 *shifted = g_new (guint32, 500);

    for (guint i = 0; i < 500; i++)
      shifted[i] = (i + 1) % 500;
    g_assert_cmpuint (enc_count_wrong_bits (other, encoded, table, shifted), >, 0);
  }
}

/* --- text --- */

static void
assert_round_trip (const MtEncoder *encoder)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint id = 0; id < mt_encoder_get_n_literals (encoder); id++)
    for (gboolean negated = FALSE; negated <= TRUE; negated++)
      {
        char *text = mt_encoder_dup_literal_text (encoder, id, negated);
        guint id_back = G_MAXUINT;
        gboolean negated_back = !negated;

        g_assert_true (g_utf8_validate (text, -1, NULL));
        if (!mt_test_parse_literal (encoder, text, &id_back, &negated_back))
          g_error ("'%s' was not understood", text);
        g_assert_cmpuint (id_back, ==, id);
        g_assert_cmpint (negated_back, ==, negated);
        g_assert_true (mt_test_parse_literal (encoder, text, NULL, NULL));
        g_assert_true (g_hash_table_add (seen, text));   /* no two literals read the same */
      }
}

static void
test_text (void)
{
  const double values[] = { 1, 2.5, 3, NAN }, plain[] = { 54, 55, 54, 55 };
  const char *words[] = { "red", "blue", "green", NULL };
  MtColumn *columns[] = {
    enc_numbers ("Age", MT_TYPE_NUMBER, plain, 4), enc_numbers ("Capital gain", MT_TYPE_NUMBER, values, 4),
    mt_test_levels ("Colour", MT_TYPE_CATEGORY, words, 4),
  };
  g_autoptr (MtTable) table = mt_table_new (columns, 3);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  const char *expected[] = {
    "Age ≥ 55", "Age < 55", "Capital gain ≥ 2", "Capital gain < 2 or missing", "Capital gain ≥ 3",
    "Capital gain < 3 or missing", "Capital gain is missing", "Capital gain is present", "Colour = \"blue\"",
    "Colour ≠ \"blue\"", "Colour = \"green\"", "Colour ≠ \"green\"", "Colour = \"red\"", "Colour ≠ \"red\"",
    "Colour is missing", "Colour is present",
  };
  const char *not_literals[] = {
    "", "Age", "Age ≥ 56", "Age ≥ 55 or missing", "Age < 55 or missing", "Capital gain < 2", "Colour = red",
    "Colour = \"pink\"", "Colour = \"red\" ", "Colour is other", "Colour is missing!", "Size ≥ 3",
    "\"Age ≥ 55",
    "\"Age\"≥ 55", "Age ≥ ", "Age ≥ 0x37", "Colour = \"re\\d\"", "Colour = \"\\u{}\"",
    "Colour = \"\\u{110000}\"",
    "Colour = \"\\u{41\"", "Colour = \"\\u41\"", "Age = \"55\"", " ≥ 5", "Age ≥ day 55",
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *text = mt_encoder_dup_literal_text (encoder, i / 2, i % 2);

      g_assert_cmpstr (text, ==, expected[i]);
    }
  assert_round_trip (encoder);
  for (gsize i = 0; i < G_N_ELEMENTS (not_literals); i++)
    if (mt_test_parse_literal (encoder, not_literals[i], NULL, NULL))
      g_error ("'%s' was taken for a literal", not_literals[i]);
  /* A quoted name is the same name. */
  g_assert_true (mt_test_parse_literal (encoder, "\"Age\" ≥ 55", NULL, NULL));
  g_assert_true (mt_test_parse_literal (encoder, "Colour = \"\\u{72}ed\"", NULL, NULL));
}

static void
test_text_hostile (void)
{
  static const char * const names[] = {
    "", " ", "a ≥ 5", "x is missing", "\"", "\\", "a\"b", "tab\there", "new\nline", "≥", "über straße", "日本",
    "a  b", " a", "a ", "not", "is", "or", "and", "band", "island", "x < 3 or missing", "= \"red\"",
    "\xe2\x80\xae""rtl",
    "\xc2\xa0", "a(b)", "x!", "\\u{41}", "\xf0\x9f\x98\x80", "day 5", "55", "a\x7f", "this other",
  };
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  g_autofree double *values = g_new (double, 40);
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  MtEncoderOptions options;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      for (gsize r = 0; r < 40; r++)
        values[r] = r % 7 == 0 && i % 2 ? NAN : (double) (r % (i + 2)) / 8;
      g_ptr_array_add (columns, enc_numbers (names[i], i % 5 == 4 ? MT_TYPE_DATE : MT_TYPE_NUMBER, values, 40));
    }
  table = mt_table_new ((MtColumn **) columns->pdata, columns->len);
  encoder = enc_fit (table, 4);
  assert_round_trip (encoder);
  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    {
      g_autofree char *text = mt_encoder_dup_column_text (encoder, c);

      if (strcmp (names[c], "band") == 0 || strcmp (names[c], "island") == 0 || strcmp (names[c], "日本") == 0)
        g_assert_cmpstr (text, ==, names[c]);
      if (strcmp (names[c], "not") == 0)
        g_assert_cmpstr (text, ==, "\"not\"");
      if (strcmp (names[c], "\xe2\x80\xae""rtl") == 0)
        g_assert_cmpstr (text, ==, "\"\\u{202e}rtl\"");
    }
  g_clear_pointer (&encoder, mt_encoder_unref);
  g_clear_pointer (&table, mt_table_unref);

  /* The same strings as levels. */
  table = enc_one_column (mt_test_levels ("x", MT_TYPE_CATEGORY, names, G_N_ELEMENTS (names)));
  mt_encoder_options_init (&options);
  options.level_floor = 0;
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  g_assert_cmpuint (mt_encoder_get_n_literals (encoder), ==, G_N_ELEMENTS (names));
  assert_round_trip (encoder);
}

static void
test_value_text (void)
{
  const double odd[] = { 16495.1, 16495.1000001, 16495.1000002 };
  g_autoptr (MtTable) table = enc_one_column (enc_numbers ("when", MT_TYPE_DATE, odd, 3));
  g_autoptr (MtEncoder) encoder = enc_fit (table, 9);
  g_autofree char *day = mt_encoder_dup_value_text (encoder, 0, 16495);
  g_autofree char *fraction = mt_encoder_dup_value_text (encoder, 0, 16495.1000001);

  g_assert_cmpstr (day, ==, "2015-03-01");
  g_assert_cmpstr (fraction, ==, "day 16495.1000001");
  assert_round_trip (encoder);
  g_assert_false (mt_test_parse_literal (encoder, "when ≥ 16495.1000001", NULL, NULL));
}

/* --- what cannot occur --- */

/* By enumeration of raw inputs: for each column involved, a value in every interval between
 * thresholds, every level, the rest, an unseen level and missing. */
static GArray *
list_raw_values (const MtEncoder *encoder,
                 guint            column)
{
  const MtEncoderColumn *c = mt_encoder_get_column (encoder, column);
  const MtGroup *group = &mt_encoder_get_groups (encoder)[column];
  GArray *truths = g_array_new (FALSE, TRUE, sizeof (guint8[MT_GROUP_MAX_LITERALS]));
  guint n_cells = c->levels != NULL ? g_strv_length (c->levels) + g_strv_length (c->rest) + 2 : 2 * c->n_thresholds + 2;

  for (guint i = 0; i < n_cells; i++)
    {
      g_autoptr (MtTable) table = NULL;
      guint8 truth[MT_GROUP_MAX_LITERALS] = { 0 };

      if (c->levels != NULL)
        {
          guint n_levels = g_strv_length (c->levels), n_rest = g_strv_length (c->rest);
          const char *cell = i < n_levels ? c->levels[i] : i < n_levels + n_rest ? c->rest[i - n_levels]
                             : i == n_levels + n_rest ? "never seen before" : NULL;

          table = enc_one_column (mt_test_levels (c->name, c->type, &cell, 1));
        }
      else
        {
          double cell = i == 2 * c->n_thresholds ? NAN : i > 2 * c->n_thresholds ? INFINITY
                        : i % 2 ? c->thresholds[i / 2] : nextafter (c->thresholds[i / 2], -INFINITY);

          table = enc_one_column (enc_numbers (c->name, c->type, &cell, 1));
        }
      for (guint l = 0; l < group->n_literals; l++)
        truth[l] = mt_test_literal_is_true (encoder, group->first_literal + l, table, 0);
      g_array_append_val (truths, truth);
    }
  return truths;
}

/* Marks every assignment that some choice of raw values for columns @from … shows. */
static void
mark_reached (const MtEncoder *encoder,
              GPtrArray       *raw,        /* per column */
              const guint     *literals,
              guint            n,
              guint            column,
              guint            assignment,
              guint8          *reached)
{
  const MtGroup *group;
  gboolean is_involved = FALSE;
  GArray *values;

  if (column == mt_encoder_get_n_columns (encoder))
    {
      reached[assignment] = 1;
      return;
    }
  group = &mt_encoder_get_groups (encoder)[column];
  values = g_ptr_array_index (raw, column);
  for (guint i = 0; i < n; i++)
    is_involved |= mt_encoder_get_literal (encoder, literals[i])->column == column;
  for (guint v = 0; v < (is_involved ? values->len : 1); v++)
    {
      guint with = assignment;

      for (guint i = 0; i < n; i++)
        if (mt_encoder_get_literal (encoder, literals[i])->column == column &&
            ((guint8 *) values->data)[v * MT_GROUP_MAX_LITERALS + literals[i] - group->first_literal])
          with |= 1u << i;
      mark_reached (encoder, raw, literals, n, column + 1, with, reached);
    }
}

static void
test_impossible (void)
{
  g_autoptr (MtTable) table = random_table (2000, 9);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 3);
  g_autoptr (GPtrArray) raw = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  guint n_literals = mt_encoder_get_n_literals (encoder);
  gsize n_impossible = 0;
  MtRandom random;

  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    g_ptr_array_add (raw, list_raw_values (encoder, c));
  /* The table has what the cases need: `other` with and without missing. */
  g_assert_true (mt_encoder_get_column (encoder, 3)->has_other &&
                 !mt_encoder_get_column (encoder, 3)->has_missing);
  g_assert_true (mt_encoder_get_column (encoder, 4)->has_other &&
                 mt_encoder_get_column (encoder, 4)->has_missing);
  g_assert_true (mt_encoder_code_is_possible (encoder, 3, 0));
  g_assert_false (mt_encoder_code_is_possible (encoder, 4, 0));
  g_assert_true (mt_encoder_code_is_possible (encoder, 4, 1));

  mt_random_init (&random, 10);
  for (guint trial = 0; trial < 400; trial++)
    {
      guint n = trial < 20 ? trial % 3 : 1 + (guint) mt_random_below (&random, trial % 50 == 0 ? 16 : 9);
      guint literals[MT_ENCODER_MAX_INPUTS];
      guint64 words[1024];
      g_autofree guint8 *reached = g_new0 (guint8, (gsize) 1 << n);

      memset (words, 0xff, sizeof words);
      for (guint i = 0; i < n; i++)
        literals[i] = (guint) mt_random_below (&random, n_literals);   /* may repeat */
      mt_encoder_impossible (encoder, literals, n, words);
      mark_reached (encoder, raw, literals, n, 0, 0, reached);
      for (guint v = 0; v < 1u << n; v++)
        {
          gboolean impossible = (words[v / 64] >> (v % 64)) & 1;

          g_assert_cmpint (impossible, ==, !reached[v]);
          n_impossible += impossible ? 1 : 0;
        }
      if (n < 6)
        g_assert_cmpuint (words[0] >> (1u << n), ==, 0);
    }
  g_assert_cmpuint (n_impossible, >, 0);

  for (guint a = 0; a < n_literals; a++)
    for (guint b = 0; b < n_literals; b++)
      {
        const guint literals[] = { a, b };
        guint8 reached[4] = { 0 };
        guint64 impossible;

        mark_reached (encoder, raw, literals, 2, 0, 0, reached);
        mt_encoder_impossible (encoder, literals, 2, &impossible);
        for (guint assignment = 0; assignment < 4; assignment++)
          g_assert_cmpint (((impossible >> assignment) & 1) == 0, ==, reached[assignment]);
      }
}

/* --- parts --- */

static void
test_parts (void)
{
  g_autoptr (MtTable) table = random_table (2000, 11);
  g_autoptr (MtEncoder) encoder = enc_fit (table, 5);
  guint n = mt_encoder_get_n_columns (encoder);
  g_autofree MtEncoderColumn *columns = g_new (MtEncoderColumn, n);
  g_autoptr (MtEncoder) again = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    columns[i] = *mt_encoder_get_column (encoder, i);
  again = mt_encoder_new (columns, n, &error);
  g_assert_no_error (error);
  g_assert_true (mt_encoder_equal (encoder, again));
  g_assert_cmpuint (mt_encoder_get_n_unary (encoder), ==, mt_encoder_get_n_unary (again));

  /* Each part is compared. */
  for (guint i = 0; i < 13; i++)
    {
      char *zero[] = { (char *) "0", NULL };
      double thresholds[5] = { -100, -99, -98, -97, -96 };
      char *none[] = { NULL };
      g_autoptr (MtEncoder) changed = NULL;
      guint k = i == 0 ? n - 1 : n;
      MtEncoderColumn keep = columns[0], keep_levels = columns[3];

      switch (i)
        {
        case 1: columns[0].name = (char *) "z"; break;
        case 2: columns[0].type = MT_TYPE_DATE; break;
        case 3: columns[0].has_missing = TRUE; break;
        case 4: columns[0].n_thresholds--; break;
        case 5: columns[0].mean += 1; break;
        case 6: columns[0].sd += 1; break;
        case 7: columns[0].min -= 1; break;
        case 8: columns[0].max += 1; break;
        case 9: columns[0].thresholds = thresholds; break;
        case 10: columns[3].has_other = !columns[3].has_other; break;
        case 11: columns[3].rest = none; break;
        case 12: columns[0].missing_values = zero; break;
        default: break;
        }
      changed = mt_encoder_new (columns, k, &error);
      g_assert_no_error (error);
      g_assert_false (mt_encoder_equal (encoder, changed));
      columns[0] = keep;
      columns[3] = keep_levels;
    }
}

static void
test_parts_refused (void)
{
  double good[] = { 1, 2 }, down[] = { 2, 1 }, infinite[] = { 1, INFINITY }, lowest[] = { -DBL_MAX, 0 };
  double *many = g_new (double, 251);
  char *levels[] = { (char *) "a", (char *) "b", NULL }, *twice[] = { (char *) "a", (char *) "a", NULL };
  char *rest[] = { (char *) "b", NULL }, *bad_utf8[] = { (char *) "\xff", NULL };
  char *no_values[] = { NULL };
  g_auto (GStrv) crowd = g_new0 (char *, 252);
  const struct { MtEncoderColumn columns[2]; guint n; const char *says; } cases[] = {
    { { { NULL } }, 0, "encoder.columns is empty" },
    { { { NULL, MT_TYPE_NUMBER, FALSE, good, 2, 0, 1, 0, 1 } }, 1,
     "encoder.columns[0].name is not valid UTF-8" },
    { { { (char *) "\xc3", MT_TYPE_NUMBER, FALSE, good, 2, 0, 1, 0, 1 } }, 1,
     "encoder.columns[0].name is not valid UTF-8" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE, good, 2, 0, 1, 0, 1 },
        { (char *) "x", MT_TYPE_NUMBER, FALSE, good, 2, 0, 1, 0, 1 } }, 2,
        "encoder.columns[1].name is the name of" },
    { { { (char *) "x", MT_TYPE_TEXT, TRUE } }, 1, "encoder.columns[0].type must be" },
    { { { (char *) "x", (MtColumnType) 99, TRUE } }, 1, "encoder.columns[0].type must be" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE } }, 1, "encoder.columns[0].name: the column has no condition" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE, many, 251, 0, 1, 0, 1 } }, 1,
     "encoder.columns[0].thresholds: 251" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE, down, 2, 0, 1, 0, 1 } }, 1,
     "encoder.columns[0].thresholds[1] is not above" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE, infinite, 2, 0, 1, 0, 1 } }, 1,
     "encoder.columns[0].thresholds[1] is not a finite" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE, lowest, 2, 0, 1, 0, 1 } }, 1,
     "encoder.columns[0].thresholds[0] is at or below every number" },
    { { { (char *) "x", MT_TYPE_DATE, FALSE, good, 2, NAN, 1, 0, 1 } }, 1,
     "encoder.columns[0].mean is not a finite" },
    { { { (char *) "x", MT_TYPE_DATE, FALSE, good, 2, 0, INFINITY, 0, 1 } }, 1,
     "encoder.columns[0].sd is not a finite" },
    { { { (char *) "x", MT_TYPE_DATE, FALSE, good, 2, 0, -1, 0, 1 } }, 1,
     "encoder.columns[0].sd is negative" },
    { { { (char *) "x", MT_TYPE_DATE, FALSE, good, 2, 0, 1, NAN, 1 } }, 1,
     "encoder.columns[0].min is not a finite" },
    { { { (char *) "x", MT_TYPE_DATE, FALSE, good, 2, 0, 1, 2, 1 } }, 1,
     "encoder.columns[0].min is above max" },
    { { { (char *) "x", MT_TYPE_CATEGORY, FALSE, NULL, 0, 0, 0, 0, 0, twice, NULL } }, 1,
     "encoder.columns[0].levels[1] occurs twice" },
    { { { (char *) "x", MT_TYPE_CATEGORY, FALSE, NULL, 0, 0, 0, 0, 0, levels, rest } }, 1,
     "encoder.columns[0].rest[0] occurs twice" },
    { { { (char *) "x", MT_TYPE_BOOLEAN, FALSE, NULL, 0, 0, 0, 0, 0, bad_utf8, rest } }, 1,
     "encoder.columns[0].levels[0] is not valid" },
    { { { (char *) "x", MT_TYPE_CATEGORY, FALSE, NULL, 0, 0, 0, 0, 0, crowd, NULL } }, 1,
     "encoder.columns[0].levels: 251" },
    { { { (char *) "x", MT_TYPE_CATEGORY, FALSE } }, 1,
     "encoder.columns[0].name: the column has no condition" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE, good, 2, 0, 1, 0, 1, NULL, NULL, FALSE, twice } }, 1,
     "encoder.columns[0].missing_values[1] occurs twice" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE, good, 2, 0, 1, 0, 1, NULL, NULL, FALSE, bad_utf8 } }, 1,
     "encoder.columns[0].missing_values[0] is not valid" },
    { { { (char *) "x", MT_TYPE_NUMBER, FALSE, good, 2, 0, 1, 0, 1, NULL, NULL, FALSE, no_values } }, 1,
     "encoder.columns[0].missing_values is empty" },
    { { { (char *) "x", MT_TYPE_CATEGORY, FALSE, NULL, 0, 0, 0, 0, 0, levels, NULL, FALSE, rest } }, 1,
     "encoder.columns[0].levels[1] is a value that counts as missing" },
  };

  for (guint i = 0; i < 251; i++)
    {
      many[i] = i;
      crowd[i] = g_strdup_printf ("%u", i);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (mt_encoder_new (cases[i].columns, cases[i].n, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
      if (!g_str_has_prefix (error->message, cases[i].says))
        g_error ("expected '%s…', got '%s'", cases[i].says, error->message);
    }
  g_free (many);
}

/* Fitted without the values that count as missing, and applied without them, wherever the cells come from. */
static void
test_missing_values (void)
{
  static const double numbers[] = { 0, -0.0, 3, 4, NAN, 5, 1e3, 6 }, more[] = { 0, 1, 1e3, NAN, 4, -0.0 };
  static const double days[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, more_days[] = { 3, 4, 4.5, NAN, 2, 0 };
  static const char * const codes[] = { "1", "2", "0", "0.0", "00", NULL, "1", "x" };
  static const char * const more_codes[] = { "0", "00", " +0.00 ", NULL, "new", "x" };
  static const char * const of_number[] = { "0", "1000", NULL }, * const of_day[] = { "1970-01-04", NULL };
  static const char * const of_code[] = { "0", "x", NULL };
  static const guint8 expected[][6] = { { 4, 0, 4, 4, 1, 4 }, { 7, 3, 3, 7, 2, 0 }, { 4, 1, 4, 4, 0, 4 } };
  MtColumn *columns[3], *others[3];
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtTable) other = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtEncoded) encoded = NULL;
  const MtEncoderColumn *number;
  MtEncodeReport report;
  double standardised;

  columns[0] = mt_test_numbers ("n", numbers, 8);
  columns[1] = mt_column_new_numbers ("d", MT_TYPE_DATE, g_memdup2 (days, sizeof days), 8);
  columns[2] = mt_test_levels ("c", MT_TYPE_CATEGORY, codes, 8);
  mt_column_set_missing_values (columns[0], of_number);
  mt_column_set_missing_values (columns[1], of_day);
  mt_column_set_missing_values (columns[2], of_code);
  table = mt_table_new (columns, 3);
  encoder = enc_fit (table, 9);
  number = mt_encoder_get_column (encoder, 0);
  g_assert_true (number->has_missing);
  g_assert_cmpfloat (number->min, ==, 3);
  g_assert_cmpfloat (number->max, ==, 6);
  g_assert_cmpfloat (number->mean, ==, 4.5);
  g_assert_cmpuint (number->n_thresholds, ==, 3);
  g_assert_cmpuint (mt_encoder_get_column (encoder, 1)->n_thresholds, ==, 6);
  g_assert_cmpuint (g_strv_length (mt_encoder_get_column (encoder, 2)->levels), ==, 3);   /* 00, 1, 2 */

  others[0] = mt_test_numbers ("n", more, 6);
  others[1] = mt_column_new_numbers ("d", MT_TYPE_DATE, g_memdup2 (more_days, sizeof more_days), 6);
  others[2] = mt_test_levels ("c", MT_TYPE_CATEGORY, more_codes, 6);
  other = mt_table_new (others, 3);
  encoded = enc_apply (encoder, other, &report);
  for (guint c = 0; c < 3; c++)
    for (gsize r = 0; r < 6; r++)
      g_assert_cmpuint (mt_encoded_get_codes (encoded, c)[r], ==, expected[c][r]);
  g_assert_cmpuint (report.n_missing, ==, 10);
  g_assert_cmpuint (report.n_unknown_levels, ==, 1);
  g_assert_cmpuint (mt_encoder_encode_number (number, 0, &standardised), ==, 4);
  g_assert_cmpfloat (standardised, ==, 0);
  g_assert_cmpuint (mt_encoder_encode_level (mt_encoder_get_column (encoder, 2), "0.0"), ==, 4);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/encoder/by-name", test_by_name);
  g_test_add_func ("/encoder/missing-values", test_missing_values);
  g_test_add_func ("/encoder/schema-errors", test_schema_errors);
  g_test_add_func ("/encoder/empty-column", test_empty_column);
  g_test_add_func ("/encoder/out-of-range", test_out_of_range);
  g_test_add_func ("/encoder/rows", test_rows);
  g_test_add_func ("/encoder/partition-and-bits", test_partition_and_bits);
  g_test_add_func ("/encoder/threads", test_threads);
  g_test_add_func ("/encoder/wrong-bits-are-seen", test_wrong_bits_are_seen);
  g_test_add_func ("/encoder/text", test_text);
  g_test_add_func ("/encoder/text-hostile", test_text_hostile);
  g_test_add_func ("/encoder/value-text", test_value_text);
  g_test_add_func ("/encoder/impossible", test_impossible);
  g_test_add_func ("/encoder/parts", test_parts);
  g_test_add_func ("/encoder/parts-refused", test_parts_refused);
  return g_test_run ();
}
