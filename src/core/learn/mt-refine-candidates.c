/* What the walk starts from: columns, literals, nodes of networks, and conjunctions that the scan finds. */
#include "config.h"
#include "mt-refine-private.h"

#include <math.h>

#include "rules/mt-interaction-scan.h"

/* The fit that networks' nodes are judged by: steps, and the improvement it may leave, in nats. */
#define NODE_STEPS 30
#define NODE_TOLERANCE 1e-3
/* Rows below which the scan is held back. */
#define SMALL_ROWS 2500
/* The fit that chooses shapes: steps, and the most columns it may have. */
#define SHAPE_STEPS 30
#define MAX_SHAPES 1000

/* Fine thresholds are no candidates: they are only there to slide to. */
static gboolean
is_candidate (const MtRefineOptions *options,
              guint                  literal)
{
  return (options->banned == NULL || !options->banned[literal]) && (options->fine == NULL || !options->fine[literal]);
}

guint
mt_refine_count_candidates (const MtRefineOptions *options,
                            const MtEncoded       *encoded)
{
  guint n = 0;

  for (guint l = 0; l < mt_encoded_get_n_literals (encoded); l++)
    n += is_candidate (options, l);
  return n;
}

static gboolean
is_banned_number (const MtRefine *self,
                  guint           numeric)
{
  return self->options->banned_numeric != NULL && self->options->banned_numeric[numeric];
}

/* One shape for each number: all shapes of all numbers are fitted together, and as long as a number has several, the one
 * that costs least to lose goes. Thresholds take no part, because the models that matter have few of them. The exchange
 * (mt-refine-exchange.c) may still change a shape later. @chosen: per numeric column. Numbers stay
 * plain if the fit fails; whatever is wrong, the fit of the model says.
 *
 * With three shapes for each of 20 numbers the fit has 60 columns, and 40 of them are
 * dropped one by one, each by one look at the diagonal of the inverse and one update of it:
 * no further pass over the rows. */
static void
choose_shapes (const MtRefine *self,
               gboolean       *chosen)
{
  guint n = mt_encoded_get_n_numeric (self->encoded), n_in = 0, n_plain = 0;
  g_autoptr (MtLinearFit) fit = NULL;
  g_autofree guint *numeric = g_new (guint, MAX (n, 1));   /* per column of the fit */

  for (guint u = 0; u < n; u++)
    if (!is_banned_number (self, u))
      {
        numeric[n_in++] = u;
        n_plain += chosen[u] = mt_encoded_is_plain (self->encoded, u);
      }
  if (n_in == n_plain || n_in > MAX_SHAPES)
    return;
  fit = mt_linear_fit_new (self->task, self->n_outputs, self->target, self->n_rows, self->ridge);
  mt_linear_fit_set_class_weights (fit, self->class_weights);
  for (guint j = 0; j < n_in; j++)
    mt_linear_fit_add (fit, (MtLinearFitColumn) { NULL, mt_encoded_get_numeric (self->encoded, numeric[j]) });
  if (!mt_linear_fit_fit (fit, SHAPE_STEPS, mt_refine_tolerance (fit), self->cancellable, NULL))
    return;
  while (n_in > n_plain)
    {
      double least = INFINITY;
      guint worst = 0;

      for (guint j = 0; j < n_in; j++)
        {
          gboolean is_alone = TRUE;
          double cost;

          for (guint k = 0; k < n_in && is_alone; k++)
            is_alone = k == j || !mt_encoded_is_same_number (self->encoded, numeric[j], numeric[k]);
          if (!is_alone && (cost = mt_linear_fit_get_drop_cost (fit, j)) < least)
            {
              least = cost;
              worst = j;
            }
        }
      if (!isfinite (least))
        return;
      mt_linear_fit_remove (fit, worst);
      numeric[worst] = numeric[--n_in];
    }
  memset (chosen, 0, n * sizeof (gboolean));
  for (guint j = 0; j < n_in; j++)
    chosen[numeric[j]] = TRUE;
}

/* Numeric columns and single literals: what the head sees before any interaction.
 *
 * The table { 2 } is true of assignment 1: the literal itself. A literal that says the same
 * as another one in all rows is not added a second time. */
void
mt_refine_add_unary_terms (MtRefine *self)
{
  guint n_numeric = self->options->numeric_terms ? mt_encoded_get_n_numeric (self->encoded) : 0;
  g_autofree gboolean *chosen = g_new0 (gboolean, MAX (n_numeric, 1));
  const MtBits256 is_true = { { 2 } };

  if (n_numeric > 0)
    choose_shapes (self, chosen);
  for (guint i = 0; i < n_numeric; i++)
    if (chosen[i])
      mt_refine_add_term (self, mt_refine_term_new_numeric (self, i));
  for (guint l = 0; l < mt_encoded_get_n_literals (self->encoded); l++)
    if (is_candidate (self->options, l))
      mt_refine_add_new_term (self, mt_refine_term_new_rule (self, &l, 1, &is_true, 0));
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

/* The conjunction's table is true of one assignment, the one that the scan found. After
 * minimizing, literals that the don't-cares make needless are gone. */
static void
add_conjunction (const MtConjunction *found,
                 gpointer             user_data)
{
  MtRefine *self = user_data;
  MtBits256 table = { { 0 } };

  mt_bits256_set (&table, found->value);
  if (!mt_refine_is_cancelled (self))
    mt_refine_add_new_term (self, mt_refine_term_new_rule (self, found->inputs, found->n_inputs, &table, 0));
}

/* Between rounds of the scan: what goes now may come back later. */
static gboolean
fit_between (guint          max_steps,
             double         tolerance,
             gpointer       user_data,
             GCancellable  *cancellable,
             GError       **error)
{
  return mt_refine_fit_head (user_data, max_steps, tolerance, TRUE, cancellable, error);
}

/* Nodes of networks, as far as they beat luck like the scan's conjunctions: the same test, before
 * any is in the head, because they come together.
 *
 * A node of one input is a literal, and needs no test: it is a candidate already, or its
 * threshold is. */
static gboolean
add_candidates (MtRefine      *self,
                GCancellable  *cancellable,
                GError       **error)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  guint n_literals = mt_refine_count_candidates (self->options, self->encoded);
  double luck;

  if (self->options->n_candidates == 0)
    return TRUE;
  if (!mt_refine_fit_head (self, NODE_STEPS, NODE_TOLERANCE, TRUE, cancellable, error))
    return FALSE;
  luck = self->options->chance * mt_interaction_scan_get_dispersion (self->encoded, self->head, self->n_outputs);
  for (guint c = 0; c < self->options->n_candidates; c++)
    {
      MtRefineTerm *term = mt_refine_term_new_node (self, &self->options->candidates[c]);

      if (term != NULL && mt_refine_is_multi_input (term) && luck > 0 &&
          mt_linear_fit_get_add_gain (self->head, mt_refine_term_get_column (self, term)) <
          luck * mt_interaction_scan_luck_of_best (n_literals, mt_rule_get_n_inputs (term->rule), self->n_outputs))
        mt_refine_term_free (term);
      else
        g_ptr_array_add (terms, term);
    }
  for (guint t = 0; t < terms->len; t++)
    mt_refine_add_new_term (self, terms->pdata[t]);
  return TRUE;
}

/* First the nodes of networks, if there are any, then the rounds of the scan. Each round looks at what the model
 * so far leaves over. */
gboolean
mt_refine_add_interactions (MtRefine      *self,
                            GCancellable  *cancellable,
                            GError       **error)
{
  const MtInteractionScanOptions options = {
    n_per_round (self), self->options->fan_in, self->options->growth, self->ridge,
    self->options->banned, self->options->directions, self->options->no_negation, self->options->chance,
    self->options->fine,
  };

  if (!add_candidates (self, cancellable, error))
    return FALSE;
  return mt_interaction_scan_rounds (self->encoded, self->head, self->n_outputs, &options, n_rounds (self), fit_between,
                                     add_conjunction, self, cancellable, error);
}
