/* How one run goes, drawn: loss and metric of its network by epoch, the loss against literals while
 * rules are dropped, and how far each fold is. What a run does not have is not shown. Below the charts is an
 * expander with the same as tables. */
#pragma once

#include <gtk/gtk.h>

#include "study/mt-run.h"
#include "mt-train-export.h"

G_BEGIN_DECLS

#define MT_TYPE_TRAIN_CHARTS (mt_train_charts_get_type ())

G_DECLARE_FINAL_TYPE (MtTrainCharts, mt_train_charts, MT, TRAIN_CHARTS, GtkBox)

/* Shows it as it is now. NULL: nothing. */
void mt_train_charts_show (MtTrainCharts *self,
                           MtRun         *run);

/* Whether there is anything to draw of it. */
gboolean mt_train_charts_has (MtRun *run);

/* Those that are shown, of MtTrainChart: for mt_train_export_async(). Empty: none. */
GPtrArray *mt_train_charts_copy (MtTrainCharts *self);

G_END_DECLS
