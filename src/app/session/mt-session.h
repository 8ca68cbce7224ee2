/* What is open in a window, without the window: it opens files, keeps the project, saves it, brings back work that was
 * not saved, and knows what would be lost. The window shows what this says.
 *
 * One state machine with four parts. Each part has one state at a time:
 *
 *   part      state       means                               leads to it
 *   ────────  ──────────  ──────────────────────────────────  ─────────────────────────────────────────────────
 *   content   EMPTY       nothing is open                     the start; close; another file takes the place
 *             UNREAD      a project whose data are not read   a project takes the place
 *             RESTORING   study and view come from a project  the data of an UNREAD project are read
 *             OPEN        a data file                         it is read; RESTORING is over
 *             MODEL       a model file without its data       it is read
 *   arrival   NONE        nothing is to come                  the start; it came; it was given up
 *             READING     another file is being read, or      open; what is open stays until it is read, and
 *                         could not be read                   for good if it cannot be
 *   saving    IDLE        what is pushed is written           the start; SAVING_AS is over, well or not
 *             SAVING_AS   written under a new name            save as
 *   leaving   STAYING     no request to leave                 the start; it is done; it could not be saved
 *             CHOOSING    to be saved first, place unknown    "save" answered; the place was refused
 *             SAVING      being saved, then left              the place was chosen
 *             GOING       saved; it is left next              all was written
 *
 * Only OPEN writes decisions, pages and views to the project: in UNREAD and RESTORING they come from there.
 * Where the content is kept (MtSessionPlace) follows from the project and is no state of its own.
 *
 *   signal "changed"             another project, name or failure; saving began or ended
 *   signal "opening"             a data file or a project was asked for
 *   signal "began"               there is a project now, and it is empty: what is shown is to be kept in it
 *   signal "forgetting" (bool)   the project is left; TRUE: what is in it is thrown away
 *   signal "replaced"            what was open is gone; what comes is not read yet
 *   signal "restoring" (content) before study and view come from the project (MtProjectContent), …
 *   signal "restored" (content)  … and when the study is there
 *   signal "read"                the data were read, or read again; after "restored"
 *   signal "source" (source)     the data file is another one now (MtSessionSource)
 *   signal "model-opened" (file), "model-closed"
 *   signal "refused" (refusal, file, error)   MtSessionRefusal; what is open stays
 *   signal "not-written" (error) the project could not be written; see mt_session_get_failure()
 *   signal "named" (file)        saved under a name
 *   signal "left" (where, file)  MtSessionWhere: another file is being opened, or all is closed, or the window can go
 *   signal "recoverable"         another piece of work is the first that can be recovered, or there is none */
#pragma once

#include "document/mt-document.h"
#include "document/mt-project-file.h"
#include "document/mt-recovery.h"
#include "study/mt-study-store.h"

G_BEGIN_DECLS

typedef enum {
  MT_SESSION_EMPTY,
  MT_SESSION_UNREAD,
  MT_SESSION_RESTORING,
  MT_SESSION_OPEN,
  MT_SESSION_MODEL,
  MT_N_SESSION_CONTENTS
} MtSessionContent;

typedef enum {
  MT_SESSION_NONE,
  MT_SESSION_READING,
} MtSessionArrival;

typedef enum {
  MT_SESSION_IDLE,
  MT_SESSION_SAVING_AS,
} MtSessionSaving;

typedef enum {
  MT_SESSION_STAYING,
  MT_SESSION_CHOOSING,
  MT_SESSION_SAVING,
  MT_SESSION_GOING,
  MT_N_SESSION_LEAVINGS
} MtSessionLeaving;

/* Where the content is kept. */
typedef enum {
  MT_SESSION_NOWHERE,     /* in memory only, if there is anything */
  MT_SESSION_UNNAMED,     /* in a project without a name, for the next start */
  MT_SESSION_RECOVERED,   /* the same, from before this program was started */
  MT_SESSION_NAMED,       /* in a project; all is saved */
  MT_SESSION_FAILED,      /* in a project that could not be written */
} MtSessionPlace;

/* What speaks against leaving. */
typedef enum {
  MT_SESSION_LOSES_NOTHING,
  MT_SESSION_STOPS_TRAINING,
  MT_SESSION_LOSES_UNWRITTEN,    /* what a failure kept from the project */
  MT_SESSION_LOSES_MODEL,        /* changes to a model without its data, which makes no project */
  MT_SESSION_LOSES_RESULTS,
  MT_SESSION_LOSES_CHANGES,
} MtSessionLoss;

/* Where a person goes who leaves. */
typedef enum {
  MT_SESSION_TO_FILE,     /* another file is opened */
  MT_SESSION_TO_NOTHING,  /* the file is closed */
  MT_SESSION_TO_END,      /* the window is closed */
} MtSessionWhere;

/* What was asked for and cannot be. */
typedef enum {
  MT_SESSION_REFUSED_LOCKED,      /* another window or program has the project open */
  MT_SESSION_REFUSED_READ_ONLY,   /* a project must be written to; mt_session_copy() can help */
  MT_SESSION_REFUSED_PROJECT,
  MT_SESSION_REFUSED_MODEL,
  MT_SESSION_REFUSED_COPY,
  MT_SESSION_REFUSED_PLACE,       /* to save at */
  MT_SESSION_REFUSED_DISCARD,     /* recoverable work is still there */
  MT_SESSION_REFUSED_PART,        /* a model of the project is damaged; the rest is open, and saved as usual */
} MtSessionRefusal;

/* The data file, compared with what was read. */
typedef enum {
  MT_SESSION_SOURCE_SAME,
  MT_SESSION_SOURCE_CHANGED,      /* since it was read */
  MT_SESSION_SOURCE_DELETED,
  MT_SESSION_SOURCE_OTHER,        /* since the project was saved */
} MtSessionSource;

#define MT_TYPE_SESSION (mt_session_get_type ())

G_DECLARE_FINAL_TYPE (MtSession, mt_session, MT, SESSION, GObject)

MtSession           *mt_session_new               (MtDocument       *document,
                                                   MtStudy          *study);
/* Stops everything and writes what is pushed. What has no name is kept for the next start if something would be lost. */
void                 mt_session_end               (MtSession        *self);

/* --- states --- */
MtSessionContent     mt_session_get_content       (MtSession        *self);
MtSessionArrival     mt_session_get_arrival       (MtSession        *self);
MtSessionSaving      mt_session_get_saving        (MtSession        *self);
MtSessionLeaving     mt_session_get_leaving       (MtSession        *self);
MtSessionPlace       mt_session_get_place         (MtSession        *self);
gboolean             mt_session_is_ended          (MtSession        *self);
gboolean             mt_session_is_writing        (MtSession        *self);
gboolean             mt_session_is_reading        (MtSession        *self);   /* a table or a model */
gboolean             mt_session_is_empty          (MtSession        *self);   /* neither a table nor a model */
gboolean             mt_session_has_results       (MtSession        *self);
gboolean             mt_session_has_unsaved       (MtSession        *self);
const GError        *mt_session_get_failure       (MtSession        *self);   /* NULL: all is written */
GFile               *mt_session_get_project       (MtSession        *self);   /* NULL: it has no name, or is none */

/* --- opening --- */
/* A data file, a project or a model, by its name. It asks nothing: see mt_session_leave(). */
void                 mt_session_open              (MtSession        *self,
                                                   GFile            *file);
/* Copies the project that was refused since it is read-only, and opens the copy. */
void                 mt_session_copy              (MtSession        *self,
                                                   GFile            *copy);
GFile               *mt_session_get_original      (MtSession        *self);   /* what it would copy; NULL: nothing */
void                 mt_session_close             (MtSession        *self);

/* --- keeping --- */
gboolean             mt_session_can_keep          (MtSession        *self);
void                 mt_session_keep_text         (MtSession        *self,
                                                   MtProjectSpace    space,
                                                   const char       *key,
                                                   const char       *text);
/* Only if it is another one than the project has. */
void                 mt_session_keep_view         (MtSession        *self,
                                                   const char       *view);

/* --- saving --- */
void                 mt_session_retry             (MtSession        *self);
/* @leave: continues to where mt_session_save_first() said, once it is saved. */
void                 mt_session_save_as           (MtSession        *self,
                                                   GFile            *project,
                                                   gboolean          leave);

/* --- leaving --- */
MtSessionLoss        mt_session_get_loss          (MtSession        *self);
/* Goes there now if nothing is lost. FALSE: the person is to be asked, and one of the next two is called or none. */
gboolean             mt_session_leave             (MtSession        *self,
                                                   MtSessionWhere    where,
                                                   GFile            *file);
/* TRUE: training was stopped, and what it found may be worth saving: leave again. */
gboolean             mt_session_discard           (MtSession        *self,
                                                   MtSessionWhere    where,
                                                   GFile            *file);
/* mt_session_save_as() follows. */
void                 mt_session_save_first        (MtSession        *self,
                                                   MtSessionWhere    where,
                                                   GFile            *file);

/* --- a model without its data --- */
gboolean             mt_session_is_model          (GFile            *file);   /* by its name */
MtModel             *mt_session_get_model         (MtSession        *self);   /* NULL: none */
const char          *mt_session_get_model_name    (MtSession        *self);
/* As it is now that it was edited; it keeps its name. */
void                 mt_session_set_model         (MtSession        *self,
                                                   MtModel          *model);

/* --- recovery --- */
/* Looks for work of programs that are gone. */
void                 mt_session_find_recoverable  (MtSession        *self);
const MtRecoverable *mt_session_get_recoverable   (MtSession        *self);   /* the first; NULL: none */
void                 mt_session_discard_recoverable (MtSession      *self);   /* the first */

G_END_DECLS
