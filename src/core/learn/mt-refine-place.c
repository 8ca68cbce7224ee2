/* Places of rules that are open for a literal: opening one, and filling it (see the header).
 *
 * An example: the rule x0 ∧ (x1 ∨ x2), its input x1 opened. With x1 false the rule is x0 ∧
 * x2, with x1 true it is x0. Over the others x0 x2 = 00, 10, 01, 11, f₀ is 0001 and f₁ is
 * 0101. They differ only at 10, so only rows with x0 true and x2 false are open: for all
 * others it does not matter which literal comes. */
#include "config.h"
#include "mt-refine-place.h"

#include <string.h>

static MtBits256
table_of (const MtRule *rule)
{
  MtBits256 table = { { 0 } };

  memcpy (table.words, mt_rule_get_table (rule),
          mt_rule_table_words (mt_rule_get_n_inputs (rule)) * sizeof (guint64));
  return table;
}

/* The cofactors: each true assignment goes to f₁ or f₀ by the value of the input, which is
 * then taken out of its number. */
void
mt_place_open_input (MtPlace      *self,
                     const MtRule *rule,
                     guint         input)
{
  MtBits256 table = table_of (rule);
  guint n = mt_rule_get_n_inputs (rule);

  memset (self, 0, sizeof *self);
  for (guint i = 0; i < n; i++)
    if (i != input)
      self->others[self->n_others++] = mt_rule_get_inputs (rule)[i];
  for (guint v = 0; v < 1u << n; v++)
    if (mt_bits256_get (&table, v))
      mt_bits256_set (v >> input & 1 ? &self->on : &self->off, mt_without_bit (v, input));
}

static void
fill_table (MtBits256 *table,
            guint       n_inputs)
{
  for (guint v = 0; v < 1u << n_inputs; v++)
    mt_bits256_set (table, v);
}

void
mt_place_open_beside (MtPlace      *self,
                      const MtRule *rule,
                      gboolean      is_or)
{
  memset (self, 0, sizeof *self);
  if (rule != NULL)
    {
      self->n_others = mt_rule_get_n_inputs (rule);
      memcpy (self->others, mt_rule_get_inputs (rule), self->n_others * sizeof *self->others);
    }
  if (rule == NULL || is_or)
    fill_table (&self->on, self->n_others);
  else
    self->on = table_of (rule);
  if (rule != NULL && is_or)
    self->off = table_of (rule);
}

/* Puts the literal between the other inputs at its place in ascending order, and takes f₁
 * or f₀ by its value. The table is then minimized, so the rule may turn out shorter than
 * the place suggests. */
MtRefineTerm *
mt_place_fill (const MtPlace *self,
               MtRefine      *refine,
               guint          literal,
               gboolean       negated)
{
  guint inputs[MT_REFINE_MAX_INPUTS], at = 0;
  MtBits256 table = { { 0 } };

  while (at < self->n_others && self->others[at] < literal)
    at++;
  memcpy (inputs, self->others, at * sizeof *inputs);
  inputs[at] = literal;
  memcpy (inputs + at + 1, self->others + at, (self->n_others - at) * sizeof *inputs);
  for (guint v = 0; v < 2u << self->n_others; v++)
    if (mt_bits256_get ((v >> at & 1) != (guint) negated ? &self->on : &self->off, mt_without_bit (v, at)))
      mt_bits256_set (&table, v);
  return mt_refine_term_new_rule (refine, inputs, self->n_others + 1, &table, 0);
}

gboolean
mt_place_has_other (const MtPlace *self,
                    guint          literal)
{
  for (guint i = 0; i < self->n_others; i++)
    if (self->others[i] == literal)
      return TRUE;
  return FALSE;
}

gboolean
mt_refine_has_number (const MtRefine     *self,
                      guint               numeric,
                      const MtRefineTerm *except)
{
  for (guint t = 0; t < self->terms->len; t++)
    {
      const MtRefineTerm *term = mt_refine_get_term (self, t);

      if (term != except && term->is_numeric && mt_encoded_is_same_number (self->encoded, term->numeric, numeric))
        return TRUE;
    }
  return FALSE;
}
