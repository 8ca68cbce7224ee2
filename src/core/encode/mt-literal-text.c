/* Literals as people read them, and the way back.
 *
 *   literal  := name " ≥ " value | name " < " value [" or missing"]
 *             | name " = " quoted | name " ≠ " quoted
 *             | name " is other" | name " is not other" | name " is missing" | name " is present"
 *   name     := bare | quoted
 *   quoted   := '"' … '"' with \" \\ and \u{…} for what cannot be seen
 *   value    := the shortest decimal; of a date an ISO 8601 date or time, or `day` and a decimal
 *
 * A bare name holds no operator, quote or word of the grammar, so a text has one reading. The
 * negation of x ≥ t is also true of a missing x; the text says so where missing occurs, and
 * without it is no literal of such a column. */
#include "config.h"
#include "mt-encoder.h"

#include <string.h>

#include "base/mt-calendar.h"
#include "base/mt-decimal.h"
#include "base/mt-text.h"

static gboolean
is_bare (const char *name)
{
  static const char * const words[] = { "is", "and", "or", "not", NULL };
  g_auto (GStrv) parts = NULL;

  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (mt_text_is_hidden (c) || c == 0x2265 || c == 0x2264 || c == 0x2260 ||
          (c < 128 && strchr ("\"\\<>=!()", (int) c)))
        return FALSE;
    }
  parts = g_strsplit (name, " ", -1);
  if (parts[0] == NULL)
    return FALSE;
  for (guint i = 0; parts[i] != NULL; i++)   /* an empty part: a space at an end, or two in a row */
    if (parts[i][0] == '\0' || g_strv_contains (words, parts[i]))
      return FALSE;
  return TRUE;
}

static void
append_quoted (GString    *out,
               const char *text)
{
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", (char) c);
      else if (mt_text_is_hidden (c))
        g_string_append_printf (out, "\\u{%x}", c);
      else
        g_string_append_unichar (out, c);
    }
  g_string_append_c (out, '"');
}

static void
append_name (GString    *out,
             const char *name)
{
  if (is_bare (name))
    g_string_append (out, name);
  else
    append_quoted (out, name);
}

static void
append_value (GString      *out,
              MtColumnType  type,
              double        value)
{
  char decimal[MT_DECIMAL_SIZE];
  g_autofree char *iso = type == MT_TYPE_DATE ? mt_calendar_dup_iso (value) : NULL;

  if (iso != NULL)
    g_string_append (out, iso);
  else
    g_string_append_printf (out, "%s%s", type == MT_TYPE_DATE ? "day " : "",
                            mt_decimal_write (value, decimal));
}

char *
mt_encoder_dup_column_text (const MtEncoder *self,
                            guint            column)
{
  GString *out = g_string_new (NULL);

  append_name (out, mt_encoder_get_column_name (self, column));
  return g_string_free (out, FALSE);
}

char *
mt_encoder_dup_value_text (const MtEncoder *self,
                           guint            column,
                           double           value)
{
  GString *out = g_string_new (NULL);

  append_value (out, mt_encoder_get_column_type (self, column), value);
  return g_string_free (out, FALSE);
}

char *
mt_encoder_dup_literal_text (const MtEncoder *self,
                             guint            id,
                             gboolean         negated)
{
  const MtLiteral *literal = mt_encoder_get_literal (self, id);
  const MtEncoderColumn *column;
  GString *out;

  g_return_val_if_fail (literal != NULL, NULL);

  column = mt_encoder_get_column (self, literal->column);
  out = g_string_new (NULL);
  append_name (out, column->name);
  switch (literal->kind)
    {
    case MT_LITERAL_AT_LEAST:
      g_string_append (out, negated ? " < " : " ≥ ");
      append_value (out, column->type, literal->threshold);
      if (negated && column->has_missing)
        g_string_append (out, " or missing");
      break;
    case MT_LITERAL_LEVEL:
      g_string_append (out, negated ? " ≠ " : " = ");
      append_quoted (out, literal->level);
      break;
    case MT_LITERAL_OTHER:
      g_string_append (out, negated ? " is not other" : " is other");
      break;
    case MT_LITERAL_MISSING:
    default:
      g_string_append (out, negated ? " is present" : " is missing");
      break;
    }
  return g_string_free (out, FALSE);
}

/* --- the way back --- */

/* Reads what follows a backslash: \" \\ or \u{…}. */
static gboolean
take_escape (const char **text,
             GString     *out)
{
  const char *p = *text;
  gunichar c = 0;

  if (*p == '"' || *p == '\\')
    {
      g_string_append_c (out, *p);
      *text = p + 1;
      return TRUE;
    }
  if (*p++ != 'u' || *p++ != '{')
    return FALSE;
  for (guint n_digits = 0; n_digits < 6 && g_ascii_isxdigit (*p); n_digits++)
    c = c * 16 + (gunichar) g_ascii_xdigit_value (*p++);
  if (c == 0 || *p++ != '}' || !g_unichar_validate (c))
    return FALSE;
  g_string_append_unichar (out, c);
  *text = p;
  return TRUE;
}

/* The text in quotes at *@text, which then stands behind it; NULL when there is none. */
static char *
take_quoted (const char **text)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const char *p = *text;

  if (*p++ != '"')
    return NULL;
  while (*p != '"')
    {
      if (*p == '\0')
        return NULL;
      if (*p != '\\')
        g_string_append_c (out, *p++);
      else if (p++, !take_escape (&p, out))
        return NULL;
    }
  *text = p + 1;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

typedef struct {
  const char    *text;
  MtLiteralKind  kind;
  gboolean       negated;
} Operator;

static const Operator operators[] = {
  { " ≥ ", MT_LITERAL_AT_LEAST, FALSE },         { " < ", MT_LITERAL_AT_LEAST, TRUE },
  { " = ", MT_LITERAL_LEVEL, FALSE },            { " ≠ ", MT_LITERAL_LEVEL, TRUE },
  { " is other", MT_LITERAL_OTHER, FALSE },      { " is not other", MT_LITERAL_OTHER, TRUE },
  { " is missing", MT_LITERAL_MISSING, FALSE },  { " is present", MT_LITERAL_MISSING, TRUE },
};

/* The name at *@text and the operator that follows it. */
static char *
take_name (const char     **text,
           const Operator **operator)
{
  g_autofree char *name = NULL;
  const char *at = NULL;

  *operator = NULL;
  if (**text == '"')
    {
      name = take_quoted (text);
      if (name == NULL)
        return NULL;
      at = *text;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (operators); i++)
    {
      /* Behind a quoted name the operator is next; in a bare one the first that occurs. */
      const char *found = name == NULL ? strstr (*text, operators[i].text)
                          : g_str_has_prefix (*text, operators[i].text) ? *text : NULL;

      if (found != NULL && (*operator == NULL || found < at))
        {
          *operator = &operators[i];
          at = found;
        }
    }
  if (*operator == NULL)
    return NULL;
  if (name == NULL)
    name = g_strndup (*text, (gsize) (at - *text));
  *text = at + strlen ((*operator)->text);
  return g_steal_pointer (&name);
}

static gboolean
parse_value (const char   *text,
             MtColumnType  type,
             double       *value)
{
  if (type != MT_TYPE_DATE)
    return mt_decimal_parse (text, value);
  if (g_str_has_prefix (text, "day "))
    return mt_decimal_parse (text + strlen ("day "), value);
  return mt_calendar_parse_iso (text, value);
}

/* Whether @text, what stands behind the operator, is about @literal. */
static gboolean
operand_is_of (const char            *text,
               const Operator        *operator,
               const MtLiteral       *literal,
               const MtEncoderColumn *column)
{
  if (operator->kind != literal->kind)
    return FALSE;
  if (literal->kind == MT_LITERAL_AT_LEAST)
    {
      gboolean expects_missing = operator->negated && column->has_missing;
      g_autofree char *number = g_strdup (text);
      double value;

      if (g_str_has_suffix (number, " or missing"))
        {
          if (!expects_missing)
            return FALSE;
          number[strlen (number) - strlen (" or missing")] = '\0';
        }
      else if (expects_missing)
        return FALSE;
      return parse_value (number, column->type, &value) && value == literal->threshold;
    }
  if (literal->kind == MT_LITERAL_LEVEL)
    {
      g_autofree char *level = take_quoted (&text);

      return level != NULL && *text == '\0' && strcmp (level, literal->level) == 0;
    }
  return *text == '\0';
}

gboolean
mt_encoder_parse_literal (const MtEncoder *self,
                          const char      *text,
                          guint           *literal,
                          gboolean        *negated)
{
  const Operator *operator;
  g_autofree char *name = NULL;

  g_return_val_if_fail (text != NULL, FALSE);

  name = take_name (&text, &operator);
  for (guint i = 0; name != NULL && i < mt_encoder_get_n_columns (self); i++)
    {
      const MtEncoderColumn *column = mt_encoder_get_column (self, i);
      const MtGroup *group = &mt_encoder_get_groups (self)[i];

      if (strcmp (column->name, name) != 0)
        continue;
      for (guint id = group->first_literal; id < group->first_literal + group->n_literals; id++)
        if (operand_is_of (text, operator, mt_encoder_get_literal (self, id), column))
          {
            if (literal != NULL)
              *literal = id;
            if (negated != NULL)
              *negated = operator->negated;
            return TRUE;
          }
      return FALSE;
    }
  return FALSE;
}
