/* Whether the GPU computes what the CPU computes, on the machine at hand.
 *
 * Nets of all tasks and kinds over made-up rows are trained for some steps on both: choices of inputs and
 * truth tables must be the same, losses near. Nets of a batch must have the bits that they have alone,
 * with graphs and in stages of rows, too. Equal scores, early stopping, the metric while training and the
 * sums of the scan are looked at one by one: a fault in any kernel fails some check (tests plant one in each). */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  MT_SELFTEST_PASSED,
  MT_SELFTEST_FAILED,
  MT_SELFTEST_SKIPPED,
} MtSelftestState;

typedef struct {
  char            *name;
  MtSelftestState  state;
  char            *detail;
} MtSelftestCheck;

/* Milliseconds a step and net. */
typedef struct {
  char   *name;
  double  cpu_ms, gpu_ms;
} MtSelftestTiming;

typedef struct {
  char      *device;        /* NULL: none … */
  char      *reason;        /* … and why */
  char      *module;        /* its own name */
  char      *cpu;
  GPtrArray *checks;        /* of MtSelftestCheck; skipped without a device */
  GPtrArray *timings;       /* of MtSelftestTiming */
  gboolean   passed;        /* FALSE without a device, too */
} MtSelftest;

MtSelftest *mt_selftest_run  (gboolean    with_timings);
void        mt_selftest_free (MtSelftest *test);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSelftest, mt_selftest_free)

G_END_DECLS
