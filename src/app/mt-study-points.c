/* The points of all runs in one list, merged anew whenever a run is done, and the models edited by hand
 * among them; a run has 5–40 points, a study 1–1000 runs. */
#include "config.h"
#include "mt-study-private.h"

#include <math.h>

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
  for (guint i = 0; like != NULL && i < _mt_study_count_runs (self); i++)
    judged |= is_judged (_mt_study_run_at (self, i)) && explains_the_same (_mt_study_run_at (self, i), like);
  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    {
      MtRun *run = _mt_study_run_at (self, i);
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

/* Points that are gone cannot stay pinned. */
static void
drop_lost_pins (MtStudy   *self,
                GPtrArray *items)
{
  MtFrontierItem *a = g_ptr_array_find (items, self->pins[0], NULL) ? self->pins[0] : NULL;
  MtFrontierItem *b = g_ptr_array_find (items, self->pins[1], NULL) ? self->pins[1] : NULL;

  mt_study_set_pins (self, a != NULL ? a : b, a != NULL ? b : NULL);
}

void
_mt_study_merge_points (MtStudy *self,
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

/* The points stay those that are shown. */
static void
merge_again (MtStudy *self)
{
  g_autoptr (MtFrontierItem) first = g_list_model_get_item (G_LIST_MODEL (self->points), 0);

  if (first != NULL)
    _mt_study_merge_points (self, mt_frontier_item_get_run (first));
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
  g_signal_emit_by_name (self, "edited", gone, come);
  if (come != NULL)
    mt_study_set_selected (self, come);
  else if (gone != NULL)
    mt_study_set_selected (self, mt_frontier_item_get_origin (gone));
  g_signal_emit_by_name (self, "changed");
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
