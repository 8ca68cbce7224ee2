/* What the parts of an import share. */
#pragma once

#include "mt-column-builder.h"
#include "mt-csv-detect.h"
#include "mt-import.h"

G_BEGIN_DECLS

/* How a column's cells are read, as far as its texts leave a choice. */
typedef struct {
  char decimal;   /* '.' or ','; 0: no text needed one */
  int  order;     /* an MtDateOrder; −1: there were no dates */
} MtColumnReading;

/* A cell that is a number or a date, but not in the way that the cells before it are. */
typedef struct {
  guint64      line;    /* 0: there is none */
  char        *column;
  char        *text;
  MtColumnType type;
} MtOddCell;

struct _MtImport {
  gatomicrefcount  ref_count;
  MtTable         *table;
  MtCsvDialect    *dialect;
  MtCsvDialect    *asked;      /* as the options had them, of a whole file; NULL: guesses only */
  MtSchema        *schema;
  GPtrArray       *findings;
  char            *sha256;
  guint64          n_bytes;
  GArray          *readings;   /* of MtColumnReading, by column: those it was given, and what it found; NULL: not asked for */
  MtOddCell        odd;        /* the first by column */
};

/* All of an import, in mt-import-job.c. @readings: of the parts of the file before this one, none if it is the first;
 * NULL: it is the whole file. */
MtImport *mt_import_source (MtCsvSource *source, const MtImportOptions *options, const GArray *readings,
                            GCancellable *cancellable, GError **error);

/* Rows to physical lines: within a run, line = line of its first row + rows since. Files
 * without blank lines or line ends inside quotes need one run. */
typedef struct {
  guint64 row;
  guint64 line;
} MtLineRun;

guint64   mt_line_map_get (const GArray *runs, guint64 row);

/* Everything about a finished reading that findings are made of. */
typedef struct {
  const MtCsvLayout  *layout;
  const MtCsvDialect *wanted;           /* as the caller asked */
  const MtSchema     *schema;           /* may be NULL */
  char              **names;            /* final, n_columns */
  MtColumnResult     *results;          /* n_columns */
  GArray            **events;           /* n_columns, of MtCellEvent; NULLs */
  const GArray       *line_runs;
  gsize               n_rows;
  const GArray       *ragged;           /* of MtRagged: the first that are short … */
  const GArray       *padded;           /* … and the first with empty fields too many */
  gsize               n_short, n_padded;
  gboolean            encoding_assumed;
  guint64             encoding_line;
  guint8              encoding_byte;
  gboolean            encoding_guessed; /* UTF-16 without a BOM */
} MtImportFacts;

/* Distinct names, also when case is ignored; adds findings for those that had to change. */
char    **mt_import_make_names    (const MtCsvLayout *layout, GPtrArray *findings);
void      mt_import_add_findings  (const MtImportFacts *facts, GPtrArray *findings);
/* The table with guessed or given roles; consumes the columns of the results. */
MtTable  *mt_import_make_table    (const MtImportFacts *facts, GPtrArray *findings);

/* Puts the derived columns behind those of the file; on failure the import is gone. */
gboolean  mt_import_derive        (MtImport **import, const MtSchema *schema, GError **error);

/* mt_csv_each_record() of any source. */
gboolean  mt_csv_each_record_of   (MtCsvSource *source, const MtCsvDialect *dialect, MtCsvCellsFunc func,
                                   gpointer user_data, GCancellable *cancellable, GError **error);

/* "line 5 has 3 fields, 4 are expected" for the first ragged records. */
char     *mt_import_describe_ragged (const GArray *ragged, const GArray *line_runs, guint n_columns);

G_END_DECLS
