/* A run has a key here from the moment it is seen; which id it and its points have in the project is
 * known to the project's thread alone. */
#include "config.h"
#include "mt-study-store.h"

#include "mt-edited-point.h"

#include <math.h>
#include <string.h>

#include "mt-run-curves.h"

/* The project thread's. */
typedef struct {
  gatomicrefcount  ref_count;
  GHashTable      *runs;        /* key → gint64 */
  GHashTable      *points;      /* key → GArray of gint64 */
  GHashTable      *edited;      /* key of an edited point → gint64 */
} Ids;

typedef struct {
  guint      key;
  MtRun     *run;
  gulong     handler;
  MtRunState stored;            /* the state that the project knows of … */
  gboolean   has_points;        /* … and whether it has the points */
} Entry;

/* A point, by its run's key and its place there; an edited one by its own. */
typedef struct {
  guint  key;                   /* 0: none */
  guint  index;
  MtMark mark;                  /* MT_MARK_NONE: it has lost one */
  guint  edited;                /* key of an edited point; 0: it is none */
} Marked;

#define MOST_MARKED 6           /* recommended, selected, two pinned, two that were */

struct _MtStudyStore {
  GObject        parent_instance;

  MtStudy       *study;
  MtProjectFile *project;
  MtImport      *import;
  Ids           *ids;
  GPtrArray     *entries;       /* of Entry, as the study has the runs */
  guint          last_key;
  GHashTable    *edited;        /* MtFrontierItem, held → its key */
  gboolean       restoring;     /* what happens comes from the project */
  Marked         pinned[2];     /* as the project knows it */
};

G_DEFINE_FINAL_TYPE (MtStudyStore, mt_study_store, G_TYPE_OBJECT)

static Ids *
ids_ref (Ids *ids)
{
  g_atomic_ref_count_inc (&ids->ref_count);
  return ids;
}

static void
ids_unref (Ids *ids)
{
  if (!g_atomic_ref_count_dec (&ids->ref_count))
    return;
  g_hash_table_unref (ids->runs);
  g_hash_table_unref (ids->points);
  g_hash_table_unref (ids->edited);
  g_free (ids);
}

static gint64
ids_get_run (Ids   *ids,
             guint  key)
{
  const gint64 *id = g_hash_table_lookup (ids->runs, GUINT_TO_POINTER (key));

  return id != NULL ? *id : 0;
}

static gint64
ids_get_point (Ids   *ids,
               guint  key,
               guint  index)
{
  GArray *points = g_hash_table_lookup (ids->points, GUINT_TO_POINTER (key));

  return points != NULL && index < points->len ? g_array_index (points, gint64, index) : 0;
}

static void
ids_set_run (Ids    *ids,
             guint   key,
             gint64  id)
{
  g_hash_table_insert (ids->runs, GUINT_TO_POINTER (key), g_memdup2 (&id, sizeof id));
}

static void
ids_add_point (Ids    *ids,
               guint   key,
               gint64  id)
{
  GArray *points = g_hash_table_lookup (ids->points, GUINT_TO_POINTER (key));

  if (points == NULL)
    {
      points = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (ids->points, GUINT_TO_POINTER (key), points);
    }
  g_array_append_val (points, id);
}

static gint64
ids_get_edited (Ids   *ids,
                guint  key)
{
  const gint64 *id = g_hash_table_lookup (ids->edited, GUINT_TO_POINTER (key));

  return id != NULL ? *id : 0;
}

static void
ids_set_edited (Ids    *ids,
                guint   key,
                gint64  id)
{
  g_hash_table_insert (ids->edited, GUINT_TO_POINTER (key), g_memdup2 (&id, sizeof id));
}

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_clear_signal_handler (&entry->handler, entry->run);
  g_object_unref (entry->run);
  g_free (entry);
}

/* --- what is pushed: one struct for all of it --- */

typedef struct {
  Ids           *ids;
  guint          key;
  char          *name;
  char          *settings;        /* JSON */
  guint64        seed;
  char          *columns_key;     /* and value: the roles of the table */
  char          *columns;
  MtRunState     state;
  char          *message;
  double         seconds;
  MtBasis       *basis;
  MtImport      *import;
  MtRunSettings  run_settings;
  GArray        *points;          /* of MtFrontierPoint, rules held */
  char          *curves;
  Marked         marked[MOST_MARKED];
  guint          gone_key, come_key, origin;      /* edited points that go and come; the origin among the run's */
  MtEditedPoint *gone, *come;
} Change;

static void
clear_point (gpointer point)
{
  mt_rule_set_unref (((MtFrontierPoint *) point)->rules);
}

static void
change_free (gpointer data)
{
  Change *change = data;

  ids_unref (change->ids);
  g_free (change->name);
  g_free (change->settings);
  g_free (change->columns_key);
  g_free (change->columns);
  g_free (change->message);
  g_free (change->curves);
  g_clear_pointer (&change->basis, mt_basis_unref);
  g_clear_pointer (&change->import, mt_import_unref);
  g_clear_pointer (&change->points, g_array_unref);
  mt_edited_point_free (change->gone);
  mt_edited_point_free (change->come);
  g_free (change);
}

static Change *
change_new (MtStudyStore *self,
            Entry        *entry)
{
  Change *change = g_new0 (Change, 1);

  change->ids = ids_ref (self->ids);
  if (entry != NULL)
    {
      change->key = entry->key;
      change->state = mt_run_get_state (entry->run);
      change->seconds = mt_run_get_elapsed (entry->run);
      change->message = g_strdup (mt_run_get_error (entry->run) != NULL ? mt_run_get_error (entry->run)->message : "");
    }
  return change;
}

/* --- on the project's thread --- */

static gboolean
add_run (MtProject  *project,
         gpointer    data,
         GError    **error)
{
  Change *change = data;
  gint64 id;

  if (!mt_project_begin (project, error) ||
      !mt_project_set_text (project, MT_PROJECT_SETTING, change->columns_key, change->columns, error))
    return FALSE;
  id = mt_project_add_run (project, change->name, change->settings, change->seed, error);
  if (id == 0)
    return FALSE;
  ids_set_run (change->ids, change->key, id);
  return mt_project_commit (project, error);
}

static gboolean
set_state (MtProject  *project,
           gpointer    data,
           GError    **error)
{
  Change *change = data;

  return mt_project_set_run_state (project, ids_get_run (change->ids, change->key), change->state, change->message,
                                   change->seconds, error);
}

/* The models as the files they could be saved as. */
static gboolean
make_models (Change     *change,
             GPtrArray  *models,
             GArray     *points,
             GError    **error)
{
  const MtLearned learned = {
    .target = change->basis->target, .encoder = change->basis->encoder, .encoded = change->basis->encoded,
    .rows = change->basis->rows, .frontier = change->basis->frontier,
  };
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (&change->run_settings);
  gsize n_test = change->basis->test != NULL ? change->basis->test->len : 0;
  MtLearnOptions options;

  mt_run_settings_to_learn (&change->run_settings, &options);
  options.constraints = constraints;
  for (guint i = 0; i < change->points->len; i++)
    {
      const MtFrontierPoint *point = &g_array_index (change->points, MtFrontierPoint, i);
      const MtProjectPoint kept = { 0, 0, point->complexity, mt_rule_set_get_n_rules (point->rules), point->cv_mean,
                                    point->cv_se, MT_MARK_NONE };
      g_autoptr (MtModel) model = mt_learned_make_model (&learned, point, &options, change->import, n_test, NAN, NULL,
                                                         error);
      char *json;
      gsize length;

      if (model == NULL)
        return FALSE;
      json = mt_model_to_json (model, &length);
      g_ptr_array_add (models, g_bytes_new_take (json, length));
      g_array_append_val (points, kept);
    }
  return TRUE;
}

static char *
curves_key (gint64 run)
{
  return g_strdup_printf (MT_PROJECT_KEY_CURVES "%" G_GINT64_FORMAT, run);
}

static gboolean
set_curves (MtProject  *project,
            Change     *change,
            GError    **error)
{
  g_autofree char *key = curves_key (ids_get_run (change->ids, change->key));

  return mt_project_set_text (project, MT_PROJECT_STATE, key, change->curves, error);
}

static gboolean
finish_run (MtProject  *project,
            gpointer    data,
            GError    **error)
{
  Change *change = data;
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint));

  if (!make_models (change, models, points, error) ||
      !mt_project_begin (project, error) ||
      !mt_project_add_points (project, ids_get_run (change->ids, change->key),
                              (MtProjectPoint *) (gpointer) points->data, (GBytes * const *) models->pdata, points->len,
                              error) ||
      !set_state (project, change, error) ||
      !set_curves (project, change, error) ||
      !mt_project_commit (project, error))
    return FALSE;
  for (guint i = 0; i < points->len; i++)
    ids_add_point (change->ids, change->key, g_array_index (points, MtProjectPoint, i).id);
  return TRUE;
}

/* A point may have several marks, and what it has is written at once. */
static gboolean
set_marks (MtProject  *project,
           gpointer    data,
           GError    **error)
{
  Change *change = data;
  gint64 ids[MOST_MARKED];

  for (guint i = 0; i < MOST_MARKED; i++)
    ids[i] = change->marked[i].edited != 0
             ? ids_get_edited (change->ids, change->marked[i].edited)
             : ids_get_point (change->ids, change->marked[i].key, change->marked[i].index);
  if (!mt_project_begin (project, error))
    return FALSE;
  for (guint i = 0; i < MOST_MARKED; i++)
    {
      MtMark marks = MT_MARK_NONE;
      gboolean done = ids[i] == 0;

      for (guint j = 0; j < MOST_MARKED; j++)
        {
          done |= j < i && ids[j] == ids[i];
          if (ids[j] == ids[i])
            marks |= change->marked[j].mark | (change->marked[j].edited != 0 ? MT_MARK_EDITED : MT_MARK_NONE);
        }
      if (!done && !mt_project_set_marks (project, ids[i], marks, error))
        return FALSE;
    }
  return mt_project_commit (project, error);
}

/* One edited point for another: an edit, or one undone, which has the shorter history. */
static gboolean
change_edited (MtProject  *project,
               gpointer    data,
               GError    **error)
{
  Change *change = data;
  gint64 gone = ids_get_edited (change->ids, change->gone_key), come = 0;
  gint64 run = ids_get_run (change->ids, change->key);
  gint64 origin = ids_get_point (change->ids, change->key, change->origin);
  gboolean undone = change->come == NULL ||
                    (change->gone != NULL && mt_edit_history_get_n (change->come->history) <
                                             mt_edit_history_get_n (change->gone->history));

  if (!mt_project_begin (project, error) || (gone != 0 && !mt_project_remove_point (project, gone, error)))
    return FALSE;
  if (change->come != NULL && run != 0 && origin != 0)
    {
      come = mt_edited_point_add (change->come, project, run, origin, error);
      if (come == 0)
        return FALSE;
    }
  if (!mt_edited_point_log (undone ? change->gone : change->come, project, undone, error) ||
      !mt_project_commit (project, error))
    return FALSE;
  g_hash_table_remove (change->ids->edited, GUINT_TO_POINTER (change->gone_key));
  if (come != 0)
    ids_set_edited (change->ids, change->come_key, come);
  return TRUE;
}

/* --- what happens in the study --- */

/* What the run saw: names, types and roles of all columns. */
static char *
describe_columns (MtTable *table)
{
  g_autoptr (MtSchema) schema = mt_schema_new ();

  for (guint i = 0; i < mt_table_get_n_columns (table); i++)
    {
      const MtColumn *column = mt_table_get_column (table, i);

      mt_schema_set_type (schema, mt_column_get_name (column), mt_column_get_type (column));
      mt_schema_set_role (schema, mt_column_get_name (column), mt_table_get_role (table, i));
    }
  return mt_schema_to_json (schema);
}

static void
push_run (MtStudyStore *self,
          Entry        *entry)
{
  Change *change = change_new (self, entry);
  g_autofree char *hash = NULL;
  MtJsonWriter *json = mt_json_writer_new ();

  change->columns = describe_columns (mt_run_get_table (entry->run));
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, change->columns, -1);
  change->columns_key = g_strconcat (MT_PROJECT_KEY_COLUMNS, hash, NULL);
  mt_json_writer_begin_object (json);
  mt_run_settings_write (mt_run_get_settings (entry->run), json);
  mt_json_writer_key (json, "columns");
  mt_json_writer_string (json, hash);
  mt_json_writer_end_object (json);
  change->settings = mt_json_writer_finish (json, NULL);
  change->name = g_strdup (mt_run_get_name (entry->run));
  change->seed = mt_run_get_settings (entry->run)->seed;
  mt_project_file_push (self->project, add_run, change, change_free);
  entry->stored = MT_RUN_QUEUED;
}

static gboolean
has_models (MtRun *run)
{
  GPtrArray *points = mt_run_get_points (run);

  return points->len > 0 && mt_run_get_basis (run) != NULL && mt_run_get_basis (run)->frontier != NULL;
}

static void
push_state (MtStudyStore *self,
            Entry        *entry)
{
  gboolean points = !entry->has_points && has_models (entry->run);
  Change *change;

  if (mt_run_get_state (entry->run) == entry->stored && !points)
    return;
  entry->stored = mt_run_get_state (entry->run);
  change = change_new (self, entry);
  if (!points)
    {
      mt_project_file_push (self->project, set_state, change, change_free);
      return;
    }
  entry->has_points = TRUE;
  change->basis = mt_basis_ref (mt_run_get_basis (entry->run));
  change->import = mt_import_ref (self->import);
  change->run_settings = *mt_run_get_settings (entry->run);
  change->points = g_array_new (FALSE, FALSE, sizeof (MtFrontierPoint));
  g_array_set_clear_func (change->points, clear_point);
  for (guint i = 0; i < mt_run_get_points (entry->run)->len; i++)
    {
      MtFrontierPoint point = *mt_frontier_item_get_point (mt_run_get_points (entry->run)->pdata[i]);

      mt_rule_set_ref (point.rules);
      g_array_append_val (change->points, point);
    }
  change->curves = mt_run_curves_to_text (entry->run);
  mt_project_file_push (self->project, finish_run, change, change_free);
}

static guint
get_edited_key (MtStudyStore   *self,
                MtFrontierItem *item)
{
  return item != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->edited, item)) : 0;
}

static Marked
find_point (MtStudyStore   *self,
            MtFrontierItem *item,
            MtMark          mark)
{
  Marked marked = { 0, 0, mark, get_edited_key (self, item) };

  for (guint i = 0; item != NULL && i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      if (entry->run == mt_frontier_item_get_run (item) &&
          g_ptr_array_find (mt_run_get_points (entry->run), item, &marked.index))
        marked.key = entry->key;
    }
  return marked;
}

static void
set_edited_key (MtStudyStore   *self,
                MtFrontierItem *item,
                guint           key)
{
  g_hash_table_insert (self->edited, g_object_ref (item), GUINT_TO_POINTER (key));
}

static MtEditedPoint *
make_edited (MtFrontierItem *item)
{
  MtRun *run = mt_frontier_item_get_run (item);

  return mt_edited_point_new (run != NULL ? mt_run_get_basis (run) : NULL, mt_frontier_item_get_point (item),
                              mt_frontier_item_get_history (item));
}

static void
on_edited (MtStudyStore   *self,
           MtFrontierItem *gone,
           MtFrontierItem *come)
{
  Change *change;
  Marked origin;

  if (self->restoring || (gone == NULL && come == NULL))
    return;
  origin = find_point (self, mt_frontier_item_get_origin (come != NULL ? come : gone), MT_MARK_NONE);
  if (origin.key == 0)
    return;
  change = change_new (self, NULL);
  change->key = origin.key;
  change->origin = origin.index;
  if (gone != NULL)
    {
      change->gone = make_edited (gone);
      change->gone_key = get_edited_key (self, gone);
      g_hash_table_remove (self->edited, gone);
    }
  if (come != NULL)
    {
      change->come = make_edited (come);
      change->come_key = ++self->last_key;
      set_edited_key (self, come, change->come_key);
    }
  mt_project_file_push (self->project, change_edited, change, change_free);
}

static void
keep_marks (MtStudyStore *self)
{
  Change *change;

  if (self->restoring)
    return;
  change = change_new (self, NULL);
  change->marked[0] = find_point (self, mt_study_get_selected (self->study), MT_MARK_SELECTED);
  change->marked[1] = find_point (self, mt_study_get_recommended (self->study), MT_MARK_RECOMMENDED);
  for (guint p = 0; p < 2; p++)
    {
      change->marked[2 + p] = find_point (self, mt_study_get_pin (self->study, p),
                                          p == 0 ? MT_MARK_PINNED_A : MT_MARK_PINNED_B);
      change->marked[4 + p] = self->pinned[p];
      self->pinned[p] = change->marked[2 + p];
      self->pinned[p].mark = MT_MARK_NONE;
    }
  mt_project_file_push (self->project, set_marks, change, change_free);
}

static void
on_run_changed (MtStudyStore *self,
                MtRun        *run)
{
  for (guint i = 0; !self->restoring && i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      if (entry->run == run)
        {
          gboolean before = entry->has_points;

          push_state (self, entry);
          if (entry->has_points && !before)
            keep_marks (self);   /* what was selected when it was not yet known */
        }
    }
}

static Entry *
add_entry (MtStudyStore *self,
           MtRun        *run)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->key = ++self->last_key;
  entry->run = g_object_ref (run);
  entry->stored = mt_run_get_state (run);
  entry->handler = g_signal_connect_swapped (run, "changed", G_CALLBACK (on_run_changed), self);
  g_ptr_array_add (self->entries, entry);
  return entry;
}

static void
on_runs_changed (MtStudyStore *self,
                 guint         position,
                 guint         removed,
                 guint         added)
{
  GListModel *runs = mt_study_get_runs (self->study);

  if (removed > 0)
    g_ptr_array_remove_range (self->entries, position, removed);
  for (guint i = 0; i < added && !self->restoring; i++)
    {
      g_autoptr (MtRun) run = g_list_model_get_item (runs, position + i);

      push_run (self, add_entry (self, run));
    }
}

/* --- back from a project --- */

/* What a run's models are made of, read on the project's thread and handed out on ours. */
typedef struct {
  GWeakRef   study;
  MtRun     *run;
  GArray    *ids;         /* of gint64: its points, then its edited ones */
  GPtrArray *models;      /* of MtModel; NULL where one cannot be read */
  gint64     id;          /* of the run … */
  char      *curves;      /* … and how it went; NULL: not kept */
  GWeakRef   store;
  GArray    *edited;      /* of MtProjectPoint … */
  guint      edited_key;  /* … the first of which has this key here */
} Reading;

static gboolean
read_models (MtProject  *project,
             gpointer    data,
             GError    **error)
{
  Reading *reading = data;
  g_autofree char *key = curves_key (reading->id);

  reading->curves = mt_project_dup_text (project, MT_PROJECT_STATE, key, NULL);
  for (guint i = 0; i < reading->ids->len; i++)
    {
      g_autoptr (GBytes) bytes = mt_project_dup_model (project, g_array_index (reading->ids, gint64, i), error);

      if (bytes == NULL)
        return FALSE;
      g_ptr_array_add (reading->models, mt_model_from_json (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                                            error));
      if (reading->models->pdata[i] == NULL)
        return FALSE;
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
  set_edited_key (self, item, key);
  mt_study_add_edited (study, item);
  if (from->marks & MT_MARK_SELECTED)
    mt_study_set_selected (study, item);
}

/* On the main thread, when it has been read or never will be. */
static void
take_models (gpointer data)
{
  Reading *reading = data;
  g_autoptr (MtStudy) study = g_weak_ref_get (&reading->study);
  g_autoptr (MtStudyStore) store = g_weak_ref_get (&reading->store);
  guint n_learned = reading->ids->len - reading->edited->len;

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
      if (i == 0)
        mt_run_set_encoder (reading->run, (MtEncoder *) mt_model_get_encoder (model));
    }
  if (study != NULL && reading->curves != NULL && !mt_run_curves_from_text (reading->run, reading->curves))
    g_debug ("the curves of a run cannot be read");
  if (study != NULL)
    mt_study_refresh (study);
  g_free (reading->curves);
  g_weak_ref_clear (&reading->study);
  g_weak_ref_clear (&reading->store);
  g_object_unref (reading->run);
  g_array_unref (reading->edited);
  g_array_unref (reading->ids);
  g_ptr_array_unref (reading->models);
  g_free (reading);
}

/* The table with the roles that it had when the run was made; @table when they are the same, or unknown. */
static MtTable *
table_of_run (MtTable    *table,
              GHashTable *columns,
              const char *hash)
{
  const char *text = hash != NULL ? g_hash_table_lookup (columns, hash) : NULL;
  g_autoptr (MtSchema) schema = text != NULL ? mt_schema_from_json (text, -1, NULL) : NULL;
  guint n = mt_table_get_n_columns (table);
  g_autofree MtColumnRole *roles = g_new (MtColumnRole, MAX (n, 1));
  g_autofree const char **reasons = g_new0 (const char *, MAX (n, 1));
  gboolean same = TRUE;

  for (guint i = 0; schema != NULL && i < n; i++)
    {
      if (!mt_schema_get_role (schema, mt_column_get_name (mt_table_get_column (table, i)), &roles[i]))
        roles[i] = MT_ROLE_IGNORED;
      reasons[i] = mt_table_get_reason (table, i);
      same = same && roles[i] == mt_table_get_role (table, i);
    }
  return schema == NULL || same ? mt_table_ref (table) : mt_table_with_roles (table, roles, reasons);
}

static MtRun *
restore_run (const MtProjectRun     *from,
             const MtProjectContent *content,
             MtTable                *table)
{
  g_autoptr (MtJson) json = mt_json_parse (from->settings, -1, NULL);
  const MtJson *hash = json != NULL && mt_json_get_kind (json) == MT_JSON_OBJECT ? mt_json_find (json, "columns")
                                                                                 : NULL;
  g_autoptr (MtTable) own = table_of_run (table, content->columns,
                                          hash != NULL && mt_json_get_kind (hash) == MT_JSON_STRING
                                          ? mt_json_get_string (hash) : NULL);
  MtRunSettings settings;

  /* The command line names less, and keeps all rows. */
  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  if (hash == NULL)
    settings.test_fraction = 0;
  if (json != NULL)
    mt_run_settings_read (&settings, json, NULL);
  settings.seed = (guint) from->seed;
  return mt_run_new_restored (own, &settings, from->state == MT_RUN_QUEUED ? MT_RUN_STOPPED : from->state,
                              from->message, from->seconds);
}

static void
restore (MtStudyStore           *self,
         MtTable                *table,
         const MtProjectContent *content)
{
  g_autoptr (GPtrArray) readings = g_ptr_array_new ();
  MtFrontierItem *selected = NULL, *pins[2] = { NULL, NULL };

  for (guint i = 0; i < content->runs->len; i++)
    {
      const MtProjectRun *from = content->runs->pdata[i];
      g_autoptr (MtRun) run = restore_run (from, content, table);
      Entry *entry = add_entry (self, run);
      Reading *reading = g_new0 (Reading, 1);

      g_weak_ref_init (&reading->study, self->study);
      g_weak_ref_init (&reading->store, self);
      reading->edited = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint));
      reading->edited_key = self->last_key + 1;
      reading->run = g_object_ref (run);
      reading->id = from->id;
      reading->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
      reading->models = g_ptr_array_new_with_free_func (unref_model);
      ids_set_run (self->ids, entry->key, from->id);
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
                self->pinned[p] = (Marked) { entry->key, mt_run_get_points (run)->len - 1, MT_MARK_NONE };
              }
          entry->has_points = TRUE;
          ids_add_point (self->ids, entry->key, point->id);
          g_array_append_val (reading->ids, point->id);
        }
      for (guint j = 0; j < reading->edited->len; j++)
        {
          gint64 id = g_array_index (reading->edited, MtProjectPoint, j).id;

          g_array_append_val (reading->ids, id);
          ids_set_edited (self->ids, reading->edited_key + j, id);
        }
      self->last_key += reading->edited->len;
      mt_study_add_restored (self->study, run);
      /* What is looked at first is read first. */
      g_ptr_array_insert (readings, selected != NULL && mt_frontier_item_get_run (selected) == run
                                    ? 0 : (int) readings->len, reading);
    }
  mt_study_show_restored (self->study, selected);
  mt_study_set_pins (self->study, pins[0], pins[1]);
  for (guint i = 0; i < readings->len; i++)
    mt_project_file_push (self->project, read_models, readings->pdata[i], take_models);
}

/* --- object --- */

static void
mt_study_store_finalize (GObject *object)
{
  MtStudyStore *self = MT_STUDY_STORE (object);

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->edited, g_hash_table_unref);
  g_clear_object (&self->study);
  g_clear_object (&self->project);
  g_clear_pointer (&self->import, mt_import_unref);
  g_clear_pointer (&self->ids, ids_unref);
  G_OBJECT_CLASS (mt_study_store_parent_class)->finalize (object);
}

static void
mt_study_store_class_init (MtStudyStoreClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_study_store_finalize;
}

static void
mt_study_store_init (MtStudyStore *self)
{
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->ids = g_new0 (Ids, 1);
  g_atomic_ref_count_init (&self->ids->ref_count);
  self->ids->runs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->edited = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->ids->edited = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->ids->points = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
}

MtStudyStore *
mt_study_store_new (MtStudy                *study,
                    MtProjectFile          *project,
                    MtTable                *table,
                    MtImport               *import,
                    const MtProjectContent *content)
{
  MtStudyStore *self = g_object_new (MT_TYPE_STUDY_STORE, NULL);
  GListModel *runs = mt_study_get_runs (study);

  self->study = g_object_ref (study);
  self->project = g_object_ref (project);
  self->import = mt_import_ref (import);
  self->restoring = TRUE;
  if (content != NULL)
    restore (self, table, content);
  self->restoring = FALSE;
  for (guint i = 0; content == NULL && i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (MtRun) run = g_list_model_get_item (runs, i);
      Entry *entry = add_entry (self, run);

      push_run (self, entry);
      push_state (self, entry);
    }
  for (guint i = 0; content == NULL && i < mt_study_get_edited (study)->len; i++)
    on_edited (self, NULL, mt_study_get_edited (study)->pdata[i]);
  g_signal_connect_object (study, "edited", G_CALLBACK (on_edited), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (runs, "items-changed", G_CALLBACK (on_runs_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "notify::selected", G_CALLBACK (keep_marks), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "pins-changed", G_CALLBACK (keep_marks), self, G_CONNECT_SWAPPED);
  return self;
}
