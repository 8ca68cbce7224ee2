/* Large requests of our own are tried and refused with what they need. GLib ends the program when a small one fails, by a
 * signal and with a line for developers; here that becomes a sentence and an exit code. Nothing is allocated on the way. Files are
 * written whole or not at all, so nothing else is left to do. */
#include "config.h"
#include "mt-cli-memory.h"

#include <glib.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mt-cli.h"

#define SENTENCE "minterm-cli: Not enough memory. Close other programs, or allow the program more; saved files are unchanged\n"

static gboolean
is_lack_of_memory (GLogLevelFlags   level,
                   const GLogField *fields,
                   gsize            n_fields)
{
  for (gsize i = 0; i < n_fields && (level & G_LOG_LEVEL_ERROR) != 0; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0 && fields[i].length < 0)
      return strstr (fields[i].value, "failed to allocate") != NULL;
  return FALSE;
}

static GLogWriterOutput
write_log (GLogLevelFlags   level,
           const GLogField *fields,
           gsize            n_fields,
           gpointer         data)
{
  if (is_lack_of_memory (level, fields, n_fields))
    {
      gssize written = write (STDERR_FILENO, SENTENCE, strlen (SENTENCE));

      (void) written;
      _exit (MT_EXIT_FAILED);
    }
  return g_log_writer_default (level, fields, n_fields, data);
}

/* GLib's allocator of small pieces ends the program without asking the writer. Where memory is limited the program starts again
 * without that allocator, which GLib decides before main(). */
static void
start_again_if_limited (char **argv)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || argv[0] == NULL)
    return;
#ifdef M_ARENA_MAX
  /* All threads share what is free: GLib needs a hundred bytes to say that there are none. */
  mallopt (M_ARENA_MAX, 1);
#endif
  if (g_getenv ("G_SLICE") != NULL)
    return;
  g_setenv ("G_SLICE", "always-malloc", TRUE);
  execv ("/proc/self/exe", argv);
  /* Without /proc it goes on as it is. */
}

void
mt_cli_explain_lack_of_memory (char **argv)
{
  g_log_set_writer_func (write_log, NULL, NULL);
  start_again_if_limited (argv);
}
