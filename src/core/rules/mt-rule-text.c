/* Rules as people read them, both forms, nothing cut. See mt-rule-text.h. */
#include "config.h"
#include "mt-rule-text.h"

#include <string.h>

#include "logic/mt-qmc.h"

#define OR_MISSING " or missing"

/* Only the negation of a threshold of a column with missing cells: it is true of smaller
 * values and of missing ones. */
gboolean
mt_rule_says_or (const MtEncoder *encoder,
                 guint            literal,
                 gboolean         negated)
{
  const MtLiteral *about = mt_encoder_get_literal (encoder, literal);

  return negated && about->kind == MT_LITERAL_AT_LEAST &&
         mt_encoder_get_column (encoder, about->column)->has_missing;
}

/* Looks for a literal "x is missing" that the conjunction demands to be false, of the same
 * column. */
gboolean
mt_rule_demands_present (const MtRule    *rule,
                         const MtEncoder *encoder,
                         MtCube           cube,
                         guint            input)
{
  const guint *inputs = mt_rule_get_inputs (rule);

  for (guint32 rest = cube.mask & ~cube.value; rest != 0; rest &= rest - 1)
    {
      const MtLiteral *other = mt_encoder_get_literal (encoder, inputs[__builtin_ctz (rest)]);

      if (other->kind == MT_LITERAL_MISSING && other->column == mt_encoder_get_literal (encoder, inputs[input])->column)
        return TRUE;
    }
  return FALSE;
}

/* The literals of @cube; @flip: their negations, as in a clause made from a false cube.
 * @in_and: an alternative among them needs brackets.
 *
 * A clause of the AND of ORs is a false cube turned round: every literal of it is negated and
 * joined by "or". The cube ¬x0 ∧ x1 of the false assignments becomes the clause x0 or ¬x1. */
static void
append_cube (GString         *out,
             const MtRule    *rule,
             const MtEncoder *encoder,
             MtCube           cube,
             gboolean         flip,
             gboolean         in_and,
             const char      *joint)
{
  const guint *inputs = mt_rule_get_inputs (rule);
  gboolean is_first = TRUE;

  for (guint32 rest = cube.mask; rest != 0; rest &= rest - 1)
    {
      guint i = (guint) __builtin_ctz (rest);
      gboolean wants_true = ((cube.value >> i) & 1) != 0;
      gboolean negated = wants_true == flip;
      gboolean says_or = mt_rule_says_or (encoder, inputs[i], negated);
      gboolean is_present = says_or && !flip && mt_rule_demands_present (rule, encoder, cube, i);
      gboolean needs_brackets = in_and && says_or && !is_present;
      g_autofree char *literal = mt_encoder_dup_literal_text (encoder, inputs[i], negated);

      if (is_present)   /* "or missing" would say what cannot be */
        literal[strlen (literal) - strlen (OR_MISSING)] = '\0';
      g_string_append_printf (out, needs_brackets ? "%s(%s)" : "%s%s", is_first ? "" : joint, literal);
      is_first = FALSE;
    }
}

static gboolean
has_several (MtCube cube)
{
  return (cube.mask & (cube.mask - 1)) != 0;
}

char *
mt_rule_dup_cube_text (const MtRule    *rule,
                       const MtEncoder *encoder,
                       guint            cube)
{
  GString *out = g_string_new (NULL);

  append_cube (out, rule, encoder, mt_rule_get_cubes (rule)[cube], FALSE,
               has_several (mt_rule_get_cubes (rule)[cube]), " and ");
  return g_string_free (out, FALSE);
}

static void
append_dnf (GString         *out,
            const MtRule    *rule,
            const MtEncoder *encoder)
{
  for (guint i = 0; i < mt_rule_get_n_cubes (rule); i++)
    {
      g_autofree char *cube = mt_rule_dup_cube_text (rule, encoder, i);

      g_string_append_printf (out, "%s%s", i > 0 ? ", or " : "", cube);
    }
}

/* Of what the rule answers, don't-cares included: both forms say the same of every row. */
static void
append_cnf (GString         *out,
            const MtRule    *rule,
            const MtEncoder *encoder)
{
  g_auto (MtCover) clauses = { NULL };

  mt_qmc_minimize_cnf (mt_rule_get_n_inputs (rule), mt_rule_get_table (rule), NULL, NULL, &clauses);
  for (guint i = 0; i < clauses.n_cubes; i++)
    {
      gboolean needs_brackets = clauses.n_cubes > 1 && has_several (clauses.cubes[i]);

      g_string_append_printf (out, "%s%s", i > 0 ? " and " : "", needs_brackets ? "(" : "");
      append_cube (out, rule, encoder, clauses.cubes[i], TRUE, clauses.n_cubes > 1 && !needs_brackets,
                   " or ");
      g_string_append (out, needs_brackets ? ")" : "");
    }
}

char *
mt_rule_dup_text (const MtRule    *rule,
                  const MtEncoder *encoder,
                  MtRuleForm       form)
{
  GString *out = g_string_new (NULL);

  if (form == MT_RULE_FORM_CNF)
    append_cnf (out, rule, encoder);
  else
    append_dnf (out, rule, encoder);
  return g_string_free (out, FALSE);
}

const MtUnary *
mt_term_get_unary (const MtTerm    *term,
                   const MtEncoder *encoder)
{
  g_return_val_if_fail (term->is_numeric, NULL);
  return term->numeric < mt_encoder_get_n_numeric (encoder) ? mt_encoder_get_numeric (encoder, term->numeric) : NULL;
}

char *
mt_term_dup_text (const MtTerm    *term,
                  const MtEncoder *encoder)
{
  if (term->is_numeric)
    return mt_encoder_dup_numeric_text (encoder, mt_term_get_unary (term, encoder));
  return mt_rule_dup_text (term->rule, encoder, MT_RULE_FORM_DNF);
}
