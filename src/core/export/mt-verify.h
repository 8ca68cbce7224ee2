/* Runs a model's exports in real engines and holds their answers against the model's own.
 *
 * Each engine gets the export as a user would get it, and the golden rows (mt-export-test-rows.h) with the
 * data given, raw: a value that was treated as missing when the data were read is in them as that value. An answer agrees when the decision is the same and every number is within 1e-9 (of
 * 1, or of the number where that is larger). Engines that are not on this machine are listed as
 * not found: nothing is claimed of them.
 *
 * Everything happens in a temporary folder that is removed afterwards; each engine has a time
 * limit, and a cancel ends the one that runs. Blocking: call it off the main thread, or use the
 * asynchronous form. */
#pragma once

#include <gio/gio.h>

#include "mt-export.h"

G_BEGIN_DECLS

#define MT_VERIFY_TOLERANCE 1e-9

typedef enum {
  MT_VERIFY_AGREES,       /* all rows */
  MT_VERIFY_DIFFERS,
  MT_VERIFY_FAILED,       /* the engine or the export did not run; the message says why */
  MT_VERIFY_NOT_FOUND,    /* no such engine here */
} MtVerifyStatus;

typedef struct {
  const char     *engine;             /* "sqlite3", "python3", … */
  const char     *format;             /* of the export: "sql", "python", … */
  const char     *package;            /* Debian's, that has the engine */
  char           *version;            /* what the engine says it is; may be NULL */
  MtVerifyStatus  status;
  char           *message;            /* may be NULL */
  gsize           n_rows;             /* compared */
  gsize           n_left_out;         /* rows that the format cannot hold; docs/exports.md says which */
  double          max_diff;
  gsize           n_decisions_differ;
} MtVerifyCheck;

typedef struct {
  char          *model_sha256;        /* of the model's file */
  char          *rows_sha256;         /* of the rows as a CSV */
  gsize          n_rows;
  MtVerifyCheck *checks;
  guint          n_checks;
} MtVerifyReport;

/* Called for each engine before it runs. */
typedef void (*MtVerifyProgress) (const char *engine, guint index, guint n_engines, gpointer user_data);

typedef struct {
  const char * const *engines;        /* engines or formats by name; NULL: all */
  guint               seconds;        /* an engine may take; 0: 300 */
  MtVerifyProgress    progress;       /* on the thread that verifies; may be NULL */
  gpointer            progress_data;
} MtVerifyOptions;

const char     *mt_verify_status_to_string (MtVerifyStatus status);
/* MT_ERROR_PARAMS when a name is neither an engine's nor a format's. */
gboolean        mt_verify_check_engines    (const char * const *engines, GError **error);

/* @data (may be NULL): a table read with mt_model_dup_schema(). NULL only when cancelled, or when
 * the model cannot answer the rows itself. */
MtVerifyReport *mt_verify                  (MtModel *model, const MtTable *data, const MtVerifyOptions *options,
                                            GCancellable *cancellable, GError **error);
void            mt_verify_async            (MtModel *model, MtTable *data, const MtVerifyOptions *options,
                                            GCancellable *cancellable, GAsyncReadyCallback callback,
                                            gpointer user_data);
MtVerifyReport *mt_verify_finish           (GAsyncResult *result, GError **error);
void            mt_verify_report_free      (MtVerifyReport *report);
/* What @newer says of its engines, next to what @report says of others. FALSE, and nothing: they are of other models or
 * rows. */
gboolean        mt_verify_report_add       (MtVerifyReport *report, const MtVerifyReport *newer);
/* Engines of others that ran exports, and how many of them agree in everything they ran. Minterm reading its own file
 * again is none, and an engine that runs two dialects is one. */
guint           mt_verify_report_count_engines (const MtVerifyReport *report, guint *n_agree);
/* Every engine that ran agrees. */
gboolean        mt_verify_report_agrees    (const MtVerifyReport *report);

/* The provenance next to the model's file: MODEL.json → MODEL.verify.json. */
char           *mt_verify_dup_path         (const char *model_path);
char           *mt_verify_report_to_json   (const MtVerifyReport *report, gsize *length);
gboolean        mt_verify_report_save      (const MtVerifyReport *report, const char *path, GError **error);
/* MT_ERROR_PARSE names the field that is wrong. Whether it speaks of a model is in model_sha256. */
MtVerifyReport *mt_verify_report_from_json (const char *json, gssize length, GError **error);
MtVerifyReport *mt_verify_report_load      (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtVerifyReport, mt_verify_report_free)

G_END_DECLS
