/* Holds a list that one leaves with Tab: arrows walk its rows, which may be hundreds. Who comes with Tab is on the row
 * that is selected. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_LIST_TAB_BEHAVIOR (mt_list_tab_behavior_get_type ())

G_DECLARE_FINAL_TYPE (MtListTabBehavior, mt_list_tab_behavior, MT, LIST_TAB_BEHAVIOR, AdwBin)

G_END_DECLS
