/* A term's weight: a pill or a square with the number, a bar towards its side, and what it means for the
 * odds. See mt-weight-cell.h. */
#include "config.h"
#include "mt-weight-cell.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

#define PILL_WIDTH  64.0
#define PILL_HEIGHT 24.0
#define LINE        21.0
#define TIGHT_LINE  17.0      /* of many classes */
#define MANY        4
#define BAR_WIDTH   64.0
#define BAR_HEIGHT  4.0
#define BAR_GAP     5.0
#define NUMBER_SIZE 0.92      /* of several outputs */
#define NAME_SIZE   0.85
#define NAME_GAP    6.0
#define MARK        8.0       /* the square before it */
#define MARK_GAP    4.0
#define EFFECT_SIZE 0.8       /* of what stands below the bar */
#define MOST_NAME   120.0     /* pixels; longer names of classes are cut */

struct _MtWeightCell {
  GtkWidget     parent_instance;
  MtTermItem   *item;
  MtWeightRoom  room;
};

G_DEFINE_FINAL_TYPE (MtWeightCell, mt_weight_cell, GTK_TYPE_WIDGET)

/* One more than the classes that have a line of their own, when there are others. */
static guint
count_lines (MtWeightCell *self)
{
  g_autoptr (GArray) lines = mt_term_item_dup_lines (self->item);

  return lines->len + (lines->len < mt_rule_book_get_n_classes (mt_term_item_get_book (self->item)));
}

double
mt_weight_cell_line_height (guint n_lines)
{
  return n_lines > MANY ? TIGHT_LINE : LINE;
}

static gboolean
is_single (MtWeightCell *self)
{
  return mt_rule_book_get_task (mt_term_item_get_book (self->item)) != MT_TASK_MULTICLASS;
}

/* Only odds are written below the bar. */
static gboolean
has_effect (MtWeightCell *self)
{
  return self->item == NULL || mt_rule_book_get_task (mt_term_item_get_book (self->item)) == MT_TASK_BINARY;
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

static double
pill_text_size (const char *text)
{
  return g_utf8_strlen (text, -1) > 7 ? 0.78 : 0.95;
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

  gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (0, 1, (float) self->room.numbers, (float) PILL_HEIGHT),
                                   radius);
  if (!bias)
    {
      gtk_snapshot_push_rounded_clip (snapshot, &outline);
      gtk_snapshot_append_color (snapshot, &fill, &outline.bounds);
      gtk_snapshot_pop (snapshot);
    }
  gtk_snapshot_append_border (snapshot, &outline, widths, colors);
  draw_text (self, snapshot, text, color, pill_text_size (text), TRUE, 0, 1, self->room.numbers, PILL_HEIGHT, 0.5);
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
  double length = self->room.most > 0 ? MIN (1, fabs (weight) / self->room.most) * BAR_WIDTH / 2 : 0;

  gtk_snapshot_append_color (snapshot, &axis, &GRAPHENE_RECT_INIT (0, (float) (y + BAR_HEIGHT / 2 - 0.5),
                                                                   (float) BAR_WIDTH, 1));
  gtk_snapshot_append_color (snapshot, &fill,
                             &GRAPHENE_RECT_INIT ((float) (BAR_WIDTH / 2 - (signbit (weight) ? length : 0)), (float) y,
                                                  (float) length, (float) BAR_HEIGHT));
}

/* A square in the class's colour, which the hit rates share, and its name. */
static void
draw_name (MtWeightCell    *self,
           GtkSnapshot     *snapshot,
           const char      *name,
           const MtColor   *mark,     /* NULL: none */
           double           y,
           double           height,
           const MtPalette *palette)
{
  double left = self->room.numbers + NAME_GAP, x = left + MARK + MARK_GAP;

  if (mark != NULL)
    {
      GdkRGBA rgba = mt_theme_rgba (mark);

      gtk_snapshot_append_color (snapshot, &rgba,
                                 &GRAPHENE_RECT_INIT ((float) left, (float) (y + (height - MARK) / 2), MARK, MARK));
    }
  draw_text (self, snapshot, name, &palette->dim, NAME_SIZE, FALSE, x, y,
             MAX (10, gtk_widget_get_width (GTK_WIDGET (self)) - x), height, 0);
}

static void
draw_classes (MtWeightCell    *self,
              GtkSnapshot     *snapshot,
              const MtPalette *palette)
{
  MtRuleBook *book = mt_term_item_get_book (self->item);
  const double *effects = mt_term_item_get_effects (self->item);
  guint n_classes = mt_rule_book_get_n_classes (book);
  g_autoptr (GArray) lines = mt_term_item_dup_lines (self->item);
  double height = mt_weight_cell_line_height (count_lines (self));

  for (guint i = 0; i < lines->len; i++)
    {
      guint o = g_array_index (lines, guint, i);
      g_autofree char *weight = effects[o] != 0 ? mt_format_weight (effects[o]) : g_strdup ("0");
      const MtColor *color = mt_term_item_get_term (self->item) < 0 ? &palette->text
                             : effects[o] == 0 ? &palette->dim
                             : signbit (effects[o]) ? &palette->negative : &palette->positive;
      MtColor mark = mt_theme_class_color (palette, n_classes, o);

      draw_text (self, snapshot, weight, color, NUMBER_SIZE, effects[o] != 0, 0, i * height, self->room.numbers, height,
                 1);
      draw_name (self, snapshot, mt_rule_book_get_classes (book)[o], &mark, i * height, height, palette);
    }
  if (lines->len < n_classes)
    {
      guint n_rest = n_classes - lines->len;
      /* Translators: classes of which a rule says nothing and that hardly occur where it is true */
      g_autofree char *rest = g_strdup_printf (ngettext ("%u other", "%u others", n_rest), n_rest);

      draw_name (self, snapshot, rest, NULL, lines->len * height, height, palette);
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
    draw_text (self, snapshot, effect, &palette.dim, EFFECT_SIZE, FALSE, 0, y + BAR_HEIGHT + 2,
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
    *minimum = *natural = (int) (single ? MAX (MAX (80, self->room.numbers), self->room.names)
                                       : self->room.numbers + NAME_GAP + MARK + MARK_GAP + self->room.names);
  else
    *minimum = *natural = single ? (int) (PILL_HEIGHT + BAR_GAP + BAR_HEIGHT) + (has_effect (self) ? 22 : 6)
                                 : (int) (mt_weight_cell_line_height (count_lines (self)) * count_lines (self)) + 2;
}

/* The longer text of the two; takes what is in *@longest, and @text. */
static void
keep_longer (char **longest,
             char  *text)
{
  if (*longest != NULL && g_utf8_strlen (text, -1) <= g_utf8_strlen (*longest, -1))
    g_free (text);
  else
    {
      g_free (*longest);
      *longest = text;
    }
}

void
mt_weight_room_init (MtWeightRoom *room,
                     MtRuleBook   *book,
                     GtkWidget    *widget)
{
  const MtRuleSet *rules = mt_rule_book_get_rules (book);
  gboolean single = mt_rule_book_get_task (book) != MT_TASK_MULTICLASS;
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  g_autofree char *longest = NULL;

  *room = (MtWeightRoom) { 0, single ? PILL_WIDTH : 50, 36 };
  for (guint o = 0; o < n_outputs; o++)
    keep_longer (&longest, mt_format_weight (mt_rule_set_get_bias (rules)[o]));
  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    {
      const MtTermFacts *facts = mt_rule_book_get_facts (book, t);

      room->most = MAX (room->most, facts->strength);
      for (guint o = 0; o < n_outputs; o++)
        keep_longer (&longest, mt_format_weight (facts->effects[o]));
    }
  /* A little more: among texts as long the digits differ. */
  room->numbers = MAX (room->numbers, mt_theme_measure_text (widget, longest, single ? pill_text_size (longest)
                                                                                    : NUMBER_SIZE, TRUE) +
                                      (single ? 12 : 4));
  for (int t = MT_TERM_INTERCEPT; single && t < (int) mt_rule_book_get_n_terms (book); t++)
    {
      g_autoptr (MtTermItem) item = mt_term_item_new (book, t);
      g_autofree char *effect = mt_term_item_dup_effect (item);

      if (effect != NULL)
        room->names = MAX (room->names, mt_theme_measure_text (widget, effect, EFFECT_SIZE, FALSE) + 1);
    }
  for (guint c = 0; !single && c < n_outputs; c++)
    room->names = MAX (room->names, mt_theme_measure_text (widget, mt_rule_book_get_classes (book)[c], NAME_SIZE, FALSE));
  room->names = single ? room->names : MIN (room->names, MOST_NAME);
}

void
mt_weight_cell_bind (MtWeightCell       *self,
                     MtTermItem         *item,
                     const MtWeightRoom *room)
{
  g_set_object (&self->item, item);
  self->room = *room;
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
