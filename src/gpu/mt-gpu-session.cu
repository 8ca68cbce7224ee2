/* Sessions of exact sums: planes, target and the numbers of rows stay on the device; calls send what they name and wait.
 *
 * Size     planes × rows / 8, and 29 bytes a row; scratch for the arguments and results of the largest call so far
 * Each call is copies in, two or three launches, a copy out, and one wait. */
#include "mt-gpu-context.h"

/* Blocks of a launch that few planes are cut into: more than any device has room for at once. */
#ifdef __CUDACC__
#define SESSION_BLOCKS 1024
#else
#define SESSION_BLOCKS mt_gpu_host_session_blocks
#endif
#define SESSION_MASKS  4096     /* of one launch */

struct _MtGpuSums {
  cudaStream_t   stream;
  cudaEvent_t    done;
  bool           uses_device;
  MtGpuSumsData  data;
  uint32_t       n_words;      /* of 32 rows */
  char          *memory, *scratch;
  size_t         n_scratch;
  uint32_t      *planes;
  uint8_t       *y;
  int64_t       *scores, *offset, *losses;
  int32_t       *numbers[2];   /* by MtGpuBy */
};

static void
sums_close (MtGpuSums *self)
{
  if (self == NULL)
    return;
  cudaFree (self->scratch);
  cudaFree (self->memory);
  if (self->done != NULL)
    cudaEventDestroy (self->done);
  if (self->stream != NULL)
    cudaStreamDestroy (self->stream);
  n_users -= self->uses_device;
  free (self);
}

static size_t
cut_session (MtGpuSums *self)
{
  Cutter cutter = { self->memory, 0 };
  size_t n_rows = self->data.n_rows;

  cut (&cutter, &self->planes, (size_t) self->data.n_planes * self->n_words);
  for (int32_t **numbers : { &self->numbers[0], &self->numbers[1] })
    cut (&cutter, numbers, n_rows);
  if (self->data.y != NULL)
    {
      cut (&cutter, &self->y, n_rows);
      cut (&cutter, &self->scores, n_rows);
      cut (&cutter, &self->offset, n_rows);
      cut (&cutter, &self->losses, n_blocks (n_rows, BLOCK_THREADS));
    }
  return cutter.at;
}

static MtGpuStatus
session_wait (MtGpuSums *self, MtGpuFailure *failure)
{
  TRY ("marking the end", cudaEventRecord (self->done, self->stream));
  TRY ("waiting for the device", cudaEventSynchronize (self->done));
  return MT_GPU_OK;
}

static MtGpuStatus
session_up (MtGpuSums *self, void *to, const void *from, size_t n, MtGpuFailure *failure)
{
  if (n > 0)
    TRY ("copying to the device", cudaMemcpyAsync (to, from, n, cudaMemcpyHostToDevice, self->stream));
  return MT_GPU_OK;
}

static MtGpuStatus
session_down (MtGpuSums *self, void *to, const void *from, size_t n, MtGpuFailure *failure)
{
  if (n > 0)
    TRY ("reading sums", cudaMemcpyAsync (to, from, n, cudaMemcpyDeviceToHost, self->stream));
  return MT_GPU_OK;
}

static MtGpuStatus
open_session (MtGpuSums *self, const MtGpuLimits *limits, MtGpuFailure *failure)
{
  size_t budget = limits->memory, total = 0, n;

  PASS (choose_device (limits->device, failure));
  n_users++;
  self->uses_device = true;
  if (budget == 0)
    TRY ("asking for its memory", cudaMemGetInfo (&budget, &total));
  n = cut_session (self);
  if (n > budget)
    {
      snprintf (failure->message, sizeof failure->message, "sums over rows need %.1f MB", (double) n / 1e6);
      return MT_GPU_OUT_OF_MEMORY;
    }
  TRY ("making a stream", cudaStreamCreateWithFlags (&self->stream, cudaStreamNonBlocking));
  TRY ("making an event", cudaEventCreateWithFlags (&self->done, cudaEventDisableTiming | cudaEventBlockingSync));
  TRY ("reserving memory for sums", cudaMalloc ((void **) &self->memory, n));
  cut_session (self);
  if (self->data.y != NULL)
    PASS (session_up (self, self->y, self->data.y, self->data.n_rows, failure));
  return session_wait (self, failure);
}

static MtGpuStatus
sums_open (const MtGpuSumsData *data, const MtGpuLimits *limits, MtGpuSums **sums, MtGpuFailure *failure)
{
  MtGpuSums *self = (MtGpuSums *) calloc (1, sizeof (MtGpuSums));
  MtGpuStatus status = MT_GPU_OUT_OF_MEMORY;

  *sums = NULL;
  if (self == NULL)
    snprintf (failure->message, sizeof failure->message, "out of memory");
  else
    {
      self->data = *data;
      self->n_words = (uint32_t) ((data->n_rows + 63) / 64 * 2);
      status = open_session (self, limits, failure);
    }
  if (status == MT_GPU_OK)
    *sums = self;
  else
    sums_close (self);
  return status;
}

/* A plane of 64-bit words, of which the device reads the halves. */
static MtGpuStatus
sums_put (MtGpuSums *self, uint32_t plane, const uint64_t *words, MtGpuFailure *failure)
{
  return session_up (self, self->planes + (size_t) plane * self->n_words, words, self->n_words * sizeof (uint32_t), failure);
}

static MtGpuStatus
sums_set_rows (MtGpuSums *self, uint32_t by, const int32_t *numbers, MtGpuFailure *failure)
{
  return session_up (self, self->numbers[by], numbers, self->data.n_rows * sizeof (int32_t), failure);
}

static MtGpuStatus
sums_get_rows (MtGpuSums *self, uint32_t by, int32_t *numbers, MtGpuFailure *failure)
{
  PASS (session_down (self, numbers, self->numbers[by], self->data.n_rows * sizeof (int32_t), failure));
  return session_wait (self, failure);
}

/* Room for a call, from the beginning. */
static MtGpuStatus
take_scratch (MtGpuSums *self, size_t n, MtGpuFailure *failure)
{
  if (n <= self->n_scratch)
    return MT_GPU_OK;
  cudaFree (self->scratch);
  self->scratch = NULL;
  self->n_scratch = 0;
  TRY ("reserving memory for sums", cudaMalloc ((void **) &self->scratch, n));
  self->n_scratch = n;
  return MT_GPU_OK;
}

/* How many slices of how many rows, whole chunks, give about SESSION_BLOCKS blocks. */
static uint32_t
cut_slices (const MtGpuSums *self, size_t n_others, uint32_t *slice_rows)
{
  size_t n_chunks = (self->data.n_rows + GRAM_ROWS - 1) / GRAM_ROWS, wanted = (SESSION_BLOCKS + n_others - 1) / n_others;
  size_t each = (n_chunks + wanted - 1) / (wanted > 0 ? wanted : 1);

  *slice_rows = (uint32_t) ((each > 0 ? each : 1) * GRAM_ROWS);
  return n_chunks > 0 ? n_blocks (self->data.n_rows, *slice_rows) : 1;
}

/* As many masks as one launch takes. */
static MtGpuStatus
gram_of_masks (MtGpuSums *self, const MtGpuGram *gram, uint32_t first, uint32_t n_masks, MtGpuFailure *failure)
{
  uint32_t tiles_a = n_blocks (gram->n_a, GRAM_SIDE), tiles_b = n_blocks (gram->n_b, GRAM_SIDE), slice_rows;
  uint32_t n_slices = cut_slices (self, (size_t) tiles_a * tiles_b * n_masks, &slice_rows);
  size_t n = (size_t) gram->n_a * gram->n_b;
  uint32_t *a, *b, *masks;
  int64_t *parts, *sums;

  for (int round = 0; round < 2; round++)
    {
      Cutter cutter = { round > 0 ? self->scratch : NULL, 0 };

      cut (&cutter, &a, gram->n_a);
      cut (&cutter, &b, gram->n_b);
      cut (&cutter, &masks, n_masks);
      cut (&cutter, &parts, n * n_slices * n_masks);
      cut (&cutter, &sums, n * n_masks);
      if (round == 0)
        PASS (take_scratch (self, cutter.at, failure));
    }
  PASS (session_up (self, a, gram->a, gram->n_a * sizeof *a, failure));
  PASS (session_up (self, b, gram->b, gram->n_b * sizeof *b, failure));
  if (gram->masks != NULL)
    PASS (session_up (self, masks, gram->masks + first, n_masks * sizeof *masks, failure));
  /* Tiles below the diagonal are left out. */
  if (gram->upper)
    TRY ("clearing memory", cudaMemsetAsync (parts, 0, n * n_slices * n_masks * sizeof *parts, self->stream));
  MT_LAUNCH (mt_gpu_gram_kernel, dim3 (tiles_b, tiles_a, n_masks * n_slices), dim3 (GRAM_THREADS),
             (2 * GRAM_SIDE * GRAM_PITCH + 3 * GRAM_ROWS / 4) * sizeof (uint32_t), self->stream,
             (const uint32_t *) self->planes, self->n_words, (const int32_t *) self->numbers[gram->by],
             (uint32_t) self->data.n_rows, (int) (gram->by == MT_GPU_BY_RESIDUAL), (const uint32_t *) a, gram->n_a,
             (const uint32_t *) b, gram->n_b, gram->masks != NULL ? (const uint32_t *) masks : (const uint32_t *) NULL,
             (int) gram->upper, n_slices, slice_rows, parts);
  MT_LAUNCH (mt_gpu_slices_kernel, dim3 (n_blocks (n, BLOCK_THREADS), n_masks), dim3 (BLOCK_THREADS), 0, self->stream,
             (const int64_t *) parts, n_slices, n, sums);
  TRY ("adding up products", cudaGetLastError ());
  PASS (session_down (self, gram->sums + first * n, sums, n * n_masks * sizeof *sums, failure));
  return session_wait (self, failure);
}

static MtGpuStatus
sums_gram (MtGpuSums *self, const MtGpuGram *gram, MtGpuFailure *failure)
{
  uint32_t n_masks = gram->masks != NULL ? gram->n_masks : 1;

  for (uint32_t first = 0; first < n_masks && gram->n_a > 0 && gram->n_b > 0; first += SESSION_MASKS)
    PASS (gram_of_masks (self, gram, first, n_masks - first < SESSION_MASKS ? n_masks - first : SESSION_MASKS, failure));
  return MT_GPU_OK;
}

static MtGpuStatus
sums_score (MtGpuSums *self, MtGpuScores *scores, MtGpuFailure *failure)
{
  uint32_t n = scores->n_columns, n_loss_blocks = n_blocks (self->data.n_rows, BLOCK_THREADS), slice_rows;
  uint32_t n_slices = cut_slices (self, n + 1, &slice_rows), *columns;
  int64_t *weights, *parts, *sums, *both;
  MtGpuStatus status;

  for (int round = 0; round < 2; round++)
    {
      Cutter cutter = { round > 0 ? self->scratch : NULL, 0 };

      cut (&cutter, &columns, n);
      cut (&cutter, &weights, n);
      cut (&cutter, &parts, (size_t) n_slices * (n + 1));
      cut (&cutter, &sums, n + 2);
      if (round == 0)
        PASS (take_scratch (self, cutter.at, failure));
    }
  PASS (session_up (self, columns, scores->columns, n * sizeof *columns, failure));
  PASS (session_up (self, weights, scores->weights, n * sizeof *weights, failure));
  if (scores->offset != NULL)
    PASS (session_up (self, self->offset, scores->offset, self->data.n_rows * sizeof (int64_t), failure));
  MT_LAUNCH (mt_gpu_rows_kernel, dim3 (n_loss_blocks), dim3 (BLOCK_THREADS), 32 * sizeof (int64_t), self->stream,
             (const uint32_t *) self->planes, self->n_words, (uint32_t) self->data.n_rows, (const uint8_t *) self->y,
             self->data.weights[0], self->data.weights[1], (const uint32_t *) columns, (const int64_t *) weights, n,
             scores->bias, scores->offset != NULL ? (const int64_t *) self->offset : (const int64_t *) NULL, self->scores,
             self->numbers[MT_GPU_BY_RESIDUAL], self->numbers[MT_GPU_BY_CURVATURE], self->losses);
  MT_LAUNCH (mt_gpu_dots_kernel, dim3 (n + 1, n_slices), dim3 (BLOCK_THREADS), 32 * sizeof (int64_t), self->stream,
             (const uint32_t *) self->planes, self->n_words, (uint32_t) self->data.n_rows,
             (const int32_t *) self->numbers[MT_GPU_BY_RESIDUAL], (const uint32_t *) columns, n, n_slices, slice_rows,
             parts);
  MT_LAUNCH (mt_gpu_slices_kernel, dim3 (n_blocks (n + 1, BLOCK_THREADS), 1), dim3 (BLOCK_THREADS), 0, self->stream,
             (const int64_t *) parts, n_slices, (size_t) n + 1, sums);
  MT_LAUNCH (mt_gpu_slices_kernel, dim3 (1, 1), dim3 (32), 0, self->stream, (const int64_t *) self->losses, n_loss_blocks,
             (size_t) 1, sums + n + 1);
  TRY ("scoring rows", cudaGetLastError ());
  both = (int64_t *) malloc ((n + 2) * sizeof *both);
  if (both == NULL)
    return MT_GPU_OUT_OF_MEMORY;
  status = session_down (self, both, sums, (n + 2) * sizeof *both, failure);
  if (status == MT_GPU_OK)
    status = session_wait (self, failure);
  memcpy (scores->residuals, both, n * sizeof *both);
  scores->residual = both[n];
  scores->loss = both[n + 1];
  free (both);
  return status;
}

static MtGpuStatus
sums_gains (MtGpuSums *self, const MtGpuRule *rules, uint32_t n_rules, uint32_t n_sums, int64_t *gains,
            MtGpuFailure *failure)
{
  uint32_t slice_rows, n_slices = cut_slices (self, n_rules, &slice_rows), most = 0;
  MtGpuRule *there;
  int64_t *parts, *sums;

  if (n_rules == 0)
    return MT_GPU_OK;
  for (uint32_t i = 0; i < n_rules; i++)
    {
      uint32_t bytes = (mt_gpu_gains_width (rules[i].n_inputs, BLOCK_THREADS) << rules[i].n_inputs) * sizeof (int64_t);

      most = bytes > most ? bytes : most;
    }
  for (int round = 0; round < 2; round++)
    {
      Cutter cutter = { round > 0 ? self->scratch : NULL, 0 };

      cut (&cutter, &there, n_rules);
      cut (&cutter, &parts, (size_t) n_slices * n_sums);
      cut (&cutter, &sums, n_sums);
      if (round == 0)
        PASS (take_scratch (self, cutter.at, failure));
    }
  PASS (session_up (self, there, rules, n_rules * sizeof *there, failure));
  MT_LAUNCH (mt_gpu_gains_kernel, dim3 (n_rules, n_slices), dim3 (BLOCK_THREADS), most, self->stream,
             (const uint32_t *) self->planes, self->n_words, (uint32_t) self->data.n_rows, (const uint8_t *) self->y,
             self->data.weights[0], self->data.weights[1], (const int64_t *) self->scores, (const MtGpuRule *) there,
             n_slices, slice_rows, n_sums, parts);
  MT_LAUNCH (mt_gpu_slices_kernel, dim3 (n_blocks (n_sums, BLOCK_THREADS), 1), dim3 (BLOCK_THREADS), 0, self->stream,
             (const int64_t *) parts, n_slices, (size_t) n_sums, sums);
  TRY ("adding up gains", cudaGetLastError ());
  PASS (session_down (self, gains, sums, n_sums * sizeof *sums, failure));
  return session_wait (self, failure);
}
