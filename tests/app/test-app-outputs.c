/* No save in the window replaces the file that something open comes from: by its name, by a link of either kind. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "apputils.h"
#include "document/mt-open-files.h"
#include "report/mt-export-dialog.h"
#include "report/mt-report-page.h"

static MtWindow *
open_trained (GFile **data)
{
  g_autoptr (GString) text = g_string_new ("a,b,level\n");
  MtWindow *window = mt_app_window_new (1100, 760);

  for (guint i = 0; i < 120; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i * 37 % 101, i * 53 % 89, i * 37 % 101 > 50 ? "high" : "low");
  *data = mt_app_write ("rows.csv", text->str);
  mt_app_train (window, *data, "level");
  return window;
}

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

/* A further name of @file with the given end. */
static GFile *
link_to (GFile      *file,
         const char *suffix,
         gboolean    symbolic)
{
  g_autofree char *path = g_strconcat (g_file_peek_path (file), symbolic ? "-s" : "-h", suffix, NULL);

  g_unlink (path);
  g_assert_cmpint (symbolic ? symlink (g_file_peek_path (file), path) : link (g_file_peek_path (file), path), ==, 0);
  return g_file_new_for_path (path);
}

static gboolean
has_message (gpointer window)
{
  return mt_app_find_over (window, ADW_TYPE_MESSAGE_DIALOG) != NULL;
}

/* It is said, and @kept is what it was. */
static void
assert_refused (gpointer    window,
                GFile      *kept,
                const char *before,
                gsize       length)
{
  g_autofree char *after = NULL;
  GtkWindow *message;
  gsize n;

  mt_app_wait (has_message, window);
  message = mt_app_find_over (window, ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (message)), "hoose another name"));
  gtk_window_close (message);
  mt_app_settle (40);
  g_assert_true (g_file_get_contents (g_file_peek_path (kept), &after, &n, NULL));
  if (g_str_has_prefix (before, "SQLite format 3"))    /* a project goes on being written to */
    g_assert_true (g_str_has_prefix (after, "SQLite format 3"));
  else
    g_assert_cmpmem (after, n, before, length);
}

static gboolean
has_report (gpointer page)
{
  return !mt_report_page_is_busy (page);
}

/* Everything that the window saves, over @kept; @as_project: a project may not take its place either. */
static void
try_all (MtWindow *window,
         GFile    *kept,
         gboolean  as_project)
{
  MtReportPage *report = MT_REPORT_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_REPORT_PAGE, NULL));
  g_autofree char *before = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_file_peek_path (kept), &before, &length, NULL));
  for (guint symbolic = 0; symbolic < 2; symbolic++)
    {
      g_autoptr (GFile) svg = link_to (kept, ".svg", symbolic);
      g_autoptr (GFile) csv = link_to (kept, ".csv", symbolic);
      g_autoptr (GFile) pdf = link_to (kept, ".pdf", symbolic);
      g_autoptr (GFile) html = link_to (kept, ".html", symbolic);
      g_autoptr (GFile) project = link_to (kept, ".minterm", symbolic);
      MtExportDialog *dialog;

      mt_window_export (window, svg);
      assert_refused (window, kept, before, length);
      mt_window_export (window, csv);
      assert_refused (window, kept, before, length);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train"));
      mt_window_export_charts (window, svg);
      assert_refused (window, kept, before, length);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules"));
      mt_app_settle (60);
      mt_window_export_picture (window, svg);
      assert_refused (window, kept, before, length);
      if (as_project)
        {
          mt_window_save_as (window, project);
          assert_refused (window, kept, before, length);
          mt_window_save_as (window, kept);
          assert_refused (window, kept, before, length);
        }
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report"));
      mt_app_wait (has_report, report);
      mt_report_page_save (report, pdf);
      assert_refused (window, kept, before, length);
      mt_report_page_save (report, html);
      assert_refused (window, kept, before, length);
      dialog = mt_app_open_export (window);
      for (guint f = 0; f < MT_N_EXPORT_FORMATS; f++)
        {
          mt_export_dialog_set_format (dialog, f, MT_SQL_SQLITE);
          mt_export_dialog_save (dialog, kept);
          assert_refused (dialog, kept, before, length);
        }
      gtk_window_close (GTK_WINDOW (dialog));
      g_unlink (g_file_peek_path (svg));
      g_unlink (g_file_peek_path (csv));
      g_unlink (g_file_peek_path (pdf));
      g_unlink (g_file_peek_path (html));
      g_unlink (g_file_peek_path (project));
    }
}

static void
test_window (void)
{
  g_autoptr (GFile) data = NULL;
  MtWindow *window = open_trained (&data);
  g_autoptr (GFile) project = mt_app_write ("work.minterm", "");

  try_all (window, data, TRUE);
  g_unlink (g_file_peek_path (project));
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  try_all (window, project, FALSE);
  mt_window_save_as (window, project);     /* a project may */
  mt_app_wait (is_saved, window);
  g_assert_null (mt_app_find_over (window, ADW_TYPE_MESSAGE_DIALOG));
  mt_app_window_end (window);
}

static gboolean
is_idle (gpointer dialog)
{
  return !mt_export_dialog_is_busy (dialog);
}

/* A model opened by itself: its own kind may replace it, nothing else. */
static void
test_model (void)
{
  g_autoptr (GFile) data = NULL;
  g_autoptr (GFile) model = mt_app_write ("model.json", "");
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  MtWindow *window = open_trained (&data);
  MtExportDialog *dialog = mt_app_open_export (window);
  gsize length;

  mt_export_dialog_set_format (dialog, MT_EXPORT_JSON, MT_SQL_SQLITE);
  mt_export_dialog_save (dialog, model);
  mt_app_wait (is_idle, dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  mt_app_window_end (window);

  window = mt_app_window_new (1100, 760);
  mt_app_open (window, model);
  g_assert_true (g_file_get_contents (g_file_peek_path (model), &before, &length, NULL));
  mt_window_export_picture (window, model);
  assert_refused (window, model, before, length);
  dialog = mt_app_open_export (window);
  mt_export_dialog_set_format (dialog, MT_EXPORT_SQL, MT_SQL_SQLITE);
  mt_export_dialog_save (dialog, model);
  assert_refused (dialog, model, before, length);
  mt_export_dialog_set_format (dialog, MT_EXPORT_JSON, MT_SQL_SQLITE);
  mt_export_dialog_save (dialog, model);
  mt_app_wait (is_idle, dialog);
  g_assert_null (mt_app_find_over (dialog, ADW_TYPE_MESSAGE_DIALOG));
  gtk_window_close (GTK_WINDOW (dialog));
  mt_app_window_end (window);
  g_assert_true (mt_open_files_check (model, MT_N_OPEN_KINDS, &error));   /* nothing has it open any more */
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/outputs/window", test_window);
  g_test_add_func ("/app/outputs/model", test_model);
  return g_test_run ();
}
