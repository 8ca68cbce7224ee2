/* Which texts mean that a cell is missing. */
#include "config.h"
#include "mt-missing.h"

#include <string.h>

#include "base/mt-date.h"
#include "base/mt-number.h"

const char * const *
mt_missing_get_default_tokens (void)
{
  static const char * const tokens[] = {
    "", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "null", "NULL", "Null", "?", NULL
  };

  return tokens;
}

/* 0, -1, 999: a token that is a number itself. */
static gboolean
parse_number_token (const char *token,
                    double     *value)
{
  return (g_ascii_isdigit (token[0]) || token[0] == '-' || token[0] == '+' || token[0] == '.') &&
         mt_number_parse (token, strlen (token), &mt_number_plain, value) == MT_NUMBER_FINITE;
}

gboolean
mt_missing_get_token_value (const char   *token,
                        MtColumnType  type,
                        double       *value)
{
  return type == MT_TYPE_DATE ? mt_date_parse (token, strlen (token), MT_DATE_YMD, value)
                              : parse_number_token (token, value);
}

gboolean
mt_missing_has_number_token (const char * const *tokens)
{
  for (; *tokens != NULL; tokens++)
    if (strpbrk (*tokens, "0123456789") != NULL)
      return TRUE;
  return FALSE;
}

gboolean
mt_missing_is_token (const char         *text,
                     gsize               length,
                     const char * const *tokens)
{
  while (length > 0 && (text[0] == ' ' || text[0] == '\t'))
    {
      text++;
      length--;
    }
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
    length--;
  for (; *tokens != NULL; tokens++)
    {
      double token, value;

      if (strncmp (*tokens, text, length) == 0 && (*tokens)[length] == '\0')
        return TRUE;
      /* Who says 0 means 0.0 as well. */
      if (parse_number_token (*tokens, &token) &&
          mt_number_parse (text, length, &mt_number_plain, &value) == MT_NUMBER_FINITE && value == token)
        return TRUE;
    }
  return FALSE;
}
