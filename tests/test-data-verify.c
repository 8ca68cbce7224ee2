/* Models of the shared data sets, as they are and with cells taken out, through the command line:
 * trained, exported, and verified on their own rows. With -m slow in every engine. */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "data-gaps.h"
#include "mt-core.h"
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
#define ALL_ENGINES ENGINES ",R,postgresql,postgresql-ansi,mariadb,weka,libreoffice"

static void
check_report (const char *json,
              const char *name)
{
  g_autoptr (MtJson) document = mt_json_parse (json, -1, NULL);
  const MtJson *checks;

  g_assert_nonnull (document);
  checks = mt_json_find (document, "checks");
  g_assert_cmpuint (mt_json_get_n_children (checks), ==, g_test_slow () ? 11 : 5);
  for (guint i = 0; i < mt_json_get_n_children (checks); i++)
    {
      const MtJson *check = mt_json_get_child (checks, i);
      guint64 n_rows, n_differ;

      g_assert_cmpstr (mt_json_get_string (mt_json_find (check, "status")), ==, "agrees");
      g_assert_true (mt_json_get_integer (mt_json_find (check, "rows"), G_MAXUINT64, &n_rows));
      g_assert_true (mt_json_get_integer (mt_json_find (check, "decisions_differ"), G_MAXUINT64, &n_differ));
      g_assert_cmpuint (n_differ, ==, 0);
      g_assert_cmpfloat (mt_json_get_number (mt_json_find (check, "max_diff")), <=, MT_VERIFY_TOLERANCE);
      g_test_message ("%s in %s: %" G_GUINT64_FORMAT " rows, %g", name, mt_json_get_string (mt_json_find (check, "engine")),
                      n_rows, mt_json_get_number (mt_json_find (check, "max_diff")));
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
