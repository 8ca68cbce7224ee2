/* One line of the truth table. See mt-truth-row.h. */
#include "config.h"
#include "mt-truth-row.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

#define HEIGHT     22
#define BAR_HEIGHT 9.0
#define BAR_ROOM   48.0
#define HATCH_STEP 7.0

struct _MtTruthRow {
  GtkWidget           parent_instance;
  const MtTruthScene *scene;
  guint32             assignment;
  gboolean            lit;
};

G_DEFINE_FINAL_TYPE (MtTruthRow, mt_truth_row, GTK_TYPE_WIDGET)

static double
get_scene_width (const MtTruthScene *scene)
{
  double width = 2 * MT_TRUTH_PADDING + scene->network_width + scene->output_width + scene->rows_width +
                 scene->mix_width;

  for (guint i = 0; i < scene->n_inputs; i++)
    width += scene->input_widths[i];
  return width;
}

/* --- drawing --- */

static void
draw_text (MtTruthRow    *self,
           GtkSnapshot   *snapshot,
           const char    *text,
           const MtColor *color,
           gboolean       bold,
           double         x,
           double         width,
           double         align)
{
  mt_theme_draw_text (GTK_WIDGET (self), snapshot, text, color, 1, bold,
                      &GRAPHENE_RECT_INIT ((float) x, 0, (float) width, gtk_widget_get_height (GTK_WIDGET (self))),
                      align);
}

static void
fill (GtkSnapshot   *snapshot,
      const MtColor *color,
      double         alpha,
      double         x,
      double         y,
      double         width,
      double         height)
{
  GdkRGBA rgba = mt_theme_faded (color, alpha);

  gtk_snapshot_append_color (snapshot, &rgba, &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width,
                                                                   (float) height));
}

/* An impossible line is hatched: shape as well as a word. */
static void
draw_hatch (MtTruthRow    *self,
            GtkSnapshot   *snapshot,
            const MtColor *color)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));

  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * 0.09);
  cairo_set_line_width (cr, 1);
  for (double x = -height; x < width; x += HATCH_STEP)
    {
      cairo_move_to (cr, x, height);
      cairo_line_to (cr, x + height, 0);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

/* An unseen outcome has a dashed ring. */
static void
draw_ring (MtTruthRow    *self,
           GtkSnapshot   *snapshot,
           const MtColor *color,
           double         x)
{
  const double dashes[] = { 2.5, 2 };
  double middle = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT ((float) x - 12, (float) middle - 12, 24, 24));

  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
  cairo_set_line_width (cr, 1.25);
  cairo_set_dash (cr, dashes, 2, 0);
  cairo_arc (cr, x, middle, 8.5, 0, 2 * G_PI);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_mix (MtTruthRow      *self,
          GtkSnapshot     *snapshot,
          MtRuleView      *view,
          const MtPalette *palette,
          double           x)
{
  MtRuleBook *book = mt_rule_view_get_book (view);
  guint n_classes = mt_rule_book_get_n_classes (book);
  double y = (gtk_widget_get_height (GTK_WIDGET (self)) - BAR_HEIGHT) / 2, left = x;
  double n_rows = (double) mt_rule_view_get_n_rows (view, self->assignment);

  fill (snapshot, &palette->rest, 1, x, y, BAR_ROOM, BAR_HEIGHT);
  for (guint c = n_classes == 2 ? 1 : 0; c < n_classes; c++)
    {
      MtColor color = mt_theme_class_color (palette, n_classes, c);
      double part = (double) mt_rule_view_get_class_rows (view, self->assignment, c) / n_rows * BAR_ROOM;

      fill (snapshot, &color, 1, left, y, part, BAR_HEIGHT);
      left += part;
    }
}

/* What the network said, before it was refined. */
static void
draw_network (MtTruthRow      *self,
              GtkSnapshot     *snapshot,
              MtRuleView      *view,
              const MtPalette *palette,
              double           x)
{
  static const char * const words[] = { "–", "0", "1", "0/1" };
  MtNodeSays says = mt_rule_view_get_network (view, self->assignment);

  draw_text (self, snapshot, words[says], says == MT_SAYS_YES ? &palette->text : &palette->dim, FALSE, x,
             self->scene->network_width, 0.5);
}

static void
draw_last (MtTruthRow      *self,
           GtkSnapshot     *snapshot,
           MtRuleView      *view,
           const MtPalette *palette,
           double           x)
{
  guint marks = mt_rule_view_get_marks (view, self->assignment);
  double width = self->scene->mix_width;
  MtRuleBook *book = mt_rule_view_get_book (view);

  if ((marks & MT_ROW_IMPOSSIBLE) != 0)
    draw_text (self, snapshot, _("impossible"), &palette->dim, FALSE, x, width, 1);
  else if ((marks & MT_ROW_NEUTRAL) != 0)
    draw_text (self, snapshot, _("neutral"), &palette->dim, FALSE, x, width, 1);
  else if ((marks & MT_ROW_UNSEEN) != 0)
    draw_text (self, snapshot, _("unseen"), &palette->unseen, FALSE, x, width, 1);
  else if (mt_rule_view_get_n_rows (view, self->assignment) == 0)
    return;
  else if (mt_rule_book_get_n_classes (book) > 0)
    draw_mix (self, snapshot, view, palette, x + width - BAR_ROOM);
  else
    {
      g_autofree char *mean = mt_format_target (book, mt_rule_view_get_mean (view, self->assignment));

      draw_text (self, snapshot, mean, &palette->text, FALSE, x, width, 1);
    }
}

static void
mt_truth_row_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  MtTruthRow *self = MT_TRUTH_ROW (widget);
  const MtTruthScene *scene = self->scene;
  MtRuleView *view = mt_rule_focus_get_view (scene->focus);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget), x = MT_TRUTH_PADDING;
  guint marks;
  gboolean output, impossible;
  MtPalette palette;

  if (view == NULL || self->assignment >= mt_rule_view_get_n_assignments (view))
    return;
  mt_theme_get_palette (widget, &palette);
  marks = mt_rule_view_get_marks (view, self->assignment);
  output = mt_rule_view_get_output (view, self->assignment);
  impossible = (marks & MT_ROW_IMPOSSIBLE) != 0;
  if (impossible)
    draw_hatch (self, snapshot, &palette.text);
  if (self->lit)
    {
      fill (snapshot, &palette.accent, 0.14, 0, 0, width, height);
      fill (snapshot, &palette.accent, 1, 0, 0, 3, height);
    }
  fill (snapshot, &palette.text, 0.08, 0, height - 1, width, 1);
  for (guint i = 0; i < scene->n_inputs; i++)
    {
      gboolean is_true = (self->assignment >> i & 1) != 0;

      draw_text (self, snapshot, is_true ? "1" : "0", is_true && !impossible ? &palette.text : &palette.dim,
                 is_true && self->lit, x, scene->input_widths[i], 0.5);
      x += scene->input_widths[i];
    }
  if (scene->network_width > 0)
    draw_network (self, snapshot, view, &palette, x);
  x += scene->network_width;
  if ((marks & MT_ROW_REFINED) != 0)
    draw_text (self, snapshot, "↻", &palette.accent, FALSE, x + scene->output_width / 2 + 5, 14, 0.5);
  if ((marks & MT_ROW_UNSEEN) != 0)
    draw_ring (self, snapshot, &palette.unseen, x + scene->output_width / 2);
  draw_text (self, snapshot, impossible ? "–" : output ? "1" : "0",
             output && !impossible ? &palette.positive : &palette.dim, output && !impossible, x, scene->output_width,
             0.5);
  x += scene->output_width;
  if (mt_rule_book_has_rows (mt_rule_view_get_book (view)) && !impossible)
    {
      g_autofree char *count = mt_format_count (mt_rule_view_get_n_rows (view, self->assignment));

      draw_text (self, snapshot, count, &palette.text, self->lit, x, scene->rows_width - 12, 1);
    }
  draw_last (self, snapshot, view, &palette, x + scene->rows_width);
}

static void
mt_truth_row_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  MtTruthRow *self = MT_TRUTH_ROW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = (int) get_scene_width (self->scene);
  else
    {
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "0");
      int height;

      pango_layout_get_pixel_size (layout, NULL, &height);
      *minimum = *natural = MAX (HEIGHT, height + 4);
    }
}

/* --- pointing --- */

static void
on_changed (MtTruthRow *self)
{
  gboolean lit = mt_rule_focus_lights_line (self->scene->focus, self->assignment);

  if (lit == self->lit)
    return;
  self->lit = lit;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_enter (MtTruthRow *self)
{
  mt_rule_focus_hover (self->scene->focus, MT_FOCUS_LINE, self->assignment);
}

static void
on_leave (MtTruthRow *self)
{
  mt_rule_focus_hover (self->scene->focus, MT_FOCUS_NONE, 0);
}

static const char *
describe_network (MtNodeSays says)
{
  switch (says)
    {
    case MT_SAYS_YES:
      return _("Reoptimized: the network’s output was 1");
    case MT_SAYS_NO:
      return _("Reoptimized: the network’s output was 0");
    case MT_SAYS_EITHER:
    case MT_SAYS_NOTHING:
    default:
      return _("Reoptimized: the network’s output depended on a condition that the rule no longer contains");
    }
}

/* "Oldpeak ≥ 3 no, Chest pain is TA yes: 0 · 155 rows · 84% yes · unseen" */
static char *
describe_row (MtRuleView *view,
              guint32     assignment)
{
  MtRuleBook *book = mt_rule_view_get_book (view);
  GString *text = g_string_new (NULL);
  guint marks = mt_rule_view_get_marks (view, assignment);

  for (guint i = 0; i < mt_rule_view_get_n_inputs (view); i++)
    {
      g_autofree char *name = mt_rule_view_dup_input_name (view, i);
      g_autofree char *rest = mt_rule_view_dup_input_rest (view, i);

      g_string_append_printf (text, "%s%s%s: %s", i > 0 ? ", " : "", name, rest,
                              (assignment >> i & 1) != 0 ? _("yes") : _("no"));
    }
  if ((marks & MT_ROW_IMPOSSIBLE) != 0)
    g_string_append_printf (text, ". %s", _("impossible"));
  else
    {
      gsize n = mt_rule_view_get_n_rows (view, assignment);
      g_autofree char *count = mt_format_count (n);

      g_string_append_printf (text, ". %s", mt_rule_view_get_output (view, assignment) ? _("The rule applies")
                                                                                       : _("The rule does not apply"));
      if (mt_rule_book_has_rows (book))
        {
          g_string_append (text, ". ");
          g_string_append_printf (text, ngettext ("%s row", "%s rows", n), count);
          for (guint c = 0; n > 0 && c < mt_rule_book_get_n_classes (book); c++)
            {
              g_autofree char *hits = mt_format_count (mt_rule_view_get_class_rows (view, assignment, c));

              g_string_append_printf (text, ", %s: %s", mt_rule_book_get_classes (book)[c], hits);
            }
          if (n > 0 && mt_rule_book_get_n_classes (book) == 0)
            {
              g_autofree char *mean = mt_format_target (book, mt_rule_view_get_mean (view, assignment));

              g_string_append_printf (text, _(", mean %s"), mean);
            }
        }
      if ((marks & MT_ROW_UNSEEN) != 0)
        g_string_append_printf (text, ". %s", (marks & MT_ROW_FREE) != 0
                                              ? _("No training row has this combination; the shortest "
                                                  "formula determines the outcome")
                                              : _("No training row has this combination"));
      if ((marks & MT_ROW_NEUTRAL) != 0)
        g_string_append_printf (text, ". %s", _("The outcome hardly affects the training loss"));
      if ((marks & MT_ROW_REFINED) != 0)
        g_string_append_printf (text, ". %s", describe_network (mt_rule_view_get_network (view, assignment)));
    }
  return g_string_free (text, FALSE);
}

void
mt_truth_row_bind (MtTruthRow *self,
                   guint32     assignment)
{
  MtRuleView *view = mt_rule_focus_get_view (self->scene->focus);

  self->assignment = assignment;
  self->lit = mt_rule_focus_lights_line (self->scene->focus, assignment);
  if (view != NULL && assignment < mt_rule_view_get_n_assignments (view))
    {
      g_autofree char *text = describe_row (view, assignment);

      mt_theme_name_line (GTK_WIDGET (self), text);
    }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

guint32
mt_truth_row_get_assignment (MtTruthRow *self)
{
  g_return_val_if_fail (MT_IS_TRUTH_ROW (self), 0);
  return self->assignment;
}

static gboolean
mt_truth_row_query_tooltip (GtkWidget  *widget,
                            int         x,
                            int         y,
                            gboolean    keyboard,
                            GtkTooltip *tooltip)
{
  MtTruthRow *self = MT_TRUTH_ROW (widget);
  MtRuleView *view = mt_rule_focus_get_view (self->scene->focus);
  g_autofree char *text = NULL;

  if (view == NULL || self->assignment >= mt_rule_view_get_n_assignments (view))
    return FALSE;
  text = describe_row (view, self->assignment);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
mt_truth_row_class_init (MtTruthRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = mt_truth_row_snapshot;
  widget_class->measure = mt_truth_row_measure;
  widget_class->query_tooltip = mt_truth_row_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "truthrow");
}

static void
mt_truth_row_init (MtTruthRow *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_enter), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

GtkWidget *
mt_truth_row_new (const MtTruthScene *scene)
{
  MtTruthRow *self = g_object_new (MT_TYPE_TRUTH_ROW, NULL);

  self->scene = scene;
  g_signal_connect_object (scene->focus, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
