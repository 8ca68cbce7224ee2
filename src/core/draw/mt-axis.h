/* An axis with ticks at round numbers: linear (1, 2 or 5 times a power of ten) or
 * logarithmic. A range of no width is widened and flagged, so that nothing divides by it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double   value;
  double   position;   /* 0 … 1 along the axis */
  gboolean major;      /* has a label */
  char     label[32];  /* true minus; "" for a minor tick */
} MtTick;

typedef struct {
  double    low, high;
  gboolean  log;
  gboolean  degenerate;   /* there was no range; it was made up */
  char      decimal;      /* '.' or ',' in labels */
  guint     n_ticks;
  MtTick   *ticks;        /* ascending */
} MtAxis;

/* Room that a label takes along the axis. */
typedef double (*MtLabelRoom)  (const char *label,
                                gpointer    data);

/* @low and @high may be NaN or equal. A logarithmic axis has its values at 1e-9 or more. */
void   mt_axis_init            (MtAxis      *axis,
                                double       low,
                                double       high,
                                gboolean     log,
                                char         decimal);
/* As many labels as fit in @length with @gap between them, at least @least_step apart in value
 * when linear (1: whole numbers only; 0: any). */
void   mt_axis_place_ticks     (MtAxis      *axis,
                                double       length,
                                double       gap,
                                double       least_step,
                                MtLabelRoom  room,
                                gpointer     data);
/* Moves the ends outwards to the next tick, and the ticks with them. */
void   mt_axis_extend_to_ticks (MtAxis      *axis,
                                double       length,
                                double       gap,
                                double       least_step,
                                MtLabelRoom  room,
                                gpointer     data);
void   mt_axis_clear           (MtAxis      *axis);
double mt_axis_position        (const MtAxis *axis,
                                double        value);     /* outside 0 … 1 when outside the range */
double mt_axis_value           (const MtAxis *axis,
                                double        position);
/* Zooming and panning: the part from @from to @to (positions on @axis, which may lie outside 0 … 1) as
 * values, kept inside @full and no narrower than a fiftieth of it; a part that is pushed against an end
 * keeps its width. */
void   mt_axis_view            (const MtAxis *axis,
                                const MtAxis *full,
                                double        from,
                                double        to,
                                double       *low,
                                double       *high);

G_END_DECLS
