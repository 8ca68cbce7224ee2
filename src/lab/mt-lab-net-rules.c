/* From the reference network to fixed inputs and to rules. See mt-lab-net.h. */
#include "config.h"
#include "mt-lab-net-private.h"

#include <math.h>
#include <string.h>

#include "mt-lab-extract.h"

#define TUNING_EPOCHS 20
#define PRUNED_SHARE  .2

/* --- to fixed inputs --- */

/* The same answers by fixed inputs. */
static MtLabNet *
fix (const MtLabNet *from)
{
  MtLabNetOptions options = from->options;
  MtLabNet *self;

  options.route = MT_LAB_ROUTE_FULL;
  options.lambda = 0;
  self = mt_lab_net_new (&options, from->task, from->n_outputs, from->n, from->n_unary, from->centre, from->scale);
  _mt_lab_net_draw_noise ((MtLabNet *) from, FALSE);
  _mt_lab_net_route ((MtLabNet *) from, FALSE);
  memcpy (mt_lab_net_weights (self, self->params, 0), from->forward, (gsize) options.n_nodes * from->n * sizeof (double));
  memcpy (mt_lab_net_biases (self, self->params), mt_lab_net_biases (from, from->params),
          (options.n_nodes + (gsize) from->n_outputs * (options.n_nodes + from->n_unary + 1)) * sizeof (double));
  for (guint i = 0; i < options.n_nodes * from->n; i++)
    self->kept[i] = from->forward[i] != 0;
  return self;
}

/* Takes all weights of a node away but the k largest. */
static void
keep_largest (MtLabNet *self,
              guint     node,
              guint     k)
{
  double *weights = mt_lab_net_weights (self, self->params, node);
  g_autofree double *sizes = g_new (double, MAX (self->n, 1));
  g_autofree guint8 *chosen = g_malloc (MAX (self->n, 1));

  for (guint i = 0; i < self->n; i++)
    sizes[i] = fabs (weights[i]);
  _mt_lab_choose_largest (sizes, self->n, MIN (k, self->n), chosen);
  for (guint i = 0; i < self->n; i++)
    if (!chosen[i])
      weights[i] = self->kept[node * self->n + i] = 0;
}

static guint
most_inputs (const MtLabNet *self)
{
  guint most = 0;

  for (guint j = 0; j < self->options.n_nodes; j++)
    {
      guint n = 0;

      for (guint i = 0; i < self->n; i++)
        n += self->kept[j * self->n + i];
      most = MAX (most, n);
    }
  return most;
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double p = *(const double *) a, q = *(const double *) b;

  return p < q ? -1 : p > q;
}

/* The fifth of all weights that is smallest, at least one. */
static void
prune_smallest (MtLabNet *self)
{
  double *weights = mt_lab_net_weights (self, self->params, 0), cut;
  guint n_all = self->options.n_nodes * self->n;
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < n_all; i++)
    {
      double size = fabs (weights[i]);

      if (self->kept[i])
        g_array_append_val (sizes, size);
    }
  if (sizes->len == 0)
    return;
  g_array_sort (sizes, compare_doubles);
  cut = g_array_index (sizes, double, (guint) (PRUNED_SHARE * sizes->len));
  for (guint i = 0; i < n_all; i++)
    if (fabs (weights[i]) <= cut)
      weights[i] = self->kept[i] = 0;
}

static gboolean
tune (MtLabNet         *self,
      const MtLabInput *train_input,
      const MtLabInput *valid,
      GCancellable     *cancellable,
      GError          **error)
{
  g_autofree guint8 *is_fixed = g_malloc0 (MAX (self->n_params, 1));
  guint first_head = (guint) (mt_lab_net_head (self, self->params, 0) - self->params);

  for (guint i = 0; i < self->options.n_nodes * self->n; i++)
    is_fixed[i] = !self->kept[i];
  for (guint i = first_head; i < self->n_params; i++)
    is_fixed[i] = self->params[i] == 0;
  for (guint c = 0; c < self->n_outputs; c++)      /* never the bias */
    is_fixed[(guint) (mt_lab_net_head (self, self->params, c) - self->params) + self->options.n_nodes + self->n_unary] = FALSE;
  memset (self->moments, 0, 2 * self->n_params * sizeof (double));
  self->n_steps = 0;
  return _mt_lab_net_train (self, train_input, valid, is_fixed, TUNING_EPOCHS, cancellable, error);
}

MtLabNet *
mt_lab_net_sparsify (const MtLabNet   *net,
                     MtLabSparsify     how,
                     const MtLabInput *train_input,
                     const MtLabInput *valid,
                     GCancellable     *cancellable,
                     GError          **error)
{
  g_autoptr (MtLabNet) self = fix (net);

  for (guint j = 0; how == MT_LAB_SPARSIFY_LARGEST && j < self->options.n_nodes; j++)
    keep_largest (self, j, self->options.fan_in);
  while (how == MT_LAB_SPARSIFY_PRUNE && most_inputs (self) > MT_LAB_MAX_INPUTS)
    {
      prune_smallest (self);
      if (!tune (self, train_input, valid, cancellable, error))
        return NULL;
    }
  if (!tune (self, train_input, valid, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* The fifth of the terms of the head that weighs least, at least one. */
static void
prune_head (MtLabNet *self)
{
  guint n_terms = self->options.n_nodes + self->n_unary;
  g_autofree double *sizes = g_new0 (double, MAX (n_terms, 1));
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (double));
  double cut;

  for (guint t = 0; t < n_terms; t++)
    {
      for (guint c = 0; c < self->n_outputs; c++)
        sizes[t] += fabs (mt_lab_net_head (self, self->params, c)[t]);
      if (sizes[t] > 0)
        g_array_append_val (sorted, sizes[t]);
    }
  if (sorted->len == 0)
    return;
  g_array_sort (sorted, compare_doubles);
  cut = g_array_index (sorted, double, (guint) (PRUNED_SHARE * sorted->len));
  for (guint t = 0; t < n_terms; t++)
    for (guint c = 0; sizes[t] <= cut && c < self->n_outputs; c++)
      mt_lab_net_head (self, self->params, c)[t] = 0;
}

gboolean
mt_lab_net_prune (MtLabNet          *net,
                  const MtLabInput  *train_input,
                  const MtLabInput  *valid,
                  GCancellable      *cancellable,
                  GError           **error)
{
  g_return_val_if_fail (net->options.route == MT_LAB_ROUTE_FULL, FALSE);

  prune_smallest (net);
  prune_head (net);
  return tune (net, train_input, valid, cancellable, error);
}

/* --- to rules --- */

typedef struct {
  MtLabNode node;
  MtCover   cover;
} Rule;

static void
rule_clear (gpointer data)
{
  mt_cover_clear (&((Rule *) data)->cover);
}

static gboolean
counts (MtLabNet *self,
        guint     term)
{
  for (guint c = 0; c < self->n_outputs; c++)
    if (mt_lab_net_head (self, self->params, c)[term] != 0)
      return TRUE;
  return FALSE;
}

/* The node's inputs that have a weight; FALSE: there are too many. */
static gboolean
read_node (MtLabNet  *self,
           guint      index,
           MtLabNode *node)
{
  const double *all = mt_lab_net_weights (self, self->params, index);
  double weights[MT_LAB_MAX_INPUTS];

  *node = (MtLabNode) { 0 };
  for (guint i = 0; i < self->n; i++)
    if (all[i] != 0 && self->kept[index * self->n + i])
      {
        if (node->n_inputs == MT_LAB_MAX_INPUTS)
          return FALSE;
        weights[node->n_inputs] = all[i];
        node->inputs[node->n_inputs++] = i;
      }
  if (node->n_inputs == 0)
    weights[node->n_inputs++] = 0;       /* of literal 0: a constant */
  mt_truth_table_from_weights (node->n_inputs, weights, mt_lab_net_biases (self, self->params)[index], node->table);
  return TRUE;
}

static void
predict (MtLabNet         *self,
         GArray           *rules,
         const guint      *rule_of,
         const MtLabRows  *rows,
         const MtLabInput *input,
         double           *predictions)
{
  guint n_nodes = self->options.n_nodes;
  g_autofree double *answers = g_new (double, MAX (n_nodes, 1)), *scores = g_new (double, self->n_outputs);
  g_autofree guint8 *bits = g_malloc0 (MAX (n_nodes * rows->n_rows, 1));

  for (guint j = 0; j < n_nodes; j++)
    if (rule_of[j] < rules->len)
      {
        const Rule *rule = &g_array_index (rules, Rule, rule_of[j]);

        mt_lab_node_answers (&rule->cover, &rule->node, rows->encoded, bits + j * rows->n_rows);
      }
  for (gsize r = 0; r < rows->n_rows; r++)
    {
      for (guint j = 0; j < n_nodes; j++)
        answers[j] = bits[j * rows->n_rows + r];
      _mt_lab_net_score (self, answers, input->unary + r * self->n_unary, scores);
      for (guint c = 0; c < self->n_outputs; c++)
        predictions[c * rows->n_rows + r] = scores[c] * self->scale + self->centre;
    }
}

static double
quality_of (MtLabNet         *self,
            GArray           *rules,
            const guint      *rule_of,
            const MtLabRows  *rows,
            gboolean          with_skip)
{
  g_autofree double *predictions = g_new (double, MAX (rows->n_rows, 1) * self->n_outputs);
  g_auto (MtLabInput) input = { 0 };

  mt_lab_input_init (&input, rows, with_skip);
  predict (self, rules, rule_of, rows, &input, predictions);
  mt_task_link (self->task, self->n_outputs, rows->n_rows, predictions);
  return mt_frontier_metric (self->task, self->n_outputs, rows->n_rows, predictions, rows->target);
}

/* Rules against the network where it learned. */
static double
find_gap (MtLabNet        *self,
          GArray          *rules,
          const guint     *rule_of,
          const MtLabRows *rows,
          gboolean         with_skip)
{
  g_autofree double *predictions = g_new (double, MAX (rows->n_rows, 1) * self->n_outputs);
  g_autofree double *answers = g_new (double, MAX (self->options.n_nodes, 1)), *scores = g_new (double, self->n_outputs);
  g_auto (MtLabInput) input = { 0 };
  double gap = 0;

  mt_lab_input_init (&input, rows, with_skip);
  predict (self, rules, rule_of, rows, &input, predictions);
  _mt_lab_net_route (self, FALSE);
  for (gsize r = 0; r < rows->n_rows; r++)
    {
      for (guint j = 0; j < self->options.n_nodes; j++)
        answers[j] = _mt_lab_net_value (self, j, input.literals + r * self->n) > 0;
      _mt_lab_net_score (self, answers, input.unary + r * self->n_unary, scores);
      for (guint c = 0; c < self->n_outputs; c++)
        gap = MAX (gap, fabs (scores[c] * self->scale + self->centre - predictions[c * rows->n_rows + r]));
    }
  return gap;
}

gboolean
mt_lab_net_extract (MtLabNet         *net,
                    const MtLabBits  *bits,
                    gboolean          with_skip,
                    MtLabExtract     *extract,
                    GCancellable     *cancellable,
                    GError          **error)
{
  const MtQmcOptions options = { .cancellable = cancellable };
  g_autoptr (GArray) rules = g_array_new (FALSE, TRUE, sizeof (Rule));
  g_autofree guint *rule_of = g_new (guint, MAX (net->options.n_nodes, 1));

  g_return_val_if_fail (net->options.route == MT_LAB_ROUTE_FULL, FALSE);
  g_array_set_clear_func (rules, rule_clear);
  *extract = (MtLabExtract) { TRUE, 1, NAN, NAN, NAN };
  for (guint j = 0; j < net->options.n_nodes; j++)
    {
      Rule rule = { { 0 }, { NULL } };

      rule_of[j] = G_MAXUINT;
      if (!counts (net, j))
        continue;
      if (!read_node (net, j, &rule.node))
        {
          extract->is_extractable = FALSE;
          return TRUE;
        }
      mt_lab_node_look (&rule.node, bits->train.encoded);
      if (!mt_qmc_minimize (rule.node.n_inputs, rule.node.table, rule.node.unseen, &options, &rule.cover))
        return !g_cancellable_set_error_if_cancelled (cancellable, error);
      extract->literals += rule.cover.n_literals;
      rule_of[j] = rules->len;
      g_array_append_val (rules, rule);
    }
  for (guint u = 0; u < net->n_unary; u++)
    extract->literals += counts (net, net->options.n_nodes + u);
  extract->valid = quality_of (net, rules, rule_of, &bits->valid, with_skip);
  extract->test = quality_of (net, rules, rule_of, &bits->test, with_skip);
  extract->train_gap = find_gap (net, rules, rule_of, &bits->train, with_skip);
  return TRUE;
}
