/* The drawing of what a numeric column adds: a line for each output over the column's range. See mt-effect-
 * view.h. */
#include "config.h"
#include "mt-effect-view.h"

#include <math.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

#define HEIGHT 260
#define STEPS  50.0      /* that the arrows take over the range */

struct _MtEffectView {
  MtDrawnView     parent_instance;

  MtTermItem     *item;       /* NULL: none */
  gsize          *counts;
  guint           n_bars;
  double          value;      /* pointed at; NaN: none */
  MtEffectLayout *layout;     /* of the size last asked for */
};

static guint value_signal;

G_DEFINE_FINAL_TYPE (MtEffectView, mt_effect_view, MT_TYPE_DRAWN_VIEW)

static const MtUnary *
unary_of (MtEffectView *self)
{
  MtRuleBook *book = mt_term_item_get_book (self->item);

  return mt_term_get_unary (mt_rule_set_get_term (mt_rule_book_get_rules (book), (guint) mt_term_item_get_term (self->item)),
                            mt_rule_book_get_encoder (book));
}

static const MtEncoderColumn *
column_of (MtEffectView *self)
{
  return mt_encoder_get_column (mt_rule_book_get_encoder (mt_term_item_get_book (self->item)), unary_of (self)->column);
}

static double
shape_value (double   value,
             gpointer data)
{
  return mt_encoder_column_shape (column_of (data), unary_of (data)->shape, value);
}

/* --- drawing --- */

static void
mt_effect_view_forget (MtDrawnView *view)
{
  g_clear_pointer (&MT_EFFECT_VIEW (view)->layout, mt_effect_layout_free);
}

static gboolean
mt_effect_view_lay_out (MtDrawnView *view,
                        int          width,
                        int          height)
{
  MtEffectView *self = MT_EFFECT_VIEW (view);
  g_autoptr (PangoLayout) text = NULL;
  MtEffectSpec spec = { 0 };
  int line;

  if (self->item == NULL)
    return FALSE;
  if (self->layout != NULL && self->layout->width == width && self->layout->height == height)
    return TRUE;
  text = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0");
  pango_layout_get_pixel_size (text, NULL, &line);
  spec.slopes = mt_term_item_get_effects (self->item);
  spec.n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (mt_term_item_get_book (self->item)));
  spec.mean = unary_of (self)->mean;
  spec.zero = mt_encoder_get_zero (mt_rule_book_get_encoder (mt_term_item_get_book (self->item)), unary_of (self));
  spec.shape = shape_value;
  spec.shape_data = self;
  spec.low = column_of (self)->min;
  spec.high = column_of (self)->max;
  spec.counts = self->counts;
  spec.n_bars = self->n_bars;
  g_clear_pointer (&self->layout, mt_effect_layout_free);
  self->layout = mt_effect_layout_new (&spec, width, height, line, mt_format_get_mark_char (),
                                       mt_drawn_view_measure_label, text);
  return TRUE;
}

static void
mt_effect_view_paint (MtDrawnView *view,
                      cairo_t     *cr,
                      int          width,
                      int          height)
{
  MtEffectView *self = MT_EFFECT_VIEW (view);
  MtRuleBook *book = mt_term_item_get_book (self->item);
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));
  g_autofree MtColor *colors = g_new (MtColor, n_outputs);
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  const MtEncoderColumn *column = column_of (self);
  g_autofree char *low = mt_format_value (column->type, column->min);
  g_autofree char *high = mt_format_value (column->type, column->max);
  const char *ends[] = { low, high };
  MtPalette palette;

  mt_theme_get_palette (GTK_WIDGET (self), &palette);
  for (guint o = 0; o < n_outputs; o++)
    colors[o] = n_outputs == 1 ? (mt_term_item_get_effects (self->item)[0] < 0 ? palette.negative : palette.positive)
                               : mt_theme_class_color (&palette, n_outputs, o);
  mt_draw_effect (cr, self->layout, colors, column->type == MT_TYPE_DATE ? ends : NULL, context,
                  pango_context_get_font_description (context), &palette);
}

static void
mt_effect_view_overlay (MtDrawnView *view,
                        cairo_t     *cr)
{
  MtEffectView *self = MT_EFFECT_VIEW (view);
  MtPalette palette;
  double x;

  if (self->layout == NULL || isnan (self->value))
    return;
  mt_theme_get_palette (GTK_WIDGET (self), &palette);
  x = floor (mt_effect_layout_place (self->layout, self->value)) + 0.5;
  cairo_set_source_rgba (cr, palette.accent.red, palette.accent.green, palette.accent.blue, 1);
  cairo_set_line_width (cr, 1.5);
  cairo_move_to (cr, x, self->layout->plot_y);
  cairo_line_to (cr, x, self->layout->axis_y);
  cairo_stroke (cr);
}

static void
mt_effect_view_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : HEIGHT;
}

/* --- pointing --- */

double
mt_effect_view_get_value (MtEffectView *self)
{
  return self->value;
}

void
mt_effect_view_set_value (MtEffectView *self,
                          double        value)
{
  g_return_if_fail (MT_IS_EFFECT_VIEW (self));

  if (self->item == NULL || value == self->value || (isnan (value) && isnan (self->value)))
    return;
  self->value = isnan (value) ? value : CLAMP (value, column_of (self)->min, column_of (self)->max);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, value_signal, 0);
}

static void
on_motion (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           MtEffectView             *self)
{
  if (self->layout != NULL)
    mt_effect_view_set_value (self, mt_effect_layout_value (self->layout, x));
}

static void
on_leave (MtEffectView *self)
{
  if (!gtk_widget_has_focus (GTK_WIDGET (self)))
    mt_effect_view_set_value (self, NAN);
}

static gboolean
on_key (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        state,
        MtEffectView          *self)
{
  double step;

  if (self->item == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0 ||
      (key != GDK_KEY_Left && key != GDK_KEY_Right))
    return GDK_EVENT_PROPAGATE;
  step = (column_of (self)->max - column_of (self)->min) / STEPS * (key == GDK_KEY_Left ? -1 : 1);
  mt_effect_view_set_value (self, isnan (self->value) ? mt_encoder_get_zero (mt_rule_book_get_encoder (mt_term_item_get_book (self->item)), unary_of (self)) : self->value + step);
  return GDK_EVENT_STOP;
}

/* --- object --- */

void
mt_effect_view_show (MtEffectView *self,
                     MtTermItem   *item,
                     const gsize  *counts,
                     guint         n_bars)
{
  g_return_if_fail (MT_IS_EFFECT_VIEW (self));

  g_set_object (&self->item, item);
  g_free (self->counts);
  self->counts = counts != NULL ? g_memdup2 (counts, n_bars * sizeof *counts) : NULL;
  self->n_bars = counts != NULL ? n_bars : 0;
  self->value = NAN;
  mt_drawn_view_changed (MT_DRAWN_VIEW (self));
}

static void
mt_effect_view_dispose (GObject *object)
{
  MtEffectView *self = MT_EFFECT_VIEW (object);

  g_clear_pointer (&self->layout, mt_effect_layout_free);
  g_clear_pointer (&self->counts, g_free);
  g_clear_object (&self->item);
  G_OBJECT_CLASS (mt_effect_view_parent_class)->dispose (object);
}

static void
mt_effect_view_class_init (MtEffectViewClass *klass)
{
  MtDrawnViewClass *drawn_class = MT_DRAWN_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_effect_view_dispose;
  GTK_WIDGET_CLASS (klass)->measure = mt_effect_view_measure;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "effect");
  drawn_class->forget = mt_effect_view_forget;
  drawn_class->lay_out = mt_effect_view_lay_out;
  drawn_class->paint = mt_effect_view_paint;
  drawn_class->overlay = mt_effect_view_overlay;
  value_signal = g_signal_new ("value-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
}

static void
mt_effect_view_init (MtEffectView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->value = NAN;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
