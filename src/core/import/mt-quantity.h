/* A number with what people write around it: “$1,200.50”, “12 %”, “5 kg”, “(3.20)” or
 * “3.20-”. In a column of such texts the number means something only if the unit is always the same, so
 * the unit comes with the number and is judged by the code that sees the whole column.
 * Private to core. */
#pragma once

#include "base/mt-number.h"
#include "data/mt-table.h"

G_BEGIN_DECLS

typedef struct {
  const char *number;             /* within the text */
  gsize       length;
  gboolean    negative;           /* a minus in front of the unit or behind the number, or brackets */
  char        unit[MT_UNIT_SIZE]; /* “$”, “%”, “kg”; empty when there is only such a sign */
} MtQuantity;

/* FALSE: nothing stands around the number, or what does is no unit, or there is no number. */
gboolean     mt_quantity_split (const char *text, gsize length, MtQuantity *quantity);
/* A plain number, or one with that unit ("": with signs only; NULL: with any). */
MtNumberKind mt_quantity_parse (const char *text, gsize length, const MtNumberFormat *format, const char *unit,
                                double *value);

/* Whether the unit is one that may be in front of the number: a currency. */
gboolean     mt_quantity_may_lead (const char *unit);

G_END_DECLS
