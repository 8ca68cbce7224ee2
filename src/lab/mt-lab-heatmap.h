/* A table of numbers as colored squares, each with its number. */
#pragma once

#include "mt-lab-private.h"

G_BEGIN_DECLS

typedef struct {
  const char         *title, *row_title, *column_title;
  const char * const *rows, * const *columns;
  guint               n_rows, n_columns;
  const double       *values;       /* row after row; NaN: an empty square */
} MtLabHeatmap;

/* Writes OUT/NAME.svg. */
gboolean mt_lab_write_heatmap (MtLabContext        *context,
                               const char          *name,
                               const MtLabHeatmap  *map,
                               GError             **error);

G_END_DECLS
