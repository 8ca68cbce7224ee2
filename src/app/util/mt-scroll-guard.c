/* Keeps the scroll wheel from changing a spin button. The wheel scrolls the page instead, so scrolling
 * through a form never changes a number by accident. See mt-scroll-guard.h. */
#include "config.h"
#include "mt-scroll-guard.h"

void
mt_scroll_guard (GtkWidget *control)
{
  g_autoptr (GListModel) controllers = NULL;

  g_return_if_fail (GTK_IS_WIDGET (control));

  controllers = gtk_widget_observe_controllers (control);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

void
mt_scroll_sideways (GtkWidget *scrolled)
{
  g_autoptr (GListModel) controllers = NULL;

  g_return_if_fail (GTK_IS_SCROLLED_WINDOW (scrolled));

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  controllers = gtk_widget_observe_controllers (scrolled);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_scroll_set_flags (GTK_EVENT_CONTROLLER_SCROLL (controller),
                                               GTK_EVENT_CONTROLLER_SCROLL_HORIZONTAL | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
    }
}
