/* What other methods give on the rows and folds of a run, found off the main thread and kept for
 * as long as the run is looked at. Signal "changed": found, put away, or failed. */
#pragma once

#include <glib-object.h>

#include "mt-core.h"
#include "mt-selected-model.h"

G_BEGIN_DECLS

#define MT_TYPE_BENCHMARKS (mt_benchmarks_get_type ())

G_DECLARE_FINAL_TYPE (MtBenchmarks, mt_benchmarks, MT, BENCHMARKS, GObject)

MtBenchmarks      *mt_benchmarks_new        (void);
/* Finds them for the rows of @basis and the folds of @options, unless they are there. */
void               mt_benchmarks_find       (MtBenchmarks         *self,
                                             MtRunData              *basis,
                                             const MtLearnOptions *options);
/* Stops what is being found; what was found stays. */
void               mt_benchmarks_stop       (MtBenchmarks         *self);
void               mt_benchmarks_clear      (MtBenchmarks         *self);
gboolean           mt_benchmarks_is_running (MtBenchmarks         *self);
const MtBaselines *mt_benchmarks_get        (MtBenchmarks         *self);   /* NULL: not (yet) */
const GError      *mt_benchmarks_get_error  (MtBenchmarks         *self);   /* NULL: none */

/* "Decision tree, 8 leaves"; what it is called depends on the task. */
char              *mt_benchmark_dup_label   (const MtBaseline     *baseline,
                                             MtTask                task);

G_END_DECLS
