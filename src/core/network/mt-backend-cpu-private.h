/* Training on the CPU.
 *
 * The straight-through gradient is the identity, so the gradient in z is the head's:
 * ∂L/∂z_j = Σ_c g_c w_cj with g = ∂L/∂η. Therefore XᵀG, the one large product of the
 * backward pass (literals × rows × nodes), is (Xᵀg) w: C sums a literal instead of M, and
 * Xᵀg is what the head's own literals need anyway. A step then costs
 *   rows × literals / 16 masked additions (Xᵀg from bit planes; by code where that is less)
 *   rows × nodes     bits through the truth tables, 512 rows at a time
 *   literals × nodes soft choice, its gradient, AdamW
 *
 * A step is three rounds of the pool:
 *   1 chunks of 512 rows: gather codes → bits → nodes → scores → g → sums, each into its own slot
 *   2 blocks of 16 nodes: gradients (after the slots were added up in order)
 *   3 blocks of 16 nodes: AdamW, then next step's choice of inputs and truth tables
 * Tasks write only to their own slots and slots are reduced in order, so the result does
 * not depend on the number of threads.
 *
 * Rows are kept row-major (a byte a group, a float a number), because a shuffled batch
 * takes rows from everywhere: one or two cache lines a row. */
#pragma once

#include "mt-backend-private.h"
#include "mt-backend-rows.h"
#include "base/mt-parallel.h"

G_BEGIN_DECLS

/* What one chunk of rows adds to the gradients. */
typedef struct {
  double    loss;
  float    *literal;       /* n_outputs × n_literals16: Xᵀg */
  float    *rule;          /* n_outputs × n_nodes16: yᵀg */
  float    *numeric;       /* n_outputs × n_numeric16 */
  float    *bias;          /* n_outputs */
} MtCpuSlot;

typedef struct {
  guint8   *codes;         /* n_groups16 × 512 */
  guint64  *bits;          /* (n_literals + n_nodes) × 512 bits: literals, then nodes */
  float    *eta, *g;       /* n_outputs × 512 */
  float    *g_rows;        /* 512 × g_width, when sums go by code */
  float    *sums;          /* codes of one group × g_width */
  float    *y, *weight;    /* 512 */
  guint     n_rows;
} MtCpuScratch;

/* Deep nodes: what a thread needs to add up rows by (assignment, code). */
typedef struct {
  float    *counts;        /* 2^k × codes of a group */
  float    *by_literal;    /* 2^k × n_literals */
  float    *row;           /* n_hidden */
} MtCpuDeep;

typedef struct {
  MtNet              *net;               /* own copy; its params are what is trained */
  const MtNetLayout  *layout;
  const MtNetShape   *shape;
  const MtKernels    *kernels;
  const MtTopkOps    *topk;
  MtPool             *pool;
  MtGroup            *groups;
  guint               n_groups;
  gsize               code_stride;
  MtBackendRows       train, valid;
  float              *class_weights;
  guint               batch;
  MtAdam              adam;
  float               clip;
  float               map_scale;         /* 1, or τ to take the factor 1/τ back out */
  guint64             n_steps;
  MtNetConstraints         limits;
  gint8              *signs;             /* n_nodes16; NULL: no limits */

  gboolean            by_code;           /* Xᵀg by code rather than by bit plane */
  guint               g_width;

  float              *mean, *square, *grad;
  float              *pi;                /* n_blocks × n_literals × 16 */
  float              *extra;             /* deep: the same shape */
  double             *choice;            /* n_nodes16: state of the soft choice */
  double             *squares;           /* a block: sum of squared gradients */
  MtNetNode          *nodes;             /* n_nodes16 */
  guint64            *tables;            /* n_nodes16 × 4 */
  float              *code_tables;       /* n_outputs × n_code_entries: head weight by code */
  gsize               n_code_entries;
  gsize              *code_offsets;      /* a group; G_MAXSIZE when none of its literals is in the head */
  float              *activations;       /* deep: n_nodes × 2^k × n_hidden */

  guint               n_slots;
  MtCpuSlot          *slots;
  float              *slot_memory;
  gsize               slot_size;
  guint               n_scratch;
  MtCpuScratch       *scratch;
  guint               n_deep_scratch;
  MtCpuDeep          *deep_scratch;

  /* the running step */
  const MtBackendRows *rows;
  const guint32      *order;
  gsize               n_step_rows;
  float              *scores;            /* evaluation only */
  gsize               n_scores;
  gboolean            backward;
  gboolean            keep_chunks;       /* scratch belongs to chunks, not to workers */
} MtCpu;

/* The running step, for rounds 2 and 3. */
typedef struct {
  MtCpu *cpu;
  guint  n_chunks;
  float  scale;          /* 1 / rows of the batch */
} MtCpuGradients;

/* Round 1. */
void     mt_cpu_chunk_task    (guint    task,
                               guint    worker,
                               gpointer cpu);
/* Adds the slots in order; the mean over the batch goes to the head's gradients. */
void     mt_cpu_reduce_slots  (MtCpu   *self,
                               guint    n_chunks,
                               float    scale);
/* Round 2: one node's hidden layer, then one block of nodes. */
void     mt_cpu_deep_task     (guint    task,
                               guint    worker,
                               gpointer gradients);
void     mt_cpu_gradient_task (guint    task,
                               guint    worker,
                               gpointer gradients);
/* Round 3. */
void     mt_cpu_update_task   (guint    task,
                               guint    worker,
                               gpointer cpu);
void     mt_cpu_update_head   (MtCpu   *self);
/* Everything that follows from the parameters. The remembered roots are forgotten, at the
 * start of every epoch, so that a resumed training goes on exactly as one that never stopped. */
void     mt_cpu_prepare       (MtCpu   *self);

G_END_DECLS
