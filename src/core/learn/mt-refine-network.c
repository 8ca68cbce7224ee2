/* The model at hand as a network, trained by gradient, and its nodes as training left them.
 *
 * Every rule becomes a node whose linear path computes it: a single literal or a conjunction by weights of one size and a
 * bias half of it away from the sum that makes the rule true, any other table by the perceptron rule over its 2^k
 * assignments, if it is linearly separable at all. Numeric columns stand in the head, and all head weights are those of
 * the convex fit, so that before the first step the network says what the model says. Nodes beyond the rules, up to the
 * number asked for, start at random with head weight 0.
 *
 * What makes the nodes free to move: W_map of a node's inputs is raised above the others by MARGIN temperatures, so π is
 * about .9 for them, and the weights are NODE_SCALE of what a reader would choose, about as large as those that the
 * paper starts with. With weights of 1 a quarter as many steps are kept (docs/method-experiments.md).
 *
 * Literals: those that candidates are made of, and the finer thresholds that the rules have slid to (mt-coarse-rows.h);
 * widened afterwards to all.
 *
 * What becomes of the nodes is not decided here: mt-refine-gradient.c.
 *
 * Sizes: up to 128 terms, 2,000 literals; time goes with rows × epochs × nodes × literals. */
#include "config.h"
#include "mt-refine-private.h"

#include <string.h>

#include "base/mt-error.h"
#include "network/mt-coarse-rows.h"

/* A node of one input is a single literal, and an exchange asks every literal in its place: with that fan-in, training
 * changed one recommended model of 18, and a run took × 1.65 the time (docs/method-experiments.md). */
#define LEAST_FAN_IN     2

#define MARGIN           2.5
#define NODE_SCALE       .1
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

/* The weights of the convex fit, each at its place in the network's head. */
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
    }
}

/* The same answers from smaller weights: steps of gradient then count for more. */
static void
scale_node (MtNetNode *node)
{
  for (guint i = 0; i < node->n_inputs; i++)
    node->weights[i] *= (float) NODE_SCALE;
  node->bias *= (float) NODE_SCALE;
}

/* Terms become parts of the network: a number its place among the numeric columns of the head, a rule a node and the
 * node's place in the head. A rule that is not linearly separable, or too wide, becomes nothing: its weight is left out,
 * the network starts without it, and the rule stays in the model. */
static MtNet *
make_net (Builder              *self,
          const MtTrainOptions *options)
{
  const MtRefine *refine = self->refine;
  const MtEncoded *encoded = rows_of (self);
  guint n_literals = mt_encoded_get_n_literals (encoded), n_rules = 0;
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
      if (term->rule == NULL || mt_rule_get_n_inputs (term->rule) > shape.fan_in || !node_of_rule (term->rule, &node))
        continue;
      for (guint i = 0; i < node.n_inputs; i++)
        node.inputs[i] = literal_to (self, mt_rule_get_inputs (term->rule)[i]);
      scale_node (&node);
      node_of[t] = n_rules++;
      g_array_append_val (nodes, node);
      g_ptr_array_add (self->terms, term);
    }
  shape.n_nodes = MAX (n_rules, options->n_nodes);
  net = mt_net_new (&shape, NULL, options->temperature);
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
    set_head_weights (self, net, t, node_of[t]);
  return net;
}

/* A training is one of many in a row: to a listener, their epochs count on. */
static void
report_epochs (const MtTrainProgress *progress,
               gpointer               user_data)
{
  MtRefineTrain *how = user_data;
  MtTrainProgress shown = *progress;

  if (how->progress == NULL || progress->phase != MT_TRAIN_RUNNING)
    return;
  shown.epoch += how->n_epochs;
  shown.max_epochs += how->n_epochs;
  how->progress (&shown, how->progress_data);
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
  options.seed += how->n_trainings;     /* other rows are set aside, others come first: another step than the last one */
  options.n_nodes = mt_net_get_shape (start)->n_nodes;
  options.fan_in = mt_net_get_shape (start)->fan_in;
  options.n_threads = 1;
  options.directions = refine->options->directions;
  if (self->coarse != NULL && refine->options->directions != NULL)
    options.directions = directions = mt_coarse_rows_pick (self->coarse, refine->options->directions);
  options.numeric_directions = refine->options->numeric_directions;
  options.no_negation = refine->options->no_negation;
  mt_train_run (&data, &options, NULL, 0, NULL, report_epochs, how, cancellable, &result, error);
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

/* Adds up what trainings took, and keeps the network with the least loss on the rows set aside, which are others for each.
 * The one that is kept gets all literals again, and the target's own unit, which was
 * standardized. Takes @result. */
static void
keep_network (const MtRefinePath *path,
              MtRefineTrain      *how,
              const MtCoarseRows *coarse,
              MtTrainResult      *result)
{
  how->n_trainings++;
  how->n_epochs += result->n_epochs;
  how->n_steps += result->n_steps;
  how->seconds += result->seconds;
  if (how->result != NULL && !(result->valid_loss < how->result->valid_loss))
    {
      mt_train_result_free (result);
      return;
    }
  if (coarse != NULL)
    {
      MtNet *wide = mt_coarse_rows_widen (coarse, result->net, mt_encoded_get_n_literals (path->refine->encoded));

      mt_net_unref (result->net);
      result->net = wide;
    }
  mt_net_move_scale (result->net, path->centre, path->scale);
  mt_train_result_free (how->result);
  how->result = result;
}

/* A network that cannot be trained (too few rows of a class, say) is no error: there are no nodes then. A device that
 * fails is one, since the whole run is then repeated on the CPU. */
gboolean
mt_refine_train_network (MtRefinePath   *path,
                         MtRefineTrain  *how,
                         GArray         *nodes,
                         GError        **error)
{
  MtRefine *self = path->refine;
  g_autoptr (MtCoarseRows) coarse = NULL;
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  g_autoptr (MtNet) start = NULL;
  g_autoptr (GError) local = NULL;
  Builder builder = { self, NULL, terms, self->options->fan_in };
  MtTrainResult *result;

  if (mt_encoded_get_n_literals (self->encoded) == 0 || self->options->fan_in < LEAST_FAN_IN)
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
      MtTrainedNode node = { .from = j < terms->len ? terms->pdata[j] : NULL };

      read_candidate (&builder, result->net, j, &node.node);
      g_array_append_val (nodes, node);
    }
  keep_network (path, how, coarse, result);
  return TRUE;
}
