#include "testutils.h"

#include <stdarg.h>

char *
mt_test_shared (const char *first,
                ...)
{
  const char *root = g_getenv ("MINTERM_SHARED");
  g_autofree char *below = NULL;
  g_autofree char *path = NULL;
  va_list args;

  va_start (args, first);
  below = g_build_filename_valist ((char *) first, &args);
  va_end (args);
  if (root != NULL)
    path = g_build_filename (root, below, NULL);
  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autofree char *why = g_strdup_printf ("../shared/%s is not here", below);

      g_test_skip (why);
      return NULL;
    }
  return g_steal_pointer (&path);
}
