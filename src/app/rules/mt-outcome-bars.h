/* What became of the rows of which a rule is true, of three classes or more: a line for each class that
 * the list has (mt_term_item_dup_lines), with a bar as long as its share. The lines are next to those
 * of the weights, which name the classes. */
#pragma once

#include <gtk/gtk.h>

#include "mt-term-item.h"

G_BEGIN_DECLS

#define MT_TYPE_OUTCOME_BARS (mt_outcome_bars_get_type ())

G_DECLARE_FINAL_TYPE (MtOutcomeBars, mt_outcome_bars, MT, OUTCOME_BARS, GtkWidget)

GtkWidget *mt_outcome_bars_new  (void);
void       mt_outcome_bars_bind (MtOutcomeBars  *self,
                                 MtTermItem *item);

G_END_DECLS
