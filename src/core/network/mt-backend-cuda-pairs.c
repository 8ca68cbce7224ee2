/* The scan's sums over pairs of literals, on the GPU. */
#include "config.h"
#include "mt-backend-cuda.h"

#include <string.h>

/* Scans come from many threads, but the device does one at a time. */
static GMutex one_scan;

/* Gathers the planes into one array (n × n_words words, 250 MB for 2,000 literals of a million
 * rows), turns r and h into floats, and waits for the result. When it fails, for whatever reason,
 * the scan makes the sums itself on the CPU. */
gboolean
mt_backend_cuda_sum_pairs (const MtEncoded *encoded,
                           const double    *r,
                           const double    *h,
                           guint64          memory,
                           float           *sum_r,
                           float           *sum_h,
                           GError         **error)
{
  const MtGpuApi *api = mt_backend_cuda_get_api (error);
  guint n = mt_encoded_get_n_literals (encoded);
  gsize n_rows = mt_encoded_get_n_rows (encoded), n_words = mt_encoded_get_n_words (encoded);
  g_autofree guint64 *planes = NULL;
  g_autofree float *rows_r = NULL, *rows_h = NULL;
  MtGpuLimits limits = { memory, 0, 0 };
  MtGpuFailure failure;
  MtGpuPairs pairs;
  gboolean ok;

  if (api == NULL)
    return FALSE;
  planes = g_new (guint64, MAX ((gsize) n * n_words, 1));
  for (guint l = 0; l < n; l++)
    memcpy (planes + (gsize) l * n_words, mt_encoded_get_plane (encoded, l), n_words * sizeof *planes);
  rows_r = g_new (float, MAX (n_rows, 1));
  rows_h = g_new (float, MAX (n_rows, 1));
  for (gsize i = 0; i < n_rows; i++)
    {
      rows_r[i] = (float) r[i];
      rows_h[i] = (float) h[i];
    }
  pairs = (MtGpuPairs) { n, n_rows, n_words, planes, rows_r, rows_h, sum_r, sum_h };
  g_mutex_lock (&one_scan);
  ok = mt_backend_cuda_choose (&limits.device, NULL, error) &&
       mt_backend_cuda_check (api->sum_pairs (&pairs, &limits, &failure), &failure, error);
  g_mutex_unlock (&one_scan);
  return ok;
}
