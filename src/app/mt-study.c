#include "config.h"
#include "mt-study.h"

#include <math.h>

struct _MtStudy {
  GObject         parent_instance;

  MtRun          *run;
  GListStore     *points;
  MtFrontierItem *recommended;
  MtFrontierItem *selected;
  MtFitted       *fitted;
  const MtLearned *shown;      /* borrowed from the run: whose points are listed */
};

enum {
  PROP_0,
  PROP_SELECTED,
  PROP_FITTED,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtStudy, mt_study, G_TYPE_OBJECT)

/* --- the selected point --- */

static void
prepare_fitted (MtStudy *self)
{
  const MtFrontierPoint *point = self->selected != NULL ? mt_frontier_item_get_point (self->selected) : NULL;
  MtRun *run = self->selected != NULL ? mt_frontier_item_get_run (self->selected) : NULL;
  MtBasis *basis = run != NULL ? mt_run_get_basis (run) : NULL;

  g_clear_pointer (&self->fitted, mt_fitted_unref);
  if (point != NULL && point->rules != NULL && basis != NULL)
    self->fitted = mt_fitted_new (basis, point);
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

/* --- the points --- */

static void
list_points (MtStudy *self)
{
  const MtLearned *learned = mt_run_get_learned (self->run);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  double best = -INFINITY;
  guint recommended;

  if (learned == self->shown)
    return;
  self->shown = learned;
  for (guint i = 0; learned != NULL && i < mt_frontier_get_n_points (learned->frontier); i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (learned->frontier, i);
      MtFrontierItem *item = mt_frontier_item_new (G_OBJECT (self->run), point);

      mt_frontier_item_set_dominated (item, mt_frontier_point_get_quality (point) <= best);
      best = MAX (best, mt_frontier_point_get_quality (point));
      g_ptr_array_add (items, item);
    }
  recommended = learned != NULL ? mt_frontier_get_selected (learned->frontier) : 0;
  g_set_object (&self->recommended, (recommended < items->len ? items->pdata[recommended] : NULL));
  if (self->recommended != NULL)
    mt_frontier_item_set_recommended (self->recommended, TRUE);
  g_list_store_splice (self->points, 0, g_list_model_get_n_items (G_LIST_MODEL (self->points)), items->pdata,
                       items->len);
  mt_study_set_selected (self, self->recommended);
}

static void
on_run_changed (MtStudy *self)
{
  list_points (self);
  g_signal_emit (self, changed_signal, 0);
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
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_study_finalize (GObject *object)
{
  MtStudy *self = MT_STUDY (object);

  g_clear_pointer (&self->fitted, mt_fitted_unref);
  g_clear_object (&self->selected);
  g_clear_object (&self->recommended);
  g_clear_object (&self->points);
  g_clear_object (&self->run);
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
  properties[PROP_FITTED] = g_param_spec_boxed ("fitted", NULL, NULL, MT_TYPE_FITTED,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
mt_study_init (MtStudy *self)
{
  self->points = g_list_store_new (MT_TYPE_FRONTIER_ITEM);
}

MtStudy *
mt_study_new (MtRun *run)
{
  MtStudy *self = g_object_new (MT_TYPE_STUDY, NULL);

  self->run = g_object_ref (run);
  g_signal_connect_object (run, "changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
  return self;
}
