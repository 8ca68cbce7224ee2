/* Asks which rows to show. See mt-row-test-dialog.h. A column of a few levels offers them; others take a text. */
#include "config.h"
#include "mt-row-test-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "util/mt-format.h"

#define MOST_LEVELS 500   /* more are entered */

static const struct {
  MtRowTestKind kind;
  const char   *label;
} kinds[] = {
  { MT_ROW_TEST_IS,       N_("is") },
  { MT_ROW_TEST_IS_NOT,   N_("is not") },
  { MT_ROW_TEST_CONTAINS, N_("contains") },
  { MT_ROW_TEST_AT_LEAST, N_("is at least") },
  { MT_ROW_TEST_AT_MOST,  N_("is at most") },
  { MT_ROW_TEST_MISSING,  N_("is missing") },
  { MT_ROW_TEST_PRESENT,  N_("is not missing") },
};

struct _MtRowTestDialog {
  AdwWindow       parent_instance;

  AdwComboRow    *kind;
  AdwComboRow    *level;
  GtkEditable    *value;
  GtkLabel       *problem;
  GtkWidget      *show;

  MtDocument     *document;
  char           *column;
  MtRowTestKind   offered[G_N_ELEMENTS (kinds)];
};

static guint chosen_signal;

G_DEFINE_FINAL_TYPE (MtRowTestDialog, mt_row_test_dialog, ADW_TYPE_WINDOW)

static const MtColumn *
find_column (MtRowTestDialog *self)
{
  MtTable *table = mt_document_get_table (self->document);

  return table != NULL ? mt_table_find_column (table, self->column, NULL) : NULL;
}

static MtRowTestKind
get_kind (MtRowTestDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->kind);

  return self->offered[selected < G_N_ELEMENTS (kinds) ? selected : 0];
}

static gboolean
picks_level (MtRowTestDialog *self)
{
  MtRowTestKind kind = get_kind (self);

  return adw_combo_row_get_model (self->level) != NULL && (kind == MT_ROW_TEST_IS || kind == MT_ROW_TEST_IS_NOT);
}

/* The value as the table writes it: on the screen, numbers have the decimal mark and the minus of the language. */
static char *
dup_value (MtRowTestDialog *self)
{
  const MtColumn *column = find_column (self);
  MtRowTestKind kind = get_kind (self);
  char *value;

  if (kind == MT_ROW_TEST_MISSING || kind == MT_ROW_TEST_PRESENT)
    return NULL;
  if (picks_level (self))
    {
      GtkStringObject *level = adw_combo_row_get_selected_item (self->level);

      return level != NULL ? g_strdup (gtk_string_object_get_string (level)) : NULL;
    }
  value = g_strdup (gtk_editable_get_text (self->value));
  if (column != NULL && mt_column_get_store (column) == MT_STORE_NUMBERS)
    {
      g_autoptr (GString) plain = g_string_new (g_strstrip (value));

      g_string_replace (plain, "−", "-", 0);
      if (mt_column_get_type (column) != MT_TYPE_DATE)
        g_string_replace (plain, mt_format_get_mark (), ".", 0);
      g_free (value);
      value = g_string_free (g_steal_pointer (&plain), FALSE);
    }
  return value;
}

static void
check (MtRowTestDialog *self)
{
  const MtColumn *column = find_column (self);
  MtRowTestKind kind = get_kind (self);
  gboolean takes_value = kind != MT_ROW_TEST_MISSING && kind != MT_ROW_TEST_PRESENT;
  gboolean is_empty = *gtk_editable_get_text (self->value) == '\0';
  g_autofree char *value = NULL;
  g_autoptr (GError) error = NULL;

  if (column == NULL)
    return;
  value = dup_value (self);
  gtk_widget_set_visible (GTK_WIDGET (self->level), takes_value && picks_level (self));
  gtk_widget_set_visible (GTK_WIDGET (self->value), takes_value && !picks_level (self));
  gtk_widget_set_sensitive (self->show, mt_row_test_check (column, kind, value, &error));
  /* Nothing was entered yet: no error. */
  gtk_label_set_label (self->problem, error == NULL || (is_empty && !picks_level (self)) ? "" : error->message);
}

gboolean
mt_row_test_dialog_apply (MtRowTestDialog *self)
{
  const MtColumn *column = find_column (self);
  g_autofree char *value = dup_value (self);

  g_return_val_if_fail (MT_IS_ROW_TEST_DIALOG (self), FALSE);

  if (column == NULL || !mt_row_test_check (column, get_kind (self), value, NULL))
    return FALSE;
  g_signal_emit (self, chosen_signal, 0, self->column, get_kind (self), value);
  gtk_window_close (GTK_WINDOW (self));
  return TRUE;
}

static void
select_level (MtRowTestDialog *self,
              const char      *value)
{
  GListModel *levels = adw_combo_row_get_model (self->level);

  for (guint i = 0; levels != NULL && i < g_list_model_get_n_items (levels); i++)
    if (g_strcmp0 (gtk_string_list_get_string (GTK_STRING_LIST (levels), i), value) == 0)
      adw_combo_row_set_selected (self->level, i);
}

void
mt_row_test_dialog_set (MtRowTestDialog *self,
                        MtRowTestKind    kind,
                        const char      *value)
{
  g_return_if_fail (MT_IS_ROW_TEST_DIALOG (self));

  for (guint i = 0; i < g_list_model_get_n_items (adw_combo_row_get_model (self->kind)); i++)
    if (self->offered[i] == kind)
      adw_combo_row_set_selected (self->kind, i);
  select_level (self, value);
  gtk_editable_set_text (self->value, value != NULL ? value : "");
  check (self);
}

const char *
mt_row_test_dialog_get_problem (MtRowTestDialog *self)
{
  return gtk_label_get_label (self->problem);
}

/* --- object --- */

static void
mt_row_test_dialog_finalize (GObject *object)
{
  MtRowTestDialog *self = MT_ROW_TEST_DIALOG (object);

  g_clear_object (&self->document);
  g_free (self->column);
  G_OBJECT_CLASS (mt_row_test_dialog_parent_class)->finalize (object);
}

static void
mt_row_test_dialog_class_init (MtRowTestDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_row_test_dialog_finalize;
  chosen_signal = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                G_TYPE_STRING, G_TYPE_UINT, G_TYPE_STRING);
}

static void
add_header (MtRowTestDialog *self,
            GtkBox          *box)
{
  GtkWidget *bar = adw_header_bar_new (), *cancel = gtk_button_new_with_mnemonic (_("_Cancel"));

  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  self->show = gtk_button_new_with_mnemonic (_("_Show"));
  gtk_widget_add_css_class (self->show, "suggested-action");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "window.close");
  g_signal_connect_swapped (self->show, "clicked", G_CALLBACK (mt_row_test_dialog_apply), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->show);
  gtk_box_append (box, bar);
}

static void
mt_row_test_dialog_init (MtRowTestDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *inner = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *group = adw_preferences_group_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  add_header (self, GTK_BOX (box));
  self->kind = ADW_COMBO_ROW (adw_combo_row_new ());
  self->level = ADW_COMBO_ROW (adw_combo_row_new ());
  self->value = GTK_EDITABLE (adw_entry_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->level), _("Value"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->value), _("Value"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->kind));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->level));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->value));
  self->problem = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->problem, TRUE);
  gtk_label_set_xalign (self->problem, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->problem), "error");
  gtk_box_append (GTK_BOX (inner), group);
  gtk_box_append (GTK_BOX (inner), GTK_WIDGET (self->problem));
  gtk_widget_set_margin_start (inner, 18);
  gtk_widget_set_margin_end (inner, 18);
  gtk_widget_set_margin_top (inner, 12);
  gtk_widget_set_margin_bottom (inner, 18);
  gtk_box_append (GTK_BOX (box), inner);
  adw_window_set_content (ADW_WINDOW (self), box);
  g_signal_connect_swapped (self->kind, "notify::selected", G_CALLBACK (check), self);
  g_signal_connect_swapped (self->level, "notify::selected", G_CALLBACK (check), self);
  g_signal_connect_swapped (self->value, "changed", G_CALLBACK (check), self);
  g_signal_connect_swapped (self->value, "entry-activated", G_CALLBACK (mt_row_test_dialog_apply), self);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* What makes sense for the column. */
static void
offer (MtRowTestDialog *self,
       const MtColumn  *column)
{
  g_autoptr (GtkStringList) labels = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) levels = gtk_string_list_new (NULL);
  gboolean numbers = mt_column_get_store (column) == MT_STORE_NUMBERS;
  guint n = 0;

  if (mt_column_get_store (column) == MT_STORE_CODES && mt_column_get_n_levels (column) <= MOST_LEVELS)
    {
      for (guint level = 0; level < mt_column_get_n_levels (column); level++)
        gtk_string_list_append (levels, mt_column_get_level (column, level));
      adw_combo_row_set_model (self->level, G_LIST_MODEL (levels));
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gboolean compares = kinds[i].kind == MT_ROW_TEST_AT_LEAST || kinds[i].kind == MT_ROW_TEST_AT_MOST;

      if (compares ? !numbers : numbers && kinds[i].kind == MT_ROW_TEST_CONTAINS)
        continue;
      self->offered[n++] = kinds[i].kind;
      gtk_string_list_append (labels, _(kinds[i].label));
    }
  adw_combo_row_set_model (self->kind, G_LIST_MODEL (labels));
}

GtkWidget *
mt_row_test_dialog_new (GtkWindow      *parent,
                        MtDocument     *document,
                        const MtColumn *column,
                        const char     *value)
{
  MtRowTestDialog *self;

  g_return_val_if_fail (MT_IS_DOCUMENT (document) && column != NULL, NULL);

  self = g_object_new (MT_TYPE_ROW_TEST_DIALOG, "transient-for", parent, "modal", TRUE, "default-width", 420,
                       "title", _("Show Rows Where"), NULL);
  self->document = g_object_ref (document);
  self->column = g_strdup (mt_column_get_name (column));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->kind), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->kind), self->column);
  offer (self, column);
  mt_row_test_dialog_set (self, self->offered[0], value);
  return GTK_WIDGET (self);
}
