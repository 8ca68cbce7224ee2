/* Opening, closing, copying and changing a project file. SQLite's rollback journal makes a
 * change whole or nothing; everything that makes or replaces a file goes through mt-file.
 * Our own lock says "open elsewhere" for as long as a project is open; SQLite's, which it
 * takes for each transaction, keep foreign readers of the database safe. */
#include "config.h"
#include "mt-project-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define COPY_CHUNK          (1u << 20)
#define BUSY_TIMEOUT_MS     1000
#define STEPS_BETWEEN_POLLS 20000    /* of SQLite's machine; well under 50 ms */

static int
poll_cancelled (gpointer data)
{
  MtProject *self = data;

  return self->cancellable != NULL && g_cancellable_is_cancelled (self->cancellable);
}

/* Nothing in the file may make SQLite do more than keep rows. */
static gboolean
configure (MtProject  *self,
           GError    **error)
{
  static const struct { int option; int value; } switches[] = {
    { SQLITE_DBCONFIG_DEFENSIVE, 1 },
    { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
    { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
    { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
    { SQLITE_DBCONFIG_DQS_DDL, 0 },
    { SQLITE_DBCONFIG_DQS_DML, 0 },
    { SQLITE_DBCONFIG_ENABLE_FKEY, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    sqlite3_db_config (self->db, switches[i].option, switches[i].value, NULL);
  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, (int) MT_PROJECT_MAX_MODEL + 65536);
  sqlite3_limit (self->db, SQLITE_LIMIT_SQL_LENGTH, 65536);
  sqlite3_limit (self->db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit (self->db, SQLITE_LIMIT_COLUMN, 64);
  sqlite3_limit (self->db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
  sqlite3_busy_timeout (self->db, BUSY_TIMEOUT_MS);
  sqlite3_extended_result_codes (self->db, 1);
  sqlite3_progress_handler (self->db, STEPS_BETWEEN_POLLS, poll_cancelled, self);
  return mt_project_run_sql (self,
                             "PRAGMA cell_size_check = ON;"
                             "PRAGMA mmap_size = 0;"
                             "PRAGMA temp_store = MEMORY;"
                             "PRAGMA journal_mode = DELETE;"
                             "PRAGMA synchronous = EXTRA;"     /* FULL, and the folder after the journal goes */
                             "PRAGMA secure_delete = ON;", error);
}

static void
set_locked (const char  *path,
            GError     **error)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, MT_ERROR, MT_ERROR_LOCKED,
               _("the project “%s” is open elsewhere; close it there or open it read-only"), name);
}

/* The file behind @path, locked unless read-only; -1 on failure. */
static int
open_locked (const char      *path,
             MtProjectFlags   flags,
             GError         **error)
{
  gboolean read_only = (flags & MT_PROJECT_READ_ONLY) != 0;
  g_autofree char *name = g_filename_display_name (path);

  while (TRUE)
    {
      /* Not blocking: the path may be a pipe. */
      int fd = open (path, (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK);
      struct stat here, there;

      if (fd < 0 && errno == EINTR)
        continue;
      if (fd < 0 && !read_only && (errno == EACCES || errno == EROFS || errno == EPERM))
        {
          mt_file_set_error (error, errno, path, 0);
          return -1;
        }
      if (fd < 0 || fstat (fd, &here) != 0 || !S_ISREG (here.st_mode))
        {
          int code = fd < 0 ? errno : EINVAL;

          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _("the project “%s” cannot be opened: %s"),
                       name, fd < 0 ? g_strerror (code) : "it is not a file");
          if (fd >= 0)
            close (fd);
          return -1;
        }
      if (!read_only && mt_file_lock (fd) == MT_FILE_LOCK_HELD)
        {
          close (fd);
          set_locked (path, error);
          return -1;
        }
      if (stat (path, &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino)
        return fd;
      /* It was replaced while we opened it: look again. */
      close (fd);
    }
}

/* A process killed before its journal meant anything leaves it lying about. With the right
 * to write and no change under way, it has no owner. */
static void
remove_dead_journal (MtProject *self)
{
  g_autofree char *journal = g_strconcat (self->path, "-journal", NULL);

  if (!g_file_test (journal, G_FILE_TEST_EXISTS) ||
      sqlite3_exec (self->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
    return;
  g_unlink (journal);
  sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
}

static void
finalize_statement (gpointer statement)
{
  sqlite3_finalize (statement);
}

/* Takes over @fd, which is locked, or opens the file when it is -1. */
static MtProject *
open_resolved (const char      *path,
               MtProjectFlags   flags,
               int              fd,
               GCancellable    *cancellable,
               GError         **error)
{
  g_autoptr (MtProject) self = g_new0 (MtProject, 1);
  gboolean read_only = (flags & MT_PROJECT_READ_ONLY) != 0;
  int code;

  self->path = g_strdup (path);
  self->read_only = TRUE;          /* until all is well: freeing it now must not touch the file */
  self->cancellable = cancellable;
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, finalize_statement);
  self->fd = fd >= 0 ? fd : open_locked (path, flags, error);
  if (self->fd < 0 || !mt_project_check_header (path, self->fd, error))
    return NULL;
  code = sqlite3_open_v2 (path, &self->db,
                          (read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX, NULL);
  if (code != SQLITE_OK)
    {
      mt_project_set_db_error (self, self->db, code, error);
      return NULL;
    }
  if (!configure (self, error) ||
      !mt_project_read_version (self, error) ||
      !mt_project_check_schema (self, error) ||
      !mt_project_check_content (self, error))
    return NULL;
  if (!read_only)
    remove_dead_journal (self);
  mt_file_stamp (path, &self->stamp);
  self->cancellable = NULL;
  self->read_only = read_only;
  self->unsaved = mt_project_is_recovery_path (path);
  return g_steal_pointer (&self);
}

MtProject *
mt_project_open (const char      *path,
                 MtProjectFlags   flags,
                 GCancellable    *cancellable,
                 GError         **error)
{
  g_autofree char *resolved = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  resolved = mt_file_resolve (path, error);
  if (resolved == NULL)
    return NULL;
  if ((flags & MT_PROJECT_READ_ONLY) == 0)
    mt_file_remove_stale (resolved);
  return open_resolved (resolved, flags, -1, cancellable, error);
}

static MtProject *
create (const char   *path,
        MtFileFlags   flags,
        GError      **error)
{
  g_autoptr (GBytes) bytes = mt_project_make_empty (error);
  g_autoptr (MtFileWriter) writer = NULL;

  if (bytes == NULL)
    return NULL;
  writer = mt_file_writer_new (path, flags | MT_FILE_NEW, g_bytes_get_size (bytes), error);
  if (writer == NULL ||
      !mt_file_writer_write (writer, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error) ||
      !mt_file_writer_commit (writer, error))
    return NULL;
  return open_resolved (mt_file_writer_get_path (writer), MT_PROJECT_DEFAULT,
                                   mt_file_writer_steal_fd (writer), NULL, error);
}

MtProject *
mt_project_create (const char  *path,
                   GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  return create (path, MT_FILE_REPLACE, error);
}

MtProject *
mt_project_create_unsaved (GError **error)
{
  g_autofree char *path = mt_project_new_recovery_path (error);

  return path != NULL ? create (path, MT_FILE_PRIVATE, error) : NULL;
}

void
mt_project_free (MtProject *self)
{
  if (self == NULL)
    return;
  if (self->depth > 0)
    mt_project_rollback (self);
  if (self->unsaved && !self->read_only && mt_project_is_empty (self))
    g_unlink (self->path);
  g_clear_pointer (&self->statements, g_hash_table_unref);
  sqlite3_close (self->db);
  /* Last: closing any descriptor of the file drops SQLite's locks, and this one ours. */
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_free (self);
}

void
mt_project_discard (MtProject *self)
{
  g_return_if_fail (self != NULL);

  if (self->unsaved && !self->read_only)
    {
      if (self->depth > 0)
        mt_project_rollback (self);
      g_unlink (self->path);
    }
  mt_project_free (self);
}

const char *
mt_project_get_path (MtProject *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->path;
}

gboolean
mt_project_is_unsaved (MtProject *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->unsaved;
}

gboolean
mt_project_is_read_only (MtProject *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->read_only;
}

gboolean
mt_project_check_on_disk (MtProject  *self,
                          GError    **error)
{
  g_autofree char *name = NULL;
  MtFileStamp now;

  g_return_val_if_fail (self != NULL, FALSE);

  if (mt_file_stamp (self->path, &now) && mt_file_stamp_equal (&now, &self->stamp))
    return TRUE;
  name = g_filename_display_name (self->path);
  g_set_error (error, MT_ERROR, MT_ERROR_CHANGED,
               _("the project “%s” was changed on disk by another program; open it again, or save your "
                 "version under another name"), name);
  return FALSE;
}

/* --- changes --- */

/* After a failure the file knows what was kept; reading also plays back a journal that is
 * still there. */
static gboolean
settle (MtProject  *self,
        GError    **error)
{
  MtSeal seals[MT_STORE_SEAL];

  self->unsure = !mt_project_read_version (self, error) || !mt_project_read_seals (self, seals, error);
  if (self->unsure)
    return FALSE;
  memcpy (self->seals, seals, sizeof seals);
  return TRUE;
}

static gboolean
same_seals (const MtSeal *a,
            const MtSeal *b)
{
  for (guint id = 0; id < MT_STORE_SEAL; id++)
    if (a[id].n_rows != b[id].n_rows || a[id].sum != b[id].sum)
      return FALSE;
  return TRUE;
}

gboolean
mt_project_begin (MtProject  *self,
                  GError    **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->depth == 0)
    {
      if (self->read_only)
        {
          g_autofree char *name = g_filename_display_name (self->path);

          g_set_error (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY,
                       _("the project “%s” is open read-only; save it under another name to change it"), name);
          return FALSE;
        }
      self->pending = 0;
      if (!mt_project_check_on_disk (self, error) ||
          (self->unsure && !settle (self, error)) ||
          !mt_project_run_sql (self, "BEGIN IMMEDIATE", error))
        return FALSE;
    }
  self->depth++;
  return self->version == MT_PROJECT_VERSION || mt_project_upgrade (self, error) || mt_project_end (self, FALSE, NULL);
}

static gboolean
write_down (MtProject  *self,
            GError    **error)
{
  MtSeal wanted[MT_STORE_SEAL];
  g_autoptr (GError) inner = NULL;

  if (!mt_project_write_seals (self, error))
    return FALSE;
  if (mt_project_run_sql (self, "COMMIT", &inner))
    return TRUE;
  /* When only the last sync of the folder fails, the change is in the file all the same; a sync that succeeds tells that it
   * stays there. */
  memcpy (wanted, self->seals, sizeof wanted);
  if (sqlite3_get_autocommit (self->db) && settle (self, NULL) && same_seals (wanted, self->seals) && mt_file_sync_folder (self->path))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&inner));
  return FALSE;
}

/* Every change ends here; the outermost end commits or takes all back. */
gboolean
mt_project_end (MtProject  *self,
                gboolean    ok,
                GError    **error)
{
  if (!ok)
    self->broken = TRUE;
  if (--self->depth > 0)
    return ok;
  if (self->broken && ok)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                 _("part of this change failed, so none of it was saved"));
  ok = !self->broken && write_down (self, error);
  self->broken = FALSE;
  if (!ok)
    {
      if (!sqlite3_get_autocommit (self->db))
        sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
      settle (self, NULL);
    }
  mt_file_stamp (self->path, &self->stamp);
  return ok;
}

gboolean
mt_project_commit (MtProject  *self,
                   GError    **error)
{
  g_return_val_if_fail (self != NULL && self->depth > 0, FALSE);

  return mt_project_end (self, TRUE, error);
}

void
mt_project_rollback (MtProject *self)
{
  g_return_if_fail (self != NULL);

  if (self->depth == 0)
    return;
  self->depth = 1;
  mt_project_end (self, FALSE, NULL);
}

/* --- Save As --- */

/* In rollback mode the file between transactions is the whole database, so its bytes are
 * a copy; a read transaction keeps foreign writers out meanwhile. */
static gboolean
copy_bytes (MtProject     *self,
            MtFileWriter  *writer,
            guint64        size,
            GError       **error)
{
  g_autofree char *buffer = g_malloc (COPY_CHUNK);
  guint64 done = 0;

  while (done < size)
    {
      gssize n = pread (self->fd, buffer, MIN (COPY_CHUNK, size - done), (off_t) done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_autofree char *name = g_filename_display_name (self->path);
          int code = n < 0 ? errno : EIO;

          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _("cannot read “%s”: %s"), name,
                       g_strerror (code));
          return FALSE;
        }
      if (!mt_file_writer_write (writer, buffer, (gsize) n, error))
        return FALSE;
      done += (guint64) n;
    }
  return mt_file_writer_commit (writer, error);
}

/* The lock of a project about to be replaced, so that no other process opens it now; -1 without error
 * when there is nothing to lock. */
static gboolean
lock_target (const char  *target,
             int         *fd,
             GError     **error)
{
  *fd = open (target, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (*fd < 0 || mt_file_lock (*fd) == MT_FILE_LOCK_GAINED)
    return TRUE;
  close (*fd);
  *fd = -1;
  set_locked (target, error);
  return FALSE;
}

static gboolean
write_copy (MtProject     *self,
            const char    *target,
            gboolean       replace,
            int           *fd,
            GError       **error)
{
  g_autoptr (MtFileWriter) writer = NULL;
  struct stat st;
  gboolean ok;

  if (fstat (self->fd, &st) != 0)
    {
      mt_file_set_error (error, errno, self->path, 0);
      return FALSE;
    }
  writer = mt_file_writer_new (target, replace ? MT_FILE_REPLACE : MT_FILE_NEW, (guint64) st.st_size, error);
  if (writer == NULL)
    return FALSE;
  ok = mt_project_run_sql (self, "BEGIN; SELECT count (*) FROM seal", error) &&
       copy_bytes (self, writer, (guint64) st.st_size, error);
  sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  if (ok)
    *fd = mt_file_writer_steal_fd (writer);
  return ok;
}

gboolean
mt_project_save_as (MtProject   *self,
                    const char  *path,
                    gboolean     replace,
                    GError     **error)
{
  g_autofree char *target = NULL;
  g_autoptr (MtProject) there = NULL;
  g_autoptr (GError) changed = NULL;
  MtFileStamp now;
  MtProject before;
  gboolean same_place;
  int target_fd = -1, fd = -1;
  gboolean ok;

  g_return_val_if_fail (self != NULL && path != NULL && self->depth == 0, FALSE);

  target = mt_file_resolve (path, error);
  if (target == NULL)
    return FALSE;
  same_place = strcmp (target, self->path) == 0;
  if (!mt_project_check_on_disk (self, &changed))
    {
      gboolean ours = !mt_file_stamp (self->path, &now) || now.inode != self->stamp.inode ||
                      now.device != self->stamp.device;

      /* Replaced or deleted: what we hold is still ours. Written into: it no longer is. */
      if (!ours || (same_place && !replace))
        {
          g_propagate_error (error, g_steal_pointer (&changed));
          return FALSE;
        }
    }
  else if (same_place && !self->read_only)
    return TRUE;

  /* What is only read may be another's to write. */
  if ((!same_place || self->read_only) && !lock_target (target, &target_fd, error))
    return FALSE;
  ok = write_copy (self, target, replace, &fd, error);
  if (ok)
    {
      there = open_resolved (target, MT_PROJECT_DEFAULT, fd, NULL, error);
      ok = there != NULL;
    }
  if (target_fd >= 0)
    close (target_fd);
  if (!ok)
    return FALSE;
  before = *self;
  *self = *there;
  *there = before;
  /* The callbacks of SQLite follow their object. */
  sqlite3_progress_handler (self->db, STEPS_BETWEEN_POLLS, poll_cancelled, self);
  if (there->unsaved)
    mt_project_discard (g_steal_pointer (&there));
  return TRUE;
}
