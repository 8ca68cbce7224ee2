/* What an engine must compute to answer as the model does, and nothing about any language. See mt-export-
 * ir.h. */
#include "config.h"
#include "mt-export-ir.h"

#include <string.h>

#include "rules/mt-rule-text.h"
#include "data/mt-missing.h"

#define GROUP 32   /* alternatives in one pair of brackets */
#define UNUSED G_MAXUINT

/* --- what the terms use --- */

static void
mark_used (const MtModel *model,
           guint         *columns,
           guint         *literals)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtRuleSet *rules = mt_model_get_rules (model);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric)
        {
          columns[mt_term_get_unary (term, encoder)->column] = 0;
          continue;
        }
      for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
        {
          guint literal = mt_rule_get_inputs (term->rule)[i];

          literals[literal] = 0;
          columns[mt_encoder_get_literal (encoder, literal)->column] = 0;
        }
    }
}

/* Replaces each mark by a running number; gives how many there are. */
static guint
number_used (guint *marks,
             guint  n)
{
  guint n_used = 0;

  for (guint i = 0; i < n; i++)
    if (marks[i] != UNUSED)
      marks[i] = n_used++;
  return n_used;
}

static guint *
new_marks (guint n)
{
  guint *marks = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    marks[i] = UNUSED;
  return marks;
}

/* --- the parts --- */

static void
add_gap (MtPlanColumn *column,
         const char   *token)
{
  double value;

  if (!column->is_number || !mt_missing_get_token_value (token, column->type, &value))
    return;
  for (guint i = 0; i < column->n_gaps; i++)
    if (column->gaps[i] == value)
      return;
  column->gaps = g_renew (double, column->gaps, column->n_gaps + 1);
  column->gaps[column->n_gaps++] = value;
}

static void
add_token (const MtPlanColumn *column,
           const char         *token,
           GPtrArray          *missing,
           GPtrArray          *stand_ins)
{
  if (g_ptr_array_find_with_equal_func (missing, token, g_str_equal, NULL))
    return;
  g_ptr_array_add (missing, g_strdup (token));
  if (!g_strv_contains (mt_missing_get_default_tokens (), token))
    g_ptr_array_add (stand_ins, g_strdup (token));
}

static void
make_missing (MtPlanColumn       *column,
              const char * const *usual)
{
  const char * const *own = (const char * const *) column->about->missing_values;
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();
  g_autoptr (GPtrArray) stand_ins = g_ptr_array_new ();

  for (guint i = 0; usual[i] != NULL; i++)
    {
      add_token (column, usual[i], missing, stand_ins);
      if (column->type == MT_TYPE_NUMBER)   /* a date of the files' is known by its text alone */
        add_gap (column, usual[i]);
    }
  for (guint i = 0; own != NULL && own[i] != NULL; i++)
    {
      add_token (column, own[i], missing, stand_ins);
      add_gap (column, own[i]);
    }
  g_ptr_array_add (missing, NULL);
  g_ptr_array_add (stand_ins, NULL);
  column->missing = (char **) g_ptr_array_free (g_steal_pointer (&missing), FALSE);
  column->stand_ins = (char **) g_ptr_array_free (g_steal_pointer (&stand_ins), FALSE);
}

char *
mt_export_ir_dup_note (const MtPlanColumn *column)
{
  GString *note;
  guint n = g_strv_length (column->stand_ins);

  if (n == 0)
    return NULL;
  note = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (note, "%s“%s”", i == 0 ? "" : i + 1 < n ? ", " : " and ", column->stand_ins[i]);
  g_string_append_printf (note, " %s as missing in %s", n == 1 ? "counts" : "count", column->name);
  return g_string_free (note, FALSE);
}

static void
make_column (MtPlanColumn          *column,
             const MtEncoderColumn *about,
             const char * const    *usual)
{
  gboolean is_number = about->type == MT_TYPE_NUMBER || about->type == MT_TYPE_DATE;

  *column = (MtPlanColumn) { about->name, about->type, is_number, about };
  make_missing (column, usual);
}

static guint
find_column (const MtExportIr *plan,
             const char       *name)
{
  for (guint i = 0; i < plan->n_columns; i++)
    if (strcmp (plan->columns[i].name, name) == 0)
      return i;
  return UNUSED;
}

/* What the derived columns in use are made of is in use, too: the encoder's columns are marked, and of the others is kept what
 * an encoder would know of them. */
static void
use_sources (MtExportIr      *plan,
             const MtEncoder *encoder,
             guint           *marks)
{
  guint n = mt_encoder_get_n_columns (encoder);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) extras = g_array_new (FALSE, TRUE, sizeof (MtEncoderColumn));

  for (guint i = 0; i < n; i++)
    g_hash_table_insert (known, (gpointer) mt_encoder_get_column_name (encoder, i), GUINT_TO_POINTER (i));
  for (guint i = 0; i < n; i++)
    {
      const MtFormula *formula = mt_encoder_get_column (encoder, i)->formula;

      for (guint k = 0; formula != NULL && marks[i] != UNUSED && k < mt_formula_get_n_sources (formula); k++)
        {
          const MtFormulaSource *source = mt_formula_get_source (formula, k);
          MtEncoderColumn extra = { .name = source->name, .type = source->type, .unit = source->unit,
                                    .missing_values = source->missing_values };
          gpointer at;

          if (!g_hash_table_lookup_extended (known, source->name, NULL, &at))
            {
              g_hash_table_insert (known, source->name, GUINT_TO_POINTER (UNUSED));
              g_array_append_val (extras, extra);
            }
          else if (GPOINTER_TO_UINT (at) != UNUSED)
            marks[GPOINTER_TO_UINT (at)] = 0;
        }
    }
  plan->n_extras = extras->len;
  plan->extras = (MtEncoderColumn *) (gpointer) g_array_free (g_steal_pointer (&extras), FALSE);
}

/* Numbers those of the file before the derived ones. */
static void
number_columns (MtExportIr      *plan,
                const MtEncoder *encoder,
                guint           *marks)
{
  guint n = mt_encoder_get_n_columns (encoder), n_file = 0;

  for (guint i = 0; i < n; i++)
    if (marks[i] != UNUSED && mt_encoder_get_column (encoder, i)->formula == NULL)
      marks[i] = n_file++;
  plan->n_columns = n_file + plan->n_extras;
  for (guint i = 0; i < n; i++)
    if (marks[i] != UNUSED && mt_encoder_get_column (encoder, i)->formula != NULL)
      marks[i] = plan->n_columns + plan->n_derived++;
}

static void
make_columns (MtExportIr    *plan,
              const MtEncoder *encoder,
              const guint     *number_of)
{
  static const char * const none[] = { "", NULL };   /* how a sheet shows a missing result */

  plan->columns = g_new0 (MtPlanColumn, plan->n_columns + plan->n_derived + 1);
  for (guint i = 0; i < plan->n_extras; i++)
    make_column (&plan->columns[plan->n_columns - plan->n_extras + i], &plan->extras[i], plan->missing);
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    if (number_of[i] != UNUSED && number_of[i] < plan->n_columns)
      make_column (&plan->columns[number_of[i]], mt_encoder_get_column (encoder, i), plan->missing);
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    if (number_of[i] != UNUSED && number_of[i] >= plan->n_columns)
      {
        const MtEncoderColumn *about = mt_encoder_get_column (encoder, i);
        MtPlanColumn *column = &plan->columns[number_of[i]];
        guint n = mt_formula_get_n_sources (about->formula);

        make_column (column, about, none);
        column->formula = about->formula;
        column->sources = g_new (guint, n);
        for (guint k = 0; k < n; k++)
          column->sources[k] = find_column (plan, mt_formula_get_source (about->formula, k)->name);
      }
}

static void
make_tests (MtExportIr    *plan,
            const MtEncoder *encoder,
            const guint     *column_number,
            const guint     *literal_number)
{
  plan->tests = g_new0 (MtPlanTest, plan->n_tests + 1);
  for (guint i = 0; i < mt_encoder_get_n_literals (encoder); i++)
    if (literal_number[i] != UNUSED)
      {
        const MtLiteral *literal = mt_encoder_get_literal (encoder, i);

        plan->tests[literal_number[i]] = (MtPlanTest) {
          literal->kind, column_number[literal->column], literal->threshold, literal->level,
        };
      }
}

static void
make_terms (MtExportIr    *plan,
            const MtEncoder *encoder,
            const MtRuleSet *rules,
            const guint     *column_number,
            const guint     *literal_number)
{
  plan->n_terms = mt_rule_set_get_n_terms (rules);
  plan->terms = g_new0 (MtPlanTerm, plan->n_terms + 1);
  for (guint t = 0; t < plan->n_terms; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      MtPlanTerm *to = &plan->terms[t];
      double unit = 1;

      to->is_number = term->is_numeric;
      to->text = mt_term_dup_text (term, encoder);
      if (term->is_numeric)
        {
          const MtUnary *unary = mt_term_get_unary (term, encoder);

          to->column = column_number[unary->column];
          to->shape = unary->shape;
          to->mean = unary->mean;
          unit = unary->sd;
        }
      else
        {
          guint n_inputs = mt_rule_get_n_inputs (term->rule);

          to->rule = term->rule;
          to->tests = g_new (guint, n_inputs);
          for (guint i = 0; i < n_inputs; i++)
            to->tests[i] = literal_number[mt_rule_get_inputs (term->rule)[i]];
        }
      to->weights = g_new (double, plan->n_outputs);
      for (guint c = 0; c < plan->n_outputs; c++)
        to->weights[c] = term->weights[c] / unit;
    }
}

MtExportIr *
mt_export_ir_new (MtModel *model)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtModelInfo *info = mt_model_get_info (model);
  g_autofree guint *columns = new_marks (mt_encoder_get_n_columns (encoder));
  g_autofree guint *literals = new_marks (mt_encoder_get_n_literals (encoder));
  MtExportIr *plan = g_new0 (MtExportIr, 1);
  g_autofree char *json = NULL;
  gsize length;

  plan->model = mt_model_ref (model);
  plan->task = mt_model_get_task (model);
  plan->cutoff = mt_model_get_cutoff (model);
  plan->n_outputs = mt_rule_set_get_n_outputs (rules);
  plan->bias = mt_rule_set_get_bias (rules);
  plan->n_classes = mt_model_get_n_classes (model);
  plan->classes = info->classes;
  plan->missing = mt_model_get_missing_tokens (model);

  mark_used (model, columns, literals);
  use_sources (plan, encoder, columns);
  number_columns (plan, encoder, columns);
  plan->n_tests = number_used (literals, mt_encoder_get_n_literals (encoder));
  make_columns (plan, encoder, columns);
  make_tests (plan, encoder, columns, literals);
  make_terms (plan, encoder, rules, columns, literals);

  plan->outputs = g_new0 (char *, plan->n_classes + 2);
  plan->outputs[0] = g_strdup ("prediction");
  for (guint c = 0; c < plan->n_classes; c++)
    plan->outputs[c + 1] = g_strconcat ("p_", plan->classes[c], NULL);

  json = mt_model_to_json (model, &length);
  plan->sha256 = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length);
  return plan;
}

void
mt_export_ir_free (MtExportIr *plan)
{
  if (plan == NULL)
    return;
  for (guint t = 0; t < plan->n_terms; t++)
    {
      g_free (plan->terms[t].tests);
      g_free (plan->terms[t].weights);
      g_free (plan->terms[t].text);
    }
  g_free (plan->terms);
  g_free (plan->tests);
  for (guint i = 0; i < plan->n_columns + plan->n_derived; i++)
    {
      g_free (plan->columns[i].sources);
      g_strfreev (plan->columns[i].missing);
      g_strfreev (plan->columns[i].stand_ins);
      g_free (plan->columns[i].gaps);
    }
  g_free (plan->columns);
  g_free (plan->extras);
  g_strfreev (plan->outputs);
  g_free (plan->sha256);
  mt_model_unref (plan->model);
  g_free (plan);
}

/* --- rules in infix --- */

static void
append_cube (const MtExportIr *plan,
             const MtPlanTerm   *term,
             MtCube              cube,
             const MtPlanLogic  *logic,
             gconstpointer       data,
             GString            *out)
{
  gboolean is_first = TRUE;

  g_string_append_c (out, '(');
  for (guint32 rest = cube.mask; rest != 0; rest &= rest - 1)
    {
      guint i = (guint) __builtin_ctz (rest);

      g_string_append (out, is_first ? "" : logic->and);
      g_string_append (out, ((cube.value >> i) & 1) != 0 ? "" : logic->not);
      logic->append_test (out, plan, &plan->tests[term->tests[i]], data);
      is_first = FALSE;
    }
  g_string_append_c (out, ')');
}

static void
append_cubes (const MtExportIr *plan,
              const MtPlanTerm   *term,
              guint               first,
              guint               n,
              const MtPlanLogic  *logic,
              gconstpointer       data,
              GString            *out)
{
  const MtCube *cubes = mt_rule_get_cubes (term->rule);
  guint step = 1;

  while (step * GROUP < n)
    step *= GROUP;
  if (n == 1)
    {
      append_cube (plan, term, cubes[first], logic, data, out);
      return;
    }
  g_string_append_c (out, '(');
  for (guint i = 0; i < n; i += step)
    {
      g_string_append (out, i > 0 ? logic->or : "");
      append_cubes (plan, term, first + i, MIN (step, n - i), logic, data, out);
    }
  g_string_append_c (out, ')');
}

void
mt_export_ir_append_rule (const MtExportIr *plan,
                          const MtPlanTerm   *term,
                          const MtPlanLogic  *logic,
                          gconstpointer       data,
                          GString            *out)
{
  append_cubes (plan, term, 0, mt_rule_get_n_cubes (term->rule), logic, data, out);
}

/* --- formulas --- */

char *
mt_export_ir_dup_formula (const MtPlanColumn *column)
{
  return column->formula != NULL ? g_strdup_printf ("%s = %s", column->name, mt_formula_get_text (column->formula)) : NULL;
}

static void
append_calls (const MtExportIr    *plan,
              const MtPlanColumn  *column,
              const MtFormulaNode *node,
              const MtPlanCalls   *calls,
              gconstpointer        data,
              GString             *out)
{
  if (node->kind == MT_FORMULA_NUMBER)
    {
      calls->append_number (out, node->number, data);
      return;
    }
  if (node->kind == MT_FORMULA_SOURCE)
    {
      calls->append_source (out, plan, column->sources[node->source], data);
      return;
    }
  g_string_append_printf (out, "%s(", calls->calls[node->kind]);
  append_calls (plan, column, node->a, calls, data, out);
  if (node->b != NULL)
    {
      g_string_append (out, ", ");
      append_calls (plan, column, node->b, calls, data, out);
    }
  if (node->kind == MT_FORMULA_DAYS_SINCE)
    {
      g_string_append (out, ", ");
      calls->append_number (out, node->number, data);
    }
  if (node->kind == MT_FORMULA_CONTAINS)
    {
      g_string_append (out, ", ");
      calls->append_text (out, node->text, data);
    }
  if (node->kind == MT_FORMULA_BINS)
    {
      g_string_append_printf (out, ", %s", calls->edges[0]);
      for (guint i = 0; i < node->n_edges; i++)
        {
          g_string_append (out, i > 0 ? ", " : "");
          calls->append_number (out, node->edges[i], data);
        }
      g_string_append (out, calls->edges[1]);
    }
  if (mt_formula_get_levels (column->formula) != NULL && node == mt_formula_get_root (column->formula))
    {
      const char * const *levels = mt_formula_get_levels (column->formula);

      g_string_append_printf (out, ", %s", calls->levels[0]);
      for (guint i = 0; levels[i] != NULL; i++)
        {
          g_string_append (out, i > 0 ? ", " : "");
          calls->append_text (out, levels[i], data);
        }
      g_string_append (out, calls->levels[1]);
    }
  g_string_append_c (out, ')');
}

void
mt_export_ir_append_formula (const MtExportIr   *plan,
                             const MtPlanColumn *column,
                             const MtPlanCalls  *calls,
                             gconstpointer       data,
                             GString            *out)
{
  append_calls (plan, column, mt_formula_get_root (column->formula), calls, data, out);
}
