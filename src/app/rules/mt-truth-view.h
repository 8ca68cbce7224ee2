/* The truth table of the rule on show: a real list of lines, each a widget that draws its cells, under
 * heads that sort. At 2^10 lines only those in view exist. */
#pragma once

#include <gtk/gtk.h>

#include "mt-rule-focus.h"

G_BEGIN_DECLS

#define MT_TYPE_TRUTH_VIEW (mt_truth_view_get_type ())

G_DECLARE_FINAL_TYPE (MtTruthView, mt_truth_view, MT, TRUTH_VIEW, GtkWidget)

void     mt_truth_view_set_focus   (MtTruthView *self,
                                    MtRuleFocus *focus);
/* Lines of a term stand together, those that make the rule false last. */
void     mt_truth_view_set_grouped (MtTruthView *self,
                                    gboolean     grouped);
/* A column more: what the network itself said. */
void     mt_truth_view_set_network (MtTruthView *self,
                                    gboolean     shown);
/* Lines in the order shown; for tests and for copying. */
GListModel *mt_truth_view_get_lines (MtTruthView *self);
guint32  mt_truth_view_get_assignment (MtTruthView *self,
                                    guint        position);
/* The table as text, tab-separated, in the order shown. */
char    *mt_truth_view_dup_text    (MtTruthView *self);

G_END_DECLS
