/* A small chart of numbers against numbers: lines, dashed lines and dots, two axes, a legend below. For
 * what the report and the Quality page plot: ROC, calibration, gain, residuals. Painting a chart only reads it. */
#pragma once

#include "mt-draw-export.h"
#include "mt-draw-plot.h"

G_BEGIN_DECLS

typedef enum {
  MT_CHART_LINE,
  MT_CHART_DASHED,      /* a reference: drawn first, dim */
  MT_CHART_DOTS,
  MT_CHART_DOTTED_LINE, /* a line with a dot at each value */
  MT_CHART_MARK,        /* a ring around each value: the cutoff on its curve */
} MtChartKind;

typedef struct _MtChart MtChart;

/* Ends of the axes; NaN: as the values are. */
MtChart *mt_chart_new       (const char *x_title, double x_low, double x_high, const char *y_title, double y_low,
                             double y_high);
void     mt_chart_free      (MtChart *chart);
/* Copies; what is not finite leaves a gap. @label NULL: not in the legend. */
void     mt_chart_add       (MtChart *chart, MtChartKind kind, const char *label, const double *x, const double *y,
                             gsize n);
/* Points that it takes when its area is @width wide and @height high. */
void     mt_chart_measure   (MtChart *chart, double width, double height, double *whole_width, double *whole_height);
/* An MtPictureFunc; @chart: measured. */
void     mt_chart_paint     (cairo_t *cr, PangoContext *context, const MtPalette *palette, gpointer chart);

/* The same in the colors of a window and with its decimal mark. @context: what its texts are laid out with. */
void     mt_chart_paint_in  (cairo_t *cr, PangoContext *context, const MtPlotPalette *palette, char decimal,
                             const MtChart *chart);
/* What the texts of a chart are high, and what it takes in addition to its area: for who scales it to a font and a width. */
double   mt_chart_get_font_size (void);
void     mt_chart_get_margins   (const MtChart *chart, double *horizontal, double *vertical);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtChart, mt_chart_free)

G_END_DECLS
