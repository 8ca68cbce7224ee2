/* Where the bars of a distribution go, in points from the top left of its box. Pure
 * geometry: no surface, no theme, so that it can be tested and drawn anywhere. */
#pragma once

#include "data/mt-distribution.h"

G_BEGIN_DECLS

typedef struct {
  double   x, y, width, height;
  gboolean marked;              /* a finding points at it */
} MtBar;

typedef struct {
  double  width, height;
  guint   n_bars;               /* one for each count of the distribution */
  MtBar  *bars;
  double  label_x;              /* levels: names stand right-aligned in this column */
  double  label_width;          /* 0: no room for names, or none needed */
  double  line_height;          /* levels: from one bar to the next */
} MtDistributionLayout;

/* @label_width: what the widest name would like. @marked: a value whose bin stands out, or NaN. */
MtDistributionLayout *mt_distribution_layout_new  (const MtDistribution       *distribution,
                                                   double                      width,
                                                   double                      height,
                                                   double                      label_width,
                                                   double                      marked);
void                  mt_distribution_layout_free (MtDistributionLayout       *layout);
/* The bar whose column (histogram) or line (levels) holds the point, or -1. */
int                   mt_distribution_layout_hit  (const MtDistributionLayout *layout,
                                                   double                      x,
                                                   double                      y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtDistributionLayout, mt_distribution_layout_free)

G_END_DECLS
