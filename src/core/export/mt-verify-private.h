/* What the engines of mt-verify share. */
#pragma once

#include "mt-export-ir.h"
#include "mt-verify.h"

G_BEGIN_DECLS

typedef struct {
  MtModel            *model;
  const MtExportIr *plan;
  const MtTable      *table;        /* the rows as any program would read them from the CSV: typed, and raw */
  const MtTable      *known;        /* as predict reads them: without what counts as missing */
  gsize               n_rows;
  GBytes             *csv;
  const char         *folder;       /* of this engine's own, empty at first, removed afterwards */
  guint32            *rows;         /* which rows the engine gets, when not all; owned */
  gsize               n_kept;       /* rows != NULL: how many */
  gint64              deadline;     /* monotonic, µs */
  GCancellable       *cancellable;
} MtVerifyJob;

/* What an engine printed: the answers stand in the last columns. */
typedef struct {
  GBytes *csv;
  char    delimiter;
  gboolean is_quoted;
  char   *version;     /* of an engine that tells it only while it works; owned by who called it */
} MtVerifyAnswers;

/* Where Debian has it. */
#define MT_VERIFY_WEKA_JAR "/usr/share/java/weka.jar"

typedef struct {
  const char     *name;
  MtExportFormat  format;
  const char     *package;
  const char     *programs[4];      /* all must be there; NULL-terminated */
  const char     *folder;           /* a place to look for them in addition to PATH, with * for a part; may be NULL */
  const char     *version[5];       /* what to call for its version; NULL-terminated */
  gboolean      (*run) (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
} MtVerifyEngine;

extern const MtVerifyEngine mt_verify_engines[];
extern const guint          mt_verify_n_engines;

/* The path of a program of the engine, or NULL. */
char     *mt_verify_find_program (const MtVerifyEngine *engine, const char *program);
const MtVerifyEngine *mt_verify_find_engine (const char *name);

/* --- running (mt-verify-run.c) --- */

typedef enum {
  MT_RUN_DEFAULT = 0,
  MT_RUN_UNPRIVILEGED = 1 << 0,     /* as nobody, when we are root: servers insist on it */
} MtRunFlags;

/* Runs @argv in the job's folder with @input on its standard input and gives its standard output.
 * MT_ERROR_DEVICE with the first lines of what it complained of unless it ends well and in time. */
GBytes   *mt_verify_call         (MtVerifyJob *job, const char * const *argv, MtRunFlags flags, GBytes *input,
                                  GError **error);
/* The same, but runs alongside us. */
GSubprocess *mt_verify_spawn     (MtVerifyJob *job, const char * const *argv, MtRunFlags flags, GError **error);
/* Ends the process and whatever it started. */
void      mt_verify_kill         (GSubprocess *process);
/* Writes the export, or any bytes, into the job's folder; the path, or NULL. */
char     *mt_verify_write_export (MtVerifyJob *job, MtExportFormat format, MtSqlDialect dialect, const char *name,
                                  GError **error);
char     *mt_verify_write        (MtVerifyJob *job, const char *name, const char *data, gsize length, GError **error);
/* Hands the folder to the user that MT_RUN_UNPRIVILEGED means. */
void      mt_verify_give_away    (const char *path);
/* Statements that make `data`, with the rows in their order. */
void      mt_verify_append_table (const MtVerifyJob *job, MtSqlDialect dialect, GString *sql);

/* --- engines --- */

gboolean  mt_verify_json         (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_sqlite       (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_python       (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_gcc          (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_node         (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_r            (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_postgresql   (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_ansi         (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_mariadb      (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_duckdb       (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_spark        (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_spark_warehouse (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_weka         (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);
gboolean  mt_verify_libreoffice  (MtVerifyJob *job, MtVerifyAnswers *answers, GError **error);

G_END_DECLS
