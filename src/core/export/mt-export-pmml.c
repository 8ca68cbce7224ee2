/* PMML RegressionModel: each term a DerivedField of nested Apply, then a softmax (binary: over the
 * score and 0) or the plain sum.
 *
 * Only what a modest consumer (weka) understands as well: + − * threshold, min, max and NormDiscrete;
 * no derived field refers to another, and no missing value reaches a formula. Missing numbers are
 * replaced by MISSING_NUMBER, which is below every threshold, missing text by a level of its own. Values that
 * count as missing are levels and numbers like others as far as a consumer is concerned (weka knows no
 * property="missing"); the formulas tell them apart.
 * `threshold` asks x > t, so x ≥ t is asked as x > the double below t, which is the same for
 * doubles. Dates are numbers: days since 1970-01-01. */
#include "config.h"
#include "mt-export-writers.h"

#include <math.h>

#define MISSING_NUMBER (-1e300)
#define LOWEST_NUMBER  (-1e299)    /* what is above it is not missing */

/* A level that the column has not. */
static char *
dup_missing_level (const MtPlanColumn *column)
{
  GString *name = g_string_new ("missing");

  while (g_strv_contains ((const char * const *) column->about->levels, name->str) ||
         g_strv_contains ((const char * const *) column->about->rest, name->str) ||
         g_strv_contains ((const char * const *) column->stand_ins, name->str))
    g_string_append_c (name, '_');
  return g_string_free (name, FALSE);
}

static void
append_number (GString *out,
               double   value)
{
  mt_quote_append_number (out, value);
}

static void
append_constant (GString *out,
                 double   value)
{
  g_string_append (out, "<Constant dataType=\"double\">");
  append_number (out, value);
  g_string_append (out, "</Constant>");
}

static void
append_discrete (GString            *out,
                 const MtPlanColumn *column,
                 const char         *level)
{
  g_string_append (out, "<NormDiscrete field=\"");
  mt_quote_append_xml (out, column->name);
  g_string_append (out, "\" value=\"");
  mt_quote_append_xml (out, level);
  g_string_append (out, "\"/>");
}

/* 1 when the field is above @limit, else 0. */
static void
append_above (GString            *out,
              const MtPlanColumn *column,
              double              limit)
{
  g_string_append (out, "<Apply function=\"threshold\"><FieldRef field=\"");
  mt_quote_append_xml (out, column->name);
  g_string_append (out, "\"/>");
  append_constant (out, limit);
  g_string_append (out, "</Apply>");
}

/* 1 − what follows; the caller closes it. */
static void
append_negation (GString *out)
{
  g_string_append (out, "<Apply function=\"-\">");
  append_constant (out, 1);
}

/* 0 when the field is one of the numbers from @low on that count as missing, else @limit's answer. */
static void
append_known_above (GString            *out,
                    const MtPlanColumn *column,
                    double              limit,
                    double              low)
{
  guint n = 0;

  for (guint i = 0; i < column->n_gaps; i++)
    n += column->gaps[i] >= low;
  g_string_append (out, n > 0 ? "<Apply function=\"min\">" : "");
  append_above (out, column, limit);
  for (guint i = 0; i < column->n_gaps; i++)
    if (column->gaps[i] >= low)
      {
        append_negation (out);
        g_string_append (out, "<Apply function=\"-\">");
        append_above (out, column, nextafter (column->gaps[i], -INFINITY));
        append_above (out, column, column->gaps[i]);
        g_string_append (out, "</Apply></Apply>");
      }
  g_string_append (out, n > 0 ? "</Apply>" : "");
}

/* 1 when there is a number in the field. */
static void
append_present (GString            *out,
                const MtPlanColumn *column)
{
  append_known_above (out, column, LOWEST_NUMBER, LOWEST_NUMBER);
}

/* The levels that stand for missing, of which the first is the replacement. */
static void
append_missing_levels (GString            *out,
                       const MtPlanColumn *column)
{
  g_autofree char *missing = dup_missing_level (column);

  append_discrete (out, column, missing);
  for (guint i = 0; column->stand_ins[i] != NULL; i++)
    append_discrete (out, column, column->stand_ins[i]);
}

static void
append_test (GString            *out,
             const MtExportIr *plan,
             const MtPlanTest   *test)
{
  const MtPlanColumn *column = &plan->columns[test->column];
  const char * const *levels = mt_plan_get_levels (plan, test);
  gboolean has_several = !column->is_number && *column->stand_ins != NULL;

  switch (test->kind)
    {
    case MT_LITERAL_AT_LEAST:
      append_known_above (out, column, nextafter (test->threshold, -INFINITY), test->threshold);
      break;
    case MT_LITERAL_LEVEL:
      append_discrete (out, column, test->level);
      break;
    case MT_LITERAL_OTHER:
      append_negation (out);
      g_string_append (out, "<Apply function=\"max\">");
      append_missing_levels (out, column);
      for (guint i = 0; levels[i] != NULL; i++)
        append_discrete (out, column, levels[i]);
      g_string_append (out, "</Apply></Apply>");
      break;
    case MT_LITERAL_MISSING:
    default:
      if (column->is_number)
        {
          append_negation (out);
          append_present (out, column);
          g_string_append (out, "</Apply>");
        }
      else
        {
          g_string_append (out, has_several ? "<Apply function=\"max\">" : "");
          append_missing_levels (out, column);
          g_string_append (out, has_several ? "</Apply>" : "");
        }
      break;
    }
}

static void
append_literal (GString            *out,
                const MtExportIr *plan,
                const MtPlanTest   *test,
                gboolean            negated)
{
  if (negated)
    append_negation (out);
  append_test (out, plan, test);
  g_string_append (out, negated ? "</Apply>" : "");
}

/* And is min, or is max; of a single one neither. */
static void
append_rule (GString            *out,
             const MtExportIr *plan,
             const MtPlanTerm   *term)
{
  guint n_cubes = mt_rule_get_n_cubes (term->rule);

  g_string_append (out, n_cubes > 1 ? "<Apply function=\"max\">" : "");
  for (guint k = 0; k < n_cubes; k++)
    {
      MtCube cube = mt_rule_get_cubes (term->rule)[k];
      gboolean has_several = (cube.mask & (cube.mask - 1)) != 0;

      g_string_append (out, has_several ? "<Apply function=\"min\">" : "");
      for (guint32 rest = cube.mask; rest != 0; rest &= rest - 1)
        {
          guint i = (guint) __builtin_ctz (rest);

          append_literal (out, plan, &plan->tests[term->tests[i]], ((cube.value >> i) & 1) == 0);
        }
      g_string_append (out, has_several ? "</Apply>" : "");
    }
  g_string_append (out, n_cubes > 1 ? "</Apply>" : "");
}

static void
append_field (GString            *out,
              const MtPlanColumn *column)
{
  g_string_append (out, "<FieldRef field=\"");
  mt_quote_append_xml (out, column->name);
  g_string_append (out, "\"/>");
}

/* The number in its shape. The sign of a logarithm is 2 · (x ≥ c) − 1: engines need not know `if`. */
static void
append_shaped (GString            *out,
               const MtPlanColumn *column,
               MtShape             shape)
{
  if (shape == MT_SHAPE_LOG)
    {
      double center = column->about->log.center;

      g_string_append (out, "<Apply function=\"*\"><Apply function=\"-\"><Apply function=\"*\">");
      append_constant (out, 2);
      append_above (out, column, nextafter (center, -INFINITY));
      g_string_append (out, "</Apply>");
      append_constant (out, 1);
      g_string_append (out, "</Apply><Apply function=\"/\"><Apply function=\"ln\"><Apply function=\"+\">");
      append_constant (out, 1);
      g_string_append (out, "<Apply function=\"abs\"><Apply function=\"-\">");
      append_field (out, column);
      append_constant (out, center);
      g_string_append (out, "</Apply></Apply></Apply></Apply>");
      append_constant (out, G_LN2);
      g_string_append (out, "</Apply></Apply>");
    }
  else if (shape == MT_SHAPE_CLIPPED)
    {
      g_string_append (out, "<Apply function=\"max\">");
      append_constant (out, column->about->clipped.low);
      g_string_append (out, "<Apply function=\"min\">");
      append_constant (out, column->about->clipped.high);
      append_field (out, column);
      g_string_append (out, "</Apply></Apply>");
    }
  else
    append_field (out, column);
}

/* x where it is present, else the mean: x · present + mean · (1 − present). */
static void
append_value (GString            *out,
              const MtPlanColumn *column,
              const MtPlanTerm   *term)
{
  g_string_append (out, "<Apply function=\"+\"><Apply function=\"*\">");
  append_shaped (out, column, term->shape);
  append_present (out, column);
  g_string_append (out, "</Apply><Apply function=\"*\">");
  append_constant (out, term->mean);
  append_negation (out);
  append_present (out, column);
  g_string_append (out, "</Apply></Apply></Apply>");
}

static void
append_dictionary (GString            *out,
                   const MtExportIr *plan)
{
  g_string_append_printf (out, "  <DataDictionary numberOfFields=\"%u\">\n", plan->n_columns + 1);
  for (guint i = 0; i < plan->n_columns; i++)
    {
      const MtPlanColumn *column = &plan->columns[i];
      g_autofree char *missing = NULL;

      g_string_append (out, "    <DataField name=\"");
      mt_quote_append_xml (out, column->name);
      if (column->is_number)
        {
          g_string_append_printf (out, "\"%s optype=\"continuous\" dataType=\"double\"/>\n",
                                  column->type == MT_TYPE_DATE ? " displayName=\"days since 1970-01-01\"" : "");
          continue;
        }
      g_string_append (out, "\" optype=\"categorical\" dataType=\"string\">");
      for (guint k = 0; k < 3; k++)
        for (char **level = k == 0 ? column->about->levels : k == 1 ? column->about->rest : column->stand_ins;
             *level != NULL; level++)
          {
            g_string_append (out, "<Value value=\"");
            mt_quote_append_xml (out, *level);
            g_string_append (out, "\"/>");
          }
      missing = dup_missing_level (column);
      g_string_append (out, "<Value value=\"");
      mt_quote_append_xml (out, missing);
      g_string_append (out, "\"/></DataField>\n");
    }
  g_string_append (out, "    <DataField name=\"");
  mt_quote_append_xml (out, mt_model_get_info (plan->model)->target);
  if (plan->n_classes == 0)
    g_string_append (out, "\" optype=\"continuous\" dataType=\"double\"/>\n");
  else
    {
      g_string_append (out, "\" optype=\"categorical\" dataType=\"string\">");
      for (guint c = 0; c < plan->n_classes; c++)
        {
          g_string_append (out, "<Value value=\"");
          mt_quote_append_xml (out, plan->classes[c]);
          g_string_append (out, "\"/>");
        }
      g_string_append (out, "</DataField>\n");
    }
  g_string_append (out, "  </DataDictionary>\n");
}

static void
append_terms (GString            *out,
              const MtExportIr *plan)
{
  g_string_append (out, "    <LocalTransformations>\n");
  for (guint t = 0; t < plan->n_terms; t++)
    {
      const MtPlanTerm *term = &plan->terms[t];

      g_string_append_printf (out, "      <DerivedField name=\"term %u\" displayName=\"", t + 1);
      mt_quote_append_xml (out, term->text);
      g_string_append (out, "\" optype=\"continuous\" dataType=\"double\">\n        ");
      if (term->is_number)
        append_value (out, &plan->columns[term->column], term);
      else
        append_rule (out, plan, term);
      g_string_append (out, "\n      </DerivedField>\n");
    }
  g_string_append (out, "    </LocalTransformations>\n");
}

/* Numbers are not counted from their mean here, so the intercept takes the difference. */
static void
append_table (GString            *out,
              const MtExportIr *plan,
              guint               output,
              const char         *category)
{
  double intercept = plan->bias[output];

  for (guint t = 0; t < plan->n_terms; t++)
    if (plan->terms[t].is_number)
      intercept -= plan->terms[t].weights[output] * plan->terms[t].mean;
  g_string_append (out, "    <RegressionTable intercept=\"");
  append_number (out, intercept);
  if (category != NULL)
    {
      g_string_append (out, "\" targetCategory=\"");
      mt_quote_append_xml (out, category);
    }
  g_string_append (out, "\">\n");
  for (guint t = 0; t < plan->n_terms; t++)
    if (plan->terms[t].weights[output] != 0)
      {
        g_string_append_printf (out, "      <NumericPredictor name=\"term %u\" exponent=\"1\" coefficient=\"", t + 1);
        append_number (out, plan->terms[t].weights[output]);
        g_string_append (out, "\"/>\n");
      }
  g_string_append (out, "    </RegressionTable>\n");
}

void
mt_export_pmml (const MtExportIr *plan,
                GString            *out)
{
  const char *target = mt_model_get_info (plan->model)->target;

  g_string_append_printf (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<PMML version=\"4.1\" xmlns=\"http://www.dmg.org/PMML-4_1\">\n"
                          "  <Header copyright=\"\" description=\"model with SHA-256 %s\">"
                          "<Application name=\"Minterm\" version=\"" MT_VERSION "\"/></Header>\n", plan->sha256);
  append_dictionary (out, plan);
  g_string_append_printf (out, "  <RegressionModel modelName=\"minterm\" functionName=\"%s\" normalizationMethod=\"%s\" "
                          "targetFieldName=\"", plan->n_classes > 0 ? "classification" : "regression",
                          plan->n_classes > 0 ? "softmax" : "none");
  mt_quote_append_xml (out, target);
  g_string_append (out, "\">\n    <MiningSchema>\n");
  for (guint i = 0; i < plan->n_columns; i++)
    {
      const MtPlanColumn *column = &plan->columns[i];
      g_autofree char *missing = column->is_number ? NULL : dup_missing_level (column);

      g_string_append (out, "      <MiningField name=\"");
      mt_quote_append_xml (out, column->name);
      g_string_append (out, "\" usageType=\"active\" invalidValueTreatment=\"asIs\" missingValueTreatment=\"asValue\" "
                       "missingValueReplacement=\"");
      if (column->is_number)
        append_number (out, MISSING_NUMBER);
      else
        mt_quote_append_xml (out, missing);
      g_string_append (out, "\"/>\n");
    }
  g_string_append (out, "      <MiningField name=\"");
  mt_quote_append_xml (out, target);
  g_string_append (out, "\" usageType=\"predicted\"/>\n    </MiningSchema>\n");
  append_terms (out, plan);
  if (plan->task == MT_TASK_BINARY)
    {
      append_table (out, plan, 0, plan->classes[1]);
      g_string_append (out, "    <RegressionTable intercept=\"0\" targetCategory=\"");
      mt_quote_append_xml (out, plan->classes[0]);
      g_string_append (out, "\"/>\n");
    }
  else
    for (guint c = 0; c < plan->n_outputs; c++)
      append_table (out, plan, c, plan->n_classes > 0 ? plan->classes[c] : NULL);
  g_string_append (out, "  </RegressionModel>\n</PMML>\n");
}
