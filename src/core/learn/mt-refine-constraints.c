/* What constraints (mt-constraints.h) ask of a rule, in terms of its inputs.
 *
 * With a weight of sign s, a rule that holds a literal x ≥ t of a column with direction d may only
 * go from false to true when the literal becomes true if s·d > 0, and only back if s·d < 0. Without
 * negation every input may only turn it true. So each input rises, falls or is free, and mt-monotone
 * does the rest: the best table within that, and what don't-cares are left to the minimizer. */
#include "config.h"
#include "mt-refine-private.h"

#include <string.h>

#include "logic/mt-monotone.h"

/* The inputs that may only turn the rule true (@up) and those that may only turn it false
 * (@down) as they become true, for a weight of this sign. */
static void
find_ways (const MtRefine *self,
           const guint    *inputs,
           guint           n_inputs,
           int             sign,
           guint32        *up,
           guint32        *down)
{
  *up = self->options->no_negation ? (1u << n_inputs) - 1 : 0;
  *down = 0;
  for (guint i = 0; i < n_inputs && self->options->directions != NULL; i++)
    {
      int way = sign * self->options->directions[inputs[i]];

      if (way > 0)
        *up |= 1u << i;
      else if (way < 0)
        *down |= 1u << i;
    }
}

gboolean
mt_refine_has_limits (const MtRefine *self,
                      const guint    *inputs,
                      guint           n_inputs)
{
  guint32 up, down;

  find_ways (self, inputs, n_inputs, 1, &up, &down);
  return up != 0 || down != 0;
}

/* Without constraints each pattern decides for itself: true where that lowers the loss.
 * With them it is the best monotone table, found exactly (mt_monotone_best()). */
MtBits256
mt_refine_wanted_table (const MtRefine *self,
                        const guint    *inputs,
                        guint           n_inputs,
                        int             sign,
                        const double   *gains)
{
  MtBits256 on = { { 0 } };
  guint32 up, down;

  find_ways (self, inputs, n_inputs, sign, &up, &down);
  if (up != 0 || down != 0)
    mt_monotone_best (n_inputs, gains, up, down, on.words);
  else
    for (guint v = 0; v < 1u << n_inputs; v++)
      if (gains[v] < 0)
        mt_bits256_set (&on, v);
  return on;
}

gboolean
mt_refine_limit_freedom (const MtRefine   *self,
                         const guint      *inputs,
                         guint             n_inputs,
                         int               sign,
                         const MtBits256 *on,
                         MtBits256       *dc)
{
  guint32 up, down;

  find_ways (self, inputs, n_inputs, sign, &up, &down);
  return (up == 0 && down == 0) || mt_monotone_free (n_inputs, on->words, dc->words, up, down);
}

/* Age is rising, and a rule holds Age ≥ 55 as it is: it turns true as Age grows, so its
 * weight must be ≥ 0, the direction. If it holds the negation, the opposite. */
int
mt_refine_rule_sign (const MtRefine *self,
                     const MtRule   *rule)
{
  const MtCube *cubes = mt_rule_get_cubes (rule);

  /* The rule keeps to the constraints, so one literal of one conjunction speaks for all. */
  for (guint i = 0; i < mt_rule_get_n_inputs (rule) && self->options->directions != NULL; i++)
    {
      int direction = self->options->directions[mt_rule_get_inputs (rule)[i]];

      for (guint c = 0; c < mt_rule_get_n_cubes (rule) && direction != 0; c++)
        if (cubes[c].mask >> i & 1)
          return cubes[c].value >> i & 1 ? direction : -direction;
    }
  return 0;
}

/* Rows are the measure: changing the answer for a pattern costs its number of rows. Written
 * as gains (minus the rows where the node says true, plus where it says false), the nearest
 * table is the best monotone one, for each sign of the weight; the better of the two is
 * taken. */
MtBits256
mt_refine_nearest_table (const MtRefine   *self,
                         const guint      *inputs,
                         guint             n_inputs,
                         const guint32    *counts,
                         const MtBits256 *table,
                         int              *sign)
{
  MtBits256 best = *table;
  double gains[MT_MAX_PATTERNS], least = G_MAXDOUBLE;

  for (guint v = 0; v < 1u << n_inputs; v++)
    gains[v] = mt_bits256_get (table, v) ? -(double) counts[v] : (double) counts[v];
  for (int s = 1; s >= -1; s -= 2)
    {
      MtBits256 on = mt_refine_wanted_table (self, inputs, n_inputs, s, gains);
      double loss = 0;

      for (guint v = 0; v < 1u << n_inputs; v++)
        loss += mt_bits256_get (&on, v) ? gains[v] : 0;
      if (loss < least)
        {
          least = loss;
          best = on;
          *sign = s;
        }
    }
  return best;
}
