/* Files that are written whole or not at all. The bytes go to a temporary file next to the
 * target, are synced, and then renamed over it, so that a reader, a crash or a full disk
 * finds the old content or the new, never a part.
 *
 * A link is followed and stays a link; mode and owner of the file replaced are kept;
 * anything but a regular file is refused. The temporary file is locked while its writer
 * lives, so one that a killed process left behind is known as such and removed by the next
 * writer of the same target. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  MT_FILE_REPLACE = 0,
  MT_FILE_NEW     = 1 << 0,   /* G_IO_ERROR_EXISTS when there is something already */
  MT_FILE_PRIVATE = 1 << 1,   /* a new file is for its owner only (0600) */
} MtFileFlags;

typedef struct _MtFileWriter MtFileWriter;

/* @size_hint: bytes to come, reserved at once so that a full disk is noticed early; 0: not known. */
MtFileWriter *mt_file_writer_new      (const char    *path,
                                       MtFileFlags    flags,
                                       guint64        size_hint,
                                       GError       **error);
gboolean      mt_file_writer_write    (MtFileWriter  *writer,
                                       gconstpointer  data,
                                       gsize          length,
                                       GError       **error);
/* Makes the bytes the target's content. The writer can only be freed afterwards. */
gboolean      mt_file_writer_commit   (MtFileWriter  *writer,
                                       GError       **error);
/* The file's descriptor with its lock, owned by the caller from now on; after a commit only. */
int           mt_file_writer_steal_fd (MtFileWriter  *writer);
const char   *mt_file_writer_get_path (MtFileWriter  *writer);   /* the target, links followed */
void          mt_file_writer_free     (MtFileWriter  *writer);   /* without a commit nothing happened */

gboolean      mt_file_write           (const char    *path,
                                       gconstpointer  data,
                                       gsize          length,
                                       MtFileFlags    flags,
                                       GError       **error);

/* Follows links to the file that a write to @path would replace; the file itself need not
 * exist, its folder must. */
char         *mt_file_resolve         (const char    *path,
                                       GError       **error);
/* Whether the names in the folder of @path are on the disk. */
gboolean      mt_file_sync_folder     (const char    *path);
/* Removes what killed writers of @path left next to it. */
void          mt_file_remove_stale    (const char    *path);

/* Regular files by device and inode; two names of what does not exist yet by the place that they stand for. */
gboolean      mt_file_is_same         (const char         *first,
                                       const char         *second);
/* Before any work is done: whether @path may become a new file. G_IO_ERROR_EXISTS, with what to do, when it is one of
 * @inputs (NULL-terminated, may be NULL), through links of either kind, or a record or verification that Minterm keeps
 * next to a model. */
gboolean      mt_file_check_output    (const char         *path,
                                       const char * const *inputs,
                                       GError            **error);
/* The same for such a record or verification: an earlier one, which begins with @format, may be replaced. */
gboolean      mt_file_check_sidecar   (const char         *path,
                                       const char         *format,
                                       const char * const *inputs,
                                       GError            **error);

/* Tells whether a file is still the one seen before. */
typedef struct {
  guint64 device;
  guint64 inode;
  guint64 size;
  gint64  changed;    /* ns since the epoch */
} MtFileStamp;

gboolean      mt_file_stamp           (const char        *path,
                                       MtFileStamp       *stamp);   /* FALSE: it is not there */
gboolean      mt_file_stamp_equal     (const MtFileStamp *a,
                                       const MtFileStamp *b);

typedef enum {
  MT_FILE_LOCK_GAINED,        /* or the file system has no locks */
  MT_FILE_LOCK_HELD,          /* by another open file, in this process or another */
} MtFileLock;

/* Advisory, for as long as @fd is open; the kernel releases it when the process dies. */
MtFileLock    mt_file_lock            (int fd);

/* One sentence for a failed call on @path: what, where, what to do. @needed: bytes that did
 * not fit, when known. */
void          mt_file_set_error       (GError       **error,
                                       int            saved_errno,
                                       const char    *path,
                                       guint64        needed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtFileWriter, mt_file_writer_free)

G_END_DECLS
