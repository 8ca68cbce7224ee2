/* How the CSV was read, as one JSON object: a field that was left to be detected is null. */
#include "config.h"
#include "mt-project-private.h"

#include <string.h>

#include "base/mt-json.h"

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

/* Left out where they are not chosen: a CSV has none, and older programs do not know them. */
static const Sign places[] = {
  { "sheet", G_STRUCT_OFFSET (MtCsvDialect, sheet) },
  { "table", G_STRUCT_OFFSET (MtCsvDialect, table) },
  { "query", G_STRUCT_OFFSET (MtCsvDialect, query) },
};

char *
mt_project_dialect_to_json (const MtCsvDialect *dialect)
{
  MtJsonWriter *json;

  g_return_val_if_fail (dialect != NULL, NULL);

  json = mt_json_writer_new_compact ();
  mt_json_writer_begin_object (json);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      const char *place = G_STRUCT_MEMBER (char *, dialect, places[i].offset);

      if (place == NULL)
        continue;
      mt_json_writer_key (json, places[i].name);
      mt_json_writer_string (json, place);
    }
  mt_json_writer_key (json, "encoding");
  mt_json_writer_string (json, dialect->encoding);
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    {
      char sign = G_STRUCT_MEMBER (char, dialect, signs[i].offset);
      char word[2] = { sign, '\0' };

      mt_json_writer_key (json, signs[i].name);
      if (sign == '\0')
        mt_json_writer_string (json, NULL);
      else
        mt_json_writer_string (json, sign == NONE ? "none" : word);
    }
  mt_json_writer_key (json, "header");
  if (dialect->header < 0)
    mt_json_writer_string (json, NULL);
  else
    mt_json_writer_boolean (json, dialect->header != 0);
  mt_json_writer_key (json, "missing");
  if (dialect->missing_tokens == NULL)
    mt_json_writer_string (json, NULL);
  else
    {
      mt_json_writer_begin_array (json);
      for (char **token = dialect->missing_tokens; *token != NULL; token++)
        mt_json_writer_string (json, *token);
      mt_json_writer_end_array (json);
    }
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, NULL);
}

gboolean
mt_project_set_dialect (MtProject           *self,
                        const MtCsvDialect  *dialect,
                        GError             **error)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (self != NULL && dialect != NULL, FALSE);

  text = mt_project_dialect_to_json (dialect);
  return mt_project_set_text (self, MT_PROJECT_SETTING, DIALECT_KEY, text, error);
}

/* A character as a text, "none" for none, null where it is detected; @json NULL: the member is missing. */
static gboolean
read_sign (const MtJson *json,
           char         *sign)
{
  const char *text;

  *sign = '\0';
  if (json == NULL)
    return FALSE;
  if (mt_json_get_kind (json) == MT_JSON_NULL)
    return TRUE;
  if (mt_json_get_kind (json) != MT_JSON_STRING)
    return FALSE;
  text = mt_json_get_string (json);
  if (strcmp (text, "none") == 0)
    *sign = NONE;
  else if (strlen (text) == 1 && *text > NONE)
    *sign = *text;
  return *sign != '\0';
}

static gboolean
read_tokens (const MtJson   *json,
             char         ***tokens)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (json == NULL)
    return FALSE;
  if (mt_json_get_kind (json) == MT_JSON_NULL)
    return TRUE;
  if (mt_json_get_kind (json) != MT_JSON_ARRAY)
    return FALSE;
  for (guint i = 0; i < mt_json_get_n_children (json); i++)
    {
      const MtJson *token = mt_json_get_child (json, i);

      if (mt_json_get_kind (token) != MT_JSON_STRING)
        return FALSE;
      g_strv_builder_add (builder, mt_json_get_string (token));
    }
  *tokens = g_strv_builder_end (builder);
  return TRUE;
}

/* The name of the field that is wrong, or NULL. */
static const char *
read_dialect (const MtJson *root,
              MtCsvDialect *dialect)
{
  const MtJson *member;

  if (mt_json_get_kind (root) != MT_JSON_OBJECT)
    return "(all)";

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      member = mt_json_find (root, places[i].name);
      if (member == NULL)
        continue;
      if (mt_json_get_kind (member) != MT_JSON_STRING)
        return places[i].name;
      G_STRUCT_MEMBER (char *, dialect, places[i].offset) = g_strdup (mt_json_get_string (member));
    }
  member = mt_json_find (root, "encoding");
  if (member == NULL || (mt_json_get_kind (member) != MT_JSON_NULL && mt_json_get_kind (member) != MT_JSON_STRING))
    return "encoding";
  dialect->encoding = mt_json_get_kind (member) == MT_JSON_NULL ? NULL : g_strdup (mt_json_get_string (member));
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (!read_sign (mt_json_find (root, signs[i].name), &G_STRUCT_MEMBER (char, dialect, signs[i].offset)))
      return signs[i].name;
  member = mt_json_find (root, "header");
  if (member == NULL || (mt_json_get_kind (member) != MT_JSON_NULL && mt_json_get_kind (member) != MT_JSON_BOOLEAN))
    return "header";
  dialect->header = mt_json_get_kind (member) == MT_JSON_NULL ? -1 : mt_json_get_boolean (member);
  return read_tokens (mt_json_find (root, "missing"), &dialect->missing_tokens) ? NULL : "missing";
}

MtCsvDialect *
mt_project_dialect_from_json (const char  *text,
                              const char **wrong)
{
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  g_autoptr (MtJson) root = mt_json_parse (text, -1, NULL);

  *wrong = root != NULL ? read_dialect (root, dialect) : "(all)";
  return *wrong == NULL ? g_steal_pointer (&dialect) : NULL;
}

MtCsvDialect *
mt_project_dup_dialect (MtProject  *self,
                        GError    **error)
{
  g_autofree char *text = mt_project_dup_text (self, MT_PROJECT_SETTING, DIALECT_KEY, error);
  MtCsvDialect *dialect;
  const char *wrong = NULL;

  if (text == NULL)
    return NULL;
  dialect = mt_project_dialect_from_json (text, &wrong);
  if (dialect != NULL)
    return dialect;
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
