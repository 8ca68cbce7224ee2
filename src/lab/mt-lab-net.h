/* A small reference network in which the way from literals to a node's inputs can be exchanged. Plain loops in double.
 *
 * n literals x, M nodes, C outputs, unary values u (numeric columns and levels; none without the skip connection).
 *   node    z_j = Σ_i m_ji w_ji x_i + b_j      y_j = 1 if z_j > 0, else 0, with the gradient of z
 *   head    η = H [u ∥ y] + a                  logistic, softmax or half squared loss, the mean over rows
 * Routes, which are what m is:
 *   SOFT    forward the k largest scores s; backward π, with Σπ = k, and its Jacobian (mt-topk.h)
 *   SLOTS   k slots a node with scores of their own and a weight each; forward the largest score, backward its softmax
 *   L0      a gate for each input: clip (σ ((log (v / (1 - v)) + a) / β) (ζ - γ) + γ), v random in training; penalty
 *           λ / M Σ σ (a - β log (-γ / ζ))
 *   FULL    1, but for inputs that were taken away
 * L1, λ / M a step on w and H, is a proximal step, so that weights become exactly 0.
 * In soft mode forward is what backward assumes (π for the choice, z for y): there gradients can be compared with
 * differences. Sizes: up to 5,000 rows, 200 literals, 50 nodes. */
#pragma once

#include "mt-lab-private.h"

G_BEGIN_DECLS

typedef enum {
  MT_LAB_ROUTE_SOFT,
  MT_LAB_ROUTE_SLOTS,
  MT_LAB_ROUTE_L0,
  MT_LAB_ROUTE_FULL,
} MtLabRoute;

typedef struct {
  MtLabRoute route;
  guint      n_nodes, fan_in;
  double     temperature;
  double     lambda;
  double     rate;
  guint      n_epochs, patience, batch;
  guint64    seed;
} MtLabNetOptions;

void mt_lab_net_options_init (MtLabNetOptions *options);

/* Rows as the network reads them. */
typedef struct {
  gsize         n_rows;
  guint         n_literals, n_unary;
  guint8       *literals;     /* n_rows × n_literals */
  double       *unary;        /* n_rows × n_unary */
  const double *target;       /* borrowed */
} MtLabInput;

void mt_lab_input_init       (MtLabInput       *input,
                              const MtLabRows  *rows,
                              gboolean          with_skip);
void mt_lab_input_clear      (MtLabInput       *input);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtLabInput, mt_lab_input_clear)

typedef struct _MtLabNet MtLabNet;

/* @centre, @scale: of a regression target. */
MtLabNet *mt_lab_net_new     (const MtLabNetOptions *options,
                              MtTask                 task,
                              guint                  n_outputs,
                              guint                  n_literals,
                              guint                  n_unary,
                              double                 centre,
                              double                 scale);
void      mt_lab_net_free    (MtLabNet         *net);
guint     mt_lab_net_get_n_params (const MtLabNet *net);
double   *mt_lab_net_peek_params  (MtLabNet    *net);
/* Mean loss of some rows, L0's penalty included; @gradient: n_params, may be NULL. @rows: indices. */
double    mt_lab_net_loss    (MtLabNet         *net,
                              const MtLabInput *input,
                              const guint32    *rows,
                              gsize             n_rows,
                              gboolean          is_soft,
                              double           *gradient);
/* Adam with early stopping by the validation loss of the hard network; the best state stays. */
gboolean  mt_lab_net_train   (MtLabNet         *net,
                              const MtLabInput *train,
                              const MtLabInput *valid,
                              GCancellable     *cancellable,
                              GError          **error);

typedef enum {
  MT_LAB_SPARSIFY_AS_IS,     /* what forward chooses */
  MT_LAB_SPARSIFY_LARGEST,   /* the fan_in largest weights of each node */
  MT_LAB_SPARSIFY_PRUNE,     /* the smallest of all weights, a fifth at a time with tuning in between, until each node has at
                              * most MT_LAB_MAX_INPUTS */
} MtLabSparsify;

/* The same network with its inputs fixed, tuned. NULL: cancelled. */
MtLabNet *mt_lab_net_sparsify (const MtLabNet   *net,
                               MtLabSparsify     how,
                               const MtLabInput *train,
                               const MtLabInput *valid,
                               GCancellable     *cancellable,
                               GError          **error);

/* One round of the paper's pruning of a network with fixed inputs: the fifth of its weights that is smallest, and the fifth of
 * the terms of its head (by the sum over the outputs), are taken away; the rest is tuned. FALSE: cancelled. */
gboolean  mt_lab_net_prune    (MtLabNet         *net,
                               const MtLabInput *train,
                               const MtLabInput *valid,
                               GCancellable     *cancellable,
                               GError          **error);

typedef struct {
  gboolean is_extractable;    /* every node that counts has at most MT_LAB_MAX_INPUTS inputs */
  guint    literals;
  double   valid, test;       /* AUC or R² of the formulas */
  double   train_gap;         /* largest difference from the network's scores on the training rows */
} MtLabExtract;

/* Of a fixed network, as rules: see mt-lab-extract.h. */
gboolean  mt_lab_net_extract  (MtLabNet         *net,
                               const MtLabBits  *bits,
                               gboolean          with_skip,
                               MtLabExtract     *extract,
                               GCancellable     *cancellable,
                               GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLabNet, mt_lab_net_free)

G_END_DECLS
