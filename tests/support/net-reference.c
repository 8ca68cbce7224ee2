/* The network in plain loops and double precision, straight from the formulas: what the
 * kernels, the backends and the gradients are judged by. Slow: rows × literals × nodes.
 *
 * One row at a time, one node at a time: z_j = Σ_i mask_ij W_ij x_i + b_j (and the hidden layer of
 * a deep node), y_j = [z_j > 0], η_c = Σ_j w_cj y_j + the head's literals and numbers + bias, then
 * the loss and its derivative, and back through the same sums. Nothing is blocked, padded or
 * skipped. */
#include "config.h"
#include "net-reference.h"

#include <math.h>
#include <string.h>

/* Working memory of one pass. Matrices literals × nodes are row-major here (n × m), not in blocks of 16 as in the
 * net: this file is to share no layout with what it judges. */
typedef struct {
  const MtNet  *net;
  const double *params;
  double       *pi;          /* n_literals × n_nodes */
  double       *mask;        /* what the forward pass uses: hard, or π */
  double       *x;           /* one row's literals */
  double       *numeric;
  double       *z, *y;       /* n_nodes */
  double       *a;           /* deep: n_nodes × n_hidden */
  double       *eta, *g;     /* n_outputs */
  double       *up;          /* n_literals × n_nodes: gradient in π */
} Pass;

static double
at_map (const Pass *pass,
        guint       i,
        guint       j)
{
  return pass->params[mt_net_at (&pass->net->layout, pass->net->layout.map, i, j)];
}

/* The soft choice π by 200 halvings, far beyond what doubles resolve, from a bracket of 50 τ around the scores,
 * outside of which a sigmoid is 0 or 1. The hard choice is made by its definition: a literal is chosen if fewer
 * than k others have a higher score, equal scores going to the lower index. That is O(n²) for each node and leaves
 * nothing to get wrong. */
static void
choose (Pass           *pass,
        MtReferenceMode mode)
{
  guint n = pass->net->shape.n_literals, m = pass->net->shape.n_nodes, k = pass->net->shape.fan_in;
  double tau = pass->net->temperature;

  for (guint j = 0; j < m; j++)
    {
      double low = INFINITY, high = -INFINITY;

      for (guint i = 0; i < n; i++)
        {
          low = MIN (low, at_map (pass, i, j) - 50.0 * tau);
          high = MAX (high, at_map (pass, i, j) + 50.0 * tau);
        }
      for (guint round = 0; round < 200; round++)
        {
          double lambda = 0.5 * (low + high), sum = 0.0;

          for (guint i = 0; i < n; i++)
            {
              double x = (at_map (pass, i, j) - lambda) / tau;

              pass->pi[i * m + j] = k >= n ? 1.0 : 1.0 / (1.0 + exp (-x));
              sum += pass->pi[i * m + j];
            }
          if (sum > k)
            low = lambda;
          else
            high = lambda;
        }
      for (guint i = 0; i < n; i++)
        {
          guint ahead = 0;

          for (guint other = 0; other < n; other++)
            ahead += at_map (pass, other, j) > at_map (pass, i, j) ||
                     (other < i && at_map (pass, other, j) == at_map (pass, i, j));
          pass->mask[i * m + j] = mode == MT_REFERENCE_SOFT ? pass->pi[i * m + j] : ahead < k ? 1.0 : 0.0;
        }
    }
}

/* One row through the net. In soft mode the mask is π and a node answers z itself, so the loss is a smooth
 * function of the parameters and its gradient can be compared with finite differences. In hard mode the mask is
 * the choice of k inputs and the answer is [z > 0], as in training. */
static void
forward (Pass           *pass,
         MtReferenceMode mode)
{
  const MtNetLayout *layout = &pass->net->layout;
  const MtNetShape *shape = &pass->net->shape;
  const double *p = pass->params;
  guint m = shape->n_nodes;

  for (guint j = 0; j < m; j++)
    {
      pass->z[j] = p[layout->bias + j];
      for (guint i = 0; i < shape->n_literals; i++)
        pass->z[j] += pass->mask[i * m + j] * p[mt_net_at (layout, layout->ltt, i, j)] * pass->x[i];
      for (gsize u = 0; u < layout->n_hidden; u++)
        {
          double a = p[layout->hidden_bias + j * layout->n_hidden + u];

          for (guint i = 0; i < shape->n_literals; i++)
            a += pass->mask[i * m + j] * pass->x[i] *
                 p[layout->hidden + ((gsize) j * shape->n_literals + i) * layout->n_hidden + u];
          pass->a[j * layout->n_hidden + u] = a;
          pass->z[j] += p[layout->hidden_out + j * layout->n_hidden + u] * MAX (a, 0.0);
        }
      pass->y[j] = mode == MT_REFERENCE_SOFT ? pass->z[j] : pass->z[j] > 0.0 ? 1.0 : 0.0;
    }
  for (guint c = 0; c < shape->n_outputs; c++)
    {
      pass->eta[c] = p[layout->head_bias + c];
      for (guint j = 0; j < m; j++)
        pass->eta[c] += p[layout->rule + c * layout->n_nodes16 + j] * pass->y[j];
      for (guint i = 0; i < shape->n_literals; i++)
        if (pass->net->in_head[i])
          pass->eta[c] += p[layout->literal + c * layout->n_literals16 + i] * pass->x[i];
      for (guint u = 0; u < shape->n_numeric; u++)
        pass->eta[c] += p[layout->numeric + c * layout->n_numeric16 + u] * pass->numeric[u];
    }
}

/* Loss of the row; its gradient in η goes to pass->g. */
static double
row_loss (Pass  *pass,
          double y)
{
  double largest = pass->eta[0], sum = 0.0;
  guint n = pass->net->shape.n_outputs;

  if (pass->net->shape.task == MT_TASK_REGRESSION)
    {
      pass->g[0] = pass->eta[0] - y;
      return 0.5 * pass->g[0] * pass->g[0];
    }
  if (pass->net->shape.task == MT_TASK_BINARY)
    {
      pass->g[0] = 1.0 / (1.0 + exp (-pass->eta[0])) - y;
      return MAX (pass->eta[0], 0.0) - y * pass->eta[0] + log1p (exp (-fabs (pass->eta[0])));
    }
  for (guint c = 1; c < n; c++)
    largest = MAX (largest, pass->eta[c]);
  for (guint c = 0; c < n; c++)
    sum += exp (pass->eta[c] - largest);
  for (guint c = 0; c < n; c++)
    pass->g[c] = exp (pass->eta[c] - largest) / sum - (c == (guint) y ? 1.0 : 0.0);
  return log (sum) + largest - pass->eta[(guint) y];
}

/* The gradient of one row, added to grad and, for the choice, to pass->up. The step [z > 0] has no
 * useful derivative; as in training, the gradient passes through it unchanged (straight-through),
 * so what arrives at z is Σ_c g_c w_cj. From there on it is the chain rule, with the soft choice π
 * in the place of the mask: in hard mode, too, because that is what training does. */
static void
backward (Pass   *pass,
          double *grad)
{
  const MtNetLayout *layout = &pass->net->layout;
  const MtNetShape *shape = &pass->net->shape;
  const double *p = pass->params;
  guint m = shape->n_nodes;

  for (guint c = 0; c < shape->n_outputs; c++)
    {
      grad[layout->head_bias + c] += pass->g[c];
      for (guint j = 0; j < m; j++)
        grad[layout->rule + c * layout->n_nodes16 + j] += pass->g[c] * pass->y[j];
      for (guint i = 0; i < shape->n_literals; i++)
        if (pass->net->in_head[i])
          grad[layout->literal + c * layout->n_literals16 + i] += pass->g[c] * pass->x[i];
      for (guint u = 0; u < shape->n_numeric; u++)
        grad[layout->numeric + c * layout->n_numeric16 + u] += pass->g[c] * pass->numeric[u];
    }
  for (guint j = 0; j < m; j++)
    {
      double gz = 0.0;

      for (guint c = 0; c < shape->n_outputs; c++)
        gz += pass->g[c] * p[layout->rule + c * layout->n_nodes16 + j];
      grad[layout->bias + j] += gz;
      for (guint i = 0; i < shape->n_literals; i++)
        {
          double slope = p[mt_net_at (layout, layout->ltt, i, j)];

          for (gsize u = 0; u < layout->n_hidden; u++)
            if (pass->a[j * layout->n_hidden + u] > 0.0)
              {
                gsize at = layout->hidden + ((gsize) j * shape->n_literals + i) * layout->n_hidden + u;
                double out = p[layout->hidden_out + j * layout->n_hidden + u];

                slope += out * p[at];
                grad[at] += gz * pass->pi[i * m + j] * out * pass->x[i];
              }
          grad[mt_net_at (layout, layout->ltt, i, j)] += gz * pass->pi[i * m + j] * pass->x[i];
          pass->up[i * m + j] += gz * pass->x[i] * slope;
        }
      for (gsize u = 0; u < layout->n_hidden; u++)
        if (pass->a[j * layout->n_hidden + u] > 0.0)
          {
            gsize at = j * layout->n_hidden + u;

            grad[layout->hidden_bias + at] += gz * p[layout->hidden_out + at];
            grad[layout->hidden_out + at] += gz * pass->a[at];
          }
    }
}

/* Through the soft choice: (d∘u - d (d·u) / Σd) / τ. */
static void
backward_choice (Pass   *pass,
                 double *grad)
{
  guint n = pass->net->shape.n_literals, m = pass->net->shape.n_nodes;

  for (guint j = 0; j < m; j++)
    {
      double sum_d = 0.0, sum_du = 0.0;

      for (guint i = 0; i < n; i++)
        {
          double d = pass->pi[i * m + j] * (1.0 - pass->pi[i * m + j]);

          sum_d += d;
          sum_du += d * pass->up[i * m + j];
        }
      for (guint i = 0; i < n; i++)
        {
          double d = pass->pi[i * m + j] * (1.0 - pass->pi[i * m + j]);

          grad[mt_net_at (&pass->net->layout, pass->net->layout.map, i, j)] =
            sum_d > 0.0 ? d * (pass->up[i * m + j] - sum_du / sum_d) / pass->net->temperature : 0.0;
        }
    }
}

/* Mean loss and, if wanted, its mean gradient. The numbers of a row are read from the encoded data
 * one at a time; nothing is shared with the kernels but the layout of the parameters. In soft mode
 * its gradient can be compared with finite differences; in hard mode the backends are compared with
 * it. */
double
mt_net_reference (const MtNet     *net,
                  const double    *params,
                  const MtEncoded *encoded,
                  const guint32   *rows,
                  gsize            n_rows,
                  const float     *y,
                  const float     *weight,
                  MtReferenceMode  mode,
                  double          *grad)
{
  gsize n = net->shape.n_literals, m = net->shape.n_nodes, c = net->shape.n_outputs;
  gsize h = net->layout.n_hidden;
  g_autofree double *memory = g_new0 (double, 3 * n * m + n + net->shape.n_numeric + 2 * m + m * h + 2 * c);
  Pass pass = { .net = net, .params = params };
  double *next = memory, loss = 0.0;

  pass.pi = next, next += n * m;
  pass.mask = next, next += n * m;
  pass.up = next, next += n * m;
  pass.x = next, next += n;
  pass.numeric = next, next += net->shape.n_numeric;
  pass.z = next, next += m;
  pass.y = next, next += m;
  pass.a = next, next += m * h;
  pass.eta = next, next += c;
  pass.g = next;

  if (grad != NULL)
    memset (grad, 0, net->layout.n_params * sizeof (double));
  choose (&pass, mode);
  for (gsize r = 0; r < n_rows; r++)
    {
      gsize row = rows != NULL ? rows[r] : r;
      double w = weight != NULL ? (double) weight[row] : 1.0;

      for (guint i = 0; i < n; i++)
        pass.x[i] = mt_plane_get (mt_encoded_get_plane (encoded, i), row) ? 1.0 : 0.0;
      for (guint u = 0; u < net->shape.n_numeric; u++)
        pass.numeric[u] = mt_encoded_get_numeric (encoded, u)[row];
      forward (&pass, mode);
      loss += w * row_loss (&pass, y[row]);
      for (guint o = 0; o < c; o++)
        pass.g[o] *= w;
      if (grad != NULL)
        backward (&pass, grad);
    }
  if (grad != NULL)
    {
      backward_choice (&pass, grad);
      for (gsize i = 0; i < net->layout.n_params; i++)
        grad[i] /= (double) n_rows;
    }
  return loss / (double) n_rows;
}
