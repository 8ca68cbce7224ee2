/* Results of other methods, imported to be shown on the Frontier page. The file is read on another thread; what it says
 * becomes a note of the document: one step that can be undone, and kept in the project. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

static void
ask_results (MtWindow   *self,
             const char *kind)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Import Results"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, _("_Import"), _("_Cancel"));
  g_autoptr (GtkFileFilter) tables = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (tables, _("CSV with the columns method, literals, score, error"));
  gtk_file_filter_add_suffix (tables, "csv");
  gtk_file_filter_add_suffix (tables, "tsv");
  gtk_file_filter_add_suffix (tables, "txt");
  gtk_file_filter_set_name (all, _("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), tables);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), all);
  _mt_window_choose_file (self, dialog, mt_window_import_results);
}

static void
read_results (GTask        *task,
              gpointer      source,
              gpointer      file,
              GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) results = mt_results_read (file, cancellable, &error);

  if (results == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, mt_results_to_text (results), g_free);
}

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  MtWindow *self = MT_WINDOW (source);
  g_autoptr (GFile) asked_for = data;   /* the table that was open then; NULL: none */
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->document == NULL || mt_document_get_file (self->document) != asked_for)
    return;   /* the window is gone, or shows another file */
  if (text == NULL)
    {
      _mt_window_show_failure (self, _("Results Not Imported"), error, _("Choose _Another File…"), ask_results, NULL);
      return;
    }
  /* Translators: after "Undo" */
  mt_document_set_note (self->document, MT_NOTE_RESULTS, text, _("Import Results"));
}

void
mt_window_import_results (MtWindow *self,
                          GFile    *file)
{
  g_autoptr (GTask) task = NULL;
  GFile *open = NULL;

  g_return_if_fail (MT_IS_WINDOW (self) && G_IS_FILE (file));

  open = mt_document_get_file (self->document);
  task = g_task_new (self, NULL, on_read, open != NULL ? g_object_ref (open) : NULL);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, read_results);
}

static void
action_import_results (GtkWidget  *widget,
                       const char *name,
                       GVariant   *parameter)
{
  ask_results (MT_WINDOW (widget), NULL);
}

static void
action_remove_results (GtkWidget  *widget,
                       const char *name,
                       GVariant   *parameter)
{
  /* Translators: after "Undo" */
  mt_document_set_note (MT_WINDOW (widget)->document, MT_NOTE_RESULTS, NULL, _("Remove Results"));
}

void
_mt_window_class_install_results_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.import-results", NULL, action_import_results);
  gtk_widget_class_install_action (widget_class, "win.remove-results", NULL, action_remove_results);
}

void
_mt_window_update_results (MtWindow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget, "win.import-results", mt_document_get_table (self->document) != NULL);
  gtk_widget_action_set_enabled (widget, "win.remove-results", mt_document_get_note (self->document, MT_NOTE_RESULTS) != NULL);
}
