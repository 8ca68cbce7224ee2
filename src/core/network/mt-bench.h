/* Measurements of the learner's own kernels, for `minterm-cli bench` and docs/benchmarks.md. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint   rows;            /* of a batch; the table has as many */
  guint   columns;
  guint   bits;            /* thresholds a column */
  guint   nodes;
  guint   fan_in;
  guint   outputs;         /* 1: binary, else classes */
  guint   threads;         /* 0: all */
  guint64 seed;
  guint   n_steps;         /* measured; 0: enough for about half a second */
} MtBenchStep;

typedef struct {
  guint   literals;
  guint   n_steps;
  guint   threads;
  double  ms_min, ms_median;
  double  loss_first, loss_last;   /* the step learns something: mean losses */
} MtBenchStepResult;

/* A full training step: gather the batch, forward, loss, backward, soft TopK, AdamW. */
void    mt_bench_step         (const MtBenchStep *what,
                               MtBenchStepResult *result);
/* One OpenBLAS sgemm (rows × literals)ᵀ (rows × width) on one thread, best time in ms;
 * *core is the kernel that OpenBLAS chose, NULL where OpenBLAS is not installed. */
double  mt_bench_blas_product (guint              rows,
                               guint              literals,
                               guint              width,
                               char             **core);

typedef struct {
  guint   n, nodes, k;
  double  tau;
  double  forward_cold_ms, forward_warm_ms, backward_ms;   /* best of several */
  guint   passes_cold, passes_warm;
  double  worst_error;                                     /* |Σπ - k| / k */
  gsize   bytes;                                           /* scores, π, gradient, state */
} MtBenchTopk;

/* n, nodes, k and tau are given; the rest is filled in. One thread. */
void    mt_bench_topk         (MtBenchTopk *it,
                               guint64      seed);

/* π of one score vector. */
void    mt_bench_topk_masses  (const float *scores,
                               guint        n,
                               guint        k,
                               double       tau,
                               double      *pi);

G_END_DECLS
