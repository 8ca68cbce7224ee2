/* minterm-cli reproduce: the experiments of the paper, within a budget; the same command again goes on. The only file that
 * uses the lab. */
#include "config.h"
#include "mt-cli.h"

#include <string.h>

#include "lab/mt-lab.h"
#include "mt-cli-signals.h"
#include "mt-cli-terminal.h"

/* "90", "90s", "60m" or "2h" as seconds. */
static gboolean
read_budget (const char *text,
             double     *seconds)
{
  g_autofree char *number = g_strdup (text);
  gsize n = strlen (number);
  double unit = 1;

  if (n > 0 && strchr ("smh", number[n - 1]) != NULL)
    {
      unit = number[n - 1] == 'h' ? 3600 : number[n - 1] == 'm' ? 60 : 1;
      number[n - 1] = '\0';
    }
  return mt_decimal_parse (number, seconds) && (*seconds *= unit) >= 0 && *seconds <= 1e7;
}

static char *
dup_time (double seconds)
{
  if (seconds < 90)
    return g_strdup_printf ("%.0f s", seconds);
  return seconds < 5400 ? g_strdup_printf ("%.0f min", seconds / 60) : g_strdup_printf ("%.1f h", seconds / 3600);
}

/* On a terminal one line that changes; otherwise a line for each job. */
static void
show (const MtLabProgress *progress,
      gpointer             user_data)
{
  MtCliProgress *line = user_data;
  g_autofree char *left = dup_time (progress->seconds_left);
  g_autofree char *detail = g_strdup_printf ("%u of %u jobs, about %s left; %s", progress->n_done, progress->n_jobs, left,
                                             progress->job != NULL ? progress->job : "");

  if (line != NULL)
    mt_cli_progress_update (line, "reproducing", progress->done, detail);
  else
    g_printerr ("%s\n", detail);
}

static char *
list_experiments (void)
{
  const char * const *names = mt_lab_get_experiments ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i += 2)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", names[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

int
mt_cli_reproduce (int    argc,
                  char **argv)
{
  g_autofree char *data = NULL, *out = NULL, *only = NULL, *budget = NULL, *peers = NULL, *command = NULL;
  gboolean is_full = FALSE;
  const GOptionEntry entries[] = {
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &data, "Folder with the data sets and their manifest.tsv", "DIR" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &out, "Folder for cells, tables, and pictures", "DIR" },
    { "only", 0, 0, G_OPTION_ARG_STRING, &only, "Only these experiments, separated by commas", "NAMES" },
    { "budget", 0, 0, G_OPTION_ARG_STRING, &budget, "Stop after this time, such as 60m or 2h; 0 is no limit [default: 60m]",
      "TIME" },
    { "peers", 0, 0, G_OPTION_ARG_FILENAME, &peers,
      "Folder with DATASET.csv of other methods' results, as bench/peers writes them, for the pictures", "DIR" },
    { "full", 0, 0, G_OPTION_ARG_NONE, &is_full, "The whole grids of the paper, and five seeds on every data set", NULL },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  g_auto (GStrv) names = NULL;
  g_autoptr (GCancellable) cancellable = NULL;
  g_autoptr (GError) error = NULL;
  MtCliProgress line = { 0 };
  MtLabOptions options = { 0 };
  MtLabSummary summary;
  int status;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &status))
    return status;
  if (argc != 1)
    return mt_cli_fail (MT_EXIT_USAGE, "reproduce takes no file, but --data and --out; see --help");
  if (data == NULL || out == NULL)
    return mt_cli_fail (MT_EXIT_USAGE, "--data and --out must name folders");
  options.budget = 3600;
  if (budget != NULL && !read_budget (budget, &options.budget))
    return mt_cli_fail (MT_EXIT_USAGE, "--budget must be a time such as 90s, 60m, or 2h, not “%s”", budget);
  if (only != NULL)
    {
      names = g_strsplit (only, ",", -1);
      for (guint i = 0; names[i] != NULL; i++)
        {
          g_auto (GStrv) known = g_strdupv ((char **) mt_lab_get_experiments ());
          gboolean found = FALSE;

          for (guint k = 0; known[k] != NULL; k += 2)
            found |= g_str_equal (known[k], names[i]);
          if (!found)
            {
              g_autofree char *list = list_experiments ();

              return mt_cli_fail (MT_EXIT_USAGE, "there is no experiment “%s”; there are %s", names[i], list);
            }
        }
    }
  command = g_strdup_printf ("minterm-cli reproduce%s%s%s%s%s%s", only != NULL ? " --only " : "", only != NULL ? only : "",
                             budget != NULL ? " --budget " : "", budget != NULL ? budget : "", is_full ? " --full" : "", peers != NULL ? " --peers DIR" : "");
  options.data = data;
  options.out = out;
  options.only = (const char * const *) names;
  options.peers = peers;
  options.is_full = is_full;
  options.n_threads = (guint) common.threads;
  options.command = command;
  options.progress = show;
  line.is_shown = FALSE;
  options.progress_data = mt_cli_has_colour (stderr) ? &line : NULL;
  cancellable = mt_cli_cancel_on_signals ();
  if (!mt_lab_run (&options, cancellable, &summary, &error))
    {
      mt_cli_progress_clear (&line);
      return mt_cli_fail_error (error);
    }
  mt_cli_progress_clear (&line);
  if (common.json)
    {
      g_autoptr (MtJsonWriter) json = mt_json_writer_new ();

      mt_json_writer_begin_object (json);
      mt_cli_json_count (json, "jobs", summary.n_jobs);
      mt_cli_json_count (json, "done", summary.n_done);
      mt_cli_json_count (json, "done_before", summary.n_before);
      mt_cli_json_count (json, "failed", summary.n_failed);
      mt_cli_json_count (json, "cells", summary.n_cells);
      mt_cli_json_count (json, "reproduced", summary.n_reproduced);
      mt_cli_json_count (json, "differ", summary.n_differ);
      mt_cli_json_count (json, "not_run", summary.n_not_run);
      mt_cli_json_number (json, "seconds", summary.seconds);
      mt_json_writer_end_object (json);
      status = mt_cli_json_print (g_steal_pointer (&json));
    }
  else
    {
      g_autofree char *took = dup_time (summary.seconds);

      g_print ("%u jobs done in %s, %u before, %u failed, %u left\n"
               "%u cells reproduced, %u differ, %u not run\n",
               summary.n_done, took, summary.n_before, summary.n_failed,
               summary.n_jobs - summary.n_done - summary.n_before - summary.n_failed, summary.n_reproduced, summary.n_differ,
               summary.n_not_run);
      status = MT_EXIT_OK;
    }
  if (summary.n_failed > 0)
    return mt_cli_fail (MT_EXIT_FAILED, "%u jobs failed; the page says why", summary.n_failed);
  return status;
}
