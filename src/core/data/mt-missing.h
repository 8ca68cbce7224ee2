/* Which texts mean that a cell is missing. A file has a list of such tokens for all its columns; a column may
 * have more of its own ("0" in a column of ages). A cell is compared without the blanks around it. */
#pragma once

#include "mt-table.h"

G_BEGIN_DECLS

/* "", "NA", "NaN", "?", …: what a file's cells mean unless it says otherwise; NULL-terminated. */
const char * const *mt_missing_get_default_tokens (void);

/* Is the text one of the tokens? A token that is a number also stands for the other ways to write that number. */
gboolean mt_missing_is_token         (const char *text, gsize length, const char * const *tokens);
/* Could one of the tokens be read as a number, in whatever format (0, 0,5, 12 %)? Then cells are compared with
 * the tokens before they are read as numbers. */
gboolean mt_missing_has_number_token (const char * const *tokens);
/* The number that such a token names, or in a column of dates the moment; FALSE: it names none. */
gboolean mt_missing_get_token_value  (const char *token, MtColumnType type, double *value);

G_END_DECLS
