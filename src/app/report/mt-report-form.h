/* What a person writes for the report, and what is still blank. Texts are kept in the document's notes
 * after a pause in typing, each a step that can be undone.
 *
 *   signal "field-entered" (string)   the person went to a field; the anchor of its section */
#pragma once

#include <adwaita.h>

#include "document/mt-document.h"

G_BEGIN_DECLS

#define MT_TYPE_REPORT_FORM (mt_report_form_get_type ())

G_DECLARE_FINAL_TYPE (MtReportForm, mt_report_form, MT, REPORT_FORM, AdwBin)

void        mt_report_form_set_document (MtReportForm *self,
                                         MtDocument   *document);
/* Keeps what was typed since the last pause. */
void        mt_report_form_flush        (MtReportForm *self);
/* To that field, as a click on the checklist does. */
void        mt_report_form_show_field   (MtReportForm *self,
                                         MtReportText  text);
guint       mt_report_form_get_n_blank  (MtReportForm *self);
/* Another group below the texts. */
void        mt_report_form_add_group    (MtReportForm *self,
                                         GtkWidget    *group);
/* A row with a button, in a group of its own. */
AdwActionRow *mt_report_form_add_row    (MtReportForm *self,
                                         const char   *title,
                                         const char   *label,
                                         const char   *action,
                                         GtkWidget   **group);
/* What to say of something in the checklist that is no text; NULL: it is done. Clicking the row
 * goes to @target. */
void        mt_report_form_set_open     (MtReportForm *self,
                                         guint         index,      /* 0 or 1 */
                                         const char   *title,
                                         GtkWidget    *target);

G_END_DECLS
