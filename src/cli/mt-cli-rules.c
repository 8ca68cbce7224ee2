/* minterm-cli rules: the whole model in words, nothing cut. */
#include "config.h"
#include "mt-cli.h"

#include <math.h>
#include <string.h>

#include "mt-cli-model.h"
#include "mt-cli-scorecard.h"
#include "mt-cli-terminal.h"

typedef enum {
  FORM_DNF,
  FORM_CNF,
  FORM_TABLE,
  FORM_TREE,
} Form;

static const char * const form_words[] = { "dnf", "cnf", "table", "tree", NULL };

static gboolean
parse_form (const char *word,
            Form       *form)
{
  for (guint i = 0; form_words[i] != NULL; i++)
    if (strcmp (word, form_words[i]) == 0)
      {
        *form = (Form) i;
        return TRUE;
      }
  return FALSE;
}

/* --- how rules fare on rows --- */

/* The rows of a file whose target is known; none without --data. */
typedef struct {
  double     *targets;   /* classes by number, or the numbers to predict */
  MtRuleBook *book;      /* NULL: none */
} Rows;

static void
rows_clear (Rows *rows)
{
  g_clear_pointer (&rows->book, mt_rule_book_unref);
  g_clear_pointer (&rows->targets, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

static gboolean
read_rows (const MtModel     *model,
           const MtCliImport *options,
           const MtCliCommon *common,
           const char        *path,
           Rows              *rows,
           int               *exit_code)
{
  g_autoptr (MtImport) import = mt_cli_model_read (model, options, common, path, exit_code);
  g_autoptr (MtTruth) truth = NULL;
  g_autoptr (MtEncoded) encoded = NULL;
  g_autoptr (GError) error = NULL;
  guint n_classes = mt_model_get_n_classes (model);
  MtRuleBookParts parts = { 0 };
  MtEncodeReport report;

  if (import == NULL)
    return FALSE;
  truth = mt_model_read_truth (model, mt_import_get_table (import), options->target, &error);
  if (truth != NULL)
    encoded = mt_encoder_apply (mt_model_get_encoder (model), mt_import_get_table (import), truth->rows, truth->n_rows,
                                &report, &error);
  if (encoded == NULL)
    {
      *exit_code = mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
      return FALSE;
    }
  rows->targets = g_new (double, truth->n_rows + 1);
  for (gsize i = 0; i < truth->n_rows; i++)
    rows->targets[i] = n_classes > 0 ? truth->classes[i] : truth->values[i];
  parts.encoder = (MtEncoder *) mt_model_get_encoder (model);
  parts.rules = (MtRuleSet *) mt_model_get_rules (model);
  parts.target = mt_model_get_info (model)->target;
  parts.classes = mt_model_get_info (model)->classes;
  parts.encoded = encoded;
  parts.values = rows->targets;
  rows->book = mt_rule_book_new (&parts, NULL, NULL);
  return TRUE;
}

static void
append_fate (GString    *out,
             guint       term,
             const Rows *rows)
{
  const MtTermFacts *facts = mt_rule_book_get_facts (rows->book, term);
  guint n_classes = mt_rule_book_get_n_classes (rows->book);
  g_autofree char *support = mt_cli_dup_count (facts->support);
  g_autofree char *all = mt_cli_dup_count (mt_rule_book_get_n_rows (rows->book));

  g_string_append_printf (out, "\n              applies to %s of %s rows", support, all);
  if (n_classes == 0)
    g_string_append_printf (out, "; mean %g, elsewhere %g", facts->mean_inside, facts->mean_outside);
  for (guint c = n_classes == 2 ? 1 : 0; c < n_classes; c++)
    g_string_append_printf (out, "; %s: %.1f%%, lift %.3g, odds ratio %.3g", mt_rule_book_get_classes (rows->book)[c],
                            100 * facts->hit_rate[c], facts->lift[c], facts->odds_ratio[c]);
}

static void
add_fate (MtJsonWriter *json,
          guint         term,
          const Rows   *rows)
{
  const MtTermFacts *facts = mt_rule_book_get_facts (rows->book, term);
  guint n_classes = mt_rule_book_get_n_classes (rows->book);

  mt_cli_json_count (json, "support", facts->support);
  if (n_classes == 0)
    {
      mt_cli_json_number (json, "mean_inside", facts->mean_inside);
      mt_cli_json_number (json, "mean_outside", facts->mean_outside);
      return;
    }
  mt_cli_json_numbers (json, "hit_rate", facts->hit_rate, n_classes);
  mt_cli_json_numbers (json, "lift", facts->lift, n_classes);
  mt_cli_json_numbers (json, "odds_ratio", facts->odds_ratio, n_classes);
}

/* The model without rows, or with those that were read. */
static MtRuleBook *
make_book (const MtModel *model,
           const Rows    *rows)
{
  const MtModelInfo *info = mt_model_get_info (model);
  const MtRuleBookParts parts = {
    .encoder = (MtEncoder *) mt_model_get_encoder (model),
    .rules = (MtRuleSet *) mt_model_get_rules (model),
    .target = info->target,
    .classes = info->classes,
  };

  return rows->book != NULL ? mt_rule_book_ref (rows->book) : mt_rule_book_new (&parts, NULL, NULL);
}

static int
print_scorecard (const MtModel *model,
                 const Rows    *rows,
                 gboolean       json)
{
  g_autoptr (MtRuleBook) book = make_book (model, rows);
  g_autoptr (MtScorecard) card = mt_scorecard_new (book);

  return mt_cli_scorecard_print (card, json);
}

/* --- one rule as a table --- */

/* Why the minimiser was free to choose an assignment, or NULL. */
static const char *
find_mark (const MtRule *rule,
           guint32       assignment)
{
  static const char * const marks[MT_N_DONT_CARES] = { "impossible", "unseen", "neutral" };

  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    {
      const guint64 *set = mt_rule_get_dont_care (rule, (MtDontCare) d);

      if (set != NULL && mt_truth_table_get (set, assignment))
        return marks[d];
    }
  return NULL;
}

static void
append_table (GString         *out,
              const MtRule    *rule,
              const MtEncoder *encoder)
{
  guint n = mt_rule_get_n_inputs (rule);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *literal = mt_encoder_dup_literal_text (encoder, mt_rule_get_inputs (rule)[i], FALSE);

      g_string_append_printf (out, "    %c  %s\n", 'A' + i, literal);
    }
  g_string_append (out, "\n    ");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%c ", 'A' + i);
  g_string_append (out, " rule\n");
  for (guint32 v = 0; v < 1u << n; v++)
    {
      const char *mark = find_mark (rule, v);

      g_string_append (out, "    ");
      for (guint i = 0; i < n; i++)
        g_string_append_printf (out, "%c ", (v >> i) & 1 ? '1' : '0');
      g_string_append_printf (out, "   %d%s%s\n", mt_truth_table_get (mt_rule_get_table (rule), v),
                              mark != NULL ? "   " : "", mark != NULL ? mark : "");
    }
}

/* --- one rule as a decision diagram in text --- */

typedef struct {
  GString         *out;
  const MtRule    *rule;
  const MtEncoder *encoder;
  const MtDiagram *diagram;
  gboolean        *is_shown;    /* by node: shared parts are written once */
} TreePrinter;

static void
append_node (TreePrinter *printer,
             guint        node,
             const char  *answer,
             guint        depth)
{
  const MtDiagramNode *nodes = mt_diagram_get_nodes (printer->diagram);
  g_autofree char *question = NULL;

  g_string_append_printf (printer->out, "    %*s%s", (int) depth * 4, "", answer);
  if (node < MT_DIAGRAM_FIRST_INNER)
    {
      g_string_append (printer->out, node == MT_DIAGRAM_TRUE ? "true\n" : "false\n");
      return;
    }
  if (printer->is_shown[node])
    {
      g_string_append_printf (printer->out, "go to (%u)\n", node - 1);
      return;
    }
  printer->is_shown[node] = TRUE;
  question = mt_encoder_dup_literal_text (printer->encoder,
                                          mt_rule_get_inputs (printer->rule)[nodes[node].input], FALSE);
  g_string_append_printf (printer->out, "(%u) %s?\n", node - 1, question);
  append_node (printer, nodes[node].high, "yes: ", depth + 1);
  append_node (printer, nodes[node].low, "no:  ", depth + 1);
}

static void
append_tree (GString         *out,
             const MtRule    *rule,
             const MtEncoder *encoder)
{
  g_autoptr (MtDiagram) diagram = mt_diagram_new (mt_rule_get_n_inputs (rule), mt_rule_get_table (rule));
  g_autofree gboolean *is_shown = g_new0 (gboolean, mt_diagram_get_n_nodes (diagram));
  TreePrinter printer = { out, rule, encoder, diagram, is_shown };

  append_node (&printer, mt_diagram_get_root (diagram), "", 0);
}

/* --- for people --- */

static void
append_weights (GString      *out,
                const double *weights,
                double        per,       /* divided by */
                guint         n)
{
  for (guint c = 0; c < n; c++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, "%+.6g", weights[c] / per);
      g_string_append_printf (out, "%s%12s", c > 0 ? " " : "", number);
    }
}

/* `a − 3.25 (missing counts as 3.25)`: the weight in front is per unit of the column. */
static void
append_numeric (GString         *out,
                const MtTerm    *term,
                const MtEncoder *encoder)
{
  const MtUnary *unary = mt_term_get_unary (term, encoder);
  g_autofree char *name = mt_term_dup_text (term, encoder);
  char mean[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (mean, sizeof mean, "%.10g", fabs (unary->mean));
  g_string_append_printf (out, "× (%s %s %s)%s%s", name, unary->mean < 0 ? "+" : "−", mean,
                          mt_encoder_get_column_type (encoder, unary->column) == MT_TYPE_DATE
                            ? " in days since 1970-01-01" : "",
                          mt_encoder_get_column (encoder, unary->column)->has_missing
                            ? "; missing counts as 0" : "");
}

static void
append_rule (GString         *out,
             const MtRule    *rule,
             const MtEncoder *encoder,
             Form             form)
{
  g_autofree char *text = NULL;

  if (form == FORM_TABLE || form == FORM_TREE)
    {
      g_string_append (out, "if\n");
      if (form == FORM_TABLE)
        append_table (out, rule, encoder);
      else
        append_tree (out, rule, encoder);
      g_string_truncate (out, out->len - 1);
      return;
    }
  text = mt_rule_dup_text (rule, encoder, form == FORM_CNF ? MT_RULE_FORM_CNF : MT_RULE_FORM_DNF);
  g_string_append_printf (out, "if %s", text);
}

static void
append_signature (GString            *out,
                  const MtEditRecord *record)
{
  g_autoptr (GDateTime) made = record->made > 0 ? g_date_time_new_from_unix_utc (record->made) : NULL;
  g_autofree char *when = made != NULL ? g_date_time_format (made, "%Y-%m-%d %H:%M UTC") : NULL;

  if (record->by != NULL || when != NULL)
    g_string_append_printf (out, "      by %s, %s\n", record->by != NULL ? record->by : "unknown author",
                            when != NULL ? when : "time not recorded");
}

static void
append_edits (GString           *out,
              const MtModelInfo *info)
{
  if (info->n_edits > 0)
    g_string_append (out, "\nedits, oldest first:\n");
  for (guint i = 0; i < info->n_edits; i++)
    {
      const MtEditRecord *record = &info->edits[i];
      g_autofree char *what = mt_edit_record_dup_text (record);
      g_auto (GStrv) lines = g_strsplit (record->reason, "\n", -1);
      g_autofree char *reason = g_strjoinv (" ", lines);

      g_string_append_printf (out, "%4u  %s\n      reason: %s\n", i + 1, what, reason);
      append_signature (out, record);
      g_string_append_printf (out, "      literals %u → %u", record->literals_before, record->literals_after);
      if (record->is_judged)
        {
          char before[G_ASCII_DTOSTR_BUF_SIZE], after[G_ASCII_DTOSTR_BUF_SIZE];

          g_ascii_formatd (before, sizeof before, "%.4f", record->before);
          g_ascii_formatd (after, sizeof after, "%.4f", record->after);
          g_string_append_printf (out, ", cross-validated %s %s → %s", mt_metric_to_string (record->metric), before, after);
        }
      g_string_append_c (out, '\n');
    }
}

static int
print_text (const MtModel *model,
            Form           form,
            const Rows    *rows)
{
  const MtModelInfo *info = mt_model_get_info (model);
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  guint n_literals = mt_rule_set_get_complexity (rules), n_rules = mt_rule_set_get_n_rules (rules);
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append_printf (out, "%s: %s, %u literal%s, %u rule%s, free combinations: %s\n", info->target,
                          mt_task_to_string (mt_model_get_task (model)), n_literals, n_literals == 1 ? "" : "s",
                          n_rules, n_rules == 1 ? "" : "s", info->dont_care);
  if (info->constraints != NULL)
    {
      g_autofree char *text = mt_constraints_dup_text (info->constraints);

      g_string_append_printf (out, "constraints: %s\n", text);
    }
  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (encoder, c);

      if (column->formula != NULL)
        g_string_append_printf (out, "derived: %s = %s\n", column->name, mt_formula_get_text (column->formula));
    }
  if (mt_model_get_task (model) == MT_TASK_BINARY)
    g_string_append_printf (out, "P(%s = %s) = 1 / (1 + exp (−score))\n", info->target, info->classes[1]);
  else if (n_outputs == 1)
    g_string_append_printf (out, "%s = score\n", info->target);
  else
    g_string_append_printf (out, "P(%s = class) = exp (score of the class) / Σ exp (scores)\n", info->target);
  /* Conditions are exact as they stand; only these numbers are shortened for the eye. */
  g_string_append (out, "weights and means are rounded; use --json for all digits\n\n");
  if (info->classes != NULL)
    {
      g_string_append (out, mt_model_get_task (model) == MT_TASK_BINARY ? "classes:" : "score of:");
      for (guint c = 0; info->classes[c] != NULL; c++)
        g_string_append_printf (out, "%s %s", c > 0 ? "," : "", info->classes[c]);
      g_string_append_c (out, '\n');
    }
  append_weights (out, mt_rule_set_get_bias (rules), 1, n_outputs);
  g_string_append (out, "  intercept\n");
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      append_weights (out, term->weights, term->is_numeric ? mt_term_get_unary (term, encoder)->sd : 1,
                      n_outputs);
      g_string_append (out, "  ");
      if (term->is_numeric)
        append_numeric (out, term, encoder);
      else
        append_rule (out, term->rule, encoder, form);
      if (!term->is_numeric && rows->book != NULL)
        append_fate (out, t, rows);
      g_string_append_c (out, '\n');
    }
  append_edits (out, info);
  /* Names and levels come from files: line by line, so that our own line ends stay. */
  {
    g_auto (GStrv) lines = g_strsplit (out->str, "\n", -1);
    g_autoptr (GString) all = g_string_new (NULL);

    for (guint i = 0; lines[i] != NULL; i++)
      {
        g_autofree char *line = mt_cli_escape (lines[i]);

        g_string_append_printf (all, "%s%s", i > 0 ? "\n" : "", line);
      }
    return mt_cli_print (all->str);
  }
}

/* --- for programs --- */

static void
add_rule (MtJsonWriter    *json,
          const MtRule    *rule,
          const MtEncoder *encoder)
{
  g_autofree char *dnf = mt_rule_dup_text (rule, encoder, MT_RULE_FORM_DNF);
  g_autofree char *cnf = mt_rule_dup_text (rule, encoder, MT_RULE_FORM_CNF);
  g_autofree char *table = mt_truth_table_dup_hex (mt_rule_get_n_inputs (rule), mt_rule_get_table (rule));

  mt_cli_json_text (json, "dnf", dnf);
  mt_cli_json_text (json, "cnf", cnf);
  mt_cli_json_count (json, "literals", mt_rule_get_n_literals (rule));
  mt_json_writer_key (json, "proven");
  mt_json_writer_boolean (json, mt_rule_get_proven (rule));
  mt_json_writer_key (json, "inputs");
  mt_json_writer_begin_row (json);
  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    {
      g_autofree char *literal = mt_encoder_dup_literal_text (encoder, mt_rule_get_inputs (rule)[i], FALSE);

      mt_json_writer_string (json, literal);
    }
  mt_json_writer_end_array (json);
  mt_cli_json_text (json, "table", table);
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    mt_cli_json_count (json, (const char *[]) { "impossible", "unseen", "neutral" }[d],
                       mt_rule_count_dont_care (rule, (MtDontCare) d));
}

static void
add_numeric (MtJsonWriter    *json,
             const MtTerm    *term,
             const MtEncoder *encoder,
             guint            n_outputs)
{
  const MtUnary *unary = mt_term_get_unary (term, encoder);
  g_autofree double *per_unit = g_new (double, n_outputs);

  for (guint c = 0; c < n_outputs; c++)
    per_unit[c] = term->weights[c] / unary->sd;
  mt_cli_json_text (json, "column", mt_encoder_get_column_name (encoder, unary->column));
  mt_cli_json_text (json, "shape", mt_shape_to_string (unary->shape));
  mt_cli_json_numbers (json, "weights_per_unit", per_unit, n_outputs);
  mt_cli_json_number (json, "mean", unary->mean);
  mt_cli_json_number (json, "sd", unary->sd);
}

static int
print_json (const MtModel *model,
            const Rows    *rows)
{
  const MtModelInfo *info = mt_model_get_info (model);
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "task", mt_task_to_string (mt_model_get_task (model)));
  mt_cli_json_text (json, "target", info->target);
  mt_json_writer_key (json, "classes");
  mt_json_writer_begin_row (json);
  for (guint c = 0; c < mt_model_get_n_classes (model); c++)
    mt_json_writer_string (json, info->classes[c]);
  mt_json_writer_end_array (json);
  mt_cli_json_count (json, "literals", mt_rule_set_get_complexity (rules));
  mt_cli_json_count (json, "rules", mt_rule_set_get_n_rules (rules));
  mt_cli_json_text (json, "dont_care", info->dont_care);
  if (rows->book != NULL)
    mt_cli_json_count (json, "rows", mt_rule_book_get_n_rows (rows->book));
  mt_json_writer_key (json, "constraints");
  mt_constraints_write (info->constraints, json);
  mt_cli_json_numbers (json, "bias", mt_rule_set_get_bias (rules), n_outputs);
  mt_json_writer_key (json, "terms");
  mt_json_writer_begin_array (json);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "kind", term->is_numeric ? "number" : "rule");
      mt_cli_json_numbers (json, "weights", term->weights, n_outputs);
      if (term->is_numeric)
        add_numeric (json, term, encoder, n_outputs);
      else
        add_rule (json, term->rule, encoder);
      if (!term->is_numeric && rows->book != NULL)
        add_fate (json, t, rows);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_key (json, "edits");
  mt_edit_records_write (info->edits, info->n_edits, json);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (json);
}

int
mt_cli_rules (int    argc,
              char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (MtCliImport) options = { NULL };
  g_autofree char *word = NULL;
  g_autofree char *path = NULL;
  gboolean is_scorecard = FALSE;
  const GOptionEntry own[] = {
    { "scorecard", 0, 0, G_OPTION_ARG_NONE, &is_scorecard, "Show points by range of each column, and interactions", NULL },
    { "form", 0, 0, G_OPTION_ARG_STRING, &word, "Form of the rules: dnf, cnf, table, or tree [default: dnf]", "FORM" },
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &path, "Also show how each rule does on these rows", "DATA.csv" },
    { NULL }
  };
  g_autofree GOptionEntry *entries =
    mt_cli_import_new_model_entries (&options, "Column of --data with the true values [default: the target of the model]", FALSE, own);
  g_autoptr (MtModel) model = NULL;
  g_auto (Rows) rows = { NULL };
  Form form = FORM_DNF;
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 2)
    return mt_cli_fail (MT_EXIT_USAGE, "rules needs one model; see minterm-cli rules --help");
  if (word != NULL && !parse_form (word, &form))
    return mt_cli_fail (MT_EXIT_USAGE, "--form must be dnf, cnf, table, or tree, not “%s”", word);
  if (word != NULL && is_scorecard)
    return mt_cli_fail (MT_EXIT_USAGE, "--scorecard and --form cannot be combined");
  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL || (path != NULL && !read_rows (model, &options, &common, path, &rows, &exit_code)))
    return exit_code;
  if (is_scorecard)
    return print_scorecard (model, &rows, common.json);
  return common.json ? print_json (model, &rows) : print_text (model, form, &rows);
}
