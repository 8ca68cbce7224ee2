/* The same rows with fewer thresholds, for networks.
 *
 * Thresholds that only sliding leads to (MtRefineOptions.fine) are up to sixteen times as many as the others. Rules
 * slide among them at little cost; a network would have to choose among all of them in every node and step, and its
 * start would score every pair. So it is trained on the coarse ones, and widened afterwards to the literals of the
 * encoder: it says the same of every row. */
#pragma once

#include "mt-net.h"

G_BEGIN_DECLS

typedef struct {
  MtEncoded *encoded;      /* without the literals left out */
  guint     *literals;     /* by its literals: those they are in the encoded rows it was made of, ascending */
} MtCoarseRows;

/* @left_out: a flag a literal; thresholds only, and not all of a column. NULL when there is not the memory for it
 * (MT_ERROR_BUDGET), or once cancelled. */
MtCoarseRows *mt_coarse_rows_new   (const MtEncoded *encoded,
                                    const gboolean  *left_out,
                                    GCancellable    *cancellable,
                                    GError         **error);
void    mt_coarse_rows_free  (MtCoarseRows          *thin);
/* One value of each literal that is left; NULL for NULL. */
gint8  *mt_coarse_rows_pick  (const MtCoarseRows    *thin,
                              const gint8     *values);
/* A network over the thin rows as one over @n_literals, which chooses none of the others. */
MtNet  *mt_coarse_rows_widen (const MtCoarseRows    *thin,
                              const MtNet     *net,
                              guint            n_literals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCoarseRows, mt_coarse_rows_free)

G_END_DECLS
