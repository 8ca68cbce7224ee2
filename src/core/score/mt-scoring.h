/* A model applied to a CSV of any size, part by part and in constant memory, but for the truth if quality is wanted.
 *
 * What is written has a line of names and one line a row, in the file's order: the key columns as the file has them,
 * the answer (mt_model_append_header()), and reason_1, reason_2 … */
#pragma once

#include "import/mt-import.h"
#include "model/mt-model.h"
#include "mt-drift.h"

G_BEGIN_DECLS

#define MT_SCORING_MAX_REASONS  20
#define MT_SCORING_MAX_MEASURED 2000000u    /* rows that quality is computed from, the first of the file */

/* --- does a file fit? --- */

typedef struct {
  char **absent;        /* columns of the model that the table lacks, NULL-terminated … */
  char **similar;       /* … and the table's column that may be meant, as many; "": none */
  char **spare;         /* columns of the model that the table lacks, and that no rule needs */
  char **unused;        /* columns of the table that the model does not read, without the target */
  gboolean has_target;  /* there is a column of the target's name */
  char  *objection;     /* why the cells cannot be read as the model needs them; NULL: they can */
} MtScoringCheck;

MtScoringCheck *mt_scoring_check      (const MtModel *model, const MtImport *import);
void            mt_scoring_check_free (MtScoringCheck *check);
gboolean        mt_scoring_check_fits (const MtScoringCheck *check);

/* --- scoring --- */

typedef struct {
  char   *name;
  gsize   n_missing;
  gsize   n_unknown;         /* levels that the training rows did not have */
  gsize   n_out_of_range;
  double  psi;               /* NaN: not known */
} MtScoringColumn;

typedef struct {
  gsize             n_rows;
  MtPredictReport   report;
  MtScoringColumn  *columns;       /* as the model's encoder */
  guint             n_columns;
  guint64          *decided;       /* rows by class; NULL for a number */
  guint             n_classes;
  double            sum, min, max; /* of the answers, for a number */
  double            score_psi;     /* NaN: not known */
  char            **header;        /* of what is written */
  GPtrArray        *preview;       /* of char **: the first lines, as the header */
  gboolean          measured;      /* what follows is known */
  gsize             n_measured;
  gsize             n_without_target, n_unknown_class;
  gboolean          cut_off;       /* more rows than are measured */
  MtMetric          metrics[MT_N_METRICS];
  MtInterval        intervals[MT_N_METRICS];
  guint             n_metrics;
} MtScoring;

typedef struct {
  MtImportOptions     import;       /* dialect and schema as the caller wants them; mt_scoring_dup_dialect() */
  gsize               part_size;    /* 0: MT_IMPORT_PART */
  const char * const *keys;         /* columns carried along; NULL: none */
  guint               n_reasons;
  guint               n_preview;    /* lines kept */
  gboolean            measure;      /* if there is a target */
  guint               n_resamples;  /* of the intervals */
  const MtDrift      *drift;        /* the training rows; NULL: not known */
  /* Of the first part, before anything is written; FALSE with an error ends it. May be NULL. */
  gboolean          (*inspect)  (const MtImport *import, gpointer data, GError **error);
  /* Takes lines as they are made. NULL: nothing is written. */
  gboolean          (*write)    (const char *text, gsize length, gpointer data, GError **error);
  gpointer            data;
} MtScoringOptions;

/* What meant missing when the model was made, and the types it needs. */
MtCsvDialect *mt_scoring_dup_dialect (const MtModel *model);
MtScoring    *mt_scoring_run         (const MtModel *model, GFile *file, GInputStream *stream,
                                      const MtScoringOptions *options, GCancellable *cancellable, GError **error);
void          mt_scoring_free        (MtScoring *scoring);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtScoring, mt_scoring_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtScoringCheck, mt_scoring_check_free)

G_END_DECLS
