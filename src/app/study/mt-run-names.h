/* What tells one run from others, in a few words: settings, method and columns. */
#pragma once

#include "mt-run.h"

G_BEGIN_DECLS

/* The name of @run among @runs; @n_seeds: of how many runs that differ in their seed only it is the name. */
char *mt_run_names_tell_apart     (MtRun         *run,
                                   MtRun * const *runs,
                                   guint          n_runs,
                                   guint          n_seeds);
/* Whether both learn from columns of the same names. */
gboolean mt_run_names_same_columns (MtRun        *a,
                                   MtRun         *b);

G_END_DECLS
