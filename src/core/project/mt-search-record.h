/* What was tried on the way to a model: the frontier that it was chosen from, how the folds judged it, the
 * benchmarks next to it, other runs, and what a person decided. For the audit report.
 *
 * Two sources: a run of minterm-cli train, which keeps it next to the model (MODEL.json →
 * MODEL.record.json), and a project. Nothing in it comes from test rows, but it says for which models test figures
 * were shown. Immutable once made.
 * Sizes: 10–5,000 points, 1–1,000 runs. */
#pragma once

#include "learn/mt-baselines.h"
#include "model/mt-model.h"
#include "mt-project.h"
#include "mt-run-device.h"

G_BEGIN_DECLS

#define MT_SEARCH_RECORD_FORMAT     "minterm-record"
#define MT_SEARCH_RECORD_MAX_POINTS 100000u

typedef struct {
  guint  run;               /* index into runs */
  guint  literals;
  guint  n_rules;
  double cv_mean, cv_se;    /* NaN: not measured */
  double train;             /* NaN: not known */
} MtSearchRecordPoint;

typedef struct {
  char        *name;
  guint64      seed;
  MtRunState   state;
  MtRunDevice *device;       /* NULL: not recorded */
} MtSearchRecordRun;

typedef struct {
  char       *model_sha256;      /* mt_search_record_dup_tie(); NULL: not tied to one */
  char       *source;            /* name of the data's file; NULL: not known */
  GArray     *runs;              /* of MtSearchRecordRun */
  GArray     *points;            /* of MtSearchRecordPoint, run after run, literals ascending */
  int         chosen;            /* points; -1: not known */
  int         recommended;
  double     *folds;             /* scores of the chosen point; NaN: not defined there */
  guint       n_folds;
  MtBaseline  baselines[MT_N_BASELINES];
  guint       n_baselines;       /* 0: not made */
  GPtrArray  *dismissals;        /* of MtProjectDismissal; NULL: not kept */
  GPtrArray  *edits;             /* of MtProjectEdit; NULL: not kept */
  /* Which of the model's terms the other runs have, each in its model of the nearest complexity. */
  guint       n_compared;        /* other runs */
  guint      *recurs;            /* by term; NULL: nothing to compare with */
  char      **tested;            /* keys (mt-test-set-ledger.h) of all models whose test figures the run showed; NULL: it
                                  * showed those of the chosen model at most */
} MtSearchRecord;

MtSearchRecord *mt_search_record_new         (void);   /* of nothing */
/* @baselines may be NULL. */
MtSearchRecord *mt_search_record_new_learned (const MtLearned *learned, guint chosen, const MtBaselines *baselines,
                                              const MtModel *model);
/* The run showed the test figures of every point. */
void      mt_search_record_set_tested  (MtSearchRecord *record, const MtLearned *learned);
/* @model: one of its points, as it was chosen there. */
MtSearchRecord *mt_search_record_new_project (MtProject *project, const MtModel *model, GError **error);
void      mt_search_record_free        (MtSearchRecord *record);

char     *mt_search_record_dup_path    (const char *model_path);
char     *mt_search_record_to_json     (const MtSearchRecord *record, gsize *length);
/* MT_ERROR_PARSE names the field that is wrong. */
MtSearchRecord *mt_search_record_from_json   (const char *json, gssize length, GError **error);
/* Saves both as one: a reader, after a fault or a kill, finds both old or both new. The record gets the mode of the
 * model. */
gboolean  mt_search_record_save        (const MtSearchRecord *record, const MtModel *model, const char *model_path,
                                        GError **error);
/* Before the record at @path is looked for: finishes or takes back what a killed save of it left. */
void      mt_search_record_settle      (const char *path, const MtModel *model);
/* MT_ERROR_CHANGED when it belongs to another model than @model. */
MtSearchRecord *mt_search_record_load        (const char *path, const MtModel *model, GError **error);

/* SHA-256 of the model's file as it would be without reasons: those may be written at any time. */
char     *mt_search_record_dup_tie     (const MtModel *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSearchRecord, mt_search_record_free)

G_END_DECLS
