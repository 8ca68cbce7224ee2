#pragma once

#include <adwaita.h>

#include "mt-application.h"

G_BEGIN_DECLS

#define MT_TYPE_WINDOW (mt_window_get_type ())

G_DECLARE_FINAL_TYPE (MtWindow, mt_window, MT, WINDOW, AdwApplicationWindow)

MtWindow *mt_window_new (MtApplication *application);

G_END_DECLS
