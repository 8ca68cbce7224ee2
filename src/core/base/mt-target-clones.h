/* MT_CLONES before a function: the same C, compiled three times; the loader takes the widest that the machine has.
 * Lanes and order are fixed in the source, so all three give the same bits.
 *
 * Clang before 18 names the function that chooses otherwise than its callers do, and nothing can be linked: there
 * it is compiled once, for any machine, and is slower. */
#pragma once

#if defined (__clang__) && __clang_major__ < 18
#define MT_CLONES
#elif defined (__x86_64__) && !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
#define MT_CLONES __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define MT_CLONES
#endif
