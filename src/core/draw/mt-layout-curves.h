/* Where the lines of a chart over time go: validation and training curves with their names
 * at their ends, and a ring at the best value so far. Pure geometry, as mt-layout-plot. */
#pragma once

#include "mt-layout-plot.h"

G_BEGIN_DECLS

typedef struct {
  const double *y;         /* at x = 1, 2, 3 …; what is not finite leaves a gap */
  guint         n;
  const char   *label;     /* at the line's end; may be NULL */
  guint         series;    /* color */
  gboolean      dashed;
  const char   *name;      /* of its values, where they are announced one by one; may be NULL */
} MtCurve;

typedef struct {
  const MtCurve *curves;
  guint          n_curves;
  double         x_high;        /* steps expected in all; 0: as many as there are */
  int            best_curve;    /* -1: no ring */
  guint          best_index;
  const char    *best_label;
  const char    *x_title;
  double         y_low, y_high; /* NaN: found */
  double         margin;        /* room left of the area, at least: charts below one another line up */
  char           decimal;
} MtCurvesSpec;

void mt_curves_spec_init (MtCurvesSpec *spec);

typedef struct {
  GArray  *points;         /* of MtXY; x NaN: the line is interrupted */
  guint    series;
  gboolean dashed;
  MtXY     end;            /* NaN: nothing finite */
} MtCurveLine;

typedef struct {
  double       width, height;
  MtBox        area;
  MtAxis       x, y;
  guint        n_lines;
  MtCurveLine *lines;
  GArray      *texts;      /* of MtPlotText: none overlaps another */
  MtXY         best;       /* NaN: none */
  guint        best_series;
} MtCurvesLayout;

/* The room that the labels at the left need. */
double          mt_curves_layout_margin (const MtCurvesSpec *spec,
                                       double                height,
                                       MtPlotMeasure         measure,
                                       gpointer              measure_data);
MtCurvesLayout *mt_curves_layout_new  (const MtCurvesSpec   *spec,
                                       double                width,
                                       double                height,
                                       MtPlotMeasure         measure,
                                       gpointer              measure_data);
void            mt_curves_layout_free (MtCurvesLayout       *layout);
/* The step (1, 2, …) nearest to @x, or 0 outside the area. */
guint           mt_curves_layout_step (const MtCurvesLayout *layout,
                                       double                x,
                                       double                y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCurvesLayout, mt_curves_layout_free)

G_END_DECLS
