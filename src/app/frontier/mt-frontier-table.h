/* The points of the frontier as a real, sortable table: the plot's twin. */
#pragma once

#include <gtk/gtk.h>

#include "study/mt-frontier-item.h"

G_BEGIN_DECLS

/* What the last column says about a point. */
typedef struct {
  MtFrontierItem *pins[2];
  MtFrontierItem *best;
} MtFrontierMarks;

typedef struct _MtFrontierTable MtFrontierTable;

/* Fills @view with columns; the table lives as long as the view. Its selection, of the sorted points, is
 * the view's model. */
MtFrontierTable    *mt_frontier_table_new           (GtkColumnView         *view);
GtkSingleSelection *mt_frontier_table_get_selection (MtFrontierTable       *self);
/* Scrolls the selected row into view. */
void                mt_frontier_table_show_selected (MtFrontierTable       *self);
void                mt_frontier_table_set_points    (MtFrontierTable       *self,
                                                     GListModel            *points);
void                mt_frontier_table_set_metric    (MtFrontierTable       *self,
                                                     const char            *metric);
/* In a narrow window the last column takes the place of the numbers of rules, and a star stands for "Recommended". */
void                mt_frontier_table_set_narrow    (MtFrontierTable       *self,
                                                     gboolean               narrow);
/* The items are borrowed until the next call. */
void                mt_frontier_table_set_marks     (MtFrontierTable       *self,
                                                     const MtFrontierMarks *marks);

G_END_DECLS
