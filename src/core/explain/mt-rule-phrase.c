/* See mt-rule-phrase.h. */
#include "config.h"
#include "mt-rule-phrase.h"

#include <string.h>

#include "base/mt-gettext.h"
#include "rules/mt-rule-text.h"

typedef struct {
  const MtRule    *rule;
  const MtEncoder *encoder;
  gboolean         words;
  GArray          *pieces;
  guint            term;
} Maker;

/* A level that no reader could take for anything but itself needs no quotes. */
static gboolean
reads_plainly (const char *level)
{
  static const char * const taken[] = { "missing", "other", "present", "not", "and", "or", "is", NULL };
  gboolean after_space = TRUE;

  for (const char *p = level; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == ' ' ? after_space : !g_unichar_isalnum (c) && (c >= 128 || strchr ("-_./+%:'&", (int) c) == NULL))
        return FALSE;
      after_space = c == ' ';
    }
  return !after_space && !g_strv_contains (taken, level);
}

/* A level as it stands in a rule: in quotes where it could be taken for something else. */
static char *
dup_level (const MtEncoder *encoder,
           guint            id)
{
  const MtLiteral *literal = mt_encoder_get_literal (encoder, id);
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  if (reads_plainly (literal->level))
    return g_strdup (literal->level);
  name = mt_encoder_dup_column_text (encoder, literal->column);
  text = mt_encoder_dup_literal_text (encoder, id, FALSE);
  g_assert (g_str_has_prefix (text, name));
  return g_strdup (strchr (text + strlen (name), '"'));
}

static char *
dup_threshold (const MtEncoder *encoder,
               const MtLiteral *literal)
{
  g_autofree char *text = mt_encoder_dup_value_text (encoder, literal->column, literal->threshold);
  g_autoptr (GString) out = g_string_new (text);

  g_string_replace (out, ".", mt_i18n_get_mark (), 1);
  if (text[0] == '-' && !mt_i18n_is_english ())   /* as all numbers in the window; files keep to ASCII */
    g_string_replace (out, "-", "−", 1);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* Without the space before it. @present: the phrase says elsewhere that the column is present. */
static char *
dup_bare_rest (const MtEncoder *encoder,
               guint            id,
               gboolean         negated,
               gboolean         words,
               gboolean         present)
{
  const MtLiteral *literal = mt_encoder_get_literal (encoder, id);
  g_autofree char *value = NULL;

  switch (literal->kind)
    {
    case MT_LITERAL_LEVEL:
      value = dup_level (encoder, id);
      if (words)
        /* Translators: what a rule says of a column after its name, as in "Color is red" */
        return negated ? g_strdup_printf (_("is not %s"), value) : g_strdup_printf (_("is %s"), value);
      return g_strdup_printf (negated ? "≠ %s" : "= %s", value);
    case MT_LITERAL_AT_LEAST:
      value = dup_threshold (encoder, literal);
      if (negated && !present && mt_encoder_get_column (encoder, literal->column)->has_missing)
        return g_strdup_printf (_("< %s or missing"), value);
      return g_strdup_printf (negated ? "< %s" : "≥ %s", value);
    case MT_LITERAL_OTHER:
      /* Translators: of a column, as in "Color is other": none of the frequent levels */
      return g_strdup (negated ? _("is not other") : _("is other"));
    case MT_LITERAL_MISSING:
    default:
      return g_strdup (negated ? _("is present") : _("is missing"));
    }
}

char *
mt_phrase_dup_rest (const MtEncoder *encoder,
                    guint            id,
                    gboolean         negated,
                    gboolean         words)
{
  g_autofree char *bare = NULL;

  g_return_val_if_fail (mt_encoder_get_literal (encoder, id) != NULL, NULL);

  bare = dup_bare_rest (encoder, id, negated, words, FALSE);
  return g_strconcat (" ", bare, NULL);
}

static void
add (Maker       *maker,
     MtPieceKind  kind,
     const char  *text)
{
  MtPiece piece = { kind, maker->term, g_strdup (text) };

  g_array_append_val (maker->pieces, piece);
}

/* @present: the conjunction also demands that its column is, so that "or missing" would say what cannot be. */
static void
add_literal (Maker    *maker,
             guint     input,
             gboolean  negated,
             gboolean  alone,
             gboolean  present)
{
  guint literal = mt_rule_get_inputs (maker->rule)[input];
  gboolean brackets = !alone && !present && mt_rule_says_or (maker->encoder, literal, negated);
  guint column = mt_encoder_get_literal (maker->encoder, literal)->column;
  g_autofree char *name = mt_encoder_dup_column_text (maker->encoder, column);
  g_autofree char *bare = dup_bare_rest (maker->encoder, literal, negated, maker->words, present);
  g_autofree char *rest = g_strconcat (" ", bare, NULL);

  if (brackets)
    add (maker, MT_PIECE_BRACKET, "(");
  add (maker, MT_PIECE_NAME, name);
  add (maker, MT_PIECE_REST, rest);
  if (brackets)
    add (maker, MT_PIECE_BRACKET, ")");
}

/* The literals of a cube; @flip: their negations, as in a clause made from a false cube. */
static void
add_cube (Maker      *maker,
          MtCube      cube,
          gboolean    flip,
          const char *joint)
{
  gboolean alone = (cube.mask & (cube.mask - 1)) == 0;

  for (guint32 rest = cube.mask; rest != 0; rest &= rest - 1)
    {
      guint i = (guint) __builtin_ctz (rest);

      if (rest != cube.mask)
        add (maker, MT_PIECE_JOINT, joint);
      add_literal (maker, i, (((cube.value >> i) & 1) != 0) == flip, alone, 
                   !flip && mt_rule_demands_present (maker->rule, maker->encoder, cube, i));
    }
}

static void
add_parity (Maker    *maker,
            guint32   inputs,
            gboolean  odd,
            gboolean  first)
{
  if (inputs == 0)
    return;
  if (!first)
    add (maker, MT_PIECE_JOINT, maker->words ? _(" and ") : " ∧ ");
  if (maker->words)
    add (maker, MT_PIECE_BRACKET, odd ? _("an odd number of (") : _("an even number of ("));
  else
    add (maker, MT_PIECE_BRACKET, odd ? "(" : "¬(");
  for (guint32 rest = inputs; rest != 0; rest &= rest - 1)
    {
      if (rest != inputs)
        add (maker, MT_PIECE_JOINT, maker->words ? ", " : " ⊕ ");
      add_literal (maker, (guint) __builtin_ctz (rest), FALSE, FALSE, FALSE);
    }
  add (maker, MT_PIECE_BRACKET, ")");
}

static void
begin (Maker           *maker,
       const MtRule    *rule,
       const MtEncoder *encoder,
       gboolean         words)
{
  *maker = (Maker) { rule, encoder, words, g_array_new (FALSE, FALSE, sizeof (MtPiece)), 0 };
}

static MtPhrase *
end (Maker *maker,
     guint  n_terms)
{
  MtPhrase *self = g_new (MtPhrase, 1);

  self->n_terms = n_terms;
  self->n_pieces = maker->pieces->len;
  self->pieces = (MtPiece *) (gpointer) g_array_free (maker->pieces, FALSE);
  return self;
}

MtPhrase *
mt_phrase_new (const MtRule    *rule,
               const MtEncoder *encoder,
               gboolean         words)
{
  Maker maker;

  g_return_val_if_fail (rule != NULL && encoder != NULL, NULL);

  begin (&maker, rule, encoder, words);
  for (; maker.term < mt_rule_get_n_cubes (rule); maker.term++)
    {
      if (maker.term > 0)
        add (&maker, MT_PIECE_OUTER, words ? _(", or ") : " ∨ ");
      add_cube (&maker, mt_rule_get_cubes (rule)[maker.term], FALSE, words ? _(" and ") : " ∧ ");
    }
  return end (&maker, mt_rule_get_n_cubes (rule));
}

MtPhrase *
mt_phrase_new_cnf (const MtRule    *rule,
                   const MtEncoder *encoder,
                   const MtCover   *clauses,
                   gboolean         words)
{
  Maker maker;

  g_return_val_if_fail (rule != NULL && encoder != NULL && clauses != NULL, NULL);

  begin (&maker, rule, encoder, words);
  for (; maker.term < clauses->n_cubes; maker.term++)
    {
      MtCube cube = clauses->cubes[maker.term];
      gboolean brackets = clauses->n_cubes > 1 && (cube.mask & (cube.mask - 1)) != 0;

      if (maker.term > 0)
        add (&maker, MT_PIECE_OUTER, words ? _(" and ") : " ∧ ");
      if (brackets)
        add (&maker, MT_PIECE_BRACKET, "(");
      add_cube (&maker, cube, TRUE, words ? _(" or ") : " ∨ ");
      if (brackets)
        add (&maker, MT_PIECE_BRACKET, ")");
    }
  return end (&maker, clauses->n_cubes);
}

MtPhrase *
mt_phrase_new_xor (const MtRule     *rule,
                   const MtEncoder  *encoder,
                   const MtXorCover *cover,
                   gboolean          words)
{
  Maker maker;

  g_return_val_if_fail (rule != NULL && encoder != NULL && cover != NULL, NULL);

  begin (&maker, rule, encoder, words);
  for (; maker.term < cover->n_cubes; maker.term++)
    {
      const MtXorCube *cube = &cover->cubes[maker.term];

      if (maker.term > 0)
        add (&maker, MT_PIECE_OUTER, words ? _(", or ") : " ∨ ");
      add_cube (&maker, (MtCube) { cube->mask, cube->value }, FALSE, words ? _(" and ") : " ∧ ");
      add_parity (&maker, cube->odd, TRUE, cube->mask == 0);
      add_parity (&maker, cube->even, FALSE, cube->mask == 0 && cube->odd == 0);
    }
  return end (&maker, cover->n_cubes);
}

void
mt_phrase_free (MtPhrase *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_pieces; i++)
    g_free (self->pieces[i].text);
  g_free (self->pieces);
  g_free (self);
}

char *
mt_phrase_dup_text (const MtPhrase *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->n_pieces; i++)
    g_string_append (out, self->pieces[i].text);
  return g_string_free (out, FALSE);
}

char *
mt_phrase_dup_term (const MtPhrase *self,
                    guint           term)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->n_pieces; i++)
    if (self->pieces[i].term == term && self->pieces[i].kind != MT_PIECE_OUTER)
      g_string_append (out, self->pieces[i].text);
  return g_string_free (out, FALSE);
}

char *
mt_phrase_dup_markup (const MtPhrase *self,
                      const char     *name_color)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->n_pieces; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (self->pieces[i].text, -1);
      g_autofree char *escaped = g_markup_escape_text (valid, -1);

      if (self->pieces[i].kind == MT_PIECE_NAME)
        g_string_append_printf (out, "<span foreground=\"%s\">%s</span>", name_color, escaped);
      else
        g_string_append (out, escaped);
    }
  return g_string_free (out, FALSE);
}

void
mt_latex_append (GString    *out,
                 const char *text)
{
  static const struct {
    const char *from, *to;
  } marks[] = {
    { "≥", "$\\ge$" }, { "≠", "$\\ne$" }, { "<", "$<$" }, { ">", "$>$" }, { "∧", "$\\land$" }, { "∨", "$\\lor$" },
    { "⊕", "$\\oplus$" }, { "¬", "$\\neg$" }, { "−", "$-$" }, { "×", "$\\times$" },
    { "\\", "\\textbackslash{}" }, { "~", "\\textasciitilde{}" }, { "^", "\\textasciicircum{}" }, { "|", "$|$" },
    { "\"", "\\textquotedbl{}" },
  };

  while (*text != '\0')
    {
      const char *next = g_utf8_next_char (text);
      guint i = 0;

      while (i < G_N_ELEMENTS (marks) && !g_str_has_prefix (text, marks[i].from))
        i++;
      if (i < G_N_ELEMENTS (marks))
        g_string_append (out, marks[i].to);
      else
        {
          if (strchr ("#$%&_{}", *text) != NULL)
            g_string_append_c (out, '\\');
          g_string_append_len (out, text, next - text);
        }
      text = next;
    }
}

void
mt_markdown_append (GString    *out,
                    const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (strchr ("\\`*_{}[]<>#|~", *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text);
    }
}
