/* A place in a rule, open for a literal, and which literals would serve it best.
 *
 * A place is open when the rule's answer is written as f₀ where the literal to come is false and f₁ where it is true,
 * two tables over the other inputs:
 *
 *   input i of f replaced    f₀, f₁  the cofactors of f in i
 *   f and x                  f₀ = 0, f₁ = f
 *   f or x                   f₀ = f, f₁ = 1
 *   x by itself              f₀ = 0, f₁ = 1, no other inputs
 *
 * The scorer (mt-refine-place-scores.c) gives the few literals and numeric columns that promise most. */
#pragma once

#include "mt-refine-private.h"

G_BEGIN_DECLS

/* Literals of different columns that are worth asking for their exact gain, a place. */
#define MT_PLACE_SHORT 3

typedef struct {
  guint     n_others;
  guint     others[MT_REFINE_MAX_INPUTS];    /* ascending */
  MtBits256 off, on;                         /* f₀ and f₁ */
} MtPlace;

typedef struct {
  gboolean is_numeric;
  guint    literal;       /* or the numeric column */
  gboolean negated;
  double   score;         /* 0: none */
} MtPlaceChoice;

void          mt_place_open_input  (MtPlace      *self,
                                    const MtRule *rule,
                                    guint         input);
/* @is_or: the literal to come is enough by itself; otherwise it is asked for as well. @rule NULL: it is alone. */
void          mt_place_open_beside (MtPlace      *self,
                                    const MtRule *rule,
                                    gboolean      is_or);
/* The rule with @literal in the place; NULL: it would be a constant, or breaks a constraint. */
MtRefineTerm *mt_place_fill        (const MtPlace *self,
                                    MtRefine      *refine,
                                    guint          literal,
                                    gboolean       negated);
gboolean      mt_place_has_other   (const MtPlace *self,
                                    guint          literal);

/* Does a model have the number in some shape, other than as @except? A model has a number in one shape only. */
gboolean      mt_refine_has_number (const MtRefine     *self,
                                    guint               numeric,
                                    const MtRefineTerm *except);

/* --- scores --- */

typedef struct _MtPlaceScorer MtPlaceScorer;

/* Are all rows scored? Of very many it is a sample. */
gboolean       mt_place_scores_all_rows (const MtRefine    *refine);
/* For the model as it is: to be made again when its columns change. NULL: too many terms, or no inverse to be had. */
MtPlaceScorer *mt_place_scorer_new    (MtRefine            *refine);
void           mt_place_scorer_free   (MtPlaceScorer       *self);
/* The best choices, best first, no two of one column. @term: what the place is in, NULL: nothing; @index: its column in
 * the fit, which the choice would replace, MT_LINEAR_FIT_NO_COLUMN: none; @dropped: which of its inputs the place is,
 * G_MAXUINT: none; @old: that literal. */
void           mt_place_scorer_choose (MtPlaceScorer       *self,
                                       const MtPlace       *place,
                                       MtRefineTerm        *term,
                                       guint                index,
                                       guint                dropped,
                                       guint                old,
                                       MtPlaceChoice        best[MT_PLACE_SHORT]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtPlaceScorer, mt_place_scorer_free)

G_END_DECLS
