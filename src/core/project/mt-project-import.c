/* How the CSV was read, as one JSON object: a field that was left to be detected is null. */
#include "config.h"
#include "mt-project-private.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define DIALECT_KEY "import"
#define SCHEMA_KEY  "columns"
#define NONE        '\x01'      /* MT_CSV_NO_QUOTE, MT_CSV_NO_THOUSANDS */

G_STATIC_ASSERT (MT_CSV_NO_QUOTE == NONE && MT_CSV_NO_THOUSANDS == NONE);

typedef struct {
  const char *name;
  gsize       offset;
} Sign;

static const Sign signs[] = {
  { "delimiter", G_STRUCT_OFFSET (MtCsvDialect, delimiter) },
  { "quote", G_STRUCT_OFFSET (MtCsvDialect, quote) },
  { "decimal", G_STRUCT_OFFSET (MtCsvDialect, decimal) },
  { "thousands", G_STRUCT_OFFSET (MtCsvDialect, thousands) },
};

gboolean
mt_project_set_dialect (MtProject           *self,
                        const MtCsvDialect  *dialect,
                        GError             **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (self != NULL && dialect != NULL, FALSE);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "encoding");
  json_builder_add_string_value (builder, dialect->encoding);
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    {
      char sign = G_STRUCT_MEMBER (char, dialect, signs[i].offset);
      char word[2] = { sign, '\0' };

      json_builder_set_member_name (builder, signs[i].name);
      if (sign == '\0')
        json_builder_add_null_value (builder);
      else
        json_builder_add_string_value (builder, sign == NONE ? "none" : word);
    }
  json_builder_set_member_name (builder, "header");
  if (dialect->header < 0)
    json_builder_add_null_value (builder);
  else
    json_builder_add_boolean_value (builder, dialect->header != 0);
  json_builder_set_member_name (builder, "missing");
  if (dialect->missing_tokens == NULL)
    json_builder_add_null_value (builder);
  else
    {
      json_builder_begin_array (builder);
      for (char **token = dialect->missing_tokens; *token != NULL; token++)
        json_builder_add_string_value (builder, *token);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  return mt_project_set_text (self, MT_PROJECT_SETTING, DIALECT_KEY, text, error);
}

static gboolean
is_text (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

static gboolean
read_sign (JsonNode *node,
           char     *sign)
{
  const char *text;

  *sign = '\0';
  if (JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!is_text (node))
    return FALSE;
  text = json_node_get_string (node);
  if (strcmp (text, "none") == 0)
    *sign = NONE;
  else if (strlen (text) == 1 && *text > NONE)
    *sign = *text;
  return *sign != '\0';
}

static gboolean
read_tokens (JsonNode   *node,
             char     ***tokens)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array;

  if (JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return FALSE;
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      if (!is_text (json_array_get_element (array, i)))
        return FALSE;
      g_strv_builder_add (builder, json_array_get_string_element (array, i));
    }
  *tokens = g_strv_builder_end (builder);
  return TRUE;
}

/* The name of the field that is wrong, or NULL. */
static const char *
read_dialect (JsonNode     *root,
              MtCsvDialect *dialect)
{
  JsonObject *object;
  JsonNode *node;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return "(all)";
  object = json_node_get_object (root);

  node = json_object_get_member (object, "encoding");
  if (node == NULL || (!JSON_NODE_HOLDS_NULL (node) && !is_text (node)))
    return "encoding";
  dialect->encoding = JSON_NODE_HOLDS_NULL (node) ? NULL : json_node_dup_string (node);
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    {
      node = json_object_get_member (object, signs[i].name);
      if (node == NULL || !read_sign (node, &G_STRUCT_MEMBER (char, dialect, signs[i].offset)))
        return signs[i].name;
    }
  node = json_object_get_member (object, "header");
  if (node == NULL || (!JSON_NODE_HOLDS_NULL (node) && json_node_get_value_type (node) != G_TYPE_BOOLEAN))
    return "header";
  dialect->header = JSON_NODE_HOLDS_NULL (node) ? -1 : json_node_get_boolean (node);
  node = json_object_get_member (object, "missing");
  return node == NULL || !read_tokens (node, &dialect->missing_tokens) ? "missing" : NULL;
}

MtCsvDialect *
mt_project_dup_dialect (MtProject  *self,
                        GError    **error)
{
  g_autofree char *text = mt_project_dup_text (self, MT_PROJECT_SETTING, DIALECT_KEY, error);
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (MtCsvDialect) dialect = NULL;
  const char *wrong = "(all)";

  if (text == NULL)
    return NULL;
  dialect = mt_csv_dialect_new ();
  if (json_parser_load_from_data (parser, text, -1, NULL))
    wrong = read_dialect (json_parser_get_root (parser), dialect);
  if (wrong == NULL)
    return g_steal_pointer (&dialect);
  mt_project_set_damaged (self->path, "entry", DIALECT_KEY, wrong, error);
  return NULL;
}

gboolean
mt_project_set_schema (MtProject       *self,
                       const MtSchema  *schema,
                       GError         **error)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (self != NULL && schema != NULL, FALSE);

  text = mt_schema_to_json (schema);
  return mt_project_set_text (self, MT_PROJECT_SETTING, SCHEMA_KEY, text, error);
}

MtSchema *
mt_project_dup_schema (MtProject  *self,
                       GError    **error)
{
  g_autofree char *text = mt_project_dup_text (self, MT_PROJECT_SETTING, SCHEMA_KEY, error);

  return text != NULL ? mt_schema_from_json (text, -1, error) : NULL;
}
