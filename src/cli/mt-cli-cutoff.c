/* minterm-cli cutoff: shows, chooses and sets the cutoff of a model of two classes. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>
#include <string.h>

#include "mt-cli-model.h"
#include "mt-cli-terminal.h"

typedef struct {
  double           set, rate, capacity;     /* NaN: not asked for */
  gboolean         has_values;
  MtOutcomeValues  values;
  char            *reason;
  char            *output;
} Wish;

/* Rows with the truth, and what comes of them. */
typedef struct {
  MtTruth   *truth;
  double    *predictions;
  MtRanking *ranking;
} Rows;

static void
rows_clear (Rows *rows)
{
  g_clear_pointer (&rows->truth, mt_truth_free);
  g_clear_pointer (&rows->predictions, g_free);
  g_clear_pointer (&rows->ranking, mt_ranking_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

static int
read_rows (const MtModel *model,
           const MtTable *table,
           const char    *target,
           const char    *path,
           Rows          *rows)
{
  g_autoptr (GError) error = NULL;
  MtScored scored;

  rows->truth = mt_model_read_truth (model, table, target, &error);
  if (rows->truth == NULL)
    return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
  rows->predictions = g_new (double, rows->truth->n_rows + 1);
  if (!mt_model_predict (model, table, rows->truth->rows, rows->truth->n_rows, rows->predictions, NULL, &error))
    return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
  scored = (MtScored) { MT_TASK_BINARY, 2, rows->truth->n_rows, rows->truth->classes, NULL, rows->predictions };
  rows->ranking = mt_ranking_new (&scored, 1);
  return MT_EXIT_OK;
}

/* --- choosing --- */

static double
choose (const Wish      *wish,
        const MtRanking *ranking,
        double           now)
{
  if (!isnan (wish->set))
    return wish->set;
  if (!isnan (wish->rate))
    return mt_ranking_cut_rate (ranking, wish->rate);
  if (!isnan (wish->capacity))
    return mt_ranking_cut_capacity (ranking, wish->capacity);
  if (wish->has_values)
    return mt_ranking_cut_value (ranking, &wish->values, now);
  return now;
}

/* The basis of the choice, where no reason was given. */
static char *
dup_reason (const Wish *wish)
{
  char a[MT_DECIMAL_SIZE], b[MT_DECIMAL_SIZE], c[MT_DECIMAL_SIZE], d[MT_DECIMAL_SIZE];

  if (wish->reason != NULL)
    return g_strdup (wish->reason);
  if (!isnan (wish->rate))
    return g_strdup_printf ("target rate %s", mt_decimal_write (wish->rate, a));
  if (!isnan (wish->capacity))
    return g_strdup_printf ("capacity %s", mt_decimal_write (wish->capacity, a));
  if (wish->has_values)
    return g_strdup_printf ("values of a true positive %s, false positive %s, true negative %s, false negative %s",
                            mt_decimal_write (wish->values.true_positive, a),
                            mt_decimal_write (wish->values.false_positive, b),
                            mt_decimal_write (wish->values.true_negative, c),
                            mt_decimal_write (wish->values.false_negative, d));
  return g_strdup ("set by hand");
}

static int
save (const MtModel *model,
      double         cutoff,
      const Wish    *wish)
{
  const MtModelInfo *info = mt_model_get_info (model);
  const MtEdit edit = { .kind = MT_EDIT_SET_CUTOFF, .to = cutoff };
  g_autoptr (MtEditHistory) before = info->n_edits > 0 ? mt_edit_history_new (NULL, info->edits, info->n_edits) : NULL;
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (MtModel) changed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *reason = dup_reason (wish);
  MtEditContext context;

  if (cutoff == mt_model_get_cutoff (model))     /* nothing to change: the same model */
    return mt_model_save (model, wish->output, &error) ? MT_EXIT_OK : mt_cli_fail_error (error);
  mt_model_init_edit (model, &context);
  rules = mt_edit_make (&context, mt_model_get_rules (model), before, &edit, reason, &history, NULL, &error);
  changed = rules != NULL ? mt_model_with_edits (model, rules, history, NAN, &error) : NULL;
  if (changed == NULL || !mt_model_save (changed, wish->output, &error))
    return mt_cli_fail_error (error);
  return MT_EXIT_OK;
}

/* --- saying --- */

static void
add_share (MtJsonWriter *json,
           const char   *name,
           gsize         n,
           gsize         of)
{
  mt_cli_json_number (json, name, of > 0 ? (double) n / (double) of : NAN);
}

static int
print_json (const MtModel *model,
            double         cutoff,
            const Rows    *rows,
            const Wish    *wish)
{
  MtJsonWriter *json = mt_json_writer_new ();
  MtOutcomes at;

  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "class", mt_model_get_info (model)->classes[1]);
  mt_cli_json_number (json, "cutoff", cutoff);
  if (rows->ranking != NULL)
    {
      mt_ranking_count (rows->ranking, cutoff, &at);
      mt_cli_json_count (json, "rows", rows->ranking->n_rows);
      mt_cli_json_count (json, "true_positive", at.true_positive);
      mt_cli_json_count (json, "false_positive", at.false_positive);
      mt_cli_json_count (json, "true_negative", at.true_negative);
      mt_cli_json_count (json, "false_negative", at.false_negative);
      add_share (json, "rate", at.true_positive + at.false_positive, rows->ranking->n_rows);
      add_share (json, "recall", at.true_positive, at.true_positive + at.false_negative);
      add_share (json, "precision", at.true_positive, at.true_positive + at.false_positive);
      if (wish->has_values)
        mt_cli_json_number (json, "value", mt_outcomes_value (&at, &wish->values));
    }
  mt_json_writer_end_object (json);
  return mt_cli_json_print (json);
}

static void
append_share (GString    *out,
              const char *name,
              gsize       n,
              gsize       of)
{
  char share[G_ASCII_DTOSTR_BUF_SIZE], from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];
  double low, high;

  if (of == 0)
    {
      g_string_append_printf (out, "  %-18s %10s\n", name, "–");
      return;
    }
  mt_share_interval (n, of, &low, &high);
  g_string_append_printf (out, "  %-18s %10s   %s … %s\n", name,
                          g_ascii_formatd (share, sizeof share, "%.4f", (double) n / (double) of),
                          g_ascii_formatd (from, sizeof from, "%.4f", low), g_ascii_formatd (to, sizeof to, "%.4f", high));
}

static int
print_text (const MtModel *model,
            double         cutoff,
            const Rows    *rows,
            const Wish    *wish)
{
  const char * const *classes = mt_model_get_info (model)->classes;
  g_autofree char *first = mt_cli_escape (classes[0]);
  g_autofree char *second = mt_cli_escape (classes[1]);
  g_autoptr (GString) out = g_string_new (NULL);
  char number[MT_DECIMAL_SIZE];
  MtOutcomes at;

  g_string_append_printf (out, "“%s” is predicted if its probability is above %s, otherwise “%s”\n", second,
                          mt_decimal_write (cutoff, number), first);
  if (rows->ranking != NULL)
    {
      g_autofree char *n = mt_cli_dup_count (rows->ranking->n_rows);

      mt_ranking_count (rows->ranking, cutoff, &at);
      g_string_append_printf (out, "\n%s rows; 95%% intervals\n", n);
      append_share (out, "rate", at.true_positive + at.false_positive, rows->ranking->n_rows);
      append_share (out, "recall", at.true_positive, at.true_positive + at.false_negative);
      append_share (out, "precision", at.true_positive, at.true_positive + at.false_positive);
      g_string_append_printf (out, "\n  %zu true and %zu false positives, %zu true and %zu false negatives\n",
                              at.true_positive, at.false_positive, at.true_negative, at.false_negative);
      if (wish->has_values)
        g_string_append_printf (out, "  value of all rows: %s\n",
                                mt_decimal_write (mt_outcomes_value (&at, &wish->values), number));
    }
  return mt_cli_print (out->str);
}

/* --- the command --- */

static gboolean
read_share (const char *option,
            const char *text,
            double     *value,
            int        *exit_code)
{
  if (text == NULL)
    return TRUE;
  if (mt_decimal_parse (text, value) && *value >= 0 && *value <= 1)
    return TRUE;
  *exit_code = mt_cli_fail (MT_EXIT_USAGE, "--%s must be a share between 0 and 1, not “%s”", option, text);
  return FALSE;
}

static gboolean
read_values (const char *text,
             Wish       *wish,
             int        *exit_code)
{
  g_auto (GStrv) words = text != NULL ? g_strsplit (text, ",", -1) : NULL;
  double *to[] = { &wish->values.true_positive, &wish->values.false_positive, &wish->values.true_negative,
                   &wish->values.false_negative };

  if (text == NULL)
    return TRUE;
  wish->has_values = g_strv_length (words) == G_N_ELEMENTS (to);
  for (guint i = 0; wish->has_values && i < G_N_ELEMENTS (to); i++)
    wish->has_values = mt_decimal_parse (words[i], to[i]);
  if (!wish->has_values)
    *exit_code = mt_cli_fail (MT_EXIT_USAGE, "--values needs four numbers TP,FP,TN,FN: what a true positive, a false "
                                             "positive, a true negative, and a false negative are worth");
  return wish->has_values;
}

static gboolean
read_wish (Wish       *wish,
           const char *set,
           const char *rate,
           const char *capacity,
           const char *values,
           int        *exit_code)
{
  wish->set = wish->rate = wish->capacity = NAN;
  if ((set != NULL) + (rate != NULL) + (capacity != NULL) + (values != NULL) > 1)
    {
      *exit_code = mt_cli_fail (MT_EXIT_USAGE, "use only one of --set, --rate, --capacity, and --values");
      return FALSE;
    }
  if (set != NULL && !(mt_decimal_parse (set, &wish->set) && wish->set > 0 && wish->set < 1))
    {
      *exit_code = mt_cli_fail (MT_EXIT_USAGE, "--set must be above 0 and below 1, not “%s”", set);
      return FALSE;
    }
  return read_share ("rate", rate, &wish->rate, exit_code) && read_share ("capacity", capacity, &wish->capacity, exit_code) &&
         read_values (values, wish, exit_code);
}

static int
run (const MtModel *model,
     const Rows    *rows,
     const Wish    *wish,
     gboolean       as_json)
{
  double cutoff = choose (wish, rows->ranking, mt_model_get_cutoff (model));
  int exit_code;

  if (isnan (cutoff))
    return mt_cli_fail (MT_EXIT_FAILED, "no cutoff can do that: the probabilities of these rows are all 0 or 1");
  if (wish->output != NULL && (exit_code = save (model, cutoff, wish)) != MT_EXIT_OK)
    return exit_code;
  return as_json ? print_json (model, cutoff, rows, wish) : print_text (model, cutoff, rows, wish);
}

int
mt_cli_cutoff (int    argc,
               char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (MtCliImport) options = { NULL };
  g_autofree char *set = NULL;
  g_autofree char *rate = NULL;
  g_autofree char *capacity = NULL;
  g_autofree char *values = NULL;
  g_autofree char *reason = NULL;
  g_autofree char *output = NULL;
  const GOptionEntry own[] = {
    { "set", 0, 0, G_OPTION_ARG_STRING, &set, "Cutoff, above 0 and below 1", "CUTOFF" },
    { "rate", 0, 0, G_OPTION_ARG_STRING, &rate, "Predict the second class for about this share of the rows, 0 to 1", "SHARE" },
    { "capacity", 0, 0, G_OPTION_ARG_STRING, &capacity, "Predict the second class for at most this share of the rows, 0 to 1",
      "SHARE" },
    { "values", 0, 0, G_OPTION_ARG_STRING, &values, "Choose the cutoff with the highest total, given what a true positive, a "
                                                    "false positive, a true negative, and a false negative are worth; costs "
                                                    "are negative", "TP,FP,TN,FN" },
    { "reason", 0, 0, G_OPTION_ARG_STRING, &reason, "Reason to record in the model [default: how it was chosen]", "TEXT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the model with this cutoff to MODEL.json", "MODEL.json" },
    { NULL }
  };
  g_autofree GOptionEntry *entries =
    mt_cli_import_new_model_entries (&options, "Column with the true values [default: the target of the model]", FALSE, own);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtImport) import = NULL;
  g_auto (Rows) rows = { NULL };
  Wish wish = { .reason = NULL };
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code) ||
      !read_wish (&wish, set, rate, capacity, values, &exit_code))
    return exit_code;
  if (argc != 2 && argc != 3)
    return mt_cli_fail (MT_EXIT_USAGE, "cutoff needs a model and, to choose from rows, a CSV file; see minterm-cli "
                                       "cutoff --help");
  if (argc == 2 && (rate != NULL || capacity != NULL || values != NULL))
    return mt_cli_fail (MT_EXIT_USAGE, "--rate, --capacity, and --values need a CSV file with the target");
  wish.reason = reason;
  wish.output = output;
  /* The model itself may be the output: it stays a model. */
  if (output != NULL && !mt_cli_check_output (output, argc == 3 ? (const char *[]) { argv[2] } : NULL, argc == 3 ? 1 : 0))
    return MT_EXIT_USAGE;
  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL)
    return exit_code;
  if (mt_model_get_task (model) != MT_TASK_BINARY)
    return mt_cli_fail (MT_EXIT_FAILED, "%s: only a model of two classes has a cutoff", argv[1]);
  if (argc == 3)
    {
      import = mt_cli_model_read (model, &options, &common, argv[2], &exit_code);
      if (import == NULL)
        return exit_code;
      exit_code = read_rows (model, mt_import_get_table (import), options.target, argv[2], &rows);
      if (exit_code != MT_EXIT_OK)
        return exit_code;
    }
  return run (model, &rows, &wish, common.json);
}
