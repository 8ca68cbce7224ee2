/* Between core and a GPU module: plain types and one table of functions.
 *
 * The module knows nothing of core, GLib or nets; core knows nothing of CUDA. Core hands over
 * rows, shape and parameters once, asks for epochs, and turns a status into a GError. A module
 * exports mt_gpu_module_get(), which gives its table, or NULL for another version of this header.
 *
 * Parameters have the layout of mt-net-private.h: matrices literals × nodes in blocks of 16
 * nodes, all parts padded with zeros to 16. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MT_GPU_API_VERSION  1
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
  MT_GPU_NUMERIC,          /* a loss or a gradient stopped being finite */
} MtGpuStatus;

typedef struct {
  char     message[256];   /* the runtime's own words, for whoever reports the failure */
} MtGpuFailure;

typedef struct {
  char     name[256];
  int      major, minor;   /* compute capability */
  uint64_t memory, free;   /* bytes */
  int      n_processors;
} MtGpuDevice;

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

typedef struct {
  size_t         n_rows;
  const uint8_t *codes;    /* n_rows × code_stride */
  const float   *numeric;  /* n_rows × numeric_stride */
  const float   *y;        /* class or standardised value */
} MtGpuRows;

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

typedef struct {
  MtGpuShape        shape;
  const MtGpuGroup *groups;
  const uint8_t    *in_head;         /* a literal */
  const float      *class_weights;   /* a class, or NULL */
  uint32_t          n_classes;
  MtGpuRows         train, valid;
  const float      *params;
} MtGpuJob;

typedef struct {
  double   loss;           /* sum over the rows seen */
  uint64_t n_rows, n_steps;
} MtGpuEpoch;

typedef struct _MtGpu MtGpu;

typedef struct {
  uint32_t    version;
  const char *name;
  /* Fills at most MT_GPU_MAX_DEVICES; *n_devices is right even then. */
  MtGpuStatus (*probe)       (MtGpuDevice *devices, int *n_devices, MtGpuFailure *failure);
  /* Copies everything to the device. */
  MtGpuStatus (*open)        (const MtGpuJob *job, MtGpu **gpu, MtGpuFailure *failure);
  /* An epoch: begin with its order (positions in the training rows), run all its steps a few at
   * a time, end. Only end waits for the device and tells how it went. */
  MtGpuStatus (*begin_epoch) (MtGpu *gpu, const uint32_t *order, size_t n_rows, double learning_rate,
                              MtGpuFailure *failure);
  MtGpuStatus (*run_steps)   (MtGpu *gpu, uint32_t n_steps, MtGpuFailure *failure);
  MtGpuStatus (*wait)        (MtGpu *gpu, MtGpuFailure *failure);
  MtGpuStatus (*end_epoch)   (MtGpu *gpu, MtGpuEpoch *epoch, MtGpuFailure *failure);
  /* Sum of the losses of the validation rows; scores: n_outputs × n_rows, or NULL. */
  MtGpuStatus (*evaluate)    (MtGpu *gpu, double *loss, float *scores, MtGpuFailure *failure);
  /* mean and square may be NULL in read. */
  MtGpuStatus (*read)        (MtGpu *gpu, float *params, float *mean, float *square, uint64_t *n_steps,
                              MtGpuFailure *failure);
  MtGpuStatus (*write)       (MtGpu *gpu, const float *params, const float *mean, const float *square,
                              uint64_t n_steps, MtGpuFailure *failure);
  /* The gradient of the last step, not clipped: for tests. */
  MtGpuStatus (*read_gradient) (MtGpu *gpu, float *gradient, MtGpuFailure *failure);
  void        (*close)       (MtGpu *gpu);
} MtGpuApi;

typedef const MtGpuApi *(*MtGpuModuleGet) (uint32_t version);

#ifdef __cplusplus
}
#endif
