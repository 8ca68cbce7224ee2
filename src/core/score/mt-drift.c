/* Drift of columns and score against the training rows. See mt-drift.h. */
#include "config.h"
#include "mt-drift.h"
#include "base/mt-math.h"

#include <math.h>
#include <string.h>


#define N_CODES      256
#define N_SCORE_BINS 10
#define RARE_LEVEL   0.01

typedef struct {
  guint8  bin_of[N_CODES];
  guint   n_bins;
  guint64 before[N_CODES];
  guint64 now[N_CODES];
  gboolean is_absent;     /* from a file that the model can do without it: nothing is known */
} Column;

typedef struct {
  double  cuts[N_SCORE_BINS - 1];     /* ascending, distinct */
  guint   n_cuts;
  guint64 before[N_SCORE_BINS];
  guint64 now[N_SCORE_BINS];
} Score;

struct _MtDrift {
  Column *columns;
  guint   n_columns;
  Score  *scores;       /* one a prediction */
  guint   n_scores;
};

static void
choose_bins (Column        *column,
             const MtGroup *group,
             const guint64 *counts,
             gsize          n_rows)
{
  guint n_codes = mt_group_get_n_codes (group);
  gboolean is_number = group->kind == MT_GROUP_THERMOMETER;
  guint n_values = n_codes - (group->has_missing ? 1 : 0);
  double most = (double) n_rows / 10, rare = (double) n_rows * RARE_LEVEL;
  guint rest = N_CODES;
  guint64 gathered = 0;

  column->n_bins = 0;
  for (guint code = 0; code < n_values; code++)
    {
      if (is_number)
        {
          if (code == 0 || (double) gathered >= most)
            {
              column->n_bins++;
              gathered = 0;
            }
          gathered += counts[code];
          column->bin_of[code] = (guint8) (column->n_bins - 1);
        }
      else if ((double) counts[code] < rare)
        {
          if (rest == N_CODES)
            rest = column->n_bins++;
          column->bin_of[code] = (guint8) rest;
        }
      else
        column->bin_of[code] = (guint8) column->n_bins++;
    }
  if (group->has_missing)
    column->bin_of[n_codes - 1] = (guint8) column->n_bins++;
  for (guint code = 0; code < n_codes; code++)
    column->before[column->bin_of[code]] += counts[code];
}

static int
compare_numbers (const void *a,
                 const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static guint
find_score_bin (const Score *score,
                double       value)
{
  guint bin = 0;

  while (bin < score->n_cuts && value >= score->cuts[bin])
    bin++;
  return bin;
}

static void
choose_cuts (Score        *score,
             const double *values,
             gsize         n_rows)
{
  g_autofree double *sorted = g_memdup2 (values, n_rows * sizeof *values);

  if (n_rows == 0)
    return;
  qsort (sorted, n_rows, sizeof *sorted, compare_numbers);
  for (guint i = 1; i < N_SCORE_BINS; i++)
    {
      double cut = sorted[n_rows * i / N_SCORE_BINS];

      if (cut > sorted[0] && (score->n_cuts == 0 || cut > score->cuts[score->n_cuts - 1]))
        score->cuts[score->n_cuts++] = cut;
    }
  for (gsize i = 0; i < n_rows; i++)
    score->before[find_score_bin (score, values[i])]++;
}

static void
count_codes (const MtEncoded *encoded,
             guint            group,
             guint64         *counts)
{
  const guint8 *codes = mt_encoded_get_codes (encoded, group);

  memset (counts, 0, N_CODES * sizeof *counts);
  for (gsize i = 0; i < mt_encoded_get_n_rows (encoded); i++)
    counts[codes[i]]++;
}

MtDrift *
mt_drift_new (const MtModel  *model,
              const MtTable  *table,
              const guint32  *rows,
              gsize           n_rows,
              GError        **error)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  g_autoptr (MtEncoded) encoded = NULL;
  g_autofree double *predictions = NULL;
  guint64 counts[N_CODES];
  MtDrift *drift;

  if (rows == NULL)
    n_rows = mt_table_get_n_rows (table);
  encoded = mt_encoder_apply (encoder, table, rows, n_rows, NULL, error);
  if (encoded == NULL)
    return NULL;
  predictions = g_new (double, mt_model_get_n_predictions (model) * n_rows + 1);
  if (!mt_model_predict (model, table, rows, n_rows, predictions, NULL, error))
    return NULL;
  drift = g_new0 (MtDrift, 1);
  drift->n_columns = mt_encoder_get_n_columns (encoder);
  drift->columns = g_new0 (Column, drift->n_columns);
  for (guint g = 0; g < drift->n_columns; g++)
    {
      count_codes (encoded, g, counts);
      choose_bins (&drift->columns[g], &mt_encoder_get_groups (encoder)[g], counts, n_rows);
    }
  drift->n_scores = mt_model_get_n_predictions (model);
  drift->scores = g_new0 (Score, drift->n_scores);
  for (guint c = 0; c < drift->n_scores; c++)
    choose_cuts (&drift->scores[c], predictions + c * n_rows, n_rows);
  return drift;
}

MtDrift *
mt_drift_copy (const MtDrift *drift)
{
  MtDrift *copy = g_new0 (MtDrift, 1);

  copy->n_columns = drift->n_columns;
  copy->columns = g_memdup2 (drift->columns, drift->n_columns * sizeof *drift->columns);
  copy->n_scores = drift->n_scores;
  copy->scores = g_memdup2 (drift->scores, drift->n_scores * sizeof *drift->scores);
  for (guint g = 0; g < copy->n_columns; g++)
    memset (copy->columns[g].now, 0, sizeof copy->columns[g].now);
  for (guint c = 0; c < copy->n_scores; c++)
    memset (copy->scores[c].now, 0, sizeof copy->scores[c].now);
  return copy;
}

void
mt_drift_free (MtDrift *drift)
{
  if (drift == NULL)
    return;
  g_free (drift->columns);
  g_free (drift->scores);
  g_free (drift);
}

gboolean
mt_drift_add (MtDrift        *drift,
              const MtModel  *model,
              const MtTable  *table,
              const double   *predictions,
              GError        **error)
{
  gsize n_rows = mt_table_get_n_rows (table);
  g_autofree gboolean *used = mt_model_find_used (model);
  g_autoptr (MtEncoded) encoded = mt_encoder_apply_used (mt_model_get_encoder (model), table, used, NULL, 0, NULL, error);
  guint64 counts[N_CODES];

  if (encoded == NULL)
    return FALSE;
  for (guint g = 0; g < drift->n_columns; g++)
    {
      Column *column = &drift->columns[g];

      column->is_absent = mt_table_find_column (table, mt_encoder_get_column_name (mt_model_get_encoder (model), g), NULL) == NULL;
      count_codes (encoded, g, counts);
      for (guint code = 0; code < mt_group_get_n_codes (&mt_encoded_get_groups (encoded)[g]); code++)
        column->now[column->bin_of[code]] += counts[code];
    }
  for (guint c = 0; c < drift->n_scores; c++)
    for (gsize i = 0; i < n_rows; i++)
      drift->scores[c].now[find_score_bin (&drift->scores[c], predictions[c * n_rows + i])]++;
  return TRUE;
}

double
mt_drift_compute_psi (const guint64 *before,
                      const guint64 *now,
                      guint          n_bins)
{
  double n_before = 0, n_now = 0, psi = 0;

  for (guint b = 0; b < n_bins; b++)
    {
      n_before += (double) before[b];
      n_now += (double) now[b];
    }
  if (n_bins < 2 || n_now == 0 || n_before == 0)
    return NAN;
  for (guint b = 0; b < n_bins; b++)
    {
      double p = ((double) before[b] + 0.5) / (n_before + 0.5 * n_bins);
      double q = ((double) now[b] + 0.5) / (n_now + 0.5 * n_bins);

      psi += (q - p) * mt_log (q / p);
    }
  return psi;
}

double
mt_drift_get_column (const MtDrift *drift,
                     guint          column)
{
  const Column *c = &drift->columns[column];

  return c->is_absent ? NAN : mt_drift_compute_psi (c->before, c->now, c->n_bins);
}

/* With several classes that of the class that moved most. */
double
mt_drift_get_score (const MtDrift *drift)
{
  double most = NAN;

  for (guint c = 0; c < drift->n_scores; c++)
    {
      double psi = mt_drift_compute_psi (drift->scores[c].before, drift->scores[c].now, drift->scores[c].n_cuts + 1);

      if (isnan (most) || psi > most)
        most = psi;
    }
  return most;
}
