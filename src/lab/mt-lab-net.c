/* The reference network of the comparisons. See mt-lab-net.h. */
#include "config.h"
#include "mt-lab-net.h"

#include <math.h>
#include <string.h>

#include "mt-lab-net-private.h"

#define BETA  (2. / 3)      /* of L0's gates */
#define GAMMA -.1
#define ZETA  1.1
#define START_GATE 2.       /* log odds at the beginning: open */

void
mt_lab_net_options_init (MtLabNetOptions *options)
{
  *options = (MtLabNetOptions) { MT_LAB_ROUTE_SOFT, 20, 5, .01, 0, .01, 150, 20, 128, 0 };
}

/* --- rows --- */

void
mt_lab_input_init (MtLabInput      *input,
                   const MtLabRows *rows,
                   gboolean         with_skip)
{
  const MtEncoded *encoded = rows->encoded;
  guint n = mt_encoded_get_n_literals (encoded), n_numeric = mt_encoded_get_n_numeric (encoded), at = 0;

  *input = (MtLabInput) { rows->n_rows, n, 0, g_malloc (MAX (rows->n_rows * n, 1)), NULL, rows->target };
  for (guint l = 0; l < n; l++)
    {
      const MtGroup *group = &mt_encoded_get_groups (encoded)[mt_encoded_get_group_of (encoded, l)];

      for (gsize r = 0; r < rows->n_rows; r++)
        input->literals[r * n + l] = mt_plane_get (mt_encoded_get_plane (encoded, l), r);
      input->n_unary += group->kind == MT_GROUP_ONE_HOT;
    }
  input->n_unary = with_skip ? input->n_unary + n_numeric : 0;
  input->unary = g_new (double, MAX (rows->n_rows * input->n_unary, 1));
  for (guint c = 0; with_skip && c < n_numeric; c++, at++)
    for (gsize r = 0; r < rows->n_rows; r++)
      input->unary[r * input->n_unary + at] = mt_encoded_get_numeric (encoded, c)[r];
  for (guint l = 0; with_skip && l < n; l++)
    {
      const MtGroup *group = &mt_encoded_get_groups (encoded)[mt_encoded_get_group_of (encoded, l)];

      for (gsize r = 0; group->kind == MT_GROUP_ONE_HOT && r < rows->n_rows; r++)
        input->unary[r * input->n_unary + at] = input->literals[r * n + l];
      at += group->kind == MT_GROUP_ONE_HOT;
    }
}

void
mt_lab_input_clear (MtLabInput *input)
{
  g_clear_pointer (&input->literals, g_free);
  g_clear_pointer (&input->unary, g_free);
}

/* --- life --- */

MtLabNet *
mt_lab_net_new (const MtLabNetOptions *options,
                MtTask                 task,
                guint                  n_outputs,
                guint                  n_literals,
                guint                  n_unary,
                double                 centre,
                double                 scale)
{
  MtLabNet *self = g_new0 (MtLabNet, 1);
  gsize n_dense;

  self->options = *options;
  self->options.fan_in = MIN (options->fan_in, n_literals);
  self->task = task;
  self->n_outputs = n_outputs;
  self->n = n_literals;
  self->n_unary = n_unary;
  self->centre = centre;
  self->scale = scale > 0 ? scale : 1;
  self->n_params = options->n_nodes * (mt_lab_net_n_map (self) + mt_lab_net_n_weights (self) + 1) +
                   n_outputs * (options->n_nodes + n_unary + 1);
  self->params = g_new0 (double, self->n_params);
  self->gradient = g_new0 (double, self->n_params);
  self->moments = g_new0 (double, 2 * self->n_params);
  n_dense = MAX ((gsize) options->n_nodes * n_literals, 1);
  self->masks = g_new0 (double, n_dense);
  self->forward = g_new0 (double, n_dense);
  self->noise = g_new (double, n_dense);
  self->kept = g_malloc (n_dense);
  memset (self->kept, 1, n_dense);
  for (gsize i = 0; i < n_dense; i++)
    self->noise[i] = NAN;
  if (options->route == MT_LAB_ROUTE_SLOTS)
    self->slots = g_new0 (double, n_dense * MAX (self->options.fan_in, 1));
  self->sums = g_new (double, MAX (n_literals, 1));
  mt_random_init (&self->random, options->seed);
  for (guint i = 0; i < options->n_nodes * mt_lab_net_n_map (self); i++)
    self->params[i] = options->route == MT_LAB_ROUTE_L0 ? START_GATE + .01 * mt_random_normal (&self->random)
                                                        : .1 * mt_random_normal (&self->random);
  for (guint j = 0; j < options->n_nodes; j++)
    for (guint i = 0; i < mt_lab_net_n_weights (self); i++)
      mt_lab_net_weights (self, self->params, j)[i] = .1 * mt_random_normal (&self->random);
  for (guint c = 0; c < n_outputs; c++)
    for (guint j = 0; j < options->n_nodes; j++)
      mt_lab_net_head (self, self->params, c)[j] = mt_random_normal (&self->random) / sqrt (options->n_nodes);
  return self;
}

void
mt_lab_net_free (MtLabNet *net)
{
  if (net == NULL)
    return;
  g_free (net->params);
  g_free (net->gradient);
  g_free (net->moments);
  g_free (net->kept);
  g_free (net->noise);
  g_free (net->masks);
  g_free (net->forward);
  g_free (net->slots);
  g_free (net->sums);
  g_free (net);
}

guint
mt_lab_net_get_n_params (const MtLabNet *net)
{
  return net->n_params;
}

double *
mt_lab_net_peek_params (MtLabNet *net)
{
  return net->params;
}

/* --- routes: what forward and backward see of the inputs of each node --- */

void
_mt_lab_choose_largest (const double *values,
                guint         n,
                guint         k,
                guint8       *chosen)
{
  memset (chosen, 0, n);
  for (guint c = 0; c < k; c++)
    {
      guint best = n;

      for (guint i = 0; i < n; i++)
        if (!chosen[i] && (best == n || values[i] > values[best]))
          best = i;
      chosen[best] = 1;
    }
}

/* π with Σπ = k, by halving in double. */
static void
choose_softly (const double *scores,
               guint         n,
               double        k,
               double        tau,
               double       *pi)
{
  double low = INFINITY, high = -INFINITY, shift;

  if (k >= n)
    {
      for (guint i = 0; i < n; i++)
        pi[i] = 1;
      return;
    }
  shift = log (k / (n - k));
  for (guint i = 0; i < n; i++)
    {
      low = MIN (low, scores[i] / tau - shift);
      high = MAX (high, scores[i] / tau - shift);
    }
  for (guint pass = 0; pass < 200 && low < high; pass++)
    {
      double middle = (low + high) / 2, sum = 0;

      if (middle == low || middle == high)
        break;
      for (guint i = 0; i < n; i++)
        sum += 1 / (1 + exp (middle - scores[i] / tau));
      if (sum > k)
        low = middle;
      else
        high = middle;
    }
  for (guint i = 0; i < n; i++)
    pi[i] = 1 / (1 + exp (low - scores[i] / tau));
}

static double
gate_of (double  log_odds,
         double  noise,
         double *slope)
{
  double s = isnan (noise) ? 1 / (1 + exp (-log_odds)) : 1 / (1 + exp (-(noise + log_odds) / BETA));
  double gate = s * (ZETA - GAMMA) + GAMMA;

  *slope = gate <= 0 || gate >= 1 ? 0 : (ZETA - GAMMA) * s * (1 - s) / (isnan (noise) ? 1 : BETA);
  return CLAMP (gate, 0, 1);
}

static void
route_slots (MtLabNet *self,
             guint     node,
             gboolean  is_soft)
{
  guint n = self->n;
  double *forward = self->forward + node * n;

  memset (forward, 0, n * sizeof *forward);
  for (guint t = 0; t < self->options.fan_in; t++)
    {
      const double *scores = mt_lab_net_map (self, self->params, node) + t * n;
      double *p = self->slots + ((gsize) node * self->options.fan_in + t) * n, sum = 0;
      double weight = mt_lab_net_weights (self, self->params, node)[t];
      guint best = 0;

      for (guint i = 1; i < n; i++)
        if (scores[i] > scores[best])
          best = i;
      for (guint i = 0; i < n; i++)
        sum += p[i] = exp ((scores[i] - scores[best]) / self->options.temperature);
      for (guint i = 0; i < n; i++)
        {
          p[i] /= sum;
          if (is_soft)
            forward[i] += weight * p[i];
        }
      if (!is_soft)
        forward[best] += weight;
    }
}

void
_mt_lab_net_route (MtLabNet *self,
       gboolean  is_soft)
{
  guint n = self->n;
  g_autofree guint8 *chosen = g_malloc (MAX (n, 1));
  double slope;

  for (guint j = 0; j < self->options.n_nodes; j++)
    {
      double *mask = self->masks + j * n, *forward = self->forward + j * n;
      const double *weights = mt_lab_net_weights (self, self->params, j), *map = mt_lab_net_map (self, self->params, j);

      if (self->options.route == MT_LAB_ROUTE_SLOTS)
        {
          route_slots (self, j, is_soft);
          continue;
        }
      if (self->options.route == MT_LAB_ROUTE_SOFT)
        {
          choose_softly (map, n, self->options.fan_in, self->options.temperature, mask);
          _mt_lab_choose_largest (map, n, self->options.fan_in, chosen);
        }
      for (guint i = 0; i < n; i++)
        if (self->options.route == MT_LAB_ROUTE_SOFT)
          forward[i] = weights[i] * (is_soft ? mask[i] : chosen[i]);
        else
          {
            mask[i] = self->options.route == MT_LAB_ROUTE_L0 ? gate_of (map[i], self->noise[j * n + i], &slope)
                                                             : self->kept[j * n + i];
            forward[i] = weights[i] * mask[i];
          }
    }
}

/* From Σ over rows of gradient × x to the gradient of the node's weights and scores. */
static void
route_back (MtLabNet *self,
            guint     node,
            double   *gradient)
{
  guint n = self->n;
  const double *mask = self->masks + node * n, *weights = mt_lab_net_weights (self, self->params, node);
  double *up = mt_lab_net_weights (self, gradient, node), *map_up = mt_lab_net_map (self, gradient, node);
  double tau = self->options.temperature, sum_d = 0, sum_dg = 0;

  if (self->options.route == MT_LAB_ROUTE_SLOTS)
    {
      for (guint t = 0; t < self->options.fan_in; t++)
        {
          const double *p = self->slots + ((gsize) node * self->options.fan_in + t) * n;
          double mean = 0;

          for (guint i = 0; i < n; i++)
            mean += p[i] * self->sums[i];
          up[t] += mean;
          for (guint i = 0; i < n; i++)
            map_up[t * n + i] += weights[t] * p[i] * (self->sums[i] - mean) / tau;
        }
      return;
    }
  for (guint i = 0; i < n; i++)
    up[i] += mask[i] * self->sums[i];
  if (self->options.route == MT_LAB_ROUTE_L0)
    for (guint i = 0; i < n; i++)
      {
        double slope;

        gate_of (mt_lab_net_map (self, self->params, node)[i], self->noise[node * n + i], &slope);
        map_up[i] += slope * weights[i] * self->sums[i];
      }
  if (self->options.route != MT_LAB_ROUTE_SOFT)
    return;
  for (guint i = 0; i < n; i++)
    {
      double d = mask[i] * (1 - mask[i]);

      sum_d += d;
      sum_dg += d * weights[i] * self->sums[i];
    }
  for (guint i = 0; i < n && sum_d > 0; i++)
    map_up[i] += mask[i] * (1 - mask[i]) * (weights[i] * self->sums[i] - sum_dg / sum_d) / tau;
}

/* --- loss --- */

double
_mt_lab_net_value (const MtLabNet *self,
          guint           node,
          const guint8   *literals)
{
  const double *forward = self->forward + node * self->n;
  double z = mt_lab_net_biases (self, self->params)[node];

  for (guint i = 0; i < self->n; i++)
    z += literals[i] ? forward[i] : 0;
  return z;
}

void
_mt_lab_net_score (const MtLabNet *self,
       const double   *answers,
       const double   *unary,
       double         *scores)
{
  for (guint c = 0; c < self->n_outputs; c++)
    {
      const double *head = mt_lab_net_head (self, self->params, c);

      scores[c] = head[self->options.n_nodes + self->n_unary];
      for (guint j = 0; j < self->options.n_nodes; j++)
        scores[c] += head[j] * answers[j];
      for (guint u = 0; u < self->n_unary; u++)
        scores[c] += head[self->options.n_nodes + u] * unary[u];
    }
}

/* The loss; @scores become its gradient. */
static double
loss_of_scores (const MtLabNet *self,
                double          target,
                double         *scores)
{
  double most = scores[0], sum = 0, loss;

  if (self->task == MT_TASK_REGRESSION)
    {
      scores[0] -= (target - self->centre) / self->scale;
      return .5 * scores[0] * scores[0];
    }
  if (self->task == MT_TASK_BINARY)
    {
      double z = target > 0 ? scores[0] : -scores[0];

      scores[0] = 1 / (1 + exp (-scores[0])) - (target > 0);
      return z > 0 ? log1p (exp (-z)) : log1p (exp (z)) - z;
    }
  for (guint c = 1; c < self->n_outputs; c++)
    most = MAX (most, scores[c]);
  for (guint c = 0; c < self->n_outputs; c++)
    sum += exp (scores[c] - most);
  loss = log (sum) + most - scores[(guint) target];
  for (guint c = 0; c < self->n_outputs; c++)
    scores[c] = exp (scores[c] - most) / sum - (c == (guint) target);
  return loss;
}

static double
l0_penalty (MtLabNet *self,
            double   *gradient)
{
  double by = self->options.lambda / self->options.n_nodes, sum = 0;

  for (guint i = 0; i < self->options.n_nodes * self->n; i++)
    {
      double open = 1 / (1 + exp (-(self->params[i] - BETA * log (-GAMMA / ZETA))));

      sum += by * open;
      if (gradient != NULL)
        gradient[i] += by * open * (1 - open);
    }
  return sum;
}

double
mt_lab_net_loss (MtLabNet         *net,
                 const MtLabInput *input,
                 const guint32    *rows,
                 gsize             n_rows,
                 gboolean          is_soft,
                 double           *gradient)
{
  guint n_nodes = net->options.n_nodes, C = net->n_outputs;
  g_autofree double *answers = g_new (double, MAX (n_nodes, 1)), *scores = g_new (double, C);
  g_autofree double *ups = gradient != NULL ? g_new (double, MAX (n_nodes * n_rows, 1)) : NULL;
  double loss = 0;

  _mt_lab_net_route (net, is_soft);
  if (gradient != NULL)
    memset (gradient, 0, net->n_params * sizeof *gradient);
  for (gsize r = 0; r < n_rows; r++)
    {
      const double *unary = input->unary + rows[r] * net->n_unary;

      for (guint j = 0; j < n_nodes; j++)
        {
          double z = _mt_lab_net_value (net, j, input->literals + rows[r] * (gsize) net->n);

          answers[j] = is_soft ? z : z > 0;
        }
      _mt_lab_net_score (net, answers, unary, scores);
      loss += loss_of_scores (net, input->target[rows[r]], scores) / n_rows;
      if (gradient == NULL)
        continue;
      for (guint j = 0; j < n_nodes; j++)
        ups[j * n_rows + r] = 0;
      for (guint c = 0; c < C; c++)
        {
          const double *head = mt_lab_net_head (net, net->params, c);
          double *head_up = mt_lab_net_head (net, gradient, c), g = scores[c] / n_rows;

          head_up[n_nodes + net->n_unary] += g;
          for (guint u = 0; u < net->n_unary; u++)
            head_up[n_nodes + u] += g * unary[u];
          for (guint j = 0; j < n_nodes; j++)
            {
              head_up[j] += g * answers[j];
              ups[j * n_rows + r] += g * head[j];
            }
        }
    }
  for (guint j = 0; gradient != NULL && j < n_nodes; j++)
    {
      memset (net->sums, 0, net->n * sizeof (double));
      for (gsize r = 0; r < n_rows; r++)
        {
          const guint8 *literals = input->literals + rows[r] * (gsize) net->n;
          double up = ups[j * n_rows + r];

          mt_lab_net_biases (net, gradient)[j] += up;
          for (guint i = 0; i < net->n; i++)
            net->sums[i] += literals[i] ? up : 0;
        }
      route_back (net, j, gradient);
    }
  if (net->options.route == MT_LAB_ROUTE_L0)
    loss += l0_penalty (net, gradient);
  return loss;
}

/* --- training --- */

static void
shrink (double *values,
        guint   n,
        double  by)
{
  for (guint i = 0; i < n; i++)
    values[i] = values[i] > by ? values[i] - by : values[i] < -by ? values[i] + by : 0;
}

static void
step (MtLabNet *self)
{
  double first, second, by = self->options.rate * self->options.lambda / self->options.n_nodes;

  self->n_steps++;
  first = 1 - pow (.9, self->n_steps);
  second = 1 - pow (.999, self->n_steps);
  for (guint i = 0; i < self->n_params; i++)
    {
      double *m = self->moments + 2 * i, g = self->gradient[i];

      m[0] = .9 * m[0] + .1 * g;
      m[1] = .999 * m[1] + .001 * g * g;
      self->params[i] -= self->options.rate * m[0] / first / (sqrt (m[1] / second) + 1e-8);
    }
  if (by <= 0)
    return;
  if (self->options.route != MT_LAB_ROUTE_L0)
    shrink (mt_lab_net_weights (self, self->params, 0), self->options.n_nodes * mt_lab_net_n_weights (self), by);
  for (guint c = 0; c < self->n_outputs; c++)
    shrink (mt_lab_net_head (self, self->params, c), self->options.n_nodes + self->n_unary, by);
}

/* What was taken away or has become 0 stays so. */
static void
hold (MtLabNet     *self,
      const guint8 *is_fixed)
{
  for (guint i = 0; is_fixed != NULL && i < self->n_params; i++)
    if (is_fixed[i])
      self->params[i] = 0;
}

void
_mt_lab_net_draw_noise (MtLabNet *self,
            gboolean  is_training)
{
  for (guint i = 0; self->options.route == MT_LAB_ROUTE_L0 && i < self->options.n_nodes * self->n; i++)
    {
      double v = is_training ? CLAMP (mt_random_double (&self->random), 1e-6, 1 - 1e-6) : NAN;

      self->noise[i] = is_training ? log (v / (1 - v)) : NAN;
    }
}

gboolean
_mt_lab_net_train (MtLabNet         *self,
       const MtLabInput *train,
       const MtLabInput *valid,
       const guint8     *is_fixed,
       guint             n_epochs,
       GCancellable     *cancellable,
       GError          **error)
{
  g_autofree guint32 *order = g_new (guint32, MAX (train->n_rows, 1)), *all = g_new (guint32, MAX (valid->n_rows, 1));
  g_autofree double *best = g_memdup2 (self->params, self->n_params * sizeof (double));
  double best_loss = INFINITY;
  guint since = 0;

  for (gsize r = 0; r < train->n_rows; r++)
    order[r] = (guint32) r;
  for (gsize r = 0; r < valid->n_rows; r++)
    all[r] = (guint32) r;
  for (guint epoch = 0; epoch < n_epochs && since < self->options.patience; epoch++)
    {
      double loss;

      mt_random_shuffle (&self->random, order, train->n_rows);
      for (gsize at = 0; at < train->n_rows; at += self->options.batch)
        {
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          _mt_lab_net_draw_noise (self, TRUE);
          mt_lab_net_loss (self, train, order + at, MIN (self->options.batch, train->n_rows - at), FALSE, self->gradient);
          step (self);
          hold (self, is_fixed);
        }
      _mt_lab_net_draw_noise (self, FALSE);
      loss = mt_lab_net_loss (self, valid, all, valid->n_rows, FALSE, NULL);
      since++;
      if (loss < best_loss)
        {
          best_loss = loss;
          memcpy (best, self->params, self->n_params * sizeof (double));
          since = 0;
        }
    }
  memcpy (self->params, best, self->n_params * sizeof (double));
  _mt_lab_net_draw_noise (self, FALSE);
  return TRUE;
}

gboolean
mt_lab_net_train (MtLabNet         *net,
                  const MtLabInput *train_input,
                  const MtLabInput *valid,
                  GCancellable     *cancellable,
                  GError          **error)
{
  return _mt_lab_net_train (net, train_input, valid, NULL, net->options.n_epochs, cancellable, error);
}
