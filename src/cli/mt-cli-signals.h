/* Ctrl+C for commands that can stop in an orderly way. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A cancellable that the first SIGINT, SIGTERM or SIGHUP cancels; a second one ends the program
 * as usual. Once a process. */
GCancellable *mt_cli_cancel_on_signals (void);

G_END_DECLS
