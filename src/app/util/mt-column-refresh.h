/* Column views whose cells show numbers: written again when the preferred way to write numbers changes. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void mt_column_refresh_watch (GtkColumnView *view);

G_END_DECLS
