/* The small picture in a column's head as a table: each bin or level with its rows and their share of all, and
 * whatever the picture leaves out. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_DISTRIBUTION_DIALOG (mt_distribution_dialog_get_type ())

G_DECLARE_FINAL_TYPE (MtDistributionDialog, mt_distribution_dialog, MT, DISTRIBUTION_DIALOG, AdwWindow)

GtkWidget *mt_distribution_dialog_new      (GtkWindow            *parent,
                                            const char           *column,
                                            MtDistribution       *distribution,
                                            MtColumnType          type);
guint      mt_distribution_dialog_get_n    (MtDistributionDialog *self);   /* lines */
/* As it is shown; columns: what, rows, share. */
char      *mt_distribution_dialog_dup_cell (MtDistributionDialog *self,
                                            guint                 line,
                                            guint                 column);

G_END_DECLS
