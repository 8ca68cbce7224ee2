/* The user guide (docs/guide.md), which is part of the program, for reading. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_HELP_WINDOW (mt_help_window_get_type ())

G_DECLARE_FINAL_TYPE (MtHelpWindow, mt_help_window, MT, HELP_WINDOW, AdwWindow)

GtkWidget *mt_help_window_new       (GtkWindow    *parent);      /* may be NULL */
/* Shows the section of that name; FALSE: there is none. */
gboolean   mt_help_window_show      (MtHelpWindow *self,
                                     const char   *section);

G_END_DECLS
