/* A file read in parts: numbers and dates are those of the file read as a whole, or there is an error. */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "import/mt-import.h"
#include "testutils.h"

typedef struct {
  GArray   *values;      /* of double, of the column “v” */
  gboolean  ambiguous;   /* it was said that another format would do as well */
} Gathered;

static gboolean
gather (const MtImportPart  *part,
        gpointer             data,
        GError             **error)
{
  const MtColumn *column = mt_table_find_column (mt_import_get_table (mt_import_part_get_import (part)), "v", NULL);
  GPtrArray *findings = mt_import_get_findings (mt_import_part_get_import (part));
  Gathered *gathered = data;

  for (guint i = 0; i < findings->len; i++)
    gathered->ambiguous |= g_str_has_prefix (((const MtFinding *) findings->pdata[i])->code, "ambiguous-");
  g_assert_nonnull (column);
  g_assert_cmpint (mt_column_get_store (column), ==, MT_STORE_NUMBERS);
  g_assert_cmpuint (mt_import_part_get_first_row (part), ==, gathered->values->len);
  for (gsize i = 0; i < mt_column_get_n_rows (column); i++)
    {
      double value = mt_column_is_missing (column, i) ? NAN : mt_column_get_number (column, i);

      g_array_append_val (gathered->values, value);
    }
  return TRUE;
}

/* NULL: an error. */
static GArray *
read_parts (const char    *csv,
            MtColumnType   type,
            gsize          part_size,
            gboolean      *ambiguous,
            GError       **error)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (csv, -1, NULL);
  g_autoptr (MtSchema) schema = mt_schema_new ();
  MtImportOptions options = { .schema = schema, .n_threads = 1 };
  Gathered gathered = { g_array_new (FALSE, FALSE, sizeof (double)), FALSE };
  gboolean ok;

  mt_schema_set_type (schema, "v", type);
  ok = mt_import_parts (NULL, stream, &options, part_size, gather, &gathered, NULL, error);
  if (ambiguous != NULL)
    *ambiguous |= gathered.ambiguous;
  if (ok)
    return gathered.values;
  g_array_unref (gathered.values);
  return NULL;
}

/* A file of two parts: so many lines of the first, then the others. */
static char *
make_csv (const char *first,
          const char *second,
          gsize      *part_size)
{
  GString *csv = g_string_new ("p;v\n");

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (csv, "%u.5;%s\n", i, first);
  *part_size = csv->len;
  for (guint i = 0; i < 40; i++)
    g_string_append_printf (csv, "%u.5;%s\n", i, second);
  return g_string_free (csv, FALSE);
}

static void
test_other_reading (void)
{
  static const struct {
    MtColumnType type;
    const char *first, *second;
    double      values[2];   /* NaN: an error */
  } cases[] = {
    /* Certain orders that differ; the same order; one that only the first part can settle. */
    { MT_TYPE_DATE, "31/01/2020", "01/31/2020", { NAN, NAN } },
    { MT_TYPE_DATE, "01/31/2020", "31/01/2020", { NAN, NAN } },
    { MT_TYPE_DATE, "2020-01-31", "31/01/2020", { NAN, NAN } },
    { MT_TYPE_DATE, "31/01/2020", "2020-01-31", { NAN, NAN } },
    { MT_TYPE_DATE, "01/02/2020", "01/31/2020", { NAN, NAN } },   /* was taken as the first of February */
    { MT_TYPE_DATE, "01/31/2020", "02/01/2020", { 18292, 18293 } },
    { MT_TYPE_DATE, "31/01/2020", "02/01/2020", { 18292, 18263 } },
    { MT_TYPE_DATE, "2020-01-31", "2020-02-01", { 18292, 18293 } },
    /* The other column has a point, so no decimal mark of the whole file is at odds. */
    { MT_TYPE_NUMBER, "1,234,567", "1,5", { NAN, NAN } },
    { MT_TYPE_NUMBER, "1,5", "1,234,567", { NAN, NAN } },
    { MT_TYPE_NUMBER, "1.000", "1.234,5", { NAN, NAN } },
    { MT_TYPE_NUMBER, "1.234,5", "1.5", { NAN, NAN } },
    { MT_TYPE_NUMBER, "1.5", "1,5", { NAN, NAN } },
    { MT_TYPE_NUMBER, "1,5", "1.5", { NAN, NAN } },
    { MT_TYPE_NUMBER, "1.5", "1.234.567", { NAN, NAN } },
    { MT_TYPE_NUMBER, "12", "1,5", { 12, 1.5 } },
    { MT_TYPE_NUMBER, "1,5", "12", { 1.5, 12 } },
    { MT_TYPE_NUMBER, "1,5", "1.234", { 1.5, 1234 } },
    { MT_TYPE_NUMBER, "1,5", "1,234", { 1.5, 1.234 } },
    { MT_TYPE_NUMBER, "1,234.5", "1,234", { 1234.5, 1234 } },
    { MT_TYPE_NUMBER, "1.5", "1,234.5", { 1.5, 1234.5 } },
    { MT_TYPE_NUMBER, ".", "1,5", { NAN, 1.5 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) values = NULL;
      gsize part_size;
      g_autofree char *csv = make_csv (cases[i].first, cases[i].second, &part_size);

      g_test_message ("%s, %s", cases[i].first, cases[i].second);
      values = read_parts (csv, cases[i].type, part_size, NULL, &error);
      if (isnan (cases[i].values[1]))
        {
          g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
          g_assert_cmpuint (mt_error_get_line (error), ==, 42);
          g_assert_true (g_str_has_prefix (error->message, "Line 42: “"));
          g_assert_nonnull (strstr (error->message, cases[i].second));
          g_assert_nonnull (strstr (error->message, "“v”"));
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpuint (values->len, ==, 80);
      for (guint row = 0; row < 80; row++)
        {
          double value = g_array_index (values, double, row);

          if (isnan (cases[i].values[row / 40]))
            g_assert_true (isnan (value));
          else
            g_assert_cmpfloat (value, ==, cases[i].values[row / 40]);
        }
    }
}

/* Any texts in any order: where parts are read without an error, a whole reads each cell the same or not at all. */
static void
test_like_whole (void)
{
  static const char * const texts[2][10] = {
    { "12", "1.5", "1,5", "1.000", "1,000", "1.234,5", "1,234.5", "1 234", "-7", "" },
    { "2020-01-31", "31/01/2020", "01/31/2020", "02/01/2020", "05/05/2020", "2020-02-02", "1.2.2020", "", "03/04/2021", "" },
  };
  guint n_read = 0, n_errors = 0;

  for (guint round = 0; round < 600; round++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (round);
      g_autoptr (GString) csv = g_string_new ("p;v\n");
      g_autoptr (GArray) whole = NULL;
      g_autoptr (GArray) parts = NULL;
      g_autoptr (GError) error = NULL;
      MtColumnType type = round % 2 == 0 ? MT_TYPE_NUMBER : MT_TYPE_DATE;
      guint n_kinds = (guint) g_rand_int_range (random, 1, 4);
      gboolean ambiguous = FALSE;
      const char *kinds[3];

      for (guint k = 0; k < n_kinds; k++)
        kinds[k] = texts[round % 2][g_rand_int_range (random, 0, 10)];
      for (guint i = 0; i < 60; i++)
        g_string_append_printf (csv, "%u.5;%s\n", i, kinds[g_rand_boolean (random) ? i * n_kinds / 60
                                                                                  : (i * n_kinds + 5) / 65]);
      whole = read_parts (csv->str, type, 0, &ambiguous, &error);
      g_assert_no_error (error);
      parts = read_parts (csv->str, type, (gsize) g_rand_int_range (random, 20, 400), &ambiguous, &error);
      if (parts == NULL)
        {
          g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
          n_errors++;
          continue;
        }
      if (ambiguous)
        continue;   /* a model is not applied to it */
      n_read++;
      g_assert_cmpuint (parts->len, ==, whole->len);
      for (guint i = 0; i < whole->len; i++)
        {
          double a = g_array_index (whole, double, i), b = g_array_index (parts, double, i);

          if (!isnan (a) && !isnan (b) && a != b)
            g_test_message ("round %u, row %u: %g, %g\n%s", round, i, a, b, csv->str);
          g_assert_true (isnan (a) || isnan (b) || a == b);
        }
    }
  g_assert_cmpuint (n_read, >, 100);
  g_assert_cmpuint (n_errors, >, 100);
}

static gboolean
count_rows (const MtImportPart  *part,
            gpointer             data,
            GError             **error)
{
  *(gsize *) data += mt_table_get_n_rows (mt_import_get_table (mt_import_part_get_import (part)));
  return TRUE;
}

/* What comes from a pipe is not kept: neither in memory nor in a file, for which there is no folder here. */
static void
test_long_pipe (void)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new ();
  g_autofree char *line = g_malloc (32 * 1024 + 1);
  g_autoptr (GBytes) lines = NULL;
  g_autoptr (GError) error = NULL;
  MtImportOptions options = { .n_threads = 1 };
  gsize n_rows = 0;

  memset (line, 'x', 32 * 1024);
  memcpy (line, "7,", 2);
  line[32 * 1024 - 1] = '\n';
  lines = g_bytes_new (line, 32 * 1024);
  g_memory_input_stream_add_data (G_MEMORY_INPUT_STREAM (stream), "v,text\n", -1, NULL);
  for (guint i = 0; i < 3000; i++)
    g_memory_input_stream_add_bytes (G_MEMORY_INPUT_STREAM (stream), lines);
  mt_test_peak_begin ();
  g_assert_true (mt_import_parts (NULL, stream, &options, 1024 * 1024, count_rows, &n_rows, NULL, &error));
  mt_test_peak_end (40 * 1024 * 1024);
  g_assert_no_error (error);
  g_assert_cmpuint (n_rows, ==, 3000);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import-parts/other-reading", test_other_reading);
  g_test_add_func ("/import-parts/long-pipe", test_long_pipe);
  g_test_add_func ("/import-parts/like-whole", test_like_whole);
  return g_test_run ();
}
