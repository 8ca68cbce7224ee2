/* What the walk starts from: columns, literals, nodes of networks, and conjunctions that the scan finds. */
#include "config.h"
#include "mt-refine-private.h"

#include "rules/mt-interaction-scan.h"

/* The fit that networks' nodes are judged by: steps, and the improvement it may leave, in nats. */
#define NODE_STEPS 30
#define NODE_TOLERANCE 1e-3
/* Rows below which the scan is held back. */
#define SMALL_ROWS 2500

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

/* Numeric columns and single literals: what the head sees before any interaction. */
void
mt_refine_add_unary_terms (MtRefine *self)
{
  const gboolean *banned_numeric = self->options->banned_numeric;
  const MtBits256 is_true = { { 2 } };

  for (guint i = 0; i < mt_encoded_get_n_numeric (self->encoded) && self->options->numeric_terms; i++)
    if (banned_numeric == NULL || !banned_numeric[i])
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
 * any is in the head, because they come together. */
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
