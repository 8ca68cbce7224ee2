#include "config.h"
#include "mt-weight-cell.h"

#include <math.h>

#include "mt-format.h"
#include "mt-theme.h"

#define PILL_WIDTH  64.0
#define PILL_HEIGHT 24.0
#define LINE        21.0
#define BAR_WIDTH   64.0
#define BAR_HEIGHT  4.0
#define BAR_GAP     5.0
#define MOST_LINES  6

struct _MtWeightCell {
  GtkWidget   parent_instance;
  MtTermItem *item;
  double      most;
};

G_DEFINE_FINAL_TYPE (MtWeightCell, mt_weight_cell, GTK_TYPE_WIDGET)

static guint
count_lines (MtWeightCell *self)
{
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (mt_term_item_get_book (self->item)));
  guint n = 0;

  for (guint o = 0; o < n_outputs; o++)
    n += mt_term_item_get_effects (self->item)[o] != 0;
  return MIN (MAX (n, 1), MOST_LINES);
}

static gboolean
is_single (MtWeightCell *self)
{
  return mt_rule_book_get_task (mt_term_item_get_book (self->item)) != MT_TASK_MULTICLASS;
}

static void
draw_text (MtWeightCell  *self,
           GtkSnapshot   *snapshot,
           const char    *text,
           const MtColor *color,
           double         scale,
           gboolean       bold,
           double         x,
           double         y,
           double         width,
           double         height,
           double         align)
{
  mt_theme_draw_text (GTK_WIDGET (self), snapshot, text, color, scale, bold,
                      &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height), align);
}

/* Adds: a pill; takes away: a square. The intercept is neither. */
static void
draw_pill (MtWeightCell    *self,
           GtkSnapshot     *snapshot,
           double           weight,
           const MtPalette *palette)
{
  gboolean bias = mt_term_item_get_term (self->item) < 0;
  const MtColor *color = bias ? &palette->text : signbit (weight) ? &palette->negative : &palette->positive;
  g_autofree char *text = mt_format_weight (weight);
  float radius = bias ? 6 : signbit (weight) ? 3 : (float) PILL_HEIGHT / 2;
  GskRoundedRect outline;
  GdkRGBA border = mt_theme_faded (color, bias ? 0.4 : 1), fill = mt_theme_faded (color, 0.1);
  const float widths[4] = { 1.5f, 1.5f, 1.5f, 1.5f };
  const GdkRGBA colors[4] = { border, border, border, border };

  gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (0, 1, (float) PILL_WIDTH, (float) PILL_HEIGHT), radius);
  if (!bias)
    {
      gtk_snapshot_push_rounded_clip (snapshot, &outline);
      gtk_snapshot_append_color (snapshot, &fill, &outline.bounds);
      gtk_snapshot_pop (snapshot);
    }
  gtk_snapshot_append_border (snapshot, &outline, widths, colors);
  draw_text (self, snapshot, text, color, g_utf8_strlen (text, -1) > 7 ? 0.78 : 0.95, TRUE, 0, 1, PILL_WIDTH,
             PILL_HEIGHT, 0.5);
}

/* From the middle: to the right it adds, to the left it takes away. */
static void
draw_bar (MtWeightCell    *self,
          GtkSnapshot     *snapshot,
          double           weight,
          double           y,
          const MtPalette *palette)
{
  GdkRGBA axis = mt_theme_faded (&palette->text, 0.12);
  GdkRGBA fill = mt_theme_faded (signbit (weight) ? &palette->negative : &palette->positive, 0.85);
  double length = self->most > 0 ? MIN (1, fabs (weight) / self->most) * BAR_WIDTH / 2 : 0;

  gtk_snapshot_append_color (snapshot, &axis, &GRAPHENE_RECT_INIT (0, (float) (y + BAR_HEIGHT / 2 - 0.5),
                                                                   (float) BAR_WIDTH, 1));
  gtk_snapshot_append_color (snapshot, &fill,
                             &GRAPHENE_RECT_INIT ((float) (BAR_WIDTH / 2 - (signbit (weight) ? length : 0)), (float) y,
                                                  (float) length, (float) BAR_HEIGHT));
}

static void
draw_classes (MtWeightCell    *self,
              GtkSnapshot     *snapshot,
              const MtPalette *palette)
{
  MtRuleBook *book = mt_term_item_get_book (self->item);
  const double *effects = mt_term_item_get_effects (self->item);
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book)), line = 0;
  double width = gtk_widget_get_width (GTK_WIDGET (self));

  for (guint o = 0; o < n_outputs && line < MOST_LINES; o++)
    if (effects[o] != 0)
      {
        g_autofree char *weight = mt_format_weight (effects[o]);
        const MtColor *color = mt_term_item_get_term (self->item) < 0 ? &palette->text
                               : signbit (effects[o]) ? &palette->negative : &palette->positive;

        draw_text (self, snapshot, weight, color, 0.92, TRUE, 0, line * LINE, 56, LINE, 1);
        draw_text (self, snapshot, mt_rule_book_get_classes (book)[o], &palette->dim, 0.85, FALSE, 62, line * LINE,
                   MAX (10, width - 62), LINE, 0);
        line++;
      }
}

static void
mt_weight_cell_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  MtWeightCell *self = MT_WEIGHT_CELL (widget);
  g_autofree char *effect = NULL;
  double y = PILL_HEIGHT + 2 + BAR_GAP;
  MtPalette palette;

  if (self->item == NULL)
    return;
  mt_theme_get_palette (widget, &palette);
  if (!is_single (self))
    {
      draw_classes (self, snapshot, &palette);
      return;
    }
  draw_pill (self, snapshot, mt_term_item_get_effects (self->item)[0], &palette);
  if (mt_term_item_get_term (self->item) >= 0)
    {
      const MtTerm *term = mt_rule_set_get_term (mt_rule_book_get_rules (mt_term_item_get_book (self->item)),
                                                 (guint) mt_term_item_get_term (self->item));

      draw_bar (self, snapshot, term->weights[0], y, &palette);
    }
  effect = mt_term_item_dup_effect (self->item);
  if (effect != NULL)
    draw_text (self, snapshot, effect, &palette.dim, 0.8, FALSE, 0, y + BAR_HEIGHT + 2,
               gtk_widget_get_width (widget), 16, 0);
}

static void
mt_weight_cell_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  MtWeightCell *self = MT_WEIGHT_CELL (widget);
  gboolean single = self->item == NULL || is_single (self);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = single ? 80 : 124;
  else
    *minimum = *natural = single ? (int) (PILL_HEIGHT + BAR_GAP + BAR_HEIGHT + 22) : (int) (LINE * count_lines (self)) + 2;
}

void
mt_weight_cell_bind (MtWeightCell *self,
                     MtTermItem   *item,
                     double        most)
{
  g_set_object (&self->item, item);
  self->most = most;
  if (item != NULL)
    {
      MtRuleBook *book = mt_term_item_get_book (item);
      g_autofree char *weights = mt_format_weights (mt_rule_book_get_classes (book), mt_term_item_get_effects (item),
                                                    mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book)));

      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, weights, -1);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self), weights);
    }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
mt_weight_cell_dispose (GObject *object)
{
  g_clear_object (&MT_WEIGHT_CELL (object)->item);
  G_OBJECT_CLASS (mt_weight_cell_parent_class)->dispose (object);
}

static void
mt_weight_cell_class_init (MtWeightCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_weight_cell_dispose;
  widget_class->snapshot = mt_weight_cell_snapshot;
  widget_class->measure = mt_weight_cell_measure;
  gtk_widget_class_set_css_name (widget_class, "weightcell");
}

static void
mt_weight_cell_init (MtWeightCell *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_START);
}

GtkWidget *
mt_weight_cell_new (void)
{
  return g_object_new (MT_TYPE_WEIGHT_CELL, NULL);
}
