/* The whole model on its canvas, with what stands around it: a title, what the lines mean, zoom,
 * saving and printing. */
#pragma once

#include <adwaita.h>

#include "mt-canvas-view.h"

G_BEGIN_DECLS

#define MT_TYPE_CANVAS_PANE (mt_canvas_pane_get_type ())

G_DECLARE_FINAL_TYPE (MtCanvasPane, mt_canvas_pane, MT, CANVAS_PANE, AdwBin)

void          mt_canvas_pane_show     (MtCanvasPane *self,
                                       MtRuleBook   *book);      /* NULL: none */
MtCanvasView *mt_canvas_pane_get_view (MtCanvasPane *self);
/* Asks for a printer; nothing while diagrams are still being laid out. */
void          mt_canvas_pane_print    (MtCanvasPane *self);

/* Signals "selected" and "opened": the view's. */

G_END_DECLS
