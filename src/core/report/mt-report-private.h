/* How the parts of a report add to it. */
#pragma once

#include "mt-report-pages.h"
#include "mt-report.h"
#include "explain/mt-rule-book.h"
#include "explain/mt-subgroups.h"

G_BEGIN_DECLS

/* Of everything in it, drawings included. */
#define MT_REPORT_FONT "Cantarell, Sans"

struct _MtReport {
  gatomicrefcount ref_count;
  GPtrArray *blocks;       /* of MtReportBlock */
  char      *title;
  char      *hashes;       /* which model and which data, short: on every page */
  char      *day;          /* on every page, too */
  char      *author;       /* NULL: not provided */
  gint64     date;
  guint      n_sections;   /* begun so far */
  const MtReportParts *making;   /* while it is made */
};

/* Sections are numbered as they come; their anchors are section-1, section-2, … */
void           mt_report_add_heading   (MtReport *report, const char *anchor, const char *format, ...)
                                        G_GNUC_PRINTF (3, 4);
void           mt_report_add           (MtReport *report, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* To be taken letter for letter. */
void           mt_report_add_code      (MtReport *report, const char *text);
/* `Not available: …`, for what neither the file nor the rows tell. */
void           mt_report_add_absent    (MtReport *report, const char *format, ...) G_GNUC_PRINTF (2, 3);
void           mt_report_add_provided  (MtReport *report, const MtReportParts *parts, MtReportText text,
                                        const char *about);
void           mt_report_add_blank     (MtReport *report, const char *about);
void           mt_report_add_link      (MtReport *report, const char *anchor, const char *text);
/* What was added last, to which more can be added. */
MtReportBlock *mt_report_get_last      (MtReport *report);
/* The heads of its columns; NULL: they are added one by one. */
MtReportBlock *mt_report_add_table     (MtReport *report, const char *first, ...) G_GNUC_NULL_TERMINATED;
/* One that is filled first and stands behind something else. */
MtReportBlock *mt_report_new_table     (const char *first, ...) G_GNUC_NULL_TERMINATED;
void           mt_report_take_table    (MtReport *report, MtReportBlock *table);
/* One more column, before there is any other cell. */
void           mt_report_add_head      (MtReportBlock *table, const char *text);
/* Cells from left to right, row after row. */
void           mt_report_add_cell      (MtReportBlock *table, const char *text);
void           mt_report_take_cell     (MtReportBlock *table, char *text);
void           mt_report_add_row       (MtReportBlock *table, const char *first, ...) G_GNUC_NULL_TERMINATED;
/* Takes @data. */
void           mt_report_add_figure    (MtReport *report, const char *about, double width, double height,
                                        MtPictureFunc paint, gpointer data, GDestroyNotify free_data);
/* Whether a column of the table has figures only, which then stand below one another. */
gboolean       mt_report_table_is_right (const MtReportBlock *table, guint column);
/* For people: four digits behind the point, or `not defined`. */
char          *mt_report_dup_measure   (double value);
/* The same with its sign, and short. */
char          *mt_report_dup_signed    (double weight);
/* `12.3 %` */
char          *mt_report_dup_percent   (double share);
/* What adding @weight to a score multiplies the odds by. */
char          *mt_report_dup_odds      (double weight);
char          *mt_report_dup_range     (double low, double high);
/* The value, and its range in a line below. */
char          *mt_report_dup_interval  (const MtInterval *interval);
/* Of the rows that a metric of the model's file is about. */
const char    *mt_report_get_part_name (const char *part);
/* What a figure shows, in words, for readers who cannot see it: its caption, and where its figures are. */
char          *mt_report_dup_alt       (const MtReport *report, guint block);
/* The PDF with @texts, one a figure in their order, NULL at the end; @pdf itself when that cannot be had. */
GBytes        *mt_report_add_alt       (GBytes *pdf, const char * const *texts);
/* Of a decision: who made it and when, or that it is not recorded. */
char          *mt_report_dup_person    (const char *by);
char          *mt_report_dup_moment    (gint64 seconds);

/* Each run of letters that are written from the right, with @open before and @close behind it: names then do not
 * reverse the digits and signs next to them. */
char          *mt_report_isolate       (const char *text, const char *open, const char *close);

void           mt_report_tell          (const MtReportWait *wait, double done);
GBytes        *mt_report_render_html   (const MtReport *report, const MtReportWait *wait, GError **error);
GBytes        *mt_report_render_pdf    (const MtReport *report, MtPaper paper, const MtReportWait *wait, GError **error);

/* Pages that were drawn (mt-report-pages.c): surfaces, and on which of them, from 1, an anchor is. */
MtReportPages *mt_report_pages_new     (GPtrArray *sheets, GHashTable *anchors, double width, double height);

/* What the model knows, and what was left free (mt-report-model.c). */
void           mt_report_add_dictionary (MtReport *report, const MtModel *model);
/* “0”, “-1”; "" when there are none. */
char          *mt_report_dup_missing   (const char * const *texts);
void           mt_report_add_exactness (MtReport *report, const MtReportParts *parts);

/* The rows given, and which of them the model learned from (mt-report-rows.c). */
typedef enum {
  MT_REPORT_ROWS_OTHER,       /* not known */
  MT_REPORT_ROWS_OWN,         /* the training file; which of its rows were held out is not known */
  MT_REPORT_ROWS_TRAINING,    /* the training file, nothing held out */
  MT_REPORT_ROWS_SPLIT,       /* the training file, in its two parts */
  MT_REPORT_ROWS_TEST,        /* the test file */
  MT_REPORT_ROWS_SPARED,      /* the training file's training rows: the others are not to be looked at */
} MtReportOrigin;

typedef struct {
  const char   *name;
  GArray       *which;        /* of guint32: positions among the truth's rows; NULL: all */
  MtScoredPart  part;
  MtInterval    intervals[MT_N_METRICS];
} MtReportPart;

typedef struct {
  MtTruth        *truth;          /* NULL: no rows, or none with a known target */
  double         *predictions;
  MtScored        scored;
  MtMeasuring     how;
  MtReportOrigin  origin;
  MtReportPart    parts[2];       /* the first is what the model is judged by */
  guint           n_parts;
} MtReportRows;

MtReportRows  *mt_report_rows_new      (const MtReportParts *parts, GCancellable *cancellable, GError **error);
void           mt_report_rows_free     (MtReportRows *rows);
/* Where the part's row stands in the table. */
guint32        mt_report_rows_get_row  (const MtReportRows *rows, const MtReportPart *part, gsize index);
/* What stands in front (mt-report-front.c). */
void           mt_report_add_cover     (MtReport *report, const MtReportParts *parts);
gboolean       mt_report_add_summary   (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GError **error);
gboolean       mt_report_add_split     (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GCancellable *cancellable, GError **error);
/* How it works and how it came to be (mt-report-method.c). */
void           mt_report_add_method    (MtReport *report, const MtReportParts *parts);
/* Whether a network was trained on the way to the model, by what its file records. */
typedef enum { MT_REPORT_NETWORK_NONE, MT_REPORT_NETWORK_TRAINED, MT_REPORT_NETWORK_UNKNOWN } MtReportNetwork;
MtReportNetwork mt_report_get_network  (const MtModel *model);
/* Of the model's file, as this version writes it. */
char          *mt_report_dup_hash      (const MtModel *model);
/* The model whole (mt-report-rules.c). */
gboolean       mt_report_add_model     (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GCancellable *cancellable, GError **error);
/* With the rows learned from, where they are known. */
MtRuleBook    *mt_report_make_book     (const MtReportParts *parts, const MtReportRows *rows, GError **error);
/* The same by column (mt-report-scorecard.c). */
void           mt_report_add_scorecard (MtReport *report, const MtModel *model, MtRuleBook *book);
/* What an amount of a term is called: the class whose score it moves. */
char          *mt_report_dup_output    (const MtModel *model, guint output);
/* Whether some term looks at the encoder's column. */
gboolean       mt_report_model_asks    (const MtModel *model, guint column);
const MtModelSetting *
               mt_report_find_setting  (const MtModel *model, const char *name);

/* What the rows say. Without rows or without the target among them: what is in the file, and a word on what is not. */
void           mt_report_add_lineage   (MtReport *report, const MtReportParts *parts);
gboolean       mt_report_add_findings  (MtReport *report, const MtReportParts *parts, GCancellable *cancellable,
                                        GError **error);
void           mt_report_add_class_mix (MtReport *report, const MtReportParts *parts, const MtReportRows *rows);
gboolean       mt_report_add_duplicates (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GCancellable *cancellable, GError **error);
gboolean       mt_report_add_cases     (MtReport *report, const MtReportParts *parts,
                                        GError **error);
void           mt_report_add_performance (MtReport *report, const MtReportParts *parts, const MtReportRows *rows);
/* Quality by period of a date (mt-report-time.c); nothing without one. */
gboolean       mt_report_add_over_time (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GCancellable *cancellable, GError **error);
gboolean       mt_report_add_stability (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GCancellable *cancellable, GError **error);
gboolean       mt_report_add_sensitivity (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GCancellable *cancellable, GError **error);
gboolean       mt_report_add_subgroups (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GCancellable *cancellable, GError **error);
gboolean       mt_report_add_monitoring (MtReport *report, const MtReportParts *parts, const MtReportRows *rows,
                                        GError **error);

/* What was tried (mt-report-search.c), and what is behind everything (mt-report-annex.c). */
void           mt_report_add_search    (MtReport *report, const MtReportParts *parts);
void           mt_report_add_changes   (MtReport *report, const MtReportParts *parts);
void           mt_report_add_annexes   (MtReport *report, const MtReportParts *parts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtReportRows, mt_report_rows_free)

G_END_DECLS
