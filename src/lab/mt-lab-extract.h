/* From a network's nodes to rules: the same for core's networks and for those of the lab.
 *
 * Each node's table is minimized with the combinations that no training row has as don't-cares; the answer to a row is that
 * of the formula. Complexity is the paper's: literals of all nodes with a weight, single columns with one, and the bias. */
#pragma once

#include "mt-lab-private.h"

G_BEGIN_DECLS

#define MT_LAB_MAX_INPUTS MT_QMC_EXACT_FAN_IN

typedef struct {
  guint   n_inputs;
  guint32 inputs[MT_LAB_MAX_INPUTS];   /* literals */
  guint64 table[4];                    /* as the network has it */
  guint64 unseen[4];                   /* no training row */
} MtLabNode;

/* Fills in what training rows have not shown. TRUE unless the node says the same of all of them. */
gboolean mt_lab_node_look    (MtLabNode       *node,
                              const MtEncoded *encoded);
/* The answer of the formula to each row; @answers: n_rows. */
void     mt_lab_node_answers (const MtCover   *cover,
                              const MtLabNode *node,
                              const MtEncoded *encoded,
                              guint8          *answers);

/* A node of core's network; FALSE: it has too many inputs. */
gboolean mt_lab_node_read    (MtLabNode       *node,
                              const MtNet     *net,
                              guint            index);

G_END_DECLS
