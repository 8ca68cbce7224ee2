/* What an engine must compute to answer as the model does, and nothing about any language.
 * Private to core: mt-export makes one plan of a model, each writer spells it out.
 *
 *   columns  the columns that some term asks about, in the encoder's order
 *   tests    the literals in use: yes/no questions about one cell, false where the cell does not
 *            say yes; only `missing` is true of a missing cell
 *   terms    a number, counted in raw units from the training mean (0 when missing), or a rule:
 *            an OR of ANDs over tests and their opposites, 1 or 0
 *   scores   bias + Σ weight × term, in the order of the terms, one a class or a single one
 *   link     binary: p of the second class = 1 / (1 + exp (−score)), decided by p > 0.5;
 *            multiclass: softmax, decided by the first of the largest; regression: the score
 *
 * Sizes: 1–50 columns, 1–200 tests, 1–60 terms. A plan borrows names and levels from its model
 * and holds a reference to it. */
#pragma once

#include "mt-model.h"

G_BEGIN_DECLS

typedef struct {
  const char            *name;
  MtColumnType           type;
  gboolean               is_number;   /* a number or a date; else text */
  const MtEncoderColumn *about;
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
  guint         *tests;        /* otherwise: the test behind each input of the rule */
  const MtRule  *rule;
  double        *weights;      /* n_outputs; of a number per raw unit */
  char          *text;         /* for people */
} MtPlanTerm;

typedef struct {
  MtModel            *model;
  MtTask              task;
  guint               n_outputs;
  const double       *bias;
  guint               n_classes;
  const char * const *classes;
  MtPlanColumn       *columns;
  guint               n_columns;
  MtPlanTest         *tests;
  guint               n_tests;
  MtPlanTerm         *terms;
  guint               n_terms;
  const char * const *missing;     /* texts that mean missing */
  char              **outputs;     /* names of what predict writes: prediction, p_<class> … */
  char               *sha256;      /* of the model's file */
} MtExportPlan;

MtExportPlan *mt_export_plan_new  (MtModel *model);
void          mt_export_plan_free (MtExportPlan *plan);

/* How a language with infix logic writes a rule. */
typedef struct {
  const char *and;
  const char *or;
  const char *not;
  /* A test, such that `not` may stand in front of it. @data is the caller's. */
  void      (*append_test) (GString *out, const MtExportPlan *plan, const MtPlanTest *test, gconstpointer data);
} MtPlanLogic;

/* The rule of a term in brackets. Long alternatives are nested in groups, since parsers limit the
 * depth of what is chained (sqlite: 1000). */
void          mt_export_plan_append_rule (const MtExportPlan *plan, const MtPlanTerm *term,
                                          const MtPlanLogic *logic, gconstpointer data, GString *out);

/* Levels of a column, NULL-terminated; what OTHER excludes. */
static inline const char * const *
mt_plan_get_levels (const MtExportPlan *plan,
                    const MtPlanTest   *test)
{
  return (const char * const *) plan->columns[test->column].about->levels;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtExportPlan, mt_export_plan_free)

G_END_DECLS
