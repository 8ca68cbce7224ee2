/* PostgreSQL and MariaDB, each with a new, empty database in the job's folder, as a user without
 * rights. PostgreSQL runs without a server (single-user); MariaDB's server listens on a socket in
 * the folder and nowhere else, and is ended with everything it started. */
#include "config.h"
#include "mt-verify-private.h"

#include <string.h>
#include <sys/stat.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define PAUSE (G_USEC_PER_SEC / 20)

/* The export without its last semicolon, to be put into another statement. */
static char *
dup_select (MtVerifyJob   *job,
            MtSqlDialect   dialect,
            GError       **error)
{
  g_autoptr (GBytes) export = mt_export (job->model, MT_EXPORT_SQL, dialect, error);
  char *text;
  gsize length;

  if (export == NULL)
    return NULL;
  text = g_strndup (g_bytes_get_data (export, &length), g_bytes_get_size (export));
  *strrchr (text, ';') = '\0';
  return text;
}

/* --- PostgreSQL --- */

static gboolean
run_postgresql (MtVerifyJob      *job,
                MtSqlDialect      dialect,
                MtVerifyAnswers  *answers,
                GError          **error)
{
  const MtVerifyEngine *engine = mt_verify_find_engine ("postgresql");
  g_autofree char *initdb = mt_verify_find_program (engine, "initdb");
  g_autofree char *postgres = mt_verify_find_program (engine, "postgres");
  g_autofree char *cluster = g_build_filename (job->folder, "cluster", NULL);
  g_autofree char *result = g_build_filename (job->folder, "answers.csv", NULL);
  g_autofree char *select = dup_select (job, dialect, error);
  g_autofree char *csv = NULL;
  g_autoptr (GString) script = g_string_new ("SET client_min_messages = error;\n\n");
  g_autoptr (GBytes) input = NULL;
  g_autoptr (GBytes) made = NULL;
  g_autoptr (GBytes) ran = NULL;
  gsize length;
  const char *make[] = { initdb, "-D", cluster, "-U", "minterm", "-A", "trust", "-E", "UTF8", "--no-locale",
                         "--no-sync", "--no-instructions", NULL };
  /* Compiling the plain dialect, whose subqueries are all unfolded, takes minutes; interpreting it does not. */
  const char *run[] = { postgres, "--single", "-j", "-D", cluster, "-c", "fsync=off", "-c", "jit=off", "-c",
                        "exit_on_error=on", "postgres", NULL };

  if (select == NULL)
    return FALSE;
  mt_verify_give_away (job->folder);
  made = mt_verify_call (job, make, MT_RUN_UNPRIVILEGED, NULL, error);
  if (made == NULL)
    return FALSE;
  mt_verify_append_table (job, MT_SQL_POSTGRESQL, script);
  g_string_append_printf (script, "COPY (%s) TO ", select);
  mt_quote_append_sql (script, MT_SQL_POSTGRESQL, result);
  g_string_append (script, " WITH (FORMAT csv, HEADER);\n\n");
  input = g_string_free_to_bytes (g_steal_pointer (&script));
  ran = mt_verify_call (job, run, MT_RUN_UNPRIVILEGED, input, error);
  if (ran == NULL || !g_file_get_contents (result, &csv, &length, error))
    return FALSE;
  answers->csv = g_bytes_new_take (g_steal_pointer (&csv), length);
  return TRUE;
}

gboolean
mt_verify_postgresql (MtVerifyJob      *job,
                      MtVerifyAnswers  *answers,
                      GError          **error)
{
  return run_postgresql (job, MT_SQL_POSTGRESQL, answers, error);
}

/* The plain dialect, in the engine that keeps closest to the standard. */
gboolean
mt_verify_ansi (MtVerifyJob      *job,
                MtVerifyAnswers  *answers,
                GError          **error)
{
  return run_postgresql (job, MT_SQL_ANSI, answers, error);
}

/* --- MariaDB --- */

/* Until the server's socket is there, or it is clear that it never will be. */
static gboolean
wait_for_server (MtVerifyJob  *job,
                 GSubprocess  *server,
                 const char   *socket,
                 GError      **error)
{
  while (!g_file_test (socket, G_FILE_TEST_EXISTS))
    {
      if (g_cancellable_set_error_if_cancelled (job->cancellable, error))
        return FALSE;
      if (g_get_monotonic_time () > job->deadline || g_subprocess_get_identifier (server) == NULL)
        {
          g_set_error_literal (error, MT_ERROR, MT_ERROR_DEVICE, _("the server did not start"));
          return FALSE;
        }
      g_usleep (PAUSE);
    }
  return TRUE;
}

static GBytes *
ask_server (MtVerifyJob  *job,
            const char   *client,
            const char   *socket,
            const char   *select,
            GError      **error)
{
  g_autofree char *where = g_strconcat ("--socket=", socket, NULL);
  g_autoptr (GString) script = g_string_new ("CREATE DATABASE minterm CHARACTER SET utf8mb4;\nUSE minterm;\n");
  g_autoptr (GBytes) input = NULL;
  const char *argv[] = { client, "--no-defaults", where, "--user=root", "--batch", "--raw",
                         "--default-character-set=utf8mb4", NULL };

  mt_verify_append_table (job, MT_SQL_MARIADB, script);
  g_string_append_printf (script, "%s;\n", select);
  input = g_string_free_to_bytes (g_steal_pointer (&script));
  return mt_verify_call (job, argv, MT_RUN_UNPRIVILEGED, input, error);
}

gboolean
mt_verify_mariadb (MtVerifyJob      *job,
                   MtVerifyAnswers  *answers,
                   GError          **error)
{
  const MtVerifyEngine *engine = mt_verify_find_engine ("mariadb");
  g_autofree char *installer = mt_verify_find_program (engine, "mariadb-install-db");
  g_autofree char *mariadbd = mt_verify_find_program (engine, "mariadbd");
  g_autofree char *client = mt_verify_find_program (engine, "mariadb");
  g_autofree char *data = g_strconcat ("--datadir=", job->folder, "/data", NULL);
  g_autofree char *socket = g_build_filename (job->folder, "socket", NULL);
  g_autofree char *socket_option = g_strconcat ("--socket=", socket, NULL);
  g_autofree char *pid_option = g_strconcat ("--pid-file=", job->folder, "/pid", NULL);
  g_autofree char *temporary = g_strconcat ("--tmpdir=", job->folder, NULL);
  g_autofree char *select = dup_select (job, MT_SQL_MARIADB, error);
  g_autoptr (GBytes) made = NULL;
  g_autoptr (GSubprocess) server = NULL;
  const char *make[] = { installer, "--no-defaults", data, temporary, "--auth-root-authentication-method=normal",
                         "--skip-test-db", "--skip-name-resolve", NULL };
  const char *serve[] = { mariadbd, "--no-defaults", data, socket_option, pid_option, temporary, "--skip-networking",
                          "--skip-grant-tables", "--innodb-flush-log-at-trx-commit=0", "--thread-stack=8M", NULL };

  if (select == NULL)
    return FALSE;
  mt_verify_give_away (job->folder);
  made = mt_verify_call (job, make, MT_RUN_UNPRIVILEGED, NULL, error);
  if (made == NULL)
    return FALSE;
  server = mt_verify_spawn (job, serve, MT_RUN_UNPRIVILEGED, error);
  if (server == NULL)
    return FALSE;
  if (wait_for_server (job, server, socket, error))
    answers->csv = ask_server (job, client, socket, select, error);
  mt_verify_kill (server);
  g_subprocess_wait (server, NULL, NULL);
  answers->delimiter = '\t';
  answers->is_quoted = FALSE;
  return answers->csv != NULL;
}
