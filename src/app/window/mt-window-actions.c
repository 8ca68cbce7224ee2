/* Everything the window can be told to do. Keys are in mt-application.c, menus in data/ui. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/mt-export-dialog.h"
#include "study/mt-selected-model-file.h"
#include "util/mt-format.h"
#include "frontier/mt-frontier-export.h"
#include "widgets/mt-next-step-button.h"
#include "document/mt-reason-notes.h"
#include "util/mt-samples.h"
#include "train/mt-train-export.h"

static void
on_file_chosen (GtkNativeDialog *dialog,
                int              response,
                MtWindow        *self)
{
  MtWindowFileFunc chosen = (MtWindowFileFunc) g_object_get_data (G_OBJECT (dialog), "chosen");
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (file != NULL)
    chosen (self, file);
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

void
_mt_window_choose_file (MtWindow             *self,
                        GtkFileChooserNative *dialog,
                        MtWindowFileFunc      chosen)
{
  g_object_set_data (G_OBJECT (dialog), "chosen", (gpointer) chosen);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_file_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
open_another (MtWindow *self,
              GFile    *file)
{
  _mt_window_leave (self, MT_SESSION_TO_FILE, file);
}

/* The CSV of a project, which is not where it was. */
static void
action_locate (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Locate the File"), GTK_WINDOW (widget),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));

  _mt_window_choose_file (MT_WINDOW (widget), dialog, mt_window_locate);
}

void
_mt_window_ask_another (MtWindow   *self,
                        const char *kind)
{
  static const char * const suffixes[] = {
    "csv", "tsv", "txt", "gz", "zst", "xlsx", "ods", "sqlite", "sqlite3", "db", "duckdb", "parquet",
  };
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Open a File"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  g_autoptr (GtkFileFilter) tables = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (tables, _("Tables, projects, and models"));
  gtk_file_filter_add_suffix (tables, "minterm");
  gtk_file_filter_add_suffix (tables, "json");
  gtk_file_filter_add_mime_type (tables, "text/csv");
  gtk_file_filter_add_mime_type (tables, "text/tab-separated-values");
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    gtk_file_filter_add_suffix (tables, suffixes[i]);
  gtk_file_filter_set_name (all, _("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), tables);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), all);
  _mt_window_choose_file (self, dialog, open_another);
}

static void
action_open (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  _mt_window_ask_another (MT_WINDOW (widget), NULL);
}

static void
action_open_uri (GtkWidget  *widget,
                 const char *name,
                 GVariant   *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (uri, NULL));

  open_another (MT_WINDOW (widget), file);
}

static void
action_open_sample (GtkWidget  *widget,
                    const char *name,
                    GVariant   *sample)
{
  g_autoptr (GFile) file = mt_samples_get_file (g_variant_get_string (sample, NULL));

  open_another (MT_WINDOW (widget), file);
}

static void
action_close_file (GtkWidget  *widget,
                   const char *name,
                   GVariant   *parameter)
{
  _mt_window_leave (MT_WINDOW (widget), MT_SESSION_TO_NOTHING, NULL);
}

static void
action_dismiss_source (GtkWidget  *widget,
                       const char *name,
                       GVariant   *parameter)
{
  gtk_revealer_set_reveal_child (MT_WINDOW (widget)->source_strip, FALSE);
}

static void
action_recover (GtkWidget  *widget,
                const char *name,
                GVariant   *parameter)
{
  _mt_window_recover (MT_WINDOW (widget));
}

static void
action_recover_later (GtkWidget  *widget,
                      const char *name,
                      GVariant   *parameter)
{
  _mt_window_recover_later (MT_WINDOW (widget));
}

static void
action_discard_recoverable (GtkWidget  *widget,
                            const char *name,
                            GVariant   *parameter)
{
  _mt_window_discard_recoverable (MT_WINDOW (widget));
}

static void
action_reload (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  mt_document_reload (MT_WINDOW (widget)->document);
}

static gboolean shows_report (MtWindow *self);

static void
action_cancel (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);

  if (mt_document_is_loading (self->document))
    mt_document_cancel (self->document);
  else if (!shows_report (self) || !mt_report_page_cancel (self->report_page))
    mt_study_stop (self->study);
}

static void
action_save (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);

  switch (mt_session_get_place (self->session))
    {
    case MT_SESSION_FAILED:
      mt_session_retry (self->session);
      break;
    case MT_SESSION_NAMED:
      adw_toast_overlay_add_toast (self->toasts, adw_toast_new (_("All changes are saved automatically")));
      break;
    case MT_SESSION_NOWHERE:
    case MT_SESSION_UNNAMED:
    case MT_SESSION_RECOVERED:
    default:
      _mt_window_ask_project (self, mt_window_save_as);
    }
}

static void
action_save_as (GtkWidget  *widget,
                const char *name,
                GVariant   *parameter)
{
  _mt_window_ask_project (MT_WINDOW (widget), mt_window_save_as);
}

/* Shows a toast if these settings were already trained. */
static void
train (MtWindow        *self,
       const MtSweepGrid *grid)
{
  guint n = grid != NULL ? mt_sweep_grid_count (grid) : 1;
  guint n_queued = mt_study_train (self->study, mt_document_get_table (self->document),
                                   mt_model_page_get_settings (self->model_page), grid);
  g_autofree char *text = NULL;

  adw_view_stack_set_visible_child_name (self->pages, "train");
  if (n_queued == 0 && !mt_study_is_running (self->study))
    text = g_strdup (_("Already trained with these settings; the result would be identical"));
  else if (n_queued > 0 && n_queued < n)
    text = g_strdup_printf (ngettext ("%u run is already trained and will not be repeated",
                                      "%u runs are already trained and will not be repeated", n - n_queued), n - n_queued);
  if (text != NULL)
    adw_toast_overlay_add_toast (self->toasts, adw_toast_new (text));
}

static void
action_train (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  train (MT_WINDOW (widget), NULL);
}

static void
action_sweep (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  train (MT_WINDOW (widget), mt_model_page_get_grid (MT_WINDOW (widget)->model_page));
}

static void
action_resume (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  mt_study_resume (MT_WINDOW (widget)->study);
}

static void
action_use_cpu (GtkWidget  *widget,
                const char *name,
                GVariant   *parameter)
{
  mt_study_use_cpu (MT_WINDOW (widget)->study);
}

typedef struct {
  MtWindow        *window;   /* borrowed: the dialog does not outlive it */
  MtWindowFixFunc  fix;
  char            *kind;
} Remedy;

static void
remedy_free (gpointer  data,
             GClosure *closure)
{
  Remedy *remedy = data;

  g_free (remedy->kind);
  g_free (remedy);
}

static void
on_failure_answered (AdwMessageDialog *dialog,
                     const char       *response,
                     Remedy           *remedy)
{
  if (g_str_equal (response, "fix"))
    remedy->fix (remedy->window, remedy->kind);
}

void
_mt_window_show_failure (MtWindow        *self,
                         const char      *heading,
                         const GError    *error,
                         const char      *label,
                         MtWindowFixFunc  fix,
                         const char      *kind)
{
  g_autofree char *why = mt_format_paragraph (error->message);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (GTK_WINDOW (self), heading, why));

  adw_message_dialog_add_response (dialog, "close", _("_Close"));
  adw_message_dialog_set_close_response (dialog, "close");
  if (label != NULL)
    {
      Remedy *remedy = g_new0 (Remedy, 1);

      *remedy = (Remedy) { .window = self, .fix = fix, .kind = g_strdup (kind) };
      adw_message_dialog_add_response (dialog, "fix", label);
      adw_message_dialog_set_response_appearance (dialog, "fix", ADW_RESPONSE_SUGGESTED);
      adw_message_dialog_set_default_response (dialog, "fix");
      g_signal_connect_data (dialog, "response", G_CALLBACK (on_failure_answered), remedy, remedy_free, 0);
    }
  gtk_window_present (GTK_WINDOW (dialog));
}

/* @ask: for another place. */
static void
tell_exported (MtWindow         *self,
               GFile            *file,
               const GError     *error,
               MtWindowFixFunc  ask,
               const char       *kind)
{
  if (error == NULL)
    _mt_window_tell_saved (self, file);
  else
    _mt_window_show_failure (self, _("File Not Saved"), error, _("Choose _Another Location…"), ask, kind);
}

typedef struct {
  MtWindow *window;
  GFile    *file;
  char     *kind;
} Exporting;

static void
ask_export (MtWindow   *self,
            const char *kind)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save Frontier"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  g_autofree char *name = g_strconcat ("frontier.", kind, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  _mt_window_choose_file (self, dialog, mt_window_export);
}

static void
on_exported (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  Exporting *exporting = data;
  g_autoptr (MtWindow) self = exporting->window;
  g_autoptr (GFile) file = exporting->file;
  g_autofree char *kind = exporting->kind;
  g_autoptr (GError) error = NULL;
  gboolean written = mt_frontier_export_finish (result, &error);

  g_free (exporting);
  if (self->document != NULL)   /* else the window is gone */
    tell_exported (self, file, written ? NULL : error, ask_export, kind);
}

/* The end of a file's name, as it was asked for. */
static char *
dup_kind (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  const char *dot = name != NULL ? strrchr (name, '.') : NULL;

  return g_strdup (dot != NULL ? dot + 1 : "svg");
}

void
mt_window_export (MtWindow *self,
                  GFile    *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *kind = dup_kind (file);
  const char *path = g_file_peek_path (file);

  g_return_if_fail (MT_IS_WINDOW (self));

  if (path == NULL)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("Choose a folder on this computer"));
  else if (mt_open_files_check (file, MT_N_OPEN_KINDS, &error))
    {
      Exporting *exporting = g_new0 (Exporting, 1);

      *exporting = (Exporting) { .window = g_object_ref (self), .file = g_object_ref (file),
                                  .kind = g_steal_pointer (&kind) };
      mt_frontier_page_export_async (self->frontier_page, path, NULL, on_exported, exporting);
      return;
    }
  tell_exported (self, file, error, ask_export, kind);
}

static void
ask_charts (MtWindow   *self,
            const char *kind)
{
  g_autoptr (GPtrArray) charts = mt_train_page_copy_charts (self->train_page);
  GtkFileChooserNative *dialog;

  if (charts->len == 0)
    return;   /* nothing to draw */
  dialog = gtk_file_chooser_native_new (_("Save Charts"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE,
                                        _("_Save"), _("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "training.svg");
  _mt_window_choose_file (self, dialog, mt_window_export_charts);
}

static void
on_charts_exported (GObject      *source,
                    GAsyncResult *result,
                    gpointer      data)
{
  Exporting *exporting = data;
  g_autoptr (MtWindow) self = exporting->window;
  g_autoptr (GFile) file = exporting->file;
  g_autoptr (GError) error = NULL;
  gboolean written = mt_train_export_finish (result, &error);

  g_free (exporting);
  if (self->document != NULL)
    tell_exported (self, file, written ? NULL : error, ask_charts, NULL);
}

void
mt_window_export_charts (MtWindow *self,
                         GFile    *file)
{
  g_autoptr (GPtrArray) charts = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (MT_IS_WINDOW (self));

  charts = mt_train_page_copy_charts (self->train_page);
  if (g_file_peek_path (file) == NULL)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("Choose a folder on this computer"));
  if (error != NULL || !mt_open_files_check (file, MT_N_OPEN_KINDS, &error))
    tell_exported (self, file, error, ask_charts, NULL);
  else if (charts->len > 0)
    {
      Exporting *exporting = g_new0 (Exporting, 1);

      *exporting = (Exporting) { .window = g_object_ref (self), .file = g_object_ref (file) };
      mt_train_export_async (g_file_peek_path (file), g_steal_pointer (&charts), on_charts_exported, exporting);
    }
}

static gboolean
shows_train (MtWindow *self)
{
  return adw_view_stack_get_visible_child (self->pages) == GTK_WIDGET (self->train_page);
}

static gboolean
shows_rules (MtWindow *self)
{
  return adw_view_stack_get_visible_child (self->pages) == GTK_WIDGET (self->rules_page);
}

static gboolean
shows_report (MtWindow *self)
{
  return adw_view_stack_get_visible_child (self->pages) == GTK_WIDGET (self->report_page);
}

static void ask_rules (MtWindow *self, const char *kind);

static void
on_picture_saved (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GError) error = NULL;
  gboolean saved = mt_rules_page_export_finish (result, &error);

  if (self->document == NULL)
    return;   /* the window is gone */
  if (saved)
    adw_toast_overlay_add_toast (self->toasts, adw_toast_new (_("Picture saved")));
  else
    _mt_window_show_failure (self, _("Picture Not Saved"), error, _("Choose _Another Location…"), ask_rules,
                             NULL);
}

void
mt_window_export_picture (MtWindow *self,
                          GFile    *file)
{
  const char *path = g_file_peek_path (file);
  g_autofree char *drawn = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (MT_IS_WINDOW (self));

  if (path == NULL)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("Choose a folder on this computer"));
  else if (mt_open_files_check (file, MT_N_OPEN_KINDS, &error))
    {
      drawn = mt_rules_page_dup_picture_name (self->rules_page);
      if (drawn != NULL)   /* else there is nothing any more */
        mt_rules_page_export_async (self->rules_page, path, on_picture_saved, g_object_ref (self));
      return;
    }
  _mt_window_show_failure (self, _("Picture Not Saved"), error, _("Choose _Another Location…"), ask_rules, NULL);
}

static void
ask_rules (MtWindow   *self,
           const char *kind)
{
  g_autofree char *suggested = mt_rules_page_dup_picture_name (self->rules_page);
  GtkFileChooserNative *dialog;

  if (suggested == NULL)
    return;   /* nothing to draw */
  dialog = gtk_file_chooser_native_new (_("Save Picture"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE,
                                        _("_Save"), _("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), suggested);
  _mt_window_choose_file (self, dialog, mt_window_export_picture);
}

static void
action_export (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  if (shows_train (MT_WINDOW (widget)))
    ask_charts (MT_WINDOW (widget), NULL);
  else if (shows_report (MT_WINDOW (widget)))
    mt_report_page_ask_file (MT_WINDOW (widget)->report_page, TRUE);
  else if (shows_rules (MT_WINDOW (widget)))
    ask_rules (MT_WINDOW (widget), NULL);
  else
    ask_export (MT_WINDOW (widget), "svg");
}

static void
action_export_frontier (GtkWidget  *widget,
                        const char *name,
                        GVariant   *kind)
{
  ask_export (MT_WINDOW (widget), g_variant_get_string (kind, NULL));
}

static void
on_export_checked (MtWindow             *self,
                   const MtVerifyReport *report)
{
  mt_report_page_take_check (self->report_page, report);
}

/* What engines said of a model is said here and in the report, wherever they were asked. */
static void
show_export (MtWindow     *self,
             MtModel      *model,
             MtTable      *data,
             const GError *error)
{
  const MtVerifyReport *known;
  g_autofree char *json = NULL;
  g_autofree char *sha256 = NULL;
  MtExportDialog *dialog;
  gsize length;

  if (model == NULL)
    {
      _mt_window_show_failure (self, _("Model Not Exported"), error, NULL, NULL, NULL);
      return;
    }
  json = mt_model_to_json (model, &length);
  sha256 = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length);
  known = mt_report_page_find_check (self->report_page, sha256);
  dialog = mt_export_dialog_new (GTK_WINDOW (self), model, data);
  if (known != NULL)
    mt_export_dialog_add_known (dialog, known);
  g_signal_connect_object (dialog, "checked", G_CALLBACK (on_export_checked), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_model_made (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) made = mt_selected_model_make_model_finish (result, &error);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtSelectedModel) fitted = g_steal_pointer (&self->exporting);

  if (self->document == NULL)
    return;   /* the window is gone */
  if (made != NULL)
    model = mt_reason_notes_apply (mt_document_get_note (self->document, MT_NOTE_REASONS), made, &error);
  show_export (self, model, fitted->basis->table, error);
}

/* The model one looks at, in another language. */
static void
action_export_model (GtkWidget  *widget,
                     const char *name,
                     GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);
  MtSelectedModel *fitted = mt_study_get_fitted (self->study);

  if (mt_session_get_model (self->session) != NULL)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MtModel) model = _mt_window_dup_model (self, &error);

      show_export (self, model, NULL, error);
    }
  else if (fitted != NULL && self->exporting == NULL && mt_document_get_import (self->document) != NULL)
    {
      self->exporting = mt_selected_model_ref (fitted);
      mt_selected_model_make_model_async (fitted, mt_document_get_import (self->document),
                                          mt_document_get_decisions (self->document), on_model_made, g_object_ref (self));
    }
}

/* The whole model goes on paper, and the report. */
static void
action_print (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);

  if (shows_rules (self))
    gtk_widget_activate_action (GTK_WIDGET (self->rules_page), "rules.print", NULL);
  else if (shows_report (self))
    gtk_widget_activate_action (GTK_WIDGET (self->report_page), "report.print", NULL);
}

/* With whatever the desktop has for it. */
static void
action_show_file (GtkWidget  *widget,
                  const char *name,
                  GVariant   *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (path, NULL));
  g_autofree char *uri = g_file_get_uri (file);

  gtk_show_uri (GTK_WINDOW (widget), uri, GDK_CURRENT_TIME);
}

static void
action_undo (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);
  g_autofree char *label = NULL;

  mt_report_page_flush (self->report_page);
  label = g_strdup (mt_document_get_undo_label (self->document));
  mt_document_undo (self->document);
  /* Translators: %s is what was undone, such as: Role of “Age” */
  _mt_window_tell_step (self, _("Undone: %s"), label);
}

static void
action_redo (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);
  g_autofree char *label = g_strdup (mt_document_get_redo_label (self->document));

  mt_document_redo (self->document);
  _mt_window_tell_step (self, _("Redone: %s"), label);
}

/* Whether there is something to look through on the page on show. */
static gboolean
can_find (MtWindow *self)
{
  GtkWidget *page = adw_view_stack_get_visible_child (self->pages);

  if (page == GTK_WIDGET (self->rules_page))
    return mt_rules_page_get_book (self->rules_page) != NULL;
  return page == GTK_WIDGET (self->data_page) && mt_document_get_table (self->document) != NULL;
}

static void
action_find (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);

  if (shows_rules (self))
    mt_rules_page_find (self->rules_page);
  else
    mt_data_page_find (self->data_page);
}

static void
action_toggle_inspector (GtkWidget  *widget,
                         const char *name,
                         GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);

  gtk_toggle_button_set_active (self->inspector, !gtk_toggle_button_get_active (self->inspector));
  _mt_window_remember_inspector (self);
}

static void
action_show_page (GtkWidget  *widget,
                  const char *name,
                  GVariant   *page)
{
  MtWindow *self = MT_WINDOW (widget);
  GtkWidget *child = adw_view_stack_get_child_by_name (self->pages, g_variant_get_string (page, NULL));

  if (child != NULL && adw_view_stack_page_get_visible (adw_view_stack_get_page (self->pages, child)))
    adw_view_stack_set_visible_child (self->pages, child);
}

/* A step's name in the tooltip, or the bare word when there is none. */
static void
describe_step (GtkButton  *button,
               const char *format,
               const char *bare,
               const char *label)
{
  g_autofree char *text = NULL;

  if (label != NULL)
    {
      GString *full = g_string_new (format);

      g_string_replace (full, "%s", label, 1);
      text = g_string_free (full, FALSE);
    }
  /* Setting a tooltip asks the display where the pointer is, and waits for the answer. */
  if (g_strcmp0 (gtk_widget_get_tooltip_text (GTK_WIDGET (button)), text != NULL ? text : bare) != 0)
    gtk_widget_set_tooltip_text (GTK_WIDGET (button), text != NULL ? text : bare);
}

/* What the key saves depends on the page, and so do the words in the menu. */
static const char *
name_export (MtWindow *self)
{
  return shows_train (self) ? _("Save _Picture of the Curves…")
         : shows_rules (self) ? _("Save _Picture of the Rules…")
         : shows_report (self) ? _("Save Re_port…") : _("Save Frontier _Plot…");
}

static void
label_export (MtWindow *self)
{
  const char *label = name_export (self);
  GMenuModel *section = G_MENU_MODEL (self->page_section);

  for (int i = 0; i < g_menu_model_get_n_items (section); i++)
    {
      g_autofree char *action = NULL;
      g_autofree char *now = NULL;

      if (!g_menu_model_get_item_attribute (section, i, G_MENU_ATTRIBUTE_ACTION, "s", &action) ||
          !g_str_equal (action, "win.export") ||
          !g_menu_model_get_item_attribute (section, i, G_MENU_ATTRIBUTE_LABEL, "s", &now) || g_str_equal (now, label))
        continue;
      g_menu_remove (self->page_section, i);
      g_menu_insert (self->page_section, i, label, "win.export");
      return;
    }
}

void
_mt_window_update_actions (MtWindow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean loading = mt_document_is_loading (self->document);
  gboolean open = mt_document_get_table (self->document) != NULL;
  gboolean failed = mt_document_get_error (self->document) != NULL;
  gboolean running = mt_study_is_running (self->study);
  MtNextStep step = mt_next_step_find_first (self->document);
  gboolean ready = open && !loading && step == MT_NEXT_TRAIN;
  const char *undo = mt_document_get_undo_label (self->document);
  const char *redo = mt_document_get_redo_label (self->document);

  gtk_widget_action_set_enabled (widget, "win.close-file", open || failed || mt_session_get_model (self->session) != NULL);
  gtk_widget_action_set_enabled (widget, "win.reload", (open || failed) && !loading);
  gtk_widget_action_set_enabled (widget, "win.cancel", loading || running ||
                                 (shows_report (self) && mt_report_page_can_cancel (self->report_page)));
  gtk_widget_action_set_enabled (widget, "win.train", ready);
  gtk_widget_action_set_enabled (widget, "win.sweep", ready && mt_sweep_grid_count (mt_model_page_get_grid (self->model_page)) > 1);
  _mt_window_explain_train (self, step);
  if (mt_study_get_last (self->study) != NULL)
    mt_data_page_accept_target (self->data_page);
  gtk_widget_action_set_enabled (widget, "win.export", shows_train (self) ? mt_train_page_has_charts (self->train_page)
                                 : mt_study_get_selected (self->study) != NULL || mt_session_get_model (self->session) != NULL);
  label_export (self);
  gtk_widget_action_set_enabled (widget, "win.print", (shows_rules (self) || shows_report (self)) &&
                                 (mt_study_get_selected (self->study) != NULL || mt_session_get_model (self->session) != NULL));
  gtk_widget_action_set_enabled (widget, "win.predict",
                                 mt_session_get_model (self->session) != NULL || mt_study_get_selected (self->study) != NULL);
  gtk_widget_action_set_enabled (widget, "win.export-model",
                                 mt_session_get_model (self->session) != NULL || mt_study_get_selected (self->study) != NULL);
  gtk_widget_action_set_enabled (widget, "win.export-frontier", mt_study_get_selected (self->study) != NULL);
  gtk_widget_action_set_enabled (widget, "win.undo", (open || mt_session_get_model (self->session) != NULL) && !loading && undo != NULL);
  gtk_widget_action_set_enabled (widget, "win.redo", (open || mt_session_get_model (self->session) != NULL) && !loading && redo != NULL);
  _mt_window_update_edit (self);
  _mt_window_update_results (self);
  gtk_widget_action_set_enabled (widget, "win.find", can_find (self));
  gtk_widget_action_set_enabled (widget, "win.save", open);
  gtk_widget_action_set_enabled (widget, "win.save-as", open);
  gtk_widget_action_set_enabled (widget, "win.toggle-inspector", (open || failed || mt_session_get_model (self->session) != NULL) && _mt_window_has_pane (self));
  _mt_window_update_header (self);
  /* Translators: %s is what would be undone, such as: Role of “Age” */
  describe_step (self->undo, _("Undo %s"), _("Undo"), undo);
  describe_step (self->redo, _("Redo %s"), _("Redo"), redo);
}

void
_mt_window_class_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.open", NULL, action_open);
  gtk_widget_class_install_action (widget_class, "win.open-uri", "s", action_open_uri);
  gtk_widget_class_install_action (widget_class, "win.open-sample", "s", action_open_sample);
  gtk_widget_class_install_action (widget_class, "win.close-file", NULL, action_close_file);
  gtk_widget_class_install_action (widget_class, "win.reload", NULL, action_reload);
  gtk_widget_class_install_action (widget_class, "win.locate", NULL, action_locate);
  gtk_widget_class_install_action (widget_class, "win.dismiss-source", NULL, action_dismiss_source);
  gtk_widget_class_install_action (widget_class, "win.recover", NULL, action_recover);
  gtk_widget_class_install_action (widget_class, "win.recover-later", NULL, action_recover_later);
  gtk_widget_class_install_action (widget_class, "win.discard-recoverable", NULL, action_discard_recoverable);
  gtk_widget_class_install_action (widget_class, "win.cancel", NULL, action_cancel);
  gtk_widget_class_install_action (widget_class, "win.save", NULL, action_save);
  gtk_widget_class_install_action (widget_class, "win.save-as", NULL, action_save_as);
  gtk_widget_class_install_action (widget_class, "win.train", NULL, action_train);
  gtk_widget_class_install_action (widget_class, "win.sweep", NULL, action_sweep);
  gtk_widget_class_install_action (widget_class, "win.resume", NULL, action_resume);
  gtk_widget_class_install_action (widget_class, "win.use-cpu", NULL, action_use_cpu);
  gtk_widget_class_install_action (widget_class, "win.export", NULL, action_export);
  gtk_widget_class_install_action (widget_class, "win.export-model", NULL, action_export_model);
  _mt_window_class_install_paste_action (widget_class);
  _mt_window_class_install_predict_action (widget_class);
  gtk_widget_class_install_action (widget_class, "win.export-frontier", "s", action_export_frontier);
  gtk_widget_class_install_action (widget_class, "win.print", NULL, action_print);
  gtk_widget_class_install_action (widget_class, "win.show-file", "s", action_show_file);
  gtk_widget_class_install_action (widget_class, "win.undo", NULL, action_undo);
  gtk_widget_class_install_action (widget_class, "win.redo", NULL, action_redo);
  _mt_window_class_install_edit_actions (widget_class);
  _mt_window_class_install_results_actions (widget_class);
  gtk_widget_class_install_action (widget_class, "win.find", NULL, action_find);
  gtk_widget_class_install_action (widget_class, "win.toggle-inspector", NULL, action_toggle_inspector);
  gtk_widget_class_install_action (widget_class, "win.show-page", "s", action_show_page);
}
