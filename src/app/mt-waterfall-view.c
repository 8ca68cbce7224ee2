#include "config.h"
#include "mt-waterfall-view.h"

#include "mt-format.h"
#include "mt-theme.h"

#define LINE_HEIGHT 27.0
#define END_GAP     12.0      /* beside an amount at the end of a bar */
#define NAME_SHARE  0.3       /* of the width, at most */

struct _MtWaterfallView {
  GtkWidget         parent_instance;

  MtWaterfallStep  *steps;
  guint             n_steps;
  double            reference;
  char            **names;
  char            **amounts;
};

G_DEFINE_FINAL_TYPE (MtWaterfallView, mt_waterfall_view, GTK_TYPE_WIDGET)

static double
measure_label (const char *label,
               gpointer    data)
{
  int width;

  pango_layout_set_text (data, label, -1);
  pango_layout_get_pixel_size (data, &width, NULL);
  return width;
}

static void
mt_waterfall_view_snapshot (GtkWidget   *widget,
                            GtkSnapshot *snapshot)
{
  MtWaterfallView *self = MT_WATERFALL_VIEW (widget);
  double width = gtk_widget_get_width (widget), names = 0, amounts = 0;
  g_autoptr (PangoLayout) text = NULL;
  g_autoptr (MtWaterfallLayout) layout = NULL;
  MtPalette palette;
  cairo_t *cr;

  if (self->n_steps == 0)
    return;
  text = gtk_widget_create_pango_layout (widget, NULL);
  for (guint i = 0; i <= self->n_steps; i++)
    {
      names = MAX (names, measure_label (self->names[i], text) + 1);
      amounts = MAX (amounts, measure_label (self->amounts[i], text) + END_GAP);
    }
  names = MIN (names, width * NAME_SHARE);
  layout = mt_waterfall_layout_new (self->steps, self->n_steps, self->reference, width, LINE_HEIGHT, names, amounts,
                                    mt_format_get_mark_char (), measure_label, text);
  mt_theme_get_palette (widget, &palette);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) layout->height));
  mt_draw_waterfall (cr, layout, (const char * const *) self->names, (const char * const *) self->amounts, names,
                     gtk_widget_get_pango_context (widget),
                     pango_context_get_font_description (gtk_widget_get_pango_context (widget)), &palette);
  cairo_destroy (cr);
}

static void
mt_waterfall_view_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  MtWaterfallView *self = MT_WATERFALL_VIEW (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                          ? 200 : (int) mt_waterfall_layout_measure (self->n_steps, LINE_HEIGHT) + 1;
}

void
mt_waterfall_view_set (MtWaterfallView       *self,
                       const MtWaterfallStep *steps,
                       guint                  n_steps,
                       double                 reference,
                       const char * const    *names,
                       const char * const    *amounts)
{
  g_autoptr (GString) spoken = g_string_new (NULL);

  g_return_if_fail (MT_IS_WATERFALL_VIEW (self));
  g_free (self->steps);
  g_strfreev (self->names);
  g_strfreev (self->amounts);
  self->steps = g_memdup2 (steps, n_steps * sizeof *steps);
  self->n_steps = n_steps;
  self->reference = reference;
  self->names = g_strdupv ((char **) names);
  self->amounts = g_strdupv ((char **) amounts);
  for (guint i = 0; i <= n_steps; i++)
    g_string_append_printf (spoken, "%s%s: %s", i > 0 ? "; " : "", names[i], amounts[i]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken->str, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
mt_waterfall_view_finalize (GObject *object)
{
  MtWaterfallView *self = MT_WATERFALL_VIEW (object);

  g_free (self->steps);
  g_strfreev (self->names);
  g_strfreev (self->amounts);
  G_OBJECT_CLASS (mt_waterfall_view_parent_class)->finalize (object);
}

static void
mt_waterfall_view_class_init (MtWaterfallViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = mt_waterfall_view_finalize;
  widget_class->snapshot = mt_waterfall_view_snapshot;
  widget_class->measure = mt_waterfall_view_measure;
  gtk_widget_class_set_css_name (widget_class, "waterfall");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
mt_waterfall_view_init (MtWaterfallView *self)
{
}
