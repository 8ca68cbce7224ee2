/* The queue is the list of runs: the first that waits is next. Their jobs wait in the same order in an MtRunQueue, on which
 * a thread works. */
#include "config.h"
#include "mt-study-private.h"

#include "document/mt-run-words.h"
#include "mt-run-names.h"
#include "util/mt-preferences.h"

enum {
  PROP_0,
  PROP_SELECTED,
  PROP_COMPARED,
  PROP_FITTED,
  N_PROPS
};

enum {
  CHANGED,
  PINS_CHANGED,
  ENDED,
  EDITED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtStudy, mt_study, G_TYPE_OBJECT)

guint
_mt_study_count_runs (MtStudy *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->runs));
}

MtRun *
_mt_study_run_at (MtStudy *self,
                  guint    index)
{
  g_autoptr (MtRun) run = g_list_model_get_item (G_LIST_MODEL (self->runs), index);

  return run;
}

/* --- the queue --- */

static void
work_thread (GTask        *task,
             gpointer      source,
             gpointer      queue,
             GCancellable *cancellable)
{
  mt_run_queue_work (queue);
  g_task_return_boolean (task, TRUE);
}

/* What waits gets a job. The number of threads is what it is when there are none yet. */
static void
push_queued (MtStudy *self)
{
  gboolean needs_worker = FALSE, has_jobs = FALSE;

  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    has_jobs |= mt_run_has_job (_mt_study_run_at (self, i));
  if (!has_jobs || self->queue == NULL)
    {
      g_clear_pointer (&self->queue, mt_run_queue_unref);
      self->queue = mt_run_queue_new (mt_preferences_get_threads (), TRUE);
    }
  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    needs_worker |= mt_run_push (_mt_study_run_at (self, i), self->queue, i);
  if (needs_worker)
    {
      g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

      g_task_set_source_tag (task, push_queued);
      g_task_set_task_data (task, mt_run_queue_ref (self->queue), (GDestroyNotify) mt_run_queue_unref);
      g_task_run_in_thread (task, work_thread);
    }
}

static void
start_next (MtStudy *self)
{
  for (guint i = 0; self->current == NULL && i < _mt_study_count_runs (self); i++)
    if (mt_run_get_state (_mt_study_run_at (self, i)) == MT_RUN_QUEUED)
      {
        push_queued (self);
        g_set_object (&self->current, _mt_study_run_at (self, i));
        g_set_object (&self->last, self->current);
        mt_run_begin (self->current);
      }
}

/* The queue began with another than the one that is shown: one was queued before it meanwhile. */
static void
take_turn (MtStudy *self,
           MtRun   *run)
{
  g_autoptr (MtRun) shown = g_steal_pointer (&self->current);

  g_set_object (&self->current, run);
  g_set_object (&self->last, run);
  if (shown != NULL)
    mt_run_wait_again (shown);
}

static void
on_run_changed (MtStudy *self,
                MtRun   *run)
{
  MtRunState state = mt_run_get_state (run);

  if (self->telling)
    return;
  if (run != self->current && state == MT_RUN_RUNNING && mt_run_is_at_work (run))
    take_turn (self, run);
  else if (run == self->current && state == MT_RUN_QUEUED)
    return;   /* it waits again, for another's turn came */
  if (run == self->current && state != MT_RUN_RUNNING)
    {
      g_autoptr (MtRun) ended = g_steal_pointer (&self->current);

      self->batch_seconds = (double) (g_get_monotonic_time () - self->batch_started) / G_USEC_PER_SEC;
      if (state == MT_RUN_DONE)
        _mt_study_merge_points (self, ended);
      start_next (self);
      g_signal_emit (self, signals[ENDED], 0, ended);
    }
  else if (state == MT_RUN_STOPPED && mt_run_get_points (run)->len > 0 &&
           !g_list_store_find (self->points, mt_run_get_points (run)->pdata[0], NULL))
    _mt_study_merge_points (self, run);   /* what it had found when it was stopped */
  if (!self->quiet)
    g_signal_emit (self, signals[CHANGED], 0);
}

static guint
find_series (MtStudy *self,
             MtRun   *run)
{
  guint next = 0;

  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    {
      if (mt_run_settings_alike (mt_run_get_settings (_mt_study_run_at (self, i)), mt_run_get_settings (run)) &&
          mt_run_names_same_columns (_mt_study_run_at (self, i), run))
        return mt_run_get_series (_mt_study_run_at (self, i));
      next = MAX (next, mt_run_get_series (_mt_study_run_at (self, i)) + 1);
    }
  return next;
}

/* Whether marks stand for methods: there are several, and more kinds of runs than colours. */
static gboolean
marks_methods (MtStudy *self)
{
  guint methods = 0, n_series = 0;

  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    {
      MtRun *run = _mt_study_run_at (self, i);

      methods |= 1u << mt_run_get_settings (run)->learner;
      n_series = MAX (n_series, mt_run_get_series (run) + 1);
    }
  return (methods & (methods - 1)) != 0 && n_series > MT_PLOT_N_SERIES;
}

void
_mt_study_tell_runs (MtStudy *self)
{
  gboolean by_method = marks_methods (self);
  const char *target = NULL;
  gboolean differ = FALSE;

  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    {
      const char *own = mt_run_get_target (_mt_study_run_at (self, i));

      differ |= i > 0 && g_strcmp0 (own, target) != 0;
      target = own;
    }
  self->telling = TRUE;
  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    {
      MtRun *run = _mt_study_run_at (self, i);
      const char *data = mt_run_get_data (run);

      mt_run_set_marked_by_method (run, by_method);
      mt_run_set_label_flags (run, data != NULL && self->data != NULL && !g_str_equal (data, self->data), differ);
    }
  self->telling = FALSE;
}

void
mt_study_set_data (MtStudy    *self,
                   const char *data)
{
  g_return_if_fail (MT_IS_STUDY (self));

  if (g_strcmp0 (data, self->data) == 0)
    return;
  g_free (self->data);
  self->data = g_strdup (data);
  if (_mt_study_count_runs (self) == 0)
    return;
  _mt_study_tell_runs (self);
  _mt_study_merge_again (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* A new run may differ from the others in what all of them shared so far. */
static void
name_runs (MtStudy *self)
{
  guint n = _mt_study_count_runs (self);
  g_autofree MtRun **all = g_new (MtRun *, MAX (n, 1));

  self->quiet = TRUE;
  for (guint i = 0; i < n; i++)
    all[i] = _mt_study_run_at (self, i);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = mt_run_names_tell_apart (all[i], all, n, 1);

      mt_run_set_name (_mt_study_run_at (self, i), name);
    }
  self->quiet = FALSE;
  _mt_study_tell_runs (self);
}

static void
begin_batch (MtStudy *self,
             guint    first)
{
  if (self->current != NULL)
    return;   /* what is queued now joins it */
  self->batch = first;
  self->batch_started = g_get_monotonic_time ();
}

gboolean
mt_study_has_run (MtStudy             *self,
                  MtTable             *table,
                  const MtRunSettings *settings)
{
  g_return_val_if_fail (MT_IS_STUDY (self), FALSE);

  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    {
      MtRun *run = _mt_study_run_at (self, i);
      MtRunState state = mt_run_get_state (run);

      if (state != MT_RUN_STOPPED && state != MT_RUN_FAILED && mt_run_get_table (run) == table &&
          !mt_run_is_earlier (run) && mt_run_settings_equal (mt_run_get_settings (run), settings))
        return TRUE;
    }
  return FALSE;
}

guint
mt_study_train (MtStudy             *self,
                MtTable             *table,
                const MtRunSettings *settings,
                const MtSweepGrid     *grid)
{
  guint n = grid != NULL ? mt_sweep_grid_count (grid) : 1, n_queued = 0;
  MtRunSettings base;

  g_return_val_if_fail (MT_IS_STUDY (self), 0);
  g_return_val_if_fail (table != NULL && settings != NULL, 0);

  base = *settings;
  if (grid != NULL)
    mt_sweep_grid_adjust_base (grid, &base);
  for (guint i = 0; i < n; i++)
    {
      MtRunSettings each = base;
      g_autoptr (MtRun) run = NULL;

      if (grid != NULL)
        mt_sweep_grid_get (grid, &base, i, &each);
      if (mt_study_has_run (self, table, &each))
        continue;
      if (n_queued++ == 0)
        begin_batch (self, _mt_study_count_runs (self));
      run = mt_run_new (table, &each);
      mt_run_set_data (run, self->data, self->data);
      mt_run_set_series (run, find_series (self, run));
      g_signal_connect_object (run, "changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
      g_list_store_append (self->runs, run);
    }
  if (n_queued == 0)
    return 0;
  name_runs (self);
  if (self->current != NULL)
    push_queued (self);
  start_next (self);
  g_signal_emit (self, signals[CHANGED], 0);
  return n_queued;
}

void
mt_study_add_restored (MtStudy *self,
                       MtRun   *run)
{
  g_return_if_fail (MT_IS_STUDY (self) && MT_IS_RUN (run));

  mt_run_set_series (run, find_series (self, run));
  g_signal_connect_object (run, "changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
  g_list_store_append (self->runs, run);
}

void
mt_study_show_restored (MtStudy        *self,
                        MtFrontierItem *selected)
{
  MtRun *last = NULL;

  g_return_if_fail (MT_IS_STUDY (self));

  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    if (last == NULL || mt_run_get_points (_mt_study_run_at (self, i))->len > 0)
      last = _mt_study_run_at (self, i);
  name_runs (self);
  g_set_object (&self->last, last);
  _mt_study_merge_points (self, selected != NULL ? mt_frontier_item_get_run (selected) : last);
  if (selected != NULL && g_list_store_find (self->points, selected, NULL))
    mt_study_set_selected (self, selected);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
mt_study_stop (MtStudy *self)
{
  g_return_if_fail (MT_IS_STUDY (self));

  /* Those that wait first, or the end of the one that works would start them. */
  self->quiet = TRUE;
  for (guint i = _mt_study_count_runs (self); i-- > 0;)
    if (mt_run_get_state (_mt_study_run_at (self, i)) == MT_RUN_QUEUED)
      mt_run_stop (_mt_study_run_at (self, i));
  self->quiet = FALSE;
  if (self->current != NULL)
    mt_run_stop (self->current);
  else
    g_signal_emit (self, signals[CHANGED], 0);
}

/* Runs wait again, from @first on; G_MAXUINT: none does. They are of the batch they were queued with, whose time and
 * number go on. */
static void
start_again (MtStudy *self,
             guint    first,
             double   elapsed)
{
  if (first == G_MAXUINT)
    return;
  begin_batch (self, MIN (first, self->batch));
  if (self->current == NULL)
    self->batch_started -= (gint64) (elapsed * G_USEC_PER_SEC);
  else
    push_queued (self);
  start_next (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* A model of the user would be next to points that are no longer there. */
static gboolean
is_edited (MtStudy *self,
           MtRun   *run)
{
  for (guint i = 0; i < self->edited->len; i++)
    if (mt_frontier_item_get_run (self->edited->pdata[i]) == run)
      return TRUE;
  return FALSE;
}

/* What a run of a project had found may have been edited, and what it finds would be mixed with that: all of it is read
 * before any goes on, or some would and others not. */
gboolean
mt_study_can_resume (MtStudy *self)
{
  gboolean any = FALSE;

  g_return_val_if_fail (MT_IS_STUDY (self), FALSE);

  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    if (mt_run_can_resume (_mt_study_run_at (self, i)))
      {
        if (mt_run_is_being_read (_mt_study_run_at (self, i)))
          return FALSE;
        any = any || !is_edited (self, _mt_study_run_at (self, i));
      }
  return any;
}

void
mt_study_resume (MtStudy *self)
{
  guint first = G_MAXUINT;
  MtStudyProgress before;

  g_return_if_fail (MT_IS_STUDY (self));

  if (!mt_study_can_resume (self))
    return;
  mt_study_get_progress (self, &before);
  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    if (mt_run_can_resume (_mt_study_run_at (self, i)) && !is_edited (self, _mt_study_run_at (self, i)))
      {
        mt_run_requeue (_mt_study_run_at (self, i));
        first = MIN (first, i);
      }
  start_again (self, first, before.elapsed);
}

void
mt_study_use_cpu (MtStudy *self)
{
  guint first = G_MAXUINT;
  g_autofree char *why = NULL;   /* of those that wait, too: they would fare no better */
  MtStudyProgress before;

  g_return_if_fail (MT_IS_STUDY (self));

  mt_study_get_progress (self, &before);
  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    if (mt_run_can_use_cpu (_mt_study_run_at (self, i)))
      {
        g_free (why);
        why = g_strdup (mt_run_get_error (_mt_study_run_at (self, i))->message);
      }
  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    if (mt_run_can_use_cpu (_mt_study_run_at (self, i)) || mt_run_get_state (_mt_study_run_at (self, i)) == MT_RUN_QUEUED)
      {
        const GError *own = mt_run_get_error (_mt_study_run_at (self, i));
        g_autofree char *reason = g_strdup (own != NULL ? own->message : why);

        mt_run_use_cpu (_mt_study_run_at (self, i), reason);
        first = MIN (first, i);
      }
  start_again (self, first, before.elapsed);
}

void
mt_study_clear (MtStudy *self)
{
  g_return_if_fail (MT_IS_STUDY (self));

  mt_study_stop (self);
  /* What they still send is ignored. */
  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    g_signal_handlers_disconnect_by_data (_mt_study_run_at (self, i), self);
  g_clear_object (&self->last);
  self->show_earlier = FALSE;
  g_ptr_array_set_size (self->edited, 0);
  g_list_store_remove_all (self->runs);
  _mt_study_merge_points (self, NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
mt_study_is_running (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), FALSE);
  return self->current != NULL;
}

MtRun *
mt_study_get_current (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->current;
}

MtRun *
mt_study_get_last (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->last;
}

GListModel *
mt_study_get_runs (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return G_LIST_MODEL (self->runs);
}

/* --- object --- */

static void
mt_study_get_property (GObject    *object,
                       guint       id,
                       GValue     *value,
                       GParamSpec *pspec)
{
  MtStudy *self = MT_STUDY (object);

  if (id == PROP_SELECTED)
    g_value_set_object (value, self->selected);
  else if (id == PROP_COMPARED)
    g_value_set_object (value, self->compared);
  else if (id == PROP_FITTED)
    g_value_set_boxed (value, self->fitted);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_study_set_property (GObject      *object,
                       guint         id,
                       const GValue *value,
                       GParamSpec   *pspec)
{
  if (id == PROP_SELECTED)
    mt_study_set_selected (MT_STUDY (object), g_value_get_object (value));
  else if (id == PROP_COMPARED)
    mt_study_set_compared (MT_STUDY (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_study_finalize (GObject *object)
{
  MtStudy *self = MT_STUDY (object);

  g_clear_handle_id (&self->restoring, g_source_remove);
  g_cancellable_cancel (self->preparing);
  g_clear_object (&self->preparing);
  g_clear_pointer (&self->fitted, mt_selected_model_unref);
  g_clear_object (&self->selected);
  g_clear_object (&self->base);
  g_clear_object (&self->compared);
  g_clear_object (&self->recommended);
  g_clear_object (&self->pins[0]);
  g_clear_object (&self->pins[1]);
  g_clear_object (&self->points);
  g_ptr_array_unref (self->edited);
  g_clear_object (&self->last);
  g_clear_object (&self->current);
  g_clear_pointer (&self->queue, mt_run_queue_unref);
  g_clear_object (&self->runs);
  g_free (self->data);
  G_OBJECT_CLASS (mt_study_parent_class)->finalize (object);
}

static void
mt_study_class_init (MtStudyClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = mt_study_get_property;
  object_class->set_property = mt_study_set_property;
  object_class->finalize = mt_study_finalize;
  properties[PROP_SELECTED] = g_param_spec_object ("selected", NULL, NULL, MT_TYPE_FRONTIER_ITEM,
                                                   G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                                   G_PARAM_STATIC_STRINGS);
  properties[PROP_COMPARED] = g_param_spec_object ("compared", NULL, NULL, MT_TYPE_FRONTIER_ITEM,
                                                   G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                                   G_PARAM_STATIC_STRINGS);
  properties[PROP_FITTED] = g_param_spec_boxed ("fitted", NULL, NULL, MT_TYPE_SELECTED_MODEL,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[PINS_CHANGED] = g_signal_new ("pins-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, MT_TYPE_RUN);
  signals[EDITED] = g_signal_new ("edited", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, MT_TYPE_FRONTIER_ITEM, MT_TYPE_FRONTIER_ITEM);
}

static void
mt_study_init (MtStudy *self)
{
  self->runs = g_list_store_new (MT_TYPE_RUN);
  self->points = g_list_store_new (MT_TYPE_FRONTIER_ITEM);
  self->edited = g_ptr_array_new_with_free_func (g_object_unref);
}

MtStudy *
mt_study_new (void)
{
  return g_object_new (MT_TYPE_STUDY, NULL);
}
