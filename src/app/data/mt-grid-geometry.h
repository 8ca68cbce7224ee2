/* Where rows and columns of the grid stand. Columns are places 0 … n-1 on the screen, the
 * target first; positions are pixels in the grid. Only places in view cost anything. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

typedef struct {
  guint   n_places;
  guint  *order;          /* place → column of the table */
  double *x;              /* n_places + 1: left edges, from the end of the numbers column */
  gsize   n_rows;
  double  number_width;   /* the column of row numbers, always in view */
  double  header_height;
  double  row_height;
  guint   n_frozen;       /* places that do not scroll sideways: 0 or 1 */
  double  width, height;  /* of the grid */
  double  scroll_x, scroll_y;
} MtGridGeometry;

void     mt_grid_geometry_clear       (MtGridGeometry       *self);
/* Puts the target first, then the columns as they stand in the file; @digit: width of one. */
void     mt_grid_geometry_set_table   (MtGridGeometry       *self,
                                       const MtTable        *table,
                                       double                digit);
void     mt_grid_geometry_set_width   (MtGridGeometry       *self,
                                       guint                 place,
                                       double                width);
double   mt_grid_geometry_get_width   (const MtGridGeometry *self,
                                       guint                 place);
double   mt_grid_geometry_get_x       (const MtGridGeometry *self,
                                       guint                 place);    /* on the screen */
double   mt_grid_geometry_frozen_end  (const MtGridGeometry *self);
double   mt_grid_geometry_full_width  (const MtGridGeometry *self);
double   mt_grid_geometry_full_height (const MtGridGeometry *self);     /* of the rows */
/* Scrolling places that can be seen: first … last - 1. */
void     mt_grid_geometry_get_places  (const MtGridGeometry *self,
                                       guint                *first,
                                       guint                *last);
void     mt_grid_geometry_get_rows    (const MtGridGeometry *self,
                                       gsize                *first,
                                       gsize                *last);
gboolean mt_grid_geometry_find_place  (const MtGridGeometry *self,
                                       double                x,
                                       guint                *place);
gboolean mt_grid_geometry_find_row    (const MtGridGeometry *self,
                                       double                y,
                                       gsize                *row);
/* How far to scroll so that a cell can be seen. */
void     mt_grid_geometry_reveal      (const MtGridGeometry *self,
                                       guint                 place,
                                       gsize                 row,
                                       double               *scroll_x,
                                       double               *scroll_y);

G_END_DECLS
