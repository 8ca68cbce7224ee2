/* The strict reader: one pass of recursive descent, the depth bounded before it recurses.
 * The text is kept: a number is a place in it, so only strings cost an allocation of their own. */
#include "config.h"
#include "mt-json.h"

#include <math.h>
#include <string.h>

#include "mt-error.h"

struct _MtJson {
  guint8  kind;
  guint   line;
  guint   n;              /* children */
  union {
    gboolean  boolean;
    char       *text;     /* a string */
    const char *digits;   /* a number as it was written, up to the first character that cannot be its own */
    MtJson     *children; /* an array's, or an object's members */
  } u;
  char  **names;          /* an object's */
};

typedef struct {
  MtJson  root;           /* first: it is what callers hold */
  char   *text;
} Document;

typedef struct {
  const char  *at;
  const char  *end;
  guint        line;
  guint        depth;
  GError     **error;
} Parser;

static gboolean parse_value (Parser *parser, MtJson *out);

static gboolean
fail (Parser     *parser,
      const char *format,
      ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Parser     *parser,
      const char *format,
      ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (parser->error, MT_ERROR, MT_ERROR_PARSE, "line %u: %s", parser->line, what);
  return FALSE;
}

static void
clear (MtJson *json)
{
  if (json->kind == MT_JSON_STRING)
    g_free (json->u.text);
  if (json->kind == MT_JSON_ARRAY || json->kind == MT_JSON_OBJECT)
    {
      for (guint i = 0; i < json->n; i++)
        {
          clear (&json->u.children[i]);
          if (json->names != NULL)
            g_free (json->names[i]);
        }
      g_free (json->u.children);
      g_free (json->names);
    }
}

static void
skip_space (Parser *parser)
{
  for (; parser->at < parser->end && strchr (" \t\n\r", *parser->at) != NULL &&
       *parser->at != '\0'; parser->at++)
    if (*parser->at == '\n')
      parser->line++;
}

static char
peek (Parser *parser)
{
  return parser->at < parser->end ? *parser->at : '\0';
}

static gboolean
expect (Parser     *parser,
        char        c,
        const char *where)
{
  skip_space (parser);
  if (parser->at == parser->end)
    return fail (parser, "the text ends where '%c' should stand %s", c, where);
  if (*parser->at != c)
    return fail (parser, "'%c' should stand %s", c, where);
  parser->at++;
  return TRUE;
}

/* --- strings --- */

static gboolean
parse_hex4 (Parser   *parser,
            gunichar *value)
{
  *value = 0;
  if (parser->end - parser->at < 4)
    return FALSE;
  for (guint i = 0; i < 4; i++, parser->at++)
    {
      if (!g_ascii_isxdigit (*parser->at))
        return FALSE;
      *value = *value * 16 + (gunichar) g_ascii_xdigit_value (*parser->at);
    }
  return TRUE;
}

/* What follows a backslash and `u`: one code point, from two halves if need be. */
static gboolean
parse_unicode_escape (Parser  *parser,
                      GString *out)
{
  gunichar c, low;

  if (!parse_hex4 (parser, &c))
    return fail (parser, "\\u must be followed by four hexadecimal digits");
  if (c >= 0xd800 && c < 0xdc00)
    {
      if (parser->end - parser->at < 2 || parser->at[0] != '\\' || parser->at[1] != 'u')
        return fail (parser, "half a character in a string");
      parser->at += 2;
      if (!parse_hex4 (parser, &low) || low < 0xdc00 || low > 0xdfff)
        return fail (parser, "half a character in a string");
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
  if (c == 0 || (c >= 0xdc00 && c <= 0xdfff))
    return fail (parser, "a string contains a character that is not valid in text");
  g_string_append_unichar (out, c);
  return TRUE;
}

static gboolean
parse_escape (Parser  *parser,
              GString *out)
{
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  char letter = peek (parser);
  const char *found = letter != '\0' ? strchr (letters, letter) : NULL;

  if (parser->at < parser->end)
    parser->at++;
  if (letter == 'u')
    return parse_unicode_escape (parser, out);
  if (found == NULL)
    return fail (parser, "a backslash in a string must be followed by one of \" \\ / b f n r t u");
  g_string_append_c (out, meant[found - letters]);
  return TRUE;
}

/* The opening quote is next. */
static char *
parse_string (Parser *parser)
{
  g_autoptr (GString) out = g_string_new (NULL);

  parser->at++;
  while (peek (parser) != '"')
    {
      const char *plain = parser->at;

      while (parser->at < parser->end && *parser->at != '"' && *parser->at != '\\' &&
             (guchar) *parser->at >= 0x20)
        parser->at++;
      g_string_append_len (out, plain, parser->at - plain);
      if (parser->at == parser->end)
        {
          fail (parser, "a string has no end");
          return NULL;
        }
      if ((guchar) *parser->at < 0x20)
        {
          fail (parser, "a string contains a control character");
          return NULL;
        }
      if (*parser->at == '\\')
        {
          parser->at++;
          if (!parse_escape (parser, out))
            return NULL;
        }
    }
  parser->at++;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* --- numbers --- */

static gsize
skip_digits (Parser *parser)
{
  const char *first = parser->at;

  while (parser->at < parser->end && g_ascii_isdigit (*parser->at))
    parser->at++;
  return (gsize) (parser->at - first);
}

static gboolean
parse_number (Parser *parser,
              MtJson *out)
{
  const char *first = parser->at;
  gboolean is_right;

  if (peek (parser) == '-')
    parser->at++;
  if (peek (parser) == '0')
    is_right = (parser->at++, TRUE);
  else
    is_right = skip_digits (parser) > 0;
  if (is_right && peek (parser) == '.')
    {
      parser->at++;
      is_right = skip_digits (parser) > 0;
    }
  if (is_right && (peek (parser) == 'e' || peek (parser) == 'E'))
    {
      parser->at++;
      if (peek (parser) == '+' || peek (parser) == '-')
        parser->at++;
      is_right = skip_digits (parser) > 0;
    }
  if (!is_right)
    return fail (parser, "a number is not valid JSON");
  out->kind = MT_JSON_NUMBER;
  out->u.digits = first;
  if (!isfinite (mt_json_get_number (out)))
    return fail (parser, "a number is too large");
  return TRUE;
}

/* --- arrays and objects --- */

typedef struct {
  GArray    *children;
  GPtrArray *names;
} Members;

static gboolean
parse_member (Parser     *parser,
              gboolean    is_object,
              Members    *members,
              GHashTable *seen)
{
  MtJson child = { 0 };
  gboolean ok;

  skip_space (parser);
  if (is_object)
    {
      char *name;

      if (peek (parser) != '"')
        return fail (parser, "expected a member name in quotes");
      name = parse_string (parser);
      if (name == NULL)
        return FALSE;
      g_ptr_array_add (members->names, name);
      ok = g_hash_table_add (seen, name);
      g_array_append_val (members->children, child);   /* names and children stay in step */
      if (!ok)
        return fail (parser, "member \"%s\" occurs twice", name);
      if (!expect (parser, ':', "behind a member's name"))
        return FALSE;
      ok = parse_value (parser, &child);
      g_array_index (members->children, MtJson, members->children->len - 1) = child;
      return ok;
    }
  ok = parse_value (parser, &child);
  g_array_append_val (members->children, child);
  return ok;
}

/* The opening bracket is next. */
static gboolean
parse_members (Parser *parser,
               MtJson *out)
{
  gboolean is_object = *parser->at == '{';
  char close = is_object ? '}' : ']';
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  Members members = { g_array_new (FALSE, FALSE, sizeof (MtJson)), g_ptr_array_new () };
  gboolean ok = TRUE;

  parser->at++;
  skip_space (parser);
  if (++parser->depth > MT_JSON_MAX_DEPTH)
    ok = fail (parser, "values are nested more than %d deep", MT_JSON_MAX_DEPTH);
  else if (peek (parser) == close)
    parser->at++;
  else
    while (TRUE)
      {
        ok = parse_member (parser, is_object, &members, seen);
        if (!ok)
          break;
        skip_space (parser);
        if (peek (parser) == ',')
          parser->at++;
        else
          {
            ok = expect (parser, close, "here");
            break;
          }
      }
  parser->depth--;
  out->kind = is_object ? MT_JSON_OBJECT : MT_JSON_ARRAY;
  out->n = members.children->len;
  out->u.children = (MtJson *) (gpointer) g_array_free (members.children, FALSE);
  out->names = (char **) g_ptr_array_free (members.names, FALSE);
  return ok;
}

static gboolean
parse_word (Parser     *parser,
            const char *word)
{
  gsize n = strlen (word);

  if ((gsize) (parser->end - parser->at) < n || strncmp (parser->at, word, n) != 0)
    return FALSE;
  parser->at += n;
  return TRUE;
}

static gboolean
parse_value (Parser *parser,
             MtJson *out)
{
  skip_space (parser);
  out->line = parser->line;
  switch (peek (parser))
    {
    case '{':
    case '[':
      return parse_members (parser, out);
    case '"':
      out->u.text = parse_string (parser);
      out->kind = out->u.text != NULL ? MT_JSON_STRING : MT_JSON_NULL;
      return out->u.text != NULL;
    case '-':
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
      return parse_number (parser, out);
    default:
      break;
    }
  out->kind = MT_JSON_BOOLEAN;
  out->u.boolean = parse_word (parser, "true");
  if (out->u.boolean || parse_word (parser, "false"))
    return TRUE;
  out->kind = MT_JSON_NULL;
  if (parse_word (parser, "null"))
    return TRUE;
  return fail (parser, parser->at == parser->end ? "the text ends where a value is expected"
                                                 : "expected a value");
}

MtJson *
mt_json_parse (const char *text,
               gssize      length,
               GError    **error)
{
  gsize n = length < 0 ? strlen (text) : (gsize) length;
  Document *document = g_new0 (Document, 1);
  g_autoptr (MtJson) root = &document->root;
  Parser parser = { NULL, NULL, 1, 0, error };
  const char *invalid;

  text = text != NULL ? text : "";      /* empty bytes may have no address, and an address is counted on from */
  document->text = g_strndup (text, n);   /* ends with a NUL, which ends a number */
  parser.at = document->text;
  parser.end = document->text + n;
  if (!g_utf8_validate_len (text, n, &invalid))
    {
      for (const char *p = text; p < invalid; p++)
        parser.line += *p == '\n' ? 1 : 0;
      fail (&parser, "the text is not valid UTF-8");
      return NULL;
    }
  if (!parse_value (&parser, root))
    return NULL;
  skip_space (&parser);
  if (parser.at < parser.end)
    {
      fail (&parser, "something follows the end of the document");
      return NULL;
    }
  return g_steal_pointer (&root);
}

void
mt_json_free (MtJson *json)
{
  if (json == NULL)
    return;
  clear (json);
  g_free (((Document *) json)->text);
  g_free (json);
}

/* --- looking at a value --- */

MtJsonKind
mt_json_get_kind (const MtJson *json)
{
  return (MtJsonKind) json->kind;
}

const char *
mt_json_kind_to_string (MtJsonKind kind)
{
  static const char * const words[] = { "null", "true or false", "a number", "a string", "a list",
                                        "an object" };

  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (words), NULL);
  return words[kind];
}

guint
mt_json_get_line (const MtJson *json)
{
  return json->line;
}

gboolean
mt_json_get_boolean (const MtJson *json)
{
  g_return_val_if_fail (json->kind == MT_JSON_BOOLEAN, FALSE);
  return json->u.boolean;
}

double
mt_json_get_number (const MtJson *json)
{
  g_return_val_if_fail (json->kind == MT_JSON_NUMBER, 0);
  return g_ascii_strtod (json->u.digits, NULL);
}

gboolean
mt_json_get_integer (const MtJson *json,
                     guint64       most,
                     guint64      *value)
{
  const char *p;
  guint64 sum = 0;

  g_return_val_if_fail (json->kind == MT_JSON_NUMBER, FALSE);
  for (p = json->u.digits; g_ascii_isdigit (*p); p++)
    {
      guint64 digit = (guint64) (*p - '0');

      if (sum > (most - MIN (digit, most)) / 10)
        return FALSE;
      sum = sum * 10 + digit;
    }
  if (p == json->u.digits || *p == '.' || *p == 'e' || *p == 'E' || sum > most)
    return FALSE;
  *value = sum;
  return TRUE;
}

const char *
mt_json_get_string (const MtJson *json)
{
  g_return_val_if_fail (json->kind == MT_JSON_STRING, NULL);
  return json->u.text;
}

guint
mt_json_get_n_children (const MtJson *json)
{
  return json->n;
}

const MtJson *
mt_json_get_child (const MtJson *json,
                   guint         index)
{
  g_return_val_if_fail (index < json->n, NULL);
  return &json->u.children[index];
}

const char *
mt_json_get_name (const MtJson *json,
                  guint         index)
{
  g_return_val_if_fail (json->kind == MT_JSON_OBJECT && index < json->n, NULL);
  return json->names[index];
}

const MtJson *
mt_json_find (const MtJson *json,
              const char   *name)
{
  g_return_val_if_fail (json->kind == MT_JSON_OBJECT, NULL);
  for (guint i = 0; i < json->n; i++)
    if (strcmp (json->names[i], name) == 0)
      return &json->u.children[i];
  return NULL;
}
