/* The model one looks at, with the rows it was learned from: what the Rules page, what-if,
 * editing and reports start from. mt_study_get_fitted() gives that of the selected point.
 *
 * A basis is what all models of a run share. Both are immutable, counted and boxed, and may be
 * handed to a thread. */
#pragma once

#include <glib-object.h>

#include "mt-core.h"

G_BEGIN_DECLS

typedef struct {
  MtTable        *table;       /* as it was when the run began: its roles, too */
  MtTarget       *target;
  MtTargetRows   *rows;        /* training rows whose target is known … */
  MtEncoder      *encoder;
  MtEncoded      *encoded;     /* … as literals, in the same order */
  GArray         *test;        /* of guint32: rows of the table kept for the test; NULL: none */
  MtFrontier     *frontier;    /* of the run that made it; NULL: read from a project */
  MtDontCareMode  dont_care;
  MtRunSettings   settings;    /* of the run */
  char           *sha256;      /* of the CSV that the run learned from; NULL: not known, or read from a project */
} MtRunData;

/* Takes everything out of @learned; its frontier is shared. */
MtRunData  *mt_basis_new_from_learned (MtTable              *table,
                                       MtLearned            *learned,
                                       GArray               *test,
                                       const MtRunSettings  *settings);
/* The same for an @encoder that is there already: reads the target and encodes the rows. For a thread. */
MtRunData  *mt_basis_new              (MtTable              *table,
                                       MtEncoder            *encoder,
                                       const MtRunSettings  *settings,
                                       GError              **error);
/* The rows kept for the test, with their targets and as literals. TRUE with both NULL: there are none. */
gboolean  mt_basis_read_test        (const MtRunData  *basis,
                                     MtTargetRows  **truth,
                                     MtEncoded     **test,
                                     GError        **error);
MtRunData  *mt_basis_ref              (MtRunData        *basis);
void      mt_basis_unref            (MtRunData        *basis);

typedef struct {
  MtRunData         *basis;
  MtFrontierPoint  point;      /* its rules are the model */
  MtEditHistory   *history;    /* of its edits; NULL: it is as it was learned */
  MtModel         *kept;       /* as a project had it, before any edit; NULL: the basis has its frontier */
} MtSelectedModel;

#define MT_TYPE_SELECTED_MODEL (mt_selected_model_get_type ())

GType     mt_selected_model_get_type        (void);
MtSelectedModel *mt_selected_model_new             (MtRunData               *basis,
                                                    const MtFrontierPoint *point,
                                                    MtEditHistory         *history,    /* may be NULL */
                                                    MtModel               *kept);      /* may be NULL */
MtSelectedModel *mt_selected_model_ref             (MtSelectedModel              *fitted);
void      mt_selected_model_unref           (MtSelectedModel              *fitted);
/* As a model that stands alone, except for the settings of its run: mt-selected-model-file.h. @import: where the
 * table came from; NULL: nothing is said of it. */
MtModel  *mt_selected_model_dup_model       (const MtSelectedModel        *fitted,
                                             const MtImport        *import,
                                             GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRunData, mt_basis_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSelectedModel, mt_selected_model_unref)

G_END_DECLS
