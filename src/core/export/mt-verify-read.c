/* What mt-verify wrote next to a model, read back. The file is no more to be trusted than any other:
 * what it says is shown, never relied upon. */
#include "config.h"
#include "mt-verify-private.h"

#include <math.h>

#include "base/mt-error.h"
#include "base/mt-json-cursor.h"

#define MAX_CHECKS 1000
#define MAX_BYTES  (1024 * 1024)

static gboolean
read_optional (const MtJsonCursor  *place,
               const char         *name,
               char              **value,
               GError            **error)
{
  const MtJson *json = mt_json_find (place->json, name);
  const char *text;

  if (json != NULL && mt_json_get_kind (json) == MT_JSON_NULL)
    return TRUE;
  if (!mt_json_read_string (place, name, &text, error))
    return FALSE;
  *value = g_strdup (text);
  return TRUE;
}

static gboolean
read_status (const MtJsonCursor  *place,
             MtVerifyStatus     *status,
             GError            **error)
{
  const char *word;

  if (!mt_json_read_string (place, "status", &word, error))
    return FALSE;
  for (guint i = MT_VERIFY_AGREES; i <= MT_VERIFY_NOT_FOUND; i++)
    if (g_str_equal (word, mt_verify_status_to_string (i)))
      {
        *status = i;
        return TRUE;
      }
  return mt_json_member_fail (place, "status", error, "is not one of agrees, differs, failed, and not-found");
}

static gboolean
read_check (const MtJsonCursor  *place,
            MtVerifyCheck      *check,
            GError            **error)
{
  const MtVerifyEngine *engine;
  const MtJson *diff = mt_json_find (place->json, "max_diff");
  const char *name, *format;
  guint64 n_rows, n_left_out, n_differ;

  if (!mt_json_read_string (place, "engine", &name, error) || !mt_json_read_string (place, "format", &format, error) ||
      !read_status (place, &check->status, error) || !read_optional (place, "version", &check->version, error) ||
      !read_optional (place, "message", &check->message, error) ||
      !mt_json_read_integer (place, "rows", G_MAXSIZE, &n_rows, error) ||
      !mt_json_read_integer (place, "left_out", G_MAXSIZE, &n_left_out, error) ||
      !mt_json_read_integer (place, "decisions_differ", G_MAXSIZE, &n_differ, error))
    return FALSE;
  engine = mt_verify_find_engine (name);
  check->engine = g_intern_string (name);
  check->format = g_intern_string (format);
  check->package = engine != NULL ? engine->package : NULL;
  check->n_rows = (gsize) n_rows;
  check->n_left_out = (gsize) n_left_out;
  check->n_decisions_differ = (gsize) n_differ;
  check->max_diff = INFINITY;
  return diff == NULL || mt_json_get_kind (diff) == MT_JSON_NULL ||
         mt_json_read_number (place, "max_diff", &check->max_diff, error);
}

static gboolean
read_report (const MtJsonCursor  *root,
             MtVerifyReport     *report,
             GError            **error)
{
  MtJsonCursor checks;
  guint64 n_rows, version;
  const char *format;
  guint n;

  if (!mt_json_read_string (root, "format", &format, error) ||
      !mt_json_read_integer (root, "format_version", G_MAXUINT64, &version, error))
    return FALSE;
  if (!g_str_equal (format, "minterm-verify") || version != 1)
    return mt_json_cursor_fail (root, error, "is not a verification record that this version supports");
  if (!read_optional (root, "model_sha256", &report->model_sha256, error) ||
      !read_optional (root, "rows_sha256", &report->rows_sha256, error) ||
      !mt_json_read_integer (root, "rows", G_MAXSIZE, &n_rows, error) ||
      !mt_json_member (root, "checks", MT_JSON_ARRAY, &checks, error))
    return FALSE;
  n = mt_json_get_n_children (checks.json);
  if (n > MAX_CHECKS)
    return mt_json_cursor_fail (&checks, error, "has more than %d items", MAX_CHECKS);
  report->n_rows = (gsize) n_rows;
  report->checks = g_new0 (MtVerifyCheck, n + 1);
  for (guint i = 0; i < n; i++)
    {
      MtJsonCursor item;

      report->n_checks++;   /* freed with what it has */
      if (!mt_json_item (&checks, i, MT_JSON_OBJECT, &item, error) || !read_check (&item, &report->checks[i], error))
        return FALSE;
    }
  return TRUE;
}

MtVerifyReport *
mt_verify_report_from_json (const char  *json,
                            gssize       length,
                            GError     **error)
{
  g_autoptr (MtJson) document = mt_json_parse (json, length, error);
  g_autoptr (MtVerifyReport) report = NULL;
  MtJsonCursor root;

  if (document == NULL)
    return NULL;
  root = mt_json_cursor_root (document);
  if (mt_json_get_kind (document) != MT_JSON_OBJECT)
    {
      mt_json_cursor_fail (&root, error, "is no object");
      return NULL;
    }
  report = g_new0 (MtVerifyReport, 1);
  return read_report (&root, report, error) ? g_steal_pointer (&report) : NULL;
}

MtVerifyReport *
mt_verify_report_load (const char  *path,
                       GError     **error)
{
  g_autofree char *json = NULL;
  gsize length;
  MtVerifyReport *report;

  if (!g_file_get_contents (path, &json, &length, error))
    return NULL;
  if (length > MAX_BYTES)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, "%s is too large for a verification record", path);
      return NULL;
    }
  report = mt_verify_report_from_json (json, (gssize) length, error);
  if (report == NULL)
    g_prefix_error (error, "%s: ", path);
  return report;
}
