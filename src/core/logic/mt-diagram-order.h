/* Private to mt-diagram: the order of the inputs. */
#pragma once

#include "mt-diagram.h"

G_BEGIN_DECLS

/* Open addressing from pairs of numbers to numbers, for at most @n_max pairs. */
typedef struct {
  guint64 *keys;      /* 0: free */
  guint32 *values;
  guint32  mask;
} MtPairTable;

void     mt_pair_table_init  (MtPairTable *pairs, guint n_max);
void     mt_pair_table_clear (MtPairTable *pairs);
/* Forgets everything; from now on at most @n_max pairs, no more than at first. */
void     mt_pair_table_reset (MtPairTable *pairs, guint n_max);
/* The number of pair (a, b), which becomes @otherwise if it is new. Any numbers but a = b = 2^32-1. */
guint32  mt_pair_table_get   (MtPairTable *pairs, guint32 a, guint32 b, guint32 otherwise);

/* Fills @order, top first, with all inputs. TRUE when no order needs fewer nodes. */
gboolean mt_diagram_find_order (guint fan_in, const guint64 *table, guint8 *order);

G_END_DECLS
