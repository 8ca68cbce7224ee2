/* What a person prefers, whatever is open: kept in GSettings, shown in window/mt-preferences-window.
 *
 * The getters may be called on any thread; they know what the main thread last saw. No GTK here: document and
 * study use this, too. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GSettings *mt_preferences_get_settings    (void);   /* borrowed; the main thread's */
guint      mt_preferences_get_threads     (void);   /* 0: as many as there are */
guint      mt_preferences_count_threads   (void);   /* … and how many that is */
/* Numbers on the screen with a point and without groups, whatever the locale. */
gboolean   mt_preferences_plain_numbers   (void);
/* Calls @refresh (object) when numbers are to be written in another way; until @object is gone. */
void       mt_preferences_watch_numbers   (gpointer  object,
                                           GCallback refresh);
/* Who decides here: what the person wrote, or else what the system calls them. The main thread's; g_free(). */
char      *mt_preferences_dup_person      (void);
/* What the system calls the person; may be empty. g_free() it. */
char      *mt_preferences_dup_system_name (void);

G_END_DECLS
