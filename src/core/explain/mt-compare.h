/* Two models side by side: what they are made of, which terms they share, on which rows they disagree. */
#pragma once

#include <gio/gio.h>

#include "encode/mt-encoder.h"
#include "mt-rule-match.h"
#include "rules/mt-rules.h"

G_BEGIN_DECLS

/* One of the two; everything is borrowed. The encodings may differ, the rows must be the same. */
typedef struct {
  const MtRuleSet *rules;
  const MtEncoder *encoder;
  const MtEncoded *encoded;
} MtCompared;

typedef struct {
  guint   n_rules;        /* terms that are rules */
  guint   n_terms;
  guint   longest;        /* literals of its longest rule; 0: it has none */
  guint   n_columns;      /* columns it reads */
} MtModelShape;

/* A row that the two see differently. */
typedef struct {
  guint32 row;               /* among the rows compared */
  guint   decided[2];        /* classes */
  double  predictions[2];    /* binary: p of the second class; multiclass: p of the class decided; or the number */
} MtRowDifference;

typedef struct {
  MtModelShape  shapes[2];
  char        **only[2];      /* NULL-terminated: columns that one of them reads, in the data's order */
  char        **both;
  gsize         n_rows;
  gsize         n_differ;     /* rows decided differently; numbers: predicted differently */
  double        difference;   /* numbers: mean absolute difference of the predictions */
  GArray       *matches;      /* of MtTermMatch: which terms they share */
  GArray       *rows;         /* of MtRowDifference, n_differ: by row; numbers: the largest difference first */
} MtComparison;

/* NULL only when cancelled, or with MT_ERROR_PARAMS when tasks or rows do not match. */
MtComparison *mt_compare_models    (const MtCompared    models[2],
                                    GCancellable       *cancellable,
                                    GError            **error);
void          mt_comparison_free   (MtComparison       *comparison);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtComparison, mt_comparison_free)

G_END_DECLS
