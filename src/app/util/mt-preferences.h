/* What a person prefers, whatever is open: kept in GSettings, shown in the preferences window.
 *
 * The getters may be called on any thread; they know what the main thread last saw. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

GSettings *mt_preferences_get_settings  (void);   /* borrowed; the main thread's */
guint      mt_preferences_get_threads   (void);   /* 0: as many as there are */
guint      mt_preferences_count_threads (void);   /* … and how many that is */
/* Numbers on the screen with a point and without groups, whatever the locale. */
gboolean   mt_preferences_plain_numbers (void);
/* Calls @refresh (object) whenever numbers are to be written in another way; until @object is gone. */
void       mt_preferences_watch_numbers (gpointer       object,
                                         GCallback      refresh);
/* Writes what the columns show anew whenever that changes. */
void       mt_preferences_watch_columns (GtkColumnView *view);
/* Who decides here: what the person wrote, or else what the system calls them. The main thread's; g_free(). */
char      *mt_preferences_dup_person    (void);
/* What a new file starts with. */
void       mt_preferences_init_run      (MtRunSettings *settings);

#define MT_TYPE_PREFERENCES_WINDOW (mt_preferences_window_get_type ())

G_DECLARE_FINAL_TYPE (MtPreferencesWindow, mt_preferences_window, MT, PREFERENCES_WINDOW, AdwPreferencesWindow)

GtkWidget *mt_preferences_window_new    (GtkWindow     *parent);

G_END_DECLS
