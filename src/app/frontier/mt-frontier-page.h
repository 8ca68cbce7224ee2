/* The Frontier page: what accuracy costs in literals, and the rules of the model chosen. */
#pragma once

#include <adwaita.h>

#include "study/mt-benchmarks.h"
#include "document/mt-document.h"
#include "mt-plot-view.h"
#include "study/mt-study.h"

G_BEGIN_DECLS

/* The note that keeps imported results, as mt_results_to_text() writes them. */
#define MT_NOTE_RESULTS "results"

#define MT_TYPE_FRONTIER_PAGE (mt_frontier_page_get_type ())

G_DECLARE_FINAL_TYPE (MtFrontierPage, mt_frontier_page, MT, FRONTIER_PAGE, AdwBin)

void                mt_frontier_page_set_study     (MtFrontierPage *self,
                                                    MtDocument     *document,
                                                    MtStudy        *study);
GtkSingleSelection *mt_frontier_page_get_selection (MtFrontierPage *self);
/* Pins a point to be compared, or lets it go. */
void                mt_frontier_page_pin           (MtFrontierPage *self,
                                                    MtFrontierItem *item);
MtPlotView         *mt_frontier_page_get_plot      (MtFrontierPage *self);
GtkColumnView      *mt_frontier_page_get_table     (MtFrontierPage *self);   /* of the points */
/* In a narrow window the table may be scrolled sideways; otherwise there is room for all of it. */
void                mt_frontier_page_set_narrow    (MtFrontierPage *self,
                                                    gboolean        narrow);
/* There is no room for the table next to the plot: it lies over it, when "show-inspector". */
gboolean            mt_frontier_page_is_folded     (MtFrontierPage *self);
void                mt_frontier_page_set_log       (MtFrontierPage *self,
                                                    gboolean        log_scale);
MtBenchmarks       *mt_frontier_page_get_benchmarks (MtFrontierPage *self);
/* Plot or points, by the name's end; mt_frontier_export_finish() tells how it went. */
void                mt_frontier_page_export_async  (MtFrontierPage      *self,
                                                    const char          *path,
                                                    GCancellable        *cancellable,
                                                    GAsyncReadyCallback  callback,
                                                    gpointer             data);

G_END_DECLS
