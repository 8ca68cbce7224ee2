/* The preferences window: shows and changes what util/mt-preferences keeps. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_PREFERENCES_WINDOW (mt_preferences_window_get_type ())

G_DECLARE_FINAL_TYPE (MtPreferencesWindow, mt_preferences_window, MT, PREFERENCES_WINDOW, AdwPreferencesWindow)

GtkWidget *mt_preferences_window_new (GtkWindow *parent);

G_END_DECLS
