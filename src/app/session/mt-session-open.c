/* Opening in a session: a data file or a project is read while what is open stays, takes its place, and brings back
 * study and view. */
#include "config.h"
#include "mt-session-private.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "document/mt-open-files.h"

/* --- what comes takes the place of what is open --- */

void
_mt_session_stay (MtSession *self)
{
  if (self->coming != NULL)
    mt_project_file_close (self->coming, FALSE);
  g_clear_object (&self->coming);
  g_clear_pointer (&self->coming_content, mt_project_content_free);
  self->arrival = MT_SESSION_NONE;
}

void
_mt_session_replace (MtSession *self)
{
  g_autoptr (GCancellable) opening = NULL;

  if (self->arrival != MT_SESSION_READING)
    return;
  self->arrival = MT_SESSION_NONE;
  opening = g_steal_pointer (&self->opening);   /* asked for later, it is to take the place of this one */
  _mt_session_forget_project (self, TRUE);
  self->opening = g_steal_pointer (&opening);
  mt_study_clear (self->study);
  _mt_session_emit (self, MT_SESSION_REPLACED);
  if (self->coming == NULL)
    return;
  _mt_session_take_project (self, g_steal_pointer (&self->coming));
  self->unread = g_steal_pointer (&self->coming_content);
  self->is_recovered = mt_project_file_get_file (self->project) == NULL;
  _mt_session_enter (self, MT_SESSION_UNREAD);
}

/* --- a project --- */

static gboolean
is_read_only (GFile        *file,
              const GError *error)
{
  return (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) ||
          g_error_matches (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY)) &&
         g_access (g_file_peek_path (file), R_OK) == 0;
}

static void
read_coming (MtSession *self)
{
  const MtProjectContent *content = self->coming_content != NULL ? self->coming_content : self->unread;

  mt_document_open_with (self->document, content->source, content->decisions);
}

static void
on_project_open (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (MtSession) self = MT_SESSION (data);
  g_autoptr (GError) error = NULL;
  MtProjectContent *content = NULL;
  g_autoptr (MtProjectFile) project = mt_project_file_open_finish (result, &content, &error);
  g_autoptr (MtProjectContent) owned = content;
  GFile *file = G_FILE (source);

  if (self->document == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;   /* something else is to be opened, or nothing any more */
  if (project == NULL && is_read_only (file, error))
    {
      g_set_object (&self->original, file);
      _mt_session_refuse (self, MT_SESSION_REFUSED_READ_ONLY, file, error);
      return;
    }
  if (project == NULL)
    {
      gboolean is_locked = g_error_matches (error, MT_ERROR, MT_ERROR_LOCKED);

      if (is_locked)
        g_set_object (&self->original, file);
      _mt_session_refuse (self, is_locked ? MT_SESSION_REFUSED_LOCKED : MT_SESSION_REFUSED_PROJECT, file, error);
      return;
    }
  _mt_session_stay (self);
  self->arrival = MT_SESSION_READING;
  self->coming = g_steal_pointer (&project);
  self->coming_content = g_steal_pointer (&owned);
  _mt_session_recovered (self, file);
  if (mt_document_get_table (self->document) == NULL)
    _mt_session_replace (self);   /* there is nothing that could stay, and it may get the new place of its data */
  read_coming (self);
}

static gboolean
is_at (MtProjectFile *project,
       GFile         *file)
{
  return project != NULL && mt_project_file_get_file (project) != NULL &&
         g_file_equal (mt_project_file_get_file (project), file);
}

void
_mt_session_open_project (MtSession *self,
                          GFile     *project)
{
  if (is_at (self->project, project))
    return;   /* the same file cannot be open twice, not even here */
  if (is_at (self->coming, project))
    {
      read_coming (self);   /* its data may be there now */
      return;
    }
  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  self->opening = g_cancellable_new ();
  mt_project_file_open (project, self->opening, on_project_open, g_object_ref (self));
}

typedef struct {
  MtSession *session;
  GFile     *copy;
} Copying;

static void
on_copied (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  Copying *copying = data;
  g_autoptr (MtSession) self = copying->session;
  g_autoptr (GFile) copy = copying->copy;
  g_autoptr (GError) error = NULL;
  gboolean copied = mt_project_file_copy_finish (result, &error);

  g_free (copying);
  if (self->document == NULL)
    return;
  if (copied)
    {
      _mt_session_open_project (self, copy);
      return;
    }
  g_set_object (&self->original, G_FILE (source));
  _mt_session_refuse (self, MT_SESSION_REFUSED_COPY, copy, error);
}

void
mt_session_copy (MtSession *self,
                 GFile     *copy)
{
  g_autoptr (GError) error = NULL;
  Copying *copying;

  g_return_if_fail (MT_IS_SESSION (self));
  g_return_if_fail (G_IS_FILE (copy));

  if (self->original == NULL)
    return;
  if (!mt_open_files_check (copy, MT_OPEN_PROJECT, &error))
    {
      _mt_session_refuse (self, MT_SESSION_REFUSED_COPY, copy, error);
      return;
    }
  copying = g_new (Copying, 1);
  *copying = (Copying) { .session = g_object_ref (self), .copy = g_object_ref (copy) };
  mt_project_file_copy (self->original, copy, on_copied, copying);
  g_clear_object (&self->original);
}

GFile *
mt_session_get_original (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), NULL);
  return self->original;
}

/* --- the data --- */

static void
on_source_changed (MtSession         *self,
                   GFile             *file,
                   GFile             *other,
                   GFileMonitorEvent  event)
{
  if (event == G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT || event == G_FILE_MONITOR_EVENT_CREATED)
    _mt_session_emit (self, MT_SESSION_SIGNAL_SOURCE, MT_SESSION_SOURCE_CHANGED);
  else if (event == G_FILE_MONITOR_EVENT_DELETED)
    _mt_session_emit (self, MT_SESSION_SIGNAL_SOURCE, MT_SESSION_SOURCE_DELETED);
}

static void
watch_source (MtSession *self)
{
  GFile *file = mt_document_get_file (self->document);

  _mt_session_emit (self, MT_SESSION_SIGNAL_SOURCE, MT_SESSION_SOURCE_SAME);
  g_clear_object (&self->monitor);
  if (file != NULL)
    self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (on_source_changed), self, G_CONNECT_SWAPPED);
}

/* Study and view come from the project, whose data have been read. */
static void
restore (MtSession *self)
{
  g_autoptr (MtProjectContent) content = g_steal_pointer (&self->unread);
  MtImport *import = mt_document_get_import (self->document);

  _mt_session_enter (self, MT_SESSION_RESTORING);
  _mt_session_emit (self, MT_SESSION_SIGNAL_RESTORING, content);
  self->store = mt_study_store_new (self->study, self->project, mt_document_get_table (self->document), import, content);
  self->view = g_strdup (content->view);
  _mt_session_emit (self, MT_SESSION_RESTORED, content);
  _mt_session_enter (self, MT_SESSION_OPEN);
  if (!g_file_equal (content->source, mt_document_get_file (self->document)))
    _mt_session_keep_decisions (self);   /* it was elsewhere, and is looked for here from now on */
  if (content->sha256 != NULL && g_strcmp0 (content->sha256, mt_import_get_sha256 (import)) != 0)
    _mt_session_emit (self, MT_SESSION_SIGNAL_SOURCE, MT_SESSION_SOURCE_OTHER);
}

void
_mt_session_document_read (MtSession *self)
{
  MtImport *import = mt_document_get_import (self->document);

  if (mt_document_is_loading (self->document))
    return;
  if (mt_document_get_error (self->document) == NULL)
    _mt_session_stay (self);
  if (mt_document_get_table (self->document) == NULL || self->seen == import)
    return;
  self->seen = import;
  watch_source (self);
  if (self->store != NULL)
    mt_study_store_set_import (self->store, import);
  if (self->content == MT_SESSION_UNREAD)
    restore (self);
  else
    _mt_session_enter (self, MT_SESSION_OPEN);
  _mt_session_emit (self, MT_SESSION_READ);
}

/* --- all kinds --- */

void
mt_session_open (MtSession *self,
                 GFile     *file)
{
  g_return_if_fail (MT_IS_SESSION (self));
  g_return_if_fail (G_IS_FILE (file));

  if (mt_session_is_model (file))
    {
      _mt_session_open_model (self, file);
      return;
    }
  _mt_session_stop_reading (self);
  _mt_session_forget_model (self);
  _mt_session_emit (self, MT_SESSION_OPENING);
  if (mt_project_file_is_one (file))
    {
      _mt_session_open_project (self, file);
      return;
    }
  g_cancellable_cancel (self->opening);
  _mt_session_stay (self);
  self->arrival = MT_SESSION_READING;
  if (mt_document_get_table (self->document) == NULL)
    _mt_session_replace (self);
  mt_document_open (self->document, file);
}

void
mt_session_close (MtSession *self)
{
  g_return_if_fail (MT_IS_SESSION (self));

  _mt_session_stop_reading (self);
  _mt_session_forget_project (self, TRUE);
  _mt_session_forget_model (self);
  mt_study_clear (self->study);
  mt_document_close (self->document);
}
