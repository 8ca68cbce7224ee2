#include "netdata.h"

#include "base/mt-random.h"

MtEncoded *
mt_test_encoded (guint   n_groups,
                 guint   n_bits,
                 guint   n_numeric,
                 gsize   n_rows,
                 guint64 seed)
{
  g_autofree MtGroup *groups = g_new0 (MtGroup, n_groups);
  g_autofree guint8 *codes = g_malloc (n_groups * n_rows + 1);
  g_autofree double *numeric = g_new (double, n_numeric * n_rows + 1);
  guint n_literals = 0;
  MtRandom random;

  mt_random_init (&random, seed);
  for (guint g = 0; g < n_groups; g++)
    {
      guint kind = g % 4;

      groups[g].kind = kind == 2 ? MT_GROUP_ONE_HOT : MT_GROUP_THERMOMETER;
      groups[g].column = g;
      groups[g].first_literal = n_literals;
      groups[g].n_literals = n_bits + (kind == 1 ? 1 : 0);
      groups[g].has_missing = kind == 1;
      n_literals += groups[g].n_literals;
      for (gsize r = 0; r < n_rows; r++)
        codes[g * n_rows + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
    }
  for (gsize i = 0; i < n_numeric * n_rows; i++)
    numeric[i] = mt_random_normal (&random);
  return mt_encoded_new (groups, n_groups, codes, numeric, n_numeric, n_rows);
}

/* An interaction of the first two groups and a slope along the third. */
static double
row_signal (const MtEncoded *encoded,
            gsize            row)
{
  guint n_groups = mt_encoded_get_n_groups (encoded);
  const MtGroup *groups = mt_encoded_get_groups (encoded);
  gboolean a = mt_encoded_get_codes (encoded, 0)[row] > groups[0].n_literals / 2;
  gboolean b = mt_encoded_get_codes (encoded, 1 % n_groups)[row] > groups[1 % n_groups].n_literals / 2;

  return (a && b ? 1.0 : -1.0) +
         0.5 * mt_encoded_get_codes (encoded, 2 % n_groups)[row] / groups[2 % n_groups].n_literals;
}

guint32 *
mt_test_classes (const MtEncoded *encoded,
                 guint            n_classes,
                 guint64          seed)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  guint32 *classes = g_new (guint32, n_rows + 1);
  MtRandom random;

  mt_random_init (&random, seed);
  for (gsize r = 0; r < n_rows; r++)
    {
      double at = (row_signal (encoded, r) + 0.3 * mt_random_normal (&random) + 1.2) / 2.9;

      classes[r] = (guint32) CLAMP ((int) (at * n_classes), 0, (int) n_classes - 1);
    }
  return classes;
}

double *
mt_test_values (const MtEncoded *encoded,
                guint64          seed)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  double *values = g_new (double, n_rows + 1);
  MtRandom random;

  mt_random_init (&random, seed);
  for (gsize r = 0; r < n_rows; r++)
    values[r] = 1000.0 + 50.0 * (row_signal (encoded, r) + 0.2 * mt_random_normal (&random));
  return values;
}
