/* Looks at the start of a CSV and says how to read it: encoding, delimiter, quote, header,
 * lines in front of the table. Private to core. */
#pragma once

#include "data/mt-schema.h"
#include "mt-csv.h"
#include "mt-csv-dialect.h"

G_BEGIN_DECLS

typedef struct {
  gsize offset;    /* into the sample's bytes */
  gsize length;
} MtCsvCell;

/* The first records, cut into cells. */
typedef struct {
  GByteArray *bytes;
  GArray     *cells;      /* of MtCsvCell */
  GArray     *starts;     /* of gsize: a record's first cell; one more at the end */
} MtCsvSample;

typedef struct {
  MtCsvDialect *dialect;        /* encoding, delimiter, quote, header and missing tokens are set */
  guint         n_columns;
  char        **names;          /* as written, n_columns and NULL; NULL without a header */
  guint64       header_line;    /* 1-based */
  gsize         data_offset;    /* in decoded text: where the first data record starts */
  guint64       data_line;      /* the line there, 1-based */
  guint         n_preamble;     /* records skipped in front of the header */
  guint64       preamble_line;
  char         *preamble_text;
  char          unused_delimiter; /* 0, or what could separate columns where there is only one */
  MtCsvSample   sample;         /* data records only */
} MtCsvLayout;

/* Encoding by BOM or by the pattern of NUL bytes; NULL: UTF-8, to be proven by reading.
 * Fails with "not a text table" on what is clearly something else. */
gboolean     mt_csv_detect_encoding (const char *head, gsize length, const char **encoding, GError **error);
/* Bytes that are not UTF-8: Windows-1252, or a multi-byte encoding that must be named?
 * Returns the likely name of the latter, or NULL. */
const char  *mt_csv_detect_multibyte (const char *head, gsize length);

/* @schema: whose names, if the first line has one of them, make it the header; may be NULL.
 * @problem: what the text ran into, with its line, when the sample could not be decoded
 * (the layout is then NULL and @error not set). */
MtCsvLayout *mt_csv_layout_detect (MtCsvSource *source, const MtCsvDialect *wanted, const MtSchema *schema,
                                   const char *encoding, MtCsvProblem *problem, guint8 *problem_byte, guint64 *problem_line,
                                   GCancellable *cancellable, GError **error);
void         mt_csv_layout_free   (MtCsvLayout *layout);

guint        mt_csv_sample_get_n_records (const MtCsvSample *sample);
const char  *mt_csv_sample_get_cell      (const MtCsvSample *sample, guint record, guint column, gsize *length);

/* What is wrong with a record, for people. @text: the line's start, quoted in the message. */
void         mt_csv_set_tokens_error (GError **error, MtCsvTokens what, guint64 line,
                                      const char *text, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCsvLayout, mt_csv_layout_free)

G_END_DECLS
