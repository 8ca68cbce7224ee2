/* The paper's way from a network to simpler ones, for comparison: prune by magnitude, tune, repeat.
 *
 * The inputs that the network chose stay. Round after round the tenth of its connections with the
 * smallest weights goes, and the same share of the head's terms (the paper prunes the layer of nodes
 * only, which cannot lead below its unary terms); what is left is tuned by the same gradient, hard
 * forward and identity backward. After each round every node is written as its truth table, minimized
 * with the don't-cares of the mode, and the model is kept. Before the first round nothing is changed:
 * with mode off or impossible the first model is the network, on every conceivable row, unless its numeric terms
 * are not wanted: they are dropped first, and what is left is tuned without them. Rows weigh as in training.
 *
 * A node without inputs is a constant and joins the bias. Standard nodes of at most
 * MT_REFINE_MAX_INPUTS inputs. Sizes: 1–200 nodes, 10²–10⁵ rows; plain loops in double. */
#pragma once

#include "network/mt-net.h"
#include "mt-refine.h"

G_BEGIN_DECLS

typedef struct {
  double  learning_rate;
  double  weight_decay;
  double  clip;              /* of the gradient's norm; 0: none */
  guint   batch;             /* rows a step */
  guint64 seed;              /* of the order of rows */
} MtMagnitudePruningOptions;

/* Appends to @visited (element-type MtPathModel). @target and @refine as in mt_refine_run(); of @refine
 * the mode of don't-cares, the numeric terms and the weights of classes count. FALSE when cancelled, or when a number stops being finite. */
gboolean mt_magnitude_pruning_run (const MtNet               *net,
                                   const MtEncoded           *encoded,
                                   const double              *target,
                                   const MtRefineOptions     *refine,
                                   const MtMagnitudePruningOptions  *options,
                                   GPtrArray                 *visited,
                                   MtLearnProgressFunc        progress,
                                   gpointer                   progress_data,
                                   GCancellable              *cancellable,
                                   GError                   **error);

G_END_DECLS
