/* Changes of one rule that lower the loss or save literals: another table, an input or a conjunction less, another
 * threshold. What they cost is read off the gains of its answers (mt-refine-gains.c).
 *
 * All of it works on patterns. A rule of k inputs splits the rows into at most 2^k of them,
 * 32 with the usual fan-in of 5. gains[v] says by how much the loss is higher if the rule
 * is true of pattern v than if it is false, all weights fixed. So the loss of any table is
 * a constant plus Σ gains over its true patterns, and every question below is an addition
 * of a few numbers, without a pass over the rows.
 *
 * An example with two inputs, gains −3, 1, −2, 0.5 for the patterns 00, 10, 01, 11. The
 * best table is true of 00 and 01, which is ¬x0, a loss of −5: one literal. If the rule is
 * x0 ∧ x1 now (loss 0.5), the better table wins 5.5 nats and saves a literal. */
#include "config.h"
#include "mt-refine-private.h"

#include <string.h>

#include "logic/mt-truth-table.h"

/* By how much the loss changes if the rule is on for the assignments of @table and off for the others: the sum of
 * their gains. Gains are differences of the loss between answering yes and no, for all rows with that assignment. */
static double
table_loss (const double     *gains,
            guint             n_patterns,
            const MtBits256 *table)
{
  double sum = 0;

  for (guint w = 0; w < (n_patterns + 63) / 64; w++)
    for (guint64 left = table->words[w]; left != 0; left &= left - 1)
      sum += gains[w * 64 + (guint) __builtin_ctzll (left)];
  return sum;
}

/* The rule's truth table in 256 bits, the rest zero. */
static MtBits256
rule_table (const MtRule *rule)
{
  MtBits256 table = { { 0 } };

  memcpy (table.words, mt_rule_get_table (rule),
          mt_rule_table_words (mt_rule_get_n_inputs (rule)) * sizeof (guint64));
  return table;
}

/* Of the term's weight, which its table has to fit. */
static int
sign_now (const MtRefine *self,
          guint           index)
{
  double weight = mt_linear_fit_get_weight (self->head, index, 0);
  const MtRefineTerm *term = g_ptr_array_index (self->terms, index);

  if (weight != 0)
    return weight > 0 ? 1 : -1;
  return term->sign != 0 ? term->sign : 1;
}

/* The table that the loss wants on the rule's own inputs, minimized with the don't-cares; NULL if it is the one
 * that is there, breaks a constraint, is constant, or takes more literals than it may.
 *
 * The minimizer may use don't-cares, so the table that comes out can differ from the wanted
 * one where no row is (or can be): that costs nothing. */
MtRefineTerm *
mt_refine_better_table (MtRefine     *self,
                        guint         index,
                        const double *gains,
                        gboolean      may_grow)
{
  MtRefineTerm *term = g_ptr_array_index (self->terms, index);
  guint n = mt_rule_get_n_inputs (term->rule);
  const guint *inputs = mt_rule_get_inputs (term->rule);
  int sign = sign_now (self, index);
  MtBits256 now = rule_table (term->rule), on = mt_refine_wanted_table (self, inputs, n, sign, gains);
  MtBits256 sets[MT_N_DONT_CARES], dc;
  const MtRefineCover *cover;

  if (table_loss (gains, 1u << n, &now) - table_loss (gains, 1u << n, &on) < 1e-9)
    return NULL;
  mt_refine_term_ensure_patterns (self, term);
  mt_refine_find_dont_cares (self, inputs, n, term->counts, sets, &dc);
  cover = mt_refine_minimise (self, inputs, n, sign, &on, &dc);
  if (cover == NULL || mt_refine_cover_is_constant (cover) ||
      (!may_grow && mt_refine_cover_literals (cover) > term->cost))
    return NULL;
  return mt_refine_term_inherit (mt_refine_term_new_cover (self, inputs, n, cover, term->counts), term);
}

/* Keeps the move that loses less for each literal saved.
 *
 * Compared by cross-multiplication, loss₁ × saved₂ < loss₂ × saved₁, which needs no
 * division. Of equal prices the first stays. */
static void
consider (MtRuleMove       *best,
          double            loss,
          guint             saved,
          const guint      *inputs,
          guint             n_inputs,
          const MtBits256 *table)
{
  loss = MAX (loss, 0);
  if (saved == 0 || (best->saved > 0 && loss * best->saved >= best->loss * saved))
    return;
  best->loss = loss;
  best->saved = saved;
  best->n_inputs = n_inputs;
  memcpy (best->inputs, inputs, n_inputs * sizeof *inputs);
  best->table = *table;
}

/* Without an input two assignments become one: their gains and rows are added up, and the best table on the others
 * is minimized. The cost of the move is the difference of the losses.
 *
 * For the example at the top of the file, dropping x0 gives the gains −3 + 1 = −2 and −2 +
 * 0.5 = −1.5: a constant, and no rule. Dropping x1 gives −5 and 1.5: ¬x0, with the loss −5. */
static void
consider_dropped_input (MtRefine           *self,
                        const MtRefineTerm *term,
                        int                 sign,
                        const double       *gains,
                        double              now,
                        guint               dropped,
                        MtRuleMove         *move)
{
  guint n = mt_rule_get_n_inputs (term->rule), n_inputs = 0;
  double few_gains[MT_MAX_PATTERNS] = { 0 };
  guint32 few_counts[MT_MAX_PATTERNS] = { 0 };
  guint inputs[MT_REFINE_MAX_INPUTS];
  MtBits256 on, sets[MT_N_DONT_CARES], dc;
  const MtRefineCover *cover;
  guint cost;

  for (guint i = 0; i < n; i++)
    if (i != dropped)
      inputs[n_inputs++] = mt_rule_get_inputs (term->rule)[i];
  for (guint v = 0; v < 1u << n; v++)
    {
      few_gains[mt_without_bit (v, dropped)] += gains[v];
      few_counts[mt_without_bit (v, dropped)] += term->counts[v];
    }
  on = mt_refine_wanted_table (self, inputs, n_inputs, sign, few_gains);
  mt_refine_find_dont_cares (self, inputs, n_inputs, few_counts, sets, &dc);
  cover = mt_refine_minimise (self, inputs, n_inputs, sign, &on, &dc);
  cost = cover != NULL ? mt_refine_cover_literals (cover) : 0;
  if (cost > 0 && cost < term->cost)
    consider (move, table_loss (few_gains, 1u << n_inputs, &on) - now, term->cost - cost, inputs, n_inputs, &on);
}

/* The assignments of which a conjunction is true. */
static MtBits256
cube_table (guint    n_inputs,
            guint32  mask,
            guint32  value)
{
  guint n_words = (guint) mt_truth_table_n_words (n_inputs);
  MtBits256 table = { { 0 } };

  for (guint w = 0; w < n_words; w++)
    {
      guint64 word = mt_truth_table_last_mask (n_inputs);

      for (guint32 left = mask; left != 0; left &= left - 1)
        {
          guint i = (guint) __builtin_ctz (left);
          guint64 is_true = i < 6 ? mt_truth_table_inputs[i] : w >> (i - 6) & 1 ? G_MAXUINT64 : 0;

          word &= value >> i & 1 ? is_true : ~is_true;
        }
      table.words[w] = word;
    }
  return table;
}

static void
join_table (MtBits256       *table,
            const MtBits256 *other)
{
  for (guint w = 0; w < G_N_ELEMENTS (table->words); w++)
    table->words[w] |= other->words[w];
}

/* Each conjunction gone, or with one input no longer asked for. @others: of a conjunction, what all the
 * rest is true of.
 *
 * others[c] is the OR of all cubes but c. Two running ORs, one from the first cube on and
 * one from the last, give it in 2 n_cubes steps instead of n_cubes². */
static void
consider_changed_cubes (const MtRefineTerm *term,
                        const double       *gains,
                        double              now,
                        MtRuleMove         *move)
{
  const MtCube *cubes = mt_rule_get_cubes (term->rule);
  const guint *inputs = mt_rule_get_inputs (term->rule);
  guint n = mt_rule_get_n_inputs (term->rule), n_cubes = mt_rule_get_n_cubes (term->rule);
  g_autofree MtBits256 *others = g_new0 (MtBits256, n_cubes);
  MtBits256 before = { { 0 } }, behind = { { 0 } };

  for (guint c = 0; c < n_cubes; c++)
    {
      MtBits256 first = cube_table (n, cubes[c].mask, cubes[c].value);
      MtBits256 last = cube_table (n, cubes[n_cubes - 1 - c].mask, cubes[n_cubes - 1 - c].value);

      join_table (&others[c], &before);
      join_table (&others[n_cubes - 1 - c], &behind);
      join_table (&before, &first);
      join_table (&behind, &last);
    }
  for (guint c = 0; c < n_cubes; c++)
    {
      if (n_cubes > 1)
        consider (move, table_loss (gains, 1u << n, &others[c]) - now, (guint) __builtin_popcount (cubes[c].mask),
                  inputs, n, &others[c]);
      for (guint32 left = cubes[c].mask; left != 0; left &= left - 1)
        {
          guint32 mask = cubes[c].mask & ~(left & -left);
          MtBits256 on = cube_table (n, mask, cubes[c].value & mask);

          if (mask == 0)
            continue;
          join_table (&on, &others[c]);
          consider (move, table_loss (gains, 1u << n, &on) - now, 1, inputs, n, &on);
        }
    }
}

/* The best of: an input dropped, a conjunction dropped, an input dropped from one conjunction. None is carried out
 * here.
 *
 * Cost: k + literals tables, of 2^k patterns each. */
void
mt_refine_best_move (MtRefine     *self,
                     guint         index,
                     const double *gains,
                     MtRuleMove   *move)
{
  MtRefineTerm *term = g_ptr_array_index (self->terms, index);
  guint n = mt_rule_get_n_inputs (term->rule);
  MtBits256 table = rule_table (term->rule);
  double now = table_loss (gains, 1u << n, &table);

  move->saved = 0;
  move->loss = 0;
  mt_refine_term_ensure_patterns (self, term);
  for (guint i = 0; i < n; i++)
    consider_dropped_input (self, term, sign_now (self, index), gains, now, i, move);
  consider_changed_cubes (term, gains, now, move);
}

/* --- another threshold --- */

/* Puts bit @bit into @v at place @i. */
static guint
with_bit (guint v,
          guint i,
          guint bit)
{
  return (v >> i << (i + 1)) | bit << i | (v & ((1u << i) - 1));
}

/* The rows by the other inputs' pattern and the column's code: every literal of the column joins some of these. */
typedef struct {
  const MtGroup *group;
  guint          input;      /* whose literal may become another */
  guint          n_codes;
  guint          n_cells;
  guint32       *counts;
  guint8        *is_on;      /* what the rule says now */
  double        *gains;
  double        *gains_to;   /* of the cells of that pattern up to that code … */
  guint32       *counts_to;  /* … and how many rows they have */
} Cells;

/* A cell is (pattern of the other inputs) × n_codes + code. With a literal of the column
 * put in, the cell's pattern is the others' with one bit more. */
static guint
pattern_of (const Cells *self,
            guint        cell,
            guint        literal)
{
  gboolean bit = mt_group_literal_is_true (self->group, literal - self->group->first_literal, cell % self->n_codes);

  return with_bit (cell / self->n_codes, self->input, bit);
}

/* Sums over codes, so that a threshold's sides need no loop over them. */
static void
sum_cells (Cells *self)
{
  self->gains_to = g_new (double, self->n_cells);
  self->counts_to = g_new (guint32, self->n_cells);
  for (guint first = 0; first < self->n_cells; first += self->n_codes)
    {
      double gains = 0;
      guint32 counts = 0;

      for (guint cell = first; cell < first + self->n_codes; cell++)
        {
          self->gains_to[cell] = gains += self->gains[cell];
          self->counts_to[cell] = counts += self->counts[cell];
        }
    }
}

/* Gains and rows by the pattern with @literal in the place.
 *
 * For a threshold, "yes" is the sum over the codes above its place up to the number of
 * thresholds, a difference of two running sums; "no" is all else, missing included. For a
 * level or "missing", "yes" is its own code. Two cells for each pattern of the others,
 * whatever the number of codes. */
static void
join_cells (const Cells *self,
            guint        literal,
            double      *gains,
            guint32     *counts)
{
  guint within = literal - self->group->first_literal;
  guint n_thresholds = self->group->n_literals - (self->group->has_missing ? 1 : 0);
  gboolean is_threshold = self->group->kind == MT_GROUP_THERMOMETER && within < n_thresholds;

  for (guint first = 0; first < self->n_cells; first += self->n_codes)
    {
      guint no = with_bit (first / self->n_codes, self->input, 0), yes = with_bit (first / self->n_codes, self->input, 1);
      guint last = first + self->n_codes - 1;

      if (is_threshold)
        {
          /* Codes up to its place are below it, those up to the number of thresholds are not; then comes missing. */
          guint below = first + within, top = first + n_thresholds;

          gains[yes] = self->gains_to[top] - self->gains_to[below];
          counts[yes] = self->counts_to[top] - self->counts_to[below];
          gains[no] = self->gains_to[below] + (last > top ? self->gains[last] : 0);
          counts[no] = self->counts_to[below] + (last > top ? self->counts[last] : 0);
        }
      else
        {
          guint own = first + (self->group->kind == MT_GROUP_THERMOMETER ? self->n_codes - 1 : within + 1);

          gains[yes] = self->gains[own];
          counts[yes] = self->counts[own];
          gains[no] = self->gains_to[last] - self->gains[own];
          counts[no] = self->counts_to[last] - self->counts[own];
        }
      /* A difference of sums may leave something of nothing. */
      gains[yes] = counts[yes] > 0 ? gains[yes] : 0;
      gains[no] = counts[no] > 0 ? gains[no] : 0;
    }
}

/* Cells, how many rows each has, and how many of the second class, which are returned: one count a row. */
static guint32 *
count_two_classes (Cells         *self,
                   const guint16 *patterns,
                   const guint16 *first,
                   const guint8  *codes,
                   const double  *target,
                   gsize          n_rows,
                   guint16       *cells)
{
  guint32 *ones = g_new (guint32, self->n_cells);
  g_autofree guint32 (*counts)[2] = g_malloc0_n (self->n_cells, sizeof *counts);

  for (gsize r = 0; r < n_rows; r++)
    {
      cells[r] = (guint16) (first[patterns[r]] + codes[r]);
      counts[cells[r]][target[r] != 0]++;
    }
  for (guint v = 0; v < self->n_cells; v++)
    {
      ones[v] = counts[v][1];
      self->counts[v] = counts[v][0] + counts[v][1];
    }
  return ones;
}

/* Each row falls into one cell: the pattern of the other inputs times the code of the opened input's column.
 * gains[] and counts[] by cell then give gains and rows of the patterns for any literal of the column, since a
 * literal is a set of codes. One pass over the rows serves all thresholds.
 *
 * With a fan-in of 5 and 10 codes there are 16 × 10 cells; with 150 fine thresholds 16 ×
 * 151, still far fewer than rows. */
static void
cells_init (Cells         *self,
            MtRefine      *refine,
            guint          index,
            guint          input,
            const MtGroup *group,
            const guint8  *codes)
{
  MtRefineTerm *term = g_ptr_array_index (refine->terms, index);
  const guint64 *table = mt_rule_get_table (term->rule);
  g_autofree guint16 *cells = g_new (guint16, MAX (refine->n_rows, 1));
  g_autofree guint32 *ones = NULL;
  guint16 first[MT_MAX_PATTERNS];     /* cell of a pattern, with code 0 */

  self->group = group;
  self->input = input;
  self->n_codes = mt_group_get_n_codes (group);
  self->n_cells = self->n_codes << (mt_rule_get_n_inputs (term->rule) - 1);
  self->counts = g_new0 (guint32, self->n_cells);
  self->is_on = g_new (guint8, self->n_cells);
  self->gains = g_new (double, self->n_cells);
  mt_refine_term_ensure_patterns (refine, term);
  for (guint v = 0; v < 1u << mt_rule_get_n_inputs (term->rule); v++)
    first[v] = (guint16) (mt_without_bit (v, input) * self->n_codes);
  if (refine->task == MT_TASK_BINARY)
    ones = count_two_classes (self, term->patterns, first, codes, refine->target, refine->n_rows, cells);
  else
    for (gsize r = 0; r < refine->n_rows; r++)
      {
        cells[r] = (guint16) (first[term->patterns[r]] + codes[r]);
        self->counts[cells[r]]++;
      }
  for (guint cell = 0; cell < self->n_cells; cell++)
    {
      guint v = pattern_of (self, cell, mt_rule_get_inputs (term->rule)[input]);

      self->is_on[cell] = table[v / 64] >> (v % 64) & 1;
    }
  mt_refine_cell_gains (refine, index, cells, self->n_cells, self->is_on, self->counts, ones, self->gains);
  sum_cells (self);
}

static void
cells_clear (Cells *self)
{
  g_free (self->counts);
  g_free (self->is_on);
  g_free (self->gains);
  g_free (self->gains_to);
  g_free (self->counts_to);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cells, cells_clear)

/* The best rule with @literal in the place, if its loss is below @best and it takes no more literals than @term.
 *
 * The table is set again for each literal: the best threshold with the old table need not be
 * the best with its own. */
static MtRefineTerm *
try_literal (MtRefine           *self,
             const Cells        *cells,
             const MtRefineTerm *term,
             int                 sign,
             guint               literal,
             double             *best)
{
  guint n = mt_rule_get_n_inputs (term->rule), inputs[MT_REFINE_MAX_INPUTS];
  double gains[MT_MAX_PATTERNS], loss;
  guint32 counts[MT_MAX_PATTERNS];
  MtBits256 on, sets[MT_N_DONT_CARES], dc;
  const MtRefineCover *cover;

  join_cells (cells, literal, gains, counts);
  memcpy (inputs, mt_rule_get_inputs (term->rule), n * sizeof *inputs);
  inputs[cells->input] = literal;
  on = mt_refine_wanted_table (self, inputs, n, sign, gains);
  loss = table_loss (gains, 1u << n, &on);
  if (loss >= *best)
    return NULL;
  mt_refine_find_dont_cares (self, inputs, n, counts, sets, &dc);
  cover = mt_refine_minimise (self, inputs, n, sign, &on, &dc);
  if (cover == NULL || mt_refine_cover_is_constant (cover) || mt_refine_cover_literals (cover) > term->cost)
    return NULL;
  *best = loss;
  return mt_refine_term_inherit (mt_refine_term_new_cover (self, inputs, n, cover, counts), term);
}

/* Tries every literal of the column that keeps the inputs ascending: those between the
 * neighbors of this input. @least is taken off at the start, so a literal wins only if the
 * loss falls by more. One pass over the rows, then 2^k additions and a lookup of a
 * minimized table for each literal that is better than the best so far. */
MtRefineTerm *
mt_refine_better_threshold (MtRefine *self,
                            guint     index,
                            guint     input,
                            double    least)
{
  MtRefineTerm *term = g_ptr_array_index (self->terms, index), *found = NULL;
  guint n = mt_rule_get_n_inputs (term->rule);
  const guint *inputs = mt_rule_get_inputs (term->rule);
  guint g = mt_encoded_get_group_of (self->encoded, inputs[input]);
  const MtGroup *group = &mt_encoded_get_groups (self->encoded)[g];
  /* Inputs stay in ascending order. */
  guint low = input > 0 ? inputs[input - 1] + 1 : 0, high = input + 1 < n ? inputs[input + 1] : G_MAXUINT;
  g_auto (Cells) cells = { 0 };
  double best = -least;

  if (group->n_literals < 2)
    return NULL;
  cells_init (&cells, self, index, input, group, mt_encoded_get_codes (self->encoded, g));
  for (guint cell = 0; cell < cells.n_cells; cell++)
    best += cells.is_on[cell] ? cells.gains[cell] : 0;
  for (guint l = MAX (low, group->first_literal); l < MIN (high, group->first_literal + group->n_literals); l++)
    if (l != inputs[input] && (self->options->banned == NULL || !self->options->banned[l]))
      {
        MtRefineTerm *better = try_literal (self, &cells, term, sign_now (self, index), l, &best);

        if (better == NULL)
          continue;
        mt_refine_term_free (found);
        found = better;
      }
  return found;
}
