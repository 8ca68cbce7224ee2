/* Lays children over one another, each as large as the widget. A width is asked of them for itself, never for a
 * height: to answer that, a label that wraps lays out its text at a dozen widths. A horizontal box asks for it each
 * time that it is measured, a stack each time that it hands out sizes. So put texts of some length that stand in such
 * a box into this, and pages of a stack. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define MT_TYPE_WIDTH_LAYOUT (mt_width_layout_get_type ())
G_DECLARE_FINAL_TYPE (MtWidthLayout, mt_width_layout, MT, WIDTH_LAYOUT, GtkLayoutManager)

G_END_DECLS
