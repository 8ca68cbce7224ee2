/* Rules as refine handles them: tables, patterns, what each answer is worth, moves.
 *
 * The rows fall into 2^k patterns by a rule's k inputs, and a rule answers alike for all rows
 * of a pattern. So with the other terms fixed the loss is a sum over patterns of one of two
 * numbers, and gains[v] = loss(on) - loss(off) decides each entry by itself. */
#include "config.h"
#include "mt-refine-private.h"

#include <math.h>
#include <string.h>

#include "mt-planes.h"
#include "mt-qmc.h"
#include "mt-truth-table.h"

/* --- minimising, with a memory --- */

typedef struct {
  guint64  on, dc;
  guint    n_inputs;
  guint    n_cubes;
  gboolean proven;
  MtCube  *cubes;
} CachedCover;

static guint
cached_hash (gconstpointer key)
{
  const CachedCover *c = key;
  guint64 h = (c->on * 0x9e3779b97f4a7c15ull ^ c->dc) * 0xd6e8feb86659fd93ull + c->n_inputs;

  return (guint) (h >> 32);
}

static gboolean
cached_equal (gconstpointer a,
              gconstpointer b)
{
  const CachedCover *p = a, *q = b;

  return p->on == q->on && p->dc == q->dc && p->n_inputs == q->n_inputs;
}

static void
cached_free (gpointer data)
{
  CachedCover *c = data;

  g_free (c->cubes);
  g_free (c);
}

GHashTable *
mt_refine_covers_new (void)
{
  return g_hash_table_new_full (cached_hash, cached_equal, cached_free, NULL);
}

/* The caller frees nothing: covers live as long as the memory. Tables of more than six inputs
 * are rare and go into the memory under no key, so they are freed with it too. */
static const CachedCover *
minimise (MtRefine         *self,
          guint             n_inputs,
          const MtTable256 *on,
          const MtTable256 *dc)
{
  CachedCover key = { on->words[0] & ~dc->words[0], dc->words[0], n_inputs, 0, FALSE, NULL };
  CachedCover *entry;
  MtCover cover = { 0 };

  if (n_inputs > 6)
    {
      /* A key of its own: the counter in n_inputs never meets a real number of inputs. */
      key.n_inputs = 1000 + g_hash_table_size (self->covers);
    }
  else if ((entry = g_hash_table_lookup (self->covers, &key)) != NULL)
    return entry;
  entry = g_memdup2 (&key, sizeof key);
  mt_qmc_minimize (n_inputs, on->words, dc->words, NULL, &cover);
  entry->n_cubes = cover.n_cubes;
  entry->proven = cover.proven;
  entry->cubes = g_memdup2 (cover.cubes, cover.n_cubes * sizeof (MtCube));
  mt_cover_clear (&cover);
  g_hash_table_add (self->covers, entry);
  return entry;
}

/* Within the constraints, for a weight of this sign. NULL: @on breaks them. */
static const CachedCover *
minimise_rule (MtRefine         *self,
               const guint      *inputs,
               guint             n_inputs,
               int               sign,
               const MtTable256 *on,
               const MtTable256 *dc)
{
  MtTable256 freedom = *dc;

  if (!mt_refine_limit_freedom (self, inputs, n_inputs, sign, on, &freedom))
    return NULL;
  return minimise (self, n_inputs, on, &freedom);
}

static gboolean
is_constant (const CachedCover *cover)
{
  return cover->n_cubes == 0 || cover->cubes[0].mask == 0;
}

static guint
cover_literals (const CachedCover *cover)
{
  guint n = 0;

  for (guint c = 0; c < cover->n_cubes; c++)
    n += (guint) __builtin_popcount (cover->cubes[c].mask);
  return n;
}

/* --- don't-cares --- */

/* Which assignments no row can have: those for which some group has no fitting code. */
static void
find_impossible (const MtRefine *self,
                 const guint    *inputs,
                 guint           n_inputs,
                 MtTable256     *out)
{
  const MtGroup *groups = mt_encoded_get_groups (self->encoded);
  guint i = 0;

  memset (out, 0, sizeof *out);
  while (i < n_inputs)
    {
      guint g = mt_encoded_get_group_of (self->encoded, inputs[i]), first = i, n;
      gboolean fits[MT_MAX_PATTERNS] = { FALSE };

      while (i < n_inputs && mt_encoded_get_group_of (self->encoded, inputs[i]) == g)
        i++;
      n = i - first;
      if (n < 2)
        continue;
      for (guint code = 0; code < mt_group_get_n_codes (&groups[g]); code++)
        {
          guint v = 0;

          for (guint k = 0; k < n; k++)
            v |= (guint) mt_group_literal_is_true (&groups[g], inputs[first + k] - groups[g].first_literal, code) << k;
          fits[v] = TRUE;
        }
      for (guint v = 0; v < 1u << n_inputs; v++)
        if (!fits[v >> first & ((1u << n) - 1)])
          mt_table_set (out, v);
    }
}

/* The two sets apart, and their union as the mode allows. */
static void
find_dont_cares (const MtRefine *self,
                 const guint    *inputs,
                 guint           n_inputs,
                 const guint32  *counts,
                 MtTable256      sets[MT_N_DONT_CARES],
                 MtTable256     *all)
{
  memset (sets, 0, MT_N_DONT_CARES * sizeof *sets);
  memset (all, 0, sizeof *all);
  if (self->options->dont_care == MT_DONT_CARE_MODE_OFF)
    return;
  find_impossible (self, inputs, n_inputs, &sets[MT_DONT_CARE_IMPOSSIBLE]);
  if (self->options->dont_care == MT_DONT_CARE_MODE_UNSEEN)
    for (guint v = 0; v < 1u << n_inputs; v++)
      if (counts[v] == 0 && !mt_table_get (&sets[MT_DONT_CARE_IMPOSSIBLE], v))
        mt_table_set (&sets[MT_DONT_CARE_UNSEEN], v);
  for (guint w = 0; w < G_N_ELEMENTS (all->words); w++)
    all->words[w] = sets[MT_DONT_CARE_IMPOSSIBLE].words[w] | sets[MT_DONT_CARE_UNSEEN].words[w];
}

/* --- patterns --- */

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
  for (gsize r = 0; r < self->n_rows; r++)
    (*counts)[patterns[r]]++;
  return patterns;
}

static void
know_patterns (const MtRefine *self,
               MtRefineTerm   *term)
{
  if (term->patterns == NULL)
    term->patterns = make_patterns (self, mt_rule_get_inputs (term->rule), mt_rule_get_n_inputs (term->rule),
                                    &term->counts);
}

/* Removes bit @i of @v. */
static guint
without_bit (guint v,
             guint i)
{
  return (v >> (i + 1) << i) | (v & ((1u << i) - 1));
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

/* Puts the cover on the inputs that it uses, which are the rule's. */
static MtRule *
rule_from_cover (MtRefine          *self,
                 const guint       *inputs,
                 guint              n_inputs,
                 const CachedCover *cover,
                 const guint32     *counts)
{
  g_autofree MtCube *cubes = g_memdup2 (cover->cubes, cover->n_cubes * sizeof (MtCube));
  MtTable256 sets[MT_N_DONT_CARES], all;
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
            cubes[c].mask = without_bit (cubes[c].mask, i);
            cubes[c].value = without_bit (cubes[c].value, i);
          }
        for (guint v = 0; v < 1u << n_inputs; v++)
          if (!(v >> i & 1))
            few_counts[without_bit (v, i)] = few_counts[v] + few_counts[v | 1u << i];
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
  find_dont_cares (self, used, n_used, few_counts, sets, &all);
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    dont_cares[d] = sets[d].words;
  return mt_rule_new (used, n_used, cubes, cover->n_cubes, dont_cares, cover->proven, NULL);
}

static MtRefineTerm *
term_for_rule (MtRefine *self,
               MtRule   *rule)
{
  MtRefineTerm *term = g_new0 (MtRefineTerm, 1);
  const MtCube *cube = mt_rule_get_cubes (rule);

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

MtRefineTerm *
mt_refine_term_new_rule (MtRefine         *self,
                         const guint      *inputs,
                         guint             n_inputs,
                         const MtTable256 *on,
                         int               sign)
{
  g_autofree guint16 *patterns = NULL;
  g_autofree guint32 *counts = NULL;
  g_autoptr (MtOrigin) scan = mt_origin_new_scan ();
  MtTable256 sets[MT_N_DONT_CARES], all;
  const CachedCover *cover;
  MtRefineTerm *term;

  patterns = make_patterns (self, inputs, n_inputs, &counts);
  find_dont_cares (self, inputs, n_inputs, counts, sets, &all);
  if (sign == 0)
    sign = 1;
  cover = minimise_rule (self, inputs, n_inputs, sign, on, &all);
  if (cover == NULL)
    cover = minimise_rule (self, inputs, n_inputs, -sign, on, &all);
  if (cover == NULL || is_constant (cover))
    return NULL;
  term = term_for_rule (self, rule_from_cover (self, inputs, n_inputs, cover, counts));
  mt_rule_set_origin (term->rule, scan);
  return term;
}

MtRefineTerm *
mt_refine_term_inherit (MtRefineTerm       *term,
                        const MtRefineTerm *from)
{
  if (term != NULL && term->rule != NULL)
    mt_rule_set_origin (term->rule, mt_rule_get_origin (from->rule));
  return term;
}

/* What the network itself said, for whoever asks later. */
static void
note_node (MtRefineTerm      *term,
           const MtCandidate *node)
{
  g_autoptr (MtOrigin) origin = node->is_linear
    ? mt_origin_new_node (node->inputs, node->n_inputs, node->weights, node->threshold, NULL)
    : mt_origin_new_deep (node->inputs, node->n_inputs, node->table, NULL);

  mt_rule_set_origin (term->rule, origin);
}

MtRefineTerm *
mt_refine_term_new_node (MtRefine          *self,
                         const MtCandidate *node)
{
  MtRefineTerm *term;
  MtTable256 table;
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

void
mt_refine_term_free (MtRefineTerm *term)
{
  if (term == NULL)
    return;
  mt_rule_unref (term->rule);
  g_free (term->owned_plane);
  g_free (term->patterns);
  g_free (term->counts);
  g_free (term->gains);
  g_free (term);
}

MtHeadColumn
mt_refine_term_get_column (const MtRefine     *self,
                           const MtRefineTerm *term)
{
  if (term->is_numeric)
    return (MtHeadColumn) { NULL, mt_encoded_get_numeric (self->encoded, term->numeric) };
  return (MtHeadColumn) { term->plane, NULL };
}

/* --- what each answer is worth --- */

/* Σ of log over many factors: multiply, and take the logarithm only when the product leaves
 * the comfortable range. Far cheaper than a logarithm a row. */
typedef struct {
  double product;
  double log;
} LogSum;

static inline void
log_sum_add (LogSum *sum,
             double  factor)
{
  sum->product *= factor;
  if (sum->product < 1e-200 || sum->product > 1e200)
    {
      sum->log += log (sum->product);
      sum->product = 1;
    }
}

/* Rows of one class weigh the same, so their logarithms are summed before they are weighed: one
 * sum a cell and class, or one a cell when all rows weigh 1. */
static guint
n_kinds_of_rows (const MtRefine *self)
{
  return self->class_weights == NULL ? 1 : self->task == MT_TASK_BINARY ? 2 : self->n_outputs;
}

static LogSum *
new_log_sums (gsize n)
{
  LogSum *sums = g_new (LogSum, n);

  for (gsize i = 0; i < n; i++)
    sums[i] = (LogSum) { 1, 0 };
  return sums;
}

static double
weigh_log_sums (const MtRefine *self,
                const LogSum   *sums,
                guint           n_kinds)
{
  double sum = 0;

  if (n_kinds == 1)
    return sums[0].log + log (sums[0].product);
  for (guint k = 0; k < n_kinds; k++)
    sum += self->class_weights[k] * (sums[k].log + log (sums[k].product));
  return sum;
}

/* gains[v] over the rows of cell v: loss with the rule true of them less the loss with it
 * false. @is_on: what the rule says of the cell now.
 *
 * Binary: turning a row with probability p by w changes its loss by log (1 + p (eʷ - 1)) - y w;
 * rows where the rule is true now are turned by -w, and the sign of it all. */
static void
binary_gains (MtRefine       *self,
              guint           index,
              const guint16  *cells,
              guint           n_cells,
              const guint8   *is_on,
              double         *gains)
{
  const double *p = mt_head_get_probability (self->head, 0);
  double weight = mt_head_get_weight (self->head, index, 0);
  double turn[2] = { expm1 (weight), expm1 (-weight) };
  guint n_kinds = n_kinds_of_rows (self);
  g_autofree LogSum *sums = new_log_sums (n_cells * n_kinds);
  g_autofree double *hits = g_new0 (double, n_cells);

  for (gsize r = 0; r < self->n_rows; r++)
    {
      guint v = cells[r], kind = n_kinds > 1 ? (guint) self->target[r] : 0;

      log_sum_add (&sums[v * n_kinds + kind], 1 + p[r] * turn[is_on[v]]);
      hits[v] += self->target[r];
    }
  for (guint v = 0; v < n_cells; v++)
    {
      double turned = weigh_log_sums (self, sums + v * n_kinds, n_kinds);

      gains[v] = (is_on[v] ? -turned : turned) - weight * hits[v] * (n_kinds > 1 ? self->class_weights[1] : 1);
    }
}

static void
multiclass_gains (MtRefine       *self,
                  guint           index,
                  const guint16  *cells,
                  guint           n_cells,
                  const guint8   *is_on,
                  double         *gains)
{
  enum { CHUNK = 256 };
  guint n_kinds = n_kinds_of_rows (self);
  g_autofree LogSum *sums = new_log_sums (n_cells * n_kinds);
  g_autofree double *hits = g_new0 (double, n_cells);

  for (gsize first = 0; first < self->n_rows; first += CHUNK)
    {
      gsize n = MIN (CHUNK, self->n_rows - first);
      double mean[CHUNK] = { 0 };

      for (guint c = 0; c < self->n_outputs; c++)
        {
          const double *p = mt_head_get_probability (self->head, c) + first;
          double weight = mt_head_get_weight (self->head, index, c);
          double turn[2] = { exp (weight), exp (-weight) };

          for (gsize i = 0; i < n; i++)
            mean[i] += p[i] * turn[is_on[cells[first + i]]];
        }
      for (gsize i = 0; i < n; i++)
        {
          guint v = cells[first + i], class = (guint) self->target[first + i];

          log_sum_add (&sums[v * n_kinds + (n_kinds > 1 ? class : 0)], mean[i]);
          hits[v] += mt_head_get_weight (self->head, index, class) * (n_kinds > 1 ? self->class_weights[class] : 1);
        }
    }
  for (guint v = 0; v < n_cells; v++)
    {
      double turned = weigh_log_sums (self, sums + v * n_kinds, n_kinds);

      gains[v] = (is_on[v] ? -turned : turned) - hits[v];
    }
}

static void
regression_gains (MtRefine       *self,
                  guint           index,
                  const guint16  *cells,
                  guint           n_cells,
                  const guint8   *is_on,
                  const guint32  *counts,
                  double         *gains)
{
  const double *residual = mt_head_get_residual (self->head, 0);
  double weight = mt_head_get_weight (self->head, index, 0);

  memset (gains, 0, n_cells * sizeof *gains);
  for (gsize r = 0; r < self->n_rows; r++)
    gains[cells[r]] += residual[r];
  for (guint v = 0; v < n_cells; v++)
    gains[v] = -weight * gains[v] + (is_on[v] ? -.5 : .5) * weight * weight * counts[v];
}

static void
cell_gains (MtRefine       *self,
            guint           index,
            const guint16  *cells,
            guint           n_cells,
            const guint8   *is_on,
            const guint32  *counts,
            double         *gains)
{
  if (self->task == MT_TASK_BINARY)
    binary_gains (self, index, cells, n_cells, is_on, gains);
  else if (self->task == MT_TASK_MULTICLASS)
    multiclass_gains (self, index, cells, n_cells, is_on, gains);
  else
    regression_gains (self, index, cells, n_cells, is_on, counts, gains);
}

void
mt_refine_gains (MtRefine *self,
                 guint     index,
                 double   *gains)
{
  MtRefineTerm *term = g_ptr_array_index (self->terms, index);
  guint n_patterns = 1u << mt_rule_get_n_inputs (term->rule);
  const guint64 *table = mt_rule_get_table (term->rule);
  guint8 is_on[MT_MAX_PATTERNS];

  if (term->gains == NULL || term->gains_at != self->version)
    {
      know_patterns (self, term);
      for (guint v = 0; v < n_patterns; v++)
        is_on[v] = table[v / 64] >> (v % 64) & 1;
      if (term->gains == NULL)
        term->gains = g_new (double, n_patterns);
      cell_gains (self, index, term->patterns, n_patterns, is_on, term->counts, term->gains);
      term->gains_at = self->version;
    }
  memcpy (gains, term->gains, n_patterns * sizeof *gains);
}

/* --- moves --- */

static double
table_loss (const double     *gains,
            guint             n_patterns,
            const MtTable256 *table)
{
  double sum = 0;

  for (guint w = 0; w < (n_patterns + 63) / 64; w++)
    for (guint64 left = table->words[w]; left != 0; left &= left - 1)
      sum += gains[w * 64 + (guint) __builtin_ctzll (left)];
  return sum;
}

static MtTable256
rule_table (const MtRule *rule)
{
  MtTable256 table = { { 0 } };

  memcpy (table.words, mt_rule_get_table (rule), mt_rule_table_words (mt_rule_get_n_inputs (rule)) * sizeof (guint64));
  return table;
}

/* Of the term's weight, which its table has to fit. */
static int
sign_now (const MtRefine *self,
          guint           index)
{
  double weight = mt_head_get_weight (self->head, index, 0);
  const MtRefineTerm *term = g_ptr_array_index (self->terms, index);

  if (weight != 0)
    return weight > 0 ? 1 : -1;
  return term->sign != 0 ? term->sign : 1;
}

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
  MtTable256 now = rule_table (term->rule), on = mt_refine_wanted_table (self, inputs, n, sign, gains);
  MtTable256 sets[MT_N_DONT_CARES], dc;
  const CachedCover *cover;

  if (table_loss (gains, 1u << n, &now) - table_loss (gains, 1u << n, &on) < 1e-9)
    return NULL;
  know_patterns (self, term);
  find_dont_cares (self, inputs, n, term->counts, sets, &dc);
  cover = minimise_rule (self, inputs, n, sign, &on, &dc);
  if (cover == NULL || is_constant (cover) || (!may_grow && cover_literals (cover) > term->cost))
    return NULL;
  return mt_refine_term_inherit (term_for_rule (self, rule_from_cover (self, inputs, n, cover, term->counts)), term);
}

/* Keeps the move that loses less for each literal saved. */
static void
consider (MtRuleMove       *best,
          double            loss,
          guint             saved,
          const guint      *inputs,
          guint             n_inputs,
          const MtTable256 *table)
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
  MtTable256 on, sets[MT_N_DONT_CARES], dc;
  const CachedCover *cover;
  guint cost;

  for (guint i = 0; i < n; i++)
    if (i != dropped)
      inputs[n_inputs++] = mt_rule_get_inputs (term->rule)[i];
  for (guint v = 0; v < 1u << n; v++)
    {
      few_gains[without_bit (v, dropped)] += gains[v];
      few_counts[without_bit (v, dropped)] += term->counts[v];
    }
  on = mt_refine_wanted_table (self, inputs, n_inputs, sign, few_gains);
  find_dont_cares (self, inputs, n_inputs, few_counts, sets, &dc);
  cover = minimise_rule (self, inputs, n_inputs, sign, &on, &dc);
  cost = cover != NULL ? cover_literals (cover) : 0;
  if (cost > 0 && cost < term->cost)
    consider (move, table_loss (few_gains, 1u << n_inputs, &on) - now, term->cost - cost, inputs, n_inputs, &on);
}

/* The assignments of which a conjunction is true. */
static MtTable256
cube_table (guint    n_inputs,
            guint32  mask,
            guint32  value)
{
  guint n_words = (guint) mt_truth_table_n_words (n_inputs);
  MtTable256 table = { { 0 } };

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
join_table (MtTable256       *table,
            const MtTable256 *other)
{
  for (guint w = 0; w < G_N_ELEMENTS (table->words); w++)
    table->words[w] |= other->words[w];
}

/* Each conjunction gone, or with one input no longer asked for. @others: of a conjunction, what all the
 * rest is true of. */
static void
consider_changed_cubes (const MtRefineTerm *term,
                        const double       *gains,
                        double              now,
                        MtRuleMove         *move)
{
  const MtCube *cubes = mt_rule_get_cubes (term->rule);
  const guint *inputs = mt_rule_get_inputs (term->rule);
  guint n = mt_rule_get_n_inputs (term->rule), n_cubes = mt_rule_get_n_cubes (term->rule);
  g_autofree MtTable256 *others = g_new0 (MtTable256, n_cubes);
  MtTable256 before = { { 0 } }, behind = { { 0 } };

  for (guint c = 0; c < n_cubes; c++)
    {
      MtTable256 first = cube_table (n, cubes[c].mask, cubes[c].value);
      MtTable256 last = cube_table (n, cubes[n_cubes - 1 - c].mask, cubes[n_cubes - 1 - c].value);

      join_table (&others[c], &before);
      join_table (&others[n_cubes - 1 - c], &behind);
      join_table (&before, &first);
      join_table (&behind, &last);
    }
  for (guint c = 0; c < n_cubes; c++)
    {
      if (n_cubes > 1)
        consider (move, table_loss (gains, 1u << n, &others[c]) - now, (guint) __builtin_popcount (cubes[c].mask), inputs,
                  n, &others[c]);
      for (guint32 left = cubes[c].mask; left != 0; left &= left - 1)
        {
          guint32 mask = cubes[c].mask & ~(left & -left);
          MtTable256 on = cube_table (n, mask, cubes[c].value & mask);

          if (mask == 0)
            continue;
          join_table (&on, &others[c]);
          consider (move, table_loss (gains, 1u << n, &on) - now, 1, inputs, n, &on);
        }
    }
}

void
mt_refine_best_move (MtRefine     *self,
                     guint         index,
                     const double *gains,
                     MtRuleMove   *move)
{
  MtRefineTerm *term = g_ptr_array_index (self->terms, index);
  guint n = mt_rule_get_n_inputs (term->rule);
  MtTable256 table = rule_table (term->rule);
  double now = table_loss (gains, 1u << n, &table);

  move->saved = 0;
  move->loss = 0;
  know_patterns (self, term);
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

MtRefineTerm *
mt_refine_better_threshold (MtRefine *self,
                            guint     index,
                            guint     input,
                            double    least)
{
  MtRefineTerm *term = g_ptr_array_index (self->terms, index);
  guint n = mt_rule_get_n_inputs (term->rule), n_patterns = 1u << n;
  const guint *inputs = mt_rule_get_inputs (term->rule);
  const guint64 *table = mt_rule_get_table (term->rule);
  guint g = mt_encoded_get_group_of (self->encoded, inputs[input]);
  const MtGroup *group = &mt_encoded_get_groups (self->encoded)[g];
  const guint8 *codes = mt_encoded_get_codes (self->encoded, g);
  guint n_codes = mt_group_get_n_codes (group), n_cells = n_codes << (n - 1);
  guint low = input > 0 ? inputs[input - 1] + 1 : 0, high = input + 1 < n ? inputs[input + 1] : G_MAXUINT;
  g_autofree guint16 *cells = NULL;
  g_autofree guint32 *counts = NULL;
  g_autofree guint8 *is_on = NULL;
  g_autofree double *gains = NULL;
  double now = 0, best = 0;
  MtRefineTerm *found = NULL;

  if (group->n_literals < 2)
    return NULL;
  know_patterns (self, term);
  cells = g_new (guint16, MAX (self->n_rows, 1));
  counts = g_new0 (guint32, n_cells);
  is_on = g_new (guint8, n_cells);
  gains = g_new (double, n_cells);
  for (gsize r = 0; r < self->n_rows; r++)
    {
      cells[r] = (guint16) (without_bit (term->patterns[r], input) * n_codes + codes[r]);
      counts[cells[r]]++;
    }
  for (guint cell = 0; cell < n_cells; cell++)
    {
      gboolean bit = mt_group_literal_is_true (group, inputs[input] - group->first_literal, cell % n_codes);
      guint v = with_bit (cell / n_codes, input, bit);

      is_on[cell] = table[v / 64] >> (v % 64) & 1;
    }
  cell_gains (self, index, cells, n_cells, is_on, counts, gains);
  for (guint cell = 0; cell < n_cells; cell++)
    now += is_on[cell] ? gains[cell] : 0;
  best = now - least;
  for (guint l = MAX (low, group->first_literal); l < MIN (high, group->first_literal + group->n_literals); l++)
    {
      double few_gains[MT_MAX_PATTERNS] = { 0 };
      guint32 few_counts[MT_MAX_PATTERNS] = { 0 };
      guint few_inputs[MT_REFINE_MAX_INPUTS];
      MtTable256 on, sets[MT_N_DONT_CARES], dc;
      const CachedCover *cover;

      if (l == inputs[input] || (self->options->banned != NULL && self->options->banned[l]))
        continue;
      for (guint cell = 0; cell < n_cells; cell++)
        {
          guint v = with_bit (cell / n_codes, input,
                              mt_group_literal_is_true (group, l - group->first_literal, cell % n_codes));

          few_gains[v] += gains[cell];
          few_counts[v] += counts[cell];
        }
      memcpy (few_inputs, inputs, n * sizeof *inputs);
      few_inputs[input] = l;
      on = mt_refine_wanted_table (self, few_inputs, n, sign_now (self, index), few_gains);
      if (table_loss (few_gains, n_patterns, &on) >= best)
        continue;
      find_dont_cares (self, few_inputs, n, few_counts, sets, &dc);
      cover = minimise_rule (self, few_inputs, n, sign_now (self, index), &on, &dc);
      if (cover == NULL || is_constant (cover) || cover_literals (cover) > term->cost)
        continue;
      best = table_loss (few_gains, n_patterns, &on);
      mt_refine_term_free (found);
      found = mt_refine_term_inherit (term_for_rule (self, rule_from_cover (self, few_inputs, n, cover, few_counts)),
                                      term);
    }
  return found;
}
