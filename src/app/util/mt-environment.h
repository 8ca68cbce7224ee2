/* What the program finds around it when it starts: a bus or none, places to write to or none, settings that
 * can be read or not. Called before GTK. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void  mt_environment_prepare     (void);
/* Where settings that could not be read are kept now; NULL: there were none. Told once. */
char *mt_environment_steal_spoilt (void);

G_END_DECLS
