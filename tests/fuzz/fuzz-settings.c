/* What the program makes of any file of settings: a file that GLib cannot read is put aside with its bytes, and of any other each
 * key gives a value in its range, with which a run can be set up and a decision signed. */
#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/mt-preferred-run.h"
#include "mt-core.h"
#include "util/mt-environment.h"
#include "util/mt-format.h"
#include "util/mt-preferences.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

#define SCHEMA "io.github.minterm.Minterm"

static char *folder, *path, *aside;

static void
remove_files (void)
{
  g_autofree char *glib = g_path_get_dirname (path);
  g_autofree char *above = g_path_get_dirname (glib);

  g_unlink (path);
  g_unlink (aside);
  g_rmdir (glib);
  g_rmdir (above);
  g_rmdir (folder);
}

/* The settings that the program asks are kept in memory: they get what was read from the file. */
static void
set_up (void)
{
  g_autofree char *glib = NULL;

  folder = g_dir_make_tmp ("minterm-fuzz-XXXXXX", NULL);
  g_assert_nonnull (folder);
  glib = g_build_filename (folder, "glib-2.0", "settings", NULL);
  g_assert_cmpint (g_mkdir_with_parents (glib, 0700), ==, 0);
  path = g_build_filename (glib, "keyfile", NULL);
  aside = g_strconcat (path, ".bak", NULL);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", TRUE);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  mt_preferences_get_settings ();
  g_setenv ("GSETTINGS_BACKEND", "keyfile", TRUE);
  atexit (remove_files);
}

static void
expect_kept (const guint8 *data,
             gsize         size)
{
  g_autofree char *spoilt = mt_environment_steal_spoilt ();
  g_autofree char *found = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (spoilt != NULL ? aside : path, &found, &length, NULL));
  if (length != size || memcmp (found, data, size) != 0)
    abort ();
}

static void
use_settings (void)
{
  g_autofree char *person = mt_preferences_dup_person ();
  g_autofree char *number = mt_format_number (-1234.5);
  MtRunSettings run;

  mt_preferred_run_init (&run);
  g_assert_true (g_utf8_validate (person, -1, NULL) && g_utf8_validate (number, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (person, -1), <=, 200);
  g_assert_cmpuint (mt_preferences_get_threads (), <=, 256);
  g_assert_cmpuint (mt_preferences_count_threads (), >=, 1);
  g_assert_true (run.device == MT_DEVICE_AUTO || run.device == MT_DEVICE_CPU || run.device == MT_DEVICE_CUDA);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GSettingsBackend) backend = NULL;
  g_autoptr (GSettings) settings = NULL;
  g_autoptr (GSettingsSchema) schema = NULL;
  g_auto (GStrv) keys = NULL;

  if (folder == NULL)
    set_up ();
  g_unlink (path);
  g_unlink (aside);
  if (!g_file_set_contents (path, (const char *) data, (gssize) size, NULL))
    return 0;
  mt_environment_prepare ();
  expect_kept (data, size);

  backend = g_keyfile_settings_backend_new (path, "/", NULL);
  settings = g_settings_new_with_backend (SCHEMA, backend);
  g_object_get (settings, "settings-schema", &schema, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[i]);
      g_autoptr (GVariant) value = g_settings_get_value (settings, keys[i]);

      g_assert_true (g_settings_schema_key_range_check (key, value));
      g_assert_true (g_settings_set_value (mt_preferences_get_settings (), keys[i], value));
    }
  use_settings ();
  return 0;
}
