/* A point of the frontier as a row of its table. */
#pragma once

#include <glib-object.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_FRONTIER_ITEM (mt_frontier_item_get_type ())

G_DECLARE_FINAL_TYPE (MtFrontierItem, mt_frontier_item, MT, FRONTIER_ITEM, GObject)

MtFrontierItem        *mt_frontier_item_new       (const MtFrontierPoint *point,   /* outlives the item */
                                                   gboolean               recommended,
                                                   gboolean               dominated);  /* a simpler one is as good */
const MtFrontierPoint *mt_frontier_item_get_point (MtFrontierItem        *self);
gboolean               mt_frontier_item_is_recommended (MtFrontierItem   *self);
gboolean               mt_frontier_item_is_dominated   (MtFrontierItem   *self);
/* What the folds say, or without folds the training rows. */
double                 mt_frontier_point_get_quality (const MtFrontierPoint *point);
/* "0.923 ± 0.010" */
char                  *mt_frontier_point_format   (const MtFrontierPoint *point);

G_END_DECLS
