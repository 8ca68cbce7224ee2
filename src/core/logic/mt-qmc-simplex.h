/* The linear program that mt-qmc-cuts.c sharpens bounds with: mt-qmc-simplex.c solves it. */
#pragma once

#include "mt-qmc-private.h"

G_BEGIN_DECLS

/* A term of an inequality. */
typedef struct {
  guint  var;
  gint32 coef;
} MtQmcEntry;

typedef struct {
  const MtQmcMatrix *m;
  guint       n_vars;      /* columns of the matrix */
  gsize       stride;      /* the same, up to a multiple of 4 */
  guint       n_ineqs;     /* its rows, then cuts */
  GArray     *first;       /* n_ineqs + 1: where each one's entries begin */
  GArray     *entries;
  GArray     *rhs;         /* gint32 */
  GArray     *is_basic;    /* guint8 */
  gint32     *cost;        /* n_vars */
  gint32     *basis;       /* n_vars: an inequality, or -1 - var for the var's slack */
  guint8     *slack_basic; /* n_vars */
  guint8     *struck;      /* n_vars: in no cover of interest; x is 0, and the slack may be negative */
  double     *inverse;     /* n_vars × stride */
  double     *level;       /* n_vars: values of the basis */
  double     *x;           /* n_vars */
  double     *direction;   /* n_vars */
  gint64     *reduced;     /* n_vars, scratch … */
  gint64     *best_reduced;
  guint       most_cuts;   /* a round … */
  guint       patience;    /* … and rounds without a better bound */
  gint64      best;        /* … largest exact bound met, in UNITs, and its reduced costs */
  MtQmcMeter *meter;
} MtQmcProgram;

#define MT_QMC_FIRST(p, i) g_array_index ((p)->first, guint, i)
#define MT_QMC_ENTRY(p, e) g_array_index ((p)->entries, MtQmcEntry, e)
#define MT_QMC_RHS(p, i)   g_array_index ((p)->rhs, gint32, i)
#define MT_QMC_BASIC(p, i) g_array_index ((p)->is_basic, guint8, i)

void     mt_qmc_program_init      (MtQmcProgram      *p,
                                   const MtQmcMatrix *m,
                                   MtQmcMeter        *meter);
void     mt_qmc_program_clear     (MtQmcProgram      *p);
/* Costs of literals + @extra, and back to u = 0; inequalities stay. */
void     mt_qmc_program_start     (MtQmcProgram      *p,
                                   guint              extra);
void     mt_qmc_program_add       (MtQmcProgram      *p,
                                   const MtQmcEntry  *entries,
                                   guint              n_entries,
                                   gint32             rhs);
/* By how much the present x misses the inequality; below 0: it does not. */
double   mt_qmc_program_violation (const MtQmcProgram *p,
                                   guint              ineq);
/* To the optimum from the present basis; FALSE when it was not reached. */
gboolean mt_qmc_program_solve     (MtQmcProgram      *p);

G_END_DECLS
