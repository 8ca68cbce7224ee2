/* The queue is the list of runs: the first that waits is next. The points are merged anew whenever
 * a run is done; a run has 5–40 points, a study 1–1000 runs. */
#include "config.h"
#include "mt-study.h"

#include <math.h>

struct _MtStudy {
  GObject         parent_instance;

  GListStore     *runs;
  MtRun          *current;       /* works; NULL: none */
  MtRun          *last;          /* the same, or the one that ended last */
  guint           batch;         /* place of the first run of those queued together */
  gint64          batch_started;
  double          batch_seconds;
  gboolean        quiet;         /* many runs change at once; "changed" comes afterwards */

  GListStore     *points;
  GPtrArray      *edited;        /* of MtFrontierItem */
  MtFrontierItem *recommended;
  MtFrontierItem *selected;
  MtFrontierItem *compared;
  MtFrontierItem *pins[2];
  MtFitted       *fitted;
  GCancellable   *preparing;     /* the basis that is being made; NULL: none … */
  MtRun          *preparing_for; /* … borrowed: and for whom */
};

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

static guint
count_runs (MtStudy *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->runs));
}

/* Borrowed: the list holds it. */
static MtRun *
run_at (MtStudy *self,
        guint    index)
{
  g_autoptr (MtRun) run = g_list_model_get_item (G_LIST_MODEL (self->runs), index);

  return run;
}

/* --- the selected point --- */

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
  MtBasis *basis = mt_basis_new (preparing->table, preparing->encoder, &preparing->settings, &error);

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
  g_autoptr (MtBasis) basis = g_task_propagate_pointer (G_TASK (result), &error);

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

/* A run of a project has its models; the rows they were learnt from are encoded when one looks. */
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

static void
prepare_fitted (MtStudy *self)
{
  const MtFrontierPoint *point = self->selected != NULL ? mt_frontier_item_get_point (self->selected) : NULL;
  MtRun *run = self->selected != NULL ? mt_frontier_item_get_run (self->selected) : NULL;
  MtBasis *basis = run != NULL ? mt_run_get_basis (run) : NULL;

  g_clear_pointer (&self->fitted, mt_fitted_unref);
  if (point != NULL && point->rules != NULL && basis != NULL)
    self->fitted = mt_fitted_new (basis, point, mt_frontier_item_get_history (self->selected));
  else if (run != NULL && basis == NULL)
    prepare_basis (self, run);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FITTED]);
}

void
mt_study_set_selected (MtStudy        *self,
                       MtFrontierItem *item)
{
  g_return_if_fail (MT_IS_STUDY (self));

  if (!g_set_object (&self->selected, item))
    return;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED]);
  prepare_fitted (self);
}

void
mt_study_set_compared (MtStudy        *self,
                       MtFrontierItem *item)
{
  g_return_if_fail (MT_IS_STUDY (self));

  if (g_set_object (&self->compared, item))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COMPARED]);
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
    g_signal_emit (self, signals[PINS_CHANGED], 0);
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

/* Points that are gone cannot stay pinned. */
static void
drop_lost_pins (MtStudy   *self,
                GPtrArray *items)
{
  MtFrontierItem *a = g_ptr_array_find (items, self->pins[0], NULL) ? self->pins[0] : NULL;
  MtFrontierItem *b = g_ptr_array_find (items, self->pins[1], NULL) ? self->pins[1] : NULL;

  mt_study_set_pins (self, a != NULL ? a : b, a != NULL ? b : NULL);
}

/* --- the points of all runs --- */

static int
compare_items (gconstpointer a,
               gconstpointer b)
{
  const MtFrontierPoint *p = mt_frontier_item_get_point (*(MtFrontierItem * const *) a);
  const MtFrontierPoint *q = mt_frontier_item_get_point (*(MtFrontierItem * const *) b);
  double x = mt_frontier_point_get_quality (p), y = mt_frontier_point_get_quality (q);

  if (p->complexity != q->complexity)
    return p->complexity < q->complexity ? -1 : 1;
  return x > y ? -1 : x < y;
}

/* Whether folds have judged its points: a run that was stopped early has none that were. */
static gboolean
is_judged (MtRun *run)
{
  GPtrArray *points = mt_run_get_points (run);

  return points->len > 0 && !isnan (mt_frontier_item_get_point (points->pdata[0])->cv_mean);
}

static gboolean
explains_the_same (MtRun *a,
                   MtRun *b)
{
  return g_strcmp0 (mt_run_get_target (a), mt_run_get_target (b)) == 0;
}

/* The items of every run that explains what @like does; what was judged is not mixed with what was not. */
static GPtrArray *
gather (MtStudy *self,
        MtRun   *like,
        guint   *n_runs)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean judged = FALSE;

  *n_runs = 0;
  for (guint i = 0; like != NULL && i < count_runs (self); i++)
    judged |= is_judged (run_at (self, i)) && explains_the_same (run_at (self, i), like);
  for (guint i = 0; i < count_runs (self); i++)
    {
      MtRun *run = run_at (self, i);
      GPtrArray *points = mt_run_get_points (run);

      if (points->len == 0 || like == NULL || !explains_the_same (run, like) || (judged && !is_judged (run)))
        continue;
      ++*n_runs;
      for (guint j = 0; j < points->len; j++)
        g_ptr_array_add (items, g_object_ref (points->pdata[j]));
    }
  return items;
}

/* Of one run, what its folds recommend, difference by difference. Of several runs, whose folds are
 * not the same rows, the smallest within one standard error of the best. */
static MtFrontierItem *
recommend (GPtrArray *items,
           MtRun     *only)
{
  const MtFrontierPoint *best = NULL;
  guint most;

  if (items->len == 0)
    return NULL;
  if (only != NULL)
    return mt_run_get_points (only)->pdata[mt_run_get_selected (only)];
  most = mt_run_get_settings (mt_frontier_item_get_run (items->pdata[0]))->max_literals;
  for (guint i = 0; i < items->len; i++)
    {
      const MtFrontierPoint *point = mt_frontier_item_get_point (items->pdata[i]);

      if ((most == 0 || point->complexity <= most || best == NULL) &&
          (best == NULL || mt_frontier_point_get_quality (point) > mt_frontier_point_get_quality (best)))
        best = point;
    }
  for (guint i = 0; i < items->len; i++)
    if (mt_frontier_point_get_quality (mt_frontier_item_get_point (items->pdata[i])) >=
        mt_frontier_point_get_quality (best) - (isnan (best->cv_se) ? 0 : best->cv_se))
      return items->pdata[i];
  return items->pdata[0];
}

/* What was edited stands beside what was learnt from the same runs, and takes no part in the frontier: the
 * folds have not judged how it was found. */
static void
add_edited (MtStudy   *self,
            GPtrArray *items)
{
  guint n = items->len;

  for (guint i = 0; i < self->edited->len; i++)
    {
      MtFrontierItem *item = self->edited->pdata[i];
      const MtFrontierPoint *point = mt_frontier_item_get_point (item);
      gboolean shown = FALSE, beaten = FALSE;

      for (guint k = 0; k < n; k++)
        {
          const MtFrontierPoint *other = mt_frontier_item_get_point (items->pdata[k]);

          shown = shown || mt_frontier_item_get_run (items->pdata[k]) == mt_frontier_item_get_run (item);
          beaten = beaten || (other->complexity <= point->complexity &&
                              mt_frontier_point_get_quality (other) >= mt_frontier_point_get_quality (point));
        }
      mt_frontier_item_set_dominated (item, beaten);
      if (shown)
        g_ptr_array_add (items, g_object_ref (item));
    }
  g_ptr_array_sort (items, compare_items);
}

/* @like: its target is what the points are about; NULL: none are shown. */
static void
merge_points (MtStudy *self,
              MtRun   *like)
{
  guint n_runs;
  g_autoptr (GPtrArray) items = gather (self, like, &n_runs);
  g_autoptr (MtFrontierItem) before = self->selected != NULL ? g_object_ref (self->selected) : NULL;
  gboolean followed = self->selected == self->recommended;   /* nobody chose another */
  double best = -INFINITY;

  g_ptr_array_sort (items, compare_items);
  for (guint i = 0; i < items->len; i++)
    {
      double quality = mt_frontier_point_get_quality (mt_frontier_item_get_point (items->pdata[i]));

      mt_frontier_item_set_dominated (items->pdata[i], !(quality > best));
      best = fmax (best, quality);
    }
  if (self->recommended != NULL)
    mt_frontier_item_set_recommended (self->recommended, FALSE);
  g_set_object (&self->recommended, (recommend (items, n_runs == 1 ? mt_frontier_item_get_run (items->pdata[0])
                                                                   : NULL)));
  if (self->recommended != NULL)
    mt_frontier_item_set_recommended (self->recommended, TRUE);
  add_edited (self, items);
  g_list_store_splice (self->points, 0, g_list_model_get_n_items (G_LIST_MODEL (self->points)), items->pdata,
                       items->len);
  drop_lost_pins (self, items);
  /* Whoever shows the list may have chosen something while it changed. */
  if (self->compared != NULL && !g_ptr_array_find (items, self->compared, NULL))
    mt_study_set_compared (self, NULL);
  mt_study_set_selected (self, !followed && g_ptr_array_find (items, before, NULL) ? before : self->recommended);
}

/* --- the queue --- */

static void
start_next (MtStudy *self)
{
  for (guint i = 0; self->current == NULL && i < count_runs (self); i++)
    if (mt_run_get_state (run_at (self, i)) == MT_RUN_QUEUED)
      {
        g_set_object (&self->current, run_at (self, i));
        g_set_object (&self->last, self->current);
        mt_run_start (self->current);
      }
}

static void
on_run_changed (MtStudy *self,
                MtRun   *run)
{
  MtRunState state = mt_run_get_state (run);

  if (run == self->current && state != MT_RUN_RUNNING)
    {
      g_autoptr (MtRun) ended = g_steal_pointer (&self->current);

      self->batch_seconds = (double) (g_get_monotonic_time () - self->batch_started) / G_USEC_PER_SEC;
      if (state == MT_RUN_DONE)
        merge_points (self, ended);
      start_next (self);
      g_signal_emit (self, signals[ENDED], 0, ended);
    }
  else if (state == MT_RUN_STOPPED && mt_run_get_points (run)->len > 0 &&
           !g_list_store_find (self->points, mt_run_get_points (run)->pdata[0], NULL))
    merge_points (self, run);   /* what it had found when it was stopped */
  if (!self->quiet)
    g_signal_emit (self, signals[CHANGED], 0);
}

static guint
find_series (MtStudy             *self,
             const MtRunSettings *settings)
{
  guint next = 0;

  for (guint i = 0; i < count_runs (self); i++)
    {
      if (mt_run_settings_alike (mt_run_get_settings (run_at (self, i)), settings))
        return mt_run_get_series (run_at (self, i));
      next = MAX (next, mt_run_get_series (run_at (self, i)) + 1);
    }
  return next;
}

/* A new run may differ from the others in what all of them shared so far. */
static void
name_runs (MtStudy *self)
{
  guint n = count_runs (self);
  g_autofree const MtRunSettings **all = g_new (const MtRunSettings *, MAX (n, 1));

  self->quiet = TRUE;
  for (guint i = 0; i < n; i++)
    all[i] = mt_run_get_settings (run_at (self, i));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = mt_run_settings_tell_apart (all[i], all, n);

      mt_run_set_name (run_at (self, i), name);
    }
  self->quiet = FALSE;
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

void
mt_study_train (MtStudy             *self,
                MtTable             *table,
                const MtRunSettings *settings,
                const MtRunGrid     *grid)
{
  guint n = grid != NULL ? mt_run_grid_count (grid) : 1;

  g_return_if_fail (MT_IS_STUDY (self));
  g_return_if_fail (table != NULL && settings != NULL);

  begin_batch (self, count_runs (self));
  for (guint i = 0; i < n; i++)
    {
      MtRunSettings each = *settings;
      g_autoptr (MtRun) run = NULL;

      if (grid != NULL)
        mt_run_grid_get (grid, settings, i, &each);
      run = mt_run_new (table, &each);
      mt_run_set_series (run, find_series (self, &each));
      g_signal_connect_object (run, "changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
      g_list_store_append (self->runs, run);
    }
  name_runs (self);
  start_next (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
mt_study_add_restored (MtStudy *self,
                       MtRun   *run)
{
  g_return_if_fail (MT_IS_STUDY (self) && MT_IS_RUN (run));

  mt_run_set_series (run, find_series (self, mt_run_get_settings (run)));
  g_signal_connect_object (run, "changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
  g_list_store_append (self->runs, run);
}

void
mt_study_show_restored (MtStudy        *self,
                        MtFrontierItem *selected)
{
  MtRun *last = NULL;

  g_return_if_fail (MT_IS_STUDY (self));

  for (guint i = 0; i < count_runs (self); i++)
    if (last == NULL || mt_run_get_points (run_at (self, i))->len > 0)
      last = run_at (self, i);
  name_runs (self);
  g_set_object (&self->last, last);
  merge_points (self, selected != NULL ? mt_frontier_item_get_run (selected) : last);
  if (selected != NULL)
    mt_study_set_selected (self, selected);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* The points stay those that are shown. */
static void
merge_again (MtStudy *self)
{
  g_autoptr (MtFrontierItem) first = g_list_model_get_item (G_LIST_MODEL (self->points), 0);

  if (first != NULL)
    merge_points (self, mt_frontier_item_get_run (first));
}

void
mt_study_edit (MtStudy        *self,
               MtFrontierItem *gone,
               MtFrontierItem *come)
{
  g_autoptr (MtFrontierItem) left = gone != NULL ? g_object_ref (gone) : NULL;

  g_return_if_fail (MT_IS_STUDY (self));

  if (gone != NULL)
    g_ptr_array_remove (self->edited, gone);
  if (come != NULL)
    g_ptr_array_add (self->edited, g_object_ref (come));
  merge_again (self);
  g_signal_emit (self, signals[EDITED], 0, gone, come);
  if (come != NULL)
    mt_study_set_selected (self, come);
  else if (gone != NULL)
    mt_study_set_selected (self, mt_frontier_item_get_origin (gone));
  g_signal_emit (self, signals[CHANGED], 0);
}

void
mt_study_add_edited (MtStudy        *self,
                     MtFrontierItem *item)
{
  g_return_if_fail (MT_IS_STUDY (self) && mt_frontier_item_get_history (item) != NULL);

  g_ptr_array_add (self->edited, g_object_ref (item));
  merge_again (self);
}

GPtrArray *
mt_study_get_edited (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->edited;
}

/* The rules of the selected point may have come. */
void
mt_study_refresh (MtStudy *self)
{
  g_return_if_fail (MT_IS_STUDY (self));

  if (self->selected != NULL && self->fitted == NULL)
    prepare_fitted (self);
}

void
mt_study_stop (MtStudy *self)
{
  g_return_if_fail (MT_IS_STUDY (self));

  /* Those that wait first, or the end of the one that works would start them. */
  self->quiet = TRUE;
  for (guint i = count_runs (self); i-- > 0;)
    if (mt_run_get_state (run_at (self, i)) == MT_RUN_QUEUED)
      mt_run_stop (run_at (self, i));
  self->quiet = FALSE;
  if (self->current != NULL)
    mt_run_stop (self->current);
  else
    g_signal_emit (self, signals[CHANGED], 0);
}

void
mt_study_resume (MtStudy *self)
{
  guint first = G_MAXUINT;

  g_return_if_fail (MT_IS_STUDY (self));

  for (guint i = 0; i < count_runs (self); i++)
    if (mt_run_can_resume (run_at (self, i)))
      {
        mt_run_wait (run_at (self, i));
        first = MIN (first, i);
      }
  if (first == G_MAXUINT)
    return;
  begin_batch (self, first);
  start_next (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
mt_study_use_cpu (MtStudy *self)
{
  guint first = G_MAXUINT;

  g_return_if_fail (MT_IS_STUDY (self));

  for (guint i = 0; i < count_runs (self); i++)
    if (mt_run_can_use_cpu (run_at (self, i)) || mt_run_get_state (run_at (self, i)) == MT_RUN_QUEUED)
      {
        mt_run_use_cpu (run_at (self, i));
        first = MIN (first, i);
      }
  if (first == G_MAXUINT)
    return;
  begin_batch (self, first);
  start_next (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
mt_study_clear (MtStudy *self)
{
  g_return_if_fail (MT_IS_STUDY (self));

  mt_study_stop (self);
  /* What they still bring is nobody's any more. */
  for (guint i = 0; i < count_runs (self); i++)
    g_signal_handlers_disconnect_by_data (run_at (self, i), self);
  g_clear_object (&self->last);
  g_ptr_array_set_size (self->edited, 0);
  g_list_store_remove_all (self->runs);
  merge_points (self, NULL);
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

void
mt_study_get_progress (MtStudy         *self,
                       MtStudyProgress *progress)
{
  double seconds = 0, this_one = self->current != NULL ? mt_run_get_progress (self->current)->fraction : 0;
  double each;
  guint n_timed = 0;

  g_return_if_fail (MT_IS_STUDY (self));

  *progress = (MtStudyProgress) { .n_runs = count_runs (self) - MIN (self->batch, count_runs (self)) };
  for (guint i = self->batch; i < count_runs (self); i++)
    {
      MtRunState state = mt_run_get_state (run_at (self, i));

      if (state == MT_RUN_QUEUED || state == MT_RUN_RUNNING)
        continue;
      progress->n_done++;
      if (state == MT_RUN_DONE)
        {
          seconds += mt_run_get_elapsed (run_at (self, i));
          n_timed++;
        }
    }
  if (progress->n_runs > 0)
    progress->fraction = CLAMP ((progress->n_done + this_one) / progress->n_runs, 0, 1);
  progress->elapsed = self->batch_seconds;
  progress->left = NAN;
  if (self->current == NULL)
    return;
  progress->elapsed = (double) (g_get_monotonic_time () - self->batch_started) / G_USEC_PER_SEC;
  progress->left = mt_run_get_left (self->current);
  each = n_timed > 0 ? seconds / n_timed : mt_run_get_elapsed (self->current) + progress->left;
  if (isnan (progress->left) && n_timed > 0)
    progress->left = fmax (each - mt_run_get_elapsed (self->current), 0);
  if (progress->n_runs > progress->n_done + 1)
    progress->left += each * (progress->n_runs - progress->n_done - 1);
}

double
mt_study_estimate (MtStudy             *self,
                   const MtRunSettings *settings,
                   gsize                n_rows)
{
  guint n_threads = g_get_num_processors ();
  double guessed = 0, taken = 0;

  g_return_val_if_fail (MT_IS_STUDY (self), 0);

  for (guint i = 0; i < count_runs (self); i++)
    {
      MtRun *run = run_at (self, i);
      MtBasis *basis = mt_run_get_basis (run);

      if (mt_run_get_state (run) != MT_RUN_DONE || basis == NULL || !(mt_run_get_elapsed (run) > 0))
        continue;
      guessed += mt_run_settings_guess (mt_run_get_settings (run), basis->rows->n_rows, n_threads);
      taken += mt_run_get_elapsed (run);
    }
  return mt_run_settings_guess (settings, n_rows, n_threads) * (guessed > 0 ? taken / guessed : 1);
}

GListModel *
mt_study_get_runs (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return G_LIST_MODEL (self->runs);
}

GListModel *
mt_study_get_points (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return G_LIST_MODEL (self->points);
}

MtFrontierItem *
mt_study_get_recommended (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->recommended;
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

MtFitted *
mt_study_get_fitted (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->fitted;
}

gboolean
mt_study_is_stale (MtStudy *self,
                   MtTable *table)
{
  g_return_val_if_fail (MT_IS_STUDY (self), FALSE);
  return self->fitted != NULL && self->fitted->basis->table != table;
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

  g_cancellable_cancel (self->preparing);
  g_clear_object (&self->preparing);
  g_clear_pointer (&self->fitted, mt_fitted_unref);
  g_clear_object (&self->selected);
  g_clear_object (&self->compared);
  g_clear_object (&self->recommended);
  g_clear_object (&self->pins[0]);
  g_clear_object (&self->pins[1]);
  g_clear_object (&self->points);
  g_ptr_array_unref (self->edited);
  g_clear_object (&self->last);
  g_clear_object (&self->current);
  g_clear_object (&self->runs);
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
  properties[PROP_FITTED] = g_param_spec_boxed ("fitted", NULL, NULL, MT_TYPE_FITTED,
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
