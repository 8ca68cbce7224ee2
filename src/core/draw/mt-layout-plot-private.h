/* What the two halves of a plot's layout share. */
#pragma once

#include "mt-layout-plot.h"

G_BEGIN_DECLS

#define MT_PLOT_GAP         6.0
#define MT_PLOT_BADGE       20.0
#define MT_PLOT_TICK_LENGTH 5.0

typedef struct {
  const MtPlotSpec *spec;
  MtPlotLayout     *layout;
  MtPlotMeasure     measure;
  gpointer          measure_data;
} MtPlotBuild;

/* mt-layout-plot.c; @data: MtPlotBuild, whose ticks' font it is */
double _mt_plot_text_width  (const char         *text,
                             gpointer            data);
double _mt_plot_text_height (const char         *text,
                             gpointer            data);
double _mt_plot_x_of        (const MtPlotLayout *layout,
                             double              value);
double _mt_plot_y_of        (const MtPlotLayout *layout,
                             double              value);
/* mt-layout-plot-texts.c: when axes, marks and staircase have their places */
void   _mt_plot_place_texts (MtPlotBuild        *build);
/* The height that the legend takes. */
double _mt_plot_legend_height (MtPlotBuild      *build);

G_END_DECLS
