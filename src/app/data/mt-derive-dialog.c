/* A formula, a name, and what comes out in the first rows. Suggestions put a formula of the column that one came from into the
 * entry, as a start. See mt-derive-dialog.h. */
#include "config.h"
#include "mt-derive-dialog.h"

#include <glib/gi18n.h>

#define PREVIEW_ROWS  1000
#define PREVIEW_CELLS 5

struct _MtDeriveDialog {
  AdwWindow     parent_instance;

  MtDocument   *document;
  char         *old;          /* the derived column that is changed; NULL: a new one */
  char         *begun;        /* the column that one came from; NULL: none */
  GtkEditable  *formula;
  GtkEditable  *name;
  GtkLabel     *preview;
  GtkWidget    *suggestions;
  GtkWidget    *add;
  char         *shown_name;   /* what the column would be called; NULL: the formula is not complete */
};

G_DEFINE_FINAL_TYPE (MtDeriveDialog, mt_derive_dialog, ADW_TYPE_WINDOW)

/* By the type of the column, with its name as %s. */
static const struct {
  const char   *label;
  const char   *format;
  guint         types;    /* bits by MtColumnType */
} suggestions[] = {
  { N_("Month"), "month(%s)", 1 << MT_TYPE_DATE },
  { N_("Weekday"), "weekday(%s)", 1 << MT_TYPE_DATE },
  { N_("Year"), "year(%s)", 1 << MT_TYPE_DATE },
  { N_("Days Since"), "days_since(%s, 2026-01-01)", 1 << MT_TYPE_DATE },
  { N_("Ratio"), "%s / ", 1 << MT_TYPE_NUMBER },
  { N_("Difference"), "%s - ", 1 << MT_TYPE_NUMBER | 1 << MT_TYPE_DATE },
  { N_("Logarithm"), "log(%s)", 1 << MT_TYPE_NUMBER },
  { N_("Ranges"), "bins(%s, 10, 20)", 1 << MT_TYPE_NUMBER },
  { N_("Contains"), "contains(%s, \"text\")", 1 << MT_TYPE_CATEGORY | 1 << MT_TYPE_BOOLEAN | 1 << MT_TYPE_TEXT },
};

/* --- what comes out --- */

static char *
dup_first_cells (const MtColumn *column)
{
  GString *out = g_string_new (NULL);

  for (gsize row = 0; row < MIN (mt_column_get_n_rows (column), PREVIEW_CELLS); row++)
    {
      g_autofree char *text = mt_column_is_missing (column, row) ? g_strdup (_("missing")) : mt_column_dup_text (column, row);

      g_string_append_printf (out, "%s%s", row > 0 ? "; " : "", text);
    }
  return g_string_free (out, FALSE);
}

static gboolean
check_name (MtDeriveDialog  *self,
            const MtTable   *table,
            const char      *name,
            GError         **error)
{
  g_autofree char *folded = g_utf8_casefold (name, -1);

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const char *other = mt_column_get_name (mt_table_get_column (table, c));
      g_autofree char *folded_other = g_utf8_casefold (other, -1);

      if (g_strcmp0 (other, self->old) != 0 && g_str_equal (folded, folded_other))
        return mt_refuse (error, MT_ERROR_SCHEMA, _("There is already a column “%s”. Choose another name"), other);
    }
  return TRUE;
}

/* The first results, or NULL and what is wrong. Sets shown_name. */
static char *
dup_preview (MtDeriveDialog  *self,
             GError         **error)
{
  MtTable *table = mt_document_get_table (self->document);
  g_autoptr (MtFormula) formula = mt_formula_new (gtk_editable_get_text (self->formula), error);
  g_autoptr (MtFormula) bound = NULL;
  g_autoptr (MtColumn) column = NULL;
  g_autofree char *own = formula != NULL ? mt_formula_dup_name (formula) : NULL;
  g_autofree char *given = g_strstrip (g_strdup (gtk_editable_get_text (self->name)));
  g_autofree char *cells = NULL;
  const char *name = *given != '\0' ? given : own;

  g_clear_pointer (&self->shown_name, g_free);
  if (formula == NULL || (bound = mt_formula_bind_table (formula, name, table, error)) == NULL ||
      !check_name (self, table, name, error) ||
      (column = mt_formula_compute_head (bound, name, table, PREVIEW_ROWS, error)) == NULL)
    return NULL;
  self->shown_name = g_strdup (name);
  cells = dup_first_cells (column);
  if (mt_column_get_n_missing (column) == 0)
    /* Translators: name of a column, its first values */
    return g_strdup_printf (_("“%s”: %s, …"), name, cells);
  /* Translators: name of a column, its first values, number of missing ones among a number of rows */
  return g_strdup_printf (_("“%s”: %s, … (%zu of the first %zu missing)"), name, cells, mt_column_get_n_missing (column),
                          mt_column_get_n_rows (column));
}

static void
show_preview (MtDeriveDialog *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_empty = *gtk_editable_get_text (self->formula) == '\0';
  g_autofree char *preview = NULL;

  if (mt_document_get_table (self->document) == NULL)
    return;
  preview = dup_preview (self, &error);
  gtk_widget_set_sensitive (self->add, preview != NULL);
  if (preview == NULL && !is_empty)
    gtk_widget_add_css_class (GTK_WIDGET (self->preview), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->preview), "error");
  gtk_label_set_label (self->preview, is_empty ? _("The first results are shown here.") : preview != NULL ? preview : error->message);
}

gboolean
mt_derive_dialog_apply (MtDeriveDialog *self)
{
  g_autoptr (MtFormula) formula = NULL;

  g_return_val_if_fail (MT_IS_DERIVE_DIALOG (self), FALSE);

  show_preview (self);
  if (self->shown_name == NULL || mt_document_get_table (self->document) == NULL)
    return FALSE;
  formula = mt_formula_new (gtk_editable_get_text (self->formula), NULL);
  mt_document_derive (self->document, self->old, self->shown_name, mt_formula_get_text (formula));
  gtk_window_close (GTK_WINDOW (self));
  return TRUE;
}

void
mt_derive_dialog_set (MtDeriveDialog *self,
                      const char     *formula,
                      const char     *name)
{
  g_return_if_fail (MT_IS_DERIVE_DIALOG (self));

  gtk_editable_set_text (self->formula, formula);
  gtk_editable_set_text (self->name, name);
}

const char *
mt_derive_dialog_get_preview (MtDeriveDialog *self)
{
  g_return_val_if_fail (MT_IS_DERIVE_DIALOG (self), NULL);

  return gtk_label_get_label (self->preview);
}

/* --- suggestions --- */

static void
on_suggestion (GtkButton      *button,
               MtDeriveDialog *self)
{
  guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "index"));
  g_autofree char *name = mt_formula_quote_name (self->begun);
  g_auto (GStrv) parts = g_strsplit (suggestions[index].format, "%s", 2);
  g_autofree char *text = g_strconcat (parts[0], name, parts[1], NULL);

  gtk_editable_set_text (self->formula, text);
  gtk_widget_grab_focus (GTK_WIDGET (self->formula));
  gtk_editable_set_position (self->formula, -1);
}

static void
add_suggestions (MtDeriveDialog *self,
                 MtColumnType    type)
{
  for (guint i = 0; i < G_N_ELEMENTS (suggestions); i++)
    if ((suggestions[i].types >> type & 1) != 0)
      {
        GtkWidget *button = gtk_button_new_with_label (_(suggestions[i].label));

        g_object_set_data (G_OBJECT (button), "index", GUINT_TO_POINTER (i));
        g_signal_connect (button, "clicked", G_CALLBACK (on_suggestion), self);
        gtk_flow_box_append (GTK_FLOW_BOX (self->suggestions), button);
        gtk_widget_set_focusable (gtk_widget_get_parent (button), FALSE);
      }
  gtk_widget_set_visible (self->suggestions, gtk_widget_get_first_child (self->suggestions) != NULL);
}

/* --- object --- */

static void
mt_derive_dialog_finalize (GObject *object)
{
  MtDeriveDialog *self = MT_DERIVE_DIALOG (object);

  g_clear_object (&self->document);
  g_free (self->old);
  g_free (self->begun);
  g_free (self->shown_name);
  G_OBJECT_CLASS (mt_derive_dialog_parent_class)->finalize (object);
}

static void
mt_derive_dialog_class_init (MtDeriveDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_derive_dialog_finalize;
}

static GtkWidget *
make_label (const char *text,
            const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static void
add_header (MtDeriveDialog *self,
            GtkBox         *box)
{
  GtkWidget *bar = adw_header_bar_new (), *cancel = gtk_button_new_with_mnemonic (_("_Cancel"));

  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  self->add = gtk_button_new ();
  gtk_button_set_use_underline (GTK_BUTTON (self->add), TRUE);
  gtk_widget_add_css_class (self->add, "suggested-action");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "window.close");
  g_signal_connect_swapped (self->add, "clicked", G_CALLBACK (mt_derive_dialog_apply), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->add);
  gtk_box_append (box, bar);
}

static GtkEditable *
add_entry (MtDeriveDialog      *self,
           AdwPreferencesGroup *group,
           const char          *title)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_group_add (group, row);
  g_signal_connect_swapped (row, "changed", G_CALLBACK (show_preview), self);
  g_signal_connect_swapped (row, "entry-activated", G_CALLBACK (mt_derive_dialog_apply), self);
  return GTK_EDITABLE (row);
}

static void
mt_derive_dialog_init (MtDeriveDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *inner = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *scrolled = gtk_scrolled_window_new (), *group = adw_preferences_group_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  add_header (self, GTK_BOX (box));
  self->formula = add_entry (self, ADW_PREFERENCES_GROUP (group), _("Formula"));
  self->name = add_entry (self, ADW_PREFERENCES_GROUP (group), _("Name (if empty, the formula)"));
  self->suggestions = gtk_flow_box_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->suggestions), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->suggestions), 4);
  self->preview = GTK_LABEL (make_label ("", NULL));
  gtk_label_set_selectable (self->preview, TRUE);
  gtk_box_append (GTK_BOX (inner), self->suggestions);
  gtk_box_append (GTK_BOX (inner), group);
  gtk_box_append (GTK_BOX (inner), GTK_WIDGET (self->preview));
  gtk_box_append (GTK_BOX (inner), make_label (_("Refer to columns by name, with double quotes around names that "
                                                 "have spaces: “\"loan amount\" / income”. You can use + - * / and "
                                                 "parentheses; log(x) and abs(x); year(d), month(d), day(d), "
                                                 "weekday(d), and days_since(d, 2026-01-31) for dates; bins(x, 10, "
                                                 "20) for ranges; and contains(text, \"word\"). Division by zero "
                                                 "gives a missing value."), "dim-label"));
  gtk_widget_set_margin_start (inner, 18);
  gtk_widget_set_margin_end (inner, 18);
  gtk_widget_set_margin_top (inner, 12);
  gtk_widget_set_margin_bottom (inner, 18);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), inner);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

GtkWidget *
mt_derive_dialog_new (GtkWindow      *parent,
                      MtDocument     *document,
                      const MtColumn *column)
{
  MtFormula *formula = column != NULL ? mt_column_get_formula (column) : NULL;
  MtDeriveDialog *self;

  g_return_val_if_fail (MT_IS_DOCUMENT (document), NULL);

  self = g_object_new (MT_TYPE_DERIVE_DIALOG, "transient-for", parent, "modal", TRUE, "default-width", 480,
                       "default-height", 440, "title", formula != NULL ? _("Edit Formula") : _("Derive a Column"), NULL);
  self->document = g_object_ref (document);
  gtk_button_set_label (GTK_BUTTON (self->add), formula != NULL ? _("_Apply") : _("_Add"));
  if (formula != NULL)
    {
      self->old = g_strdup (mt_column_get_name (column));
      mt_derive_dialog_set (self, mt_formula_get_text (formula), self->old);
    }
  else if (column != NULL)
    self->begun = g_strdup (mt_column_get_name (column));
  if (self->begun != NULL)
    add_suggestions (self, mt_column_get_type (column));
  else
    gtk_widget_set_visible (self->suggestions, FALSE);
  show_preview (self);
  return GTK_WIDGET (self);
}
