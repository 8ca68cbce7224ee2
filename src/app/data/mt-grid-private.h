/* What mt-grid.c and mt-grid-input.c share. */
#pragma once

#include "document/mt-distributions.h"
#include "mt-grid-row.h"
#include "mt-grid.h"

G_BEGIN_DECLS

struct _MtGrid {
  GtkWidget        parent_instance;

  GtkAdjustment   *adjustments[2];      /* by GtkOrientation */
  GtkScrollablePolicy policies[2];

  MtDocument      *document;
  MtDistributions *distributions;
  MtGridScene      scene;

  /* Pools: the widget for row r is rows[r % len], for scrolling place p headers[p % len]. */
  GPtrArray       *rows;
  GPtrArray       *headers;
  GtkWidget       *frozen;              /* head of the target, which does not scroll */

  guint            making;              /* idle that makes heads ahead */
  int              resizing;            /* place whose right edge is dragged, or -1 */
  double           resize_from;
};

void     _mt_grid_add_input   (MtGrid           *self);        /* keys and pointer */
void     _mt_grid_redraw_rows (MtGrid           *self);
/* Without scrolling to it. */
void     _mt_grid_put_cursor  (MtGrid           *self,
                               guint             place,
                               gsize             row);
/* The cursor comes to the column whose head has the focus. */
void     _mt_grid_watch_head  (MtGrid           *self,
                               GtkWidget        *head);
/* To be called when heads were bound: one with the focus may be that of another column than the cursor's now. */
void     _mt_grid_keep_focus  (MtGrid           *self);
/* FALSE: left to GTK. */
gboolean _mt_grid_take_tab    (MtGrid           *self,
                               GtkDirectionType  direction);

G_END_DECLS
