/* What the files of the lab share: data sets, jobs, cells. */
#pragma once

#include "mt-core.h"
#include "mt-lab.h"
#include "mt-lab-paper.h"

G_BEGIN_DECLS

/* --- data sets --- */

typedef struct {
  char    *name, *target;
  MtTask   task;
  gsize    n_rows;
  guint    n_columns;
  char    *path;
  GMutex   lock;          /* of table: read when first wanted */
  MtTable *table;
} MtLabDataset;

/* Those of the manifest, by rising number of rows (element-type MtLabDataset). */
GPtrArray *mt_lab_datasets_read  (const char    *folder,
                                  GError       **error);
MtLabDataset *mt_lab_datasets_find (GPtrArray   *datasets,
                                  const char    *name);     /* NULL: there is none */
/* Read once, then shared. */
MtTable   *mt_lab_dataset_ref_table (MtLabDataset *dataset,
                                  GError       **error);

/* Rows of a table: a fifth for the test, a fifth of the rest for validation. */
typedef struct {
  GArray *dev;            /* train and valid together */
  GArray *train, *valid, *test;
} MtLabSplit;

void       mt_lab_split_clear    (MtLabSplit    *split);
gboolean   mt_lab_split          (const MtTable *table,
                                  guint          seed,
                                  MtLabSplit    *split,
                                  GError       **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtLabSplit, mt_lab_split_clear)

/* Some rows as bits with their targets. */
typedef struct {
  MtEncoded *encoded;
  double    *target;      /* class numbers, or numbers */
  guint32   *classes;     /* NULL for regression */
  gsize      n_rows;
} MtLabRows;

void       mt_lab_rows_clear     (MtLabRows     *rows);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtLabRows, mt_lab_rows_clear)

/* Learning rows by the paper's encoding: thresholds at quantiles of the rows. */
typedef struct {
  MtTask     task;
  guint      n_outputs;
  MtTarget  *target;
  MtEncoder *encoder;
  MtLabRows  train, valid, test;
} MtLabBits;

void       mt_lab_bits_clear     (MtLabBits     *bits);
gboolean   mt_lab_bits_read      (MtLabDataset  *dataset,
                                  guint          seed,
                                  guint          bits,
                                  MtLabBits     *out,
                                  GError       **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtLabBits, mt_lab_bits_clear)

/* --- cells --- */

typedef struct {
  char  *row, *column;
  double value;
} MtLabCell;

typedef struct _MtLabCells MtLabCells;

MtLabCells *mt_lab_cells_new     (void);
void        mt_lab_cells_free    (MtLabCells    *cells);
void        mt_lab_cells_put     (MtLabCells    *cells,
                                  double         value,
                                  const char    *column,
                                  const char    *row_format,
                                  ...) G_GNUC_PRINTF (4, 5);
guint       mt_lab_cells_count   (const MtLabCells *cells);
const MtLabCell *mt_lab_cells_get (const MtLabCells *cells,
                                  guint          index);
gboolean    mt_lab_cells_write   (const MtLabCells *cells,
                                  const char    *path,
                                  GError       **error);
/* NULL with MT_ERROR_PARSE: damaged; it is then not counted as done. */
MtLabCells *mt_lab_cells_read    (const char    *path,
                                  GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtLabCells, mt_lab_cells_free)

/* --- jobs --- */

typedef struct _MtLabContext MtLabContext;
typedef struct _MtLabJob MtLabJob;
typedef struct _MtLabExperiment MtLabExperiment;

typedef gboolean (*MtLabJobFunc) (MtLabContext    *context,
                                  const MtLabJob  *job,
                                  MtLabCells      *cells,
                                  GCancellable    *cancellable,
                                  GError         **error);

struct _MtLabJob {
  const MtLabExperiment *experiment;
  char         *name;         /* of its file, without .tsv */
  MtLabJobFunc  run;
  MtLabDataset *dataset;      /* NULL: none */
  const char   *method;       /* NULL: one only; static */
  guint         seed;
  double        number;       /* a setting */
  double        cost;         /* seconds on an idle core, about */
  MtLabCells   *cells;        /* NULL: not there */
  char         *failure;      /* NULL: none */
};

struct _MtLabContext {
  const MtLabOptions *options;
  GPtrArray          *datasets;
  GPtrArray          *jobs;       /* of MtLabJob */
};

struct _MtLabExperiment {
  const char *name, *title;
  const char *comment;        /* a paragraph of the page */
  void      (*list)   (MtLabContext *context, const MtLabExperiment *experiment);
  /* Pictures and cells that follow from all of its jobs' cells; NULL: none. */
  gboolean  (*finish) (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
};

/* Static; NULL name at the end. */
const MtLabExperiment *mt_lab_experiments (void);
/* Adds a job; @format names it within the experiment. */
MtLabJob  *mt_lab_add_job        (MtLabContext          *context,
                                  const MtLabExperiment *experiment,
                                  MtLabJobFunc           run,
                                  MtLabDataset          *dataset,
                                  const char            *method,
                                  guint                  seed,
                                  double                 cost,
                                  const char            *format,
                                  ...) G_GNUC_PRINTF (8, 9);
/* Seeds of a data set: five on small ones or with --full, otherwise one. */
guint      mt_lab_count_seeds    (const MtLabContext    *context,
                                  const MtLabDataset    *dataset);

/* --- all values of one cell --- */

typedef struct {
  const char *experiment;
  const char *row, *column;    /* borrowed */
  GArray     *values;          /* of double: one a job that gave it */
  double      mean, se;        /* se NaN: of one value */
} MtLabMean;

/* Of an experiment, in the order of the jobs (element-type MtLabMean); @extra: further cells, may be NULL. */
GPtrArray *mt_lab_means_new      (MtLabContext          *context,
                                  const MtLabExperiment *experiment,
                                  const MtLabCells      *extra);
const MtLabMean *mt_lab_means_find (GPtrArray           *means,
                                  const char            *row,
                                  const char            *column);

/* Writes all files of OUT and counts marks. */
gboolean   mt_lab_write_pages    (MtLabContext          *context,
                                  MtLabSummary          *summary,
                                  GError               **error);

/* --- the experiments, by file --- */

void       mt_lab_list_topk      (MtLabContext *context, const MtLabExperiment *experiment);
gboolean   mt_lab_finish_topk    (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
void       mt_lab_list_nodes     (MtLabContext *context, const MtLabExperiment *experiment);
gboolean   mt_lab_finish_nodes   (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
void       mt_lab_list_deep      (MtLabContext *context, const MtLabExperiment *experiment);
gboolean   mt_lab_finish_deep    (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
void       mt_lab_list_results   (MtLabContext *context, const MtLabExperiment *experiment);
gboolean   mt_lab_finish_results (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
void       mt_lab_list_need      (MtLabContext *context, const MtLabExperiment *experiment);
gboolean   mt_lab_finish_need    (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
void       mt_lab_list_slots     (MtLabContext *context, const MtLabExperiment *experiment);
gboolean   mt_lab_finish_pairs   (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
void       mt_lab_list_skip      (MtLabContext *context, const MtLabExperiment *experiment);
void       mt_lab_list_bits      (MtLabContext *context, const MtLabExperiment *experiment);
void       mt_lab_list_fan_in    (MtLabContext *context, const MtLabExperiment *experiment);
void       mt_lab_list_temperature (MtLabContext *context, const MtLabExperiment *experiment);
gboolean   mt_lab_finish_ablation (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
void       mt_lab_list_scatter   (MtLabContext *context, const MtLabExperiment *experiment);
gboolean   mt_lab_finish_scatter (MtLabContext *context, const MtLabExperiment *experiment, MtLabCells *cells, GError **error);
void       mt_lab_list_heart     (MtLabContext *context, const MtLabExperiment *experiment);
void       mt_lab_list_formula   (MtLabContext *context, const MtLabExperiment *experiment);

/* Writes OUT/NAME.svg. */
gboolean   mt_lab_write_chart    (MtLabContext          *context,
                                  const char            *name,
                                  MtChart               *chart,
                                  double                 width,
                                  double                 height,
                                  GError               **error);

G_END_DECLS
