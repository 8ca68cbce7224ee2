/* A project: one SQLite file (.minterm) with everything between a CSV and an audit report,
 * written as one goes. Every call that changes something is one transaction and is on disk
 * when it returns; mt_project_begin() makes several calls one change.
 *
 * Calls are synchronous and belong on a worker thread; a project is used by one thread at a
 * time. While it is open for writing no other process, nor this one, can open it for
 * writing: MT_ERROR_LOCKED. The lock dies with the process.
 *
 * Errors: MT_ERROR_NEWER, _LOCKED, _CHANGED (somebody else wrote to the file or replaced it),
 * MT_ERROR_PARSE (damaged or not a project; names table and field), MT_ERROR_BUDGET (a limit
 * below), MT_ERROR_PARAMS (a value that cannot be kept); G_IO_ERROR_NO_SPACE, _READ_ONLY,
 * _PERMISSION_DENIED, _NOT_FOUND, _EXISTS … for the place. */
#pragma once

#include <gio/gio.h>

#include "import/mt-import.h"
#include "data/mt-schema.h"

G_BEGIN_DECLS

#define MT_PROJECT_VERSION     2
#define MT_PROJECT_SUFFIX      ".minterm"
#define MT_PROJECT_MAX_TEXT    (16u * 1024 * 1024)    /* bytes of a setting, note or message */
#define MT_PROJECT_MAX_MODEL   (256u * 1024 * 1024)   /* bytes of a model's JSON, unpacked */

typedef struct _MtProject MtProject;

/* --- the file --- */

typedef enum {
  MT_PROJECT_DEFAULT   = 0,
  MT_PROJECT_READ_ONLY = 1 << 0,   /* takes no lock; every change is refused */
} MtProjectFlags;

/* A new file; G_IO_ERROR_EXISTS when there is one. */
MtProject  *mt_project_create           (const char     *path,
                                         GError        **error);
/* Somewhere safe until it gets a name by mt_project_save_as(). */
MtProject  *mt_project_create_unsaved   (GError        **error);
/* Checks the whole file before it is believed. */
MtProject  *mt_project_open             (const char     *path,
                                         MtProjectFlags  flags,
                                         GCancellable   *cancellable,
                                         GError        **error);
/* An unsaved project stays to be recovered, unless it is empty. */
void        mt_project_free             (MtProject      *project);
/* Closes and, if it has no name yet, throws it away. */
void        mt_project_discard          (MtProject      *project);
const char *mt_project_get_path         (MtProject      *project);
gboolean    mt_project_is_unsaved       (MtProject      *project);
gboolean    mt_project_is_read_only     (MtProject      *project);

/* Copies the project to @path and uses the copy from then on. @replace: an existing file may be replaced,
 * unless it is open elsewhere. On failure the project is where it was. */
gboolean    mt_project_save_as          (MtProject      *project,
                                         const char     *path,
                                         gboolean        replace,
                                         GError        **error);
/* MT_ERROR_CHANGED when the file is no longer what this project wrote; every change checks it, too. */
gboolean    mt_project_check_on_disk    (MtProject      *project,
                                         GError        **error);

/* Several calls as one change. When one of them fails, commit fails and nothing is kept. */
gboolean    mt_project_begin            (MtProject      *project,
                                         GError        **error);
gboolean    mt_project_commit           (MtProject      *project,
                                         GError        **error);
/* Nothing of what was begun is kept; nothing happens when nothing was. */
void        mt_project_rollback         (MtProject      *project);

/* Unsaved projects of processes that are gone, newest first: (element-type filename). */
GPtrArray  *mt_project_list_recoverable (void);
gboolean    mt_project_remove_recoverable (const char   *path,
                                           GError      **error);

/* --- where the data come from and how they are read --- */

typedef struct {
  char    *uri;        /* or a path */
  guint64  size;
  gint64   modified;   /* µs since the epoch */
  char    *sha256;     /* hex */
} MtProjectSource;

void             mt_project_source_free  (MtProjectSource       *source);
gboolean         mt_project_set_source   (MtProject             *project,
                                          const MtProjectSource *source,
                                          GError               **error);
/* NULL without error: none yet. */
MtProjectSource *mt_project_dup_source   (MtProject             *project,
                                          GError               **error);

gboolean         mt_project_set_dialect  (MtProject             *project,
                                          const MtCsvDialect    *dialect,
                                          GError               **error);
/* As the project keeps it. @wrong: the field because of which it is no dialect, when NULL is returned. */
char            *mt_project_dialect_to_json   (const MtCsvDialect *dialect);
MtCsvDialect    *mt_project_dialect_from_json (const char *text, const char **wrong);
MtCsvDialect    *mt_project_dup_dialect  (MtProject             *project,
                                          GError               **error);
gboolean         mt_project_set_schema   (MtProject             *project,
                                          const MtSchema        *schema,
                                          GError               **error);
MtSchema        *mt_project_dup_schema   (MtProject             *project,
                                          GError               **error);

/* --- texts by key --- */

typedef enum {
  MT_PROJECT_SETTING,   /* "model": its settings as JSON, … */
  MT_PROJECT_NOTE,      /* texts of the report */
  MT_PROJECT_STATE,     /* of the window: page, selection, … */
} MtProjectSpace;

/* @text NULL removes it. */
gboolean   mt_project_set_text   (MtProject       *project,
                                  MtProjectSpace   space,
                                  const char      *key,
                                  const char      *text,
                                  GError         **error);
/* NULL without error: there is none. */
char      *mt_project_dup_text   (MtProject       *project,
                                  MtProjectSpace   space,
                                  const char      *key,
                                  GError         **error);
char     **mt_project_list_keys  (MtProject       *project,
                                  MtProjectSpace   space,
                                  GError         **error);

/* --- findings that somebody dismissed --- */

typedef struct {
  char *code;
  char *column;   /* "" when the finding is about no column */
  char *reason;
  char *by;       /* who did it; "": not recorded */
  gint64 made;    /* seconds since the epoch; 0: not recorded */
} MtProjectDismissal;

/* @column and @by may be NULL. */
MtProjectDismissal *mt_project_dismissal_new  (const char               *code,
                                               const char               *column,
                                               const char               *reason,
                                               const char               *by,
                                               gint64                    made);
MtProjectDismissal *mt_project_dismissal_copy (const MtProjectDismissal *dismissal);
void                mt_project_dismissal_free (MtProjectDismissal       *dismissal);

gboolean   mt_project_set_dismissal   (MtProject                *project,
                                       const MtProjectDismissal *dismissal,
                                       GError                  **error);
gboolean   mt_project_take_dismissal_back (MtProject            *project,
                                       const char               *code,
                                       const char               *column,
                                       GError                  **error);
GPtrArray *mt_project_list_dismissals (MtProject   *project,   /* (element-type MtProjectDismissal) */
                                       GError     **error);

/* --- runs and the points of their frontiers --- */

typedef enum {
  MT_RUN_QUEUED,
  MT_RUN_RUNNING,
  MT_RUN_DONE,
  MT_RUN_FAILED,
  MT_RUN_STOPPED,
} MtRunState;

typedef struct {
  gint64      id;        /* ascending in the order they were queued */
  char       *name;
  char       *settings;  /* JSON */
  guint64     seed;
  MtRunState  state;
  char       *message;   /* "" or why it failed or stopped */
  gint64      started;   /* 1, 2, … in the order they were started; 0: not yet */
  double      seconds;
} MtProjectRun;

const char *mt_run_state_to_string      (MtRunState     state);
void        mt_project_run_free         (MtProjectRun  *run);
/* 0 on failure. */
gint64      mt_project_add_run          (MtProject     *project,
                                         const char    *name,
                                         const char    *settings,
                                         guint64        seed,
                                         GError       **error);
gboolean    mt_project_set_run_state    (MtProject     *project,
                                         gint64         id,
                                         MtRunState     state,
                                         const char    *message,
                                         double         seconds,
                                         GError       **error);
GPtrArray  *mt_project_list_runs        (MtProject     *project,   /* (element-type MtProjectRun) */
                                         GError       **error);
gboolean    mt_project_remove_run       (MtProject     *project,   /* with its points */
                                         gint64         id,
                                         GError       **error);
/* A run that is running in a file just opened died with its process: it becomes stopped. */
gboolean    mt_project_stop_interrupted (MtProject     *project,
                                         guint         *n_stopped,
                                         GError       **error);

typedef enum {
  MT_MARK_NONE        = 0,
  MT_MARK_RECOMMENDED = 1 << 0,
  MT_MARK_SELECTED    = 1 << 1,
  MT_MARK_PINNED_A    = 1 << 2,
  MT_MARK_PINNED_B    = 1 << 3,
  MT_MARK_EDITED      = 1 << 4,
} MtMark;

typedef struct {
  gint64  id;
  gint64  run;
  guint   literals;
  guint   n_rules;
  double  cv_mean;     /* NaN: not measured */
  double  cv_se;       /* NaN: not measured */
  MtMark  marks;
} MtProjectPoint;

/* @points and @models: @n each; a model is its JSON. The ids are set in @points. */
gboolean    mt_project_add_points       (MtProject             *project,
                                         gint64                 run,
                                         MtProjectPoint        *points,
                                         GBytes * const        *models,
                                         guint                  n,
                                         GError               **error);
/* @run 0: of all runs; by run, then in the order they were added. (element-type MtProjectPoint) */
GArray     *mt_project_list_points      (MtProject             *project,
                                         gint64                 run,
                                         GError               **error);
GBytes     *mt_project_dup_model        (MtProject             *project,
                                         gint64                 point,
                                         GError               **error);
/* With its model. */
gboolean    mt_project_remove_point     (MtProject             *project,
                                         gint64                 point,
                                         GError               **error);
/* Recommended, selected and pinned marks are unique: a point that had one loses it. */
gboolean    mt_project_set_marks        (MtProject             *project,
                                         gint64                 point,
                                         MtMark                 marks,
                                         GError               **error);

/* --- what was edited by hand, and why --- */

typedef struct {
  gint64  id;
  char   *what;
  char   *reason;
  guint   literals_before, literals_after;
  double  metric_before, metric_after;   /* NaN: not measured */
  char   *by;                            /* who did it; NULL or empty: not recorded */
  gint64  made;                          /* seconds since the epoch; 0: not recorded */
} MtProjectEdit;

void        mt_project_edit_free        (MtProjectEdit         *edit);
gint64      mt_project_add_edit         (MtProject             *project,   /* 0 on failure */
                                         const MtProjectEdit   *edit,
                                         GError               **error);
GPtrArray  *mt_project_list_edits       (MtProject             *project,   /* (element-type MtProjectEdit) */
                                         GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtProject, mt_project_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtProjectSource, mt_project_source_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtProjectDismissal, mt_project_dismissal_free)

G_END_DECLS
