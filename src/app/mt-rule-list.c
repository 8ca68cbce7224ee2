#include "config.h"
#include "mt-rule-list.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-format.h"
#include "mt-preferences.h"
#include "mt-theme.h"
#include "mt-weight-cell.h"

struct _MtRuleList {
  AdwBin               parent_instance;

  /* template children */
  GtkSearchEntry      *search;
  GtkDropDown         *columns;
  GtkColumnView       *table;
  GtkLabel            *totals;
  GtkLabel            *note;

  MtRuleBook          *book;
  GListStore          *bias;         /* the intercept, above whatever order */
  GListStore          *terms;
  GtkCustomFilter     *filter;
  GtkSingleSelection  *selection;
  GtkColumnViewColumn *hit_column;
  GtkColumnViewColumn *hidden[3];    /* when narrow */
  GArray              *used;         /* encoder's columns in the filter, from its second line on */
  double               most;
  gboolean             narrow;
  gboolean             filling;
};

static guint opened_signal;

G_DEFINE_FINAL_TYPE (MtRuleList, mt_rule_list, ADW_TYPE_BIN)

/* --- cells --- */

static MtTermItem *
item_of (GtkListItem *cell)
{
  return MT_TERM_ITEM (gtk_list_item_get_item (cell));
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
  mt_weight_cell_bind (MT_WEIGHT_CELL (gtk_list_item_get_child (cell)), item_of (cell), self->most);
}

static void
setup_rule (GtkSignalListItemFactory *factory,
            GtkListItem              *cell,
            MtRuleList               *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 8);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_list_item_set_child (cell, label);
}

static void
bind_rule (GtkSignalListItemFactory *factory,
           GtkListItem              *cell,
           MtRuleList               *self)
{
  g_autofree char *markup = mt_term_item_dup_markup (item_of (cell), mt_theme_get_name_color ());

  if (self->narrow && mt_term_item_get_term (item_of (cell)) >= 0)
    {
      g_autofree char *detail = mt_term_item_dup_detail (item_of (cell));
      g_autofree char *escaped = g_markup_escape_text (detail, -1);
      g_autofree char *both = g_strdup_printf ("%s\n<span size=\"small\" alpha=\"60%%\">%s</span>", markup, escaped);

      gtk_label_set_markup (GTK_LABEL (gtk_list_item_get_child (cell)), both);
    }
  else
    gtk_label_set_markup (GTK_LABEL (gtk_list_item_get_child (cell)), markup);
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
  g_autofree char *share = n_rows > 0 ? mt_format_percent ((double) support / (double) n_rows) : NULL;

  set_number (cell, n_rows > 0 ? count : "–", share);
}

static void
bind_hit (GtkSignalListItemFactory *factory,
          GtkListItem              *cell,
          MtRuleList               *self)
{
  MtTermItem *item = item_of (cell);
  guint n_classes = mt_rule_book_get_n_classes (self->book);
  const char * const *classes = mt_rule_book_get_classes (self->book);
  g_autoptr (GString) all = g_string_new (NULL);

  if (!mt_rule_book_has_rows (self->book) || mt_term_item_get_support (item) == 0)
    {
      set_number (cell, "–", NULL);
      gtk_widget_set_tooltip_text (gtk_list_item_get_child (cell), NULL);
      return;
    }
  if (n_classes == 0)
    {
      g_autofree char *mean = mt_format_short (mt_term_item_get_hit (item, 0));

      set_number (cell, mean, NULL);
    }
  else
    {
      guint class = mt_term_item_get_main_class (item);
      g_autofree char *share = mt_format_percent (mt_term_item_get_hit (item, class));

      set_number (cell, share, n_classes > 2 ? classes[class] : NULL);
      for (guint c = 0; c < n_classes; c++)
        {
          g_autofree char *each = mt_format_percent (mt_term_item_get_hit (item, c));

          g_string_append_printf (all, "%s%s: %s", c > 0 ? "\n" : "", classes[c], each);
        }
    }
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (cell), all->len > 0 ? all->str : NULL);
}

static void
bind_literals (GtkSignalListItemFactory *factory,
               GtkListItem              *cell,
               MtRuleList               *self)
{
  g_autofree char *count = mt_format_count (mt_term_item_get_n_literals (item_of (cell)));

  set_number (cell, count, NULL);
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
  gtk_column_view_append_column (self->table, column);
  g_object_unref (column);   /* the table keeps it */
  return column;
}

/* --- search and filter --- */

static gboolean
is_wanted (gpointer item,
           gpointer data)
{
  MtRuleList *self = data;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  guint chosen = gtk_drop_down_get_selected (self->columns);
  g_autofree char *rule = NULL;
  g_autofree char *rule_folded = NULL;
  g_autofree char *text_folded = NULL;

  if (chosen > 0 && chosen <= self->used->len &&
      !mt_rule_book_term_uses (self->book, (guint) mt_term_item_get_term (item),
                               g_array_index (self->used, guint, chosen - 1)))
    return FALSE;
  if (*text == '\0')
    return TRUE;
  rule = mt_term_item_dup_text (item);
  rule_folded = g_utf8_casefold (rule, -1);
  text_folded = g_utf8_casefold (text, -1);
  return g_strstr_len (rule_folded, -1, text_folded) != NULL;
}

static void
show_totals (MtRuleList *self)
{
  const MtRuleSet *rules = mt_rule_book_get_rules (self->book);
  guint n_rules = mt_rule_set_get_n_rules (rules), complexity = mt_rule_set_get_complexity (rules);
  guint n_terms = mt_rule_set_get_n_terms (rules);
  guint n_shown = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  g_autofree char *literals = g_strdup_printf (ngettext ("%u literal", "%u literals", complexity), complexity);
  g_autofree char *count = g_strdup_printf (ngettext ("%u rule", "%u rules", n_rules), n_rules);
  g_autofree char *columns = n_terms == n_rules ? NULL
    : g_strdup_printf (ngettext ("%u numeric column", "%u numeric columns", n_terms - n_rules), n_terms - n_rules);
  g_autofree char *all = columns == NULL ? g_strdup_printf ("%s, %s", literals, count)
                                         : g_strdup_printf ("%s, %s, %s", literals, count, columns);

  if (n_shown > 0 && n_shown - 1 < n_terms)
    {
      /* Translators: how many terms of all are listed, then the totals of the model */
      g_autofree char *some = g_strdup_printf (_("%u of %u shown · %s"), n_shown - 1, n_terms, all);

      gtk_label_set_label (self->totals, some);
    }
  else
    gtk_label_set_label (self->totals, all);
}

static void
on_filter_changed (MtRuleList *self)
{
  if (self->filling || self->book == NULL)
    return;
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  show_totals (self);
}

static void
fill_columns (MtRuleList *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);

  g_array_set_size (self->used, 0);
  gtk_string_list_append (names, _("All columns"));
  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    if (mt_rule_book_uses (self->book, c))
      {
        gtk_string_list_append (names, mt_encoder_get_column_name (encoder, c));
        g_array_append_val (self->used, c);
      }
  gtk_drop_down_set_model (self->columns, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->columns, 0);
}

/* --- the model --- */

static void
show_note (MtRuleList *self)
{
  const char *target = mt_rule_book_get_target (self->book);
  g_autofree char *how = NULL;

  switch (mt_rule_book_get_task (self->book))
    {
    case MT_TASK_BINARY:
      /* Translators: target and class: "P(Heart = 1) = σ(sum of the weights that apply)" */
      how = g_strdup_printf (_("P(%s = %s) = σ(sum of the weights that apply)."), target,
                             mt_rule_book_get_classes (self->book)[1]);
      break;
    case MT_TASK_MULTICLASS:
      /* Translators: %s is the target */
      how = g_strdup_printf (_("P(%s) = softmax of each class's sum of the weights that apply."), target);
      break;
    case MT_TASK_REGRESSION:
    default:
      /* Translators: %s is the target */
      how = g_strdup_printf (_("%s = sum of the weights that apply."), target);
      break;
    }
  if (mt_rule_book_has_rows (self->book))
    {
      gsize n_rows = mt_rule_book_get_n_rows (self->book);
      g_autofree char *count = mt_format_count (n_rows);
      g_autofree char *counted = g_strdup_printf (ngettext ("Support and hit rate are counted on %s training row.",
                                                            "Support and hit rate are counted on %s training rows.",
                                                            n_rows), count);
      g_autofree char *both = g_strdup_printf ("%s %s", how, counted);

      gtk_label_set_label (self->note, both);
    }
  else
    {
      g_autofree char *both = g_strdup_printf ("%s %s", how, _("Without the data there is no support or hit rate."));

      gtk_label_set_label (self->note, both);
    }
}

void
mt_rule_list_set_book (MtRuleList *self,
                       MtRuleBook *book)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_if_fail (MT_IS_RULE_LIST (self));

  if (book == self->book)
    return;
  self->filling = TRUE;
  g_list_store_remove_all (self->bias);
  g_list_store_remove_all (self->terms);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  if (book != NULL)
    {
      g_autoptr (MtTermItem) bias = mt_term_item_new (book, MT_TERM_INTERCEPT);

      self->book = mt_rule_book_ref (book);
      self->most = 0;
      for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
        {
          self->most = MAX (self->most, mt_rule_book_get_facts (book, t)->strength);
          g_ptr_array_add (items, mt_term_item_new (book, (int) t));
        }
      gtk_column_view_column_set_title (self->hit_column, mt_rule_book_get_n_classes (book) > 0 ? _("Hit rate")
                                                                                                : _("Mean"));
      fill_columns (self);
      g_list_store_append (self->bias, bias);
      g_list_store_splice (self->terms, 0, 0, items->pdata, items->len);
      show_totals (self);
      show_note (self);
    }
  self->filling = FALSE;
  /* The first rule rather than the intercept: there is more to see. */
  if (book != NULL)
    gtk_single_selection_set_selected (self->selection, items->len > 0 ? 1 : 0);
}

GtkSingleSelection *
mt_rule_list_get_selection (MtRuleList *self)
{
  return self->selection;
}

MtTermItem *
mt_rule_list_get_selected (MtRuleList *self)
{
  return gtk_single_selection_get_selected_item (self->selection);
}

void
mt_rule_list_select_term (MtRuleList *self,
                          int         term)
{
  GListModel *model = G_LIST_MODEL (self->selection);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (MtTermItem) item = g_list_model_get_item (model, i);

      if (mt_term_item_get_term (item) == term)
        {
          gtk_single_selection_set_selected (self->selection, i);
          gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->table)), "list.scroll-to-item", "u",
                                      i);
          return;
        }
    }
}

void
mt_rule_list_find (MtRuleList *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

/* Cells say other things then, so all are bound anew. */
static void
rebind (MtRuleList *self)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self->selection);

  g_object_ref (model);
  gtk_column_view_set_model (self->table, NULL);
  gtk_column_view_set_model (self->table, model);
  g_object_unref (model);
}

void
mt_rule_list_set_narrow (MtRuleList *self,
                         gboolean    narrow)
{
  if (narrow == self->narrow)
    return;
  self->narrow = narrow;
  for (guint i = 0; i < G_N_ELEMENTS (self->hidden); i++)
    gtk_column_view_column_set_visible (self->hidden[i], !narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->columns), !narrow);
  rebind (self);
}

char *
mt_rule_list_dup_listing (MtRuleList *self,
                          MtListing   listing)
{
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (guint));

  g_return_val_if_fail (self->book != NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
    {
      g_autoptr (MtTermItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);
      guint term = (guint) mt_term_item_get_term (item);

      if (mt_term_item_get_term (item) >= 0)
        g_array_append_val (terms, term);
    }
  return mt_rule_book_dup_listing (self->book, listing, (const guint *) (gpointer) terms->data, terms->len);
}

static void
on_activated (MtRuleList *self)
{
  g_signal_emit (self, opened_signal, 0);
}

/* When narrow a click opens; by then the line under the pointer has been selected. */
static void
on_released (GtkGestureClick *gesture,
             int              n_press,
             double           x,
             double           y,
             MtRuleList      *self)
{
  /* The heads stand above the lines. */
  GtkWidget *head = gtk_widget_get_first_child (GTK_WIDGET (self->table));

  if (self->narrow && self->book != NULL && (head == NULL || y > gtk_widget_get_height (head)))
    g_signal_emit (self, opened_signal, 0);
}

/* Heads of numbers stand above the numbers. A column view has no word for that, so its title widgets
 * are told one by one. */
static void
align_heads (MtRuleList *self)
{
  GtkWidget *head = gtk_widget_get_first_child (GTK_WIDGET (self->table));
  guint i = 0;

  for (GtkWidget *title = gtk_widget_get_first_child (head); title != NULL; title = gtk_widget_get_next_sibling (title))
    if (i++ >= 2 && gtk_widget_get_first_child (title) != NULL)
      gtk_widget_set_halign (gtk_widget_get_first_child (title), GTK_ALIGN_END);
}

/* --- object --- */

static void
mt_rule_list_dispose (GObject *object)
{
  MtRuleList *self = MT_RULE_LIST (object);

  if (self->filter != NULL)
    gtk_custom_filter_set_filter_func (self->filter, NULL, NULL, NULL);
  g_clear_object (&self->filter);
  g_clear_object (&self->selection);
  g_clear_object (&self->bias);
  g_clear_object (&self->terms);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  g_clear_pointer (&self->used, g_array_unref);
  G_OBJECT_CLASS (mt_rule_list_parent_class)->dispose (object);
}

static void
mt_rule_list_class_init (MtRuleListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_rule_list_dispose;
  opened_signal = g_signal_new ("opened", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-rule-list.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtRuleList, child)
  BIND (search);
  BIND (columns);
  BIND (table);
  BIND (totals);
  BIND (note);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_activated);
}

static void
mt_rule_list_init (MtRuleList *self)
{
  GListStore *both = g_list_store_new (G_TYPE_LIST_MODEL);
  GtkFilterListModel *filtered;
  GtkSortListModel *sorted;
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->used = g_array_new (FALSE, FALSE, sizeof (guint));
  self->bias = g_list_store_new (MT_TYPE_TERM_ITEM);
  self->terms = g_list_store_new (MT_TYPE_TERM_ITEM);
  self->filter = gtk_custom_filter_new (is_wanted, self, NULL);

  add_column (self, _("Weight"), G_CALLBACK (setup_weight), G_CALLBACK (bind_weight), weight_key, FALSE);
  add_column (self, _("Rule"), G_CALLBACK (setup_rule), G_CALLBACK (bind_rule), number_key, TRUE);
  self->hidden[0] = add_column (self, _("Support"), G_CALLBACK (setup_number), G_CALLBACK (bind_support), support_key,
                                FALSE);
  self->hidden[1] = self->hit_column = add_column (self, _("Hit rate"), G_CALLBACK (setup_number),
                                                   G_CALLBACK (bind_hit), hit_key, FALSE);
  self->hidden[2] = add_column (self, _("Literals"), G_CALLBACK (setup_number), G_CALLBACK (bind_literals),
                                literals_key, FALSE);

  align_heads (self);
  mt_preferences_watch_columns (self->table);

  filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->terms)), GTK_FILTER (g_object_ref (self->filter)));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered), g_object_ref (gtk_column_view_get_sorter (self->table)));
  g_list_store_append (both, self->bias);
  g_list_store_append (both, sorted);
  g_object_unref (sorted);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (both))));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->selection));
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self->table), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (rebind), self,
                           G_CONNECT_SWAPPED);
}
