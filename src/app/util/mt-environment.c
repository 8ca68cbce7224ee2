/* Without a bus, dconf and the accessibility bus would only complain: preferences then go to a file, or, where
 * nothing can be written, last as long as the program does. GLib would overwrite a file of settings that it cannot
 * read; it is put aside instead. */
#include "config.h"
#include "mt-environment.h"

#include <glib/gstdio.h>
#include <unistd.h>

static char *spoilt;

static gboolean
has_bus (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *socket = runtime != NULL ? g_build_filename (runtime, "bus", NULL) : NULL;
  g_autofree char *launcher = g_find_program_in_path ("dbus-launch");

  return (address != NULL && *address != '\0') || (socket != NULL && g_access (socket, R_OK | W_OK) == 0) ||
         launcher != NULL;
}

static gboolean
can_write (const char *folder)
{
  return g_mkdir_with_parents (folder, 0700) == 0 && g_access (folder, W_OK | X_OK) == 0;
}

/* GTK keeps its list of recent files there, and we what was not saved: better for as long as the computer runs
 * than not at all. Not asked of GLib, which would remember its answer. */
static void
choose_data (void)
{
  const char *chosen = g_getenv ("XDG_DATA_HOME");
  g_autofree char *usual = g_build_filename (g_get_home_dir (), ".local", "share", NULL);
  g_autofree char *other = NULL;

  if (can_write (chosen != NULL && *chosen != '\0' ? chosen : usual))
    return;
  other = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  if (other != NULL)
    g_setenv ("XDG_DATA_HOME", other, TRUE);
}

static void
choose_settings (gboolean bus)
{
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");

  if (!can_write (g_get_user_config_dir ()))
    g_setenv ("GSETTINGS_BACKEND", "memory", FALSE);
  else if (!bus || (runtime != NULL && !can_write (runtime)))
    g_setenv ("GSETTINGS_BACKEND", "keyfile", FALSE);
}

/* GLib looks for schemas where the session's data are. A program in a prefix of its own, started by its path, brings
 * its schemas along: next to the folder it lies in. Without them GLib would end it. */
static void
choose_schemas (void)
{
  const char * const *known = g_get_system_data_dirs ();
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *prefix = folder != NULL ? g_path_get_dirname (folder) : NULL;
  g_autofree char *share = prefix != NULL ? g_build_filename (prefix, "share", NULL) : NULL;
  g_autofree char *schemas = share != NULL ? g_build_filename (share, "glib-2.0", "schemas", NULL) : NULL;
  g_autofree char *compiled = schemas != NULL ? g_build_filename (schemas, "gschemas.compiled", NULL) : NULL;

  for (; *known != NULL && share != NULL; known++)
    {
      g_autofree char *plain = g_canonicalize_filename (*known, "/");

      if (g_str_equal (plain, share))
        return;
    }
  if (compiled != NULL && g_file_test (compiled, G_FILE_TEST_IS_REGULAR))
    g_setenv ("GSETTINGS_SCHEMA_DIR", schemas, FALSE);
}

/* In a sandbox GLib chooses the file by itself. */
static gboolean
uses_file (void)
{
  const char *backend = g_getenv ("GSETTINGS_BACKEND");

  return backend != NULL ? g_str_equal (backend, "keyfile") : g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS);
}

static void
put_spoilt_aside (void)
{
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL);
  g_autofree char *aside = g_strconcat (path, ".bak", NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  GStatBuf about;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) ||
      (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL) && g_stat (path, &about) == 0 && about.st_size > 0))
    return;
  if (g_rename (path, aside) == 0)
    spoilt = g_steal_pointer (&aside);
}

void
mt_environment_prepare (void)
{
  gboolean bus = has_bus ();

  choose_data ();
  choose_schemas ();
  choose_settings (bus);
  if (!bus)
    g_setenv ("GTK_A11Y", "none", FALSE);
  if (uses_file ())
    put_spoilt_aside ();
}

char *
mt_environment_steal_spoilt (void)
{
  return g_steal_pointer (&spoilt);
}
