/* export and verify from outside. */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "mt-core.h"
#include "sample-models.h"
#include "testutils.h"

typedef struct {
  char *folder;
  char *model;
  char *out;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_MULTICLASS, 400, 1);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_MULTICLASS, table, 4, 2);

  fixture->folder = mt_test_make_folder ();
  fixture->model = g_build_filename (fixture->folder, "model.json", NULL);
  fixture->out = g_build_filename (fixture->folder, "out", NULL);
  g_assert_true (mt_model_save (model, fixture->model, NULL));
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  mt_test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->model);
  g_free (fixture->out);
}

/* A file of each format, the same on standard output, and its hash as JSON says it. */
static void
test_formats (Fixture       *fixture,
              gconstpointer  data)
{
  for (guint i = 0; i < MT_N_EXPORT_FORMATS; i++)
    {
      const char *word = mt_export_format_to_string ((MtExportFormat) i);
      g_autofree char *json = NULL;
      g_autofree char *file = NULL;
      g_autofree char *hash = NULL;
      g_autoptr (MtJson) document = NULL;
      gsize length;

      g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "export", fixture->model, "--format", word, "-o", fixture->out,
                                    "--json", NULL), ==, 0);
      g_assert_true (g_file_get_contents (fixture->out, &file, &length, NULL));
      hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) file, length);
      document = mt_json_parse (json, -1, NULL);
      g_assert_cmpstr (mt_json_get_string (mt_json_find (mt_json_find (document, "export"), "sha256")), ==, hash);
      if (i == MT_EXPORT_JSON)
        {
          g_autofree char *original = NULL;

          g_assert_true (g_file_get_contents (fixture->model, &original, NULL, NULL));
          g_assert_cmpstr (file, ==, original);
        }
      if (i != MT_EXPORT_ODS)
        {
          g_autofree char *printed = NULL;

          g_assert_cmpint (mt_test_cli (NULL, &printed, NULL, "export", fixture->model, "-f", word, "-o", "-", NULL), ==,
                           0);
          g_assert_cmpstr (printed, ==, file);
        }
    }
}

/* What the golden file says of its rows is what predict says of them. */
static void
test_golden (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *golden = NULL;
  g_autofree char *predicted = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) answers = NULL;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", fixture->model, "--golden", fixture->out, NULL), ==, 0);
  g_assert_true (g_file_get_contents (fixture->out, &golden, NULL, NULL));
  g_assert_cmpint (mt_test_cli (NULL, &predicted, NULL, "predict", fixture->model, fixture->out, NULL), ==, 0);
  lines = g_strsplit (golden, "\n", -1);
  answers = g_strsplit (predicted, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >, 50);
  g_assert_cmpuint (g_strv_length (lines), ==, g_strv_length (answers));
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_true (g_str_has_suffix (lines[i], answers[i]));
}

static void
test_failures (Fixture       *fixture,
               gconstpointer  data)
{
  const char *model = fixture->model;
  g_autofree char *nowhere = g_build_filename (fixture->folder, "none", "out.sql", NULL);
  g_autofree char *readme = g_build_filename (fixture->folder, "kept", NULL);
  g_autofree char *lacking = g_build_filename (fixture->folder, "lacking.csv", NULL);
  g_autofree char *kept = NULL;

  mt_test_cli_fails (2, "export needs one model", "export", NULL);
  mt_test_cli_fails (2, "export needs --format", "export", model, NULL);
  mt_test_cli_fails (2, "unknown format “abacus”", "export", model, "--format", "abacus", NULL);
  mt_test_cli_fails (2, "--dialect must be", "export", model, "--format=sql", "--dialect=cobol", NULL);
  mt_test_cli_fails (2, "--dialect needs --format sql", "export", model, "--format=c", "--dialect=ansi", NULL);
  mt_test_cli_fails (2, "export needs --output", "export", model, "--format=c", NULL);
  mt_test_cli_fails (2, "so the export needs a file", "export", model, "--format=c", "-o", "-", "--json", NULL);
  mt_test_cli_fails (1, "nowhere.json", "export", "nowhere.json", "--format=c", "-o", fixture->out, NULL);
  mt_test_cli_fails (1, "nowhere.csv", "export", model, "--golden", fixture->out, "--data", "nowhere.csv", NULL);
  mt_test_cli_fails (2, "verify needs one model", "verify", NULL);
  mt_test_cli_fails (2, "--seconds must be", "verify", model, "--seconds", "0", NULL);
  mt_test_cli_fails (2, "unknown engine “abacus”", "verify", model, "--engines", "abacus", NULL);
  mt_test_cli_fails (1, "nowhere.json", "verify", "nowhere.json", NULL);
  mt_test_cli_fails (1, "nowhere.csv", "verify", model, "--data", "nowhere.csv", NULL);

  g_assert_true (g_file_set_contents (lacking, "a,d\n1,red\n2,green\n", -1, NULL));
  mt_test_cli_fails (1, "the data has no column “b (log)”", "verify", model, "--data", lacking, NULL);
  mt_test_cli_fails (1, "the data has no column “b (log)”", "export", model, "--golden", fixture->out, "--data", lacking, NULL);
  g_unlink (lacking);

  /* Places that cannot be written, with nothing left behind and nothing lost. */
  g_assert_true (g_file_set_contents (readme, "as it was", -1, NULL));
  for (guint i = 0; i < MT_N_EXPORT_FORMATS; i++)
    {
      g_autofree char *format = g_strconcat ("--format=", mt_export_format_to_string ((MtExportFormat) i), NULL);

      mt_test_cli_fails (1, "none", "export", model, format, "-o", nowhere, NULL);
      mt_test_cli_fails (1, "/dev/full", "export", model, format, "-o", "/dev/full", NULL);
      mt_test_cli_fails (1, fixture->folder, "export", model, format, "-o", fixture->folder, NULL);
    }
  g_assert_true (g_file_get_contents (readme, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "as it was");
  g_assert_cmpuint (mt_test_empty_folder (fixture->folder), ==, 2);   /* the model and that */
}

static void
test_verify (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *text = NULL;
  g_autofree char *json = NULL;
  g_autofree char *sidecar = g_build_filename (fixture->folder, "model.verify.json", NULL);
  g_autofree char *record = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "verify", fixture->model, "--engines", "json,sqlite,python",
                                "--no-record", NULL), ==, 0);
  g_assert_nonnull (strstr (text, "sqlite3      sql         verified: "));
  g_assert_nonnull (strstr (text, " 0 different decisions\n"));
  g_assert_false (g_file_test (sidecar, G_FILE_TEST_EXISTS));
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "verify", fixture->model, "--engines", "json", "--json", NULL), ==, 0);
  g_assert_true (g_file_get_contents (sidecar, &record, NULL, NULL));
  g_assert_cmpstr (record, ==, json);
}

/* What is written stays in the model, and predict tells it. */
static void
test_cutoff (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *text = NULL;
  g_autofree char *json = NULL;
  g_autofree char *sql = NULL;
  g_autofree char *pmml = g_strconcat (fixture->out, ".pmml", NULL);
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 400, 1);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 4, 2);

  mt_test_cli_fails (1, "only a model of two classes has a cutoff", "cutoff", fixture->model, NULL);
  g_assert_true (mt_model_save (model, fixture->model, NULL));
  g_assert_cmpint (mt_test_cli (NULL, &text, NULL, "cutoff", fixture->model, NULL), ==, 0);
  g_assert_nonnull (strstr (text, "is predicted if its probability is above 0.5, otherwise"));
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "cutoff", fixture->model, "--set", "0.3", "--reason", "policy 7", "-o",
                                fixture->out, "--json", NULL), ==, 0);
  g_assert_nonnull (strstr (json, "\"cutoff\": 0.3"));
  g_assert_cmpint (mt_test_cli (NULL, &sql, NULL, "export", fixture->out, "-f", "python", "-o", "-", NULL), ==, 0);
  g_assert_nonnull (strstr (sql, "> 0.3 "));
  mt_test_cli_fails (1, "PMML exports support only a cutoff", "export", fixture->out, "-f", "pmml", "-o", pmml, NULL);
  mt_test_cli_fails (2, "--set must be above 0 and below 1", "cutoff", fixture->model, "--set", "1", NULL);
  mt_test_cli_fails (2, "--rate must be a share", "cutoff", fixture->model, "--rate", "60", NULL);
  mt_test_cli_fails (2, "need a CSV file with the target", "cutoff", fixture->model, "--rate", "0.6", NULL);
  mt_test_cli_fails (2, "use only one of", "cutoff", fixture->model, "--rate", "0.6", "--set", "0.3", NULL);
  mt_test_cli_fails (2, "--values needs four numbers", "cutoff", fixture->model, "--values", "1,2,3", NULL);
  mt_test_cli_fails (2, "cutoff needs a model", "cutoff", NULL);
  mt_test_cli_fails (1, "nowhere.json", "cutoff", "nowhere.json", NULL);
}

static void
test_reasons (Fixture       *fixture,
              gconstpointer  data)
{
  static const char csv[] = "a,b (log),when,d,e is odd,f\n9,,2015-01-01,red,red,yes\n";
  g_autofree char *list = NULL;
  g_autofree char *json = NULL;
  g_autofree char *told = NULL;
  g_autofree char *err = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &list, NULL, "reasons", fixture->model, "--set", "1=The value of a = it", "--set",
                                "2=x", "--set", "2=", "-o", fixture->out, NULL), ==, 0);
  g_assert_nonnull (strstr (list, "  1  a\n     The value of a = it\n  2  when\n     (no reason set)\n"));
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "reasons", fixture->out, "--json", NULL), ==, 0);
  g_assert_nonnull (strstr (json, "\"text\": \"The value of a = it\""));
  g_assert_cmpint (mt_test_cli (csv, &told, &err, "predict", fixture->out, "-", "--reasons", "10", NULL), ==, 0);
  g_assert_nonnull (strstr (told, "The value of a = it ("));
  mt_test_cli_fails (2, "reasons needs one model", "reasons", NULL);
  mt_test_cli_fails (2, "--set needs --output", "reasons", fixture->model, "--set", "1=x", NULL);
  mt_test_cli_fails (2, "--set needs NUMBER=TEXT, where NUMBER is the number of one of the 6 terms", "reasons", fixture->model, "--set=7=x",
                     "-o", fixture->out, NULL);
  mt_test_cli_fails (2, "--set needs NUMBER=TEXT", "reasons", fixture->model, "--set=x", "-o", fixture->out, NULL);
  mt_test_cli_fails (1, "nowhere.json", "reasons", "nowhere.json", NULL);
}

/* Texts that meant missing in training mean it in predict and in the programs, unasked. */
static void
test_tokens (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *sample = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  g_autofree char *text = NULL;
  g_autofree char *rows = g_build_filename (fixture->folder, "rows.csv", NULL);
  g_autofree char *verified = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GString) marked = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (sample, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      for (guint c = 0; i > 0 && cells[c + 1] != NULL; c++)
        if ((i + 3 * c) % 11 == 0)
          {
            g_free (cells[c]);
            cells[c] = g_strdup ((i + c) % 2 == 0 ? "-999.0" : "nichts");
          }
      g_free (lines[i]);
      lines[i] = g_strjoinv (",", cells);
      g_string_append_printf (marked, "%s\n", lines[i]);
    }
  g_assert_true (g_file_set_contents (rows, marked->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", rows, "--target", "approved", "--missing", "-999", "--missing",
                                "nichts", "--folds", "2", "-o", fixture->model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "predict", fixture->model, rows, "-o", fixture->out, "--json", NULL), ==,
                   0);
  g_assert_null (strstr (json, "\"missing\": 0"));
  g_assert_cmpint (mt_test_cli (NULL, &verified, NULL, "verify", fixture->model, "--data", rows, "--engines",
                                "sqlite,python,c,javascript", NULL), ==, 0);
}

/* --- values that count as missing in one column --- */

/* The sample, with “unknown” in three columns: written as it was found, or blank. */
static char *
dup_marked (gboolean is_blank)
{
  g_autofree char *sample = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GString *marked = g_string_new (NULL);

  g_assert_true (g_file_get_contents (sample, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);
      const char *found[13] = { NULL };
      g_autofree char *line = NULL;

      if (i > 0 && i % 4 == 0)
        found[4] = i % 8 == 0 ? "99999" : "99999.0";                    /* monthly_income_eur */
      if (i > 0 && i % 5 == 0)
        found[2] = "unknown";                                           /* employment */
      if (i > 0 && strcmp (cells[10], "0") == 0)
        found[10] = i % 3 == 0 ? "0.0" : i % 3 == 1 ? " 0" : "0";       /* late_payments_2y */
      for (guint c = 0; cells[c] != NULL; c++)
        if (found[c] != NULL)
          {
            g_free (cells[c]);
            cells[c] = g_strdup (is_blank ? "" : found[c]);
          }
      line = g_strjoinv (",", cells);
      g_string_append_printf (marked, "%s\n", line);
    }
  return g_string_free (marked, FALSE);
}

static char *
dup_predicted (Fixture    *fixture,
               const char *rows)
{
  char *answers;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "predict", fixture->model, rows, "-o", fixture->out, NULL), ==, 0);
  g_assert_true (g_file_get_contents (fixture->out, &answers, NULL, NULL));
  return answers;
}

static double
measure (Fixture    *fixture,
         const char *rows)
{
  g_autofree char *json = NULL;
  const char *auc;

  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "evaluate", fixture->model, rows, "--target", "approved", "--json", NULL),
                   ==, 0);
  auc = strstr (json, "\"auc\"");
  g_assert_nonnull (auc);
  return g_ascii_strtod (auc + strcspn (auc, "0123456789"), NULL);
}

/* What sqlite3 says of the file as it is, imported by its own shell: the rows on which it agrees. */
static guint
count_agreeing (Fixture    *fixture,
                const char *rows,
                const char *expected)
{
  g_autofree char *sql = g_build_filename (fixture->folder, "model.sql", NULL);
  g_autofree char *import = g_strdup_printf (".import %s data", rows);
  g_autofree char *run = g_strdup_printf (".read %s", sql);
  const char *argv[] = { "sqlite3", "-batch", ":memory:", ".mode csv", import, ".headers on", run, NULL };
  g_auto (GStrv) wanted = g_strsplit (expected, "\n", -1);
  g_auto (GStrv) got = NULL;
  g_autofree char *out = NULL;
  guint n = 0;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", fixture->model, "--format", "sql", "--dialect", "sqlite", "-o",
                                sql, NULL), ==, 0);
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, NULL));
  got = g_strsplit (out, "\n", -1);
  g_assert_cmpuint (g_strv_length (got), ==, g_strv_length (wanted));
  for (guint i = 1; wanted[i] != NULL && *wanted[i] != '\0'; i++)
    {
      g_auto (GStrv) a = g_strsplit (wanted[i], ",", -1);
      g_auto (GStrv) b = g_strsplit (got[i], ",", -1);

      n += strcmp (a[0], b[0]) == 0 && fabs (g_ascii_strtod (a[2], NULL) - g_ascii_strtod (b[2], NULL)) <= 1e-9;
    }
  return n;
}

/* Trains on the raw file and keeps a model that uses all three columns with marks. Which sizes the frontier has, and
 * which columns a model of one size uses, is the learner's business: the largest size that does is taken. */
static gboolean
train_marked (const char *raw,
              const char *model)
{
  static const char * const marks[] = { "[\"99999\"]", "[\"unknown\"]", "[\"0\"]" };

  for (guint n_literals = 34; n_literals >= 14; n_literals--)
    {
      g_autofree char *size = g_strdup_printf ("%u", n_literals);
      g_autofree char *json = NULL;
      guint n_marks = 0;

      if (mt_test_cli (NULL, NULL, NULL, "train", raw, "--target", "approved", "--folds", "2", "--type",
                       "late_payments_2y=category", "--missing-in", "monthly_income_eur=99999", "--missing-in",
                       "employment=unknown", "--missing-in", "late_payments_2y=0", "--literals", size, "-o", model,
                       NULL) != 0 || !g_file_get_contents (model, &json, NULL, NULL))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
        {
          g_autofree char *member = g_strconcat ("\"missing_values\": ", marks[i], NULL);

          n_marks += strstr (json, member) != NULL;
        }
      if (n_marks == G_N_ELEMENTS (marks))
        return TRUE;
    }
  return FALSE;
}

/* Values that were treated as missing in one column are so for predict and evaluate on the raw file, and for the
 * export in an engine, on every row, unasked. */
static void
test_raw (Fixture       *fixture,
          gconstpointer  data)
{
  g_autofree char *raw = g_build_filename (fixture->folder, "raw.csv", NULL);
  g_autofree char *blank = g_build_filename (fixture->folder, "blank.csv", NULL);
  g_autofree char *raw_text = dup_marked (FALSE);
  g_autofree char *blank_text = dup_marked (TRUE);
  g_autofree char *wanted = NULL;
  g_autofree char *got = NULL;
  g_autofree char *json = NULL;
  g_autofree char *report = NULL;
  g_auto (GStrv) lines = g_strsplit (raw_text, "\n", -1);
  guint n_rows = g_strv_length (lines) - 2;

  g_assert_true (g_file_set_contents (raw, raw_text, -1, NULL));
  g_assert_true (g_file_set_contents (blank, blank_text, -1, NULL));
  g_assert_true (train_marked (raw, fixture->model));
  g_assert_true (g_file_get_contents (fixture->model, &json, NULL, NULL));
  g_assert_nonnull (strstr (json, "--missing-in=employment=unknown"));   /* for the command that makes it again */
  wanted = dup_predicted (fixture, blank);
  got = dup_predicted (fixture, raw);
  g_assert_cmpstr (got, ==, wanted);
  g_assert_cmpfloat (measure (fixture, raw), ==, measure (fixture, blank));
  g_assert_cmpuint (count_agreeing (fixture, raw, wanted), ==, n_rows);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "verify", fixture->model, "--data", raw, "--engines",
                                "json,sqlite,python,c,javascript", NULL), ==, 0);

  /* The report says it: where the data come from, in the dictionary, and in what is to be watched. */
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", fixture->model, "--format", "html", "-o", fixture->out, NULL), ==,
                   0);
  g_assert_true (g_file_get_contents (fixture->out, &report, NULL, NULL));
  g_assert_nonnull (strstr (report, "Besides, in monthly_income_eur"));
  g_assert_nonnull (strstr (report, "is missing. Also counts as missing: “99999”"));
  g_assert_nonnull (strstr (report, "yes; also counts as missing: “99999”"));
}

/* So it is in the column that is predicted: what stands for unknown there is nothing to be measured by. */
static void
test_raw_target (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *rows = g_build_filename (fixture->folder, "rows.csv", NULL);
  g_autofree char *json = NULL;
  g_autoptr (GString) text = g_string_new ("x,z,y\n");
  g_autoptr (MtJson) document = NULL;
  guint64 n_rows = 0;

  for (guint i = 0; i < 200; i++)
    if (i % 5 == 0)
      g_string_append_printf (text, "%u,%u,%s\n", i * 37 % 101, i * 53 % 89, i % 2 == 0 ? "-999" : "-999.0");
    else
      g_string_append_printf (text, "%u,%u,%u\n", i * 37 % 101, i * 53 % 89, 3 * (i * 37 % 101) + i % 4);
  g_assert_true (g_file_set_contents (rows, text->str, -1, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", rows, "--target", "y", "--missing-in", "y=-999", "--folds", "2",
                                "-o", fixture->model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &json, NULL, "evaluate", fixture->model, rows, "--target", "y", "--json", NULL), ==, 0);
  document = mt_json_parse (json, -1, NULL);
  g_assert_true (mt_json_get_integer (mt_json_find (document, "rows"), G_MAXUINT64, &n_rows));
  g_assert_cmpuint (n_rows, ==, 160);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli-export/formats", Fixture, NULL, set_up, test_formats, tear_down);
  g_test_add ("/cli-export/golden", Fixture, NULL, set_up, test_golden, tear_down);
  g_test_add ("/cli-export/failures", Fixture, NULL, set_up, test_failures, tear_down);
  g_test_add ("/cli-export/raw", Fixture, NULL, set_up, test_raw, tear_down);
  g_test_add ("/cli-export/raw-target", Fixture, NULL, set_up, test_raw_target, tear_down);
  g_test_add ("/cli-export/cutoff", Fixture, NULL, set_up, test_cutoff, tear_down);
  g_test_add ("/cli-export/reasons", Fixture, NULL, set_up, test_reasons, tear_down);
  g_test_add ("/cli-export/tokens", Fixture, NULL, set_up, test_tokens, tear_down);
  g_test_add ("/cli-export/verify", Fixture, NULL, set_up, test_verify, tear_down);
  return g_test_run ();
}
