/* Stands before the C library in a program of ours (LD_PRELOAD) and lets one call of a save fail:
 *
 *   MT_FAULT_SAVE=N:CALL:ERRNO   the N-th CALL (open, write, fsync, rename, truncate, close) on something in the folder
 *   MT_FAULT_FOLDER=PATH         which is this one; only files opened for writing, and folders
 *   MT_FAULT_HIT=PATH            a file that then exists: the fault was met */
#undef _FILE_OFFSET_BITS      /* each name is to be the function of that name */
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long countdown;
static char wanted[16];
static int code;
static const char *folder, *hit;
static int folder_failed;

#define NEXT(name) \
  static __typeof__ (&name) next; \
  if (next == NULL) \
    next = (__typeof__ (&name)) dlsym (RTLD_NEXT, #name)

__attribute__ ((constructor)) static void
read_orders (void)
{
  const char *order = getenv ("MT_FAULT_SAVE");
  long n;

  folder = getenv ("MT_FAULT_FOLDER");
  hit = getenv ("MT_FAULT_HIT");
  if (order != NULL && folder != NULL && sscanf (order, "%ld:%15[a-z]:%d", &n, wanted, &code) == 3)
    countdown = n;
}

static int
is_in_folder (const char *path)
{
  return strncmp (path, folder, strlen (folder)) == 0;
}

/* 1: this call fails, errno is set. The code 0 kills the process instead. */
static int
is_due (const char *call,
        const char *path)
{
  if (countdown <= 0 || strcmp (call, wanted) != 0 || !is_in_folder (path) || atomic_fetch_sub (&countdown, 1) != 1)
    return 0;
  if (hit != NULL)
    syscall (SYS_close, syscall (SYS_openat, AT_FDCWD, hit, O_CREAT | O_WRONLY, 0600));
  if (code == 0)
    kill (getpid (), SIGKILL);
  errno = code;
  return 1;
}

static int
is_due_fd (const char *call,
           int         fd)
{
  char link[32], path[PATH_MAX];
  ssize_t n;

  if (countdown <= 0)
    return 0;
  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  n = readlink (link, path, sizeof path - 1);
  if (n < 0)
    return 0;
  path[n] = '\0';
  return is_due (call, path);
}

int
open (const char *path, int flags, ...)
{
  va_list more;
  mode_t mode;
  NEXT (open);

  va_start (more, flags);
  mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (more, mode_t) : 0;
  va_end (more);
  return (flags & (O_WRONLY | O_RDWR | O_DIRECTORY)) != 0 && is_due ("open", path) ? -1 : next (path, flags, mode);
}

int
open64 (const char *path, int flags, ...)
{
  va_list more;
  mode_t mode;
  NEXT (open64);

  va_start (more, flags);
  mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (more, mode_t) : 0;
  va_end (more);
  return (flags & (O_WRONLY | O_RDWR | O_DIRECTORY)) != 0 && is_due ("open", path) ? -1 : next (path, flags, mode);
}

ssize_t
write (int fd, const void *data, size_t n)
{
  NEXT (write);
  return is_due_fd ("write", fd) ? -1 : next (fd, data, n);
}

ssize_t
pwrite (int fd, const void *data, size_t n, off_t at)
{
  NEXT (pwrite);
  return is_due_fd ("write", fd) ? -1 : next (fd, data, n, at);
}

ssize_t
pwrite64 (int fd, const void *data, size_t n, off64_t at)
{
  NEXT (pwrite64);
  return is_due_fd ("write", fd) ? -1 : next (fd, data, n, at);
}

/* A folder that failed to sync and is synced later is confirmed after all. */
static void
note_confirmed (int fd)
{
  struct stat st;
  int to;

  if (folder_failed && fstat (fd, &st) == 0 && S_ISDIR (st.st_mode) && hit != NULL)
    {
      to = (int) syscall (SYS_openat, AT_FDCWD, hit, O_WRONLY, 0);
      syscall (SYS_write, to, "confirmed", 9);
      syscall (SYS_close, to);
    }
}

int
fsync (int fd)
{
  struct stat st;
  int result;
  NEXT (fsync);

  if (is_due_fd ("fsync", fd))
    {
      folder_failed = fstat (fd, &st) == 0 && S_ISDIR (st.st_mode);
      errno = code;
      return -1;
    }
  result = next (fd);
  if (result == 0)
    note_confirmed (fd);
  return result;
}

int
fdatasync (int fd)
{
  struct stat st;
  int result;
  NEXT (fdatasync);

  if (is_due_fd ("fsync", fd))
    {
      folder_failed = fstat (fd, &st) == 0 && S_ISDIR (st.st_mode);
      errno = code;
      return -1;
    }
  result = next (fd);
  if (result == 0)
    note_confirmed (fd);
  return result;
}

int
rename (const char *from, const char *to)
{
  NEXT (rename);
  return is_due ("rename", to) ? -1 : next (from, to);
}

int
renameat2 (int from_fd, const char *from, int to_fd, const char *to, unsigned int flags)
{
  NEXT (renameat2);
  return is_due ("rename", to) ? -1 : next (from_fd, from, to_fd, to, flags);
}

int
ftruncate (int fd, off_t n)
{
  NEXT (ftruncate);
  return is_due_fd ("truncate", fd) ? -1 : next (fd, n);
}

/* The file is closed whatever close() says, as on Linux. */
int
close (int fd)
{
  int flags = countdown > 0 && fd >= 0 ? fcntl (fd, F_GETFL) : -1;
  int due;
  NEXT (close);

  due = flags >= 0 && ((flags & O_ACCMODE) != O_RDONLY || (flags & O_DIRECTORY) != 0) && is_due_fd ("close", fd);
  if (!due)
    return next (fd);
  next (fd);
  errno = code;
  return -1;
}

int
ftruncate64 (int fd, off64_t n)
{
  NEXT (ftruncate64);
  return is_due_fd ("truncate", fd) ? -1 : next (fd, n);
}
