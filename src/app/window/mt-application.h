#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_APPLICATION (mt_application_get_type ())

G_DECLARE_FINAL_TYPE (MtApplication, mt_application, MT, APPLICATION, AdwApplication)

MtApplication *mt_application_new (void);

G_END_DECLS
