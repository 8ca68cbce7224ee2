/* One training at a time: from the open table to a frontier, off the main thread. The last
 * result stays until another has been found. Signal "changed": it began, went on or ended. */
#pragma once

#include <glib-object.h>

#include "mt-core.h"
#include "mt-fitted.h"

G_BEGIN_DECLS

typedef enum {
  MT_PRESET_SIMPLE,
  MT_PRESET_BALANCED,
  MT_PRESET_ACCURATE,
  MT_N_PRESETS,
} MtPreset;

/* What a person can set; the Model page has the ranges. */
typedef struct {
  guint          bits;           /* thresholds a numeric column */
  guint          fan_in;         /* conditions a rule may look at */
  guint          rounds;         /* of the search for interactions */
  guint          per_round;      /* candidates each round adds */
  MtDontCareMode dont_care;
  gboolean       numeric_terms;
  guint          folds;
  guint          max_literals;   /* of the recommended model; 0: any */
  guint          seed;
} MtRunSettings;

void     mt_run_settings_init  (MtRunSettings       *settings,
                                MtPreset             preset);
gboolean mt_run_settings_equal (const MtRunSettings *a,
                                const MtRunSettings *b);

#define MT_TYPE_RUN (mt_run_get_type ())

G_DECLARE_FINAL_TYPE (MtRun, mt_run, MT, RUN, GObject)

MtRun               *mt_run_new          (void);
/* Stops what is running. */
void                 mt_run_start        (MtRun               *self,
                                          MtTable             *table,
                                          const MtRunSettings *settings);
void                 mt_run_stop         (MtRun               *self);
void                 mt_run_clear        (MtRun               *self);   /* result and error, too */
gboolean             mt_run_is_running   (MtRun               *self);
double               mt_run_get_progress (MtRun               *self);   /* 0 … 1 */
double               mt_run_get_elapsed  (MtRun               *self);   /* seconds, of this or the last run */
const GError        *mt_run_get_error    (MtRun               *self);   /* of the last run; NULL: none */
/* The result and what it was made from; NULL: none yet. The basis has all of what was learnt but the
 * frontier. */
const MtLearned     *mt_run_get_learned  (MtRun               *self);
MtBasis             *mt_run_get_basis    (MtRun               *self);
const MtRunSettings *mt_run_get_settings (MtRun               *self);

G_END_DECLS
