/* Dates as text: ISO 8601 dates and times, and days written d/m/y or m/d/y with a full
 * year. A moment is a number: days since 1970-01-01 UTC, with a fraction. Private to core. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  MT_DATE_YMD,
  MT_DATE_DMY,
  MT_DATE_MDY,
  MT_N_DATE_ORDERS,
} MtDateOrder;

gboolean mt_date_parse (const char *text, gsize length, MtDateOrder order, double *days);

G_END_DECLS
