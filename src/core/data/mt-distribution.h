/* What the values of a column look like, small enough to draw in a header. */
#pragma once

#include <gio/gio.h>

#include "mt-table.h"

G_BEGIN_DECLS

typedef enum {
  MT_DISTRIBUTION_HISTOGRAM,  /* numbers and dates */
  MT_DISTRIBUTION_LEVELS,     /* anything stored as codes */
  MT_DISTRIBUTION_NONE,       /* free text, or not one value that can be shown */
} MtDistributionKind;

/* Immutable once made; borrow its fields. */
typedef struct {
  gatomicrefcount      ref_count;
  MtDistributionKind   kind;
  gsize                n_rows;
  gsize                n_missing;
  gsize                highest;       /* the largest of counts, at least 1 */
  guint                n_counts;      /* bins, or levels shown */
  gsize               *counts;

  /* Histogram: bin i holds edge(i) <= x < edge(i + 1), the last one its upper edge too
   * unless each bin is one whole number. */
  double               min, max;      /* of the finite values */
  gsize                n_infinite;
  double               first;         /* index of the first bin: its edge is first × step */
  double               mantissa;      /* step = mantissa × 10^exponent, mantissa 1, 2 or 5 */
  int                  exponent;
  gboolean             unit_bins;     /* each bin is one whole number */

  /* Levels: the most frequent first, ties in the column's order. */
  char               **names;         /* n_counts, NULL-terminated */
  guint                n_levels;      /* of the column, shown or not; only those that occur */
  gsize                n_other;       /* rows of the levels not shown */
} MtDistribution;

/* Reads the column once or twice. NULL only when cancelled. */
MtDistribution *mt_distribution_new      (const MtColumn        *column,
                                          guint                  max_bins,
                                          guint                  max_levels,
                                          GCancellable          *cancellable,
                                          GError               **error);
MtDistribution *mt_distribution_ref      (MtDistribution        *distribution);
void            mt_distribution_unref    (MtDistribution        *distribution);
double          mt_distribution_get_edge (const MtDistribution  *distribution,
                                          guint                  index);   /* 0 … n_counts */
/* The bin that holds @value, or -1. */
int             mt_distribution_find_bin (const MtDistribution  *distribution,
                                          double                 value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtDistribution, mt_distribution_unref)

G_END_DECLS
