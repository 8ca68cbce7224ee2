/* Reads the text of a literal back: which literal of an encoder it is. Only tests need that; they show with it
 * that a text has one reading. */
#include "config.h"
#include "literal-reader.h"

#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"

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

/* A date as mt_date_dup_iso() writes it, and in no other way. */
static gboolean
is_iso (const char *text,
        double     *value)
{
  g_autofree char *iso = NULL;

  if (!mt_date_parse (text, strlen (text), MT_DATE_YMD, value))
    return FALSE;
  iso = mt_date_dup_iso (*value);
  return g_strcmp0 (iso, text) == 0;
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
  return is_iso (text, value);
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
mt_test_parse_literal (const MtEncoder *self,
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
