/* The grid under keys and pointer: the cursor, and column edges that can be dragged. */
#include "config.h"
#include "mt-grid-private.h"

#include <math.h>

#include "mt-column-header.h"

#define EDGE 5   /* pixels around the edge between two heads where it can be dragged */

static gboolean
on_key (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        state,
        MtGrid                *self)
{
  const MtGridGeometry *geometry = &self->scene.geometry;
  gboolean control = (state & GDK_CONTROL_MASK) != 0;
  gint64 place = self->scene.cursor_place, row = (gint64) self->scene.cursor_row;
  gint64 page = (gint64) MAX (1, (geometry->height - geometry->header_height) / geometry->row_height - 1);
  GtkWidget *header;

  if (self->scene.table == NULL || geometry->n_rows == 0 || geometry->n_places == 0)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Left: case GDK_KEY_KP_Left:
      place = control ? 0 : place - 1;
      break;
    case GDK_KEY_Right: case GDK_KEY_KP_Right:
      place = control ? geometry->n_places - 1 : place + 1;
      break;
    case GDK_KEY_Up: case GDK_KEY_KP_Up:
      row = control ? 0 : row - 1;
      break;
    case GDK_KEY_Down: case GDK_KEY_KP_Down:
      row = control ? (gint64) geometry->n_rows - 1 : row + 1;
      break;
    case GDK_KEY_Page_Up: case GDK_KEY_KP_Page_Up:
      row -= page;
      break;
    case GDK_KEY_Page_Down: case GDK_KEY_KP_Page_Down:
      row += page;
      break;
    case GDK_KEY_Home: case GDK_KEY_KP_Home:
      place = 0;
      row = control ? 0 : row;
      break;
    case GDK_KEY_End: case GDK_KEY_KP_End:
      place = geometry->n_places - 1;
      row = control ? (gint64) geometry->n_rows - 1 : row;
      break;
    case GDK_KEY_Return: case GDK_KEY_KP_Enter: case GDK_KEY_Menu:
      header = mt_grid_find_header (self, geometry->order[self->scene.cursor_place]);
      if (header == NULL)
        return GDK_EVENT_PROPAGATE;
      mt_column_header_open_menu (MT_COLUMN_HEADER (header));
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  mt_grid_go_to (self, (guint) CLAMP (place, 0, (gint64) geometry->n_places - 1),
                 (gsize) CLAMP (row, 0, (gint64) geometry->n_rows - 1));
  return GDK_EVENT_STOP;
}

static void
on_focus_in (MtGrid *self)
{
  if (self->scene.table == NULL || self->scene.geometry.n_rows == 0 || self->scene.cursor_shown)
    return;
  self->scene.cursor_shown = TRUE;
  _mt_grid_redraw_rows (self);
}

/* --- the pointer --- */

/* The place whose right edge lies under the pointer, or -1. */
static int
edge_at (MtGrid *self,
         double  x,
         double  y)
{
  const MtGridGeometry *geometry = &self->scene.geometry;
  guint place;

  if (self->scene.table == NULL || y >= geometry->header_height)
    return -1;
  for (int offset = -EDGE; offset <= EDGE; offset += EDGE)
    if (mt_grid_geometry_find_place (geometry, x + offset, &place) &&
        fabs (mt_grid_geometry_get_x (geometry, place) + mt_grid_geometry_get_width (geometry, place) - x) <= EDGE)
      return (int) place;
  return -1;
}

static void
on_motion (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           MtGrid                   *self)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), edge_at (self, x, y) >= 0 ? "col-resize" : NULL);
}

static void
on_drag_begin (GtkGestureDrag *gesture,
               double          x,
               double          y,
               MtGrid         *self)
{
  self->resizing = edge_at (self, x, y);
  if (self->resizing < 0)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->resize_from = mt_grid_geometry_get_width (&self->scene.geometry, (guint) self->resizing);
}

static void
on_drag_update (GtkGestureDrag *gesture,
                double          dx,
                double          dy,
                MtGrid         *self)
{
  if (self->resizing < 0 || (guint) self->resizing >= self->scene.geometry.n_places)
    return;
  mt_grid_geometry_set_width (&self->scene.geometry, (guint) self->resizing, self->resize_from + dx);
  _mt_grid_redraw_rows (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
on_click (GtkGestureClick *gesture,
          int              n_press,
          double           x,
          double           y,
          MtGrid          *self)
{
  guint place;
  gsize row;

  if (self->scene.table == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (mt_grid_geometry_find_row (&self->scene.geometry, y, &row) &&
      mt_grid_geometry_find_place (&self->scene.geometry, x, &place))
    mt_grid_go_to (self, place, row);
}

void
_mt_grid_add_input (MtGrid *self)
{
  GtkEventController *controller;
  GtkGesture *gesture;

  controller = gtk_event_controller_key_new ();
  g_signal_connect (controller, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  controller = gtk_event_controller_focus_new ();
  g_signal_connect_swapped (controller, "enter", G_CALLBACK (on_focus_in), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  controller = gtk_event_controller_motion_new ();
  g_signal_connect (controller, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  gesture = gtk_gesture_drag_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  g_signal_connect (gesture, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (gesture, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
  gesture = gtk_gesture_click_new ();
  g_signal_connect (gesture, "pressed", G_CALLBACK (on_click), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
}
