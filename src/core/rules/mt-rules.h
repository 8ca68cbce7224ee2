/* The model: weighted rules that predict without the network.
 *
 *   score_c(row) = bias_c + Σ_t weight_{t,c} · value_t(row)          c in 0 … n_outputs-1
 *
 * A term is a standardized numeric column (a unary term) or a rule. A rule is a cover, an OR
 * of ANDs over at most MT_RULE_MAX_INPUTS literals; a one-literal rule is how a level or a
 * single threshold enters. Binary: one output, p = σ(score) of the second class. Multiclass:
 * one output a class, softmax; a class weight that earns nothing is exactly zero. Regression:
 * one output, in the target's own units.
 *
 * Complexity, the one definition: literals over all rules + unary terms + 1 for the bias; a
 * rule with weights for several classes counts once.
 *
 * Every answer of a rule comes from its cover. The three don't-care sets only tell which of
 * the answers nothing depends on, and why:
 *   impossible  no conceivable row has this assignment (thermometer order, one-hot, missing)
 *   unseen      no training row has it
 *   neutral     the training loss hardly cares (mt-rule-insensitive.h)
 * The first two the minimizer was free to choose, as far as the mode allows; the third it was not.
 * They are disjoint: an assignment is listed under the first reason that applies.
 *
 * Both types are immutable and counted. Usual sizes: 1–60 rules of 1–5 inputs. */
#pragma once

#include <gio/gio.h>

#include "encode/mt-encoded.h"
#include "logic/mt-cube.h"
#include "mt-origin.h"
#include "base/mt-task.h"

G_BEGIN_DECLS

#define MT_RULE_MAX_INPUTS  16
#define MT_RULE_MAX_CUBES   65536
#define MT_MAX_OUTPUTS      1000

typedef enum {
  MT_DONT_CARE_IMPOSSIBLE,
  MT_DONT_CARE_UNSEEN,
  MT_DONT_CARE_NEUTRAL,
  MT_N_DONT_CARES,
} MtDontCare;

typedef struct _MtRule MtRule;

/* Words of a truth table over @n_inputs; bit v of the table is assignment v, input i is bit i of v. */
static inline gsize
mt_rule_table_words (guint n_inputs)
{
  return n_inputs <= 6 ? 1 : (gsize) 1 << (n_inputs - 6);
}

/* @inputs: literal ids, ascending. @dont_cares: one table a reason, each may be NULL (none);
 * copied. Fails with MT_ERROR_PARSE, naming what is wrong, unless: inputs ascend, every cube
 * lies within the inputs and demands only what it masks, every input is used, the rule is
 * neither constant, and the don't-care sets are disjoint. */
MtRule         *mt_rule_new              (const guint      *inputs,
                                          guint             n_inputs,
                                          const MtCube     *cubes,
                                          guint             n_cubes,
                                          const guint64    *dont_cares[MT_N_DONT_CARES],
                                          gboolean          proven,
                                          GError          **error);
MtRule         *mt_rule_new_literal      (guint             literal,
                                          gboolean          negated);
MtRule         *mt_rule_ref              (MtRule           *rule);
void            mt_rule_unref            (MtRule           *rule);
guint           mt_rule_get_n_inputs     (const MtRule     *rule);
const guint    *mt_rule_get_inputs       (const MtRule     *rule);
guint           mt_rule_get_n_cubes      (const MtRule     *rule);
const MtCube   *mt_rule_get_cubes        (const MtRule     *rule);
guint           mt_rule_get_n_literals   (const MtRule     *rule);   /* of the cover: its complexity */
gboolean        mt_rule_get_proven       (const MtRule     *rule);   /* no cover has fewer literals */
/* What the rule answers to each assignment, don't-cares included. */
const guint64  *mt_rule_get_table        (const MtRule     *rule);
/* NULL when the set is empty. */
const guint64  *mt_rule_get_dont_care    (const MtRule     *rule,
                                          MtDontCare        reason);
guint           mt_rule_count_dont_care  (const MtRule     *rule,
                                          MtDontCare        reason);
/* Where it comes from; NULL: that is not recorded. Set while the rule has one owner. */
const MtOrigin *mt_rule_get_origin       (const MtRule     *rule);
void            mt_rule_set_origin       (MtRule           *rule,
                                          const MtOrigin   *origin);
/* By what they answer and how they are written, wherever they come from. */
gboolean        mt_rule_equal            (const MtRule     *a,
                                          const MtRule     *b);
/* Bit r of @out: is the rule true of row r? Whole words; n_words of them. */
void            mt_rule_evaluate         (const MtRule     *rule,
                                          const MtEncoded  *encoded,
                                          gsize             first_word,
                                          gsize             n_words,
                                          guint64          *out);

typedef struct {
  gboolean  is_numeric;
  guint     numeric;      /* is_numeric: index of the standardized column */
  MtRule   *rule;         /* otherwise */
  double   *weights;      /* n_outputs */
  guint     number;       /* of a rule: what people call it, from 1; edits keep it. 0: not given yet */
} MtTerm;

typedef struct _MtRuleSet MtRuleSet;

/* Copies the terms' weights and takes its own reference to their rules. Rules without a number get the next ones above
 * all that are given, in their order. Fails with MT_ERROR_PARSE when a weight is not finite, a column, a rule or a rule's
 * number occurs twice, or the number of outputs does not fit the task. */
MtRuleSet      *mt_rule_set_new          (MtTask            task,
                                          guint             n_outputs,
                                          const double     *bias,
                                          const MtTerm     *terms,
                                          guint             n_terms,
                                          GError          **error);
MtRuleSet      *mt_rule_set_ref          (MtRuleSet        *set);
void            mt_rule_set_unref        (MtRuleSet        *set);
MtTask          mt_rule_set_get_task     (const MtRuleSet  *set);
guint           mt_rule_set_get_n_outputs (const MtRuleSet *set);
const double   *mt_rule_set_get_bias     (const MtRuleSet  *set);
guint           mt_rule_set_get_n_terms  (const MtRuleSet  *set);
const MtTerm   *mt_rule_set_get_term     (const MtRuleSet  *set,
                                          guint             index);
/* Of two classes: the second is decided iff its probability is above this; MT_CUTOFF unless another was chosen. */
double          mt_rule_set_get_cutoff   (const MtRuleSet  *set);
/* The same rules with another. MT_ERROR_PARAMS: it is not between 0 and 1, or there are not two classes. */
MtRuleSet      *mt_rule_set_with_cutoff  (const MtRuleSet  *set,
                                          double            cutoff,
                                          GError          **error);
guint           mt_rule_set_get_complexity (const MtRuleSet *set);
guint           mt_rule_set_get_n_rules  (const MtRuleSet  *set);    /* terms that are rules */
guint           mt_rule_set_get_last_number (const MtRuleSet *set);  /* the highest number of a rule; 0: there are none */
/* Do all literals and columns exist? MT_ERROR_SCHEMA names the first that does not. */
gboolean        mt_rule_set_validate     (const MtRuleSet  *set,
                                          guint             n_literals,
                                          guint             n_numeric,
                                          GError          **error);
/* scores: n_outputs × n_rows, output after output. Sums run in the order of the terms, so a
 * row's score is the same whatever rows are next to it. */
void            mt_rule_set_score        (const MtRuleSet  *set,
                                          const MtEncoded  *encoded,
                                          double           *scores);
/* Scores in place to what is reported: binary p of the second class, multiclass p of each
 * class, regression unchanged. */
void            mt_task_link             (MtTask            task,
                                          guint             n_outputs,
                                          gsize             n_rows,
                                          double           *scores);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRule, mt_rule_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRuleSet, mt_rule_set_unref)

G_END_DECLS
