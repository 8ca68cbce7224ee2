/* From candidate rules to a path of ever simpler models.
 *
 * Starts with every numeric column, every literal, the conjunctions that mt-scan finds and the
 * nodes a network offers, fitted together by mt-head. Then, until only the bias is left:
 *   tables   each rule's truth table is set to what the loss wants, pattern by pattern: exact
 *            for that rule with the rest fixed, and the loss never rises
 *   moves    drop a term; drop an input of a rule, its table set again; drop a conjunction or a
 *            literal of one. The move with the least loss for a literal saved is taken.
 *   refit    and the model is kept.
 *   back     on the last stretch some terms that were dropped come back for another chance, and
 *            thresholds slide within their column: elimination alone is short-sighted.
 *
 * A path in numbers, for 1,000 rows with 30 columns: 200 literals, 10 numbers and 30
 * conjunctions are fitted together, complexity 320, say. The first rounds drop nine terms at a time. At 60 terms it becomes one by one, at 40 terms thresholds begin to slide and
 * dropped terms may return. A hundred models or more are visited; the last one is the bare bias,
 * with complexity 1.
 *
 * With MtRefineOptions.tune a second walk follows (mt-refine-tune.c): models of the first one are made better at the
 * complexity they have, by exchanging literals and by training them as networks.
 *
 * Every model visited is in the path, with its rules, weights and training loss. */
#pragma once

#include "network/mt-progress.h"
#include "network/mt-train.h"
#include "rules/mt-rules.h"

G_BEGIN_DECLS

#define MT_REFINE_MAX_INPUTS 8
#define MT_ROUNDS_AUTO       G_MAXUINT

typedef enum {
  MT_DONT_CARE_MODE_OFF,
  MT_DONT_CARE_MODE_IMPOSSIBLE,
  MT_DONT_CARE_MODE_UNSEEN,       /* impossible and unseen */
} MtDontCareMode;

/* A node to start from: inputs ascending, bit v of the table is assignment v. */
typedef struct {
  guint    n_inputs;
  guint    inputs[MT_REFINE_MAX_INPUTS];
  guint64  table[4];
  gboolean is_linear;                        /* then it has … */
  double   weights[MT_REFINE_MAX_INPUTS];    /* … these, and is true above … */
  double   threshold;                        /* … this */
} MtCandidate;

/* How tuning trains its networks, and what came of it. */
typedef struct {
  MtTrainOptions       options;        /* nodes: at least so many */
  MtTrainProgressFunc  progress;       /* epochs of all trainings are counted on */
  gpointer             progress_data;
  MtTrainResult       *result;         /* with the least loss on the rows set aside; NULL: there was nothing to train; free it */
  guint                n_trainings;
  guint                n_epochs;       /* of all of them … */
  guint64              n_steps;
  double               seconds;
  guint                n_kept;         /* trainings that the model was better after */
} MtRefineTrain;

typedef struct {
  guint              rounds;          /* of the interaction scan; 0: none; MT_ROUNDS_AUTO: by the rows */
  guint              per_round;       /* conjunctions a round; 0: by the number of rows */
  guint              fan_in;          /* inputs of a rule, at most MT_REFINE_MAX_INPUTS */
  double             growth;          /* see MtInteractionScanOptions … */
  double             chance;          /* … and for this one */
  double             ridge;           /* 0: by the task and the numbers of rows and columns */
  MtDontCareMode     dont_care;
  gboolean           balance_classes; /* weigh rows so that every class counts the same */
  gboolean           numeric_terms;   /* offer the standardized columns as unary terms */
  guint              slide_terms;     /* thresholds slide when there are at most so many terms; 0: by the rows */
  guint              back_terms;      /* dropped terms may come back when there are at most so many … */
  guint              n_back;          /* … this many at a time */
  guint              n_tries;         /* as often as this, while it helps */
  gboolean           tune;            /* afterwards, models are made better at equal complexity: mt-refine-tune.c */
  gboolean           few_stops;       /* … at some of the complexities only: for a fold */
  MtRefineTrain     *train;           /* borrowed: tuning trains models as networks; NULL: it does not */
  const gboolean    *banned;          /* per literal; NULL: none */
  const gboolean    *banned_numeric;  /* per numeric column; NULL: none */
  const gboolean    *fine;            /* per literal: no candidate, but a threshold may slide there; NULL: none */
  /* Directions (mt-constraints.h), for tasks of one output: +1, -1 or 0 per literal and per numeric
   * column; both NULL: none. */
  const gint8       *directions;
  const gint8       *numeric_directions;
  /* Two classes: exact sums over rows (mt-refine-sums.h) on "cpu" or "cuda", with the same models; NULL: sums of doubles
   * on the CPU, whose last digits may lead to other models. Any other task: NULL in effect. */
  const char        *sums_device;
  guint64            sums_memory;     /* bytes of a GPU to use at most; 0: what is free */
  gboolean           no_negation;     /* rules without negated literals only */
  const MtCandidate *candidates;
  guint              n_candidates;
} MtRefineOptions;

void mt_refine_options_init (MtRefineOptions *options);
/* Literals that are candidates by themselves. */
guint mt_refine_count_candidates (const MtRefineOptions *options, const MtEncoded *encoded);

typedef struct {
  guint      complexity;
  double     loss;           /* training loss, ridge included: nats, or half squares of the standardized target */
  gboolean   is_tuned;       /* made better at equal complexity; otherwise elimination alone led to it */
  guint      n_trainings;    /* networks trained from it and from the models that led to it … */
  guint      n_kept;         /* … after which the model was better */
  MtRuleSet *rules;
} MtPathModel;

/* @target: class numbers, or numbers to predict. @progress hears of scanning, fitting and eliminating,
 * as of one part without networks. Returns (element-type MtPathModel), in the order
 * visited: from the most complex to the bare bias, then those of tuning. NULL when cancelled or when a number stops
 * being finite. */
GPtrArray *mt_refine_run (const MtEncoded        *encoded,
                          const double           *target,
                          MtTask                  task,
                          guint                   n_outputs,
                          const MtRefineOptions  *options,
                          MtLearnProgressFunc     progress,
                          gpointer                progress_data,
                          GCancellable           *cancellable,
                          GError                **error);

G_END_DECLS
