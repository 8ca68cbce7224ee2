/* What a run was to compute on, what it computed on, and why that was not the same. See mt-run-device.h. */
#include "config.h"
#include "mt-run-device.h"

#include "base/mt-json-cursor.h"

#define MOST_THREADS 100000u

MtRunDevice *
mt_run_device_new (const char *asked,
                   const char *used,
                   guint       n_threads,
                   const char *error)
{
  MtRunDevice *device = g_new0 (MtRunDevice, 1);

  g_return_val_if_fail (asked != NULL && used != NULL, device);

  device->asked = g_strdup (asked);
  device->used = g_strdup (used);
  device->n_threads = n_threads;
  device->error = g_strdup (error);
  return device;
}

MtRunDevice *
mt_run_device_copy (const MtRunDevice *device)
{
  return device != NULL ? mt_run_device_new (device->asked, device->used, device->n_threads, device->error) : NULL;
}

void
mt_run_device_free (MtRunDevice *device)
{
  if (device == NULL)
    return;
  g_free (device->asked);
  g_free (device->used);
  g_free (device->error);
  g_free (device);
}

char *
mt_run_device_to_json (const MtRunDevice *device)
{
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_json_writer_member_string (json, "asked", device->asked);
  mt_json_writer_member_string (json, "used", device->used);
  mt_json_writer_member_integer (json, "threads", device->n_threads);
  if (device->error != NULL)
    mt_json_writer_member_string (json, "error", device->error);
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, NULL);
}

MtRunDevice *
mt_run_device_from_json (const char *json)
{
  g_autoptr (MtJson) parsed = json != NULL ? mt_json_parse (json, -1, NULL) : NULL;
  const MtJson *why;
  const char *asked, *used;
  guint64 n_threads;
  MtJsonCursor root;

  if (parsed == NULL || mt_json_get_kind (parsed) != MT_JSON_OBJECT)
    return NULL;
  root = mt_json_cursor_root (parsed);
  if (!mt_json_read_string (&root, "asked", &asked, NULL) || !mt_json_read_string (&root, "used", &used, NULL) ||
      !mt_json_read_integer (&root, "threads", MOST_THREADS, &n_threads, NULL))
    return NULL;
  why = mt_json_find (parsed, "error");
  return mt_run_device_new (asked, used, (guint) n_threads,
                            why != NULL && mt_json_get_kind (why) == MT_JSON_STRING ? mt_json_get_string (why) : NULL);
}
