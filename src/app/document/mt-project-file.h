/* The project (.minterm) that is open in a window. Everything that touches the file is done on one
 * thread of its own, in the order it was asked for; meanwhile the file is locked against others.
 *
 *   signal "changed"           it is busy, or no longer; it has another name
 *   signal "failed" (GError)   something could not be written. Unless it was mt_project_file_save_as(), that and
 *                              all that comes after it waits for mt_project_file_retry() or a better place
 *   signal "damaged" (GError)  a part of it cannot be read; all else goes on. Once for a project
 * A project without a name is kept where it can be recovered from. */
#pragma once

#include <gio/gio.h>

#include "mt-decisions.h"
#include "mt-project-content.h"

G_BEGIN_DECLS

gboolean mt_project_file_is_one (GFile *file);    /* by its name */

#define MT_TYPE_PROJECT_FILE (mt_project_file_get_type ())

G_DECLARE_FINAL_TYPE (MtProjectFile, mt_project_file, MT, PROJECT_FILE, GObject)

/* One without a name, empty. */
MtProjectFile    *mt_project_file_new          (void);
/* The result of mt_project_file_open_finish() is an open one, and what it holds. One that is kept to be
 * recovered has no name. */
void              mt_project_file_open         (GFile               *file,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
MtProjectFile    *mt_project_file_open_finish  (GAsyncResult        *result,
                                                MtProjectContent   **content,
                                                GError             **error);
/* Why nothing is written any more; NULL: everything is. */
const GError     *mt_project_file_get_failure  (MtProjectFile       *self);
/* For a reader of a part of it: emits "damaged". */
void              mt_project_file_tell_damage  (MtProjectFile       *self,
                                                const GError        *error);
/* What could not be written is tried again, in order. */
void              mt_project_file_retry        (MtProjectFile       *self);
/* Copies it to @file, replaces what is there, and from then on saves there, also what could not be written. */
/* Of one that can be read and not written to; what is at @copy may be replaced. */
void              mt_project_file_copy         (GFile               *file,
                                                GFile               *copy,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
gboolean          mt_project_file_copy_finish  (GAsyncResult        *result,
                                                GError             **error);
void              mt_project_file_save_as      (MtProjectFile       *self,
                                                GFile               *file);
/* Done with it: waits until all is written. @discard: one without a name is thrown away. */
void              mt_project_file_close        (MtProjectFile       *self,
                                                gboolean             discard);
gboolean          mt_project_file_is_busy      (MtProjectFile       *self);
GFile            *mt_project_file_get_file     (MtProjectFile       *self);   /* NULL: it has no name */

/* On the project's own thread; FALSE: it could not be done. Several of the calls make one change. */
typedef gboolean (*MtProjectFunc) (MtProject *project,
                                   gpointer   data,
                                   GError   **error);

void              mt_project_file_push         (MtProjectFile       *self,
                                                MtProjectFunc        func,
                                                gpointer             data,
                                                GDestroyNotify       destroy);

/* --- what is pushed most --- */
void              mt_project_file_set_decisions (MtProjectFile      *self,
                                                GFile               *source,
                                                MtImport            *import,
                                                MtDecisions         *decisions);
void              mt_project_file_set_text     (MtProjectFile       *self,
                                                MtProjectSpace       space,
                                                const char          *key,
                                                const char          *text);

#define MT_PROJECT_KEY_CHECKS  "verify:"    /* MT_PROJECT_SETTING: and the hash of a model */
#define MT_PROJECT_KEY_FAILURE "failure:"   /* the same: mt-run-failure.h */
#define MT_PROJECT_KEY_PAGE    "page"       /* MT_PROJECT_STATE */
#define MT_PROJECT_KEY_VIEW    "view"       /* MT_PROJECT_STATE */

G_END_DECLS
