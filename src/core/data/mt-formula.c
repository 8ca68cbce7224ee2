/* Formulas as values: bound to columns, computed, compared. See mt-formula.h; reading them is in mt-formula-parse.c. */
#include "config.h"
#include "mt-formula-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-math.h"
#include "mt-missing.h"

const char * const mt_formula_functions[MT_N_FORMULA_KINDS] = {
  [MT_FORMULA_LOG] = "log", [MT_FORMULA_ABS] = "abs", [MT_FORMULA_YEAR] = "year", [MT_FORMULA_MONTH] = "month",
  [MT_FORMULA_DAY] = "day", [MT_FORMULA_DAYS_SINCE] = "days_since", [MT_FORMULA_WEEKDAY] = "weekday",
  [MT_FORMULA_CONTAINS] = "contains", [MT_FORMULA_BINS] = "bins",
};

static const char * const weekdays[] = {
  "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", NULL,
};
static const char * const answers[] = { "no", "yes", NULL };

MtFormulaNode *
mt_formula_node_new (MtFormulaKind  kind,
                     MtFormulaNode *a,
                     MtFormulaNode *b)
{
  MtFormulaNode *node = g_new0 (MtFormulaNode, 1);

  node->kind = kind;
  node->a = a;
  node->b = b;
  return node;
}

void
mt_formula_node_free (MtFormulaNode *node)
{
  if (node == NULL)
    return;
  mt_formula_node_free (node->a);
  mt_formula_node_free (node->b);
  g_free (node->text);
  g_free (node->edges);
  g_strfreev (node->labels);
  g_free (node);
}

MtFormula *
mt_formula_ref (MtFormula *formula)
{
  if (formula != NULL)
    g_atomic_ref_count_inc (&formula->ref_count);
  return formula;
}

void
mt_formula_unref (MtFormula *formula)
{
  if (formula == NULL || !g_atomic_ref_count_dec (&formula->ref_count))
    return;
  mt_formula_node_free (formula->root);
  g_array_unref (formula->sources);
  g_free (formula->text);
  g_free (formula);
}

static gboolean
same_words (char **a,
            char **b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return g_strv_equal ((const char * const *) a, (const char * const *) b);
}

gboolean
mt_formula_equal (const MtFormula *a,
                  const MtFormula *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  if (!g_str_equal (a->text, b->text))
    return FALSE;
  for (guint i = 0; i < a->sources->len; i++)   /* equal texts have the same sources */
    {
      const MtFormulaSource *x = mt_formula_get_source (a, i), *y = mt_formula_get_source (b, i);

      if (x->is_bound != y->is_bound || x->type != y->type || g_strcmp0 (x->unit, y->unit) != 0 ||
          !same_words (x->missing_values, y->missing_values))
        return FALSE;
    }
  return TRUE;
}

const char *
mt_formula_get_text (const MtFormula *formula)
{
  return formula->text;
}

const MtFormulaNode *
mt_formula_get_root (const MtFormula *formula)
{
  return formula->root;
}

guint
mt_formula_get_n_sources (const MtFormula *formula)
{
  return formula->sources->len;
}

const MtFormulaSource *
mt_formula_get_source (const MtFormula *formula,
                       guint            index)
{
  return &g_array_index (formula->sources, MtFormulaSource, index);
}

MtColumnType
mt_formula_get_type (const MtFormula *formula)
{
  return formula->root->kind == MT_FORMULA_CONTAINS ? MT_TYPE_BOOLEAN
         : mt_formula_get_levels (formula) != NULL ? MT_TYPE_CATEGORY : MT_TYPE_NUMBER;
}

const char * const *
mt_formula_get_levels (const MtFormula *formula)
{
  switch ((int) formula->root->kind)
    {
    case MT_FORMULA_WEEKDAY:
      return weekdays;
    case MT_FORMULA_CONTAINS:
      return answers;
    case MT_FORMULA_BINS:
      return (const char * const *) formula->root->labels;
    default:
      return NULL;
    }
}

char *
mt_formula_dup_name (const MtFormula *formula)
{
  const MtFormulaNode *root = formula->root;
  const char *source = mt_formula_get_source (formula, 0)->name;
  g_autofree char *date = NULL;

  switch ((int) root->kind)
    {
    case MT_FORMULA_YEAR:
    case MT_FORMULA_MONTH:
    case MT_FORMULA_DAY:
    case MT_FORMULA_WEEKDAY:
      return g_strdup_printf ("%s of %s", mt_formula_functions[root->kind], source);
    case MT_FORMULA_DAYS_SINCE:
      date = mt_date_dup_iso (root->number);
      return g_strdup_printf ("days from %s to %s", date, source);
    case MT_FORMULA_BINS:
      return root->a->kind == MT_FORMULA_SOURCE ? g_strdup_printf ("range of %s", source) : g_strdup (formula->text);
    default:
      return g_strdup (formula->text);
    }
}

/* --- binding --- */

static gboolean
takes_dates (MtFormulaKind kind)
{
  return kind == MT_FORMULA_YEAR || kind == MT_FORMULA_MONTH || kind == MT_FORMULA_DAY || kind == MT_FORMULA_WEEKDAY ||
         kind == MT_FORMULA_DAYS_SINCE;
}

static gboolean
check_node (const MtFormula      *formula,
            const MtFormulaNode  *node,
            MtFormulaKind         around,
            const char           *name,
            GError              **error)
{
  const MtFormulaSource *source;

  if (node == NULL)
    return TRUE;
  if (node->kind != MT_FORMULA_SOURCE)
    return check_node (formula, node->a, node->kind, name, error) && check_node (formula, node->b, node->kind, name, error);
  source = mt_formula_get_source (formula, node->source);
  if (takes_dates (around))
    return source->type == MT_TYPE_DATE ||
           mt_refuse (error, MT_ERROR_SCHEMA, _("Derived column “%s”: %s() needs a date, but “%s” is a %s; set its type to date"), name,
                      mt_formula_functions[around], source->name, mt_column_type_to_word (source->type));
  if (around == MT_FORMULA_CONTAINS)
    return (source->type != MT_TYPE_NUMBER && source->type != MT_TYPE_DATE) ||
           mt_refuse (error, MT_ERROR_SCHEMA, _("Derived column “%s”: contains() needs text, but “%s” is a %s"), name, source->name,
                      mt_column_type_to_word (source->type));
  return source->type == MT_TYPE_NUMBER || source->type == MT_TYPE_DATE ||
         mt_refuse (error, MT_ERROR_SCHEMA, _("Derived column “%s”: the formula needs a number, but “%s” is a %s; set its type to number"), name, source->name,
                    mt_column_type_to_word (source->type));
}

MtFormula *
mt_formula_bind (const MtFormula        *formula,
                 const char             *name,
                 const MtFormulaSource  *sources,
                 GError                **error)
{
  g_autoptr (MtFormula) bound = mt_formula_new (formula->text, error);

  if (bound == NULL)
    return NULL;
  for (guint i = 0; i < bound->sources->len; i++)
    {
      MtFormulaSource *to = &g_array_index (bound->sources, MtFormulaSource, i);

      if (!g_str_equal (to->name, sources[i].name))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA, _("Derived column “%s”: the formula uses “%s”, not “%s”"), name, to->name,
                       sources[i].name);
          return NULL;
        }
      to->is_bound = TRUE;
      to->type = sources[i].type;
      to->missing_values = g_strdupv (sources[i].missing_values);
      to->unit = g_strdup (sources[i].unit);
    }
  return check_node (bound, bound->root, MT_FORMULA_SOURCE, name, error) ? g_steal_pointer (&bound) : NULL;
}

MtFormula *
mt_formula_bind_table (const MtFormula  *formula,
                       const char       *name,
                       const MtTable    *table,
                       GError          **error)
{
  guint n = mt_formula_get_n_sources (formula);
  g_autofree MtFormulaSource *sources = g_new0 (MtFormulaSource, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const char *wanted = mt_formula_get_source (formula, i)->name;
      const MtColumn *column = mt_table_find_column (table, wanted, NULL);
      const char *why = column == NULL ? _("Derived column “%s” needs column “%s”, which the data does not have")
                        : mt_column_get_formula (column) != NULL ? _("Derived column “%s” cannot use “%s”, which "
                                                                     "is derived itself; use only columns of the "
                                                                     "file in the formula")
                        : mt_column_is_doubled (column) ? _("Derived column “%s”: two columns are named “%s”; "
                                                            "rename one of them") : NULL;

      if (why != NULL)
        {
          g_autofree char *message = NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
          message = g_strdup_printf (why, name, wanted);
#pragma GCC diagnostic pop
          g_set_error_literal (error, MT_ERROR, MT_ERROR_SCHEMA, message);
          return NULL;
        }
      sources[i] = (MtFormulaSource) {
        (char *) wanted, TRUE, mt_column_get_type (column), (char **) mt_column_get_missing_values (column),
        (char *) mt_column_get_unit (column),
      };
    }
  return mt_formula_bind (formula, name, sources, error);
}

/* --- computing --- */

/* Monday is 0; 1970-01-01 was a Thursday. */
static int
get_weekday (double days)
{
  gint64 whole = (gint64) floor (days);

  return (int) (((whole + 3) % 7 + 7) % 7);
}

static double
get_date_part (MtFormulaKind kind,
               double        days)
{
  int year, month, day;

  if (!(days >= -719162 && days < 2932897))   /* the years 1 … 9999 */
    return NAN;
  mt_date_from_days ((gint64) floor (days), &year, &month, &day);
  return kind == MT_FORMULA_YEAR ? year : kind == MT_FORMULA_MONTH ? month : day;
}

/* Every step that is no finite number is missing, so that what an engine makes of infinity does not matter. */
static double
compute (const MtFormulaNode *node,
         const double        *numbers)
{
  double a = node->a != NULL ? compute (node->a, numbers) : 0, b = node->b != NULL ? compute (node->b, numbers) : 0, result;

  if (isnan (a) || isnan (b))
    return NAN;
  switch (node->kind)
    {
    case MT_FORMULA_NUMBER:
      return node->number;
    case MT_FORMULA_SOURCE:
      result = numbers[node->source];
      break;
    case MT_FORMULA_ADD:
      result = a + b;
      break;
    case MT_FORMULA_SUBTRACT:
      result = a - b;
      break;
    case MT_FORMULA_MULTIPLY:
      result = a * b;
      break;
    case MT_FORMULA_DIVIDE:
      result = b != 0 ? a / b : (double) NAN;
      break;
    case MT_FORMULA_NEGATE:
      result = -a;
      break;
    case MT_FORMULA_LOG:
      result = a > 0 ? mt_log (a) : (double) NAN;
      break;
    case MT_FORMULA_ABS:
      result = fabs (a);
      break;
    case MT_FORMULA_YEAR:
    case MT_FORMULA_MONTH:
    case MT_FORMULA_DAY:
      return get_date_part (node->kind, a);
    case MT_FORMULA_DAYS_SINCE:
      result = a - node->number;
      break;
    case MT_FORMULA_WEEKDAY:
    case MT_FORMULA_CONTAINS:
    case MT_FORMULA_BINS:
    case MT_N_FORMULA_KINDS:
    default:
      return NAN;
    }
  return isfinite (result) ? result : (double) NAN;
}

double
mt_formula_get_number (const MtFormula *formula,
                       const double    *numbers)
{
  return compute (formula->root, numbers);
}

int
mt_formula_get_level (const MtFormula    *formula,
                      const double       *numbers,
                      const char * const *texts)
{
  const MtFormulaNode *root = formula->root;
  double value;
  guint bin = 0;

  if (root->kind == MT_FORMULA_CONTAINS)
    return texts[root->a->source] == NULL ? -1 : strstr (texts[root->a->source], root->text) != NULL;
  value = compute (root->a, numbers);
  if (isnan (value))
    return -1;
  if (root->kind == MT_FORMULA_WEEKDAY)
    return value >= -719162 && value < 2932897 ? get_weekday (value) : -1;
  while (bin < root->n_edges && value >= root->edges[bin])
    bin++;
  return (int) bin;
}

/* Does the column count the value as missing, also where its cells were not read from a file? */
static gboolean
lacks_number (const MtFormulaSource *source,
              double                 value)
{
  double missing;

  for (guint i = 0; source->missing_values != NULL && source->missing_values[i] != NULL; i++)
    if (mt_missing_get_token_value (source->missing_values[i], source->type, &missing) && missing == value)
      return TRUE;
  return FALSE;
}

static void
read_cell (const MtFormulaSource  *source,
           const MtColumn         *column,
           gsize                   row,
           double                 *number,
           char                  **text)
{
  *number = NAN;
  *text = NULL;
  if (mt_column_is_missing (column, row))
    return;
  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    {
      *number = mt_column_get_number (column, row);
      if (lacks_number (source, *number))
        *number = NAN;
      return;
    }
  *text = mt_column_dup_text (column, row);
  if (source->missing_values != NULL && mt_missing_is_token (*text, strlen (*text), (const char * const *) source->missing_values))
    g_clear_pointer (text, g_free);
}

/* Levels that no row has are left out; the others stay in their order. */
static MtColumn *
make_levels (MtFormula  *formula,
             const char *name,
             guint32    *codes,
             gsize       n_rows)
{
  const char * const *levels = mt_formula_get_levels (formula);
  guint n = g_strv_length ((char **) levels);
  g_autofree guint32 *places = g_new0 (guint32, n + 1);
  g_autoptr (GPtrArray) used = g_ptr_array_new ();

  for (gsize r = 0; r < n_rows; r++)
    if (codes[r] != MT_CODE_MISSING)
      places[codes[r]] = 1;
  for (guint i = 0; i < n; i++)
    if (places[i] != 0)
      {
        places[i] = used->len;
        g_ptr_array_add (used, g_strdup (levels[i]));
      }
  g_ptr_array_add (used, NULL);
  for (gsize r = 0; r < n_rows; r++)
    codes[r] = codes[r] == MT_CODE_MISSING ? MT_CODE_MISSING : places[codes[r]];
  return mt_column_new_codes (name, mt_formula_get_type (formula), (char **) g_ptr_array_free (g_steal_pointer (&used), FALSE),
                              codes, n_rows);
}

MtColumn *
mt_formula_compute_head (MtFormula      *formula,
                         const char     *name,
                         const MtTable  *table,
                         gsize           n_rows,
                         GError        **error)
{
  guint n = mt_formula_get_n_sources (formula);
  gboolean has_levels = mt_formula_get_levels (formula) != NULL;
  g_autofree const MtColumn **columns = g_new0 (const MtColumn *, n + 1);
  g_autofree double *numbers = g_new0 (double, n + 1);
  g_autofree char **texts = g_new0 (char *, n + 1);
  g_autofree double *values = has_levels ? NULL : g_try_new (double, n_rows + 1);
  g_autofree guint32 *codes = has_levels ? g_try_new (guint32, n_rows + 1) : NULL;
  MtColumn *column;

  n_rows = MIN (n_rows, mt_table_get_n_rows (table));
  if (values == NULL && codes == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("There is not enough memory for the derived column “%s”"), name);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    columns[i] = mt_table_find_column (table, mt_formula_get_source (formula, i)->name, NULL);
  for (gsize r = 0; r < n_rows; r++)
    {
      for (guint i = 0; i < n; i++)
        read_cell (mt_formula_get_source (formula, i), columns[i], r, &numbers[i], &texts[i]);
      if (has_levels)
        {
          int level = mt_formula_get_level (formula, numbers, (const char * const *) texts);

          codes[r] = level < 0 ? MT_CODE_MISSING : (guint32) level;
        }
      else
        values[r] = mt_formula_get_number (formula, numbers);
      for (guint i = 0; i < n; i++)
        g_clear_pointer (&texts[i], g_free);
    }
  column = has_levels ? make_levels (formula, name, codes, n_rows)
                      : mt_column_new_numbers (name, MT_TYPE_NUMBER, g_steal_pointer (&values), n_rows);
  mt_column_set_formula (column, formula);
  return column;
}

MtColumn *
mt_formula_compute (MtFormula      *formula,
                    const char     *name,
                    const MtTable  *table,
                    GError        **error)
{
  return mt_formula_compute_head (formula, name, table, mt_table_get_n_rows (table), error);
}
