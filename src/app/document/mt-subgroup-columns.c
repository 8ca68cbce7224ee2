/* The columns by whose values a model is measured. See mt-subgroup-columns.h. */
#include "config.h"
#include "mt-subgroup-columns.h"

#include <glib/gi18n.h>

static GPtrArray *
list_chosen (MtDocument *document)
{
  const char *note = mt_document_get_note (document, MT_NOTE_SUBGROUPS);
  g_autoptr (MtJson) json = note != NULL ? mt_json_parse (note, -1, NULL) : NULL;
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  if (json == NULL || mt_json_get_kind (json) != MT_JSON_ARRAY)
    return names;
  for (guint i = 0; i < mt_json_get_n_children (json); i++)
    if (mt_json_get_kind (mt_json_get_child (json, i)) == MT_JSON_STRING)
      g_ptr_array_add (names, g_strdup (mt_json_get_string (mt_json_get_child (json, i))));
  return names;
}

gboolean
mt_subgroup_columns_is_role (const MtTable *table,
                             guint          column)
{
  return mt_table_get_role (table, column) == MT_ROLE_GROUP || mt_table_get_role (table, column) == MT_ROLE_REPORT;
}

gboolean
mt_subgroup_columns_can (const MtTable *table,
                         guint          index)
{
  const MtColumn *column = mt_table_get_column (table, index);

  if (mt_table_get_role (table, index) == MT_ROLE_TARGET)
    return FALSE;
  return mt_column_get_store (column) == MT_STORE_NUMBERS ||
         (mt_column_get_store (column) == MT_STORE_CODES && mt_column_get_n_levels (column) <= MT_SUBGROUP_MAX);
}

char **
mt_subgroup_columns_dup (MtDocument *document)
{
  const MtTable *table = mt_document_get_table (document);
  g_autoptr (GPtrArray) chosen = list_chosen (document);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; table != NULL && i < mt_table_get_n_columns (table); i++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, i));

      if (mt_subgroup_columns_is_role (table, i) ||
          (mt_subgroup_columns_can (table, i) && g_ptr_array_find_with_equal_func (chosen, name, g_str_equal, NULL)))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

void
mt_subgroup_columns_set (MtDocument *document,
                         const char *name,
                         gboolean    chosen)
{
  g_autoptr (GPtrArray) names = list_chosen (document);
  MtJsonWriter *writer;
  g_autofree char *text = NULL;
  guint at;

  if (g_ptr_array_find_with_equal_func (names, name, g_str_equal, &at) == chosen)
    return;
  if (chosen)
    g_ptr_array_add (names, g_strdup (name));
  else
    g_ptr_array_remove_index (names, at);
  writer = mt_json_writer_new ();
  mt_json_writer_begin_array (writer);
  for (guint i = 0; i < names->len; i++)
    mt_json_writer_string (writer, names->pdata[i]);
  mt_json_writer_end_array (writer);
  text = mt_json_writer_finish (writer, NULL);
  mt_document_set_note (document, MT_NOTE_SUBGROUPS, names->len > 0 ? text : NULL, _("Subgroups"));
}
