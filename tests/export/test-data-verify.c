/* Models of the shared data sets, as they are and with cells taken out, through the command line:
 * trained, exported, and verified on their own rows. With -m slow in every engine, and their LaTeX compiled. */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "data-gaps.h"
#include "mt-core.h"
#include "base/mt-decimal.h"
#include "testutils.h"

typedef struct {
  const char *name;
  const char *target;
  gboolean    is_sample;    /* ours, not one of the shared ones */
} Set;

static const Set sets[] = {
  { "loan-approval", "approved", TRUE },
  { "heart", "HeartDisease" }, { "iris", "species" }, { "penguins", "species" }, { "abalone", "Rings" },
  { "boston", "MEDV" },
};

#define ENGINES     "json,sqlite3,python3,gcc,node"
#define ALL_ENGINES ENGINES ",R,postgresql,postgresql-ansi,mariadb,duckdb,spark,spark-warehouse,weka,libreoffice"

static void
check_report (const char *json,
              const char *name)
{
  g_autoptr (MtJson) document = mt_json_parse (json, -1, NULL);
  const MtJson *checks;

  g_assert_nonnull (document);
  checks = mt_json_find (document, "checks");
  g_assert_cmpuint (mt_json_get_n_children (checks), ==, g_test_slow () ? 14 : 5);
  for (guint i = 0; i < mt_json_get_n_children (checks); i++)
    {
      const MtJson *check = mt_json_get_child (checks, i);
      guint64 n_rows, n_differ;

      g_assert_cmpstr (mt_json_get_string (mt_json_find (check, "status")), ==, "agrees");
      /* Which version it was is part of the proof. */
      if (!g_str_equal (mt_json_get_string (mt_json_find (check, "engine")), "json"))
        g_assert_nonnull (mt_json_get_string (mt_json_find (check, "version")));
      g_assert_true (mt_json_get_integer (mt_json_find (check, "rows"), G_MAXUINT64, &n_rows));
      g_assert_true (mt_json_get_integer (mt_json_find (check, "decisions_differ"), G_MAXUINT64, &n_differ));
      g_assert_cmpuint (n_differ, ==, 0);
      g_assert_cmpfloat (mt_json_get_number (mt_json_find (check, "max_diff")), <=, MT_VERIFY_TOLERANCE);
      g_test_message ("%s in %s: %" G_GUINT64_FORMAT " rows, %g", name, mt_json_get_string (mt_json_find (check, "engine")),
                      n_rows, mt_json_get_number (mt_json_find (check, "max_diff")));
    }
}

static char *
run (const char *folder,
     ...)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                                                        G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  va_list args;

  va_start (args, folder);
  do
    g_ptr_array_add (argv, va_arg (args, char *));
  while (argv->pdata[argv->len - 1] != NULL);
  va_end (args);
  g_subprocess_launcher_set_cwd (launcher, folder);
  process = g_subprocess_launcher_spawnv (launcher, (const char * const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, &error));
  g_assert_no_error (error);
  if (!g_subprocess_get_successful (process))
    g_error ("%s: %s", (const char *) argv->pdata[0], out);
  return out;
}

/* Every weight of the model is in the text of the page, and nothing runs off it. */
static void
check_latex (const char *model,
             const char *folder)
{
  g_autofree char *tex = g_build_filename (folder, "model.tex", NULL);
  g_autofree char *log = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GString) plain = NULL;
  g_autoptr (MtModel) loaded = mt_model_load (model, NULL);
  const MtRuleSet *rules = mt_model_get_rules (loaded);

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", model, "--format", "latex", "-o", tex, NULL), ==, 0);
  log = run (folder, "lualatex", "-interaction=nonstopmode", "-halt-on-error", "model.tex", NULL);
  g_assert_null (strstr (log, "Missing character"));
  g_assert_null (strstr (log, "Overfull"));
  text = run (folder, "pdftotext", "-raw", "model.pdf", "-", NULL);
  plain = g_string_new (text);
  g_string_replace (plain, "\xe2\x88\x92", "-", 0);       /* the minus of formulas */
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
      {
        const MtTerm *term = mt_rule_set_get_term (rules, t);
        double per = term->is_numeric ? mt_term_get_unary (term, mt_model_get_encoder (loaded))->sd : 1;
        g_autofree char *weight = mt_decimal_dup (term->weights[c] / per);

        *strchrnul (weight, 'e') = '\0';       /* a power of ten is written as one */
        if (strstr (plain->str, weight) == NULL)
          g_error ("%s is not in the compiled LaTeX", weight);
      }
}

static void
verify_file (const char *csv,
             const Set  *set,
             const char *folder)
{
  g_autofree char *model = g_build_filename (folder, "model.json", NULL);
  g_autofree char *sidecar = g_build_filename (folder, "model.verify.json", NULL);
  g_autofree char *recorded = NULL;
  g_autofree char *json = NULL;
  g_autofree char *err = NULL;

  if (mt_test_cli (NULL, NULL, &err, "train", csv, "--target", set->target, "--folds", "2", "-o", model, NULL) != 0)
    g_error ("%s: %s", csv, err);
  g_clear_pointer (&err, g_free);
  if (mt_test_cli (NULL, &json, &err, "verify", model, "--data", csv, "--json", "--engines",
                   g_test_slow () ? ALL_ENGINES : ENGINES, NULL) != 0)
    g_error ("%s: %s%s", csv, err, json);
  check_report (json, set->name);
  g_assert_true (g_file_get_contents (sidecar, &recorded, NULL, NULL));
  g_assert_cmpstr (recorded, ==, json);
  if (g_test_slow ())
    check_latex (model, folder);
}

static void
test_set (gconstpointer data)
{
  const Set *set = data;
  g_autofree char *file = g_strconcat (set->name, ".csv", NULL);
  g_autofree char *csv = set->is_sample ? g_build_filename (g_getenv ("MINTERM_SAMPLES"), file, NULL)
                                        : mt_test_shared ("data", file, NULL);
  g_autofree char *folder = NULL;
  g_autofree char *gaps = NULL;

  if (csv == NULL)
    return;
  folder = mt_test_make_folder ();
  gaps = g_build_filename (folder, "gaps.csv", NULL);
  verify_file (csv, set, folder);
  mt_test_write_with_gaps (csv, set->target, gaps);
  verify_file (gaps, set, folder);
  mt_test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      g_autofree char *path = g_strdup_printf ("/data-verify/%s", sets[i].name);

      g_test_add_data_func (path, &sets[i], test_set);
    }
  return g_test_run ();
}
