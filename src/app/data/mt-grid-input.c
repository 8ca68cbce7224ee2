/* The grid under keys and pointer: the cursor, and column edges that can be dragged. */
#include "config.h"
#include "mt-grid-private.h"

#include <math.h>

#include "mt-column-header.h"

#define EDGE 5   /* pixels around the edge between two heads where it can be dragged */

/* What has the focus, if it is in the grid; the grid itself is. */
static GtkWidget *
find_focus (MtGrid *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && (focus == GTK_WIDGET (self) || gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
         ? focus : NULL;
}

static GtkWidget *
find_cursor_head (MtGrid *self)
{
  return self->scene.cursor_place < self->scene.geometry.n_places
         ? mt_grid_find_header (self, self->scene.geometry.order[self->scene.cursor_place]) : NULL;
}

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
  GtkWidget *header, *focus = find_focus (self);

  if (self->scene.table == NULL || geometry->n_rows == 0 || geometry->n_places == 0)
    return GDK_EVENT_PROPAGATE;
  if (focus != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL)
    return GDK_EVENT_PROPAGATE;   /* it is for the menu of a head */
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
      header = find_cursor_head (self);
      if (header == NULL)
        return GDK_EVENT_PROPAGATE;
      mt_column_header_open_menu (MT_COLUMN_HEADER (header));
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  if (focus != GTK_WIDGET (self))   /* a head has it, of the column that the cursor leaves */
    gtk_widget_grab_focus (GTK_WIDGET (self));
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

/* --- heads with the focus --- */

static void
on_head_focused (GtkEventController *controller,
                 MtGrid             *self)
{
  guint column = mt_column_header_get_column (MT_COLUMN_HEADER (gtk_event_controller_get_widget (controller)));

  if (self->scene.table == NULL || self->scene.cursor_row >= self->scene.geometry.n_rows)
    return;
  for (guint place = 0; place < self->scene.geometry.n_places; place++)
    if (self->scene.geometry.order[place] == column && place != self->scene.cursor_place)
      _mt_grid_put_cursor (self, place, self->scene.cursor_row);
}

void
_mt_grid_watch_head (MtGrid    *self,
                     GtkWidget *head)
{
  GtkEventController *controller = gtk_event_controller_focus_new ();

  g_signal_connect (controller, "enter", G_CALLBACK (on_head_focused), self);
  gtk_widget_add_controller (head, controller);
}

void
_mt_grid_keep_focus (MtGrid *self)
{
  GtkWidget *focus = find_focus (self);
  GtkWidget *head = focus != NULL ? gtk_widget_get_ancestor (focus, MT_TYPE_COLUMN_HEADER) : NULL;

  if (head != NULL && self->scene.cursor_place < self->scene.geometry.n_places &&
      mt_column_header_get_column (MT_COLUMN_HEADER (head)) != self->scene.geometry.order[self->scene.cursor_place])
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* Tab comes to the cursor from both sides, and goes on with the head of its column. */
gboolean
_mt_grid_take_tab (MtGrid           *self,
                   GtkDirectionType  direction)
{
  GtkWidget *focus = find_focus (self);
  GtkWidget *head;

  if (self->scene.table == NULL)
    return FALSE;
  if (direction == GTK_DIR_TAB_BACKWARD && focus == NULL)
    return gtk_widget_grab_focus (GTK_WIDGET (self));
  head = direction == GTK_DIR_TAB_FORWARD && focus == GTK_WIDGET (self) ? find_cursor_head (self) : NULL;
  return head != NULL && gtk_widget_child_focus (head, direction);
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
