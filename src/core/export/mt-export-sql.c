/* One SELECT over a table `data`, whose columns have the names of the CSV's:
 *
 *   WITH cell AS (a column each, missing as NULL), term AS (a number each), score AS (a sum a
 *   class), … SELECT prediction, p_<class> …
 *
 * Steps instead of one expression, so that each rule is computed once, overlapping conjunctions
 * count once, and no expression is deep (sqlite: 1000). There is no sort or join in it: rows
 * come in the table's order.
 *
 * A test is never NULL, so NOT, AND and OR mean what they mean in the model. What differs between
 * dialects: how a date becomes days, how text is compared to the letter (MariaDB's collations
 * ignore case and blanks), how numbers are written so that they are doubles. */
#include "config.h"
#include "mt-export-writers.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "data/mt-missing.h"
#include "import/mt-quantity.h"

#define MAX_TERMS  1000    /* sqlite takes 2000 columns a SELECT, PostgreSQL 1664 */
#define MAX_CHAIN  200     /* terms summed in one go */

/* Begins a step. Without the word engines paste one step into the next, and an expression that is
 * used twice is there twice; sqlite knows it since 3.35, PostgreSQL since 12, MariaDB not at all. */
static void
begin_step (GString      *out,
            MtSqlDialect  dialect,
            const char   *name)
{
  gboolean has_word = dialect == MT_SQL_SQLITE || dialect == MT_SQL_POSTGRESQL || dialect == MT_SQL_DUCKDB;

  g_string_append_printf (out, "%s AS %s(\n  SELECT ", name, has_word ? "MATERIALIZED " : "");
}

static void
append_test (GString            *out,
             const MtExportIr *plan,
             const MtPlanTest   *test,
             gconstpointer       data)
{
  MtSqlDialect dialect = *(const MtSqlDialect *) data;
  const char * const *levels = mt_plan_get_levels (plan, test);

  g_string_append_printf (out, "(c%u IS %sNULL", test->column, test->kind == MT_LITERAL_MISSING ? "" : "NOT ");
  if (test->kind == MT_LITERAL_AT_LEAST)
    {
      g_string_append_printf (out, " AND c%u >= ", test->column);
      mt_quote_append_sql_number (out, dialect, test->threshold);
    }
  else if (test->kind == MT_LITERAL_LEVEL)
    {
      g_string_append_printf (out, " AND c%u = ", test->column);
      mt_quote_append_sql (out, dialect, test->level);
    }
  else if (test->kind == MT_LITERAL_OTHER)
    {
      g_string_append_printf (out, " AND c%u NOT IN (", test->column);
      for (guint i = 0; levels[i] != NULL; i++)
        {
          g_string_append (out, i > 0 ? ", " : "");
          mt_quote_append_sql (out, dialect, levels[i]);
        }
      g_string_append_c (out, ')');
    }
  g_string_append_c (out, ')');
}

static const MtPlanLogic logic = { " AND ", " OR ", "NOT ", append_test };

/* --- cells --- */

/* (token, …), for the trimmed text of a cell. */
void
mt_export_sql_append_tokens (GString            *out,
                             const MtPlanColumn *column,
                             MtSqlDialect        dialect)
{
  g_string_append_c (out, '(');
  for (guint i = 0; column->missing[i] != NULL; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      mt_quote_append_sql (out, dialect, column->missing[i]);
    }
  g_string_append_c (out, ')');
}

/* ` WHEN … THEN NULL` for the numbers that count as missing, on the number @what; "" when there are none. */
static void
append_gaps (GString            *out,
             const MtPlanColumn *column,
             MtSqlDialect        dialect,
             const char         *what)
{
  for (guint i = 0; i < column->n_gaps; i++)
    {
      g_string_append_printf (out, " WHEN %s = ", what);
      mt_quote_append_sql_number (out, dialect, column->gaps[i]);
      g_string_append (out, " THEN NULL");
    }
}

/* What a cell is made of: a column of the table, or of the step `given`. */
static char *
dup_name (const MtPlanColumn *column,
          MtSqlDialect        dialect,
          guint               index)
{
  GString *name;

  if (mt_export_sql_has_given (dialect))
    return g_strdup_printf ("r%u", index);
  name = g_string_new ("d.");

  mt_quote_append_sql_name (name, dialect, column->name);
  return g_string_free (name, FALSE);
}

/* A call that stops the query in sqlite, which has no other way to refuse a cell in a SELECT: its error shows
 * the path that is none, and that is our sentence. */
static void
append_refusal (GString            *out,
                const MtPlanColumn *column,
                const char         *name,
                const char         *what)
{
  g_autofree char *before = g_strdup_printf ("column %s: ", column->name);
  g_autofree char *behind = g_strdup_printf (" is not a %s", what);

  g_string_append (out, "json_extract('{}', ");
  mt_quote_append_sql (out, MT_SQL_SQLITE, before);
  g_string_append_printf (out, " || quote(%s) || ", name);
  mt_quote_append_sql (out, MT_SQL_SQLITE, behind);
  g_string_append_c (out, ')');
}

/* ` FROM (SELECT …)` for sqlite: t is the text @bare without the unit that the training data had, and s the sign that goes
 * with it, -1 or 1. The same steps as in the programs: brackets, then one of a currency in front, a minus behind a digit, a
 * unit behind. A text that is a plain number already passes them as it is. */
static void
append_without_unit (GString            *out,
                     const MtPlanColumn *column,
                     const char         *bare)
{
  const char *unit = column->about->unit;
  gboolean signs_only = g_str_equal (unit, MT_UNIT_SIGNS);
  long n = signs_only ? 0 : g_utf8_strlen (unit, -1);
  g_autoptr (GString) in_front = g_string_new ("");

  if (mt_quantity_may_lead (unit))
    {
      g_string_append_printf (in_front, "substr(t, 1 + (substr(t, 1, 1) = '-'), %ld) = ", n);
      mt_quote_append_sql (in_front, MT_SQL_SQLITE, unit);
    }
  g_string_append (out, " FROM (SELECT CASE");
  if (in_front->len > 0)
    g_string_append_printf (out, " WHEN %s THEN CASE WHEN substr(t, 1, 1) = '-' THEN -1 ELSE s END", in_front->str);
  g_string_append (out, " WHEN t GLOB '*[0-9]-' THEN -1 ELSE s END AS s, trim(CASE");
  if (in_front->len > 0)
    g_string_append_printf (out, " WHEN %s THEN substr(t, %ld + (substr(t, 1, 1) = '-'))", in_front->str, n + 1);
  g_string_append (out, " WHEN t GLOB '*[0-9]-' THEN substr(t, 1, length(t) - 1)");
  if (!signs_only)
    {
      g_string_append_printf (out, " WHEN substr(t, -%ld) = ", n);
      mt_quote_append_sql (out, MT_SQL_SQLITE, unit);
      g_string_append_printf (out, " THEN substr(t, 1, length(t) - %ld)", n);
    }
  g_string_append (out, " ELSE t END, ' ' || char(9)) AS t FROM (SELECT CASE WHEN t GLOB '(?*)' THEN -1 ELSE 1 END AS s, "
                   "CASE WHEN t GLOB '(?*)' THEN trim(substr(t, 2, length(t) - 2), ' ' || char(9)) ELSE t END AS t");
  g_string_append_printf (out, " FROM (SELECT %s AS t)))", bare);
}

/* A column of a shell's import is text in sqlite whatever it holds. Text is a number if all of it is one: only then does
 * a comparison with a number make it one, and every number is less than any text. Infinity counts as missing, as
 * in a CSV; anything else stops the query. */
static void
append_number_cell (GString            *out,
                    const MtPlanColumn *column,
                    MtSqlDialect        dialect,
                    guint               index)
{
  g_autofree char *name = dup_name (column, dialect, index);
  g_autofree char *number = NULL;

  if (dialect == MT_SQL_SQLITE)
    {
      g_autofree char *bare = g_strdup_printf ("trim(%s, ' ' || char(9))", name);
      gboolean has_unit = column->about->unit != NULL;
      const char *text = has_unit ? "t" : bare;

      g_string_append (out, has_unit ? "(SELECT " : "");
      g_string_append_printf (out, "CASE WHEN typeof(%s) IN ('integer', 'real') THEN CASE WHEN %s NOT BETWEEN "
                              "-1.7976931348623157e308 AND 1.7976931348623157e308 THEN NULL", name, name);
      append_gaps (out, column, dialect, name);
      g_string_append_printf (out, " ELSE CAST(%s AS REAL) END WHEN %s IS NULL OR %s IN ", name, name, bare);
      mt_export_sql_append_tokens (out, column, dialect);
      g_string_append_printf (out, " OR lower(%s) IN ('inf', '+inf', '-inf', 'infinity', '+infinity', '-infinity') THEN NULL", bare);
      g_string_append_printf (out, " WHEN typeof(%s) = 'text' AND %s <= CAST(9e999 AS REAL) AND %s NOT GLOB '*['", name, text,
                              text);
      g_string_append (out, " || char(10, 11, 12, 13) || ']*' THEN CASE");
      number = g_strdup_printf ("%sCAST(%s AS REAL)", has_unit ? "s * " : "", text);   /* text is never equal to a number */
      g_string_append_printf (out, " WHEN abs(%s) > 1.7976931348623157e308 THEN NULL", number);
      append_gaps (out, column, dialect, number);
      g_string_append_printf (out, " ELSE %s END ELSE ", number);
      append_refusal (out, column, name, "number");
      g_string_append (out, " END");
      if (has_unit)
        {
          append_without_unit (out, column, bare);
          g_string_append_c (out, ')');
        }
      return;
    }
  /* The warehouses have no word for a double in common, but every number becomes one when it meets one. */
  number = mt_export_sql_has_given (dialect) ? g_strdup (name)
           : dialect == MT_SQL_WAREHOUSE ? g_strdup_printf ("(%s + 0e0)", name)
           : g_strdup_printf ("CAST(%s AS %s)", name, dialect == MT_SQL_MARIADB ? "DOUBLE" : "DOUBLE PRECISION");
  g_string_append_printf (out, "CASE WHEN %s NOT BETWEEN ", number);
  mt_quote_append_sql_number (out, dialect, -G_MAXDOUBLE);
  g_string_append (out, " AND ");
  mt_quote_append_sql_number (out, dialect, G_MAXDOUBLE);
  g_string_append (out, " THEN NULL");
  append_gaps (out, column, dialect, number);
  g_string_append_printf (out, " ELSE %s END", number);
}

/* Days since 1970-01-01 as whole days + seconds / 86400.0, the way Minterm counts them, so that
 * equal moments are equal numbers. */
static void
append_days (GString            *out,
             const MtPlanColumn *column,
             MtSqlDialect        dialect,
             guint               index)
{
  g_autofree char *name = dup_name (column, dialect, index);
  g_autofree char *seconds = NULL;
  g_autofree char *year = NULL;
  g_autofree char *month = NULL;

  switch (dialect)
    {
    case MT_SQL_SQLITE:
      seconds = g_strdup_printf ("CAST(strftime('%%s', %s) AS INTEGER)", name);
      g_string_append_printf (out, "(%s - ((%s %% 86400) + 86400) %% 86400) / 86400 + "
                              "(((%s %% 86400) + 86400) %% 86400) / 86400.0", seconds, seconds, seconds);
      break;
    case MT_SQL_POSTGRESQL:
      seconds = g_strdup_printf ("CAST(EXTRACT(EPOCH FROM CAST(%s AS timestamp)) AS double precision)", name);
      g_string_append_printf (out, "floor(%s / 86400) + (%s - 86400 * floor(%s / 86400)) / 86400", seconds, seconds,
                              seconds);
      break;
    case MT_SQL_MARIADB:
      seconds = g_strdup_printf ("TIMESTAMPDIFF(SECOND, '1970-01-01', %s)", name);
      g_string_append_printf (out, "FLOOR(%s / 86400) + MOD(MOD(%s, 86400) + 86400, 86400) / 86400e0", seconds,
                              seconds);
      break;
    case MT_SQL_DUCKDB:
    case MT_SQL_SPARK:
      mt_export_sql_append_given_days (out, dialect, name);
      break;
    case MT_SQL_ANSI:
    case MT_SQL_WAREHOUSE:
    case MT_N_SQL_DIALECTS:
    default:
      /* Years counted from March, so that the leap day is a year's last. */
      month = g_strdup_printf ("EXTRACT(MONTH FROM %s)", name);
      year = g_strdup_printf ("(EXTRACT(YEAR FROM %s) - CASE WHEN %s <= 2 THEN 1 ELSE 0 END)", name, month);
      g_string_append_printf (out, "365e0 * %s + FLOOR(%s / 4e0) - FLOOR(%s / 1e2) + FLOOR(%s / 4e2)", year, year, year,
                              year);
      g_string_append_printf (out, " + FLOOR((153e0 * (%s + CASE WHEN %s > 2 THEN -3 ELSE 9 END) + 2) / 5e0)", month,
                              month);
      g_string_append_printf (out, " + EXTRACT(DAY FROM %s) - 719469 + (EXTRACT(HOUR FROM %s) * 3600"
                              " + EXTRACT(MINUTE FROM %s) * 60 + EXTRACT(SECOND FROM %s)) / 86400e0", name, name, name,
                              name);
      break;
    }
}

/* sqlite takes a text such as 0 or now for a date of its own, and February 30 for March 1; text that means missing is to
 * be known before. */
static void
append_date_cell (GString            *out,
                  const MtPlanColumn *column,
                  MtSqlDialect        dialect,
                  guint               index)
{
  g_autofree char *name = dup_name (column, dialect, index);
  g_autoptr (GString) days = g_string_new ("(");

  if (dialect != MT_SQL_SQLITE && (*column->stand_ins == NULL || column->n_gaps == 0))
    {
      append_days (out, column, dialect, index);
      return;
    }
  append_days (days, column, dialect, index);
  g_string_append_c (days, ')');
  g_string_append (out, "CASE");
  if (dialect == MT_SQL_SQLITE)
    {
      g_string_append_printf (out, " WHEN %s IS NULL OR trim(%s, ' ' || char(9)) IN ", name, name);
      mt_export_sql_append_tokens (out, column, dialect);
      g_string_append_printf (out, " THEN NULL WHEN typeof(%s) <> 'text' OR strftime('%%s', %s) IS NULL OR "
                              "substr(trim(%s), 1, 10) IS NOT date(substr(trim(%s), 1, 10)) THEN ", name, name, name, name);
      append_refusal (out, column, name, "date");
    }
  append_gaps (out, column, dialect, days->str);
  g_string_append_printf (out, " ELSE %s END", days->str);
}

/* Text that spells a number is the number: 0.0 is missing where 0 is, but not 00, which is a code. The plain
 * dialect has no patterns; there a text is compared as it is written, and the export says so. */
static void
append_spelt_gaps (GString            *out,
                   const MtPlanColumn *column,
                   MtSqlDialect        dialect,
                   const char         *text)
{
  static const char * const is_number[] = {
    [MT_SQL_SQLITE] = " WHEN %1$s GLOB '[-+.0-9]*' AND %1$s GLOB '*[0-9]*' AND substr(%1$s, 2) NOT GLOB '*[^.0-9]*' AND "
                      "%1$s NOT GLOB '*.*.*' AND NOT (ltrim(%1$s, '+-') GLOB '0[0-9]*' AND %1$s NOT GLOB '*.*') AND "
                      "CAST(%1$s AS REAL) IN (",
    [MT_SQL_POSTGRESQL] = " WHEN CASE WHEN %1$s ~ '^[+-]?([0-9]{1,200}[.]?[0-9]*|[.][0-9]+)$' AND "
                          "%1$s !~ '^[+-]?0[0-9]+$' THEN CAST(%1$s AS double precision) END IN (",
    [MT_SQL_MARIADB] = " WHEN CASE WHEN %1$s REGEXP '^[+-]?([0-9]{1,200}[.]?[0-9]*|[.][0-9]+)$' AND "
                       "%1$s NOT REGEXP '^[+-]?0[0-9]+$' THEN CAST(%1$s AS DOUBLE) END IN (",
    [MT_SQL_DUCKDB] = " WHEN CASE WHEN regexp_full_match(%1$s, '[+-]?([0-9]{1,200}[.]?[0-9]*|[.][0-9]+)') AND "
                      "NOT regexp_full_match(%1$s, '[+-]?0[0-9]+') THEN CAST(%1$s AS DOUBLE) END IN (",
    [MT_SQL_SPARK] = " WHEN CASE WHEN %1$s RLIKE '^[+-]?([0-9]{1,200}[.]?[0-9]*|[.][0-9]+)\\\\z' AND "
                     "NOT %1$s RLIKE '^[+-]?0[0-9]+\\\\z' THEN CAST(%1$s AS DOUBLE) END IN (",
    [MT_N_SQL_DIALECTS] = NULL,
  };
  guint n = 0;

  for (guint i = 0; column->stand_ins[i] != NULL && is_number[dialect] != NULL; i++)
    {
      double value;

      if (!mt_missing_get_token_value (column->stand_ins[i], MT_TYPE_NUMBER, &value))
        continue;
      if (n++ == 0)
        {
          g_auto (GStrv) around = g_strsplit (is_number[dialect], "%1$s", -1);
          g_autofree char *question = g_strjoinv (text, around);

          g_string_append (out, question);
        }
      else
        g_string_append (out, ", ");
      mt_quote_append_sql_number (out, dialect, value);
    }
  g_string_append (out, n > 0 ? ") THEN NULL" : "");
}

static void
append_text_cell (GString            *out,
                  const MtPlanColumn *column,
                  MtSqlDialect        dialect,
                  guint               index)
{
  /* A level 1 that sqlite keeps as 1.0, because a cell next to it is missing, is still the level 1. */
  static const char * const as_text[] = {
    [MT_SQL_SQLITE] = "CAST(CASE WHEN typeof(%s) = 'real' AND %s = CAST(%s AS INTEGER) THEN CAST(%s AS INTEGER) "
                      "ELSE %s END AS TEXT)",
    [MT_SQL_POSTGRESQL] = "CAST(%s AS text) COLLATE \"C\"",
    [MT_SQL_MARIADB] = "CONVERT(%s USING utf8mb4) COLLATE utf8mb4_nopad_bin",
    [MT_SQL_ANSI] = "CAST(%s AS VARCHAR(4000))",
    [MT_SQL_DUCKDB] = "%s",
    [MT_SQL_SPARK] = "%s",
    [MT_SQL_WAREHOUSE] = "CAST(%s AS STRING)",
  };
  static const char * const bare[] = {
    [MT_SQL_SQLITE] = "trim(%s, ' ' || char(9))",
    [MT_SQL_POSTGRESQL] = "btrim(%s, E' \\t')",
    [MT_SQL_MARIADB] = "TRIM(%s)",
    [MT_SQL_ANSI] = "TRIM(%s)",
    [MT_SQL_DUCKDB] = "trim(%s, ' ' || chr(9))",
    [MT_SQL_SPARK] = "trim(BOTH ' \\t' FROM %s)",
    [MT_SQL_WAREHOUSE] = "TRIM(%s)",
  };
  g_autofree char *name = dup_name (column, dialect, index);
  g_auto (GStrv) around = g_strsplit (as_text[dialect], "%s", -1);
  g_auto (GStrv) trimmed = g_strsplit (bare[dialect], "%s", 2);
  g_autofree char *text = g_strjoinv (name, around);
  g_autofree char *inner = g_strconcat (trimmed[0], text, trimmed[1], NULL);

  g_string_append_printf (out, "CASE WHEN %s IN ", inner);
  mt_export_sql_append_tokens (out, column, dialect);
  g_string_append (out, " THEN NULL");
  append_spelt_gaps (out, column, dialect, inner);
  g_string_append_printf (out, " ELSE %s END", text);
}

static void
append_cells (GString            *out,
              const MtExportIr *plan,
              MtSqlDialect        dialect)
{
  if (mt_export_sql_has_given (dialect))
    {
      begin_step (out, dialect, "WITH given");
      mt_export_sql_append_given (out, plan, dialect);
    }
  begin_step (out, dialect, mt_export_sql_has_given (dialect) ? ", cell" : "WITH cell");
  g_string_append (out, "1 AS one");
  for (guint i = 0; i < plan->n_columns; i++)
    {
      const MtPlanColumn *column = &plan->columns[i];

      g_string_append (out, ",\n    ");
      if (!column->is_number)
        append_text_cell (out, column, dialect, i);
      else if (column->type == MT_TYPE_DATE)
        append_date_cell (out, column, dialect, i);
      else
        append_number_cell (out, column, dialect, i);
      g_string_append_printf (out, " AS c%u", i);
    }
  g_string_append (out, mt_export_sql_has_given (dialect) ? "\n  FROM given\n)" : "\n  FROM data d\n)");
}

/* The derived columns, from cells that are read already. */
static void
append_derived (GString          *out,
                const MtExportIr *plan,
                MtSqlDialect      dialect)
{
  if (plan->n_derived == 0)
    return;
  begin_step (out, dialect, ", made");
  g_string_append (out, "cell.*");
  for (guint i = plan->n_columns; i < plan->n_columns + plan->n_derived; i++)
    {
      g_autofree char *text = mt_export_ir_dup_formula (&plan->columns[i]);

      g_string_append (out, ",\n    -- ");
      mt_quote_append_comment (out, text, FALSE);
      g_string_append (out, "\n    ");
      mt_export_sql_append_formula (out, &plan->columns[i], dialect);
      g_string_append_printf (out, " AS c%u", i);
    }
  g_string_append (out, "\n  FROM cell\n)");
}

/* --- terms and scores --- */

/* NULL when missing. */
static void
append_shaped (GString            *out,
               const MtPlanColumn *column,
               const MtPlanTerm   *term,
               MtSqlDialect        dialect)
{
  const MtEncoderColumn *about = column->about;

  if (term->shape == MT_SHAPE_LOG)
    {
      g_string_append_printf (out, "CASE WHEN c%u < ", term->column);
      mt_quote_append_sql_number (out, dialect, about->log.center);
      g_string_append (out, " THEN -LN(");
      mt_quote_append_sql_number (out, dialect, 1);
      g_string_append (out, " + (");
      mt_quote_append_sql_number (out, dialect, about->log.center);
      g_string_append_printf (out, " - c%u)) ELSE LN(", term->column);
      mt_quote_append_sql_number (out, dialect, 1);
      g_string_append_printf (out, " + (c%u - ", term->column);
      mt_quote_append_sql_number (out, dialect, about->log.center);
      g_string_append (out, ")) END / ");
      mt_quote_append_sql_number (out, dialect, G_LN2);
    }
  else if (term->shape == MT_SHAPE_CLIPPED)
    {
      g_string_append_printf (out, "CASE WHEN c%u < ", term->column);
      mt_quote_append_sql_number (out, dialect, about->clipped.low);
      g_string_append (out, " THEN ");
      mt_quote_append_sql_number (out, dialect, about->clipped.low);
      g_string_append_printf (out, " WHEN c%u > ", term->column);
      mt_quote_append_sql_number (out, dialect, about->clipped.high);
      g_string_append (out, " THEN ");
      mt_quote_append_sql_number (out, dialect, about->clipped.high);
      g_string_append_printf (out, " ELSE c%u END", term->column);
    }
  else
    g_string_append_printf (out, "c%u", term->column);
}

static void
append_terms (GString            *out,
              const MtExportIr *plan,
              MtSqlDialect        dialect)
{
  begin_step (out, dialect, ", term");
  g_string_append (out, "1 AS one");
  for (guint t = 0; t < plan->n_terms; t++)
    {
      const MtPlanTerm *term = &plan->terms[t];

      g_string_append (out, ",\n    -- ");
      mt_quote_append_comment (out, term->text, FALSE);
      g_string_append (out, "\n    ");
      if (term->is_number)
        {
          g_string_append (out, "COALESCE(");
          append_shaped (out, &plan->columns[term->column], term, dialect);
          g_string_append (out, " - ");
          mt_quote_append_sql_number (out, dialect, term->mean);
          g_string_append (out, ", ");
          mt_quote_append_sql_number (out, dialect, 0);
          g_string_append_c (out, ')');
        }
      else
        {
          g_string_append (out, "CASE WHEN ");
          mt_export_ir_append_rule (plan, term, &logic, &dialect, out);
          g_string_append (out, " THEN ");
          mt_quote_append_sql_number (out, dialect, 1);
          g_string_append (out, " ELSE ");
          mt_quote_append_sql_number (out, dialect, 0);
          g_string_append (out, " END");
        }
      g_string_append_printf (out, " AS t%u", t);
    }
  g_string_append (out, plan->n_derived > 0 ? "\n  FROM made\n)" : "\n  FROM cell\n)");
}

/* In brackets of MAX_CHAIN, for the sake of depth. */
static void
append_score (GString            *out,
              const MtExportIr *plan,
              MtSqlDialect        dialect,
              guint               output)
{
  guint n = 0;

  mt_quote_append_sql_number (out, dialect, plan->bias[output]);
  for (guint t = 0; t < plan->n_terms; t++)
    {
      double weight = plan->terms[t].weights[output];

      if (weight == 0)
        continue;
      if (n > 0 && n % MAX_CHAIN == 0)
        g_string_append (out, n == MAX_CHAIN ? " + (0" : ") + (0");
      g_string_append (out, " + ");
      mt_quote_append_sql_number (out, dialect, weight);
      g_string_append_printf (out, " * t%u", t);
      n++;
    }
  g_string_append (out, n > MAX_CHAIN ? ")" : "");
}

static void
append_class (GString            *out,
              const MtExportIr *plan,
              MtSqlDialect        dialect,
              guint               index)
{
  mt_quote_append_sql (out, dialect, plan->classes[index]);
}

/* Whether the names of the answers need quotes, which the warehouses do not write alike. Then they are p_1, p_2, … */
static gboolean
has_odd_outputs (const MtExportIr *plan,
                 MtSqlDialect      dialect)
{
  for (guint i = 0; dialect == MT_SQL_WAREHOUSE && plan->outputs[i] != NULL; i++)
    if (!mt_export_sql_is_plain_name (plan->outputs[i]))
      return TRUE;
  return FALSE;
}

static void
append_output (GString            *out,
               const MtExportIr *plan,
               MtSqlDialect        dialect,
               guint               index)
{
  g_string_append (out, " AS ");
  if (index > 0 && has_odd_outputs (plan, dialect))
    {
      g_string_append_printf (out, "p_%u", index);
      return;
    }
  mt_quote_append_sql_name (out, dialect, plan->outputs[index]);
}

/* exp() of a large number is an error in PostgreSQL, and so is one that comes out as nothing. */
static void
append_binary (GString            *out,
               const MtExportIr *plan,
               MtSqlDialect        dialect)
{
  begin_step (out, dialect, ", answer");
  mt_quote_append_sql_number (out, dialect, 1);
  g_string_append (out, " / (1 + exp(CASE WHEN s0 > 700 THEN ");
  mt_quote_append_sql_number (out, dialect, -700);
  g_string_append (out, " WHEN s0 < -700 THEN ");
  mt_quote_append_sql_number (out, dialect, 700);
  g_string_append (out, " ELSE -s0 END)) AS p\n  FROM score\n)\nSELECT CASE WHEN p > ");
  if (plan->cutoff == MT_CUTOFF)
    g_string_append (out, "0.5");
  else
    mt_quote_append_sql_number (out, dialect, plan->cutoff);
  g_string_append (out, " THEN ");
  append_class (out, plan, dialect, 1);
  g_string_append (out, " ELSE ");
  append_class (out, plan, dialect, 0);
  g_string_append (out, " END");
  append_output (out, plan, dialect, 0);
  g_string_append (out, ",\n  1 - p");
  append_output (out, plan, dialect, 1);
  g_string_append (out, ",\n  p");
  append_output (out, plan, dialect, 2);
  g_string_append (out, "\nFROM answer;\n");
}

/* CASE WHEN v_c is at least every other … END, of equals the first. */
static void
append_largest (GString            *out,
                const MtExportIr *plan,
                MtSqlDialect        dialect,
                const char         *value,
                gboolean            of_class)
{
  guint n = plan->n_outputs;

  g_string_append (out, "CASE");
  for (guint c = 0; c + 1 < n; c++)
    {
      g_string_append (out, " WHEN ");
      for (guint k = 0, first = 1; k < n; k++)
        if (k != c)
          {
            g_string_append_printf (out, "%s%s%u >= %s%u", first ? "" : " AND ", value, c, value, k);
            first = 0;
          }
      g_string_append (out, " THEN ");
      if (of_class)
        append_class (out, plan, dialect, c);
      else
        g_string_append_printf (out, "%s%u", value, c);
    }
  g_string_append (out, " ELSE ");
  if (of_class)
    append_class (out, plan, dialect, n - 1);
  else
    g_string_append_printf (out, "%s%u", value, n - 1);
  g_string_append (out, " END");
}

static void
append_multiclass (GString            *out,
                   const MtExportIr *plan,
                   MtSqlDialect        dialect)
{
  guint n = plan->n_outputs;

  begin_step (out, dialect, ", top");
  g_string_append (out, "score.*, ");
  append_largest (out, plan, dialect, "s", FALSE);
  g_string_append (out, " AS top\n  FROM score\n)");
  begin_step (out, dialect, ", weight");
  for (guint c = 0; c < n; c++)
    {
      g_string_append_printf (out, "%sCASE WHEN s%u - top < -700 THEN ", c > 0 ? ", " : "", c);
      mt_quote_append_sql_number (out, dialect, 0);
      g_string_append_printf (out, " ELSE exp(s%u - top) END AS e%u", c, c);
    }
  g_string_append (out, "\n  FROM top\n)");
  begin_step (out, dialect, ", total");
  g_string_append (out, "weight.*, ");
  for (guint c = 0; c < n; c++)
    g_string_append_printf (out, "%se%u", c > 0 ? " + " : "", c);
  g_string_append (out, " AS total\n  FROM weight\n)");
  begin_step (out, dialect, ", answer");
  for (guint c = 0; c < n; c++)
    g_string_append_printf (out, "%se%u / total AS p%u", c > 0 ? ", " : "", c, c);
  g_string_append (out, "\n  FROM total\n)\nSELECT ");
  append_largest (out, plan, dialect, "p", TRUE);
  append_output (out, plan, dialect, 0);
  for (guint c = 0; c < n; c++)
    {
      g_string_append_printf (out, ",\n  p%u", c);
      append_output (out, plan, dialect, c + 1);
    }
  g_string_append (out, "\nFROM answer;\n");
}

/* --- what the dialect cannot say --- */

static gboolean
check_name (const char    *name,
            MtSqlDialect   dialect,
            GError       **error)
{
  const char *why = NULL;

  if (dialect == MT_SQL_MARIADB)
    {
      if (g_utf8_strlen (name, -1) > 64)
        why = "longer than the 64 characters that MariaDB allows";
      else if (g_str_has_suffix (name, " "))
        why = "a name that ends with a blank, which MariaDB does not allow";
      for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
        if (g_utf8_get_char (p) > 0xffff)
          why = "a name with characters beyond U+FFFF, which MariaDB does not allow";
    }
  else if (dialect == MT_SQL_POSTGRESQL && strlen (name) > 63)
    why = "longer than the 63 bytes that PostgreSQL allows";
  else if (dialect == MT_SQL_SPARK && strstr (name, "${") != NULL)
    why = "a name with “${”, where Spark puts the value of a setting";
  else if (dialect == MT_SQL_WAREHOUSE && !mt_export_sql_is_plain_name (name))
    why = "not a name that this dialect allows: letters, digits, and “_”, but not an SQL keyword";
  if (why == NULL)
    return TRUE;
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
               _("“%s” is %s; rename it, or choose another dialect"), name, why);
  return FALSE;
}

static gboolean
check (const MtExportIr  *plan,
       MtSqlDialect         dialect,
       GError             **error)
{
  if (plan->n_terms > MAX_TERMS || plan->n_columns + plan->n_derived > MAX_TERMS || plan->n_outputs > MAX_CHAIN)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the model has %u terms, %u columns, and %u classes; SQL supports at most %d, %d, and %d"),
                   plan->n_terms, plan->n_columns, plan->n_classes, MAX_TERMS, MAX_TERMS, MAX_CHAIN);
      return FALSE;
    }
  for (guint i = 0; i < plan->n_columns; i++)
    if (!check_name (plan->columns[i].name, dialect, error))
      return FALSE;
  for (guint i = 0; plan->outputs[i] != NULL && !has_odd_outputs (plan, dialect); i++)
    if (!check_name (plan->outputs[i], dialect, error))
      return FALSE;
  for (guint i = plan->n_columns; i < plan->n_columns + plan->n_derived && dialect == MT_SQL_WAREHOUSE; i++)
    if (mt_export_sql_takes_dates_apart (mt_formula_get_root (plan->columns[i].formula)))
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                     _("the dialect “warehouse” cannot compute the derived column “%s”, which uses a part of a "
                       "date; choose another dialect"), plan->columns[i].name);
        return FALSE;
      }
  return TRUE;
}

static void
append_notes (GString            *out,
              const MtExportIr *plan,
              MtSqlDialect        dialect)
{
  gboolean is_spelt = FALSE;
  double ignored;

  for (guint c = 0; c < plan->n_columns; c++)
    {
      const MtPlanColumn *column = &plan->columns[c];
      g_autofree char *note = mt_export_ir_dup_note (column);

      if (note == NULL)
        continue;
      g_string_append (out, "-- ");
      mt_quote_append_comment (out, note, FALSE);
      g_string_append_c (out, '\n');
      for (guint i = 0; column->stand_ins[i] != NULL && !column->is_number; i++)
        is_spelt |= mt_missing_get_token_value (column->stand_ins[i], MT_TYPE_NUMBER, &ignored);
    }
  if (dialect == MT_SQL_WAREHOUSE)
    g_string_append (out, "-- for BigQuery and Snowflake, where this version of Minterm was not tested: compare "
                          "some rows first\n");
  for (guint i = 1; plan->outputs[i] != NULL && has_odd_outputs (plan, dialect); i++)
    {
      g_string_append_printf (out, "-- p_%u: ", i);
      mt_quote_append_comment (out, plan->outputs[i], FALSE);
      g_string_append_c (out, '\n');
    }
  if (is_spelt && (dialect == MT_SQL_ANSI || dialect == MT_SQL_WAREHOUSE))
    g_string_append (out, "-- text is compared exactly: 0.0 does not count as missing where 0 does\n");
}

gboolean
mt_export_sql (const MtExportIr  *plan,
               MtSqlDialect         dialect,
               GString             *out,
               GError             **error)
{
  if (!check (plan, dialect, error))
    return FALSE;
  g_string_append_printf (out, "-- Minterm " MT_VERSION ", model with SHA-256 %s\n-- predicts ", plan->sha256);
  mt_quote_append_comment (out, mt_model_get_info (plan->model)->target, FALSE);
  g_string_append (out, ", from the table data\n");
  append_notes (out, plan, dialect);
  append_cells (out, plan, dialect);
  append_derived (out, plan, dialect);
  append_terms (out, plan, dialect);
  begin_step (out, dialect, ", score");
  for (guint c = 0; c < plan->n_outputs; c++)
    {
      g_string_append (out, c > 0 ? ",\n    " : "");
      append_score (out, plan, dialect, c);
      g_string_append_printf (out, " AS s%u", c);
    }
  g_string_append (out, "\n  FROM term\n)");
  if (plan->task == MT_TASK_BINARY)
    append_binary (out, plan, dialect);
  else if (plan->task == MT_TASK_MULTICLASS)
    append_multiclass (out, plan, dialect);
  else
    {
      /* Some let a sum become infinite where others stop with an error: such a row has no answer. */
      g_string_append (out, dialect == MT_SQL_SQLITE || mt_export_sql_has_given (dialect)
                              ? "\nSELECT CASE WHEN abs(s0) <= 1.7976931348623157e308 THEN s0 END"
                              : "\nSELECT s0");
      append_output (out, plan, dialect, 0);
      g_string_append (out, "\nFROM score;\n");
    }
  return TRUE;
}
