/* Columns that know the target too well: with one of them alone, AUC > 0.99 or R² > 0.98. Above 0.93 or 0.85 it is asked
 * whether they are known in time.
 *
 * Looked at on at most SAMPLE rows with a known target, chosen by a fixed seed. A column's
 * score for a row must not come from that row, or every identifier would look like a leak:
 *
 *   levels    each half of the sample is scored by the other half's share of the class (or
 *             mean of the target) among the rows of that level; an unseen level gets the
 *             half's overall share. Missing is a level.
 *   numbers   as they are, in both directions, missing below or above all: nothing is fitted,
 *             so nothing can be overfitted. And, for what is not monotone, as levels: BINS
 *             bins with equal numbers of rows, equal values together.
 *   numbers, numeric target
 *             a straight line, and the mean of the two neighbours in the order of the column
 *             (of the other rows of equal value where there are such).
 *
 * With several classes the AUC is the mean over the classes, each against the rest, as
 * everywhere in Minterm. AUC is summed over levels in the order of their scores:
 *   Σ pos(l) (neg below l + neg(l) / 2) / (pos neg).
 *
 * n log n in the sample a column, so the work is bounded whatever the table's length. */
#include "config.h"
#include "mt-findings-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-random.h"

#define SAMPLE      30000
#define BINS        64
#define MAX_CLASSES 32        /* the most frequent are looked at */
#define MIN_CLASS   10        /* rows; the one row of a class is always an extreme of something */
#define LEAK_AUC    0.99
#define LEAK_R2     0.98
#define STRONG_AUC  0.93      /* from here on it is asked whether the column is known in time */
#define STRONG_R2   0.85
#define SEED        20

typedef struct {
  gsize          n;          /* rows in the sample */
  guint32       *rows;
  guint8        *half;       /* 0 or 1 */
  guint32       *classes;    /* codes of the target; NULL for a numeric one */
  double        *targets;    /* numeric target */
  guint          n_classes;
  guint32        class_order[MAX_CLASSES];   /* codes looked at */

  /* of the column in hand; each thread has its own */
  guint32        n_levels;
  guint32       *levels;     /* of each sampled row */
  double        *values;     /* numbers only */
  guint32       *order;      /* numbers: known rows by value */
  gsize          n_known;
} Leak;

static void
leak_clear (Leak *leak)
{
  g_free (leak->rows);
  g_free (leak->half);
  g_free (leak->classes);
  g_free (leak->targets);
}

/* Room for a column; the sample stays that of @leak. */
static void
leak_copy (Leak       *own,
           const Leak *leak)
{
  *own = *leak;
  own->levels = g_new (guint32, leak->n);
  own->values = g_new (double, leak->n);
  own->order = g_new (guint32, leak->n);
}

static void
leak_clear_copy (Leak *own)
{
  g_free (own->levels);
  g_free (own->values);
  g_free (own->order);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Leak, leak_clear)

/* --- the sample --- */

static int
compare_class_counts (gconstpointer a,
                      gconstpointer b,
                      gpointer      target)
{
  gsize x = mt_column_get_level_count (target, *(const guint32 *) a);
  gsize y = mt_column_get_level_count (target, *(const guint32 *) b);

  return (x < y) - (x > y);
}

static void
choose_classes (Leak           *leak,
                const MtColumn *target)
{
  guint n_levels = mt_column_get_n_levels (target), n_present = 0, n = 0;
  g_autofree guint32 *codes = g_new (guint32, n_levels + 1);

  for (guint code = 0; code < n_levels; code++)
    {
      gsize count = mt_column_get_level_count (target, code);

      n_present += count > 0;
      if (count >= MIN_CLASS)
        codes[n++] = code;
    }
  g_qsort_with_data (codes, (int) n, sizeof *codes, compare_class_counts, (gpointer) target);
  /* Of two classes one says it all. */
  leak->n_classes = n_present > 2 ? MIN (n, MAX_CLASSES) : n / 2;
  memcpy (leak->class_order, codes, leak->n_classes * sizeof *codes);
}

/* Every row with a known target has the same chance; rows stay in order. */
static void
leak_init (Leak          *leak,
           MtFindingScan *scan)
{
  const MtColumn *target = scan->target;
  gsize left = scan->n_rows - mt_column_get_n_missing (target), wanted = MIN (left, SAMPLE);
  MtRandom random;

  leak->rows = g_new (guint32, wanted);
  leak->half = g_new (guint8, wanted);
  mt_random_init (&random, SEED);
  for (gsize r = 0; leak->n < wanted; r++)
    if (!mt_column_is_missing (target, r))
      {
        if (mt_random_below (&random, left--) < wanted - leak->n)
          leak->rows[leak->n++] = (guint32) r;
      }
  for (gsize i = 0; i < leak->n; i++)
    leak->half[i] = (guint8) mt_random_below (&random, 2);

  if (mt_column_get_store (target) == MT_STORE_CODES)
    {
      leak->classes = g_new (guint32, wanted);
      for (gsize i = 0; i < leak->n; i++)
        leak->classes[i] = mt_column_get_code (target, leak->rows[i]);
      choose_classes (leak, target);
    }
  else
    {
      leak->targets = g_new (double, wanted);
      for (gsize i = 0; i < leak->n; i++)
        leak->targets[i] = mt_column_get_number (target, leak->rows[i]);
    }
}

/* --- the column in hand --- */

static int
compare_by_value (gconstpointer a,
                  gconstpointer b,
                  gpointer      values)
{
  double x = ((const double *) values)[*(const guint32 *) a];
  double y = ((const double *) values)[*(const guint32 *) b];

  return (x > y) - (x < y);
}

static void
load_levels (Leak           *leak,
             const MtColumn *column)
{
  guint n_levels = mt_column_get_n_levels (column);

  leak->n_levels = n_levels + 1;
  for (gsize i = 0; i < leak->n; i++)
    leak->levels[i] = MIN (mt_column_get_code (column, leak->rows[i]), n_levels);
}

static void
load_numbers (Leak           *leak,
              const MtColumn *column)
{
  leak->n_known = 0;
  for (gsize i = 0; i < leak->n; i++)
    {
      leak->values[i] = mt_column_get_number (column, leak->rows[i]);
      if (isfinite (leak->values[i]))
        leak->order[leak->n_known++] = (guint32) i;
    }
  g_qsort_with_data (leak->order, (int) leak->n_known, sizeof *leak->order, compare_by_value, leak->values);
}

/* Levels 1, 2, … ascending with the value and 0 for missing: one a value, or at most @n_bins. */
static void
rank_numbers (Leak  *leak,
              guint  n_bins)    /* 0: one level a value */
{
  guint32 level = 0;
  gsize last_bin = 0;

  memset (leak->levels, 0, leak->n * sizeof *leak->levels);
  for (gsize k = 0; k < leak->n_known; k++)
    {
      guint32 i = leak->order[k];
      gsize bin = n_bins == 0 ? k + 1 : 1 + k * n_bins / leak->n_known;

      /* Equal values stay together, in the bin where the first of them fell. */
      if (bin != last_bin && (k == 0 || leak->values[i] != leak->values[leak->order[k - 1]]))
        {
          level++;
          last_bin = bin;
        }
      leak->levels[i] = level;
    }
  leak->n_levels = level + 1;
}

/* --- classes --- */

typedef struct {
  double score;
  gsize  pos, neg;
} Pile;

static int
compare_scores (gconstpointer a,
                gconstpointer b,
                gpointer      unused)
{
  double x = ((const Pile *) a)->score, y = ((const Pile *) b)->score;

  return (x > y) - (x < y);
}

/* @piles in the order of their scores; equal scores count as one pile. NaN without both kinds. */
static double
auc_of_piles (const Pile *piles,
              gsize       n_piles)
{
  double below = 0, wins = 0, n_pos = 0;

  for (gsize i = 0; i < n_piles;)
    {
      double pos = 0, neg = 0, score = piles[i].score;

      for (; i < n_piles && piles[i].score == score; i++)
        {
          pos += (double) piles[i].pos;
          neg += (double) piles[i].neg;
        }
      wins += pos * (below + neg / 2);
      below += neg;
      n_pos += pos;
    }
  return wins / (n_pos * below);
}

/* The levels as they are, ascending, missing (level 0) at either end, in either direction. */
static double
auc_of_order (const Leak *leak,
              guint32     class_)
{
  g_autofree Pile *piles = g_new0 (Pile, leak->n_levels);
  double best = 0;

  for (gsize i = 0; i < leak->n; i++)
    if (leak->classes[i] == class_)
      piles[leak->levels[i]].pos++;
    else
      piles[leak->levels[i]].neg++;
  for (guint32 l = 0; l < leak->n_levels; l++)
    piles[l].score = l;
  for (guint turn = 0; turn < 2; turn++)
    {
      double auc = auc_of_piles (piles, leak->n_levels);
      Pile missing = piles[0];

      best = MAX (best, MAX (auc, 1 - auc));
      memmove (piles, piles + 1, (leak->n_levels - 1) * sizeof *piles);
      missing.score = leak->n_levels;
      piles[leak->n_levels - 1] = missing;
    }
  return best;
}

/* Each half by the other half's shares; the mean of the two. */
static double
auc_of_levels (const Leak *leak,
               guint32     class_)
{
  g_autofree Pile *fitted = g_new (Pile, leak->n_levels);
  g_autofree Pile *scored = g_new (Pile, leak->n_levels);
  double sum = 0;

  for (guint half = 0; half < 2; half++)
    {
      double n = 0, n_pos = 0;

      memset (fitted, 0, leak->n_levels * sizeof *fitted);
      memset (scored, 0, leak->n_levels * sizeof *scored);
      for (gsize i = 0; i < leak->n; i++)
        {
          Pile *pile = (leak->half[i] == half ? scored : fitted) + leak->levels[i];

          if (leak->classes[i] == class_)
            pile->pos++;
          else
            pile->neg++;
          n += leak->half[i] != half;
          n_pos += leak->half[i] != half && leak->classes[i] == class_;
        }
      /* One row's worth of the overall share keeps small levels from shouting. */
      for (guint32 l = 0; l < leak->n_levels; l++)
        scored[l].score = ((double) fitted[l].pos + n_pos / MAX (n, 1)) /
                          ((double) (fitted[l].pos + fitted[l].neg) + 1);
      g_qsort_with_data (scored, (int) leak->n_levels, sizeof *scored, compare_scores, NULL);
      sum += auc_of_piles (scored, leak->n_levels);
    }
  return sum / 2;
}

/* The mean over the classes; stops when the mark cannot be reached any more. */
static double
mean_auc (const Leak *leak,
          double    (*auc_of) (const Leak *leak, guint32 class_))
{
  double sum = 0;
  guint n = 0;

  for (guint c = 0; c < leak->n_classes; c++)
    {
      double auc = auc_of (leak, leak->class_order[c]);

      if (isnan (auc))   /* the class is not in both halves */
        continue;
      sum += auc;
      n++;
      if (sum + (leak->n_classes - c - 1) <= STRONG_AUC * (n + leak->n_classes - c - 1))
        return 0;
    }
  return n > 0 ? sum / n : 0;
}

/* --- numeric target --- */

typedef struct {
  double n, sum, squares;   /* of the target over the rows judged */
  double rest;              /* squared errors */
} Fit;

static void
fit_add (Fit    *fit,
         double  target,
         double  predicted)
{
  fit->n++;
  fit->sum += target;
  fit->squares += target * target;
  fit->rest += (target - predicted) * (target - predicted);
}

static double
fit_r2 (const Fit *fit)
{
  double total = fit->squares - fit->sum * fit->sum / MAX (fit->n, 1);

  /* A few rows, or no variance beyond rounding, prove nothing. */
  return fit->n >= MT_FINDINGS_MIN_ROWS && total > 1e-12 * fit->squares ? 1 - fit->rest / total : 0;
}

static double
r2_of_levels (const Leak *leak)
{
  g_autofree double *sums = g_new (double, leak->n_levels);
  g_autofree gsize *counts = g_new (gsize, leak->n_levels);
  Fit fit = { 0 };

  for (guint half = 0; half < 2; half++)
    {
      double sum = 0;
      gsize n = 0;

      memset (sums, 0, leak->n_levels * sizeof *sums);
      memset (counts, 0, leak->n_levels * sizeof *counts);
      for (gsize i = 0; i < leak->n; i++)
        if (leak->half[i] != half)
          {
            sums[leak->levels[i]] += leak->targets[i];
            counts[leak->levels[i]]++;
            sum += leak->targets[i];
            n++;
          }
      for (gsize i = 0; i < leak->n; i++)
        if (leak->half[i] == half)
          {
            guint32 l = leak->levels[i];

            fit_add (&fit, leak->targets[i],
                     counts[l] > 0 ? sums[l] / (double) counts[l] : sum / (double) MAX (n, 1));
          }
    }
  return fit_r2 (&fit);
}

static double
r2_of_line (const Leak *leak)
{
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0, n = (double) leak->n_known;

  for (gsize k = 0; k < leak->n_known; k++)
    {
      mean_x += leak->values[leak->order[k]] / n;
      mean_y += leak->targets[leak->order[k]] / n;
    }
  for (gsize k = 0; k < leak->n_known; k++)
    {
      double x = leak->values[leak->order[k]] - mean_x, y = leak->targets[leak->order[k]] - mean_y;

      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
  return xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
}

/* Predicts a row by the others of its value, or else by its neighbours on either side. */
static double
r2_of_neighbours (const Leak *leak)
{
  Fit fit = { 0 };

#define TARGET(k) leak->targets[leak->order[k]]
  for (gsize k = 0, end; k < leak->n_known; k = end)
    {
      double sum = 0;

      for (end = k; end < leak->n_known &&
           leak->values[leak->order[end]] == leak->values[leak->order[k]]; end++)
        sum += TARGET (end);
      if (end - k > 1)
        for (gsize j = k; j < end; j++)
          fit_add (&fit, TARGET (j), (sum - TARGET (j)) / (double) (end - k - 1));
      else if (k > 0 && end < leak->n_known)
        fit_add (&fit, TARGET (k), (TARGET (k - 1) + TARGET (end)) / 2);
    }
#undef TARGET
  return fit_r2 (&fit);
}

/* --- */

/* How well the column alone predicts, 0 where it is not worth a word. */
static double
judge_column (Leak           *leak,
              const MtColumn *column)
{
  gboolean is_number = mt_column_get_store (column) == MT_STORE_NUMBERS;

  if (!is_number)
    {
      load_levels (leak, column);
      return leak->classes != NULL ? mean_auc (leak, auc_of_levels) : r2_of_levels (leak);
    }
  load_numbers (leak, column);
  if (leak->classes != NULL)
    {
      double auc;

      rank_numbers (leak, 0);
      auc = mean_auc (leak, auc_of_order);
      rank_numbers (leak, BINS);
      return MAX (auc, mean_auc (leak, auc_of_levels));
    }
  /* With mostly missing values the few known ones decide nothing. */
  if (leak->n_known < MT_FINDINGS_MIN_ROWS || 5 * leak->n_known < leak->n)
    return 0;
  return MAX (r2_of_line (leak), r2_of_neighbours (leak));
}

static void
scan_leak (MtFindingScan *scan,
           guint          c,
           guint          worker,
           gpointer       data)
{
  Leak *leak = (Leak *) data + worker;
  const MtColumn *column = mt_table_get_column (scan->table, c);
  double quality;

  if (!mt_findings_is_feature (scan, c) || mt_column_get_store (column) == MT_STORE_TEXT)
    return;
  quality = judge_column (leak, column);
  if (quality > (leak->classes != NULL ? STRONG_AUC : STRONG_R2) && quality <= (leak->classes != NULL ? LEAK_AUC : LEAK_R2))
    mt_findings_add (scan, "known-in-time", MT_SEVERITY_NOTE, (int) c, leak->n, MT_FIX_IGNORE_COLUMN, NULL,
                     _("“%s” alone predicts “%s” well (%s %s). Is it known when the decision about “%s” is made? If not, "
                       "ignore it."),
                     mt_column_get_name (column), mt_column_get_name (scan->target),
                     leak->classes != NULL ? "AUC" : "R²", mt_findings_number (floor (quality * 1e3) / 1e3, 4).text,
                     mt_column_get_name (scan->target));
  if (quality <= (leak->classes != NULL ? LEAK_AUC : LEAK_R2))
    return;
  /* Rounded down: what is almost 1 must not be printed as 1. */
  mt_findings_add (scan, "possible-leak", MT_SEVERITY_WARNING, (int) c, leak->n, MT_FIX_IGNORE_COLUMN,
                   NULL,
                   _("“%s” alone predicts “%s” almost perfectly (%s %s): if it is not known before “%s”, "
                     "ignore it."),
                   mt_column_get_name (column), mt_column_get_name (scan->target),
                   leak->classes != NULL ? "AUC" : "R²",
                   mt_findings_number (floor (quality * 1e4) / 1e4, 5).text,
                   mt_column_get_name (scan->target));
}

gboolean
mt_findings_scan_leaks (MtFindingScan  *scan,
                        GError        **error)
{
  guint n_threads = mt_pool_get_n_threads (scan->pool);
  g_auto (Leak) leak = { 0 };
  g_autofree Leak *own = g_new0 (Leak, n_threads);
  gboolean done;

  if (scan->target == NULL || mt_column_get_store (scan->target) == MT_STORE_TEXT ||
      scan->n_rows - mt_column_get_n_missing (scan->target) < MT_FINDINGS_MIN_ROWS)
    return TRUE;
  leak_init (&leak, scan);
  for (guint t = 0; t < n_threads; t++)
    leak_copy (&own[t], &leak);
  done = mt_findings_each_column (scan, scan_leak, own, error);
  for (guint t = 0; t < n_threads; t++)
    leak_clear_copy (&own[t]);
  return done;
}
