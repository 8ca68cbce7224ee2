/* The launches: which kernels, over which grids, in which order; and the graphs that hold them.
 *
 * The beginning of an epoch is five launches, a step twelve (with deep nodes fourteen), the end four a
 * validation tile and two more (with AUC one and two more), with the same arguments every time: which step,
 * tile or epoch it is the kernels read on the device. A graph holds them all, from the beginning of an epoch
 * to its end, and is launched once an epoch. It is made once for the nets that are active; a step beyond a net's
 * last one returns at once.
 * An epoch that would keep a cancelled training waiting is cut: one graph holds some of its steps, and is
 * launched as often as that takes, another the end. Where rows come in stages, one holds the steps of
 * a stage, the other a tile of validation rows. Where a graph cannot be made the same list is launched
 * kernel by kernel. */
#include "mt-gpu-context.h"

#ifdef __CUDACC__
#define GRAPH_STEPS 256
#else
#define GRAPH_STEPS mt_gpu_host_graph_steps
#endif
/* Additions between two looks at a cancellable. Counted as tools/gpu-figures.py does they take an RTX 3090 about
 * 0.03 s, and two launches may be under way. */
#define GRAPH_CELLS 2147483648.0
/* What the choice of inputs takes for a node and a condition: passes with exponentials, and sums of pairs of floats. */
#define CHOOSE_CELLS 64.0

static uint32_t
more (uint32_t a, size_t b)
{
  return b > a ? (uint32_t) b : a;
}

static size_t
more_cells (size_t a, size_t b, size_t c)
{
  return b * c > a ? b * c : a;
}

static uint32_t
n_blocks (size_t n, size_t a_block)
{
  return (uint32_t) ((n + a_block - 1) / a_block);
}

static void
add_net (Most *most, const MtGpuModel *m)
{
  const MtGpuShape *shape = &m->shape;

  most->n_nets++;
  most->n_nodes = more (most->n_nodes, shape->n_nodes);
  for (const MtGpuSize *size : { &m->train, &m->valid })
    {
      most->n_words = more (most->n_words, size->n_words);
      most->n_node_words = more_cells (most->n_node_words, shape->n_nodes, size->n_words);
      most->n_loss_blocks = more (most->n_loss_blocks, size->n_loss_blocks);
    }
  most->n_train = more (most->n_train, m->n_train);
  most->n_parts = m->keys != NULL ? more (most->n_parts, m->n_parts) : most->n_parts;
  most->n_slices = more (most->n_slices, m->n_slices);
  most->n_columns = more (most->n_columns, shape->n_nodes + shape->n_numeric + 1);
  most->n_gradient_blocks = more (most->n_gradient_blocks, shape->n_nodes + m->n_flat_blocks);
  most->has_keys = most->has_keys || m->keys != NULL;
  most->has_tables = most->has_tables || shape->fan_in <= MT_GPU_TABLE_INPUTS;
  most->n_params = shape->n_params > most->n_params ? shape->n_params : most->n_params;
  most->n_steps = more (most->n_steps, n_blocks (m->n_train, shape->batch));
  most->n_valid_tiles = more (most->n_valid_tiles, n_blocks (m->n_valid, m->valid.rows));
  most->cells += (double) m->train.rows * (shape->n_nodes + shape->n_groups) * shape->n_outputs +
                 CHOOSE_CELLS * (double) shape->n_nodes * (double) shape->n_literals;
  if (shape->n_hidden == 0)
    return;
  most->n_deep_nodes = more (most->n_deep_nodes, shape->n_nodes);
  most->deep_fan_in = more (most->deep_fan_in, shape->fan_in);
  most->n_deep_cells = more_cells (most->n_deep_cells, shape->n_nodes, m->train.rows);
  most->cells += (double) shape->n_nodes * shape->n_literals * (m->train.rows + (1 << 2 * shape->fan_in));
}

/* The most codes of a column; they are the same for all nets. */
static uint32_t
most_codes (const MtGpuJob *job)
{
  uint32_t most = 1;

  for (uint32_t g = 0; g < job->shape.n_groups; g++)
    most = more (most, job->groups[g].n_literals + 1);
  return most;
}

/* What follows from the parameters. */
static MtGpuStatus
prepare (MtGpu *self, const MtGpuModel *table, const Most *most, int cold, MtGpuFailure *failure)
{
  const MtGpuShape *shape = &self->models[0].shape;      /* literals, groups, outputs: as all nets' */
  size_t choose = mt_gpu_choose_shared (shape->n_literals);
  int shared_scores = choose > CHOOSE_FIXED;

  MT_LAUNCH (mt_gpu_choose_kernel, dim3 (most->n_nodes, most->n_nets), dim3 (BLOCK_THREADS), choose,
             self->compute, table, cold, shared_scores);
  if (most->has_tables)
    MT_LAUNCH (mt_gpu_tables_kernel, dim3 (most->n_nodes, most->n_nets), dim3 (BLOCK_THREADS), 0, self->compute,
               table);
  MT_LAUNCH (mt_gpu_codes_kernel, dim3 (n_blocks ((size_t) shape->n_outputs * shape->n_groups, BLOCK_THREADS),
                                        most->n_nets), dim3 (BLOCK_THREADS), 0, self->compute, table);
  TRY ("choosing inputs", cudaGetLastError ());
  return MT_GPU_OK;
}

static MtGpuStatus
forward (MtGpu *self, const MtGpuModel *table, const Most *most, uint32_t number, MtGpuFailure *failure)
{
  MT_LAUNCH (mt_gpu_planes_kernel, dim3 (n_blocks (most->n_words, BLOCK_THREADS / 32), most->n_nets),
             dim3 (BLOCK_THREADS), 0, self->compute, table, number);
  MT_LAUNCH (mt_gpu_nodes_kernel, dim3 (n_blocks (most->n_node_words, BLOCK_THREADS), most->n_nets),
             dim3 (BLOCK_THREADS), 0, self->compute, table, number);
  MT_LAUNCH (mt_gpu_head_kernel, dim3 (most->n_loss_blocks, most->n_nets), dim3 (BLOCK_THREADS),
             32 * sizeof (MtGpuPair), self->compute, table, number);
  TRY ("scoring rows", cudaGetLastError ());
  return MT_GPU_OK;
}

static MtGpuStatus
backward (MtGpu *self, MtGpuFailure *failure)
{
  const MtGpuShape *shape = &self->models[0].shape;
  const MtGpuModel *table = self->table;
  const Most *most = &self->most;

  MT_LAUNCH (mt_gpu_histogram_kernel, dim3 (shape->n_groups * most->n_slices, most->n_nets, shape->n_outputs),
             dim3 (BLOCK_THREADS), mt_gpu_histogram_shared (most->n_codes, BLOCK_THREADS), self->compute, table);
  MT_LAUNCH (mt_gpu_reduce_kernel, dim3 (n_blocks ((size_t) shape->n_outputs * shape->n_literals, BLOCK_THREADS),
                                         most->n_nets), dim3 (BLOCK_THREADS), 0, self->compute, table);
  MT_LAUNCH (mt_gpu_columns_kernel, dim3 (most->n_columns, most->n_nets, shape->n_outputs), dim3 (BLOCK_THREADS),
             32 * sizeof (float), self->compute, table);
  if (most->n_deep_nodes > 0)
    {
      MT_LAUNCH (mt_gpu_patterns_kernel, dim3 (n_blocks (most->n_deep_cells, BLOCK_THREADS), most->n_nets),
                 dim3 (BLOCK_THREADS), 0, self->compute, table);
      MT_LAUNCH (mt_gpu_deep_kernel, dim3 (shape->n_literals + 1, most->n_nets, most->n_deep_nodes),
                 dim3 (BLOCK_THREADS), mt_gpu_deep_shared (most->deep_fan_in), self->compute, table);
    }
  MT_LAUNCH (mt_gpu_gradients_kernel, dim3 (most->n_gradient_blocks, most->n_nets), dim3 (BLOCK_THREADS),
             96 * sizeof (MtGpuPair), self->compute, table);
  TRY ("adding up gradients", cudaGetLastError ());
  return MT_GPU_OK;
}

static MtGpuStatus
launch_step (MtGpu *self, MtGpuFailure *failure)
{
  const MtGpuModel *table = self->table;
  const Most *most = &self->most;

  PASS (forward (self, table, most, MT_GPU_TRAIN, failure));
  PASS (backward (self, failure));
  MT_LAUNCH (mt_gpu_norm_kernel, dim3 (1, most->n_nets), dim3 (BLOCK_THREADS), 32 * sizeof (MtGpuPair), self->compute,
             table);
  MT_LAUNCH (mt_gpu_adam_kernel, dim3 (n_blocks (most->n_params, BLOCK_THREADS), most->n_nets),
             dim3 (BLOCK_THREADS), 0, self->compute, table);
  TRY ("changing parameters", cudaGetLastError ());
  return prepare (self, table, most, 0, failure);
}

static MtGpuStatus
launch_steps (MtGpu *self, MtGpuFailure *failure)
{
  for (uint32_t i = 0; i < self->graph_steps; i++)
    PASS (launch_step (self, failure));
  return MT_GPU_OK;
}

static MtGpuStatus
launch_valid (MtGpu *self, MtGpuFailure *failure)
{
  const uint32_t number = MT_GPU_NEXT_TILE;

  PASS (forward (self, self->table, &self->most, number, failure));
  if (self->most.has_keys)
    MT_LAUNCH (mt_gpu_keys_kernel, dim3 (self->most.n_loss_blocks, self->most.n_nets), dim3 (BLOCK_THREADS), 0,
               self->compute, self->table, number);
  MT_LAUNCH (mt_gpu_valid_kernel, dim3 (1, self->most.n_nets), dim3 (BLOCK_THREADS), 32 * sizeof (MtGpuPair),
             self->compute, self->table, number);
  TRY ("adding up validation losses", cudaGetLastError ());
  return MT_GPU_OK;
}

static MtGpuStatus
launch_judge (MtGpu *self, MtGpuFailure *failure)
{
  if (self->most.has_keys)
    {
      dim3 parts (self->models[0].shape.n_outputs * self->most.n_parts, self->most.n_nets);

      MT_LAUNCH (mt_gpu_rank_kernel, parts, dim3 (BLOCK_THREADS), mt_gpu_rank_shared (BLOCK_THREADS), self->compute,
                 self->table);
      MT_LAUNCH (mt_gpu_count_kernel, parts, dim3 (BLOCK_THREADS), 32 * sizeof (uint64_t), self->compute, self->table);
    }
  MT_LAUNCH (mt_gpu_judge_kernel, dim3 (1, self->most.n_nets), dim3 (32), 0, self->compute, self->table);
  MT_LAUNCH (mt_gpu_keep_kernel, dim3 (n_blocks (self->most.n_params, BLOCK_THREADS), self->most.n_nets),
             dim3 (BLOCK_THREADS), 0, self->compute, self->table);
  TRY ("judging the epoch", cudaGetLastError ());
  return MT_GPU_OK;
}

/* What the host is to fetch, put aside. */
static MtGpuStatus
launch_send (MtGpu *self, MtGpuFailure *failure)
{
  MT_LAUNCH (mt_gpu_send_kernel, dim3 (n_blocks (self->most.n_params, BLOCK_THREADS), self->most.n_nets),
             dim3 (BLOCK_THREADS), 0, self->compute, self->table);
  TRY ("putting states aside", cudaGetLastError ());
  return MT_GPU_OK;
}

/* The nets of @table begin from their states, or, @only, with other parameters. */
static MtGpuStatus
launch_take (MtGpu *self, const MtGpuModel *table, const Most *most, int only, MtGpuFailure *failure)
{
  MT_LAUNCH (mt_gpu_take_kernel, dim3 (n_blocks (most->n_params, BLOCK_THREADS), most->n_nets), dim3 (BLOCK_THREADS), 0,
             self->compute, table, only);
  TRY ("taking parameters", cudaGetLastError ());
  return MT_GPU_OK;
}

static MtGpuStatus
launch_begin (MtGpu *self, MtGpuFailure *failure)
{
  MT_LAUNCH (mt_gpu_begin_kernel, dim3 (1, self->most.n_nets), dim3 (32), 0, self->compute, self->table);
  if (self->stage_steps == 0)
    MT_LAUNCH (mt_gpu_order_kernel, dim3 (n_blocks (self->most.n_train, BLOCK_THREADS), self->most.n_nets),
               dim3 (BLOCK_THREADS), 0, self->compute, self->table);
  TRY ("beginning an epoch", cudaGetLastError ());
  return prepare (self, self->table, &self->most, 1, failure);
}

/* The end of an epoch whose rows are all on the device. */
static MtGpuStatus
launch_end (MtGpu *self, MtGpuFailure *failure)
{
  for (uint32_t tile = 0; tile < self->most.n_valid_tiles; tile++)
    PASS (launch_valid (self, failure));
  return launch_judge (self, failure);
}

/* All of it. */
static MtGpuStatus
launch_epoch (MtGpu *self, MtGpuFailure *failure)
{
  PASS (launch_begin (self, failure));
  PASS (launch_steps (self, failure));
  return launch_end (self, failure);
}

/* --- graphs --- */

static void
drop_graphs (MtGpu *self)
{
  for (cudaGraphExec_t *exec : { &self->epoch_graph, &self->steps_graph, &self->end_graph })
    {
      if (*exec != NULL)
        cudaGraphExecDestroy (*exec);
      *exec = NULL;
    }
}

/* Steps in one go: the same for the graph and without. */
static void
choose_graph_steps (MtGpu *self)
{
  double by_cells = GRAPH_CELLS / self->most.cells;
  uint32_t most = by_cells < 1 ? 1 : by_cells > GRAPH_STEPS ? GRAPH_STEPS : (uint32_t) by_cells;

  /* In parts of about the same size: what is beyond the last step is launched for nothing. */
  self->graph_steps = n_blocks (self->most.n_steps, n_blocks (self->most.n_steps, most));
  if (self->stage_steps > 0)
    self->graph_steps = self->stage_steps < self->most.n_steps ? self->stage_steps : self->most.n_steps;
  self->whole = self->stage_steps == 0 && self->graph_steps == self->most.n_steps;
}

typedef MtGpuStatus (*List) (MtGpu *self, MtGpuFailure *failure);

/* The graph of @list, or none any more. A driver that cannot make one is no reason to fail, and what is wrong with the
 * device or with a launch shows when the list is launched by itself. */
static void
make_graph (MtGpu *self, cudaGraphExec_t *exec, List list)
{
  MtGpuFailure untold;
  cudaGraph_t graph = NULL;
  bool made = cudaStreamBeginCapture (self->compute, cudaStreamCaptureModeThreadLocal) == cudaSuccess;

  if (made)
    {
      bool whole = list (self, &untold) == MT_GPU_OK;

      made = cudaStreamEndCapture (self->compute, &graph) == cudaSuccess && whole &&
             cudaGraphInstantiateWithFlags (exec, graph, 0) == cudaSuccess;
      if (graph != NULL)
        cudaGraphDestroy (graph);
    }
  if (made)
    self->n_graphs++;
  else
    {
      cudaGetLastError ();
      *exec = NULL;
      self->use_graphs = false;
    }
}

/* Runs @list, from a graph that is made at the first time. */
static MtGpuStatus
run_list (MtGpu *self, cudaGraphExec_t *exec, List list, MtGpuFailure *failure)
{
  if (*exec == NULL && self->use_graphs)
    make_graph (self, exec, list);
  if (*exec == NULL)
    return list (self, failure);
  TRY ("launching a graph", cudaGraphLaunch (*exec, self->compute));
  return MT_GPU_OK;
}
