/* Keeps a study in a project as it goes: every run when it is queued, begins and ends, its points and
 * models when it is done, which point is selected. And brings a study back from a project. */
#pragma once

#include "document/mt-project-file.h"
#include "mt-study.h"

G_BEGIN_DECLS

#define MT_TYPE_STUDY_STORE (mt_study_store_get_type ())

G_DECLARE_FINAL_TYPE (MtStudyStore, mt_study_store, MT, STUDY_STORE, GObject)

/* @content: what the project holds (its runs are added to the study, which has none), or NULL: the
 * project holds no runs, and gets those of the study. @table and @import: what is open. */
MtStudyStore *mt_study_store_new (MtStudy                *study,
                                  MtProjectFile          *project,
                                  MtTable                *table,
                                  MtImport               *import,
                                  const MtProjectContent *content);
/* What is open now; runs that were queued before stay with what was open then. */
void          mt_study_store_set_import (MtStudyStore      *self,
                                  MtImport               *import);

G_END_DECLS
