#include "config.h"
#include "mt-plot-view.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <langinfo.h>
#include <math.h>

#include "mt-frontier-item.h"

#define ZONE 50   /* literals that people can still follow, says the paper */

struct _MtPlotView {
  GtkWidget           parent_instance;

  GtkSingleSelection *selection;
  GArray             *points;         /* of MtPlotPoint */
  int                 recommended;
  char               *callout_title;
  char               *callout_text;
  char               *metric;
  gboolean            log_scale;

  MtPlotLayout       *layout;         /* of the size last drawn; NULL: lay out again */
  MtPlotFonts        *fonts;
  int                 hovered;
};

G_DEFINE_FINAL_TYPE (MtPlotView, mt_plot_view, GTK_TYPE_WIDGET)

static int
selected_index (MtPlotView *self)
{
  guint selected = self->selection != NULL ? gtk_single_selection_get_selected (self->selection)
                                           : GTK_INVALID_LIST_POSITION;

  return selected < self->points->len ? (int) selected : -1;
}

static void
fill_spec (MtPlotView *self,
           MtPlotSpec *spec)
{
  const char *mark = nl_langinfo (RADIXCHAR);

  mt_plot_spec_init (spec);
  spec->points = (const MtPlotPoint *) (const void *) self->points->data;
  spec->n_points = self->points->len;
  spec->log = self->log_scale;
  spec->zone = ZONE;
  spec->zone_label = _("Up to 50 literals: people can still follow the rules");
  spec->x_title = self->log_scale ? _("Literals in the model (log scale)") : _("Literals in the model");
  spec->recommended = self->recommended;
  spec->callout_title = self->callout_title;
  spec->callout_text = self->callout_text;
  spec->selected = selected_index (self);
  spec->decimal = mark[0] != '\0' && mark[1] == '\0' ? mark[0] : '.';
}

static void
forget_layout (MtPlotView *self)
{
  g_clear_pointer (&self->layout, mt_plot_layout_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ensure_layout (MtPlotView *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  MtPlotSpec spec;

  if (self->layout != NULL && self->layout->width == width && self->layout->height == height)
    return;
  g_clear_pointer (&self->layout, mt_plot_layout_free);
  if (self->fonts == NULL)
    {
      PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));

      self->fonts = mt_plot_fonts_new (context, pango_context_get_font_description (context));
    }
  fill_spec (self, &spec);
  self->layout = mt_plot_layout_new (&spec, width, height, mt_plot_measure, self->fonts);
}

static void
mt_plot_view_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  MtPlotView *self = MT_PLOT_VIEW (widget);
  AdwStyleManager *manager = adw_style_manager_get_default ();
  MtPlotPalette palette;
  cairo_t *cr;

  if (self->points->len == 0 || gtk_widget_get_width (widget) < 2 || gtk_widget_get_height (widget) < 2)
    return;
  ensure_layout (self);
  mt_plot_palette_init (&palette, adw_style_manager_get_dark (manager),
                        adw_style_manager_get_high_contrast (manager));
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) self->layout->width,
                                                                 (float) self->layout->height));
  mt_draw_plot (cr, self->layout, self->fonts, &palette);
  if (self->hovered >= 0)
    mt_draw_plot_highlight (cr, self->layout, &palette, self->hovered);
  cairo_destroy (cr);
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 0, 0, self->layout->width,
                               self->layout->height);
}

static void
mt_plot_view_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 330;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 700 : 420;
}

/* --- choosing --- */

static char *
describe (MtPlotView *self,
          int         index)
{
  g_autoptr (MtFrontierItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), (guint) index);
  const MtFrontierPoint *point = mt_frontier_item_get_point (item);
  g_autofree char *quality = mt_frontier_point_format (point);

  /* Translators: literals of a model, name of the metric, its value */
  return g_strdup_printf (ngettext ("%u literal: %s %s", "%u literals: %s %s", point->complexity),
                          point->complexity, self->metric, quality);
}

static void
on_selected (MtPlotView *self)
{
  int selected = selected_index (self);

  if (selected >= 0)
    {
      g_autofree char *text = describe (self, selected);

      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
    }
  forget_layout (self);
}

static void
select_point (MtPlotView *self,
              int         index)
{
  if (index >= 0)
    gtk_single_selection_set_selected (self->selection, (guint) index);
}

static gboolean
on_key (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        state,
        MtPlotView            *self)
{
  int selected = selected_index (self);

  if (self->layout == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Left:
      select_point (self, mt_plot_layout_neighbour (self->layout, selected, MT_PLOT_LEFT));
      return GDK_EVENT_STOP;
    case GDK_KEY_Right:
      select_point (self, mt_plot_layout_neighbour (self->layout, selected, MT_PLOT_RIGHT));
      return GDK_EVENT_STOP;
    case GDK_KEY_Up:
      select_point (self, mt_plot_layout_neighbour (self->layout, selected, MT_PLOT_UP));
      return GDK_EVENT_STOP;
    case GDK_KEY_Down:
      select_point (self, mt_plot_layout_neighbour (self->layout, selected, MT_PLOT_DOWN));
      return GDK_EVENT_STOP;
    case GDK_KEY_Home:
      select_point (self, 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_End:
      select_point (self, (int) self->points->len - 1);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
set_hovered (MtPlotView *self,
             int         index)
{
  if (index == self->hovered)
    return;
  self->hovered = index;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), index >= 0 ? "pointer" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_motion (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           MtPlotView               *self)
{
  set_hovered (self, self->layout != NULL ? mt_plot_layout_hit (self->layout, x, y) : -1);
}

static void
on_leave (MtPlotView *self)
{
  set_hovered (self, -1);
}

static void
on_click (GtkGestureClick *gesture,
          int              n_press,
          double           x,
          double           y,
          MtPlotView      *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->layout != NULL)
    select_point (self, mt_plot_layout_hit (self->layout, x, y));
}

static gboolean
mt_plot_view_query_tooltip (GtkWidget  *widget,
                            int         x,
                            int         y,
                            gboolean    keyboard,
                            GtkTooltip *tooltip)
{
  MtPlotView *self = MT_PLOT_VIEW (widget);
  g_autofree char *text = NULL;

  if (self->hovered < 0 || self->hovered >= (int) self->points->len)
    return FALSE;
  text = describe (self, self->hovered);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* --- object --- */

void
mt_plot_view_set_selection (MtPlotView         *self,
                            GtkSingleSelection *selection)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self) && self->selection == NULL);

  self->selection = g_object_ref (selection);
  g_signal_connect_object (selection, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}

void
mt_plot_view_refresh (MtPlotView *self,
                      const char *metric,
                      guint       n_folds)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  g_free (self->metric);
  self->metric = g_strdup (metric);
  g_clear_pointer (&self->callout_title, g_free);
  g_clear_pointer (&self->callout_text, g_free);
  self->recommended = -1;
  self->hovered = -1;
  g_array_set_size (self->points, 0);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);
      const MtFrontierPoint *from = mt_frontier_item_get_point (item);
      MtPlotPoint point = { from->complexity, mt_frontier_point_get_quality (from), from->cv_se, 0 };

      g_array_append_val (self->points, point);
      if (mt_frontier_item_is_recommended (item))
        {
          g_autofree char *quality = mt_frontier_point_format (from);

          self->recommended = (int) i;
          self->callout_title = g_strdup_printf (ngettext ("Recommended: %u literal", "Recommended: %u literals",
                                                           from->complexity), from->complexity);
          /* Translators: name of the metric, its value, number of folds */
          self->callout_text = g_strdup_printf (ngettext ("%s %s, %u fold", "%s %s, %u folds", n_folds), metric,
                                                quality, n_folds);
        }
    }
  on_selected (self);
}

void
mt_plot_view_set_log (MtPlotView *self,
                      gboolean    log_scale)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  self->log_scale = log_scale;
  forget_layout (self);
}

gboolean
mt_plot_view_export (MtPlotView  *self,
                     const char  *path,
                     GError     **error)
{
  MtPictureFormat format = MT_PICTURE_SVG;
  MtPlotPalette palette;
  MtPlotSpec spec;

  g_return_val_if_fail (MT_IS_PLOT_VIEW (self), FALSE);

  if (!mt_picture_format_from_name (path, &format))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                           _("Give the picture a name that ends in .svg, .png or .pdf"));
      return FALSE;
    }
  fill_spec (self, &spec);
  mt_plot_palette_init (&palette, FALSE, FALSE);
  return mt_plot_export (&spec, 820, 540, &palette, format, 2, path, error);
}

static void
mt_plot_view_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  MtPlotView *self = MT_PLOT_VIEW (widget);

  GTK_WIDGET_CLASS (mt_plot_view_parent_class)->css_changed (widget, change);
  g_clear_pointer (&self->fonts, mt_plot_fonts_free);
  forget_layout (self);
}

static void
mt_plot_view_finalize (GObject *object)
{
  MtPlotView *self = MT_PLOT_VIEW (object);

  g_clear_object (&self->selection);
  g_array_unref (self->points);
  g_free (self->callout_title);
  g_free (self->callout_text);
  g_free (self->metric);
  g_clear_pointer (&self->layout, mt_plot_layout_free);
  g_clear_pointer (&self->fonts, mt_plot_fonts_free);
  G_OBJECT_CLASS (mt_plot_view_parent_class)->finalize (object);
}

static void
mt_plot_view_class_init (MtPlotViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = mt_plot_view_finalize;
  widget_class->snapshot = mt_plot_view_snapshot;
  widget_class->measure = mt_plot_view_measure;
  widget_class->query_tooltip = mt_plot_view_query_tooltip;
  widget_class->css_changed = mt_plot_view_css_changed;
  gtk_widget_class_set_css_name (widget_class, "plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
mt_plot_view_init (MtPlotView *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  GtkEventController *controller;
  GtkGesture *click;

  self->points = g_array_new (FALSE, FALSE, sizeof (MtPlotPoint));
  self->recommended = -1;
  self->hovered = -1;
  self->log_scale = TRUE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Frontier: quality against literals; the table holds the same points"), -1);
  controller = gtk_event_controller_key_new ();
  g_signal_connect (controller, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  controller = gtk_event_controller_motion_new ();
  g_signal_connect (controller, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (controller, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
