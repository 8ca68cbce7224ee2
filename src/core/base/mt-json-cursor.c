/* Reading a document with names: a place knows where it is, so that whatever is wrong there is reported as
 * `terms[3].weights[1] is not a number`. Places live on the stack. See mt-json-cursor.h. */
#include "config.h"
#include "mt-json-cursor.h"

#include "mt-error.h"

MtJsonCursor
mt_json_cursor_root (const MtJson *root)
{
  return (MtJsonCursor) { NULL, NULL, 0, root };
}

static void
append_path (GString           *path,
             const MtJsonCursor *place)
{
  if (place->parent == NULL)
    return;
  append_path (path, place->parent);
  if (place->name == NULL)
    g_string_append_printf (path, "[%u]", place->index);
  else
    g_string_append_printf (path, "%s%s", path->len > 0 ? "." : "", place->name);
}

char *
mt_json_cursor_dup_path (const MtJsonCursor *place)
{
  GString *path = g_string_new (NULL);

  append_path (path, place);
  if (path->len == 0)
    g_string_append (path, "the document");
  return g_string_free (path, FALSE);
}

static void
set_error (const MtJsonCursor *place,
           GError           **error,
           const char        *format,
           va_list            args) G_GNUC_PRINTF (3, 0);

static void
set_error (const MtJsonCursor *place,
           GError           **error,
           const char        *format,
           va_list            args)
{
  g_autofree char *path = mt_json_cursor_dup_path (place);
  g_autofree char *what = g_strdup_vprintf (format, args);

  g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "%s (line %u) %s", path, mt_json_get_line (place->json),
               what);
}

gboolean
mt_json_cursor_fail (const MtJsonCursor *place,
                     GError           **error,
                     const char        *format,
                     ...)
{
  va_list args;

  va_start (args, format);
  set_error (place, error, format, args);
  va_end (args);
  return FALSE;
}

gboolean
mt_json_member_fail (const MtJsonCursor *place,
                     const char        *name,
                     GError           **error,
                     const char        *format,
                     ...)
{
  MtJsonCursor member = { place, name, 0, mt_json_find (place->json, name) };
  va_list args;

  g_return_val_if_fail (member.json != NULL, FALSE);
  va_start (args, format);
  set_error (&member, error, format, args);
  va_end (args);
  return FALSE;
}

gboolean
mt_json_check_members (const MtJsonCursor  *place,
                       const char * const *names,
                       GError            **error)
{
  for (guint i = 0; i < mt_json_get_n_children (place->json); i++)
    {
      const char *name = mt_json_get_name (place->json, i);

      if (!g_strv_contains (names, name))
        return mt_json_cursor_fail (place, error, "has a member \"%s\", which is unknown", name);
    }
  for (guint i = 0; names[i] != NULL; i++)
    if (mt_json_find (place->json, names[i]) == NULL)
      return mt_json_cursor_fail (place, error, "has no member \"%s\"", names[i]);
  return TRUE;
}

static gboolean
check_kind (const MtJsonCursor *place,
            MtJsonKind         kind,
            GError           **error)
{
  if (mt_json_get_kind (place->json) == kind)
    return TRUE;
  return mt_json_cursor_fail (place, error, "is %s and should be %s",
                              mt_json_kind_to_string (mt_json_get_kind (place->json)),
                              mt_json_kind_to_string (kind));
}

gboolean
mt_json_member (const MtJsonCursor *place,
                const char        *name,
                MtJsonKind         kind,
                MtJsonCursor       *out,
                GError           **error)
{
  const MtJson *json = mt_json_find (place->json, name);

  if (json == NULL)
    return mt_json_cursor_fail (place, error, "has no member \"%s\"", name);
  *out = (MtJsonCursor) { place, name, 0, json };
  return check_kind (out, kind, error);
}

gboolean
mt_json_item (const MtJsonCursor *place,
              guint              index,
              MtJsonKind         kind,
              MtJsonCursor       *out,
              GError           **error)
{
  *out = (MtJsonCursor) { place, NULL, index, mt_json_get_child (place->json, index) };
  return check_kind (out, kind, error);
}

gboolean
mt_json_read_string (const MtJsonCursor *place,
                     const char        *name,
                     const char       **value,
                     GError           **error)
{
  MtJsonCursor at;

  if (!mt_json_member (place, name, MT_JSON_STRING, &at, error))
    return FALSE;
  *value = mt_json_get_string (at.json);
  return TRUE;
}

gboolean
mt_json_read_boolean (const MtJsonCursor *place,
                      const char        *name,
                      gboolean          *value,
                      GError           **error)
{
  MtJsonCursor at;

  if (!mt_json_member (place, name, MT_JSON_BOOLEAN, &at, error))
    return FALSE;
  *value = mt_json_get_boolean (at.json);
  return TRUE;
}

gboolean
mt_json_read_number (const MtJsonCursor *place,
                     const char        *name,
                     double            *value,
                     GError           **error)
{
  MtJsonCursor at;

  if (!mt_json_member (place, name, MT_JSON_NUMBER, &at, error))
    return FALSE;
  *value = mt_json_get_number (at.json);
  return TRUE;
}

static gboolean
get_integer (const MtJsonCursor *at,
             guint64            most,
             guint64           *value,
             GError           **error)
{
  if (mt_json_get_integer (at->json, most, value))
    return TRUE;
  return mt_json_cursor_fail (at, error, "is not a whole number from 0 to %" G_GUINT64_FORMAT, most);
}

gboolean
mt_json_read_integer (const MtJsonCursor *place,
                      const char        *name,
                      guint64            most,
                      guint64           *value,
                      GError           **error)
{
  MtJsonCursor at;

  return mt_json_member (place, name, MT_JSON_NUMBER, &at, error) && get_integer (&at, most, value, error);
}

static gboolean
enter_list (const MtJsonCursor *place,
            const char        *name,
            guint              most,
            MtJsonCursor       *out,
            GError           **error)
{
  if (!mt_json_member (place, name, MT_JSON_ARRAY, out, error))
    return FALSE;
  if (mt_json_get_n_children (out->json) > most)
    return mt_json_cursor_fail (out, error, "has %u items and should have at most %u",
                                mt_json_get_n_children (out->json), most);
  return TRUE;
}

gboolean
mt_json_read_numbers (const MtJsonCursor *place,
                      const char        *name,
                      guint              most,
                      double           **values,
                      guint             *n_values,
                      GError           **error)
{
  g_autofree double *list = NULL;
  MtJsonCursor at, item;
  guint n;

  if (!enter_list (place, name, most, &at, error))
    return FALSE;
  n = mt_json_get_n_children (at.json);
  list = g_new (double, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      if (!mt_json_item (&at, i, MT_JSON_NUMBER, &item, error))
        return FALSE;
      list[i] = mt_json_get_number (item.json);
    }
  *values = g_steal_pointer (&list);
  *n_values = n;
  return TRUE;
}

gboolean
mt_json_read_integers (const MtJsonCursor *place,
                       const char        *name,
                       guint              most,
                       guint              limit,
                       guint            **values,
                       guint             *n_values,
                       GError           **error)
{
  g_autofree guint *list = NULL;
  MtJsonCursor at, item;
  guint n;

  if (!enter_list (place, name, most, &at, error))
    return FALSE;
  n = mt_json_get_n_children (at.json);
  list = g_new (guint, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      guint64 value;

      if (!mt_json_item (&at, i, MT_JSON_NUMBER, &item, error) || !get_integer (&item, limit, &value, error))
        return FALSE;
      list[i] = (guint) value;
    }
  *values = g_steal_pointer (&list);
  *n_values = n;
  return TRUE;
}

gboolean
mt_json_read_strings (const MtJsonCursor *place,
                      const char        *name,
                      guint              most,
                      char            ***values,
                      GError           **error)
{
  g_auto (GStrv) list = NULL;
  MtJsonCursor at, item;
  guint n;

  if (!enter_list (place, name, most, &at, error))
    return FALSE;
  n = mt_json_get_n_children (at.json);
  list = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      if (!mt_json_item (&at, i, MT_JSON_STRING, &item, error))
        return FALSE;
      list[i] = g_strdup (mt_json_get_string (item.json));
    }
  *values = g_steal_pointer (&list);
  return TRUE;
}
