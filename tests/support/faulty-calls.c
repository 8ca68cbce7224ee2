#include "config.h"
#include "faulty-calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int countdown, hit;      /* atomic */
static int fault;
static const char *within;

void
faulty_calls_arm (guint n,
                  int   code)
{
  g_atomic_int_set (&hit, FALSE);
  fault = code;
  g_atomic_int_set (&countdown, (int) n);
}

gboolean
faulty_calls_disarm (void)
{
  g_atomic_int_set (&countdown, 0);
  return g_atomic_int_get (&hit);
}

void
faulty_calls_limit_to (const char *folder)
{
  within = folder;
}

/* Another thread than the one that arms may call. */
static gboolean
fails_now (const char *path)
{
  guint left;

  if (within != NULL && !g_str_has_prefix (path, within))
    return FALSE;
  do
    {
      left = (guint) g_atomic_int_get (&countdown);
      if (left == 0)
        return FALSE;
    }
  while (!g_atomic_int_compare_and_exchange (&countdown, (int) left, (int) left - 1));
  if (left > 1)
    return FALSE;
  g_atomic_int_set (&hit, TRUE);
  errno = fault;
  return TRUE;
}

static gboolean
fails_now_on (int fd)
{
  char link[32], path[PATH_MAX];
  ssize_t n = 0;

  if (g_atomic_int_get (&countdown) == 0)
    return FALSE;
  if (within != NULL)
    {
      g_snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
      n = readlink (link, path, sizeof path - 1);
    }
  path[MAX (n, 0)] = '\0';
  return fails_now (path);
}

/* The next definition of the function that stands here. */
#define NEXT(type, name) \
  static type real; \
  if (real == NULL) \
    real = (type) dlsym (RTLD_NEXT, name)

typedef int     (*OpenFunc)      (const char *, int, ...);
typedef ssize_t (*WriteFunc)     (int, const void *, size_t);
typedef ssize_t (*PwriteFunc)    (int, const void *, size_t, off_t);
typedef ssize_t (*PreadFunc)     (int, void *, size_t, off_t);
typedef int     (*FdFunc)        (int);
typedef int     (*RenameFunc)    (const char *, const char *);
typedef int     (*Renameat2Func) (int, const char *, int, const char *, unsigned int);
typedef int     (*TruncateFunc)  (int, off_t);
typedef int     (*AllocateFunc)  (int, int, off_t, off_t);
typedef int     (*ModeFunc)      (int, mode_t);
typedef int     (*OwnerFunc)     (int, uid_t, gid_t);

int
open64 (const char *path,
        int         flags,
        ...)
{
  mode_t mode = 0;
  va_list args;

  NEXT (OpenFunc, "open64");
  va_start (args, flags);
  if (flags & O_CREAT)
    mode = va_arg (args, mode_t);
  va_end (args);
  return fails_now (path) ? -1 : real (path, flags, mode);
}

ssize_t
write (int         fd,
       const void *data,
       size_t      length)
{
  NEXT (WriteFunc, "write");
  return fails_now_on (fd) ? -1 : real (fd, data, length);
}

ssize_t
pwrite64 (int         fd,
          const void *data,
          size_t      length,
          off_t       offset)
{
  NEXT (PwriteFunc, "pwrite64");
  return fails_now_on (fd) ? -1 : real (fd, data, length, offset);
}

ssize_t
pread64 (int    fd,
         void  *data,
         size_t length,
         off_t  offset)
{
  NEXT (PreadFunc, "pread64");
  return fails_now_on (fd) ? -1 : real (fd, data, length, offset);
}

int
fsync (int fd)
{
  NEXT (FdFunc, "fsync");
  return fails_now_on (fd) ? -1 : real (fd);
}

int
fdatasync (int fd)
{
  NEXT (FdFunc, "fdatasync");
  return fails_now_on (fd) ? -1 : real (fd);
}

int
rename (const char *from,
        const char *to)
{
  NEXT (RenameFunc, "rename");
  return fails_now (to) ? -1 : real (from, to);
}

int
renameat2 (int          from_folder,
           const char  *from,
           int          to_folder,
           const char  *to,
           unsigned int flags)
{
  NEXT (Renameat2Func, "renameat2");
  return fails_now (to) ? -1 : real (from_folder, from, to_folder, to, flags);
}

int
ftruncate64 (int   fd,
             off_t length)
{
  NEXT (TruncateFunc, "ftruncate64");
  return fails_now_on (fd) ? -1 : real (fd, length);
}

int
fallocate64 (int   fd,
             int   mode,
             off_t offset,
             off_t length)
{
  NEXT (AllocateFunc, "fallocate64");
  return fails_now_on (fd) ? -1 : real (fd, mode, offset, length);
}

int
fchmod (int    fd,
        mode_t mode)
{
  NEXT (ModeFunc, "fchmod");
  return fails_now_on (fd) ? -1 : real (fd, mode);
}

int
fchown (int   fd,
        uid_t owner,
        gid_t group)
{
  NEXT (OwnerFunc, "fchown");
  return fails_now_on (fd) ? -1 : real (fd, owner, group);
}

/* The file is closed whatever is said, as on Linux. */
int
close (int fd)
{
  gboolean fails = fails_now_on (fd);
  int result;

  NEXT (FdFunc, "close");
  result = real (fd);
  if (!fails)
    return result;
  errno = fault;
  return -1;
}
