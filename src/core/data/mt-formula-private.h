/* What reading and computing formulas share. */
#pragma once

#include "mt-formula.h"

G_BEGIN_DECLS

struct _MtFormula {
  gatomicrefcount  ref_count;
  MtFormulaNode   *root;
  GArray          *sources;    /* of MtFormulaSource */
  char            *text;
};

/* By MtFormulaKind: the word before the parenthesis; NULL: no function. */
extern const char * const mt_formula_functions[MT_N_FORMULA_KINDS];

MtFormulaNode *mt_formula_node_new  (MtFormulaKind kind, MtFormulaNode *a, MtFormulaNode *b);
void           mt_formula_node_free (MtFormulaNode *node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtFormulaNode, mt_formula_node_free)

G_END_DECLS
