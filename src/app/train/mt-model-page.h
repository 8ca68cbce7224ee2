/* The Model page: what to predict, how fine and how large the rules may be, one run or a sweep.
 * Signal "changed": another setting was chosen. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"
#include "mt-core.h"
#include "study/mt-study.h"

G_BEGIN_DECLS

#define MT_TYPE_MODEL_PAGE (mt_model_page_get_type ())

G_DECLARE_FINAL_TYPE (MtModelPage, mt_model_page, MT, MODEL_PAGE, AdwBin)

void                 mt_model_page_set_study    (MtModelPage         *self,
                                                 MtDocument          *document,
                                                 MtStudy             *study);
const MtRunSettings *mt_model_page_get_settings (MtModelPage         *self);
/* Both as if a person had chosen it: it can be undone. */
void                 mt_model_page_set_settings (MtModelPage         *self,
                                                 const MtRunSettings *settings);
const MtSweepGrid     *mt_model_page_get_grid     (MtModelPage         *self);
void                 mt_model_page_set_grid     (MtModelPage         *self,
                                                 const MtSweepGrid     *grid);

G_END_DECLS
