/* The cells of the table in the dialects `duckdb` and `spark`, before what counts as missing is taken out.
 *
 *   WITH given AS (SELECT … AS r0, … AS r1, … FROM data d), cell AS (…
 *
 * These two engines read CSV and Parquet themselves, and give a column whatever type they see in it: a number column in
 * which one cell is “n/a” is text there, and the level 1 of a category may be the double 1.0. So what a cell is read from
 * follows from the type that the engine has for its column. Both know that type when they plan the query, and drop the other
 * branch. Text where a number or a date is expected is read as far as a CSV may have it; any other text stops the query with a
 * sentence that names column and cell. Left to itself, Spark would take it for missing. */
#include "config.h"
#include "mt-export-writers.h"

#define NUMBER "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
#define DATE   "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?)?"

static gboolean
is_spark (MtSqlDialect dialect)
{
  return dialect == MT_SQL_SPARK;
}

/* Whether all of @text is of the pattern; neither takes a line end at the end for nothing. */
static void
append_matches (GString      *out,
                MtSqlDialect  dialect,
                const char   *text,
                const char   *pattern)
{
  if (is_spark (dialect))
    g_string_append_printf (out, "%s RLIKE '^(%s)\\\\z'", text, pattern);
  else
    g_string_append_printf (out, "regexp_full_match(%s, '%s')", text, pattern);
}

static void
append_refusal (GString            *out,
                const MtPlanColumn *column,
                MtSqlDialect        dialect,
                const char         *name,
                const char         *what,
                const char         *type)
{
  g_autofree char *before = g_strdup_printf ("column %s: '", column->name);
  g_autofree char *behind = g_strdup_printf ("' is not a %s", what);

  g_string_append (out, is_spark (dialect) ? "CAST(raise_error(concat(" : "CAST(error(concat(");
  mt_quote_append_sql (out, dialect, before);
  g_string_append_printf (out, ", CAST(%s AS %s), ", name, is_spark (dialect) ? "STRING" : "VARCHAR");
  mt_quote_append_sql (out, dialect, behind);
  g_string_append_printf (out, ")) AS %s)", type);
}

static void
append_number (GString            *out,
               const MtPlanColumn *column,
               MtSqlDialect        dialect,
               const char         *name,
               const char         *bare)
{
  g_string_append_printf (out, " OR lower(%s) IN ('inf', '+inf', '-inf', 'infinity', '+infinity', '-infinity') THEN NULL"
                          " WHEN ", bare);
  append_matches (out, dialect, bare, NUMBER);
  g_string_append_printf (out, " THEN CAST(%s AS DOUBLE) ELSE ", bare);
  append_refusal (out, column, dialect, name, "number", "DOUBLE");
  g_string_append_printf (out, " END ELSE CAST(%s AS DOUBLE) END", name);
}

static void
append_date (GString            *out,
             const MtPlanColumn *column,
             MtSqlDialect        dialect,
             const char         *name,
             const char         *bare)
{
  const char *type = is_spark (dialect) ? "TIMESTAMP_NTZ" : "TIMESTAMP";

  g_string_append (out, " THEN NULL WHEN ");
  append_matches (out, dialect, bare, DATE);
  g_string_append_printf (out, " AND TRY_CAST(%s AS %s) IS NOT NULL THEN TRY_CAST(%s AS %s) ELSE ", bare, type, bare, type);
  append_refusal (out, column, dialect, name, "date", type);
  g_string_append_printf (out, " END ELSE CAST(%s AS %s) END", name, type);
}

/* A column of whole numbers with a missing one may be of doubles: 1.0 is the level 1. */
static void
append_text (GString      *out,
             MtSqlDialect  dialect,
             const char   *name)
{
  if (is_spark (dialect))
    g_string_append_printf (out, "CASE WHEN typeof(%s) IN ('double', 'float') THEN regexp_replace(CAST(%s AS STRING), "
                            "'[.]0\\\\z', '') ELSE CAST(%s AS STRING) END", name, name, name);
  else
    g_string_append_printf (out, "CASE WHEN typeof(%s) IN ('DOUBLE', 'FLOAT') THEN regexp_replace(CAST(%s AS VARCHAR), "
                            "'[.]0$', '') ELSE CAST(%s AS VARCHAR) END", name, name, name);
}

static void
append_given (GString            *out,
              const MtPlanColumn *column,
              MtSqlDialect        dialect)
{
  g_autoptr (GString) name = g_string_new ("d.");
  g_autofree char *bare = NULL;

  mt_quote_append_sql_name (name, dialect, column->name);
  if (!column->is_number)
    {
      append_text (out, dialect, name->str);
      return;
    }
  bare = is_spark (dialect) ? g_strdup_printf ("trim(BOTH ' \\t' FROM CAST(%s AS STRING))", name->str)
                            : g_strdup_printf ("trim(CAST(%s AS VARCHAR), ' ' || chr(9))", name->str);
  g_string_append_printf (out, "CASE WHEN %s IS NULL THEN NULL WHEN typeof(%s) = '%s' THEN CASE WHEN %s IN ", name->str,
                          name->str, is_spark (dialect) ? "string" : "VARCHAR", bare);
  mt_export_sql_append_tokens (out, column, dialect);
  if (column->type == MT_TYPE_DATE)
    append_date (out, column, dialect, name->str, bare);
  else
    append_number (out, column, dialect, name->str, bare);
}

gboolean
mt_export_sql_has_given (MtSqlDialect dialect)
{
  return dialect == MT_SQL_DUCKDB || dialect == MT_SQL_SPARK;
}

void
mt_export_sql_append_given (GString          *out,
                            const MtExportIr *plan,
                            MtSqlDialect      dialect)
{
  g_string_append (out, "1 AS one");
  for (guint i = 0; i < plan->n_columns; i++)
    {
      g_string_append (out, ",\n    ");
      append_given (out, &plan->columns[i], dialect);
      g_string_append_printf (out, " AS r%u", i);
    }
  g_string_append (out, "\n  FROM data d\n)");
}

/* As whole days + seconds / 86400.0, the way Minterm counts them; a fraction of a second does not count. */
void
mt_export_sql_append_given_days (GString      *out,
                                 MtSqlDialect  dialect,
                                 const char   *moment)
{
  if (is_spark (dialect))
    g_string_append_printf (out, "datediff(CAST(%s AS DATE), DATE '1970-01-01') + (hour(%s) * 3600 + minute(%s) * 60 "
                            "+ floor(second(%s))) / 86400e0", moment, moment, moment, moment);
  else
    g_string_append_printf (out, "floor(epoch(%s) / 86400e0) + mod(mod(floor(epoch(%s)), 86400e0) + 86400e0, 86400e0) "
                            "/ 86400e0", moment, moment);
}

/* --- a name that needs no quotes --- */

gboolean
mt_export_sql_is_plain_name (const char *name)
{
  static const char * const reserved[] = {
    "account", "all", "alter", "and", "any", "array", "as", "asc", "at", "between", "by", "case", "cast", "check", "collate",
    "column", "connect", "connection", "constraint", "create", "cross", "cube", "current", "database", "default", "delete",
    "desc", "distinct", "drop", "else", "end", "escape", "except", "exclude", "exists", "extract", "false", "fetch",
    "following", "for", "from", "full", "grant", "group", "grouping", "hash", "having", "if", "ignore", "ilike", "in",
    "increment", "inner", "insert", "intersect", "interval", "into", "is", "issue", "join", "lateral", "left", "like", "limit",
    "localtime", "localtimestamp", "lookup", "merge", "minus", "natural", "new", "no", "not", "null", "nulls", "of", "on", "or",
    "order", "organization", "outer", "over", "partition", "preceding", "proto", "qualify", "range", "recursive", "regexp",
    "respect", "revoke", "right", "rlike", "rollup", "row", "rows", "sample", "schema", "select", "set", "some", "start",
    "struct", "table", "tablesample", "then", "to", "treat", "trigger", "true", "try_cast", "unbounded", "union", "unique",
    "unnest", "update", "using", "values", "view", "when", "whenever", "where", "window", "with", "within", NULL,
  };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (!g_ascii_isalpha (*name) && *name != '_')
    return FALSE;
  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && *p != '_')
      return FALSE;
  return !g_strv_contains (reserved, lower);
}
