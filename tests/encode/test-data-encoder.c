/* Every shared data set encodes, on a part of its rows as in training; thresholds leave the
 * training partition alone, and codes and planes are what the raw cells say. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mt-core.h"
#include "literal-reader.h"
#include "testutils.h"

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* The distinct finite training values, ascending. */
static GArray *
list_distinct (const MtColumn *column,
               const guint32  *rows,
               gsize           n_rows)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 0;

  for (gsize i = 0; i < n_rows; i++)
    {
      double value = mt_column_get_number (column, rows[i]);

      if (isfinite (value))
        g_array_append_val (values, value);
    }
  g_array_sort (values, compare_doubles);
  for (guint i = 0; i < values->len; i++)
    if (n == 0 || g_array_index (values, double, i) != g_array_index (values, double, n - 1))
      g_array_index (values, double, n++) = g_array_index (values, double, i);
  g_array_set_size (values, n);
  return values;
}

/* Each threshold lies in a gap of its own, and no shorter decimal lies there. */
static void
check_thresholds (const MtEncoderColumn *wanted,
                  const MtColumn        *column,
                  const guint32         *rows,
                  gsize                  n_rows)
{
  g_autoptr (GArray) values = list_distinct (column, rows, n_rows);
  guint at = 0;

  g_assert_cmpuint (wanted->n_thresholds, ==, MIN (9, values->len - 1));
  for (guint t = 0; t < wanted->n_thresholds; t++)
    {
      while (at < values->len && g_array_index (values, double, at) < wanted->thresholds[t])
        at++;
      g_assert_cmpuint (at, >, 0);
      g_assert_cmpuint (at, <, values->len);
      if (t > 0)   /* another gap than the one before: the partition is as fine as the quantiles */
        g_assert_cmpfloat (wanted->thresholds[t - 1], <=, g_array_index (values, double, at - 1));
      if (wanted->type == MT_TYPE_NUMBER)
        g_assert_cmpfloat (wanted->thresholds[t], ==,
                           mt_shortest_decimal_between (g_array_index (values, double, at - 1),
                                                        g_array_index (values, double, at)));
    }
}

static void
check_encoded (const MtEncoder *encoder,
               const MtEncoded *encoded,
               const MtTable   *table,
               gsize            step)
{
  for (guint id = 0; id < mt_encoder_get_n_literals (encoder); id++)
    {
      const MtLiteral *literal = mt_encoder_get_literal (encoder, id);
      const MtGroup *group = &mt_encoder_get_groups (encoder)[literal->group];
      const guint64 *plane = mt_encoded_get_plane (encoded, id);
      const guint8 *codes = mt_encoded_get_codes (encoded, literal->group);

      for (gsize r = 0; r < mt_table_get_n_rows (table); r += step)
        {
          gboolean expected = mt_test_literal_is_true (encoder, id, table, r);

          g_assert_true (mt_plane_get (plane, r) == expected);
          g_assert_true (mt_group_literal_is_true (group, id - group->first_literal, codes[r]) == expected);
        }
    }
}

static void
check_texts (const MtEncoder *encoder)
{
  for (guint id = 0; id < mt_encoder_get_n_literals (encoder); id++)
    for (gboolean negated = FALSE; negated <= TRUE; negated++)
      {
        g_autofree char *text = mt_encoder_dup_literal_text (encoder, id, negated);
        gboolean negated_back;
        guint back;

        g_assert_true (mt_test_parse_literal (encoder, text, &back, &negated_back));
        g_assert_true (back == id && negated_back == negated);
      }
}

static void
check_data_set (const char *name,
                const char *file_name)
{
  g_autofree char *path = mt_test_shared ("data", file_name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = mt_import_file (file, NULL, NULL, &error);
  g_autofree guint32 *rows = NULL;
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtEncoded) encoded = NULL;
  MtEncoderOptions options;
  MtEncodeReport report;
  MtTable *table;
  gsize n_rows, n_train;

  g_assert_no_error (error);
  table = mt_import_get_table (import);
  n_rows = mt_table_get_n_rows (table);
  n_train = n_rows * 4 / 5;
  rows = g_new (guint32, n_train);
  for (gsize i = 0; i < n_train; i++)   /* four of five, spread over the file */
    rows[i] = (guint32) (i + i / 4);
  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, rows, n_train, &options, &error);
  g_assert_no_error (error);
  encoded = mt_encoder_apply (encoder, table, NULL, 0, &report, &error);
  g_assert_no_error (error);
  g_test_message ("%s: %" G_GSIZE_FORMAT " rows, %u columns, %u literals, %u unary terms, %" G_GSIZE_FORMAT
                  " unknown levels", name, n_rows, mt_encoder_get_n_columns (encoder),
                  mt_encoder_get_n_literals (encoder), mt_encoder_get_n_unary (encoder),
                  report.n_unknown_levels);
  g_assert_cmpuint (report.n_rows, ==, n_rows);
  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    {
      const MtEncoderColumn *wanted = mt_encoder_get_column (encoder, c);

      if (wanted->n_thresholds > 0)
        check_thresholds (wanted, mt_table_find_column (table, wanted->name, NULL), rows, n_train);
    }
  check_encoded (encoder, encoded, table, 1 + n_rows / 10000);
  check_texts (encoder);
}

static void
test_data_sets (void)
{
  g_autoptr (GPtrArray) manifest = mt_test_manifest ("data");

  if (manifest == NULL)
    return;
  for (guint i = 0; i < manifest->len; i++)
    {
      char **words = manifest->pdata[i];

      check_data_set (words[0], words[1]);
    }
  g_assert_cmpuint (manifest->len, ==, 20);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data-encoder/data-sets", test_data_sets);
  return g_test_run ();
}
