/* Decisions come back from a project, and a bad project is refused with a word. */
#include "config.h"

#include "apputils.h"
#include "study/mt-selected-model-file.h"
#include "util/mt-format.h"
#include "util/mt-preferences.h"

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

static MtColumnRole
role_in (GFile *project,
         guint  column)
{
  MtWindow *window = mt_app_window_new (1000, 700);
  MtColumnRole role;

  mt_window_open (window, project);
  mt_app_wait (has_table, window);
  role = mt_table_get_role (mt_document_get_table (mt_window_get_document (window)), column);
  mt_app_window_end (window);
  return role;
}

static MtFinding *
some_finding (void)
{
  return mt_finding_new ("constant-column", MT_SEVERITY_WARNING, 2, "city", 0,
                         (MtSaid) { g_strdup ("city is always the same"), NULL });
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
  gint64 begun = g_get_real_time () / G_USEC_PER_SEC;
  const MtProjectDismissal *kept;
  g_autofree char *signature = NULL;
  MtTable *table;

  mt_app_open (window, csv);
  mt_document_set_role (document, 1, MT_ROLE_TARGET);
  mt_document_set_type (document, 3, MT_TYPE_CATEGORY);
  mt_app_wait_idle (window);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  g_settings_set_string (mt_preferences_get_settings (), "person", " Ann Example ");
  mt_document_dismiss (document, finding, "they moved since");
  /* Who opens it later is not who decided. */
  g_settings_reset (mt_preferences_get_settings (), "person");
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
  kept = mt_decisions_get_dismissal (mt_document_get_decisions (document), finding);
  g_assert_nonnull (kept);
  g_assert_cmpstr (kept->reason, ==, "they moved since");
  g_assert_cmpstr (kept->by, ==, "Ann Example");
  g_assert_cmpint (kept->made, >=, begun);
  signature = mt_format_signature (kept->by, kept->made);
  g_assert_true (g_str_has_prefix (signature, "Ann Example, "));
  g_assert_null (mt_document_get_undo_label (document));
  mt_document_dismiss (document, finding, NULL);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1000, 700);
  document = mt_window_get_document (window);
  mt_window_open (window, project);
  mt_app_wait (has_table, window);
  g_assert_null (mt_decisions_get_dismissal (mt_document_get_decisions (document), finding));
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

static gboolean
is_choosing (gpointer window)
{
  GtkWidget *chooser = mt_app_find_over (window, GTK_TYPE_FILE_CHOOSER_DIALOG);

  return chooser != NULL && gtk_widget_get_mapped (chooser);
}

static void
test_refused (void)
{
  g_autoptr (GFile) csv = mt_app_write ("kept.csv", text);
  g_autoptr (GFile) damaged = mt_app_write ("damaged.minterm", "this is no project");
  g_autoptr (GFile) model = mt_app_write ("damaged.json", "this is no model");
  GFile *refused[] = { damaged, model };
  MtWindow *window = mt_app_window_new (1000, 700);
  MtTable *before;

  mt_app_open (window, csv);
  before = mt_document_get_table (mt_window_get_document (window));
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      mt_window_open (window, refused[i]);
      mt_app_wait (dialog_shown, window);
      g_assert_true (mt_document_get_table (mt_window_get_document (window)) == before);
      mt_app_answer (window, "fix");   /* asks for another file */
      mt_app_wait (is_choosing, window);
      gtk_dialog_response (mt_app_find_over (window, GTK_TYPE_FILE_CHOOSER_DIALOG), GTK_RESPONSE_CANCEL);
      mt_app_settle (20);
    }
  mt_app_window_end (window);
}

/* Open in one window, the project is refused to a second until the first lets it go. */
static void
test_locked (void)
{
  g_autoptr (GFile) csv = mt_app_write ("locked.csv", text);
  g_autoptr (GFile) project = beside (csv, "locked.minterm");
  MtWindow *window = mt_app_window_new (1000, 700), *second = mt_app_window_new (900, 600);

  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  mt_window_open (second, project);
  mt_app_answer (second, "again");   /* still open: asked again */
  mt_app_settle (50);
  mt_app_wait (dialog_shown, second);
  g_assert_null (mt_document_get_table (mt_window_get_document (second)));
  mt_app_window_end (window);
  mt_app_answer (second, "again");
  mt_app_wait (has_table, second);
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (mt_window_get_document (second)), 2), ==, MT_ROLE_IGNORED);
  mt_app_window_end (second);
}

/* While it is open elsewhere, as in a sweep that still runs, a copy of what it holds can be opened; the project itself is
 * no place for the copy. */
static void
test_locked_copy (void)
{
  g_autoptr (GFile) csv = mt_app_write ("growing.csv", text);
  g_autoptr (GFile) project = beside (csv, "growing.minterm");
  g_autoptr (GFile) copy = beside (csv, "growing-copy.minterm");
  MtWindow *window = mt_app_window_new (1000, 700), *second = mt_app_window_new (900, 600);

  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  mt_window_open (second, project);
  mt_app_wait_asked (second);
  mt_window_open_copy (second, project);
  mt_app_settle (50);
  g_assert_null (mt_document_get_table (mt_window_get_document (second)));
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_FEATURE);   /* it is still the first one's */
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_app_wait (is_saved, window);
  mt_app_window_end (second);

  second = mt_app_window_new (900, 600);
  mt_window_open (second, project);
  mt_app_wait_asked (second);
  mt_window_open_copy (second, copy);
  mt_app_wait (has_table, second);
  mt_document_set_role (mt_window_get_document (second), 2, MT_ROLE_FEATURE);
  mt_app_wait (is_saved, second);
  mt_app_window_end (second);
  mt_app_window_end (window);
  g_assert_cmpint (role_in (project, 2), ==, MT_ROLE_IGNORED);
  g_assert_cmpint (role_in (copy, 2), ==, MT_ROLE_FEATURE);
}

static gboolean
says_changed (gpointer window)
{
  GtkWidget *button = mt_app_find (window, GTK_TYPE_BUTTON, "R_eload");

  return button != NULL && gtk_widget_get_mapped (button);
}

static gboolean
says_nothing (gpointer window)
{
  return !says_changed (window);
}

static gboolean
has_five_rows (gpointer window)
{
  return has_table (window) && mt_table_get_n_rows (mt_document_get_table (mt_window_get_document (window))) == 5;
}

/* A CSV that changes on disk is told of, while it is open and when its project is opened; what is shown
 * stays until one asks for the new. */
static void
test_source_changed (void)
{
  g_autoptr (GFile) csv = mt_app_write ("source.csv", text);
  g_autoptr (GFile) project = beside (csv, "source.minterm");
  g_autofree char *longer = g_strconcat (text, "Emmy,31,Berlin,yes\n", NULL);
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  g_assert_true (says_nothing (window));
  g_assert_true (g_file_set_contents (g_file_peek_path (csv), longer, -1, NULL));
  mt_app_wait (says_changed, window);
  g_assert_cmpuint (mt_table_get_n_rows (mt_document_get_table (mt_window_get_document (window))), ==, 4);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.reload", NULL);
  mt_app_wait (has_five_rows, window);
  mt_app_wait (says_nothing, window);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);

  g_assert_true (g_file_set_contents (g_file_peek_path (csv), text, -1, NULL));
  window = mt_app_window_new (1000, 700);
  mt_window_open (window, project);
  mt_app_wait (has_table, window);
  mt_app_wait (says_changed, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.dismiss-source", NULL);
  mt_app_wait (says_nothing, window);
  mt_app_window_end (window);
}

/* --- a CSV that goes and comes --- */

static gboolean
says_gone (gpointer window)
{
  GtkWidget *label = mt_app_find (window, GTK_TYPE_LABEL,
                                  "The file no longer exists. The previous version is shown.");

  return label != NULL && gtk_widget_get_mapped (label);
}

static gboolean
says_changed_on_disk (gpointer window)
{
  GtkWidget *label = mt_app_find (window, GTK_TYPE_LABEL,
                                  "The file has changed on disk. The previous version is shown.");

  return label != NULL && gtk_widget_get_mapped (label);
}

static void
test_source_gone (void)
{
  g_autoptr (GFile) csv = mt_app_write ("gone.csv", text);
  g_autofree char *longer = g_strconcat (text, "Emmy,31,Berlin,yes\n", NULL);
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  g_assert_true (says_nothing (window));
  g_assert_true (g_file_delete (csv, NULL, NULL));
  mt_app_wait (says_gone, window);
  g_assert_cmpuint (mt_table_get_n_rows (mt_document_get_table (mt_window_get_document (window))), ==, 4);
  g_assert_true (g_file_set_contents (g_file_peek_path (csv), longer, -1, NULL));
  mt_app_wait (says_changed_on_disk, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.reload", NULL);
  mt_app_wait (has_five_rows, window);
  mt_app_wait (says_nothing, window);
  mt_app_window_end (window);
}

static gboolean
has_failed (gpointer window)
{
  return mt_document_get_error (mt_window_get_document (window)) != NULL;
}

/* A project whose CSV has gone elsewhere is told where, and looks there from then on. */
static void
test_source_located (void)
{
  g_autoptr (GFile) csv = mt_app_write ("before.csv", text);
  g_autoptr (GFile) project = beside (csv, "located.minterm");
  g_autoptr (GFile) now = beside (csv, "after.csv");
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
  g_assert_true (g_file_move (csv, now, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));

  window = mt_app_window_new (1000, 700);
  mt_window_open (window, project);
  mt_app_wait (has_failed, window);
  mt_app_settle (50);
  g_assert_true (gtk_widget_get_mapped (mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "_Locate…")));
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "“before.csv” Not Found"));
  mt_window_locate (window, now);
  mt_app_wait (has_table, window);
  mt_app_wait (is_saved, window);
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (mt_window_get_document (window)), 2), ==, MT_ROLE_IGNORED);
  mt_app_window_end (window);
  g_assert_cmpint (role_in (project, 2), ==, MT_ROLE_IGNORED);
}

/* A project that cannot be written to is offered as a copy. */
static void
test_read_only (void)
{
  g_autoptr (GFile) csv = mt_app_write ("archived.csv", text);
  g_autoptr (GFile) project = beside (csv, "archived.minterm");
  g_autoptr (GFile) copy = beside (csv, "copy.minterm");
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
  mt_app_set_read_only (project, TRUE);
  window = mt_app_window_new (1000, 700);
  mt_window_open (window, project);
  mt_app_wait_asked (window);
  mt_app_set_read_only (project, FALSE);
  g_assert_cmpstr (adw_message_dialog_get_heading (ADW_MESSAGE_DIALOG (mt_app_find_question (window))), ==,
                   "Project Is Read-Only");
  mt_window_open_copy (window, copy);
  mt_app_wait (has_table, window);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_FEATURE);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
  g_assert_cmpint (role_in (project, 2), ==, MT_ROLE_IGNORED);
  g_assert_cmpint (role_in (copy, 2), ==, MT_ROLE_FEATURE);
}

/* --- no room --- */

static gboolean
says_unsaved (gpointer window)
{
  GtkWidget *button = mt_app_find (window, GTK_TYPE_BUTTON, "_Try Again");

  return button != NULL && gtk_widget_get_mapped (button);
}

static gboolean
says_saved (gpointer window)
{
  return !says_unsaved (window) && is_saved (window);
}

/* What cannot be written waits: in order, with all that came after it; and is written when there is room. */
static void
test_no_room_try_again (void)
{
  g_autoptr (GFile) csv = mt_app_write ("full.csv", text);
  g_autoptr (GFile) project = beside (csv, "full.minterm");
  MtWindow *window = mt_app_window_new (1000, 700);
  MtDocument *document = mt_window_get_document (window);

  mt_app_open (window, csv);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  mt_app_set_room (FALSE);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Saved as “full.minterm”"));
  mt_document_set_role (document, 2, MT_ROLE_IGNORED);
  mt_app_wait_asked (window);
  /* The disk has room, so no figures say that it has none; and nothing says that it is saved. */
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (mt_app_find_question (window))),
                            "file size limit"));
  mt_app_settle (500);
  g_assert_null (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Saved as “full.minterm”"));
  mt_app_answer (window, "again");        /* no room yet: asked again */
  mt_app_answer (window, "close");
  mt_app_wait (says_unsaved, window);
  mt_document_set_role (document, 0, MT_ROLE_IGNORED);
  mt_document_set_role (document, 2, MT_ROLE_FEATURE);
  mt_app_settle (50);
  g_assert_true (says_unsaved (window));
  /* It does not go without a word, and stays when it is told to. */
  gtk_window_close (GTK_WINDOW (window));
  mt_app_answer (window, "cancel");
  mt_app_set_room (TRUE);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.save", NULL);
  mt_app_wait (says_saved, window);
  mt_document_set_role (document, 1, MT_ROLE_IGNORED);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
  g_assert_cmpint (role_in (project, 0), ==, MT_ROLE_IGNORED);
  g_assert_cmpint (role_in (project, 1), ==, MT_ROLE_IGNORED);
  g_assert_cmpint (role_in (project, 2), ==, MT_ROLE_FEATURE);
}

/* Or it is saved where there is room: the old file is as it was, the new one has everything. */
/* What another program has put in the place of the project is not written over: one is told, and goes elsewhere. */
static void
test_replaced_on_disk (void)
{
  static const char * const other = "of another program";
  g_autoptr (GFile) csv = mt_app_write ("replaced.csv", text);
  g_autoptr (GFile) project = beside (csv, "replaced.minterm");
  g_autoptr (GFile) copy = beside (csv, "replaced-mine.minterm");
  g_autofree char *found = NULL;
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  g_assert_true (g_file_set_contents (g_file_peek_path (project), other, -1, NULL));
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_app_answer (window, "close");
  g_assert_true (says_unsaved (window));
  mt_window_save_as (window, copy);
  mt_app_wait (says_saved, window);
  mt_app_window_end (window);
  g_assert_true (g_file_get_contents (g_file_peek_path (project), &found, NULL, NULL));
  g_assert_cmpstr (found, ==, other);
  g_assert_cmpint (role_in (copy, 2), ==, MT_ROLE_IGNORED);
}

static void
test_no_room_save_as (void)
{
  g_autoptr (GFile) csv = mt_app_write ("elsewhere.csv", text);
  g_autoptr (GFile) project = beside (csv, "elsewhere.minterm");
  g_autoptr (GFile) other = beside (csv, "other.minterm");
  MtWindow *window = mt_app_window_new (1000, 700);
  MtDocument *document = mt_window_get_document (window);

  mt_app_open (window, csv);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  mt_app_set_room (FALSE);
  mt_document_set_role (document, 2, MT_ROLE_IGNORED);
  mt_app_answer (window, "close");
  mt_window_save_as (window, other);      /* no better place */
  mt_app_answer (window, "close");
  g_assert_true (says_unsaved (window));
  mt_app_set_room (TRUE);
  mt_window_save_as (window, other);
  mt_app_wait (says_saved, window);
  mt_app_window_end (window);
  g_assert_cmpint (role_in (project, 2), ==, MT_ROLE_FEATURE);
  g_assert_cmpint (role_in (other, 2), ==, MT_ROLE_IGNORED);
}

/* Work without a name, and no room for even that. */
static void
test_no_room_at_all (void)
{
  g_autoptr (GFile) csv = mt_app_write ("nowhere.csv", text);
  g_autoptr (GFile) project = beside (csv, "nowhere.minterm");
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  mt_app_set_room (FALSE);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_app_answer (window, "close");
  g_assert_true (says_unsaved (window));
  mt_app_set_room (TRUE);
  mt_window_save_as (window, project);
  mt_app_wait (says_saved, window);
  mt_app_window_end (window);
  g_assert_cmpint (role_in (project, 2), ==, MT_ROLE_IGNORED);
}

static gboolean
has_fitted (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL;
}

/* The model one looks at as its file. */
static char *
dup_model_file (MtWindow *window)
{
  MtSelectedModel *fitted = mt_study_get_fitted (mt_window_get_study (window));
  MtDocument *document = mt_window_get_document (window);
  MtImport *import = mt_document_get_import (document);
  g_autofree char *reading = mt_decisions_dup_arguments (mt_document_get_decisions (document), mt_import_get_table (import),
                                                         fitted->basis->table);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) model = mt_selected_model_make_model (fitted, import, reading, &error);

  g_assert_no_error (error);
  return mt_model_to_json (model, NULL);
}

/* A run that was read back gives the file that it gave before: settings, how the data were read, the test figure. */
static void
test_same_model (gconstpointer data)
{
  gboolean is_other = GPOINTER_TO_INT (data);      /* the target is not the column that is guessed */
  g_autoptr (GString) rows = g_string_new (is_other ? "a;b;level;kind\n" : "a;b;kind;level\n");
  g_autoptr (GFile) csv = NULL;
  g_autoptr (GFile) project = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  MtWindow *window = mt_app_window_new (1000, 700);

  for (guint i = 0; i < 120; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;

      const char *level = (a > 50 && kind == 1) != (i % 19 == 0) ? "high" : "low";

      if (is_other)
        g_string_append_printf (rows, "%u;%u;%s;k%u\n", a, b, level, kind);
      else
        g_string_append_printf (rows, "%u;%u;k%u;%s\n", a, b, kind, level);
    }
  csv = mt_app_write (is_other ? "same-other.csv" : "same.csv", rows->str);
  project = beside (csv, is_other ? "same-other.minterm" : "same.minterm");
  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), is_other ? 2 : 3, MT_ROLE_TARGET);
  mt_document_set_role (mt_window_get_document (window), 1, MT_ROLE_IGNORED);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
  mt_app_wait (has_fitted, window);
  before = dup_model_file (window);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);

  window = mt_app_window_new (1000, 700);
  mt_window_open (window, project);
  mt_app_wait (has_fitted, window);
  g_assert_null (mt_study_get_fitted (mt_window_get_study (window))->basis->frontier);
  after = dup_model_file (window);
  g_assert_cmpstr (after, ==, before);
  g_assert_nonnull (strstr (after, "\"part\": \"test\""));
  g_assert_nonnull (strstr (after, "\"reading\""));
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/project/round-trip", test_round_trip);
  g_test_add_func ("/app/project/refused", test_refused);
  g_test_add_func ("/app/project/locked", test_locked);
  g_test_add_func ("/app/project/locked-copy", test_locked_copy);
  g_test_add_func ("/app/project/source-changed", test_source_changed);
  g_test_add_func ("/app/project/source-gone", test_source_gone);
  g_test_add_func ("/app/project/source-located", test_source_located);
  g_test_add_func ("/app/project/read-only", test_read_only);
  g_test_add_func ("/app/project/no-room/try-again", test_no_room_try_again);
  g_test_add_func ("/app/project/no-room/save-as", test_no_room_save_as);
  g_test_add_func ("/app/project/replaced-on-disk", test_replaced_on_disk);
  g_test_add_func ("/app/project/no-room/at-all", test_no_room_at_all);
  g_test_add_data_func ("/app/project/same-model", GINT_TO_POINTER (FALSE), test_same_model);
  g_test_add_data_func ("/app/project/same-model/other-target", GINT_TO_POINTER (TRUE), test_same_model);
  return g_test_run ();
}
