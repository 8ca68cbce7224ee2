/* A point of a frontier as a model that stands alone. */
#pragma once

#include "mt-learn.h"
#include "mt-model.h"

G_BEGIN_DECLS

/* No test rows were looked at. */
MtModel *mt_learned_make_model (const MtLearned        *learned,
                                const MtFrontierPoint  *point,
                                const MtLearnOptions   *options,
                                const MtImport         *import,
                                GError                **error);

G_END_DECLS
