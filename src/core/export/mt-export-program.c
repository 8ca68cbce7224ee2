/* Python, R, JavaScript and C: a runtime that reads and writes CSV (src/core/export/), and in the
 * place of its line `@MODEL@` the model, which is the same few statements in each language:
 *
 *   NAMES, KINDS, CLASSES, MISSING, TASK      what is read, and what is written
 *   MISSING_IN, MISSING_VALUES                the columns in which another text means missing, and that text
 *   scores (c)                                a variable a term, then a sum a class
 *
 * Cells are called c[0], c[1], …, terms t0, t1, …; names from the data stand in strings and
 * comments only. Where a value counts as missing, k0, k1, … is the cell without it, so that a caller of the
 * functions with raw values gets the same answer as from a file. */
#include "config.h"
#include "base/mt-decimal.h"
#include "mt-export-writers.h"

#include <string.h>

#include "import/mt-quantity.h"
#include "mt-export-resources.h"

typedef struct {
  const char  *runtime;
  MtQuote      quote;
  const char  *logic[3];            /* and, or, not */
  const char  *tests[4];            /* the functions, by MtLiteralKind */
  const char  *missing_number;      /* where that of numbers is another one */
  const char  *levels[2];           /* around those that `other` excludes */
  const char  *comment[2];          /* what stands before and behind */
  const char  *list[2];             /* of strings: before, with its name as %s, and behind */
  const char  *text;                /* a string with its name */
  const char  *empty;               /* a list without elements, when that is special */
  const char  *cell;                /* %u: its number, from first */
  guint        first;
  const char  *known;               /* the cell without what counts as missing; %u: its number */
  const char  *known_cell;          /* what it is called; %u: its number */
  const char  *known_calls[2];      /* of numbers, of texts */
  const char  *numbers[2];          /* around a list of numbers */
  const char  *head;                /* of the function */
  const char  *bias;                /* of the output %u, up to the number */
  const char  *term;                /* %u: its number; then the value */
  const char  *rule[2];             /* around a rule, to make a number of it */
  const char  *shaped[MT_N_SHAPES]; /* the call that a number goes through */
  const char  *add;                 /* to the output %u, up to the weight; then × term %u */
  const char  *times;
  const char  *end;                 /* of a statement */
  const char  *tail;
  gboolean     ascii;
  const char  *formulas;            /* the runtime of formulas */
  const char  *derived;             /* a derived column: %u: its number */
  const char  *derived_cell;        /* what it is called; %u: its number */
  const char  *made[2];             /* the call that makes a cell of a number, of a text */
  const char  *member[2];           /* of a cell: its number, its text */
  gboolean     has_capitals;        /* dividedBy instead of divided_by */
} Language;

static const char * const functions[MT_N_FORMULA_KINDS] = {
  [MT_FORMULA_ADD] = "plus", [MT_FORMULA_SUBTRACT] = "minus", [MT_FORMULA_MULTIPLY] = "times",
  [MT_FORMULA_DIVIDE] = "divided_by", [MT_FORMULA_NEGATE] = "negative", [MT_FORMULA_LOG] = "log_of",
  [MT_FORMULA_ABS] = "abs_of", [MT_FORMULA_YEAR] = "year_of", [MT_FORMULA_MONTH] = "month_of", [MT_FORMULA_DAY] = "day_of",
  [MT_FORMULA_DAYS_SINCE] = "minus", [MT_FORMULA_WEEKDAY] = "weekday_of", [MT_FORMULA_CONTAINS] = "contains",
  [MT_FORMULA_BINS] = "bin_of",
};

static const char * const capital_functions[MT_N_FORMULA_KINDS] = {
  [MT_FORMULA_ADD] = "plus", [MT_FORMULA_SUBTRACT] = "minus", [MT_FORMULA_MULTIPLY] = "times",
  [MT_FORMULA_DIVIDE] = "dividedBy", [MT_FORMULA_NEGATE] = "negative", [MT_FORMULA_LOG] = "logOf",
  [MT_FORMULA_ABS] = "absOf", [MT_FORMULA_YEAR] = "yearOf", [MT_FORMULA_MONTH] = "monthOf", [MT_FORMULA_DAY] = "dayOf",
  [MT_FORMULA_DAYS_SINCE] = "minus", [MT_FORMULA_WEEKDAY] = "weekdayOf", [MT_FORMULA_CONTAINS] = "contains",
  [MT_FORMULA_BINS] = "binOf",
};

static const Language python = {
  .runtime = "runtime.py", .quote = MT_QUOTE_PYTHON,
  .logic = { " and ", " or ", "not " }, .tests = { "at_least", "is_level", "is_other", "is_missing" },
  .levels = { "[", "]" },
  .comment = { "# ", "" }, .list = { "%s = [", "]" }, .text = "%s = ", .cell = "c[%u]",
  .known = "    k%u = ", .known_cell = "k%u", .known_calls = { "known_number", "known_text" }, .numbers = { "[", "]" },
  .head = "\n\ndef scores(c):\n    \"\"\"c: the cells in the order of NAMES.\"\"\"\n    s = [0.0] * %u\n",
  .bias = "    s[%u] = ", .term = "    t%u = ", .rule = { "1.0 if ", " else 0.0" }, .shaped = { "from_mean", "log_from_mean", "clipped_from_mean" },
  .add = "    s[%u] += ", .times = " * t%u", .end = "\n", .tail = "    return s\n",
  .formulas = "derived.py", .derived = "    d%u = ", .derived_cell = "d%u", .made = { "", "" }, .member = { "", "" },
};

static const Language javascript = {
  .runtime = "runtime.js", .quote = MT_QUOTE_JAVASCRIPT,
  .logic = { " && ", " || ", "!" }, .tests = { "atLeast", "isLevel", "isOther", "isMissing" },
  .levels = { "[", "]" },
  .comment = { "// ", "" }, .list = { "const %s = [", "];" }, .text = "const %s = ", .cell = "c[%u]",
  .known = "  const k%u = ", .known_cell = "k%u", .known_calls = { "knownNumber", "knownText" }, .numbers = { "[", "]" },
  .head = "\n// c: the cells in the order of NAMES.\nfunction scores(c) {\n  const s = new Array(%u).fill(0);\n",
  .bias = "  s[%u] = ", .term = "  const t%u = ", .rule = { "", " ? 1 : 0" }, .shaped = { "fromMean", "logFromMean", "clippedFromMean" },
  .add = "  s[%u] += ", .times = " * t%u", .end = ";\n", .tail = "  return s;\n}\n",
  .formulas = "derived.js", .derived = "  const d%u = ", .derived_cell = "d%u", .made = { "", "" }, .member = { "", "" },
  .has_capitals = TRUE,
};

static const Language r_language = {
  .runtime = "runtime.R", .quote = MT_QUOTE_R,
  .logic = { " & ", " | ", "!" }, .tests = { "at_least", "is_level", "is_other", "is_missing" },
  .levels = { "base::c(", ")" },
  .comment = { "# ", "" }, .list = { "%s <- c(", ")" }, .text = "%s <- ", .empty = "%s <- character(0)\n",
  .cell = "c[[%u]]", .first = 1,
  .known = "  k%u <- ", .known_cell = "k%u", .known_calls = { "known_number", "known_text" },
  .numbers = { "base::c(", ")" },
  .head = "\n# c: the cells in the order of NAMES.\nscores <- function(c) {\n  s <- as.list(rep(0, %u))\n",
  .bias = "  s[[%u]] <- ", .term = "  t%u <- ", .rule = { "as.numeric(", ")" }, .shaped = { "from_mean", "log_from_mean", "clipped_from_mean" },
  .add = "  s[[%1$u]] <- s[[%1$u]] + ", .times = " * t%u", .end = "\n", .tail = "  s\n}\n", .ascii = TRUE,
  .formulas = "derived.R", .derived = "  d%u <- ", .derived_cell = "d%u", .made = { "", "" }, .member = { "", "" },
};

static const Language c_language = {
  .runtime = "runtime.c", .quote = MT_QUOTE_C,
  .logic = { " && ", " || ", "!" }, .tests = { "at_least", "is_level", "is_other", "is_missing_text" },
  .missing_number = "is_missing_number",
  .levels = { "(const char *const[]) { ", ", NULL }" },
  .comment = { "/* ", " */" }, .list = { "static const char *const minterm_%s[] = { ", "NULL };" },
  .text = "static const char minterm_%s[] = ", .cell = "&c[%u]",
  .known = "  const minterm_cell k%u = ", .known_cell = "&k%u", .known_calls = { "known_number", "known_text" },
  .numbers = { "(const double[]) { ", ", NAN }" },
  .head = "\nenum { MINTERM_N_OUTPUTS = %u };\n\n/* c: the cells in the order of minterm_names. */\n"
          "void\nminterm_scores (const minterm_cell *c, double *s)\n{\n",
  .bias = "  s[%u] = ", .term = "  const double t%u = ", .rule = { "", " ? 1.0 : 0.0" }, .shaped = { "from_mean", "log_from_mean", "clipped_from_mean" },
  .add = "  s[%u] += ", .times = " * t%u", .end = ";\n", .tail = "}\n",
  .formulas = "derived.c", .derived = "  const minterm_cell d%u = ", .derived_cell = "&d%u",
  .made = { "number_cell", "text_cell" }, .member = { ".number", ".text" },
};

/* --- tests: a call each, so that `not` binds to all of it --- */

/* The formats come from the tables above, with one number each. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void
append_numbered (GString    *out,
                 const char *format,
                 guint       number)
{
  g_string_append_printf (out, format, number);
}

static void
append_named (GString    *out,
              const char *format,
              const char *name)
{
  g_string_append_printf (out, format, name);
}

#pragma GCC diagnostic pop

static void
append_texts (GString            *out,
              const Language     *language,
              const char * const *texts)
{
  g_string_append (out, language->levels[0]);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      mt_quote_append (out, language->quote, texts[i]);
    }
  g_string_append (out, language->levels[1]);
}

static void
append_cell (GString            *out,
             const MtExportIr *plan,
             guint               column,
             const Language     *language)
{
  append_numbered (out, plan->columns[column].formula != NULL ? language->derived_cell
                        : mt_plan_column_has_gaps (&plan->columns[column]) ? language->known_cell : language->cell,
                   column + language->first);
}

/* --- formulas: a call for each step, so that each language can say what is missing --- */

static void
append_source (GString          *out,
               const MtExportIr *plan,
               guint             column,
               gconstpointer     data)
{
  const Language *language = data;
  g_autoptr (GString) cell = g_string_new (NULL);

  append_cell (cell, plan, column, language);
  g_string_append_printf (out, "%s%s", cell->str + (*cell->str == '&'), language->member[plan->columns[column].is_number ? 0 : 1]);
}

static void
append_text (GString       *out,
             const char    *text,
             gconstpointer  data)
{
  mt_quote_append (out, ((const Language *) data)->quote, text);
}

static void
append_constant (GString       *out,
                 double         number,
                 gconstpointer  data)
{
  mt_quote_append_number (out, number);
}

static void
append_test (GString            *out,
             const MtExportIr *plan,
             const MtPlanTest   *test,
             gconstpointer       data)
{
  const Language *language = data;
  gboolean is_other_one = test->kind == MT_LITERAL_MISSING && plan->columns[test->column].is_number &&
                          language->missing_number != NULL;

  g_string_append_printf (out, "%s(", is_other_one ? language->missing_number : language->tests[test->kind]);
  append_cell (out, plan, test->column, language);
  if (test->kind == MT_LITERAL_AT_LEAST)
    {
      g_string_append (out, ", ");
      mt_quote_append_number (out, test->threshold);
    }
  else if (test->kind == MT_LITERAL_LEVEL)
    {
      g_string_append (out, ", ");
      mt_quote_append (out, language->quote, test->level);
    }
  else if (test->kind == MT_LITERAL_OTHER)
    {
      g_string_append (out, ", ");
      append_texts (out, language, mt_plan_get_levels (plan, test));
    }
  g_string_append_c (out, ')');
}

/* --- the model --- */

static void
append_comment (GString        *out,
                const Language *language,
                const char     *indent,
                const char     *text)
{
  g_autoptr (GString) inside = g_string_new (NULL);

  mt_quote_append_comment (inside, text, language->ascii);
  g_string_append_printf (out, "%s%s%s%s\n", indent, language->comment[0], inside->str, language->comment[1]);
}

static void
append_list (GString            *out,
             const Language     *language,
             const char         *name,
             const char * const *texts,
             guint               n)
{
  gboolean ends_in_null = language == &c_language;
  g_autofree char *lower = ends_in_null ? g_ascii_strdown (name, -1) : g_strdup (name);

  if (n == 0 && language->empty != NULL)
    {
      append_named (out, language->empty, lower);
      return;
    }
  append_named (out, language->list[0], lower);
  for (guint i = 0; i < n; i++)
    {
      mt_quote_append (out, language->quote, texts[i]);
      g_string_append (out, i + 1 < n || ends_in_null ? ", " : "");
    }
  g_string_append_printf (out, "%s\n", language->list[1]);
}

/* Two lists side by side: a column's name as often as it has texts of its own. */
static void
append_own_missing (GString            *out,
                    const MtExportIr *plan,
                    const Language     *language)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  for (guint c = 0; c < plan->n_columns; c++)
    for (char **own = plan->columns[c].about->missing_values; own != NULL && *own != NULL; own++)
      {
        g_ptr_array_add (names, (gpointer) plan->columns[c].name);
        g_ptr_array_add (texts, *own);
      }
  append_list (out, language, "MISSING_IN", (const char * const *) names->pdata, names->len);
  append_list (out, language, "MISSING_VALUES", (const char * const *) texts->pdata, texts->len);
}

static void
append_facts (GString            *out,
              const MtExportIr *plan,
              const Language     *language)
{
  g_autofree const char **names = g_new0 (const char *, plan->n_columns + 1);
  g_autofree const char **kinds = g_new0 (const char *, plan->n_columns + 1);
  g_autofree const char **units = g_new0 (const char *, plan->n_columns + 1);
  g_autofree const char **fronts = g_new0 (const char *, plan->n_columns + 1);
  g_autofree char *origin = g_strdup_printf ("Minterm " MT_VERSION ", model with SHA-256 %s", plan->sha256);
  g_autofree char *target = g_strdup_printf ("predicts %s", mt_model_get_info (plan->model)->target);

  for (guint i = 0; i < plan->n_columns; i++)
    {
      names[i] = plan->columns[i].name;
      kinds[i] = !plan->columns[i].is_number ? "text" : plan->columns[i].type == MT_TYPE_DATE ? "date" : "number";
      units[i] = plan->columns[i].about->unit != NULL ? plan->columns[i].about->unit : "";
      fronts[i] = mt_quantity_may_lead (units[i]) ? units[i] : "";
    }
  append_comment (out, language, "", origin);
  append_comment (out, language, "", target);
  append_named (out, language->text, language == &c_language ? "task" : "TASK");
  mt_quote_append (out, language->quote, mt_task_to_string (plan->task));
  g_string_append (out, language == &c_language || language == &javascript ? ";\n" : "\n");
  append_list (out, language, "NAMES", names, plan->n_columns);
  append_list (out, language, "KINDS", kinds, plan->n_columns);
  append_list (out, language, "UNITS", units, plan->n_columns);
  append_list (out, language, "FRONT_UNITS", fronts, plan->n_columns);
  append_list (out, language, "CLASSES", plan->classes, plan->n_classes);
  append_list (out, language, "MISSING", plan->missing, g_strv_length ((char **) plan->missing));
  append_own_missing (out, plan, language);
}

static void
append_known (GString            *out,
              const MtExportIr *plan,
              const Language     *language)
{
  const char *indent = language == &python ? "    " : "  ";

  for (guint c = 0; c < plan->n_columns; c++)
    {
      const MtPlanColumn *column = &plan->columns[c];
      g_autofree char *note = mt_export_ir_dup_note (column);

      if (!mt_plan_column_has_gaps (column))
        continue;
      append_comment (out, language, indent, note);
      append_numbered (out, language->known, c + language->first);
      g_string_append_printf (out, "%s(", language->known_calls[column->is_number ? 0 : 1]);
      append_numbered (out, language->cell, c + language->first);
      g_string_append (out, ", ");
      if (!column->is_number)
        append_texts (out, language, (const char * const *) column->stand_ins);
      else
        {
          g_string_append (out, language->numbers[0]);
          for (guint i = 0; i < column->n_gaps; i++)
            {
              g_string_append (out, i > 0 ? ", " : "");
              mt_quote_append_number (out, column->gaps[i]);
            }
          g_string_append (out, language->numbers[1]);
        }
      g_string_append_printf (out, ")%s", language->end);
    }
}

static void
append_derived (GString          *out,
                const MtExportIr *plan,
                const Language   *language)
{
  const char *indent = language == &python ? "    " : "  ";
  const MtPlanCalls calls = {
    language->has_capitals ? capital_functions : functions, append_source, append_text, append_constant,
    { language->numbers[0], language->numbers[1] }, { language->levels[0], language->levels[1] },
  };

  for (guint i = plan->n_columns; i < plan->n_columns + plan->n_derived; i++)
    {
      const MtPlanColumn *column = &plan->columns[i];
      const char *made = language->made[column->is_number ? 0 : 1];
      g_autofree char *text = mt_export_ir_dup_formula (column);

      append_comment (out, language, indent, text);
      append_numbered (out, language->derived, i + language->first);
      g_string_append_printf (out, "%s%s", made, *made != '\0' ? " (" : "");
      mt_export_ir_append_formula (plan, column, &calls, language, out);
      g_string_append_printf (out, "%s%s", *made != '\0' ? ")" : "", language->end);
    }
}

static void
append_term (GString            *out,
             const MtExportIr *plan,
             const MtPlanTerm   *term,
             guint               index,
             const Language     *language)
{
  const char *indent = language == &python ? "    " : "  ";

  append_comment (out, language, indent, term->text);
  append_numbered (out, language->term, index);
  if (term->is_number)
    {
      const MtEncoderColumn *about = plan->columns[term->column].about;

      const double parameters[MT_N_SHAPES][4] = {
        [MT_SHAPE_PLAIN] = { term->mean, about->min, about->max },
        [MT_SHAPE_LOG] = { term->mean, about->min, about->max, about->log.center },
        [MT_SHAPE_CLIPPED] = { term->mean, about->clipped.low, about->clipped.high },
      };
      guint n = term->shape == MT_SHAPE_LOG ? 4 : 3;

      g_string_append_printf (out, "%s(", language->shaped[term->shape]);
      append_cell (out, plan, term->column, language);
      for (guint i = 0; i < n; i++)
        {
          g_string_append (out, ", ");
          mt_quote_append_number (out, parameters[term->shape][i]);
        }
      g_string_append_c (out, ')');
    }
  else
    {
      const MtPlanLogic logic = { language->logic[0], language->logic[1], language->logic[2], append_test };

      g_string_append (out, language->rule[0]);
      mt_export_ir_append_rule (plan, term, &logic, language, out);
      g_string_append (out, language->rule[1]);
    }
  g_string_append (out, language->end);
}

static void
append_scores (GString            *out,
               const MtExportIr *plan,
               const Language     *language)
{
  for (guint c = 0; c < plan->n_outputs; c++)
    {
      append_numbered (out, language->bias, c + language->first);
      mt_quote_append_number (out, plan->bias[c]);
      g_string_append (out, language->end);
      for (guint t = 0; t < plan->n_terms; t++)
        if (plan->terms[t].weights[c] != 0)
          {
            append_numbered (out, language->add, c + language->first);
            mt_quote_append_number (out, plan->terms[t].weights[c]);
            append_numbered (out, language->times, t);
            g_string_append (out, language->end);
          }
    }
}

/* Each runtime contains 0.5 once; the cutoff of the model replaces it. */
static void
append_runtime (GString            *out,
                const char         *text,
                gsize               length,
                const MtExportIr *plan)
{
  static const char usual[] = "> 0.5";
  const char *place = g_strstr_len (text, (gssize) length, usual);
  char cutoff[MT_DECIMAL_SIZE];

  if (plan->cutoff == MT_CUTOFF || place == NULL)
    {
      g_string_append_len (out, text, (gssize) length);
      return;
    }
  g_string_append_len (out, text, place - text);
  g_string_append_printf (out, "> %s", mt_decimal_write (plan->cutoff, cutoff));
  place += strlen (usual);
  g_string_append_len (out, place, (gssize) length - (place - text));
}

static GBytes *
get_runtime (const char *name)
{
  g_autofree char *path = g_strconcat ("/io/github/minterm/export/", name, NULL);

  return g_resource_lookup_data (mt_export_resources_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

static void
append_program (GString            *out,
                const MtExportIr *plan,
                const Language     *language)
{
  g_autoptr (GBytes) runtime = get_runtime (language->runtime);
  g_autoptr (GBytes) formulas = plan->n_derived > 0 ? get_runtime (language->formulas) : NULL;
  const char *text = g_bytes_get_data (runtime, NULL);
  const char *place = strstr (text, "@MODEL@\n");

  append_runtime (out, text, (gsize) (place - text), plan);
  if (formulas != NULL)
    g_string_append_len (out, g_bytes_get_data (formulas, NULL), (gssize) g_bytes_get_size (formulas));
  append_facts (out, plan, language);
  append_numbered (out, language->head, plan->n_outputs);
  append_known (out, plan, language);
  append_derived (out, plan, language);
  for (guint t = 0; t < plan->n_terms; t++)
    append_term (out, plan, &plan->terms[t], t, language);
  append_scores (out, plan, language);
  g_string_append (out, language->tail);
  place += strlen ("@MODEL@\n");
  append_runtime (out, place, strlen (place), plan);
}

void
mt_export_python (const MtExportIr *plan,
                  GString            *out)
{
  append_program (out, plan, &python);
}

void
mt_export_javascript (const MtExportIr *plan,
                      GString            *out)
{
  append_program (out, plan, &javascript);
}

void
mt_export_r (const MtExportIr *plan,
             GString            *out)
{
  append_program (out, plan, &r_language);
}

void
mt_export_c (const MtExportIr *plan,
             GString            *out)
{
  append_program (out, plan, &c_language);
}
