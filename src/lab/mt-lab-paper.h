/* The figures that the paper prints, in one place: nothing else of the lab knows any of them.
 *
 * They are kept as they are printed, so that their last digit is known: a printed figure stands for everything that rounds
 * to it. "≤ 15" is an upper limit. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_LAB_MAX_METHODS 10

typedef struct {
  double   value, se;     /* NaN: there is no figure */
  double   unit;          /* half a unit of its last digit */
  gboolean is_limit;      /* it is at most that */
} MtLabFigure;

typedef struct {
  MtLabFigure quality;    /* AUC or R² */
  MtLabFigure literals;
} MtLabResult;

/* One data set of tables 3 to 5 of the experiments T3, T4 and T5. */
typedef struct {
  const char  *experiment;
  const char  *dataset;
  guint        n_methods;
  const char * const *methods;             /* as the paper calls them; the first one is its own */
  MtLabResult  results[MT_LAB_MAX_METHODS];
} MtLabPaperRow;

/* TRUE and the figure, if the paper has one for that cell. */
gboolean mt_lab_paper_find     (const char    *experiment,
                                const char    *row,
                                const char    *column,
                                MtLabFigure   *figure);
/* The cells of an experiment that the paper has a figure for, one after the other; FALSE past the last. */
gboolean mt_lab_paper_get_cell (const char    *experiment,
                                guint          index,
                                const char   **row,
                                const char   **column);
/* The data sets of an experiment, T3, T4 or T5; FALSE past the last. */
gboolean mt_lab_paper_get_row  (const char    *experiment,
                                guint          index,
                                MtLabPaperRow *row);
gboolean mt_lab_paper_find_row (const char    *dataset,
                                MtLabPaperRow *row);
/* Methods that are compared in a table's ranks: all but the black box at its end. */
guint    mt_lab_paper_count_ranked (const MtLabPaperRow *row);

typedef enum {
  MT_LAB_NOT_RUN,
  MT_LAB_REPRODUCED,
  MT_LAB_DIFFERS,
  MT_LAB_NO_FIGURE,       /* it was run, and the paper has no figure for it */
} MtLabMark;

/* Reproduced: not further from the figure than two standard errors of the difference and what rounding hides. */
MtLabMark   mt_lab_mark           (double             value,
                                   double             se,
                                   const MtLabFigure *figure);
const char *mt_lab_mark_to_string (MtLabMark          mark);
/* Of a result that differs: by more quality, or by fewer literals. FALSE where neither direction is better. */
gboolean    mt_lab_is_better      (const char        *experiment,
                                   const char        *column,
                                   double             value,
                                   const MtLabFigure *figure);

G_END_DECLS
