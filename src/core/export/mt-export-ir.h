/* What an engine must compute to answer as the model does, and nothing about any language.
 * Private to core: mt-export makes one plan of a model, each writer spells it out.
 *
 *   columns  those of the file that are read, in the encoder's order, then those that only formulas read; behind these n_columns
 *            the n_derived columns that formulas make of them
 *   tests    the literals in use: yes/no questions about one cell, false where the cell does not
 *            say yes; only `missing` is true of a missing cell. Cells are raw: a value that counts as
 *            missing in its column (0 for “unknown”) is missing for all tests and terms
 *   terms    a number in its shape, counted from the mean of the training rows (0 when missing), or a rule:
 *            an OR of ANDs over tests and their opposites, 1 or 0
 *   scores   bias + Σ weight × term, in the order of the terms, one a class or a single one
 *   link     binary: p of the second class = 1 / (1 + exp (−score)), decided by p > cutoff;
 *            multiclass: softmax, decided by the first of the largest; regression: the score
 *
 * Sizes: 1–50 columns, 1–200 tests, 1–60 terms. A plan borrows names and levels from its model
 * and holds a reference to it. */
#pragma once

#include "model/mt-model.h"

G_BEGIN_DECLS

typedef struct {
  const char            *name;
  MtColumnType           type;
  gboolean               is_number;   /* a number or a date; else text */
  const MtEncoderColumn *about;
  char                 **missing;     /* texts that mean missing in it: the files' and the column's own */
  char                 **stand_ins;   /* those of them that count as missing in this model only; may be empty */
  double                *gaps;        /* is_number: the numbers, of dates the days, that stand-ins name */
  guint                  n_gaps;
  MtFormula             *formula;     /* of a derived column; NULL: it is read from the file */
  guint                 *sources;     /* of the formula, in its order: columns of the plan */
} MtPlanColumn;

typedef struct {
  MtLiteralKind  kind;
  guint          column;       /* of the plan */
  double         threshold;    /* AT_LEAST */
  const char    *level;        /* LEVEL; OTHER: present, and none of the column's levels */
} MtPlanTest;

typedef struct {
  gboolean       is_number;
  guint          column;       /* is_number: of the plan */
  MtShape        shape;        /* is_number: what is made of the number before … */
  double         mean;         /* … this is subtracted */
  guint         *tests;        /* otherwise: the test behind each input of the rule */
  const MtRule  *rule;
  double        *weights;      /* n_outputs; of a number per unit of its shape */
  char          *text;         /* for people */
} MtPlanTerm;

typedef struct {
  MtModel            *model;
  MtTask              task;
  guint               n_outputs;
  double              cutoff;      /* of two classes */
  const double       *bias;
  guint               n_classes;
  const char * const *classes;
  MtPlanColumn       *columns;
  guint               n_columns;
  guint               n_derived;   /* behind the columns, in the same array */
  MtEncoderColumn    *extras;      /* what is known of the columns that only formulas read */
  guint               n_extras;
  MtPlanTest         *tests;
  guint               n_tests;
  MtPlanTerm         *terms;
  guint               n_terms;
  const char * const *missing;     /* texts that mean missing in all columns */
  char              **outputs;     /* names of what predict writes: prediction, p_<class> … */
  char               *sha256;      /* of the model's file */
} MtExportIr;

MtExportIr *mt_export_ir_new  (MtModel *model);
void          mt_export_ir_free (MtExportIr *plan);

/* “0” and “-1” count as missing in Cholesterol; for a comment. NULL: nothing but what is usual does. */
char         *mt_export_ir_dup_note (const MtPlanColumn *column);

/* Can a cell of the column hold a value that stands for a missing one? Text that spells a number in a number
 * column is none that a cell could hold. */
static inline gboolean
mt_plan_column_has_gaps (const MtPlanColumn *column)
{
  return column->is_number ? column->n_gaps > 0 : *column->stand_ins != NULL;
}

/* How a language calls what a formula does: `calls` by MtFormulaKind, of a function that takes what the formula's node takes and
 * gives missing where the formula is missing. */
typedef struct {
  const char * const *calls;
  void              (*append_source) (GString *out, const MtExportIr *plan, guint column, gconstpointer data);
  void              (*append_text)   (GString *out, const char *text, gconstpointer data);
  void              (*append_number) (GString *out, double number, gconstpointer data);
  const char         *edges[2];      /* around the limits of bins() */
  const char         *levels[2];     /* around what weekday(), contains() and bins() can give, their last argument */
} MtPlanCalls;

void          mt_export_ir_append_formula (const MtExportIr *plan, const MtPlanColumn *column, const MtPlanCalls *calls,
                                           gconstpointer data, GString *out);
/* “ratio = income / loan”, for a comment; NULL: it is a column of the file. */
char         *mt_export_ir_dup_formula (const MtPlanColumn *column);

/* How a language with infix logic writes a rule. */
typedef struct {
  const char *and;
  const char *or;
  const char *not;
  /* A test, such that `not` may stand in front of it. @data is the caller's. */
  void      (*append_test) (GString *out, const MtExportIr *plan, const MtPlanTest *test, gconstpointer data);
} MtPlanLogic;

/* The rule of a term in brackets. Long alternatives are nested in groups, since parsers limit the
 * depth of what is chained (sqlite: 1000). */
void          mt_export_ir_append_rule (const MtExportIr *plan, const MtPlanTerm *term,
                                        const MtPlanLogic *logic, gconstpointer data, GString *out);

/* Levels of a column, NULL-terminated; what OTHER excludes. */
static inline const char * const *
mt_plan_get_levels (const MtExportIr *plan,
                    const MtPlanTest   *test)
{
  return (const char * const *) plan->columns[test->column].about->levels;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtExportIr, mt_export_ir_free)

G_END_DECLS
