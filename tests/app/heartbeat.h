/* How long a main loop is kept waiting: a beat every 10 ms, and what lay between two of them. With
 * MINTERM_GAPS=1 every gap over the limit prints where the main thread is (addresses for addr2line). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_HEARTBEAT_LIMIT 50   /* ms */

typedef struct _MtHeartbeat MtHeartbeat;

MtHeartbeat *mt_heartbeat_start (void);
/* Tells what it measured, and frees it. With -m slow it also judges the longest stretch: by the main thread's own
 * processor time, and by the clock less what it waited for a processor, so that a lock or a slow answer counts and
 * other programs do not. @limit: ms; 0: none */
void         mt_heartbeat_stop  (MtHeartbeat *heart,
                                 const char  *during,
                                 double       limit);
/* Milliseconds of processor time that this thread has taken. */
double       mt_heartbeat_get_work (void);

G_END_DECLS
