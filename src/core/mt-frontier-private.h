/* What the parts of mt-frontier share: the frontier itself, and the paths it is made of. */
#pragma once

#include "mt-frontier.h"

G_BEGIN_DECLS

struct _MtFrontier {
  gatomicrefcount  ref_count;
  GPtrArray       *visited;
  GArray          *points;        /* of MtFrontierPoint; rules belong to visited */
  guint            n_scores;      /* a point: folds × repeats */
  guint            n_folds;
  gsize            n_rows;
  MtNet           *net;           /* may be NULL */
  char            *engine;        /* of it */
  guint64          n_steps;
  double           train_seconds;
  double          *fold_scores;   /* n_points × n_scores; NaN where a fold does not define it */
  guint            selected;
  gboolean         is_stopped;
};

/* A model that is worth having, for it is better than all simpler ones, and its metric. */
typedef struct {
  guint  complexity;
  double score;
} MtFoldPoint;

/* Rules of many inputs fit more than single literals, and so more of the noise. Which way leads to the
 * better model depends on the data and the complexity: both are gone, and the folds choose. */
typedef enum {
  MT_PATH_FULL,     /* conjunctions and tables beside single literals */
  MT_PATH_PLAIN,    /* numeric columns and single literals only */
  MT_N_PATHS
} MtPathKind;

/* What elimination found on all rows, and what the folds say of it. */
typedef struct {
  GPtrArray  *best;          /* of MtVisited, ascending: those that no simpler one beats; NULL: not gone */
  GArray     *train;         /* of MtFoldPoint: their metric on the training rows */
  GArray    **fold_points;   /* per fold and repeat: of MtFoldPoint, ascending */
} MtFrontierPath;

/* --- points and choice (mt-frontier-choice.c) --- */

/* Makes the points of @paths, by MtPathKind, with means and standard errors over the folds: at every
 * complexity the model of the path that the folds think better. */
void mt_frontier_make_points (MtFrontier           *self,
                              const MtFrontierPath *paths);

G_END_DECLS
