/* The curves of a chart as a table that grows while they do: a line a step, a column a curve. See mt-
 * curves-table.h. */
#include "config.h"
#include "mt-curves-table.h"

#include <math.h>
#include <string.h>

#include "widgets/mt-index-model.h"
#include "util/mt-format.h"
#include "util/mt-preferences.h"
#include "util/mt-list-tab-behavior.h"

#define MOST_HEIGHT 260   /* then it scrolls */
#define FEW_LINES     8   /* that come in one frame, for a list makes widgets for many more than are in sight … */
#define MADE_LINES  200   /* … but for no more than these, so that all others may come at once */

struct _MtCurvesTable {
  AdwBin               parent_instance;

  GtkColumnView       *table;
  GtkColumnViewColumn *columns[1 + MT_CURVES_TABLE_MOST];
  MtIndexModel        *model;
  GPtrArray           *bound;      /* of GtkListItem, borrowed: the cells in sight */
  char                *name;
  guint                growing;    /* tick callback; 0: all lines are there */

  GArray              *steps;      /* of guint … */
  GArray              *values[MT_CURVES_TABLE_MOST];   /* … and of double, as long */
};

G_DEFINE_FINAL_TYPE (MtCurvesTable, mt_curves_table, ADW_TYPE_BIN)

/* --- cells --- */

char *
mt_curves_table_dup_cell (MtCurvesTable *self,
                          guint          line,
                          guint          column)
{
  double value;

  g_return_val_if_fail (MT_IS_CURVES_TABLE (self) && column <= MT_CURVES_TABLE_MOST, NULL);

  if (line >= self->steps->len)
    return g_strdup ("");
  if (column == 0)
    return mt_format_count (g_array_index (self->steps, guint, line));
  value = g_array_index (self->values[column - 1], double, line);
  if (!isfinite (value))
    return g_strdup ("–");
  return fabs (value) < 10 ? mt_format_fixed (value, 5) : mt_format_number (value);   /* one below the other */
}

static void
write_cell (MtCurvesTable *self,
            GtkListItem   *item)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (item), "column"));
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (item));
  g_autofree char *text = mt_curves_table_dup_cell (self, gtk_list_item_get_position (item), column);

  if (g_strcmp0 (gtk_label_get_label (label), text) != 0)
    gtk_label_set_label (label, text);
}

static void
setup_cell (GtkSignalListItemFactory *factory,
            GtkListItem              *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  g_object_set_data (G_OBJECT (item), "column", g_object_get_data (G_OBJECT (factory), "column"));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (GtkSignalListItemFactory *factory,
           GtkListItem              *item,
           MtCurvesTable            *self)
{
  g_ptr_array_add (self->bound, item);
  write_cell (self, item);
}

static void
unbind_cell (GtkSignalListItemFactory *factory,
             GtkListItem              *item,
             MtCurvesTable            *self)
{
  g_ptr_array_remove_fast (self->bound, item);
}

static void
write_all (MtCurvesTable *self)
{
  for (guint i = 0; i < self->bound->len; i++)
    write_cell (self, self->bound->pdata[i]);
}

/* --- what is shown --- */

static gboolean
is_measured (const double *values,
             guint         n)
{
  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]))
      return TRUE;
  return FALSE;
}

static void
set_title (GtkColumnViewColumn *column,
           const char          *title)
{
  if (g_strcmp0 (gtk_column_view_column_get_title (column), title) != 0)
    gtk_column_view_column_set_title (column, title);
}

/* The first line whose number, or a value of it, is not what it was. */
static guint
find_change (MtCurvesTable        *self,
             const guint          *steps,
             const double * const *values,
             guint                 n_columns,
             guint                 n_steps)
{
  guint same = MIN (n_steps, self->steps->len);

  for (guint i = 0; i < same; i++)
    {
      if (g_array_index (self->steps, guint, i) != steps[i])
        return i;
      for (guint c = 0; c < n_columns; c++)
        if (memcmp (&g_array_index (self->values[c], double, i), &values[c][i], sizeof (double)) != 0)
          return i;
    }
  return same;
}

/* How many lines there may be with the next frame. */
static guint
count_next (MtCurvesTable *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));

  return n >= MADE_LINES ? self->steps->len : MIN (n + FEW_LINES, self->steps->len);
}

static gboolean
grow (GtkWidget     *widget,
      GdkFrameClock *clock,
      gpointer       data)
{
  MtCurvesTable *self = MT_CURVES_TABLE (widget);

  mt_index_model_resize (self->model, count_next (self));
  if (g_list_model_get_n_items (G_LIST_MODEL (self->model)) < self->steps->len)
    return G_SOURCE_CONTINUE;
  self->growing = 0;
  return G_SOURCE_REMOVE;
}

static void
resize (MtCurvesTable *self)
{
  guint n = count_next (self);

  if (self->growing == 0 || n < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    mt_index_model_resize (self->model, n);
  if (n < self->steps->len && self->growing == 0)
    self->growing = gtk_widget_add_tick_callback (GTK_WIDGET (self), grow, NULL, NULL);
}

void
mt_curves_table_show (MtCurvesTable        *self,
                      const char           *name,
                      const char           *step_title,
                      const char * const   *titles,
                      const guint          *steps,
                      const double * const *values,
                      guint                 n_columns,
                      guint                 n_steps)
{
  gboolean changed;

  g_return_if_fail (MT_IS_CURVES_TABLE (self) && n_columns <= MT_CURVES_TABLE_MOST);

  changed = find_change (self, steps, values, n_columns, n_steps) < self->steps->len;
  g_array_set_size (self->steps, 0);
  g_array_append_vals (self->steps, steps, n_steps);
  set_title (self->columns[0], step_title);
  for (guint c = 0; c < MT_CURVES_TABLE_MOST; c++)
    {
      gboolean shown = c < n_columns && is_measured (values[c], n_steps);

      g_array_set_size (self->values[c], c < n_columns ? 0 : n_steps);
      if (c < n_columns)
        {
          g_array_append_vals (self->values[c], values[c], n_steps);
          set_title (self->columns[1 + c], titles[c]);
        }
      if (gtk_column_view_column_get_visible (self->columns[1 + c]) != shown)
        gtk_column_view_column_set_visible (self->columns[1 + c], shown);
    }
  if (g_strcmp0 (self->name, name) != 0)
    {
      g_free (self->name);
      self->name = g_strdup (name);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    }
  resize (self);
  if (changed)
    write_all (self);
}

void
mt_curves_table_clear (MtCurvesTable *self)
{
  g_return_if_fail (MT_IS_CURVES_TABLE (self));

  g_array_set_size (self->steps, 0);
  mt_index_model_resize (self->model, 0);
}

guint
mt_curves_table_get_n (MtCurvesTable *self)
{
  g_return_val_if_fail (MT_IS_CURVES_TABLE (self), 0);
  return self->steps->len;
}

/* --- object --- */

static void
mt_curves_table_dispose (GObject *object)
{
  MtCurvesTable *self = MT_CURVES_TABLE (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  G_OBJECT_CLASS (mt_curves_table_parent_class)->dispose (object);
}

static void
mt_curves_table_finalize (GObject *object)
{
  MtCurvesTable *self = MT_CURVES_TABLE (object);

  g_ptr_array_unref (self->bound);
  g_array_unref (self->steps);
  for (guint c = 0; c < MT_CURVES_TABLE_MOST; c++)
    g_array_unref (self->values[c]);
  g_object_unref (self->model);
  g_free (self->name);
  G_OBJECT_CLASS (mt_curves_table_parent_class)->finalize (object);
}

static void
mt_curves_table_class_init (MtCurvesTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_curves_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_curves_table_finalize;
}

static void
add_column (MtCurvesTable *self,
            guint          column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), self);
  self->columns[column] = gtk_column_view_column_new (NULL, factory);
  gtk_column_view_column_set_expand (self->columns[column], column > 0);
  gtk_column_view_append_column (self->table, self->columns[column]);
  g_object_unref (self->columns[column]);   /* the table keeps it */
}

static void
mt_curves_table_init (MtCurvesTable *self)
{
  g_autoptr (GtkNoSelection) selection = NULL;
  GtkWidget *scrolled = gtk_scrolled_window_new (), *bin = g_object_new (MT_TYPE_LIST_TAB_BEHAVIOR, NULL);

  self->bound = g_ptr_array_new ();
  self->steps = g_array_new (FALSE, TRUE, sizeof (guint));
  for (guint c = 0; c < MT_CURVES_TABLE_MOST; c++)
    self->values[c] = g_array_new (FALSE, TRUE, sizeof (double));
  self->model = mt_index_model_new ();
  selection = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->model)));
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "ruletable");
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "tight");
  for (guint c = 0; c <= MT_CURVES_TABLE_MOST; c++)
    add_column (self, c);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  mt_preferences_watch_numbers (self, G_CALLBACK (write_all));
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MOST_HEIGHT);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 120);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  adw_bin_set_child (ADW_BIN (bin), scrolled);
  adw_bin_set_child (ADW_BIN (self), bin);
}
