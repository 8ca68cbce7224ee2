/* The export dialog: choose a language, see in which engines of this machine it was proven,
 * save it. See mt-export-dialog.h. */
#include "config.h"
#include "mt-export-dialog.h"

#include <glib/gi18n.h>

#include "document/mt-open-files.h"
#include "util/mt-toast.h"

struct _MtExportDialog {
  AdwWindow        parent_instance;

  /* borrowed */
  AdwComboRow     *format_row;
  AdwComboRow     *dialect_row;
  AdwActionRow    *check_row;
  GtkWidget       *verify;
  GtkWidget       *leave;
  GtkWidget       *save;
  GtkSpinner      *spinner;
  AdwToastOverlay *toasts;

  /* owned */
  MtModel         *model;
  MtTable         *data;
  MtVerifyReport  *known;          /* what engines said of the model, of any format; NULL: nothing */
  GCancellable    *cancellable;    /* while a check runs */
  guint            n_saving;
};

static guint checked_signal;

G_DEFINE_FINAL_TYPE (MtExportDialog, mt_export_dialog, ADW_TYPE_WINDOW)

static const struct { MtExportFormat format; const char *name; } formats[] = {
  { MT_EXPORT_SQL, N_("SQL query") },
  { MT_EXPORT_PYTHON, N_("Python program") },
  { MT_EXPORT_R, N_("R program") },
  { MT_EXPORT_JAVASCRIPT, N_("JavaScript program") },
  { MT_EXPORT_C, N_("C functions and program") },
  { MT_EXPORT_PMML, N_("PMML") },
  { MT_EXPORT_DMN, N_("DMN decision tables") },
  { MT_EXPORT_ODS, N_("Spreadsheet") },
  { MT_EXPORT_LATEX, N_("LaTeX document") },
  { MT_EXPORT_JSON, N_("Minterm model") },
};
static const char * const dialects[] = { "SQLite", "PostgreSQL", "MariaDB", "ANSI", "DuckDB", "Spark",
                                        N_("BigQuery, Snowflake (not tested)") };

static MtExportFormat
get_format (MtExportDialog *self)
{
  return formats[adw_combo_row_get_selected (self->format_row)].format;
}

static MtSqlDialect
get_dialect (MtExportDialog *self)
{
  return (MtSqlDialect) adw_combo_row_get_selected (self->dialect_row);
}

/* --- the check --- */

static void
set_busy (MtExportDialog *self,
          gboolean        is_busy)
{
  gtk_widget_set_sensitive (self->verify, !is_busy);
  gtk_widget_set_sensitive (GTK_WIDGET (self->format_row), !is_busy);
  gtk_spinner_set_spinning (self->spinner, is_busy);
}

/* Of the chosen format. */
static void
show_known (MtExportDialog *self)
{
  g_autoptr (GString) good = g_string_new (NULL);
  g_autoptr (GString) bad = g_string_new (NULL);
  g_autofree char *text = NULL;
  guint n_checks = 0;

  for (guint i = 0; self->known != NULL && i < self->known->n_checks; i++)
    {
      const MtVerifyCheck *check = &self->known->checks[i];
      GString *to = check->status == MT_VERIFY_AGREES ? good : check->status == MT_VERIFY_NOT_FOUND ? NULL : bad;

      if (!g_str_equal (check->format, mt_export_format_to_string (get_format (self))))
        continue;
      n_checks++;
      if (to != NULL)
        g_string_append_printf (to, "%s%s", to->len > 0 ? ", " : "", check->engine);
    }
  if (n_checks == 0)
    text = g_strdup (_("Not verified yet"));
  else if (bad->len > 0)
    /* Translators: %s is a list of programs */
    text = g_strdup_printf (_("Disagrees or failed: %s"), bad->str);
  else if (good->len > 0)
    /* Translators: %s is a list of programs */
    text = g_strdup_printf (_("Verified with %s"), good->str);
  else
    text = g_strdup (_("Not verified: no suitable engine installed"));
  adw_action_row_set_subtitle (self->check_row, text);
}

void
mt_export_dialog_add_known (MtExportDialog       *self,
                            const MtVerifyReport *report)
{
  g_autofree char *json = NULL;

  g_return_if_fail (MT_IS_EXPORT_DIALOG (self) && report != NULL);

  if (self->known == NULL || !mt_verify_report_add (self->known, report))
    {
      json = mt_verify_report_to_json (report, NULL);
      g_clear_pointer (&self->known, mt_verify_report_free);
      self->known = mt_verify_report_from_json (json, -1, NULL);
    }
  show_known (self);
}

static void
on_verified (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (MtExportDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtVerifyReport) report = mt_verify_finish (result, &error);

  g_clear_object (&self->cancellable);
  if (self->check_row == NULL)
    return;   /* the window is gone */
  set_busy (self, FALSE);
  if (report != NULL)
    {
      mt_export_dialog_add_known (self, report);
      g_signal_emit (self, checked_signal, 0, report);
    }
  else
    adw_action_row_set_subtitle (self->check_row, error->message);
}

void
mt_export_dialog_verify (MtExportDialog *self)
{
  const char *engines[] = { NULL, NULL };
  MtVerifyOptions options = { .engines = engines };

  g_return_if_fail (MT_IS_EXPORT_DIALOG (self));

  if (self->cancellable != NULL)
    return;
  if (get_format (self) == MT_EXPORT_DMN || get_format (self) == MT_EXPORT_LATEX)
    {
      adw_action_row_set_subtitle (self->check_row, _("Not verified: no engine runs this format"));
      return;
    }
  engines[0] = mt_export_format_to_string (get_format (self));
  self->cancellable = g_cancellable_new ();
  set_busy (self, TRUE);
  adw_action_row_set_subtitle (self->check_row, _("Running the export and comparing results…"));
  mt_verify_async (self->model, self->data, &options, self->cancellable, on_verified, g_object_ref (self));
}

static void
on_choice (MtExportDialog *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->dialect_row), get_format (self) == MT_EXPORT_SQL);
  show_known (self);
}

/* --- saving --- */

typedef struct {
  MtModel        *model;
  MtExportFormat  format;
  MtSqlDialect    dialect;
  char           *path;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  mt_model_unref (request->model);
  g_free (request->path);
  g_free (request);
}

static void
save_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  const Request *request = data;
  GError *error = NULL;

  if (mt_export_save (request->model, request->format, request->dialect, request->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void ask_file (MtExportDialog *self);

static void
on_failure_answered (AdwMessageDialog *dialog,
                     const char       *response,
                     MtExportDialog   *self)
{
  if (g_str_equal (response, "fix"))
    ask_file (self);
}

static void
show_failure (MtExportDialog *self,
              const char     *why)
{
  GtkWidget *widget = adw_message_dialog_new (GTK_WINDOW (self), _("File Not Saved"), why);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);

  adw_message_dialog_add_responses (dialog, "close", _("_Close"), "fix", _("Choose _Another Location…"), NULL);
  adw_message_dialog_set_close_response (dialog, "close");
  adw_message_dialog_set_response_appearance (dialog, "fix", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "fix");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_failure_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  MtExportDialog *self = MT_EXPORT_DIALOG (source);
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);
  const Request *request = g_task_get_task_data (G_TASK (result));

  self->n_saving--;
  if (self->check_row == NULL)
    return;
  if (ok)
    {
      g_autoptr (GFile) file = g_file_new_for_path (request->path);

      adw_toast_overlay_add_toast (self->toasts, mt_toast_new_saved (file));
      gtk_button_set_label (GTK_BUTTON (self->leave), _("_Close"));   /* there is nothing to take back any more */
    }
  else
    show_failure (self, error->message);
}

void
mt_export_dialog_save (MtExportDialog *self,
                       GFile          *file)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Request *request;

  g_return_if_fail (MT_IS_EXPORT_DIALOG (self));

  if (g_file_peek_path (file) == NULL)
    {
      show_failure (self, _("Choose a folder on this computer"));
      return;
    }
  if (!mt_open_files_check (file, get_format (self) == MT_EXPORT_JSON ? MT_OPEN_MODEL : MT_N_OPEN_KINDS, &error))
    {
      show_failure (self, error->message);
      return;
    }
  request = g_new0 (Request, 1);
  request->model = mt_model_ref (self->model);
  request->format = get_format (self);
  request->dialect = get_dialect (self);
  request->path = g_strdup (g_file_peek_path (file));
  task = g_task_new (self, NULL, on_saved, NULL);
  g_task_set_task_data (task, request, request_free);
  self->n_saving++;
  g_task_run_in_thread (task, save_in_thread);
}

static void
on_file (GtkNativeDialog *native,
         int              response,
         MtExportDialog  *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native));

      mt_export_dialog_save (self, file);
    }
  g_object_unref (native);
}

static void
ask_file (MtExportDialog *self)
{
  GtkFileChooserNative *native = gtk_file_chooser_native_new (_("Export Model"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  g_autofree char *name = g_strconcat ("model.", mt_export_format_get_suffix (get_format (self)), NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (native), name);
  g_signal_connect_object (native, "response", G_CALLBACK (on_file), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

/* --- the window --- */

gboolean
mt_export_dialog_is_busy (MtExportDialog *self)
{
  g_return_val_if_fail (MT_IS_EXPORT_DIALOG (self), FALSE);
  return self->cancellable != NULL || self->n_saving > 0;
}

const char *
mt_export_dialog_get_claim (MtExportDialog *self)
{
  g_return_val_if_fail (MT_IS_EXPORT_DIALOG (self), NULL);
  return adw_action_row_get_subtitle (self->check_row);
}

void
mt_export_dialog_set_format (MtExportDialog *self,
                             MtExportFormat  format,
                             MtSqlDialect    dialect)
{
  g_return_if_fail (MT_IS_EXPORT_DIALOG (self));

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].format == format)
      adw_combo_row_set_selected (self->format_row, i);
  adw_combo_row_set_selected (self->dialect_row, dialect);
}

static AdwComboRow *
make_combo (MtExportDialog *self,
            const char     *title,
            GtkStringList  *names)
{
  GtkWidget *row = adw_combo_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
  g_signal_connect_swapped (row, "notify::selected", G_CALLBACK (on_choice), self);
  return ADW_COMBO_ROW (row);
}

static void
make_check_row (MtExportDialog *self)
{
  GtkWidget *row = adw_action_row_new ();

  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->verify = gtk_button_new_with_mnemonic (_("_Verify"));
  gtk_widget_set_valign (self->verify, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->verify, _("Run the export in installed engines and compare results"));
  g_signal_connect_swapped (self->verify, "clicked", G_CALLBACK (mt_export_dialog_verify), self);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Engine verification"));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 4);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), GTK_WIDGET (self->spinner));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), self->verify);
  self->check_row = ADW_ACTION_ROW (row);
}

static GtkWidget *
make_header (MtExportDialog *self)
{
  GtkWidget *header = adw_header_bar_new ();

  self->save = gtk_button_new_with_mnemonic (_("_Save…"));
  gtk_widget_add_css_class (self->save, "suggested-action");
  g_signal_connect_swapped (self->save, "clicked", G_CALLBACK (ask_file), self);
  self->leave = gtk_button_new_with_mnemonic (_("_Cancel"));
  g_signal_connect_swapped (self->leave, "clicked", G_CALLBACK (gtk_window_close), self);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->leave);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->save);
  return header;
}

static void
mt_export_dialog_dispose (GObject *object)
{
  MtExportDialog *self = MT_EXPORT_DIALOG (object);

  self->check_row = NULL;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  G_OBJECT_CLASS (mt_export_dialog_parent_class)->dispose (object);
}

static void
mt_export_dialog_finalize (GObject *object)
{
  MtExportDialog *self = MT_EXPORT_DIALOG (object);

  mt_model_unref (self->model);
  g_clear_pointer (&self->data, mt_table_unref);
  g_clear_pointer (&self->known, mt_verify_report_free);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (mt_export_dialog_parent_class)->finalize (object);
}

static gboolean
mt_export_dialog_close_request (GtkWindow *window)
{
  MtExportDialog *self = MT_EXPORT_DIALOG (window);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  return GTK_WINDOW_CLASS (mt_export_dialog_parent_class)->close_request (window);
}

static void
mt_export_dialog_class_init (MtExportDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_export_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_export_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = mt_export_dialog_close_request;
  checked_signal = g_signal_new ("checked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_POINTER);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
mt_export_dialog_init (MtExportDialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  GtkWidget *group = adw_preferences_group_new ();

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    gtk_string_list_append (names, _(formats[i].name));
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    gtk_string_list_append (words, i == MT_SQL_WAREHOUSE ? _(dialects[i]) : dialects[i]);
  make_check_row (self);
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  self->dialect_row = ADW_COMBO_ROW (adw_combo_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->dialect_row), _("_Dialect"));
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (self->dialect_row), TRUE);
  adw_combo_row_set_model (self->dialect_row, G_LIST_MODEL (words));
  self->format_row = make_combo (self, _("_Format"), names);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->format_row));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->dialect_row));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->check_row));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  gtk_widget_set_vexpand (page, TRUE);
  adw_toast_overlay_set_child (self->toasts, page);
  gtk_box_append (GTK_BOX (box), make_header (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->format_row));   /* not on the way out, which comes first */
  on_choice (self);
}

MtExportDialog *
mt_export_dialog_new (GtkWindow *parent,
                      MtModel   *model,
                      MtTable   *data)
{
  MtExportDialog *self = g_object_new (MT_TYPE_EXPORT_DIALOG, "transient-for", parent, "modal", TRUE, "title",
                                       _("Export Model"), "default-width", 480, "default-height", 340, NULL);

  self->model = mt_model_ref (model);
  self->data = data != NULL ? mt_table_ref (data) : NULL;
  return self;
}
