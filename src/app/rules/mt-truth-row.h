/* One line of the truth table. What the lines share is laid out once, in MtTruthScene. */
#pragma once

#include <gtk/gtk.h>

#include "mt-rule-focus.h"

G_BEGIN_DECLS

typedef struct {
  MtRuleFocus *focus;
  guint        n_inputs;
  double       input_widths[MT_RULE_MAX_INPUTS];
  double       output_width, rows_width, mix_width;
  double       network_width;       /* 0: what the network said is not shown */
} MtTruthScene;

#define MT_TRUTH_PADDING 12.0

#define MT_TYPE_TRUTH_ROW (mt_truth_row_get_type ())

G_DECLARE_FINAL_TYPE (MtTruthRow, mt_truth_row, MT, TRUTH_ROW, GtkWidget)

GtkWidget *mt_truth_row_new  (const MtTruthScene *scene);
void       mt_truth_row_bind (MtTruthRow         *self,
                              guint32             assignment);
guint32    mt_truth_row_get_assignment (MtTruthRow *self);

G_END_DECLS
