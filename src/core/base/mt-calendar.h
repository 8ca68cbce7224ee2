/* Days since 1970-01-01 and ISO 8601, both ways, in the proleptic Gregorian calendar.
 *
 * A moment is whole days plus seconds / 86400.0, computed just so: then a text made here
 * reads back as the same double. Years 0001 … 9999. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* 1970-01-01 is day 0; @month 1 … 12, @day from 1. */
gint64   mt_calendar_to_days       (int year, int month, int day);
void     mt_calendar_from_days     (gint64 days, int *year, int *month, int *day);

/* `2015-03-01`, or `2015-03-01T12:30:00`; NULL when no such text reads back as @days. */
char    *mt_calendar_dup_iso       (double days);
/* The whole of @text is a date, or a date and a time to the second. */
gboolean mt_calendar_parse_iso     (const char *text, double *days);

/* A moment t with a < t ≤ b that reads well: the last start of a year in the gap, or else
 * of a month, a day, an hour, a minute, a second; b's shortest neighbour if there is none. */
double   mt_calendar_round_between (double a, double b);

G_END_DECLS
