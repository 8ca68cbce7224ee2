/* minterm-cli train: a CSV to a frontier of rule models, and the recommended one to a file. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>
#include <string.h>

#include "mt-cli-baselines.h"
#include "mt-cli-learn.h"
#include "mt-cli-signals.h"
#include "mt-cli-terminal.h"

#define SHORT_TABLE  8        /* models that are listed without --all, besides the selected one */

typedef struct {
  char     *test;
  int       literals;
  gboolean  evaluate_frontier;
  gboolean  baselines;
  gboolean  all;
  char     *output;
} Options;

typedef struct {
  Options       options;
  MtCliCommon   common;
  MtCliImport   import_options;
  MtCliLearn    learn_options;
  MtCliProgress progress;

  GCancellable *cancellable;
  MtImport     *import;
  MtTable      *test_table;       /* the import's own, or that of --test */
  MtImport     *test_import;
  GArray       *train_rows;       /* of guint32; NULL: all */
  GArray       *test_rows;
  MtLearned    *learned;
  char         *reading;          /* arguments that read the file so; NULL: none */
  MtTargetRows *test;             /* NULL: there is no test part */
  MtEncoded    *test_encoded;
  MtBaselines  *baselines;        /* NULL: not asked for */
  double        load_seconds;
  double        total_seconds;
} Train;

static void
train_clear (Train *self)
{
  g_free (self->options.test);
  g_free (self->options.output);
  mt_cli_common_clear (&self->common);
  mt_cli_import_clear (&self->import_options);
  mt_cli_learn_clear (&self->learn_options);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->import, mt_import_unref);
  g_clear_pointer (&self->test_import, mt_import_unref);
  g_free (self->reading);
  g_clear_pointer (&self->train_rows, g_array_unref);
  g_clear_pointer (&self->test_rows, g_array_unref);
  g_clear_pointer (&self->learned, mt_learned_free);
  g_clear_pointer (&self->test, mt_target_rows_free);
  g_clear_pointer (&self->test_encoded, mt_encoded_unref);
  g_clear_pointer (&self->baselines, mt_baselines_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Train, train_clear)

static double
seconds_since (gint64 start)
{
  return (g_get_monotonic_time () - start) / 1e6;
}

/* --- options --- */

static gboolean
read_options (Train *self)
{
  const Options *options = &self->options;
  MtRunSettings *settings = &self->learn_options.settings;

  if (!mt_cli_learn_read (&self->learn_options, &self->common) ||
      !mt_cli_check_range ("--literals", options->literals, 0, 1e6))
    return FALSE;
  if (options->test == NULL)
    return TRUE;
  if (mt_cli_learn_is_given (&self->learn_options, "test-fraction") && settings->test_fraction > 0)
    {
      mt_cli_fail (MT_EXIT_USAGE, "--test and --test-fraction cannot be used together");
      return FALSE;
    }
  settings->test_fraction = 0;
  return TRUE;
}

static gboolean
names_target (const MtCliImport *options)
{
  if (options->target != NULL)
    return TRUE;
  for (guint i = 0; options->roles != NULL && options->roles[i] != NULL; i++)
    if (g_str_has_suffix (options->roles[i], "=target"))
      return TRUE;
  return FALSE;
}

/* --- rows --- */

/* The test file is read as the training file was: the same dialect, the same types. */
static gboolean
read_test_file (Train   *self,
                GError **error)
{
  MtTable *table = mt_import_get_table (self->import);
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (self->options.test);
  const MtImportOptions options = {
    .dialect = mt_import_get_dialect (self->import),
    .schema = schema,
    .n_threads = (guint) self->common.threads,
  };

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const MtColumn *column = mt_table_get_column (table, c);

      mt_schema_set_type (schema, mt_column_get_name (column), mt_column_get_type (column));
      mt_schema_set_role (schema, mt_column_get_name (column), mt_table_get_role (table, c));
      if (mt_column_get_formula (column) != NULL)
        mt_schema_set_derived (schema, mt_column_get_name (column), mt_formula_get_text (mt_column_get_formula (column)));
      if (mt_column_get_type (column) == MT_TYPE_NUMBER)
        mt_schema_set_unit (schema, mt_column_get_name (column),
                            mt_column_get_unit (column) != NULL ? mt_column_get_unit (column) : "");
    }
  self->test_import = mt_import_file (file, &options, NULL, error);
  if (self->test_import == NULL)
    {
      if (g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        {
          g_clear_error (error);
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no such file");
        }
      g_prefix_error (error, "%s: ", self->options.test);
      return FALSE;
    }
  self->test_table = mt_import_get_table (self->test_import);
  return TRUE;
}

static const guint32 *
rows_of (const GArray *rows,
         gsize        *n_rows)
{
  *n_rows = rows != NULL ? rows->len : 0;
  return rows != NULL ? &g_array_index (rows, guint32, 0) : NULL;
}

static gboolean
encode_test (Train   *self,
             GError **error)
{
  gsize n_rows;
  const guint32 *rows = rows_of (self->test_rows, &n_rows);

  if (self->test_table == NULL)
    return TRUE;
  self->test = mt_target_read (self->learned->target, self->test_table, rows, n_rows, error);
  if (self->test == NULL)
    return FALSE;
  self->test_encoded = mt_encoder_apply (self->learned->encoder, self->test_table, self->test->rows,
                                         self->test->n_rows, NULL, error);
  if (self->test_encoded == NULL && error != NULL && *error != NULL && self->options.test != NULL)
    g_prefix_error (error, "%s: ", self->options.test);
  return self->test_encoded != NULL;
}

static double
test_metric (const Train     *self,
             const MtRuleSet *rules)
{
  return mt_rule_set_metric (rules, self->test_encoded, self->test->values);
}

/* --- beside the network --- */

/* AUC or R² of the network's own answers; NaN without one. */
static double
network_metric (const MtNet     *net,
                MtTask           task,
                guint            n_classes,
                const MtEncoded *encoded,
                const double    *target)
{
  guint n_outputs = task == MT_TASK_MULTICLASS ? n_classes : 1;
  gsize n_rows = encoded != NULL ? mt_encoded_get_n_rows (encoded) : 0;
  g_autofree double *scores = g_new (double, MAX (n_outputs * n_rows, 1));
  g_autofree guint32 *classes = g_new (guint32, MAX (n_rows, 1));
  MtScored scored = { task, n_classes, n_rows, classes, target, scores };

  if (net == NULL || encoded == NULL)
    return NAN;
  mt_net_score (net, encoded, scores);
  mt_task_link (task, n_outputs, n_rows, scores);
  for (gsize r = 0; r < n_rows && task != MT_TASK_REGRESSION; r++)
    classes[r] = (guint32) target[r];
  return mt_metric_compute (task == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC, &scored);
}

/* --- the model file --- */

static guint
find_point (const MtFrontier      *frontier,
            const MtFrontierPoint *point)
{
  guint i = 0;

  while (mt_frontier_get_point (frontier, i) != point)
    i++;
  return i;
}

/* Before anything is read: neither the model nor what goes beside it may replace the rows. @data: n_data files. */
static gboolean
check_output (const Train  *self,
              char        **data,
              guint         n_data)
{
  g_autofree const char **inputs = g_new (const char *, n_data + 1);
  g_autofree char *record = NULL;

  if (self->options.output == NULL)
    return TRUE;
  memcpy (inputs, data, n_data * sizeof *inputs);
  inputs[n_data] = self->options.test;
  record = mt_search_record_dup_path (self->options.output);
  return mt_cli_check_output (self->options.output, inputs, n_data + 1) &&
         mt_cli_check_sidecar (record, MT_SEARCH_RECORD_FORMAT, inputs, n_data + 1);
}

/* What was tried goes beside the model, for its report. */
static gboolean
save_model (Train                  *self,
            const MtFrontierPoint  *point,
            const MtLearnOptions   *learn,
            GError                **error)
{
  g_autoptr (MtSearchRecord) record = NULL;
  g_autoptr (MtModel) model = mt_learned_make_model (self->learned, point, learn, self->import,
                                                     self->test != NULL ? self->test->n_rows : 0,
                                                     self->test != NULL ? test_metric (self, point->rules) : NAN,
                                                     self->test_encoded, error);

  if (model == NULL)
    return FALSE;
  record = mt_search_record_new_learned (self->learned, find_point (self->learned->frontier, point), self->baselines, model);
  if (self->options.evaluate_frontier && self->test != NULL)
    mt_search_record_set_tested (record, self->learned);
  return mt_search_record_save (record, model, self->options.output, error);
}

/* The recommended point, or the one that --literals asks for. NULL after one line. */
static const MtFrontierPoint *
choose_point (const Train *self)
{
  const MtFrontier *frontier = self->learned->frontier;
  g_autoptr (GString) list = g_string_new (NULL);

  if (self->options.literals == 0)
    return mt_frontier_get_point (frontier, mt_frontier_get_selected (frontier));
  for (guint i = 0; i < mt_frontier_get_n_points (frontier); i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (frontier, i);

      if (point->complexity == (guint) self->options.literals)
        return point;
      g_string_append_printf (list, "%s%u", i > 0 ? ", " : "", point->complexity);
    }
  mt_cli_fail (MT_EXIT_FAILED, "the frontier has no model of size %d; available sizes: %s", self->options.literals, list->str);
  return NULL;
}

/* --- output --- */

static void
add_differing (MtJsonWriter *json,
               const char   *name,
               gint64        n)
{
  mt_json_writer_key (json, name);
  if (n >= 0)
    mt_json_writer_integer (json, (guint64) n);
  else
    mt_json_writer_string (json, NULL);
}

static const char *
metric_name (const Train *self)
{
  return mt_target_get_task (self->learned->target) == MT_TASK_REGRESSION ? "r2" : "auc";
}

/* Where the rules of several literals come from. */
static void
add_origins (MtJsonWriter    *json,
             const MtRuleSet *rules)
{
  guint n_search = 0, n_gradient = 0, n_exchanged = 0, n_nodes = 0;

  for (guint i = 0; i < mt_rule_set_get_n_terms (rules); i++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, i);
      const MtOrigin *origin = term->rule != NULL ? mt_rule_get_origin (term->rule) : NULL;
      MtOriginChanges changes = origin != NULL ? mt_origin_get_changes (origin) : 0;

      if (origin == NULL || (mt_rule_get_n_inputs (term->rule) < 2 && changes == 0))
        continue;
      n_gradient += (changes & MT_CHANGED_BY_GRADIENT) != 0;
      n_exchanged += (changes & MT_CHANGED_BY_EXCHANGE) != 0;
      n_nodes += changes == 0 && mt_origin_is_node (origin);
      n_search += changes == 0 && !mt_origin_is_node (origin);
    }
  mt_json_writer_key (json, "origins");
  mt_json_writer_begin_object (json);
  mt_cli_json_count (json, "search", n_search);
  mt_cli_json_count (json, "node", n_nodes);
  mt_cli_json_count (json, "gradient", n_gradient);
  mt_cli_json_count (json, "exchanged", n_exchanged);
  mt_json_writer_end_object (json);
}

static void
add_frontier (MtJsonWriter *json,
              const Train  *self)
{
  mt_json_writer_key (json, "frontier");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < mt_frontier_get_n_points (self->learned->frontier); i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (self->learned->frontier, i);

      mt_json_writer_begin_object (json);
      mt_cli_json_count (json, "literals", point->complexity);
      mt_cli_json_count (json, "rules", mt_rule_set_get_n_rules (point->rules));
      mt_cli_json_number (json, "cv_mean", point->cv_mean);
      mt_cli_json_number (json, "cv_se", point->cv_se);
      mt_cli_json_number (json, "train", point->train);
      mt_cli_json_text (json, "path", mt_path_kind_to_string (point->path));
      if (self->options.evaluate_frontier && self->test != NULL)
        mt_cli_json_number (json, "test", test_metric (self, point->rules));
      add_origins (json, point->rules);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
}

/* Rows that were of no use, here and in --test. A split by fraction has put them in neither part. */
static gsize
count_without_target (const Train *self)
{
  const MtTable *table = mt_import_get_table (self->import);
  int target = mt_table_get_target (table);
  gsize n = target >= 0 ? mt_column_get_n_missing (mt_table_get_column (table, (guint) target)) : 0;

  return n + (self->test_import != NULL && self->test != NULL ? self->test->n_missing : 0);
}

static int
print_json (const Train           *self,
            const MtFrontierPoint *selected)
{
  g_autoptr (MtJsonWriter) json = mt_json_writer_new ();
  const MtNet *net = mt_frontier_get_net (self->learned->frontier);
  gsize n_test = self->test != NULL ? self->test->n_rows : 0;

  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "task", mt_task_to_string (mt_target_get_task (self->learned->target)));
  mt_cli_json_text (json, "metric", metric_name (self));
  mt_json_writer_key (json, "stopped");
  mt_json_writer_boolean (json, mt_frontier_is_stopped (self->learned->frontier));
  mt_json_writer_key (json, "rows");
  mt_json_writer_begin_object (json);
  mt_cli_json_count (json, "train", self->learned->rows->n_rows);
  mt_cli_json_count (json, "test", n_test);
  mt_cli_json_count (json, "without_target", count_without_target (self));
  mt_cli_json_count (json, "unknown_class", self->test != NULL ? self->test->n_unknown : 0);
  mt_json_writer_end_object (json);

  mt_json_writer_key (json, "selected");
  mt_json_writer_begin_object (json);
  mt_cli_json_count (json, "literals", selected->complexity);
  mt_cli_json_count (json, "rules", mt_rule_set_get_n_rules (selected->rules));
  mt_cli_json_number (json, "cv_mean", selected->cv_mean);
  mt_cli_json_number (json, "cv_se", selected->cv_se);
  mt_cli_json_number (json, "train", selected->train);
  mt_cli_json_number (json, "test", self->test != NULL ? test_metric (self, selected->rules) : NAN);
  mt_cli_json_text (json, "path", mt_path_kind_to_string (selected->path));
  mt_cli_json_number (json, "over_search", selected->over_mean[MT_PATH_SEARCH]);
  mt_cli_json_number (json, "over_search_se", selected->over_se[MT_PATH_SEARCH]);
  mt_cli_json_count (json, "trainings", selected->n_trainings);
  mt_cli_json_count (json, "trainings_kept", selected->n_kept);
  add_origins (json, selected->rules);
  mt_json_writer_end_object (json);
  add_frontier (json, self);
  if (self->baselines != NULL)
    mt_cli_baselines_add_json (json, self->baselines, selected->complexity);

  mt_json_writer_key (json, "network");
  mt_json_writer_begin_object (json);
  mt_cli_json_number (json, "test", self->test == NULL ? NAN :
                     network_metric (net, mt_target_get_task (self->learned->target),
                                     mt_target_get_n_classes (self->learned->target), self->test_encoded,
                                     self->test->values));
  mt_json_writer_end_object (json);
  mt_json_writer_key (json, "fidelity");
  mt_json_writer_begin_object (json);
  add_differing (json, "train_differ", mt_learned_count_differing (self->learned, selected->rules, self->learned->encoded));
  add_differing (json, "test_differ", mt_learned_count_differing (self->learned, selected->rules, self->test_encoded));
  mt_json_writer_end_object (json);

  mt_json_writer_key (json, "seconds");
  mt_json_writer_begin_object (json);
  mt_cli_json_number (json, "load", self->load_seconds);
  mt_cli_json_number (json, "encode", self->learned->encode_seconds);
  mt_cli_json_number (json, "train", mt_frontier_get_train_seconds (self->learned->frontier));
  mt_cli_json_number (json, "refine", self->learned->refine_seconds);
  mt_cli_json_number (json, "total", self->total_seconds);
  mt_json_writer_end_object (json);
  if (self->learned->n_kept > 0)
    {
      mt_cli_json_count (json, "columns_offered", self->learned->n_offered);
      mt_cli_json_count (json, "columns_searched", self->learned->n_kept);
    }
  mt_cli_json_count (json, "steps", mt_frontier_get_n_steps (self->learned->frontier));
  mt_cli_json_count (json, "visited", mt_frontier_get_visited (self->learned->frontier)->len);
  mt_cli_json_text (json, "engine", mt_frontier_get_engine (self->learned->frontier) != NULL
                                   ? mt_frontier_get_engine (self->learned->frontier) : "cpu");
  mt_json_writer_end_object (json);
  return mt_cli_json_print (g_steal_pointer (&json));
}

static char *
dup_metric (double value)
{
  return isfinite (value) ? g_strdup_printf ("%.4f", value) : g_strdup ("–");
}

/* How far the model is from the network that proposed rules or was trained from them, if there is one. */
static void
append_differing (GString               *out,
                  const Train           *self,
                  const MtFrontierPoint *selected)
{
  gint64 train = mt_learned_count_differing (self->learned, selected->rules, self->learned->encoded);
  gint64 test = mt_learned_count_differing (self->learned, selected->rules, self->test_encoded);

  if (train < 0)
    return;
  g_string_append_printf (out, mt_target_get_task (self->learned->target) == MT_TASK_REGRESSION
                               ? "The rules are the model. For comparison only: the network that was trained along the way "
                                 "differs from them by more than a tenth of the target's standard deviation for "
                                 "%" G_GINT64_FORMAT " of %" G_GSIZE_FORMAT " training rows"
                               : "The rules are the model. For comparison only: the network that was trained along the way "
                                 "predicts a different class for %" G_GINT64_FORMAT " of %" G_GSIZE_FORMAT " training rows",
                          train, mt_encoded_get_n_rows (self->learned->encoded));
  if (test >= 0)
    g_string_append_printf (out, " and %" G_GINT64_FORMAT " of %" G_GSIZE_FORMAT " test rows", test,
                            mt_encoded_get_n_rows (self->test_encoded));
  g_string_append (out, ".\n");
}

/* What "cv" and "±" in the table mean. */
static void
append_folds (GString     *out,
              const Train *self)
{
  guint n_folds = self->learn_options.settings.folds;
  guint n_repeats = n_folds > 0 ? mt_frontier_get_n_fold_scores (self->learned->frontier) / n_folds : 0;

  if (n_repeats == 1)
    g_string_append_printf (out, "cv: %u-fold cross-validation; ±: standard error over the folds.\n", n_folds);
  else if (n_repeats > 1)
    g_string_append_printf (out, "cv: %u-fold cross-validation, %u repeats; ±: standard error over %u folds.\n", n_folds,
                            n_repeats, n_folds);
}

/* Which models the table shows: all with --all; otherwise the selected one and those that no smaller one equals,
 * thinned out to at most SHORT_TABLE. Returns how many. */
static guint
choose_shown (const Train           *self,
              const MtFrontierPoint *selected,
              gboolean              *shown)
{
  const MtFrontier *frontier = self->learned->frontier;
  guint n_points = mt_frontier_get_n_points (frontier), n_good = 0, n_shown = 0;
  g_autofree guint *good = g_new (guint, MAX (n_points, 1));
  double best = -G_MAXDOUBLE;

  for (guint i = 0; i < n_points; i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (frontier, i);
      double quality = isfinite (point->cv_mean) ? point->cv_mean : point->train;

      shown[i] = self->options.all || point == selected;
      if (quality > best || !isfinite (quality))
        good[n_good++] = i;
      best = MAX (best, quality);
    }
  for (guint k = 0; k < MIN (n_good, SHORT_TABLE); k++)
    shown[n_good <= SHORT_TABLE ? good[k] : good[k * (n_good - 1) / (SHORT_TABLE - 1)]] = TRUE;
  for (guint i = 0; i < n_points; i++)
    n_shown += shown[i];
  return n_shown;
}

static void
append_table (GString               *out,
              const Train           *self,
              const MtFrontierPoint *selected)
{
  static const MtCliTableColumn columns[] = {
    { "", FALSE, FALSE }, { "literals", TRUE, FALSE }, { "rules", TRUE, FALSE }, { "cv", TRUE, FALSE },
    { "±", TRUE, FALSE }, { "train", TRUE, FALSE }, { "test", TRUE, FALSE },
  };
  guint n_points = mt_frontier_get_n_points (self->learned->frontier), n_shown;
  g_autoptr (MtCliTable) table = mt_cli_table_new (columns, G_N_ELEMENTS (columns));
  g_autofree gboolean *shown = g_new0 (gboolean, MAX (n_points, 1));

  n_shown = choose_shown (self, selected, shown);
  for (guint i = 0; i < n_points; i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (self->learned->frontier, i);
      gboolean is_selected = point == selected;
      g_autofree char *literals = g_strdup_printf ("%u", point->complexity);
      g_autofree char *rules = g_strdup_printf ("%u", mt_rule_set_get_n_rules (point->rules));
      g_autofree char *mean = dup_metric (point->cv_mean);
      g_autofree char *se = dup_metric (point->cv_se);
      g_autofree char *train = dup_metric (point->train);
      g_autofree char *test = NULL;

      if (!shown[i])
        continue;
      if (self->test != NULL && (is_selected || self->options.evaluate_frontier))
        test = dup_metric (test_metric (self, point->rules));
      mt_cli_table_add (table, is_selected ? MT_STYLE_BOLD : MT_STYLE_PLAIN,
                        (const char * const[]) { is_selected ? "→" : "", literals, rules, mean, se, train,
                                                 test != NULL ? test : "" });
    }
  mt_cli_table_append (table, out, mt_cli_get_width (stdout), mt_cli_has_colour (stdout));
  if (n_shown < n_points)
    g_string_append_printf (out, "%u more %s not shown; use --all to list %s.\n", n_points - n_shown,
                            n_points - n_shown == 1 ? "model is" : "models are", n_points - n_shown == 1 ? "it" : "them");
}

static int
print_text (const Train           *self,
            const MtFrontierPoint *selected)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *saved = self->options.output != NULL ? mt_cli_escape (self->options.output) : NULL;
  g_autofree char *choice = mt_frontier_point_dup_choice (selected);
  g_autofree char *training = mt_frontier_point_dup_training (selected);
  g_autofree char *target = mt_cli_escape (mt_target_get_name (self->learned->target));

  g_string_append_printf (out, "%s, %s: %s; %" G_GSIZE_FORMAT " training rows, %" G_GSIZE_FORMAT " test rows, %.1f s\n",
                          target,
                          mt_task_to_string (mt_target_get_task (self->learned->target)), metric_name (self),
                          self->learned->rows->n_rows, self->test != NULL ? self->test->n_rows : 0,
                          self->total_seconds);
  if (count_without_target (self) > 0)
    g_string_append_printf (out, "%" G_GSIZE_FORMAT " rows without a target value were left out.\n",
                            count_without_target (self));
  if (self->learned->n_kept > 0)
    g_string_append_printf (out, "There are too few rows for so many columns: of %u columns, only the %u that say most about the "
                                 "target were searched. Each fold chose its own.\n", self->learned->n_offered, self->learned->n_kept);
  if (selected->complexity == 1)
    g_string_append (out, "No model is reliably better than the intercept alone: the columns carry too little information "
                     "about the target, or there are too few rows.\n");
  append_folds (out, self);
  if (choice != NULL)
    g_string_append_printf (out, "%s\n", choice);
  if (training != NULL)
    g_string_append_printf (out, "%s\n", training);
  append_differing (out, self, selected);
  g_string_append_c (out, '\n');
  append_table (out, self, selected);
  if (self->baselines != NULL)
    mt_cli_baselines_append_text (out, self->baselines, selected->complexity);
  if (saved != NULL)
    g_string_append_printf (out, "\nSaved the %s model (→) to %s.\n",
                            self->options.literals > 0 ? "selected" : "recommended", saved);
  else
    g_string_append (out, "\nNo model was saved; use -o MODEL.json to save the one marked →.\n");
  if (!mt_cli_write (stdout, out->str))
    return mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output");
  return MT_EXIT_OK;
}

static void
show_progress (MtRunJob              *job,
               const MtLearnProgress *progress,
               gpointer               user_data)
{
  Train *self = user_data;
  g_autoptr (GString) detail = g_string_new (NULL);

  if (progress == NULL)
    return;   /* a network of many */
  if (progress->phase == MT_LEARN_TRAINING && progress->n_networks > 0)
    g_string_append_printf (detail, "network %u of %u, ", progress->network, progress->n_networks);
  if (progress->phase == MT_LEARN_TRAINING)
    g_string_append_printf (detail, "epoch %u, loss %.4f", progress->train.epoch,
                            progress->train.epoch > 0 ? progress->train.valid_loss : NAN);
  else if (progress->phase == MT_LEARN_ELIMINATING)
    g_string_append_printf (detail, "%u literals, loss %.4f", progress->literals, progress->loss);
  if (isfinite (progress->seconds_left))
    g_string_append_printf (detail, "%s%.0f s left", detail->len > 0 ? ", " : "", progress->seconds_left);
  mt_cli_progress_update (&self->progress, mt_learn_phase_to_string (progress->phase), progress->done, detail->str);
}

static void
show_baseline_progress (double   done,
                        gpointer user_data)
{
  Train *self = user_data;

  mt_cli_progress_update (&self->progress, "baselines", done, "");
}

static gboolean
run_baselines (Train                 *self,
               const MtLearnOptions  *learn,
               MtPool                *pool,
               GError               **error)
{
  gsize n_rows, n_test;
  const guint32 *rows = rows_of (self->train_rows, &n_rows), *test_rows = rows_of (self->test_rows, &n_test);
  const MtBaselineTest test = { self->test_table, test_rows, n_test };

  self->baselines = mt_baselines_run (mt_import_get_table (self->import), rows, n_rows, learn,
                                      self->test_table != NULL && self->options.evaluate_frontier ? &test : NULL, pool,
                                      show_baseline_progress, self, self->cancellable, error);
  mt_cli_progress_clear (&self->progress);
  return self->baselines != NULL;
}

/* A class of one row is no reason to refuse, but it must not look as if it was tested. */
static void
warn_of_lone_classes (const Train *self)
{
  const char * const *classes = mt_target_get_classes (self->learned->target);
  const MtTargetRows *rows = self->learned->rows;
  g_autofree gsize *counts = NULL;
  guint n_classes = 0;

  if (mt_target_get_task (self->learned->target) == MT_TASK_REGRESSION)
    return;
  while (classes[n_classes] != NULL)
    n_classes++;
  counts = g_new0 (gsize, MAX (n_classes, 1));
  for (gsize r = 0; r < rows->n_rows; r++)
    counts[(guint) rows->values[r]]++;
  for (guint c = 0; c < n_classes; c++)
    if (counts[c] == 1)
      g_printerr ("minterm-cli: warning: class “%s” has only one training row: no fold tests it, and rules based on "
                  "it are unreliable\n", classes[c]);
}

static void
take_result (MtRunJob *job,
             gpointer  user_data)
{
  Train *self = user_data;
  GArray *train = mt_run_job_get_train (job), *test = mt_run_job_get_test (job);

  self->learned = mt_run_job_steal_learned (job);
  self->train_rows = train != NULL ? g_array_ref (train) : NULL;
  self->test_rows = test != NULL ? g_array_ref (test) : NULL;
}

static void
pass_on (GCancellable *caller,
         gpointer      queue)
{
  mt_run_queue_cancel (queue);
}

/* One run, by the engine that runs sweeps and the window's runs. */
static gboolean
learn_rules (Train             *self,
             const MtRunMeans  *means,
             GError           **error)
{
  static const MtRunJobFuncs funcs = { .changed = show_progress, .ended = take_result };
  g_autoptr (MtRunQueue) queue = mt_run_queue_new (means->n_threads, TRUE);
  g_autoptr (MtRunJob) job = mt_run_job_new (mt_import_get_table (self->import), &self->learn_options.settings, means, NULL,
                                             &funcs, self, NULL);
  gulong handler;

  mt_run_queue_push (queue, job, 0);
  handler = g_cancellable_connect (self->cancellable, G_CALLBACK (pass_on), queue, NULL);
  mt_run_queue_work (queue);
  g_cancellable_disconnect (self->cancellable, handler);
  if (self->learned == NULL)
    g_propagate_error (error, g_error_copy (mt_run_job_get_error (job)));
  return self->learned != NULL;
}

static gboolean
run (Train                 *self,
     const MtRunMeans      *means,
     const MtLearnOptions  *learn,
     GError               **error)
{
  g_autoptr (MtPool) pool = NULL;

  if (self->options.test != NULL && !read_test_file (self, error))
    return FALSE;
  learn_rules (self, means, error);
  mt_cli_progress_clear (&self->progress);
  if (self->learned == NULL)
    return FALSE;
  if (self->test_rows != NULL)
    self->test_table = mt_import_get_table (self->import);
  warn_of_lone_classes (self);
  if (!encode_test (self, error))
    return FALSE;
  pool = mt_pool_new ((guint) self->common.threads);
  if (!self->options.baselines || mt_frontier_is_stopped (self->learned->frontier) ||
      run_baselines (self, learn, pool, error))
    return TRUE;
  if (!g_cancellable_is_cancelled (self->cancellable))
    return FALSE;
  g_clear_error (error);     /* stopped: the models are what counts */
  return TRUE;
}

int
mt_cli_train (int    argc,
              char **argv)
{
  g_auto (Train) self = { 0 };
  Options *options = &self.options;
  const GOptionEntry own[] = {
    { "test", 0, 0, G_OPTION_ARG_FILENAME, &options->test, "Test the selected model on the rows of TEST.csv", "TEST.csv" },
    { "evaluate-frontier", 0, 0, G_OPTION_ARG_NONE, &options->evaluate_frontier,
      "Also evaluate all models and baselines on the test rows; for benchmarking only: the test rows are then no "
      "longer independent", NULL },
    { "baselines", 0, 0, G_OPTION_ARG_NONE, &options->baselines,
      "Also cross-validate baselines: intercept, regression, a tree of the same size, boosted trees", NULL },
    { "literals", 0, 0, G_OPTION_ARG_INT, &options->literals,
      "Select the model of exactly this size instead of the recommended one", "N" },
    { "all", 0, 0, G_OPTION_ARG_NONE, &options->all, "List all models, not only a selection", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "Write the selected model to MODEL.json", "MODEL.json" },
    { NULL }
  };
  g_autofree GOptionEntry *entries = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  const MtFrontierPoint *selected;
  MtLearnOptions learn;
  MtRunMeans means;
  int exit_code = MT_EXIT_OK;

  mt_cli_learn_init (&self.learn_options);
  entries = mt_cli_learn_new_entries (&self.learn_options, &self.import_options, own);
  if (!mt_cli_parse (&argc, &argv, entries, &self.common, &exit_code))
    return exit_code;
  if (argc < 2)
    return mt_cli_fail (MT_EXIT_USAGE, "train needs a file; see minterm-cli train --help");
  /* Each rank would learn the same and write the same file. */
  if (mt_ranks_are_there ())
    return mt_ranks_guess_own () > 0 ? MT_EXIT_USAGE
           : mt_cli_fail (MT_EXIT_USAGE, "train is one process: start it without mpirun; only sweep uses several");
  if (argc > 2)
    self.import_options.more = argv + 2;
  if (!read_options (&self))
    return MT_EXIT_USAGE;
  /* The import may have a guess, but what to predict is not to be guessed at. */
  if (!names_target (&self.import_options))
    return mt_cli_fail (MT_EXIT_USAGE, "train needs --target COLUMN, the column to predict");
  if (!check_output (&self, argv + 1, (guint) argc - 1))
    return MT_EXIT_USAGE;
  if (!mt_cli_learn_use_device (&self.learn_options, &self.common, &means))
    return MT_EXIT_FAILED;
  mt_cli_learn_get (&self.learn_options, &learn);
  means.keep_partial = TRUE;
  self.import = mt_cli_import_read (&self.import_options, &self.common, argv[1], &exit_code);
  if (self.import == NULL)
    return exit_code;
  if (!mt_cli_learn_check_columns (&self.learn_options, mt_import_get_table (self.import), argv[1], &exit_code))
    return exit_code;
  self.load_seconds = seconds_since (start);
  self.cancellable = mt_cli_cancel_on_signals ();
  self.reading = mt_cli_import_dup_arguments (&self.import_options);
  learn.origin.reading = self.reading;
  if (!run (&self, &means, &learn, &error))
    return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
             ? mt_cli_fail (MT_EXIT_FAILED, "stopped before a model was found") : mt_cli_fail_error (error);
  if (mt_frontier_is_stopped (self.learned->frontier))
    g_printerr ("minterm-cli: stopped: models are validated on the finished folds only\n");
  selected = choose_point (&self);
  if (selected == NULL)
    return MT_EXIT_FAILED;
  if (self.test_import != NULL)
    learn.origin.test_sha256 = mt_import_get_sha256 (self.test_import);
  if (options->output != NULL && !save_model (&self, selected, &learn, &error))
    return mt_cli_fail_error (error);
  self.total_seconds = seconds_since (start);
  return self.common.json ? print_json (&self, selected) : print_text (&self, selected);
}
