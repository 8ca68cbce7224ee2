/* A point of a frontier as a model that stands alone. */
#pragma once

#include "mt-learn.h"
#include "mt-model.h"

G_BEGIN_DECLS

/* @n_test and @test: rows that the model was tested on and its metric there; 0 and NaN: none. */
MtModel *mt_learned_make_model (const MtLearned        *learned,
                                const MtFrontierPoint  *point,
                                const MtLearnOptions   *options,
                                const MtImport         *import,
                                gsize                   n_test,
                                double                  test,
                                GError                **error);

G_END_DECLS
