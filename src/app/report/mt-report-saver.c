/* Saves a report: asks for the file, shows how far it is in a strip, can be cancelled, and when it fails
 * says why and offers another place. See mt-report-saver.h. */
#include "config.h"
#include "mt-report-saver.h"

#include <glib/gi18n.h>
#include <string.h>

#include "document/mt-open-files.h"

struct _MtReportSaver {
  AdwBin          parent_instance;

  GtkRevealer    *strip;
  GtkLabel       *text;
  GtkProgressBar *bar;

  MtReportInput  *input;         /* of what is saved, or was last */
  GFile          *file;
  GCancellable   *saving;        /* NULL: nothing is */
};

enum {
  CHOSEN,
  SAVED,
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtReportSaver, mt_report_saver, ADW_TYPE_BIN)

gboolean
mt_report_saver_is_busy (MtReportSaver *self)
{
  g_return_val_if_fail (MT_IS_REPORT_SAVER (self), FALSE);
  return self->saving != NULL;
}

static char *
dup_name (MtReportSaver *self)
{
  g_autofree char *name = g_file_get_basename (self->file);

  return name != NULL ? g_filename_display_name (name) : g_strdup ("");
}

static gboolean
ends_in (GFile      *file,
         const char *end)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  return lower != NULL && g_str_has_suffix (lower, end);
}

/* --- the strip --- */

static void
show_step (gpointer owner,
           guint    step,
           double   done)
{
  MtReportSaver *self = owner;
  const char * const words[] = { _("measuring"), _("preparing pages"), _("writing") };
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  if (self->saving == NULL)
    return;
  name = dup_name (self);
  /* Translators: the name of a file, and what is being done for it */
  text = g_strdup_printf (_("%s: %s…"), name, words[MIN (step, 2)]);
  gtk_label_set_label (self->text, text);
  gtk_progress_bar_set_fraction (self->bar, done);
}

static void
show_state (MtReportSaver *self)
{
  show_step (self, 0, 0);
  gtk_revealer_set_reveal_child (self->strip, self->saving != NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- failing --- */

static void
on_failure_answered (MtReportSaver *self,
                     const char    *response)
{
  if (g_str_equal (response, "again") && self->saving == NULL)
    {
      gboolean as_pdf = !ends_in (self->file, ".html") && !ends_in (self->file, ".htm");
      g_autofree char *name = dup_name (self);
      char *dot = strrchr (name, '.');

      if (dot != NULL)
        *dot = '\0';
      mt_report_saver_ask (self, name, as_pdf);
    }
}

static void
show_failure (MtReportSaver *self,
              const char    *why)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                              _("Report Not Saved"), why);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"), "again",
                                    _("Choose _Another Location…"), NULL);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "again");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_failure_answered), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- saving --- */

static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  MtReportSaver *self = MT_REPORT_SAVER (source);
  g_autoptr (GError) error = NULL;
  gboolean written = mt_report_input_save_finish (result, &error);

  if (self->saving == NULL || self->saving != g_task_get_cancellable (G_TASK (result)))
    return;   /* cancelled */
  g_clear_object (&self->saving);
  show_state (self);
  if (gtk_widget_get_root (GTK_WIDGET (self)) == NULL)
    return;   /* the window is gone */
  if (written)
    g_signal_emit (self, signals[SAVED], 0, self->file);
  else
    show_failure (self, error->message);
}

void
mt_report_saver_save (MtReportSaver *self,
                      MtReportInput *input,
                      GFile         *file)
{
  g_autoptr (GError) error = NULL;
  const char *path;
  MtReportInput *before;

  g_return_if_fail (MT_IS_REPORT_SAVER (self) && input != NULL && G_IS_FILE (file));

  if (self->saving != NULL)
    return;
  before = self->input;
  self->input = mt_report_input_ref (input);
  mt_report_input_unref (before);
  g_set_object (&self->file, file);
  path = g_file_peek_path (file);
  if (path == NULL)
    show_failure (self, _("Choose a folder on this computer."));
  else if (!ends_in (file, ".pdf") && !ends_in (file, ".html") && !ends_in (file, ".htm"))
    show_failure (self, _("Use a file name that ends in .pdf or .html."));
  else if (!mt_open_files_check (file, MT_N_OPEN_KINDS, &error))
    show_failure (self, error->message);
  else
    {
      self->saving = g_cancellable_new ();
      show_state (self);
      mt_report_input_save (input, path, ends_in (file, ".pdf"), self, self->saving, show_step, on_saved);
    }
}

/* The thread goes on to the next moment at which it can stop, and writes nothing. */
void
mt_report_saver_cancel (MtReportSaver *self)
{
  g_return_if_fail (MT_IS_REPORT_SAVER (self));

  if (self->saving == NULL)
    return;
  g_cancellable_cancel (self->saving);
  g_clear_object (&self->saving);
  show_state (self);
}

static void
on_file_chosen (GtkNativeDialog *dialog,
                int              response,
                MtReportSaver   *self)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (file != NULL)
    g_signal_emit (self, signals[CHOSEN], 0, file);
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

void
mt_report_saver_ask (MtReportSaver *self,
                     const char    *name,
                     gboolean       as_pdf)
{
  GtkFileChooserNative *dialog;
  g_autofree char *suggested = g_strconcat (name, as_pdf ? ".pdf" : ".html", NULL);

  g_return_if_fail (MT_IS_REPORT_SAVER (self));

  if (self->saving != NULL)
    return;
  dialog = gtk_file_chooser_native_new (_("Save Report"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                        GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), suggested);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_file_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* --- object --- */

static void
mt_report_saver_dispose (GObject *object)
{
  MtReportSaver *self = MT_REPORT_SAVER (object);

  if (self->saving != NULL)
    g_cancellable_cancel (self->saving);
  g_clear_object (&self->saving);
  g_clear_object (&self->file);
  g_clear_pointer (&self->input, mt_report_input_unref);
  G_OBJECT_CLASS (mt_report_saver_parent_class)->dispose (object);
}

static void
mt_report_saver_class_init (MtReportSaverClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_report_saver_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_FILE);
  signals[SAVED] = g_signal_new ("saved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_FILE);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
mt_report_saver_init (MtReportSaver *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);   /* the bar under them: room in a narrow window */
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_("_Cancel"));

  self->strip = GTK_REVEALER (gtk_revealer_new ());
  self->text = GTK_LABEL (gtk_label_new (NULL));
  self->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_label_set_xalign (self->text, 0);
  gtk_label_set_ellipsize (self->text, PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Saving the report"), -1);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (mt_report_saver_cancel), self);
  gtk_widget_add_css_class (box, "strip");
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (self->text));
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (self->bar));
  gtk_box_append (GTK_BOX (box), words);
  gtk_box_append (GTK_BOX (box), cancel);
  gtk_revealer_set_child (self->strip, box);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->strip));
}
