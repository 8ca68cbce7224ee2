/* What the subcommands share: errors, exit codes, output files, JSON, safe text for terminals. */
#include "config.h"
#include "mt-cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

char *
mt_cli_escape (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) ||
          (c >= 0x2066 && c <= 0x2069))
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_unichar (out, c);
    }
  return g_string_free (out, FALSE);
}

int
mt_cli_fail (int         exit_code,
             const char *format,
             ...)
{
  g_autofree char *message = NULL;
  g_autofree char *safe = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  safe = mt_cli_escape (message);
  fprintf (stderr, "minterm-cli: %s\n", safe);
  return exit_code;
}

int
mt_cli_fail_error (const GError *error)
{
  return mt_cli_fail (MT_EXIT_FAILED, "%s", error->message);
}

/* As the import takes names: file URIs, too. */
static GStrv
dup_paths (const char * const *inputs,
           guint               n_inputs)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  for (guint i = 0; i < n_inputs; i++)
    {
      g_autoptr (GFile) file = inputs[i] != NULL ? g_file_new_for_commandline_arg (inputs[i]) : NULL;
      const char *path = file != NULL ? g_file_peek_path (file) : NULL;

      if (g_strcmp0 (inputs[i], "-") == 0)
        g_strv_builder_add (paths, "/dev/stdin");
      else if (path != NULL)
        g_strv_builder_add (paths, g_file_test (inputs[i], G_FILE_TEST_EXISTS) ? inputs[i] : path);
    }
  return g_strv_builder_end (paths);
}

gboolean
mt_cli_check_output (const char         *path,
                     const char * const *inputs,
                     guint               n_inputs)
{
  g_auto (GStrv) paths = dup_paths (inputs, n_inputs);
  g_autoptr (GError) error = NULL;

  if (mt_file_check_output (path == NULL || strcmp (path, "-") == 0 ? "/dev/stdout" : path,
                            (const char * const *) paths, &error))
    return TRUE;
  mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  return FALSE;
}

gboolean
mt_cli_check_sidecar (const char         *path,
                      const char         *format,
                      const char * const *inputs,
                      guint               n_inputs)
{
  g_auto (GStrv) paths = dup_paths (inputs, n_inputs);
  g_autoptr (GError) error = NULL;

  if (mt_file_check_sidecar (path, format, (const char * const *) paths, &error))
    return TRUE;
  mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  return FALSE;
}

static void write_node (MtJsonWriter *json, JsonNode *node, gboolean is_row);

static void
write_object (MtJsonWriter *json,
              JsonObject   *object,
              gboolean      is_row)
{
  g_autoptr (GList) names = json_object_get_members (object);

  if (is_row)
    mt_json_writer_begin_object_row (json);
  else
    mt_json_writer_begin_object (json);
  for (GList *l = names; l != NULL; l = l->next)
    {
      mt_json_writer_key (json, l->data);
      write_node (json, json_object_get_member (object, l->data), is_row);
    }
  mt_json_writer_end_object (json);
}

/* Plain values stand in one line. */
static void
write_array (MtJsonWriter *json,
             JsonArray    *array,
             gboolean      is_row)
{
  guint n = json_array_get_length (array);

  if (is_row || n == 0 || !(JSON_NODE_HOLDS_OBJECT (json_array_get_element (array, 0)) ||
                            JSON_NODE_HOLDS_ARRAY (json_array_get_element (array, 0))))
    mt_json_writer_begin_row (json);
  else
    mt_json_writer_begin_array (json);
  for (guint i = 0; i < n; i++)
    write_node (json, json_array_get_element (array, i), is_row);
  mt_json_writer_end_array (json);
}

static void
write_value (MtJsonWriter *json,
             JsonNode     *node)
{
  GType type = json_node_get_value_type (node);
  gint64 whole = type == G_TYPE_INT64 ? json_node_get_int (node) : 0;

  if (type == G_TYPE_STRING)
    mt_json_writer_string (json, json_node_get_string (node));
  else if (type == G_TYPE_BOOLEAN)
    mt_json_writer_boolean (json, json_node_get_boolean (node));
  else if (type == G_TYPE_INT64 && whole >= 0)
    mt_json_writer_integer (json, (guint64) whole);
  else if (isfinite (json_node_get_double (node)))
    mt_json_writer_number (json, json_node_get_double (node));
  else
    mt_json_writer_string (json, NULL);
}

static void
write_node (MtJsonWriter *json,
            JsonNode     *node,
            gboolean      is_row)
{
  switch (json_node_get_node_type (node))
    {
    case JSON_NODE_OBJECT:
      write_object (json, json_node_get_object (node), is_row);
      break;
    case JSON_NODE_ARRAY:
      write_array (json, json_node_get_array (node), is_row);
      break;
    case JSON_NODE_VALUE:
      write_value (json, node);
      break;
    case JSON_NODE_NULL:
    default:
      mt_json_writer_string (json, NULL);
    }
}

char *
mt_cli_dup_json (JsonNode *root,
                 gboolean  is_row)
{
  MtJsonWriter *json = mt_json_writer_new ();

  write_node (json, root, is_row);
  return mt_json_writer_finish (json, NULL);
}

int
mt_cli_print_json (JsonNode *root)
{
  g_autofree char *text = mt_cli_dup_json (root, FALSE);

  json_node_unref (root);
  if (fputs (text, stdout) == EOF || fflush (stdout) != 0)
    return mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output: %s", g_strerror (errno));
  return MT_EXIT_OK;
}

void
mt_cli_add_number (JsonBuilder *json,
                   const char  *name,
                   double       value)
{
  json_builder_set_member_name (json, name);
  if (isfinite (value))
    json_builder_add_double_value (json, value);
  else
    json_builder_add_null_value (json);
}

void
mt_cli_add_count (JsonBuilder *json,
                  const char  *name,
                  guint64      value)
{
  json_builder_set_member_name (json, name);
  json_builder_add_int_value (json, (gint64) value);
}

void
mt_cli_add_text (JsonBuilder *json,
                 const char  *name,
                 const char  *value)
{
  json_builder_set_member_name (json, name);
  if (value != NULL)
    json_builder_add_string_value (json, value);
  else
    json_builder_add_null_value (json);
}
