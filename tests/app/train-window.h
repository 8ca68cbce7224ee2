/* A window with a table that is trained in no time, for the programs that test runs. */
#pragma once

#include "apputils.h"
#include "train/mt-model-page.h"

G_BEGIN_DECLS

/* Of 160 rows and the columns a, b, kind and y, which depends on a and kind together. */
GFile       *mt_train_window_write       (const char *name);
/* The same in a window, with y as its target. */
MtWindow    *mt_train_window_open        (const char *name);
MtModelPage *mt_train_window_model_page  (MtWindow   *window);
/* Two settings of runs that take no time, with @n_seeds each. */
void         mt_train_window_choose_grid (MtWindow   *window,
                                          guint       n_seeds);
MtRun       *mt_train_window_get_run     (MtWindow   *window,
                                          guint       index);
/* How many runs are in that state. */
guint        mt_train_window_count       (MtWindow   *window,
                                          MtRunState  state);
/* The name of the page on show. */
const char  *mt_train_window_get_page    (MtWindow   *window);
/* For mt_app_wait(): nothing is still to be written. */
gboolean     mt_train_window_is_saved    (gpointer    window);

G_END_DECLS
