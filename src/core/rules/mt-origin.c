/* Where a rule comes from: a node of the network, with what the network itself had to say, the scan for
 * interactions, whose rules never were a node, or somebody who edited it. See mt-origin.h. */
#include "config.h"
#include "mt-origin.h"

#include <math.h>

#include "base/mt-error.h"
#include "logic/mt-truth-table.h"

/* A node with weights keeps them and the table that follows from them; a deep one only its table.
 * The other kinds have no inputs. The inputs are the node's, in its own order of bits, not the
 * rule's: the rule may have lost some, and got others. */
struct _MtOrigin {
  gatomicrefcount  ref_count;
  MtOriginKind     kind;
  MtOriginChanges  changes;
  guint            n_inputs;
  guint           *inputs;
  double          *weights;
  double           threshold;
  guint64         *table;
};

/* Inputs ascend, so the last one is the largest; mt_rule_set_validate() relies on it. */
static MtOrigin *
origin_new (MtOriginKind   kind,
            const guint   *inputs,
            guint          n_inputs,
            GError       **error)
{
  MtOrigin *self;

  if ((kind == MT_ORIGIN_NODE || kind == MT_ORIGIN_DEEP) && (n_inputs < 1 || n_inputs > MT_ORIGIN_MAX_INPUTS))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "a node has 1 to %d inputs, not %u", MT_ORIGIN_MAX_INPUTS, n_inputs);
      return NULL;
    }
  for (guint i = 1; i < n_inputs; i++)
    if (inputs[i] <= inputs[i - 1])
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "a node's inputs must ascend: literal %u follows %u", inputs[i],
                     inputs[i - 1]);
        return NULL;
      }
  self = g_new0 (MtOrigin, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->kind = kind;
  self->n_inputs = n_inputs;
  self->inputs = g_memdup2 (inputs, n_inputs * sizeof *inputs);
  return self;
}

MtOrigin *
mt_origin_new_scan (void)
{
  return origin_new (MT_ORIGIN_SCAN, NULL, 0, NULL);
}

MtOrigin *
mt_origin_new_edit (void)
{
  return origin_new (MT_ORIGIN_EDIT, NULL, 0, NULL);
}

/* The table is made with −threshold as the bias: true iff Σ weights − threshold > 0. */
MtOrigin *
mt_origin_new_node (const guint   *inputs,
                    guint          n_inputs,
                    const double  *weights,
                    double         threshold,
                    GError       **error)
{
  MtOrigin *self;
  gboolean is_finite = isfinite (threshold);

  for (guint i = 0; i < n_inputs; i++)
    is_finite = is_finite && isfinite (weights[i]);
  if (!is_finite)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, "a weight or the threshold of a node is not finite");
      return NULL;
    }
  self = origin_new (MT_ORIGIN_NODE, inputs, n_inputs, error);
  if (self == NULL)
    return NULL;
  self->weights = g_memdup2 (weights, n_inputs * sizeof *weights);
  self->threshold = threshold;
  self->table = g_new0 (guint64, mt_truth_table_n_words (n_inputs));
  mt_truth_table_from_weights (n_inputs, weights, -threshold, self->table);
  return self;
}

MtOrigin *
mt_origin_new_deep (const guint    *inputs,
                    guint           n_inputs,
                    const guint64  *table,
                    GError        **error)
{
  MtOrigin *self = origin_new (MT_ORIGIN_DEEP, inputs, n_inputs, error);

  if (self != NULL)
    self->table = g_memdup2 (table, mt_truth_table_n_words (n_inputs) * sizeof *table);
  return self;
}

MtOrigin *
mt_origin_new_changed (const MtOrigin  *from,
                       MtOriginChanges  changes)
{
  MtOrigin *self = origin_new (from->kind, from->inputs, from->n_inputs, NULL);

  self->changes = from->changes | changes;
  self->weights = g_memdup2 (from->weights, from->weights != NULL ? from->n_inputs * sizeof *from->weights : 0);
  self->threshold = from->threshold;
  self->table = from->table != NULL
    ? g_memdup2 (from->table, mt_truth_table_n_words (from->n_inputs) * sizeof *from->table) : NULL;
  return self;
}

MtOriginChanges
mt_origin_get_changes (const MtOrigin *self)
{
  return self->changes;
}

MtOrigin *
mt_origin_ref (MtOrigin *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_origin_unref (MtOrigin *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->inputs);
  g_free (self->weights);
  g_free (self->table);
  g_free (self);
}

MtOriginKind
mt_origin_get_kind (const MtOrigin *self)
{
  return self->kind;
}

gboolean
mt_origin_is_node (const MtOrigin *self)
{
  return self->table != NULL;
}

guint
mt_origin_get_n_inputs (const MtOrigin *self)
{
  return self->n_inputs;
}

const guint *
mt_origin_get_inputs (const MtOrigin *self)
{
  return self->inputs;
}

const double *
mt_origin_get_weights (const MtOrigin *self)
{
  return self->weights;
}

double
mt_origin_get_threshold (const MtOrigin *self)
{
  return self->threshold;
}

const guint64 *
mt_origin_get_table (const MtOrigin *self)
{
  return self->table;
}

/* What an assignment of the node says of the inputs that it shares with the rule: their values, at the
 * places they have in the rule. */
static guint32
shared_values (const int *places,
               guint      n_inputs,
               guint32    assignment)
{
  guint32 values = 0;

  for (guint i = 0; i < n_inputs; i++)
    if (places[i] >= 0 && (assignment >> i & 1) != 0)
      values |= 1u << places[i];
  return values;
}

/* For each assignment v of the rule, what did the node say? The rule and the node may have
 * different inputs. Only the shared ones tie them together: v fixes these, and all assignments of
 * the node that agree on them are looked at. If all of them answer the same, that is the answer; if
 * not, MT_SAYS_EITHER.
 *
 * An example: the node is x3 ∧ x7 ∧ x9, and the rule kept x3 and x7. Where the rule sees both true,
 * the node says yes or no, depending on x9: either. Everywhere else it says no.
 *
 * Assignments that no row can have are asked only if there are no others for the same shared
 * values. Cost: 2^n of the node times its inputs, at most 16 × 65,536, twice. */
void
mt_origin_answer (const MtOrigin  *self,
                  const MtEncoder *encoder,
                  const guint     *inputs,
                  guint            n_inputs,
                  guint8          *says)
{
  guint32 n_assignments = 1u << n_inputs, shared = 0;
  int places[MT_ORIGIN_MAX_INPUTS];
  g_autofree guint8 *answers = g_new0 (guint8, n_assignments);   /* by the shared inputs: bit 0 no, bit 1 yes */
  g_autofree guint64 *impossible = NULL;

  for (guint32 v = 0; v < n_assignments; v++)
    says[v] = MT_SAYS_NOTHING;
  if (self->table == NULL)
    return;
  for (guint i = 0; i < self->n_inputs; i++)
    {
      places[i] = -1;
      for (guint k = 0; k < n_inputs; k++)
        if (inputs[k] == self->inputs[i])
          places[i] = (int) k;
      shared |= places[i] >= 0 ? 1u << places[i] : 0;
    }
  impossible = g_new0 (guint64, mt_truth_table_n_words (self->n_inputs));
  mt_encoder_impossible (encoder, self->inputs, self->n_inputs, impossible);
  /* What no row can have is asked only where there is nothing else: below the rule asks it, too. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint32 u = 0; u < 1u << self->n_inputs; u++)
      if (mt_truth_table_get (impossible, u) == (pass == 1))
        {
          guint32 values = shared_values (places, self->n_inputs, u);
          guint8 answer = mt_truth_table_get (self->table, u) ? 2 : 1;

          if (pass == 0 || (answers[values] & 4) == 0)
            answers[values] |= (guint8) (answer | (pass == 0 ? 4 : 0));
        }
  for (guint32 v = 0; v < n_assignments; v++)
    {
      guint8 answer = answers[v & shared] & 3;

      says[v] = answer == 3 ? MT_SAYS_EITHER : answer == 2 ? MT_SAYS_YES : MT_SAYS_NO;
    }
}
