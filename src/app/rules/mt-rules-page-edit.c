/* The part of editing that belongs to the Rules page: what is selected becomes the parts of an edit, and
 * what was edited is said above the rules. */
#include "config.h"
#include "mt-rules-page-private.h"

#include <glib/gi18n.h>
#include <math.h>

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
      g_autofree char *text = g_strdup_printf (ngettext ("Edited: %u edit. %s", "Edited: %u edits. Most "
                                                                                "recent: %s", n), n, last);

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
  if (kind == MT_EDIT_ADD_RULE)
    edit->to = NAN;      /* fitted, unless another is entered */
  if (!mt_edit_kind_is_of_term (kind))
    return TRUE;
  if (item == NULL || mt_term_item_get_term (item) < 0 ||
      (kind != MT_EDIT_DROP_RULE && kind != MT_EDIT_SET_WEIGHT && !mt_term_item_is_rule (item)))
    return FALSE;
  edit->term = (guint) mt_term_item_get_term (item);
  /* The term that is selected in the formula is meant. */
  if (kind == MT_EDIT_DROP_TERM && mt_rule_focus_get_form (focus) == MT_PHRASE_DNF &&
      mt_rule_focus_get_selected (focus, &part) == MT_FOCUS_TERM)
    edit->part = part;
  return TRUE;
}

/* --- the menu --- */

typedef enum {
  SELECTED_NOTHING,        /* or the intercept */
  SELECTED_COLUMN,
  SELECTED_RULE,
} Selected;

static Selected
find_selected (MtRulesPage *self)
{
  MtTermItem *item = mt_rule_list_get_selected (self->list);

  if (item == NULL || mt_term_item_get_term (item) < 0)
    return SELECTED_NOTHING;
  return mt_term_item_is_rule (item) ? SELECTED_RULE : SELECTED_COLUMN;
}

static void
append_edit (GMenu      *menu,
             const char *label,
             MtEditKind  kind)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "win.edit", "s", mt_edit_kind_to_string (kind));
  g_menu_append_item (menu, item);
}

/* First comes what can be done with what is selected, and no more than that: a numeric column has no inputs. Only when
 * it is another kind of thing, for one walks along the list quickly. */
void
_mt_rules_page_update_menu (MtRulesPage *self)
{
  Selected selected = find_selected (self);
  g_autoptr (GMenu) section = NULL;

  if (selected == self->menu_for || self->edit_menu == NULL)
    return;
  if (self->menu_for != SELECTED_NOTHING)
    g_menu_remove (self->edit_menu, 0);
  self->menu_for = selected;
  if (selected == SELECTED_NOTHING)
    return;
  section = g_menu_new ();
  if (selected == SELECTED_RULE)
    {
      append_edit (section, _("Set Wei_ght…"), MT_EDIT_SET_WEIGHT);
      append_edit (section, _("Set Thr_eshold…"), MT_EDIT_SET_THRESHOLD);
      append_edit (section, _("Remove R_ule…"), MT_EDIT_DROP_RULE);
      append_edit (section, _("Remove an Al_ternative…"), MT_EDIT_DROP_TERM);
      append_edit (section, _("Remove a Cond_ition…"), MT_EDIT_DROP_INPUT);
    }
  else
    {
      append_edit (section, _("Set Wei_ght…"), MT_EDIT_SET_WEIGHT);
      /* Translators: in the section "Selected linear term" */
      append_edit (section, _("Remove Line_ar Term…"), MT_EDIT_DROP_RULE);
    }
  g_menu_prepend_section (self->edit_menu,
                          selected == SELECTED_RULE ? _("Selected rule") : _("Selected linear term"),
                          G_MENU_MODEL (section));
}

GMenuModel *
mt_rules_page_get_edit_menu (MtRulesPage *self)
{
  g_return_val_if_fail (MT_IS_RULES_PAGE (self), NULL);
  return G_MENU_MODEL (self->edit_menu);
}

void
mt_rules_page_offer_edit (MtRulesPage *self,
                          gboolean     offer)
{
  GMenuModel *menu;

  g_return_if_fail (MT_IS_RULES_PAGE (self));

  menu = offer ? G_MENU_MODEL (self->edit_menu) : NULL;
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
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/minterm/Minterm/ui/edit-menu.ui");
  GtkGesture *gesture = gtk_gesture_click_new ();

  self->edit_menu = g_object_ref (G_MENU (gtk_builder_get_object (builder, "edit_menu")));
  self->edit_popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (self->edit_menu));
  gtk_widget_set_parent (self->edit_popover, GTK_WIDGET (self->list));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->edit_popover), FALSE);
  gtk_widget_set_halign (self->edit_popover, GTK_ALIGN_START);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (gesture, "pressed", G_CALLBACK (on_menu_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), GTK_EVENT_CONTROLLER (gesture));
}
