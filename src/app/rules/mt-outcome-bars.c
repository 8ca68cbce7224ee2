/* What became of the rows of which a rule is true, of three classes or more: a line for each class that the
 * list tells of (mt_term_item_dup_lines), with a bar as long as its share. See mt-outcome-bars.h. */
#include "config.h"
#include "mt-outcome-bars.h"

#include "util/mt-format.h"
#include "util/mt-theme.h"
#include "mt-weight-cell.h"

#define BAR_ROOM   26.0
#define BAR_HEIGHT 6.0
#define GAP        6.0
#define TEXT_SIZE  0.92

struct _MtOutcomeBars {
  GtkWidget   parent_instance;
  MtTermItem *item;
  GArray     *lines;        /* of classes */
};

G_DEFINE_FINAL_TYPE (MtOutcomeBars, mt_outcome_bars, GTK_TYPE_WIDGET)

static guint
count_classes (MtOutcomeBars *self)
{
  return mt_rule_book_get_n_classes (mt_term_item_get_book (self->item));
}

static gboolean
has_rest (MtOutcomeBars *self)
{
  return self->lines->len < count_classes (self);
}

static double
line_height (MtOutcomeBars *self)
{
  return mt_weight_cell_line_height (self->lines->len + has_rest (self));
}

static void
draw_line (MtOutcomeBars       *self,
           GtkSnapshot     *snapshot,
           guint            line,
           double           share,
           const MtColor   *color,
           const MtPalette *palette)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = line_height (self), y = line * height;
  double bar = MIN (BAR_ROOM, MAX (0, width - BAR_ROOM));
  g_autofree char *text = mt_format_rate (share);
  GdkRGBA ground = mt_theme_faded (&palette->text, 0.08), fill = mt_theme_rgba (color);
  float top = (float) (y + (height - BAR_HEIGHT) / 2);

  gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (0, top, (float) bar, (float) BAR_HEIGHT));
  gtk_snapshot_append_color (snapshot, &fill, &GRAPHENE_RECT_INIT (0, top, (float) (share * bar), (float) BAR_HEIGHT));
  mt_theme_draw_text (GTK_WIDGET (self), snapshot, text, share > 0 ? &palette->text : &palette->dim, TEXT_SIZE, FALSE,
                      &GRAPHENE_RECT_INIT ((float) bar, (float) y, (float) (width - bar), (float) height), 1);
}

static void
mt_outcome_bars_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  MtOutcomeBars *self = MT_OUTCOME_BARS (widget);
  double rest = 1;
  MtPalette palette;

  if (self->item == NULL)
    return;
  mt_theme_get_palette (widget, &palette);
  if (mt_term_item_get_support (self->item) == 0)
    {
      mt_theme_draw_text (widget, snapshot, "–", &palette.dim, TEXT_SIZE, FALSE,
                          &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget), (float) line_height (self)), 1);
      return;
    }
  for (guint i = 0; i < self->lines->len; i++)
    {
      guint class = g_array_index (self->lines, guint, i);
      MtColor color = mt_theme_class_color (&palette, count_classes (self), class);
      double share = mt_term_item_get_hit (self->item, class);

      rest -= share;
      draw_line (self, snapshot, i, share, &color, &palette);
    }
  if (has_rest (self))
    draw_line (self, snapshot, self->lines->len, MAX (0, rest), &palette.dim, &palette);
}

static void
mt_outcome_bars_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  MtOutcomeBars *self = MT_OUTCOME_BARS (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = (int) (BAR_ROOM + GAP + mt_theme_measure_text (widget, "00.0%", TEXT_SIZE, FALSE)) + 1;
  else
    *minimum = *natural = self->item == NULL ? 0
                          : (int) (line_height (self) * (self->lines->len + has_rest (self))) + 2;
}

void
mt_outcome_bars_bind (MtOutcomeBars  *self,
                      MtTermItem *item)
{
  g_autofree char *all = mt_term_item_dup_hits (item);

  g_return_if_fail (MT_IS_OUTCOME_BARS (self));

  g_set_object (&self->item, item);
  g_clear_pointer (&self->lines, g_array_unref);
  self->lines = mt_term_item_dup_lines (item);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, all != NULL ? all : "–", -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), all);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
mt_outcome_bars_dispose (GObject *object)
{
  g_clear_object (&MT_OUTCOME_BARS (object)->item);
  g_clear_pointer (&MT_OUTCOME_BARS (object)->lines, g_array_unref);
  G_OBJECT_CLASS (mt_outcome_bars_parent_class)->dispose (object);
}

static void
mt_outcome_bars_class_init (MtOutcomeBarsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_outcome_bars_dispose;
  widget_class->snapshot = mt_outcome_bars_snapshot;
  widget_class->measure = mt_outcome_bars_measure;
  gtk_widget_class_set_css_name (widget_class, "hitcell");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
mt_outcome_bars_init (MtOutcomeBars *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_START);
}

GtkWidget *
mt_outcome_bars_new (void)
{
  return g_object_new (MT_TYPE_OUTCOME_BARS, NULL);
}
