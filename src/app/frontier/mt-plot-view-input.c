/* Keys, pointer and touch on the plot. */
#include "config.h"
#include "mt-plot-view-private.h"

#include <math.h>

#define STEP       0.8      /* of a wheel click, of + and - */
#define SHIFT      0.12     /* of an arrow key, in shares of what is shown */
#define DRAG_AFTER 6        /* pixels; less is a click */

/* --- keys --- */

static void
action_zoom (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  double factor = g_str_equal (name, "plot.zoom-in") ? STEP : 1 / STEP;
  MtPlotView *self = MT_PLOT_VIEW (widget);
  int selected = _mt_plot_view_get_selected (self);
  double x = gtk_widget_get_width (widget) / 2.0, y = gtk_widget_get_height (widget) / 2.0;
  const MtPlotLayout *layout = mt_plot_view_get_layout (self);   /* also when it is not painted yet */

  /* Around what one looks at; where that is out of view, it comes to the middle first. */
  if (selected >= 0 && layout != NULL && isfinite (layout->marks[selected].x) && isfinite (layout->marks[selected].y))
    {
      if (!layout->marks[selected].visible)
        {
          mt_plot_view_pan (self, (layout->marks[selected].x - layout->area.x) / layout->area.width - 0.5,
                            0.5 - (layout->marks[selected].y - layout->area.y) / layout->area.height);
          layout = mt_plot_view_get_layout (self);
        }
      x = layout->marks[selected].x;
      y = layout->marks[selected].y;
    }
  mt_plot_view_zoom (self, factor, x, y);
}

static void
action_reset (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  mt_plot_view_reset (MT_PLOT_VIEW (widget));
}

static void
action_pan (GtkWidget  *widget,
            const char *name,
            GVariant   *parameter)
{
  int across, up;

  g_variant_get (parameter, "(ii)", &across, &up);
  mt_plot_view_pan (MT_PLOT_VIEW (widget), across * SHIFT, up * SHIFT);
}

static void
action_walk (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  MtPlotView *self = MT_PLOT_VIEW (widget);
  MtPlotDirection direction = (MtPlotDirection) g_variant_get_int32 (parameter);

  if (self->layout != NULL)
    _mt_plot_view_select (self, mt_plot_layout_neighbour (self->layout, _mt_plot_view_get_selected (self), direction));
}

/* To the simplest or the most complex of those that no other beats. */
static void
action_end (GtkWidget  *widget,
            const char *name,
            GVariant   *parameter)
{
  MtPlotView *self = MT_PLOT_VIEW (widget);
  gboolean first = g_variant_get_boolean (parameter);

  if (self->layout != NULL)
    _mt_plot_view_select (self, mt_plot_layout_neighbour (self->layout, -1, first ? MT_PLOT_RIGHT : MT_PLOT_LEFT));
}

static void
action_pin (GtkWidget  *widget,
            const char *name,
            GVariant   *parameter)
{
  MtPlotView *self = MT_PLOT_VIEW (widget);

  _mt_plot_view_pin (self, _mt_plot_view_get_selected (self));
}

void
_mt_plot_view_class_add_keys (GtkWidgetClass *widget_class)
{
  static const struct {
    guint           keys[2];   /* of the main block and of the keypad */
    int             across, up;
    MtPlotDirection direction;
  } arrows[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, -1, 0, MT_PLOT_LEFT },
    { { GDK_KEY_Right, GDK_KEY_KP_Right }, 1, 0, MT_PLOT_RIGHT },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, 1, MT_PLOT_UP },
    { { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, -1, MT_PLOT_DOWN },
  };
  static const struct {
    guint       key;
    const char *action;
  } keys[] = {
    { GDK_KEY_plus, "plot.zoom-in" }, { GDK_KEY_equal, "plot.zoom-in" }, { GDK_KEY_KP_Add, "plot.zoom-in" },
    { GDK_KEY_minus, "plot.zoom-out" }, { GDK_KEY_KP_Subtract, "plot.zoom-out" },
    { GDK_KEY_0, "plot.zoom-reset" }, { GDK_KEY_KP_0, "plot.zoom-reset" },
    { GDK_KEY_space, "plot.pin" }, { GDK_KEY_KP_Space, "plot.pin" },
  };
  static const guint enter[] = { GDK_KEY_Return, GDK_KEY_ISO_Enter, GDK_KEY_KP_Enter };

  gtk_widget_class_install_action (widget_class, "plot.zoom-in", NULL, action_zoom);
  gtk_widget_class_install_action (widget_class, "plot.zoom-out", NULL, action_zoom);
  gtk_widget_class_install_action (widget_class, "plot.zoom-reset", NULL, action_reset);
  gtk_widget_class_install_action (widget_class, "plot.pan", "(ii)", action_pan);
  gtk_widget_class_install_action (widget_class, "plot.walk", "i", action_walk);
  gtk_widget_class_install_action (widget_class, "plot.end", "b", action_end);
  gtk_widget_class_install_action (widget_class, "plot.pin", NULL, action_pin);
  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint k = 0; k < 2; k++)
      {
        gtk_widget_class_add_binding_action (widget_class, arrows[i].keys[k], 0, "plot.walk", "i",
                                             arrows[i].direction);
        gtk_widget_class_add_binding_action (widget_class, arrows[i].keys[k], GDK_SHIFT_MASK, "plot.pan", "(ii)",
                                             arrows[i].across, arrows[i].up);
      }
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    for (guint modifier = 0; modifier < 3; modifier++)
      if (modifier == 0 || i < 5)   /* a plus may need Shift, and Ctrl is what other programs want */
        gtk_widget_class_add_binding_action (widget_class, keys[i].key,
                                             modifier == 0 ? 0 : modifier == 1 ? GDK_SHIFT_MASK : GDK_CONTROL_MASK,
                                             keys[i].action, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (enter); i++)   /* what was chosen is looked at next */
    gtk_widget_class_add_binding_action (widget_class, enter[i], 0, "win.show-page", "s", "rules");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Home, 0, "plot.end", "b", TRUE);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_End, 0, "plot.end", "b", FALSE);
}

/* --- pointer --- */

static void
on_motion (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           MtPlotView               *self)
{
  _mt_plot_view_set_hovered (self, self->layout != NULL && !self->dragged ? mt_plot_layout_hit (self->layout, x, y)
                                                                         : -1);
}

static void
on_leave (MtPlotView *self)
{
  _mt_plot_view_set_hovered (self, -1);
}

/* Where the page itself scrolls, the wheel is for that and Ctrl is for the plot. */
static gboolean
page_scrolls (GtkWidget *widget)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment;

  if (scrolled == NULL)
    return FALSE;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  return gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) + 1;
}

static gboolean
on_scroll (GtkEventControllerScroll *controller,
           double                    dx,
           double                    dy,
           MtPlotView               *self)
{
  GtkEventController *base = GTK_EVENT_CONTROLLER (controller);
  gboolean control = gtk_event_controller_get_current_event_state (base) & GDK_CONTROL_MASK;
  double x, y;

  if (dy == 0 || (!control && page_scrolls (GTK_WIDGET (self))))
    return GDK_EVENT_PROPAGATE;
  mt_pointer_get (&self->pointer, GTK_WIDGET (self), &x, &y);
  mt_plot_view_zoom (self, pow (STEP, -CLAMP (dy, -3, 3)), x, y);
  return GDK_EVENT_STOP;
}

static void
remember_axes (MtPlotView *self)
{
  if (self->layout == NULL)
    return;
  mt_axis_init (&self->drag_x, self->layout->x.low, self->layout->x.high, self->layout->x.log, '.');
  mt_axis_init (&self->drag_y, self->layout->y.low, self->layout->y.high, FALSE, '.');
}

static void
on_drag_begin (GtkGestureDrag *gesture,
               double          x,
               double          y,
               MtPlotView     *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->dragged = FALSE;
  self->pressed = (MtXY) { x, y };
  remember_axes (self);
}

static void
on_drag_update (GtkGestureDrag *gesture,
                double          dx,
                double          dy,
                MtPlotView     *self)
{
  double across, up;

  /* With everything in view there is nowhere to go, and a finger may scroll the page. */
  if (self->layout == NULL || isnan (self->x_low) || (!self->dragged && hypot (dx, dy) < DRAG_AFTER))
    return;
  if (!self->dragged)
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->dragged = TRUE;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
  across = -dx / self->layout->area.width;
  up = dy / self->layout->area.height;
  _mt_plot_view_show_part (self, &self->drag_x, across, 1 + across, &self->drag_y, up, 1 + up);
}

static void
on_drag_end (GtkGestureDrag *gesture,
             double          dx,
             double          dy,
             MtPlotView     *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  int hit;

  if (self->dragged)
    {
      self->dragged = FALSE;
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), NULL);
      return;
    }
  if (self->layout == NULL)
    return;
  hit = mt_plot_layout_hit (self->layout, self->pressed.x, self->pressed.y);
  _mt_plot_view_select (self, hit);
  if (state & GDK_CONTROL_MASK)
    _mt_plot_view_pin (self, hit);
}

static void
on_double_click (GtkGestureClick *gesture,
                 int              n_press,
                 double           x,
                 double           y,
                 MtPlotView      *self)
{
  if (n_press == 2 && self->layout != NULL && mt_plot_layout_hit (self->layout, x, y) < 0)
    mt_plot_view_reset (self);
}

static void
on_pinch_begin (GtkGesture       *gesture,
                GdkEventSequence *sequence,
                MtPlotView       *self)
{
  remember_axes (self);
}

static void
on_pinch (GtkGestureZoom *gesture,
          double          scale,
          MtPlotView     *self)
{
  double x, y, across, up;

  if (self->layout == NULL || scale <= 0)
    return;
  if (!gtk_gesture_is_active (GTK_GESTURE (gesture)) ||
      !gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    mt_pointer_get (&self->pointer, GTK_WIDGET (self), &x, &y);
  across = CLAMP ((x - self->layout->area.x) / self->layout->area.width, 0, 1);
  up = CLAMP (1 - (y - self->layout->area.y) / self->layout->area.height, 0, 1);
  _mt_plot_view_show_part (self, &self->drag_x, across - across / scale, across + (1 - across) / scale,
                           &self->drag_y, up - up / scale, up + (1 - up) / scale);
}

void
_mt_plot_view_add_controllers (MtPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *controller;
  GtkGesture *gesture;

  mt_pointer_follow (&self->pointer, widget);
  controller = gtk_event_controller_motion_new ();
  g_signal_connect (controller, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (controller, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, controller);
  controller = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect (controller, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, controller);
  gesture = gtk_gesture_drag_new ();
  g_signal_connect (gesture, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (gesture, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (gesture, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));
  gesture = gtk_gesture_click_new ();
  g_signal_connect (gesture, "pressed", G_CALLBACK (on_double_click), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));
  gesture = gtk_gesture_zoom_new ();
  g_signal_connect (gesture, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (gesture, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));
}
