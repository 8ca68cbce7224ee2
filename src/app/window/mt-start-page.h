/* What a window shows before anything is open: how to open a file, what was open lately,
 * and samples to try. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Recent files that were read are of this group; a file dialog knows more. */
#define MT_RECENT_GROUP "minterm"

#define MT_TYPE_START_PAGE (mt_start_page_get_type ())

G_DECLARE_FINAL_TYPE (MtStartPage, mt_start_page, MT, START_PAGE, AdwBin)

G_END_DECLS
