/* Looks at a whole table, for a given target, and lists what an analyst should know:
 * constant and all-missing columns, identifiers, duplicates, leaks, rare levels, … */
#pragma once

#include <gio/gio.h>

#include "mt-finding.h"
#include "mt-table.h"

G_BEGIN_DECLS

/* (transfer full) (element-type MtFinding): sorted by severity, then column. The target is
 * the table's column with the target role; without one, target checks are left out.
 * NULL only when cancelled. */
GPtrArray *mt_findings_scan (const MtTable  *table,
                             GCancellable   *cancellable,
                             GError        **error);

/* (transfer full) (element-type MtFinding): both lists in one, in the same order; where both
 * say the same of a column, the first list's words are kept. Either may be NULL. */
GPtrArray *mt_findings_merge (GPtrArray *from_import,
                              GPtrArray *from_scan);

G_END_DECLS
