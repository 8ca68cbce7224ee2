/* By which column a table is sorted, as a number that can be kept: 1 + the column, negative: descending; 0:
 * by none. See mt-column-sort.h. */
#include "config.h"
#include "mt-column-sort.h"

#include <stdlib.h>

/* The arrow of a head is of this class, and of one that says which way it points. */
static int
find_arrow (GtkWidget *widget)
{
  if (g_strcmp0 (gtk_widget_get_css_name (widget), "sort-indicator") == 0)
    return gtk_widget_has_css_class (widget, "ascending") ? 1 : gtk_widget_has_css_class (widget, "descending") ? -1 : 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int found = find_arrow (child);

      if (found != 0)
        return found;
    }
  return 0;
}

int
mt_column_sort_get (GtkColumnView *view)
{
  GtkWidget *heads = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *head = heads != NULL ? gtk_widget_get_first_child (heads) : NULL;

  g_return_val_if_fail (GTK_IS_COLUMN_VIEW (view), 0);

  for (int column = 1; head != NULL; column++, head = gtk_widget_get_next_sibling (head))
    {
      int way = find_arrow (head);

      if (way != 0)
        return way * column;
    }
  return 0;
}

void
mt_column_sort_set (GtkColumnView *view,
                    int            sort)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autoptr (GtkColumnViewColumn) column = sort != 0 ? g_list_model_get_item (columns, (guint) abs (sort) - 1) : NULL;

  g_return_if_fail (GTK_IS_COLUMN_VIEW (view));

  if (sort != 0 && (column == NULL || gtk_column_view_column_get_sorter (column) == NULL))
    return;
  gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);   /* or the old arrow would stay as well */
  if (sort != 0)
    gtk_column_view_sort_by_column (view, column, sort > 0 ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
}
