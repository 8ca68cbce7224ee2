/* Children in a line, and in as many lines as it takes where there is no room for one: for the buttons of a bar,
 * whose words grow with the text. Those that expand share what is left of their line. Properties: "gap", between
 * children and between lines (6); "even": all are equally wide, and fill their line; and "roomy": a line has as many as
 * fit at the size that they would like, not at their least. */
#pragma once

#include "mt-line-layout.h"

G_BEGIN_DECLS

#define MT_TYPE_FLOW_LAYOUT (mt_flow_layout_get_type ())
G_DECLARE_FINAL_TYPE (MtFlowLayout, mt_flow_layout, MT, FLOW_LAYOUT, MtLineLayout)

G_END_DECLS
