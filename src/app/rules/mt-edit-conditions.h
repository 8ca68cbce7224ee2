/* The rows of a form in which the conditions of a new rule are chosen: for each a column, and what is asked of it. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

typedef struct _MtEditConditions MtEditConditions;

/* Puts its rows into @group; @column, which may be NULL, is the one to begin with. @changed (data): another choice. */
MtEditConditions *mt_edit_conditions_new  (AdwPreferencesGroup    *group,
                                           const MtEncoder        *encoder,
                                           const char             *column,
                                           void                  (*changed) (gpointer data),
                                           gpointer                data);
void              mt_edit_conditions_free (MtEditConditions       *self);
/* The conditions as they are chosen. */
void              mt_edit_conditions_fill (const MtEditConditions *self,
                                           MtEdit                 *edit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtEditConditions, mt_edit_conditions_free)

G_END_DECLS
