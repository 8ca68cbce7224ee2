/* What keeping a study and bringing it back share. */
#pragma once

#include "mt-project-write.h"
#include "mt-study-store.h"

G_BEGIN_DECLS

typedef struct {
  guint      key;
  MtRun     *run;
  gulong     handler;
  MtRunState stored;            /* the state that the project knows of … */
  MtImport  *import;            /* what it learns from */
  MtFrontierItem *first;        /* … and the first of the points that it has; NULL: none */
} MtStudyEntry;

struct _MtStudyStore {
  GObject        parent_instance;

  MtStudy       *study;
  MtProjectFile *project;
  MtImport      *import;
  MtStudyIds    *ids;
  GPtrArray     *entries;       /* of MtStudyEntry, as the study has the runs */
  guint          last_key;
  GHashTable    *edited;        /* MtFrontierItem, held → its key */
  gboolean       restoring;     /* what happens comes from the project */
  MtStudyMarked  pinned[2];     /* as the project knows it */
};

/* mt-study-store.c */
MtStudyEntry *_mt_study_store_add_entry      (MtStudyStore           *self,
                                              MtRun                  *run);
void          _mt_study_store_set_edited_key (MtStudyStore           *self,
                                              MtFrontierItem         *item,
                                              guint                   key);
/* mt-study-restore.c */
void          _mt_study_store_restore        (MtStudyStore           *self,
                                              MtTable                *table,
                                              const MtProjectContent *content);

G_END_DECLS
