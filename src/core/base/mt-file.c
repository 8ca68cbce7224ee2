/* The order of calls is the whole point: create the temporary file, write, fsync, rename,
 * fsync the folder. The temporary file's name is ".minterm-HASH-RANDOM", HASH being of the
 * target's name, so that stale ones are found without a list and no name gets too long.
 *
 * The lock is an open-file-description lock on one byte far behind any content: other
 * descriptors of this process do not share it and closing them does not drop it, which is
 * what makes it usable together with SQLite's own locks. */
#include "config.h"
#include "mt-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "mt-gettext.h"

#define TEMP_PREFIX ".minterm-"
#define LOCK_BYTE   ((off_t) 1 << 40)

struct _MtFileWriter {
  char        *path;        /* the target, links followed */
  char        *folder;
  char        *temp;        /* NULL: renamed or never made */
  MtFileFlags  flags;
  guint64      written;
  guint64      size_hint;
  int          fd;
  int          folder_fd;
};

static char *
temp_prefix_for (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  return g_strdup_printf (TEMP_PREFIX "%08x-", g_str_hash (base));
}

static gboolean
is_no_room (int code)
{
  return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

void
mt_file_set_error (GError     **error,
                   int          saved_errno,
                   const char  *path,
                   guint64      needed)
{
  g_autofree char *name = g_filename_display_name (path);
  int code = g_io_error_from_errno (saved_errno);
  g_autofree char *folder = NULL;
  g_autofree char *needs = NULL;
  g_autofree char *has = NULL;
  struct statvfs fs;
  guint64 room;

  switch (saved_errno)
    {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      folder = g_path_get_dirname (path);
      room = statvfs (folder, &fs) == 0 ? (guint64) fs.f_bavail * fs.f_frsize : 0;
      if (room < needed)
        {
          needs = g_format_size (needed);
          has = g_format_size (room);
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                       _("not enough space to save “%s” (%s needed, %s available); free up space or choose another location"),
                       name, needs, has);
        }
      else   /* The disk has room, so figures would contradict the message. */
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                     _("“%s” cannot grow: it has reached a quota or a file size limit; free up space or choose "
                       "another location"), name);
      break;
    case EROFS:
    case EACCES:
    case EPERM:
      g_set_error (error, G_IO_ERROR, code,
                   _("cannot write to the location of “%s” (%s); choose another location"),
                   name, g_strerror (saved_errno));
      break;
    case EEXIST:
      g_set_error (error, G_IO_ERROR, code, _("“%s” already exists; choose another name"), name);
      break;
    default:
      g_set_error (error, G_IO_ERROR, code, _("“%s” cannot be written: %s"), name, g_strerror (saved_errno));
    }
}

char *
mt_file_resolve (const char  *path,
                 GError     **error)
{
  g_autofree char *folder = NULL;
  g_autofree char *base = NULL;
  char *resolved;
  char *target;
  struct stat st;

  g_return_val_if_fail (path != NULL, NULL);

  resolved = realpath (path, NULL);
  if (resolved != NULL)
    {
      target = g_strdup (resolved);
      free (resolved);
      return target;
    }
  if (errno == ENOENT && lstat (path, &st) == 0 && S_ISLNK (st.st_mode))
    {
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _("“%s” links to a file that does not exist; remove the link or choose another name"), name);
      return NULL;
    }
  if (errno != ENOENT)
    {
      mt_file_set_error (error, errno, path, 0);
      return NULL;
    }
  folder = g_path_get_dirname (path);
  base = g_path_get_basename (path);
  resolved = realpath (folder, NULL);
  if (resolved == NULL)
    {
      mt_file_set_error (error, errno, path, 0);
      return NULL;
    }
  target = g_build_filename (resolved, base, NULL);
  free (resolved);
  return target;
}

MtFileLock
mt_file_lock (int fd)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_BYTE, .l_len = 1 };

  if (fcntl (fd, F_OFD_SETLK, &lock) == 0)
    return MT_FILE_LOCK_GAINED;
  return errno == EAGAIN || errno == EACCES ? MT_FILE_LOCK_HELD : MT_FILE_LOCK_GAINED;
}

gboolean
mt_file_sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = TEMP_FAILURE_RETRY (open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  gboolean ok = fd >= 0 && (TEMP_FAILURE_RETRY (fsync (fd)) == 0 || errno == EINVAL);

  if (fd >= 0)
    close (fd);
  return ok;
}

void
mt_file_remove_stale (const char *path)
{
  g_autofree char *prefix = temp_prefix_for (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *temp = NULL;
      int fd;

      if (!g_str_has_prefix (name, prefix))
        continue;
      temp = g_build_filename (folder, name, NULL);
      fd = open (temp, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
      if (fd < 0)
        continue;
      if (mt_file_lock (fd) == MT_FILE_LOCK_GAINED)
        unlink (temp);
      close (fd);
    }
}

/* What a new file or the one to be replaced should look like; FALSE when it may not be replaced. */
static gboolean
look_at_target (MtFileWriter  *self,
                struct stat   *st,
                gboolean      *exists,
                GError       **error)
{
  g_autofree char *name = NULL;

  *exists = stat (self->path, st) == 0;
  if (!*exists)
    {
      if (errno == ENOENT)
        return TRUE;
      mt_file_set_error (error, errno, self->path, 0);
      return FALSE;
    }
  if (self->flags & MT_FILE_NEW)
    {
      mt_file_set_error (error, EEXIST, self->path, 0);
      return FALSE;
    }
  if (S_ISREG (st->st_mode))
    return TRUE;
  name = g_filename_display_name (self->path);
  g_set_error (error, G_IO_ERROR,
               S_ISDIR (st->st_mode) ? G_IO_ERROR_IS_DIRECTORY : G_IO_ERROR_NOT_REGULAR_FILE,
               S_ISDIR (st->st_mode) ? _("“%s” is a folder, not a file; choose another name")
               : S_ISFIFO (st->st_mode) ? _("“%s” is a pipe, not a file; choose another name")
                                        : _("“%s” is a device, not a file; choose another name"), name);
  return FALSE;
}

static int
open_temp (MtFileWriter *self,
           mode_t        mode)
{
  g_autofree char *prefix = temp_prefix_for (self->path);

  for (int attempt = 0; attempt < 100; attempt++)
    {
      g_autofree char *name = g_strdup_printf ("%s%08x", prefix, g_random_int ());
      g_autofree char *temp = g_build_filename (self->folder, name, NULL);
      int fd = open (temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);

      if (fd >= 0)
        {
          self->temp = g_steal_pointer (&temp);
          mt_file_lock (fd);
          return fd;
        }
      if (errno != EEXIST && errno != EINTR)
        break;
    }
  return -1;
}

MtFileWriter *
mt_file_writer_new (const char   *path,
                    MtFileFlags   flags,
                    guint64       size_hint,
                    GError      **error)
{
  g_autoptr (MtFileWriter) self = NULL;
  gboolean exists;
  struct stat st;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_new0 (MtFileWriter, 1);
  self->fd = self->folder_fd = -1;
  self->flags = flags;
  self->size_hint = size_hint;
  self->path = mt_file_resolve (path, error);
  if (self->path == NULL || !look_at_target (self, &st, &exists, error))
    return NULL;
  self->folder = g_path_get_dirname (self->path);
  mt_file_remove_stale (self->path);

  /* The folder is opened now: after the rename nothing may fail for want of a descriptor. */
  self->folder_fd = TEMP_FAILURE_RETRY (open (self->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (self->folder_fd < 0 || (self->fd = open_temp (self, exists || flags & MT_FILE_PRIVATE ? 0600 : 0666)) < 0)
    {
      mt_file_set_error (error, errno, self->path, size_hint);
      return NULL;
    }
  /* Owner first, since changing it clears bits of the mode; a stranger's file becomes ours. */
  if (exists && ((TEMP_FAILURE_RETRY (fchown (self->fd, st.st_uid, st.st_gid)) != 0 && errno != EPERM) ||
                 TEMP_FAILURE_RETRY (fchmod (self->fd, st.st_mode & 07777)) != 0))
    {
      mt_file_set_error (error, errno, self->path, size_hint);
      return NULL;
    }
  if (size_hint > 0 && size_hint < (guint64) G_MAXINT64 &&
      TEMP_FAILURE_RETRY (fallocate (self->fd, 0, 0, (off_t) size_hint)) != 0 && is_no_room (errno))
    {
      mt_file_set_error (error, errno, self->path, size_hint);
      return NULL;
    }
  return g_steal_pointer (&self);
}

gboolean
mt_file_writer_write (MtFileWriter   *self,
                      gconstpointer   data,
                      gsize           length,
                      GError        **error)
{
  const char *bytes = data;

  g_return_val_if_fail (self != NULL && self->temp != NULL, FALSE);

  while (length > 0)
    {
      gssize n = TEMP_FAILURE_RETRY (write (self->fd, bytes, MIN (length, 1u << 30)));

      if (n < 0)
        {
          mt_file_set_error (error, errno, self->path, MAX (self->size_hint, self->written + length));
          return FALSE;
        }
      bytes += n;
      length -= (gsize) n;
      self->written += (gsize) n;
    }
  return TRUE;
}

static int
rename_new (const char *from,
            const char *to)
{
  if (renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return -1;
  /* A file system without that flag: a link refuses an existing name, too. */
  if (link (from, to) != 0)
    return -1;
  unlink (from);
  return 0;
}

/* Where the file system can, the old file takes the temporary one's name: it can still be put back. */
static int
rename_over (const char *from,
             const char *to,
             gboolean   *exchanged)
{
  *exchanged = renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
  if (*exchanged)
    return 0;
  return errno == ENOENT || errno == EINVAL || errno == ENOSYS ? rename (from, to) : -1;
}

static void
set_unconfirmed (GError     **error,
                 int          saved_errno,
                 const char  *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
               _("the disk did not confirm that “%s” is saved (%s); save again, or choose another location"), name,
               g_strerror (saved_errno));
}

gboolean
mt_file_writer_commit (MtFileWriter  *self,
                       GError       **error)
{
  gboolean exchanged = FALSE;

  g_return_val_if_fail (self != NULL && self->temp != NULL, FALSE);

  /* What was reserved beyond the last byte must not become content. */
  if (TEMP_FAILURE_RETRY (ftruncate (self->fd, (off_t) self->written)) != 0 ||
      TEMP_FAILURE_RETRY (fsync (self->fd)) != 0 ||
      TEMP_FAILURE_RETRY (self->flags & MT_FILE_NEW ? rename_new (self->temp, self->path)
                                                    : rename_over (self->temp, self->path, &exchanged)) != 0)
    {
      mt_file_set_error (error, errno, self->path, MAX (self->size_hint, self->written));
      return FALSE;
    }
  /* The new file is in place, but a power cut may bring the old one back, whole: it must not be reported as saved. A
   * folder that cannot be synced at all (EINVAL) is no fault. */
  if (TEMP_FAILURE_RETRY (fsync (self->folder_fd)) != 0 && errno != EINVAL)
    {
      if (is_no_room (errno))
        mt_file_set_error (error, errno, self->path, self->written);
      else
        set_unconfirmed (error, errno, self->path);
      if (self->flags & MT_FILE_NEW)
        unlink (self->path);
      else if (exchanged)
        renameat2 (AT_FDCWD, self->temp, AT_FDCWD, self->path, RENAME_EXCHANGE);
      if (!exchanged)
        g_clear_pointer (&self->temp, g_free);
      return FALSE;
    }
  if (exchanged)
    unlink (self->temp);
  g_clear_pointer (&self->temp, g_free);
  return TRUE;
}

int
mt_file_writer_steal_fd (MtFileWriter *self)
{
  int fd = self->fd;

  g_return_val_if_fail (self->temp == NULL, -1);

  self->fd = -1;
  return fd;
}

const char *
mt_file_writer_get_path (MtFileWriter *self)
{
  return self->path;
}

void
mt_file_writer_free (MtFileWriter *self)
{
  if (self == NULL)
    return;
  if (self->temp != NULL)
    unlink (self->temp);
  if (self->fd >= 0)
    close (self->fd);
  if (self->folder_fd >= 0)
    close (self->folder_fd);
  g_free (self->temp);
  g_free (self->folder);
  g_free (self->path);
  g_free (self);
}

gboolean
mt_file_write (const char     *path,
               gconstpointer   data,
               gsize           length,
               MtFileFlags     flags,
               GError        **error)
{
  g_autoptr (MtFileWriter) writer = mt_file_writer_new (path, flags, length, error);

  return writer != NULL &&
         mt_file_writer_write (writer, data, length, error) &&
         mt_file_writer_commit (writer, error);
}

/* --- what may be written over --- */

gboolean
mt_file_is_same (const char *first,
                 const char *second)
{
  g_autofree char *left = NULL;
  g_autofree char *right = NULL;
  struct stat a, b;
  gboolean is_a = stat (first, &a) == 0, is_b = stat (second, &b) == 0;

  if (is_a && is_b)
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && S_ISREG (a.st_mode);
  if (is_a || is_b)
    return FALSE;
  left = mt_file_resolve (first, NULL);
  right = mt_file_resolve (second, NULL);
  return left != NULL && g_strcmp0 (left, right) == 0;
}

static gboolean
is_among (const char         *path,
          const char * const *inputs,
          GError            **error)
{
  for (; inputs != NULL && *inputs != NULL; inputs++)
    if (mt_file_is_same (path, *inputs))
      {
        g_autofree char *name = g_filename_display_name (path);
        g_autofree char *input = g_filename_display_name (*inputs);

        if (g_str_equal (path, *inputs))
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                       _("“%s” is the input and cannot also be the output; choose another name for the output"), name);
        else
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                       _("“%s” is the same file as the input “%s”; choose another name for the output"), name, input);
        return TRUE;
      }
  return FALSE;
}

gboolean
mt_file_check_output (const char         *path,
                      const char * const *inputs,
                      GError            **error)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  if (is_among (path, inputs, error))
    return FALSE;
  if ((!g_str_has_suffix (path, ".record.json") && !g_str_has_suffix (path, ".verify.json")) ||
      access (path, F_OK) != 0)
    return TRUE;
  name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
               _("“%s” exists, and its name is one that Minterm keeps for the record of a model; choose another name"), name);
  return FALSE;
}

/* Our own files begin with their format; the first bytes tell. */
static gboolean
has_format (const char *path,
            const char *format)
{
  g_autofree char *member = g_strdup_printf ("\"format\": \"%s\"", format);
  char head[256];
  gssize n;
  int fd = TEMP_FAILURE_RETRY (open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));

  if (fd < 0)
    return FALSE;
  n = TEMP_FAILURE_RETRY (read (fd, head, sizeof head - 1));
  close (fd);
  head[MAX (n, 0)] = '\0';
  return strstr (head, member) != NULL;
}

gboolean
mt_file_check_sidecar (const char         *path,
                       const char         *format,
                       const char * const *inputs,
                       GError            **error)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (path != NULL && format != NULL, FALSE);

  if (is_among (path, inputs, error))
    return FALSE;
  if (access (path, F_OK) != 0 || has_format (path, format))
    return TRUE;
  name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
               _("“%s” would be replaced, and it was not written by Minterm; move it, or choose another name for the model"),
               name);
  return FALSE;
}

gboolean
mt_file_stamp (const char  *path,
               MtFileStamp *stamp)
{
  struct stat st;

  g_return_val_if_fail (path != NULL && stamp != NULL, FALSE);

  if (stat (path, &st) != 0)
    return FALSE;
  *stamp = (MtFileStamp) {
    st.st_dev, st.st_ino, (guint64) st.st_size,
    (gint64) st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec
  };
  return TRUE;
}

gboolean
mt_file_stamp_equal (const MtFileStamp *a,
                     const MtFileStamp *b)
{
  return a->device == b->device && a->inode == b->inode && a->size == b->size && a->changed == b->changed;
}
