/* OpenBLAS on one thread: the threads are ours, and the result must not depend on theirs. See mt-blas.h. */
#include "config.h"
#include "mt-blas.h"

#include <cblas.h>
#include <sys/resource.h>
#include <unistd.h>

void
mt_blas_use_one_thread (void)
{
  openblas_set_num_threads (1);
}

/* OpenBLAS starts a thread a processor when it is loaded, before any line of ours runs, and
 * each asks for 128 MB until it gets them. Where memory is limited that may be never, and the
 * program would wait for such a thread at its end. So it starts again with threads forbidden. */
void
mt_blas_start_again_if_limited (char **argv)
{
  struct rlimit limit;

  if (g_getenv ("OPENBLAS_NUM_THREADS") != NULL || getrlimit (RLIMIT_AS, &limit) != 0 ||
      limit.rlim_cur == RLIM_INFINITY || argv[0] == NULL)
    return;
  g_setenv ("OPENBLAS_NUM_THREADS", "1", TRUE);
  execv ("/proc/self/exe", argv);
  /* Without /proc it goes on as it is. */
}
