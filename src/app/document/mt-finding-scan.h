/* The findings of a table: those of reading it and those of looking at it, in one list. */
#pragma once

#include <gio/gio.h>

#include "mt-core.h"

G_BEGIN_DECLS

/* Looks at @table off the main thread. */
void       mt_finding_scan_async  (GObject             *owner,
                                   MtTable             *table,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback);
GPtrArray *mt_finding_scan_finish (GAsyncResult        *result);   /* of MtFinding; NULL: none, it was cancelled */
/* Of MtFinding, the severest first, none twice. Either may be NULL. */
GPtrArray *mt_finding_scan_merge  (GPtrArray           *read,
                                   GPtrArray           *scanned);

G_END_DECLS
