/* The state machine of a session, what it holds, and the project that it keeps. See mt-session.h for the states. */
#include "config.h"
#include "mt-session-private.h"

#include "document/mt-open-files.h"

static guint signals[MT_N_SESSION_SIGNALS];

G_DEFINE_FINAL_TYPE (MtSession, mt_session, G_TYPE_OBJECT)

#define BIT(state) (1u << (state))

/* --- states --- */

void
_mt_session_enter (MtSession        *self,
                   MtSessionContent  content)
{
  static const guint allowed[MT_N_SESSION_CONTENTS] = {
    [MT_SESSION_EMPTY] = BIT (MT_SESSION_EMPTY) | BIT (MT_SESSION_UNREAD) | BIT (MT_SESSION_OPEN) | BIT (MT_SESSION_MODEL),
    [MT_SESSION_UNREAD] = BIT (MT_SESSION_EMPTY) | BIT (MT_SESSION_RESTORING),
    [MT_SESSION_RESTORING] = BIT (MT_SESSION_OPEN),
    [MT_SESSION_OPEN] = BIT (MT_SESSION_OPEN) | BIT (MT_SESSION_EMPTY),
    [MT_SESSION_MODEL] = BIT (MT_SESSION_EMPTY),
  };

  if ((allowed[self->content] & BIT (content)) == 0)
    g_critical ("session: content goes from %d to %d", self->content, content);
  self->content = content;
}

void
_mt_session_enter_leaving (MtSession        *self,
                           MtSessionLeaving  leaving)
{
  static const guint allowed[MT_N_SESSION_LEAVINGS] = {
    [MT_SESSION_STAYING] = BIT (MT_SESSION_STAYING) | BIT (MT_SESSION_CHOOSING),
    [MT_SESSION_CHOOSING] = BIT (MT_SESSION_STAYING) | BIT (MT_SESSION_CHOOSING) | BIT (MT_SESSION_SAVING),
    [MT_SESSION_SAVING] = BIT (MT_SESSION_STAYING) | BIT (MT_SESSION_CHOOSING) | BIT (MT_SESSION_GOING),
    [MT_SESSION_GOING] = BIT (MT_SESSION_STAYING) | BIT (MT_SESSION_CHOOSING),
  };

  if ((allowed[self->leaving] & BIT (leaving)) == 0)
    g_critical ("session: leaving goes from %d to %d", self->leaving, leaving);
  self->leaving = leaving;
  if (leaving == MT_SESSION_STAYING)
    g_clear_object (&self->where_file);
}

MtSessionContent
mt_session_get_content (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), MT_SESSION_EMPTY);
  return self->content;
}

MtSessionArrival
mt_session_get_arrival (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), MT_SESSION_NONE);
  return self->arrival;
}

MtSessionSaving
mt_session_get_saving (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), MT_SESSION_IDLE);
  return self->saving;
}

MtSessionLeaving
mt_session_get_leaving (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), MT_SESSION_STAYING);
  return self->leaving;
}

MtSessionPlace
mt_session_get_place (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), MT_SESSION_NOWHERE);
  if (self->project == NULL)
    return MT_SESSION_NOWHERE;
  if (mt_project_file_get_failure (self->project) != NULL)
    return MT_SESSION_FAILED;
  if (mt_project_file_get_file (self->project) != NULL)
    return MT_SESSION_NAMED;
  return self->is_recovered ? MT_SESSION_RECOVERED : MT_SESSION_UNNAMED;
}

gboolean
mt_session_is_ended (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), TRUE);
  return self->document == NULL;
}

gboolean
mt_session_is_writing (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), FALSE);
  return self->project != NULL && mt_project_file_is_busy (self->project);
}

gboolean
mt_session_is_reading (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), FALSE);
  return self->reading != NULL || mt_document_is_loading (self->document);
}

gboolean
mt_session_is_empty (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), FALSE);
  return self->model == NULL && mt_document_get_table (self->document) == NULL;
}

gboolean
mt_session_has_results (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), FALSE);
  return g_list_model_get_n_items (mt_study_get_points (self->study)) > 0;
}

gboolean
mt_session_has_unsaved (MtSession *self)
{
  MtSessionPlace place;

  g_return_val_if_fail (MT_IS_SESSION (self), FALSE);
  place = mt_session_get_place (self);
  if (place == MT_SESSION_NAMED || place == MT_SESSION_FAILED)
    return place == MT_SESSION_FAILED;
  /* What was brought back once is not lost the second time; what could not even be read is kept anyway. */
  return mt_session_has_results (self) || (mt_document_has_decided (self->document) && !self->is_given_up) ||
         (place == MT_SESSION_RECOVERED && self->content != MT_SESSION_UNREAD);
}

const GError *
mt_session_get_failure (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), NULL);
  return self->project != NULL ? mt_project_file_get_failure (self->project) : NULL;
}

GFile *
mt_session_get_project (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), NULL);
  return self->project != NULL ? mt_project_file_get_file (self->project) : NULL;
}

/* --- the project --- */

gboolean
mt_session_can_keep (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), FALSE);
  return self->project != NULL && self->content != MT_SESSION_UNREAD && self->content != MT_SESSION_RESTORING &&
         mt_document_get_import (self->document) != NULL;
}

void
mt_session_keep_text (MtSession      *self,
                      MtProjectSpace  space,
                      const char     *key,
                      const char     *text)
{
  if (mt_session_can_keep (self))
    mt_project_file_set_text (self->project, space, key, text);
}

void
mt_session_keep_view (MtSession  *self,
                      const char *view)
{
  if (!mt_session_can_keep (self) || g_strcmp0 (view, self->view) == 0)
    return;
  mt_project_file_set_text (self->project, MT_PROJECT_STATE, MT_PROJECT_KEY_VIEW, view);
  g_free (self->view);
  self->view = g_strdup (view);
}

void
_mt_session_keep_decisions (MtSession *self)
{
  if (mt_session_can_keep (self))
    mt_project_file_set_decisions (self->project, mt_document_get_file (self->document),
                                   mt_document_get_import (self->document), mt_document_get_decisions (self->document));
}

/* Afterwards everything is saved as it happens, and nothing more is said. */
static void
tell_named (MtSession *self)
{
  if (self->saving != MT_SESSION_SAVING_AS || mt_session_is_writing (self))
    return;
  self->saving = MT_SESSION_IDLE;
  if (mt_session_get_place (self) == MT_SESSION_NAMED)
    _mt_session_emit (self, MT_SESSION_SIGNAL_NAMED, mt_session_get_project (self));
}

static void
on_project_changed (MtSession *self)
{
  mt_open_files_set (G_OBJECT (self), MT_OPEN_PROJECT, mt_session_get_project (self));
  _mt_session_emit (self, MT_SESSION_CHANGED);
  tell_named (self);
  _mt_session_go_on (self);
}

static void
on_project_failed (MtSession    *self,
                   const GError *error)
{
  self->saving = MT_SESSION_IDLE;
  _mt_session_emit (self, MT_SESSION_NOT_WRITTEN, error);
}

static void
on_project_damaged (MtSession    *self,
                    const GError *error)
{
  _mt_session_refuse (self, MT_SESSION_REFUSED_PART, mt_session_get_project (self), error);
}

void
_mt_session_take_project (MtSession     *self,
                          MtProjectFile *project)
{
  self->project = project;
  mt_open_files_set (G_OBJECT (self), MT_OPEN_PROJECT, mt_project_file_get_file (project));
  g_signal_connect_object (project, "failed", G_CALLBACK (on_project_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (project, "damaged", G_CALLBACK (on_project_damaged), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (project, "changed", G_CALLBACK (on_project_changed), self, G_CONNECT_SWAPPED);
}

void
_mt_session_ensure_project (MtSession *self)
{
  if (self->project != NULL || mt_document_get_import (self->document) == NULL)
    return;
  _mt_session_take_project (self, mt_project_file_new ());
  _mt_session_keep_decisions (self);
  _mt_session_emit (self, MT_SESSION_BEGAN);
  self->store = mt_study_store_new (self->study, self->project, mt_document_get_table (self->document),
                                    mt_document_get_import (self->document), NULL);
}

void
_mt_session_forget_project (MtSession *self,
                            gboolean   discard)
{
  gboolean unread = self->content == MT_SESSION_UNREAD;

  _mt_session_emit (self, MT_SESSION_FORGETTING, discard);
  g_clear_pointer (&self->view, g_free);
  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  g_clear_object (&self->store);
  g_clear_pointer (&self->unread, mt_project_content_free);
  if (self->project != NULL)
    /* What was not even read, since its data are not there, is kept for another day. */
    mt_project_file_close (self->project, discard && !unread);
  g_clear_object (&self->project);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_PROJECT, NULL);
  self->is_recovered = FALSE;
  self->is_given_up = TRUE;
  if (self->content != MT_SESSION_MODEL)
    _mt_session_enter (self, MT_SESSION_EMPTY);
}

/* --- document and study --- */

/* A project is saved as one goes, from the first decision on. */
static void
on_history_changed (MtSession *self)
{
  self->is_given_up = FALSE;
  if (mt_document_has_decided (self->document))
    _mt_session_ensure_project (self);
  _mt_session_keep_decisions (self);
}

/* What is found is kept from the first run on, with or without a name. */
static void
on_runs_changed (MtSession *self,
                 guint      position,
                 guint      removed,
                 guint      added)
{
  if (added > 0 && self->content != MT_SESSION_RESTORING)
    _mt_session_ensure_project (self);
}

/* --- object --- */

void
_mt_session_emit (MtSession       *self,
                  MtSessionSignal  signal,
                  ...)
{
  va_list values;

  va_start (values, signal);
  g_signal_emit_valist (self, signals[signal], 0, values);
  va_end (values);
}

void
_mt_session_refuse (MtSession        *self,
                    MtSessionRefusal  refusal,
                    GFile            *file,
                    const GError     *error)
{
  _mt_session_emit (self, MT_SESSION_REFUSED, refusal, file, error);
}

void
mt_session_end (MtSession *self)
{
  gboolean running;

  g_return_if_fail (MT_IS_SESSION (self));

  if (self->document == NULL)
    return;
  running = mt_study_is_running (self->study);
  mt_document_cancel (self->document);
  _mt_session_stay (self);
  mt_study_stop (self->study);
  /* Runs that were stopped and found nothing are not missed; those that were cut off are. */
  _mt_session_forget_project (self, !running && !mt_session_has_unsaved (self));
  _mt_session_stop_reading (self);
  g_clear_object (&self->monitor);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_signal_handlers_disconnect_by_data (mt_study_get_runs (self->study), self);
  g_clear_object (&self->document);
  g_clear_object (&self->study);
}

static void
mt_session_dispose (GObject *object)
{
  MtSession *self = MT_SESSION (object);

  mt_session_end (self);
  g_clear_object (&self->where_file);
  g_clear_object (&self->original);
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->model_name, g_free);
  g_clear_pointer (&self->recoverable, g_ptr_array_unref);
  G_OBJECT_CLASS (mt_session_parent_class)->dispose (object);
}

static guint
new_signal (const char *name,
            guint       n_values,
            ...)
{
  va_list types;
  guint signal;

  va_start (types, n_values);
  signal = g_signal_new_valist (name, MT_TYPE_SESSION, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE, n_values,
                                types);
  va_end (types);
  return signal;
}

static void
mt_session_class_init (MtSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_session_dispose;
  signals[MT_SESSION_CHANGED] = new_signal ("changed", 0);
  signals[MT_SESSION_OPENING] = new_signal ("opening", 0);
  signals[MT_SESSION_BEGAN] = new_signal ("began", 0);
  signals[MT_SESSION_FORGETTING] = new_signal ("forgetting", 1, G_TYPE_BOOLEAN);
  signals[MT_SESSION_REPLACED] = new_signal ("replaced", 0);
  signals[MT_SESSION_SIGNAL_RESTORING] = new_signal ("restoring", 1, G_TYPE_POINTER);
  signals[MT_SESSION_RESTORED] = new_signal ("restored", 1, G_TYPE_POINTER);
  signals[MT_SESSION_READ] = new_signal ("read", 0);
  signals[MT_SESSION_SIGNAL_SOURCE] = new_signal ("source", 1, G_TYPE_UINT);
  signals[MT_SESSION_MODEL_OPENED] = new_signal ("model-opened", 1, G_TYPE_FILE);
  signals[MT_SESSION_MODEL_CLOSED] = new_signal ("model-closed", 0);
  signals[MT_SESSION_REFUSED] = new_signal ("refused", 3, G_TYPE_UINT, G_TYPE_FILE, G_TYPE_ERROR);
  signals[MT_SESSION_NOT_WRITTEN] = new_signal ("not-written", 1, G_TYPE_ERROR);
  signals[MT_SESSION_SIGNAL_NAMED] = new_signal ("named", 1, G_TYPE_FILE);
  signals[MT_SESSION_LEFT] = new_signal ("left", 2, G_TYPE_UINT, G_TYPE_FILE);
  signals[MT_SESSION_RECOVERABLE] = new_signal ("recoverable", 0);
}

static void
mt_session_init (MtSession *self)
{
}

MtSession *
mt_session_new (MtDocument *document,
                MtStudy    *study)
{
  MtSession *self = g_object_new (MT_TYPE_SESSION, NULL);

  self->document = g_object_ref (document);
  self->study = g_object_ref (study);
  /* After those who show document and study: what is restored comes to pages that know of the data. */
  g_signal_connect_object (mt_study_get_runs (study), "items-changed", G_CALLBACK (on_runs_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (document, "load-changed", G_CALLBACK (_mt_session_document_read), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (document, "history-changed", G_CALLBACK (on_history_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (document, "replacing", G_CALLBACK (_mt_session_replace), self, G_CONNECT_SWAPPED);
  return self;
}
