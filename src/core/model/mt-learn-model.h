/* A point of a frontier as a model that stands alone. */
#pragma once

#include "learn/mt-learn.h"
#include "mt-model.h"

G_BEGIN_DECLS

/* Rows on which the rules decide otherwise than the network that @learned began with, or that was trained next to
 * the rules; a number is another if it is further off than a tenth of the training targets' standard deviation. -1:
 * there is no network. @encoded may be NULL: -1. */
gint64   mt_learned_count_differing (const MtLearned *learned,
                                     const MtRuleSet *rules,
                                     const MtEncoded *encoded);

/* @n_test and @test: rows that the model was tested on and its metric there; 0 and NaN: none. @test_rows:
 * those rows, for comparing with the network; may be NULL. */
MtModel *mt_learned_make_model (const MtLearned        *learned,
                                const MtFrontierPoint  *point,
                                const MtLearnOptions   *options,
                                const MtImport         *import,
                                gsize                   n_test,
                                double                  test,
                                const MtEncoded        *test_rows,
                                GError                **error);

/* Which path the rules are from, what the folds thought of the others, and how often they were trained (mt-frontier.h), as the
 * model's file has it: path, over_*, n_trainings, and n_kept of @point. NaN, 0: not recorded. FALSE: the path is not. */
gboolean mt_model_read_choice  (const MtModel          *model,
                                MtFrontierPoint        *point);

G_END_DECLS
