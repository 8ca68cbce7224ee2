/* What the files of the minimizer share. The way through:
 *
 *   mt-qmc.c         drops idle inputs, takes the easy tables at once, checks what goes out
 *   mt-qmc-primes.c  table → prime terms
 *   mt-qmc-matrix.c  terms × assignments as a covering matrix; reductions that lose nothing
 *   mt-qmc-bound.c   lower bound and a good cover for a matrix (Lagrangian relaxation)
 *   mt-qmc-cuts.c    a sharper bound for the few that need it (linear programming with cuts)
 *   mt-qmc-simplex.c its linear programs
 *   mt-qmc-local.c   a cheaper cover by local search, when branching gets nowhere
 *   mt-qmc-search.c  branch and bound over reduced matrices
 *   mt-qmc-large.c   tables with too many primes to list: expand, reduce, make irredundant
 *   mt-qmc-xor.c     terms with parities */
#pragma once

#include "mt-qmc.h"

G_BEGIN_DECLS

/* Lists of all primes are made up to here; the lattice takes 4^k / 8 bytes. */
#define MT_QMC_LATTICE_FAN_IN 14

/* Literals first, then terms, in one number: every column costs literals << 16 | 1. A cover of 3
 * terms and 7 literals costs 7 << 16 | 3. Costs add up like numbers and compare in the right order,
 * as long as there are less than 65,536 terms. */
typedef guint64 MtQmcCost;

#define MT_QMC_COST(literals) ((MtQmcCost) (literals) << 16 | 1)
#define MT_QMC_COST_MAX       (G_MAXUINT64 / 4)

/* Sets of small numbers as words. */
static inline gboolean
mt_qmc_set_has (const guint64 *set,
                gsize          i)
{
  return (set[i >> 6] >> (i & 63)) & 1;
}

static inline void
mt_qmc_set_put_in (guint64 *set,
                   gsize    i)
{
  set[i >> 6] |= (guint64) 1 << (i & 63);
}

static inline void
mt_qmc_set_take_out (guint64 *set,
                     gsize    i)
{
  set[i >> 6] &= ~((guint64) 1 << (i & 63));
}

/* Runs the statement for each member @i of a set of @n_words words, in order. @set_word is the
 * set's word number @i_w, read once: members may be taken out on the way. Two loops, so `break`
 * leaves only the word; `continue` is fine.
 *
 *   MT_QMC_FOR_EACH (r, rows[r_w], m->row_words)
 *     sum += price[r]; */
#define MT_QMC_FOR_EACH(i, set_word, n_words) \
  for (gsize i##_w = 0; i##_w < (n_words); i##_w++) \
    for (guint64 i##_bits = (set_word), i = 0; \
         i##_bits != 0 && ((i = i##_w << 6 | (guint) __builtin_ctzll (i##_bits)), 1); \
         i##_bits &= i##_bits - 1)

/* Work done so far and when to stop; one per call of the public functions. */
typedef struct {
  guint64       work;
  guint64       budget;
  guint64       next_look;     /* when to look at the cancellable again */
  GCancellable *cancellable;
  gboolean      exact;           /* to the end, whatever it takes: cuts may be used … */
  gboolean      with_cuts;       /* … and are, because nothing else has helped */
  guint         sharpened;       /* columns of the last matrix on the way here whose bound was made with them */
  gboolean      literals_known;  /* no cover has fewer literals than the cutoff: only terms can be saved */
  gboolean      exhausted;       /* the budget ended the search: the result is not proven */
  gboolean      cancelled;
} MtQmcMeter;

/* Counts @work; TRUE when the search has to stop. */
gboolean mt_qmc_meter_spend (MtQmcMeter *meter, guint64 work);

/* --- mt-qmc-primes.c --- */

/* A list of candidate terms that grows; cubes[] and rows[] (n_words each) go together. */
typedef struct {
  MtXorCube *cubes;
  guint64   *rows;        /* the cared-for true assignments that each covers */
  guint      n_cubes;
  guint      n_allocated;
  gsize      n_words;
} MtQmcTerms;

void     mt_qmc_terms_init  (MtQmcTerms *terms, gsize n_words);
void     mt_qmc_terms_clear (MtQmcTerms *terms);
/* The new term's row set, to be filled in. */
guint64 *mt_qmc_terms_add   (MtQmcTerms *terms, const MtXorCube *cube);

/* What a cube covers within each block of 64 assignments that it touches. */
static inline guint64
mt_qmc_cube_word (guint         fan_in,
                  const MtCube *cube)
{
  guint64 word = mt_truth_table_last_mask (fan_in);

  for (guint i = 0; i < MIN (fan_in, 6); i++)
    if ((cube->mask >> i) & 1)
      word &= (cube->value >> i) & 1 ? mt_truth_table_inputs[i] : ~mt_truth_table_inputs[i];
  return word;
}

/* The assignments that a cube covers. */
void     mt_qmc_cube_table  (guint fan_in, const MtCube *cube, guint64 *out);

/* Adds every prime of @allowed that covers an assignment of @care. FALSE when there are more
 * than @max_terms. */
gboolean mt_qmc_add_primes  (guint fan_in, const guint64 *allowed, const guint64 *care,
                             guint max_terms, MtQmcTerms *terms);

/* A table that rises or falls in every input has only essential primes: they are counted, and
 * written if @cubes is not NULL. FALSE when the table is not of that kind. */
gboolean mt_qmc_unate       (guint fan_in, const guint64 *table, GArray *cubes);

/* --- mt-qmc-matrix.c --- */

/* Rows to be covered, columns that cover them. Both views are kept as sets of bits: the reductions
 * ask "which rows does this column have" and "which columns does this row have" equally often, and
 * comparing two sets takes a few words. A row is an assignment that must be true, a column a
 * candidate term. */
typedef struct {
  guint      n_rows, n_cols;
  gsize      row_words, col_words;   /* words of a set of rows, of a set of columns */
  guint64   *col_rows;               /* n_cols × row_words */
  guint64   *row_cols;               /* n_rows × col_words */
  guint16   *literals;               /* of each column */
  guint32   *ids;                    /* the caller's numbers of the columns */
  gint32    *prices;                 /* 2 × n_rows: where its bounds may start from; zero at first */
  gpointer   memory;
} MtQmcMatrix;

/* A choice of columns by their ids. */
typedef struct {
  MtQmcCost  cost;
  guint32   *ids;
  guint      n_ids;
} MtQmcChoice;

void         mt_qmc_matrix_init     (MtQmcMatrix *matrix, guint n_rows, guint n_cols);
void         mt_qmc_matrix_clear    (MtQmcMatrix *matrix);
/* The given rows and columns only. */
void         mt_qmc_matrix_restrict (const MtQmcMatrix *matrix, const guint64 *rows, const guint64 *cols,
                                     MtQmcMatrix *out);
/* Takes essential columns (appended to @choice), drops dominated rows and columns until nothing
 * changes; @rows and @cols (all or a part on entry) say what is left. @was_reduced: nothing could be
 * done about the whole matrix. FALSE: a row has no column. */
gboolean     mt_qmc_matrix_reduce   (const MtQmcMatrix *matrix, gboolean was_reduced,
                                     guint64 *rows, guint64 *cols, MtQmcChoice *choice, MtQmcMeter *meter);

/* --- mt-qmc-bound.c --- */

/* What the relaxation found out about a matrix, given that only covers cheaper than `cutoff`
 * are of interest. */
typedef struct {
  MtQmcCost    bound;       /* no cover is cheaper */
  gint32      *reduced;     /* n_cols: reduced costs at the best multipliers */
  guint64     *kept;        /* columns that a cheaper cover may use */
  MtQmcChoice  best;        /* best cover met, cost MT_QMC_COST_MAX when none below cutoff */
} MtQmcBound;

void mt_qmc_bound_compute (const MtQmcMatrix *matrix, MtQmcCost cutoff, guint effort,
                           MtQmcBound *bound, MtQmcMeter *meter);
void mt_qmc_bound_clear   (MtQmcBound *bound);

/* --- mt-qmc-cuts.c --- */

/* Makes @bound, of the same matrix, better: the bound itself, the columns that are kept, the reduced costs, and the
 * cover; stops at a cover cheaper than @cutoff. @most_cuts a round: few are quick, and mostly enough. */
void mt_qmc_cuts_sharpen (const MtQmcMatrix *matrix, MtQmcCost cutoff, guint most_cuts, MtQmcBound *bound,
                          MtQmcMeter *meter);

/* --- mt-qmc-local.c --- */

/* Makes the cover @best cheaper if it can, in @n_steps; stops at @goal. TRUE when it could. */
gboolean mt_qmc_local_search (const MtQmcMatrix *matrix, MtQmcCost goal, guint n_steps,
                              MtQmcChoice *best, MtQmcMeter *meter);

/* --- mt-qmc-search.c --- */

/* Candidate terms → the cheapest set of them that covers @care; indices into @terms. */
void mt_qmc_select (MtQmcTerms *terms, const guint64 *care, GArray *chosen, MtQmcMeter *meter);

/* --- mt-qmc-large.c --- */
void mt_qmc_large (guint fan_in, const guint64 *allowed, const guint64 *care,
                   GArray *cubes, MtQmcMeter *meter);

/* --- mt-qmc-xor.c --- */

/* Terms with and without parities; FALSE when they are too many to list. */
gboolean mt_qmc_add_xor_terms  (guint fan_in, const guint64 *allowed, const guint64 *care,
                                MtQmcTerms *terms, MtQmcMeter *meter);
/* Pairs of terms (MtXorCube) that one with a parity replaces. */
void     mt_qmc_join_xor_terms (GArray *cubes, MtQmcMeter *meter);
guint64  mt_qmc_xor_budget     (const MtQmcOptions *options);

G_END_DECLS
