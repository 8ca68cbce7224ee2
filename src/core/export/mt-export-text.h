/* Names and values inside the text of another language, so that no name, level or class can
 * end its string, open a tag or end a comment. Quoting lives here and nowhere
 * else; a writer never appends a name by itself. Private to core.
 *
 * What is invisible or turns the direction of writing is escaped wherever the language has an
 * escape, so that the source reads as it runs. All texts are valid UTF-8 without NUL. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  MT_QUOTE_C,            /* "…" with octal escapes: none runs on into the next character */
  MT_QUOTE_PYTHON,
  MT_QUOTE_JAVASCRIPT,
  MT_QUOTE_R,            /* all but ASCII escaped: R reads sources in the locale's encoding */
  MT_QUOTE_FEEL,         /* DMN's expressions, which stand in XML text */
} MtQuote;

/* A string of the language, in quotes. */
void mt_quote_append         (GString *out, MtQuote how, const char *text);
/* A finite double that reads back as the same double, as a fraction, never as an integer. */
void mt_quote_append_number  (GString *out, double value);

typedef enum {
  MT_SQL_SQLITE,
  MT_SQL_POSTGRESQL,
  MT_SQL_MARIADB,
  MT_SQL_ANSI,
  MT_SQL_DUCKDB,
  MT_SQL_SPARK,
  MT_SQL_WAREHOUSE,      /* what BigQuery and Snowflake have in common; run in neither of them */
  MT_N_SQL_DIALECTS,
} MtSqlDialect;

void mt_quote_append_sql     (GString *out, MtSqlDialect dialect, const char *text);
void mt_quote_append_sql_name (GString *out, MtSqlDialect dialect, const char *name);
void mt_quote_append_sql_number (GString *out, MtSqlDialect dialect, double value);

/* Text or an attribute's value of XML. Characters that XML has not are replaced by U+FFFD. */
void mt_quote_append_xml     (GString *out, const char *text);
/* A string of OpenFormula, and what stands in an attribute of XML at that. */
void mt_quote_append_formula (GString *out, const char *text);
void mt_quote_append_latex   (GString *out, const char *text);
/* For a comment of any language: one line, nothing invisible, no end of a comment in it. With
 * @ascii nothing but ASCII. */
void mt_quote_append_comment (GString *out, const char *text, gboolean ascii);

G_END_DECLS
