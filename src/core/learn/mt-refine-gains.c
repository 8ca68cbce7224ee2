/* What each answer of a rule is worth.
 *
 * The rows fall into 2^k patterns by a rule's k inputs, and a rule answers alike for all rows
 * of a pattern. So with the other terms fixed the loss is a sum over patterns of one of two
 * numbers, and gains[v] = loss(on) - loss(off) decides each entry by itself.
 *
 * Formulas, for a rule with the weight w (w_c for each class), a row with the score η as it
 * is now, y its target, and s = +1 if the rule is false of the row now, −1 if true; the
 * loss after turning the answer, less the loss before:
 *
 *   two classes     log (1 + p (e^(s w) − 1)) − y s w            p the probability of class 1
 *   more classes    log Σ_c p_c e^(s w_c) − s w_y
 *   numbers         −s w r + ½ w²                                r = y − η
 *
 * gains[v] is the sum over the rows of the pattern, times s: always "true" less "false".
 *
 * Logarithms are the cost. Products of factors are multiplied up and logged once they leave
 * the range of 1e±140, so most rows need none. */
#include "config.h"
#include "mt-refine-private.h"
#include "base/mt-math.h"

#include <math.h>
#include <string.h>

/* Rows that follow each other often fall into one cell, and a sum waits for the one before it: so there are LANES sums of
 * a cell, and row r adds to sum r mod LANES. Not for very many cells, which do not meet so often and would fill the
 * cache. */
#define LANES       4
#define LANED_CELLS 2048

/* sums[v] = Σ x over the rows of cell v. */
static void
sum_by_cell (const guint16 *cells,
             const double  *x,
             gsize          n_rows,
             guint          n_cells,
             double        *sums)
{
  g_autofree double *lanes = NULL;
  gsize r = 0;

  memset (sums, 0, n_cells * sizeof *sums);
  if (n_cells <= LANED_CELLS)
    {
      lanes = g_new0 (double, LANES * (gsize) n_cells);
      for (; r + LANES <= n_rows; r += LANES)
        for (guint i = 0; i < LANES; i++)
          lanes[LANES * (gsize) cells[r + i] + i] += x[r + i];
      for (guint v = 0; v < n_cells; v++)
        for (guint i = 0; i < LANES; i++)
          sums[v] += lanes[LANES * (gsize) v + i];
    }
  for (; r < n_rows; r++)
    sums[cells[r]] += x[r];
}

/* Σ of log over many factors: multiply, and take the logarithm only when the product leaves
 * the comfortable range. Far cheaper than a logarithm a row. */
typedef struct {
  double product;
  double log;
} LogSum;

/* A factor is at most e^|w| and the product before it at most 1e140, so nothing overflows
 * in between as long as weights stay below some 370. */
static inline void
log_sum_add (LogSum *sum,
             double  factor)
{
  sum->product *= factor;
  if (G_UNLIKELY (sum->product < 1e-140 || sum->product > 1e140))
    {
      sum->log += mt_log (sum->product);
      sum->product = 1;
    }
}

/* Rows of one class weigh the same, so their logarithms are summed before they are weighed: LANES
 * sums a cell and class, or a cell when all rows weigh 1. */
static guint
n_kinds_of_rows (const MtRefine *self)
{
  return self->class_weights == NULL ? 1 : self->task == MT_TASK_BINARY ? 2 : self->n_outputs;
}

static LogSum *
new_log_sums (gsize n)
{
  LogSum *sums = g_new (LogSum, n);

  for (gsize i = 0; i < n; i++)
    sums[i] = (LogSum) { 1, 0 };
  return sums;
}

/* The logarithm of everything that was put into a cell's LANES sums. */
static double
log_sum_end (const LogSum *lanes)
{
  double log_of_all = 0;

  for (guint i = 0; i < LANES; i++)
    log_of_all += lanes[i].log;
  /* Two at a time are within range. */
  for (guint i = 0; i < LANES; i += 2)
    log_of_all += mt_log (lanes[i].product * lanes[i + 1].product);
  return log_of_all;
}

/* Σ over the kinds of rows of (weight of the kind) × (sum of its logarithms). */
static double
weigh_log_sums (const MtRefine *self,
                const LogSum   *sums,
                guint           n_kinds)
{
  double sum = 0;

  if (n_kinds == 1)
    return log_sum_end (sums);
  for (guint k = 0; k < n_kinds; k++)
    sum += self->class_weights[k] * log_sum_end (sums + k * LANES);
  return sum;
}

/* gains[v] over the rows of cell v: loss with the rule true of them less the loss with it
 * false. @is_on: what the rule says of the cell now.
 *
 * Binary: turning a row with probability p by w changes its loss by log (1 + p (eʷ - 1)) - y w;
 * rows where the rule is true now are turned by -w, and the sign of it all. */
static void
binary_gains (MtRefine       *self,
              guint           index,
              const guint16  *cells,
              guint           n_cells,
              const guint8   *is_on,
              const guint32  *ones,
              double         *gains)
{
  const double *p = mt_linear_fit_get_probability (self->head, 0);
  double weight = mt_linear_fit_get_weight (self->head, index, 0);
  double turn[2] = { mt_expm1 (weight), mt_expm1 (-weight) };
  guint n_kinds = n_kinds_of_rows (self);
  g_autofree LogSum *sums = new_log_sums (n_cells * (gsize) n_kinds * LANES);
  g_autofree double *turns = g_new (double, n_cells);

  for (guint v = 0; v < n_cells; v++)
    turns[v] = turn[is_on[v]];
  if (n_kinds == 1)
    {
      gsize r = 0;

      for (; r + LANES <= self->n_rows; r += LANES)
        for (guint i = 0; i < LANES; i++)
          log_sum_add (&sums[LANES * (gsize) cells[r + i] + i], 1 + p[r + i] * turns[cells[r + i]]);
      for (; r < self->n_rows; r++)
        log_sum_add (&sums[LANES * (gsize) cells[r] + r % LANES], 1 + p[r] * turns[cells[r]]);
    }
  else
    for (gsize r = 0; r < self->n_rows; r++)
      log_sum_add (&sums[(cells[r] * (gsize) n_kinds + (guint) self->target[r]) * LANES + r % LANES],
                   1 + p[r] * turns[cells[r]]);
  for (guint v = 0; v < n_cells; v++)
    {
      double turned = weigh_log_sums (self, sums + v * (gsize) n_kinds * LANES, n_kinds);

      gains[v] = (is_on[v] ? -turned : turned) - weight * ones[v] * (n_kinds > 1 ? self->class_weights[1] : 1);
    }
}

/* See the formula at the top. Σ_c p_c e^(s w_c) is made for CHUNK rows at a time, class
 * after class, so that each class's probabilities are read in a row; hits[] collects w_y. */
static void
multiclass_gains (MtRefine       *self,
                  guint           index,
                  const guint16  *cells,
                  guint           n_cells,
                  const guint8   *is_on,
                  double         *gains)
{
  enum { CHUNK = 256 };
  guint n_kinds = n_kinds_of_rows (self);
  g_autofree LogSum *sums = new_log_sums (n_cells * (gsize) n_kinds * LANES);
  g_autofree double *hits = g_new0 (double, n_cells);

  for (gsize first = 0; first < self->n_rows; first += CHUNK)
    {
      gsize n = MIN (CHUNK, self->n_rows - first);
      double mean[CHUNK] = { 0 };

      for (guint c = 0; c < self->n_outputs; c++)
        {
          const double *p = mt_linear_fit_get_probability (self->head, c) + first;
          double weight = mt_linear_fit_get_weight (self->head, index, c);
          double turn[2] = { mt_exp (weight), mt_exp (-weight) };

          for (gsize i = 0; i < n; i++)
            mean[i] += p[i] * turn[is_on[cells[first + i]]];
        }
      for (gsize i = 0; i < n; i++)
        {
          guint v = cells[first + i], class = (guint) self->target[first + i];

          log_sum_add (&sums[(v * (gsize) n_kinds + (n_kinds > 1 ? class : 0)) * LANES + i % LANES], mean[i]);
          hits[v] += mt_linear_fit_get_weight (self->head, index, class) * (n_kinds > 1 ? self->class_weights[class] : 1);
        }
    }
  for (guint v = 0; v < n_cells; v++)
    {
      double turned = weigh_log_sums (self, sums + v * (gsize) n_kinds * LANES, n_kinds);

      gains[v] = (is_on[v] ? -turned : turned) - hits[v];
    }
}

/* No logarithms: the sum of the residuals and the number of rows of each cell are enough. */
static void
regression_gains (MtRefine       *self,
                  guint           index,
                  const guint16  *cells,
                  guint           n_cells,
                  const guint8   *is_on,
                  const guint32  *counts,
                  double         *gains)
{
  const double *residual = mt_linear_fit_get_residual (self->head, 0);
  double weight = mt_linear_fit_get_weight (self->head, index, 0);

  sum_by_cell (cells, residual, self->n_rows, n_cells, gains);
  for (guint v = 0; v < n_cells; v++)
    gains[v] = -weight * gains[v] + (is_on[v] ? -.5 : .5) * weight * weight * counts[v];
}

void
mt_refine_cell_gains (MtRefine       *self,
                      guint           index,
                      const guint16  *cells,
                      guint           n_cells,
                      const guint8   *is_on,
                      const guint32  *counts,
                      const guint32  *ones,
                      double         *gains)
{
  if (self->task == MT_TASK_BINARY)
    binary_gains (self, index, cells, n_cells, is_on, ones, gains);
  else if (self->task == MT_TASK_MULTICLASS)
    multiclass_gains (self, index, cells, n_cells, is_on, gains);
  else
    regression_gains (self, index, cells, n_cells, is_on, counts, gains);
}

/* For each of the terms, from the place that makes exact sums. */
static void
ask_for (MtRefine      *self,
         const guint   *indices,
         guint          n)
{
  g_autofree MtRule **rules = g_new (MtRule *, MAX (n, 1));
  g_autofree double *weights = g_new (double, MAX (n, 1));
  g_autofree double **gains = g_new (double *, MAX (n, 1));

  mt_linear_fit_get_loss (self->head);      /* its scores are there */
  for (guint i = 0; i < n; i++)
    {
      MtRefineTerm *term = g_ptr_array_index (self->terms, indices[i]);

      rules[i] = term->rule;
      weights[i] = mt_linear_fit_get_weight (self->head, indices[i], 0);
      if (term->gains == NULL)
        term->gains = g_new (double, 1u << mt_rule_get_n_inputs (term->rule));
      gains[i] = term->gains;
      term->gains_at = self->version;
    }
  if (n > 0)
    mt_refine_sums_gains (self->sums, rules, weights, n, gains);
}

void
mt_refine_ask_gains (MtRefine *self)
{
  g_autofree guint *indices = NULL;
  guint n = 0;

  if (self->sums == NULL)
    return;
  indices = g_new (guint, MAX (self->terms->len, 1));
  for (guint t = 0; t < self->terms->len; t++)
    {
      const MtRefineTerm *term = g_ptr_array_index (self->terms, t);

      if (mt_refine_is_multi_input (term) && (term->gains == NULL || term->gains_at != self->version))
        indices[n++] = t;
    }
  ask_for (self, indices, n);
}

/* Remembered for as long as the model does not change: improving tables and elimination ask
 * for the same numbers. */
void
mt_refine_gains (MtRefine *self,
                 guint     index,
                 double   *gains)
{
  MtRefineTerm *term = g_ptr_array_index (self->terms, index);
  guint n_patterns = 1u << mt_rule_get_n_inputs (term->rule);
  const guint64 *table = mt_rule_get_table (term->rule);
  guint8 is_on[MT_MAX_PATTERNS];

  mt_refine_term_ensure_patterns (self, term);      /* moves read the counts */
  if ((term->gains == NULL || term->gains_at != self->version) && self->sums != NULL)
    ask_for (self, &index, 1);
  if (term->gains == NULL || term->gains_at != self->version)
    {
      for (guint v = 0; v < n_patterns; v++)
        is_on[v] = table[v / 64] >> (v % 64) & 1;
      if (term->gains == NULL)
        term->gains = g_new (double, n_patterns);
      mt_refine_cell_gains (self, index, term->patterns, n_patterns, is_on, term->counts, term->ones, term->gains);
      term->gains_at = self->version;
    }
  memcpy (gains, term->gains, n_patterns * sizeof *gains);
}
