/* One rule seen four ways at once: truth table, formula, decision diagram, data rows.
 *
 * The common coin is a set of assignments: a truth table's worth of bits (mt-truth-table.h). A line
 * of the table is a set of one; a term, a way or a box of the diagram is the set of assignments that
 * pass it; a data row is the assignment it has. So every view says what it points at as a set, and
 * lights what has a part in the set: that is the whole of linking.
 *
 * Assignments here count the literals as they are shown. An input that the rule uses only negated is
 * shown negated (`Cholesterol < 168`), so bit i of an assignment is the truth of what the reader
 * sees, not of the rule's literal; mt_rule_view_get_flips() has the difference.
 *
 * Sets of a term, way, box or line leave out impossible assignments, unless they hold no other.
 *
 * Immutable and counted; made on any thread. Usual size: 2–5 inputs; at 10 inputs some 10 ms. */
#pragma once

#include <gio/gio.h>

#include "logic/mt-diagram.h"
#include "mt-rule-book.h"
#include "mt-rule-phrase.h"

G_BEGIN_DECLS

typedef enum {
  MT_ROW_IMPOSSIBLE = 1 << 0,   /* no conceivable row has it */
  MT_ROW_UNSEEN     = 1 << 1,   /* no training row has it */
  MT_ROW_NEUTRAL    = 1 << 2,   /* the training loss does not care */
  MT_ROW_FREE       = 1 << 3,   /* the minimizer was free to choose the outcome */
  MT_ROW_REFINED    = 1 << 4,   /* re-optimised: training rows have it, and the network said otherwise, or either */
} MtRowMark;

typedef struct _MtRuleView MtRuleView;

/* Bit i: input i is shown negated, because the rule uses it no other way. */
guint32           mt_rule_find_flips           (const MtRule     *rule);
/* The rule's table in terms of what is shown. */
void              mt_rule_fill_shown_table     (const MtRule     *rule,
                                                guint64          *table);

/* NULL only when cancelled. @term is one of the book's rules. */
MtRuleView       *mt_rule_view_new             (MtRuleBook       *book,
                                                guint             term,
                                                GCancellable     *cancellable);
MtRuleView       *mt_rule_view_ref             (MtRuleView       *view);
void              mt_rule_view_unref           (MtRuleView       *view);
MtRuleBook       *mt_rule_view_get_book        (const MtRuleView *view);
guint             mt_rule_view_get_term        (const MtRuleView *view);
const MtRule     *mt_rule_view_get_rule        (const MtRuleView *view);

/* --- inputs, as shown --- */
guint             mt_rule_view_get_n_inputs    (const MtRuleView *view);
guint32           mt_rule_view_get_flips       (const MtRuleView *view);   /* bit i: shown negated */
char             *mt_rule_view_dup_input_name  (const MtRuleView *view,
                                                guint             input);
char             *mt_rule_view_dup_input_rest  (const MtRuleView *view,
                                                guint             input);

/* --- truth table --- */
guint32           mt_rule_view_get_n_assignments (const MtRuleView *view);
gboolean          mt_rule_view_get_output      (const MtRuleView *view,
                                                guint32           assignment);
guint             mt_rule_view_get_marks       (const MtRuleView *view,   /* of MtRowMark */
                                                guint32           assignment);
/* What the node of the network that it began as said. */
MtNodeSays        mt_rule_view_get_network     (const MtRuleView *view,
                                                guint32           assignment);
gsize             mt_rule_view_get_n_rows      (const MtRuleView *view,
                                                guint32           assignment);
gsize             mt_rule_view_get_class_rows  (const MtRuleView *view,
                                                guint32           assignment,
                                                guint             class);
double            mt_rule_view_get_mean        (const MtRuleView *view,   /* regression; 0 without rows */
                                                guint32           assignment);
guint             mt_rule_view_count_marks     (const MtRuleView *view,
                                                MtRowMark            mark);
/* The first term that covers it, or -1. */
int               mt_rule_view_get_first_term  (const MtRuleView *view,
                                                MtPhraseForm      form,
                                                guint32           assignment);

/* --- formula --- */
/* XOR is there only when it has fewer literals than the DNF. */
gboolean          mt_rule_view_has_form        (const MtRuleView *view,
                                                MtPhraseForm      form);
guint             mt_rule_view_get_n_terms     (const MtRuleView *view,
                                                MtPhraseForm      form);
guint             mt_rule_view_get_n_literals  (const MtRuleView *view,
                                                MtPhraseForm      form);
gboolean          mt_rule_view_get_proven      (const MtRuleView *view,
                                                MtPhraseForm      form);
MtPhrase         *mt_rule_view_make_phrase     (const MtRuleView *view,
                                                MtPhraseForm      form,
                                                gboolean          words);

/* --- diagram --- */
const MtDiagram  *mt_rule_view_get_diagram     (const MtRuleView *view);
guint             mt_rule_view_get_n_paths     (const MtRuleView *view);
guint             mt_rule_view_get_path_of     (const MtRuleView *view,
                                                guint32           assignment);
/* A line of the diagram has a number: 2 × (node − first inner node) + whether it is the true one. */
static inline guint
mt_diagram_line_number (guint node, gboolean high)
{
  return 2 * (node - MT_DIAGRAM_FIRST_INNER) + (high ? 1 : 0);
}
/* Share of all rows that pass each line; 0 without rows. */
const double     *mt_rule_view_get_shares      (const MtRuleView *view);

/* --- rows --- */
/* The assignment of a row of the book. */
guint32           mt_rule_view_get_pattern     (const MtRuleView *view,
                                                gsize             row);

/* --- sets: each function fills @set, n_words of it --- */
gsize             mt_rule_view_get_n_words     (const MtRuleView *view);
void              mt_rule_view_set_true        (const MtRuleView *view, guint64 *set);  /* of which the rule is true */
void              mt_rule_view_set_assignment  (const MtRuleView *view, guint32 assignment, guint64 *set);
/* Of a clause (CNF): what it rules out. */
void              mt_rule_view_set_term        (const MtRuleView *view, MtPhraseForm form, guint term, guint64 *set);
void              mt_rule_view_set_path        (const MtRuleView *view, guint path, guint64 *set);
void              mt_rule_view_set_node        (const MtRuleView *view, guint node, guint64 *set);
void              mt_rule_view_set_line        (const MtRuleView *view, guint line, guint64 *set);

/* --- what a set lights --- */
gboolean          mt_rule_view_lights_term     (const MtRuleView *view, const guint64 *set,
                                                MtPhraseForm form, guint term);
/* nodes: one a node of the diagram; lines: one a line number. Both are overwritten. */
void              mt_rule_view_light_diagram   (const MtRuleView *view, const guint64 *set,
                                                gboolean *nodes, gboolean *lines);
gsize             mt_rule_view_count_rows      (const MtRuleView *view, const guint64 *set);
gsize             mt_rule_view_count_class     (const MtRuleView *view, const guint64 *set, guint class);
double            mt_rule_view_average         (const MtRuleView *view, const guint64 *set);
/* Rows of the book whose assignment is in the set, ascending; returns how many. */
gsize             mt_rule_view_list_rows       (const MtRuleView *view, const guint64 *set, guint32 *rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtRuleView, mt_rule_view_unref)

G_END_DECLS
