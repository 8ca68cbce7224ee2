/* Choice of kernels, and aligned memory for them. */
#include "config.h"
#include "mt-kernels-private.h"

#include "base/mt-large.h"

#include <string.h>

/* Asks the processor, not the compiler: the program contains all versions. The AVX-512 version
 * needs four extensions (F, BW, DQ, VL) and includes AVX2 code. */
static gboolean
machine_runs (const MtKernels *kernels)
{
#if defined (__x86_64__)
  if (kernels == &mt_kernels_avx512)
    return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw") &&
           __builtin_cpu_supports ("avx512dq") && __builtin_cpu_supports ("avx512vl") &&
           __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
  if (kernels == &mt_kernels_avx2)
    return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
#endif
  return kernels == &mt_kernels_c;
}

static const MtKernels * const versions[] = {   /* best first */
#if defined (__x86_64__)
  &mt_kernels_avx512,
  &mt_kernels_avx2,
#endif
  &mt_kernels_c,
};

const MtKernels *
mt_kernels_by_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    if (g_strcmp0 (versions[i]->name, name) == 0)
      return machine_runs (versions[i]) ? versions[i] : NULL;
  return NULL;
}

static const MtKernels *chosen;

void
mt_kernels_use (const MtKernels *kernels)
{
  g_atomic_pointer_set (&chosen, (gpointer) kernels);
}

/* Chosen once, at the first call, and the same for the whole process: trainings must not change
 * kernels on the way, since the versions differ in the last bits of floats. The environment may ask
 * for less, never for more than the machine has. */
const MtKernels *
mt_kernels_get (void)
{
  const MtKernels *best = g_atomic_pointer_get (&chosen);

  if (G_LIKELY (best != NULL))
    return best;
  /* Two threads that meet here choose the same. */
  best = mt_kernels_by_name (g_getenv ("MINTERM_KERNELS"));
  for (guint i = 0; best == NULL; i++)
    if (machine_runs (versions[i]))
      best = versions[i];
  mt_kernels_use (best);
  return best;
}

/* Running out of memory ends the program: these arrays are made of sizes that were checked before. */
gpointer
mt_aligned_new0 (gsize n_bytes)
{
  return mt_large_need0 (n_bytes);
}

void
mt_aligned_free (gpointer memory)
{
  mt_large_free (memory);
}
