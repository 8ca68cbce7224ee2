/* A model changed by hand: one small change at a time, each with a reason.
 *
 *   drop rule         a term of the model goes, with its weight
 *   drop term         one conjunction of a rule goes
 *   drop input        a rule no longer asks one of its questions: it is true where it was true for
 *                     some answer that a row can have
 *   merge thresholds  of a column: wherever `x ≥ from` was asked, `x ≥ to` is asked
 *   round weights     to decimals, or to points: multiples of the strongest weight over that many.
 *                     What a numeric column adds is rounded for each raw unit, as it is shown. A
 *                     term whose weights all become 0 goes
 *   forbid column     its numeric term goes and every rule loses its questions about it
 *   set cutoff        of two classes: above which probability the second is decided
 *   refit             the weights by mt-head's convex fit of the same terms
 *   set weight        of one term for one output: a linear one per raw unit, as it is shown
 *   set threshold     of one rule: where it asked `x ≥ from`, it asks `x ≥ to`, another threshold of the column
 *   add rule          up to MT_EDIT_MAX_CONDITIONS conditions joined by and, with a weight for one output; without one
 *                     mt_edit_make() takes the weight that a refit of all terms gives it
 *
 * A rule keeps its number whatever changes in it; an added one gets a number that no rule of the model had before.
 *
 * A rule that changes is minimized again with nothing free but what no row can have, so it says of
 * every conceivable row what is written here, seen in training or not. A rule that has become true
 * of all rows joins the bias, one that is never true goes, and two that have become the same share
 * one weight, their sum: scores are what they would be without this.
 *
 * The encoder stays as it is. Only refitting and judging need rows; the same change of the same
 * model gives the same bytes with and without them. */
#pragma once

#include <gio/gio.h>

#include "rules/mt-constraints.h"
#include "encode/mt-encoder.h"
#include "base/mt-json-cursor.h"
#include "rules/mt-metrics.h"
#include "learn/mt-refine.h"
#include "rules/mt-rules.h"

G_BEGIN_DECLS

#define MT_EDIT_MAX_DECIMALS 9u
#define MT_EDIT_MAX_POINTS   1000u
#define MT_EDIT_MAX_REASON   4000u    /* bytes */
#define MT_EDIT_MAX_NAME     1024u    /* bytes: of the name of its author */
#define MT_EDIT_LAST_MOMENT  253402300799   /* seconds since the epoch: the end of the year 9999 */
#define MT_EDIT_MAX_EDITS    1000u    /* of one model */
#define MT_EDIT_MAX_CONDITIONS 5u     /* of a rule that is added */

typedef enum {
  MT_EDIT_DROP_RULE,
  MT_EDIT_DROP_TERM,
  MT_EDIT_DROP_INPUT,
  MT_EDIT_MERGE_THRESHOLDS,
  MT_EDIT_ROUND_WEIGHTS,
  MT_EDIT_FORBID_COLUMN,
  MT_EDIT_REFIT,
  MT_EDIT_SET_CUTOFF,
  MT_EDIT_SET_WEIGHT,
  MT_EDIT_SET_THRESHOLD,
  MT_EDIT_ADD_RULE,
  MT_N_EDITS,
} MtEditKind;

typedef struct {
  MtEditKind  kind;
  guint       term;        /* drop …, set weight, set threshold: place among the model's terms */
  guint       part;        /* drop term: of the rule's conjunctions; drop input, set threshold: of its inputs; set
                            * weight, add rule: of the outputs */
  const char *column;      /* merge, forbid */
  double      from, to;    /* merge: thresholds of the column; set …: to which, and in a record from which; add rule: to
                            * is the weight, NaN: to be fitted */
  guint       decimals;    /* round, with points 0 */
  guint       points;      /* round: what the strongest weight counts; 0: decimals */
  guint       literals[MT_EDIT_MAX_CONDITIONS];    /* add rule: the conditions … */
  guint       n_literals;
  guint       negated;     /* … bit i: the rule asks that condition i is false */
} MtEdit;

/* Whether the edit is of one term of the model, at @term. */
static inline gboolean
mt_edit_kind_is_of_term (MtEditKind kind)
{
  return kind <= MT_EDIT_DROP_INPUT || kind == MT_EDIT_SET_WEIGHT || kind == MT_EDIT_SET_THRESHOLD;
}

/* An edit that was made, and what it was good for. Texts are those of the model before it. */
typedef struct {
  MtEdit      edit;
  const char *rule;        /* drop …, set weight, set threshold: the term's text; add rule: that of the new one; or NULL */
  const char *part;        /* drop term, drop input, set threshold: the conjunction's or literal's text; NULL otherwise */
  const char *reason;      /* never empty */
  guint       literals_before, literals_after;
  gboolean    is_judged;   /* the figures are known: */
  MtMetric    metric;
  double      before, after;   /* mean over the folds, none of which its weights have seen */
  double      after_se;        /* standard error of that … */
  double      difference_se;   /* … and of the difference, fold by fold; 0 with one fold */
  const char *by;          /* who made it; NULL: not recorded */
  gint64      made;        /* seconds since the epoch; 0: not recorded */
  guint       number;      /* of the rule that was changed, removed or added; 0: of no rule, or not recorded */
} MtEditRecord;

/* --- words --- */

const char     *mt_edit_kind_to_string     (MtEditKind           kind);      /* "drop-rule", … */
gboolean        mt_edit_kind_from_string   (const char          *text,
                                            MtEditKind          *kind);
/* "dropped the term A and B of the rule A and B, or C" */
char           *mt_edit_record_dup_text    (const MtEditRecord  *record);

/* --- what was done, in order --- */

typedef struct _MtEditHistory MtEditHistory;   /* immutable, refcounted */

/* @base: the rules that the first edit began with; NULL: not known. */
MtEditHistory  *mt_edit_history_new        (MtRuleSet           *base,
                                            const MtEditRecord  *records,
                                            guint                n_records);
/* The same, the last with another reason and who made it when. MT_ERROR_PARAMS as for mt_edit_make(). */
MtEditHistory  *mt_edit_history_sign       (const MtEditHistory *history,
                                            const char          *reason,
                                            const char          *by,         /* NULL: not to be recorded */
                                            gint64               made,       /* 0: not to be recorded */
                                            GError             **error);
/* What the folds have said of all edits since the one at @from, together; 0 where they said nothing. */
double          mt_edit_history_get_shift  (const MtEditHistory *history,
                                            guint                from);
MtEditHistory  *mt_edit_history_ref        (MtEditHistory       *history);
void            mt_edit_history_unref      (MtEditHistory       *history);
MtRuleSet      *mt_edit_history_get_base   (const MtEditHistory *history);
guint           mt_edit_history_get_n      (const MtEditHistory *history);
const MtEditRecord *mt_edit_history_get    (const MtEditHistory *history,    /* all of them, one after another */
                                            guint                index);

/* --- doing it --- */

/* What is edited; everything is borrowed. */
typedef struct {
  const MtEncoder     *encoder;
  MtDontCareMode       dont_care;
  const MtConstraints *constraints;      /* that the rules keep to, edited or not; NULL: none */
  /* The training rows; encoded NULL: there are none. */
  const MtEncoded     *encoded;
  const double        *target;
  gboolean             balance_classes;
  const guint8        *fold_of;          /* per row; NULL: no folds */
  guint                n_folds;
} MtEditContext;

/* The edited rules. MT_ERROR_PARAMS: there is no such term, column, …; nothing would change; it needs
 * rows; it breaks a constraint. */
MtRuleSet      *mt_edit_apply              (const MtEditContext *context,
                                            const MtRuleSet     *rules,
                                            const MtEdit        *edit,
                                            GCancellable        *cancellable,
                                            GError             **error);
/* As it is shown and set: of a linear term per raw unit. */
double          mt_edit_get_weight         (const MtRuleSet     *rules,
                                            const MtEncoder     *encoder,
                                            guint                term,
                                            guint                output);
/* The weights of these terms by the convex fit, as mt_refine_run() ends. */
MtRuleSet      *mt_edit_refit              (const MtRuleSet     *rules,
                                            const MtEncoded     *encoded,
                                            const double        *target,
                                            gboolean             balance_classes,
                                            GCancellable        *cancellable,
                                            GError             **error);
/* How good the rules are before and after the last of @edits. Each fold refits @base without its rows,
 * makes all edits, and is scored on its rows. What the rules ask was learned from all training rows, so
 * both figures are a little too good and their difference is what counts. Fills is_judged and what
 * follows it; is_judged stays FALSE when no fold defines the metric. */
gboolean        mt_edit_judge              (const MtEditContext *context,
                                            const MtRuleSet     *base,
                                            const MtEdit * const *edits,
                                            guint                n_edits,
                                            MtEditRecord        *record,
                                            GCancellable        *cancellable,
                                            GError             **error);
/* What the rules say of each row without its fold: as mt_edit_judge(), @base refitted without the fold's rows and
 * edited, none meaning as it is. @predictions: n_outputs × rows; NaN for the rows that are in no fold. */
gboolean        mt_edit_predict_folds      (const MtEditContext *context,
                                            const MtRuleSet     *base,
                                            const MtEdit * const *edits,
                                            guint                n_edits,
                                            double              *predictions,
                                            GCancellable        *cancellable,
                                            GError             **error);
/* All of it: rules edited, judged if there are folds, and the history grown by one. @history: of @rules;
 * NULL: none yet. @reason must say something: MT_ERROR_PARAMS. */
MtRuleSet      *mt_edit_make               (const MtEditContext *context,
                                            const MtRuleSet     *rules,
                                            const MtEditHistory *history,
                                            const MtEdit        *edit,
                                            const char          *reason,
                                            MtEditHistory      **new_history,
                                            GCancellable        *cancellable,
                                            GError             **error);

/* --- in files --- */

/* A list of them. */
void            mt_edit_records_write      (const MtEditRecord  *records,
                                            guint                n_records,
                                            MtJsonWriter        *writer);
/* Appends to @records (of MtEditRecord), whose texts point into the document. */
gboolean        mt_edit_records_read       (const MtJsonCursor   *list,
                                            GArray              *records,
                                            GError             **error);
/* Are they what can have made @rules? MT_ERROR_PARSE names the record and field. */
gboolean        mt_edit_records_check      (const MtEditRecord  *records,
                                            guint                n_records,
                                            const MtEncoder     *encoder,
                                            const MtRuleSet     *rules,
                                            GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtEditHistory, mt_edit_history_unref)

G_END_DECLS
