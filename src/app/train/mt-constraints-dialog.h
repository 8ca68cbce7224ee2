/* What a model must not do, whatever the data say: columns that are never used, columns in which the
 * score may only rise or fall, no negated conditions. Signal "changed": get them again. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_CONSTRAINTS_DIALOG (mt_constraints_dialog_get_type ())

G_DECLARE_FINAL_TYPE (MtConstraintsDialog, mt_constraints_dialog, MT, CONSTRAINTS_DIALOG, AdwWindow)

/* @constraints may be NULL. */
MtConstraintsDialog *mt_constraints_dialog_new (GtkWindow           *parent,
                                                MtTable             *table,
                                                const MtConstraints *constraints);
MtConstraints       *mt_constraints_dialog_get (MtConstraintsDialog *self);
/* "Banned: RestingECG · Only rising: Oldpeak"; "None" for none. */
char                *mt_constraints_describe   (const MtConstraints *constraints);

G_END_DECLS
