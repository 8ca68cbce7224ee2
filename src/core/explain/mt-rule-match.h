/* Which terms two models have in common.
 *
 * A literal is known by what it asks, not by its number, so the encoders may differ: `Age ≥ 55` is the
 * same question wherever it occurs. A rule is known by its function: the inputs that it really depends
 * on, and its answer to every assignment of them that some conceivable row can have. How it is
 * written, and what it answers to impossible assignments, tells nothing.
 *
 * Sizes: up to some 200 rules a model, 16 inputs a rule. */
#pragma once

#include "encode/mt-encoder.h"
#include "rules/mt-rules.h"

G_BEGIN_DECLS

typedef enum {
  MT_MATCH_SHARED,         /* the same function of the same inputs, or the same numeric column */
  MT_MATCH_SAME_INPUTS,    /* rules that ask the same and answer otherwise */
  MT_MATCH_ONLY_LEFT,
  MT_MATCH_ONLY_RIGHT,
  MT_N_MATCHES,
} MtMatchKind;

typedef struct {
  MtMatchKind kind;
  int         terms[2];    /* of the left and of the right rule set; -1: it has none */
  guint       n_lines;     /* SAME_INPUTS: assignments that can occur … */
  guint       n_differ;    /* … and those of them to which the two answer differently */
} MtTermMatch;

/* Every term of both exactly once: by kind, within a kind in the order of the left set, or of the right.
 * (element-type MtTermMatch) */
GArray *mt_rule_match (const MtRuleSet *const rules[2],
                       const MtEncoder *const encoders[2]);

G_END_DECLS
