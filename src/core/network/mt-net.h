/* The network: literals → nodes (truth tables over k chosen literals) → linear head.
 *
 * n literals, M nodes of fan-in k, C outputs (binary and regression 1, else one a class).
 *   mask_j  the k largest of W_map[·, j], equal ones by the lower literal
 *   z_j     Σ_{i in mask_j} W_ltt[i, j] x_i + b_j         y_j = 1 if z_j > 0, else 0
 *   deep    z_j + w_out · relu (W_hᵀ (mask∘x) + b_h), 2^k hidden units: any Boolean function
 *   η       head over [numeric columns ∥ chosen literals ∥ y] + bias
 * A regression target is standardized in training; scores are given in its own unit.
 *
 * Parameters are floats; a node's truth table is computed from them in double, in one fixed
 * order, and decides every answer of the node here, in training and in the rules.
 * Sizes: n 50–2,000, M 1–200, k ≤ 16 (deep: ≤ 8), C ≤ 1,000. */
#pragma once

#include <glib.h>

#include "encode/mt-encoded.h"
#include "base/mt-task.h"

G_BEGIN_DECLS

#define MT_NET_MAX_FAN_IN       16
#define MT_NET_MAX_FAN_IN_DEEP  8

typedef enum {
  MT_NODE_STANDARD,
  MT_NODE_DEEP,
} MtNodeKind;

/* Which literals are in the head in addition to the numeric columns and the nodes. */
typedef enum {
  MT_LINEAR_FIT_NUMERIC,     /* none */
  MT_LINEAR_FIT_LEVELS,      /* the levels of categories: the paper's unary terms */
  MT_LINEAR_FIT_LITERALS,    /* every literal, so that nodes are left the interactions */
} MtLinearFitTerms;

typedef struct {
  MtTask      task;
  guint       n_literals;
  guint       n_numeric;
  guint       n_outputs;
  guint       n_nodes;
  guint       fan_in;
  MtNodeKind  kind;
} MtNetShape;

typedef struct {
  guint   n_inputs;
  guint32 inputs[MT_NET_MAX_FAN_IN];    /* ascending */
  float   weights[MT_NET_MAX_FAN_IN];   /* of the linear path */
  float   bias;
} MtNetNode;

typedef struct _MtNet MtNet;   /* counted; changed only while it has one owner */

/* @in_head: a byte a literal, 1 where it stands in the head; NULL: none. All parameters 0. */
MtNet            *mt_net_new              (const MtNetShape *shape,
                                           const guint8     *in_head,
                                           double            temperature);
MtNet            *mt_net_ref              (MtNet            *net);
void              mt_net_unref            (MtNet            *net);
MtNet            *mt_net_copy             (const MtNet      *net);
/* The paper's start: W_map and W_ltt N(0, 0.1²), b 0; head weights of nodes N(0, 1/M). */
void              mt_net_randomise        (MtNet            *net,
                                           guint64           seed);
/* Starts node @node at the given inputs, at most fan-in many; the linear path is @weights
 * there and 0 elsewhere, and W_map is raised there. */
void              mt_net_start_node       (MtNet            *net,
                                           guint             node,
                                           const MtNetNode  *start);

/* The same with W_map raised by @margin above all others of the node, and no more: a few temperatures leave the choice of
 * inputs free to move. */
void              mt_net_place_node       (MtNet            *net,
                                           guint             node,
                                           const MtNetNode  *start,
                                           double            margin);
/* Answers times @scale plus @centre: the network of a standardized target in that one's own unit. */
void              mt_net_move_scale       (MtNet            *net,
                                           double            centre,
                                           double            scale);
/* The same answers with another unit inside: head weights and the bias follow. */
void              mt_net_rescale          (MtNet            *net,
                                           double            mean,
                                           double            sd);

const MtNetShape *mt_net_get_shape        (const MtNet      *net);
gboolean          mt_net_is_in_head       (const MtNet      *net,
                                           guint             literal);
void              mt_net_read_node        (const MtNet      *net,
                                           guint             node,
                                           MtNetNode        *out);
/* Bit v of @table: the answer when input i is bit i of v; 2^k bits, at least one word. */
void              mt_net_fill_table       (const MtNet      *net,
                                           guint             node,
                                           guint64          *table);

/* Head weights, regression in units of the target. */
double            mt_net_get_bias         (const MtNet *net, guint output);
double            mt_net_get_node_weight  (const MtNet *net, guint output, guint node);
double            mt_net_get_literal_weight (const MtNet *net, guint output, guint literal);
double            mt_net_get_numeric_weight (const MtNet *net, guint output, guint column);
/* For starts that bring a fitted head; in the same units. */
void              mt_net_set_bias         (MtNet *net, guint output, double value);
void              mt_net_set_node_weight  (MtNet *net, guint output, guint node, double value);
void              mt_net_set_literal_weight (MtNet *net, guint output, guint literal, double value);
void              mt_net_set_numeric_weight (MtNet *net, guint output, guint column, double value);
void              mt_net_set_target_scale (MtNet *net, double mean, double sd);

/* scores: n_outputs × n_rows, output after output, before the sigmoid or softmax. */
void              mt_net_score            (const MtNet      *net,
                                           const MtEncoded  *encoded,
                                           double           *scores);
/* The answers of one node as a bit plane of n_words words. */
void              mt_net_fill_plane       (const MtNet      *net,
                                           guint             node,
                                           const MtEncoded  *encoded,
                                           guint64          *plane);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtNet, mt_net_unref)

G_END_DECLS
