/* Constraints that hold while a network is trained, not only for what is made of it.
 *
 * A node j gets a sign s_j when training starts, and its head weight keeps it. Along a literal with
 * direction d the score may only move by d, so the node's table weight there keeps the sign s_j · d; without
 * negation all table weights are ≥ 0. Weights of the head's own literals and columns keep the sign of their
 * direction. Whatever an optimizer step moves beyond goes to zero: the nearest point that is allowed. A node's
 * table then keeps to the constraints at every step, because its sum z does.
 *
 * The hidden units of a deep node count for it (their outgoing weights are ≥ 0), and their weights keep the same
 * signs. Plain loops after the step, the same for all kernels. */
#pragma once

#include "mt-net-private.h"

G_BEGIN_DECLS

typedef struct {
  const gint8 *directions;           /* a literal: +1, -1 or 0; one output only; NULL: none */
  const gint8 *numeric_directions;   /* a numeric column, with @directions */
  gboolean     no_negation;
} MtNetConstraints;

gboolean mt_net_constraints_are_set       (const MtNetConstraints *limits);

/* Gives the nodes their signs and takes the net to where it may be. */
void     mt_net_constraints_start         (const MtNetConstraints *limits,
                                           MtNet             *net);
/* The signs of such a net, or of one trained from it: +1 or -1 a node, as of its head weight, zero
 * or not. */
void     mt_net_constraints_read_signs    (const MtNet       *net,
                                           gint8             *signs);

/* What a parameter of such a net may be: bits. */
typedef enum {
  MT_LIMIT_NOT_NEGATIVE = 1 << 0,
  MT_LIMIT_NOT_POSITIVE = 1 << 1,
  MT_LIMIT_SIGNED_ZERO  = 1 << 2,      /* of the side that is left */
} MtNetLimit;

/* The same as the projections below, a parameter by itself: for what has a thread a parameter. @codes: n_params. */
void     mt_net_constraints_fill_codes    (const MtNetConstraints *limits,
                                           const MtNet       *net,
                                           const float       *params,
                                           guint8            *codes);

/* What is not allowed goes to zero: the 16 nodes of a block, and the head. */
void     mt_net_constraints_project_block (const MtNetConstraints *limits,
                                           const gint8       *signs,
                                           MtNet             *net,
                                           guint              block);
void     mt_net_constraints_project_head  (const MtNetConstraints *limits,
                                           const gint8       *signs,
                                           MtNet             *net);

G_END_DECLS
