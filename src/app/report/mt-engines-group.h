/* "Checked in engines": runs the exports of the model one looks at in the engines of this machine and
 * lists what each of them says. Runs on another thread, with progress, and can be cancelled. A result
 * belongs to the very model, reasons included: another model has not been checked.
 *
 *   signal "checked" (string sha256, string json)   to be kept with the model
 *   signal "changed"                                began, went on, ended; another result is shown */
#pragma once

#include <adwaita.h>

#include "mt-report-input.h"

G_BEGIN_DECLS

#define MT_TYPE_ENGINES_GROUP (mt_engines_group_get_type ())

G_DECLARE_FINAL_TYPE (MtEnginesGroup, mt_engines_group, MT, ENGINES_GROUP, AdwPreferencesGroup)

GtkWidget            *mt_engines_group_new        (void);
void                  mt_engines_group_set_input  (MtEnginesGroup *self,
                                                   MtReportInput  *input);     /* NULL: no model */
/* What was kept: a record by the model's SHA-256. */
void                  mt_engines_group_add_known  (MtEnginesGroup *self,
                                                   const char     *json);
/* A check that was made elsewhere: it counts as one made here, next to what is known of the model already. */
void                  mt_engines_group_take       (MtEnginesGroup       *self,
                                                   const MtVerifyReport *report);
/* What is known of any model; NULL: nothing. */
const MtVerifyReport *mt_engines_group_find       (MtEnginesGroup *self,
                                                   const char     *sha256);
void                  mt_engines_group_forget     (MtEnginesGroup *self);
/* Of the model one looks at; NULL: it was not checked, or it is not known yet. */
const MtVerifyReport *mt_engines_group_get_report (MtEnginesGroup *self);
/* @engines: by name; NULL: all that are there. */
void                  mt_engines_group_verify     (MtEnginesGroup     *self,
                                                   const char * const *engines);
gboolean              mt_engines_group_is_running (MtEnginesGroup *self);
void                  mt_engines_group_cancel     (MtEnginesGroup *self);

G_END_DECLS
