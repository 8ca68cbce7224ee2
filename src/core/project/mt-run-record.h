/* What a project keeps of a run: all of its settings, the columns it saw and the data it learned from. The window and the
 * command line write and read runs here, so that each shows and resumes what the other made.
 *
 * The settings of a run are a JSON object: a member for each row of the table (learn/mt-setting.h), "constraints" where
 * there are any, "columns" (the SHA-256 of the text under MT_PROJECT_KEY_COLUMNS that says names, types and roles) and
 * "data" (the SHA-256 of the file). */
#pragma once

#include "learn/mt-run-settings.h"
#include "mt-project.h"
#include "mt-run-job.h"

G_BEGIN_DECLS

#define MT_PROJECT_KEY_COLUMNS "columns:"   /* MT_PROJECT_SETTING: and a hash */
#define MT_PROJECT_KEY_SWEEP   "sweep"      /* MT_PROJECT_SETTING: the settings of a sweep of the command line */

/* Names, types and roles of all columns: a schema as JSON. */
char    *mt_run_record_dup_columns (const MtTable        *table);
/* Queues a run in the project. @columns: of the table that it learns from; @data: SHA-256 of the file, or NULL. The id of
 * the run, or 0. */
gint64   mt_run_record_add         (MtProject            *project,
                                    const char           *name,
                                    const MtRunSettings  *settings,
                                    const char           *columns,
                                    const char           *data,
                                    GError              **error);
/* The settings that the run has. Projects from before all settings were kept say less: then @sweep (what is kept under
 * MT_PROJECT_KEY_SWEEP; may be NULL) has the rest. @columns and @data: as in mt_run_record_add() but the columns' hash; NULL
 * where they are not kept. */
void     mt_run_record_read        (const MtProjectRun   *run,
                                    const char           *sweep,
                                    MtRunSettings        *settings,
                                    char                **columns,
                                    char                **data);

/* @table with the roles that it had when a run was made whose columns have @hash; @table itself when they are the same, or not
 * known. @columns: the text under that hash; may be NULL. */
MtTable *mt_run_record_dup_table   (MtTable              *table,
                                    const char           *columns);

/* --- what it found --- */

#define MT_PROJECT_KEY_CURVES "curves:"   /* MT_PROJECT_STATE, and the run's id */

/* How a run went, and the scores of its points fold by fold: lines of text. Of MtRunEpoch and MtRunVisit. */
char    *mt_run_record_dup_curves  (GArray               *epochs,
                                    GArray               *visits,
                                    const MtFrontier     *frontier);
/* All points of the frontier, each with its model as JSON: (element-type MtProjectPoint) and (element-type GBytes).
 * @test: of guint32, the rows of @table that were held out, or NULL. They serve to count where rules and network differ. */
gboolean mt_run_record_make_points (const MtLearned      *learned,
                                    const MtRunSettings  *settings,
                                    MtTable              *table,
                                    GArray               *test,
                                    MtImport             *import,
                                    GArray               *points,
                                    GPtrArray            *models,
                                    GError              **error);
/* Puts them in the place of those that the run had, with @curves (may be NULL). The ids are set in @points. */
gboolean mt_run_record_set_points  (MtProject            *project,
                                    gint64                run,
                                    GArray               *points,
                                    GPtrArray            *models,
                                    const char           *curves,
                                    GError              **error);

G_END_DECLS
