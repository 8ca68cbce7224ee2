/* What the parts of mt-refine share: the terms of the model at hand and their tables. */
#pragma once

#include "mt-head.h"
#include "mt-refine.h"

G_BEGIN_DECLS

#define MT_MAX_PATTERNS (1u << MT_REFINE_MAX_INPUTS)

typedef struct {
  guint64 words[MT_MAX_PATTERNS / 64];
} MtTable256;

/* A change of one rule that saves literals. */
typedef struct {
  double     loss;       /* change of the training loss, other weights fixed; ≥ 0 by rounding up */
  guint      saved;      /* literals; 0: there is no such move */
  guint      n_inputs;
  guint      inputs[MT_REFINE_MAX_INPUTS];
  MtTable256 table;
} MtRuleMove;

typedef struct {
  gboolean       is_numeric;
  guint          numeric;
  MtRule        *rule;
  guint          cost;        /* literals; 1 for a numeric column */
  const guint64 *plane;       /* of the rule: owned_plane, or the literal's own */
  guint64       *owned_plane;
  guint16       *patterns;    /* per row; rules with two inputs or more, made when needed */
  guint32       *counts;      /* per pattern */
} MtRefineTerm;

typedef struct {
  const MtEncoded       *encoded;
  const double          *target;      /* regression: standardised */
  MtTask                 task;
  guint                  n_outputs;
  gsize                  n_rows;
  gsize                  n_words;
  const MtRefineOptions *options;
  double                 ridge;
  MtHead                *head;
  GPtrArray             *terms;       /* of MtRefineTerm, in the order of the head's columns */
  GPtrArray             *pool;        /* of MtRefineTerm: candidates that may come back */
  GHashTable            *covers;      /* minimised tables of up to six inputs */
} MtRefine;

MtRefineTerm *mt_refine_term_new_numeric (guint           numeric);
/* NULL when the table minimises to a constant. */
MtRefineTerm *mt_refine_term_new_rule    (MtRefine       *self,
                                          const guint    *inputs,
                                          guint           n_inputs,
                                          const MtTable256 *on);
void          mt_refine_term_free        (MtRefineTerm   *term);
MtHeadColumn  mt_refine_term_get_column  (const MtRefine *self,
                                          const MtRefineTerm *term);

/* gains[v]: loss with the rule true of pattern v's rows, less the loss with it false. */
void          mt_refine_gains            (MtRefine       *self,
                                          guint           index,
                                          double         *gains);
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

GHashTable   *mt_refine_covers_new       (void);

static inline gboolean
mt_table_get (const MtTable256 *table,
              guint             v)
{
  return table->words[v / 64] >> (v % 64) & 1;
}

static inline void
mt_table_set (MtTable256 *table,
              guint       v)
{
  table->words[v / 64] |= (guint64) 1 << (v % 64);
}

G_END_DECLS
