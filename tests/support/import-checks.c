#include "config.h"
#include "import-checks.h"

#include <gio/gio.h>

const MtColumn *
import_column (MtImport *import,
               guint     index)
{
  return mt_table_get_column (mt_import_get_table (import), index);
}

void
import_expect_type (MtImport     *import,
                    guint         index,
                    MtColumnType  type)
{
  if (mt_column_get_type (import_column (import, index)) != type)
    g_error ("column %u is %s, not %s: %s", index, mt_column_type_to_string (mt_column_get_type (import_column (import, index))),
             mt_column_type_to_string (type), mt_table_get_reason (mt_import_get_table (import), index));
}

char *
import_lines (const char *header,
              guint       n,
              const char *suffix,
              guint       odd_line,
              const char *odd)
{
  GString *text = g_string_new (header);

  for (guint i = 0; i < n; i++)
    if (i + 2 == odd_line)
      g_string_append (text, odd);
    else
      g_string_append_printf (text, "%u%s\n", i * 7 % 1000 + 10, suffix);
  return g_string_free (text, FALSE);
}
