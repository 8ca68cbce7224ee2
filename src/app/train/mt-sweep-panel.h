/* The grid of a sweep: values to try for each setting, how many runs that makes and how long they may
 * take. Signal "changed": other values were chosen. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_SWEEP_PANEL (mt_sweep_panel_get_type ())

G_DECLARE_FINAL_TYPE (MtSweepPanel, mt_sweep_panel, MT, SWEEP_PANEL, GtkBox)

/* The setting of a single run; it is among the values offered. */
void             mt_sweep_panel_set_base (MtSweepPanel        *self,
                                          const MtRunSettings *base);
const MtSweepGrid *mt_sweep_panel_get_grid (MtSweepPanel        *self);
void             mt_sweep_panel_set_grid (MtSweepPanel        *self,
                                          const MtSweepGrid     *grid);
/* Why nothing can be trained, in a sentence and for the tooltips of its buttons; NULL: something can. */
void             mt_sweep_panel_set_obstacle (MtSweepPanel    *self,
                                          const char          *sentence,
                                          const char          *reason);
/* @seconds: of one run and of the sweep. */
void             mt_sweep_panel_show_time (MtSweepPanel       *self,
                                          double               one,
                                          double               all);

G_END_DECLS
