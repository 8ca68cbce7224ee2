/* Names out of a file are shown as they are, wherever they stand: nothing in them is markup, a mnemonic or a format.
 * The file's, the columns' and the levels' names are all of that at once. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "train/mt-constraints-dialog.h"
#include "rules/mt-edit-dialog.h"
#include "train/mt-model-page.h"
#include "rules/mt-rules-page.h"

/* Of a name, what would be left if it were read as markup or with a mnemonic. */
#define PART  "in_come"
#define NAME  "<u>" PART "</u>&%s%n"
#define EATEN "income"

static GFile *
write_table (const char *name)
{
  g_autoptr (GString) text = g_string_new (NAME " a," NAME " b,kind " NAME "," NAME " y");

  for (guint row = 0; row < 240; row++)
    {
      guint a = row * 37 % 100, b = row * 53 % 91, kind = row * 7 % 5;

      g_string_append_printf (text, "\n%u,%u,k%u %s,%s%s", a, b, kind, NAME, a >= 50 && kind != 2 ? "yes " : "no ", NAME);
    }
  return mt_app_write (name, text->str);
}

/* Every text of every window, seen or not, that has a part of a name in it. */
static guint
count_whole_names (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n_whole = 0;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      g_autoptr (GPtrArray) labels = mt_app_find_all (window, GTK_TYPE_LABEL);

      for (guint j = 0; j < labels->len; j++)
        {
          const char *text = gtk_label_get_text (labels->pdata[j]);

          if (strstr (text, EATEN) != NULL || (strstr (text, PART) != NULL && strstr (text, "<u>" PART) == NULL))
            g_error ("shown as “%s”, of “%s”", text, gtk_label_get_label (labels->pdata[j]));
          n_whole += strstr (text, NAME) != NULL;
        }
    }
  return n_whole;
}

static void
show_page (MtWindow   *window,
           const char *page)
{
  guint n_whole;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", page);
  mt_app_settle (300);
  mt_app_wait_painted (GTK_WIDGET (window));
  n_whole = count_whole_names ();
  g_test_message ("%s: %u names", page, n_whole);
  g_assert_cmpuint (n_whole, >, 0);
}

static void
pin_two (MtStudy *study)
{
  GListModel *points = mt_study_get_points (study);
  guint n = g_list_model_get_n_items (points);

  for (guint i = n - 2; i < n; i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);

      mt_study_pin (study, item);
    }
}

static gboolean
has_dialog (gpointer window)
{
  GtkWidget *dialog = mt_app_find_over (window, MT_TYPE_EDIT_DIALOG);

  return dialog != NULL && !mt_edit_dialog_is_busy (MT_EDIT_DIALOG (dialog));
}

static void
look_at_rules (MtWindow *window)
{
  static const char * const views[] = { "What-If", "Compare", "Rule" };
  static const char * const edits[] = { "drop-term", "drop-input", "forbid-column", "round-weight", "merge-thresholds" };
  GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_RULES_PAGE, NULL);

  show_page (window, "rules");
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkWidget *button = mt_app_find (page, GTK_TYPE_TOGGLE_BUTTON, views[i]);

      g_assert_nonnull (button);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
      mt_app_settle (300);
      g_assert_cmpuint (count_whole_names (), >, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.edit", "s", edits[i]);
      mt_app_settle (100);
      if (mt_app_find_over (window, MT_TYPE_EDIT_DIALOG) == NULL)
        continue;   /* there is nothing of the kind to edit */
      mt_app_wait (has_dialog, window);
      mt_app_settle (100);
      g_assert_cmpuint (count_whole_names (), >, 0);
      gtk_window_close (mt_app_find_over (window, MT_TYPE_EDIT_DIALOG));
    }
}

static void
look_at_constraints (MtWindow *window)
{
  GtkWidget *page = mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL);
  g_autoptr (GPtrArray) rows = mt_app_find_all (page, ADW_TYPE_ACTION_ROW);
  gpointer dialog;

  for (guint i = 0; i < rows->len; i++)
    if (strcmp (adw_preferences_row_get_title (rows->pdata[i]), "_Constraints") == 0)
      adw_action_row_activate (rows->pdata[i]);
  dialog = mt_app_find_over (window, MT_TYPE_CONSTRAINTS_DIALOG);
  g_assert_nonnull (dialog);
  mt_app_settle (100);
  g_assert_cmpuint (count_whole_names (), >, 0);
  gtk_window_close (dialog);
}

static void
test_everywhere (void)
{
  MtWindow *window = mt_app_window_new (1280, 860);
  g_autoptr (GFile) file = write_table ("<u>" PART "&%s%n.csv");
  MtDocument *document = mt_window_get_document (window);

  mt_app_train (window, file, NAME " y");
  g_assert_cmpint (mt_table_get_target (mt_document_get_table (document)), ==, 3);
  pin_two (mt_window_get_study (window));
  show_page (window, "data");
  show_page (window, "model");
  look_at_constraints (window);
  show_page (window, "train");
  show_page (window, "frontier");
  look_at_rules (window);
  show_page (window, "report");
  mt_app_window_end (window);
}

/* What is said of a file that cannot be read has its name, and the raw line. */
static void
test_errors (void)
{
  MtWindow *window = mt_app_window_new (900, 700);
  g_autoptr (GFile) broken = mt_app_write ("broken <u>" PART "&.csv", "a,b\n1,2\n\"" NAME ",4\n");
  g_autoptr (GFile) empty = mt_app_write ("empty <u>" PART "<&.csv", "");
  g_autoptr (GFile) project = mt_app_write ("not <u>" PART "&.minterm", NAME);

  mt_app_open (window, broken);
  mt_app_settle (300);
  g_assert_cmpuint (count_whole_names (), >, 0);
  mt_app_open (window, empty);
  mt_app_settle (300);
  count_whole_names ();
  mt_app_open (window, project);
  mt_app_settle (300);
  count_whole_names ();
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/names/everywhere", test_everywhere);
  g_test_add_func ("/app/names/errors", test_errors);
  return g_test_run ();
}
