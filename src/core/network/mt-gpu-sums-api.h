/* What core asks a GPU for while rules are refined: exact sums over rows (mt-fixed.h), from planes that stay there.
 *
 * A session has the rows of one data set: planes of bits, the target, and what each row weighs. Planes are named by their
 * numbers; literals are sent once, and what a rule is true of when it changes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct _MtGpuSums MtGpuSums;

typedef struct {
  uint32_t       n_planes;       /* that there is room for */
  size_t         n_rows;
  const uint8_t *y;              /* a row: 0 or 1; NULL: rows are not scored there */
  double         weights[2];     /* of the rows of each class, at most 1 */
} MtGpuSumsData;

typedef enum {
  MT_GPU_BY_RESIDUAL,
  MT_GPU_BY_CURVATURE,
} MtGpuBy;

/* Σ over the rows of a mask, of two planes, of a row's number: masks × a × b. */
typedef struct {
  uint32_t        by;            /* an MtGpuBy */
  uint32_t        n_a, n_b, n_masks;
  const uint32_t *a, *b;         /* planes */
  const uint32_t *masks;         /* planes; NULL: one mask with all rows */
  uint32_t        upper;         /* a and b are the same, and what is left of the diagonal is not asked for */
  int64_t        *sums;          /* masks × n_a × n_b */
} MtGpuGram;

/* The scores Σ weights[j] over the columns that are true + bias + offset, and what follows from them: a residual and a
 * curvature stay with each row. */
typedef struct {
  uint32_t        n_columns;
  const uint32_t *columns;       /* planes */
  const int64_t  *weights;
  int64_t         bias;
  const int64_t  *offset;        /* a row; NULL: 0 */
  int64_t         loss;          /* the sum */
  int64_t         residual;      /* the sum over all rows */
  int64_t        *residuals;     /* the sum over the rows of each column */
} MtGpuScores;

/* For each rule and each pattern of its inputs: the change of the loss if the rule's answer there turned. */
typedef struct {
  uint32_t        n_inputs;      /* at most 8 */
  uint32_t        inputs[8];     /* planes */
  uint32_t        table[8];      /* its answers now: bits */
  double          weight;
  double          more[2];       /* e^weight - 1, e^-weight - 1 */
  uint32_t        first;         /* of its 2^n_inputs sums */
} MtGpuRule;
