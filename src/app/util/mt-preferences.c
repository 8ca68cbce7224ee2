/* What a person prefers, kept in GSettings. */
#include "config.h"
#include "mt-preferences.h"

#include "mt-format.h"

#define SCHEMA "io.github.minterm.Minterm"

static int n_threads;       /* atomic */
static int plain_numbers;   /* atomic */

static void
note_changes (GSettings *settings)
{
  g_atomic_int_set (&n_threads, g_settings_get_int (settings, "threads"));
  g_atomic_int_set (&plain_numbers, g_settings_get_enum (settings, "number-format"));
  mt_i18n_set_mark (mt_format_get_mark ());
}

GSettings *
mt_preferences_get_settings (void)
{
  static GSettings *settings;

  if (settings == NULL)
    {
      settings = g_settings_new (SCHEMA);
      g_signal_connect (settings, "changed", G_CALLBACK (note_changes), NULL);
      note_changes (settings);
    }
  return settings;
}

guint
mt_preferences_get_threads (void)
{
  return (guint) MAX (g_atomic_int_get (&n_threads), 0);
}

guint
mt_preferences_count_threads (void)
{
  guint n = mt_preferences_get_threads ();

  return n > 0 ? n : g_get_num_processors ();
}

gboolean
mt_preferences_plain_numbers (void)
{
  return g_atomic_int_get (&plain_numbers) != 0;
}

void
mt_preferences_watch_numbers (gpointer  object,
                              GCallback refresh)
{
  g_signal_connect_object (mt_preferences_get_settings (), "changed::number-format", refresh, object, G_CONNECT_SWAPPED);
}

#define LONGEST_NAME 200   /* letters: a project takes 1024 bytes */

/* GLib says "Unknown" when the system has no name for the user. */
char *
mt_preferences_dup_system_name (void)
{
  const char *real = g_get_real_name (), *user = g_get_user_name ();
  const char *name = real != NULL && *real != '\0' && !g_str_equal (real, "Unknown") ? real : user;

  return g_utf8_make_valid (name != NULL ? name : "", -1);
}

char *
mt_preferences_dup_person (void)
{
  g_autofree char *name = g_settings_get_string (mt_preferences_get_settings (), "person");

  g_strstrip (name);
  if (*name == '\0')
    {
      g_free (name);
      name = g_strstrip (mt_preferences_dup_system_name ());
    }
  return g_utf8_substring (name, 0, MIN (g_utf8_strlen (name, -1), LONGEST_NAME));
}
