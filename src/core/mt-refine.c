#include "config.h"
#include "mt-refine-private.h"

#include <math.h>
#include <string.h>

#include "mt-planes.h"
#include "mt-scan.h"

/* Loss, in nats a row, below which a class weight is set to exactly zero. */
#define IDLE_SHARE 1e-6
/* Above this many terms several go between two fits, by the quadratic model. */
#define CAREFUL_TERMS 60
/* The fit that networks' nodes are judged by: steps, and the improvement it may leave, in nats. */
#define NODE_STEPS 30
#define NODE_TOLERANCE 1e-3
/* Rows below which the scan is held back. */
#define SMALL_ROWS 2500
/* Shares of the time that have passed when these begin, about. */
#define FITTING_FROM     .15
#define ELIMINATING_FROM .25

void
mt_refine_options_init (MtRefineOptions *options)
{
  memset (options, 0, sizeof *options);
  options->rounds = MT_ROUNDS_AUTO;
  options->per_round = 0;
  options->fan_in = 5;
  options->growth = 1.15;
  options->chance = .35;
  options->ridge = 0;
  options->dont_care = MT_DONT_CARE_MODE_UNSEEN;
  options->numeric_terms = TRUE;
  options->slide_terms = 40;
  options->back_terms = 40;
  options->n_back = 6;
  options->n_tries = 1;
}

static void
visited_free (gpointer data)
{
  MtVisited *visited = data;

  mt_rule_set_unref (visited->rules);
  g_free (visited);
}

GPtrArray *
mt_refine_visited_new (void)
{
  return g_ptr_array_new_with_free_func (visited_free);
}

void
mt_refine_visit (GPtrArray *visited,
                 MtRuleSet *rules,
                 double     loss)
{
  MtVisited *item = g_new0 (MtVisited, 1);

  item->rules = rules;
  item->complexity = mt_rule_set_get_complexity (rules);
  item->loss = loss;
  g_ptr_array_add (visited, item);
}

double *
mt_refine_standardise (const double *target,
                       gsize         n_rows,
                       double       *centre,
                       double       *scale)
{
  double *standardised = g_new (double, n_rows), square = 0;

  *centre = 0;
  for (gsize r = 0; r < n_rows; r++)
    *centre += target[r] / n_rows;
  for (gsize r = 0; r < n_rows; r++)
    square += (target[r] - *centre) * (target[r] - *centre) / n_rows;
  *scale = square > 0 ? sqrt (square) : 1;
  for (gsize r = 0; r < n_rows; r++)
    standardised[r] = (target[r] - *centre) / *scale;
  return standardised;
}

static MtRefineTerm *
get_term (const MtRefine *self,
          guint           index)
{
  return g_ptr_array_index (self->terms, index);
}

static gboolean
is_cancelled (const MtRefine *self)
{
  return g_cancellable_is_cancelled (self->cancellable);
}

static gboolean
is_multi_input (const MtRefineTerm *term)
{
  return term->rule != NULL && mt_rule_get_n_inputs (term->rule) > 1;
}

/* Are the columns equal in every row, or each other's opposite? An opposite is 1 − x, which the
 * weight of x and the bias say already. */
static gboolean
tell_the_same (const guint64 *a,
               const guint64 *b,
               gsize          n_rows)
{
  guint64 differ = n_rows > 0 && ((a[0] ^ b[0]) & 1) ? ~G_GUINT64_CONSTANT (0) : 0;
  gsize n_whole = n_rows / 64;

  for (gsize w = 0; w < n_whole; w++)
    if ((a[w] ^ b[w]) != differ)
      return FALSE;
  return n_rows % 64 == 0 ||
         ((a[n_whole] ^ b[n_whole] ^ differ) & ((G_GUINT64_CONSTANT (1) << (n_rows % 64)) - 1)) == 0;
}

/* Is there another term with this column? @except: not counted. */
static gboolean
has_column (const MtRefine     *self,
            const MtRefineTerm *term,
            const MtRefineTerm *except)
{
  for (guint t = 0; t < self->terms->len; t++)
    {
      const MtRefineTerm *other = get_term (self, t);

      if (other != except && other->rule != NULL && tell_the_same (other->plane, term->plane, self->n_rows))
        return TRUE;
    }
  return FALSE;
}

static void
add_term (MtRefine     *self,
          MtRefineTerm *term)
{
  self->version++;
  g_ptr_array_add (self->terms, term);
  mt_head_add (self->head, mt_refine_term_get_column (self, term));
}

static MtRefineTerm *
take_term (MtRefine *self,
           guint     index)
{
  self->version++;
  mt_head_remove (self->head, index);
  return g_ptr_array_steal_index_fast (self->terms, index);
}

static void
remove_term (MtRefine *self,
             guint     index)
{
  mt_refine_term_free (take_term (self, index));
}

/* Takes @term. A column that is there already is not kept twice. */
static void
replace_term (MtRefine     *self,
              guint         index,
              MtRefineTerm *term)
{
  if (has_column (self, term, get_term (self, index)))
    {
      mt_refine_term_free (term);
      remove_term (self, index);
      return;
    }
  self->version++;
  mt_head_replace (self->head, index, mt_refine_term_get_column (self, term));
  mt_refine_term_free (get_term (self, index));
  self->terms->pdata[index] = term;
}

/* Takes @term, which may be NULL. */
static void
add_new_term (MtRefine     *self,
              MtRefineTerm *term)
{
  if (term == NULL)
    return;
  if (has_column (self, term, NULL))
    mt_refine_term_free (term);
  else
    add_term (self, term);
}

/* Numeric columns and single literals: what the head sees before any interaction. */
static void
add_unary_terms (MtRefine *self)
{
  const gboolean *banned = self->options->banned, *banned_numeric = self->options->banned_numeric;
  const MtTable256 is_true = { { 2 } };

  for (guint i = 0; i < mt_encoded_get_n_numeric (self->encoded) && self->options->numeric_terms; i++)
    if (banned_numeric == NULL || !banned_numeric[i])
      add_term (self, mt_refine_term_new_numeric (self, i));
  for (guint l = 0; l < mt_encoded_get_n_literals (self->encoded); l++)
    if (banned == NULL || !banned[l])
      add_new_term (self, mt_refine_term_new_rule (self, &l, 1, &is_true, 0));
}

/* Few rows cannot tell many conjunctions apart: the best of too many is the luckiest. Measured
 * on the datasets of docs/benchmarks-accuracy.md. */
static guint
n_rounds (const MtRefine *self)
{
  if (self->options->fan_in < 2)
    return 0;
  if (self->options->rounds != MT_ROUNDS_AUTO)
    return self->options->rounds;
  return self->n_rows < SMALL_ROWS ? 3 : 4;
}

static guint
n_per_round (const MtRefine *self)
{
  if (self->options->per_round > 0)
    return self->options->per_round;
  return self->n_rows < SMALL_ROWS ? 8 : 24;
}

static void
add_conjunction (const MtConjunction *found,
                 gpointer             user_data)
{
  MtRefine *self = user_data;
  MtTable256 table = { { 0 } };

  mt_table_set (&table, found->value);
  if (!is_cancelled (self))
    add_new_term (self, mt_refine_term_new_rule (self, found->inputs, found->n_inputs, &table, 0));
}

/* Drops terms whose weights have the wrong sign, worst first: the best they could have is zero. Each
 * goes by the quadratic model, which moves the others' weights. Returns whether there were any.
 * @to_pool: they may come back later. */
static gboolean
drop_wrong_signs (MtRefine *self,
                  gboolean  to_pool)
{
  gboolean any = FALSE;

  while (self->options->directions != NULL)
    {
      double worst = 0;
      guint index = 0;

      for (guint t = 0; t < self->terms->len; t++)
        {
          double weight = mt_head_get_weight (self->head, t, 0) * get_term (self, t)->sign;

          if (weight < worst)
            {
              worst = weight;
              index = t;
            }
        }
      if (worst == 0)
        break;
      if (to_pool)
        g_ptr_array_add (self->pool, take_term (self, index));
      else
        remove_term (self, index);
      any = TRUE;
    }
  return any;
}

/* The convex fit within the constraints. */
static gboolean
fit_head (MtRefine      *self,
          guint          max_steps,
          double         tolerance,
          gboolean       to_pool,
          GCancellable  *cancellable,
          GError       **error)
{
  do
    {
      self->version++;
      if (!mt_head_fit (self->head, max_steps, tolerance, cancellable, error))
        return FALSE;
    }
  while (drop_wrong_signs (self, to_pool));
  return TRUE;
}

/* Between rounds of the scan: what goes now may come back later. */
static gboolean
fit_between (guint          max_steps,
             double         tolerance,
             gpointer       user_data,
             GCancellable  *cancellable,
             GError       **error)
{
  return fit_head (user_data, max_steps, tolerance, TRUE, cancellable, error);
}

/* Nodes of networks, as far as they beat luck like the scan's conjunctions: the same test, before
 * any is in the head, because they come together. */
static gboolean
add_candidates (MtRefine      *self,
                GCancellable  *cancellable,
                GError       **error)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  guint n_literals = mt_encoded_get_n_literals (self->encoded);
  double luck;

  if (self->options->n_candidates == 0)
    return TRUE;
  if (!fit_head (self, NODE_STEPS, NODE_TOLERANCE, TRUE, cancellable, error))
    return FALSE;
  luck = self->options->chance * mt_scan_get_dispersion (self->encoded, self->head, self->n_outputs);
  for (guint c = 0; c < self->options->n_candidates; c++)
    {
      MtRefineTerm *term = mt_refine_term_new_node (self, &self->options->candidates[c]);

      if (term != NULL && is_multi_input (term) && luck > 0 &&
          mt_head_get_add_gain (self->head, mt_refine_term_get_column (self, term)) <
          luck * mt_scan_luck_of_best (n_literals, mt_rule_get_n_inputs (term->rule), self->n_outputs))
        mt_refine_term_free (term);
      else
        g_ptr_array_add (terms, term);
    }
  for (guint t = 0; t < terms->len; t++)
    add_new_term (self, terms->pdata[t]);
  return TRUE;
}

static gboolean
add_interactions (MtRefine      *self,
                  GCancellable  *cancellable,
                  GError       **error)
{
  const MtScanOptions options = {
    n_per_round (self), self->options->fan_in, self->options->growth, self->ridge,
    self->options->banned, self->options->directions, self->options->no_negation, self->options->chance,
  };

  if (!add_candidates (self, cancellable, error))
    return FALSE;
  return mt_scan_rounds (self->encoded, self->head, self->n_outputs, &options, n_rounds (self), fit_between, add_conjunction,
                         self, cancellable, error);
}

/* Sets every table to what the loss wants. Returns whether any changed. */
static gboolean
improve_tables (MtRefine *self,
                gboolean  may_grow)
{
  gboolean changed = FALSE;

  for (guint t = 0; t < self->terms->len && !is_cancelled (self); t++)
    {
      double gains[MT_MAX_PATTERNS];
      MtRefineTerm *better;

      if (!is_multi_input (get_term (self, t)))
        continue;
      mt_refine_gains (self, t, gains);
      better = mt_refine_better_table (self, t, gains, may_grow);
      if (better != NULL)
        {
          replace_term (self, t, better);
          changed = TRUE;
        }
    }
  return changed;
}

/* Lets every threshold slide within its column. Returns whether any moved. */
static gboolean
improve_thresholds (MtRefine *self)
{
  gboolean changed = FALSE;

  for (guint t = 0; t < self->terms->len; t++)
    for (guint i = 0; get_term (self, t)->rule != NULL && i < mt_rule_get_n_inputs (get_term (self, t)->rule) &&
                      !is_cancelled (self); i++)
      {
        MtRefineTerm *better = mt_refine_better_threshold (self, t, i, .01);
        guint before = self->terms->len;

        if (better == NULL)
          continue;
        changed = TRUE;
        replace_term (self, t, better);
        if (self->terms->len < before)
          break;
      }
  return changed;
}

/* On all of them together this costs next to nothing. */
gboolean
mt_refine_weight_is_idle (MtHead *head,
                          MtTask  task,
                          gsize   n_rows,
                          guint   term,
                          guint   output)
{
  return task == MT_TASK_MULTICLASS && mt_head_get_zero_cost (head, term, output) < IDLE_SHARE * n_rows;
}

/* @centre, @scale: of the target, back to its own units. */
static gboolean
visit (MtRefine   *self,
       double      centre,
       double      scale,
       GPtrArray  *visited,
       GError    **error)
{
  MtRuleSet *rules;
  g_autofree MtTerm *terms = g_new0 (MtTerm, MAX (self->terms->len, 1));
  g_autofree double *weights = g_new (double, MAX (self->terms->len * self->n_outputs, 1));
  g_autofree double *bias = g_new (double, self->n_outputs);

  for (guint c = 0; c < self->n_outputs; c++)
    bias[c] = mt_head_get_bias (self->head, c) * scale + centre;
  for (guint t = 0; t < self->terms->len; t++)
    {
      const MtRefineTerm *term = get_term (self, t);

      terms[t] = (MtTerm) { term->is_numeric, term->numeric, term->rule, weights + (gsize) t * self->n_outputs };
      for (guint c = 0; c < self->n_outputs; c++)
        terms[t].weights[c] = mt_refine_weight_is_idle (self->head, self->task, self->n_rows, t, c)
                              ? 0 : mt_head_get_weight (self->head, t, c) * scale;
    }
  rules = mt_rule_set_new (self->task, self->n_outputs, bias, terms, self->terms->len, error);
  if (rules == NULL)
    return FALSE;
  mt_refine_visit (visited, rules, mt_head_get_objective (self->head));
  return TRUE;
}

typedef struct {
  MtRuleMove rule_move;
  gboolean   known;
} TermMove;

/* The cheapest move now: dropping term *index (returns FALSE), or its rule move (TRUE). */
static gboolean
choose (MtRefine       *self,
        const TermMove *moves,
        guint          *index)
{
  double best = G_MAXDOUBLE;
  gboolean is_rule_move = FALSE;

  for (guint t = 0; t < self->terms->len; t++)
    {
      double price = mt_head_get_drop_cost (self->head, t) / get_term (self, t)->cost;

      if (price < best)
        {
          best = price;
          *index = t;
          is_rule_move = FALSE;
        }
      if (moves[t].known && moves[t].rule_move.saved > 0 &&
          moves[t].rule_move.loss / moves[t].rule_move.saved < best)
        {
          best = moves[t].rule_move.loss / moves[t].rule_move.saved;
          *index = t;
          is_rule_move = TRUE;
        }
    }
  return is_rule_move;
}

/* Some cheap moves, then the caller refits. */
static void
eliminate (MtRefine *self)
{
  guint n = self->terms->len;
  guint n_moves = n > CAREFUL_TERMS ? MAX (n / 25, 1) : 1;
  g_autofree TermMove *moves = g_new0 (TermMove, n);

  for (guint t = 0; t < n && !is_cancelled (self); t++)
    if (is_multi_input (get_term (self, t)))
      {
        double gains[MT_MAX_PATTERNS];

        mt_refine_gains (self, t, gains);
        mt_refine_best_move (self, t, gains, &moves[t].rule_move);
        moves[t].known = TRUE;
      }
  for (guint i = 0; i < n_moves && self->terms->len > 0 && !is_cancelled (self); i++)
    {
      guint index = 0, before = self->terms->len;

      if (choose (self, moves, &index))
        {
          const MtRuleMove *move = &moves[index].rule_move;
          double weight = mt_head_get_weight (self->head, index, 0);
          MtRefineTerm *term = mt_refine_term_new_rule (self, move->inputs, move->n_inputs, &move->table,
                                                        (weight > 0) - (weight < 0));

          moves[index].known = FALSE;
          if (term != NULL)
            replace_term (self, index, mt_refine_term_inherit (term, get_term (self, index)));
          else
            remove_term (self, index);
        }
      else
        remove_term (self, index);
      if (self->terms->len < before)
        moves[index] = moves[self->terms->len];
    }
}

/* --- going back: terms dropped too early --- */

typedef struct {
  guint  index;      /* in the pool */
  double price;      /* gain for a literal */
} Candidate;

static int
compare_candidates (gconstpointer a,
                    gconstpointer b)
{
  const Candidate *p = a, *q = b;

  if (p->price != q->price)
    return p->price > q->price ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
}

static gboolean
is_in_model (const MtRefine     *self,
             const MtRefineTerm *candidate)
{
  for (guint t = 0; candidate->is_numeric && t < self->terms->len; t++)
    if (get_term (self, t)->is_numeric && get_term (self, t)->numeric == candidate->numeric)
      return TRUE;
  return !candidate->is_numeric && has_column (self, candidate, NULL);
}

/* About what a candidate would gain by itself, as in mt-scan: cheap, for a shortlist. */
static double
rough_gain (MtRefine           *self,
            const MtRefineTerm *candidate)
{
  double gain = 0;

  for (guint c = 0; c < self->n_outputs; c++)
    {
      const double *r = mt_head_get_residual (self->head, c), *h = mt_head_get_curvature (self->head, c);
      double sum_r = 0, sum_h = 0;

      if (candidate->is_numeric)
        {
          const double *x = mt_encoded_get_numeric (self->encoded, candidate->numeric);

          for (gsize i = 0; i < self->n_rows; i++)
            {
              sum_r += x[i] * r[i];
              sum_h += x[i] * x[i] * h[i];
            }
        }
      else
        {
          sum_r = mt_plane_sum (candidate->plane, r, self->n_rows);
          sum_h = mt_plane_sum (candidate->plane, h, self->n_rows);
        }
      if (sum_r * candidate->sign >= 0)
        gain += .5 * sum_r * sum_r / (sum_h + self->ridge);
    }
  return gain;
}

static MtRefineTerm *
copy_term (MtRefine           *self,
           const MtRefineTerm *term)
{
  MtTable256 table = { { 0 } };

  if (term->is_numeric)
    return mt_refine_term_new_numeric (self, term->numeric);
  memcpy (table.words, mt_rule_get_table (term->rule),
          mt_rule_table_words (mt_rule_get_n_inputs (term->rule)) * sizeof (guint64));
  return mt_refine_term_inherit (mt_refine_term_new_rule (self, mt_rule_get_inputs (term->rule),
                                                          mt_rule_get_n_inputs (term->rule), &table, term->sign), term);
}

/* Adds the candidates that are worth most for a literal. Returns how many. */
static guint
bring_back (MtRefine *self,
            guint     n_back)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Candidate));
  guint n_short = MIN (4 * n_back, self->pool->len), n_added = 0;

  for (guint i = 0; i < self->pool->len && !is_cancelled (self); i++)
    {
      const MtRefineTerm *term = self->pool->pdata[i];
      Candidate candidate = { i, rough_gain (self, term) / term->cost };

      g_array_append_val (list, candidate);
    }
  g_array_sort (list, compare_candidates);
  g_array_set_size (list, MIN (n_short, list->len));
  for (guint i = 0; i < list->len && !is_cancelled (self); i++)
    {
      Candidate *candidate = &g_array_index (list, Candidate, i);
      const MtRefineTerm *term = self->pool->pdata[candidate->index];

      candidate->price = candidate->price == 0 || is_in_model (self, term) ? 0 :
        mt_head_get_add_gain (self->head, mt_refine_term_get_column (self, term)) / term->cost;
    }
  g_array_sort (list, compare_candidates);
  for (guint i = 0; i < list->len && n_added < n_back && !is_cancelled (self); i++)
    {
      const Candidate *candidate = &g_array_index (list, Candidate, i);

      if (candidate->price <= 0)
        break;
      add_term (self, copy_term (self, self->pool->pdata[candidate->index]));
      n_added++;
    }
  return n_added;
}

static guint
complexity_now (const MtRefine *self)
{
  guint sum = 1;

  for (guint t = 0; t < self->terms->len; t++)
    sum += get_term (self, t)->cost;
  return sum;
}

/* --- the path --- */

typedef struct {
  MtRefine            *refine;
  GPtrArray           *visited;
  double               centre;
  double               scale;
  guint                n_start;
  MtLearnProgressFunc  progress;
  gpointer             progress_data;
  GCancellable        *cancellable;
} Path;

static void
report (const Path   *path,
        MtLearnPhase  phase,
        double        done)
{
  const MtVisited *last = path->visited->len > 0 ? path->visited->pdata[path->visited->len - 1] : NULL;
  MtLearnProgress progress = { .phase = phase, .n_parts = 1, .done = done, .seconds_left = NAN };

  if (path->progress == NULL)
    return;
  if (last != NULL)
    {
      progress.literals = last->complexity;
      progress.loss = last->loss / path->refine->n_rows;
    }
  path->progress (&progress, path->progress_data);
}

/* What a fit may leave on the table: far less than any move costs on so many rows. */
double
mt_refine_tolerance (MtHead *head)
{
  return CLAMP (1e-6 * mt_head_get_loss (head), 1e-4, 1e-2);
}

static gboolean
fit (Path    *path,
     GError **error)
{
  return fit_head (path->refine, 50, mt_refine_tolerance (path->refine->head), FALSE, path->cancellable, error);
}

/* Weights, tables and thresholds as good as they get with these terms; then the model is kept. */
static gboolean
settle (Path    *path,
        GError **error)
{
  MtRefine *self = path->refine;
  gboolean is_first = path->visited->len == 0;

  if (!fit (path, error))
    return FALSE;
  if (improve_tables (self, is_first) && !fit (path, error))
    return FALSE;
  if (self->terms->len <= self->options->slide_terms && improve_thresholds (self) && !fit (path, error))
    return FALSE;
  if (!visit (self, path->centre, path->scale, path->visited, error))
    return FALSE;
  report (path, MT_LEARN_ELIMINATING,
          ELIMINATING_FROM + (1 - ELIMINATING_FROM) * (1 - log1p (self->terms->len) / log1p (path->n_start)));
  return TRUE;
}

/* Terms that were dropped come back if they are worth it, and the cheapest moves lead down to
 * no more than the complexity there was. @improved: whether that lowered the loss. */
static gboolean
go_back (Path      *path,
         gboolean  *improved,
         GError   **error)
{
  MtRefine *self = path->refine;
  guint complexity = complexity_now (self);
  double loss = mt_head_get_objective (self->head);

  *improved = FALSE;
  if (bring_back (self, self->options->n_back) == 0)
    return TRUE;
  do
    {
      if (!fit (path, error))
        return FALSE;
      eliminate (self);
    }
  while (complexity_now (self) > complexity);
  if (!settle (path, error))
    return FALSE;
  *improved = complexity_now (self) <= complexity &&
              mt_head_get_objective (self->head) < loss - mt_refine_tolerance (self->head);
  return TRUE;
}

static gboolean
run_path (Path    *path,
          GError **error)
{
  MtRefine *self = path->refine;

  path->n_start = self->terms->len;
  for (guint t = 0; t < self->terms->len; t++)
    g_ptr_array_add (self->pool, copy_term (self, get_term (self, t)));
  report (path, MT_LEARN_FITTING, FITTING_FROM);
  if (!settle (path, error))
    return FALSE;
  while (self->terms->len > 0)
    {
      gboolean improved = self->options->n_back > 0 && self->terms->len <= self->options->back_terms;

      for (guint i = 0; i < self->options->n_tries && improved && self->terms->len > 0; i++)
        if (!go_back (path, &improved, error))
          return FALSE;
      if (self->terms->len == 0)
        break;
      eliminate (self);
      if (!settle (path, error))
        return FALSE;
    }
  return TRUE;
}

double *
mt_refine_balance (const double *target,
                   gsize         n_rows,
                   guint         n_classes)
{
  g_autofree gsize *counts = g_new0 (gsize, n_classes);

  for (gsize r = 0; r < n_rows; r++)
    counts[(guint) target[r]]++;
  return mt_task_balance (counts, n_classes);
}

GPtrArray *
mt_refine_run (const MtEncoded        *encoded,
               const double           *target,
               MtTask                  task,
               guint                   n_outputs,
               const MtRefineOptions  *options,
               MtLearnProgressFunc     progress,
               gpointer                progress_data,
               GCancellable           *cancellable,
               GError                **error)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  g_autofree double *standardised = NULL;
  g_autofree double *class_weights = NULL;
  g_autoptr (MtHead) head = NULL;
  g_autoptr (GPtrArray) visited = mt_refine_visited_new ();
  g_autoptr (GPtrArray) terms = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_refine_term_free);
  g_autoptr (GPtrArray) pool = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_refine_term_free);
  g_autoptr (GHashTable) covers = mt_refine_covers_new ();
  MtRefine self = { encoded, target, task, n_outputs, n_rows, mt_encoded_get_n_words (encoded), options };
  Path path = { &self, visited, 0, 1, 0, progress, progress_data, cancellable };

  g_return_val_if_fail (n_rows > 0, NULL);
  g_return_val_if_fail (options->fan_in >= 1 && options->fan_in <= MT_REFINE_MAX_INPUTS, NULL);
  if (task == MT_TASK_REGRESSION)
    {
      standardised = mt_refine_standardise (target, n_rows, &path.centre, &path.scale);
      self.target = standardised;
    }
  self.ridge = options->ridge > 0 ? options->ridge : mt_scan_get_ridge (task, encoded);
  self.head = head = mt_head_new (task, n_outputs, self.target, n_rows, self.ridge);
  if (options->balance_classes && task != MT_TASK_REGRESSION)
    self.class_weights = class_weights = mt_refine_balance (target, n_rows, task == MT_TASK_BINARY ? 2 : n_outputs);
  mt_head_set_class_weights (head, class_weights);
  self.cancellable = cancellable;
  self.terms = terms;
  self.pool = pool;
  self.covers = covers;
  report (&path, MT_LEARN_SCANNING, 0);
  add_unary_terms (&self);
  if (!add_interactions (&self, cancellable, error) ||
      !run_path (&path, error))
    return NULL;
  return g_steal_pointer (&visited);
}
