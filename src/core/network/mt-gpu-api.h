/* Between core and a GPU module: plain types and one table of functions.
 *
 * The module knows nothing of core, GLib or nets; core knows nothing of CUDA. Core hands over the
 * rows once and many nets that learn from them, asks for epochs, and turns a status into a GError.
 * Epochs, the validation loss after each, which state is the best, when the learning rate halves
 * and when a net has learned enough: all of that is the module's. A module exports
 * mt_gpu_module_get(), which gives its table, or NULL for another version of this header.
 *
 * Parameters have the layout of mt-net-private.h: matrices literals × nodes in blocks of 16
 * nodes, all parts padded with zeros to 16. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "network/mt-gpu-sums-api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MT_GPU_API_VERSION  6
#define MT_GPU_MAX_DEVICES  16
#define MT_GPU_MAX_FAN_IN   16
#define MT_GPU_NONE         UINT32_MAX

typedef enum {
  MT_GPU_OK,
  MT_GPU_NO_DRIVER,
  MT_GPU_OLD_DRIVER,
  MT_GPU_NO_DEVICE,
  MT_GPU_OUT_OF_MEMORY,
  MT_GPU_LOST,             /* anything that leaves the device's state in doubt */
} MtGpuStatus;

typedef struct {
  char     message[256];   /* the runtime's own words, for the report of the failure; may be empty */
  int      driver, runtime;   /* what the driver knows and the module was built with, 1000 × major + 10 × minor */
} MtGpuFailure;

typedef struct {
  char     name[256];
  int      major, minor;   /* compute capability */
  int      least;          /* that the module was built for, 10 × major + minor */
  int      too_old;        /* below that */
  uint64_t memory, free;   /* bytes; free after examine, and before that where the driver tells it; else 0 */
  double   speed;          /* additions of floats a second, in billions, as the clock and the number of units promise */
  int      n_processors;
  char     reason[256];    /* why it does not even answer; else empty */
} MtGpuDevice;

/* What a parameter may be: bits. What a step moves beyond goes to zero. */
typedef enum {
  MT_GPU_NOT_NEGATIVE = 1,
  MT_GPU_NOT_POSITIVE = 2,
  MT_GPU_SIGNED_ZERO  = 4, /* of the side that is left */
} MtGpuLimit;

typedef enum {
  MT_GPU_BINARY,
  MT_GPU_MULTICLASS,
  MT_GPU_REGRESSION,
} MtGpuTask;

/* The literals of a column; thresholds first, then those with a code of their own. */
typedef struct {
  uint32_t first_literal, n_literals, n_thresholds;
  uint32_t first_code;     /* of its head weights by code; MT_GPU_NONE: none of its literals is there */
} MtGpuGroup;

/* The rows that all nets of a batch share. */
typedef struct {
  size_t         n_rows;
  uint32_t       code_stride, numeric_stride;
  const uint8_t *codes;    /* n_rows × code_stride */
  const float   *numeric;  /* n_rows × numeric_stride */
} MtGpuData;

typedef struct {
  uint32_t task, n_literals, n_numeric, n_outputs, n_nodes, fan_in;
  uint32_t n_groups, code_stride, numeric_stride, n_code_entries;
  uint32_t n_blocks, n_nodes16, n_literals16, n_numeric16, n_hidden;
  uint32_t batch;
  size_t   map, ltt, bias, rule, literal, numeric, head_bias, hidden, hidden_bias, hidden_out;
  size_t   n_params, block_size;
  double   tau;            /* of the choice */
  float    inv_tau;        /* in its gradient: 1 / tau, or 1 */
  float    weight_decay, clip;
} MtGpuShape;

/* A net: groups and task are those of the whole batch, all else is its own. */
typedef struct {
  MtGpuShape        shape;
  const MtGpuGroup *groups;
  const uint8_t    *in_head;         /* a literal */
  const float      *class_weights;   /* a class, or NULL */
  uint32_t          n_classes;
  const float      *y;               /* a row of the data: class or standardized value; nets with the same
                                      * pointer share it on the device, too */
  const uint32_t   *train_rows, *valid_rows;
  size_t            n_train, n_valid;
  const float      *params;
  const uint8_t    *param_limits;    /* a parameter, MtGpuLimit; NULL: all are free */
  double            learning_rate;
  uint64_t          seed;            /* of the orders of the epochs: network/mt-order.h */
  uint32_t          max_epochs, patience, plateau;
  uint32_t          wants_metric;    /* AUC or R² of the validation rows after every epoch, if there is room */
} MtGpuJob;

typedef struct {
  uint64_t memory;         /* bytes to use at most; 0: nine tenths of what is free */
  uint32_t no_graphs;      /* launch kernel by kernel */
  uint32_t device;         /* which of those that probe has found */
  double   state_seconds;  /* states are sent to the host after epochs that are at least so long apart; 0: after each */
} MtGpuLimits;

typedef struct {
  uint32_t n_nets;         /* opened: the first of those wanted */
  uint32_t stage_steps;    /* steps whose rows are on the device at a time; 0: all rows are, the whole time */
  uint64_t memory;         /* bytes taken */
  uint32_t n_graphs;       /* made so far */
} MtGpuInfo;

typedef enum {
  MT_GPU_LEARNING,
  MT_GPU_LEARNT,           /* as many epochs as wanted, or none better for too long; or stopped */
  MT_GPU_BAD_LOSS,         /* a loss or gradient of a step is not finite */
  MT_GPU_BAD_VALIDATION,   /* the validation loss is not */
} MtGpuEnd;

/* How a net stands after its last complete epoch. */
typedef struct {
  uint32_t end;            /* an MtGpuEnd */
  uint32_t epoch, best_epoch, waited, waited_plateau;
  uint64_t n_steps;        /* ever, in complete epochs */
  uint64_t n_rows;         /* of the last epoch */
  uint64_t bad_step;       /* MT_GPU_BAD_LOSS: which one, from 1 */
  double   train_loss, valid_loss;             /* means; valid_loss NaN without validation rows */
  double   best_loss, best_train_loss, learning_rate;
  double   metric;                             /* of the validation rows; NaN: none */
} MtGpuStanding;

/* Parameters and moments after the last complete epoch, and the best parameters. */
typedef struct {
  float   *params, *mean, *square, *best;
} MtGpuState;

/* Sums over the rows where two literals are both true: literals × literals, the upper triangle. */
typedef struct {
  uint32_t        n_literals;
  size_t          n_rows, n_words;   /* words of 64 rows a plane */
  const uint64_t *planes;            /* n_literals × n_words */
  const float    *r, *h;             /* a row */
  float          *sum_r, *sum_h;     /* n_literals × n_literals */
} MtGpuPairs;

typedef struct _MtGpu MtGpu;

typedef struct {
  uint32_t    version;
  const char *name;
  /* Fills at most MT_GPU_MAX_DEVICES; *n_devices is right even then. Opens none of them. */
  MtGpuStatus (*probe)       (MtGpuDevice *devices, int *n_devices, MtGpuFailure *failure);
  /* Opens the device, loads all kernels there, and asks for its memory. */
  MtGpuStatus (*examine)     (uint32_t device, MtGpuDevice *found, MtGpuFailure *failure);
  /* Opens as many of the first jobs as fit, at least one. What the jobs and @data point to must stay
   * until close. From then on all calls for it come from this thread. */
  MtGpuStatus (*open)        (const MtGpuData *data, const MtGpuJob *jobs, uint32_t n_jobs,
                              const MtGpuLimits *limits, MtGpu **gpu, MtGpuInfo *info, MtGpuFailure *failure);
  /* An epoch of all nets that still learn: begin, which tells how many steps it has, run all those steps
   * a few at a time (*n_done: how many it were), end, wait. Nothing is read back before wait. */
  MtGpuStatus (*begin_epoch) (MtGpu *gpu, uint32_t *n_steps, MtGpuFailure *failure);
  MtGpuStatus (*run_steps)   (MtGpu *gpu, uint32_t *n_done, MtGpuFailure *failure);
  MtGpuStatus (*end_epoch)   (MtGpu *gpu, MtGpuFailure *failure);
  /* *has_states: the states after this epoch are on their way to the host. */
  MtGpuStatus (*wait_epoch)  (MtGpu *gpu, MtGpuStanding *standings, int *has_states, MtGpuFailure *failure);
  /* Where a net's state after the epoch that was waited for last is in the host's memory until the next
   * end_epoch, if it has states: it comes while the next epoch's steps run. Waits for it. */
  MtGpuStatus (*fetch)       (MtGpu *gpu, uint32_t net, MtGpuState *state, MtGpuFailure *failure);
  /* Between epochs: this net learns no more. */
  MtGpuStatus (*stop)        (MtGpu *gpu, uint32_t net, MtGpuFailure *failure);
  /* Also in the middle of an epoch, which is then as if it had never begun. */
  MtGpuStatus (*read)        (MtGpu *gpu, uint32_t net, MtGpuState *state, MtGpuStanding *standing,
                              MtGpuFailure *failure);
  /* @param_limits: as of its job. */
  MtGpuStatus (*write)       (MtGpu *gpu, uint32_t net, const MtGpuState *state, const MtGpuStanding *standing,
                              const uint8_t *param_limits, MtGpuFailure *failure);
  /* Sum of the losses of the net's validation rows with these parameters and, unless NULL, their scores
   * (n_outputs × n_valid). Afterwards the net must be written again to go on. */
  MtGpuStatus (*score)       (MtGpu *gpu, uint32_t net, const float *params, double *loss, float *scores,
                              MtGpuFailure *failure);
  /* The gradient of the last step, not clipped: for tests. */
  MtGpuStatus (*read_gradient) (MtGpu *gpu, uint32_t net, float *gradient, MtGpuFailure *failure);
  void        (*get_info)    (const MtGpu *gpu, MtGpuInfo *info);
  void        (*close)       (MtGpu *gpu);
  MtGpuStatus (*sum_pairs)   (const MtGpuPairs *pairs, const MtGpuLimits *limits, MtGpuFailure *failure);
  /* Exact sums over rows. A plane has words of 64 rows; bits past the last row are 0. */
  MtGpuStatus (*sums_open)   (const MtGpuSumsData *data, const MtGpuLimits *limits, MtGpuSums **sums,
                              MtGpuFailure *failure);
  MtGpuStatus (*sums_put)    (MtGpuSums *sums, uint32_t plane, const uint64_t *words, MtGpuFailure *failure);
  /* The residuals or curvatures (an MtGpuBy), as the host has made them; or as sums_score has. */
  MtGpuStatus (*sums_set_rows) (MtGpuSums *sums, uint32_t by, const int32_t *numbers, MtGpuFailure *failure);
  MtGpuStatus (*sums_get_rows) (MtGpuSums *sums, uint32_t by, int32_t *numbers, MtGpuFailure *failure);
  MtGpuStatus (*sums_gram)   (MtGpuSums *sums, const MtGpuGram *gram, MtGpuFailure *failure);
  /* For the scores that came last; all rules have @n_sums patterns together. */
  MtGpuStatus (*sums_score)  (MtGpuSums *sums, MtGpuScores *scores, MtGpuFailure *failure);
  MtGpuStatus (*sums_gains)  (MtGpuSums *sums, const MtGpuRule *rules, uint32_t n_rules, uint32_t n_sums, int64_t *gains,
                              MtGpuFailure *failure);
  void        (*sums_close)  (MtGpuSums *sums);
} MtGpuApi;

typedef const MtGpuApi *(*MtGpuModuleGet) (uint32_t version);

#ifdef __cplusplus
}
#endif
