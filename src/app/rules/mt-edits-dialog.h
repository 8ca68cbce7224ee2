/* What was changed in a model by hand, in order, and why. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

GtkWidget *mt_edits_dialog_new (GtkWindow          *parent,
                                const MtEditRecord *edits,
                                guint               n_edits);

G_END_DECLS
