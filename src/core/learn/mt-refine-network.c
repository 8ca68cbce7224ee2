/* The model at hand as a network, trained by gradient, and back.
 *
 * Every rule of several inputs becomes a node whose linear path computes it: a conjunction by weights ±1 and a bias of
 * ½ - (number of true literals), any other table by the perceptron rule over its 2^k assignments, if it is linearly
 * separable at all. Single literals and numeric columns stand in the head, and all head weights are those of the convex
 * fit, so that before the first step the network says what the model says. W_map of a node's inputs is raised above
 * the others by MARGIN temperatures: π is then about .9 for them, and gradient can exchange them. Nodes beyond the
 * rules, up to the number asked for, start at random with head weight 0.
 *
 * Literals: those that candidates are made of, and the finer thresholds that the rules have slid to (mt-coarse-rows.h);
 * widened afterwards to all.
 *
 * Training keeps the state with the least loss on the rows set aside, the start included. Then every node that now
 * computes something else offers itself in the place of its rule, and every further node as a term more. What it
 * gains, with all weights refitted on all rows, has to be more than luck gives the best of as many: for a place the
 * luck of an exchange, once for each literal it takes more; for a term more that of a conjunction of so many inputs.
 * So no step makes the training loss worse, and the model keeps to the constraints.
 *
 * Sizes: up to 128 terms, 2,000 literals; time goes with rows × epochs × nodes × literals. */
#include "config.h"
#include "mt-refine-private.h"

#include <string.h>

#include "base/mt-error.h"
#include "network/mt-coarse-rows.h"
#include "rules/mt-interaction-scan.h"
#include "rules/mt-linear-fit-without.h"

#define MARGIN           2.5
#define PERCEPTRON_STEPS 2000

typedef struct {
  MtRefine     *refine;
  MtCoarseRows *coarse;       /* NULL: the encoded rows themselves */
  GPtrArray    *terms;        /* borrowed: of node j, the term it came from */
  guint         fan_in;
} Builder;

/* The rows that the network sees: the coarse ones, if thresholds were left out. */
static const MtEncoded *
rows_of (const Builder *self)
{
  return self->coarse != NULL ? self->coarse->encoded : self->refine->encoded;
}

/* From a literal of the network to one of the encoder … */
static guint
literal_from (const Builder *self,
              guint          coarse)
{
  return self->coarse != NULL ? self->coarse->literals[coarse] : coarse;
}

/* … and back, by halving in the ascending list. The literal must be among those the network
 * has. */
static guint
literal_to (const Builder *self,
            guint          literal)
{
  guint low = 0, high = mt_encoded_get_n_literals (rows_of (self));

  if (self->coarse == NULL)
    return literal;
  while (low + 1 < high)
    {
      guint middle = (low + high) / 2;

      if (self->coarse->literals[middle] <= literal)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* --- there --- */

/* Weights of a node that computes the rule; FALSE: no linear path does.
 *
 * The perceptron rule goes over the assignments again and again; where the sum does not
 * have the wanted sign by a margin of ¼, it moves the bias and the weights of the true
 * inputs by ½ towards it. If any weights separate the table, that ends after finitely many
 * corrections; the limit of PERCEPTRON_STEPS ends it for the others (x0 ⊕ x1, for one),
 * which then stay out of the network. Steps of ½ are exact in floats. */
static gboolean
node_of_rule (const MtRule *rule,
              MtNetNode    *node)
{
  guint n = mt_rule_get_n_inputs (rule);
  const guint64 *table = mt_rule_get_table (rule);
  double weights[MT_REFINE_MAX_INPUTS + 1] = { 0 };
  gboolean is_done = FALSE;

  memset (node, 0, sizeof *node);
  node->n_inputs = n;
  if (mt_rule_get_n_cubes (rule) == 1)
    {
      const MtCube *cube = mt_rule_get_cubes (rule);

      weights[n] = .5 - __builtin_popcount (cube->mask & cube->value);
      for (guint i = 0; i < n; i++)
        weights[i] = cube->mask >> i & 1 ? (cube->value >> i & 1 ? 1 : -1) : 0;
      is_done = TRUE;
    }
  for (guint step = 0; step < PERCEPTRON_STEPS && !is_done; step++)
    {
      is_done = TRUE;
      for (guint v = 0; v < 1u << n; v++)
        {
          int want = table[v / 64] >> (v % 64) & 1 ? 1 : -1;
          double sum = weights[n];

          for (guint i = 0; i < n; i++)
            sum += v >> i & 1 ? weights[i] : 0;
          if (sum * want > .25)
            continue;
          is_done = FALSE;
          weights[n] += .5 * want;
          for (guint i = 0; i < n; i++)
            weights[i] += v >> i & 1 ? .5 * want : 0;
        }
    }
  for (guint i = 0; i < n; i++)
    node->weights[i] = (float) weights[i];
  node->bias = (float) weights[n];
  return is_done;
}

/* Which thresholds the network does without. */
static gboolean *
mark_left_out (const MtRefine *self)
{
  guint n_literals = mt_encoded_get_n_literals (self->encoded);
  gboolean *left_out = g_memdup2 (self->options->fine, n_literals * sizeof (gboolean));

  for (guint t = 0; t < self->terms->len; t++)
    {
      const MtRefineTerm *term = mt_refine_get_term (self, t);

      for (guint i = 0; term->rule != NULL && i < mt_rule_get_n_inputs (term->rule); i++)
        left_out[mt_rule_get_inputs (term->rule)[i]] = FALSE;
    }
  return left_out;
}

/* The weights of the convex fit, each at its place in the network's head. A literal that
 * stands negated in the model has no place of its own: w (1 − x) is w in the bias and −w
 * for the literal. */
static void
set_head_weights (Builder *self,
                  MtNet   *net,
                  guint    index,
                  guint    node)
{
  const MtRefine *refine = self->refine;
  const MtRefineTerm *term = mt_refine_get_term (refine, index);

  for (guint c = 0; c < refine->n_outputs; c++)
    {
      double weight = mt_linear_fit_get_weight (refine->head, index, c);

      if (term->rule == NULL)
        mt_net_set_numeric_weight (net, c, term->numeric, weight);
      else if (node != G_MAXUINT)
        mt_net_set_node_weight (net, c, node, weight);
      else if (mt_rule_get_cubes (term->rule)->value == 1)
        mt_net_set_literal_weight (net, c, literal_to (self, mt_rule_get_inputs (term->rule)[0]), weight);
      else     /* a negation: 1 - x */
        {
          mt_net_set_literal_weight (net, c, literal_to (self, mt_rule_get_inputs (term->rule)[0]), -weight);
          mt_net_set_bias (net, c, mt_net_get_bias (net, c) + weight);
        }
    }
}

/* Terms become parts of the network:
 *
 *   a number                     its place among the numeric columns of the head
 *   a literal or its negation    its place among the literals of the head
 *   a rule of several inputs     a node, and the node's place in the head
 *   a rule that is not linearly  nothing: its weight is left out, the network starts without it, and the rule
 *   separable, or too wide       stays in the model */
static MtNet *
make_net (Builder              *self,
          const MtTrainOptions *options)
{
  const MtRefine *refine = self->refine;
  const MtEncoded *encoded = rows_of (self);
  guint n_literals = mt_encoded_get_n_literals (encoded), n_rules = 0;
  g_autofree guint8 *in_head = g_malloc0 (MAX (n_literals, 1));
  g_autofree guint *node_of = g_new (guint, MAX (refine->terms->len, 1));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (MtNetNode));
  MtNetShape shape = {
    refine->task, n_literals, mt_encoded_get_n_numeric (encoded), refine->n_outputs, 0,
    MIN (self->fan_in, n_literals), options->node,
  };
  MtNet *net;

  for (guint t = 0; t < refine->terms->len; t++)
    {
      MtRefineTerm *term = mt_refine_get_term (refine, t);
      MtNetNode node;

      node_of[t] = G_MAXUINT;
      if (term->rule == NULL)
        continue;
      if (!mt_refine_is_multi_input (term))
        in_head[literal_to (self, mt_rule_get_inputs (term->rule)[0])] = 1;
      else if (mt_rule_get_n_inputs (term->rule) <= shape.fan_in && node_of_rule (term->rule, &node))
        {
          for (guint i = 0; i < node.n_inputs; i++)
            node.inputs[i] = literal_to (self, mt_rule_get_inputs (term->rule)[i]);
          node_of[t] = n_rules++;
          g_array_append_val (nodes, node);
          g_ptr_array_add (self->terms, term);
        }
    }
  shape.n_nodes = MAX (n_rules, options->n_nodes);
  net = mt_net_new (&shape, in_head, options->temperature);
  mt_net_set_target_scale (net, 0, 1);
  mt_net_randomise (net, options->seed);
  for (guint c = 0; c < refine->n_outputs; c++)
    {
      mt_net_set_bias (net, c, mt_linear_fit_get_bias (refine->head, c));
      for (guint j = 0; j < shape.n_nodes; j++)
        mt_net_set_node_weight (net, c, j, 0);
    }
  for (guint j = 0; j < n_rules; j++)
    mt_net_place_node (net, j, &g_array_index (nodes, MtNetNode, j), MARGIN * options->temperature);
  for (guint t = 0; t < refine->terms->len; t++)
    if (mt_refine_get_term (refine, t)->rule == NULL || !mt_refine_is_multi_input (mt_refine_get_term (refine, t)) ||
        node_of[t] != G_MAXUINT)
      set_head_weights (self, net, t, node_of[t]);
  return net;
}

/* On one thread, because parts of the data are trained side by side. The model's
 * constraints hold for the network, too. NULL if it could not be trained. */
static MtTrainResult *
train (Builder         *self,
       MtRefineTrain   *how,
       const MtNet     *start,
       GCancellable    *cancellable,
       GError         **error)
{
  const MtRefine *refine = self->refine;
  MtTrainOptions options = how->options;
  MtTrainData data = { rows_of (self), refine->task, 0, NULL, refine->target };
  g_autofree guint32 *classes = NULL;
  g_autofree gint8 *directions = NULL;
  MtTrainResult *result = NULL;

  if (refine->task != MT_TASK_REGRESSION)
    {
      classes = g_new (guint32, MAX (refine->n_rows, 1));
      for (gsize r = 0; r < refine->n_rows; r++)
        classes[r] = (guint32) refine->target[r];
      data.n_classes = refine->task == MT_TASK_BINARY ? 2 : refine->n_outputs;
      data.classes = classes;
      data.values = NULL;
    }
  options.start_net = start;
  options.n_nodes = mt_net_get_shape (start)->n_nodes;
  options.fan_in = mt_net_get_shape (start)->fan_in;
  options.n_threads = 1;
  options.directions = refine->options->directions;
  if (self->coarse != NULL && refine->options->directions != NULL)
    options.directions = directions = mt_coarse_rows_pick (self->coarse, refine->options->directions);
  options.numeric_directions = refine->options->numeric_directions;
  options.no_negation = refine->options->no_negation;
  mt_train_run (&data, &options, NULL, 0, NULL, how->progress, how->progress_data, cancellable, &result, error);
  return result;
}

/* --- and back --- */

/* A node of the trained network as the rest of the learner knows nodes, in literals of the
 * encoder. */
static void
read_candidate (const Builder *self,
                const MtNet   *net,
                guint          node,
                MtCandidate   *out)
{
  MtNetNode from;

  memset (out, 0, sizeof *out);
  mt_net_read_node (net, node, &from);
  out->n_inputs = from.n_inputs;
  for (guint i = 0; i < from.n_inputs; i++)
    {
      out->inputs[i] = literal_from (self, from.inputs[i]);
      out->weights[i] = from.weights[i];
    }
  mt_net_fill_table (net, node, out->table);
  out->is_linear = mt_net_get_shape (net)->kind == MT_NODE_STANDARD;
  out->threshold = -from.bias;
}

/* What the node has to gain: luck, and for each literal more once more.
 *
 * A node in the place of a rule is one exchange; each literal that it takes more has to pay
 * the same once more. A node without a predecessor is like a conjunction of the scan: it
 * was found among all those of so many inputs. */
static double
price_of (MtRefine           *self,
          const MtRefineTerm *new,
          const MtRefineTerm *old)
{
  double one = mt_refine_get_least_gain (self);
  double luck = self->options->chance * mt_interaction_scan_get_dispersion (self->encoded, self->head, self->n_outputs);

  if (old != NULL)
    return one * (1 + (new->cost > old->cost ? new->cost - old->cost : 0));
  return MAX (one * new->cost,
              luck * mt_interaction_scan_luck_of_best (mt_refine_count_candidates (self->options, self->encoded),
                                                       mt_rule_get_n_inputs (new->rule), self->n_outputs));
}

/* The node in the place of its term (NULL: as one more) if that gains enough.
 *
 * Nothing happens (taken FALSE) when the old term is gone, when the node is constant or the
 * column of some term in the model, or when it gains too little. FALSE only if a fit
 * failed. */
static gboolean
offer_node (MtRefine          *self,
            const MtCandidate *node,
            MtRefineTerm      *old,
            gboolean          *taken,
            GError           **error)
{
  guint index = MT_LINEAR_FIT_NO_COLUMN;
  g_autoptr (MtLinearFitWithout) without = NULL;
  g_autofree double *gradient = g_new (double, self->n_outputs);
  MtRefineTerm *new;
  double gain, least;

  *taken = FALSE;
  if (old != NULL && !g_ptr_array_find (self->terms, old, &index))
    return TRUE;
  new = mt_refine_term_change (mt_refine_term_new_node (self, node), NULL, MT_CHANGED_BY_GRADIENT);
  if (new == NULL)
    return TRUE;
  if (mt_refine_has_column (self, new, NULL))      /* the term's own column is no change */
    {
      mt_refine_term_free (new);
      return TRUE;
    }
  without = mt_linear_fit_without_new (self->head, index);
  if (without == NULL)
    {
      mt_refine_term_free (new);
      return TRUE;
    }
  gain = mt_linear_fit_without_get_gain (without, mt_refine_term_get_column (self, new), gradient) -
         mt_linear_fit_without_get_cost (without);
  least = price_of (self, new, old);
  if (gain < least || gradient[0] * new->sign < 0)
    {
      mt_refine_term_free (new);
      return TRUE;
    }
  return mt_refine_take_if_better (self, index, new, least, taken, error);
}

/* Nodes are offered one after the other, each to the model as it then is. A network that
 * cannot be trained (too few rows of a class, say) is no error: the model stays as it is. A
 * device that fails is one, since the whole run is then repeated on the CPU. */
gboolean
mt_refine_train_network (MtRefinePath   *path,
                         MtRefineTrain  *how,
                         GError        **error)
{
  MtRefine *self = path->refine;
  g_autoptr (MtCoarseRows) coarse = NULL;
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  g_autoptr (MtNet) start = NULL;
  g_autoptr (GError) local = NULL;
  Builder builder = { self, NULL, terms, self->options->fan_in };
  MtTrainResult *result;

  if (mt_encoded_get_n_literals (self->encoded) == 0 || self->options->fan_in < 2)
    return TRUE;
  if (self->options->fine != NULL)
    {
      g_autofree gboolean *left_out = mark_left_out (self);

      builder.coarse = coarse = mt_coarse_rows_new (self->encoded, left_out, path->cancellable, &local);
      if (coarse == NULL)
        return !g_cancellable_set_error_if_cancelled (path->cancellable, error);
    }
  start = make_net (&builder, &how->options);
  result = train (&builder, how, start, path->cancellable, &local);
  if (g_cancellable_set_error_if_cancelled (path->cancellable, error))
    {
      mt_train_result_free (result);
      return FALSE;
    }
  if (result == NULL && g_error_matches (local, MT_ERROR, MT_ERROR_DEVICE))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (result == NULL)       /* no network then: it has to be trained for nothing else */
    return TRUE;
  for (guint j = 0; j < mt_net_get_shape (result->net)->n_nodes; j++)
    {
      MtCandidate node;
      gboolean taken;

      read_candidate (&builder, result->net, j, &node);
      if (!offer_node (self, &node, j < terms->len ? terms->pdata[j] : NULL, &taken, error))
        {
          mt_train_result_free (result);
          return FALSE;
        }
      how->n_taken += taken;
    }
  how->n_nodes = terms->len;
  if (coarse != NULL)
    {
      MtNet *wide = mt_coarse_rows_widen (coarse, result->net, mt_encoded_get_n_literals (self->encoded));

      mt_net_unref (result->net);
      result->net = wide;
    }
  /* The target was standardized before; its own unit again. */
  mt_net_move_scale (result->net, path->centre, path->scale);
  mt_train_result_free (how->result);
  how->result = result;
  return TRUE;
}
