/* The Data page: the table, how it was read, what was found in it. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"
#include "mt-grid.h"
#include "mt-rows-bar.h"

G_BEGIN_DECLS

#define MT_TYPE_DATA_PAGE (mt_data_page_get_type ())

G_DECLARE_FINAL_TYPE (MtDataPage, mt_data_page, MT, DATA_PAGE, AdwBin)

void     mt_data_page_set_document (MtDataPage *self,
                                    MtDocument *document);
void     mt_data_page_find         (MtDataPage *self);     /* to the search entry */
MtGrid  *mt_data_page_get_grid     (MtDataPage *self);
/* These rows of the table and no others, under a name, with the cursor in one of them. */
void     mt_data_page_show_rows    (MtDataPage    *self,
                                    const guint32 *rows,
                                    gsize          n,
                                    const char    *title,
                                    gsize          cursor);
MtRowsBar *mt_data_page_get_rows_bar (MtDataPage *self);
gboolean mt_data_page_is_narrow    (MtDataPage *self);     /* the inspector covers the table */
void     mt_data_page_accept_target (MtDataPage *self);    /* the guess needs no word any more */

G_END_DECLS
