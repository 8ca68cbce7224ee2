/* The Train page: what works and what waits, how the loss falls, how long it takes. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"
#include "study/mt-study.h"

G_BEGIN_DECLS

#define MT_TYPE_TRAIN_PAGE (mt_train_page_get_type ())

G_DECLARE_FINAL_TYPE (MtTrainPage, mt_train_page, MT, TRAIN_PAGE, AdwBin)

void mt_train_page_set_study (MtTrainPage *self,
                              MtDocument  *document,
                              MtStudy     *study);

/* The run whose curves are shown, by its place in the study; -1: none. Signal "run-changed": another one. */
int  mt_train_page_get_run   (MtTrainPage *self);
void mt_train_page_set_run   (MtTrainPage *self,
                              guint        run);

/* Whether the run that is shown has any charts. */
gboolean   mt_train_page_has_charts  (MtTrainPage *self);
/* The charts that are shown. Empty: none. */
GPtrArray *mt_train_page_copy_charts (MtTrainPage *self);

G_END_DECLS
