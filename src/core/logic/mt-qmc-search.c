/* Branch and bound over covering matrices.
 *
 * A node reduces its matrix, splits what is left into parts that share no column, bounds each,
 * strikes out columns that cannot be in a better cover and starts over while that helps; then
 * it branches on the row with the fewest columns: one of them is in the cover, and those tried
 * before are not. Every node gets a cutoff and only looks for something cheaper, so a finished
 * search is a proof. Out of budget, nodes return the best they have. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

/* Steps of the relaxation. */
#define ROOT_EFFORT    60
#define NODE_EFFORT    15
#define CAREFUL_EFFORT 2000

/* Columns of a matrix for which a bound with cuts is made: with more it takes too long, with fewer the search does
 * better. */
#define MOST_CUT_COLUMNS  1500
#define LEAST_CUT_COLUMNS 30

/* Cuts a round. The first node, which everything hangs on, is given a second try. */
#define FEW_CUTS  15
#define MANY_CUTS 40

/* Work before the search stops to look for a better cover, and steps of that. */
#define TRIAL       300000
#define LOCAL_STEPS 5000

static gboolean solve_node (const MtQmcMatrix *matrix,
                            const guint64     *all_rows,
                            const guint64     *all_cols,
                            gboolean           was_reduced,
                            MtQmcCost          cutoff,
                            guint              depth,
                            MtQmcChoice       *choice,
                            MtQmcMeter        *meter);

/* The set of the numbers 0 … n − 1. Words after the last one that is needed are not written. */
static void
fill_set (guint64 *set,
          guint    n)
{
  for (guint i = 0; i + 64 <= n; i += 64)
    set[i / 64] = ~(guint64) 0;
  if (n % 64 != 0)
    set[n / 64] = ((guint64) 1 << (n % 64)) - 1;
}

static gboolean
is_empty (const guint64 *set,
          gsize          n_words)
{
  for (gsize w = 0; w < n_words; w++)
    if (set[w] != 0)
      return FALSE;
  return TRUE;
}

/* Adds a part's columns and its cost to a choice. The ids are the caller's, so parts of different matrices can be
 * joined. */
static void
append (MtQmcChoice       *choice,
        const MtQmcChoice *more)
{
  memcpy (choice->ids + choice->n_ids, more->ids, more->n_ids * sizeof (guint32));
  choice->n_ids += more->n_ids;
  choice->cost += more->cost;
}

static void
copy_choice (MtQmcChoice       *choice,
             const MtQmcChoice *other)
{
  choice->n_ids = 0;
  choice->cost = 0;
  append (choice, other);
}

/* The rows of @left that belong together with its first one, and all their columns: two rows belong together if a
 * column covers both, or through other rows. Grows from the first row until nothing is added; each column is
 * looked at once. */
static void
find_component (const MtQmcMatrix *m,
                const guint64     *left,
                guint64           *rows,
                guint64           *cols)
{
  gboolean grown = TRUE;

  memset (rows, 0, m->row_words * sizeof (guint64));
  memset (cols, 0, m->col_words * sizeof (guint64));
  for (gsize w = 0; w < m->row_words; w++)
    if (left[w] != 0)
      {
        rows[w] = left[w] & -left[w];
        break;
      }
  while (grown)
    {
      grown = FALSE;
      MT_QMC_FOR_EACH (r, rows[r_w], m->row_words)
        {
          const guint64 *of_row = m->row_cols + r * m->col_words;

          MT_QMC_FOR_EACH (c, of_row[c_w] & ~cols[c_w], m->col_words)
            {
              mt_qmc_set_put_in (cols, c);
              for (gsize w = 0; w < m->row_words; w++)
                rows[w] |= m->col_rows[c * m->row_words + w];
              grown = TRUE;
            }
        }
    }
}

/* What the parts that are not solved yet will cost at least, so that a part need not look for covers that leave
 * nothing for them. */
static MtQmcCost
cheapest_column (const MtQmcMatrix *m,
                 const guint64     *cols)
{
  guint least = G_MAXUINT16;

  MT_QMC_FOR_EACH (c, cols[c_w], m->col_words)
    least = MIN (least, m->literals[c]);
  return MT_QMC_COST (least);
}

/* Part by part when the matrix falls apart into parts that share no column: the parts' covers do not affect one
 * another, and searching two parts one after the other costs the sum of their trees, not the product. Returns
 * FALSE with *split = FALSE when it does not fall apart. Each part's cutoff is what is left of the whole cutoff
 * after the parts before it, and a reserve for those after it. */
static gboolean
solve_components (const MtQmcMatrix *m,
                  MtQmcCost          cutoff,
                  guint              depth,
                  MtQmcChoice       *choice,
                  gboolean          *split,
                  MtQmcMeter        *meter)
{
  g_autofree guint64 *memory = g_new (guint64, 2 * m->row_words + 2 * m->col_words);
  guint64 *left = memory, *rows = left + m->row_words;
  guint64 *cols = rows + m->row_words, *later = cols + m->col_words;
  g_autofree guint32 *ids = NULL;
  gboolean literals_known = meter->literals_known, found = FALSE;

  fill_set (left, m->n_rows);
  fill_set (later, m->n_cols);
  find_component (m, left, rows, cols);
  *split = memcmp (rows, left, m->row_words * sizeof (guint64)) != 0;
  if (!*split)
    return FALSE;

  /* The other parts are reckoned too cheap, so a part may have fewer literals than its cutoff. */
  meter->literals_known = FALSE;

  ids = g_new (guint32, m->n_cols);
  while (TRUE)
    {
      MtQmcChoice part = { 0, ids, 0 };
      MtQmcCost reserve = 0;

      for (gsize w = 0; w < m->row_words; w++)
        left[w] &= ~rows[w];
      for (gsize w = 0; w < m->col_words; w++)
        later[w] &= ~cols[w];
      if (!is_empty (left, m->row_words))
        reserve = cheapest_column (m, later);
      if (choice->cost + reserve >= cutoff ||
          !solve_node (m, rows, cols, TRUE, cutoff - choice->cost - reserve, depth, &part, meter))
        break;
      append (choice, &part);
      if (is_empty (left, m->row_words))
        {
          found = choice->cost < cutoff;
          break;
        }
      find_component (m, left, rows, cols);
    }
  meter->literals_known = literals_known;
  return found;
}

typedef struct {
  guint   col;
  gint32  reduced;
} Branch;

/* Most promising column first: the lower the reduced cost, the likelier it is in a cheap cover. Equal ones by
 * number, so that the search always takes the same way. */
static int
compare_branches (gconstpointer a,
                  gconstpointer b)
{
  const Branch *x = a, *y = b;

  if (x->reduced != y->reduced)
    return x->reduced < y->reduced ? -1 : 1;
  return x->col < y->col ? -1 : 1;
}

/* Tries each column of the shortest row; a cover cheaper than @cutoff replaces @best.
 *
 * One of the row's columns must be in any cover, so the row with the fewest columns makes the fewest branches.
 * After a column has been tried, it is taken out of the matrix for the branches after it: covers with it have been
 * searched already. The cutoff falls with every cover found. If all branches finish within the budget, there is no
 * cheaper cover: this is the proof. */
static gboolean
branch (const MtQmcMatrix *m,
        const gint32      *reduced,
        MtQmcCost          cutoff,
        guint              depth,
        MtQmcChoice       *best,
        MtQmcMeter        *meter)
{
  g_autofree guint64 *memory = g_new (guint64, m->row_words + m->col_words);
  g_autofree guint32 *ids = g_new (guint32, m->n_cols);
  guint64 *rows = memory, *cols = memory + m->row_words;
  g_autoptr (GArray) branches = g_array_new (FALSE, FALSE, sizeof (Branch));
  guint shortest = 0, shortest_length = G_MAXUINT, longest_reach = 0;
  gboolean found = FALSE;

  for (guint r = 0; r < m->n_rows; r++)
    {
      guint length = 0, reach = 0;

      for (gsize w = 0; w < m->col_words; w++)
        length += (guint) __builtin_popcountll (m->row_cols[r * m->col_words + w]);
      if (length > shortest_length)
        continue;
      /* Among the shortest the one whose columns reach furthest: its choice decides most. */
      MT_QMC_FOR_EACH (c, m->row_cols[r * m->col_words + c_w], m->col_words)
        for (gsize w = 0; w < m->row_words; w++)
          reach += (guint) __builtin_popcountll (m->col_rows[c * m->row_words + w]);
      if (length < shortest_length || reach > longest_reach)
        {
          shortest = r;
          shortest_length = length;
          longest_reach = reach;
        }
    }
  MT_QMC_FOR_EACH (c, m->row_cols[shortest * m->col_words + c_w], m->col_words)
    {
      Branch one = { (guint) c, reduced[c] };

      g_array_append_val (branches, one);
    }
  g_array_sort (branches, compare_branches);

  fill_set (cols, m->n_cols);
  for (guint i = 0; i < branches->len && !meter->exhausted; i++)
    {
      guint col = g_array_index (branches, Branch, i).col;
      MtQmcCost cost = MT_QMC_COST (m->literals[col]);
      MtQmcChoice part = { 0, ids, 0 };

      mt_qmc_set_take_out (cols, col);
      if (cost >= cutoff)
        continue;
      fill_set (rows, m->n_rows);
      for (gsize w = 0; w < m->row_words; w++)
        rows[w] &= ~m->col_rows[col * m->row_words + w];
      if (!solve_node (m, rows, cols, TRUE, cutoff - cost, depth + 1, &part, meter))
        continue;
      best->n_ids = 0;
      best->cost = cost;
      best->ids[best->n_ids++] = m->ids[col];
      append (best, &part);
      cutoff = best->cost;
      found = TRUE;
    }
  return found;
}

/* The same with a bound as good as it gets: its prices are where the nodes below start from. */
static gboolean
search_with_care (const MtQmcMatrix *m,
                  MtQmcCost          cutoff,
                  MtQmcChoice       *choice,
                  MtQmcMeter        *meter)
{
  g_autofree guint64 *rows = g_new (guint64, m->row_words);
  MtQmcBound bound = { 0 };
  gboolean found = FALSE;

  mt_qmc_bound_compute (m, cutoff, CAREFUL_EFFORT, &bound, meter);
  fill_set (rows, m->n_rows);
  if (bound.bound < cutoff && meter->with_cuts && !meter->exhausted)
    {
      mt_qmc_cuts_sharpen (m, MIN (cutoff, bound.best.cost), FEW_CUTS, &bound, meter);
      if (bound.bound < cutoff && bound.best.cost >= cutoff && !meter->exhausted)
        mt_qmc_cuts_sharpen (m, cutoff, MANY_CUTS, &bound, meter);
      meter->sharpened = m->n_cols;
    }
  if (bound.best.cost < cutoff)
    {
      copy_choice (choice, &bound.best);
      cutoff = bound.best.cost;
      found = TRUE;
    }
  /* With cuts a better cover is reason to start again: nothing else strikes out as many columns. */
  if (bound.bound < cutoff && !(found && meter->with_cuts) && !meter->exhausted)
    {
      MtQmcChoice better = { 0, bound.best.ids, 0 };

      if (solve_node (m, rows, bound.kept, TRUE, cutoff, 1, &better, meter))
        {
          copy_choice (choice, &better);
          found = TRUE;
        }
    }
  mt_qmc_bound_clear (&bound);
  return found;
}

/* First only for fewer literals, then only for fewer terms: each is one number to bound, and more columns are
 * struck out. */
static gboolean
search_with_cuts (const MtQmcMatrix *m,
                  MtQmcCost          cutoff,
                  MtQmcChoice       *choice,
                  MtQmcMeter        *meter)
{
  gboolean found = FALSE;

  meter->with_cuts = TRUE;
  for (guint known = FALSE; known <= TRUE; known++)
    {
      meter->literals_known = known;
      while (!meter->exhausted &&
             search_with_care (m, known ? cutoff : cutoff & ~(MtQmcCost) 0xffff, choice, meter))
        {
          cutoff = choice->cost;
          found = TRUE;
        }
    }
  meter->with_cuts = meter->literals_known = FALSE;
  return found;
}

/* The top of the tree. Most searches end within the trial, a limit of TRIAL steps. The others first look for a
 * better cover by local search, because every branch that a lower cutoff closes is one less to search; then they
 * begin again with the best bound there is, up to MT_QMC_EXACT_FAN_IN inputs with cuts. The order does not depend
 * on the budget: a larger one takes the same way and goes further. */
static gboolean
search_tree (const MtQmcMatrix *m,
             const MtQmcBound  *bound,
             MtQmcChoice       *best,
             MtQmcMeter        *meter)
{
  g_autofree guint32 *ids = g_new (guint32, m->n_cols);
  MtQmcChoice better = { 0, ids, 0 };
  MtQmcCost before = best->cost;
  guint64 budget = meter->budget;

  meter->budget = MIN (budget, meter->work + TRIAL);
  if (branch (m, bound->reduced, best->cost, 0, &better, meter))
    copy_choice (best, &better);
  meter->budget = budget;
  if (!meter->exhausted || meter->cancelled || meter->work >= budget)
    return best->cost < before;

  /* From here on as before: a larger budget goes the same way and further. */
  meter->exhausted = FALSE;
  mt_qmc_local_search (m, bound->bound, LOCAL_STEPS, best, meter);
  if (bound->bound < best->cost && !meter->exhausted)
    {
      gboolean cut = meter->exact && m->n_cols <= MOST_CUT_COLUMNS;

      better = (MtQmcChoice) { 0, ids, 0 };
      if ((cut ? search_with_cuts : search_with_care) (m, best->cost, &better, meter))
        copy_choice (best, &better);
    }
  return best->cost < before;
}

/* A matrix that no reduction touches and that does not fall apart: bound it; if columns were struck out, reduce it
 * again (solve_node()); if not, branch. With cuts allowed, a node whose matrix has shrunk to four fifths since the
 * last sharpened one gets a sharpened bound, too. */
static gboolean
solve_core (const MtQmcMatrix *m,
            MtQmcCost          cutoff,
            guint              depth,
            MtQmcChoice       *choice,
            MtQmcMeter        *meter)
{
  g_autofree guint64 *sets = g_new0 (guint64, m->row_words + m->col_words);
  g_autofree guint32 *ids = NULL;
  guint64 *rows = sets, *cols = sets + m->row_words;
  MtQmcBound bound = { 0 };
  gboolean found = FALSE;
  guint sharpened = meter->sharpened;

  mt_qmc_bound_compute (m, cutoff, depth == 0 ? ROOT_EFFORT : NODE_EFFORT, &bound, meter);
  fill_set (cols, m->n_cols);
  if (meter->with_cuts && bound.bound < cutoff && m->n_cols >= LEAST_CUT_COLUMNS && !meter->exhausted &&
      10 * m->n_cols <= 8 * meter->sharpened && memcmp (cols, bound.kept, m->col_words * sizeof (guint64)) == 0)
    {
      mt_qmc_cuts_sharpen (m, MIN (cutoff, bound.best.cost), FEW_CUTS, &bound, meter);
      meter->sharpened = m->n_cols;
    }
  if (bound.best.cost < cutoff)
    {
      copy_choice (choice, &bound.best);
      cutoff = bound.best.cost;
      found = TRUE;
    }
  if (bound.bound < cutoff && !meter->exhausted)
    {
      MtQmcChoice better = { 0 };

      better.ids = ids = g_new (guint32, m->n_cols);
      fill_set (rows, m->n_rows);
      if (memcmp (cols, bound.kept, m->col_words * sizeof (guint64)) != 0)
        {
          if (solve_node (m, rows, bound.kept, TRUE, cutoff, depth, &better, meter))
            {
              copy_choice (choice, &better);
              found = TRUE;
            }
        }
      /* With a cover of this very matrix at hand the top of the tree can improve on it. */
      else if (depth == 0 && found)
        search_tree (m, &bound, choice, meter);
      else if (branch (m, bound.reduced, cutoff, depth, &better, meter))
        {
          copy_choice (choice, &better);
          found = TRUE;
        }
    }
  meter->sharpened = sharpened;
  mt_qmc_bound_clear (&bound);
  return found;
}

/* A cover of @all_rows by @all_cols cheaper than @cutoff, into @choice (empty on entry). Reduces, cuts what is
 * left out of the matrix, and goes on with its parts, or with the whole if there is only one. */
static gboolean
solve_node (const MtQmcMatrix *matrix,
            const guint64     *all_rows,
            const guint64     *all_cols,
            gboolean           was_reduced,
            MtQmcCost          cutoff,
            guint              depth,
            MtQmcChoice       *choice,
            MtQmcMeter        *meter)
{
  g_autofree guint64 *sets = g_new (guint64, matrix->row_words + matrix->col_words);
  guint64 *rows = sets, *cols = sets + matrix->row_words;
  MtQmcMatrix core = { 0 };
  g_autofree guint32 *ids = NULL;
  MtQmcChoice rest = { 0 };
  gboolean split, found;

  memcpy (rows, all_rows, matrix->row_words * sizeof (guint64));
  memcpy (cols, all_cols, matrix->col_words * sizeof (guint64));
  if (!mt_qmc_matrix_reduce (matrix, was_reduced, rows, cols, choice, meter) || choice->cost >= cutoff)
    return FALSE;
  if (is_empty (rows, matrix->row_words))
    return TRUE;

  mt_qmc_matrix_restrict (matrix, rows, cols, &core);
  rest.ids = ids = g_new (guint32, core.n_cols);
  found = solve_components (&core, cutoff - choice->cost, depth, &rest, &split, meter);
  if (!split)
    found = solve_core (&core, cutoff - choice->cost, depth, &rest, meter);
  if (found)
    append (choice, &rest);
  mt_qmc_matrix_clear (&core);
  return found;
}

/* The cheapest choice of columns that covers every row. Always finds a cover, because every row has
 * a column and the cutoff at the top is higher than any cost; whether it is the cheapest one is in
 * meter->exhausted. */
static void
solve (const MtQmcMatrix *matrix,
       MtQmcChoice       *choice,
       MtQmcMeter        *meter)
{
  g_autofree guint64 *sets = g_new0 (guint64, matrix->row_words + matrix->col_words);
  gboolean found;

  fill_set (sets, matrix->n_rows);
  fill_set (sets + matrix->row_words, matrix->n_cols);
  found = solve_node (matrix, sets, sets + matrix->row_words, FALSE, MT_QMC_COST_MAX, 0, choice, meter);
  g_assert (found);
}

/* The cheapest cover has nothing superfluous; one from a search cut short may have. */
static void
drop_superfluous (const MtQmcTerms *terms,
                  const guint64    *care,
                  GArray           *chosen)
{
  gsize n_words = terms->n_words;
  g_autofree guint64 *others = g_new (guint64, n_words);

  for (guint i = chosen->len; i-- > 0;)
    {
      guint64 missing = 0;

      memset (others, 0, n_words * sizeof (guint64));
      for (guint j = 0; j < chosen->len; j++)
        for (gsize w = 0; w < n_words && j != i; w++)
          others[w] |= terms->rows[g_array_index (chosen, guint32, j) * n_words + w];
      for (gsize w = 0; w < n_words; w++)
        missing |= care[w] & ~others[w];
      if (missing == 0)
        g_array_remove_index (chosen, i);
    }
}

/* From terms to a covering problem, and back. Every caller gives prime terms, each with the set of
 * the assignments that it covers and that must be covered.
 *
 * Essential terms are taken before any matrix is made: once[] collects what is covered by some term
 * and twice[] what is covered by two, so a term with an assignment outside of twice[] is the only
 * one for it. If nothing is open after that, there is no search.
 *
 * Otherwise the matrix has one row for each open assignment and one column for each term that
 * covers one of them. Assignments and rows are numbered in the same order (row_of), and ids keep
 * the term's number, so the answer is a list of indices into @terms. */
void
mt_qmc_select (MtQmcTerms    *terms,
               const guint64 *care,
               GArray        *chosen,
               MtQmcMeter    *meter)
{
  gsize n_words = terms->n_words;
  g_autofree guint64 *sets = g_new0 (guint64, 3 * n_words);
  guint64 *once = sets, *twice = sets + n_words, *open = sets + 2 * n_words;
  g_autofree guint32 *kept = g_new (guint32, terms->n_cubes + 1);
  g_autofree guint32 *row_of = NULL;
  g_autofree guint32 *ids = NULL;
  guint n_kept = 0, n_rows = 0;
  MtQmcMatrix matrix = { 0 };
  MtQmcChoice choice = { 0 };

  /* Terms that alone cover some assignment are in every cover. */
  for (guint t = 0; t < terms->n_cubes; t++)
    for (gsize w = 0; w < n_words; w++)
      {
        twice[w] |= once[w] & terms->rows[t * n_words + w];
        once[w] |= terms->rows[t * n_words + w];
      }
  memcpy (open, care, n_words * sizeof (guint64));
  for (guint t = 0; t < terms->n_cubes; t++)
    {
      const guint64 *rows = terms->rows + t * n_words;
      gboolean essential = FALSE;

      for (gsize w = 0; w < n_words && !essential; w++)
        essential = (rows[w] & ~twice[w]) != 0;
      if (!essential)
        continue;
      g_array_append_val (chosen, t);
      for (gsize w = 0; w < n_words; w++)
        open[w] &= ~rows[w];
    }
  if (is_empty (open, n_words))
    return;

  row_of = g_new (guint32, n_words * 64);
  MT_QMC_FOR_EACH (v, open[v_w], n_words)
    row_of[v] = n_rows++;
  for (guint t = 0; t < terms->n_cubes; t++)
    {
      guint64 any = 0;

      for (gsize w = 0; w < n_words; w++)
        any |= terms->rows[t * n_words + w] & open[w];
      if (any != 0)
        kept[n_kept++] = t;
    }

  mt_qmc_matrix_init (&matrix, n_rows, n_kept);
  for (guint c = 0; c < n_kept; c++)
    {
      const guint64 *rows = terms->rows + kept[c] * n_words;
      const MtXorCube *cube = &terms->cubes[kept[c]];

      MT_QMC_FOR_EACH (v, rows[v_w] & open[v_w], n_words)
        {
          mt_qmc_set_put_in (matrix.col_rows + c * matrix.row_words, row_of[v]);
          mt_qmc_set_put_in (matrix.row_cols + row_of[v] * matrix.col_words, c);
        }
      matrix.ids[c] = kept[c];
      matrix.literals[c] = (guint16) __builtin_popcount (cube->mask | cube->odd | cube->even);
    }
  choice.ids = ids = g_new (guint32, n_kept);
  solve (&matrix, &choice, meter);
  g_array_append_vals (chosen, choice.ids, choice.n_ids);
  mt_qmc_matrix_clear (&matrix);
  if (meter->exhausted)
    drop_superfluous (terms, care, chosen);
}
