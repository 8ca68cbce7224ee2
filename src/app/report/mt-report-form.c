/* What a person writes for the report, and what is still blank. See mt-report-form.h. */
#include "config.h"
#include "mt-report-form.h"

#include <glib/gi18n.h>

#include "mt-report-input.h"

#define PAUSE  600   /* ms after the last key */
#define N_OPEN 2     /* things in addition to texts that may be open */

/* In the order of the report. */
static const struct {
  MtReportText  text;
  const char   *name;
  const char   *hint;
  const char   *anchor;
} fields[] = {
  { MT_REPORT_AUTHOR, N_("_Author"), N_("The person responsible for this model."), "section-1" },
  { MT_REPORT_PURPOSE, N_("_Purpose"), N_("The decision it supports, who makes it, and since when."), "section-2" },
  { MT_REPORT_OUT_OF_SCOPE, N_("_Out of scope"), N_("Uses that are not allowed."), "section-2" },
  { MT_REPORT_CHOICE, N_("_Why this model"), N_("Why you chose this model over the others."), "section-9" },
  { MT_REPORT_LIMITS, N_("Known _limitations"), N_("Weak points: groups, periods, and cases that it has not "
                                                   "seen."), "section-17" },
  { MT_REPORT_OVERSIGHT, N_("_Human oversight"), N_("Who checks its predictions, and how they can be "
                                                    "overruled."), "section-17" },
  { MT_REPORT_MONITORING, N_("_Monitoring"), N_("What is monitored in use, and which limits trigger action."),
    "section-18" },
  { MT_REPORT_CHANGES, N_("Change lo_g"), N_("What changed since the last version, and why."), "section-19" },
};

struct _MtReportForm {
  AdwBin               parent_instance;

  AdwPreferencesPage  *page;
  AdwPreferencesGroup *checklist;
  GtkWidget           *blank_rows[G_N_ELEMENTS (fields)];
  GtkWidget           *open_rows[N_OPEN];
  GtkWidget           *open_targets[N_OPEN];     /* borrowed */
  GtkWidget           *done_row;
  GtkTextView         *views[G_N_ELEMENTS (fields)];
  AdwComboRow         *paper;

  MtDocument          *document;
  gboolean             showing;     /* what changes comes from the document */
  guint                pause;
};

static guint field_entered_signal;

G_DEFINE_FINAL_TYPE (MtReportForm, mt_report_form, ADW_TYPE_BIN)

/* --- names without the underline --- */

static char *
dup_plain_name (guint field)
{
  g_auto (GStrv) parts = g_strsplit (_(fields[field].name), "_", -1);

  return g_strjoinv ("", parts);
}

static char *
dup_text (MtReportForm *self,
          guint         field)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->views[field]);
  g_autofree char *text = NULL;
  GtkTextIter from, to;

  gtk_text_buffer_get_bounds (buffer, &from, &to);
  text = gtk_text_buffer_get_text (buffer, &from, &to, FALSE);
  /* White space alone says nothing. */
  return g_strdup (g_strstrip (text));
}

/* --- the checklist --- */

guint
mt_report_form_get_n_blank (MtReportForm *self)
{
  guint n = 0;

  g_return_val_if_fail (MT_IS_REPORT_FORM (self), 0);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *text = dup_text (self, i);

      n += *text == '\0';
    }
  return n;
}

static void
show_checklist (MtReportForm *self)
{
  guint n_blank = 0, n_open = 0;
  g_autofree char *about = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *text = dup_text (self, i);
      gboolean is_blank = *text == '\0';

      gtk_widget_set_visible (self->blank_rows[i], is_blank);
      n_blank += is_blank;
    }
  for (guint i = 0; i < N_OPEN; i++)
    n_open += gtk_widget_get_visible (self->open_rows[i]);
  gtk_widget_set_visible (self->done_row, n_blank + n_open == 0);
  if (n_blank > 0)
    about = g_strdup_printf (ngettext ("%u field is empty and appears as NOT PROVIDED in the report.",
                                       "%u fields are empty and appear as NOT PROVIDED in the report.", n_blank),
                             n_blank);
  adw_preferences_group_set_description (self->checklist, about != NULL ? about : _("All fields are complete."));
}

void
mt_report_form_show_field (MtReportForm *self,
                           MtReportText  text)
{
  g_return_if_fail (MT_IS_REPORT_FORM (self));

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (fields[i].text == text)
      gtk_widget_grab_focus (GTK_WIDGET (self->views[i]));
}

static void
on_blank_activated (GtkWidget    *row,
                    MtReportForm *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (self->blank_rows[i] == row)
      mt_report_form_show_field (self, fields[i].text);
  for (guint i = 0; i < N_OPEN; i++)
    if (self->open_rows[i] == row && self->open_targets[i] != NULL)
      gtk_widget_child_focus (self->open_targets[i], GTK_DIR_TAB_FORWARD);
}

static GtkWidget *
make_check_row (MtReportForm *self,
                const char   *title,
                const char   *icon,
                gboolean      leads)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_icon_name (ADW_ACTION_ROW (row), icon);
  if (leads)
    {
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
      g_signal_connect (row, "activated", G_CALLBACK (on_blank_activated), self);
    }
  adw_preferences_group_add (self->checklist, row);
  return row;
}

static void
make_checklist (MtReportForm *self)
{
  self->checklist = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  adw_preferences_group_set_title (self->checklist, _("Checklist"));
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *name = dup_plain_name (i);

      self->blank_rows[i] = make_check_row (self, name, "checkbox-symbolic", TRUE);
    }
  for (guint i = 0; i < N_OPEN; i++)
    {
      self->open_rows[i] = make_check_row (self, "", "checkbox-symbolic", TRUE);
      gtk_widget_set_visible (self->open_rows[i], FALSE);
    }
  self->done_row = make_check_row (self, _("Nothing is missing"), "emblem-ok-symbolic", FALSE);
  adw_preferences_page_add (self->page, self->checklist);
}

void
mt_report_form_set_open (MtReportForm *self,
                         guint         index,
                         const char   *title,
                         GtkWidget    *target)
{
  g_return_if_fail (MT_IS_REPORT_FORM (self) && index < N_OPEN);

  if (title != NULL)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->open_rows[index]), title);
  self->open_targets[index] = target;
  gtk_widget_set_visible (self->open_rows[index], title != NULL);
  show_checklist (self);
}

/* --- texts --- */

void
mt_report_form_flush (MtReportForm *self)
{
  g_return_if_fail (MT_IS_REPORT_FORM (self));

  if (self->pause == 0)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  self->showing = TRUE;   /* the others are still to be kept */
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *text = dup_text (self, i);
      g_autofree char *name = dup_plain_name (i);
      /* Translators: after "Undo"; %s is the name of a field, such as: Purpose */
      g_autofree char *label = g_strdup_printf (_("Text of “%s”"), name);

      mt_document_set_note (self->document, mt_report_text_to_string (fields[i].text), text, label);
    }
  self->showing = FALSE;
}

static gboolean
on_pause (gpointer data)
{
  MtReportForm *self = data;

  /* The flush removes a source that is there. */
  mt_report_form_flush (self);
  return G_SOURCE_REMOVE;
}

static void
on_typed (MtReportForm *self)
{
  if (self->showing || self->document == NULL)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE, on_pause, self);
  show_checklist (self);
}

static void
on_paper (MtReportForm *self)
{
  if (!self->showing && self->document != NULL)
    mt_document_set_note (self->document, MT_NOTE_PAPER, adw_combo_row_get_selected (self->paper) == 1 ? "letter" : NULL,
                          _("Paper Size"));
}

/* A field that says the same keeps its cursor. */
static void
show_notes (MtReportForm *self)
{
  if (self->showing)
    return;
  self->showing = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *kept = mt_document_get_note (self->document, mt_report_text_to_string (fields[i].text));
      g_autofree char *shown = dup_text (self, i);

      if (self->pause == 0 && g_strcmp0 (shown, kept != NULL ? kept : "") != 0)
        gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->views[i]), kept != NULL ? kept : "", -1);
    }
  adw_combo_row_set_selected (self->paper, g_strcmp0 (mt_document_get_note (self->document, MT_NOTE_PAPER), "letter") == 0);
  self->showing = FALSE;
  show_checklist (self);
}

static void
on_entered (GtkEventController *controller,
            MtReportForm       *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (GTK_WIDGET (self->views[i]) == gtk_event_controller_get_widget (controller))
      g_signal_emit (self, field_entered_signal, 0, fields[i].anchor);
}

static GtkWidget *
make_field (MtReportForm *self,
            guint         field)
{
  GtkWidget *row = adw_preferences_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *name = gtk_label_new_with_mnemonic (_(fields[field].name));
  GtkWidget *hint = gtk_label_new (_(fields[field].hint));
  GtkWidget *view = gtk_text_view_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_autofree char *plain = dup_plain_name (field);

  self->views[field] = GTK_TEXT_VIEW (view);
  gtk_widget_set_name (view, mt_report_text_to_string (fields[field].text));
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  /* The window undoes. */
  gtk_text_buffer_set_enable_undo (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), FALSE);
  gtk_widget_add_css_class (view, "reporttext");
  g_signal_connect_swapped (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "changed", G_CALLBACK (on_typed), self);
  g_signal_connect (focus, "enter", G_CALLBACK (on_entered), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (mt_report_form_flush), self);
  gtk_widget_add_controller (view, focus);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, plain,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _(fields[field].hint), -1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (name), view);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_add_css_class (name, "heading");
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_widget_add_css_class (hint, "caption");
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_add_css_class (box, "reportfield");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), hint);
  gtk_box_append (GTK_BOX (box), view);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  return row;
}

static void
make_texts (MtReportForm *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Fields"));
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_field (self, i));
  adw_preferences_page_add (self->page, ADW_PREFERENCES_GROUP (group));
}

static void
make_paper (MtReportForm *self)
{
  const char * const papers[] = { _("A4"), _("US Letter"), NULL };
  g_autoptr (GtkStringList) names = gtk_string_list_new (papers);
  GtkWidget *group = adw_preferences_group_new ();

  self->paper = ADW_COMBO_ROW (adw_combo_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->paper), _("Pap_er"));
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (self->paper), TRUE);
  adw_combo_row_set_model (self->paper, G_LIST_MODEL (names));
  g_signal_connect_swapped (self->paper, "notify::selected", G_CALLBACK (on_paper), self);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->paper));
  adw_preferences_page_add (self->page, ADW_PREFERENCES_GROUP (group));
}

void
mt_report_form_add_group (MtReportForm *self,
                          GtkWidget    *group)
{
  g_return_if_fail (MT_IS_REPORT_FORM (self));
  adw_preferences_page_add (self->page, ADW_PREFERENCES_GROUP (group));
}

AdwActionRow *
mt_report_form_add_row (MtReportForm  *self,
                        const char    *title,
                        const char    *label,
                        const char    *action,
                        GtkWidget    **group)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  *group = adw_preferences_group_new ();
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 4);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (*group), row);
  mt_report_form_add_group (self, *group);
  return ADW_ACTION_ROW (row);
}

void
mt_report_form_set_document (MtReportForm *self,
                             MtDocument   *document)
{
  g_return_if_fail (MT_IS_REPORT_FORM (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "notes-changed", G_CALLBACK (show_notes), self, G_CONNECT_SWAPPED);
  show_notes (self);
}

/* --- object --- */

static void
mt_report_form_unmap (GtkWidget *widget)
{
  mt_report_form_flush (MT_REPORT_FORM (widget));
  GTK_WIDGET_CLASS (mt_report_form_parent_class)->unmap (widget);
}

static void
mt_report_form_dispose (GObject *object)
{
  MtReportForm *self = MT_REPORT_FORM (object);

  g_clear_handle_id (&self->pause, g_source_remove);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (mt_report_form_parent_class)->dispose (object);
}

static void
mt_report_form_class_init (MtReportFormClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_report_form_dispose;
  GTK_WIDGET_CLASS (klass)->unmap = mt_report_form_unmap;
  field_entered_signal = g_signal_new ("field-entered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
mt_report_form_init (MtReportForm *self)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (fields) == MT_N_REPORT_TEXTS);

  self->page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->page));
  make_checklist (self);
  make_texts (self);
  make_paper (self);
}
