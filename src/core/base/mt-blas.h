/* OpenBLAS on one thread: the threads are ours, and the result must not depend on theirs. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void mt_blas_use_one_thread (void);
/* First thing in main: may replace the process by a new one that runs the same program. */
void mt_blas_start_again_if_limited (char **argv);

G_END_DECLS
