/* What a model must not do, whatever the data say: columns that are never used, columns in which the score
 * may only rise or fall, no negated conditions. See mt-constraints-dialog.h. */
#include "config.h"
#include "mt-constraints-dialog.h"

#include <glib/gi18n.h>

#define MOST_COLUMNS 500   /* rows of a form that is still one; the Data page can ignore the others */

enum {
  FREE,
  BANNED,
  RISING,
  FALLING,
};

struct _MtConstraintsDialog {
  AdwWindow      parent_instance;
  MtConstraints *constraints;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtConstraintsDialog, mt_constraints_dialog, ADW_TYPE_WINDOW)

/* --- in words --- */

static void
append_columns (GString    *text,
                const char *format,
                char      **columns)
{
  g_autofree char *all = g_strjoinv (", ", columns);
  g_autoptr (GString) part = g_string_new (format);

  if (columns[0] == NULL)
    return;
  g_string_replace (part, "%s", all, 1);
  g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", part->str);
}

char *
mt_constraints_describe (const MtConstraints *constraints)
{
  g_auto (GStrv) banned = mt_constraints_dup_banned (constraints);
  g_auto (GStrv) rising = mt_constraints_dup_directed (constraints, MT_DIRECTION_RISING);
  g_auto (GStrv) falling = mt_constraints_dup_directed (constraints, MT_DIRECTION_FALLING);
  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: in all three, %s is a list of columns */
  append_columns (text, _("Excluded: %s"), banned);
  append_columns (text, _("Increasing only: %s"), rising);
  append_columns (text, _("Decreasing only: %s"), falling);
  if (mt_constraints_get_no_negation (constraints))
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", _("No negated conditions"));
  if (text->len == 0)
    g_string_append (text, _("None"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- the form --- */

/* Shared ones are not to be changed: a copy takes their place. */
static MtConstraints *
begin_change (MtConstraintsDialog *self)
{
  MtConstraints *copy = mt_constraints_copy (self->constraints);

  mt_constraints_unref (self->constraints);
  self->constraints = copy;
  return copy;
}

static void
on_column (AdwComboRow         *row,
           GParamSpec          *pspec,
           MtConstraintsDialog *self)
{
  const char *column = g_object_get_data (G_OBJECT (row), "column");
  guint choice = adw_combo_row_get_selected (row);
  MtConstraints *constraints = begin_change (self);

  mt_constraints_set_banned (constraints, column, choice == BANNED);
  mt_constraints_set_direction (constraints, column, choice == RISING ? MT_DIRECTION_RISING
                                                     : choice == FALLING ? MT_DIRECTION_FALLING : MT_DIRECTION_FREE);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_negation (GtkSwitch           *control,
             GParamSpec          *pspec,
             MtConstraintsDialog *self)
{
  mt_constraints_set_no_negation (begin_change (self), gtk_switch_get_active (control));
  g_signal_emit (self, changed_signal, 0);
}

static GtkWidget *
make_column_row (MtConstraintsDialog *self,
                 const MtColumn      *column)
{
  static const char * const choices[] = { N_("No constraint"), N_("Excluded"), N_("Increasing only"), N_("Decreasing "
                                                                                                         "only") };
  const char *name = mt_column_get_name (column);
  gboolean ordered = mt_column_get_store (column) != MT_STORE_CODES;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  GtkWidget *row = adw_combo_row_new ();
  MtDirection direction = mt_constraints_get_direction (self->constraints, name);
  guint selected = mt_constraints_is_banned (self->constraints, name) ? BANNED
                   : direction == MT_DIRECTION_RISING ? RISING : direction == MT_DIRECTION_FALLING ? FALLING : FREE;

  for (guint i = 0; i < (ordered ? G_N_ELEMENTS (choices) : 2); i++)
    gtk_string_list_append (names, _(choices[i]));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), selected);
  g_object_set_data_full (G_OBJECT (row), "column", g_strdup (name), g_free);
  g_signal_connect (row, "notify::selected", G_CALLBACK (on_column), self);
  return row;
}

static GtkWidget *
make_columns (MtConstraintsDialog *self,
              MtTable             *table)
{
  GtkWidget *group = adw_preferences_group_new ();
  guint n = 0;

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Columns"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group),
                                         _("Increasing only: a higher value never lowers the score, other "
                                           "columns being equal. Missing values are exempt."));
  for (guint i = 0; i < mt_table_get_n_columns (table) && n < MOST_COLUMNS; i++)
    if (mt_table_get_role (table, i) == MT_ROLE_FEATURE)
      {
        adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                                   make_column_row (self, mt_table_get_column (table, i)));
        n++;
      }
  return group;
}

static GtkWidget *
make_negation (MtConstraintsDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *control = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("No _negated conditions"));
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _("Rules never contain “not” conditions"));
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  gtk_switch_set_active (GTK_SWITCH (control), mt_constraints_get_no_negation (self->constraints));
  g_signal_connect (control, "notify::active", G_CALLBACK (on_negation), self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

MtConstraints *
mt_constraints_dialog_get (MtConstraintsDialog *self)
{
  g_return_val_if_fail (MT_IS_CONSTRAINTS_DIALOG (self), NULL);
  return self->constraints;
}

static void
mt_constraints_dialog_finalize (GObject *object)
{
  mt_constraints_unref (MT_CONSTRAINTS_DIALOG (object)->constraints);
  G_OBJECT_CLASS (mt_constraints_dialog_parent_class)->finalize (object);
}

static void
mt_constraints_dialog_class_init (MtConstraintsDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_constraints_dialog_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
mt_constraints_dialog_init (MtConstraintsDialog *self)
{
}

MtConstraintsDialog *
mt_constraints_dialog_new (GtkWindow           *parent,
                           MtTable             *table,
                           const MtConstraints *constraints)
{
  MtConstraintsDialog *self = g_object_new (MT_TYPE_CONSTRAINTS_DIALOG, "transient-for", parent, "modal", TRUE,
                                            "title", _("Constraints"), "default-width", 520, "default-height", 620,
                                            NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();

  self->constraints = constraints != NULL ? mt_constraints_copy (constraints) : mt_constraints_new ();
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (make_negation (self)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (make_columns (self, table)));
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (self), box);
  return self;
}
