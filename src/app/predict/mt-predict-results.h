/* What scoring a file gave, as groups of rows: answers, what was noticed, drift by column, quality, the first lines. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

/* @has_training: drift was measured against the rows that the model learned from. */
GtkWidget *mt_predict_results_new      (const MtModel   *model,
                                        const MtScoring *scoring,
                                        gboolean         has_training);

G_END_DECLS
