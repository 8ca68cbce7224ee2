/* Paints a model on one canvas, in the manner of the paper's figure 2: a card for each term, and the
 * formula that adds them up. See mt-draw-canvas.h. */
#include "config.h"
#include "mt-draw-canvas.h"

#include <math.h>

#include "mt-draw-private.h"

#define RADIUS         12.0
#define PILL_HEIGHT    28.0
#define PILL_PAD       12.0
#define FORMULA_HEIGHT 110.0
#define FORMULA_SIZE   22.0
#define LIMIT_SIZE     12.0
#define SUM_SIZE       40.0
#define SPACE          8.0
#define USUAL_SIZE     12.5      /* of the font: larger text has larger captions, too */
#define WEIGHTS_WIDTH  200.0     /* that weights for each class may take below a narrower drawing */
#define WEIGHTS_GAP    6.0
#define STARTS_WIDTH   900.0

static PangoLayout *
make_text (PangoContext               *context,
           const PangoFontDescription *font,
           const char                 *text,
           double                      size,       /* 0: the font's own */
           gboolean                    bold,
           gboolean                    serif)
{
  PangoLayout *layout = pango_layout_new (context);
  PangoFontDescription *own = pango_font_description_copy (font);
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  if (size > 0)
    pango_font_description_set_absolute_size (own, size * PANGO_SCALE);
  if (serif)
    pango_font_description_set_family (own, "TeX Gyre Termes, Libertinus Serif, Liberation Serif, DejaVu Serif, Serif");
  if (bold)
    pango_font_description_set_weight (own, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, own);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, valid, -1);
  pango_font_description_free (own);
  return layout;
}

/* Of captions, which go with the font. */
static double
small_size (const PangoFontDescription *font)
{
  double size = (double) pango_font_description_get_size (font) / PANGO_SCALE;

  return pango_font_description_get_size_is_absolute (font) && size > USUAL_SIZE ? LIMIT_SIZE * size / USUAL_SIZE
                                                                                 : LIMIT_SIZE;
}

/* Lines of at most that width, centered in it. */
static PangoLayout *
make_lines (PangoContext               *context,
            const PangoFontDescription *font,
            const char                 *text,
            double                      width)
{
  PangoLayout *layout = make_text (context, font, text, small_size (font), FALSE, FALSE);

  pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  return layout;
}

static void
show_text (cairo_t       *cr,
           PangoLayout   *layout,
           const MtColor *color,
           double         x,
           double         middle)
{
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  mt_draw_set_color (cr, color, 1);
  cairo_move_to (cr, x, middle - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

static double
text_width (PangoLayout *layout)
{
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* --- a numeric column: its weight, and what it is a weight of --- */

static double
pill_width (const MtCanvasTerm         *term,
            PangoContext               *context,
            const PangoFontDescription *font)
{
  g_autoptr (PangoLayout) weight = make_text (context, font, term->weight_text, 0, TRUE, FALSE);

  return MAX (62, text_width (weight) + 2 * PILL_PAD);
}

static void
measure_column (const MtCanvasTerm         *term,
                PangoContext               *context,
                const PangoFontDescription *font,
                double                     *size)
{
  g_autofree char *text = g_strconcat (" × (", term->column.name, term->column.rest, ")", NULL);
  g_autoptr (PangoLayout) layout = make_text (context, font, text, 0, TRUE, FALSE);

  size[0] = pill_width (term, context, font) + text_width (layout) + SPACE;
  size[1] = PILL_HEIGHT + 12;
}

static void
draw_column (cairo_t                    *cr,
             const MtCanvasTerm         *term,
             PangoContext               *context,
             const PangoFontDescription *font,
             const MtPalette            *palette)
{
  const MtColor *color = term->weight > 0 ? &palette->positive : term->weight < 0 ? &palette->negative : &palette->text;
  g_autoptr (PangoLayout) weight = make_text (context, font, term->weight_text, 0, TRUE, FALSE);
  g_autofree char *closed = g_strconcat (term->column.rest, ")", NULL);
  g_autoptr (PangoLayout) times = make_text (context, font, "×", 0, FALSE, FALSE);
  g_autoptr (PangoLayout) bracket = make_text (context, font, "(", 0, FALSE, FALSE);
  g_autoptr (PangoLayout) name = make_text (context, font, term->column.name, 0, TRUE, FALSE);
  g_autoptr (PangoLayout) rest = make_text (context, font, closed, 0, FALSE, FALSE);
  double width = pill_width (term, context, font), middle = PILL_HEIGHT / 2 + 6, x = width + SPACE;

  mt_draw_rounded (cr, 0, 6, width, PILL_HEIGHT, term->weight < 0 ? 2 : term->weight > 0 ? PILL_HEIGHT / 2 : 6);
  mt_draw_set_color (cr, color, 0.14);
  cairo_fill_preserve (cr);
  mt_draw_set_color (cr, color, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  show_text (cr, weight, color, (width - text_width (weight)) / 2, middle);
  show_text (cr, times, &palette->dim, x, middle);
  x += text_width (times) + SPACE / 2;
  show_text (cr, bracket, &palette->text, x, middle);
  x += text_width (bracket);
  show_text (cr, name, &palette->name, x, middle);
  show_text (cr, rest, &palette->text, x + text_width (name), middle);
}

static void
measure_drawing (const MtCanvasTerm         *term,
                 PangoContext               *context,
                 const PangoFontDescription *font,
                 double                     *size)
{
  if (term->diagram != NULL)
    {
      size[0] = term->diagram->width;
      size[1] = term->diagram->height;
    }
  else
    measure_column (term, context, font, size);
}

static void
measure_term (const MtCanvasTerm         *term,
              PangoContext               *context,
              const PangoFontDescription *font,
              double                     *size)
{
  g_autoptr (PangoLayout) lines = NULL;
  int width, height;

  measure_drawing (term, context, font, size);
  if (term->weights == NULL)
    return;
  lines = make_lines (context, font, term->weights, MAX (size[0], WEIGHTS_WIDTH));
  pango_layout_get_pixel_size (lines, &width, &height);
  size[0] = MAX (size[0], width);
  size[1] += WEIGHTS_GAP + height;
}

void
mt_draw_canvas_measure (const MtCanvasSpec         *spec,
                        PangoContext               *context,
                        const PangoFontDescription *font,
                        double                     *sizes)
{
  for (guint t = 0; t < spec->n_terms; t++)
    measure_term (&spec->terms[t], context, font, sizes + 2 * t);
}

/* From the top left of what was measured. */
static void
draw_term (cairo_t                    *cr,
           const MtCanvasTerm         *term,
           PangoContext               *context,
           const PangoFontDescription *font,
           const MtPalette            *palette)
{
  double drawing[2], all[2];

  measure_drawing (term, context, font, drawing);
  measure_term (term, context, font, all);
  cairo_save (cr);
  cairo_translate (cr, (all[0] - drawing[0]) / 2, 0);
  if (term->diagram != NULL)
    mt_draw_diagram_marked (cr, term->diagram, term->labels, term->weight, NULL, context, font, palette);
  else
    draw_column (cr, term, context, font, palette);
  cairo_restore (cr);
  if (term->weights != NULL)
    {
      double width = MAX (drawing[0], WEIGHTS_WIDTH);
      g_autoptr (PangoLayout) lines = make_lines (context, font, term->weights, width);

      mt_draw_set_color (cr, &palette->text, 0.8);
      cairo_move_to (cr, (all[0] - width) / 2, drawing[1] + WEIGHTS_GAP);
      pango_cairo_show_layout (cr, lines);
    }
}

/* --- cards --- */

static void
draw_caption (cairo_t                    *cr,
              const MtCanvasTerm         *term,
              const MtCanvasCard         *card,
              PangoContext               *context,
              const PangoFontDescription *font,
              const MtPalette            *palette)
{
  double x = card->x + 18, middle = card->y + card->height - 22;
  g_autoptr (PangoLayout) caption = make_text (context, font, term->caption, small_size (font), FALSE, FALSE);

  if (term->title != NULL)
    {
      g_autoptr (PangoLayout) r = make_text (context, font, "r", 16, TRUE, TRUE);
      g_autoptr (PangoLayout) number = make_text (context, font, term->title, 11, TRUE, TRUE);
      PangoAttrList *italic = pango_attr_list_new ();

      pango_attr_list_insert (italic, pango_attr_style_new (PANGO_STYLE_ITALIC));
      pango_layout_set_attributes (r, italic);
      pango_attr_list_unref (italic);
      show_text (cr, r, &palette->text, x, middle);
      x += text_width (r);
      show_text (cr, number, &palette->text, x + 1, middle + 5);
      x += text_width (number) + 10;
    }
  pango_layout_set_width (caption, (int) (MAX (20, card->x + card->width - 12 - x) * PANGO_SCALE));
  pango_layout_set_ellipsize (caption, PANGO_ELLIPSIZE_END);
  show_text (cr, caption, &palette->dim, x, middle);
}

static void
draw_card (cairo_t                    *cr,
           const MtCanvasTerm         *term,
           const MtCanvasCard         *card,
           gboolean                    selected,
           PangoContext               *context,
           const PangoFontDescription *font,
           const MtPalette            *palette)
{
  mt_draw_rounded (cr, card->x + 0.5, card->y + 0.5, card->width - 1, card->height - 1, RADIUS);
  mt_draw_set_color (cr, selected ? &palette->accent : &palette->text, selected ? 0.08 : 0.035);
  cairo_fill_preserve (cr);
  mt_draw_set_color (cr, selected ? &palette->accent : &palette->text, selected ? 1 : 0.1);
  cairo_set_line_width (cr, selected ? 1.5 : 1);
  cairo_stroke (cr);

  cairo_save (cr);
  cairo_translate (cr, card->inner_x, card->inner_y);
  cairo_scale (cr, card->scale, card->scale);
  draw_term (cr, term, context, font, palette);
  cairo_restore (cr);
  draw_caption (cr, term, card, context, font, palette);
}

/* --- the formula --- */

double
mt_draw_canvas_formula_height (const MtCanvasSpec         *spec,
                               PangoContext               *context,
                               const PangoFontDescription *font,
                               double                      width)
{
  g_autoptr (PangoLayout) lines = NULL;
  int height;

  if (spec->starts == NULL)
    return FORMULA_HEIGHT;
  lines = make_lines (context, font, spec->starts, MIN (width, STARTS_WIDTH));
  pango_layout_get_pixel_size (lines, NULL, &height);
  return FORMULA_HEIGHT + height + SPACE;
}

typedef struct {
  PangoLayout *layout;
  PangoLayout *upper, *lower;     /* of a sum; NULL: text */
  double       width;
} Piece;

static void
add_markup (GArray                     *pieces,
            PangoContext               *context,
            const PangoFontDescription *font,
            const char                 *markup)
{
  Piece piece = { make_text (context, font, "", FORMULA_SIZE, FALSE, TRUE) };

  pango_layout_set_markup (piece.layout, markup, -1);
  piece.width = text_width (piece.layout);
  g_array_append_val (pieces, piece);
}

static void
add_sum (GArray                     *pieces,
         PangoContext               *context,
         const PangoFontDescription *font,
         guint                       n,
         const char                 *index)
{
  g_autofree char *upper = g_strdup_printf ("%u", n);
  g_autofree char *lower = g_strdup_printf ("<i>%s</i> = 1", index);
  Piece piece = {
    make_text (context, font, "∑", SUM_SIZE, FALSE, TRUE),
    make_text (context, font, upper, LIMIT_SIZE, FALSE, TRUE),
    make_text (context, font, "", LIMIT_SIZE, FALSE, TRUE),
  };

  pango_layout_set_markup (piece.lower, lower, -1);
  piece.width = MAX (text_width (piece.layout), text_width (piece.lower));
  g_array_append_val (pieces, piece);
}

static void
draw_formula (cairo_t                    *cr,
              const MtCanvasLayout       *layout,
              const MtCanvasSpec         *spec,
              PangoContext               *context,
              const PangoFontDescription *font,
              const MtPalette            *palette)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  double width = 0, scale, x = 0, middle = FORMULA_HEIGHT / 2;
  const char *weight = spec->several ? "<i>w</i><sub><i>jc</i></sub>" : "<i>w</i><sub><i>j</i></sub>";
  const char *slope = spec->several ? "<i>v</i><sub><i>ic</i></sub>" : "<i>v</i><sub><i>i</i></sub>";

  add_markup (pieces, context, font, spec->before);
  if (spec->n_rules > 0)
    {
      g_autofree char *text = g_strdup_printf ("%s · <i>r</i><sub><i>j</i></sub>(<b>x</b>)", weight);

      add_markup (pieces, context, font, "+");
      add_sum (pieces, context, font, spec->n_rules, "j");
      add_markup (pieces, context, font, text);
    }
  if (spec->n_numeric > 0)
    {
      g_autofree char *text = g_strdup_printf ("%s · (<i>x</i><sub><i>i</i></sub> − <i>x̄</i><sub><i>i</i></sub>)",
                                               slope);

      add_markup (pieces, context, font, "+");
      add_sum (pieces, context, font, spec->n_numeric, "i");
      add_markup (pieces, context, font, text);
    }
  if (*spec->after != '\0')
    add_markup (pieces, context, font, spec->after);

  for (guint i = 0; i < pieces->len; i++)
    width += g_array_index (pieces, Piece, i).width + (i > 0 ? SPACE : 0);
  scale = MIN (1, layout->width / MAX (1, width));
  cairo_save (cr);
  cairo_translate (cr, MAX (0, (layout->width - width * scale) / 2), layout->formula_y);
  cairo_scale (cr, scale, scale);
  for (guint i = 0; i < pieces->len; i++)
    {
      Piece *piece = &g_array_index (pieces, Piece, i);

      show_text (cr, piece->layout, &palette->text, x + (piece->width - text_width (piece->layout)) / 2, middle);
      if (piece->upper != NULL)
        {
          show_text (cr, piece->upper, &palette->text, x + (piece->width - text_width (piece->upper)) / 2, middle - 28);
          show_text (cr, piece->lower, &palette->text, x + (piece->width - text_width (piece->lower)) / 2, middle + 30);
        }
      x += piece->width + SPACE;
      g_object_unref (piece->layout);
      g_clear_object (&piece->upper);
      g_clear_object (&piece->lower);
    }
  cairo_restore (cr);
  g_array_unref (pieces);
  if (spec->starts != NULL)
    {
      double room = MIN (layout->width, STARTS_WIDTH);
      g_autoptr (PangoLayout) lines = make_lines (context, font, spec->starts, room);

      mt_draw_set_color (cr, &palette->text, 0.8);
      cairo_move_to (cr, (layout->width - room) / 2, layout->formula_y + FORMULA_HEIGHT);
      pango_cairo_show_layout (cr, lines);
    }
}

void
mt_draw_canvas (cairo_t                    *cr,
                const MtCanvasLayout       *layout,
                const MtCanvasSpec         *spec,
                int                         page,
                int                         selected,
                PangoContext               *context,
                const PangoFontDescription *font,
                const MtPalette            *palette)
{
  double top = page < 0 ? 0 : page * layout->page_height;
  double bottom = page < 0 ? G_MAXDOUBLE : top + layout->page_height;

  g_return_if_fail (cr != NULL && layout != NULL && spec != NULL && palette != NULL);
  g_return_if_fail (spec->n_terms == layout->n_cards);

  cairo_save (cr);
  cairo_translate (cr, 0, -top);
  for (guint t = 0; t < spec->n_terms; t++)
    if (layout->cards[t].y >= top && layout->cards[t].y < bottom)
      draw_card (cr, &spec->terms[t], &layout->cards[t], (int) t == selected, context, font, palette);
  if (layout->formula_y >= top && layout->formula_y < bottom)
    draw_formula (cr, layout, spec, context, font, palette);
  cairo_restore (cr);
}
