/* What the files that look for findings share. */
#pragma once

#include "mt-findings.h"
#include "base/mt-gettext.h"

G_BEGIN_DECLS

/* Below this many rows chance makes any pattern, so nothing statistical is said. */
#define MT_FINDINGS_MIN_ROWS 20

typedef struct {
  const MtTable  *table;
  gsize           n_rows;
  int             target_index;   /* or -1 */
  const MtColumn *target;         /* or NULL */
  GPtrArray      *findings;       /* of MtFinding */
  GCancellable   *cancellable;
  MtPool         *pool;           /* may be NULL; not for what a task of it runs */
  const gsize    *n_distinct;     /* by column, or NULL */
  struct _MtFindingProgress *progress;
} MtFindingScan;

/* Runs @look for each column of the table, on the threads of the pool. What it finds is added in the order of the
 * columns. FALSE when cancelled. */
typedef void (*MtFindingLook) (MtFindingScan *scan,      /* of the task: its findings are its own */
                               guint          column,
                               guint          worker,    /* for scratch memory: less than mt_pool_get_n_threads() */
                               gpointer       data);
gboolean mt_findings_each_column (MtFindingScan *scan,
                                  MtFindingLook  look,
                                  gpointer       data,
                                  GError       **error);

/* @n_rows: how many rows are concerned; @fix_value may be NULL. */
void     mt_findings_take       (MtFindingScan  *scan,
                                 const char     *code,
                                 MtSeverity      severity,
                                 int             column,
                                 gsize           n_rows,
                                 MtFix           fix,
                                 const char     *fix_value,
                                 MtSaid          message);   /* (transfer full) */
/* The same with a format in _() and its arguments, which are evaluated once a language. */
#define mt_findings_add(scan, code, severity, column, n_rows, fix, fix_value, ...)    \
  mt_findings_take (scan, code, severity, column, n_rows, fix, fix_value, MT_SAY (__VA_ARGS__))
gboolean mt_findings_is_feature (const MtFindingScan *scan,
                                 guint                column);

/* "12%", "0.4%": for people. In English the same in every locale, else with MT_I18N_MARK. */
typedef struct {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
} MtShortText;

MtShortText mt_findings_share  (gsize  n,
                                gsize  total);
MtShortText mt_findings_number (double value,
                                int    digits);

/* Each adds what it finds; FALSE when cancelled. */
gboolean mt_findings_scan_rows    (MtFindingScan *scan, GError **error);   /* duplicates of rows */
gboolean mt_findings_scan_twins   (MtFindingScan *scan, GError **error);   /* duplicates of columns */
gboolean mt_findings_scan_leaks   (MtFindingScan *scan, GError **error);
gboolean mt_findings_scan_known   (MtFindingScan *scan, GError **error);   /* after the leaks */
void     mt_findings_scan_disguise (MtFindingScan *scan, guint column);

G_END_DECLS
