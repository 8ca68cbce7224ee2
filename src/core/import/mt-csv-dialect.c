/* How a CSV file is written: making, copying and freeing the description. mt-csv-detect.c fills it in. */
#include "config.h"
#include "mt-csv-dialect.h"

MtCsvDialect *
mt_csv_dialect_new (void)
{
  MtCsvDialect *dialect = g_new0 (MtCsvDialect, 1);

  dialect->header = -1;
  return dialect;
}

MtCsvDialect *
mt_csv_dialect_copy (const MtCsvDialect *dialect)
{
  MtCsvDialect *copy = g_memdup2 (dialect, sizeof *dialect);

  copy->encoding = g_strdup (dialect->encoding);
  copy->missing_tokens = g_strdupv (dialect->missing_tokens);
  copy->sheet = g_strdup (dialect->sheet);
  copy->table = g_strdup (dialect->table);
  copy->query = g_strdup (dialect->query);
  return copy;
}

void
mt_csv_dialect_free (MtCsvDialect *dialect)
{
  if (dialect == NULL)
    return;
  g_free (dialect->encoding);
  g_strfreev (dialect->missing_tokens);
  g_free (dialect->sheet);
  g_free (dialect->table);
  g_free (dialect->query);
  g_free (dialect);
}

void
mt_csv_dialect_choose (MtCsvDialect *dialect,
                       gboolean      is_sheet,
                       const char   *name)
{
  g_return_if_fail (dialect != NULL && name != NULL);

  g_free (dialect->sheet);
  g_free (dialect->table);
  g_clear_pointer (&dialect->query, g_free);
  dialect->sheet = is_sheet ? g_strdup (name) : NULL;
  dialect->table = is_sheet ? NULL : g_strdup (name);
}
