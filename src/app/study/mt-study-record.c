/* What was tried in this window, and what was decided, for the report. See mt-study-record.h. */
#include "config.h"
#include "mt-study-record.h"

#include <math.h>

static int
compare_dismissals (gconstpointer a,
                    gconstpointer b)
{
  const MtProjectDismissal *x = *(MtProjectDismissal * const *) a, *y = *(MtProjectDismissal * const *) b;
  int order = g_strcmp0 (x->code, y->code);

  return order != 0 ? order : g_strcmp0 (x->column, y->column);
}

/* In an order that does not depend on a hash table. */
static GPtrArray *
list_dismissals (MtDecisions *decisions)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_project_dismissal_free);
  GHashTableIter iter;
  gpointer dismissal;

  g_hash_table_iter_init (&iter, decisions->dismissals);
  while (g_hash_table_iter_next (&iter, NULL, &dismissal))
    g_ptr_array_add (list, mt_project_dismissal_copy (dismissal));
  g_ptr_array_sort (list, compare_dismissals);
  return list;
}

static void
add_points (MtSearchRecord *record,
            MtStudy  *study,
            MtRun    *run)
{
  GPtrArray *items = mt_run_get_points (run);

  for (guint i = 0; i < items->len; i++)
    {
      MtFrontierItem *item = g_ptr_array_index (items, i);
      const MtFrontierPoint *point = mt_frontier_item_get_point (item);
      const MtSearchRecordPoint kept = { record->runs->len - 1, point->complexity, mt_frontier_item_get_n_rules (item),
                                   point->cv_mean, point->cv_se, point->train };

      if (item == mt_study_get_selected (study))
        record->chosen = (int) record->points->len;
      if (item == mt_study_get_recommended (study))
        record->recommended = (int) record->points->len;
      g_array_append_val (record->points, kept);
    }
}

/* As a file says it. */
static char *
describe_run (MtRun *run)
{
  const char *name = mt_run_get_name (run);
  g_autoptr (GString) text = g_string_new (name != NULL && *name != '\0' ? name : "this run");

  if (mt_run_tells_target (run) && mt_run_get_target (run) != NULL)
    g_string_append_printf (text, " (predicts %s)", mt_run_get_target (run));
  if (mt_run_is_earlier (run))
    g_string_append (text, " (earlier data)");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The points of the record are those of one frontier: of the target of the model one looks at, and of its data. */
static gboolean
belongs (MtStudy *study,
         MtRun   *run)
{
  MtFrontierItem *item = mt_study_get_selected (study);
  MtRun *own = item != NULL ? mt_frontier_item_get_run (item) : NULL;

  return own == NULL || (g_strcmp0 (mt_run_get_target (own), mt_run_get_target (run)) == 0 &&
                         g_strcmp0 (mt_run_get_data (own), mt_run_get_data (run)) == 0);
}

/* Found on the rows and folds of the recommended model's run; of a model of other rows they say nothing. */
static void
add_baselines (MtSearchRecord    *record,
               MtStudy           *study,
               const MtBaselines *found)
{
  MtFrontierItem *selected = mt_study_get_selected (study), *recommended = mt_study_get_recommended (study);

  if (found == NULL || selected == NULL || recommended == NULL ||
      (mt_frontier_item_get_run (selected) != mt_frontier_item_get_run (recommended) &&
       !mt_run_shares_rows (mt_frontier_item_get_run (selected), mt_frontier_item_get_run (recommended))))
    return;
  for (guint kind = 0; kind < MT_N_BASELINES; kind++)
    mt_baselines_get (found, kind, mt_frontier_item_get_point (selected)->complexity,
                      &record->baselines[record->n_baselines++]);
}

MtSearchRecord *
mt_study_make_record (MtStudy      *study,
                      MtDocument   *document,
                      MtBenchmarks *benchmarks)
{
  MtSearchRecord *record = mt_search_record_new ();
  GListModel *runs = mt_study_get_runs (study);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (MtRun) run = g_list_model_get_item (runs, i);
      const MtSearchRecordRun kept = { describe_run (run), mt_run_get_settings (run)->seed, mt_run_get_state (run),
                                 mt_run_device_copy (mt_run_get_device (run)) };

      g_array_append_val (record->runs, kept);
      if (belongs (study, run))
        add_points (record, study, run);
    }
  add_baselines (record, study, benchmarks != NULL ? mt_benchmarks_get (benchmarks) : NULL);
  record->source = mt_document_dup_title (document);
  record->dismissals = list_dismissals (mt_document_get_decisions (document));
  return record;
}
