/* The frontier drawn: hover shows, a click or the arrow keys select, the selection is shared
 * with the table beside it. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_PLOT_VIEW (mt_plot_view_get_type ())

G_DECLARE_FINAL_TYPE (MtPlotView, mt_plot_view, MT, PLOT_VIEW, GtkWidget)

/* @selection: of MtFrontierItem, ascending complexity. */
void mt_plot_view_set_selection (MtPlotView         *self,
                                 GtkSingleSelection *selection);
/* Texts of the recommended point's callout; after the selection's model has changed. */
void mt_plot_view_refresh       (MtPlotView         *self,
                                 const char         *metric,
                                 guint               n_folds);
void mt_plot_view_set_log       (MtPlotView         *self,
                                 gboolean            log_scale);
/* Writes it as it stands, in the colours of paper. */
gboolean mt_plot_view_export    (MtPlotView         *self,
                                 const char         *path,
                                 GError            **error);

G_END_DECLS
