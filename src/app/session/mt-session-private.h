/* What the files of MtSession share. */
#pragma once

#include "mt-session.h"

G_BEGIN_DECLS

struct _MtSession {
  GObject            parent_instance;

  MtDocument        *document;         /* NULL: the session has ended */
  MtStudy           *study;

  /* content */
  MtSessionContent   content;
  const MtImport    *seen;             /* compared only: whether something was read */
  MtProjectFile     *project;          /* NULL: nothing is kept yet */
  MtProjectContent  *unread;           /* of it, in UNREAD */
  MtStudyStore      *store;            /* keeps the study in it */
  char              *view;             /* as it has it; NULL: it has none */
  gboolean           is_recovered;     /* it was made before this program was started */
  gboolean           is_given_up;      /* the decisions are saved elsewhere or thrown away, up to the next one */
  GFileMonitor      *monitor;          /* of the data file */
  MtModel           *model;            /* in MODEL */
  char              *model_name;

  /* arrival */
  MtSessionArrival   arrival;
  MtProjectFile     *coming;           /* the project of what is being read; NULL: it has none */
  MtProjectContent  *coming_content;
  GCancellable      *opening;          /* a project is being opened; NULL: none */
  GCancellable      *reading;          /* a model is being read; NULL: none */
  GFile             *original;         /* was refused as read-only, and can be copied; NULL: none */

  MtSessionSaving    saving;

  /* leaving */
  MtSessionLeaving   leaving;
  MtSessionWhere     where;
  GFile             *where_file;

  GPtrArray         *recoverable;      /* of MtRecoverable; NULL: not looked for */
};

typedef enum {
  MT_SESSION_CHANGED,
  MT_SESSION_OPENING,
  MT_SESSION_BEGAN,
  MT_SESSION_FORGETTING,
  MT_SESSION_REPLACED,
  MT_SESSION_SIGNAL_RESTORING,
  MT_SESSION_RESTORED,
  MT_SESSION_READ,
  MT_SESSION_SIGNAL_SOURCE,
  MT_SESSION_MODEL_OPENED,
  MT_SESSION_MODEL_CLOSED,
  MT_SESSION_REFUSED,
  MT_SESSION_NOT_WRITTEN,
  MT_SESSION_SIGNAL_NAMED,
  MT_SESSION_LEFT,
  MT_SESSION_RECOVERABLE,
  MT_N_SESSION_SIGNALS
} MtSessionSignal;

void _mt_session_emit            (MtSession        *self,
                                  MtSessionSignal   signal,
                                  ...);
void _mt_session_refuse          (MtSession        *self,
                                  MtSessionRefusal  refusal,
                                  GFile            *file,
                                  const GError     *error);
/* Every change of these two parts goes through here, and only those of the table in mt-session.h are allowed. */
void _mt_session_enter           (MtSession        *self,
                                  MtSessionContent  content);
void _mt_session_enter_leaving   (MtSession        *self,
                                  MtSessionLeaving  leaving);
void _mt_session_take_project    (MtSession        *self,
                                  MtProjectFile    *project);   /* takes it */
void _mt_session_ensure_project  (MtSession        *self);
void _mt_session_forget_project  (MtSession        *self,
                                  gboolean          discard);
void _mt_session_keep_decisions  (MtSession        *self);
/* mt-session-open.c */
void _mt_session_open_project    (MtSession        *self,
                                  GFile            *project);
void _mt_session_replace         (MtSession        *self);
void _mt_session_stay            (MtSession        *self);
void _mt_session_document_read   (MtSession        *self);
/* mt-session-model.c */
void _mt_session_open_model      (MtSession        *self,
                                  GFile            *file);
void _mt_session_stop_reading    (MtSession        *self);
void _mt_session_forget_model    (MtSession        *self);
/* mt-session-leave.c */
void _mt_session_go_on           (MtSession        *self);
/* mt-session-recovery.c */
void _mt_session_recovered       (MtSession        *self,
                                  GFile            *file);

G_END_DECLS
