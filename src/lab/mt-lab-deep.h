/* One node, standard or deep, that learns a Boolean function from its whole table by gradient descent.
 *
 * Standard: z = w·x + b. Deep: z = v·relu (W x + a) + w·x + b with 2^k hidden units. The loss is the logistic loss of z; the
 * answer is z > 0. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint   fan_in, n_hidden;       /* n_hidden 0: standard */
  guint   n_params;
  double *params;                 /* w (fan_in), b, then W (n_hidden × fan_in), a (n_hidden), v (n_hidden) */
} MtLabFunctionNode;

void     mt_lab_function_node_init  (MtLabFunctionNode *node, guint fan_in, gboolean is_deep, guint64 seed);
void     mt_lab_function_node_clear (MtLabFunctionNode *node);
double   mt_lab_function_node_value (const MtLabFunctionNode *node, guint assignment);
/* Mean loss over the table whose bit v is the answer to assignment v; @gradient: n_params, may be NULL. */
double   mt_lab_function_node_loss  (const MtLabFunctionNode *node, guint64 table, double *gradient);

/* Does a node learn the function exactly? Up to a few starts. */
gboolean mt_lab_fit_function        (guint fan_in, guint64 table, gboolean is_deep, guint64 seed);

G_END_DECLS
