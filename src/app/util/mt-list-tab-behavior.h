/* Holds a list that one leaves with Tab: arrows walk its rows, which may be hundreds. Who comes with Tab is on the row
 * that is selected. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_TAB_OUT (mt_tab_out_get_type ())

G_DECLARE_FINAL_TYPE (MtTabOut, mt_tab_out, MT, TAB_OUT, AdwBin)

G_END_DECLS
