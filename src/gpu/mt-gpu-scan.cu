/* The interaction scan's call: planes and rows to the device, the sums back; everything is reserved and freed here.
 *
 * One at a time, on a stream of its own, while a batch of nets may be at work. */
#include "mt-gpu-context.h"

typedef struct {
  cudaStream_t stream;
  cudaEvent_t  done;
  char        *memory;
  bool         uses_device;
} PairsJob;

static MtGpuStatus
run_pairs (PairsJob *job, const MtGpuPairs *pairs, const MtGpuLimits *limits, MtGpuFailure *failure)
{
  size_t n = pairs->n_literals, n_planes = n * pairs->n_words, free_bytes = limits->memory, total, n_bytes;
  unsigned side = (unsigned) ((n + PAIRS_SIDE - 1) / PAIRS_SIDE);
  uint64_t *planes;
  float *r, *h, *sum_r, *sum_h;
  Cutter cutter = { NULL, 0 };

  PASS (choose_device (limits->device, failure));
  n_users++;
  job->uses_device = true;
  if (free_bytes == 0)
    TRY ("asking for its memory", cudaMemGetInfo (&free_bytes, &total));
  for (int round = 0; round < 2; round++)
    {
      cut (&cutter, &planes, n_planes);
      cut (&cutter, &r, pairs->n_rows);
      cut (&cutter, &h, pairs->n_rows);
      cut (&cutter, &sum_r, n * n);
      cut (&cutter, &sum_h, n * n);
      if (round > 0)
        break;
      n_bytes = cutter.at;
      if (n_bytes > free_bytes)
        {
          snprintf (failure->message, sizeof failure->message, "the scan needs %.1f MB", (double) n_bytes / 1e6);
          return MT_GPU_OUT_OF_MEMORY;
        }
      TRY ("making a stream", cudaStreamCreateWithFlags (&job->stream, cudaStreamNonBlocking));
      TRY ("making an event", cudaEventCreateWithFlags (&job->done, cudaEventDisableTiming | cudaEventBlockingSync));
      TRY ("reserving memory for a scan", cudaMalloc ((void **) &job->memory, n_bytes));
      cutter = Cutter { job->memory, 0 };
    }
  TRY ("copying to the device", cudaMemcpyAsync (planes, pairs->planes, n_planes * sizeof *planes,
                                                 cudaMemcpyHostToDevice, job->stream));
  TRY ("copying to the device", cudaMemcpyAsync (r, pairs->r, pairs->n_rows * sizeof *r, cudaMemcpyHostToDevice,
                                                 job->stream));
  TRY ("copying to the device", cudaMemcpyAsync (h, pairs->h, pairs->n_rows * sizeof *h, cudaMemcpyHostToDevice,
                                                 job->stream));
  TRY ("clearing memory", cudaMemsetAsync (sum_r, 0, n * n * sizeof (float), job->stream));
  TRY ("clearing memory", cudaMemsetAsync (sum_h, 0, n * n * sizeof (float), job->stream));
  MT_LAUNCH (mt_gpu_pairs_kernel, dim3 (side, side), dim3 (PAIRS_SIDE * PAIRS_SIDE),
             2 * PAIRS_SIDE * PAIRS_PITCH * sizeof (uint32_t) + 2 * PAIRS_ROWS * sizeof (float), job->stream,
             (const uint32_t *) planes, r, h, (uint32_t) n, (uint32_t) pairs->n_words * 2, (uint32_t) pairs->n_rows,
             sum_r, sum_h);
  TRY ("adding up pairs", cudaGetLastError ());
  TRY ("reading pairs", cudaMemcpyAsync (pairs->sum_r, sum_r, n * n * sizeof (float), cudaMemcpyDeviceToHost,
                                         job->stream));
  TRY ("reading pairs", cudaMemcpyAsync (pairs->sum_h, sum_h, n * n * sizeof (float), cudaMemcpyDeviceToHost,
                                         job->stream));
  TRY ("marking the end", cudaEventRecord (job->done, job->stream));
  TRY ("waiting for the device", cudaEventSynchronize (job->done));
  return MT_GPU_OK;
}

static MtGpuStatus
gpu_sum_pairs (const MtGpuPairs *pairs, const MtGpuLimits *limits, MtGpuFailure *failure)
{
  PairsJob job = {};
  MtGpuStatus status = run_pairs (&job, pairs, limits, failure);

  cudaFree (job.memory);
  if (job.done != NULL)
    cudaEventDestroy (job.done);
  if (job.stream != NULL)
    cudaStreamDestroy (job.stream);
  n_users -= job.uses_device;
  return status;
}
