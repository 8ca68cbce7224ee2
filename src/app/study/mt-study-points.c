/* The points of all runs in one list, merged again whenever a run is done, and the models edited by hand
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

/* The items of every run that explains what @like does; what was judged is not mixed with what was not. Where there are
 * models of the data that are open, those of earlier data are @apart. */
static void
gather (MtStudy   *self,
        MtRun     *like,
        GPtrArray *items,
        GPtrArray *apart)
{
  gboolean judged = FALSE, present = FALSE;

  for (guint i = 0; like != NULL && i < _mt_study_count_runs (self); i++)
    {
      MtRun *run = _mt_study_run_at (self, i);

      present |= mt_run_get_points (run)->len > 0 && explains_the_same (run, like) && !mt_run_is_earlier (run);
    }
  for (guint i = 0; like != NULL && i < _mt_study_count_runs (self); i++)
    {
      MtRun *run = _mt_study_run_at (self, i);

      judged |= is_judged (run) && explains_the_same (run, like) && !(present && mt_run_is_earlier (run));
    }
  for (guint i = 0; like != NULL && i < _mt_study_count_runs (self); i++)
    {
      MtRun *run = _mt_study_run_at (self, i);
      GPtrArray *points = mt_run_get_points (run);

      if (points->len == 0 || !explains_the_same (run, like) || (judged && !is_judged (run)))
        continue;
      for (guint j = 0; j < points->len; j++)
        g_ptr_array_add (present && mt_run_is_earlier (run) ? apart : items, g_object_ref (points->pdata[j]));
    }
}

/* --- what is recommended --- */

/* Runs that the same folds judged: their models can be compared fold by fold, others' cannot. */
typedef struct {
  MtRun          *first;
  guint           n_runs;
  MtFrontierItem *best;      /* of all that it has … */
  MtFrontierItem *pick;      /* … and what its folds recommend */
} Deal;

static guint
find_deal (GArray *deals,
           MtRun  *run)
{
  guint i = 0;

  while (i < deals->len && !mt_run_shares_folds (g_array_index (deals, Deal, i).first, run))
    i++;
  if (i == deals->len)
    {
      const Deal deal = { run, 0, NULL, NULL };

      g_array_append_val (deals, deal);
    }
  return i;
}

static gboolean
is_small_enough (MtFrontierItem *item)
{
  guint most = mt_run_get_settings (mt_frontier_item_get_run (item))->max_literals;

  return most == 0 || mt_frontier_item_get_point (item)->complexity <= most;
}

static double
quality_of (MtFrontierItem *item)
{
  return mt_frontier_point_get_quality (mt_frontier_item_get_point (item));
}

/* Whether the folds, which judged both, see no more than luck between them. Without their scores, as some projects
 * are, the error of the better one has to do. */
static gboolean
is_as_good (MtFrontierItem *item,
            MtFrontierItem *best)
{
  guint n[2];
  const double *scores[2] = { mt_frontier_item_get_scores (item, &n[0]), mt_frontier_item_get_scores (best, &n[1]) };
  double mean, se;

  if (n[0] >= 2 && n[0] == n[1])
    {
      mt_frontier_mean_and_error (scores[1], scores[0], n[0],
                                  mt_run_get_settings (mt_frontier_item_get_run (best))->folds, &mean, &se);
      return mean <= se;
    }
  se = mt_frontier_item_get_point (best)->cv_se;
  return quality_of (item) >= quality_of (best) - (isnan (se) ? 0 : se);
}

static MtFrontierItem *
get_selected (MtRun *run)
{
  return mt_run_get_points (run)->pdata[mt_run_get_selected (run)];
}

/* Of one run what it recommends by itself. Of several with the same folds, the smallest model within one paired
 * standard error of the best of them; but where each of them finds only the intercept worth while, that. Of a run that is
 * still being read, it is not known what it finds. */
static MtFrontierItem *
pick_of_deal (GPtrArray  *items,
              GHashTable *deal_of,
              guint       index,
              const Deal *deal)
{
  MtFrontierItem *smallest = NULL, *least = NULL, *top = NULL;   /* top: the best so far */
  gboolean any = FALSE;      /* worth while */

  for (guint i = 0; i < items->len; i++)
    {
      MtFrontierItem *item = items->pdata[i];
      MtRun *run = mt_frontier_item_get_run (item);

      if (GPOINTER_TO_UINT (g_hash_table_lookup (deal_of, run)) != index + 1)
        continue;
      if (deal->n_runs == 1 && mt_run_knows_selected (run))
        return get_selected (run);
      any = any || !mt_run_knows_selected (run) || mt_frontier_item_get_point (get_selected (run))->complexity > 1;
      if (smallest == NULL)
        smallest = item;
      if (top == NULL || quality_of (item) > quality_of (top))
        top = item;
      if (least == NULL && is_as_good (item, deal->best))
        least = top;   /* no larger, and no worse */
    }
  return any && least != NULL ? least : smallest;   /* scores may be missing */
}

/* Of those no larger the best: what is recommended is on the staircase, whichever run found it. */
static MtFrontierItem *
best_up_to (GPtrArray      *items,
            MtFrontierItem *last)
{
  MtFrontierItem *best = NULL;

  for (guint i = 0; last != NULL && i < items->len && compare_items (&items->pdata[i], &last) <= 0; i++)
    if (best == NULL || quality_of (items->pdata[i]) > quality_of (best))
      best = items->pdata[i];
  return best;
}

/* Every deal of the folds recommends one model, difference by difference. Between deals there are no differences to be
 * taken: of those whose best is within one standard error of the best of all, the smallest that is recommended is.
 * So one more run with another seed leads to what its own folds recommend, to a better one no larger, or changes
 * nothing. */
static MtFrontierItem *
recommend (GPtrArray *items)
{
  g_autoptr (GArray) deals = g_array_new (FALSE, FALSE, sizeof (Deal));
  g_autoptr (GHashTable) deal_of = g_hash_table_new (NULL, NULL);   /* of runs: index + 1 */
  MtFrontierItem *best = NULL, *pick = NULL;
  double se;

  for (guint i = 0; i < items->len; i++)
    {
      MtFrontierItem *item = items->pdata[i];
      MtRun *run = mt_frontier_item_get_run (item);
      gboolean is_new = !g_hash_table_contains (deal_of, run);
      Deal *deal;

      if (is_new)
        g_hash_table_insert (deal_of, run, GUINT_TO_POINTER (find_deal (deals, run) + 1));
      deal = &g_array_index (deals, Deal, GPOINTER_TO_UINT (g_hash_table_lookup (deal_of, run)) - 1);
      deal->n_runs += is_new;
      if (deal->best == NULL || (is_small_enough (item) && quality_of (item) > quality_of (deal->best)))
        deal->best = item;
    }
  for (guint i = 0; i < deals->len; i++)
    {
      Deal *deal = &g_array_index (deals, Deal, i);

      deal->pick = pick_of_deal (items, deal_of, i, deal);
      if (best == NULL || quality_of (deal->best) > quality_of (best))
        best = deal->best;
    }
  se = best != NULL ? mt_frontier_item_get_point (best)->cv_se : NAN;
  for (guint i = 0; i < deals->len; i++)
    {
      const Deal *deal = &g_array_index (deals, Deal, i);

      if (quality_of (deal->best) >= quality_of (best) - (isnan (se) ? 0 : se) &&
          (pick == NULL || compare_items (&deal->pick, &pick) < 0))
        pick = deal->pick;
    }
  return best_up_to (items, pick);
}

/* What was edited is shown next to what was learned from the same runs, and takes no part in the frontier: the
 * folds have not judged how it was found. */
static void
add_edited (MtStudy   *self,
            GPtrArray *items,
            gboolean   apart)
{
  guint n = items->len;

  for (guint i = 0; i < self->edited->len; i++)
    {
      MtFrontierItem *item = self->edited->pdata[i];
      const MtFrontierPoint *point = mt_frontier_item_get_point (item);
      gboolean shown = FALSE, beaten = apart;

      for (guint k = 0; k < n; k++)
        {
          const MtFrontierPoint *other = mt_frontier_item_get_point (items->pdata[k]);

          shown = shown || mt_frontier_item_get_run (items->pdata[k]) == mt_frontier_item_get_run (item);
          beaten = beaten || (other->complexity <= point->complexity &&
                              mt_frontier_point_get_quality (other) >= mt_frontier_point_get_quality (point));
        }
      if (!shown)
        continue;
      mt_frontier_item_set_dominated (item, beaten);
      g_ptr_array_add (items, g_object_ref (item));
    }
}

/* All that is to be shown into @items; what is of earlier data is beaten without a fight. */
static void
add_apart (MtStudy   *self,
           GPtrArray *items,
           GPtrArray *apart)
{
  for (guint i = 0; i < items->len; i++)
    mt_frontier_item_set_apart (items->pdata[i], FALSE);
  self->n_earlier = apart->len;
  for (guint i = 0; i < apart->len; i++)
    {
      mt_frontier_item_set_apart (apart->pdata[i], TRUE);
      mt_frontier_item_set_dominated (apart->pdata[i], TRUE);
      if (self->show_earlier)
        g_ptr_array_add (items, g_object_ref (apart->pdata[i]));
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
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) apart = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (MtFrontierItem) before = self->selected != NULL ? g_object_ref (self->selected) : NULL;
  gboolean followed = self->selected == self->recommended;   /* no other was chosen */
  double best = -INFINITY;

  _mt_study_tell_runs (self);
  gather (self, like, items, apart);
  g_ptr_array_sort (items, compare_items);
  for (guint i = 0; i < items->len; i++)
    {
      double quality = mt_frontier_point_get_quality (mt_frontier_item_get_point (items->pdata[i]));

      mt_frontier_item_set_dominated (items->pdata[i], !(quality > best));
      best = fmax (best, quality);
    }
  if (self->recommended != NULL)
    mt_frontier_item_set_recommended (self->recommended, FALSE);
  g_set_object (&self->recommended, recommend (items));
  if (self->recommended != NULL)
    mt_frontier_item_set_recommended (self->recommended, TRUE);
  add_edited (self, items, FALSE);
  add_edited (self, apart, TRUE);
  add_apart (self, items, apart);
  if (self->base != NULL && !g_ptr_array_find (items, self->base, NULL))
    g_clear_object (&self->base);
  g_list_store_splice (self->points, 0, g_list_model_get_n_items (G_LIST_MODEL (self->points)), items->pdata,
                       items->len);
  drop_lost_pins (self, items);
  /* A view of the list may have changed the selection while the list changed. */
  if (self->compared != NULL && !g_ptr_array_find (items, self->compared, NULL))
    mt_study_set_compared (self, NULL);
  mt_study_set_selected (self, !followed && g_ptr_array_find (items, before, NULL) ? before : self->recommended);
}

void
_mt_study_merge_again (MtStudy *self)
{
  g_autoptr (MtFrontierItem) first = g_list_model_get_item (G_LIST_MODEL (self->points), 0);

  if (first != NULL)
    _mt_study_merge_points (self, mt_frontier_item_get_run (first));
}

void
_mt_study_merge_restored (MtStudy *self)
{
  g_autoptr (MtFrontierItem) selected = self->selected != NULL ? g_object_ref (self->selected) : NULL;

  _mt_study_merge_again (self);
  if (selected != NULL && g_list_store_find (self->points, selected, NULL))
    mt_study_set_selected (self, selected);   /* it may have been what seemed to be recommended */
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
  _mt_study_merge_again (self);
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
  _mt_study_merge_again (self);
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

guint
mt_study_count_earlier (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), 0);
  return self->n_earlier;
}

gboolean
mt_study_get_show_earlier (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), FALSE);
  return self->show_earlier;
}

void
mt_study_set_show_earlier (MtStudy  *self,
                           gboolean  show)
{
  g_return_if_fail (MT_IS_STUDY (self));

  if (self->show_earlier == show)
    return;
  self->show_earlier = show;
  _mt_study_merge_again (self);
  g_signal_emit_by_name (self, "changed");
}

MtFrontierItem *
mt_study_get_recommended (MtStudy *self)
{
  g_return_val_if_fail (MT_IS_STUDY (self), NULL);
  return self->recommended;
}
