#pragma once

#include <adwaita.h>

#include "mt-application.h"
#include "data/mt-data-page.h"
#include "document/mt-document.h"
#include "study/mt-study.h"

G_BEGIN_DECLS

#define MT_TYPE_WINDOW (mt_window_get_type ())

G_DECLARE_FINAL_TYPE (MtWindow, mt_window, MT, WINDOW, AdwApplicationWindow)

MtWindow   *mt_window_new           (MtApplication *application);
void        mt_window_open          (MtWindow      *self,
                                     GFile         *file);
/* Keeps the decisions in this project from now on. */
void        mt_window_save_as       (MtWindow      *self,
                                     GFile         *project);
/* The CSV of a project, which was not where it had been. */
void        mt_window_locate        (MtWindow      *self,
                                     GFile         *file);
/* Of the project that could not be opened just now, since it cannot be written to; and goes on in it. */
void        mt_window_open_copy     (MtWindow      *self,
                                     GFile         *copy);
/* A table as text, such as a spreadsheet copies it: asks where to save it; and saves and opens what was pasted last. */
void        mt_window_paste         (MtWindow      *self,
                                     const char    *text);
void        mt_window_save_pasted   (MtWindow      *self,
                                     GFile         *file);
/* The frontier's plot or points; the name's end decides. */
void        mt_window_export        (MtWindow      *self,
                                     GFile         *file);
/* Results of other methods (mt-results.h), to be shown on the Frontier page. */
void        mt_window_import_results (MtWindow     *self,
                                     GFile         *file);
/* What the Rules page draws. */
void        mt_window_export_picture (MtWindow     *self,
                                     GFile         *file);
/* Work of a program that is gone and was not saved, if there is any. */
void        mt_window_offer_recovery (MtWindow     *self);
/* The charts of the run shown on the Train page. */
void        mt_window_export_charts (MtWindow      *self,
                                     GFile         *file);
/* In a toast, until it is closed. */
void        mt_window_say           (MtWindow      *self,
                                     const char    *text);
/* A training that took so many seconds is announced when it ends unseen; 20 unless a test is in a hurry. */
void        mt_window_set_tell_after (MtWindow     *self,
                                     double         seconds);
/* Closes it at once and asks nothing; what has no name yet is offered at the next start. */
void        mt_window_end           (MtWindow      *self);
/* Tells the session, which is about to end, if there is something that has no name yet. */
void        mt_window_object_to_end (MtWindow      *self);
gboolean    mt_window_is_saving     (MtWindow      *self);
gboolean    mt_window_is_reading    (MtWindow      *self);   /* a table or a model */
gboolean    mt_window_is_empty      (MtWindow      *self);   /* neither a table nor a model is open in it */
MtDocument *mt_window_get_document  (MtWindow      *self);
MtDataPage *mt_window_get_data_page (MtWindow      *self);
MtStudy    *mt_window_get_study     (MtWindow      *self);

G_END_DECLS
