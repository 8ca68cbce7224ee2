/* MT_CLONES before a function: the same C, compiled three times; the loader takes the widest that the machine has.
 * Lanes and order are fixed in the source, so all three give the same bits. */
#pragma once

#if defined (__x86_64__) && !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
#define MT_CLONES __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define MT_CLONES
#endif
