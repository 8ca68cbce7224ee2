/* What happened in a study, on its way to the project: filled on the main thread, written on the project's
 * by one of the functions below, which mt_project_file_push() takes. See mt-project-write.h. */
#include "config.h"
#include "mt-project-write.h"

MtProjectWrite *
mt_project_write_new (MtStudyIds *ids)
{
  MtProjectWrite *change = g_new0 (MtProjectWrite, 1);

  change->ids = mt_study_ids_ref (ids);
  return change;
}

void
mt_project_write_free (gpointer data)
{
  MtProjectWrite *change = data;

  mt_study_ids_unref (change->ids);
  g_free (change->name);
  g_free (change->data);
  g_free (change->columns);
  g_free (change->message);
  g_free (change->failure);
  g_free (change->device);
  g_free (change->curves);
  g_clear_pointer (&change->basis, mt_basis_unref);
  g_clear_pointer (&change->import, mt_import_unref);
  mt_edited_point_free (change->gone);
  mt_edited_point_free (change->come);
  g_free (change->by);
  g_free (change);
}

/* --- on the project's thread --- */

gboolean
mt_project_write_add_run (MtProject  *project,
                          gpointer    data,
                          GError    **error)
{
  MtProjectWrite *change = data;
  gint64 id;

  if (!mt_project_begin (project, error))
    return FALSE;
  id = mt_run_record_add (project, change->name, &change->run_settings, change->columns, change->data, error);
  if (id == 0)
    return FALSE;
  mt_study_ids_set_run (change->ids, change->key, id);
  return mt_project_commit (project, error);
}

gboolean
mt_project_write_set_state (MtProject  *project,
                            gpointer    data,
                            GError    **error)
{
  MtProjectWrite *change = data;
  gint64 run = mt_study_ids_get_run (change->ids, change->key);
  g_autofree char *key = mt_study_failure_key (run);
  g_autofree char *device_key = mt_study_device_key (run);

  return mt_project_begin (project, error) &&
         mt_project_set_run_state (project, run, change->state, change->message, change->seconds, error) &&
         (change->failure == NULL ||
          mt_project_set_text (project, MT_PROJECT_STATE, key, change->failure, error)) &&
         (change->device == NULL ||
          mt_project_set_text (project, MT_PROJECT_STATE, device_key, change->device, error)) &&
         mt_project_commit (project, error);
}

char *
mt_study_curves_key (gint64 run)
{
  return g_strdup_printf (MT_PROJECT_KEY_CURVES "%" G_GINT64_FORMAT, run);
}

char *
mt_study_failure_key (gint64 run)
{
  return g_strdup_printf (MT_PROJECT_KEY_FAILURE "%" G_GINT64_FORMAT, run);
}

char *
mt_study_device_key (gint64 run)
{
  return g_strdup_printf (MT_PROJECT_KEY_DEVICE "%" G_GINT64_FORMAT, run);
}

gboolean
mt_project_write_finish_run (MtProject  *project,
                             gpointer    data,
                             GError    **error)
{
  MtProjectWrite *change = data;
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint));
  const MtRunData *basis = change->basis;
  const MtLearned learned = {
    .target = basis->target, .encoder = basis->encoder, .encoded = basis->encoded, .rows = basis->rows,
    .frontier = basis->frontier,
  };

  if (!mt_run_record_make_points (&learned, &change->run_settings, basis->table, basis->test, change->import, points, models,
                                  error) ||
      !mt_project_begin (project, error) ||
      !mt_run_record_set_points (project, mt_study_ids_get_run (change->ids, change->key), points, models, change->curves,
                                 error) ||
      !mt_project_write_set_state (project, change, error) ||
      !mt_project_commit (project, error))
    return FALSE;
  mt_study_ids_remove_points (change->ids, change->key);
  for (guint i = 0; i < points->len; i++)
    mt_study_ids_add_point (change->ids, change->key, g_array_index (points, MtProjectPoint, i).id);
  return TRUE;
}

/* A point may have several marks, and what it has is written at once. */
gboolean
mt_project_write_set_marks (MtProject  *project,
                            gpointer    data,
                            GError    **error)
{
  MtProjectWrite *change = data;
  gint64 ids[MT_STUDY_MOST_MARKED];

  for (guint i = 0; i < MT_STUDY_MOST_MARKED; i++)
    ids[i] = change->marked[i].edited != 0
             ? mt_study_ids_get_edited (change->ids, change->marked[i].edited)
             : mt_study_ids_get_point (change->ids, change->marked[i].key, change->marked[i].index);
  if (!mt_project_begin (project, error))
    return FALSE;
  for (guint i = 0; i < MT_STUDY_MOST_MARKED; i++)
    {
      MtMark marks = MT_MARK_NONE;
      gboolean done = ids[i] == 0;

      for (guint j = 0; j < MT_STUDY_MOST_MARKED; j++)
        {
          done |= j < i && ids[j] == ids[i];
          if (ids[j] == ids[i])
            marks |= change->marked[j].mark | (change->marked[j].edited != 0 ? MT_MARK_EDITED : MT_MARK_NONE);
        }
      if (!done && !mt_project_set_marks (project, ids[i], marks, error))
        return FALSE;
    }
  return mt_project_commit (project, error);
}

gboolean
mt_project_write_edit (MtProject  *project,
                       gpointer    data,
                       GError    **error)
{
  MtProjectWrite *change = data;
  gint64 gone = mt_study_ids_get_edited (change->ids, change->gone_key), come = 0;
  gint64 run = mt_study_ids_get_run (change->ids, change->key);
  gint64 origin = mt_study_ids_get_point (change->ids, change->key, change->origin);
  gboolean undone = change->come == NULL ||
                    (change->gone != NULL && mt_edit_history_get_n (change->come->history) <
                                             mt_edit_history_get_n (change->gone->history));

  if (!mt_project_begin (project, error) || (gone != 0 && !mt_project_remove_point (project, gone, error)))
    return FALSE;
  if (change->come != NULL && run != 0 && origin != 0)
    {
      come = mt_edited_point_add (change->come, project, run, origin, error);
      if (come == 0)
        return FALSE;
    }
  if (!mt_edited_point_log (undone ? change->gone : change->come, project, undone, change->by, change->made, error) ||
      !mt_project_commit (project, error))
    return FALSE;
  mt_study_ids_remove_edited (change->ids, change->gone_key);
  if (come != 0)
    mt_study_ids_set_edited (change->ids, change->come_key, come);
  return TRUE;
}
