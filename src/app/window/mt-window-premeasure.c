/* A page that is shown for the first time has hundreds of texts to shape and styles to find, which would take
 * the main loop up to a tenth of a second at once. So hidden pages are measured from
 * the leaves up, a few milliseconds at a time, while there is nothing else to do. */
#include "config.h"
#include "mt-window-private.h"

#define AT_ONCE 4000   /* μs */

typedef struct {
  MtWindow  *window;    /* borrowed: it ends this */
  GPtrArray *widgets;   /* held, leaves before what holds them */
  guint      next;
} Warming;

static void
collect (GtkWidget *widget,
         GPtrArray *widgets)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child) && !GTK_IS_NATIVE (child))
      collect (child, widgets);
  g_ptr_array_add (widgets, g_object_ref (widget));
}

static void
warming_free (gpointer data)
{
  Warming *warming = data;

  g_ptr_array_unref (warming->widgets);
  g_free (warming);
}

static gboolean
warm_some (gpointer data)
{
  Warming *warming = data;
  gint64 begun = g_get_monotonic_time ();

  while (warming->next < warming->widgets->len && g_get_monotonic_time () - begun < AT_ONCE)
    {
      GtkWidget *widget = warming->widgets->pdata[warming->next++];

      if (gtk_widget_get_root (widget) == NULL || gtk_widget_get_mapped (widget))
        continue;
      gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, NULL, NULL, NULL, NULL);
    }
  if (warming->next < warming->widgets->len)
    return G_SOURCE_CONTINUE;
  warming->window->warming = 0;
  return G_SOURCE_REMOVE;
}

void
_mt_window_warm_up (MtWindow *self)
{
  Warming *warming;

  g_clear_handle_id (&self->warming, g_source_remove);
  warming = g_new0 (Warming, 1);
  warming->window = self;
  warming->widgets = g_ptr_array_new_with_free_func (g_object_unref);
  collect (GTK_WIDGET (self->stack), warming->widgets);
  self->warming = g_idle_add_full (G_PRIORITY_LOW, warm_some, warming, warming_free);
}
