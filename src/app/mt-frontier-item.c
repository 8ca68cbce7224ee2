#include "config.h"
#include "mt-frontier-item.h"

#include <math.h>

struct _MtFrontierItem {
  GObject                parent_instance;
  const MtFrontierPoint *point;
  gboolean               recommended;
  gboolean               dominated;
};

G_DEFINE_FINAL_TYPE (MtFrontierItem, mt_frontier_item, G_TYPE_OBJECT)

static void
mt_frontier_item_class_init (MtFrontierItemClass *klass)
{
}

static void
mt_frontier_item_init (MtFrontierItem *self)
{
}

MtFrontierItem *
mt_frontier_item_new (const MtFrontierPoint *point,
                      gboolean               recommended,
                      gboolean               dominated)
{
  MtFrontierItem *self = g_object_new (MT_TYPE_FRONTIER_ITEM, NULL);

  self->point = point;
  self->recommended = recommended;
  self->dominated = dominated;
  return self;
}

const MtFrontierPoint *
mt_frontier_item_get_point (MtFrontierItem *self)
{
  return self->point;
}

gboolean
mt_frontier_item_is_recommended (MtFrontierItem *self)
{
  return self->recommended;
}

gboolean
mt_frontier_item_is_dominated (MtFrontierItem *self)
{
  return self->dominated;
}

double
mt_frontier_point_get_quality (const MtFrontierPoint *point)
{
  return isnan (point->cv_mean) ? point->train : point->cv_mean;
}

char *
mt_frontier_point_format (const MtFrontierPoint *point)
{
  if (isnan (point->cv_mean) || isnan (point->cv_se))
    return g_strdup_printf ("%.3f", mt_frontier_point_get_quality (point));
  return g_strdup_printf ("%.3f ± %.3f", point->cv_mean, point->cv_se);
}
