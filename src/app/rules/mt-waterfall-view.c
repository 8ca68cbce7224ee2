/* How a score comes about, drawn; its table is the caller's to show next to it. See mt-waterfall-view.h. */
#include "config.h"
#include "mt-waterfall-view.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

#define LINE_HEIGHT 27.0
#define END_GAP     12.0      /* next to an amount at the end of a bar */
#define NAME_SHARE  0.3       /* of the width, at most */
#define NARROW      420       /* pixels; below, what does not apply says so with a dash: bars need the room */

struct _MtWaterfallView {
  MtDrawnView       parent_instance;

  MtWaterfallStep  *steps;
  guint             n_steps;
  double            reference;
  gboolean          is_log_odds;
  char            **names;
  char            **amounts;
  char            **links;          /* by step; NULL: it leads nowhere */
  MtWaterfallLayout *layout;        /* as it was drawn last */
};

static guint activated_signal;

G_DEFINE_FINAL_TYPE (MtWaterfallView, mt_waterfall_view, MT_TYPE_DRAWN_VIEW)

static gboolean
mt_waterfall_view_lay_out (MtDrawnView *view,
                           int          width,
                           int          height)
{
  return MT_WATERFALL_VIEW (view)->n_steps > 0;
}

static void
mt_waterfall_view_paint (MtDrawnView *view,
                         cairo_t     *cr,
                         int          width,
                         int          height)
{
  MtWaterfallView *self = MT_WATERFALL_VIEW (view);
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  g_autoptr (PangoLayout) text = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  MtWaterfallLayout *layout;
  g_autofree const char **shown = g_new0 (const char *, self->n_steps + 2);
  double names = 0, amounts = 0;
  MtPalette palette;

  for (guint i = 0; i <= self->n_steps; i++)
    {
      shown[i] = width < NARROW && i < self->n_steps && !self->steps[i].applies ? "–" : self->amounts[i];
      names = MAX (names, mt_drawn_view_measure_label (self->names[i], text) + 1);
      amounts = MAX (amounts, mt_drawn_view_measure_label (shown[i], text) + END_GAP);
    }
  names = MIN (names, width * NAME_SHARE);
  layout = mt_waterfall_layout_new (self->steps, self->n_steps, self->reference, self->is_log_odds, width,
                                    LINE_HEIGHT, names, amounts, mt_format_get_mark_char (),
                                    mt_drawn_view_measure_label, text);
  g_clear_pointer (&self->layout, mt_waterfall_layout_free);
  self->layout = layout;
  mt_theme_get_palette (GTK_WIDGET (self), &palette);
  mt_draw_waterfall (cr, layout, (const char * const *) self->names, shown, _("Probability"), names, context,
                     pango_context_get_font_description (context), &palette);
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
                          ? 200 : (int) mt_waterfall_layout_measure (self->n_steps, LINE_HEIGHT,
                                                                   self->is_log_odds) + 1;
}

static void
forget_links (MtWaterfallView *self)
{
  for (guint i = 0; self->links != NULL && i < self->n_steps; i++)
    g_free (self->links[i]);
  g_clear_pointer (&self->links, g_free);
  g_clear_pointer (&self->layout, mt_waterfall_layout_free);
}

void
mt_waterfall_view_set (MtWaterfallView       *self,
                       const MtWaterfallStep *steps,
                       guint                  n_steps,
                       double                 reference,
                       gboolean               is_log_odds,
                       const char * const    *names,
                       const char * const    *amounts)
{
  g_autoptr (GString) spoken = g_string_new (NULL);

  g_return_if_fail (MT_IS_WATERFALL_VIEW (self));
  forget_links (self);
  g_free (self->steps);
  g_strfreev (self->names);
  g_strfreev (self->amounts);
  self->steps = g_memdup2 (steps, n_steps * sizeof *steps);
  self->n_steps = n_steps;
  self->reference = reference;
  self->is_log_odds = is_log_odds;
  self->names = g_strdupv ((char **) names);
  self->amounts = g_strdupv ((char **) amounts);
  for (guint i = 0; i <= n_steps; i++)
    g_string_append_printf (spoken, "%s%s: %s", i > 0 ? "; " : "", names[i], amounts[i]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken->str, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  mt_drawn_view_changed (MT_DRAWN_VIEW (self));
}

/* --- lines that lead to a rule --- */

void
mt_waterfall_view_set_links (MtWaterfallView    *self,
                             const char * const *links)
{
  g_return_if_fail (MT_IS_WATERFALL_VIEW (self));

  forget_links (self);
  self->links = g_new0 (char *, self->n_steps + 1);
  for (guint i = 0; i < self->n_steps; i++)
    self->links[i] = g_strdup (links[i]);
}

gboolean
mt_waterfall_view_get_place (MtWaterfallView *self,
                             guint            step,
                             double          *y)
{
  g_return_val_if_fail (MT_IS_WATERFALL_VIEW (self), FALSE);

  if (self->layout == NULL || step >= self->layout->n_lines)
    return FALSE;
  *y = self->layout->lines[step].y + self->layout->lines[step].height / 2;
  return TRUE;
}

/* The step at that height that leads somewhere; -1: none. */
static int
find_link (MtWaterfallView *self,
           double           y)
{
  int step = self->layout != NULL && self->links != NULL ? mt_waterfall_layout_hit (self->layout, y) : -1;

  return step >= 0 && (guint) step < self->n_steps && self->links[step] != NULL ? step : -1;
}

static void
on_motion (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           MtWaterfallView          *self)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), find_link (self, y) >= 0 ? "pointer" : NULL);
}

static void
on_released (GtkGestureClick *gesture,
             int              n_press,
             double           x,
             double           y,
             MtWaterfallView *self)
{
  int step = find_link (self, y);

  if (step >= 0)
    g_signal_emit (self, activated_signal, 0, (guint) step);
}

static gboolean
mt_waterfall_view_query_tooltip (GtkWidget  *widget,
                                 int         x,
                                 int         y,
                                 gboolean    keyboard,
                                 GtkTooltip *tooltip)
{
  int step = keyboard ? -1 : find_link (MT_WATERFALL_VIEW (widget), y);

  if (step < 0)
    return FALSE;
  gtk_tooltip_set_text (tooltip, MT_WATERFALL_VIEW (widget)->links[step]);
  return TRUE;
}

/* --- object --- */

static void
mt_waterfall_view_finalize (GObject *object)
{
  MtWaterfallView *self = MT_WATERFALL_VIEW (object);

  forget_links (self);
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
  MT_DRAWN_VIEW_CLASS (klass)->lay_out = mt_waterfall_view_lay_out;
  MT_DRAWN_VIEW_CLASS (klass)->paint = mt_waterfall_view_paint;
  widget_class->measure = mt_waterfall_view_measure;
  widget_class->query_tooltip = mt_waterfall_view_query_tooltip;
  activated_signal = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_css_name (widget_class, "waterfall");
}

static void
mt_waterfall_view_init (MtWaterfallView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}
