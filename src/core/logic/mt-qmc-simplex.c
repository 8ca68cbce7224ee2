/* The simplex method for the bound of a cover: the dual of
 *
 *   min c·x  with  A x ≥ b,  x ≥ 0,     which is     max b·u  with  Aᵀu + s = c,  u ≥ 0, s ≥ 0.
 *
 * u = 0 is where it may start, and an inequality more is a variable more, so it goes on from where it was. The inverse of
 * the basis (columns × columns, 100 to 500 of them) is kept as a full matrix. Nothing here proves anything: what
 * it comes to is a proposal, which mt-qmc-cuts.c makes a bound of in whole numbers. */
#include "config.h"
#include "mt-qmc-simplex.h"

#include <math.h>
#include <string.h>

#include "base/mt-target-clones.h"

#define MOST_PIVOTS     20000
#define EPSILON         1e-9
#define LEAST_PIVOT     1e-7
/* Costs are lowered by up to this so that no two ways to the optimum are equal. */
#define PERTURBATION    1e-6

typedef double Double4 __attribute__ ((vector_size (32), aligned (8)));

typedef MtQmcProgram Program;
typedef MtQmcEntry Entry;

#define FIRST MT_QMC_FIRST
#define ENTRY MT_QMC_ENTRY
#define RHS   MT_QMC_RHS
#define BASIC MT_QMC_BASIC

void
mt_qmc_program_add (Program     *p,
                    const Entry *entries,
                    guint        n_entries,
                    gint32       rhs)
{
  guint8 basic = FALSE;
  guint end;

  g_array_append_vals (p->entries, entries, n_entries);
  end = p->entries->len;
  g_array_append_val (p->first, end);
  g_array_append_val (p->rhs, rhs);
  g_array_append_val (p->is_basic, basic);
  p->n_ineqs++;
}

/* The inequalities are at first the rows of the matrix: Σ x_j ≥ 1 over the columns that cover the row. They are
 * stored as lists of entries, one after the other, because cuts are appended and dropped later. */
void
mt_qmc_program_init (Program           *p,
                     const MtQmcMatrix *m,
                     MtQmcMeter        *meter)
{
  g_autofree Entry *row = g_new (Entry, m->n_cols);
  guint zero = 0;

  memset (p, 0, sizeof *p);
  p->m = m;
  p->meter = meter;
  p->n_vars = m->n_cols;
  p->first = g_array_new (FALSE, FALSE, sizeof (guint));
  p->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  p->rhs = g_array_new (FALSE, FALSE, sizeof (gint32));
  p->is_basic = g_array_new (FALSE, FALSE, sizeof (guint8));
  p->cost = g_new (gint32, m->n_cols);
  p->basis = g_new (gint32, m->n_cols);
  p->slack_basic = g_new (guint8, m->n_cols);
  p->struck = g_new0 (guint8, m->n_cols);
  p->stride = (m->n_cols + 3) / 4 * 4;
  p->inverse = g_new (double, m->n_cols * p->stride);
  p->level = g_new (double, m->n_cols);
  p->x = g_new (double, m->n_cols);
  p->direction = g_new (double, m->n_cols);
  p->reduced = g_new (gint64, m->n_cols);
  p->best_reduced = g_new (gint64, m->n_cols);
  g_array_append_val (p->first, zero);
  for (guint r = 0; r < m->n_rows; r++)
    {
      guint n = 0;

      MT_QMC_FOR_EACH (c, m->row_cols[r * m->col_words + c_w], m->col_words)
        row[n++] = (Entry) { (guint) c, 1 };
      mt_qmc_program_add (p, row, n, 1);
    }
}

void
mt_qmc_program_clear (Program *p)
{
  g_array_unref (p->first);
  g_array_unref (p->entries);
  g_array_unref (p->rhs);
  g_array_unref (p->is_basic);
  g_free (p->cost);
  g_free (p->basis);
  g_free (p->slack_basic);
  g_free (p->struck);
  g_free (p->inverse);
  g_free (p->level);
  g_free (p->x);
  g_free (p->direction);
  g_free (p->reduced);
  g_free (p->best_reduced);
}

/* The basis is all slacks (u = 0), whose inverse is the identity, and x is 0. Costs differ a little from one
 * variable to the next, by at most PERTURBATION, in a fixed pattern: otherwise many steps would not change the
 * objective, and the method might go in circles. */
void
mt_qmc_program_start (Program *p,
                      guint    extra)
{
  memset (p->inverse, 0, p->n_vars * p->stride * sizeof (double));
  memset (p->is_basic->data, FALSE, p->n_ineqs);
  for (guint j = 0; j < p->n_vars; j++)
    {
      p->cost[j] = (gint32) (p->m->literals[j] + extra);
      p->basis[j] = -1 - (gint32) j;
      p->slack_basic[j] = TRUE;
      p->inverse[j * p->stride + j] = 1;
      p->level[j] = p->cost[j] - PERTURBATION * (1 + (j * 2654435761u >> 16) % 1024) / 1024;
      p->x[j] = 0;
    }
  p->best = G_MININT64 / 4;
}

/* b − a·x of one inequality. It walks over the inequality's entries, so looking at all of them
 * costs as much as the matrix has entries. */
double
mt_qmc_program_violation (const Program *p,
                          guint          ineq)
{
  double left = RHS (p, ineq);

  for (guint e = FIRST (p, ineq); e < FIRST (p, ineq + 1); e++)
    left -= ENTRY (p, e).coef * p->x[ENTRY (p, e).var];
  return left;
}

/* What enters the basis: an inequality, or -1 - var; FALSE at the optimum. The largest violation is
 * taken (Dantzig's rule): of an inequality that the present x does not keep, or of an x below 0,
 * whose slack then enters. It also is what the objective gains for each unit of the entering
 * variable. */
static gboolean
choose_entering (const Program *p,
                 gint32        *entering,
                 double        *gain)
{
  *gain = EPSILON;
  for (guint i = 0; i < p->n_ineqs; i++)
    if (!BASIC (p, i))
      {
        double at = mt_qmc_program_violation (p, i);

        if (at > *gain)
          {
            *gain = at;
            *entering = (gint32) i;
          }
      }
  for (guint j = 0; j < p->n_vars; j++)
    if (!p->slack_basic[j] && -p->x[j] > *gain)
      {
        *gain = -p->x[j];
        *entering = -1 - (gint32) j;
      }
  return *gain > EPSILON;
}

/* How the values of the basis change when the entering variable grows by one: the inverse times its column. */
static void
set_direction (Program *p,
               gint32   entering)
{
  for (guint k = 0; k < p->n_vars; k++)
    {
      const double *row = p->inverse + k * p->stride;
      double sum = 0;

      if (entering < 0)
        sum = row[-1 - entering];
      else
        for (guint e = FIRST (p, entering); e < FIRST (p, entering + 1); e++)
          sum += row[ENTRY (p, e).var] * ENTRY (p, e).coef;
      p->direction[k] = sum;
    }
}

/* The slack of a column that was struck out: it stays in the basis and may become negative. That is
 * how the column is removed: x ≥ 0 becomes x = 0, and the matrix need not be made again. */
static gboolean
is_free (const Program *p,
         guint          place)
{
  return p->basis[place] < 0 && p->struck[-1 - p->basis[place]];
}

/* Takes @factors[k] times the row @pivot from every other row k with a factor. */
MT_CLONES static void
clear_column (double       *rows,
              gsize         stride,
              guint         n_rows,
              guint         pivot,
              const double *factors)
{
  const Double4 *from = (const Double4 *) (rows + pivot * stride);

  for (guint k = 0; k < n_rows; k++)
    {
      Double4 *to = (Double4 *) (rows + k * stride);

      if (k == pivot || fabs (factors[k]) < 1e-12)
        continue;
      for (gsize j = 0; j < stride / 4; j++)
        to[j] -= factors[k] * from[j];
    }
}

/* One step: the entering variable takes the place of the leaving one. The inverse is brought up to date by
 * clearing the leaving row's multiples from all others, n² operations, which is nearly all the time that is spent
 * here (hence the vectors). x, the prices of the dual, which are the covers' variables, follow from the pivot's
 * row. Values that rounding made negative are set to 0. */
static void
pivot (Program *p,
       guint    leaving,
       gint32   entering,
       double   gain)
{
  guint n = p->n_vars;
  double *pivot_row = p->inverse + leaving * p->stride;
  double scale = 1 / p->direction[leaving];

  for (guint j = 0; j < n; j++)
    pivot_row[j] *= scale;
  p->level[leaving] *= scale;
  clear_column (p->inverse, p->stride, n, leaving, p->direction);
  for (guint k = 0; k < n; k++)
    if (k != leaving)
      {
        p->level[k] -= p->direction[k] * p->level[leaving];
        if (!is_free (p, k))
          p->level[k] = MAX (0, p->level[k]);
      }
  for (guint j = 0; j < n; j++)
    p->x[j] += gain * pivot_row[j];
  if (p->basis[leaving] < 0)
    p->slack_basic[-1 - p->basis[leaving]] = FALSE;
  else
    BASIC (p, p->basis[leaving]) = FALSE;
  if (entering < 0)
    p->slack_basic[-1 - entering] = TRUE;
  else
    BASIC (p, entering) = TRUE;
  p->basis[leaving] = entering;
}

/* What leaves the basis for the present direction: of those that come to zero first, or nearly so, the one with the
 * largest part in it, because dividing by small numbers is what spoils the inverse. G_MAXUINT: nothing does. */
static guint
choose_leaving (const Program *p)
{
  guint leaving = G_MAXUINT;
  double least = G_MAXDOUBLE;

  for (guint k = 0; k < p->n_vars; k++)
    if (p->direction[k] > LEAST_PIVOT && !is_free (p, k))
      least = MIN (least, (p->level[k] + EPSILON) / p->direction[k]);
  for (guint k = 0; k < p->n_vars; k++)
    if (p->direction[k] > LEAST_PIVOT && !is_free (p, k) && p->level[k] / p->direction[k] <= least &&
        (leaving == G_MAXUINT || p->direction[k] > p->direction[leaving]))
      leaving = k;
  return leaving;
}

/* The largest violation enters each time. FALSE when nothing leaves, after too many pivots, or when the budget
 * ends; the caller then uses the prices as they are, since any prices give a valid bound. */
gboolean
mt_qmc_program_solve (Program *p)
{
  for (guint step = 0; step < MOST_PIVOTS; step++)
    {
      gint32 entering = 0;
      guint leaving;
      double gain;

      if (!choose_entering (p, &entering, &gain))
        return TRUE;
      set_direction (p, entering);
      leaving = choose_leaving (p);
      if (leaving == G_MAXUINT)
        return FALSE;
      pivot (p, leaving, entering, gain);
      if (mt_qmc_meter_spend (p->meter, (guint64) p->n_vars * p->n_vars / 16 + p->n_ineqs))
        return FALSE;
    }
  return FALSE;
}
