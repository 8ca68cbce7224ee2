/* Two groups side by side where there is room, below each other where there is not; a single
 * one stands in the middle. Properties: "share", of the width, that the first gets (0.5), and "gap". */
#pragma once

#include "mt-line-layout.h"

G_BEGIN_DECLS

#define MT_TYPE_PAIR_LAYOUT (mt_pair_layout_get_type ())

G_DECLARE_FINAL_TYPE (MtPairLayout, mt_pair_layout, MT, PAIR_LAYOUT, MtLineLayout)

G_END_DECLS
