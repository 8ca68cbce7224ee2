/* The paper's protocol. See mt-lab-protocol.h. */
#include "config.h"
#include "mt-lab-protocol.h"

#include <math.h>

const MtLabSetting mt_lab_usual_setting = { 5, 30, 5, .01 };

double
mt_lab_estimate (const MtLabDataset *dataset)
{
  return .05 + 2.5e-5 * dataset->n_rows * (4 + dataset->n_columns) / 2;
}

MtLearned *
mt_lab_learn (MtLabDataset        *dataset,
              const MtTable       *table,
              const GArray        *rows,
              const MtLabSetting  *setting,
              guint                seed,
              GCancellable        *cancellable,
              GError             **error)
{
  MtLearnOptions options;

  mt_learn_options_init (&options);
  options.task = &dataset->task;
  options.seed = seed;
  options.frontier.train.device = "cpu";
  options.frontier.train.n_threads = 1;
  options.encoder.n_threads = 1;
  if (setting != NULL)
    {
      mt_learn_options_set_learner (&options, MT_LEARNER_PAPER);
      options.frontier.n_folds = 0;
      options.encoder.bits = setting->bits;
      options.frontier.train.n_nodes = setting->nodes;
      options.frontier.refine.fan_in = setting->fan_in;
      options.frontier.train.temperature = setting->temperature;
    }
  return mt_learn_run (table, (const guint32 *) (gconstpointer) rows->data, rows->len, &options, NULL, NULL, NULL, cancellable,
                       error);
}

/* Rows in the form that a model of @learned reads. */
static gboolean
read_rows (const MtLearned  *learned,
           const MtTable    *table,
           const GArray     *rows,
           MtEncoded       **encoded,
           MtTargetRows    **target,
           GError          **error)
{
  *target = mt_target_read (learned->target, table, (const guint32 *) (gconstpointer) rows->data, rows->len, error);
  if (*target == NULL)
    return FALSE;
  *encoded = mt_encoder_apply (learned->encoder, table, (*target)->rows, (*target)->n_rows, NULL, error);
  return *encoded != NULL;
}

double
mt_lab_score (const MtLearned  *learned,
              const MtTable    *table,
              const GArray     *rows,
              const MtRuleSet  *rules,
              GError          **error)
{
  g_autoptr (MtEncoded) encoded = NULL;
  g_autoptr (MtTargetRows) target = NULL;

  if (!read_rows (learned, table, rows, &encoded, &target, error))
    return NAN;
  return mt_rule_set_metric (rules, encoded, target->values);
}

/* The model with the best validation score; of equals the smallest. */
static gboolean
find_best (const MtLearned  *learned,
           const MtTable    *table,
           const MtLabSplit *split,
           guint            *index,
           double           *valid,
           GError          **error)
{
  g_autoptr (MtEncoded) encoded = NULL;
  g_autoptr (MtTargetRows) target = NULL;

  *index = 0;
  *valid = NAN;
  if (!read_rows (learned, table, split->valid, &encoded, &target, error))
    return FALSE;
  for (guint i = 0; i < mt_frontier_get_n_points (learned->frontier); i++)
    {
      double metric = mt_rule_set_metric (mt_frontier_get_point (learned->frontier, i)->rules, encoded, target->values);

      if (!isnan (metric) && (isnan (*valid) || metric > *valid))
        {
          *valid = metric;
          *index = i;
        }
    }
  return TRUE;
}

gboolean
mt_lab_try_setting (MtLabDataset        *dataset,
                    const MtTable       *table,
                    const MtLabSplit    *split,
                    const MtLabSetting  *setting,
                    guint                seed,
                    MtLabScore          *score,
                    GCancellable        *cancellable,
                    GError             **error)
{
  g_autoptr (MtLearned) learned = mt_lab_learn (dataset, table, split->train, setting, seed, cancellable, error);
  const MtFrontierPoint *point;
  g_autoptr (GError) local = NULL;
  guint index;

  if (learned == NULL || !find_best (learned, table, split, &index, &score->valid, error))
    return FALSE;
  point = mt_frontier_get_point (learned->frontier, index);
  score->literals = point->complexity;
  score->quality = mt_lab_score (learned, table, split->test, point->rules, &local);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return error == NULL || *error == NULL;
}

/* The largest model of at most @literals; the simplest when all are larger. */
static const MtFrontierPoint *
find_size (const MtFrontier *frontier,
           guint             literals)
{
  const MtFrontierPoint *found = mt_frontier_get_point (frontier, 0);

  for (guint i = 1; i < mt_frontier_get_n_points (frontier); i++)
    if (mt_frontier_get_point (frontier, i)->complexity <= literals)
      found = mt_frontier_get_point (frontier, i);
  return found;
}

gboolean
mt_lab_run_grid (MtLabDataset        *dataset,
                 const MtTable       *table,
                 const MtLabSplit    *split,
                 const MtLabSetting  *settings,
                 guint                n_settings,
                 guint                seed,
                 MtLabScore          *score,
                 GCancellable        *cancellable,
                 GError             **error)
{
  g_autoptr (MtLearned) learned = NULL;
  const MtLabSetting *best = NULL;
  const MtFrontierPoint *point;
  g_autoptr (GError) local = NULL;
  guint literals = 0;

  score->valid = NAN;
  for (guint s = 0; s < n_settings; s++)
    {
      g_autoptr (MtLearned) tried = mt_lab_learn (dataset, table, split->train, &settings[s], seed, cancellable, error);
      double valid;
      guint index;

      if (tried == NULL || !find_best (tried, table, split, &index, &valid, error))
        return FALSE;
      if (isnan (valid) || (best != NULL && valid <= score->valid))
        continue;
      best = &settings[s];
      score->valid = valid;
      literals = mt_frontier_get_point (tried->frontier, index)->complexity;
    }
  if (best == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "%s: the validation rows define no score", dataset->name);
      return FALSE;
    }
  learned = mt_lab_learn (dataset, table, split->dev, best, seed, cancellable, error);
  if (learned == NULL)
    return FALSE;
  point = find_size (learned->frontier, literals);
  score->literals = point->complexity;
  score->quality = mt_lab_score (learned, table, split->test, point->rules, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

GArray *
mt_lab_make_grid (gboolean is_full)
{
  static const guint all_bits[] = { 4, 5, 6 }, all_nodes[] = { 1, 20, 30, 40, 50 };
  static const guint some_bits[] = { 4, 6 }, some_nodes[] = { 1, 30, 50 };
  static const double all_temperatures[] = { .001, .01, .05 }, some_temperatures[] = { .01 };
  const guint *bits = is_full ? all_bits : some_bits, *nodes = is_full ? all_nodes : some_nodes;
  const double *temperatures = is_full ? all_temperatures : some_temperatures;
  guint n_bits = is_full ? G_N_ELEMENTS (all_bits) : G_N_ELEMENTS (some_bits);
  guint n_nodes = is_full ? G_N_ELEMENTS (all_nodes) : G_N_ELEMENTS (some_nodes);
  guint n_temperatures = is_full ? G_N_ELEMENTS (all_temperatures) : G_N_ELEMENTS (some_temperatures);
  GArray *grid = g_array_new (FALSE, FALSE, sizeof (MtLabSetting));

  for (guint b = 0; b < n_bits; b++)
    for (guint n = 0; n < n_nodes; n++)
      for (guint t = 0; t < n_temperatures; t++)
        {
          const MtLabSetting setting = { bits[b], nodes[n], mt_lab_usual_setting.fan_in, temperatures[t] };

          g_array_append_val (grid, setting);
        }
  return grid;
}
