/* Chooses the cutoff of two classes: by hand, by a target rate, by a capacity, or by what the four outcomes are worth.
 *
 * Signals: "changed": another is proposed, for a preview; "apply": the proposed one is to be the model's. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_CUTOFF_PICKER (mt_cutoff_picker_get_type ())

G_DECLARE_FINAL_TYPE (MtCutoffPicker, mt_cutoff_picker, MT, CUTOFF_PICKER, AdwBin)

GtkWidget *mt_cutoff_picker_new          (void);
/* @ranking: of the second class, borrowed until the next call; NULL: there is nothing to choose by. @cutoff: the
 * model's own. What was entered stays, but is proposed again only if @keep. */
void       mt_cutoff_picker_set          (MtCutoffPicker     *self,
                                          const MtRanking    *ranking,
                                          const char * const *classes,
                                          double              cutoff,
                                          gboolean            keep);
double     mt_cutoff_picker_get          (MtCutoffPicker     *self);
/* How it was chosen, in English: the reason of the edit, which is kept in files. */
char      *mt_cutoff_picker_dup_reason   (MtCutoffPicker     *self);

G_END_DECLS
