#include "config.h"
#include "hostile-models.h"

#include "sample-models.h"
#include "testutils.h"

static const char * const names[] = {
  "a\"b'c\\d`e", "*/ --> ]]> ?> <!-- /* -- #{x} ${y} %s%n", "select", "=SUM(A1)\\",
  "line\nbreak\ttab", "; DROP TABLE data; --",
};
static const char * const long_names[] = {
  "العمر \xe2\x80\xae reversed", "\xf0\x9f\x99\x82 smile",
  "sixty characters long, or so it says, and it is true: äöü äöü",
};
static const char * const levels[] = {
  "it's \"quoted\" \\", "*/", "-->", "]]>&amp;<b>", "=1+1", "@x", "-x", "+y", "${HOME}`id`%s%n\\n", " lead", "trail ",
  "tab\there", "日本 é \xe2\x80\xae\xd8\xb9", "\xf0\x9f\x99\x82", "0x10", "';--", "TRUE", "true",
};
static const char * const binary[] = { "=no\\", "yes'; --\"*/", NULL };
static const char * const several[] = { "low", "</x>]]>", "@high, \"higher\"", NULL };

/* The column with another name, and other levels for those that it has. */
static MtColumn *
disguise (const MtColumn *column,
          const char     *name)
{
  gsize n_rows = mt_column_get_n_rows (column);
  g_autofree guint32 *codes = NULL;
  g_autoptr (GPtrArray) words = NULL;

  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    {
      double *values = g_new (double, n_rows);

      mt_column_read_numbers (column, 0, n_rows, values);
      return mt_column_new_numbers (name, mt_column_get_type (column), values, n_rows);
    }
  codes = g_new (guint32, n_rows);
  mt_column_read_codes (column, 0, n_rows, codes);
  words = g_ptr_array_new ();
  /* More levels than there were: every row keeps its place in the order, spread over all of them. */
  for (gsize i = 0; i < G_N_ELEMENTS (levels); i++)
    g_ptr_array_add (words, g_strdup (levels[i]));
  g_ptr_array_add (words, NULL);
  for (gsize r = 0; r < n_rows; r++)
    if (codes[r] != MT_CODE_MISSING)
      codes[r] = (guint32) ((codes[r] * 7 + r) % G_N_ELEMENTS (levels));
  return mt_column_new_codes (name, MT_TYPE_CATEGORY, (char **) g_ptr_array_free (g_steal_pointer (&words), FALSE), codes,
                              n_rows);
}

MtModel *
mt_test_hostile_model (MtTask   task,
                       gboolean gentle)
{
  g_autoptr (MtTable) plain = mt_test_sample_table (task, 1500, 11);
  g_autoptr (MtTable) table = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  MtColumn *columns[7];
  MtModelInfo info;
  MtModel *hostile;

  for (guint c = 0; c < 7; c++)
    {
      const MtColumn *from = mt_table_get_column (plain, c);
      const char *name = c == 6 ? "y" : !gentle && c < G_N_ELEMENTS (long_names) ? long_names[c] : names[c];

      columns[c] = c == 6 ? mt_column_ref ((MtColumn *) from) : disguise (from, name);
    }
  table = mt_test_table (columns, G_N_ELEMENTS (columns), 6);
  model = mt_test_sample_model (task, table, 10, 12);
  info = *mt_model_get_info (model);
  info.target = "target */ \"'\\ -->";
  info.classes = task == MT_TASK_BINARY ? binary : task == MT_TASK_MULTICLASS ? several : NULL;
  hostile = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), (MtRuleSet *) mt_model_get_rules (model), &info,
                          &error);
  g_assert_no_error (error);
  return hostile;
}
