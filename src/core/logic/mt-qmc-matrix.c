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

/* Work is counted in roughly equal steps (words looked at, entries visited), not in time, so that a search stops
 * at the same place on every machine and gives the same cover. The cancellable is asked only every million steps,
 * a few milliseconds. */
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

/* One allocation for all arrays of the matrix, in falling order of their alignment: both views as bits, then
 * prices, ids and literals. A matrix of 500 rows and 2,000 columns takes about 270 kB. All zero at first. */
void
mt_qmc_matrix_init (MtQmcMatrix *matrix,
                    guint        n_rows,
                    guint        n_cols)
{
  gsize row_words = (n_rows + 63) / 64, col_words = (n_cols + 63) / 64;
  gsize n_words = n_cols * row_words + n_rows * col_words;
  char *memory = g_malloc0 (n_words * sizeof (guint64) + 2 * n_rows * sizeof (gint32) +
                            n_cols * (sizeof (guint32) + sizeof (guint16)));

  matrix->n_rows = n_rows;
  matrix->n_cols = n_cols;
  matrix->row_words = row_words;
  matrix->col_words = col_words;
  matrix->memory = memory;
  matrix->col_rows = (guint64 *) (gpointer) memory;
  matrix->row_cols = matrix->col_rows + n_cols * row_words;
  matrix->prices = (gint32 *) (gpointer) (matrix->row_cols + n_rows * col_words);
  matrix->ids = (guint32 *) (gpointer) (matrix->prices + 2 * n_rows);
  matrix->literals = (guint16 *) (gpointer) (matrix->ids + n_cols);
}

void
mt_qmc_matrix_clear (MtQmcMatrix *matrix)
{
  g_clear_pointer (&matrix->memory, g_free);
}

/* The part that is left after a reduction, as a matrix of its own: rows and columns are numbered without gaps
 * again, so sets get shorter and later operations cheaper. ids keep the caller's numbers of the columns. The
 * prices of the rows go along: they are a good start for the bound of the smaller matrix. */
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
  MT_QMC_FOR_EACH (r, rows[r_w], matrix->row_words)
    {
      out->prices[new_row[r]] = matrix->prices[r];
      out->prices[n_rows + new_row[r]] = matrix->prices[matrix->n_rows + r];
    }

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
  /* A row can drop others only after it lost columns, a column can be dropped only after it lost
   * rows: what lost nothing since it was last looked at is not looked at again. */
  guint64           *fresh_rows, *fresh_cols;
} Reduction;

/* Takes a row out and counts it off in its columns. These columns lost a row and may now be dominated: they are
 * fresh. */
static void
drop_row (Reduction *red,
          guint      row)
{
  const guint64 *cols = red->m->row_cols + row * red->m->col_words;

  mt_qmc_set_take_out (red->rows, row);
  MT_QMC_FOR_EACH (c, cols[c_w] & red->cols[c_w], red->m->col_words)
    red->n_in_col[c]--;
  for (gsize w = 0; w < red->m->col_words; w++)
    red->fresh_cols[w] |= cols[w];
}

/* The same for a column: its rows have one column less, may have become essential, and may now dominate other
 * rows. */
static void
drop_col (Reduction *red,
          guint      col)
{
  const guint64 *rows = red->m->col_rows + col * red->m->row_words;

  mt_qmc_set_take_out (red->cols, col);
  MT_QMC_FOR_EACH (r, rows[r_w] & red->rows[r_w], red->m->row_words)
    red->n_in_row[r]--;
  for (gsize w = 0; w < red->m->row_words; w++)
    red->fresh_rows[w] |= rows[w];
}

/* Only a row that just lost columns can have one left. */
static void
take_essentials (Reduction   *red,
                 MtQmcChoice *choice)
{
  const MtQmcMatrix *m = red->m;

  MT_QMC_FOR_EACH (row, red->fresh_rows[row_w] & red->rows[row_w], m->row_words)
    {
      const guint64 *cols = m->row_cols + row * m->col_words;
      const guint64 *col_rows;
      guint col = G_MAXUINT;

      /* The row may have gone with an essential column since this word was read. */
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

/* A row whose columns are all among those of another row makes the other one superfluous: whichever column covers
 * the first covers the second, too. Such a second row must share every column of the first, so it suffices to look
 * along one of them, the one with the fewest rows. */
static guint64
drop_dominated_rows (Reduction *red)
{
  const MtQmcMatrix *m = red->m;
  guint64 work = 0;

  MT_QMC_FOR_EACH (row, red->fresh_rows[row_w] & red->rows[row_w], m->row_words)
    {
      const guint64 *cols = m->row_cols + row * m->col_words;
      const guint64 *others;
      guint col;

      mt_qmc_set_take_out (red->fresh_rows, row);
      if (!mt_qmc_set_has (red->rows, row))
        continue;
      col = rarest (cols, red->cols, m->col_words, red->n_in_col);
      others = m->col_rows + col * m->row_words;
      work += m->col_words + m->row_words;
      MT_QMC_FOR_EACH (other, others[other_w] & red->rows[other_w], m->row_words)
        if (other != row && red->n_in_row[other] >= red->n_in_row[row] &&
            is_within (cols, m->row_cols + other * m->col_words, red->cols, m->col_words))
          drop_row (red, (guint) other);
    }
  return work;
}

/* Whether @other covers all of the live rows of @col at no higher price; of two equal columns the
 * first one counts as better. */
static gboolean
replaces (const Reduction *red,
          guint            other,
          guint            col)
{
  const MtQmcMatrix *m = red->m;
  guint n_other = red->n_in_col[other], n_col = red->n_in_col[col];

  if (other == col || n_other < n_col || m->literals[other] > m->literals[col] ||
      (n_other == n_col && m->literals[other] == m->literals[col] && other > col))
    return FALSE;
  return is_within (m->col_rows + col * m->row_words, m->col_rows + other * m->row_words, red->rows,
                    m->row_words);
}

/* The same for columns: a column that can replace this one covers all its rows, so it is found among the columns
 * of any of its rows, and the row with the fewest columns is taken. A column that covers nothing any more goes,
 * too. */
static guint64
drop_dominated_cols (Reduction *red)
{
  const MtQmcMatrix *m = red->m;
  guint64 work = 0;

  MT_QMC_FOR_EACH (col, red->fresh_cols[col_w] & red->cols[col_w], m->col_words)
    {
      const guint64 *rows = m->col_rows + col * m->row_words;
      const guint64 *others;
      gboolean dominated = red->n_in_col[col] == 0;

      mt_qmc_set_take_out (red->fresh_cols, col);
      work += m->col_words + m->row_words;
      if (!dominated)
        {
          others = m->row_cols + rarest (rows, red->rows, m->row_words, red->n_in_row) * m->col_words;
          for (gsize w = 0; w < m->col_words && !dominated; w++)
            for (guint64 bits = others[w] & red->cols[w]; bits != 0 && !dominated; bits &= bits - 1)
              dominated = replaces (red, (guint) (w << 6) | (guint) __builtin_ctzll (bits), (guint) col);
        }
      if (dominated)
        drop_col (red, (guint) col);
    }
  return work;
}

/* What lost members when the matrix was cut down to the given rows and columns: rows with a column
 * that is gone, columns with a row that is gone. All others have been looked at in the matrix above
 * and cannot have become reducible. */
static void
find_fresh (Reduction *red)
{
  const MtQmcMatrix *m = red->m;

  MT_QMC_FOR_EACH (r, red->rows[r_w], m->row_words)
    for (gsize w = 0; w < m->col_words; w++)
      if ((m->row_cols[r * m->col_words + w] & ~red->cols[w]) != 0)
        mt_qmc_set_put_in (red->fresh_rows, r);
  MT_QMC_FOR_EACH (c, red->cols[c_w], m->col_words)
    for (gsize w = 0; w < m->row_words; w++)
      if ((m->col_rows[c * m->row_words + w] & ~red->rows[w]) != 0)
        mt_qmc_set_put_in (red->fresh_cols, c);
}

/* Repeats the three reductions until nothing is fresh. Each drop may make others possible, so the order of the
 * reductions affects the work but, apart from equal columns, not what is left. Columns come before rows, because
 * there are more of them.
 *
 * Work on entry is one pass over the matrix for the counts; afterwards only what changed is looked at, which is
 * what makes the reduction cheap enough for every node of the search. */
gboolean
mt_qmc_matrix_reduce (const MtQmcMatrix *matrix,
                      gboolean           was_reduced,
                      guint64           *rows,
                      guint64           *cols,
                      MtQmcChoice       *choice,
                      MtQmcMeter        *meter)
{
  gsize n_words = matrix->row_words + matrix->col_words;
  g_autofree guint64 *memory = g_malloc0 (n_words * sizeof (guint64) +
                                          (matrix->n_rows + matrix->n_cols) * sizeof (guint32));
  guint32 *counts = (guint32 *) (memory + n_words);
  Reduction red = { matrix, rows, cols, counts, counts + matrix->n_rows, memory, memory + matrix->row_words };
  guint64 work = matrix->n_rows * matrix->col_words + matrix->n_cols * matrix->row_words;
  guint64 fresh;

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
  if (was_reduced)
    find_fresh (&red);
  else
    {
      memcpy (red.fresh_rows, rows, matrix->row_words * sizeof (guint64));
      memcpy (red.fresh_cols, cols, matrix->col_words * sizeof (guint64));
    }
  do
    {
      take_essentials (&red, choice);
      work += drop_dominated_cols (&red);
      take_essentials (&red, choice);
      work += drop_dominated_rows (&red);
      fresh = 0;
      for (gsize w = 0; w < matrix->row_words; w++)
        fresh |= red.fresh_rows[w] & rows[w];
      for (gsize w = 0; w < matrix->col_words; w++)
        fresh |= red.fresh_cols[w] & cols[w];
    }
  while (fresh != 0);
  mt_qmc_meter_spend (meter, work);
  return TRUE;
}
