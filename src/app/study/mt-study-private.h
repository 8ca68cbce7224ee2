/* MtStudy internals: its queue (mt-study.c), its models, the selection, and its progress. */
#pragma once

#include "mt-study.h"

G_BEGIN_DECLS

struct _MtStudy {
  GObject         parent_instance;

  GListStore     *runs;
  MtRunQueue     *queue;         /* of the jobs of runs; NULL: nothing was trained yet */
  MtRun          *current;       /* works; NULL: none */
  MtRun          *last;          /* the same, or the one that ended last */
  guint           batch;         /* place of the first run of those queued together */
  gint64          batch_started;
  double          batch_seconds;
  char           *data;          /* that are open, by the SHA-256 of their file; NULL: not known */
  gboolean        telling;       /* runs are being marked as new or earlier data, recommended or not */
  gboolean        quiet;         /* many runs change at once; "changed" comes afterwards */

  GListStore     *points;
  GPtrArray      *edited;        /* of MtFrontierItem */
  gboolean        show_earlier;
  guint           n_earlier;     /* points of earlier data, in addition to those of the present ones */
  MtFrontierItem *recommended;
  MtFrontierItem *selected;
  MtFrontierItem *base;          /* what it is compared with; NULL: the selected one */
  MtFrontierItem *compared;
  MtFrontierItem *pins[2];
  MtSelectedModel       *fitted;
  GCancellable   *preparing;     /* the basis that is being made; NULL: none … */
  MtRun          *preparing_for; /* … borrowed: and for whom */
  guint           restoring;     /* source that looks at what was read of restored runs; 0: nothing new */
};

/* mt-study.c */
guint  _mt_study_count_runs   (MtStudy *self);
MtRun *_mt_study_run_at       (MtStudy *self,       /* borrowed: the list holds it */
                               guint    index);
void   _mt_study_tell_runs    (MtStudy *self);
/* mt-study-points.c */
/* @like: its target is what the points are about; NULL: none are shown. */
void   _mt_study_merge_points (MtStudy *self,
                               MtRun   *like);
/* The points stay those that are shown. */
void   _mt_study_merge_again  (MtStudy *self);
/* The same points, of which more is known; what is selected stays. */
void   _mt_study_merge_restored (MtStudy *self);

G_END_DECLS
