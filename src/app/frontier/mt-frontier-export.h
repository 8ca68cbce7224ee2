/* The frontier as a file: the plot as SVG, PNG or PDF, or its points as CSV; the name's end
 * decides. Written off the main thread, whole or not at all. */
#pragma once

#include <gio/gio.h>

#include "mt-core.h"
#include "mt-plot-view.h"

G_BEGIN_DECLS

/* Models, then benchmarks (may be NULL), a line each. Numbers as files have them, whatever the locale. */
GString *mt_frontier_points_to_csv   (GListModel          *points,       /* of MtFrontierItem */
                                      const MtBaselines   *baselines,
                                      guint                literals);    /* of the tree, at most */
/* Takes @plot and @csv. A name that ends in none of .svg, .png, .pdf and .csv is refused. */
void     mt_frontier_export_async    (const char          *path,
                                      MtPlotCopy          *plot,
                                      GString             *csv,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             data);
gboolean mt_frontier_export_finish   (GAsyncResult        *result,
                                      GError             **error);

G_END_DECLS
