/* What was tried in this window, and what was decided, for the report. */
#pragma once

#include "document/mt-document.h"
#include "mt-benchmarks.h"
#include "mt-study.h"

G_BEGIN_DECLS

/* @benchmarks: those of the recommended model's rows; NULL: none. */
MtSearchRecord *mt_study_make_record (MtStudy      *study,
                                      MtDocument   *document,
                                      MtBenchmarks *benchmarks);

G_END_DECLS
