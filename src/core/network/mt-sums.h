/* Exact sums over rows, on the CPU or on a GPU: the same numbers of both, whatever the order in which they add up.
 *
 * A session belongs to the rows of one data set. Its planes of bits have numbers: literals are put there once, what a rule
 * is true of whenever it changes. Residuals and curvatures of the rows are whole numbers (mt-fixed.h); they follow from the
 * scores, for two classes, or are made by the caller.
 *
 * Calls for one session come from one thread at a time. */
#pragma once

#include <glib.h>

#include "mt-gpu-sums-api.h"

G_BEGIN_DECLS

typedef struct _MtSums MtSums;

/* @device: "cpu" or "cuda". @memory: bytes of a GPU to use at most; 0: what is free. @data's y must stay. MT_ERROR_DEVICE
 * when the device cannot be had; after any other error of a call the session is of no use. */
MtSums  *mt_sums_new      (const char           *device,
                           const MtGpuSumsData  *data,
                           guint64               memory,
                           GError              **error);
void     mt_sums_free     (MtSums               *self);
/* Words of 64 rows; bits past the last row are 0. */
gboolean mt_sums_put      (MtSums               *self,
                           guint                 plane,
                           const guint64        *words,
                           GError              **error);
gboolean mt_sums_set_rows (MtSums               *self,
                           MtGpuBy               by,
                           const gint32         *numbers,
                           GError              **error);
gboolean mt_sums_get_rows (MtSums               *self,
                           MtGpuBy               by,
                           gint32               *numbers,
                           GError              **error);
gboolean mt_sums_gram     (MtSums               *self,
                           const MtGpuGram      *gram,
                           GError              **error);
gboolean mt_sums_score    (MtSums               *self,
                           MtGpuScores          *scores,
                           GError              **error);
/* For the scores that came last. For each rule, and each pattern of its inputs (@n_sums together): the change of the loss
 * if its answer there turned. */
gboolean mt_sums_gains    (MtSums               *self,
                           const MtGpuRule      *rules,
                           guint                 n_rules,
                           guint                 n_sums,
                           gint64               *gains,
                           GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSums, mt_sums_free)

G_END_DECLS
