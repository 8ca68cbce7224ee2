/* One run in the queue: its colour and shape, what it is, how it fares. */
#pragma once

#include <gtk/gtk.h>

#include "study/mt-run.h"

G_BEGIN_DECLS

#define MT_TYPE_RUN_ROW (mt_run_row_get_type ())

G_DECLARE_FINAL_TYPE (MtRunRow, mt_run_row, MT, RUN_ROW, GtkBox)

GtkWidget *mt_run_row_new     (void);
/* @run NULL: shows nothing, and releases the one before. */
void       mt_run_row_set_run (MtRunRow *self,
                               MtRun    *run);

G_END_DECLS
