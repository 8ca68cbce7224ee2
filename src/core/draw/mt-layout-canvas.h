/* A whole model on one canvas: where the card of each term goes, in points. Pure geometry.
 *
 * Small cards are stacked as high as the large ones, stacks first, then the large ones in their
 * order; rows are filled from the left and, but for a last one that is nearly empty, stretched to the
 * full width. On pages no row is torn: one that does not fit goes to the next page, one that no page
 * could hold is drawn smaller. The formula comes last. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double x, y, width, height;              /* of the card */
  double scale;                            /* of its content: 1 unless there was no room */
  double inner_x, inner_y;                 /* of its content's top left */
} MtCanvasCard;

typedef struct {
  double        width, height;
  double        page_height;               /* 0: one endless page */
  guint         n_pages;
  MtCanvasCard *cards;                     /* as given */
  guint         n_cards;
  double        formula_y;                 /* top of the room for the formula */
} MtCanvasLayout;

#define MT_CANVAS_CAPTION 30.0             /* room below the content of a card */

/* @sizes: width and height of each card's content, in pairs. @page_height 0: no pages. */
MtCanvasLayout *mt_canvas_layout_new  (const double         *sizes,
                                       guint                 n_cards,
                                       double                width,
                                       double                page_height,
                                       double                formula_height);
void            mt_canvas_layout_free (MtCanvasLayout       *layout);
/* The card at a point, or -1. */
int             mt_canvas_layout_hit  (const MtCanvasLayout *layout,
                                       double                x,
                                       double                y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCanvasLayout, mt_canvas_layout_free)

G_END_DECLS
