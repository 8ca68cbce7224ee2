/* minterm-cli verify: the exports of a model, run in the engines of this machine. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>

#include "mt-cli-model.h"
#include "mt-cli-signals.h"
#include "mt-cli-terminal.h"

static void
show_progress (const char *engine,
               guint       index,
               guint       n_engines,
               gpointer    data)
{
  mt_cli_progress_update (data, engine, (double) index / n_engines, "");
}

static void
append_check (GString             *out,
              const MtVerifyCheck *check)
{
  g_autofree char *message = check->message != NULL ? mt_cli_escape (check->message) : NULL;
  char diff[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, "%-12s %-11s ", check->engine, check->format);
  switch (check->status)
    {
    case MT_VERIFY_AGREES:
    case MT_VERIFY_DIFFERS:
      g_string_append_printf (out, "%s: %" G_GSIZE_FORMAT " rows, largest difference %s, %" G_GSIZE_FORMAT
                              " different decisions",
                              check->status == MT_VERIFY_AGREES ? "verified" : "DIFFERS", check->n_rows,
                              g_ascii_formatd (diff, sizeof diff, "%.3g", check->max_diff), check->n_decisions_differ);
      if (check->n_left_out > 0)
        g_string_append_printf (out, "; %" G_GSIZE_FORMAT " rows left out", check->n_left_out);
      break;
    case MT_VERIFY_NOT_FOUND:
      g_string_append_printf (out, "not verified: %s", message);
      break;
    case MT_VERIFY_FAILED:
    default:
      g_string_append_printf (out, "FAILED: %s", message);
      break;
    }
  g_string_append_c (out, '\n');
}

static int
print_report (const MtVerifyReport *report,
              gboolean              json)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (json)
    {
      g_autofree char *text = mt_verify_report_to_json (report, NULL);

      return mt_cli_print (text);
    }
  for (guint i = 0; i < report->n_checks; i++)
    append_check (out, &report->checks[i]);
  return mt_cli_print (out->str);
}

/* Asked for by name and not there: that is not what was asked for. */
static gboolean
is_satisfied (const MtVerifyReport *report,
              gboolean              by_name)
{
  if (!mt_verify_report_agrees (report))
    return FALSE;
  for (guint i = 0; by_name && i < report->n_checks; i++)
    if (report->checks[i].status == MT_VERIFY_NOT_FOUND)
      return FALSE;
  return TRUE;
}

int
mt_cli_verify (int    argc,
               char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (MtCliImport) how = { NULL };
  g_autofree char *data = NULL;
  g_autofree char *engines = NULL;
  int seconds = 300;
  gboolean no_sidecar = FALSE;
  const GOptionEntry own[] = {
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &data, "Rows to compare, in addition to generated test rows", "DATA.csv" },
    { "engines", 0, 0, G_OPTION_ARG_STRING, &engines,
      "Engines to use: json, sqlite3, python3, gcc, node, R, postgresql, postgresql-ansi, mariadb, "
      "duckdb, spark, spark-warehouse, weka, libreoffice "
      "[default: all that are installed]",
      "LIST" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "Time limit per engine, in seconds [default: 300]", "N" },
    { "no-record", 0, 0, G_OPTION_ARG_NONE, &no_sidecar, "Do not write MODEL.verify.json", NULL },
    { NULL }
  };
  g_autofree GOptionEntry *entries = mt_cli_import_new_model_entries (&how, NULL, FALSE, own);
  g_auto (GStrv) names = NULL;
  g_autofree char *sidecar = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtVerifyReport) report = NULL;
  g_autoptr (GCancellable) cancellable = NULL;
  g_autoptr (GError) error = NULL;
  MtCliProgress progress = { FALSE };
  MtVerifyOptions options = { .progress = show_progress, .progress_data = &progress };
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 2)
    return mt_cli_fail (MT_EXIT_USAGE, "verify needs one model; see minterm-cli verify --help");
  if (seconds < 1 || seconds > 86400)
    return mt_cli_fail (MT_EXIT_USAGE, "--seconds must be between 1 and 86400");
  names = engines != NULL ? g_strsplit (engines, ",", -1) : NULL;
  options.engines = (const char * const *) names;
  options.seconds = (guint) seconds;
  if (!mt_verify_check_engines (options.engines, &error))
    return mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  sidecar = mt_verify_dup_path (argv[1]);
  if (!no_sidecar && !mt_cli_check_sidecar (sidecar, "minterm-verify", (const char * const[]) { argv[1], data }, 2))
    return MT_EXIT_USAGE;
  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL)
    return exit_code;
  if (data != NULL && (import = mt_cli_model_read (model, &how, &common, data, &exit_code)) == NULL)
    return exit_code;
  cancellable = mt_cli_cancel_on_signals ();
  report = mt_verify (model, import != NULL ? mt_import_get_table (import) : NULL, &options, cancellable, &error);
  mt_cli_progress_clear (&progress);
  if (report == NULL)
    return mt_cli_fail_error (error);
  if (!no_sidecar && !mt_verify_report_save (report, sidecar, &error))
    return mt_cli_fail_error (error);
  exit_code = print_report (report, common.json);
  return exit_code == MT_EXIT_OK && !is_satisfied (report, names != NULL) ? MT_EXIT_FAILED : exit_code;
}
