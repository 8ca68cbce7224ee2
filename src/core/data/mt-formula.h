/* A derived column: a formula over columns of the file, such as income / loan or month(order_date).
 *
 *   numbers   + − * /, parentheses, log(x) (natural), abs(x); a date counts as days since 1970-01-01
 *   dates     year(d), month(d), day(d): numbers; days_since(d, 2026-01-31): days, with a fraction
 *   texts     weekday(d): Monday … Sunday; contains(text, "word"): no, yes (upper and lower case differ);
 *             bins(x, 10, 20): "< 10", "10 to < 20", "≥ 20". These three stand for the whole formula.
 *
 * A name that is no plain word stands in double quotes: "loan amount" / income. A result is missing if a cell in it is missing,
 * and where a step is no finite number: after a division by zero or the logarithm of a number that is not above 0.
 * Every operation is one of IEEE arithmetic, rounded once, so engines agree to the last bit, except in log.
 *
 * Immutable and counted. Sizes: 1–3 columns, 1–10 nodes; at most what the limits say, as a file may come from anywhere. */
#pragma once

#include <gio/gio.h>

#include "mt-table.h"

G_BEGIN_DECLS

#define MT_FORMULA_MAX_BYTES   2000
#define MT_FORMULA_MAX_DEPTH   40
#define MT_FORMULA_MAX_SOURCES 20
#define MT_FORMULA_MAX_BINS    50

typedef enum {
  MT_FORMULA_NUMBER,
  MT_FORMULA_SOURCE,
  MT_FORMULA_ADD,
  MT_FORMULA_SUBTRACT,
  MT_FORMULA_MULTIPLY,
  MT_FORMULA_DIVIDE,
  MT_FORMULA_NEGATE,
  MT_FORMULA_LOG,
  MT_FORMULA_ABS,
  MT_FORMULA_YEAR,
  MT_FORMULA_MONTH,
  MT_FORMULA_DAY,
  MT_FORMULA_DAYS_SINCE,
  MT_FORMULA_WEEKDAY,
  MT_FORMULA_CONTAINS,
  MT_FORMULA_BINS,
  MT_N_FORMULA_KINDS,
} MtFormulaKind;

/* A node of the tree. @a: the operand or the left one. */
typedef struct _MtFormulaNode MtFormulaNode;
struct _MtFormulaNode {
  MtFormulaKind  kind;
  MtFormulaNode *a, *b;
  double         number;     /* NUMBER; DAYS_SINCE: the day counted from */
  guint          source;     /* SOURCE */
  char          *text;       /* CONTAINS */
  double        *edges;      /* BINS: ascending */
  char         **labels;     /* BINS: one more than edges; NULL-terminated */
  guint          n_edges;
};

/* A column of the file that the formula reads, as it was when the formula was bound to a table. */
typedef struct {
  char         *name;
  gboolean      is_bound;         /* what follows is known */
  MtColumnType  type;
  char        **missing_values;   /* NULL: none of its own */
  char         *unit;             /* NULL: none */
} MtFormulaSource;

/* MT_ERROR_PARSE says what is wrong and where. */
MtFormula             *mt_formula_new          (const char *text, GError **error);
MtFormula             *mt_formula_ref          (MtFormula *formula);
void                   mt_formula_unref        (MtFormula *formula);
gboolean               mt_formula_equal        (const MtFormula *a, const MtFormula *b);
/* The formula as it is always written. */
const char            *mt_formula_get_text     (const MtFormula *formula);
const MtFormulaNode   *mt_formula_get_root     (const MtFormula *formula);
guint                  mt_formula_get_n_sources (const MtFormula *formula);
const MtFormulaSource *mt_formula_get_source   (const MtFormula *formula, guint index);
/* The same formula over columns of these types, one for each source in its order; MT_ERROR_SCHEMA names the column that does
 * not fit. @name: of the derived column, for the message. */
MtFormula             *mt_formula_bind         (const MtFormula *formula, const char *name, const MtFormulaSource *sources,
                                                GError **error);
MtFormula             *mt_formula_bind_table   (const MtFormula *formula, const char *name, const MtTable *table,
                                                GError **error);
/* The column of a bound formula; its sources are found by name. */
MtColumn              *mt_formula_compute      (MtFormula *formula, const char *name, const MtTable *table, GError **error);
/* Of the first rows only, at most @n_rows: to look at. */
MtColumn              *mt_formula_compute_head (MtFormula *formula, const char *name, const MtTable *table, gsize n_rows,
                                                GError **error);
/* NUMBER, CATEGORY or BOOLEAN. */
MtColumnType           mt_formula_get_type     (const MtFormula *formula);
/* NULL: the result is a number. Otherwise what it can be. */
const char * const    *mt_formula_get_levels   (const MtFormula *formula);
/* One row: @numbers and @texts by source; NaN and NULL are missing. NaN: missing. */
double                 mt_formula_get_number   (const MtFormula *formula, const double *numbers);
/* The index of the level, or −1: missing. */
int                    mt_formula_get_level    (const MtFormula *formula, const double *numbers, const char * const *texts);
/* A column's name as it stands in a formula, and what a derived column is called without a name of its own. */
char                  *mt_formula_quote_name   (const char *name);
char                  *mt_formula_dup_name     (const MtFormula *formula);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtFormula, mt_formula_unref)

G_END_DECLS
