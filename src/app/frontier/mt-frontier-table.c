/* The points of the frontier as a real, sortable table: the plot's twin. See mt-frontier-table.h. */
#include "config.h"
#include "mt-frontier-table.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"
#include "widgets/mt-series-mark.h"
#include "study/mt-run.h"
#include "util/mt-theme.h"

struct _MtFrontierTable {
  GtkColumnView       *view;         /* which this belongs to */
  GtkSortListModel    *sorted;
  GtkSingleSelection  *selection;
  GtkColumnViewColumn *quality, *rules;
  MtFrontierMarks      marks;
  gboolean             narrow;
  GPtrArray           *marked;       /* of GtkListItem: cells of the last column that are bound */
};

/* --- cells --- */

static MtFrontierItem *
item_of (GtkListItem *cell)
{
  return gtk_list_item_get_item (cell);
}

static const MtFrontierPoint *
point_of (GtkListItem *cell)
{
  return mt_frontier_item_get_point (item_of (cell));
}

static void
setup_number (GtkSignalListItemFactory *factory,
              GtkListItem              *cell)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  mt_theme_read_forwards (GTK_LABEL (label));
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (cell, label);
}

/* What a simpler model does as well steps back. */
static void
set_cell (GtkListItem *cell,
          const char  *text)
{
  GtkWidget *label = gtk_list_item_get_child (cell);

  gtk_label_set_label (GTK_LABEL (label), text);
  if (mt_frontier_item_is_dominated (item_of (cell)))
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
}

/* Many runs share colours and shapes. */
static gboolean
on_mark_tip (GtkWidget   *mark,
             int          x,
             int          y,
             gboolean     keyboard,
             GtkTooltip  *tip,
             GtkListItem *cell)
{
  MtRun *run = item_of (cell) != NULL ? mt_frontier_item_get_run (item_of (cell)) : NULL;
  const char *name = run != NULL ? mt_run_get_name (run) : NULL;

  gtk_tooltip_set_text (tip, name);
  return name != NULL && *name != '\0';
}

static void
setup_mark (GtkSignalListItemFactory *factory,
            GtkListItem              *cell)
{
  GtkWidget *mark = mt_series_mark_new ();

  gtk_widget_set_has_tooltip (mark, TRUE);
  g_signal_connect_object (mark, "query-tooltip", G_CALLBACK (on_mark_tip), cell, 0);
  gtk_list_item_set_child (cell, mark);
}

static void
bind_mark (GtkSignalListItemFactory *factory,
           GtkListItem              *cell)
{
  mt_series_mark_show (MT_SERIES_MARK (gtk_list_item_get_child (cell)), mt_frontier_item_get_mark (item_of (cell)),
                       mt_frontier_item_is_dominated (item_of (cell)) &&
                       mt_frontier_item_get_history (item_of (cell)) == NULL);
}

static void
bind_literals (GtkSignalListItemFactory *factory,
               GtkListItem              *cell)
{
  g_autofree char *text = mt_format_count (point_of (cell)->complexity);

  set_cell (cell, text);
}

static void
bind_quality (GtkSignalListItemFactory *factory,
              GtkListItem              *cell)
{
  g_autofree char *text = mt_frontier_point_format (point_of (cell));

  set_cell (cell, text);
}

static void
bind_rules (GtkSignalListItemFactory *factory,
            GtkListItem              *cell)
{
  g_autofree char *text = mt_format_count (mt_frontier_item_get_n_rules (item_of (cell)));

  set_cell (cell, text);
}

/* --- the last column: recommended, best, pinned, edited --- */

static void
setup_words (GtkSignalListItemFactory *factory,
             GtkListItem              *cell)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *badge = gtk_label_new (NULL);
  GtkWidget *sign = gtk_image_new_from_icon_name ("emblem-default-symbolic");
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_set_visible (sign, FALSE);
  gtk_widget_set_tooltip_text (sign, _("Recommended"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (sign), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Recommended"), -1);
  gtk_widget_add_css_class (badge, "pinbadge");
  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), badge);
  gtk_box_append (GTK_BOX (box), sign);
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (cell, box);
}

static void
say_words (MtFrontierTable *self,
           GtkListItem     *cell)
{
  GtkWidget *badge = gtk_widget_get_first_child (gtk_list_item_get_child (cell));
  GtkWidget *sign = gtk_widget_get_next_sibling (badge);
  GtkLabel *label = GTK_LABEL (gtk_widget_get_next_sibling (sign));
  MtFrontierItem *item = item_of (cell);
  gboolean a = item == self->marks.pins[0], b = item == self->marks.pins[1];
  gboolean recommended = mt_frontier_item_is_recommended (item);

  gtk_widget_set_visible (badge, a || b);
  gtk_label_set_label (GTK_LABEL (badge), a ? "A" : "B");
  /* The word would be cut in a narrow window. */
  gtk_widget_set_visible (sign, recommended && self->narrow);
  gtk_label_set_label (label, recommended ? self->narrow ? "" : _("Recommended") :
                              a || b ? C_("model", "pinned") :
                              mt_frontier_item_is_apart (item) ? C_("model", "Earlier data") :
                              mt_frontier_item_get_history (item) != NULL ? C_("model", "Edited") :
                              item == self->marks.best ? C_("model", "Best") : "");
  /* A pin takes its place. To set a tip, even none, asks the display where the pointer is: not for each of the rows. */
  if (recommended != gtk_widget_get_has_tooltip (GTK_WIDGET (label)))
    gtk_widget_set_tooltip_text (GTK_WIDGET (label), recommended ? _("Recommended") : NULL);
  if (recommended)
    gtk_widget_add_css_class (GTK_WIDGET (label), "caption-heading");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (label), "caption-heading");
}

static void
bind_words (GtkSignalListItemFactory *factory,
            GtkListItem              *cell,
            MtFrontierTable          *self)
{
  g_ptr_array_add (self->marked, cell);
  say_words (self, cell);
}

static void
unbind_words (GtkSignalListItemFactory *factory,
              GtkListItem              *cell,
              MtFrontierTable          *self)
{
  g_ptr_array_remove_fast (self->marked, cell);
}

/* --- sorting --- */

static int
by_literals (gconstpointer a,
             gconstpointer b,
             gpointer      data)
{
  guint x = mt_frontier_item_get_point ((MtFrontierItem *) a)->complexity;
  guint y = mt_frontier_item_get_point ((MtFrontierItem *) b)->complexity;

  return x < y ? -1 : x > y;
}

static int
by_quality (gconstpointer a,
            gconstpointer b,
            gpointer      data)
{
  double x = mt_frontier_point_get_quality (mt_frontier_item_get_point ((MtFrontierItem *) a));
  double y = mt_frontier_point_get_quality (mt_frontier_item_get_point ((MtFrontierItem *) b));

  return x < y ? -1 : x > y;
}

static int
by_rules (gconstpointer a,
          gconstpointer b,
          gpointer      data)
{
  guint x = mt_frontier_item_get_n_rules ((MtFrontierItem *) a);
  guint y = mt_frontier_item_get_n_rules ((MtFrontierItem *) b);

  return x < y ? -1 : x > y;
}

static int
by_run (gconstpointer a,
        gconstpointer b,
        gpointer      data)
{
  guint x = mt_frontier_item_get_series ((MtFrontierItem *) a);
  guint y = mt_frontier_item_get_series ((MtFrontierItem *) b);

  return x < y ? -1 : x > y;
}

/* --- object --- */

/* GTK has the words of every head at its start, and after them room for the arrow of the order. Those of a column of
 * numbers stand over the ends of the numbers. */
static void
align_head (GtkWidget *head)
{
  GtkWidget *box = gtk_widget_get_first_child (head);

  if (!GTK_IS_BOX (box))
    return;
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  gtk_box_reorder_child_after (GTK_BOX (box), gtk_widget_get_first_child (box), gtk_widget_get_last_child (box));
}

static GtkColumnViewColumn *
add_column (MtFrontierTable  *self,
            const char       *title,
            GCallback         setup,
            GCallback         bind,
            GCompareDataFunc  compare)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_signal_connect (factory, "setup", setup, NULL);
  g_signal_connect (factory, "bind", bind, self);
  if (bind == G_CALLBACK (bind_words))
    g_signal_connect (factory, "unbind", G_CALLBACK (unbind_words), self);
  column = gtk_column_view_column_new (title, factory);
  if (compare != NULL)
    {
      g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, NULL, NULL));

      gtk_column_view_column_set_sorter (column, sorter);
    }
  gtk_column_view_append_column (self->view, column);
  if (setup == G_CALLBACK (setup_number))
    align_head (gtk_widget_get_last_child (gtk_widget_get_first_child (GTK_WIDGET (self->view))));
  return column;
}

static void
free_table (gpointer data)
{
  MtFrontierTable *self = data;

  g_clear_object (&self->selection);
  g_clear_object (&self->sorted);
  g_ptr_array_unref (self->marked);
  g_free (self);
}

MtFrontierTable *
mt_frontier_table_new (GtkColumnView *view)
{
  MtFrontierTable *self = g_new0 (MtFrontierTable, 1);
  GtkColumnViewColumn *literals, *words;

  self->view = view;
  self->marked = g_ptr_array_new ();
  self->sorted = gtk_sort_list_model_new (NULL, g_object_ref (gtk_column_view_get_sorter (view)));
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->sorted)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  add_column (self, "", G_CALLBACK (setup_mark), G_CALLBACK (bind_mark), by_run);
  literals = add_column (self, _("Literals"), G_CALLBACK (setup_number), G_CALLBACK (bind_literals), by_literals);
  self->quality = add_column (self, "AUC", G_CALLBACK (setup_number), G_CALLBACK (bind_quality), by_quality);
  self->rules = add_column (self, _("Rules"), G_CALLBACK (setup_number), G_CALLBACK (bind_rules), by_rules);
  words = add_column (self, "", G_CALLBACK (setup_words), G_CALLBACK (bind_words), NULL);
  gtk_column_view_column_set_expand (words, TRUE);
  gtk_column_view_sort_by_column (view, literals, GTK_SORT_ASCENDING);
  gtk_column_view_set_model (view, GTK_SELECTION_MODEL (self->selection));
  g_object_set_data_full (G_OBJECT (view), "frontier-table", self, free_table);
  return self;
}

GtkSingleSelection *
mt_frontier_table_get_selection (MtFrontierTable *self)
{
  return self->selection;
}

/* The list inside has an action for it; the view itself has none before GTK 4.12. */
void
mt_frontier_table_show_selected (MtFrontierTable *self)
{
  guint selected = gtk_single_selection_get_selected (self->selection);

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child) && selected != GTK_INVALID_LIST_POSITION)
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", selected);
}

void
mt_frontier_table_set_points (MtFrontierTable *self,
                              GListModel      *points)
{
  gtk_sort_list_model_set_model (self->sorted, points);
}

void
mt_frontier_table_set_metric (MtFrontierTable *self,
                              const char      *metric)
{
  gtk_column_view_column_set_title (self->quality, metric);
}

void
mt_frontier_table_set_narrow (MtFrontierTable *self,
                              gboolean         narrow)
{
  gtk_column_view_column_set_visible (self->rules, !narrow);
  self->narrow = narrow;
  for (guint i = 0; i < self->marked->len; i++)
    say_words (self, self->marked->pdata[i]);
}

void
mt_frontier_table_set_marks (MtFrontierTable       *self,
                             const MtFrontierMarks *marks)
{
  self->marks = *marks;
  for (guint i = 0; i < self->marked->len; i++)
    say_words (self, self->marked->pdata[i]);
}
