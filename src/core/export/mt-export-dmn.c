/* DMN 1.3: a decision table a rule, whose rows are the paths of its decision diagram. Paths are
 * disjoint and cover everything, so the hit policy is UNIQUE and exactly one row answers. Sums,
 * probabilities and the class are literal expressions.
 *
 * FEEL allows few characters in a name, so the inputs are c0, c1, … with the column's name as
 * their label; dates are numbers, days since 1970-01-01. Where a value counts as missing, a decision v0, v1, …
 * makes null of it, and the rest asks that one. FEEL has no exponents in numbers. */
#include "config.h"
#include "mt-export-writers.h"

#include <stdlib.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "logic/mt-diagram.h"

/* All digits, no exponent. */
static void
append_number (GString *out,
               double   value)
{
  char buffer[MT_DECIMAL_SIZE];
  g_autoptr (GString) digits = g_string_new (NULL);
  const char *p;
  int point = -1, exponent = 0;

  mt_decimal_write (value, buffer);
  if (strchr (buffer, 'e') == NULL)
    {
      g_string_append_printf (out, value < 0 ? "(%s)" : "%s", buffer);
      return;
    }
  for (p = buffer + (*buffer == '-'); *p != '\0' && *p != 'e'; p++)
    if (*p == '.')
      point = (int) digits->len;
    else
      g_string_append_c (digits, *p);
  exponent = (int) g_ascii_strtoll (p + 1, NULL, 10);
  point = (point < 0 ? (int) digits->len : point) + exponent;
  for (; point <= 0; point++)
    g_string_prepend_c (digits, '0');
  while ((int) digits->len < point)
    g_string_append_c (digits, '0');
  if (point < (int) digits->len)
    g_string_insert_c (digits, point, '.');
  g_string_append_printf (out, value < 0 ? "(-%s)" : "%s", digits->str);
}

/* @feel as the text of an element. */
static void
append_expression (GString    *out,
                   const char *feel)
{
  g_string_append (out, "<text>");
  mt_quote_append_xml (out, feel);
  g_string_append (out, "</text>");
}

/* What holds the column's value: the input, or the decision that knows what counts as missing. */
static char *
dup_cell (const MtExportIr *plan,
          guint               column)
{
  return g_strdup_printf ("%c%u", mt_plan_column_has_gaps (&plan->columns[column]) ? 'v' : 'c', column);
}

static char *
dup_test (const MtExportIr *plan,
          const MtPlanTest   *test)
{
  g_autofree char *cell = dup_cell (plan, test->column);
  GString *feel = g_string_new (NULL);

  g_string_append_printf (feel, "%s %s null", cell, test->kind == MT_LITERAL_MISSING ? "=" : "!=");
  if (test->kind == MT_LITERAL_AT_LEAST)
    {
      g_string_append_printf (feel, " and %s >= ", cell);
      append_number (feel, test->threshold);
    }
  else if (test->kind == MT_LITERAL_LEVEL)
    {
      g_string_append_printf (feel, " and %s = ", cell);
      mt_quote_append (feel, MT_QUOTE_FEEL, test->level);
    }
  else if (test->kind == MT_LITERAL_OTHER)
    {
      const char * const *levels = mt_plan_get_levels (plan, test);

      g_string_append (feel, " and not(list contains([");
      for (guint i = 0; levels[i] != NULL; i++)
        {
          g_string_append (feel, i > 0 ? ", " : "");
          mt_quote_append (feel, MT_QUOTE_FEEL, levels[i]);
        }
      g_string_append_printf (feel, "], %s))", cell);
    }
  return g_string_free (feel, FALSE);
}

static void
begin_decision (GString    *out,
                const char *name,
                const char *label,
                const char *type)
{
  g_string_append_printf (out, "  <decision id=\"%s\" name=\"%s\" label=\"", name, name);
  mt_quote_append_xml (out, label);
  g_string_append_printf (out, "\">\n    <variable id=\"%s_value\" name=\"%s\" typeRef=\"%s\"/>\n", name, name, type);
}

static void
append_requirement (GString    *out,
                    const char *owner,
                    const char *kind,
                    const char *name)
{
  g_string_append_printf (out, "    <informationRequirement id=\"%s_needs_%s\"><required%s href=\"#%s\"/>"
                          "</informationRequirement>\n", owner, name, kind, name);
}

/* --- what counts as missing --- */

static void
append_known (GString            *out,
              const MtExportIr *plan,
              guint               index)
{
  const MtPlanColumn *column = &plan->columns[index];
  g_autofree char *name = dup_cell (plan, index);
  g_autofree char *note = mt_export_ir_dup_note (column);
  g_autofree char *input = g_strdup_printf ("c%u", index);
  g_autoptr (GString) feel = g_string_new ("if list contains([");

  begin_decision (out, name, note, column->is_number ? "number" : "string");
  append_requirement (out, name, "Input", input);
  for (guint i = 0; column->is_number ? i < column->n_gaps : column->stand_ins[i] != NULL; i++)
    {
      g_string_append (feel, i > 0 ? ", " : "");
      if (column->is_number)
        append_number (feel, column->gaps[i]);
      else
        mt_quote_append (feel, MT_QUOTE_FEEL, column->stand_ins[i]);
    }
  g_string_append_printf (feel, "], %s) then null else %s", input, input);
  g_string_append_printf (out, "    <literalExpression id=\"%s_is\">", name);
  append_expression (out, feel->str);
  g_string_append (out, "</literalExpression>\n  </decision>\n");
}

/* --- the table of a rule --- */

typedef struct {
  GString *out;
  guint    term;
  guint    n_inputs;
  guint    n_paths;
} Paths;

static gboolean
append_path (MtCube   path,
             gboolean leaf,
             gpointer data)
{
  Paths *paths = data;

  g_string_append_printf (paths->out, "      <rule id=\"t%u_%u\">", paths->term, paths->n_paths++);
  for (guint i = 0; i < paths->n_inputs; i++)
    g_string_append_printf (paths->out, "<inputEntry id=\"t%u_%u_%u\"><text>%s</text></inputEntry>", paths->term,
                            paths->n_paths - 1, i,
                            ((path.mask >> i) & 1) == 0 ? "-" : ((path.value >> i) & 1) != 0 ? "true" : "false");
  g_string_append_printf (paths->out, "<outputEntry id=\"t%u_%u_out\"><text>%d</text></outputEntry></rule>\n",
                          paths->term, paths->n_paths - 1, leaf ? 1 : 0);
  return TRUE;
}

static void
append_rule (GString            *out,
             const MtExportIr *plan,
             guint               index,
             const char         *name)
{
  const MtPlanTerm *term = &plan->terms[index];
  Paths paths = { out, index, mt_rule_get_n_inputs (term->rule), 0 };
  g_autoptr (MtDiagram) diagram = mt_diagram_new (paths.n_inputs, mt_rule_get_table (term->rule));
  g_autofree gboolean *needed = g_new0 (gboolean, plan->n_columns + 1);

  for (guint i = 0; i < paths.n_inputs; i++)
    needed[plan->tests[term->tests[i]].column] = TRUE;
  for (guint c = 0; c < plan->n_columns; c++)
    if (needed[c])
      {
        g_autofree char *cell = dup_cell (plan, c);

        append_requirement (out, name, *cell == 'c' ? "Input" : "Decision", cell);
      }
  g_string_append_printf (out, "    <decisionTable id=\"%s_table\" hitPolicy=\"UNIQUE\">\n", name);
  for (guint i = 0; i < paths.n_inputs; i++)
    {
      g_autofree char *feel = dup_test (plan, &plan->tests[term->tests[i]]);

      g_string_append_printf (out, "      <input id=\"%s_in%u\"><inputExpression id=\"%s_in%u_is\" "
                              "typeRef=\"boolean\">", name, i, name, i);
      append_expression (out, feel);
      g_string_append (out, "</inputExpression></input>\n");
    }
  g_string_append_printf (out, "      <output id=\"%s_out\" name=\"%s\" typeRef=\"number\"/>\n", name, name);
  mt_diagram_foreach_path (diagram, append_path, &paths);
  g_string_append (out, "    </decisionTable>\n");
}

/* The number in its shape, and a minus. */
static void
append_shaped (GString               *feel,
               const MtEncoderColumn *about,
               MtShape                shape,
               const char            *cell)
{
  if (shape == MT_SHAPE_LOG)
    {
      g_string_append_printf (feel, "(if %s < ", cell);
      append_number (feel, about->log.center);
      g_string_append (feel, " then 0 - log(1 + (");
      append_number (feel, about->log.center);
      g_string_append_printf (feel, " - %s)) else log(1 + (%s - ", cell, cell);
      append_number (feel, about->log.center);
      g_string_append (feel, "))) / log(2) - ");
    }
  else if (shape == MT_SHAPE_CLIPPED)
    {
      g_string_append (feel, "max(");
      append_number (feel, about->clipped.low);
      g_string_append (feel, ", min(");
      append_number (feel, about->clipped.high);
      g_string_append_printf (feel, ", %s)) - ", cell);
    }
  else
    g_string_append_printf (feel, "%s - ", cell);
}

static void
append_term (GString            *out,
             const MtExportIr *plan,
             guint               index)
{
  const MtPlanTerm *term = &plan->terms[index];
  g_autofree char *name = g_strdup_printf ("t%u", index);

  begin_decision (out, name, term->text, "number");
  if (term->is_number)
    {
      g_autofree char *cell = dup_cell (plan, term->column);
      g_autoptr (GString) feel = g_string_new (NULL);

      g_string_append_printf (feel, "if %s = null then 0 else ", cell);
      append_shaped (feel, plan->columns[term->column].about, term->shape, cell);
      append_number (feel, term->mean);
      append_requirement (out, name, *cell == 'c' ? "Input" : "Decision", cell);
      g_string_append_printf (out, "    <literalExpression id=\"%s_is\">", name);
      append_expression (out, feel->str);
      g_string_append (out, "</literalExpression>\n");
    }
  else
    append_rule (out, plan, index, name);
  g_string_append (out, "  </decision>\n");
}

/* --- sums and answers --- */

/* A decision that is one expression over @n others called @prefix0, @prefix1, … */
static void
append_formula (GString    *out,
                const char *name,
                const char *label,
                const char *type,
                const char *prefix,
                guint       n,
                const char *feel)
{
  begin_decision (out, name, label, type);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *other = g_strdup_printf ("%s%u", prefix, i);

      append_requirement (out, name, "Decision", other);
    }
  g_string_append_printf (out, "    <literalExpression id=\"%s_is\">", name);
  append_expression (out, feel);
  g_string_append (out, "</literalExpression>\n  </decision>\n");
}

static void
append_scores (GString            *out,
               const MtExportIr *plan)
{
  for (guint c = 0; c < plan->n_outputs; c++)
    {
      g_autofree char *name = plan->n_classes > 0 ? g_strdup_printf ("s%u", c) : g_strdup ("prediction");
      g_autoptr (GString) feel = g_string_new (NULL);

      append_number (feel, plan->bias[c]);
      for (guint t = 0; t < plan->n_terms; t++)
        {
          g_string_append (feel, " + ");
          append_number (feel, plan->terms[t].weights[c]);
          g_string_append_printf (feel, " * t%u", t);
        }
      append_formula (out, name, plan->n_classes > 0 ? "score" : "prediction", "number", "t", plan->n_terms, feel->str);
    }
}

static void
append_answer (GString            *out,
               const MtExportIr *plan)
{
  g_autoptr (GString) decision = g_string_new (NULL);
  char cutoff[MT_DECIMAL_SIZE];

  if (plan->n_classes == 0)
    return;
  if (plan->task == MT_TASK_BINARY)
    {
      append_formula (out, "p1", plan->outputs[2], "number", "s", 1, "1 / (1 + exp(-s0))");
      append_formula (out, "p0", plan->outputs[1], "number", "s", 1, "1 - 1 / (1 + exp(-s0))");
      g_string_append_printf (decision, "if p1 > %s then ", mt_decimal_write (plan->cutoff, cutoff));
      mt_quote_append (decision, MT_QUOTE_FEEL, plan->classes[1]);
      g_string_append (decision, " else ");
      mt_quote_append (decision, MT_QUOTE_FEEL, plan->classes[0]);
    }
  else
    {
      /* exp (s_c) / Σ exp (s_k), each difference taken first so that nothing overflows. */
      for (guint c = 0; c < plan->n_classes; c++)
        {
          g_autofree char *name = g_strdup_printf ("p%u", c);
          g_autoptr (GString) feel = g_string_new ("1 / (1");

          for (guint k = 0; k < plan->n_classes; k++)
            if (k != c)
              g_string_append_printf (feel, " + exp(s%u - s%u)", k, c);
          g_string_append_c (feel, ')');
          append_formula (out, name, plan->outputs[c + 1], "number", "s", plan->n_outputs, feel->str);
        }
      for (guint c = 0; c + 1 < plan->n_classes; c++)
        {
          g_string_append (decision, "if ");
          for (guint k = c + 1; k < plan->n_classes; k++)
            g_string_append_printf (decision, "%ss%u >= s%u", k > c + 1 ? " and " : "", c, k);
          g_string_append (decision, " then ");
          mt_quote_append (decision, MT_QUOTE_FEEL, plan->classes[c]);
          g_string_append (decision, " else ");
        }
      mt_quote_append (decision, MT_QUOTE_FEEL, plan->classes[plan->n_classes - 1]);
    }
  append_formula (out, "prediction", "prediction", "string", plan->task == MT_TASK_BINARY ? "p" : "s", plan->n_classes,
                  decision->str);
}

void
mt_export_dmn (const MtExportIr *plan,
               GString            *out)
{
  g_string_append_printf (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<definitions xmlns=\"https://www.omg.org/spec/DMN/20191111/MODEL/\" id=\"minterm\" "
                          "name=\"minterm\" namespace=\"urn:minterm:%s\" exporter=\"Minterm\" "
                          "exporterVersion=\"" MT_VERSION "\">\n", plan->sha256);
  for (guint c = 0; c < plan->n_columns; c++)
    {
      const MtPlanColumn *column = &plan->columns[c];

      g_string_append_printf (out, "  <inputData id=\"c%u\" name=\"c%u\" label=\"", c, c);
      mt_quote_append_xml (out, column->name);
      g_string_append (out, column->type == MT_TYPE_DATE ? ", days since 1970-01-01" : "");
      g_string_append_printf (out, "\"><variable id=\"c%u_value\" name=\"c%u\" typeRef=\"%s\"/></inputData>\n", c, c,
                              column->is_number ? "number" : "string");
    }
  for (guint c = 0; c < plan->n_columns; c++)
    if (mt_plan_column_has_gaps (&plan->columns[c]))
      append_known (out, plan, c);
  for (guint t = 0; t < plan->n_terms; t++)
    append_term (out, plan, t);
  append_scores (out, plan);
  append_answer (out, plan);
  g_string_append (out, "</definitions>\n");
}
