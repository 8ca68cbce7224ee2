/* What the user decided about columns, by name: it outlives a reload of the file and is stored in the
 * project. See mt-schema.h. */
#include "config.h"
#include "mt-schema.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-json.h"
#include "mt-formula.h"

/* A hash table by column name. Written and compared in the order of the names, so the
 * same decisions always give the same bytes. */

typedef struct {
  gboolean      has_type, has_role;
  MtColumnType  type;
  MtColumnRole  role;
  GPtrArray    *missing;   /* of char *, NULL-terminated; NULL: none */
  char         *unit;      /* NULL: any */
} Choice;

struct _MtSchema {
  gatomicrefcount  ref_count;
  GHashTable      *choices;   /* owned name -> Choice */
  GPtrArray       *derived;   /* of char *: name, formula, name, formula, … */
};

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_clear_pointer (&choice->missing, g_ptr_array_unref);
  g_free (choice->unit);
  g_free (choice);
}

MtSchema *
mt_schema_new (void)
{
  MtSchema *schema = g_new0 (MtSchema, 1);

  g_atomic_ref_count_init (&schema->ref_count);
  schema->choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, choice_free);
  schema->derived = g_ptr_array_new_with_free_func (g_free);
  return schema;
}

void
mt_schema_unref (MtSchema *schema)
{
  if (schema == NULL || !g_atomic_ref_count_dec (&schema->ref_count))
    return;
  g_hash_table_unref (schema->choices);
  g_ptr_array_unref (schema->derived);
  g_free (schema);
}

static Choice *
ensure_choice (MtSchema   *schema,
               const char *column)
{
  Choice *choice = g_hash_table_lookup (schema->choices, column);

  if (choice == NULL)
    {
      choice = g_new0 (Choice, 1);
      g_hash_table_insert (schema->choices, g_strdup (column), choice);
    }
  return choice;
}

void
mt_schema_set_type (MtSchema     *schema,
                    const char   *column,
                    MtColumnType  type)
{
  Choice *choice;

  g_return_if_fail (schema != NULL && column != NULL);

  choice = ensure_choice (schema, column);
  choice->has_type = TRUE;
  choice->type = type;
}

void
mt_schema_set_role (MtSchema     *schema,
                    const char   *column,
                    MtColumnRole  role)
{
  Choice *choice;

  g_return_if_fail (schema != NULL && column != NULL);

  choice = ensure_choice (schema, column);
  choice->has_role = TRUE;
  choice->role = role;
}

void
mt_schema_add_missing (MtSchema   *schema,
                       const char *column,
                       const char *token)
{
  Choice *choice;

  g_return_if_fail (schema != NULL && column != NULL && token != NULL);

  choice = ensure_choice (schema, column);
  if (choice->missing == NULL)
    {
      choice->missing = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (choice->missing, NULL);
    }
  else if (g_strv_contains ((const char * const *) choice->missing->pdata, token))
    return;
  g_ptr_array_insert (choice->missing, (int) choice->missing->len - 1, g_strdup (token));
}

void
mt_schema_set_unit (MtSchema   *schema,
                    const char *column,
                    const char *unit)
{
  Choice *choice;

  g_return_if_fail (schema != NULL && column != NULL && unit != NULL);

  choice = ensure_choice (schema, column);
  g_free (choice->unit);
  choice->unit = g_strdup (unit);
}

const char *
mt_schema_get_unit (const MtSchema *schema,
                    const char     *column)
{
  const Choice *choice = schema != NULL ? g_hash_table_lookup (schema->choices, column) : NULL;

  return choice != NULL ? choice->unit : NULL;
}

gboolean
mt_schema_has_column (const MtSchema *schema,
                      const char     *column)
{
  return g_hash_table_contains (schema->choices, column);
}

gboolean
mt_schema_get_type (const MtSchema *schema,
                    const char     *column,
                    MtColumnType   *type)
{
  const Choice *choice = schema != NULL ? g_hash_table_lookup (schema->choices, column) : NULL;

  if (choice == NULL || !choice->has_type)
    return FALSE;
  *type = choice->type;
  return TRUE;
}

gboolean
mt_schema_get_role (const MtSchema *schema,
                    const char     *column,
                    MtColumnRole   *role)
{
  const Choice *choice = schema != NULL ? g_hash_table_lookup (schema->choices, column) : NULL;

  if (choice == NULL || !choice->has_role)
    return FALSE;
  *role = choice->role;
  return TRUE;
}

const char * const *
mt_schema_get_missing (const MtSchema *schema,
                       const char     *column)
{
  const Choice *choice = schema != NULL ? g_hash_table_lookup (schema->choices, column) : NULL;

  return choice != NULL && choice->missing != NULL ? (const char * const *) choice->missing->pdata : NULL;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (a, b);
}

static GList *
sorted_names (const MtSchema *schema)
{
  return g_list_sort (g_hash_table_get_keys (schema->choices), compare_names);
}

void
mt_schema_set_derived (MtSchema   *schema,
                       const char *name,
                       const char *formula)
{
  guint i = 0;

  g_return_if_fail (schema != NULL && name != NULL);

  while (i < schema->derived->len && !g_str_equal (schema->derived->pdata[i], name))
    i += 2;
  if (formula == NULL)
    {
      if (i < schema->derived->len)
        g_ptr_array_remove_range (schema->derived, i, 2);
      g_hash_table_remove (schema->choices, name);
      return;
    }
  if (i == schema->derived->len)
    {
      g_ptr_array_add (schema->derived, g_strdup (name));
      g_ptr_array_add (schema->derived, NULL);
    }
  g_free (schema->derived->pdata[i + 1]);
  schema->derived->pdata[i + 1] = g_strdup (formula);
}

guint
mt_schema_get_n_derived (const MtSchema *schema)
{
  return schema != NULL ? schema->derived->len / 2 : 0;
}

const char *
mt_schema_get_derived (const MtSchema  *schema,
                       guint            index,
                       const char     **formula)
{
  g_return_val_if_fail (index < mt_schema_get_n_derived (schema), NULL);

  if (formula != NULL)
    *formula = schema->derived->pdata[2 * index + 1];
  return schema->derived->pdata[2 * index];
}

gboolean
mt_schema_same_derived (const MtSchema *a,
                        const MtSchema *b)
{
  if (a->derived->len != b->derived->len)
    return FALSE;
  for (guint i = 0; i < a->derived->len; i++)
    if (!g_str_equal (a->derived->pdata[i], b->derived->pdata[i]))
      return FALSE;
  return TRUE;
}

/* A name that differs from another one only by case could not be told from it in SQL. */
static gboolean
check_name (const MtTable  *table,
            const char     *name,
            GError        **error)
{
  g_autofree char *folded = g_utf8_casefold (name, -1);

  if (*name == '\0')
    return mt_refuse (error, MT_ERROR_SCHEMA, _("A derived column needs a name"));
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const char *other = mt_column_get_name (mt_table_get_column (table, c));
      g_autofree char *folded_other = g_utf8_casefold (other, -1);

      if (g_str_equal (folded, folded_other))
        return mt_refuse (error, MT_ERROR_SCHEMA, _("Derived column “%s”: the data already has a column “%s”; choose another name"),
                          name, other);
    }
  return TRUE;
}

MtTable *
mt_schema_derive (const MtSchema  *schema,
                  MtTable         *table,
                  GError         **error)
{
  g_autoptr (MtTable) wider = mt_table_ref (table);

  for (guint i = 0; i < mt_schema_get_n_derived (schema); i++)
    {
      guint n = mt_table_get_n_columns (wider);
      g_autofree MtColumn **columns = g_new0 (MtColumn *, n + 1);
      g_autofree MtColumnRole *roles = g_new0 (MtColumnRole, n + 1);
      g_autofree const char **reasons = g_new0 (const char *, n + 1);
      const char *text, *name = mt_schema_get_derived (schema, i, &text);
      g_autoptr (MtFormula) formula = NULL;
      g_autoptr (MtFormula) bound = NULL;
      g_autoptr (MtTable) both = NULL;
      g_autofree char *reason = NULL;
      MtTable *derived;
      MtColumn *column;

      if (!check_name (wider, name, error) || (formula = mt_formula_new (text, error)) == NULL ||
          (bound = mt_formula_bind_table (formula, name, wider, error)) == NULL ||
          (column = mt_formula_compute (bound, name, wider, error)) == NULL)
        return NULL;
      reason = g_strdup_printf (_("derived: %s"), mt_formula_get_text (bound));
      for (guint c = 0; c < n; c++)
        {
          columns[c] = mt_column_ref ((MtColumn *) mt_table_get_column (wider, c));
          roles[c] = mt_table_get_role (wider, c);
          reasons[c] = mt_table_get_reason (wider, c);
        }
      columns[n] = column;
      reasons[n] = reason;
      if (!mt_schema_get_role (schema, name, &roles[n]))
        roles[n] = MT_ROLE_FEATURE;
      both = mt_table_new (columns, n + 1);
      derived = mt_table_with_roles (both, roles, reasons);
      mt_table_unref (wider);
      wider = derived;
    }
  return g_steal_pointer (&wider);
}

/* {"columns": {"age": {"type": "number", "role": "target", "missing": ["999"]}, …},
 *  "derived": [{"name": "ratio", "formula": "income / loan"}, …]}, the latter only if there are any */
char *
mt_schema_to_json (const MtSchema *schema)
{
  MtJsonWriter *json;
  g_autoptr (GList) names = NULL;

  g_return_val_if_fail (schema != NULL, NULL);

  names = sorted_names (schema);
  json = mt_json_writer_new_compact ();
  mt_json_writer_begin_object (json);
  mt_json_writer_key (json, "columns");
  mt_json_writer_begin_object (json);
  for (GList *l = names; l != NULL; l = l->next)
    {
      const Choice *choice = g_hash_table_lookup (schema->choices, l->data);

      mt_json_writer_key (json, l->data);
      mt_json_writer_begin_object (json);
      if (choice->has_type)
        {
          mt_json_writer_key (json, "type");
          mt_json_writer_string (json, mt_column_type_to_string (choice->type));
        }
      if (choice->has_role)
        {
          mt_json_writer_key (json, "role");
          mt_json_writer_string (json, mt_column_role_to_string (choice->role));
        }
      if (choice->missing != NULL)
        {
          mt_json_writer_key (json, "missing");
          mt_json_writer_begin_array (json);
          for (guint i = 0; i + 1 < choice->missing->len; i++)
            mt_json_writer_string (json, choice->missing->pdata[i]);
          mt_json_writer_end_array (json);
        }
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_object (json);
  if (schema->derived->len > 0)
    {
      mt_json_writer_key (json, "derived");
      mt_json_writer_begin_array (json);
      for (guint i = 0; i < schema->derived->len; i += 2)
        {
          mt_json_writer_begin_object (json);
          mt_json_writer_member_string (json, "name", schema->derived->pdata[i]);
          mt_json_writer_member_string (json, "formula", schema->derived->pdata[i + 1]);
          mt_json_writer_end_object (json);
        }
      mt_json_writer_end_array (json);
    }
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, NULL);
}

MtSchema *
mt_schema_copy (const MtSchema *schema)
{
  MtSchema *copy = mt_schema_new ();
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, schema->choices);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      const Choice *choice = value;
      Choice *other = ensure_choice (copy, name);

      other->has_type = choice->has_type;
      other->type = choice->type;
      other->has_role = choice->has_role;
      other->role = choice->role;
      other->unit = g_strdup (choice->unit);
      for (guint i = 0; choice->missing != NULL && i + 1 < choice->missing->len; i++)
        mt_schema_add_missing (copy, name, choice->missing->pdata[i]);
    }
  for (guint i = 0; i < schema->derived->len; i++)
    g_ptr_array_add (copy->derived, g_strdup (schema->derived->pdata[i]));
  return copy;
}

gboolean
mt_schema_equal (const MtSchema *a,
                 const MtSchema *b)
{
  g_autofree char *a_json = mt_schema_to_json (a);
  g_autofree char *b_json = mt_schema_to_json (b);

  return strcmp (a_json, b_json) == 0;
}

static gboolean
refuse (GError     **error,
        const char  *column,
        const char  *field,
        const char  *expected)
{
  g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("Column settings: “%s” of column “%s” must be %s"),
               field, column, expected);
  return FALSE;
}

/* NULL when @json is not a string. */
static const char *
string_of (const MtJson *json)
{
  return mt_json_get_kind (json) == MT_JSON_STRING ? mt_json_get_string (json) : NULL;
}

static gboolean
read_missing (MtSchema      *schema,
              const char    *column,
              const MtJson  *tokens,
              GError       **error)
{
  if (mt_json_get_kind (tokens) != MT_JSON_ARRAY)
    return refuse (error, column, "missing", _("a list of strings"));
  for (guint i = 0; i < mt_json_get_n_children (tokens); i++)
    {
      const char *token = string_of (mt_json_get_child (tokens, i));

      if (token == NULL)
        return refuse (error, column, "missing", _("a list of strings"));
      mt_schema_add_missing (schema, column, token);
    }
  return TRUE;
}

static gboolean
read_choice (MtSchema      *schema,
             const char    *column,
             const MtJson  *choice,
             GError       **error)
{
  if (mt_json_get_kind (choice) != MT_JSON_OBJECT)
    return refuse (error, column, "columns", _("an object"));
  for (guint i = 0; i < mt_json_get_n_children (choice); i++)
    {
      const char *field = mt_json_get_name (choice, i);
      const MtJson *value = mt_json_get_child (choice, i);
      const char *text = string_of (value);
      MtColumnType type;
      MtColumnRole role;

      if (strcmp (field, "type") == 0)
        {
          if (text == NULL || !mt_column_type_from_string (text, &type))
            return refuse (error, column, field, _("number, category, boolean, date, or text"));
          mt_schema_set_type (schema, column, type);
        }
      else if (strcmp (field, "role") == 0)
        {
          if (text == NULL || !mt_column_role_from_string (text, &role))
            return refuse (error, column, field, _("feature, target, ignored, group, report, or time"));
          mt_schema_set_role (schema, column, role);
        }
      else if (strcmp (field, "missing") == 0)
        {
          if (!read_missing (schema, column, value, error))
            return FALSE;
        }
      else
        return refuse (error, column, field, _("type, role, or missing"));
    }
  return TRUE;
}

/* @list: NULL if there is none. */
static gboolean
read_derived (MtSchema      *schema,
              const MtJson  *list,
              GError       **error)
{
  if (list != NULL && mt_json_get_kind (list) != MT_JSON_ARRAY)
    return mt_refuse (error, MT_ERROR_PARSE, _("Column settings: “derived” must be a list"));
  for (guint i = 0; list != NULL && i < mt_json_get_n_children (list); i++)
    {
      const MtJson *item = mt_json_get_child (list, i);
      gboolean is_object = mt_json_get_kind (item) == MT_JSON_OBJECT;
      const MtJson *name = is_object ? mt_json_find (item, "name") : NULL, *formula = is_object ? mt_json_find (item, "formula") : NULL;
      g_autoptr (MtFormula) read = NULL;

      if (name == NULL || formula == NULL || string_of (name) == NULL || string_of (formula) == NULL)
        return mt_refuse (error, MT_ERROR_PARSE, _("Column settings: a derived column must have “name” and “formula”"));
      read = mt_formula_new (string_of (formula), error);
      if (read == NULL)
        return FALSE;
      mt_schema_set_derived (schema, string_of (name), string_of (formula));
    }
  return TRUE;
}

MtSchema *
mt_schema_from_json (const char  *json,
                     gssize       length,
                     GError     **error)
{
  gboolean is_empty = length == 0 || (length < 0 && *json == '\0');
  g_autoptr (MtJson) root = NULL;
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (GError) problem = NULL;
  const MtJson *columns = NULL;

  if (!is_empty && (root = mt_json_parse (json, length, &problem)) == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("Column settings are not valid JSON: %s"), problem->message);
      return NULL;
    }
  if (root != NULL && mt_json_get_kind (root) == MT_JSON_OBJECT)
    columns = mt_json_find (root, "columns");
  if (columns == NULL || mt_json_get_kind (columns) != MT_JSON_OBJECT)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("Column settings must be an object with “columns”"));
      return NULL;
    }
  for (guint i = 0; i < mt_json_get_n_children (columns); i++)
    if (!read_choice (schema, mt_json_get_name (columns, i), mt_json_get_child (columns, i), error))
      return NULL;
  return read_derived (schema, mt_json_find (root, "derived"), error) ? g_steal_pointer (&schema) : NULL;
}
