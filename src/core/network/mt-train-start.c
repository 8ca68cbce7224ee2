/* Where the nodes begin: conjunctions that explain what a sum of columns and literals leaves over.
 *
 * The head is fitted to the standardized columns and all literals of the training rows, and
 * mt-scan looks for conjunctions in its residual, a quarter of the nodes a round. Node j then
 * starts at conjunction j: W_map raised at its inputs, W_ltt +1 where a literal must be true and
 * -1 where it must be false, b so that z is +½ when all agree and at most -½ otherwise.
 *
 * Validation rows play no part, or the start would know what is to judge it. */
#include "config.h"
#include "mt-train-private.h"

#include <string.h>

#include "mt-backend-cuda.h"
#include "rules/mt-interaction-scan.h"

#define N_ROUNDS 4
#define GROWTH   1.15       /* as in refine */
/* More rows find the same conjunctions: the scan would then take longer than the training. */
#define MAX_ROWS 50000

typedef struct {
  const MtEncoded *encoded;
  MtLinearFit          *head;
  guint            n_nodes;
  GArray          *nodes;      /* of MtNetNode */
  GPtrArray       *planes;     /* of their conjunctions */
} Start;

/* The conjunction as a bit plane over the training rows; bits past the last row are zero. */
static void
fill_plane (const MtEncoded     *encoded,
            const MtConjunction *x,
            guint64             *plane)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);

  for (gsize w = 0; w * 64 < n_rows; w++)
    {
      guint64 word = n_rows - w * 64 < 64 ? (G_GUINT64_CONSTANT (1) << (n_rows % 64)) - 1 : G_MAXUINT64;

      for (guint i = 0; i < x->n_inputs; i++)
        {
          guint64 literal = mt_encoded_get_plane (encoded, x->inputs[i])[w];

          word &= x->value >> i & 1 ? literal : ~literal;
        }
      plane[w] = word;
    }
}

/* Adds a conjunction as a node, and as a column of the head for the next round of the scan. One
 * that is true of exactly the same rows as a node before it is passed over: two literals may mean
 * the same in these rows.
 *
 * With t literals that must be true, the bias is ½ − t. If all agree, z = t + ½ − t = ½. Each
 * literal that disagrees takes away 1: a missing true one is not added, a false one that is true
 * subtracts 1. So z ≤ −½. */
static void
add_node (const MtConjunction *x,
          gpointer             user_data)
{
  Start *self = user_data;
  gsize n_words = mt_encoded_get_n_words (self->encoded);
  g_autofree guint64 *plane = g_new0 (guint64, n_words);
  MtNetNode node = { x->n_inputs };
  guint n_true = 0;

  if (self->nodes->len >= self->n_nodes)
    return;
  fill_plane (self->encoded, x, plane);
  for (guint i = 0; i < self->planes->len; i++)
    if (memcmp (self->planes->pdata[i], plane, n_words * sizeof *plane) == 0)
      return;
  for (guint i = 0; i < x->n_inputs; i++)
    {
      gboolean must_be_true = x->value >> i & 1;

      node.inputs[i] = x->inputs[i];
      node.weights[i] = must_be_true ? 1.0f : -1.0f;
      n_true += must_be_true;
    }
  node.bias = 0.5f - (float) n_true;
  g_array_append_val (self->nodes, node);
  mt_linear_fit_add (self->head, (MtLinearFitColumn) { plane, NULL });
  g_ptr_array_add (self->planes, g_steal_pointer (&plane));
}

typedef struct {
  const char *name;
  guint64     memory;     /* bytes to use of it at most; 0: what is free */
} Device;

/* An MtPairSumFunc: on the device, if it trains many networks at once, which a GPU does. */
static gboolean
sum_pairs_on_device (const MtEncoded *encoded,
                     const double    *r,
                     const double    *h,
                     float           *sum_r,
                     float           *sum_h,
                     gpointer         user_data)
{
  const Device *device = user_data;

  return device->name != NULL && mt_train_wants_many (device->name) &&
         mt_backend_cuda_sum_pairs (encoded, r, h, device->memory, sum_r, sum_h, NULL);
}

/* The columns of the head are the numbers and all literals, so that what the scan finds are
 * interactions and not single literals. A quarter of the nodes is looked for in each of four
 * rounds, and what a round finds joins the head before the next. With a fan-in of 1 there are no
 * conjunctions, and the list is empty.
 *
 * This is often most of the time of a short training: literals² × rows for each round
 * (mt-interaction-scan.h). */
GArray *
mt_train_find_start (const MtEncoded    *encoded,
                     MtTask              task,
                     guint               n_outputs,
                     const double       *target,
                     const double       *class_weights,
                     guint               n_nodes,
                     guint               fan_in,
                     const MtNetConstraints  *limits,
                     const char         *device,
                     guint64             device_memory,
                     GCancellable       *cancellable,
                     GError            **error)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (MtNetNode));
  g_autoptr (GPtrArray) planes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (MtLinearFit) head = NULL;
  Device where = { device, device_memory };
  const MtInteractionScanOptions options = {
    (n_nodes + N_ROUNDS - 1) / N_ROUNDS, MIN (fan_in, MT_INTERACTION_SCAN_MAX_LENGTH), GROWTH, mt_interaction_scan_get_ridge (task, encoded), NULL,
    limits != NULL ? limits->directions : NULL, limits != NULL && limits->no_negation,
    .sum_pairs = sum_pairs_on_device, .sum_pairs_data = &where,
  };
  Start self = { encoded, NULL, n_nodes, nodes, planes };

  if (fan_in < 2)
    return g_steal_pointer (&nodes);
  self.head = head = mt_linear_fit_new (task, n_outputs, target, n_rows, options.ridge);
  mt_linear_fit_set_class_weights (head, class_weights);
  for (guint u = 0; u < mt_encoded_get_n_numeric (encoded); u++)
    mt_linear_fit_add (head, (MtLinearFitColumn) { NULL, mt_encoded_get_numeric (encoded, u) });
  for (guint l = 0; l < mt_encoded_get_n_literals (encoded); l++)
    mt_linear_fit_add (head, (MtLinearFitColumn) { mt_encoded_get_plane (encoded, l), NULL });
  if (!mt_interaction_scan_rounds (encoded, head, n_outputs, &options, N_ROUNDS, NULL, add_node, &self, cancellable, error))
    return NULL;
  return g_steal_pointer (&nodes);
}

/* The training rows come shuffled (split_rows()), so the first MAX_ROWS of them are a random
 * sample. Nodes beyond those found keep their random start. */
gboolean
mt_train_start_by_scan (MtNet              *net,
                        const MtEncoded    *encoded,
                        const float        *y,
                        const float        *class_weights,
                        const guint32      *rows,
                        gsize               n_rows,
                        const MtNetConstraints  *limits,
                        const char         *device,
                        guint64             device_memory,
                        GCancellable       *cancellable,
                        GError            **error)
{
  const MtNetShape *shape = mt_net_get_shape (net);
  gsize n = MIN (n_rows, MAX_ROWS);
  g_autoptr (MtEncoded) taken = NULL;
  guint n_classes = shape->task == MT_TASK_BINARY ? 2 : shape->n_outputs;
  g_autofree double *target = g_new (double, n);
  g_autofree double *weights = class_weights != NULL ? g_new (double, n_classes) : NULL;
  g_autoptr (GArray) nodes = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  taken = mt_encoded_take_rows (encoded, rows, n);
  for (gsize i = 0; i < n; i++)
    target[i] = y[rows[i]];
  for (guint c = 0; c < n_classes && weights != NULL; c++)
    weights[c] = class_weights[c];
  nodes = mt_train_find_start (taken, shape->task, shape->n_outputs, target, weights, shape->n_nodes, shape->fan_in,
                               limits, device, device_memory, cancellable, error);
  for (guint j = 0; nodes != NULL && j < nodes->len; j++)
    mt_net_start_node (net, j, &g_array_index (nodes, MtNetNode, j));
  return nodes != NULL;
}
