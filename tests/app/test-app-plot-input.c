/* Keys, pointer and fingers on the frontier's plot: by what the widget itself listens with, so that a binding or a
 * gesture that is gone is missed; and once by a pointer and a keyboard of the display's, which also have Ctrl. */
#include "config.h"

#include <dlfcn.h>
#include <math.h>
#include <gdk/x11/gdkx.h>

#include "frontier/mt-frontier-page.h"
#include "frontier/mt-plot-view.h"
#include "util/mt-list-tab-behavior.h"
#include "rules-window.h"

typedef struct {
  MtWindow   *window;
  MtStudy    *study;
  MtPlotView *plot;
} Fixture;

static gboolean
is_laid_out (gpointer plot)
{
  return mt_plot_view_get_layout (plot) != NULL && mt_plot_view_get_layout (plot)->n_marks > 2;
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->window = mt_rules_window_open ("yes", 1100);
  fixture->study = mt_window_get_study (fixture->window);
  fixture->plot = mt_rules_window_find (fixture->window, MT_TYPE_PLOT_VIEW);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-page", "s", "frontier");
  mt_app_wait (is_laid_out, fixture->plot);
  mt_app_wait_painted (GTK_WIDGET (fixture->plot));
  mt_app_settle (200);   /* benchmarks move the axes */
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  mt_app_window_end (fixture->window);
}

/* --- what it listens with --- */

static void
press_key (Fixture         *fixture,
           guint            key,
           GdkModifierType  modifiers)
{
  if (!mt_app_press (GTK_WIDGET (fixture->plot), key, modifiers))
    g_error ("nothing is bound to %s with %u", gdk_keyval_name (key), (guint) modifiers);
}

/* The one of the type. Unref it. */
static gpointer
find_controller (Fixture *fixture,
                 GType    type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (fixture->plot));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (G_OBJECT_TYPE (controller) == type)
        return g_steal_pointer (&controller);
    }
  g_error ("there is no %s", g_type_name (type));
}

static void
drag (Fixture *fixture,
      double   x,
      double   y,
      double   dx,
      double   dy)
{
  g_autoptr (GtkGesture) gesture = find_controller (fixture, GTK_TYPE_GESTURE_DRAG);

  g_signal_emit_by_name (gesture, "drag-begin", x, y);
  if (dx != 0 || dy != 0)
    g_signal_emit_by_name (gesture, "drag-update", dx, dy);
  g_signal_emit_by_name (gesture, "drag-end", dx, dy);
}

static void
click_twice (Fixture *fixture,
             double   x,
             double   y)
{
  g_autoptr (GtkGesture) gesture = find_controller (fixture, GTK_TYPE_GESTURE_CLICK);

  g_signal_emit_by_name (gesture, "pressed", 1, x, y);
  g_signal_emit_by_name (gesture, "pressed", 2, x, y);
}

static void
pinch (Fixture *fixture,
       double   scale)
{
  g_autoptr (GtkGesture) gesture = find_controller (fixture, GTK_TYPE_GESTURE_ZOOM);

  g_signal_emit_by_name (gesture, "begin", NULL);
  g_signal_emit_by_name (gesture, "scale-changed", scale);
}

static gboolean
turn_wheel (Fixture *fixture,
            double   dy)
{
  g_autoptr (GtkEventController) controller = find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_SCROLL);
  gboolean taken;

  g_signal_emit_by_name (controller, "scroll", 0.0, dy, &taken);
  return taken;
}

/* --- what is shown --- */

static const MtPlotLayout *
layout_of (Fixture *fixture)
{
  return mt_plot_view_get_layout (fixture->plot);
}

static gboolean
is_zoomed (Fixture *fixture)
{
  double part[4];

  return mt_plot_view_get_part (fixture->plot, part);
}

/* How much of the literals' axis is shown, and where its middle is; as on the axis of the whole. */
static void
get_view (Fixture *fixture,
          double  *width,
          double  *x,
          double  *y)
{
  const MtPlotLayout *layout = layout_of (fixture);

  *width = log (layout->x.high / layout->x.low);
  *x = log (layout->x.high * layout->x.low) / 2;
  *y = (layout->y.low + layout->y.high) / 2;
}

static double
get_width (Fixture *fixture)
{
  double width, x, y;

  get_view (fixture, &width, &x, &y);
  return width;
}

static gboolean
is_pinned (Fixture        *fixture,
           MtFrontierItem *item)
{
  return item != NULL && (mt_study_get_pin (fixture->study, 0) == item || mt_study_get_pin (fixture->study, 1) == item);
}

/* One of the staircase, with no other near it: neither the selected one, nor the recommended. */
static guint
find_mark (Fixture *fixture)
{
  const MtPlotLayout *layout = layout_of (fixture);

  for (guint i = 0; i < layout->n_marks; i++)
    {
      const MtPlotMark *mark = &layout->marks[i];

      if (mark->visible && !mark->dominated && (int) i != layout->selected && (int) i != layout->recommended &&
          mt_plot_layout_hit (layout, mark->x, mark->y) == (int) i)
        return i;
    }
  g_assert_not_reached ();
}

static MtFrontierItem *
get_item (Fixture *fixture,
          guint    index)
{
  g_autoptr (MtFrontierItem) item = g_list_model_get_item (mt_study_get_points (fixture->study), index);

  return item;   /* the list has it */
}

/* A place in the plot with no point near. */
static void
find_empty (Fixture *fixture,
            double  *x,
            double  *y)
{
  const MtPlotLayout *layout = layout_of (fixture);

  for (double up = 0.1; up < 1; up += 0.1)
    for (double across = 0.1; across < 1; across += 0.1)
      {
        *x = layout->area.x + across * layout->area.width;
        *y = layout->area.y + up * layout->area.height;
        if (mt_plot_layout_hit (layout, *x, *y) < 0)
          return;
      }
  g_assert_not_reached ();
}

/* --- keys --- */

static void
test_walk (Fixture       *fixture,
           gconstpointer  data)
{
  static const guint keys[2][4] = { { GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down },
                                    { GDK_KEY_KP_Left, GDK_KEY_KP_Right, GDK_KEY_KP_Up, GDK_KEY_KP_Down } };
  static const MtPlotDirection directions[] = { MT_PLOT_LEFT, MT_PLOT_RIGHT, MT_PLOT_UP, MT_PLOT_DOWN };
  int first, last;

  press_key (fixture, GDK_KEY_Home, 0);
  first = layout_of (fixture)->selected;
  g_assert_cmpint (first, ==, mt_plot_layout_neighbour (layout_of (fixture), -1, MT_PLOT_RIGHT));
  press_key (fixture, GDK_KEY_End, 0);
  last = layout_of (fixture)->selected;
  g_assert_cmpint (last, ==, mt_plot_layout_neighbour (layout_of (fixture), -1, MT_PLOT_LEFT));
  g_assert_cmpint (first, !=, last);
  for (guint block = 0; block < 2; block++)
    for (guint i = 0; i < 4; i++)
      {
        int from, to;

        press_key (fixture, i == 0 || i == 3 ? GDK_KEY_End : GDK_KEY_Home, 0);
        from = layout_of (fixture)->selected;
        to = mt_plot_layout_neighbour (layout_of (fixture), from, directions[i]);
        g_assert_cmpint (from, !=, to);
        press_key (fixture, keys[block][i], 0);
        g_assert_cmpint (layout_of (fixture)->selected, ==, to);
      }
}

static void
test_pin_keys (Fixture       *fixture,
               gconstpointer  data)
{
  static const guint keys[] = { GDK_KEY_space, GDK_KEY_KP_Space };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      MtFrontierItem *selected = mt_study_get_selected (fixture->study);

      g_assert_false (is_pinned (fixture, selected));
      press_key (fixture, keys[i], 0);
      g_assert_true (is_pinned (fixture, selected));
      press_key (fixture, keys[i], 0);
      g_assert_false (is_pinned (fixture, selected));
    }
}

/* On to the rules of what was chosen, from the plot and from its table. */
static void
test_enter (Fixture       *fixture,
            gconstpointer  data)
{
  static const guint keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter };
  GtkWidget *rules = mt_app_find (GTK_WIDGET (fixture->window), MT_TYPE_RULES_PAGE, NULL);
  GtkWidget *table = mt_app_find (mt_app_find (GTK_WIDGET (fixture->window), MT_TYPE_FRONTIER_PAGE, NULL),
                                  GTK_TYPE_COLUMN_VIEW, NULL);

  for (guint i = 0; i <= G_N_ELEMENTS (keys); i++)
    {
      MtFrontierItem *selected = mt_study_get_selected (fixture->study);

      g_assert_false (gtk_widget_get_mapped (rules));
      if (i < G_N_ELEMENTS (keys))
        press_key (fixture, keys[i], 0);
      else
        g_signal_emit_by_name (table, "activate", 0);
      g_assert_true (gtk_widget_get_mapped (rules));
      g_assert_true (mt_study_get_selected (fixture->study) == selected);
      gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-page", "s", "frontier");
      mt_app_settle (50);
    }
}

/* Where the keyboard is can be seen; and who comes to the table by Tab is on the selected model, not on the first. */
static void
test_tab (Fixture       *fixture,
          gconstpointer  data)
{
  GtkWidget *table = mt_app_find (mt_app_find (GTK_WIDGET (fixture->window), MT_TYPE_FRONTIER_PAGE, NULL),
                                  GTK_TYPE_COLUMN_VIEW, NULL);
  GtkWidget *holder = gtk_widget_get_ancestor (table, MT_TYPE_LIST_TAB_BEHAVIOR), *row;
  MtFrontierItem *selected = mt_study_get_selected (fixture->study);
  GtkWidget *card = gtk_widget_get_parent (GTK_WIDGET (fixture->plot));   /* the ring is around the plot */
  g_autoptr (GdkTexture) without = mt_app_grab (card), with = NULL;
  g_autoptr (GBytes) before = gdk_texture_save_to_png_bytes (without), after = NULL;

  gtk_widget_grab_focus (GTK_WIDGET (fixture->plot));
  gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), TRUE);
  mt_app_settle (50);
  with = mt_app_grab (card);
  after = gdk_texture_save_to_png_bytes (with);
  g_assert_false (g_bytes_equal (before, after));
  g_assert_true (gtk_widget_child_focus (holder, GTK_DIR_TAB_FORWARD));
  row = gtk_root_get_focus (GTK_ROOT (fixture->window));
  g_assert_true (gtk_widget_is_ancestor (row, table));
  g_assert_true (gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED);
  g_assert_true (mt_study_get_selected (fixture->study) == selected);
  g_assert_false (gtk_widget_child_focus (holder, GTK_DIR_TAB_FORWARD));   /* out again */
}

static void
test_zoom_keys (Fixture       *fixture,
                gconstpointer  data)
{
  static const guint in[] = { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add };
  static const guint out[] = { GDK_KEY_minus, GDK_KEY_KP_Subtract };
  static const guint reset[] = { GDK_KEY_0, GDK_KEY_KP_0 };
  static const GdkModifierType modifiers[] = { 0, GDK_SHIFT_MASK, GDK_CONTROL_MASK };

  for (guint i = 0; i < G_N_ELEMENTS (in); i++)
    for (guint m = 0; m < G_N_ELEMENTS (modifiers); m++)
      {
        double whole = get_width (fixture), near;

        g_assert_false (is_zoomed (fixture));
        press_key (fixture, in[i], modifiers[m]);
        press_key (fixture, in[i], modifiers[m]);
        near = get_width (fixture);
        g_assert_cmpfloat (near, <, 0.8 * whole);
        press_key (fixture, out[i % 2], modifiers[m]);
        g_assert_cmpfloat (get_width (fixture), >, 1.1 * near);
        g_assert_true (is_zoomed (fixture));
        press_key (fixture, reset[i % 2], 0);
        g_assert_false (is_zoomed (fixture));
        g_assert_cmpfloat_with_epsilon (get_width (fixture), whole, 1e-9);
      }
}

/* + keeps the selected point in view, wherever it is, also one that was selected in the table while another part was
 * shown, and before the plot has been painted anew. */
static void
test_zoom_selected (Fixture       *fixture,
                    gconstpointer  data)
{
  GListModel *points = mt_study_get_points (fixture->study);
  guint n = g_list_model_get_n_items (points);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);

      mt_study_set_selected (fixture->study, item);   /* the part that was shown stays, from the second on */
      for (guint k = 0; k < 6; k++)
        {
          press_key (fixture, GDK_KEY_plus, 0);
          g_assert_true (is_zoomed (fixture));
          g_assert_cmpint (layout_of (fixture)->selected, >=, 0);
        }
    }
  for (guint k = 0; k < 12; k++)
    {
      press_key (fixture, GDK_KEY_minus, 0);
      g_assert_cmpint (layout_of (fixture)->selected, >=, 0);
    }
}

static void
test_pan_keys (Fixture       *fixture,
               gconstpointer  data)
{
  static const struct { guint keys[2]; int across, up; } arrows[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, -1, 0 }, { { GDK_KEY_Right, GDK_KEY_KP_Right }, 1, 0 },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, 1 }, { { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, -1 },
  };
  const MtBox *area = &layout_of (fixture)->area;

  /* From the middle there is room on all sides. */
  mt_plot_view_zoom (fixture->plot, 0.4, area->x + area->width / 2, area->y + area->height / 2);
  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint k = 0; k < 2; k++)
      {
        double width, x, y, new_width, new_x, new_y;

        get_view (fixture, &width, &x, &y);
        press_key (fixture, arrows[i].keys[k], GDK_SHIFT_MASK);
        get_view (fixture, &new_width, &new_x, &new_y);
        g_assert_cmpfloat_with_epsilon (new_width, width, 1e-6);
        g_assert_cmpint ((new_x > x + 1e-6) - (new_x < x - 1e-6), ==, arrows[i].across);
        g_assert_cmpint ((new_y > y + 1e-6) - (new_y < y - 1e-6), ==, arrows[i].up);
        press_key (fixture, arrows[i ^ 1].keys[k], GDK_SHIFT_MASK);   /* and back */
      }
}

/* --- pointer and fingers --- */

static void
test_click (Fixture       *fixture,
            gconstpointer  data)
{
  const MtPlotLayout *layout = layout_of (fixture);
  guint mark = find_mark (fixture);
  MtFrontierItem *item = get_item (fixture, mark);
  double x, y;

  /* A hand that is not quite still clicks, too. */
  drag (fixture, layout->marks[mark].x, layout->marks[mark].y, 3, -2);
  g_assert_true (mt_study_get_selected (fixture->study) == item);
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fixture->plot)));
  g_assert_false (is_pinned (fixture, item));
  find_empty (fixture, &x, &y);
  drag (fixture, x, y, 0, 0);
  g_assert_true (mt_study_get_selected (fixture->study) == item);
}

static void
test_drag (Fixture       *fixture,
           gconstpointer  data)
{
  const MtBox *area = &layout_of (fixture)->area;
  MtFrontierItem *selected = mt_study_get_selected (fixture->study);
  double width, x, y, new_width, new_x, new_y, from_x, from_y;
  guint mark;

  /* With everything in view there is nowhere to go. */
  find_empty (fixture, &from_x, &from_y);
  drag (fixture, from_x, from_y, 60, 0);
  g_assert_false (is_zoomed (fixture));
  mt_plot_view_zoom (fixture->plot, 0.5, area->x + area->width / 2, area->y + area->height / 2);
  mt_app_wait_painted (GTK_WIDGET (fixture->plot));
  get_view (fixture, &width, &x, &y);
  find_empty (fixture, &from_x, &from_y);
  drag (fixture, from_x, from_y, -40, -25);
  get_view (fixture, &new_width, &new_x, &new_y);
  g_assert_cmpfloat_with_epsilon (new_width, width, 1e-6);
  g_assert_cmpfloat (new_x, >, x);   /* what was at the right comes into view, */
  g_assert_cmpfloat (new_y, <, y);   /* and what was below */
  g_assert_cmpfloat_with_epsilon (new_x - x, 40 / layout_of (fixture)->area.width * width, 0.02 * width);
  /* Who drags by a point does not select it. */
  mt_plot_view_reset (fixture->plot);
  mark = find_mark (fixture);
  mt_plot_view_zoom (fixture->plot, 0.5, layout_of (fixture)->marks[mark].x, layout_of (fixture)->marks[mark].y);
  drag (fixture, layout_of (fixture)->marks[mark].x, layout_of (fixture)->marks[mark].y, -30, 0);
  g_assert_true (mt_study_get_selected (fixture->study) == selected);
}

static void
test_double_click (Fixture       *fixture,
                   gconstpointer  data)
{
  const MtPlotLayout *layout = layout_of (fixture);
  guint mark = find_mark (fixture);
  double x, y;

  mt_plot_view_zoom (fixture->plot, 0.5, layout->marks[mark].x, layout->marks[mark].y);
  g_assert_true (is_zoomed (fixture));
  layout = layout_of (fixture);
  click_twice (fixture, layout->marks[mark].x, layout->marks[mark].y);
  g_assert_true (is_zoomed (fixture));
  find_empty (fixture, &x, &y);
  click_twice (fixture, x, y);
  g_assert_false (is_zoomed (fixture));
}

static void
test_pinch (Fixture       *fixture,
            gconstpointer  data)
{
  double whole = get_width (fixture);

  pinch (fixture, 2);
  g_assert_true (is_zoomed (fixture));
  g_assert_cmpfloat_with_epsilon (get_width (fixture), whole / 2, 1e-6 * whole);
  pinch (fixture, 0.25);
  g_assert_false (is_zoomed (fixture));
}

static void
test_wheel (Fixture       *fixture,
            gconstpointer  data)
{
  double whole = get_width (fixture);

  g_assert_true (turn_wheel (fixture, -1));
  g_assert_cmpfloat (get_width (fixture), <, 0.9 * whole);
  g_assert_true (turn_wheel (fixture, 1));
  g_assert_false (is_zoomed (fixture));
}

/* --- the display's own pointer and keyboard --- */

typedef struct {
  int           (*motion)    (Display *display, int screen, int x, int y, unsigned long delay);
  int           (*button)    (Display *display, unsigned button, Bool down, unsigned long delay);
  int           (*key)       (Display *display, unsigned code, Bool down, unsigned long delay);
  KeyCode       (*code)      (Display *display, KeySym key);
  Window        (*root)      (Display *display);
  Bool          (*translate) (Display *display, Window from, Window to, int x, int y, int *to_x, int *to_y, Window *child);
  int           (*focus)     (Display *display, Window window, int revert_to, Time when);
  int           (*sync)      (Display *display, Bool discard);
  Display        *display;
  Window          window;
  int             x, y;   /* of the plot on the screen */
} Hands;

/* FALSE: this display has none. */
static gboolean
get_hands (Hands   *hands,
           Fixture *fixture)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (fixture->plot));
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (fixture->plot));
  void *x11 = dlopen ("libX11.so.6", RTLD_NOW), *test = dlopen ("libXtst.so.6", RTLD_NOW);
  graphene_point_t at;
  double left, top;
  Window child;

  if (x11 == NULL || test == NULL || !GDK_IS_X11_DISPLAY (display))
    return FALSE;
#define GET(from, field, name) *(void **) &hands->field = dlsym (from, name); g_assert_nonnull (*(void **) &hands->field)
  GET (test, motion, "XTestFakeMotionEvent");
  GET (test, button, "XTestFakeButtonEvent");
  GET (test, key, "XTestFakeKeyEvent");
  GET (x11, code, "XKeysymToKeycode");
  GET (x11, root, "XDefaultRootWindow");
  GET (x11, translate, "XTranslateCoordinates");
  GET (x11, focus, "XSetInputFocus");
  GET (x11, sync, "XSync");
#undef GET
  hands->display = gdk_x11_display_get_xdisplay (display);
  hands->window = gdk_x11_surface_get_xid (gtk_native_get_surface (native));
  gtk_native_get_surface_transform (native, &left, &top);
  g_assert_true (gtk_widget_compute_point (GTK_WIDGET (fixture->plot), GTK_WIDGET (native), &GRAPHENE_POINT_INIT (0, 0),
                                           &at));
  hands->translate (hands->display, hands->window, hands->root (hands->display), (int) (left + at.x),
                    (int) (top + at.y), &hands->x, &hands->y, &child);
  return TRUE;
}

static void
point (Hands  *hands,
       double  x,
       double  y)
{
  hands->motion (hands->display, -1, hands->x + (int) round (x), hands->y + (int) round (y), 0);
  hands->sync (hands->display, FALSE);
  mt_app_settle (40);
}

static void
press_button (Hands    *hands,
              unsigned  button,
              guint     n)
{
  for (guint i = 0; i < n; i++)
    {
      hands->button (hands->display, button, TRUE, 0);
      hands->button (hands->display, button, FALSE, 0);
    }
  hands->sync (hands->display, FALSE);
  mt_app_settle (60);
}

static void
hold_key (Hands  *hands,
          KeySym  key,
          Bool    down)
{
  hands->key (hands->display, hands->code (hands->display, key), down, 0);
  hands->sync (hands->display, FALSE);
  mt_app_settle (40);
}

static gboolean
has_cursor (Fixture *fixture)
{
  return gtk_widget_get_cursor (GTK_WIDGET (fixture->plot)) != NULL;
}

static void
test_hands (Fixture       *fixture,
            gconstpointer  data)
{
  guint mark = find_mark (fixture);
  MtFrontierItem *item = get_item (fixture, mark), *before = mt_study_get_selected (fixture->study);
  const MtPlotMark at = layout_of (fixture)->marks[mark];
  double x, y, whole = get_width (fixture);
  Hands hands;

  if (!get_hands (&hands, fixture))
    {
      g_test_skip ("no XTest on this display");
      return;
    }
  find_empty (fixture, &x, &y);
  point (&hands, x, y);
  g_assert_false (has_cursor (fixture));
  point (&hands, at.x, at.y);
  g_assert_true (has_cursor (fixture));
  g_assert_true (mt_study_get_selected (fixture->study) == before);
  press_button (&hands, 1, 1);
  g_assert_true (mt_study_get_selected (fixture->study) == item);
  g_assert_false (is_pinned (fixture, item));
  /* With Ctrl it is pinned, and with Ctrl again let go. */
  for (guint i = 0; i < 2; i++)
    {
      mt_app_settle (500);   /* no double click; and what is said below the plot may have moved it */
      point (&hands, layout_of (fixture)->marks[mark].x, layout_of (fixture)->marks[mark].y);
      hold_key (&hands, GDK_KEY_Control_L, TRUE);
      press_button (&hands, 1, 1);
      hold_key (&hands, GDK_KEY_Control_L, FALSE);
      g_assert_cmpint (is_pinned (fixture, item), ==, i == 0);
    }
  /* The wheel is button 4 and 5. */
  press_button (&hands, 4, 3);
  g_assert_cmpfloat (get_width (fixture), <, 0.8 * whole);
  mt_app_settle (500);
  find_empty (fixture, &x, &y);
  point (&hands, x, y);
  /* A drag moves what is shown, … */
  {
    double width, middle_x, middle_y, new_x, new_y;

    get_view (fixture, &width, &middle_x, &middle_y);
    hands.button (hands.display, 1, TRUE, 0);
    point (&hands, x + 20, y);
    point (&hands, x + 50, y);
    hands.button (hands.display, 1, FALSE, 0);
    hands.sync (hands.display, FALSE);
    mt_app_settle (60);
    get_view (fixture, &width, &new_x, &new_y);
    g_assert_cmpfloat (new_x, <, middle_x);
  }
  /* … and two clicks show everything. */
  mt_app_settle (500);
  find_empty (fixture, &x, &y);
  point (&hands, x, y);
  press_button (&hands, 1, 2);
  g_assert_false (is_zoomed (fixture));
  g_assert_true (mt_study_get_selected (fixture->study) == item);
  /* The keys go to what was clicked. */
  hands.focus (hands.display, hands.window, 2 /* RevertToParent */, CurrentTime);
  hands.sync (hands.display, FALSE);
  mt_app_settle (100);
  hold_key (&hands, GDK_KEY_Home, TRUE);
  hold_key (&hands, GDK_KEY_Home, FALSE);
  g_assert_cmpint (layout_of (fixture)->selected, ==, mt_plot_layout_neighbour (layout_of (fixture), -1, MT_PLOT_RIGHT));
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
#define ADD(name, function) g_test_add ("/app/plot-input/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("walk", test_walk);
  ADD ("pin-keys", test_pin_keys);
  ADD ("enter", test_enter);
  ADD ("tab", test_tab);
  ADD ("zoom-keys", test_zoom_keys);
  ADD ("zoom-selected", test_zoom_selected);
  ADD ("pan-keys", test_pan_keys);
  ADD ("click", test_click);
  ADD ("drag", test_drag);
  ADD ("double-click", test_double_click);
  ADD ("pinch", test_pinch);
  ADD ("wheel", test_wheel);
  ADD ("hands", test_hands);
#undef ADD
  return g_test_run ();
}
