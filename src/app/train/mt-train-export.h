/* The charts of a training as one picture, one below the other: SVG, PNG or PDF, as the name's end says.
 * Written off the main thread, whole or not at all. */
#pragma once

#include <gio/gio.h>

#include "mt-core.h"

G_BEGIN_DECLS

typedef struct {
  char         *title;
  MtCurvesSpec  spec;     /* owns what it points to: mt_curves_view_copy() */
} MtTrainChart;

void     mt_train_chart_free     (MtTrainChart         *chart);
/* Takes @charts, of MtTrainChart. */
void     mt_train_export_async   (const char           *path,
                                  GPtrArray            *charts,
                                  GAsyncReadyCallback   callback,
                                  gpointer              data);
gboolean mt_train_export_finish  (GAsyncResult         *result,
                                  GError              **error);

G_END_DECLS
