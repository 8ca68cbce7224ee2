/* Saving a session under a name, and leaving it: what would be lost is said first, and who saves it goes where he
 * wanted to go once it is saved. */
#include "config.h"
#include "mt-session-private.h"

#include "document/mt-open-files.h"

/* --- saving --- */

void
mt_session_retry (MtSession *self)
{
  g_return_if_fail (MT_IS_SESSION (self));
  if (self->project != NULL)
    mt_project_file_retry (self->project);
}

void
mt_session_save_as (MtSession *self,
                    GFile     *project,
                    gboolean   leave)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (MT_IS_SESSION (self) && G_IS_FILE (project));

  leave = leave && self->leaving == MT_SESSION_CHOOSING;
  if (!mt_open_files_check (project, MT_OPEN_PROJECT, &error))
    {
      if (!leave)
        _mt_session_enter_leaving (self, MT_SESSION_STAYING);
      _mt_session_refuse (self, MT_SESSION_REFUSED_PLACE, project, error);
      return;
    }
  _mt_session_ensure_project (self);
  _mt_session_enter_leaving (self, leave && self->project != NULL ? MT_SESSION_SAVING : MT_SESSION_STAYING);
  if (self->project == NULL)
    return;
  self->saving = MT_SESSION_SAVING_AS;
  mt_project_file_save_as (self->project, project);
}

/* --- leaving --- */

static void
leave_now (MtSession      *self,
           MtSessionWhere  where,
           GFile          *file)
{
  if (where == MT_SESSION_TO_FILE)
    mt_session_open (self, file);
  else if (where == MT_SESSION_TO_NOTHING)
    mt_session_close (self);
  _mt_session_emit (self, MT_SESSION_LEFT, where, file);
}

static gboolean
go (gpointer data)
{
  MtSession *self = data;
  g_autoptr (GFile) file = NULL;

  if (self->document == NULL || self->leaving != MT_SESSION_GOING)
    return G_SOURCE_REMOVE;
  file = g_steal_pointer (&self->where_file);
  _mt_session_enter_leaving (self, MT_SESSION_STAYING);
  leave_now (self, self->where, file);
  return G_SOURCE_REMOVE;
}

/* When the project was written, or could not be. */
void
_mt_session_go_on (MtSession *self)
{
  if (self->leaving != MT_SESSION_SAVING || self->project == NULL || mt_session_is_writing (self))
    return;
  if (mt_session_has_unsaved (self))   /* that has been said */
    {
      _mt_session_enter_leaving (self, MT_SESSION_STAYING);
      return;
    }
  _mt_session_enter_leaving (self, MT_SESSION_GOING);
  g_idle_add_full (G_PRIORITY_DEFAULT, go, g_object_ref (self), g_object_unref);   /* the project is still telling */
}

MtSessionLoss
mt_session_get_loss (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), MT_SESSION_LOSES_NOTHING);

  if (mt_study_is_running (self->study))
    return MT_SESSION_STOPS_TRAINING;
  if (!mt_session_has_unsaved (self))
    return MT_SESSION_LOSES_NOTHING;
  if (mt_session_get_failure (self) != NULL)
    return MT_SESSION_LOSES_UNWRITTEN;
  if (self->model != NULL)
    return MT_SESSION_LOSES_MODEL;
  return mt_session_has_results (self) ? MT_SESSION_LOSES_RESULTS : MT_SESSION_LOSES_CHANGES;
}

gboolean
mt_session_leave (MtSession      *self,
                  MtSessionWhere  where,
                  GFile          *file)
{
  if (mt_session_get_loss (self) != MT_SESSION_LOSES_NOTHING)
    return FALSE;
  leave_now (self, where, file);
  return TRUE;
}

gboolean
mt_session_discard (MtSession      *self,
                    MtSessionWhere  where,
                    GFile          *file)
{
  g_return_val_if_fail (MT_IS_SESSION (self), FALSE);

  if (mt_study_is_running (self->study))
    {
      mt_study_stop (self->study);
      return TRUE;
    }
  /* What is to be opened may be no file that can be read: until it has been, nothing is thrown away. */
  if (where != MT_SESSION_TO_FILE)
    {
      _mt_session_forget_project (self, TRUE);
      mt_study_clear (self->study);
    }
  leave_now (self, where, file);
  return FALSE;
}

void
mt_session_save_first (MtSession      *self,
                       MtSessionWhere  where,
                       GFile          *file)
{
  g_return_if_fail (MT_IS_SESSION (self));
  _mt_session_enter_leaving (self, MT_SESSION_CHOOSING);
  self->where = where;
  g_set_object (&self->where_file, file);
}
