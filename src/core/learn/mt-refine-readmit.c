/* Going back: terms that were dropped too early.
 *
 * Every candidate of the start is kept in the pool. On the last stretch the walk asks which
 * of them would help the model as it is now. Many have gained by the loss of others: of two
 * columns that say nearly the same, one was dropped early, and later the other one, too,
 * because a third seemed to do.
 *
 * A pass over the pool with rough gains (rows for each candidate) makes a list four times
 * as long as is wanted; the exact gains of these (rows × columns each) choose. */
#include "config.h"
#include "mt-refine-private.h"

#include <string.h>

#include "base/mt-planes.h"

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

/* A number counts as there in whatever shape it is. */
static gboolean
is_in_model (const MtRefine     *self,
             const MtRefineTerm *candidate)
{
  for (guint t = 0; candidate->is_numeric && t < self->terms->len; t++)
    if (mt_refine_get_term (self, t)->is_numeric &&
        mt_encoded_is_same_number (self->encoded, mt_refine_get_term (self, t)->numeric, candidate->numeric))
      return TRUE;
  return !candidate->is_numeric && mt_refine_has_column (self, candidate, NULL);
}

/* About what a candidate would gain by itself, as in mt-scan: cheap, for a shortlist. */
static double
rough_gain (MtRefine           *self,
            const MtRefineTerm *candidate)
{
  double gain = 0, ridge = mt_linear_fit_get_ridge (self->head, mt_refine_term_get_column (self, candidate));

  for (guint c = 0; c < self->n_outputs; c++)
    {
      const double *r = mt_linear_fit_get_residual (self->head, c), *h = mt_linear_fit_get_curvature (self->head, c);
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
          /* The curvature of a squared error is 1. */
          sum_h = self->task == MT_TASK_REGRESSION ? (double) mt_plane_count (candidate->plane, self->n_words)
                                                   : mt_plane_sum (candidate->plane, h, self->n_rows);
        }
      if (sum_r * candidate->sign >= 0)
        gain += .5 * sum_r * sum_r / (sum_h + ridge);
    }
  return gain;
}

/* The pool keeps its terms: what comes back is a copy, minimized again. */
MtRefineTerm *
mt_refine_copy_term (MtRefine           *self,
                     const MtRefineTerm *term)
{
  MtBits256 table = { { 0 } };
  MtRefineTerm *copy;

  if (term->is_numeric)
    return mt_refine_term_new_numeric (self, term->numeric);
  memcpy (table.words, mt_rule_get_table (term->rule),
          mt_rule_table_words (mt_rule_get_n_inputs (term->rule)) * sizeof (guint64));
  copy = mt_refine_term_new_rule (self, mt_rule_get_inputs (term->rule), mt_rule_get_n_inputs (term->rule), &table,
                                  term->sign);
  return mt_refine_term_inherit (copy, term);
}

/* The least that a literal of the model costs, given what dropping each term would: by a whole term or by a move inside
 * of one. */
static double
cheapest_literal (MtRefine     *self,
                  const double *costs,
                  double        cheapest_move)
{
  double cheapest = cheapest_move;

  for (guint t = 0; t < self->terms->len; t++)
    cheapest = MIN (cheapest, costs[t] / mt_refine_get_term (self, t)->cost);
  return cheapest;
}

/* Adds the candidates that are worth most for a literal. Returns how many.
 *
 * One that gains less for a literal than the cheapest literal of the model then costs would only go again, so it does not
 * come: for a squared error that is certain but for moves inside of rules and what several candidates do together. Half
 * of all ways back end here, at the price of the gains.
 *
 * Prices are gains for each literal. All gains are of the same model, so the terms that
 * come back may say the same as each other; elimination follows anyway. */
guint
mt_refine_bring_back (MtRefine *self,
                      guint     n_back)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Candidate));
  guint n_short = MIN (4 * n_back, self->pool->len), n_added = 0;
  g_autofree double *costs = g_new (double, MAX (self->terms->len, 1));
  g_autofree MtRuleMove *moves = g_new (MtRuleMove, MAX (self->terms->len, 1));
  double move = mt_refine_find_cheap_moves (self, mt_refine_cheapest_drop (self), moves);

  for (guint i = 0; i < self->pool->len && !mt_refine_is_cancelled (self); i++)
    {
      const MtRefineTerm *term = self->pool->pdata[i];
      Candidate candidate = { i, rough_gain (self, term) / term->cost };

      g_array_append_val (list, candidate);
    }
  g_array_sort (list, compare_candidates);
  g_array_set_size (list, MIN (n_short, list->len));
  for (guint i = 0; i < list->len && !mt_refine_is_cancelled (self); i++)
    {
      Candidate *candidate = &g_array_index (list, Candidate, i);
      const MtRefineTerm *term = self->pool->pdata[candidate->index];

      if (candidate->price > 0 && !is_in_model (self, term))
        {
          candidate->price = mt_linear_fit_get_add_gain_and_costs (self->head, mt_refine_term_get_column (self, term), costs) /
                             term->cost;
          if (candidate->price <= cheapest_literal (self, costs, move))
            candidate->price = 0;
        }
      else
        candidate->price = 0;
    }
  g_array_sort (list, compare_candidates);
  for (guint i = 0; i < list->len && n_added < n_back && !mt_refine_is_cancelled (self); i++)
    {
      const Candidate *candidate = &g_array_index (list, Candidate, i);

      if (candidate->price <= 0)
        break;
      mt_refine_add_term (self, mt_refine_copy_term (self, self->pool->pdata[candidate->index]));
      n_added++;
    }
  return n_added;
}
