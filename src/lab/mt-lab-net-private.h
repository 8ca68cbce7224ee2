/* The reference network's parts, for its own two files. */
#pragma once

#include "mt-lab-net.h"

G_BEGIN_DECLS

struct _MtLabNet {
  MtLabNetOptions options;
  MtTask          task;
  guint           n_outputs, n, n_unary;
  double          centre, scale;
  guint           n_params;
  double         *params, *gradient, *moments;
  guint           n_steps;
  guint8         *kept;        /* FULL: M × n */
  double         *noise;       /* L0: M × n, of this batch; NaN: none, gates as they are on average */
  double         *masks;       /* M × n: π, gates or 1 … */
  double         *forward;     /* … and the weights that forward uses */
  double         *slots;       /* SLOTS: M × k × n: softmax */
  double         *sums;        /* n: Σ of gradient × x for one node */
  MtRandom        random;
};

/* --- where the parameters are --- */

static inline guint
mt_lab_net_n_map (const MtLabNet *self)
{
  return self->options.route == MT_LAB_ROUTE_FULL ? 0
         : self->options.route == MT_LAB_ROUTE_SLOTS ? self->options.fan_in * self->n : self->n;
}

static inline guint
mt_lab_net_n_weights (const MtLabNet *self)
{
  return self->options.route == MT_LAB_ROUTE_SLOTS ? self->options.fan_in : self->n;
}

static inline double *
mt_lab_net_map (const MtLabNet *self,
        double         *params,
        guint           node)
{
  return params + node * mt_lab_net_n_map (self);
}

static inline double *
mt_lab_net_weights (const MtLabNet *self,
            double         *params,
            guint           node)
{
  return params + self->options.n_nodes * mt_lab_net_n_map (self) + node * mt_lab_net_n_weights (self);
}

static inline double *
mt_lab_net_biases (const MtLabNet *self,
           double         *params)
{
  return mt_lab_net_weights (self, params, self->options.n_nodes);
}

/* A row an output: nodes, unary values, bias. */
static inline double *
mt_lab_net_head (const MtLabNet *self,
         double         *params,
         guint           output)
{
  return mt_lab_net_biases (self, params) + self->options.n_nodes + output * (self->options.n_nodes + self->n_unary + 1);
}

/* Masks and forward weights of all nodes, from the parameters as they are. */
void     _mt_lab_net_route       (MtLabNet         *self,
                                  gboolean          is_soft);
/* z of one node, after that. */
double   _mt_lab_net_value       (const MtLabNet   *self,
                                  guint             node,
                                  const guint8     *literals);
void     _mt_lab_net_score       (const MtLabNet   *self,
                                  const double     *answers,
                                  const double     *unary,
                                  double           *scores);
/* Gates of L0 for a batch, or as they are on average. */
void     _mt_lab_net_draw_noise  (MtLabNet         *self,
                                  gboolean          is_training);
/* @is_fixed: parameters that stay 0; NULL: none. */
gboolean _mt_lab_net_train       (MtLabNet         *self,
                                  const MtLabInput *train,
                                  const MtLabInput *valid,
                                  const guint8     *is_fixed,
                                  guint             n_epochs,
                                  GCancellable     *cancellable,
                                  GError          **error);
void     _mt_lab_choose_largest  (const double     *values,
                                  guint             n,
                                  guint             k,
                                  guint8           *chosen);

G_END_DECLS
