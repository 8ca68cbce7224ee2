/* The pages of a report, one below the other, as they come out of the printer. To be put into a
 * scrolled window. Pages are painted off the main thread, those on show first; until a page has come,
 * or is made again, what was there before stays.
 *
 *   signal "moved"   another page is on show, or they are shown larger or smaller */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_PAGES_VIEW (mt_pages_view_get_type ())

G_DECLARE_FINAL_TYPE (MtPagesView, mt_pages_view, MT, PAGES_VIEW, GtkWidget)

void           mt_pages_view_set_pages (MtPagesView   *self,
                                        MtReportPages *pages);    /* NULL: none */
MtReportPages *mt_pages_view_get_pages (MtPagesView   *self);
guint          mt_pages_view_get_page  (MtPagesView   *self);     /* the one on show, from 0 */
void           mt_pages_view_go_to     (MtPagesView   *self,
                                        guint          page);
/* Pixels a point; 0: as large as the width allows, which is the default. */
double         mt_pages_view_get_zoom  (MtPagesView   *self);     /* never 0 */
gboolean       mt_pages_view_is_busy   (MtPagesView   *self);     /* a page on show is still being painted */
/* The picture of a page that is on show; NULL: not painted yet. */
GdkTexture    *mt_pages_view_get_texture (MtPagesView *self,
                                        guint          page);

G_END_DECLS
