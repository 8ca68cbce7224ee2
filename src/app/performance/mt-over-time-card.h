/* Quality and score drift over time on the Quality page: three charts and their figures as a table. */
#pragma once

#include <adwaita.h>

#include "study/mt-study.h"

G_BEGIN_DECLS

#define MT_TYPE_OVER_TIME_CARD (mt_over_time_card_get_type ())

G_DECLARE_FINAL_TYPE (MtOverTimeCard, mt_over_time_card, MT, OVER_TIME_CARD, AdwBin)

GtkWidget *mt_over_time_card_new     (void);
/* @performance NULL: nothing to show. Hidden, unless the table has a column with the role time or a date. */
void       mt_over_time_card_show    (MtOverTimeCard *self,
                                      MtPerformance  *performance,
                                      MtTable        *table);
/* Whether figures are still to come. */
gboolean   mt_over_time_card_is_busy (MtOverTimeCard *self);
/* What is shown; NULL: nothing yet. For tests. */
const MtOverTime *mt_over_time_card_get (MtOverTimeCard *self);

G_END_DECLS
