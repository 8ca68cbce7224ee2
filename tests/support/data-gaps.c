#include "config.h"
#include "data-gaps.h"

#include <string.h>

#include "mt-core.h"

void
mt_test_write_with_gaps (const char *from,
                         const char *target,
                         const char *to)
{
  static const char * const gaps[] = { "", "NA", "?", " " };
  g_autoptr (GFile) file = g_file_new_for_path (from);
  g_autoptr (MtImport) import = mt_import_file (file, NULL, NULL, NULL);
  const MtTable *table = mt_import_get_table (import);
  g_autoptr (GString) out = g_string_new (NULL);
  MtRandom random;

  mt_random_init (&random, 5);
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    mt_csv_append_as_is (out, mt_column_get_name (mt_table_get_column (table, c)));
  mt_csv_end_line (out);
  for (gsize r = 0; r < mt_table_get_n_rows (table); r++)
    {
      for (guint c = 0; c < mt_table_get_n_columns (table); c++)
        {
          const MtColumn *column = mt_table_get_column (table, c);
          g_autofree char *cell = mt_column_dup_text (column, r);
          gboolean is_gap = mt_random_below (&random, 7) == 0 && strcmp (mt_column_get_name (column), target) != 0;

          mt_csv_append_as_is (out, is_gap ? gaps[mt_random_below (&random, G_N_ELEMENTS (gaps))] : cell);
        }
      mt_csv_end_line (out);
    }
  g_assert_true (g_file_set_contents (to, out->str, (gssize) out->len, NULL));
}
