/* What happened in a study, on its way to the project: filled on the main thread, written on the project's
 * by one of the functions below, which mt_project_file_push() takes. One struct serves all of them. */
#pragma once

#include "mt-edited-point.h"
#include "mt-frontier-item.h"
#include "document/mt-project-file.h"
#include "mt-run.h"
#include "mt-study-ids.h"

G_BEGIN_DECLS

/* A point, by its run's key and its place there; an edited one by its own. */
typedef struct {
  guint  key;                   /* 0: none */
  guint  index;
  MtMark mark;                  /* MT_MARK_NONE: it has lost one */
  guint  edited;                /* key of an edited point; 0: it is none */
} MtStudyMarked;

#define MT_STUDY_MOST_MARKED 6   /* recommended, selected, two pinned, two that were */

typedef struct {
  MtStudyIds    *ids;
  guint          key;
  char          *name;
  char          *columns;         /* of the table, as mt-run-record.h has them */
  char          *data;            /* SHA-256 of the file; NULL: not known */
  MtRunState     state;
  char          *message;
  char          *failure;         /* mt-run-failure.h; NULL: it has not failed */
  char          *device;          /* mt-run-device.h; NULL: not known */
  double         seconds;
  MtRunData       *basis;
  MtImport      *import;
  MtRunSettings  run_settings;
  char          *curves;
  MtStudyMarked  marked[MT_STUDY_MOST_MARKED];
  guint          gone_key, come_key, origin;      /* edited points that go and come; the origin among the run's */
  MtEditedPoint *gone, *come;
  char          *by;              /* who edited or undid it, … */
  gint64         made;            /* … and when */
} MtProjectWrite;

MtProjectWrite *mt_project_write_new         (MtStudyIds     *ids);
void           mt_project_write_free        (gpointer        change);

/* --- on the project's thread; @change: MtProjectWrite --- */
gboolean       mt_project_write_add_run     (MtProject      *project,
                                             gpointer        change,
                                             GError        **error);
gboolean       mt_project_write_set_state   (MtProject      *project,
                                             gpointer        change,
                                             GError        **error);
/* Its points and models, how it went, and its state. */
gboolean       mt_project_write_finish_run  (MtProject      *project,
                                             gpointer        change,
                                             GError        **error);
gboolean       mt_project_write_set_marks   (MtProject      *project,
                                             gpointer        change,
                                             GError        **error);
/* One edited point for another: an edit, or one undone, which has the shorter history. */
gboolean       mt_project_write_edit        (MtProject      *project,
                                             gpointer        change,
                                             GError        **error);
/* Where a project keeps how a run went, and why it failed; g_free(). */
char          *mt_study_curves_key         (gint64          run);
char          *mt_study_failure_key        (gint64          run);
char          *mt_study_device_key         (gint64          run);   /* and what it computed on */

G_END_DECLS
