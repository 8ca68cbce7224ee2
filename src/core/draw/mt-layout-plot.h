/* Where everything of a frontier plot goes, in points from the top left of its box: quality
 * against literals, error bars, the staircase of points that no other beats, benchmarks,
 * the zone that people can follow, the recommended point. Pure geometry: text is measured by
 * a function of the caller's, so that it can be tested without a surface. */
#pragma once

#include "mt-axis.h"

G_BEGIN_DECLS

typedef struct {
  double x, y, width, height;
} MtBox;

typedef enum {
  MT_PLOT_FONT_TICK,      /* ticks, captions */
  MT_PLOT_FONT_STRONG,    /* the first line of a callout, labels at a line's end */
  MT_PLOT_FONT_BADGE,     /* A and B */
  MT_PLOT_N_FONTS,
} MtPlotFont;

typedef enum {
  MT_PLOT_INK_DIM,
  MT_PLOT_INK_TEXT,
  MT_PLOT_INK_ZONE,
  MT_PLOT_INK_BADGE,
  MT_PLOT_INK_SERIES,     /* of the text's series */
} MtPlotInk;

typedef struct {
  MtBox       box;
  char       *text;
  MtPlotFont  font;
  MtPlotInk   ink;
  guint       series;
} MtPlotText;

/* The size of one line of text. */
typedef void (*MtPlotMeasure) (const char *text,
                               MtPlotFont  font,
                               double     *width,
                               double     *height,
                               gpointer    data);

typedef struct {
  double literals;
  double quality;
  double error;           /* standard error; NaN: none */
  guint  series;          /* run: color and shape; MT_PLOT_SERIES_EDITED: of no run, excluded from dominance */
} MtPlotPoint;

#define MT_PLOT_SERIES_APART  (1u << 30)   /* with a run: same color and shape, hollow marker; excluded from dominance */
#define MT_PLOT_SERIES_OTHER  (1u << 29)   /* with a number: a method of elsewhere; hollow, excluded from dominance, never faded */
#define MT_PLOT_SERIES_EDITED G_MAXUINT
#define MT_PLOT_SERIES_NONE   (G_MAXUINT - 1)   /* of a legend: words without a mark */

typedef struct {
  double      quality;
  const char *label;
  gboolean    dashed;     /* or dotted: what it is drawn as, whichever others are in view */
} MtPlotBenchmark;

/* What a mark stands for, said in a picture that stands by itself. */
typedef struct {
  guint       series;
  const char *label;
} MtPlotLegendEntry;

typedef struct {
  const MtPlotPoint     *points;
  guint                  n_points;
  const MtPlotBenchmark *benchmarks;
  guint                  n_benchmarks;
  gboolean               log;             /* the literals' axis */
  double                 zone;            /* literals that people can still follow; 0: no zone */
  const char            *zone_label;      /* all texts may be NULL */
  const char            *x_title;
  int                    recommended;     /* index, or -1 */
  const char            *title;           /* above the plot, of what stands by itself: what is measured … */
  const char            *subtitle;        /* … and of what */
  const MtPlotLegendEntry *legend;        /* below these, in as many lines as it takes */
  guint                  n_legend;
  const char            *callout_title;   /* of the recommended point */
  const char            *callout_text;    /* left out, and then */
  const char            *callout_short;   /* said instead of both, where there is no room */
  int                    selected;        /* indices, or -1 */
  int                    pinned_a, pinned_b;
  double                 x_low, x_high;   /* what is shown; NaN: everything */
  double                 y_low, y_high;
  char                   decimal;         /* of tick labels */
} MtPlotSpec;

/* Nothing chosen, everything shown, the zone up to 50 literals. */
void mt_plot_spec_init (MtPlotSpec *spec);

typedef struct {
  double   x, y;
  double   low, high;     /* ends of the error bar, y downwards; NaN: none */
  double   radius;
  guint    series;
  gboolean dominated;     /* another is at least as good with fewer literals */
  gboolean visible;       /* finite and inside what is shown */
  gboolean crowded;       /* on the staircase, too close to its neighbor for a bar with caps */
} MtPlotMark;

typedef struct {
  double x, y;
} MtXY;

typedef struct {
  double   y;
  gboolean dashed;
} MtPlotLine;

typedef struct {
  double   x, y;          /* its middle */
  guint    series;
} MtPlotLegendMark;

/* Lines may leave the area when only a part is shown; painters clip them. */

typedef struct {
  double      width, height;
  MtBox       area;            /* between the axes */
  MtAxis      x, y;
  guint       n_marks;
  MtPlotMark *marks;           /* one a point, in their order */
  GArray     *stairs;          /* of MtXY: a line */
  GArray     *benchmarks;      /* of MtPlotLine: those shown */
  double      zone_right;      /* x where the zone ends; NaN: none */
  gboolean    zone_edge;       /* that end is inside the area */
  GArray     *texts;           /* of MtPlotText: none overlaps another */
  GArray     *legend;          /* of MtPlotLegendMark; their words are among the texts */
  int         recommended, selected;   /* -1 when not visible */
  MtBox       callout;         /* width 0: none */
  MtXY        leader[3];       /* from the recommended point to its callout */
  MtBox       badges[2];       /* of A and B; width 0: none */
  MtXY        stalks[2][2];    /* from the edge of the pinned mark to the middle of its badge */
} MtPlotLayout;

MtPlotLayout *mt_plot_layout_new   (const MtPlotSpec   *spec,
                                    double              width,
                                    double              height,
                                    MtPlotMeasure       measure,
                                    gpointer            measure_data);
void          mt_plot_layout_free  (MtPlotLayout       *layout);

/* The point under the pointer or -1; one that no other beats goes first. */
int           mt_plot_layout_hit   (const MtPlotLayout *layout,
                                    double              x,
                                    double              y);

/* Where a note of that size about a point goes. */
void          mt_plot_layout_place_note (const MtPlotLayout *layout,
                                    int                 index,
                                    double              width,
                                    double              height,
                                    MtBox              *box);

typedef enum {
  MT_PLOT_LEFT,
  MT_PLOT_RIGHT,
  MT_PLOT_UP,
  MT_PLOT_DOWN,
} MtPlotDirection;

/* Where an arrow key leads from @index, or from nowhere when it is -1: left and right walk the
 * staircase, up and down go to any point near. @index itself when there is no further point. */
int           mt_plot_layout_neighbour (const MtPlotLayout *layout,
                                        int                 index,
                                        MtPlotDirection     direction);

/* TRUE for each point that no other beats; @dominated: n_points of them. */
void          mt_plot_find_dominated   (const MtPlotPoint  *points,
                                        guint               n_points,
                                        gboolean           *dominated);

gboolean      mt_box_overlaps          (const MtBox        *a,
                                        const MtBox        *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtPlotLayout, mt_plot_layout_free)

G_END_DECLS
