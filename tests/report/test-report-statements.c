/* What a report says was done is what was done: for every way to find rules, every use of the test rows, every engine,
 * and for numbers that stand for nothing. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

typedef struct {
  char *folder;
  char *data;
  char *model;
} Files;

#define N_ROWS    240
#define N_MISSING 30      /* every eighth row lacks the number */

static void
set_up (Files         *files,
        gconstpointer  unused)
{
  g_autoptr (GString) csv = g_string_new ("income,age,kind,y\n");

  files->folder = mt_test_make_folder ();
  files->data = g_build_filename (files->folder, "data.csv", NULL);
  files->model = g_build_filename (files->folder, "model.json", NULL);
  for (guint r = 0; r < N_ROWS; r++)
    {
      guint income = r * 37 % 101, age = r * 53 % 89;
      gboolean is_yes = (age > 40 && r % 3 == 1) || income > 70;

      if (r % 8 == 3)
        g_string_append_printf (csv, ",%u,k%u,%s\n", age, r % 3, is_yes ? "yes" : "no");
      else
        g_string_append_printf (csv, "%u,%u,k%u,%s\n", income, age, r % 3, is_yes ? "yes" : "no");
    }
  g_assert_true (g_file_set_contents (files->data, csv->str, -1, NULL));
}

static void
tear_down (Files         *files,
           gconstpointer  unused)
{
  mt_test_remove_folder (files->folder);
  g_free (files->folder);
  g_free (files->data);
  g_free (files->model);
}

static MtModel *
train (const Files *files,
       const char  *arguments)
{
  g_autofree char *command = g_strdup_printf ("minterm-cli train '%s' --target y %s -o '%s'", files->data, arguments,
                                              files->model);
  g_autoptr (GError) error = NULL;
  MtModel *model;

  mt_test_run_command (command);
  model = mt_model_load (files->model, &error);
  g_assert_no_error (error);
  return model;
}

/* The whole text of a report, headings and cells and all. */
static char *
dup_text (MtReportParts *parts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtReport) report = mt_report_new (parts, NULL, &error);
  GString *out = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < mt_report_get_n_blocks (report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (report, i);

      if (block->text != NULL)
        g_string_append_printf (out, "%s\n", block->text);
      for (guint c = 0; block->kind == MT_BLOCK_TABLE && c < block->cells->len; c++)
        g_string_append_printf (out, "%s%c", (const char *) g_ptr_array_index (block->cells, c),
                                (c + 1) % block->n_columns == 0 ? '\n' : '|');
    }
  return g_string_free (out, FALSE);
}

#define assert_says(text, what) G_STMT_START {                                             \
  if (strstr (text, what) == NULL)                                                         \
    g_error ("the report does not say “%s”", what); } G_STMT_END
#define assert_silent(text, what) G_STMT_START {                                           \
  if (strstr (text, what) != NULL)                                                         \
    g_error ("the report says “%s”", what); } G_STMT_END

static guint
count_nodes (const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  guint n = 0;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      n += !term->is_numeric && mt_rule_get_origin (term->rule) != NULL && mt_origin_is_node (mt_rule_get_origin (term->rule));
    }
  return n;
}

/* A column with a wall of thresholds is summed up; a rule of one condition has no diagram; the thresholds that the setting
 * allows are those that the search begins with. */
static void
test_short (Files         *files,
            gconstpointer  unused)
{
  g_autoptr (MtModel) model = train (files, "--method search --folds 2 --linear-terms none --fan-in 1 --bits 60");
  MtReportParts parts = { .model = model };
  g_autoptr (MtReport) report = mt_report_new (&parts, NULL, NULL);
  g_autofree char *text = dup_text (&parts);

  assert_says (text, "thresholds from ");
  assert_says (text, "used by the model: ≥ ");
  assert_says (text, "thresholds per numeric column that the search begins with; it may slide them to others");
  assert_silent (text, "maximum thresholds per numeric column");
  g_assert_cmpuint (mt_rule_set_get_n_rules (mt_model_get_rules (model)), >, 0);
  for (guint i = 0; i < mt_report_get_n_blocks (report); i++)
    if (mt_report_get_block (report, i)->kind == MT_BLOCK_FIGURE)
      assert_silent (mt_report_get_block (report, i)->text, "decision diagram");
}

/* The command gives the model before the edits, and that is not said to be this file. */
static void
test_edited_bytes (Files         *files,
                   gconstpointer  unused)
{
  g_autoptr (MtModel) model = train (files, "--method search --folds 2");
  MtModelInfo info = *mt_model_get_info (model);
  MtEditRecord edit = { .edit = { .kind = MT_EDIT_REFIT }, .reason = "a reason" };
  g_autoptr (MtModel) edited = NULL;
  g_autoptr (GError) error = NULL;
  MtReportParts parts = { .model = model };
  g_autofree char *before = dup_text (&parts);
  g_autofree char *after = NULL;

  edit.literals_before = edit.literals_after = mt_rule_set_get_complexity (mt_model_get_rules (model));
  info.edits = &edit;
  info.n_edits = 1;
  edited = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), (MtRuleSet *) mt_model_get_rules (model), &info, &error);
  g_assert_no_error (error);
  parts.model = edited;
  after = dup_text (&parts);
  assert_says (before, "identical to the file of this model");
  assert_silent (after, "identical to the file of this model");
  assert_says (after, "That file differs from the file of this model");
}

/* --- section 8 --- */

/* The sum is described with the kinds of terms that the model has, and a logarithm is not called a value. */
static void
test_sum (Files         *files,
          gconstpointer  unused)
{
  g_autoptr (GString) csv = g_string_new ("amount,age,y\n");
  const struct { const char *arguments, *says, *silent; } cases[] = {
    { "--linear-terms none", "score = intercept + Σ weight × rule (1 or 0)\n", "linear term adds" },
    { "--linear-terms plain --rounds 0", "Σ weight × (value − mean)\n", "log2" },
    { "--linear-terms shaped", "Σ weight × (number, log2, or clip − its mean)\n", "weight per unit above the training mean" },
    { "--linear-terms shaped", "Each linear term uses a number in the row as it is, as its logarithm (log2)", "(value − mean)" },
  };

  for (guint r = 0; r < N_ROWS; r++)
    g_string_append_printf (csv, "%u,%u,%u\n", 1u << (r * 37 % 17), r * 53 % 89, 10 * (r * 37 % 17) + r * 53 % 89 + r % 3);
  g_assert_true (g_file_set_contents (files->data, csv->str, -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *arguments = g_strdup_printf ("--method search --folds 2 %s", cases[i].arguments);
      g_autoptr (MtModel) model = train (files, arguments);
      MtReportParts parts = { .model = model };
      g_autofree char *text = dup_text (&parts);

      assert_says (text, cases[i].says);
      assert_silent (text, cases[i].silent);
    }
}

static void
test_method (Files         *files,
             gconstpointer  unused)
{
  const struct { const char *arguments, *says, *silent; } cases[] = {
    { "--restarts 0", "No network was used.", "TT-Sparse" },
    { "--restarts 2 --epochs 20", "2 networks were trained for each path", "No network was used." },
    { "--restarts 1 --epochs 20 --refine magnitude", "pruning weights by their magnitude", "direct search" },
    { "--restarts 1 --epochs 20 --refine magnitude", "1 network was trained", "were exchanged" },
    { "--epochs 20 --folds 0", "Rules of this model changed by training", "No network" },
    { "--epochs 20 --folds 0", "trained from its rules; trainings whose result was kept", "No network" },
    { "--restarts 0 --folds 0", "Conditions of the rules were exchanged", "trained from its rules" },
    { "--epochs 20 --fan-in 1", "Conditions of the rules were exchanged", "gradient" },
    { "--restarts 0 --folds 0", "Rules of this model changed by exchanges", "changed by training" },
    { "--restarts 1 --epochs 20", "1 network was trained for each path", "gradient" },
    { "--method search", "No network was used.", "left to Minterm" },
    { "--method search", "No network was trained for this model", "were exchanged" },
    { "--method search --restarts 1 --epochs 20", "is not part of the model", "were exchanged" },
    { "--method paper --epochs 20", "pruning weights by their magnitude", "direct search" },
    { "--method paper --epochs 20", "1 network was trained", "were exchanged" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MtModel) model = train (files, cases[i].arguments);
      MtReportParts parts = { .model = model };
      g_autofree char *text = dup_text (&parts);
      guint n_nodes = count_nodes (model), n_rules = mt_rule_set_get_n_rules (mt_model_get_rules (model));

      assert_says (text, cases[i].says);
      assert_silent (text, cases[i].silent);
      assert_silent (text, "Minterm learns rules as a sparse network");
      if (n_rules == 0)
        assert_says (text, "The model has no rules");
      else
        {
          g_autofree char *count = n_rules == 1 ? g_strdup ("Origin of the rule: it was") : g_strdup_printf ("Origin of the %u rules:", n_rules);

          assert_says (text, count);
          g_assert_true ((strstr (text, "a trained network (TT-Sparse)") != NULL || strstr (text, "of trained networks (TT-Sparse)") != NULL) ==
                         (n_nodes > 0));
        }
    }
}

/* --- the text of a rule --- */

/* A rule reads the same in the report and in what minterm-cli rules prints: also where its column must be present, which used to be
 * written in two ways. The window's text is compared in test-layout-formula. */
static void
test_one_text (Files         *files,
               gconstpointer  unused)
{
  g_autoptr (MtModel) model = train (files, "--method search --folds 2 --linear-terms none");
  const MtRuleSet *rules = mt_model_get_rules (model);
  MtReportParts parts = { .model = model };
  g_autofree char *text = dup_text (&parts);
  g_autofree char *printed = NULL;
  gboolean speaks_of_missing = FALSE;

  g_assert_cmpint (mt_test_cli (NULL, &printed, NULL, "rules", files->model, NULL), ==, 0);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      g_autofree char *rule = mt_rule_dup_text (mt_rule_set_get_term (rules, t)->rule, mt_model_get_encoder (model), MT_RULE_FORM_DNF);

      assert_says (text, rule);
      if (strstr (printed, rule) == NULL)
        g_error ("minterm-cli rules does not print “%s”", rule);
      speaks_of_missing |= strstr (rule, "missing") != NULL || strstr (rule, "is present") != NULL;
    }
  g_assert_true (speaks_of_missing);      /* or else this tests nothing */
  assert_silent (text, "or missing) and income is present");
}

/* There is a line to sign on, and nothing is signed. */
static void
test_not_signed (Files         *files,
                 gconstpointer  unused)
{
  g_autoptr (MtModel) model = train (files, "--method search --folds 2");
  MtReportParts parts = { .model = model };
  g_autofree char *text = dup_text (&parts);
  g_autofree char *small = g_ascii_strdown (text, -1);

  assert_says (small, "signature");
  assert_silent (small, "signed report");
  assert_silent (small, "digital");
  assert_silent (small, "is signed");
}

/* --- numbers that stand for nothing --- */

static void
test_missing (Files         *files,
              gconstpointer  unused)
{
  g_autoptr (MtModel) model = train (files, "--restarts 0 --test-fraction 0");
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  g_autoptr (GFile) file = g_file_new_for_path (files->data);
  MtImportOptions options = { .schema = schema };
  g_autoptr (MtImport) data = mt_import_file (file, &options, NULL, NULL);
  MtReportParts parts = { .model = model };
  g_autofree char *bare = dup_text (&parts);
  g_autofree char *with_rows = NULL;
  gboolean has_income = FALSE;

  parts.data = data;
  with_rows = dup_text (&parts);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      g_autofree char *name = mt_term_dup_text (mt_rule_set_get_term (rules, t), mt_model_get_encoder (model));

      has_income |= mt_rule_set_get_term (rules, t)->is_numeric && g_str_equal (name, "income");
    }
  g_assert_true (has_income);     /* or else this tests nothing */
  assert_says (bare, "A missing value counts as that mean");
  assert_says (bare, "Not available: how many rows have no value for income");
  assert_says (with_rows, "Of the 240 rows for this report, 30 (12.5%) have no value for income");
}

/* --- the test rows --- */

static void
test_use_of_test (Files         *files,
                  gconstpointer  unused)
{
  g_autoptr (MtModel) model = train (files, "--restarts 0");
  static const char * const says[] = {
    "Whether other runs or programs have used them is not recorded",
    "figures of the test rows were shown for this model only",
    "shown for 2 models of this project",
  };

  for (guint n = 0; n < G_N_ELEMENTS (says); n++)
    {
      MtReportParts parts = { .model = model, .n_tested = n };
      g_autofree char *text = dup_text (&parts);

      assert_says (text, says[n]);
      assert_says (text, "cannot know");
      assert_silent (text, "used once");
    }
}

/* --- roles --- */

/* Reported on and nothing else: neither in the model nor in the way of folds, of which there are more than values. */
static void
test_report_role (Files         *files,
                  gconstpointer  unused)
{
  g_autoptr (MtModel) plain = train (files, "--restarts 0 --role kind=ignored");
  g_autoptr (MtModel) model = train (files, "--restarts 0 --role kind=report");
  g_autofree char *a = mt_rule_set_get_n_terms (mt_model_get_rules (plain)) > 0
                       ? mt_term_dup_text (mt_rule_set_get_term (mt_model_get_rules (plain), 0), mt_model_get_encoder (plain)) : NULL;
  g_autofree char *b = mt_rule_set_get_n_terms (mt_model_get_rules (model)) > 0
                       ? mt_term_dup_text (mt_rule_set_get_term (mt_model_get_rules (model), 0), mt_model_get_encoder (model)) : NULL;

  for (guint i = 0; i < mt_encoder_get_n_columns (mt_model_get_encoder (model)); i++)
    g_assert_cmpstr (mt_encoder_get_column_name (mt_model_get_encoder (model), i), !=, "kind");
  g_assert_cmpuint (mt_model_get_info (plain)->n_test, ==, mt_model_get_info (model)->n_test);
  g_assert_cmpstr (a, ==, b);      /* as if it were ignored */
}

/* --- engines --- */

static void
test_engines (Files         *files,
              gconstpointer  unused)
{
  g_autoptr (MtModel) model = train (files, "--restarts 0");
  gsize length;
  g_autofree char *json = mt_model_to_json (model, &length);
  g_autofree char *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length);
  MtVerifyCheck checks[] = {
    { .engine = "json", .format = "json", .status = MT_VERIFY_AGREES },
    { .engine = "sqlite3", .format = "sql", .status = MT_VERIFY_AGREES },
    { .engine = "postgresql", .format = "sql", .status = MT_VERIFY_AGREES },
    { .engine = "postgresql-ansi", .format = "sql", .status = MT_VERIFY_AGREES },
    { .engine = "mariadb", .format = "sql", .status = MT_VERIFY_NOT_FOUND },
  };
  MtVerifyReport report = { hash, (char *) "0", 10, checks, G_N_ELEMENTS (checks) };
  MtReportParts parts = { .model = model, .checks = &report };
  g_autofree char *text = dup_text (&parts);
  g_autofree char *half = NULL, *none = NULL;
  guint n_agree;

  assert_says (text, "Engines that verified its exports|2 of 2 found");
  assert_says (text, "Minterm (reads the model file back)");
  checks[2].status = MT_VERIFY_DIFFERS;      /* one dialect of two: the engine does not agree */
  g_assert_cmpuint (mt_verify_report_count_engines (&report, &n_agree), ==, 2);
  g_assert_cmpuint (n_agree, ==, 1);
  half = dup_text (&parts);
  assert_says (half, "1 of 2 found");
  report.n_checks = 1;
  none = dup_text (&parts);
  assert_says (none, "Engines that verified its exports|none found");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/report/statements/" name, Files, NULL, set_up, func, tear_down)
  ADD ("short", test_short);
  ADD ("edited-bytes", test_edited_bytes);
  ADD ("sum", test_sum);
  ADD ("method", test_method);
  ADD ("one-text", test_one_text);
  ADD ("not-signed", test_not_signed);
  ADD ("missing", test_missing);
  ADD ("use-of-test", test_use_of_test);
  ADD ("report-role", test_report_role);
  ADD ("engines", test_engines);
#undef ADD
  return g_test_run ();
}
