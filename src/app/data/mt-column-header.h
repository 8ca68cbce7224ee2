/* Head of one column of the grid: type and name, role menu, distribution, range or levels,
 * share of missing cells. Shown for whichever column it is bound to. */
#pragma once

#include <gtk/gtk.h>

#include "document/mt-distributions.h"
#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_COLUMN_HEADER (mt_column_header_get_type ())

G_DECLARE_FINAL_TYPE (MtColumnHeader, mt_column_header, MT, COLUMN_HEADER, GtkWidget)

GtkWidget  *mt_column_header_new        (MtDocument      *document,
                                         MtDistributions *distributions);
void        mt_column_header_bind       (MtColumnHeader  *self,
                                         guint            column);
/* The one bound to, or G_MAXUINT. */
guint       mt_column_header_get_column (MtColumnHeader  *self);
/* With the focus in it; what has the focus now has it again once it is closed. */
void        mt_column_header_open_menu  (MtColumnHeader  *self);

const char *mt_type_get_label           (MtColumnType     type);

G_END_DECLS
