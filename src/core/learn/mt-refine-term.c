/* The terms of a model at hand: a numeric column, or a rule with its bit plane and the patterns of its rows.
 *
 * A term owns its rule. Its plane is what the fit sees; patterns and counts are what tables
 * are made from, and are only made when somebody asks, because most candidates are single
 * literals that need none.
 *
 *   rule       inputs, cubes, truth table, don't-cares, origin      immutable
 *   plane      rows / 8 bytes                                       borrowed for a plain literal
 *   patterns   2 bytes a row                                        for rules of two inputs and more
 *   counts     2^k numbers: rows of each pattern                    with the patterns
 *   gains      2^k numbers, valid for one version of the model      kept, since several moves ask for them */
#include "config.h"
#include "mt-refine-private.h"

#include <string.h>

#include "base/mt-planes.h"

/* --- patterns --- */

/* Rows that follow each other often have one pattern, and a count waits for the one before it: so there are several. */
static void
count_patterns (const guint16 *patterns,
                gsize          n_rows,
                guint          n_patterns,
                guint32       *counts)
{
  enum { LANES = 4 };
  guint32 lanes[MT_MAX_PATTERNS][LANES];
  gsize r = 0;

  memset (lanes, 0, n_patterns * sizeof *lanes);
  for (; r + LANES <= n_rows; r += LANES)
    for (guint i = 0; i < LANES; i++)
      lanes[patterns[r + i]][i]++;
  for (; r < n_rows; r++)
    lanes[patterns[r]][0]++;
  for (guint v = 0; v < n_patterns; v++)
    for (guint i = 0; i < LANES; i++)
      counts[v] += lanes[v][i];
}

/* The pattern of each row: bit i is input i. Made from the inputs' planes 64 rows at a
 * time, then counted. */
static guint16 *
make_patterns (const MtRefine *self,
               const guint    *inputs,
               guint           n_inputs,
               guint32       **counts)
{
  const guint64 *planes[MT_REFINE_MAX_INPUTS];
  guint16 *patterns = g_new (guint16, MAX (self->n_rows, 1));

  for (guint i = 0; i < n_inputs; i++)
    planes[i] = mt_encoded_get_plane (self->encoded, inputs[i]);
  mt_planes_to_patterns (planes, n_inputs, self->n_rows, patterns);
  *counts = g_new0 (guint32, 1u << n_inputs);
  count_patterns (patterns, self->n_rows, 1u << n_inputs, *counts);
  return patterns;
}

/* How many rows of the second class have each pattern. It does not depend on the weights, so it is made once. */
static guint32 *
count_ones (const MtRefine *self,
            const guint16  *patterns,
            guint           n_patterns)
{
  guint32 *ones = g_new0 (guint32, n_patterns);
  guint32 lanes[MT_MAX_PATTERNS][4] = { { 0 } };

  for (gsize r = 0; r < self->n_rows; r++)
    lanes[patterns[r]][r % 4] += self->target[r] != 0;
  for (guint v = 0; v < n_patterns; v++)
    ones[v] = lanes[v][0] + lanes[v][1] + lanes[v][2] + lanes[v][3];
  return ones;
}

void
mt_refine_term_ensure_patterns (const MtRefine *self,
                                MtRefineTerm   *term)
{
  if (term->patterns != NULL)
    return;
  term->patterns = make_patterns (self, mt_rule_get_inputs (term->rule), mt_rule_get_n_inputs (term->rule), &term->counts);
  if (self->task == MT_TASK_BINARY)
    term->ones = count_ones (self, term->patterns, 1u << mt_rule_get_n_inputs (term->rule));
}

/* --- terms --- */

MtRefineTerm *
mt_refine_term_new_numeric (MtRefine *self,
                            guint     numeric)
{
  MtRefineTerm *term = g_new0 (MtRefineTerm, 1);

  term->is_numeric = TRUE;
  term->numeric = numeric;
  term->cost = 1;
  if (self->options->numeric_directions != NULL)
    term->sign = self->options->numeric_directions[numeric];
  return term;
}

/* Puts the cover on the inputs that it uses, which are the rule's.
 *
 * A cover may do without some inputs. They are taken out one by one, from the highest down:
 * bits of the cubes above them move down by one, and the counts of two patterns that differ
 * in nothing else are added up. The don't-cares are then found again for the inputs that
 * are left, because an assignment may be seen now although each of its two halves with the
 * lost input was not. */
static MtRule *
rule_from_cover (MtRefine          *self,
                 const guint       *inputs,
                 guint              n_inputs,
                 const MtRefineCover *cover,
                 const guint32     *counts)
{
  g_autofree MtCube *cubes = g_memdup2 (cover->cubes, cover->n_cubes * sizeof (MtCube));
  MtBits256 sets[MT_N_DONT_CARES], all;
  const guint64 *dont_cares[MT_N_DONT_CARES];
  guint32 few_counts[MT_MAX_PATTERNS];
  guint used[MT_REFINE_MAX_INPUTS], n_used = 0;
  guint32 mask = 0;

  memcpy (few_counts, counts, (1u << n_inputs) * sizeof *counts);
  for (guint c = 0; c < cover->n_cubes; c++)
    mask |= cubes[c].mask;
  for (guint i = n_inputs; i-- > 0;)
    if (!(mask >> i & 1))
      {
        for (guint c = 0; c < cover->n_cubes; c++)
          {
            cubes[c].mask = mt_without_bit (cubes[c].mask, i);
            cubes[c].value = mt_without_bit (cubes[c].value, i);
          }
        for (guint v = 0; v < 1u << n_inputs; v++)
          if (!(v >> i & 1))
            few_counts[mt_without_bit (v, i)] = few_counts[v] + few_counts[v | 1u << i];
        n_inputs--;
      }
    else
      used[n_used++] = inputs[i];
  for (guint i = 0; i < n_used / 2; i++)
    {
      guint other = used[n_used - 1 - i];

      used[n_used - 1 - i] = used[i];
      used[i] = other;
    }
  mt_refine_find_dont_cares (self, used, n_used, few_counts, sets, &all);
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    dont_cares[d] = sets[d].words;
  return mt_rule_new (used, n_used, cubes, cover->n_cubes, dont_cares, cover->proven, NULL);
}

/* The rule on the inputs that the cover uses, and its answers as a plane of n_words words. A single literal that
 * is not negated borrows the plane of the encoded rows. */
MtRefineTerm *
mt_refine_term_new_cover (MtRefine            *self,
                          const guint         *inputs,
                          guint                n_inputs,
                          const MtRefineCover *cover,
                          const guint32       *counts)
{
  MtRule *rule = rule_from_cover (self, inputs, n_inputs, cover, counts);
  const MtCube *cube = mt_rule_get_cubes (rule);
  MtRefineTerm *term = g_new0 (MtRefineTerm, 1);

  term->rule = rule;
  term->cost = mt_rule_get_n_literals (rule);
  term->sign = mt_refine_rule_sign (self, rule);
  if (mt_rule_get_n_inputs (rule) == 1 && cube->value == 1)
    term->plane = mt_encoded_get_plane (self->encoded, mt_rule_get_inputs (rule)[0]);
  else
    {
      term->owned_plane = g_new (guint64, MAX (self->n_words, 1));
      mt_rule_evaluate (rule, self->encoded, 0, self->n_words, term->owned_plane);
      term->plane = term->owned_plane;
    }
  return term;
}

/* @on is the table that is wanted; what no row has or can have is free. With @sign 0 both signs of the weight are
 * tried against the constraints. NULL: the rule would be constant, or no sign fits. */
MtRefineTerm *
mt_refine_term_new_rule (MtRefine         *self,
                         const guint      *inputs,
                         guint             n_inputs,
                         const MtBits256 *on,
                         int               sign)
{
  g_autofree guint16 *patterns = NULL;
  g_autofree guint32 *counts = NULL;
  g_autoptr (MtOrigin) scan = mt_origin_new_scan ();
  MtBits256 sets[MT_N_DONT_CARES], all;
  const MtRefineCover *cover;
  MtRefineTerm *term;

  patterns = make_patterns (self, inputs, n_inputs, &counts);
  mt_refine_find_dont_cares (self, inputs, n_inputs, counts, sets, &all);
  if (sign == 0)
    sign = 1;
  cover = mt_refine_minimise (self, inputs, n_inputs, sign, on, &all);
  if (cover == NULL)
    cover = mt_refine_minimise (self, inputs, n_inputs, -sign, on, &all);
  if (cover == NULL || mt_refine_cover_is_constant (cover))
    return NULL;
  term = mt_refine_term_new_cover (self, inputs, n_inputs, cover, counts);
  mt_rule_set_origin (term->rule, scan);
  return term;
}

/* A new table or fewer inputs do not change where a rule comes from. */
MtRefineTerm *
mt_refine_term_inherit (MtRefineTerm       *term,
                        const MtRefineTerm *from)
{
  if (term != NULL && term->rule != NULL && from->rule != NULL)
    mt_rule_set_origin (term->rule, mt_rule_get_origin (from->rule));
  return term;
}

/* With @from, the origin is that of the old term; without, the new term's own. Either way
 * the change is added to those noted before. */
MtRefineTerm *
mt_refine_term_change (MtRefineTerm       *term,
                       const MtRefineTerm *from,
                       MtOriginChanges     changes)
{
  const MtOrigin *origin = from != NULL && from->rule != NULL ? mt_rule_get_origin (from->rule) : NULL;
  g_autoptr (MtOrigin) changed = NULL;

  if (term == NULL || term->rule == NULL)
    return term;
  if (origin == NULL)
    origin = mt_rule_get_origin (term->rule);
  if (origin != NULL)
    changed = mt_origin_new_changed (origin, changes);
  mt_rule_set_origin (term->rule, changed);
  return term;
}

/* What the network itself predicted, for later questions. */
static void
note_node (MtRefineTerm      *term,
           const MtCandidate *node)
{
  g_autoptr (MtOrigin) origin = node->is_linear
    ? mt_origin_new_node (node->inputs, node->n_inputs, node->weights, node->threshold, NULL)
    : mt_origin_new_deep (node->inputs, node->n_inputs, node->table, NULL);

  mt_rule_set_origin (term->rule, origin);
}

/* A network's node as a rule. Under constraints the nearest table that complies is taken. */
MtRefineTerm *
mt_refine_term_new_node (MtRefine          *self,
                         const MtCandidate *node)
{
  MtRefineTerm *term;
  MtBits256 table;
  int sign = 0;

  memcpy (table.words, node->table, sizeof table.words);
  if (mt_refine_has_limits (self, node->inputs, node->n_inputs))
    {
      g_autofree guint32 *counts = NULL;

      g_free (make_patterns (self, node->inputs, node->n_inputs, &counts));
      table = mt_refine_nearest_table (self, node->inputs, node->n_inputs, counts, &table, &sign);
    }
  term = mt_refine_term_new_rule (self, node->inputs, node->n_inputs, &table, sign);
  if (term != NULL)
    note_node (term, node);
  return term;
}

/* A model that is put aside has its terms as well: the last one who lets go frees it. */
void
mt_refine_term_free (MtRefineTerm *term)
{
  if (term == NULL)
    return;
  if (term->n_kept > 0)
    {
      term->n_kept--;
      return;
    }
  mt_rule_unref (term->rule);
  g_free (term->start);
  g_free (term->owned_plane);
  g_free (term->patterns);
  g_free (term->counts);
  g_free (term->ones);
  g_free (term->gains);
  g_free (term);
}

MtLinearFitColumn
mt_refine_term_get_column (const MtRefine     *self,
                           const MtRefineTerm *term)
{
  if (term->is_numeric)
    return (MtLinearFitColumn) { NULL, mt_encoded_get_numeric (self->encoded, term->numeric) };
  return (MtLinearFitColumn) { term->plane, NULL };
}
