/* Help: the user guide (docs/guide.md) and the pages it links to, which are part of the program. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_HELP_WINDOW (mt_help_window_get_type ())

G_DECLARE_FINAL_TYPE (MtHelpWindow, mt_help_window, MT, HELP_WINDOW, AdwWindow)

GtkWidget  *mt_help_window_new      (GtkWindow    *parent);      /* may be NULL */
/* Scrolls to the section of that name on the current page; FALSE: there is none. */
gboolean    mt_help_window_show     (MtHelpWindow *self,
                                     const char   *section);
/* Follows a link of the current page, as a click does. FALSE: it leads out of the program. */
gboolean    mt_help_window_follow   (MtHelpWindow *self,
                                     const char   *target);
/* The page on view, below docs/: "guide.md". */
const char *mt_help_window_get_page (MtHelpWindow *self);

G_END_DECLS
