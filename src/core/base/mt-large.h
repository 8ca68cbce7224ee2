/* Arrays of all rows, which may be larger than memory.
 *
 * What is below MT_LARGE_BYTES comes from the heap. Larger arrays are counted: as long as their sum is below the limit
 * they are memory, beyond it each becomes a file that is mapped, so that the system can write its pages out and take the
 * memory back. The file has no name from the moment it is made: nothing is left of it when the program ends, however it
 * ends, so there is nothing to clear away at the next start either. Its room on the disk is taken at once: a disk that is
 * full is noticed here and not at the first write. The values do not depend on where an array is.
 *
 * The limit is three quarters of the memory that was free at the first large array (of the container, if that has less),
 * or MINTERM_MEMORY (512M, 8G). The folder is MINTERM_SPILL, /var/tmp, or the cache of the user: the first one that is
 * on a disk and writable. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_LARGE_BYTES (4u * 1024 * 1024)

/* Zeros, aligned to 64 bytes. NULL: there is neither memory nor disk. */
gpointer mt_large_new0   (gsize n_bytes);
/* Ends the program instead, as g_malloc() does. */
gpointer mt_large_need0  (gsize n_bytes);
/* With the old bytes as far as there is room; what is new is undefined. @memory may also be NULL or from g_malloc(). NULL: as above,
 * @memory is unchanged. */
gpointer mt_large_resize (gpointer memory, gsize n_bytes);
/* Also of NULL, and of what g_malloc() made. */
void     mt_large_free   (gpointer memory);

typedef struct {
  guint64     limit;       /* bytes in memory; 0: nothing large was made yet */
  guint64     n_memory;    /* bytes now */
  guint64     n_disk;
  guint64     most_disk;   /* bytes at a time so far */
  const char *folder;      /* of the files; NULL: there are none */
} MtLargeUse;

void     mt_large_get_use (MtLargeUse *use);
/* Called once, by the thread that makes the first array on disk; the arrays wait meanwhile. NULL: no one is told. */
typedef void (*MtLargeNotice) (const MtLargeUse *use, gpointer data);
void     mt_large_set_notice (MtLargeNotice notice, gpointer data);
/* The sentence for it. */
char    *mt_large_dup_notice (const MtLargeUse *use);
/* For tests: as at the start, with what the environment says now. No array may be there. */
void     mt_large_forget  (void);

/* "512M" or "8G" as bytes; FALSE: it is none. */
gboolean mt_large_parse   (const char *text, guint64 *n_bytes);

G_END_DECLS
