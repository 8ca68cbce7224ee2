/* Back from a project: the runs with their points at once, their models when the project's thread has read
 * them, what is looked at first. */
#include "config.h"
#include "mt-study-store-private.h"

#include <math.h>

#include "mt-run-curves.h"
#include "mt-run-failure.h"

/* What a run's models are made of, read on the project's thread and handed out on ours. */
typedef struct {
  GWeakRef   study;
  MtRun     *run;
  GArray    *ids;         /* of gint64: its points, then its edited ones */
  GPtrArray *models;      /* of MtModel; NULL where one cannot be read */
  gint64     id;          /* of the run … */
  char      *curves;      /* … and how it went; NULL: not kept */
  char      *failure;     /* why it failed; NULL: it has not, or it is not known */
  char      *device;      /* what it computed on; NULL: not kept */
  gboolean   sure;        /* it is known which data it was learned from */
  GWeakRef   store;
  GArray    *edited;      /* of MtProjectPoint … */
  guint      edited_key;  /* … the first of which has this key here */
  GError    *damage;      /* of the first model that is damaged; NULL: none is */
} Reading;

/* The models of a run have one encoder: one copy of it is enough. Takes @model. */
static MtModel *
share_encoder (MtModel        *model,
               const MtModel  *first,
               GError        **error)
{
  g_autoptr (MtModel) taken = model;

  return mt_model_new ((MtEncoder *) mt_model_get_encoder (first), (MtRuleSet *) mt_model_get_rules (model),
                       mt_model_get_info (model), error);
}

/* The first one that could be read; NULL: none. */
static MtModel *
find_first (const Reading *reading)
{
  for (guint i = 0; i < reading->models->len; i++)
    if (reading->models->pdata[i] != NULL)
      return reading->models->pdata[i];
  return NULL;
}

static MtModel *
read_model (const Reading  *reading,
            MtProject      *project,
            gint64          id,
            GError        **error)
{
  g_autoptr (GBytes) bytes = mt_project_dup_model (project, id, error);
  MtModel *first = find_first (reading);
  MtModel *model = NULL;

  if (bytes != NULL)
    model = mt_model_from_json (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error);
  return model != NULL && first != NULL ? share_encoder (model, first, error) : model;
}

static gboolean
is_damage (const GError *error)
{
  return error->domain == MT_ERROR && error->code != MT_ERROR_LOCKED && error->code != MT_ERROR_CHANGED;
}

/* A damaged model is left out and reported. As a failure of the project it would stop all saving, and ask the user to free
 * up space. */
static gboolean
read_models (MtProject  *project,
             gpointer    data,
             GError    **error)
{
  Reading *reading = data;
  g_autofree char *key = mt_study_curves_key (reading->id);
  g_autofree char *failure_key = mt_study_failure_key (reading->id);
  g_autofree char *device_key = mt_study_device_key (reading->id);

  g_ptr_array_set_size (reading->models, 0);   /* of a try that failed */
  g_clear_error (&reading->damage);
  g_free (reading->curves);
  reading->curves = mt_project_dup_text (project, MT_PROJECT_STATE, key, NULL);
  g_free (reading->failure);
  reading->failure = mt_project_dup_text (project, MT_PROJECT_STATE, failure_key, NULL);
  g_free (reading->device);
  reading->device = mt_project_dup_text (project, MT_PROJECT_STATE, device_key, NULL);
  for (guint i = 0; i < reading->ids->len; i++)
    {
      g_autoptr (GError) wrong = NULL;
      MtModel *model = read_model (reading, project, g_array_index (reading->ids, gint64, i), &wrong);

      if (model == NULL && !is_damage (wrong))
        {
          g_propagate_error (error, g_steal_pointer (&wrong));
          return FALSE;
        }
      if (model == NULL && reading->damage == NULL)
        reading->damage = g_steal_pointer (&wrong);
      g_ptr_array_add (reading->models, model);
    }
  return TRUE;
}

static void
unref_model (gpointer model)
{
  if (model != NULL)
    mt_model_unref (model);
}

/* It was made from the point with as many literals as its history begins with. */
static void
take_edited (MtStudyStore         *self,
             MtStudy              *study,
             MtRun                *run,
             MtModel              *model,
             const MtProjectPoint *from,
             guint                 key,
             double                train)
{
  const MtModelInfo *info = mt_model_get_info (model);
  MtFrontierItem *origin = NULL;
  MtFrontierPoint point = { from->literals, from->cv_mean, from->cv_se, train, (MtRuleSet *) mt_model_get_rules (model) };
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (MtFrontierItem) item = NULL;

  for (guint i = 0; info->n_edits > 0 && i < mt_run_get_points (run)->len; i++)
    if (mt_frontier_item_get_point (mt_run_get_points (run)->pdata[i])->complexity == info->edits[0].literals_before)
      origin = mt_run_get_points (run)->pdata[i];
  if (origin == NULL)
    return;
  history = mt_edit_history_new (mt_frontier_item_get_point (origin)->rules, info->edits, info->n_edits);
  item = mt_frontier_item_new_edited (origin, &point, history);
  _mt_study_store_set_edited_key (self, item, key);
  mt_study_add_edited (study, item);
  if (from->marks & MT_MARK_SELECTED && !mt_frontier_item_is_apart (item))
    mt_study_set_selected (study, item);
}

/* What all models of a run share. Older projects do not say of a run which data it had, but of its models. */
static void
take_first (Reading      *reading,
            MtStudyStore *store,
            MtModel      *model)
{
  const char *sha256 = mt_model_get_info (model)->data_sha256;

  mt_run_set_encoder (reading->run, (MtEncoder *) mt_model_get_encoder (model));
  mt_run_set_regression (reading->run, mt_model_get_task (model) == MT_TASK_REGRESSION);
  if (store != NULL && !reading->sure && sha256 != NULL && *sha256 != '\0')
    mt_run_set_data (reading->run, sha256, mt_import_get_sha256 (store->import));
}

/* On the main thread, when it has been read or never will be. */
static void
take_models (gpointer data)
{
  Reading *reading = data;
  g_autoptr (MtStudy) study = g_weak_ref_get (&reading->study);
  g_autoptr (MtStudyStore) store = g_weak_ref_get (&reading->store);
  g_autoptr (MtRunDevice) device = mt_run_device_from_json (reading->device);
  guint n_learned = reading->ids->len - reading->edited->len;
  MtModel *first = find_first (reading);

  for (guint i = 0; study != NULL && i < reading->models->len; i++)
    {
      MtModel *model = reading->models->pdata[i];
      double train = NAN;

      if (model == NULL)
        continue;
      mt_model_get_metric (model, "train", mt_model_get_task (model) == MT_TASK_REGRESSION ? MT_METRIC_R2
                                                                                           : MT_METRIC_AUC, &train);
      if (i >= n_learned)
        {
          if (store != NULL)
            take_edited (store, study, reading->run, model,
                         &g_array_index (reading->edited, MtProjectPoint, i - n_learned),
                         reading->edited_key + i - n_learned, train);
          continue;
        }
      mt_frontier_item_set_rules (mt_run_get_points (reading->run)->pdata[i],
                                  (MtRuleSet *) mt_model_get_rules (model), train);
      mt_frontier_item_set_kept (mt_run_get_points (reading->run)->pdata[i], model);
      if (model == first)
        take_first (reading, store, model);
    }
  if (study != NULL && reading->curves != NULL && !mt_run_curves_from_text (reading->run, reading->curves))
    g_debug ("the curves of a run cannot be read");
  else if (study != NULL && n_learned > 0 && first != NULL)
    mt_run_select_again (reading->run, (gsize) mt_model_get_info (first)->n_train);
  if (study != NULL && mt_run_get_error (reading->run) != NULL)
    {
      g_autoptr (GError) why = mt_run_failure_from_text (reading->failure, mt_run_get_error (reading->run)->message);

      mt_run_set_error (reading->run, why);
    }
  if (study != NULL && device != NULL)
    mt_run_set_device (reading->run, device);
  mt_run_set_being_read (reading->run, FALSE);
  if (study != NULL)
    mt_study_refresh (study);
  if (store != NULL && store->project != NULL && reading->damage != NULL)
    mt_project_file_tell_damage (store->project, reading->damage);
  g_clear_error (&reading->damage);
  g_free (reading->curves);
  g_free (reading->failure);
  g_free (reading->device);
  g_weak_ref_clear (&reading->study);
  g_weak_ref_clear (&reading->store);
  g_object_unref (reading->run);
  g_array_unref (reading->edited);
  g_array_unref (reading->ids);
  g_ptr_array_unref (reading->models);
  g_free (reading);
}

/* @tables: by the hash of their roles, so that runs which had one table have one again */
static MtTable *
share_table (MtTable    *table,
             GHashTable *columns,
             const char *hash,
             GHashTable *tables)
{
  MtTable *own = hash != NULL ? g_hash_table_lookup (tables, hash) : NULL;

  if (own != NULL)
    return mt_table_ref (own);
  own = mt_run_record_dup_table (table, hash != NULL ? g_hash_table_lookup (columns, hash) : NULL);
  if (hash != NULL)
    g_hash_table_insert (tables, g_strdup (hash), mt_table_ref (own));
  return own;
}

static MtRun *
restore_run (const MtProjectRun     *from,
             const MtProjectContent *content,
             MtTable                *table,
             const char             *sha256,
             GHashTable             *tables,
             gboolean               *sure)
{
  g_autoptr (MtTable) own = NULL;
  g_autofree char *hash = NULL;
  g_autofree char *data = NULL;
  MtRunSettings settings;
  MtRun *run;

  mt_run_record_read (from, content->sweep, &settings, &hash, &data);
  own = share_table (table, content->columns, hash, tables);
  run = mt_run_new_restored (own, &settings, from->state == MT_RUN_QUEUED ? MT_RUN_STOPPED : from->state,
                             from->message, from->seconds);
  *sure = data != NULL;
  mt_run_set_data (run, *sure ? data : content->sha256, sha256);
  return run;
}

void
_mt_study_store_restore (MtStudyStore           *self,
                         MtTable                *table,
                         const MtProjectContent *content)
{
  g_autoptr (GPtrArray) readings = g_ptr_array_new ();
  g_autoptr (GHashTable) tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) mt_table_unref);
  MtFrontierItem *selected = NULL, *pins[2] = { NULL, NULL };
  guint n_ahead = 0;

  for (guint i = 0; i < content->runs->len; i++)
    {
      const MtProjectRun *from = content->runs->pdata[i];
      gboolean sure, is_first;
      g_autoptr (MtRun) run = restore_run (from, content, table, mt_import_get_sha256 (self->import), tables, &sure);
      MtStudyEntry *entry = _mt_study_store_add_entry (self, run);
      Reading *reading = g_new0 (Reading, 1);

      g_weak_ref_init (&reading->study, self->study);
      g_weak_ref_init (&reading->store, self);
      reading->edited = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint));
      reading->edited_key = self->last_key + 1;
      reading->run = g_object_ref (run);
      reading->id = from->id;
      reading->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
      reading->models = g_ptr_array_new_with_free_func (unref_model);
      mt_study_ids_set_run (self->ids, entry->key, from->id);
      for (guint j = 0; j < content->points->len; j++)
        {
          const MtProjectPoint *point = &g_array_index (content->points, MtProjectPoint, j);
          const MtFrontierPoint to = { point->literals, point->cv_mean, point->cv_se, NAN, NULL };
          MtFrontierItem *item;

          if (point->run != from->id)
            continue;
          if (point->marks & MT_MARK_EDITED)
            {
              g_array_append_val (reading->edited, *point);
              continue;
            }
          item = mt_run_add_point (run, &to, point->n_rules, (point->marks & MT_MARK_RECOMMENDED) != 0);
          if (point->marks & MT_MARK_SELECTED)
            selected = item;
          for (guint p = 0; p < 2; p++)
            if (point->marks & (p == 0 ? MT_MARK_PINNED_A : MT_MARK_PINNED_B))
              {
                pins[p] = item;
                self->pinned[p] = (MtStudyMarked) { entry->key, mt_run_get_points (run)->len - 1, MT_MARK_NONE };
              }
          if (entry->first == NULL)
            entry->first = g_object_ref (item);
          mt_study_ids_add_point (self->ids, entry->key, point->id);
          g_array_append_val (reading->ids, point->id);
        }
      for (guint j = 0; j < reading->edited->len; j++)
        {
          gint64 id = g_array_index (reading->edited, MtProjectPoint, j).id;

          g_array_append_val (reading->ids, id);
          mt_study_ids_set_edited (self->ids, reading->edited_key + j, id);
        }
      self->last_key += reading->edited->len;
      reading->sure = sure;
      mt_run_set_being_read (run, reading->ids->len > 0);
      if (mt_run_get_points (run)->len == 0)   /* whatever it will find is found in what is there now */
        mt_run_set_data (run, mt_import_get_sha256 (self->import), mt_import_get_sha256 (self->import));
      mt_study_add_restored (self->study, run);
      /* What is looked at first is read first, and then what may go on. */
      is_first = selected != NULL && mt_frontier_item_get_run (selected) == run;
      g_ptr_array_insert (readings, is_first ? 0 : mt_run_can_resume (run) ? (int) n_ahead : (int) readings->len, reading);
      n_ahead += is_first || mt_run_can_resume (run);
    }
  mt_study_show_restored (self->study, selected);
  mt_study_set_pins (self->study, pins[0], pins[1]);
  for (guint i = 0; i < readings->len; i++)
    mt_project_file_push (self->project, read_models, readings->pdata[i], take_models);
}
