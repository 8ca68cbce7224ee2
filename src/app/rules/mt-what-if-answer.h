/* What a row of values scores: the prediction in words, what each term adds as a waterfall and, for
 * readers who cannot see that, as a table. Of several classes one chooses whose score is shown. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_WHAT_IF_ANSWER (mt_what_if_answer_get_type ())

G_DECLARE_FINAL_TYPE (MtWhatIfAnswer, mt_what_if_answer, MT, WHAT_IF_ANSWER, AdwBin)

/* Another model: nothing is known of a row yet. NULL: none. */
void            mt_what_if_answer_set_book   (MtWhatIfAnswer *self,
                                              MtRuleBook     *book);
/* @result: taken; NULL: @error says why there is none. @reference: where the decision changes. */
void            mt_what_if_answer_take       (MtWhatIfAnswer *self,
                                              MtWhatIf       *result,
                                              double          reference,
                                              const GError   *error);
const MtWhatIf *mt_what_if_answer_get_result (MtWhatIfAnswer *self);     /* NULL: none */
/* Whose score is taken apart: the class decided (-1), or always the same. */
void            mt_what_if_answer_set_class  (MtWhatIfAnswer *self,
                                              int             class);
/* Lines of the waterfall, without the score. */
guint           mt_what_if_answer_get_n_steps (MtWhatIfAnswer *self);

/* "66%", or a number. */
char           *mt_what_if_describe          (MtRuleBook     *book,
                                              const MtWhatIf *result);
/* Signal "term-activated" (int): one wants to see a term, of whose part in the score it speaks. */

G_END_DECLS
