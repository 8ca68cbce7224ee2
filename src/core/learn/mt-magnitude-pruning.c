/* The paper's way from a network to simpler ones, for comparison: prune by magnitude, tune, repeat. See mt-
 * magnitude-pruning.h.
 *
 * It is there to compare with, so it is written plainly: one row at a time, doubles, no
 * blocks. The state is the network with flags: is_left for each input of each node and for
 * each term of the head. A round:
 *
 *   prune_connections()   a tenth of the nodes' inputs, those with the smallest |weight|, goes
 *   prune_terms()         a tenth of the head's terms, by the sum of |weight| over the outputs
 *   tune()                10 epochs of AdamW on what is left, between 100 and 300 steps
 *   visit()               nodes as truth tables, tables as rules, the model into the list
 *
 * From 200 connections it takes about 40 rounds to the last one. Cost of a round: rows × 10
 * × (terms + nodes × inputs). */
#include "config.h"
#include "mt-magnitude-pruning.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-math.h"
#include "base/mt-random.h"
#include "mt-refine-private.h"
#include "logic/mt-truth-table.h"

/* Share of what is left that goes in a round. */
#define SHARE .1
/* Steps of tuning between two rounds: so many epochs, within these bounds. */
#define EPOCHS    10
#define MIN_STEPS 100
#define MAX_STEPS 300

enum { K = MT_REFINE_MAX_INPUTS };

/* A term of the head. */
typedef enum {
  TERM_NUMERIC,
  TERM_LITERAL,
  TERM_NODE,
} TermKind;

typedef struct {
  TermKind kind;
  guint    index;
  gboolean is_left;
} HeadTerm;

typedef struct {
  guint    n_inputs;
  guint    inputs[K];
  gboolean is_left[K];
} Node;

/* All parameters are one array: node after node its K weights and its bias, then term after term its
 * n_outputs weights, then n_outputs biases. What was pruned is zero and has no gradient. */
typedef struct {
  const MtEncoded *encoded;
  const double    *target;        /* regression: standardized */
  MtTask           task;
  guint            n_outputs;
  gsize            n_rows;
  double           centre, scale; /* of the target */
  const double    *class_weights; /* how much a row of each class counts; NULL: all the same */

  Node            *nodes;
  guint            n_nodes;
  HeadTerm        *terms;
  guint            n_terms;
  guint           *term_of_node;

  gsize            n_params;
  double          *params;
  double          *gradient;
  double          *moments;       /* 2 × n_params */
  guint            n_steps;
  guint8          *answers;       /* of the nodes, for one row */
  double          *scores;        /* n_outputs */
} Magnitude;

/* Where a node's K weights and its bias begin, in an array of parameters or of gradients. */
static double *
node_weights (const Magnitude *self,
              double          *of,
              guint            node)
{
  return of + (gsize) node * (K + 1);
}

/* Where a term's n_outputs weights begin. */
static double *
term_weights (const Magnitude *self,
              double          *of,
              guint            term)
{
  return of + (gsize) self->n_nodes * (K + 1) + (gsize) term * self->n_outputs;
}

/* After the last term's weights. */
static double *
biases (const Magnitude *self,
        double          *of)
{
  return term_weights (self, of, self->n_terms);
}

/* --- reading the network --- */

/* Weights are brought to the standardized target, in which the tuning is done. */
static void
add_head_term (Magnitude   *self,
               const MtNet *net,
               TermKind     kind,
               guint        index)
{
  double *weights = term_weights (self, self->params, self->n_terms);

  self->terms[self->n_terms++] = (HeadTerm) { kind, index, TRUE };
  for (guint c = 0; c < self->n_outputs; c++)
    weights[c] = (kind == TERM_NUMERIC ? mt_net_get_numeric_weight (net, c, index) :
                  kind == TERM_LITERAL ? mt_net_get_literal_weight (net, c, index) :
                                         mt_net_get_node_weight (net, c, index)) / self->scale;
}

/* The network's nodes and the terms of its head, one after the other. The parameters are those of the nodes (K
 * weights and a bias each), then of the terms, then the biases. */
static void
read_net (Magnitude   *self,
          const MtNet *net,
          gboolean     numeric_terms)
{
  const MtNetShape *shape = mt_net_get_shape (net);
  gsize most_terms = (gsize) shape->n_numeric + shape->n_literals + shape->n_nodes;

  self->n_nodes = shape->n_nodes;
  self->nodes = g_new0 (Node, MAX (self->n_nodes, 1));
  self->terms = g_new0 (HeadTerm, MAX (most_terms, 1));
  self->term_of_node = g_new0 (guint, MAX (self->n_nodes, 1));
  self->answers = g_malloc0 (MAX (self->n_nodes, 1));
  self->scores = g_new0 (double, self->n_outputs);
  self->params = g_new0 (double, (gsize) self->n_nodes * (K + 1) + (most_terms + 1) * self->n_outputs);
  for (guint j = 0; j < self->n_nodes; j++)
    {
      double *weights = node_weights (self, self->params, j);
      MtNetNode node;

      mt_net_read_node (net, j, &node);
      self->nodes[j].n_inputs = node.n_inputs;
      for (guint i = 0; i < node.n_inputs; i++)
        {
          self->nodes[j].inputs[i] = node.inputs[i];
          self->nodes[j].is_left[i] = TRUE;
          weights[i] = node.weights[i];
        }
      weights[K] = node.bias;
    }
  for (guint i = 0; i < shape->n_numeric && numeric_terms; i++)
    add_head_term (self, net, TERM_NUMERIC, i);
  for (guint l = 0; l < shape->n_literals; l++)
    if (mt_net_is_in_head (net, l))
      add_head_term (self, net, TERM_LITERAL, l);
  for (guint j = 0; j < self->n_nodes; j++)
    {
      self->term_of_node[j] = self->n_terms;
      add_head_term (self, net, TERM_NODE, j);
    }
  for (guint c = 0; c < self->n_outputs; c++)
    biases (self, self->params)[c] = (mt_net_get_bias (net, c) - self->centre) / self->scale;
  self->n_params = (gsize) (biases (self, self->params) + self->n_outputs - self->params);
  self->gradient = g_new0 (double, self->n_params);
  self->moments = g_new0 (double, 2 * self->n_params);
}

static void
magnitude_clear (Magnitude *self)
{
  g_free (self->nodes);
  g_free (self->terms);
  g_free (self->term_of_node);
  g_free (self->answers);
  g_free (self->scores);
  g_free (self->params);
  g_free (self->gradient);
  g_free (self->moments);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Magnitude, magnitude_clear)

/* --- tuning --- */

static double
weight_of_row (const Magnitude *self,
               gsize            row)
{
  return self->class_weights != NULL ? self->class_weights[(guint) self->target[row]] : 1;
}

static gboolean
literal_of_row (const Magnitude *self,
                guint            literal,
                gsize            row)
{
  return mt_plane_get (mt_encoded_get_plane (self->encoded, literal), row);
}

static double
term_value (const Magnitude *self,
            const HeadTerm  *term,
            gsize            row)
{
  switch (term->kind)
    {
    case TERM_NUMERIC:
      return mt_encoded_get_numeric (self->encoded, term->index)[row];
    case TERM_LITERAL:
      return literal_of_row (self, term->index, row);
    case TERM_NODE:
    default:
      return self->answers[term->index];
    }
}

/* Answers of the nodes and scores of the row; then scores become ∂loss/∂score.
 *
 * For two classes, p − y; for several, p_c − [c = y]; for numbers, η − y: the derivative of
 * each loss by the score. Nodes whose term is gone are passed over. */
static void
forward (Magnitude *self,
         gsize      row)
{
  for (guint j = 0; j < self->n_nodes; j++)
    {
      const double *weights = node_weights (self, self->params, j);
      double z = weights[K];

      if (!self->terms[self->term_of_node[j]].is_left)
        continue;
      for (guint i = 0; i < self->nodes[j].n_inputs; i++)
        if (literal_of_row (self, self->nodes[j].inputs[i], row))
          z += weights[i];
      self->answers[j] = z > 0;
    }
  memcpy (self->scores, biases (self, self->params), self->n_outputs * sizeof (double));
  for (guint t = 0; t < self->n_terms; t++)
    if (self->terms[t].is_left)
      {
        double x = term_value (self, &self->terms[t], row);

        for (guint c = 0; c < self->n_outputs && x != 0; c++)
          self->scores[c] += term_weights (self, self->params, t)[c] * x;
      }
  if (self->task == MT_TASK_REGRESSION)
    {
      self->scores[0] -= self->target[row];
      return;
    }
  mt_task_link (self->task, self->n_outputs, 1, self->scores);
  if (self->task == MT_TASK_BINARY)
    self->scores[0] -= self->target[row];
  else
    self->scores[(guint) self->target[row]] -= 1;
  for (guint c = 0; c < self->n_outputs; c++)
    self->scores[c] *= weight_of_row (self, row);
}

/* ∂loss/∂score times the value for the head's weights; for a node's inputs the same gradient goes through the step
 * as if it were the identity. */
static void
backward (Magnitude *self,
          gsize      row)
{
  const double *g = self->scores;

  for (guint c = 0; c < self->n_outputs; c++)
    biases (self, self->gradient)[c] += g[c];
  for (guint t = 0; t < self->n_terms; t++)
    {
      const HeadTerm *term = &self->terms[t];
      double x, dz = 0;

      if (!term->is_left)
        continue;
      x = term_value (self, term, row);
      for (guint c = 0; c < self->n_outputs; c++)
        {
          term_weights (self, self->gradient, t)[c] += g[c] * x;
          dz += g[c] * term_weights (self, self->params, t)[c];
        }
      if (term->kind != TERM_NODE)
        continue;
      for (guint i = 0; i < self->nodes[term->index].n_inputs; i++)
        if (self->nodes[term->index].is_left[i] && literal_of_row (self, self->nodes[term->index].inputs[i], row))
          node_weights (self, self->gradient, term->index)[i] += dz;
      node_weights (self, self->gradient, term->index)[K] += dz;
    }
}

/* One step of AdamW. What was pruned has neither weight nor gradient, and moments that are cleared.
 *
 * The gradient is the mean over the batch, clipped by its norm. The decay acts on the
 * parameter itself, as in mt-kernels-c.c. */
static void
step (Magnitude                *self,
      const MtMagnitudePruningOptions *options,
      gsize                     n_rows)
{
  double norm = 0, by, first, second;

  for (gsize i = 0; i < self->n_params; i++)
    {
      self->gradient[i] /= n_rows;
      norm += self->gradient[i] * self->gradient[i];
    }
  norm = sqrt (norm);
  by = options->clip > 0 && norm > options->clip ? options->clip / norm : 1;
  self->n_steps++;
  first = 1 - mt_power (.9, self->n_steps);
  second = 1 - mt_power (.999, self->n_steps);
  for (gsize i = 0; i < self->n_params; i++)
    {
      double g = self->gradient[i] * by, *m = &self->moments[2 * i];

      m[0] = .9 * m[0] + .1 * g;
      m[1] = .999 * m[1] + .001 * g * g;
      self->params[i] -= options->learning_rate * (m[0] / first / (sqrt (m[1] / second) + 1e-8) +
                                                   options->weight_decay * self->params[i]);
    }
  memset (self->gradient, 0, self->n_params * sizeof *self->gradient);
}

/* Between two rounds of pruning: some epochs of small steps, so that what is left can make up for what was taken
 * away. */
static gboolean
tune (Magnitude                 *self,
      const MtMagnitudePruningOptions  *options,
      MtRandom                  *random,
      guint32                   *order,
      GCancellable              *cancellable,
      GError                   **error)
{
  gsize batch = CLAMP (options->batch, 1, self->n_rows), at = self->n_rows;
  guint n_steps = (guint) CLAMP (EPOCHS * self->n_rows / batch, MIN_STEPS, MAX_STEPS);

  for (guint s = 0; s < n_steps; s++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (at + batch > self->n_rows)
        {
          mt_random_shuffle (random, order, self->n_rows);
          at = 0;
        }
      for (gsize i = at; i < at + batch; i++)
        {
          forward (self, order[i]);
          backward (self, order[i]);
        }
      at += batch;
      step (self, options, batch);
    }
  for (gsize i = 0; i < self->n_params; i++)
    if (!isfinite (self->params[i]))
      {
        g_set_error_literal (error, MT_ERROR, MT_ERROR_NUMERIC, _("training became unstable while "
                                                                  "fine-tuning a pruned network"));
        return FALSE;
      }
  return TRUE;
}

/* --- pruning --- */

typedef struct {
  double size;
  guint  owner;      /* node or term */
  guint  input;      /* of a node */
} Weight;

static int
compare_weights (gconstpointer a,
                 gconstpointer b)
{
  const Weight *p = a, *q = b;

  if (p->size != q->size)
    return p->size < q->size ? -1 : 1;
  if (p->owner != q->owner)
    return p->owner < q->owner ? -1 : 1;
  return p->input < q->input ? -1 : p->input > q->input;
}

/* Zero, with zero moments: AdamW leaves such a parameter where it is. */
static void
forget (Magnitude *self,
        double    *params,
        guint      n)
{
  gsize at = (gsize) (params - self->params);

  memset (params, 0, n * sizeof *params);
  memset (self->moments + 2 * at, 0, 2 * n * sizeof *self->moments);
}

/* Takes a term out. A node of which no input is left says the same of every row: true if
 * its bias is above 0, and then its weights join the biases (@to_bias). */
static void
drop_term (Magnitude *self,
           guint      term,
           gboolean   to_bias)
{
  double *weights = term_weights (self, self->params, term);

  for (guint c = 0; c < self->n_outputs && to_bias; c++)
    biases (self, self->params)[c] += weights[c];
  self->terms[term].is_left = FALSE;
  forget (self, weights, self->n_outputs);
}

/* A tenth, but at least one, so that it ends. */
static guint
count_to_prune (guint n)
{
  return n == 0 ? 0 : MAX (1, (guint) (SHARE * n));
}

/* The smallest of all nodes together, as in the paper; equal ones by node and input, so the
 * order does not depend on the sort. */
static void
prune_connections (Magnitude *self)
{
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (Weight));

  for (guint j = 0; j < self->n_nodes; j++)
    for (guint i = 0; i < self->nodes[j].n_inputs && self->terms[self->term_of_node[j]].is_left; i++)
      if (self->nodes[j].is_left[i])
        {
          Weight weight = { fabs (node_weights (self, self->params, j)[i]), j, i };

          g_array_append_val (weights, weight);
        }
  g_array_sort (weights, compare_weights);
  for (guint w = 0; w < count_to_prune (weights->len); w++)
    {
      const Weight *weight = &g_array_index (weights, Weight, w);
      Node *node = &self->nodes[weight->owner];
      gboolean any = FALSE;

      node->is_left[weight->input] = FALSE;
      forget (self, node_weights (self, self->params, weight->owner) + weight->input, 1);
      for (guint i = 0; i < node->n_inputs; i++)
        any |= node->is_left[i];
      if (!any)
        drop_term (self, self->term_of_node[weight->owner], node_weights (self, self->params, weight->owner)[K] > 0);
    }
}

/* A term of several classes is as large as all its weights together. Nodes are terms, too. */
static void
prune_terms (Magnitude *self)
{
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (Weight));

  for (guint t = 0; t < self->n_terms; t++)
    if (self->terms[t].is_left)
      {
        Weight weight = { 0, t, 0 };

        for (guint c = 0; c < self->n_outputs; c++)
          weight.size += fabs (term_weights (self, self->params, t)[c]);
        g_array_append_val (weights, weight);
      }
  g_array_sort (weights, compare_weights);
  for (guint w = 0; w < count_to_prune (weights->len); w++)
    drop_term (self, g_array_index (weights, Weight, w).owner, FALSE);
}

static guint
count_terms (const Magnitude *self)
{
  guint n = 0;

  for (guint t = 0; t < self->n_terms; t++)
    n += self->terms[t].is_left;
  return n;
}

/* --- rules --- */

/* The node as it stands, over the inputs that are left; NULL: it says @constant of every row.
 *
 * The node's table over the inputs that are left, minimized with the don't-cares of the
 * mode. If that gives a constant, the answer of the first row says which. */
static MtRule *
make_rule (Magnitude *self,
           MtRefine  *refine,
           guint      index,
           gboolean  *constant)
{
  const Node *node = &self->nodes[index];
  const double *weights = node_weights (self, self->params, index);
  guint inputs[K], n = 0, first_row = 0;
  double left[K];
  MtBits256 table = { { 0 } };
  MtRefineTerm *term;
  MtRule *rule = NULL;

  for (guint i = 0; i < node->n_inputs; i++)
    if (node->is_left[i])
      {
        first_row |= (guint) literal_of_row (self, node->inputs[i], 0) << n;
        inputs[n] = node->inputs[i];
        left[n++] = weights[i];
      }
  mt_truth_table_from_weights (n, left, weights[K], table.words);
  term = n > 0 ? mt_refine_term_new_rule (refine, inputs, n, &table, 0) : NULL;
  if (term != NULL)
    {
      g_autoptr (MtOrigin) origin = mt_origin_new_node (inputs, n, left, -weights[K], NULL);

      mt_rule_set_origin (term->rule, origin);
      rule = mt_rule_ref (term->rule);
    }
  else
    *constant = mt_bits256_get (&table, first_row);   /* every row that counts says the same */
  mt_refine_term_free (term);
  return rule;
}

/* Adds a term, or its weights to the same rule that is there. Takes @rule.
 *
 * Two nodes may be pruned to the same rule; their weights are added, which changes no
 * score. */
static void
add_term (GArray       *terms,
          MtRule       *rule,
          guint         numeric,
          const double *weights,
          guint         n_outputs)
{
  MtTerm term = { rule == NULL, numeric, rule, NULL };

  for (guint t = 0; t < terms->len && rule != NULL; t++)
    {
      MtTerm *other = &g_array_index (terms, MtTerm, t);

      if (other->rule == NULL || !mt_rule_equal (other->rule, rule))
        continue;
      for (guint c = 0; c < n_outputs; c++)
        other->weights[c] += weights[c];
      mt_rule_unref (rule);
      return;
    }
  term.weights = g_memdup2 (weights, n_outputs * sizeof *weights);
  g_array_append_val (terms, term);
}

/* The loss of the finished rules on the training rows, without a ridge: the models of a
 * path are ordered by it. In nats, or in half squares of the standardized target. */
static double
loss_of (const Magnitude *self,
         const MtRuleSet *rules)
{
  gsize n = self->n_rows;
  g_autofree double *p = g_new (double, self->n_outputs * n);
  double sum = 0;

  mt_rule_set_score (rules, self->encoded, p);
  mt_task_link (self->task, self->n_outputs, n, p);
  for (gsize r = 0; r < n; r++)
    if (self->task == MT_TASK_REGRESSION)
      sum += .5 * pow ((p[r] - self->centre) / self->scale - self->target[r], 2);
    else
      sum -= weight_of_row (self, r) * mt_log (MAX (self->task == MT_TASK_MULTICLASS ? p[(gsize) self->target[r] * n + r] :
                       self->target[r] == 1 ? p[r] : 1 - p[r], 1e-300));
  return sum;
}

/* The model as it stands, in the target's own scale. Nodes that have become the same rule
 * are joined, since a rule set has no rule twice; constant nodes join the bias. */
static gboolean
visit (Magnitude  *self,
       MtRefine   *refine,
       GPtrArray  *visited,
       GError    **error)
{
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (MtTerm));
  g_autofree double *bias = g_memdup2 (biases (self, self->params), self->n_outputs * sizeof (double));
  g_autofree double *weights = g_new (double, self->n_outputs);
  MtRuleSet *rules;

  for (guint t = 0; t < self->n_terms; t++)
    {
      const HeadTerm *term = &self->terms[t];
      gboolean constant = FALSE;
      MtRule *rule = NULL;

      if (!term->is_left)
        continue;
      for (guint c = 0; c < self->n_outputs; c++)
        weights[c] = term_weights (self, self->params, t)[c] * self->scale;
      if (term->kind == TERM_LITERAL)
        rule = mt_rule_new_literal (term->index, FALSE);
      else if (term->kind == TERM_NODE)
        rule = make_rule (self, refine, term->index, &constant);
      if (term->kind == TERM_NODE && rule == NULL)
        for (guint c = 0; c < self->n_outputs; c++)
          bias[c] += constant ? weights[c] / self->scale : 0;
      else
        add_term (terms, rule, term->index, weights, self->n_outputs);
    }
  for (guint c = 0; c < self->n_outputs; c++)
    bias[c] = bias[c] * self->scale + self->centre;
  rules = mt_rule_set_new (self->task, self->n_outputs, bias, (const MtTerm *) (gpointer) terms->data, terms->len, error);
  for (guint t = 0; t < terms->len; t++)
    {
      mt_rule_unref (g_array_index (terms, MtTerm, t).rule);
      g_free (g_array_index (terms, MtTerm, t).weights);
    }
  if (rules == NULL)
    return FALSE;
  mt_refine_visit (visited, rules, loss_of (self, rules), FALSE);
  return TRUE;
}

/* The model before any pruning is the first of the path, the bare bias the last. `refine`
 * is only the part of the refinement that makes rules from tables; the constraints are left
 * out of it, because this method does not keep to any. */
gboolean
mt_magnitude_pruning_run (const MtNet               *net,
                          const MtEncoded           *encoded,
                          const double              *target,
                          const MtRefineOptions     *refine_options,
                          const MtMagnitudePruningOptions  *options,
                          GPtrArray                 *visited,
                          MtLearnProgressFunc        progress,
                          gpointer                   progress_data,
                          GCancellable              *cancellable,
                          GError                   **error)
{
  const MtNetShape *shape = mt_net_get_shape (net);
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  MtRefineOptions free_options = *refine_options;
  g_autoptr (GHashTable) covers = mt_refine_covers_new ();
  g_autofree double *standardised = NULL;
  g_autofree double *class_weights = NULL;
  g_autofree guint32 *order = g_new (guint32, MAX (n_rows, 1));
  g_auto (Magnitude) self = { encoded, target, shape->task, shape->n_outputs, n_rows, 0, 1 };
  MtRefine refine = { .encoded = encoded, .n_rows = n_rows, .n_words = mt_encoded_get_n_words (encoded),
                      .options = &free_options, .covers = covers };
  MtRandom random;
  guint n_start;

  g_return_val_if_fail (n_rows > 0, FALSE);
  g_return_val_if_fail (shape->kind == MT_NODE_STANDARD && shape->fan_in <= MT_REFINE_MAX_INPUTS, FALSE);
  free_options.directions = free_options.numeric_directions = NULL;
  free_options.no_negation = FALSE;
  if (shape->task == MT_TASK_REGRESSION)
    self.target = standardised = mt_refine_standardise (target, n_rows, &self.centre, &self.scale);
  if (refine_options->balance_classes && shape->task != MT_TASK_REGRESSION)
    self.class_weights = class_weights = mt_refine_balance (target, n_rows, shape->task == MT_TASK_BINARY ? 2
                                                                                                         : shape->n_outputs);
  read_net (&self, net, refine_options->numeric_terms);
  for (gsize r = 0; r < n_rows; r++)
    order[r] = (guint32) r;
  mt_random_init (&random, options->seed);
  n_start = count_terms (&self);
  if (!visit (&self, &refine, visited, error))
    return FALSE;
  while (count_terms (&self) > 0)
    {
      prune_connections (&self);
      prune_terms (&self);
      if (!tune (&self, options, &random, order, cancellable, error) || !visit (&self, &refine, visited, error))
        return FALSE;
      if (progress != NULL)
        {
          const MtPathModel *last = visited->pdata[visited->len - 1];
          const MtLearnProgress now = {
            .phase = MT_LEARN_ELIMINATING, .n_parts = 1, .done = 1 - mt_log1p (count_terms (&self)) / mt_log1p (n_start),
            .seconds_left = NAN, .literals = last->complexity, .loss = last->loss / n_rows,
          };

          progress (&now, progress_data);
        }
    }
  return TRUE;
}
