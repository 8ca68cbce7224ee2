/* How the parts of a report add to it. */
#pragma once

#include "mt-report-pages.h"
#include "mt-report.h"

G_BEGIN_DECLS

struct _MtReport {
  GPtrArray *blocks;       /* of MtReportBlock */
  char      *title;
  gint64     date;
  guint      n_sections;   /* begun so far */
};

/* Sections are numbered as they come; their anchors are section-1, section-2, … */
void           mt_report_add_section   (MtReport *report, const char *title);
void           mt_report_add_heading   (MtReport *report, const char *anchor, const char *format, ...)
                                        G_GNUC_PRINTF (3, 4);
void           mt_report_add           (MtReport *report, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* `Not available: …`, for what neither the file nor the rows tell. */
void           mt_report_add_absent    (MtReport *report, const char *format, ...) G_GNUC_PRINTF (2, 3);
void           mt_report_add_provided  (MtReport *report, const MtReportParts *parts, MtReportText text,
                                        const char *about);
void           mt_report_add_link      (MtReport *report, const char *anchor, const char *text);
/* The heads of its columns. */
MtReportBlock *mt_report_add_table     (MtReport *report, const char *first, ...) G_GNUC_NULL_TERMINATED;
/* Cells from left to right, row after row. */
void           mt_report_add_cell      (MtReportBlock *table, const char *text);
void           mt_report_take_cell     (MtReportBlock *table, char *text);
void           mt_report_add_row       (MtReportBlock *table, const char *first, ...) G_GNUC_NULL_TERMINATED;
/* Takes @data. */
void           mt_report_add_figure    (MtReport *report, const char *about, double width, double height,
                                        MtPictureFunc paint, gpointer data, GDestroyNotify free_data);
/* For people: four digits behind the point, or `not defined`. */
char          *mt_report_dup_measure   (double value);

/* Pages that were drawn (mt-report-pages.c): surfaces, and on which of them, from 1, an anchor is. */
MtReportPages *mt_report_pages_new     (GPtrArray *sheets, GHashTable *anchors, double width, double height);

/* The model whole (mt-report-model.c). */
void           mt_report_add_dictionary (MtReport *report, const MtModel *model);
void           mt_report_add_model     (MtReport *report, const MtModel *model);
void           mt_report_add_exactness (MtReport *report, const MtModel *model);

/* What the rows say (mt-report-data.c). Without rows or without the target among them: what is in
 * the file, and a word on what is not. */
typedef struct _MtReportRows MtReportRows;

MtReportRows  *mt_report_rows_new      (const MtReportParts *parts, GCancellable *cancellable, GError **error);
void           mt_report_rows_free     (MtReportRows *rows);
void           mt_report_add_lineage   (MtReport *report, const MtReportParts *parts);
void           mt_report_add_findings  (MtReport *report, const MtReportParts *parts);
void           mt_report_add_class_mix (MtReport *report, const MtReportParts *parts, const MtReportRows *rows);
void           mt_report_add_performance (MtReport *report, const MtReportParts *parts, const MtReportRows *rows);
gboolean       mt_report_add_cases     (MtReport *report, const MtReportParts *parts,
                                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtReportRows, mt_report_rows_free)

G_END_DECLS
