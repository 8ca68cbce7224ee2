/* Makes the n-th call of the file system fail, in our code and in SQLite's: the calls are
 * defined in the test program, which goes before the C library's. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Only calls on what lies in @folder count from now on; NULL: all. It is kept, not copied. */
void     faulty_calls_limit_to (const char *folder);
/* The @countdown-th call from now on fails with @code; 0: none does. */
void     faulty_calls_arm (guint countdown, int code);
/* Disarms; TRUE when a call did fail. */
gboolean faulty_calls_disarm (void);

G_END_DECLS
