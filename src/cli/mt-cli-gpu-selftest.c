/* minterm-cli gpu-selftest: does the GPU here compute what the CPU computes, and how fast? A report to send. */
#include "config.h"
#include "mt-cli.h"

#include <sys/utsname.h>

#include "mt-cli-model.h"

static const char *
get_word (MtSelftestState state)
{
  return state == MT_SELFTEST_PASSED ? "passed" : state == MT_SELFTEST_SKIPPED ? "skipped" : "FAILED";
}

static int
print_text (const MtSelftest *test)
{
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append_printf (out, "Minterm %s, GPU self-test\n", MT_VERSION);
  g_string_append_printf (out, "device:  %s\n", test->device != NULL ? test->device : "none");
  g_string_append_printf (out, "module:  %s\n", test->module != NULL ? test->module : "none");
  g_string_append_printf (out, "cpu:     %s\n", test->cpu);
  if (test->reason != NULL)
    g_string_append_printf (out, "not usable: %s\n", test->reason);
  for (guint i = 0; i < test->checks->len; i++)
    {
      const MtSelftestCheck *check = g_ptr_array_index (test->checks, i);

      g_string_append_printf (out, "%-8s %-56s %s\n", get_word (check->state), check->name, check->detail);
    }
  for (guint i = 0; i < test->timings->len; i++)
    {
      const MtSelftestTiming *timing = g_ptr_array_index (test->timings, i);

      g_string_append_printf (out, "timing   %-56s cpu %.3f ms, gpu %.3f ms per step and network: %.2f times as fast\n",
                              timing->name, timing->cpu_ms, timing->gpu_ms, timing->cpu_ms / timing->gpu_ms);
    }
  g_string_append_printf (out, "%s\n", test->reason != NULL ? "There is no GPU to test."
                                       : test->passed ? "All checks passed." : "Some checks failed: do not use this GPU.");
  return mt_cli_print (out->str);
}

/* The first line of what the kernel's part of the driver says of itself; NULL: there is none. */
static char *
dup_driver (void)
{
  g_autofree char *text = NULL;
  char *end;

  if (!g_file_get_contents ("/proc/driver/nvidia/version", &text, NULL, NULL))
    return NULL;
  end = strchr (text, '\n');
  return end != NULL ? g_strndup (text, end - text) : g_steal_pointer (&text);
}

static MtJsonWriter *
write_json (const MtSelftest *test)
{
  MtJsonWriter *json = mt_json_writer_new ();
  g_autofree char *driver = dup_driver (), *place = NULL;
  struct utsname name;

  if (uname (&name) == 0)
    place = g_strdup_printf ("%s %s %s", name.sysname, name.release, name.machine);
  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "version", MT_VERSION);
  mt_cli_json_text (json, "system", place);
  mt_cli_json_text (json, "driver", driver);
  mt_cli_json_text (json, "device", test->device);
  mt_cli_json_text (json, "module", test->module);
  mt_cli_json_text (json, "cpu", test->cpu);
  mt_cli_json_text (json, "reason", test->reason);
  mt_json_writer_key (json, "passed");
  mt_json_writer_boolean (json, test->passed);
  mt_json_writer_key (json, "checks");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < test->checks->len; i++)
    {
      const MtSelftestCheck *check = g_ptr_array_index (test->checks, i);

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "name", check->name);
      mt_cli_json_text (json, "state", check->state == MT_SELFTEST_FAILED ? "failed" : get_word (check->state));
      mt_cli_json_text (json, "detail", check->detail);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_key (json, "timings");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < test->timings->len; i++)
    {
      const MtSelftestTiming *timing = g_ptr_array_index (test->timings, i);

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "name", timing->name);
      mt_json_writer_key (json, "cpu_ms");
      mt_json_writer_number (json, timing->cpu_ms);
      mt_json_writer_key (json, "gpu_ms");
      mt_json_writer_number (json, timing->gpu_ms);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
  return json;
}

static int
save_report (const MtSelftest *test,
             const char       *path)
{
  gsize length;
  g_autofree char *text = mt_json_writer_finish (write_json (test), &length);
  g_autoptr (GError) error = NULL;

  return mt_file_write (path, text, length, MT_FILE_REPLACE, &error) ? MT_EXIT_OK : mt_cli_fail_error (error);
}

int
mt_cli_gpu_selftest (int    argc,
                     char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  gboolean quick = FALSE;
  g_autofree char *report = NULL;
  const GOptionEntry entries[] = {
    { "quick", 0, 0, G_OPTION_ARG_NONE, &quick, "Run the checks only, no timings", NULL },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &report, "Write device, driver, checks, and timings to FILE, to be sent", "FILE" },
    { NULL }
  };
  g_autoptr (MtSelftest) test = NULL;
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 1)
    return mt_cli_fail (MT_EXIT_USAGE, "gpu-selftest takes no argument; see minterm-cli gpu-selftest --help");
  test = mt_selftest_run (!quick);
  if (report != NULL && (exit_code = save_report (test, report)) != MT_EXIT_OK)
    return exit_code;
  exit_code = common.json ? mt_cli_json_print (write_json (test)) : print_text (test);
  if (exit_code == MT_EXIT_OK && test->reason != NULL)
    return mt_cli_fail (MT_EXIT_FAILED, "%s", test->reason);
  return exit_code == MT_EXIT_OK && !test->passed ? MT_EXIT_FAILED : exit_code;
}
