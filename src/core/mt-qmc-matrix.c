/* The covering matrix and the reductions that keep at least one cheapest cover:
 *
 *   essential   a row that one column alone covers: the column is taken
 *   row         a row whose columns include all of another row's: covered anyway, dropped
 *   column      a column whose rows another, no dearer, column covers too: dropped
 *
 * Sizes: at 6 inputs at most 64 rows and about as many columns (a set is one word); at 8
 * some 100 × 300; at 10 some 500 × 2,000. The counts of live columns a row and live rows a
 * column are kept up to date, so that each comparison is made only along the shortest
 * row or column that a dominating partner has to share. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

gboolean
mt_qmc_meter_spend (MtQmcMeter *meter,
                    guint64     work)
{
  meter->work += work;
  if (meter->work >= meter->budget)
    meter->exhausted = TRUE;
  if (meter->work >= meter->next_look)
    {
      meter->next_look = meter->work + 1000000;
      if (meter->cancellable != NULL && g_cancellable_is_cancelled (meter->cancellable))
        meter->cancelled = meter->exhausted = TRUE;
    }
  return meter->exhausted;
}

void
mt_qmc_matrix_init (MtQmcMatrix *matrix,
                    guint        n_rows,
                    guint        n_cols)
{
  gsize row_words = (n_rows + 63) / 64, col_words = (n_cols + 63) / 64;
  gsize n_words = n_cols * row_words + n_rows * col_words;
  char *memory = g_malloc0 (n_words * sizeof (guint64) + n_cols * (sizeof (guint32) + sizeof (guint16)));

  matrix->n_rows = n_rows;
  matrix->n_cols = n_cols;
  matrix->row_words = row_words;
  matrix->col_words = col_words;
  matrix->memory = memory;
  matrix->col_rows = (guint64 *) (gpointer) memory;
  matrix->row_cols = matrix->col_rows + n_cols * row_words;
  matrix->ids = (guint32 *) (gpointer) (matrix->row_cols + n_rows * col_words);
  matrix->literals = (guint16 *) (gpointer) (matrix->ids + n_cols);
}

void
mt_qmc_matrix_clear (MtQmcMatrix *matrix)
{
  g_clear_pointer (&matrix->memory, g_free);
}

void
mt_qmc_matrix_restrict (const MtQmcMatrix *matrix,
                        const guint64     *rows,
                        const guint64     *cols,
                        MtQmcMatrix       *out)
{
  g_autofree guint32 *new_row = g_new (guint32, matrix->n_rows);
  guint n_rows = 0, n_cols = 0;

  MT_QMC_FOR_EACH (r, rows[r_w], matrix->row_words)
    new_row[r] = n_rows++;
  for (gsize w = 0; w < matrix->col_words; w++)
    n_cols += (guint) __builtin_popcountll (cols[w]);
  mt_qmc_matrix_init (out, n_rows, n_cols);

  n_cols = 0;
  MT_QMC_FOR_EACH (c, cols[c_w], matrix->col_words)
    {
      const guint64 *old = matrix->col_rows + c * matrix->row_words;
      guint64 *new_col = out->col_rows + n_cols * out->row_words;

      MT_QMC_FOR_EACH (r, old[r_w] & rows[r_w], matrix->row_words)
        {
          mt_qmc_set_put_in (new_col, new_row[r]);
          mt_qmc_set_put_in (out->row_cols + new_row[r] * out->col_words, n_cols);
        }
      out->ids[n_cols] = matrix->ids[c];
      out->literals[n_cols] = matrix->literals[c];
      n_cols++;
    }
}

/* What a reduction works on: the live part and its counts. */
typedef struct {
  const MtQmcMatrix *m;
  guint64           *rows, *cols;
  guint32           *n_in_row, *n_in_col;
  gboolean           changed;
} Reduction;

static void
drop_row (Reduction *red,
          guint      row)
{
  const guint64 *cols = red->m->row_cols + row * red->m->col_words;

  mt_qmc_set_take_out (red->rows, row);
  MT_QMC_FOR_EACH (c, cols[c_w] & red->cols[c_w], red->m->col_words)
    red->n_in_col[c]--;
  red->changed = TRUE;
}

static void
drop_col (Reduction *red,
          guint      col)
{
  const guint64 *rows = red->m->col_rows + col * red->m->row_words;

  mt_qmc_set_take_out (red->cols, col);
  MT_QMC_FOR_EACH (r, rows[r_w] & red->rows[r_w], red->m->row_words)
    red->n_in_row[r]--;
  red->changed = TRUE;
}

static void
take_essentials (Reduction   *red,
                 MtQmcChoice *choice)
{
  const MtQmcMatrix *m = red->m;

  for (guint row = 0; row < m->n_rows; row++)
    {
      const guint64 *cols = m->row_cols + row * m->col_words;
      const guint64 *col_rows;
      guint col = G_MAXUINT;

      if (!mt_qmc_set_has (red->rows, row) || red->n_in_row[row] != 1)
        continue;
      for (gsize w = 0; w < m->col_words && col == G_MAXUINT; w++)
        if ((cols[w] & red->cols[w]) != 0)
          col = (guint) (w << 6) | (guint) __builtin_ctzll (cols[w] & red->cols[w]);
      choice->ids[choice->n_ids++] = m->ids[col];
      choice->cost += MT_QMC_COST (m->literals[col]);
      col_rows = m->col_rows + col * m->row_words;
      MT_QMC_FOR_EACH (r, col_rows[r_w] & red->rows[r_w], m->row_words)
        drop_row (red, (guint) r);
      mt_qmc_set_take_out (red->cols, col);
    }
}

/* Whether a ∩ live ⊆ b. */
static inline gboolean
is_within (const guint64 *a,
           const guint64 *b,
           const guint64 *live,
           gsize          n_words)
{
  for (gsize w = 0; w < n_words; w++)
    if ((a[w] & live[w] & ~b[w]) != 0)
      return FALSE;
  return TRUE;
}

/* The member of set ∩ live with the smallest count. */
static inline guint
rarest (const guint64 *set,
        const guint64 *live,
        gsize          n_words,
        const guint32 *counts)
{
  guint best = G_MAXUINT;

  MT_QMC_FOR_EACH (i, set[i_w] & live[i_w], n_words)
    if (best == G_MAXUINT || counts[i] < counts[best])
      best = (guint) i;
  return best;
}

static guint64
drop_dominated_rows (Reduction *red)
{
  const MtQmcMatrix *m = red->m;
  guint64 work = 0;

  for (guint row = 0; row < m->n_rows; row++)
    {
      const guint64 *cols = m->row_cols + row * m->col_words;
      const guint64 *others;
      guint col;

      if (!mt_qmc_set_has (red->rows, row))
        continue;
      col = rarest (cols, red->cols, m->col_words, red->n_in_col);
      others = m->col_rows + col * m->row_words;
      MT_QMC_FOR_EACH (other, others[other_w] & red->rows[other_w], m->row_words)
        {
          work += m->col_words;
          if (other != row && red->n_in_row[other] >= red->n_in_row[row] &&
              is_within (cols, m->row_cols + other * m->col_words, red->cols, m->col_words))
            drop_row (red, (guint) other);
        }
    }
  return work;
}

static guint64
drop_dominated_cols (Reduction *red)
{
  const MtQmcMatrix *m = red->m;
  guint64 work = 0;

  for (guint col = 0; col < m->n_cols; col++)
    {
      const guint64 *rows = m->col_rows + col * m->row_words;
      const guint64 *others;
      gboolean dominated = FALSE;
      guint row;

      if (!mt_qmc_set_has (red->cols, col))
        continue;
      if (red->n_in_col[col] == 0)
        {
          drop_col (red, col);
          continue;
        }
      row = rarest (rows, red->rows, m->row_words, red->n_in_row);
      others = m->row_cols + row * m->col_words;
      MT_QMC_FOR_EACH (other, others[other_w] & red->cols[other_w], m->col_words)
        {
          if (dominated || other == col || red->n_in_col[other] < red->n_in_col[col] ||
              m->literals[other] > m->literals[col])
            continue;
          /* Of two equal ones the first stays. */
          if (red->n_in_col[other] == red->n_in_col[col] && m->literals[other] == m->literals[col] &&
              other > col)
            continue;
          work += m->row_words;
          dominated = is_within (rows, m->col_rows + other * m->row_words, red->rows, m->row_words);
        }
      if (dominated)
        drop_col (red, col);
    }
  return work;
}

gboolean
mt_qmc_matrix_reduce (const MtQmcMatrix *matrix,
                      guint64           *rows,
                      guint64           *cols,
                      MtQmcChoice       *choice,
                      MtQmcMeter        *meter)
{
  g_autofree guint32 *counts = g_new0 (guint32, matrix->n_rows + matrix->n_cols);
  Reduction red = { matrix, rows, cols, counts, counts + matrix->n_rows, TRUE };
  guint64 work = matrix->n_rows * matrix->col_words + matrix->n_cols * matrix->row_words;

  MT_QMC_FOR_EACH (c, cols[c_w], matrix->col_words)
    {
      const guint64 *col_rows = matrix->col_rows + c * matrix->row_words;

      MT_QMC_FOR_EACH (r, col_rows[r_w] & rows[r_w], matrix->row_words)
        {
          red.n_in_row[r]++;
          red.n_in_col[c]++;
        }
    }
  MT_QMC_FOR_EACH (r, rows[r_w], matrix->row_words)
    if (red.n_in_row[r] == 0)
      return FALSE;
  while (red.changed)
    {
      red.changed = FALSE;
      take_essentials (&red, choice);
      work += drop_dominated_cols (&red);
      take_essentials (&red, choice);
      work += drop_dominated_rows (&red);
    }
  mt_qmc_meter_spend (meter, work);
  return TRUE;
}
