/* Running engines: each in a session of its own, so that whatever it starts can be ended with it,
 * with a time limit, and so that a cancel is answered at once. */
#include "config.h"
#include "mt-verify-private.h"

#include <errno.h>
#include <glob.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define COMPLAINT 600      /* bytes of what an engine complained of */

char *
mt_verify_find_program (const MtVerifyEngine *engine,
                        const char           *program)
{
  g_autofree char *pattern = NULL;
  glob_t found = { 0 };
  char *path = NULL;

  if (engine->folder != NULL)
    {
      pattern = g_build_filename (engine->folder, program, NULL);
      if (glob (pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0)
        path = g_strdup (found.gl_pathv[found.gl_pathc - 1]);
      globfree (&found);
    }
  if (path != NULL && g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    return path;
  g_free (path);
  return g_find_program_in_path (program);
}

/* In the child: its own session. */
static void
begin_session (gpointer data)
{
  setsid ();
}

void
mt_verify_kill (GSubprocess *process)
{
  const char *id = g_subprocess_get_identifier (process);
  gint64 pid = id != NULL ? g_ascii_strtoll (id, NULL, 10) : 0;

  if (pid > 1)
    kill ((pid_t) -pid, SIGKILL);
  g_subprocess_force_exit (process);
}

static GSubprocess *
launch (MtVerifyJob         *job,
        const char * const  *argv,
        MtRunFlags           flags,
        GSubprocessFlags     pipes,
        const char          *input,
        GError             **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (pipes);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *setpriv = NULL;

  if ((flags & MT_RUN_UNPRIVILEGED) != 0 && geteuid () == 0)
    {
      setpriv = g_find_program_in_path ("setpriv");
      if (setpriv == NULL)
        {
          g_set_error_literal (error, MT_ERROR, MT_ERROR_DEVICE,
                               _("cannot run as root, and setpriv is not available to switch user"));
          return NULL;
        }
      g_ptr_array_add (words, setpriv);
      g_ptr_array_add (words, (gpointer) "--reuid=nobody");
      g_ptr_array_add (words, (gpointer) "--regid=nogroup");
      g_ptr_array_add (words, (gpointer) "--clear-groups");
    }
  for (; *argv != NULL; argv++)
    g_ptr_array_add (words, (gpointer) *argv);
  g_ptr_array_add (words, NULL);
  g_subprocess_launcher_set_stdin_file_path (launcher, input);
  g_subprocess_launcher_set_cwd (launcher, job->folder);
  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
  g_subprocess_launcher_setenv (launcher, "HOME", job->folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "TMPDIR", job->folder, TRUE);
  g_subprocess_launcher_set_child_setup (launcher, begin_session, NULL, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char * const *) words->pdata, error);
}

GSubprocess *
mt_verify_spawn (MtVerifyJob         *job,
                 const char * const  *argv,
                 MtRunFlags           flags,
                 GError             **error)
{
  return launch (job, argv, flags, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                 "/dev/null", error);
}

/* --- a call with an end --- */

typedef struct {
  GMainLoop   *loop;
  GSubprocess *process;
  GBytes      *out;
  GBytes      *err;
  GError      *error;
  gboolean     is_late;
} Call;

static void
call_ended (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  Call *call = data;

  g_subprocess_communicate_finish (G_SUBPROCESS (source), result, &call->out, &call->err, &call->error);
  g_main_loop_quit (call->loop);
}

/* Killed, its pipes close and communicate ends by itself. */
static gboolean
call_is_late (gpointer data)
{
  Call *call = data;

  call->is_late = TRUE;
  mt_verify_kill (call->process);
  return G_SOURCE_REMOVE;
}

static gboolean
call_was_cancelled (GCancellable *cancellable,
                    gpointer      data)
{
  mt_verify_kill (((Call *) data)->process);
  return G_SOURCE_REMOVE;
}

static char *
dup_complaint (GBytes *err,
               GBytes *out)
{
  gsize length;
  const char *text = err != NULL ? g_bytes_get_data (err, &length) : NULL;
  g_autofree char *some = NULL;
  g_autofree char *valid = NULL;

  if (text == NULL || length == 0)
    text = out != NULL ? g_bytes_get_data (out, &length) : NULL;
  if (text == NULL)
    return g_strdup ("it printed no message");
  some = g_strndup (text, MIN (length, COMPLAINT));
  valid = g_utf8_make_valid (some, -1);
  return g_strdup (g_strstrip (g_strdelimit (valid, "\r\n\t", ' ')));
}

GBytes *
mt_verify_call (MtVerifyJob         *job,
                const char * const  *argv,
                MtRunFlags           flags,
                GBytes              *input,
                GError             **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GSource) limit = NULL;
  g_autoptr (GSource) cancel = NULL;
  g_autofree char *program = g_path_get_basename (argv[0]);
  g_autofree char *complaint = NULL;
  g_autofree char *path = NULL;
  Call call = { NULL };
  gint64 left = MAX ((job->deadline - g_get_monotonic_time ()) / 1000, 1);
  GBytes *out = NULL;

  if (g_cancellable_set_error_if_cancelled (job->cancellable, error))
    return NULL;
  /* From a file, not a pipe: an engine that stops reading must not kill us with SIGPIPE. */
  if (input != NULL)
    {
      gsize length;
      const char *data = g_bytes_get_data (input, &length);

      path = mt_verify_write (job, "input", data, length, error);
      if (path == NULL)
        return NULL;
    }
  g_main_context_push_thread_default (context);
  call.loop = g_main_loop_new (context, FALSE);
  call.process = launch (job, argv, flags,
                         G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                         path != NULL ? path : "/dev/null", error);
  if (call.process != NULL)
    {
      limit = g_timeout_source_new ((guint) MIN (left, G_MAXUINT / 2));
      g_source_set_callback (limit, call_is_late, &call, NULL);
      g_source_attach (limit, context);
      if (job->cancellable != NULL)
        {
          cancel = g_cancellable_source_new (job->cancellable);
          g_source_set_callback (cancel, G_SOURCE_FUNC (call_was_cancelled), &call, NULL);
          g_source_attach (cancel, context);
        }
      g_subprocess_communicate_async (call.process, NULL, NULL, call_ended, &call);
      g_main_loop_run (call.loop);
      g_source_destroy (limit);
      if (cancel != NULL)
        g_source_destroy (cancel);
    }
  g_main_context_pop_thread_default (context);
  g_main_loop_unref (call.loop);
  if (call.process == NULL)
    return NULL;

  if (g_cancellable_set_error_if_cancelled (job->cancellable, error))
    ;
  else if (call.is_late)
    g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("%s timed out"), program);
  else if (call.error != NULL)
    g_propagate_error (error, g_steal_pointer (&call.error));
  else if (!g_subprocess_get_successful (call.process))
    {
      complaint = dup_complaint (call.err, call.out);
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, _("%s failed: %s"), program, complaint);
    }
  else
    out = call.out != NULL ? g_bytes_ref (call.out) : g_bytes_new (NULL, 0);
  g_clear_error (&call.error);
  g_clear_pointer (&call.out, g_bytes_unref);
  g_clear_pointer (&call.err, g_bytes_unref);
  g_object_unref (call.process);
  return out;
}

/* --- files of a job --- */

char *
mt_verify_write (MtVerifyJob  *job,
                 const char   *name,
                 const char   *data,
                 gsize         length,
                 GError      **error)
{
  g_autofree char *path = g_build_filename (job->folder, name, NULL);

  if (!g_file_set_contents (path, data, (gssize) length, error))
    return NULL;
  return g_steal_pointer (&path);
}

char *
mt_verify_write_export (MtVerifyJob     *job,
                        MtExportFormat   format,
                        MtSqlDialect     dialect,
                        const char      *name,
                        GError         **error)
{
  g_autofree char *path = g_build_filename (job->folder, name, NULL);

  if (!mt_export_save (job->model, format, dialect, path, error))
    return NULL;
  return g_steal_pointer (&path);
}

void
mt_verify_give_away (const char *path)
{
  const struct passwd *nobody = geteuid () == 0 ? getpwnam ("nobody") : NULL;

  if (nobody != NULL && chown (path, nobody->pw_uid, nobody->pw_gid) != 0)
    g_debug ("%s stays ours: %s", path, g_strerror (errno));   /* the server will say so itself */
}
