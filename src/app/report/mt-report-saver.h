/* Saves a report: asks for the file, shows how far it is in a strip, can be cancelled, and when it fails
 * says why and offers another place. One at a time; a file is there whole or not at all.
 *
 *   signal "chosen" (GFile)  by the person who was asked: to be saved there, as the report is by then
 *   signal "saved" (GFile)
 *   signal "changed"         it began, or it is over */
#pragma once

#include <adwaita.h>

#include "mt-report-input.h"

G_BEGIN_DECLS

#define MT_TYPE_REPORT_SAVER (mt_report_saver_get_type ())

G_DECLARE_FINAL_TYPE (MtReportSaver, mt_report_saver, MT, REPORT_SAVER, AdwBin)

/* @name: of the file, without its end. */
void     mt_report_saver_ask     (MtReportSaver *self,
                                  const char    *name,
                                  gboolean       as_pdf);
/* The name's end decides: .pdf or .html. */
void     mt_report_saver_save    (MtReportSaver *self,
                                  MtReportInput *input,
                                  GFile         *file);
gboolean mt_report_saver_is_busy (MtReportSaver *self);
void     mt_report_saver_cancel  (MtReportSaver *self);

G_END_DECLS
