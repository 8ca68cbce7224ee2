/* What the parts of mt-refine share: the terms of the model at hand and their tables. */
#pragma once

#include "rules/mt-linear-fit.h"
#include "mt-refine-fit.h"
#include "mt-refine-sums.h"
#include "mt-refine.h"

G_BEGIN_DECLS

#define MT_MAX_PATTERNS (1u << MT_REFINE_MAX_INPUTS)

typedef struct {
  guint64 words[MT_MAX_PATTERNS / 64];
} MtBits256;

/* A minimized table. */
typedef struct {
  guint64  on, dc;
  guint    n_inputs;
  guint    n_cubes;
  gboolean proven;
  MtCube  *cubes;
} MtRefineCover;

/* A change of one rule that saves literals. */
typedef struct {
  double     loss;       /* change of the training loss, other weights fixed; ≥ 0 by rounding up */
  guint      saved;      /* literals; 0: there is no such move */
  guint      n_inputs;
  guint      inputs[MT_REFINE_MAX_INPUTS];
  MtBits256 table;
} MtRuleMove;

typedef struct {
  /* A term of the model at hand: a number, or a rule. `cost` is what it counts in the
   * complexity. `sign` follows from the constraints: +1 if its weight must not be negative,
   * −1 if it must not be positive. patterns, counts and gains are made when they are asked
   * for (mt-refine-term.c). */
  gboolean       is_numeric;
  guint          numeric;
  MtRule        *rule;
  guint          cost;        /* literals; 1 for a numeric column */
  int            sign;        /* that the weight must not have the opposite of; 0: any */
  const guint64 *plane;       /* of the rule: owned_plane, or the literal's own */
  guint64       *owned_plane;
  guint16       *patterns;    /* per row; rules with two inputs or more, made when needed */
  guint32       *counts;      /* per pattern */
  guint32       *ones;        /* of two classes: rows of the second, per pattern */
  double        *gains;       /* per pattern, as of gains_at; NULL: not known */
  guint64        gains_at;    /* the version of the model */
  guint          n_kept;      /* models put aside that it is in, besides its owner */
  double        *start;       /* weights of each output and then their biases, where it was put aside; NULL: it was not */
  double         move_price;  /* loss for a literal of its best move inside, when that was looked for; 0: it was not */
  guint          quiet_at;    /* terms that the model had when no threshold of this one gained by sliding; 0: not known */
} MtRefineTerm;

typedef struct {
  /* The model at hand and what it is fitted on. terms[t] is column t of head; every change
   * of either goes through mt-refine-model.c. All candidates of the start stay in the pool
   * as copies. Everything belongs to one run on one thread. */
  const MtEncoded       *encoded;
  const double          *target;      /* regression: standardized */
  MtTask                 task;
  guint                  n_outputs;
  gsize                  n_rows;
  gsize                  n_words;
  const MtRefineOptions *options;
  GCancellable          *cancellable;  /* loops over terms ask it and break off; the next fit says so */
  const double          *class_weights; /* NULL: 1 */
  MtRidge                ridge;
  MtLinearFit                *head;
  MtRefineSums          *sums;        /* NULL: sums of doubles */
  GPtrArray             *terms;       /* of MtRefineTerm, in the order of the head's columns */
  GPtrArray             *pool;        /* of MtRefineTerm: candidates that may come back */
  GHashTable            *covers;      /* minimized tables of up to six inputs */
  guint64                version;     /* of terms and weights: greater after every change */
} MtRefine;

/* The walk through the models of one run. */
typedef struct {
  MtRefine            *refine;
  GPtrArray           *visited;
  double               centre, scale;    /* of the target, back to its own units */
  guint                n_start;
  guint                n_slid;           /* terms when thresholds slid last */
  gboolean             is_tuned;         /* models visited now are those of tuning */
  guint                n_trainings;      /* of the model at hand, as in MtPathModel */
  guint                n_kept;
  MtLearnProgressFunc  progress;
  gpointer             progress_data;
  GCancellable        *cancellable;
} MtRefinePath;

/* --- terms (mt-refine-term.c) --- */

MtRefineTerm *mt_refine_term_new_numeric (MtRefine       *self,
                                          guint           numeric);
/* As the scan finds it: it never was a node. NULL when the table minimizes to a constant, or breaks a
 * constraint whatever its weight. @sign: of the weight it is to have, if that is known; 0: not. */
MtRefineTerm *mt_refine_term_new_rule    (MtRefine       *self,
                                          const guint    *inputs,
                                          guint           n_inputs,
                                          const MtBits256 *on,
                                          int             sign);
/* The rule that a cover of those inputs is; @counts: rows a pattern. */
MtRefineTerm *mt_refine_term_new_cover   (MtRefine       *self,
                                          const guint    *inputs,
                                          guint           n_inputs,
                                          const MtRefineCover *cover,
                                          const guint32  *counts);
/* A network's node; within constraints it becomes the nearest rule that keeps to them. */
MtRefineTerm *mt_refine_term_new_node    (MtRefine       *self,
                                          const MtCandidate *node);
/* Gives @term, which may be NULL and has no other owner, the origin of the one it was made from. Returns it. */
MtRefineTerm *mt_refine_term_inherit     (MtRefineTerm   *term,
                                          const MtRefineTerm *from);
/* The same, and notes that @changes made it so. */
MtRefineTerm *mt_refine_term_change      (MtRefineTerm   *term,
                                          const MtRefineTerm *from,
                                          MtOriginChanges changes);
void          mt_refine_term_free        (MtRefineTerm   *term);
MtLinearFitColumn  mt_refine_term_get_column  (const MtRefine *self,
                                               const MtRefineTerm *term);

/* Fills in patterns and counts. */
void          mt_refine_term_ensure_patterns (const MtRefine *self,
                                          MtRefineTerm   *term);

/* --- the model at hand (mt-refine-model.c) --- */

/* Is there another term with this column, or its opposite? @except: not counted. */
gboolean      mt_refine_has_column       (const MtRefine *self,
                                          const MtRefineTerm *term,
                                          const MtRefineTerm *except);
/* These take @term. A column that is there already is not kept twice by the last two; the last takes NULL, too. */
void          mt_refine_add_term         (MtRefine       *self,
                                          MtRefineTerm   *term);
void          mt_refine_replace_term     (MtRefine       *self,
                                          guint           index,
                                          MtRefineTerm   *term);
void          mt_refine_add_new_term     (MtRefine       *self,
                                          MtRefineTerm   *term);
/* The last term takes its place. */
MtRefineTerm *mt_refine_take_term        (MtRefine       *self,
                                          guint           index);
void          mt_refine_remove_term      (MtRefine       *self,
                                          guint           index);
/* The terms as they are, with the weights that they have: to come back by mt_refine_take_up(). Of MtRefineTerm. */
GPtrArray    *mt_refine_put_aside        (MtRefine       *self);
/* Puts @terms, which it empties, in the place of all terms; their weights, if they have any, are where the fit starts. */
gboolean      mt_refine_take_up          (MtRefine       *self,
                                          GPtrArray      *terms,
                                          GCancellable   *cancellable,
                                          GError        **error);
/* The same with the whole fit that these terms had, which it takes: not a bit is then different. */
void          mt_refine_go_back_to       (MtRefine       *self,
                                          GPtrArray      *terms,
                                          MtLinearFit    *head);
/* The convex fit within the constraints: terms with the wrong sign go, @to_pool: to come back later. */
gboolean      mt_refine_fit_head         (MtRefine       *self,
                                          guint           max_steps,
                                          double          tolerance,
                                          gboolean        to_pool,
                                          GCancellable   *cancellable,
                                          GError        **error);

/* --- what it starts from (mt-refine-candidates.c) --- */

void          mt_refine_add_unary_terms  (MtRefine       *self);
gboolean      mt_refine_add_interactions (MtRefine       *self,
                                          GCancellable   *cancellable,
                                          GError        **error);

/* --- what comes back (mt-refine-readmit.c) --- */

MtRefineTerm *mt_refine_copy_term        (MtRefine       *self,
                                          const MtRefineTerm *term);
/* Adds the candidates of the pool that are worth most for a literal. Returns how many. */
guint         mt_refine_bring_back       (MtRefine       *self,
                                          guint           n_back);

/* --- exchange (mt-refine-exchange.c) --- */

/* What a change at equal complexity must gain: more than luck gives the best of as many literals. */
double        mt_refine_get_least_gain   (MtRefine       *self);
/* Every literal of every term once: another in its place if the loss is lower then. The model must be fitted, and
 * is. @n_changed: terms that changed are added. FALSE: as of a fit. */
gboolean      mt_refine_exchange         (MtRefine       *self,
                                          guint          *n_changed,
                                          GError        **error);
/* Up to @n_more literals more where they gain most, no two in one term. Returns how many; not fitted yet. */
guint         mt_refine_lengthen         (MtRefine       *self,
                                          guint           n_more);

/* --- the network (mt-refine-network.c) --- */

/* A node as training left it. */
typedef struct {
  MtCandidate   node;
  MtRefineTerm *from;     /* borrowed: the term that it computed before; NULL: a spare node */
} MtTrainedNode;

/* Trains the model at hand as a network and appends its nodes to @nodes (of MtTrainedNode); none, if it cannot be
 * trained. FALSE when cancelled, or when a device fails. */
gboolean      mt_refine_train_network    (MtRefinePath   *path,
                                          MtRefineTrain  *how,
                                          GArray         *nodes,
                                          GError        **error);

/* --- a step by gradient (mt-refine-gradient.c) --- */

/* Trains the model at hand as a network, puts what its nodes have become in their place, and walks back to the complexity
 * there was. The loss may be higher then. FALSE: as of a fit. */
gboolean      mt_refine_step_by_gradient (MtRefinePath   *path,
                                          MtRefineTrain  *how,
                                          GError        **error);
/* Whether the model at hand has a rule or a number that is not among these terms. */
gboolean      mt_refine_has_other_terms  (const MtRefine *self,
                                          const GPtrArray *terms);

/* --- what answers are worth (mt-refine-gains.c) --- */

/* gains[v]: loss with the rule true of pattern v's rows, less the loss with it false. */
void          mt_refine_gains            (MtRefine       *self,
                                          guint           index,
                                          double         *gains);
/* The same for any cells that the rows fall into and the rule answers alike in: @is_on. @ones: of two classes, rows of
 * the second by cell. */
void          mt_refine_cell_gains       (MtRefine       *self,
                                          guint           index,
                                          const guint16  *cells,
                                          guint           n_cells,
                                          const guint8   *is_on,
                                          const guint32  *counts,
                                          const guint32  *ones,
                                          double         *gains);

/* Where exact sums are made elsewhere: the gains of all rules of several inputs that are not known, in one call. */
void          mt_refine_ask_gains        (MtRefine       *self);

/* --- moves (mt-refine-moves.c) --- */

/* The best table for the rule as it stands, if that lowers the loss: NULL otherwise. @may_grow:
 * even if it takes more literals. */
MtRefineTerm *mt_refine_better_table     (MtRefine       *self,
                                          guint           index,
                                          const double   *gains,
                                          gboolean        may_grow);
void          mt_refine_best_move        (MtRefine       *self,
                                          guint           index,
                                          const double   *gains,
                                          MtRuleMove     *move);

/* Another literal of the same column in the place of one input, if that lowers the loss by more
 * than @least and takes no more literals: the best such term, or NULL. */
MtRefineTerm *mt_refine_better_threshold (MtRefine       *self,
                                          guint           index,
                                          guint           input,
                                          double          least);

/* --- minimized tables (mt-refine-covers.c) --- */

GHashTable   *mt_refine_covers_new       (void);
/* Within the constraints, for a weight of this sign. NULL: @on breaks them. It lives as long as the model at hand. */
const MtRefineCover *mt_refine_minimise  (MtRefine       *self,
                                          const guint    *inputs,
                                          guint           n_inputs,
                                          int             sign,
                                          const MtBits256 *on,
                                          const MtBits256 *dc);
gboolean      mt_refine_cover_is_constant (const MtRefineCover *cover);
guint         mt_refine_cover_literals   (const MtRefineCover *cover);
/* What is free in tables over these inputs, by its reason, and all of it that the mode allows; @counts: rows a
 * pattern. */
void          mt_refine_find_dont_cares  (const MtRefine *self,
                                          const guint    *inputs,
                                          guint           n_inputs,
                                          const guint32  *counts,
                                          MtBits256      sets[MT_N_DONT_CARES],
                                          MtBits256     *all);

/* --- the walk (mt-refine.c) --- */

/* An empty array of MtPathModel, and one more in it; takes @rules. */
GPtrArray    *mt_refine_visited_new      (void);
void          mt_refine_visit            (GPtrArray      *visited,
                                          MtRuleSet      *rules,
                                          double          loss,
                                          gboolean        is_tuned);
/* Sets every table to what the loss wants. Returns whether any changed. */
gboolean      mt_refine_improve_tables   (MtRefine       *self,
                                          gboolean        may_grow);
/* The least loss for a literal by dropping a whole term. */
double        mt_refine_cheapest_drop    (MtRefine       *self);
/* The best moves inside of terms, per term: those that may be cheaper for a literal than @cheapest and each other
 * (G_MAXDOUBLE: all). Others save nothing. Returns the least loss for a literal of those. */
double        mt_refine_find_cheap_moves (MtRefine       *self,
                                          double          cheapest,
                                          MtRuleMove     *moves);
/* Some cheap moves down, then the caller refits. */
void          mt_refine_eliminate        (MtRefine       *self);
guint         mt_refine_get_complexity   (const MtRefine *self);
gboolean      mt_refine_path_fit         (MtRefinePath   *path,
                                          GError        **error);
/* Tells how much of the whole run is done, with the model kept last. */
void          mt_refine_path_report      (const MtRefinePath *path,
                                          MtLearnPhase    phase,
                                          double          done);
/* Keeps the model at hand. */
gboolean      mt_refine_path_visit       (MtRefinePath   *path,
                                          GError        **error);

/* --- equal complexity (mt-refine-tune.c) --- */

/* After the path: its models at complexities of interest made better at the complexity they have. */
gboolean      mt_refine_tune             (MtRefinePath   *path,
                                          GError        **error);

/* --- constraints (mt-refine-constraints.c) --- */

/* Do they say anything about rules over these inputs? If not, the three below do nothing special. */
gboolean      mt_refine_has_limits       (const MtRefine *self,
                                          const guint    *inputs,
                                          guint           n_inputs);
/* The table with the least loss that a rule with a weight of this sign may have. */
MtBits256    mt_refine_wanted_table     (const MtRefine *self,
                                         const guint    *inputs,
                                         guint           n_inputs,
                                         int             sign,
                                         const double   *gains);
/* Leaves in @dc what the minimizer may choose without breaking a constraint. FALSE: @on breaks it. */
gboolean      mt_refine_limit_freedom    (const MtRefine *self,
                                          const guint    *inputs,
                                          guint           n_inputs,
                                          int             sign,
                                          const MtBits256 *on,
                                          MtBits256     *dc);
/* The sign that a rule's weight must have; 0: any. */
int           mt_refine_rule_sign        (const MtRefine *self,
                                          const MtRule   *rule);
/* A node's table made to keep to the constraints with as few training rows changed as can be. */
MtBits256    mt_refine_nearest_table    (const MtRefine *self,
                                         const guint    *inputs,
                                         guint           n_inputs,
                                         const guint32  *counts,
                                         const MtBits256 *table,
                                         int            *sign);

static inline MtRefineTerm *
mt_refine_get_term (const MtRefine *self,
                    guint           index)
{
  return g_ptr_array_index (self->terms, index);
}

static inline gboolean
mt_refine_is_cancelled (const MtRefine *self)
{
  return g_cancellable_is_cancelled (self->cancellable);
}

static inline gboolean
mt_refine_is_multi_input (const MtRefineTerm *term)
{
  return term->rule != NULL && mt_rule_get_n_inputs (term->rule) > 1;
}

/* Removes bit @i of @v. */
static inline guint
mt_without_bit (guint v,
                guint i)
{
  return (v >> (i + 1) << i) | (v & ((1u << i) - 1));
}

static inline gboolean
mt_bits256_get (const MtBits256 *table,
              guint             v)
{
  return table->words[v / 64] >> (v % 64) & 1;
}

static inline void
mt_bits256_set (MtBits256 *table,
              guint       v)
{
  table->words[v / 64] |= (guint64) 1 << (v % 64);
}

G_END_DECLS
