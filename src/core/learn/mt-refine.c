/* From candidate rules to a path of ever simpler models. See mt-refine.h.
 *
 * One round of the walk, with the functions that do it:
 *
 *   settle()        fit the weights; set every table to what the loss wants; slide thresholds; fit again after
 *                   each of these that changed anything; keep the model
 *   go_back()       on the last stretch: bring some dropped terms back, eliminate down to the old complexity, settle
 *   eliminate()     one or several of the cheapest moves
 *
 * until no term is left. The models kept are the path. There is one for about each
 * complexity, and often several.
 *
 * What is exact: the weights (a convex problem, to mt_refine_tolerance()), and each table
 * with all else fixed. What is greedy: the order in which literals go. That is why terms
 * may come back and thresholds slide, and why tuning follows.
 *
 * Sizes: 50 to 2,000 literals at the start, of which most go in the first rounds, several
 * at a time. Time goes with rows × terms in each round (the fit, and the gains of each
 * rule), so the first rounds take most of it.
 *
 * Nothing here uses threads: a run on one part of the data is one task, and parts run side
 * by side. */
#include "config.h"
#include "mt-refine-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-math.h"
#include "base/mt-planes.h"
#include "rules/mt-interaction-scan.h"

/* Loss, in nats a row, below which a class weight is set to exactly zero. */
#define IDLE_SHARE 1e-6
/* Above this many terms several go between two fits, by the quadratic model. */
#define CAREFUL_TERMS 60
/* See n_slide_terms(). */
#define LEAST_SLIDE_TERMS 40
#define MOST_SLIDE_TERMS  100
#define ROWS_FOR_SLIDING  120
/* Share of the terms left when they slide again. */
#define SLIDE_AGAIN       .93
/* A move inside a term is looked for again if it was cheaper than this many times the cheapest one that is known. */
#define PRICE_MAY_FALL    2
/* Shares of the time that have passed when these begin, about. */
#define FITTING_FROM     .15
#define ELIMINATING_FROM .25
/* Share of the time that this takes if tuning follows, about. */
#define WALK_SHARE       .5

/* The defaults of the learner; docs/method.md has the measurements behind them. */
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
  options->slide_terms = 0;
  options->back_terms = 40;
  options->n_back = 6;
  options->n_tries = 1;
}

static void
visited_free (gpointer data)
{
  MtPathModel *visited = data;

  mt_rule_set_unref (visited->rules);
  g_free (visited);
}

GPtrArray *
mt_refine_visited_new (void)
{
  return g_ptr_array_new_with_free_func (visited_free);
}

/* Keeps a model of the path; takes @rules. @loss is the objective of the fit (loss and ridge), in nats over all
 * rows. */
void
mt_refine_visit (GPtrArray *visited,
                 MtRuleSet *rules,
                 double     loss,
                 gboolean   is_tuned)
{
  MtPathModel *item = g_new0 (MtPathModel, 1);

  item->rules = rules;
  item->complexity = mt_rule_set_get_complexity (rules);
  item->loss = loss;
  item->is_tuned = is_tuned;
  g_ptr_array_add (visited, item);
}

/* A regression target with mean 0 and deviation 1, so that tolerances and ridges mean the same on every target.
 * @centre and @scale lead back. */
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

/* Sets every table to what the loss wants, the weights staying as they are: an assignment is on if its rows gain
 * by it. Only tables that take no more literals, unless @may_grow. Returns whether any changed; the caller refits. */
gboolean
mt_refine_improve_tables (MtRefine *self,
                          gboolean  may_grow)
{
  gboolean changed = FALSE;

  mt_refine_ask_gains (self);
  for (guint t = 0; t < self->terms->len && !mt_refine_is_cancelled (self); t++)
    {
      double gains[MT_MAX_PATTERNS];
      MtRefineTerm *better;

      if (!mt_refine_is_multi_input (mt_refine_get_term (self, t)))
        continue;
      mt_refine_gains (self, t, gains);
      better = mt_refine_better_table (self, t, gains, may_grow);
      if (better != NULL)
        {
          mt_refine_replace_term (self, t, better);
          changed = TRUE;
        }
    }
  return changed;
}

static guint
n_inputs_of (const MtRefineTerm *term)
{
  return term->rule != NULL ? mt_rule_get_n_inputs (term->rule) : 0;
}

/* Lets every threshold slide within its column: for each input of each rule, another
 * literal of the same column, if the loss falls by more than .01 nats. Returns whether any
 * moved. A rule that becomes equal to another one is dropped by mt_refine_replace_term();
 * the number of terms then falls, and the next index is another rule, so the loop over the
 * inputs ends.
 *
 * A rule of which no threshold moved is asked again when 7 % of the terms have gone: a term
 * less seldom changes where the others' thresholds belong. */
static gboolean
improve_thresholds (MtRefine *self)
{
  gboolean changed = FALSE;

  for (guint t = 0; t < self->terms->len; t++)
    {
      MtRefineTerm *term = mt_refine_get_term (self, t);
      gboolean is_quiet = TRUE;

      if (term->quiet_at > 0 && self->terms->len > term->quiet_at * SLIDE_AGAIN)
        continue;
      for (guint i = 0; i < n_inputs_of (mt_refine_get_term (self, t)) && !mt_refine_is_cancelled (self); i++)
        {
          MtRefineTerm *better = mt_refine_better_threshold (self, t, i, .01);
          guint before = self->terms->len;

          if (better == NULL)
            continue;
          is_quiet = FALSE;
          changed = TRUE;
          mt_refine_replace_term (self, t, better);
          if (self->terms->len < before)
            break;
        }
      if (is_quiet)
        term->quiet_at = self->terms->len;
    }
  return changed;
}

/* Only with several classes: a term needs a weight for some classes, and those of the
 * others are small but never exactly zero, since the ridge is smooth. A weight whose
 * removal costs less than a millionth of a nat for each row is written as 0. All of them
 * together cost next to nothing, and a reader sees which classes a rule is about. */
gboolean
mt_refine_weight_is_idle (MtLinearFit *head,
                          MtTask  task,
                          gsize   n_rows,
                          guint   term,
                          guint   output)
{
  return task == MT_TASK_MULTICLASS && mt_linear_fit_get_zero_cost (head, term, output) < IDLE_SHARE * n_rows;
}

/* The model as it is now, as a rule set in the target's own scale, appended to path->visited. Class weights whose
 * removal costs next to nothing become exactly zero. */
gboolean
mt_refine_path_visit (MtRefinePath  *path,
                      GError       **error)
{
  MtRefine *self = path->refine;
  double centre = path->centre, scale = path->scale;
  MtPathModel *visited;
  MtRuleSet *rules;
  g_autofree MtTerm *terms = g_new0 (MtTerm, MAX (self->terms->len, 1));
  g_autofree double *weights = g_new (double, MAX (self->terms->len * self->n_outputs, 1));
  g_autofree double *bias = g_new (double, self->n_outputs);

  for (guint c = 0; c < self->n_outputs; c++)
    bias[c] = mt_linear_fit_get_bias (self->head, c) * scale + centre;
  for (guint t = 0; t < self->terms->len; t++)
    {
      const MtRefineTerm *term = mt_refine_get_term (self, t);

      terms[t] = (MtTerm) { term->is_numeric, term->numeric, term->rule, weights + (gsize) t * self->n_outputs };
      for (guint c = 0; c < self->n_outputs; c++)
        terms[t].weights[c] = mt_refine_weight_is_idle (self->head, self->task, self->n_rows, t, c)
                              ? 0 : mt_linear_fit_get_weight (self->head, t, c) * scale;
    }
  rules = mt_rule_set_new (self->task, self->n_outputs, bias, terms, self->terms->len, error);
  if (rules == NULL)
    return FALSE;
  mt_refine_visit (path->visited, rules, mt_linear_fit_get_objective (self->head), path->is_tuned);
  visited = path->visited->pdata[path->visited->len - 1];
  visited->n_trainings = path->n_trainings;
  visited->n_kept = path->n_kept;
  return TRUE;
}

/* The cheapest move now: dropping term *index (returns FALSE), or its rule move (TRUE).
 *
 * Prices are loss for each literal saved, so that dropping a rule of four literals for 2
 * nats (0.5) is cheaper than dropping a single literal for 0.6. The loss of dropping a term
 * is that of the quadratic model, with all others refitted; that of a move inside a rule is
 * exact with the other weights fixed. Both are what the next fit will find, or a little
 * more. */
static gboolean
choose (MtRefine         *self,
        const MtRuleMove *moves,
        guint            *index)
{
  double best = G_MAXDOUBLE;
  gboolean is_rule_move = FALSE;

  for (guint t = 0; t < self->terms->len; t++)
    {
      double price = mt_linear_fit_get_drop_cost (self->head, t) / mt_refine_get_term (self, t)->cost;

      if (price < best)
        {
          best = price;
          *index = t;
          is_rule_move = FALSE;
        }
      if (moves[t].saved > 0 && moves[t].loss / moves[t].saved < best)
        {
          best = moves[t].loss / moves[t].saved;
          *index = t;
          is_rule_move = TRUE;
        }
    }
  return is_rule_move;
}

/* The least loss for a literal by dropping a whole term. */
double
mt_refine_cheapest_drop (MtRefine *self)
{
  double cheapest = G_MAXDOUBLE;

  for (guint t = 0; t < self->terms->len; t++)
    cheapest = MIN (cheapest, mt_linear_fit_get_drop_cost (self->head, t) / mt_refine_get_term (self, t)->cost);
  return cheapest;
}

/* Gains of a rule are a pass over the rows. Prices change little from one fit to the next, and mostly upwards: a rule whose
 * best move was far from the cheapest need not be asked. */
double
mt_refine_find_cheap_moves (MtRefine   *self,
                            double      cheapest,
                            MtRuleMove *moves)
{
  gboolean is_all = cheapest == G_MAXDOUBLE;
  double least = G_MAXDOUBLE;

  for (guint t = 0; t < self->terms->len && !mt_refine_is_cancelled (self); t++)
    {
      MtRefineTerm *term = mt_refine_get_term (self, t);
      double gains[MT_MAX_PATTERNS];

      moves[t].saved = 0;
      if (!mt_refine_is_multi_input (term) || term->move_price > PRICE_MAY_FALL * cheapest)
        continue;
      mt_refine_gains (self, t, gains);
      mt_refine_best_move (self, t, gains, &moves[t]);
      term->move_price = moves[t].saved > 0 ? MAX (moves[t].loss / moves[t].saved, G_MINDOUBLE) : G_MAXDOUBLE;
      least = MIN (least, term->move_price);
      cheapest = is_all ? cheapest : MIN (cheapest, least);
    }
  return least;
}

/* Some cheap moves, then the caller refits.
 *
 * With up to CAREFUL_TERMS terms it is one move between two fits. With more, a twenty-fifth
 * of the terms go: far from the end it matters little which of many nearly useless terms
 * goes first, and a fit for each would take most of the time. Moves are found once for all
 * terms; drop costs follow from the inverse, which is updated with every move.
 *
 * A move may leave a rule that is constant or a copy of another one; then the whole term
 * goes. When a term goes, the last one takes its place, in self->terms and in moves[]
 * alike. */
void
mt_refine_eliminate (MtRefine *self)
{
  guint n = self->terms->len;
  guint n_moves = n > CAREFUL_TERMS ? MAX (n / 25, 1) : 1;
  g_autofree MtRuleMove *moves = g_new0 (MtRuleMove, n);

  mt_refine_ask_gains (self);
  mt_refine_find_cheap_moves (self, n_moves == 1 ? mt_refine_cheapest_drop (self) : G_MAXDOUBLE, moves);
  for (guint i = 0; i < n_moves && self->terms->len > 0 && !mt_refine_is_cancelled (self); i++)
    {
      guint index = 0, before = self->terms->len;

      if (choose (self, moves, &index))
        {
          const MtRuleMove *move = &moves[index];
          double weight = mt_linear_fit_get_weight (self->head, index, 0);
          MtRefineTerm *term = mt_refine_term_new_rule (self, move->inputs, move->n_inputs, &move->table,
                                                        (weight > 0) - (weight < 0));

          moves[index].saved = 0;
          if (term != NULL)
            mt_refine_replace_term (self, index, mt_refine_term_inherit (term, mt_refine_get_term (self, index)));
          else
            mt_refine_remove_term (self, index);
        }
      else
        mt_refine_remove_term (self, index);
      if (self->terms->len < before)
        moves[index] = moves[self->terms->len];
    }
}

/* Literals of all rules and one for each numeric column, and one more for the model itself: what the elimination
 * is to bring down. */
guint
mt_refine_get_complexity (const MtRefine *self)
{
  guint sum = 1;

  for (guint t = 0; t < self->terms->len; t++)
    sum += mt_refine_get_term (self, t)->cost;
  return sum;
}

/* --- the path --- */

void
mt_refine_path_report (const MtRefinePath *path,
                       MtLearnPhase        phase,
                       double              done)
{
  const MtPathModel *last = path->visited->len > 0 ? path->visited->pdata[path->visited->len - 1] : NULL;
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

/* Of the walk down: tuning is about as long again. */
static void
report_walk (const MtRefinePath *path,
             MtLearnPhase        phase,
             double              done)
{
  mt_refine_path_report (path, phase, path->refine->options->tune ? WALK_SHARE * done : done);
}

/* What a fit may leave on the table: far less than any move costs on so many rows. */
double
mt_refine_tolerance (MtLinearFit *head)
{
  return CLAMP (1e-6 * mt_linear_fit_get_loss (head), 1e-4, 1e-2);
}

/* Fits the weights of the model at hand, at most 50 steps; the weights of the last model
 * are the start, so a few steps are usual. */
gboolean
mt_refine_path_fit (MtRefinePath  *path,
                    GError       **error)
{
  return mt_refine_fit_head (path->refine, 50, mt_refine_tolerance (path->refine->head), FALSE, path->cancellable,
                             error);
}

/* Terms from which on thresholds slide: the sooner the better, if there are rows enough to tell fine ones apart. */
static guint
n_slide_terms (const MtRefine *self)
{
  if (self->options->slide_terms > 0)
    return self->options->slide_terms;
  return self->options->fine == NULL ? LEAST_SLIDE_TERMS
                                     : (guint) CLAMP (self->n_rows / ROWS_FOR_SLIDING, LEAST_SLIDE_TERMS, MOST_SLIDE_TERMS);
}

/* While there are many terms a few less make little difference to where the others' thresholds belong.
 *
 * Above LEAST_SLIDE_TERMS terms they slide only when 7 % of the terms have gone since the
 * last time. */
static gboolean
is_time_to_slide (const MtRefinePath *path)
{
  guint n = path->refine->terms->len;

  return n <= n_slide_terms (path->refine) && (n <= LEAST_SLIDE_TERMS || n <= path->n_slid * SLIDE_AGAIN);
}

/* Weights, tables and thresholds as good as they get with these terms; then the model is kept.
 *
 * Only the very first model may have tables that take more literals than before: there is
 * nothing yet to compare its complexity with.
 *
 * The progress is logarithmic: from 1,000 terms to 100 is as long as from 100 to 10. */
static gboolean
settle (MtRefinePath    *path,
        GError **error)
{
  MtRefine *self = path->refine;
  gboolean is_first = path->visited->len == 0;

  if (!mt_refine_path_fit (path, error))
    return FALSE;
  if (mt_refine_improve_tables (self, is_first) && !mt_refine_path_fit (path, error))
    return FALSE;
  if (is_time_to_slide (path))
    {
      path->n_slid = self->terms->len;
      if (improve_thresholds (self) && !mt_refine_path_fit (path, error))
        return FALSE;
    }
  if (!mt_refine_path_visit (path, error))
    return FALSE;
  report_walk (path, MT_LEARN_ELIMINATING,
               ELIMINATING_FROM + (1 - ELIMINATING_FROM) * (1 - mt_log1p (self->terms->len) / mt_log1p (path->n_start)));
  return TRUE;
}

/* Terms that were dropped come back if they are worth it, and the cheapest moves lead down to
 * no more than the complexity there was. @improved: whether that lowered the loss.
 *
 * An example: at complexity 20 six single literals come back, which makes 26; the cheapest
 * moves lead to 20 again. If the same six go, nothing is gained and nothing lost. If others
 * go instead, the loss is lower, and the way down continues from the better model. */
static gboolean
go_back (MtRefinePath      *path,
         gboolean  *improved,
         GError   **error)
{
  MtRefine *self = path->refine;
  guint complexity = mt_refine_get_complexity (self);
  double loss = mt_linear_fit_get_objective (self->head);

  *improved = FALSE;
  if (mt_refine_bring_back (self, self->options->n_back) == 0)
    return TRUE;
  do
    {
      if (!mt_refine_path_fit (path, error))
        return FALSE;
      mt_refine_eliminate (self);
    }
  while (mt_refine_get_complexity (self) > complexity);
  if (!settle (path, error))
    return FALSE;
  *improved = mt_refine_get_complexity (self) <= complexity &&
              mt_linear_fit_get_objective (self->head) < loss - mt_refine_tolerance (self->head);
  return TRUE;
}

/* From all candidates down to the bias alone. Each round removes something, refits, improves tables and
 * thresholds, and keeps the model. Below back_terms terms it also tries to go back: terms that were dropped too
 * early, when others still stood in for them, may return, and others go in their place. */
static gboolean
run_path (MtRefinePath    *path,
          GError **error)
{
  MtRefine *self = path->refine;

  path->n_start = self->terms->len;
  for (guint t = 0; t < self->terms->len; t++)
    g_ptr_array_add (self->pool, mt_refine_copy_term (self, mt_refine_get_term (self, t)));
  report_walk (path, MT_LEARN_FITTING, FITTING_FROM);
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
      mt_refine_eliminate (self);
      if (!settle (path, error))
        return FALSE;
    }
  return TRUE;
}

/* Class c counts n / (classes × rows of c) times, by mt_task_balance(). */
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

/* Sets up the state of one run, candidates, path, tuning. The order of the candidates is
 * fixed (numbers, literals, nodes of networks, conjunctions of the scan), and equal prices
 * go to the first, so the same rows give the same path.
 *
 * Memory, besides the encoded rows: one plane for each rule (rows / 8 bytes), two bytes a
 * row for each rule of several inputs whose patterns are known, and the inverse of terms²
 * doubles. */
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
  g_autoptr (MtRefineSums) sums = NULL;         /* outlives the head */
  g_autoptr (MtLinearFit) head = NULL;
  g_autoptr (GPtrArray) visited = mt_refine_visited_new ();
  g_autoptr (GPtrArray) terms = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_refine_term_free);
  g_autoptr (GPtrArray) pool = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_refine_term_free);
  g_autoptr (GHashTable) covers = mt_refine_covers_new ();
  MtRefine self = { encoded, target, task, n_outputs, n_rows, mt_encoded_get_n_words (encoded), options };
  MtRefinePath path = { &self, visited, 0, 1, 0, G_MAXUINT, FALSE, 0, 0, progress, progress_data, cancellable };

  g_return_val_if_fail (n_rows > 0, NULL);
  g_return_val_if_fail (options->fan_in >= 1 && options->fan_in <= MT_REFINE_MAX_INPUTS, NULL);
  if (task == MT_TASK_REGRESSION)
    {
      standardised = mt_refine_standardise (target, n_rows, &path.centre, &path.scale);
      self.target = standardised;
    }
  self.ridge = options->ridge > 0 ? (MtRidge) { options->ridge, 0 } : mt_interaction_scan_get_ridge (task, encoded);
  self.head = head = mt_linear_fit_new (task, n_outputs, self.target, n_rows, self.ridge);
  if (options->balance_classes && task != MT_TASK_REGRESSION)
    self.class_weights = class_weights = mt_refine_balance (target, n_rows, task == MT_TASK_BINARY ? 2 : n_outputs);
  mt_linear_fit_set_class_weights (head, class_weights);
  if (options->sums_device != NULL && task == MT_TASK_BINARY)
    {
      self.sums = sums = mt_refine_sums_new (options->sums_device, options->sums_memory, encoded, target, class_weights);
      mt_linear_fit_set_sums (head, &mt_refine_sums_functions, sums);
    }
  self.cancellable = cancellable;
  self.terms = terms;
  self.pool = pool;
  self.covers = covers;
  report_walk (&path, MT_LEARN_SCANNING, 0);
  mt_refine_add_unary_terms (&self);
  if (!mt_refine_add_interactions (&self, cancellable, error) ||
      !run_path (&path, error) ||
      (options->tune && !mt_refine_tune (&path, error)))
    return NULL;
  return g_steal_pointer (&visited);
}
