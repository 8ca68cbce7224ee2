#include "config.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-random.h"
#include "logic/mt-truth-table.h"

#define MAX_WORDS MT_TRUTH_TABLE_MAX_WORDS

static void
random_table (MtRandom *random,
              guint     fan_in,
              guint64  *out)
{
  for (gsize w = 0; w < mt_truth_table_n_words (fan_in); w++)
    out[w] = mt_random_next (random) & mt_truth_table_last_mask (fan_in);
}

/* Every table that a kernel writes has zeros past its end. */
static void
assert_clean (guint          fan_in,
              const guint64 *table)
{
  g_assert_cmpuint (table[mt_truth_table_n_words (fan_in) - 1] & ~mt_truth_table_last_mask (fan_in), ==, 0);
}

static guint32
without_bit (guint32 v,
             guint   bit)
{
  return (v & ((1u << bit) - 1)) | (v >> (bit + 1)) << bit;
}

static void
test_whole_tables (void)
{
  guint64 a[MAX_WORDS], b[MAX_WORDS], out[MAX_WORDS];
  MtRandom random;

  mt_random_init (&random, 1);
  for (guint k = 0; k <= MT_TRUTH_TABLE_MAX_FAN_IN; k++)
    {
      guint count = 0;

      random_table (&random, k, a);
      random_table (&random, k, b);
      for (guint what = 0; what < 5; what++)
        {
          if (what == 0)
            mt_truth_table_and (k, a, b, out);
          else if (what == 1)
            mt_truth_table_or (k, a, b, out);
          else if (what == 2)
            mt_truth_table_xor (k, a, b, out);
          else if (what == 3)
            mt_truth_table_and_not (k, a, b, out);
          else
            mt_truth_table_not (k, a, out);
          assert_clean (k, out);
          for (guint32 v = 0; v < 1u << k; v++)
            {
              gboolean x = mt_truth_table_get (a, v), y = mt_truth_table_get (b, v);
              gboolean expected[] = { x && y, x || y, x != y, x && !y, !x };

              g_assert_cmpint (mt_truth_table_get (out, v), ==, expected[what]);
            }
        }
      for (guint32 v = 0; v < 1u << k; v++)
        count += mt_truth_table_get (a, v);
      g_assert_cmpuint (mt_truth_table_count (k, a), ==, count);

      mt_truth_table_and (k, a, b, out);
      g_assert_true (mt_truth_table_implies (k, out, a));
      mt_truth_table_copy (k, a, out);
      g_assert_true (mt_truth_table_equal (k, a, out));
      mt_truth_table_set (out, (1u << k) - 1, !mt_truth_table_get (out, (1u << k) - 1));
      g_assert_false (mt_truth_table_equal (k, a, out));
      g_assert_false (mt_truth_table_implies (k, a, out) && mt_truth_table_implies (k, out, a));

      mt_truth_table_fill (k, TRUE, out);
      assert_clean (k, out);
      g_assert_true (mt_truth_table_is_true (k, out));
      mt_truth_table_set (out, 0, FALSE);
      g_assert_false (mt_truth_table_is_true (k, out));
      mt_truth_table_fill (k, FALSE, out);
      g_assert_true (mt_truth_table_is_false (k, out));
      mt_truth_table_set (out, (1u << k) - 1, TRUE);
      g_assert_false (mt_truth_table_is_false (k, out));
    }
}

static void
test_inputs (void)
{
  guint64 a[MAX_WORDS], out[MAX_WORDS], small[MAX_WORDS], again[MAX_WORDS];
  MtRandom random;

  mt_random_init (&random, 2);
  for (guint k = 1; k <= 12; k++)
    for (guint input = 0; input < k; input++)
      {
        guint32 bit = 1u << input;

        random_table (&random, k, a);
        mt_truth_table_input (k, input, out);
        assert_clean (k, out);
        for (guint32 v = 0; v < 1u << k; v++)
          g_assert_cmpint (mt_truth_table_get (out, v), ==, (v & bit) != 0);

        mt_truth_table_flip (k, a, input, out);
        assert_clean (k, out);
        for (guint32 v = 0; v < 1u << k; v++)
          g_assert_cmpint (mt_truth_table_get (out, v), ==, mt_truth_table_get (a, v ^ bit));

        for (guint value = 0; value < 2; value++)
          {
            mt_truth_table_cofactor (k, a, input, (gboolean) value, out);
            mt_truth_table_remove (k, a, input, (gboolean) value, small);
            assert_clean (k, out);
            assert_clean (k - 1, small);
            for (guint32 v = 0; v < 1u << k; v++)
              {
                gboolean expected = mt_truth_table_get (a, value ? v | bit : v & ~bit);

                g_assert_cmpint (mt_truth_table_get (out, v), ==, expected);
                g_assert_cmpint (mt_truth_table_get (small, without_bit (v, input)), ==, expected);
              }
            g_assert_false (mt_truth_table_support (k, out) & bit);

            /* In place. */
            memcpy (again, a, sizeof again);
            mt_truth_table_cofactor (k, again, input, (gboolean) value, again);
            g_assert_true (mt_truth_table_equal (k, again, out));
            memcpy (again, a, sizeof again);
            mt_truth_table_remove (k, again, input, (gboolean) value, again);
            g_assert_true (mt_truth_table_equal (k - 1, again, small));
          }
        mt_truth_table_set (out, 0, !mt_truth_table_get (out, 0));
        g_assert_cmpuint (mt_truth_table_support (k, out), ==, (1u << k) - 1);
      }
}

static void
test_permute (void)
{
  guint64 a[MAX_WORDS], out[MAX_WORDS];
  MtRandom random;

  mt_random_init (&random, 3);
  for (guint k = 0; k <= 12; k++)
    {
      guint32 order[16];
      guint8 bytes[16];

      for (guint i = 0; i < k; i++)
        order[i] = i;
      mt_random_shuffle (&random, order, k);
      for (guint i = 0; i < k; i++)
        bytes[i] = (guint8) order[i];
      random_table (&random, k, a);
      mt_truth_table_permute (k, a, bytes, out);
      assert_clean (k, out);
      for (guint32 v = 0; v < 1u << k; v++)
        {
          guint32 old = 0;

          for (guint i = 0; i < k; i++)
            if ((v >> i) & 1)
              old |= 1u << order[i];
          g_assert_cmpint (mt_truth_table_get (out, v), ==, mt_truth_table_get (a, old));
        }
    }
}

static void
test_from_weights (void)
{
  guint64 table[MAX_WORDS];
  double weights[MT_TRUTH_TABLE_MAX_FAN_IN];
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint k = 0; k <= MT_TRUTH_TABLE_MAX_FAN_IN; k++)
    {
      double bias = mt_random_normal (&random);

      for (guint i = 0; i < k; i++)
        weights[i] = mt_random_normal (&random);
      mt_truth_table_from_weights (k, weights, bias, table);
      assert_clean (k, table);
      for (guint32 v = 0; v < 1u << k; v++)
        {
          double z = bias;

          for (guint i = 0; i < k; i++)
            if ((v >> i) & 1)
              z += weights[i];
          g_assert_cmpint (mt_truth_table_get (table, v), ==, z > 0);
        }
    }

  /* Zero is not positive, and the order of additions is the inputs': 1 is lost beside 2^60. */
  weights[0] = 1;
  weights[1] = -1;
  mt_truth_table_from_weights (2, weights, 0, table);
  g_assert_cmpuint (table[0], ==, 2);
  weights[0] = 1;
  weights[1] = 0x1p60;
  weights[2] = -0x1p60;
  mt_truth_table_from_weights (3, weights, 0, table);
  g_assert_false (mt_truth_table_get (table, 7));
  weights[0] = G_MAXDOUBLE;
  weights[1] = G_MAXDOUBLE;
  weights[2] = -G_MAXDOUBLE;
  mt_truth_table_from_weights (3, weights, 0, table);
  g_assert_true (mt_truth_table_get (table, 7));
}

static void
test_evaluate (void)
{
  guint64 table[MAX_WORDS], planes[MT_TRUTH_TABLE_MAX_FAN_IN][21], out[22];
  const guint64 *pointers[MT_TRUTH_TABLE_MAX_FAN_IN];
  MtRandom random;

  mt_random_init (&random, 5);
  for (guint k = 0; k <= MT_TRUTH_TABLE_MAX_FAN_IN; k++)
    for (gsize n_words = 0; n_words <= 21; n_words += 1 + n_words / 3)
      {
        random_table (&random, k, table);
        for (guint i = 0; i < k; i++)
          {
            pointers[i] = planes[i];
            for (gsize w = 0; w < n_words; w++)
              planes[i][w] = mt_random_next (&random);
          }
        out[n_words] = G_GUINT64_CONSTANT (0x1234567890abcdef);
        mt_truth_table_evaluate (k, table, pointers, n_words, out);
        g_assert_cmpuint (out[n_words], ==, G_GUINT64_CONSTANT (0x1234567890abcdef));
        for (gsize r = 0; r < 64 * n_words; r++)
          {
            guint32 v = 0;

            for (guint i = 0; i < k; i++)
              v |= (guint32) ((planes[i][r / 64] >> (r % 64)) & 1) << i;
            g_assert_cmpint ((out[r / 64] >> (r % 64)) & 1, ==, mt_truth_table_get (table, v));
          }
      }
}

static void
assert_parse_error (guint       fan_in,
                    const char *hex,
                    const char *part)
{
  guint64 table[MAX_WORDS];
  g_autoptr (GError) error = NULL;

  g_assert_false (mt_truth_table_parse (fan_in, hex, table, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_hex (void)
{
  guint64 a[MAX_WORDS], b[MAX_WORDS];
  MtRandom random;

  mt_random_init (&random, 6);
  for (guint k = 0; k <= MT_TRUTH_TABLE_MAX_FAN_IN; k++)
    {
      g_autofree char *text = NULL;
      g_autofree char *longer = NULL;
      g_autoptr (GError) error = NULL;

      random_table (&random, k, a);
      text = mt_truth_table_dup_hex (k, a);
      g_assert_true (mt_truth_table_parse (k, text, b, &error));
      g_assert_no_error (error);
      g_assert_true (mt_truth_table_equal (k, a, b));
      longer = g_strconcat ("0x000", text, NULL);
      g_assert_true (mt_truth_table_parse (k, longer, b, NULL));
      g_assert_true (mt_truth_table_equal (k, a, b));
    }
  g_assert_true (mt_truth_table_parse (4, "f0B", a, NULL));
  g_assert_cmpuint (a[0], ==, 0xf0b);
  g_assert_true (mt_truth_table_parse (7, "1", a, NULL));
  g_assert_cmpuint (a[0], ==, 1);
  g_assert_cmpuint (a[1], ==, 0);

  assert_parse_error (4, "", "at least one");
  assert_parse_error (4, "0x", "at least one");
  assert_parse_error (4, "12g4", "only hexadecimal");
  assert_parse_error (4, "-1", "only hexadecimal");
  assert_parse_error (4, "1 ", "only hexadecimal");
  assert_parse_error (4, "10000", "beyond its 16");
  assert_parse_error (0, "2", "beyond its 1 ");
  assert_parse_error (1, "4", "beyond its 2 ");
  assert_parse_error (1, "10", "beyond its 2 ");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/truth-table/whole-tables", test_whole_tables);
  g_test_add_func ("/truth-table/inputs", test_inputs);
  g_test_add_func ("/truth-table/permute", test_permute);
  g_test_add_func ("/truth-table/from-weights", test_from_weights);
  g_test_add_func ("/truth-table/evaluate", test_evaluate);
  g_test_add_func ("/truth-table/hex", test_hex);
  return g_test_run ();
}
