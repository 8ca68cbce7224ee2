#include "config.h"
#include "mt-curves-view.h"

#include <adwaita.h>
#include <langinfo.h>
#include <math.h>

#include "mt-format.h"

struct _MtCurvesView {
  GtkWidget       parent_instance;

  MtCurvesSpec    spec;          /* owns what it points to */
  MtCurvesLayout *layout;        /* of the size last drawn; NULL: lay out again */
  MtPlotFonts    *fonts;
};

G_DEFINE_FINAL_TYPE (MtCurvesView, mt_curves_view, GTK_TYPE_WIDGET)

void
mt_curves_spec_clear (MtCurvesSpec *spec)
{
  MtCurve *curves = (MtCurve *) spec->curves;

  for (guint i = 0; i < spec->n_curves; i++)
    {
      g_free ((double *) curves[i].y);
      g_free ((char *) curves[i].label);
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
    }
  to->curves = curves;
  to->best_label = g_strdup (from->best_label);
  to->x_title = g_strdup (from->x_title);
}

static void
ensure_layout (MtCurvesView *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));

  if (self->layout != NULL && self->layout->width == width && self->layout->height == height)
    return;
  g_clear_pointer (&self->layout, mt_curves_layout_free);
  if (self->fonts == NULL)
    {
      PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));

      self->fonts = mt_plot_fonts_new (context, pango_context_get_font_description (context));
    }
  self->layout = mt_curves_layout_new (&self->spec, width, height, mt_plot_measure, self->fonts);
}

static void
mt_curves_view_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  MtCurvesView *self = MT_CURVES_VIEW (widget);
  AdwStyleManager *manager = adw_style_manager_get_default ();
  MtPlotPalette palette;
  cairo_t *cr;

  if (self->spec.n_curves == 0 || gtk_widget_get_width (widget) < 2 || gtk_widget_get_height (widget) < 2)
    return;
  ensure_layout (self);
  mt_plot_palette_init (&palette, adw_style_manager_get_dark (manager),
                        adw_style_manager_get_high_contrast (manager));
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) self->layout->width,
                                                                 (float) self->layout->height));
  mt_draw_curves (cr, self->layout, self->fonts, &palette);
  cairo_destroy (cr);
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
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 600 : 250;
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
  g_autoptr (GString) text = NULL;
  guint step;

  if (self->layout == NULL || keyboard)
    return FALSE;
  step = mt_curves_layout_step (self->layout, x, y);
  if (step == 0)
    return FALSE;
  text = g_string_new (NULL);
  if (self->spec.x_title != NULL)
    g_string_append_printf (text, "%s %u", self->spec.x_title, step);
  for (guint i = 0; i < self->spec.n_curves; i++)
    if (step <= self->spec.curves[i].n && isfinite (self->spec.curves[i].y[step - 1]))
      {
        g_autofree char *value = mt_format_number (self->spec.curves[i].y[step - 1]);

        g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", value);
      }
  gtk_tooltip_set_text (tooltip, text->str);
  return TRUE;
}

static void
forget_layout (MtCurvesView *self)
{
  g_clear_pointer (&self->layout, mt_curves_layout_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
mt_curves_view_show (MtCurvesView       *self,
                     const MtCurvesSpec *spec,
                     const char         *spoken)
{
  const char *mark = nl_langinfo (RADIXCHAR);

  g_return_if_fail (MT_IS_CURVES_VIEW (self) && spec != NULL);

  mt_curves_spec_clear (&self->spec);
  copy_spec (&self->spec, spec);
  self->spec.decimal = mark[0] != '\0' && mark[1] == '\0' ? mark[0] : '.';
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  forget_layout (self);
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
mt_curves_view_css_changed (GtkWidget         *widget,
                            GtkCssStyleChange *change)
{
  MtCurvesView *self = MT_CURVES_VIEW (widget);

  GTK_WIDGET_CLASS (mt_curves_view_parent_class)->css_changed (widget, change);
  g_clear_pointer (&self->fonts, mt_plot_fonts_free);
  forget_layout (self);
}

static void
mt_curves_view_finalize (GObject *object)
{
  MtCurvesView *self = MT_CURVES_VIEW (object);

  mt_curves_spec_clear (&self->spec);
  g_clear_pointer (&self->layout, mt_curves_layout_free);
  g_clear_pointer (&self->fonts, mt_plot_fonts_free);
  G_OBJECT_CLASS (mt_curves_view_parent_class)->finalize (object);
}

static void
mt_curves_view_class_init (MtCurvesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = mt_curves_view_finalize;
  widget_class->snapshot = mt_curves_view_snapshot;
  widget_class->measure = mt_curves_view_measure;
  widget_class->query_tooltip = mt_curves_view_query_tooltip;
  widget_class->css_changed = mt_curves_view_css_changed;
  gtk_widget_class_set_css_name (widget_class, "curves");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
mt_curves_view_init (MtCurvesView *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  mt_curves_spec_init (&self->spec);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
