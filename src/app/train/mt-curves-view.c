/* Curves over steps, drawn while they grow: loss or metric by epoch, loss by literals. See mt-curves-
 * view.h. */
#include "config.h"
#include "mt-curves-view.h"

#include <math.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

struct _MtCurvesView {
  MtDrawnView     parent_instance;

  MtCurvesSpec    spec;          /* owns what it points to */
  MtCurvesLayout *layout;        /* of the size last drawn; NULL: lay out again */
  double          margin;        /* that its own labels need at @margin_height; NaN: measure again */
  int             margin_height;
  GPtrArray      *peers;         /* all that line up, itself among them, borrowed; NULL: it is alone */
};

G_DEFINE_FINAL_TYPE (MtCurvesView, mt_curves_view, MT_TYPE_DRAWN_VIEW)

void
mt_curves_spec_clear (MtCurvesSpec *spec)
{
  MtCurve *curves = (MtCurve *) spec->curves;

  for (guint i = 0; i < spec->n_curves; i++)
    {
      g_free ((double *) curves[i].y);
      g_free ((char *) curves[i].label);
      g_free ((char *) curves[i].name);
    }
  g_free (curves);
  g_free ((char *) spec->best_label);
  g_free ((char *) spec->x_title);
  mt_curves_spec_init (spec);
}

static void
copy_spec (MtCurvesSpec       *to,
           const MtCurvesSpec *from)
{
  MtCurve *curves = g_new0 (MtCurve, MAX (from->n_curves, 1));

  *to = *from;
  for (guint i = 0; i < from->n_curves; i++)
    {
      curves[i] = from->curves[i];
      curves[i].y = g_memdup2 (from->curves[i].y, from->curves[i].n * sizeof (double));
      curves[i].label = g_strdup (from->curves[i].label);
      curves[i].name = g_strdup (from->curves[i].name);
    }
  to->curves = curves;
  to->best_label = g_strdup (from->best_label);
  to->x_title = g_strdup (from->x_title);
}

static void
mt_curves_view_forget (MtDrawnView *view)
{
  g_clear_pointer (&MT_CURVES_VIEW (view)->layout, mt_curves_layout_free);
  MT_CURVES_VIEW (view)->margin = NAN;
}

static double
get_own_margin (MtCurvesView *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  MtCurvesSpec alone = self->spec;

  if (isnan (self->margin) || self->margin_height != height)
    {
      alone.margin = 0;
      self->margin = mt_curves_layout_margin (&alone, height, mt_plot_measure,
                                              mt_drawn_view_get_fonts (MT_DRAWN_VIEW (self)));
      self->margin_height = height;
    }
  return self->margin;
}

/* The most room that one of those in sight needs for its labels. */
static double
find_margin (MtCurvesView *self)
{
  double margin = 0;

  for (guint i = 0; self->peers != NULL && i < self->peers->len; i++)
    {
      MtCurvesView *peer = self->peers->pdata[i];

      if (gtk_widget_get_mapped (GTK_WIDGET (peer)) && peer->spec.n_curves > 0)
        margin = MAX (margin, get_own_margin (peer));
    }
  return margin;
}

static gboolean
mt_curves_view_lay_out (MtDrawnView *view,
                        int          width,
                        int          height)
{
  MtCurvesView *self = MT_CURVES_VIEW (view);

  if (self->spec.n_curves == 0)
    return FALSE;
  if (self->layout != NULL && self->layout->width == width && self->layout->height == height)
    return TRUE;
  g_clear_pointer (&self->layout, mt_curves_layout_free);
  self->spec.decimal = mt_format_get_mark_char ();
  self->spec.margin = find_margin (self);
  self->layout = mt_curves_layout_new (&self->spec, width, height, mt_plot_measure, mt_drawn_view_get_fonts (view));
  return TRUE;
}

static void
mt_curves_view_paint (MtDrawnView *view,
                      cairo_t     *cr,
                      int          width,
                      int          height)
{
  MtPlotPalette palette;

  mt_theme_get_plot_palette (&palette);
  mt_draw_curves (cr, MT_CURVES_VIEW (view)->layout, mt_drawn_view_get_fonts (view), &palette);
}

static void
mt_curves_view_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 220 : 170;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 600 : 225;
}

char *
mt_curves_view_describe (MtCurvesView *self,
                         guint         step)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (MT_IS_CURVES_VIEW (self) && step > 0, NULL);

  if (self->spec.x_title != NULL)
    g_string_append_printf (text, "%s %u", self->spec.x_title, step);
  for (guint i = 0; i < self->spec.n_curves; i++)
    {
      const MtCurve *curve = &self->spec.curves[i];
      g_autofree char *value = NULL;

      if (step > curve->n || !isfinite (curve->y[step - 1]))
        continue;
      value = mt_format_number (curve->y[step - 1]);
      g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? "\n" : "", curve->name != NULL ? curve->name : "",
                              curve->name != NULL ? " " : "", value);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The values at the step under the pointer. */
static gboolean
mt_curves_view_query_tooltip (GtkWidget  *widget,
                              int         x,
                              int         y,
                              gboolean    keyboard,
                              GtkTooltip *tooltip)
{
  MtCurvesView *self = MT_CURVES_VIEW (widget);
  g_autofree char *text = NULL;
  guint step;

  if (self->layout == NULL || keyboard)
    return FALSE;
  step = mt_curves_layout_step (self->layout, x, y);
  if (step == 0)
    return FALSE;
  text = mt_curves_view_describe (self, step);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

void
mt_curves_view_show (MtCurvesView       *self,
                     const MtCurvesSpec *spec,
                     const char         *spoken)
{
  g_return_if_fail (MT_IS_CURVES_VIEW (self) && spec != NULL);

  mt_curves_spec_clear (&self->spec);
  copy_spec (&self->spec, spec);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  self->spec.decimal = mt_format_get_mark_char ();
  mt_drawn_view_changed (MT_DRAWN_VIEW (self));
  for (guint i = 0; self->peers != NULL && i < self->peers->len; i++)
    mt_drawn_view_changed (self->peers->pdata[i]);
}

void
mt_curves_view_align (MtCurvesView *const *views,
                      guint                n_views)
{
  g_autoptr (GPtrArray) peers = g_ptr_array_new ();

  for (guint i = 0; i < n_views; i++)
    {
      g_return_if_fail (MT_IS_CURVES_VIEW (views[i]) && views[i]->peers == NULL);
      g_ptr_array_add (peers, views[i]);
      views[i]->peers = g_ptr_array_ref (peers);
    }
}

const MtCurvesLayout *
mt_curves_view_get_layout (MtCurvesView *self)
{
  g_return_val_if_fail (MT_IS_CURVES_VIEW (self), NULL);
  return self->layout;
}

gboolean
mt_curves_view_copy (MtCurvesView *self,
                     MtCurvesSpec *spec)
{
  g_return_val_if_fail (MT_IS_CURVES_VIEW (self), FALSE);

  copy_spec (spec, &self->spec);
  return spec->n_curves > 0;
}

static void
mt_curves_view_dispose (GObject *object)
{
  MtCurvesView *self = MT_CURVES_VIEW (object);

  if (self->peers != NULL)
    g_ptr_array_remove (self->peers, self);
  g_clear_pointer (&self->peers, g_ptr_array_unref);
  G_OBJECT_CLASS (mt_curves_view_parent_class)->dispose (object);
}

static void
mt_curves_view_finalize (GObject *object)
{
  MtCurvesView *self = MT_CURVES_VIEW (object);

  mt_curves_spec_clear (&self->spec);
  g_clear_pointer (&self->layout, mt_curves_layout_free);
  G_OBJECT_CLASS (mt_curves_view_parent_class)->finalize (object);
}

static void
mt_curves_view_class_init (MtCurvesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  MtDrawnViewClass *view_class = MT_DRAWN_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_curves_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_curves_view_finalize;
  view_class->forget = mt_curves_view_forget;
  view_class->lay_out = mt_curves_view_lay_out;
  view_class->paint = mt_curves_view_paint;
  widget_class->measure = mt_curves_view_measure;
  widget_class->query_tooltip = mt_curves_view_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "curves");
}

static void
mt_curves_view_init (MtCurvesView *self)
{
  mt_curves_spec_init (&self->spec);
  self->margin = NAN;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}
