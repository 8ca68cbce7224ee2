/* Column views whose cells show numbers: written again when the preferred way to write numbers changes. */
#include "config.h"
#include "mt-column-refresh.h"

#include "mt-preferences.h"

/* A column whose factory is set again makes its cells again. */
static void
rebind (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      g_autoptr (GtkListItemFactory) factory = gtk_column_view_column_get_factory (column);

      g_object_ref (factory);
      gtk_column_view_column_set_factory (column, NULL);
      gtk_column_view_column_set_factory (column, factory);
    }
}

void
mt_column_refresh_watch (GtkColumnView *view)
{
  mt_preferences_watch_numbers (view, G_CALLBACK (rebind));
}
