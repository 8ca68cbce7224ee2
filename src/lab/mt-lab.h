/* The experiments of the TT-Sparse paper, run by minterm-cli reproduce and by nothing else.
 *
 * An experiment is a list of jobs: one data set, one method, one seed. A job's cells go to a file of their own under
 * OUT/cells as soon as it is done, whole or not at all, so a run that was stopped goes on where it was. After the jobs, the
 * cells of all jobs, old and new, become tables (TSV and Markdown) and pictures (SVG) next to the paper's figures. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  double      done;            /* share of the expected work, 0 … 1 */
  double      seconds_left;    /* until the work or the budget is done, about */
  guint       n_done, n_jobs;
  const char *job;             /* the last one begun */
} MtLabProgress;

/* On any thread, one at a time. */
typedef void (*MtLabProgressFunc) (const MtLabProgress *progress,
                                   gpointer             user_data);

typedef struct {
  const char         *data;      /* folder with manifest.tsv and the files it names */
  const char         *out;       /* folder; made if need be */
  const char * const *only;      /* experiments, NULL-terminated; NULL: all */
  double              budget;    /* seconds; 0: none */
  gboolean            is_full;   /* the paper's whole grids and every seed on every data set */
  guint               n_threads; /* 0: as many as there are */
  const char         *peers;     /* folder with a file DATASET.csv of other methods' results (mt-results.h); NULL: none */
  const char         *command;   /* as the page says it; NULL: not said */
  MtLabProgressFunc   progress;
  gpointer            progress_data;
} MtLabOptions;

typedef struct {
  guint n_jobs, n_done, n_before, n_failed;   /* n_before: found on the disk */
  guint n_cells, n_reproduced, n_differ, n_not_run;
  double seconds;
} MtLabSummary;

/* Cancelling is no error: the tables are written with what is there. MT_ERROR_PARAMS: no such experiment. */
gboolean     mt_lab_run               (const MtLabOptions *options,
                                       GCancellable       *cancellable,
                                       MtLabSummary       *summary,
                                       GError            **error);
/* Names and titles in pairs, NULL-terminated. */
const char * const *mt_lab_get_experiments (void);

G_END_DECLS
