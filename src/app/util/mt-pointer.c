/* Where the pointer is over a widget. See mt-pointer.h. */
#include "config.h"
#include "mt-pointer.h"

#include <math.h>

static void
on_motion (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           MtPointer                *pointer)
{
  pointer->x = x;
  pointer->y = y;
}

static void
on_leave (MtPointer *pointer)
{
  pointer->x = pointer->y = NAN;
}

void
mt_pointer_follow (MtPointer *pointer,
                   GtkWidget *widget)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  on_leave (pointer);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), pointer);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), pointer);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), pointer);
  gtk_widget_add_controller (widget, motion);
}

void
mt_pointer_get (const MtPointer *pointer,
                GtkWidget       *widget,
                double          *x,
                double          *y)
{
  *x = isnan (pointer->x) ? gtk_widget_get_width (widget) / 2.0 : pointer->x;
  *y = isnan (pointer->y) ? gtk_widget_get_height (widget) / 2.0 : pointer->y;
}
