/* The Frontier page: what accuracy costs in literals, and the rules of the model chosen. */
#pragma once

#include <adwaita.h>

#include "mt-document.h"
#include "mt-study.h"

G_BEGIN_DECLS

#define MT_TYPE_FRONTIER_PAGE (mt_frontier_page_get_type ())

G_DECLARE_FINAL_TYPE (MtFrontierPage, mt_frontier_page, MT, FRONTIER_PAGE, AdwBin)

void                mt_frontier_page_set_study     (MtFrontierPage *self,
                                                    MtDocument     *document,
                                                    MtStudy        *study);
GtkSingleSelection *mt_frontier_page_get_selection (MtFrontierPage *self);
gboolean            mt_frontier_page_export        (MtFrontierPage *self,
                                                    const char     *path,
                                                    GError        **error);

G_END_DECLS
