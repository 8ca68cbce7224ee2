/* What a report is made from: the model one looks at, the rows that are open, and what was written
 * for it. Immutable and counted; everything that takes time may be done on another thread. */
#pragma once

#include "document/mt-document.h"
#include "study/mt-benchmarks.h"
#include "study/mt-selected-model.h"
#include "study/mt-study.h"

G_BEGIN_DECLS

#define MT_NOTE_PAPER "paper"    /* "letter"; none: A4 */

typedef struct {
  MtModel        *model;         /* opened by itself; NULL: that of … */
  MtSelectedModel       *fitted;
  MtImport       *import;        /* NULL: no rows */
  char           *data_name;
  GPtrArray      *findings;      /* of MtFinding, as the Data page has them; NULL: it is still looking */
  char           *texts[MT_N_REPORT_TEXTS];
  char           *reasons;       /* mt-reason-notes.h */
  MtSearchRecord       *record;        /* what was tried; NULL: not known */
  char           *checks;        /* what engines said, JSON; NULL: nothing */
  char          **by;            /* columns of groups */
  char           *reading;       /* how the file was read: mt_decisions_dup_arguments(); NULL: as it comes */
  gboolean        spare_test;    /* pages show nothing of the test rows; what is saved does */
  guint           n_tested;      /* models whose test figures were shown, with this one */
  MtPaper         paper;
  gint64          date;
} MtReportInput;

/* What @study looks at, learned from what @document has open. @benchmarks: of the Frontier page; @checks: of the engines; may be NULL. */
MtReportInput *mt_report_input_new       (MtStudy              *study,
                                          MtDocument           *document,
                                          MtBenchmarks         *benchmarks,
                                          const MtVerifyReport *checks);
/* A model opened by itself. @path: where it is, to find what was tried; may be NULL. */
MtReportInput *mt_report_input_new_bare  (MtModel              *model,
                                          const char           *path,
                                          MtDocument           *document,
                                          const MtVerifyReport *checks);
MtReportInput *mt_report_input_ref       (MtReportInput   *input);
void           mt_report_input_unref     (MtReportInput   *input);
/* Whether they give the same model; and the same report, but for the date. Either may be NULL. */
gboolean       mt_report_input_same_model (const MtReportInput *a,
                                          const MtReportInput *b);
gboolean       mt_report_input_equal     (const MtReportInput *a,
                                          const MtReportInput *b);
const MtRuleSet *mt_report_input_get_rules (const MtReportInput *input);
const MtEncoder *mt_report_input_get_encoder (const MtReportInput *input);
/* What tells its model from others: a hash of its rules and weights. */
char          *mt_report_input_dup_key   (const MtReportInput *input);
gboolean       mt_report_input_has_test  (const MtReportInput *input);   /* rows were held out, and they are here */
/* With its reasons. */
MtModel       *mt_report_input_dup_model (MtReportInput   *input,
                                          GError         **error);

/* --- on a thread of their own --- */

void           mt_report_input_lay_out   (MtReportInput       *input,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
MtReportPages *mt_report_input_lay_out_finish (GAsyncResult   *result,
                                          GError             **error);
/* Writes the report, whole or not at all, as PDF or as HTML; @owner is the callback's source. @progress
 * tells it, on the main thread, which of three steps is at work, 0 measuring, 1 laying out, 2 writing, and how
 * much of all is done, 0…1. */
typedef void (*MtReportProgress) (gpointer owner,
                                  guint    step,
                                  double   done);
void           mt_report_input_save      (MtReportInput       *input,
                                          const char          *path,
                                          gboolean             as_pdf,
                                          gpointer             owner,
                                          GCancellable        *cancellable,
                                          MtReportProgress     progress,
                                          GAsyncReadyCallback  callback);
gboolean       mt_report_input_save_finish (GAsyncResult      *result,
                                          GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtReportInput, mt_report_input_unref)

G_END_DECLS
