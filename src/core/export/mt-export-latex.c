/* The model as a document: score, terms with weights, and how a probability comes of it. Names may
 * be in any script, so it asks for XeLaTeX or LuaLaTeX. */
#include "config.h"
#include "mt-export-writers.h"

#include <string.h>

#include "base/mt-decimal.h"

#define COLUMN(share) ">{\\raggedright\\arraybackslash}p{" share "\\textwidth}"

static void
append_number (GString *out,
               double   value)
{
  char buffer[MT_DECIMAL_SIZE];
  const char *e;

  mt_decimal_write (value, buffer);
  e = strchr (buffer, 'e');
  if (e == NULL)
    g_string_append_printf (out, "$%s$", buffer);
  else
    g_string_append_printf (out, "$%.*s\\cdot 10^{%d}$", (int) (e - buffer), buffer,
                            (int) g_ascii_strtoll (e + 1, NULL, 10));
}

static void
append_row (GString            *out,
            const MtExportIr *plan,
            const char         *text,
            const double       *weights)
{
  for (guint c = 0; c < plan->n_outputs; c++)
    {
      if (c == 0)
        mt_quote_append_latex (out, text);
      if (plan->task == MT_TASK_MULTICLASS)
        {
          g_string_append (out, " & ");
          mt_quote_append_latex (out, plan->classes[c]);
        }
      g_string_append (out, " & ");
      append_number (out, weights[c]);
      g_string_append (out, c + 1 < plan->n_outputs ? " \\\\*\n" : " \\\\\n");
    }
}

static void
append_columns (GString            *out,
                const MtExportIr *plan)
{
  gboolean any = FALSE;

  for (guint t = 0; t < plan->n_terms; t++)
    any |= plan->terms[t].is_number;
  if (!any)
    return;
  g_string_append (out, "\n\\noindent Linear terms are measured from the training mean; a missing value "
                        "counts as the mean:\n\\begin{itemize}\n");
  for (guint t = 0; t < plan->n_terms; t++)
    if (plan->terms[t].is_number)
      {
        const MtPlanColumn *column = &plan->columns[plan->terms[t].column];

        g_string_append (out, "\\item ");
        mt_quote_append_latex (out, plan->terms[t].text);
        g_string_append (out, column->type == MT_TYPE_DATE ? " (days since 1970{-}01{-}01): mean " : ": mean ");
        append_number (out, plan->terms[t].mean);
        g_string_append_c (out, '\n');
      }
  g_string_append (out, "\\end{itemize}\n");
}

static void
append_formulas (GString          *out,
                 const MtExportIr *plan)
{
  if (plan->n_derived == 0)
    return;
  g_string_append (out, "\n\\noindent Derived columns are missing where a column in them is missing or a step is "
                        "not a finite number:\n\\begin{itemize}\n");
  for (guint c = plan->n_columns; c < plan->n_columns + plan->n_derived; c++)
    {
      g_autofree char *text = mt_export_ir_dup_formula (&plan->columns[c]);

      g_string_append (out, "\\item ");
      mt_quote_append_latex (out, text);
      g_string_append_c (out, '\n');
    }
  g_string_append (out, "\\end{itemize}\n");
}

static void
append_notes (GString            *out,
              const MtExportIr *plan)
{
  gboolean any = FALSE;

  for (guint c = 0; c < plan->n_columns; c++)
    {
      g_autofree char *note = mt_export_ir_dup_note (&plan->columns[c]);

      if (note == NULL)
        continue;
      g_string_append (out, any ? "\\item " : "\n\\noindent Some values count as "
                                              "missing:\n\\begin{itemize}\n\\item ");
      mt_quote_append_latex (out, note);
      g_string_append_c (out, '\n');
      any = TRUE;
    }
  g_string_append (out, any ? "\\end{itemize}\n" : "");
}

void
mt_export_latex (const MtExportIr *plan,
                 GString            *out)
{
  g_string_append_printf (out, "%% Minterm " MT_VERSION ", model with SHA-256 %s\n"
                          "%% for xelatex or lualatex\n"
                          "\\documentclass{article}\n\\usepackage{fontspec}\n\\usepackage{array}\n"
                          "\\usepackage{longtable}\n\\usepackage{textcomp}\n"
                          /* More scripts than the default font has, where it is installed. */
                          "\\IfFontExistsTF{DejaVu Sans}{\\setmainfont{DejaVu Sans}}{}\n"
                          "\\begin{document}\n\\section*{", plan->sha256);
  mt_quote_append_latex (out, mt_model_get_info (plan->model)->target);
  /* A class a line: side by side their weights would not fit on a page. */
  g_string_append (out, plan->task == MT_TASK_MULTICLASS
                   ? "}\n\\begin{longtable}{" COLUMN ("0.35") COLUMN ("0.2") "r}\nterm & class & weight"
                   : "}\n\\begin{longtable}{" COLUMN ("0.55") "r}\nterm & weight");
  g_string_append (out, " \\\\\n\\hline\n\\endhead\n");
  append_row (out, plan, "intercept", plan->bias);
  for (guint t = 0; t < plan->n_terms; t++)
    append_row (out, plan, plan->terms[t].text, plan->terms[t].weights);
  g_string_append (out, "\\end{longtable}\n");
  append_columns (out, plan);
  append_formulas (out, plan);
  append_notes (out, plan);
  if (plan->task == MT_TASK_BINARY)
    {
      g_string_append (out, "\n\\[ s = \\mbox{intercept} + \\sum \\mbox{weight} \\times \\mbox{term}, \\qquad p(\\mbox{");
      mt_quote_append_latex (out, plan->classes[1]);
      g_string_append (out, "}) = \\frac{1}{1 + e^{-s}} \\]\n");
      if (plan->cutoff != MT_CUTOFF)
        {
          char cutoff[MT_DECIMAL_SIZE];

          g_string_append (out, "\\noindent ");
          mt_quote_append_latex (out, plan->classes[1]);
          g_string_append_printf (out, " is predicted if its probability is above %s.\n\n",
                                  mt_decimal_write (plan->cutoff, cutoff));
        }
    }
  else if (plan->task == MT_TASK_MULTICLASS)
    g_string_append (out, "\n\\[ s_c = \\mbox{intercept}_c + \\sum \\mbox{weight}_c \\times \\mbox{term}, \\qquad "
                     "p_c = \\frac{e^{s_c}}{\\sum_k e^{s_k}} \\]\n");
  else
    g_string_append (out, "\n\\[ \\mbox{prediction} = \\mbox{intercept} + \\sum \\mbox{weight} \\times \\mbox{term} \\]\n");
  g_string_append (out, "\\noindent A rule is 1 where it applies and 0 where it does not.\n\\end{document}\n");
}
