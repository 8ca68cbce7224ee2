/* Geometry of formulas for random rules and widths, and that the painter leaves ink. */
#include "config.h"

#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#include "mt-core.h"
#include "sample-models.h"
#include "testutils.h"

/* Every character eight points, lines eighteen. */
static void
measure (const char    *text,
         MtFormulaFont  font,
         double        *width,
         double        *height,
         gpointer       data)
{
  *width = 8.0 * (double) g_utf8_strlen (text, -1);
  *height = 18;
}

static gboolean
overlap (const MtFormulaRun *a,
         const MtFormulaRun *b)
{
  return a->x < b->x + b->width - 0.01 && b->x < a->x + a->width - 0.01 && a->y < b->y + b->height - 0.01 &&
         b->y < a->y + a->height - 0.01;
}

/* The first thing that is wrong with a layout, or NULL. */
static const char *
find_fault (const MtFormulaLayout *layout,
            const MtPhrase        *phrase,
            gboolean               has_notes,
            double                 width)
{
  g_autofree guint *seen = g_new0 (guint, phrase->n_pieces);
  guint n_notes = 0;

  for (guint i = 0; i < layout->n_runs; i++)
    {
      const MtFormulaRun *run = &layout->runs[i];
      const MtFormulaBox *box = &layout->terms[run->term];

      if (run->piece == G_MAXUINT)
        n_notes++;
      else if (run->start != seen[run->piece] || run->length == 0)
        return "a piece out of order";
      else
        seen[run->piece] += run->length;
      if (run->piece != G_MAXUINT && run->x + run->width > MAX (width, 160) + 0.01)
        return "a piece out of the width that there is";
      if (run->x < box->x || run->x + run->width > box->x + box->width + 0.01 || run->y < box->y ||
          run->y + run->height > box->y + box->height)
        return "a piece outside of its term";
      if (box->y + box->height > layout->height + 0.01)
        return "a term out of bounds";
      if (mt_formula_layout_hit (layout, run->x + run->width / 2, run->y + 1) != (int) run->term)
        return "a piece that points at another term";
      for (guint j = 0; j < i; j++)
        if (overlap (run, &layout->runs[j]))
          return "pieces overlap";
    }
  for (guint i = 0; i < phrase->n_pieces; i++)
    {
      g_autofree char *joint = mt_formula_dup_joint (&phrase->pieces[i]);
      gboolean is_joint = phrase->pieces[i].kind == MT_PIECE_JOINT || phrase->pieces[i].kind == MT_PIECE_OUTER;

      if (seen[i] != strlen (is_joint ? joint : phrase->pieces[i].text))
        return "a piece is not set once";
    }
  /* A relation stands beside its name, unless a line cannot hold them. */
  for (guint i = 0; i + 1 < layout->n_runs; i++)
    if (layout->runs[i + 1].piece != G_MAXUINT && phrase->pieces[layout->runs[i + 1].piece].kind == MT_PIECE_REST &&
        layout->runs[i + 1].start == 0 && width > 600 && (layout->runs[i].y != layout->runs[i + 1].y ||
         layout->runs[i].x + layout->runs[i].width != layout->runs[i + 1].x))
      return "a literal is torn apart";
  return has_notes == (n_notes == phrase->n_terms) ? NULL : "notes are absent";
}

static void
test_geometry (void)
{
  static const double widths[] = { 120, 260, 400, 700, 1200 };
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 5);
  guint n_checked = 0;

  for (guint64 seed = 1; seed < 12; seed++)
    {
      g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 12, seed);
      const MtRuleSet *rules = mt_model_get_rules (model);

      for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
        for (guint w = 0; w < G_N_ELEMENTS (widths) && !mt_rule_set_get_term (rules, t)->is_numeric; w++)
          {
            const MtRule *rule = mt_rule_set_get_term (rules, t)->rule;
            g_autoptr (MtPhrase) phrase = mt_phrase_new (rule, mt_model_get_encoder (model), w % 2 == 0);
            g_autofree const char **notes = g_new (const char *, phrase->n_terms);
            g_autoptr (MtFormulaLayout) layout = NULL;
            MtFormulaRun kept;

            for (guint i = 0; i < phrase->n_terms; i++)
              notes[i] = "41 rows, 38 with disease";
            layout = mt_formula_layout_new (phrase, w > 0 ? notes : NULL, widths[w], measure, NULL);
            g_assert_cmpstr (find_fault (layout, phrase, w > 0, widths[w]), ==, NULL);
            /* Faults are found. */
            kept = layout->runs[0];
            layout->runs[0].x = -5;
            g_assert_nonnull (find_fault (layout, phrase, w > 0, widths[w]));
            layout->runs[0] = kept;
            layout->runs[0].piece = (kept.piece + 1) % phrase->n_pieces;   /* that one twice, its own never */
            g_assert_nonnull (find_fault (layout, phrase, w > 0, widths[w]));
            n_checked++;
          }
    }
  g_assert_cmpuint (n_checked, >, 300);
}

/* Names of sixty characters, in a window as narrow as can be: every letter of them is set, within it. */
static void
test_long_names (void)
{
  MtPiece pieces[] = {
    { MT_PIECE_NAME, 0, (char *) "The applicant's average monthly account balance over a year" },
    { MT_PIECE_REST, 0, (char *) " ≥ 1459" },
    { MT_PIECE_JOINT, 0, (char *) " ∧ " },
    { MT_PIECE_NAME, 0, (char *) "Donaudampfschifffahrtsgesellschaftskapitänsmützenfarbenverzeichnis" },
    { MT_PIECE_REST, 0, (char *) " ≠ dunkelblau" },
  };
  const MtPhrase phrase = { .pieces = pieces, .n_pieces = G_N_ELEMENTS (pieces), .n_terms = 1 };

  for (double width = 180; width < 1400; width += 7)
    {
      g_autoptr (MtFormulaLayout) layout = mt_formula_layout_new (&phrase, NULL, width, measure, NULL);

      g_assert_cmpstr (find_fault (layout, &phrase, FALSE, width), ==, NULL);
      g_assert_cmpfloat (layout->width, <=, width + 0.01);
    }
}

static cairo_status_t
collect (void                *closure,
         const unsigned char *data,
         unsigned int         length)
{
  g_string_append_len (closure, (const char *) data, (gssize) length);
  return CAIRO_STATUS_SUCCESS;
}

static gsize
paint (const MtPhrase *phrase,
       const gboolean *lit)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string ("Sans 11");
  g_autoptr (MtFormulaFonts) fonts = mt_formula_fonts_new (context, font);
  g_autoptr (MtFormulaLayout) layout = mt_formula_layout_new (phrase, NULL, 500, mt_formula_measure, fonts);
  g_autoptr (GString) bytes = g_string_new (NULL);
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (collect, bytes, layout->width, layout->height);
  cairo_t *cr = cairo_create (surface);
  MtPalette palette;

  mt_palette_init (&palette, FALSE, FALSE);
  mt_draw_formula (cr, layout, phrase, NULL, lit, -1, fonts, &palette);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  pango_font_description_free (font);
  g_object_unref (context);
  g_assert_nonnull (strstr (bytes->str, "</svg>"));
  return bytes->len;
}

static void
test_paint (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 5);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 12, 3);
  const MtRuleSet *rules = mt_model_get_rules (model);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    if (!mt_rule_set_get_term (rules, t)->is_numeric)
      {
        g_autoptr (MtPhrase) phrase = mt_phrase_new (mt_rule_set_get_term (rules, t)->rule,
                                                     mt_model_get_encoder (model), FALSE);
        g_autofree gboolean *lit = g_new0 (gboolean, phrase->n_terms);
        gsize plain = paint (phrase, lit);

        lit[0] = TRUE;
        g_assert_cmpuint (paint (phrase, lit), >, plain);
      }
}

/* Where a conjunction demands that a column is present, what else it says of it does not speak of missing: one text in
 * the window and wherever else a rule is written. */
static void
test_present (void)
{
  const double x[] = { 1, 2, NAN, 2 }, y[] = { 1, 1, 2, 2 };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 4), mt_test_numbers ("y", y, 4) };
  g_autoptr (MtTable) table = mt_table_new (columns, 2);
  g_autoptr (MtEncoder) encoder = NULL;
  MtEncoderOptions options;
  const guint inputs[] = { 0, 1, 2 };   /* x ≥ 2, x is missing, y ≥ 2 */
  const struct { MtCube cubes[2]; guint n; const char *text; } cases[] = {
    { { { 7, 0 } }, 1, "x < 2 and x is present and y < 2" },
    { { { 3, 0 }, { 4, 4 } }, 2, "x < 2 and x is present, or y ≥ 2" },
    { { { 5, 0 }, { 2, 2 } }, 2, "(x < 2 or missing) and y < 2, or x is missing" },
  };

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MtRule) rule = mt_rule_new (inputs, 3, cases[i].cubes, cases[i].n, NULL, TRUE, NULL);
      g_autoptr (MtPhrase) phrase = mt_phrase_new (rule, encoder, TRUE);
      g_autofree char *text = mt_phrase_dup_text (phrase);
      g_autofree char *written = mt_rule_dup_text (rule, encoder, MT_RULE_FORM_DNF);

      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_cmpstr (written, ==, cases[i].text);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout-formula/geometry", test_geometry);
  g_test_add_func ("/layout-formula/long-names", test_long_names);
  g_test_add_func ("/layout-formula/paint", test_paint);
  g_test_add_func ("/layout-formula/present", test_present);
  return g_test_run ();
}
