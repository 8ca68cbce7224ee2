/* minterm-cli sweep: a grid of trainings into a project, and the frontier of all of them. Started by mpirun, rank 0 is the
 * command, and the other ranks take runs from it. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "mt-cli-learn.h"
#include "mt-cli-model.h"
#include "mt-cli-signals.h"
#include "mt-cli-terminal.h"

typedef struct {
  int   seeds;
  char *output;
  char *resume;
  char *test;
  char *choose;
} Options;

/* The recommended model on the rows of --test. */
typedef struct {
  guint       literals;
  gsize       n_rows;
  gsize       n_missing, n_unknown;
  MtMetric    metrics[MT_N_METRICS];
  double      values[MT_N_METRICS];
  guint       n_metrics;
} Tested;

typedef struct {
  Options         options;
  MtCliCommon     common;
  MtCliImport     import_options;
  MtCliLearn      learn_options;
  MtCliProgress   progress;
  GCancellable   *cancellable;
  MtSweepRanks   *ranks;           /* NULL: this process alone */
  char           *uri;             /* of the data, for them */
  int             exit_code;       /* if something was said already */

  MtImport       *import;
  MtProject      *project;
  MtSweepSummary  summary;
  GPtrArray      *runs;            /* of MtProjectRun */
  GArray         *frontier;        /* of MtProjectPoint */
  MtSweepChoice   choice;
  Tested          tested;          /* n_metrics 0: there is no --test */
  double          seconds;
} Sweep;

static void
sweep_clear (Sweep *self)
{
  g_free (self->options.output);
  g_free (self->options.resume);
  g_free (self->options.test);
  g_free (self->options.choose);
  g_free (self->uri);
  mt_cli_common_clear (&self->common);
  mt_cli_import_clear (&self->import_options);
  mt_cli_learn_clear (&self->learn_options);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->import, mt_import_unref);
  g_clear_pointer (&self->project, mt_project_free);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->frontier, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sweep, sweep_clear)

/* --- running --- */

/* The network that has just told of itself is shown; there are others, and they take turns. */
static void
show_progress (const MtSweepProgress *progress,
               gpointer               user_data)
{
  Sweep *self = user_data;
  g_autoptr (GString) detail = g_string_new (NULL);
  const MtSweepNetwork *network = progress->network;

  g_string_printf (detail, "%u of %u runs", progress->n_finished, progress->n_runs);
  if (progress->n_networks > 0)
    g_string_append_printf (detail, ", %u of %u networks", progress->n_trained, progress->n_networks);
  if (network != NULL && network->train->epoch > 0)
    {
      g_string_append_printf (detail, "; run %" G_GINT64_FORMAT, network->run);
      if (network->part > 0)
        g_string_append_printf (detail, " fold %u", network->part);
      g_string_append_printf (detail, " network %u: epoch %u, loss %.4f", network->network + 1, network->train->epoch,
                              isnan (network->train->valid_loss) ? network->train->train_loss
                                                                 : network->train->valid_loss);
      if (!isnan (network->train->metric))
        g_string_append_printf (detail, ", metric %.4f", network->train->metric);
    }
  mt_cli_progress_update (&self->progress, "sweeping", progress->done, detail->str);
}

/* --- ranks --- */

static void
tell_lost (guint       rank,
           const char *host,
           guint       n_runs,
           gpointer    data)
{
  Sweep *self = data;

  mt_cli_progress_clear (&self->progress);
  if (n_runs > 0)
    g_printerr ("minterm-cli: rank %u on %s no longer responds; its runs (%u) go to other ranks\n", rank, host, n_runs);
  else
    g_printerr ("minterm-cli: rank %u on %s no longer responds; the other ranks continue\n", rank, host);
}

static void
tell_fall_back (const GError *error,
                gpointer      user_data)
{
  g_printerr ("minterm-cli: on %s: %s; continuing on the CPU\n", g_get_host_name (), error->message);
}

/* @path: the data, which all ranks read; of a project that is continued, where they were, too. FALSE after one line. */
static gboolean
use_ranks (Sweep      *self,
           const char *path,
           MtRunMeans *means)
{
  g_autoptr (GFile) file = NULL;

  if (self->ranks == NULL)
    return TRUE;
  if (!mt_cli_import_can_repeat (path))
    {
      mt_cli_fail (MT_EXIT_USAGE, "%s cannot be read twice, but each rank reads the data; give a file",
                   strcmp (path, "-") == 0 ? "standard input" : path);
      return FALSE;
    }
  file = g_file_new_for_commandline_arg (path);
  self->uri = g_file_get_uri (file);
  self->ranks->uri = self->uri;
  self->ranks->lost = tell_lost;
  self->ranks->data = self;
  means->ranks = self->ranks;
  return TRUE;
}

/* Another rank than 0: it does what that one says. */
static int
serve (MtRanks *ranks)
{
  g_autoptr (GError) error = NULL;
  gboolean orderly = FALSE;
  gboolean ok = mt_sweep_ranks_serve (ranks, tell_fall_back, &orderly, &error);

  mt_ranks_end (ranks, orderly);
  return ok ? MT_EXIT_OK : mt_cli_fail_error (error);
}

static gboolean
merge (Sweep   *self,
       GError **error)
{
  self->frontier = mt_sweep_merge (self->project, self->choice, error);
  if (self->frontier != NULL)
    self->runs = mt_project_list_runs (self->project, error);
  return self->runs != NULL;
}

static gboolean
run (Sweep             *self,
     const char        *source,
     const MtRunMeans  *means,
     GError           **error)
{
  gboolean is_new = !g_file_test (self->options.output, G_FILE_TEST_EXISTS);
  gboolean ok;

  self->project = is_new ? mt_project_create (self->options.output, error)
                         : mt_project_open (self->options.output, MT_PROJECT_DEFAULT, self->cancellable, error);
  if (self->project == NULL)
    return FALSE;
  ok = mt_sweep_run (self->project, self->import, source, &self->learn_options.grid, &self->learn_options.settings,
                     means, show_progress, self, self->cancellable, &self->summary, error);
  mt_cli_progress_clear (&self->progress);
  return ok && merge (self, error);
}

/* The data of the project, read as they were. */
static gboolean
read_source (Sweep       *self,
             const char  *path,
             MtRunMeans  *means,
             GError     **error)
{
  g_autoptr (MtProjectSource) source = mt_project_dup_source (self->project, error);
  g_autoptr (MtCsvDialect) dialect = source != NULL ? mt_project_dup_dialect (self->project, NULL) : NULL;
  g_autoptr (MtSchema) schema = source != NULL ? mt_project_dup_schema (self->project, NULL) : NULL;
  const MtImportOptions options = { .dialect = dialect, .schema = schema, .n_threads = (guint) self->common.threads };
  g_autoptr (GFile) file = NULL;

  if (source == NULL)
    {
      if (error != NULL && *error == NULL)
        g_set_error_literal (error, MT_ERROR, MT_ERROR_PARAMS, "the project does not name its data yet, so "
                                                               "there is nothing to resume");
      return FALSE;
    }
  if (path == NULL)
    path = source->uri;
  if (!use_ranks (self, path, means))
    {
      self->exit_code = MT_EXIT_USAGE;
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "");
      return FALSE;
    }
  file = g_file_new_for_commandline_arg (path);
  self->import = mt_import_file (file, &options, self->cancellable, error);
  return self->import != NULL;
}

/* @path: the data, where they are no longer where they were; or NULL. */
static gboolean
resume (Sweep       *self,
        const char  *path,
        MtRunMeans  *means,
        GError     **error)
{
  gboolean ok;

  self->project = mt_project_open (self->options.resume, MT_PROJECT_DEFAULT, self->cancellable, error);
  if (self->project == NULL || !read_source (self, path, means, error))
    return FALSE;
  ok = mt_sweep_resume (self->project, self->import, means, show_progress, self, self->cancellable, &self->summary, error);
  mt_cli_progress_clear (&self->progress);
  return ok && merge (self, error);
}

/* A project that was made for a sweep that never began is not left behind. */
static int
fail (Sweep        *self,
      const GError *error,
      gboolean      was_there)
{
  if (self->exit_code != MT_EXIT_OK)
    return self->exit_code;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return mt_cli_fail (MT_EXIT_FAILED, "stopped; %u of %u runs are saved in %s; run the same command again to continue",
                        self->summary.n_skipped + self->summary.n_done, self->summary.n_runs,
                        self->options.output != NULL ? self->options.output : self->options.resume);
  if (!was_there && self->project != NULL && self->summary.n_runs == 0)
    {
      g_autofree char *path = g_strdup (mt_project_get_path (self->project));

      g_clear_pointer (&self->project, mt_project_free);
      g_unlink (path);
    }
  return mt_cli_fail_error (error);
}

/* --- output --- */

/* --- test rows --- */

static const MtProjectPoint *
find_recommended (const Sweep *self)
{
  for (guint i = 0; i < self->frontier->len; i++)
    if (g_array_index (self->frontier, MtProjectPoint, i).marks & MT_MARK_RECOMMENDED)
      return &g_array_index (self->frontier, MtProjectPoint, i);
  return NULL;
}

/* They chose nothing: one model is looked at, the one that the folds recommend. FALSE after one line. */
static gboolean
test_recommended (Sweep *self,
                  int   *exit_code)
{
  const MtProjectPoint *point = find_recommended (self);
  Tested *tested = &self->tested;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) json = point != NULL ? mt_project_dup_model (self->project, point->id, &error) : NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtTruth) truth = NULL;
  g_autofree double *predictions = NULL;
  MtPredictReport report;
  MtMeasuring how;
  MtScored scored;

  if (point == NULL)
    {
      *exit_code = mt_cli_fail (MT_EXIT_FAILED, "there is no model to test on %s", self->options.test);
      return FALSE;
    }
  model = json != NULL ? mt_model_from_json (g_bytes_get_data (json, NULL), g_bytes_get_size (json), &error) : NULL;
  if (model == NULL)
    {
      *exit_code = mt_cli_fail_error (error);
      return FALSE;
    }
  import = mt_cli_model_read (model, &self->import_options, &self->common, self->options.test, exit_code);
  if (import == NULL)
    return FALSE;
  truth = mt_model_read_truth (model, mt_import_get_table (import), self->import_options.target, &error);
  if (truth != NULL)
    {
      predictions = g_new (double, mt_model_get_n_predictions (model) * truth->n_rows + 1);
      if (!mt_model_predict (model, mt_import_get_table (import), truth->rows, truth->n_rows, predictions, &report, &error))
        g_clear_pointer (&truth, mt_truth_free);
    }
  if (truth == NULL)
    {
      *exit_code = mt_cli_fail (MT_EXIT_FAILED, "%s: %s", self->options.test, error->message);
      return FALSE;
    }
  scored = (MtScored) { mt_model_get_task (model), mt_model_get_n_classes (model), truth->n_rows, truth->classes,
                        truth->values, predictions, mt_model_get_cutoff (model) };
  mt_measuring_init (&how, mt_model_get_task (model), 10, 0);
  tested->literals = point->literals;
  tested->n_rows = truth->n_rows;
  tested->n_missing = truth->n_missing;
  tested->n_unknown = truth->n_unknown;
  tested->n_metrics = how.n_metrics;
  for (guint m = 0; m < how.n_metrics; m++)
    {
      tested->metrics[m] = how.metrics[m];
      tested->values[m] = mt_metric_compute (how.metrics[m], &scored);
    }
  return TRUE;
}

static void
add_tested (const Sweep  *self,
            MtJsonWriter *json)
{
  const Tested *tested = &self->tested;

  mt_json_writer_key (json, "test");
  mt_json_writer_begin_object (json);
  mt_cli_json_count (json, "literals", tested->literals);
  mt_cli_json_count (json, "rows", tested->n_rows);
  mt_cli_json_count (json, "without_target", tested->n_missing);
  mt_cli_json_count (json, "unknown_class", tested->n_unknown);
  for (guint m = 0; m < tested->n_metrics; m++)
    mt_cli_json_number (json, mt_metric_to_string (tested->metrics[m]), tested->values[m]);
  mt_json_writer_end_object (json);
}

static void
append_tested (const Sweep *self,
               GString     *out)
{
  const Tested *tested = &self->tested;

  g_string_append_printf (out, "\n%" G_GSIZE_FORMAT " test %s, recommended model of %u %s:", tested->n_rows,
                          tested->n_rows == 1 ? "row" : "rows", tested->literals, tested->literals == 1 ? "literal" : "literals");
  for (guint m = 0; m < tested->n_metrics; m++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (out, "%s %s %s", m > 0 ? "," : "", mt_metric_get_name (tested->metrics[m]),
                              isfinite (tested->values[m]) ? g_ascii_formatd (number, sizeof number, "%.4f", tested->values[m])
                                                           : "–");
    }
  g_string_append_c (out, '\n');
  if (tested->n_missing + tested->n_unknown > 0)
    g_string_append_printf (out, "left out: %" G_GSIZE_FORMAT " %s without a target, %" G_GSIZE_FORMAT
                            " with a class that the model does not predict\n", tested->n_missing,
                            tested->n_missing == 1 ? "row" : "rows", tested->n_unknown);
}

static const MtProjectRun *
run_of (const Sweep          *self,
        const MtProjectPoint *point)
{
  for (guint i = 0; i < self->runs->len; i++)
    if (((MtProjectRun *) self->runs->pdata[i])->id == point->run)
      return self->runs->pdata[i];
  return NULL;
}

static int
print_json (const Sweep *self)
{
  g_autofree char *sweep = mt_project_dup_text (self->project, MT_PROJECT_SETTING, MT_PROJECT_KEY_SWEEP, NULL);
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_cli_json_count (json, "runs", self->summary.n_runs);
  mt_cli_json_count (json, "done", self->summary.n_done);
  mt_cli_json_count (json, "skipped", self->summary.n_skipped);
  mt_cli_json_count (json, "failed", self->summary.n_failed);
  mt_cli_json_count (json, "trainings", self->summary.n_trainings);
  mt_json_writer_key (json, "frontier");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < self->frontier->len; i++)
    {
      const MtProjectPoint *point = &g_array_index (self->frontier, MtProjectPoint, i);
      g_autofree char *columns = NULL;
      g_autofree char *data = NULL;
      MtRunSettings settings;

      mt_run_record_read (run_of (self, point), sweep, &settings, &columns, &data);
      mt_json_writer_begin_object (json);
      mt_cli_json_count (json, "literals", point->literals);
      mt_cli_json_count (json, "rules", point->n_rules);
      mt_cli_json_number (json, "cv_mean", point->cv_mean);
      mt_cli_json_number (json, "cv_se", point->cv_se);
      mt_json_writer_key (json, "recommended");
      mt_json_writer_boolean (json, (point->marks & MT_MARK_RECOMMENDED) != 0);
      mt_cli_json_count (json, "run", (guint64) point->run);
      mt_cli_json_count (json, "bits", settings.bits);
      mt_cli_json_count (json, "nodes", settings.nodes);
      mt_cli_json_count (json, "fan_in", settings.fan_in);
      mt_cli_json_number (json, "temperature", settings.temperature);
      mt_cli_json_count (json, "seed", settings.seed);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  if (self->tested.n_metrics > 0)
    add_tested (self, json);
  mt_cli_json_number (json, "seconds", self->seconds);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (json);
}

static int
print_text (const Sweep *self)
{
  static const MtCliTableColumn columns[] = {
    { "", FALSE, FALSE }, { "literals", TRUE, FALSE }, { "rules", TRUE, FALSE }, { "cv", TRUE, FALSE },
    { "±", TRUE, FALSE }, { "run", FALSE, TRUE }, { "seed", TRUE, FALSE },
  };
  g_autoptr (MtCliTable) table = mt_cli_table_new (columns, G_N_ELEMENTS (columns));
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append_printf (out, "%u runs: %u finished now, %u before, %u failed; %u training runs in %.1f s\n\n",
                          self->summary.n_runs, self->summary.n_done, self->summary.n_skipped,
                          self->summary.n_failed, self->summary.n_trainings, self->seconds);
  for (guint i = 0; i < self->frontier->len; i++)
    {
      const MtProjectPoint *point = &g_array_index (self->frontier, MtProjectPoint, i);
      const MtProjectRun *run = run_of (self, point);
      gboolean recommended = (point->marks & MT_MARK_RECOMMENDED) != 0;
      g_autofree char *literals = g_strdup_printf ("%u", point->literals);
      g_autofree char *rules = g_strdup_printf ("%u", point->n_rules);
      g_autofree char *mean = g_strdup_printf ("%.4f", point->cv_mean);
      g_autofree char *se = g_strdup_printf ("%.4f", point->cv_se);
      g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, run->seed);

      mt_cli_table_add (table, recommended ? MT_STYLE_BOLD : MT_STYLE_PLAIN,
                        (const char * const[]) { recommended ? "→" : "", literals, rules, mean, se, run->name,
                                                 seed });
    }
  mt_cli_table_append (table, out, mt_cli_get_width (stdout), mt_cli_has_colour (stdout));
  if (self->tested.n_metrics > 0)
    append_tested (self, out);
  return mt_cli_print (out->str);
}

static int
report (Sweep  *self,
        gint64  start)
{
  int exit_code = MT_EXIT_OK;

  if (self->options.test != NULL && !test_recommended (self, &exit_code))
    return exit_code;
  self->seconds = (g_get_monotonic_time () - start) / 1e6;
  return self->common.json ? print_json (self) : print_text (self);
}

/* What would otherwise be found out after hours; an exit code. */
static int
read_own (Sweep *self)
{
  static const char * const choices[] = { "one-se", "best-validation" };
  const Options *options = &self->options;
  guint i = 0;

  while (options->choose != NULL && i < G_N_ELEMENTS (choices) && !g_str_equal (choices[i], options->choose))
    i++;
  if (i == G_N_ELEMENTS (choices))
    return mt_cli_fail (MT_EXIT_USAGE, "--choose must be one-se or best-validation, not “%s”", options->choose);
  self->choice = i;
  if (options->test != NULL && mt_cli_import_can_repeat (options->test) && !g_file_test (options->test, G_FILE_TEST_EXISTS))
    return mt_cli_fail (MT_EXIT_FAILED, "%s: there is no such file", options->test);
  return MT_EXIT_OK;
}

static int
resume_project (Sweep   *self,
                int      argc,
                char   **argv,
                gint64   start)
{
  g_autoptr (GError) error = NULL;
  MtRunMeans means;

  if (argc > 2 || self->options.output != NULL)
    return mt_cli_fail (MT_EXIT_USAGE, "--resume takes a project, and the data only if it has moved; see minterm-cli sweep "
                        "--help");
  if (!mt_cli_learn_use_device (&self->learn_options, &self->common, &means))
    return MT_EXIT_FAILED;
  self->cancellable = mt_cli_cancel_on_signals ();
  if (!resume (self, argc == 2 ? argv[1] : NULL, &means, &error))
    return fail (self, error, TRUE);
  return report (self, start);
}

/* @ranks: NULL: this process alone. */
static int
sweep (int            argc,
       char         **argv,
       MtSweepRanks  *ranks)
{
  g_auto (Sweep) self = { .options = { .seeds = 1 }, .ranks = ranks };
  Options *options = &self.options;
  const GOptionEntry own[] = {
    { "seeds", 0, 0, G_OPTION_ARG_INT, &options->seeds, "Number of seeds per combination, starting at --seed [default: 1]", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "Project to save to; a sweep in it is continued",
      "PROJECT.minterm" },
    { "resume", 0, 0, G_OPTION_ARG_FILENAME, &options->resume,
      "Continue the unfinished runs of a project made by sweep or in the window, with its settings", "PROJECT.minterm" },
    { "test", 0, 0, G_OPTION_ARG_FILENAME, &options->test, "Test the recommended model on the rows of TEST.csv", "TEST.csv" },
    { "choose", 0, 0, G_OPTION_ARG_STRING, &options->choose,
      "Recommend the smallest model within one standard error of the best (one-se), or the best (best-validation) "
      "[default: one-se]", "RULE" },
    { NULL }
  };
  g_autofree GOptionEntry *entries = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  MtRunMeans means;
  gboolean was_there;
  int exit_code = MT_EXIT_OK;

  mt_cli_learn_init_sweep (&self.learn_options);
  entries = mt_cli_learn_new_entries (&self.learn_options, &self.import_options, own);
  if (!mt_cli_parse (&argc, &argv, entries, &self.common, &exit_code))
    return exit_code;
  exit_code = read_own (&self);
  if (exit_code != MT_EXIT_OK)
    return exit_code;
  if (options->resume != NULL)
    return resume_project (&self, argc, argv, start);
  if (argc != 2)
    return mt_cli_fail (MT_EXIT_USAGE, argc < 2 ? "sweep needs a file; see minterm-cli sweep --help"
                                                : "sweep takes one file; see minterm-cli sweep --help");
  if (options->output == NULL)
    return mt_cli_fail (MT_EXIT_USAGE, "sweep needs -o PROJECT.minterm, the project to save the runs to");
  if (!mt_cli_check_range ("--seeds", options->seeds, 1, 10000) || !mt_cli_learn_read (&self.learn_options, &self.common))
    return MT_EXIT_USAGE;
  if (!mt_cli_check_output (options->output, (const char * const[]) { argv[1] }, 1))
    return MT_EXIT_USAGE;
  self.learn_options.grid.n_seeds = (guint) options->seeds;
  if (!mt_sweep_grid_check (&self.learn_options.grid, &error))
    return mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  if (!mt_cli_learn_use_device (&self.learn_options, &self.common, &means))
    return MT_EXIT_FAILED;
  if (!use_ranks (&self, argv[1], &means))
    return MT_EXIT_USAGE;
  self.cancellable = mt_cli_cancel_on_signals ();
  self.import = mt_cli_import_read (&self.import_options, &self.common, argv[1], &exit_code);
  if (self.import == NULL)
    return exit_code;
  if (mt_table_get_target (mt_import_get_table (self.import)) < 0)
    return mt_cli_fail (MT_EXIT_USAGE, "sweep needs --target COLUMN, the column to predict");
  if (!mt_cli_learn_check_columns (&self.learn_options, mt_import_get_table (self.import), argv[1], &exit_code))
    return exit_code;
  was_there = g_file_test (options->output, G_FILE_TEST_EXISTS);
  if (!run (&self, argv[1], &means, &error))
    return fail (&self, error, was_there);
  return report (&self, start);
}

int
mt_cli_sweep (int    argc,
              char **argv)
{
  g_autoptr (GError) error = NULL;
  MtSweepRanks ranks = { NULL };
  int exit_code;

  if (!mt_ranks_are_there ())
    return sweep (argc, argv, NULL);
  ranks.ranks = mt_ranks_begin (&error);
  if (ranks.ranks == NULL)
    return mt_ranks_guess_own () == 0 ? mt_cli_fail_error (error) : MT_EXIT_FAILED;   /* said once */
  if (mt_ranks_get_own (ranks.ranks) > 0)
    return serve (ranks.ranks);
  exit_code = sweep (argc, argv, &ranks);
  mt_sweep_ranks_end (&ranks);
  mt_ranks_end (ranks.ranks, !ranks.is_broken);
  return exit_code;
}
