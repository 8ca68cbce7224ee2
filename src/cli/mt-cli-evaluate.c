/* minterm-cli evaluate: how good a model's answers are on given rows, and how sure that is. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>
#include <string.h>

#include "mt-cli-model.h"
#include "mt-cli-terminal.h"

#define N_BINS       10
#define MAX_GROUPS   100
#define SMALL_GROUP  30      /* fewer rows: flagged */

typedef struct {
  const MtModel *model;
  MtMetric       metrics[MT_N_METRICS];    /* those of the task */
  guint          n_metrics;
  guint          n_resamples;
  double         level;
  guint64        seed;
  MtPool        *pool;
} Evaluation;

typedef struct {
  char       *name;                          /* NULL: missing cells */
  GArray     *which;                         /* of guint32: positions among the scored rows */
  MtInterval  intervals[MT_N_METRICS];
} Group;

static void
group_clear (gpointer data)
{
  Group *group = data;

  g_free (group->name);
  g_array_unref (group->which);
}

/* Metrics of the rows @which (positions among the @scored ones; NULL: all). */
static gboolean
measure (const Evaluation *evaluation,
         const MtScored   *scored,
         const guint32    *which,
         gsize             n_which,
         MtInterval       *intervals,
         GError          **error)
{
  guint n_outputs = mt_model_get_n_predictions (evaluation->model);
  g_autofree guint32 *classes = NULL;
  g_autofree double *values = NULL;
  g_autofree double *predictions = NULL;
  MtScored part = *scored;

  if (which != NULL)
    {
      classes = g_new (guint32, n_which + 1);
      values = g_new (double, n_which + 1);
      predictions = g_new (double, n_outputs * n_which + 1);
      for (gsize i = 0; i < n_which; i++)
        {
          if (scored->classes != NULL)
            classes[i] = scored->classes[which[i]];
          else
            values[i] = scored->values[which[i]];
          for (guint c = 0; c < n_outputs; c++)
            predictions[c * n_which + i] = scored->predictions[c * scored->n_rows + which[i]];
        }
      part.n_rows = n_which;
      part.classes = scored->classes != NULL ? classes : NULL;
      part.values = scored->classes != NULL ? NULL : values;
      part.predictions = predictions;
    }
  return mt_metric_bootstrap (evaluation->metrics, evaluation->n_metrics, &part, evaluation->n_resamples,
                              evaluation->level, evaluation->seed, evaluation->pool, intervals, NULL, error);
}

/* --- groups --- */

/* Numbers by value, then words; missing last. */
static int
compare_groups (gconstpointer a,
                gconstpointer b)
{
  const Group *x = a, *y = b;
  double p, q;

  if (x->name == NULL || y->name == NULL)
    return x->name == NULL ? 1 : -1;
  if (mt_decimal_parse (x->name, &p) && mt_decimal_parse (y->name, &q) && p != q)
    return p < q ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* The group called @name (NULL: missing), made when it is not there yet. */
static Group *
find_group (GArray     *groups,
            const char *name)
{
  Group made = { NULL };

  for (guint i = 0; i < groups->len; i++)
    if (g_strcmp0 (g_array_index (groups, Group, i).name, name) == 0)
      return &g_array_index (groups, Group, i);
  made.name = g_strdup (name);
  made.which = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (groups, made);
  return &g_array_index (groups, Group, groups->len - 1);
}

static GArray *
measure_groups (const Evaluation *evaluation,
                const MtScored   *scored,
                const MtTruth    *truth,
                const MtColumn   *column,
                GError          **error)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, TRUE, sizeof (Group));

  g_array_set_clear_func (groups, group_clear);
  for (guint32 i = 0; i < truth->n_rows; i++)
    {
      gboolean is_missing = mt_column_is_missing (column, truth->rows[i]);
      g_autofree char *name = is_missing ? NULL : mt_column_dup_text (column, truth->rows[i]);

      g_array_append_val (find_group (groups, name)->which, i);
      if (groups->len > MAX_GROUPS)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       "column '%s' has more than %d values; group by a column with fewer",
                       mt_column_get_name (column),
                       MAX_GROUPS);
          return NULL;
        }
    }
  g_array_sort (groups, compare_groups);
  for (guint i = 0; i < groups->len; i++)
    {
      Group *group = &g_array_index (groups, Group, i);

      if (!measure (evaluation, scored, (const guint32 *) (gpointer) group->which->data, group->which->len,
                    group->intervals, error))
        return NULL;
    }
  return g_steal_pointer (&groups);
}

/* --- for programs --- */

static void
add_metrics (MtJsonWriter     *json,
             const Evaluation *evaluation,
             const MtInterval *intervals)
{
  mt_json_writer_key (json, "metrics");
  mt_json_writer_begin_object (json);
  for (guint i = 0; i < evaluation->n_metrics; i++)
    {
      mt_json_writer_key (json, mt_metric_to_string (evaluation->metrics[i]));
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
add_groups (MtJsonWriter     *json,
            const Evaluation *evaluation,
            const char       *by,
            GArray           *groups)
{
  mt_cli_json_text (json, "by", by);
  mt_json_writer_key (json, "groups");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = &g_array_index (groups, Group, i);

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "value", group->name);
      mt_cli_json_count (json, "rows", group->which->len);
      mt_json_writer_key (json, "small");
      mt_json_writer_boolean (json, group->which->len < SMALL_GROUP);
      add_metrics (json, evaluation, group->intervals);
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
            GArray                *groups)
{
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "task", mt_task_to_string (scored->task));
  mt_cli_json_count (json, "rows", truth->n_rows);
  mt_cli_json_count (json, "without_target", truth->n_missing);
  mt_cli_json_count (json, "unknown_class", truth->n_unknown);
  mt_cli_model_json_report (json, report);
  mt_cli_json_number (json, "level", evaluation->level);
  mt_cli_json_count (json, "resamples", evaluation->n_resamples);
  add_metrics (json, evaluation, intervals);
  if (scored->n_classes > 0)
    add_calibration (json, evaluation, scored);
  if (groups != NULL)
    add_groups (json, evaluation, by, groups);
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
append_metrics (GString          *out,
                const Evaluation *evaluation,
                const MtInterval *intervals)
{
  for (guint i = 0; i < evaluation->n_metrics; i++)
    {
      g_autofree char *value = dup_shown (intervals[i].value);
      g_autofree char *low = dup_shown (intervals[i].low);
      g_autofree char *high = dup_shown (intervals[i].high);

      g_string_append_printf (out, "  %-18s %10s   %s … %s\n", mt_metric_to_string (evaluation->metrics[i]),
                              value, low,
                              high);
    }
}

static int
print_text (const Evaluation *evaluation,
            const MtTruth    *truth,
            const MtInterval *intervals,
            const char       *by,
            GArray           *groups)
{
  g_autofree char *rows = mt_cli_dup_count (truth->n_rows);
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append_printf (out, "%s rows; 95 %% intervals from %u resamples\n", rows, evaluation->n_resamples);
  append_metrics (out, evaluation, intervals);
  if (truth->n_missing + truth->n_unknown > 0)
    g_string_append_printf (out, "\nleft out: %" G_GSIZE_FORMAT " rows without a target, %" G_GSIZE_FORMAT
                            " with a class that the model does not know\n", truth->n_missing,
                            truth->n_unknown);
  for (guint i = 0; groups != NULL && i < groups->len; i++)
    {
      const Group *group = &g_array_index (groups, Group, i);
      g_autofree char *name = group->name != NULL ? mt_cli_escape (group->name) : g_strdup ("(missing)");
      g_autofree char *column = mt_cli_escape (by);

      g_string_append_printf (out, "\n%s = %s: %u rows%s\n", column, name, group->which->len,
                              group->which->len < SMALL_GROUP ? ", too few to rely on" : "");
      append_metrics (out, evaluation, group->intervals);
    }
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
  g_autofree double *predictions = NULL;
  MtInterval intervals[MT_N_METRICS];
  const MtColumn *group_column = NULL;
  MtPredictReport report;
  MtScored scored;

  if (truth == NULL)
    return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
  if (by != NULL && (group_column = mt_table_find_column (table, by, NULL)) == NULL)
    return mt_cli_fail (MT_EXIT_FAILED, "%s: there is no column '%s' to group by", path, by);
  predictions = g_new (double, mt_model_get_n_predictions (model) * truth->n_rows + 1);
  if (!mt_model_predict (model, table, truth->rows, truth->n_rows, predictions, &report, &error))
    return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);

  scored = (MtScored) { mt_model_get_task (model), mt_model_get_n_classes (model), truth->n_rows,
                        truth->classes,
                        truth->values, predictions };
  if (!measure (evaluation, &scored, NULL, 0, intervals, &error))
    return mt_cli_fail_error (error);
  if (group_column != NULL)
    {
      groups = measure_groups (evaluation, &scored, truth, group_column, &error);
      if (groups == NULL)
        return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
    }
  if (common->json)
    return print_json (evaluation, &scored, truth, &report, intervals, by, groups);
  mt_cli_model_note_report (&report);
  return print_text (evaluation, truth, intervals, by, groups);
}

int
mt_cli_evaluate (int    argc,
                 char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (MtCliImport) options = { NULL };
  g_autofree char *by = NULL;
  int n_resamples = 1000;
  const GOptionEntry own[] = {
    { "by", 0, 0, G_OPTION_ARG_FILENAME, &by, "Also for each value of this column", "COLUMN" },
    { "resamples", 0, 0, G_OPTION_ARG_INT, &n_resamples, "Of the bootstrap, 10 to 100000 (default: 1000)",
      "N" },
    { NULL }
  };
  g_autofree GOptionEntry *entries = mt_cli_import_new_entries (&options, own);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtPool) pool = NULL;
  Evaluation evaluation = { NULL };
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, "MODEL.json DATA.csv",
                     "Measures a model on rows whose target is known; --target is the model's unless given.",
                     entries,
                     &common, &exit_code))
    return exit_code;
  if (argc != 3)
    return mt_cli_fail (MT_EXIT_USAGE, "evaluate needs a model and a CSV; see minterm-cli evaluate --help");
  if (n_resamples < 10 || n_resamples > 100000)
    return mt_cli_fail (MT_EXIT_USAGE, "--resamples must be between 10 and 100000");
  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL)
    return exit_code;
  import = mt_cli_model_read (model, &options, &common, argv[2], &exit_code);
  if (import == NULL)
    return exit_code;

  pool = mt_pool_new ((guint) common.threads);
  evaluation = (Evaluation) { .model = model, .n_resamples = (guint) n_resamples, .level = 0.95,
                              .seed = (guint64) common.seed, .pool = pool };
  for (guint m = 0; m < MT_N_METRICS; m++)
    if (mt_metric_is_defined ((MtMetric) m, mt_model_get_task (model)))
      evaluation.metrics[evaluation.n_metrics++] = (MtMetric) m;
  return evaluate (&evaluation, mt_import_get_table (import), options.target, by, &common, argv[2]);
}
