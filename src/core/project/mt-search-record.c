/* What was tried on the way to a model: the frontier that it was chosen from, how the folds judged it, the
 * benchmarks next to it, other runs, and what a person decided. See mt-search-record.h. */
#include "config.h"
#include "mt-search-record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mt-test-set-ledger.h"
#include "rules/mt-rule-text.h"

char *
mt_search_record_dup_tie (const MtModel *model)
{
  MtModelInfo info = *mt_model_get_info (model);
  g_autoptr (MtModel) bare = NULL;
  gsize length;
  g_autofree char *json = NULL;

  info.n_reasons = 0;
  bare = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), (MtRuleSet *) mt_model_get_rules (model), &info, NULL);
  json = mt_model_to_json (bare != NULL ? bare : model, &length);
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length);
}

static void
run_clear (gpointer data)
{
  g_free (((MtSearchRecordRun *) data)->name);
  mt_run_device_free (((MtSearchRecordRun *) data)->device);
}

MtSearchRecord *
mt_search_record_new (void)
{
  MtSearchRecord *record = g_new0 (MtSearchRecord, 1);

  record->runs = g_array_new (FALSE, TRUE, sizeof (MtSearchRecordRun));
  g_array_set_clear_func (record->runs, run_clear);
  record->points = g_array_new (FALSE, TRUE, sizeof (MtSearchRecordPoint));
  record->chosen = record->recommended = -1;
  return record;
}

void
mt_search_record_free (MtSearchRecord *record)
{
  g_free (record->model_sha256);
  g_free (record->source);
  g_array_unref (record->runs);
  g_array_unref (record->points);
  g_free (record->folds);
  g_clear_pointer (&record->dismissals, g_ptr_array_unref);
  g_clear_pointer (&record->edits, g_ptr_array_unref);
  g_free (record->recurs);
  g_strfreev (record->tested);
  g_free (record);
}

char *
mt_search_record_dup_path (const char *model_path)
{
  gsize n = strlen (model_path);

  if (g_str_has_suffix (model_path, ".json"))
    n -= strlen (".json");
  return g_strdup_printf ("%.*s.record.json", (int) n, model_path);
}

MtSearchRecord *
mt_search_record_new_learned (const MtLearned   *learned,
                              guint              chosen,
                              const MtBaselines *baselines,
                              const MtModel     *model)
{
  const MtFrontier *frontier = learned->frontier;
  guint literals = mt_frontier_get_point (frontier, chosen)->complexity;
  MtSearchRecord *record = mt_search_record_new ();
  const MtSearchRecordRun run = { g_strdup ("this run"), mt_model_get_info (model)->seed,
                            mt_frontier_is_stopped (frontier) ? MT_RUN_STOPPED : MT_RUN_DONE, NULL };

  record->model_sha256 = mt_search_record_dup_tie (model);
  g_array_append_val (record->runs, run);
  for (guint i = 0; i < mt_frontier_get_n_points (frontier); i++)
    {
      const MtFrontierPoint *from = mt_frontier_get_point (frontier, i);
      const MtSearchRecordPoint point = { 0, from->complexity, mt_rule_set_get_n_rules (from->rules), from->cv_mean, from->cv_se,
                                    from->train };

      g_array_append_val (record->points, point);
    }
  record->chosen = (int) chosen;
  record->recommended = (int) mt_frontier_get_selected (frontier);
  record->n_folds = mt_frontier_get_n_fold_scores (frontier);
  record->folds = record->n_folds > 0
                  ? g_memdup2 (mt_frontier_get_fold_scores (frontier, chosen), record->n_folds * sizeof (double)) : NULL;
  for (guint kind = 0; baselines != NULL && kind < MT_N_BASELINES; kind++)
    mt_baselines_get (baselines, kind, literals, &record->baselines[record->n_baselines++]);
  return record;
}

void
mt_search_record_set_tested (MtSearchRecord  *record,
                             const MtLearned *learned)
{
  guint n = mt_frontier_get_n_points (learned->frontier);

  g_strfreev (record->tested);
  record->tested = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    record->tested[i] = mt_test_set_ledger_dup_key (mt_frontier_get_point (learned->frontier, i)->rules, learned->encoder);
}

/* --- out of a project --- */

static gboolean
same_target (const MtModel *a,
             const MtModel *b)
{
  return g_str_equal (mt_model_get_info (a)->target, mt_model_get_info (b)->target);
}

static void
count_recurring (MtSearchRecord      *record,
                 const MtModel *model,
                 const MtModel *other)
{
  const MtRuleSet *ours = mt_model_get_rules (model), *theirs = mt_model_get_rules (other);
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint t = 0; t < mt_rule_set_get_n_terms (theirs); t++)
    g_hash_table_add (texts, mt_term_dup_text (mt_rule_set_get_term (theirs, t), mt_model_get_encoder (other)));
  for (guint t = 0; t < mt_rule_set_get_n_terms (ours); t++)
    {
      g_autofree char *text = mt_term_dup_text (mt_rule_set_get_term (ours, t), mt_model_get_encoder (model));

      record->recurs[t] += g_hash_table_contains (texts, text);
    }
  record->n_compared++;
}

/* The points of each run but the chosen one's: that of the nearest complexity is held against the model. */
static gboolean
compare_runs (MtSearchRecord       *record,
              MtProject      *project,
              GArray         *points,
              const MtModel  *model,
              GError        **error)
{
  guint literals = mt_rule_set_get_complexity (mt_model_get_rules (model));
  guint own = record->chosen >= 0 ? g_array_index (record->points, MtSearchRecordPoint, record->chosen).run : G_MAXUINT;

  record->recurs = g_new0 (guint, mt_rule_set_get_n_terms (mt_model_get_rules (model)) + 1);
  for (guint run = 0; run < record->runs->len; run++)
    {
      int best = -1;
      g_autoptr (GBytes) json = NULL;
      g_autoptr (MtModel) other = NULL;

      for (guint i = 0; i < points->len; i++)
        if (g_array_index (record->points, MtSearchRecordPoint, i).run == run &&
            (best < 0 || abs ((int) g_array_index (points, MtProjectPoint, i).literals - (int) literals) <
                         abs ((int) g_array_index (points, MtProjectPoint, best).literals - (int) literals)))
          best = (int) i;
      if (best < 0 || run == own)
        continue;
      json = mt_project_dup_model (project, g_array_index (points, MtProjectPoint, best).id, error);
      other = json != NULL ? mt_model_from_json (g_bytes_get_data (json, NULL), g_bytes_get_size (json), error) : NULL;
      if (other == NULL)
        return FALSE;
      if (same_target (model, other))
        count_recurring (record, model, other);
    }
  return TRUE;
}

static guint
find_run (GPtrArray *runs,
          gint64     id)
{
  for (guint i = 0; i < runs->len; i++)
    if (((const MtProjectRun *) g_ptr_array_index (runs, i))->id == id)
      return i;
  return 0;
}

/* What cannot be read is not recorded. */
static MtRunDevice *
read_device (MtProject *project,
             gint64     run)
{
  g_autofree char *key = g_strdup_printf (MT_PROJECT_KEY_DEVICE "%" G_GINT64_FORMAT, run);
  g_autofree char *text = mt_project_dup_text (project, MT_PROJECT_STATE, key, NULL);

  return mt_run_device_from_json (text);
}

static gboolean
read_points (MtSearchRecord       *record,
             MtProject      *project,
             const MtModel  *model,
             GError        **error)
{
  g_autoptr (GPtrArray) runs = mt_project_list_runs (project, error);
  g_autoptr (GArray) points = runs != NULL ? mt_project_list_points (project, 0, error) : NULL;

  if (points == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    {
      const MtProjectRun *from = g_ptr_array_index (runs, i);
      const MtSearchRecordRun run = { g_strdup (from->name), from->seed, from->state, read_device (project, from->id) };

      g_array_append_val (record->runs, run);
    }
  for (guint i = 0; i < points->len; i++)
    {
      const MtProjectPoint *from = &g_array_index (points, MtProjectPoint, i);
      const MtSearchRecordPoint point = { find_run (runs, from->run), from->literals, from->n_rules, from->cv_mean, from->cv_se,
                                    NAN };

      g_array_append_val (record->points, point);
      if ((from->marks & MT_MARK_SELECTED) != 0)
        record->chosen = (int) i;
      if ((from->marks & MT_MARK_RECOMMENDED) != 0)
        record->recommended = (int) i;
    }
  if (record->chosen < 0)
    record->chosen = record->recommended;
  return compare_runs (record, project, points, model, error);
}

MtSearchRecord *
mt_search_record_new_project (MtProject      *project,
                              const MtModel  *model,
                              GError        **error)
{
  g_autoptr (MtSearchRecord) record = mt_search_record_new ();
  g_autoptr (GError) failed = NULL;
  g_autoptr (MtProjectSource) source = mt_project_dup_source (project, &failed);

  if (failed == NULL && read_points (record, project, model, &failed))
    {
      record->source = source != NULL ? g_path_get_basename (source->uri) : NULL;
      record->dismissals = mt_project_list_dismissals (project, &failed);
      record->edits = failed == NULL ? mt_project_list_edits (project, &failed) : NULL;
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return NULL;
    }
  return g_steal_pointer (&record);
}
