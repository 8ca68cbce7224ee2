/* From a table with a target to a frontier: the whole way, for the window and the command line.
 * target → encoder → folds → refine → frontier; the test rows play no part in it. */
#pragma once

#include "rules/mt-constraints.h"
#include "encode/mt-encoder.h"
#include "mt-frontier.h"
#include "data/mt-target.h"

G_BEGIN_DECLS

/* How the rows were come by: for the model's file, so that the run can be repeated. */
typedef struct {
  double      test_fraction;   /* of the rows, held out; 0: none */
  guint64     split_seed;      /* of that */
  const char *test_sha256;     /* of a file of its own with the test rows; NULL: none */
  const char *reading;         /* arguments of the command line that read the file so; NULL: it reads itself */
} MtLearnOrigin;

/* A device failed (@error says how), and the CPU continues from what had been learned. On any thread. */
typedef void (*MtLearnFallBackFunc) (const GError *error,
                                     gpointer      user_data);

/* Where a numeric column is cut. */
typedef enum {
  MT_THRESHOLDS_AUTO,     /* few rows, or networks to train: unique. Otherwise at quantiles of rows and of distinct
                           * values, half and half, and thresholds slide among four to sixteen times as many */
  MT_THRESHOLDS_UNIQUE,   /* at quantiles of its distinct values, and nowhere else: as the published code has it */
  MT_THRESHOLDS_ROWS,     /* at quantiles of the rows, as the paper says */
} MtThresholds;

/* How a numeric column may count as such, in addition to its thresholds. */
typedef enum {
  MT_LINEAR_TERMS_NONE,
  MT_LINEAR_TERMS_PLAIN,    /* a weight per unit */
  MT_LINEAR_TERMS_SHAPED,   /* or per doubling, or per unit within limits (mt-encoder.h); magnitude pruning stays plain */
} MtLinearTerms;

typedef struct {
  const MtTask        *task;         /* NULL: decided from the target */
  MtLinearTerms        linear_terms; /* sets what encoder and refine have of the kind */
  MtThresholds         thresholds;
  MtEncoderOptions     encoder;      /* thresholds decide its quantiles */
  MtFrontierOptions    frontier;
  guint64              seed;         /* of folds and networks */
  const MtConstraints *constraints;  /* borrowed; NULL: none. They set what encoder and refine have of the kind */
  MtLearnOrigin        origin;       /* borrowed */
  MtLearnFallBackFunc  fall_back;    /* NULL: a device that fails is an error */
  gpointer             fall_back_data;
} MtLearnOptions;

void          mt_learn_options_init   (MtLearnOptions *options);
/* What a method stands for; other settings stay. */
void          mt_learn_options_set_learner (MtLearnOptions *options,
                                       MtLearner             learner);
/* Whether refinement may use finer thresholds than the candidates, with so many training rows. */
gboolean      mt_learn_has_fine_thresholds (const MtLearnOptions *options,
                                       gsize                  n_rows);

typedef struct {
  MtTarget     *target;
  MtEncoder    *encoder;
  MtEncoded    *encoded;           /* the training rows whose target is known … */
  MtTargetRows *rows;              /* … and which they are */
  MtFrontier   *frontier;
  guint         n_offered;         /* columns that were screened (mt-screen.h) … */
  guint         n_kept;            /* … and those of them that all rows kept; 0: all columns were searched */
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
/* The same in two steps, so that the networks of many can be trained together in between: rows, bits and
 * folds; then, which frees the plan, the frontier. */
typedef struct _MtLearnPlan MtLearnPlan;

/* The encoder and the encoded rows of a plan, for others over the same rows. */
typedef struct _MtLearnBits MtLearnBits;   /* immutable, refcounted */

MtLearnBits  *mt_learn_bits_ref       (MtLearnBits           *bits);
void          mt_learn_bits_unref     (MtLearnBits           *bits);

/* @like (may be NULL): of a plan over the same rows; where the encoder's settings are the same, too, the bits are shared.
 * @options are borrowed until the plan is run. */
MtLearnPlan  *mt_learn_plan_new       (const MtTable         *table,
                                       const guint32         *rows,
                                       gsize                  n_rows,
                                       const MtLearnOptions  *options,
                                       const MtLearnBits     *like,
                                       MtLearnProgressFunc    progress,
                                       gpointer               progress_data,
                                       GCancellable          *cancellable,
                                       GError               **error);
MtLearnBits  *mt_learn_plan_ref_bits  (const MtLearnPlan     *plan);
MtTask        mt_learn_plan_get_task  (const MtLearnPlan     *plan);
/* The plan's networks, for mt_network_batch_train(); they belong to it. */
struct _MtNetworkBatch *mt_learn_plan_make_networks (MtLearnPlan *plan);
MtLearned    *mt_learn_plan_run       (MtLearnPlan           *plan,
                                       MtPool                *pool,
                                       MtLearnProgressFunc    progress,
                                       gpointer               progress_data,
                                       GCancellable          *cancellable,
                                       GError               **error);
void          mt_learn_plan_free      (MtLearnPlan           *plan);

/* The fold of each row of @rows, as mt_learn_run() deals them out, for each repeat that the options
 * ask for (none means one); n_folds is not 0. */
guint8       *mt_learn_make_folds     (const MtTable         *table,
                                       const MtTargetRows    *rows,
                                       const MtLearnOptions  *options,
                                       GError               **error);
void          mt_learned_free         (MtLearned             *learned);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLearned, mt_learned_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLearnPlan, mt_learn_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLearnBits, mt_learn_bits_unref)

G_END_DECLS
