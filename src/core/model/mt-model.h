/* A model that stands alone: encoder + rules + what is predicted, how well, and from what.
 *
 * It predicts from a table of raw columns, by the rules and nothing else. Kept as one JSON
 * document (data/minterm-model.schema.json) that people can read: members in a fixed order,
 * doubles in their shortest form, no times and no paths, so equal models are equal bytes. Its
 * last member is a SHA-256 over all bytes before it. Reading trusts nothing: every type,
 * range, length, id, cover and table is checked, and what is wrong is named.
 *
 * Immutable and counted. Sizes: 10–100 columns, 1–60 terms, 10–500 kB of JSON. */
#pragma once

#include <gio/gio.h>

#include "rules/mt-constraints.h"
#include "mt-edit.h"
#include "encode/mt-encoder.h"
#include "import/mt-import.h"
#include "rules/mt-metrics.h"
#include "rules/mt-rules.h"
#include "data/mt-schema.h"

G_BEGIN_DECLS

#define MT_MODEL_FORMAT         "minterm-model"
#define MT_MODEL_FORMAT_VERSION 5   /* what older versions can read, they may: 4 without rule numbers and the edits that came
                                     * with them, 3 without derived columns, 2 without a cutoff
                                     * of its own either, and 1 where no number has shapes either */
#define MT_MODEL_MAX_BYTES      (32u * 1024 * 1024)
#define MT_MODEL_MAX_COLUMNS    100000u
#define MT_MODEL_MAX_TERMS      10000u
#define MT_MODEL_MAX_NUMBER     1000000u    /* of a rule */
#define MT_MODEL_MAX_METRICS    1000u
#define MT_MODEL_MAX_SETTINGS   1000u
#define MT_MODEL_MAX_TOKENS     1000u

/* How well the model did: on the rows of @part ("train", "validation", "cv", "test"). */
typedef struct {
  const char *part;
  MtMetric    metric;
  double      value;
  gboolean    has_interval;
  double      low, high;     /* has_interval: of a bootstrap, or mean ∓ standard error for cv */
} MtModelMetric;

typedef enum {
  MT_SETTING_NUMBER,
  MT_SETTING_TEXT,
  MT_SETTING_BOOLEAN,
} MtSettingKind;

/* What the run was told, by name: "bits", "refine", …; written in the order given. */
typedef struct {
  const char    *name;       /* letters, digits, _ and - */
  MtSettingKind  kind;
  double         number;
  const char    *text;
  gboolean       boolean;
} MtModelSetting;

/* What a customer is told when a term decided: `Age ≥ 55` → "Your age". By the term's text, so that
 * it survives edits of the other terms. */
typedef struct {
  const char *term;
  const char *text;          /* not empty */
} MtModelReason;

#define MT_MODEL_NOT_COUNTED G_MAXUINT64

/* All that a model knows besides encoder and rules. To mt_model_new() everything is borrowed. */
typedef struct {
  const char           *target;          /* the column predicted */
  const char * const   *classes;         /* NULL-terminated; NULL for regression. Binary: the second is p's */
  const char           *dont_care;       /* "off", "impossible" or "unseen" */
  const MtConstraints  *constraints;     /* that the rules keep to, which is checked; NULL: none */
  /* Rows on which rules and network decide differently; MT_MODEL_NOT_COUNTED: not counted. */
  guint64               train_differ;
  guint64               test_differ;
  const MtModelMetric  *metrics;
  guint                 n_metrics;
  /* Where it comes from. */
  const char           *version;         /* of the program that made it */
  const char           *engine;          /* "cpu", "cpu-avx2", "cuda", … */
  const char           *data_sha256;     /* 64 hexadecimal digits, or NULL: data without a file */
  guint64               n_rows;          /* of the data */
  guint64               n_train;
  guint64               n_test;
  guint64               seed;
  const MtModelSetting *settings;
  guint                 n_settings;
  const char * const   *missing_tokens;  /* that mean missing in its files; NULL: the usual ones */
  const char * const   *target_missing;  /* and in the column predicted only; NULL: no others */
  const MtModelReason  *reasons;         /* of terms that are not there: left out */
  guint                 n_reasons;
  const MtEditRecord   *edits;           /* what was changed by hand, in that order */
  guint                 n_edits;
} MtModelInfo;

/* version: this program; nothing counted; everything else empty. */
void               mt_model_info_init       (MtModelInfo *info);

typedef struct _MtModel MtModel;

/* MT_ERROR_PARSE names the field that is wrong. */
MtModel           *mt_model_new             (MtEncoder *encoder, MtRuleSet *rules, const MtModelInfo *info,
                                             GError **error);
MtModel           *mt_model_ref             (MtModel *model);
void               mt_model_unref           (MtModel *model);
const MtEncoder   *mt_model_get_encoder     (const MtModel *model);
const MtRuleSet   *mt_model_get_rules       (const MtModel *model);
const MtModelInfo *mt_model_get_info        (const MtModel *model);
MtTask             mt_model_get_task        (const MtModel *model);
double             mt_model_get_cutoff      (const MtModel *model);   /* of two classes: see mt-rules.h */
guint              mt_model_get_n_classes   (const MtModel *model);   /* 0 for regression */
/* The metric of @part; FALSE when it was not measured. */
gboolean           mt_model_get_metric      (const MtModel *model, const char *part, MtMetric metric,
                                             double *value);

/* The reason's text, or NULL when the term has none. */
const char        *mt_model_get_reason      (const MtModel *model, guint term);
/* The same model with another reason for a term; NULL or "" takes it away. */
MtModel           *mt_model_with_reason     (const MtModel *model, guint term, const char *text, GError **error);
/* The model with edited @rules: what was measured or counted of it before no longer holds, but for the
 * figure of the folds, which moves by what they said of the edits. @train: its metric on the training rows;
 * NaN: not measured. */
MtModel           *mt_model_with_edits      (const MtModel *model, MtRuleSet *rules, const MtEditHistory *history,
                                             double train, GError **error);
/* As far as a model knows it: without rows. */
void               mt_model_init_edit       (const MtModel *model, MtEditContext *context);
/* What means missing in its files. */
const char * const *mt_model_get_missing_tokens (const MtModel *model);

/* --- the file --- */

char              *mt_model_to_json         (const MtModel *model, gsize *length);
MtModel           *mt_model_from_json       (const char *json, gsize length, GError **error);
gboolean           mt_model_save            (const MtModel *model, const char *path, GError **error);
MtModel           *mt_model_load            (const char *path, GError **error);

/* --- predicting --- */

/* The types that the model's columns must be read with, since a file of few rows would suggest others, and
 * what means missing in one of them only. The target has a type for regression only: classes are known by
 * their text or number. */
MtSchema          *mt_model_dup_schema      (const MtModel *model);
/* A cell that is no number where the model needs one was read as missing, with a finding. That is
 * the wrong column more often than a gap: MT_ERROR_SCHEMA says which cells. Nor is a model applied to numbers or
 * dates that can be read two ways, or to one of two columns of a name. */
gboolean           mt_model_check_import    (const MtModel *model, const MtImport *import, GError **error);

typedef struct {
  MtEncodeReport encode;
  gsize          n_unseen_patterns;   /* rows on which some rule meets an assignment no training row had */
} MtPredictReport;

/* How many values mt_model_predict() gives a row: 1, or multiclass one a class. */
guint              mt_model_get_n_predictions (const MtModel *model);
/* By column of the encoder: whether a term reads it. (transfer full) */
gboolean          *mt_model_find_used       (const MtModel *model);
/* @predictions: n_predictions × n_rows, as mt-metrics.h takes them. @rows NULL: all rows. Columns that no term reads may be
 * absent. MT_ERROR_SCHEMA when the table does not fit, MT_ERROR_NUMERIC when a score is not finite. */
gboolean           mt_model_predict         (const MtModel *model, const MtTable *table,
                                             const guint32 *rows, gsize n_rows,
                                             double *predictions, MtPredictReport *report, GError **error);
/* The class decided from predictions[row]: of two the second if it is above the cutoff, of more the most probable, of
 * equals the first. */
guint              mt_model_decide          (const MtModel *model, const double *predictions,
                                             gsize n_rows, gsize row);
/* Predictions as a CSV: the names `prediction` and `p_<class>` …, and the cells of a row; what else
 * stands in the line is the caller's, and its end. */
void               mt_model_append_header   (const MtModel *model, GString *line);
void               mt_model_append_answer   (const MtModel *model, const double *predictions,
                                             gsize n_rows, gsize row, GString *line);
/* What each term adds to the score of each output, n_terms × n_outputs × n_rows. */
gboolean           mt_model_contributions   (const MtModel *model, const MtTable *table,
                                             const guint32 *rows, gsize n_rows,
                                             double *contributions, GError **error);

/* The truth in a table: rows whose target is known, as class numbers or values. @rows NULL: all. */
typedef struct {
  guint32 *rows;           /* n_rows of the table's row numbers, ascending as given */
  gsize    n_rows;
  guint32 *classes;        /* classification */
  double  *values;         /* regression */
  gsize    n_missing;      /* rows left out: no target */
  gsize    n_unknown;      /* rows left out: a class the model does not know */
} MtTruth;

MtTruth           *mt_model_read_truth      (const MtModel *model, const MtTable *table, const char *target,
                                             GError **error);
void               mt_truth_free            (MtTruth *truth);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtModel, mt_model_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTruth, mt_truth_free)

G_END_DECLS
