/* The whole model on paper: as many pages as it takes. */
#pragma once

#include "mt-canvas-view.h"

G_BEGIN_DECLS

/* The view must not be busy, and stays as it is. */
GtkPrintOperation *mt_canvas_print_new (MtCanvasView *view,
                                        const char   *name);

G_END_DECLS
