/* The Model page: what to predict, and how fine and how large the rules may be. */
#pragma once

#include <adwaita.h>

#include "mt-document.h"
#include "mt-run-settings.h"

G_BEGIN_DECLS

#define MT_TYPE_MODEL_PAGE (mt_model_page_get_type ())

G_DECLARE_FINAL_TYPE (MtModelPage, mt_model_page, MT, MODEL_PAGE, AdwBin)

void                 mt_model_page_set_document (MtModelPage *self,
                                                 MtDocument  *document);
const MtRunSettings *mt_model_page_get_settings (MtModelPage *self);

G_END_DECLS
