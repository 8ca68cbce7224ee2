/* Exact sums over rows for one search with two classes: on a GPU that keeps the planes, or on the CPU, with the same bits. */
#pragma once

#include "encode/mt-encoded.h"
#include "rules/mt-linear-fit-sums.h"
#include "rules/mt-rules.h"

G_BEGIN_DECLS

typedef struct _MtRefineSums MtRefineSums;

/* What a linear fit asks for; the place is the MtRefineSums. */
extern const MtLinearFitSums mt_refine_sums_functions;

/* What was asked for, by all searches of the process: what a device would have to do. */
typedef struct {
  guint64 n_puts;
  guint64 n_scores, n_scored;      /* … planes of them */
  guint64 n_reads;                 /* residuals and curvatures of all rows */
  guint64 n_grams, n_tiles;        /* … 64 × 64 planes of their upper triangles */
  guint64 n_gains, n_rules;        /* … rules of them */
  guint64 n_inputs;                /* … and of these */
  guint64 n_lost;                  /* sessions that another device than the CPU was asked for, and that the CPU went on with */
  double  seconds;                 /* of the processor, in all of these */
} MtRefineSumsWork;

void          mt_refine_sums_get_work (MtRefineSumsWork *work);

/* @device: "cpu" or "cuda". @target: 0 or 1. @class_weights: NULL: 1. A device that cannot be had, or fails later, is
 * no error: the CPU makes the same sums. */
MtRefineSums *mt_refine_sums_new   (const char       *device,
                                    guint64           memory,
                                    const MtEncoded  *encoded,
                                    const double     *target,
                                    const double     *class_weights);
void          mt_refine_sums_free  (MtRefineSums     *self);
/* As of the last score(): for each rule, with its weight, and each pattern of its inputs, the loss with the rule true of
 * those rows less the loss with it false. gains[i] has room for the patterns of rule i. */
void          mt_refine_sums_gains (MtRefineSums     *self,
                                    MtRule * const   *rules,
                                    const double     *weights,
                                    guint             n_rules,
                                    double * const   *gains);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRefineSums, mt_refine_sums_free)

G_END_DECLS
