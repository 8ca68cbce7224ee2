/* Subgroups on the Quality page: the columns to compare by, and the figures of each of their values. */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_SUBGROUP_CARD (mt_subgroup_card_get_type ())

G_DECLARE_FINAL_TYPE (MtSubgroupCard, mt_subgroup_card, MT, SUBGROUP_CARD, AdwBin)

GtkWidget *mt_subgroup_card_new          (void);
void       mt_subgroup_card_set_document (MtSubgroupCard     *self,
                                          MtDocument         *document);
/* @performance NULL: nothing to show. @table: whose rows it is about. @classes: NULL for a number. */
void       mt_subgroup_card_show         (MtSubgroupCard     *self,
                                          MtPerformance      *performance,
                                          MtTable            *table,
                                          const char * const *classes,
                                          double              cutoff);
/* Decides by another cutoff; the metrics stay. */
void       mt_subgroup_card_set_cutoff   (MtSubgroupCard     *self,
                                          double              cutoff);
/* Whether figures are still to come. */
gboolean   mt_subgroup_card_is_busy      (MtSubgroupCard     *self);

G_END_DECLS
