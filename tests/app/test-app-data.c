/* Drives the real window through the Data page. Warnings are fatal, so a test that passes
 * also wrote nothing to stderr. */
#include "config.h"

#include <sqlite3.h>

#include "apputils.h"
#include "data/mt-column-header.h"
#include "data/mt-derive-dialog.h"
#include "data/mt-distribution-dialog.h"
#include "data/mt-findings-panel.h"
#include "util/mt-format.h"
#include "data/mt-import-panel.h"
#include "util/mt-preferences.h"
#include "util/mt-samples.h"
#include "widgets/mt-width-layout.h"

static const char small[] = "name,age,city,member\nAda,36,London,yes\nGrace,45,New York,no\n"
                            "Mary,29,Paris,yes\nKatherine,38,Hampton,no\n";

static MtWindow *
open_text (const char *name,
           const char *text)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  g_autoptr (GFile) file = mt_app_write (name, text);

  mt_app_open (window, file);
  mt_app_settle (50);
  return window;
}

static MtTable *
table_of (MtWindow *window)
{
  return mt_document_get_table (mt_window_get_document (window));
}

static guint
column_of (MtWindow   *window,
           const char *name)
{
  guint index = G_MAXUINT;

  g_assert_nonnull (mt_table_find_column (table_of (window), name, &index));
  return index;
}

static GtkWidget *
header_of (MtWindow   *window,
           const char *name)
{
  GtkWidget *header;

  mt_app_settle (50);   /* heads are placed with the next frame */
  header = mt_grid_find_header (mt_data_page_get_grid (mt_window_get_data_page (window)), column_of (window, name));
  g_assert_nonnull (header);
  return header;
}

static void
act (gpointer    widget,
     const char *action,
     const char *target)
{
  g_assert_true (gtk_widget_activate_action_variant (widget, action,
                                                     target != NULL ? g_variant_new_string (target) : NULL));
}

/* A database with the tables loans and people, as its bytes. */
static GFile *
write_database (const char *name)
{
  g_autoptr (GFile) file = mt_app_write (name, "");
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (g_file_peek_path (file), &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "CREATE TABLE loans (amount, repaid); INSERT INTO loans VALUES (1, 'yes'), (2, 'no'), (3, 'yes');"
                                     "CREATE TABLE people (name, age, member); INSERT INTO people VALUES ('Ada', 36, 'yes'), ('Mary', 29, 'no');",
                                 NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  return g_steal_pointer (&file);
}

/* Of a file with several tables one is asked for, also while another file is open; another one can be chosen in the import
 * settings, and undone. */
static void
test_parts (void)
{
  for (guint is_second = 0; is_second < 2; is_second++)
    {
      MtWindow *window = is_second ? open_text ("small.csv", small) : mt_app_window_new (1000, 700);
      MtDocument *document = mt_window_get_document (window);
      g_autoptr (GFile) file = write_database ("several.db");
      GtkWindow *dialog;
      GtkWidget *part;

      mt_app_open (window, file);
      mt_app_wait_asked (window);
      dialog = mt_app_find_question (window);
      g_assert_cmpstr (adw_message_dialog_get_heading (ADW_MESSAGE_DIALOG (dialog)), ==, "Choose a Table");
      gtk_drop_down_set_selected (GTK_DROP_DOWN (adw_message_dialog_get_extra_child (ADW_MESSAGE_DIALOG (dialog))), 1);
      mt_app_answer (window, "open");
      mt_app_wait_idle (window);
      g_assert_no_error (mt_document_get_error (document));
      g_assert_nonnull (mt_table_find_column (table_of (window), "member", NULL));

      part = mt_app_find (GTK_WIDGET (window), ADW_TYPE_COMBO_ROW, "import-part");
      while (!gtk_widget_get_visible (part))
        mt_app_settle (10);
      g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (part)), ==, 1);
      adw_combo_row_set_selected (ADW_COMBO_ROW (part), 0);
      mt_app_wait_idle (window);
      g_assert_nonnull (mt_table_find_column (table_of (window), "repaid", NULL));
      mt_document_undo (document);
      mt_app_wait_idle (window);
      g_assert_nonnull (mt_table_find_column (table_of (window), "member", NULL));
      g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (part)), ==, 1);
      mt_app_window_end (window);
    }
}

static void
test_samples (void)
{
  guint n_samples;
  const MtSample *samples = mt_samples_get (&n_samples);
  MtWindow *window = mt_app_window_new (1000, 700);

  for (guint i = 0; i < n_samples; i++)
    {
      act (window, "win.open-sample", samples[i].name);
      mt_app_wait_idle (window);
      g_assert_no_error (mt_document_get_error (mt_window_get_document (window)));
      g_assert_nonnull (table_of (window));
      g_assert_cmpuint (mt_table_get_n_rows (table_of (window)), >, 100);
      g_assert_cmpint (mt_table_get_target (table_of (window)), >=, 0);
      mt_app_settle (60);
    }
  act (window, "win.close-file", NULL);
  g_assert_null (table_of (window));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "Minterm");
  mt_app_window_end (window);
}

/* What is said to be in the way of training; NULL: nothing. */
static const char *
hint_of (MtWindow *window)
{
  g_autoptr (GPtrArray) labels = mt_app_find_all (mt_window_get_data_page (window), GTK_TYPE_LABEL);

  for (guint i = 0; i < labels->len; i++)
    {
      GtkWidget *strip = gtk_widget_get_ancestor (labels->pdata[i], GTK_TYPE_REVEALER);

      if (g_strcmp0 (gtk_buildable_get_buildable_id (labels->pdata[i]), "hint_text") == 0)
        return gtk_revealer_get_reveal_child (GTK_REVEALER (strip)) ? gtk_label_get_label (labels->pdata[i]) : NULL;
    }
  g_assert_not_reached ();
}

static int
height_of_hint (MtWindow *window)
{
  GtkWidget *strip = gtk_widget_get_first_child (GTK_WIDGET (mt_window_get_data_page (window)));
  g_autoptr (GPtrArray) strips = mt_app_find_all (strip, GTK_TYPE_REVEALER);

  for (guint i = 0; i < strips->len; i++)
    if (g_strcmp0 (gtk_buildable_get_buildable_id (strips->pdata[i]), "hint") == 0)
      return gtk_widget_get_height (strips->pdata[i]);
  g_assert_not_reached ();
}

/* A target that is only the last column is said to be a guess, until somebody chooses or says that it is right. */
static void
test_guess (void)
{
  MtWindow *window = open_text ("guess.csv", "default,age,gender\n1,30,m\n0,40,f\n1,50,m\n0,20,f\n");
  g_autoptr (GFile) other = mt_app_write ("last.csv", "age,size,gender\n30,1,m\n40,2,f\n50,3,m\n20,4,f\n");
  GtkWidget *keep;

  g_assert_cmpint (mt_table_get_target (table_of (window)), ==, 0);   /* by its name */
  mt_app_settle (400);
  g_assert_nonnull (strstr (hint_of (window), "“default” was chosen as the target because its name suggests"));
  mt_app_open (window, other);
  mt_app_settle (400);
  g_assert_nonnull (strstr (hint_of (window), "“gender” was chosen as the target"));
  g_assert_cmpint (height_of_hint (window), >, 0);
  act (header_of (window, "size"), "column.role", "target");
  g_assert_null (hint_of (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  mt_app_settle (400);
  g_assert_nonnull (strstr (hint_of (window), "“gender” was chosen as the target"));
  keep = mt_app_find (GTK_WIDGET (mt_window_get_data_page (window)), GTK_TYPE_BUTTON, "_Keep Target");
  g_assert_true (gtk_widget_get_visible (keep));
  g_signal_emit_by_name (keep, "clicked");
  g_assert_null (hint_of (window));
  mt_app_settle (400);
  g_assert_cmpint (height_of_hint (window), ==, 0);   /* what is not said takes no room */
  mt_app_window_end (window);
}

static void
test_roles (void)
{
  MtWindow *window = open_text ("roles.csv", small);
  MtDocument *document = mt_window_get_document (window);

  act (header_of (window, "member"), "column.role", "target");
  g_assert_null (hint_of (window));
  act (header_of (window, "member"), "column.role", "feature");
  g_assert_true (g_str_has_prefix (hint_of (window), "No target yet"));
  act (header_of (window, "member"), "column.role", "target");
  g_assert_null (hint_of (window));
  g_assert_cmpint (mt_table_get_target (table_of (window)), ==, (int) column_of (window, "member"));
  act (header_of (window, "age"), "column.role", "target");
  g_assert_cmpint (mt_table_get_target (table_of (window)), ==, (int) column_of (window, "age"));
  g_assert_cmpint (mt_table_get_role (table_of (window), column_of (window, "member")), ==, MT_ROLE_FEATURE);
  g_assert_cmpstr (mt_document_get_undo_label (document), ==, "Role of “age”");

  act (window, "win.undo", NULL);
  g_assert_cmpint (mt_table_get_target (table_of (window)), ==, (int) column_of (window, "member"));
  act (window, "win.redo", NULL);
  g_assert_cmpint (mt_table_get_target (table_of (window)), ==, (int) column_of (window, "age"));
  act (window, "win.undo", NULL);
  act (header_of (window, "city"), "column.role", "ignored");
  g_assert_null (mt_document_get_redo_label (document));   /* a new step forgets what was undone */
  mt_app_window_end (window);
}

static void
test_type (void)
{
  MtWindow *window = open_text ("types.csv", small);

  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 1)), ==, MT_TYPE_NUMBER);
  act (header_of (window, "age"), "column.type", "category");
  mt_app_wait_idle (window);
  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 1)), ==, MT_TYPE_CATEGORY);
  act (header_of (window, "city"), "column.role", "ignored");
  act (window, "win.reload", NULL);   /* choices outlive a reload */
  mt_app_wait_idle (window);
  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 1)), ==, MT_TYPE_CATEGORY);
  g_assert_cmpint (mt_table_get_role (table_of (window), 2), ==, MT_ROLE_IGNORED);
  for (guint i = 0; i < 3; i++)
    {
      act (window, "win.undo", NULL);
      mt_app_wait_idle (window);
    }
  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 1)), ==, MT_TYPE_NUMBER);
  g_assert_cmpint (mt_table_get_role (table_of (window), 2), ==, MT_ROLE_FEATURE);
  mt_app_window_end (window);
}

/* A column computed from others: suggestions, preview, errors, and each step undone. */
static void
test_derive (void)
{
  static const char orders[] = "when,income,\"loan amount\",good\n2024-02-29,10,4,yes\n2024-12-31,9,0,no\n2023-01-01,8,2,yes\n";
  MtWindow *window = open_text ("orders.csv", orders);
  MtDocument *document = mt_window_get_document (window);
  MtDeriveDialog *dialog;
  g_autofree char *cell = NULL;

  act (header_of (window, "when"), "column.type", "date");
  mt_app_wait_idle (window);
  act (header_of (window, "income"), "column.derive", NULL);
  dialog = mt_app_find_over (window, MT_TYPE_DERIVE_DIALOG);
  g_assert_nonnull (dialog);
  g_assert_false (mt_derive_dialog_apply (dialog));   /* no formula yet */
  mt_derive_dialog_set (dialog, "income / debt", "");
  g_assert_nonnull (strstr (mt_derive_dialog_get_preview (dialog), "needs column “debt”"));
  mt_derive_dialog_set (dialog, "income / ", "");
  g_assert_nonnull (strstr (mt_derive_dialog_get_preview (dialog), "the name of a column is expected"));
  mt_derive_dialog_set (dialog, "income/\"loan amount\"", "Income");
  g_assert_nonnull (strstr (mt_derive_dialog_get_preview (dialog), "There is already a column “income”"));
  g_assert_false (mt_derive_dialog_apply (dialog));
  mt_derive_dialog_set (dialog, "income/\"loan amount\"", "ratio");
  g_assert_cmpstr (mt_derive_dialog_get_preview (dialog), ==, "“ratio”: 2.5; missing; 4, … (1 of the first 3 missing)");
  g_assert_true (mt_derive_dialog_apply (dialog));
  mt_app_wait_idle (window);
  cell = mt_column_dup_text (mt_table_get_column (table_of (window), column_of (window, "ratio")), 2);
  g_assert_cmpstr (cell, ==, "4");
  g_assert_cmpstr (mt_document_get_undo_label (document), ==, "Derive “ratio”");
  g_assert_false (mt_column_get_formula (mt_table_get_column (table_of (window), column_of (window, "ratio"))) == NULL);

  act (header_of (window, "ratio"), "column.formula", NULL);
  dialog = mt_app_find_over (window, MT_TYPE_DERIVE_DIALOG);
  mt_derive_dialog_set (dialog, "month(when)", "");
  g_assert_true (mt_derive_dialog_apply (dialog));
  mt_app_wait_idle (window);
  g_assert_null (mt_table_find_column (table_of (window), "ratio", NULL));
  g_assert_nonnull (mt_table_find_column (table_of (window), "month of when", NULL));
  act (header_of (window, "month of when"), "column.remove", NULL);
  mt_app_wait_idle (window);
  g_assert_null (mt_table_find_column (table_of (window), "month of when", NULL));
  act (window, "win.undo", NULL);
  mt_app_wait_idle (window);
  g_assert_nonnull (mt_table_find_column (table_of (window), "month of when", NULL));
  act (window, "win.undo", NULL);
  mt_app_wait_idle (window);
  g_assert_nonnull (mt_table_find_column (table_of (window), "ratio", NULL));
  act (window, "win.undo", NULL);
  mt_app_wait_idle (window);
  g_assert_cmpuint (mt_table_get_n_columns (table_of (window)), ==, 4);
  mt_app_window_end (window);
}

static void
test_delimiter (void)
{
  MtWindow *window = open_text ("semicolons.csv", "a;b;c\n1;2,5;x\n3;4,5;y\n5;6,5;x\n");
  GtkWidget *row = mt_app_find (GTK_WIDGET (window), ADW_TYPE_COMBO_ROW, "De_limiter");
  GtkWidget *detect = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "Detect _Again");

  g_assert_cmpuint (mt_table_get_n_columns (table_of (window)), ==, 3);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 1);
  g_assert_false (gtk_widget_get_visible (detect));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 3);   /* pipe */
  mt_app_wait_idle (window);
  g_assert_no_error (mt_document_get_error (mt_window_get_document (window)));
  g_assert_cmpuint (mt_table_get_n_columns (table_of (window)), ==, 1);
  g_assert_true (gtk_widget_get_visible (detect));
  g_assert_true (g_str_has_prefix (hint_of (window), "The file was read as a single column"));
  act (window, "win.undo", NULL);
  mt_app_wait_idle (window);
  g_assert_cmpuint (mt_table_get_n_columns (table_of (window)), ==, 3);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 1);
  mt_app_window_end (window);
}

/* A quote that never closes: told not to mean anything, it is a character like others. */
static void
test_quote (void)
{
  MtWindow *window = open_text ("quotes.csv", "name,note\nAda,5\" screen\nGrace,\"7 inch\nMary,none\n");
  GtkWidget *row = mt_app_find (GTK_WIDGET (window), ADW_TYPE_COMBO_ROW, "_Quote character");

  g_assert_error (mt_document_get_error (mt_window_get_document (window)), MT_ERROR, MT_ERROR_PARSE);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 2);   /* none */
  mt_app_wait_idle (window);
  g_assert_no_error (mt_document_get_error (mt_window_get_document (window)));
  g_assert_cmpuint (mt_table_get_n_rows (table_of (window)), ==, 3);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 2);
  g_assert_cmpint (mt_document_get_decisions (mt_window_get_document (window))->dialect->quote, ==, MT_CSV_NO_QUOTE);
  g_assert_true (mt_document_has_decided (mt_window_get_document (window)));   /* though there is nothing to undo */
  mt_app_window_end (window);
}

/* What was found is shown; what is chosen is read at once, and can be undone. */
static void
test_thousands (void)
{
  MtWindow *window = open_text ("thousands.csv", "a;b\n1 234;x\n12 345;y\n2 500;x\n7 000;y\n");
  GtkWidget *row = mt_app_find (GTK_WIDGET (window), ADW_TYPE_COMBO_ROW, "Th_ousands separator");

  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 0)), ==, MT_TYPE_NUMBER);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 3);   /* space */
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 0);
  mt_app_wait_idle (window);
  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 0)), !=, MT_TYPE_NUMBER);
  g_assert_cmpstr (mt_document_get_undo_label (mt_window_get_document (window)), ==, "Thousands Separator");
  act (window, "win.undo", NULL);
  mt_app_wait_idle (window);
  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 0)), ==, MT_TYPE_NUMBER);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 3);
  mt_app_window_end (window);
}

static void
test_missing_tokens (void)
{
  MtWindow *window = open_text ("tokens.csv", "a,b\n1,x\nrefused,y\n3,x\n4,y\n");
  GtkWidget *row = mt_app_find (GTK_WIDGET (window), ADW_TYPE_ENTRY_ROW, NULL);

  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 0)), !=, MT_TYPE_NUMBER);
  /* A line of an entry would cut them off. */
  g_assert_cmpstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (gtk_widget_get_ancestor (row, ADW_TYPE_EXPANDER_ROW))), ==,
                   gtk_editable_get_text (GTK_EDITABLE (row)));
  gtk_editable_set_text (GTK_EDITABLE (row), "NA, refused");
  g_signal_emit_by_name (row, "apply");
  mt_app_wait_idle (window);
  g_assert_cmpint (mt_column_get_type (mt_table_get_column (table_of (window), 0)), ==, MT_TYPE_NUMBER);
  g_assert_cmpuint (mt_column_get_n_missing (mt_table_get_column (table_of (window), 0)), ==, 1);
  mt_app_window_end (window);
}

/* The first and the last date stand below the bars, in full. */
static void
test_date_range (void)
{
  MtWindow *window = open_text ("dates.csv", "d,b\n2024-01-01,1\n2024-02-03,0\n2024-12-25,1\n2024-11-25,0\n");
  GtkWidget *low;

  mt_app_settle (300);
  low = mt_app_find (header_of (window, "d"), GTK_TYPE_LABEL, "2024-01-01");
  g_assert_nonnull (low);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (low))));
  mt_app_window_end (window);
}

static const char broken[] = "name,age\nAda,36\nGrace,\"45\nMary,29\n";

static void
test_error_keeps (void)
{
  MtWindow *window = open_text ("kept.csv", small);
  MtTable *before = mt_table_ref (table_of (window));
  g_autoptr (GFile) file = mt_app_write ("broken.csv", broken);

  mt_app_open (window, file);
  g_assert_error (mt_document_get_error (mt_window_get_document (window)), MT_ERROR, MT_ERROR_PARSE);
  g_assert_true (table_of (window) == before);
  mt_app_settle (100);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Cannot Read Line 3 of “broken.csv”"));
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL,
                                 "  2  Ada,36\n▸ 3  Grace,\"45\n  4  Mary,29"));
  mt_document_clear_error (mt_window_get_document (window));
  act (header_of (window, "age"), "column.role", "ignored");   /* and all still works */
  mt_table_unref (before);
  mt_app_window_end (window);
}

static void
test_error_first (void)
{
  MtWindow *window = open_text ("broken.csv", broken);
  MtDocument *document = mt_window_get_document (window);
  g_autoptr (GFile) file = NULL;
  GtkWidget *findings;

  g_assert_error (mt_document_get_error (document), MT_ERROR, MT_ERROR_PARSE);
  g_assert_null (table_of (window));
  findings = mt_app_find (GTK_WIDGET (window), MT_TYPE_FINDINGS_PANEL, NULL);
  g_assert_false (gtk_widget_get_visible (findings));
  file = mt_app_write ("broken.csv", small);   /* mended */
  act (window, "win.reload", NULL);
  mt_app_wait_idle (window);
  g_assert_no_error (mt_document_get_error (document));
  g_assert_nonnull (table_of (window));
  g_assert_true (gtk_widget_get_visible (findings));
  mt_app_window_end (window);
}

static void
test_hopeless_files (void)
{
  MtWindow *window = open_text ("empty.csv", "");
  g_autoptr (GFile) header_only = mt_app_write ("header.csv", "a,b,c\n");
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/nowhere/at/all.csv");

  g_assert_nonnull (mt_document_get_error (mt_window_get_document (window)));
  mt_app_open (window, nowhere);
  g_assert_error (mt_document_get_error (mt_window_get_document (window)), G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  mt_app_open (window, header_only);   /* a designed view or an error, never a crash */
  mt_app_settle (50);
  mt_app_window_end (window);
}

static const char *
search_status (MtWindow *window)
{
  GtkWidget *entry = mt_app_find (GTK_WIDGET (window), GTK_TYPE_SEARCH_ENTRY, NULL);

  return gtk_label_get_label (GTK_LABEL (gtk_widget_get_prev_sibling (entry)));
}

static gboolean
search_answered (gpointer window)
{
  return *search_status (window) != '\0';
}

static void
search_for (MtWindow   *window,
            const char *text,
            const char *signal,
            const char *expected)
{
  GtkWidget *entry = mt_app_find (GTK_WIDGET (window), GTK_TYPE_SEARCH_ENTRY, NULL);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, signal);
  mt_app_wait (search_answered, window);
  g_assert_cmpstr (search_status (window), ==, expected);
}

static void
test_search (void)
{
  MtWindow *window = open_text ("search.csv", small);
  MtGrid *grid = mt_data_page_get_grid (mt_window_get_data_page (window));
  guint place;
  gsize row;

  act (window, "win.find", NULL);
  search_for (window, "paris", "search-changed", "city, row 3");
  g_assert_true (mt_grid_get_cursor (grid, &place, &row));
  g_assert_cmpuint (row, ==, 2);
  search_for (window, "AG", "search-changed", "Column age");
  search_for (window, "a", "search-changed", "Column name");
  search_for (window, "a", "next-match", "Column age");
  search_for (window, "a", "previous-match", "Column name");
  search_for (window, "zzz", "search-changed", "Not found");
  mt_app_window_end (window);
}

static GFile *
write_long (guint n_rows)
{
  g_autoptr (GString) text = g_string_new ("id,amount,kind\n");

  for (guint i = 0; i < n_rows; i++)
    g_string_append_printf (text, "%u,%u.%02u,%c\n", i, i * 7919 % 100000, i % 100, 'a' + (int) (i % 5));
  return mt_app_write ("long.csv", text->str);
}

static gboolean
is_under_way (gpointer window)
{
  MtDocument *document = mt_window_get_document (window);

  return mt_document_get_progress (document)->rows > 0 || !mt_document_is_loading (document);
}

/* In the midst of a file; one that is read before that can be seen is followed by one twice as long. */
/* Another file begins at its top, and nothing is searched for in it. */
static void
test_second_file (void)
{
  g_autoptr (GString) text = g_string_new ("name,city,age\n");
  g_autoptr (GFile) other = NULL;
  g_autoptr (GtkAdjustment) down = NULL;
  MtWindow *window;
  GtkWidget *search;

  for (guint i = 0; i < 500; i++)
    g_string_append_printf (text, "n%u,c%u,%u\n", i, i % 7, i % 90);
  window = open_text ("first.csv", text->str);
  search = mt_app_find (GTK_WIDGET (window), GTK_TYPE_SEARCH_ENTRY, NULL);
  search_for (window, "n450", "search-changed", "name, row 451");
  mt_app_settle (100);
  g_object_get (mt_app_find (GTK_WIDGET (window), MT_TYPE_GRID, NULL), "vadjustment", &down, NULL);
  g_assert_cmpfloat (gtk_adjustment_get_value (down), >, 100);
  other = mt_app_write ("second.csv", text->str);
  mt_app_open (window, other);
  mt_app_settle (100);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (search)), ==, "");
  g_assert_cmpfloat (gtk_adjustment_get_value (down), ==, 0);
  mt_app_window_end (window);
}

static void
test_cancel (void)
{
  MtWindow *window = NULL;
  MtTable *before = NULL;

  for (guint n_rows = 400000; window == NULL; n_rows *= 2)
    {
      g_autoptr (GFile) file = write_long (n_rows);

      g_assert_cmpuint (n_rows, <, 10000000);
      window = open_text ("before.csv", small);
      before = table_of (window);
      mt_window_open (window, file);
      g_assert_true (mt_document_is_loading (mt_window_get_document (window)));
      mt_app_wait (is_under_way, window);
      if (!mt_document_is_loading (mt_window_get_document (window)))
        {
          mt_app_window_end (window);
          window = NULL;
        }
    }
  act (window, "win.cancel", NULL);
  g_assert_false (mt_document_is_loading (mt_window_get_document (window)));
  g_assert_true (table_of (window) == before);
  mt_app_settle (300);   /* the worker ends on its own; its result is nobody's */
  g_assert_true (table_of (window) == before);
  g_assert_no_error (mt_document_get_error (mt_window_get_document (window)));
  mt_app_window_end (window);
}

static void
test_close_while_loading (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  g_autoptr (GFile) file = write_long (400000);

  mt_window_open (window, file);
  mt_app_settle (30);
  mt_app_window_end (window);
  mt_app_settle (300);
}

static GtkEventController *
find_drop_target (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        return controller;
    }
  return NULL;
}

static void
test_drop (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  GtkEventController *target = find_drop_target (GTK_WIDGET (window));
  g_autoptr (GFile) file = mt_app_write ("dropped.csv", small);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean taken = FALSE;

  g_assert_nonnull (target);
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_array (&file, 1));
  g_signal_emit_by_name (target, "drop", &value, 10.0, 10.0, &taken);
  g_assert_true (taken);
  mt_app_wait_idle (window);
  g_assert_cmpuint (mt_table_get_n_columns (table_of (window)), ==, 4);
  mt_app_window_end (window);
}

static gboolean
findings_listed (gpointer window)
{
  GPtrArray *findings = mt_document_get_findings (mt_window_get_document (window));

  return findings != NULL && findings->len > 0;
}

static void
test_findings (void)
{
  g_autoptr (GString) text = g_string_new ("constant,x,y\n");
  MtWindow *window;
  MtDocument *document;
  MtFinding *finding = NULL;
  g_autofree char *signature = NULL;
  g_autofree char *label = NULL;
  GtkWidget *row;

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "same,%u,%s\n", i * 37 % 101, i % 3 == 0 ? "yes" : "no");
  window = open_text ("findings.csv", text->str);
  document = mt_window_get_document (window);
  mt_app_wait (findings_listed, window);
  for (guint i = 0; i < mt_document_get_findings (document)->len; i++)
    {
      MtFinding *each = g_ptr_array_index (mt_document_get_findings (document), i);

      if (g_str_equal (each->code, "constant-column"))
        finding = each;
    }
  g_assert_nonnull (finding);
  g_settings_set_string (mt_preferences_get_settings (), "person", "Ann Example");
  mt_document_dismiss (document, finding, "it will vary next year");
  g_settings_reset (mt_preferences_get_settings (), "person");
  signature = mt_format_signature ("Ann Example", mt_decisions_get_dismissal (mt_document_get_decisions (document),
                                                                               finding)->made);
  label = g_strdup_printf ("Dismissed. Reason: “it will vary next year”\n%s", signature);
  row = mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, label);
  g_assert_nonnull (row);
  act (window, "win.undo", NULL);
  g_assert_null (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, label));
  act (window, "win.redo", NULL);
  g_assert_cmpstr (mt_decisions_get_dismissal (mt_document_get_decisions (document), finding)->reason, ==,
                   "it will vary next year");
  mt_app_window_end (window);
}

/* Ten zeros where no other value is below 60, and a column of four numbers. */
static GFile *
write_suspect (void)
{
  g_autoptr (GString) text = g_string_new ("a&b,code,x,y\n");

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, "%u,%u,%u,%s\n", i % 20 == 3 ? 0 : 60 + i * 37 % 101, i % 4 + 1, i * 53 % 97,
                            i % 3 == 0 ? "yes" : "no");
  return mt_app_write ("suspect.csv", text->str);
}

static gboolean
is_toast_shown (gpointer window)
{
  GtkWidget *undo = mt_app_find (window, GTK_TYPE_BUTTON, "_Undo");

  return undo != NULL && gtk_widget_get_mapped (undo);
}

static gboolean
is_toast_gone (gpointer window)
{
  return !is_toast_shown (window);
}

static void
fix_and_undo (MtWindow   *window,
              const char *button,
              const char *said)
{
  GtkWidget *fix;

  mt_app_wait (findings_listed, window);
  mt_app_settle (100);   /* rows come one a frame */
  fix = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, button);
  g_assert_nonnull (fix);
  g_signal_emit_by_name (fix, "clicked");
  mt_app_wait_idle (window);
  mt_app_wait (is_toast_shown, window);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, said));
  g_assert_nonnull (mt_document_get_undo_label (mt_window_get_document (window)));
  g_signal_emit_by_name (mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "_Undo"), "clicked");
  mt_app_wait_idle (window);
  g_assert_null (mt_document_get_undo_label (mt_window_get_document (window)));
  mt_app_wait (is_toast_gone, window);
}

/* A fix makes its finding vanish: what happened is said, and can be undone there. */
static void
test_fix_told (void)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  g_autoptr (GFile) file = write_suspect ();

  mt_app_open (window, file);
  fix_and_undo (window, "Treat 0 as Missing", "0 is treated as missing in “a&amp;b”");
  fix_and_undo (window, "Read as Category", "“code” is read as Category");
  /* The button is for that step alone. */
  mt_app_wait (findings_listed, window);
  g_signal_emit_by_name (mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "Read as Category"), "clicked");
  mt_app_wait (is_toast_shown, window);
  act (header_of (window, "x"), "column.role", "ignored");
  mt_app_wait (is_toast_gone, window);
  /* A name is no markup, also when a step is undone. */
  act (header_of (window, "a&b"), "column.role", "ignored");
  act (window, "win.undo", NULL);
  mt_app_settle (60);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Undone: Role of “a&amp;b”"));
  mt_app_window_end (window);
}

static gboolean
is_listed_in_view (gpointer window)
{
  GtkWidget *panel = mt_app_find (window, MT_TYPE_FINDINGS_PANEL, NULL);
  GtkWidget *focus = gtk_window_get_focus (window);

  return gtk_widget_get_mapped (panel) && focus != NULL && gtk_widget_is_ancestor (focus, panel);
}

/* Behind a folded pane findings are counted on the page. */
static void
test_narrow_findings (void)
{
  MtWindow *window = mt_app_window_new (360, 700);
  MtDocument *document = mt_window_get_document (window);
  g_autoptr (GFile) file = write_suspect ();
  g_autofree char *label = NULL;
  GtkWidget *button;
  guint n;

  gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");   /* a frame for want of a window manager */
  mt_app_open (window, file);
  mt_app_wait (findings_listed, window);
  mt_app_settle (100);
  n = mt_document_get_findings (document)->len;
  g_assert_cmpuint (n, >, 1);
  label = g_strdup_printf ("%u _Findings", n);
  button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, label);
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_mapped (button));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 360);
  g_signal_emit_by_name (button, "clicked");
  mt_app_wait (is_listed_in_view, window);
  mt_document_dismiss (document, g_ptr_array_index (mt_document_get_findings (document), 0), "known");
  mt_app_settle (60);
  g_free (label);
  label = n == 2 ? g_strdup ("1 _Finding") : g_strdup_printf ("%u _Findings", n - 1);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, label);
  mt_app_window_end (window);

  window = mt_app_window_new (1000, 700);
  mt_app_open (window, file);
  mt_app_wait (findings_listed, window);
  mt_app_settle (100);
  g_free (label);
  label = g_strdup_printf ("%u _Findings", n);
  button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, label);
  g_assert_true (button == NULL || !gtk_widget_get_mapped (button));
  mt_app_window_end (window);
}

static void
test_ten_thousand_columns (void)
{
  g_autoptr (GString) text = g_string_new ("c0");
  MtWindow *window;
  MtGrid *grid;
  guint n_places;

  for (guint i = 1; i < 10000; i++)
    g_string_append_printf (text, ",c%u", i);
  for (guint row = 0; row < 4; row++)
    {
      g_string_append (text, "\n0");
      for (guint i = 1; i < 10000; i++)
        g_string_append_printf (text, ",%u", (i * 31 + row * 17) % 97);
    }
  window = open_text ("wide.csv", text->str);
  grid = mt_data_page_get_grid (mt_window_get_data_page (window));
  mt_grid_get_order (grid, &n_places);
  g_assert_cmpuint (n_places, ==, 10000);
  mt_grid_go_to (grid, 9999, 3);
  mt_app_settle (100);
  g_assert_nonnull (mt_grid_find_header (grid, 9998));
  g_assert_null (mt_grid_find_header (grid, 5000));   /* only what is in view exists */
  mt_app_window_end (window);
}

static GtkWidget *
focus_of (MtWindow *window)
{
  return gtk_window_get_focus (GTK_WINDOW (window));
}

static gboolean
has_focus_in (MtWindow  *window,
              gpointer   widget)
{
  GtkWidget *focus = focus_of (window);

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* A key that comes to the grid, as it does from the heads in it. */
static gboolean
press_in (MtGrid *grid,
          guint   key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (grid));
  gboolean handled = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &handled);
    }
  return handled;
}

static const char *
column_at_cursor (MtWindow *window)
{
  MtGrid *grid = mt_data_page_get_grid (mt_window_get_data_page (window));
  guint place, n_places;
  gsize row;

  g_assert_true (mt_grid_get_cursor (grid, &place, &row));
  return mt_column_get_name (mt_table_get_column (table_of (window), mt_grid_get_order (grid, &n_places)[place]));
}

/* Arrows walk the menu that Enter opens, and not the heads behind it; Escape gives the focus back. */
static void
test_menu_keys (void)
{
  MtWindow *window = open_text ("menu.csv", small);
  MtGrid *grid = mt_data_page_get_grid (mt_window_get_data_page (window));
  GtkWidget *menu, *item;

  gtk_widget_grab_focus (GTK_WIDGET (grid));
  mt_grid_go_to (grid, 2, 1);
  g_assert_cmpstr (column_at_cursor (window), ==, "age");
  g_assert_true (press_in (grid, GDK_KEY_Return));
  mt_app_settle (60);
  menu = mt_app_find (header_of (window, "age"), GTK_TYPE_POPOVER, NULL);
  g_assert_true (gtk_widget_get_visible (menu));
  g_assert_true (has_focus_in (window, menu));
  item = focus_of (window);
  g_signal_emit_by_name (menu, "move-focus", GTK_DIR_DOWN);
  g_assert_true (has_focus_in (window, menu));
  g_assert_true (focus_of (window) != item);
  g_signal_emit_by_name (menu, "move-focus", GTK_DIR_UP);
  g_assert_true (focus_of (window) == item);
  g_assert_false (press_in (grid, GDK_KEY_Right));   /* what the menu has no use for does not move the cursor behind it */
  gtk_popover_popdown (GTK_POPOVER (menu));   /* as Escape does */
  mt_app_settle (60);
  g_assert_false (gtk_widget_get_visible (menu));
  g_assert_true (focus_of (window) == GTK_WIDGET (grid));
  g_assert_cmpstr (column_at_cursor (window), ==, "age");
  mt_app_window_end (window);
}

/* Enter opens the menu of the column whose head has the focus: that is the cursor's column, wherever the focus comes
 * from. */
static void
test_head_focus (void)
{
  MtWindow *window = open_text ("heads.csv", small);
  MtGrid *grid = mt_data_page_get_grid (mt_window_get_data_page (window));
  guint place;
  gsize row;

  gtk_widget_grab_focus (GTK_WIDGET (grid));
  mt_grid_go_to (grid, 2, 1);
  gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
  g_assert_true (has_focus_in (window, header_of (window, "age")));
  gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
  g_assert_true (has_focus_in (window, header_of (window, "city")));
  g_assert_cmpstr (column_at_cursor (window), ==, "city");
  gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
  g_assert_false (has_focus_in (window, grid));
  gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_BACKWARD);
  g_assert_true (focus_of (window) == GTK_WIDGET (grid));   /* at the cursor, not at the last head */
  g_assert_cmpstr (column_at_cursor (window), ==, "city");

  gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
  g_assert_true (has_focus_in (window, header_of (window, "city")));
  g_assert_true (press_in (grid, GDK_KEY_Left));
  g_assert_true (focus_of (window) == GTK_WIDGET (grid));
  g_assert_cmpstr (column_at_cursor (window), ==, "age");
  g_assert_true (mt_grid_get_cursor (grid, &place, &row));
  g_assert_cmpuint (row, ==, 1);

  gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
  act (header_of (window, "age"), "column.role", "target");   /* which stands first */
  mt_app_settle (60);
  g_assert_cmpstr (column_at_cursor (window), ==, "age");
  g_assert_true (has_focus_in (window, header_of (window, "age")) || focus_of (window) == GTK_WIDGET (grid));
  mt_app_window_end (window);
}

/* A child that counts how often it is asked which width goes with a height. */
static guint n_searches;

static void
measure_child (GtkWidget      *widget,
               GtkOrientation  orientation,
               int             for_size,
               int            *minimum,
               int            *natural,
               int            *minimum_baseline,
               int            *natural_baseline)
{
  n_searches += orientation == GTK_ORIENTATION_HORIZONTAL && for_size >= 0 ? 1 : 0;
  *minimum = 10;
  *natural = 100;
}

static GtkSizeRequestMode
child_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
place_child (GtkWidget *widget,
             int        width,
             int        height,
             int        baseline)
{
}

static guint
count_searches (gboolean with_layout)
{
  g_autoptr (GtkWidget) row = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  GtkWidget *bin = adw_bin_new ();
  GtkWidget *child = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  if (with_layout)
    gtk_widget_set_layout_manager (bin, g_object_new (MT_TYPE_WIDTH_LAYOUT, NULL));
  gtk_widget_set_layout_manager (child, gtk_custom_layout_new (child_mode, measure_child, place_child));
  adw_bin_set_child (ADW_BIN (bin), child);
  gtk_box_append (GTK_BOX (row), gtk_label_new ("x"));
  gtk_box_append (GTK_BOX (row), bin);
  n_searches = 0;
  gtk_widget_measure (row, GTK_ORIENTATION_VERTICAL, 300, NULL, NULL, NULL, NULL);
  return n_searches;
}

static void
test_width_layout (void)
{
  g_assert_cmpuint (count_searches (FALSE), >, 0);   /* what it is against */
  g_assert_cmpuint (count_searches (TRUE), ==, 0);
}

static void
assert_line (MtDistributionDialog *dialog,
             guint                 line,
             const char           *what,
             const char           *rows,
             const char           *share)
{
  const char *expected[] = { what, rows, share };

  for (guint c = 0; c < G_N_ELEMENTS (expected); c++)
    {
      g_autofree char *cell = mt_distribution_dialog_dup_cell (dialog, line, c);

      g_assert_cmpstr (cell, ==, expected[c]);
      g_assert_nonnull (mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, cell));   /* it can be read */
    }
}

static MtDistributionDialog *
open_distribution (MtWindow   *window,
                   const char *column)
{
  MtDistributionDialog *dialog;

  g_assert_true (gtk_widget_activate_action (header_of (window, column), "column.distribution", NULL));
  dialog = mt_app_find_over (window, MT_TYPE_DISTRIBUTION_DIALOG);
  g_assert_nonnull (dialog);
  mt_app_settle (60);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (dialog)), ==, column);
  return dialog;
}

static void
close_distribution (MtDistributionDialog *dialog)
{
  gtk_window_close (GTK_WINDOW (dialog));
  mt_app_settle (20);
}

/* What a head draws can be had as a table, with what is not drawn: other levels, missing and infinite values. */
static void
test_distribution_table (void)
{
  g_autoptr (GString) text = g_string_new ("n,level,free\n");
  MtDistributionDialog *dialog;
  MtWindow *window;
  guint n_rows = 0;

  for (guint i = 0; i < 400; i++)
    if (i % 40 == 7)
      g_string_append_printf (text, ",,%u%u%u\n", i, i * 7, i * i);
    else
      g_string_append_printf (text, "%g,%c%c,text %u%u\n", i * 0.25, 'a' + (i % 2 == 0 ? 0 : (int) (i % 23)),
                              i % 2 == 0 ? 'a' : 'b', i, i * 31);
  window = open_text ("distribution.csv", text->str);
  mt_app_settle (200);   /* distributions come one after the other */
  dialog = open_distribution (window, "n");
  g_assert_cmpuint (mt_distribution_dialog_get_n (dialog), >, 4);
  for (guint i = 0; i < mt_distribution_dialog_get_n (dialog); i++)
    {
      g_autofree char *count = mt_distribution_dialog_dup_cell (dialog, i, 1);

      n_rows += (guint) g_ascii_strtoull (count, NULL, 10);
    }
  g_assert_cmpuint (n_rows, ==, 400);   /* nothing is left out */
  assert_line (dialog, mt_distribution_dialog_get_n (dialog) - 1, "Missing", "10", "2.5%");
  close_distribution (dialog);

  dialog = open_distribution (window, "level");
  assert_line (dialog, 0, "aa", "200", "50%");
  g_assert_cmpuint (mt_distribution_dialog_get_n (dialog), >, 3);
  assert_line (dialog, mt_distribution_dialog_get_n (dialog) - 1, "Missing", "10", "2.5%");
  {
    g_autofree char *other = mt_distribution_dialog_dup_cell (dialog, mt_distribution_dialog_get_n (dialog) - 2, 0);

    g_assert_true (g_str_has_suffix (other, "other values"));
  }
  close_distribution (dialog);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/data/samples", test_samples);
  g_test_add_func ("/app/data/parts", test_parts);
  g_test_add_func ("/app/data/guess", test_guess);
  g_test_add_func ("/app/data/roles", test_roles);
  g_test_add_func ("/app/data/type", test_type);
  g_test_add_func ("/app/data/derive", test_derive);
  g_test_add_func ("/app/data/delimiter", test_delimiter);
  g_test_add_func ("/app/data/quote", test_quote);
  g_test_add_func ("/app/data/thousands", test_thousands);
  g_test_add_func ("/app/data/missing-tokens", test_missing_tokens);
  g_test_add_func ("/app/data/date-range", test_date_range);
  g_test_add_func ("/app/data/error-keeps", test_error_keeps);
  g_test_add_func ("/app/data/error-first", test_error_first);
  g_test_add_func ("/app/data/hopeless-files", test_hopeless_files);
  g_test_add_func ("/app/data/search", test_search);
  g_test_add_func ("/app/data/second-file", test_second_file);
  g_test_add_func ("/app/data/menu-keys", test_menu_keys);
  g_test_add_func ("/app/data/head-focus", test_head_focus);
  g_test_add_func ("/app/data/cancel", test_cancel);
  g_test_add_func ("/app/data/close-while-loading", test_close_while_loading);
  g_test_add_func ("/app/data/drop", test_drop);
  g_test_add_func ("/app/data/findings", test_findings);
  g_test_add_func ("/app/data/fix-told", test_fix_told);
  g_test_add_func ("/app/data/narrow-findings", test_narrow_findings);
  g_test_add_func ("/app/data/width-layout", test_width_layout);
  g_test_add_func ("/app/data/ten-thousand-columns", test_ten_thousand_columns);
  g_test_add_func ("/app/data/distribution-table", test_distribution_table);
  return g_test_run ();
}
