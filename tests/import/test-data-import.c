#include <gio/gio.h>
#include <string.h>

#include "mt-core.h"
#include "testutils.h"

/* The shared data sets: types as their manifest says, or a finding that says why not. */

enum { DATASET, FILE_NAME, TASK, TARGET, ROWS, CONTINUOUS, CATEGORICAL };

static gboolean
has_finding (MtImport   *import,
             guint       column,
             const char *first,
             ...)
{
  GPtrArray *findings = mt_import_get_findings (import);
  gboolean found = FALSE;
  va_list args;

  va_start (args, first);
  for (const char *code = first; code != NULL && !found; code = va_arg (args, const char *))
    for (guint i = 0; i < findings->len; i++)
      {
        MtFinding *finding = findings->pdata[i];

        found |= finding->column == (int) column && strcmp (finding->code, code) == 0;
      }
  va_end (args);
  return found;
}

static void
check_columns (MtImport   *import,
               const char *set,
               const char *list,
               gboolean    continuous)
{
  MtTable *table = mt_import_get_table (import);
  g_auto (GStrv) names = g_strsplit (list, ",", -1);

  for (char **name = names; *name != NULL; name++)
    {
      guint index = 0;
      const MtColumn *column = mt_table_find_column (table, *name, &index);
      MtColumnType type;
      gboolean right;

      if (column == NULL)
        g_error ("%s: no column %s", set, *name);
      type = mt_column_get_type (column);
      if (continuous)
        /* A quantity that has two values in this file cannot be told from a yes and no. */
        right = type == MT_TYPE_NUMBER || (type == MT_TYPE_BOOLEAN && mt_column_get_n_levels (column) == 2);
      else
        right = type == MT_TYPE_CATEGORY || type == MT_TYPE_BOOLEAN ||
                (type == MT_TYPE_NUMBER && has_finding (import, index, "integer-levels", "few-values",
                                                        "code-like-name", NULL)) ||
                (type == MT_TYPE_NUMBER && mt_table_get_role (table, index) == MT_ROLE_IGNORED) ||
                (type == MT_TYPE_TEXT && mt_table_get_role (table, index) == MT_ROLE_IGNORED);
      if (!right)
        g_error ("%s: %s is %s: %s", set, *name, mt_column_type_to_string (type), mt_table_get_reason (table, index));
    }
}

static void
test_manifest (void)
{
  g_autoptr (GPtrArray) manifest = mt_test_manifest ("data");

  if (manifest == NULL)
    return;
  for (guint i = 0; i < manifest->len; i++)
    {
      char **words = manifest->pdata[i];
      g_autofree char *data = mt_test_shared ("data", words[FILE_NAME], NULL);
      g_autoptr (GFile) file = g_file_new_for_path (data);
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = mt_import_file (file, NULL, NULL, &error);
      MtTable *table;
      guint target = 0;

      g_assert_no_error (error);
      table = mt_import_get_table (import);
      g_assert_cmpuint (mt_table_get_n_rows (table), ==, g_ascii_strtoull (words[ROWS], NULL, 10));
      check_columns (import, words[DATASET], words[CONTINUOUS], TRUE);
      check_columns (import, words[DATASET], words[CATEGORICAL], FALSE);
      g_assert_nonnull (mt_table_find_column (table, words[TARGET], &target));
      g_assert_cmpint (mt_table_get_target (table), ==, (int) target);
    }
  g_assert_cmpuint (manifest->len, ==, 20);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data-import/manifest", test_manifest);
  return g_test_run ();
}
