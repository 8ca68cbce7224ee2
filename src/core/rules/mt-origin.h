/* Where a rule comes from: a node of the network, with what the network itself had to say, the scan
 * for interactions, whose rules never were a node, or somebody who edited it. Tells nothing of what the rule answers: refining may
 * have set its table again, dropped inputs, or moved thresholds since.
 *
 *   node   true iff Σ weights of its true inputs > threshold
 *   deep   any table
 *
 * Immutable and counted. */
#pragma once

#include "encode/mt-encoder.h"

G_BEGIN_DECLS

typedef enum {
  MT_ORIGIN_SCAN,
  MT_ORIGIN_NODE,
  MT_ORIGIN_DEEP,
  MT_ORIGIN_EDIT,
} MtOriginKind;

/* What changed the rule on its way from there; refine's own moves down (inputs dropped, tables set again, thresholds slid
 * within their column) are not counted. */
typedef enum {
  MT_CHANGED_BY_GRADIENT = 1 << 0,   /* training moved the node's inputs, or what it answers */
  MT_CHANGED_BY_EXCHANGE = 1 << 1,   /* a literal became another, or one came, at equal complexity */
} MtOriginChanges;

/* What the node said to an assignment of the rule's inputs. */
typedef enum {
  MT_SAYS_NOTHING,     /* it was no node, or that is not recorded */
  MT_SAYS_NO,
  MT_SAYS_YES,
  MT_SAYS_EITHER,      /* it depends on an input that the rule no longer has */
} MtNodeSays;

#define MT_ORIGIN_MAX_INPUTS 16

typedef struct _MtOrigin MtOrigin;

MtOrigin       *mt_origin_new_scan      (void);
MtOrigin       *mt_origin_new_edit      (void);
/* MT_ERROR_PARSE unless @inputs (literals) ascend and all numbers are finite. */
MtOrigin       *mt_origin_new_node      (const guint *inputs, guint n_inputs, const double *weights, double threshold,
                                         GError **error);
MtOrigin       *mt_origin_new_deep      (const guint *inputs, guint n_inputs, const guint64 *table, GError **error);
MtOrigin       *mt_origin_ref           (MtOrigin *origin);
void            mt_origin_unref         (MtOrigin *origin);
/* The same with @changes as well. */
MtOrigin       *mt_origin_new_changed   (const MtOrigin *origin, MtOriginChanges changes);
MtOriginChanges mt_origin_get_changes   (const MtOrigin *origin);
MtOriginKind    mt_origin_get_kind      (const MtOrigin *origin);
gboolean        mt_origin_is_node       (const MtOrigin *origin);    /* with weights, or deep */
guint           mt_origin_get_n_inputs  (const MtOrigin *origin);    /* 0 but of a node */
const guint    *mt_origin_get_inputs    (const MtOrigin *origin);
const double   *mt_origin_get_weights   (const MtOrigin *origin);    /* NULL but of a node with weights */
double          mt_origin_get_threshold (const MtOrigin *origin);    /* 0 but of a node with weights */
const guint64  *mt_origin_get_table     (const MtOrigin *origin);    /* NULL but of a node */
/* One of @says for each assignment of @inputs, of which there are up to MT_ORIGIN_MAX_INPUTS. */
void            mt_origin_answer        (const MtOrigin *origin, const MtEncoder *encoder, const guint *inputs,
                                         guint n_inputs, guint8 *says);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtOrigin, mt_origin_unref)

G_END_DECLS
