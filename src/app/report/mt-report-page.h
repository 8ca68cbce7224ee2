/* The Report page: what a person writes for the audit report, next to the pages as they will come out,
 * laid out again after every change; from here it is printed and saved as PDF or HTML.
 *
 * Laying out and saving run on other threads. Something newer overtakes a layout that is at work. */
#pragma once

#include "document/mt-document.h"
#include "mt-pages-view.h"
#include "mt-report-form.h"
#include "mt-report-input.h"
#include "study/mt-study.h"
#include "widgets/mt-adaptive-pair.h"

G_BEGIN_DECLS

#define MT_TYPE_REPORT_PAGE (mt_report_page_get_type ())

G_DECLARE_FINAL_TYPE (MtReportPage, mt_report_page, MT, REPORT_PAGE, MtAdaptivePair)

void           mt_report_page_set_study  (MtReportPage *self,
                                          MtDocument   *document,
                                          MtStudy      *study,
                                          MtBenchmarks *benchmarks);
/* A model opened without its data; NULL: back to what the study looks at. @path: where it is; may be NULL. */
void           mt_report_page_set_model  (MtReportPage *self,
                                          MtModel      *model,
                                          const char   *path);
MtReportForm  *mt_report_page_get_form   (MtReportPage *self);
MtPagesView   *mt_report_page_get_view   (MtReportPage *self);
/* Keeps what was typed a moment ago. */
void           mt_report_page_flush      (MtReportPage *self);
/* Something is being laid out, saved or checked. */
gboolean       mt_report_page_is_busy    (MtReportPage *self);
gboolean       mt_report_page_has_report (MtReportPage *self);   /* there is a model */
gboolean       mt_report_page_can_cancel (MtReportPage *self);
/* Esc: FALSE when there was nothing to cancel. */
gboolean       mt_report_page_cancel     (MtReportPage *self);
/* Engine checks of a project just opened, by the record of each; and those of another one go. */
void           mt_report_page_add_check  (MtReportPage *self,
                                          const char   *json);
void           mt_report_page_forget_checks (MtReportPage *self);
/* A check of the model that was made where it is exported; and what is known of any model, NULL: nothing. */
void           mt_report_page_take_check (MtReportPage         *self,
                                          const MtVerifyReport *report);
const MtVerifyReport *
               mt_report_page_find_check (MtReportPage *self,
                                          const char   *sha256);
/* Models whose test figures were shown, as "tested" tells them; NULL: none. */
void           mt_report_page_set_tested (MtReportPage *self,
                                          const char   *keys);
/* One more, which is not undone. */
void           mt_report_page_add_tested (MtReportPage *self,
                                          const char   *key);
/* As long as the page lives. */
const MtTestSetLedger *
               mt_report_page_get_ledger (MtReportPage *self);
/* The name's end decides: .pdf or .html. */
void           mt_report_page_save       (MtReportPage *self,
                                          GFile        *file);
void           mt_report_page_ask_file   (MtReportPage *self,
                                          gboolean      as_pdf);
/* Of the pages on show; NULL: there are none yet. */
GtkPrintOperation *mt_report_page_make_print (MtReportPage *self);

/* Signals: "saved" (GFile), the report is there now; "checked" (string sha256, string json), engines ran and
 * this is the record; "tested" (string), the models whose test figures were shown; "busy-changed". */

G_END_DECLS
