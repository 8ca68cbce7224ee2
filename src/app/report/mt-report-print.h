/* Pages of a report on paper: one sheet each, as large as the paper that was chosen allows. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"

G_BEGIN_DECLS

GtkPrintOperation *mt_report_print_new (MtReportPages *pages,
                                        MtPaper        paper,
                                        const char    *name);
/* Asks for a printer; says so in a dialog over @owner's window when it fails. */
void               mt_report_print_run (GtkPrintOperation *operation,
                                        GtkWidget         *owner);

G_END_DECLS
