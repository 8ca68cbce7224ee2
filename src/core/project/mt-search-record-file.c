/* The record next to a model's file, and how both are saved as one. */
#include "config.h"
#include "mt-search-record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/mt-error.h"
#include "base/mt-file.h"
#include "base/mt-json-cursor.h"

static const char * const members[] = {
  "format", "format_version", "model_sha256", "seed", "stopped", "chosen", "recommended", "frontier", "folds", "baselines",
  NULL,
};
static const char * const members_shown[] = {
  "format", "format_version", "model_sha256", "seed", "stopped", "chosen", "recommended", "frontier", "folds", "baselines",
  "tested", NULL,
};

/* --- writing --- */

static void
write_number (MtJsonWriter *json,
              const char   *name,
              double        value)
{
  if (name != NULL)
    mt_json_writer_key (json, name);
  if (isfinite (value))
    mt_json_writer_number (json, value);
  else
    mt_json_writer_string (json, NULL);
}

static void
write_points (MtJsonWriter   *json,
              const MtSearchRecord *record)
{
  mt_json_writer_key (json, "frontier");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < record->points->len; i++)
    {
      const MtSearchRecordPoint *point = &g_array_index (record->points, MtSearchRecordPoint, i);

      mt_json_writer_begin_object_row (json);
      mt_json_writer_member_integer (json, "literals", point->literals);
      mt_json_writer_member_integer (json, "rules", point->n_rules);
      write_number (json, "cv_mean", point->cv_mean);
      write_number (json, "cv_se", point->cv_se);
      write_number (json, "train", point->train);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
}

static void
write_baselines (MtJsonWriter   *json,
                 const MtSearchRecord *record)
{
  mt_json_writer_key (json, "baselines");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < record->n_baselines; i++)
    {
      const MtBaseline *baseline = &record->baselines[i];

      mt_json_writer_begin_object_row (json);
      mt_json_writer_key (json, "kind");
      mt_json_writer_string (json, mt_baseline_kind_to_string (baseline->kind));
      mt_json_writer_member_integer (json, "literals", baseline->literals);
      mt_json_writer_member_integer (json, "size", baseline->size);
      write_number (json, "cv_mean", baseline->cv_mean);
      write_number (json, "cv_se", baseline->cv_se);
      write_number (json, "train", baseline->train);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
}

char *
mt_search_record_to_json (const MtSearchRecord *record,
                          gsize          *length)
{
  const MtSearchRecordRun *run = &g_array_index (record->runs, MtSearchRecordRun, 0);
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_json_writer_key (json, "format");
  mt_json_writer_string (json, MT_SEARCH_RECORD_FORMAT);
  mt_json_writer_member_integer (json, "format_version", 1);
  mt_json_writer_key (json, "model_sha256");
  mt_json_writer_string (json, record->model_sha256);
  mt_json_writer_member_integer (json, "seed", run->seed);
  mt_json_writer_key (json, "stopped");
  mt_json_writer_boolean (json, run->state == MT_RUN_STOPPED);
  mt_json_writer_member_integer (json, "chosen", (guint64) record->chosen);
  mt_json_writer_member_integer (json, "recommended", (guint64) record->recommended);
  write_points (json, record);
  mt_json_writer_key (json, "folds");
  mt_json_writer_begin_row (json);
  for (guint i = 0; i < record->n_folds; i++)
    write_number (json, NULL, record->folds[i]);
  mt_json_writer_end_array (json);
  write_baselines (json, record);
  if (record->tested != NULL)
    {
      mt_json_writer_key (json, "tested");
      mt_json_writer_begin_array (json);
      for (guint i = 0; record->tested[i] != NULL; i++)
        mt_json_writer_string (json, record->tested[i]);
      mt_json_writer_end_array (json);
    }
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, length);
}

/* --- one with the model --- */

/* The new record is first written and synced under a name of its own, then the model is replaced, then the record takes
 * its place. A save that ends in between leaves the next record lying there; the model's checksum in it tells to which
 * of the two models it belongs. */
static char *
dup_next_path (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_strdup_printf (".minterm-next-%08x", g_str_hash (base));

  return g_build_filename (folder, name, NULL);
}

static gboolean
is_on_disk (const char    *path,
            gconstpointer  data,
            gsize          length)
{
  g_autofree char *found = NULL;
  gsize n;

  return g_file_get_contents (path, &found, &n, NULL) && n == length && memcmp (found, data, n) == 0;
}

/* The descriptor of the next record, locked as long as it is open; -1 after a failure. */
static int
write_next (const char  *next,
            const char  *model_path,
            const char  *json,
            gsize        length,
            GError     **error)
{
  g_autoptr (MtFileWriter) writer = NULL;
  struct stat st;
  int fd;

  g_unlink (next);
  writer = mt_file_writer_new (next, MT_FILE_NEW, length, error);
  if (writer == NULL || !mt_file_writer_write (writer, json, length, error) || !mt_file_writer_commit (writer, error))
    return -1;
  fd = mt_file_writer_steal_fd (writer);
  if (stat (model_path, &st) == 0 &&
      ((fchown (fd, st.st_uid, st.st_gid) != 0 && errno != EPERM) || fchmod (fd, st.st_mode & 07777) != 0))
    {
      mt_file_set_error (error, errno, next, length);
      g_unlink (next);
      close (fd);
      return -1;
    }
  return fd;
}

gboolean
mt_search_record_save (const MtSearchRecord  *record,
                       const MtModel         *model,
                       const char            *model_path,
                       GError               **error)
{
  gsize length, model_length;
  g_autofree char *json = mt_search_record_to_json (record, &length);
  g_autofree char *model_json = mt_model_to_json (model, &model_length);
  g_autofree char *wanted = mt_search_record_dup_path (model_path);
  g_autofree char *path = mt_file_resolve (wanted, error);
  g_autofree char *next = path != NULL ? dup_next_path (path) : NULL;
  int fd = next != NULL ? write_next (next, model_path, json, length, error) : -1;
  gboolean ok;

  if (fd < 0)
    return FALSE;
  ok = mt_model_save (model, model_path, error);
  if (!ok && !is_on_disk (model_path, model_json, model_length))
    g_unlink (next);
  else if (g_rename (next, path) != 0)
    {
      if (ok)
        mt_file_set_error (error, errno, path, length);   /* the next record stays, and is the one that is read */
      ok = FALSE;
    }
  else if (!mt_file_sync_folder (path) && ok)
    {
      mt_file_set_error (error, errno, path, length);
      ok = FALSE;
    }
  close (fd);
  return ok;
}

/* Whether the file is a record of the model. */
static gboolean
is_record_of (const char *path,
              const char *tie)
{
  g_autofree char *json = NULL;
  g_autoptr (MtSearchRecord) record = NULL;
  gsize length;

  if (!g_file_get_contents (path, &json, &length, NULL))
    return FALSE;
  record = mt_search_record_from_json (json, (gssize) length, NULL);
  return record != NULL && g_str_equal (record->model_sha256, tie);
}

void
mt_search_record_settle (const char    *path,
                         const MtModel *model)
{
  g_autofree char *resolved = mt_file_resolve (path, NULL);
  g_autofree char *next = resolved != NULL ? dup_next_path (resolved) : NULL;
  g_autofree char *tie = NULL;
  int fd = next != NULL ? TEMP_FAILURE_RETRY (open (next, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) : -1;

  if (resolved != NULL)
    mt_file_remove_stale (resolved);
  if (fd < 0)
    return;
  tie = mt_search_record_dup_tie (model);
  if (mt_file_lock (fd) == MT_FILE_LOCK_GAINED)      /* its writer is gone */
    {
      if (is_record_of (next, tie))
        g_rename (next, resolved);
      else
        g_unlink (next);
      mt_file_sync_folder (resolved);
    }
  close (fd);
}

/* --- reading --- */

/* A number, or null for one that was not measured. */
static gboolean
read_maybe (const MtJsonCursor  *place,
            const char         *name,
            double             *value,
            GError            **error)
{
  const MtJson *json = mt_json_find (place->json, name);

  *value = NAN;
  return (json != NULL && mt_json_get_kind (json) == MT_JSON_NULL) || mt_json_read_number (place, name, value, error);
}

static gboolean
read_guint (const MtJsonCursor  *place,
            const char         *name,
            guint              *value,
            GError            **error)
{
  guint64 wide;

  if (!mt_json_read_integer (place, name, 1u << 30, &wide, error))
    return FALSE;
  *value = (guint) wide;
  return TRUE;
}

static gboolean
read_points (const MtJsonCursor  *root,
             MtSearchRecord           *record,
             GError            **error)
{
  MtJsonCursor list;

  if (!mt_json_member (root, "frontier", MT_JSON_ARRAY, &list, error))
    return FALSE;
  if (mt_json_get_n_children (list.json) > MT_SEARCH_RECORD_MAX_POINTS)
    return mt_json_cursor_fail (&list, error, "has more than %u points", MT_SEARCH_RECORD_MAX_POINTS);
  for (guint i = 0; i < mt_json_get_n_children (list.json); i++)
    {
      MtSearchRecordPoint point = { 0 };
      MtJsonCursor item;

      if (!mt_json_item (&list, i, MT_JSON_OBJECT, &item, error) ||
          !read_guint (&item, "literals", &point.literals, error) ||
          !read_guint (&item, "rules", &point.n_rules, error) ||
          !read_maybe (&item, "cv_mean", &point.cv_mean, error) ||
          !read_maybe (&item, "cv_se", &point.cv_se, error) ||
          !read_maybe (&item, "train", &point.train, error))
        return FALSE;
      g_array_append_val (record->points, point);
    }
  return TRUE;
}

static gboolean
read_index (const MtJsonCursor  *root,
            const char         *name,
            const MtSearchRecord     *record,
            int                *index,
            GError            **error)
{
  guint value;

  if (!read_guint (root, name, &value, error))
    return FALSE;
  if (value >= record->points->len)
    return mt_json_member_fail (root, name, error, "is %u, and there are %u points", value, record->points->len);
  *index = (int) value;
  return TRUE;
}

static gboolean
read_folds (const MtJsonCursor  *root,
            MtSearchRecord           *record,
            GError            **error)
{
  MtJsonCursor list;

  if (!mt_json_member (root, "folds", MT_JSON_ARRAY, &list, error))
    return FALSE;
  record->n_folds = mt_json_get_n_children (list.json);
  record->folds = g_new (double, record->n_folds + 1);
  for (guint i = 0; i < record->n_folds; i++)
    {
      const MtJson *value = mt_json_get_child (list.json, i);

      if (mt_json_get_kind (value) != MT_JSON_NUMBER && mt_json_get_kind (value) != MT_JSON_NULL)
        return mt_json_cursor_fail (&list, error, "has a score that is neither a number nor null");
      record->folds[i] = mt_json_get_kind (value) == MT_JSON_NUMBER ? mt_json_get_number (value) : NAN;
    }
  return TRUE;
}

static gboolean
read_kind (const MtJsonCursor  *place,
           MtBaselineKind     *kind,
           GError            **error)
{
  const char *word;

  if (!mt_json_read_string (place, "kind", &word, error))
    return FALSE;
  for (guint k = 0; k < MT_N_BASELINES; k++)
    if (g_str_equal (word, mt_baseline_kind_to_string (k)))
      {
        *kind = k;
        return TRUE;
      }
  return mt_json_member_fail (place, "kind", error, "is “%s”, which is not a known baseline", word);
}

static gboolean
read_baselines (const MtJsonCursor  *root,
                MtSearchRecord           *record,
                GError            **error)
{
  MtJsonCursor list;

  if (!mt_json_member (root, "baselines", MT_JSON_ARRAY, &list, error))
    return FALSE;
  if (mt_json_get_n_children (list.json) > MT_N_BASELINES)
    return mt_json_cursor_fail (&list, error, "has more than %d items", MT_N_BASELINES);
  for (guint i = 0; i < mt_json_get_n_children (list.json); i++)
    {
      MtBaseline *baseline = &record->baselines[i];
      MtJsonCursor item;

      baseline->test = NAN;
      if (!mt_json_item (&list, i, MT_JSON_OBJECT, &item, error) ||
          !read_kind (&item, &baseline->kind, error) ||
          !read_guint (&item, "literals", &baseline->literals, error) ||
          !read_guint (&item, "size", &baseline->size, error) ||
          !read_maybe (&item, "cv_mean", &baseline->cv_mean, error) ||
          !read_maybe (&item, "cv_se", &baseline->cv_se, error) ||
          !read_maybe (&item, "train", &baseline->train, error))
        return FALSE;
      record->n_baselines++;
    }
  return TRUE;
}

/* A checksum in hexadecimal digits. */
static gboolean
is_key (const char *text)
{
  return strlen (text) == 64 && strspn (text, "0123456789abcdef") == 64;
}

/* May be absent: few runs show test figures of models that were not chosen. */
static gboolean
read_tested (const MtJsonCursor  *root,
             MtSearchRecord      *record,
             GError             **error)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  MtJsonCursor list;

  if (mt_json_find (root->json, "tested") == NULL)
    return TRUE;
  if (!mt_json_member (root, "tested", MT_JSON_ARRAY, &list, error))
    return FALSE;
  if (mt_json_get_n_children (list.json) > MT_SEARCH_RECORD_MAX_POINTS)
    return mt_json_cursor_fail (&list, error, "has more than %u keys", MT_SEARCH_RECORD_MAX_POINTS);
  for (guint i = 0; i < mt_json_get_n_children (list.json); i++)
    {
      const MtJson *key = mt_json_get_child (list.json, i);

      if (mt_json_get_kind (key) != MT_JSON_STRING || !is_key (mt_json_get_string (key)))
        return mt_json_cursor_fail (&list, error, "has a key that is not a SHA-256");
      g_ptr_array_add (keys, g_strdup (mt_json_get_string (key)));
    }
  g_ptr_array_add (keys, NULL);
  record->tested = (char **) g_ptr_array_free (g_steal_pointer (&keys), FALSE);
  return TRUE;
}

static gboolean
read_record (const MtJsonCursor  *root,
             MtSearchRecord           *record,
             GError            **error)
{
  const char *format, *hash;
  guint64 version, seed;
  gboolean stopped;
  MtSearchRecordRun run = { NULL };

  if (!mt_json_check_members (root, mt_json_find (root->json, "tested") != NULL ? members_shown : members, error) ||
      !mt_json_read_string (root, "format", &format, error) ||
      !mt_json_read_integer (root, "format_version", G_MAXUINT, &version, error) ||
      !mt_json_read_string (root, "model_sha256", &hash, error) ||
      !mt_json_read_integer (root, "seed", G_MAXUINT64, &seed, error) ||
      !mt_json_read_boolean (root, "stopped", &stopped, error))
    return FALSE;
  if (!g_str_equal (format, MT_SEARCH_RECORD_FORMAT) || version != 1)
    return mt_json_member_fail (root, "format", error, "is not %s of version 1", MT_SEARCH_RECORD_FORMAT);
  run.name = g_strdup ("this run");
  run.seed = seed;
  run.state = stopped ? MT_RUN_STOPPED : MT_RUN_DONE;
  g_array_append_val (record->runs, run);
  record->model_sha256 = g_strdup (hash);
  return read_points (root, record, error) && read_index (root, "chosen", record, &record->chosen, error) &&
         read_index (root, "recommended", record, &record->recommended, error) && read_folds (root, record, error) &&
         read_baselines (root, record, error) && read_tested (root, record, error);
}

MtSearchRecord *
mt_search_record_from_json (const char  *json,
                            gssize       length,
                            GError     **error)
{
  g_autoptr (MtJson) parsed = mt_json_parse (json, length, error);
  g_autoptr (MtSearchRecord) record = parsed != NULL ? mt_search_record_new () : NULL;
  MtJsonCursor root;

  if (parsed == NULL)
    return NULL;
  root = mt_json_cursor_root (parsed);
  if (mt_json_get_kind (parsed) != MT_JSON_OBJECT)
    {
      mt_json_cursor_fail (&root, error, "is not an object");
      return NULL;
    }
  return read_record (&root, record, error) ? g_steal_pointer (&record) : NULL;
}

/* A model that was edited is another; by its history it may have come from this record's. */
static gboolean
can_be_edited (const MtSearchRecord *record,
               const MtModel  *model)
{
  const MtModelInfo *info = mt_model_get_info (model);

  return info->n_edits > 0 && record->points->len > 0 &&
         g_array_index (record->points, MtSearchRecordPoint, record->chosen).literals == info->edits[0].literals_before;
}

MtSearchRecord *
mt_search_record_load (const char     *path,
                       const MtModel  *model,
                       GError        **error)
{
  g_autofree char *json = NULL;
  g_autofree char *hash = mt_search_record_dup_tie (model);
  g_autofree char *shown = g_filename_display_name (path);
  g_autoptr (MtSearchRecord) record = NULL;
  gsize length;

  mt_search_record_settle (path, model);
  if (!g_file_get_contents (path, &json, &length, error))
    return NULL;
  record = mt_search_record_from_json (json, (gssize) length, error);
  if (record == NULL)
    {
      g_prefix_error (error, "%s: ", shown);
      return NULL;
    }
  if (!g_str_equal (record->model_sha256, hash) && !can_be_edited (record, model))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_CHANGED,
                   "%s belongs to another model; train again, or take the model that it was written with", shown);
      return NULL;
    }
  return g_steal_pointer (&record);
}
