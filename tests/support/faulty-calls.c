#include "config.h"
#include "faulty-calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static guint countdown;
static gboolean hit;
static int fault;

void
faulty_calls_arm (guint n,
                  int   code)
{
  hit = FALSE;
  fault = code;
  countdown = n;
}

gboolean
faulty_calls_disarm (void)
{
  countdown = 0;
  return hit;
}

static gboolean
fails_now (void)
{
  if (countdown == 0 || --countdown > 0)
    return FALSE;
  hit = TRUE;
  errno = fault;
  return TRUE;
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
  return fails_now () ? -1 : real (path, flags, mode);
}

ssize_t
write (int         fd,
       const void *data,
       size_t      length)
{
  NEXT (WriteFunc, "write");
  return fails_now () ? -1 : real (fd, data, length);
}

ssize_t
pwrite64 (int         fd,
          const void *data,
          size_t      length,
          off_t       offset)
{
  NEXT (PwriteFunc, "pwrite64");
  return fails_now () ? -1 : real (fd, data, length, offset);
}

ssize_t
pread64 (int    fd,
         void  *data,
         size_t length,
         off_t  offset)
{
  NEXT (PreadFunc, "pread64");
  return fails_now () ? -1 : real (fd, data, length, offset);
}

int
fsync (int fd)
{
  NEXT (FdFunc, "fsync");
  return fails_now () ? -1 : real (fd);
}

int
fdatasync (int fd)
{
  NEXT (FdFunc, "fdatasync");
  return fails_now () ? -1 : real (fd);
}

int
rename (const char *from,
        const char *to)
{
  NEXT (RenameFunc, "rename");
  return fails_now () ? -1 : real (from, to);
}

int
renameat2 (int          from_folder,
           const char  *from,
           int          to_folder,
           const char  *to,
           unsigned int flags)
{
  NEXT (Renameat2Func, "renameat2");
  return fails_now () ? -1 : real (from_folder, from, to_folder, to, flags);
}

int
ftruncate64 (int   fd,
             off_t length)
{
  NEXT (TruncateFunc, "ftruncate64");
  return fails_now () ? -1 : real (fd, length);
}

int
fallocate64 (int   fd,
             int   mode,
             off_t offset,
             off_t length)
{
  NEXT (AllocateFunc, "fallocate64");
  return fails_now () ? -1 : real (fd, mode, offset, length);
}

int
fchmod (int    fd,
        mode_t mode)
{
  NEXT (ModeFunc, "fchmod");
  return fails_now () ? -1 : real (fd, mode);
}

int
fchown (int   fd,
        uid_t owner,
        gid_t group)
{
  NEXT (OwnerFunc, "fchown");
  return fails_now () ? -1 : real (fd, owner, group);
}
