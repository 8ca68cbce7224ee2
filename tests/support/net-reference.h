/* The network in plain loops in double over all literals and nodes: what tests judge kernels, backends and gradients by. */
#pragma once

#include "network/mt-net-private.h"

G_BEGIN_DECLS

typedef enum {
  MT_REFERENCE_HARD,     /* as trained: hard forward, soft choice and identity backward */
  MT_REFERENCE_SOFT,     /* soft choice and identity both ways: its gradient is a true one */
} MtReferenceMode;

/* Mean loss over @rows (NULL: the first n_rows) and, unless NULL, its gradient in all
 * parameters. params and grad have the net's layout, in double. y: class or standardized
 * value; weight: NULL for ones. grad of W_map includes the factor 1/τ. */
double mt_net_reference (const MtNet *net, const double *params, const MtEncoded *encoded,
                         const guint32 *rows, gsize n_rows, const float *y, const float *weight,
                         MtReferenceMode mode, double *grad);

G_END_DECLS
