/* Stands before the C library in a program of ours (LD_PRELOAD) and says no once:
 *
 *   MT_FAULT_OPEN=N:PATH   the N-th opening of PATH fails, as if the file were gone
 *   MT_FAULT_MEMORY=N      the N-th request of 64 kB or more is refused
 *   MT_FAULT_THREADS=N     no thread is made from the N-th on */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BIG 65536

extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);
extern void *__libc_memalign (size_t, size_t);

static atomic_long memory_countdown;
static atomic_long open_countdown;
static atomic_long threads_left = -1;
static const char *open_path;

__attribute__ ((constructor)) static void
read_orders (void)
{
  const char *memory = getenv ("MT_FAULT_MEMORY");
  const char *path = getenv ("MT_FAULT_OPEN");
  const char *threads = getenv ("MT_FAULT_THREADS");

  if (path != NULL && strchr (path, ':') != NULL)
    {
      open_path = strchr (path, ':') + 1;
      open_countdown = atol (path);
    }
  if (memory != NULL)
    memory_countdown = atol (memory);
  if (threads != NULL)
    threads_left = atol (threads) - 1;
}

static int
is_due (atomic_long *countdown)
{
  return *countdown > 0 && atomic_fetch_sub (countdown, 1) == 1;
}

static int
refuse (size_t n_bytes)
{
  if (n_bytes < BIG || !is_due (&memory_countdown))
    return 0;
  errno = ENOMEM;
  return 1;
}

void *
malloc (size_t n)
{
  return refuse (n) ? NULL : __libc_malloc (n);
}

void *
calloc (size_t n,
        size_t size)
{
  size_t all;

  return !__builtin_mul_overflow (n, size, &all) && refuse (all) ? NULL : __libc_calloc (n, size);
}

void *
realloc (void  *memory,
         size_t n)
{
  return refuse (n) ? NULL : __libc_realloc (memory, n);
}

void *
aligned_alloc (size_t alignment,
               size_t n)
{
  return refuse (n) ? NULL : __libc_memalign (alignment, n);
}

int
open (const char *path,
      int         flags,
      ...)
{
  static int (*next) (const char *, int, ...);
  va_list more;
  mode_t mode;

  va_start (more, flags);
  mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (more, mode_t) : 0;
  va_end (more);
  if (next == NULL)
    next = (int (*) (const char *, int, ...)) dlsym (RTLD_NEXT, "open");
  if (open_path != NULL && strcmp (path, open_path) == 0 && is_due (&open_countdown))
    {
      errno = ENOENT;
      return -1;
    }
  return next (path, flags, mode);
}

int
pthread_create (pthread_t            *thread,
                const pthread_attr_t *attributes,
                void                 *(*function) (void *),
                void                 *data)
{
  int (*next) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

  if (threads_left == 0 || (threads_left > 0 && atomic_fetch_sub (&threads_left, 1) <= 0))
    return EAGAIN;
  *(void **) &next = dlsym (RTLD_NEXT, "pthread_create");
  return next (thread, attributes, function, data);
}
