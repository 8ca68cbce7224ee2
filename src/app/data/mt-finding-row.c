/* One finding: what it is, what can be done about it, or why it was dismissed. See mt-finding-row.h. */
#include "config.h"
#include "mt-finding-row.h"

#include <glib/gi18n.h>

#include "mt-column-header.h"
#include "widgets/mt-flow-layout.h"
#include "util/mt-format.h"
#include "util/mt-preferences.h"
#include "widgets/mt-width-layout.h"

struct _MtFindingRow {
  GtkListBoxRow  parent_instance;

  /* template children */
  GtkImage      *icon;
  GtkLabel      *title;
  GtkLabel      *body;
  GtkLabel      *reason;
  GtkBox        *buttons;
  GtkButton     *fix;
  GtkButton     *ignore;
  GtkButton     *raise;

  MtDocument    *document;
  MtFinding     *finding;
};

G_DEFINE_FINAL_TYPE (MtFindingRow, mt_finding_row, GTK_TYPE_LIST_BOX_ROW)

static char *
fix_label (const MtFinding *finding)
{
  MtColumnType type;

  switch (finding->fix)
    {
    case MT_FIX_IGNORE_COLUMN:
      return g_strdup (_("Ignore Column"));
    case MT_FIX_SET_TYPE:
      if (!mt_column_type_from_string (finding->fix_value, &type))
        return NULL;
      /* Translators: %s is a type of column: Number, Category, … */
      return g_strdup_printf (_("Read as %s"), mt_type_get_label (type));
    case MT_FIX_TREAT_AS_MISSING:
      /* Translators: %s is a value such as 0 or 999 */
      return g_strdup_printf (_("Treat %s as Missing"), finding->fix_value);
    case MT_FIX_NONE:
    default:
      return NULL;
    }
}

static char *
title_of (const MtFinding *finding)
{
  g_autofree char *line = NULL;

  if (finding->column_name != NULL)
    return g_strdup (finding->column_name);
  if (finding->line == 0)
    return g_strdup (_("Whole table"));
  line = mt_format_count (finding->line);
  /* Translators: %s is the number of a line in the file */
  return g_strdup_printf (_("Line %s"), line);
}

/* Why it was dismissed, by whom and when. A column is ignored, a finding is dismissed: two words for two things. */
static char *
describe (const MtProjectDismissal *dismissal)
{
  /* Translators: the reason a person gave for dismissing a finding */
  g_autofree char *because = g_strdup_printf (_("Dismissed. Reason: “%s”"), dismissal->reason);
  g_autofree char *signature = mt_format_signature (dismissal->by, dismissal->made);

  return g_strconcat (because, "\n", signature, NULL);
}

static void
show (MtFindingRow *self)
{
  static const char * const icons[] = {
    "dialog-information-symbolic", "dialog-warning-symbolic", "dialog-error-symbolic"
  };
  static const char * const classes[] = { "accent", "warning", "error" };
  const MtFinding *finding = self->finding;
  const MtProjectDismissal *dismissal = mt_decisions_get_dismissal (mt_document_get_decisions (self->document), finding);
  g_autofree char *title = title_of (finding);
  g_autofree char *body = mt_format_finding (finding);
  g_autofree char *fix = fix_label (finding);
  g_autofree char *because = NULL;

  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->body, body);
  if (dismissal != NULL)
    because = describe (dismissal);
  gtk_label_set_label (self->reason, because != NULL ? because : "");
  gtk_widget_set_visible (GTK_WIDGET (self->reason), dismissal != NULL);
  gtk_image_set_from_icon_name (self->icon, dismissal != NULL ? "object-select-symbolic" : icons[finding->severity]);
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), dismissal != NULL ? "success" : classes[finding->severity]);
  gtk_button_set_label (self->fix, fix != NULL ? fix : "");
  gtk_widget_set_visible (GTK_WIDGET (self->fix), fix != NULL && dismissal == NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->ignore), dismissal == NULL && finding->severity != MT_SEVERITY_ERROR);
  gtk_widget_set_visible (GTK_WIDGET (self->raise), dismissal != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->buttons),
                          dismissal != NULL || fix != NULL || finding->severity != MT_SEVERITY_ERROR);
  if (dismissal != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "dismissed");
}

static void
on_fix (MtFindingRow *self)
{
  mt_document_fix (self->document, self->finding);
}

static void
on_raise (MtFindingRow *self)
{
  mt_document_dismiss (self->document, self->finding, NULL);
}

static void
on_reason_changed (GtkEditable *entry,
                   gpointer     dialog)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  adw_message_dialog_set_response_enabled (dialog, "ignore", *text != '\0');
}

static void
on_reason_given (AdwMessageDialog *dialog,
                 const char       *response,
                 MtFindingRow     *self)
{
  GtkWidget *entry = adw_message_dialog_get_extra_child (dialog);

  if (g_str_equal (response, "ignore"))
    {
      g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));

      mt_document_dismiss (self->document, self->finding, text);
    }
}

static void
on_ignore (MtFindingRow *self)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkWidget *dialog = adw_message_dialog_new (window, _("Dismiss Finding"), NULL);
  GtkWidget *entry = gtk_entry_new ();
  g_autofree char *message = mt_format_finding (self->finding);
  g_autofree char *person = mt_preferences_dup_person ();

  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                  /* Translators: first the finding, then the name of the person who is there */
                                  _("%s\n\nThe reason, your name (%s), and the time are saved in the project "
                                    "and shown in the report."),
                                  message, person);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _("Reason"));
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Reason"), -1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), entry);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog),
                                    "cancel", _("_Cancel"), "ignore", _("_Dismiss"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "ignore");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "ignore", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (dialog), "ignore", FALSE);
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_reason_changed), dialog, 0);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_reason_given), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
}

static void
mt_finding_row_dispose (GObject *object)
{
  MtFindingRow *self = MT_FINDING_ROW (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->finding, mt_finding_unref);
  G_OBJECT_CLASS (mt_finding_row_parent_class)->dispose (object);
}

static void
mt_finding_row_class_init (MtFindingRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_finding_row_dispose;
  g_type_ensure (MT_TYPE_FLOW_LAYOUT);
  g_type_ensure (MT_TYPE_WIDTH_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-finding-row.ui");
  gtk_widget_class_bind_template_child (widget_class, MtFindingRow, icon);
  gtk_widget_class_bind_template_child (widget_class, MtFindingRow, title);
  gtk_widget_class_bind_template_child (widget_class, MtFindingRow, body);
  gtk_widget_class_bind_template_child (widget_class, MtFindingRow, reason);
  gtk_widget_class_bind_template_child (widget_class, MtFindingRow, buttons);
  gtk_widget_class_bind_template_child (widget_class, MtFindingRow, fix);
  gtk_widget_class_bind_template_child (widget_class, MtFindingRow, ignore);
  gtk_widget_class_bind_template_child (widget_class, MtFindingRow, raise);
  gtk_widget_class_bind_template_callback (widget_class, on_fix);
  gtk_widget_class_bind_template_callback (widget_class, on_ignore);
  gtk_widget_class_bind_template_callback (widget_class, on_raise);
}

static void
mt_finding_row_init (MtFindingRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
mt_finding_row_new (MtDocument *document,
                    MtFinding  *finding)
{
  MtFindingRow *self = g_object_new (MT_TYPE_FINDING_ROW, NULL);

  self->document = g_object_ref (document);
  self->finding = mt_finding_ref (finding);
  show (self);
  return GTK_WIDGET (self);
}
