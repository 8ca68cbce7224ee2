/* Arrays of all rows, which may be larger than memory. See mt-large.h.
 *
 * A table of the large arrays tells them from what the heap gave: a few hundred at most, looked up once when an array
 * is freed or resized, never when it is read. */
#include "config.h"
#include "mt-large.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "mt-gettext.h"

#define ALIGN      64
#define TMPFS      0x01021994
#define RAMFS      0x858458f6
#define DEFAULT_LIMIT (G_GUINT64_CONSTANT (4) << 30)   /* where the system does not tell what is free */

typedef struct {
  gsize n_bytes;
  int   fd;        /* -1: memory */
} Large;

static GMutex lock;
static GHashTable *arrays;      /* address: Large */
static guint n_arrays;          /* read without the lock: 0 if there was never any */
static MtLargeUse use_now;
static char *folder;
static gboolean no_folder;
static MtLargeNotice notice_func;
static gpointer notice_data;
static gboolean is_noticed;

/* --- the limit --- */

gboolean
mt_large_parse (const char *text,
                guint64    *n_bytes)
{
  char *end;
  guint64 n;
  guint shift;

  if (!g_ascii_isdigit (text[0]))
    return FALSE;
  n = g_ascii_strtoull (text, &end, 10);
  shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : *end == 'T' ? 40 : 0;
  if (shift == 0 || end[1] != '\0' || n == 0 || n >> (63 - shift) != 0)
    return FALSE;
  *n_bytes = n << shift;
  return TRUE;
}

/* The number behind @name in a file of the system; 0: there is none ("max" is none). */
static guint64
read_number (const char *path,
             const char *name)
{
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (at = strstr (text, name)) == NULL)
    return 0;
  return g_ascii_strtoull (at + strlen (name), NULL, 10);
}

static guint64
find_limit (void)
{
  const char *wanted = g_getenv ("MINTERM_MEMORY");
  guint64 n = 0, available, inside;

  if (wanted != NULL && mt_large_parse (wanted, &n))
    return n;
  available = read_number ("/proc/meminfo", "MemAvailable:") * 1024;
  if (available == 0)
    available = DEFAULT_LIMIT;
  inside = read_number ("/sys/fs/cgroup/memory.max", "");
  if (inside == 0)
    inside = read_number ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "");
  if (inside > 0)
    available = MIN (available, inside);
  return available / 4 * 3;
}

/* --- files --- */

/* On tmpfs a file is memory. */
static gboolean
is_on_disk (const char *path)
{
  struct statfs about;

  return statfs (path, &about) == 0 && (guint32) about.f_type != TMPFS && (guint32) about.f_type != RAMFS;
}

static int
open_unnamed (const char *path)
{
  g_autofree char *name = g_build_filename (path, "minterm-rows-XXXXXX", NULL);
  int fd = open (path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    return fd;
  fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    g_unlink (name);
  return fd;
}

/* −1: no folder, or no room. */
static int
make_file (gsize n_bytes)
{
  const char *candidates[] = { g_getenv ("MINTERM_SPILL"), "/var/tmp", g_get_user_cache_dir () };
  int fd = -1;

  for (guint i = 0; i < G_N_ELEMENTS (candidates) && folder == NULL && !no_folder; i++)
    if (candidates[i] != NULL && (i == 0 || is_on_disk (candidates[i])) && (fd = open_unnamed (candidates[i])) >= 0)
      folder = g_strdup (candidates[i]);
  if (folder == NULL)
    {
      no_folder = TRUE;
      return -1;
    }
  if (fd < 0)
    fd = open_unnamed (folder);
  if (fd >= 0 && posix_fallocate (fd, 0, (off_t) n_bytes) != 0)
    {
      close (fd);
      return -1;
    }
  return fd;
}

/* --- arrays --- */

static void
count (const Large *large,
       gboolean     is_new)
{
  guint64 *sum = large->fd >= 0 ? &use_now.n_disk : &use_now.n_memory;

  if (is_new)
    *sum += large->n_bytes;
  else
    *sum -= large->n_bytes;
  use_now.most_disk = MAX (use_now.most_disk, use_now.n_disk);
}

static void
enter (gpointer memory,
       Large    large)
{
  if (arrays == NULL)
    arrays = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_insert (arrays, memory, g_memdup2 (&large, sizeof large));
  count (&large, TRUE);
  g_atomic_int_inc (&n_arrays);
}

static void
leave (gpointer     memory,
       const Large *large)
{
  count (large, FALSE);
  if (large->fd >= 0)
    close (large->fd);
  g_hash_table_remove (arrays, memory);
  g_atomic_int_add (&n_arrays, -1);
}

static gpointer
map (gsize n_bytes,
     int   fd)
{
  gpointer memory = mmap (NULL, n_bytes, PROT_READ | PROT_WRITE, fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

/* Under the lock. */
static gpointer
new_large (gsize n_bytes)
{
  gpointer memory = NULL;
  int fd = -1;

  if (use_now.limit == 0)
    use_now.limit = find_limit ();
  if (use_now.n_memory + n_bytes > use_now.limit && (fd = make_file (n_bytes)) >= 0)
    {
      memory = map (n_bytes, fd);
      if (memory == NULL)
        {
          close (fd);
          fd = -1;
        }
    }
  /* No room on a disk: perhaps the limit was too careful. */
  if (memory == NULL)
    memory = map (n_bytes, -1);
  if (memory != NULL)
    enter (memory, (Large) { n_bytes, fd });
  use_now.folder = folder;
  if (fd >= 0 && !is_noticed && notice_func != NULL)
    {
      is_noticed = TRUE;
      notice_func (&use_now, notice_data);
    }
  return memory;
}

gpointer
mt_large_new0 (gsize n_bytes)
{
  gsize n = (MAX (n_bytes, 1) + ALIGN - 1) & ~(gsize) (ALIGN - 1);
  gpointer memory;

  if (n < n_bytes)
    return NULL;
  if (n < MT_LARGE_BYTES)
    {
      memory = aligned_alloc (ALIGN, n);
      return memory != NULL ? memset (memory, 0, n) : NULL;
    }
  g_mutex_lock (&lock);
  memory = new_large (n);
  g_mutex_unlock (&lock);
  return memory;
}

gpointer
mt_large_need0 (gsize n_bytes)
{
  gpointer memory = NULL;

  if (n_bytes >= MT_LARGE_BYTES)
    memory = mt_large_new0 (n_bytes);
  else if (posix_memalign (&memory, ALIGN, MAX (n_bytes, 1)) == 0)
    memset (memory, 0, n_bytes);
  if (memory == NULL)
    g_error ("failed to allocate %" G_GSIZE_FORMAT " bytes", n_bytes);
  return memory;
}

/* NULL: it is not large. Under the lock. */
static Large *
find (gpointer memory)
{
  return arrays != NULL ? g_hash_table_lookup (arrays, memory) : NULL;
}

/* In place or moved by the system, without a copy. NULL: it cannot be. Under the lock. */
static gpointer
stretch (gpointer  memory,
         Large    *large,
         gsize     n_bytes)
{
  Large other = { n_bytes, large->fd };
  gpointer moved;

  if (large->fd < 0 && n_bytes > large->n_bytes && use_now.n_memory - large->n_bytes + n_bytes > use_now.limit)
    return NULL;      /* it becomes a file */
  if (large->fd >= 0 && n_bytes > large->n_bytes && posix_fallocate (large->fd, 0, (off_t) n_bytes) != 0)
    return NULL;
  moved = mremap (memory, large->n_bytes, n_bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED)
    return NULL;
  if (large->fd >= 0 && n_bytes < large->n_bytes && ftruncate (large->fd, (off_t) n_bytes) != 0)
    g_debug ("a file of rows stays as long as it is");
  count (large, FALSE);
  g_hash_table_steal (arrays, memory);
  g_free (large);
  g_hash_table_insert (arrays, moved, g_memdup2 (&other, sizeof other));
  count (&other, TRUE);
  return moved;
}

gpointer
mt_large_resize (gpointer memory,
                 gsize    n_bytes)
{
  gsize n = (MAX (n_bytes, 1) + ALIGN - 1) & ~(gsize) (ALIGN - 1), n_old;
  gpointer other = NULL;
  Large *large;

  if (n < n_bytes)
    return NULL;
  g_mutex_lock (&lock);
  large = find (memory);
  if (large != NULL && n >= MT_LARGE_BYTES)
    other = stretch (memory, large, n);
  n_old = large != NULL ? large->n_bytes : 0;
  g_mutex_unlock (&lock);
  if (other != NULL)
    return other;
  if (n_old == 0 && n < MT_LARGE_BYTES)
    return g_try_realloc (memory, n);
  if (n_old == 0 && memory != NULL)
    n_old = malloc_usable_size (memory);
  other = mt_large_new0 (n);
  if (other == NULL)
    return NULL;
  if (memory != NULL)
    memcpy (other, memory, MIN (n_old, n));
  mt_large_free (memory);
  return other;
}

void
mt_large_free (gpointer memory)
{
  Large *large = NULL;
  gsize n_bytes = 0;

  if (memory != NULL && g_atomic_int_get (&n_arrays) > 0)
    {
      g_mutex_lock (&lock);
      large = find (memory);
      if (large != NULL)
        {
          n_bytes = large->n_bytes;
          leave (memory, large);
        }
      g_mutex_unlock (&lock);
    }
  if (large != NULL)
    munmap (memory, n_bytes);
  else
    free (memory);
}

void
mt_large_get_use (MtLargeUse *use)
{
  g_mutex_lock (&lock);
  *use = use_now;
  g_mutex_unlock (&lock);
}

void
mt_large_set_notice (MtLargeNotice notice,
                     gpointer      data)
{
  g_mutex_lock (&lock);
  notice_func = notice;
  notice_data = data;
  g_mutex_unlock (&lock);
}

char *
mt_large_dup_notice (const MtLargeUse *use)
{
  g_autofree char *limit = g_format_size (use->limit);
  g_autofree char *shown = g_filename_display_name (use->folder);

  /* Translators: a size such as 1.5 GB, then the name of a folder */
  return g_strdup_printf (_("The rows need more than %s of memory: part of them is kept in a file in %s, which is slower"), limit, shown);
}

void
mt_large_forget (void)
{
  g_mutex_lock (&lock);
  g_assert (n_arrays == 0);
  use_now = (MtLargeUse) { 0 };
  g_clear_pointer (&folder, g_free);
  g_clear_pointer (&arrays, g_hash_table_unref);
  no_folder = FALSE;
  is_noticed = FALSE;
  g_mutex_unlock (&lock);
}
