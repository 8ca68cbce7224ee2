/* Missing values in the disguise of numbers: 0, -1, 999 and the like.
 *
 * Only well-known stand-ins are suspected, and only at the end of a column's range where
 * they stand apart: 0 and the negative ones below everything else, the nines above. With
 * u1 … u5 the five different values nearest to the suspect v, in order of distance, the
 * suspect stands apart when
 *
 *   |u1 - v| > |u5 - u1|     the gap is wider than the next four steps together, and
 *   |u1 - v| ≥ s / 10        it is no mere thinning of a dense tail,
 *
 * where s is the spread of the other values (their interquartile range / 1.349, which for
 * normal values is the standard deviation). Counts that start at 0, 1, 2, … and amounts
 * that thin out towards 0 have no such gap. A 0 that is in the majority is a normal state
 * (no capital gain), not a gap in the data. One or two rows are no pile, and are only
 * suspected, in a note, when they lie at least 6 s from the median.
 *
 * -1 may occur next to 0, 1, 2, …, where there is no gap: there it is suspected when it is
 * the one negative value and at least three times as frequent as its neighbours.
 *
 * Two passes over the column; the quartiles come from at most SAMPLE rows. */
#include "config.h"
#include "mt-findings-private.h"

#include <math.h>

#include "base/mt-sort.h"

#define CHUNK     4096
#define SAMPLE    10000
#define N_NEAREST 5
#define MIN_PILE  3
#define NORMAL_IQR 1.349

static const double suspects[] = { 0, -1, -9, -99, -999, -9999, -99999, 99, 999, 9999, 99999, 999999 };

typedef struct {
  double value;
  gsize  count;
} Pile;

typedef struct {
  gsize n_known, n_rest;
  Pile  suspect;
  Pile  nearest[N_NEAREST];   /* of the rest, from the suspect outwards */
  guint n_nearest;
  double q1, median, q3;      /* of the rest */
} Surroundings;

/* Keeps the five nearest different values; @sign is 1 when the rest lies above. */
static void
note_value (Surroundings *around,
            double        value,
            double        sign)
{
  guint at = around->n_nearest;

  while (at > 0 && sign * value < sign * around->nearest[at - 1].value)
    at--;
  if (at > 0 && value == around->nearest[at - 1].value)
    {
      around->nearest[at - 1].count++;
      return;
    }
  if (at == N_NEAREST)
    return;
  if (around->n_nearest < N_NEAREST)
    around->n_nearest++;
  for (guint i = around->n_nearest - 1; i > at; i--)
    around->nearest[i] = around->nearest[i - 1];
  around->nearest[at] = (Pile) { value, 1 };
}

static void
look_around (const MtColumn *column,
             double          suspect,
             double          sign,
             Surroundings   *around)
{
  gsize n_rows = mt_column_get_n_rows (column), stride = n_rows / SAMPLE + 1, n_sampled = 0;
  g_autofree double *sample = g_new (double, n_rows / stride + 1);
  double buffer[CHUNK];

  *around = (Surroundings) { .suspect = { suspect, 0 } };
  for (gsize first = 0; first < n_rows; first += CHUNK)
    {
      gsize n = MIN (n_rows - first, CHUNK);

      mt_column_read_numbers (column, first, n, buffer);
      for (gsize i = 0; i < n; i++)
        {
          double v = buffer[i];

          if (!isfinite (v))
            continue;
          around->n_known++;
          if (v == suspect)
            {
              around->suspect.count++;
              continue;
            }
          around->n_rest++;
          note_value (around, v, sign);
          if ((first + i) % stride == 0)
            sample[n_sampled++] = v;
        }
    }
  mt_sort_doubles (sample, n_sampled);
  if (n_sampled > 0)
    {
      around->q1 = sample[n_sampled / 4];
      around->median = sample[n_sampled / 2];
      around->q3 = sample[n_sampled * 3 / 4];
    }
}

static gboolean
stands_apart (const Surroundings *around)
{
  const Pile *near = around->nearest;
  double gap, spread;

  if (around->n_nearest < N_NEAREST || around->n_rest < MT_FINDINGS_MIN_ROWS)
    return FALSE;
  if (around->suspect.value == 0 && 2 * around->suspect.count >= around->n_known)
    return FALSE;
  gap = fabs (near[0].value - around->suspect.value);
  spread = (around->q3 - around->q1) / NORMAL_IQR;
  if (around->suspect.count < MIN_PILE &&
      (spread == 0 || fabs (around->median - around->suspect.value) < 6 * spread))
    return FALSE;
  return gap > fabs (near[N_NEAREST - 1].value - near[0].value) && gap >= spread / 10;
}

/* -1 among 0, 1, 2, … */
static gboolean
is_lone_negative (const Surroundings *around)
{
  gsize n_near = 0;

  if (around->suspect.value != -1 || around->n_nearest < N_NEAREST || around->nearest[0].value < 0)
    return FALSE;
  for (guint i = 0; i < N_NEAREST; i++)
    n_near += around->nearest[i].count;
  return around->suspect.count >= MIN_PILE && around->suspect.count * N_NEAREST >= 3 * n_near;
}

void
mt_findings_scan_disguise (MtFindingScan *scan,
                           guint          index)
{
  const MtColumn *column = mt_table_get_column (scan->table, index);
  double low = INFINITY, high = -INFINITY, buffer[CHUNK];

  for (gsize first = 0; first < scan->n_rows; first += CHUNK)
    {
      gsize n = MIN (scan->n_rows - first, CHUNK);

      mt_column_read_numbers (column, first, n, buffer);
      for (gsize i = 0; i < n; i++)
        {
          low = buffer[i] < low ? buffer[i] : low;   /* false for NaN */
          high = buffer[i] > high ? buffer[i] : high;
        }
    }
  for (guint s = 0; s < G_N_ELEMENTS (suspects); s++)
    {
      gboolean below = suspects[s] <= 0;
      Surroundings around;
      MtShortText value;

      if (suspects[s] != (below ? low : high))
        continue;
      if (g_cancellable_is_cancelled (scan->cancellable))
        return;
      look_around (column, suspects[s], below ? 1 : -1, &around);
      if (!stands_apart (&around) && !is_lone_negative (&around))
        continue;
      value = mt_findings_number (suspects[s], 6);   /* a whole number: no mark in it */
      mt_findings_add (scan, "disguised-missing",
                       around.suspect.count < MIN_PILE ? MT_SEVERITY_NOTE : MT_SEVERITY_WARNING, (int) index,
                       around.suspect.count, MT_FIX_TREAT_AS_MISSING, value.text,
                       below ? ngettext ("“%s” is %s in %zu row (%s) and otherwise at least %s: if %s stands for "
                                         "unknown, treat it as missing.",
                                         "“%s” is %s in %zu rows (%s) and otherwise at least %s: if %s stands for "
                                         "unknown, treat it as missing.", around.suspect.count)
                             : ngettext ("“%s” is %s in %zu row (%s) and otherwise at most %s: if %s stands for "
                                         "unknown, treat it as missing.",
                                         "“%s” is %s in %zu rows (%s) and otherwise at most %s: if %s stands for "
                                         "unknown, treat it as missing.", around.suspect.count),
                       mt_column_get_name (column), value.text, around.suspect.count,
                       mt_findings_share (around.suspect.count, scan->n_rows).text,
                       mt_findings_number (around.nearest[0].value, 6).text, value.text);
    }
}
