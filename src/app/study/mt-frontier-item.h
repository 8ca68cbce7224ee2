/* A point of the frontier as a row of its table: a model, how good it is, and which run found it. */
#pragma once

#include <glib-object.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_FRONTIER_ITEM (mt_frontier_item_get_type ())

G_DECLARE_FINAL_TYPE (MtFrontierItem, mt_frontier_item, MT, FRONTIER_ITEM, GObject)

/* @run: an MtRun. Its rules may be NULL while a project is still being read. */
MtFrontierItem        *mt_frontier_item_new       (GObject               *run,
                                                   const MtFrontierPoint *point);
/* @origin, edited: @history says how. Of the same run. */
MtFrontierItem        *mt_frontier_item_new_edited (MtFrontierItem       *origin,
                                                   const MtFrontierPoint *point,
                                                   MtEditHistory         *history);
/* The one as it was learned; NULL: this one is. */
MtFrontierItem        *mt_frontier_item_get_origin (MtFrontierItem       *self);
MtEditHistory         *mt_frontier_item_get_history (MtFrontierItem      *self);   /* NULL: not edited */
const MtFrontierPoint *mt_frontier_item_get_point (MtFrontierItem        *self);
/* The MtRun that found it; NULL: it is gone. */
gpointer               mt_frontier_item_get_run   (MtFrontierItem        *self);
/* Once the model has been read. */
void                   mt_frontier_item_set_rules (MtFrontierItem        *self,
                                                   MtRuleSet             *rules,
                                                   double                 train);
/* The model as a project had it, with the settings of its run; NULL: it was found in this session. */
void                   mt_frontier_item_set_kept  (MtFrontierItem        *self,
                                                   MtModel               *model);
MtModel               *mt_frontier_item_get_kept  (MtFrontierItem        *self);
guint                  mt_frontier_item_get_n_rules (MtFrontierItem      *self);
void                   mt_frontier_item_set_n_rules (MtFrontierItem      *self,   /* as long as there are none */
                                                   guint                  n_rules);
/* What the folds thought of the ways to it, and how many rules training and exchanges changed, in sentences; NULL: that is
 * not known, or it was edited. */
char                  *mt_frontier_item_dup_choice (MtFrontierItem       *self);
/* What each fold said of it, of every repeat; none: not known. */
const double          *mt_frontier_item_get_scores (MtFrontierItem       *self,
                                                   guint                 *n_scores);
void                   mt_frontier_item_set_scores (MtFrontierItem       *self,
                                                   const double          *scores,
                                                   guint                  n_scores);
/* Among the points of all runs; property "recommended". */
gboolean               mt_frontier_item_is_recommended (MtFrontierItem   *self);
void                   mt_frontier_item_set_recommended (MtFrontierItem  *self,
                                                   gboolean               recommended);
/* One that is no more complex is as good; property "dominated". */
gboolean               mt_frontier_item_is_dominated   (MtFrontierItem   *self);
void                   mt_frontier_item_set_dominated  (MtFrontierItem   *self,
                                                   gboolean               dominated);
/* Of data that have changed since, shown with models of the present ones: it takes no part in the frontier. */
gboolean               mt_frontier_item_is_apart       (MtFrontierItem   *self);
void                   mt_frontier_item_set_apart      (MtFrontierItem   *self,
                                                   gboolean               apart);
/* What the folds say, or without folds the training rows. */
double                 mt_frontier_point_get_quality (const MtFrontierPoint *point);
/* Colour and shape: those of its run, or of edited models; hollow where it stands apart. */
guint                  mt_frontier_item_get_series (MtFrontierItem       *self);
/* How it is drawn: mt_run_get_mark (), hollow if it stands apart; or as edited. */
guint                  mt_frontier_item_get_mark   (MtFrontierItem       *self);
/* "0.923 ± 0.010", or "0.500" where the folds say the same. */
char                  *mt_frontier_point_format   (const MtFrontierPoint *point);

G_END_DECLS
