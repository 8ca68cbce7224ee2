/* Projects without a name yet live in the user's state folder, where a crash leaves them:
 * each is locked by its process, so one that can be locked belongs to no running process. */
#include "config.h"
#include "mt-project-private.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

static char *
recovery_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "minterm", "recovery", NULL);
}

char *
mt_project_new_recovery_path (GError **error)
{
  g_autofree char *folder = recovery_folder ();

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      mt_file_set_error (error, errno, folder, 0);
      return NULL;
    }
  while (TRUE)
    {
      g_autofree char *name = g_strdup_printf ("untitled-%08x%s", g_random_int (), MT_PROJECT_SUFFIX);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
}

gboolean
mt_project_is_recovery_path (const char *path)
{
  g_autofree char *folder = recovery_folder ();
  g_autofree char *resolved = mt_file_resolve (folder, NULL);
  g_autofree char *above = g_path_get_dirname (path);

  return resolved != NULL && strcmp (above, resolved) == 0;
}

/* Nothing that anybody would miss: no data and no runs. */
gboolean
mt_project_is_empty (MtProject *self)
{
  return self->seals[MT_STORE_SOURCE].n_rows == 0 && self->seals[MT_STORE_RUN].n_rows == 0;
}

static int
newest_first (gconstpointer a,
              gconstpointer b)
{
  const char *first = *(const char * const *) a;
  const char *second = *(const char * const *) b;
  MtFileStamp left = { 0 }, right = { 0 };

  mt_file_stamp (first, &left);
  mt_file_stamp (second, &right);
  if (left.changed != right.changed)
    return left.changed > right.changed ? -1 : 1;
  return strcmp (first, second);
}

GPtrArray *
mt_project_list_recoverable (void)
{
  g_autofree char *folder = recovery_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (MtProject) project = NULL;

      if (!g_str_has_suffix (name, MT_PROJECT_SUFFIX))
        continue;
      /* An empty one goes away when it is freed. A damaged one is offered: its owner may
       * know what to do with it, and opening it will tell. */
      project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
      if (project != NULL ? !mt_project_is_empty (project)
                          : !g_error_matches (error, MT_ERROR, MT_ERROR_LOCKED))
        g_ptr_array_add (paths, g_steal_pointer (&path));
    }
  g_ptr_array_sort (paths, newest_first);
  return paths;
}

gboolean
mt_project_remove_recoverable (const char  *path,
                               GError     **error)
{
  g_autofree char *resolved = NULL;
  g_autofree char *journal = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  resolved = mt_file_resolve (path, error);
  if (resolved == NULL)
    return FALSE;
  if (!mt_project_is_recovery_path (resolved))
    {
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("“%s” is not in the folder of unsaved projects; nothing "
                                                       "was deleted"), name);
      return FALSE;
    }
  journal = g_strconcat (resolved, "-journal", NULL);
  g_unlink (journal);
  if (g_unlink (resolved) == 0)
    return TRUE;
  mt_file_set_error (error, errno, path, 0);
  return FALSE;
}
