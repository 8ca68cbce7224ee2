/* Truth tables that must not turn back: kernels over tables as in mt-truth-table.h.
 *
 * @up and @down are sets of inputs. A table keeps to them if it never goes from true to false when
 * an input of @up becomes true, nor when one of @down becomes false. An input in both must make no
 * difference. Every prime of such a table names inputs of @up only as they are and inputs of @down
 * only negated, which is what lets the ordinary minimizer be used: see mt_monotone_free().
 *
 * With up = {x0}, x0 ∧ x1 and x0 ∨ ¬x1 keep to it. x0 ⊕ x1 does not: with x1 true, it falls when x0
 * rises. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_MONOTONE_MAX_INPUTS 16
/* Of the functions that weigh answers. */
#define MT_MONOTONE_MAX_WEIGHED 8

gboolean mt_monotone_is    (guint          n_inputs,
                            const guint64 *table,
                            guint32        up,
                            guint32        down);
/* @on are assignments that must be true, @dc those that may be. Leaves in @dc those that can be
 * true in a table which keeps to @up and @down. FALSE: there is no such table. Then every prime
 * of on ∪ dc keeps to them, and so does every cover made of such primes. */
gboolean mt_monotone_free  (guint          n_inputs,
                            const guint64 *on,
                            guint64       *dc,
                            guint32        up,
                            guint32        down);
/* The table with the least Σ gains over its true assignments that keeps to @up and @down: exact, as
 * a maximum flow; of equal ones the one with the fewest true assignments. At most 8 inputs. */
void     mt_monotone_best  (guint          n_inputs,
                            const double  *gains,
                            guint32        up,
                            guint32        down,
                            guint64       *table);

G_END_DECLS
