/* See mt-layout-formula.h. A term is cut into units that stay together (a literal with its brackets,
 * and the joint before it); units are set from left to right and wrapped greedily. */
#include "config.h"
#include "mt-layout-formula.h"

#include <string.h>

#define PAD_X    12.0    /* inside a term's box */
#define PAD_Y    4.0
#define GAP      2.0     /* between two boxes */
#define GUTTER   12.0    /* between the joint that begins a term and the term */
#define SET_IN   18.0    /* further lines of a term */
#define SPACE    8.0     /* around a joint within a term */
#define LINE_GAP 3.0
#define NOTE_GAP 24.0    /* at least this between a formula and its note */

typedef struct {
  const MtPhrase    *phrase;
  MtFormulaMeasure   measure;
  gpointer           measure_data;
  double             width;
  GArray            *runs;
  double             line_height;
  double             gutter;       /* for the joints between terms */
  double             widest;
} Setter;

static double
measure_piece (const Setter *setter,
               const char   *text,
               MtFormulaFont font)
{
  double width, height;

  setter->measure (text, font, &width, &height, setter->measure_data);
  return width;
}

static MtFormulaFont
font_of (MtPieceKind kind)
{
  return kind == MT_PIECE_JOINT || kind == MT_PIECE_OUTER ? MT_FORMULA_JOINT : MT_FORMULA_TEXT;
}

char *
mt_formula_dup_joint (const MtPiece *piece)
{
  const char *text = piece->text;

  if (g_str_has_prefix (text, ", ") && text[2] != '\0')
    text += 2;
  return g_strstrip (g_strdup (text));
}

static double
joint_width (const Setter  *setter,
             const MtPiece *piece)
{
  g_autofree char *bare = mt_formula_dup_joint (piece);

  return measure_piece (setter, bare, MT_FORMULA_JOINT);
}

static void
put (Setter *setter,
     guint   piece,
     guint   term,
     double  x,
     double  y,
     double  width,
     guint   start,
     guint   length)
{
  MtFormulaRun run = { piece, term, x, y, width, setter->line_height, start, length };

  g_array_append_val (setter->runs, run);
  setter->widest = MAX (setter->widest, x + width + PAD_X);
}

/* The end of the unit that begins at @first: up to the next joint. */
static guint
find_unit_end (const MtPhrase *phrase,
               guint           first)
{
  guint i = first + 1;

  while (i < phrase->n_pieces && phrase->pieces[i].kind != MT_PIECE_JOINT &&
         phrase->pieces[i].kind != MT_PIECE_OUTER)
    i++;
  return i;
}

static double
measure_unit (const Setter *setter,
              guint         first,
              guint         end)
{
  double width = 0;

  for (guint i = first; i < end; i++)
    {
      const MtPiece *piece = &setter->phrase->pieces[i];

      width += piece->kind == MT_PIECE_JOINT ? joint_width (setter, piece) + SPACE
                                             : measure_piece (setter, piece->text, font_of (piece->kind));
    }
  return width;
}

static guint
text_length (const MtPhrase *phrase,
             guint           piece)
{
  return (guint) strlen (phrase->pieces[piece].text);
}

/* Bytes of the next word with the spaces behind it. */
static guint
find_word_end (const char *text,
               guint       start)
{
  guint end = start;

  while (text[end] != '\0' && text[end] != ' ')
    end++;
  while (text[end] == ' ')
    end++;
  return end;
}

/* Where one is while a literal is broken. */
typedef struct {
  double x, y;
  double start;      /* of further lines */
  double room;
} Pen;

/* As much of the word as there is room for, again and again. */
static void
set_word (Setter *setter,
          guint   piece,
          guint   term,
          guint   start,
          guint   end,
          Pen    *pen)
{
  const char *text = setter->phrase->pieces[piece].text;

  while (start < end)
    {
      guint stop = end;
      g_autofree char *part = g_strndup (text + start, stop - start);
      double width = measure_piece (setter, part, MT_FORMULA_TEXT);
      g_autofree char *bare = g_strchomp (g_strdup (part));

      if (pen->x > pen->start && pen->x + measure_piece (setter, bare, MT_FORMULA_TEXT) > pen->room)
        {
          pen->x = pen->start;
          pen->y += setter->line_height + LINE_GAP;
        }
      while (pen->x + measure_piece (setter, bare, MT_FORMULA_TEXT) > pen->room &&
             g_utf8_next_char (text + start) < text + stop)
        {
          stop = (guint) (g_utf8_prev_char (text + stop) - text);
          g_free (part);
          g_free (bare);
          part = g_strndup (text + start, stop - start);
          bare = g_strchomp (g_strdup (part));
          width = measure_piece (setter, bare, MT_FORMULA_TEXT);
        }
      put (setter, piece, term, pen->x, pen->y, MIN (width, MAX (0, pen->room - pen->x)), start, stop - start);
      pen->x += width;
      start = stop;
    }
}

static void
break_unit (Setter *setter,
            guint   first,
            guint   end,
            guint   term,
            Pen    *pen)
{
  for (guint i = first; i < end; i++)
    if (setter->phrase->pieces[i].kind == MT_PIECE_JOINT)
      {
        g_autofree char *bare = mt_formula_dup_joint (&setter->phrase->pieces[i]);
        double width = joint_width (setter, &setter->phrase->pieces[i]);

        put (setter, i, term, pen->x, pen->y, width, 0, (guint) strlen (bare));
        pen->x += width + SPACE;
      }
    else
      for (guint at = 0; at < text_length (setter->phrase, i);)
        {
          guint stop = find_word_end (setter->phrase->pieces[i].text, at);

          set_word (setter, i, term, at, stop, pen);
          at = stop;
        }
}

/* Sets the term whose pieces begin at *@piece, and moves it to the next one; returns the y below. */
static double
set_term (Setter     *setter,
          guint      *piece,
          guint       term,
          const char *note,
          double      y)
{
  const MtPhrase *phrase = setter->phrase;
  double left = PAD_X + setter->gutter, x = left, top = y;
  double note_width = note != NULL ? measure_piece (setter, note, MT_FORMULA_NOTE) : 0;
  double room = setter->width - PAD_X;
  gboolean beside = note != NULL && note_width + NOTE_GAP < (setter->width - left) * 0.45;
  gboolean first = TRUE;
  guint start = *piece + (phrase->pieces[*piece].kind == MT_PIECE_OUTER ? 1 : 0);

  beside = beside && left + measure_unit (setter, start, find_unit_end (phrase, start)) <= room - note_width - NOTE_GAP;
  if (*piece < phrase->n_pieces && phrase->pieces[*piece].kind == MT_PIECE_OUTER)
    {
      g_autofree char *bare = mt_formula_dup_joint (&phrase->pieces[*piece]);

      put (setter, *piece, term, PAD_X, y, joint_width (setter, &phrase->pieces[*piece]), 0, (guint) strlen (bare));
      (*piece)++;
    }
  while (*piece < phrase->n_pieces && phrase->pieces[*piece].kind != MT_PIECE_OUTER)
    {
      guint end = find_unit_end (phrase, *piece);
      double width = measure_unit (setter, *piece, end);
      double limit = beside && y == top ? room - note_width - NOTE_GAP : room;

      if (!first && x + SPACE + width > limit)
        {
          y += setter->line_height + LINE_GAP;
          x = left + SET_IN;
        }
      else if (!first)
        x += SPACE;
      if (x + width > room)
        {
          Pen pen = { x, y, left + SET_IN + (first ? 0 : SET_IN), room };

          break_unit (setter, *piece, end, term, &pen);
          x = pen.x;
          y = pen.y;
          *piece = end;
        }
      for (; *piece < end; (*piece)++)
        {
          gboolean joint = phrase->pieces[*piece].kind == MT_PIECE_JOINT;
          double w = joint ? joint_width (setter, &phrase->pieces[*piece])
                           : measure_piece (setter, phrase->pieces[*piece].text, MT_FORMULA_TEXT);

          g_autofree char *bare = joint ? mt_formula_dup_joint (&phrase->pieces[*piece]) : NULL;

          put (setter, *piece, term, x, y, w, 0, joint ? (guint) strlen (bare) : text_length (phrase, *piece));
          x += w + (joint ? SPACE : 0);
        }
      first = FALSE;
    }
  if (beside)
    put (setter, G_MAXUINT, term, room - note_width, top, note_width, 0, (guint) strlen (note));
  else if (note != NULL)
    {
      y += setter->line_height;
      put (setter, G_MAXUINT, term, left, y, note_width, 0, (guint) strlen (note));
    }
  return y + setter->line_height;
}

MtFormulaLayout *
mt_formula_layout_new (const MtPhrase     *phrase,
                       const char * const *notes,
                       double              width,
                       MtFormulaMeasure    measure,
                       gpointer            measure_data)
{
  Setter setter = { phrase, measure, measure_data, width };
  MtFormulaLayout *self;
  guint piece = 0;
  double y = 0, any;

  g_return_val_if_fail (phrase != NULL && measure != NULL, NULL);

  setter.runs = g_array_new (FALSE, FALSE, sizeof (MtFormulaRun));
  measure ("Xgf", MT_FORMULA_TEXT, &any, &setter.line_height, measure_data);
  for (guint i = 0; i < phrase->n_pieces; i++)
    if (phrase->pieces[i].kind == MT_PIECE_OUTER)
      setter.gutter = MAX (setter.gutter, joint_width (&setter, &phrase->pieces[i]) + GUTTER);
  self = g_new0 (MtFormulaLayout, 1);
  self->n_terms = phrase->n_terms;
  self->terms = g_new0 (MtFormulaBox, MAX (1, phrase->n_terms));
  for (guint t = 0; t < phrase->n_terms; t++)
    {
      double bottom = set_term (&setter, &piece, t, notes != NULL ? notes[t] : NULL, y + PAD_Y);

      self->terms[t] = (MtFormulaBox) { 0, y, 0, bottom + PAD_Y - y };
      y = bottom + PAD_Y + GAP;
    }
  self->width = MAX (width, setter.widest);
  self->height = MAX (0, y - GAP);
  for (guint t = 0; t < phrase->n_terms; t++)
    self->terms[t].width = self->width;
  self->n_runs = setter.runs->len;
  self->runs = (MtFormulaRun *) (gpointer) g_array_free (setter.runs, FALSE);
  return self;
}

void
mt_formula_layout_free (MtFormulaLayout *self)
{
  if (self == NULL)
    return;
  g_free (self->runs);
  g_free (self->terms);
  g_free (self);
}

int
mt_formula_layout_hit (const MtFormulaLayout *self,
                       double                 x,
                       double                 y)
{
  for (guint t = 0; t < self->n_terms; t++)
    {
      const MtFormulaBox *box = &self->terms[t];

      if (x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height)
        return (int) t;
    }
  return -1;
}
