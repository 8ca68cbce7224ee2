/* Dates in the proleptic Gregorian calendar, years 0001 … 9999.
 *
 * A moment is a number: days since 1970-01-01 UTC, whole days plus seconds / 86400.0. It is computed just so
 * in both directions; then a text that mt_date_dup_iso() makes reads back as the same double. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  MT_DATE_YMD,
  MT_DATE_DMY,
  MT_DATE_MDY,
  MT_N_DATE_ORDERS,
} MtDateOrder;

/* ISO 8601 dates and times, and days written d/m/y or m/d/y with a four-digit year. */
gboolean mt_date_parse         (const char *text, gsize length, MtDateOrder order, double *days);
/* `2015-03-01`, or `2015-03-01T12:30:00`; NULL when no such text reads back as @days. */
char    *mt_date_dup_iso       (double days);

/* 1970-01-01 is day 0; @month 1 … 12, @day from 1. */
gint64   mt_date_to_days       (int year, int month, int day);
void     mt_date_from_days     (gint64 days, int *year, int *month, int *day);

/* A moment t with a < t ≤ b that reads well: the last start of a year in the gap, or else
 * of a month, a day, an hour, a minute, a second; the shortest decimal in the gap if there is none. */
double   mt_date_round_between (double a, double b);

G_END_DECLS
