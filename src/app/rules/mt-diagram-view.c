/* The decision diagram of the rule on show. See mt-diagram-view.h. */
#include "config.h"
#include "mt-diagram-view.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "util/mt-format.h"
#include "util/mt-pointer.h"
#include "util/mt-theme.h"

#define LEAST_SCALE 0.2
#define MOST_SCALE  4.0
#define TEXT_SIZE   12.5    /* pixels */
#define MOST_CHARS  28      /* of a name, and of what is asked of it, where they are cut */
#define NEAR        5.0     /* pixels from a line that still point at it */

struct _MtDiagramView {
  GtkWidget        parent_instance;

  MtRuleFocus     *focus;
  MtDiagramTexts   texts;
  MtDiagramLayout *layout;      /* NULL: none */
  MtDiagramLabel  *labels;      /* by node */
  gboolean         shares;
  gboolean         fits;        /* follows the size of the widget */
  double           scale, x, y; /* of the layout's top left */
  double           drag_x, drag_y;
  MtPointer        pointer;
  guint            telling;
};

enum {
  ZOOMED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtDiagramView, mt_diagram_view, GTK_TYPE_WIDGET)

/* --- texts --- */

PangoFontDescription *
mt_diagram_make_font (PangoContext *context)
{
  const PangoFontDescription *base = pango_context_get_font_description (context);
  PangoFontDescription *font = base != NULL ? pango_font_description_copy (base)
                                            : pango_font_description_from_string ("Sans");
  double factor = 1;

  /* 11 pt is the interface's usual size: larger text makes larger boxes. */
  if (base != NULL && pango_font_description_get_size (base) > 0)
    factor = pango_font_description_get_size (base) /
             (double) ((pango_font_description_get_size_is_absolute (base) ? 14.667 : 11) * PANGO_SCALE);
  pango_font_description_set_absolute_size (font, TEXT_SIZE * factor * PANGO_SCALE);
  return font;
}

void
mt_diagram_texts_init (MtDiagramTexts *texts,
                       MtRuleBook     *book,
                       guint           term,
                       guint32         flips,
                       gboolean        cut,
                       PangoContext   *context)
{
  const MtTerm *about = mt_rule_set_get_term (mt_rule_book_get_rules (book), term);
  const MtEncoder *encoder = mt_rule_book_get_encoder (book);
  const double *effects = mt_rule_book_get_facts (book, term)->effects;
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));
  PangoFontDescription *font = mt_diagram_make_font (context);
  guint n_inputs = mt_rule_get_n_inputs (about->rule);

  memset (texts, 0, sizeof *texts);
  texts->labels[MT_DIAGRAM_FALSE].rest = g_strdup ("0");
  texts->labels[MT_DIAGRAM_TRUE].rest = mt_format_strongest (mt_rule_book_get_classes (book), effects, n_outputs,
                                                            &texts->weight);
  for (guint i = 0; i < n_inputs; i++)
    {
      guint literal = mt_rule_get_inputs (about->rule)[i];
      MtDiagramLabel *label = &texts->labels[MT_DIAGRAM_FIRST_INNER + i];

      g_autofree char *name = mt_encoder_dup_column_text (encoder, mt_encoder_get_literal (encoder, literal)->column);
      g_autofree char *rest = mt_phrase_dup_rest (encoder, literal, (flips >> i & 1) != 0, TRUE);

      texts->full[i] = g_strconcat (name, rest, NULL);
      label->name = cut ? mt_format_cut (name, MOST_CHARS) : g_steal_pointer (&name);
      label->rest = cut ? mt_format_cut (rest, MOST_CHARS) : g_steal_pointer (&rest);
    }
  mt_draw_diagram_measure (texts->labels, MT_DIAGRAM_FIRST_INNER + n_inputs, context, font, texts->widths);
  pango_font_description_free (font);
}

void
mt_diagram_texts_clear (MtDiagramTexts *texts)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts->labels); i++)
    {
      g_free ((char *) texts->labels[i].name);
      g_free ((char *) texts->labels[i].rest);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts->full); i++)
    g_free (texts->full[i]);
  memset (texts, 0, sizeof *texts);
}

static guint
text_of (const MtDiagram *diagram,
         guint            node)
{
  return node < MT_DIAGRAM_FIRST_INNER ? node
                                       : MT_DIAGRAM_FIRST_INNER + mt_diagram_get_nodes (diagram)[node].input;
}

MtDiagramLayout *
mt_diagram_texts_layout (const MtDiagramTexts *texts,
                         const MtDiagram      *diagram)
{
  guint n = mt_diagram_get_n_nodes (diagram);
  g_autofree double *widths = g_new (double, n);

  for (guint i = 0; i < n; i++)
    widths[i] = texts->widths[text_of (diagram, i)];
  return mt_diagram_layout_new (diagram, widths);
}

MtDiagramLabel *
mt_diagram_texts_label_nodes (const MtDiagramTexts *texts,
                              const MtDiagram      *diagram)
{
  guint n = mt_diagram_get_n_nodes (diagram);
  MtDiagramLabel *labels = g_new (MtDiagramLabel, n);

  for (guint i = 0; i < n; i++)
    labels[i] = texts->labels[text_of (diagram, i)];
  return labels;
}

/* --- drawing --- */

static gboolean
tell_zoomed (gpointer self)
{
  MT_DIAGRAM_VIEW (self)->telling = 0;
  g_signal_emit (self, signals[ZOOMED], 0);
  return G_SOURCE_REMOVE;
}

/* Fits the diagram to the widget; the scale is announced later, because sizes are being settled now. */
static void
place (MtDiagramView *self)
{
  double before = self->scale;
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));

  if (!self->fits || self->layout == NULL || width < 1 || height < 1)
    return;
  self->scale = CLAMP (MIN (width / self->layout->width, height / self->layout->height), LEAST_SCALE, 1);
  self->x = floor ((width - self->layout->width * self->scale) / 2);
  self->y = MAX (0, floor ((height - self->layout->height * self->scale) / 2));
  if (self->scale != before && self->telling == 0)
    self->telling = g_idle_add_full (G_PRIORITY_HIGH_IDLE, tell_zoomed, self, NULL);   /* before the next frame */
}

static void
paint (MtRuleView            *view,
       const guint64         *lit,       /* NULL: nothing is */
       gboolean               shares,
       double                 weight,
       const MtDiagramLayout *layout,
       const MtDiagramLabel  *labels,
       cairo_t               *cr,
       PangoContext          *context,
       const MtPalette       *palette)
{
  const MtDiagram *diagram = mt_rule_view_get_diagram (view);
  guint n = mt_diagram_get_n_nodes (diagram);
  g_autofree gboolean *nodes = g_new0 (gboolean, n);
  g_autofree gboolean *lines = g_new0 (gboolean, 2 * n);
  MtDiagramMarks marks = { nodes, lines, shares ? mt_rule_view_get_shares (view) : NULL };
  PangoFontDescription *font = mt_diagram_make_font (context);

  if (lit != NULL)
    mt_rule_view_light_diagram (view, lit, nodes, lines);
  mt_draw_diagram_marked (cr, layout, labels, weight, &marks, context, font, palette);
  pango_font_description_free (font);
}

static void
mt_diagram_view_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  MtDiagramView *self = MT_DIAGRAM_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  MtPalette palette;
  cairo_t *cr;

  if (self->layout == NULL)
    return;
  place (self);
  mt_theme_get_palette (widget, &palette);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_translate (cr, self->x, self->y);
  cairo_scale (cr, self->scale, self->scale);
  paint (mt_rule_focus_get_view (self->focus), mt_rule_focus_get_lit (self->focus), self->shares, self->texts.weight,
         self->layout, self->labels, cr, gtk_widget_get_pango_context (widget), &palette);
  cairo_destroy (cr);
}

static void
mt_diagram_view_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  MtDiagramView *self = MT_DIAGRAM_VIEW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 160;
      *natural = self->layout != NULL ? (int) CLAMP (self->layout->width, 160, 340) : 300;
    }
  else
    {
      *minimum = 150;
      *natural = self->layout != NULL ? (int) CLAMP (self->layout->height, 150, 420) : 200;
    }
}

/* --- zoom and pan --- */

static void
scale_at (MtDiagramView *self,
          double         scale,
          double         x,
          double         y)
{
  scale = CLAMP (scale, LEAST_SCALE, MOST_SCALE);
  self->x = x - (x - self->x) * scale / self->scale;
  self->y = y - (y - self->y) * scale / self->scale;
  self->scale = scale;
  self->fits = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[ZOOMED], 0);
}

void
mt_diagram_view_zoom (MtDiagramView *self,
                      double         factor)
{
  g_return_if_fail (MT_IS_DIAGRAM_VIEW (self));

  if (factor > 0)
    {
      scale_at (self, self->scale * factor, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
      return;
    }
  self->fits = TRUE;
  place (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[ZOOMED], 0);
}

double
mt_diagram_view_get_scale (MtDiagramView *self)
{
  return self->scale;
}

static gboolean
on_scroll (GtkEventControllerScroll *controller,
           double                    dx,
           double                    dy,
           MtDiagramView            *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  double x, y;

  if ((state & GDK_CONTROL_MASK) == 0 || self->layout == NULL)
    return GDK_EVENT_PROPAGATE;
  mt_pointer_get (&self->pointer, GTK_WIDGET (self), &x, &y);
  scale_at (self, self->scale * pow (1.15, -dy), x, y);
  return GDK_EVENT_STOP;
}

static void
on_drag_begin (GtkGestureDrag *gesture,
               double          x,
               double          y,
               MtDiagramView  *self)
{
  self->drag_x = self->x;
  self->drag_y = self->y;
}

static void
on_drag_update (GtkGestureDrag *gesture,
                double          dx,
                double          dy,
                MtDiagramView  *self)
{
  if (fabs (dx) + fabs (dy) < 6)
    return;
  self->fits = FALSE;
  self->x = self->drag_x + dx;
  self->y = self->drag_y + dy;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- pointing --- */

/* A box, or else the nearest line within reach. */
static MtFocusKind
hit (MtDiagramView *self,
     double         x,
     double         y,
     guint32       *index)
{
  double best = NEAR / MAX (self->scale, 0.01);
  MtFocusKind kind = MT_FOCUS_NONE;
  int node;

  *index = 0;
  if (self->layout == NULL)
    return MT_FOCUS_NONE;
  x = (x - self->x) / self->scale;
  y = (y - self->y) / self->scale;
  node = mt_diagram_layout_hit (self->layout, x, y);
  if (node >= 0)
    {
      *index = (guint32) node;
      return MT_FOCUS_NODE;
    }
  for (guint i = 0; i < self->layout->n_lines; i++)
    {
      const MtDiagramLine *line = &self->layout->lines[i];

      for (guint p = 0; p + 1 < line->n_points; p++)
        {
          const MtDiagramPoint *a = &line->points[p], *b = &line->points[p + 1];
          double dx = MAX (MAX (MIN (a->x, b->x) - x, x - MAX (a->x, b->x)), 0);
          double dy = MAX (MAX (MIN (a->y, b->y) - y, y - MAX (a->y, b->y)), 0);

          if (hypot (dx, dy) < best)
            {
              best = hypot (dx, dy);
              kind = MT_FOCUS_EDGE;
              *index = mt_diagram_line_number (line->from, line->high);
            }
        }
    }
  return kind;
}

void
mt_diagram_view_get_place (MtDiagramView *self,
                           double        *x,
                           double        *y)
{
  place (self);
  *x = self->x + *x * self->scale;
  *y = self->y + *y * self->scale;
}

static void
on_motion (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           MtDiagramView            *self)
{
  guint32 index;
  MtFocusKind kind = hit (self, x, y, &index);

  mt_rule_focus_hover (self->focus, kind, index);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), kind != MT_FOCUS_NONE ? "pointer" : NULL);
}

static void
on_leave (MtDiagramView *self)
{
  mt_rule_focus_hover (self->focus, MT_FOCUS_NONE, 0);
}

static void
on_click (GtkGestureClick *gesture,
          int              n_press,
          double           x,
          double           y,
          MtDiagramView   *self)
{
  guint32 index;
  MtFocusKind kind = hit (self, x, y, &index);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (kind != MT_FOCUS_NONE)
    mt_rule_focus_toggle (self->focus, kind, index);
  else
    mt_rule_focus_select (self->focus, MT_FOCUS_NONE, 0);
}

static gboolean
on_key (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        state,
        MtDiagramView         *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  guint32 at = 0;
  gboolean has = mt_rule_focus_get_selected (self->focus, &at) == MT_FOCUS_PATH;

  if (view == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Right:
      mt_rule_focus_select (self->focus, MT_FOCUS_PATH, has ? (at + 1) % mt_rule_view_get_n_paths (view) : 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_Left:
      mt_rule_focus_select (self->focus, MT_FOCUS_PATH, (has && at > 0 ? at : mt_rule_view_get_n_paths (view)) - 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      mt_diagram_view_zoom (self, 1.25);
      return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      mt_diagram_view_zoom (self, 0.8);
      return GDK_EVENT_STOP;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      mt_diagram_view_zoom (self, 0);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* --- words --- */

typedef struct {
  MtDiagramView *self;
  GString       *text;
} Writer;

static gboolean
write_path (MtCube   path,
            gboolean leaf,
            gpointer data)
{
  Writer *writer = data;
  MtRuleView *view = mt_rule_focus_get_view (writer->self->focus);
  const guint8 *order = mt_diagram_get_order (mt_rule_view_get_diagram (view));
  gboolean first = TRUE;

  for (guint l = 0; l < mt_diagram_get_n_levels (mt_rule_view_get_diagram (view)); l++)
    if ((path.mask >> order[l] & 1) != 0)
      {
        g_string_append_printf (writer->text, "%s%s: %s", first ? "" : ", ", writer->self->texts.full[order[l]],
                                (path.value >> order[l] & 1) != 0 ? _("yes") : _("no"));
        first = FALSE;
      }
  g_string_append_printf (writer->text, " → %s\n", writer->self->texts.labels[leaf ? MT_DIAGRAM_TRUE
                                                                                     : MT_DIAGRAM_FALSE].rest);
  return TRUE;
}

char *
mt_diagram_view_dup_text (MtDiagramView *self)
{
  Writer writer = { self, g_string_new (NULL) };

  if (self->layout != NULL)
    mt_diagram_foreach_path (mt_rule_view_get_diagram (mt_rule_focus_get_view (self->focus)), write_path, &writer);
  return g_string_free (writer.text, FALSE);
}

/* --- object --- */

void
mt_diagram_view_set_layout (MtDiagramView   *self,
                            MtDiagramTexts  *texts,
                            MtDiagramLayout *layout)
{
  g_autofree char *text = NULL;

  g_return_if_fail (MT_IS_DIAGRAM_VIEW (self));

  g_clear_pointer (&self->layout, mt_diagram_layout_free);
  g_clear_pointer (&self->labels, g_free);
  mt_diagram_texts_clear (&self->texts);
  self->fits = TRUE;
  if (layout != NULL)
    {
      self->layout = layout;
      self->texts = *texts;
      memset (texts, 0, sizeof *texts);
      self->labels = mt_diagram_texts_label_nodes (&self->texts,
                                                   mt_rule_view_get_diagram (mt_rule_focus_get_view (self->focus)));
    }
  text = mt_diagram_view_dup_text (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  place (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_signal_emit (self, signals[ZOOMED], 0);
}

const MtDiagramLayout *
mt_diagram_view_get_layout (MtDiagramView *self)
{
  return self->layout;
}

void
mt_diagram_view_set_shares (MtDiagramView *self,
                            gboolean       shares)
{
  self->shares = shares;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

typedef struct {
  MtRuleView      *view;
  MtDiagramTexts   texts;
  MtDiagramLayout *layout;
  MtDiagramLabel  *labels;
  gboolean         shares;
} Picture;

static void
picture_free (gpointer data)
{
  Picture *picture = data;

  mt_diagram_layout_free (picture->layout);
  g_free (picture->labels);
  mt_diagram_texts_clear (&picture->texts);
  mt_rule_view_unref (picture->view);
  g_free (picture);
}

static void
paint_picture (cairo_t         *cr,
               PangoContext    *context,
               const MtPalette *palette,
               gpointer         data)
{
  Picture *picture = data;

  paint (picture->view, NULL, picture->shares, picture->texts.weight, picture->layout, picture->labels, cr, context,
         palette);
}

MtDrawing *
mt_diagram_view_make_drawing (MtDiagramView *self)
{
  Picture *picture;

  g_return_val_if_fail (MT_IS_DIAGRAM_VIEW (self) && self->layout != NULL, NULL);

  picture = g_new0 (Picture, 1);
  picture->view = mt_rule_view_ref (mt_rule_focus_get_view (self->focus));
  picture->shares = self->shares;
  mt_diagram_texts_init (&picture->texts, mt_rule_view_get_book (picture->view), mt_rule_view_get_term (picture->view),
                         mt_rule_find_flips (mt_rule_view_get_rule (picture->view)), FALSE,
                         gtk_widget_get_pango_context (GTK_WIDGET (self)));
  picture->layout = mt_diagram_texts_layout (&picture->texts, mt_rule_view_get_diagram (picture->view));
  picture->labels = mt_diagram_texts_label_nodes (&picture->texts, mt_rule_view_get_diagram (picture->view));
  return mt_drawing_new (picture->layout->width, picture->layout->height, paint_picture, picture, picture_free);
}

void
mt_diagram_view_set_focus (MtDiagramView *self,
                           MtRuleFocus   *focus)
{
  g_return_if_fail (MT_IS_DIAGRAM_VIEW (self) && self->focus == NULL);

  self->focus = g_object_ref (focus);
  g_signal_connect_object (focus, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

static void
mt_diagram_view_dispose (GObject *object)
{
  MtDiagramView *self = MT_DIAGRAM_VIEW (object);

  g_clear_handle_id (&self->telling, g_source_remove);
  g_clear_pointer (&self->layout, mt_diagram_layout_free);
  g_clear_pointer (&self->labels, g_free);
  mt_diagram_texts_clear (&self->texts);
  g_clear_object (&self->focus);
  G_OBJECT_CLASS (mt_diagram_view_parent_class)->dispose (object);
}

static void
mt_diagram_view_class_init (MtDiagramViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_diagram_view_dispose;
  widget_class->snapshot = mt_diagram_view_snapshot;
  widget_class->measure = mt_diagram_view_measure;
  gtk_widget_class_set_css_name (widget_class, "diagram");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[ZOOMED] = g_signal_new ("zoomed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
mt_diagram_view_init (MtDiagramView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->scale = 1;
  mt_pointer_follow (&self->pointer, GTK_WIDGET (self));
  self->fits = TRUE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Decision diagram of the rule"), -1);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
