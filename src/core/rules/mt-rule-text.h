/* Rules as people read them, both forms, nothing cut:
 *
 *   DNF  Age ≥ 55 and Color = "red", or Income < 20000
 *   CNF  (Age ≥ 55 or Income < 20000) and (Color = "red" or Income < 20000)
 *
 * `Age < 55 or missing` stands in brackets where it is joined by `and`; together with `Age is present` it is `Age < 55`, here
 * and in the window (mt-rule-phrase.h). Both are made from the rule's
 * cover or truth table; neither is ever read back. */
#pragma once

#include "encode/mt-encoder.h"
#include "mt-rules.h"

G_BEGIN_DECLS

typedef enum {
  MT_RULE_FORM_DNF,
  MT_RULE_FORM_CNF,
} MtRuleForm;

char *mt_rule_dup_text       (const MtRule *rule, const MtEncoder *encoder, MtRuleForm form);
/* One conjunction of the rule: `Age ≥ 55 and Color = "red"`. */
char *mt_rule_dup_cube_text  (const MtRule *rule, const MtEncoder *encoder, guint cube);
/* A term of the model: the rule in DNF, or the numeric column in its shape. */
char *mt_term_dup_text       (const MtTerm *term, const MtEncoder *encoder);
/* Whether a literal's text is itself an alternative: `Age < 55 or missing`. */
gboolean mt_rule_says_or     (const MtEncoder *encoder, guint literal, gboolean negated);
/* Whether a conjunction says of that input's column that it is present, so that "or missing" would say what cannot be. */
gboolean mt_rule_demands_present (const MtRule *rule, const MtEncoder *encoder, MtCube cube, guint input);
/* The encoder's unary term behind a numeric term. */
const MtUnary *mt_term_get_unary (const MtTerm *term, const MtEncoder *encoder);

G_END_DECLS
