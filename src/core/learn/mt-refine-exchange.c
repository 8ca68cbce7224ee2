/* Exchange: another literal in the place of one, at equal complexity.
 *
 * Elimination is short-sighted: which literals are left in a model of twenty depends on what the model of two
 * hundred could do without. So a model on the path is improved at the complexity it has: every literal of every
 * rule may become any other literal of the data, fine thresholds and levels and negations included, as long as the
 * loss falls; a numeric column that stands by itself may become another or a literal, and a literal a column. Then
 * one literal more is put where it helps most (and to a rule, or to it, or by itself), the cheapest ones go, and
 * this is kept if the model is then better at the complexity there was.
 *
 * Every place of every rule is opened (mt-refine-place.h) and all literals are scored for it at once
 * (mt-refine-place-scores.c). The few best, of different columns, are asked for their gain over all rows with all
 * weights refitted, and the best of these takes the place. It is kept if the refitted loss is lower.
 *
 * The cost of asking: for each place a score of all literals (sums over rows, floats), for
 * the few best of them the exact gain (a pass over rows × columns, doubles), and for the
 * one that is taken a fit. Each step throws out nearly all candidates before the next,
 * dearer one.
 *
 * What a change must gain is the larger of two: a share of the loss, so that rounding does
 * not keep the search busy; and luck (mt_refine_get_least_gain()). With 200 literals that
 * is .35 × log 200 = 1.9 times the dispersion. */
#include "config.h"
#include "mt-refine-place.h"

#include "rules/mt-interaction-scan.h"
#include "rules/mt-linear-fit-without.h"

/* Share of the loss that a change must gain; what luck gives the best of as many literals is asked for as well. */
#define LEAST_SHARE  1e-4
/* Of what is needed, the share that a score has to promise: it is the gain but for rounding where all rows are scored, and
 * an estimate where a sample is. */
#define PROMISE         .9
#define PROMISE_SAMPLED .6

/* --- the best of a place --- */

typedef struct {
  MtRefineTerm *term;     /* NULL: none */
  double        gain;     /* compared with the fit without what it replaces */
} Found;

/* Asks the short list. @term: what the place is in, NULL: nothing; @max_cost: literals that it may take; @needed: gain below
 * which none is of use.
 *
 * The list is sorted by score, so the first one that promises too little ends it. A choice
 * is dropped if it is a copy of a column in the model, takes too many literals, or would
 * get a weight of the wrong sign. */
static void
ask_choices (MtRefine                 *self,
             const MtLinearFitWithout *without,
             const MtPlace            *place,
             const MtPlaceChoice      *best,
             const MtRefineTerm       *term,
             guint                     max_cost,
             double                    needed,
             Found                    *found)
{
  double promise = mt_place_scores_all_rows (self) ? PROMISE : PROMISE_SAMPLED;

  for (guint i = 0; i < MT_PLACE_SHORT && best[i].score > 0 && !mt_refine_is_cancelled (self); i++)
    {
      double gain;
      g_autofree double *gradient = g_new (double, self->n_outputs);
      MtRefineTerm *new;

      if (best[i].score < promise * MAX (needed, found->gain))
        break;
      new = best[i].is_numeric ? mt_refine_term_new_numeric (self, best[i].literal)
                               : mt_place_fill (place, self, best[i].literal, best[i].negated);
      if (new == NULL)
        continue;
      gain = mt_linear_fit_without_get_gain (without, mt_refine_term_get_column (self, new), gradient);
      if (new->cost <= max_cost && gain > found->gain && gradient[0] * new->sign >= 0 &&
          (new->is_numeric || !mt_refine_has_column (self, new, term)))
        {
          mt_refine_term_free (found->term);
          *found = (Found) { new, gain };
        }
      else
        mt_refine_term_free (new);
    }
}

/* One place: score all literals, then ask the best few. */
static void
search_place (MtRefine                 *self,
              MtPlaceScorer            *scorer,
              const MtLinearFitWithout *without,
              const MtPlace            *place,
              MtRefineTerm             *term,
              guint                     index,
              guint                     dropped,
              guint                     old,
              guint                     max_cost,
              double                    needed,
              Found                    *found)
{
  MtPlaceChoice best[MT_PLACE_SHORT];

  mt_place_scorer_choose (scorer, place, term, index, dropped, old, best);
  ask_choices (self, without, place, best, term, max_cost, needed, found);
}

/* --- exchanging --- */

/* The best of n literals that mean nothing gains about log n times the dispersion
 * (mt_interaction_scan_luck_of_best()); a share of that, options->chance, is asked for. */
double
mt_refine_get_least_gain (MtRefine *self)
{
  double luck = self->options->chance *
    mt_interaction_scan_get_dispersion (self->encoded, self->head, self->n_outputs) *
    mt_interaction_scan_luck_of_best (MAX (mt_encoded_get_n_literals (self->encoded), 1), 1, self->n_outputs);

  return MAX (LEAST_SHARE * mt_linear_fit_get_loss (self->head), luck);
}

/* Terms change their places when others are taken out, so a term is found by its address.
 * G_MAXUINT: it is gone. */
static guint
index_of (const MtRefine     *self,
          const MtRefineTerm *term)
{
  guint index = G_MAXUINT;

  g_ptr_array_find (self->terms, term, &index);
  return index;
}

static gboolean
refit (MtRefine  *self,
       GError   **error)
{
  return mt_refine_fit_head (self, 50, mt_refine_tolerance (self->head), FALSE, self->cancellable, error);
}

/* Puts @new, which it takes, in the place of the term at @index (beyond the last: as one more), if the refitted loss is
 * then lower by half of @least at least; otherwise all is as before.
 *
 * Try and take back: the estimate was of second order, the refit is the truth. Under
 * constraints the fit may also drop terms, the new one among them; the number of terms then
 * says so, and the change is undone. */
static gboolean
take_if_better (MtRefine      *self,
                guint          index,
                MtRefineTerm  *new,
                double         least,
                gboolean      *taken,
                GError       **error)
{
  double before = mt_linear_fit_get_objective (self->head);
  g_autoptr (GPtrArray) terms = mt_refine_put_aside (self);
  g_autoptr (MtLinearFit) head = self->sums == NULL ? mt_linear_fit_copy (self->head) : NULL;
  guint n_terms;

  if (index < self->terms->len)
    mt_refine_remove_term (self, index);
  n_terms = self->terms->len + 1;
  mt_refine_add_term (self, new);
  if (!refit (self, error))
    return FALSE;
  *taken = self->terms->len == n_terms && mt_linear_fit_get_objective (self->head) < before - .5 * least;
  if (!*taken && head == NULL)
    return mt_refine_take_up (self, terms, self->cancellable, error);
  if (!*taken)
    mt_refine_go_back_to (self, terms, g_steal_pointer (&head));
  return TRUE;
}

/* Every place of the term: the best other literal. */
static void
search_term (MtRefine      *self,
             MtPlaceScorer *scorer,
             MtRefineTerm  *term,
             guint          index,
             double         least,
             Found         *found,
             double        *cost)
{
  g_autoptr (MtLinearFitWithout) without = mt_linear_fit_without_new (self->head, index);
  MtPlace place;

  *cost = 0;
  if (without == NULL)
    return;
  *cost = mt_linear_fit_without_get_cost (without);
  if (term->rule == NULL)
    {
      mt_place_open_beside (&place, NULL, FALSE);
      search_place (self, scorer, without, &place, term, index, G_MAXUINT, G_MAXUINT, 1, *cost + least, found);
      return;
    }
  for (guint i = 0; i < mt_rule_get_n_inputs (term->rule) && !mt_refine_is_cancelled (self); i++)
    {
      mt_place_open_input (&place, term->rule, i);
      search_place (self, scorer, without, &place, term, index, i, mt_rule_get_inputs (term->rule)[i], term->cost,
                    *cost + least, found);
    }
}

/* The terms are listed at the start, because they change places on the way. After a change
 * the scorer is made again: it belongs to the columns as they were. Without changes it is
 * made once, and most of its sums are shared by all places. */
gboolean
mt_refine_exchange (MtRefine  *self,
                    guint     *n_changed,
                    GError   **error)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  g_autoptr (MtPlaceScorer) scorer = mt_place_scorer_new (self);

  for (guint t = 0; t < self->terms->len; t++)
    g_ptr_array_add (terms, mt_refine_get_term (self, t));
  for (guint t = 0; t < terms->len && scorer != NULL && !mt_refine_is_cancelled (self); t++)
    {
      guint index = index_of (self, terms->pdata[t]);
      double least = mt_refine_get_least_gain (self), cost;
      gboolean taken = FALSE;
      Found found = { NULL, 0 };

      if (index == G_MAXUINT)
        continue;
      search_term (self, scorer, terms->pdata[t], index, least, &found, &cost);
      if (found.term != NULL && found.gain > cost + least)
        {
          if (!take_if_better (self, index, mt_refine_term_change (found.term, terms->pdata[t], MT_CHANGED_BY_EXCHANGE),
                               least, &taken, error))
            return FALSE;
          *n_changed += taken;
          if (!taken)
            continue;
          /* The columns are others now. */
          mt_place_scorer_free (scorer);
          scorer = mt_place_scorer_new (self);
        }
      else
        mt_refine_term_free (found.term);
    }
  return TRUE;
}

/* --- lengthening --- */

typedef struct {
  MtRefineTerm *old;       /* NULL: a term more */
  MtRefineTerm *new;
  double        net;
} Longer;

static int
compare_longer (gconstpointer a,
                gconstpointer b)
{
  const Longer *p = a, *q = b;

  return p->net > q->net ? -1 : p->net < q->net;
}

/* The literal more that a term gains most by.
 *
 * "f and x" only for a rule that is one conjunction: with several, the new literal would
 * have to be repeated in each of them when the rule is written out. "f or x" for every
 * rule. */
static void
search_longer (MtRefine      *self,
               MtPlaceScorer *scorer,
               guint          index,
               GArray        *list)
{
  MtRefineTerm *term = index < self->terms->len ? mt_refine_get_term (self, index) : NULL;
  g_autoptr (MtLinearFitWithout) without = mt_linear_fit_without_new (self->head, term != NULL ? index : MT_LINEAR_FIT_NO_COLUMN);
  Found found = { NULL, 0 };
  Longer longer = { term, NULL, 0 };
  MtPlace place;
  double least, needed;

  if (without == NULL)
    return;
  least = mt_refine_get_least_gain (self);
  needed = mt_linear_fit_without_get_cost (without) + least;
  if (term == NULL)
    {
      mt_place_open_beside (&place, NULL, FALSE);
      search_place (self, scorer, without, &place, NULL, MT_LINEAR_FIT_NO_COLUMN, G_MAXUINT, G_MAXUINT, 1, needed,
                  &found);
    }
  else
    for (guint is_or = 0; is_or < 2; is_or++)
      if (is_or || mt_rule_get_n_cubes (term->rule) == 1)
        {
          mt_place_open_beside (&place, term->rule, is_or);
          search_place (self, scorer, without, &place, term, index, G_MAXUINT, G_MAXUINT, term->cost + 1, needed,
                        &found);
        }
  longer.new = found.term;
  longer.net = found.gain - mt_linear_fit_without_get_cost (without);
  if (longer.new != NULL && longer.net > least)
    g_array_append_val (list, longer);
  else
    mt_refine_term_free (longer.new);
}

/* Up to @n_more literals more where they gain most, no two in one term. Returns how many; not fitted yet.
 *
 * The gains of several additions do not add up, since they explain some of the same loss;
 * the refit that follows and the elimination back to the old complexity find out. */
guint
mt_refine_lengthen (MtRefine *self,
                    guint     n_more)
{
  g_autoptr (MtPlaceScorer) scorer = mt_place_scorer_new (self);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Longer));
  guint n_added = 0;

  if (scorer == NULL)
    return 0;
  for (guint t = 0; t <= self->terms->len && !mt_refine_is_cancelled (self); t++)
    {
      const MtRefineTerm *term = t < self->terms->len ? mt_refine_get_term (self, t) : NULL;

      if (term == NULL || (term->rule != NULL && mt_rule_get_n_inputs (term->rule) < self->options->fan_in))
        search_longer (self, scorer, t, list);
    }
  g_array_sort (list, compare_longer);
  for (guint i = 0; i < list->len; i++)
    {
      const Longer *longer = &g_array_index (list, Longer, i);

      if (n_added == n_more ||
          (longer->new->is_numeric ? mt_refine_has_number (self, longer->new->numeric, longer->old)
                                   : mt_refine_has_column (self, longer->new, longer->old)))
        {
          mt_refine_term_free (longer->new);
          continue;
        }
      mt_refine_term_change (longer->new, longer->old, MT_CHANGED_BY_EXCHANGE);
      if (longer->old != NULL)
        mt_refine_remove_term (self, index_of (self, longer->old));
      mt_refine_add_term (self, longer->new);
      n_added++;
    }
  return n_added;
}
