/* Decisions come back from a project, and a bad project is refused with a word. */
#include "config.h"

#include "apputils.h"

static const char text[] = "name,age,city,member\nAda,36,London,yes\nGrace,45,New York,no\n"
                           "Mary,29,Paris,yes\nKatherine,38,Hampton,no\n";

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

static gboolean
has_table (gpointer window)
{
  MtDocument *document = mt_window_get_document (window);

  return mt_document_get_table (document) != NULL && !mt_document_is_loading (document);
}

static GFile *
beside (GFile      *file,
        const char *name)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);

  return g_file_get_child (folder, name);
}

static MtFinding *
some_finding (void)
{
  return mt_finding_new ("constant-column", MT_SEVERITY_WARNING, 2, "city", 0, "%s", "city is always the same");
}

/* Roles, types, settings and reasons; and what is changed later, without saving again. */
static void
test_round_trip (void)
{
  g_autoptr (GFile) csv = mt_app_write ("people.csv", text);
  g_autoptr (GFile) project = beside (csv, "people.minterm");
  g_autoptr (MtFinding) finding = some_finding ();
  MtWindow *window = mt_app_window_new (1000, 700);
  MtDocument *document = mt_window_get_document (window);
  MtTable *table;

  mt_app_open (window, csv);
  mt_document_set_role (document, 1, MT_ROLE_TARGET);
  mt_document_set_type (document, 3, MT_TYPE_CATEGORY);
  mt_app_wait_idle (window);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  mt_document_dismiss (document, finding, "they moved since");
  mt_document_set_role (document, 2, MT_ROLE_IGNORED);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1000, 700);
  document = mt_window_get_document (window);
  mt_window_open (window, project);
  mt_app_wait (has_table, window);
  table = mt_document_get_table (document);
  g_assert_cmpint (mt_table_get_target (table), ==, 1);
  g_assert_cmpint (mt_table_get_role (table, 2), ==, MT_ROLE_IGNORED);
  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table, 3)), ==, MT_TYPE_CATEGORY);
  g_assert_cmpstr (mt_decisions_get_reason (mt_document_get_decisions (document), finding), ==, "they moved since");
  g_assert_null (mt_document_get_undo_label (document));
  mt_document_dismiss (document, finding, NULL);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1000, 700);
  document = mt_window_get_document (window);
  mt_window_open (window, project);
  mt_app_wait (has_table, window);
  g_assert_null (mt_decisions_get_reason (mt_document_get_decisions (document), finding));
  mt_app_window_end (window);
}

static gboolean
dialog_shown (gpointer window)
{
  g_autoptr (GListModel) all = gtk_window_get_toplevels ();

  g_object_ref (all);
  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) each = g_list_model_get_item (all, i);

      if (ADW_IS_MESSAGE_DIALOG (each))
        return TRUE;
    }
  return FALSE;
}

static void
test_refused (void)
{
  g_autoptr (GFile) csv = mt_app_write ("kept.csv", text);
  g_autoptr (GFile) damaged = mt_app_write ("damaged.minterm", "this is no project");
  MtWindow *window = mt_app_window_new (1000, 700);
  MtTable *before;

  mt_app_open (window, csv);
  before = mt_document_get_table (mt_window_get_document (window));
  mt_window_open (window, damaged);
  mt_app_wait (dialog_shown, window);
  g_assert_true (mt_document_get_table (mt_window_get_document (window)) == before);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/project/round-trip", test_round_trip);
  g_test_add_func ("/app/project/refused", test_refused);
  return g_test_run ();
}
