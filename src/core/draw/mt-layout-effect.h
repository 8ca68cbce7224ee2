/* What a numeric column adds over its range: for each output a line or a curve that is 0 at the mean, and below
 * them a histogram of the training values, so that one sees where rows are. Pure geometry, in points. */
#pragma once

#include "mt-axis.h"

G_BEGIN_DECLS

typedef struct {
  const double *slopes;       /* per unit, one an output */
  guint         n_outputs;
  double        mean;         /* of the values in their shape: what is added is slope · (shape (x) − mean) */
  double        low, high;    /* of the column in training */
  const gsize  *counts;       /* of rows, in @n_bars bars of one width from @low to @high; NULL: no rows */
  guint         n_bars;
  double      (*shape) (double value, gpointer data);   /* NULL: the value itself */
  gpointer      shape_data;
  double        zero;         /* with a shape: the value where nothing is added */
} MtEffectSpec;

typedef struct {
  double x, y, width, height;
} MtEffectBar;

typedef struct {
  double       width, height;
  double       plot_x, plot_y, plot_width, plot_height;   /* of the lines */
  double       axis_y;                                    /* below the histogram */
  MtAxis       x, y;
  double       mean_x, zero_y;
  guint        n_lines;
  guint        n_points;      /* of each line, evenly spaced from left to right: 2, if it is straight */
  double      *points;        /* n_points × n_lines: y */
  guint        n_bars;
  MtEffectBar *bars;
} MtEffectLayout;

MtEffectLayout *mt_effect_layout_new   (const MtEffectSpec   *spec,
                                        double                width,
                                        double                height,
                                        double                line_height,   /* of text */
                                        char                  decimal,
                                        MtLabelRoom           room,
                                        gpointer              data);
void            mt_effect_layout_free  (MtEffectLayout       *layout);
/* The value of the column at @x, kept within its range. */
double          mt_effect_layout_value (const MtEffectLayout *layout,
                                        double                x);
double          mt_effect_layout_place (const MtEffectLayout *layout,
                                        double                value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtEffectLayout, mt_effect_layout_free)

G_END_DECLS
