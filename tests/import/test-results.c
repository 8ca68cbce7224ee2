#include <gio/gio.h>
#include <math.h>

#include "mt-core.h"
#include "testutils.h"

/* Files of results of other methods: what is read, and that each wrong cell is named with its line and field. */

static GPtrArray *
read_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *results = mt_results_from_text (text, -1, &error);

  g_assert_no_error (error);
  return results;
}

static void
check_result (const GPtrArray *results,
              guint            index,
              const char      *method,
              double           literals,
              double           score,
              double           deviation)
{
  const MtResult *result = results->pdata[index];

  g_assert_cmpstr (result->method, ==, method);
  g_assert_true (isnan (literals) ? isnan (result->literals) : result->literals == literals);
  g_assert_cmpfloat (result->score, ==, score);
  g_assert_true (isnan (deviation) ? isnan (result->error) : result->error == deviation);
}

static void
test_reads (void)
{
  g_autoptr (GPtrArray) results = read_text ("\xef\xbb\xbfScore,seconds,METHOD,literals,error\r\n"
                                             "0.91, 3,FIGS,12,0.01\r\n\r\n"
                                             ".93,99,\"Boosted, ours\",,\r\n"
                                             "-0.5,,\"two\nlines\",1.5,0\r\n");

  g_assert_cmpuint (results->len, ==, 3);
  check_result (results, 0, "FIGS", 12, 0.91, 0.01);
  check_result (results, 1, "Boosted, ours", NAN, 0.93, NAN);
  check_result (results, 2, "two\nlines", 1.5, -0.5, 0);
}

static void
test_needs_only_method_and_score (void)
{
  g_autoptr (GPtrArray) results = read_text ("method\tscore\nA\t1\nA\t0.5\n");

  g_assert_cmpuint (results->len, ==, 2);
  check_result (results, 1, "A", NAN, 0.5, NAN);
}

static void
test_reads_decimal_commas (void)
{
  g_autoptr (GPtrArray) results = read_text ("method;literals;score;error\nÜbersicht;7;0,875;0,01\n");

  check_result (results, 0, "Übersicht", 7, 0.875, 0.01);
}

static void
test_writes_what_it_reads (void)
{
  const char *text = "method,literals,score,error\n\"a \"\"b\"\", c\",3,0.30000000000000004,\n=x,,-2.5,1e-300\n";
  g_autoptr (GPtrArray) results = read_text (text);
  g_autofree char *once = mt_results_to_text (results);
  g_autoptr (GPtrArray) again = read_text (once);
  g_autofree char *twice = mt_results_to_text (again);

  check_result (again, 0, "a \"b\", c", 3, 0.30000000000000004, NAN);
  check_result (again, 1, "=x", NAN, -2.5, 1e-300);
  g_assert_cmpstr (once, ==, twice);
}

static void
check_refused (const char *text,
               gssize      length,
               int         code,
               guint64     line,
               const char *words)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *results = mt_results_from_text (text, length, &error);

  g_assert_null (results);
  g_assert_error (error, MT_ERROR, code);
  if (strstr (error->message, words) == NULL || mt_error_get_line (error) != line)
    g_error ("“%s” (line %u) should say “%s” (line %u)", error->message, (guint) mt_error_get_line (error), words, (guint) line);
}

#define HEAD "method,literals,score,error\n"

static void
test_names_line_and_field (void)
{
  check_refused (HEAD "A,1,0.5,\nB,x,0.5,\n", -1, MT_ERROR_PARSE, 3, "Line 3: literals is “x”");
  check_refused (HEAD "A,0,0.5,\n", -1, MT_ERROR_PARSE, 2, "literals is “0”");
  check_refused (HEAD "\n\nA,1,,\n", -1, MT_ERROR_PARSE, 4, "Line 4: score is “”");
  check_refused (HEAD "A,1,nan,\n", -1, MT_ERROR_PARSE, 2, "score is “nan”");
  check_refused (HEAD "A,1,93,\n", -1, MT_ERROR_PARSE, 2, "score is “93”, not a number of at most 1");
  check_refused (HEAD "A,1,\"0,5\",\n", -1, MT_ERROR_PARSE, 2, "score is “0,5”");
  check_refused (HEAD "\"A\nB\",1,1,-1\n", -1, MT_ERROR_PARSE, 2, "error is “-1”");
  check_refused (HEAD "\"A\nB\",1,1,0\nC,1,2,\n", -1, MT_ERROR_PARSE, 4, "score is “2”");
  check_refused (HEAD " ,1,1,0\n", -1, MT_ERROR_PARSE, 2, "method is empty");
  check_refused (HEAD "A,1,1\n", -1, MT_ERROR_PARSE, 2, "3 fields, but the first line has 4");
}

static void
test_refuses_other_files (void)
{
  g_autoptr (GString) many = g_string_new (HEAD);
  g_autofree char *large = g_malloc0 (MT_RESULTS_MAX_BYTES + 1);

  check_refused ("name,score\nA,1\n", -1, MT_ERROR_PARSE, 1, "no column “method”");
  check_refused ("method,auc\nA,1\n", -1, MT_ERROR_PARSE, 1, "no column “score”");
  check_refused ("method,score,Score\nA,1,1\n", -1, MT_ERROR_PARSE, 1, "“score” appears twice");
  check_refused ("", -1, MT_ERROR_PARSE, 0, "No results");
  check_refused (HEAD, -1, MT_ERROR_PARSE, 0, "No results");
  check_refused (HEAD "\"A,1,1,\n", -1, MT_ERROR_PARSE, 2, "Line 2: a quote opens here but is never closed");
  check_refused (HEAD "A\"b,1,1,\n", -1, MT_ERROR_PARSE, 2, "Line 2: a quote is in the middle of a field");
  check_refused (HEAD "\xff,1,1,\n", -1, MT_ERROR_PARSE, 0, "UTF-8");
  check_refused (HEAD "A\0,1,1,\n", sizeof HEAD + 8, MT_ERROR_PARSE, 0, "UTF-8");
  check_refused (large, MT_RESULTS_MAX_BYTES + 1, MT_ERROR_BUDGET, 0, "More than 1 MiB");
  for (guint i = 0; i <= MT_RESULTS_MAX_METHODS; i++)
    g_string_append_printf (many, "M%u,1,1,\n", i);
  check_refused (many->str, -1, MT_ERROR_BUDGET, MT_RESULTS_MAX_METHODS + 2, "more than 16 methods");
  g_string_assign (many, HEAD);
  for (guint i = 0; i <= MT_RESULTS_MAX_ROWS; i++)
    g_string_append (many, "A,1,1,\n");
  check_refused (many->str, -1, MT_ERROR_BUDGET, MT_RESULTS_MAX_ROWS + 2, "more than 1,000 results");
}

static void
test_reads_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "minterm-test-results.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) results = NULL;

  g_assert_true (g_file_set_contents (path, HEAD "A,2,0.5,0.1\n", -1, NULL));
  results = mt_results_read (file, NULL, &error);
  g_assert_no_error (error);
  check_result (results, 0, "A", 2, 0.5, 0.1);
  g_assert_true (g_file_delete (file, NULL, NULL));
  g_assert_null (mt_results_read (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/results/reads", test_reads);
  g_test_add_func ("/results/needs-only-method-and-score", test_needs_only_method_and_score);
  g_test_add_func ("/results/reads-decimal-commas", test_reads_decimal_commas);
  g_test_add_func ("/results/writes-what-it-reads", test_writes_what_it_reads);
  g_test_add_func ("/results/names-line-and-field", test_names_line_and_field);
  g_test_add_func ("/results/refuses-other-files", test_refuses_other_files);
  g_test_add_func ("/results/reads-files", test_reads_files);
  return g_test_run ();
}
