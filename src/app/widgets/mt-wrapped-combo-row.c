/* A combo row whose entries are shown whole, the chosen one below the title: a rule's term that is cut
 * before its threshold says nothing. See mt-wrapped-combo-row.h. */
#include "config.h"
#include "mt-wrapped-combo-row.h"

#define MOST_CHARS 32   /* of a line in the menu */

static void
show_check (AdwComboRow *row,
            GParamSpec  *pspec,
            GtkListItem *item)
{
  gtk_widget_set_opacity (gtk_widget_get_last_child (gtk_list_item_get_child (item)),
                          adw_combo_row_get_selected (row) == gtk_list_item_get_position (item));
}

/* In the menu: the chosen one has a check mark. */
static void
setup_offered (GtkSignalListItemFactory *factory,
               GtkListItem              *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("object-select-symbolic"));
  gtk_list_item_set_child (item, box);
}

static void
bind_offered (GtkSignalListItemFactory *factory,
              GtkListItem              *item,
              AdwComboRow              *row)
{
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (gtk_list_item_get_child (item))),
                       gtk_string_object_get_string (gtk_list_item_get_item (item)));
  g_signal_connect_object (row, "notify::selected", G_CALLBACK (show_check), item, 0);
  show_check (row, NULL, item);
}

static void
unbind_offered (GtkSignalListItemFactory *factory,
                GtkListItem              *item,
                AdwComboRow              *row)
{
  g_signal_handlers_disconnect_by_func (row, show_check, item);
}

static void
set_offered (AdwComboRow *row)
{
  g_autoptr (GtkListItemFactory) offered = gtk_signal_list_item_factory_new ();

  g_signal_connect (offered, "setup", G_CALLBACK (setup_offered), NULL);
  g_signal_connect (offered, "bind", G_CALLBACK (bind_offered), row);
  g_signal_connect (offered, "unbind", G_CALLBACK (unbind_offered), row);
  adw_combo_row_set_list_factory (row, offered);
}

void
mt_wrapped_combo_row_init (AdwComboRow *row)
{
  GtkExpression *text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

  g_return_if_fail (ADW_IS_COMBO_ROW (row));

  adw_combo_row_set_expression (row, text);
  gtk_expression_unref (text);
  adw_combo_row_set_use_subtitle (row, TRUE);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  set_offered (row);
}

static void
setup_chosen (GtkSignalListItemFactory *factory,
              GtkListItem              *item)
{
  gtk_list_item_set_child (item, gtk_label_new (NULL));
}

static void
bind_chosen (GtkSignalListItemFactory *factory,
             GtkListItem              *item)
{
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                       gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

void
mt_wrapped_combo_row_init_short (AdwComboRow *row)
{
  g_autoptr (GtkListItemFactory) chosen = gtk_signal_list_item_factory_new ();

  g_return_if_fail (ADW_IS_COMBO_ROW (row));

  g_signal_connect (chosen, "setup", G_CALLBACK (setup_chosen), NULL);
  g_signal_connect (chosen, "bind", G_CALLBACK (bind_chosen), NULL);
  set_offered (row);
  adw_combo_row_set_factory (row, chosen);
}
