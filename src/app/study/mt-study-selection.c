/* The point one looks at, the one it is compared with, the two that are pinned; and what the pages need of the
 * first: its model with the rows it was learned from, made in a thread when a project has just been opened. */
#include "config.h"
#include "mt-study-private.h"

#define RESTORE_EVERY 100   /* ms */

static void prepare_fitted (MtStudy *self);

typedef struct {
  MtRun         *run;
  MtTable       *table;
  MtEncoder     *encoder;
  MtRunSettings  settings;
} Preparing;

static void
preparing_free (gpointer data)
{
  Preparing *preparing = data;

  g_object_unref (preparing->run);
  mt_table_unref (preparing->table);
  mt_encoder_unref (preparing->encoder);
  g_free (preparing);
}

static void
prepare_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  Preparing *preparing = data;
  GError *error = NULL;
  MtRunData *basis = mt_basis_new (preparing->table, preparing->encoder, &preparing->settings, &error);

  if (basis != NULL)
    g_task_return_pointer (task, basis, (GDestroyNotify) mt_basis_unref);
  else
    g_task_return_error (task, error);
}

static void
on_prepared (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  MtStudy *self = MT_STUDY (source);
  Preparing *preparing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (MtRunData) basis = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->preparing == g_task_get_cancellable (G_TASK (result)))
    g_clear_object (&self->preparing);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (basis == NULL)
    {
      g_debug ("a restored run does not fit the table: %s", error->message);
      return;
    }
  if (mt_run_get_basis (preparing->run) == NULL)
    mt_run_set_basis (preparing->run, basis);
  if (self->fitted == NULL)
    prepare_fitted (self);
}

/* A run of a project has its models; the rows they were learned from are encoded when one looks. */
static void
prepare_basis (MtStudy *self,
               MtRun   *run)
{
  Preparing *preparing;
  g_autoptr (GTask) task = NULL;

  if (self->preparing != NULL && self->preparing_for == run)
    return;
  g_cancellable_cancel (self->preparing);
  g_clear_object (&self->preparing);
  if (mt_run_get_encoder (run) == NULL)
    return;
  self->preparing = g_cancellable_new ();
  self->preparing_for = run;
  preparing = g_new0 (Preparing, 1);
  preparing->run = g_object_ref (run);
  preparing->table = mt_table_ref (mt_run_get_table (run));
  preparing->encoder = mt_encoder_ref (mt_run_get_encoder (run));
  preparing->settings = *mt_run_get_settings (run);
  task = g_task_new (self, self->preparing, on_prepared, NULL);
  g_task_set_source_tag (task, prepare_basis);
  g_task_set_task_data (task, preparing, preparing_free);
  g_task_run_in_thread (task, prepare_thread);
}

/* Of an edited one, what it was edited from. */
static MtModel *
get_kept (MtFrontierItem *item)
{
  MtFrontierItem *origin = mt_frontier_item_get_origin (item);

  return mt_frontier_item_get_kept (origin != NULL ? origin : item);
}

static void
prepare_fitted (MtStudy *self)
{
  const MtFrontierPoint *point = self->selected != NULL ? mt_frontier_item_get_point (self->selected) : NULL;
  MtRun *run = self->selected != NULL ? mt_frontier_item_get_run (self->selected) : NULL;
  MtRunData *basis = run != NULL ? mt_run_get_basis (run) : NULL;

  g_clear_pointer (&self->fitted, mt_selected_model_unref);
  if (point != NULL && point->rules != NULL && basis != NULL)
    self->fitted = mt_selected_model_new (basis, point, mt_frontier_item_get_history (self->selected), get_kept (self->selected));
  else if (run != NULL && basis == NULL)
    prepare_basis (self, run);
  g_object_notify (G_OBJECT (self), "fitted");
}

void
mt_study_set_selected (MtStudy        *self,
                       MtFrontierItem *item)
{
  g_return_if_fail (MT_IS_STUDY (self));

  if (!g_set_object (&self->selected, item))
    return;
  g_object_notify (G_OBJECT (self), "selected");
  prepare_fitted (self);
}

void
mt_study_set_compared (MtStudy        *self,
                       MtFrontierItem *item)
{
  g_return_if_fail (MT_IS_STUDY (self));

  if (g_set_object (&self->compared, item))
    g_object_notify (G_OBJECT (self), "compared");
}

void
mt_study_compare (MtStudy        *self,
                  MtFrontierItem *a,
                  MtFrontierItem *b)
{
  g_autoptr (MtFrontierItem) other = b != NULL ? g_object_ref (b) : NULL;   /* they may be swapped */

  g_return_if_fail (MT_IS_STUDY (self));

  g_set_object (&self->base, a);
  g_set_object (&self->compared, other);
  g_object_notify (G_OBJECT (self), "compared");
}

MtFrontierItem *
mt_study_get_base (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->base != NULL ? self->base : self->selected;
}

/* --- pins --- */

MtFrontierItem *
mt_study_get_pin (MtStudy *self,
                  guint    which)
{
  g_return_val_if_fail (MT_IS_STUDY (self) && which < 2, NULL);
  return self->pins[which];
}

void
mt_study_set_pins (MtStudy        *self,
                   MtFrontierItem *a,
                   MtFrontierItem *b)
{
  g_autoptr (MtFrontierItem) held = b != NULL ? g_object_ref (b) : NULL;
  gboolean changed;

  g_return_if_fail (MT_IS_STUDY (self));

  changed = g_set_object (&self->pins[0], a);
  changed |= g_set_object (&self->pins[1], held);
  if (changed)
    g_signal_emit_by_name (self, "pins-changed");
}

void
mt_study_pin (MtStudy        *self,
              MtFrontierItem *item)
{
  g_return_if_fail (MT_IS_STUDY (self) && MT_IS_FRONTIER_ITEM (item));

  if (item == self->pins[0])
    mt_study_set_pins (self, self->pins[1], NULL);
  else if (item == self->pins[1])
    mt_study_set_pins (self, self->pins[0], NULL);
  else if (self->pins[0] == NULL)
    mt_study_set_pins (self, item, NULL);
  else
    mt_study_set_pins (self, self->pins[0], item);
}

static gboolean
take_restored (gpointer data)
{
  MtStudy *self = data;

  self->restoring = 0;
  _mt_study_merge_restored (self);
  if (self->selected != NULL && self->fitted == NULL)
    prepare_fitted (self);
  return G_SOURCE_REMOVE;
}

/* The rules of the selected point may have come, and with the scores of the folds what is recommended can be told
 * as it was. Runs come in a row, and there may be hundreds. */
void
mt_study_refresh (MtStudy *self)
{
  g_return_if_fail (MT_IS_STUDY (self));

  if (self->selected != NULL && self->fitted == NULL)
    prepare_fitted (self);
  if (self->restoring == 0)
    self->restoring = g_timeout_add (RESTORE_EVERY, take_restored, self);
}

MtFrontierItem *
mt_study_get_selected (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->selected;
}

MtFrontierItem *
mt_study_get_compared (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->compared;
}

MtSelectedModel *
mt_study_get_fitted (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->fitted;
}

static gboolean
is_earlier (MtFrontierItem *item)
{
  MtRun *run = item != NULL ? mt_frontier_item_get_run (item) : NULL;

  return run != NULL && mt_run_is_earlier (run);
}

gboolean
mt_study_is_stale (MtStudy *self,
                   MtTable *table)
{
  g_return_val_if_fail (MT_IS_STUDY (self), FALSE);
  return self->fitted != NULL && (self->fitted->basis->table != table || is_earlier (self->selected));
}
