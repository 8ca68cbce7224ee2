/* A typed table in memory, by columns; immutable once made.
 *
 * A column stores its cells in one of three ways:
 *   numbers  float64, or the smallest of float32 / int32 / int16 / int8 that holds
 *            every value exactly; missing cells read as NaN
 *   codes    uint8 / uint16 / uint32 into a list of levels; missing is MT_CODE_MISSING
 *   text     one block of bytes and an offset a row, for columns of mostly distinct text
 * The type says what a column means, the storage how it is kept: a date is stored
 * as a number (days since 1970-01-01, with a fraction), a boolean as two levels.
 *
 * Columns are shared between tables, so giving a column another role copies nothing. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  MT_TYPE_NUMBER,
  MT_TYPE_CATEGORY,
  MT_TYPE_BOOLEAN,    /* two levels: yes/no, 0/1, true/false, M/F */
  MT_TYPE_DATE,
  MT_TYPE_TEXT,       /* identifier-like: mostly distinct, no use as a feature */
} MtColumnType;

typedef enum {
  MT_ROLE_FEATURE,
  MT_ROLE_TARGET,
  MT_ROLE_IGNORED,
  MT_ROLE_GROUP,      /* rows with the same value stay on one side of a split */
  MT_ROLE_REPORT,     /* in no model and no split; a report measures the model for each of its values */
  MT_ROLE_TIME,       /* in no model; later rows are predicted from earlier ones: the split and the folds are by it */
  MT_N_ROLES,
} MtColumnRole;

typedef enum {
  MT_STORE_NUMBERS,
  MT_STORE_CODES,
  MT_STORE_TEXT,
} MtColumnStore;

#define MT_CODE_MISSING G_MAXUINT32

typedef struct _MtColumn MtColumn;
typedef struct _MtTable MtTable;
typedef struct _MtFormula MtFormula;   /* mt-formula.h */

/* Stable words for files and the command line: "number", "category", …; "feature", … */
const char     *mt_column_type_to_string   (MtColumnType  type);   /* in files: always the same */
const char     *mt_column_type_to_word     (MtColumnType  type);   /* for people, in their language */
gboolean        mt_column_type_from_string (const char   *word, MtColumnType *type);
const char     *mt_column_role_to_string   (MtColumnRole  role);
const char     *mt_column_role_to_word     (MtColumnRole  role);
gboolean        mt_column_role_from_string (const char   *word, MtColumnRole *role);

/* --- making columns: each takes ownership of the arrays given --- */

MtColumn       *mt_column_new_numbers  (const char    *name,
                                        MtColumnType   type,     /* NUMBER or DATE */
                                        double        *values,   /* (transfer full): NaN = missing; g_free'd */
                                        gsize          n_rows);
MtColumn       *mt_column_new_codes    (const char    *name,
                                        MtColumnType   type,     /* CATEGORY, BOOLEAN or TEXT */
                                        char         **levels,   /* (transfer full): NULL-terminated, distinct */
                                        const guint32 *codes,    /* (transfer none): MT_CODE_MISSING or a level */
                                        gsize          n_rows);
MtColumn       *mt_column_new_text     (const char    *name,
                                        char          *bytes,    /* (transfer full): all cells, one after another */
                                        guint64       *offsets,  /* (transfer full): n_rows + 1 */
                                        guint8        *missing,  /* (transfer full) (nullable): a bit a row */
                                        gsize          n_rows);
MtColumn       *mt_column_ref          (MtColumn      *column);
void            mt_column_unref        (MtColumn      *column);
/* Texts that mean missing in this column, in addition to those of its file; before it is shared. The cells are not
 * changed: the importer has already applied them. */
void            mt_column_set_missing_values (MtColumn *column, const char * const *texts);
/* What stood around its numbers and was left out: a unit, or MT_UNIT_SIGNS; NULL: nothing. */
#define MT_UNIT_SIGNS "-"
#define MT_UNIT_SIZE  16      /* bytes, with the NUL */
void            mt_column_set_unit         (MtColumn *column, const char *unit);
const char     *mt_column_get_unit         (const MtColumn *column);
/* What it was computed by from other columns; NULL: it is a column of the file. */
void            mt_column_set_formula      (MtColumn *column, MtFormula *formula);
MtFormula      *mt_column_get_formula      (const MtColumn *column);
/* Whether another column of the file has the same name: a model could not tell which is meant. */
void            mt_column_set_is_doubled   (MtColumn *column, gboolean is_doubled);
gboolean        mt_column_is_doubled       (const MtColumn *column);

/* --- reading columns --- */

const char     *mt_column_get_name     (const MtColumn *column);
MtColumnType    mt_column_get_type     (const MtColumn *column);
MtColumnStore   mt_column_get_store    (const MtColumn *column);
gsize           mt_column_get_n_rows   (const MtColumn *column);
gsize           mt_column_get_n_missing (const MtColumn *column);
gsize           mt_column_get_n_bytes  (const MtColumn *column);   /* memory held */
gboolean        mt_column_is_missing   (const MtColumn *column, gsize row);
const char * const *mt_column_get_missing_values (const MtColumn *column);   /* NULL: none of its own */

/* Numbers store only. */
double          mt_column_get_number   (const MtColumn *column, gsize row);
void            mt_column_read_numbers (const MtColumn *column, gsize first, gsize n, double *out);

/* Codes store. */
guint           mt_column_get_n_levels (const MtColumn *column);
const char     *mt_column_get_level    (const MtColumn *column, guint code);
gsize           mt_column_get_level_count (const MtColumn *column, guint code);  /* rows */
guint32         mt_column_get_code     (const MtColumn *column, gsize row);
void            mt_column_read_codes   (const MtColumn *column, gsize first, gsize n, guint32 *out);

/* Text store: not NUL-terminated; NULL when missing. */
const char     *mt_column_peek_text    (const MtColumn *column, gsize row, gsize *length);

/* Any store: the cell as a person would read it, "" when missing. Numbers in shortest
 * round-trip form with a decimal point, dates as ISO 8601. */
char           *mt_column_dup_text     (const MtColumn *column, gsize row);

/* --- tables --- */

MtTable        *mt_table_new           (MtColumn     **columns,  /* (transfer full elements, array borrowed) */
                                        guint          n_columns);
MtTable        *mt_table_ref           (MtTable       *table);
void            mt_table_unref         (MtTable       *table);
gsize           mt_table_get_n_rows    (const MtTable *table);
guint           mt_table_get_n_columns (const MtTable *table);
const MtColumn *mt_table_get_column    (const MtTable *table, guint index);
const MtColumn *mt_table_find_column   (const MtTable *table, const char *name, guint *index);

/* A role and why it was given: guessed at import, or the user's. */
MtColumnRole    mt_table_get_role      (const MtTable *table, guint index);
const char     *mt_table_get_reason    (const MtTable *table, guint index);
/* Index of the target, or -1. */
int             mt_table_get_target    (const MtTable *table);
/* The same columns with other roles; reasons may be NULL, or hold NULLs. */
MtTable        *mt_table_with_roles    (const MtTable      *table,
                                        const MtColumnRole *roles,
                                        const char * const *reasons);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtColumn, mt_column_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTable, mt_table_unref)

G_END_DECLS
