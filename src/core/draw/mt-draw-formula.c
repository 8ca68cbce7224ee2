/* Paints a formula from its layout: the same for screen, PDF, PNG and SVG. See mt-draw-formula.h. */
#include "config.h"
#include "mt-draw-formula.h"

#include "mt-draw-private.h"

#define RADIUS     5.0
#define EDGE       3.0     /* of the bar at the left of a lit term */
#define LIT_FILL   0.14
#define HOVER_FILL 0.07
#define NOTE_SCALE 0.85

struct _MtFormulaFonts {
  PangoLayout          *layout;
  PangoFontDescription *text, *note;
};

MtFormulaFonts *
mt_formula_fonts_new (PangoContext               *context,
                      const PangoFontDescription *font)
{
  MtFormulaFonts *self;

  g_return_val_if_fail (context != NULL && font != NULL, NULL);

  self = g_new0 (MtFormulaFonts, 1);
  self->layout = pango_layout_new (context);
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  self->text = pango_font_description_copy (font);
  self->note = pango_font_description_copy (font);
  if (pango_font_description_get_size_is_absolute (font))
    pango_font_description_set_absolute_size (self->note, pango_font_description_get_size (font) * NOTE_SCALE);
  else
    pango_font_description_set_size (self->note, (int) (pango_font_description_get_size (font) * NOTE_SCALE));
  return self;
}

void
mt_formula_fonts_free (MtFormulaFonts *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->layout);
  pango_font_description_free (self->text);
  pango_font_description_free (self->note);
  g_free (self);
}

static void
set_text (MtFormulaFonts *fonts,
          const char     *text,
          MtFormulaFont   font)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  pango_layout_set_font_description (fonts->layout, font == MT_FORMULA_NOTE ? fonts->note : fonts->text);
  pango_layout_set_text (fonts->layout, valid, -1);
}

void
mt_formula_measure (const char    *text,
                    MtFormulaFont  font,
                    double        *width,
                    double        *height,
                    gpointer       data)
{
  int w, h;

  set_text (data, text, font);
  pango_layout_get_size (((MtFormulaFonts *) data)->layout, &w, &h);
  *width = (double) w / PANGO_SCALE;
  *height = (double) h / PANGO_SCALE;
}

static void
draw_box (cairo_t            *cr,
          const MtFormulaBox *box,
          gboolean            lit,
          const MtPalette    *palette)
{
  cairo_save (cr);
  mt_draw_rounded (cr, box->x, box->y, box->width, box->height, RADIUS);
  cairo_clip (cr);
  mt_draw_set_color (cr, &palette->accent, lit ? LIT_FILL : HOVER_FILL);
  cairo_paint (cr);
  if (lit)
    {
      mt_draw_set_color (cr, &palette->accent, 1);
      cairo_rectangle (cr, box->x, box->y, EDGE, box->height);
      cairo_fill (cr);
    }
  cairo_restore (cr);
}

void
mt_draw_formula (cairo_t               *cr,
                 const MtFormulaLayout *layout,
                 const MtPhrase        *phrase,
                 const char * const    *notes,
                 const gboolean        *lit,
                 int                    hovered,
                 MtFormulaFonts        *fonts,
                 const MtPalette       *palette)
{
  g_return_if_fail (cr != NULL && layout != NULL && phrase != NULL && fonts != NULL && palette != NULL);

  for (guint t = 0; t < layout->n_terms; t++)
    if ((lit != NULL && lit[t]) || hovered == (int) t)
      draw_box (cr, &layout->terms[t], lit != NULL && lit[t], palette);
  for (guint i = 0; i < layout->n_runs; i++)
    {
      const MtFormulaRun *run = &layout->runs[i];
      gboolean is_note = run->piece == G_MAXUINT;
      MtPieceKind kind = is_note ? MT_PIECE_REST : phrase->pieces[run->piece].kind;
      const MtColor *color = &palette->text;
      g_autofree char *text = NULL;
      int height;

      if (is_note)
        color = &palette->dim;
      else if (kind == MT_PIECE_NAME)
        color = &palette->name;
      else if (kind == MT_PIECE_JOINT || kind == MT_PIECE_OUTER)
        color = &palette->dim;
      if (!is_note && (kind == MT_PIECE_JOINT || kind == MT_PIECE_OUTER))
        text = mt_formula_dup_joint (&phrase->pieces[run->piece]);
      else
        text = is_note ? g_strdup (notes[run->term])
                       : g_strndup (phrase->pieces[run->piece].text + run->start, run->length);
      set_text (fonts, text, is_note ? MT_FORMULA_NOTE : MT_FORMULA_TEXT);
      pango_layout_get_pixel_size (fonts->layout, NULL, &height);
      mt_draw_set_color (cr, color, 1);
      cairo_move_to (cr, run->x, run->y + (run->height - height) / 2);
      pango_cairo_show_layout (cr, fonts->layout);
    }
}
