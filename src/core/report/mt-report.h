/* The audit report of a model: one tree of content that every format writes out.
 *
 * Built from what the model's file carries, from rows when there are any, and from the texts that
 * the analyst wrote. Nothing is invented: a text that was not written is NOT PROVIDED, and what
 * neither file nor rows tell is said to be not available. The model itself stands in it whole:
 * every weight in full precision, every rule with its formula, diagram and truth table.
 *
 * A report is a list of blocks in reading order. Figures are painters, the same that draw on the
 * screen. The same parts and date give the same blocks. Sizes: 20 sections, 200–5,000 blocks; a
 * rule of k inputs brings a table of 2^k rows. */
#pragma once

#include <gio/gio.h>

#include "draw/mt-draw-export.h"
#include "import/mt-import.h"
#include "model/mt-model.h"
#include "network/mt-progress.h"
#include "project/mt-search-record.h"
#include "export/mt-verify.h"

G_BEGIN_DECLS

#define MT_REPORT_N_SECTIONS 20

typedef enum {
  MT_BLOCK_TITLE,        /* of the whole */
  MT_BLOCK_HEADING,
  MT_BLOCK_PARAGRAPH,
  MT_BLOCK_CODE,         /* a command: every letter counts */
  MT_BLOCK_BLANK,        /* a text that is owed: what it is about; shown as NOT PROVIDED */
  MT_BLOCK_LINK,         /* to a heading of the same report */
  MT_BLOCK_TABLE,
  MT_BLOCK_FIGURE,
} MtBlockKind;

typedef struct {
  MtBlockKind     kind;
  char           *text;        /* of a figure: what it shows, in words */
  guint           level;       /* heading: 1 a section, 2 a part of it */
  char           *anchor;      /* heading: its name; link: where it leads. a-z, digits and - only */
  char           *badge;       /* heading: a weight, with its sign; or NULL */
  char           *note;        /* heading: said below it, in small letters; or NULL */
  /* Table: row after row, the first one heads the columns. */
  guint           n_columns;
  GPtrArray      *cells;       /* of char * */
  /* Figure, in points. */
  double          width, height;
  gboolean        beside;      /* the table that follows may stand at its right */
  MtPictureFunc   paint;
  gpointer        data;
  GDestroyNotify  free_data;
} MtReportBlock;

/* What only a person can write. */
typedef enum {
  MT_REPORT_AUTHOR,
  MT_REPORT_PURPOSE,
  MT_REPORT_OUT_OF_SCOPE,
  MT_REPORT_CHOICE,          /* why this model of all on the frontier */
  MT_REPORT_LIMITS,
  MT_REPORT_OVERSIGHT,
  MT_REPORT_MONITORING,
  MT_REPORT_CHANGES,
  MT_N_REPORT_TEXTS,
} MtReportText;

const char    *mt_report_text_to_string   (MtReportText text);    /* "out-of-scope" */
gboolean       mt_report_text_from_string (const char *word, MtReportText *text);

typedef struct {
  MtModel      *model;
  MtImport     *data;                            /* read with mt_model_dup_schema(); NULL: no rows */
  const char   *data_name;                       /* of the file, for people; may be NULL */
  GPtrArray    *findings;                        /* of MtFinding: of reading and looking at the data; NULL: looks itself */
  const char   *texts[MT_N_REPORT_TEXTS];        /* NULL or "": not provided */
  gint64        date;                            /* seconds since 1970; mt_report_get_date() */
  guint64       seed;                            /* of the bootstrap */
  const MtSearchRecord       *record;                  /* what was tried; NULL: not kept */
  const MtVerifyReport *checks;                  /* in other engines; NULL: none were made */
  const char * const   *by;                      /* columns to form subgroups by; NULL: none */
  gboolean              spare_test;              /* a preview: no figure of the test rows is in it */
  guint                 n_shown;                 /* models whose test figures the run showed that made this one; 0: not known */
  guint                 n_tested;                /* models whose test figures were shown, this one included; 0: not known */
  MtProgressFunc        progress;                /* called on the thread that makes it; NULL: nothing waits */
  gpointer              progress_data;
} MtReportParts;

/* Callbacks of a caller that waits for a report to be rendered. All may be NULL. */
typedef struct {
  MtProgressFunc  progress;          /* called on the thread that works */
  gpointer        progress_data;
  GCancellable   *cancellable;
} MtReportWait;

typedef struct _MtReport MtReport;   /* immutable once made */

/* SOURCE_DATE_EPOCH, or else now. */
gint64         mt_report_get_date         (void);
/* Rows without the model's target are described but not measured. MT_ERROR_SCHEMA when rows do not
 * fit the model; cancelled. */
MtReport      *mt_report_new              (const MtReportParts *parts, GCancellable *cancellable, GError **error);
void           mt_report_unref            (MtReport *report);
guint          mt_report_get_n_blocks     (const MtReport *report);
const MtReportBlock *
               mt_report_get_block        (const MtReport *report, guint index);
const char    *mt_report_get_title        (const MtReport *report);
gint64         mt_report_get_date_made    (const MtReport *report);

typedef enum {
  MT_PAPER_A4,
  MT_PAPER_LETTER,
} MtPaper;

typedef enum {
  MT_REPORT_HTML,      /* one file that needs no other: no script, no style or picture from elsewhere */
  MT_REPORT_PDF,       /* tagged, with page numbers, an outline, and links */
} MtReportFormat;

/* @paper counts for PDF only; @wait may be NULL. */
GBytes        *mt_report_render           (const MtReport *report, MtReportFormat format, MtPaper paper,
                                           const MtReportWait *wait, GError **error);
/* At once, without progress or cancellation. */
GBytes        *mt_report_to_html          (const MtReport *report, GError **error);
GBytes        *mt_report_to_pdf           (const MtReport *report, MtPaper paper, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtReport, mt_report_unref)

G_END_DECLS
