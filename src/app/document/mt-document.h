/* One open file: its table, what was decided about it, what was found in it.
 *
 * Reading runs off the main thread; until it has succeeded the data shown stay as they
 * were. Signals, all on the main thread:
 *   "table-changed"     other columns, types or roles
 *   "findings-changed"  another list of findings, or one dismissed
 *   "run-changed"       other settings of the Model page
 *   "load-changed"      reading began, went on, ended or failed
 *   "history-changed"   there is something else to undo or redo
 *   "notes-changed"     another text for the report, or those of another file
 *   "fixed"             by mt_document_fix(), with the finding; the file may still have to be read for it
 *   "replacing"         another file has been read, and takes the place of what is still there */
#pragma once

#include <gio/gio.h>

#include "mt-decisions.h"
#include "mt-history.h"

G_BEGIN_DECLS

#define MT_TYPE_DOCUMENT (mt_document_get_type ())

G_DECLARE_FINAL_TYPE (MtDocument, mt_document, MT, DOCUMENT, GObject)

MtDocument             *mt_document_new            (void);

/* --- reading --- */
void                    mt_document_open           (MtDocument         *self,
                                                    GFile              *file);
void                    mt_document_open_with      (MtDocument         *self,
                                                    GFile              *file,
                                                    MtDecisions        *decisions);
void                    mt_document_reload         (MtDocument         *self);
/* What could not be read, from where it is now. */
void                    mt_document_locate         (MtDocument         *self,
                                                    GFile              *file);
/* Another sheet or table of what could not be read without the choice. */
void                    mt_document_choose_part    (MtDocument         *self,
                                                    gboolean            is_sheet,
                                                    const char         *name);
/* Whether the last reading failed without a sheet or table being chosen. */
gboolean                mt_document_lacks_part     (MtDocument         *self);
void                    mt_document_cancel         (MtDocument         *self);
void                    mt_document_close          (MtDocument         *self);
gboolean                mt_document_is_loading     (MtDocument         *self);
GFile                  *mt_document_get_load_file  (MtDocument         *self);   /* being or last read */
const MtImportProgress *mt_document_get_progress   (MtDocument         *self);
/* Why the last reading failed; NULL: it did not, or the message was put away. */
const GError           *mt_document_get_error      (MtDocument         *self);
void                    mt_document_clear_error    (MtDocument         *self);

/* --- what is open --- */
GFile                  *mt_document_get_file       (MtDocument         *self);   /* NULL: nothing */
char                   *mt_document_dup_title      (MtDocument         *self);
MtTable                *mt_document_get_table      (MtDocument         *self);
/* Whether the target has two values at least: known from when the table is shown, so that it may be asked often. */
gboolean                mt_document_target_varies  (MtDocument         *self);
MtImport               *mt_document_get_import     (MtDocument         *self);
GPtrArray              *mt_document_get_findings   (MtDocument         *self);   /* of MtFinding */
MtDecisions            *mt_document_get_decisions  (MtDocument         *self);   /* never NULL */

/* --- decisions, each of which can be undone --- */
/* Whether the target is only the last column that could be one: the user did not choose it, and its name says nothing. */
gboolean                mt_document_is_target_guessed (MtDocument      *self);
void                    mt_document_set_role       (MtDocument         *self,
                                                    guint               column,
                                                    MtColumnRole        role);
void                    mt_document_set_type       (MtDocument         *self,
                                                    guint               column,
                                                    MtColumnType        type);
/* A derived column, or another formula or name for the one called @old; @formula NULL: it is taken away. */
void                    mt_document_derive         (MtDocument         *self,
                                                    const char         *old,       /* NULL: none */
                                                    const char         *name,
                                                    const char         *formula);
void                    mt_document_set_dialect    (MtDocument         *self,
                                                    const MtCsvDialect *dialect,
                                                    const char         *label);
void                    mt_document_fix            (MtDocument         *self,
                                                    const MtFinding    *finding);
void                    mt_document_dismiss        (MtDocument         *self,
                                                    const MtFinding    *finding,
                                                    const char         *reason);
/* How to learn from it; NULL: as it was. Changes with the same label that follow each other closely
 * (a button held down) are one step. */
void                    mt_document_set_run        (MtDocument         *self,
                                                    const MtRunSettings *run,
                                                    const MtSweepGrid    *grid,
                                                    const char         *label);
/* A text for the report; also when there is only a model. @label is what the menu says. */
void                    mt_document_set_note       (MtDocument         *self,
                                                    const char         *key,
                                                    const char         *text,    /* NULL or "": none */
                                                    const char         *label);
const char             *mt_document_get_note       (MtDocument         *self,
                                                    const char         *key);    /* NULL: none */
/* A step that was done elsewhere, into the one history (mt-history.h). */
void                    mt_document_push_change    (MtDocument         *self,
                                                    const char         *label,
                                                    MtHistoryFunc       func,
                                                    gpointer            data,
                                                    GDestroyNotify      destroy);
/* Whether the person decided something since it was opened that is not undone. */
gboolean                mt_document_has_decided    (MtDocument         *self);
const char             *mt_document_get_undo_label (MtDocument         *self);
const char             *mt_document_get_redo_label (MtDocument         *self);
void                    mt_document_undo           (MtDocument         *self);
void                    mt_document_redo           (MtDocument         *self);

G_END_DECLS
