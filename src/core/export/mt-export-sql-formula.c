/* A derived column as an SQL expression over the cells c0, c1, …
 *
 * NULL is missing, and every operation of SQL passes it on, so what remains to say is where a number gives NULL: division by zero, the
 * logarithm of what is not above 0, and in SQLite, DuckDB, and Spark a result that is infinite; the other engines stop there with an error. A date is
 * a number of days here, as in the rest of the query, and becomes a date again for its parts. */
#include "config.h"
#include "mt-export-writers.h"

static void append_node (GString *out, const MtPlanColumn *column, const MtFormulaNode *node, MtSqlDialect dialect);

static void
append_whole_days (GString             *out,
                   const MtPlanColumn  *column,
                   const MtFormulaNode *node,
                   MtSqlDialect         dialect)
{
  guint cell = column->sources[node->source];

  if (dialect == MT_SQL_SQLITE)   /* floor() is not in every build */
    g_string_append_printf (out, "(CAST(c%u AS INTEGER) - (c%u < CAST(c%u AS INTEGER)))", cell, cell, cell);
  else if (dialect == MT_SQL_MARIADB)
    g_string_append_printf (out, "FLOOR(c%u)", cell);
  else
    g_string_append_printf (out, "CAST(FLOOR(c%u) AS INTEGER)", cell);
}

static void
append_date_part (GString             *out,
                  const MtPlanColumn  *column,
                  const MtFormulaNode *node,
                  MtSqlDialect         dialect)
{
  static const char * const words[] = { "YEAR", "MONTH", "DAY" };
  static const char * const codes[] = { "%Y", "%m", "%d" };
  guint part = node->kind == MT_FORMULA_YEAR ? 0 : node->kind == MT_FORMULA_MONTH ? 1 : 2;
  g_autoptr (GString) days = g_string_new (NULL);

  append_whole_days (days, column, node->a, dialect);
  switch ((int) dialect)
    {
    case MT_SQL_SQLITE:
      g_string_append_printf (out, "CAST(strftime('%s', %s * 86400, 'unixepoch') AS REAL)", codes[part], days->str);
      break;
    case MT_SQL_MARIADB:
      g_string_append_printf (out, "(%s(DATE_ADD('1970-01-01', INTERVAL %s DAY)) + 0e0)", words[part], days->str);
      break;
    case MT_SQL_POSTGRESQL:
      g_string_append_printf (out, "CAST(EXTRACT(%s FROM DATE '1970-01-01' + %s) AS DOUBLE PRECISION)", words[part], days->str);
      break;
    case MT_SQL_DUCKDB:
      g_string_append_printf (out, "CAST(EXTRACT(%s FROM DATE '1970-01-01' + %s) AS DOUBLE)", words[part], days->str);
      break;
    case MT_SQL_SPARK:
      g_string_append_printf (out, "CAST(EXTRACT(%s FROM date_add(DATE '1970-01-01', %s)) AS DOUBLE)", words[part], days->str);
      break;
    default:
      g_string_append_printf (out, "CAST(EXTRACT(%s FROM DATE '1970-01-01' + %s * INTERVAL '1' DAY) AS DOUBLE PRECISION)", words[part],
                              days->str);
      break;
    }
}

/* 0001-01-01, day −719162, was a Monday. */
static void
append_weekday (GString             *out,
                const MtPlanColumn  *column,
                const MtFormulaNode *node,
                MtSqlDialect         dialect)
{
  const char * const *levels = mt_formula_get_levels (column->formula);

  g_string_append (out, dialect == MT_SQL_SQLITE ? "CASE (" : "CASE MOD(");
  append_whole_days (out, column, node->a, dialect);
  g_string_append (out, dialect == MT_SQL_SQLITE ? " + 719162) % 7" : " + 719162, 7)");
  for (guint i = 0; levels[i] != NULL; i++)
    {
      g_string_append_printf (out, " WHEN %u THEN ", i);
      mt_quote_append_sql (out, dialect, levels[i]);
    }
  g_string_append (out, " END");
}

static void
append_contains (GString             *out,
                 const MtPlanColumn  *column,
                 const MtFormulaNode *node,
                 MtSqlDialect         dialect)
{
  const char * const *levels = mt_formula_get_levels (column->formula);
  guint cell = column->sources[node->a->source];

  if (dialect == MT_SQL_SQLITE)
    {
      g_string_append_printf (out, "CASE WHEN instr(c%u, ", cell);
      mt_quote_append_sql (out, dialect, node->text);
      g_string_append (out, ") > 0 THEN ");
    }
  else if (dialect == MT_SQL_WAREHOUSE)
    {
      g_string_append_printf (out, "CASE WHEN REPLACE(c%u, ", cell);
      mt_quote_append_sql (out, dialect, node->text);
      g_string_append_printf (out, ", '') <> c%u THEN ", cell);
    }
  else
    {
      g_string_append (out, "CASE WHEN POSITION(");
      mt_quote_append_sql (out, dialect, node->text);
      g_string_append_printf (out, " IN c%u) > 0 THEN ", cell);
    }
  mt_quote_append_sql (out, dialect, levels[1]);
  g_string_append_printf (out, " WHEN c%u IS NOT NULL THEN ", cell);
  mt_quote_append_sql (out, dialect, levels[0]);
  g_string_append (out, " END");
}

static void
append_bins (GString             *out,
             const MtPlanColumn  *column,
             const MtFormulaNode *node,
             MtSqlDialect         dialect)
{
  g_autoptr (GString) value = g_string_new (NULL);

  append_node (value, column, node->a, dialect);
  g_string_append (out, "CASE");
  for (guint i = 0; i < node->n_edges; i++)
    {
      g_string_append_printf (out, " WHEN %s < ", value->str);
      mt_quote_append_sql_number (out, dialect, node->edges[i]);
      g_string_append (out, " THEN ");
      mt_quote_append_sql (out, dialect, node->labels[i]);
    }
  g_string_append_printf (out, " WHEN %s IS NOT NULL THEN ", value->str);
  mt_quote_append_sql (out, dialect, node->labels[node->n_edges]);
  g_string_append (out, " END");
}

static void
append_operation (GString             *out,
                  const MtPlanColumn  *column,
                  const MtFormulaNode *node,
                  MtSqlDialect         dialect)
{
  static const char * const signs[] = {
    [MT_FORMULA_ADD] = " + ", [MT_FORMULA_SUBTRACT] = " - ", [MT_FORMULA_MULTIPLY] = " * ", [MT_FORMULA_DIVIDE] = " / ",
    [MT_FORMULA_DAYS_SINCE] = " - ",
  };

  g_string_append_c (out, '(');
  append_node (out, column, node->a, dialect);
  g_string_append (out, signs[node->kind]);
  if (node->kind == MT_FORMULA_DAYS_SINCE)
    mt_quote_append_sql_number (out, dialect, node->number);
  else
    {
      g_string_append (out, node->kind == MT_FORMULA_DIVIDE ? "NULLIF(" : "");
      append_node (out, column, node->b, dialect);
      if (node->kind == MT_FORMULA_DIVIDE)
        {
          g_string_append (out, ", ");
          mt_quote_append_sql_number (out, dialect, 0);
          g_string_append_c (out, ')');
        }
    }
  g_string_append_c (out, ')');
}

static void
append_node (GString             *out,
             const MtPlanColumn  *column,
             const MtFormulaNode *node,
             MtSqlDialect         dialect)
{
  gboolean can_grow = node->kind == MT_FORMULA_ADD || node->kind == MT_FORMULA_SUBTRACT || node->kind == MT_FORMULA_MULTIPLY ||
                      node->kind == MT_FORMULA_DIVIDE;
  gboolean can_overflow = can_grow && (dialect == MT_SQL_SQLITE || mt_export_sql_has_given (dialect));

  if (can_overflow)
    g_string_append (out, "NULLIF(NULLIF(");
  switch (node->kind)
    {
    case MT_FORMULA_NUMBER:
      mt_quote_append_sql_number (out, dialect, node->number);
      break;
    case MT_FORMULA_SOURCE:
      g_string_append_printf (out, "c%u", column->sources[node->source]);
      break;
    case MT_FORMULA_ADD:
    case MT_FORMULA_SUBTRACT:
    case MT_FORMULA_MULTIPLY:
    case MT_FORMULA_DIVIDE:
    case MT_FORMULA_DAYS_SINCE:
      append_operation (out, column, node, dialect);
      break;
    case MT_FORMULA_NEGATE:
      g_string_append (out, "(- ");
      append_node (out, column, node->a, dialect);
      g_string_append_c (out, ')');
      break;
    case MT_FORMULA_ABS:
      g_string_append (out, "ABS(");
      append_node (out, column, node->a, dialect);
      g_string_append_c (out, ')');
      break;
    case MT_FORMULA_LOG:
      {
        g_autoptr (GString) value = g_string_new (NULL);

        append_node (value, column, node->a, dialect);
        g_string_append_printf (out, "(CASE WHEN %s > ", value->str);
        mt_quote_append_sql_number (out, dialect, 0);
        g_string_append_printf (out, " THEN LN(%s) END)", value->str);
        break;
      }
    case MT_FORMULA_YEAR:
    case MT_FORMULA_MONTH:
    case MT_FORMULA_DAY:
      append_date_part (out, column, node, dialect);
      break;
    case MT_FORMULA_WEEKDAY:
      append_weekday (out, column, node, dialect);
      break;
    case MT_FORMULA_CONTAINS:
      append_contains (out, column, node, dialect);
      break;
    case MT_FORMULA_BINS:
      append_bins (out, column, node, dialect);
      break;
    case MT_N_FORMULA_KINDS:
    default:
      g_assert_not_reached ();
    }
  if (can_overflow)
    g_string_append (out, dialect == MT_SQL_SQLITE ? ", 9e999), -9e999)"
                          : ", CAST('Infinity' AS DOUBLE)), CAST('-Infinity' AS DOUBLE))");
}

gboolean
mt_export_sql_takes_dates_apart (const MtFormulaNode *node)
{
  if (node == NULL)
    return FALSE;
  return node->kind == MT_FORMULA_YEAR || node->kind == MT_FORMULA_MONTH || node->kind == MT_FORMULA_DAY ||
         mt_export_sql_takes_dates_apart (node->a) || mt_export_sql_takes_dates_apart (node->b);
}

void
mt_export_sql_append_formula (GString            *out,
                              const MtPlanColumn *column,
                              MtSqlDialect        dialect)
{
  append_node (out, column, mt_formula_get_root (column->formula), dialect);
}
