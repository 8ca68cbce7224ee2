/* What a column is, judged by its texts. A tally counts in how many of them each reading
 * works; the decision looks at the tally only, so it does not depend on the order of the
 * rows, on how they were cut into blocks or on what was guessed from the first of them.
 * Private to core. */
#pragma once

#include "base/mt-date.h"
#include "data/mt-missing.h"
#include "data/mt-table.h"
#include "mt-csv-dialect.h"
#include "mt-quantity.h"

G_BEGIN_DECLS

#define MT_N_NUMBER_FORMATS 7

/* Above this many distinct texts a column is identifier-like, whatever its length. */
#define MT_MAX_CATEGORY_LEVELS 65535u

extern const MtNumberFormat mt_number_formats[MT_N_NUMBER_FORMATS];   /* [0] is the plain one */

typedef struct {
  gsize    n_values;                          /* cells that are not missing */
  gsize    n_distinct;                        /* set by the code that counts; capped just above the limit */
  gsize    n_numbers[MT_N_NUMBER_FORMATS];    /* infinities included */
  gsize    n_dates[MT_N_DATE_ORDERS];
  gsize    n_leading_zero;
  gsize    n_two_ways;                        /* 1.234: a point for decimals or for thousands */
  gsize    n_nothings;                        /* -, None: no number, but nothing else either */
  gsize    n_units;                           /* 12 %, $5: a number with a unit … */
  gsize    n_unit_numbers[MT_N_NUMBER_FORMATS];
  char     unit[MT_UNIT_SIZE];                /* … this one … */
  gboolean other_units;                       /* … or not all with the same */
  gsize    n_grouped;                         /* 1_000, 1,2: digits and separators that no format reads */
  gboolean any_fraction;                      /* a number that is not whole, in any format */
  gboolean any_point;                         /* mt_type_has_point() of any of them */
} MtTypeTally;

typedef struct {
  MtColumnType type;
  guint        format;       /* numbers: index into mt_number_formats */
  MtDateOrder  order;        /* dates */
  gboolean     ambiguous;    /* another format or order would read as many cells, differently */
  gboolean     mixed;        /* at least half are numbers, but not enough to call it a number */
  gboolean     zeros;        /* whole numbers with leading zeros, kept as text */
  gboolean     units;        /* numbers with one unit: kept as text, or read without it where a number is asked for */
  char         unit[MT_UNIT_SIZE];   /* that one; "": signs only, as in “(3.20)” */
  gboolean     grouped;      /* digits with separators, kept as text */
} MtTypeGuess;

void        mt_type_tally_add   (MtTypeTally *tally, const char *text, gsize length, gsize count);
/* @dialect: its decimal, thousands and delimiter, where given, restrict and order the formats.
 * @order: an MtDateOrder that is settled already, or −1. */
void        mt_type_decide      (const MtTypeTally *tally, const MtCsvDialect *dialect, int order, MtTypeGuess *guess);
/* For a column that is to be a number or date whatever its texts are: the format that reads
 * most, without the unit if there is one and it is @unit (mt_schema_get_unit()); the order that reads most. */
void        mt_type_force_number (const MtTypeTally *tally, const MtCsvDialect *dialect, const char *unit,
                                  MtTypeGuess *guess);
MtDateOrder mt_type_best_order  (const MtTypeTally *tally, int order, gboolean *ambiguous);
/* Few enough exceptions to treat them as missing: none, or at most 5 % of 100 or more. */
gboolean    mt_type_tolerable   (gsize n_good, gsize n_values);
/* Numbers but for some “-” or “None” in between, which in a number column say that it is missing. */
gboolean    mt_type_only_nothings (gsize n_numbers, gsize n_nothings, gsize n_values);
gboolean    mt_type_is_nothing  (const char *text, gsize length);
/* Read as a number by any allowed format? */
gboolean    mt_type_is_number   (const char *text, gsize length, const MtCsvDialect *dialect);
/* … or a number with a unit? */
gboolean    mt_type_is_quantity (const char *text, gsize length, const MtCsvDialect *dialect);
gboolean    mt_type_is_date     (const char *text, gsize length);
/* A point at a digit: its meaning depends on the format. */
gboolean    mt_type_has_point   (const char *text, gsize length);

G_END_DECLS
