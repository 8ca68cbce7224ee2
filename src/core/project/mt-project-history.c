/* What was changed by hand in a model, in the order it was done: the report prints it. */
#include "config.h"
#include "mt-project-private.h"

void
mt_project_edit_free (MtProjectEdit *edit)
{
  if (edit == NULL)
    return;
  g_free (edit->what);
  g_free (edit->reason);
  g_free (edit->by);
  g_free (edit);
}

gint64
mt_project_add_edit (MtProject            *self,
                     const MtProjectEdit  *edit,
                     GError              **error)
{
  gint64 id;
  gboolean ok;

  g_return_val_if_fail (self != NULL && edit != NULL && edit->what != NULL && edit->reason != NULL, 0);

  if (!mt_project_begin (self, error))
    return 0;
  id = mt_project_next_id (self, MT_STORE_EDIT, error);
  const MtCell row[] = {
    mt_cell_integer (id),
    mt_cell_text (edit->what),
    mt_cell_text (edit->reason),
    mt_cell_integer (edit->literals_before),
    mt_cell_integer (edit->literals_after),
    mt_cell_real (edit->metric_before),
    mt_cell_real (edit->metric_after),
    mt_cell_text (edit->by != NULL ? edit->by : ""),
    mt_cell_integer (edit->made),
  };
  ok = id != 0 && mt_project_put (self, MT_STORE_EDIT, row, error);
  return mt_project_end (self, ok, error) ? id : 0;
}

static gboolean
take_edit (MtProject     *self,
           const MtCell  *row,
           gpointer       data,
           GError       **error)
{
  MtProjectEdit *edit = g_new0 (MtProjectEdit, 1);

  edit->id = row[0].integer;
  edit->what = mt_cell_dup_text (&row[1]);
  edit->reason = mt_cell_dup_text (&row[2]);
  edit->literals_before = (guint) row[3].integer;
  edit->literals_after = (guint) row[4].integer;
  edit->metric_before = mt_cell_get_real (&row[5]);
  edit->metric_after = mt_cell_get_real (&row[6]);
  edit->by = mt_cell_dup_text (&row[7]);
  edit->made = row[8].integer;
  g_ptr_array_add (data, edit);
  return TRUE;
}

GPtrArray *
mt_project_list_edits (MtProject  *self,
                       GError    **error)
{
  g_autoptr (GPtrArray) edits = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_project_edit_free);

  g_return_val_if_fail (self != NULL, NULL);

  return mt_project_each (self, MT_STORE_EDIT, "ORDER BY id", NULL, 0, take_edit, edits, error)
         ? g_steal_pointer (&edits) : NULL;
}
