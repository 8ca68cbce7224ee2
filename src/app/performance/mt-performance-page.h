/* The Quality page: how good the selected model is on its folds, on the rows it was trained on, and, once that was
 * agreed to and counted, on the test rows. Computed when the page is looked at, off the main thread.
 *
 * Signals: "tested" (key): the test rows are shown for the model with that key of the ledger; "cutoff" (number, reason):
 * the selected model is to have that cutoff. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"
#include "study/mt-study.h"

G_BEGIN_DECLS

#define MT_TYPE_PERFORMANCE_PAGE (mt_performance_page_get_type ())

G_DECLARE_FINAL_TYPE (MtPerformancePage, mt_performance_page, MT, PERFORMANCE_PAGE, AdwBin)

/* @ledger: borrowed for as long as the page lives. */
void mt_performance_page_set_study (MtPerformancePage     *self,
                                    MtDocument            *document,
                                    MtStudy               *study,
                                    const MtTestSetLedger *ledger);
/* Whether figures are still to come. */
gboolean mt_performance_page_is_busy (MtPerformancePage *self);
/* What is shown; NULL: nothing yet. For tests. */
const MtPerformance *mt_performance_page_get (MtPerformancePage *self);

G_END_DECLS
