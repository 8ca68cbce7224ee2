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

#include <math.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "base/mt-text.h"

/* May the name stand without quotes? Not if it contains a character that means something in a formula, a word of
 * the formulas' own as a part, spaces at an end or two in a row, or something that cannot be seen: a reader must
 * be able to tell where the name ends. */
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

/* In double quotes; quotes and backslashes are escaped, and what cannot be seen is written as its code. */
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

/* The shortest decimal that reads back as the same number. Dates as ISO text; a moment that no such text names
 * exactly is written as days. */
static void
append_value (GString      *out,
              MtColumnType  type,
              double        value)
{
  char decimal[MT_DECIMAL_SIZE];
  g_autofree char *iso = type == MT_TYPE_DATE ? mt_date_dup_iso (value) : NULL;

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

/* The shape as a formula that a reader can compute. */
char *
mt_encoder_dup_numeric_text (const MtEncoder *self,
                             const MtUnary   *unary)
{
  const MtEncoderColumn *column = mt_encoder_get_column (self, unary->column);
  g_autofree char *name = mt_encoder_dup_column_text (self, unary->column);
  GString *out = g_string_new (NULL);

  if (unary->shape == MT_SHAPE_CLIPPED)
    {
      g_string_append_printf (out, "clip(%s, ", name);
      append_value (out, column->type, column->clipped.low);
      g_string_append (out, ", ");
      append_value (out, column->type, column->clipped.high);
      g_string_append_c (out, ')');
    }
  else if (unary->shape == MT_SHAPE_LOG && column->min >= 0)
    g_string_append_printf (out, "log2(1 + %s)", name);
  else if (unary->shape == MT_SHAPE_LOG)
    {
      g_string_append_printf (out, "±log2(1 + |%s", name);
      if (column->log.center != 0)
        {
          g_string_append (out, column->log.center < 0 ? " + " : " − ");
          append_value (out, column->type, fabs (column->log.center));
        }
      g_string_append (out, "|)");
    }
  else
    g_string_append (out, name);
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
