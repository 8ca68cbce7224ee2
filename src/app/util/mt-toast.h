/* Toasts that hold names of files and columns: libadwaita takes their words for markup. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

AdwToast *mt_toast_new       (const char *text);
AdwToast *mt_toast_new_saved (GFile      *file);   /* where something was written */

G_END_DECLS
