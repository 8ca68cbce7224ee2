/* Where the pieces of a rule's formula go, in points from the top left. Pure geometry.
 *
 * Each term begins a line of its own, the joint between terms standing in a gutter before it. A
 * literal is never torn from its relation: lines break before ∧ or ∨ within a term, further lines
 * are set in. A note for each term (how many rows) stands at the right of its first line, or on a
 * line below it when there is no room next to it. Nothing is cut: a literal wider than the line is broken
 * between words, and a word wider than it anywhere. */
#pragma once

#include "explain/mt-rule-phrase.h"

G_BEGIN_DECLS

typedef enum {
  MT_FORMULA_TEXT,
  MT_FORMULA_JOINT,
  MT_FORMULA_NOTE,
} MtFormulaFont;

typedef void (*MtFormulaMeasure) (const char    *text,
                                  MtFormulaFont  font,
                                  double        *width,
                                  double        *height,
                                  gpointer       data);

typedef struct {
  guint   piece;               /* of the phrase; G_MAXUINT: the term's note */
  guint   term;
  double  x, y, width, height; /* y of its top */
  guint   start, length;       /* bytes of the piece's text, or of its joint's */
} MtFormulaRun;

typedef struct {
  double x, y, width, height;  /* what lights up and takes the pointer */
} MtFormulaBox;

typedef struct {
  double        width, height;
  MtFormulaRun *runs;
  guint         n_runs;
  MtFormulaBox *terms;
  guint         n_terms;
} MtFormulaLayout;

/* @notes: one a term; NULL: none. */
MtFormulaLayout *mt_formula_layout_new  (const MtPhrase        *phrase,
                                         const char * const    *notes,
                                         double                 width,
                                         MtFormulaMeasure       measure,
                                         gpointer               measure_data);
void             mt_formula_layout_free (MtFormulaLayout       *layout);
/* The text of a joint as it is set: without the spaces and the comma around it, for the layout spaces it. */
char            *mt_formula_dup_joint   (const MtPiece         *piece);
/* The term at a point, or -1. */
int              mt_formula_layout_hit  (const MtFormulaLayout *layout,
                                         double                 x,
                                         double                 y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtFormulaLayout, mt_formula_layout_free)

G_END_DECLS
