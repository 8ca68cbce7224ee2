/* The table of a model's terms: intercept on top, sorted by any column, searched, filtered by the column a
 * rule looks at; totals below. See mt-rule-list.h. */
#include "config.h"
#include "mt-rule-list-private.h"

#include <glib/gi18n.h>

#include "util/mt-term-tooltip.h"
#include "util/mt-format.h"
#include "util/mt-column-refresh.h"
#include "util/mt-list-tab-behavior.h"

#define FIRST_LINES 24     /* listed at once: more than a window shows */
#define MORE_LINES  16     /* in each pause after that, so that nothing is held up */

static guint opened_signal, selected_signal;

G_DEFINE_FINAL_TYPE (MtRuleList, mt_rule_list, ADW_TYPE_BIN)

/* --- lines, a few at a time --- */

static gboolean
grow (gpointer data)
{
  MtRuleList *self = data;
  guint size = gtk_slice_list_model_get_size (self->begun);

  if (size >= g_list_model_get_n_items (self->listed))
    {
      gtk_slice_list_model_set_size (self->begun, G_MAXUINT);
      self->growing = 0;
      return G_SOURCE_REMOVE;
    }
  gtk_slice_list_model_set_size (self->begun, size + MORE_LINES);
  return G_SOURCE_CONTINUE;
}

/* A line is a handful of widgets, and a hundred lines take longer than a person should wait. */
static void
begin_lines (MtRuleList *self)
{
  gtk_slice_list_model_set_size (self->begun, FIRST_LINES);
  if (self->growing == 0)
    self->growing = g_idle_add_full (G_PRIORITY_LOW, grow, self, NULL);
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
  g_autofree char *title = NULL;
  g_autofree char *rule_folded = NULL;
  g_autofree char *title_folded = NULL;
  g_autofree char *text_folded = NULL;

  if (chosen > 0 && chosen <= self->used->len &&
      !mt_rule_book_term_uses (self->book, (guint) mt_term_item_get_term (item),
                               g_array_index (self->used, guint, chosen - 1)))
    return FALSE;
  if (*text == '\0')
    return TRUE;
  rule = mt_term_item_dup_text (item);
  title = mt_term_item_dup_title (item);
  rule_folded = g_utf8_casefold (rule, -1);
  title_folded = g_utf8_casefold (title, -1);
  text_folded = g_utf8_casefold (text, -1);
  /* Of its name only the whole: “rule 1” is not asked for by “rule”, and is not rule 12. */
  return g_strstr_len (rule_folded, -1, text_folded) != NULL || g_str_equal (title_folded, text_folded);
}

static void
show_totals (MtRuleList *self)
{
  guint n_terms = mt_rule_book_get_n_terms (self->book), n_shown = g_list_model_get_n_items (self->listed);
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  guint n_selected = (guint) gtk_bitset_get_size (selected);
  g_autofree char *all = mt_format_totals (mt_rule_book_get_rules (self->book));

  if (n_selected > 1)
    {
      /* Translators: how many lines of the list are selected, then the totals of the model */
      g_autofree char *some = g_strdup_printf (ngettext ("%u selected · %s", "%u selected · %s", n_selected), n_selected,
                                               all);

      gtk_label_set_label (self->totals, some);
    }
  else if (n_shown > 0 && n_shown - 1 < n_terms)
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

static char *
describe_rows (MtRuleList *self,
               gboolean    is_number)
{
  gsize n_rows = mt_rule_book_get_n_rows (self->book);
  g_autofree char *count = mt_format_count (n_rows);

  if (is_number)
    return g_strdup_printf (ngettext ("Support and mean are computed on %s training row.",
                                      "Support and mean are computed on %s training rows.", n_rows), count);
  return g_strdup_printf (ngettext ("Support and class share are computed on %s training row.",
                                    "Support and class share are computed on %s training rows.", n_rows), count);
}

static void
show_note (MtRuleList *self)
{
  const char *target = mt_rule_book_get_target (self->book);
  gboolean is_number = mt_rule_book_get_task (self->book) == MT_TASK_REGRESSION;
  const char *explained = NULL;
  g_autofree char *how = NULL;

  switch (mt_rule_book_get_task (self->book))
    {
    case MT_TASK_BINARY:
      /* Translators: target and class: "P(Heart = 1) = σ(sum of the weights that apply)" */
      how = g_strdup_printf (_("P(%s = %s) = σ(sum of the weights that apply)"), target,
                             mt_rule_book_get_classes (self->book)[1]);
      explained = _("σ (the logistic function) converts the score to a probability: 0 becomes 50%, large "
                    "scores approach 100%, very negative scores approach 0%.");
      break;
    case MT_TASK_MULTICLASS:
      /* Translators: %s is the target */
      how = g_strdup_printf (_("P(%s) = softmax of the sums of the weights that apply, per class"), target);
      explained = _("Softmax converts the scores to probabilities: the class with the larger score is more "
                    "probable, and the probabilities add up to 100%.");
      break;
    case MT_TASK_REGRESSION:
    default:
      /* Translators: %s is the target, in whose unit the weights are */
      how = g_strdup_printf (_("%s = sum of the weights that apply, in the unit of the target"), target);
      break;
    }
  mt_term_tooltip (GTK_WIDGET (self->note), NULL, explained);
  if (mt_rule_book_has_rows (self->book))
    {
      g_autofree char *counted = describe_rows (self, is_number);
      g_autofree char *both = g_strdup_printf ("%s %s", how, counted);

      gtk_label_set_label (self->note, both);
    }
  else
    {
      g_autofree char *both = g_strdup_printf ("%s %s", how, is_number
                                               ? _("Support and mean are not available without the data.")
                                               : _("Support and class share are not available without the "
                                                   "data."));

      gtk_label_set_label (self->note, both);
    }
}

/* --- selection --- */

static void
take_current (MtRuleList *self,
              MtTermItem *item)
{
  if (g_set_object (&self->current, item))
    g_signal_emit (self, selected_signal, 0);
}

/* Of several the one that was added last is on show; when one was taken away, another stays. */
static void
on_selection_changed (MtRuleList *self,
                      guint       position,
                      guint       n_items)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  g_autoptr (MtTermItem) item = NULL;

  if (self->filling || self->book == NULL || gtk_bitset_is_empty (selected))
    return;
  if (!(n_items == 1 && gtk_bitset_contains (selected, position)))
    position = gtk_bitset_get_minimum (selected);
  item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  take_current (self, item);
  show_totals (self);
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
  begin_lines (self);
  g_list_store_remove_all (self->bias);
  g_list_store_remove_all (self->terms);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  if (book != NULL)
    {
      g_autoptr (MtTermItem) bias = mt_term_item_new (book, MT_TERM_INTERCEPT);

      self->book = mt_rule_book_ref (book);
      mt_weight_room_init (&self->room, book, GTK_WIDGET (self->table));
      for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
        g_ptr_array_add (items, mt_term_item_new (book, (int) t));
      gtk_column_view_column_set_title (self->hit_column, mt_rule_book_get_n_classes (book) > 0 ? _("Class "
                                                                                                    "share")
                                                                                                : _("Mean"));
      fill_columns (self);
      g_list_store_append (self->bias, bias);
      g_list_store_splice (self->terms, 0, 0, items->pdata, items->len);
      show_totals (self);
      show_note (self);
    }
  self->filling = FALSE;
  if (book == NULL)
    take_current (self, NULL);
  else
    /* The first rule rather than the intercept: there is more to see. */
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), items->len > 0 ? 1 : 0, TRUE);
}

GtkColumnView *
mt_rule_list_get_table (MtRuleList *self)
{
  g_return_val_if_fail (MT_IS_RULE_LIST (self), NULL);
  return self->table;
}

GtkSelectionModel *
mt_rule_list_get_selection (MtRuleList *self)
{
  return GTK_SELECTION_MODEL (self->selection);
}

MtTermItem *
mt_rule_list_get_selected (MtRuleList *self)
{
  return self->current;
}

static gboolean
select_listed (MtRuleList *self,
               int         term)
{
  for (guint i = 0; i < g_list_model_get_n_items (self->listed); i++)
    {
      g_autoptr (MtTermItem) item = g_list_model_get_item (self->listed, i);

      if (mt_term_item_get_term (item) == term)
        {
          if (i >= gtk_slice_list_model_get_size (self->begun))
            gtk_slice_list_model_set_size (self->begun, i + 1);
          gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), i, TRUE);
          gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->table)), "list.scroll-to-item", "u",
                                      i);
          return TRUE;
        }
    }
  return FALSE;
}

void
mt_rule_list_select_term (MtRuleList *self,
                          int         term)
{
  select_listed (self, term);
}

void
mt_rule_list_find_term (MtRuleList *self,
                        int         term)
{
  g_return_if_fail (MT_IS_RULE_LIST (self));

  if (self->book == NULL || select_listed (self, term))
    return;
  /* It was searched for something else. */
  gtk_drop_down_set_selected (self->columns, 0);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  on_filter_changed (self);
  select_listed (self, term);
}

void
mt_rule_list_find (MtRuleList *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static void
on_search_stop (MtRuleList *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->table));
}

/* The text of cells changes then, so all are bound again. */
static void
rebind (MtRuleList *self)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self->selection);

  g_object_ref (model);
  gtk_column_view_set_model (self->table, NULL);
  gtk_column_view_set_model (self->table, model);
  g_object_unref (model);
}

static void
show_columns (MtRuleList *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->hidden); i++)
    gtk_column_view_column_set_visible (self->hidden[i], !self->narrow &&
                                        !gtk_column_view_column_get_visible (self->applies));
}

void
mt_rule_list_set_narrow (MtRuleList *self,
                         gboolean    narrow)
{
  if (narrow == self->narrow)
    return;
  self->narrow = narrow;
  show_columns (self);
  gtk_widget_set_visible (GTK_WIDGET (self->columns), !narrow);
  rebind (self);
}

void
mt_rule_list_show_applies (MtRuleList     *self,
                           const gboolean *applies)
{
  g_return_if_fail (MT_IS_RULE_LIST (self));

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->terms)); i++)
    {
      g_autoptr (MtTermItem) item = g_list_model_get_item (G_LIST_MODEL (self->terms), i);

      mt_term_item_set_applies (item, applies == NULL || applies[mt_term_item_get_term (item)]);
    }
  if ((applies != NULL) == gtk_column_view_column_get_visible (self->applies))
    return;
  gtk_column_view_column_set_visible (self->applies, applies != NULL);
  show_columns (self);
}

void
mt_rule_list_set_menu (MtRuleList *self,
                       GMenuModel *menu)
{
  g_return_if_fail (MT_IS_RULE_LIST (self));

  gtk_menu_button_set_menu_model (self->edit, menu);
  gtk_widget_set_visible (GTK_WIDGET (self->edit), menu != NULL);
}

char *
mt_rule_list_dup_listing (MtRuleList *self,
                          MtListing   listing)
{
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  gboolean all = gtk_bitset_get_size (selected) < 2;   /* one is always selected, and says nothing */

  g_return_val_if_fail (self->book != NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (self->listed); i++)
    {
      g_autoptr (MtTermItem) item = g_list_model_get_item (self->listed, i);
      guint term = (guint) mt_term_item_get_term (item);

      if (mt_term_item_get_term (item) >= 0 && (all || gtk_bitset_contains (selected, i)))
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

/* --- object --- */

static void
mt_rule_list_dispose (GObject *object)
{
  MtRuleList *self = MT_RULE_LIST (object);

  g_clear_handle_id (&self->growing, g_source_remove);
  if (self->filter != NULL)
    gtk_custom_filter_set_filter_func (self->filter, NULL, NULL, NULL);
  g_clear_object (&self->filter);
  g_clear_object (&self->selection);
  g_clear_object (&self->current);
  g_clear_object (&self->begun);
  g_clear_object (&self->listed);
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
  selected_signal = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  g_type_ensure (MT_TYPE_LIST_TAB_BEHAVIOR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-rule-list.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtRuleList, child)
  BIND (search);
  BIND (columns);
  BIND (edit);
  BIND (table);
  BIND (totals);
  BIND (note);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_stop);
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

  _mt_rule_list_add_columns (self);
  mt_column_refresh_watch (self->table);

  filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->terms)), GTK_FILTER (g_object_ref (self->filter)));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered), g_object_ref (gtk_column_view_get_sorter (self->table)));
  g_list_store_append (both, self->bias);
  g_list_store_append (both, sorted);
  g_object_unref (sorted);
  self->listed = G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (both)));
  self->begun = gtk_slice_list_model_new (g_object_ref (self->listed), 0, FIRST_LINES);
  self->selection = gtk_multi_selection_new (G_LIST_MODEL (g_object_ref (self->begun)));
  g_signal_connect_swapped (self->selection, "selection-changed", G_CALLBACK (on_selection_changed), self);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->selection));
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self->table), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (rebind), self,
                           G_CONNECT_SWAPPED);
}
