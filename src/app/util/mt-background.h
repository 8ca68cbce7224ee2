/* Work in the background steps aside for the window.
 *
 * Reading and training keep every processor busy, and a main thread that wakes up among as many equals has to wait for
 * its turn. So GLib's threads, and those that they start, are a little less urgent than the main thread: a frame or a
 * click comes first, and the work loses nothing else. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Before anything else has used one of GLib's threads. */
void mt_background_prepare (void);

G_END_DECLS
