/* Looks at a whole table, for a given target, and lists what an analyst should know:
 * constant and all-missing columns, identifiers, duplicates, leaks, rare levels, … */
#pragma once

#include <gio/gio.h>

#include "base/mt-parallel.h"
#include "mt-finding.h"
#include "mt-table.h"

G_BEGIN_DECLS

/* (transfer full) (element-type MtFinding): sorted by severity, then column. The target is
 * the table's column with the target role; without one, target checks are left out.
 * NULL only when cancelled. */
GPtrArray *mt_findings_scan (const MtTable  *table,
                             GCancellable   *cancellable,
                             GError        **error);

/* The same on several threads, with a report of how far it is and with what is known already. The findings are those
 * of mt_findings_scan(). */
typedef struct {
  MtPool       *pool;         /* NULL: this thread */
  const gsize  *n_distinct;   /* by column: different values, as mt_duplicates_count_distinct() counts; NULL: not known */
  void        (*progress) (double done, gpointer data);   /* 0 to 1, on any thread, one at a time; may be NULL */
  gpointer      progress_data;
} MtFindingsOptions;

GPtrArray *mt_findings_scan_with (const MtTable            *table,
                                  const MtFindingsOptions  *options,
                                  GCancellable             *cancellable,
                                  GError                  **error);

/* (transfer full) (element-type MtFinding): both lists in one, in the same order; where both
 * say the same of a column, the first list's words are kept. Either may be NULL. */
GPtrArray *mt_findings_merge (GPtrArray *from_import,
                              GPtrArray *from_scan);

G_END_DECLS
