/* The frontier drawn: hover shows, a click or the arrow keys select, Space pins; the selection is shared
 * with the table next to it. See mt-plot-view.h. */
#include "config.h"
#include "mt-plot-view-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "study/mt-run.h"
#include "util/mt-theme.h"

#define ZONE 50   /* literals that people can still follow, says the paper */

enum {
  PROP_0,
  PROP_ZOOMED,
};

static guint pin_signal;

G_DEFINE_FINAL_TYPE (MtPlotView, mt_plot_view, MT_TYPE_DRAWN_VIEW)

static int
index_of (MtPlotView *self,
          gpointer    item)
{
  guint index;

  return item != NULL && g_ptr_array_find (self->items, item, &index) ? (int) index : -1;
}

int
_mt_plot_view_get_selected (MtPlotView *self)
{
  return self->selection != NULL ? index_of (self, gtk_single_selection_get_selected_item (self->selection)) : -1;
}

/* --- drawing --- */

static void
fill_spec (MtPlotView *self,
           MtPlotSpec *spec)
{
  mt_plot_spec_init (spec);
  spec->points = (const MtPlotPoint *) (const void *) self->points->data;
  spec->n_points = self->points->len;
  spec->benchmarks = (const MtPlotBenchmark *) (const void *) self->benchmarks->data;
  spec->n_benchmarks = self->benchmarks->len;
  spec->log = self->log_scale;
  spec->zone = ZONE;
  spec->zone_label = _("50 literals or fewer");
  spec->x_title = self->log_scale ? _("Model size in literals (log scale)") : _("Model size in literals");
  spec->recommended = self->recommended;
  spec->callout_title = self->callout_title;
  spec->callout_text = self->callout_text;
  /* Translators: of the recommended model's point, where there is no room for more */
  spec->callout_short = _("Recommended");
  spec->selected = _mt_plot_view_get_selected (self);
  spec->pinned_a = index_of (self, self->pins[0]);
  spec->pinned_b = index_of (self, self->pins[1]);
  spec->x_low = self->x_low;
  spec->x_high = self->x_high;
  spec->y_low = self->y_low;
  spec->y_high = self->y_high;
  spec->decimal = mt_format_get_mark_char ();
}

static void
forget_layout (MtPlotView *self)
{
  mt_drawn_view_changed (MT_DRAWN_VIEW (self));
}

static void
mt_plot_view_forget (MtDrawnView *view)
{
  g_clear_pointer (&MT_PLOT_VIEW (view)->layout, mt_plot_layout_free);
}

static gboolean
mt_plot_view_lay_out (MtDrawnView *view,
                      int          width,
                      int          height)
{
  MtPlotView *self = MT_PLOT_VIEW (view);
  MtPlotSpec spec;

  if (self->items->len == 0)
    return FALSE;
  if (self->layout != NULL && self->layout->width == width && self->layout->height == height)
    return TRUE;
  g_clear_pointer (&self->layout, mt_plot_layout_free);
  fill_spec (self, &spec);
  self->layout = mt_plot_layout_new (&spec, width, height, mt_plot_measure, mt_drawn_view_get_fonts (view));
  return TRUE;
}

const MtPlotLayout *
mt_plot_view_get_layout (MtPlotView *self)
{
  g_return_val_if_fail (MT_IS_PLOT_VIEW (self), NULL);
  if (gtk_widget_get_width (GTK_WIDGET (self)) > 1)
    mt_plot_view_lay_out (MT_DRAWN_VIEW (self), gtk_widget_get_width (GTK_WIDGET (self)),
                          gtk_widget_get_height (GTK_WIDGET (self)));
  return self->layout;
}

static char *
describe (MtPlotView *self,
          int         index)
{
  const MtFrontierPoint *point = mt_frontier_item_get_point (self->items->pdata[index]);

  return g_strdup_printf (ngettext ("%u literal", "%u literals", point->complexity), point->complexity);
}

static char *
describe_quality (MtPlotView *self,
                  int         index)
{
  guint n_rules = mt_frontier_item_get_n_rules (self->items->pdata[index]);
  g_autofree char *quality = mt_frontier_point_format (mt_frontier_item_get_point (self->items->pdata[index]));

  /* Translators: name of the metric, its value, number of rules */
  return g_strdup_printf (ngettext ("%s %s · %u rule", "%s %s · %u rules", n_rules), self->metric, quality, n_rules);
}

static void
mt_plot_view_paint (MtDrawnView *view,
                    cairo_t     *cr,
                    int          width,
                    int          height)
{
  MtPlotPalette palette;

  mt_theme_get_plot_palette (&palette);
  mt_draw_plot (cr, MT_PLOT_VIEW (view)->layout, mt_drawn_view_get_fonts (view), &palette);
}

/* Not one of the models: a result of another method, or -1. */
static int
other_at (MtPlotView *self,
          int         index)
{
  return index >= (int) self->items->len ? index - (int) self->items->len : -1;
}

/* What a file said of another method; it tells no rules. */
static char *
describe_other (MtPlotView *self,
                int         other)
{
  const MtPlotPoint *point = &g_array_index (self->others, MtPlotPoint, other);
  g_autofree char *mean = mt_format_fixed (point->quality, 3);
  g_autofree char *quality = mt_format_with_error (mean, point->error);
  g_autofree char *literals = mt_format_fixed (point->literals, point->literals == floor (point->literals) ? 0 : 1);

  /* Translators: name of the metric, its value, number of literals, which may be a mean such as 12.4 */
  return g_strdup_printf (_("%s %s · literals: %s"), self->metric, quality, literals);
}

/* Of several runs also whose it is: colours and shapes are not enough for many. */
static char *
describe_hovered (MtPlotView *self)
{
  MtRun *run = mt_frontier_item_get_run (self->items->pdata[self->hovered]);
  char *literals = describe (self, self->hovered);
  const char *name = run != NULL && self->several ? mt_run_get_name (run) : NULL;
  g_autofree char *plain = NULL;

  if (name == NULL || *name == '\0')
    return literals;
  plain = literals;
  return g_strjoin (" · ", literals, name, mt_frontier_item_is_apart (self->items->pdata[self->hovered])
                                           ? _("Earlier data") : NULL, NULL);
}

/* The point under the pointer. */
static void
mt_plot_view_overlay (MtDrawnView *view,
                      cairo_t     *cr)
{
  MtPlotView *self = MT_PLOT_VIEW (view);
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;
  MtPlotPalette palette;

  if (self->hovered < 0)
    return;
  if (other_at (self, self->hovered) >= 0)
    {
      title = g_strdup (self->other_names->pdata[other_at (self, self->hovered)]);
      text = describe_other (self, other_at (self, self->hovered));
    }
  else
    {
      title = describe_hovered (self);
      text = describe_quality (self, self->hovered);
    }
  mt_theme_get_plot_palette (&palette);
  mt_draw_plot_highlight (cr, self->layout, mt_drawn_view_get_fonts (view), &palette, self->hovered, title, text);
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
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 300;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 700 : 420;
}

/* --- choosing --- */

/* The spoken summary: what is selected, and what the drawing shows at all. */
static void
describe_for_readers (MtPlotView *self)
{
  int selected = _mt_plot_view_get_selected (self);
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;

  count = g_strdup_printf (ngettext ("%u model", "%u models", self->items->len), self->items->len);
  if (self->others->len > 0)
    {
      g_autofree char *own = g_steal_pointer (&count);

      /* Translators: number of models, then number of results that were imported from a file: "12 models; 5 imported results" */
      count = g_strdup_printf (ngettext ("%s; %u imported result", "%s; %u imported results", self->others->len), own,
                               self->others->len);
    }
  if (self->subtitle != NULL)
    {
      /* Translators: what is predicted, then the number of models: "Predicts approved = yes; 12 models" */
      char *both = g_strdup_printf (_("%s; %s"), self->subtitle, count);

      g_free (count);
      count = both;
    }
  if (selected >= 0)
    {
      g_autofree char *literals = describe (self, selected);
      g_autofree char *quality = describe_quality (self, selected);

      /* Translators: number of models; then of the selected one: its literals, how good it is */
      text = g_strdup_printf (_("%s; selected: %s, %s"), count, literals, quality);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : count, -1);
}

static void
on_selected (MtPlotView *self)
{
  describe_for_readers (self);
  forget_layout (self);
}

void
_mt_plot_view_select (MtPlotView *self,
                      int         index)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  if (index < 0 || (guint) index >= self->items->len)
    return;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (item == self->items->pdata[index])
        {
          gtk_single_selection_set_selected (self->selection, i);
          return;
        }
    }
}

void
_mt_plot_view_pin (MtPlotView *self,
                   int         index)
{
  if (index >= 0 && (guint) index < self->items->len)
    g_signal_emit (self, pin_signal, 0, self->items->pdata[index]);
}

void
_mt_plot_view_set_hovered (MtPlotView *self,
                           int         index)
{
  if (index == self->hovered)
    return;
  self->hovered = index;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), index >= 0 && other_at (self, index) < 0 ? "pointer" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- zooming --- */

static gboolean
is_zoomed (MtPlotView *self)
{
  return !isnan (self->x_low);
}

/* The axes when everything is shown. */
static void
find_whole (MtPlotView *self,
            MtAxis     *x,
            MtAxis     *y)
{
  g_autoptr (MtPlotLayout) layout = NULL;
  MtPlotSpec spec;

  fill_spec (self, &spec);
  spec.x_low = spec.x_high = spec.y_low = spec.y_high = NAN;
  layout = mt_plot_layout_new (&spec, self->layout->width, self->layout->height, mt_plot_measure,
                               mt_drawn_view_get_fonts (MT_DRAWN_VIEW (self)));
  mt_axis_init (x, layout->x.low, layout->x.high, layout->x.log, layout->x.decimal);
  mt_axis_init (y, layout->y.low, layout->y.high, FALSE, layout->y.decimal);
}

void
_mt_plot_view_show_part (MtPlotView   *self,
                         const MtAxis *x,
                         double        x_from,
                         double        x_to,
                         const MtAxis *y,
                         double        y_from,
                         double        y_to)
{
  MtAxis whole_x, whole_y;

  if (self->layout == NULL)
    return;
  find_whole (self, &whole_x, &whole_y);
  mt_axis_view (x, &whole_x, x_from, x_to, &self->x_low, &self->x_high);
  mt_axis_view (y, &whole_y, y_from, y_to, &self->y_low, &self->y_high);
  if (mt_axis_position (&whole_x, self->x_low) < 1e-6 && mt_axis_position (&whole_x, self->x_high) > 1 - 1e-6 &&
      mt_axis_position (&whole_y, self->y_low) < 1e-6 && mt_axis_position (&whole_y, self->y_high) > 1 - 1e-6)
    self->x_low = self->x_high = self->y_low = self->y_high = NAN;
  _mt_plot_view_set_hovered (self, -1);
  forget_layout (self);
  mt_plot_view_get_layout (self);   /* the next step of a gesture starts from it */
  g_object_notify (G_OBJECT (self), "zoomed");
}

static void
copy_axes (MtPlotView *self,
           MtAxis     *x,
           MtAxis     *y)
{
  mt_axis_init (x, self->layout->x.low, self->layout->x.high, self->layout->x.log, '.');
  mt_axis_init (y, self->layout->y.low, self->layout->y.high, FALSE, '.');
}

/* A place in the widget as positions on the axes; outside of the plot those of its edge. */
static void
find_positions (MtPlotView *self,
                double      x,
                double      y,
                double     *across,
                double     *up)
{
  const MtBox *area = &self->layout->area;

  *across = CLAMP ((x - area->x) / area->width, 0, 1);
  *up = CLAMP (1 - (y - area->y) / area->height, 0, 1);
}

void
mt_plot_view_zoom (MtPlotView *self,
                   double      factor,
                   double      x,
                   double      y)
{
  double across, up, value_x, value_y, off_x, off_y;
  MtAxis axis_x, axis_y;

  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  if (mt_plot_view_get_layout (self) == NULL)   /* also before what changed is painted */
    return;
  find_positions (self, x, y, &across, &up);
  copy_axes (self, &axis_x, &axis_y);
  value_x = mt_axis_value (&axis_x, across);
  value_y = mt_axis_value (&axis_y, up);
  _mt_plot_view_show_part (self, &axis_x, across - across * factor, across + (1 - across) * factor,
                           &axis_y, up - up * factor, up + (1 - up) * factor);
  if (!is_zoomed (self) || self->layout == NULL)
    return;
  /* Longer numbers at the axis move the plot; what is at that place is to stay there all the same. */
  find_positions (self, x, y, &across, &up);
  copy_axes (self, &axis_x, &axis_y);
  off_x = mt_axis_position (&axis_x, value_x) - across;
  off_y = mt_axis_position (&axis_y, value_y) - up;
  if (fabs (off_x) > 1e-6 || fabs (off_y) > 1e-6)
    _mt_plot_view_show_part (self, &axis_x, off_x, 1 + off_x, &axis_y, off_y, 1 + off_y);
}

void
mt_plot_view_pan (MtPlotView *self,
                  double      across,
                  double      up)
{
  MtAxis x, y;

  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  if (self->layout == NULL)
    return;
  copy_axes (self, &x, &y);
  _mt_plot_view_show_part (self, &x, across, 1 + across, &y, up, 1 + up);
}

void
mt_plot_view_reset (MtPlotView *self)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  if (!is_zoomed (self))
    return;
  self->x_low = self->x_high = self->y_low = self->y_high = NAN;
  forget_layout (self);
  g_object_notify (G_OBJECT (self), "zoomed");
}

/* --- what is shown --- */

void
mt_plot_view_set_selection (MtPlotView         *self,
                            GtkSingleSelection *selection)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self) && self->selection == NULL);

  self->selection = g_object_ref (selection);
  g_signal_connect_object (selection, "notify::selected-item", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}

static void
describe_recommended (MtPlotView            *self,
                      const MtFrontierPoint *point,
                      guint                  n_folds)
{
  g_autofree char *quality = mt_frontier_point_format (point);

  self->callout_title = g_strdup_printf (ngettext ("Recommended: %u literal", "Recommended: %u literals",
                                                   point->complexity), point->complexity);
  if (n_folds == 0)
    self->callout_text = g_strdup_printf ("%s %s", self->metric, quality);
  else
    /* Translators: name of the metric, its value, number of folds */
    self->callout_text = g_strdup_printf (ngettext ("%s %s, %u fold", "%s %s, %u folds", n_folds), self->metric,
                                          quality, n_folds);
}

void
mt_plot_view_show_points (MtPlotView *self,
                          GListModel *points,
                          const char *metric,
                          guint       n_folds)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  g_free (self->metric);
  self->metric = g_strdup (metric);
  g_clear_pointer (&self->callout_title, g_free);
  g_clear_pointer (&self->callout_text, g_free);
  self->recommended = -1;
  self->hovered = -1;
  self->several = FALSE;
  g_array_set_size (self->points, 0);
  g_ptr_array_set_size (self->items, 0);
  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      MtFrontierItem *item = g_list_model_get_item (points, i);
      const MtFrontierPoint *from = mt_frontier_item_get_point (item);
      MtPlotPoint point = { from->complexity, mt_frontier_point_get_quality (from), from->cv_se,
                            mt_frontier_item_get_mark (item) };

      self->several |= i > 0 && mt_frontier_item_get_run (item) != mt_frontier_item_get_run (self->items->pdata[0]);
      g_ptr_array_add (self->items, item);
      g_array_append_val (self->points, point);
      if (mt_frontier_item_is_recommended (item))
        {
          self->recommended = (int) i;
          describe_recommended (self, from, n_folds);
        }
    }
  g_array_append_vals (self->points, self->others->data, self->others->len);
  on_selected (self);
}

void
mt_plot_view_set_others (MtPlotView         *self,
                         const MtPlotPoint  *points,
                         const char * const *names,
                         guint               n_points)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  _mt_plot_view_set_hovered (self, -1);
  g_array_set_size (self->points, self->items->len);
  g_array_set_size (self->others, 0);
  g_ptr_array_set_size (self->other_names, 0);
  if (n_points > 0)
    g_array_append_vals (self->others, points, n_points);
  for (guint i = 0; i < n_points; i++)
    g_ptr_array_add (self->other_names, g_strdup (names[i]));
  forget_layout (self);
}

void
mt_plot_view_set_heading (MtPlotView *self,
                          const char *title,
                          const char *subtitle)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  g_free (self->title);
  self->title = g_strdup (title);
  g_free (self->subtitle);
  self->subtitle = g_strdup (subtitle);
  describe_for_readers (self);
}

static void
clear_legend_entry (gpointer data)
{
  g_free ((char *) ((MtPlotLegendEntry *) data)->label);
}

void
mt_plot_view_set_legend (MtPlotView   *self,
                         const GArray *entries,
                         guint         n_left_out)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self) && entries != NULL);

  g_array_set_size (self->legend, 0);
  for (guint i = 0; i < entries->len; i++)
    {
      const MtPlotLegendEntry *from = &g_array_index (entries, MtPlotLegendEntry, i);
      const MtPlotLegendEntry copy = { from->series, g_strdup (from->label) };

      g_array_append_val (self->legend, copy);
    }
  if (n_left_out > 0)
    {
      /* Translators: runs that the legend of a picture does not name */
      const MtPlotLegendEntry more = { MT_PLOT_SERIES_NONE, g_strdup_printf (ngettext ("and %u more", "and %u more",
                                                                                       n_left_out), n_left_out) };

      g_array_append_val (self->legend, more);
    }
}

static void
clear_benchmark (gpointer data)
{
  g_free ((char *) ((MtPlotBenchmark *) data)->label);
}

void
mt_plot_view_set_benchmarks (MtPlotView            *self,
                             const MtPlotBenchmark *benchmarks,
                             guint                  n_benchmarks)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  g_array_set_size (self->benchmarks, 0);
  for (guint i = 0; i < n_benchmarks; i++)
    {
      MtPlotBenchmark copy = { benchmarks[i].quality, g_strdup (benchmarks[i].label), benchmarks[i].dashed };

      g_array_append_val (self->benchmarks, copy);
    }
  forget_layout (self);
}

void
mt_plot_view_set_pins (MtPlotView     *self,
                       MtFrontierItem *a,
                       MtFrontierItem *b)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  g_set_object (&self->pins[0], a);
  g_set_object (&self->pins[1], b);
  forget_layout (self);
}

void
mt_plot_view_set_log (MtPlotView *self,
                      gboolean    log_scale)
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  self->log_scale = log_scale;
  self->x_low = self->x_high = self->y_low = self->y_high = NAN;
  forget_layout (self);
  g_object_notify (G_OBJECT (self), "zoomed");
}

gboolean
mt_plot_view_get_log (MtPlotView *self)
{
  g_return_val_if_fail (MT_IS_PLOT_VIEW (self), FALSE);
  return self->log_scale;
}

gboolean
mt_plot_view_get_part (MtPlotView *self,
                       double      part[4])
{
  g_return_val_if_fail (MT_IS_PLOT_VIEW (self), FALSE);

  part[0] = self->x_low;
  part[1] = self->x_high;
  part[2] = self->y_low;
  part[3] = self->y_high;
  return is_zoomed (self);
}

void
mt_plot_view_set_part (MtPlotView   *self,
                       const double  part[4])
{
  g_return_if_fail (MT_IS_PLOT_VIEW (self));

  if (!(part[0] < part[1] && part[2] < part[3]) || (self->log_scale && part[0] <= 0))
    return;
  self->x_low = part[0];
  self->x_high = part[1];
  self->y_low = part[2];
  self->y_high = part[3];
  forget_layout (self);
  g_object_notify (G_OBJECT (self), "zoomed");
}

MtPlotCopy *
mt_plot_view_copy (MtPlotView *self)
{
  MtPlotCopy *copy = g_new0 (MtPlotCopy, 1);
  GPtrArray *texts = g_ptr_array_new ();
  MtPlotSpec *spec = &copy->spec;

  g_return_val_if_fail (MT_IS_PLOT_VIEW (self), NULL);

  fill_spec (self, spec);
  spec->title = self->title;   /* in the window it stands above */
  spec->subtitle = self->subtitle;
  copy->legend = g_memdup2 (self->legend->data, sizeof *copy->legend * self->legend->len);
  spec->legend = copy->legend;
  spec->n_legend = self->legend->len;
#define OWN(text)                                      \
  if ((text) != NULL)                                  \
    {                                                  \
      (text) = g_strdup (text);                        \
      g_ptr_array_add (texts, (gpointer) (text));      \
    }
  OWN (spec->zone_label)
  OWN (spec->x_title)
  OWN (spec->callout_title)
  OWN (spec->callout_text)
  OWN (spec->callout_short)
  OWN (spec->title)
  OWN (spec->subtitle)
  copy->points = g_memdup2 (spec->points, sizeof *spec->points * spec->n_points);
  copy->benchmarks = g_memdup2 (spec->benchmarks, sizeof *spec->benchmarks * spec->n_benchmarks);
  for (guint i = 0; i < spec->n_benchmarks; i++)
    OWN (copy->benchmarks[i].label)
  for (guint i = 0; i < spec->n_legend; i++)
    OWN (copy->legend[i].label)
#undef OWN
  spec->points = copy->points;
  spec->benchmarks = copy->benchmarks;
  spec->selected = -1;   /* a ring around what happened to be selected says nothing on paper */
  g_ptr_array_add (texts, NULL);
  copy->texts = (char **) g_ptr_array_free (texts, FALSE);
  return copy;
}

void
mt_plot_copy_free (MtPlotCopy *copy)
{
  if (copy == NULL)
    return;
  g_free (copy->points);
  g_free (copy->benchmarks);
  g_free (copy->legend);
  g_strfreev (copy->texts);
  g_free (copy);
}

/* --- object --- */

static void
mt_plot_view_get_property (GObject    *object,
                           guint       id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  if (id == PROP_ZOOMED)
    g_value_set_boolean (value, is_zoomed (MT_PLOT_VIEW (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_plot_view_finalize (GObject *object)
{
  MtPlotView *self = MT_PLOT_VIEW (object);

  g_clear_object (&self->selection);
  g_clear_object (&self->pins[0]);
  g_clear_object (&self->pins[1]);
  g_array_unref (self->points);
  g_array_unref (self->others);
  g_ptr_array_unref (self->other_names);
  g_array_unref (self->benchmarks);
  g_array_unref (self->legend);
  g_ptr_array_unref (self->items);
  g_free (self->callout_title);
  g_free (self->callout_text);
  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->metric);
  g_clear_pointer (&self->layout, mt_plot_layout_free);
  G_OBJECT_CLASS (mt_plot_view_parent_class)->finalize (object);
}

static void
mt_plot_view_class_init (MtPlotViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  MtDrawnViewClass *view_class = MT_DRAWN_VIEW_CLASS (klass);

  object_class->finalize = mt_plot_view_finalize;
  object_class->get_property = mt_plot_view_get_property;
  view_class->forget = mt_plot_view_forget;
  view_class->lay_out = mt_plot_view_lay_out;
  view_class->paint = mt_plot_view_paint;
  view_class->overlay = mt_plot_view_overlay;
  widget_class->measure = mt_plot_view_measure;
  g_object_class_install_property (object_class, PROP_ZOOMED,
                                   g_param_spec_boolean ("zoomed", NULL, NULL, FALSE,
                                                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  pin_signal = g_signal_new ("pin", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                             G_TYPE_NONE, 1, MT_TYPE_FRONTIER_ITEM);
  _mt_plot_view_class_add_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "plot");
}

static void
mt_plot_view_init (MtPlotView *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->points = g_array_new (FALSE, FALSE, sizeof (MtPlotPoint));
  self->others = g_array_new (FALSE, FALSE, sizeof (MtPlotPoint));
  self->other_names = g_ptr_array_new_with_free_func (g_free);
  self->benchmarks = g_array_new (FALSE, FALSE, sizeof (MtPlotBenchmark));
  g_array_set_clear_func (self->benchmarks, clear_benchmark);
  self->legend = g_array_new (FALSE, FALSE, sizeof (MtPlotLegendEntry));
  g_array_set_clear_func (self->legend, clear_legend_entry);
  self->recommended = -1;
  self->hovered = -1;
  self->log_scale = TRUE;
  self->x_low = self->x_high = self->y_low = self->y_high = NAN;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Plot of quality against model size; the table shows the same models"),
                                  GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS, "Left Right Up Down space plus minus 0",
                                  -1);
  _mt_plot_view_add_controllers (self);
}
