/* What the tests of plots and of curves judge a layout by. */
#pragma once

#include "draw/mt-layout-plot.h"

G_BEGIN_DECLS

/* Every character is 7 wide and a line 15 high: enough to judge places by. */
void         mt_check_measure     (const char *text,
                                   MtPlotFont  font,
                                   double     *width,
                                   double     *height,
                                   gpointer    data);
/* @texts: of MtPlotText. */
void         mt_check_no_overlaps (GArray     *texts);
const MtBox *mt_check_box_of      (GArray     *texts,
                                   const char *text);   /* NULL: not there */
gboolean     mt_check_has_text    (GArray     *texts,
                                   const char *text);
/* A loss that falls from @from to about @to. */
double      *mt_check_make_curve  (guint       n,
                                   double      from,
                                   double      to);

G_END_DECLS
