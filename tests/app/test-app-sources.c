/* A table from the clipboard. */
#include "config.h"

#include "apputils.h"

static MtTable *
table_of (MtWindow *window)
{
  return mt_document_get_table (mt_window_get_document (window));
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
  g_test_add_func ("/app/sources/paste", test_paste);
  return g_test_run ();
}
