#include "config.h"
#include "mt-cli-bench-rows.h"

#include <time.h>

MtEncoded *
mt_cli_bench_make_rows (guint     n_columns,
                        guint     bits,
                        gsize     n_rows,
                        MtRandom *random)
{
  g_autofree MtGroup *groups = g_new0 (MtGroup, n_columns);
  g_autofree guint8 *codes = g_malloc (n_columns * n_rows);
  g_autofree double *numeric = g_new (double, n_columns * n_rows);

  for (guint g = 0; g < n_columns; g++)
    {
      groups[g] = (MtGroup) { MT_GROUP_THERMOMETER, g, g * bits, bits, FALSE };
      for (gsize r = 0; r < n_rows; r++)
        {
          guint8 code = (guint8) mt_random_below (random, bits + 1);

          codes[g * n_rows + r] = code;
          numeric[g * n_rows + r] = (code - bits / 2.0) / (bits / 3.5 + .5);
        }
    }
  return mt_encoded_new (groups, n_columns, codes, numeric, n_columns, n_rows);
}

double
mt_cli_bench_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}
