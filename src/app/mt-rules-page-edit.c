/* Editing, as far as the Rules page has to do with it: what is selected becomes the parts of an edit, and
 * what was edited is said above the rules. */
#include "config.h"
#include "mt-rules-page-private.h"

#include <glib/gi18n.h>

#include "mt-edit-words.h"

const MtEditRecord *
mt_rules_page_get_edits (MtRulesPage *self,
                         guint       *n)
{
  const MtModelInfo *info = self->model != NULL ? mt_model_get_info (self->model) : NULL;
  MtEditHistory *history = self->shown != NULL ? self->shown->history : NULL;

  *n = info != NULL ? info->n_edits : history != NULL ? mt_edit_history_get_n (history) : 0;
  return *n == 0 ? NULL : info != NULL ? info->edits : mt_edit_history_get (history, 0);
}

void
_mt_rules_page_show_edited (MtRulesPage *self)
{
  guint n;
  const MtEditRecord *edits = mt_rules_page_get_edits (self, &n);

  gtk_revealer_set_reveal_child (self->edited, self->book != NULL && n > 0);
  if (n > 0)
    {
      g_autofree char *last = mt_edit_record_describe (&edits[n - 1]);
      g_autofree char *text = g_strdup_printf (ngettext ("Edited by hand: %u edit. %s", "Edited by hand: %u edits. "
                                                         "The last: %s", n), n, last);

      gtk_label_set_label (self->edited_text, text);
    }
}

/* The column that the list is filtered by is none of our business; the first one of the rule is. */
static const char *
column_of_rule (MtRulesPage *self,
                MtTermItem  *item)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  const MtTerm *term;

  if (item == NULL || mt_term_item_get_term (item) < 0)
    return NULL;
  term = mt_rule_set_get_term (mt_rule_book_get_rules (self->book), (guint) mt_term_item_get_term (item));
  return mt_encoder_get_column_name (encoder, term->is_numeric
                                     ? mt_term_get_unary (term, encoder)->column
                                     : mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[0])->column);
}

gboolean
mt_rules_page_make_edit (MtRulesPage *self,
                         MtEditKind   kind,
                         MtEdit      *edit)
{
  MtTermItem *item = mt_rule_list_get_selected (self->list);
  MtRuleFocus *focus = mt_rule_inspector_get_focus (self->inspector);
  guint32 part = 0;

  *edit = (MtEdit) { .kind = kind, .decimals = 2 };
  if (self->book == NULL)
    return FALSE;
  edit->column = column_of_rule (self, item);
  if (kind > MT_EDIT_DROP_INPUT)
    return TRUE;
  if (item == NULL || mt_term_item_get_term (item) < 0 || (kind != MT_EDIT_DROP_RULE && !mt_term_item_is_rule (item)))
    return FALSE;
  edit->term = (guint) mt_term_item_get_term (item);
  /* The term that is selected in the formula is meant. */
  if (kind == MT_EDIT_DROP_TERM && mt_rule_focus_get_form (focus) == MT_PHRASE_DNF &&
      mt_rule_focus_get_selected (focus, &part) == MT_FOCUS_TERM)
    edit->part = part;
  return TRUE;
}

GMenuModel *
mt_rules_page_dup_edit_menu (void)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/minterm/Minterm/ui/edit-menu.ui");

  return g_object_ref (G_MENU_MODEL (gtk_builder_get_object (builder, "edit_menu")));
}

void
mt_rules_page_offer_edit (MtRulesPage *self,
                          gboolean     offer)
{
  g_autoptr (GMenuModel) menu = offer ? mt_rules_page_dup_edit_menu () : NULL;

  g_return_if_fail (MT_IS_RULES_PAGE (self));

  mt_rule_list_set_menu (self->list, menu);
  mt_rule_head_set_menu (self->head, menu);
}

/* A popover over the list, where it was asked for: by the pointer, or by the keyboard at the list. */
static void
show_edit_menu (MtRulesPage *self,
                double       x,
                double       y)
{
  const GdkRectangle at = { (int) x, (int) y, 1, 1 };

  if (self->book == NULL)
    return;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->edit_popover), &at);
  gtk_popover_popup (GTK_POPOVER (self->edit_popover));
}

static void
on_menu_pressed (MtRulesPage *self,
                 int          n_press,
                 double       x,
                 double       y)
{
  show_edit_menu (self, x, y);
}

static void
action_edit_menu (GtkWidget  *widget,
                  const char *name,
                  GVariant   *parameter)
{
  MtRulesPage *self = MT_RULES_PAGE (widget);

  show_edit_menu (self, gtk_widget_get_width (GTK_WIDGET (self->list)) / 2.0,
                  gtk_widget_get_height (GTK_WIDGET (self->list)) / 3.0);
}

void
_mt_rules_page_class_init_edit (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "rules.edit-menu", NULL, action_edit_menu);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "win.edit", "s", "drop-rule");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "rules.edit-menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "rules.edit-menu", NULL);
}

/* The menu that the pencil in the header bar has, too. */
void
_mt_rules_page_init_edit (MtRulesPage *self)
{
  g_autoptr (GMenuModel) menu = mt_rules_page_dup_edit_menu ();
  GtkGesture *gesture = gtk_gesture_click_new ();

  self->edit_popover = gtk_popover_menu_new_from_model (menu);
  gtk_widget_set_parent (self->edit_popover, GTK_WIDGET (self->list));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->edit_popover), FALSE);
  gtk_widget_set_halign (self->edit_popover, GTK_ALIGN_START);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (gesture, "pressed", G_CALLBACK (on_menu_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), GTK_EVENT_CONTROLLER (gesture));
}
