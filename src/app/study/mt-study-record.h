/* What was tried in this window, and what was decided, for the report. */
#pragma once

#include "document/mt-document.h"
#include "mt-study.h"

G_BEGIN_DECLS

MtSearchRecord *mt_study_make_record (MtStudy    *study,
                                      MtDocument *document);

G_END_DECLS
