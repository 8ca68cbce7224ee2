/* A decision tree over literals, grown best first: the split that gains most goes next,
 * wherever it is. Its questions are the same yes/no literals that rules are made of.
 *
 *   gain = Σ_k Gyes²/(Hyes + λ) + Gno²/(Hno + λ) - G²/(H + λ)      value = G / (H + λ)
 *
 * with sums G of n_outputs targets and H of weights. Targets 0/1 a class (or the number itself)
 * and weights 1 give CART: the gain is the drop of the Gini index, or of the squared error. The
 * negative gradient and curvature of a loss give a boosting step.
 *
 * Split s makes the nodes 2s + 1 (yes) and 2s + 2 (no), so the first 2L - 1 nodes are the
 * tree of L leaves: one growth gives a tree of every size.
 *
 * A node keeps, per group, a histogram of its rows by code; the larger child of a split is the
 * parent less the smaller one. Cost: rows × groups × (outputs + 2) additions a level.
 * Sizes: 10²–10⁶ rows, 10–100 groups, 2–64 leaves, 1–50 outputs. */
#pragma once

#include <gio/gio.h>

#include "encode/mt-encoded.h"

G_BEGIN_DECLS

typedef struct {
  guint  max_leaves;   /* 2 or more */
  guint  min_rows;     /* of a leaf; 1 or more */
  double ridge;        /* λ */
} MtTreeOptions;

typedef struct {
  guint   parent;      /* of the root: itself */
  guint   literal;     /* asked here; meaningless without a split */
  guint   split;       /* number of that split; G_MAXUINT: never split */
  guint   depth;
  gsize   n_rows;      /* it was grown on */
} MtTreeNode;

typedef struct _MtTree MtTree;

/* @targets: n_outputs × n_rows. @weights: n_rows, or NULL for 1 each. NULL only when cancelled. */
MtTree           *mt_tree_grow           (const MtEncoded      *encoded,
                                          const double         *targets,
                                          const double         *weights,
                                          guint                 n_outputs,
                                          const MtTreeOptions  *options,
                                          GCancellable         *cancellable,
                                          GError              **error);
void              mt_tree_free           (MtTree               *tree);

guint             mt_tree_get_n_leaves   (const MtTree         *tree);
const MtTreeNode *mt_tree_get_node       (const MtTree         *tree,
                                          guint                 node);
/* n_outputs values, of an inner node too: what it would say if it were a leaf. */
const double     *mt_tree_get_values     (const MtTree         *tree,
                                          guint                 node);
/* Adds @scale times the leaf's values of the tree of @n_leaves: scores, n_outputs × n_rows. */
void              mt_tree_add_scores     (const MtTree         *tree,
                                          const MtEncoded      *encoded,
                                          guint                 n_leaves,
                                          double                scale,
                                          double               *scores);
/* Complexity of the tree of @n_leaves written as rules: one rule a leaf, the literals of its path,
 * as the paper counts trees. A literal that a stricter one of the same column on the path makes
 * idle is not counted. A lone leaf counts 1, like a bias. */
guint             mt_tree_count_literals (const MtTree         *tree,
                                          const MtEncoded      *encoded,
                                          guint                 n_leaves);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTree, mt_tree_free)

G_END_DECLS
