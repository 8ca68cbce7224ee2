/* What the parts of the Frontier page share: the page itself, and the comparison methods. */
#pragma once

#include "mt-frontier-page.h"

#include "mt-frontier-table.h"
#include "mt-plot-view.h"
#include "study/mt-benchmarks.h"
#include "widgets/mt-compare-panel.h"

G_BEGIN_DECLS

struct _MtFrontierPage {
  AdwBin              parent_instance;

  /* template children */
  GtkStack           *stack;
  AdwStatusPage      *empty;
  GtkButton          *empty_button;
  AdwStatusPage      *failed;
  GtkLabel           *running_title;
  GtkProgressBar     *running_bar;
  GtkLabel           *running_detail;
  GtkRevealer        *stale;
  GtkRevealer        *earlier;        /* models of data that have changed since */
  GtkLabel           *earlier_text;
  GtkToggleButton    *earlier_button;
  GtkRevealer        *nothing;        /* no rule survives */
  GtkButton          *failed_button;
  GtkRevealer        *working;
  GtkLabel           *working_label;
  GtkProgressBar     *working_bar;
  AdwFlap            *flap;
  GtkLabel           *title;
  GtkLabel           *predicted;
  GtkToggleButton    *log_button;
  GtkToggleButton    *linear_button;
  GtkToggleButton    *pin_button;
  GtkButton          *zoom_out_button;
  GtkButton          *zoom_in_button;
  GtkButton          *reset_button;
  GtkFlowBox         *legend;
  MtPlotView         *plot;
  MtComparePanel     *compare;
  GtkButton          *table_button;
  GtkColumnView      *column_view;
  GtkButton          *plot_button;
  GtkLabel           *short_note;     /* below the plot, where the table with the other is over it */
  GtkWidget          *sign_note;
  GtkLabel           *note;
  GtkSpinner         *benchmark_spinner;
  GtkListBox         *benchmark_list;
  GtkWidget          *results_group;
  GtkListBox         *results_list;

  MtDocument         *document;
  MtStudy            *study;
  MtBenchmarks       *benchmarks;
  MtFrontierTable    *table;         /* belongs to column_view */
  GtkSingleSelection *selection;     /* of the table's sorted points */
  gboolean            showing;       /* the selection follows the study */
  gboolean            was_running;
  const char         *metric;        /* shown */
  guint               refreshing;    /* idle */
  guint               scrolling;     /* timeout */
  guint               arranging;     /* idle */
  gboolean            was_folded;
  gboolean            was_shown;     /* the table */
  char               *results_text;  /* imported results as they are shown; NULL: none */
  GPtrArray          *results;       /* of MtResult, of that text */
};

/* --- mt-frontier-benchmarks.c --- */

/* The task of the selected model; binary without one. */
MtTask  _mt_frontier_page_task_of         (MtFrontierPage *self);
/* The run whose rows and folds the comparison methods are evaluated on: the recommended point's. */
MtRun  *_mt_frontier_page_main_run        (MtFrontierPage *self);
guint   _mt_frontier_page_tree_literals   (MtFrontierPage *self);
/* Evaluates them if there are rows and nothing is being trained; shows what is known. */
void    _mt_frontier_page_find_benchmarks (MtFrontierPage *self);
void    _mt_frontier_page_show_benchmarks (MtFrontierPage *self);

/* --- mt-frontier-results.c: results of other methods, which somebody imported --- */

/* Reads what the document keeps; FALSE: it is what is shown. */
gboolean _mt_frontier_page_read_results   (MtFrontierPage *self);
/* In the plot, before it reads its points, and in the list below the baselines. */
void    _mt_frontier_page_show_results    (MtFrontierPage *self);
/* Methods that have no literals, or far more than any model, are lines: of MtPlotBenchmark, and their labels. */
void    _mt_frontier_page_add_result_lines (MtFrontierPage *self,
                                            GArray         *lines,
                                            GPtrArray      *labels);
void    _mt_frontier_page_add_result_legend (MtFrontierPage *self,
                                             GArray         *legend);

G_END_DECLS
