/* Keeps a study in a project as it goes: every run when it is queued, begins and ends, its points and
 * models when it is done, which point is selected. See mt-study-store.h. */
#include "config.h"
#include "mt-study-store-private.h"

#include "util/mt-preferences.h"
#include "mt-run-curves.h"
#include "mt-run-failure.h"

G_DEFINE_FINAL_TYPE (MtStudyStore, mt_study_store, G_TYPE_OBJECT)

static void
entry_free (gpointer data)
{
  MtStudyEntry *entry = data;

  g_clear_signal_handler (&entry->handler, entry->run);
  g_object_unref (entry->run);
  g_clear_object (&entry->first);
  mt_import_unref (entry->import);
  g_free (entry);
}

/* --- what happens in the study --- */

static MtProjectWrite *
change_new (MtStudyStore *self,
            MtStudyEntry *entry)
{
  MtProjectWrite *change = mt_project_write_new (self->ids);

  if (entry != NULL)
    {
      const GError *error = mt_run_get_error (entry->run);

      change->key = entry->key;
      change->state = mt_run_get_state (entry->run);
      change->seconds = mt_run_get_elapsed (entry->run);
      change->message = g_strdup (error != NULL ? error->message : "");
      change->failure = error != NULL ? mt_run_failure_to_text (error) : NULL;
      change->device = mt_run_get_device (entry->run) != NULL ? mt_run_device_to_json (mt_run_get_device (entry->run))
                                                              : NULL;
    }
  return change;
}

static void
push_run (MtStudyStore *self,
          MtStudyEntry *entry)
{
  MtProjectWrite *change = change_new (self, entry);

  change->columns = mt_run_record_dup_columns (mt_run_get_table (entry->run));
  change->run_settings = *mt_run_get_settings (entry->run);
  change->data = g_strdup (mt_run_get_data (entry->run));
  change->name = g_strdup (mt_run_get_name (entry->run));
  mt_project_file_push (self->project, mt_project_write_add_run, change, mt_project_write_free);
  entry->stored = MT_RUN_QUEUED;
}

/* A run that was stopped may have some, and others once it was resumed. */
static gboolean
has_new_models (MtStudyEntry *entry)
{
  GPtrArray *points = mt_run_get_points (entry->run);
  MtRunData *basis = mt_run_get_basis (entry->run);

  return points->len > 0 && points->pdata[0] != entry->first && basis != NULL && basis->frontier != NULL;
}

static void
push_state (MtStudyStore *self,
            MtStudyEntry *entry)
{
  gboolean points = has_new_models (entry);
  MtProjectWrite *change;

  if (mt_run_get_state (entry->run) == entry->stored && !points)
    return;
  entry->stored = mt_run_get_state (entry->run);
  change = change_new (self, entry);
  if (!points)
    {
      mt_project_file_push (self->project, mt_project_write_set_state, change, mt_project_write_free);
      return;
    }
  g_set_object (&entry->first, mt_run_get_points (entry->run)->pdata[0]);
  change->basis = mt_basis_ref (mt_run_get_basis (entry->run));
  change->import = mt_import_ref (entry->import);
  change->run_settings = *mt_run_get_settings (entry->run);
  change->curves = mt_run_record_dup_curves (mt_run_get_epochs (entry->run), mt_run_get_visits (entry->run),
                                             change->basis->frontier);
  mt_project_file_push (self->project, mt_project_write_finish_run, change, mt_project_write_free);
}

static guint
get_edited_key (MtStudyStore   *self,
                MtFrontierItem *item)
{
  return item != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->edited, item)) : 0;
}

static MtStudyMarked
find_point (MtStudyStore   *self,
            MtFrontierItem *item,
            MtMark          mark)
{
  MtStudyMarked marked = { 0, 0, mark, get_edited_key (self, item) };

  for (guint i = 0; item != NULL && i < self->entries->len; i++)
    {
      MtStudyEntry *entry = self->entries->pdata[i];

      if (entry->run == mt_frontier_item_get_run (item) &&
          g_ptr_array_find (mt_run_get_points (entry->run), item, &marked.index))
        marked.key = entry->key;
    }
  return marked;
}

void
_mt_study_store_set_edited_key (MtStudyStore   *self,
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
  MtProjectWrite *change;
  MtStudyMarked origin;

  if (self->restoring || (gone == NULL && come == NULL))
    return;
  origin = find_point (self, mt_frontier_item_get_origin (come != NULL ? come : gone), MT_MARK_NONE);
  if (origin.key == 0)
    return;
  change = change_new (self, NULL);
  change->key = origin.key;
  change->origin = origin.index;
  change->by = mt_preferences_dup_person ();
  change->made = g_get_real_time () / G_USEC_PER_SEC;
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
      _mt_study_store_set_edited_key (self, come, change->come_key);
    }
  mt_project_file_push (self->project, mt_project_write_edit, change, mt_project_write_free);
}

static void
keep_marks (MtStudyStore *self)
{
  MtProjectWrite *change;

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
  mt_project_file_push (self->project, mt_project_write_set_marks, change, mt_project_write_free);
}

static void
on_run_changed (MtStudyStore *self,
                MtRun        *run)
{
  for (guint i = 0; !self->restoring && i < self->entries->len; i++)
    {
      MtStudyEntry *entry = self->entries->pdata[i];

      if (entry->run == run)
        {
          const MtFrontierItem *before = entry->first;

          push_state (self, entry);
          if (entry->first != before)
            keep_marks (self);   /* what was selected when it was not yet known */
        }
    }
}

MtStudyEntry *
_mt_study_store_add_entry (MtStudyStore *self,
                           MtRun        *run)
{
  MtStudyEntry *entry = g_new0 (MtStudyEntry, 1);

  entry->key = ++self->last_key;
  entry->run = g_object_ref (run);
  entry->import = mt_import_ref (self->import);
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

      push_run (self, _mt_study_store_add_entry (self, run));
    }
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
  g_clear_pointer (&self->ids, mt_study_ids_unref);
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
  self->ids = mt_study_ids_new ();
  self->edited = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

void
mt_study_store_set_import (MtStudyStore *self,
                           MtImport     *import)
{
  g_return_if_fail (MT_IS_STUDY_STORE (self) && import != NULL);

  mt_import_ref (import);
  mt_import_unref (self->import);
  self->import = import;
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
    _mt_study_store_restore (self, table, content);
  self->restoring = FALSE;
  for (guint i = 0; content == NULL && i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (MtRun) run = g_list_model_get_item (runs, i);
      MtStudyEntry *entry = _mt_study_store_add_entry (self, run);

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
