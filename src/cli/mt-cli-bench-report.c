/* minterm-cli bench report: the audit report of a made-up model and its rows, from the parts to the bytes, and how soon
 * it obeys a cancel, whenever that comes. */
#include "config.h"
#include "mt-cli.h"

#include "mt-cli-bench-rows.h"
#include "mt-cli-learn.h"
#include "mt-cli-model.h"

typedef struct {
  GCancellable *cancellable;
  guint         n_told;
  guint         cancel_at;     /* the n-th time; 0: never */
  double        cancelled;     /* when */
  double        gap, last;     /* the longest time without a word */
} Listener;

static void
listen (double   done,
        gpointer data)
{
  Listener *listener = data;
  double now = mt_cli_bench_seconds ();

  if (listener->n_told++ > 0)
    listener->gap = MAX (listener->gap, now - listener->last);
  listener->last = now;
  if (listener->n_told == listener->cancel_at)
    {
      listener->cancelled = now;
      g_cancellable_cancel (listener->cancellable);
    }
}

/* Numbers, and a class that the first two of them decide with some noise. */
static GBytes *
make_csv (guint     n_columns,
          guint     n_rows,
          MtRandom *random)
{
  GString *out = g_string_new (NULL);

  for (guint c = 0; c < n_columns; c++)
    g_string_append_printf (out, "column %u,", c + 1);
  g_string_append (out, "class\n");
  for (guint r = 0; r < n_rows; r++)
    {
      double sum = mt_random_normal (random);

      for (guint c = 0; c < n_columns; c++)
        {
          double value = mt_random_normal (random);
          char text[G_ASCII_DTOSTR_BUF_SIZE];

          sum += c < 2 ? value : 0;
          g_string_append_printf (out, "%s,", g_ascii_formatd (text, sizeof text, "%.3f", value));
        }
      g_string_append (out, sum > 0 ? "yes\n" : "no\n");
    }
  return g_string_free_to_bytes (out);
}

static MtModel *
make_model (const MtTable  *table,
            guint           bits,
            guint           n_rules,
            guint           fan_in,
            MtRandom       *random,
            GError        **error)
{
  static const char * const classes[] = { "no", "yes", NULL };
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  MtEncoderOptions options;
  MtModelInfo info;

  mt_encoder_options_init (&options);
  options.bits = bits;
  encoder = mt_encoder_fit (table, NULL, 0, &options, error);
  if (encoder == NULL)
    return NULL;
  rules = mt_cli_bench_make_rules (mt_encoder_get_n_literals (encoder), n_rules, fan_in, 1, random);
  mt_model_info_init (&info);
  info.target = "class";
  info.classes = classes;
  info.dont_care = "off";
  info.n_rows = info.n_train = mt_table_get_n_rows (table);
  return mt_model_new (encoder, rules, &info, error);
}

/* The rows with their target, as a model's own. */
static MtImport *
import_rows (GBytes  *csv,
             GError **error)
{
  g_autoptr (MtSchema) schema = mt_schema_new ();
  MtImportOptions options = { .schema = schema };

  mt_schema_set_role (schema, "class", MT_ROLE_TARGET);
  return mt_import_bytes (csv, &options, NULL, error);
}

typedef struct {
  double make, html, pdf;     /* seconds */
  gsize  n_html, n_pdf;       /* bytes */
  guint  n_told;              /* words of progress, of making and of the PDF */
  double gap;                 /* the longest time without one */
  double answer;              /* the longest time from a cancel to the end */
} Times;

/* Makes and renders once. FALSE: cancelled, or wrong. */
static gboolean
go_once (MtReportParts  *parts,
         Listener       *listener,
         Times          *times,
         GError        **error)
{
  const MtReportWait wait = { listen, listener, listener->cancellable };
  g_autoptr (MtReport) report = NULL;
  g_autoptr (GBytes) html = NULL;
  g_autoptr (GBytes) pdf = NULL;
  double start = mt_cli_bench_seconds ();

  parts->progress = listen;
  parts->progress_data = listener;
  report = mt_report_new (parts, listener->cancellable, error);
  times->make = mt_cli_bench_seconds () - start;
  if (report == NULL)
    return FALSE;
  start = mt_cli_bench_seconds ();
  pdf = mt_report_render (report, MT_REPORT_PDF, MT_PAPER_A4, &wait, error);
  times->pdf = mt_cli_bench_seconds () - start;
  if (pdf == NULL)
    return FALSE;
  times->n_told = listener->n_told;
  start = mt_cli_bench_seconds ();
  html = mt_report_render (report, MT_REPORT_HTML, MT_PAPER_A4, &wait, error);
  times->html = mt_cli_bench_seconds () - start;
  if (html == NULL)
    return FALSE;
  times->n_pdf = g_bytes_get_size (pdf);
  times->n_html = g_bytes_get_size (html);
  times->gap = listener->gap;
  return TRUE;
}

/* @moments cancels, evenly among the words of progress. */
static gboolean
measure_cancels (MtReportParts  *parts,
                 guint           moments,
                 Times          *times,
                 GError        **error)
{
  for (guint i = 0; i < moments; i++)
    {
      g_autoptr (GError) why = NULL;
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Listener listener = { .cancellable = cancellable, .cancel_at = 1 + i * times->n_told / moments };
      Times ignored = { 0 };

      go_once (parts, &listener, &ignored, &why);
      if (!g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "a report that was canceled at step %u of %u continued",
                       listener.cancel_at, times->n_told);
          return FALSE;
        }
      times->answer = MAX (times->answer, mt_cli_bench_seconds () - listener.cancelled);
    }
  return TRUE;
}

static void
print_times (const MtCliCommon *common,
             int                rows,
             int                n_rules,
             int                moments,
             const Times       *times)
{
  MtJsonWriter *json;

  if (!common->json)
    {
      g_print ("%d rules, %d rows: %.3f s to make, %.3f s for %" G_GSIZE_FORMAT " bytes of PDF, %.3f s for %" G_GSIZE_FORMAT
               " bytes of HTML; %u progress reports, at most %.0f ms apart; %d cancellations, each within %.0f ms\n",
               n_rules, rows, times->make, times->pdf, times->n_pdf, times->html, times->n_html, times->n_told,
               times->gap * 1e3, moments, times->answer * 1e3);
      return;
    }
  json = mt_json_writer_new ();
  mt_json_writer_begin_object (json);
  mt_cli_json_count (json, "rows", (guint64) rows);
  mt_cli_json_count (json, "rules", (guint64) n_rules);
  mt_cli_json_number (json, "seconds_make", times->make);
  mt_cli_json_number (json, "seconds_pdf", times->pdf);
  mt_cli_json_number (json, "seconds_html", times->html);
  mt_cli_json_count (json, "bytes_pdf", times->n_pdf);
  mt_cli_json_count (json, "bytes_html", times->n_html);
  mt_cli_json_count (json, "progress_words", times->n_told);
  mt_cli_json_number (json, "progress_gap_ms", times->gap * 1e3);
  mt_cli_json_count (json, "cancels", (guint64) moments);
  mt_cli_json_number (json, "cancel_ms_max", times->answer * 1e3);
  mt_json_writer_end_object (json);
  mt_cli_json_print (json);
}

int
mt_cli_bench_report (int    argc,
                     char **argv)
{
  int rows = 1000, columns = 20, n_rules = 50, fan_in = 4, moments = 20;
  const GOptionEntry entries[] = {
    { "rows", 0, 0, G_OPTION_ARG_INT, &rows, "Rows [default: 1000]", "N" },
    { "columns", 0, 0, G_OPTION_ARG_INT, &columns, "Numeric columns [default: 20]", "N" },
    { "rules", 0, 0, G_OPTION_ARG_INT, &n_rules, "Rules [default: 50]", "N" },
    { "fan-in", 0, 0, G_OPTION_ARG_INT, &fan_in, "Conditions per rule [default: 4]", "N" },
    { "cancels", 0, 0, G_OPTION_ARG_INT, &moments, "Number of times to cancel [default: 20]", "N" },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  g_autoptr (GBytes) csv = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  MtReportParts parts = { .date = 0 };
  Listener listener = { NULL };
  Times times = { 0 };
  MtRandom random;
  int status;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &status))
    return status;
  if (!mt_cli_check_range ("--rows", rows, 50, 1000000) || !mt_cli_check_range ("--columns", columns, 2, 1000) ||
      !mt_cli_check_range ("--rules", n_rules, 1, 2000) || !mt_cli_check_range ("--fan-in", fan_in, 2, 8) ||
      !mt_cli_check_range ("--cancels", moments, 0, 1000))
    return MT_EXIT_USAGE;

  mt_random_init (&random, (guint64) common.seed);
  csv = make_csv ((guint) columns, (guint) rows, &random);
  import = import_rows (csv, &error);
  if (import != NULL)
    model = make_model (mt_import_get_table (import), 9, (guint) n_rules, (guint) fan_in, &random, &error);
  parts.model = model;
  parts.data = import;
  if (model == NULL || !go_once (&parts, &listener, &times, &error) ||
      !measure_cancels (&parts, (guint) moments, &times, &error))
    return mt_cli_fail_error (error);
  print_times (&common, rows, n_rules, moments, &times);
  return MT_EXIT_OK;
}
