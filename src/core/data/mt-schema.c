/* What the user decided about columns, by name: it outlives a reload of the file and is stored in the
 * project. See mt-schema.h. */
#include "config.h"
#include "mt-schema.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-json.h"

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
  return schema;
}

void
mt_schema_unref (MtSchema *schema)
{
  if (schema == NULL || !g_atomic_ref_count_dec (&schema->ref_count))
    return;
  g_hash_table_unref (schema->choices);
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

/* {"columns": {"age": {"type": "number", "role": "target", "missing": ["999"]}, …}} */
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
    return refuse (error, column, "missing", _("a list of texts"));
  for (guint i = 0; i < mt_json_get_n_children (tokens); i++)
    {
      const char *token = string_of (mt_json_get_child (tokens, i));

      if (token == NULL)
        return refuse (error, column, "missing", _("a list of texts"));
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
        return refuse (error, column, field, _("type, role or missing"));
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
  return g_steal_pointer (&schema);
}
