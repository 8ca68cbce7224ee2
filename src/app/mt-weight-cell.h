/* A term's weight: a pill or a square with the number, a bar towards its side, and what it means for
 * the odds. Of several outputs a line each. */
#pragma once

#include <gtk/gtk.h>

#include "mt-term-item.h"

G_BEGIN_DECLS

#define MT_TYPE_WEIGHT_CELL (mt_weight_cell_get_type ())

G_DECLARE_FINAL_TYPE (MtWeightCell, mt_weight_cell, MT, WEIGHT_CELL, GtkWidget)

GtkWidget *mt_weight_cell_new  (void);
/* @most: the strongest weight of the model, which the bars are measured by. */
void       mt_weight_cell_bind (MtWeightCell *self,
                                MtTermItem   *item,
                                double        most);

G_END_DECLS
