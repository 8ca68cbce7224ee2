/* What is read of a file and how it is written: the sheet or table, where a file holds several; encoding, delimiter, quote,
 * decimal mark and texts for missing cells. */
#pragma once

#include "data/mt-missing.h"

G_BEGIN_DECLS

/* How the bytes are to be read. In options every field has an "auto"; in a result every
 * field says what was used. */
typedef struct {
  char      *encoding;        /* iconv name, e.g. "UTF-8", "WINDOWS-1252"; NULL: detect */
  char       delimiter;       /* ',' ';' '\t' '|' …; 0: detect */
  char       quote;           /* '"' or '\''; 0: detect; MT_CSV_NO_QUOTE: none */
  char       decimal;         /* '.' or ','; 0: detect */
  char       thousands;       /* ',' '.' ' ' '\'' ; 0: detect; MT_CSV_NO_THOUSANDS: none */
  int        header;          /* 1 yes, 0 no, -1 detect */
  char     **missing_tokens;  /* NULL: the usual ones (mt_missing_get_default_tokens) */
  char      *sheet;           /* of a spreadsheet; NULL: the only one that is not empty; in a result: the one read */
  char      *table;           /* of a database; NULL: the only one; in a result: the one read, or NULL */
  char      *query;           /* of a database, instead of a table: a SELECT */
} MtCsvDialect;

#define MT_CSV_NO_QUOTE     '\x01'
#define MT_CSV_NO_THOUSANDS '\x01'

#define MT_CSV_MAX_FIELD   (16u * 1024 * 1024)
#define MT_CSV_MAX_COLUMNS 100000u

MtCsvDialect *mt_csv_dialect_new  (void);     /* all auto */
MtCsvDialect *mt_csv_dialect_copy (const MtCsvDialect *dialect);
void          mt_csv_dialect_free (MtCsvDialect *dialect);
/* What to read of a spreadsheet (@is_sheet) or database, instead of what was chosen before. */
void          mt_csv_dialect_choose (MtCsvDialect *dialect, gboolean is_sheet, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCsvDialect, mt_csv_dialect_free)

G_END_DECLS
