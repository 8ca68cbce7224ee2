/* From a table with a target to a frontier: the whole way, for the window and the command line.
 * target → encoder → folds → refine → frontier; the test rows play no part in it. */
#pragma once

#include "mt-constraints.h"
#include "mt-encoder.h"
#include "mt-frontier.h"
#include "mt-target.h"

G_BEGIN_DECLS

/* How the rows were come by: for the model's file, so that the run can be repeated. */
typedef struct {
  double      test_fraction;   /* of the rows, held out; 0: none */
  guint64     split_seed;      /* of that */
  const char *test_sha256;     /* of a file of its own with the test rows; NULL: none */
  const char *reading;         /* arguments of the command line that read the file so; NULL: it reads itself */
} MtLearnOrigin;

typedef struct {
  const MtTask        *task;         /* NULL: decided from the target */
  MtEncoderOptions     encoder;
  MtFrontierOptions    frontier;
  guint64              seed;         /* of folds and networks */
  const MtConstraints *constraints;  /* borrowed; NULL: none. They set what encoder and refine have of the kind */
  MtLearnOrigin        origin;       /* borrowed */
} MtLearnOptions;

void          mt_learn_options_init   (MtLearnOptions *options);

typedef struct {
  MtTarget     *target;
  MtEncoder    *encoder;
  MtEncoded    *encoded;           /* the training rows whose target is known … */
  MtTargetRows *rows;              /* … and which they are */
  MtFrontier   *frontier;
  double        encode_seconds;
  double        refine_seconds;
} MtLearned;

/* @rows NULL: all rows; those without a target are left out. @progress may be called on any
 * thread, one at a time. */
MtLearned    *mt_learn_run            (const MtTable         *table,
                                       const guint32         *rows,
                                       gsize                  n_rows,
                                       const MtLearnOptions  *options,
                                       MtPool                *pool,
                                       MtLearnProgressFunc    progress,
                                       gpointer               progress_data,
                                       GCancellable          *cancellable,
                                       GError               **error);
/* The fold of each row of @rows, as mt_learn_run() deals them out, for each repeat that the options
 * ask for (none means one); n_folds is not 0. */
guint8       *mt_learn_make_folds     (const MtTable         *table,
                                       const MtTargetRows    *rows,
                                       const MtLearnOptions  *options,
                                       GError               **error);
void          mt_learned_free         (MtLearned             *learned);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLearned, mt_learned_free)

G_END_DECLS
