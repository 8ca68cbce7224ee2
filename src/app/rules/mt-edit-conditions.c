/* The conditions of a new rule, chosen row by row. See mt-edit-conditions.h. */
#include "config.h"
#include "mt-edit-conditions.h"

#include <glib/gi18n.h>
#include <string.h>

#include "widgets/mt-wrapped-combo-row.h"

typedef struct {
  MtEditConditions *all;
  AdwComboRow      *column, *what;
} Condition;

struct _MtEditConditions {
  AdwPreferencesGroup *group;       /* borrowed */
  MtEncoder           *encoder;
  GArray              *columns;     /* of guint: those with conditions */
  Condition            conditions[MT_EDIT_MAX_CONDITIONS];
  guint                n;
  GtkWidget           *buttons;     /* the last row: one more, one less */
  GtkWidget           *more, *less;
  gboolean             filling;
  void               (*changed) (gpointer data);
  gpointer             data;
};

static guint
get_column (const Condition *condition)
{
  return g_array_index (condition->all->columns, guint, adw_combo_row_get_selected (condition->column));
}

/* Each condition of the column, true and false. */
static void
offer_conditions (Condition *condition)
{
  const MtEncoder *encoder = condition->all->encoder;
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    for (guint negated = 0; negated < 2 && mt_encoder_get_literal (encoder, l)->column == get_column (condition); negated++)
      {
        g_autofree char *text = g_strchug (mt_phrase_dup_rest (encoder, l, negated, TRUE));

        gtk_string_list_append (list, text);
      }
  adw_combo_row_set_model (condition->what, G_LIST_MODEL (list));
}

static void
on_column (Condition *condition)
{
  MtEditConditions *self = condition->all;

  if (self->filling)
    return;
  self->filling = TRUE;
  offer_conditions (condition);
  self->filling = FALSE;
  self->changed (self->data);
}

static void
on_what (Condition *condition)
{
  if (!condition->all->filling)
    condition->all->changed (condition->all->data);
}

static AdwComboRow *
add_row (MtEditConditions *self,
         const char       *title,
         guint             number)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autofree char *name = g_strdup_printf ("%s-%u", title, number);

  mt_wrapped_combo_row_init (ADW_COMBO_ROW (row));
  gtk_widget_set_name (row, name);
  adw_preferences_group_add (self->group, row);
  return ADW_COMBO_ROW (row);
}

static void
update_buttons (MtEditConditions *self)
{
  gtk_widget_set_sensitive (self->more, self->n < MT_EDIT_MAX_CONDITIONS);
  gtk_widget_set_visible (self->less, self->n > 1);
  if (gtk_widget_get_parent (self->buttons) != NULL)
    {
      g_object_ref (self->buttons);
      adw_preferences_group_remove (self->group, self->buttons);
      adw_preferences_group_add (self->group, self->buttons);      /* below the new row */
      g_object_unref (self->buttons);
    }
}

static void
add_condition (MtEditConditions *self,
               guint             selected)
{
  Condition *condition = &self->conditions[self->n++];
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *title = g_strdup_printf (_("Condition %u: Column"), self->n);

  self->filling = TRUE;
  for (guint i = 0; i < self->columns->len; i++)
    gtk_string_list_append (names, mt_encoder_get_column_name (self->encoder, g_array_index (self->columns, guint, i)));
  *condition = (Condition) { self, add_row (self, "column", self->n), NULL };
  condition->what = add_row (self, "condition", self->n);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (condition->column), title);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (condition->what), _("Applies if"));
  adw_combo_row_set_model (condition->column, G_LIST_MODEL (names));
  adw_combo_row_set_selected (condition->column, selected);
  offer_conditions (condition);
  g_signal_connect_swapped (condition->column, "notify::selected", G_CALLBACK (on_column), condition);
  g_signal_connect_swapped (condition->what, "notify::selected", G_CALLBACK (on_what), condition);
  update_buttons (self);
  self->filling = FALSE;
}

static void
on_more (MtEditConditions *self)
{
  guint last = adw_combo_row_get_selected (self->conditions[self->n - 1].column);

  add_condition (self, (last + 1) % self->columns->len);
  self->changed (self->data);
}

static void
on_less (MtEditConditions *self)
{
  Condition *gone = &self->conditions[--self->n];

  adw_preferences_group_remove (self->group, GTK_WIDGET (gone->column));
  adw_preferences_group_remove (self->group, GTK_WIDGET (gone->what));
  update_buttons (self);
  self->changed (self->data);
}

static GtkWidget *
make_button (MtEditConditions *self,
             const char       *label,
             const char       *name,
             GCallback         clicked)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_name (button, name);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  g_signal_connect_swapped (button, "clicked", clicked, self);
  return button;
}

MtEditConditions *
mt_edit_conditions_new (AdwPreferencesGroup *group,
                        const MtEncoder     *encoder,
                        const char          *column,
                        void               (*changed) (gpointer data),
                        gpointer             data)
{
  MtEditConditions *self = g_new0 (MtEditConditions, 1);
  guint selected = 0;

  self->group = group;
  self->encoder = mt_encoder_ref ((MtEncoder *) encoder);
  self->columns = g_array_new (FALSE, FALSE, sizeof (guint));
  self->changed = changed;
  self->data = data;
  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    {
      guint of = mt_encoder_get_literal (encoder, l)->column;

      if (self->columns->len > 0 && g_array_index (self->columns, guint, self->columns->len - 1) == of)
        continue;
      if (g_strcmp0 (mt_encoder_get_column_name (encoder, of), column) == 0)
        selected = self->columns->len;
      g_array_append_val (self->columns, of);
    }
  self->buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->more = make_button (self, _("Add _Condition"), "more-conditions", G_CALLBACK (on_more));
  self->less = make_button (self, _("Remove _Last"), "fewer-conditions", G_CALLBACK (on_less));
  gtk_box_append (GTK_BOX (self->buttons), self->more);
  gtk_box_append (GTK_BOX (self->buttons), self->less);
  if (self->columns->len > 0)
    add_condition (self, selected);
  adw_preferences_group_add (group, self->buttons);
  return self;
}

void
mt_edit_conditions_free (MtEditConditions *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    {
      g_signal_handlers_disconnect_by_data (self->conditions[i].column, &self->conditions[i]);
      g_signal_handlers_disconnect_by_data (self->conditions[i].what, &self->conditions[i]);
    }
  g_signal_handlers_disconnect_by_data (self->more, self);
  g_signal_handlers_disconnect_by_data (self->less, self);
  g_array_unref (self->columns);
  mt_encoder_unref (self->encoder);
  g_free (self);
}

void
mt_edit_conditions_fill (const MtEditConditions *self,
                         MtEdit                 *edit)
{
  edit->n_literals = 0;
  edit->negated = 0;
  for (guint i = 0; i < self->n; i++)
    {
      guint at = adw_combo_row_get_selected (self->conditions[i].what), first = 0;

      while (mt_encoder_get_literal (self->encoder, first)->column != get_column (&self->conditions[i]))
        first++;
      edit->negated |= (at % 2) << i;
      edit->literals[edit->n_literals++] = first + at / 2;
    }
}
