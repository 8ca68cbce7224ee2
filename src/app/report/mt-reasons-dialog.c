/* The reason that a customer reads when a term decided: a text for each term of the model, and what a row of the
 * table would get. See mt-reasons-dialog.h. */
#include "config.h"
#include "mt-reasons-dialog.h"

#include <glib/gi18n.h>

#include "document/mt-reason-notes.h"

#define PAUSE 400   /* ms after the last key */

struct _MtReasonsDialog {
  AdwWindow      parent_instance;

  GPtrArray     *entries;      /* of GtkEntry, borrowed */
  GtkSpinButton *row;
  GtkSpinButton *most;
  GtkLabel      *answer;
  GtkLabel      *told;

  MtDocument    *document;
  MtModel       *model;
  MtTable       *table;
  guint          pause;
  gboolean       showing;
};

G_DEFINE_FINAL_TYPE (MtReasonsDialog, mt_reasons_dialog, ADW_TYPE_WINDOW)

/* --- the reasons of a row --- */

static char *
dup_answer (MtReasonsDialog *self,
            MtModel         *model,
            guint32          row,
            guint           *decided)
{
  g_autofree double *predictions = g_new (double, mt_model_get_n_predictions (model));

  *decided = 0;
  if (!mt_model_predict (model, self->table, &row, 1, predictions, NULL, NULL))
    return NULL;
  if (mt_model_get_task (model) == MT_TASK_REGRESSION)
    return mt_decimal_dup (predictions[0]);
  *decided = mt_model_decide (model, predictions, 1, 0);
  return g_strdup (mt_model_get_info (model)->classes[*decided]);
}

static void
append_reasons (MtReasonsDialog *self,
                MtModel         *model,
                guint32          row,
                const MtReason  *reasons,
                guint            n_reasons,
                GString         *told)
{
  for (guint i = 0; i < n_reasons; i++)
    {
      g_autofree char *text = mt_reason_dup_text (model, reasons[i].term, self->table, row);

      g_string_append_printf (told, "%s%u. %s", told->len > 0 ? "\n" : "", i + 1, text);
    }
}

static char *
dup_told (MtReasonsDialog *self,
          MtModel         *model,
          guint32          row,
          guint            decided,
          guint            most)
{
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (model));
  guint n_outputs = mt_rule_set_get_n_outputs (mt_model_get_rules (model));
  g_autofree double *amounts = g_new (double, (gsize) n_terms * n_outputs + 1);
  g_autofree MtReason *reasons = g_new (MtReason, n_terms + 1);
  GString *told = g_string_new (NULL);
  guint n_reasons = 0, n_for;

  if (mt_model_contributions (model, self->table, &row, 1, amounts, NULL))
    n_reasons = mt_reasons_rank (model, amounts, 1, 0, n_outputs > 1 ? decided : 0, reasons);
  n_for = mt_reasons_sort_for (model, decided, reasons, n_reasons);
  append_reasons (self, model, row, reasons, MIN (n_for, most), told);
  if (n_for == 0)
    g_string_append (told, _("No term supports this prediction; it follows from the intercept."));
  if (n_for < n_reasons)
    {
      g_string_append_printf (told, "\n\n%s", _("Against it, but outweighed:"));
      append_reasons (self, model, row, reasons + n_for, MIN (n_reasons - n_for, most), told);
    }
  return g_string_free (told, FALSE);
}

static void
show_told (MtReasonsDialog *self)
{
  g_autoptr (MtModel) model = NULL;
  g_autofree char *answer = NULL;
  g_autofree char *told = NULL;
  g_autofree char *heading = NULL;
  guint32 row;
  guint decided;

  if (self->table == NULL)
    return;
  model = mt_reason_notes_apply (mt_document_get_note (self->document, MT_NOTE_REASONS), self->model, NULL);
  row = (guint32) gtk_spin_button_get_value_as_int (self->row) - 1;
  answer = model != NULL ? dup_answer (self, model, row, &decided) : NULL;
  if (answer == NULL)
    {
      gtk_label_set_label (self->answer, _("The model cannot predict this row."));
      gtk_label_set_label (self->told, "");
      return;
    }
  told = dup_told (self, model, row, decided, (guint) gtk_spin_button_get_value_as_int (self->most));
  /* Translators: the target, then what the model answers */
  heading = g_strdup_printf (_("Prediction: %s = %s, because"), mt_model_get_info (model)->target, answer);
  gtk_label_set_label (self->answer, heading);
  gtk_label_set_label (self->told, told);
}

const char *
mt_reasons_dialog_get_told (MtReasonsDialog *self)
{
  g_return_val_if_fail (MT_IS_REASONS_DIALOG (self), NULL);
  return gtk_label_get_label (self->told);
}

/* --- texts --- */

static char *
dup_term (MtReasonsDialog *self,
          guint            term)
{
  return mt_term_dup_text (mt_rule_set_get_term (mt_model_get_rules (self->model), term), mt_model_get_encoder (self->model));
}

void
mt_reasons_dialog_flush (MtReasonsDialog *self)
{
  g_autofree char *notes = NULL;
  gboolean changed = FALSE;

  g_return_if_fail (MT_IS_REASONS_DIALOG (self));

  if (self->pause == 0)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  notes = g_strdup (mt_document_get_note (self->document, MT_NOTE_REASONS));
  for (guint t = 0; t < self->entries->len; t++)
    {
      g_autofree char *text = g_strdup (gtk_editable_get_text (g_ptr_array_index (self->entries, t)));
      g_autofree char *before = mt_reason_notes_dup (notes, self->model, t);
      g_autofree char *term = NULL;
      char *next;

      g_strstrip (text);
      if (g_strcmp0 (text, before != NULL ? before : "") == 0)
        continue;
      term = dup_term (self, t);
      next = mt_reason_notes_set (notes, term, text);
      g_free (notes);
      notes = next;
      changed = TRUE;
    }
  if (changed)
    mt_document_set_note (self->document, MT_NOTE_REASONS, notes, _("Reason Codes"));
  show_told (self);
}

static gboolean
on_pause (gpointer data)
{
  mt_reasons_dialog_flush (data);
  return G_SOURCE_REMOVE;
}

static void
on_typed (MtReasonsDialog *self)
{
  if (self->showing)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE, on_pause, self);
}

/* Something was undone. */
static void
show_notes (MtReasonsDialog *self)
{
  const char *notes = mt_document_get_note (self->document, MT_NOTE_REASONS);

  if (self->pause != 0)
    return;
  self->showing = TRUE;
  for (guint t = 0; t < self->entries->len; t++)
    {
      g_autofree char *reason = mt_reason_notes_dup (notes, self->model, t);
      GtkEditable *entry = g_ptr_array_index (self->entries, t);
      g_autofree char *shown = g_strdup (gtk_editable_get_text (entry));

      if (g_strcmp0 (g_strstrip (shown), reason != NULL ? reason : "") != 0)
        gtk_editable_set_text (entry, reason != NULL ? reason : "");
    }
  self->showing = FALSE;
  show_told (self);
}

GtkEntry *
mt_reasons_dialog_get_entry (MtReasonsDialog *self,
                             guint            term)
{
  g_return_val_if_fail (MT_IS_REASONS_DIALOG (self) && term < self->entries->len, NULL);
  return g_ptr_array_index (self->entries, term);
}

/* --- rows --- */

static GtkWidget *
make_term_row (MtReasonsDialog *self,
               guint            term)
{
  g_autofree char *text = dup_term (self, term);
  GtkWidget *row = adw_preferences_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *name = gtk_label_new (text);
  GtkWidget *entry = gtk_entry_new ();

  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (name), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _("Reason shown to the person"));
  gtk_editable_set_enable_undo (GTK_EDITABLE (entry), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (on_typed), self);
  g_ptr_array_add (self->entries, entry);
  gtk_widget_add_css_class (box, "reportfield");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  return row;
}

static GtkSpinButton *
make_spin (MtReasonsDialog *self,
           GtkWidget       *row,
           const char      *title,
           double           last,
           double           value)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (1, last, 1);

  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (show_told), self);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), spin);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), spin);
  return GTK_SPIN_BUTTON (spin);
}

static GtkWidget *
make_example (MtReasonsDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_action_row_new (), *most = adw_action_row_new (), *result = adw_preferences_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Preview"));
  self->row = make_spin (self, row, _("_Row of the table"), (double) MAX (mt_table_get_n_rows (self->table), 1), 1);
  self->most = make_spin (self, most, _("_Maximum number of reasons"), 20, 3);
  self->answer = GTK_LABEL (gtk_label_new (NULL));
  self->told = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->answer, 0);
  gtk_label_set_xalign (self->told, 0);
  gtk_label_set_wrap (self->answer, TRUE);
  gtk_label_set_wrap (self->told, TRUE);
  gtk_label_set_wrap_mode (self->told, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (self->told, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->answer), "heading");
  gtk_widget_add_css_class (box, "reportfield");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->answer));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->told));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (result), FALSE);
  gtk_widget_set_focusable (result, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (result), box);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), most);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), result);
  return group;
}

static void
make_content (MtReasonsDialog *self)
{
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (self->model));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Reasons"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group),
                                         n_terms > 0 ? _("Plain-language reasons for the person affected. "
                                                         "Terms without one show the rule itself.")
                                                     : _("This model consists of the intercept only: there "
                                                         "is nothing to explain."));
  for (guint t = 0; t < n_terms; t++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_term_row (self, t));
  if (self->table != NULL)
    adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (make_example (self)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (self), box);
}

/* --- object --- */

static gboolean
mt_reasons_dialog_close_request (GtkWindow *window)
{
  mt_reasons_dialog_flush (MT_REASONS_DIALOG (window));
  return GTK_WINDOW_CLASS (mt_reasons_dialog_parent_class)->close_request (window);
}

static void
mt_reasons_dialog_dispose (GObject *object)
{
  MtReasonsDialog *self = MT_REASONS_DIALOG (object);

  g_clear_handle_id (&self->pause, g_source_remove);
  G_OBJECT_CLASS (mt_reasons_dialog_parent_class)->dispose (object);
}

static void
mt_reasons_dialog_finalize (GObject *object)
{
  MtReasonsDialog *self = MT_REASONS_DIALOG (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->table, mt_table_unref);
  g_ptr_array_unref (self->entries);
  G_OBJECT_CLASS (mt_reasons_dialog_parent_class)->finalize (object);
}

static void
mt_reasons_dialog_class_init (MtReasonsDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_reasons_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_reasons_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = mt_reasons_dialog_close_request;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
mt_reasons_dialog_init (MtReasonsDialog *self)
{
  self->entries = g_ptr_array_new ();
}

MtReasonsDialog *
mt_reasons_dialog_new (GtkWindow  *parent,
                       MtDocument *document,
                       MtModel    *model,
                       MtTable    *table)
{
  MtReasonsDialog *self = g_object_new (MT_TYPE_REASONS_DIALOG, "transient-for", parent, "modal", TRUE, "title",
                                        _("Reason Codes"), "default-width", 560, "default-height", 680,
                                        "width-request", 360, NULL);

  self->document = g_object_ref (document);
  self->model = mt_model_ref (model);
  self->table = table != NULL && mt_table_get_n_rows (table) > 0 ? mt_table_ref (table) : NULL;
  make_content (self);
  g_signal_connect_object (document, "notes-changed", G_CALLBACK (show_notes), self, G_CONNECT_SWAPPED);
  show_notes (self);
  return self;
}
