/* One node that learns a Boolean function. See mt-lab-deep.h. */
#include "config.h"
#include "mt-lab-deep.h"

#include <math.h>
#include <string.h>

#include "mt-core.h"

#define N_STARTS 8
#define N_STEPS  1500
#define RATE     .03

void
mt_lab_function_node_init (MtLabFunctionNode *node,
                           guint              fan_in,
                           gboolean           is_deep,
                           guint64            seed)
{
  MtRandom random;

  node->fan_in = fan_in;
  node->n_hidden = is_deep ? 1u << fan_in : 0;
  node->n_params = fan_in + 1 + node->n_hidden * (fan_in + 2);
  node->params = g_new (double, node->n_params);
  mt_random_init (&random, seed);
  for (guint i = 0; i < node->n_params; i++)
    node->params[i] = .7 * mt_random_normal (&random);
}

void
mt_lab_function_node_clear (MtLabFunctionNode *node)
{
  g_clear_pointer (&node->params, g_free);
}

static double
hidden_value (const MtLabFunctionNode *node,
              guint                    unit,
              guint                    assignment)
{
  const double *weights = node->params + node->fan_in + 1 + unit * node->fan_in;
  double z = node->params[node->fan_in + 1 + node->n_hidden * node->fan_in + unit];

  for (guint i = 0; i < node->fan_in; i++)
    if (assignment >> i & 1)
      z += weights[i];
  return z;
}

double
mt_lab_function_node_value (const MtLabFunctionNode *node,
                            guint                    assignment)
{
  const double *out = node->params + node->n_params - node->n_hidden;
  double z = node->params[node->fan_in];

  for (guint i = 0; i < node->fan_in; i++)
    if (assignment >> i & 1)
      z += node->params[i];
  for (guint h = 0; h < node->n_hidden; h++)
    z += out[h] * MAX (hidden_value (node, h, assignment), 0);
  return z;
}

double
mt_lab_function_node_loss (const MtLabFunctionNode *node,
                           guint64                  table,
                           double                  *gradient)
{
  guint n = 1u << node->fan_in, k = node->fan_in;
  const double *out = node->params + node->n_params - node->n_hidden;
  double loss = 0;

  if (gradient != NULL)
    memset (gradient, 0, node->n_params * sizeof *gradient);
  for (guint v = 0; v < n; v++)
    {
      double sign = table >> v & 1 ? 1 : -1, z = mt_lab_function_node_value (node, v) * sign;
      double up = -sign / (1 + exp (z)) / n;

      loss += (z > 0 ? log1p (exp (-z)) : log1p (exp (z)) - z) / n;
      if (gradient == NULL)
        continue;
      gradient[k] += up;
      for (guint i = 0; i < k; i++)
        gradient[i] += v >> i & 1 ? up : 0;
      for (guint h = 0; h < node->n_hidden; h++)
        {
          double value = hidden_value (node, h, v);

          if (value <= 0)
            continue;
          gradient[node->n_params - node->n_hidden + h] += up * value;
          gradient[k + 1 + node->n_hidden * k + h] += up * out[h];
          for (guint i = 0; i < k; i++)
            gradient[k + 1 + h * k + i] += v >> i & 1 ? up * out[h] : 0;
        }
    }
  return loss;
}

static gboolean
is_fitted (const MtLabFunctionNode *node,
           guint64                  table)
{
  for (guint v = 0; v < 1u << node->fan_in; v++)
    if ((mt_lab_function_node_value (node, v) > 0) != (table >> v & 1))
      return FALSE;
  return TRUE;
}

/* Adam; the start decides whether a deep node gets there, so there are several. */
gboolean
mt_lab_fit_function (guint    fan_in,
                     guint64  table,
                     gboolean is_deep,
                     guint64  seed)
{
  gboolean found = FALSE;

  for (guint s = 0; s < N_STARTS && !found; s++)
    {
      MtLabFunctionNode node;
      g_autofree double *gradient = NULL, *moments = NULL;

      mt_lab_function_node_init (&node, fan_in, is_deep, seed + s);
      gradient = g_new (double, node.n_params);
      moments = g_new0 (double, 2 * node.n_params);
      for (guint step = 1; step <= N_STEPS && !found; step++)
        {
          mt_lab_function_node_loss (&node, table, gradient);
          for (guint i = 0; i < node.n_params; i++)
            {
              double *m = moments + 2 * i;

              m[0] = .9 * m[0] + .1 * gradient[i];
              m[1] = .999 * m[1] + .001 * gradient[i] * gradient[i];
              node.params[i] -= RATE * m[0] / (1 - pow (.9, step)) / (sqrt (m[1] / (1 - pow (.999, step))) + 1e-8);
            }
          found = step % 20 == 0 && is_fitted (&node, table);
        }
      mt_lab_function_node_clear (&node);
    }
  return found;
}
