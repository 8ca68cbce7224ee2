/* Pages of a report on paper: one sheet each, as large as the paper that was chosen allows. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"

G_BEGIN_DECLS

GtkPrintOperation *mt_report_print_new (MtReportPages *pages,
                                        MtPaper        paper,
                                        const char    *name);

G_END_DECLS
