/* The columns of the rule table: what their cells say, and how they sort. */
#include "config.h"
#include "mt-rule-list-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "util/mt-format.h"
#include "mt-outcome-bars.h"
#include "util/mt-theme.h"

/* --- cells --- */

static MtTermItem *
item_of (GtkListItem *cell)
{
  return MT_TERM_ITEM (gtk_list_item_get_item (cell));
}

/* What does not apply to the row of What-if stands back. */
static void
dim (MtTermItem *item,
     GtkWidget  *widget)
{
  gtk_widget_set_opacity (widget, mt_term_item_get_applies (item) ? 1 : 0.5);
}

static void
follow_applies (GtkListItem *cell)
{
  dim (item_of (cell), gtk_list_item_get_child (cell));
  g_signal_connect_object (item_of (cell), "applies-changed", G_CALLBACK (dim), gtk_list_item_get_child (cell), 0);
}

static void
unbind_dimmed (GtkSignalListItemFactory *factory,
               GtkListItem              *cell,
               MtRuleList               *self)
{
  g_signal_handlers_disconnect_by_func (item_of (cell), dim, gtk_list_item_get_child (cell));
}

static void
setup_weight (GtkSignalListItemFactory *factory,
              GtkListItem              *cell,
              MtRuleList               *self)
{
  gtk_list_item_set_child (cell, mt_weight_cell_new ());
}

static void
bind_weight (GtkSignalListItemFactory *factory,
             GtkListItem              *cell,
             MtRuleList               *self)
{
  mt_weight_cell_bind (MT_WEIGHT_CELL (gtk_list_item_get_child (cell)), item_of (cell), &self->room);
  follow_applies (cell);
}

/* The number that What-if, the truth table and the report call it by, then the rule. */
static void
setup_rule (GtkSignalListItemFactory *factory,
            GtkListItem              *cell,
            MtRuleList               *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *number = gtk_label_new (NULL), *label = gtk_label_new (NULL);
  PangoAttrList *plain = pango_attr_list_new ();

  gtk_label_set_xalign (GTK_LABEL (number), 1);
  gtk_widget_set_valign (number, GTK_ALIGN_START);
  gtk_widget_add_css_class (number, "numeric");
  gtk_widget_add_css_class (number, "dim-label");
  gtk_box_append (GTK_BOX (box), number);
  pango_attr_list_insert (plain, pango_attr_insert_hyphens_new (FALSE));     /* they would read as part of a name */
  gtk_label_set_attributes (GTK_LABEL (label), plain);
  pango_attr_list_unref (plain);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 8);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (cell, box);
}

/* As wide for every rule, so that they stand below each other. */
static void
show_rule_number (MtRuleList *self,
                  MtTermItem *item,
                  GtkLabel   *label)
{
  guint n_rules = mt_rule_set_get_n_rules (mt_rule_book_get_rules (self->book));
  g_autofree char *widest = g_strdup_printf ("%u", n_rules);
  g_autofree char *text = NULL;
  g_autofree char *title = NULL;

  gtk_widget_set_visible (GTK_WIDGET (label), n_rules > 0);
  gtk_label_set_width_chars (label, (int) strlen (widest));
  if (!mt_term_item_is_rule (item))
    {
      gtk_label_set_label (label, "");
      gtk_accessible_reset_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL);
      return;
    }
  text = g_strdup_printf ("%u", mt_rule_book_get_number (self->book, (guint) mt_term_item_get_term (item)));
  title = mt_term_item_dup_title (item);
  gtk_label_set_label (label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

static void
bind_rule (GtkSignalListItemFactory *factory,
           GtkListItem              *cell,
           MtRuleList               *self)
{
  GtkWidget *number = gtk_widget_get_first_child (gtk_list_item_get_child (cell));
  GtkLabel *label = GTK_LABEL (gtk_widget_get_next_sibling (number));
  g_autofree char *markup = mt_term_item_dup_markup (item_of (cell), mt_theme_get_name_color ());

  show_rule_number (self, item_of (cell), GTK_LABEL (number));
  if (self->narrow && mt_term_item_get_term (item_of (cell)) >= 0)
    {
      g_autofree char *detail = mt_term_item_dup_detail (item_of (cell));
      g_autofree char *escaped = g_markup_escape_text (detail, -1);
      g_autofree char *both = g_strdup_printf ("%s\n<span size=\"small\" alpha=\"60%%\">%s</span>", markup, escaped);

      gtk_label_set_markup (label, both);
    }
  else
    gtk_label_set_markup (label, markup);
  follow_applies (cell);
}

static void
setup_number (GtkSignalListItemFactory *factory,
              GtkListItem              *cell,
              MtRuleList               *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (cell, label);
}

/* A number, and what it is of or relates to below. */
static void
set_number (GtkListItem *cell,
            const char  *number,
            const char  *below)
{
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (cell));

  if (below == NULL)
    gtk_label_set_text (label, number);
  else
    {
      g_autofree char *markup = g_markup_printf_escaped ("%s\n<span size=\"small\" alpha=\"60%%\">%s</span>", number,
                                                         below);

      gtk_label_set_markup (label, markup);
    }
}

static void
bind_support (GtkSignalListItemFactory *factory,
              GtkListItem              *cell,
              MtRuleList               *self)
{
  MtTermItem *item = item_of (cell);
  gsize n_rows = mt_rule_book_get_n_rows (self->book), support = mt_term_item_get_support (item);
  g_autofree char *count = mt_format_count (support);
  g_autofree char *share = n_rows > 0 ? mt_format_rate ((double) support / (double) n_rows) : NULL;

  set_number (cell, n_rows > 0 ? count : "–", share);
}

/* Of three classes or more a line each, otherwise one number. Which it is changes with the model, cell by cell. */
static void
bind_hit (GtkSignalListItemFactory *factory,
          GtkListItem              *cell,
          MtRuleList               *self)
{
  MtTermItem *item = item_of (cell);
  guint n_classes = mt_rule_book_get_n_classes (self->book);
  gboolean several = n_classes > 2 && mt_rule_book_has_rows (self->book);
  g_autofree char *number = NULL;
  g_autofree char *all = NULL;

  if (several != MT_IS_OUTCOME_BARS (gtk_list_item_get_child (cell)))
    {
      if (several)
        gtk_list_item_set_child (cell, mt_outcome_bars_new ());
      else
        setup_number (factory, cell, self);
    }
  if (several)
    {
      mt_outcome_bars_bind (MT_OUTCOME_BARS (gtk_list_item_get_child (cell)), item);
      return;
    }
  if (!mt_rule_book_has_rows (self->book) || mt_term_item_get_support (item) == 0)
    number = g_strdup ("–");
  else if (n_classes == 0)
    number = mt_format_target (self->book, mt_term_item_get_hit (item, 0));
  else
    number = mt_format_rate (mt_term_item_get_hit (item, mt_term_item_get_main_class (item)));
  all = mt_term_item_dup_hits (item);
  set_number (cell, number, NULL);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (cell), all);
  if (all != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_list_item_get_child (cell)),
                                    GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, all, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (gtk_list_item_get_child (cell)),
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

static void
bind_literals (GtkSignalListItemFactory *factory,
               GtkListItem              *cell,
               MtRuleList               *self)
{
  g_autofree char *count = mt_format_count (mt_term_item_get_n_literals (item_of (cell)));

  set_number (cell, count, NULL);
}

/* --- what applies to a row of What-if --- */

static void
show_applies (MtTermItem *item,
              GtkWidget  *label)
{
  gboolean applies = mt_term_item_get_applies (item);

  gtk_label_set_label (GTK_LABEL (label), applies ? "✓" : "–");
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  applies ? _("applies") : _("does not apply"), -1);
  if (applies)
    gtk_widget_add_css_class (label, "applies");
  else
    gtk_widget_remove_css_class (label, "applies");
}

static void
bind_applies (GtkSignalListItemFactory *factory,
              GtkListItem              *cell,
              MtRuleList               *self)
{
  GtkWidget *label = gtk_list_item_get_child (cell);

  show_applies (item_of (cell), label);
  g_signal_connect_object (item_of (cell), "applies-changed", G_CALLBACK (show_applies), label, 0);
}

static void
unbind_applies (GtkSignalListItemFactory *factory,
                GtkListItem              *cell,
                MtRuleList               *self)
{
  g_signal_handlers_disconnect_by_func (item_of (cell), show_applies, gtk_list_item_get_child (cell));
}

static double
applies_key (MtTermItem *item)
{
  return mt_term_item_get_applies (item);
}

/* --- order --- */

typedef double (*KeyFunc) (MtTermItem *item);

static double
weight_key (MtTermItem *item)
{
  MtRuleBook *book = mt_term_item_get_book (item);

  /* Of several outputs how much it weighs; of one, with its sign. */
  if (mt_rule_book_get_task (book) == MT_TASK_MULTICLASS)
    return mt_term_item_get_strength (item);
  return mt_rule_set_get_term (mt_rule_book_get_rules (book), (guint) mt_term_item_get_term (item))->weights[0];
}

static double
number_key (MtTermItem *item)
{
  return mt_term_item_get_term (item);
}

static double
support_key (MtTermItem *item)
{
  return (double) mt_term_item_get_support (item);
}

static double
hit_key (MtTermItem *item)
{
  guint n_classes = mt_rule_book_get_n_classes (mt_term_item_get_book (item));

  return mt_term_item_get_hit (item, n_classes > 0 ? mt_term_item_get_main_class (item) : 0);
}

static double
literals_key (MtTermItem *item)
{
  return mt_term_item_get_n_literals (item);
}

static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer      key)
{
  double x = ((KeyFunc) key) ((gpointer) a), y = ((KeyFunc) key) ((gpointer) b);

  return x < y ? GTK_ORDERING_SMALLER : x > y ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static GtkColumnViewColumn *
add_column (MtRuleList *self,
            const char *title,
            GCallback   setup,
            GCallback   bind,
            GCallback   unbind,
            KeyFunc     key,
            gboolean    expand)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column;
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, (gpointer) key, NULL));

  g_signal_connect (factory, "setup", setup, self);
  g_signal_connect (factory, "bind", bind, self);
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_expand (column, expand);
  if (unbind != NULL)
    g_signal_connect (factory, "unbind", unbind, self);
  gtk_column_view_append_column (self->table, column);
  g_object_unref (column);   /* the table keeps it */
  return column;
}

/* Heads of numbers stand above the numbers. A column view has no word for that, so its title widgets
 * are announced one by one. */
static void
align_heads (MtRuleList *self)
{
  GtkWidget *head = gtk_widget_get_first_child (GTK_WIDGET (self->table));
  guint i = 0;

  for (GtkWidget *title = gtk_widget_get_first_child (head); title != NULL; title = gtk_widget_get_next_sibling (title))
    if (i++ >= 2 && gtk_widget_get_first_child (title) != NULL)
      gtk_widget_set_halign (gtk_widget_get_first_child (title), GTK_ALIGN_END);
}

void
_mt_rule_list_add_columns (MtRuleList *self)
{
  add_column (self, _("Weight"), G_CALLBACK (setup_weight), G_CALLBACK (bind_weight),
              G_CALLBACK (unbind_dimmed), weight_key, FALSE);
  add_column (self, _("Rule"), G_CALLBACK (setup_rule), G_CALLBACK (bind_rule), G_CALLBACK (unbind_dimmed), number_key,
              TRUE);
  self->hidden[0] = add_column (self, _("Support"), G_CALLBACK (setup_number), G_CALLBACK (bind_support), NULL,
                                support_key, FALSE);
  self->hidden[1] = self->hit_column = add_column (self, _("Class share"), G_CALLBACK (setup_number),
                                                   G_CALLBACK (bind_hit), NULL, hit_key, FALSE);
  self->hidden[2] = add_column (self, _("Literals"), G_CALLBACK (setup_number), G_CALLBACK (bind_literals), NULL,
                                literals_key, FALSE);
  self->applies = add_column (self, _("Applies"), G_CALLBACK (setup_number), G_CALLBACK (bind_applies),
                              G_CALLBACK (unbind_applies), applies_key, FALSE);
  gtk_column_view_column_set_visible (self->applies, FALSE);
  align_heads (self);
}
