/* Tuning: models of the path trained at the complexity they have, by exchanges and by gradient in turn.
 *
 * Elimination visits one model per complexity, and each is what is left of the one before. Here the best model of a
 * complexity of interest is the start. Rounds of exchanges (mt-refine-exchange.c) follow until none gains:
 *
 *   swap    each literal of each rule becomes the one that lowers the loss most
 *   move    some literals more where they gain most (and, or, or a term by itself), all weights refitted, then the
 *           cheapest moves down to the complexity there was; taken back unless the loss is lower then
 *   tables  each set to what the loss wants, if that takes no more literals
 *
 * Then the model is trained as a network (mt-refine-gradient.c), its rules become what the nodes have become, and rounds
 * of exchanges lead on from there. That is one step by gradient. It is taken back unless the loss is then lower at the
 * same complexity; after a step that is kept comes another one, trained on a sample of its own.
 *
 * Every exchange has to gain more than luck gives the best of as many literals (mt_refine_get_least_gain()), because it is
 * the best of so many. A step by gradient is one proposal and has no such price: what it overfits is for the folds to
 * see, which learn by the same steps (docs/method-experiments.md). Between two such complexities elimination leads on from the tuned model, and its models are kept, too; where the first path's
 * model is better, tuning starts again from that. So at each complexity the least training loss is never above the
 * first path's.
 *
 * A swap in numbers: a model of 20 literals in 8 rules has 20 places. Each is scored for
 * 300 literals and their negations; three of these are asked for their exact gain; the
 * best may be taken and refitted. So one round looks at 12,000 possible exchanges and tries at most 8 changes,
 * one for each rule.
 *
 * Time: about half of the path's own, mostly histograms: rows × columns × literals of the model, a round.
 *
 * The stops, from 50 literals down to 3, are closer where the model is small: there a
 * literal more or less is what a reader notices. Each stop costs up to N_ROUNDS rounds.
 *
 * A model of the path is only its rules and weights; to work on it, revisit() makes terms
 * of them again, fits, and goes on. Models that tuning visits are marked is_tuned, so that
 * the path of elimination alone can still be told apart: cross-validation compares the two. */
#include "config.h"
#include "mt-refine-private.h"

#include <string.h>

/* Rounds at one complexity, at most: ten gained as much as four (docs/method-experiments.md). */
#define N_ROUNDS 4
/* Below so many rows only every fourth complexity has its turn: exchange gained nothing there that the folds believed
 * (docs/method-experiments.md). */
#define FEW_ROWS 2500
/* Folds have every second stop; from so many rows on every fourth: what they think of the paths is then far apart. */
#define MANY_ROWS 10000
/* Literals of the model for each that moves at a time, and how many move at most. */
#define LITERALS_FOR_MOVE 12
#define MOST_MOVED        4

/* Steps by gradient at one complexity, at most: the first that is not kept is the last one (docs/method-experiments.md). */
#define N_GRADIENT_STEPS 4

/* Share of the run that is over when tuning begins, about. */
#define TUNING_FROM .5

static const guint stops[] = { 50, 40, 30, 25, 20, 16, 13, 10, 8, 6, 5, 4, 3 };

/* The visited model of at most that complexity with the least loss; NULL: none. */
static const MtPathModel *
best_visited (const MtRefinePath *path,
              guint               complexity)
{
  const MtPathModel *best = NULL;

  for (guint i = 0; i < path->visited->len; i++)
    {
      const MtPathModel *visited = path->visited->pdata[i];

      if (visited->complexity <= complexity && (best == NULL || visited->loss < best->loss))
        best = visited;
    }
  return best;
}

/* Puts @terms, which it empties, in the place of all terms. */
static gboolean
restore (MtRefinePath  *path,
         GPtrArray     *terms,
         GError       **error)
{
  return mt_refine_take_up (path->refine, terms, path->cancellable, error);
}

/* A term of a kept model as a term to work on, with its origin. NULL if the rule cannot be
 * had any more: constant after minimizing. */
static MtRefineTerm *
term_of (const MtRefinePath *path,
         const MtRuleSet    *rules,
         const MtTerm       *term)
{
  MtRefine *self = path->refine;
  MtBits256 table = { { 0 } };
  MtRefineTerm *new;

  if (term->is_numeric)
    new = mt_refine_term_new_numeric (self, term->numeric);
  else
    {
      memcpy (table.words, mt_rule_get_table (term->rule),
              mt_rule_table_words (mt_rule_get_n_inputs (term->rule)) * sizeof (guint64));
      new = mt_refine_term_new_rule (self, mt_rule_get_inputs (term->rule), mt_rule_get_n_inputs (term->rule), &table,
                                     (term->weights[0] > 0) - (term->weights[0] < 0));
      if (new == NULL)
        return NULL;
      mt_rule_set_origin (new->rule, mt_rule_get_origin (term->rule));
    }
  new->start = g_new (double, 2 * self->n_outputs);
  for (guint c = 0; c < self->n_outputs; c++)
    {
      new->start[c] = term->weights[c] / path->scale;
      new->start[self->n_outputs + c] = (mt_rule_set_get_bias (rules)[c] - path->centre) / path->scale;
    }
  return new;
}

/* Makes a visited model the one at hand. */
static gboolean
revisit (MtRefinePath       *path,
         const MtPathModel  *visited,
         GError            **error)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_refine_term_free);

  for (guint t = 0; t < mt_rule_set_get_n_terms (visited->rules); t++)
    {
      MtRefineTerm *term = term_of (path, visited->rules, mt_rule_set_get_term (visited->rules, t));

      if (term != NULL)
        g_ptr_array_add (terms, term);
    }
  path->n_trainings = visited->n_trainings;
  path->n_kept = visited->n_kept;
  return restore (path, terms, error);
}

/* Some literals more where they help most, and as many less where they help least.
 *
 * With 36 literals three are added and three taken away. If the same ones go that came, the
 * loss is the same, and the terms that were put aside restore the model. */
static gboolean
move_literals (MtRefinePath  *path,
               gboolean      *improved,
               GError       **error)
{
  MtRefine *self = path->refine;
  g_autoptr (GPtrArray) kept = NULL;
  guint complexity = mt_refine_get_complexity (self);
  guint n_more = CLAMP (complexity / LITERALS_FOR_MOVE, 1, MOST_MOVED);
  double before = mt_linear_fit_get_objective (self->head), least = mt_refine_get_least_gain (self);

  *improved = FALSE;
  kept = mt_refine_put_aside (self);
  if (mt_refine_lengthen (self, n_more) == 0)
    return TRUE;
  if (!mt_refine_path_fit (path, error))
    return FALSE;
  while (mt_refine_get_complexity (self) > complexity)
    {
      mt_refine_eliminate (self);
      if (!mt_refine_path_fit (path, error))
        return FALSE;
    }
  *improved = mt_linear_fit_get_objective (self->head) < before - least;
  return *improved || restore (path, kept, error);
}

/* Rounds until none gains.
 *
 * Exchange first; moves when exchange finds nothing more, or every second round. Tables
 * last, since they are cheap and depend on everything else. */
static gboolean
converge (MtRefinePath  *path,
          GError       **error)
{
  MtRefine *self = path->refine;
  guint n_changed = 1;

  for (guint i = 0; i < N_ROUNDS && n_changed > 0; i++)
    {
      gboolean improved = FALSE;

      n_changed = 0;
      if (!mt_refine_exchange (self, &n_changed, error))
        return FALSE;
      if (n_changed == 0 || i % 2 == 1)
        {
          if (!move_literals (path, &improved, error))
            return FALSE;
          n_changed += improved;
        }
    }
  return !mt_refine_improve_tables (self, FALSE) || mt_refine_path_fit (path, error);
}

/* Gradient, exchanges, and the question whether that gained. All is as before if it did not, or if nothing changed. */
static gboolean
take_gradient_step (MtRefinePath  *path,
                    gboolean      *improved,
                    GError       **error)
{
  MtRefine *self = path->refine;
  g_autoptr (GPtrArray) before = mt_refine_put_aside (self);
  guint complexity = mt_refine_get_complexity (self);
  double loss = mt_linear_fit_get_objective (self->head);
  guint n_before = self->options->train->n_trainings;

  *improved = FALSE;
  if (!mt_refine_step_by_gradient (path, self->options->train, error))
    return FALSE;
  path->n_trainings += self->options->train->n_trainings - n_before;
  /* Exchanges of the same model would find nothing again. */
  if (!mt_refine_has_other_terms (self, before))
    return restore (path, before, error);
  if (!converge (path, error))
    return FALSE;
  *improved = mt_refine_get_complexity (self) <= complexity &&
              mt_linear_fit_get_objective (self->head) < loss - mt_refine_tolerance (self->head);
  if (!*improved)
    return restore (path, before, error);
  self->options->train->n_kept++;
  path->n_kept++;
  return mt_refine_path_visit (path, error);
}

/* Exchanges, then gradient and exchanges in turn, at the complexity of the model at hand. */
static gboolean
alternate (MtRefinePath  *path,
           GError       **error)
{
  MtRefine *self = path->refine;
  gboolean improved = TRUE;

  if (!converge (path, error) || !mt_refine_path_visit (path, error))
    return FALSE;
  for (guint i = 0; i < N_GRADIENT_STEPS && improved && self->options->train != NULL && self->terms->len > 0; i++)
    if (!take_gradient_step (path, &improved, error))
      return FALSE;
  /* The last one visited is the model at hand: steps that were taken back are trainings of it, too. */
  ((MtPathModel *) path->visited->pdata[path->visited->len - 1])->n_trainings = path->n_trainings;
  return TRUE;
}

/* Folds stop less often: between two stops their models are those of elimination from a tuned one, so what the folds think of
 * tuning is rather too little than too much. */
static guint
stops_at_every (const MtRefine *self)
{
  if (self->n_rows < FEW_ROWS)
    return 4;
  return !self->options->few_stops ? 1 : self->n_rows < MANY_ROWS ? 2 : 4;
}

/* From large to small. Between two stops the tuned model is eliminated further, and each
 * model on that way is kept, so the tuned path is as dense as the first one. Where the
 * first path has a better model for the next stop, the work starts again from that one. */
gboolean
mt_refine_tune (MtRefinePath  *path,
                GError       **error)
{
  MtRefine *self = path->refine;
  gboolean is_under_way = FALSE;
  guint every = stops_at_every (self);

  path->is_tuned = TRUE;
  for (guint s = 0; s < G_N_ELEMENTS (stops); s++)
    {
      const MtPathModel *start;

      if (s % every != 0)
        continue;
      while (is_under_way && self->terms->len > 0 && mt_refine_get_complexity (self) > stops[s])
        {
          mt_refine_eliminate (self);
          if (!mt_refine_path_fit (path, error) || !mt_refine_path_visit (path, error))
            return FALSE;
        }
      start = best_visited (path, stops[s]);
      if (start == NULL || start->complexity < 2)
        continue;
      if ((!is_under_way || start->loss < mt_linear_fit_get_objective (self->head) - mt_refine_tolerance (self->head)) &&
          !revisit (path, start, error))
        return FALSE;
      is_under_way = TRUE;
      if (!alternate (path, error))
        return FALSE;
      mt_refine_path_report (path, MT_LEARN_ELIMINATING,
                             TUNING_FROM + (1 - TUNING_FROM) * (s + 1) / G_N_ELEMENTS (stops));
    }
  return TRUE;
}
