/* How many literals a table would have, counted off the main thread. */
#pragma once

#include <gio/gio.h>

#include "mt-core.h"

G_BEGIN_DECLS

void   mt_literal_count_async  (GObject             *owner,
                                MtTable             *table,
                                const MtRunSettings *settings,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback);
gssize mt_literal_count_finish (GAsyncResult        *result);   /* −1: none, or it was cancelled */

G_END_DECLS
