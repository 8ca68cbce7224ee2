/* minterm-cli evaluate: how good a model's answers are on given rows, and how sure that is. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>
#include <string.h>

#include "mt-cli-model.h"
#include "mt-cli-terminal.h"

#define N_BINS       10
#define METRIC_WIDTH 18
#define GROUP_WIDTH  38     /* names of rates are longer */

typedef struct {
  const MtModel *model;
  gboolean       own_file;     /* the rows are those of the file that the model was trained on, by its SHA-256 */
  MtMeasuring    how;
  double         cutoff;
} Evaluation;

/* --- for programs --- */

static void
add_metrics (MtJsonWriter     *json,
             const Evaluation *evaluation,
             const MtInterval *intervals)
{
  mt_json_writer_key (json, "metrics");
  mt_json_writer_begin_object (json);
  for (guint i = 0; i < evaluation->how.n_metrics; i++)
    {
      mt_json_writer_key (json, mt_metric_to_string (evaluation->how.metrics[i]));
      mt_json_writer_begin_object_row (json);
      mt_cli_json_number (json, "value", intervals[i].value);
      mt_cli_json_number (json, "low", intervals[i].low);
      mt_cli_json_number (json, "high", intervals[i].high);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_object (json);
}

static void
add_calibration (MtJsonWriter     *json,
                 const Evaluation *evaluation,
                 const MtScored   *scored)
{
  const MtModelInfo *info = mt_model_get_info (evaluation->model);
  guint first = scored->n_classes == 2 ? 1 : 0;

  mt_json_writer_key (json, "calibration");
  mt_json_writer_begin_array (json);
  for (guint c = first; c < scored->n_classes; c++)
    {
      MtCalibrationBin bins[N_BINS];
      double distance;
      guint n_bins = mt_metric_calibration (scored, c, N_BINS, bins, &distance);

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "class", info->classes[c]);
      mt_cli_json_number (json, "error", distance);
      mt_json_writer_key (json, "bins");
      mt_json_writer_begin_array (json);
      for (guint b = 0; b < n_bins; b++)
        {
          mt_json_writer_begin_object_row (json);
          mt_cli_json_number (json, "from", bins[b].from);
          mt_cli_json_number (json, "to", bins[b].to);
          mt_cli_json_count (json, "rows", bins[b].n_rows);
          mt_cli_json_number (json, "predicted", bins[b].mean_predicted);
          mt_cli_json_number (json, "observed", bins[b].observed);
          mt_json_writer_end_object (json);
        }
      mt_json_writer_end_array (json);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
}

static void
add_interval (MtJsonWriter     *json,
              const char       *key,
              const MtInterval *interval)
{
  mt_json_writer_key (json, key);
  mt_json_writer_begin_object_row (json);
  mt_cli_json_number (json, "value", interval->value);
  mt_cli_json_number (json, "low", interval->low);
  mt_cli_json_number (json, "high", interval->high);
  mt_json_writer_end_object (json);
}

static void
add_groups (MtJsonWriter          *json,
            const Evaluation      *evaluation,
            const char            *by,
            GArray                *groups,
            const MtSubgroupRates *rates)      /* NULL: not of two classes */
{
  int reference = mt_subgroups_find_reference (groups);

  mt_cli_json_text (json, "by", by);
  if (rates != NULL)
    mt_cli_json_text (json, "reference", reference >= 0 ? g_array_index (groups, MtSubgroup, reference).name : NULL);
  mt_json_writer_key (json, "groups");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < groups->len; i++)
    {
      const MtSubgroup *group = &g_array_index (groups, MtSubgroup, i);

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "value", group->name);
      mt_cli_json_count (json, "rows", group->which->len);
      mt_json_writer_key (json, "small");
      mt_json_writer_boolean (json, group->which->len < MT_SUBGROUP_SMALL);
      add_metrics (json, evaluation, group->intervals);
      add_interval (json, "calibration_gap", &group->gap);
      if (rates != NULL)
        {
          mt_json_writer_key (json, "rates");
          mt_json_writer_begin_object (json);
          for (guint r = 0; r < MT_N_RATES; r++)
            add_interval (json, mt_rate_to_string (r), &rates[i].rates[r]);
          mt_json_writer_end_object (json);
        }
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
}

static int
print_json (const Evaluation      *evaluation,
            const MtScored        *scored,
            const MtTruth         *truth,
            const MtPredictReport *report,
            const MtInterval      *intervals,
            const char            *by,
            GArray                *groups,
            const MtSubgroupRates *rates)
{
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "task", mt_task_to_string (scored->task));
  mt_cli_json_count (json, "rows", truth->n_rows);
  mt_cli_json_count (json, "without_target", truth->n_missing);
  mt_cli_json_count (json, "unknown_class", truth->n_unknown);
  if (evaluation->own_file)
    {
      mt_cli_json_count (json, "training_rows", mt_model_get_info (evaluation->model)->n_train);
      mt_cli_json_count (json, "test_rows", mt_model_get_info (evaluation->model)->n_test);
    }
  mt_cli_model_json_report (json, report);
  mt_cli_json_number (json, "level", evaluation->how.level);
  mt_cli_json_count (json, "resamples", evaluation->how.n_resamples);
  add_metrics (json, evaluation, intervals);
  if (scored->n_classes > 0)
    add_calibration (json, evaluation, scored);
  if (groups != NULL)
    add_groups (json, evaluation, by, groups, rates);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (json);
}

/* --- for people --- */

static char *
dup_shown (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.4f", value) : "–");
}

static void
append_interval (GString          *out,
                 const char       *name,
                 int               width,
                 const MtInterval *interval)
{
  g_autofree char *value = dup_shown (interval->value);
  g_autofree char *low = dup_shown (interval->low);
  g_autofree char *high = dup_shown (interval->high);
  int pad = MAX (width - (int) g_utf8_strlen (name, -1), 0);

  g_string_append_printf (out, "  %s%*s %10s   %s … %s\n", name, pad, "", value, low, high);
}

static void
append_metrics (GString          *out,
                const Evaluation *evaluation,
                const MtInterval *intervals,
                int               width)
{
  for (guint i = 0; i < evaluation->how.n_metrics; i++)
    append_interval (out, mt_metric_to_string (evaluation->how.metrics[i]), width, &intervals[i]);
}

/* Of two classes: what is decided in the group, and how that compares with the reference. */
static void
append_rates (GString                *out,
              const Evaluation       *evaluation,
              const MtSubgroupRates  *rates,
              guint                   n_rates)
{
  const char * const *classes = (const char * const *) mt_model_get_info (evaluation->model)->classes;
  g_autofree char *first = mt_cli_escape (classes[0]);
  g_autofree char *second = mt_cli_escape (classes[1]);
  const char * const shown[] = { first, second, NULL };

  for (guint r = 0; r < n_rates; r++)
    {
      g_autofree char *name = mt_rate_dup_name (r, shown);

      append_interval (out, name, GROUP_WIDTH, &rates->rates[r]);
    }
}

static void
append_group (GString               *out,
              const Evaluation      *evaluation,
              const char            *by,
              GArray                *groups,
              const MtSubgroupRates *rates,
              guint                  index)
{
  const MtSubgroup *group = &g_array_index (groups, MtSubgroup, index);
  int reference = mt_subgroups_find_reference (groups);
  gboolean is_reference = rates != NULL && groups->len > 1 && (int) index == reference;
  g_autofree char *name = group->name != NULL ? mt_cli_escape (group->name) : g_strdup ("(missing)");
  g_autofree char *column = mt_cli_escape (by);

  g_string_append_printf (out, "\n%s = %s: %u %s%s%s\n", column, name, group->which->len, group->which->len == 1 ? "row" : "rows",
                          group->which->len < MT_SUBGROUP_SMALL ? ", too few to be reliable" : "",
                          is_reference ? "; the others are compared with this group" : "");
  append_metrics (out, evaluation, group->intervals, GROUP_WIDTH);
  append_interval (out, "calibration gap", GROUP_WIDTH, &group->gap);
  if (rates != NULL)
    append_rates (out, evaluation, &rates[index], is_reference || reference < 0 || groups->len < 2 ? MT_RATE_COMPARED : MT_N_RATES);
}

/* Rows that a model was trained on say little about how good it is. */
static void
append_origin (GString          *out,
               const Evaluation *evaluation)
{
  const MtModelInfo *info = mt_model_get_info (evaluation->model);
  g_autofree char *train = mt_cli_dup_count (info->n_train);
  g_autofree char *test = mt_cli_dup_count (info->n_test);

  if (!evaluation->own_file)
    return;
  if (info->n_test == 0)
    g_string_append (out, "The model was trained on this file: all rows are training rows, so these figures are too optimistic. Use rows "
                     "that were not used for training.\n");
  else
    g_string_append_printf (out, "The model was trained on this file: these figures mix %s training %s with %s test %s, and are "
                            "too optimistic. The report (minterm-cli export -f html --data FILE) has the figures of the test rows.\n",
                            train, info->n_train == 1 ? "row" : "rows", test, info->n_test == 1 ? "row" : "rows");
}

static int
print_text (const Evaluation *evaluation,
            const MtTruth    *truth,
            const MtInterval *intervals,
            const char       *by,
            GArray           *groups,
            const MtSubgroupRates *rates)
{
  g_autofree char *rows = mt_cli_dup_count (truth->n_rows);
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append_printf (out, "%s %s; 95%% intervals from %u resamples\n", rows, truth->n_rows == 1 ? "row" : "rows",
                          evaluation->how.n_resamples);
  append_origin (out, evaluation);
  append_metrics (out, evaluation, intervals, METRIC_WIDTH);
  if (truth->n_missing + truth->n_unknown > 0)
    g_string_append_printf (out, "\nleft out: %" G_GSIZE_FORMAT " %s without a target, %" G_GSIZE_FORMAT
                            " with a class that the model does not predict\n", truth->n_missing,
                            truth->n_missing == 1 ? "row" : "rows", truth->n_unknown);
  for (guint i = 0; groups != NULL && i < groups->len; i++)
    append_group (out, evaluation, by, groups, rates, i);
  return mt_cli_print (out->str);
}

/* --- the command --- */

static int
evaluate (Evaluation        *evaluation,
          const MtTable     *table,
          const char        *target,
          const char        *by,
          const MtCliCommon *common,
          const char        *path)
{
  const MtModel *model = evaluation->model;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtTruth) truth = mt_model_read_truth (model, table, target, &error);
  g_autoptr (GArray) groups = NULL;
  g_autofree MtSubgroupRates *rates = NULL;
  g_autofree double *predictions = NULL;
  MtInterval intervals[MT_N_METRICS];
  const MtColumn *group_column;
  int exit_code;
  MtPredictReport report;
  MtScored scored;

  if (truth == NULL)
    return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
  if (by != NULL && !mt_cli_import_check_names (table, (char *[]) { (char *) by, NULL }, path, &exit_code))
    return exit_code;
  group_column = by != NULL ? mt_table_find_column (table, by, NULL) : NULL;
  predictions = g_new (double, mt_model_get_n_predictions (model) * truth->n_rows + 1);
  if (!mt_model_predict (model, table, truth->rows, truth->n_rows, predictions, &report, &error))
    return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);

  scored = (MtScored) { mt_model_get_task (model), mt_model_get_n_classes (model), truth->n_rows,
                        truth->classes,
                        truth->values, predictions, evaluation->cutoff };
  if (!mt_metric_bootstrap (evaluation->how.metrics, evaluation->how.n_metrics, &scored, evaluation->how.n_resamples,
                            evaluation->how.level, evaluation->how.seed, evaluation->how.pool, intervals, NULL, &error))
    return mt_cli_fail_error (error);
  if (group_column != NULL)
    {
      groups = mt_subgroups_measure (group_column, truth->rows, &scored, mt_model_get_n_predictions (model), TRUE,
                                     &evaluation->how, NULL, &error);
      if (groups == NULL)
        return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
      if (scored.n_classes == 2)
        {
          rates = g_new (MtSubgroupRates, groups->len + 1);
          mt_subgroups_rate (groups, &scored, mt_scored_get_cutoff (&scored), mt_subgroups_find_reference (groups), rates);
        }
    }
  if (common->json)
    return print_json (evaluation, &scored, truth, &report, intervals, by, groups, rates);
  mt_cli_model_note_report (&report);
  return print_text (evaluation, truth, intervals, by, groups, rates);
}

int
mt_cli_evaluate (int    argc,
                 char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (MtCliImport) options = { NULL };
  g_autofree char *by = NULL;
  g_autofree char *cutoff = NULL;
  int n_resamples = 1000;
  const GOptionEntry own[] = {
    { "by", 0, 0, G_OPTION_ARG_FILENAME, &by, "Also measure the model for each value of this column", "COLUMN" },
    { "cutoff", 0, 0, G_OPTION_ARG_STRING, &cutoff, "Decide by this cutoff, above 0 and below 1, instead of the model's own",
      "CUTOFF" },
    { "resamples", 0, 0, G_OPTION_ARG_INT, &n_resamples, "Bootstrap resamples, 10 to 100000 [default: 1000]",
      "N" },
    { NULL }
  };
  g_autofree GOptionEntry *entries =
    mt_cli_import_new_model_entries (&options, "Column with the true values [default: the target of the model]", TRUE, own);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtPool) pool = NULL;
  Evaluation evaluation = { NULL };
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 3)
    return mt_cli_fail (MT_EXIT_USAGE, "evaluate needs a model and a CSV file; see minterm-cli evaluate --help");
  if (n_resamples < 10 || n_resamples > 100000)
    return mt_cli_fail (MT_EXIT_USAGE, "--resamples must be between 10 and 100000");
  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL)
    return exit_code;
  import = mt_cli_model_read (model, &options, &common, argv[2], &exit_code);
  if (import == NULL)
    return exit_code;

  pool = mt_pool_new ((guint) common.threads);
  evaluation.model = model;
  evaluation.cutoff = mt_model_get_cutoff (model);
  if (cutoff != NULL && mt_model_get_task (model) != MT_TASK_BINARY)
    return mt_cli_fail (MT_EXIT_USAGE, "--cutoff needs a model of two classes");
  if (cutoff != NULL && !(mt_decimal_parse (cutoff, &evaluation.cutoff) && evaluation.cutoff > 0 && evaluation.cutoff < 1))
    return mt_cli_fail (MT_EXIT_USAGE, "--cutoff must be above 0 and below 1, not “%s”", cutoff);
  evaluation.own_file = mt_model_get_info (model)->data_sha256 != NULL &&
                        g_strcmp0 (mt_import_get_sha256 (import), mt_model_get_info (model)->data_sha256) == 0;
  mt_measuring_init (&evaluation.how, mt_model_get_task (model), (guint) n_resamples, (guint64) common.seed);
  evaluation.how.pool = pool;
  return evaluate (&evaluation, mt_import_get_table (import), options.target, by, &common, argv[2]);
}
