/* Layout of the sheet `Calculator`: row 1 holds the heads, each row below it a case:
 *
 *   A        the case's name; without one the answer stays blank
 *   B …      the columns that the model asks about: numbers, dates, or text; blank is missing
 *   then     a term each, a score each, the prediction and p of each class
 *
 * The sheet `Model` says what the terms are and what they weigh. Text cells are typed as text, so
 * none is ever taken for a formula. A spreadsheet takes numbers that differ in the fifteenth digit
 * for equal, so cells of up to 14 digits get the exact answer. */
#include "config.h"
#include "mt-export-ods.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "mt-export-text.h"
#include "base/mt-gettext.h"
#include "base/mt-zip.h"

#define BLANK_ROWS   100
#define MAX_COLUMNS  1000
#define DAY_0        25569       /* 1970-01-01 in a sheet's count of days */
#define MOMENT       1e-6        /* of a day: dates are compared to the second */
#define PER_CALL     100         /* arguments: a function takes at most 255 */

typedef struct {
  const MtExportIr *plan;
  GString            *out;
  gsize               row;          /* in the sheet, from 1 */
} Sheet;

/* --- references --- */

static void
append_letters (GString *out,
                guint    column)
{
  if (column >= 26)
    append_letters (out, column / 26 - 1);
  g_string_append_c (out, (char) ('A' + column % 26));
}

static void
append_reference (const Sheet *sheet,
                  guint        column)
{
  g_string_append (sheet->out, "[.");
  append_letters (sheet->out, column);
  g_string_append_printf (sheet->out, "%" G_GSIZE_FORMAT "]", sheet->row);
}

static guint
cell_column (guint cell)
{
  return 1 + cell;
}

static guint
term_column (const MtExportIr *plan,
             guint               term)
{
  return 1 + plan->n_columns + plan->n_derived + term;
}

static guint
score_column (const MtExportIr *plan,
              guint               output)
{
  return 1 + plan->n_columns + plan->n_derived + plan->n_terms + output;
}

static guint
answer_column (const MtExportIr *plan,
               guint               answer)
{
  return 1 + plan->n_columns + plan->n_derived + plan->n_terms + plan->n_outputs + answer;
}

static void
append_range (const Sheet *sheet,
              guint        first,
              guint        last)
{
  g_string_append (sheet->out, "[.");
  append_letters (sheet->out, first);
  g_string_append_printf (sheet->out, "%" G_GSIZE_FORMAT ":.", sheet->row);
  append_letters (sheet->out, last);
  g_string_append_printf (sheet->out, "%" G_GSIZE_FORMAT "]", sheet->row);
}

/* --- formulas, inside an attribute of XML --- */

static void
append_number (GString *out,
               double   value)
{
  char buffer[MT_DECIMAL_SIZE];

  g_string_append_printf (out, value < 0 ? "(%s)" : "%s", mt_decimal_write (value, buffer));
}

static void
append_exact (const Sheet *sheet,
              guint        column,
              gboolean     trimmed,
              const char  *text)
{
  g_string_append (sheet->out, trimmed ? "EXACT(TRIM(" : "EXACT(");
  append_reference (sheet, cell_column (column));
  g_string_append (sheet->out, trimmed ? "&amp;&quot;&quot;);" : "&amp;&quot;&quot;;");
  mt_quote_append_formula (sheet->out, text);
  g_string_append_c (sheet->out, ')');
}

static void
append_any (const Sheet        *sheet,
            guint               column,
            gboolean            trimmed,
            const char * const *texts)
{
  guint n = g_strv_length ((char **) texts);

  g_string_append (sheet->out, "OR(");
  for (guint i = 0; i < n; i++)
    {
      if (i % PER_CALL == 0)
        g_string_append (sheet->out, i > 0 ? ");OR(" : "OR(");
      else
        g_string_append_c (sheet->out, ';');
      append_exact (sheet, column, trimmed, texts[i]);
    }
  g_string_append (sheet->out, n > 0 ? "))" : "FALSE())");
}

static void
append_is_number (const Sheet *sheet,
                  guint        column)
{
  const MtPlanColumn *about = &sheet->plan->columns[column];

  g_string_append (sheet->out, "AND(ISNUMBER(");
  append_reference (sheet, cell_column (column));
  g_string_append_c (sheet->out, ')');
  for (guint i = 0; i < about->n_gaps; i++)
    {
      g_string_append (sheet->out, about->type == MT_TYPE_DATE ? ";ABS(" : ";");
      append_reference (sheet, cell_column (column));
      if (about->type == MT_TYPE_DATE)
        {
          g_string_append_c (sheet->out, '-');
          append_number (sheet->out, about->gaps[i] + DAY_0);
          g_string_append (sheet->out, ")&gt;");
          append_number (sheet->out, MOMENT);
        }
      else
        {
          g_string_append (sheet->out, "&lt;&gt;");
          append_number (sheet->out, about->gaps[i]);
        }
    }
  g_string_append_c (sheet->out, ')');
}

/* --- derived columns --- */

static void append_step (const Sheet *sheet, const MtPlanColumn *column, const MtFormulaNode *node);

static void
append_call (const Sheet         *sheet,
             const char          *before,
             const MtPlanColumn  *column,
             const MtFormulaNode *node,
             const char          *behind)
{
  g_string_append (sheet->out, before);
  append_step (sheet, column, node);
  g_string_append (sheet->out, behind);
}

/* One of the levels, by a number from 1 that @append writes. */
static void
append_choice (const Sheet        *sheet,
               const MtPlanColumn *column)
{
  const char * const *levels = mt_formula_get_levels (column->formula);

  for (guint i = 0; levels[i] != NULL; i++)
    {
      g_string_append_c (sheet->out, ';');
      mt_quote_append_formula (sheet->out, levels[i]);
    }
  g_string_append_c (sheet->out, ')');
}

/* Errors are caught around the whole. A date is a number of days since 1970-01-01, as everywhere, but for the functions that
 * take a date of the sheet. */
static void
append_step (const Sheet         *sheet,
             const MtPlanColumn  *column,
             const MtFormulaNode *node)
{
  static const char * const signs[] = {
    [MT_FORMULA_ADD] = "+", [MT_FORMULA_SUBTRACT] = "-", [MT_FORMULA_MULTIPLY] = "*", [MT_FORMULA_DIVIDE] = "/",
    [MT_FORMULA_YEAR] = "YEAR(", [MT_FORMULA_MONTH] = "MONTH(", [MT_FORMULA_DAY] = "DAY(",
  };
  guint source;

  switch (node->kind)
    {
    case MT_FORMULA_NUMBER:
      append_number (sheet->out, node->number);
      break;
    case MT_FORMULA_SOURCE:
      source = column->sources[node->source];
      g_string_append_c (sheet->out, '(');
      append_reference (sheet, cell_column (source));
      g_string_append_printf (sheet->out, sheet->plan->columns[source].type == MT_TYPE_DATE ? "-%d)" : ")", DAY_0);
      break;
    case MT_FORMULA_ADD:
    case MT_FORMULA_SUBTRACT:
    case MT_FORMULA_MULTIPLY:
    case MT_FORMULA_DIVIDE:
      append_call (sheet, "(", column, node->a, signs[node->kind]);
      append_call (sheet, "", column, node->b, ")");
      break;
    case MT_FORMULA_NEGATE:
      append_call (sheet, "(0-", column, node->a, ")");
      break;
    case MT_FORMULA_LOG:
      append_call (sheet, "LN(", column, node->a, ")");
      break;
    case MT_FORMULA_ABS:
      append_call (sheet, "ABS(", column, node->a, ")");
      break;
    case MT_FORMULA_DAYS_SINCE:
      append_call (sheet, "(", column, node->a, "-");
      append_number (sheet->out, node->number);
      g_string_append_c (sheet->out, ')');
      break;
    case MT_FORMULA_YEAR:
    case MT_FORMULA_MONTH:
    case MT_FORMULA_DAY:
      g_string_append (sheet->out, signs[node->kind]);
      append_reference (sheet, cell_column (column->sources[node->a->source]));
      g_string_append_c (sheet->out, ')');
      break;
    case MT_FORMULA_WEEKDAY:
      append_call (sheet, "CHOOSE(MOD(INT(", column, node->a, ")+3;7)+1");
      append_choice (sheet, column);
      break;
    case MT_FORMULA_CONTAINS:
      g_string_append (sheet->out, "CHOOSE(IF(ISERROR(FIND(");
      mt_quote_append_formula (sheet->out, node->text);
      g_string_append_c (sheet->out, ';');
      append_reference (sheet, cell_column (column->sources[node->a->source]));
      g_string_append (sheet->out, "&amp;&quot;&quot;));1;2)");
      append_choice (sheet, column);
      break;
    case MT_FORMULA_BINS:
      g_string_append (sheet->out, "CHOOSE(1");
      for (guint i = 0; i < node->n_edges; i++)
        {
          append_call (sheet, "+IF(", column, node->a, "&gt;=");
          append_number (sheet->out, node->edges[i]);
          g_string_append (sheet->out, ";1;0)");
        }
      append_choice (sheet, column);
      break;
    case MT_N_FORMULA_KINDS:
    default:
      g_assert_not_reached ();
    }
}

/* Nothing where a source is missing or a step fails. */
static void
append_derived (const Sheet        *sheet,
                const MtPlanColumn *column)
{
  g_string_append (sheet->out, "IF(AND(TRUE()");
  for (guint i = 0; i < mt_formula_get_n_sources (column->formula); i++)
    {
      const MtPlanColumn *source = &sheet->plan->columns[column->sources[i]];

      g_string_append_c (sheet->out, ';');
      if (source->is_number)
        append_is_number (sheet, column->sources[i]);
      else
        {
          g_string_append (sheet->out, "NOT(");
          append_any (sheet, column->sources[i], TRUE, (const char * const *) source->missing);
          g_string_append_c (sheet->out, ')');
        }
    }
  g_string_append (sheet->out, ");IFERROR(");
  append_step (sheet, column, mt_formula_get_root (column->formula));
  g_string_append (sheet->out, ";&quot;&quot;);&quot;&quot;)");
}

static void
append_test (const Sheet      *sheet,
             const MtPlanTest *test)
{
  const MtPlanColumn *column = &sheet->plan->columns[test->column];

  switch (test->kind)
    {
    case MT_LITERAL_AT_LEAST:
      g_string_append (sheet->out, "AND(");
      append_is_number (sheet, test->column);
      g_string_append_c (sheet->out, ';');
      append_reference (sheet, cell_column (test->column));
      g_string_append (sheet->out, "&gt;=");
      append_number (sheet->out, column->type == MT_TYPE_DATE ? test->threshold + DAY_0 - MOMENT : test->threshold);
      g_string_append_c (sheet->out, ')');
      break;
    case MT_LITERAL_LEVEL:
      /* A blank cell is missing, and never the level "". */
      if (g_strv_contains (sheet->plan->missing, test->level))
        g_string_append (sheet->out, "FALSE()");
      else
        append_exact (sheet, test->column, FALSE, test->level);
      break;
    case MT_LITERAL_OTHER:
      g_string_append (sheet->out, "NOT(OR(");
      append_any (sheet, test->column, TRUE, (const char * const *) column->missing);
      g_string_append_c (sheet->out, ';');
      append_any (sheet, test->column, FALSE, mt_plan_get_levels (sheet->plan, test));
      g_string_append (sheet->out, "))");
      break;
    case MT_LITERAL_MISSING:
    default:
      if (column->is_number)
        {
          g_string_append (sheet->out, "NOT(");
          append_is_number (sheet, test->column);
          g_string_append_c (sheet->out, ')');
        }
      else
        append_any (sheet, test->column, TRUE, (const char * const *) column->missing);
      break;
    }
}

static void
append_cube (const Sheet      *sheet,
             const MtPlanTerm *term,
             MtCube            cube)
{
  gboolean is_first = TRUE;

  g_string_append (sheet->out, "AND(");
  for (guint32 rest = cube.mask; rest != 0; rest &= rest - 1)
    {
      guint i = (guint) __builtin_ctz (rest);
      gboolean negated = ((cube.value >> i) & 1) == 0;

      g_string_append (sheet->out, is_first ? "" : ";");
      g_string_append (sheet->out, negated ? "NOT(" : "");
      append_test (sheet, &sheet->plan->tests[term->tests[i]]);
      g_string_append (sheet->out, negated ? ")" : "");
      is_first = FALSE;
    }
  g_string_append_c (sheet->out, ')');
}

static void
append_shaped (const Sheet      *sheet,
               const MtPlanTerm *term)
{
  const MtEncoderColumn *about = sheet->plan->columns[term->column].about;

  if (term->shape == MT_SHAPE_LOG)
    {
      g_string_append (sheet->out, "SIGN(");
      append_reference (sheet, cell_column (term->column));
      g_string_append (sheet->out, "-(");
      append_number (sheet->out, about->log.center);
      g_string_append (sheet->out, "))*LN(1+ABS(");
      append_reference (sheet, cell_column (term->column));
      g_string_append (sheet->out, "-(");
      append_number (sheet->out, about->log.center);
      g_string_append (sheet->out, ")))/LN(2)");
    }
  else if (term->shape == MT_SHAPE_CLIPPED)
    {
      g_string_append (sheet->out, "MAX(");
      append_number (sheet->out, about->clipped.low);
      g_string_append (sheet->out, ";MIN(");
      append_number (sheet->out, about->clipped.high);
      g_string_append_c (sheet->out, ';');
      append_reference (sheet, cell_column (term->column));
      g_string_append (sheet->out, "))");
    }
  else
    append_reference (sheet, cell_column (term->column));
}

static void
append_term (const Sheet      *sheet,
             const MtPlanTerm *term)
{
  const MtPlanColumn *column = &sheet->plan->columns[term->column];
  guint n_cubes;

  if (term->is_number)
    {
      g_string_append (sheet->out, "IF(");
      append_is_number (sheet, term->column);
      g_string_append_c (sheet->out, ';');
      append_shaped (sheet, term);
      g_string_append_c (sheet->out, '-');
      append_number (sheet->out, column->type == MT_TYPE_DATE ? term->mean + DAY_0 : term->mean);
      g_string_append (sheet->out, ";0)");
      return;
    }
  n_cubes = mt_rule_get_n_cubes (term->rule);
  g_string_append (sheet->out, "IF(OR(");
  for (guint k = 0; k < n_cubes; k++)
    {
      if (k % PER_CALL == 0)
        g_string_append (sheet->out, k > 0 ? ");OR(" : "OR(");
      else
        g_string_append_c (sheet->out, ';');
      append_cube (sheet, term, mt_rule_get_cubes (term->rule)[k]);
    }
  g_string_append (sheet->out, "));1;0)");
}

static void
append_score (const Sheet *sheet,
              guint        output)
{
  append_number (sheet->out, sheet->plan->bias[output]);
  for (guint t = 0; t < sheet->plan->n_terms; t++)
    if (sheet->plan->terms[t].weights[output] != 0)
      {
        g_string_append_c (sheet->out, '+');
        append_number (sheet->out, sheet->plan->terms[t].weights[output]);
        g_string_append_c (sheet->out, '*');
        append_reference (sheet, term_column (sheet->plan, t));
      }
}

/* Probability number @index, from 0. */
static void
append_probability (const Sheet *sheet,
                    guint        index)
{
  const MtExportIr *plan = sheet->plan;
  guint first = score_column (plan, 0), last = score_column (plan, plan->n_outputs - 1);

  if (plan->task == MT_TASK_BINARY)
    {
      g_string_append (sheet->out, index == 0 ? "1-1/(1+EXP(-MIN(MAX(" : "1/(1+EXP(-MIN(MAX(");
      append_reference (sheet, first);
      g_string_append (sheet->out, ";-700);700)))");
      return;
    }
  g_string_append (sheet->out, "EXP(");
  append_reference (sheet, first + index);
  g_string_append (sheet->out, "-MAX(");
  append_range (sheet, first, last);
  g_string_append (sheet->out, "))/SUMPRODUCT(EXP(");
  append_range (sheet, first, last);
  g_string_append (sheet->out, "-MAX(");
  append_range (sheet, first, last);
  g_string_append (sheet->out, ")))");
}

static void
append_decision (const Sheet *sheet)
{
  const MtExportIr *plan = sheet->plan;
  char cutoff[MT_DECIMAL_SIZE];

  if (plan->task == MT_TASK_REGRESSION)
    append_reference (sheet, score_column (plan, 0));
  else if (plan->task == MT_TASK_BINARY)
    {
      g_string_append (sheet->out, "IF(");
      append_reference (sheet, answer_column (plan, 2));
      g_string_append_printf (sheet->out, "&gt;%s;", mt_decimal_write (plan->cutoff, cutoff));
      mt_quote_append_formula (sheet->out, plan->classes[1]);
      g_string_append_c (sheet->out, ';');
      mt_quote_append_formula (sheet->out, plan->classes[0]);
      g_string_append_c (sheet->out, ')');
    }
  else
    {
      /* Of equals the first: behind each class the question is asked of the rest. */
      for (guint c = 0; c + 1 < plan->n_classes; c++)
        {
          g_string_append (sheet->out, "IF(");
          append_reference (sheet, answer_column (plan, 1 + c));
          g_string_append (sheet->out, "&gt;=MAX(");
          append_range (sheet, answer_column (plan, 2 + c), answer_column (plan, plan->n_classes));
          g_string_append (sheet->out, ");");
          mt_quote_append_formula (sheet->out, plan->classes[c]);
          g_string_append_c (sheet->out, ';');
        }
      mt_quote_append_formula (sheet->out, plan->classes[plan->n_classes - 1]);
      for (guint c = 0; c + 1 < plan->n_classes; c++)
        g_string_append_c (sheet->out, ')');
    }
}

/* --- cells --- */

static void
append_text_cell (GString    *out,
                  const char *text)
{
  g_string_append (out, "<table:table-cell office:value-type=\"string\" office:string-value=\"");
  mt_quote_append_xml (out, text);
  g_string_append (out, "\"><text:p>");
  mt_quote_append_xml (out, text);
  g_string_append (out, "</text:p></table:table-cell>");
}

static void
append_number_cell (GString *out,
                    double   value)
{
  char buffer[MT_DECIMAL_SIZE];

  g_string_append_printf (out, "<table:table-cell office:value-type=\"float\" office:value=\"%s\"/>",
                          mt_decimal_write (value, buffer));
}

static void
append_value_cell (GString        *out,
                   const MtColumn *column,
                   gsize           row)
{
  g_autofree char *text = mt_column_dup_text (column, row);

  if (mt_column_is_missing (column, row))
    g_string_append (out, "<table:table-cell/>");
  else if (mt_column_get_type (column) == MT_TYPE_DATE)
    g_string_append_printf (out, "<table:table-cell office:value-type=\"date\" office:date-value=\"%s\"/>", text);
  else if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    append_number_cell (out, mt_column_get_number (column, row));
  else
    append_text_cell (out, text);
}

static void
begin_formula (const Sheet *sheet)
{
  g_string_append (sheet->out, "<table:table-cell table:formula=\"of:=IF(");
  append_reference (sheet, 0);
  g_string_append (sheet->out, "=&quot;&quot;;&quot;&quot;;");
}

static void
end_formula (const Sheet *sheet)
{
  g_string_append (sheet->out, ")\"/>");
}

static void
append_case (const Sheet   *sheet,
             const MtTable *table,
             gsize          row)
{
  const MtExportIr *plan = sheet->plan;

  g_string_append (sheet->out, "<table:table-row>");
  if (table != NULL || sheet->row == 2)
    append_number_cell (sheet->out, (double) (sheet->row - 1));
  else
    g_string_append (sheet->out, "<table:table-cell/>");
  for (guint c = 0; c < plan->n_columns; c++)
    if (table != NULL)
      append_value_cell (sheet->out, mt_table_find_column (table, plan->columns[c].name, NULL), row);
    else
      g_string_append (sheet->out, "<table:table-cell/>");
  for (guint c = plan->n_columns; c < plan->n_columns + plan->n_derived; c++)
    {
      begin_formula (sheet);
      append_derived (sheet, &plan->columns[c]);
      end_formula (sheet);
    }
  for (guint t = 0; t < plan->n_terms; t++)
    {
      begin_formula (sheet);
      append_term (sheet, &plan->terms[t]);
      end_formula (sheet);
    }
  for (guint c = 0; c < plan->n_outputs; c++)
    {
      begin_formula (sheet);
      append_score (sheet, c);
      end_formula (sheet);
    }
  begin_formula (sheet);
  append_decision (sheet);
  end_formula (sheet);
  for (guint c = 0; c < plan->n_classes; c++)
    {
      begin_formula (sheet);
      append_probability (sheet, c);
      end_formula (sheet);
    }
  g_string_append (sheet->out, "</table:table-row>\n");
}

static void
append_heads (GString            *out,
              const MtExportIr *plan)
{
  g_string_append (out, "<table:table-row>");
  append_text_cell (out, "case");
  for (guint c = 0; c < plan->n_columns + plan->n_derived; c++)
    append_text_cell (out, plan->columns[c].name);
  for (guint t = 0; t < plan->n_terms; t++)
    {
      g_autofree char *head = g_strdup_printf ("term %u", t + 1);

      append_text_cell (out, head);
    }
  for (guint c = 0; c < plan->n_outputs; c++)
    {
      g_autofree char *head = plan->n_outputs > 1 ? g_strdup_printf ("score of %s", plan->classes[c])
                                                  : g_strdup ("score");

      append_text_cell (out, head);
    }
  for (guint i = 0; plan->outputs[i] != NULL; i++)
    append_text_cell (out, plan->outputs[i]);
  g_string_append (out, "</table:table-row>\n");
}

static void
append_model_row (GString            *out,
                  const MtExportIr *plan,
                  const char         *head,
                  const char         *text,
                  const double       *weights)
{
  g_string_append (out, "<table:table-row>");
  append_text_cell (out, head);
  append_text_cell (out, text);
  for (guint c = 0; c < plan->n_outputs; c++)
    append_number_cell (out, weights[c]);
  g_string_append (out, "</table:table-row>\n");
}

static void
append_model (GString            *out,
              const MtExportIr *plan)
{
  g_autofree char *origin = g_strdup_printf ("Minterm " MT_VERSION ", model with SHA-256 %s", plan->sha256);

  g_string_append (out, "<table:table table:name=\"Model\">\n<table:table-row>");
  append_text_cell (out, mt_model_get_info (plan->model)->target);
  append_text_cell (out, origin);
  for (guint c = 0; c < plan->n_outputs; c++)
    append_text_cell (out, plan->n_outputs > 1 ? plan->classes[c] : "weight");
  g_string_append (out, "</table:table-row>\n");
  append_model_row (out, plan, "intercept", "", plan->bias);
  for (guint t = 0; t < plan->n_terms; t++)
    {
      g_autofree char *head = g_strdup_printf ("term %u", t + 1);

      append_model_row (out, plan, head, plan->terms[t].text, plan->terms[t].weights);
    }
  for (guint c = 0; c < plan->n_columns; c++)
    {
      g_autofree char *note = mt_export_ir_dup_note (&plan->columns[c]);

      if (note == NULL)
        continue;
      g_string_append (out, "<table:table-row>");
      append_text_cell (out, "missing");
      append_text_cell (out, note);
      g_string_append (out, "</table:table-row>\n");
    }
  for (guint c = plan->n_columns; c < plan->n_columns + plan->n_derived; c++)
    {
      g_string_append (out, "<table:table-row>");
      append_text_cell (out, plan->columns[c].name);
      append_text_cell (out, mt_formula_get_text (plan->columns[c].formula));
      g_string_append (out, "</table:table-row>\n");
    }
  g_string_append (out, "</table:table>\n");
}

gboolean
mt_export_ods (const MtExportIr  *plan,
               const MtTable       *table,
               const guint32       *rows,
               gsize                n_rows,
               GString             *out,
               GError             **error)
{
  static const char mimetype[] = "application/vnd.oasis.opendocument.spreadsheet";
  static const char manifest[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\" "
    "manifest:version=\"1.2\">\n"
    "<manifest:file-entry manifest:full-path=\"/\" "
    "manifest:media-type=\"application/vnd.oasis.opendocument.spreadsheet\"/>\n"
    "<manifest:file-entry manifest:full-path=\"content.xml\" manifest:media-type=\"text/xml\"/>\n"
    "</manifest:manifest>\n";
  g_autoptr (GString) content = g_string_new (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" "
    "xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" "
    "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" "
    "xmlns:of=\"urn:oasis:names:tc:opendocument:xmlns:of:1.2\" office:version=\"1.2\">\n"
    "<office:body><office:spreadsheet>\n<table:table table:name=\"Calculator\">\n");
  guint n_columns = answer_column (plan, 1 + plan->n_classes);
  Sheet sheet = { plan, content, 0 };

  if (n_columns > MAX_COLUMNS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("a spreadsheet can have %d columns, but this model needs %u"), MAX_COLUMNS,
                   n_columns);
      return FALSE;
    }
  append_heads (content, plan);
  for (gsize i = 0; i < (table != NULL ? n_rows : BLANK_ROWS); i++)
    {
      sheet.row = i + 2;
      append_case (&sheet, table, table != NULL ? rows[i] : i);
    }
  g_string_append (content, "</table:table>\n");
  append_model (content, plan);
  g_string_append (content, "</office:spreadsheet></office:body></office:document-content>\n");
  mt_zip_append (out, (MtZipFile[]) {
    { "mimetype", mimetype, strlen (mimetype) },
    { "content.xml", content->str, content->len },
    { "META-INF/manifest.xml", manifest, strlen (manifest) },
  }, 3);
  return TRUE;
}
