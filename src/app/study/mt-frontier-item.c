/* A point of the frontier as a row of its table: a model, how good it is, and which run found it. See mt-
 * frontier-item.h. */
#include "config.h"
#include "mt-frontier-item.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "mt-run.h"

struct _MtFrontierItem {
  GObject         parent_instance;
  GWeakRef        run;
  MtFrontierPoint point;
  guint           n_rules;       /* while there are no rules */
  double         *scores;        /* of the folds */
  guint           n_scores;
  gboolean        recommended;
  gboolean        dominated;
  gboolean        apart;
  MtFrontierItem *origin;        /* of an edited one … */
  MtEditHistory  *history;       /* … and what was done */
  MtModel        *kept;          /* as a project had it */
};

enum {
  PROP_0,
  PROP_RECOMMENDED,
  PROP_DOMINATED,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (MtFrontierItem, mt_frontier_item, G_TYPE_OBJECT)

static void
mt_frontier_item_get_property (GObject    *object,
                               guint       id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  MtFrontierItem *self = MT_FRONTIER_ITEM (object);

  if (id == PROP_RECOMMENDED)
    g_value_set_boolean (value, self->recommended);
  else if (id == PROP_DOMINATED)
    g_value_set_boolean (value, self->dominated);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_frontier_item_finalize (GObject *object)
{
  MtFrontierItem *self = MT_FRONTIER_ITEM (object);

  g_weak_ref_clear (&self->run);
  g_clear_object (&self->origin);
  g_clear_pointer (&self->history, mt_edit_history_unref);
  g_clear_pointer (&self->kept, mt_model_unref);
  g_clear_pointer (&self->point.rules, mt_rule_set_unref);
  g_free (self->scores);
  G_OBJECT_CLASS (mt_frontier_item_parent_class)->finalize (object);
}

static void
mt_frontier_item_class_init (MtFrontierItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = mt_frontier_item_finalize;
  object_class->get_property = mt_frontier_item_get_property;
  properties[PROP_RECOMMENDED] = g_param_spec_boolean ("recommended", NULL, NULL, FALSE,
                                                       G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_DOMINATED] = g_param_spec_boolean ("dominated", NULL, NULL, FALSE,
                                                     G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
mt_frontier_item_init (MtFrontierItem *self)
{
  g_weak_ref_init (&self->run, NULL);
}

MtFrontierItem *
mt_frontier_item_new (GObject               *run,
                      const MtFrontierPoint *point)
{
  MtFrontierItem *self = g_object_new (MT_TYPE_FRONTIER_ITEM, NULL);

  g_weak_ref_set (&self->run, run);
  self->point = *point;
  if (point->rules != NULL)
    mt_rule_set_ref (point->rules);
  return self;
}

MtFrontierItem *
mt_frontier_item_new_edited (MtFrontierItem        *origin,
                             const MtFrontierPoint *point,
                             MtEditHistory         *history)
{
  MtFrontierItem *self = mt_frontier_item_new (mt_frontier_item_get_run (origin), point);

  self->origin = g_object_ref (origin);
  self->history = mt_edit_history_ref (history);
  return self;
}

MtFrontierItem *
mt_frontier_item_get_origin (MtFrontierItem *self)
{
  return self->origin;
}

MtEditHistory *
mt_frontier_item_get_history (MtFrontierItem *self)
{
  return self->history;
}

const MtFrontierPoint *
mt_frontier_item_get_point (MtFrontierItem *self)
{
  return &self->point;
}

gpointer
mt_frontier_item_get_run (MtFrontierItem *self)
{
  gpointer run = g_weak_ref_get (&self->run);

  /* Runs live and die on the main thread, as do the items: the owner of one is on that thread, too. */
  if (run != NULL)
    g_object_unref (run);
  return run;
}

guint
mt_frontier_item_get_n_rules (MtFrontierItem *self)
{
  return self->point.rules != NULL ? mt_rule_set_get_n_rules (self->point.rules) : self->n_rules;
}

void
mt_frontier_item_set_n_rules (MtFrontierItem *self,
                              guint           n_rules)
{
  g_return_if_fail (MT_IS_FRONTIER_ITEM (self));
  self->n_rules = n_rules;
}

void
mt_frontier_item_set_kept (MtFrontierItem *self,
                           MtModel        *model)
{
  g_return_if_fail (MT_IS_FRONTIER_ITEM (self) && model != NULL);

  mt_model_ref (model);
  g_clear_pointer (&self->kept, mt_model_unref);
  self->kept = model;
  if (model != NULL)
    mt_model_read_choice (model, &self->point);
}

char *
mt_frontier_item_dup_choice (MtFrontierItem *self)
{
  const MtFrontierPoint *point;
  g_autofree char *choice = NULL;
  g_autofree char *training = NULL;

  g_return_val_if_fail (MT_IS_FRONTIER_ITEM (self), NULL);

  point = &self->point;
  if (point->rules == NULL || self->history != NULL)
    return NULL;
  choice = mt_frontier_point_dup_choice (point);
  training = mt_frontier_point_dup_training (point);
  if (choice == NULL || training == NULL)
    return g_steal_pointer (&choice);
  return g_strjoin (" ", choice, training, NULL);
}

MtModel *
mt_frontier_item_get_kept (MtFrontierItem *self)
{
  g_return_val_if_fail (MT_IS_FRONTIER_ITEM (self), NULL);
  return self->kept;
}

void
mt_frontier_item_set_rules (MtFrontierItem *self,
                            MtRuleSet      *rules,
                            double          train)
{
  g_return_if_fail (MT_IS_FRONTIER_ITEM (self) && rules != NULL);

  g_clear_pointer (&self->point.rules, mt_rule_set_unref);
  self->point.rules = mt_rule_set_ref (rules);
  self->point.train = train;
}

gboolean
mt_frontier_item_is_recommended (MtFrontierItem *self)
{
  return self->recommended;
}

void
mt_frontier_item_set_recommended (MtFrontierItem *self,
                                  gboolean        recommended)
{
  g_return_if_fail (MT_IS_FRONTIER_ITEM (self));

  if (self->recommended == recommended)
    return;
  self->recommended = recommended;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RECOMMENDED]);
}

gboolean
mt_frontier_item_is_apart (MtFrontierItem *self)
{
  return self->apart;
}

void
mt_frontier_item_set_apart (MtFrontierItem *self,
                            gboolean        apart)
{
  g_return_if_fail (MT_IS_FRONTIER_ITEM (self));
  self->apart = apart;
}

gboolean
mt_frontier_item_is_dominated (MtFrontierItem *self)
{
  return self->dominated;
}

void
mt_frontier_item_set_dominated (MtFrontierItem *self,
                                gboolean        dominated)
{
  g_return_if_fail (MT_IS_FRONTIER_ITEM (self));

  if (self->dominated == dominated)
    return;
  self->dominated = dominated;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DOMINATED]);
}

guint
mt_frontier_item_get_series (MtFrontierItem *self)
{
  g_autoptr (GObject) run = g_weak_ref_get (&self->run);

  if (self->history != NULL)
    return MT_PLOT_SERIES_EDITED;
  return (run != NULL ? mt_run_get_series (MT_RUN (run)) : 0) | (self->apart ? MT_PLOT_SERIES_APART : 0);
}

guint
mt_frontier_item_get_mark (MtFrontierItem *self)
{
  g_autoptr (GObject) run = g_weak_ref_get (&self->run);

  if (self->history != NULL)
    return MT_PLOT_SERIES_EDITED;
  return (run != NULL ? mt_run_get_mark (MT_RUN (run)) : 0) | (self->apart ? MT_PLOT_SERIES_APART : 0);
}

double
mt_frontier_point_get_quality (const MtFrontierPoint *point)
{
  return isnan (point->cv_mean) ? point->train : point->cv_mean;
}

char *
mt_frontier_point_format (const MtFrontierPoint *point)
{
  g_autofree char *mean = mt_format_fixed (mt_frontier_point_get_quality (point), 3);

  return mt_format_with_error (mean, isnan (point->cv_mean) ? NAN : point->cv_se);
}

const double *
mt_frontier_item_get_scores (MtFrontierItem *self,
                             guint          *n_scores)
{
  *n_scores = self->n_scores;
  return self->scores;
}

void
mt_frontier_item_set_scores (MtFrontierItem *self,
                             const double   *scores,
                             guint           n_scores)
{
  g_return_if_fail (MT_IS_FRONTIER_ITEM (self));

  g_free (self->scores);
  self->scores = g_memdup2 (scores, n_scores * sizeof *scores);
  self->n_scores = n_scores;
}
