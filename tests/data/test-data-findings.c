/* What is said of the real files in ../shared/data: that which their manifest warns of, and
 * no false alarm of the loud kind. */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "data/mt-findings.h"
#include "import/mt-import.h"
#include "testutils.h"

/* The findings of a file with its manifest's target; NULL after a skip. */
static GPtrArray *
scan_file (const char *name,
           const char *target)
{
  g_autofree char *path = mt_test_shared ("data", name, NULL);
  g_autoptr (GFile) file = NULL;
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GPtrArray) scanned = NULL;
  g_autoptr (GError) error = NULL;
  MtImportOptions options = { .schema = schema };

  if (path == NULL)
    return NULL;
  mt_schema_set_role (schema, target, MT_ROLE_TARGET);
  file = g_file_new_for_path (path);
  import = mt_import_file (file, &options, NULL, &error);
  g_assert_no_error (error);
  scanned = mt_findings_scan (mt_import_get_table (import), NULL, &error);
  g_assert_no_error (error);
  return mt_findings_merge (mt_import_get_findings (import), scanned);
}

static const MtFinding *
find (GPtrArray  *findings,
      const char *code,
      const char *column)
{
  for (guint i = 0; i < findings->len; i++)
    {
      const MtFinding *f = findings->pdata[i];

      if (g_str_equal (f->code, code) && g_strcmp0 (f->column_name, column) == 0)
        return f;
    }
  return NULL;
}

static void
assert_rows (GPtrArray  *findings,
             const char *code,
             const char *column,
             guint64     n_rows)
{
  const MtFinding *f = find (findings, code, column);

  if (f == NULL)
    g_error ("no %s of %s", code, column);
  g_assert_cmpuint (f->n_rows, ==, n_rows);
}

/* Every file with a disguise that the manifest or common knowledge tells of, and all columns
 * of these files that must not be suspected. */
static void
test_disguised (void)
{
  static const struct { const char *file, *target, *column; guint n_rows; } disguised[] = {
    { "heart.csv", "HeartDisease", "Cholesterol", 172 }, { "heart.csv", "HeartDisease", "RestingBP", 1 },
    { "diabetes.csv", "Outcome", "Glucose", 5 }, { "diabetes.csv", "Outcome", "BloodPressure", 35 },
    { "diabetes.csv", "Outcome", "SkinThickness", 227 }, { "diabetes.csv", "Outcome", "Insulin", 374 },
    { "diabetes.csv", "Outcome", "BMI", 11 }, { "income.csv", "income", "capital_gain", 244 },
  };
  guint n_found = 0, n_claimed = 0;
  const char *last = "";

  for (guint i = 0; i < G_N_ELEMENTS (disguised); i++)
    {
      g_autoptr (GPtrArray) findings = scan_file (disguised[i].file, disguised[i].target);

      if (findings == NULL)
        return;
      assert_rows (findings, "disguised-missing", disguised[i].column, disguised[i].n_rows);
      n_found++;
      for (guint k = 0; k < findings->len && !g_str_equal (last, disguised[i].file); k++)
        n_claimed += g_str_equal (((MtFinding *) findings->pdata[k])->code, "disguised-missing");
      last = disguised[i].file;
    }
  /* Nothing else in them: neither Pregnancies, Oldpeak nor capital_loss. */
  g_assert_cmpuint (n_claimed, ==, n_found);
}

static void
test_known (void)
{
  g_autoptr (GPtrArray) crime = scan_file ("crime.csv", "ViolentCrimesPerPop");
  g_autoptr (GPtrArray) yeast = scan_file ("yeast.csv", "localization");
  g_autoptr (GPtrArray) wine = scan_file ("wine_reg.csv", "quality");
  g_autoptr (GPtrArray) compas = scan_file ("compas.csv", "two_year_recid");
  g_autoptr (GPtrArray) income = scan_file ("income.csv", "income");

  if (crime == NULL || yeast == NULL || wine == NULL || compas == NULL || income == NULL)
    return;
  g_assert_nonnull (find (crime, "identifier", "communityname"));
  assert_rows (yeast, "imbalance", "localization", 20);
  assert_rows (wine, "duplicate-rows", NULL, 1179);
  g_assert_nonnull (find (compas, "conflicting-duplicates", "two_year_recid"));
  g_assert_nonnull (find (compas, "duplicate-column", "c_charge_degree_M"));
  g_assert_nonnull (find (income, "duplicate-column", "education_num"));
}

static void
test_constants (void)
{
  static const char * const constant[] = { "Soil_Type1", "Soil_Type5", "Soil_Type14", "Soil_Type15", "Soil_Type37" };
  g_autoptr (GPtrArray) findings = scan_file ("covertype.csv.gz", "cover_type");
  guint n = 0;

  if (findings == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (constant); i++)
    assert_rows (findings, "constant-column", constant[i], 169472);
  for (guint i = 0; i < findings->len; i++)
    n += g_str_equal (((MtFinding *) findings->pdata[i])->code, "constant-column");
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (constant));
}

/* None of these has a column that gives the answer away, nor a reason to refuse training. */
static void
test_no_false_alarm (void)
{
  g_autoptr (GPtrArray) manifest = mt_test_manifest ("data");

  if (manifest == NULL)
    return;
  g_assert_cmpuint (manifest->len, ==, 20);
  for (guint i = 0; i < manifest->len; i++)
    {
      char **words = manifest->pdata[i];
      g_autoptr (GPtrArray) findings = scan_file (words[1], words[3]);

      for (guint k = 0; k < findings->len; k++)
        {
          const MtFinding *f = findings->pdata[k];

          if (f->severity == MT_SEVERITY_ERROR || g_str_equal (f->code, "possible-leak") ||
              g_str_equal (f->code, "all-missing") || g_str_equal (f->code, "missing-target"))
            g_error ("%s: %s", words[1], f->message);
          if (g_str_equal (f->code, "identifier") && !g_str_equal (f->column_name, "communityname"))
            g_error ("%s: %s", words[1], f->message);
        }
    }
}

/* The same files with the answer put in: then it is found. */
static void
test_planted_leak (void)
{
  g_autofree char *path = mt_test_shared ("data", "heart.csv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GPtrArray) findings = NULL;

  if (path == NULL)
    return;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_string_append_printf (csv, "treated,%s\n", g_strchomp (lines[0]));
  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      gboolean ill = g_str_has_suffix (g_strchomp (lines[i]), "1");

      /* Wrong once in 250 rows. */
      g_string_append_printf (csv, "%s,%s\n", ill != (i % 250 == 0) ? "stent" : "none", lines[i]);
    }
  bytes = g_bytes_new (csv->str, csv->len);
  import = mt_import_bytes (bytes, NULL, NULL, NULL);
  g_assert_nonnull (import);
  findings = mt_findings_scan (mt_import_get_table (import), NULL, NULL);
  g_assert_nonnull (find (findings, "possible-leak", "treated"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data-findings/disguised", test_disguised);
  g_test_add_func ("/data-findings/known", test_known);
  g_test_add_func ("/data-findings/constants", test_constants);
  g_test_add_func ("/data-findings/no-false-alarm", test_no_false_alarm);
  g_test_add_func ("/data-findings/planted-leak", test_planted_leak);
  return g_test_run ();
}
