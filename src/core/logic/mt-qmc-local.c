/* Local search for a cheaper cover, for matrices on which branching gets nowhere: tables with many
 * symmetries (S_2…6 of eight inputs has 420 equal primes) and tables too large to finish.
 *
 * Rows carry weights. A column outside of the cover gains the weights of the open rows it would
 * close; one inside would lose those that it alone covers. Whenever no row is open the cover is
 * noted and a column is taken out; otherwise one more goes, then columns come in for open rows as
 * long as the cover stays cheaper than the best one. Rows that stay open grow heavier, so the
 * search leaves every hollow sooner or later. A column that was just taken out waits until
 * something around it has changed. Ties go to the column that has rested longest; the row is
 * drawn from a fixed stream, so the result depends on the matrix alone. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

#include "base/mt-random.h"

typedef struct {
  const MtQmcMatrix *m;
  gint32            *score;      /* n_cols: gain outside, minus the loss inside */
  guint32           *since;      /* n_cols: the step of its last move */
  gboolean          *waits;      /* n_cols: may not come in */
  guint32           *inside;     /* columns of the cover */
  guint32           *place;      /* n_cols: where in `inside`; G_MAXUINT32 when outside */
  guint              n_inside;
  gint32            *weight;     /* n_rows */
  guint32           *times;      /* n_rows: how often covered */
  guint32           *open;       /* rows not covered */
  guint32           *open_place; /* n_rows */
  guint              n_open;
  MtQmcCost          cost;
} Local;

/* The list of rows that nothing covers, with each one's place in it, so that a row enters and leaves in constant
 * time (the last one takes its place). */
static void
set_open (Local   *local,
          guint    row,
          gboolean open)
{
  if (open)
    {
      local->open_place[row] = local->n_open;
      local->open[local->n_open++] = row;
    }
  else
    {
      guint32 last = local->open[--local->n_open];

      local->open[local->open_place[row]] = last;
      local->open_place[last] = local->open_place[row];
    }
}

/* Puts a column in or takes it out, and brings the scores of its neighbors up to date. */
static void
move_column (Local   *local,
             guint    col,
             guint    step,
             gboolean in)
{
  const MtQmcMatrix *m = local->m;
  const guint64 *rows = m->col_rows + col * m->row_words;

  local->score[col] = -local->score[col];
  local->since[col] = step;
  if (in)
    {
      local->place[col] = local->n_inside;
      local->inside[local->n_inside++] = col;
      local->cost += MT_QMC_COST (m->literals[col]);
    }
  else
    {
      guint32 last = local->inside[--local->n_inside];

      local->inside[local->place[col]] = last;
      local->place[last] = local->place[col];
      local->place[col] = G_MAXUINT32;
      local->waits[col] = TRUE;
      local->cost -= MT_QMC_COST (m->literals[col]);
    }

  MT_QMC_FOR_EACH (r, rows[r_w], m->row_words)
    {
      const guint64 *cols = m->row_cols + r * m->col_words;
      guint times = in ? local->times[r]++ : --local->times[r];
      gint32 weight = in ? local->weight[r] : -local->weight[r];

      /* From 0 to 1, or back: no other column gains by the row. From 1 to 2: no column is alone on it. */
      if (times == 0)
        set_open (local, (guint) r, !in);
      MT_QMC_FOR_EACH (c, cols[c_w], m->col_words)
        if (c != col)
          {
            local->waits[c] = FALSE;
            if (times == 0)
              local->score[c] -= weight;
            else if (times == 1 && local->place[c] != G_MAXUINT32)
              local->score[c] += weight;
          }
    }
}

/* Whether column @a is the better one to move: more score for its literals, then longer at rest. */
static gboolean
is_better (const Local *local,
           guint        a,
           guint        b,
           gboolean     out)
{
  gint64 x = (gint64) local->score[a], y = (gint64) local->score[b];
  gint64 p = local->m->literals[a], q = local->m->literals[b];

  if (x * q != y * p)
    return x * q > y * p;
  if (out && p != q)
    return p > q;
  return local->since[a] != local->since[b] ? local->since[a] < local->since[b] : a < b;
}

/* The column whose loss hurts least for the literals that it saves. */
static guint
choose_out (const Local *local,
            guint        tabu)
{
  guint best = G_MAXUINT;

  for (guint i = 0; i < local->n_inside; i++)
    if (local->inside[i] != tabu && (best == G_MAXUINT || is_better (local, local->inside[i], best, TRUE)))
      best = local->inside[i];
  return best;
}

/* The best column for a given open row, among those that do not wait. */
static guint
choose_in (const Local *local,
           guint        row)
{
  const guint64 *cols = local->m->row_cols + row * local->m->col_words;
  guint best = G_MAXUINT;

  MT_QMC_FOR_EACH (c, cols[c_w], local->m->col_words)
    if (!local->waits[c] && (best == G_MAXUINT || is_better (local, (guint) c, best, FALSE)))
      best = (guint) c;
  return best;
}

/* After each step, rows that are still open count one more. Their columns gain by it, so a row that is hard to
 * cover gets its turn sooner or later. */
static void
make_open_rows_heavier (Local *local)
{
  const MtQmcMatrix *m = local->m;

  for (guint i = 0; i < local->n_open; i++)
    {
      const guint64 *cols = m->row_cols + local->open[i] * m->col_words;

      local->weight[local->open[i]]++;
      MT_QMC_FOR_EACH (c, cols[c_w], m->col_words)
        local->score[c]++;
    }
}

/* Copies the columns inside to @best, in ascending order. */
static void
note_cover (const Local *local,
            MtQmcChoice *best)
{
  best->cost = local->cost;
  best->n_ids = 0;
  for (guint c = 0; c < local->m->n_cols; c++)
    if (local->place[c] != G_MAXUINT32)
      best->ids[best->n_ids++] = local->m->ids[c];
}

/* @matrix is the whole covering problem and @best a cover of it by ids; where @best does not cover
 * all rows, nothing is done. All state is in one allocation: five numbers for each column, four for
 * each row.
 *
 * A step removes one column of the cover, in addition to those that are removed while nothing is open, and
 * adds columns until all rows are covered or the cover would cost as much as the best one. The
 * column that the step before added last is spared by this removal (tabu), or the search would undo
 * what it just did.
 *
 * The work of a step is counted as 16 + 2 × the columns inside, so that a budget ends the search at
 * the same step everywhere. */
gboolean
mt_qmc_local_search (const MtQmcMatrix *matrix,
                     MtQmcCost          goal,
                     guint              n_steps,
                     MtQmcChoice       *best,
                     MtQmcMeter        *meter)
{
  gsize n = 5 * (gsize) matrix->n_cols + 4 * (gsize) matrix->n_rows;
  g_autofree guint32 *memory = g_new0 (guint32, n);
  MtQmcCost before = best->cost;
  guint tabu = G_MAXUINT;
  Local local = { 0 };
  MtRandom random;

  local.m = matrix;
  local.score = (gint32 *) memory;
  local.since = memory + matrix->n_cols;
  local.waits = (gboolean *) (local.since + matrix->n_cols);
  local.inside = local.since + 2 * matrix->n_cols;
  local.place = local.inside + matrix->n_cols;
  local.weight = (gint32 *) (local.place + matrix->n_cols);
  local.times = local.place + matrix->n_cols + matrix->n_rows;
  local.open = local.times + matrix->n_rows;
  local.open_place = local.open + matrix->n_rows;
  mt_random_init (&random, 0);

  for (guint c = 0; c < matrix->n_cols; c++)
    local.place[c] = G_MAXUINT32;
  for (guint r = 0; r < matrix->n_rows; r++)
    {
      local.weight[r] = 1;
      set_open (&local, r, TRUE);
    }
  for (guint c = 0; c < matrix->n_cols; c++)
    for (gsize w = 0; w < matrix->row_words; w++)
      local.score[c] += __builtin_popcountll (matrix->col_rows[c * matrix->row_words + w]);
  for (guint i = 0; i < best->n_ids; i++)
    for (guint c = 0; c < matrix->n_cols; c++)
      if (matrix->ids[c] == best->ids[i])
        move_column (&local, c, 0, TRUE);
  if (local.n_open > 0)
    return FALSE;

  for (guint step = 1; step <= n_steps && best->cost > goal; step++)
    {
      while (local.n_open == 0)
        {
          if (local.cost < best->cost)
            note_cover (&local, best);
          move_column (&local, choose_out (&local, G_MAXUINT), step, FALSE);
        }
      if (local.n_inside > 0)
        {
          guint out = choose_out (&local, tabu);

          if (out != G_MAXUINT)
            move_column (&local, out, step, FALSE);
        }
      while (local.n_open > 0)
        {
          guint row = local.open[mt_random_below (&random, local.n_open)];
          guint in = choose_in (&local, row);

          if (in == G_MAXUINT || local.cost + MT_QMC_COST (matrix->literals[in]) >= best->cost)
            break;
          move_column (&local, in, step, TRUE);
          tabu = in;
        }
      make_open_rows_heavier (&local);
      if (mt_qmc_meter_spend (meter, 16 + 2 * local.n_inside))
        break;
    }
  return best->cost < before;
}
