/* What the user decided about columns, by name: it outlives a reload of the file and is
 * stored in the project. Guesses are not in here; they are made again at each import. */
#pragma once

#include <gio/gio.h>

#include "mt-table.h"

G_BEGIN_DECLS

typedef struct _MtSchema MtSchema;

MtSchema *mt_schema_new         (void);
void      mt_schema_unref       (MtSchema       *schema);
MtSchema *mt_schema_copy        (const MtSchema *schema);
gboolean  mt_schema_equal       (const MtSchema *a, const MtSchema *b);

void      mt_schema_set_type    (MtSchema *schema, const char *column, MtColumnType type);
void      mt_schema_set_role    (MtSchema *schema, const char *column, MtColumnRole role);
/* Tokens that are missing in this column only, in addition to the file's own. */
void      mt_schema_add_missing (MtSchema *schema, const char *column, const char *token);
/* What may stand around a number of this column: only this unit (MT_UNIT_SIGNS: only signs, as in “5-”), “”: nothing.
 * Not decided: any one unit. Of a model, and in no file of the schema. */
void      mt_schema_set_unit    (MtSchema *schema, const char *column, const char *unit);
const char *mt_schema_get_unit  (const MtSchema *schema, const char *column);

/* Derived columns, in the order in which they were added: @formula as mt_formula_new() reads it; NULL takes the column away. */
void      mt_schema_set_derived (MtSchema *schema, const char *name, const char *formula);
guint     mt_schema_get_n_derived (const MtSchema *schema);
const char *mt_schema_get_derived (const MtSchema *schema, guint index, const char **formula);   /* its name */
gboolean  mt_schema_same_derived (const MtSchema *a, const MtSchema *b);
/* The table with the derived columns behind its own; an error names the column. Without any it is the same table. */
MtTable  *mt_schema_derive      (const MtSchema *schema, MtTable *table, GError **error);

gboolean  mt_schema_has_column  (const MtSchema *schema, const char *column);    /* whether anything is decided about it */
gboolean  mt_schema_get_type    (const MtSchema *schema, const char *column, MtColumnType *type);
gboolean  mt_schema_get_role    (const MtSchema *schema, const char *column, MtColumnRole *role);
const char * const *mt_schema_get_missing (const MtSchema *schema, const char *column);  /* NULL: none */

/* One JSON object; reading validates and names the field that is wrong. */
char     *mt_schema_to_json     (const MtSchema *schema);
MtSchema *mt_schema_from_json   (const char *json, gssize length, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSchema, mt_schema_unref)

G_END_DECLS
