/* Rows as backends keep them: row-major, because a shuffled batch takes rows from everywhere. See mt-
 * backend-rows.h. */
#include "config.h"
#include "mt-backend-rows.h"

/* @which: the rows to take, in the order of their new numbers; NULL: all, and y stays with the caller. Codes are
 * turned from a column for each group to a row of code_stride bytes, numbers from columns of doubles to rows of
 * n_numeric8 floats; what pads a row is zero.
 *
 * A row of 30 groups and 10 numbers takes 32 bytes of codes and 16 floats: half a cache line in one
 * array and one in the other, wherever in the shuffled order it comes. */
void
mt_backend_rows_init (MtBackendRows      *rows,
                      const MtBackendJob *job,
                      const guint32      *which,
                      gsize               n,
                      gsize               code_stride)
{
  gsize stride = job->net->layout.n_numeric8;

  rows->n_rows = n;
  rows->codes = mt_aligned_new0 (n * code_stride);
  rows->numeric = mt_aligned_new0 (n * stride * sizeof (float));
  rows->y = which != NULL ? mt_aligned_new0 (n * sizeof (float)) : NULL;
  for (gsize r = 0; which != NULL && r < n; r++)
    rows->y[r] = job->y[which[r]];
  /* A few rows at a time, so that the strided writes stay in the cache. */
  for (gsize from = 0; from < n; from += 256)
    {
      gsize to = MIN (from + 256, n);

      for (guint g = 0; g < mt_encoded_get_n_groups (job->encoded); g++)
        {
          const guint8 *codes = mt_encoded_get_codes (job->encoded, g);

          for (gsize r = from; r < to; r++)
            rows->codes[r * code_stride + g] = codes[which != NULL ? which[r] : r];
        }
      for (guint u = 0; u < job->net->shape.n_numeric; u++)
        {
          const double *x = mt_encoded_get_numeric (job->encoded, u);

          for (gsize r = from; r < to; r++)
            rows->numeric[r * stride + u] = (float) x[which != NULL ? which[r] : r];
        }
    }
}

void
mt_backend_rows_clear (MtBackendRows *rows)
{
  mt_aligned_free (rows->codes);
  mt_aligned_free (rows->numeric);
  mt_aligned_free (rows->y);
  *rows = (MtBackendRows) { 0 };
}
