/* Text to import, and what must have become of it. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

const MtColumn *import_column (MtImport *import, guint index);
void import_expect_type (MtImport *import, guint index, MtColumnType type);
/* "a,b" and @n lines made by @format of the line's number, with @odd instead at @odd_line. */
char *import_lines (const char *header, guint n, const char *suffix, guint odd_line, const char *odd);

G_END_DECLS
