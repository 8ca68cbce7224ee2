/* One visible row of the grid: a widget of its own, so that screen readers find it and only
 * the rows that changed are drawn again. It draws the cells in view, straight from the table. */
#pragma once

#include <gtk/gtk.h>

#include "mt-grid-geometry.h"

G_BEGIN_DECLS

#define MT_TYPE_GRID_ROW (mt_grid_row_get_type ())

G_DECLARE_FINAL_TYPE (MtGridRow, mt_grid_row, MT, GRID_ROW, GtkWidget)

/* What the rows of a grid share; the grid owns it. */
typedef struct {
  MtGridGeometry  geometry;
  MtTable        *table;         /* NULL: none */
  MtRowList      *list;          /* what stands where; NULL: all rows, as in the table */
  gsize           cursor_row;    /* where it stands, like the row of a MtGridRow */
  guint           cursor_place;
  gboolean        cursor_shown;
} MtGridScene;

/* The row of the table at a position. */
gsize      mt_grid_scene_find_row (const MtGridScene *scene,
                                   gsize              position);

GtkWidget *mt_grid_row_new  (const MtGridScene *scene);
void       mt_grid_row_bind (MtGridRow         *self,
                             gsize              row);
gsize      mt_grid_row_get  (MtGridRow         *self);

G_END_DECLS
