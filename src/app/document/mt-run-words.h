/* Settings of a run in words, and how long such a run may take. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

/* "TT-Sparse with search": as the Model page calls it. */
const char *mt_run_settings_get_method (const MtRunSettings      *settings);
/* "TT-Sparse with search · 9 bits · 30 nodes · fan-in 5 · temperature 0.05 · seed 3" */
char    *mt_run_settings_describe   (const MtRunSettings         *settings);
/* What tells a run from @others: "9 bits · τ 0.05 · seed 3"; or, with @n_seeds over 1, all that are like it. */
char    *mt_run_settings_tell_apart (const MtRunSettings         *settings,
                                     const MtRunSettings * const *others,
                                     guint                        n_others,
                                     guint                        n_seeds);
/* Seconds that a run over @n_rows may take on @n_threads: a rough guess, good for comparing two runs. */
double   mt_run_settings_guess      (const MtRunSettings         *settings,
                                     gsize                        n_rows,
                                     guint                        n_threads);

G_END_DECLS
