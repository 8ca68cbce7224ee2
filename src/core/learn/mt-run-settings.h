/* What a person can set for a run, and the presets. mt-setting.h has the table of the members: their names in files and
 * on the command line, ranges and words. The grid of a sweep is in project/mt-sweep.h. */
#pragma once

#include "base/mt-json.h"
#include "data/mt-table.h"
#include "mt-learn.h"

G_BEGIN_DECLS

typedef enum {
  MT_PRESET_SIMPLE,
  MT_PRESET_BALANCED,
  MT_PRESET_ACCURATE,
  MT_N_PRESETS,
} MtPreset;

typedef enum {
  MT_DEVICE_AUTO,
  MT_DEVICE_CPU,
  MT_DEVICE_CUDA,
  MT_N_DEVICES,
} MtDevice;

/* MtTask, after "decide from the target". */
typedef enum {
  MT_TASK_CHOICE_AUTO,
  MT_TASK_CHOICE_BINARY,
  MT_TASK_CHOICE_MULTICLASS,
  MT_TASK_CHOICE_REGRESSION,
  MT_N_TASK_CHOICES,
} MtTaskChoice;

/* A plain value, to be copied as it is. */
typedef struct {
  MtTaskChoice   task;
  /* the paper's */
  guint          bits;             /* thresholds a numeric column */
  MtThresholds   thresholds;
  guint          nodes;            /* of a network */
  guint          fan_in;           /* conditions a rule may look at */
  double         temperature;
  /* networks */
  guint          restarts;         /* networks whose nodes join the candidates; 0: the scan alone finds these */
  gboolean       beside;           /* without those: the rules found become a network, which is trained */
  MtNodeKind     node;
  MtLinearFitTerms head;           /* single conditions that a network weighs next to its nodes */
  MtStart        start;
  double         learning_rate;
  int            batch;            /* MT_BATCH_AUTO: by the number of rows */
  guint          epochs;
  /* rules */
  guint          rounds;           /* of the search for interactions; MT_ROUNDS_AUTO */
  MtDontCareMode dont_care;
  MtLinearTerms  linear_terms;
  gboolean       balance_classes;
  MtMethod       method;           /* of a run without networks: always exact */
  MtLearner      learner;          /* the paper's decides thresholds, start and method, and has a network at least */
  guint          max_literals;     /* of the recommended model; 0: any */
  /* judging */
  guint          folds;
  guint          repeats;          /* times they are dealt out; 0: by the number of rows */
  guint64        seed;
  double         test_fraction;    /* 0: none */
  guint64        split_seed;
  MtDevice       device;
  const char    *constraints;      /* their JSON, interned; NULL: none */
} MtRunSettings;

void     mt_run_settings_init     (MtRunSettings        *settings,
                                   MtPreset              preset);
gboolean mt_run_settings_equal    (const MtRunSettings  *a,
                                   const MtRunSettings  *b);
/* The same but for the seed: such runs share a color and shape. */
gboolean mt_run_settings_alike    (const MtRunSettings  *a,
                                   const MtRunSettings  *b);
/* As it is written: "auto", "cpu" or "cuda". */
const char *mt_run_settings_get_device (const MtRunSettings *settings);
/* Is any network trained? */
gboolean mt_run_settings_has_network (const MtRunSettings *settings);
/* Without the constraints, which @options would only borrow. */
void     mt_run_settings_to_learn (const MtRunSettings  *settings,
                                   MtLearnOptions       *options);
/* The settings that say the same to the learner; constraints as well. */
void     mt_run_settings_from_learn (MtRunSettings        *settings,
                                   const MtLearnOptions *options);
/* The rows to learn from and those kept for the test; both NULL: all are learned from. */
gboolean mt_run_settings_split    (const MtRunSettings  *settings,
                                   const MtTable        *table,
                                   GArray              **train,
                                   GArray              **test,
                                   GError              **error);
/* NULL: none. */
MtConstraints *mt_run_settings_dup_constraints (const MtRunSettings *settings);
void     mt_run_settings_set_constraints (MtRunSettings       *settings,
                                          const MtConstraints *constraints);
/* For a project. Reading leaves what is not there as it is in @settings, and names what is wrong. */
void     mt_run_settings_write    (const MtRunSettings  *settings,
                                   MtJsonWriter         *json);
gboolean mt_run_settings_read     (MtRunSettings        *settings,
                                   const MtJson         *json,
                                   GError              **error);

G_END_DECLS
