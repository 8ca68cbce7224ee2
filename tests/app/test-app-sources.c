/* Tables that are not a CSV file yet: one of several in a database, and one from the clipboard. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "data/mt-import-panel.h"

static MtTable *
table_of (MtWindow *window)
{
  return mt_document_get_table (mt_window_get_document (window));
}

static AdwComboRow *
part_of (MtWindow *window)
{
  g_autoptr (GPtrArray) rows = mt_app_find_all (mt_app_find (GTK_WIDGET (window), MT_TYPE_IMPORT_PANEL, NULL), ADW_TYPE_COMBO_ROW);

  return rows->pdata[0];
}

static gboolean
has_parts (gpointer window)
{
  return gtk_widget_get_visible (GTK_WIDGET (part_of (window)));
}

static gboolean
has_second (gpointer window)
{
  return table_of (window) != NULL && mt_table_find_column (table_of (window), "b", NULL) != NULL;
}

static gboolean
has_first (gpointer window)
{
  return table_of (window) != NULL && mt_table_find_column (table_of (window), "a", NULL) != NULL;
}

/* A file of several tables opens with the question which, not with an error only. */
static void
test_tables (void)
{
  g_autoptr (GFile) file = mt_app_write ("two.sqlite", "");
  const char *argv[] = { "sqlite3", g_file_peek_path (file), "CREATE TABLE one (a, x); INSERT INTO one VALUES (1, 'y'), (2, 'n');"
                         "CREATE TABLE two (b, x); INSERT INTO two VALUES (3, 'y'), (4, 'n'), (5, 'n');", NULL };
  g_autofree char *program = g_find_program_in_path ("sqlite3");
  g_autoptr (GError) error = NULL;
  MtWindow *window;
  GtkWidget *detect;

  if (program == NULL)
    {
      g_test_skip ("the program sqlite3 is not there: SKIPPED");
      return;
    }
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, &error));
  window = mt_app_window_new (1000, 700);
  mt_app_open (window, file);
  g_assert_nonnull (mt_document_get_error (mt_window_get_document (window)));
  mt_app_wait (has_parts, window);
  g_assert_cmpuint (adw_combo_row_get_selected (part_of (window)), ==, 0);
  adw_combo_row_set_selected (part_of (window), 2);
  mt_app_wait (has_second, window);
  mt_app_wait_idle (window);
  g_assert_null (mt_document_get_error (mt_window_get_document (window)));
  g_assert_cmpuint (mt_table_get_n_rows (table_of (window)), ==, 3);
  g_assert_cmpuint (adw_combo_row_get_selected (part_of (window)), ==, 2);
  /* To detect the rest again does not forget which. */
  detect = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "Detect _Again");
  g_signal_emit_by_name (detect, "clicked");
  mt_app_settle (100);
  mt_app_wait_idle (window);
  g_assert_true (has_second (window));
  adw_combo_row_set_selected (part_of (window), 1);
  mt_app_wait (has_first, window);
  mt_app_wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  mt_app_wait (has_second, window);
  mt_app_wait_idle (window);
  mt_app_window_end (window);
}

/* A CSV has no such row. */
static void
test_one (void)
{
  g_autoptr (GFile) file = mt_app_write ("one.csv", "a,b\n1,2\n3,4\n");
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, file);
  mt_app_settle (200);
  g_assert_false (has_parts (window));
  mt_app_window_end (window);
}

static guint
count_choosers (gboolean close)
{
  GListModel *all = gtk_window_get_toplevels ();
  guint n = 0;

  for (guint i = g_list_model_get_n_items (all); i-- > 0;)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (all, i);

      if (!GTK_IS_FILE_CHOOSER_DIALOG (window))
        continue;
      n++;
      if (close)
        gtk_dialog_response (GTK_DIALOG (window), GTK_RESPONSE_CANCEL);
    }
  return n;
}

static void
test_paste (void)
{
  static const char text[] = "name\tage\nAda\t36\nGrace\t45\n";
  g_autoptr (GFile) open = mt_app_write ("open.csv", "a,b\n1,2\n3,4\n");
  g_autoptr (GFile) folder = g_file_get_parent (open);
  g_autoptr (GFile) file = g_file_get_child (folder, "pasted.tsv");
  g_autofree char *written = NULL;
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, open);
  mt_window_paste (window, NULL);
  mt_window_paste (window, "a word");
  mt_window_paste (window, "one line\n\n");
  mt_app_settle (50);
  g_assert_cmpuint (count_choosers (FALSE), ==, 0);
  mt_window_save_pasted (window, file);             /* there is nothing to save */
  g_assert_false (g_file_query_exists (file, NULL));
  mt_window_paste (window, text);
  mt_app_settle (100);
  g_assert_cmpuint (count_choosers (TRUE), ==, 1);
  mt_app_settle (50);
  mt_window_save_pasted (window, open);             /* not over a file that is open */
  mt_app_settle (50);
  g_assert_true (g_file_get_contents (g_file_peek_path (open), &written, NULL, NULL));
  g_assert_cmpstr (written, ==, "a,b\n1,2\n3,4\n");
  g_free (g_steal_pointer (&written));
  gtk_window_destroy (mt_app_find_question (window));
  mt_window_save_pasted (window, file);
  mt_app_wait_idle (window);
  mt_app_settle (50);
  g_assert_cmpuint (mt_table_get_n_rows (table_of (window)), ==, 2);
  g_assert_nonnull (mt_table_find_column (table_of (window), "age", NULL));
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &written, NULL, NULL));
  g_assert_cmpstr (written, ==, text);
  mt_app_window_end (window);
}

int
main (int argc, char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/sources/tables", test_tables);
  g_test_add_func ("/app/sources/one", test_one);
  g_test_add_func ("/app/sources/paste", test_paste);
  return g_test_run ();
}
