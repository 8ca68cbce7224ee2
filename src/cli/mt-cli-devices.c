/* minterm-cli devices: where training could run here, and why something cannot be used. */
#include "config.h"
#include "mt-cli.h"

#include "mt-cli-model.h"

static int
print_list (const GPtrArray *devices)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < devices->len; i++)
    {
      const MtBackendDevice *device = g_ptr_array_index (devices, i);
      g_autofree char *name = mt_cli_escape (device->name);

      g_string_append_printf (out, "%-8s %s", device->id, name);
      if (device->reason != NULL)
        {
          g_autofree char *reason = mt_cli_escape (device->reason);

          g_string_append_printf (out, ": not usable, %s", reason);
        }
      else if (device->capability != NULL)
        {
          g_autofree char *all = g_format_size (device->memory), *left = g_format_size (device->free_memory);

          g_string_append_printf (out, ", compute capability %s, %u multiprocessors, %s, %s free", device->capability,
                                  device->n_processors, all, left);
        }
      else
        {
          g_autofree char *all = g_format_size (device->memory);

          g_string_append_printf (out, device->n_processors == 1 ? ", %u thread, %s" : ", %u threads, %s",
                                  device->n_processors, all);
        }
      g_string_append_c (out, '\n');
    }
  return mt_cli_print (out->str);
}

static int
print_json (const GPtrArray *devices)
{
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_json_writer_key (json, "devices");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < devices->len; i++)
    {
      const MtBackendDevice *device = g_ptr_array_index (devices, i);

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "id", device->id);
      mt_cli_json_text (json, "name", device->name);
      mt_json_writer_key (json, "usable");
      mt_json_writer_boolean (json, device->reason == NULL);
      mt_cli_json_text (json, "reason", device->reason);
      mt_cli_json_count (json, "processors", device->n_processors);
      mt_cli_json_text (json, "capability", device->capability);
      mt_cli_json_count (json, "memory", device->memory);
      mt_cli_json_count (json, "free_memory", device->free_memory);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (json);
}

int
mt_cli_devices (int    argc,
                char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  const GOptionEntry entries[] = { { NULL } };
  g_autoptr (GPtrArray) devices = NULL;
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 1)
    return mt_cli_fail (MT_EXIT_USAGE, "devices takes no argument; see minterm-cli devices --help");
  devices = mt_backend_list_devices (TRUE);
  return common.json ? print_json (devices) : print_list (devices);
}
