/* What layouts share that put the children of a widget into lines: what a child needs, how tall a line is, and where its
 * children go, from the right where text does. How wide each child is, and how many make a line, is for those that
 * derive from it. Property: "gap", between the children of a line. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define MT_TYPE_LINE_LAYOUT (mt_line_layout_get_type ())
G_DECLARE_DERIVABLE_TYPE (MtLineLayout, mt_line_layout, MT, LINE_LAYOUT, GtkLayoutManager)

struct _MtLineLayoutClass {
  GtkLayoutManagerClass parent_class;
};

/* A child, and what it gets. */
typedef struct {
  GtkWidget *widget;
  int        least, wanted;   /* of width */
  int        width;           /* 0 until it is decided */
} MtLineItem;

int     mt_line_layout_get_gap    (MtLineLayout     *self);
void    mt_line_layout_set_gap    (MtLineLayout     *self,
                                   int               gap);
/* The children that are shown (element-type MtLineItem). */
GArray *mt_line_layout_list_items (GtkWidget        *widget);
/* The tallest of them, each as wide as it is to be. */
int     mt_line_layout_get_height (const MtLineItem *line,
                                   guint             n);
/* All as tall as @place, from its start on. */
void    mt_line_layout_place      (MtLineLayout           *self,
                                   GtkWidget              *widget,
                                   const MtLineItem       *line,
                                   guint                   n,
                                   const GdkRectangle     *place);

G_END_DECLS
